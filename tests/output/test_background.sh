#!/bin/bash
# test_background.sh — roads, rivers, buildings and names beneath the lava: the key, the record, pictures and what is refused.
# background_check.py reads what was written. Run from the root of the repository, with BUILD naming the build folder.
# tests: input/case
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1 LC_ALL=C
cd "$work" || exit 1
"$sciara" terrain case --size 48 --quiet
call info case/volcano.cfg --json
check "the case of a synthetic volcano has a background" [ "$(json '.background[0].features' stdout)" = 9 ]
reader() { PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$root/tests/output/background_check.py" "$@"; }
call info case/volcano.cfg --json && cp stdout grid.json
check "a file of each kind" reader make grid.json roads.json
with() { # with NAME LINE...: the case and further lines
    local name=$1
    shift
    { grep -v '^max_steps\|^background' case/volcano.cfg && printf '%s\n' "$@"; } >"case/$name.cfg"
}
run() { local name=$1 && shift && call run "case/$name.cfg" --variant reference --output "$name" --maps thickness --map-size 700x500 --format png,html,kmz,qgis "$@"; }
with plain 'max_steps 50'
with roads 'max_steps 50' 'start_time 2006-07-14T21:00:00Z' 'background ../roads.json where "highway is not null"' 'background ../roads.json where "highway is null"' 'map_extent domain'
call info case/roads.cfg --json
check "info describes both files" [ "$(json '.background | map(.features) | tostring' stdout)" = '[4,20]' ]
run plain --quiet
run roads --quiet
check "a case with a background is computed" exits 0
check "... to the same digest" [ "$(digest plain)" = "$(digest roads)" ]
check "... and record.zip has it once, as detailed as cells" reader record grid.json roads.json roads
check "... and report.html what the record has" reader report roads
check "... and no other record has one" fails grep -q '"background"' <(unzip -p plain/record.zip record.json)
rm roads.json
call show roads --output again --format png,svg,kmz
check "it is shown where the file is gone" exits 0
check "... as it was" cmp roads/map_000050*.png again/map_000050*.png
check "... on a globe, too" reader globe roads again/run.kmz
check "... a page has it as paths" reader vectors roads again/map_000050*.svg
check "a map names what has room" reader names again/map_000050*.svg
check "... and what the rates asked for, from when" reader rates case/rates.csv 2006-07-14 roads/summary.json again/map_000050*.svg
part() { # part SHARES LEGEND...: west, south, east and north in shares of the terrain, and what the legend then has of the background
    local extent
    extent=$(reader extent grid.json "$1") && shift
    call show roads --output part --format svg --extent "$extent" && reader legend part/map_000050*.svg "$@"
}
check "the legend names what the part has: within a lake" part 0.18,0.28,0.22,0.32 "river or lake"
check "... beside all" part 0.5,0.05,0.6,0.15
check "... between the corners of a road" part 0.2,0.05,0.3,0.15 road
call fit roads roads/isochrones.geojson --map fit.svg
check "a fit shows the background of the run" reader names fit.svg
check "a GIS has what the record has" reader gis roads roads
check "... each kind by its name" reader kinds roads en
call show roads --output in_italian --format qgis --language it
check "... in Italian, too" reader kinds in_italian it
mv case/roads.cfg case/gone.cfg && run gone
check "a file that is not there" refusal 2 "a background" 'roads.json.*cannot be opened'

# ---- hostile files: one line, before anything is computed
refused_file() { # WHAT PATTERN CONTENT
    printf '%s' "$3" >bad.json
    with bad 'max_steps 50' 'background ../bad.json'
    refused 2 "$1" "$2" run case/bad.cfg --output bad
}
refused_file "no JSON" 'bad.json' '{"type": "FeatureCollection", "features": ['
refused_file "nothing on the terrain" 'outside the terrain' '{"type": "LineString", "coordinates": [[1, 1], [2, 2]]}'
refused_file "no number" 'bad.json' '{"type": "LineString", "coordinates": [[1e400, 0], [0, 0]]}'
refused_file "nothing at all" 'no features' '{"type": "FeatureCollection", "features": []}'
check "a large file" reader large grid.json large.json
with large 'max_steps 1' 'background ../large.json'
run large
check "... is made coarser" grep -q 'too many details for a map; those below [0-9.]* m are skipped' large/summary.json
check "... and adds less than half a megabyte" [ "$(unzip -p large/record.zip record.json | gzip -1 | wc -c)" -lt 500000 ]
check "... and less than 60,000 positions" [ "$(unzip -p large/record.zip record.json | jq '[.background[].parts | add] | add')" -le 60000 ]
report
