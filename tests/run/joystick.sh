#!/usr/bin/env bash
# A vehicle flown by a joystick that is played: the same sticks make the same signal, the run's own file of them too, and a
# changed one another; the replay; and what a rig file cannot ask for.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

rig=rig_configs/rigs/by_hand.json
source=vehicles.0.joystick.source
program=$(realpath "$hilrig")

expect 0 "$hilrig" run $rig --out "$scratch/run"
whole "$scratch/run"
signal=$(summary "$scratch/run" signal_sha256)
expect 0 "$hilrig" replay "$scratch/run"
says "$signal"

# What came of the sticks is kept, and flies the same again.
kept=$scratch/run/joystick-quad_x_1kg.txt
[ "$(grep -c '^axis' "$kept")" -eq 6 ] || fail "$kept has not its six axes"
expect 0 "$hilrig" run $rig --set "$source=played:$kept" --out "$scratch/again" "${inside[@]}"
[ "$(summary "$scratch/again" signal_sha256)" = "$signal" ] || fail "the kept sticks make another signal"
cmp -s "$kept" "$scratch/again/joystick-quad_x_1kg.txt" || grep -v '^#' "$kept" |
        cmp -s - <(grep -v '^#' "$scratch/again/joystick-quad_x_1kg.txt") || fail "the sticks were not kept twice alike"

# Half of the throttle does not lift it.
sed 's/ABS_THROTTLE 1[0-9][0-9]$/ABS_THROTTLE 40/' "$kept" >"$scratch/weak.txt"
expect 1 "$hilrig" run $rig --set "$source=played:$scratch/weak.txt" --out "$scratch/weak" "${inside[@]}"
says 'FAILED     takes off'

expect 2 "$hilrig" run $rig --set "$source=played:$scratch/none.txt" --out "$scratch/none"
says 'none.txt: No such file or directory'
printf 'axis ABS_X 0 255 0\n' >"$scratch/one.txt"
expect 2 "$hilrig" run $rig --set "$source=played:$scratch/one.txt" --out "$scratch/one"
says 'has no ABS_Y'
expect 2 "$hilrig" run $rig --pace realtime --set "$source=/dev/input/none" --out "$scratch/device"
says '/dev/input/none: No such file or directory'
expect 2 "$hilrig" check $rig --set "$source=/dev/input/event0"
says 'must be "played:FILE" or "page" in lockstep'
expect 2 "$hilrig" check $rig --set vehicles.0.joystick.controls.0.input=ABS_NONE
says 'no axis or button is called "ABS_NONE"'
expect 2 "$hilrig" check $rig --set vehicles.0.joystick.controls.1.channel=1
says 'is moved by ABS_X already, is 1'
expect 2 "$hilrig" check $rig --set vehicles.0.joystick.controls.0.channel=17
says 'channel'
expect 2 "$hilrig" run $rig --set vehicles.0.joystick.controls.0.min=99999 --out "$scratch/range"
says 'min <= centre < max must hold'

# A hand that moves the place that is asked for, and one that says what a twin does: the same again from what is kept.
for rig in by_hand_places by_hand_twin; do
        [ $rig = by_hand_places ] && way=("${inside[@]}") || way=() # the twin has no flight controller
        expect 0 "$hilrig" run rig_configs/rigs/$rig.json --out "$scratch/$rig" "${way[@]}"
        signal=$(summary "$scratch/$rig" signal_sha256)
        expect 0 "$hilrig" replay "$scratch/$rig"
        says "$signal"
        kept=$(echo "$scratch/$rig"/joystick-*.txt)
        expect 0 "$hilrig" run rig_configs/rigs/$rig.json --set "$source=played:$kept" --out "$scratch/$rig-again" "${way[@]}"
        [ "$(summary "$scratch/$rig-again" signal_sha256)" = "$signal" ] || fail "$rig: the kept sticks make another signal"
        (cd / && expect 0 "$program" run "$scratch/$rig/config.json" --out "$scratch/$rig-config") ||
                fail "$rig: config.json does not fly elsewhere"
done
# Unplugged in flight: it is asked to land; plugged in again, to fly on.
sed '/^18.0/i 13.0 lost' rig_configs/joystick/guide.txt | sed '/^14.0/,/^16.0/d' >"$scratch/unplugged.txt"
expect 1 "$hilrig" run rig_configs/rigs/by_hand_places.json --set "$source=played:$scratch/unplugged.txt" --out "$scratch/unplugged" "${inside[@]}"
says 'FAILED     goes east'
says 'passed     comes down'
logged "$scratch/unplugged" 'lost at 13.000 s: it is asked to land'

hand=rig_configs/rigs/by_hand_places.json
control=vehicles.0.joystick.controls
expect 2 "$hilrig" check $hand --set $control.1.full=0
says 'controls.1.full: must be above 0 where it drives "forward"'
expect 2 "$hilrig" check $hand --set $control.0.channel=5
says 'controls.0.channel: must be left out where it drives "fly"'
expect 2 "$hilrig" check $hand --set $control.2.drives=forward
says 'controls.2.drives: is driven by ABS_Y already'
expect 2 "$hilrig" check $hand --set $control.2.drives=roll
says 'is for a twin of source "joystick", is "roll"'
expect 2 "$hilrig" check $hand --set $control.0.drives=up --set $control.0.full=1 --set $control.4.drives=turn --set $control.3.drives=right \
        --set $control.2.drives=channel --set $control.2.full=0 --set $control.2.channel=1
says 'needs a control that drives "fly"'
expect 2 "$hilrig" check $hand --set 'scenario.steps=[{"at_s":1,"mode":"armed"}]'
says 'step 0 asks quad_x_1kg for a mode, which its joystick does'
twin=rig_configs/rigs/by_hand_twin.json
expect 2 "$hilrig" check $twin --set vehicles.0.twin.law=pose --set vehicles.0.twin.flight_controller=null
says 'must be "attitude" with source "joystick"'
expect 2 "$hilrig" check $twin --set vehicles.0.twin.where=x
says 'must be left out with source "joystick"'
expect 2 "$hilrig" check $twin --set vehicles.0.joystick=null
says "needs the vehicle's \"joystick\""
expect 2 "$hilrig" check $twin --set $control.0.drives=right
says 'must be roll, pitch, turn or throttle for a twin'
expect 2 "$hilrig" check rig_configs/rigs/finken_twin.json --set vehicles.0.twin.where=null
says 'where: must be given with source "log"'
