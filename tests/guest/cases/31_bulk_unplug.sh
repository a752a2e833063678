#!/usr/bin/env bash
# A board with bulk endpoints is pulled in flight: as a serial one.
cd "$(dirname "$0")/../../.." || exit 1
. tests/guest/guest.bash

pulled bulk usb:1209:0001 'usb 3-1 .1209:0001.'
