#!/usr/bin/env bash
# What `hilrig host` says of this machine and of copies of others, and what it writes.
# Runs beside others: what it measures here is counted, not judged.
# shellcheck disable=SC2016 # backticks are Markdown's
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

tree=$scratch/tree
# put PATH TEXT
put() { mkdir -p "$(dirname "$tree$1")" && echo "$2" >"$tree$1"; }
# state NAME: what the last JSON says of that finding.
state() { sed -n "/\"name\": \"$1\"/,/\"figure\"/p" "$scratch/out" | sed -nE 's/.*"state": "(.*)",/\1/p'; }

expect 2 "$hilrig" host here
says "here: takes no operands"
expect 2 "$hilrig" host --seconds 1.5
says "--seconds: must be a whole number from 0 to 3600, is \"1.5\""
expect 2 "$hilrig" host --config "$scratch/none.json"
says "none.json"
expect 2 "$hilrig" host --root "$tree"
says "$tree/sys/devices/system/cpu/online: must list the CPUs"

# A copy of another machine: two things to change, one of which cannot be written.
put /sys/devices/system/cpu/online 0
put /proc/loadavg '0.01 0.01 0.01 1/100 1'
put /sys/kernel/mm/ksm/run 1
put /sys/devices/system/clocksource/clocksource0/current_clocksource hpet
expect 1 "$hilrig" host --root "$tree"
says "2 to change"
says "now: echo 0 > /sys/kernel/mm/ksm/run"
says "hilrig host --fix would write 1 file, until the next boot"
[ "$(cat "$tree/sys/kernel/mm/ksm/run")" = 1 ] || fail "it was written without --fix"
expect 1 "$hilrig" host --root "$tree" --fix
says "changed /sys/kernel/mm/ksm/run: 1 -> 0"
says "1 to change"
[ "$(cat "$tree/sys/kernel/mm/ksm/run")" = 0 ] || fail "it was not written"
put /sys/devices/system/clocksource/clocksource0/current_clocksource tsc
expect 0 "$hilrig" host --root "$tree" --fix
says "0 to change"
says_not "changed /"

# What a file of the tree says acts neither on a terminal nor in JSON.
put /sys/devices/system/clocksource/clocksource0/current_clocksource $'\e]0;x"\\'
expect 1 "$hilrig" host --root "$tree"
says '\x1b]0;x"'
expect 1 "$hilrig" host --root "$tree" --json
python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$scratch/out" || fail "no JSON"

# This machine, whatever it is: each CPU that is on-line was measured, and each finding is there and told by the page.
"$hilrig" host --json --seconds 1 >"$scratch/out" 2>"$scratch/err"
[ $? -le 1 ] || fail "this machine could not be looked at"
python3 - "$scratch/out" <<'END' || fail "the lateness of this machine is not whole"
import json, sys
said = json.load(open(sys.argv[1]))
online = open("/sys/devices/system/cpu/online").read().strip()
cpus = [c for part in online.split(",") for c in range(int(part.split("-")[0]), int(part.split("-")[-1]) + 1)]
assert [row["cpu"] for row in said["lateness"]] == cpus, said["lateness"]
for row in said["lateness"]:
    # Two blocks of 1 s at 1 kHz; a late wake-up takes the place of several.
    assert 0 < row["wake_ups"] <= 2000 and row["late"] <= row["wake_ups"], row
    assert 0 < row["p50_us"] <= row["p99_us"] <= row["p99_9_us"] <= row["max_us"], row
END
[ "$(state lateness)" != "not judged" ] || fail "what was measured is not judged"
[ "$(state requests)" != "not judged" ] || fail "what was asked for is not judged"
names=$(sed -nE 's/.*"name": "([a-z_]+)",/\1/p' "$scratch/out")
[ "$(wc -l <<<"$names")" -gt 20 ] || fail "few findings: $names"
[ "$(sed -n '/^## What `hilrig host`/,/^## /s/^| `\([a-z_]*\)` |.*/\1/p' docs/realtime.md)" = "$names" ] ||
        fail "docs/realtime.md has other findings"
