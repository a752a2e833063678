#!/usr/bin/env bash
# `hilrig retrace`: a run beside its own vehicle is the same to the rounding of its record, one beside a heavier vehicle
# says by how much; what a log lacks is said, and wrong input is refused by name.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

rig=rig_configs/rigs/quad_x_1kg.json
expect 0 "$hilrig" run "$rig" --out "$scratch/run" "${inside[@]}"
log=$scratch/run/run.ulg

# column QUANTITY N: of its line in the table, counted from the quantity's unit.
column() {
        sed -nE "s/^  $1 +(deg|m)[^ ]* +//p" "$scratch/out" | awk -v n="$2" '{ print $n }'
}

# below WHAT VALUE LIMIT
below() {
        awk -v is="$2" -v limit="$3" 'BEGIN { exit !(is != "" && is + 0 <= limit) }' || fail "$1 is $2, above $3"
}

# gain CAUSE: of the log to the simulation.
gain() {
        sed -nE "s/^  $1 +([0-9.]+) .*/\\1/p" "$scratch/out"
}

# From its first tick on in one go: commands and plant are the same to the bit, the record has floats.
expect 0 "$hilrig" retrace "$log" --rig "$rig" --from 0 --every 0
for quantity in north east down "velocity north" "velocity down" roll pitch "roll rate"; do
        below "$quantity at most" "$(column "$quantity" 2)" 2e-5
done
says "by 1 m           never"
says "by 10 degrees    never"
below "lag of roll" "$(column roll 5 | tr -d -)" 0.1

# From its take-off on, anew each second: the state that it begins with is rounded.
expect 0 "$hilrig" retrace "$log" --rig "$rig" --out "$scratch/page"
below "north at most" "$(column north 2)" 1e-3
below "roll at most" "$(column roll 2)" 0.05
grep -q '<path class="l"' "$scratch/page/retrace.html" || fail "no curves"
cp "$scratch/page/retrace.json" "$scratch/json"
expect 0 "$hilrig" retrace "$log" --rig "$rig" --json
cmp -s "$scratch/out" "$scratch/json" || fail "--json and retrace.json differ"

# A tenth more mass: the log has a tenth more force per mass than the simulation; its turning is the same.
expect 0 "$hilrig" retrace "$log" --rig "$rig" --set vehicles.0.vehicle.mass_kg=1.1
below "thrust off by" "$(gain 'thrust per mass' | awk '{ d = $1 - 1.1; print d < 0 ? -d : d }')" 0.005
below "roll off by" "$(gain 'roll torque per inertia' | awk '{ d = $1 - 1; print d < 0 ? -d : d }')" 0.005
says "by 1 m           after"

# As a table with motors every 0.1 s and without attitude. Outputs stand in the order of the rotors.
{
        echo "t_s,north_m,east_m,down_m,p_dps,q_dps,r_dps,motor_0,motor_1,motor_2,motor_3"
        awk 'BEGIN { for (i = 0; i < 100; i++) print i / 10 ",0,0," (i < 10 ? 0 : -1) ",0,0,0,0.5,0.5,0.5,0.5" }'
} >"$scratch/log.csv"
expect 0 "$hilrig" retrace "$scratch/log.csv" --rig "$rig"
says "the log has its motors every 100 ms"
says "not in the log"
says "not judged: the log has it too seldom"

# A hole of 2 s in it: the motors did not stand still there, and nothing is compared; behind it the flight goes on as well.
awk -F, 'NR == 1 || $1 < 4 || $1 > 6' "$scratch/log.csv" >"$scratch/hole.csv"
expect 0 "$hilrig" retrace "$scratch/hole.csv" --rig "$rig" --json
grep -q '"blind_s": 1\.[56]' "$scratch/out" || fail "the hole is not said: $(grep blind "$scratch/out")"
down_rms() { sed -n '/"down"/,/}/s/.*"rms": \([0-9.e+-]*\),*/\1/p' "$scratch/out"; }
holed=$(down_rms)
expect 0 "$hilrig" retrace "$scratch/log.csv" --rig "$rig" --json
awk -v a="$holed" -v b="$(down_rms)" 'BEGIN { exit !(a > 0 && a < 1.3 * b && a > 0.7 * b) }' || fail "with a hole the height is off by $holed"

# A receiver that wanders on the ground is no take-off.
{
        echo "t_s,north_m,east_m,down_m,motor_0,motor_1,motor_2,motor_3"
        awk 'BEGIN { for (i = 0; i < 100; i++) { m = i < 50 ? 0 : 0.6; print i / 10 ",0,0," (i < 50 ? (i % 7) / 10 : -1) "," m "," m "," m "," m } }'
} >"$scratch/wanders.csv"
expect 0 "$hilrig" retrace "$scratch/wanders.csv" --rig "$rig"
says "from 5.000 s after its first command on"

# refused WORDS ARGUMENT...
refused() {
        local words=$1
        shift
        expect 2 "$hilrig" retrace "$@"
        says "$words"
}
refused "needs a log, and --rig" "$log"
refused "one log at a time" "$log" "$log" --rig "$rig"
refused "$scratch/none" "$scratch/none" --rig "$rig"
refused "no log of a flight" "$hilrig" --rig "$rig"
refused "behind # must be" "$log#0" --rig "$rig"
refused "$log#7: says nothing of the motors" "$log#7" --rig "$rig"
refused "--vehicle: must be less than 1" "$log" --rig "$rig" --vehicle 1
refused "--every: must be a number from 0 to 86400" "$log" --rig "$rig" --every -1
refused "$log: has less than 0.4 s of flight" "$log" --rig "$rig" --from 86000
printf 't_s,motor_0\n1,abc\n' >"$scratch/wrong.csv"
refused 'line 2, column motor_0: must be a number, is "abc"' "$scratch/wrong.csv" --rig "$rig"
cut -d, -f1-9 "$scratch/log.csv" >"$scratch/two.csv"
refused "the log has 2 motors" "$scratch/two.csv" --rig "$rig"
head -c 100000 "$log" >"$scratch/cut.ulg"
expect 0 "$hilrig" retrace "$scratch/cut.ulg" --rig "$rig" --from 0
