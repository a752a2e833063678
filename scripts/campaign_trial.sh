#!/usr/bin/env bash
# campaign_trial.sh FOLDER [FLIGHTS] [BOARDS] [HARM]: a campaign of so many short flights (1000) over so many boards (12), which
# are reference flight controllers on pseudo-terminals, while flights in it are killed, stopped so that they hang, or the
# campaign itself is killed and started again, HARM times (50) in all. Then every flight must count once and every board be
# free. How many flights a minute there were is said, and how many by hilrig run alone, a block of 20 of which is flown before the
# campaign and each time that it is killed, so that other load of the machine is the same for both. hilrig is in $BUILD.
# ENGINE=slurm: as jobs of a cluster with two nodes on this machine, half of the boards at each; then a killed campaign's jobs fly on, and
# the blocks alone are flown before and after it.
set -euo pipefail
cd "$(dirname "$0")/.."

engine=${ENGINE:-own}
folder=$(realpath -m "$1") flights=${2:-1000} boards=${3:-12} harm=${4:-50} jobs=${JOBS:-6}
hilrig=$(realpath "${BUILD:-build}/hilrig")
mkdir -p "$folder/locks"
RANDOM=${SEED:-1}
running=()
trap '[ $engine = own ] || scripts/slurm_here.sh "$folder/cluster" stop; kill -CONT "${running[@]}" 2>/dev/null; kill "${running[@]}" 2>/dev/null || true' EXIT

cat >"$folder/hop.json" <<'EOF'
{
  "name": "hop", "duration_s": 6,
  "steps": [
    { "at_s": 0, "mode": "disarmed" },
    { "at_s": 2.5, "mode": "armed" },
    { "at_s": 2.5, "mode": "goto", "up_m": 1.5 }
  ],
  "requirements": [{ "name": "climbs", "kind": "eventually", "signal": "altitude_m", "min": 0.8 }]
}
EOF
list=
for ((i = 1; i <= boards; i++)); do
        "$hilrig" fc --link "pty-link:$folder/board$i" --params rig_configs/flight_controllers/md4_200.json --quiet &
        running+=($!)
        host=
        [ "$engine" = own ] || host=" \"host\": \"n$((1 + (i > boards / 2)))\","
        list+="${list:+, }{ \"name\": \"b$i\", \"family\": \"md4\",$host \"link\": \"pty:$folder/board$i\" }"
done
echo "{ \"name\": \"trial\", \"locks\": \"$folder/locks\", \"boards\": [$list] }" >"$folder/farm.json"
cat >"$folder/campaign.json" <<EOF
{ "name": "trial", "rigs": [{ "file": "$PWD/rig_configs/default.json", "board": "md4" }], "scenarios": [{ "file": "hop.json" }],
  "set": ["log.wire=false"], "farm": "farm.json", "seeds": { "count": $((flights / 2)) }, "reserve_mb": 100,
  "time_limit_s": 20, "attempts": 5, "versions": [{ "name": "1.0" }, { "name": "1.1" }] }
EOF

# alone: a block of flights by hilrig run, as many side by side as the campaign flies.
blocks=0 alone_ns=0
alone() {
        local began=0 i
        began=$(date +%s%N)
        # shellcheck disable=SC2016 # the words of each shell
        for ((i = 1; i <= 20; i++)); do
                echo $((blocks * 20 + i))
        done | xargs -P "$jobs" -I{} sh -c 'b=$(( {} % $2 + 1 )); flock "$0/own$b" "$1" run rig_configs/default.json --pace lockstep \
                --seed {} --scenario "$0/hop.json" --set log.wire=false --set vehicles.0.fc.spawn=false \
                --set "vehicles.0.fc.link=\"pty:$0/board$b\"" --out "$0/alone/{}" >/dev/null 2>&1' "$folder" "$hilrig" "$boards"
        blocks=$((blocks + 1))
        alone_ns=$((alone_ns + $(date +%s%N) - began))
}
counted() { find "$folder/out" -name flight.json -not -path '*/.aside/*' 2>/dev/null | wc -l; }
how=(--jobs "$jobs")
if [ "$engine" = slurm ]; then
        SLURM_HERE_CPUS=$((jobs / 2)) scripts/slurm_here.sh "$folder/cluster" "n1=board:md4:$((boards / 2))" \
                "n2=board:md4:$((boards - boards / 2))"
        export SLURM_CONF=$folder/cluster/slurm.conf
        how=(--slurm)
fi
start() {
        "$hilrig" campaign "$folder/campaign.json" --out "$folder/out" "${how[@]}" >>"$folder/said" 2>&1 </dev/null &
        pid=$!
}

alone
[ "$engine" = own ] || for _ in 1 2; do alone; done
began=$(date +%s%N) campaign_ns=0 killed=0 hung=0 cut=0
start
for ((k = 1; k <= harm; k++)); do
        while [ "$(counted)" -lt $((k * flights / (harm + 1))) ] && kill -0 $pid 2>/dev/null; do sleep 0.2; done
        air=()
        for _ in {1..50}; do
                mapfile -t air < <(pgrep -f "^/proc/self/exe run .*--out $folder/out/" || true)
                [ ${#air[@]} -eq 0 ] || break
                sleep 0.1
        done
        [ ${#air[@]} -gt 0 ] || continue
        one=${air[RANDOM % ${#air[@]}]}
        case $((RANDOM % 3)) in
        0) kill -KILL "$one" 2>/dev/null && killed=$((killed + 1)) ;;
        1) kill -STOP "$one" 2>/dev/null && hung=$((hung + 1)) ;;
        2)
                kill -KILL $pid
                wait $pid 2>/dev/null || true
                cut=$((cut + 1))
                campaign_ns=$((campaign_ns + $(date +%s%N) - began))
                [ "$engine" != own ] || alone
                began=$(date +%s%N)
                start
                ;;
        esac || true
done
status=0
wait $pid || status=$?
campaign_ns=$((campaign_ns + $(date +%s%N) - began))
[ "$engine" = own ] || for _ in 1 2 3; do alone; done

records=$(find "$folder/out/1.0" "$folder/out/1.1" -name flight.json -exec grep -h '"number"' {} + | sort -u | wc -l)
leaked=0
for ((i = 1; i <= boards; i++)); do
        flock -n "$folder/locks/hilrig-board-b$i" true || leaked=$((leaked + 1))
done
node - "$folder" <<'EOF'
const c = JSON.parse(require('fs').readFileSync(`${process.argv[2]}/out/campaign.json`, 'utf8'));
console.log(`flights ${c.flights}, passed ${c.passed}, failed ${c.failed}, void ${c.void}, could not run ${c.error}, open ${c.open}`);
console.log(`flown more than once ${c.flight.filter((f) => f.attempts > 1).length}, boards used ${new Set(c.flight.map((f) => f.board)).size}`);
EOF
echo "exit status $status, records with a number of their own $records, boards leaked $leaked"
echo "harmed: $killed flights killed, $hung stopped, the campaign killed $cut times; moved aside $(find "$folder/out/.aside" -mindepth 1 -maxdepth 1 | wc -l)"
awk -v n="$flights" -v ns=$campaign_ns -v own=$((20 * blocks)) -v own_ns=$alone_ns -v jobs="$jobs" 'BEGIN {
        printf "%d at a time: %.1f flights a minute; alone %.1f, of %d flights: %.2f\n",
                jobs, n * 60e9 / ns, own * 60e9 / own_ns, own, n * own_ns / ns / own }'
[ "$records" -eq "$flights" ] && [ $leaked -eq 0 ]
