#!/usr/bin/env bash
# `hilrig identify --rest`: errors that a rig's sensors were given are found in its log, the new vehicle file holds them, and a
# log that moves or says nothing is refused by name.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

rig=rig_configs/rigs/rest.json
start=rig_configs/vehicles/quad_x_1kg.json
imu=vehicles.0.vehicle.sensors.imu
expect 0 "$hilrig" run "$rig" --out "$scratch/run" --seed 3 --set scenario.duration_s=120 \
        --set "$imu.gyro.noise_density_dps_rthz=[0.006,0.006,0.006]" --set "$imu.accel.bias_mps2=[0.3,0,0]" \
        --set "$imu.accel.bias_mps2_per_k=[0,0,0]" --set vehicles.0.vehicle.sensors.baro.sigma_pa=4
log=$scratch/run/run.ulg

# found SENSOR WHAT TRUTH: told, and the truth in the interval.
found() {
        grep "^  $1 *$2 .* told$" "$scratch/out" | grep -v "cannot tell" |
                awk -v truth="$3" '{ n++; exit !($(NF - 2) <= truth && truth <= $(NF - 1)) } END { if (!n) exit 1 }' ||
                fail "$1 $2 is not $3: $(grep "^  $1 *$2" "$scratch/out")"
}
expect 0 "$hilrig" identify --rest "$log" --level 0.1 --vehicle $start --out "$scratch/new.json"
for axis in x y z; do found "gyroscope $axis" "white noise" 0.006; done
found "accelerometer x" "bias" 0.3
found "barometer" "white" 4
grep -q "^  accelerometer x  step  *m/s^2  *0.00478" "$scratch/out" || fail "the accelerometer's step is not seen"
grep -q "^  GPS horizontal  *drift .* the data cannot tell$" "$scratch/out" || fail "two minutes told the GPS's drift"

# Without --level a tilt looks like a bias.
expect 0 "$hilrig" identify --rest "$log"
grep -q "^  accelerometer x  bias .* the data cannot tell$" "$scratch/out" || fail "a bias across was told"
expect 0 "$hilrig" identify --rest "$log" --json
grep -q '"noise_density_dps_rthz": {' "$scratch/out" || fail "no density as JSON"

# The new file is read back, and a vehicle with it has those errors.
expect 0 "$hilrig" check $rig --resolved --set "vehicles.0.vehicle=$scratch/new.json"
tr -d ' \n' <"$scratch/out" | grep -q '"noise_density_dps_rthz":\[0.00[56]' || fail "the new file lacks the density"

# refused WORDS ARGUMENT...
refused() {
        local words=$1
        shift
        expect 2 "$hilrig" identify --rest "$@"
        says "$words"
}
refused "--rest needs a log"
refused "--out needs --vehicle" "$log" --out "$scratch/none.json"
refused "--level: must be a number from 0 to 45" "$log" --level 50
refused "--until: must be a number from 0 to" "$log" --until -1
refused "none: " "$scratch/none"

# table SECONDS LINE...: rest every 10 ms, with lines of awk for what is different.
table() {
        awk -v n="$1" 'BEGIN {
                print "t_s,p_dps,q_dps,r_dps,ax_mps2,ay_mps2,az_mps2,baro_pa,motor_0"
                srand(1)
                for (i = 0; i < 100 * n; i++) {
                        x = 0; motor = 0
                        '"${2:-}"'
                        printf "%.2f,%g,%g,%g,%g,%g,%g,%g,%g\n", i / 100, rand(), rand(), rand(), x + rand() / 10, rand() / 10, -9.8 + rand() / 10, 1e5 + rand(), motor
                }
        }'
}
table 30 'if (i == 1500) x = 3' >"$scratch/bump.csv"
refused "bump.csv: must be of a vehicle at rest, but moves at 15.0 s" "$scratch/bump.csv"
expect 0 "$hilrig" identify --rest "$scratch/bump.csv@16"
expect 0 "$hilrig" identify --rest "$scratch/bump.csv" --until 14.5
table 30 'if (i > 2000) motor = 0.3' >"$scratch/motor.csv"
refused "its motors turn at 20.0 s" "$scratch/motor.csv"
table 5 >"$scratch/short.csv"
refused "short.csv: has 500 samples of the gyroscope, of which at least 1000" "$scratch/short.csv"

# Several logs are one record each of the same sensors.
table 30 >"$scratch/still.csv"
expect 0 "$hilrig" identify --rest "$scratch/still.csv" "$scratch/bump.csv@16"
grep -q "^44.0 s at rest\|^43.9. s at rest\|^44.. s at rest" "$scratch/out" || fail "two logs are not added up: $(head -1 "$scratch/out")"
