#!/usr/bin/env bash
# gcc and clang, optimised or not, give the plant and its sensors the same bits.
# Runs beside others: nothing here is in real time.
set -euo pipefail
cd "$(dirname "$0")/../.."

case ${BUILD:-build} in
*san)
        echo "it compiles by itself, without sanitizers: once is enough"
        exit 77
        ;;
esac
for compiler in gcc clang; do
        if ! command -v "$compiler" >/dev/null; then
                echo "$compiler is not installed"
                exit 77
        fi
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The flags that the Makefile gives everything, but for the level.
flags=(-std=gnu11 -ffp-contract=off -fno-math-errno -D_GNU_SOURCE -I.)
first=
for compiler in gcc clang; do
        for level in -O0 -O3 "-O3 -march=native"; do
                # As in the Makefile: gcc 12 fuses vectorised sums, -ffp-contract or not.
                case "$compiler $level" in gcc*-march*) level+=' -fno-tree-slp-vectorize' ;; esac
                # shellcheck disable=SC2086 # a level may be several words
                "$compiler" "${flags[@]}" $level -o "$scratch/plant" tests/plant_hash.c \
                        models/*.c models/sensors/*.c -lm
                said=$("$scratch/plant") || { echo "$compiler $level: $said"; exit 1; }
                echo "$compiler $level: $said"
                first=${first:-$said}
                [ "$said" = "$first" ] || { echo "differs from the first"; exit 1; }
        done
done
