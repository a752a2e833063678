#!/usr/bin/env bash
# Firmware that the rig starts for each run (fc.start): new each time, ended with the rig, and what went wrong with it
# is said. `hilrig fc` stands for the firmware.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

needs pgrep procps
program=$(realpath "$hilrig")
params=$PWD/rig_configs/flight_controllers/md4_200.json

# rig NAME LINK COMMAND MORE: a rig file in lockstep with firmware that is started by COMMAND, as JSON.
rig() {
        cat >"$scratch/$1.json" <<-END
        {
          "include": "$PWD/rig_configs/rigs/lockstep.json",
          "vehicles": [{
            "name": "quad", "vehicle": "$PWD/rig_configs/vehicles/md4_200.json",
            "fc": { "codec": "hilp", "link": "$2", "start": { "command": $3 } ${4:-} }
          }]
        }
END
}

# Neither the firmware nor who keeps it lives on. Not in a bounded time: one that did would run into the test's own limit.
none_left() {
        while pgrep -f "^$program fc .*$scratch" >/dev/null; do sleep 0.02; done
}

fc='["'$program'", "fc", "--link", "unix-listen:'$scratch/s'", "--params", "'$params'"]'
rig whole "unix:$scratch/s" "$fc"

# It is the flight of every other link; its output is kept; it runs in a folder of its own.
expect 0 "$hilrig" run "$scratch/whole.json" --out "$scratch/whole"
says eb269b515e20c45f8334d75924efcbbab53d3808dda1a0b153edeaa41b9f7b47
whole "$scratch/whole"
grep -q "serving on unix-listen" "$scratch/whole/fc-quad.log" || fail "no output was kept"
[ -d "$scratch/whole/fc-quad" ] || fail "no folder"
none_left

# What it is started with: files as they were, a new folder, the environment, and a shell's work left alone.
cat >"$scratch/firmware" <<END
#!/bin/sh
ls; cat image; echo "\$GREETING \$1"; echo used >>image
exec "$program" fc --link unix-listen:$scratch/s --params $params
END
chmod +x "$scratch/firmware"
echo fresh >"$scratch/image"
# shellcheck disable=SC2016 # the rig's variable, not the shell's
rig restored "unix:$scratch/s" '["./firmware", "$(ls) * {here}"],
        "restore": "image", "environment": { "GREETING": "${HELLO} there" }'
for run in first second; do
        HELLO=well expect 3 "$hilrig" run "$scratch/restored.json" --out "$scratch/$run" --seconds 1
        # shellcheck disable=SC2016 # what no shell looked at
        printf 'image\nfresh\nwell there $(ls) * %s\n' "$(realpath "$scratch")" >"$scratch/wanted"
        head -n 3 "$scratch/$run/fc-quad.log" | cmp -s - "$scratch/wanted" ||
                fail "$run: started with: $(cat "$scratch/$run/fc-quad.log")"
done
[ "$(cat "$scratch/image")" = fresh ] || fail "the image was written to"

# config.json flies the same, wherever it is read.
(cd / && HELLO=well expect 3 "$program" run "$scratch/first/config.json" --out "$scratch/again")
(cd / && expect 2 "$program" run "$scratch/first/config.json" --out "$scratch/unset") || exit 1
says "the environment has no HELLO"

# Each run of a suite has its own.
cat >"$scratch/suite.json" <<END
{ "name": "s", "rigs": [{ "file": "whole.json" }], "seeds": { "count": 3 }, "set": ["stop_after_s=1"] }
END
"$hilrig" suite "$scratch/suite.json" --out "$scratch/suite" >"$scratch/out" 2>"$scratch/err"
for seed in 1 2 3; do
        grep -q "serving" "$scratch/suite/whole/own/$seed-1/fc-quad.log" || fail "seed $seed: not started"
        grep -q '"ended": ""' "$scratch/suite/whole/own/$seed-1/summary.json" || fail "seed $seed: ended before its end"
done
none_left
# Flown again, it finds nothing of what was there.
echo old >"$scratch/suite/whole/own/2-1/fc-quad/old"
"$hilrig" suite "$scratch/suite.json" --out "$scratch/suite" --fly-again >"$scratch/out" 2>"$scratch/err"
[ ! -e "$scratch/suite/whole/own/2-1/fc-quad/old" ] || fail "an old folder was flown in"
[ -s "$scratch/suite/whole/own/2-1/summary.json" ] || fail "not flown again"

# One that does not come up is started anew, as often as the suite says, and it says how often that was.
cat >"$scratch/moody" <<END
#!/bin/sh
[ -e "$scratch/met" ] || { touch "$scratch/met"; echo "not today"; exit 1; }
exec "$program" fc --link unix-listen:$scratch/s --params $params
END
chmod +x "$scratch/moody"
rig moody "unix:$scratch/s" '["./moody"]'
for tries in 1 2; do
        rm -f "$scratch/met"
        cat >"$scratch/moods.json" <<-END
        { "name": "s", "rigs": [{ "file": "moody.json" }], "seeds": { "count": 2 }, "tries": $tries }
	END
        expect $((2 * (2 - tries))) "$hilrig" suite "$scratch/moods.json" --out "$scratch/moody$tries"
        says "not today"
        grep -q "\"tries\": $tries" "$scratch/moody$tries/suite.json" || fail "not $tries tries"
done
says "passed: 2 runs: 2 passed"
none_left

# What goes wrong at the start, by name and with its last words.
refused() { # COMMAND MORE SAYS...
        rig wrong "unix:$scratch/none" "$1" "$2"
        rm -rf "$scratch/wrong"
        expect 2 "$hilrig" run "$scratch/wrong.json" --out "$scratch/wrong"
        shift 2
        for text; do says "$text"; done
        [ -e "$scratch/wrong/summary.json" ] && fail "left a summary"
        return 0
}
refused '"./image"' '' "is not executable"
refused '["sh", "-c", "echo no; echo EEPROM; exit 3"]' '' "quad: its process sh exited with status 3 before it was up" \
        "it last said: no | EEPROM" "fc-quad.log"
# shellcheck disable=SC2016 # its own shell's
refused '["sh", "-c", "kill -SEGV $$"]' '' "was ended by signal 11 (Segmentation fault)"
refused '["sleep", "1000"], "ready": { "timeout_ms": 50 }' '' "was not up within 0.05 s: nothing listens at unix:$scratch/none"
refused '["sh", "-c", "echo nearly; exec sleep 1000"], "ready": { "timeout_ms": 2000, "output": "ready",
        "listens": "unix:/run/no" }' '' "nothing listens at unix:/run/no; it last said: nearly"
# unstarted COMMAND MORE SAYS: nothing has run, so that nothing stands in the way of the same --out.
unstarted() {
        refused "$@"
        [ ! -e "$scratch/wrong/fc-quad" ] || fail "left the folder of a firmware that was never started"
        expect 2 "$hilrig" run "$scratch/wrong.json" --out "$scratch/wrong"
        says "$3"
}
unstarted '"no-such-firmware --x"' '' "vehicles.0.fc.start.command: no-such-firmware: no program of this name is in PATH"
unstarted '"x", "restore": "nowhere"' '' "nowhere: cannot be copied"
"$program" fc --link "unix-listen:$scratch/s" --params "$params" >"$scratch/other_said" 2>&1 &
other=$!
until grep -q "serving on" "$scratch/other_said"; do sleep 0.02; done
expect 2 "$hilrig" run "$scratch/whole.json" --out "$scratch/taken"
says "something listens at unix:$scratch/s already"
# That one flies where it was started by somebody else.
expect 3 "$hilrig" run "$scratch/whole.json" --out "$scratch/other" --set vehicles.0.fc.start=null --seconds 1
kill $other && wait $other

# flying FOLDER: waits until the run's log has grown by some of its flight.
flying() {
        until [ "$(stat -c %s "$1/run.ulg" 2>/dev/null || echo 0)" -gt 100000 ]; do
                kill -0 $! 2>/dev/null || fail "$1: did not fly: $(cat "$scratch/err")"
                sleep 0.02
        done
}
long=(--set scenario.duration_s=80000 --set vehicles.0.fc.timeout_ms=600000 --set log.wire=false)
firmware() { pgrep -f "^$program fc .*$scratch"; }

# Killed in lockstep: seen at once (by its time-out only after ten minutes), a failure, with how it ended.
"$hilrig" run "$scratch/whole.json" --out "$scratch/killed" "${long[@]}" >"$scratch/out" 2>"$scratch/err" &
flying "$scratch/killed"
kill -KILL "$(firmware)"
wait $!
[ $? -eq 1 ] || fail "killed: not failed"
says "its process hilrig was ended by signal 9 (Killed); it last said: fc: serving on"
grep -q '"ended": "was ended by signal 9 (Killed)"' "$scratch/killed/summary.json" || fail "not in the summary"

# The same of one that somebody else has started, over a link that does not break.
port=$((20000 + $$ % 20000))
"$program" fc --link "udp-listen:127.0.0.1:$port" --params "$params" --quiet &
other=$!
"$hilrig" run "$scratch/whole.json" --out "$scratch/foreign" "${long[@]}" --set vehicles.0.fc.start=null \
        --set "vehicles.0.fc.link=udp:127.0.0.1:$port" >"$scratch/out" 2>"$scratch/err" &
flying "$scratch/foreign"
kill -KILL $other
wait $!
[ $? -eq 1 ] || fail "foreign: not failed"
says "its process $other has ended"

# The rig killed: nothing lives on. Ctrl-C: it is ended, by its own command.
"$hilrig" run "$scratch/whole.json" --out "$scratch/lost" "${long[@]}" >"$scratch/out" 2>"$scratch/err" &
flying "$scratch/lost"
kill -KILL $!
wait $! 2>/dev/null
none_left
ending="touch was_asked; pkill -f '^$program fc .*$scratch'"
rig asked "unix:$scratch/s" "$fc" ", \"stop\": { \"command\": [\"sh\", \"-c\", \"$ending\"], \"wait_ms\": 60000 }"
"$hilrig" run "$scratch/asked.json" --out "$scratch/asked" "${long[@]}" >"$scratch/out" 2>"$scratch/err" &
flying "$scratch/asked"
kill -INT $!
wait $!
[ $? -eq 3 ] || fail "interrupted: not void"
[ -e "$scratch/asked/fc-quad/was_asked" ] || fail "fc.stop.command was not run"
none_left

# Of a fleet all are asked to end before any is waited for: here the first ends only once the second was asked.
cat >"$scratch/together" <<END
#!/bin/sh
trap 'touch ../asked_\$1; while ! [ -e ../asked_1 ]; do sleep 0.02; done; echo "ended by itself"; exit' TERM
"$program" fc --link unix-listen:$scratch/s\$1 --params $params &
while :; do wait; sleep 0.02; done
END
chmod +x "$scratch/together"
cat >"$scratch/fleet.json" <<END
{
  "include": "$PWD/rig_configs/rigs/lockstep.json",
  "vehicles": [{
    "name": "quad_{i}", "vehicle": "$PWD/rig_configs/vehicles/md4_200.json", "copies": { "count": 2, "spacing_m": 5 },
    "fc": { "codec": "hilp", "link": "unix:$scratch/s{i}", "start": { "command": ["./together", "{i}"] },
            "stop": { "wait_ms": 5000 } }
  }]
}
END
expect 3 "$hilrig" run "$scratch/fleet.json" --out "$scratch/fleet" --seconds 1
for i in 0 1; do
        grep -q "ended by itself" "$scratch/fleet/fc-quad_$i.log" || fail "quad_$i was killed before quad_1 was asked"
done

# Stopped, as by a busy host: void however long, with the reason.
"$hilrig" run "$scratch/whole.json" --out "$scratch/held" --set pace=realtime "${long[@]}" \
        --set vehicles.0.fc.timeout_ms=400 >"$scratch/out" 2>"$scratch/err" &
flying "$scratch/held"
kill -STOP "$(firmware)"
wait $!
[ $? -eq 3 ] || fail "stopped: not void"
says "because its process"
says "was stopped for"
none_left
