// The flight of a report: what its plots show, of which vehicles; top view and timeline go with them.

if (page.data.flight) (function () {
const data = page.data.flight;
const { make, colour, digits, option } = page;
const { fleet } = data;
const requirementBands = RequirementBands(page.data.scene || { requirements: [], ground_down_m: 0 }, colour, (q) => {
        const { tone } = page.data.requirements.find((r) => r.name === q.name) || { tone: "void" };
        return { tone, sign: page.signs[tone] };
});
const $ = (id) => document.getElementById(id);

// [label, table, column, role]; a role gives the colour and the stroke. asks: the signals, as requirements call them, that a plot shows,
// by a pattern; above: what is required counts from the ground.
const axes = (table, role, label) => [0, 1, 2].map((c) => [label, table, c, role]);
const against = (names, unit, asks, ...lists) =>
        names.map((name, i) => ({ name, unit, asks: asks[i], above: asks[i] === "altitude_m", series: lists.map((list) => list[i]) }));
const rotors = (table) => Array.from({ length: 8 }, (_, i) => [`rotor ${i}`, table, i, `c${i + 1}`]);
const sonars = () => Array.from({ length: 16 }, (_, i) => [`sonar ${i}`, `sonar${i}`, 0, `c${i % 8 + 1}`, "dots"]);

const groups = [
        { name: "Attitude", find: /tilt|roll|pitch|yaw|heading|attitude|upright/i, plots: [
                { name: "Roll", unit: "°", asks: "roll_deg", series: [["truth", "attitude_truth", 0, "truth"], ["estimate", "attitude", 0, "estimate"]] },
                { name: "Pitch", unit: "°", asks: "pitch_deg", series: [["truth", "attitude_truth", 1, "truth"], ["estimate", "attitude", 1, "estimate"]] },
                { name: "Yaw", unit: "°", asks: "yaw_deg", turns: true, series: [["truth", "attitude_truth", 2, "truth"], ["estimate", "attitude", 2, "estimate"], ["setpoint", "setpoint", 3, "setpoint"]] },
                { name: "Tilt", unit: "°", asks: "tilt_deg", series: [["truth", "tilt_truth", 0, "truth"]] },
        ] },
        { name: "Angular rates, gyro against truth", find: /rate|gyro/i, note: "Body axes.",
          plots: against(["Roll rate", "Pitch rate", "Yaw rate"], "°/s", ["roll_rate_dps", "pitch_rate_dps", "yaw_rate_dps"], axes("gyro", "sensor", "gyro"), axes("rate_truth", "truth", "truth")) },
        { name: "Position", find: /altitude|height|north|east|position|distance|contact|impact|land|up_m/i,
          note: "From the origin of the world. The estimate and the setpoint count from where the flight controller started and are drawn from there.",
          plots: against(["Up", "North", "East"], "m", ["altitude_m", "north_m", "east_m"], [2, 0, 1].map((c) => ["truth", "position_truth", c, "truth"]),
                  [2, 0, 1].map((c) => ["estimate", "position", c, "estimate"]), [2, 0, 1].map((c) => ["setpoint", "setpoint", c, "setpoint"])) },
        { name: "Velocity", find: /speed|velocity|vel_|climb|sink/i,
          plots: against(["Up", "North", "East"], "m/s", ["climb_mps", "vel_north_mps", "vel_east_mps"], [5, 3, 4].map((c) => ["GPS", "gps", c, "sensor", "dots"]),
                  [2, 0, 1].map((c) => ["truth", "velocity_truth", c, "truth"]), [5, 3, 4].map((c) => ["estimate", "position", c, "estimate"])) },
        { name: "Motors", find: /motor|duty|rotor/i, plots: [
                { name: "Motor command", unit: "duty, 0 to 1", asks: /^duty_\d+$/, series: rotors("duty") },
                { name: "Rotor speed, truth", unit: "rad/s", asks: /^rotor_radps_\d+$/, series: rotors("rotors") },
        ] },
        { name: "Sensors against truth", find: /accel|baro|gps|mag|sonar|battery|voltage|current|sensor/i,
          note: "Each sample stands at the time at which it was measured.", plots: [
                ...against(["Accelerometer x", "Accelerometer y", "Accelerometer z"], "m/s²", ["accel_x_mps2", "accel_y_mps2", "accel_z_mps2"], axes("accel", "sensor", "accelerometer"), axes("accel_truth", "truth", "truth, at the centre of mass")),
                { name: "Barometer as altitude", unit: "m", series: [["barometer", "baro", 0, "sensor"], ["truth", "position_truth", 2, "truth"]] },
                ...against(["GPS north", "GPS east", "GPS up"], "m", [], [0, 1, 2].map((c) => ["GPS", "gps", c, "sensor", "dots"]), axes("position_truth", "truth", "truth")),
                { name: "GPS satellites", unit: "count", asks: "gps_satellites", series: [["satellites", "gps", 6, "sensor", "dots"]] },
                ...against(["Magnetometer x", "Magnetometer y", "Magnetometer z"], "µT", ["mag_x_ut", "mag_y_ut", "mag_z_ut"], axes("mag", "sensor", "magnetometer"), axes("mag_truth", "truth", "truth")),
                { name: "Sonar", unit: "m, along the beam", asks: /^(sonar_\d+_m|height_m)$/, series: [["height above what is below", "around", 0, "truth"], ...sonars()], needs: /^sonar/ },
                { name: "Battery voltage", unit: "V", asks: ["battery_v", "power_v"], series: [["power module", "battery", 0, "sensor"], ["truth", "around", 1, "truth"]] },
                { name: "Battery current", unit: "A", asks: ["battery_a", "power_a"], series: [["power module", "battery", 1, "sensor"], ["truth", "around", 2, "truth"]] },
                { name: "Wind", unit: "m/s", asks: /^wind_(north|east|down)_mps$/, series: [["north", "around", 3, "c1"], ["east", "around", 4, "c2"], ["down", "around", 5, "c3"]] },
        ] },
        { name: "Twin", find: /twin/i, note: "What was shown of the aircraft, against what its telemetry said later of the same moment.", plots: [
                { name: "Wrong by, position", unit: "m", series: [["position", "twin", 0, "c1"]] },
                { name: "Wrong by, attitude", unit: "deg", series: [["attitude", "twin", 1, "c2"]] },
                { name: "Age of the words", unit: "ms", series: [["age", "twin", 2, "c3", "dots"]] },
        ] },
        { name: "Lateness and latency over time", find: /latency|late|overrun|loop/i, plots: [
                { name: "Lateness of the wake-up", unit: "µs", asks: "lateness_us", series: [["lateness", "tick", 0, "c2"]] },
                { name: "Loop: sensor frame to motor command", unit: "µs", asks: "loop_us", series: [["loop", "tick", 2, "c1"]] },
                { name: "Compute: wake-up to frame handed over", unit: "µs", series: [["compute", "tick", 1, "c3"]] },
        ] },
];

// A fleet begins with its worst, its median and its best vehicle.
const three = fleet ? [...new Set([fleet.worst, fleet.median, fleet.best])] : [];
const state = { shown: fleet ? three : [0], mark: null };
const end = Math.max(data.end_s, 0.001);

// The colour of a vehicle, in the plots of several and from above.
function roleOf(i) {
        const taken = state.shown.slice(0, Math.max(state.shown.indexOf(i), 0)).map(roleOf);
        const free = [0, 1, 2].map((more) => `c${(i + more) % 8 + 1}`);
        return free.find((role) => !taken.includes(role));
}

// Of each record of a roll and a pitch: how far it leans.
function tiltOf(table) {
        const [roll, pitch] = table.value, radian = Math.PI / 180;
        return { ...table, value: [Float64Array.from(roll, (x, k) => Math.acos(Math.max(-1, Math.min(1, Math.cos(x * radian) * Math.cos(pitch[k] * radian)))) / radian)] };
}

function tableOf(i, name) {
        if (name === "tilt_truth") {
                const attitude = tableOf(i, "attitude_truth");
                return attitude && (attitude.tilt = attitude.tilt || tiltOf(attitude));
        }
        const table = data.vehicles[i] && data.vehicles[i].tables[name];
        return table && records.unpack(table);
}

function seriesOf(i, plot) {
        const found = [];
        for (const [label, name, column, role, look] of plot.series) {
                const table = tableOf(i, name);
                if (!table) continue;
                const value = table.value[column];
                // A battery, a wind that is not there is logged as 0.
                if (!value || !value.some(Number.isFinite) || (name === "around" && value.every((x) => !(x !== 0)))) continue;
                if (name === "tick" && value.every((x) => !(x !== 0))) continue;
                // Of a thinned table: what is further apart than records in the log are.
                // A fleet's are so few that they are joined as far as thinning parts them: by two stretches.
                const span_s = table.time[value.length - 1] - table.time[0];
                const apart_s = table.stretch_us === undefined ? Infinity : Math.max(1.5 * span_s / table.n, data.vehicles.length > 1 ? 2e-6 * table.stretch_us : 0);
                found.push({ label, name, role, look, time: table.time, value, turns: plot.turns, apart_s });
        }
        return plot.needs && !found.some((s) => plot.needs.test(s.name)) ? [] : found;
}

// Of several vehicles their truth, or what has but one line.
function seriesOfSeveral(plot) {
        const one = plot.series.find(([, , , role]) => role === "truth") || plot.series[0];
        if (plot.needs || (plot.series.length > 1 && one[3] !== "truth")) return [];
        return state.shown.flatMap((i) => seriesOf(i, { ...plot, series: [one] })
                .map((s) => ({ ...s, look: null, role: roleOf(i), label: `${data.vehicles[i].name} (${rankOf(i)})` })));
}

const rankOf = (i) => ["worst", "median", "best"].filter((rank) => fleet[rank] === i).join(", ");

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

function underlay(context, area, g, plot) {
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
        for (const f of timeline.faults()) {
                const x = g.toDomXCoord(f.from);
                context.fillRect(x, area.y, Math.max(g.toDomXCoord(f.to) - x, 1), area.h);
        }
        context.globalAlpha = 1;
        requirementBands.draw(context, area, g, plot.bands);
        for (const e of timeline.steps()) line(e.at, colour("grid"), 2);
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
        const series = state.shown.length > 1 ? seriesOfSeveral(definition) : seriesOf(state.shown[0], definition);
        if (series.length === 0) return;
        const plot = { ...definition, series, group };
        plot.keys = series.map((s) => ({ label: s.label, role: s.role, dashed: s.role === "setpoint" }));
        plot.bands = requirementBands.of(plot, state.shown);
        plot.words = extremes(plot) + plot.bands.map((b) => `; required: ${b.name}, ${b.tone === "void" ? "not judged" : b.tone}`).join("");
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
        for (const table of state.shown.flatMap((i) => Object.values(data.vehicles[i].tables))) {
                shown += table.time ? table.time.length : table.t.length;
                all += table.n;
        }
        const whose = state.shown.length > 1 ? "these vehicles" : "this vehicle";
        const few = (n) => n.toLocaleString("en");
        $("shown").textContent = shown === all
                ? `All ${few(all)} records of ${whose} that the plots show are here; none was thinned out.`
                : `${few(shown)} of ${few(all)} records are here: of each stretch of time those with the smallest and the largest value of every quantity, so that no spike is lost, and, close to the requirements' worst moments, all. run.ulg has the rest.`;
        if (shown < all && data.vehicles.length > 4) $("shown").textContent += " They are joined by straight lines.";
        if (state.shown.length > 1) $("shown").textContent += ` These are the worst, the median and the best by ${fleet.by}; choose one vehicle to see what it estimated, measured and was asked.`;
        if (data.vehicles[state.shown[0]].few) $("shown").textContent += ` To keep the page small, of this vehicle only the true position, attitude and velocity and the set-points are here. run.ulg has all, and hilrig report --vehicle ${data.vehicles[state.shown[0]].name} makes a page that shows it whole.`;
        if (!data.world) $("shown").textContent += " config.json could not be read by this version: the truth of accelerometer and magnetometer, the altitude of the barometer and the position of the GPS are left out.";
}

// Moments

function choose(row) {
        for (const r of document.querySelectorAll("tr.chosen")) r.classList.remove("chosen");
        if (row) row.classList.add("chosen");
}

function goTo(t) {
        state.mark = t;
        map.setTime(t);
        const half = Math.min(3, end / 2);
        desk.setWindow(t - half, t + half);
}

function goToRow(row, scroll) {
        const vehicle = +row.dataset.vehicle;
        if (data.vehicles[vehicle] && (state.shown.length > 1 || state.shown[0] !== vehicle)) show([vehicle]);
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

// The plots are of those vehicles.
function show(vehicles) {
        state.shown = vehicles;
        $("vehicle").value = vehicles.length > 1 ? "fleet" : String(vehicles[0]);
        map.redraw();
        space.follow(vehicles[0]);
        buildPlots();
}

const desk = timePlots.open({
        rows: (plot) => records.mergeRows(plot.series, end),
        labels: (plot) => plot.series.map((s) => s.label),
        strokes, underlay,
        range: (plot, range) => requirementBands.widen(range, plot.bands),
        read: (plot, t) => plot.series.map((s) => (t === null ? "" : digits(records.valueAt(s, t)))),
        moved: () => timeline.draw(),
        pointed: (t) => map.setTime(t),
        paper: [$("timeline")],
});
const chosen = (i) => { state.mark = null; choose(null); show([i]); };
const timeline = flightTimeline.open({ events: data.events, end, vehicles: () => state.shown, desk: () => desk, goTo, goToRow: (row) => goToRow(row, false) });
const space = flightSpace.open({ about: page.data.scene, vehicles: data.vehicles, events: data.events, table: tableOf, shown: () => state.shown });
const map = flightMap.open({ vehicles: data.vehicles, events: data.events, end, table: tableOf, shown: () => state.shown, role: roleOf, choose: chosen, moved: (t) => desk.point(t), timed: (t) => space.show(t) });
// For tests, which read what is drawn.
page.view = { desk, map, space, table: tableOf };
desk.end = desk.to = end;
// The whole flight has no moment marked.
document.querySelector('[data-do="all"]').addEventListener("click", () => { state.mark = null; choose(null); });

// Off it goes

if (data.vehicles.length > 0) {
        $("desk").hidden = false;
        if (fleet) $("vehicle").append(option(`worst, median and best by ${fleet.by}`, "fleet"));
        $("vehicle").append(...data.vehicles.map((v, i) => option(v.name, i)));
        $("vehicle").parentElement.hidden = data.vehicles.length < 2;
        $("vehicle").addEventListener("change", () => {
                state.mark = null;
                choose(null);
                show($("vehicle").value === "fleet" ? three : [+$("vehicle").value]);
        });
        const worst = document.querySelector(".requirements .failed[data-at-us]");
        if (worst && data.first === undefined) {
                // A failed flight opens with its first failure marked, but whole.
                state.mark = worst.dataset.atUs / 1e6;
                choose(worst);
                show([data.vehicles[+worst.dataset.vehicle] ? +worst.dataset.vehicle : 0]);
        } else show(data.vehicles[data.first] ? [data.first] : state.shown);
} else {
        $("plots").append(make("p", "", "The log holds nothing to plot."));
        document.documentElement.dataset.ready = "true";
}
})();
