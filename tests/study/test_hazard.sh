#!/bin/bash
# test_hazard.sh — `sciara hazard`: from past vents and eruptions to rates, against an independent program; a volcano of one
# cell and one of two zones in closed form; another catalogue without a run; what is refused.
# tests: study/hazard, study/volcano
. tests/check.sh
needs_sciara
needs "numpy is not there" /usr/bin/python3 -c 'from importlib.util import find_spec as found; assert found("numpy")'
export OMP_NUM_THREADS=1
check_by=$PWD/tests/study/hazard_check.py
cd "$work" || exit 1

"$sciara" terrain made --size 48 --quiet && mv made/volcano.cfg made/base.cfg || exit 1
geojson() { # geojson FEATURE...
    local IFS=,
    printf '{"type":"FeatureCollection","features":[%s]}\n' "$*"
}
feature() { printf '{"type":"Feature","properties":{%s},"geometry":{"type":"%s","coordinates":%s}}' "$1" "$2" "$3"; }
point() { feature "\"zone\":\"$1\"" Point "[$2,$3]"; }
place() { feature "\"name\":\"$1\"" Point "[$2,$3]"; }
at() { echo "$((500000 + $1)) $((4170000 + $2))"; }
plan() { # plan FILE LINE...
    {
        grep -Ev '^(vents|rates|max_steps)' made/base.cfg
        printf '%s\n' 'catalogue_until 2020' 'run_h 3' 'seed 7' 'members 60' 'sampling latin' "${@:2}"
    } >"made/$1"
}
# shellcheck disable=SC2046 # two words
geojson $(point north $(at 205 245)) $(point north $(at 235 285)) $(point north $(at 255 225)) \
    $(feature '"zone":"north"' LineString "[[$(at 210 210 | tr ' ' ,)],[$(at 260 300 | tr ' ' ,)],[$(at 265 320 | tr ' ' ,)]]") \
    $(point south $(at 305 115)) $(point south $(at 335 155)) \
    $(feature '"zone":"south"' Polygon "[[[$(at 255 125 | tr ' ' ,)],[$(at 285 125 | tr ' ' ,)],[$(at 255 155 | tr ' ' ,)],[$(at 255 125 | tr ' ' ,)]]]") \
    >made/vents.json # the mean of these corners is at 265 135
geojson $(place Hut $(at 245 225)) $(place Road $(at 275 145)) $(place Border $(at 475 185)) \
    $(feature '"name":"Path"' LineString "[[$(at 245 225 | tr ' ' ,)],[$(at 475 185 | tr ' ' ,)]]") >made/places.json
cat >made/eruptions.csv <<'END'
date,error_y,volume_m3,duration_h,mean_rate_m3_s,zone
1905,,3000,1,,north
1909,3,,,,north
1911,2,2500,,,south
1920-06-01,,4000,2,,north
1931,,,1.5,0.6,south
1940,,9000,,,
1957-02-03,,2000,0.5,,north
1978,,6000,1.5,,north
1990,,7000,2,,south
2003-09-30,,3500,,,north
2011,,,2,,
END
around() { # around NAME DATE X Y: a flow that covers the cell with its middle there
    local w=$(($3 - 4)) e=$(($3 + 4)) s=$(($4 - 4)) n=$(($4 + 4))
    feature "\"name\":\"$1\",\"date\":$2" Polygon "[[[$w,$s],[$e,$s],[$e,$n],[$w,$n],[$w,$s]]]"
}
# shellcheck disable=SC2046 # two words
geojson $(around Hut '"1980"' $(at 245 225)) $(around Road null $(at 275 145)) $(around Border null $(at 475 185)) >made/flows.json
plan volcano.cfg 'past_vents vents.json' 'catalogue eruptions.csv' 'complete 1910' 'assets places.json' 'past_flows flows.json'

near() { awk -v a="$1" -v b="$2" -v part="${3:-1e-12}" 'BEGIN { exit !(a > 0 && (a - b) ^ 2 < (part * b) ^ 2) }'; }
cell() { cut -d, -f"$(head -n1 "$1" | tr , '\n' | grep -nx "$2" | cut -d: -f1)" "$1" | sed -n "$(($3 + 1))p"; } # TABLE COLUMN ROW

# ---- from files to maps, against an independent program
call hazard made/volcano.cfg --map-size 300x300 --map-dpi 72 --layers all
check "a plan with past vents and a catalogue" exits 0
maps=output/volcano-hazard/maps
check "of 60 members" [ "$(value done output/volcano/summary.json)" = 60 ]
check "whose files are written once" [ ! -e output/volcano/thickness_mean_m.tif ] && [ -s $maps/thickness_mean_m.tif ]
check "maps of each period" [ -s $maps/map_hazard_1y.png ] && [ -s $maps/probability_50y_p95.tif ]
check "what is the map: that of 50 years" [ "$(json .map $maps/summary.json)" = map_hazard_50y.png ]
names=()
for name in Hut Road; do
    "$sciara" ask output/volcano/library.gpkg --where "arrival_h('$name') IS NOT NULL" --output "$name" --layers members --map-size 300x300 --map-dpi 72 --quiet
    names+=("$name:$name/members.csv")
done
for layer in annual_rate annual_rate_p{05,95}_{frequency,vents,runs} return_period_y probability_50y zone_1 thickness_50y_m vent_opening driver margin; do
    gdal_translate -q -of AAIGrid $maps/$layer.tif $layer.asc
done
/usr/bin/python3 "$check_by" $maps output/volcano made/vents.json made/eruptions.csv 1910 2020 10 480 "${names[@]}" >found 2>why
check "all that numpy finds: $(tail -n1 why)" [ "$(wc -l <found)" = 30 ]
check "to 1e-9, of weights and layers to what they are rounded" awk '$2 > ($1 == "weights" ? 4e-6 : $1 ~ /^map-/ ? 1e-7 : 1e-9) { exit 1 }' found

check "a place where lava leaves the terrain is not to be read" [ "$(cell $maps/hazard_places.csv in_margin 3) $(cell $maps/hazard_places.csv in_margin 1)" = "1 0" ]
check "... nor one that ends there" [ "$(cell $maps/hazard_places.csv in_margin 4)" = 1 ]
check "which is said" says '^  Border .* but near where lava leaves the terrain$'
# shellcheck disable=SC2046 # two words
printf -v left '%.3g %% of the eruptions, %.3g a year' $(jq '.hazard | 100 * .annual_rate_off_terrain / .annual_rate, .annual_rate_off_terrain' $maps/summary.json)
check "with its width, and how often: $left" says "^warning +lava of $left, leaves the terrain; .* within $(jq .hazard.margin_m $maps/summary.json) m of "

check "past flows are scored" says '^past flows    3: log score of the map less the score of vents alone [-+0-9.e]+ ± [0-9.e-]+$'
check "without ages not by what was known before" [ "$(cell $maps/hazard_flows.csv score_before 1)$(jq .hazard.past_flows_before $maps/summary.json)" = null ]

# by what was known before a flow of 1980, as of a plan that knows no more; of the same library
# shellcheck disable=SC2046 # two words
aged() { geojson $(for v in "$@"; do feature "\"zone\":\"${v%%:*}\",\"age\":$(cut -d: -f2 <<<"$v")" Point "[$(at $(cut -d: -f3 <<<"$v" | tr _ ' ') | tr ' ' ,)]"; echo; done); }
old=(north:90:205_245 north:63:235_285 north:200:255_225 south:null:305_115 south:150:335_155 south:44:265_135)
aged "${old[@]}" north:40:215_215 north:30:225_265 south:5:315_125 >made/aged.json
aged "${old[@]}" >made/then.json
awk -F, '$1 !~ /^(199|20)/' made/eruptions.csv >made/then.csv
{ cat made/eruptions.csv && echo 1980,,5000,1,,north; } >made/now.csv # the eruption of that flow, and its vent
since() { sed "s/^past_vents.*/past_vents $2/; s/^catalogue .*/catalogue $3/; s/^catalogue_until.*/catalogue_until $4/" made/volcano.cfg >"made/$1.cfg" && echo 'opening_cell_m 10' >>"made/$1.cfg"; }
since now aged.json now.csv 2020
since then then.json then.csv 1980
for i in now then; do
    call hazard made/$i.cfg --library output/volcano/library.gpkg --layers hazard_flows --map-size 300x300 --map-dpi 72 --quiet
    check "$i: without a run" exits 0
done
flows() { cell output/$1-hazard/maps/hazard_flows.csv "$2" 1; }
check "the map by what was known then" near "$(flows now score_before)" "$(flows then score)" 1e-5
check "which is another" fails near "$(flows now score_before)" "$(flows now score)" 1e-3
check "and its vents" near "$(flows now score_of_vents_before)" "$(flows then score_of_vents)" 1e-12
check "since when" [ "$(flows now before_y)" = 1980 ]

# ---- past vents as a table, in the CRS of the terrain and in degrees
members() { # members VENTS: of the plan with these
    sed "s/^past_vents.*/past_vents $1/" made/volcano.cfg >"made/by-$1.cfg"
    "$sciara" ensemble "made/by-$1.cfg" --list
}
{
    printf '%s\n' vent,x,y,zone ,500205,4170245,north ,500235,4170285,north ,500255,4170225,north
    printf 'rift,%s,north\n' 500210,4170210 500260,4170300 500265,4170320
    printf '%s\n' 1,500305,4170115,south 2,500335,4170155,south ,500265,4170135,south
} >made/past.csv
check "as a table they are the same" [ "$(members past.csv)" = "$(members vents.json)" ]
degrees='15.002325,37.679402 15.002665,37.679763 15.002892,37.679222 15.003005,37.678900'
geojson $(for at in $degrees; do feature '' Point "[$at]"; echo; done) >made/degrees.json
{ echo lon,lat; tr ' ' '\n' <<<"$degrees"; } >made/lonlat.csv
{ echo x,y; tr ' ' '\n' <<<"$degrees"; } >made/degrees.csv
sed 's/,[^,]*$/,/' made/eruptions.csv >made/no-zone.csv && sed -i 's/eruptions.csv/no-zone.csv/' made/volcano.cfg
check "in degrees, too" [ "$(members lonlat.csv)" = "$(members degrees.json)" ]
check "whatever they are called" [ "$(members degrees.csv)" = "$(members degrees.json)" ]
check "which are others" fails [ "$(members degrees.csv)" = "$(members vents.json)" ]
sed -i 's/no-zone.csv/eruptions.csv/' made/volcano.cfg

# ---- in two parts, and merged
for i in 1 2; do "$sciara" ensemble made/volcano.cfg --keep --shard $i/2 --output part$i --quiet; done
call merge part1 part2 --output whole --map-size 300x300 --map-dpi 72 --quiet
call hazard made/volcano.cfg --library whole/library.gpkg --output merged --layers annual_rate --map-size 300x300 --map-dpi 72 --quiet
check "shards: the same places" cmp -s merged/hazard_places.csv $maps/hazard_places.csv
check "the same cells" cmp -s merged/annual_rate.tif $maps/annual_rate.tif

# ---- a question: the vents that the plan has anyway change nothing, others do
question() { # question FOLDER ZONE: opens as that zone of hazard_vents.csv (a number of a column, or both as they are)
    awk -F, -v zone="$2" -v a="$(cell $maps/hazard_eruptions.csv annual_rate 1)" -v b="$(cell $maps/hazard_eruptions.csv annual_rate 6)" \
        'NR == 1 { print "vent,x,y,probability" } NR > 1 { print $1 "," $2 "," $3 "," (zone ? $zone : (a * $5 + b * $6) / (a + b)) }' \
        $maps/hazard_vents.csv >"made/$1.csv"
    "$sciara" ask output/volcano/library.gpkg --vents "made/$1.csv" --output "$1" --map-size 300x300 --map-dpi 72 --quiet
}
of_road() { cell "$1/assets.csv" probability 2; }
question same ''
check "the vents of the plan, asked for" near "$(of_road same)" "$(of_road output/volcano)" 1e-5
question south 6
check "those of one zone" fails near "$(of_road south)" "$(of_road output/volcano)" 0.1

# ---- closed forms
small=(--map-size 300x300 --map-dpi 72 --quiet)

# one cell in which vents open: all eruptions come there, 8 in 110 years
{
    printf '%s\n' 'ncols 48' 'nrows 48' 'xllcorner 500000' 'yllcorner 4170000' 'cellsize 10'
    awk 'BEGIN { for (r = 0; r < 48; r++) for (c = 0; c < 48; c++) printf "%d%s", 7 * (r == 23 && c == 24), c < 47 ? " " : "\n" }'
} >made/one.asc
printf '%s\n' date,volume_m3,duration_h 1911,50,1 1920,9000,1 1931,60,2 1955,7000,1 1970,40,1 1988,8000,2 1999,50,1 2011,6000,1 >made/eight.csv
# shellcheck disable=SC2046 # two words
geojson $(place Vent $(at 245 245)) $(place Beside $(at 255 245)) >made/vent.json
plan one.cfg 'vent_opening one.asc' 'catalogue eight.csv' 'complete 1910' 'assets vent.json' 'members 6' 'size_classes 2'
sed -i '/^members 60/d' made/one.cfg
call hazard made/one.cfg --layers hazard_eruptions "${small[@]}"
check "a volcano of one cell" exits 0
one=output/one-hazard/maps/hazard_places.csv
check "has lava there in every eruption" near "$(cell $one annual_rate 1)" "$(awk 'BEGIN { print 8.5 / 110 }')" 1e-5
check "in 50 years with 1 - exp(-50 rate)" near "$(cell $one probability_50y 1)" "$(awk 'BEGIN { print 1 - exp(-50 * 8.5 / 110) }')" 1e-5
gamma() { cell output/one-hazard/maps/hazard_eruptions.csv "annual_rate_p$1" 1; }
check "with the 5 and 95 % of a gamma" near "$(cell $one annual_rate_p05_frequency 1)" "$(gamma 05)" 0.01
check "on both sides" near "$(cell $one annual_rate_p95_frequency 1)" "$(gamma 95)" 0.01
check "and beside it in every second one, the larger" near "$(cell $one annual_rate 2)" "$(awk 'BEGIN { print 8.5 / 220 }')" 1e-5
check "neither vents nor runs spread it" [ "$(cell $one driver 1)" = frequency ]
check "and no zone is named" fails grep -q part_ $one

# eruptions of one size that last longer than runs: what is missing, by the members; with longer runs nothing
check "runs that are long enough: no warning" fails grep -q 'simulation ends' output/one-hazard/maps/summary.json
sed 's/^run_h.*/run_h 0.6/; s/^size_classes.*/size_classes 1/' made/one.cfg >made/short.cfg
call hazard made/short.cfg --layers hazard_eruptions --map-size 300x300 --map-dpi 72
"$sciara" ask output/short/library.gpkg --output short --layers members --map-size 300x300 --map-dpi 72 >shorter 2>&1
missing=$(awk -F, -v all="$(cell output/short-hazard/maps/hazard_eruptions.csv volume_m3 1)" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { sum += $at["weight"] * (1 - $at["emitted_m3"] / all); n += $at["weight"] } END { printf "%.1f", 100 * sum / n }' short/members.csv)
cut="simulations end before the eruption is over: all of [0-9]+ \(above [0-9.]+ %\); $missing % of all lava is missing, .*; give a run_h of 2 or more"
check "runs that end before the eruption, with $missing % less lava" says "^warning +$cut"
check "of a question, too" grep -Eq "$cut" shorter
check "in the summary" grep -q "$missing % of all lava is missing" output/short-hazard/maps/summary.json

# another catalogue and other years, without a run: 2,000 m3 lie between the two classes
sed -E '2,3d; s/,[0-9]+,/,2000,/' made/eight.csv >made/six.csv
plan six.cfg 'vent_opening one.asc' 'catalogue six.csv' 'complete 1910' 'assets vent.json' 'years 1 5 1000000'
before=$(sha256sum <$one)
call hazard made/six.cfg --library output/one/library.gpkg --map-size 300x300 --map-dpi 72 --format qgis,kmz,html --language it
check "the terminal names that plan" says '^plan +six$'
check "and the summary" [ "$(value name output/six-hazard/maps/summary.json)" = six ]
check "of a million years" says '^  Vent  +above [0-9.]+ % in 1000000 years$'
check "whose map is first" [ "$(json .map output/six-hazard/maps/summary.json)" = map_hazard_1000000y.png ]
check "styles of years" grep -q 'molto bassa, fino a 0,01 %' output/six-hazard/maps/probability_5y.qml
check "on a globe" [ "$(unzip -p output/six-hazard/maps/hazard.kmz doc.kml | grep -o 'probability_5y[._a-z0-9]*' | sort -u | head -n1)" ]
# (grep takes a second for as many bytes in a row)
on_page() { awk -F '"name":"probability_5y","kind":"probability"' 'NF > 1 && substr($2, 1, 340) ~ /^.+"low":[0-9]*,"high":[0-9]*/ { n++ } END { exit !n }' "$1"; }
check "on the page, with 5 and 95 %" on_page output/six-hazard/maps/report.html
check "the maps of the library's own plan stay" [ "$(sha256sum <$one) $(ls output/one-hazard)" = "$before maps" ]
check "no map of one eruption is to be opened" fails says '^open .*map_probability'
ln -s output/six-hazard/maps six
check "of another catalogue" near "$(cell six/hazard_places.csv annual_rate 1)" "$(awk 'BEGIN { print 6.5 / 110 }')" 1e-5
sizes=output/one-hazard/maps/hazard_eruptions.csv
check "of which each is of both classes, by the logarithm" near "$(cell six/hazard_places.csv annual_rate 2)" \
    "$(awk -v a="$(cell $sizes volume_m3 1)" -v b="$(cell $sizes volume_m3 2)" 'BEGIN { print 6.5 / 110 * log(2000 / a) / log(b / a) }')" 1e-5
check "in other years" [ -s six/map_hazard_5y.png ]
check "what is sure is not said to be" near "$(cell six/hazard_places.csv probability_5y 1)" "$(awk 'BEGIN { print 1 - exp(-5 * 6.5 / 110) }')" 1e-5
call hazard made/one.cfg --library output/one/library.gpkg --output again --layers thickness_10y_m "${small[@]}"
check "of the same one, the same" cmp -s $one again/hazard_places.csv
check "few files, and that which was asked for" [ "$(ls again | paste -sd" ")" = "assets.csv exposed.csv hazard_places.csv map_hazard_10y.png map_hazard_1y.png map_hazard_50y.png probability.tif probability_10y.tif probability_1y.tif probability_50y.tif record.zip return_period_y.tif shown.json summary.json thickness_10y_m.tif" ]
call show again --format qgis
highest=$(sed -n 's/.*maximumValue="\([^"]*\)".*/\1/p' again/thickness_10y_m.qml)
check "without the thickness of most years its style has a scale of its own" near "$(gdalinfo -mm again/thickness_10y_m.tif | sed -n 's/.*Min.Max=.*,//p')" "$highest" 1e-3

# two zones of a cell each, on two flanks: each has its own rate
# shellcheck disable=SC2046 # two words
geojson $(point a $(at 205 245)) $(point b $(at 405 105)) >made/two.json
# shellcheck disable=SC2046 # two words
geojson $(place A $(at 205 245)) $(place B $(at 405 105)) >made/ab.json
awk -F, 'NR == 1 { print $0 ",zone" } NR > 1 { print $0 "," (NR < 5 ? "a" : "b") }' made/eight.csv >made/zones.csv
plan two.cfg 'past_vents two.json' 'opening_bandwidth_m 10' 'opening_cell_m 10' 'catalogue zones.csv' 'complete 1910' \
    'assets ab.json' 'members 16'
sed -i '/^members 60/d' made/two.cfg
call hazard made/two.cfg "${small[@]}"
check "a volcano of two zones" exits 0
two=output/two-hazard/maps/hazard_places.csv
check "one with 3 eruptions" near "$(cell $two annual_rate 1)" "$(awk 'BEGIN { print 3.25 / 110 }')" 1e-5
check "one with 5" near "$(cell $two annual_rate 2)" "$(awk 'BEGIN { print 5.25 / 110 }')" 1e-5
check "of which each has its own" [ "$(cell $two part_a 1) $(cell $two part_a 2)" = "1 0" ]

# a zone without an eruption: a gamma of 1/4, of which 5 and 95 % lie below what is said
sed 's/,b$/,a/' made/zones.csv >made/quiet.csv
sed 's/zones.csv/quiet.csv/' made/two.cfg >made/quiet.cfg && echo 'hazard_draws 1000' >>made/quiet.cfg
call hazard made/quiet.cfg --library output/two/library.gpkg "${small[@]}"
ln -s output/quiet-hazard/maps/hazard_places.csv quiet
check "a zone without an eruption has half of a half of one" near "$(cell quiet annual_rate 2)" "$(awk 'BEGIN { print 0.25 / 110 }')" 1e-5
below() { # RATE OF: so much of a gamma of 1/4 lies below, to 0.02
    awk -v x="$1" -v of="$2" 'BEGIN { x *= 110; for (t = 1; n < 50; t *= x / (0.25 + n)) { s += t; n++ } p = x ^ 0.25 * exp(-x) / 0.9064024771 * s; exit !((p - of) ^ 2 < 4e-4) }'
}
check "whose 5 and 95 % are those of a gamma" eval 'below "$(cell quiet annual_rate_p05_frequency 2)" 0.05 && below "$(cell quiet annual_rate_p95_frequency 2)" 0.95'

# vents side by side, from which lava stays in its cell: moved by 2.2 m they reach 21 m, and a cell at 20 m not any more, for
# which drawn vents tell nothing
# shellcheck disable=SC2046 # two words
geojson $(point a $(at 235 245)) $(point a $(at 245 245)) >made/pair.json
# shellcheck disable=SC2046 # two words
geojson $(place Edge $(at 215 245)) $(place Beside $(at 235 245)) $(place North $(at 245 255)) $(place Dry $(at 25 25)) >made/beside.json
printf '%s\n' date,volume_m3,duration_h 1911,9,1 1920,10,1 1931,11,2 1955,12,1 >made/little.csv
plan pair.cfg 'past_vents pair.json' 'opening_bandwidth_m 21' 'opening_cell_m 10' 'catalogue little.csv' 'eruptions_per_year 0.04 0.039 0.041' \
    'assets beside.json' 'members 300' 'size_classes 1'
sed -i '/^members 60/d' made/pair.cfg
call hazard made/pair.cfg --layers hazard_vents,hazard_eruptions --map-size 300x300 --map-dpi 72
pair=output/pair-hazard/maps/hazard_places.csv
check "a rate that is given is not said to be computed" says '^eruptions +0.04 a year, as given, and sizes of 4 of the catalogue;'
check "where the vents as they are reach alone: no more than their rate" near "$(cell $pair annual_rate_p95_vents 1)" "$(cell $pair annual_rate 1)" 1e-5
/usr/bin/python3 "${check_by%_check.py}_draws.py" output/pair-hazard/maps output/pair made/pair.json made/beside.json 7 21 10 480 >found 2>why
check "vents that are drawn around the sharpened ones, the number of runs, and no bound above that of all eruptions: $(tail -n1 why)" [ "$(awk '$2 < 3e-6' found | wc -l)" = 4 ]

# ---- what is refused: one line each
refuse() { # refuse WHAT PATTERN LINE...: a plan with these lines
    plan bad.cfg "${@:3}"
    refused 2 "$1" "$2" hazard made/bad.cfg
}
past=('past_vents vents.json' 'catalogue eruptions.csv')
refuse "a catalogue without a complete period" 'no period is given' "${past[@]}"
(cat made/eruptions.csv; echo 2040,,,2,,) >made/later.csv
refuse "an eruption that has not been" 'later.csv:13: the year 2040 is after 2020.*catalogue_until' "${past[0]}" 'catalogue later.csv' 'complete 1910'
refuse "one eruption" 'has 1 eruption,' "${past[@]}" 'complete 2010'
refuse "a period that has not begun" "gives 2030, but the catalogue ends in 2020" "${past[@]}" 'complete 2030'
refuse "no past vents" 'catalogue needs past vents' 'catalogue eruptions.csv' 'complete 1910'
refuse "vents and no catalogue" 'past_vents needs catalogue' 'past_vents vents.json'
sed 's/500205/510205/' made/vents.json >made/far.json
refuse "a vent outside" 'feature 1: a past vent .* outside the terrain' 'past_vents far.json' "${past[1]}" 'complete 1910'
sed 's/"zone":"south"/&,"weight":0/g' made/vents.json >made/zero.json
refuse "weights of zero" 'all weights in south are 0' 'past_vents zero.json' "${past[1]}" 'complete 1910'
sed 's/north$/east/' made/eruptions.csv >made/east.csv
refuse "a zone without vents" "no past vent is in the zone 'east'" "${past[0]}" 'catalogue east.csv' 'complete 1910'
sed 's/1931/soon/' made/eruptions.csv >made/soon.csv
sed 's/^1931.*/1931,,1e5,30,900,south/' made/eruptions.csv >made/three.csv
refuse "numbers that contradict each other" 'three.csv:6: 30 h at 900 m3/s are 9.72e.07 m3, and volume_m3 is 100000; leave the least certain' "${past[0]}" 'catalogue three.csv' 'complete 1910'
sed 's/,6000,/,1e300,/' made/eruptions.csv >made/large.csv
refuse "a volume of another planet" 'volume_m3 is 1e.300; give 0.001 to 1e.15' "${past[0]}" 'catalogue large.csv' 'complete 1910'
sed 's/^vent,x,/vent,east,/' made/past.csv >made/east-north.csv
refuse "vents without coordinates" "the header has to have 'x,y' .* or 'lon,lat'" 'past_vents east-north.csv' "${past[1]}" 'complete 1910'
sed 's/1980/soon/' made/flows.json >made/soon.json
refuse "a flow without a date" "soon.json: feature 1: the date 'soon' cannot be read" "${past[@]}" 'complete 1910' 'past_flows soon.json'
sed 's/Polygon/MultiPoint/g; s/\[\[\[/[[/g; s/\]\]\]/]]/g' made/flows.json >made/points.json
refuse "flows that are points" 'points.json: feature 1 has points; give polygons' "${past[@]}" 'complete 1910' 'past_flows points.json'
refused 2 "... by info, too" 'points.json: feature 1 has points; give polygons' info made/bad.cfg
refuse "no date" "date 'soon' cannot be read" "${past[0]}" 'catalogue soon.csv' 'complete 1910'
sed 's/1931/2021/' made/eruptions.csv >made/next.csv
refuse "an eruption of the next year" 'year 2021 is after 2020, where the catalogue ends' "${past[0]}" 'catalogue next.csv' 'complete 1910'
sed 's/1931/2031/' made/eruptions.csv >made/later.csv
refuse "an eruption that is to come" 'year 2031 is after 2020, where the catalogue ends; give catalogue_until' "${past[0]}" 'catalogue later.csv' 'complete 1910'
# shellcheck disable=SC2046 # two words
geojson $(feature '' Point "[500205,4170245]") $(point a 500405 4170105) $(point a 500415 4170125) >made/alone.json
refuse "a vent without a zone" 'two vents or more without a zone; add vents' 'past_vents alone.json' 'catalogue eight.csv' 'complete 1910'
refuse "an area without vents" 'no vent of south may open' "${past[@]}" 'complete 1910' 'opening_bandwidth_m 5' 'opening_cell_m 40'
refuse "a bandwidth larger than the terrain" 'no vent of north may open .* smaller cells, or a bandwidth smaller than the terrain' "${past[@]}" 'complete 1910' 'opening_bandwidth_m 1e7'
{ cat made/base.cfg && echo 'members 5'; } >made/none.cfg
refused 2 "a plan without a catalogue" 'has no catalogue' hazard made/none.cfg

# ---- what info says of it
call info made/volcano.cfg
check "info: where the vents are from" says '^vents_from +vents.json$'
for kind in ensemble:output/volcano hazard:$maps; do
    call info "${kind#*:}"
    check "... the kind of a folder" says "^kind +${kind%%:*}\$"
done
for line in 'observed_front no.json at 2h error_m 30' 'observed_dry no.json until 2h' 'observed_survey no.csv at 2h error_m 1' \
    'observed_front flows.json at 2h error_m 30 within no.json' 'observed_hot_spots no.csv' 'weigh_rates no.csv'; do
    { cat made/none.cfg && echo "$line"; } >made/seen.cfg
    refused 2 "info of ${line%% *} without its file" "seen.cfg:[0-9]+: made/no\..* cannot be read" info made/seen.cfg
done
for line in 'observed_front places.json at 2h error_m 30' 'observed_arrival eruptions.csv at 2h error_h 1' 'weigh_rates eruptions.csv'; do
    { cat made/none.cfg && echo "$line"; } >made/seen.cfg
    refused 2 "... with another kind of file" 'made/(places.json|eruptions.csv):' info made/seen.cfg
done
report
