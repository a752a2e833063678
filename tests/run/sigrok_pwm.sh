#!/usr/bin/env bash
# Pulses of synthetic recordings, by `hilrig capture --from` and by sigrok-cli's PWM decoder: the same to
# one sample; and both to what was put in. With clock error and jitter; with glitches, which sigrok-cli takes
# for pulses, against what was put in alone: one beside an edge moves it by up to what
# --glitch says, 5 samples here.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash
set -e

needs sigrok-cli sigrok-cli
dir=$scratch

# START WIDTH of each pulse, in samples.
ours() { # file, pad, options...
        local file=$1 pad=$2
        shift 2
        "$BUILD/hilrig" capture --from "$file" --pads "$pad" --words --json "$@" |
                sed -n 's/.*"tick": \([0-9]*\), "end_tick": \([0-9]*\), .*"kind": "throttle".*/\1 \2/p' |
                awk '{ print $1, $2 - $1 }'
}

sigroks() { # file, pad
        sigrok-cli -i "$1" -P "pwm:data=D$2" -A pwm=duty-cycle --protocol-decoder-samplenum |
                sed -n 's/^\([0-9]*\)-\([0-9]*\) .*: \([0-9.]*\)%$/\1 \2 \3/p' |
                awk '{ printf "%d %d\n", $1, ($2 - $1) * $3 / 100 + 0.5 }'
}

# Every line of the first has one in the second that begins and lasts the same, to one sample, or to so many
# as are given. Prints how many those are.
compare() { # what, ours, theirs, at least, samples
        awk -v what="$1" -v least="$4" -v off="${5:-1}" '
                NR == FNR { width[$1] = $2; next }
                {
                        n++
                        for (d = -off; d <= off; d++)
                                if ($1 + d in width && width[$1 + d] - $2 <= off && $2 - width[$1 + d] <= off) {
                                        same++
                                        break
                                }
                }
                END {
                        printf "%s: %d of %d pulses the same\n", what, same, n
                        exit !(n >= least && same == n)
                }' "$3" "$2"
}

# What pad_file put in, as START WIDTH: of a duty, the pulse within low to high us.
truth() { # list, pad, low us, high us, MHz
        awk -v pad="$2" -v low="$3" -v high="$4" -v mhz="$5" \
                '$1 == pad { printf "%d %d\n", $2, (low + $4 * (high - low)) * mhz + 0.5 }' "$1"
}

"$BUILD/tests/programs/pad_file" "$dir/clean.sr" 4000000 2 1 0:PWM:400:ppm=100:jitter=200 1:PWM:50 \
        2:ONESHOT125:2000:ppm=-200 3:ONESHOT42:4000 4:MULTISHOT:8000 >"$dir/clean.txt"
least=(700 80 3900 7900 15900)
for pad in 0 1 2 3 4; do
        ours "$dir/clean.sr" $pad >"$dir/ours"
        sigroks "$dir/clean.sr" $pad >"$dir/theirs"
        # Its last pulse is without an end.
        head -n -1 "$dir/ours" >"$dir/ours.head"
        compare "pad $pad against sigrok-cli" "$dir/ours.head" "$dir/theirs" $((least[pad] - 60))
done
ours "$dir/clean.sr" 1 >"$dir/ours"
truth "$dir/clean.txt" 1 1000 2000 4 >"$dir/truth"
compare "pad 1 against what was put in" "$dir/ours" "$dir/truth" 80

"$BUILD/tests/programs/pad_file" "$dir/noisy.sr" 24000000 2 2 0:PWM:400:glitches=2000:glitch=80 \
        1:ONESHOT125:2000:glitches=500:glitch=40 >"$dir/noisy.txt"
for pad in 0 1; do
        ours "$dir/noisy.sr" $pad --glitch 200 >"$dir/ours"
        if [ $pad = 0 ]; then
                truth "$dir/noisy.txt" 0 1000 2000 24 >"$dir/truth"
        else
                truth "$dir/noisy.txt" 1 125 250 24 >"$dir/truth"
        fi
        compare "noisy pad $pad against what was put in" "$dir/ours" "$dir/truth" $((pad == 0 ? 700 : 3800)) 5
done
