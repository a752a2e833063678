#!/usr/bin/env bash
# `hilrig capture` from files and from a capture board: tables, words, JSON, recordings, and its messages.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash
dir=$scratch

"$BUILD/tests/programs/pad_file" "$dir/a.sr" 12000000 0.5 1 0:DSHOT300:4000 1:DSHOT600:4000:inverted:answers 2:PWM:400 \
        5:MULTISHOT:4000 >"$dir/truth" || fail "no file"

expect 0 "$hilrig" capture --from "$dir/a.sr"
says "12.000 MHz  0.50 s  gaps 0"
for line in '0 D0 +DSHOT300 +4000\.0 ' '1 D1 +DSHOT600 inverted +4000\.0 ' '2 D2 +PWM +400\.0 .* us ' \
        '3 D3 +no edges' '5 D5 +MULTISHOT +4000\.0 '; do
        grep -Eq "^$line" "$scratch/out" || fail "no line '$line'"
done

# Every frame that was put in after the protocol had settled, and nothing else.
expect 0 "$hilrig" capture --from "$dir/a.sr" --words --pads 0
[ "$(grep -c ' throttle ' "$scratch/out")" -ge 1985 ] || fail "too few words"
grep -q damaged "$scratch/out" && fail "damaged words"
"$hilrig" capture --from "$dir/a.sr" --words --json --pads 0 |
        sed -n 's/.*"tick": \([0-9]*\),.*"kind": "\(throttle\|stop\)", "value": \([0-9]*\),.*/0 \1 value \3/p' >"$dir/words"
[ "$(grep -Fxc -f "$dir/truth" "$dir/words")" = "$(wc -l <"$dir/words")" ] || fail "words that were not put in"
expect 0 "$hilrig" capture --from "$dir/a.sr" --json --pads 1
says '"protocol": "DSHOT600", "inverted": true'
says '"erpm": '
says '"telemetry_damaged": 0, "damaged": 0, "odd": 0'

# A recording of a recording is the same, whole, and cut off it reads as far as it goes.
expect 0 "$hilrig" capture --from "$dir/a.sr" --record "$dir/b.sr"
says "b.sr: 6000000 samples, 0.500 s"
[ ! -e "$dir/b.sr.part" ] || fail "b.sr.part is left"
[ "$("$hilrig" capture --from "$dir/a.sr" --words | head -n -20 | md5sum)" = \
        "$("$hilrig" capture --from "$dir/b.sr" --words | head -n -20 | md5sum)" ] || fail "a copy with other words"
head -c 60000 "$dir/b.sr" >"$dir/cut.sr"
expect 3 "$hilrig" capture --from "$dir/cut.sr"
says "the recording was not finished: it is read as far as it goes"

expect 2 "$hilrig" capture --from "$dir/a.sr" --rate 1M
says "only of an analyzer"

expect 0 "$hilrig" capture --from "$dir/a.sr" --seconds 0.1
says "MHz  0.10 s"
# To the sample, and so is a copy.
expect 0 "$hilrig" capture --from "$dir/a.sr" --seconds 0.2 --record "$dir/short.sr"
says "short.sr: 2400000 samples, 0.200 s"
expect 1 "$hilrig" capture --from "$dir/a.sr" --pads 3
expect 0 "$hilrig" capture --from "$dir/a.sr" --protocol dshot300 --pads 0
says "DSHOT300"
# A protocol that it is not: what it looks like instead.
expect 1 "$hilrig" capture --from "$dir/a.sr" --protocol MULTISHOT --pads 0
says " not MULTISHOT "
says "pad 0: no MULTISHOT in "
says "; looks like DSHOT300 at 4000.0 Hz"
expect 0 "$hilrig" capture --from "$dir/a.sr" --protocol DSHOT300 --json --words --pads 0,1
tail -n 1 "$scratch/out" >"$scratch/end"
grep -qF '"asked_protocol": "DSHOT300"' "$scratch/end" || fail "the JSON does not tell what was asked for"
[ "$(grep -o '"looks_like": {"protocol": "DSHOT600", "inverted": true' "$scratch/end" | wc -l)" = 1 ] ||
        fail "pad 1 looks like nothing, or pad 0 like something else"
expect 2 "$hilrig" capture --from "$dir/a.sr" --protocol PROSHOT1000
says "--protocol PROSHOT1000: needs 24 MHz or more"

# The user's mistakes.
cp "$dir/a.sr" "$dir/a.sr.part"
while IFS='|' read -r words message; do
        # shellcheck disable=SC2086
        expect 2 "$hilrig" capture $words
        says "$message"
        [ "$(wc -l <"$scratch/err")" = 1 ] || fail "more than a line"
        grep -Eq 'capture: capture|([^ ]+: )\1' "$scratch/err" && fail "a prefix twice"
done <<END
--from $dir/none.sr|none.sr: No such file or directory
--from $dir|is not a file
--from $0|is not a zip archive
--source lpt1|hilrig capture: --source: "lpt1": kind: must be fx2, board or sr
--source fx2:1-99|hilrig capture: usb
--source fx2 --rate 25M|--rate: must be 48 MHz or 30 MHz divided by a whole number of 2 to 1536, 24 MHz at most, is 25000000 Hz; the nearest is 24000000
--source fx2 --rate 0x10|must be in Hz
--source fx2 --words|--words: only of a recording
--from $dir/a.sr --record $dir/a.sr|is what is read
--from $dir/a.sr --record $dir/none/b.sr|No such file or directory
--from $dir/a.sr --pads 8|must be numbers 0 to 7
--from $dir/a.sr --pads 0,|must be numbers 0 to 7
--from $dir/a.sr --protocol DSHOT700|must be one of PWM, ONESHOT125
--from $dir/a.sr --range 2000:1000|must be LOW:HIGH within 500:2500 us
--from $dir/a.sr --rate fast|must be in Hz
--from $dir/a.sr --seconds -1|--seconds: must be a number from 0 to 1000000000, is "-1"
--from $dir/a.sr --glitch 1e12|--glitch: must be a number from 0 to 1000000000, is "1e12"
--from $dir/a.sr --record $dir/./a.sr|is what is read
--from $dir/a.sr.part --record $dir/a.sr|is written as .part first, which is what is read
--from $dir/a.sr --record $dir|is not a file
--from $dir/a.sr --record /dev/null|is not a file
--from $dir/a.sr --record=|--record: needs a value
--from=|--from: needs a value
--from $dir/a.sr extra|takes no operands
--source board:unix:$dir/none.sock|none.sock
END
cmp "$dir/a.sr" "$dir/a.sr.part" || fail "what was read is not what it was"
rm "$dir/a.sr.part"
expect 2 "$hilrig" capture --from "$dir/a.sr" --record /dev/full/x.sr

# What is left of a recording that was killed is not written over.
cp "$dir/cut.sr" "$dir/k.sr.part"
expect 2 "$hilrig" capture --from "$dir/a.sr" --record "$dir/k.sr"
says "k.sr.part: is there, of a recording that was not finished"
cmp "$dir/cut.sr" "$dir/k.sr.part" || fail "what was left of a recording is gone"

# A recording that is damaged is named once.
{ head -c 30000 "$dir/a.sr"; printf damaged; tail -c +30008 "$dir/a.sr"; } >"$dir/bad.sr"
expect 2 "$hilrig" capture --from "$dir/bad.sr"
says "hilrig capture: $dir/bad.sr: "
[ "$(grep -o bad.sr "$scratch/err" | wc -l)" = 1 ] || fail "named more than once"
[ "$(wc -l <"$scratch/err")" = 1 ] || fail "more than a line"

# Whoever reads it may have enough: no need to decode the rest.
"$hilrig" capture --from "$dir/a.sr" --words 2>"$scratch/out" | head -n 1 >/dev/null
[ "${PIPESTATUS[0]}" = 2 ] || fail "nobody read it, and it went on"
says "could not be printed"

# A capture board, live; Ctrl-C; it leaves.
"$BUILD/tests/boards/fake_capture_board" "pty-link:$dir/board" >/dev/null &
board=$!
for _ in {1..500}; do
        [ -e "$dir/board" ] && break
        sleep 0.01
done
expect 0 timeout 60 "$hilrig" capture --source "board:pty:$dir/board" --seconds 1
says "capture board fake on"
for line in '0 +DSHOT600 +1000\.0 ' '1 +DSHOT600 +1000\.0 ' '2 +PWM +400\.0 ' '3 +no edges'; do
        grep -Eq "^$line" "$scratch/out" || fail "no line '$line'"
done
expect 1 timeout 60 "$hilrig" capture --source "board:pty:$dir/board" --seconds 0.5 --protocol PWM --pads 0
grep -Eq "pad 0: no PWM; looks like DSHOT600 at 1000\.0 Hz" "$scratch/err" "$scratch/out" || fail "did not say what pad 0 is"
expect 2 timeout 60 "$hilrig" capture --source "board:pty:$dir/board" --record "$dir/c.sr"
says "a capture board sends no samples"

# ended STATUS SIGNAL [PID]: how a capture ends where that one, or itself, gets the signal once something has been seen.
ended() {
        local capture status
        # The shell that goes into the background empties it too late: what the last one said would be taken for its.
        : >"$scratch/out"
        "$hilrig" capture --source "board:pty:$dir/board" --json >"$scratch/out" 2>"$scratch/err" &
        capture=$!
        for _ in {1..1000}; do
                [ -s "$scratch/out" ] && break
                sleep 0.02
        done
        kill "-$2" "${3:-$capture}"
        wait $capture
        status=$?
        [ $status = "$1" ] || fail "exit status $status after $2, expected $1"
}
ended 0 INT
[ "$(wc -l <"$scratch/out")" -ge 2 ] || fail "no line while it went on"
tail -n 1 "$scratch/out" | grep -q '"source": "capture board fake on' || fail "no end"
ended 2 TERM $board
says "gone after"
wait $board
exit 0
