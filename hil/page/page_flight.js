// The flight of a report: what its plots show, and the timeline, which shares their window of time.

if (page.data.flight) (function () {
const data = page.data.flight;
const { make, colour, digits, option, signs } = page;
const $ = (id) => document.getElementById(id);

// [label, table, column, role]; a role gives the colour and the stroke.
const axes = (table, role, label) => [0, 1, 2].map((c) => [label, table, c, role]);
const against = (names, unit, ...lists) =>
        names.map((name, i) => ({ name, unit, series: lists.map((list) => list[i]) }));
const rotors = (table) => Array.from({ length: 8 }, (_, i) => [`rotor ${i}`, table, i, `c${i + 1}`]);
const sonars = () => Array.from({ length: 16 }, (_, i) => [`sonar ${i}`, `sonar${i}`, 0, `c${i % 8 + 1}`, "dots"]);

const groups = [
        { name: "Attitude", find: /tilt|roll|pitch|yaw|heading|attitude|upright/i, plots: [
                { name: "Roll", unit: "°", series: [["truth", "attitude_truth", 0, "truth"], ["estimate", "attitude", 0, "estimate"]] },
                { name: "Pitch", unit: "°", series: [["truth", "attitude_truth", 1, "truth"], ["estimate", "attitude", 1, "estimate"]] },
                { name: "Yaw", unit: "°", turns: true, series: [["truth", "attitude_truth", 2, "truth"], ["estimate", "attitude", 2, "estimate"], ["setpoint", "setpoint", 3, "setpoint"]] },
        ] },
        { name: "Angular rates, gyro against truth", find: /rate|gyro/i, note: "Body axes.",
          plots: against(["Roll rate", "Pitch rate", "Yaw rate"], "°/s", axes("gyro", "sensor", "gyro"), axes("rate_truth", "truth", "truth")) },
        { name: "Position", find: /altitude|height|north|east|position|distance|contact|impact|land|up_m/i,
          note: "From the origin of the world. The estimate and the setpoint count from where the flight controller started and are drawn from there.",
          plots: against(["Up", "North", "East"], "m", [2, 0, 1].map((c) => ["truth", "position_truth", c, "truth"]),
                  [2, 0, 1].map((c) => ["estimate", "position", c, "estimate"]), [2, 0, 1].map((c) => ["setpoint", "setpoint", c, "setpoint"])) },
        { name: "Velocity", find: /speed|velocity|vel_|climb|sink/i,
          plots: against(["Up", "North", "East"], "m/s", [5, 3, 4].map((c) => ["GPS", "gps", c, "sensor", "dots"]),
                  [5, 3, 4].map((c) => ["truth", "position_truth", c, "truth"]), [5, 3, 4].map((c) => ["estimate", "position", c, "estimate"])) },
        { name: "Motors", find: /motor|duty|rotor/i, plots: [
                { name: "Motor command", unit: "duty, 0 to 1", series: rotors("duty") },
                { name: "Rotor speed, truth", unit: "rad/s", series: rotors("rotors") },
        ] },
        { name: "Sensors against truth", find: /accel|baro|gps|mag|sonar|battery|voltage|current|sensor/i,
          note: "Each sample stands at the time at which it was measured.", plots: [
                ...against(["Accelerometer x", "Accelerometer y", "Accelerometer z"], "m/s²", axes("accel", "sensor", "accelerometer"), axes("accel_truth", "truth", "truth, at the centre of mass")),
                { name: "Barometer as altitude", unit: "m", series: [["barometer", "baro", 0, "sensor"], ["truth", "position_truth", 2, "truth"]] },
                ...against(["GPS north", "GPS east", "GPS up"], "m", [0, 1, 2].map((c) => ["GPS", "gps", c, "sensor", "dots"]), axes("position_truth", "truth", "truth")),
                { name: "GPS satellites", unit: "", series: [["satellites", "gps", 6, "sensor", "dots"]] },
                ...against(["Magnetometer x", "Magnetometer y", "Magnetometer z"], "µT", axes("mag", "sensor", "magnetometer"), axes("mag_truth", "truth", "truth")),
                { name: "Sonar", unit: "m, along the beam", series: [["height above what is below", "around", 0, "truth"], ...sonars()], needs: /^sonar/ },
                { name: "Battery voltage", unit: "V", series: [["power module", "battery", 0, "sensor"], ["truth", "around", 1, "truth"]] },
                { name: "Battery current", unit: "A", series: [["power module", "battery", 1, "sensor"], ["truth", "around", 2, "truth"]] },
                { name: "Wind", unit: "m/s", series: [["north", "around", 3, "c1"], ["east", "around", 4, "c2"], ["down", "around", 5, "c3"]] },
        ] },
        { name: "Lateness and latency over time", find: /latency|late|overrun|loop/i, plots: [
                { name: "Lateness of the wake-up", unit: "µs", series: [["lateness", "tick", 0, "c2"]] },
                { name: "Loop: sensor frame to motor command", unit: "µs", series: [["loop", "tick", 2, "c1"]] },
                { name: "Compute: wake-up to frame handed over", unit: "µs", series: [["compute", "tick", 1, "c3"]] },
        ] },
];

const state = { vehicle: 0, mark: null };
const end = Math.max(data.end_s, 0.001);

// Numbers

function unpack(table) {
        if (table.time) return;
        let t = 0;
        table.time = Float64Array.from(table.t, (d) => (t += d) / 1e6);
        table.value = table.v.map((column) => Float64Array.from(column, (x) => (x === null ? NaN : x)));
        table.t = table.v = null;
}

function seriesOf(vehicle, plot) {
        const found = [];
        for (const [label, name, column, role, look] of plot.series) {
                const table = vehicle.tables[name];
                if (!table) continue;
                unpack(table);
                const value = table.value[column];
                // A battery, a wind that is not there is logged as 0.
                if (!value || !value.some(Number.isFinite) || (name === "around" && value.every((x) => !(x !== 0)))) continue;
                if (name === "tick" && value.every((x) => !(x !== 0))) continue;
                // Of a thinned table: what is further apart than records in the log are.
                const apart_s = table.n > value.length ? 1.5 * (table.time[value.length - 1] - table.time[0]) / table.n : Infinity;
                found.push({ label, name, role, look, time: table.time, value, turns: plot.turns, apart_s });
        }
        return plot.needs && !found.some((s) => plot.needs.test(s.name)) ? [] : found;
}

// Rows as dygraphs wants them: [t, series 1, ...], null where a series has no sample (the line goes
// on), NaN where it has a gap (it does not).
function mergeRows(series) {
        const at = series.map(() => 0), rows = [];
        for (;;) {
                let t = Infinity;
                series.forEach((s, i) => { if (at[i] < s.time.length) t = Math.min(t, s.time[at[i]]); });
                if (t === Infinity) break;
                const row = [t];
                series.forEach((s, i) => {
                        let v = null;
                        if (s.time[at[i]] === t) {
                                v = s.value[at[i]];
                                // From 180 to -180 is no turn.
                                if (s.turns && at[i] > 0 && Math.abs(v - s.value[at[i] - 1]) > 300) v = NaN;
                                at[i]++;
                        }
                        row.push(v);
                });
                rows.push(row);
        }
        series.forEach((s, i) => {
                // What was asked last holds to the end.
                const last = s.value[s.value.length - 1];
                if (s.role === "setpoint" && s.time[s.time.length - 1] < end && Number.isFinite(last))
                        rows.push([end, ...series.map((_, k) => (k === i ? last : null))]);
        });
        return rows;
}

// The newest sample not later than t.
function valueAt(s, t) {
        let low = 0, high = s.time.length;
        while (low < high) {
                const mid = (low + high) >> 1;
                if (s.time[mid] <= t) low = mid + 1;
                else high = mid;
        }
        return low > 0 ? s.value[low - 1] : NaN;
}

// Plots

function strokes(plot) {
        const strokes = {};
        for (const s of plot.series) {
                const o = { color: colour(s.role), strokeWidth: 1.3, apart_s: s.apart_s };
                if (s.role === "truth") o.strokeWidth = 1.7;
                if (s.role === "estimate") o.strokeWidth = 1.2;
                if (s.role === "sensor") o.strokeWidth = 0.9;
                if (s.role === "setpoint") Object.assign(o, { stepPlot: true, strokePattern: [6, 4], strokeWidth: 1.8 });
                if (s.look === "dots") Object.assign(o, { drawPoints: true, strokeWidth: 0.6 });
                strokes[s.label] = o;
        }
        return strokes;
}

function underlay(context, area, g) {
        const line = (t, style, width) => {
                const x = g.toDomXCoord(t);
                if (x < area.x || x > area.x + area.w) return;
                context.fillStyle = style;
                context.fillRect(x - width / 2, area.y, width, area.h);
        };
        context.save();
        context.beginPath();
        context.rect(area.x, area.y, area.w, area.h);
        context.clip();
        context.fillStyle = colour("fail-ground");
        context.globalAlpha = 0.75;
        for (const f of faults(state.vehicle)) {
                const x = g.toDomXCoord(f.from);
                context.fillRect(x, area.y, Math.max(g.toDomXCoord(f.to) - x, 1), area.h);
        }
        context.globalAlpha = 1;
        for (const e of steps(state.vehicle)) line(e.at, colour("grid"), 2);
        if (state.mark !== null) line(state.mark, colour("mark"), 2);
        context.restore();
}

function extremes(plot) {
        return plot.series.map((s) => {
                let low = Infinity, high = -Infinity;
                for (const v of s.value) { if (v < low) low = v; if (v > high) high = v; }
                return `${s.label} from ${digits(low)} to ${digits(high)}`;
        }).join("; ");
}

function addPlot(section, definition, group) {
        const series = seriesOf(data.vehicles[state.vehicle], definition);
        if (series.length === 0) return;
        const plot = { ...definition, series, group };
        plot.keys = series.map((s) => ({ label: s.label, role: s.role, dashed: s.role === "setpoint" }));
        plot.words = extremes(plot);
        desk.add(section, plot);
}

function buildPlots() {
        desk.clear();
        $("plots").replaceChildren();
        for (const group of groups) {
                const section = make("div", "group");
                section.append(make("h3", "", group.name));
                if (group.note) section.append(make("p", "note", group.note));
                for (const definition of group.plots) addPlot(section, definition, group);
                if (section.querySelector("figure")) $("plots").append(section);
        }
        sayThinned();
        desk.draw();
}

function sayThinned() {
        let shown = 0, all = 0;
        for (const table of Object.values(data.vehicles[state.vehicle].tables)) {
                shown += table.time ? table.time.length : table.t.length;
                all += table.n;
        }
        const few = (n) => n.toLocaleString("en");
        $("shown").textContent = shown === all
                ? `All ${few(all)} records of this vehicle that the plots show are here; none was thinned out.`
                : `${few(shown)} of ${few(all)} records are here: of each stretch of time those with the smallest and the largest value of every quantity, so that no spike is lost, and, close to the requirements' worst moments, all. run.ulg has the rest.`;
        if (!data.world) $("shown").textContent += " config.json could not be read by this version: the truth of accelerometer and magnetometer, the altitude of the barometer and the position of the GPS are left out.";
}

// The timeline

const COLLISION = 0, MEETING = 1, STEP = 2, BEGINS = 3, OVER = 4, OWN_WAY = 5, SETPOINT = 6;

function eventsOf(vehicle) {
        return data.events.filter((e) => e.vehicle === vehicle);
}

function steps(vehicle) {
        const named = data.events.some((e) => e.kind === STEP);
        return eventsOf(vehicle).filter((e) => e.kind === (named ? STEP : SETPOINT)).sort((a, b) => a.at - b.at);
}

function faults(vehicle) {
        const open = new Map(), all = [];
        for (const e of eventsOf(vehicle)) {
                if (e.kind === BEGINS) {
                        const f = { from: e.at, to: end, what: e.what };
                        open.set(e.index, f);
                        all.push(f);
                } else if (e.kind === OVER && open.has(e.index)) {
                        open.get(e.index).to = e.at;
                        open.delete(e.index);
                }
        }
        return all;
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
        const list = steps(state.vehicle), clip = list.length > 0 && lane("steps");
        list.forEach((s, i) => stretch(clip, "at", s.at, i + 1 < list.length ? list[i + 1].at : end, s.what, `${s.at.toFixed(3)} s: ${s.what}`, place, width));
}

function faultLanes(place, width) {
        lanesOf(faults(state.vehicle)).forEach((list, i) => {
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
        const rows = [...document.querySelectorAll(".requirements [data-at-us]")].filter((r) => +r.dataset.vehicle === state.vehicle);
        const hits = eventsOf(state.vehicle).filter((e) => e.kind === COLLISION || e.kind === MEETING || e.kind === OWN_WAY);
        if (rows.length + hits.length === 0) return;
        const clip = lane("moments");
        for (const e of hits) {
                const x = place(e.at);
                if (x >= -9 && x <= width + 9) sign(clip, "✶", "worst failed", x, `${e.at.toFixed(3)} s: ${e.kind === OWN_WAY ? "" : "hit "}${e.what}`, () => goTo(e.at));
        }
        // Passed ones first, so that a failed one lies on top.
        for (const row of rows.reverse()) {
                const at = row.dataset.atUs / 1e6, x = place(at);
                const outcome = ["passed", "failed", "void"].find((c) => row.classList.contains(c));
                if (x >= -9 && x <= width + 9)
                        sign(clip, signs[outcome], "worst " + outcome, x,
                                `${at.toFixed(3)} s: ${row.querySelector("th").firstChild.textContent} (${outcome})`, () => goToRow(row, false));
        }
}

function overview(width) {
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

function drawTimeline() {
        const strip = $("timeline"), first = desk.plots.find((p) => p.graph);
        if (!first) return;
        const area = first.graph.getArea();
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

// Moments

function choose(row) {
        for (const r of document.querySelectorAll("tr.chosen")) r.classList.remove("chosen");
        if (row) row.classList.add("chosen");
}

function goTo(t) {
        state.mark = t;
        const half = Math.min(3, end / 2);
        desk.setWindow(t - half, t + half);
}

function goToRow(row, scroll) {
        const vehicle = +row.dataset.vehicle;
        if (vehicle !== state.vehicle && data.vehicles[vehicle]) {
                state.vehicle = vehicle;
                $("vehicle").value = String(vehicle);
                buildPlots();
        }
        choose(row);
        goTo(row.dataset.atUs / 1e6);
        if (!scroll) return;
        // What it asks says more than what it is called.
        const words = [".asks", "th"].map((part) => row.querySelector(part)).filter(Boolean).map((e) => e.textContent);
        const plot = words.map((text) => desk.plots.find((p) => p.group.find.test(text))).find(Boolean) || desk.plots[0];
        if (plot) plot.figure.parentElement.scrollIntoView({ behavior: "smooth", block: "start" });
}

document.addEventListener("click", (e) => {
        const row = e.target.closest("tr[data-at-us]");
        if (row && data.vehicles.length > 0) goToRow(row, true);
});

const desk = timePlots.open({
        rows: (plot) => mergeRows(plot.series),
        labels: (plot) => plot.series.map((s) => s.label),
        strokes, underlay,
        read: (plot, t) => plot.series.map((s) => (t === null ? "" : digits(valueAt(s, t)))),
        moved: drawTimeline,
        paper: [$("timeline")],
});
desk.end = desk.to = end;
// The whole flight has no moment marked.
document.querySelector('[data-do="all"]').addEventListener("click", () => { state.mark = null; choose(null); });

// Off it goes

if (data.vehicles.length > 0) {
        $("desk").hidden = false;
        $("vehicle").append(...data.vehicles.map((v, i) => option(v.name, i)));
        $("vehicle").parentElement.hidden = data.vehicles.length < 2;
        $("vehicle").addEventListener("change", () => { state.vehicle = +$("vehicle").value; state.mark = null; choose(null); buildPlots(); });
        const worst = document.querySelector(".requirements .failed[data-at-us]");
        if (worst) {
                // A failed flight opens with its first failure marked, but whole.
                state.mark = worst.dataset.atUs / 1e6;
                state.vehicle = data.vehicles[+worst.dataset.vehicle] ? +worst.dataset.vehicle : 0;
                $("vehicle").value = String(state.vehicle);
                choose(worst);
        }
        buildPlots();
} else {
        $("plots").append(make("p", "", "The log holds nothing to plot."));
        document.documentElement.dataset.ready = "true";
}
})();
