// Requirements as they stand, events and messages, vehicles with the worst first, the latency's distribution, the time line.

function Lists(store, chosen, follow, go) {
        const $ = (id) => document.getElementById(id);
        const sign = { passed: "✓", failed: "✗", open: "…", "not judged": "∅" };
        const number = (v, digits) => (v === null || v === undefined ? "–" : v.toFixed(digits));

        function cell(row, text, kind, name) {
                const td = document.createElement(kind || "td");
                td.textContent = text;
                if (kind === "th") td.scope = "row";
                if (name) td.className = name;
                row.append(td);
                return td;
        }

        function requirements() {
                const body = $("requirements").querySelector("tbody");
                body.replaceChildren();
                if (!store.scene) return;
                $("requirements").hidden = store.scene.requirements.length === 0;
                for (const r of store.scene.requirements) {
                        const row = store.rows[r.id], state = row ? row.outcome : "open", tr = document.createElement("tr");
                        const td = cell(tr, ""), badge = document.createElement("span");
                        badge.className = "badge " + (state === "passed" || state === "failed" ? state : "void");
                        badge.textContent = (sign[state] || "") + " " + state;
                        td.append(badge);
                        const th = cell(tr, r.name || r.text, "th"), asks = document.createElement("div");
                        asks.className = "asks";
                        asks.textContent = (row && row.detail) || r.text;
                        th.append(asks);
                        cell(tr, row && row.robustness !== null ? String(+row.robustness.toPrecision(4)) : "–", "td", "number");
                        body.append(tr);
                }
        }

        function wordsOf(e) {
                const all = store.scene ? store.scene.vehicles : [], step = e.event === "step" && store.scene && store.scene.steps[e.step];
                // One of the scenario is told once, whomever it is for.
                const whose = (step ? step.vehicles || [] : [e.vehicle]).filter((i) => all.length > 1 && all[i]), more = whose.length > 3 ? ` and ${whose.length - 1} others` : "";
                const who = whose.length ? whose.slice(0, more ? 1 : 3).map((i) => all[i].name).join(", ") + more + ": " : "";
                const what = { collision: "hit " + e.what, meeting: "met " + e.what, begins: e.what + " begins", over: e.what + " is over" }[e.event] || e.what;
                return who + what + (e.impact_mps ? " at " + e.impact_mps.toFixed(2) + " m/s" : "");
        }

        let told = 0;
        // Those after the moment that is shown are marked, and the last one before it is in sight.
        function markLater(body, box, until) {
                let now = null;
                for (const tr of body.rows) {
                        tr.classList.toggle("later", tr.time_s > until);
                        if (tr.time_s <= until) now = tr;
                }
                if (until < Infinity && now) box.scrollTop = now.offsetTop + now.offsetHeight - box.clientHeight + 4;
        }

        function events(until) {
                const body = $("events").querySelector("tbody"), box = body.closest(".scroll"), low = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
                if (told > store.events.length) { told = 0; body.replaceChildren(); }
                for (; told < store.events.length; told++) {
                        const e = store.events[told], tr = document.createElement("tr");
                        cell(tr, e.time_s.toFixed(3), "td", "number");
                        cell(tr, wordsOf(e));
                        if (e.event === "collision" || e.event === "meeting" || e.event === "board lost" || e.level <= 3) tr.className = "bad";
                        else if (e.event === "said") tr.className = "said";
                        tr.time_s = e.time_s;
                        body.append(tr);
                }
                while (body.rows.length > 600) body.rows[0].remove();
                if (low) box.scrollTop = box.scrollHeight;
                markLater(body, box, until);
        }

        function track() {
                const list = $("track"), end = Math.max(store.scene ? store.scene.duration_s : 0, store.end_s(), 0.1), bars = [];
                list.replaceChildren();
                for (const e of store.events) {
                        if (e.event === "over") { const b = bars.findLast((x) => x.step === e.step && x.vehicle === e.vehicle && x.to === null); if (b) b.to = e.time_s; }
                        if (e.event === "begins") bars.push({ step: e.step, vehicle: e.vehicle, at: e.time_s, to: null, what: e.what, name: "bar" });
                        if (e.event === "step" || e.event === "collision" || e.event === "meeting") bars.push({ at: e.time_s, to: e.time_s, what: wordsOf(e), name: e.event });
                }
                for (const b of bars.slice(-200)) {
                        const li = document.createElement("li");
                        li.className = b.name;
                        li.style.left = 100 * b.at / end + "%";
                        li.style.width = b.name === "bar" ? Math.max(0.5, 100 * ((b.to === null ? store.end_s() : b.to) - b.at) / end) + "%" : "";
                        li.title = b.at.toFixed(3) + " s: " + b.what;
                        li.setAttribute("aria-label", li.title);
                        li.onclick = () => go(b.at);
                        list.append(li);
                }
        }

        // How badly a vehicle does: far from its set-point, or tilted.
        function worstFirst(frame) {
                return frame.vehicles.map((v, i) => ({ i, tilt: attitude.tilt(v.q), up: -v.p[2] + store.scene.ground_down_m, off: v.setpoint ? Math.hypot(v.p[0] - v.setpoint[0], v.p[1] - v.setpoint[1], v.p[2] - v.setpoint[2]) : null, armed: v.armed, contact: v.contact }))
                        .sort((a, b) => (b.tilt > 60) - (a.tilt > 60) || (b.off || 0) - (a.off || 0) || b.tilt - a.tilt);
        }

        function fleet(frame) {
                $("fleet").hidden = !frame || frame.vehicles.length < 2;
                if (!frame || frame.vehicles.length < 2) return;
                const body = $("fleet").querySelector("tbody"), all = worstFirst(frame);
                while (body.rows.length < all.length) {
                        const tr = document.createElement("tr"), th = cell(tr, "", "th"), button = document.createElement("button");
                        button.type = "button";
                        button.onclick = () => follow(+button.dataset.vehicle);
                        th.append(button);
                        for (let k = 0; k < 3; k++) cell(tr, "", "td", "number");
                        cell(tr, "");
                        body.append(tr);
                }
                while (body.rows.length > all.length) body.rows[all.length].remove();
                all.forEach((v, n) => {
                        const tr = body.rows[n], button = tr.cells[0].firstChild;
                        button.dataset.vehicle = v.i;
                        button.textContent = store.scene.vehicles[v.i].name;
                        button.setAttribute("aria-pressed", String(v.i === chosen()));
                        tr.cells[1].textContent = number(v.tilt, 1);
                        tr.cells[2].textContent = number(v.up, 2);
                        tr.cells[3].textContent = number(v.off, 2);
                        tr.cells[4].textContent = (v.armed === null ? "" : v.armed ? "armed" : "disarmed") + (v.contact ? ", touches" : "");
                        tr.classList.toggle("chosen", v.i === chosen());
                });
        }

        function latency() {
                const d = store.latency[chosen()] || store.latency.find((x) => x), place = $("latency_plot");
                place.replaceChildren();
                if (!d) { $("latency_words").textContent = "No figures yet"; return; }
                $("latency_words").textContent = `${d.count} samples: median ${d.p50_us.toFixed(0)} µs, 99 % within ${d.p99_us.toFixed(0)} µs, at most ${d.max_us.toFixed(0)} µs`;
                const bins = d.bins.map(([us, samples]) => [1e3 * us, 1e3 * us * 2 ** 0.125, samples]);
                drawing.histogram(place, { name: "sensor to motor", count: d.count, max_us: d.max_us, bins, quantiles: [["p50", d.p50_us], ["p99", d.p99_us]] }, place.clientWidth);
        }

        return { requirements, events, track, fleet, latency };
}
