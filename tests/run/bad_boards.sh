#!/usr/bin/env bash
# Boards and ports that are not what they should be: a clear word, the right exit status, and what was
# recorded stays.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

# Generous, and no budget for the host: what is judged here is the board, on a machine however slow.
patience=(--set vehicles.0.fc.spawn=false --set vehicles.0.fc.timeout_ms=2000
        --set realtime.missed_max_percent=100 --set realtime.stall_max_ms=60000 --set realtime.starved_max_percent=100
        --set "vehicles.0.fc.link=unix-listen:$scratch/fc.sock")

# run NAME STATUS OPTIONS...: a run whose board connects by a Unix socket.
run() {
        local name=$1 status=$2
        shift 2
        expect "$status" "$hilrig" run rig_configs/default.json --seconds 5 --out "$scratch/$name" \
                "${patience[@]}" --set vehicles.0.fc.hello_timeout_ms=2000 "$@"
}

# The board must find the rig listening: it tries until it does.
late_board() {
        (
                until listens "$scratch/fc.sock"; do sleep 0.01; done
                exec "$BUILD/tests/boards/fake_board" "unix:$scratch/fc.sock" "$@"
        ) &
}

run nobody 2
says "no hello"
[ "$(summary "$scratch/nobody" verdict)" = error ] || fail "nobody: not an error"

# What it was, and how to ask the board why: a link without a baud rate is not asked for one.
conform_hint="\`hilrig conform --link unix-listen:$scratch/fc.sock\`"
late_board silent
run silent 2
says "no hello"
says "it sends nothing; $conform_hint"
[ "$(summary "$scratch/silent" loss)" = silent ] || fail "silent: told as $(summary "$scratch/silent" loss)"

late_board garbage
run garbage 2
says "no hello"
says "it sends bytes that are no HILP messages; $conform_hint"
says_not "baud rate"
[ "$(summary "$scratch/garbage" loss)" = malformed ] || fail "garbage: told as $(summary "$scratch/garbage" loss)"
[ "$(summary "$scratch/garbage" crc_errors)" -gt 0 ] || fail "garbage was not counted"

late_board old
run old 2
says "version"

# Refused as soon as it has said so, whatever the time-out.
late_board few
run few 2 --set vehicles.0.fc.hello_timeout_ms=600000
says "motor"
[ "$(summary "$scratch/few" loss)" = refused ] || fail "few: told as $(summary "$scratch/few" loss)"

# Slow is not bad: it gets the frames that it can take.
late_board slow 100000
run slow 3 --pace lockstep
[ "$(summary "$scratch/slow" ticks)" = 5000 ] || fail "slow: not flown to the end"
[ "$(summary "$scratch/slow" frames_sent)" = 1250 ] || fail "slow: not every fourth frame"
expect 0 "$hilrig" replay "$scratch/slow"

# Where the loss of the board is what ends the run, the flight is long: a busy host takes a board's silence for its own at first.
long=(--seconds 45)
silent_ms=200 # ten times as long in lockstep
for pace in lockstep realtime; do
        late_board vanish 1000
        run "vanish-$pace" 1 --pace $pace "${long[@]}"
        says "gone at"
        says_not conform
        [ "$(summary "$scratch/vanish-$pace" loss)" = gone ] || fail "vanish-$pace: not gone"
        whole "$scratch/vanish-$pace"
        expect 0 "$hilrig" replay "$scratch/vanish-$pace"

        late_board mute 1000
        run "mute-$pace" 1 --pace $pace "${long[@]}" --set vehicles.0.fc.timeout_ms=$silent_ms
        says "unacknowledged"
        expect 0 "$hilrig" replay "$scratch/mute-$pace"

        # The link is open, and more comes than silence.
        for way in still garble astray words; do
                late_board $way 1000
                run "$way-$pace" 1 --pace $pace "${long[@]}" --set vehicles.0.fc.timeout_ms=$silent_ms
                says "$conform_hint"
                says_not "gone"
        done
        [ "$(summary "$scratch/still-$pace" loss)" = silent ] || fail "still-$pace: not silent"
        [ "$(summary "$scratch/garble-$pace" loss)" = malformed ] || fail "garble-$pace: not malformed"
        [ "$(summary "$scratch/astray-$pace" loss)" = "out of step" ] || fail "astray-$pace: not out of step"
        [ "$(summary "$scratch/words-$pace" loss)" = "without motors" ] || fail "words-$pace: not without motors"
        silent_ms=2000

        # Starts anew amid the flight: that is the end of it.
        late_board restart 1000
        run "restarted-$pace" 1 --pace $pace "${long[@]}"
        says "its flight controller restarted at"
        whole "$scratch/restarted-$pace"
        expect 0 "$hilrig" replay "$scratch/restarted-$pace"

        # Or, where the configuration allows it, greeted again, and flown on. Nothing is judged within 5 s.
        late_board restart 1000
        run "restart-$pace" 3 --pace $pace --set vehicles.0.fc.reconnect=true
        [ "$(summary "$scratch/restart-$pace" ticks)" = 5000 ] || fail "$pace: not flown on"
        [ "$(summary "$scratch/restart-$pace" frames_sent)" -gt 2000 ] || fail "$pace: not greeted again"
        grep -qaF "flight controller restarted" "$scratch/restart-$pace/run.ulg" ||
                fail "$pace: the restart is not in the log"
        expect 0 "$hilrig" replay "$scratch/restart-$pace"
done

# Comes back, where the configuration allows it.
(
        until listens "$scratch/fc.sock"; do sleep 0.01; done
        "$BUILD/tests/boards/fake_board" "unix:$scratch/fc.sock" vanish 1000
        until "$BUILD/tests/boards/fake_board" "unix:$scratch/fc.sock" mute 100000 2>/dev/null; do
                sleep 0.05
        done
) &
"$hilrig" run rig_configs/default.json --seconds 5 --out "$scratch/back" "${patience[@]}" \
        --set vehicles.0.fc.reconnect=true >"$scratch/out" 2>"$scratch/err" </dev/null
[ "$(summary "$scratch/back" ticks)" = 5000 ] || fail "did not fly on after the board came back"
[ "$(summary "$scratch/back" frames_sent)" -gt 1500 ] || fail "the board was not taken back"
grep -qaF "gone at" "$scratch/back/run.ulg" || fail "the loss is not in the log"
grep -qaF "back at" "$scratch/back/run.ulg" || fail "the return is not in the log"
expect 0 "$hilrig" replay "$scratch/back"

# Boards that fly on, though not as the protocol has it: counted, and said once.
warned() { # name, text
        [ "$(grep -cE -- "$2" "$scratch/$1/summary.json")" = 1 ] || fail "$1: does not warn once: $2"
}
for way in twice jump unknown; do
        late_board $way
        run "$way" 3 --seconds 2 --pace lockstep
        says "warning: "
done
# Of 2000 frames, and of those with which it was told to disarm.
all_of_them() { # name, key
        local count
        count=$(summary "$scratch/$1" "$2")
        ((count >= 2000 && count <= 2010)) || fail "$1: $count $2 of 2000"
}
all_of_them twice repeated
warned twice "messages that came twice, or answered a frame again: 20[0-9]{2} of "
[ "$(summary "$scratch/jump" lost)" = 0 ] || fail "jump: $(summary "$scratch/jump" lost) lost of 2000"
warned jump "jumps of more than 64 .*; how many were lost cannot be told"
all_of_them unknown malformed
[ "$(summary "$scratch/unknown" lost)" = 0 ] || fail "unknown: what came was counted as lost"
warned unknown "malformed messages, .*: 20[0-9]{2} of .*hilrig conform"
late_board late
run tardy 3 --seconds 2 --pace realtime
warned tardy "half of its motor commands came .* ms or more after their sensor frame"

# A stranger at a listener is hung up on; the board flies on, and the run says who it was.
port=$((20000 + RANDOM % 10000))
(
        until "$BUILD/tests/boards/fake_board" "tcp:127.0.0.1:$port" mute 100000 2>/dev/null; do sleep 0.05; done
) &
(
        until [ "$(stat -c %s "$scratch/stranger/run.ulg" 2>/dev/null || echo 0)" -gt 100000 ]; do sleep 0.05; done
        exec 3<>"/dev/tcp/127.0.0.1/$port"
        cat <&3 >"$scratch/heard"
) &
run stranger 3 --pace realtime --set "vehicles.0.fc.link=tcp-listen:127.0.0.1:$port"
says "connections of strangers, closed: 1, the last from 127.0.0.1:"
[ "$(summary "$scratch/stranger" strangers)" = 1 ] || fail "the stranger was not counted"
[ ! -s "$scratch/heard" ] || fail "the stranger got sensor frames"

# Ports.
expect 2 "$hilrig" run rig_configs/default.json --out "$scratch/noport" \
        --set vehicles.0.fc.spawn=false --set vehicles.0.fc.link=uart:/dev/ttyNOSUCH9@921600
says /dev/ttyNOSUCH9
expect 2 "$hilrig" run rig_configs/default.json --out "$scratch/refused" \
        --set vehicles.0.fc.spawn=false --set vehicles.0.fc.link=tcp:127.0.0.1:9 \
        --set vehicles.0.fc.hello_timeout_ms=200
says "its flight controller is looked for at tcp:127.0.0.1:9, for 0.2 s"
says "link: tcp 127.0.0.1:9: connection refused, tried for 0.2 s"
[ ! -e "$scratch/refused" ] || fail "left a folder"

# A firmware that listens only after the rig has looked for it.
: >"$scratch/err"
(
        until grep -q "looked for" "$scratch/err"; do sleep 0.01; done
        exec "$hilrig" fc --link "unix-listen:$scratch/late.sock" --once --quiet \
                --params rig_configs/flight_controllers/md4_200.json
) &
expect 3 "$hilrig" run rig_configs/default.json --seconds 2 --pace lockstep --out "$scratch/late" \
        --set vehicles.0.fc.spawn=false --set "vehicles.0.fc.link=unix:$scratch/late.sock" \
        --set vehicles.0.fc.hello_timeout_ms=60000
[ "$(summary "$scratch/late" ticks)" = 2000 ] || fail "a firmware that starts late was not flown"

"$BUILD/tests/boards/fake_board" "unix-listen:$scratch/busy.sock" silent &
until listens "$scratch/busy.sock"; do sleep 0.01; done
expect 2 "$hilrig" run rig_configs/default.json --out "$scratch/busy" \
        --set vehicles.0.fc.spawn=false --set "vehicles.0.fc.link=unix-listen:$scratch/busy.sock"
says "in use"
