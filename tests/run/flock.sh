#!/usr/bin/env bash
# A flock finds together by radio: passed, the same signal with any number of threads, and another one where packets are
# lost; without a radio it does not. A radio at a board's own port carries what it is given.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

rig=rig_configs/rigs/flock_8.json

fly() { # name, options...
        local name=$1
        shift
        expect 3 "$hilrig" run $rig --seconds 8 --out "$scratch/$name" "$@"
        summary "$scratch/$name" signal_sha256
}
expect 2 "$hilrig" check rig_configs/default.json --set 'vehicles.0.ports=[{"device":"radio","link":"udp-listen:127.0.0.1:14650"}]'
says 'vehicles.0.ports.0.device: "radio" needs the rig'

fly lossy --set radio.loss_percent=30 --set realtime.threads=2 >/dev/null
expect 0 "$hilrig" replay "$scratch/lossy"
enough_under_sanitizers

expect 0 "$hilrig" run $rig --out "$scratch/whole" "${inside[@]}"
whole "$scratch/whole"
expect 0 "$hilrig" replay "$scratch/whole"

first=$(fly one --set realtime.threads=1 "${inside[@]}") || exit 1
for threads in 2 5; do
        [ "$(fly "threads_$threads" --set realtime.threads=$threads)" = "$first" ] ||
                fail "$threads threads gave another signal"
done
[ "$(summary "$scratch/lossy" signal_sha256)" != "$first" ] || fail "lost packets changed nothing"

expect 1 "$hilrig" run $rig --out "$scratch/deaf" "${inside[@]}" --set radio.loss_percent=100
says "FAILED     keep apart"
