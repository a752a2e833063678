#!/usr/bin/env bash
# A DroneCAN node on a CAN bus of the kernel: its frames as another program sees them, and through the kernel's own slcan;
# a command from the bus; a bus that is down, and one that is taken away in flight.
cd "$(dirname "$0")/../../.." || exit 1
. tests/guest/guest.bash

# fly_at DEVICE LINK STATUS FOLDER OPTIONS...: nobody commands its motors, so that it lies there, whatever the pace.
fly_at() {
        expect "$3" "$hilrig" run rig_configs/default.json --seconds 2 --out "$scratch/$4" \
                --set "vehicles.0.ports=[{\"device\": \"$1\", \"link\": \"$2\", \"motors\": true}]" "${@:5}"
}

# watch INTERFACE: every frame there.
watch() {
        candump -L -r 4000000 "$1" >"$scratch/$1.log" &
        watcher=$!
        pids+=("$watcher")
        until_true grep -q "$1" /proc/net/can/rcvlist_all
}

unwatch() { # INTERFACE: its frames, "ID#DATA" a line
        sleep 0.5
        kill "$watcher"
        wait "$watcher"
        cut -d' ' -f3 "$scratch/$1.log" >"$scratch/$1"
}

ip link add vcan0 type vcan
fly_at dronecan_socketcan socketcan:vcan0 2 down --pace lockstep
says 'socketcan vcan0: is down (sudo ip link set vcan0 up'
fly_at dronecan_socketcan socketcan:vcan7 2 none --pace lockstep
says 'socketcan vcan7: no such device'

ip link set vcan0 up
watch vcan0
fly_at dronecan_socketcan socketcan:vcan0 3 lockstep --pace lockstep
unwatch vcan0
[ "$(grep -c '^1801552A#' "$scratch/vcan0")" = 3 ] || fail "not a NodeStatus each second, from the first on"
# 7 frames each, 250 times a second.
[ "$(grep -c '^0803EB2A#' "$scratch/vcan0")" -ge $((7 * 490)) ] || fail "too few RawIMU"
echo "figure: CAN: $(wc -l <"$scratch/vcan0") frames of 2 s, as candump saw them"

# The kernel's slcan reads the text at a pseudo-terminal, which has room for that of half a second, however slow the reader.
socat "pty,raw,echo=0,link=$scratch/rig" "pty,raw,echo=0,link=$scratch/adapter" &
pids+=($!)
until_true test -e "$scratch/adapter"
sleep 1000 | slcan_attach -w -n slcan0 "$scratch/adapter" >"$scratch/attach" 2>&1 & # until a key is pressed
pids+=($!)
until_true ip link set slcan0 up
watch slcan0
fly_at dronecan_slcan "pty:$scratch/rig" 3 text --pace lockstep --seconds 0.5
says_not "that the link did not take"
unwatch slcan0
[ "$(grep -c '^0803EB2A#' "$scratch/slcan0")" -ge $((7 * 120)) ] || fail "the kernel's slcan saw too few RawIMU"
head -n "$(wc -l <"$scratch/slcan0")" "$scratch/vcan0" >"$scratch/first"
cmp "$scratch/first" "$scratch/slcan0" || fail "the kernel's slcan saw other frames"

# RawCommand 0, 8191, -8192, 4095 of node 10, as pydronecan 1.0.27 makes it; then the bus goes.
echo '{ "name": "lies", "duration_s": 40, "steps": [{ "at_s": 0, "mode": "disarmed" }] }' >"$scratch/lies.json"
watch vcan0
{
        until_true grep -q '1801552A#' "$scratch/vcan0.log" # said at least once, and written
        cansend vcan0 1004060A#0003FDF0083FCFC5
        sleep 1
        ip link del vcan0
} &
pids+=($!)
fly_at dronecan_socketcan socketcan:vcan0 3 gone --pace realtime --seconds 40 --scenario "$scratch/lies.json" \
        --set realtime.missed_max_percent=100 --set realtime.stall_max_ms=60000
says 'heard 1 transfers, 1 of them ESC commands, 0 broken'
logged "$scratch/gone" 'port dronecan_socketcan, socketcan:vcan0, lost at'
