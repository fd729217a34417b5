#!/bin/bash
# test_ask.sh — what `sciara ask` finds in a library in addition to the files of an ensemble, against an independent
# program: the members to look at.
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1

"$sciara" terrain "$work/made" --size 120 --quiet || exit 1
printf '%s\n' class,weight,volume_m3,duration_h short,6,20000,6 long,3,40000,20 >"$work/made/classes.csv"
cat >"$work/made/places.json" <<'END'
{"type":"FeatureCollection","features":[
{"type":"Feature","properties":{"name":"Hut"},"geometry":{"type":"Point","coordinates":[500405,4170655]}},
{"type":"Feature","properties":{"name":"Road"},"geometry":
 {"type":"LineString","coordinates":[[500015,4170305],[501105,4170305]]}}]}
END
{
    grep -Ev '^(vents|rates|max_steps)' "$work/made/volcano.cfg"
    printf '%s\n' 'vent_grid_m 100' 'vent_grid_box 500300 4170300 500900 4170900' 'classes classes.csv' 'run_h 24' \
        'vary_Pcool normal 2.8 0.3 from 1.5 to 4.5' 'repeats 3' 'arrival_bin_h 1' 'assets places.json' 'keep yes'
} >"$work/made/plan.cfg"
small=(--map-size 300x300 --quiet)
call ensemble "$work/made/plan.cfg" --output "$work/all" "${small[@]}"
check "an ensemble is kept" exits 0
library=$work/all/library.gpkg
check "of 216 members" [ "$(value done "$work/all/summary.json")" = 216 ]

# ---- members to look at
found() { /usr/bin/python3 tests/study/ask_check.py "$library" "$work/$1" Hut:54:40 Road:89:1:110; }
same_named() { [ "$(wc -l <"$work/$1/named_members.csv")" -gt "$2" ] && cmp <(found "$1") "$work/$1/named_members.csv"; }
call ask "$library" --members --output "$work/named" --map-size 300x300 --format html
check "members are named: ends well" exits 0
check "as an independent program names them: overlap, area, run-out, arrival at a place" same_named named 10
check "they are not all one" [ "$(sed 1d "$work/named/named_members.csv" | cut -d, -f 4 | sort -u | wc -l)" -gt 5 ]
check "each has a map" [ "$(find "$work/named" -name 'map_member_*.png' | wc -l)" = \
    "$(sed 1d "$work/named/named_members.csv" | cut -d, -f 4 | sort -u | wc -l)" ]
check "and a line with the command" grep -q "sciara run .*plan.cfg --member N" "$work/stdout"
check "and a row in report.html" grep -q '"named_members.csv":{"columns":\["name","place"' "$work/named/report.html"
check "the digest is as without" [ "$(digest "$work/named")" = "$(digest "$work/all")" ]
call ask "$library" --members --where "class = 'long' and vent > 9" --output "$work/named" "${small[@]}"
check "of a part of the members" same_named named 7
check "maps of the question before are removed" [ "$(find "$work/named" -name 'map_member_*.png' | wc -l)" = \
    "$(sed 1d "$work/named/named_members.csv" | cut -d, -f 4 | sort -u | wc -l)" ]
printf '%s\n' class,weight,volume_m3,duration_h short,2,20000,6 long,7,40000,20 >"$work/made/other.csv"
call ask "$library" --members --classes "$work/made/other.csv" --output "$work/weighed" "${small[@]}"
check "by other weights" same_named weighed 10
check "which name others" fails cmp -s "$work/weighed/named_members.csv" "$work/named/named_members.csv"
call ask "$library" --output "$work/named" "${small[@]}"
check "without the option there are none" [ ! -e "$work/named/named_members.csv" ]
report
