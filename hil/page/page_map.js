// The flight seen from above, north up and to scale, with the heights beside it over the same north; played over time.

const flightMap = (function () {
const { make, draw, digits } = page;
const { rowsUntil, rowOf, placeAt } = records;
const $ = (id) => document.getElementById(id);
const world = page.data.map || { solids: [], regions: [], wind_mps: [0, 0] };
const COLLISION = 0, MEETING = 1;
const [NORTH, EAST, UP] = [0, 1, 2];
// More names than that hide what they name: then those alone that the plots show have one.
const namesMost = 24;

// 1, 2 or 5 times a power of ten, at least so much.
function roundStep(least) {
        const power = 10 ** Math.floor(Math.log10(least));
        return power * ([1, 2, 5].find((n) => n * power >= least) || 10);
}

class Bounds {
        constructor() {
                this.low = [Infinity, Infinity, Infinity];
                this.high = [-Infinity, -Infinity, -Infinity];
        }
        see(axis, value) {
                if (value < this.low[axis]) this.low[axis] = value;
                if (value > this.high[axis]) this.high[axis] = value;
        }
        seeTable(table) {
                for (const axis of [NORTH, EAST, UP]) for (const value of table.value[axis]) this.see(axis, value);
        }
        seeWorld() {
                for (const s of [...world.solids, ...world.regions]) for (const place of s.outline) place.forEach((value, axis) => this.see(axis, value));
        }
}

// The highest piece of a mesh in each cell, the higher the darker.
function reliefImage(relief) {
        const { columns, up_m } = relief, canvas = make("canvas"), context = canvas.getContext("2d");
        const known = up_m.filter((up) => up !== null), low = Math.min(...known), high = Math.max(...known);
        [canvas.width, canvas.height] = [columns, up_m.length / columns];
        context.fillStyle = "#808890";
        up_m.forEach((up, i) => {
                if (up === null) return;
                context.globalAlpha = 0.2 + 0.6 * (high > low ? (up - low) / (high - low) : 0.5);
                context.fillRect(i % columns, canvas.height - 1 - Math.floor(i / columns), 1, 1);
        });
        return { href: canvas.toDataURL(), words: `mesh, ${digits(low)} to ${digits(high)} m up, in cells of ${digits(relief.cell_m)} m` };
}

// A script says:
//   vehicles, events, end   of the flight, as page.h has them
//   table(i, name)          of a vehicle, unpacked: { time, value: [column] }; undefined: there is none
//   shown()                 numbers of the vehicles that the plots show
//   role(i)                 the name of a vehicle's colour
//   choose(i)               somebody wants to see that one
//   moved(t)                the time was changed here
//   timed(t)                that time is shown, whoever changed it
function open(shows) {
        const svg = $("above"), { end } = shows;
        const all = shows.vehicles.map((v, i) => i).filter((i) => shows.table(i, "position_truth"));
        const path = (i) => shows.table(i, "position_truth");
        const view = { north: 0, east: 0, scale: 1 };
        const area = { x: 46, y: 20 }, strip = { y: 20 };
        const relief = world.relief && reliefImage(world.relief);
        const flown = new Bounds();
        let now = end, width = 0, height = 0, layer = {}, marks = [];

        const x = (east) => area.x + area.w / 2 + (east - view.east) * view.scale;
        const y = (north) => area.y + area.h / 2 - (north - view.north) * view.scale;
        const u = (up) => strip.x + strip.w * (up - strip.low) / (strip.high - strip.low);
        const named = (element, words) => { draw(element, "title", {}, words); return element; };
        const points = (table, from, to, across) => {
                const list = [];
                for (let i = from; i < to; i++) list.push(`${across(i).toFixed(1)},${y(table.value[NORTH][i]).toFixed(1)}`);
                return list.join(" ");
        };

        function layOut() {
                width = svg.clientWidth || 800;
                height = Math.min(Math.max(0.62 * width, 280), 600);
                strip.w = Math.min(Math.max(0.2 * width, 64), 240);
                strip.x = width - strip.w - 10;
                area.w = strip.x - 34 - area.x;
                area.h = strip.h = height - area.y - 36;
                svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
        }

        function fit(bounds) {
                const span = [NORTH, EAST].map((axis) => (bounds.high[axis] - bounds.low[axis]) * 1.16 + 2);
                view.north = (bounds.high[NORTH] + bounds.low[NORTH]) / 2;
                view.east = (bounds.high[EAST] + bounds.low[EAST]) / 2;
                view.scale = Math.min(area.h / span[NORTH], area.w / span[EAST]);
                redraw();
        }

        // What does not change with time

        function axis(from, to, least, place, line, text) {
                const step = roundStep(least), decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
                for (let i = Math.ceil(from / step); i * step <= to; i++) {
                        line(place(i * step));
                        text(place(i * step), (i * step + 0).toFixed(decimals).replace("-", "−"));
                }
        }

        function drawGrid(to) {
                const line = (x1, x2, y1, y2) => draw(to, "line", { class: "grid", x1, x2, y1, y2 });
                const say = (at, down, anchor, text) => draw(to, "text", { x: at, y: down, "text-anchor": anchor }, text);
                const half = [area.h, area.w].map((pixels) => pixels / 2 / view.scale), base = area.y + area.h;
                axis(view.north - half[NORTH], view.north + half[NORTH], 32 / view.scale, y,
                        (at) => { line(area.x, area.x + area.w, at, at); line(strip.x, strip.x + strip.w, at, at); },
                        (at, text) => say(area.x - 5, at + 4, "end", text));
                axis(view.east - half[EAST], view.east + half[EAST], Math.min(64, area.w / 7.5) / view.scale, x,
                        (at) => line(at, at, area.y, base), (at, text) => say(at, base + 15, "middle", text));
                axis(strip.low, strip.high, Math.min(44, strip.w / 5) * (strip.high - strip.low) / strip.w, u,
                        (at) => line(at, at, strip.y, base), (at, text) => say(at, base + 15, "middle", text));
                say(area.x, area.y - 7, "start", "↑ north, m");
                say(area.x + area.w, base + 30, "end", "east, m →");
                say(strip.x, strip.y - 7, "start", strip.w > 110 ? "height over north" : "height");
                say(strip.x + strip.w, base + 30, "end", "up, m →");
                for (const box of [area, strip]) draw(to, "rect", { class: "frame", x: box.x, y: box.y, width: box.w, height: box.h });
        }

        function drawSolid(s, className, words) {
                const norths = s.outline.map((place) => place[NORTH]), top = y(Math.max(...norths));
                const outline = s.outline.map(([north, east]) => `${x(east).toFixed(1)},${y(north).toFixed(1)}`).join(" ");
                named(draw(layer.above, "polygon", { class: className, points: outline }), words);
                named(draw(layer.beside, "rect", { class: className + " beside", x: u(s.low_m), y: top, width: Math.max(u(s.high_m) - u(s.low_m), 1), height: Math.max(y(Math.min(...norths)) - top, 1) }), words);
        }

        // The way the air moves, and how fast.
        function drawWind(to, at, down, [north, east], words) {
                const speed = Math.hypot(north, east), size = 11 / speed;
                const head = [at + east * size, down - north * size];
                draw(to, "line", { class: "wind", x1: at - east * size, y1: down + north * size, x2: head[0], y2: head[1], "marker-end": "url(#arrow)" });
                if (words) draw(to, "text", { class: "wind", x: at - 18, y: down + 4, "text-anchor": "end" }, `wind ${digits(speed)} m/s from ${Math.round(Math.atan2(-east, -north) * 180 / Math.PI + 360) % 360}°`);
        }

        function drawWorld() {
                if (relief) {
                        const { north_m, east_m, cell_m, columns, up_m } = world.relief, rows = up_m.length / columns;
                        named(draw(layer.above, "image", { href: relief.href, x: x(east_m), y: y(north_m + rows * cell_m), width: columns * cell_m * view.scale,
                                height: rows * cell_m * view.scale, preserveAspectRatio: "none", class: "relief" }), relief.words);
                }
                for (const s of world.regions) {
                        drawSolid(s, "region", "region");
                        if (Math.hypot(...s.wind_mps) === 0) continue;
                        const middle = [NORTH, EAST].map((axis) => s.outline.reduce((sum, place) => sum + place[axis], 0) / s.outline.length);
                        drawWind(layer.above, x(middle[EAST]), y(middle[NORTH]), s.wind_mps, false);
                }
                const { route, fence } = world.mission || { route: [], fence: [] }, line = (places) => places.map(([north, east]) => `${x(east)},${y(north)}`).join(" ");
                for (const f of fence) named(draw(layer.above, "polygon", { class: f.inside ? "fence" : "fence outside", points: line(f.outline) }), f.inside ? "fence: stay inside" : "fence: stay outside");
                named(draw(layer.above, "polyline", { class: "plan", points: line(route) }), "the mission");
                for (const s of world.solids) drawSolid(s, "solid", `${s.name}, ${digits(s.low_m)} to ${digits(s.high_m)} m up`);
                if (world.ground_up_m !== undefined) draw(layer.beside, "line", { class: "ground", x1: u(world.ground_up_m), x2: u(world.ground_up_m), y1: strip.y, y2: strip.y + strip.h });
        }

        const look = (i, className) => `${className}${shows.shown().includes(i) ? " chosen" : ""}`;
        const tint = (i) => `--own: var(--${shows.role(i)})`;

        function drawPath(i) {
                const table = path(i), rows = table.time.length;
                const [north, east, up] = table.value, name = shows.vehicles[i].name;
                named(draw(layer.above, "polyline", { class: look(i, "path"), style: tint(i), points: points(table, 0, rows, (k) => x(east[k])) }), name);
                named(draw(layer.beside, "polyline", { class: look(i, "path"), style: tint(i), points: points(table, 0, rows, (k) => u(up[k])) }), name);
                named(draw(layer.above, "circle", { class: look(i, "start"), style: tint(i), cx: x(east[0]), cy: y(north[0]), r: 4 }), `${name} starts`);
        }

        function drawAsked(i) {
                const table = shows.table(i, "setpoint"), seen = new Set();
                if (!table) return;
                for (let k = 0; k < table.time.length; k++) {
                        const [north, east, up] = rowOf(table, k), key = `${north} ${east} ${up}`;
                        if (!Number.isFinite(north) || seen.has(key)) continue;
                        seen.add(key);
                        for (const [to, at] of [[layer.above, x(east)], [layer.beside, u(up)]])
                                named(draw(to, "path", { class: "asked", style: tint(i), d: `M${at - 5},${y(north)}l5,-5l5,5l-5,5z` }),
                                        `${shows.vehicles[i].name} was asked at ${table.time[k].toFixed(3)} s to go there: ${digits(north)} m north, ${digits(east)} m east, ${digits(up)} m up`);
                }
        }

        function drawHits() {
                for (const e of shows.events) {
                        if ((e.kind !== COLLISION && e.kind !== MEETING) || !all.includes(e.vehicle)) continue;
                        const [north, east, up] = placeAt(path(e.vehicle), e.at);
                        const words = `${e.at.toFixed(3)} s: ${shows.vehicles[e.vehicle].name} ${e.kind === MEETING ? "met" : "hit"} ${e.what}, ${digits(e.impact_mps)} m/s`;
                        for (const [to, at] of [[layer.hits, x(east)], [layer.hitsBeside, u(up)]]) {
                                const mark = draw(to, "g", { class: e.kind === MEETING ? "hit met" : "hit" });
                                if (e.kind === MEETING && to === layer.hits) draw(mark, "circle", { cx: at, cy: y(north), r: 6 });
                                draw(mark, "text", { x: at, y: y(north) + 4, "text-anchor": "middle" }, "✶");
                                marks.push({ at: e.at, mark: named(mark, words) });
                        }
                }
        }

        function clip(id, box) {
                draw(draw(svg, "clipPath", { id }), "rect", { x: box.x, y: box.y, width: box.w, height: box.h });
                return { "clip-path": `url(#${id})` };
        }

        function redraw() {
                svg.replaceChildren();
                marks = [];
                draw(svg, "title", {}, "");
                const arrow = draw(svg, "marker", { id: "arrow", viewBox: "0 0 8 8", refX: "6", refY: "4", markerWidth: "6", markerHeight: "6", orient: "auto" });
                draw(arrow, "path", { class: "head", d: "M0,0L8,4L0,8z" });
                const above = clip("clipAbove", area), beside = clip("clipBeside", strip);
                const shown = shows.shown();
                drawGrid(draw(svg, "g", {}));
                for (const [name, where] of [["above", above], ["beside", beside], ["hits", above], ["hitsBeside", beside], ["now", above], ["nowBeside", beside], ["words", above]])
                        layer[name] = draw(svg, "g", where);
                drawWorld();
                // Those that the plots show lie on top.
                for (const i of [...all.filter((i) => !shown.includes(i)), ...shown.filter((i) => all.includes(i))]) drawPath(i);
                for (const i of all.length <= 4 ? all : shown) drawAsked(i);
                drawHits();
                drawNow();
        }

        // What does

        function windNow() {
                const around = shows.table(shows.shown()[0], "around"), rows = around ? rowsUntil(around, now) : 0;
                return rows > 0 ? [around.value[3][rows - 1], around.value[4][rows - 1]] : world.wind_mps;
        }

        function drawVehicle(i, labels) {
                const table = path(i), place = placeAt(table, now), [north, east, up] = place;
                const first = rowsUntil(table, now - Math.max(end / 10, 2)), last = rowsUntil(table, now);
                const head = (across) => ` ${across.toFixed(1)},${y(north).toFixed(1)}`;
                const tail = (to, across, at) => draw(to, "polyline", { class: look(i, "tail"), style: tint(i), points: points(table, first, last, across) + head(at) });
                tail(layer.now, (k) => x(table.value[EAST][k]), x(east));
                tail(layer.nowBeside, (k) => u(table.value[UP][k]), u(up));
                const attitude = shows.table(i, "attitude_truth"), rows = attitude ? rowsUntil(attitude, now) : 0;
                const yaw = rows > 0 ? attitude.value[2][rows - 1] : 0;
                draw(layer.now, "path", { class: look(i, "craft"), style: tint(i), d: "M0,-9L6,6L0,3L-6,6z", transform: `translate(${x(east).toFixed(1)} ${y(north).toFixed(1)}) rotate(${yaw.toFixed(1)})` });
                draw(layer.nowBeside, "circle", { class: look(i, "craft"), style: tint(i), cx: u(up), cy: y(north), r: 4 });
                labels.push({ i, at: x(east) + 9, down: y(north) - 7 });
        }

        // A name that would lie on another one stays out.
        function drawNames(labels) {
                const shown = shows.shown(), placed = [];
                const first = labels.filter((l) => shown.includes(l.i)), rest = all.length <= namesMost ? labels.filter((l) => !shown.includes(l.i)) : [];
                for (const l of [...first, ...rest]) {
                        const name = shows.vehicles[l.i].name, wide = 7 * name.length, right = area.x + area.w;
                        // On the other side of one that is close to the edge.
                        const at = l.at < right && l.at + wide > right ? l.at - 18 - wide : l.at;
                        if (placed.some((p) => Math.abs(p.down - l.down) < 13 && at < p.at + p.wide && p.at < at + wide)) continue;
                        placed.push({ at, down: l.down, wide });
                        draw(layer.words, "text", { class: look(l.i, "name"), x: at, y: l.down }, name);
                }
        }

        function drawNow() {
                const labels = [], shown = shows.shown(), [first] = shown;
                for (const name of ["now", "nowBeside", "words"]) layer[name].replaceChildren();
                for (const i of [...all.filter((i) => !shown.includes(i)), ...shown.filter((i) => all.includes(i))]) drawVehicle(i, labels);
                drawNames(labels);
                const wind = windNow();
                if (Math.hypot(...wind) > 0) drawWind(layer.words, area.x + area.w - 20, area.y + 20, wind, true);
                for (const m of marks) m.mark.classList.toggle("later", m.at > now);
                const [north, east, up] = all.includes(first) ? placeAt(path(first), now).map((value) => value.toFixed(2)) : [];
                $("place").textContent = `${now.toFixed(2)} of ${end.toFixed(2)} s` + (up ? `; ${shows.vehicles[first].name}: ${north} m north, ${east} m east, ${up} m up` : "");
                shows.timed(now);
                svg.firstChild.textContent = `Top view: ${all.length} ${all.length === 1 ? "vehicle" : "vehicles"} at ${$("place").textContent}`;
        }

        function setTime(t) {
                now = t;
                drawNow();
        }

        const player = flightPlayer.open({ end, show: setTime, moved: shows.moved });

        // The view

        function zoom(factor, at = area.x + area.w / 2, down = area.y + area.h / 2) {
                const east = view.east + (at - area.x - area.w / 2) / view.scale, north = view.north - (down - area.y - area.h / 2) / view.scale;
                view.scale = Math.min(Math.max(view.scale * factor, 1e-3), 1e4);
                view.east = east - (at - area.x - area.w / 2) / view.scale;
                view.north = north + (down - area.y - area.h / 2) / view.scale;
                redraw();
        }

        function pan(right, down) {
                view.east += right / view.scale;
                view.north -= down / view.scale;
                redraw();
        }

        function fitWorld() {
                const bounds = new Bounds();
                for (const i of all) bounds.seeTable(path(i));
                bounds.seeWorld();
                fit(bounds);
        }

        const actions = { closer: () => zoom(1.5), wider: () => zoom(1 / 1.5), flight: () => fit(flown), world: fitWorld };
        for (const b of document.querySelectorAll("[data-view]")) b.addEventListener("click", actions[b.dataset.view]);
        document.querySelector('[data-view="world"]').hidden = world.solids.length + world.regions.length === 0;
        const keys = { ArrowLeft: () => pan(-60, 0), ArrowRight: () => pan(60, 0), ArrowUp: () => pan(0, -60), ArrowDown: () => pan(0, 60),
                "+": actions.closer, "-": actions.wider, 0: actions.flight, " ": player.toggle };
        svg.addEventListener("keydown", (e) => {
                if (!keys[e.key] || e.ctrlKey || e.altKey || e.metaKey) return;
                e.preventDefault();
                keys[e.key]();
        });
        const inside = (e) => [e.clientX - svg.getBoundingClientRect().left, e.clientY - svg.getBoundingClientRect().top];
        svg.addEventListener("wheel", (e) => {
                if (!e.ctrlKey) return;
                e.preventDefault();
                zoom(Math.exp(Math.max(-1, Math.min(1, -e.deltaY / 300))), ...inside(e));
        }, { passive: false });

        // A drag pans, a click chooses the vehicle that is nearest, as it flies or by its path.
        let held = null;
        function nearest(at, down) {
                let found = -1, least = 14;
                const see = (i, north, east, more) => {
                        const far = Math.hypot(x(east) - at, y(north) - down) + more;
                        if (far < least) [found, least] = [i, far];
                };
                for (const i of all) {
                        const table = path(i), place = placeAt(table, now);
                        see(i, place[NORTH], place[EAST], 0);
                        for (let k = 0; k < table.time.length; k++) see(i, table.value[NORTH][k], table.value[EAST][k], 6);
                }
                return found;
        }
        svg.addEventListener("pointerdown", (e) => { if (e.button === 0) held = { from: inside(e), at: inside(e), moves: false }; });
        svg.addEventListener("pointermove", (e) => {
                if (!held) return;
                const [at, down] = inside(e);
                if (!held.moves && Math.hypot(at - held.from[0], down - held.from[1]) < 5) return;
                held.moves = true;
                svg.setPointerCapture(e.pointerId);
                pan(held.at[0] - at, held.at[1] - down);
                held.at = [at, down];
        });
        svg.addEventListener("pointerup", (e) => {
                const chosen = held && !held.moves ? nearest(...inside(e)) : -1;
                held = null;
                if (chosen >= 0) shows.choose(chosen);
        });
        svg.addEventListener("pointercancel", () => { held = null; });

        // Off it goes

        for (const i of all) flown.seeTable(path(i));
        for (const i of all.length <= 4 ? all : []) {
                const asked = shows.table(i, "setpoint");
                if (asked) flown.seeTable(asked);
        }
        if (all.length === 0) {
                $("map").replaceChildren(make("p", "", "The log holds no positions."));
                return { setTime: () => {}, redraw: () => {} };
        }
        flown.see(UP, world.ground_up_m);
        const spare = 0.06 * (flown.high[UP] - flown.low[UP]) + 0.2;
        [strip.low, strip.high] = [flown.low[UP] - spare, flown.high[UP] + spare];
        $("map").hidden = false;
        layOut();
        fit(flown);
        // Later, because the observer may not change what it observes.
        new ResizeObserver(() => requestAnimationFrame(() => {
                if (svg.clientWidth === 0 || svg.clientWidth === width) return;
                view.scale *= svg.clientWidth / width;
                layOut();
                redraw();
        })).observe(svg);
        return { setTime: player.setTime, redraw };
}

return { open };
})();
