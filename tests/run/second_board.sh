#!/usr/bin/env bash
# A board in another language, written from the documents alone: `hilrig conform` finds nothing wrong with it, its outputs
# push the right way, and it flies the vehicle that it was made for.
# Not under sanitizers: run/conform.sh asks the same, and the board is Python.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash
needs python3 python3

python3 -B tests/boards/hilp_board.py "unix-listen:$scratch/py.sock" 2>"$scratch/board" &
until listens "$scratch/py.sock"; do
        kill -0 $! || fail "it did not start: $(cat "$scratch/board")"
        sleep 0.01
done

# It asks for 250 frames a second; on a machine that is too busy for that the step is void, which is not its fault.
"$hilrig" conform --link "unix:$scratch/py.sock" --vehicle rig_configs/vehicles/md4_200_thesis.json --seconds 0.2 \
        >"$scratch/out" 2>"$scratch/err"
status=$?
[ $status = 0 ] || [ $status = 4 ] || fail "conform: $(grep -A 1 FAILED "$scratch/out")"
says ", 0 failed, 0 skipped, "
says "passed   signs        outputs push against roll, pitch and yaw; it turns back to its heading"

expect 0 "$hilrig" run rig_configs/rigs/md4_200_thesis.json --pace lockstep --out "$scratch/run" \
        --set vehicles.0.fc.spawn=false --set "vehicles.0.fc.link=unix:$scratch/py.sock"
says "passed: 9 of 9 requirements met, 0 failed, 0 not judged"
[ ! -s "$scratch/board" ] || fail "it complained: $(cat "$scratch/board")"
exit 0
