#!/usr/bin/env bash
# Folders of runs compared: a release with itself, with one that is worse, with too little of it.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

# side NAME SHIFT: twelve runs whose error grows by SHIFT, with noise that differs from side to side.
side() {
        local i

        for i in {1..12}; do
                mkdir -p "$scratch/$1/rig/flight/$i-1"
                awk -v i="$i" -v shift="$2" -v salt="${#1}" 'BEGIN {
                        error = 1 + 0.3 * sin(12.9898 * i) + shift + 0.004 * sin(78.233 * i * salt)
                        printf "{\"verdict\": \"passed\", \"seed\": %d, \"pace\": \"lockstep\", ", i
                        printf "\"signal_sha256\": \"%d-%d\", \"version\": \"1\", ", i, salt
                        printf "\"requirements\": [{\"name\": \"holds\", \"passed\": true}], "
                        printf "\"metrics\": [{\"name\": \"position_error_rms\", \"value\": %.9g, ", error
                        printf "\"unit\": \"m\"}]}\n" }' >"$scratch/$1/rig/flight/$i-1/summary.json"
        done
}

side a 0
side bb 0
side ccc 0.05
expect 0 "$hilrig" compare "$scratch/a" "$scratch/a"
says "same: every signal of 12 pairs is the same to the bit"
expect 0 "$hilrig" compare "$scratch/a" "$scratch/bb"
says "same:"
expect 1 "$hilrig" compare "$scratch/a" "$scratch/ccc" --html "$scratch/page.html"
says "regressed:"
grep -q '"baseline_values":' "$scratch/page.html" || fail "no plots"
expect 0 "$hilrig" compare "$scratch/ccc" "$scratch/a"
says "improved:"
expect 3 "$hilrig" compare "$scratch/a" "$scratch/ccc" --alpha 1e-6
says "more pairs"
expect 1 "$hilrig" compare "$scratch/a" "$scratch/ccc" --json
says '"verdict": "regressed"'

# Void runs count for neither side.
sed -i 's/"passed", "seed"/"void", "seed"/' "$scratch"/ccc/rig/flight/*/summary.json
expect 3 "$hilrig" compare "$scratch/a" "$scratch/ccc"
says "12 twins void or broken"
# Two single runs.
expect 3 "$hilrig" compare "$scratch/a/rig/flight/1-1" "$scratch/bb/rig/flight/2-1"
says "more pairs"

expect 2 "$hilrig" compare "$scratch/a"
expect 2 "$hilrig" compare "$scratch/a" "$scratch/nowhere"
says nowhere
mkdir "$scratch/empty"
expect 2 "$hilrig" compare "$scratch/a" "$scratch/empty"
says "no finished run"
expect 2 "$hilrig" compare "$scratch/a" "$scratch/a" --alpha 2
expect 2 "$hilrig" compare "$scratch/a" "$scratch/a" --same-within x=y
