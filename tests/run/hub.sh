#!/usr/bin/env bash
# A hub that stands at a station: its group flies when all are there, twice with the same signal; without it the requirements
# fail; one that dies ends the run by name; one that was started by hand obeys; a radio that is lost or jammed; and what a
# station and a hub cannot be.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

needs node nodejs
rig=rig_configs/rigs/flock_hub.json

expect 0 "$hilrig" run $rig --out "$scratch/one" "${inside[@]}"
says 'station hub: hilrig-hub'
whole "$scratch/one"
logged "$scratch/one" 'hub: group a paused: 7 is silent, 7 of 8'
node -e '
        const s = JSON.parse(require("fs").readFileSync(process.argv[1])).stations;
        if (s.length !== 1 || s[0].station !== "hub" || !(s[0].radio.sent > 600) || !(s[0].radio.heard > 3000)) process.exit(1);
' "$scratch/one/summary.json" || fail "summary.json does not count the station"
expect 0 "$hilrig" replay "$scratch/one"

for threads in 1 2; do
        expect 3 "$hilrig" run $rig --seconds 5 --out "$scratch/$threads" --set realtime.threads=$threads "${inside[@]}"
done
[ "$(summary "$scratch/1" signal_sha256)" = "$(summary "$scratch/2" signal_sha256)" ] || fail "another signal"

expect 1 "$hilrig" run $rig --seconds 6 --out "$scratch/without" "${inside[@]}" --set stations=[]
says 'FAILED     stay on the ground'

# By hand: its commands wait for the rig, and one of them holds the group on the ground for good.
by_hand='stations=[{"name":"hub","fc":{"codec":"hilp","link":"udp:127.0.0.1:14795"}}]'
sed 's/"at_s": [0-9.]*/"at_s": 300/' rig_configs/hubs/flock.json >"$scratch/later.json"
printf 'pause a\npause b\n' |
        "$hilrig" hub "$scratch/later.json" --link udp-listen:127.0.0.1:14795 --once 2>"$scratch/hub.txt" &
expect 3 "$hilrig" run $rig --seconds 10 --out "$scratch/hand" --set "$by_hand"
says 'the vehicle never left the ground'
says 'hub: group a ready: 8 of 8, held'
wait
grep -q 'b: no group is called so' "$scratch/hub.txt" || fail "the hub did not complain: $(cat "$scratch/hub.txt")"

# One that dies is named, and ends the run.
"$hilrig" hub rig_configs/hubs/flock.json --link udp-listen:127.0.0.1:14795 </dev/null 2>/dev/null &
hub=$!
(
        # In flight, and not before the first frame.
        until [ "$(stat -c %s "$scratch/dies/run.ulg" 2>/dev/null || echo 0)" -gt 1000000 ]; do sleep 0.1; done
        kill -9 $hub
) &
expect 1 "$hilrig" run $rig --out "$scratch/dies" --set "$by_hand" --set scenario.duration_s=3000
says 'hub: udp:127.0.0.1:14795'

expect 2 "$hilrig" hub rig_configs/hubs/flock.json
says 'needs FILE and --link LINK'
expect 2 "$hilrig" hub $rig --link pty
says 'unknown key'

# A radio with noise at it hears who is near, and keeps the distance; one that hears nobody does not.
jams="rig_configs/rigs/flock_8.json --scenario rig_configs/scenarios/flock_jams_one.json"
# shellcheck disable=SC2086
expect 3 "$hilrig" run $jams --seconds 26 --out "$scratch/noise" "${inside[@]}" \
        --set 'scenario.requirements=[{"name":"keep apart","formula":"always[0, 25] fleet_separation_m > 0.6"}]'
says 'passed     keep apart'
node -e '
        const r = JSON.parse(require("fs").readFileSync(process.argv[1])).flight_controllers.map((f) => f.radio);
        if (!(r[3].jammed > 100) || !(r[3].dropped > 100) || r[2].jammed !== 0) process.exit(1);
' "$scratch/noise/summary.json" || fail "summary.json does not count what was jammed"
# shellcheck disable=SC2086
expect 1 "$hilrig" run $jams --seconds 16 --out "$scratch/loud" "${inside[@]}" --set scenario.steps.2.vehicle_fault.noise_dbm=-40
says 'FAILED     keep apart'

wrong() { # expectation, settings...
        local expected=$1
        shift
        expect 2 "$hilrig" check $rig "$@"
        says "$expected"
}
wrong 'stations.0: needs the rig' --set radio=null
wrong 'stations.0.name: is the name of vehicles.3 too' --set stations.0.name=quad_3
wrong 'stations.0.fc.link: is used by vehicles.0 too' --set 'stations.0.fc={"codec":"hilp","link":"unix-listen:/tmp/x"}' \
        --set vehicles.0.fc.link=unix-listen:/tmp/x
wrong 'stations.0.fc.codec: must be "hilp" at a station' --set 'stations.0.fc={"codec":"ardupilot","link":"udp:127.0.0.1:9002"}'
wrong 'members: must be less than 8, the number of vehicles, is 9' --set 'stations.0.hub.groups.0.members=[9]'
wrong 'no group is called "z"' --set stations.0.hub.switches.1.group=z
wrong 'no behaviour is called "flocking"; known' --set 'stations.0.hub.groups.0.behaviours=["flocking"]'
wrong 'vehicle_fault.does: needs the rig' --set radio=null --set stations=[]
