#!/usr/bin/env bash
# A run flown in real time is flown again from its recorded motor commands, to the same signal; a
# log that was changed is noticed.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

"$hilrig" run rig_configs/default.json --seconds 9 --out "$scratch/run" \
        >"$scratch/out" 2>"$scratch/err" </dev/null
whole "$scratch/run"
[ "$(summary "$scratch/run" pace)" = realtime ] || fail "not in real time"
[ "$(summary "$scratch/run" ticks)" = 9000 ] || fail "not 9000 periods"
expect 0 "$hilrig" replay "$scratch/run"
says "9000 periods re-flown"
says "the same"

# The default run's FC arms at 3 s: by then some motor command is not zero.
expect 3 "$hilrig" run rig_configs/default.json --pace lockstep --seconds 20 --out "$scratch/lock"
cp -r "$scratch/lock" "$scratch/seed"
sed -i 's/"seed": 1,/"seed": 3,/' "$scratch/seed/config.json"
expect 1 "$hilrig" replay "$scratch/seed"
says DIFFERENT

# Cut off, as after a crash: what is there is flown.
cp -r "$scratch/lock" "$scratch/cut"
truncate -s 300001 "$scratch/cut/run.ulg"
rm "$scratch/cut/summary.json"
expect 0 "$hilrig" replay "$scratch/cut"
says "the run was cut off"

# Steps of tracks fire between those of the scenario itself, and are flown again where they fired.
expect 3 "$hilrig" run rig_configs/default.json --scenario rig_configs/scenarios/square_in_gusts.json \
        --pace lockstep --seconds 17 --out "$scratch/tracks"
expect 0 "$hilrig" replay "$scratch/tracks"
says "the same"

expect 2 "$hilrig" replay "$scratch/nowhere"
expect 2 "$hilrig" replay
