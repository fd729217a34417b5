#!/bin/bash
# test_show.sh — `sciara show`: what a record paints later is what was painted while computing, of each kind of folder, from a
# read-only one to another place; in another size and language; records that are damaged, of another version, or none.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: library, record, show/gis, show/paint, show/plain
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1
repository=$PWD
. tests/plans.sh

# plain SVG: without the names that cairo gives to its parts, numbered in a process, and their sum
plain() { sed -E 's/sciara, CRC-32 [0-9a-f]{8}//; s/(glyph|surface|image|source|clip|radial|linear|mask|pattern)-?[0-9]+(-[0-9]+)?/\1/g' "$1"; }
equal() { case $1 in *.svg) cmp -s <(plain "$1") <(plain "$2") ;; *) cmp -s "$1" "$2" ;; esac; }

# again FOLDER LEAST: each of its pictures, at least so many, and nothing else changes
again() {
    local folder=$1 picture same=0 count=0 before
    mv "$folder" away && mkdir -p "copy/$folder" && cp away/record.zip "copy/$folder/" && chmod a-w "copy/$folder"
    before=$(md5sum "copy/$folder"/*)
    call show "copy/$folder" --output "shown/$folder" --format png,svg$([ ! -e "away/animation.webp" ] || echo ,webp)
    check "$folder: shown, exit status 0" exits 0
    chmod u+w "copy/$folder"
    mv away "$folder"
    check "$folder: its pictures are those of synthetic terrain" [ -z "$(grep -LE 'font-weight="bold"[^>]*>SYNTHETIC TERRAIN<' "$folder"/*.svg | grep -v '/bulletin.svg')" ]
    for picture in "$folder"/*.png "$folder"/*.svg $(ls "$folder"/*.webp 2>/dev/null); do
        count=$((count + 1))
        if equal "$picture" "shown/$picture"; then same=$((same + 1)); else echo "$picture differs" >&2; fi
    done
    check "... all $count pictures" [ $same = $count -a $count -ge "$2" ]
    check "... and no others" [ "$(find "shown/$folder" -type f ! -name shown.json | wc -l)" = $count ]
    [ -e "$folder/report.html" ] && page_again "$folder"
    check "... it reads the record and changes nothing" [ "$before" = "$(md5sum "copy/$folder"/*)" ]
}
# The page needs layers and tables, too
page_again() {
    chmod a-w "$1"
    call show "$1" --output "shown/page_$1" --format html
    chmod u+w "$1"
    check "... its page, from a folder that nobody writes to" cmp "$1/report.html" "shown/page_$1/report.html"
    [ ! -e "$1/bulletin.html" ] || check "... its bulletin" cmp "$1/bulletin.html" "shown/page_$1/bulletin.html"
    call report "$1" --output "shown/page_$1.html"
    check "... by its other name" cmp "$1/report.html" "shown/page_$1.html"
    call show "$1" --output "shown/page_$1" --format html --language it
    check "... in Italian" grep -q '"language":"it"' "shown/page_$1/report.html"
}
computed() { # FOLDER COMMAND...
    local formats=svg${also:-} # (a study has PNG anyway)
    [ "$2" = run ] && formats=png,svg
    case "$*" in *barriers* | *sensitivity*) ;; *) formats=$formats,html ;; esac # (they have no page)
    made "${@:2}" --output "$1" --format $formats --layers all --map-size 500x400 --map-dpi 60
}
made() { call "$@" --quiet && exits 0 || exit 1; }

printf '%s\n' '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Hut <\"1\">"},"geometry":{"type":"Point","coordinates":[500205,4170205]}}]}' >made/places.json
{ cat made/volcano.cfg && printf '%s\n' 'assets places.json' 'barriers walls.csv' 'start_time 2026-01-01T00:00Z'; } >made/run.cfg
computed run run made/run.cfg --every 30 --animate-every 20 --maps thickness,temperature,arrival,max_thickness --variant reference
again run 15
check "... and above diagrams below one another that is said once" [ "$(grep -c '>SYNTHETIC TERRAIN<' run/timeline.svg)" = 1 ]
{ cat made/plan.cfg && printf '%s\n' 'assets places.json' 'outline ../truth/total_thickness_m_000060.tif'; } >made/kept.cfg
also=,kmz,qgis computed members ensemble made/kept.cfg --keep --variant reference
again members 9
computed answer ask members/library.gpkg
again answer 6
computed pairs ensemble made/plan.cfg --with-and-without barriers --variant reference
again pairs 2
{ cat made/fit.cfg && printf '%s\n' 'evaluations 5' 'finalist_members 2' 'posterior_members 10'; } >made/calibration.cfg
computed fitted calibrate made/calibration.cfg --variant reference
again fitted 4
computed sampled calibrate made/calibration.cfg --posterior --evaluations 21 --variant reference
again sampled 4
{ cat made/fit.cfg && printf '%s\n' 'trajectories 2'; } >made/sensitivity.cfg
computed screened sensitivity made/sensitivity.cfg --method morris --variant reference
again screened 4
{ sed '/^max_steps/d' made/kept.cfg && printf '%s\n' 'observed_front ../truth/total_thickness_m_000060.tif at 2h error_m 20'; } >made/now.cfg
computed nowcast nowcast made/now.cfg --library members/library.gpkg
again nowcast 8
made nowcast made/now.cfg --library members/library.gpkg --language it --output nowcast_it --layers all --format svg,html --map-size 500x400 --map-dpi 60
for command in "show nowcast_it --format html" "show nowcast_it --format html --language it" "report nowcast_it"; do
    rm -rf stays && call $command --output stays
    page=stays && [ -f stays ] || page=stays/report.html
    check "$command: as it was painted" cmp $page nowcast_it/report.html
    check "... says nothing of languages" silent stderr
done
check "... which is Italian" grep -q '"language":"it"' stays
call show nowcast_it --format html --language en --output stays_en
check "in English" fails grep -q '"language":"it"' stays_en/report.html
check "... but for the text, which is said" complains 'stays_en/bulletin.html: its text stays in the language'
check "... as it was painted" cmp stays_en/bulletin.html nowcast_it/bulletin.html

# ---- large terrain: the part that is shown lies in a domain of which the record has a thinned one
made terrain wide --size 1030
computed part run wide/volcano.cfg 40 --variant reference
check "a map of a part has a locator" grep -q '"around"' <(unzip -p part/record.zip record.json)
again part 6

# ---- layers, for globes and GIS: of the record and of the layers beside it, and of nothing else
{ grep -v '^title\|^outline' made/run.cfg && printf '%s\n' 'title Mount <b>&amp;' 'outline flow.json'; } >made/gis.cfg
echo '{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:32633"}},"features":[{"type":"Feature","properties":{},
    "geometry":{"type":"Polygon","coordinates":[[[500201,4170201],[500401,4170201],[500401,4170401],[500201,4170201]]]}}]}' >made/flow.json
made run made/gis.cfg --every 30 --layers all --format geotiff,kmz,qgis --variant reference --output gis
names_in() { unzip -p "$1/run.kmz" doc.kml | grep -o '<name>[^<]*[[:alpha:]][^<]*' && unzip -p "$1/run.qgz" run.qgs | grep -o '<layername>[^<]*'; }
for folder in gis members; do
    mkdir "bare_$folder" && cp "$folder"/{record.zip,*.tif} "bare_$folder/"
    cp "$folder"/*.geojson "bare_$folder/" 2>/dev/null
    chmod a-w "bare_$folder"
    call show "bare_$folder" --format kmz,qgis --output "globe_$folder"
    check "$folder: its layers are shown, exit status 0" exits 0
    chmod u+w "bare_$folder"
    check "... no others" [ "$(ls "globe_$folder" | grep -v shown.json)" = "$(cd "$folder" && ls -d *.kmz *.q?? )" ]
    for file in "globe_$folder"/*.{kmz,qml}; do check "... as while computing: ${file##*/}" cmp "$file" "$folder/${file##*/}"; done
    cp -r "bare_$folder" "own_$folder" && call show "own_$folder" --format qgis
    for file in "own_$folder"/*.q??; do check "... in its own folder: ${file##*/}" cmp "$file" "$folder/${file##*/}"; done
done
own_names='(Strada del Vallone|Torrente Secco|Borgo Basso|Case Vecchie|Rifugio)' # of the synthetic volcano, in all languages
project() { unzip -p "$1/run.qgz" run.qgs; }
check "a project elsewhere leads to the layers" cmp <(project globe_gis) <(project gis | sed 's|"\./|"../bare_gis/|; s|>\./|>../bare_gis/|')
check "... which has vectors, too" [ "$(project gis | grep -c '<provider encoding="UTF-8">ogr')" = 7 ]
call show gis --format kmz,qgis --output layers_it --language it
check "in Italian" grep -q 'Spessore della lava' <(names_in layers_it)
check "... nothing is in English" [ -z "$(comm -12 <(names_in gis | sort -u) <(names_in layers_it | sort -u) | grep -Ev "Mount|<name>Lava$|>$own_names$" | tee -a /dev/stderr)" ]
call show members --format kmz --output many_it --language it
check "... of many runs" grep -q '<name>Probabilità che arrivi la lava<' <(unzip -p many_it/ensemble.kmz doc.kml)
cp -r bare_gis odd_gis && cp "$(ls truth/arrival_h_*.tif | tail -n 1)" "$(ls odd_gis/arrival_h_*.tif | tail -n 1)"
refused 2 "a layer of other results" 'odd_gis/arrival_h_.*: is not of the same results as record.zip' show odd_gis --format kmz,qgis --output never
rm own_gis/*.tif
refused 2 "without its layers" 'own_gis/total_thickness_m_.*\.tif: No such file.*; run the case again with layers as GeoTIFF' show own_gis --format kmz --output never
refused 2 "a record without layers" 'pairs: its record has no layers; name the folder of an ensemble, or of a run with format geotiff' show pairs --format kmz --output never

# ---- what is missing for one of several formats, or of another result, before the first picture
refused 2 "one format of two" 'pairs: its record has no animation' show pairs --format png,webp --output never
refused 2 "a page of two" 'members: has no page named map_arrival' show members --format png,html --only map_arrival --output never
refused 2 "missing layers of a globe" 'own_gis/total_thickness_m_.*No such file' show own_gis --format png,kmz --output never
cp -r gis part_gis && rm part_gis/temperature_K_*
refused 2 "a missing layer" 'part_gis.*temperature_K' show part_gis --format png,qgis --output never
call show part_gis --format png,kmz,html --output part_globe
check "what a globe does not show may be missing, and a page shows what is there" exits 0
check "... of what may be missing" eval '! grep -q "\"name\":\"temperature_K" part_globe/report.html && grep -q "\"name\":\"total_thickness_m" part_globe/report.html'
cp -r members no_members
rm no_members/*.tif
refused 2 "a page without its layers" "no_members: has no probability.tif" show no_members --format png,html --output never
made run made/gis.cfg 50 --every 30 --layers all --format geotiff,kmz,qgis --variant reference --output other
of_another() { # FILE FORMATS...: a copy of `gis` with a file of `other` under that name
    rm -rf mixed && cp -r gis mixed && cp other/${1//000060_*./000050_*.} "$(echo mixed/$1)"
    for format in "${@:2}"; do refused 2 "$1 of another result ($format)" 'was not written by the run of mixed/summary.json' show mixed --format $format --output never; done
}
of_another 'thickness_m_000060_*.tif' kmz qgis html png,html,kmz
of_another 'timeline.csv' html
of_another 'isochrones.geojson' qgis
of_another 'record.zip' png svg pdf html kmz qgis
page=$(md5sum members/*)
refused 2 "an output of another result" 'members: has files of another result; choose another output' show gis --output members
refused 2 "... a page in it" 'members/.: has files of another result; choose another output' report gis --output members/report.html
check "... keeps all that it has" [ "$page" = "$(md5sum members/*)" ]
call show run --only timeline --output pictures
refused 2 "... pictures alone" 'pictures: has files of another result' show members --output pictures
check "a style that is not ours" eval 'mkdir theirs && echo mine >theirs/vents.qml'
refused 2 "... is not overwritten" 'theirs/vents.qml: would be overwritten' show gis --format qgis --output theirs

# ---- for others: it is what it says, without sciara
names() { unzip -Z1 "$1/record.zip" | sort; }
check "a record is GeoTIFF and JSON" [ -z "$(names run | grep -Evx 'record.json|frames.tif|[a-z]+-[0-9a-f]{16}\.tif')" ]
check "... which other programs read" eval "unzip -p run/record.zip record.json | jq -e '.record == 1 and (.pictures | length) == 10' >said"
check "... whose digest is that of the results" [ "$(unzip -p run/record.zip record.json | jq -r .digest)" = "$(jq -r .digest run/summary.json)" ]
made run made/run.cfg --every 30 --animate-every 20 --maps thickness,temperature,arrival,max_thickness --variant reference --layers all --format png,html \
    --map-size 500x400 --map-dpi 60 --output twice
check "the same run makes the same bytes" cmp run/record.zip twice/record.zip
size=$(stat -c %s run/record.zip)
check "... few of them ($size)" [ "$size" -lt 100000 ]

# ---- other sizes, formats, languages; one picture
call show run --only map_arrival_000060_20260101T0120Z --output small --map-size 320x330 --map-dpi 40
name=$(cd run && echo map_arrival_*.png)
call show run --only "${name%.png}" --output small --map-size 330x320 --map-dpi 40
check "one picture in another size" [ "$(od -An -tu4 --endian=big -j 16 -N 8 "small/$name" | tr -s ' ')" = ' 330 320' ]
check "... alone" [ "$(echo small/*)" = "small/$name small/shown.json" ]
pixels() { od -An -tu4 --endian=big -j 16 -N 8 "$1" | tr -s ' '; }
call show run --only "${name%.png}" --output fine --map-dpi 120
check "another resolution of the same page" [ "$(pixels "run/$name") $(pixels "fine/$name")" = ' 500 400  1000 800' ]
call show run --only "${name%.png}" --output part_of --format svg --extent 500100,4170095,500290,4170300
ticks() { grep -oE '>(500|4170)[0-9]{3}<' "$@" | tr -d '<>' | sort -n; }
check "a part of a map" [ "$(ticks part_of/*.svg | sed -n '1p;$p' | paste -sd' ')" = '500100 4170300' ]
refused 2 "a part beyond the terrain" 'extent: is not in the terrain of the record, west 500000, south 4170000, east 5004' show run --extent 500100,4170100,500300,4171300 --output never
refused 2 "no part" 'give four numbers with commas' show run --extent 500300,4170100,500100,4170300 --output never
call show nowcast --only bulletin --output finer --map-dpi 100
check "a bulletin has the resolution of maps, 60 when it was made" [ "$(pixels nowcast/bulletin.png) $(pixels finer/bulletin.png)" = ' 496 702  827 1170' ]
call show run --only "${name%.png}" --output italian --format svg --language it
check "in Italian" grep -q 'curve di livello' italian/*.svg
call show nowcast --format svg --output bulletin_it --only bulletin --language it
check "a page of text stays as it is, which is said" complains 'bulletin_it/bulletin.svg: its text stays in the language'
texts() { sed -n 's/.*<text[^>]*>\(.*\)<\/text>/\1/p' "$@"; }
names="^$own_names\$|"'^(run|kept|plan|now|calibration|sensitivity|Pcool|Hut .*)$|^sciara [0-9][^ ]*(, reference)?,$|^[0-9]{4}-[0-9-]+[^[:alpha:]]*UTC|arrival_p[0-9]*_h|^[0-9]+ min$'
for folder in run members pairs nowcast fitted screened sampled; do
    call show "$folder" --output "translated/$folder" --format svg --language it
    rm -f translated/"$folder"/bulletin.svg
    texts translated/"$folder"/*.svg >said
    texts $(ls "$folder"/*.svg | grep -v '/bulletin.svg') | grep -E '[[:alpha:]]{2}' | grep -vE "$names" >english
    check "$folder: its pictures have words ($(sort -u english | wc -l))" [ "$(sort -u english | wc -l)" -gt 10 ]
    check "... none of which is English in Italian" [ -z "$(grep -Fxf english said | sort -u | tee -a /dev/stderr)" ]
    check "... nor a number" [ -z "$(grep -vE 'sciara [0-9]|^[0-9]\.[0-9]\.[0-9]' said | grep -E '[0-9]\.[0-9]{1,2}([^0-9]|$)' | tee -a /dev/stderr)" ]
done
call show nowcast_it --format svg --language en --output back
for picture in back/*.svg; do
    [ $picture = back/bulletin.svg ] || check "Italian pictures in English: ${picture#*/}" equal $picture "nowcast/${picture#*/}"
done
call show nowcast_it --format svg --output same
for picture in same/*.svg; do check "... and as they are: ${picture#*/}" equal $picture "nowcast_it/${picture#*/}"; done
call show run --format pdf --output paper
check "as PDF" [ "$(find paper -name '*.pdf' | wc -l)" = 7 ]
call show run
check "in its own folder" exits 0
made run made/volcano.cfg --variant reference --output painted --layers all --format png
call show truth --output unpainted
check "a run without pictures keeps what they show" diff -r -x summary.json -x record.zip -x timeline.csv painted unpainted
check "... as a run with pictures does" cmp <(unzip -p truth/record.zip record.json | jq '.pictures[] | select(.name | test("^[mt]"))') <(unzip -p painted/record.zip record.json | jq '.pictures[]')
cp nowcast/bulletin.html before.html
call show nowcast --format html
check "... a bulletin, too" cmp before.html nowcast/bulletin.html
check "... whose next run knows them" "$sciara" run made/run.cfg --output run --format png --quiet --variant reference

# ---- the list of what was painted
names_of() { jq -r '.files[].name' "$1/shown.json"; }
pictures_in() { (cd "$1" && ls | LC_ALL=C grep -E '\.(png|svg|pdf|webp)$' | LC_ALL=C sort); }
check "a study lists what it painted" cmp <(pictures_in pairs) <(names_of pairs)
cp -r pairs own && before=$(md5sum own/record.zip own/summary.json)
call show own --format pdf
check "painting in its folder" exits 0
check "... lists that, too" cmp <(pictures_in own) <(names_of own)
check "... of which there is more" [ "$(names_of own | wc -l)" -gt "$(names_of pairs | wc -l)" ]
check "... with the digest" [ "$(jq -r .digest own/shown.json)" = "$(jq -r .digest pairs/summary.json)" ]
check "... record and summary stay" [ "$before" = "$(md5sum own/record.zip own/summary.json)" ]
for i in 1 2; do call show own --format svg --map-size 33${i}x320; done
check "what was painted again may be again" exits 0
sed -i 's/>[^<>]*</>My title</' own/map_difference.svg
cp -r own edited
refused 2 "a map that was edited" 'own/map_difference.svg: would be overwritten, but .* was changed' show own --format svg
check "... all stays" diff -r own edited
rm edited/shown.json
refused 2 "... without a list, too" 'edited/map_difference.svg: would be overwritten' show edited --format svg
rm edited/map_difference.svg
for i in 1 2; do call show edited --format svg; done
check "... where seals decide" exits 0
cp -r gis page && call show page --format html && echo ' ' >>page/report.html
refused 2 "a page that was changed" 'page/report.html: would be overwritten' report page
refused 2 "... a run that would write it" 'page/report.html: would be overwritten, but was not written by sciara, or was changed later' \
    run made/gis.cfg --output page --format html
mkdir foreign && echo '{"software": "another"}' >foreign/shown.json
refused 2 "a list of another program" 'foreign/shown.json: would be overwritten' show pairs --output foreign
check "a page elsewhere begins no list" [ ! -e shown/shown.json ]
(trap '' XFSZ && ulimit -f 100 && exec "$sciara" show members --format svg,png --map-size 300x300 --map-dpi 40 --output full) >/dev/null 2>said
check "where painting fails: exit status 1" [ $? = 1 ]
check "... some was painted" [ "$(pictures_in full | wc -l)" -gt 0 ]
check "... and is listed" cmp <(pictures_in full) <(names_of full)

# ---- nothing but an unchanged picture is painted over: every command that names its file x every kind of file in its way
call run made/gis.cfg --variant reference --maps thickness,arrival --format png --state --output kinds --map-size 320x330 --quiet
call show gis --format html --output kinds/page
call show nowcast --format html --only bulletin --output kinds/text
sed 's/Lava/Larva/' kinds/page/report.html >kinds/edited.html
cp members/members.csv members/library.gpkg gis/run.kmz kinds/
cp "$(echo kinds/map_arrival_*.png)" kinds/longer.png && echo >>kinds/longer.png
kinds=(kinds/{library.gpkg,members.csv,run.kmz,edited.html,longer.png,summary.json,shown.json,record.zip} kinds/state_*.tif gis/arrival_h_000060_*.tif made/gis.cfg)
check "each kind of file is there" [ "$(ls "${kinds[@]}" | wc -l)" = 11 ]
kept_kinds=$(md5sum "${kinds[@]}")
spares() { # FILE COMMAND...: paints it, again, and again without a list, and nothing over any other kind
    local file=$1 kind
    rm -rf target && mkdir target
    call "${@:2}" && check "${*:2}: paints $file" [ -s "target/$file" ]
    call "${@:2}"
    check "... again" exits 0
    for kind in "${kinds[@]}"; do
        rm -rf target && mkdir target && cp "$kind" "target/$file"
        refused 2 "${*:2} over ${kind##*/}" "target/(\./)?$file: would be overwritten" "${@:2}"
        check "... which stays" cmp "$kind" "target/$file"
    done
    ln -sf ../kinds/longer.png "target/$file" && refused 2 "... over a link" 'would be overwritten' "${@:2}"
    rm "target/$file" && mkdir "target/$file" && refused 2 "... over a folder" 'would be overwritten' "${@:2}"
}
arrival=$(cd gis && unzip -p record.zip record.json | jq -r '.pictures[].name | select(startswith("map_arrival"))')
spares page.html report gis --output target/page.html
spares report.html show gis --format html --output target
spares run.kmz show gis --format kmz --output target
spares run.qgz show gis --format qgis --output target
spares "$arrival.png" show gis --format png --only "$arrival" --output target --map-size 320x330
spares map.svg fit gis --map target/map.svg
spares map.pdf fit gis --map target/map.pdf
cp kinds/text/bulletin.html target/page.html
refused 2 "a report over a bulletin" 'target/page.html: would be overwritten' report gis --output target/page.html
for kind in "${kinds[@]}"; do refused 2 "a report at $kind" "$kind: would be overwritten" report gis --output "$kind"; done
check "... all stay" [ "$kept_kinds" = "$(md5sum "${kinds[@]}")" ]

# ---- refusals
made run made/volcano.cfg --variant reference --output unrecorded --format original,geojson
refused 2 "a run without layers and pictures" "unrecorded/record.zip: No such file.*; compute the folder again .* a run only with format geotiff or png" show unrecorded
mkdir bare && cp truth/summary.json bare/
refused 2 "a folder without a record" "bare/record.zip: No such file" show bare
refused 2 "no such folder" 'nowhere: is not a folder; name the folder of a run or a study' show nowhere
refused 2 "a folder that has no page" "pairs: a study of this kind \(pairs\) has no report; name the folder of a run" show pairs --format png,html --output never
refused 2 "no such picture" "has no picture named map_x; .*: name them in option 'layers' of the command that computes them$" show pairs --only map_x --output never
mkdir mine && echo mine >mine/map_difference.png
refused 2 "an animation that nobody asked for" 'pairs: its record has no animation; name the folder of a run with an animation' show pairs --format webp
refused 2 "a file that is not ours" "mine/map_difference.png: would be overwritten" show pairs --output mine
check "... stays" [ "$(cat mine/map_difference.png)" = mine ]
spoilt() { # WHAT MESSAGE PROGRAM [FOLDER FORMATS]: a record.json that jq has changed
    local of=${4:-pairs}
    rm -rf spoilt && mkdir spoilt && cp $of/record.zip $(ls -d $of/*.tif 2>/dev/null) spoilt/ && unzip -p $of/record.zip record.json | jq "$3" >spoilt/record.json
    (cd spoilt && zip -q record.zip record.json)
    refused 2 "$1" "$2" show spoilt --output never --format "${5:-png}"
}
if command -v zip >/dev/null; then
    spoilt "a later version" 'has version 2' '.record = 2'
    spoilt "no version" 'names no version of a record' 'del(.record)'
    spoilt "a name that leads elsewhere" 'a picture has an impossible name' '.pictures[0].name = "../x"'
    spoilt "a grid of another size" 'is the grid of another picture' '.pictures[0].rows = 7'
    spoilt "no cells" 'rows .* has an impossible value' '.pictures[0].rows = -1'
    spoilt "more cells than there can be" 'rows .* has an impossible value' '.pictures[0].rows = 1e9 | .pictures[0].cols = 1e9'
    spoilt "a grid that is not there" 'has no nothing.tif' '.pictures[0].value = "nothing.tif"'
    spoilt "a part outside" 'crop_rows .* has an impossible value' '.pictures[0].crop_rows = 1000'
    spoilt "a resolution that no picture has" 'dpi .* has an impossible value' '.pictures[0].dpi = 1e9'
    spoilt "a page that no picture has" 'dpi .* has an impossible value' '.pictures[0].width_in = 1e9'
    spoilt "a barrier without its parts" 'kind .* has an impossible value' 'del(.pictures[0].barriers[].parts)'
    spoilt "frames of another number" 'frames.tif is damaged' '.pictures[0].frames |= .[1:]' twice webp
    spoilt "a kind of its own" 'kind_of_picture' '.pictures[0].kind_of_picture = "film"'
    spoilt "a picture after others" 'kind_of_picture .* has an impossible value' '.pictures[-1].kind_of_picture = 7'
    spoilt "a language that nothing is in" 'language .* has an impossible value' '.pictures[0].language = "xx"'
    layers='(.pictures[] | select(.name == "run"))'
    spoilt "a layer elsewhere" 'name .* has an impossible value' "$layers.layers[0].name = \"../x\"" gis kmz
    spoilt "layers of no time" 'times .* has an impossible value' "del($layers.times)" gis kmz
    spoilt "classes without ends" 'classes .* has an impossible value' "$layers.layers[0].classes = [{colour: \"#000000\", label: \"x\"}]" gis kmz
    spoilt "layers of another size" 'has another size than in the record' "$layers.rows = 7 | $layers.cols = 7 | $layers.outline = [1, 2, 1]" gis kmz
else
    skip "spoilt records: zip is not installed"
fi
check "what is refused leaves nothing" [ ! -e never ]
cp -r pairs held
exec {lock}<held && flock "$lock"
refused 2 "a folder that a run writes to" 'another run is writing to this folder' show held
refused 2 "... by another path, too" 'another run is writing to this folder' show pairs --output held/.
call show held --output elsewhere
check "... but not to another one" exits 0
exec {lock}<&-
TMPDIR=/nowhere "$sciara" show pairs --output tmpless >/dev/null
check "no other folder is needed" [ $? = 0 ]
head -c 300 pairs/record.zip >spoilt.zip && mkdir cut && mv spoilt.zip cut/record.zip
refused 2 "a record that was cut" 'cannot be read as a zip archive' show cut --output never

# ---- a program whose painters are missing: one refusal, before anything is computed
copy_program missing
if [ -e missing/lib/sciara/libsciara_show.so ]; then
    rm missing/lib/sciara/libsciara_show.so
    painted=$sciara sciara=$work/missing/bin/sciara
    while read -r words; do
        # shellcheck disable=SC2086 # words
        refused 1 "without its library: $words" '^sciara: .*pictures and pages need libsciara_show.so, .*No such file.*; install sciara again, or choose formats that are not painted' $words
    done <<'END'
run made/volcano.cfg --output never
run made/volcano.cfg --output never --format html
run made/volcano.cfg --output never --format kmz
run made/volcano.cfg --output never --format geotiff,qgis
run made/volcano.cfg --output never --format geotiff --animate
ensemble made/plan.cfg --output never
ensemble made/plan.cfg --output never --with-and-without barriers
null made/fit.cfg --output never
calibrate made/calibration.cfg --output never
sensitivity made/sensitivity.cfg --output never
nowcast made/now.cfg --library members/library.gpkg --output never
ask members/library.gpkg --output never
merge members/library.gpkg --output never
show run --output never
show gis --output never --format kmz
report members --output never
fit run made/flow.json --map never.png
benchmark made/volcano.cfg 10 --output never
END
    check "... leaves nothing" eval '[ ! -e never ] && [ ! -e never.png ]'
    call run made/volcano.cfg --variant reference --output unpainted_run --format geotiff --quiet
    check "... what is not painted needs none" exits 0
    sciara=$painted
fi

# ---- a program that was built without painters
# colours_of PNG RECORD LAYER: how many cells with lava have colours of classes, in the order of their arrival, where nothing
# else is, or a grey where there is none; by GDAL and from the record's JSON
colours_of() {
    /usr/bin/python3 - "$@" <<'END'
import json, sys, zipfile
import numpy
from osgeo import gdal
gdal.UseExceptions()
pixel = numpy.moveaxis(gdal.Open(sys.argv[1]).ReadAsArray().astype(int), 0, -1)
record = json.loads(zipfile.ZipFile(sys.argv[2]).read("record.json"))
classes = next(p["classes"] for p in record["pictures"] if p["name"].startswith("map_arrival"))
place = {tuple(bytes.fromhex(c["colour"][1:])): i for i, c in enumerate(classes)}
layer = gdal.Open(sys.argv[3])
arrival = layer.ReadAsArray()
arrival[arrival == layer.GetRasterBand(1).GetNoDataValue()] = numpy.nan
middle = pixel[len(pixel) // 2]
dark = numpy.flatnonzero((middle == (25, 25, 28)).all(axis=1))
left, right = dark[1] + 1, dark[dark > dark[1] + 1][0]
size = (right - left) // arrival.shape[1]
assert size * arrival.shape[1] == right - left and size > 15, (left, right, arrival.shape)
top = numpy.flatnonzero((pixel[:, left + 1] == (25, 25, 28)).all(axis=1))[1] + 1
cell = pixel[top + 3 :: size, left + 3 :: size][: arrival.shape[0], : arrival.shape[1]]
lava = ~numpy.isnan(arrival)
assert (cell[~lava][:, :1] == cell[~lava]).all(), "grey"
order = [place[tuple(c)] for c in cell[lava][numpy.argsort(arrival[lava])]]
assert order == sorted(order) and len(set(order)) > 3, order
print(lava.sum(), "cells,", len(set(order)), "classes")
END
}
if without_painters plain; then
    call run made/volcano.cfg --variant reference --extent full --layers all --output lit --quiet
    painted=$sciara sciara=$work/plain/bin/sciara
    call run made/volcano.cfg --variant reference --extent full --layers all --output plain_run
    check "without painters: exit status 0" exits 0
    check "... one note" complains '^sciara: warning: this sciara was built without painters: '
    check "... its maps, layers and tables" cmp <(listed plain_run) <(listed lit | grep -vx 'timeline.png')
    check "... the digest" [ "$(digest plain_run)" = "$(digest lit)" ]
    check "... the record" cmp plain_run/record.zip lit/record.zip
    for format in svg pdf html kmz qgis; do
        refused 2 "... $format" "$format: this sciara was built without painters; choose png" run made/volcano.cfg --format "png,$format" --output never
        refused 2 "... of many" "$format: this sciara was built without painters" ensemble made/plan.cfg --format "$format" --output never
        refused 2 "... later" "$format: this sciara was built without painters" show lit --format "$format" --output never
    done
    refused 2 "... an animation" 'an animation: this sciara was built without painters' run made/volcano.cfg --animate --output never
    call nowcast made/now.cfg --library members/library.gpkg --output plain_nowcast --layers all --quiet
    check "... a nowcast without its bulletin" cmp <(listed plain_nowcast) <(listed nowcast | grep -v '^bulletin\|\.svg$\|^reliability.png$\|^overlap.png$\|^roc.png$')
    call show lit --output plain_shown
    check "... shows the maps, and says what is missing" complains 'map_.*: this sciara was built without painters: .*diagrams and pages are omitted'
    for picture in plain_run/*.png; do check "... as while computing: ${picture##*/}" cmp "$picture" "plain_shown/${picture##*/}"; done
    check "... no others" [ "$(ls plain_shown/*.png | wc -l)" = "$(ls plain_run/*.png | wc -l)" ]
    refused 2 "... no diagram" 'there is no map to show: this sciara was built without painters' show lit --only timeline --output never
    call --version
    check "its version says so" says '^pictures and pages: maps as PNG without words; .* built without painters$'
    call help formats
    check "... and its formats" says '^pictures and pages: maps as PNG without words; .* built without painters$'
    if /usr/bin/python3 -c 'from importlib.util import find_spec as found
exit(not (found("numpy") and found("osgeo")))'; then
        check "cells have the colours of their classes" colours_of plain_run/map_arrival_*.png plain_run/record.zip plain_run/arrival_h_*.tif
    else
        skip "the colours of cells: python3-gdal or python3-numpy is not installed"
    fi
    # relabelled FOLDER WHAT: a copy without labels, or with other ends of classes
    relabelled() {
        mkdir -p "$2" && /usr/bin/python3 - "$1/record.zip" "$2" <<'END' || return
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as old, zipfile.ZipFile(sys.argv[2] + "/record.zip", "w") as new:
    new.comment = old.comment
    for entry in old.infolist():
        text = old.read(entry)
        if entry.filename == "record.json":
            record = json.loads(text)
            for c in [c for p in record["pictures"] for c in p.get("classes", [])]:
                assert c["label"] and c["upper"] > 0, c
                c.update({"label": "7 m"} if sys.argv[2] == "labels" else {"upper": 2 * c["upper"]})
            text = json.dumps(record)
        new.writestr(entry, text)
END
        "$sciara" show "$2" --only "$(basename plain_run/map_arrival_*.png .png)" >said 2>&1 && cmp -s plain_run/map_arrival_*.png "$2"/*.png
    }
    check "... a legend's numbers are those of the classes" relabelled plain_run labels
    other_ends() { ! relabelled plain_run ends && [ -e ends/map_arrival_*.png ]; }
    check "... other numbers of other ends" other_ends
    sciara=$painted
    call run made/volcano.cfg --variant reference --layers all --output plain_run --quiet
    check "a program with painters knows the maps as its own" exits 0
else
    skip "a program without painters: $build/plain/libsciara_core.so is not there"
fi
report
