// The flight from above on a canvas, where there is no scene in three dimensions: the same words as that.

function SceneAbove(container, scene) {
        const canvas = document.createElement("canvas");
        const trails = scene.vehicles.map(() => []);
        let chosen = 0, camera = "follow", last = null, wide_m = 12;
        container.append(canvas);
        const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

        function note(frame) {
                frame.vehicles.forEach((v, i) => {
                        const trail = trails[i], before = trail[trail.length - 1];
                        if (before && before.t >= frame.time_s) trail.length = 0;
                        if (!before || Math.hypot(v.p[0] - before.n, v.p[1] - before.e) > 0.02) trail.push({ t: frame.time_s, n: v.p[0], e: v.p[1] });
                        if (trail.length > 4000) trail.splice(0, 1000);
                });
        }

        function spread() {
                const to = camera === "follow" && last ? last.vehicles[chosen].p : null;
                if (to) return { n: to[0], e: to[1], m: wide_m };
                let n0 = Infinity, n1 = -Infinity, e0 = Infinity, e1 = -Infinity;
                const see = (n, e) => { n0 = Math.min(n0, n); n1 = Math.max(n1, n); e0 = Math.min(e0, e); e1 = Math.max(e1, e); };
                scene.vehicles.forEach((v) => see(v.start[0], v.start[1]));
                for (const t of trails) for (const p of t) see(p.n, p.e);
                return { n: (n0 + n1) / 2, e: (e0 + e1) / 2, m: Math.max(wide_m, 1.2 * (n1 - n0), 1.2 * (e1 - e0)) };
        }

        function draw() {
                const w = container.clientWidth, h = container.clientHeight, dense = window.devicePixelRatio || 1;
                if (!w || !h) return;
                if (canvas.width !== Math.round(w * dense) || canvas.height !== Math.round(h * dense)) { canvas.width = Math.round(w * dense); canvas.height = Math.round(h * dense); }
                const c = canvas.getContext("2d"), at = spread(), k = Math.min(w, h) / at.m;
                const x = (e) => w / 2 + (e - at.e) * k, y = (n) => h / 2 - (n - at.n) * k;
                c.setTransform(dense, 0, 0, dense, 0, 0);
                c.fillStyle = colour("card");
                c.fillRect(0, 0, w, h);
                drawGrid(c, w, h, at, k);
                for (const o of scene.obstacles) drawSolid(c, o, x, y, k);
                trails.forEach((trail, i) => drawTrail(c, trail, i, x, y));
                if (last) last.vehicles.forEach((v, i) => drawVehicle(c, v, i, x, y, k));
        }

        function drawGrid(c, w, h, at, k) {
                const step = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((s) => s * k >= 70) || 5000;
                c.strokeStyle = colour("grid");
                c.fillStyle = colour("soft");
                c.font = "11px sans-serif";
                c.lineWidth = 1;
                for (let e = Math.ceil((at.e - w / 2 / k) / step) * step; e < at.e + w / 2 / k; e += step) {
                        const px = w / 2 + (e - at.e) * k;
                        c.beginPath(); c.moveTo(px, 0); c.lineTo(px, h); c.stroke();
                        c.fillText(+e.toFixed(1) + " m east", px + 2, h - 4);
                }
                for (let n = Math.ceil((at.n - h / 2 / k) / step) * step; n < at.n + h / 2 / k; n += step) {
                        const py = h / 2 - (n - at.n) * k;
                        c.beginPath(); c.moveTo(0, py); c.lineTo(w, py); c.stroke();
                        c.fillText(+n.toFixed(1) + " m north", 3, py - 3);
                }
        }

        function drawSolid(c, o, x, y, k) {
                c.fillStyle = colour("soft");
                c.globalAlpha = 0.35;
                if (o.shape === "sphere" || o.shape === "cylinder") {
                        c.beginPath(); c.arc(x(o.p[1]), y(o.p[0]), o.size[0] / 2 * k, 0, 7); c.fill();
                } else if (o.shape === "box") {
                        const yaw = Math.atan2(2 * (o.q[0] * o.q[3] + o.q[1] * o.q[2]), 1 - 2 * (o.q[2] ** 2 + o.q[3] ** 2));
                        c.save(); c.translate(x(o.p[1]), y(o.p[0])); c.rotate(yaw);
                        c.fillRect(-o.size[1] / 2 * k, -o.size[0] / 2 * k, o.size[1] * k, o.size[0] * k);
                        c.restore();
                } else {
                        c.beginPath(); c.moveTo(x(o.p[1]), y(o.p[0]));
                        c.lineTo(x(o.p[1] + o.a[1]), y(o.p[0] + o.a[0]));
                        c.lineTo(x(o.p[1] + o.b[1]), y(o.p[0] + o.b[0]));
                        c.closePath(); c.fill();
                }
                c.globalAlpha = 1;
        }

        function drawTrail(c, trail, i, x, y) {
                if (trail.length < 2) return;
                c.strokeStyle = colour("c" + (1 + i % 8));
                c.globalAlpha = i === chosen ? 0.9 : 0.4;
                c.lineWidth = i === chosen ? 2 : 1;
                c.beginPath();
                trail.forEach((p, n) => (n ? c.lineTo(x(p.e), y(p.n)) : c.moveTo(x(p.e), y(p.n))));
                c.stroke();
                c.globalAlpha = 1;
        }

        function drawVehicle(c, v, i, x, y, k) {
                const yaw = Math.atan2(2 * (v.q[0] * v.q[3] + v.q[1] * v.q[2]), 1 - 2 * (v.q[2] ** 2 + v.q[3] ** 2));
                const own = colour("c" + (1 + i % 8)), size = Math.max(0.25 * k, 7);
                if (v.setpoint) {
                        c.strokeStyle = own;
                        c.beginPath(); c.moveTo(x(v.setpoint[1]) - 6, y(v.setpoint[0])); c.lineTo(x(v.setpoint[1]) + 6, y(v.setpoint[0]));
                        c.moveTo(x(v.setpoint[1]), y(v.setpoint[0]) - 6); c.lineTo(x(v.setpoint[1]), y(v.setpoint[0]) + 6); c.stroke();
                }
                if (v.estimate) {
                        c.strokeStyle = colour("estimate");
                        c.beginPath(); c.arc(x(v.estimate.p[1]), y(v.estimate.p[0]), size, 0, 7); c.stroke();
                }
                c.save();
                c.translate(x(v.p[1]), y(v.p[0]));
                c.rotate(yaw);
                c.fillStyle = own;
                c.beginPath(); c.moveTo(0, -1.4 * size); c.lineTo(0.8 * size, size); c.lineTo(-0.8 * size, size); c.closePath(); c.fill();
                c.restore();
                if (i === chosen) { c.fillStyle = colour("ink"); c.font = "12px sans-serif"; c.fillText(scene.vehicles[i].name, x(v.p[1]) + size + 3, y(v.p[0])); }
        }

        canvas.addEventListener("wheel", (e) => { e.preventDefault(); wide_m *= e.deltaY > 0 ? 1.2 : 1 / 1.2; draw(); }, { passive: false });
        return {
                // All that were before, after a jump.
                history(frames) { for (const t of trails) t.length = 0; for (const f of frames) note(f); },
                show(frame) { last = frame; note(frame); draw(); },
                camera(name) { camera = name; draw(); },
                follow(index) { chosen = index; draw(); },
                resize: draw,
                dispose() { canvas.remove(); },
        };
}
