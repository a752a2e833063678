#!/usr/bin/env bash
# A serial board is pulled in flight and comes back half a second later: noticed at once, taken back, flown on.
# Without leave to come back the run ends there, and says why.
cd "$(dirname "$0")/../../.." || exit 1
. tests/guest/guest.bash

pulled acm uart:/dev/ttyACM0@921600 /dev/ttyACM0
