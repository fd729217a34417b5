#!/bin/bash
# test_plan_tiles.sh — of a large terrain a plan reads what its members come near: where a tile far from them is damaged,
# studies find the same as with whole terrain, as do members alone, and only maps of all of it, or lava that comes there, are refused.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: study/plan
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1
if without_painters "$work/plain"; then sciara=$work/plain/bin/sciara; fi
made=$work/whole
"$sciara" terrain "$made" --size 1400 --quiet || exit 1
{ grep -v '^max_steps\|^#' "$made/volcano.cfg" && printf '%s\n' 'max_steps 120' 'members 6' 'seed 7' \
    'vary_rate_factor lognormal 1 1.5'; } >"$made/exact.cfg"
{ cat "$made/exact.cfg" && printf '%s\n' 'terrain_error_m 1' 'terrain_error_length_m 40'; } >"$made/uncertain.cfg"
{ cat "$made/uncertain.cfg" && echo 'barriers wall.csv'; } >"$made/pairs.cfg"
{ grep -v '^vents\|^rates' "$made/exact.cfg" && printf '%s\n' 'vents far.csv' 'rates one.csv'; } >"$made/far.cfg"
printf 'vent,from_h,to_h,rate_m3_s\n1,0,48,1\n' >"$made/one.csv"
printf 'vent,row,col\n1,1360,1360\n' >"$made/far.csv"
/usr/bin/python3 - "$made" <<'PYTHON'
import sys
row, col = [int(x) for x in open(sys.argv[1] + "/vents.csv").readlines()[1].split(",")[1:]]
x, y = 500000 + 10 * (col + 12.5), 4170000 + 10 * (1400 - row - 0.5)
with open(sys.argv[1] + "/wall.csv", "w") as wall:
    wall.write(f"barrier,x,y,height_m\n1,{x},{y - 100},4\n1,{x},{y + 100},4\n")
PYTHON
cp -r "$made" "$work/damaged"
bytes=$(stat -c %s "$work/damaged/terrain.tif") # (the last tile, of the last corner, lies before the directory)
dd if=/dev/zero of="$work/damaged/terrain.tif" bs=1 seek=$((bytes - 6000)) count=3000 conv=notrunc 2>/dev/null

# study WHAT PLAN COMMAND [OPTION...] : with both terrains
study() {
    local what=$1 plan=$2 folder
    shift 2
    for folder in whole damaged; do
        call "$1" "$work/$folder/$plan.cfg" "${@:2}" --output "$work/$folder/$what" --layers members --map-size 300x300 --map-dpi 72 --quiet
        check "$what, $folder terrain" exits 0
    done
    check "$what: the same" [ "$(digest "$work/whole/$what")" = "$(digest "$work/damaged/$what")" ]
    check "$what: the same members" cmp "$work/whole/$what/members.csv" "$work/damaged/$what/members.csv"
}
study ensemble exact ensemble
study errors uncertain ensemble
study pairs pairs ensemble
study null exact null --length 3000 --half-width 60
check "lava has come to cells" grep -Eq '"cells":.[1-9][0-9][0-9]' "$work/damaged/ensemble/summary.json"

# alone PLAN STUDY : a member by itself, with all that a run writes
alone() {
    call run "$work/damaged/$1.cfg" --member 3 --output "$work/alone" --quiet --map-size 300x300 --map-dpi 72
    check "$1: a member alone" exits 0
    check "... is the member of the ensemble" \
        [ "$(digest "$work/alone")" = "$(column digest "$work/damaged/$2/members.csv" | sed -n 4p)" ]
    rm -rf "$work/alone"
}
alone exact ensemble
alone uncertain errors

call ensemble "$work/damaged/exact.cfg" --extent full --map-size 300x300 --map-dpi 72 --output "$work/full" --quiet
check "maps of all terrain: refused" [ "$code" != 0 ]
check "... for the tile" complains 'terrain\.tif: '
call ensemble "$work/damaged/far.cfg" --map-size 300x300 --map-dpi 72 --output "$work/far" --quiet
check "a vent there: refused" exits 2
check "... for the tile" complains 'terrain\.tif: '
call ensemble "$work/whole/far.cfg" --map-size 300x300 --map-dpi 72 --output "$work/far" --quiet
check "... but not with whole terrain" exits 0
report
