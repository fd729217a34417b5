# shellcheck shell=bash
# eruptions.sh — for tests of an ensemble and its library: a plan with eruptions of two classes on synthetic terrain, vents on
# a grid, and places of interest. Source it after check.sh.
# shellcheck disable=SC2154 # of check.sh
"$sciara" terrain "$work/made" --size 120 --quiet || exit 1
printf '%s\n' class,weight,volume_m3,duration_h short,6,20000,6 long,3,40000,20 >"$work/made/classes.csv"
cat >"$work/made/places.json" <<'END'
{"type":"FeatureCollection","features":[
{"type":"Feature","properties":{"name":"Hut","people":12},"geometry":{"type":"Point","coordinates":[500405,4170655]}},
{"type":"Feature","properties":{"name":"Road","people":"500"},"geometry":
 {"type":"LineString","coordinates":[[500015,4170305],[501105,4170305]]}}]}
END
plan=$work/made/plan.cfg
make_plan() { # make_plan LINE...
    grep -Ev '^(vents|rates|max_steps)' "$work/made/volcano.cfg"
    printf '%s\n' 'vent_grid_m 100' 'vent_grid_box 500300 4170300 500900 4170900' 'classes classes.csv' \
        'vary_Pcool normal 2.8 0.3 from 1.5 to 4.5' 'assets places.json' "$@"
} >"$plan"
# same_files A B: all layers, maps and tables
same_files() {
    local file count=0
    for file in "$1"/*.tif "$1"/*.csv "$1"/*.png; do
        cmp "$file" "$2/$(basename "$file")" || return 1
        count=$((count + 1))
    done
    [ $count -gt 20 ]
}
# sql FILE STATEMENT: runs it on a library, and prints its rows
sql() { /usr/bin/python3 -c 'import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    for row in db.execute(sys.argv[2]): print(*row)' "$@"; }
# changed FROM TO STATEMENTS: a copy of a library after these
changed() { cp "$1" "$2" && /usr/bin/python3 -c 'import sqlite3, sys
sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])' "$2" "$3"; }
