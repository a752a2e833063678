#!/usr/bin/env bash
# A mission file checked, converted and flown by the reference flight controller: each item is judged, the run folder has all of it,
# and what cannot be flown is refused before the flight. Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

square=rig_configs/missions/square
expect 0 "$hilrig" mission check $square.plan $square.waypoints --for ardupilot
expect 0 "$hilrig" mission check $square.plan --for px4
expect 1 "$hilrig" mission check $square.plan --for inav
says "inav: the fence is not sent to it"

# The format without a fence: refused, or what it loses is said.
expect 1 "$hilrig" mission convert $square.plan --to wpl --out "$scratch/square.waypoints"
says "the fence (5 corners and circles)"
[ ! -e "$scratch/square.waypoints" ] || fail "written in spite of what it loses"
expect 0 "$hilrig" mission convert $square.plan --to wpl --lossy --out "$scratch/square.waypoints"
cmp -s "$scratch/square.waypoints" $square.waypoints || fail "another $square.waypoints"
expect 0 "$hilrig" mission convert $square.plan --to plan --out "$scratch/square.plan"
cmp -s "$scratch/square.plan" $square.plan || fail "another $square.plan"

fly() { # exit status, folder, options...
        local status=$1 folder=$2
        shift 2
        expect "$status" "$hilrig" run rig_configs/default.json --pace lockstep --out "$scratch/$folder" "${inside[@]}" "$@"
}

fly 0 square --mission $square.plan
says "12 of 12 requirements met"
says "fence passed"
[ "$(grep -c '"outcome": "passed"' "$scratch/square/summary.json")" -eq 11 ] || fail "other items than eleven passed"
[ "$(grep -c ' name="mission[ :]' "$scratch/square/junit.xml")" -eq 12 ] || fail "junit.xml has not each item and the fence"
grep -q '"mission"' "$scratch/square/report.html" || fail "no mission in the report"
expect 0 "$hilrig" replay "$scratch/square"
# The run's own configuration has the mission, and flies it again to the bit.
expect 0 "$hilrig" run "$scratch/square/config.json" --out "$scratch/again" --set vehicles.0.fc.link=pty
signal() { grep -o '"signal_sha256": "[0-9a-f]*"' "$scratch/$1/summary.json"; }
[ "$(signal square)" = "$(signal again)" ] || fail "config.json flies another mission"

# Elsewhere: moved to where the vehicle starts; a limit of the user's own fails what it fails.
sed 's/47\.07/46.07/' $square.plan >"$scratch/far.plan"
fly 2 far --mission "$scratch/far.plan"
says "km from where the vehicle starts"
fly 1 near --mission "$scratch/far.plan" --set mission.place=at_start --set mission.landing_m=0.1
says "came down too far away"

# With altitudes above the sea it flies as high; without a home they could not be counted from anything.
{
        printf 'QGC WPL 110\n0\t1\t0\t16\t0\t0\t0\t0\t46.0707\t15.4395\t1000\t1\n'
        printf '1\t0\t0\t22\t0\t0\t0\t0\t46.0707\t15.4395\t1002\t1\n'
        printf '2\t0\t0\t21\t0\t0\t0\t0\t46.0707\t15.4395\t1000\t1\n'
} >"$scratch/high.waypoints"
fly 0 high --mission "$scratch/high.waypoints" --set mission.place=at_start
expect 0 "$hilrig" mission convert "$scratch/high.waypoints" --to plan --out "$scratch/high.plan"
sed 's/"plannedHomePosition": .*/"plannedHomePosition": null,/' "$scratch/high.plan" >"$scratch/homeless.plan"
fly 2 homeless --mission "$scratch/homeless.plan" --set mission.place=at_start
says 'place: must not be at_start: item 1 has an altitude above the sea'
printf 'QGC WPL 110\n0\t1\t0\t16\t0\t0\t0\t0\t47.0707\t15.4395\t353\t1\n1\t0\t2\t177\t1\t-1\t0\t0\t0\t0\t0\t1\n' >"$scratch/jump.waypoints"
fly 2 jump --mission "$scratch/jump.waypoints"
says "item 1 (jump): has no end"
fly 2 both --mission $square.plan --scenario rig_configs/scenarios/gusts.json
says "pilots the vehicle that flies the mission"
fly 2 none --mission "$scratch/none.plan"
says "none.plan: no such file"
