// The page's plots and what moves them: one window of time, which every plot, the timeline and the
// buttons show and change. Everything that comes from the run goes into the page as text, never as
// HTML.
"use strict";

(function () {
const data = JSON.parse(document.getElementById("data").textContent);
const root = document.documentElement;
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

const state = { vehicle: 0, from: 0, to: 1, mark: null, plots: [] };
const end = Math.max(data.end_s, 0.001);
const shortest = 0.002;

function make(tag, className, text) {
        const e = document.createElement(tag);
        if (className) e.className = className;
        if (text !== undefined) e.textContent = text;
        return e;
}

function colour(name) {
        return getComputedStyle(root).getPropertyValue("--" + name).trim();
}

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
                found.push({ label, name, role, look, time: table.time, value, turns: plot.turns });
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

function digits(x) {
        if (!Number.isFinite(x)) return "–";
        const size = Math.abs(x);
        return size >= 1000 ? x.toFixed(0) : size >= 100 ? x.toFixed(1) : size >= 1 || size === 0 ? x.toFixed(2) : x.toPrecision(3);
}

// Plots

function look(plot) {
        const series = {};
        for (const s of plot.series) {
                const o = { color: colour(s.role), strokeWidth: 1.3 };
                if (s.role === "truth") o.strokeWidth = 1.7;
                if (s.role === "estimate") o.strokeWidth = 1.2;
                if (s.role === "sensor") o.strokeWidth = 0.9;
                if (s.role === "setpoint") Object.assign(o, { stepPlot: true, strokePattern: [6, 4], strokeWidth: 1.8 });
                if (s.look === "dots") Object.assign(o, { drawPoints: true, pointSize: 1.6, strokeWidth: 0.6 });
                series[s.label] = o;
        }
        return { series, gridLineColor: colour("grid"), axisLineColor: colour("rule") };
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

function makeGraph(plot) {
        const few = (v) => (Math.abs(v) >= 1e5 ? v.toExponential(1) : String(+v.toPrecision(6)));
        plot.dirty = false;
        plot.graph = new Dygraph(plot.box, mergeRows(plot.series), {
                labels: ["t", ...plot.series.map((s) => s.label)],
                dateWindow: [state.from, state.to],
                connectSeparatedPoints: true,
                legend: "never", showLabelsOnHighlight: false, highlightCircleSize: 0,
                interactionModel: {}, animatedZooms: false,
                yRangePad: 8, rightGap: 8,
                axes: { x: { axisLabelFormatter: few, pixelsPerLabel: 70 }, y: { axisLabelWidth: 52, axisLabelFormatter: few, pixelsPerLabel: 28 } },
                underlayCallback: underlay,
                ...look(plot),
        });
        plot.cursor = make("div");
        plot.cursor.style.cssText = "position:absolute;top:0;bottom:0;width:1px;background:currentColor;opacity:.45;pointer-events:none;display:none;z-index:9";
        plot.box.append(plot.cursor);
        listen(plot);
}

function caption(plot) {
        const line = make("figcaption");
        line.append(make("span", "name", plot.name + (plot.unit ? ", " + plot.unit : "")));
        plot.reading = plot.series.map((s) => {
                const key = make("span", "key"), stroke = make("i", s.role === "setpoint" ? "dashed" : "");
                stroke.style.borderTopColor = `var(--${s.role})`;
                const number = make("b");
                key.append(stroke, s.label + " ", number);
                line.append(key);
                return number;
        });
        return line;
}

function extremes(plot) {
        return plot.series.map((s) => {
                let low = Infinity, high = -Infinity;
                for (const v of s.value) { if (v < low) low = v; if (v > high) high = v; }
                return `${s.label} from ${digits(low)} to ${digits(high)}`;
        }).join("; ");
}

const seen = "IntersectionObserver" in window && new IntersectionObserver((entries) => {
        for (const entry of entries) {
                const plot = state.plots.find((p) => p.box === entry.target);
                if (!plot) continue;
                plot.visible = entry.isIntersecting;
                if (plot.visible) freshen(plot);
        }
}, { rootMargin: "200px 0px" });

function freshen(plot) {
        if (!plot.graph) makeGraph(plot);
        else if (plot.dirty) plot.graph.updateOptions({ dateWindow: [state.from, state.to] });
        plot.dirty = false;
}

function addPlot(section, definition, group) {
        const vehicle = data.vehicles[state.vehicle];
        const series = seriesOf(vehicle, definition);
        if (series.length === 0) return;
        const plot = { ...definition, series, group, visible: !seen };
        const figure = make("figure", "plot");
        plot.box = make("div", "canvas");
        plot.box.setAttribute("role", "img");
        plot.box.setAttribute("aria-label", `${plot.name}${plot.unit ? " in " + plot.unit : ""} over time: ${extremes(plot)}.`);
        figure.append(caption(plot), plot.box);
        section.append(figure);
        plot.figure = figure;
        state.plots.push(plot);
        if (seen) seen.observe(plot.box);
}

function buildPlots() {
        for (const p of state.plots) {
                if (seen) seen.unobserve(p.box);
                if (p.graph) p.graph.destroy();
        }
        state.plots = [];
        $("plots").replaceChildren();
        for (const group of groups) {
                const section = make("div", "group");
                section.append(make("h3", "", group.name));
                if (group.note) section.append(make("p", "note", group.note));
                for (const definition of group.plots) addPlot(section, definition, group);
                if (section.querySelector("figure")) $("plots").append(section);
        }
        sayThinned();
        // Those in sight first; the rest when the browser has time.
        (function next() {
                const plot = state.plots.find((p) => !p.graph);
                if (!plot) {
                        root.dataset.ready = "true";
                        return;
                }
                makeGraph(plot);
                if (plot === state.plots[0]) drawTimeline();
                setTimeout(next, 0);
        })();
}

function sayThinned() {
        let shown = 0, all = 0;
        for (const table of Object.values(data.vehicles[state.vehicle].tables)) {
                shown += table.time ? table.time.length : table.t.length;
                all += table.n;
        }
        const few = (n) => n.toLocaleString("en");
        $("thinned").textContent = shown === all
                ? `All ${few(all)} records of this vehicle that the plots show are here; none was thinned out.`
                : `${few(shown)} of ${few(all)} records are here: of each stretch of time those with the smallest and the largest value of every quantity, so that no spike is lost, and, close to the requirements' worst moments, all. run.ulg has the rest.`;
        if (!data.world) $("thinned").textContent += " config.json could not be read by this version: the truth of accelerometer and magnetometer, the altitude of the barometer and the position of the GPS are left out.";
}

// The window of time

let drawing = 0, resting = 0;
function setWindow(from, to) {
        let span = Math.min(Math.max(to - from, shortest), end);
        from = Math.min(Math.max(from, 0), end - span);
        state.from = from;
        state.to = from + span;
        for (const p of state.plots) p.dirty = true;
        if (drawing) return;
        drawing = requestAnimationFrame(() => {
                drawing = 0;
                for (const p of state.plots) if (p.visible && p.graph) freshen(p);
                drawTimeline();
        });
        // The others once it rests: paper shows all of them.
        clearTimeout(resting);
        resting = setTimeout(function next() {
                const plot = state.plots.find((p) => p.graph && p.dirty);
                if (!plot) return;
                freshen(plot);
                resting = setTimeout(next, 0);
        }, 400);
}

function zoom(factor, about = (state.from + state.to) / 2) {
        setWindow(about - (about - state.from) * factor, about + (state.to - about) * factor);
}

function pan(seconds) {
        setWindow(state.from + seconds, state.to + seconds);
}

const actions = {
        in: () => zoom(0.5),
        out: () => zoom(2),
        left: () => pan((state.from - state.to) / 3),
        right: () => pan((state.to - state.from) / 3),
        all: () => { state.mark = null; choose(null); setWindow(0, end); },
};

function hover(t) {
        for (const p of state.plots) {
                if (!p.graph || !p.visible) continue;
                const inside = t !== null && t >= state.from && t <= state.to;
                p.cursor.style.display = inside ? "block" : "none";
                if (inside) p.cursor.style.left = p.graph.toDomXCoord(t) + "px";
                p.series.forEach((s, i) => { p.reading[i].textContent = inside ? digits(valueAt(s, t)) : ""; });
        }
        $("window").textContent = t !== null ? `at ${t.toFixed(3)} s` : windowText();
}

function windowText() {
        return `${state.from.toFixed(3)} to ${state.to.toFixed(3)} s of ${end.toFixed(3)} s`;
}

// Mouse: drag selects, with Shift pans. Touch: one finger pans sideways, two pinch.
function listen(plot) {
        const box = plot.box, fingers = new Map();
        let drag = null;
        const x = (e) => e.clientX - box.getBoundingClientRect().left;
        const time = (e) => plot.graph.toDataXCoord(x(e));
        const perPixel = () => (state.to - state.from) / plot.graph.getArea().w;

        box.addEventListener("pointerdown", (e) => {
                if (e.button !== 0) return;
                fingers.set(e.pointerId, e.clientX);
                const moves = e.pointerType === "touch" || e.shiftKey;
                drag = { start: x(e), t: time(e), moves };
                if (!moves) {
                        box.setPointerCapture(e.pointerId);
                        drag.shade = make("div");
                        drag.shade.style.cssText = "position:absolute;top:0;bottom:20px;background:var(--accent);opacity:.2;pointer-events:none;z-index:9";
                        box.append(drag.shade);
                        e.preventDefault();
                } else if (e.pointerType !== "touch") box.setPointerCapture(e.pointerId);
        });
        box.addEventListener("pointermove", (e) => {
                const before = fingers.get(e.pointerId);
                if (before === undefined || !drag) return hover(time(e));
                if (fingers.size === 2) {
                        const other = [...fingers].find(([id]) => id !== e.pointerId)[1];
                        const wide = Math.abs(e.clientX - other);
                        if (wide > 10) zoom(Math.abs(before - other) / wide, plot.graph.toDataXCoord(other - box.getBoundingClientRect().left));
                } else if (drag.moves) {
                        pan((before - e.clientX) * perPixel());
                } else {
                        drag.shade.style.left = Math.min(drag.start, x(e)) + "px";
                        drag.shade.style.width = Math.abs(x(e) - drag.start) + "px";
                }
                fingers.set(e.pointerId, e.clientX);
        });
        const over = (e) => {
                fingers.delete(e.pointerId);
                if (drag && drag.shade) {
                        drag.shade.remove();
                        if (e.type === "pointerup" && Math.abs(x(e) - drag.start) > 6)
                                setWindow(Math.min(drag.t, time(e)), Math.max(drag.t, time(e)));
                }
                drag = null;
        };
        box.addEventListener("pointerup", over);
        box.addEventListener("pointercancel", over);
        box.addEventListener("pointerleave", () => hover(null));
        box.addEventListener("dblclick", () => setWindow(0, end));
        box.addEventListener("wheel", (e) => {
                if (!e.ctrlKey && !e.shiftKey) return;
                e.preventDefault();
                if (e.ctrlKey) zoom(Math.exp(Math.max(-1, Math.min(1, e.deltaY / 200))), time(e));
                else pan((e.deltaX + e.deltaY) * perPixel());
        }, { passive: false });
}

// The timeline

const COLLISION = 0, MEETING = 1, STEP = 2, BEGINS = 3, OVER = 4, SETPOINT = 5;

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

function stepLane(place, width) {
        const list = steps(state.vehicle);
        if (list.length === 0) return;
        const clip = lane("steps");
        list.forEach((s, i) => {
                const next = i + 1 < list.length ? list[i + 1].at : end;
                // One that began before the window keeps its words in sight.
                const left = Math.max(place(s.at), -2), right = place(next);
                if (right < 0 || left > width) return;
                const b = make("div", "at", s.what);
                b.title = `${s.at.toFixed(3)} s: ${s.what}`;
                b.style.left = left + "px";
                b.style.width = Math.max(right - left - 2, 4) + "px";
                clip.append(b);
        });
}

function faultLanes(place, width) {
        lanesOf(faults(state.vehicle)).forEach((list, i) => {
                const clip = lane(i === 0 ? "actions" : "");
                for (const f of list) {
                        const left = Math.max(place(f.from), -2), right = Math.min(place(f.to), width + 2);
                        if (right < 0 || left > width) continue;
                        const bar = make("div", "bar", f.what);
                        bar.title = `${f.from.toFixed(3)} to ${f.to.toFixed(3)} s: ${f.what}`;
                        bar.style.left = left + "px";
                        bar.style.width = Math.max(right - left, 5) + "px";
                        clip.append(bar);
                }
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
        const rows = [...document.querySelectorAll(".requirement[data-at-us]")].filter((r) => +r.dataset.vehicle === state.vehicle);
        const hits = eventsOf(state.vehicle).filter((e) => e.kind === COLLISION || e.kind === MEETING);
        if (rows.length + hits.length === 0) return;
        const clip = lane("moments");
        for (const e of hits) {
                const x = place(e.at);
                if (x >= -9 && x <= width + 9) sign(clip, "✶", "worst failed", x, `${e.at.toFixed(3)} s: hit ${e.what}`, () => goTo(e.at));
        }
        // Passed ones first, so that a failed one lies on top.
        for (const row of rows.reverse()) {
                const at = row.dataset.atUs / 1e6, x = place(at);
                const outcome = ["passed", "failed", "void"].find((c) => row.classList.contains(c));
                if (x >= -9 && x <= width + 9)
                        sign(clip, { passed: "✓", failed: "✗", void: "?" }[outcome], "worst " + outcome, x,
                                `${at.toFixed(3)} s: ${row.querySelector("th").firstChild.textContent} (${outcome})`, () => goToRow(row, false));
        }
}

function overview(width) {
        const bar = make("div", "overview"), shown = make("div", "shown");
        shown.style.left = 100 * state.from / end + "%";
        shown.style.width = 100 * (state.to - state.from) / end + "%";
        bar.title = "The whole flight; click to look there";
        bar.append(shown);
        bar.addEventListener("pointerdown", (e) => {
                const t = end * (e.clientX - bar.getBoundingClientRect().left) / width;
                const half = (state.to - state.from) / 2;
                setWindow(t - half, t + half);
        });
        $("timeline").append(bar);
}

function drawTimeline() {
        const strip = $("timeline"), first = state.plots.find((p) => p.graph);
        if (!first) return;
        const area = first.graph.getArea();
        strip.replaceChildren();
        strip.style.marginLeft = area.x + "px";
        strip.style.width = area.w + "px";
        const place = (t) => area.w * (t - state.from) / (state.to - state.from);
        overview(area.w);
        stepLane(place, area.w);
        faultLanes(place, area.w);
        worstLane(place, area.w);
        $("window").textContent = windowText();
}

// Moments

function choose(row) {
        for (const r of document.querySelectorAll("tr.chosen")) r.classList.remove("chosen");
        if (row) row.classList.add("chosen");
}

function goTo(t) {
        state.mark = t;
        const half = Math.min(3, end / 2);
        setWindow(t - half, t + half);
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
        const words = row.querySelector("th") ? row.querySelector("th").textContent : "";
        // What it asks says more than what it is called.
        const asks = row.querySelector(".asks") ? row.querySelector(".asks").textContent : "";
        const find = (text) => state.plots.find((p) => text && p.group.find.test(text));
        const plot = find(asks) || find(words) || state.plots[0];
        if (plot) plot.figure.parentElement.scrollIntoView({ behavior: "smooth", block: "start" });
}

document.addEventListener("click", (e) => {
        const row = e.target.closest("tr[data-at-us]");
        if (row && data.vehicles.length > 0) goToRow(row, true);
});

// Colours

function recolour() {
        for (const p of state.plots) if (p.graph) p.graph.updateOptions(look(p));
        $("theme").textContent = isDark() ? "Light" : "Dark";
}

const dark = window.matchMedia("(prefers-color-scheme: dark)");
function isDark() {
        return root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
}

function keepTheme(theme) {
        root.dataset.theme = theme;
        // From disk some browsers keep nothing: then the choice lasts as long as the page.
        try { localStorage.setItem("hilrig-theme", theme); } catch (e) { return; }
}

try {
        const kept = localStorage.getItem("hilrig-theme");
        if (kept === "dark" || kept === "light") root.dataset.theme = kept;
} catch (e) { delete root.dataset.theme; }

dark.addEventListener("change", recolour);
$("theme").hidden = false;
$("theme").addEventListener("click", () => { keepTheme(isDark() ? "light" : "dark"); recolour(); });

// On paper: light, as wide as the paper. A canvas that is drawn anew now would come out empty, so
// what is drawn is scaled and, if it is dark, inverted.
let themeBefore;
window.addEventListener("beforeprint", () => {
        const paper = 690;
        root.classList.toggle("inverted", isDark());
        themeBefore = root.dataset.theme;
        root.dataset.theme = "light";
        for (const e of [...state.plots.map((p) => p.box), $("timeline")]) {
                const width = e.parentElement.clientWidth;
                e.style.zoom = width > paper ? String(paper / width) : "";
        }
});
window.addEventListener("afterprint", () => {
        root.classList.remove("inverted");
        if (themeBefore) root.dataset.theme = themeBefore;
        else delete root.dataset.theme;
        for (const e of [...state.plots.map((p) => p.box), $("timeline")]) e.style.zoom = "";
});

let resizing = 0;
window.addEventListener("resize", () => {
        cancelAnimationFrame(resizing);
        resizing = requestAnimationFrame(drawTimeline);
});

// Off it goes

recolour();
if (data.vehicles.length > 0) {
        $("desk").hidden = false;
        data.vehicles.forEach((v, i) => {
                const option = make("option", "", v.name);
                option.value = String(i);
                $("vehicle").append(option);
        });
        $("choose").hidden = data.vehicles.length < 2;
        $("vehicle").addEventListener("change", () => { state.vehicle = +$("vehicle").value; state.mark = null; choose(null); buildPlots(); });
        for (const b of document.querySelectorAll("[data-do]")) b.addEventListener("click", actions[b.dataset.do]);
        state.to = end;
        const worst = document.querySelector(".requirement.failed[data-at-us]");
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
        root.dataset.ready = "true";
}
})();
