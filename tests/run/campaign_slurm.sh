#!/usr/bin/env bash
# A campaign as jobs of Slurm counts every flight once: on two computers' boards, with jobs that are killed or hang, a node that
# dies, a controller and a campaign that are killed and started again, and nobody keeps a board. The cluster is a real one, on this machine.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/hops.bash

PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmd munged sbatch; do
        command -v $program >/dev/null && continue
        echo "no $program; scripts/deps.sh slurm installs it"
        exit 77
done
port=$((20000 + $$ % 20000))
cluster=$(mktemp -d /tmp/slurm.XXXXXX)
export SLURM_CONF=$cluster/slurm.conf SLURM_HERE_CPUS=2 SLURM_HERE_PORT=$port SLURM_HERE_TIMEOUT=10
trap 'scripts/slurm_here.sh "$cluster" stop; kill $(jobs -p) 2>/dev/null || true; rm -rf "$scratch" "$cluster"' EXIT

hop_scenario "$climbs"
# campaign NAME SEEDS BOARD MORE: a file of the default rig with two versions.
campaign() {
        printf '{ "name": "%s", "rigs": [{ "file": "%s/rig_configs/default.json"%s }], "scenarios": [{ "file": "hop.json" }],
          "set": ["log.wire=false"], "reserve_mb": 0, "seeds": { "count": %s }, "versions": [{ "name": "1.0" }, { "name": "1.1" }]%s }' \
                "$1" "$PWD" "$3" "$2" "${4:-}" >"$scratch/$1.json"
}
fly() { # DIR MORE...: the campaign "boards", in the background
        local dir=$1
        shift
        "$hilrig" campaign "$scratch/boards.json" --out "$dir" --slurm "$@" >"$scratch/out" 2>"$scratch/err" </dev/null &
        pid=$!
}
# in_the_air DIR: a job's flight, as its process and its parent's, which is the job.
in_the_air() {
        # A run, and not the job, whose words name its folder too.
        air=$(pgrep -f "exe run .*--out $1/" | head -n 1)
        [ -n "$air" ] && job=$(ps -o ppid= -p "$air" | tr -d ' ') && [ -n "$job" ]
}

# Without a cluster it says so, and by hand there is no job.
campaign plain 2 ''
SLURM_CONF=$scratch/nowhere.conf expect 2 "$hilrig" campaign "$scratch/plain.json" --out "$scratch/never" --slurm
says "scontrol"
expect 2 "$hilrig" campaign "$scratch/plain.json" --out "$scratch/never" --job 0,0,abc
says "is for Slurm"

# Four boards at two computers.
mkdir "$scratch/locks"
list=
for i in 1 2 3 4; do
        "$hilrig" fc --link "pty-link:$scratch/board$i" --params rig_configs/flight_controllers/md4_200.json --quiet &
        list+="${list:+, }{ \"name\": \"b$i\", \"family\": \"md4\", \"host\": \"n$(((i + 1) / 2))\", \"link\": \"pty:$scratch/board$i\" }"
        await test -e "$scratch/board$i"
done
echo "{ \"name\": \"bench\", \"locks\": \"$scratch/locks\", \"boards\": [$list] }" >"$scratch/farm.json"
expect 0 "$hilrig" farm slurm --farm "$scratch/farm.json"
says "NodeName=n1 Name=board Type=md4 Count=2"
says "NodeName=n2 Gres=board:md4:2"
expect 2 "$hilrig" farm identify b3 --farm "$scratch/farm.json"
says "b3: is plugged into n2"
scripts/slurm_here.sh "$cluster" n1=board:md4:2 n2=board:md4:2 || fail "no cluster"

# Every flight is the one that hilrig run flies, to the bit, and each computer's boards fly.
campaign boards 4 ', "board": "md4"' ', "farm": "farm.json", "time_limit_s": 60, "attempts": 4'
expect 0 "$hilrig" campaign "$scratch/boards.json" --out "$scratch/boards" --slurm
says "passed: 8 flights: 8 passed, 0 failed, 0 void, 0 could not run, 0 not flown"
counts "$scratch/boards" passed 8
for boards in 'b[12]' 'b[34]'; do
        grep -rq "\"board\": \"$boards\"" "$scratch/boards" --include flight.json || fail "nothing flew on $boards"
done
expect 0 "$hilrig" run rig_configs/default.json --scenario "$scratch/hop.json" --pace lockstep --seed 2 --out "$scratch/alone"
[ "$(summary "$scratch/alone" signal_sha256)" = "$(summary "$scratch/boards/1.1/default/hop/2-1" signal_sha256)" ] || fail "another signal"
before=$(records "$scratch/boards")
expect 0 "$hilrig" campaign "$scratch/boards.json" --out "$scratch/boards" --slurm
says "8 counted already"
[ "$(records "$scratch/boards")" = "$before" ] || fail "counted again"

# Harm: a flight is killed, a job with its flight; the controller; the campaign, whose jobs fly on and are gone on with.
fly "$scratch/harm"
await in_the_air "$scratch/harm"
kill -KILL "$air"
await grep -q "flown again, 1 of 4 attempts are over" "$scratch/err"
await in_the_air "$scratch/harm"
kill -KILL "$job"
await grep -q "its job ended without a result" "$scratch/err"
controller=$(cat "$cluster/slurmctld.pid")
kill -TERM "$controller"
await test ! -e "/proc/$controller"
await grep -q "asked again until it answers" "$scratch/err"
slurmctld -f "$SLURM_CONF"
await grep -q "Slurm answers again" "$scratch/err"
kill -KILL $pid
wait $pid 2>/dev/null
await flock -n "$scratch/harm" true # what it was just starting may have it for a moment
fly "$scratch/harm"
wait $pid || fail "exit status $?: $(cat "$scratch/out" "$scratch/err")"
says "passed: 8 flights: 8 passed"
[ "$(find "$scratch/harm/1.0" "$scratch/harm/1.1" -name flight.json | wc -l)" -eq 8 ] || fail "not eight records"

enough_under_sanitizers

# A node dies with what it flies: that is flown by the other one.
fly "$scratch/node"
await has_records "$scratch/node" 1
kill -KILL "$(cat "$cluster/slurmd-n2.pid")"
for job in $(pgrep -f -- "--out $scratch/node --job"); do
        grep -qz '^SLURMD_NODENAME=n2$' "/proc/$job/environ" 2>/dev/null && kill -KILL "$(ps -o ppid= -p "$job" | tr -d ' ')" "$job"
done
wait $pid || fail "exit status $?: $(cat "$scratch/out" "$scratch/err")"
says "passed: 8 flights: 8 passed"
slurmd -N n2 -f "$SLURM_CONF"

# Asked to end, it takes its jobs from the queue, and the same command goes on. One with other settings does not fly beside it.
fly "$scratch/cut"
await has_records "$scratch/cut" 1
kill -TERM $pid
wait $pid
status=$?
[ $status -eq 3 ] || fail "interrupted: exit status $status: $(cat "$scratch/out" "$scratch/err")"
says "stopped: interrupted"
await test -z "$(squeue --me --noheader)"
fly "$scratch/cut"
await in_the_air "$scratch/cut"
kill -KILL $pid
wait $pid 2>/dev/null
fly "$scratch/cut" --set log.truth_rate_hz=100 --fly-again
wait $pid
says "jobs for this folder with other settings: ended"
counts "$scratch/cut" open 0

# Nobody keeps a board, and nothing is left in the queue.
for i in 1 2 3 4; do
        flock -n "$scratch/locks/hilrig-board-b$i" true || fail "b$i is still locked"
done
[ -z "$(squeue --me --noheader)" ] || fail "left in the queue: $(squeue --me)"
