#!/bin/bash
# test_plan_of_case.sh — `sciara plan`: prints a plan that every command accepts, with the lines of the case and what fits
# its inputs; and what is refused.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: program/commands, study/draft
. tests/check.sh
needs_sciara
export LC_ALL=C
cd "$work" || exit 1

"$sciara" terrain made --size 40 --quiet || exit 1
sed -i '/^max_steps/d; $a max_steps 60' made/volcano.cfg
call plan made/volcano.cfg
check "a case: exit status 0" exits 0
cp "$work/stdout" made/plan.cfg
check "... its lines are there" [ "$(grep -cxFf made/volcano.cfg made/plan.cfg)" -ge "$(($(wc -l <made/volcano.cfg) - 1))" ]
check "... with the time for the number of steps, which ends before the eruption" says '^run_h +2$'
check "... and no such number" fails grep -q ^max_steps made/plan.cfg
check "... a line with what is uncertain, by the value of the case" says '^vary_Pcool +lognormal [0-9.]+ 1\.5$'
check "... vents to 50 m, not beyond the terrain" says '^vary_vent_east_m +normal 0 3[0-9]$' # a quarter of the way to the edge
check "... made-up terrain is exact" says '^terrain_error_m +0$'
check "... with the meaning of a key" says '^# another seed draws other members$'
check "... no long lines" awk 'length > 128 { exit 1 }' made/plan.cfg
call info made/plan.cfg
check "info reads it" says '^members +200$'
check "... and warns of nothing" fails grep -Eq "^(warning|notice)" "$work/stdout"
sed -i 's/^members.*/members 3/' made/plan.cfg
call ensemble made/plan.cfg --map-size 300x300 --map-dpi 72 --output out --variant reference
check "an ensemble runs" exits 0
check "... only the terrain is exact" says '^known exactly terrain$'

awk 'BEGIN { print "ncols 20\nnrows 20\nxllcorner 500000\nyllcorner 4170000\ncellsize 30\nNODATA_value -9999"
             for (i = 0; i < 20; i++) { for (j = 0; j < 20; j++) printf "%.2f ", 1000 - 3.37 * i + 0.31 * j; print "" } }' >made/dem.asc
{
    printf '%s\n' 'dem dem.asc' 'crs EPSG:32633' 'thickness dem.asc' 'parameters etna-2006' 'max_steps 10'
} >made/lava.cfg
awk 'NR > 6 { for (i = 1; i <= NF; i++) $i = 2 } 1' made/dem.asc >made/lava.asc
sed -i 's/^thickness.*/thickness lava.asc/' made/lava.cfg
call plan made/lava.cfg
check "cells of 30 m, lava without vents: exit status 0" exits 0
check "... the largest error of such a DEM" says '^terrain_error +from_dem aster$'
check "... as a guess" says '^# Terrain: a guess, the largest error'
check "... no rates, no vents" fails grep -q 'rate_factor\|vent_east' "$work/stdout"
cp "$work/stdout" made/lava-plan.cfg
call info made/lava-plan.cfg
check "... info reads it" says '^  terrain_error_m +8\.52'

# what NAME CELL KEYS...: the plan of a case on cells of that size
what() {
    local name=$1 cell=$2
    shift 2
    awk -v cell="$cell" 'NR == 5 { $2 = cell } { print }' made/dem.asc >made/dem_$cell.asc
    {
        printf '%s\n' "dem dem_$cell.asc" 'vents vents.csv' 'rates rates.csv' 'run_h 5' "$@"
        [[ " $* " == *" parameters "* ]] || sed -n '/^Pclock/,/^Pcv/p' "$root/data/etna2006.cfg"
    } >"made/$name.cfg"
    call plan "made/$name.cfg"
    cp "$work/stdout" "made/$name-plan.cfg"
}
printf '%s\n' vent,row,col 1,4,4 2,8,5 2,8,9 >made/vents.csv
printf '%s\n' vent,from,to,rate_m3_s '*,0,2,10' >made/rates.csv

what fine 4 'crs EPSG:32740'
check "4 m: a laser scan" says '^terrain_error +from_dem lidar$'
check "... cells of the parameters are guessed" says '^calibrated_cell_m +10$'
check "... and the step of these cells" says '^Pclock +48 # 120 on cells of 10 m$'
check "a single rate is a guess: a factor of 2" says '^vary_rate_factor +lognormal 1 2$'
check "... of 1.5 for its duration" says '^vary_duration_factor +lognormal 1 1\.5$'
check "... time for 99 of 100 durations, up to 5.14 h" says '^run_h +6$' # 2 h * 1.5^2.326
check "... a vent as wide as it needs to be" says '^vent_radius_m +100$'
check "... the direction of a fissure" says '^vary_azimuth_deg +normal 90 10$'
call info made/fine-plan.cfg
check "... info reads it" exits 0
check "... nor proposes another step" fails grep -q Pclock_proposed "$work/stdout"
printf '%s\n' vent,from,to,rate_m3_s '*,0,1,10' '*,1,2,4' >made/rates.csv
what italy 10 'crs EPSG:32633'
check "10 m in Italy: its DEM" says '^terrain_error +from_dem tinitaly$'
check "... as a guess" says '^# Terrain: a guess by the size of the cells and the place, Italy\.$'
check "... its own step" fails grep -q 'Pclock.*cells of' "$work/stdout"
check "rates that were measured: a factor of 1.5" says '^vary_rate_factor +lognormal 1 1\.5$'
check "... of 1.25 for the duration" says '^vary_duration_factor +lognormal 1 1\.25$'
check "... for which the time of the case is enough" says '^run_h 5$' # 2 h * 1.25^2.326 = 3.36 h
what elsewhere 10 'crs EPSG:32740'
check "10 m elsewhere: the largest" says '^terrain_error +from_dem aster$'
what named 90 'crs EPSG:2975' 'terrain_source Copernicus GLO-30, resampled' 'parameters etna-2006' 'vent_radius_m 300'
check "a source that is named" says '^terrain_error +from_dem copernicus30$'
check "... a set that knows its cells" fails grep -q ^calibrated made/named-plan.cfg
check "... the width of the case" [ "$(grep -c ^vent_radius_m made/named-plan.cfg)" = 1 ]
call info made/named-plan.cfg
check "... no warning" fails grep -Eq "^(warning|notice)" "$work/stdout"
check "... whose step is not drawn" fails grep -q ^vary_Pclock made/named-plan.cfg
printf '%s' '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Hut"},"geometry":{"type":"Point",' \
    '"coordinates":[500205,4170255]}}]}' >made/hut.geojson
what places 25 'crs EPSG:32633' 'parameters etna-2006' 'assets hut.geojson'
check "places: the step is drawn" says '^vary_Pclock +lognormal 300 1\.5 from 150 to 750$'
call info made/places-plan.cfg
check "... info reads it" exits 0
check "... no warning" fails grep -q ^warning "$work/stdout"
what both 30 'crs EPSG:32740' 'terrain_source SRTM, filled with ASTER'
check "two sources: a guess" says '^# Terrain: a guess, the largest error'

# terrain twice as wide as high: vents are as far from each edge; much lava; a fissure to the north-north-east
awk 'NR == 1 { $2 = 40 } NR > 6 { $0 = $0 $0 } 1' made/dem.asc >made/wide.asc
mv made/wide.asc made/dem.asc
printf '%s\n' vent,from,to,rate_m3_s '*,0,1,10' '*,1,2,200' '*,2,3,4' >made/rates.csv
for vent in 1,20 18,20 10,1 10,38; do
    printf '%s\n' vent,row,col "1,$vent" >made/vents.csv
    what wide 30 'crs EPSG:32740' 'calibrated_cell_m 30'
    check "a vent at $vent: a quarter of the 45 m to the edge" says '^vary_vent_north_m +normal 0 11$'
    check "... with a radius for eight times the greatest rate" says '^vent_radius_m +180$' # 8 * 200 * 120 m3 on pi r^2, 2 m thick
done
printf '%s\n' vent,row,col 1,12,20 1,8,22 >made/vents.csv
what fissure 30 'crs EPSG:32740'
check "a fissure of four rows and two columns" says '^vary_azimuth_deg +normal 27 10$'

refused 2 "a plan" 'is a plan already; name a case' plan made/plan.cfg
refused 2 "no file" 'never.cfg' plan made/never.cfg
refused 2 "nothing" 'name a case file' plan
report
