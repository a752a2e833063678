#!/usr/bin/env bash
# A DroneCAN node behind a serial CAN adapter, over a pseudo-terminal: it opens the adapter, says that it is there, and
# hears commands for its ESCs, which are compared with what the flight controller reports; and what a port that hears none says of "motors".
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

# with PORT: the default rig and that port.
with() {
        sed -e "s|\"vehicle\": \"|\"ports\": [ { $1 } ],&|" \
                -E -e "s,\"(vehicles|flight_controllers|worlds|scenarios)/,\"$PWD/rig_configs/\\1/," \
                rig_configs/default.json >"$scratch/rig.json"
}

with '"device": "tfmini", "link": "pty", "motors": true'
expect 2 "$hilrig" check "$scratch/rig.json"
says 'motors: must be false of a tfmini: it hears no motor commands'
with '"device": "dronecan_mcast", "link": "udp-multicast:127.0.0.1:57732"'
expect 2 "$hilrig" check "$scratch/rig.json"
says '224.0.0.0 to 239.255.255.255'

with "\"device\": \"dronecan_slcan\", \"link\": \"pty-link:$scratch/can\""
"$hilrig" run "$scratch/rig.json" --seconds 4 --out "$scratch/run" --set realtime.missed_max_percent=100 \
        --set realtime.stall_max_ms=60000 >"$scratch/out" 2>"$scratch/err" </dev/null &
rig=$!
for _ in {1..100}; do
        [ -e "$scratch/can" ] && break
        sleep 0.1
done
[ -e "$scratch/can" ] || fail "no pseudo-terminal"
exec 3<>"$scratch/can"
stty -F "$scratch/can" raw -echo
# RawCommand 0, 8191, -8192, 4095 of node 10, as pydronecan 1.0.27 makes it.
printf 'T1004060A80003FDF0083FCFC5\r' >&3
timeout 20 head -c 20000 <&3 | tr '\r' '\n' >"$scratch/lines"
wait "$rig"
# NodeStatus, healthy and operational; RawIMU; StaticPressure.
grep -q '^T1801552A8' "$scratch/lines" || fail "no NodeStatus"
grep -q '^T0803EB2A8' "$scratch/lines" || fail "no RawIMU"
grep -q '^T1004042A7' "$scratch/lines" || fail "no StaticPressure"
says 'heard 1 transfers, 1 of them ESC commands, 0 broken'
# Beside what the flight controller reports, which is that all of them stand.
says 'rotor 0 on the bus: against reported 0.0000 rms, 0.0000 max'
says 'rotor 1 on the bus: against reported 1.0000 rms, 1.0000 max'
says 'rotor 3 on the bus: against reported 0.49'
python3 - "$scratch/run/summary.json" <<'END' || fail "summary.json does not compare the motors"
import json, sys
motors = json.load(open(sys.argv[1]))["ports"][0]["motors"]
assert [m["difference_max"] for m in motors] == [0, 1, 0, 4095 / 8191], motors
assert all(m["ticks"] > 0 and m["moves_as_rotor"] == i for i, m in enumerate(motors)), motors
END
