// Curves over time: where the vehicle is, its attitude and its motors, and any quantity of the log that is asked for. Drawn by
// dygraphs a few times a second; the band of a requirement is drawn where its signal is.

const attitude = {
        roll: (q) => Math.atan2(2 * (q[0] * q[1] + q[2] * q[3]), 1 - 2 * (q[1] ** 2 + q[2] ** 2)) * 180 / Math.PI,
        pitch: (q) => Math.asin(Math.max(-1, Math.min(1, 2 * (q[0] * q[2] - q[3] * q[1])))) * 180 / Math.PI,
        yaw: (q) => Math.atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] ** 2 + q[3] ** 2)) * 180 / Math.PI,
        tilt: (q) => Math.acos(Math.max(-1, Math.min(1, 1 - 2 * (q[1] ** 2 + q[2] ** 2)))) * 180 / Math.PI,
};

function Curves(place, store, hooks) {
        const plots = [];
        let vehicle = 0, window_s = 30, cursor = null, dirty = true;
        const css = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
        const of = (f) => f.vehicles[vehicle];

        function place3(axis, sign) {
                return {
                        truth: (f) => sign * of(f).p[axis],
                        estimate: (f) => (of(f).estimate ? sign * of(f).estimate.p[axis] : null),
                        setpoint: (f) => (of(f).setpoint ? sign * of(f).setpoint[axis] : null),
                };
        }
        function angle(name) {
                return { truth: (f) => attitude[name](of(f).q), estimate: (f) => (of(f).estimate ? attitude[name](of(f).estimate.q) : null) };
        }
        const ground = () => (store.scene ? store.scene.ground_down_m : 0);

        function rotors(key) {
                const series = {};
                const count = store.scene.vehicles[vehicle].rotors.length;
                for (let i = 0; i < count; i++) series["rotor " + (i + 1)] = (f) => of(f)[key][i];
                return series;
        }

        // signal: what a requirement calls the same; from: what that counts from.
        const first = () => [
                { name: "North", unit: "m", series: place3(0, 1), signal: "north_m", from: () => 0 },
                { name: "East", unit: "m", series: place3(1, 1), signal: "east_m", from: () => 0 },
                { name: "Up", unit: "m", series: place3(2, -1), signal: "altitude_m", from: () => -ground() },
                { name: "Roll", unit: "deg", series: angle("roll"), signal: "roll_deg", from: () => 0 },
                { name: "Pitch", unit: "deg", series: angle("pitch"), signal: "pitch_deg", from: () => 0 },
                { name: "Yaw", unit: "deg", series: angle("yaw"), signal: "yaw_deg", from: () => 0 },
                { name: "Duty", unit: "0 to 1", series: rotors("motors") },
                { name: "Rotor speed", unit: "rad/s", series: rotors("rotors") },
        ];

        const role = { truth: ["truth", null], estimate: ["estimate", [5, 3]], setpoint: ["setpoint", [2, 3]] };

        function strokes(plot) {
                const all = {};
                Object.keys(plot.series).forEach((name, i) => {
                        const known = role[name];
                        all[name] = { color: css(known ? known[0] : "c" + (1 + i % 8)), strokePattern: known ? known[1] : null, strokeWidth: name === "truth" ? 1.6 : 1.2, connectSeparatedPoints: false };
                });
                return all;
        }

        function rows(plot) {
                const to = store.end_s(), from = window_s > 0 ? Math.max(0, shownEnd() - window_s) : 0;
                const names = Object.keys(plot.series), out = [];
                for (const f of store.frames) {
                        if (f.time_s < from) continue;
                        out.push([f.time_s, ...names.map((n) => { const v = plot.series[n](f); return v === undefined ? null : v; })]);
                }
                return out.length ? out : [[to, ...names.map(() => null)]];
        }

        const shownEnd = () => (cursor === null ? store.end_s() : Math.max(cursor, window_s > 0 ? Math.min(window_s, store.end_s()) : 0));

        // Of requirements that name this very signal: their bounds, in the colour of how they stand.
        function underlay(plot, context, area, graph) {
                if (cursor !== null) {
                        const x = graph.toDomXCoord(cursor);
                        context.fillStyle = css("soft");
                        if (x >= area.x && x <= area.x + area.w) context.fillRect(x, area.y, 1, area.h);
                }
                for (const r of store.scene.requirements) {
                        if (!plot.signal || r.text !== plot.signal || r.vehicle !== vehicle) continue;
                        const row = store.rows[r.id], state = row ? row.outcome : "open";
                        context.strokeStyle = css(state === "passed" ? "pass" : state === "failed" ? "fail" : "void");
                        context.setLineDash([6, 3]);
                        const x0 = Math.max(area.x, graph.toDomXCoord(r.from_s)), x1 = Math.min(area.x + area.w, graph.toDomXCoord(Math.min(r.to_s, 1e6)));
                        for (const bound of [r.min, r.max]) {
                                if (bound === undefined || x1 <= x0) continue;
                                const y = graph.toDomYCoord(bound + plot.from());
                                context.beginPath(); context.moveTo(x0, y); context.lineTo(x1, y); context.stroke();
                        }
                        context.setLineDash([]);
                }
        }

        function make(plot, removable) {
                const figure = document.createElement("figure"), caption = document.createElement("figcaption");
                figure.className = "plot";
                plot.box = document.createElement("div");
                plot.box.className = "canvas";
                plot.box.setAttribute("role", "img");
                plot.box.setAttribute("aria-label", plot.name + " in " + plot.unit + " over time in s");
                const name = document.createElement("span");
                name.className = "name";
                name.textContent = plot.name + (plot.unit ? ", " + plot.unit : "");
                caption.append(name);
                plot.keys = {};
                Object.keys(plot.series).forEach((label, i) => {
                        const key = document.createElement("span"), line = document.createElement("i"), value = document.createElement("b"), known = role[label];
                        key.className = "key";
                        line.style.borderTopColor = "var(--" + (known ? known[0] : "c" + (1 + i % 8)) + ")";
                        if (known && known[1]) line.className = "dashed";
                        key.append(line, label + " ", value);
                        caption.append(key);
                        plot.keys[label] = value;
                });
                if (removable) {
                        const gone = document.createElement("button");
                        gone.type = "button";
                        gone.textContent = "Remove";
                        gone.setAttribute("aria-label", "Remove " + plot.name);
                        gone.onclick = () => { remove(plot); hooks.asked(asked()); };
                        caption.append(gone);
                }
                figure.append(caption, plot.box);
                plot.figure = figure;
                place.append(figure);
                plots.push(plot);
                dirty = true;
        }

        function remove(plot) {
                if (plot.graph) plot.graph.destroy();
                plot.figure.remove();
                plots.splice(plots.indexOf(plot), 1);
        }

        function begin() {
                const kept = plots.filter((p) => p.quantity).map((p) => [p.quantity, p.unit]);
                while (plots.length) remove(plots[0]);
                for (const plot of first()) make(plot, false);
                for (const [quantity, unit] of kept) add(quantity, unit);
        }

        function add(quantity, unit) {
                if (plots.some((p) => p.quantity === quantity)) return;
                make({ name: quantity, unit, quantity, series: { value: (f) => (f.values ? f.values[quantity] : null) } }, true);
        }

        const asked = () => plots.filter((p) => p.quantity).map((p) => p.quantity);

        function seen(plot) {
                const box = plot.figure.getBoundingClientRect();
                return box.bottom > -100 && box.top < window.innerHeight + 100 && box.width > 0;
        }

        function draw() {
                if (!dirty || !store.scene) return;
                dirty = false;
                const end = Math.max(shownEnd(), 0.1), from = window_s > 0 ? Math.max(0, end - window_s) : 0;
                for (const plot of plots) {
                        if (!seen(plot)) continue;
                        const options = { file: rows(plot), dateWindow: [from, Math.max(end, from + 0.1)], series: strokes(plot) };
                        if (plot.graph) { plot.graph.updateOptions(options); continue; }
                        const unit = document.createElement("span");
                        unit.className = "unit";
                        unit.textContent = "s";
                        plot.graph = new Dygraph(plot.box, options.file, {
                                ...options, labels: ["t", ...Object.keys(plot.series)], legend: "never", showLabelsOnHighlight: false, highlightCircleSize: 0,
                                interactionModel: {}, animatedZooms: false, rightGap: 14, gridLineColor: css("grid"), axisLineColor: css("rule"),
                                axes: { x: { pixelsPerLabel: Math.min(60, Math.max(36, plot.box.clientWidth / 9)), axisLabelFormatter: (v) => String(+v.toPrecision(6)) }, y: { axisLabelWidth: 52, pixelsPerLabel: 12, axisLabelFormatter: (v) => String(+v.toPrecision(5)) } },
                                underlayCallback: (context, area, graph) => underlay(plot, context, area, graph),
                        });
                        plot.box.append(unit);
                }
        }

        function readOut(frame) {
                for (const plot of plots)
                        for (const label of Object.keys(plot.keys)) {
                                const v = frame ? plot.series[label](frame) : null;
                                plot.keys[label].textContent = v === null || v === undefined ? "–" : String(+v.toPrecision(5));
                        }
        }

        return {
                begin, add, asked, draw, readOut,
                touch() { dirty = true; },
                vehicle(i) { vehicle = i; if (store.scene) begin(); },
                window(s) { window_s = s; dirty = true; },
                cursor(t) { if (t !== cursor) { cursor = t; dirty = true; } },
                restyle() { for (const p of plots) if (p.graph) p.graph.updateOptions({ gridLineColor: css("grid"), axisLineColor: css("rule") }, true); dirty = true; },
        };
}
