#!/usr/bin/env bash
# Every shipped rig that brings its own flight controller flies and passes; two vehicles in one rig
# pass, replay, and do not change each other's noise; one that passes below another sinks in its wash; a foreign reader opens the logs.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

expect 3 "$hilrig" run tests/rigs/crossing.json --pace lockstep --seconds 10 --out "$scratch/short"
expect 0 "$hilrig" replay "$scratch/short"
enough_under_sanitizers

for rig in rig_configs/rigs/{finken3,lockstep,md4_200_thesis}.json tests/rigs/{two,crossing}.json; do
        name=$(basename "$rig" .json)
        expect 0 "$hilrig" run "$rig" --pace lockstep --out "$scratch/$name" "${inside[@]}"
        whole "$scratch/$name"
done
expect 0 "$hilrig" replay "$scratch/two"
says "90000 periods re-flown"
expect 0 "$hilrig" replay "$scratch/crossing"
says "96000 periods re-flown"
expect 1 "$hilrig" run tests/rigs/crossing.json --set wash=false --out "$scratch/no_wash" "${inside[@]}"
says "sinks in the wash: did not happen"

needs node nodejs
needs tests/node/node_modules/.installed-lock "npm packages"
expect 0 node tests/node/ulog.mjs "$scratch"/*/run.ulg
