#!/bin/bash
# test_forecast.sh — `sciara forecast`: its results are those of `sciara plan`, `ensemble` and `nowcast`; what is edited, seen
# or interrupted is taken up, and no member is computed twice; what is refused leaves the plan as it was.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: program/commands, study/draft
. tests/check.sh
needs_sciara
export LC_ALL=C OMP_NUM_THREADS=2
cd "$work" || exit 1

"$sciara" terrain made --size 40 --quiet || exit 1
printf '%s\n' 'max_steps 240' 'assets places.geojson' 'start_time 2026-11-25T00:00+01:00' >>made/volcano.cfg
sed -i '/^max_steps 16000/d' made/volcano.cfg
printf '{"type":"FeatureCollection","features":[%s,%s]}' \
    '{"type":"Feature","properties":{"name":"Hut"},"geometry":{"type":"Point","coordinates":[500205,4170175]}}' \
    '{"type":"Feature","properties":{"name":"Top"},"geometry":{"type":"Point","coordinates":[500205,4170395]}}' >made/places.geojson
awk 'BEGIN { print "ncols 40\nnrows 40\nxllcorner 500000\nyllcorner 4170000\ncellsize 10"
             for (i = 0; i < 40; i++) { for (j = 0; j < 40; j++) printf "%d ", (i >= 15 && i <= 24 && j >= 17 && j <= 23); print "" } }' >'made/a front.asc'
small=(--map-size 300x300 --map-dpi 72)
members=output/volcano-forecast
forecasts() { ls output/volcano-forecast-nowcast 2>/dev/null | tr '\n' ' '; }
library_time() { stat -c %y "$members/library.gpkg"; }

# ---- from a folder with a case to a first forecast
call forecast made --members 20 "${small[@]}"
check "a folder with a case: status 0" exits 0
check "its plan, which is said" complains 'made/volcano-forecast\.cfg: .*edit it'
check "what comes is said: the first map" complains '^sciara: the first map has 8 of 20 members$'
check "... the map of few members, which was then there" complains '^sciara: map of 8 of 20 members: output/volcano-forecast/map_probability\.png$'
check "... and how long all take" complains '^sciara: all 20 in about [0-9]+:[0-9][0-9]$'
check "one report, of all members" [ "$(grep -c '^members  *20 of 20$' stdout) $(grep -c '^members' stdout)" = '1 1' ]
check "what is the map comes first, on the terminal" [ "$(head -1 stdout)" = "map           $members/map_probability.png" ]
check "... and in the summary" [ "$(jq -r 'to_entries[0] | .key + " " + .value' $members/summary.json)" = 'map map_probability.png' ]
"$sciara" plan made/volcano.cfg | sed 's/^members .*/members                 20/' >made/steps.cfg
check "the plan is that of sciara plan" cmp made/steps.cfg made/volcano-forecast.cfg
"$sciara" ensemble made/steps.cfg --keep --bulletin --quiet "${small[@]}" || exit 1
check "lava may come to the places" awk -F, 'NR > 1 && $0 ~ /^Hut,/ { exit !($0 ~ /,0\.[0-9]/ || $0 ~ /,1,/) }' output/steps/assets.csv
check "the forecast is that of sciara ensemble" [ "$(digest $members)" = "$(digest output/steps)" ]
check "... with all files of one" [ "$(listed $members)" = "$(listed output/steps)" ]

heading=$(grep -o '<h2>Probability that lava arrives[^<]*' $members/bulletin.html)
check "its map says in words what, until when and of how many" grep -qF "alt=\"${heading#<h2>}; 20 simulated eruptions\"" $members/bulletin.html

# ---- a plan, of which an ensemble has kept no member
sed 's/^members .*/members 8/' made/steps.cfg >made/unkept.cfg
"$sciara" ensemble made/unkept.cfg --quiet --map-size 300x300 --map-dpi 72 || exit 1
call forecast made/unkept.cfg "${small[@]}"
check "an ensemble that kept no member: it is computed with a library" [ "$code" = 0 -a -s output/unkept/library.gpkg ]
check "... by the plan that was named" [ ! -e made/unkept-forecast.cfg ]

# ---- Ctrl-C after the first map, while the next members are computed
sed 's/^members .*/members 8000/; s/^max_steps .*/max_steps 40000/' made/steps.cfg >made/long.cfg
"$sciara" forecast made/long.cfg "${small[@]}" >said 2>&1 &
child=$!
check "a forecast to interrupt" wait_until [ -d output/long/previous ]
kill -INT $child
wait $child
check "... ends with status 130" [ $? = 130 ]
child=''
check "... says how to continue" grep -qx 'sciara: interrupted; continue with sciara forecast made/long.cfg --map-size 300x300 --map-dpi 72' said

# ---- again: nothing is computed
before=$(library_time)
call forecast made/volcano.cfg "${small[@]}"
check "again: no member is computed" complains 'has all members of this plan'
check "... the same" [ "$(digest $members) $(library_time)" = "$(digest output/steps) $before" ]

"$sciara" report $members >log || exit 1
call forecast made/volcano.cfg "${small[@]}"
check "a report of the same results stays" [ -s $members/report.html ]
check "... and is in no list, as one that was just made" fails grep -qx report.html <(listed $members)
"$sciara" ensemble made/volcano-forecast.cfg --resume --quiet "${small[@]}" || exit 1
check "... as does a bulletin that an ensemble does not write" [ -s $members/bulletin.html ]
before=$(library_time)

# ---- what was seen: named from here, in the plan from there
front="observed_front 'made/a front.asc' at 4h error_m 30"
call forecast made/volcano.cfg "$front" "${small[@]}"
check "an observation: status 0" exits 0
check "... in the plan, named from there" grep -qx "observed_front          \"a front.asc\" at 4h error_m 30" made/volcano-forecast.cfg
check "... no member is computed again" [ "$(library_time)" = "$before" ]
printf '%s\n' "observed_front \"a front.asc\" at 4h error_m 30" >>made/steps.cfg
call nowcast made/steps.cfg "${small[@]}"
first=$(forecasts)
check "the map of a forecast comes first" [ "$(head -1 stdout)" = "map           output/steps-nowcast/${first% }/map_forecast.png" ]
check "the forecast is that of sciara nowcast" [ "$(digest output/volcano-forecast-nowcast/${first% })" = "$(digest output/steps-nowcast/${first% })" ]
check "... and not that without it" fails [ "$(digest output/volcano-forecast-nowcast/${first% })" = "$(digest $members)" ]
"$sciara" forecast made "$front" --quiet "${small[@]}"
check "said twice it counts once" [ "$(grep -c '^observed_front' made/volcano-forecast.cfg)" = 1 ]
echo 'observed_dry places.geojson until 6h' >>made/volcano.cfg
call forecast made "${small[@]}" --json
check "a line of the case: status 0" exits 0
check "... it counts" [ "$(jq '.nowcast.observations' stdout)" = 2 ]
check "... the earlier forecast is still there" [ "$(forecasts | wc -w) $(forecasts | cut -d' ' -f1)" = "2 ${first% }" ]
check "... nothing but the summary is printed" [ "$(jq -s length stdout)" = 1 ]

# ---- the plan is edited: more members
sed -i 's/^members .*/members 28/' made/volcano-forecast.cfg
call forecast made "${small[@]}"
check "the others stay, and no option that the command lacks is named" complains 'which stay as library-[0-9a-f]*\.gpkg$'
check "more members: those that are there count" complains '^sciara: 20 of 28 members are there already$'
sed -i 's/^members .*/members 28/' made/steps.cfg
"$sciara" ensemble made/steps.cfg --keep --replace --quiet "${small[@]}" || exit 1
check "... and the others are computed" [ "$(digest $members)" = "$(digest output/steps)" ]
check "... all of them" [ "$(value done $members/summary.json)" = 28 ]

# ---- other rates
sed -i 's/^vary_rate_factor .*/vary_rate_factor        lognormal 1 1.2/' made/volcano-forecast.cfg
call forecast made --quiet "${small[@]}"
check "a plan that is edited: its members are computed" fails [ "$(digest $members)" = "$(digest output/steps)" ]
widest() { column rate_factor <(unzip -p "$1/record.zip" members.csv) | sort -g | tail -1; }
check "... by its lines" awk -v before="$(widest output/steps)" -v now="$(widest $members)" 'BEGIN { exit !(before > 2 && now < 1.7) }'
check "... and those before are kept" [ -n "$(ls $members/library-*.gpkg)" ]

# ---- the case is edited
check "as long as only the plan is edited, nothing is said of the case" fails complains 'the case has changed'
cp made/volcano.cfg case.txt
sed -i 's/^Pcool .*/Pcool 3/; s/^start_time .*/start_time 2026-11-26T00:00+01:00/; s/^vents .*/vents moved.csv/' made/volcano.cfg
sed 's/,19,/,18,/' made/vents.csv >made/moved.csv
call forecast made/volcano.cfg "${small[@]}"
check "a case that is edited: in what it differs" complains 'warning: made/volcano-forecast.cfg: is used, but the case has changed \(Pcool 2.8, now 3; start_time 2026-11-25T00:00\+01:00, now 2026-11-26T00:00\+01:00; vents vents.csv, now moved.csv\); edit the plan, or rename it'
check "... and the plan counts" exits 0
cp case.txt made/volcano.cfg

# ---- refusals: one line, and nothing has changed
cp made/volcano-forecast.cfg plan.txt
unchanged() { cmp plan.txt made/volcano-forecast.cfg; }
refused 2 "an observation of a file that is not there" 'never\.tif: No such file' forecast made 'observed_front never.tif at 4h error_m 30'
refused 2 "one without an error" 'error_m' forecast made "observed_front 'made/a front.asc' at 5h"
check "... it is named by its words, since the plan has not got it" complains "^sciara: 'observed_front +\"a front.asc\" at 5h': "
refused 2 "a file with blanks in its name" 'made/a: has blanks in its name; write it in quotes' forecast made 'observed_front made/a front.asc at 5h error_m 30'
refused 2 "a key of something else" "'members': does not name an observation" forecast made 'members 300'
refused 2 "two lines" 'give one line' forecast made $'observed_end 3d\nobserved_end 4d'
refused 2 "another number of members" 'volcano-forecast.cfg:[0-9]+: the plan has 28 members; change the number there' forecast made --members 30
check "... the plan is as it was" unchanged
mkdir empty two && touch two/a.cfg two/b.cfg
refused 2 "a folder without a case" 'empty: has no case; write one' forecast empty
refused 2 "with two of them" 'two: has several cases, such as [ab]\.cfg and [ab]\.cfg; name one' forecast two
refused 2 "nothing" 'name a case' forecast
grep -v '^vents' made/volcano.cfg >made/bad.cfg
refused 2 "a case that cannot be forecast" 'bad' forecast made/bad.cfg
check "... has no plan" [ ! -e made/bad-forecast.cfg ]
mkdir closed && cp made/{volcano.cfg,terrain.tif,vents.csv,rates.csv,roads.geojson,places.geojson} closed && sed -i '/^observed/d' closed/volcano.cfg && chmod 555 closed
anybody=$([ "$(id -u)" != 0 ] || echo "setpriv --reuid=61000 --regid=61000 --clear-groups")
if chmod 755 . && $anybody [ -r closed/volcano.cfg -a ! -w closed ] 2>/dev/null; then
    # shellcheck disable=SC2086 # words
    keep $anybody "$sciara" forecast closed
    refusal 1 "a case in a folder that cannot be written" 'closed/volcano-forecast\.cfg: cannot be written: .*; the plan is kept next to its case: copy the case to a folder that can be written'
    mkdir -m 555 shut && mkdir -m 777 open && cp closed/* open
    there=$(pwd)
    from() { (cd "$1" && $anybody "$sciara" forecast "${@:2}" --members 2 --quiet --map-size 300x300 --map-dpi 72); }
    keep from shut ../open
    refusal 1 "a current folder that cannot be written" 'output/volcano-forecast: cannot be written: .*; a forecast is written to output/ of the current folder: change to a folder that can be written, and name the case from there'
    check "... leaves no plan" [ ! -e open/volcano-forecast.cfg ]
    mkdir -m 777 elsewhere
    check "... and is as it says: from another folder, by the name of the case there" from elsewhere "$there/open/volcano.cfg"
    check "... which has the forecast" [ -s elsewhere/output/volcano-forecast/bulletin.html ]
    cp -r closed copied && chmod 777 copied
    check "a case that is copied, as said there, too" from elsewhere ../copied
else
    skip "a folder that cannot be written: nobody else can be called"
fi
report
