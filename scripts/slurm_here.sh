#!/usr/bin/env bash
# slurm_here.sh FOLDER NODE=GRES... | slurm_here.sh FOLDER stop: a cluster of Slurm on this machine, without systemd, for tests: a controller
# and a slurmd for each node, with the boards that its gres names (n1=board:md4:6; n1= for none). Its state, logs and pids are in
# FOLDER; SLURM_CONF=FOLDER/slurm.conf is what its commands need. Listens on 127.0.0.1 alone, on ports from SLURM_HERE_PORT (7817).
set -euo pipefail

folder=$(realpath -m "$1")
shift
port=${SLURM_HERE_PORT:-7817}

stop() {
        local file pid
        for file in "$folder"/*.pid; do
                [ -e "$file" ] || continue
                pid=$(cat "$file")
                kill "$pid" 2>/dev/null || true
                for _ in {1..100}; do
                        kill -0 "$pid" 2>/dev/null || break
                        sleep 0.1
                done
                kill -KILL "$pid" 2>/dev/null || true
                rm -f "$file"
        done
}
if [ "${1:-}" = stop ]; then
        stop
        exit
fi

for program in munged slurmctld slurmd sbatch; do
        PATH=$PATH:/usr/sbin:/sbin command -v $program >/dev/null || {
                echo "slurm_here: $program is missing (Debian: slurmctld slurmd slurm-client munge)" >&2
                exit 2
        }
done
PATH=$PATH:/usr/sbin:/sbin
for ((at = port; at <= port + $#; at++)); do
        if (exec 3<>"/dev/tcp/127.0.0.1/$at") 2>/dev/null; then
                echo "slurm_here: port $at of 127.0.0.1 is taken; SLURM_HERE_PORT is the first of $(($# + 1)) that are used" >&2
                exit 2
        fi
done
user=$(id -un)
mkdir -p "$folder/state"
chmod 700 "$folder"
{
        cat <<EOF
ClusterName=here
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
SlurmUser=$user
SlurmdUser=$user
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
SlurmdParameters=config_overrides
CommunicationParameters=NoAddrCache
ReturnToService=2
KillWait=15
SlurmdTimeout=${SLURM_HERE_TIMEOUT:-60}
MaxArraySize=1001
GresTypes=board
EOF
        for node in "$@"; do
                port=$((port + 1))
                echo "NodeName=${node%%=*} NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$port CPUs=${SLURM_HERE_CPUS:-8}${node#*=}" |
                        sed -E 's/(CPUs=[0-9]+)(board:.*)/\1 Gres=\2/'
        done
        echo "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP"
} >"$folder/slurm.conf"
for node in "$@"; do
        gres=${node#*=}
        IFS=, read -ra kinds <<<"$gres"
        for kind in "${kinds[@]}"; do
                IFS=: read -r name type count <<<"$kind"
                echo "NodeName=${node%%=*} Name=$name Type=$type Count=$count"
        done
done >"$folder/gres.conf"
# shellcheck disable=SC2154 # set by the trap itself
trap 'status=$?; [ $status -eq 0 ] || { tail -n 5 "$folder"/*.said "$folder"/*.log >&2; stop; }; exit $status' EXIT
dd if=/dev/urandom of="$folder/munge.key" bs=128 count=1 status=none
chmod 400 "$folder/munge.key"

export SLURM_CONF=$folder/slurm.conf
munged --force --socket="$folder/munge.socket" --key-file="$folder/munge.key" --log-file="$folder/munged.log" \
        --pid-file="$folder/munged.pid" --seed-file="$folder/munge.seed" >"$folder/munged.said" 2>&1
slurmctld -f "$SLURM_CONF" >"$folder/slurmctld.said" 2>&1
for node in "$@"; do slurmd -N "${node%%=*}" -f "$SLURM_CONF" >"$folder/slurmd-${node%%=*}.said" 2>&1; done
for _ in {1..300}; do
        if [ "$(sinfo -h -N -t idle -o %N 2>/dev/null | sort -u | wc -l)" -eq $# ]; then exit; fi
        sleep 0.2
done
echo "slurm_here: the nodes did not come up; see the logs in $folder" >&2
sinfo -N -l >&2 || true
exit 1
