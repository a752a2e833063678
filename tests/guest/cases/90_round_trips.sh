#!/usr/bin/env bash
# Every byte that goes to a board comes back. How often in a second is a figure of this emulated machine.
cd "$(dirname "$0")/../../.." || exit 1
. tests/guest/guest.bash

there_and_back() { # model, link
        "$device" "$1" --echo >"$scratch/board" 2>&1 &
        board=$!
        pids+=("$board")
        until_true opens "$2"
        expect 0 /bin/round_trips "$2" 2000 64
        sed 's/^/figure: /' "$scratch/out"
        pull
}

there_and_back acm uart:/dev/ttyACM0@921600
there_and_back bulk usb:1209:0001
