// The timeline of a flight: what was asked, done and hit, in the window of time that the plots show.

const flightTimeline = (function () {
const { make, signs } = page;
const $ = (id) => document.getElementById(id);

// A script says:
//   events, end      of the flight, as page.h has them
//   vehicles()       numbers of those that are looked at
//   desk()           the plots, by timePlots.open()
//   goTo(t), goToRow(row)
function open(shows) {
        const { events, end } = shows;

        const COLLISION = 0, MEETING = 1, STEP = 2, BEGINS = 3, OVER = 4, OWN_WAY = 5, LOST = 6, SETPOINT = 7;

        // Those of the vehicles shown, and those that were asked of all.
        function eventsShown() {
                const shown = shows.vehicles();
                return events.filter((e) => e.vehicle < 0 || shown.includes(e.vehicle));
        }

        function steps() {
                const kind = events.some((e) => e.kind === STEP) ? STEP : SETPOINT;
                return once(eventsShown().filter((e) => e.kind === kind)).sort((a, b) => a.at - b.at);
        }

        // What several vehicles have alike is shown once.
        function once(list) {
                const seen = new Map(list.map((e) => [`${e.at} ${e.to} ${e.what}`, e]));
                return [...seen.values()];
        }

        function faults() {
                const open = new Map(), all = [];
                for (const e of eventsShown()) {
                        const key = `${e.vehicle} ${e.index}`;
                        if (e.kind === BEGINS) {
                                const f = { at: e.at, from: e.at, to: end, what: e.what };
                                open.set(key, f);
                                all.push(f);
                        } else if (e.kind === OVER && open.has(key)) {
                                open.get(key).to = e.at;
                                open.delete(key);
                        }
                }
                return once(all);
        }

        // As few lanes as do, so that no two that overlap share one.
        function lanesOf(list) {
                const lanes = [];
                for (const f of [...list].sort((a, b) => a.from - b.from)) {
                        const free = lanes.find((lane) => lane[lane.length - 1].to <= f.from);
                        if (free) free.push(f);
                        else lanes.push([f]);
                }
                return lanes;
        }

        function lane(name) {
                const e = make("div", "lane"), clip = make("div", "clip");
                e.append(make("b", "", name), clip);
                $("timeline").append(e);
                return clip;
        }

        // One that began before the window keeps its words in sight.
        function stretch(clip, className, from, to, what, title, place, width) {
                const left = Math.max(place(from), -2), right = Math.min(place(to), width + 2);
                if (right < 0 || left > width) return;
                const e = make("div", className, what);
                e.title = title;
                e.style.left = left + "px";
                e.style.width = Math.max(right - left, 5) + "px";
                clip.append(e);
        }

        function stepLane(place, width) {
                const list = steps(), clip = list.length > 0 && lane("steps");
                list.forEach((s, i) => stretch(clip, "at", s.at, i + 1 < list.length ? list[i + 1].at : end, s.what, `${s.at.toFixed(3)} s: ${s.what}`, place, width));
        }

        function faultLanes(place, width) {
                lanesOf(faults()).forEach((list, i) => {
                        const clip = lane(i === 0 ? "actions" : "");
                        for (const f of list) stretch(clip, "bar", f.from, f.to, f.what, `${f.from.toFixed(3)} to ${f.to.toFixed(3)} s: ${f.what}`, place, width);
                });
        }

        function sign(clip, text, className, x, title, act) {
                const b = make("button", className, text);
                b.type = "button";
                b.tabIndex = -1;
                b.title = title;
                b.style.left = x + "px";
                b.addEventListener("click", act);
                clip.append(b);
        }

        function worstLane(place, width) {
                const rows = [...document.querySelectorAll(".requirements [data-at-us]")].filter((r) => shows.vehicles().includes(+r.dataset.vehicle));
                const hits = eventsShown().filter((e) => e.kind === COLLISION || e.kind === MEETING || e.kind === OWN_WAY || e.kind === LOST);
                if (rows.length + hits.length === 0) return;
                const clip = lane("moments");
                for (const e of hits) {
                        const x = place(e.at);
                        if (x >= -9 && x <= width + 9) sign(clip, "✶", "worst failed", x, `${e.at.toFixed(3)} s: ${e.kind >= OWN_WAY ? "" : "hit "}${e.what}`, () => shows.goTo(e.at));
                }
                // Passed ones first, so that a failed one lies on top.
                for (const row of rows.reverse()) {
                        const at = row.dataset.atUs / 1e6, x = place(at);
                        const outcome = ["passed", "failed", "void"].find((c) => row.classList.contains(c));
                        if (x >= -9 && x <= width + 9)
                                sign(clip, signs[outcome], "worst " + outcome, x,
                                        `${at.toFixed(3)} s: ${row.querySelector("th").firstChild.textContent} (${outcome})`, () => shows.goToRow(row));
                }
        }

        function overview(width) {
                const desk = shows.desk();
                const bar = make("div", "overview"), shown = make("div", "shown");
                shown.style.left = 100 * desk.from / end + "%";
                shown.style.width = 100 * (desk.to - desk.from) / end + "%";
                bar.title = "The whole flight; click to look there";
                bar.append(shown);
                bar.addEventListener("pointerdown", (e) => {
                        const t = end * (e.clientX - bar.getBoundingClientRect().left) / width;
                        const half = (desk.to - desk.from) / 2;
                        desk.setWindow(t - half, t + half);
                });
                $("timeline").append(bar);
        }

        function draw() {
                const desk = shows.desk(), strip = $("timeline"), area = desk.strip();
                if (!area.known) return;
                strip.replaceChildren();
                strip.style.marginLeft = area.x + "px";
                strip.style.width = area.w + "px";
                const place = (t) => area.w * (t - desk.from) / (desk.to - desk.from);
                overview(area.w);
                stepLane(place, area.w);
                faultLanes(place, area.w);
                worstLane(place, area.w);
                $("window").textContent = desk.windowText();
        }

        return { steps, faults, draw };
}

return { open };
})();
