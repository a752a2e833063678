#!/usr/bin/env bash
# A board's own settings: told before the flight, changed in it, refused, and never heard of.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

# run NAME STATUS OPTIONS...: a run in lockstep whose board connects by a Unix socket.
run() {
        local name=$1 status=$2
        shift 2
        expect "$status" "$hilrig" run rig_configs/default.json --seconds 2 --pace lockstep \
                --out "$scratch/$name" --set vehicles.0.fc.spawn=false \
                --set "vehicles.0.fc.link=unix-listen:$scratch/fc.sock" "$@"
}

board() {
        (
                until listens "$scratch/fc.sock"; do sleep 0.01; done
                exec "$BUILD/tests/boards/fake_board" "unix:$scratch/fc.sock" "$@"
        ) &
}

steps='scenario.steps=[
        { "at_s": 0.5, "for_s": 0.5, "fc_option": { "key": "law", "value": "pd" } },
        { "at_s": 1.5, "fc_option": { "key": "law", "value": "WORD" } }]'

# The reference flight controller that the rig starts has no such setting: there is no run.
for command in check "run --out $scratch/never"; do
        # shellcheck disable=SC2086
        expect 2 "$hilrig" $command rig_configs/default.json \
                --set vehicles.0.fc.options.atitude_law=dikmen
        says 'vehicles.0.fc.options.atitude_law: unknown option, did you mean "attitude_law"?'
done
[ ! -e "$scratch/never" ] || fail "left a folder"

# One that somebody else started says so itself, which ends the run before it begins.
(
        until listens "$scratch/fc.sock"; do sleep 0.01; done
        exec "$hilrig" fc --link "unix:$scratch/fc.sock" --once --quiet \
                --params rig_configs/flight_controllers/md4_200.json
) &
run unknown 2 --set vehicles.0.fc.options.no_such_option=x
says 'fc.options.no_such_option: "x" was refused by hilrig-fc'
says 'unknown option; it has test_fault, attitude_law, '
[ "$(summary "$scratch/unknown" verdict)" = error ] || fail "unknown: not an error"
[ "$(summary "$scratch/unknown" ticks)" = 0 ] || fail "unknown: flown"

# What it refuses once it refuses again: a suite does not begin that anew.
cat >"$scratch/suite.json" <<END
{ "name": "s", "rigs": [{ "file": "$PWD/rig_configs/default.json" }], "seeds": { "count": 1 }, "tries": 3,
  "set": ["pace=lockstep", "vehicles.0.fc.spawn=false", "vehicles.0.fc.link=unix-listen:$scratch/suite.sock",
          "vehicles.0.fc.options.no_such_option=x"] }
END
while :; do
        "$hilrig" fc --link "unix:$scratch/suite.sock" --once --quiet --params rig_configs/flight_controllers/md4_200.json \
                2>"$scratch/fc" || sleep 0.02
done &
boards=$!
expect 2 "$hilrig" suite "$scratch/suite.json" --out "$scratch/suite"
kill "$boards"
says "was refused by hilrig-fc"
grep -q '"tries": 1' "$scratch/suite/suite.json" || fail "begun again"

# Nothing is judged within 2 s, but for what the options make of it.
board options
run taken 3 --set vehicles.0.fc.options.law=dikmen --set "${steps/WORD/pid}"
says "requirements met"
expect 0 "$hilrig" replay "$scratch/taken"

board options
run refused 2 --set vehicles.0.fc.options.law=dikmen --set "${steps/WORD/bad}"
says 'fc_option law: "bad" was refused by fake board at 1.5'
says 'documentation has those it knows'
[ "$(summary "$scratch/refused" verdict)" = error ] || fail "refused: not an error"

board slow 100000
run deaf 3 --set vehicles.0.fc.options.law=dikmen
says "never acknowledged the option law"
[ "$(summary "$scratch/deaf" ticks)" = 2000 ] || fail "deaf: not flown to the end"
exit 0
