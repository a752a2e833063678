#!/usr/bin/env bash
# What a user can get wrong before a run: exit status 2 and one line that names file, key, value and
# expectation.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

rig() { # text of a rig file
        printf '%s' "$1" >"$scratch/rig.json"
        expect 2 "$hilrig" run "$scratch/rig.json" --out "$scratch/never"
        [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "not one line"
        says "$scratch/rig.json"
        [ ! -e "$scratch/never" ] || fail "left a run folder"
}

default=$PWD/rig_configs/default.json
rig "{\"include\": \"$default\", \"sed\": 1}"
says 'did you mean "seed"'
rig "{\"include\": \"$default\", \"period_ms\": 1}"
says period_us
rig "{\"include\": \"$default\", \"seed\": \"one\"}"
says seed
rig "{\"include\": \"$default\", \"pace\": \"fast\"}"
says lockstep
rig "{\"include\": \"$default\", \"period_us\": NaN}"
rig "{\"include\": \"$default\", \"period_us\": 1e999}"
rig "{\"include\": \"$default\", \"period_us\": -5}"
says "is -5"
rig "{\"include\": \"$default\", \"period_us\": 1000"
rig ""
rig "{\"include\": \"$default\", \"world\": \"nowhere.json\"}"
says nowhere.json
rig "{\"include\": \"$default\", \"vehicles\": [{\"name\": \"a\", \"vehicle\": \"$PWD/rig_configs/vehicles/md4_200.json\",
\"fc\": {\"codec\": \"hilp\", \"link\": \"pty\", \"reconnect\": true}}]}"
says reconnect
rig "{\"include\": \"rig.json\"}"
says cycl

expect 2 "$hilrig" run "$scratch/missing.json"
says "$scratch/missing.json"

# Who speaks, and of what, is said once.
once() { # command...
        expect 2 "$hilrig" "$@"
        [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "$*: not one line"
        grep -qE '(^|: )([^:]+): (.*: )?\2: ' "$scratch/err" && fail "$*: said twice"
        return 0
}
once run rig_configs/default.json --scenario nowhere.json
says "hilrig run: --scenario: nowhere.json: no such file"
once run rig_configs/default.json --set vehicles.0.fc.link=nonsense
says "hilrig run: --set: vehicles.0.fc.link: kind: must be uart"
once check rig_configs/default.json --set 'vehicles.0.pads={"source":"board:nonsense"}'
says "pads.source: kind: must be uart"
echo '{ "include": "round.json" }' >"$scratch/round.json"
once check "$scratch/round.json"
says "include: is cyclic"
once run ""
says 'hilrig run: "": an empty word names nothing'
once run rig_configs/default.json --out ""
says "hilrig run: --out: needs a value (DIR)"
mkdir "$scratch/flown"
for file in config.json summary.json run.ulg; do
        for command in replay calibrate "latency --run" "compare $scratch/flown"; do
                # shellcheck disable=SC2086
                once $command "$scratch/flown"
        done
        echo '{' >"$scratch/flown/$file"
done
: >"$scratch/flown/summary.json"
once compare "$scratch/flown" "$scratch/flown"
says "hilrig compare: $scratch/flown/summary.json: is empty"
echo '{ "name": "x", "rigs": [{ "file": "'"$default"'" }], "set": ["mass=1"] }' >"$scratch/set.json"
once suite "$scratch/set.json" --out "$scratch/never"
says "hilrig suite: $scratch/set.json: set: mass: unknown key"
once suite "$scratch/set.json" --set mass=1 --list
once suite "$scratch/set.json" --list extra.json
expect 2 "$hilrig" run rig_configs/default.json --pace fast
says realtime
expect 2 "$hilrig" run rig_configs/default.json --seconds -1
expect 2 "$hilrig" run rig_configs/default.json --seed x
expect 2 "$hilrig" run rig_configs/default.json --sed 1
expect 2 "$hilrig" run
expect 2 "$hilrig" fly
says "no such command"
expect 2 "$hilrig" run rig_configs/default.json --out /proc/nowhere/run
says "hilrig run: /proc/nowhere: cannot be made"
mkdir "$scratch/used" && touch "$scratch/used/run.ulg"
expect 2 "$hilrig" run rig_configs/default.json --out "$scratch/used"
says "holds a run already"
expect 2 "$hilrig" check "$scratch/missing.json"
# A file of another kind, by its schema or, without one, by its keys.
expect 2 "$hilrig" check rig_configs/scenarios/gusts.json
says "is a scenario, not a rig; with a rig that flies it: hilrig check RIG --scenario rig_configs/scenarios/gusts.json"
grep -v schema rig_configs/scenarios/gusts.json >"$scratch/gusts.json"
expect 2 "$hilrig" check "$scratch/gusts.json"
says "gusts.json: is a scenario, not a rig"
expect 2 "$hilrig" check rig_configs/suites/default.json
says "is a suite, not a rig; hilrig suite flies it"
expect 2 "$hilrig" check rig_configs/flight_controllers/md4_200.json
says "is a flight controller, not a rig"
echo '{ "name": "x", "vehicles": 3, "steps": [] }' >"$scratch/odd.json"
expect 2 "$hilrig" check "$scratch/odd.json"
says "odd.json: "
for command in run latency; do
        once $command rig_configs/scenarios/gusts.json
        says "hilrig $command RIG --scenario rig_configs/scenarios/gusts.json"
done
once suite rig_configs/vehicles/md4_200.json
says 'this looks like a file of the kind "vehicle"; a suite names rigs'
echo "{ \"include\": \"$default\", \"world\": \"x.json\" }" >"$scratch/rig.json"
once suite "$scratch/rig.json"
says "this looks like a rig"
# Nothing that was asked for is left out silently.
mapfile -t many < <(yes rig_configs/default.json | head -n 65)
expect 2 "$hilrig" check "${many[@]}"
says "at most 64"
mapfile -t many < <(yes -- --set=seed=1 | head -n 289)
expect 2 "$hilrig" check "${many[@]}" rig_configs/default.json
says "at most 288"
expect 2 "$hilrig" fc --link nonsense:1 --params rig_configs/flight_controllers/md4_200.json
says nonsense
expect 2 "$hilrig" bench nonsense
expect 0 "$hilrig" check rig_configs/default.json rig_configs/rigs/*.json
says "thrust to weight"
says "imu      every 1 ms, first at 1 ms, delayed 0 ms"
grep -q newest "$scratch/out" && fail "said that samples are left out where none is"
expect 0 "$hilrig" check rig_configs/default.json --set vehicles.0.vehicle.sensors.imu.rate_hz=8000
says "imu      every 0.125 ms, first at 1 ms, delayed 0 ms; a frame takes the newest alone"
expect 0 "$hilrig" ports
for command in "" run check ports replay calibrate fc bench; do
        # shellcheck disable=SC2086
        expect 0 "$hilrig" $command --help
        says usage
done

# What the integrator cannot follow is told before it is flown, and the flight ends where the vehicle is none any more.
tiny=(--set vehicles.0.vehicle.parts=null --set 'vehicles.0.vehicle.inertia_kgm2={"xx":8e-8,"yy":8e-8,"zz":1.6e-7}')
expect 0 "$hilrig" check rig_configs/default.json "${tiny[@]}"
says "warning: md4_200: its roll rate decays at 2.5e+05 1/s, by 250 in a plant step of 1000 us"
says "give plant_step_us 10 or less, or change inertia_kgm2"
expect 2 "$hilrig" run rig_configs/default.json --pace lockstep "${tiny[@]}" --out "$scratch/none"
says "warning: md4_200: its roll rate decays"
says "error: md4_200: its velocity north became no number at tick 3, 0.003 s"
[ "$(summary "$scratch/none" verdict)" = error ] || fail "a vehicle that is none: $(summary "$scratch/none" verdict)"
expect 0 "$hilrig" check rig_configs/default.json --set vehicles.0.vehicle.mass_kg=1.5 --set vehicles.0.vehicle.parts=null \
        --set 'vehicles.0.vehicle.inertia_kgm2={"xx":0.01,"yy":0.01,"zz":0.015}'
says "warning: md4_200: thrust to weight is 1.02, below 1.1"
expect 0 "$hilrig" check rig_configs/default.json
[ ! -s "$scratch/err" ] || fail "a good rig is warned of"
