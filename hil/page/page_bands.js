// What is required of a signal, below the curve of it: its window of time, the values that it must keep to or reach there, and what
// became of it. scene: requirements and ground; colour(name) of the style; became(requirement): { tone, sign }, as it stands.

function RequirementBands(scene, colour, became) {
const tones = { passed: "pass", failed: "fail", void: "void" };

// "always[14, 32] abs(altitude_m - 5) < 1" and simpler ones say the same as a range; any other formula has no band.
function rangeOf(q) {
        if (q.form !== "formula") return q;
        const number = "([-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:e[-+]?\\d+)?)", [, form, from, to, body] = q.text.match(/^\s*\(?\s*(always|eventually)\s*(?:\[\s*([\d.]+)\s*,\s*([\d.]+|end)\s*\])?\s*(.*?)\s*$/) || [];
        if (!form) return q;
        const range = { ...q, form, from_s: +(from || 0), to_s: to === undefined || to === "end" ? Infinity : +to };
        const [, signal, way, bound] = body.match(new RegExp(`^\\(?\\s*(\\w+)\\s*([<>])=?\\s*${number}\\s*\\)?$`)) || [];
        if (signal) return { ...range, text: signal, [way === "<" ? "max" : "min"]: +bound };
        const [, inner, sign, middle, half] = body.match(new RegExp(`^\\(?\\s*abs\\(\\s*(\\w+)\\s*(?:([-+])\\s*${number})?\\s*\\)\\s*<=?\\s*${number}\\s*\\)?$`)) || [];
        if (!inner) return q;
        const at = (sign === "+" ? -1 : 1) * +(middle || 0);
        return { ...range, text: inner, min: at - +half, max: at + +half };
}

const ranges = scene.requirements.map(rangeOf);

// Those of the vehicles that a plot shows. A plot's asks: the names of its signals, or a pattern of them; from: what they count from.
function of(plot, vehicles) {
        const asks = (text) => (plot.asks instanceof RegExp ? plot.asks.test(text) : [].concat(plot.asks || []).includes(text));
        return ranges.filter((q) => asks(q.text) && q.from_s !== undefined && vehicles.includes(q.vehicle)).map((q) => {
                const up = plot.above ? -scene.ground_down_m : 0;
                return { ...q, ...became(q), min: q.min === undefined ? -Infinity : q.min + up, max: q.max === undefined ? Infinity : q.max + up, bounded: q.min !== undefined || q.max !== undefined };
        });
}

// Bounds are in sight if they are not further from the values than these span.
function widen([low, high], bands) {
        const span = high - low, seen = [low, high];
        for (const b of bands) for (const bound of [b.min, b.max]) if (Number.isFinite(bound) && bound > low - span && bound < high + span) seen.push(bound - 0.06 * span, bound + 0.06 * span);
        return [Math.min(...seen), Math.max(...seen)];
}

function draw(context, area, g, bands) {
        const bottom = area.y + area.h, within = (y) => Math.min(Math.max(y, area.y), bottom), rows = [];
        for (const b of bands) {
                const left = Math.max(g.toDomXCoord(b.from_s), area.x), right = Math.min(b.to_s === Infinity ? area.x + area.w : g.toDomXCoord(b.to_s), area.x + area.w);
                if (right <= left) continue;
                const top = b.max === Infinity ? area.y : within(g.toDomYCoord(b.max)), low = b.min === -Infinity ? bottom : within(g.toDomYCoord(b.min)), tint = colour(tones[b.tone]);
                context.fillStyle = context.strokeStyle = tint;
                if (b.bounded) {
                        context.globalAlpha = 0.11;
                        context.fillRect(left, top, right - left, Math.max(low - top, 0));
                }
                context.globalAlpha = 0.9;
                context.lineWidth = 1;
                context.setLineDash(b.form === "eventually" ? [2, 3] : [6, 3]);
                context.beginPath();
                for (const bound of [b.min, b.max]) {
                        const y = Number.isFinite(bound) ? g.toDomYCoord(bound) : NaN;
                        if (y >= area.y && y <= bottom) { context.moveTo(left, y); context.lineTo(right, y); }
                }
                // The window's ends; a metric's window alone has a line between them.
                for (const x of [left, right]) { context.moveTo(x, top); context.lineTo(x, b.bounded ? low : top + 6); }
                if (!b.bounded) { context.moveTo(left, top + 1); context.lineTo(right, top + 1); }
                context.stroke();
                context.setLineDash([]);
                write(context, area, rows, `${b.sign} ${b.name || b.text}`, left + 4, top + 11);
        }
        context.globalAlpha = 1;
}

// Names do not lie on each other; what finds no room stays out, as the table has it.
function write(context, area, rows, text, x, y) {
        context.font = "10.5px sans-serif";
        context.globalAlpha = 1;
        const wide = context.measureText(text).width;
        x = Math.max(Math.min(x, area.x + area.w - wide - 2), area.x);
        while (rows.some((r) => Math.abs(r.y - y) < 12 && x < r.x + r.wide && r.x < x + wide)) y += 12;
        if (y > area.y + area.h - 2) return;
        rows.push({ x, y, wide });
        context.fillText(text, x, y);
}

return { of, widen, draw };
}
