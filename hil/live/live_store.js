// What has come from hilrig, in the order of simulated time: the scene, frames, events, requirements, latency, the end.
// It connects again for ever: a page may stay open over many runs.

function Store(listeners) {
        const frames_max = 40000; // of all vehicles together
        const store = { scene: null, frames: [], events: [], rows: [], latency: [], end: null, runs: null, run: 0, lost: 0, connected: false, misread: 0 };
        let socket = null, asked = [];

        const tell = (what, detail) => { if (listeners[what]) listeners[what](detail); };

        function clear() {
                Object.assign(store, { frames: [], events: [], rows: [], latency: [], end: null, lost: 0, hands: null });
        }

        // Of the older half every other one goes: what is old is seen from further away.
        function thin() {
                const most = Math.max(600, Math.floor(frames_max / Math.max(1, store.scene ? store.scene.vehicles.length : 1)));
                if (store.frames.length <= most) return;
                const half = store.frames.length >> 1;
                store.frames = store.frames.filter((f, i) => i > half || i % 2 === 0);
        }

        const take = {
                runs(d) { store.runs = d.runs; tell("runs"); },
                scene(d) { clear(); store.scene = d; tell("scene"); },
                frame(d) {
                        const last = store.frames[store.frames.length - 1];
                        store.lost = d.lost;
                        if (!last || d.time_s > last.time_s) { store.frames.push(d); thin(); }
                        // The same frames once more, with other values.
                        else { const same = store.at(d.time_s); if (same.time_s === d.time_s) Object.assign(same, d); }
                        tell("frame", d);
                },
                event(d) { store.events.push(d); tell("event", d); },
                verdict(d) { for (const row of d.rows) store.rows[row.requirement] = row; tell("verdict"); },
                refused(d) { tell("refused", d.why); },
                hands(d) { store.hands = d; tell("hands"); },
                latency(d) { store.latency[d.vehicle] = d; tell("latency"); },
                end(d) { store.end = d; tell("end"); },
        };

        function connect() {
                const to = new URL("stream" + location.search, location.href);
                to.protocol = "ws:";
                socket = new WebSocket(to, "hilrig");
                socket.onopen = () => {
                        store.connected = true;
                        if (asked.length) send({ kind: "ask", quantities: asked });
                        tell("connected");
                };
                socket.onmessage = (m) => {
                        let d;
                        try { d = JSON.parse(m.data); } catch { store.misread++; return; }
                        if (take[d.kind]) take[d.kind](d);
                };
                socket.onclose = () => {
                        store.connected = false;
                        tell("connected");
                        setTimeout(connect, 1000);
                };
                // Said by onclose too.
                socket.onerror = () => {};
        }

        function send(d) {
                if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(d));
        }

        store.ask = (quantities) => { asked = quantities; send({ kind: "ask", quantities }); };
        store.choose = (run) => { store.run = run; asked = []; clear(); send({ kind: "run", run }); };
        store.order = (what, value) => send(value === undefined ? { kind: "do", what } : { kind: "do", what, value });
        store.sticks = (vehicle, at) => send({ kind: "do", what: "sticks", vehicle, at });
        store.fault = (step) => send({ kind: "do", what: "fault", step });
        store.end_s = () => (store.frames.length ? store.frames[store.frames.length - 1].time_s : 0);
        // The newest frame that is not later; the first one before it.
        store.at = (t) => {
                let low = 0, high = store.frames.length - 1;
                while (low < high) {
                        const mid = (low + high + 1) >> 1;
                        if (store.frames[mid].time_s <= t) low = mid; else high = mid - 1;
                }
                return store.frames[low] || null;
        };
        store.connect = connect;
        return store;
}
