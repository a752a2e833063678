#!/usr/bin/env bash
# Every vehicle flies by every attitude law, the FINken by all its own, and by sticks; a law chosen over the wire
# flies the same bits as one in the file, and one without gains is refused. What R makes of a smooth path.
# Runs beside others: nothing here is in real time.
# Not under sanitizers: the laws have suites.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

law=vehicles.0.fc.reference.laws
fly() { # NAME STATUS RIG OPTIONS...
        local name=$1 status=$2 rig=$3
        shift 3
        expect "$status" "$hilrig" run "$rig" --pace lockstep --out "$scratch/$name" \
                "${inside[@]}" --set log.wire=false "$@"
}

expect 0 "$hilrig" suite rig_configs/suites/laws.json --out "$scratch/laws" "${inside[@]}"
says "passed: 25 runs: 25 passed"

fly finken 0 rig_configs/rigs/finken3.json --set $law.attitude=finken --set $law.height=finken --set $law.position=finken
fly sticks 0 rig_configs/rigs/quad_x_1kg_sticks.json
says "passed: 9 of 9 requirements met"
fly filtered 0 rig_configs/rigs/quad_x_1kg.json \
        --set vehicles.0.fc.reference=rig_configs/flight_controllers/quad_x_1kg_filtered.json

fly file 3 rig_configs/default.json --seconds 8 --set $law.attitude=hoffmann
fly wire 3 rig_configs/default.json --seconds 8 --set "vehicles.0.fc.link=unix-listen:$scratch/fc.sock" --set vehicles.0.fc.options.attitude_law=hoffmann
fly own 3 rig_configs/default.json --seconds 8
[ "$(summary "$scratch/file" signal_sha256)" = "$(summary "$scratch/wire" signal_sha256)" ] ||
        fail "a law in the file and one over the wire flew apart"
[ "$(summary "$scratch/file" signal_sha256)" != "$(summary "$scratch/own" signal_sha256)" ] ||
        fail "the law changed nothing"

fly bare 2 rig_configs/default.json --set $law.attitude=dikmen --set vehicles.0.fc.reference.dikmen.surface_per_s='[0, 0, 0]'
says 'has no gains about every axis, and laws.attitude is "dikmen"'
fly bare_wire 2 rig_configs/default.json --set vehicles.0.fc.options.attitude_law=dikmen \
        --set vehicles.0.fc.reference.dikmen.surface_per_s='[0, 0, 0]'
says 'fc.options.attitude_law: "dikmen" needs gains about every axis'
fly speeds 2 rig_configs/default.json --set vehicles.0.fc.reference.hoffmann.pid_below_mps=3
says "hoffmann.pd_above_mps: must be at least pid_below_mps, which is 3"
states=vehicles.0.fc.reference.takeoff_states
expect 2 "$hilrig" check rig_configs/rigs/quad_x_1kg_states.json --set $states.first_m=1
says "takeoff_states.first_m: must be greater than off_ground_m, which is 1.65, is 1"
expect 2 "$hilrig" check rig_configs/rigs/quad_x_1kg_states.json --set $states.off_ground_m=9
says "takeoff_states.off_ground_m: must be less than height_m - tolerance_m, which is 4.75, is 9"
expect 2 "$hilrig" check rig_configs/rigs/quad_x_1kg_states.json --set $states.tolerance_m=50
says "takeoff_states.tolerance_m: must be less than height_m, which is 5, is 50"

# A parabola is as smooth as LOESS of degree 2 can see, either way round where it rises; white noise is not.
needs Rscript r-base-core
awk 'BEGIN { srand(4); print "t\tparabola\tnoise\tstill"
        for (i = 0; i < 300; i++) { t = i * 0.03; n = 0; for (k = 0; k < 12; k++) n += rand()
                print t "\t" t * t + t "\t" n - 6 "\t" 1 } }' >"$scratch/path.tsv"
expect 0 Rscript --vanilla scripts/smoothness.R "$scratch/path.tsv"
awk '$2 == "parabola" && $3 < 1e-9 && $4 < 0.3 { good++ }
     $2 == "noise" && $3 > 0.85 && $3 < 1.15 && $4 > 2.2 && $4 < 3 { good++ }
     $2 == "still" && $4 == "NaN" { good++ }
     END { exit good != 3 }' "$scratch/out" || fail "smoothness.R"
