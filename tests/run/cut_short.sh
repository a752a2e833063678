#!/usr/bin/env bash
# A run that ends before its time: by Ctrl-C, by SIGKILL, by a host that is too late.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

# flying FOLDER: waits until the run's log has grown by some of its flight.
flying() {
        until [ "$(stat -c %s "$1/run.ulg" 2>/dev/null || echo 0)" -gt 100000 ]; do sleep 0.02; done
}

# Ctrl-C: the folder is complete, the run is void.
signals="INT TERM"
# Where this test runs under nohup, so does the rig, and a hang-up is nothing to it.
[ $((0x$(awk '/^SigIgn/ { print $2 }' /proc/self/status) & 1)) -eq 1 ] || signals+=" HUP"
for signal in $signals; do
        "$hilrig" run rig_configs/default.json --out "$scratch/$signal" \
                >"$scratch/out" 2>"$scratch/err" </dev/null &
        flying "$scratch/$signal"
        kill -"$signal" $!
        wait $!
        status=$?
        [ $status -eq 3 ] || fail "SIG$signal: exit status $status, expected 3"
        whole "$scratch/$signal"
        [ "$(summary "$scratch/$signal" end_reason)" = interrupted ] || fail "no reason"
        expect 0 "$hilrig" replay "$scratch/$signal"
done

# SIGKILL: the log reads up to its last flush, and the flight controller does not live on.
"$hilrig" run rig_configs/default.json --out "$scratch/killed" >/dev/null 2>&1 </dev/null &
flying "$scratch/killed"
children=$(cat "/proc/$!/task/$!/children")
kill -KILL $!
wait $! 2>/dev/null
expect 0 "$hilrig" replay "$scratch/killed"
says "the run was cut off"
for child in $children; do
        # Not in a bounded time: one that lived on would run into the test's own limit.
        while kill -0 "$child" 2>/dev/null; do sleep 0.02; done
done

# Too late for its budget: void, and it says why.
expect 3 "$hilrig" run rig_configs/default.json --seconds 2 --out "$scratch/late" \
        --set realtime.stall_max_ms=0.001 --set realtime.missed_max_percent=100
says "the host stalled for"
[ "$(summary "$scratch/late" verdict)" = void ] || fail "not void"

# A result that cannot be left behind is none.
mkdir "$scratch/lost"
ln -s /dev/full "$scratch/lost/junit.xml"
expect 3 "$hilrig" run rig_configs/default.json --pace lockstep --out "$scratch/lost"
says "junit.xml: could not be written"
