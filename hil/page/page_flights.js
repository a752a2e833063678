// The flights of a comparison over each other: a thin line for each run, a thick one for each side's median.

if (page.data.flights) (function () {
const data = page.data.flights;
const { make, colour, digits, option } = page;
const $ = (id) => document.getElementById(id);
const sides = [{ name: "baseline", role: "a" }, { name: "candidate", role: "b" }];

const plots = [
        { key: "up", name: "Up", unit: "m" },
        { key: "off_course", name: "Level distance from the position asked", unit: "m" },
        { key: "roll", name: "Roll", unit: "°" },
        { key: "pitch", name: "Pitch", unit: "°" },
        { key: "yaw", name: "Yaw", unit: "°" },
        { key: "roll_rate", name: "Roll rate, body", unit: "°/s" },
        { key: "pitch_rate", name: "Pitch rate, body", unit: "°/s" },
        { key: "yaw_rate", name: "Yaw rate, body", unit: "°/s" },
        { key: "motors", name: "Motor command, mean of the rotors", unit: "duty, 0 to 1" },
];

let group = data.groups[0];

// All lines of a plot, each with the times of its points within a stretch: a run has two of them, a median one.
function linesOf(both) {
        const lines = [];
        both.forEach((side, s) => {
                const alone = side.runs.length === 1;
                side.runs.forEach((values, i) => lines.push({ label: `${sides[s].name} ${i + 1}`, side: s, values, points: 2, thick: alone }));
        });
        both.forEach((side, s) => {
                if (side.median) lines.push({ label: `${sides[s].name}, median`, side: s, values: side.median, points: 1, thick: true });
        });
        return lines;
}

// Two rows a stretch for the runs, and one between them for the medians.
function rows(plot) {
        const all = [], stretches = Math.ceil(Math.max(...plot.lines.map((l) => l.values.length / l.points)));
        const medians = plot.lines.some((l) => l.points === 1);
        for (let i = 0; i < stretches; i++) {
                const row = (at, value) => all.push([(i + at) * group.point_s, ...plot.lines.map(value)]);
                row(0.25, (l) => (l.points === 2 ? l.values[2 * i] : null));
                if (medians) row(0.5, (l) => (l.points === 1 ? l.values[i] : null));
                row(0.75, (l) => (l.points === 2 ? l.values[2 * i + 1] : null));
        }
        return all;
}

function strokes(plot) {
        const strokes = {};
        for (const l of plot.lines)
                // Where both are the same the candidate's line has the baseline's for a rim.
                strokes[l.label] = { color: colour(sides[l.side].role + (l.thick ? "" : "-thin")), strokeWidth: !l.thick ? 0.9 : l.side === 0 ? 4 : 2 };
        return strokes;
}

// The thick line of a side, or the newest of it before t.
function valueAt(plot, side, t) {
        const line = plot.lines.find((l) => l.side === side && l.thick);
        if (!line) return NaN;
        let i = Math.min(Math.floor(t / group.point_s * line.points), line.values.length - 1);
        while (i >= 0 && line.values[i] === null) i--;
        return i >= 0 ? line.values[i] : NaN;
}

function read(plot, t) {
        if (t === null) return ["", "", ""];
        const [a, b] = [valueAt(plot, 0, t), valueAt(plot, 1, t)];
        return [digits(a), digits(b), digits(b - a)];
}

function words(plot) {
        return sides.map((side, s) => {
                let low = Infinity, high = -Infinity;
                for (const l of plot.lines)
                        if (l.side === s) for (const v of l.values) if (v !== null) { low = Math.min(low, v); high = Math.max(high, v); }
                return `${side.name} from ${digits(low)} to ${digits(high)}`;
        }).join("; ");
}

const desk = timePlots.open({
        rows, strokes, read,
        labels: (plot) => plot.lines.map((l) => l.label),
        moved: () => { $("window").textContent = desk.windowText(); },
        pointed: (t) => { if (pair) pair.setTime(t); },
});
const pair = page.data.pair && page.data.pair.scene ? flightPair.open({ moved: (t) => desk.point(t) }) : null;
// For tests, which read what is drawn.
page.view = { desk, pair };

function build() {
        const vehicle = group.vehicles[+$("vehicle").value] || group.vehicles[0];
        $("shown").textContent = shown();
        desk.clear();
        $("plots").replaceChildren();
        for (const definition of plots) {
                if (!vehicle[definition.key]) continue;
                const both = vehicle[definition.key].map((side) => ($("pairs").value === "worst" ? { runs: side.runs.slice(0, 1) } : side));
                const plot = { ...definition, lines: linesOf(both) };
                plot.keys = [...sides.map((s) => ({ label: s.name, role: s.role })), { label: "difference" }];
                plot.words = words(plot);
                desk.add($("plots"), plot);
        }
        desk.draw();
}

function shown() {
        const few = (x) => String(+x.toPrecision(3));
        return ($("pairs").value === "worst" ? `Drawn is the worst pair, ${group.worst}; all ${group.pairs} can be chosen above.` : group.pairs < group.of
                ? `${group.pairs} of ${group.of} pairs are drawn: those that fail in the candidate first.`
                : `${group.of === 1 ? "The only pair is" : `All ${group.of} pairs are`} drawn.`) +
                ` Of each ${few(group.point_s * 1000)} ms stand the least and the most of a run, so that no spike is lost; a median is that of the runs' means.` +
                (data.groups.length < data.all ? ` Of ${data.all} rigs and scenarios ${data.groups.length} are here.` : "");
}

function choose() {
        group = data.groups[+$("group").value];
        if (pair) pair.show(group.name === page.data.pair.group);
        $("vehicle").replaceChildren(...group.vehicles.map((_, i) => option(String(i), i)));
        $("vehicle").parentElement.hidden = group.vehicles.length < 2;
        desk.end = Math.max(group.end_s, 0.001);
        desk.from = 0;
        desk.to = desk.end;
        $("pairs").replaceChildren(...(group.worst ? [option(`the worst, ${group.worst}`, "worst")] : []), option(`all of ${group.pairs}`, "all"));
        $("pairs").parentElement.hidden = !group.worst;
        build();
}

$("desk").before(make("p", "note", "How the vehicles truly moved, and what the flight controllers asked of the motors; baseline orange, candidate blue. A thin line is a run, a thick one the median of its side's runs, or its only run."));
$("shown").after(...data.notes.map((note) => make("p", "note", note)));
$("plots").className = "two";
if (data.groups.length > 0) {
        $("group").append(...data.groups.map((g, i) => option(g.name, i)));
        $("group").value = String(Math.max(0, data.groups.findIndex((g) => g.name === data.first)));
        $("group").parentElement.hidden = data.groups.length < 2;
        $("group").addEventListener("change", choose);
        $("vehicle").addEventListener("change", build);
        $("pairs").addEventListener("change", build);
        $("desk").hidden = false;
        choose();
} else {
        $("plots").append(make("p", "", "No run has a log that could be drawn."));
        document.querySelector("p.screen").hidden = true;
        document.documentElement.dataset.ready = "true";
}
})();
