#!/usr/bin/env bash
# A joystick that umockdev plays, read through libevdev as the kernel's own: named by `hilrig ports`, flown in real time,
# and its record played again.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash
needs umockdev-run umockdev
# Its library is loaded first, which AddressSanitizer minds.
export ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0

zeros() { # bytes
        printf '0%.0s' $(seq $((2 * $1)))
}

# EVIOCG's answers, little-endian: USB 046d:c216, "Bench pad", four axes and two buttons.
{
        echo "@DEV /dev/input/event5"
        echo "EVIOCGVERSION 0 01000100"
        echo "EVIOCGID 0 03006D0416C21001"
        echo "EVIOCGNAME 0 $(printf 'Bench pad' | od -An -v -tx1 | tr -d ' \n' | tr a-f A-F)$(zeros 246)"
        echo "EVIOCGPROP 0 $(zeros 8)"
        echo "EVIOCGBIT(0) 0 0B$(zeros 7)"
        for none in 2:8 4:8 5:8 17:8 18:8 21:16; do
                echo "EVIOCGBIT(${none%:*}) 0 $(zeros "${none#*:}")"
        done
        echo "EVIOCGBIT(1) 0 $(zeros 36)03$(zeros 59)"
        echo "EVIOCGBIT(3) 0 4B$(zeros 7)"
        echo "EVIOCGLED 0 $(zeros 8)"
        echo "EVIOCGSW 0 $(zeros 8)"
        echo "EVIOCGKEY 0 $(zeros 96)"
        for axis in 0:00000000 1:00000000 3:00000000 6:0080FFFF; do
                echo "EVIOCGABS(${axis%:*}) 0 ${axis#*:}0080FFFFFF7F0000$(zeros 12)"
        done
} >"$scratch/pad.ioctl"
cat >"$scratch/pad.umockdev" <<'END'
P: /devices/virtual/input/input5/event5
N: input/event5
E: DEVNAME=/dev/input/event5
E: SUBSYSTEM=input
A: dev=13:69
END
# Time, type, code, value: an axis twice, a button, and one that the rig does not name. What the rig misses while the
# machine stands still, it reads later at once, so that the axis' first value may be passed over.
cat >"$scratch/pad.events" <<'END'
E: 0.000000 0003 0000 0000
E: 0.200000 0003 0000 12000
E: 0.200000 0000 0000 0
E: 0.300000 0001 0120 1
E: 0.300000 0001 0130 1
E: 0.300000 0000 0000 0
E: 0.400000 0003 0000 -500
E: 0.400000 0000 0000 0
END

plugged() { # command...
        umockdev-run -d "$scratch/pad.umockdev" -i "/dev/input/event5=$scratch/pad.ioctl" \
                -e "/dev/input/event5=$scratch/pad.events" -- "$@"
}

expect 0 plugged "$hilrig" ports
says '/dev/input/event5 046d:c216  joystick, gamepad or radio in joystick mode  Bench pad'

# By its node, by its ids, and by its name.
for source in /dev/input/event5 046d:c216 'name:Bench pad'; do
        rm -rf "$scratch/run"
        plugged "$hilrig" run rig_configs/rigs/by_hand.json --pace realtime --set stop_after_s=3 \
                --set "vehicles.0.joystick.source=$source" --out "$scratch/run" >"$scratch/out" 2>"$scratch/err"
        record=$scratch/run/joystick-quad_x_1kg.txt
        [ -f "$record" ] || fail "$source: no record of the joystick"
        cut -d' ' -f2- "$record" | grep -vE '^ABS_X (0|12000)$' >"$scratch/said"
        # Both in one look are told by their numbers.
        { head -n -2 "$scratch/said" && tail -n 2 "$scratch/said" | sort -r; } >"$scratch/sorted"
        diff -u - "$scratch/sorted" <<'END' || fail "$source: other events than those of the joystick"
Bench pad
ABS_X -32768 32767 0
ABS_Y -32768 32767 0
ABS_RX -32768 32767 0
ABS_THROTTLE -32768 32767 -32768
BTN_TRIGGER 0 1 0
BTN_THUMB 0 1 0
BTN_TRIGGER 1
ABS_X -500
END
done

expect 2 plugged "$hilrig" run rig_configs/rigs/by_hand.json --pace realtime --out "$scratch/none" \
        --set 'vehicles.0.joystick.source=name:Other pad'
says 'quad_x_1kg: joystick name:Other pad: No such device'

# What was recorded flies again, without the device.
expect 3 "$hilrig" run rig_configs/rigs/by_hand.json --set "vehicles.0.joystick.source=played:$record" \
        --set stop_after_s=1 --out "$scratch/again"
