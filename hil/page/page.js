// The sections of a page, with tables and drawings, and its colours. Everything that comes from a
// file goes into the page as text, never as HTML.
const page = (function () {
const data = JSON.parse(document.getElementById("data").textContent);
const root = document.documentElement;
const $ = (id) => document.getElementById(id);
const signs = { passed: "✓", failed: "✗", void: "?", error: "!" };

function make(tag, className, text) {
        const e = document.createElement(tag);
        if (className) e.className = className;
        if (text !== undefined) e.textContent = text;
        return e;
}

function option(text, value) {
        const e = make("option", "", text);
        e.value = String(value);
        return e;
}

function colour(name) {
        return getComputedStyle(root).getPropertyValue("--" + name).trim();
}

function digits(x) {
        if (!Number.isFinite(x)) return "–";
        const size = Math.abs(x);
        return size >= 1000 ? x.toFixed(0) : size >= 100 ? x.toFixed(1) : size >= 1 || size === 0 ? x.toFixed(2) : x.toPrecision(3);
}

// Drawings

const { draw, picture } = drawing;

function histogram(h) {
        const figure = make("figure"), caption = make("figcaption");
        caption.append(make("b", "", h.name), `: ${h.text}; samples over how long it took`);
        // What the log holds can be less than what was counted: of several commands in one period, as after a stall, it
        // keeps the newest.
        if (h.counted > h.count) caption.append(`. ${h.count} of ${h.counted} samples: the log keeps the newest of a period, the table and the dashed lines count all`);
        figure.append(caption);
        drawing.histogram(figure, h, innerWidth - 70);
        return figure;
}

// Values and differences of pairs, each with its scale below.
function scale(values) {
        const low = Math.min(...values), high = Math.max(...values);
        const at = (v) => 6 + 228 * (high > low ? Math.min(Math.max((v - low) / (high - low), 0), 1) : 0.5);
        const put = (svg, signed) => {
                const text = (v) => (signed && v > 0 ? "+" : "") + +v.toPrecision(4);
                if (!Number.isFinite(low)) return;
                draw(svg, "text", { x: 6, y: 52 }, text(low));
                draw(svg, "text", { x: 234, y: 52, "text-anchor": "end" }, text(high));
        };
        return { at, put };
}

function drawValues(parent, d) {
        const svg = picture(parent, 240, 56, "baseline above, candidate below"), known = (v) => v !== null;
        const { at, put } = scale(d.a.flatMap((a, i) => (known(a) && known(d.b[i]) ? [a, d.b[i]] : [])));
        [d.a, d.b].forEach((values, s) => {
                const y = 12 + 18 * s, role = "ab"[s];
                values.forEach((v, i) => { if (known(v)) draw(svg, "circle", { class: role, cx: at(v), cy: y + 1.5 * (i % 3 - 1), r: 2.2 }); });
                if (known(d.mean[s])) draw(svg, "line", { class: role, x1: at(d.mean[s]), x2: at(d.mean[s]), y1: y - 6, y2: y + 6 });
        });
        put(svg, false);
}

// Differences, zero, the band in which they are the same, and the interval.
function drawDifferences(parent, d) {
        const svg = picture(parent, 240, 56, "candidate less baseline, each pair");
        const values = d.a.flatMap((a, i) => (a !== null && d.b[i] !== null ? [d.b[i] - a] : []));
        const { at, put } = scale([-d.margin, d.margin, ...values]), [low, estimate, high] = d.shift;
        draw(svg, "rect", { class: "band", x: at(-d.margin), y: 4, width: at(d.margin) - at(-d.margin), height: 34 });
        draw(svg, "line", { class: "zero", x1: at(0), x2: at(0), y1: 4, y2: 38 });
        values.forEach((v, i) => draw(svg, "circle", { class: "b", cx: at(v), cy: 14 + 2 * (i % 4), r: 2.2 }));
        if (low !== null && high !== null) {
                draw(svg, "line", { class: "interval", x1: at(low), x2: at(high), y1: 32, y2: 32 });
                draw(svg, "circle", { class: "interval", cx: at(estimate), cy: 32, r: 3 });
        }
        put(svg, true);
}

// A row along releases: the range of its flights, its level, and where that changes.
function drawTrend(parent, t) {
        const width = 560, height = 96, left = 62, right = 8, top = 8, base = 74;
        const svg = picture(parent, width, height, t.words), known = (v) => v !== null;
        const values = [...t.least, ...t.most, ...t.level].filter(known), low = Math.min(...values), high = Math.max(...values);
        const x = (i) => left + (width - left - right) * (t.names.length > 1 ? i / (t.names.length - 1) : 0.5);
        const y = (v) => (high > low ? base - (base - top) * (v - low) / (high - low) : (base + top) / 2);
        const label = (at, v) => draw(svg, "text", { x: left - 6, y: at + 4, "text-anchor": "end" }, String(+v.toPrecision(4)));
        draw(svg, "line", { class: "frame", x1: left, x2: width - right, y1: base + 4, y2: base + 4 });
        label(y(low), low);
        if (high > low) for (const v of [high, (low + high) / 2]) label(y(v), v);
        t.names.forEach((name, i) => {
                if (!known(t.level[i])) return;
                draw(svg, "line", { class: "range", x1: x(i), x2: x(i), y1: y(t.least[i]), y2: y(t.most[i]) });
                draw(draw(svg, "circle", { class: "level", cx: x(i), cy: y(t.level[i]), r: 2.6 }), "title", {}, `${name}: ${digits(t.level[i])} ${t.unit}`);
        });
        const steps = [0, ...t.changes.map((c) => c.at), t.names.length];
        steps.slice(1).forEach((end, k) => {
                const change = t.changes[k], level = t.changes.length === 0 ? null : k === 0 ? t.changes[0].from : t.changes[k - 1].to;
                if (known(level)) draw(svg, "line", { class: "step", x1: x(steps[k]), x2: x(end - 1), y1: y(level), y2: y(level) });
                if (!change) return;
                const at = (x(change.at) + x(change.at - 1)) / 2;
                draw(draw(svg, "line", { class: "turn " + change.turn, x1: at, x2: at, y1: top - 6, y2: base + 8 }), "title", {}, `${change.turn} from ${change.release} on`);
        });
        draw(svg, "text", { x: left, y: height - 4 }, t.names[0]);
        draw(svg, "text", { x: width - right, y: height - 4, "text-anchor": "end" }, t.names[t.names.length - 1]);
}

// Tables

function link(item) {
        const a = make(item.href ? "a" : "span", "", item.text);
        if (item.href) a.href = item.href;
        return a;
}

function fill(td, cell, mark, row) {
        if (Array.isArray(cell)) {
                for (const item of cell) {
                        const span = make("span", item.tone, item.before);
                        span.title = item.title;
                        span.append(link(item), item.after || "");
                        td.append(span, " ");
                }
        } else if (typeof cell === "object" && cell.trend) {
                drawTrend(td, cell.trend);
        } else if (typeof cell === "object" && cell.tone) {
                td.append(make("span", "badge " + cell.tone, `${cell.before || signs[cell.tone]} ${cell.text}`));
                if (cell.title) td.title = cell.title;
        } else if (typeof cell === "object") {
                td.append(link(cell));
                const asks = make("div", "asks");
                for (const [key, text] of cell.asks || []) {
                        const ask = make("span", "asked");
                        ask.append(make("b", "", key), " " + text);
                        asks.append(ask, " ");
                }
                if (cell.asks) td.append(asks);
        } else if (mark === "@" && row.at_us !== undefined) {
                const jump = make("button", "jump", cell);
                jump.type = "button";
                td.append(jump);
        } else {
                td.textContent = cell;
        }
}

function addRow(body, row, heads, marks) {
        const tr = make("tr", row.tone);
        if (row.at_us !== undefined) tr.dataset.atUs = row.at_us;
        if (row.vehicle !== undefined) tr.dataset.vehicle = row.vehicle;
        row.cells.forEach((cell, i) => {
                const td = make(marks[i] === "*" ? "th" : "td", { "#": "number", "@": "when" }[marks[i]]);
                if (marks[i] === "*") td.scope = "row";
                if (marks[i] === "#") td.dataset.head = heads[i];
                fill(td, cell, marks[i], row);
                tr.append(td);
        });
        body.append(tr);
        if (row.note === undefined) return;
        // Drawings and note have a row of their own below the numbers, and wrap there.
        const below = make("tr", "below"), td = make("td"), side = make("div", "side");
        tr.classList.add("above");
        td.colSpan = heads.length;
        if (row.drawing) {
                drawValues(side, row.drawing);
                drawDifferences(side, row.drawing);
        }
        side.append(make("div", "words", row.note));
        td.append(side);
        below.append(td);
        body.append(below);
}

function table(t) {
        const e = make("table", t.look), head = make("thead"), body = make("tbody"), tr = make("tr");
        const heads = t.columns.map((c) => c.replace(/^[#*@]/, "")), marks = t.columns.map((c) => c[0]);
        heads.forEach((text, i) => {
                const th = make("th", marks[i] === "#" ? "number" : "", text);
                th.scope = "col";
                tr.append(th);
        });
        head.append(tr);
        if (heads.some(Boolean)) e.append(head);
        for (const row of t.rows) addRow(body, row, heads, marks);
        e.append(body);
        const scroll = make("div", "scroll");
        scroll.append(e);
        return scroll;
}

// Sections

function part(p) {
        if (p.kind === "table") return table(p);
        if (p.kind === "histogram") return histogram(p);
        if (p.kind === "plots") return $("window_of_plots").content.cloneNode(true);
        if (p.kind === "map") return $("view_from_above").content.cloneNode(true);
        if (p.kind === "pair") return $("view_of_pair").content.cloneNode(true);
        if (p.kind === "code") return make("pre", "", p.text);
        if (p.kind !== "fold") return make("p", p.kind, p.text);
        const fold = make("details");
        fold.append(make("summary", "", p.text), ...p.parts.map(part));
        return fold;
}

function section(s) {
        const e = make("section"), a = make("a", "", s.title);
        e.id = s.id;
        a.href = "#" + e.id;
        $("theme").before(a);
        e.append(make("h2", "", s.title), ...s.parts.map(part));
        return e;
}

const shown = sectionsOf(data);
const figures = make("dl", "figures");
for (const [label, text] of shown.figures) {
        const figure = make("div");
        figure.append(make("dt", "", label), make("dd", "", text));
        figures.append(figure);
}
if (shown.figures.length > 0) $("verdict").append(figures);
$("main").replaceChildren(...shown.sections.map(section));

// Colours

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const listeners = [];
const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);

function recolour() {
        $("theme").textContent = isDark() ? "Light" : "Dark";
        for (const listener of listeners) listener();
}

try {
        const kept = localStorage.getItem("hilrig-theme");
        if (kept === "dark" || kept === "light") root.dataset.theme = kept;
} catch (e) { delete root.dataset.theme; }

dark.addEventListener("change", recolour);
$("theme").hidden = false;
$("theme").addEventListener("click", () => {
        root.dataset.theme = isDark() ? "light" : "dark";
        // From disk some browsers keep nothing: then the choice lasts as long as the page.
        try { localStorage.setItem("hilrig-theme", root.dataset.theme); } catch (e) { /* It does. */ }
        recolour();
});
recolour();
if (!data.plots) root.dataset.ready = "true";
return { data, make, draw, option, colour, digits, isDark, signs, recolours: listeners };
})();
