#!/bin/bash
# test_report.sh — report.html: made of what runs, ensembles and calibrations leave, refused where it cannot be, gone
# with the run it is of; and in a browser, headless, as people use it (report_browser.js).
# Run from the root of the repository, with BUILD naming the build folder.
# tests: show/page
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1
page_of() { [ -s "$1/report.html" ] && [ "$(head -c 15 "$1/report.html")" = '<!doctype html>' ]; }
scripts() { [ "$(grep -o '</script' "$1/report.html" | wc -l)" = 3 ]; }

# ---- a run; Etna 2006 where its terrain is there
"$sciara" terrain "$work/made" --size 60 --quiet || exit 1
run=$work/run
call run "$work/made/volcano.cfg" 1200 --every 400 --variant reference --format html --layers all --output "$run" --quiet
check "a run with --format html ends well" exits 0
check "it has a page" page_of "$run"
check "... of three scripts" scripts "$run"
check "... and the layers that it is made from" [ -s "$run/arrival_h_001200.tif" ]
check "... and no map, which was not asked for" [ ! -e "$run/map_001200.png" ]
cp "$run/report.html" "$work/first.html"
call report "$run"
check "report says where the page is" says "^page +$run/report.html$"
check "report makes the same again" cmp "$work/first.html" "$run/report.html"
call report "$run" --output "$work/elsewhere.html"
check "... and elsewhere" cmp "$work/first.html" "$work/elsewhere.html"
jq '.files += [{"bytes": 3}, 5, {"name": 7}]' "$run/shown.json" >"$work/odd.json" && mv "$work/odd.json" "$run/shown.json"
call report "$run"
check "entries without a name in the list of pictures stay" [ "$(jq -c '.files | map(select(type != "object" or (.name | type) != "string"))' "$run/shown.json")" = '[{"bytes":3},5,{"name":7}]' ]
mkdir "$work/islenska"
call report "$run" --language is --output "$work/islenska/report.html"
check "a page in Icelandic" exits 0
refused 2 'a language without words' 'language' report "$run" --language xx --output "$work/xx.html"
call run "$work/made/volcano.cfg" 400 --variant reference --format geotiff --output "$run" --quiet
check "another run there takes the page away" [ ! -e "$run/report.html" ]

# ---- an outline, that of the run or a file that has gone
{ cat "$work/made/volcano.cfg" && echo "outline $work/seen.tif"; } >"$work/made/seen.cfg"
cp "$run/total_thickness_m_000400.tif" "$work/seen.tif"
call run "$work/made/seen.cfg" 400 --variant reference --format html,geojson --layers all --output "$work/seen" --quiet
check "a run with an outline has it on its page" grep -q '"outline":[0-9]' "$work/seen/report.html"
keep "$sciara" fit "$work/seen" "$work/seen.tif" --json
jaccard=$(sed -n 's/^.*"jaccard":[[:space:]]*\([0-9.]*\),*$/\1/p' "$work/stdout")
check "... with its agreement, as sciara fit has it" grep -q "\"fit\":{\"jaccard\":$jaccard[0-9]*,\"hits\":[1-9]" "$work/seen/report.html"
cp "$work/seen/report.html" "$work/first.html"
rm "$work/seen.tif" "$work/seen/outline.geojson"
call report "$work/seen"
check "... from the record, where the file has gone" cmp "$work/first.html" "$work/seen/report.html"
mv "$work/seen/record.zip" "$work/record.zip"
call report "$work/seen"
check "a folder without a record has a page, too" exits 0
check "... which says what it lacks" grep -q '"notes":\["This folder has no record of terrain, outline' "$work/seen/report.html"
check "... and shows the rest" grep -q '"terrain":{' "$work/seen/report.html"
"$sciara" terrain "$work/small" --size 40 --quiet
call run "$work/small/volcano.cfg" 60 --variant reference --format html --output "$work/part" --quiet
check "a page of the usual layers has these alone" [ "$(grep -o '"name":"[a-z_]*_[mhK]"' "$work/part/report.html" | sort -u | paste -sd' ')" = \
    '"name":"arrival_h" "name":"max_thickness_m" "name":"total_thickness_m"' ]
mv "$work/part/record.zip" "$work/own.zip"
refused 2 "... without a record, it lacks the terrain" 'part: has no layer elevation_after_m of the last step; .* --layers elevation_after_m' report "$work/part"
cp "$work/record.zip" "$work/part/record.zip"
refused 2 "the record of another run" 'part/record.zip: was not written by the run of' report "$work/part"
jq 'del(.files, .digest)' "$work/part/summary.json" >"$work/unlisted.json" && mv "$work/unlisted.json" "$work/part/summary.json" # as of old
refused 2 "the record of another grid" 'has another grid than the layers' report "$work/part"

# ---- a title that wants to be markup: </script>, quotes, U+2028, and letters from right to left
{
    echo 'map_note Unverified – exercise </p><b>'
    printf 'title </script><img src=x onerror=window.hacked=1> "q" %b %b\n' '\xe2\x80\xa8' '\xe2\x80\xaeabc'
    sed 's/^vents .*/vents fissures.csv/' "$work/made/volcano.cfg"
} >"$work/made/hostile.cfg"
# (two fissures across the rows: cells next to each other in one are not so in the list of all cells)
printf 'vent,row,col\n1,27,20\n1,29,31\n2,33,31\n2,31,20\n' >"$work/made/fissures.csv"
call run "$work/made/hostile.cfg" 1200 --every 400 --variant reference --format html --layers all --output "$work/hostile" --quiet
check "a hostile title" exits 0
check "... ends no script" scripts "$work/hostile"
check "... and is nowhere as it stands" fails grep -q '<img' "$work/hostile/report.html"

# ---- an ensemble and a calibration
cat >"$work/made/places.json" <<'END'
{"type":"FeatureCollection","features":[
{"type":"Feature","properties":{"name":"Hut"},"geometry":{"type":"Point","coordinates":[500405,4170305]}},
{"type":"Feature","properties":{"name":"Barn"},"geometry":{"type":"Point","coordinates":[500415,4170305]}},
{"type":"Feature","properties":{"name":"A house at the end of a long road to the east"},"geometry":{"type":"Point","coordinates":[500455,4170355]}},
{"type":"Feature","properties":{"name":"Vent house"},"geometry":{"type":"Point","coordinates":[500241,4170305]}},
{"type":"Feature","properties":{"name":"West, at the end of the map"},"geometry":{"type":"Point","coordinates":[500001,4170305]}},
{"type":"Feature","properties":{"name":"South"},"geometry":{"type":"Point","coordinates":[500405,4170002]}},
{"type":"Feature","properties":{"name":"Far east"},"geometry":{"type":"Point","coordinates":[500598,4170598]}}]}
END
{
    grep -v '^max_steps' "$work/made/volcano.cfg"
    printf '%s\n' 'max_steps 900' 'members 12' 'vary_Pcool normal 2.8 0.3 from 1.5 to 4.5' 'vary_vent_east_m uniform -20 20' 'terrain_error_m 0.5' 'assets places.json' 'start_time 2024-02-29T23:00'
} >"$work/made/plan.cfg"
call ensemble "$work/made/plan.cfg" --keep --format html --output "$work/ensemble" --layers all --map-size 300x300 --map-dpi 72 --quiet
check "an ensemble with --format html" exits 0
check "it has a page" page_of "$work/ensemble"
sed 's/"Hut"/"Barn"/' "$work/made/places.json" >"$work/made/barns.json"
call ask "$work/ensemble/library.gpkg" --members --assets "$work/made/barns.json" --format html --output "$work/asked" --layers 'thickness_member_*' --map-size 300x300 --map-dpi 72 --quiet
check "a question about other places: its page has these" grep -q '"assets":\[{"name":"Barn"' "$work/asked/report.html"
echo 'seed 7' >>"$work/made/plan.cfg"
cp "$work/ensemble/report.html" "$work/first.html"
call report "$work/ensemble"
check "its page needs no plan" cmp "$work/first.html" "$work/ensemble/report.html"
check "... and lacks nothing" grep -q '"notes":\[\]' "$work/ensemble/report.html"
cp -r "$work/ensemble" "$work/other"
mv "$work/other/arrival_p05_h.tif" "$work/other/arrival_p25_h.tif"
sed -i 's/arrival_p05_h/arrival_p25_h/' "$work/other/summary.json"
layer=thickness_p95_m.tif
rm "$work/other/$layer"
refused 2 "a layer that is listed" "other/$layer: is missing, though summary.json lists it" report "$work/other"
sed -i "s/\"$layer\"/\"removed.tif\"/" "$work/other/summary.json"
call report "$work/other"
check "a layer that the page has no words for is on it" grep -q '"name":"arrival_p25_h"[^}]*"unit":"h"' "$work/other/report.html"
check "... but a standard error by itself is not" fails grep -q "\"name\":\"${layer%.tif}_error\"" "$work/other/report.html"
{
    grep -v '^max_steps' "$work/made/volcano.cfg"
    printf '%s\n' 'max_steps 300' "outline $run/total_thickness_m_000400.tif" 'fit_Pcool 1 10 log' 'evaluations 21'
} >"$work/made/fit.cfg"
call calibrate "$work/made/fit.cfg" --format html --output "$work/calibration" --layers all --map-size 300x300 --map-dpi 72 --quiet
check "a calibration with --format html" exits 0
check "it has a page" page_of "$work/calibration"

# ---- what is refused
refused 2 "a folder that is not there" 'is not a folder' report "$work/none"
mkdir "$work/empty"
refused 2 "a folder of something else" 'holds neither layers nor summary.json' report "$work/empty"
touch "$work/empty/writing.json"
for command in report show info; do
    refused 2 "a folder in which a command was killed: $command" 'empty: is unfinished; wait for the command that writes it, or repeat it, with --resume if' $command "$work/empty"
done
rm "$work/empty/writing.json"
"$sciara" run "$work/made/volcano.cfg" 1 --variant reference --format geotiff --output "$work/broken" --quiet
echo '{' >"$work/broken/summary.json"
refused 2 "a broken summary" 'summary.json: is not JSON; remove it, and compute the folder again$' report "$work/broken"
rm "$work/broken/summary.json"
call run "$work/made/volcano.cfg" 1 --variant reference --format geotiff --output "$work/broken" --quiet
check "... which is possible" exits 0
echo '{"software": "sciara", "kind": "sensitivity"}' >"$work/empty/summary.json"
refused 2 "a folder of another kind" 'empty: a study of this kind \(sensitivity\) has no report; name the folder of a run' report "$work/empty"
check "... leaves nothing" [ ! -e "$work/empty/report.html" ]
cp -r "$run" "$work/damaged"
truncate -s 900 "$work/damaged/arrival_h_000400.tif"
refused 2 "a damaged layer" 'arrival_h_000400.tif' report "$work/damaged"
rm "$work/damaged"/arrival_h_*
refused 2 "a layer that is not there" 'no layer arrival_h of the last step' report "$work/damaged"
echo 'not mine' >"$work/damaged/report.html"
cp "$run"/arrival_h_* "$work/damaged"
refused 2 "a page of somebody else" 'would be overwritten, but was not written by sciara' report "$work/damaged"
check "... which stays" [ "$(cat "$work/damaged/report.html")" = 'not mine' ]
refused 2 "a run over it" 'was not written by sciara, or was changed later' run "$work/made/volcano.cfg" 400 --format html --output "$work/damaged" --quiet
check "... before it begins" [ -s "$work/damaged/summary.json" ]
refused 2 "shards" '--format html: a page needs all layers' ensemble "$work/made/plan.cfg" --shard 1/2 --format html --output "$work/none"

# ---- a grid of so many cells with lava that the page holds some of them alone
"$sciara" terrain "$work/sheet" --kind sheet --size 1450 --quiet || exit 1
call run "$work/sheet/sheet.cfg" 2 --variant reference --format html --layers temperature_K,elevation_after_m,solidified_m --output "$work/coarse" --quiet
check "a grid of two million cells, all with lava" exits 0
check "... has a page of 5 MB at most" [ "$(stat -c %s "$work/coarse/report.html")" -le 5000000 ]

# ---- in a browser
cp "$work/made/volcano.cfg" "$work/made/placed.cfg"
echo 'assets places.json' >>"$work/made/placed.cfg"
call run "$work/made/placed.cfg" 1200 --every 400 --variant reference --format html --layers all --output "$run" --quiet
pages=(run "$run")
if [ -r data/etna2006/2006_000000000000_Morphology.asc ]; then
    call run data/etna2006.cfg --variant reference --format html --layers all --output "$work/etna" --quiet --json
    check "Etna 2006 with a page" exits 0
    size=$(stat -c %s "$work/etna/report.html" 2>/dev/null || echo 0)
    check "... of 3 MB at most ($size bytes)" [ "$size" -gt 100000 -a "$size" -le 3000000 ]
    pages+=(phone "$work/etna" fold "$work/etna")
else
    skip "Etna 2006: its terrain is not there; tools/fetch-etna2006"
    pages+=(phone "$run" fold "$run")
fi
if ! command -v node >/dev/null; then
    skip "no node to drive a browser"
elif ! node -e 'process.exit(require("./tests/chromium.js").findProgram() ? 0 : 1)'; then
    skip "no Chromium to show pages"
else
    . tests/axe.sh
    # all kinds of pages in two languages
    mkdir -p "$work/languages/en" "$work/languages/it" && printf '%s\n' EPSG Hut Barn 'A house' >"$work/languages/names"
    for kind in run ensemble asked calibration; do
        for language in en it; do
            "$sciara" report "$work/$kind" --language $language --output "$work/languages/$language/report_$kind.html" >/dev/null
        done
    done
    timeout 300 node tests/report_browser.js "$work" "${pages[@]}" languages "$work/languages" coarse "$work/coarse" hostile "$work/hostile" islenska "$work/islenska" ensemble "$work/ensemble" members "$work/asked" calibration "$work/calibration"
    check "a browser shows all of it" [ $? = 0 ]
fi
report
