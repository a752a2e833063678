// Plots over time that share one window: they are drawn, zoomed, panned, read out and printed together.
// What they show is another script's.

const timePlots = (function () {
const { make, colour, isDark } = page;
const root = document.documentElement;
const $ = (id) => document.getElementById(id);
const shortest = 0.002;

// Records that were thinned out left gaps. A line over one that is wider would show values that are not in the log.
const gap_px = 3;
// Beside the plot, where the unit of time stands.
const right_px = 14;

function drawLine(context, points, apart_s, steps, dots) {
        const dot = (p) => { if (p) context.rect(p.canvasx - 1.2, p.canvasy - 1.2, 2.4, 2.4); };
        let before = null, joined = true;
        const line = new Path2D();
        context.beginPath();
        for (const p of points) {
                // Another series has a sample here; or this one has none.
                if (p.yval === null) continue;
                if (Number.isNaN(p.yval)) {
                        if (!joined) dot(before);
                        [before, joined] = [null, true];
                        continue;
                }
                const joins = before && (p.xval - before.xval <= apart_s || p.canvasx - before.canvasx <= gap_px || p.yval === before.yval);
                if (!joins) {
                        if (!joined) dot(before);
                        line.moveTo(p.canvasx, p.canvasy);
                } else {
                        if (steps) line.lineTo(p.canvasx, before.canvasy);
                        line.lineTo(p.canvasx, p.canvasy);
                }
                if (dots) dot(p);
                [before, joined] = [p, joins];
        }
        if (!joined) dot(before);
        context.fill();
        context.stroke(line);
}

function plotter(e) {
        const own = (name) => e.dygraph.getOption(name, e.setName), context = e.drawingContext;
        context.save();
        context.strokeStyle = context.fillStyle = e.color;
        context.lineWidth = e.strokeWidth;
        context.setLineDash(own("strokePattern") || []);
        drawLine(context, e.points, own("apart_s") || Infinity, own("stepPlot"), own("drawPoints"));
        context.restore();
}

// The least and the most of what is in the window, with a margin that does not go below a zero which nothing goes below.
function valueRange(rows, from, to) {
        let low = Infinity, high = -Infinity;
        const see = (v) => { if (v !== null && v < low) low = v; if (v !== null && v > high) high = v; };
        const first = rows.findIndex((row) => row[0] >= from);
        for (let i = Math.max(first, 0); i < rows.length && rows[i][0] <= to; i++)
                for (let c = 1; c < rows[i].length; c++) see(rows[i][c]);
        // A line through the window may have its ends outside.
        if (low > high) for (const row of rows) row.forEach((v, c) => { if (c > 0) see(v); });
        if (low > high) return [0, 1];
        const margin = 0.07 * (high - low || Math.abs(high) || 1);
        return [low >= 0 && low < margin ? -0.2 * margin : low - margin, high + margin];
}

// A script says:
//   rows(plot)       what dygraphs draws: [t, series 1, ...]
//   labels(plot)     of these series, each once
//   strokes(plot)    dygraphs' options for each, by label
//   read(plot, t)    a text for each of plot.keys at that time; t null: none is pointed at
//   underlay(..., plot)  drawn below the lines, as dygraphs hands it over; may be left out
//   range(plot, [low, high])  values that are in sight where the records span these; may be left out
//   moved()          called when the window or the layout changed
//   pointed(t)       called when somebody points at a time; may be left out
//   paper            what else is to be scaled to paper, as elements
// A plot has a name, a unit, keys [{ label, role, dashed }] and words for who cannot see it.
function open(shows) {
        const desk = { from: 0, to: 1, end: 1, plots: [] };
        const paper = shows.paper || [];
        let drawing = 0, resting = 0, building = 0;

        const look = (plot) => ({ series: shows.strokes(plot), gridLineColor: colour("grid"), axisLineColor: colour("rule") });

        const spanned = (plot) => valueRange(plot.rows, desk.from, desk.to);
        const seenNow = (plot) => ({ dateWindow: [desk.from, desk.to], valueRange: shows.range ? shows.range(plot, spanned(plot)) : spanned(plot) });

        function makeGraph(plot) {
                const few = (v) => (Math.abs(v) >= 1e5 ? v.toExponential(1) : String(+v.toPrecision(6)));
                plot.dirty = false;
                plot.rows = shows.rows(plot);
                plot.graph = new Dygraph(plot.box, plot.rows, {
                        labels: ["t", ...shows.labels(plot)],
                        ...seenNow(plot), plotter,
                        connectSeparatedPoints: true,
                        legend: "never", showLabelsOnHighlight: false, highlightCircleSize: 0,
                        interactionModel: {}, animatedZooms: false,
                        rightGap: right_px,
                        // So close that there are three at least: dygraphs' steps are up to 2.5 times as far apart.
                        axes: { x: { axisLabelFormatter: few, pixelsPerLabel: Math.min(70, Math.max(36, plot.box.clientWidth / 9)) }, y: { axisLabelWidth: 52, axisLabelFormatter: few, pixelsPerLabel: 16 } },
                        underlayCallback: shows.underlay ? (context, area, g) => shows.underlay(context, area, g, plot) : null,
                        ...look(plot),
                });
                plot.cursor = make("div", "cursor");
                plot.box.append(plot.cursor, make("span", "unit", "s"));
                listen(plot);
        }

        function freshen(plot) {
                if (!plot.graph) makeGraph(plot);
                else if (plot.dirty) plot.graph.updateOptions(seenNow(plot));
                plot.dirty = false;
        }

        const seen = "IntersectionObserver" in window && new IntersectionObserver((entries) => {
                for (const entry of entries) {
                        const plot = desk.plots.find((p) => p.box === entry.target);
                        if (!plot) continue;
                        plot.visible = entry.isIntersecting;
                        if (plot.visible) freshen(plot);
                }
        }, { rootMargin: "200px 0px" });

        function caption(plot) {
                const line = make("figcaption");
                line.append(make("span", "name", plot.name + (plot.unit ? ", " + plot.unit : "")));
                plot.reading = plot.keys.map((k) => {
                        const key = make("span", k.role ? "key" : "key bare"), stroke = make("i", k.dashed ? "dashed" : "");
                        const number = make("b");
                        if (k.role) {
                                stroke.style.borderTopColor = `var(--${k.role})`;
                                key.append(stroke);
                        }
                        key.append(k.label + " ", number);
                        line.append(key);
                        return number;
                });
                return line;
        }

        desk.add = function (section, plot) {
                const figure = make("figure", "plot");
                plot.visible = !seen;
                plot.box = make("div", "canvas");
                plot.box.setAttribute("role", "img");
                plot.box.setAttribute("aria-label", `${plot.name}${plot.unit ? " in " + plot.unit : ""} over time: ${plot.words}.`);
                figure.append(caption(plot), plot.box);
                section.append(figure);
                plot.figure = figure;
                desk.plots.push(plot);
                if (seen) seen.observe(plot.box);
        };

        desk.clear = function () {
                clearTimeout(building);
                for (const p of desk.plots) {
                        if (seen) seen.unobserve(p.box);
                        if (p.graph) p.graph.destroy();
                }
                desk.plots = [];
        };

        // Those in sight first; the rest when the browser has time.
        desk.draw = function next() {
                const plot = desk.plots.find((p) => !p.graph);
                if (!plot) {
                        root.dataset.ready = "true";
                        return;
                }
                makeGraph(plot);
                if (plot === desk.plots[0]) shows.moved();
                building = setTimeout(next, 0);
        };

        // The window of time

        desk.setWindow = function (from, to) {
                const span = Math.min(Math.max(to - from, shortest), desk.end);
                from = Math.min(Math.max(from, 0), desk.end - span);
                desk.from = from;
                desk.to = from + span;
                for (const p of desk.plots) p.dirty = true;
                if (drawing) return;
                drawing = requestAnimationFrame(() => {
                        drawing = 0;
                        for (const p of desk.plots) if (p.visible && p.graph) freshen(p);
                        shows.moved();
                });
                // The others once it rests: paper shows all of them.
                clearTimeout(resting);
                resting = setTimeout(function next() {
                        const plot = desk.plots.find((p) => p.graph && p.dirty);
                        if (!plot) return;
                        freshen(plot);
                        resting = setTimeout(next, 0);
                }, 400);
        };

        function zoom(factor, about = (desk.from + desk.to) / 2) {
                desk.setWindow(about - (about - desk.from) * factor, about + (desk.to - about) * factor);
        }

        function pan(seconds) {
                desk.setWindow(desk.from + seconds, desk.to + seconds);
        }

        const actions = {
                in: () => zoom(0.5),
                out: () => zoom(2),
                left: () => pan((desk.from - desk.to) / 3),
                right: () => pan((desk.to - desk.from) / 3),
                all: () => desk.setWindow(0, desk.end),
        };
        for (const b of document.querySelectorAll("[data-do]")) b.addEventListener("click", actions[b.dataset.do]);

        function hover(t) {
                const inside = t !== null && t >= desk.from && t <= desk.to;
                for (const p of desk.plots) {
                        if (!p.graph || !p.visible) continue;
                        p.cursor.style.display = inside ? "block" : "none";
                        if (inside) p.cursor.style.left = p.graph.toDomXCoord(t) + "px";
                        const texts = shows.read(p, inside ? t : null);
                        p.reading.forEach((number, i) => { number.textContent = texts[i]; });
                }
                $("window").textContent = t !== null ? `at ${t.toFixed(3)} s` : desk.windowText();
        }

        // Where the window of time is drawn as wide as all plots together.
        desk.strip = () => {
                const first = desk.plots.find((p) => p.graph), { x } = first ? first.graph.getArea() : { x: 0 };
                return { known: Boolean(first), x, w: $("plots").clientWidth - x - right_px };
        };

        desk.point = hover;
        const point = (t) => { hover(t); if (shows.pointed) shows.pointed(t); };

        desk.windowText = () => `${desk.from.toFixed(3)} to ${desk.to.toFixed(3)} s of ${desk.end.toFixed(3)} s`;

        // Mouse: drag selects, with Shift pans. Touch: one finger pans sideways, two pinch.
        function listen(plot) {
                const box = plot.box, fingers = new Map();
                let drag = null;
                const x = (e) => e.clientX - box.getBoundingClientRect().left;
                const time = (e) => plot.graph.toDataXCoord(x(e));
                const perPixel = () => (desk.to - desk.from) / plot.graph.getArea().w;

                box.addEventListener("pointerdown", (e) => {
                        if (e.button !== 0) return;
                        fingers.set(e.pointerId, e.clientX);
                        const moves = e.pointerType === "touch" || e.shiftKey;
                        drag = { start: x(e), t: time(e), moves };
                        if (!moves) {
                                box.setPointerCapture(e.pointerId);
                                drag.shade = make("div", "drag");
                                box.append(drag.shade);
                                e.preventDefault();
                        } else if (e.pointerType !== "touch") box.setPointerCapture(e.pointerId);
                });
                box.addEventListener("pointermove", (e) => {
                        const before = fingers.get(e.pointerId);
                        if (before === undefined || !drag) return point(time(e));
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
                                        desk.setWindow(Math.min(drag.t, time(e)), Math.max(drag.t, time(e)));
                        }
                        drag = null;
                };
                box.addEventListener("pointerup", over);
                box.addEventListener("pointercancel", over);
                box.addEventListener("pointerleave", () => hover(null));
                box.addEventListener("dblclick", () => desk.setWindow(0, desk.end));
                box.addEventListener("wheel", (e) => {
                        if (!e.ctrlKey && !e.shiftKey) return;
                        e.preventDefault();
                        if (e.ctrlKey) zoom(Math.exp(Math.max(-1, Math.min(1, e.deltaY / 200))), time(e));
                        else pan((e.deltaX + e.deltaY) * perPixel());
                }, { passive: false });
        }

        // Colours

        page.recolours.push(() => {
                for (const p of desk.plots) if (p.graph) p.graph.updateOptions(look(p));
        });

        // On paper: light, as wide as the paper. A canvas that is drawn anew now would come out empty, so
        // what is drawn is scaled and, if it is dark, inverted.
        let themeBefore;
        const onPaper = () => [...desk.plots.map((p) => p.box), ...paper];
        window.addEventListener("beforeprint", () => {
                const wide = 690;
                root.classList.toggle("inverted", isDark());
                themeBefore = root.dataset.theme;
                root.dataset.theme = "light";
                for (const e of onPaper()) {
                        const width = e.parentElement.clientWidth;
                        e.style.zoom = width > wide ? String(wide / width) : "";
                }
        });
        window.addEventListener("afterprint", () => {
                root.classList.remove("inverted");
                if (themeBefore) root.dataset.theme = themeBefore;
                else delete root.dataset.theme;
                for (const e of onPaper()) e.style.zoom = "";
        });

        let resizing = 0;
        window.addEventListener("resize", () => {
                cancelAnimationFrame(resizing);
                resizing = requestAnimationFrame(shows.moved);
        });
        return desk;
}

return { open };
})();
