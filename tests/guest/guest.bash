# What the cases in the guest share: flights over a port, boards that are plugged in, waiting for what the
# kernel does by itself. Source it from the repository's root.
# shellcheck shell=bash
. tests/expect.bash

rig=tests/usb/rig.json
device=/bin/usbip_device
params=rig_configs/flight_controllers/md4_200.json
pids=()
boards=0
trap 'kill ${pids[@]+"${pids[@]}"} 2>/dev/null; rm -rf "$scratch"' EXIT

# until_true COMMAND...: the kernel's hub and drivers work in their own time.
until_true() {
        local tries
        for ((tries = 0; tries < 300; tries++)); do
                "$@" >/dev/null 2>&1 && return
                sleep 0.02
        done
        fail "waited for nothing: $*"
}

# board MODEL OPTIONS...: a board on USB, with a flight controller of its own behind it.
board() {
        local model=$1 socket
        shift
        boards=$((boards + 1))
        socket=$scratch/fc$boards.sock
        "$hilrig" fc --link "unix-listen:$socket" --params "$params" --quiet &
        pids+=($!)
        until_true test -S "$socket"
        "$device" "$model" --link "unix:$socket" "$@" >"$scratch/board" 2>&1 &
        board=$!
        pids+=("$board")
}

# pull: takes the board out; what it says then is in $scratch/board.
pull() {
        kill "$board"
        wait "$board" || fail "the board ended with status $?: $(cat "$scratch/board")"
}

# fly LINK STATUS FOLDER OPTIONS...: a flight in lockstep over LINK.
fly() {
        local link=$1 status=$2 folder=$scratch/$3
        shift 3
        rm -rf "$folder"
        expect "$status" "$hilrig" run "$rig" --set "vehicles.0.fc.link=$link" --out "$folder" "$@"
}

# same FOLDER: its signal is that of the flight on the host, over a pseudo-terminal.
same() {
        local signal
        signal=$(summary "$scratch/$1" signal_sha256)
        [ "$signal" = "$(cat /rig/signal)" ] || fail "$1: signal $signal, not $(cat /rig/signal)"
}

# loop FOLDER WHAT: a figure for the host, as measured inside the guest.
loop() {
        local p50
        p50=$(sed -n '/"loop"/,/}/ s/.*"p50": \([0-9.]*\).*/\1/p' "$scratch/$1/summary.json" | head -n 1)
        echo "figure: $2: $(summary "$scratch/$1" ticks) frames answered, p50 $p50 us from sensors to motors"
}

# pulled MODEL LINK NAME: at 4 s, in the air, one frame is not answered any more. The board is back a little later:
# a new conversation begins, with a flight controller that has just been switched on, and flies. Then once more,
# without leave to come back.
pulled() {
        local model=$1 link=$2 name=$3

        board "$model" --unplug-after 1000 --replug-ms 200
        until_true opens "$link"
        fly "$link" 0 back --set vehicles.0.fc.reconnect=true --scenario tests/usb/long_hop.json
        logged "$scratch/back" "$name gone at 3\.9[0-9]* s, 1 frames unacknowledged"
        logged "$scratch/back" "back at 3\.9[0-9]* s, gone for 0\.000 s"
        grep -q '"frames_sent": 2500' "$scratch/back/summary.json" || fail "back: not a frame for each of 2500 ticks"
        # Which port it was makes no difference to the flight.
        [ -e /tmp/pulled ] || summary "$scratch/back" signal_sha256 >/tmp/pulled
        [ "$(summary "$scratch/back" signal_sha256)" = "$(cat /tmp/pulled)" ] || fail "back: another signal than over another port"
        pull
        grep -q 'plugged 2,' "$scratch/board" || fail "not plugged in again: $(cat "$scratch/board")"

        board "$model" --unplug-after 1000
        until_true opens "$link"
        fly "$link" 1 gone
        grep -q -E "\"end_reason\": \"md4_200: perhaps left armed: [^\"]*; md4_200: $name gone at 3\.9" "$scratch/gone/summary.json" || fail "gone: another reason"
        wait "$board" || fail "the board ended with status $?: $(cat "$scratch/board")"
}

# opens LINK: its device is there, whatever speaks behind it.
opens() {
        local link=${1#*:} at

        case $1 in
        uart:/*) [ -c "${link%@*}" ] && return ;;
        *)
                link=${link#usb=}
                for at in /sys/bus/usb/devices/*/idProduct; do
                        [ "$(cat "${at%/*}/idVendor" "$at")" = "${link:0:4}"$'\n'"${link:5:4}" ] && return
                done
                ;;
        esac
        return 1
}

# analyzer OPTIONS...: an analyzer on the pads of a board of its own.
analyzer() {
        boards=$((boards + 1))
        /bin/usbip_analyzer --link "unix-listen:$scratch/fc$boards.sock" --params "$params" "$@" >"$scratch/board" 2>&1 &
        board=$!
        pids+=("$board")
        until_true test -S "$scratch/fc$boards.sock"
        until_true opens usb:0925:3881
}

# by_pads STATUS FOLDER KEYS OPTIONS...: a flight in lockstep by what the analyzer sees. A period is a whole number of
# its transfers.
by_pads() {
        local status=$1 folder=$2 keys=$3
        shift 3
        fly "unix:$scratch/fc$boards.sock" "$status" "$folder" --set period_us=4096 --set plant_step_us=2048 \
                --set "vehicles.0.pads={\"source\": \"fx2\", \"clock\": \"simulated\"${keys:+, $keys}}" "$@"
}
