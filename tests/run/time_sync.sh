#!/usr/bin/env bash
# Time sync measures the link alone: the rig asks when the board owes it nothing, not behind a frame, and an answer
# that comes in pieces has come with its last, not at the next tick.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

expect 3 "$hilrig" run rig_configs/default.json --seconds 2 --out "$scratch/run" --set period_us=4000 \
        --set realtime.missed_max_percent=100 --set realtime.stall_max_ms=10000
# Of each packet in a wire.cap: direction, the type of its first message, which stands behind a
# COBS distance, and the time in ns.
packets() { # wire.cap
        od -An -v -tu1 -w1 "$1" | awk '
                NR <= 24 { next }
                at < 8 { ns += $1 * 256 ^ at }
                at < 16 { if (at >= 8 && at < 12) len += $1 * 256 ^ (at - 8); at++; next }
                {
                        if (at == 16) direction = $1
                        if (at == 21) type = $1
                        if (++at < 16 + len) next
                        printf "%d %d %.0f\n", direction, type, ns
                        at = len = type = ns = 0
                }'
}
packets "$scratch/run/wire.cap" >"$scratch/out"
asked=$(grep -c '^0 6 ' "$scratch/out")
behind=$(awk '/^0 6 / && before == "0 3" { n++ } { before = $1 " " $2 } END { print n + 0 }' "$scratch/out")
[ "$asked" -ge 5 ] || fail "asked $asked times only"
# A stall of the host may put some behind a frame.
[ $((2 * behind)) -lt "$asked" ] || fail "$behind of $asked stood behind a frame"

# Of 50 ms a period; the halves of an answer are 2 ms apart.
"$BUILD/tests/boards/fake_board" "unix-listen:$scratch/fc.sock" pieces &
until listens "$scratch/fc.sock"; do sleep 0.01; done
"$hilrig" run rig_configs/default.json --seconds 3 --out "$scratch/pieces" --set period_us=50000 \
        --set realtime.missed_max_percent=100 --set realtime.stall_max_ms=10000 \
        --set vehicles.0.fc.spawn=false --set "vehicles.0.fc.link=unix:$scratch/fc.sock" >"$scratch/out" 2>"$scratch/err"

# The second half of an answer is nearer to the first than to the frame of the next tick.
packets "$scratch/pieces/wire.cap" >"$scratch/packets"
read -r asked late < <(awk '
        $1 == 0 { if (halves == 2) { asked++; if ($3 - second > second - first) soon++ }
                  halves = $2 == 6 ? 0 : -1 }
        $1 == 1 && halves == 0 { first = $3; halves = 1; next }
        $1 == 1 && halves == 1 { second = $3; halves = 2 }
        END { print asked + 0, asked - soon }' "$scratch/packets")
[ "$asked" -ge 5 ] || fail "asked $asked times only, of a board that answers in halves"
[ $((2 * late)) -lt "$asked" ] || fail "$late of $asked answers were taken in half, the rest at the next tick"
