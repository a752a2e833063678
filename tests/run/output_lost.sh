#!/usr/bin/env bash
# Output that cannot be written is said, and is no success: standard output on a full device, a limit on the size of files.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

# lost COMMAND...: its standard output goes nowhere.
lost() {
        "$@" >/dev/full 2>"$scratch/err" </dev/null
        status=$?
        [ $status -eq 2 ] || fail "$*: exit status $status with a full standard output, expected 2"
        says "hilrig: standard output could not be written"
}
fly=(run rig_configs/rigs/finken3.json --pace lockstep --set "vehicles.0.fc.link=unix-listen:$scratch/fc.sock")

expect 0 "$hilrig" "${fly[@]}" --out "$scratch/whole"
lost "$hilrig" "${fly[@]}" --json --out "$scratch/lost"
whole "$scratch/lost"
lost "$hilrig" check rig_configs/default.json
lost "$hilrig" replay "$scratch/whole"
lost "$hilrig" suite rig_configs/suites/default.json --list
lost "$hilrig" --help
# Who reads the first line of a pipe has what it wanted.
expect 0 bash -c "set -o pipefail; '$hilrig' check rig_configs/default.json | head -n 1"

# Files of 50 KiB at most: said, void, and not killed by the signal.
expect 3 bash -c "ulimit -f 50; exec '$hilrig' \"\$@\"" small "${fly[@]}" --out "$scratch/small"
says "File too large"
