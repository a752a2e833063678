#!/usr/bin/env bash
# A vehicle flown by a joystick that is played: the same sticks make the same signal, the run's own file of them too, and a
# changed one another; the replay; and what a rig file cannot ask for.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

rig=rig_configs/rigs/by_hand.json
source=vehicles.0.joystick.source

expect 0 "$hilrig" run $rig --out "$scratch/run"
whole "$scratch/run"
signal=$(summary "$scratch/run" signal_sha256)
expect 0 "$hilrig" replay "$scratch/run"
says "$signal"

# What came of the sticks is kept, and flies the same again.
kept=$scratch/run/joystick-quad_x_1kg.txt
[ "$(grep -c '^axis' "$kept")" -eq 6 ] || fail "$kept has not its six axes"
expect 0 "$hilrig" run $rig --set "$source=played:$kept" --out "$scratch/again"
[ "$(summary "$scratch/again" signal_sha256)" = "$signal" ] || fail "the kept sticks make another signal"
cmp -s "$kept" "$scratch/again/joystick-quad_x_1kg.txt" || grep -v '^#' "$kept" |
        cmp -s - <(grep -v '^#' "$scratch/again/joystick-quad_x_1kg.txt") || fail "the sticks were not kept twice alike"

# Half of the throttle does not lift it.
sed 's/ABS_THROTTLE 1[0-9][0-9]$/ABS_THROTTLE 40/' "$kept" >"$scratch/weak.txt"
expect 1 "$hilrig" run $rig --set "$source=played:$scratch/weak.txt" --out "$scratch/weak"
says 'FAILED     takes off'

expect 2 "$hilrig" run $rig --set "$source=played:$scratch/none.txt" --out "$scratch/none"
says 'none.txt: No such file or directory'
printf 'axis ABS_X 0 255 0\n' >"$scratch/one.txt"
expect 2 "$hilrig" run $rig --set "$source=played:$scratch/one.txt" --out "$scratch/one"
says 'has no ABS_Y'
expect 2 "$hilrig" run $rig --pace realtime --set "$source=/dev/input/none" --out "$scratch/device"
says '/dev/input/none: No such file or directory'
expect 2 "$hilrig" check $rig --set "$source=/dev/input/event0"
says 'must be "played:FILE" in lockstep'
expect 2 "$hilrig" check $rig --set vehicles.0.joystick.controls.0.input=ABS_NONE
says 'no axis or button is called "ABS_NONE"'
expect 2 "$hilrig" check $rig --set vehicles.0.joystick.controls.1.channel=1
says 'is moved by ABS_X already, is 1'
expect 2 "$hilrig" check $rig --set vehicles.0.joystick.controls.0.channel=17
says 'channel'
expect 2 "$hilrig" run $rig --set vehicles.0.joystick.controls.0.min=99999 --out "$scratch/range"
says 'min <= centre < max must hold'
