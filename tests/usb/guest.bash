# What the cases in the guest share: flights over a port, boards that are plugged in, waiting for what the
# kernel does by itself. Source it from the repository's root.
# shellcheck shell=bash
. tests/expect.bash

rig=tests/usb/rig.json
device=/bin/usbip_device
params=rig_configs/flight_controllers/md4_200.json
pids=()
trap 'kill ${pids[@]+"${pids[@]}"} 2>/dev/null; rm -rf "$scratch"' EXIT

# until_true COMMAND...: the kernel's hub and drivers work in their own time.
until_true() {
        local tries
        for ((tries = 0; tries < 1000; tries++)); do
                "$@" >/dev/null 2>&1 && return
                sleep 0.02
        done
        fail "waited for nothing: $*"
}

# board MODEL OPTIONS...: a board on USB, with a flight controller of its own behind it.
board() {
        local model=$1 socket
        shift
        socket=$scratch/fc-$model.sock
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

# pulled MODEL LINK: in flight, and in again; and then for good.
pulled() {
        local model=$1 link=$2 lost

        board "$model" --unplug-after 4500 --replug-ms 300
        there "$link"
        fly "$link" 0 back --set vehicles.0.fc.reconnect=true --scenario tests/usb/long_hop.json
        says "back at"
        pull
        grep -q 'plugged 2' "$scratch/board" || fail "was not plugged in again: $(cat "$scratch/board")"
        cat "$scratch/board" "$scratch/err" "$scratch/out"
}

# there LINK: it can be opened.
there() {
        case $1 in
        uart:/*) until_true test -c "$(echo "$1" | sed 's/^uart:\([^@]*\).*/\1/')" ;;
        *) until_true "$hilrig" ports ;;
        esac
}
