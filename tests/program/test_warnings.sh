#!/bin/bash
# test_warnings.sh — who is told what (tests/program/warnings_check.py), of cases, plans, questions and a nowcast that each have
# something else to tell; and an ordinary eruption has nothing on its maps, pages and bulletin.
# tests: program/commands
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1
of=$PWD/tests/program/warnings_check.py
cd "$work" || exit 1

# A cone of 40 x 40 cells, surveyed: nothing says that it is made up.
awk 'BEGIN { print "ncols 40\nnrows 40\nxllcorner 500000\nyllcorner 4170000\ncellsize 10\nNODATA_value -9999"
    for (i = 0; i < 40; i++) { for (j = 0; j < 40; j++) printf "%.2f ", 900 - 3.1 * sqrt((i - 12) ^ 2 + (j - 19) ^ 2) + 0.2 * ((i * j) % 3); print "" } }' >dem.asc
sed 's/cellsize 10/cellsize 20/' dem.asc >coarse.asc
printf 'vent,row,col\n1,12,19\n' >vents.csv
rates() { printf 'vent,from_h,to_h,rate_m3_s\n1,%s\n' "$2" >"$1.csv"; }
rates usual 0,2,2.5 # 3 m in a step, as ordinary eruptions on cells of 10 m
rates wide 0,2,10
rates much 0,2,60
rates none 0,2,0
rates little 0,2,0.5
rates late 20,22,1
case_of() { # DEM RATES LINE...
    printf '%s\n' "dem $1" 'crs EPSG:32633' 'vents vents.csv' "rates $2.csv" 'Pclock 120' 'PTsol 1143' 'PTvent 1360' 'Pr(Tsol) 0.5' \
        'Pr(Tvent) 0.95' 'Phc(Tsol) 40' 'Phc(Tvent) 1.5' 'Pcool 2.8' 'Prho 2600' 'Pepsilon 0.9' 'Psigma 5.68e-8' 'Pcv 1150' "${@:3}"
}
exact='terrain_error_m 0' # on purpose
plan_of() { case_of "$@" 'max_steps 200' 'members 6' 'arrival_bin_h 1' 'vary_Pcool lognormal 2.8 1.3'; }
tell() { # FOLDER COMMAND...: with maps as SVG
    "$sciara" "${@:2}" --output "$1" --format svg,html --map-size 500x400 >said 2>&1 || return
    mv said "$1/said"
}
told() { /usr/bin/python3 "$of" "$@"; }
note=(numerics 'of lava in a step into the cell at row 12')

# ---- runs
case_of dem.asc usual 'max_steps 3000' >usual.cfg
check "an ordinary eruption: runs" tell usual run usual.cfg
check "... and has a note, which only its summary has" told usual "${note[@]}"
call info usual.cfg
check "... and info" says '^notice +vent 1 emits up to 3 m of lava in a step'
case_of coarse.asc wide 'max_steps 12000' >coarse.cfg
check "larger cells: runs" tell coarse run coarse.cfg
check "... its maps say that the flow may be too long" told coarse "${note[@]}" result 'too long: cells of 20 m'
case_of dem.asc much 'max_steps 200' >much.cfg
check "lava leaves the terrain: runs" tell much run much.cfg
check "... its maps say so" told much "${note[@]}" result 'has left the terrain'
case_of dem.asc usual 'max_steps 61' >short.cfg
check "ends when the vent does: runs" tell short run short.cfg
check "... its maps say that the lava may advance further" told short "${note[@]}" result 'is still mobile in the end'
case_of dem.asc late 'max_steps 20' >late.cfg
check "ends before the first lava: runs" tell late run late.cfg
check "... who gave the rates is told" told late input 'no lava: the run ends at step 20'
case_of dem.asc none 'max_steps 20' | sed 's/^PTsol.*/PTsol 870/; s/^PTvent.*/PTvent 1087/' >cold.cfg
check "degrees Celsius, and rates of 0: runs" tell cold run cold.cfg
check "... who gave them is told" told cold input 'all rates are 0' input 'PTsol 870 is in kelvin'
case_of dem.asc usual 'max_steps 3000' 'emission published' >published.cfg
sed -i 's/^1,0,2/1,0.02,2/' usual.csv
check "emission by the published rule: runs" tell published run published.cfg
check "... its summary has by how much it differs" told published numerics 'the published rule applies'
rates usual 0,2,2.5

# ---- the example of README.md, on synthetic terrain: its run, and a plan of it
example() { awk -v head="$1" '$0 == "    " head { on = 1 } on && !/^    /{ exit } on' "$root/README.md" | cut -c5-; }
mkdir example && cd example || exit 1
"$sciara" terrain made --size 300 --quiet && mv made/terrain.tif dem.tif
example vent,x,y >vents.csv
example vent,from_h,to_h,rate_m3_s >rates.csv
example 'title       My volcano' >volcano.cfg
check "README's example: runs" tell run run volcano.cfg
check "... and nothing at all is to be said" told run
"$sciara" plan volcano.cfg | sed "s/^members.*/members 4/; s/^run_h.*/run_h 12/" >plan.cfg
check "a plan of it: computed" tell plan ensemble plan.cfg
check "... and its maps and its page say that 12 h are too short, and nothing else" told plan result 'simulations end before the eruption is over'
cd "$work" || exit 1

# ---- studies
plan_of dem.asc usual "$exact" 'vary_rate_factor lognormal 1 3' >exact.cfg
check "an ordinary plan: computed" tell exact ensemble exact.cfg --keep
check "... and has the note of its members, which only its summary has" told exact numerics 'of 6 members have a notice, such as member'
place() { printf '{"type":"Feature","properties":{"name":"%s"},"geometry":{"type":"Point","coordinates":[%s]}}' "$@"; }
printf '{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:32633"}},"features":[%s,%s]}' \
    "$(place Hut 500200,4170250)" "$(place Port 502000,4170250)" >places.geojson
plan_of dem.asc little >sure.cfg
check "a terrain taken as exact: computed" tell sure ensemble sure.cfg --until-error 0.001
check "... its maps say so, and that the error is not reached" told sure \
    result 'takes its terrain as exact' result 'standard error 0.001 that was requested is not reached'
plan_of dem.asc much "$exact" 'assets places.geojson' >leaving.cfg
check "lava of some members leaves: computed" tell leaving ensemble leaving.cfg
check "... its maps say with which probability, and which places are not there" told leaving numerics 'of 6 members have' input 'points are outside the terrain and skipped' \
    result 'lava leaves the terrain before the simulations end: ' result 'places of interest outside the terrain, where nothing is computed: 1 of 2: Port'
# ---- a place where the terrain has no data has no number anywhere
awk 'NR == 32 { for (j = 29; j < 34; j++) $j = -9999 } { print }' dem.asc >hole.asc
printf '{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:32633"}},"features":[%s,%s]}' \
    "$(place Hut 500200,4170250)" "$(place Pit 500305,4170145)" >pit.geojson
printf '%s\n' barrier,x,y,height_m 1,500180,4170240,5 1,500220,4170240,5 >wall.csv
bare="in the sea or outside the terrain's data" warned="outside the terrain's data"
is_bare() { # FOLDER TABLE LINES-ON-THE-TERMINAL
    [ "$(grep -c "^  Pit  *$bare\$" "$1/said")" = "$3" ] && grep -qE '^Pit,point,0,,+$' "$1/$2" && ! grep -qE '^Hut,(point,0)?,*$' "$1/$2" &&
        grep -q ">Pit: $bare<" "$1"/map_*.svg && grep -q "[Pp]laces of interest $warned, where nothing is computed: 1 of 2: Pit" "$1/summary.json" "$1/report.html"
}
case_of hole.asc usual 'max_steps 200' 'assets pit.geojson' >bare_run.cfg
check "a place in a hole: a run" tell bare_run run bare_run.cfg
check "... says so" is_bare bare_run assets.csv 0
plan_of hole.asc usual "$exact" 'assets pit.geojson' 'exceed_m 1' >bare.cfg
check "... an ensemble" tell bare ensemble bare.cfg --keep
check "... says so" is_bare bare assets.csv 1
plan_of hole.asc usual "$exact" 'assets pit.geojson' 'barriers wall.csv' >bare_pairs.cfg
"$sciara" ensemble bare_pairs.cfg --with-and-without barriers --output bare_pairs --format svg --map-size 500x400 >said 2>&1 && mv said bare_pairs && touch bare_pairs/report.html
check "... and pairs" is_bare bare_pairs assets_difference.csv 1
{ cat bare.cfg && echo 'observed_dry pit.geojson until 1h'; } >bare_now.cfg
check "... a nowcast" tell bare_now nowcast bare_now.cfg --library bare/library.gpkg
check "... says so" is_bare bare_now assets.csv 2
in_words() { ! grep -qE '^Pit,[0-9]*,[0-9]' bare_now/nowcast_places.csv && [ "$(grep -c "<td>Pit</td>.*$bare" bare_now/bulletin.html)" = 1 ]; }
check "... in its tables, and the bulletin" in_words

check "a question: answered" tell asked ask exact/library.gpkg --where 'rate_factor > 0.1' --members
check "... its maps have no warning" told asked numerics 'of 6 members have a notice'

# ---- a nowcast, with fronts of which one contradicts the other
front() { # FILE ROWS COLS...: cells with lava
    sed -n 1,6p dem.asc
    awk -v top="$1" -v bottom="$2" 'BEGIN { for (i = 0; i < 40; i++) { for (j = 0; j < 40; j++) printf "%d ", (i >= top && i < bottom && j >= 17 && j < 22); print "" } }'
}
front 10 16 >early.asc
front 11 14 >later.asc
front 30 39 >nowhere.asc
now() { # FOLDER LINE...
    { cat exact.cfg && printf '%s\n' "${@:2}"; } >"$1.cfg"
    tell "$1" nowcast "$1.cfg" --library exact/library.gpkg
}
check "an ordinary nowcast: computed" now forecast 'observed_front early.asc at 2h error_m 30 part'
check "... its bulletin and maps have no warning" told forecast numerics 'of 6 members have a notice'
check "... and its bulletin is what to open" grep -q '^open  *forecast/bulletin.html$' forecast/said
check "fronts that contradict each other and all members: computed" now against 'observed_front nowhere.asc at 1h error_m 5' \
    'observed_front later.asc at 2h error_m 5' 'effective_share 0.6'
check "... its bulletin and maps say it once" told against numerics 'of 6 members have a notice' result 'contradict each other' \
    result 'no simulated eruption resembles'
check "... after a sentence on the forecast" grep -qzP '</h1>\s*<p>As of [^<]*</p>\s*<p>Based on 6 simulated eruptions;[^<]*</p>\s*<p>The simulated eruptions differ [^<]*</p>\s*<p class="alert">' against/bulletin.html
"$sciara" nowcast against.cfg --library exact/library.gpkg --output italian --language it --quiet
check "... in the language of the bulletin" grep -q 'Avviso: Fronte a 1 h e fronte a 2 h si contraddicono' italian/bulletin.html
check "... and of no other" fails grep -q 'contradict each other' italian/bulletin.html

report
