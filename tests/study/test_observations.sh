#!/bin/bash
# test_observations.sh — observations in the forms of the services that publish them, into one nowcast: each front and hot spot is
# what an independent reader finds; a layer of many dates that was taken for what it is not; refusals.
# tests: study/nowcast
. tests/check.sh
needs_sciara
/usr/bin/python3 -c 'import numpy; from osgeo import ogr; assert ogr.GetDriverByName("LIBKML")' 2>/dev/null ||
    needs "python3-gdal or python3-numpy is not installed" false
export OMP_NUM_THREADS=1
. tests/tables.sh
by="/usr/bin/python3 $PWD/tests/study/observations.py"
cd "$work" || exit 1
"$sciara" terrain made --size 48 --quiet || exit 1
cd made || exit 1
check "twenty files are made" $by make .
check "... and read anew" $by read .
check "... with eighteen fronts and nine lists of hot spots" [ "$(grep -c front plain) $(grep -c hot plain)" = "18 9" ]
start='start_time 2021-09-19T14:00Z'
plan() { # NAME LINE...
    grep -v '^max_steps' volcano.cfg
    printf '%s\n' 'run_h 300' 'members 3' 'vary_Pcool lognormal 2.8 1.3' 'arrival_bin_h 0.1' 'seed 5' 'effective_share 0.05' "${@:2}"
}
plan plain "$start" "$(cat plain)" >plain.cfg
"$sciara" nowcast plain.cfg --output "$work/plain" --layers all --map-size 300x300 --map-dpi 72 --quiet 2>"$work/stderr"
library=$(ls "$work"/made/output/*/library.gpkg)
weigh() { plan now "${@:2}" >"$1.cfg" && tables nowcast "$work/made/$1.cfg" "$work/$1" "library=$library"; }
weigh services "$start" "$(cat lines)"
check "one nowcast of twenty files" [ "$code" = 0 ]
columns() { /usr/bin/python3 -c 'import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
for name, *values in sorted(zip(*rows)): print(name, *values)' "$work/$1/weights.csv"; }
check "each front and hot spot weighs each member, and differently" \
    [ "$(columns plain | grep -c '^log_likelihood') $(columns plain | grep '^log_likelihood' | sort -uk 5 | wc -l) $(columns plain | grep -c ' 0 0 0$')" = "27 27 0" ]
check "... and no hot spot of a vector file is said to be outside the terrain" \
    [ "$(grep -c 'observed_hot_spots .*\(json\|zip\)' "$work/made/lines") $(grep -c 'of its points' "$work/services/summary.json")" = "4 0" ]
check "... as what an independent reader finds" cmp <(columns services) <(columns plain)

# ---- a layer of many dates
said() { [ "$code" = 2 ] && [ "$(wc -l <"$work/stderr")" = 1 ] && grep -q -- "$1" "$work/stderr"; }
refused() { # WHAT PATTERN LINE...
    weigh bad "${@:3}"
    check "refused: $1" said "$2"
}
fronts='observed_fronts service.geojson date date error_m 20'
refused "increments that are read as totals" "bad.cfg:.*service.geojson: its areas of 2021-09-19 14:40 UTC lack 100 % of the earlier areas; add the word 'increments'" \
    "$start" "$fronts"
weigh totals "$start" "observed_fronts days.geojson date date error_m 20"
weigh both "$start" "observed_fronts days.geojson date date error_m 20" "observed_fronts days.geojson date date increments error_m 20"
check "totals that are read as increments are the same fronts" [ "$(columns both | grep -c '^log') $(columns totals | grep -c '^log')" = "4 2" ]
refused "dates without the start of the eruption" 'fronts have dates; to make them times of the eruption, add start_time' "$fronts increments"
refused "an attribute that there is not" 'no feature has an attribute day' "$start" 'observed_fronts service.geojson date day error_m 20'
refused "what is no date" "feature 1: tipo is 'colada'; give dates such as 2006-07-14" "$start" 'observed_fronts service.geojson date tipo error_m 20'
refused "lava before the eruption" "feature 1: date is '.*', not after the start of the eruption" 'start_time 2021-09-19T14:35Z' "$fronts increments"
refused "no attribute" 'give FILE .* date FIELD error_m E' "$start" 'observed_fronts service.geojson error_m 20'
refused "a package without the start" 'the Copernicus package has a date; to make it a time of the eruption, add start_time' 'observed_front EMSR001_vector.zip error_m 20'
refused "an archive without a table of sources" 'masks.zip: ' "$start" 'observed_front masks.zip:mask5.asc error_m 20'
sed 's/"confidence": "l"/"confidence": "x"/' firms.geojson >odd.geojson
refused "what is no confidence" 'odd.geojson: feature 4: confidence: give low, nominal' "$start" 'observed_hot_spots odd.geojson'
sed '2s/,0112,/,25:30,/' nrt.csv >odd.csv
refused "what is no time" 'odd.csv:2: give acq_date as' "$start" 'observed_hot_spots odd.csv'
sed '3s/,6.5,/,-,/' nrt.csv >odd.csv
refused "power that is no number" 'odd.csv:3: frp: ' "$start" 'observed_hot_spots odd.csv frp'
weigh fine "$start" 'observed_hot_spots odd.csv'
check "... which counts only where it is asked for" [ "$code" = 0 ]
cp odd.csv 'the odd.csv' && ogr2ogr 'the days.gpkg' days.geojson -nln 'of days'
for quote in "'" '"'; do
    weigh named "$start" "observed_hot_spots 'the odd.csv' correlation_m 400" \
        "observed_fronts ${quote}the days.gpkg$quote layer 'of days' date date error_m 20"
    weigh plainly "$start" 'observed_hot_spots odd.csv' 'observed_fronts days.geojson date date error_m 20'
    check "names with blanks in $quote" cmp <(columns named) <(columns plainly)
done
refused "a name with blanks without quotes" "give FILE ('in quotes' where its name has blanks)" "$start" 'observed_hot_spots the odd.csv'
refused "... with a quote that is not closed" 'not closed by a quote' "$start" 'observed_hot_spots "the odd.csv'
refused "a condition on a table" 'nrt.csv: is not one of .* which a condition (where) needs; convert it .*: ogr2ogr .*nrt.csv$' \
    "$start" "observed_hot_spots nrt.csv where \"confidence = 'h'\""
/usr/bin/python3 -m zipfile -c two.zip odd.csv nrt.csv
refused "two tables in an archive" 'two.zip: is an archive of several files: odd.csv, nrt.csv; name one behind a colon' "$start" 'observed_hot_spots two.zip'
weigh named "$start" 'observed_hot_spots two.zip:odd' 'observed_fronts days.geojson date date error_m 20'
check "... and one of them" cmp <(columns named) <(columns plainly)
report
