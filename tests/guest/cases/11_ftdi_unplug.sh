#!/usr/bin/env bash
# The adapter is withdrawn in flight (deauthorised: its driver is told what it is told when one is pulled; the
# emulated controller's own ports do not find a device again reliably) and let in again; the flight controller behind it
# stays switched on. It is noticed and taken back; without leave the run ends there.
cd "$(dirname "$0")/../../.." || exit 1
. tests/guest/guest.bash

usb=/sys/bus/usb/devices/1-1

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

# By its ids: while the rig still holds the old node, the new one has another number.
there() { compgen -G '/dev/ttyUSB*'; }
away() { ! there; }

# fly_and_pull FOLDER STATUS OPTIONS...: pulled after 4 s and more, and plugged in again when the kernel has seen it.
fly_and_pull() {
        local folder=$1 wanted=$2 run status
        shift 2
        until_true there
        before=$(cat $usb/urbnum)
        "$hilrig" run "$rig" --set vehicles.0.fc.link=uart:usb=0403:6001@921600 --out "$scratch/$folder" \
                --scenario "$scratch/pulled.json" "$@" >"$scratch/out" 2>"$scratch/err" &
        run=$!
        until_true moved 3300
        echo 0 >$usb/authorized
        until_true away
        echo 1 >$usb/authorized
        wait $run
        status=$?
        [ $status -eq "$wanted" ] || fail "$folder: exit status $status, expected $wanted"
}

fly_and_pull back 0 --set vehicles.0.fc.reconnect=true
logged "$scratch/back" '/dev/ttyUSB[01] gone at [0-9.]* s, [01] frames unacknowledged'
logged "$scratch/back" 'back at [0-9.]* s, gone for 0\.000 s'
fly_and_pull gone 1
grep -q '"end_reason": "md4_200: /dev/ttyUSB[01] gone at ' "$scratch/gone/summary.json" || fail "gone: another reason"
until_true there
