#!/usr/bin/env bash
# A logic analyzer without firmware (fx2lafw): the rig loads the distribution's, it comes back as another device, and
# its samples of four DShot600 pads at 24 MHz fly the vehicle.
cd "$(dirname "$0")/../../.." || exit 1
. tests/usb/guest.bash

[ -s /usr/share/sigrok-firmware/fx2lafw-saleae-logic.fw ] || {
        echo "no firmware for the analyzer (Debian: sigrok-firmware-fx2lafw); scripts/deps.sh usb installs it"
        exit 77
}

analyzer --bare yes
by_pads 0 pads '"gaps_max": 0'
expect 0 cat "$scratch/pads/summary.json"
cat "$scratch/pads/summary.json" | sed -n '/"pads"/,$p' | head -60
cat "$scratch/err"
pull
cat "$scratch/board"
false
