// What is drawn as SVG on reports and on the live page alike.

const drawing = (function () {
// No address stands in a page, not even this one.
const space = Object.assign(document.createElement("div"), { innerHTML: "<svg></svg>" }).firstChild.namespaceURI;

function draw(parent, tag, attributes, text) {
        const e = document.createElementNS(space, tag);
        for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, typeof value === "number" ? value.toFixed(1) : value);
        if (text !== undefined) e.textContent = text;
        parent.append(e);
        return e;
}

function picture(parent, width, height, words) {
        return draw(parent, "svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words });
}

function timeText(ns) {
        const [size, unit] = ns < 1e3 ? [1, "ns"] : ns < 1e6 ? [1e3, "µs"] : ns < 1e9 ? [1e6, "ms"] : [1e9, "s"];
        return `${+(ns / size).toPrecision(4)} ${unit}`;
}

// What a logarithmic axis is labelled with: three values at least, about so many at most.
function decades(low, high, most) {
        const count = Math.round(Math.log10(high / low)), step = Math.ceil((count + 1) / most), parts = count < 2 ? [1, 2, 5] : [1];
        const all = [];
        for (let i = 0; i <= count; i += step) for (const part of parts) if (part * low * 10 ** i <= high * 1.01) all.push(part * low * 10 ** i);
        return all;
}

// Over logarithmic axes, so that a single late one among millions is seen. h: name, count, max_us, bins: [from, to, samples] in ns,
// quantiles: [name, us]; room: of the page, in pixels, that its words may be read on a small one.
function histogram(parent, h, room) {
        const width = Math.max(320, Math.min(720, room)), height = 170, left = 50, right = width - 26, base = height - 24, top = 18;
        const svg = picture(parent, width, height, `Histogram of the ${h.name.toLowerCase()} latency: ${h.count} samples, the largest ${h.max_us.toFixed(1)} microseconds`);
        const quantiles = h.quantiles.filter(([, us]) => us > 0);
        const low = 10 ** Math.floor(Math.log10(h.bins[0][0]) + 1e-9);
        const last = Math.max(h.bins[h.bins.length - 1][1], ...quantiles.map(([, us]) => 1050 * us));
        const high = 10 ** Math.ceil(Math.log10(Math.min(last, 1e12)) - 1e-9);
        const most = 10 ** Math.max(1, Math.ceil(Math.log10(Math.max(...h.bins.map((b) => b[2]))) - 1e-9));
        const x = (ns) => left + (right - left) * Math.min(Math.max(Math.log10(ns / low) / Math.log10(high / low), 0), 1);
        // One sample stands a little above nothing, so that it shows.
        const y = (n) => base - (base - top) * Math.max((Math.log10(n) + 0.3) / (Math.log10(most) + 0.3), 0);
        const line = (className, x1, x2, y1, y2) => draw(svg, "line", { class: className, x1, x2, y1, y2 });
        for (const ns of decades(low, high, Math.min(7, width / 62))) {
                line("grid", x(ns), x(ns), top, base);
                draw(svg, "text", { x: x(ns), y: height - 6, "text-anchor": "middle" }, timeText(ns));
        }
        for (const n of decades(1, most, 7)) {
                line("grid", left, right, y(n), y(n));
                draw(svg, "text", { x: left - 5, y: y(n) + 4, "text-anchor": "end" }, String(n));
        }
        for (const [from, to, n] of h.bins) draw(svg, "rect", { class: "bars", x: x(from), y: y(n), width: Math.max(x(to) - x(from) - 0.6, 0.5), height: base - y(n) });
        let before = -99;
        for (const [name, us] of quantiles) {
                const at = x(us * 1e3);
                line("quantile", at, at, top - 4, base);
                // Words that would lie on each other stay out: the table has them.
                if (at - before <= 34) continue;
                draw(svg, "text", { x: at, y: top - 6, "text-anchor": "middle" }, name);
                before = at;
        }
}

return { draw, picture, histogram };
})();
