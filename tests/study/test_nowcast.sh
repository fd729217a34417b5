#!/bin/bash
# test_nowcast.sh — `sciara nowcast`: weights against an independent program, and what has to hold for any observation: the
# order of lines does not matter, nothing counts twice, what tells nothing changes nothing, bad lines are refused.
# tests: study/nowcast
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1
. tests/tables.sh
. tests/python.sh
repository=$PWD
of() { json ".nowcast.$2.$3" "$work/$1/summary.json"; } # a number of a nowcast
[[ $sciara = /* ]] || sciara=$PWD/$sciara

"$sciara" terrain "$work/made" --size 120 --quiet || exit 1
cat >"$work/made/places.json" <<'END'
{"type":"FeatureCollection","features":[
{"type":"Feature","properties":{"name":"Hut"},"geometry":{"type":"Point","coordinates":[500405,4170655]}},
{"type":"Feature","properties":{"name":"Below"},"geometry":{"type":"Point","coordinates":[500905,4170555]}}]}
END
point() { # FILE ROW COL: a place in that cell
    printf '{"type":"Feature","properties":{"name":"%s"},"geometry":{"type":"Point","coordinates":[%d,%d]}}\n' \
        "$1" $((500005 + 10 * $3)) $((4171195 - 10 * $2)) >"$work/made/$1.json"
}
{
    grep -Ev '^(rates|max_steps)' "$work/made/volcano.cfg"
    printf '%s\n' 'observed_rates rates.csv' 'rates_error 1.6 correlation 0.7' 'rates_after ar1 factor 1.5' \
        'vary_eruption_end_h uniform 72 144' 'max_steps 3000' 'members 40' 'terrain_error_m 1' 'terrain_error_length_m 40' \
        'vary_Pcool lognormal 2.8 1.3' 'arrival_bin_h 1' 'assets places.json' 'seed 5'
} >"$work/made/plan.cfg"
plan() { { cat "$work/made/plan.cfg" && printf '%s\n' "$@"; } >"$work/made/now.cfg"; }
small=(--map-size 300x300 --map-dpi 40 --quiet)
layers=weights # of now
check_by() { python "$repository/tests/study/nowcast_check.py" "$@"; }
library=$work/output/now/library.gpkg
at_work() { cd "$work" && call "$@" && cd "$repository"; } # `call`, in the folder of the test
now() { # FOLDER LINE...: a nowcast with these lines
    plan "${@:2}"
    at_work nowcast made/now.cfg --output "$1" "${small[@]}" --layers "$layers"
}
weigh() { # FOLDER LINE...: its tables and its summary alone
    plan "${@:2}"
    tables nowcast "$work/made/now.cfg" "$work/$1" "library=$library"
}
differs_by() { # what the independent program finds is at most 1e-6 off
    awk -v found="$1" 'BEGIN { exit !(found != "" && found + 0 < 1e-6) }'
}

# ---- from nothing to a forecast: the members are computed, and kept
point dry 50 40
point came 62 60
point below 64 90
check_fronts() {
    check_by front "$library" 7 24 >"$work/made/f24.asc" && check_by front "$library" 7 48 >"$work/made/f48.asc"
}
now first 'observed_dry dry.json until 10h'
check "a plan with an observation: its members are computed first" [ -s "$library" ]
check "of 40 members" [ "$(value done "$work/first/summary.json")" = 40 ]
ensemble=$(digest "$work/output/now")
before=$(stat -c %Y "$library")
check "fronts of a member" check_fronts
check "which has lava, and more a day later" [ "$(grep -o 1 "$work/made/f24.asc" | wc -l)" -lt \
    "$(grep -o 1 "$work/made/f48.asc" | wc -l)" ]

# ---- weights
two=('observed_front f24.asc at 24h error_m 15' 'observed_front f48.asc at 48h error_m 15')
layers=all
now two "${two[@]}"
layers=weights
found=$(check_by weights "$library" "$work/two" 0.1 front="$work/made/f24.asc,24,15" front="$work/made/f48.asc,48,15")
check "two fronts weigh as an independent program finds ($found)" differs_by "${found%% *}"
check "and name no member that was not there" [ "$(wc -l <"$work/two/weights.csv")" = 41 ]
check "no member was computed again" [ "$(stat -c %Y "$library")" = "$before" ]
all=("${two[@]}" 'observed_dry dry.json until 48h' 'observed_arrival below.json at 12h error_h 4' 'effective_share 0.9'
    'observed_front f48.asc at 30h error_m 40 part')
weigh all "${all[@]}"
found=$(check_by weights "$library" "$work/all" 0.9 front="$work/made/f24.asc,24,15" front="$work/made/f48.asc,48,15" \
    dry=50:40,48 arrival=64:90,12,4 front="$work/made/f48.asc,30,40,part")
check "and fronts of which a part is seen, dry places and arrivals ($found)" differs_by "${found%% *}"
weigh early 'observed_arrival below.json at 3h error_h 4' 'effective_share 0.01'
found=$(check_by weights "$library" "$work/early" 0.01 arrival=64:90,3,4)
check "an arrival that was seen before any member's lava comes near ($found)" differs_by "${found%% *}"
check "weights are tempered to the share of members that is asked for" awk -v n="$(of all now effective)" \
    -v power="$(of all now power)" 'BEGIN { exit !(n > 35.9999 && n < 36.0001 && power < 1) }'
check "without a warning" [ "$(json .nowcast.warning "$work/all/summary.json")" = "" ]

# ---- what was seen in the cell itself
weights() { cut -d, -f 4 "$work/$1/weights.csv" | sed 1d; }
if command -v gdal_translate >/dev/null; then
    now here "${two[@]}" 'effective_share 0.5'
    found=$(check_by forecast "$library" "$work/here" "$work/made/f48.asc,48,15" 54:40)
    check "the forecast of all cells and of a place, as an independent program finds ($found)" differs_by "${found%% *}"
    check "the front changes it in the cells where members had lava by then" awk -v most="${found##* }" 'BEGIN { exit !(most > 0.2) }'
    now model "${two[@]}" 'effective_share 0.5' 'discrepancy_m 60'
    found=$(check_by forecast "$library" "$work/model" "$work/made/f48.asc,48,15" 54:40)
    check "there the error of the model does not count ($found)" differs_by "${found%% *}"
    check "but in the weights" [ "$(weights model)" != "$(weights here)" ]
else
    skip "the forecast of cells, read anew: gdal-bin is not installed"
fi
check "--layers all: those of an ensemble, too" [ -s "$work/two/thickness_mean_m.tif" ]
plan "${two[@]}"
at_work nowcast made/now.cfg --output few "${small[@]}"
check "without it few files" [ "$(ls "$work/few" | paste -sd' ')" = "assets.csv bulletin.html bulletin.png map_bulletin.png map_forecast.png nowcast_places.csv probability.tif record.zip shown.json summary.json" ]
check "and the same digest" [ "$(digest "$work/few")" = "$(digest "$work/two")" ]

# ---- properties
weigh reversed "${all[5]}" "${all[3]}" "${all[4]}" "${all[2]}" "${all[1]}" "${all[0]}"
check "the order of lines does not matter" [ "$(digest "$work/reversed")" = "$(digest "$work/all")" ]
check "nor to any weight" cmp -s "$work/reversed/weights.csv" "$work/all/weights.csv"
cp "$work/made/f48.asc" "$work/made/again.asc"
weigh thrice "${two[@]}" "${two[1]}" 'observed_front again.asc at 48h error_m 15' 'observed_front ./f48.asc at 48h error_m 15'
near() { paste <(weights "$1") <(weights "$2") | awk '{ d = $1 - $2; if (d * d > 16) bad = 1 } END { exit bad || !NR }'; }
check "a front that is there three times counts once" near two thrice
surveys=('observed_front f48.asc at 48h error_m 15' 'observed_front f48.asc at 48h error_m 40' 'observed_front f48.asc at 48h error_m 40 part'
    'observed_front f48.asc at 48h error_m 40 correlation_m 100')
weigh forth "${surveys[@]}"
weigh back "${surveys[3]}" "${surveys[2]}" "${surveys[1]}" "${surveys[0]}"
check "one front with four errors" [ "$(sed -n 8p "$work/forth/weights.csv" | cut -d, -f 5,7,9,11 | tr , '\n' | sort -u | wc -l)" = 4 ]
check "in any order: the same columns" cmp -s "$work/forth/weights.csv" "$work/back/weights.csv"
weigh sure 'observed_front f24.asc at 24h error_m 1 correlation_m 1' 'observed_front f48.asc at 48h error_m 1 correlation_m 1' \
    'effective_share 0.000001'
check "a member that is less likely than any number can be (e^-745) keeps a weight" awk -F, 'NR > 1 { l = $5 + $7; if (NR == 2 || l > most) most = l
    if (NR == 2 || l < least) least = l; lost += !$4 } END { exit !(least - most < -745 && !lost && NR == 41) }' "$work/sure/weights.csv"
weigh twice 'observed_front f48.asc at 48h error_m 15 correlation_m 100' 'effective_share 0.01'
weigh once 'observed_front f48.asc at 48h error_m 15 correlation_m 400' 'effective_share 0.01'
check "cells that are correlated farther know less" awk -v a="$(of twice now effective_untempered)" -v b="$(of once now effective_untempered)" \
    'BEGIN { exit !(a + 0 < b + 0) }'
point far 5 5
weigh nothing 'observed_dry far.json until 48h'
check "a place that no member reaches changes nothing" [ "$(digest "$work/nothing")" = "$ensemble" ]
check "nor does it weigh" [ "$(cut -d, -f 4 "$work/nothing/weights.csv" | sed 1d | sort -u)" = 1 ]
hours=()
for ((hour = 1; hour <= 70; hour++)); do hours+=("observed_dry came.json until ${hour}h"); done
weigh hourly "${hours[@]}"
check "seventy observations" [ "$(jq '.nowcast.seen | length' "$work/hourly/summary.json")" = 70 ]
check "which weigh, as lava comes there" [ "$(weights hourly | sort -u | wc -l)" -gt 1 ]
weigh later 'observed_dry below.json until 10h' 'effective_share 0.5'
arrivals() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^arrival/) of[i]; next } $1 == "Below" { for (i in of) print $i }' "$work/$1/assets.csv"; }
check "members come to a place before a time" [ "$(arrivals nothing | sort -n | head -1 | cut -d. -f 1)" -lt 10 ]
check "until which it was seen dry: what is told of arrivals is later" awk '{ n += $1 >= 10 } END { exit !(n == 4 && NR == 4) }' <(arrivals later)
at_work nowcast made/now.cfg --output said --map-size 300x300 --map-dpi 72
check "members that agree have no error of 0, but a bound" awk '/^  Below +all of 20 \(above 86 %\)/ { n++ } /at most 0|± 0([^.0-9]|$)/ { bad = 1 } END { exit !n || bad }' "$work/stdout"
check "also of the earliest one" awk -F, '$1 == "Below" { n++; if ($7 < 10) bad = 1 } END { exit !n || bad }' "$work/later/nowcast_places.csv"
check "the earliest time lies between its bounds" awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { here = $at["earliest_h"]; low = $at["earliest_low_h"]; high = $at["earliest_high_h"] }
    here != "" { n += low < here; if (low == "" || low > here || high != "" && high < here) bad = 1 } END { exit bad || !n }' "$work/two/nowcast_places.csv"
plan "${two[@]}"
at_work nowcast made/now.cfg --now 24h --output past "${small[@]}"
weigh day "${two[0]}"
check "--now leaves out what was seen later" [ "$(digest "$work/past")" = "$(digest "$work/day")" ]
check "a forecast of a day before is scored, with the prior and no change" [ "$(grep -c ^48, "$work/two/forecasts.csv")" = 3 ]
check "seeing the front of yesterday makes it better" awk -F, '$1 == 48 { of[$2] = $7 } END { exit !(of["nowcast"] < of["before"]) }' \
    "$work/two/forecasts.csv"
check "the likeliest member is the truth" [ "$(value likeliest_member "$work/two/summary.json")" = 7 ]
check "a bulletin is written" grep -q 'How yesterday' "$work/two/bulletin.html"
now old "${two[@]}" 'observed_end 96h error_h 20'
check "two days after the last front, that forecast is not yesterday's" [ "$(grep -oE 'How (yesterday.s|an earlier) forecast did' "$work/old/bulletin.html")" = 'How an earlier forecast did' ]
jq -n '{type: "FeatureCollection", features: [range(60) | {type: "Feature", properties: {name: "\(99 - .) località assai lunga presso la strada"},
    geometry: {type: "Point", coordinates: [500105 + 180 * (. % 6), 4171105 - 110 * (. / 6 | floor)]}}]}' >"$work/made/many.json"
plan "${two[@]}"
at_work nowcast made/now.cfg --assets made/many.json --output many --format svg --map-size 300x300 --quiet
paper() { grep -oE '>[0-9]{2} località' "$work/many/bulletin.svg" | grep -oE '[0-9]+' | sort -u; }
check "many places: on paper the most probable ones, by name where these are many" [ "$(paper)" = "$(awk -F, '$2 == ""' "$work/many/nowcast_places.csv" |
    LC_ALL=C sort -t, -k5,5gr -k1,1 | head -"$(paper | wc -l)" | cut -c1-2 | sort)" ]
check "ten, for which the map shrinks, to a quarter of the page at least" awk -v shown="$(paper | wc -l)" \
    -v height="$(grep -oE '<image[^>]* height="[0-9]+' "$work/many/bulletin.svg" | grep -oE '[0-9]+$' | sort -n | tail -1)" \
    'BEGIN { share = height * 72 / 300 / 842; exit !(shown == 10 && share >= 0.25 && share < 0.4) }'
counted() { # of the table of more and less lava: rows that are shown, and those that are omitted, are three
    sed -n '/>With more or less/,/>Not simulated/p' "$work/many/bulletin.svg" >"$work/second_table"
    local shown more
    shown=$(grep -cE '>([0-9.]+ million|at most|any amount)' "$work/second_table")
    more=$(grep -oE '>and [0-9]+ more lines?<' "$work/second_table" | grep -oE '[0-9]+')
    [ "$shown" -gt 1 ] && [ "${more:-0}" -gt 0 ] && [ $((shown + more)) = 3 ]
}
check "... and how many lines of other tables are omitted is said" counted
numbers_in() { # FILE [MARKS]: but those of its style and its seal
    sed -E "/<style>/,/<\/style>/d; s/CRC-32 [0-9a-f]{8}//; ${2:-}" "$1" | grep -oE '[0-9][0-9.]*' | sort | tr '\n' ' '
}
each_language() { # TEXT...: of the bulletin in it, es, fr and is; each has as many numbers as the English one
    local language numbers
    numbers=$(numbers_in "$work/two/bulletin.html")
    for language in it es fr is; do
        plan "${two[@]}"
        at_work nowcast made/now.cfg --output "$language" --language "$language" "${small[@]}" && exits 0 || return 1
        at_work show "$language" --format pdf --only bulletin --output "$language/paper" && exits 0 || return 1
        grep -q "<html lang=\"$language\">" "$work/$language/bulletin.html" && grep -q "$1" "$work/$language/bulletin.html" || return 1
        [ "$(numbers_in "$work/$language/bulletin.html" 's/([0-9]),([0-9])/\1.\2/g')" = "$numbers" ] || return 1
        sed '/<style>/,/<\/style>/d' "$work/$language/bulletin.html" | grep -qE 'simulated|unlikely|Place|How yesterday|[0-9][.][0-9]' && return 1
        [ "$(grep -aoE '/Type /Page[^s]' "$work/$language/paper/bulletin.pdf" | wc -l)" = 1 ] || return 1
        [ "$(digest "$work/$language")" = "$(digest "$work/two")" ] || return 1
        shift
    done
}
check "in the languages of the page, with the numbers of the English one; on paper it is one page" each_language \
    'Probabilità che la lava arrivi entro' 'Probabilidad de que la lava llegue antes de' 'Probabilité que la lave arrive' 'Líkur á að hraun komi'
call nowcast "$work/made/now.cfg" --library "$library" --language de --output "$work/never"
check "another language: refused" exits 2

# ---- rates
printf '%s\n' vent,from_h,to_h,rate_m3_s,factor 1,0,24,1.1,1.2 1,24,48,1,1.2 2,0,24,1.1,1.2 2,24,48,1,1.2 >"$work/made/seen.csv"
weigh rates 'weigh_rates seen.csv' 'effective_share 0.01'
found=$(check_by weights "$library" "$work/rates" 0.01 rates=5,2,1.6,1.2,2.2,2)
check "rates weigh as an independent program finds, which draws them anew ($found)" differs_by "${found%% *}"
volume() { awk -F, '$1 == "emitted_m3" { print $'"$1"' }' "$work/rates/posterior.csv"; }
check "rates weigh members: what they emit is known better" awk -v a="$(volume 4)" -v b="$(volume 2)" -v c="$(volume 7)" \
    -v d="$(volume 5)" 'BEGIN { exit !(a > b && c - d < a - b) }'
check "without new runs" [ "$(stat -c %Y "$library")" = "$before" ]

# ---- fronts that are wrong: moved, of other days, and of another eruption
told() { json .nowcast.warning "$work/$1/summary.json"; }
moved() { # ROWS COLS: the front of 48 h, that many cells to the south and east
    awk -v down="$1" -v right="$2" 'NR <= 6 { print; next } { for (i = 1; i <= NF; i++) at[NR - 6, i] = $i; rows = NR - 6; cols = NF }
        END { for (r = 1; r <= rows; r++) { for (c = 1; c <= cols; c++) printf("%s ", ((r - down, c - right) in at) ? at[r - down, c - right] : 0); print "" } }' \
        "$work/made/f48.asc"
}
for way in '-20 0 180' '20 0 0' '0 -10 90' '-14 14 225'; do
    read -r down right bearing <<<"$way"
    moved "$down" "$right" >"$work/made/moved.asc"
    weigh moved 'observed_front moved.asc at 48h error_m 15 correlation_m 100' 'effective_share 0.2'
    check "a front moved by $down and $right cells: it is named, with the way back ($(told moved))" grep -q \
        "the front 48 h is [0-9]* times likelier moved by [0-9]* m (bearing $bearing°)" <(told moved)
done
weigh right 'observed_front f48.asc at 48h error_m 15 correlation_m 100' 'observed_front f24.asc at 24h error_m 15 correlation_m 100'
check "fronts that are right are not named" [ "$(grep -c likelier <(told right))" = 0 ]
weigh swapped 'observed_front f48.asc at 24h error_m 15' 'observed_front f24.asc at 48h error_m 15'
check "days exchanged: contradict each other" grep -q contradict <(told swapped)
{ head -6 "$work/made/f48.asc" && sed 1,6d "$work/made/f48.asc" | tac; } >"$work/made/foreign.asc"
weigh foreign 'observed_front foreign.asc at 48h error_m 15 correlation_m 100' 'effective_share 0.2'
check "a front of another eruption: noticed ($(told foreign))" grep -qE 'likelier moved|hardly any|resembles' <(told foreign)
weigh few "${two[0]} correlation_m 20" "${two[1]} correlation_m 20" 'effective_share 0.5'
check "few members that agree before weights are tempered: a warning" awk -v n="$(of few now effective_untempered)" -v left="$(of few now effective)" \
    -v said="$(grep -c 'hardly any' <(told few))" 'BEGIN { exit !(n < 5 && left > 5 && said) }'
check "and none where more agree" awk -v n="$(of all now effective_untempered)" -v said="$(grep -c 'hardly any' <(told all))" 'BEGIN { exit !(n > 5 && !said) }'

# ---- the end, and rates of 0
weigh ended 'observed_end 90h error_h 8' "${two[0]}" 'effective_share 0.01'
found=$(check_by weights "$library" "$work/ended" 0.01 end=90,8 front="$work/made/f24.asc,24,15")
check "an end weighs as an independent program finds ($found)" differs_by "${found%% *}"
weigh ends 'observed_end 90h error_h 8' 'observed_end 3.75d error_h 8' 'observed_end 90h error_h 9' 'effective_share 0.01'
found=$(check_by weights "$library" "$work/ends" 0.01 end=90,8 end=90,9)
check "two of one end count as one ($found)" differs_by "${found%% *}"
# members that differ by their end alone: the sooner it was, the less lava is to be expected
printf '%s\n' vent,from_h,to_h,rate_m3_s 1,0,96,0.3 2,0,96,0.3 >"$work/made/low.csv"
sed -E '/^(rates_error|rates_after|terrain_error|vary_|members)/d; s/rates.csv/low.csv/' "$work/made/plan.cfg" >"$work/made/ends.cfg"
printf '%s\n' 'rates_error 1.01 correlation 0' 'rates_after ar1 factor 1' 'vary_eruption_end_h uniform 25 90' 'members 16' 'sampling sobol' >>"$work/made/ends.cfg"
at_work ensemble made/ends.cfg --keep "${small[@]}"
by_end() { # FOLDER LINE...
    { cat "$work/made/ends.cfg" && printf '%s\n' 'effective_share 0.000001' "${@:2}"; } >"$work/made/by_end.cfg"
    tables nowcast "$work/made/by_end.cfg" "$work/$1" "library=$work/output/ends/library.gpkg"
}
area() { value expected_area_km2 "$work/$1/summary.json"; }
for hour in 30 40 50 60 75 90; do by_end "end$hour" "observed_end ${hour}h error_h 4"; done
check "sooner ended, less lava ($(area end30) to $(area end90))" awk \
    'NR > 1 && $1 <= last { bad = 1 } { last = $1 } END { exit bad || NR != 6 }' <(for hour in 30 40 50 60 75 90; do area end$hour; done)
# weights that are tempered leave eruptions that go on: their part is told, by the ends and weights in the tables
{ cat "$work/made/ends.cfg" && printf '%s\n' 'effective_share 0.9' 'observed_end 40h error_h 4'; } >"$work/made/tempered.cfg"
tables nowcast "$work/made/tempered.cfg" "$work/tempered" "library=$work/output/ends/library.gpkg"
unzip -p "$work/output/ends/record.zip" members.csv >"$work/ends.csv"
far=$(awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; next } NR == FNR { end[$1] = $at[FILENAME, "eruption_end_h"]; next }
    { w = $at[FILENAME, "now"]; all += w; if (end[$1] < 28 || end[$1] > 52) far += w } END { printf "%.0f", 100 * far / all }' "$work/ends.csv" "$work/tempered/weights.csv")
check "eruptions that go on after the end: $far %" [ "$(grep -oE '[0-9]+ % of the simulated eruptions, by their weights now, end' <(told tempered) | cut -d' ' -f1)" = "$far" ]
check "... none where weights are not tempered" fails grep -q 'by their weights now, end' <(told end40)
weigh usual 'observed_end 90h' 'effective_share 0.01'
weigh six 'observed_end 90h error_h 6' 'effective_share 0.01'
check "without error_h it is 6 h" cmp -s <(weights usual) <(weights six)
weigh vague 'observed_end 90h error_h 10000000'
check "an end that all members agree with changes nothing" [ "$(weights vague | sort -u | wc -l) $(digest "$work/vague")" = "1 $ensemble" ]
rates_of() { printf '%s\n' vent,from_h,to_h,rate_m3_s,factor "$@"; }
rates_of 1,60,84,0,1.5 2,60,84,0,1.5 >"$work/made/none.csv"
by_end still 'weigh_rates none.csv'
check "no lava on a day: as if it ended before ($(area still))" awk -v a="$(area still)" -v b="$(area end60)" -v c="$(area end30)" \
    'BEGIN { exit !(a > c && a < b) }'
rates_of 1,0,24,0.31,1.2 2,0,24,0.31,1.2 1,60,84,0,1.5 2,60,84,0,1.5 >"$work/made/none.csv"
by_end then 'weigh_rates none.csv'
check "and with rates before" awk -v a="$(area then)" -v b="$(area end60)" 'BEGIN { exit !(a > 0 && a < b) }'
# (of two that contradict each other members are near the second: the first is missed, though each counts by half)
plan 'observed_end 40h error_h 1' 'observed_end 96h error_h 1'
tables nowcast "$work/made/now.cfg" "$work/late" "library=$library"
check "an end that no member is near: a warning" grep -q 'no simulated eruption ends near end 40 h' "$work/late/summary.json"
check "... of that end alone" fails grep -q 'ends near end 96 h' "$work/late/summary.json"
check "... which contradicts the other" grep -q 'end 40 h and end 96 h contradict each other' "$work/late/summary.json"
for line in 'observed_end' 'observed_end soon' 'observed_end 90h error_h' 'observed_end 90h error_h 0' 'observed_end 90h error_m 5' \
    'observed_end 0h' 'observed_end 90h error_h 2 error_h 2'; do
    plan "$line"
    refused 2 "$line" 'made/now.cfg:[0-9]+: .*' nowcast "$work/made/now.cfg" --library "$library" --output "$work/never"
done

# ---- surveys and hot spots
survey() { # FILE COL...: the thickness of member 7 at these columns of row 60, which its lava crosses
    check_by survey "$library" 7 60 "${@:2}" >"$work/made/$1"
}
check "a survey: thickness of a member in a part of its lava" survey survey.csv 40 90
check "in which there is lava, and ground without" awk -F, 'NR > 1 { n += $3 > 0.5; dry += $3 == 0 } END { exit !(n > 3 && dry > 3) }' \
    "$work/made/survey.csv"
{ head -5 "$work/made/f24.asc" && echo 'NODATA_value -9999' && awk 'NR > 6 { for (i = 1; i <= NF; i++)
    printf("%s ", (NR == 67 && i > 40 && i < 90 ? $i * 1.5 : -9999)); print "" }' "$work/made/f48.asc"; } >"$work/made/survey.asc"
thick=('observed_survey survey.csv at 48h error_m 0.5' 'observed_survey survey.asc at 40h error_m 1 correlation_m 400')
weigh surveyed "${thick[@]}" "${two[0]}" 'effective_share 0.05'
found=$(check_by weights "$library" "$work/surveyed" 0.05 survey="$work/made/survey.csv,48,0.5" \
    survey="$work/made/survey.asc,40,1" front="$work/made/f24.asc,24,15")
check "surveys by points and by a raster weigh as an independent program finds ($found)" differs_by "${found%% *}"
weigh again "${two[0]}" 'effective_share 0.05' "${thick[1]}" "${thick[0]}" "${thick[0]}"
check "in any order" [ "$(digest "$work/again")" = "$(digest "$work/surveyed")" ]
check "and change the forecast" [ "$(digest "$work/surveyed")" != "$ensemble" ]

cat >"$work/made/viirs.csv" <<'END'
latitude,longitude,bright_ti4,scan,track,acq_date,acq_time,satellite,instrument,confidence,version,frp,daynight
37.68180,15.00700,367,0.05,0.06,2006-07-15,0112,N,VIIRS,h,2.0,9,N
37.68140,15.00710,340,0.05,0.06,2006-07-15,0112,N,VIIRS,n,2.0,9,N
37.68060,15.00700,340,0.04,0.04,2006-07-15,0112,N,VIIRS,n,2.0,9,N
37.68140,15.00710,340,0.05,0.06,2006-07-15,0112,N,VIIRS,n,2.0,9,N
37.68140,15.00690,340,0.05,0.06,2006-07-16,1148,N,VIIRS,l,2.0,9,D
37.67990,15.00700,340,0.05,0.06,2006-07-16,1148,N,VIIRS,h,2.0,9,D
37.68140,15.00700,340,0.05,0.06,2006-07-13,1148,N,VIIRS,h,2.0,9,D
38.68140,15.00700,340,0.05,0.06,2006-07-16,1148,N,VIIRS,h,2.0,9,D
END
sed 's/,[lnh],/,77,/; s/0112/5/' "$work/made/viirs.csv" >"$work/made/modis.csv"
start='start_time 2006-07-14T22:00Z'
hot=("$start" 'observed_hot_spots viirs.csv' 'observed_hot_spots modis.csv' 'effective_share 0.05')
weigh hot "${hot[@]}" "${two[0]}"
found=$(check_by weights "$library" "$work/hot" 0.05 hot="$work/made/viirs.csv" hot="$work/made/modis.csv" front="$work/made/f24.asc,24,15")
check "hot spots weigh as an independent program finds ($found)" differs_by "${found%% *}"
check "some members have lava in one, and some have none" awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /hot spots/) of[i]; next }
    { for (i in of) { yes += $i > 0; no += $i == 0 } } END { exit !(yes && no) }' "$work/hot/weights.csv"
{ head -1 "$work/made/viirs.csv" && sed 1d "$work/made/viirs.csv" | tac; } >"$work/made/tacs.csv"
weigh turned "$start" 'effective_share 0.05' "${two[0]}" 'observed_hot_spots modis.csv' 'observed_hot_spots tacs.csv'
check "in any order of rows and lines" [ "$(digest "$work/turned")" = "$(digest "$work/hot")" ]
check "those before the eruption and of other terrain do not count" [ "$(jq '[.nowcast.seen[].name | select(test("hot"))] | length' "$work/hot/summary.json")" = 4 ]

# ---- rounds: the truth is a member of another seed, and its outline at the end is known to the scores alone
sed -e 's/^terrain_error_m .*/terrain_error_m 0.5/; s/^members .*/members 30/; s/^max_steps .*/max_steps 1500/' "$work/made/plan.cfg" \
    >"$work/made/wide.cfg"
printf '%s\n' 'vary_vent_east_m normal 0 60' 'vary_vent_north_m normal 0 60' >>"$work/made/wide.cfg"
sed 's/^members .*/members 2/; s/^seed .*/seed 77/' "$work/made/wide.cfg" >"$work/made/truth.cfg"
at_work ensemble made/truth.cfg --keep "${small[@]}"
for hour in 24 48 240; do check_by front "$work/output/truth/library.gpkg" 1 "$hour" >"$work/made/t$hour.asc"; done
printf '%s\n' 'outline t240.asc' 'observed_front t24.asc at 24h error_m 10 correlation_m 100' \
    'observed_front t48.asc at 48h error_m 10 correlation_m 100' >>"$work/made/wide.cfg"
wide() { at_work nowcast made/wide.cfg "$@" "${small[@]}"; }
check "the truth has lava, and more of it later" [ "$(grep -o 1 "$work/made/t24.asc" | wc -l)" -lt \
    "$(grep -o 1 "$work/made/t240.asc" | wc -l)" ]
wide --output wide
wide --rounds 2 --output rounds
mkdir "$work/elsewhere" && cp -r "$work/output/wide/library.gpkg" "$work"/output/wide/round_1_* "$work/elsewhere"
check "two rounds: members drawn anew" [ "$(value rounds "$work/rounds/summary.json")" = 2 ]
check "each round is kept" [ "$(cd "$work/output/wide" && echo round_?_*/library.gpkg | wc -w)" = 2 ]
before=$(of wide now effective_untempered) after=$(of rounds now effective_untempered)
check "more members agree ($before, $after)" awk -v a="$before" -v b="$after" 'BEGIN { exit !(b > 1.5 * a && a > 1) }'
score() { json .verification.log_score "$work/$1/summary.json"; } # (cells that a front shows are certain in both, and by the Brier score few others count)
check "the map of the end is better ($(score wide), $(score rounds))" awk -v a="$(score wide)" -v b="$(score rounds)" \
    'BEGIN { exit !(b > 0 && b < a) }'
check "members of a round have weights of their own" [ "$(unzip -p "$work"/output/wide/round_2_*/record.zip members.csv | cut -d, -f 2 | sort -u | wc -l)" -gt 10 ]
drawn=$(stat -c %Y "$work"/output/wide/round_?_*/library.gpkg)
wide --rounds 2 --output twice_rounds
check "the same again" [ "$(digest "$work/twice_rounds")" = "$(digest "$work/rounds")" ]
check "from what was kept" [ "$(stat -c %Y "$work"/output/wide/round_?_*/library.gpkg)" = "$drawn" ]
(cd "$work" && exec "$sciara" nowcast made/wide.cfg --library elsewhere/library.gpkg --rounds 2 --threads 2 --output resumed "${small[@]}" 2>/dev/null) &
killed=$!
until compgen -G "$work/elsewhere/round_2_*/library.gpkg" >/dev/null; do kill -0 "$killed" 2>/dev/null || break; pause 0.01; done
kill -KILL "$killed" 2>/dev/null
wait "$killed" 2>/dev/null
check "killed in the second round: it has begun" compgen -G "$work/elsewhere/round_2_*/library.gpkg"
wide --library elsewhere/library.gpkg --rounds 2 --threads 3 --output resumed
check "and resumed by other threads: one digest" [ "$(digest "$work/resumed")" = "$(digest "$work/rounds")" ]

# ---- a folder that is watched
mkdir "$work/incoming" && cp "$work/made/f24.asc" "$work/made/f48.asc" "$work/incoming"
plan ''
(cd "$work" && exec "$sciara" nowcast made/now.cfg --watch incoming --output watched --map-size 300x300 --map-dpi 72 >watching 2>&1) &
watcher=$!
comes() { # FILE TEXT: renamed into place when it is whole
    echo "$2" >"$work/incoming/.$1" && mv "$work/incoming/.$1" "$work/incoming/$1"
}
until_true() { # COMMAND...: waits for it, as long as the program runs
    until "$@"; do kill -0 "$watcher" 2>/dev/null || return 1; sleep 0.1; done
}
watched() { [ -s "$work/watched/summary.json" ] && [ "$(digest "$work/watched")" = "$1" ]; }
failures() { [ "$(grep -c 'no new forecast' "$work/watching")" = "$1" ]; }
comes day1.obs "${two[0]}"
check "a file comes: a forecast, as by a line of the plan" until_true watched "$(digest "$work/day")"
said() { [ "$(grep -c "^digest  *$(digest "$work/day")\$" "$work/watching") $(tail -c1 "$work/watching" | xxd -p)" = "$1 0a" ]; }
check "it is in the log as soon as it is there" until_true said 1
comes day2.obs 'observed_front f49.asc at 48h error_m 15'
check "one that cannot be read: it is refused" until_true failures 1
check "by its line" grep -q 'f49.asc' "$work/watching"
check "and the last forecast stays" watched "$(digest "$work/day")"
comes day2.obs "${two[1]}"
check "when it is mended: a forecast of both" until_true watched "$(digest "$work/two")"
rm "$work/incoming/day2.obs"
check "when it is removed: of the other one" until_true watched "$(digest "$work/day")"
until_true said 2
kill -INT "$watcher"
check "an interrupt ends it" wait "$watcher"
check "what is said beside a forecast begins a line" [ "$(grep -c '.sciara: ' "$work/watching") $(grep -c '^sciara: ' "$work/watching")" = "0 $(grep -c 'sciara: ' "$work/watching")" ]
call nowcast "$work/made/now.cfg" --library "$library" --watch "$work/nowhere" "${small[@]}"
check "a folder that is not there: refused" exits 2

# ---- all that a forecast opens is opened before any member is computed
fresh() { # LINE...: a plan with these lines of which no member is computed yet
    { grep -v '^members' "$work/made/plan.cfg" && printf '%s\n' 'members 4' "$@"; } >"$work/made/fresh.cfg"
}
nothing_computed() { [ ! -e "$work/output/fresh" ]; }
sooner() { # WHAT PATTERN OPTION...
    at_work nowcast made/fresh.cfg "${small[@]}" "${@:3}"
    refusal 2 "$1" "$2"
    check "$1: before any member" nothing_computed
}
for line in 'observed_front gone.tif at 20h error_m 30' 'observed_dry gone.json until 20h' 'observed_survey gone.csv at 20h error_m 1' \
    'weigh_rates gone.csv' 'observed_front f24.asc at 20h error_m 30 within gone.json'; do
    fresh "${two[0]}" "$line"
    sooner "${line%% *} of a file that is not there" 'gone\.(tif|json|csv): cannot be opened'
done
sooner "the same with rounds" 'gone\.json: cannot be opened' --rounds 2
sooner "the same where a folder is watched" 'gone\.json: cannot be opened' --watch incoming
fresh 'weigh_rates ../made/rates.csv'
sooner "rates that members are drawn from" 'fresh\.cfg:[0-9]+: weigh_rates names the same table as observed_rates'
fresh "${two[0]}"
sooner "places that are not there" 'gone\.json: cannot be opened' --assets gone.json
sooner "a folder that is not there" 'nowhere: No such file' --watch nowhere
fresh "${two[0]}" 'vent_list made.csv'
sed -i '/^members/d' "$work/made/fresh.cfg"
printf '%s\n' x,y 500405,4170755 500505,4170755 >"$work/made/made.csv"
sooner "rounds of a list" 'list' --rounds 1

# ---- what is later than the end of every member
short() { # FOLDER LINE...: of members that end at 40 h
    { grep -Ev '^(members|max_steps)' "$work/made/plan.cfg" && printf '%s\n' 'members 4' "${@:2}"; } >"$work/made/short.cfg"
    at_work nowcast made/short.cfg --output "$1" "${small[@]/--quiet/${told:---quiet}}"
}
told=--json short all40 'max_steps 1200' "${two[0]}"
check "members that end at 40 h" exits 0
check "... computed first: JSON is all that --json prints" [ "$(jq 'has("nowcast")' "$work/stdout") $(value done "$work/output/short/summary.json")" = "true 4" ]
short late40 'max_steps 1200' "${two[0]}" 'observed_front f48.asc at 50d error_m 15'
check "a front at 50d for 5d: the others remain usable" [ "$(digest "$work/late40")" = "$(digest "$work/all40")" ]
check "and it is named, with the key and the command that make members longer" grep -q "front 1200 h does not count: it is later than the end of every \
simulated eruption, 40 h; correct its time, or give the plan 'max_steps 36000' or more; sciara nowcast PLAN then computes its members" "$work/late40/summary.json"
check "in the bulletin, too" grep -q 'Front 1200 h does not count: it is later than the end of every simulated eruption, 40 h\.' "$work/late40/bulletin.html"
rm -r "$work/output/short"
short never 'run_h 40' 'observed_front f48.asc at 50d error_m 15'
check "nothing but such a front: refused" exits 2
check "... with the key that the plan has" complains "short\.cfg:[0-9]+: front 1200 h does not count: .* 40 h; .* 'run_h 1200' or more"
check "... before any member" [ ! -e "$work/output/short" ]
short rest 'max_steps 1200' 'stop_at_rest yes' 'observed_front f48.asc at 50d error_m 15'
check "members that end at rest: it counts" [ "$(jq '.nowcast.seen | length' "$work/rest/summary.json") $(jq .nowcast.now_h "$work/rest/summary.json")" = '1 1200' ]
check "and is named" grep -q 'front 1200 h is later than the end of every simulated eruption, 40 h, when its lava was at rest; check its time' "$work/rest/summary.json"
short before 'max_steps 1200' 'observed_front f48.asc at -3 error_m 15'
check "before the start: refused" complains 'the time is not after the start of the eruption; correct it'
short now 'max_steps 1200' "${two[0]}"
at_work nowcast made/short.cfg --now 50d --output never "${small[@]}"
refusal 2 "a forecast of a time that no member comes to" "now: 1200 h is later than the end of every member, 40 h; .*'max_steps 36000'"

# ---- warnings and refusals
awk 'NR > 6 { for (i = 1; i <= NF; i++) $i = NR > 106 && i < 20 } 1' "$work/made/f24.asc" >"$work/made/other.asc"
now other 'observed_front other.asc at 24h error_m 15'
check "a front that no member resembles: a warning" grep -q 'no simulated eruption resembles' "$work/other/summary.json"
check "also in the bulletin" grep -q 'Warning: No simulated eruption resembles the front 24 h: the nearest overlaps it by J = 0' "$work/other/bulletin.html"
weigh sharp 'observed_front f48.asc at 48h error_m 1 correlation_m 1' 'effective_share 0.5'
check "members that all miss what is seen by more than its error: a warning" grep -q 'the error of the model dominates' "$work/sharp/summary.json"
weigh against 'observed_front f48.asc at 20h error_m 15' "${two[0]}"
check "lava that is not there four hours later: a warning" grep -q 'contradict each other' "$work/against/summary.json"
check "... which names both files" grep -q 'f48.asc (.*now.cfg:[0-9]*) and f24.asc (.*now.cfg:[0-9]*); correct one' <(told against)
weigh elsewhen 'observed_arrival came.json at 90h error_h 1' 'observed_arrival far.json at 20h error_h 1' 'observed_dry came.json until 5h'
check "an arrival that no member resembles, and one where no member has lava: a warning of each" [ "$(grep -oE \
    'no simulated eruption brings lava to the observed place near that time: [a-z]+ [0-9]+ h' <(told elsewhen) | grep -oE '[a-z]+ [0-9]+ h$' | paste -sd,)" = "far 20 h,came 90 h" ]
refused() { # LINE WHAT
    plan "$1"
    call nowcast "$work/made/now.cfg" --library "$library" --output "$work/refused" "${small[@]}"
    exits 2 && [ "$(wc -l <"$work/stderr")" = 1 ] && grep -q "$2" "$work/stderr" && [ ! -e "$work/refused" ]
}
check "no observation: refused" refused '' 'has no observation'
check "no error of a front: refused" refused 'observed_front f24.asc at 24h' 'error_m'
check "an error of 0: refused, as such" refused 'observed_front f24.asc at 24h error_m 0' 'error_m is 0; give a number above 0$'
check "no time: refused" refused 'observed_front f24.asc error_m 10' 'at TIME'
check "a word twice: refused" refused 'observed_front f24.asc at 24h at 25h error_m 10' 'at TIME'
check "part, and within: refused" refused 'observed_front f24.asc at 24h error_m 10 part within f48.asc' 'within'
check "no error of a survey: refused" refused 'observed_survey survey.csv at 24h' 'error_m'
check "a survey without a thickness: refused" refused 'observed_survey viirs.csv at 24h error_m 1' 'viirs.csv: .*thickness_m'
check "hot spots without a date of the eruption: refused" refused 'observed_hot_spots viirs.csv' 'start_time'
check "hot spots at a time: refused" refused 'observed_hot_spots viirs.csv at 3h' 'FIRMS'
refused_row() { # EDIT WHAT: of a table of hot spots
    sed "$1" "$work/made/viirs.csv" >"$work/made/bad.csv"
    refused "$start"$'\n''observed_hot_spots bad.csv' "$2"
}
check "a column less: refused" refused_row '1s/confidence/sure/' 'column confidence'
check "a time that there is not: refused" refused_row '3s/0112/0172/' 'bad.csv:3: .*HHMM'
check "a date that there is not: refused" refused_row '3s/07-15/02-30/' 'bad.csv:3: .*acq_date'
check "no confidence: refused" refused_row '4s/,n,/,x,/' 'bad.csv:4: .*confidence'
check "a pixel without a size: refused" refused_row '2s/0.05/0/' 'bad.csv:2: .*scan'
check "a latitude that there is not: refused" refused_row '2s/37.6/97.6/' 'bad.csv:2: .*latitude'
check "hot spots of another terrain alone: refused" refused_row 's/15\.00/16.00/' 'none of its'
check "a file that is not there: refused" refused 'observed_front none.asc at 24h error_m 10' 'none.asc'
printf '%s\n' Pcool 2.8 3 >"$work/made/list.csv"
sed '/^members/d; /^vary_Pcool/d' "$work/made/plan.cfg" >"$work/made/list.cfg"
printf '%s\n' 'member_table list.csv' "${two[0]}" >>"$work/made/list.cfg"
at_work nowcast made/list.cfg --rounds 1 --output list "${small[@]}"
check "members that are a list: no rounds" exits 2
check "as the plan draws none" grep -q 'drawn anew' "$work/stderr"
sed -i 's/,1\.2$/,1/' "$work/made/seen.csv"
check "rates without an error: refused" refused 'weigh_rates seen.csv' 'seen.csv:2: .*factor'
report
