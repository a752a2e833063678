#!/usr/bin/env bash
# Eight find their places by the distances between them, to the same bits twice; by their IMUs alone they do not, nor where nobody
# says what was measured. What cannot measure is refused, and a board that does not know the sensor is not flown.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

rig=rig_configs/rigs/collective_8.json

expect 2 "$hilrig" check $rig --set 'vehicles.0.vehicle.sensors.relative.part={}'
says 'sensors.relative.part'
says 'must have range, bearing or both'
expect 2 "$hilrig" check $rig --set 'vehicles.0.vehicle.sensors.relative.part.bearing={"axis":[0,0,0]}'
says 'must have a direction'
expect 2 "$hilrig" check $rig --set vehicles.0.vehicle.sensors.relative.part.range.loss_percent=101
says 'loss_percent'

expect 3 "$hilrig" run $rig --out "$scratch/short" --seconds 8 --set realtime.threads=2
expect 0 "$hilrig" replay "$scratch/short"
enough_under_sanitizers

expect 0 "$hilrig" run $rig --out "$scratch/whole" "${inside[@]}"
whole "$scratch/whole"
expect 0 "$hilrig" run $rig --out "$scratch/again" --set realtime.threads=2 "${inside[@]}"
[ "$(summary "$scratch/whole" signal_sha256)" = "$(summary "$scratch/again" signal_sha256)" ] || fail "not the same bits twice"
expect 0 "$hilrig" replay "$scratch/whole"
expect 1 "$hilrig" run $rig --out "$scratch/alone" "${inside[@]}" --set 'vehicles.*.fc.reference.laws.navigation=inertial'
says "FAILED     12 s"
expect 1 "$hilrig" run $rig --out "$scratch/mute" "${inside[@]}" --set radio.loss_percent=100
says "FAILED     12 s"
