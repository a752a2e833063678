#!/usr/bin/env bash
# `hilrig identify`: a vehicle with a tenth more thrust, slower motors and a curve from command to thrust is found from the stock one, a flight that changes
# nothing and wrong input are refused by name.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

rig=rig_configs/rigs/quad_x_1kg.json
start=rig_configs/vehicles/quad_x_1kg.json
at=vehicles.0.vehicle
"$hilrig" run "$rig" --scenario rig_configs/scenarios/identify.json --out "$scratch/run" --seed 5 "${inside[@]}" \
        --set $at.rotors.thrust_n_per_radps2=2.033e-6 --set $at.motor.tau_s=0.036 \
        --set $at.motor.tau_down_s=0.045 --set $at.motor.thrust_expo=0.8 --set $at.inertia_kgm2.xx=0.0092 >"$scratch/out" 2>"$scratch/err"
[ $? -le 1 ] || fail "did not fly"
log=$scratch/run/run.ulg

# found NAME TRUTH PART: told, within that part of the truth, and the truth in the interval.
found() {
        grep "^  $1 " "$scratch/out" | grep -v "not told" | sed "s/^  $1 *//" |
                awk -v truth="$2" -v part="$3" '{ n++; off = $(NF - 3) / truth - 1
                        exit !(off < part && off > -part && $(NF - 2) <= truth && truth <= $(NF - 1)) } END { if (!n) exit 1 }' ||
                fail "$1 is not $2: $(grep "^  $1 " "$scratch/out")"
}

expect 0 "$hilrig" identify "$log" --vehicle $start --air-density 1.183 --out "$scratch/new.json"
found "thrust factor" 2.033e-6 0.02
found "motor lag" 0.036 0.05
found "lag down" 0.045 0.05
found "thrust expo" 0.8 0.02
found "inertia xx" 0.0092 0.05
expect 0 "$hilrig" check "$rig" --set "$at=$scratch/new.json"

# refused WORDS ARGUMENT...
refused() {
        local words=$1
        shift
        expect 2 "$hilrig" identify "$@"
        says "$words"
}
refused "needs a log, and --vehicle" "$log"
refused "--air-density: must be a number from 0.1 to 2" "$log" --vehicle $start --air-density 3
refused "--outputs: must be 4 numbers" "$log" --vehicle $start --outputs 0,1
refused "$scratch/none" "$scratch/none" --vehicle $start
: >"$scratch/empty"
refused "$scratch/empty" "$scratch/empty" --vehicle $start
refused "no log of a flight" "$hilrig" --vehicle $start

# table SECONDS MOTORS: a hover every 10 ms in which nothing changes.
table() {
        awk -v n="$1" -v motors="$2" 'BEGIN {
                printf "t_s,p_dps,q_dps,r_dps,ax_mps2,ay_mps2,az_mps2"
                for (m = 0; m < motors; m++) printf ",motor_%d", m
                print ""
                for (i = 0; i < 100 * n; i++) {
                        printf "%.2f,%g,%g,%g,0,0,%g", i / 100, (i * 7) % 5 / 10, (i * 11) % 7 / 10, (i * 13) % 3 / 10, -9.8 - (i * 17) % 9 / 100
                        for (m = 0; m < motors; m++) printf ",0.5"
                        print ""
                }
        }'
}
table 30 4 >"$scratch/hover.csv"
refused "tells nothing" "$scratch/hover.csv" --vehicle $start
table 6 4 >"$scratch/short.csv"
refused "of which at least 10 s are needed" "$scratch/short.csv" --vehicle $start
table 30 2 >"$scratch/two.csv"
refused "has 2 motors" "$scratch/two.csv" --vehicle $start
table 30 0 >"$scratch/still.csv"
refused "says nothing of the motors' commands" "$scratch/still.csv" --vehicle $start

# Of two logs the wrong one is named.
refused "two.csv: has 2 motors" "$scratch/hover.csv" "$scratch/two.csv" --vehicle $start

# Commands ten times a second tell no lag and no inertia, and it says so.
awk 'BEGIN {
        print "t_s,p_dps,q_dps,r_dps,ax_mps2,ay_mps2,az_mps2,motor_0,motor_1,motor_2,motor_3"
        for (i = 0; i < 1500; i++) {
                if (i % 10 == 0) u = 0.5 + 0.08 * sin(i / 37) * sin(i / 211)
                printf "%.2f,%g,%g,%g,%g,%g,%g,", i / 100, (i * 7) % 5 / 10, (i * 11) % 7 / 10, (i * 13) % 3 / 10, (i * 19) % 7 / 100, (i * 23) % 5 / 100, -39.24 * u * u - (i * 17) % 9 / 100
                if (i % 10 == 0) printf "%g,%g,%g,%g\n", u, u, u, u; else print ",,,"
        }
}' >"$scratch/seldom.csv"
"$hilrig" identify "$scratch/seldom.csv" --vehicle $start >"$scratch/out" 2>"$scratch/err"
[ $? -le 1 ] || fail "a log with few commands was refused: $(cat "$scratch/err")"
for name in "motor lag" "inertia xx" "torque factor" "damping z"; do
        grep -q "^  $name .* the data cannot tell$" "$scratch/out" || fail "few commands told $name"
done

# A vehicle without a battery is compared with what was held back as any other.
awk 'NR > 1 { sub(/,,,$/, u "," u "," u "," u) } { print; split($0, f, ","); u = f[8] }' "$scratch/seldom.csv" >"$scratch/often.csv"
"$hilrig" identify "$scratch/often.csv" --vehicle rig_configs/vehicles/md4_200_thesis.json >"$scratch/out" 2>"$scratch/err"
[ $? -le 1 ] || fail "a vehicle without a battery was refused: $(cat "$scratch/err")"
grep -q "^  roll rate" "$scratch/out" || fail "nothing was compared with what was held back"
! grep -q "nan" "$scratch/out" || fail "no number: $(grep nan "$scratch/out")"
