#!/usr/bin/env bash
# The adapter's port loses its device in flight, as the hub sees it, and finds it again; the flight controller behind
# it stays switched on. It is noticed and taken back; without leave the run ends there.
cd "$(dirname "$0")/../../.." || exit 1
. tests/usb/guest.bash

usb=/sys/bus/usb/devices/1-1
port=/sys/bus/usb/devices/1-0:1.0/usb1-port1

# Its hub falls asleep without a device otherwise.
echo on >/sys/bus/usb/devices/usb1/power/control

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

# moved COUNT: the adapter has moved so many transfers since it was $before, of which a frame and its answer are two
# or three.
moved() { [ $(($(cat $usb/urbnum) - before)) -gt "$1" ]; }

# The emulated controller does not always tell that a port which got its power back has a device: then once more.
plug_in() {
        local tries
        for ((tries = 0; tries < 20; tries++)); do
                echo 1 >$port/disable
                echo 0 >$port/disable
                sleep 0.5
                [ -e /dev/ttyUSB0 ] && return
        done
        fail "the port did not find its device again"
}

# fly_and_pull FOLDER STATUS OPTIONS...: pulled after 4 s and more, and plugged in again when the kernel has seen it.
fly_and_pull() {
        local folder=$1 wanted=$2 run status
        shift 2
        until_true test -c /dev/ttyUSB0
        before=$(cat $usb/urbnum)
        "$hilrig" run "$rig" --set vehicles.0.fc.link=uart:/dev/ttyUSB0@921600 --out "$scratch/$folder" \
                --scenario "$scratch/pulled.json" "$@" >"$scratch/out" 2>"$scratch/err" &
        run=$!
        until_true moved 3300
        echo 1 >"$port/disable"
        until_true test ! -e /dev/ttyUSB0
        plug_in
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
