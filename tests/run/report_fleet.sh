#!/usr/bin/env bash
# A fleet that meets, as it is told: on the terminal, in summary.json and in its report, where it begins with the worst, the
# median and the best vehicle, and every other one can be chosen; the page stays small, and what it has of a vehicle that
# was thinned most still has its peaks. Lockstep: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

cat >"$scratch/up.json" <<'EOF_'
{
  "name": "up",
  "duration_s": 6,
  "steps": [
    { "at_s": 0, "mode": "disarmed" },
    { "at_s": 2.5, "mode": "armed" },
    { "at_s": 3, "mode": "goto", "up_m": 2, "north_m": 3 },
    { "at_s": 3, "vehicle": 1, "mode": "goto", "up_m": 2, "north_m": 3, "east_m": 8 }
  ],
  "requirements": [ { "name": "stays upright", "kind": "always", "signal": "tilt_deg", "max": 60 } ]
}
EOF_
count=24
expect 0 "$hilrig" run rig_configs/default.json --pace lockstep --scenario "$scratch/up.json" --out "$scratch/fleet" "${inside[@]}" \
        --set vehicles.0.copies.count=$count --set vehicles.0.copies.spacing_m=0.75 --set period_us=4000 \
        --set world.wind_mps.east=4 --set wash=false \
        --set 'world.obstacles=[{"name":"pole","shape":"cylinder","at_m":{"north":9},"radius_m":0.2,"height_m":5}]'
says "  passed     stays upright (md4_200_0): "
says "  $count vehicles"
grep -qE '^  tilt_max_deg +worst [0-9.]+ deg \(md4_200_[0-9]+\), median [0-9.]+ \(md4_200_[0-9]+\)$' "$scratch/out" ||
        fail "the worst and the median tilt are not named"
[ "$(grep -c '^flight controller' "$scratch/out")" -lt $count ] || fail "every flight controller is printed"
page=$scratch/fleet/report.html
[ "$(stat -c %s "$page")" -lt 4000000 ] || fail "the report has $(stat -c %s "$page") bytes"

needs node nodejs
# few PAGE: how many vehicles have but some tables. peaks PAGE NAME: the least and the most of how it lay.
cat >"$scratch/page.mjs" <<'EOF_'
import { readFileSync } from "node:fs";
const [what, page, name] = process.argv.slice(2);
const { flight } = JSON.parse(readFileSync(page, "utf8").match(/id="data">(.*?)<\/script>/s)[1]);
if (what === "few") console.log(flight.vehicles.filter((v) => v.few).length, flight.vehicles.find((v) => v.few).name);
if (what === "rows") console.log(flight.vehicles.find((v) => v.name === name).tables.attitude_truth.t.length);
if (what === "peaks") console.log(JSON.stringify(flight.vehicles.find((v) => v.name === name).tables.attitude_truth.v.map((c) => [Math.min(...c), Math.max(...c)])));
EOF_
asks() { node "$scratch/page.mjs" "$@"; }
read -r few other <<<"$(asks few "$page")"
[ "$few" -eq $((count - 3)) ] || fail "$few of $count vehicles have but some tables, in place of all but three"
[ "$(asks rows "$page" "$other")" -lt 1500 ] || fail "nothing was thinned"
peaks=$(asks peaks "$page" "$other")
expect 2 "$hilrig" report --vehicle nobody "$scratch/fleet"
says "no vehicle is called nobody"
cp "$page" "$scratch/first.html"
expect 0 "$hilrig" report "$scratch/fleet" --vehicle "$other"
[ "$(asks few "$page" | cut -d ' ' -f 1)" -eq $((count - 4)) ] || fail "$other is not whole in a page of its own"
[ "$(asks peaks "$page" "$other")" = "$peaks" ] || fail "thinning lost a peak of $other: $peaks became $(asks peaks "$page" "$other")"

enough_under_sanitizers
. tests/browser.bash
{
        cat "$scratch/first.html"
        cat <<EOF_
<script>
const count = (what) => document.querySelectorAll(what).length, found = [];
const note = (name, value) => found.push(name + '=' + value);
const plotted = (name) => [...document.querySelectorAll('figure.plot')].some((f) => f.textContent.startsWith(name));
setTimeout(() => {
        const chooser = document.getElementById('vehicle');
        note('paths', count('#above polyline.path'));
        note('chosen', count('#above polyline.path.chosen'));
        note('solids', count('#above polygon.solid'));
        note('met', count('#above .hit.met') > 0);
        note('wind', document.querySelector('#above text.wind').textContent);
        note('first', chooser.value);
        note('lines', [...document.querySelectorAll('figure.plot')].find((f) => f.textContent.startsWith('Up')).querySelectorAll('.key').length);
        note('motors', plotted('Motor command'));
        chooser.value = [...chooser.options].find((o) => o.textContent === '$other').value;
        chooser.dispatchEvent(new Event('change'));
        note('one', count('#above polyline.path.chosen'));
        note('says', /only the true position/.test(document.getElementById('shown').textContent));
        document.body.append(found.join('; ') + ';');
}, 3000);
</script>
EOF_
} >"$scratch/probe.html"
timeout 120 "$browser" --headless=new --no-sandbox --disable-gpu --disable-3d-apis --disable-dev-shm-usage --no-first-run --user-data-dir="$scratch/browser" \
        --virtual-time-budget=10000 --enable-logging=stderr --v=0 --dump-dom "file://$scratch/probe.html" >"$scratch/dom" 2>"$scratch/log" </dev/null ||
        fail "$browser: exit status $?"
if grep -E 'CONSOLE|Uncaught|Refused to' "$scratch/log"; then fail "the browser complained"; fi
shows() { # name, what
        local is
        is=$(grep -oE "$1=[^;]*;" "$scratch/dom" | tail -n 1 | sed 's/^[a-z]*=//; s/;$//')
        [ "$is" = "$2" ] || fail "the page's $1: $is in place of $2"
}
shows paths $((2 * count))
shows chosen 6
shows solids 1
shows met true
shows wind "wind 4.00 m/s from 270°"
shows first fleet
shows lines 3
shows motors false
shows one 2
shows says true
