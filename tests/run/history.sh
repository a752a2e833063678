#!/usr/bin/env bash
# Releases in their order: where they change, that the newest is worse, releases that have not been flown, and wrong words.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

cat >"$scratch/hop.json" <<'EOF'
{
  "name": "hop", "duration_s": 4,
  "steps": [
    { "at_s": 0, "mode": "disarmed" },
    { "at_s": 2, "mode": "armed" },
    { "at_s": 2, "mode": "goto", "up_m": 1.5 }
  ],
  "requirements": [{ "name": "stays upright", "kind": "always", "signal": "tilt_deg", "max": 45 }]
}
EOF
printf '{ "name": "hop", "rigs": [{ "file": "%s/rig_configs/default.json" }], "scenarios": [{ "file": "hop.json" }],
  "set": ["log.wire=false", "vehicles.0.fc.link=inside"], "pace": "lockstep", "seeds": { "count": 3 } }' "$PWD" >"$scratch/suite.json"

# release NAME DELAY
release() {
        "$hilrig" suite "$scratch/suite.json" --out "$scratch/all/$1" --set "vehicles.0.fc.reference.planted.delay_us=$2" \
                >"$scratch/out" 2>"$scratch/err" || fail "release $1"
}
for i in 1 2 3 4 9 10; do release "b$i" 0; done
expect 0 "$hilrig" history "$scratch/all"
says "6 releases, b1 to b10: 18 flights, "
says "no worse: b10 is no worse than what came before it"
says_not "from b"

# One that is worse, mended by the next.
release b11 30000
expect 1 "$hilrig" history "$scratch/all" --json "$scratch/worse.json" --html "$scratch/worse.html"
says "from b11 on"
says "worse: b11 has "
release b12 0
mkdir "$scratch/all/b13" "$scratch/all/.hidden"
expect 0 "$hilrig" history "$scratch/all" --json "$scratch/mended.json"
says "from b11 on"
says "from b12 on"
says "1 without a finished flight: left out"
node - "$scratch" <<'EOF' || fail "history.json"
const fs = require('fs'), assert = require('assert'), folder = process.argv[2];
const worse = JSON.parse(fs.readFileSync(`${folder}/worse.json`)), mended = JSON.parse(fs.readFileSync(`${folder}/mended.json`));
assert.deepStrictEqual(mended.releases.map((r) => r.name), ['b1', 'b2', 'b3', 'b4', 'b9', 'b10', 'b11', 'b12']);
assert(worse.newly_worse > 0 && mended.newly_worse === 0);
for (const r of mended.rows) {
        assert.strictEqual(r.level.length, 8);
        // What a release's flights have is what summary.json says.
        if (r.kind !== 'metric' || r.better === 'zero') continue;
        const values = [1, 2, 3].map((seed) => JSON.parse(fs.readFileSync(`${folder}/all/b11/default/hop/${seed}-1/summary.json`)).metrics
                .find((m) => r.name === m.name || r.name.startsWith(m.name + ' (')).value);
        assert(Math.abs(r.mean[6] - values.reduce((a, b) => a + b) / 3) <= 1e-9 * Math.abs(r.mean[6]), r.name);
        assert.strictEqual(r.least[6], Math.min(...values));
        assert.strictEqual(r.most[6], Math.max(...values));
}
const page = fs.readFileSync(`${folder}/worse.html`, 'utf8');
const data = JSON.parse(page.match(/<script type="application\/json" id="data">([^]*?)<\/script>/)[1]);
assert.deepStrictEqual(data.history.rows, worse.rows);
assert.strictEqual(data.verdict, 'worse');
EOF

# What one night is too few to show fails on the first that does, once.
node - "$scratch" <<'EOF'
const fs = require('fs'), folder = process.argv[2], nights = `${folder}/nights`;
const summary = JSON.parse(fs.readFileSync(`${folder}/all/b1/default/hop/1-1/summary.json`));
const metric = summary.metrics.find((m) => m.name === 'tilt_max_deg');
// A spread of 0.6, of sums of twelve numbers of a generator, and 1.5 more from 1.16 on.
let state = 7;
const uniform = () => (state = (state * 48271) % 2147483647) / 2147483647;
for (let night = 0; night < 24; night++) {
        const at = `${nights}/1.${night}/default/hop/1-1`;
        metric.value = 10 + 0.6 * (Array.from({ length: 12 }, uniform).reduce((a, b) => a + b) - 6) + (night < 16 ? 0 : 1.5);
        fs.mkdirSync(at, { recursive: true });
        fs.writeFileSync(`${at}/summary.json`, JSON.stringify(summary));
}
EOF
failed=
for night in {2..23}; do
        seq -f '1.%.0f' 0 "$night" >"$scratch/flown"
        "$hilrig" history "$scratch/nights" --builds "$scratch/flown" >"$scratch/out" 2>"$scratch/err"
        status=$?
        [ $status = 0 ] && continue
        [ $status = 1 ] || fail "night $night: exit status $status"
        failed="$failed $night"
        says "from 1.16 on"
        says "worse: 1.$night has 1 row newly found worse"
done
[[ $failed =~ ^\ (1[789]|2[0-3])$ ]] || fail "failed in the nights:$failed"

# An order that names do not have; a release that nobody has flown.
printf '%s\n' b9 b11 b1 nobody >"$scratch/order"
expect 0 "$hilrig" history "$scratch/all" --builds "$scratch/order"
says "3 releases, b9 to b1: 9 flights"

# Wrong words.
expect 2 "$hilrig" history
says "needs a folder of releases"
expect 2 "$hilrig" history "$scratch/all" "$scratch/all"
expect 2 "$hilrig" history "$scratch/nowhere"
says "nowhere: "
expect 2 "$hilrig" history "$scratch/all/.hidden"
says "needs the folders of two releases or more"
expect 2 "$hilrig" history "$scratch/all" --error 51
says "--error: must be a number from 0 to 50"
expect 2 "$hilrig" history "$scratch/all" --builds "$scratch/nowhere"
says "nowhere"
# What cannot be read is told.
echo '{' >"$scratch/all/b10/default/hop/1-1/summary.json"
expect 0 "$hilrig" history "$scratch/all"
says "1 summaries could not be read: "
