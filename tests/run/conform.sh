#!/usr/bin/env bash
# `hilrig conform` from outside: the reference flight controller over a socket and a pseudo-terminal, boards that are
# wrong, and what it refuses.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

# board LINK PROGRAM...: starts it and waits until its end of the link is there.
board() {
        local path=$1
        shift
        "$@" &
        until [ -e "$path" ]; do sleep 0.01; done
}

# 250 frames a second are enough: what is tried here is the program, on a machine however busy.
easy=(--period-us 4000 --seconds 0.2)

board "$scratch/fc.sock" "$hilrig" fc --link "unix-listen:$scratch/fc.sock" --quiet \
        --params rig_configs/flight_controllers/md4_200.json
# One that cannot be judged on such a machine is not failed, and the exit status says so.
passes() { # CONFORM OPTIONS...
        "$hilrig" conform "$@" "${easy[@]}" >"$scratch/out" 2>"$scratch/err" </dev/null
        case $? in
                0) says ", 0 failed, 0 skipped, 0 void" ;;
                4) says "were left out" && says ", 0 failed, 0 skipped, " ;;
                *) fail "conform $*: $(tail -n 3 "$scratch/out")" ;;
        esac
}
passes --link "unix:$scratch/fc.sock" --vehicle rig_configs/vehicles/md4_200.json
says "passed   signs        outputs push against roll, pitch and yaw; it turns back to its heading"
grep -q FAILED "$scratch/out" && fail "the reference flight controller failed a step"

board "$scratch/tty" "$hilrig" fc --link "pty-link:$scratch/tty" --quiet \
        --params rig_configs/flight_controllers/md4_200.json
expect 4 "$hilrig" conform --link "pty:$scratch/tty" --no-arm --json "${easy[@]}"
says '"failed": 0'
says '"skipped": 11'
[ "$(grep -c '"result": "skipped"' "$scratch/out")" = 11 ] || fail "not every skipped step is in the JSON"
expect 0 "$hilrig" conform --link "pty:$scratch/tty" --step duty "${easy[@]}"
says "3 steps passed, 0 failed, 0 skipped, 0 void"

# Ctrl-C while it is armed: it ends at once, and says so.
for signal in INT TERM; do
        : >"$scratch/out"
        "$hilrig" conform --link "pty:$scratch/tty" --step failsafe --silence 600 "${easy[@]}" \
                >"$scratch/out" 2>"$scratch/err" &
        conform=$!
        until grep -q "passed   arm" "$scratch/out"; do sleep 0.01; done
        kill -$signal $conform
        wait $conform
        status=$?
        [ $status = 3 ] || fail "exit status $status after SIG$signal"
        says "hilrig conform: interrupted in the step failsafe"
        grep -q FAILED "$scratch/out" && fail "it was the board's mistake"
done
# Nobody reads it any more: nothing is armed for nobody.
"$hilrig" conform --link "pty:$scratch/tty" --silence 600 "${easy[@]}" 2>"$scratch/err" | head -n 1 >"$scratch/out"
[ "${PIPESTATUS[0]}" = 2 ] || fail "nobody read it, and it went on"
says "could not be printed"

# The wrong ones, over sockets of their own.
wrong() {
        local way=$1
        shift
        board "$scratch/$way.sock" "$BUILD/tests/boards/fake_board" "unix-listen:$scratch/$way.sock" "$way"
        expect 1 "$hilrig" conform --link "unix:$scratch/$way.sock" --wait 0.5 "${easy[@]}" "$@"
        says "FAILED   "
}
wrong silent
says "nothing came in"
says "skipped  29 steps     the board does not answer HELLO as it should"
wrong garbage
says "no frame with a right CRC"
wrong old
says "speaks none of versions 2 to 4"
wrong few --rotors 4
says "has 2 motor outputs, the vehicle needs 4"
# It answers, and flies nowhere.
wrong options --step arm --align 1
says "asked to arm"
says 'docs/protocol.md, "INPUT (5)"'

# One that starts when it is already waited for.
"$hilrig" conform --link "unix:$scratch/late.sock" --wait 60 --step hello >"$scratch/late" 2>&1 &
conform=$!
"$hilrig" fc --link "unix-listen:$scratch/late.sock" --quiet --params rig_configs/flight_controllers/md4_200.json &
wait $conform || fail "did not wait for the board: $(cat "$scratch/late")"

expect 0 "$hilrig" conform --list
says "each SENSORS is answered with one MOTORS"
[ "$(wc -l <"$scratch/out")" = 31 ] || fail "not every step is listed"
expect 0 "$hilrig" conform --list --json
[ "$(grep -c '"turns_motors": true' "$scratch/out")" = 12 ] || fail "not every step is listed as JSON"
expect 2 "$hilrig" conform --step hallo
says 'no step is called "hallo", did you mean "hello"?'
expect 2 "$hilrig" conform
says "needs --link"
expect 2 "$hilrig" conform --link "unix:$scratch/nobody.sock" --wait 0.1
says nobody.sock
expect 2 "$hilrig" conform --link rope:1
says rope
# Which way the outputs push, by a rig file's order of them.
sed 's/"codec": "hilp",/& "motor_order": [1, 0, 2, 3],/' rig_configs/default.json >"$scratch/default.json"
for part in worlds scenarios vehicles flight_controllers parts schema; do ln -s "$PWD/rig_configs/$part" "$scratch/$part"; done
expect 1 "$hilrig" conform --link "unix:$scratch/fc.sock" --vehicle "$scratch/default.json" --step signs "${easy[@]}"
says "With fc.motor_order [0, 1, 2, 3] they would push against it"
expect 2 "$hilrig" conform --link "unix:$scratch/fc.sock" --step signs
says "signs needs --vehicle FILE"
expect 2 "$hilrig" conform --link "unix:$scratch/fc.sock" --vehicle rig_configs/vehicles/md4_200.json --rotors 4
says "--rotors: --vehicle says how many"
expect 2 "$hilrig" conform --link "unix:$scratch/fc.sock" --vehicle "$scratch/nowhere.json"
says "nowhere.json: no such file"
expect 2 "$hilrig" conform --link "unix:$scratch/fc.sock" --vehicle rig_configs/worlds/flat.json
for bad in "--rotors 9" "--rotors x" "--seconds 0" "--wait 1e9" "--period-us 99" "--step nonsense" "operand"; do
        # shellcheck disable=SC2086
        expect 2 "$hilrig" conform --link "unix:$scratch/fc.sock" $bad
done
exit 0
