#!/usr/bin/env bash
# However a run ends, its board is disarmed, or the run says that it may not be; and the next one begins clean.
# ENDS=100 tests/run/disarm.sh ends so many flights at random instants.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

cat >"$scratch/up.json" <<'END'
{ "name": "up", "duration_s": 600,
  "steps": [ { "at_s": 0.05, "mode": "armed" }, { "at_s": 0.1, "mode": "goto", "up_m": 3 } ],
  "requirements": [ { "name": "comes home", "formula": "eventually[0, 0.9] mode == 4" } ] }
END
fc=$scratch/fc.sock console=$scratch/console.sock
# The host is not judged here.
common=(--scenario "$scratch/up.json" --set realtime.missed_max_percent=100 --set realtime.stall_max_ms=60000
        --set realtime.starved_max_percent=100 --set vehicles.0.fc.hello_timeout_ms=20000
        --set vehicles.0.fc.disarm_timeout_ms=20000)

# board FAMILY WAY: starts one that stays; what it is when a run has hung up goes to $scratch/states.
board() {
        local listens=("unix-listen:$fc")
        [ "$1" != ardupilot ] || listens+=("unix-listen:$console")
        : >"$scratch/states"
        rm -f "$fc" "$console"
        "$BUILD/tests/boards/kept_board" "$1" "$2" "${listens[@]}" >"$scratch/states" &
        board=$!
        until listens "$fc"; do sleep 0.01; done
        hang_ups=0
}

# The arguments of a run with that family's board.
rig_of() {
        case $1 in
        hilp) echo rig_configs/default.json --set vehicles.0.fc.spawn=false --set "vehicles.0.fc.link=unix:$fc" ;;
        inav) echo rig_configs/rigs/inav_sitl.json --set vehicles.0.fc.start=null --set "vehicles.0.fc.link=unix:$fc" ;;
        ardupilot) echo rig_configs/rigs/ardupilot_sitl.json --set vehicles.0.fc.start=null --set "vehicles.0.fc.link=[\"unix:$fc\",\"unix:$console\"]" ;;
        reference) echo rig_configs/default.json ;;
        esac
}

# The board has seen the next hang-up.
hung_up() {
        hang_ups=$((hang_ups + 1))
        until [ "$(wc -l <"$scratch/states")" -ge $hang_ups ]; do sleep 0.01; done
}

# left STATE: the board says so at the next hang-up.
left() {
        hung_up
        [ "$(sed -n ${hang_ups}p "$scratch/states")" = "$1" ] ||
                fail "the board is $(sed -n ${hang_ups}p "$scratch/states"), not $1"
}

# flies STATUS NAME FAMILY OPTIONS...
flies() {
        local status=$1 name=$2 family=$3
        shift 3
        # shellcheck disable=SC2046 # words
        expect "$status" "$hilrig" run $(rig_of "$family") "${common[@]}" --seconds 1 --out "$scratch/$name" "$@"
}

for family in hilp inav ardupilot; do
        # As told at once, and after a while.
        for way in well slow; do
                board $family $way
                flies 1 $family-$way $family
                left disarmed
                ! grep -q "left armed" "$scratch/out" || fail "$family, $way: said to be left armed"
                kill $board
        done

        # Never: in the first line, the exit status, the summary and as a test case.
        board $family stubborn
        flies 1 $family-stubborn $family --set vehicles.0.fc.disarm_timeout_ms=700 \
                --set 'scenario.requirements=[{"name":"arms","formula":"eventually[0, 0.9] armed == 1"}]'
        left armed
        says "failed: $(summary "$scratch/$family-stubborn" end_reason)"
        says "left armed: it says that it is, 0.7 s after it was told to disarm"
        grep -q '"left armed: it says' "$scratch/$family-stubborn/summary.json" || fail "$family: not in summary.json"
        grep -q '"disarming of [^"]*" .*<failure message="left armed' "$scratch/$family-stubborn/junit.xml" ||
                fail "$family: not in junit.xml"
        # And no run begins with it. HILP's hello disarms, or the board is not one.
        if [ $family != hilp ]; then
                flies 2 $family-again $family --set vehicles.0.fc.disarm_timeout_ms=700
                left armed
                says "was armed before the run began"
        fi
        kill $board

        # Out of reach: not said to be armed, but that it may be. Short, for lockstep waits ten times as long.
        board $family deaf
        flies 1 $family-deaf $family --seconds 30 --set vehicles.0.fc.timeout_ms=300 \
                --set vehicles.0.fc.disarm_timeout_ms=700
        left armed
        says "perhaps left armed: it was when it was last heard, and was told to disarm for 0.7 s without an answer"
        kill $board
done

# Unplugged by the scenario when the run ends: it is reached all the same.
board hilp well
flies 1 unplugged hilp \
        --set 'scenario.steps=[{"at_s":0.05,"mode":"armed"},{"at_s":0.5,"wire_fault":{"does":"unplug"}}]'
left armed
left disarmed
kill $board

# Nor does another fault of the wire outlast the flight.
wire=0
for family in hilp inav ardupilot; do
        board $family well
        for fault in 'drop"' 'duplicate"' 'reorder"' 'delay","ticks":10' 'delay","ticks":1000' 'jitter","ticks":1000' 'truncate","bytes":3' \
                'bit_flips","bits":20' 'garbage","bytes":200' 'baud_drift","clock_error_percent":10' 'silence"'; do
                # shellcheck disable=SC2046 # words
                "$hilrig" run $(rig_of $family) "${common[@]}" --seconds 0.6 --out "$scratch/wire-$family-$((wire++))" \
                        --set 'scenario.steps=[{"at_s":0.05,"mode":"armed"},{"at_s":0.5,"wire_fault":{"does":"'"$fault"'}}]' \
                        >"$scratch/out" 2>"$scratch/err" </dev/null
                left disarmed
                says_not "left armed"
        done
        kill $board
done

# A fail-safe is not argued with, is an event, and meets a requirement.
board ardupilot returns
flies 0 returns ardupilot
left disarmed
logged "$scratch/returns" "flight controller: return instead of goto"
kill $board

# A frame that is not the vehicle's does not fly, and the rig says what to set.
board ardupilot reversed
flies 2 reversed ardupilot --seconds 5 --set 'scenario.steps=[{"at_s":0,"mode":"disarmed"}]'
left disarmed
says "quad: its FRAME_TYPE is 3 (H, an X with the opposite senses of rotation), which is not the vehicle's: it needs FRAME_TYPE 1 (X)"
kill $board

# At random instants, in every way. Whose end is sudden says so in its words: nothing is left armed unsaid.
RANDOM=${SEED:-1}
declare -A count=()
end=0
for family in reference hilp inav ardupilot; do
        [ $family = reference ] || board $family well
        for ((i = 0; i < ${ENDS:-12} / 4; i++)); do
                way=$((RANDOM % 6)) instant=$(printf '0.%03d' $((100 + RANDOM % 800))) out=$scratch/end-$((end++))
                # shellcheck disable=SC2046 # words
                "$hilrig" run $(rig_of $family) "${common[@]}" --out "$out" \
                        --seconds "$([ $way -gt 1 ] && echo 600 || echo "$instant")" \
                        $([ $way -ne 1 ] || echo --set scenario.requirements=[]) \
                        >"$scratch/out" 2>"$scratch/err" </dev/null &
                rig=$!
                until [ "$(stat -c %s "$out/run.ulg" 2>/dev/null || echo 0)" -gt 40000 ] || ! kill -0 $rig 2>/dev/null; do
                        sleep 0.01
                done
                case $way in
                2 | 3) sleep "$instant" && kill -INT $rig ;;
                4) sleep "$instant" && kill -TERM $rig ;;
                5) sleep "$instant" && kill -KILL $rig ;;
                esac
                wait $rig 2>/dev/null
                status=$?
                count[$way]=$((${count[$way]:-0} + 1))
                if [ $way -eq 5 ]; then
                        [ $status -eq 137 ] || fail "$family: killed: exit status $status"
                elif grep -q "left armed" "$scratch/out"; then
                        fail "$family, way $way: left armed"
                elif [ $status -ne $((way < 2 ? 0 : 3)) ] && [ $status -ne 3 ] && [ $status -ne 1 ]; then
                        fail "$family, way $way: exit status $status"
                fi
                [ $family != reference ] || continue
                if [ $way -ne 5 ]; then
                        left disarmed
                        continue
                fi
                # Nobody was there to say goodbye. The next run finds it armed and disarms it, or its hello does.
                hung_up
                flies_any=0
                # shellcheck disable=SC2046 # words
                "$hilrig" run $(rig_of $family) "${common[@]}" --out "$out-next" --seconds 0.2 \
                        >"$scratch/out" 2>"$scratch/err" </dev/null || flies_any=$?
                [ $flies_any -ne 2 ] || says "was armed before the run began"
                left disarmed
        done
        [ $family = reference ] || kill $board
done
echo "$end ends, by way: ${count[*]}"
