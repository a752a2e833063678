#!/usr/bin/env bash
# The health of boards: a good one, one that does not come back once, one that comes back as another, one whose parameter changes
# over a boot, one whose link drops frames, one whose storage has errors; and what compare says of two of them. By counts: no
# time is judged. The boards are programs at pseudo-terminals, their USB devices folders that umockdev shows instead of /sys.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

mkdir -p "$scratch/bin" "$scratch/locks" "$scratch/usb/sys/bus/usb/devices"
export PATH=$scratch/bin:$PATH
board=$(realpath "$BUILD/tests/boards/fake_board")

# Power: with it the board's program runs, and its devices are there. "starts" counts them; what is to go wrong at which one is in
# "gone_at" and "other_at", how the board behaves in "way".
cat >"$scratch/bin/power" <<END
#!/bin/sh
cd "$scratch" || exit 1
unset LD_PRELOAD
usb=usb/sys/bus/usb/devices/1-4.2
case \$1 in
on)
        [ ! -e pid ] || exit 0
        echo . >>starts
        n=\$(wc -l <starts)
        [ "\$n" != "\$(cat gone_at)" ] || exit 0
        # A program ends when its line is closed, a board does not.
        setsid sh -c 'while :; do "$board" "pty-link:$scratch/b1" '"\$(cat way)"'; done' </dev/null >/dev/null 2>&1 &
        echo \$! >pid
        while [ ! -e b1 ]; do sleep 0.02; done
        mkdir -p \$usb
        if [ "\$n" = "\$(cat other_at)" ]; then echo 0001 >\$usb/idProduct; else echo 5741 >\$usb/idProduct; fi
        echo 1209 >\$usb/idVendor
        ;;
off)
        rm -rf \$usb
        [ -e pid ] || exit 0
        kill -KILL "-\$(cat pid)"
        rm -f pid b1
        ;;
esac
END
# Whoever asks it last waits until its program is there again.
cat >"$scratch/bin/there" <<END
#!/bin/sh
cd "$scratch" || exit 1
while [ -e pid ] && [ ! -e b1 ]; do sleep 0.02; done
END
# Its parameters: a line differs from some start on, if so said; their order never matters.
cat >"$scratch/bin/parameters" <<END
#!/bin/sh
cd "$scratch" || exit 1
there
n=\$(wc -l <starts)
for i in 1 2 3 4 5; do echo "PARAM_\$i \$((i * 7))"; done | if [ \$((n % 2)) = 0 ]; then sort -r; else cat; fi
if [ "\$n" -ge "\$(cat forgets_at)" ]; then echo "GYRO_OFFSET 0"; else echo "GYRO_OFFSET 12"; fi
END
printf '#!/bin/sh\nthere\ncat "%s/storage"\n' "$scratch" >"$scratch/bin/storage"
printf '#!/bin/sh\nexit 1\n' >"$scratch/bin/power_broken"
chmod +x "$scratch"/bin/*
trap 'power off; kill $(jobs -p) 2>/dev/null || true; rm -rf "$scratch"' EXIT

power='"power": { "by": "command", "on": ["power", "on"], "off": ["power", "off"], "off_s": 0, "timeout_s": 0.5 }'
who='"identify": { "by": "conform", "timeout_s": 20 }'
tools='"parameters": { "command": ["parameters"] }, "storage": { "command": ["storage"] }'
# farm MORE: a board b1 with that.
farm() {
        echo "{ \"name\": \"bench\", \"locks\": \"$scratch/locks\", \"boards\": [
          { \"name\": \"b1\", \"family\": \"fake\", \"link\": \"pty:$scratch/b1\"${1:+, $1} }] }" >"$scratch/farm.json"
}
# A board as it should be, off.
good() {
        power off
        : >"$scratch/starts"
        echo never | tee "$scratch/gone_at" >"$scratch/other_at"
        echo 1000 >"$scratch/forgets_at"
        echo "words 1000000000" >"$scratch/way"
        printf 'free_bytes 4096\nerrors 0\n' >"$scratch/storage"
}
# health STATUS OUT OPTIONS...
health() {
        local status=$1 out=$scratch/$2

        shift 2
        expect "$status" "$hilrig" farm health b1 --farm "$scratch/farm.json" --out "$out" --period-us 10000 --soak 0.2 "$@"
}
# of OUT BOOT NAME: the value of a metric, or what a claim is.
of() { grep -A 2 "\"name\": \"$3\"" "$scratch/$1/b1/boot/$2-1/summary.json" | sed -nE 's/.*"(value|outcome)": "?([^",]*)"?,?$/\2/p' | head -n 1; }
is() { [ "$(of "$1" "$2" "$3")" = "$4" ] || fail "$1: boot $2: $3 is \"$(of "$1" "$2" "$3")\", not $4"; }
frames() { sed -nE 's/.*"frames": ([0-9]+),/\1/p' "$scratch/$1/b1/boot/$2-1/summary.json"; }

# All is well, of what can be looked at; the board is switched on first if it is off, and that is no boot.
good
farm "$power, $who, $tools"
health 0 good --boots 12
says 'b1: 12 of 12 boots, says "fake board"'
says "passed      goes and comes back: 12 of 12"
says "passed      keeps its parameters: 12 of 12"
says "passed      loses nothing on its link: 12 of 12"
says "passed      has no storage errors: 12 of 12"
says 'not judged  is the same USB device: has no "usb" in the farm file'
[ "$(wc -l <"$scratch/starts")" -eq 13 ] || fail "switched on $(wc -l <"$scratch/starts") times"
for i in {1..12}; do
        is good "$i" "says who it is" passed
        is good "$i" link_unanswered 0
        is good "$i" storage_free 4096
        for figure in device_back first_answer; do [ -n "$(of good "$i" "$figure")" ] || fail "no $figure"; done
done
[ "$(grep -ho '"parameters_sha256.*' "$scratch"/good/b1/boot/*/summary.json | sort -u | wc -l)" -eq 2 ] || fail "not two orders of lines"
[ "$(grep -c '"boots": 12' "$scratch/good/b1/health.json")" -gt 8 ] || fail "no spreads over twelve boots"
# Nothing is written over.
health 2 good
says "b1/boot/1-1"

# Frames that are not answered, and answers with a wrong byte, as many as there were.
good
echo "drop 3" >"$scratch/way"
health 1 drops --boots 12
says "failed      loses nothing on its link: 12 of 12; boot 1:"
for i in {1..12}; do
        [ "$(frames drops "$i")" -ge 3 ] || fail "drops: sent $(frames drops "$i") frames"
        is drops "$i" link_unanswered $(($(frames drops "$i") / 3))
        is drops "$i" link_crc_errors 0
done
good
echo "damage 3" >"$scratch/way"
health 1 damage --boots 1
[ "$(frames damage 1)" -ge 3 ] || fail "damage: sent $(frames damage 1) frames"
is damage 1 link_crc_errors $(($(frames damage 1) / 3))
is damage 1 link_unanswered $(($(frames damage 1) / 3))
good
echo "vanish 3" >"$scratch/way"
health 1 vanishes --boots 1
says "the link ended"

# The comparison of both sessions says what got worse, and of nothing else that it did. Round trips are not measured where the host was
# late, so that of them alone a busy host may leave too few.
"$hilrig" compare "$scratch/good" "$scratch/good" >"$scratch/out" 2>"$scratch/err" </dev/null
status=$?
if [ $status -eq 3 ]; then
        grep -E '^  too little data' "$scratch/out" | grep -qvE '^  too little data +link_p' && fail "too little data of more than round trips"
elif [ $status -ne 0 ]; then
        fail "compared with itself: exit status $status"
fi
[ "$(grep -cE '^  same +' "$scratch/out")" -ge 17 ] || fail "not seventeen rows the same"
expect 1 "$hilrig" compare "$scratch/good" "$scratch/drops"
says "regressed:"
grep -qE 'regressed +loses nothing on its link' "$scratch/out" || fail "compare does not name the link"
grep -qE 'regressed +link_unanswered' "$scratch/out" || fail "compare does not name the frames"
if grep -qE 'regressed +(keeps its parameters|has no storage errors|goes and comes back)' "$scratch/out"; then fail "compare blames others"; fi
# So does a history of sessions, the oldest first.
mkdir "$scratch/years"
for i in 1 2 3; do cp -r "$scratch/good" "$scratch/years/2026-0$i"; done
expect 0 "$hilrig" history "$scratch/years"

# Once in four it does not come back; the others are looked at all the same.
good
echo 4 >"$scratch/gone_at"
health 1 gone --boots 4
says "failed      goes and comes back: 1 of 4; boot 3: was switched on, and its $scratch/b1 is not there after 0.5 s"
is gone 3 "says who it is" "not judged"
[ -z "$(of gone 3 first_answer)" ] || fail "gone: an answer without a board"
for i in 1 2 4; do is gone "$i" "loses nothing on its link" passed; done

# One parameter is another after the third start, and stays so: one boot is to blame.
good
echo 3 >"$scratch/forgets_at"
health 1 forgets --boots 3
says "failed      keeps its parameters: 1 of 3; boot 2: 1 changed: GYRO_OFFSET"
is forgets 1 parameters_changed 0
is forgets 2 parameters_changed 1
is forgets 3 parameters_changed 0

# Storage: errors, no word of them, a command that fails.
good
printf 'free_bytes: 12\nerrors=3\n' >"$scratch/storage"
health 1 storage_bad --boots 1 --soak 0
says "failed      has no storage errors: 1 of 1; boot 1: 3 errors"
says "not judged  loses nothing on its link: --soak 0"
is storage_bad 1 storage_free 12
echo "free_bytes 12" >"$scratch/storage"
health 0 untold --boots 1 --soak 0
says "not judged  has no storage errors: the command does not tell errors"
rm "$scratch/storage"
health 1 unread --boots 1 --soak 0
says "has no storage errors: 1 of 1; boot 1: cannot be read: storage: exited with status 1"

# Who it is must be the same; a board that says nothing has failed.
good
farm "$power, \"identify\": { \"by\": \"command\", \"command\": [\"wc\", \"-l\", \"$scratch/starts\"], \"timeout_s\": 5 }"
health 1 others --boots 2
says "says who it is: 2 of 2; boot 1: says \"2 $scratch/starts\", and said \"1 $scratch/starts\" before"
says "not judged  loses nothing on its link: is not asked in the rig's protocol"
good
echo silent >"$scratch/way"
farm "$power, ${who/20/0.3}"
health 1 silent --boots 1
says "failed      says who it is: 1 of 1; boot 1: does not answer HELLO"
is silent 1 "loses nothing on its link" "not judged"

# Without power one look, in which no boot is judged; without anything to look at, nothing is.
good
echo . >"$scratch/starts"
"$hilrig" fc --link "pty-link:$scratch/b1" --params rig_configs/flight_controllers/md4_200.json --quiet &
fc=$!
for _ in {1..1000}; do
        [ ! -e "$scratch/b1" ] || break
        sleep 0.02
done
farm "$who, $tools"
health 0 unpowered --boots 1
says 'says "hilrig-fc'
says 'not judged  goes and comes back: has no "power" in the farm file'
says "not judged  keeps its parameters: was not switched off"
says "passed      loses nothing on its link: 1 of 1"
farm ''
health 3 nothing --boots 1
kill $fc
wait $fc

# Its USB device: the same, or another, at its path.
if command -v umockdev-wrapper >/dev/null; then
        # Its library is loaded first, which AddressSanitizer minds.
        export ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0
        good
        farm "\"usb\": \"1-4.2\", $power, $who"
        usb() {
                UMOCKDEV_DIR=$scratch/usb umockdev-wrapper "$hilrig" farm health b1 --farm "$scratch/farm.json" \
                        --out "$scratch/$1" --boots 3 --period-us 10000 --soak 0.1
        }
        expect 0 usb same
        says "passed      is the same USB device: 3 of 3"
        good
        echo 3 >"$scratch/other_at"
        expect 1 usb another
        says "failed      is the same USB device: 2 of 3; boot 2: is 1209:0001: at 1-4.2, and was 1209:5741: at 1-4.2"
fi

# A tool that fails ends it: nothing is said of boots that were none. Wrong words.
good
power on
farm "${power//\"power\", \"o/\"power_broken\", \"o}, $who"
health 2 broken --boots 1
says "b1: power_broken: exited with status 1"
farm "${power//\"power\", \"o/\"power_missing\", \"o}, $who"
health 2 wrong --boots 1
says "power_missing: no program of this name is in PATH"
farm "$power, $who"
expect 2 "$hilrig" farm health b1 --farm "$scratch/farm.json"
says "health: needs --out DIR"
health 2 wrong --boots 0
says '--boots: must be a whole number from 1 to 1000, is "0"'
health 2 wrong --boots 1 --soak -1
says "--soak: must be a number from 0 to 86400"
farm "$power, $who, \"parameters\": { \"timeout_s\": 5 }"
health 2 wrong
says "boards.0.parameters.command: is required"
[ ! -e "$scratch/wrong" ] || fail "left a folder"
