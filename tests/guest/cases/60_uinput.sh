#!/usr/bin/env bash
# A joystick that the kernel has: named, flown by, unplugged in flight and plugged in again; every event is kept, in its
# order, and flies the same again.
cd "$(dirname "$0")/../../.." || exit 1
. tests/guest/guest.bash

rig=rig_configs/rigs/by_hand.json
source=vehicles.0.joystick.source
axes='axis ABS_X -32768 32767 0
axis ABS_Y -32768 32767 0
axis ABS_RX -32768 32767 0
axis ABS_THROTTLE -32768 32767 -32768
axis BTN_TRIGGER 0 1 0
axis BTN_THUMB 0 1 0'
# In its seconds; the first waits until it has been found.
moves='4 ABS_X 12000
4.5 BTN_TRIGGER 1
5 ABS_X -500
5.5 lost
8 back
10 ABS_Y 300
10.5 BTN_THUMB 1
11 ABS_Y 301
12 lost'
printf '%s\n' "$axes" '0 ABS_X 0' "$moves" >"$scratch/sticks.txt"
/bin/uinput_stick "$scratch/sticks.txt" >"$scratch/stick" 2>&1 &
pids+=($!)
until_true grep -q 'Guest stick' /proc/bus/input/devices
expect 0 "$hilrig" ports
says '1209:4711  joystick, gamepad or radio in joystick mode  Guest stick'

expect 1 "$hilrig" run $rig --pace realtime --set "$source=name:Guest stick" --seconds 14 --out "$scratch/run" \
        --set realtime.missed_max_percent=100 --set realtime.stall_max_ms=60000
kept=$scratch/run/joystick-quad_x_1kg.txt
grep '^axis' "$kept" >"$scratch/axes"
[ "$(cat "$scratch/axes")" = "$axes" ] || fail "other axes than it has: $(cat "$scratch/axes")"
# Plugged in again, each axis and button is told. The kernel lets go of what is pressed as it is unplugged, which may be seen
# before that or not.
grep '^[0-9]' "$kept" | sed -E '/BTN_.* 0$/d; s/^[0-9.]* //' >"$scratch/kept"
cat >"$scratch/expected" <<'END'
ABS_X 12000
BTN_TRIGGER 1
ABS_X -500
lost
back
ABS_X 0
ABS_Y 0
ABS_RX 0
ABS_THROTTLE -32768
ABS_Y 300
BTN_THUMB 1
ABS_Y 301
lost
END
diff "$scratch/expected" "$scratch/kept" || fail "other moves than were made"

for again in 1 2; do
        expect 1 "$hilrig" run $rig --set "$source=played:$kept" --seconds 14 --out "$scratch/again$again"
done
[ "$(summary "$scratch/again1" signal_sha256)" = "$(summary "$scratch/again2" signal_sha256)" ] || fail "what was kept flies two signals"
