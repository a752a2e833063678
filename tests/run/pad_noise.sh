#!/usr/bin/env bash
# Synthetic recordings with white noise: what is wrong is counted and never used, and --glitch takes it out. And
# tests/pad_file refuses what it does not know.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash
dir=$scratch

while IFS='|' read -r pad message; do
        expect 2 "$BUILD/tests/programs/pad_file" "$dir/none.sr" 24e6 0.1 1 "$pad"
        says "$message"
done <<END
0:PWM:400:jiter=200|"jiter=200": must be ppm=, jitter=
0:PWM:400:jitter=20x|"20x" is no number
0:PWM:400:noise=-1|"-1" is no number of 0 or more
0:PWM:0|"0" is no number
8:PWM:400|its number 0 to 7
0:unknown:400|a pad is NUMBER
0:PWM|a pad is NUMBER
END
[ ! -e "$dir/none.sr" ] || fail "a file of what was refused"

# Half the swing is 4.2 times the noise, or 4.5: some 260 wrong samples a second at 24 MHz, and 80.
"$BUILD/tests/programs/pad_file" "$dir/noisy.sr" 24e6 2 3 0:DSHOT600:8000:noise=0.12 1:DSHOT300:4000:inverted:noise=0.11 \
        2:PWM:400:noise=0.12 >"$dir/truth" || fail "no file"
[ "$("$BUILD/hilrig" capture --from "$dir/noisy.sr" --json --pads 3 | grep -c '"edges": 0,')" = 1 ] || fail "noise where none is"

# Frames with a wrong CRC are counted. Its 4 bits let some through that are wrong in several places: fewer than one
# in a hundred.
for pad in 0 1; do
        expect 0 "$hilrig" capture --from "$dir/noisy.sr" --pads $pad --words --json
        tail -n 1 "$scratch/out" | grep -q '"damaged": 0,' && fail "pad $pad: no noise"
        sed -n 's/.*"tick": \([0-9]*\),.*"kind": "\(throttle\|stop\)", "value": \([0-9]*\),.*/\1 \3/p' "$scratch/out" |
                sort >"$dir/words"
        awk -v pad=$pad '$1 == pad && $3 == "value" { print $2, $4 }' "$dir/truth" | sort >"$dir/put"
        all=$(wc -l <"$dir/words")
        right=$(comm -12 "$dir/words" "$dir/put" | wc -l)
        [ "$all" -ge 6000 ] || fail "pad $pad: $all words"
        [ $((all - right)) -le $((all / 100)) ] || fail "pad $pad: $right of $all words are right"
done

# A wrong sample is a level of 42 ns: joined to what is around it, no pulse is lost.
expect 0 "$hilrig" capture --from "$dir/noisy.sr" --pads 2 --glitch 130 --json
says '"odd": 0'
grep -q '"glitches": 0,' "$scratch/out" && fail "no noise was taken out"
exit 0
