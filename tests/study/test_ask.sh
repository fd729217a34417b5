#!/bin/bash
# test_ask.sh — what `sciara ask` finds in a library in addition to the files of an ensemble, against an independent
# program: the members to look at, the difference to another question, sums over places, what was observed.
# tests: study/ask
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1

. tests/eruptions.sh
. tests/tables.sh
. tests/python.sh
make_plan 'run_h 24' 'repeats 3' 'arrival_bin_h 1' 'exceed_m 1 3' 'arrive_within_h 6 12' 'keep yes'
small=(--map-size 300x300 --map-dpi 40 --quiet)
call ensemble "$work/made/plan.cfg" --output "$work/all" --layers all "${small[@]}"
check "an ensemble is kept" exits 0
library=$work/all/library.gpkg
check "of 216 members" [ "$(value done "$work/all/summary.json")" = 216 ]

# ---- members to look at
found() { python tests/study/ask_check.py "$library" "$work/$1" Hut:54:40 Road:89:1:110; }
same_named() { [ "$(wc -l <"$work/$1/named_members.csv")" -gt "$2" ] && cmp <(found "$1") "$work/$1/named_members.csv"; }
call ask "$library" --members --output "$work/named" --layers all --map-size 300x300 --map-dpi 40 --format html
check "members are named: ends well" exits 0
check "as an independent program names them: overlap, area, run-out, arrival at a place" same_named named 10
check "they are not all one" [ "$(sed 1d "$work/named/named_members.csv" | cut -d, -f 4 | sort -u | wc -l)" -gt 5 ]
check "each has a map" [ "$(find "$work/named" -name 'map_member_*.png' | wc -l)" = \
    "$(sed 1d "$work/named/named_members.csv" | cut -d, -f 4 | sort -u | wc -l)" ]
check "and a line with the command" grep -q "sciara run .*plan.cfg --member N" "$work/stdout"
check "and a layer" [ "$(find "$work/named" -name 'thickness_member_*_m.tif' | wc -l)" = "$(find "$work/named" -name 'map_member_*.png' | wc -l)" ]
check "and a row in report.html" grep -q '"named_members.csv":{"columns":\["name","place"' "$work/named/report.html"
check "the digest is as without" [ "$(digest "$work/named")" = "$(digest "$work/all")" ]
call ask "$library" --members --where "class = 'long' and vent > 9" --output "$work/named" --layers all "${small[@]}"
check "of a part of the members" same_named named 7
check "maps of the question before are removed" [ "$(find "$work/named" -name 'map_member_*.png' | wc -l)" = \
    "$(sed 1d "$work/named/named_members.csv" | cut -d, -f 4 | sort -u | wc -l)" ]
printf '%s\n' class,weight,volume_m3,duration_h short,2,20000,6 long,7,40000,20 >"$work/made/other.csv"
tables ask "$library" "$work/weighed" members=1 "classes=$work/made/other.csv"
check "by other weights" same_named weighed 10
check "which name others" fails cmp -s "$work/weighed/named_members.csv" "$work/named/named_members.csv"
call ask "$library" --output "$work/named" --layers all "${small[@]}"
check "without the option there are none" [ ! -e "$work/named/named_members.csv" ]

# ---- a library of an ensemble that has not ended: what has ended early is no sample of the plan
kept() { # kept CONDITION: asks a library of these members alone
    cp "$library" "$work/part.gpkg" && sql "$work/part.gpkg" "DELETE FROM members WHERE NOT ($1)"
    call ask "$work/part.gpkg" --where "member >= 0" --output "$work/part" --layers all --map-size 300x300 --map-dpi 40
    check "members $1: ends well" exits 0
}
warned() { says "incomplete: $1 of 216 simulated eruptions, not a random sample of the plan"; }
unwarned() { fails grep -q incomplete "$work/stdout" "$work/stderr"; }
kept "member % 3 <> 1 AND member < 150"
check "... the answer warns" warned 100
check "... in its summary" [ "$(json '[.warnings[] | select(.text | startswith("incomplete"))] | length' "$work/part/summary.json")" = 1 ]
kept "member < 99"
check "... the first ones of a list are none either" warned 99
kept "member % 2 = 1"
check "... and those of a shard" unwarned

# ---- a plan named as it was typed, in another folder
program=$(realpath "$sciara")
mkdir -p "$work/typed/all"
cp "$library" "$work/typed/all"
sql "$work/typed/all/library.gpkg" "UPDATE sciara SET value = 'made/plan.cfg' WHERE key = 'plan'"
from_elsewhere() { (cd / && "$program" ask "$1" --output "$work/elsewhere" "${small[@]}" 2>"$work/stderr"); }
check "it is found from the folder of the library" from_elsewhere "$work/typed/all/library.gpkg"
check "... with the digest of the ensemble" [ "$(digest "$work/elsewhere")" = "$(digest "$work/all")" ]
mv "$work/made/plan.cfg" "$work/made/renamed.cfg"
check "... and refused where there is none" fails from_elsewhere "$work/typed/all/library.gpkg"
check "... by its name" grep -q "made/plan.cfg" "$work/stderr"
mv "$work/made/renamed.cfg" "$work/made/plan.cfg"

# ---- a condition that takes a library many steps of SQLite, and each of its members few
numbers=$(printf '%.0s-x,' {1..120}) most=''
for _ in {1..26}; do most="${most}max(${numbers%,}),"; done
tables ask "$library" "$work/long" "where=max(${most%,}) = -x and vent > 8"
check "a long condition has no limit on all members together" exits 0
check "it is what a short one says" [ "$(digest "$work/long")" = \
    "$(tables ask "$library" "$work/short" "where=vent > 8" && digest "$work/short")" ]

# ---- few members, which are looked for where their outlines are
altered() { changed "$library" "$work/$1.gpkg" "$2"; }
altered unlined "UPDATE members SET geom = NULL"
altered elsewhere "UPDATE members SET geom = CAST(substr(geom, 1, 8) || zeroblob(32) || substr(geom, 41) AS BLOB)"
altered unknown "DELETE FROM sciara WHERE key IN ('end_s', 'warned', 'first_warned', 'vents')"
altered vents "UPDATE sciara SET value = '5' WHERE key = 'vents'"
altered longer "UPDATE sciara SET value = '8640000' WHERE key = 'end_s'"
for where in "member = 17" "member IN (3, 200)"; do
    tables ask "$library" "$work/few" "where=$where"
    check "few members, $where: ends well" exits 0
    tables ask "$work/unlined.gpkg" "$work/scanned" "where=$where"
    check "few members, $where: as without outlines" [ "$(digest "$work/few")" = "$(digest "$work/scanned")" ]
done
check "their lava is there" [ "$(sed 1d "$work/few/members.csv" | wc -l)" = 2 ]
refused 2 "an outline that is elsewhere" "cells of member 17 are missing" \
    ask "$work/elsewhere.gpkg" --where "member = 17" --output "$work/none" "${small[@]}"
tables ask "$work/elsewhere.gpkg" "$work/few" "where=member < 17"
check "where it is not asked for, it does not matter" exits 0

# ---- what the library knows of its plan
for name in unknown vents; do
    tables ask "$work/$name.gpkg" "$work/few" "where=vent > 8"
    check "a library that does not know its plan ($name): the same answer" [ "$(digest "$work/few")" = "$(digest "$work/short")" ]
done
refused 2 "one that has other classes" "or damaged .classes." \
    ask "$work/longer.gpkg" --output "$work/none" "${small[@]}"

# ---- other weights, by an independent program
count=0 wrong=0 weights=''
mkdir "$work/weights"
while read -r expected classes vents question; do
    with=("classes=$classes")
    [ "$vents" = - ] || with+=("vents=$vents")
    tables ask "$library" "$work/weighed_so" "${with[@]}" "where=$question"
    found=$(digest "$work/weighed_so" 2>/dev/null)
    weights+=" $(awk -F, 'NR > 1 && !seen[$2]++ { n++ } END { print n + 0 }' "$work/weighed_so/members.csv")"
    count=$((count + 1))
    [ "$code" = 0 ] && [ "$found" = "$expected" ] && continue
    echo "${with[*]} $question: digest $found, not $expected: $(cat "$work/stderr")"
    wrong=$((wrong + 1))
done < <(python tests/study/library_check.py "$library" "50:$work/weights" Hut:54:40 Road:89:1:110)
check "50 questions with other weights have been asked" [ $count = 50 ]
check "of members that do not weigh the same" [ "$(tr ' ' '\n' <<<"$weights" | grep -c '[2-9]')" -gt 25 ]
check "and their digests are those of the members with these weights" [ $wrong = 0 ]

# ---- vents by a raster of other cells than theirs
raster() { # raster NAME CELLS CELL_M VALUES...
    printf '%s\n' "ncols $2" "nrows $2" "xllcorner 500300" "yllcorner 4170300" "cellsize $3" "${*:4}" >"$work/made/$1.asc"
}
raster coarse 2 400 8 8 48 32 # of 8, 4, 16 and 8 vents
{
    echo vent,x,y,weight
    for i in {0..35}; do
        echo $((i + 1)),$((500350 + i % 6 * 100)),$((4170350 + i / 6 * 100)),$((1 + (i % 6 > 3) + 2 * (i < 24)))
    done
} >"$work/made/listed.csv"
call ask "$library" --vents "$work/made/coarse.asc" --output "$work/coarse" --layers all "${small[@]}"
check "a coarse raster of vents: ends well" exits 0
tables ask "$library" "$work/listed" "vents=$work/made/listed.csv"
check "its vents share what their cell has" [ "$(digest "$work/coarse")" = "$(digest "$work/listed")" ]
check "which is not what they have in the plan" [ "$(digest "$work/coarse")" != "$(digest "$work/all")" ]
raster fine 12 50 "$(for i in {1..144}; do echo 5; done)"
tables ask "$library" "$work/fine" "vents=$work/made/fine.asc"
check "a fine raster of one value everywhere: as in the plan" [ "$(digest "$work/fine")" = \
    "$(sed 's/,[0-9]*$/,1/; 1s/.*/vent,x,y,weight/' "$work/made/listed.csv" >"$work/made/alike.csv" &&
        tables ask "$library" "$work/alike" "vents=$work/made/alike.csv" && digest "$work/alike")" ]
raster below 2 300 9 -18 27 36
refused 2 "a raster with less than nothing" "below.asc: the probability is -18 at row 0, column 1; give 0 or more" \
    ask "$library" --vents "$work/made/below.asc" --output "$work/none" "${small[@]}"

# ---- the difference to another question
compared() { python tests/study/question_check.py compare "$library" "$1" "$2" Hut:point:54:40 Road:line:89:1:110; }
tables ask "$library" "$work/short" "where=class = 'short'"
call ask "$library" --where "class = 'long'" --compare "class = 'short'" --output "$work/differs" --layers all --map-size 300x300 --map-dpi 40 --format html
check "a difference: ends well" exits 0
check "of two conditions that no member meets both: as an independent program has it" compared "$work/differs" "$work/short"
check "it has two layers" [ "$(find "$work/differs" -name 'probability_difference*.tif' | wc -l)" = 2 ]
check "a map" [ -s "$work/differs/map_difference.png" ]
check "a line" grep -q "^compared .*with class = 'short': area +0" "$work/stdout"
check "and rows in report.html" grep -q '"assets_difference.csv":{"columns":\["name"' "$work/differs/report.html"
check "with its title on the page" grep -q '"assets_difference.csv": "Difference' "$work/differs/report.html"
check "the digest is as without" [ "$(digest "$work/differs")" = \
    "$(tables ask "$library" "$work/long" "where=class = 'long'" && digest "$work/long")" ]
call ask "$library" --where "Pcool > 2.7" --compare "$work/weighed" --output "$work/differs" --layers all "${small[@]}"
check "of an answer with other weights, and members in both" compared "$work/differs" "$work/weighed"
call ask "$library" --compare 1 --output "$work/differs" --layers all "${small[@]}"
check "of a question and itself: none" grep -q '^Road,line,110,\([0-9.]*\),\1,0,0,\([0-9.]*\),\2$' "$work/differs/assets_difference.csv"
sed 's/,[0-9a-f]\{16\},/,0123456789abcdef,/' "$work/short/members.csv" >"$work/named/members.csv"
refused 2 "an answer of another library" "members.csv:2: member [0-9]* is not of this library" \
    ask "$library" --compare "$work/named" --output "$work/none"
refused 2 "no such column in another question" "condition depth: no such column" \
    ask "$library" --compare depth --output "$work/none"

# ---- sums over places
line() { printf '{"type":"Feature","properties":{"name":"%s","people":%s},"geometry":{"type":"LineString","coordinates":[[%s],[%s]]}}' "$@"; }
point() { printf '{"type":"Feature","properties":{"name":"%s","people":%s},"geometry":{"type":"Point","coordinates":[%s]}}' "$@"; }
printf '{"type":"FeatureCollection","features":[%s,%s,%s,%s]}' "$(point Hut 12 500405,4170655)" "$(point Farm 7 500925,4170535)" \
    "$(line Road '"500"' 500015,4170305 501105,4170305)" "$(line Lane 30 500865,4170535 500975,4170535)" >"$work/made/four.json"
of_places() { # of_places WHAT PLACE...
    python tests/study/question_check.py "$1" "$library" "$work/sums" "${@:2}"
}
call ask "$library" --exposed people --classes "$work/made/other.csv" --assets "$work/made/four.json" --output "$work/sums" --layers all --map-size 300x300 --map-dpi 40
check "sums over places: end well" exits 0
check "points, roads, their length, people: as an independent program has them" \
    of_places exposed Hut:point:0:12:54:40 Farm:point:0:7:66:92 Road:line:1.09:500:89:1:110 Lane:line:0.11:30:66:86:12
check "what each place has to expect, too" of_places assets Hut:point:54:40 Farm:point:66:92 Road:line:89:1:110 Lane:line:66:86:12
check "and lines on the terminal" grep -q "^ *people: mean [0-9.]* of 549, 5 to 95 %" "$work/stdout"
{ printf '%s\n' 'ncols 60' 'nrows 60' 'xllcorner 500000' 'yllcorner 4170000' 'cellsize 20' 'NODATA_value -9999'
  awk 'BEGIN { for (r = 0; r < 60; r++) for (c = 0; c < 60; c++) printf "%d%s", 4 + (3 * r + 5 * c) % 7, c < 59 ? " " : "\n" }'; } >"$work/made/people.asc"
echo '{"type":"Feature","properties":{"name":"Field"},"geometry":{"type":"Polygon","coordinates":[[[500900,4170840],[500960,4170840],[500960,4170880],[500900,4170880],[500900,4170840]]]}}' >"$work/made/field.json"
call ask "$library" --exposed "${work#"$PWD"/}/made/people.asc" --assets "$work/made/field.json" --output "$work/sums" --layers all "${small[@]}"
people() { # people of 20 x 20 m: a quarter in each cell of the terrain; of an area of 6 x 4 cells the part that has lava
    python - "$library" "$work/sums/exposed.csv" <<'END'
import csv, sys
sys.path.insert(0, "tests/study")
from library_check import Library
library = Library(sys.argv[1])
rows = {r["what"].rsplit("/", 1)[-1]: r for r in csv.DictReader(open(sys.argv[2]))}
weight = {m: r["weight"] for m, r in library.members.items()}
whole = sum(weight.values())
def there(cell):
    return (4 + (3 * (cell // 120 // 2) + 5 * (cell % 120 // 2)) % 7) / 4
def look(row, amount, everything, least):
    def percent(p):
        return min(x for x in amount.values() if 100 * sum(weight[m] for m in weight if amount[m] <= x) >= p * whole)
    wanted = {"all": everything, "mean": sum(weight[m] * amount[m] for m in weight) / whole, "p05": percent(5), "p50": percent(50),
              "p95": percent(95), "probability": sum(weight[m] for m in weight if amount[m] > 0) / whole}
    assert all(abs(float(row[k]) - x) < 1e-5 * x + 1e-12 for k, x in wanted.items()) and least <= wanted["p05"] < wanted["p95"], (row, wanted)
look(rows["people.asc"], {m: sum(there(c[0]) for c in library.cells[m]) for m in weight}, sum(map(there, range(14400))), 50)
field = {120 * r + c for r in range(32, 36) for c in range(90, 96)}
covered = {m: len(field & {c[0] for c in library.cells[m]}) for m in weight}
look(rows["extent of areas"], {m: n * 1e-4 for m, n in covered.items()}, 24e-4, 0)
assert 0 < float(rows["areas"]["mean"]) == float(rows["areas"]["probability"]) and len(set(covered.values())) > 5
END
}
check "people of a raster, and an area: as an independent program has them" people
refused 2 "an attribute that no place has" "places.json: no place has an attribute cows" \
    ask "$library" --exposed cows --output "$work/none"
sed 's/"500"/-5/' "$work/made/places.json" >"$work/made/negative.json"
refused 2 "a negative amount" "negative.json: people of \"Road\" is -5" \
    ask "$library" --assets "$work/made/negative.json" --exposed people --output "$work/none"

# ---- what was observed: the outline of a member after 6 hours
outline() { python - "$library" "$1" "$2" <<'END'
import sys
sys.path.insert(0, "tests/study")
from library_check import Library
library, member, at = Library(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
last = sum(edge / 3600 < at for edge in library.arrivals)
cells = {c[0] for c in library.cells[member] if c[1] <= last}
assert len(cells) > 20
print("ncols 120\nnrows 120\nxllcorner 500000\nyllcorner 4170000\ncellsize 10\nNODATA_value -9999")
for row in range(120):
    print(*(int(row * 120 + col in cells) for col in range(120)))
END
}
outline 100 6 >"$work/made/observed.asc"
agreed() { sed 1d "$work/${1:-agreed}/members.csv" | cut -d, -f 1 | xargs; }
call ask "$library" --given "$work/made/observed.asc" --at 6h --output "$work/given" --layers all "${small[@]}"
check "given an outline: ends well" exits 0
check "members that overlap by half" [ "$(agreed given)" = "$(python tests/study/question_check.py given "$library" 100 6 0.5)" ]
half=$(agreed given) given=("given=$work/made/observed.asc" at_s=21600)
check "one of them is its own, and few others" [ "$(grep -cw 100 <<<"$half")" = 1 -a "$(wc -w <<<"$half")" -lt 100 ]
check "there are others" [ "$(wc -w <<<"$half")" -gt 1 ]
tables ask "$library" "$work/agreed" "${given[@]}" "where=overlap() >= 0.25"
check "or by as much as asked for" [ "$(agreed)" = "$(python tests/study/question_check.py given "$library" 100 6 0.25)" ]
tables ask "$library" "$work/agreed" "${given[@]}" "where=overlap() = 1 and apart_m() = 0"
check "the same cells are nowhere apart" \
    [ "$(agreed)" = "$(python tests/study/question_check.py given "$library" 100 6 1)" ]
refused 2 "the same cells, apart" "has no member that fulfils" \
    ask "$library" --given "$work/made/observed.asc" --at 6h --where "overlap() = 1 and apart_m() > 0" --output "$work/none"
tables ask "$library" "$work/agreed" "${given[@]}" "where=apart_m() <= 60"
check "and others are near" [ "$(agreed | wc -w)" -gt 1 ]
tables ask "$library" "$work/agreed" "${given[@]}" "where=class = 'long'"
check "with another condition, both are asked for" [ "$(agreed | wc -w)" -lt "$(wc -w <<<"$half")" ]
refused 2 "an overlap with nothing" "nothing was observed; give an outline" ask "$library" --where "overlap() > 0" --output "$work/none"
refused 2 "the folder of a library" "not a regular file; give the library.gpkg of an ensemble" ask "$work/all" --output "$work/none"
refused 2 "a time of nothing" "--at: has no effect without --given; add --given, or omit --at" ask "$library" --at 6h --output "$work/none"
check "nothing was written by what was refused" [ ! -e "$work/none" ]

# ---- the null model is computed with the ensemble, and read by questions
null_of() { json -S .null "$1/summary.json"; }
blob_of() { sql "$work/$1/library.gpkg" "SELECT hex(blob) FROM null_model"; }
change_null() { changed "$work/observed/library.gpkg" "$work/$1" "$2"; }
{ cat "$work/made/plan.cfg" && echo 'outline observed.asc'; } >"$work/made/observed.cfg"
call ensemble "$work/made/observed.cfg" --output "$work/observed" "${small[@]}"
check "a plan with an outline: paths that are fitted" \
    [ "$(json '.null.fitted and .null.length_m > 0' "$work/observed/summary.json")" = true ]
tables ask "$work/observed/library.gpkg" "$work/again"
check "a question has the same" [ "$(null_of "$work/again")" = "$(null_of "$work/observed")" ]
change_null without.gpkg "DROP TABLE null_model"
tables ask "$work/without.gpkg" "$work/again"
check "and where the library has none" [ "$(null_of "$work/again")" = "$(null_of "$work/observed")" ]
change_null other.gpkg "UPDATE null_model SET blob = CAST('sciara null 0' || x'0a01' AS BLOB)"
tables ask "$work/other.gpkg" "$work/again"
check "or that of another version" [ "$(null_of "$work/again")" = "$(null_of "$work/observed")" ]
check "it has many bytes" [ "$(sql "$work/observed/library.gpkg" "SELECT length(blob) FROM null_model")" -gt 1000 ]
change_null damaged.gpkg "UPDATE null_model SET blob = CAST(substr(blob, 1, 500) ||
    CASE substr(blob, 501, 1) WHEN x'00' THEN x'01' ELSE x'00' END || substr(blob, 502) AS BLOB)"
refused 2 "a damaged one" "damaged.gpkg: is not a library of sciara, or damaged .the null model." \
    ask "$work/damaged.gpkg" --output "$work/none"
call merge "$work/without.gpkg" --output "$work/merged" "${small[@]}"
check "libraries that are joined get it" [ "$(null_of "$work/merged")" = "$(null_of "$work/observed")" ]
check "as it was" [ "$(blob_of merged)" = "$(blob_of observed)" ]
report
