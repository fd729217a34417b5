#!/bin/bash
# test_groups.sh — files that are one thing: the case of `sciara terrain` and one that `sciara serve` saves. The writer is killed at
# each of its renames, links and removals in turn; each time the folder has the case that was there or the new one, and the
# same command continues. A reader meanwhile has one of both, or says so.
# tests: input/text
# shellcheck source=tests/check.sh
. tests/check.sh
. tests/parts.sh
each=yes
needs_sciara
needs "no compiler" command -v cc
if grep -q __asan_init "$sciara" || ! cc -shared -fPIC -O1 -o "$work/kill.so" tests/kill_at.c -ldl 2>"$work/cc"; then
    skip "kills: a sanitizer, or no compiler ($(head -1 "$work/cc"))"
    report
    exit
fi
export KILL_BY=9
# digest_of CASE: in $now, of its first steps
digest_of() {
    now=''
    call run "$1" 40 --no-output --json
    [[ $(<"$work/stdout") =~ \"digest\":[[:space:]]*\"([0-9a-f]+)\" ]] && now=${BASH_REMATCH[1]}
}
# one_of DIGEST DIGEST CASE: it is one of both
one_of() { digest_of "$3" && [ "$now" = "$1" ] || [ "$now" = "$2" ] || { echo "digest '$now': $(cat "$work/stderr")" && false; }; }
# has CASE DIGEST: this one
has() { one_of "$2" "$2" "$1"; }

# ---- sciara terrain

make_one() { "$sciara" terrain "$work/made" --size "$1" --seed "$1" --quiet; }
make_one 40 && digest_of "$work/made/volcano.cfg" && first=$now
make_one 48 && digest_of "$work/made/volcano.cfg" && second=$now
check "two cases in turn" [ "${#first}${#second}$([ "$first" = "$second" ] && echo same)" = 1616 ]
kills=0 size=40 good=yes
while ((kills < 60)); do
    (KILL_IN=$work/made/ KILL_AT=$((kills + 1)) LD_PRELOAD=$work/kill.so make_one $size; exit $?) 2>"$work/err"
    code=$?
    [ $code = 0 ] && break
    [ $code = 137 ] || { cat "$work/err" && good=no; }
    one_of "$first" "$second" "$work/made/volcano.cfg" || good=no
    kills=$((kills + 1)) size=$((88 - size))
done
check "terrain: the old case or the new one after each of $kills kills" [ $good-$((kills > 8)) = yes-1 ]
sleep 1.1 # (what is younger may be somebody's who is writing)
check "... and the same command continues" make_one 40
check "... to the new case" has "$work/made/volcano.cfg" "$first"
check "... with its files and no others" [ "$(cd "$work/made" && find . -type f | sort | xargs)" = './rates.csv ./roads.geojson ./terrain.tif ./vents.csv ./volcano.cfg' ]
for at in 2 4 5; do
    rm -rf "$work/new" && mkdir "$work/new"
    (KILL_IN=$work/new/ KILL_AT=$at LD_PRELOAD=$work/kill.so "$sciara" terrain "$work/new" --size 40 --seed 40 --quiet; exit $?) 2>/dev/null
    check "killed before it was there: the same command makes it ($at)" "$sciara" terrain "$work/new" --size 40 --seed 40 --quiet
    check "... as it is" has "$work/new/volcano.cfg" "$first"
done

(for size in 48 40 48 40 48 40; do make_one $size; done) &
writer=$! good=yes reads=0
while kill -0 $writer 2>/dev/null; do
    reads=$((reads + 1))
    one_of "$first" "$second" "$work/made/volcano.cfg" >"$work/read" ||
        grep -Eq 'was replaced while|has changed since|cannot be opened|is gone' "$work/read" || { cat "$work/read" && good=no; }
done
check "whoever reads meanwhile has one of both, $reads times" [ $good = yes ]

# ---- a case that the page saves

needs "sciara is built without libmicrohttpd" "$sciara" serve --help
needs "python3 is not installed" python3 -c 'import http.client'
"$sciara" terrain "$work/ground" --size 60 --quiet
start_parts tests/program/serve_client.py
save() { # save A|B [KILL_AT]: by a server of its own; whether it was saved
    rm -f "$work/out"
    KILL_IN=$work/saved/ KILL_AT=${2:-} LD_PRELOAD=${2:+$work/kill.so} "$sciara" serve "$work/ground/volcano.cfg" --no-open \
        --output "$work/saved" >"$work/out" 2>"$work/err" &
    child=$!
    wait_until has_address "$work/out"
    part "$(grep -o 'http://[^ ]*' "$work/out")" replace "$1"
    local code=$?
    kill -INT $child 2>/dev/null
    wait $child 2>/dev/null
    return $code
}
case=$work/saved/one/one.cfg
save A && digest_of "$case" && first=$now
save B && digest_of "$case" && second=$now
check "two drawings in turn" [ "${#first}${#second}$([ "$first" = "$second" ] && echo same)" = 1616 ]
kills=0 which=A good=yes
while ((kills < 40)) && ! save $which $((kills + 1)) 2>/dev/null; do
    one_of "$first" "$second" "$case" || good=no
    kills=$((kills + 1))
    [ $which = A ] && which=B || which=A
done
check "serve: the old case or the new one after each of $kills kills" [ $good-$((kills > 6)) = yes-1 ]
sleep 1.1
check "... and it is saved again" save B
check "... as it was drawn" has "$case" "$second"
check "... with its files and no others" [ "$(cd "$work/saved/one" && find . -type f | sort | xargs)" = './one.cfg ./rates.csv ./roads.geojson ./terrain.tif ./vents.csv' ]
good=yes begun=0
for at in 9 10; do # (the first has barriers, the case there has none)
    save A $at 2>/dev/null || ls "$work/saved/one" | grep -q barriers && begun=$((begun + 1))
    save B || good=no
    [ "$(cd "$work/saved/one" && echo *)" = 'one.cfg rates.csv roads.geojson terrain.tif vents.csv' ] || { ls "$work/saved/one" && good=no; }
done
check "a save with barriers that died, then one without: no barriers stay ($begun had begun)" [ $good-$((begun > 0)) = yes-1 ]
rm -rf "$work/saved"
save A 2 2>/dev/null
check "killed before it was there: it is saved all the same" save A
check "... as it was drawn" has "$case" "$first"
end_parts
report
