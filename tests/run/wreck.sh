#!/usr/bin/env bash
# Who has come to lie upside down is not flown on, unless the scenario itself had it do so.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

lockstep=(run rig_configs/rigs/md4_200_thesis.json --pace lockstep "${inside[@]}")
mixed='[2,1,0,3]' # turns over at the first pitch

expect 1 "$hilrig" "${lockstep[@]}" --set "vehicles.0.fc.motor_order=$mixed" --out "$scratch/mixed"
says "failed: md4_200: has lain upside down since 7.247 s, and cannot fly like that; 0 of 9 requirements met"
says "md4_200: the board feels the pitch rate the wrong way round"
says "not judged disarms: the flight ended before its window did"
[ "$(summary "$scratch/mixed" ticks)" = 10246 ] || fail "it was flown for $(summary "$scratch/mixed" ticks) ms"
grep -q '<failure message="md4_200: has lain upside down' "$scratch/mixed/junit.xml" || fail "no failure"
expect 0 "$hilrig" replay "$scratch/mixed"
says "the same"

# scenario NAME STEP: takes off, STEP follows.
scenario() {
        cat >"$scratch/$1.json" <<END
{ "name": "$1", "duration_s": 16,
  "steps": [ { "at_s": 3, "mode": "armed" }, { "at_s": 4, "mode": "goto", "up_m": 3 }, $2 ],
  "requirements": [ { "name": "falls", "formula": "eventually[0, 15.9] tilt_deg > 150" } ] }
END
}

# What comes of a fault is to be judged.
scenario fault '{ "at_s": 4, "for_s": 1, "vehicle_fault": { "does": "motor_weak", "rotor": 2, "loss_ratio": 0.1 } },
             { "at_s": 6, "mode": "goto", "north_m": 2, "up_m": 3 }'
expect 0 "$hilrig" "${lockstep[@]}" --set "vehicles.0.fc.motor_order=$mixed" --scenario "$scratch/fault.json" --out "$scratch/fault"

# And what a jig turned over and let go.
scenario jig '{ "at_s": 6, "hold_deg": { "roll": 180 } }, { "at_s": 7, "release": true }'
expect 0 "$hilrig" "${lockstep[@]}" --scenario "$scratch/jig.json" --out "$scratch/jig"

# Of two the other flies on.
cat >"$scratch/pair_scenario.json" <<'END'
{ "name": "pair", "duration_s": 16,
  "steps": [ { "at_s": 3, "mode": "armed" }, { "at_s": 4, "mode": "goto", "up_m": 3 },
             { "at_s": 6, "mode": "goto", "north_m": 2, "up_m": 3 } ],
  "requirements": [ { "name": "flies", "vehicle": 0, "formula": "always[10, 15.9] altitude_m > 2" } ] }
END
fc="\"codec\": \"hilp\", \"link\": \"pty\", \"spawn\": true, \"reference\": \"$PWD/rig_configs/flight_controllers/md4_200_thesis.json\""
cat >"$scratch/pair.json" <<END
{ "name": "pair", "pace": "lockstep", "world": "$PWD/rig_configs/worlds/flat.json", "scenario": "$scratch/pair_scenario.json",
  "vehicles": [
    { "name": "good", "vehicle": "$PWD/rig_configs/vehicles/md4_200_thesis.json", "fc": { $fc } },
    { "name": "bad", "vehicle": "$PWD/rig_configs/vehicles/md4_200_thesis.json", "start": { "at_m": { "east": 20 } },
      "fc": { "motor_order": $mixed, $fc } } ] }
END
expect 0 "$hilrig" run "$scratch/pair.json" --out "$scratch/pair" "${inside[@]}"
grep -qaF "bad: has lain upside down since" "$scratch/pair/run.ulg" || fail "it is not in the log"
