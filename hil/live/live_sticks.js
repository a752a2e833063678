// Two sticks and switches on the page, for the vehicle that is followed, if its joystick is "page". From the first touch on what they
// say is sent whenever it changes, and twice a second in any case: sticks of which nothing is heard are lost. Before, somebody else
// may hold them, on another page.

const Sticks = (box, store) => {
        const pads = [
                { name: "Left stick", x: "ABS_RX", y: "ABS_RY", stays: "ABS_THROTTLE" },
                { name: "Right stick", x: "ABS_X", y: "ABS_Y" },
        ];
        let vehicle = -1, at = {}, sent = 0, changed = false, held = false;

        function move(input, value) {
                held = true;
                if (!(input in at) || at[input] === value) return;
                at[input] = value;
                changed = true;
        }

        function means(control) {
                return control.drives === "channel" ? "channel " + control.channel : control.drives;
        }

        // Up is negative on a stick's axis, as kernels have it, and more on a throttle, which stays where it is let go.
        function makePad(pad, controls) {
                const of = (input) => controls.find((c) => c.input === input);
                const stays = of(pad.stays), y = stays ? pad.stays : pad.y, range = stays ? [0, 1000] : [1000, -1000];
                if (!of(pad.x) && !of(y)) return null;
                const stick = document.createElement("div"), knob = document.createElement("i");
                const label = [of(pad.x) && means(of(pad.x)) + " across", of(y) && means(of(y)) + " up and down"].filter(Boolean).join(", ");
                stick.className = "stick";
                stick.tabIndex = 0;
                stick.setAttribute("role", "slider");
                stick.setAttribute("aria-label", pad.name + ": " + label);
                stick.title = label;
                stick.append(knob);

                // Both from -1 to 1, right and up.
                function set(right, up) {
                        if (right !== null) move(pad.x, Math.round(1000 * right));
                        if (up !== null) move(y, Math.round(range[0] + (range[1] - range[0]) * (up + 1) / 2));
                        draw();
                }
                function draw() {
                        const right = (at[pad.x] || 0) / 1000, up = 2 * ((at[y] || 0) - range[0]) / (range[1] - range[0]) - 1;
                        knob.style.left = 50 + 50 * right + "%";
                        knob.style.top = 50 - 50 * up + "%";
                        stick.setAttribute("aria-valuenow", Math.round(100 * up));
                        stick.setAttribute("aria-valuemin", -100);
                        stick.setAttribute("aria-valuemax", 100);
                        stick.setAttribute("aria-valuetext", `${Math.round(100 * right)} % right, ${Math.round(100 * up)} % up`);
                }
                const release = () => set(0, stays ? null : 0);
                const follow = (e) => {
                        const r = stick.getBoundingClientRect(), part = (v) => Math.max(-1, Math.min(1, 2 * v - 1));
                        set(part((e.clientX - r.left) / r.width), -part((e.clientY - r.top) / r.height));
                };
                stick.onpointerdown = (e) => { stick.setPointerCapture(e.pointerId); stick.focus(); follow(e); e.preventDefault(); };
                stick.onpointermove = (e) => { if (stick.hasPointerCapture(e.pointerId)) follow(e); };
                stick.onpointerup = stick.onpointercancel = release;
                stick.onblur = () => { if (held) release(); };
                const keys = { ArrowLeft: [-1, null], ArrowRight: [1, null], ArrowUp: [null, 1], ArrowDown: [null, -1] };
                stick.onkeydown = (e) => {
                        const way = keys[e.key], part = e.shiftKey ? 1 : 0.5;
                        if (!way) return;
                        e.preventDefault();
                        e.stopPropagation();
                        if (way[1] !== null && stays) set(null, Math.max(-1, Math.min(1, at[y] / 500 - 1 + way[1] * part / 10)));
                        else set(way[0] && way[0] * part, way[1] && way[1] * part);
                };
                stick.onkeyup = (e) => { if (keys[e.key] && !(stays && keys[e.key][1])) set(keys[e.key][0] && 0, keys[e.key][1] && 0); };
                draw();
                const figure = document.createElement("figure"), caption = document.createElement("figcaption");
                caption.textContent = label;
                figure.append(stick, caption);
                return figure;
        }

        function makeSwitch(control) {
                const button = document.createElement("button");
                button.type = "button";
                button.textContent = control.input + ": " + means(control);
                button.setAttribute("aria-pressed", "false");
                button.onclick = () => {
                        move(control.input, 1 - at[control.input]);
                        button.setAttribute("aria-pressed", String(at[control.input] === 1));
                };
                return button;
        }

        function say() {
                const now = performance.now();
                if (vehicle < 0 || !held || store.end || !(changed || now - sent > 500)) return;
                store.sticks(vehicle, at);
                [changed, sent] = [false, now];
        }
        setInterval(say, 20);

        return {
                // Another flight, or another vehicle is followed: the sticks are at rest, and nobody's.
                show(which) {
                        const all = store.scene && store.scene.sticks ? store.scene.sticks : [];
                        const controls = all.filter((c) => c.vehicle === which);
                        vehicle = controls.length && !store.end ? which : -1;
                        at = Object.fromEntries(controls.map((c) => [c.input, 0]));
                        held = false;
                        box.hidden = vehicle < 0;
                        box.replaceChildren(...pads.map((p) => makePad(p, controls)).filter(Boolean),
                                ...controls.filter((c) => c.input.startsWith("BTN_")).map(makeSwitch));
                },
        };
};
