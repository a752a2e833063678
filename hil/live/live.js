// The page itself: what is shown at which moment, and what keys and buttons do.

(function () {
        const $ = (id) => document.getElementById(id), root = document.documentElement;
        const filming = location.hash === "#film";
        let scene = null, camera = "follow", chosen = 0, cursor = null, playing = false, shown = null;
        let stale = { requirements: true, events: true, latency: true, frame: true };

        const store = Store({
                scene: begin,
                // What is far ahead of the moment that is shown does not change the picture.
                frame(d) { stale.frame = stale.frame || cursor === null || !shown || d.time_s <= cursor + 0.1; curves.touch(); },
                event(e) { stale.events = true; mark(e); },
                verdict() { stale.requirements = true; curves.touch(); },
                latency() { stale.latency = true; },
                runs: listRuns,
                hands: showHands,
                refused(why) { $("hands_note").textContent = why; },
                end: showState,
                connected: showState,
        });
        const curves = Curves($("plots"), store, { asked: (names) => store.ask(names) });
        const sticks = Sticks($("sticks"), store);
        const lists = Lists(store, () => chosen, follow, go);

        function begin() {
                const d = store.scene, count = d.vehicles.length;
                document.title = d.rig + " - hilrig";
                $("name").textContent = d.rig;
                $("vehicle").replaceChildren(...d.vehicles.map((v, i) => new Option(v.name, i)));
                $("vehicle_box").hidden = count < 2;
                $("quantities").replaceChildren(...d.quantities.map((q) => new Option(q.unit, (count > 1 ? "v" + chosen + "." : "") + q.name)));
                if (scene) scene.dispose();
                $("scene").replaceChildren();
                scene = makeScene(d);
                chosen = Math.min(chosen, count - 1);
                [cursor, playing, shown] = store.runs ? [0, !filming && !sceneCalm(), null] : [null, false, null];
                scene.camera(camera);
                scene.follow(chosen);
                curves.cursor(cursor);
                curves.vehicle(chosen);
                stale = { requirements: true, events: true, latency: true, frame: true };
                if (curves.asked().length) store.ask(curves.asked());
                sticks.show(chosen);
                showState();
        }

        function makeScene(d) {
                try { return Scene($("scene"), d); } catch (e) {
                        const none = () => {};
                        $("scene").replaceChildren(Object.assign(document.createElement("p"), { className: "warning", textContent: `This browser cannot show three dimensions (${e.message}) Curves and lists tell of the same flight.` }));
                        return { show: none, history: none, mark: none, camera: none, follow: none, zoom: none, turn: none, resize: none, restyle: none, dispose: none };
                }
        }

        // Where something was hit.
        function mark(e) {
                const frame = store.at(e.time_s);
                if (scene && frame && /^(collision|meeting)$/.test(e.event) && frame.vehicles[e.vehicle]) scene.mark({ time_s: e.time_s, p: frame.vehicles[e.vehicle].p });
        }

        function listRuns() {
                $("run_box").hidden = store.runs.length < 2;
                $("run").replaceChildren(...store.runs.map((name, i) => new Option(name, i)));
                $("run").value = store.run;
                if (store.run > 0) store.choose(store.run);
        }

        function showState() {
                const end = store.end, header = $("state");
                showHands();
                const tone = end ? end.verdict : "void";
                header.className = tone;
                $("sign").textContent = { passed: "✓", failed: "✗", void: end ? "∅" : "…", error: "!" }[tone] || "!";
                if (end) $("verdict").textContent = end.verdict + (end.reason ? ": " + end.reason : "") + (store.runs || store.connected ? "" : " – waiting for the next flight");
                else if (!store.connected) $("verdict").textContent = store.scene ? "hilrig is gone; waiting for it" : "Waiting for a flight";
                else $("verdict").textContent = store.runs ? "recorded" : store.scene ? store.scene.scenario + ", " + store.scene.pace + ", in flight" : "Waiting for a flight";
                $("newest").hidden = Boolean(store.runs);
        }

        function showHands() {
                const h = store.hands || { held: false, pace: 0 }, d = store.scene;
                $("hands").hidden = !d || !d.control || Boolean(store.end);
                $("lockstep").hidden = $("pace_box").hidden = !d || d.pace !== "lockstep";
                $("hold").textContent = h.held ? "Go on" : "Hold the flight";
                $("pace").value = String(h.pace);
                $("hands_note").textContent = h.held ? "The flight's time stands still." : "";
        }

        // As in scenario files; what is chosen may be changed before it is done.
        const faults = {
                "Gyroscope: bias": { sensor_fault: { sensor: "gyro", does: "bias", axes: "x", amount_dps: 5 } },
                "IMU: dropouts": { sensor_fault: { sensor: "imu", does: "dropout", probability: 0.3 } },
                "GPS: loss": { sensor_fault: { sensor: "gps", does: "loss" } },
                "GPS: spoofed": { sensor_fault: { sensor: "gps", does: "spoof", axes: "n", amount_mps: 1.5 } },
                "Barometer: bias": { sensor_fault: { sensor: "baro", does: "bias", amount_pa: 60 } },
                "Magnetometer: stuck": { sensor_fault: { sensor: "mag", does: "stuck" } },
                "Motor: weak": { vehicle_fault: { does: "motor_weak", rotor: 0, loss_ratio: 0.3 } },
                "Payload: put on": { vehicle_fault: { does: "added_mass", mass_kg: 0.1, at_m: { forward: 0.05, right: 0, down: 0.05 } } },
                "Wind: from the south": { stimulus: { input: "wind_north_mps", shape: "step", amplitude: 3, for_s: 3600 } },
                "Wind: a gust": { stimulus: { input: "wind_east_mps", shape: "sine", amplitude: 5, from_hz: 0.5, for_s: 1 } },
                "Force: a push": { stimulus: { input: "force_east_n", shape: "step", amplitude: 1, for_s: 0.2 } },
                "Gyroscope: a doublet": { stimulus: { input: "gyro_x_dps", shape: "doublet", amplitude: 20, for_s: 0.5 } },
                "Set-point: higher": { stimulus: { input: "up_m", shape: "ramp", amplitude: 1, for_s: 2 } },
                "Wire: frames lost": { wire_fault: { does: "drop", direction: "to_fc", probability: 0.2 } },
                "Wire: bits flipped": { wire_fault: { does: "bit_flips", direction: "from_fc", bits: 1, probability: 0.2 } },
                "Motor: dead": { vehicle_fault: { does: "motor_dead", rotor: 0 } },
        };

        function breakIt(e) {
                e.preventDefault();
                let step;
                try { step = JSON.parse($("fault").value); } catch { $("hands_note").textContent = "That is no JSON."; return; }
                if (store.scene.vehicles.length > 1) step.vehicle = chosen;
                const for_s = parseFloat($("fault_s").value);
                if (for_s > 0 && !step.host_fault) step.for_s = for_s;
                $("hands_note").textContent = "";
                store.fault(step);
        }

        // Faults by hand are steps behind those that the scene has.
        function showLifting() {
                const on = new Map();
                for (const e of store.events)
                        if (e.step === undefined || !store.scene || e.step < store.scene.steps.length) continue;
                        else if (e.event === "begins") on.set(e.step, e.what);
                        else if (e.event === "over") on.delete(e.step);
                const now = [...on].map(([step, what]) => step + what).join();
                if ($("lifting").dataset.now === now) return;
                $("lifting").dataset.now = now;
                $("lifting").replaceChildren(...[...on].map(([step, what]) => {
                        const button = document.createElement("button");
                        button.type = "button";
                        button.textContent = "Lift: " + what;
                        button.onclick = () => store.order("lift", step);
                        return button;
                }));
        }

        // A second click within three seconds: a flight is not ended by one that went astray.
        let sure = 0;
        function abort() {
                clearTimeout(sure);
                if (sure) { sure = 0; store.order("abort"); } else sure = setTimeout(() => { sure = 0; $("abort").textContent = "Abort and disarm"; }, 3000);
                $("abort").textContent = sure ? "Click again to abort" : "Abort and disarm";
        }

        function follow(i) {
                chosen = i;
                $("vehicle").value = i;
                if (scene) scene.follow(i);
                curves.vehicle(i);
                sticks.show(i);
                if (store.scene) $("quantities").replaceChildren(...store.scene.quantities.map((q) => new Option(q.unit, (store.scene.vehicles.length > 1 ? "v" + i + "." : "") + q.name)));
                stale.frame = stale.latency = true;
        }

        function go(t) {
                cursor = Math.max(0, Math.min(t, store.end_s()));
                playing = false;
                stale.frame = stale.events = true;
                curves.cursor(cursor);
                if (scene) scene.history(store.frames.filter((f) => f.time_s <= cursor));
        }

        // Live and not held: the newest. Held: play on from there.
        function playOrPause() {
                if (cursor === null) go(store.end_s());
                else {
                        if (!playing && cursor >= store.end_s() && store.runs) cursor = 0;
                        playing = !playing;
                }
        }

        function newest() { cursor = null; playing = false; stale.frame = stale.events = true; curves.cursor(null); }

        function look(name) {
                camera = name;
                for (const b of $("cameras").children) b.setAttribute("aria-pressed", String(b.dataset.camera === name));
                if (scene) scene.camera(name);
                if (scene && shown) scene.show(shown);
        }

        function dark() {
                const is = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
                root.dataset.theme = is ? "light" : "dark";
                restyle();
        }

        function restyle() {
                const is = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
                $("theme").textContent = is ? "Light" : "Dark";
                curves.restyle();
                if (scene) scene.restyle();
                stale.frame = true;
        }

        function showFigures(frame) {
                const v = frame.vehicles[chosen];
                $("time_now").textContent = frame.time_s.toFixed(2) + " s";
                $("height_now").textContent = (-v.p[2] + store.scene.ground_down_m).toFixed(2) + " m";
                $("tilt_now").textContent = attitude.tilt(v.q).toFixed(1) + "°";
                $("armed_now").textContent = v.armed === null ? "–" : v.armed ? "yes" : "no";
                $("lost_now").textContent = String(store.lost);
                $("time").max = Math.max(store.end_s(), 0.001);
                $("time").value = cursor === null ? store.end_s() : cursor;
                $("time").setAttribute("aria-valuetext", frame.time_s.toFixed(2) + " s");
        }

        let before = 0;
        function paint(now) {
                const dt = Math.min(0.25, (now - before) / 1000);
                before = now;
                if (playing) {
                        const next = cursor + dt * +$("speed").value;
                        if (next >= store.end_s()) {
                                cursor = store.end_s();
                                // Live it has caught up; recorded it is over, or the rest has not come yet.
                                if (!store.runs) newest();
                                else if (store.end) playing = false;
                        } else cursor = next;
                        curves.cursor(cursor);
                        stale.frame = stale.events = true;
                }
                $("play").textContent = cursor === null || playing ? "Pause" : "Play";
                if (stale.frame && store.frames.length && store.scene) {
                        stale.frame = false;
                        shown = cursor === null ? store.frames[store.frames.length - 1] : store.at(cursor);
                        scene.show(shown);
                        showFigures(shown);
                }
                requestAnimationFrame(paint);
        }

        // What need not move at every frame.
        let slow_count = 0;
        function slow() {
                if (store.scene) {
                        curves.draw();
                        curves.readOut(shown);
                        if (stale.requirements) lists.requirements();
                        if (stale.events) { lists.events(cursor === null ? Infinity : cursor); showLifting(); }
                        if (stale.events || slow_count % 5 === 0) lists.track();
                        if (stale.latency) lists.latency();
                        if (slow_count % 2 === 0) lists.fleet(shown);
                        stale.requirements = stale.events = stale.latency = false;
                }
                slow_count++;
        }

        // All of the page at a moment of a recorded run; forward alone, so that trails grow as they did.
        function showAt(t) {
                [cursor, playing, shown] = [t, false, store.at(t)];
                if (!shown) return;
                curves.cursor(t);
                scene.show(shown);
                showFigures(shown);
                stale.events = true;
                slow();
        }

        $("run").onchange = () => { cursor = 0; store.choose(+$("run").value); };
        $("vehicle").onchange = () => follow(+$("vehicle").value);
        $("cameras").onclick = (e) => { if (e.target.dataset.camera) look(e.target.dataset.camera); };
        $("abort").onclick = abort;
        $("fault_kind").replaceChildren(...Object.keys(faults).map((name) => new Option(name)));
        $("fault_kind").onchange = () => { $("fault").value = JSON.stringify(faults[$("fault_kind").value]); };
        $("fault_kind").onchange();
        $("breaking").onsubmit = breakIt;
        $("hold").onclick = () => store.order(store.hands && store.hands.held ? "go" : "hold");
        $("step1").onclick = () => store.order("step", 1);
        $("step100").onclick = () => store.order("step", 100);
        $("pace").onchange = () => store.order("pace", +$("pace").value);
        $("play").onclick = playOrPause;
        $("newest").onclick = newest;
        $("time").oninput = () => go(+$("time").value);
        $("theme").onclick = dark;
        $("window").onchange = () => curves.window(+$("window").value);
        $("asking").onsubmit = (e) => {
                const name = $("quantity").value.trim(), plain = name.replace(/^v\d+\./, "");
                const known = store.scene && store.scene.quantities.find((q) => q.name === plain);
                e.preventDefault();
                $("ask_note").textContent = known ? "" : "There is no quantity of that name; the list has all.";
                if (!known) return;
                curves.add(name, known.unit);
                store.ask(curves.asked());
                $("quantity").value = "";
        };
        document.addEventListener("keydown", (e) => {
                const { tagName, id, type } = e.target, types = /^(INPUT|SELECT|TEXTAREA)$/.test(tagName) && id !== "time" && type !== "checkbox";
                // Space presses what has the focus.
                if (types || e.key === " " && /^(BUTTON|INPUT)$/.test(tagName) && id !== "time" || !$("shortcuts").checked || e.ctrlKey || e.altKey || e.metaKey) return;
                const count = store.scene ? store.scene.vehicles.length : 1, at = cursor === null ? store.end_s() : cursor;
                const does = {
                        " ": playOrPause, l: newest, d: dark,
                        ArrowLeft: () => go(at - (e.shiftKey ? 1 : 0.1)), ArrowRight: () => go(at + (e.shiftKey ? 1 : 0.1)),
                        1: () => look("follow"), 2: () => look("orbit"), 3: () => look("top"),
                        "+": () => scene && scene.zoom(1 / 1.2), "-": () => scene && scene.zoom(1.2),
                        ",": () => scene && scene.turn(-0.15), ".": () => scene && scene.turn(0.15),
                        n: () => follow((chosen + 1) % count), b: () => follow((chosen + count - 1) % count),
                }[e.key.length === 1 ? e.key.toLowerCase() : e.key];
                if (!does) return;
                e.preventDefault();
                does();
        });
        addEventListener("resize", () => { if (scene) scene.resize(); curves.touch(); stale.frame = stale.latency = true; });
        addEventListener("scroll", () => curves.touch(), { passive: true });
        document.body.classList.toggle("film", filming);
        restyle();
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", restyle);
        // For tests, which read what is drawn, and for films.
        window.hilrig = { store, go, newest, look, follow, curves, scene: () => scene, film: Film(store, showAt) };
        store.connect();
        // A film asks for each moment by itself.
        if (!filming) {
                setInterval(slow, 200);
                requestAnimationFrame(paint);
        }
})();
