#!/bin/bash
# test_slurm.sh — the scripts of docs/slurm, each submitted to a Slurm of one machine that this test starts: its own
# munged, slurmctld and slurmd, with their files in a new folder, on ports of their own. Digests are compared with that
# of `sciara ensemble`; a job that is told to end puts itself into the queue again and ends with the same.
# tests: program/mpi
. tests/check.sh
each=yes
needs_sciara
PATH=$PATH:/usr/sbin
for program in slurmctld slurmd munged sbatch srun; do
    needs "Slurm is not installed (tools/install-dependencies slurm)" command -v $program
done
export OMP_NUM_THREADS=1 OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
export PMIX_MCA_psec=native

# ---- a Slurm of its own
home=$(mktemp -d /tmp/sciara-slurm.XXXXXX) # a socket's path has to be short
daemons=()
# Every process of it bears the folder in its environment: steps too, which belong to nobody.
export SLURM_CONF=$home/slurm.conf
stop_slurm() {
    local pid
    scancel --user="$(id -un)" 2>/dev/null
    for pid in "${daemons[@]}"; do kill "$pid" 2>/dev/null; done
    sleep 0.5
    for pid in $(grep -lsa "SLURM_CONF=$home/" /proc/[0-9]*/environ | cut -d/ -f3); do
        [ "$pid" = $$ ] || [ "$pid" = "$BASHPID" ] || kill -KILL "$pid" 2>/dev/null
    done
    stop_servers
    wait 2>/dev/null
    rm -rf "$home" "$work"
}
trap stop_slurm EXIT
trap 'exit 1' HUP INT TERM
free_port() {
    local port
    while port=$((20000 + RANDOM % 10000)) && (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
    echo "$port"
}
start() { # start NAME COMMAND...
    "${@:2}" >"$home/$1.out" 2>&1 </dev/null &
    daemons+=($!)
}
chmod 755 "$home"
mkdir "$home/state" "$home/spool"
(umask 077 && head -c 1024 /dev/urandom >"$home/munge.key")
me=$(id -un) node=$(hostname -s)
cat >"$home/slurm.conf" <<END
ClusterName=sciara
SlurmctldHost=$node(127.0.0.1)
SlurmUser=$me
SlurmdUser=$me
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
AuthType=auth/munge
AuthInfo=socket=$home/munge.socket
CredType=cred/munge
StateSaveLocation=$home/state
SlurmdSpoolDir=$home/spool
SlurmctldPidFile=$home/slurmctld.pid
SlurmdPidFile=$home/slurmd.pid
SlurmctldLogFile=$home/slurmctld.log
SlurmdLogFile=$home/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,batch_sched_delay=1
ReturnToService=2
KillWait=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
printf 'CgroupAutomount=no\n' >"$home/cgroup.conf"
start munged munged --foreground --force --num-threads=1 --key-file="$home/munge.key" --socket="$home/munge.socket" \
    --pid-file="$home/munged.pid" --log-file="$home/munged.log" --seed-file="$home/munge.seed"
child=${daemons[0]}
wait_until [ -S "$home/munge.socket" ]
start slurmctld slurmctld -D -i
start slurmd slurmd -D
idle() { sinfo -h -o %T 2>/dev/null | grep -q idle; }
child=${daemons[2]}
if ! wait_every=0.2 wait_until idle; then
    tail -n 5 "$home"/*.log "$home"/*.out
    echo "skipped: Slurm does not start here: $(grep -h error "$home"/slurm*.log "$home"/*.out | tail -n 1)"
    exit 0
fi

# ---- a plan
"$sciara" terrain "$work/made" --size 100 --quiet || exit 1
printf '%s\n' 'class,weight,volume_m3,duration_h' 'short,6,4000,2' 'long,1,40000,30' >"$work/made/classes.csv"
{
    grep -Ev '^(vents|rates|max_steps)' "$work/made/volcano.cfg"
    printf '%s\n' 'vent_grid_m 40' 'vent_grid_box 500300 4170300 500700 4170700' 'classes classes.csv' 'run_h 40' 'exceed_m 1 3'
} >"$work/made/plan.cfg"
plan=$work/made/plan.cfg
call ensemble "$plan" --output "$work/one" --map-size 600x400 --threads 1 --quiet
digest=$(digest "$work/one")
check "there is a digest" [ ${#digest} = 16 ]

export PATH=$build/bin:$PATH
state() { scontrol -o show job "$1" | grep -o 'JobState=[A-Z_]*' | cut -d= -f2 | sort -u; }
# Every task of it; between two states it may have none, or say something else.
ended() { [ -n "$(state "$1")" ] && ! state "$1" | grep -Evq '^(COMPLETED|FAILED|CANCELLED|NODE_FAIL|TIMEOUT)$'; }
# completed WHAT JOB : waits for it, and shows its log where it failed
completed() {
    wait_every=0.3 wait_until ended "$2"
    [ "$(state "$2")" = COMPLETED ] || cat "$work"/*-"$2"*.log
    check "$1: completed" [ "$(state "$2")" = COMPLETED ]
}
# Slurm would wait for two minutes. (At once would be too soon: it revokes the old credentials by the second.)
begin_soon() { scontrol update "jobid=$1" StartTime=now+4; }
submit() { sbatch --parsable --chdir="$work" --time=10 --export=ALL "$@"; }
scripts=$root/docs/slurm

# ---- a run, told to end as before its time is over
call run "$work/made/volcano.cfg" 5000000 --output "$work/whole" --threads 1 --quiet --format geotiff
left_state() { ls "$work"/run/state_*.tif >"$work/left" 2>/dev/null; }
requeued() { state "$job" | grep -q PENDING; }
answered() { state "$job" | grep -Eq '^(PENDING|COMPLETED)$'; }
# told_to_end BEGIN: tells the job that BEGIN submits; it may have ended before: then again
told_to_end() {
    for _ in 1 2 3 4 5; do
        "$1"
        scancel --signal=USR1 "$job"
        wait_every=0.1 wait_until answered
        if requeued; then break; fi
    done
}
begin_run() {
    rm -rf "$work/run"
    job=$(submit "$scripts/run.sbatch" "$work/made/volcano.cfg" "$work/run" 5000000 --variant reference --threads 1 --format geotiff)
    wait_until [ -d "$work/run" ]
}
told_to_end begin_run
check "run: told to end, it leaves a state" wait_until left_state
check "run: of a step on the way" eval "! grep -q state_5000000 '$work/left'"
wait_every=0.1 check "run: and is in the queue again" wait_until requeued
begin_soon "$job"
completed run "$job"
check "run: one digest" [ "$(digest "$work/run")" = "$(digest "$work/whole")" ]

# ---- one ensemble in one process; told to end
has_state() { [ -s "$1/ensemble.state" ]; }
begin_node() {
    rm -rf "$work/node"
    job=$(submit "$scripts/node.sbatch" "$plan" "$work/node" --map-size 600x400 --threads 1 --checkpoint 0.1)
    wait_until has_state "$work/node"
}
told_to_end begin_node
interrupted() { grep -q '"end":	"interrupted"' "$work/node/summary.json"; }
check "node: told to end, it writes what there is" wait_until interrupted
wait_every=0.1 check "node: and is in the queue again" wait_until requeued
begin_soon "$job"
completed node "$job"
check "node: one digest" [ "$(digest "$work/node")" = "$digest" ]

# ---- shards, and a job that waits for them
job=$(submit --array=1-3 "$scripts/array.sbatch" "$plan" "$work/shards" --threads 1)
sum=$(submit --dependency="afterok:$job" "$scripts/merge.sbatch" "$work/shards")
completed array "$job"
completed merge "$sum"
check "shards: one digest" [ "$(digest "$work/shards/whole")" = "$digest" ]

# ---- ranks
if [ ! -x "$build/bin/sciara_mpi" ]; then
    skip "ranks: sciara_mpi is not built"
elif ! srun --mpi=list 2>&1 | grep -q pmix; then
    skip "ranks: this Slurm knows no pmix"
else
    job=$(submit --ntasks=3 "$scripts/mpi.sbatch" "$plan" "$work/mpi" --map-size 600x400 --checkpoint 0.1)
    completed ranks "$job"
    check "ranks: three of them" [ "$(grep -c '^rank [0-2] on' "$work/sciara-mpi-$job.log")" = 3 ]
    check "ranks: one digest" [ "$(digest "$work/mpi")" = "$digest" ]

    begin_ranks() {
        rm -rf "$work/mpi2"
        job=$(submit --ntasks=2 "$scripts/mpi.sbatch" "$plan" "$work/mpi2" --map-size 600x400 --checkpoint 0.1)
        wait_every=0.1 wait_until has_state "$work/mpi2"
    }
    told_to_end begin_ranks
    wait_every=0.1 check "ranks: told to end, they are in the queue again" wait_until requeued
    begin_soon "$job"
    completed "ranks that go on" "$job"
    check "ranks that go on: one digest" [ "$(digest "$work/mpi2")" = "$digest" ]
fi
report
