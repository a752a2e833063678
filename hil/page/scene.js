// A flight in three dimensions, by three.js: the same for the live page and for reports. `about` is the scene document of
// hil/page/scene.h, a frame what docs/live.md calls so. All places are north, east, down, in the objects, too: of three.js' own
// axes only the camera knows, whose up is the negative third one.

// Throws where there is no WebGL. options: { paths: true }, the whole path of each is given; { control: true }, the wheel zooms with
// Ctrl alone.
function Scene(container, about, options = {}) {
        const { vehicles } = about, shapes = sceneShapes, many = vehicles.length, detail = many <= 12, squares = 48;
        const world = new THREE.Scene(), lens = new THREE.PerspectiveCamera(45, 1, 0.1, 1000), screen = new THREE.Vector2(1, 1);
        const painter = scenePainter(world), { tint, paint, glass, put } = painter;
        const reach = vehicles.map((v) => Math.max(0.12, ...v.rotors.map((r) => Math.hypot(...r.p))));
        const eyes = { follow: { az: 0.5, el: 0.45, zoom: 1 }, orbit: { az: 0.5, el: 0.45, zoom: 1 }, top: { az: 0, el: Math.PI / 2 - 1e-3, zoom: 1 } };
        const target = shapes.vector(vehicles[0].start);
        let chosen = 0, eye = eyes.follow, far = 10, last = null, hits = [];

        const drawing = sceneDrawing(container), words = sceneWords(container, about);
        container.prepend(drawing.domElement);
        lens.up.set(0, 0, -1);
        world.fog = new THREE.Fog(0, 1, 2);
        world.background = world.fog.color = tint("card");

        const looks = {
                ghost: glass("estimate", 0.45), rim: paint(THREE.LineBasicMaterial, "estimate"), beam: glass("sensor", 0.14), hit: glass("sensor", 0.5),
                drop: paint(THREE.LineBasicMaterial, "soft"), shade: glass("ink", 0.25), aim: paint(THREE.LineBasicMaterial, "setpoint"),
                fix: paint(THREE.LineBasicMaterial, "sensor"), touch: glass("mark", 0.9), wind: glass("accent", 0.9), blade: paint(THREE.MeshLambertMaterial, "ink"),
        };
        const shared = { cone: shapes.cone(), disk: shapes.disk(1), rim: shapes.circle(1), dot: shapes.lines([0, 0, 0]), ring: shapes.ring(0.75, 1), place: shapes.place(), stick: shapes.lines([0, 0, 0, 0, 0, 1]), arrow: shapes.arrow() };
        const grid = put(world, new THREE.LineSegments(shapes.grid(squares), paint(THREE.LineBasicMaterial, "grid-far", { fog: true })), -4);
        // North and south, east and west of the origin.
        const cross = paint(THREE.LineBasicMaterial, "soft", { fog: true });
        const axes = [0, 1].map((k) => put(world, new THREE.LineSegments(shapes.grid(squares, 0), cross), -3));
        const marks = sceneMarks(world, painter);

        // The frame, and rotors that turn by themselves; a ghost has rims alone.
        function makeCraft(i, ghost) {
                const craft = put(world, new THREE.Group(), 1), own = painter.own(vehicles[i].colour);
                craft.add(new THREE.Mesh(shapes.craft(vehicles[i].rotors, reach[i]), ghost ? looks.ghost : paint(THREE.MeshLambertMaterial, own)));
                const disk = ghost ? null : glass(own, 0.25);
                craft.hubs = vehicles[i].rotors.map((r) => {
                        const hub = put(craft, new THREE.Group());
                        hub.position.set(r.p[0], r.p[1], r.p[2] - 0.12 * reach[i]);
                        if (ghost) put(hub, new THREE.LineLoop(shared.rim, looks.rim)).scale.setScalar(r.radius);
                        else {
                                put(hub, new THREE.Mesh(shared.disk, disk), 2).scale.setScalar(r.radius);
                                put(hub, new THREE.Mesh(shapes.blade(r.radius), looks.blade));
                        }
                        return hub;
                });
                return craft;
        }

        function makeSonar() {
                const sonar = put(world, new THREE.Group());
                put(sonar, new THREE.Mesh(shared.cone, looks.beam), 2);
                sonar.hit = put(sonar, new THREE.Mesh(shared.disk, looks.hit), 2);
                sonar.hit.position.z = 1;
                return sonar;
        }

        const crafts = vehicles.map((v, i) => {
                const own = painter.own(v.colour), craft = makeCraft(i, false);
                // A dot that stays as large from afar.
                craft.dot = put(world, new THREE.Points(shared.dot, paint(THREE.PointsMaterial, own, { size: 7, sizeAttenuation: false, depthTest: false })), 4);
                craft.drop = put(world, new THREE.LineSegments(shared.stick, looks.drop));
                craft.shade = put(world, new THREE.Mesh(shared.disk, looks.shade), -1);
                craft.touch = put(world, new THREE.Mesh(shared.ring, looks.touch), 3);
                craft.aim = put(world, new THREE.Group(), 1);
                craft.aim.add(new THREE.LineSegments(shared.place, looks.aim));
                craft.aim.stick = put(world, new THREE.LineSegments(shared.stick, looks.aim));
                craft.sonars = v.sonars.map(makeSonar);
                craft.wind = put(world, new THREE.Mesh(shared.arrow, looks.wind), 3);
                craft.trail = shapes.Trail(world, tint(own), screen, options.paths ? 2 : Math.max(400, Math.min(3000, Math.floor(60000 / many))));
                return craft;
        });
        // Where its receiver believes to be, and one standard deviation about it, by its own word; of the one that is followed.
        const fix = put(world, new THREE.Group());
        for (const turn of [[0, 0], [Math.PI / 2, 0], [Math.PI / 2, Math.PI / 2]]) put(fix, new THREE.LineLoop(shared.rim, looks.fix)).rotation.set(turn[0], turn[1], 0);
        fix.visible = false;
        // What is believed, of the one that is followed.
        const ghosts = [];
        drawSceneWorld(world, about, painter);

        function stand(object, p, q) {
                object.position.fromArray(p);
                if (q) object.quaternion.copy(shapes.quaternion(q));
        }

        // From a place straight down to the ground.
        function dropFrom(line, p) {
                line.position.fromArray(p);
                line.scale.set(1, 1, Math.max(about.ground_down_m - p[2], 1e-3));
        }

        function showSonars(i, v, seen) {
                crafts[i].sonars.forEach((sonar, n) => {
                        const s = vehicles[i].sonars[n], range = v.sonars ? v.sonars[n] : null, body = shapes.quaternion(v.q);
                        sonar.visible = seen && range !== null && range !== undefined;
                        if (!sonar.visible) return;
                        const wide = range * Math.tan(Math.min(s.opening_rad, 2.8) / 2);
                        sonar.position.copy(shapes.vector(s.p).applyQuaternion(body).add(shapes.vector(v.p)));
                        sonar.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), shapes.vector(s.axis).applyQuaternion(body).normalize());
                        sonar.scale.set(Math.max(wide, 1e-3), Math.max(wide, 1e-3), Math.max(range, 1e-3));
                });
        }

        // Slower than life: at 60 pictures a second nobody would see which way they turn.
        function turnRotors(craft, i, speeds, dt) {
                vehicles[i].rotors.forEach((r, n) => {
                        if (!sceneCalm() && speeds && Number.isFinite(speeds[n])) craft.hubs[n].rotation.z += r.direction * Math.min(0.05 * speeds[n] * dt, 0.7);
                });
        }

        function showFix(gps) {
                fix.visible = Boolean(gps) && gps.h_acc_m > 0 && gps.v_acc_m > 0;
                if (!fix.visible) return;
                stand(fix, gps.p);
                fix.scale.set(gps.h_acc_m, gps.h_acc_m, gps.v_acc_m);
        }

        function showVehicle(v, i, dt) {
                const craft = crafts[i], close = i === chosen;
                stand(craft, v.p, v.q);
                craft.dot.position.fromArray(v.p);
                turnRotors(craft, i, v.rotors, dt);
                dropFrom(craft.drop, v.p);
                craft.shade.position.set(v.p[0], v.p[1], about.ground_down_m - 2e-3);
                craft.shade.scale.setScalar(0.8 * reach[i]);
                craft.touch.visible = Boolean(v.contact);
                stand(craft.touch, v.p, v.q);
                craft.touch.scale.setScalar(1.7 * reach[i]);
                craft.aim.visible = craft.aim.stick.visible = Boolean(v.setpoint) && (close || many <= 8);
                if (craft.aim.visible) {
                        stand(craft.aim, v.setpoint);
                        craft.aim.scale.setScalar(0.6 * reach[i]);
                        dropFrom(craft.aim.stick, v.setpoint);
                }
                if (close && v.estimate) {
                        ghosts[i] = ghosts[i] || makeCraft(i, true);
                        stand(ghosts[i], v.estimate.p, v.estimate.q);
                }
                if (ghosts[i]) ghosts[i].visible = close && Boolean(v.estimate);
                if (close) showFix(v.gps);
                showSonars(i, v, close);
                craft.trail.show(last.time_s, close);
        }

        // The camera

        // The least of both angles of view.
        const angle = () => (lens.aspect < 1 ? 2 * Math.atan(Math.tan(lens.fov * Math.PI / 360) * lens.aspect) : lens.fov * Math.PI / 180);
        // How far the ground is looked at, whoever flies high above it.
        const ken = () => far + Math.max(about.ground_down_m - target.z, 0);

        // What holds every vehicle, and where it was.
        function ball() {
                const box = new THREE.Box3(), sphere = new THREE.Sphere();
                for (const c of crafts) box.union(c.trail.box);
                for (const v of last ? last.vehicles : vehicles.map((x) => ({ p: x.start }))) box.expandByPoint(shapes.vector(v.p));
                return box.getBoundingSphere(sphere);
        }

        function aim() {
                const all = eye === eyes.follow ? null : ball();
                far = eye.zoom * (all ? Math.max(6, 1.15 * all.radius / Math.sin(angle() / 2) + 1) : Math.max(2.2, 11 * reach[chosen]));
                if (all) target.copy(all.center);
                else if (last) target.fromArray(last.vehicles[chosen].p);
                lens.position.set(target.x - far * Math.cos(eye.az) * Math.cos(eye.el), target.y - far * Math.sin(eye.az) * Math.cos(eye.el), target.z - far * Math.sin(eye.el));
                lens.near = 0.02 * far;
                lens.far = 200 * ken();
                lens.lookAt(target);
                lens.updateProjectionMatrix();
                lens.updateMatrixWorld();
                world.fog.near = 1.2 * ken();
                world.fog.far = 3.8 * ken();
        }

        // As wide as is round, about what is looked at.
        function layGround() {
                const step = shapes.roundStep(ken() / 12), snap = (x) => Math.round(x / step) * step, down = about.ground_down_m;
                grid.position.set(snap(target.x), snap(target.y), down);
                grid.scale.set(step, step, 1);
                axes.forEach((a, k) => {
                        a.position.set(k ? 0 : snap(target.x), k ? snap(target.y) : 0, down - 1e-3);
                        a.scale.set(k ? 1e-6 : step, k ? step : 1e-6, 1);
                });
                return step;
        }

        // The air above each, as it moves there; of many above the one that is followed.
        function showWind(v, i) {
                const { wind } = crafts[i], [n, e, d] = v.p;
                wind.visible = (detail || i === chosen) && Boolean(v.wind) && Math.hypot(...v.wind) > 0.05;
                if (wind.visible) shapes.point(wind, [n, e, d - Math.max(2.2 * reach[i], 0.14 * far)], v.wind, (i === chosen ? 0.11 : 0.07) * far);
        }

        function project(p) {
                const seen = shapes.vector(p).project(lens);
                if (seen.z > 1 || seen.z < -1) return null;
                return [(seen.x + 1) / 2 * screen.x, (1 - seen.y) / 2 * screen.y, seen.z];
        }

        function draw() {
                const [w, h] = [container.clientWidth, container.clientHeight], dense = Math.min(window.devicePixelRatio || 1, 2);
                if (!w || !h) return;
                if (screen.x !== w || screen.y !== h || drawing.getPixelRatio() !== dense) {
                        drawing.setPixelRatio(dense);
                        drawing.setSize(w, h, false);
                        screen.set(w, h);
                        lens.aspect = w / h;
                }
                aim();
                const step = layGround();
                if (last) last.vehicles.forEach(showWind);
                if (last) marks.show(last.time_s);
                drawing.render(world, lens);
                words.show({ step, last, chosen, project, az: eye.az, all: detail });
        }

        function show(frame) {
                const dt = last ? Math.max(0, frame.time_s - last.time_s) : 0;
                last = frame;
                frame.vehicles.forEach((v, i) => {
                        if (!options.paths) crafts[i].trail.add(frame.time_s, v.p);
                        showVehicle(v, i, dt);
                });
                draw();
        }

        // Fingers and mouse turn the eye, the wheel and two fingers change how far it is.
        function zoom(by) { eye.zoom = Math.max(0.02, Math.min(50, eye.zoom * by)); draw(); }
        function turn(by, up = 0) {
                eye.az += by;
                if (eye !== eyes.top) eye.el = Math.max(0.02, Math.min(1.55, eye.el + up));
                draw();
        }
        const hands = sceneHands(drawing.domElement, { zoom, turn, control: options.control });

        return {
                show, project, zoom, turn,
                resize: draw,
                // All that were before, after a jump.
                history(frames) {
                        for (const c of crafts) c.trail.set([], []);
                        for (const f of frames) f.vehicles.forEach((v, i) => crafts[i].trail.add(f.time_s, v.p));
                },
                // The whole path of one, where it is known: { paths: true }.
                path(i, time, place) { crafts[i].trail.set(time, place); },
                // [{ time_s, p }], where something was hit.
                marks(list) { hits = list; marks.set(hits); },
                mark(hit) { hits.push(hit); marks.set(hits); },
                camera(name) { eye = eyes[name]; draw(); },
                follow(index) { chosen = index; draw(); },
                restyle() { painter.restyle(); draw(); },
                dispose() {
                        hands.dispose();
                        words.dispose();
                        world.traverse((o) => { if (o.geometry) o.geometry.dispose(); if (o.material) o.material.dispose(); });
                        drawing.renderLists.dispose();
                        drawing.domElement.remove();
                },
                // For tests: what is where, of one vehicle.
                objects(i) {
                        const place = (o) => (o && o.visible ? { p: o.getWorldPosition(new THREE.Vector3()).toArray(), q: (({ w, x, y, z }) => [w, x, y, z])(o.getWorldQuaternion(new THREE.Quaternion())) } : null);
                        world.updateMatrixWorld(true);
                        return { craft: place(crafts[i]), ghost: place(ghosts[i]), aim: place(crafts[i].aim), sonars: crafts[i].sonars.map((s) => s.visible && { ...place(s), hit: s.hit.getWorldPosition(new THREE.Vector3()).toArray() }),
                                fix: i === chosen && fix.visible ? { p: fix.position.toArray(), size: fix.scale.toArray() } : null, contact: crafts[i].touch.visible, wind: crafts[i].wind.visible ? new THREE.Vector3(1, 0, 0).applyQuaternion(crafts[i].wind.quaternion).toArray() : null, hubs: crafts[i].hubs.map((h) => h.rotation.z), marks: hits, trail: crafts[i].trail.place.length };
                },
        };
}
