#!/bin/bash
# test_studies.sh — what all studies share: each has its own folder, none removes the unfinished state of another, --resume
# without a state of its own says so, and a clock of the day that is set back stops nothing.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: study/study
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1
. tests/plans.sh
printf '%s\n' 'evaluations 21' 'finalist_members 2' 'trajectories 2' 'posterior_members 10' >>made/fit.cfg
sed 's/^members .*/members 100000/; /^barriers/d' made/plan.cfg >made/long.cfg
# The digests that a file has, of all files of a folder
sums() { (cd "$1" && find . -type f | sort | xargs sha256sum); }

# ---- own folders
quick="--quiet --map-size 300x300 --map-dpi 72 --variant reference"
# shellcheck disable=SC2086 # words
for command in "ensemble made/plan.cfg" "ensemble made/plan.cfg --with-and-without barriers" "calibrate made/fit.cfg" \
    "calibrate made/fit.cfg --posterior" "sensitivity made/fit.cfg --method morris"; do
    call $command $quick
    check "$command: exit status 0" exits 0
done
check "each study has a folder of its own" [ "$(cd output && echo *)" = "fit-calibration fit-posterior fit-sensitivity plan plan-pairs" ]
check "... and its own state" [ "$(cd output && echo */*.state)" = "fit-calibration/calibration.state fit-posterior/calibration.state \
fit-sensitivity/sensitivity.state plan-pairs/pairs.state plan/ensemble.state" ]

# ---- another study's unfinished state
# made_unfinished FOLDER STATE: of a finished study, as if it had been killed
made_unfinished() {
    rm -rf killed && mkdir killed && cp "$1/$2" killed/
}
# shellcheck disable=SC2086
refuses_folder() { # refuses_folder WHAT COMMAND...
    local what=$1 before
    shift
    before=$(sums killed)
    refused 2 "$what" "unfinished study" "$@" --output killed
    check "$what: the state is there as it was" [ "$(sums killed)" = "$before" ]
}
for state in plan/ensemble plan-pairs/pairs fit-calibration/calibration fit-sensitivity/sensitivity; do
    made_unfinished "output/${state%/*}" "${state#*/}.state"
    refuses_folder "${state#*/} killed, then a run" run made/volcano.cfg --variant reference --format geotiff
    refuses_folder "${state#*/} killed, then a run that resumes" run made/volcano.cfg --variant reference --format geotiff --resume
    case $state in
    *sensitivity) refuses_folder "... then a calibration" calibrate made/fit.cfg --variant reference --resume ;;
    *) refuses_folder "... then a sensitivity analysis" sensitivity made/fit.cfg --variant reference --method morris --resume ;;
    esac
    case $state in
    *ensemble) refuses_folder "... then pairs" ensemble made/plan.cfg --with-and-without barriers --variant reference ;;
    *) refuses_folder "... then an ensemble" ensemble made/plan.cfg --variant reference ;;
    esac
done
made_unfinished output/plan ensemble.state
mv killed/ensemble.state killed/ensemble.state.3
refuses_folder "the state of a process, then pairs" ensemble made/plan.cfg --with-and-without barriers --variant reference
# (as a folder that somebody has tidied)
for bytes in 20 300 9999999; do
    made_unfinished output/plan ensemble.state
    head -c $bytes output/plan/ensemble.state >killed/ensemble.state
    call ensemble made/plan.cfg --output killed --variant reference --replace --quiet --map-size 300x300 --map-dpi 72
    check "--replace of a state alone, of $bytes bytes or less: what is proposed is possible" exits 0
    check "... and leads to the same" [ "$(digest killed)" = "$(digest output/plan)" ]
done
made_unfinished output/plan ensemble.state
truncate -s 20 killed/ensemble.state
refused 2 "a state that cannot be read is of no plan" 'ensemble.state: is a damaged state of an unfinished study; remove it, or compute anew with --replace' \
    ensemble made/plan.cfg --output killed
made_unfinished output/plan ensemble.state
refused 2 "a merge where that plan is unfinished" 'unfinished study of this plan; resume that study, choose another folder, or give --replace' \
    merge output/plan --output killed
rm -rf killed/*
call run made/volcano.cfg --variant reference --format geotiff --output killed --quiet
check "without the state the folder is free" exits 0

# ---- interrupted, with a summary; and what is finished may be replaced
"$sciara" ensemble made/long.cfg --output stopped --variant reference --checkpoint 0.2 --quiet --map-size 300x300 --map-dpi 72 &
child=$!
wait_until [ -s stopped/ensemble.state ]
kill -INT $child
wait $child
check "Ctrl-C: exit status 130" [ $? = 130 ]
check "... with a summary" [ -s stopped/summary.json ]
before=$(sums stopped)
refused 2 "an interrupted ensemble, then a calibration" "ensemble.state: is the state of an unfinished study" calibrate made/fit.cfg --output stopped
check "... nothing is lost" [ "$(sums stopped)" = "$before" ]
cp output/fit-calibration/calibration.state finished.state
# shellcheck disable=SC2086
call sensitivity made/fit.cfg --method morris --output output/fit-calibration $quick
check "a finished calibration may be replaced" exits 0
check "... all of it" [ ! -e output/fit-calibration/calibration.state -a ! -e output/fit-calibration/best.cfg ]
check "... but what it computed, under another name" cmp output/fit-calibration/calibration-*.state finished.state

# ---- --resume
call sensitivity made/fit.cfg --method morris --output fresh --variant reference --map-size 300x300 --map-dpi 72 --resume
check "--resume where there is nothing" exits 0
check "... says so" complains 'fresh: has no sensitivity.state to resume; starting anew'
call sensitivity made/fit.cfg --method morris --output fresh --variant reference --map-size 300x300 --map-dpi 72 --resume
check "--resume of what is there" exits 0
check "... says nothing of the kind" fails complains 'starting anew'

# ---- what is printed after an interruption continues it, to the letter
# goes_on WHAT FOLDER COMMAND...: undisturbed to FOLDER-whole, then interrupted as it writes its state for the first time
digests() { json '[.digest, .search, .stages, .evaluations, .nowcast]' "$1/summary.json"; }
goes_on() {
    local what=$1 folder=$2 line
    shift 2
    call "$1" --output "$folder-whole" "${@:2}"
    check "$what: undisturbed" exits 0
    rm -rf output
    keep env LD_PRELOAD="$work/kill.so" "${at[@]}" KILL_BY=2 "$sciara" "$1" --output "$folder" "${@:2}"
    check "... interrupted" exits 130
    line=$(sed -n 's/^continue  *//p; s/^sciara: warning: interrupted while files were written: .* continue with //p' stdout stderr)
    check "... the command is told" [ "${line:0:7}" = "sciara " ]
    (PATH=${sciara%/*}:$PATH && eval "$line") >stdout 2>stderr
    check "... which, to the letter, leads to the same end" [ "$? $(digests "$folder")" = "0 $(digests "$folder-whole")" ]
}
if ! grep -q __asan_init "$sciara" && cc -shared -fPIC -O1 -o kill.so "$root/tests/kill_at.c" -ldl 2>cc.log; then
    at=(KILL_IN=.state KILL_AT=1)
    small=(--map-size 300x300 --map-dpi 72 --variant reference --threads 1)
    { sed '/^members/d; /^barriers/d; s/^run_h .*/run_h 10/' made/plan.cfg && printf '%s\n' 'members 100' 'vary_Pcool uniform 2 4'; } >"made/it's on.cfg"
    goes_on "an ensemble" 'on 1' ensemble --checkpoint 0.02 "${small[@]}" --keep -- "made/it's on.cfg"
    goes_on "a shard" on2 ensemble "made/it's on.cfg" --shard=2/2 --checkpoint 0.02 "${small[@]:4}"
    sed 's/^evaluations .*/evaluations 61/; s/^trajectories .*/trajectories 30/' made/fit.cfg >made/more.cfg
    goes_on "a search" on4 calibrate made/more.cfg "${small[@]}"
    goes_on "a sensitivity analysis" on5 sensitivity made/more.cfg --method morris "${small[@]}"
    { sed 's/^members .*/members 80/' "made/it's on.cfg" && echo 'observed_front ../truth/total_thickness_m_000060.tif at 2h error_m 30'; } >made/now.cfg
    at=(KILL_AT=40) # (of all calls that change a folder)
    goes_on "the round of a nowcast" on6 nowcast made/now.cfg --rounds 1 "${small[@]}"
    call merge on2-whole --output "on 7" --layers all "${small[@]:0:2}"
    line=$(sed -n 's/^continue  *//p' stdout)
    (PATH=${sciara%/*}:$PATH && eval "$line") >stdout 2>stderr
    check "a part alone: the command that is told computes the rest" [ "$? $(digests "on 7")" = "0 $(digests "on 1")" ]
else
    skip "what is told after an interruption: no library that interrupts"
fi

# ---- what cost computing stays
sed '/^barriers/d' made/plan.cfg >made/kept.cfg
kept() { call ensemble made/kept.cfg --output kept --variant reference --map-size 300x300 --map-dpi 72 "$@"; }
kept --keep
check "an ensemble that keeps its members" [ "$(value done kept/summary.json)" = 4 ]
library=$(sha256sum <kept/library.gpkg) first=$(digest kept)
state=$(sha256sum <kept/ensemble.state) before=$(sums kept)
refused 2 "a shard of it there" 'kept/ensemble.state: belongs to all members of this plan, and shard 2/2 would replace it; choose another folder, or give --replace' \
    ensemble made/kept.cfg --shard 2/2 --output kept --variant reference
check "... nothing has changed" [ "$(sums kept)" = "$before" ]
check "... with a map" [ -s kept/map_probability.png ]
for command in "run made/volcano.cfg --format geotiff" "run made/kept.cfg --member 1 --resume" \
    "ensemble made/plan.cfg --with-and-without barriers" "sensitivity made/fit.cfg --method morris"; do
    rm -rf mixed && cp -r kept mixed
    # shellcheck disable=SC2086 # words
    call $command --output mixed $quick
    check "in its folder, $command: exit status 0" exits 0
    check "... the library stays" [ "$(sha256sum <mixed/library.gpkg)" = "$library" ]
    check "... and the state" [ "$(cat mixed/ensemble-*.state | sha256sum)" = "$state" ]
    check "... and no map of the ensemble" [ ! -e mixed/map_probability.png ]
done
call ensemble made/kept.cfg --output mixed --variant reference --map-size 300x300 --map-dpi 72
check "... it computes none there later" complains 'mixed/library.gpkg: has all members of this plan, so none is computed'
kept --format html
check "again, for its page: no member is computed" complains 'kept/library.gpkg: has all members of this plan, so none is computed; --replace computes them'
check "... the library stays" [ "$(sha256sum <kept/library.gpkg)" = "$library" ]
check "... and the digest" [ "$(digest kept)" = "$first" ]
check "... and is the summary's" grep -q library.gpkg <(listed kept)
check "... with the page" [ -s kept/report.html ]
sed -i 's/^members .*/members 5/; s/^seed .*/seed 4/' made/kept.cfg
kept
check "a plan that was changed: it is computed" [ "$(value done kept/summary.json)" = 5 ]
check "... in what it differs" complains 'holds members of another plan \(seed 3, now 4; members 4, now 5\)'
aside=$(cd kept && echo library-*.gpkg)
check "... the library stays under another name" [ "$(sha256sum <"kept/$aside")" = "$library" ]
check "... which the message has" complains "stay as $aside; --replace removes them"
sed -i 's/^members .*/members 4/; s/^seed .*/seed 3/' made/kept.cfg
kept
check "as the plan was: its library is taken back" complains "kept/$aside: has all members of this plan"
check "... with its results" [ "$(digest kept) $(ls kept | grep -c library-) $(value end kept/summary.json)" = "$first 0 complete" ]
echo '{"type":"Point","coordinates":[500255,4170315]}' >made/spot.json
sed -i '/^assets/d' made/kept.cfg && echo 'assets spot.json' >>made/kept.cfg
kept --keep
check "other places: told how to have them without computing" complains "only the places differ: .sciara merge kept/library-[0-9a-f]*.gpkg --plan made/kept.cfg. makes the results without"
first=$(digest kept) proposed=$(grep -o '`sciara merge [^`]*' stderr | cut -c2-)
check "... which is so" eval "${proposed/sciara/$sciara} --output merged --map-size 300x300 --map-dpi 72 --quiet 2>log && [ \"\$(digest merged)\" = $first ]"
cp made/spot.json made/hut.json && sed -i 's/^assets .*/assets hut.json/; s/^seed .*/seed 4/' made/kept.cfg
kept --keep
check "other places and another seed: not so" fails grep -q 'places alone' stderr
rm kept/library-*.gpkg
sed -i '/^assets/d; s/^members .*/members 5/' made/kept.cfg
kept
call ensemble made/kept.cfg --output bare --variant reference --map-size 300x300 --map-dpi 72
call ensemble made/kept.cfg --output bare --variant reference --map-size 300x300 --map-dpi 72 --format html
check "without a library: it says that it computes, and what would not" complains 'bare: is computed again; --resume writes its files without computing, and .sciara report bare. writes report.html'
cp made/rates.csv made/kept_rates.csv && sed -i 's/^rates .*/rates kept_rates.csv/' made/kept.cfg
kept --keep
check "its own library stands beside it" [ "$(ls kept/*.gpkg | wc -l)" = 2 ]
call ask kept/library.gpkg --output asked --map-size 300x300 --map-dpi 72
check "an answer" exits 0
call ask kept/library.gpkg --output asked --map-size 300x300 --map-dpi 72
check "the same again: nothing is said" fails grep -q 'replaces the answer' stderr
call ask kept/library.gpkg --where 'member >= 0' --output asked --map-size 300x300 --map-dpi 72
check "another question there: what it replaces" complains 'asked: replaces the answer of all members; --output FOLDER keeps it'
call ask kept/library.gpkg --output asked --map-size 300x300 --map-dpi 72
check "... also with a condition" complains 'replaces the answer of .*member >= 0'
before=$(sums asked)
refused 2 "a question with a typo" 'no such column' ask kept/library.gpkg --where "rate_factr > 1.2" --output asked
refused 2 "a question that no member answers" 'has no member that fulfils' ask kept/library.gpkg --where "member > 9" --output asked
check "... the last answer is there as it was" [ "$(sums asked)" = "$before" ]
sed -i '$s/$/1/' made/kept_rates.csv
refused 2 "rates that have changed" 'another plan \(kept_rates.csv has changed\)' ask kept/library.gpkg --plan made/kept.cfg --output asked
before=$(sums kept)
refused 2 "to resume with them" 'another plan \(kept_rates.csv has changed\); restore that plan, or compute it anew$' \
    ensemble made/kept.cfg --output kept --variant reference --resume
check "... nothing is lost" [ "$(sums kept)" = "$before" ]
call merge kept --plan made/kept.cfg --output taken --map-size 300x300 --map-dpi 72
check "a folder stands for its library" complains 'kept/library.gpkg: shares no member with made/kept.cfg'
kept --replace
check "--replace: they leave" exits 0
check "... all of them" [ "$(ls kept | grep -c gpkg)" = 0 ]

# ---- the clock of the day an hour ahead for whoever asks, so that a time of that clock comes an hour late: as after it
# ---- was set back
cat >ahead.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *t)
{
    static int (*next)(clockid_t, struct timespec *);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
    const int status = next(clock, t);
    if (clock == CLOCK_REALTIME) t->tv_sec += 3600;
    return status;
}
C
if cc -shared -fPIC ahead.c -o ahead.so -ldl 2>cc.log; then
    LD_PRELOAD=$PWD/ahead.so "$sciara" ensemble made/long.cfg --output ahead --variant reference --checkpoint 0.2 --quiet --map-size 300x300 --map-dpi 72 &
    child=$!
    check "a clock that is set back: a checkpoint is written" wait_until [ -s ahead/ensemble.state ]
    kill -INT $child
    (sleep 60 && kill -KILL $child) 2>/dev/null &
    wait $child
    check "... Ctrl-C is heeded" [ $? = 130 ]
else
    skip "a clock that is set back: no C compiler"
fi

# ---- a folder that a command has just made, and another one has locked first
cat >locked.c <<'C'
#include <errno.h>
#include <sys/stat.h>
int flock(int file, int how)
{
    struct stat s;
    (void)how;
    if (fstat(file, &s) || !S_ISDIR(s.st_mode)) return 0;
    return errno = EWOULDBLOCK, -1;
}
C
if ! grep -q __asan_init "$sciara" && cc -shared -fPIC locked.c -o locked.so 2>cc.log; then
    keep env LD_PRELOAD="$PWD/locked.so" "$sciara" run made/volcano.cfg --output just/made --quiet
    refusal 2 "a folder that another run has locked" 'just/made: another run is writing to this folder'
    check "... stays, for that run" [ -d just/made ]
else
    skip "a folder that another run has locked: no library that refuses locks"
fi
child=''
report
