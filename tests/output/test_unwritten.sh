#!/bin/bash
# test_unwritten.sh — a computation whose files cannot all be written: each that can be is, the summary names the others, and
# --resume writes them without computing again; what can be foreseen is refused before anything is computed.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: output/products
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1
cd "$work" || exit 1
"$sciara" terrain made --size 60 --quiet || exit 1
sed -i 's/^max_steps .*/max_steps 120/' made/volcano.cfg

# limited ARGUMENTS...: no file may be larger than 250 KiB, as maps are
limited() {
    (trap '' XFSZ && ulimit -f 250 && exec "$sciara" "$@") >stdout 2>stderr
    code=$?
}
not_written() { json '.not_written[].name' "$1/summary.json" | sort; }
# ended WHAT FOLDER FILE...: with these files alone missing
ended() {
    check "$1: exit status 1" exits 1
    check "$1: one line" one_line
    check "$1: says why" complains ': cannot be written: .*; .*summary.json names (the missing one|them)$'
    check "$1: the summary names it" [ "$(not_written "$2" | tr '\n' ' ')" = "${*:3} " ]
    check "$1: ... and lists what is there" cmp <(listed "$2") \
        <(find "$2" -type f ! -name 'summary.json' ! -name 'state_*' ! -name 'report.html' ! -name shown.json -printf '%f\n' | sort)
}
# same_digest A B: it is there
same_digest() { [ ${#1} = 16 ] && [ "$1" = "$2" ]; }

# ---- a run
run() { run_as=$1 && shift && "$run_as" run made/volcano.cfg --variant reference --format geotiff,png,kmz,geojson --layers all "$@"; }
run call --output whole --quiet
check "a run" exits 0
check "... whose maps are large" [ "$(stat -c %s whole/map_000120.png)" -gt 256000 ]
check "... its other files are not" [ -z "$(find whole -type f -size +250k ! -name 'map_*')" ]
run limited --output run --state
ended "a run" run map_000120 map_arrival_000120
check "... all others are there" cmp <(listed run) <(listed whole | grep -v ^map_)
check "... it reports what it computed" says "^digest +$(digest whole)"
check "... the digest" same_digest "$(digest run)" "$(digest whole)"
check "... the record is whole" cmp run/record.zip whole/record.zip
call show run --only map_000120 --output painted
check "... and shows what could not be painted" cmp painted/map_000120.png whole/map_000120.png
call run made/volcano.cfg --variant reference --format geotiff,png,kmz,geojson --layers all --output run --resume
check "--resume writes them" exits 0
check "... computes nothing" grep -q '"from_step":.120,' run/summary.json
check "... all files" cmp <(listed run) <(listed whole)
check "... nothing is missing" fails grep -q not_written run/summary.json
rm -r run
run limited --output run --quiet --json
check "--json: all of summary.json" cmp stdout run/summary.json

# ---- before the computation
if "$sciara" run made/volcano.cfg 2 --variant reference --format gpkg --output packed --quiet 2>stderr; then
    export PROJ_DATA=$work/none PROJ_LIB=$work/none
    refused 2 "no database of PROJ" 'volcano.cfg: gpkg: .*proj.db.*; .* choose geojson' \
        run made/volcano.cfg --format gpkg --output never
    check "... nothing is written" [ ! -e never ]
    unset PROJ_DATA PROJ_LIB
else
    skip "a GeoPackage: $(cat stderr)"
fi

# ---- what computes many
{
    sed '/^max_steps/d' made/volcano.cfg
    printf '%s\n' 'run_h 3' 'terrain_error_m 0.5' 'terrain_error_length_m 40' 'seed 3'
} >made/base.cfg
{ cat made/base.cfg && printf '%s\n' 'members 4'; } >made/plan.cfg
maps='map_arrival map_probability map_thickness'
call ensemble made/plan.cfg --output ensemble_whole --layers all --quiet --variant reference
limited ensemble made/plan.cfg --output ensemble --layers all --variant reference
# shellcheck disable=SC2086 # words
ended "an ensemble" ensemble $maps
check "... the record is whole" cmp ensemble/record.zip ensemble_whole/record.zip
check "... reports" says '^members +4 of 4'
check "... the digest" same_digest "$(digest ensemble)" "$(digest ensemble_whole)"
call ensemble made/plan.cfg --output ensemble --layers all --resume --quiet --variant reference
check "... --resume writes them" cmp <(listed ensemble) <(listed ensemble_whole)

for i in 1 2; do call ensemble made/plan.cfg --shard $i/2 --output "part$i" --quiet --variant reference; done
limited merge part1 part2 --output merged --layers all
# shellcheck disable=SC2086 # words
ended "a merge" merged $maps
check "... the digest" same_digest "$(digest merged)" "$(digest ensemble_whole)"

{ cat made/base.cfg && printf '%s\n' 'outline ../whole/total_thickness_m_000120.tif' 'fit_Pcool 1 10 log'; } >made/fit.cfg
{ cat made/fit.cfg && printf '%s\n' 'evaluations 5' 'finalist_members 2'; } >made/calibration.cfg
limited calibrate made/calibration.cfg --output calibrated --layers all --variant reference
# shellcheck disable=SC2086 # words
ended "a calibration" calibrated $maps
check "... the best is there" [ -s calibrated/best.cfg ]
{ cat made/fit.cfg && printf '%s\n' 'trajectories 2'; } >made/sensitivity.cfg
limited sensitivity made/sensitivity.cfg --method morris --output sensed --layers all --variant reference
ended "a sensitivity analysis" sensed map_morris
report
