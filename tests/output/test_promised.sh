#!/bin/bash
# test_promised.sh — what docs/formats says of files, and what commands write: an independent reader of the pages
# (files_promised.py) finds each file that is written described there, and a file for each row of its tables.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: output/products
. tests/check.sh
needs_sciara
needs "python3 is not installed" python3 -c ''
export OMP_NUM_THREADS=1 LC_ALL=C
. tests/plans.sh
truth=../truth/total_thickness_m_000060.tif
echo '{"type":"Feature","properties":{"name":"Hut","people":3},"geometry":{"type":"Polygon","coordinates":[[[500100,4170100],[500300,4170100],[500300,4170300],[500100,4170100]]]}}' >made/places.json
{ cat made/volcano.cfg && printf '%s\n' "outline $truth" 'assets places.json' 'barriers walls.csv' 'background places.json' 'max_steps 20'; } | awk '$1 != "max_steps" || !n++' >made/run.cfg
{ cat made/plan.cfg && printf '%s\n' "outline $truth" 'assets places.json' 'exceed_m 1' 'arrive_within_h 1' 'discrepancy_m 20' 'vary_Pcool uniform 2 4'; } >made/full.cfg
sed '/^barriers/d' made/full.cfg >made/kept.cfg
{ cat made/kept.cfg && echo "observed_front $truth at 2h error_m 30"; } >made/now.cfg
{ cat made/fit.cfg && printf '%s\n' 'fit_rate_factor 0.5 2' 'trajectories 4' 'samples 16' 'second_order yes' 'posterior_members 10' 'finalist_members 2' 'assets places.json'; } >made/more.cfg
vent() { printf '{"type":"Feature","properties":{"zone":"%s"},"geometry":{"type":"Point","coordinates":[%s]}}' "$@"; }
echo "{\"type\":\"FeatureCollection\",\"features\":[$(vent north 500205,4170245),$(vent north 500235,4170285),$(vent south 500305,4170115),$(vent south 500265,4170135)]}" >made/vents.json
printf '%s\n' date,volume_m3,duration_h,zone 1945,3000,1,north 1962,4000,2,south 1980,2500,1,north 2001,5000,2,south >made/eruptions.csv
{ grep -Ev '^(vents|rates|terrain_error)' made/base.cfg && printf '%s\n' 'members 20' 'assets places.json' 'past_vents vents.json' 'catalogue eruptions.csv' 'catalogue_until 2020' 'complete 1940' 'past_flows places.json'; } >made/hazard.cfg
made() { # made FOLDER COMMAND...
    call "${@:2}" --output "to/$1" --layers all --quiet --map-size 300x300 --map-dpi 50
    check "$1" exits 0
}
mkdir to
made run run made/run.cfg --state --animate-every 30 --maps thickness,arrival,temperature,max_thickness \
    --format geotiff,png,original,geojson,gpkg,kmz,netcdf,qgis,html
check "... also what only the text of a page promises" [ -s to/run/animation.webp ]
made member run made/full.cfg --member 1 --format geotiff
check "a member of a plan has the places that the plan names" [ "$(column name to/member/assets.csv) $(column cells to/member/assets.csv)" = "$(column name to/run/assets.csv) $(column cells to/run/assets.csv)" ]
made kept ensemble made/kept.cfg --keep --format html,kmz,qgis
made pairs ensemble made/full.cfg --with-and-without barriers
made asked ask to/kept/library.gpkg --members --exposed people --compare 'Pcool > 3'
made now nowcast made/now.cfg --library to/kept/library.gpkg --format pdf
made search calibrate made/more.cfg --evaluations 9
made posterior calibrate made/more.cfg --posterior --evaluations 30
made sensitivity sensitivity made/more.cfg
made null null made/kept.cfg
made hazard hazard made/hazard.cfg
check "each file is described, and each that is promised is written" python3 "$root/tests/output/files_promised.py" "$root/docs/formats.md" to
report
