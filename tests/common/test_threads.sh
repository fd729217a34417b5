#!/bin/bash
# test_threads.sh — no setting of the environment, and no number of threads, hangs the program or changes its bits.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: reference
. tests/check.sh
needs_sciara
each=yes
unset OMP_NUM_THREADS OMP_WAIT_POLICY

"$sciara" terrain "$work/case" --size 80 --quiet || exit 1
# digest WORD...: of a run with files, started by these words; a run that hangs is ended after two minutes
digest() {
    timeout 120 env "$@" "$sciara" run "$work/case/volcano.cfg" 150 --variant reference $threads \
        --format $format --map-size 300x300 --map-dpi 72 --output "$work/out" 2>&1 | sed -n 's/^digest *//p'
}
# same WORD...: the digest of one thread
same() { [ "$(digest "$@")" = "$expected" ]; }

many=OMP_NUM_THREADS=many
if ldd "$sciara" | grep -q libomp; then
    skip "$many: LLVM's OpenMP ends the process before it begins"
    many=
fi
format=geotiff,png
threads="--threads 1"
expected=$(digest A=1)
check "one thread computes" test ${#expected} = 16
check "there is lava, and it moves" bash -c \
    '"$0" info "$1" --json | grep -q "\"covered_cells\":[[:space:]]*[1-9][0-9]" ' "$sciara" "$work/out"
for threads in "" "--threads 2" "--threads 7"; do
    [ ! "$threads" ] || format=geotiff # (a map takes longer than all else)
    for setting in A=1 OMP_DYNAMIC=true OMP_THREAD_LIMIT=1 OMP_NUM_THREADS=1 OMP_NUM_THREADS=3 OMP_NUM_THREADS=0 \
        $many OMP_NUM_THREADS=100000 OMP_STACKSIZE=64k OMP_STACKSIZE=48k OMP_WAIT_POLICY=active OMP_PROC_BIND=true OMP_MAX_ACTIVE_LEVELS=0; do
        check "$setting ${threads:-default threads}" same $setting
    done
done
threads="--threads 2"

# More threads than eight for each processor make no run faster
{ cat "$work/case/volcano.cfg" && echo "members 2" && echo "vary_Pcool uniform 1 4"; } >"$work/case/two.cfg"
# threads_of WORD...: as many as a plan would use, started by these words
threads_of() { env "$@" "$sciara" info "$work/case/two.cfg" --json >"$work/info.json" && value threads "$work/info.json"; }
check "OMP_NUM_THREADS=7: as many" test "$(threads_of OMP_NUM_THREADS=7)" = 7
processors=$(threads_of A=1)
check "OMP_NUM_THREADS=100000: eight for each of $processors processors" test "$(threads_of OMP_NUM_THREADS=100000)" = \
    $((processors < 128 ? 8 * processors : 1024))

# Stacks of OpenMP's threads from the smallest: maps and members need little of them. (A grid of several threads.)
"$sciara" terrain "$work/wide" --kind sheet --size 258 --quiet || exit 1
{ sed 's/^max_steps .*/max_steps 3/' "$work/wide/sheet.cfg" && echo "fit_Pcool 1 4" && echo "fit_Phc(Tsol) 20 60"; } >"$work/wide/design.cfg"
{ sed '/^fit/d' "$work/wide/design.cfg" && printf '%s\n' 'members 6' 'vary_Pcool uniform 1 4' 'thickness_bin_m 5' 'arrival_bin_h 24'; } >"$work/wide/plan.cfg"
{ sed 's/^max_steps .*/max_steps 3/' "$work/case/volcano.cfg" && echo "members 130" && echo "vary_Pcool uniform 1 4"; } >"$work/case/plan.cfg"
on_small_stacks() { OMP_STACKSIZE=$stack OMP_NUM_THREADS=3 "$sciara" "$@" --threads 3 --quiet; }
for stack in 32k 48k; do
    check "$stack: a map" on_small_stacks run "$work/wide/sheet.cfg" 3 --variant reference --format png --map-size 300x300 \
        --map-dpi 72 --output "$work/small"
    check "$stack: members" on_small_stacks ensemble "$work/wide/plan.cfg" --output "$work/small-$stack" --map-size 300x300 --map-dpi 72
    check "$stack: many members" on_small_stacks ensemble "$work/case/plan.cfg" --output "$work/many-$stack" --map-size 300x300 --map-dpi 72
    check "$stack: a design" on_small_stacks sensitivity "$work/wide/design.cfg" --method morris --trajectories 2 \
        --output "$work/design-$stack" --map-size 300x300 --map-dpi 72
done
for stack in 16k 24 "16384 B"; do
    OMP_STACKSIZE=$stack call info "$work/case/volcano.cfg"
    refusal 2 "a stack of $stack" "OMP_STACKSIZE=$stack: threads need 32k or more; correct the variable, or unset it$"
done
limited() { [ "$(ulimit -s 128 && digest A=1)" = "$expected" ]; }
check "a stack of 128 KiB" limited

# At no limit of addresses does a library keep the program from its end
for limit_kib in 150000 200000 250000 300000 350000 400000 500000; do
    (ulimit -v $limit_kib && exec timeout -k 1 300 "$sciara" help formats) >/dev/null 2>&1
    code=$?
    check "$limit_kib KiB: help formats ends" [ $code != 124 -a $code != 137 ]
done

# At every limit of addresses a map is drawn, or one line says that memory is missing: the libraries that draw end the
# process where they get none. The layers are written in either case.
if (ulimit -v 250000 && exec "$sciara" --version) >/dev/null 2>&1; then
    "$sciara" run "$work/case/volcano.cfg" 150 --format geotiff --output "$work/free" --quiet
    ends=
    for limit_kib in 250000 300000 350000 400000 425000 450000 475000 500000 600000 800000 2000000; do
        folder=$work/tight/$limit_kib
        (ulimit -v $limit_kib && exec env OMP_NUM_THREADS=2 "$sciara" run "$work/case/volcano.cfg" 150 --format geotiff,png \
            --map-size 300x300 --map-dpi 72 --output "$folder" --quiet) >"$work/stdout" 2>"$work/stderr"
        code=$? ends+=" $code"
        if [ $code = 0 ]; then
            check "$limit_kib KiB: the map" test -s "$folder/map_000150.png"
        else check "$limit_kib KiB: no map, and one line" eval "exits 1 && one_line && complains memory"; fi
        check "$limit_kib KiB: the layers" cmp "$work/free/total_thickness_m_000150.tif" "$folder/total_thickness_m_000150.tif"
    done
    check "little memory refuses maps, much does not:$ends" eval '[[ "$ends" = " 1"*0 ]]'
else skip "limits of addresses: this program does not start with 250 MB"; fi

# A user who may have few threads: libraries that end the process where they get none are not asked.
few="setpriv --reuid=$((61000 + $$ % 1000)) --regid=61000 --clear-groups prlimit --nproc"
chmod 755 "$work" && mkdir "$work/few" && chmod 777 "$work/few" && copy_program "$work"
# granted THREADS ARGUMENTS...
granted() { keep env OMP_NUM_THREADS=2 $few="$1" "$work/bin/sciara" "${@:2}" --quiet; }
without_pictures() { exits 1 && one_line && complains "text cannot be drawn: the system refuses threads; allow more processes"; }
if $few=40 test -x "$work/bin/sciara" 2>/dev/null; then
    picture="--map-size 300x300 --map-dpi 72"
    granted 60 run "$work/case/volcano.cfg" 150 --format geotiff,png $picture --output "$work/few/60"
    check "60 threads: a map" test "$code" = 0 -a -s "$work/few/60/map_000150.png"
    for count in 2 3 4 6 8 10 12; do
        granted $count run "$work/case/volcano.cfg" 150 --format geotiff,png $picture --output "$work/few/$count"
        check "$count threads: no map, and one line" without_pictures
        check "$count threads: the layers" cmp "$work/few/60/total_thickness_m_000150.tif" "$work/few/$count/total_thickness_m_000150.tif"
        check "$count threads: named in summary.json" test "$(json '.. | .not_written? // empty | .[0].name' "$work/few/$count/summary.json")" = map_000150
    done
    granted 3 ensemble "$work/wide/plan.cfg" $picture --output "$work/few/members"
    check "an ensemble of 3 threads: no maps, and one line" without_pictures
    check "an ensemble of 3 threads: the probability" test -s "$work/few/members/probability.tif"
else
    skip "few threads: only root can become a user of whom there are no other processes"
fi
report
