#!/usr/bin/env bash
# One of four boards is killed in flight, or stopped: with fc.when_lost "end" the run ends and names it; with "fly_on" the others
# fly as if nothing had been, and the run is not passed. One that is dead at the start is named before anything flies.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

needs pgrep procps

# Far from each other, without radio. What the other end of each link is, `hilrig fc` of its own.
cat >"$scratch/four.json" <<END
{
  "include": "$PWD/rig_configs/rigs/lockstep.json",
  "log": { "wire": false }, "period_us": 2000,
  "vehicles": [{
    "name": "quad_{i}", "vehicle": "$PWD/rig_configs/vehicles/md4_200.json",
    "copies": { "count": 4, "spacing_m": 40, "grid": "line" },
    "fc": { "codec": "hilp", "link": "unix:$scratch/s{i}", "timeout_ms": 3000,
            "start": { "command": ["$(realpath "$hilrig")", "fc", "--link", "unix-listen:$scratch/s{i}",
                                   "--params", "$PWD/rig_configs/flight_controllers/md4_200.json"] } }
  }],
  "scenario": "$PWD/rig_configs/scenarios/up_and_down.json"
}
END

# strike SIGNAL NAME STATUS OPTIONS...: flies, and quad_3's firmware gets the signal when so much of the flight is in the record.
strike() {
        local signal=$1 name=$2 status=$3 rig of_3
        shift 3
        "$hilrig" run "$scratch/four.json" --out "$scratch/$name" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null &
        rig=$!
        until of_3=$(pgrep -f "^[^ ]*hilrig fc .*unix-listen:$scratch/s3 "); do
                kill -0 "$rig" 2>/dev/null || fail "$name: no firmware"
        done
        until [ "$(stat -c %s "$scratch/$name/run.ulg" 2>/dev/null || echo 0)" -gt 2250000 ]; do
                kill -0 "$rig" 2>/dev/null || fail "$name: ended before it was struck"
        done
        kill -s "$signal" "$of_3"
        wait "$rig"
        [ $? -eq "$status" ] || fail "$name: not exit status $status"
        if [ "$signal" = STOP ]; then kill -s KILL "$of_3" 2>/dev/null; fi
}

# What the flights of the others came to, to the last digit; not what the host's time is in, nor who is near.
others() {
        node -e 'for (const m of JSON.parse(require("fs").readFileSync(process.argv[1])).metrics)
                if (m.vehicle !== "quad_3" && !/loop|latency|missed|nearest/.test(m.name)) console.log(m.vehicle, m.name, m.value)' \
                "$scratch/$1/summary.json"
}

fly_on=(--set 'vehicles.*.fc.when_lost=fly_on')
needs node nodejs

strike KILL killed 1 "${fly_on[@]}"
says "quad_3: "

# Dead at the start: named, whatever becomes of one that is lost later.
for set in end fly_on; do
        expect 2 "$hilrig" run "$scratch/four.json" --out "$scratch/dead_$set" --set "vehicles.*.fc.when_lost=$set" \
                --set 'vehicles.3.fc.start.command=["/bin/false"]' --set vehicles.3.fc.hello_timeout_ms=500
        says "quad_3"
        says_not "quad_2"
done
enough_under_sanitizers

expect 0 "$hilrig" run "$scratch/four.json" --out "$scratch/whole"

strike KILL killed_end 1
says "quad_3"
says "killed"
[ "$(summary "$scratch/killed_end" sim_time_s)" != "$(summary "$scratch/whole" sim_time_s)" ] || fail "did not end"

[ "$(summary "$scratch/killed" sim_time_s)" = "$(summary "$scratch/whole" sim_time_s)" ] || fail "the others did not fly on"
[ "$(others killed)" = "$(others whole)" ] || { diff <(others killed) <(others whole); fail "the others flew otherwise"; }
grep -q '"quad_3: .*gone' "$scratch/killed/summary.json" || fail "not in the summary"
grep -q 'vehicle 3: flight controller: lost' "$scratch/killed/run.ulg" || fail "no event"

# Kept from running by the host: nothing is said of the board, and the run is void.
strike STOP stopped_end 3
says "was stopped"
strike STOP stopped 3 "${fly_on[@]}"
says "was stopped"
[ "$(summary "$scratch/stopped" sim_time_s)" = "$(summary "$scratch/whole" sim_time_s)" ] || fail "the others did not fly on"
[ "$(others stopped)" = "$(others whole)" ] || fail "the others flew otherwise beside a stopped one"

# By the scenario itself: that is no board's failure.
expect 0 "$hilrig" run "$scratch/four.json" --out "$scratch/unplugged" \
        --set 'scenario.tracks=[{"name": "loss", "steps": [{"at_s": 5, "vehicles": {"named": "quad_3"}, "wire_fault": {"does": "unplug"}}]}]'
