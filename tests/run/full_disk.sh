#!/usr/bin/env bash
# A full disk: the run ends with a message, is void, and what was written reads.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

cat >"$scratch/full.sh" <<EOF
mount -t tmpfs -o size=900k none "$scratch/disk" || exit 77
"$hilrig" run rig_configs/default.json --pace lockstep --out "$scratch/disk/run"
status=\$?
"$hilrig" replay "$scratch/disk/run" || exit 1
exit \$status
EOF
mkdir "$scratch/disk"
if ! unshare -rm true 2>/dev/null; then
        echo "no mount of its own can be had here (unshare -rm is refused)"
        exit 77
fi
unshare -rm bash "$scratch/full.sh" >"$scratch/out" 2>"$scratch/err" </dev/null
status=$?
if [ $status -eq 77 ]; then
        echo "a small tmpfs could not be mounted here"
        exit 77
fi
[ $status -eq 3 ] || fail "full disk: exit status $status, expected 3"
says "No space left on device"
