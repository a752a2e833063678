#!/usr/bin/env bash
# Time sync measures the link alone: the rig asks when the board owes it nothing, not behind a frame, and an answer
# that comes in pieces has come with its last, not at the next tick.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

expect 3 "$hilrig" run rig_configs/default.json --seconds 2 --out "$scratch/run" --set period_us=4000 \
        --set realtime.missed_max_percent=100 --set realtime.stall_max_ms=10000
# Of each packet in wire.cap: direction, and the type of its first message, which stands behind a
# COBS distance.
od -An -v -tu1 -w1 "$scratch/run/wire.cap" | awk '
        NR <= 24 { next }
        at < 16 { if (at >= 8 && at < 12) len += $1 * 256 ^ (at - 8); at++; next }
        {
                if (at == 16) direction = $1
                if (at == 21) print direction, $1
                if (++at == 16 + len) at = len = 0
        }' >"$scratch/out"
asked=$(grep -c '^0 6$' "$scratch/out")
behind=$(awk '$0 == "0 6" && before == "0 3" { n++ } { before = $0 } END { print n + 0 }' "$scratch/out")
[ "$asked" -ge 5 ] || fail "asked $asked times only"
# A stall of the host may put some behind a frame.
[ $((2 * behind)) -lt "$asked" ] || fail "$behind of $asked stood behind a frame"

# Of 50 ms a period; the pieces are 2 ms apart.
"$BUILD/tests/fake_board" "unix-listen:$scratch/fc.sock" pieces &
until [ -S "$scratch/fc.sock" ]; do sleep 0.01; done
"$hilrig" run rig_configs/default.json --seconds 3 --out "$scratch/pieces" --set period_us=50000 \
        --set realtime.missed_max_percent=100 --set realtime.stall_max_ms=10000 \
        --set vehicles.0.fc.spawn=false --set "vehicles.0.fc.link=unix:$scratch/fc.sock" >"$scratch/out" 2>"$scratch/err"
wire_us=$(sed -nE 's/^  wire +[0-9]+ +([0-9]+)\..*/\1/p' "$scratch/out")
[ "${wire_us:-50000}" -lt 25000 ] || fail "half of the answers took ${wire_us:-no} us"
