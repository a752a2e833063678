#!/usr/bin/env bash
# What the documents print of take-off, landing, hallways and position by the IMU alone is met, and so are the way-points of
# the thesis; without avoidance the wall is met instead. A ring that is not there is refused.
# Runs beside others: nothing here is in real time.
# Not under sanitizers: some hundred flights, which say no more than the laws' suites.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

# One of its seeds; `make experiments` flies them all.
fly_suite() { # NAME RUNS
        sed -e 's/"count": [0-9]*/"count": 1/' -e "s|\"\.\./|\"$PWD/rig_configs/|g" \
                "rig_configs/suites/$1.json" >"$scratch/$1.json"
        expect 0 "$hilrig" suite "$scratch/$1.json" --out "$scratch/$1" --set log.wire=false "${inside[@]}"
        says ": $2 passed"
}

fly_suite takeoff 1
fly_suite landing 3
fly_suite hallways 2
fly_suite into_walls 2
fly_suite relative_positioning 2
fly_suite thesis 2

fly() { # NAME STATUS RIG OPTIONS...
        local name=$1 status=$2 rig=$3
        shift 3
        expect "$status" "$hilrig" run "$rig" --pace lockstep --out "$scratch/$name" \
                "${inside[@]}" --set log.wire=false "$@"
}

into_walls=(rig_configs/rigs/hallways.json --scenario rig_configs/scenarios/into_walls.json)
fly unaware 1 "${into_walls[@]}" --set vehicles.0.fc.reference.laws.avoidance=off
says "FAILED     touches nothing"

fly file 3 "${into_walls[@]}" --seconds 40 --set vehicles.0.fc.reference.laws.avoidance=levels
fly wire 3 "${into_walls[@]}" --seconds 40 --set "vehicles.0.fc.link=unix-listen:$scratch/fc.sock" --set vehicles.0.fc.options.avoidance_law=levels
[ "$(summary "$scratch/file" signal_sha256)" = "$(summary "$scratch/wire" signal_sha256)" ] ||
        fail "a law in the file and one over the wire flew apart"

fly no_ring 2 rig_configs/default.json --set vehicles.0.fc.reference.laws.avoidance=states
says "laws.avoidance: needs a sonar_ring with a count"
fly no_ring_wire 2 rig_configs/default.json --set vehicles.0.fc.options.avoidance_law=states
says 'fc.options.avoidance_law: "states" needs a ring of sonars'
fly long_ring 2 rig_configs/default.json --set vehicles.0.fc.reference.sonar_ring.count=16
says "sonar_ring.count: must be at most 15 after the first, is 16"

# A landing that would end in the air is refused.
fly zero 2 rig_configs/default.json --set vehicles.0.fc.reference.landing_thesis.zero_mps=0.5
says "landing_thesis.zero_mps: must be less than sink_mps, which is 0.5"
fly off 2 rig_configs/default.json --set vehicles.0.fc.reference.landing_states.off_m=0.6
says "landing_states.off_m: must be at most flare_m, which is 0.5"
fly flare 2 rig_configs/default.json --set vehicles.0.fc.reference.landing_states.flare_m=1.5
says "landing_states.flare_m: must be at most slow_m, which is 1"
