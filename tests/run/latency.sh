#!/usr/bin/env bash
# `hilrig latency` finds the delay that a virtual board has, behind its filter, to 20 us in lockstep; in real time to what
# the frames themselves say. A board whose motors do not answer is told from one that is slow.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

# rig FILE: a rig that waits for a board at $scratch/socket.
cat >"$scratch/rig.json" <<END
{ "include": "$PWD/rig_configs/default.json", "name": "virtual",
  "vehicles": [ { "name": "md4_200", "vehicle": "$PWD/rig_configs/vehicles/md4_200.json",
    "start": { "at_m": { "up": 0 } },
    "fc": { "codec": "hilp", "link": "unix-listen:$scratch/socket", "spawn": false } } ] }
END

# board DELAY_US CORNER_HZ [AXIS]: comes as soon as the rig listens.
board() {
        rm -f "$scratch/socket"
        (
                until listens "$scratch/socket"; do sleep 0.05; done
                exec "$BUILD/tests/boards/virtual_board" "unix:$scratch/socket" "$@"
        ) 2>/dev/null &
        board=$!
}

# figure KEY: a number of the JSON in $scratch/out, the first of that name.
figure() {
        sed -nE "s/^[[:space:]]*\"$1\": ([^,]*),?\$/\\1/p" "$scratch/out" | head -n 1
}

# near WHAT VALUE WANTED TOLERANCE
near() {
        awk -v is="$2" -v wanted="$3" -v tolerance="$4" 'BEGIN {
                exit !(is != "" && is - wanted <= tolerance && wanted - is <= tolerance)
        }' || fail "$1 is $2, not within $4 of $3"
}

axis=(roll pitch yaw)
n=0
for delay in 100 250 1000 3700 20000; do
        board "$delay" 80 $((n % 3))
        expect 0 "$hilrig" latency "$scratch/rig.json" --pace lockstep --axis "${axis[n % 3]}" \
                --filter lag:80 --repetitions 100 --out "$scratch/run$n" --json
        wait "$board"
        near "fit at $delay us" "$(figure fit)" "$delay" 20
        near "median at $delay us" "$(figure p50)" "$delay" 20
        [ "$(figure count)" = 100 ] || fail "not 100 repetitions"
        for file in latency.json latency.txt latency.csv response.csv response.svg run.ulg; do
                [ -s "$scratch/run$n/$file" ] || fail "no $file"
        done
        [ "$(wc -l <"$scratch/run$n/latency.csv")" = 101 ] || fail "latency.csv is not 101 lines long"
        n=$((n + 1))
done

# A recorded run says the same again.
cp "$scratch/run3/latency.csv" "$scratch/before.csv"
expect 0 "$hilrig" latency --run "$scratch/run3" --filter lag:80
says "fit behind lag:80"
cmp -s "$scratch/before.csv" "$scratch/run3/latency.csv" || fail "the same run gave other figures"

# In real time the way of the frames comes on top, and however late the host is, nothing is faster than what
# was planted.
board 3700 80
expect 0 "$hilrig" latency "$scratch/rig.json" --pace realtime --filter lag:80 --seconds 4 --out "$scratch/real" --json \
        --set realtime.missed_max_percent=100 --set realtime.stall_max_ms=10000
wait "$board"
awk -v f="$(figure fit)" 'BEGIN { exit !(f > 3600) }' || fail "fit in real time: $(figure fit) us"

# The steps of a scenario of one's own, up to the stimulus.
cat >"$scratch/mine.json" <<'END'
{ "name": "mine", "parameters": { "wait_s": 1 }, "duration_s": 5, "steps": [
    { "at_s": 0, "mode": "disarmed", "hold_deg": {} },
    { "at_s": "=wait_s", "mode": "armed" },
    { "at_s": 50, "mode": "land" },
    { "when": "time_s > ${50 + wait_s}", "mode": "disarmed" } ] }
END
board 1000 80
expect 0 "$hilrig" latency "$scratch/rig.json" --pace lockstep --filter lag:80 --repetitions 20 --out "$scratch/mine" \
        --scenario "$scratch/mine.json" --begin-s 2 --json
wait "$board"
near "fit in a scenario of one's own" "$(figure fit)" 1000 20

# One that does not hold the vehicle flies it, unless --jig does, and a flight in which no loop is found says nothing.
sed -i 's/, "hold_deg": {}//' "$scratch/mine.json"
board 1000 80
expect 0 "$hilrig" latency "$scratch/rig.json" --pace lockstep --filter lag:80 --repetitions 20 --out "$scratch/held" \
        --scenario "$scratch/mine.json" --begin-s 2 --jig --json
wait "$board"
near "fit in a jig of a scenario of one's own" "$(figure fit)" 1000 20
board 1000 80
expect 2 "$hilrig" latency "$scratch/rig.json" --pace lockstep --repetitions 20 --out "$scratch/fell" \
        --scenario "$scratch/mine.json" --begin-s 2
wait "$board"
says "a vehicle that flies shows no delay"
expect 2 "$hilrig" latency "$scratch/rig.json" --hover --jig --out "$scratch/both"
says "only one of them"

# A vehicle that tipped over, for want of the right motors, is no measurement; nor is one that does not fly.
expect 2 "$hilrig" latency rig_configs/rigs/lockstep.json --hover --pace lockstep --repetitions 4 --bits 6 \
        --set 'vehicles.0.fc.motor_order=[1,2,3,0]' --out "$scratch/tipped"
says "touched the ground, or was on its side"
for way in --amplitude-dps=200 --set=vehicles.0.vehicle.battery.resistance_mohm=1500; do
        expect 2 "$hilrig" latency rig_configs/rigs/lockstep.json --hover --pace lockstep --repetitions 4 --bits 6 \
                "${way%%=*}" "${way#*=}" --out "$scratch/${way:2:3}"
        says "touched the ground, or was on its side"
done

# In flight the loop is measured, and no delay is told.
expect 0 "$hilrig" latency rig_configs/rigs/lockstep.json --hover --pace lockstep --repetitions 5 --amplitude-dps 10 --json \
        --out "$scratch/hover"
awk -v hz="$(figure crossover_hz)" 'BEGIN { exit !(hz > 0.3 && hz < 6) }' || fail "crossover at $(figure crossover_hz) Hz"
[ "$(figure fit)$(figure count)" = null0 ] || fail "a delay in flight: $(figure fit), $(figure count)"

echo '{ "name": "mine" }' >"$scratch/mine.json"
expect 2 "$hilrig" latency "$scratch/rig.json" --scenario "$scratch/mine.json" --begin-s 2 --out "$scratch/none"
says "has no list of steps"
echo '{ "name": "mine", "steps": [], "tracks": [ { "name": "a", "steps": [] } ] }' >"$scratch/mine.json"
expect 2 "$hilrig" latency "$scratch/rig.json" --scenario "$scratch/mine.json" --begin-s 2 --out "$scratch/none"
says "give a scenario without tracks"

# Motors that never change.
board 1000 -1
expect 1 "$hilrig" latency "$scratch/rig.json" --pace lockstep --repetitions 20 --out "$scratch/dead"
wait "$board"
says "the motors do not answer"

# One that arms after 20 s is waited for, and measured by the same figures; the run ends with the stimulus. One that does
# not arm in time is not measured.
board 1000 80 0 20000
expect 0 "$hilrig" latency "$scratch/rig.json" --pace lockstep --filter lag:80 --repetitions 20 --out "$scratch/late" --json
wait "$board"
near "fit of a board that arms late" "$(figure fit)" 1000 20
near "simulated time of a board that arms late" \
        "$(sed -nE 's/.*"sim_time_s": ([0-9.]+).*/\1/p' "$scratch/late/summary.json" | head -n 1)" 26 0.5
board 1000 80 0 20000
expect 2 "$hilrig" latency "$scratch/rig.json" --pace lockstep --repetitions 20 --arm-s 15 --out "$scratch/unarmed"
wait "$board"
says "its stimulus never began: md4_200: asked to arm at 2 s, never did"
expect 2 "$hilrig" latency rig_configs/default.json --arm-s 1

expect 2 "$hilrig" latency
says "needs a rig file"
expect 2 "$hilrig" latency rig_configs/default.json --run "$scratch/run0"
expect 2 "$hilrig" latency rig_configs/default.json --axis up
says "--axis: must be roll, pitch or yaw"
expect 2 "$hilrig" latency rig_configs/default.json --filter lag
expect 2 "$hilrig" latency rig_configs/default.json --bits 13
expect 2 "$hilrig" latency rig_configs/default.json --chip-us 1500 --out "$scratch/never"
says "must be a multiple of the rig's period"
expect 2 "$hilrig" latency --run "$scratch/nowhere"
says "$scratch/nowhere/config.json"
cp -r "$scratch/run0" "$scratch/bad"
echo nothing >"$scratch/bad/run.ulg"
expect 2 "$hilrig" latency --run "$scratch/bad"
says "is not a ULog file"
