#!/usr/bin/env bash
# campaign_trial.sh FOLDER [FLIGHTS] [BOARDS] [HARM]: a campaign of so many short flights (1000) over so many boards (12): half of
# them reference flight controllers on pseudo-terminals, half the firmware in QEMU (make firmware), which flies at 250 Hz. Meanwhile
# flights in it are killed, stopped so that they hang, or the campaign itself is killed and started again, HARM times (50) in
# all. Then every flight must count once and every board be free. How many flights a minute there were is said, and how many by
# hilrig run alone on the same boards, a block of 24 of which is flown before the campaign and each time that it is killed, so that other load
# of the machine is the same for both. hilrig and the firmware are in $BUILD.
# ENGINE=slurm: as jobs of a cluster with two nodes on this machine, half of the boards at each; then jobs are killed, too, and a
# killed campaign's jobs fly on: each fourth time no more of them are let in, and the last has ended before the block alone begins;
# what that takes is the campaign's time.
set -euo pipefail
cd "$(dirname "$0")/.."

engine=${ENGINE:-own}
folder=$(realpath -m "$1") flights=${2:-1000} boards=${3:-12} harm=${4:-50} jobs=${JOBS:-6} block=24
hilrig=$(realpath "${BUILD:-build}/hilrig")
image=$(realpath "${BUILD:-build}/firmware/lm3s6965.elf")
half=$((boards / 2))
[ -s "$image" ] || { echo "campaign_trial: no $image; make firmware" >&2 && exit 2; }
if [ $((flights % 4)) -ne 0 ] || [ $((boards % 4)) -ne 0 ]; then
        echo "campaign_trial: flights and boards must be divisible by 4" >&2
        exit 2
fi
mkdir -p "$folder/locks"
RANDOM=${SEED:-1}
running=() pid='' own='' load=$(cut -d' ' -f1 /proc/loadavg)
# shellcheck disable=SC2317 # called by the trap
clean() {
        set +e
        # shellcheck disable=SC2086 # empty is none
        kill $pid $own 2>/dev/null
        [ "$engine" = own ] || scripts/slurm_here.sh "$folder/cluster" stop
        kill -CONT "${running[@]}" 2>/dev/null
        kill "${running[@]}" 2>/dev/null
}
trap 'exit 143' TERM INT HUP
trap clean EXIT

cat >"$folder/hop.json" <<'EOF'
{
  "name": "hop", "duration_s": 5,
  "steps": [
    { "at_s": 0, "mode": "disarmed" },
    { "at_s": 2.5, "mode": "armed" },
    { "at_s": 2.5, "mode": "goto", "up_m": 1.5 }
  ],
  "requirements": [{ "name": "climbs", "kind": "eventually", "signal": "altitude_m", "min": 0.8 }]
}
EOF
echo "{ \"include\": \"$PWD/rig_configs/rigs/firmware_m4f.json\", \"name\": \"m4f\", \"period_us\": 4000 }" >"$folder/m4f.json"

# The first half of the boards and the second; of each, the first half at one node.
list=
for ((i = 1; i <= boards; i++)); do
        family=md4 link=pty:$folder/board$i host=
        if ((i <= half)); then
                "$hilrig" fc --link "pty-link:$folder/board$i" --params rig_configs/flight_controllers/md4_200.json --quiet &
        else
                family=m4f link=unix:$folder/board$i
                qemu-system-arm -M lm3s6965evb -cpu cortex-m4 -nodefaults -nographic -kernel "$image" \
                        -serial "unix:$folder/board$i,server=on,wait=off" </dev/null >"$folder/qemu$i" 2>&1 &
        fi
        running+=($!)
        [ "$engine" = own ] || host=" \"host\": \"n$((1 + ((i - 1) % half >= half / 2)))\","
        list+="${list:+, }{ \"name\": \"b$i\", \"family\": \"$family\",$host \"link\": \"$link\" }"
done
echo "{ \"name\": \"trial\", \"locks\": \"$folder/locks\", \"boards\": [$list] }" >"$folder/farm.json"
cat >"$folder/campaign.json" <<EOF
{ "name": "trial", "rigs": [{ "file": "$PWD/rig_configs/default.json", "board": "md4" }, { "file": "m4f.json", "board": "m4f" }],
  "scenarios": [{ "file": "hop.json" }], "set": ["log.wire=false"], "farm": "farm.json", "seeds": { "count": $((flights / 4)) },
  "reserve_mb": 100, "time_limit_s": ${TIME_LIMIT:-20}, "attempts": 5, "versions": [{ "name": "1.0" }, { "name": "1.1" }] }
EOF

# alone: a block of flights by hilrig run, as many side by side as the campaign flies, half of them on each kind of board.
blocks=0 alone_ns=0
fly_alone() { # seed
        local b=$((1 + $1 / 2 % half)) rig=rig_configs/default.json link=pty

        if [ $(($1 % 2)) -eq 0 ]; then
                b=$((b + half)) rig=$folder/m4f.json link=unix
        fi
        flock "$folder/own$b" "$hilrig" run "$rig" --pace lockstep --seed "$1" --scenario "$folder/hop.json" --set log.wire=false \
                --set vehicles.0.fc.spawn=false --set "vehicles.0.fc.link=\"$link:$folder/board$b\"" --out "$folder/alone/$1" >"$folder/alone_said_$1" 2>&1 || echo "$1" >>"$folder/alone_failed"
}
export -f fly_alone
export folder hilrig half
alone() {
        local began

        began=$(date +%s%N)
        seq $((blocks * block + 1)) $(((blocks + 1) * block)) | xargs -P "$jobs" -I{} bash -c 'fly_alone {}' &
        own=$!
        # Not in the foreground: that would have to end before a signal is heard.
        wait $own
        own=''
        blocks=$((blocks + 1))
        alone_ns=$((alone_ns + $(date +%s%N) - began))
}
# By what the campaign said last: to look for a thousand records five times a second takes from the flights what is measured.
counted() {
        local n

        n=$(grep -o '^[0-9]* of ' "$folder/said" | tail -n 1)
        echo $((${n%% *} + 0))
}
how=(--jobs "$jobs") ways=3
if [ "$engine" = slurm ]; then
        kinds=board:md4:$((half / 2)),board:m4f:$((half / 2))
        SLURM_HERE_CPUS=$((jobs / 2)) scripts/slurm_here.sh "$folder/cluster" "n1=$kinds" "n2=$kinds"
        export SLURM_CONF=$folder/cluster/slurm.conf
        how=(--slurm) ways=4
fi
in_the_air() { # pgrep's options
        pgrep "$@" -f "^/proc/self/exe run .*--out $folder/out/" || true
}
start() {
        "$hilrig" campaign "$folder/campaign.json" --out "$folder/out" "${how[@]}" >>"$folder/said" 2>&1 </dev/null &
        pid=$!
}

alone
awk -v own=$((block * blocks)) -v ns=$alone_ns 'BEGIN { printf "alone, before: %.1f flights a minute\n", own * 60e9 / ns }'
began=$(date +%s%N) campaign_ns=0 killed=0 hung=0 cut=0 jobs_killed=0
start
for ((k = 1; k <= harm; k++)); do
        while [ "$(counted)" -lt $((k * flights / (harm + 1))) ] && kill -0 $pid 2>/dev/null; do sleep 1; done
        air=()
        for _ in {1..50}; do
                mapfile -t air < <(in_the_air)
                [ ${#air[@]} -eq 0 ] || break
                sleep 0.1
        done
        [ ${#air[@]} -gt 0 ] || continue
        one=${air[RANDOM % ${#air[@]}]}
        case $((RANDOM % ways)) in
        0) kill -KILL "$one" 2>/dev/null && killed=$((killed + 1)) ;;
        1) kill -STOP "$one" 2>/dev/null && hung=$((hung + 1)) ;;
        2)
                kill -KILL $pid
                wait $pid 2>/dev/null || true
                cut=$((cut + 1))
                if [ "$engine" = own ] || [ $((cut % 4)) -eq 0 ]; then
                        [ "$engine" = own ] || scontrol update PartitionName=all State=DOWN
                        while [ -n "$(in_the_air -r RSD)" ]; do sleep 0.1; done
                        campaign_ns=$((campaign_ns + $(date +%s%N) - began))
                        # One that is stopped has its board for as long as its limit lets it.
                        while [ "$engine" != own ] && [ -n "$(squeue -h -t RUNNING,COMPLETING,CONFIGURING)" ]; do sleep 0.2; done
                        alone
                        [ "$engine" = own ] || scontrol update PartitionName=all State=UP
                        began=$(date +%s%N)
                fi
                start
                ;;
        3) kill -KILL "$(ps -o ppid= -p "$one" | tr -d ' ')" 2>/dev/null && jobs_killed=$((jobs_killed + 1)) ;;
        esac || true
done
status=0
wait $pid || status=$?
campaign_ns=$((campaign_ns + $(date +%s%N) - began))
[ "$engine" = own ] || alone

records=$(find "$folder/out/1.0" "$folder/out/1.1" -name flight.json -exec grep -h '"number"' {} + 2>/dev/null | sort -u | wc -l || true)
leaked=0
for ((i = 1; i <= boards; i++)); do
        flock -n "$folder/locks/hilrig-board-b$i" true || leaked=$((leaked + 1))
done
read -r passed failed void error open reference again used < <(node - "$folder" $half <<'EOF'
const c = JSON.parse(require('fs').readFileSync(`${process.argv[2]}/out/campaign.json`, 'utf8'));
const reference = c.flight.filter((f) => Number(f.board.slice(1)) <= Number(process.argv[3])).length;
const again = c.flight.filter((f) => f.attempts > 1).length, used = new Set(c.flight.map((f) => f.board)).size;
console.log(c.passed, c.failed, c.void, c.error, c.open, reference, again, used);
EOF
)
aside=$(find "$folder/out/.aside" -mindepth 1 -maxdepth 1 2>/dev/null | wc -l || true)
echo "exit status $status, $used boards used; the machine's load was $load before it began"
[ ! -e "$folder/alone_failed" ] || echo "alone, $(wc -l <"$folder/alone_failed") flights did not pass"
cat <<EOF

| boards | $half reference flight controllers ($reference flights), $half of firmware in QEMU |
| flights, at a time | $flights of two versions and two rigs, $jobs |
| harm | $((killed + hung + jobs_killed + cut)): $killed flights killed, $hung stopped, $jobs_killed jobs killed, the campaign killed $cut times |
| counted | $records, each once: $passed passed, $failed failed, $void void, $error could not run, $open open |
| flown more than once; folders moved aside | $again; $aside |
| boards locked afterwards | $leaked |
EOF
awk -v n="$flights" -v ns=$campaign_ns -v own=$((block * blocks)) -v own_ns=$alone_ns 'BEGIN {
        printf "| flights a minute | %.1f; alone, by `hilrig run`, %.1f (%d flights): **%.2f** |\n",
                n * 60e9 / ns, own * 60e9 / own_ns, own, n * own_ns / ns / own }'
[ "$records" -eq "$flights" ] && [ $leaked -eq 0 ]
