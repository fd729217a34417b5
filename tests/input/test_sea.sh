#!/bin/bash
# test_sea.sh — sea_level in a case: a coast of zeros works as one without data; report, summary, info and map say how
# much lava entered the sea, when and where it first did; ensembles know it from lava that leaves the terrain.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: input/case
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1 LC_ALL=C
cd "$work" || exit 1

# A slope towards the south, into a bay: `sea` in each of its cells.
slope() { # slope SEA FILE
    awk -v sea="$1" 'BEGIN {
        print "ncols 40\nnrows 50\nxllcorner 500000\nyllcorner 4170000\ncellsize 10\nNODATA_value -9999"
        for (r = 0; r < 50; r++) for (c = 0; c < 40; c++)
            printf "%s%s", (r > 38 && c > 8 ? sea : 200 - 4 * r + (r * 7 + c * 3) % 5 / 4), (c == 39 ? "\n" : " ") }' >"$2"
}
slope 0 zeros.asc
slope -9999 holes.asc
printf 'vent,row,col\n1,10,20\n' >vents.csv
printf 'vent,from_h,to_h,rate_m3_s\n*,0,6,40\n' >rates.csv
for name in zeros holes; do
    printf '%s\n' "dem $name.asc" 'vents vents.csv' 'rates rates.csv' 'parameters etna-2006' 'max_steps 250' >$name.cfg
done
place() { printf '{"type":"Feature","properties":{"name":"%s"},"geometry":{"type":"Point","coordinates":[%s]}}' "$1" "$2"; }
printf '{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:32633"}},"features":[%s,%s,%s]}' \
    "$(place Harbour 500305,4170045)" "$(place House 500205,4170305)" "$(place Island 510000,4170305)" >places.geojson
printf '%s\n' 'sea_level 0' 'start_time 2006-07-14T22:00' 'crs EPSG:32633' 'assets places.geojson' >>zeros.cfg


first_step() { value first "$1/summary.json" | jq .step; }

# ---- a run
call run zeros.cfg --output out --format geotiff,png,svg --layers timeline
check "a coast of zeros: exit status 0" exits 0
check "... the ledger has an entry of its own" says '^  entered sea +[0-9.]+ m3$'
check "... when and where it first came" says '^sea +[0-9.]+ % of the lava has entered it; the first in step [0-9]+, after [0-9.]+ h, 2006-07-14 [0-9:]+ UTC, at x 500[0-9]+, y 4170[0-9]+$'
check "... and it is no lava that left the terrain" fails grep -q 'left the terrain' stdout
check "... with its date" grep -q '"date":."2006-07-14T' out/summary.json
check "... a place in it is named as such, and one outside the terrain" eval "says '^warning +places of interest in the sea, where nothing is computed: 1 of 3: Harbour$' &&
    says '^warning +places of interest outside the terrain, where nothing is computed: 1 of 3: Island$'"
check "... the timeline's picture calls it so" grep -q '>entered the sea, at snapshots<' out/timeline.svg
check "... and nothing else" fails grep -q 'left the terrain' out/timeline.svg
check "... a map" [ "$(find out -name "map_*.png")" ]
keep "$sciara" run holes.cfg --output plain --animate-every 30
check "a coast without data" exits 0
check "... later frames of its animation say so, with room for it in all" [ -s plain/animation.webp ]
check "... warns of what left" says '^warning.*has left the terrain'
check "... the same bits" [ "$(digest out)" = "$(digest plain)" ]
check "... as much left as entered the sea" [ "$(entry entered_sea out)" = "$(entry left_domain plain)" ]
check "... of which there is some" [ "$(entry entered_sea out)" -gt 1000000 ]
check "... and none left otherwise" [ "$(entry left_domain out)" = 0 ]
check "the ledger closes" closed out
step=$(first_step out)
call run zeros.cfg $((step - 1)) --output before --map-size 300x300 --map-dpi 72
check "a step before it comes there" says '^sea +no lava has reached it$'
check "... nothing is in the sea" [ "$(entry entered_sea before)" = 0 ]
check "... and the summary has no first time" grep -q '"first":.null' before/summary.json

# ---- from a state
call run zeros.cfg 180 --output part --state --quiet --map-size 300x300 --map-dpi 72
call run zeros.cfg --from part/state_000180.tif --output rest --map-size 300x300 --map-dpi 72
check "from a state: exit status 0" exits 0
check "... the same bits" [ "$(digest rest)" = "$(digest out)" ]
check "... the same sea" [ "$(entry entered_sea rest) $(first_step rest)" = "$(entry entered_sea out) $step" ]
call info part/state_000180.tif
check "info of a state: what entered the sea" says '^ +entered_sea +[0-9]+$'
call run holes.cfg --from part/state_000180.tif --output never
refusal 2 "from it without a sea" "differs in the sea"

# ---- info, and what is refused
# Water whose level has no exact number, in single precision: the same sea as at 0 m
slope 0.3 water.asc
gdal_translate -q -ot Float32 -a_srs EPSG:32633 water.asc water.tif
sed 's/zeros.asc/water.tif/; s/sea_level 0/sea_level 0.3/' zeros.cfg >water.cfg
call run water.cfg --no-output --json
check "water at 0.3 m in single precision: exit status 0" exits 0
check "... as much lava enters it" [ "$(entry entered_sea out)" -gt 0 -a \
    "$(json '[.. | objects | .entered_sea? | objects | .quanta][0]' stdout)" = "$(entry entered_sea out)" ]

call info zeros.cfg
check "info: the sea" says '^ +cells +341$'
check "... its level" says '^ +level_m +0$'
sed 's/sea_level 0/sea_level 9000/' zeros.cfg >all.cfg
refused 2 "all of it" 'all.cfg:6: the whole terrain is at or below 9000 m' run all.cfg --no-output
sed 's/sea_level 0/sea_level 170/' zeros.cfg >vent.cfg
refused 2 "a vent in the sea" 'vents.csv:2: vent 1 .*, where the sea is, at or below sea_level; move the vent or lower sea_level' run vent.cfg --no-output
refused 2 "published arithmetic" 'zeros.cfg:6: sea_level: the published arithmetic' run zeros.cfg --no-output --published
sed 's/sea_level 0/sea_level -100/' zeros.cfg >none.cfg
call run none.cfg 10 --no-output
check "none: a warning" complains 'no cell is at or below sea_level'

# ---- an ensemble
{ cat zeros.cfg && printf '%s\n' 'members 6' 'vary_rate_factor uniform 0.2 1.5' 'seed 3'; } >plan.cfg
call ensemble plan.cfg --map-size 300x300 --map-dpi 72 --output ensemble --layers members --quiet
check "an ensemble: exit status 0" exits 0
check "... whose lava reaches the sea in some members" [ "$(value into_sea ensemble/summary.json)" -gt 0 ]
check "... and never leaves the terrain" [ "$(value off_terrain ensemble/summary.json)" = 0 ]
check "... a column tells which" grep -q ',into_sea$' ensemble/members.csv
call ensemble plan.cfg --output resumed --quiet --shard 1/2
check "a shard of it" exits 0
call ensemble plan.cfg --output other --quiet --shard 2/2
call merge resumed other --map-size 300x300 --map-dpi 72 --output merged --layers members --quiet
check "merged" exits 0
check "... the same members" [ "$(cat merged/members.csv)" = "$(cat ensemble/members.csv)" ]
call run plan.cfg --member 2 --output member --quiet --map-size 300x300 --map-dpi 72
check "a member alone: as in the ensemble" grep -q ",$(digest member)," ensemble/members.csv
report
