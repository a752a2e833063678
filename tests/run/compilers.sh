#!/usr/bin/env bash
# gcc and clang, optimised or not, give the plant and its sensors the same bits.
# Runs beside others: nothing here is in real time.
# Not under sanitizers: it compiles by itself.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

needs gcc gcc
needs clang clang

# The flags that the Makefile gives everything, but for the level.
flags=(-std=gnu11 -ffp-contract=off -fno-math-errno -D_GNU_SOURCE -I.)
first=
for compiler in gcc clang; do
        for level in -O0 -O3 "-O3 -march=native"; do
                # As in the Makefile: gcc 12 fuses vectorised sums, -ffp-contract or not.
                case "$compiler $level" in gcc*-march*) level+=' -fno-tree-slp-vectorize' ;; esac
                # shellcheck disable=SC2086 # a level may be several words
                expect 0 "$compiler" "${flags[@]}" $level -o "$scratch/plant" tests/programs/plant_hash.c \
                        models/*.c models/{plant,world,sensors,sensors/errors,vehicle,faults}/*.c -lm
                said=$("$scratch/plant") || fail "$compiler $level: $said"
                echo "$compiler $level: $said"
                first=${first:-$said}
                [ "$said" = "$first" ] || fail "differs from the first"
        done
done
