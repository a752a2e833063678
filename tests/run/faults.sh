#!/usr/bin/env bash
# Faults of each family begin at exactly the tick that was asked for, give the same signal every time
# and in a replay; a step waits for its condition; an unplugged board comes back.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

# scenario NAME STEP [REQUIREMENT]: 8 s, a take-off and the step; something that any flight meets is required at least.
any='{ "name": "begins", "formula": "eventually time_s > 0" }'
scenario() {
        printf '{ "name": "%s", "duration_s": 8, "steps": [{ "at_s": 0, "mode": "armed" },
                { "at_s": 4, "mode": "goto", "up_m": 3 }%s], "requirements": [%s] }' \
                "$1" "${2:+, $2}" "${3:-$any}" >"$scratch/$1.json"
}

# fly NAME FOLDER OPTIONS...: prints the signal. A flight that ends with status $ends, 0 if that is not set.
fly() {
        local name=$1 folder=$scratch/$2
        shift 2
        rm -rf "$folder"
        expect "${ends:-0}" "$hilrig" run rig_configs/default.json --pace lockstep --scenario "$scratch/$name.json" \
                --set "vehicles.0.fc.link=unix-listen:$scratch/fc.sock" --set vehicles.0.fc.reconnect=true \
                --out "$folder" "$@"
        summary "$folder" signal_sha256
}

# The signal of a flight that ends with a tick tells what was done up to that tick.
scenario plain ""
declare -A plain
for tick in 5999 6000 6001; do
        plain[$tick]=$(fly plain plain --seconds "$(printf '%d.%03d' $((tick / 1000)) $((tick % 1000)))") || exit 1
done

# begins NAME TICK FAULT: TICK is the first that differs.
begins() {
        local name=$1 first=$2 before
        scenario "$name" "{ \"at_s\": 6, \"for_s\": 0.5, $3 }"
        before=$((first - 1))
        # Void when it ends before the step fires.
        [ "$(ends=$((before < 6000 ? 3 : 0)) fly "$name" run --seconds "${before:0:1}.${before:1}")" = "${plain[$before]}" ] || fail "$name: too early"
        [ "$(fly "$name" run --seconds "${first:0:1}.${first:1}")" != "${plain[$first]}" ] || fail "$name: too late"
        whole=$(fly "$name" "$name") || exit 1
        [ "$(fly "$name" run)" = "$whole" ] || fail "$name: a second flight gave another signal"
        expect 0 "$hilrig" replay "$scratch/$name"
        says "the same"
}

begins bias 6000 '"sensor_fault": { "sensor": "gyro", "does": "bias", "axes": "x", "amount_dps": 5 }'
begins dropout 6000 '"sensor_fault": { "sensor": "imu", "does": "dropout", "probability": 1 }'
begins dead 6000 '"vehicle_fault": { "does": "motor_dead", "rotor": 1 }'
# The command that drives a tick is the answer to the frame before it.
begins drop 6001 '"wire_fault": { "does": "drop", "direction": "to_fc", "frame": "sensors" }'
grep -q '"lost": 0' "$scratch/bias/summary.json" || fail "bias: frames were lost"
begins flips 6001 '"wire_fault": { "does": "bit_flips", "direction": "from_fc", "frame": "motors", "bits": 1 }'
# 500 answers, each damaged; what became of a frame's end or of another frame is not counted as a CRC error.
errors=$(sed -nE 's/.*"crc_errors": ([0-9]+).*/\1/p' "$scratch/flips/summary.json" | head -n 1)
[[ $errors -ge 400 && $errors -le 500 ]] || fail "flips: $errors CRC errors"
# Here no frame is sent at all.
begins unplug 6000 '"wire_fault": { "does": "unplug" }'

# Unplugged for half a second: the motors stop at once, and after it the board is greeted and sent frames
# again, from the tick behind the one at which the fault ends.
scenario back '{ "at_s": 6, "for_s": 0.5, "wire_fault": { "does": "unplug" } }' \
        '{ "name": "stops", "formula": "always[6, 6.5] duty_0 == 0" },
         { "name": "is over", "formula": "always[6.5, 8] faults == 0" }'
fly back back >/dev/null
[ "$(summary "$scratch/back" verdict)" = passed ] || fail "unplug: $(summary "$scratch/back" end_reason)"
grep -q '"frames_sent": 7499' "$scratch/back/summary.json" || fail "unplug: not 8000 - 501 frames"

# A condition: the fault is there from the tick after the first that held, and no earlier.
scenario when '{ "when": "altitude_m > 0.3", "sensor_fault": { "sensor": "baro", "does": "bias", "amount_pa": 5 } }' \
        '{ "name": "not before", "formula": "(altitude_m <= 0.3 and faults == 0) until (altitude_m > 0.3 and faults == 0)" },
         { "name": "then", "formula": "eventually[4, 8] faults == 1" },
         { "name": "at the next tick", "formula": "always[0, 7.9] (altitude_m > 0.3 implies eventually[0.001, 0.001] faults == 1)" }'
fly when when >/dev/null
[ "$(summary "$scratch/when" verdict)" = passed ] || fail "when: $(summary "$scratch/when" end_reason)"
expect 0 "$hilrig" replay "$scratch/when"
says "the same"

# A board that is shaken never arms: that is said first, and of its flight nothing is judged.
printf '{ "name": "shaken", "duration_s": 6, "steps": [
        { "at_s": 0, "sensor_fault": { "sensor": "gyro", "does": "noise", "amount_dps": 500 } },
        { "at_s": 1, "mode": "armed" }, { "at_s": 2, "mode": "goto", "up_m": 3 }],
        "requirements": [{ "name": "stays upright", "formula": "always[0, 5] tilt_deg < 45" }, %s] }' "$any" >"$scratch/shaken.json"
ends=3 fly shaken shaken >/dev/null
grep -qE '^void: md4_200: asked to arm at 1 s, never did, said "[^"]+"; 1 of 2 requirements met, 0 failed, 1 not judged \(stays upright: the vehicle never left the ground\)$' \
        "$scratch/out" || fail "shaken: did not say that it never armed"
grep -q '<skipped message="the vehicle never left the ground"/>' "$scratch/shaken/junit.xml" || fail "shaken: junit.xml"
