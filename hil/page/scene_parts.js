// Parts of a scene: its colours, the world that does not change, marks, words over it, hands on it.

// One for each place in the page, for as long as that is there: browsers have few contexts, and losing one is not free.
const sceneDrawings = new WeakMap();
function sceneDrawing(container) {
        if (!sceneDrawings.has(container)) {
                const canvas = document.createElement("canvas");
                const context = canvas.getContext("webgl", { alpha: false, antialias: true, depth: true, preserveDrawingBuffer: true });
                if (!context) throw new Error("There is no WebGL.");
                sceneDrawings.set(container, new THREE.WebGLRenderer({ canvas, context }));
        }
        return sceneDrawings.get(container);
}

// Who has asked the system for less motion sees no rotors turn, and nothing play by itself.
const sceneCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Colours are those of the page, light or dark, by the names of its style.
function scenePainter(world) {
        const repaint = [];
        const css = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
        function keep(colour, name) {
                const set = () => colour.set(css(name));
                set();
                repaint.push(set);
                return colour;
        }
        function paint(Kind, name, more) {
                const material = new Kind({ fog: false, ...more });
                keep(material.color, name);
                return material;
        }
        return {
                tint: (name) => keep(new THREE.Color(), name),
                paint,
                glass: (name, opacity, more) => paint(THREE.MeshBasicMaterial, name, { transparent: true, opacity, depthWrite: false, side: THREE.DoubleSide, ...more }),
                own: (index) => "c" + (1 + index % 8),
                put(parent, object, order = 0) {
                        object.renderOrder = order;
                        parent.add(object);
                        return object;
                },
                restyle() { for (const set of repaint) set(); },
        };
}

function drawSceneWorld(world, about, { paint, glass, put }) {
        const shapes = sceneShapes, sun = put(world, new THREE.DirectionalLight(0xffffff, 0.45));
        sun.position.set(-0.6, 0.5, -1);
        put(world, new THREE.HemisphereLight(0xffffff, 0x8a8a8a, 0.75)).position.set(0, 0, -1);
        if (about.obstacles.length > 0) {
                const { faces, edges } = shapes.solids(about.obstacles);
                put(world, new THREE.Mesh(faces, paint(THREE.MeshLambertMaterial, "soft", { transparent: true, opacity: 0.35, depthWrite: false, side: THREE.DoubleSide })), -1);
                put(world, new THREE.LineSegments(edges, paint(THREE.LineBasicMaterial, "soft")));
        }
        if (about.triangles.length > 0)
                put(world, new THREE.Mesh(shapes.mesh(about.triangles), paint(THREE.MeshLambertMaterial, "soft", { transparent: true, opacity: 0.75, side: THREE.DoubleSide })), -1);
        for (const r of about.regions) {
                const box = shapes.unit.box(), at = shapes.matrixOf(r.p, r.q, r.size);
                put(world, new THREE.Mesh(box.clone().applyMatrix(at), glass("accent", 0.06)), 1);
                put(world, new THREE.LineSegments(new THREE.EdgesGeometry(box).applyMatrix(at), paint(THREE.LineBasicMaterial, "accent")));
                if (Math.hypot(...r.wind) > 0) shapes.point(put(world, new THREE.Mesh(shapes.arrow(), glass("accent", 0.7)), 1), r.p, r.wind, 0.5 * Math.min(...r.size));
        }
}

// Where something was hit; what is yet to come is faint.
function sceneMarks(world, { paint, put }) {
        const star = document.createElement("canvas"), c = star.getContext("2d"), time = [];
        [star.width, star.height] = [32, 32];
        c.strokeStyle = "#fff";
        c.lineWidth = 5;
        for (let k = 0; k < 3; k++) {
                const [x, y] = [14 * Math.cos(k * Math.PI / 3), 14 * Math.sin(k * Math.PI / 3)];
                c.beginPath();
                c.moveTo(16 - x, 16 - y);
                c.lineTo(16 + x, 16 + y);
                c.stroke();
        }
        const texture = new THREE.CanvasTexture(star);
        const [past, future] = [1, 0.3].map((opacity) => {
                const points = put(world, new THREE.Points(sceneShapes.lines([]), paint(THREE.PointsMaterial, "mark", { map: texture, transparent: true, opacity, size: 17, sizeAttenuation: false, alphaTest: 0.05, depthTest: false })), 5);
                points.frustumCulled = false;
                return points;
        });
        return {
                set(list) {
                        const sorted = [...list].sort((a, b) => a.time_s - b.time_s);
                        time.splice(0, time.length, ...sorted.map((m) => m.time_s));
                        for (const p of [past, future]) {
                                p.geometry.dispose();
                                p.geometry = sceneShapes.lines(sorted.flatMap((m) => m.p));
                        }
                },
                show(t) {
                        const gone = time.filter((x) => x <= t).length;
                        past.geometry.setDrawRange(0, gone);
                        future.geometry.setDrawRange(gone, time.length - gone);
                        past.visible = gone > 0;
                        future.visible = gone < time.length;
                },
        };
}

// The sky above the origin as a receiver's maker draws it: the zenith in the middle, the horizon around, turned as the
// camera is. A dot is used by the receiver of the one that is followed, a ring only stands there.
function sceneSky(skies) {
        const space = "http://www.w3.org/2000/svg", plot = document.createElementNS(space, "svg"), turned = document.createElementNS(space, "g");
        const circle = (className, r) => {
                const c = document.createElementNS(space, "circle");
                c.setAttribute("class", className);
                c.setAttribute("r", r);
                turned.append(c);
                return c;
        };
        plot.setAttribute("viewBox", "-34 -34 68 68");
        plot.setAttribute("class", "sky");
        plot.style.display = "none";
        for (const r of [10, 20, 30]) circle("height", r);
        plot.append(turned);
        const dots = [];
        return {
                plot,
                show(gps, time_s, az) {
                        const used = gps && gps.used;
                        const sky = used && used[0] + used[1] > 0 && skies.reduce((best, s) => (Math.abs(s.time_s - time_s) < Math.abs(best.time_s - time_s) ? s : best), skies[0]);
                        plot.style.display = sky ? "" : "none";
                        if (!sky) return;
                        turned.setAttribute("transform", `rotate(${-az * 180 / Math.PI})`);
                        const all = sky.satellites, n = all.length / 3;
                        while (dots.length < n) dots.push(circle("", 2.2));
                        dots.forEach((dot, i) => {
                                dot.style.display = i < n ? "" : "none";
                                if (i >= n) return;
                                const [prn, azimuth, elevation] = all.slice(3 * i, 3 * i + 3), r = 30 * (1 - elevation / (Math.PI / 2));
                                dot.setAttribute("cx", (r * Math.sin(azimuth)).toFixed(1));
                                dot.setAttribute("cy", (-r * Math.cos(azimuth)).toFixed(1));
                                dot.setAttribute("class", used[prn > 16 ? 1 : 0] >> ((prn - 1) % 16) & 1 ? "used" : "satellite");
                                dot.dataset.prn = prn;
                        });
                },
        };
}

// What stands over the picture: names, the scale, which way north and the wind are.
function sceneWords(container, about) {
        const { vehicles } = about, space = "http://www.w3.org/2000/svg", over = document.createElement("div"), names = new Map();
        const add = (className) => {
                const e = document.createElement("span");
                e.className = className;
                over.append(e);
                return e;
        };
        over.className = "words";
        over.setAttribute("aria-hidden", "true");
        const scale = add("scale"), air = add("air"), rose = document.createElementNS(space, "svg");
        rose.setAttribute("viewBox", "-24 -24 48 48");
        const hand = (className) => {
                const g = document.createElementNS(space, "g"), path = document.createElementNS(space, "path");
                path.setAttribute("class", className);
                g.append(path);
                rose.append(g);
                return g;
        };
        const north = hand("north"), wind = hand("wind"), letter = document.createElementNS(space, "text");
        north.firstChild.setAttribute("d", "M0,-13L4,10L0,6L-4,10z");
        wind.firstChild.setAttribute("d", "M0,17V-12M-5,-6L0,-14L5,-6");
        letter.textContent = "N";
        rose.append(letter);
        over.append(rose);
        const sky = sceneSky(about.skies || []);
        over.append(sky.plot);
        container.append(over);

        function name(i) {
                if (!names.has(i)) {
                        names.set(i, add("name"));
                        names.get(i).textContent = vehicles[i].name;
                }
                return names.get(i);
        }

        return {
                show({ step, last, chosen, project, az, all }) {
                        const [n, e] = last && last.vehicles[chosen].wind || [0, 0], speed = Math.hypot(n, e), degrees = (x) => x * 180 / Math.PI;
                        scale.textContent = `squares of ${step >= 1 ? step : +step.toPrecision(1)} m`;
                        const blows = speed > 0.05 && `wind ${speed.toFixed(1)} m/s from ${Math.round(degrees(Math.atan2(-e, -n)) + 360) % 360}°`;
                        const gps = last && last.vehicles[chosen] && last.vehicles[chosen].gps;
                        const fix = gps && `${gps.satellites} satellites, ${+gps.h_acc_m.toPrecision(2)} m across, ${+gps.v_acc_m.toPrecision(2)} m up (1 σ)`;
                        air.textContent = [blows, fix].filter(Boolean).join(" · ");
                        sky.show(gps, last ? last.time_s : 0, az);
                        north.setAttribute("transform", `rotate(${-degrees(az)})`);
                        wind.style.display = speed > 0.05 ? "" : "none";
                        wind.setAttribute("transform", `rotate(${degrees(Math.atan2(e, n) - az)})`);
                        letter.setAttribute("x", (19 * Math.sin(-az)).toFixed(1));
                        letter.setAttribute("y", (4 - 19 * Math.cos(az)).toFixed(1));
                        for (const label of names.values()) {
                                label.style.display = "none";
                                label.classList.remove("chosen");
                        }
                        const taken = [];
                        if (last) last.vehicles.forEach((v, i) => {
                                const at = (all || i === chosen) && project(v.p);
                                if (!at) return;
                                const label = name(i);
                                // One below the other where two would lie on each other.
                                while (taken.some((t) => Math.abs(t[0] - at[0]) < 60 && Math.abs(t[1] - at[1]) < 14)) at[1] += 14;
                                taken.push(at);
                                label.style.display = "";
                                label.classList.toggle("chosen", i === chosen);
                                label.style.transform = `translate(${(at[0] + 16).toFixed(1)}px, ${(at[1] - 26).toFixed(1)}px)`;
                        });
                },
                dispose() { over.remove(); },
        };
}

// control: the wheel zooms with Ctrl alone, as in a page that is scrolled.
function sceneHands(canvas, { zoom, turn, control }) {
        const held = new Map(), over = new AbortController(), { signal } = over;
        canvas.addEventListener("pointerdown", (e) => {
                held.set(e.pointerId, [e.clientX, e.clientY]);
                canvas.setPointerCapture(e.pointerId);
        }, { signal });
        canvas.addEventListener("pointermove", (e) => {
                const from = held.get(e.pointerId);
                if (!from) return;
                const other = [...held].find(([id]) => id !== e.pointerId);
                held.set(e.pointerId, [e.clientX, e.clientY]);
                if (other) {
                        const far = (p) => Math.hypot(p[0] - other[1][0], p[1] - other[1][1]);
                        zoom(far(from) / Math.max(far([e.clientX, e.clientY]), 1));
                } else turn(-0.006 * (e.clientX - from[0]), 0.006 * (e.clientY - from[1]));
        }, { signal });
        for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (e) => held.delete(e.pointerId), { signal });
        canvas.addEventListener("wheel", (e) => {
                if (control && !e.ctrlKey) return;
                e.preventDefault();
                zoom(Math.exp(Math.max(-1, Math.min(1, e.deltaY / 400))));
        }, { passive: false, signal });
        return { dispose() { over.abort(); } };
}
