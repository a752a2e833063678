#!/usr/bin/env bash
# tshark opens the wire capture and finds in it what the recorder was given.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

needs tshark tshark
# 2 vehicles, 1000 ticks, 1 to 6 bytes of "sample"; even ticks to the FC, odd ones from it.
expect 0 "$BUILD/tests/programs/ulog_sample" "$scratch"
expect 0 tshark -r "$scratch/wire.cap" -T fields -e frame.number -e frame.time_epoch \
        -e frame.len -e frame.protocols -e data.data
awk -F'\t' '
        BEGIN { split("73 7361 73616d 73616d70 73616d706c 73616d706c65", text, " ") }
        {
                n = int((NR - 1) / 2)
                place = sprintf("%02x%02x0000", n % 2, (NR - 1) % 2)
                if ($3 != 4 + 1 + n % 6 || sprintf("%.9f", $2) != sprintf("%.9f", (n + 1) / 1000)) exit 1
                # Without a dissector for link type 147, some versions show the bytes, some do not.
                if ($5 != "" && $5 != place text[1 + n % 6]) exit 1
        }
        END { if (NR != 2000) exit 1 }' "$scratch/out" || fail "not what was written"
