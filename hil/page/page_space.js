// The flight of a report in three dimensions: frames as the scene wants them, from the tables of the page.

const flightSpace = (function () {
const { rowsUntil, rowOf, placeAt } = records;
const $ = (id) => document.getElementById(id);
const COLLISION = 0, MEETING = 1, degree = Math.PI / 180;

// North, east, up: what the tables have.
const down = ([north, east, up]) => [north, east, -up];

function quaternion([roll, pitch, yaw]) {
        const [cr, cp, cy] = [roll, pitch, yaw].map((a) => Math.cos(a * degree / 2)), [sr, sp, sy] = [roll, pitch, yaw].map((a) => Math.sin(a * degree / 2));
        return [cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy];
}

// Between two records the shorter way from one to the other.
function attitudeAt(table, t) {
        const next = rowsUntil(table, t), last = table.time.length - 1;
        if (next === 0 || next > last) return quaternion(rowOf(table, next === 0 ? 0 : last));
        const share = (t - table.time[next - 1]) / (table.time[next] - table.time[next - 1]), a = quaternion(rowOf(table, next - 1)), b = quaternion(rowOf(table, next));
        const sign = a.reduce((sum, x, k) => sum + x * b[k], 0) < 0 ? -1 : 1, q = a.map((x, k) => (1 - share) * x + share * sign * b[k]), size = Math.hypot(...q);
        return q.map((x) => x / size);
}

// The newest record that is not later; null: there is none.
function rowAt(table, t) {
        const rows = table ? rowsUntil(table, t) : 0;
        return rows > 0 ? rowOf(table, rows - 1) : null;
}

// A script says:
//   about              the scene; undefined: there is none
//   vehicles, events   of the flight, as page.h has them
//   table(i, name)     of a vehicle, unpacked; undefined: there is none
//   shown()            numbers of the vehicles that the plots show
function open(shows) {
        const { about } = shows, box = $("scene"), none = { show() {}, follow() {}, zoom() {}, objects() {} };
        let scene = null, now = 0, stale = true, seen = false;

        function vehicleAt(i, t) {
                const table = (name) => (shows.vehicles[i] ? shows.table(i, name) : undefined);
                const [place, attitude, believed, lies] = ["position_truth", "attitude_truth", "position", "attitude"].map(table);
                const asked = rowAt(table("setpoint"), t), told = believed && lies && t >= Math.max(believed.time[0], lies.time[0]);
                const sonar = (n) => { const row = rowAt(table(`sonar${n}`), t); return row && Number.isFinite(row[0]) ? row[0] : null; };
                const tick = rowAt(table("tick"), t), around = rowAt(table("around"), t), air = around && around.slice(3, 6), fix = rowAt(table("gps"), t), used = rowAt(table("satellites"), t);
                return { p: place ? down(placeAt(place, t)) : about.vehicles[i].start, q: attitude ? attitudeAt(attitude, t) : [1, 0, 0, 0], rotors: rowAt(table("rotors"), t),
                        estimate: told ? { p: down(placeAt(believed, t)), q: attitudeAt(lies, t) } : null,
                        setpoint: asked && asked.slice(0, 3).every(Number.isFinite) ? down(asked) : null, sonars: about.vehicles[i].sonars.map((_, n) => sonar(n)), contact: Boolean(tick && tick[3]),
                        gps: fix && fix.slice(0, 3).every(Number.isFinite) ? { p: down(fix), h_acc_m: fix[7], v_acc_m: fix[8], satellites: fix[6], used: used && used.every(Number.isFinite) ? used : null } : null, wind: air && air.every(Number.isFinite) ? air : about.wind };
        }

        function frameAt(t) {
                return { time_s: t, vehicles: about.vehicles.map((_, i) => vehicleAt(i, t)) };
        }

        function hits() {
                const places = (e) => shows.vehicles[e.vehicle] && shows.table(e.vehicle, "position_truth");
                return shows.events.filter((e) => (e.kind === COLLISION || e.kind === MEETING) && about.vehicles[e.vehicle] && places(e)).map((e) => ({ time_s: e.at, p: down(placeAt(places(e), e.at)) }));
        }

        // What is out of sight need not be drawn.
        function draw() {
                if (!seen || !stale) return;
                stale = false;
                scene.show(frameAt(now));
        }

        function say(why) {
                $("space").classList.add("without");
                box.remove();
                $("cameras").remove();
                $("space_note").textContent = why;
                return none;
        }

        function look(name) {
                for (const b of $("cameras").querySelectorAll("[data-camera]")) b.setAttribute("aria-pressed", String(b.dataset.camera === name));
                scene.camera(name);
        }

        if (!about) return say("Without a config.json that this version can read there is no world to show in three dimensions.");
        try { scene = Scene(box, about, { paths: true, control: true }); } catch (e) {
                return say(`This browser cannot show three dimensions (${e.message}) The view from above shows the same flight.`);
        }
        about.vehicles.forEach((_, i) => {
                const path = shows.vehicles[i] && shows.table(i, "position_truth");
                if (path) scene.path(i, path.time, Array.from(path.time, (t, k) => down(rowOf(path, k))));
        });
        scene.marks(hits());
        $("cameras").addEventListener("click", (e) => { if (e.target.dataset.camera) look(e.target.dataset.camera); });
        for (const [id, by] of [["nearer", 1 / 1.3], ["further", 1.3]]) $(id).addEventListener("click", () => scene.zoom(by));
        const keys = { ArrowLeft: () => scene.turn(-0.15), ArrowRight: () => scene.turn(0.15), ArrowUp: () => scene.turn(0, 0.1), ArrowDown: () => scene.turn(0, -0.1),
                "+": () => scene.zoom(1 / 1.2), "-": () => scene.zoom(1.2), 1: () => look("follow"), 2: () => look("orbit"), 3: () => look("top"), " ": () => $("play").click() };
        box.addEventListener("keydown", (e) => {
                if (!keys[e.key] || e.ctrlKey || e.altKey || e.metaKey) return;
                e.preventDefault();
                keys[e.key]();
        });
        new IntersectionObserver((entries) => { seen = entries[entries.length - 1].isIntersecting; draw(); }, { rootMargin: "100px 0px" }).observe(box);
        new ResizeObserver(() => scene.resize()).observe(box);
        page.recolours.push(() => scene.restyle());

        return {
                show(t) { [now, stale] = [t, true]; draw(); },
                follow(i) { if (about.vehicles[i]) scene.follow(i); stale = true; draw(); },
                // For tests: what is drawn of a vehicle, at the time that is shown.
                objects(i) { scene.show(frameAt(now)); return scene.objects(i); },
        };
}

return { open };
})();
