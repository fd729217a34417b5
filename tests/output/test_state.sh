#!/bin/bash
# test_state.sh — runs that are stopped and go on from their state: by signals, kill -9, a full disk, with damaged
# states, as members of a plan. What is left is what a run that was not stopped leaves.
# STATE_KILLS=200 kills more often than 8 times, or 20 times if THOROUGH is set.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: output/restart
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1
"$sciara" terrain "$work/case" --size 160 --quiet || exit 1
case=$work/case/volcano.cfg
steps=9000
run() { call run "$case" $steps --variant reference --every 3000 --format geotiff "$@"; }

run --output "$work/whole" --quiet
check "the whole run" exits 0

# (a temporary file of a killed process goes with the first run that begins a second later)
results() { (cd "$1" && find . -type f ! -name 'state_*' ! -name '.sciara-*' | sort); }
ledgers() { sed '/"states":/,$d' "$1/summary.json" | grep -E '"(quanta|covered_cells|closed|step|stopped)":'; }
listed() { grep -E '"name":.*tif' "$1/summary.json" | sort; }
states() { (cd "$1" && echo state_*); }
# as_whole FOLDER: the same layers, bits, ledgers and files
as_whole() {
    local what
    for what in digest results ledgers listed; do
        [ "$($what "$1")" = "$($what "$work/whole")" ] ||
            { echo "other $what:" && diff <($what "$work/whole") <($what "$1") && false; } || return 1
    done
    cmp "$work/whole/timeline.csv" "$1/timeline.csv" && "$sciara" compare "$work/whole" "$1" --quiet
}
newest() { find "$1" -name 'state_*.tif' | sort | tail -n 1; }

# ---- a state at the end, and from it
call run "$case" 4000 --output "$work/part" --state --quiet --variant reference --format geotiff
check "a state at the end" [ "$(states "$work/part")" = state_004000.tif ]
call info "$work/part/state_004000.tif" --json
check "info: shows it" says '"digest":."'"$(digest "$work/part")"'"'
check "info: says of which step" says '"step":.4000'
state=$work/part/state_004000.tif
keep env SCIARA_ISA=generic "$sciara" run "$case" $steps --from "$state" --output "$work/rest" --threads 2 --quiet \
    --every 3000 --format geotiff --variant reference
check "from it, with other instructions and threads: exit status 0" exits 0
check "... the same state and ledgers at the end" \
    [ "$(digest "$work/rest") $(ledgers "$work/rest")" = "$(digest "$work/whole") $(ledgers "$work/whole")" ]
check "... the whole timeline, but for what only snapshots know" \
    cmp <(cut -d, -f1-8 "$work/rest/timeline.csv") <(cut -d, -f1-8 "$work/whole/timeline.csv")
check "... and that of the later snapshots" cmp <(sed '/^3000,/d' "$work/rest/timeline.csv") <(sed '/^3000,/d' "$work/whole/timeline.csv")
check "... says where it came from" grep -q '"from_step":.4000' "$work/rest/summary.json"
check "... and the chain of digests" grep -q "$(digest "$work/part")" "$work/rest/summary.json"
call run "$case" 4000 --from "$state" --output "$work/again" --quiet --variant reference --format geotiff
check "no more steps: exit status 0" exits 0
check "... the layers once more" "$sciara" compare "$work/part" "$work/again" --quiet
call compare "$state" "$work/again"
check "compare: a state and a folder" exits 0
call compare "$state" "$state"
check "compare: two states" exits 0
cp -r "$work/part" "$work/earlier"
sed -i 's/"digest":.*/"digest":	"0123456789abcdef",/; /"digest_of":/d' "$work/earlier/summary.json"
call compare "$state" "$work/earlier"
check "compare: a folder with a digest of another kind" exits 0
check "... which is not compared" says 'exact state .*not compared: an earlier version'
call compare "$state" "$work/whole"
check "compare: of another step" exits 2

# ---- a state of format 1, by an earlier version
old=tests/corpus/state/of-40-steps.tif
check "a state of format 1" grep -q '"sciara_state":1,' $old
"$sciara" terrain "$work/old" --size 32 --quiet || exit 1
call run "$work/old/volcano.cfg" 40 --output "$work/old/part" --quiet --format geotiff
call run "$work/old/volcano.cfg" 60 --output "$work/old/whole" --quiet --format geotiff
call run "$work/old/volcano.cfg" 60 --from $old --output "$work/old/rest" --quiet --format geotiff
check "from it: exit status 0" exits 0
check "... the same state at the end" [ "$(digest "$work/old/rest")" = "$(digest "$work/old/whole")" ]
call info $old
check "... and it has the digest of the new definition" says "^digest  *$(digest "$work/old/part")$"

call run "$case" $steps --output "$work/two" --state-every 1h --quiet --variant reference --format geotiff
check "of many states two are kept" [ "$(states "$work/two" | wc -w)" = 2 ]
check "... one of them of the end" [ -e "$work/two/state_009000.tif" ]
call run "$case" 1000 --output "$work/two" --quiet --variant reference --format geotiff
check "a new run there removes them" [ "$(states "$work/two")" = 'state_*' ]

# ---- signals
tell() { # tell SIGNAL: a run that computes
    rm -rf "$work/out"
    "$sciara" run "$case" $steps --output "$work/out" --every 3000 --format geotiff --variant reference --state \
        --quiet 2>"$work/said" &
    child=$!
    wait_until [ -e "$work/out" ]
    sleep 0.1
    kill -"$1" $child
    wait $child
    code=$?
}
for signal in INT TERM USR1; do
    in_time tell $signal 2>/dev/null
    check "SIG$signal: exit status 75" exits 75
    check "... one state" [ "$(states "$work/out" | wc -w)" = 1 ]
    call run "$case" $steps --output "$work/out" --every 3000 --format geotiff --variant reference --resume --quiet
    check "... --resume: exit status 0" exits 0
    check "... the same state and ledgers at the end" \
        [ "$(digest "$work/out") $(ledgers "$work/out")" = "$(digest "$work/whole") $(ledgers "$work/whole")" ]
done

# ---- kill -9
kills=0 begun=0 complete=0
rm -rf "$work/out"
enough=${STATE_KILLS:-$([ "${THOROUGH:-}" ] && echo 20 || echo 8)}
# On a busy machine it takes longer until there are states, and so do more and later kills.
while [ "$kills" -lt "$enough" ] || { [ "$begun" -lt 2 ] && [ "$kills" -lt $((8 * enough)) ]; }; do
    "$sciara" run "$case" $steps --output "$work/out" --every 3000 --format geotiff --variant reference \
        --state-every $((1 + RANDOM % 400)) --resume --quiet 2>"$work/said" &
    child=$!
    ms=$((RANDOM % (250 * (1 + 2 * kills / enough))))
    sleep "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
    if kill -9 $child 2>/dev/null; then kills=$((kills + 1)); fi
    if wait $child 2>/dev/null; then
        complete=$((complete + 1))
        check "killed until it was complete: as the whole run" as_whole "$work/out"
        rm -rf "$work/out"
    elif [ -n "$(newest "$work/out" 2>/dev/null)" ]; then begun=$((begun + 1)); fi
    check "... says nothing" [ ! -s "$work/said" ]
done
check "kills came after states" [ $begun -gt 1 ]
echo "$kills kills -9, $begun of them with a state there; $complete runs came to their end meanwhile"
sleep 2.1
call run "$case" $steps --output "$work/out" --every 3000 --format geotiff --variant reference --resume --quiet
check "after $kills kills: exit status 0" exits 0
check "... as the whole run" as_whole "$work/out"
check "... no temporary file" [ -z "$(find "$work/out" -name '.sciara-*')" ]

# ---- damage
damage() { # a run with two states, the newest of them damaged by a command
    rm -rf "$work/out"
    call run "$case" 6500 --output "$work/out" --every 3000 --format geotiff --variant reference --state --quiet
    call run "$case" 7000 --output "$work/out" --every 3000 --format geotiff --variant reference --resume --quiet
    check "two states" [ "$(states "$work/out")" = "state_006500.tif state_007000.tif" ]
    find "$work/out" -name '*_006500.tif' ! -name 'state_*' -delete
    "$@" "$work/out/state_007000.tif"
    call run "$case" $steps --from "$work/out/state_007000.tif" --output "$work/never" --quiet
    refusal 2 "$1: --from" "state_007000.tif: is (damaged|not a whole state)"
    check "... nothing is left" [ ! -e "$work/never" ]
    run --output "$work/out" --resume --quiet
    check "$1: --resume takes the one before" exits 0
    check "... from that" grep -q '"from_step":.6500' "$work/out/summary.json"
    check "... and the summary says so" grep -q '"passed_over":.".*state_007000.tif: is [dn]' "$work/out/summary.json"
    check "... as the whole run" as_whole "$work/out"
}
truncated() { truncate -s -100 "$1"; }
flipped() { printf '\377' | dd of="$1" bs=1 seek=3000 conv=notrunc status=none; }
emptied() { : >"$1"; }
damage truncated
damage flipped
rm -rf "$work/out"
call run "$case" 4500 --output "$work/out" --every 3000 --format geotiff --variant reference --state --quiet
emptied "$work/out/state_004500.tif"
run --output "$work/out" --resume --quiet
check "none that is good: it begins anew" exits 0
check "... as the whole run" [ "$(digest "$work/out")" = "$(digest "$work/whole")" ]

# ---- a full disk: early states fit, later ones do not
rm -rf "$work/out"
first=$(stat -c %s "$work/two/total_thickness_m_001000.tif")
size=$(stat -c %s "$state")
check "a state is larger than a layer" [ "$size" -gt "$first" ]
(ulimit -f $((size / 1024 + 1)) && exec "$sciara" run "$case" $steps --output "$work/out" --every 3000 --format geotiff \
    --variant reference --state-every 50 --quiet) 2>"$work/stderr"
check "a full disk: exit status 1" [ $? = 1 ]
check "... says so" complains 'state_[0-9]+.tif: cannot be written: .*; .*ulimit -f'
check "... with a state from before" [ -n "$(newest "$work/out")" ]
run --output "$work/out" --resume --quiet
check "after a full disk: exit status 0" exits 0
check "... went on" grep -q '"from_step":' "$work/out/summary.json"
check "... as the whole run" as_whole "$work/out"

# ---- a member of a plan
{
    grep -v -e '^#' -e max_steps "$case"
    printf '%s\n' 'max_steps 900' 'members 4' 'vary_Pcool uniform 2 4' 'vary_rate_factor uniform 0.5 2' \
        'terrain_error_m 0.3' 'terrain_error_length_m 50'
} >"$work/case/plan.cfg"
member() { call run "$work/case/plan.cfg" --member 2 --variant reference --format geotiff --quiet "$@"; }
member --output "$work/member"
check "a member of a plan" exits 0
member 300 --output "$work/started" --state
member --output "$work/ended" --from "$work/started/state_000300.tif"
check "... goes on from a state" exits 0
check "... to the same one at the end" [ "$(digest "$work/ended")" = "$(digest "$work/member")" ]
refused 2 "a state of another member" 'a state of another case, which differs in .*; .*' \
    run "$work/case/plan.cfg" --member 3 --from "$work/started/state_000300.tif" --output "$work/never"

# ---- what is refused
sed 's/^Pcool .*/Pcool 3/' "$case" >"$work/case/other.cfg"
refused 2 "another case" 'state_004000.tif: is a state of another case, which differs in Pcool \(.*, now 3\); .*changed' \
    run "$work/case/other.cfg" $steps --from "$state" --output "$work/never"
call run "$work/case/other.cfg" $steps --from "$state" --changed --output "$work/changed" --quiet --format geotiff
check "--changed: exit status 0" exits 0
check "... another state at the end" [ "$(digest "$work/changed")" != "$(digest "$work/whole")" ]
check "... says so" grep -q '"changed":.true' "$work/changed/summary.json"
refused 2 "a layer" 'total_thickness_m_004000.tif: is not a whole state of a run' \
    run "$case" --from "$work/part/total_thickness_m_004000.tif" --output "$work/never"
refused 2 "no file" 'none.tif: .*No such file' run "$case" --from "$work/none.tif" --output "$work/never"
refused 2 "a step after the end" 'is a state of step 4000, but the run ends at step 3000' \
    run "$case" 3000 --from "$state" --output "$work/never"
refused 2 "its own folder" 'is an input of this run' run "$case" $steps --from "$state" --output "$work/part"
refused 2 "two at once" 'contradict' run "$case" --from "$state" --resume
refused 2 "--changed alone" '--changed: has no effect without --from or --resume; add' run "$case" --changed
refused 2 "no folder" '--no-output and --state contradict' run "$case" --state --no-output
refused 2 "no such span" 'give steps, .* or a simulated time' run "$case" --state-every 6x
refused 2 "published arithmetic" 'published arithmetic' run "$case" --published --state --output "$work/never"
refused 2 "published arithmetic goes on" 'published arithmetic' \
    run "$case" --published --from "$state" --output "$work/never"
check "nothing of all that is left" [ ! -e "$work/never" ]

# ---- memory that cannot be had for more lava, at some limit: layers, and a state to go on from
long=$work/long/valley.cfg poor=$work/poor limit_kib=160000 code=0
"$sciara" terrain "$work/long" --kind valley --size 3000 --quiet
more() { "$sciara" run "$long" 700 --state --format geotiff --variant reference --quiet "$@"; }
while [ $limit_kib -lt 1500000 ] && { [ $code = 0 ] || [ -z "$(newest "$poor" 2>/dev/null)" ]; }; do
    limit_kib=$((limit_kib * 17 / 16))
    rm -rf "$poor"
    (ulimit -v $limit_kib && more --output "$poor") >"$work/stdout" 2>"$work/stderr"
    code=$?
done
if (ulimit -v 1500000 && exec "$sciara" --version) >/dev/null 2>&1; then
    reached=$(basename "$(newest "$poor")" .tif)
    check "lava needs more memory than there is: the run fails" [ $((code == 1 || code == 2)) = 1 ]
    check "... with one line" one_line
    check "... that says what to do, and what is there" \
        complains "raise the limit (.ulimit -v.); the layers and the state of step $((10#${reached#state_})) are in"
    check "... as it is" test -s "$poor/total_thickness_m_${reached#state_}.tif"
    check "with memory it goes on" more --output "$poor" --resume
    more --output "$work/rich"
    check "... to the same end" [ "$(digest "$poor")" = "$(digest "$work/rich")" ]
    check "... of step 700" grep -Eq "\"step\":.700" "$poor/summary.json"
else skip "memory that cannot be had: this program does not start with 1.5 GB"; fi
report
