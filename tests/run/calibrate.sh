#!/usr/bin/env bash
# A vehicle in a jig is turned onto its six sides, and `hilrig calibrate` finds the scale and bias
# that the rig file gave its accelerometer; a run without the six sides is refused.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

expect 0 "$hilrig" run rig_configs/rigs/calibrate.json --out "$scratch/run" "${inside[@]}"
whole "$scratch/run"
expect 0 "$hilrig" replay "$scratch/run"
says "the same"

expect 0 "$hilrig" calibrate "$scratch/run"
says "in 8 positions"
says "ACCEL_Z_SENS"

# near KEY AXIS VALUE TOLERANCE: of the JSON's axes, 0 to 2.
near() {
        sed -nE "s/^[[:space:]]*\"$1\": ([^,]*),?\$/\\1/p" "$scratch/out" |
                awk -v n="$2" -v wanted="$3" -v tolerance="$4" 'NR == n + 1 {
                        found = 1
                        if ($1 - wanted > tolerance || wanted - $1 > tolerance) exit 1
                } END { if (!found) exit 1 }' || fail "$1 of axis $2 is not $3"
}

expect 0 "$hilrig" calibrate "$scratch/run" --json
near scale 0 1.02 0.0005
near scale 1 0.985 0.0005
near scale 2 1.01 0.0005
near bias_mps2 0 0.35 0.005
near bias_mps2 1 -0.2 0.005
near bias_mps2 2 0.6 0.005

# Level, on its head and on one side; the steps that turn it further never fire.
expect 3 "$hilrig" run rig_configs/rigs/calibrate.json --out "$scratch/half" "${inside[@]}" \
        --set scenario.duration_s=14 --set scenario.requirements='[]'
expect 2 "$hilrig" calibrate "$scratch/half"
says "never lay still"
says "+x (nose up), -x (nose down), +y (left side down)"

expect 2 "$hilrig" calibrate
says "needs a run folder"
expect 2 "$hilrig" calibrate "$scratch/nowhere"
says "$scratch/nowhere/config.json"
expect 2 "$hilrig" calibrate "$scratch/run" --vehicle 1
says "must be less than 1, the number of vehicles of that run, is 1"
expect 2 "$hilrig" calibrate "$scratch/run" --vehicle x
expect 2 "$hilrig" calibrate "$scratch/run" "$scratch/half"
says "one run at a time"
cp -r "$scratch/run" "$scratch/bad"
echo nothing >"$scratch/bad/run.ulg"
expect 2 "$hilrig" calibrate "$scratch/bad"
says "is not a ULog file"
