#!/usr/bin/env bash
# hilrig as it ships, on a bus that umockdev plays: a bare analyzer gets its firmware, leaves the bus and returns, and
# its samples of four DShot600 pads at 24 MHz fly the vehicle; then what can go wrong with it.
# Runs beside others: all in lockstep.
# Not under sanitizers: staged/pads_rig flies the same code and libusb, with every fault.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

bus=$BUILD/tests/umock/usb_bus
firmware=/usr/share/sigrok-firmware/fx2lafw-saleae-logic.fw
params=rig_configs/flight_controllers/md4_200.json

needs "$bus" libumockdev-dev
needs "$firmware" sigrok-firmware-fx2lafw
# umockdev's fclose() stands before ThreadSanitizer's, which then takes the next file for one that was never closed.
ldd "$hilrig" | grep -q libtsan && { echo "ThreadSanitizer and umockdev do not go together"; exit 77; }

# played FOLDER COMMAND...: once more where umockdev ended it, as it does whoever opens a device in the moment in which that goes.
played() {
        local folder=$1 status
        shift
        "$@"
        status=$?
        if [ $status = 134 ] && grep -q "libumockdev-preload: Failed to connect to ioctl socket" "$scratch/err"; then
                rm -rf "$folder"
                "$@"
                status=$?
        fi
        return $status
}

# by_pads STATUS NAME ANALYZER KEYS [OPTION]...: a flight by what the analyzer (its options) sees; KEYS more of
# vehicles[].pads. A period is a whole number of its transfers. Where nothing is lost nothing is given up: a busy host's
# seconds are not the analyzer's.
by_pads() {
        local status=$1 name=$2 analyzer=$3 keys=$4
        shift 4
        # shellcheck disable=SC2086
        expect "$status" played "$scratch/$name" "$bus" --link "unix-listen:$scratch/fc" --params "$params" $analyzer \
                "$hilrig" run tests/usb/rig.json --set "vehicles.0.fc.link=unix:$scratch/fc" \
                --set period_us=4096 --set plant_step_us=2048 --set vehicles.0.fc.timeout_ms=100000 \
                --set "vehicles.0.pads={\"source\": \"fx2\", \"clock\": \"simulated\"$keys}" \
                --out "$scratch/$name" "$@"
}

# is NAME KEY VALUE: of its summary's part on the pads.
is() { [ "$(pads "$scratch/$1" "$2")" = "$3" ] || fail "$1: $2 $(pads "$scratch/$1" "$2"), not $3"; }

# On all four pads: the protocol, no damaged frame, and as many as the board sent or a few less, of which it was
# recognised.
all_decoded() { # NAME BITRATE
        local file=$scratch/$1/summary.json
        is "$1" gaps 0
        is "$1" losses 0
        [ "$(grep -c '"protocol": "DSHOT'"$2"'"' "$file")" = 4 ] || fail "$1: not four DShot$2 pads"
        [ "$(grep -c '"damaged": 0,' "$file")" = 4 ] || fail "$1: damaged frames"
        [ "$(sed -nE 's/.*"frames": ([0-9]+),$/\1/p' "$file" | awk '$1 > 8500' | wc -l)" = 4 ] || fail "$1: too few frames"
}

# 1,221 of the flight, the greeting, and one with which it was told to disarm.
bare() {
        by_pads 0 bare "--firmware $firmware" ""
        says 'plugged 2, frames 1223, firmware 8120, misloaded no, starts 1, '
        all_decoded bare 600
}

ready() {
        by_pads 0 ready "--mhz 2 --dshot 150" ', "rate_mhz": 2'
        says 'plugged 1, frames 1223, firmware 0, '
        all_decoded ready 150
}

# Without power it forgets its firmware. What the host waits out, once, is longer than it stalls.
pulled_and_back() {
        by_pads 0 back "--mhz 2 --dshot 150 --firmware $firmware --fault unplug --at 1000 --replug-ms 200" \
                ', "rate_mhz": 2, "gaps_max": 9' \
                --set vehicles.0.fc.reconnect=true --set vehicles.0.fc.timeout_ms=10000
        logged "$scratch/back" 'fx2 gone at 4\.(096|100) s'
        logged "$scratch/back" 'fx2 back at 4\.(096|100) s'
        says 'plugged 4, '
        says 'misloaded no, '
        is back losses 1
        [ "$(pads "$scratch/back" gaps)" -ge 1 ] || fail "back: no gap"
}

# The rest on the ground, before anything is to be judged: void, and the reason tells whether for that alone.
not_judged="0 of 2 requirements met, 0 failed, 2 not judged \\(flies: the flight ended before its window did\\)"

# faulty FAULT KEYS REASON: the reason as a regular expression.
faulty() {
        rm -rf "${scratch:?}/$1"
        by_pads 3 "$1" "--mhz 2 --dshot 150 --at 100 --fault $1" ", \"rate_mhz\": 2, \"silence_ms\": 20$2" --seconds 0.8 \
                --set vehicles.0.fc.timeout_ms=10000
        grep -qE "^void: $3\$" "$scratch/out" || fail "$1: did not say: void: $3"
}

faults() {
        faulty unplug "" "md4_200: fx2 gone at 0\.41[04] s" # at this tick, or the next
        is unplug losses 1

        faulty lose "" "md4_200: the capture of its motor pads has 1 gaps, more than the budget of 0"
        says 'given 1620992, broken or stalled 2,' # of 1622016
        faulty lose ', "gaps_max": 1' "$not_judged"
        is lose gaps 1

        faulty overrun ', "gaps_max": 1' "$not_judged"
        is overrun gaps 1
        says 'starts 2, '
        says 'overruns 1'

        faulty dead-pad "" "$not_judged"
        is dead-pad gaps 0
        logged "$scratch/dead-pad" 'pad 2 \(rotor 2\) silent at 0\.4'
}

# lane COMMAND...: in the background, with a folder of its own.
lane() {
        ( # shellcheck disable=SC2030 # as meant
                scratch=$scratch/$1
                mkdir "$scratch"
                for command in "$@"; do "$command"; done
        ) &
}

lane bare faults
lane ready pulled_and_back
wait -n || exit 1
wait -n || exit 1
# shellcheck disable=SC2031
[ "$(summary "$scratch/bare/bare" signal_sha256)" = "$(summary "$scratch/ready/ready" signal_sha256)" ] ||
        fail "pads that are read at another rate gave another signal"
