#!/usr/bin/env bash
# A board that is a serial port (cdc_acm, ttyACM0): sees its speed and DTR, flown over in lockstep, also when the
# answers come in pieces that end anywhere.
cd "$(dirname "$0")/../../.." || exit 1
. tests/guest/guest.bash

board acm
until_true test -c /dev/ttyACM0
expect 0 "$hilrig" ports
says "0483:5740:HILP01"
fly uart:/dev/ttyACM0@921600 0 whole
same whole
loop whole "CDC-ACM"
pull
grep -q 'plugged 1, .*baud 921600' "$scratch/board" || fail "the board said: $(cat "$scratch/board")"
until_true test ! -e /dev/ttyACM0

board acm --piece 7
until_true test -c /dev/ttyACM0
fly uart:usb=0483:5740:HILP01@921600 0 pieces
same pieces
pull
