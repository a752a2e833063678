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

# What is no improvement beside a row that may be worse: an error that is 20 % smaller for certain, and a tilt whose
# noise hides what became of it.
for k in 0 1; do
        for i in {1..12}; do
                mkdir -p "$scratch/trade$k/rig/flight/$i-1"
                awk -v i="$i" -v k="$k" 'BEGIN {
                        printf "{\"verdict\": \"passed\", \"seed\": %d, \"pace\": \"realtime\", ", i
                        printf "\"version\": \"1\", \"firmware\": [\"INAV 9.%d.0\"], ", k + 1
                        printf "\"flight_controllers\": [{\"vehicle\": \"quad\", \"settings\": ["
                        printf "{\"name\": \"mc_p_roll\", \"value\": \"%d\"}, {\"name\": \"mc_i_roll\", \"value\": \"75\"}, ", 40 - 20 * k
                        printf "{\"name\": \"of_%d_alone\", \"value\": \"1\"}]}], ", k
                        printf "\"latency_us\": {\"loop\": {\"count\": 9, \"p50\": %d, \"p99\": 90, \"p99_9\": 95}}, ", 80 + 300 * k
                        printf "\"metrics\": [{\"name\": \"error\", \"value\": %.9g}, ", (1 + 0.01 * i) * (1 - 0.2 * k)
                        printf "{\"name\": \"tilt_max_deg\", \"value\": %.9g, \"unit\": \"deg\"}]}\n",
                                20 + 0.1 * i + k * (1.2 + 6 * sin(78.233 * i)) }' \
                        >"$scratch/trade$k/rig/flight/$i-1/summary.json"
        done
done
expect 3 "$hilrig" compare "$scratch/trade0" "$scratch/trade1"
says "too little data: 1 of 3 rows is open: tilt_max_deg"
says "  improved         error "
says "trade0: 12 runs of INAV 9.1.0, hilrig 1"
says "trade1: 12 runs of INAV 9.2.0, hilrig 1"
says "  not judged       loop latency, p50, us "
says "1 setting of the firmware that differs:"
says '  mc_p_roll: "40", "20"'
expect 3 "$hilrig" compare "$scratch/trade0" "$scratch/trade1" --json
says '"firmware_settings_read": 2,'
expect 0 "$hilrig" compare "$scratch/trade0" "$scratch/trade1" --same-within tilt_max_deg=40
says "improved: 1 improved"

# The candidate's suite says what counts as the same, and the command line says it instead.
margins() { printf '{"comparison": {"margins": [{"row": "position_error_rms", %s}]}}' "$1" >"$scratch/ccc/suite.json"; }
margins '"percent": 10'
expect 0 "$hilrig" compare "$scratch/a" "$scratch/ccc"
says "certain, and smaller than what matters"
expect 1 "$hilrig" compare "$scratch/a" "$scratch/ccc" --same-within 2
margins '"percents": 10'
expect 2 "$hilrig" compare "$scratch/a" "$scratch/ccc"
says "ccc/suite.json: comparison.margins.0.percents: unknown key"
rm "$scratch/ccc/suite.json"

# How many runs it takes is said.
mkdir -p "$scratch/few/rig"
cp -r "$scratch/ccc/rig/flight" "$scratch/few/rig/"
rm -r "$scratch"/few/rig/flight/{4,5,6,7,8,9,10,11,12}-1
expect 3 "$hilrig" compare "$scratch/a" "$scratch/few"
says "it takes 9 to decide every row, and fewer than 6 can decide none"

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
