#!/bin/bash
# test_mpi.sh — `mpirun -n N sciara_mpi ensemble PLAN`: the digest of `sciara ensemble` for any number of ranks, after a
# rank was killed, and after signals; what is refused. On processors; which rank has which GPU is in test_handout.c.
# tests: program/mpi
. tests/check.sh
needs_sciara
needs "mpirun is not installed (tools/install-dependencies mpi)" command -v mpirun
mpi=$build/bin/sciara_mpi
needs "$mpi is not built, for want of mpi.h (tools/install-dependencies mpi)" [ -x "$mpi" ]
# Where the test runs may be a container: root, few processors, no network
export OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl=self,vader OMPI_MCA_mpi_yield_when_idle=1 \
    OMPI_MCA_btl_vader_single_copy_mechanism=none
# (the same for Open MPI 5)
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe \
    PRTE_MCA_hwloc_default_binding_policy=none
needs "mpirun cannot start two processes here" mpirun -n 2 true
. tests/tables.sh
painting=$mpi
if without_painters "$work/plain" && cp "$mpi" "$work/plain/bin"; then sciara=$work/plain/bin/sciara mpi=$work/plain/bin/sciara_mpi; fi

# Lengths that differ a hundredfold
"$sciara" terrain "$work/made" --size 100 --quiet || exit 1
printf '%s\n' 'class,weight,volume_m3,duration_h' 'short,6,4000,2' 'middle,3,15000,10' 'long,1,40000,30' \
    >"$work/made/classes.csv"
{
    grep -Ev '^(vents|rates|max_steps)' "$work/made/volcano.cfg"
    printf '%s\n' 'vent_grid_m 80' 'vent_grid_box 500300 4170300 500700 4170700' 'classes classes.csv' 'run_h 20' \
        'vary_Pcool normal 2.8 0.3 from 1.5 to 4.5' 'exceed_m 1 3' \
        'repeats 5' # long enough to be killed on the way
} >"$work/made/plan.cfg"
sed 's/^repeats .*/repeats 2/' "$work/made/plan.cfg" >"$work/made/few.cfg"
plan=$work/made/few.cfg
members=$(($("$sciara" ensemble "$plan" --list | wc -l) - 1))
# ranks N ARGUMENTS... : of sciara_mpi ensemble
ranks() {
    local n=$1
    shift
    keep mpirun -n "$n" "$mpi" ensemble "$@"
}
no_parts() { [ -z "$(find "$1" -name 'ensemble.state.*' -o -name 'library.gpkg?*')" ]; }

computed() { # computed FOLDER: by one process; its digest in $digest
    call ensemble "$plan" --output "$1" --map-size 300x300 --map-dpi 72 --threads 1 --quiet
    digest=$(digest "$1")
}
computed "$work/one"
check "the plan has members enough" [ "$members" -gt 60 ]
check "there is a digest" [ ${#digest} = 16 ]

# A library that was kept has every member once.
asks_right() {
    tables ask "$1/library.gpkg" "$work/asked"
    [ "$(digest "$work/asked")" = "$digest" ]
}

# ---- ranks
for n in 1 2 3; do
    ranks $n "$plan" --output "$work/ranks$n" --map-size 300x300 --map-dpi 72 --keep
    check "$n ranks: ends well" exits 0
    check "$n ranks: the same digest" [ "$(digest "$work/ranks$n")" = "$digest" ]
    check "$n ranks: the library of all" asks_right "$work/ranks$n"
    check "$n ranks: no state but one" no_parts "$work/ranks$n"
    check "$n ranks: a line of each" [ "$(grep -c '^rank [0-9]* on .*: 1 thread$' "$work/stdout")" = $n ]
done
check "three ranks: each has computed" [ "$(grep -cE '^rank [0-2] +[1-9][0-9]* members' "$work/stdout")" = 3 ]
timing=$(jq -c '.timing | [.ranks, .threads, (.members_of_each | add), (.idle_s_of_each | min)]' "$work/ranks3/summary.json")
check "... on a thread of its own, all members together, the last without a pause" [ "$timing" = "[3,3,$members,0]" ]
cmp "$work/one/probability.tif" "$work/ranks3/probability.tif" || failures=$((failures + 1))
mpi=$painting ranks 2 "$plan" --output "$work/json" --map-size 300x300 --map-dpi 72 --json --format svg,html
check "JSON is all that --json prints" [ "$(head -c 1 "$work/stdout")$(tail -n 1 "$work/stdout")" = '{}' ]
check "--format" [ -s "$work/json/map_probability.svg" -a -s "$work/json/report.html" -a ! -e "$work/json/map_probability.pdf" ]

# ---- a rank is killed at some moment, and others go on
plan=$work/made/plan.cfg
computed "$work/all"
# of_mpirun : pids of the ranks below mpirun
of_mpirun() { ps -o pid=,comm= --ppid "$child" | awk '$2 == "sciara_mpi" { print $1 }'; }
has_states() { [ -s "$work/killed/ensemble.state.1" ] && [ -s "$work/killed/ensemble.state.2" ]; }
kill_one() {
    rm -rf "$work/killed"
    mpirun -n 3 "$mpi" ensemble "$plan" --output "$work/killed" --map-size 300x300 --map-dpi 72 --keep --checkpoint 0.1 --quiet >"$work/log" 2>&1 &
    child=$!
    wait_until has_states
    sleep 0.0$((RANDOM % 10))
    kill -KILL "$(of_mpirun | sed -n "$((RANDOM % 3 + 1))p")"
    wait $child
    code=$?
}
for again in 2 ${THOROUGH:+1} plain; do
    in_time kill_one 2>/dev/null
    check "a rank killed: mpirun says so" fails exits 0 >/dev/null
    check "a rank killed: states of others are left" has_states
    refused 2 "going on without --resume" "unfinished study" ensemble "$plan" --output "$work/killed"
    if [ "$again" = plain ]; then
        rm -rf "$work/damaged" && cp -r "$work/killed" "$work/damaged"
        truncate -s -1 "$work/damaged/ensemble.state.1"
        refused 2 "a damaged state of a rank" "ensemble.state.1: not a state of an ensemble, or damaged" \
            ensemble "$plan" --output "$work/damaged" --resume
        check "a damaged state of a rank: it stays" [ -s "$work/damaged/ensemble.state.1" ]
        call ensemble "$plan" --output "$work/killed" --map-size 300x300 --map-dpi 72 --resume
    else
        ranks "$again" "$plan" --output "$work/killed" --map-size 300x300 --map-dpi 72 --resume
    fi
    check "a rank killed, $again goes on: the same digest" says "^digest +$digest"
    check "a rank killed, $again goes on: the library of all" asks_right "$work/killed"
    check "a rank killed, $again goes on: no state but one" no_parts "$work/killed"
done

# ---- SIGUSR1, which mpirun passes on, and SIGTERM, after which it kills soon
has_one_state() { [ -s "$work/stopped/ensemble.state.1" ]; }
tell() { # tell SIGNAL
    rm -rf "$work/stopped"
    mpirun -n 2 "$mpi" ensemble "$plan" --output "$work/stopped" --map-size 300x300 --map-dpi 72 --keep --checkpoint 0.1 --quiet >"$work/log" 2>&1 &
    child=$!
    wait_until has_one_state
    kill -"$1" $child
    wait $child
    code=$?
}
for signal in USR1 TERM; do
    in_time tell $signal 2>/dev/null
    if [ $signal = USR1 ]; then
        check "SIGUSR1: exit status 130" exits 130
        check "SIGUSR1: what there is is written" grep -q '"end":	"interrupted"' "$work/stopped/summary.json"
    fi
    check "SIG$signal: a state is left" [ -s "$work/stopped/ensemble.state" ]
    ranks 2 "$plan" --output "$work/stopped" --map-size 300x300 --map-dpi 72 --resume
    check "SIG$signal: the same digest after it" says "^digest +$digest"
done

# ---- what is refused: one line, and nothing is left
# refused_ranks STATUS WHAT PATTERN ARGUMENTS...
refused_ranks() {
    ranks 2 "${@:4}" --output "$work/none"
    check "$2: exit status $1" exits "$1"
    check "$2: one line of the program" [ "$(grep -c '^sciara_mpi: ' "$work/stderr")" = 1 ]
    check "$2: says why" complains "$3"
    check "$2: nothing on standard output" silent stdout
    check "$2: leaves nothing" [ ! -e "$work/none" ]
}
refused_ranks 2 "no plan" "nowhere.cfg" "$work/nowhere.cfg"
refused_ranks 2 "an option that is none" "--nonsense" "$plan" --nonsense
refused_ranks 2 "--until-error" "not for several ranks" "$plan" --until-error 0.1
refused_ranks 2 "--shard" "remove the option" "$plan" --shard 1/2
sed 's/^run_h .*/run_h 0/' "$plan" >"$work/made/bad.cfg"
refused_ranks 2 "a bad plan" "bad.cfg" "$work/made/bad.cfg"
ranks 2 "$plan" --output "$work/one/summary.json/none"
check "no folder: one line" [ "$(grep -c '^sciara_mpi: ' "$work/stderr")" = 1 ]
report
