#!/bin/bash
# test_benchmark.sh — `sciara benchmark` on a small made-up case: rows, files, refusals.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: program/bench
. tests/check.sh
needs_sciara

has() { grep -Eq -- "$2" "$work/$1" || { cat "$work/$1" && false; }; }

"$sciara" terrain "$work/case" --size 40 --quiet || exit 1
good=$work/case/volcano.cfg

call benchmark "$good" 80 --repeat 3 --threads 1,2 --variants reference --oracle --output "$work/out"
check "a benchmark" exits 0
for pattern in 'reference +lava +1 +equal' 'reference +lava +2 +equal' 'reference +full +2 +equal' \
    'published +full +1 +other arithmetic' 'bit by bit, after step [0-9]+ \([1-9][0-9]* cells' \
    'needs 1/[0-9.]+ of the time' 'on 2 threads is [0-9.]+ times as fast'; do
    check "the table has $pattern" has stdout "$pattern"
done
check "the files" diff <(ls -A "$work/out") - <<'FILES'
benchmark.csv
benchmark.png
FILES
check "rows of one length" awk -F, '/^#/ { next } !n { n = NF } NF != n { exit 1 }' "$work/out/benchmark.csv"
check "five rows" [ "$(grep -c '^[rp].*,80,' "$work/out/benchmark.csv")" = 5 ]
check "times in all rows" awk -F, '/^[rp]/ && !($8 > 0 && $9 <= $8 && $8 <= $10 && $11 > $8) { exit 1 }' \
    "$work/out/benchmark.csv"
check "a picture" [ "$(head -c 4 "$work/out/benchmark.png" | tail -c 3)" = PNG ]

for file in benchmark.csv benchmark.png; do
    rm -rf "$work/mine" && mkdir "$work/mine" && echo mine >"$work/mine/$file"
    refused 2 "$file of somebody else" "mine/$file: .*was not written by sciara" benchmark "$good" 20 --repeat 1 --threads 1 --output "$work/mine"
    check "... stays" [ "$(cat "$work/mine/$file")" = mine ]
done
call benchmark "$good" 20 --repeat 1 --domain lava --threads 1 --output "$work/all"
check "whatever this machine can run" exits 0
check "it says what is missing" \
    bash -c "grep -q 'resident.*not measured\|not measured.*resident\|^resident ' '$work/stdout'"

while IFS='|' read -r pattern arguments; do
    # shellcheck disable=SC2086 # the arguments are words
    refused 2 "'$arguments'" "$pattern" benchmark ${arguments//GOOD/$good} --output "$work/refused"
    check "'$arguments' leaves nothing" [ ! -e "$work/refused" ]
done <<'TABLE'
name a case file|
unknown option --frob|GOOD --frob
--repeat 0: give a whole number|GOOD --repeat 0
--threads 1,x: give up to 16 whole numbers|GOOD --threads 1,x
--variants reference,fast: fast is unknown; give a list of reference, .*resident|GOOD --variants reference,fast
--domain half: choose|GOOD --domain half
--limit -1: give a time|GOOD --limit=-1
--oracle: takes no value|GOOD --oracle=1
is one argument too many|GOOD 10 20
TABLE

report
