#!/usr/bin/env bash
# Every list in a file may be as long as it is said to be, and one entry more is refused by its name and number; all limits
# together can be used at once.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

# many N ITEM: [ITEM, ITEM, ...]
many() { printf '[%s]' "$(yes "$2" | head -n "$1" | paste -sd,)"; }

# set_list KEY ITEM N: what `hilrig check` says of a rig whose list at that key has N entries.
set_list() {
        "$hilrig" check rig_configs/default.json --set "$1=$(many "$3" "$2")" >"$scratch/out" 2>"$scratch/err" </dev/null
}
while read -r key most item; do
        set_list "$key" "$item" $((most + 1)) && fail "$key: $((most + 1)) entries were taken"
        says "must have at most $most entries, has $((most + 1))"
        says "${key##*.}: "
        set_list "$key" "$item" "$most"
        if grep -q "must have at most $most entries" "$scratch/err"; then fail "$key: $most entries were refused"; fi
done <<'END'
vehicles 256 {}
vehicles.0.ports 8 {}
vehicles.0.fc.link 6 "pty"
vehicles.0.fc.motor_order 8 0
vehicles.0.vehicle.parts 32 {}
vehicles.0.vehicle.gear_m 16 [0,0,0]
vehicles.0.vehicle.hull 16 {}
vehicles.0.vehicle.sensors.sonars 16 {}
vehicles.0.vehicle.battery.curve 16 {}
vehicles.0.vehicle.rotors.list 8 {}
vehicles.0.vehicle.rotors.vibration 4 {}
scenario.steps 256 {}
scenario.requirements 64 {}
scenario.payloads 8 {}
world.obstacles 2048 {}
world.surfaces 32 {}
world.regions 32 {}
world.gusts 8 {}
END

# suite KEY MOST ITEM
while read -r key most item; do
        for n in $((most + 1)) "$most"; do
                value=$(many "$n" "$item")
                case $key in
                seeds.list) more="\"seeds\": { \"list\": $value }" ;;
                *) more="\"$key\": $value" ;;
                esac
                [ "$key" = rigs ] || more="\"rigs\": [{ \"file\": \"$PWD/rig_configs/default.json\" }], $more"
                echo "{ \"name\": \"s\", $more }" >"$scratch/suite.json"
                "$hilrig" suite "$scratch/suite.json" --list >"$scratch/out" 2>"$scratch/err" </dev/null
                if [ "$n" -gt "$most" ]; then
                        says "must have at most $most entries, has $n"
                elif grep -q "must have at most" "$scratch/err"; then
                        fail "$key: $most entries were refused"
                fi
        done
done <<'END'
rigs 32 {"file":"nowhere.json"}
scenarios 64 {"file":"nowhere.json"}
variants 32 {"name":"v"}
seeds.list 1000 1
set 6 "log.wire=false"
END

# Eight vehicles of many files each, in a suite with every setting that one may have.
for i in 0 1 2 3 4 5 6 7; do
        printf '%s{ "name": "v%d", "vehicle": "%s", "start": { "at_m": { "north": %d } }, "fc": { "codec": "hilp", "link": "pty", "spawn": true, "reference": "%s" } }' \
                "$([ $i -eq 0 ] || echo ,)" $i "$PWD/rig_configs/vehicles/md4_200.json" $((10 * i)) "$PWD/rig_configs/flight_controllers/md4_200.json"
done >"$scratch/vehicles"
echo "{ \"include\": \"$PWD/rig_configs/default.json\", \"vehicles\": [$(cat "$scratch/vehicles")] }" >"$scratch/eight.json"
expect 0 "$hilrig" check "$scratch/eight.json"

# And as many as there may be.
echo "{ \"include\": \"$PWD/rig_configs/default.json\", \"vehicles\": [{ \"copies\": { \"count\": 256 }, $(head -c -3 "$scratch/vehicles" | sed 's/.*{ "name": "v7"/"name": "v7"/') } }] }" >"$scratch/most.json"
expect 0 "$hilrig" check "$scratch/most.json"
sets=$(many 6 '"log.wire=false"')
echo "{ \"name\": \"s\", \"rigs\": [{ \"file\": \"eight.json\" }, { \"file\": \"most.json\" }], \"pace\": \"lockstep\", \"set\": $sets,
  \"variants\": [{ \"name\": \"v\", \"set\": $sets }] }" >"$scratch/suite.json"
mapfile -t more < <(yes -- --set=log.wire=false | head -n 12)
expect 0 "$hilrig" suite "$scratch/suite.json" --list "${more[@]}"
expect 2 "$hilrig" suite "$scratch/suite.json" --list "${more[@]}" --set log.wire=false
says "at most 12"

# What the command line asks of a measurement must fit what is analysed.
expect 2 "$hilrig" latency rig_configs/default.json --repetitions 1000000 --bits 12 --out "$scratch/never"
says "--repetitions 1000000: at most"
[ ! -e "$scratch/never" ] || fail "left a folder"
