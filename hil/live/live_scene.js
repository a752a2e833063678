// The flight in perspective on a plain canvas, for every browser. North, east, down throughout; what is near is drawn last.
// The same words as a scene of WebGL would have: show(frame), camera(name), follow(index), resize(), dispose().

function PlainScene(container, scene) {
        const canvas = document.createElement("canvas"), c = canvas.getContext("2d");
        const trails = scene.vehicles.map(() => []), turned = scene.vehicles.map((v) => v.rotors.map(() => 0));
        const eye = { az: 0.5, el: 0.45, far: 9 }, above = { az: 0, el: Math.PI / 2 - 1e-3, far: 16 };
        const detail_max = 3000; // of triangles
        let chosen = 0, camera = "follow", last = null, target = scene.vehicles[0].start.slice(), w = 0, h = 0, colours = {};
        container.append(canvas);

        // Vectors, and q that turns from body to north, east, down.
        const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
        function turn(q, v) {
                const [s, x, y, z] = q, t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
                return [v[0] + s * t[0] + y * t[2] - z * t[1], v[1] + s * t[1] + z * t[0] - x * t[2], v[2] + s * t[2] + x * t[1] - y * t[0]];
        }

        const at = () => (camera === "top" ? above : eye);
        // [x, y, depth] on the canvas; null: behind the eye.
        function project(p) {
                const e = at(), n = p[0] - target[0], o = p[1] - target[1], up = target[2] - p[2];
                const right = -n * Math.sin(e.az) + o * Math.cos(e.az), on = n * Math.cos(e.az) + o * Math.sin(e.az);
                const depth = e.far + on * Math.cos(e.el) - up * Math.sin(e.el);
                if (depth < 0.3) return null;
                const k = 1.1 * Math.min(w, 1.6 * h) / depth;
                return [w / 2 + k * right, h / 2 - k * (on * Math.sin(e.el) + up * Math.cos(e.el)), depth, k];
        }

        function line(points, close, fill) {
                const on = points.map(project);
                if (on.some((p) => p === null)) return;
                c.beginPath();
                on.forEach((p, i) => (i ? c.lineTo(p[0], p[1]) : c.moveTo(p[0], p[1])));
                if (close) c.closePath();
                if (fill) c.fill();
                c.stroke();
        }

        const depthOf = (p) => (project(p) || [0, 0, 0])[2];

        function readColours() {
                const style = getComputedStyle(document.documentElement);
                for (const name of ["card", "grid", "rule", "soft", "ink", "estimate", "setpoint", "mark", "accent", "sensor", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"]) colours[name] = style.getPropertyValue("--" + name).trim();
        }

        function drawGround() {
                const far = at().far, step = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500].find((s) => 12 * s > far) || 1000, reach = 14;
                const n0 = Math.round(target[0] / step), e0 = Math.round(target[1] / step), d = scene.ground_down_m;
                c.lineWidth = 1;
                for (let i = -reach; i <= reach; i++)
                        for (let j = -reach; j < reach; j++) {
                                // Whole lines would end where one end is behind the eye.
                                c.strokeStyle = e0 + i === 0 ? colours.soft : colours.grid;
                                line([[(n0 + j) * step, (e0 + i) * step, d], [(n0 + j + 1) * step, (e0 + i) * step, d]]);
                                c.strokeStyle = n0 + i === 0 ? colours.soft : colours.grid;
                                line([[(n0 + i) * step, (e0 + j) * step, d], [(n0 + i) * step, (e0 + j + 1) * step, d]]);
                        }
                c.fillStyle = colours.soft;
                c.font = "12px sans-serif";
                c.fillText(`squares of ${step} m`, 8, h - 10);
        }

        const corners = [[1, 1, 1], [1, -1, 1], [-1, -1, 1], [-1, 1, 1], [1, 1, -1], [1, -1, -1], [-1, -1, -1], [-1, 1, -1]];
        const faces = [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];
        const place = (o, v) => add(o.p, turn(o.q, v));

        // Polygons of a solid, in the world.
        function facesOf(o) {
                if (o.shape === "triangle") return [[o.p, add(o.p, o.a), add(o.p, o.b)]];
                const half = o.size.map((s) => s / 2);
                if (o.shape === "cylinder") {
                        const rim = (z) => Array.from({ length: 20 }, (_, i) => place(o, [half[0] * Math.cos(i * Math.PI / 10), half[0] * Math.sin(i * Math.PI / 10), z]));
                        const low = rim(half[2]), high = rim(-half[2]);
                        return [high, low, ...low.map((p, i) => [p, low[(i + 1) % 20], high[(i + 1) % 20], high[i]])];
                }
                const at8 = corners.map((k) => place(o, [k[0] * half[0], k[1] * half[1], k[2] * half[2]]));
                return faces.map((f) => f.map((i) => at8[i]));
        }

        const solids = scene.obstacles.slice(0, detail_max).map((o) => (o.shape === "sphere" ? { o } : { o, faces: facesOf(o) }));

        function drawSolids() {
                const all = [];
                for (const s of solids)
                        if (s.faces) for (const f of s.faces) all.push({ f, depth: Math.max(...f.map(depthOf)) });
                        else all.push({ o: s.o, depth: depthOf(s.o.p) });
                all.sort((a, b) => b.depth - a.depth);
                c.strokeStyle = colours.soft;
                c.fillStyle = colours.rule;
                c.lineWidth = 0.6;
                c.globalAlpha = 0.6;
                for (const s of all) {
                        if (s.f) { line(s.f, true, true); continue; }
                        const p = project(s.o.p);
                        if (!p) continue;
                        c.beginPath(); c.arc(p[0], p[1], s.o.size[0] / 2 * p[3], 0, 7); c.fill(); c.stroke();
                }
                c.setLineDash([4, 3]);
                c.strokeStyle = colours.accent;
                for (const r of scene.regions) for (const f of facesOf({ ...r, shape: "box" })) line(f, true, false);
                c.setLineDash([]);
                c.globalAlpha = 1;
        }

        // Arms, hubs and the disks of the rotors, each with a blade that turns.
        function drawCraft(i, p, q, colour, ghost) {
                const rotors = scene.vehicles[i].rotors;
                c.strokeStyle = c.fillStyle = colour;
                c.lineWidth = ghost ? 1 : i === chosen ? 2.4 : 1.5;
                if (ghost) c.setLineDash([4, 3]);
                rotors.forEach((r, n) => {
                        const hub = add(p, turn(q, r.p)), disk = [];
                        line([p, hub]);
                        for (let k = 0; k < 14; k++) disk.push(add(hub, turn(q, [r.radius * Math.cos(k * Math.PI / 7), r.radius * Math.sin(k * Math.PI / 7), 0])));
                        c.globalAlpha = ghost ? 0.7 : 0.3;
                        line(disk, true, !ghost);
                        c.globalAlpha = 1;
                        if (ghost) return;
                        const a = turned[i][n], blade = [r.radius * Math.cos(a), r.radius * Math.sin(a), 0];
                        line([add(hub, turn(q, blade)), add(hub, turn(q, blade), -1)]);
                });
                // The nose.
                const reach = Math.max(0.1, ...rotors.map((r) => Math.hypot(...r.p)));
                line([p, add(p, turn(q, [1.3 * reach, 0, 0]))]);
                c.setLineDash([]);
        }

        function drawSonars(i, v) {
                c.strokeStyle = colours.sensor;
                c.lineWidth = 1;
                scene.vehicles[i].sonars.forEach((s, n) => {
                        const range = v.sonars[n];
                        if (range === null || range === undefined) return;
                        const from = add(v.p, turn(v.q, s.p)), to = turn(v.q, s.axis), hit = add(from, to, range), wide = range * Math.tan(Math.min(s.opening_rad, 2.8) / 2);
                        const side = Math.abs(to[2]) < 0.9 ? [to[1], -to[0], 0] : [1, 0, 0], size = Math.hypot(...side), a = side.map((x) => x / size);
                        const b = [to[1] * a[2] - to[2] * a[1], to[2] * a[0] - to[0] * a[2], to[0] * a[1] - to[1] * a[0]];
                        const rim = Array.from({ length: 16 }, (_, k) => add(add(hit, a, wide * Math.cos(k * Math.PI / 8)), b, wide * Math.sin(k * Math.PI / 8)));
                        line(rim, true);
                        for (let k = 0; k < 16; k += 4) line([from, rim[k]]);
                });
        }

        function drawSetpoint(to, colour) {
                const p = project(to);
                c.strokeStyle = colour;
                c.lineWidth = 1.5;
                if (p) { c.beginPath(); c.moveTo(p[0] - 7, p[1]); c.lineTo(p[0] + 7, p[1]); c.moveTo(p[0], p[1] - 7); c.lineTo(p[0], p[1] + 7); c.stroke(); }
                c.setLineDash([2, 4]);
                line([to, [to[0], to[1], scene.ground_down_m]]);
                c.setLineDash([]);
        }

        function drawTrail(trail, i) {
                c.strokeStyle = colours["c" + (1 + i % 8)];
                c.globalAlpha = i === chosen ? 0.8 : 0.35;
                c.lineWidth = i === chosen ? 1.8 : 1;
                c.beginPath();
                let on = false;
                for (const t of trail) {
                        const p = project(t.p);
                        if (p) { if (on) c.lineTo(p[0], p[1]); else c.moveTo(p[0], p[1]); }
                        on = Boolean(p);
                }
                c.stroke();
                c.globalAlpha = 1;
        }

        function drawVehicle(v, i) {
                const own = colours["c" + (1 + i % 8)], down = [v.p[0], v.p[1], scene.ground_down_m];
                c.strokeStyle = colours.soft;
                c.lineWidth = 1;
                line([v.p, down]);
                if (v.setpoint && (i === chosen || scene.vehicles.length <= 8)) drawSetpoint(v.setpoint, colours.setpoint);
                if (v.estimate && i === chosen) drawCraft(i, v.estimate.p, v.estimate.q, colours.estimate, true);
                if (i === chosen) drawSonars(i, v);
                drawCraft(i, v.p, v.q, own, false);
                const p = project(v.p);
                if (v.contact && p) { c.fillStyle = colours.mark; c.beginPath(); c.arc(p[0], p[1], 3, 0, 7); c.fill(); }
                if (p && (i === chosen || scene.vehicles.length <= 12)) { c.fillStyle = colours.ink; c.font = (i === chosen ? "bold " : "") + "12px sans-serif"; c.fillText(scene.vehicles[i].name, p[0] + 14, p[1] - 12); }
        }

        // North and the wind, in a corner.
        function drawRose() {
                const x = w - 44, y = 44, e = at(), wind = last ? last.wind : [0, 0, 0], speed = Math.hypot(wind[0], wind[1]);
                const arrow = (angle, size, colour, text) => {
                        const a = angle - e.az, dx = Math.sin(a) * size, dy = -Math.cos(a) * size;
                        c.strokeStyle = c.fillStyle = colour;
                        c.lineWidth = 2;
                        c.beginPath(); c.moveTo(x - dx / 2, y - dy / 2); c.lineTo(x + dx / 2, y + dy / 2); c.stroke();
                        c.beginPath(); c.arc(x + dx / 2, y + dy / 2, 3, 0, 7); c.fill();
                        c.fillText(text, x + dx / 2 + 4, y + dy / 2 + 4);
                };
                c.font = "12px sans-serif";
                arrow(0, 44, colours.soft, "N");
                if (speed > 0.05) { arrow(Math.atan2(wind[1], wind[0]), 36, colours.accent, ""); c.textAlign = "right"; c.fillText(`wind ${speed.toFixed(1)} m/s`, w - 8, 92); c.textAlign = "left"; }
        }

        function aim() {
                if (!last) return;
                if (camera === "follow") { target = last.vehicles[chosen].p.slice(); return; }
                let low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
                for (const v of last.vehicles) { low = low.map((x, k) => Math.min(x, v.p[k])); high = high.map((x, k) => Math.max(x, v.p[k])); }
                target = low.map((x, k) => (x + high[k]) / 2);
        }

        function draw() {
                const dense = window.devicePixelRatio || 1;
                [w, h] = [container.clientWidth, container.clientHeight];
                if (!w || !h) return;
                if (canvas.width !== Math.round(w * dense) || canvas.height !== Math.round(h * dense)) [canvas.width, canvas.height] = [Math.round(w * dense), Math.round(h * dense)];
                readColours();
                aim();
                c.setTransform(dense, 0, 0, dense, 0, 0);
                c.fillStyle = colours.card;
                c.fillRect(0, 0, w, h);
                drawGround();
                drawSolids();
                trails.forEach(drawTrail);
                if (last) last.vehicles.map((v, i) => ({ v, i, depth: depthOf(v.p) })).sort((a, b) => b.depth - a.depth).forEach((x) => drawVehicle(x.v, x.i));
                drawRose();
        }

        function note(frame) {
                frame.vehicles.forEach((v, i) => {
                        const trail = trails[i], before = trail[trail.length - 1];
                        if (before && before.t >= frame.time_s) trail.length = 0;
                        if (!before || Math.hypot(v.p[0] - before.p[0], v.p[1] - before.p[1], v.p[2] - before.p[2]) > 0.03) trail.push({ t: frame.time_s, p: v.p });
                        if (trail.length > 3000) trail.splice(0, 500);
                        // Slower than life: at 60 pictures a second nobody would see which way they turn.
                        v.rotors.forEach((speed, n) => { turned[i][n] += 0.003 * speed * scene.vehicles[i].rotors[n].direction; });
                });
        }

        // Fingers and mouse turn the eye, the wheel and two fingers change how far it is.
        const held = new Map();
        function grasp(e) { held.set(e.pointerId, [e.clientX, e.clientY]); canvas.setPointerCapture(e.pointerId); }
        function drag(e) {
                const from = held.get(e.pointerId);
                if (!from) return;
                const [dx, dy] = [e.clientX - from[0], e.clientY - from[1]], others = [...held].filter(([id]) => id !== e.pointerId);
                if (others.length) {
                        const o = others[0][1], was = Math.hypot(from[0] - o[0], from[1] - o[1]), is = Math.hypot(e.clientX - o[0], e.clientY - o[1]);
                        zoom(was / Math.max(is, 1));
                } else if (camera !== "top") {
                        eye.az -= 0.006 * dx;
                        eye.el = Math.max(0.02, Math.min(1.55, eye.el + 0.006 * dy));
                }
                held.set(e.pointerId, [e.clientX, e.clientY]);
                draw();
        }
        function zoom(by) { const e = at(); e.far = Math.max(1, Math.min(3000, e.far * by)); }
        canvas.addEventListener("pointerdown", grasp);
        canvas.addEventListener("pointermove", drag);
        for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (e) => held.delete(e.pointerId));
        canvas.addEventListener("wheel", (e) => { e.preventDefault(); zoom(e.deltaY > 0 ? 1.15 : 1 / 1.15); draw(); }, { passive: false });

        function begin() {
                // From far enough to see all of them.
                const spread = Math.max(...scene.vehicles.map((v) => Math.hypot(v.start[0] - scene.vehicles[0].start[0], v.start[1] - scene.vehicles[0].start[1])));
                above.far = Math.max(above.far, 2.4 * spread);
        }
        begin();
        return {
                show(frame) { last = frame; note(frame); draw(); },
                // All that were before, after a jump.
                history(frames) { for (const t of trails) t.length = 0; frames.forEach(note); },
                camera(name) {
                        camera = name;
                        if (name === "orbit") eye.far = Math.max(eye.far, above.far);
                        draw();
                },
                follow(index) { chosen = index; draw(); },
                zoom(by) { zoom(by); draw(); },
                turn(by) { eye.az += by; draw(); },
                // For tests: where a place of the world is drawn.
                project,
                resize: draw,
                dispose() { canvas.remove(); },
        };
}
