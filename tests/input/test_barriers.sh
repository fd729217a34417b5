#!/bin/bash
# test_barriers.sh — walls and channels in a case: a wall is the terrain with it, a mirrored one gives the mirrored run, one
# that is built later is a change of the terrain, volumes and lengths are reported.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: input/case
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1 LC_ALL=C
cd "$work" || exit 1

# A rough slope to the south; a wall of WALL m in row 30 from column 5 to 34; FLIP: east for west.
slope() { # slope WALL FLIP FILE
    awk -v wall="$1" -v flip="$2" 'BEGIN {
        print "ncols 41\nnrows 60\nxllcorner 500000\nyllcorner 4170000\ncellsize 10\nNODATA_value -9999"
        for (r = 0; r < 60; r++) for (k = 0; k < 41; k++) {
            c = flip ? 40 - k : k
            printf "%s%s", 400 - 2 * r + (r * 7 + c * 3) % 11 / 8 + (r == 30 && c > 4 && c < 35 ? wall : 0), (k == 40 ? "\n" : " ") } }' >"$3"
}
slope 0 0 dem.asc
slope 0 1 flipped.asc
slope 6.5 0 walled.asc
printf 'vent,row,col\n1,10,17\n2,12,18\n' >vents.csv
printf 'vent,row,col\n1,10,23\n2,12,22\n' >flipped_vents.csv
printf 'vent,from,to,rate_m3_s\n*,0,6h,8\n' >rates.csv
make_case() { # make_case NAME LINE...
    printf '%s\n' 'dem dem.asc' 'vents vents.csv' 'rates rates.csv' 'parameters etna-2006' 'Pcool 30' 'max_steps 240' "${@:2}" >"$1.cfg"
}
run() { # run NAME OPTION...
    call run "$1.cfg" --output "$1" --quiet --format geotiff,original "${@:2}"
    check "$1 ${*:2}: exit status 0" exits 0
    check "... the ledgers close" closed "$1"
}

# ---- a wall is the terrain with it
printf 'barrier,x,y,height_m,name\n1,500055,4170295,6.5,dam\n1,500345,4170295,,\n' >wall.csv
make_case plain
make_case wall 'barriers wall.csv'
make_case walled && sed -i 's/^dem .*/dem walled.asc/' walled.cfg
run plain
run wall
run walled
check "a wall: as a terrain with it" [ "$(digest wall)" = "$(digest walled)" ]
check "... which holds lava up" [ "$(digest wall)" != "$(digest plain)" ]
check "... with its volume" grep -q '"fill_m3":.19500' wall/summary.json
call run wall.cfg --no-output
check "the report" says '^barrier +dam: wall of 6.5 m, 290 m long, 30 cells, 19500 m3 of fill, 0 m3 dug$'
call info wall.cfg
check "info" says 'name dam, height_m 6.5, width_m 0, stands_from_s 0, length_m 290, cells 30, fill_m3 19500, excavation_m3 0'

cat >wall.geojson <<'JSON'
{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"name": "dam", "height_m": 6.5},
 "geometry": {"type": "LineString", "coordinates": [[500055, 4170295], [500345, 4170295]]}}]}
JSON
make_case geojson 'barriers wall.geojson'
run geojson
check "GeoJSON: the same" [ "$(digest geojson)" = "$(digest wall)" ]

# ---- mirrored
cat >skew.csv <<'CSV'
barrier,x,y,height_m,depth_m,width_m,crest_m,kind
a,500080,4170330,5,,22,,
a,500190,4170240,,,,,
b,500230,4170400,,2,15,,
b,500250,4170180,,,,,
c,500013,4170102,,,,301.5,area
c,500118,4170121,,,,,
c,500102,4170189,,,,,
CSV
awk -F, -v OFS=, 'NR > 1 { $2 = 1000410 - $2 } 1' skew.csv >flipped.csv
make_case skew 'barriers skew.csv'
make_case flipped 'barriers flipped.csv'
sed -i 's/^dem .*/dem flipped.asc/; s/^vents .*/vents flipped_vents.csv/' flipped.cfg
run skew
run flipped
check "skew walls and a channel change the run" [ "$(digest skew)" != "$(digest plain)" ]
same_mirrored() {
    local part
    for part in Thickness Temperature SolidifiedLavaThickness Morphology; do
        cmp <(tail -n +7 "skew/skew_000000000240_$part.stt") \
            <(tail -n +7 "flipped/flipped_000000000240_$part.stt" | awk '{ for (i = NF; i > 0; i--) printf "%s  ", $i; print "" }') || return 1
    done
}
check "mirrored walls on the mirrored terrain: the mirrored run" same_mirrored
check "... and its volumes" [ "$(grep -o '"fill_m3":.[0-9.]*' skew/summary.json)" = "$(grep -o '"fill_m3":.[0-9.]*' flipped/summary.json)" ]

# ---- later
printf 'barrier,x,y,height_m,from\n1,500055,4170295,6.5,3h\n1,500345,4170295,,\n' >later.csv
make_case later 'barriers later.csv'
make_case survey 'terrain_update 3h walled.asc without_lava'
run later
run survey
check "built after 3 h: as a survey with it, without lava" [ "$(digest later)" = "$(digest survey)" ]
check "... in the ledger" [ "$(entry ground_raised later)" = $((65 * 30 * (1 << 36) / 10)) ]
check "... 90 steps" grep -q '"after_step":.90' later/summary.json
call run later.cfg 120 --output half --state --quiet --format geotiff
call run later.cfg --from half/state_000120.tif --output rest --quiet --format geotiff
check "... and from a state after it" [ "$(digest rest)" = "$(digest later)" ]
call run plain.cfg 90 --output first --state --quiet --format geotiff
call run later.cfg --from first/state_000090.tif --output on --quiet --changed --format geotiff
check "... and added to a run on the way" [ "$(digest on)" = "$(digest later)" ]
printf 'barrier,x,y,height_m,crest_m,from,name\n1,500055,4170295,6.5,,3h,\n1,500345,4170295,,,,\n2,500100,4170400,,350,1h,\n2,500200,4170395,,,,\n' >both.csv
make_case both 'barriers both.csv' 'terrain_update 2h dem.asc with_lava'
run both
check "two and a survey at three times" [ "$(grep -c '"after_step"' both/summary.json)" = 3 ]

# ---- a map, plans, refusals
call run wall.cfg --output drawn --quiet --format png --map-size 600x400
check "the map" [ -s drawn/map_000240.png ]
{ cat wall.cfg && printf '%s\n' 'members 4' 'vary_rate_factor uniform 0.5 1.5' 'terrain_error_m 0.3' 'terrain_error_length_m 50'; } >plan.cfg
call ensemble plan.cfg --output ensemble --layers members --map-size 600x400 --quiet
check "an ensemble with a wall" exits 0
call run plan.cfg --member 1 --output member --quiet --format geotiff
check "... a member alone: as in it" grep -q ",$(digest member)," ensemble/members.csv
make_case gone 'barriers nothing.csv'
refused 2 "no file" 'nothing.csv' run gone.cfg --no-output
refused 2 "published arithmetic" 'wall.cfg:7: barriers: the published arithmetic' run wall.cfg --no-output --published
report
