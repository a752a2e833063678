#!/usr/bin/env bash
# A board of no class, by its bulk endpoints (usbfs, libusb): found by ids and serial number, flown over in
# lockstep, with answers in short pieces, and with an endpoint that halts now and then.
cd "$(dirname "$0")/../../.." || exit 1
. tests/guest/guest.bash

board bulk
until_true opens usb:1209:0001
fly usb:1209:0001 0 whole
same whole
loop whole "vendor bulk"
fly usb:1209:0001:OTHER 2 other
says "no such device"
pull

board bulk --piece 7 --stall-in 100
until_true opens usb:1209:0001
fly usb:1209:0001:HILP01 0 hard
same hard
pull
[ "$(sed -nE 's/.*stalled ([0-9]+).*/\1/p' "$scratch/board")" -gt 50 ] || fail "hardly a stall: $(cat "$scratch/board")"
