#!/usr/bin/env bash
# A twin that plays a table: it and a simulated vehicle see each other, the bits repeat and replay; one flown by the report's
# law drifts off beside it; a source that is over, one that says nothing; and what a twin cannot be.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

rig=rig_configs/rigs/finken_twin.json

expect 0 "$hilrig" run $rig --out "$scratch/one"
says 'real, twin by log: 581 words, one each 100.0 ms'
whole "$scratch/one"
expect 0 "$hilrig" replay "$scratch/one"
expect 0 "$hilrig" run $rig --set vehicles.1.fc.link=inside --out "$scratch/again"
[ "$(summary "$scratch/one" signal_sha256)" = "$(summary "$scratch/again" signal_sha256)" ] || fail "another signal"

# The report's law: it follows, and drifts off by what the summary says.
expect 0 "$hilrig" run rig_configs/rigs/finken_as_reported.json --out "$scratch/flown"
expect 0 "$hilrig" replay "$scratch/flown"
grep -q '"yaw_drift_dps"' "$scratch/flown/summary.json" || fail "nothing of how the two lie to each other"

# How the two lie to each other is measured while both are heard: the first's table ends at 30 s, and 200 ms later it is silent.
awk -F, 'NR == 1 || $1 <= 30' rig_configs/twins/fly_past.csv >"$scratch/short.csv"
"$hilrig" run rig_configs/rigs/finken_as_reported.json --set vehicles.0.twin.where="$scratch/short.csv" --out "$scratch/short" \
        >"$scratch/out" 2>"$scratch/err"
grep -q '"overlap_s": 30.199,' "$scratch/short/summary.json" || fail "measured beside a twin that is silent"

# Silent from the table's end on.
expect 0 "$hilrig" run $rig --set vehicles.1.fc.link=inside --set scenario.duration_s=60 --out "$scratch/over"
logged "$scratch/over" 'twin: its source fell silent: nothing for 200 ms'
expect 3 "$hilrig" run $rig --set vehicles.1.fc.link=inside --set scenario.duration_s=60 --set vehicles.0.twin.when_silent=end --out "$scratch/ended"
says 'real: its source, log at'
says 'is over'
expect 0 "$hilrig" run $rig --set vehicles.1.fc.link=inside --set scenario.duration_s=60 --set vehicles.0.twin.when_silent=leave --out "$scratch/left"
expect 0 "$hilrig" replay "$scratch/left"

# A step for all passes over it, one for it is refused, but for a fault of its sonars.
step='scenario.steps=[{"at_s":1,"vehicle":0,'
expect 2 "$hilrig" check $rig --set "$step\"mode\":\"armed\"}]"
says 'scenario.steps.0: is for real, which is a twin'
expect 2 "$hilrig" check $rig --set "$step\"wire_fault\":{\"does\":\"drop\"}}]"
says 'is for real, which is a twin'
expect 2 "$hilrig" check $rig --set "$step\"sensor_fault\":{\"sensor\":\"gyro\",\"does\":\"nan\"}}]"
says 'must be "sonar" of real, a twin'
expect 0 "$hilrig" check $rig --set "$step\"sensor_fault\":{\"sensor\":\"sonar\",\"does\":\"zero\"}}]"

expect 2 "$hilrig" check $rig --set vehicles.0.twin.source=lgo
says 'vehicles.0.twin.source: no source is called "lgo"; known: '
expect 2 "$hilrig" check $rig --set vehicles.0.twin.source=vrpn --set vehicles.0.twin.where=tcp:127.0.0.1:3883
says 'needs "pace": "realtime"'
expect 2 "$hilrig" check $rig --set 'vehicles.0.fc={"codec":"hilp","link":"pty"}'
says 'twin'
expect 2 "$hilrig" check $rig --set vehicles.0.twin.law=attitude
says 'vehicles.0.twin.flight_controller'
expect 2 "$hilrig" run $rig --set vehicles.0.twin.where=/nowhere.csv --out "$scratch/none"
says '/nowhere.csv'

# A log without what the law needs, and a vehicle beside which nothing flies, are refused; what lies beside for too short is said.
printf 't_s,motor_0\n0,0.5\n60,0.5\n' >"$scratch/motors.csv"
expect 2 "$hilrig" run $rig --set vehicles.0.twin.where="$scratch/motors.csv" --out "$scratch/no_place"
says 'motors.csv: says no position, which the twin'
again=rig_configs/rigs/finken_as_reported.json
cut -d, -f1-4 rig_configs/twins/fly_past.csv >"$scratch/places.csv"
expect 2 "$hilrig" run $again --set vehicles.1.twin.where="$scratch/places.csv" --out "$scratch/no_attitude"
says 'places.csv: says no attitude, which the twin'
for other in nobody flown_again; do
        expect 2 "$hilrig" check $again --set vehicles.1.twin.beside=$other
        says "vehicles.1.twin.beside: must be the name of another vehicle of the rig, is \"$other\""
done
head -n 5 rig_configs/twins/fly_past.csv >"$scratch/moment.csv"
"$hilrig" run $again --set vehicles.0.twin.where="$scratch/moment.csv" --seconds 3 --out "$scratch/moment" >"$scratch/out" 2>"$scratch/err"
says 'beside as_told for 0.499 s, which is too short to say how the two lie: at least 1 s'
grep -q '"known": false' "$scratch/moment/summary.json" || fail "what is not known is not said to be so"

# Nobody there.
expect 2 "$hilrig" run $rig --pace realtime --set vehicles.0.twin.source=natnet --set vehicles.0.twin.where=udp:127.0.0.1:9 \
        --set vehicles.0.twin.aircraft=finken --set vehicles.0.twin.hello_timeout_ms=300 --out "$scratch/silent"
says 'natnet at udp:127.0.0.1:9 said nothing of "finken" in 0.3 s'
