#!/usr/bin/env bash
# The default flight in lockstep: passed, and the same signal whatever the load, the link or the
# folder; another with another seed.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

fly() { # name, options...
        local name=$1
        shift
        # Cut short, not every requirement is judged: void.
        expect $(($# > 0 ? 3 : 0)) "$hilrig" run rig_configs/default.json --pace lockstep --out "$scratch/$name" "$@"
        whole "$scratch/$name"
        summary "$scratch/$name" signal_sha256
}

# Long enough for the take-off.
first=$(fly first --seconds 10) || exit 1
[ "${#first}" -eq 64 ] || fail "no signal hash"
[ "$(fly inside --seconds 10 --set vehicles.0.fc.link=inside)" = "$first" ] ||
        fail "a flight controller inside the rig's process gave another signal"
enough_under_sanitizers

fly whole >/dev/null
[ "$(summary "$scratch/whole" verdict)" = passed ] || fail "not passed"
[ "$(fly again --seconds 10)" = "$first" ] || fail "a second run gave another signal"
[ "$(fly unix --seconds 10 --set "vehicles.0.fc.link=unix-listen:$scratch/fc.sock")" = "$first" ] ||
        fail "another link gave another signal"
expect 2 "$hilrig" check rig_configs/default.json --set vehicles.0.fc.link=inside
says 'pace: must be "lockstep" with the link "inside" of md4_200'
expect 2 "$hilrig" check rig_configs/default.json --set pace=lockstep --set vehicles.0.fc.link=inside --set vehicles.0.fc.spawn=false
says "needs fc.spawn"
[ "$(fly other --seconds 10 --seed 2)" != "$first" ] || fail "another seed gave the same signal"

for _ in 1 2 3; do
        while :; do :; done &
done
[ "$(fly loaded --seconds 10)" = "$first" ] || fail "load on the machine gave another signal"
