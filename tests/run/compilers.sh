#!/usr/bin/env bash
# gcc and clang, optimised or not, give the plant and its sensors the same bits as the build has.
# Runs beside others: nothing here is in real time.
# Not under sanitizers: it compiles by itself.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

needs gcc gcc
needs clang clang

first=$("$BUILD/tests/programs/plant_hash") || fail "the build's: $first"
echo "the build: $first"
# The Makefile's flags. As there: gcc 12 fuses vectorised sums, -ffp-contract or not.
for way in 'gcc -O0' 'gcc -O3 -march=native -fno-tree-slp-vectorize' 'clang -O3 -march=native'; do
        # shellcheck disable=SC2086 # a compiler and its options
        expect 0 $way -std=gnu11 -ffp-contract=off -fno-math-errno -D_GNU_SOURCE -I. -o "$scratch/plant" \
                tests/programs/plant_hash.c models/*.c models/{plant,world,sensors,sensors/errors,vehicle,faults}/*.c -lm
        said=$("$scratch/plant") || fail "$way: $said"
        echo "$way: $said"
        [ "$said" = "$first" ] || fail "differs from the build's"
done
