#!/usr/bin/env bash
# What files, folders and command lines are called is text: nothing of it moves a terminal's cursor or forges a line.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

# tame: the last command's output has no control character but newlines, nor a mark that turns the direction of text.
tame() {
        LC_ALL=C grep -nP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|(^|[\x00-\x7f])[\x80-\xbf]' "$scratch/out" "$scratch/err" &&
                fail "$1: control characters"
        if grep -n '^forged' "$scratch/out" "$scratch/err"; then fail "$1: a forged line"; fi
}

evil=$'a\e[31mb\u009b2J\u202ec\nforged'
cat >"$scratch/evil.json" <<'END'
{
  "name": "evil",
  "duration_s": 2,
  "steps": [{ "at_s": 0, "mode": "disarmed" }],
  "requirements": [
    { "name": "a\u001b[31mb\u009b2J\u202ec\nforged", "kind": "always", "signal": "tilt_deg", "max": 45 },
    { "name": "d\u001b[31me\nforged", "kind": "eventually", "signal": "altitude_m", "min": 100 }
  ]
}
END
fly=(rig_configs/rigs/finken3.json --pace lockstep --set vehicles.0.fc.link=pty --scenario "$scratch/evil.json")
folder=$scratch/$evil
for out in "$folder" "$scratch/a" "$scratch/b"; do
        expect 1 "$hilrig" run "${fly[@]}" --out "$out"
        tame "run"
        says 'a\x1b[31mb\u009b2J\u202ec\x0aforged'
done
expect 1 "$hilrig" run "${fly[@]}" --seed 2 --json --out "$scratch/$evil 2"
tame "run --json"
expect 0 "$hilrig" check "${fly[0]}" --resolved --set "scenario=\"$scratch/evil.json\""
tame "check --resolved"
says 'a\u001b[31mb\u009b2J\u202ec\nforged'
expect 0 "$hilrig" replay "$folder"
tame "replay"
expect 0 "$hilrig" report "$folder"
tame "report"
"$hilrig" compare "$folder" "$scratch/$evil 2" >"$scratch/out" 2>"$scratch/err" </dev/null
tame "compare"
says 'd\x1b[31me\x0aforged'

# Read back: a summary that somebody else wrote.
for side in a b; do
        sed -i -E 's/"version": "[^"]*"/"version": "\\u001b[31m\\nforged"/; s/"signal_sha256": "[^"]*"/"signal_sha256": "\\u001b[31m9012345678901234567890123456789012345678901234567890123456789"/' "$scratch/$side/summary.json"
done
"$hilrig" compare "$scratch/a" "$scratch/b" >"$scratch/out" 2>"$scratch/err" </dev/null
tame "compare of strange summaries"
says '\x1b[31m\x0aforged'
"$hilrig" replay "$scratch/a" >"$scratch/out" 2>"$scratch/err" </dev/null
tame "replay of a strange summary"

# In a suite: the reason of each run, and its folders.
mkdir "$scratch/suites"
cat >"$scratch/suites/$evil.json" <<END
{ "name": "two", "rigs": [{ "file": "$PWD/rig_configs/rigs/finken3.json" }], "scenarios": [{ "file": "../evil.json" }],
  "seeds": { "count": 1 }, "pace": "lockstep" }
END
expect 1 "$hilrig" suite "$scratch/suites/$evil.json" --out "$scratch/suites/out"
tame "suite"
says 'd\x1b[31me\x0aforged'
# A word of the command line that is wrong.
word=${evil%%$'\n'*}
wrong() { # COMMAND...
        "$hilrig" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null && fail "$*: passed"
        tame "$*"
}
for command in check run suite report replay calibrate bench; do wrong $command "$word"; done
wrong compare "$word" "$word"
wrong capture --from "$word"
wrong capture --protocol "$word"
wrong latency --run "$word"
wrong latency "$word"
wrong fc --link "$word" --params rig_configs/flight_controllers/md4_200.json
wrong conform --link "$word"
wrong run "--$word"
wrong "$word"
