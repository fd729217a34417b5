#!/bin/bash
# test_serve_page.sh — the page of `sciara serve` in a browser, headless, as people use it (serve_browser.js), and the case that
# it saved, which `sciara run` computes to the digest that the page showed.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: input/drawing, program/serve, show/page
. tests/check.sh
needs_sciara
needs "sciara serve is not built" "$sciara" help serve
needs "no node to drive a browser" command -v node
needs "no Chromium to show pages" node -e 'process.exit(require("./tests/chromium.js").findProgram() ? 0 : 1)'
export OMP_NUM_THREADS=2

# serve NAME OPERAND: starts a server, its address in $address
serve() {
    "$sciara" serve "$2" --no-open --output "$work/saved" >"$work/$1.out" 2>"$work/$1.err" &
    for ((k = 0; k < 600; k++)); do
        address=$(grep -o -m1 'http://127\.0\.0\.1:[0-9]*/?key=[^ ]*' "$work/$1.out" 2>/dev/null)
        [ -n "$address" ] && return
        sleep 0.1
    done
    echo "FAILED: no address of $1: $(cat "$work/$1.err")" && exit 1
}

"$sciara" terrain "$work/made" --size 300 --quiet || exit 1
cp data/volcano-* "$work"
sed -i 's/^run_h .*/run_h 18/; s/^repeats .*/repeats 1/; s/^vent_grid_m .*/vent_grid_m 266/' "$work/volcano-ensemble.cfg" # 36 members
serve terrain "$work/made/terrain.tif"
pages=(draw "$address")
mkdir "$work/folder" && cp -r "$work/made" "$work/folder" && echo dem >"$work/folder/wrong.cfg"
printf '%s\n' 'ncols 4' 'nrows 3' 'xllcorner 500000' 'yllcorner 4170000' 'cellsize 10' '0 0 0 0' '0 1 1 0' '0 1 0 0' >"$work/folder/made/mask.asc"
"$sciara" terrain "$work/small" --size 40 --quiet && serve forecast "$work/small/volcano.cfg"
pages+=(forecast "$address")
serve folder "$work/folder"
gdalwarp -q -t_srs EPSG:4326 "$work/made/terrain.tif" "$work/degrees.tif" 2>"$work/warped" || skip "no terrain in degrees: $(head -1 "$work/warped")"
pages+=(files "$address")
call ensemble "$work/volcano-ensemble.cfg" --keep --output "$work/many" --map-size 300x300 --quiet
if [ "$code" = 0 ] && [ -s "$work/many/library.gpkg" ]; then
    serve library "$work/many/library.gpkg"
    pages+=(ask "$address")
else
    skip "no library to ask: $(head -1 "$work/stderr")"
fi
# a plan on a terrain of 25 million cells, most of them without data, with an outline
sed '/^dem/d; s/^max_steps .*/max_steps 2000/; s/^vents .*/vents large.csv/' "$work/made/volcano.cfg" >"$work/made/large.cfg"
awk -F, -v OFS=, 'NR > 1 { $2 += 1700; $3 += 2000 } 1' "$work/made/vents.csv" >"$work/made/large.csv"
printf '%s\n' '<VRTDataset rasterXSize="5000" rasterYSize="5000"><SRS>EPSG:32633</SRS><GeoTransform>480000,10,0,4190000,0,-10</GeoTransform>' \
    '<VRTRasterBand dataType="Float32" band="1"><NoDataValue>-9999</NoDataValue><SimpleSource><SourceFilename relativeToVRT="1">terrain.tif</SourceFilename>' \
    '<SourceBand>1</SourceBand><SrcRect xOff="0" yOff="0" xSize="300" ySize="300"/><DstRect xOff="2000" yOff="1700" xSize="300" ySize="300"/>' \
    '</SimpleSource></VRTRasterBand></VRTDataset>' >"$work/made/large.vrt"
ring='[500500,4171000],[501500,4171000],[501500,4172000],[500500,4172000],[500500,4171000]'
printf '%s\n' '{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::32633"}},"features":[' \
    '{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[['"$ring"']]}}]}' >"$work/made/seen.geojson"
printf '%s\n' 'dem large.vrt' 'outline seen.geojson' >>"$work/made/large.cfg"
"$sciara" plan "$work/made/large.cfg" 2>"$work/plan.err" | sed 's/^members .*/members 6/' >"$work/made/large-plan.cfg"
if [ -s "$work/made/large-plan.cfg" ]; then
    serve plan "$work/made/large-plan.cfg"
    pages+=(plan "$address")
    cp "$work/made/seen.geojson" "$work/made/cut.geojson"
    sed 's/seen/cut/' "$work/made/large.cfg" >"$work/made/cut.cfg"
    serve broken "$work/made/cut.cfg"
    head -c 100 "$work/made/seen.geojson" >"$work/made/cut.geojson"
    pages+=(broken "$address")
else
    skip "no VRT: $(head -1 "$work/plan.err")"
fi

. tests/axe.sh
timeout 900 node tests/serve_browser.js "$work" "${pages[@]}"
check "a browser shows and computes all of it" [ $? = 0 ]
# shellcheck disable=SC2046 # words
kill $(jobs -rp) && wait 2>/dev/null

read -r shown folder <"$work/shown" || shown='' folder=''
check "the page showed a digest" [ ${#shown} = 16 ]
call run "$folder"/*.cfg --variant reference --format geotiff --output "$work/again" --quiet
check "sciara run takes the saved case" exits 0
check "... and has the digest that the page showed" [ "$(digest "$work/again")" = "$shown" ]
report
