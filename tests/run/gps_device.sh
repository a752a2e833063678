#!/usr/bin/env bash
# What the GPS devices say, read by decoders that are not ours: gpsd's gpsdecode and ubxtool. And ubxtool asks
# for version and settings over a pseudo-terminal, as it would ask a receiver.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

needs gpsdecode gpsd-clients
needs ubxtool gpsd
stream=$BUILD/tests/programs/gps_stream

# Of gpsdecode's TPV lines from standard input: those with a 3D fix, those without any, and the greatest
# distances from the circle that gps_stream flies (m), from its speed (m/s), course (degrees) and height (m).
judge() {
        awk '
                function field(name, a) {
                        if (!match($0, "\"" name "\":[-0-9.]+")) return "none"
                        split(substr($0, RSTART, RLENGTH), a, ":")
                        return a[2] + 0
                }
                function abs(x) { return x < 0 ? -x : x }
                function widen(i, x) { if (abs(x) > worst[i]) worst[i] = abs(x) }
                !/"class":"TPV"/ { next }
                { mode = field("mode") }
                mode != 3 { if (field("lat") == "none") none++; next }
                {
                        fixes++
                        rad = atan2(0, -1) / 180
                        north = (field("lat") - 47.3977) * rad * 6371000
                        east = (field("lon") - 8.5455) * rad * 6371000 * cos(47.3977 * rad)
                        widen(1, sqrt(north * north + east * east) - 100)
                        widen(2, field("speed") - 20)
                        track = atan2(north, -east) / rad
                        widen(3, (field("track") - track + 900) % 360 - 180)
                        widen(4, field("alt") - 488.25)
                }
                END { printf "%d %d %.3f %.3f %.3f %.3f\n", fixes, none, worst[1], worst[2], worst[3], worst[4] }'
}

# reads FILE FIXES NONE TRACK: so many at least; 3 cm off the circle (a step of 1e-7 degrees is 1.1 cm) and
# TRACK degrees off its course.
reads() {
        local found

        gpsdecode <"$1" >"$scratch/json" 2>"$scratch/err" || fail "gpsdecode: exit status $?"
        found=$(judge <"$scratch/json")
        awk -v fixes="$2" -v none="$3" -v track="$4" '{ exit !($1 >= fixes && $2 >= none && $3 < 0.03 && $4 < 0.02 &&
                $5 < track && $6 < 0.002) }' <<<"$found" || fail "$1: $found"
}

# NMEA, ten solutions a second; 2 seconds without samples, noticed after 1.5.
"$stream" nmea 12 >"$scratch/nmea"
reads "$scratch/nmea" 95 4 0.02
grep -q '"time":"2023-11-14T22:13:3' "$scratch/json" || fail "no time of NMEA"
grep -q '"nSat":14' "$scratch/json" || fail "no satellites of NMEA"

# UBX: CFG-MSG for every NAV message and against every sentence, 10 Hz, polls of MON-VER and CFG-GNSS.
commands=$(sed 's/#.*//' <<'END' | tr -d ' \n'
b562 0601 0300 010701 1351    # PVT
b562 0601 0300 010201 0e47    # POSLLH
b562 0601 0300 010301 0f49    # STATUS
b562 0601 0300 010401 104b    # DOP
b562 0601 0300 011201 1e67    # VELNED
b562 0601 0300 012001 2c83    # TIMEGPS
b562 0601 0300 012101 2d85    # TIMEUTC
b562 0601 0300 013501 41ad    # SAT
b562 0601 0300 016101 6d05    # EOE
b562 0601 0300 f00000 fa0f    # GGA GLL GSA GSV RMC VTG: never
b562 0601 0300 f00100 fb11
b562 0601 0300 f00200 fc13
b562 0601 0300 f00300 fd15
b562 0601 0300 f00400 fe17
b562 0601 0300 f00500 ff19
b562 0608 0600 640001000100 7a12
b562 0a04 0000 0e34
b562 063e 0000 44d2
END
)
for device in ublox_m8 ublox_m10; do
        "$stream" $device 12 "$commands" >"$scratch/ubx"
        # gpsdecode reports POSLLH before PVT has told the new course: a tenth of a second at 0.2 rad/s.
        reads "$scratch/ubx" 85 15 1.2
        grep -q '"time":"2023-11-14T22:13:31' "$scratch/json" || fail "$device: no time"
        [ "$(grep -c '"class":"SKY".*"nSat":14' "$scratch/json")" -ge 85 ] || fail "$device: no satellites"
        ubxtool -r -f "$scratch/ubx" -v 2 >"$scratch/words" 2>"$scratch/err"
        for message in PVT POSLLH STATUS DOP VELNED TIMEGPS TIMEUTC SAT EOE; do
                [ "$(grep -c "^UBX-NAV-$message:" "$scratch/words")" -ge 100 ] || fail "$device: no NAV-$message"
        done
        [ "$(grep -c '^UBX-ACK-ACK:' "$scratch/words")" -ge 16 ] || fail "$device: not acknowledged"
        grep -q 'leapS 18' "$scratch/words" || fail "$device: no leap seconds"
done
grep -q 'extension PROTVER=34.10' "$scratch/words" || fail "no protocol version"
grep -q 'NAK to Class x06 (CFG) ID x3e (GNSS)' "$scratch/words" || fail "an M10 took CFG-GNSS"

# Over a pseudo-terminal, in a rig.
sed -e "s|\"vehicle\": \"|\"ports\": [ { \"device\": \"ublox_m10\", \"link\": \"pty-link:$scratch/gps\" } ],&|" \
        -E -e "s,\"(vehicles|flight_controllers|worlds|scenarios)/,\"$PWD/rig_configs/\\1/," \
        rig_configs/default.json >"$scratch/rig.json"
# At rest: what flies on a busy host may fall, which would end the run.
still='scenario={"name": "still", "duration_s": 60, "steps": [{"at_s": 0, "mode": "disarmed"}]}'
"$hilrig" run "$scratch/rig.json" --set "$still" --out "$scratch/run" --set realtime.missed_max_percent=100 \
        --set realtime.stall_max_ms=60000 >"$scratch/out" 2>"$scratch/err" </dev/null &
rig=$!
for _ in {1..100}; do
        [ -e "$scratch/gps" ] && break
        sleep 0.1
done
[ -e "$scratch/gps" ] || fail "no pseudo-terminal"
# ask WORDS OPTION...: until it was told these; a port that was left is opened again within a second.
ask() {
        local words=$1

        shift
        for _ in {1..5}; do
                sleep 1
                ubxtool -f "$scratch/gps" -s 9600 -P 34 -v 1 -w 3 "$@" >"$scratch/words" 2>&1
                grep -qF "$words" "$scratch/words" && return
        done
        fail "ubxtool $*: was not told: $words: $(tail -n 3 "$scratch/words")"
}
ask 'swVersion ROM SPG 5.10' -p MON-VER
ask 'ACK to Class x06 (CFG) ID x8a (VALSET)' -z CFG-RATE-MEAS,2000,1
ask 'item CFG-RATE-MEAS/0x30210001 val 2000' -g CFG-RATE-MEAS,0
kill -INT $rig
wait $rig || true
