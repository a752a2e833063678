#!/usr/bin/env bash
# The log of a flight, and recorded conversations, said as telemetry over a protocol, heard by a twin of another process; and what
# cannot be said.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

log=rig_configs/twins/fly_past.csv
port=$((20000 + $$ % 20000))

# play SOURCE WHERE WHERE_OF_THE_RIG AIRCRAFT: two seconds of the flight.
play() {
        local player

        "$hilrig" twin play "$log@8" --as "$1" --at "$2" --aircraft "$4" >"$scratch/$1" 2>&1 &
        player=$!
        expect 3 "$hilrig" run rig_configs/rigs/finken_twin.json --pace realtime --set "vehicles.0.twin.source=$1" \
                --set "vehicles.0.twin.where=$3" --set "vehicles.0.twin.aircraft=$4" --set 'scenario.requirements=[]' \
                --set stop_after_s=2 --out "$scratch/run-$1"
        kill -TERM "$player" 2>/dev/null # it may be over
        wait "$player" || fail "$1: the player did not end well"
        grep -q 'messages said' "$scratch/$1" || fail "$1: the player found no listener: $(cat "$scratch/$1")"
        # Of 20 positions a few are said before the rig listens.
        awk -v words="$(grep -o '"words": [0-9]*' "$scratch/run-$1/summary.json" | head -n 1 | cut -d' ' -f2)" \
                'BEGIN { exit !(words >= 5) }' || fail "$1: the twin heard little"
}

play mavlink "udp:127.0.0.1:$port" "udp-listen:127.0.0.1:$port" 7
play natnet "udp-listen:127.0.0.1:$port" "udp:127.0.0.1:$port" Kite

# said SOURCE FILE WHERE WHERE_OF_THE_RIG AIRCRAFT: the beginning of a recorded conversation.
said() {
        local player

        "$hilrig" twin play "rig_configs/twins/$2" --as "$1" --at "$3" >"$scratch/$1" 2>&1 &
        player=$!
        expect 3 "$hilrig" run rig_configs/rigs/finken_twin.json --pace realtime --set "vehicles.0.twin.source=$1" \
                --set "vehicles.0.twin.where=$4" --set "vehicles.0.twin.aircraft=$5" --set 'scenario.requirements=[]' \
                --set stop_after_s=2 --set vehicles.0.twin.hello_timeout_ms=60000 --out "$scratch/said-$1"
        kill -TERM "$player" 2>/dev/null # it may be over
        wait "$player" || fail "$1: the player did not end well"
        grep -q ' 0 of the recording skipped$' "$scratch/$1" || fail "$1: the recording is not whole: $(cat "$scratch/$1")"
        # Before its first word there is no flight; which of the others come in time is the host's business.
        grep -q '"words": 0,' "$scratch/said-$1/summary.json" && fail "$1: the twin heard nothing"
        grep -q '"errors": 0,' "$scratch/said-$1/summary.json" || fail "$1: the twin was told what it cannot read"
}

said mavlink mavlink.pcap "udp:127.0.0.1:$port" "udp-listen:127.0.0.1:$port" 1
said natnet natnet.pcap "udp-listen:127.0.0.1:$port" "udp:127.0.0.1:$port" Drone
said vrpn vrpn.pcap "tcp-listen:127.0.0.1:$port" "tcp:127.0.0.1:$port" Drone
said ivy paparazzi.data "127.255.255.255:$port" "127.255.255.255:$port" 147

# A server that is not there yet is waited for, as above; one that does not come is not.
expect 2 "$hilrig" run rig_configs/rigs/finken_twin.json --pace realtime --set vehicles.0.twin.source=vrpn \
        --set vehicles.0.twin.where=tcp:127.0.0.1:9 --set vehicles.0.twin.aircraft=Drone \
        --set vehicles.0.twin.hello_timeout_ms=100 --out "$scratch/nobody"
says 'vehicles.0.twin: link: tcp 127.0.0.1:9: connection refused, tried for 0.1 s'

expect 2 "$hilrig" twin play rig_configs/twins/vrpn.pcap --as ivy
says 'vrpn.pcap: is a capture: --as must be mavlink, natnet or vrpn'
expect 2 "$hilrig" twin play rig_configs/twins/paparazzi.data --as vrpn
says "paparazzi.data: is a log of Paparazzi's: --as must be ivy"
expect 2 "$hilrig" twin play rig_configs/twins/vrpn.pcap --as natnet
says 'vrpn.pcap: was recorded over TCP: --at must be one'
expect 2 "$hilrig" twin play rig_configs/twins/vrpn.pcap --as vrpn --aircraft Drone
says 'is a recording, which says itself who it is: no --aircraft'
expect 2 "$hilrig" twin play "$log" --as telepathy
says '"telepathy" cannot be played; ivy, mavlink, natnet, vrpn can'
expect 2 "$hilrig" twin play "$scratch/none.ulg" --as vrpn
says 'none.ulg: is not a file that can be read, or is empty'
expect 2 "$hilrig" twin play "$log" --as vrpn --at udp:127.0.0.1:1
says 'udp:127.0.0.1:1: must be tcp-listen:HOST:PORT'
expect 2 "$hilrig" twin fly "$log" --as vrpn
says 'must be play, is "fly"'
expect 2 "$hilrig" twin play "$log"
says 'must be play LOG --as SOURCE'
