#!/usr/bin/env bash
# A logic analyzer without firmware (fx2lafw): the rig loads the distribution's, it comes back as another device, and
# its samples of four DShot600 pads at 24 MHz fly the vehicle.
cd "$(dirname "$0")/../../.." || exit 1
. tests/guest/guest.bash

firmware=/usr/share/sigrok-firmware/fx2lafw-saleae-logic.fw
[ -s $firmware ] || {
        echo "no firmware for the analyzer (Debian: sigrok-firmware-fx2lafw); scripts/deps.sh guest installs it"
        exit 77
}

analyzer --firmware $firmware
by_pads 0 flown ""
says "motor pads of md4_200 by fx2: driving, 0 gaps, 0 losses"
[ "$(grep -c '"protocol": "DSHOT600"' "$scratch/flown/summary.json")" = 4 ] || fail "not four DShot600 pads"
[ "$(pads "$scratch/flown" damaged)" = 0 ] || fail "$(pads "$scratch/flown" damaged) damaged frames"
pull
grep -q 'plugged 2, .* misloaded no, starts 1, ' "$scratch/board" || fail "the analyzer said: $(cat "$scratch/board")"
echo "figure: analyzer: $(sed -nE 's/.* given ([0-9]+),.*/\1/p' "$scratch/board") samples at 24 MHz in" \
        "$(summary "$scratch/flown" wall_time_s) s, $(pads "$scratch/flown" frames) frames of pad 0, differing from what was reported by $(pads "$scratch/flown" difference_max) at most"
