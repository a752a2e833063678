#!/usr/bin/env bash
# What a fleet cannot be is refused by name: too many vehicles, too little memory, names and links that two have.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

flock=rig_configs/rigs/flock_8.json

expect 2 "$hilrig" check $flock --set vehicles.0.copies.count=1000
says "vehicles.0.copies.count: must be at most 256, is 1000"

# Whatever memory there is, from where the program itself can be loaded: a reason or a flight, and no crash. Sanitizers
# take more than there is to give.
amounts=()
if (ulimit -v 100000 && exec "$hilrig" --version) >"$scratch/out" 2>&1; then
        amounts=(100000 140000 180000 220000 260000 400000)
fi
for kb in "${amounts[@]}"; do
        (
                ulimit -v "$kb"
                exec "$hilrig" run $flock --seconds 0.02 --set vehicles.0.copies.count=256 --set log.wire=false \
                        "${inside[@]}" --out "$scratch/$kb" >"$scratch/out" 2>"$scratch/err" </dev/null
        )
        case $? in
        2) says memory ;;
        3) says signal ;;
        *) fail "with $kb kB: neither flown nor refused" ;;
        esac
done
[ ${#amounts[@]} -eq 0 ] || [ -s "$scratch/400000/summary.json" ] || fail "256 vehicles did not fly in 400 MB"

# With flight controllers in processes of their own, behind pseudo-terminals.
if [ ${#amounts[@]} -gt 0 ]; then
        (ulimit -v 200000 && expect 3 "$hilrig" run $flock --seconds 0.02 --set vehicles.0.copies.count=64 --out "$scratch/pty") || exit 1
fi

# wrong TEXT VEHICLE...: a rig of these is refused so.
wrong() {
        local text=$1 list
        shift
        list=$(printf ',%s' "$@")
        cat >"$scratch/rig.json" <<-END
        { "include": "$PWD/rig_configs/rigs/lockstep.json", "vehicles": [${list#,}] }
END
        expect 2 "$hilrig" check "$scratch/rig.json"
        says "$text"
}

# vehicle NAME LINK MORE...
vehicle() {
        printf '{ "name": "%s", "vehicle": "%s/rig_configs/vehicles/md4_200.json", "fc": { "codec": "hilp", "link": "%s" } %s }' \
                "$1" "$PWD" "$2" "${3:-}"
}
copies=', "copies": { "count": 2, "spacing_m": 2 }'
two=$(vehicle 'a_{i}' 'udp:127.0.0.1:{9000+10*i}' "$copies")

wrong "vehicles.2.name: is the name of vehicles.1 too" "$two" "$(vehicle a_1 udp:127.0.0.1:9100)"
wrong "vehicles.1.fc.link: is used by vehicles.0 too" "$(vehicle 'a_{i}' udp:127.0.0.1:9000 "$copies")"
wrong "vehicles.2.fc.link: is used by vehicles.1 too" "$two" "$(vehicle b udp:127.0.0.1:9010)"
wrong "vehicles.2.ports.0.link: is used by vehicles.1 too" "$two" \
        "$(vehicle b udp:127.0.0.1:9200 ', "ports": [{ "device": "ublox_m8", "link": "udp:127.0.0.1:9010" }]')"
wrong "vehicles.1.fc.link: is used by vehicles.0 too" "$(vehicle a udp-listen:127.0.0.1:9010)" "$(vehicle b udp-listen:0.0.0.0:9010)"
wrong "vehicles.0.ports.0.link: is used by another link of the vehicle too" \
        "$(vehicle a udp:127.0.0.1:9000 ', "ports": [{ "device": "ublox_m8", "link": "udp:127.0.0.1:9000" }]')"
wrong "vehicles.0.ports.1.link: is used by another link of the vehicle too" \
        "$(vehicle a udp:127.0.0.1:9000 ', "ports": [{ "device": "ublox_m8", "link": "udp:127.0.0.1:9100" },
                { "device": "telemetry", "link": "udp:127.0.0.1:9100" }]')"
