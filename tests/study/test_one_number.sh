#!/bin/bash
# test_one_number.sh — a place has one number wherever it stands: 20 runs, ensembles, questions, pairs and nowcasts, of each
# of which an independent program (one_number.py) reads terminal, CSV, layers, labels of maps, report.html and bulletin.
# tests: output/products
. tests/check.sh
. tests/parts.sh
needs_sciara
export OMP_NUM_THREADS=1
repository=$PWD
cd "$work" || exit 1
one_number() { part "$@" >said.txt || { cat said.txt && false; }; }

# ---- a volcano with places on the margin of the lava, in it, in its way late, and far off
export PLACES='Hut "x" & <b>:28:25;Road:35:36:5;Late:27:44;Vent:30:23;Far:58:1;Bend:35:38'
start_parts "$repository/tests/study/one_number.py"
"$sciara" terrain made --size 60 --quiet || exit 1
point() { printf '{"type":"Feature","properties":{"name":"%s"},"geometry":{"type":"Point","coordinates":[%d,%d]}}' "$1" $((500005 + 10 * $3)) $((4170595 - 10 * $2)); }
road='{"type":"Feature","properties":{"name":"Road"},"geometry":{"type":"LineString","coordinates":[[500365,4170245],[500405,4170245]]}}'
printf '{"type":"FeatureCollection","features":[%s,%s,%s,%s,%s,%s]}\n' "$(point 'Hut \"x\" & <b>' 28 25)" "$road" \
    "$(point Late 27 44)" "$(point Vent 30 23)" "$(point Far 58 1)" "$(point Bend 35 38)" >made/places.json
echo "$road" >made/road.json
point Hut 28 25 >made/hut.json
point Far 58 1 >made/far.json
shared() { # LINE...: of all plans
    grep -Ev '^(rates|max_steps)' made/volcano.cfg
    printf '%s\n' 'observed_rates rates.csv' 'rates_error 1.6 correlation 0.7' 'rates_after ar1 factor 1.5' 'vary_eruption_end_h uniform 72 144' \
        'max_steps 3000' 'terrain_error_m 1' 'terrain_error_length_m 40' 'vary_Pcool lognormal 2.8 1.3' 'arrival_bin_h 1' 'assets places.json' "$@"
}
plans=0
one() { # KIND FOLDER COMMAND...: computes, and compares; $more: for one_number.py
    local kind=$1 folder=$2 formats
    shift 2
    plans=$((plans + 1))
    case $kind-$folder in
    pairs-*) formats=svg ;;
    ensemble-even | ensemble-some) formats=html,svg,kmz ;;
    *) formats=html,svg ;;
    esac
    call "$@" --output "$folder" --layers "${layers:-all}" --format $formats --map-size 350x350 --map-dpi 72
    check "$folder: ends well" exits 0
    cp stdout "$folder.txt"
    # shellcheck disable=SC2086 # words
    check "$folder: one number for a place" one_number "MEMBERS=${MEMBERS:-}" "$kind" "$folder" ${more:-}
    check "$folder: in many places" [ "$(sed -n '$s/^\([0-9]*\) numbers.*/\1/p' said.txt)" -gt "${least:-40}" ]
}

# ---- runs
for k in 1 2 3; do
    { grep -Ev '^(Pcool|max_steps)' made/volcano.cfg && printf '%s\n' "Pcool $k" 'assets places.json' "max_steps $((700 * k))"; } >made/run$k.cfg
    least=20 one run run$k run made/run$k.cfg
done
check "lava comes to a place" grep -q ',[0-9.]*,,*[0-9.]*,' run3/assets.csv

# ---- ensembles: equal weights; members with lava at no place or at all; vents that weigh; few
shared 'members 20' 'seed 5' 'exceed_m 1' 'arrive_within_h 20' >made/plan.cfg
more=$PWD/even/library.gpkg one ensemble even ensemble made/plan.cfg --keep --bulletin
check "probabilities of all kinds" [ "$(grep -cE '^  .* (none of 20|[0-9.]+ % ±)' even.txt)" -gt 3 ]
shared 'members 8' 'seed 6' 'exceed_m 0.5 2' 'arrive_within_h 10 60' 'thickness_of medians' >made/few.cfg
one ensemble few ensemble made/few.cfg
printf '%s\n' vent,x,y,weight 1,500235,4170305,1 2,500255,4170285,3 3,500215,4170325,6 >made/weighed.csv
sed 's/,1$/,5/; s/,6$/,2/' made/weighed.csv >made/otherwise.csv
printf '%s\n' class,weight,volume_m3,duration_h short,2,40000,12 long,1,90000,24 >made/classes.csv
shared 'vent_list weighed.csv' 'classes classes.csv' 'repeats 4' | grep -Ev '^(vents|observed_rates|rates_|vary_eruption_end)' >made/vents.cfg
more=$PWD/vents/library.gpkg one ensemble vents ensemble made/vents.cfg --keep
check "members that weigh differently" [ "$(column weight vents/members.csv | sort -u | wc -l)" -gt 1 ]
shared 'members 1' >made/alone.cfg
one ensemble alone ensemble made/alone.cfg
check "a member alone is all of 1" grep -q 'all of 1 (above 5 %)' alone.txt

# ---- questions
library=even/library.gpkg
more=$PWD/$library one ensemble asked ask $library --members
more=$PWD/$library one ensemble some ask $library --where 'Pcool > 2.8'
check "of some members" [ "$(column member some/members.csv | wc -l)" -lt 20 ]
more=$PWD/vents/library.gpkg one ensemble other ask vents/library.gpkg --vents made/otherwise.csv --where "class = 'short'"

# ---- pairs
printf '%s\n' barrier,x,y,height_m 1,500300,4170330,15 1,500400,4170350,15 >made/wall.csv
for k in 1 2; do
    shared "members $((8 * k))" "seed $k" 'barriers wall.csv' >made/pairs$k.cfg
    least=30 one pairs pairs$k ensemble made/pairs$k.cfg --with-and-without barriers
done

# ---- nowcasts
for hour in 24 48; do # what the lava of a member was
    /usr/bin/python3 "$repository/tests/study/nowcast_check.py" front $library 7 $hour >made/f$hour.asc || exit 1
done
of_nowcast='weights,posterior,forecasts,change*,map_change*,probability_before,probability_yesterday,probability_in_*' # and none of an ensemble
now() { # FOLDER OPTIONS LINE...: with $more, $layers
    { shared 'members 20' 'seed 5' 'exceed_m 1' 'arrive_within_h 20' "effective_share ${share:-0.5}" "${@:3}"; } >"made/$1.cfg"
    # shellcheck disable=SC2086 # options are words
    MEMBERS=$([[ $2 = *--rounds* ]] || echo even) layers=${layers:-$of_nowcast} least=150 one nowcast "$1" nowcast "made/$1.cfg" --library $library $2
}
day='observed_front f24.asc at 24h error_m 15' second='observed_front f48.asc at 48h error_m 15'
first=front,made/f24.asc,24 both="front,made/f24.asc,24 front,made/f48.asc,48"
more=$first now day '' "$day" 'start_time 2026-11-25T00:00+01:00'
more=$both now two '' "$day" "$second"
layers=all more=$both now files '' "$day" "$second" 'discrepancy_m 30'
check "one layer and one map of the probability in the end, by whatever it is known" [ "$(cd files && echo probability.tif map_prob* probability_d*)" = \
    'probability.tif map_prob* probability_d*' ]
share=0.000001 more=$first now past '--now 30h' 'observed_front f24.asc at 24h error_m 1 correlation_m 1' "$second"
check "few members that count, and a place that some of the others reach" awk -F, '$4 > 0 && $4 < 1e-5 && $7 != "" { n++ } END { exit !n }' past/assets.csv
layers=all more="arrival,Road,30 arrival,Far,20" now places '' 'observed_dry hut.json until 40h' 'observed_arrival road.json at 30h error_h 4' \
    'observed_arrival far.json at 20h error_h 1'
more="$both it" now italian '--language it' "$day part" "$second"
check "... and so are its maps" eval "grep -q 'eruzioni simulate' italian/map_forecast.svg && fails grep -qE 'simulated|points<' italian/map_*.svg"
more=$both now round '--rounds 1' "$day" "$second"
more=$both now rounds '--rounds 2' "$day" "$second" 'observed_dry hut.json until 47h'
check "what was seen at a place itself changes its number" [ "$(cut -d, -f 5 places/nowcast_places.csv | sed -n 5p)" != \
    "$(awk -F, 'NR > 1 { w += $4; d += $2 } END { print w / d }' places/weights.csv)" ]
check "reached where it was seen, and nowhere else" [ "$(grep -oE 'reached</td><td>seen at [0-9]+ h' places/bulletin.html | sort | uniq -c | xargs)" = '1 reached</td><td>seen at 20 h 1 reached</td><td>seen at 30 h' ]
check "where it was seen it is sure, though some members stay away" [ "$(grep -cE '^Road,,0\.9,0\.9,1,0,' places/nowcast_places.csv)" = 1 ]
check "... or all" [ "$(grep -cE '^Far,,0,0,1,0,20,' places/nowcast_places.csv)" = 1 ]
if command -v node >/dev/null && node -e 'process.exit(require(process.argv[1]).findProgram() ? 0 : 1)' "$repository/tests/chromium.js"; then
    mkdir -p languages/en languages/it && printf '%s\n' Hut Road Late Vent Far Bend EPSG now italian two made/ >languages/names
    cp two/{report,bulletin}.html languages/en && cp italian/{report,bulletin}.html languages/it
    # (in one browser: what is wrong of the languages names its page, report.html or bulletin.html)
    timeout 240 node "$repository/tests/report_browser.js" "$work" nowcast "$work/two" languages "$work/languages" >shown.txt 2>&1 || cat shown.txt
    shown() { grep -q '^browser: ' shown.txt && fails eval "grep '^FAILED' shown.txt | grep $1 '^FAILED: [a-z]*.html'"; }
    check "report.html shows them" shown -v
    check "in Italian, nothing is English" shown -e
else
    skip "no browser to show report.html"
fi
check "20 of them" [ $plans = 20 ]

# ---- what the page of `sciara serve` is sent
served() { # FILE FOLDER run|ensemble|ask
    rm -f address # (of the one before)
    "$sciara" serve "$1" --no-open --output pages >address 2>stderr &
    child=$!
    wait_until has_address address
    check "$1 in the page: one number for a place" one_number "ADDRESS=$(grep -o 'http://[^ ]*' address)" served "$2" "$3"
    check "$1: at places and in cells" grep -q 'page, cell.* page, place' said.txt
    kill -INT $child
    wait $child
    child=''
}
if "$sciara" serve --help >/dev/null 2>&1; then
    served made/run3.cfg run3 run
    served made/plan.cfg even ensemble
    served even/library.gpkg asked ask
else
    skip "the page: sciara is built without libmicrohttpd"
fi
end_parts
report
