#!/bin/bash
# test_layer_extent.sh — layers, maps and exports that show the flow alone (--extent flow) against those of the whole domain:
# the same values at the same places, and the same answers of all that reads them.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: output/export, library
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1
cd "$work" || exit 1
"$sciara" terrain made --size 320 --quiet || exit 1
sed -i 's/^max_steps .*/max_steps 3000/' made/volcano.cfg
formats=geotiff,svg,kmz,geojson,html
"$sciara" run made/volcano.cfg 1 --format netcdf --output probe --quiet 2>stderr && formats=$formats,netcdf || skip "NetCDF: $(cat stderr)"

# run NAME CASE STEPS EXTENT...
run() {
    call run "$2" "$3" --every 750 --variant reference --layers all --map-dpi 50 --output "$1" --quiet --extent "${@:4}"
    [ "$code" = 0 ] || { cat stderr && exit 1; }
}
run full made/volcano.cfg 3000 full --format $formats
run flow made/volcano.cfg 3000 flow --format $formats --animate-every 750
at() { json ".extent.$1" "${2:-flow}/summary.json"; }
check "the whole domain is not a part" [ "$(at rows full)" = null ]
check "the flow is a part" [ "$(at rows)" -lt 320 ]
check "... of whole blocks" [ $(($(at row) % 64 + $(at col) % 64)) = 0 ]
check "... with a moving flow" [ "$(json .lava.covered_cells flow/summary.json)" -gt 300 ]
check "... the same state" [ "$(digest flow)" = "$(digest full)" ]
check "the map has a locator of the whole domain" grep -q '>Location<' flow/map_003000.svg
check "... and says its size" grep -q '320 × 320\.' flow/map_003000.svg
check "... an animation" [ -s flow/animation.webp ]

# ---- values and places
call compare full flow
check "layers have the same values" says '^equal$'
check "... of all states" [ "$(grep -c 'equal bits' stdout)" = 36 ]
check "isochrones" cmp full/isochrones.geojson flow/isochrones.geojson
mkdir globe_full globe_flow
(cd globe_full && unzip -q ../full/run.kmz) && (cd globe_flow && unzip -q ../flow/run.kmz) || skip "unzip is not installed"
check "the KMZ" diff -r globe_full globe_flow
size() { gdalinfo -json "$1" | jq -r '.size | @text'; }
if command -v gdalinfo >/dev/null; then
    gdal_translate -q -srcwin "$(at col)" "$(at row)" "$(at cols)" "$(at rows)" full/max_thickness_m_003000.tif cut.tif
    gdalinfo -json flow/max_thickness_m_003000.tif | jq -c '[.geoTransform, .size]' >is
    gdalinfo -json cut.tif | jq -c '[.geoTransform, .size]' >wanted
    check "GDAL: place and size" cmp is wanted
    check "an early layer is smaller" [ "$(size flow/total_thickness_m_000750.tif)" != "$(size flow/total_thickness_m_003000.tif)" ]
    case $formats in *netcdf*)
        check "NetCDF: the last extent" [ "$(size NETCDF:flow/run.nc:arrival)" = "[$(at cols),$(at rows)]" ]
        # of four times; the first are of smaller layers
        stats() { gdalinfo -json -stats "NETCDF:$1/run.nc:thickness" 2>/dev/null | jq '.bands[] | [.mean, .maximum]'; }
        check "NetCDF: values at all times" [ "$(stats flow)" = "$(stats full)" ] ;;
    esac
else
    skip "GDAL's view of the layers: gdalinfo is not installed"
fi

# ---- other readers
sed 's/^rates .*/rates more.csv/' made/volcano.cfg >made/more.cfg
awk -F, -v OFS=, 'NR > 1 {$NF *= 3} {print}' made/rates.csv >made/more.csv
run more_full made/more.cfg 3000 full --format geotiff
run more_flow made/more.cfg 3000 flow --format geotiff
check "another flow has another extent" [ "$(at cols more_flow)$(at rows more_flow)" != "$(at cols)$(at rows)" ]
call compare --json full more_full
jq '.layers | map(select(.name | test("elevation") | not) | del(.cells))' stdout >wanted
call compare --json flow more_flow
jq '.layers | map(select(.name | test("elevation") | not) | del(.cells))' stdout >is
check "runs that differ: the same differences" cmp is wanted
check "... of many cells" [ "$(jq 'map(.differ) | add' is)" -gt 1000 ]
call compare full more_flow
check "... in either form" exits 1

x0=$(json .grid.west_m flow/summary.json) y0=$(json .grid.south_m flow/summary.json)
ring() { # west south east north, in cells
    jq -n --argjson x "$x0" --argjson y "$y0" --argjson b "[$1, $2, $3, $4]" '
        def at($i; $j): [$x + 10 * $b[$i], $y + 10 * $b[$j]];
        {type: "FeatureCollection", crs: {type: "name", properties: {name: "EPSG:32633"}}, features: [{type: "Feature",
         properties: {}, geometry: {type: "Polygon", coordinates: [[at(0; 1), at(2; 1), at(2; 3), at(0; 3), at(0; 1)]]}}]}'
}
ring 110 20 200 180 >seen.json
for kind in full flow; do "$sciara" fit $kind seen.json --map $kind.png --json | jq 'del(.run, .map)' >fit_$kind || exit 1; done
check "fit: an outline that leaves the extent" cmp fit_flow fit_full
check "... which it does" [ "$(json .observed_cells fit_flow)" = 14400 ]
check "... and meets the flow" [ "$(json .both_cells fit_flow)" -gt 100 ]
"$sciara" fit flow/total_thickness_m_003000.tif seen.json --case made/volcano.cfg --no-map --json |
    jq 'del(.run, .map, .left_domain_m3, .left_domain_share)' >fit_layer
check "fit: a layer with its case" cmp fit_layer <(jq 'del(.left_domain_m3, .left_domain_share)' fit_full)
{ cat made/volcano.cfg && echo && echo "outline $work/seen.json"; } >made/seen.cfg
run seen made/seen.cfg 3000 flow --format geotiff,png
check "the extent contains the outline of the case" [ $(($(at row seen) + $(at rows seen))) -ge 300 ]
vents() { grep -o '"vents":\[{[^]]*' "$1/report.html" | head -1; }
check "the report: vents in the extent" [ "$(vents flow)" != "$(vents full)" ]

# ---- studies
sed -e 's/^vent_grid_m .*/vent_grid_m 200/; s/^vent_grid_box .*/vent_grid_box 501400 4171000 501600 4171200/' \
    -e 's/^repeats .*/repeats 2/; s/^run_h .*/run_h 3/' "$root/data/volcano-ensemble.cfg" >plan.cfg
cp "$root"/data/volcano-{classes.csv,places.geojson} .
for kind in full flow; do
    "$sciara" ensemble plan.cfg --output many_$kind --extent $kind --layers all --format kmz --map-size 300x300 --map-dpi 40 --quiet || exit 1
done
check "an ensemble: a part" [ "$(at rows many_flow)" -lt 320 ]
check "... the same results" [ "$(digest many_flow)" = "$(digest many_full)" ]
check "... and tables" cmp many_flow/assets.csv many_full/assets.csv
mkdir globe_many_full globe_many_flow
(cd globe_many_full && unzip -q ../many_full/ensemble.kmz) && (cd globe_many_flow && unzip -q ../many_flow/ensemble.kmz)
check "... and KMZ" diff -r globe_many_full globe_many_flow
same_layers() {
    local layer part
    mapfile -t part < <(json '.extent | .col, .row, .cols, .rows' many_flow/summary.json)
    for layer in many_full/*.tif; do
        gdal_translate -q -srcwin "${part[@]}" "$layer" part.tif && call compare --quiet part.tif "many_flow/${layer#*/}" && exits 0 || return 1
    done
}
check "... at least ten layers" [ "$(find many_flow -name '*.tif' | wc -l)" -gt 10 ]
command -v gdalinfo >/dev/null && check "... with the same values at the same places" same_layers

# ---- resumed
run part made/volcano.cfg 1500 flow --format geotiff --state
run part made/volcano.cfg 3000 flow --format geotiff --resume
call compare flow part
check "a resumed run has the same layers" says '^equal$'
check "... of the same extent" cmp <(json .extent flow/summary.json) <(json .extent part/summary.json)

report
