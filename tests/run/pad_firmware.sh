#!/usr/bin/env bash
# The files that a capture board's firmware takes compile as they are: C99, pedantic, freestanding, for this
# machine and, where its compiler is there, for a Cortex-M0 and a Cortex-M4; and need no library but memcpy
# and memchr.
# Runs beside others: nothing here is in real time.
# Not under sanitizers: it compiles by itself.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

compile() { # compiler...
        local undefined
        for file in io/capture/pad_record.c io/capture/pad_queue.c io/codec/hilp/hilp_frame.c; do
                expect 0 "$@" -std=c99 -pedantic -ffreestanding -Wall -Wextra -Wconversion -Werror -Os -I. -c "$file" \
                        -o "$scratch/$(basename "$file").o"
        done
        undefined=$("${1%gcc}nm" -u "$scratch"/*.c.o | sed -n 's/^ *U //p' | sort -u |
                grep -vE '^(_?(memcpy|memset|memchr)|pad_|hilp_|__aeabi_|_GLOBAL_OFFSET_TABLE_)' || true)
        [ -z "$undefined" ] || fail "$1: needs $undefined"
        rm "$scratch"/*.c.o
}

compile gcc -fno-stack-protector -U_FORTIFY_SOURCE
needs arm-none-eabi-gcc gcc-arm-none-eabi
compile arm-none-eabi-gcc -mthumb -mcpu=cortex-m0
compile arm-none-eabi-gcc -mthumb -mcpu=cortex-m4
exit 0
