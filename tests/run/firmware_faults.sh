#!/usr/bin/env bash
# Each fault of a firmware is found by the requirement that has to find it, and a flight without fault passes; a
# requirement that does not find what it must fails its suite.
# Runs beside others: nothing here is in real time.
# Not under sanitizers: the same flights without say as much, and the faults have suites.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

expect 0 "$hilrig" suite rig_configs/suites/firmware_faults.json --out "$scratch/faults" "${inside[@]}"
says "passed: 18 runs: 18 passed"
says "found by: answers a roll rate within 5 ms"
for fault in stuck_task late_loop swapped_motor wrong_sign slow_filter; do
        run=$scratch/faults/default+$fault/firmware_faults/1-1
        [ "$(summary "$run" verdict)" = failed ] || fail "$fault: the flight itself did not fail"
done

sed -E "s|\"\\.\\./|\"$PWD/rig_configs/|; s|(value=)late_loop|\\1none|; s|\"count\": 3|\"count\": 1|" \
        rig_configs/suites/firmware_faults.json >"$scratch/blind.json"
expect 1 "$hilrig" suite "$scratch/blind.json" --out "$scratch/blind" "${inside[@]}"
says '"answers a roll rate within 5 ms" did not fail'
