#!/usr/bin/env bash
# A mission executor flies a vehicle over the MEXO protocol: the recorded session of rig_configs/mexo in lockstep, what
# the record says of it, what the replay says, and a rig file that asks for what cannot be.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

needs node nodejs
rig=rig_configs/rigs/mexo.json

# executor SESSION: a peer that sends these lines as soon as the rig connects, and keeps what it hears.
executor() {
        rm -f "$scratch/socket"
        node -e '
                const [session, socket, heard] = process.argv.slice(1);
                const fs = require("fs");
                require("net").createServer((rig) => {
                        rig.write(fs.readFileSync(session, "utf8").replaceAll("\n", "\r\n"));
                        rig.on("data", (bytes) => fs.appendFileSync(heard, bytes));
                        rig.on("error", () => process.exit(0)).on("close", () => process.exit(0));
                }).listen(socket);' "$1" "$scratch/socket" "$scratch/heard" &
        until listens "$scratch/socket"; do sleep 0.1; done
}

port="vehicles.0.ports.0.link=unix:$scratch/socket"
executor rig_configs/mexo/two_way_points.txt
# When the executor's lines come is the host's doing, and by how much the satellites are off then: less than the window.
expect 0 "$hilrig" run $rig --pace lockstep --set "$port" --out "$scratch/run" "${inside[@]}" \
        --set vehicles.0.ports.0.mexo.tolerance_m=2
whole "$scratch/run"
for text in 'mexo: POWER Drone1; STARTENGINE' 'mexo: TAKEOFF' 'mexo: TAKEPICTURE, camera tilted by 90 degrees' \
        'mexo: LAND' 'mexo: SHUTDOWN'; do
        logged "$scratch/run" "$text"
done
wait
[ "$(grep -c '^ACK' "$scratch/heard")" -eq 10 ] || fail "not ten answers: $(grep -v POSE "$scratch/heard" | head -n 20)"
! grep '^ERR' "$scratch/heard" || fail "an error"
tail -n 1 "$scratch/heard" | grep -q '^DEL {Robotname Drone1}' || fail "its last word: $(tail -n 1 "$scratch/heard")"
# HOLD {TimeStamp 30000}: engines run for longer than that, and nothing comes after DEL.
awk -F'[ {}]+' '/^POSE.*FlightTime/ { for (i = 1; i < NF; i++) if ($i == "FlightTime") ms = $(i + 1) }
        END { exit !(ms > 30000 && ms < 50000) }' "$scratch/heard" || fail "FlightTime"
expect 0 "$hilrig" replay "$scratch/run"
says "$(summary "$scratch/run" signal_sha256)"

# The same by an INS that drifts, on the flat earth of the thesis, whose reference point stands beside its origin.
awk 'function lat(north) { return sprintf("%.8f", 46.64305555 + (north - 772.789) / 111200) }
        function lon(east) { return sprintf("%.8f", 14.34166666 + (east - 597.415) / 71670) }
        /^POWER/ { $0 = "POWER {RobotName Drone1} {StartingPose " lon(0) "," lat(0) ",460,0,0,0}" }
        /^TAKEOFF/ { $0 = "TAKEOFF {TimeStamp 1000} {DestinationHeight 465}" }
        /^GOTO/ { $0 = "GOTOWAYPOINT {Pose " lat(8) "," lon(turn * 4) ",465," turn++ * 90 "}" }
        { print }' rig_configs/mexo/two_way_points.txt >"$scratch/printed.txt"
rm "$scratch/heard"
executor "$scratch/printed.txt"
mexo=vehicles.0.ports.0.mexo
expect 0 "$hilrig" run $rig --pace lockstep --set "$port" --out "$scratch/printed" "${inside[@]}" \
        --set vehicles.0.vehicle.sensors.ins.rate_hz=100 --set vehicles.0.vehicle.sensors.ins.sigma=0.01 \
        --set $mexo.position_sensor=SEN.INS --set $mexo.earth=printed --set $mexo.reference_latitude_deg=46.64305555 \
        --set $mexo.reference_longitude_deg=14.34166666 --set $mexo.reference_altitude_m=460 \
        --set $mexo.reference_north_m=772.789 --set $mexo.reference_east_m=597.415 --set $mexo.reference_down_m=0
wait
[ "$(grep -c '^ACK' "$scratch/heard")" -eq 10 ] || fail "not ten answers: $(grep -v POSE "$scratch/heard" | head -n 20)"

# Without anyone there nothing is asked of the vehicle, and it stays where it is.
expect 3 "$hilrig" run $rig --pace lockstep --seconds 5 --out "$scratch/alone" \
        --set "vehicles.0.ports.0.link=unix-listen:$scratch/nobody"
says "not judged takes off to 5 m"

expect 2 "$hilrig" check $rig --set vehicles.0.ports.0.mexo.position_sensor=SEN.XY
says 'position_sensor'
expect 2 "$hilrig" check $rig --set vehicles.0.ports.0.mexo.sample_time_ms=0
says 'sample_time_ms: must be at least 1'
expect 2 "$hilrig" check $rig --set vehicles.0.ports.0.mexo.reference_latitude_deg=46
says 'reference_longitude_deg'
expect 2 "$hilrig" check $rig --set vehicles.0.ports.0.device=nmea
says 'mexo: is for a "mexo" alone'
expect 2 "$hilrig" check $rig --set vehicles.0.ports.0.mexo.position_sensor=SEN.INS
says 'must be a sensor that the vehicle has'
