#!/usr/bin/env bash
# An analyzer on a bus that umockdev plays: found, its firmware loaded, its samples read, by hilrig and, as a check
# of the played one, by sigrok-cli.
# Runs beside others: nothing here is in real time.
# Not under sanitizers: staged/capture_fx2 runs the same code and libusb, with every fault.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

bus=$BUILD/tests/umock/usb_bus
firmware=/usr/share/sigrok-firmware/fx2lafw-saleae-logic.fw
samples=100000

needs "$bus" libumockdev-dev
needs "$firmware" sigrok-firmware-fx2lafw
needs sigrok-cli sigrok-cli

# Sample k of the pads is k / 24, low byte.
awk -v n="$samples" 'BEGIN { for (k = 0; k < n; k++) printf "%02x", int(k / 24) % 256 }' |
        sed 's/../\\x&/g' >"$scratch/pads.hex"
printf '%b' "$(cat "$scratch/pads.hex")" >"$scratch/pads"

same() { # file
        cmp -n "$samples" "$scratch/pads" "$1" || fail "$1: not what the pads were"
}

expect 0 "$bus" "$hilrig" ports
says 'usb 1-4        0925:3881  logic analyzer (fx2lafw, Saleae Logic kind) as fx2:1-4  sigrok fx2lafw'

# Nobody else's business: this device has no way out for bytes.
expect 0 "$bus" "$hilrig" ports --json
says '"capture": "fx2:1-4"'

expect 0 "$bus" sh -c "'$BUILD/tests/programs/capture_bytes' fx2 $samples >'$scratch/ours'"
says 'fx2lafw 1-4, 24000000 samples a second, nothing to note'
same "$scratch/ours"

expect 2 "$bus" "$BUILD/tests/programs/capture_bytes" fx2:1-5 1
says 'capture: usb 1-5: no such fx2lafw analyzer among 1: 0925:3881 at 1-4'

# Bare: its memory is written, it leaves the bus, and comes back under another address.
expect 0 "$bus" --firmware "$firmware" sh -c "'$BUILD/tests/programs/capture_bytes' fx2 $samples >'$scratch/loaded'"
says 'fx2lafw 1-4, 24000000 samples a second, firmware fx2lafw-saleae-logic.fw loaded'
same "$scratch/loaded"

# The whole way: analyzer, libusb, recording; read again by somebody else.
expect 0 "$bus" "$hilrig" capture --source fx2 --seconds 0.01 --record "$scratch/pads.sr"
says 'gaps 0'
expect 0 sigrok-cli -i "$scratch/pads.sr" -O binary -o "$scratch/recorded"
same "$scratch/recorded"

for how in "" "--firmware $firmware"; do
        # shellcheck disable=SC2086
        expect 0 "$bus" $how sigrok-cli -d fx2lafw --config samplerate=24m --samples "$samples" \
                -O binary -o "$scratch/theirs"
        same "$scratch/theirs"
        rm "$scratch/theirs"
done
