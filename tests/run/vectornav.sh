#!/usr/bin/env bash
# A VectorNav unit at a port of a rig: what check says of it, a board that never speaks to it, and one that does, over a
# pseudo-terminal.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

even='vectornav_vn100 over udp-listen:127.0.0.1:14564, 800 Hz or a part of it from samples every 1.25 ms'
expect 0 "$hilrig" check rig_configs/rigs/ardupilot_vectornav.json
says "$even"
says_not 'would be even'
expect 0 "$hilrig" check rig_configs/rigs/ardupilot_vectornav.json --set vehicles.0.vehicle.sensors.imu.rate_hz=500
says '800 Hz or a part of it from samples every 2 ms; an IMU and a loop of that rate would be even'

# with LINK: the default rig and a unit there.
with() {
        sed -e "s|\"vehicle\": \"|\"ports\": [ { \"device\": \"vectornav_vn100\", \"link\": \"$1\" } ],&|" \
                -E -e "s,\"(vehicles|flight_controllers|worlds|scenarios)/,\"$PWD/rig_configs/\\1/," \
                rig_configs/default.json >"$scratch/rig.json"
}

with "unix-listen:$scratch/socket"
"$hilrig" run "$scratch/rig.json" --pace lockstep --seconds 1 --out "$scratch/quiet" >"$scratch/out" 2>"$scratch/err" </dev/null
says 'port vectornav_vn100: 0 bytes sent, 0 received'
says '  never spoken to'
says_not 'errors, the last'

with "pty-link:$scratch/imu"
"$hilrig" run "$scratch/rig.json" --seconds 60 --out "$scratch/run" --set realtime.missed_max_percent=100 \
        --set realtime.stall_max_ms=60000 >"$scratch/out" 2>"$scratch/err" </dev/null &
rig=$!
for _ in {1..100}; do
        [ -e "$scratch/imu" ] && break
        sleep 0.1
done
[ -e "$scratch/imu" ] || fail "no pseudo-terminal"
exec 3<>"$scratch/imu"

# ask COMMAND ANSWER: said again until it is answered.
ask() {
        local line

        for _ in {1..20}; do
                printf '%s\r\n' "$1" >&3
                while IFS= read -r -t 0.5 line <&3; do
                        [ "$line" = "$2"$'\r' ] && return
                done
        done
        fail "$1: no answer $2"
}

stty -F "$scratch/imu" raw -echo 921600
# shellcheck disable=SC2016
{
        ask '$VNRRG,01*72' '$VNRRG,01,VN-100T-CR*32'
        ask '$VNRRG,99*73' '$VNERR,08*79'
        ask '$VNWRG,75,3,2,01,0721*70' '$VNWRG,75,3,2,01,0721*70'
}
head -c 2000 <&3 | od -An -v -tx1 | tr -d ' \n' >"$scratch/hex"
# Header to header is a whole packet.
grep -qE 'fa012107.{156}fa012107' "$scratch/hex" || fail "no packets of 82 bytes: $(head -c 400 "$scratch/hex")"
kill -INT $rig
wait $rig || true
says 'bytes sent'
grep -qE '^  [0-9]+ packets of output 1 at 400 Hz$' "$scratch/out" || fail "does not tell its packets"
grep -qE '^  [1-9][0-9]* errors, the last: unknown register: "VNRRG,99\*73"$' "$scratch/out" || fail "does not name the error"
grep -qF '"last_error": "unknown register: \"VNRRG,99*73\""' "$scratch/run/summary.json" || fail "no last_error in summary.json"
exit 0
