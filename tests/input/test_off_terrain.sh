#!/bin/bash
# test_off_terrain.sh — lava that leaves a DEM that is too small, and an outline that reaches beyond it: the report, the
# summary and fit say how much that is, and nothing is concluded from what is cut off.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: input/case, input/eruption
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1 LC_ALL=C
cd "$work" || exit 1

# value KEY FILE: a number of a JSON file
within() { awk -v x="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(x + 0 >= low && x + 0 <= high) }'; }

# The same pyramid around the same vent, on a DEM with room for the lava and on one without
"$sciara" terrain wide --kind pyramid --size 201 --quiet
"$sciara" terrain tight --kind pyramid --size 41 --corner 500800 4170800 --quiet
call run wide/pyramid.cfg 300 --output whole --format geotiff
check "a DEM with room" exits 0
check "... nothing leaves it" [ "$(value left_domain_m3 whole/summary.json)" = 0 ]
check "... and nobody warns" fails grep -q '^warning' stdout
call run tight/pyramid.cfg 300 --output cut --format geotiff
check "a tight one" exits 0
share=$(value left_domain_share cut/summary.json)
check "... most of the lava leaves it" within "$share" 0.5 0.99
left=$(value left_domain_m3 cut/summary.json)
check "... which is 36,000 m3 in all" within "$(awk "BEGIN { print $left / $share }")" 35999.99 36000.01
percent=$(awk "BEGIN { printf \"%.3g\", 100 * $share }")
check "... and the report warns" says "^warning +$percent % of the lava has left the terrain: .*; $(printf %.6g "$left") m3 are missing; "
check "... and names the remedy" says 'use a larger DEM$'
check "... and says both thicknesses" says '^thickest +[0-9.]+ m at the end, [0-9.]+ m at any time$'

# ... as of an ensemble
for of in wide tight; do
    { grep -v '^max_steps' $of/pyramid.cfg && printf '%s\n' 'max_steps 300' 'members 4' 'vary_Pcool uniform 1 4'; } >$of/plan.cfg
    call ensemble $of/plan.cfg --output "many_$of" --map-size 300x300 --map-dpi 72
    check "an ensemble, $of" exits 0
    [ $of = tight ] || check "... does not warn of lava that left" fails grep -q '^warning.*terrain' stdout
done
check "... warns" says '^warning +lava leaves the terrain before the simulations end: all of 4 \(above 47 %\); .*; use a larger DEM$'

# A hole in the terrain, which no layer of a run shows: its record does
grid() { # VALUE INSIDE: a square of cells, with INSIDE in a block of them
    printf 'ncols 40\nnrows 40\nxllcorner 500000\nyllcorner 4170000\ncellsize 10\nNODATA_value -9999\n'
    awk -v value="$1" -v inside="$2" 'BEGIN { for (r = 0; r < 40; r++) for (c = 0; c < 40; c++)
        print (r > 21 && r < 26 && c > 17 && c < 22 ? inside : value == "slope" ? 500 - r : r > 17 && r < 30 && c > 15 && c < 24) }'
}
mkdir holes && grid slope -9999 >holes/dem.asc && grid outline 1 >holes/seen.asc
printf 'vent,x,y\n1,500195,4170205\n' >holes/vents.csv && printf 'vent,from_h,to_h,rate_m3_s\n1,0,4,2\n' >holes/rates.csv
sed 's/^dem .*/dem dem.asc/; s/^vents .*/vents vents.csv/; s/^rates .*/rates rates.csv/; /^crs/d; s/^max_steps .*/max_steps 100/' wide/pyramid.cfg >holes/holes.cfg
call run holes/holes.cfg --variant reference --output holes/out --format geotiff
check "a terrain with a hole" exits 0
call fit holes/out holes/seen.asc --json --no-map
cp stdout without.json
call fit holes/out holes/seen.asc --dem holes/dem.asc --json --no-map
check "a hole in the terrain counts where no layer has it" cmp <(jq -S 'del(.dem)' without.json) <(jq -S 'del(.dem)' stdout)
rm holes/out/record.zip
call fit holes/out holes/seen.asc --json --no-map
check "... which makes a difference" fails cmp -s <(jq -S . without.json) <(jq -S . stdout)

# Against the lava of the wide run as an outline, most of which lies outside the tight DEM
call fit whole whole/total_thickness_m_000300.tif --no-map
check "the wide run against itself" exits 0
check "... is all of it" says '^overlap J \(e1\) +1\.000$'
check "... with a difference of run-outs" says '^run-out .*, \+0 m$'
check "... and no warning" fails grep -q '^warning' stdout
call fit cut whole/total_thickness_m_000300.tif --no-map
check "the tight run against the wide one" exits 0
check "... says what left" says "^warning +$percent % of the lava"
check "... and what of the outline lies outside" says '^warning +[0-9.]+ % of the outline, [0-9.]+ km2, lies outside'
check "... and no difference of run-outs" says '^run-out +at least [0-9]+ m simulated, at least [0-9]+ m observed, difference unknown$'
call fit cut whole/total_thickness_m_000300.tif --json --no-map
cp stdout fit.json
cells=$(value covered_cells whole/summary.json)
seen=$(value observed_cells fit.json)
check "... as JSON: cells here" within "$seen" 50 "$((cells - 50))"
check "... and there are all that there are" [ "$(value outline_outside_m2 fit.json)" = "$(((cells - seen) * 100))" ]
check "... the share of those" [ "$(printf %.12f "$(value outline_outside_share fit.json)")" = "$(awk "BEGIN { printf \"%.12f\", 1 - $seen / $cells }")" ]
check "... what left" [ "$(value left_domain_m3 fit.json)" = "$left" ]
check "... no difference" [ "$(value runout_difference_m fit.json)" = null ]
call fit cut/total_thickness_m_000300.tif whole/total_thickness_m_000300.tif --case tight/pyramid.cfg --no-map
check "the layer alone: what left is not known" says '^warning +there is lava at the edge of the grid'
check "... and no difference either" says '^run-out .*difference unknown$'

# A hole inside the terrain: a larger DEM is no remedy for it
mkdir hole
awk 'BEGIN {
    print "ncols 40\nnrows 50\nxllcorner 500000\nyllcorner 4170000\ncellsize 10\nNODATA_value -9999"
    for (r = 0; r < 50; r++) for (c = 0; c < 40; c++)
        printf "%s%s", (r > 20 && r < 25 && c > 4 && c < 36 ? -9999 : 400 - 4 * r + c / 100), (c == 39 ? "\n" : " ") }' >hole/dem.asc
printf 'vent,row,col\n1,10,20\n' >hole/vents.csv
printf 'vent,from_h,to_h,rate_m3_s\n*,0,2,10\n' >hole/rates.csv
printf '%s\n' 'dem dem.asc' 'vents vents.csv' 'rates rates.csv' 'parameters etna-2006' 'max_steps 150' >hole/case.cfg
call run hole/case.cfg --output swallowed --format geotiff
check "a hole inside: exit status 0" exits 0
check "... swallows the lava" says '^warning .*has left the terrain.*; cells without data inside the terrain swallow lava, for example next to row 20, column [0-9]+: fill them \(sciara dem hole/dem.asc --like hole/dem.asc --source-crs EPSG:CODE --fill 100 --output hole/dem_new.tif\)$'

# info says how an outline of a case lies
{ cat tight/pyramid.cfg && echo 'outline ../whole/total_thickness_m_000300.tif'; } >tight/outlined.cfg
call info tight/outlined.cfg
check "info on a case with that outline" exits 0
check "... counts its cells" says "^outline_cells +$seen\$"
check "... and says the share outside" says '^outline_outside_share +0\.[0-9]+$'

# An outline that crosses itself, half of it off the terrain: every command says so
printf '{"type":"Polygon","coordinates":[[[501100,4170800],[501100,4171200],[501320,4170800],[501320,4171200],[501100,4170800]]]}' >bow.json
{ cat tight/pyramid.cfg && echo 'outline ../bow.json'; } >tight/bow.cfg
{ grep -v '^max_steps' tight/bow.cfg && printf '%s\n' 'max_steps 20' 'members 2' 'vary_Pcool uniform 1 4'; } >tight/bow_plan.cfg
warned='bow.json: 50 % of its area is outside the terrain'
call info tight/bow.cfg
check "info on a bow tie" says "^warning .*$warned"
check "... its area, of both halves" says '^  area_m2 +44000$'
check "... the share by cells" says '^outline_outside_share +0\.[45]'
call run tight/bow.cfg 20 --no-output
check "a run warns" complains "$warned"
call ensemble tight/bow_plan.cfg --output bow --map-size 300x300 --map-dpi 72
check "an ensemble warns" complains "$warned"

# The commands of docs/first-change.md
page=$root/docs/first-change.md
commands=$(sed -n 's/^    \(build\/bin\/sciara terrain .*\|printf .*\|build\/bin\/sciara info .*\)/\1/p' "$page" | sed "s|build/bin/sciara|\"\$sciara\"|; s|/tmp/made|made|")
check "the page of the first change has three commands" [ "$(grep -c . <<<"$commands")" = 3 ]
(eval "$commands") >stdout 2>stderr
check "... they end with the message that the page changes" complains 'made/vents.csv:2: the vent at 500, 500 is outside the DEM, which reaches from 500000, 4170000 to '
report
