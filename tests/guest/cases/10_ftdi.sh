#!/usr/bin/env bash
# An FTDI adapter (ftdi_sio, ttyUSB0): found by path and by its ids, its latency timer set, flown over in lockstep.
cd "$(dirname "$0")/../../.." || exit 1
. tests/guest/guest.bash

timer=/sys/bus/usb-serial/devices/ttyUSB0/latency_timer
until_true test -c /dev/ttyUSB0
expect 0 "$hilrig" ports
says "/dev/ttyUSB0"
says "0403:6001:HILP02"

echo 16 >$timer
fly uart:/dev/ttyUSB0@921600 0 by_path
says "FTDI latency timer set to 1 ms, was 16 ms"
[ "$(cat $timer)" = 1 ] || fail "the latency timer is $(cat $timer) ms"
same by_path
loop by_path "FTDI, 921600 baud"

fly uart:usb=0403:6001@921600 0 by_ids
same by_ids
fly uart:usb=0403:6001:OTHER@921600 2 other
says "no such device"
