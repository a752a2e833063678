#!/usr/bin/env bash
# `hilrig identify --bench`: the plan without a table; of tables what they tell, what is missing and the next step; a vehicle file of
# what was told.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

start=rig_configs/vehicles/quad_x_1kg.json
expect 0 "$hilrig" identify --bench
says "4. zero: command 0 for 10 s"
says "8. chirp"

# A ramp out of the dead band of 6 %, stairs up and down and steps, 200 rows a second: 20000 rpm at full command and 15.6 V, lags of 40 and
# 60 ms, 2e-6 N and 3e-8 Nm per (rad/s)^2, 20 mohm.
awk 'BEGIN {
        print "t_s,command,rpm,thrust_n,torque_nm,battery_v,battery_a"
        srand(7); volt = 16; dt = 0.005
        for (i = 0; i < 26000; i++) {
                t = i * dt
                if (t < 20) u = 0.005 * int(t)
                else if (t < 96) { k = int((t - 20) / 4); u = 0.1 * (k < 10 ? k + 1 : 19 - k) }
                else u = int(t) % 2 ? 0.3 : 0.6
                noise = rand() - 0.5
                square = w * w; shaft = 3e-8 * square * w
                amps = (shaft / 0.7 + 2) / volt; charge += amps * dt
                printf "%.3f,%.3f,%.2f,%.4f,%.6f,%.4f,%.3f\n", t, u, w * 9.549296586 + 20 * (rand() - 0.5), 2e-6 * square + 0.05 * (rand() - 0.5), 3e-8 * square + 1e-3 * (rand() - 0.5), volt + 0.02 * (rand() - 0.5), amps + 0.1 * (rand() - 0.5)
                aim = u < 0.06 ? 0 : u * 2094.395 * volt / 15.6
                volt = 16 - 1e-4 * charge - 0.02 * amps
                w += (1 - exp(-dt / (aim < w ? 0.06 : 0.04))) * (aim - w)
        }
}' >"$scratch/stand.csv"

# found NAME TRUTH: told, and the truth in the interval.
found() {
        grep "^  $1 " "$scratch/out" | grep -v "cannot tell" | sed 's/ *told$//' |
                awk -v truth="$2" '{ n++; exit !($(NF - 1) <= truth && truth <= $NF) } END { if (!n) exit 1 }' ||
                fail "$1 is not $2: $(grep "^  $1 " "$scratch/out")"
}
expect 0 "$hilrig" identify --bench "$scratch/stand.csv" --vehicle $start --out "$scratch/new.json"
found "thrust factor" 2e-6
found "torque factor" 3e-8
found "full speed" 20000
found "thrust expo" 1
found "dead band" 6
found "lag up" 0.04
found "lag down" 0.06
found "resistance" 20
found "efficiency" 0.7
says "Stop: all is known"
expect 0 "$hilrig" check rig_configs/rigs/quad_x_1kg.json --resolved --set "vehicles.0.vehicle=$scratch/new.json"
grep -q '"tau_down_s": 0.0[56]' "$scratch/out" || fail "the new file lacks the lag"

# Ten rows a second and no torque: the lag and what needs the torque are not told, and the plan goes on.
awk -F, 'NR == 1 || NR % 20 == 2' "$scratch/stand.csv" | cut -d, -f1-4 >"$scratch/slow.csv"
expect 0 "$hilrig" identify --bench "$scratch/slow.csv" --vehicle $start
grep -q "^  lag up .* the data cannot tell$" "$scratch/out" || fail "ten rows a second told the lag"
says "not in the tables: needs command, rpm, torque_nm"
says "Next, 6. stairs"
expect 0 "$hilrig" identify --bench "$scratch/slow.csv" --vehicle $start --json
says '"next": "stairs"'

# refused WORDS ARGUMENT...
refused() {
        local words=$1
        shift
        expect 2 "$hilrig" identify --bench "$@"
        says "$words"
}
refused "needs --vehicle" "$scratch/stand.csv"
refused "none" "$scratch/none" --vehicle $start
head -5 "$scratch/stand.csv" >"$scratch/few.csv"
refused "few.csv: must have columns command and rpm or thrust_n, and 12 rows" "$scratch/few.csv" --vehicle $start
