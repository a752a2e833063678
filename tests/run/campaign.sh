#!/usr/bin/env bash
# A campaign counts every flight once: side by side, killed and started again, with flights that are killed, hang or end void,
# on boards that one flight has at a time and nobody keeps, and on a disk that is full.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/hops.bash

hop_scenario "$climbs"
# campaign NAME SEEDS MORE: a file of the default rig with two versions.
campaign() {
        printf '{ "name": "%s", "rigs": [{ "file": "%s/rig_configs/default.json"%s }], "scenarios": [{ "file": "hop.json" }],
          "set": ["log.wire=false"], "reserve_mb": 0, "seeds": { "count": %s },
          "versions": [{ "name": "1.0" }, { "name": "1.1", "set": ["vehicles.0.fc.reference.planted.gain_ratio=0.8"] }]%s }' \
                "$1" "$PWD" "${4:-}" "$2" "$3" >"$scratch/$1.json"
}
in_the_air() { pgrep -P "$1" -f 'exe run' >"$scratch/air"; }

# Two versions, as they are and with a fault that must be found, two seeds of each.
campaign two 2 ', "faults": [{ "name": "stale", "set": ["vehicles.0.fc.reference.planted.gps_stale_s=3"], "must_fail": "climbs" }]'
expect 0 "$hilrig" check "$scratch/two.json"
says "campaign two, 8 flights: 2 versions, 1 rigs, 1 faults"
expect 0 "$hilrig" campaign "$scratch/two.json" --list
[ "$(wc -l <"$scratch/out")" -eq 8 ] || fail "not eight flights"
says "6 1.1/default/hop/2-1"
expect 0 "$hilrig" campaign "$scratch/two.json" --out "$scratch/two" --jobs 2
says "passed: 8 flights: 8 passed, 0 failed, 0 void, 0 could not run, 0 not flown"
says "found by: climbs"
counts "$scratch/two" passed 8
counts "$scratch/two" open 0
[ "$(grep -c '<testcase' "$scratch/two/junit.xml")" -eq 8 ] || fail "junit.xml has not eight cases"
if grep -q "<failure" "$scratch/two/junit.xml"; then fail "junit.xml has failures"; fi
grep -q '"page":"campaign"' "$scratch/two/campaign.html" || fail "no page"
before=$(records "$scratch/two")
expect 0 "$hilrig" campaign "$scratch/two.json" --out "$scratch/two"
says "8 counted already"
[ "$(records "$scratch/two")" = "$before" ] || fail "counted again"
# A flight is the suite's flight, to the bit; and each version's folder is one of runs.
expect 0 "$hilrig" run rig_configs/default.json --scenario "$scratch/hop.json" --pace lockstep --seed 2 --out "$scratch/alone"
[ "$(summary "$scratch/alone" signal_sha256)" = "$(summary "$scratch/two/1.0/default/hop/2-1" signal_sha256)" ] || fail "another signal"
expect 3 "$hilrig" compare "$scratch/two/1.0" "$scratch/two/1.1"
says "4 runs"
# Other settings are refused; half a record is none.
expect 2 "$hilrig" campaign "$scratch/two.json" --out "$scratch/two" --set stop_after_s=4
says "8 flights there were flown with other settings"
flight=$scratch/two/1.0/default/hop/1-1
head -c 100 "$flight/flight.json" >"$scratch/half" && mv "$scratch/half" "$flight/flight.json"
expect 0 "$hilrig" campaign "$scratch/two.json" --out "$scratch/two"
says "7 counted already"
[ -s "$scratch/two/.aside/00001-1/summary.json" ] || fail "not moved aside"
counts "$scratch/two" passed 8

# Killed with flights in the air, twice: they end with it, half ones are moved aside, what counted stays as it was.
campaign many 8 ''
for _ in 1 2; do
        counted=$(find "$scratch/many" -name flight.json 2>/dev/null | wc -l)
        "$hilrig" campaign "$scratch/many.json" --out "$scratch/many" --jobs 2 >"$scratch/out" 2>"$scratch/err" </dev/null &
        pid=$!
        await has_records "$scratch/many" $((counted + 1))
        await in_the_air $pid
        kill -KILL $pid
        wait $pid 2>/dev/null
        while read -r child; do
                await test ! -e "/proc/$child"
        done <"$scratch/air"
done
before=$(records "$scratch/many")
expect 0 "$hilrig" campaign "$scratch/many.json" --out "$scratch/many"
says "passed: 16 flights: 16 passed"
[ "$(grep -cvFxf <(echo "$before") <(records "$scratch/many"))" -eq $((16 - $(wc -l <<<"$before"))) ] ||
        fail "something counted again"
# Asked to end, it says how to go on.
"$hilrig" campaign "$scratch/many.json" --out "$scratch/cut" --jobs 2 >"$scratch/out" 2>"$scratch/err" </dev/null &
pid=$!
await has_records "$scratch/cut" 1
kill -TERM $pid
wait $pid
status=$?
[ $status -eq 3 ] || fail "interrupted: exit status $status"
says "stopped: interrupted"
expect 0 "$hilrig" campaign "$scratch/many.json" --out "$scratch/cut"
says "16 passed"

# Void ones are flown again up to their limit; what they left is kept aside.
campaign void 1 ', "attempts": 2'
expect 3 "$hilrig" campaign "$scratch/void.json" --out "$scratch/void" --set stop_after_s=3 --jobs 1
says "void: 2 flights: 0 passed, 0 failed, 2 void"
[ "$(grep -c 'flown again, 1 of 2 attempts are over' "$scratch/err")" -eq 2 ] || fail "not flown again"
[ "$(find "$scratch/void/.aside" -name summary.json | wc -l)" -eq 2 ] || fail "not two aside"
grep -q '"attempts": 2' "$scratch/void/1.0/default/hop/1-1/flight.json" || fail "no attempts"

# Three boards, which are reference flight controllers by themselves; the third one hears nothing.
params=rig_configs/flight_controllers/md4_200.json
for i in 1 2 3; do
        "$hilrig" fc --link "pty-link:$scratch/board$i" --params $params --quiet &
        board[i]=$!
        await test -e "$scratch/board$i"
done
kill -STOP "${board[3]}"
mkdir "$scratch/locks"
# farm NUMBER...: these boards.
farm() {
        local i list=
        for i in "$@"; do
                list+="${list:+, }{ \"name\": \"b$i\", \"family\": \"md4\", \"link\": \"pty:$scratch/board$i\" }"
        done
        echo "{ \"name\": \"bench\", \"locks\": \"$scratch/locks\", \"boards\": [$list] }"
}
farm 1 2 >"$scratch/farm.json"
expect 0 "$hilrig" check "$scratch/farm.json"
says "b2: md4 at pty:"
campaign boards 3 ', "farm": "farm.json"' ', "board": "md4"'
expect 0 "$hilrig" campaign "$scratch/boards.json" --out "$scratch/boards" --jobs 2
says "passed: 6 flights: 6 passed"
for i in 1 2; do
        [ "$(grep -l "\"board\": \"b$i\"" -r "$scratch/boards" --include flight.json | wc -l)" -ge 1 ] || fail "nothing flew on b$i"
        flock -n "$scratch/locks/hilrig-board-b$i" true || fail "b$i is still locked"
done
# The bits are those of the same flight controller that the rig starts.
[ "$(summary "$scratch/alone" signal_sha256)" = "$(summary "$scratch/boards/1.0/default/hop/2-1" signal_sha256)" ] ||
        fail "another signal on a board"
# A board that somebody has is waited for; one campaign's flights do not share one.
farm 1 >"$scratch/farm.json"
(
        flock -n 9 || exit 1
        echo "a test" >&9
        exec sleep 600
) 9>"$scratch/locks/hilrig-board-b1" &
holder=$!
await grep -q "a test" "$scratch/locks/hilrig-board-b1"
"$hilrig" campaign "$scratch/boards.json" --out "$scratch/waits" --jobs 4 >"$scratch/out" 2>"$scratch/err" </dev/null &
pid=$!
await test -e "$scratch/waits"
sleep 1
[ ! -e "$scratch/waits/1.0" ] || fail "flew on a board that somebody has"
kill -STOP "${board[1]}"
kill $holder
await in_the_air $pid
[ "$(wc -l <"$scratch/air")" -eq 1 ] || fail "two flights on one board"
# Killed, it leaves no board behind.
kill -KILL $pid
wait $pid 2>/dev/null
await flock -n "$scratch/locks/hilrig-board-b1" true
kill -CONT "${board[1]}"
# One that is killed is flown again: here while its board does not answer yet.
farm 3 >"$scratch/farm.json"
campaign killed 1 ', "farm": "farm.json", "attempts": 2' ', "board": "md4"'
"$hilrig" campaign "$scratch/killed.json" --out "$scratch/killed" --jobs 1 --set vehicles.0.fc.hello_timeout_ms=60000 \
        >"$scratch/out" 2>"$scratch/err" </dev/null &
pid=$!
tty=$(readlink "$scratch/board3")
# A flight has it open: who finds nobody there when it goes on makes another one.
has_board() { in_the_air $pid && readlink "/proc/$(head -n 1 "$scratch/air")"/fd/* | grep -qx "$tty"; }
await has_board
kill -KILL "$(head -n 1 "$scratch/air")"
await grep -q "flown again" "$scratch/err"
await has_board
kill -CONT "${board[3]}"
wait $pid || fail "one flight killed: exit status $?"
says "ended by signal 9 (Killed); flown again"
says "2 passed"
# Not while it makes its device anew, which it does at a hang-up.
until kill -STOP "${board[3]}" && sleep 0.1 && [ -c "$scratch/board3" ]; do
        kill -CONT "${board[3]}"
        sleep 0.1
done
# A flight that hangs is ended, and flown on another board.
farm 3 1 >"$scratch/farm.json"
campaign hang 4 ', "farm": "farm.json", "attempts": 8, "time_limit_s": 30' ', "board": "md4"'
expect 0 "$hilrig" campaign "$scratch/hang.json" --out "$scratch/hang" --jobs 2 \
        --set vehicles.0.fc.hello_timeout_ms=60000 --set vehicles.0.fc.timeout_ms=60000
says "hung: ended after its time limit of 30 s; flown again"
says "passed: 8 flights: 8 passed"
# A board on which none runs is left out. With no other the rest stays open, and a limit of attempts makes it count.
farm 3 >"$scratch/farm.json"
expect 3 "$hilrig" campaign "$scratch/hang.json" --out "$scratch/none" --set vehicles.0.fc.hello_timeout_ms=200
says "board b3: 3 flights in a row did not run on it: left out"
says "stopped: every board on which the rest could fly was left out"
says "8 not flown"
campaign hang 1 ', "farm": "farm.json", "attempts": 1' ', "board": "md4"'
expect 2 "$hilrig" campaign "$scratch/hang.json" --out "$scratch/once" --set vehicles.0.fc.hello_timeout_ms=200
says "2 could not run"
kill -CONT "${board[3]}"

# A full disk: what counted counts, the rest is open, and goes on elsewhere in time.
cat >"$scratch/full.sh" <<EOF
mount -t tmpfs -o size=6m none "$scratch/disk" || exit 77
"$hilrig" campaign "$scratch/many.json" --out "$scratch/disk/c" --jobs 2
status=\$?
cp -r "$scratch/disk/c" "$scratch/saved" || exit 78
exit \$status
EOF
mkdir "$scratch/disk"
if unshare -rm true 2>/dev/null; then
        unshare -rm bash "$scratch/full.sh" >"$scratch/out" 2>"$scratch/err" </dev/null
        status=$?
        if [ $status -ne 77 ]; then
                says "stopped: $scratch/disk/c"
                says_not "0 passed"
                [ $status -eq 3 ] || fail "full disk: exit status $status"
                half=$(find "$scratch/saved" -name 'flight.json.half' | wc -l)
                [ "$half" -eq 0 ] || fail "half a record"
                find "$scratch/saved" -name flight.json | while read -r record; do
                        grep -q '"verdict": "passed"' "$record" || fail "counted on a full disk: $(cat "$record")"
                        [ -s "${record%/*}/summary.json" ] || fail "$record: no summary"
                done || exit 1
        fi
fi

# Wrong words.
campaign wrong 1 ', "farm": "farm.json"' ', "board": "stm32"'
expect 2 "$hilrig" campaign "$scratch/wrong.json" --out "$scratch/never"
says 'rigs.0.board: must be the family of a board of the farm'
sed 's/"1.1"/"1.0"/' "$scratch/many.json" >"$scratch/twice.json"
expect 2 "$hilrig" campaign "$scratch/twice.json" --out "$scratch/never"
says 'versions.1.name: must be unique, is "1.0" twice'
farm 1 1 >"$scratch/double.json"
expect 2 "$hilrig" check "$scratch/double.json"
says 'boards.1.name: must be unique, is "b1" twice'
expect 2 "$hilrig" campaign "$scratch/many.json" --out "$scratch/never" --set seed=3
expect 2 "$hilrig" campaign "$scratch/many.json" --out "$scratch/never" --jobs 0
expect 2 "$hilrig" campaign "$scratch/many.json" --out "$scratch/never" --farm "$scratch/nowhere.json"
expect 2 "$hilrig" campaign rig_configs/default.json --out "$scratch/never"
expect 2 "$hilrig" campaign
expect 2 "$hilrig" run "$scratch/many.json"
says "is a campaign, not a rig; hilrig campaign flies it"
[ ! -e "$scratch/never" ] || fail "left a folder"
