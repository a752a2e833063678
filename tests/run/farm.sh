#!/usr/bin/env bash
# Boards of a farm: who has each, power that is looked at, firmware that is asked for, and a campaign that flashes and cycles
# them. The boards are reference flight controllers at pseudo-terminals; the tools are scripts that keep what they were told.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/hops.bash

program=$(realpath "$hilrig")
params=$PWD/rig_configs/flight_controllers/md4_200.json
mkdir "$scratch/bin" "$scratch/locks"
export PATH=$scratch/bin:$PATH

# tool NAME BODY: keeps its words, then does that.
tool() {
        printf '#!/bin/sh\necho "%s $*" >>"%s/told"\n%s\n' "$1" "$scratch" "$2" >"$scratch/bin/$1"
        chmod +x "$scratch/bin/$1"
}
told() { grep -qxF -- "$1" "$scratch/told" || fail "was not told: $1; but: $(cat "$scratch/told")"; }
# Power of the board in $scratch/b1: with it its process runs, and so there is its device.
cat >"$scratch/bin/b1_power" <<EOF
#!/bin/sh
case \$1 in
on)
        [ -e "$scratch/b1.pid" ] && exit
        setsid "$program" fc --link "pty-link:$scratch/b1" --params "$params" --quiet </dev/null >/dev/null 2>&1 &
        echo \$! >"$scratch/b1.pid"
        # Whoever waits for a tool ends what is left of its group.
        while [ ! -e "$scratch/b1" ]; do sleep 0.02; done
        ;;
off)
        [ -e "$scratch/b1.pid" ] || exit 0
        kill -KILL "\$(cat "$scratch/b1.pid")"
        rm -f "$scratch/b1.pid" "$scratch/b1"
        ;;
esac
EOF
chmod +x "$scratch/bin/b1_power"
trap 'b1_power off; kill $(jobs -p) 2>/dev/null || true; rm -rf "$scratch"' EXIT

# farm MORE: a board b1 with that.
farm() {
        echo "{ \"name\": \"bench\", \"locks\": \"$scratch/locks\", \"boards\": [
          { \"name\": \"b1\", \"family\": \"md4\", \"link\": \"pty:$scratch/b1\"${1:+, $1} }] }" >"$scratch/farm.json"
}
farm_do() { "$hilrig" farm "$@" --farm "$scratch/farm.json"; }
power='"power": { "by": "uhubctl", "place": "1-1.4", "outlet": "2", "off_s": 0, "timeout_s": 5 }'
who='"identify": { "by": "command", "command": ["who_is", "{board}", "{link}"], "timeout_s": 1 }'

# A hub that does what it is told, and is not believed; one that does not.
# shellcheck disable=SC2016 # the script's own words
tool uhubctl 'case "$*" in *off) b1_power off ;; *) b1_power on ;; esac'
farm "$power"
expect 1 farm_do status
says "gone"
expect 0 farm_do power b1 on
told "uhubctl -l 1-1.4 -p 2 -a on"
says "b1: is on: its $scratch/b1 is there"
expect 0 farm_do status b1
says "there"
says "free"
expect 0 farm_do power b1 off
says "b1: is off: its $scratch/b1 is gone; whether the hub cuts the power or the data alone"
# Off already: that it is gone shows nothing of the switch. A cycle brings it back all the same.
expect 3 farm_do power b1 off
says "its $scratch/b1 was gone before, so that nothing shows whether it is"
expect 3 farm_do power b1 cycle
says "is on"
expect 0 farm_do power b1 cycle
says "is on"
farm "${power/\"timeout_s\": 5/\"timeout_s\": 5, \"measure\": [\"false\"]}"
expect 1 farm_do power b1 off
says "still has power, as measured"
farm "${power/\"timeout_s\": 5/\"timeout_s\": 5, \"measure\": [\"true\"]}"
expect 0 farm_do power b1 off
says "is without power, as measured"
expect 0 farm_do power b1 on
tool uhubctl ''
farm "${power/\"timeout_s\": 5/\"timeout_s\": 0.2}"
expect 1 farm_do power b1 off
says "the hub cuts neither power nor data"
tool uhubctl 'echo No compatible devices detected; exit 1'
expect 2 farm_do power b1 off
says "uhubctl: exited with status 1: No compatible devices detected"
# The other switches, by their words.
tool usbrelay 'b1_power on'
farm '"power": { "by": "usbrelay", "outlet": "BITFT_1" }'
expect 0 farm_do power b1 on
told "usbrelay BITFT_1=1"
tool sispmctl 'b1_power off'
farm '"power": { "by": "sispmctl", "place": "01:02", "outlet": "3" }'
expect 0 farm_do power b1 off
told "sispmctl -D 01:02 -f 3"
farm '"power": { "by": "command", "on": ["b1_power", "on"], "off": ["b1_power", "off"] }'
expect 0 farm_do power b1 on
# A tool that is not there is named before anything is done.
rm "$scratch/bin/usbrelay"
farm '"power": { "by": "usbrelay", "outlet": "BITFT_1" }'
if ! command -v usbrelay >/dev/null; then
        expect 2 farm_do power b1 on
        says "usbrelay: no program of this name is in PATH (Debian: usbrelay)"
        expect 1 farm_do status
        says "usbrelay: no program of this name"
        farm '"power": { "by": "usbrelay", "outlet": "BITFT_1" }, "flash": { "by": "command", "command": ["no_flasher"] }'
        expect 1 farm_do status
        says "(Debian: usbrelay); no_flasher: no program of this name"
fi
if ! command -v pyocd >/dev/null; then
        farm '"flash": { "by": "pyocd", "config": "stm32f405" }'
        expect 1 farm_do status
        says "pyocd: no program of this name is in PATH (pip install pyocd)"
fi

# Who it is: by its hello, or by a command, again until it has started.
farm '"identify": { "by": "conform", "timeout_s": 20 }'
expect 0 farm_do identify b1
says "b1: hilrig-fc "
# shellcheck disable=SC2016
tool who_is '[ -s "'"$scratch"'/version" ] && cat "'"$scratch"'/version"'
farm "$who"
expect 1 farm_do identify b1
echo "quad 1.0" >"$scratch/version"
expect 0 farm_do identify b1
says "b1: quad 1.0"
told "who_is b1 pty:$scratch/b1"

# Each flasher is told what it understands; the board's answer tells whether it worked.
echo "quad 2.0" >"$scratch/image.bin"
for file in image.dfu image.hex; do cp "$scratch/image.bin" "$scratch/$file"; done
# shellcheck disable=SC2016
for name in dfu-util openocd st-flash pyocd python3; do tool $name 'cp "'"$scratch"'/image.bin" "'"$scratch"'/version"'; done
# flashes MORE IMAGE TOLD
flashes() {
        echo "quad 1.0" >"$scratch/version"
        farm "\"flash\": { $1 }, $who"
        expect 0 farm_do flash b1 "$scratch/$2" --says "quad 2.0"
        says 'b1: has it: it says "quad 2.0"'
        told "$3"
}
i=$scratch/image
flashes '"by": "dfu-util", "id": "0483:df11"' image.bin "dfu-util -d 0483:df11 -a 0 -s 0x08000000:leave -D $i.bin"
flashes '"by": "dfu-util", "id": "3041"' image.dfu "dfu-util -S 3041 -a 0 -s :leave -D $i.dfu"
flashes '"by": "openocd", "config": ["a.cfg", "b.cfg"], "id": "55"' image.bin \
        "openocd -f a.cfg -f b.cfg -c adapter serial 55 -c program {$i.bin} verify reset exit 0x08000000"
flashes '"by": "st-flash", "address": "0x8020000"' image.bin "st-flash --reset write $i.bin 0x8020000"
flashes '"by": "st-flash"' image.hex "st-flash --reset --format ihex write $i.hex"
flashes '"by": "pyocd", "config": "stm32f405", "id": "77"' image.bin "pyocd flash -W -u 77 -t stm32f405 -a 0x08000000 $i.bin"
flashes '"by": "uploader", "config": "uploader.py", "id": "/dev/ttyACM9"' image.bin "python3 uploader.py --port /dev/ttyACM9 $i.bin"
tool flasher "cp \"\$2\" \"$scratch/version\""
flashes '"by": "command", "command": ["flasher", "{board}:{usb}", "{image}"]' image.bin "flasher b1: $i.bin"
# One that does nothing, or what nobody can be asked about, has not flashed.
tool flasher ''
echo "quad 1.0" >"$scratch/version"
expect 1 farm_do flash b1 "$i.bin" --says "quad 2.0"
says 'says "quad 1.0", which has no "quad 2.0" in it'
expect 3 farm_do flash b1 "$i.bin"
farm '"flash": { "by": "command", "command": ["flasher", "{image}"], "timeout_s": 0.3 }'
expect 3 farm_do flash b1 "$i.bin"
says "cannot be asked who it is"
tool flasher 'exec sleep 600'
expect 2 farm_do flash b1 "$i.bin"
says "flasher: still ran after 0.3 s, and was killed"

# A board that somebody has is left alone, whoever asks.
(
        flock -n 9 || exit 1
        echo "a test" >&9
        exec sleep 600
) 9>"$scratch/locks/hilrig-board-b1" &
holder=$!
for _ in {1..200}; do
        grep -q "a test" "$scratch/locks/hilrig-board-b1" && break
        sleep 0.05
done
expect 2 farm_do flash b1 "$i.bin"
says "b1: is held by a test"
expect 0 farm_do status
says "held by a test"
kill $holder
wait $holder 2>/dev/null

# A campaign flashes what is not there yet, once for each version, and no flight flies with another one.
hop_scenario "$climbs"
for v in 1 2; do echo "quad $v.0" >"$scratch/quad-$v.bin"; done
# campaign MORE
campaign() {
        echo "{ \"name\": \"flashed\", \"rigs\": [{ \"file\": \"$PWD/rig_configs/default.json\", \"board\": \"md4\" }],
          \"scenarios\": [{ \"file\": \"hop.json\" }], \"seeds\": { \"count\": 2 }, \"set\": [\"log.wire=false\"], \"reserve_mb\": 0,
          \"farm\": \"farm.json\", \"versions\": [{ \"name\": \"1.0\", \"image\": \"quad-1.bin\", \"says\": \"quad 1.0\" },
          { \"name\": \"2.0\", \"image\": \"quad-2.bin\", \"says\": \"quad 2.0\" }]${1:+, $1} }" >"$scratch/campaign.json"
}
campaign ''
tool flasher "cp \"\$1\" \"$scratch/version\""
flash='"flash": { "by": "command", "command": ["flasher", "{image}"] }'
farm "$power, $flash, $who"
# shellcheck disable=SC2016
tool uhubctl 'case "$*" in *off) b1_power off ;; *) b1_power on ;; esac'
echo "quad 0.9" >"$scratch/version"
: >"$scratch/told"
expect 0 "$hilrig" campaign "$scratch/campaign.json" --out "$scratch/flashed"
says "passed: 4 flights: 4 passed"
[ "$(grep '^flasher' "$scratch/told")" = "flasher $scratch/quad-1.bin
flasher $scratch/quad-2.bin" ] || fail "flashed: $(cat "$scratch/told")"
if grep -q uhubctl "$scratch/told"; then fail "cycled without need"; fi
# An image with other bytes under the same name is another flight.
echo "quad 2.0 again" >"$scratch/quad-2.bin"
expect 2 "$hilrig" campaign "$scratch/campaign.json" --out "$scratch/flashed"
says "2 flights there were flown with other settings"
says "first 2.0/default/hop/1-1"
# A board that does not take it flies nothing; after each failure its power is cycled.
tool flasher ''
: >"$scratch/told"
campaign '"attempts": 2'
expect 3 "$hilrig" campaign "$scratch/campaign.json" --out "$scratch/refused"
says 'its board was not ready: hilrig farm: b1: was flashed, and says "quad 2.0", which has no "quad 1.0" in it'
says "board b1: 3 flights in a row did not run on it: left out"
grep -q "0 passed" "$scratch/out" || fail "flew with another version"
[ "$(grep -c 'uhubctl.*off' "$scratch/told")" -eq 2 ] || fail "not cycled twice: $(cat "$scratch/told")"
# A tool that is not there, or no way to flash: said before anything flies.
rm "$scratch/bin/flasher"
expect 2 "$hilrig" campaign "$scratch/campaign.json" --out "$scratch/never"
says "board b1: flasher: no program of this name is in PATH"
farm "$power"
expect 2 "$hilrig" campaign "$scratch/campaign.json" --out "$scratch/never"
says 'board b1: has no "flash"'
[ ! -e "$scratch/never" ] || fail "left a folder"

# Wrong words.
expect 2 farm_do
expect 2 farm_do status b2
says "has no board of this name"
expect 2 farm_do explode b1
expect 2 farm_do power b1
expect 2 farm_do power b1 sideways
farm '"power": { "by": "uhubctl" }'
expect 2 "$hilrig" check "$scratch/farm.json"
says "boards.0.power.outlet: is required"
farm '"flash": { "by": "dfu-util", "command": ["x"] }'
expect 2 "$hilrig" check "$scratch/farm.json"
says "boards.0.flash.command"
expect 2 "$hilrig" run "$scratch/farm.json"
says "is a farm, not a rig"
