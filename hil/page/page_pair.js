// The two flights of a comparison's first pair in one scene, baseline orange and candidate blue, as in its curves.

const flightPair = (function () {
const $ = (id) => document.getElementById(id);

// moved(t): the time was changed here.
function open({ moved }) {
        const { pair } = page.data, sides = ["baseline", "candidate"], own = [1, 0];
        const flown = pair.sides.flatMap((side, s) => side.vehicles.map((v) => ({ ...v, side: s })));
        // Of each side as many vehicles as the baseline's scene has.
        const vehicles = sides.flatMap((name, s) => pair.scene.vehicles.map((v) => ({ ...v, colour: own[s], sonars: [], name: pair.scene.vehicles.length > 1 ? `${name}, ${v.name}` : name })));
        const table = (i, name) => flown[i].tables[name] && records.unpack(flown[i].tables[name]);
        const end = Math.max(...pair.sides.map((side) => side.end_s), 0.001);
        const space = flightSpace.open({ about: { ...pair.scene, vehicles }, vehicles: flown, events: [], table, shown: () => [0] });
        const player = flightPlayer.open({ end, moved, show: (t) => {
                const places = [0, pair.scene.vehicles.length].map((i) => (table(i, "position_truth") ? records.placeAt(table(i, "position_truth"), t) : null));
                $("place").textContent = `${t.toFixed(2)} of ${end.toFixed(2)} s` + (places.every(Boolean) ? `; ${Math.hypot(...places[0].map((x, k) => x - places[1][k])).toFixed(2)} m apart` : "");
                space.show(t);
        } });
        $("pair_name").textContent = `${pair.group}, ${pair.name}; the world is the baseline's.`;
        player.setTime(end);
        return { setTime: player.setTime, objects: space.objects, show(on) { $("pair").hidden = !on; } };
}

return { open };
})();
