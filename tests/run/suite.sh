#!/usr/bin/env bash
# A suite side by side gives the signals of single runs; interrupted, it goes on where it stopped; what
# cannot run, is void or fails is told apart.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/hops.bash

# suite NAME MORE: a suite file of the default rig.
suite() {
        printf '{ "name": "%s", "rigs": [{ "file": "%s/rig_configs/default.json" }], %s }' \
                "$1" "$PWD" "$2" >"$scratch/$1.json"
}

# A whole flight takes a second or so; ten of them long enough to be interrupted.
suite ten '"seeds": { "count": 10 }'
"$hilrig" suite "$scratch/ten.json" --out "$scratch/ten" --jobs 2 --junit "$scratch/ten.xml" \
        >"$scratch/out" 2>"$scratch/err" </dev/null &
pid=$!
for _ in {1..600}; do
        [ -e "$scratch/ten/default/own/3-1/config.json" ] && break
        sleep 0.1
done
kill -INT $pid
wait $pid
status=$?
[ $status -eq 3 ] || fail "interrupted: exit status $status"
says interrupted
says "go on with: hilrig suite"
left=("$scratch"/ten/default/own/*/summary.json)
[ ${#left[@]} -lt 10 ] || fail "nothing was interrupted"
# Whichever was over by then; the others say that they were interrupted.
done=$(grep -l '"verdict": "passed"' "${left[@]}" | head -n 1)
done=${done%/*}/run.ulg
first=$(stat -c %Y.%i "$done")
expect 0 "$hilrig" suite "$scratch/ten.json" --out "$scratch/ten" --junit "$scratch/ten.xml"
says "passed: 10 runs: 10 passed"
[ "$(stat -c %Y.%i "$done")" = "$first" ] || fail "flown again"
for file in suite.json suite.html; do
        [ -s "$scratch/ten/$file" ] || fail "no $file"
done
grep -q 'tests="10" failures="0" errors="0" skipped="0"' "$scratch/ten.xml" || fail "junit"

# Finished runs are not flown over with other settings, unless that is asked for.
expect 2 "$hilrig" suite "$scratch/ten.json" --out "$scratch/ten" --set log.wire=false
says "10 finished runs there were flown with other settings"
says "default/own/1-1"
[ "$(stat -c %Y.%i "$done")" = "$first" ] || fail "flown over"
suite one '"seeds": { "count": 1 }'
expect 0 "$hilrig" suite "$scratch/one.json" --out "$scratch/one"
says "passed: 1 run: 1 passed"
expect 2 "$hilrig" suite "$scratch/one.json" --out "$scratch/one" --set log.wire=false
says "1 finished run there was flown"
expect 0 "$hilrig" suite "$scratch/one.json" --out "$scratch/one" --set log.wire=false --fly-again
says "0 finished already"

# The same bits as alone, over another link.
expect 0 "$hilrig" run rig_configs/default.json --pace lockstep --seed 7 --out "$scratch/alone"
[ "$(summary "$scratch/alone" signal_sha256)" = \
        "$(summary "$scratch/ten/default/own/7-1" signal_sha256)" ] || fail "another signal"
expect 0 "$hilrig" compare "$scratch/alone" "$scratch/ten/default/own/7-1"
says "same to the bit"

# One run of it, in a folder whose parents are not there, has the bits that it has in the whole.
expect 0 "$hilrig" suite "$scratch/ten.json" --list
[ "$(wc -l <"$scratch/out")" -eq 10 ] || fail "not ten runs"
expect 0 "$hilrig" suite "$scratch/ten.json" --only own/7-1 --out "$scratch/no/such/folder"
says "passed: 1 run: 1 passed"
says "9 runs of the suite were left out, of which this says nothing"
grep -q '"left_out": 9' "$scratch/no/such/folder/suite.json" || fail "left_out"
[ "$(summary "$scratch/alone" signal_sha256)" = \
        "$(summary "$scratch/no/such/folder/default/own/7-1" signal_sha256)" ] || fail "another signal"
expect 0 "$hilrig" suite "$scratch/ten.json" --seed 7 --out "$scratch/no/such/folder"
says "1 finished already"
expect 2 "$hilrig" suite "$scratch/ten.json" --seed 8 --out "$scratch/no/such/folder"
says "holds default/own/7-1, which --only or --seed leave out"
expect 2 "$hilrig" suite "$scratch/ten.json" --only own/17-1 --out "$scratch/never"
says 'names no run of'
expect 2 "$hilrig" suite "$scratch/ten.json" --seed one --out "$scratch/never"
expect 2 "$hilrig" suite "$scratch/ten.json" --set seed=7 --out "$scratch/never"
says "--seed 7 flies that one"
[ ! -e "$scratch/never" ] || fail "left a folder"

# A mission's file in place of a scenario; what is wrong with it is said before anything flies.
suite mission '"scenarios": [{ "file": "'"$PWD"'/rig_configs/missions/square.plan" }], "seeds": { "count": 1 }, "set": ["mission.place=at_start"]'
expect 0 "$hilrig" suite "$scratch/mission.json" --out "$scratch/mission"
says "1 of 1  passed  default/square/1-1"
grep -q '"requirements": 12,' "$scratch/mission/suite.json" || fail "requirements of a mission"
grep -q '"name": "mission item 3: way-point"' "$scratch/mission/suite.json" || fail "results of a mission"
suite off '"scenarios": [{ "file": "'"$PWD"'/rig_configs/missions/square.plan" }], "seeds": { "count": 1 }, "set": ["mission.place=at_start", "mission.cross_track_m=0.1"]'
expect 1 "$hilrig" suite "$scratch/off.json" --out "$scratch/off"
grep -q '"reason": "mission item 1: take-off, mission item 3: way-point' "$scratch/off/suite.json" || fail "reason: $(grep reason "$scratch/off/suite.json")"
echo '{ "fileType": "Plan" }' >"$scratch/bad.plan"
suite bad '"scenarios": [{ "file": "'"$scratch"'/bad.plan" }], "seeds": { "count": 1 }'
expect 2 "$hilrig" suite "$scratch/bad.json" --out "$scratch/never"
says "bad.plan"
[ ! -e "$scratch/never" ] || fail "left a folder"

# Cut short, not every requirement is judged: void, and flown again the next time.
suite short '"seeds": { "count": 2 }, "set": ["stop_after_s=5"]'
expect 3 "$hilrig" suite "$scratch/short.json" --out "$scratch/short"
says "2 void"
expect 3 "$hilrig" suite "$scratch/short.json" --out "$scratch/short"
says "0 finished already"

# A flight controller that nobody started.
suite absent '"seeds": { "count": 1 }, "set": ["vehicles.0.fc.spawn=false", "vehicles.0.fc.hello_timeout_ms=50"]'
expect 2 "$hilrig" suite "$scratch/absent.json" --out "$scratch/absent"
says "1 could not run"

suite wrong '"seed": 1'
expect 2 "$hilrig" suite "$scratch/wrong.json" --out "$scratch/wrong"
says seeds
[ ! -e "$scratch/wrong" ] || fail "left a folder"
expect 2 "$hilrig" suite rig_configs/scenarios/hover_and_waypoints.json
says "this looks like a scenario"
expect 2 "$hilrig" suite
expect 2 "$hilrig" suite "$scratch/nowhere.json"
expect 2 "$hilrig" suite "$scratch/ten.json" --jobs 0

# What cannot be compared or kept is said before anything flies.
mkdir "$scratch/empty"
expect 2 "$hilrig" suite "$scratch/ten.json" --baseline "$scratch/nowhere" --out "$scratch/new"
expect 2 "$hilrig" suite "$scratch/ten.json" --baseline "$scratch/empty" --out "$scratch/new"
says "no finished run"
[ ! -e "$scratch/new" ] || fail "left a folder"
expect 2 "$hilrig" suite "$scratch/ten.json" --out "$scratch/ten.json/below"
says "ten.json: is no folder"

# Looked at after 10, 20, ... seeds, until every row is decided or the baseline has no more. The flight is short.
hop_scenario "$stays_upright"
hop() { suite "$1" '"scenarios": [{ "file": "'"$scratch"'/hop.json" }], "set": ["log.wire=false", "vehicles.0.fc.link=inside"], "seeds": { "count": 3 }'"$2"; }
hop hops ''
expect 0 "$hilrig" suite "$scratch/hops.json" --seeds 25 --out "$scratch/base"
says "passed: 25 runs: 25 passed"
expect 0 "$hilrig" suite "$scratch/hops.json" --out "$scratch/again" --baseline "$scratch/base" --until-decided
says "to be compared with $scratch/base: 10 independent pairs; it takes 10 to decide every row"
says "same: every signal of 10 pairs is the same to the bit"
says "at most 0.4 %"
# A row that nothing decides: its margin is nothing, and a little delay moves it both ways.
hop narrow ', "comparison": { "margins": [{ "row": "est_error_rms_deg", "percent": 0, "at_least": 0, "spread": 0 }] }'
late="vehicles.0.fc.reference.planted.delay_us=20"
expect 3 "$hilrig" suite "$scratch/narrow.json" --out "$scratch/late" --baseline "$scratch/base" --until-decided --set $late
says "open after 10 independent pairs"
says "open after 20 independent pairs"
says "not decided with 25 independent pairs:"
says "  default/hop: est_error_rms_deg (md4_200)"
says "at most 0.1 %"
grep -q '"row": "est_error_rms_deg"' "$scratch/late/suite.json" || fail "no margins"
grep -q '"firmware": "hilrig-fc ' "$scratch/late/suite.json" || fail "no firmware"
# It goes on where it stood, and looks no more often than it may.
expect 3 "$hilrig" suite "$scratch/narrow.json" --out "$scratch/late" --baseline "$scratch/base" --until-decided --set $late
says "25 finished already"
if grep -q "open after 10" "$scratch/out"; then fail "looked again"; fi
weak="vehicles.0.fc.reference.planted.gain_ratio=2.5"
expect 1 "$hilrig" suite "$scratch/hops.json" --out "$scratch/weak" --baseline "$scratch/base" --until-decided --set "$weak"
says "regressed:"
says "  vehicles.0.fc.reference.planted.gain_ratio: 1, 2.5"
expect 2 "$hilrig" suite "$scratch/hops.json" --out "$scratch/never" --baseline "$scratch/ten" --until-decided --seeds 5
says "has 5 of the suite's seeds from 1 on, and it takes 10 to decide every row"
expect 2 "$hilrig" suite "$scratch/hops.json" --out "$scratch/never" --until-decided
says "needs --baseline"
[ ! -e "$scratch/never" ] || fail "left a folder"
expect 3 "$hilrig" suite "$scratch/hops.json" --out "$scratch/few" --baseline "$scratch/base" --set $late
says "3 independent pairs; it takes 9 to decide every row, and fewer than 6 can decide none: too few"
