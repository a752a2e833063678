#!/usr/bin/env bash
# The adapter's port loses its device in flight, as the hub sees it, and finds it again; the flight controller behind
# it stays switched on. It is noticed and taken back; without leave the run ends there.
cd "$(dirname "$0")/../../.." || exit 1
. tests/usb/guest.bash

usb=/sys/bus/usb/devices/1-1
port=/sys/bus/usb/devices/1-0:1.0/usb1-port1

cat >"$scratch/pulled.json" <<'J'
{
  "name": "pulled",
  "duration_s": 10,
  "steps": [{ "at_s": 0, "mode": "armed" }, { "at_s": 3, "mode": "goto", "up_m": 2 }],
  "requirements": [
    { "name": "takes off", "kind": "eventually", "signal": "altitude_m", "min": 0.3 },
    { "name": "stays upright", "kind": "always", "signal": "tilt_deg", "max": 45 }
  ]
}
J

# moved COUNT: the adapter has moved so many transfers, of which a frame and its answer are two or three.
moved() { [ "$(cat $usb/urbnum)" -gt "$1" ]; }

# fly_and_pull FOLDER STATUS OPTIONS...: pulled after 4 s and more, and plugged in again when the kernel has seen it.
fly_and_pull() {
        local folder=$1 wanted=$2 run status
        shift 2
        until_true test -c /dev/ttyUSB0
        "$hilrig" run "$rig" --set vehicles.0.fc.link=uart:/dev/ttyUSB0@921600 --out "$scratch/$folder" \
                --scenario "$scratch/pulled.json" "$@" >"$scratch/out" 2>"$scratch/err" &
        run=$!
        until_true moved 3300
        echo 1 >"$port/disable"
        until_true test ! -e /dev/ttyUSB0
        echo 0 >"$port/disable"
        wait $run
        status=$?
        [ $status -eq "$wanted" ] || fail "$folder: exit status $status, expected $wanted"
}

fly_and_pull back 0 --set vehicles.0.fc.reconnect=true
logged back '/dev/ttyUSB0 gone at [0-9.]* s, [01] frames unacknowledged'
logged back 'back at [0-9.]* s, gone for 0\.000 s'
fly_and_pull gone 1
grep -q '"end_reason": "md4_200: /dev/ttyUSB0 gone at ' "$scratch/gone/summary.json" || fail "gone: another reason"
until_true test -c /dev/ttyUSB0
