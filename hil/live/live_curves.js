// Curves over time: where the vehicle is, its attitude and its motors, and any quantity of the log that is asked for. Drawn by
// dygraphs a few times a second; the band of a requirement is drawn where its signal is, as it stands.

const attitude = {
        roll: (q) => Math.atan2(2 * (q[0] * q[1] + q[2] * q[3]), 1 - 2 * (q[1] ** 2 + q[2] ** 2)) * 180 / Math.PI,
        pitch: (q) => Math.asin(Math.max(-1, Math.min(1, 2 * (q[0] * q[2] - q[3] * q[1])))) * 180 / Math.PI,
        yaw: (q) => Math.atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] ** 2 + q[3] ** 2)) * 180 / Math.PI,
        tilt: (q) => Math.acos(Math.max(-1, Math.min(1, 1 - 2 * (q[1] ** 2 + q[2] ** 2)))) * 180 / Math.PI,
};

function Curves(place, store, hooks) {
        const plots = [];
        const least = 0.02; // of what an axis spans, in m, deg, m/s, rad/s
        let vehicle = 0, window_s = 30, cursor = null, dirty = true, bands = null;
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

        function rotors(key) {
                const series = {};
                const count = store.scene.vehicles[vehicle].rotors.length;
                for (let i = 0; i < count; i++) series["rotor " + (i + 1)] = (f) => of(f)[key][i];
                return series;
        }

        // asks: what a requirement calls the same; above: it counts from the ground there.
        const first = () => [
                { name: "North", unit: "m", series: place3(0, 1), asks: "north_m" },
                { name: "East", unit: "m", series: place3(1, 1), asks: "east_m" },
                { name: "Up", unit: "m", series: place3(2, -1), asks: "altitude_m", above: true },
                { name: "Roll", unit: "deg", series: angle("roll"), asks: "roll_deg" },
                { name: "Pitch", unit: "deg", series: angle("pitch"), asks: "pitch_deg" },
                { name: "Yaw", unit: "deg", series: angle("yaw"), asks: "yaw_deg" },
                { name: "Tilt", unit: "deg", series: { truth: (f) => attitude.tilt(of(f).q) }, asks: "tilt_deg" },
                { name: "Speed", unit: "m/s", series: { truth: (f) => Math.hypot(...of(f).v) }, asks: "speed_mps" },
                { name: "Climb", unit: "m/s", series: { truth: (f) => -of(f).v[2] }, asks: "climb_mps" },
                { name: "Duty", unit: "0 to 1", series: rotors("motors"), asks: /^duty_\d+$/ },
                { name: "Rotor speed", unit: "rad/s", series: rotors("rotors"), asks: /^rotor_radps_\d+$/ },
        ];

        // Of quantities of the log, those that requirements call otherwise, and which are the same.
        const called = {
                "hilrig_tick.duty": "duty_", "hilrig_rotors.speed_radps": "rotor_radps_", "hilrig_tick.contact": "contact", "hilrig_tick.missed": "missed", "hilrig_surroundings.height_m": "height_m",
                "hilrig_surroundings.battery_v": "battery_v", "hilrig_surroundings.battery_a": "battery_a", "battery_status.voltage_v": "power_v", "battery_status.current_a": "power_a",
                "vehicle_local_position_groundtruth.x": "north_m", "vehicle_local_position_groundtruth.y": "east_m", "vehicle_local_position_groundtruth.vx": "vel_north_mps",
                "vehicle_local_position_groundtruth.vy": "vel_east_mps", "vehicle_local_position_groundtruth.vz": "vel_down_mps", "vehicle_gps_position.satellites_used": "gps_satellites",
                "vehicle_air_data.baro_pressure_pa": "baro_pa",
        };
        function asksOf(quantity) {
                const [, plain, element] = quantity.match(/^(?:v\d+\.)?(.*?)(?:\[(\d+)\])?$/);
                return called[plain] && called[plain] + (element || "");
        }
        const vehicleOf = (plot) => (plot.quantity ? +(plot.quantity.match(/^v(\d+)\./) || [0, 0])[1] : vehicle);
        const bandsOf = (plot) => (bands && plot.asks ? bands.of(plot, [vehicleOf(plot)]) : []);

        function bandsOfScene() {
                const tone = { passed: "passed", failed: "failed" }, sign = { passed: "✓", failed: "✗", "not judged": "∅" };
                return RequirementBands(store.scene, css, ({ id }) => {
                        const state = store.rows[id] ? store.rows[id].outcome : "open";
                        return { tone: tone[state] || "void", sign: sign[state] || "…" };
                });
        }

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

        function underlay(plot, context, area, graph) {
                context.save();
                context.beginPath();
                context.rect(area.x, area.y, area.w, area.h);
                context.clip();
                bands.draw(context, area, graph, bandsOf(plot));
                if (cursor !== null) {
                        const x = graph.toDomXCoord(cursor);
                        context.fillStyle = css("soft");
                        if (x >= area.x && x <= area.x + area.w) context.fillRect(x, area.y, 1, area.h);
                }
                context.restore();
        }

        // So that bounds that are near are in sight, and what stands still is no mountain of rounding errors; null: as dygraphs has it.
        function valueRange(plot, file) {
                const near = bandsOf(plot);
                let low = Infinity, high = -Infinity;
                for (const row of file) for (let k = 1; k < row.length; k++) if (Number.isFinite(row[k])) { low = Math.min(low, row[k]); high = Math.max(high, row[k]); }
                const still = !plot.quantity && high - low < least;
                if (low > high || !near.length && !still) return null;
                const span = still ? least : high - low || 1, middle = (low + high) / 2;
                return bands.widen([low >= 0 ? Math.max(middle - 0.55 * span, 0) : middle - 0.55 * span, middle + 0.55 * span], near);
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
                bands = bandsOfScene();
                for (const plot of first()) make(plot, false);
                for (const [quantity, unit] of kept) add(quantity, unit);
        }

        function add(quantity, unit) {
                if (plots.some((p) => p.quantity === quantity)) return;
                make({ name: quantity, unit, quantity, asks: asksOf(quantity), series: { value: (f) => (f.values ? f.values[quantity] : null) } }, true);
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
                        const file = rows(plot), options = { file, valueRange: valueRange(plot, file), dateWindow: [from, Math.max(end, from + 0.1)], series: strokes(plot) };
                        if (plot.graph) { plot.graph.updateOptions(options); continue; }
                        const unit = document.createElement("span");
                        unit.className = "unit";
                        unit.textContent = "s";
                        plot.graph = new Dygraph(plot.box, options.file, {
                                ...options, labels: ["t", ...Object.keys(plot.series)], legend: "never", showLabelsOnHighlight: false, highlightCircleSize: 0,
                                interactionModel: {}, animatedZooms: false, rightGap: 14, gridLineColor: css("grid"), axisLineColor: css("rule"),
                                axes: { x: { pixelsPerLabel: Math.min(60, Math.max(36, plot.box.clientWidth / 9)), axisLabelFormatter: (v) => String(+v.toPrecision(6)) }, y: { axisLabelWidth: 52, pixelsPerLabel: Math.max(12, plot.box.clientHeight / 9), axisLabelFormatter: (v) => String(+v.toPrecision(5)) } },
                                underlayCallback: (context, area, graph) => underlay(plot, context, area, graph),
                        });
                        plot.box.append(unit);
                }
        }

        function readOut(frame) {
                for (const plot of plots)
                        for (const label of Object.keys(plot.keys)) {
                                const v = frame ? plot.series[label](frame) : null;
                                plot.keys[label].textContent = v === null || v === undefined ? "–" : !plot.quantity && Math.abs(v) < 1e-9 ? "0" : String(+v.toPrecision(5));
                        }
        }

        return {
                begin, add, asked, draw, readOut,
                touch() { dirty = true; },
                vehicle(i) { vehicle = i; if (store.scene) begin(); },
                window(s) { window_s = s; dirty = true; },
                cursor(t) { if (t !== cursor) { cursor = t; dirty = true; } },
                // For tests: a plot, and what is required of its signal.
                drawn(name) { const plot = plots.find((p) => p.name === name); return { graph: plot.graph, bands: bandsOf(plot) }; },
                restyle() { for (const p of plots) if (p.graph) p.graph.updateOptions({ gridLineColor: css("grid"), axisLineColor: css("rule") }, true); dirty = true; },
        };
}
