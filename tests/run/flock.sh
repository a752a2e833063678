#!/usr/bin/env bash
# A flock finds together by radio: passed, the same signal with any number of threads, and another one where packets are
# lost; without a radio it does not. A radio at a board's own port carries what it is given.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

rig=rig_configs/rigs/flock_8.json

expect 0 "$hilrig" run $rig --out "$scratch/whole"
whole "$scratch/whole"
expect 0 "$hilrig" replay "$scratch/whole"

fly() { # name, options...
        local name=$1
        shift
        expect 3 "$hilrig" run $rig --seconds 12 --out "$scratch/$name" "$@"
        summary "$scratch/$name" signal_sha256
}
first=$(fly one --set realtime.threads=1) || exit 1
for threads in 2 5; do
        [ "$(fly "threads_$threads" --set realtime.threads=$threads)" = "$first" ] ||
                fail "$threads threads gave another signal"
done
[ "$(fly lossy --set radio.loss_percent=30)" != "$first" ] || fail "lost packets changed nothing"

expect 1 "$hilrig" run $rig --out "$scratch/deaf" --set radio.loss_percent=100
says "FAILED     keep apart"

expect 2 "$hilrig" check rig_configs/default.json --set 'vehicles.0.ports=[{"device":"radio","link":"udp-listen:127.0.0.1:14650"}]'
says 'vehicles.0.ports.0.device: "radio" needs the rig'
