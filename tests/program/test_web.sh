#!/bin/bash
# test_web.sh — the engine in WebAssembly, in node: random cases with barriers, sea and later surveys, and Etna 2006, have the
# digests of the program, and 8 ensembles; what the program refuses it refuses with the same words. And the page that needs no program, in a browser:
# the program computes the cases that it saves to the digests that it shows. Run from the root of the repository, with BUILD naming
# the build folder.
# tests: reference
. tests/check.sh
needs "node is not installed" node --version
needs "emscripten is not installed (tools/install-dependencies web)" emcc --version
needs_sciara
export OMP_NUM_THREADS=1 LC_ALL=C

keep env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make NVCC= BUILD="$build" web
check "make web: exit status 0" exits 0
[ "$code" = 0 ] || { tail -n 20 "$work/stdout" "$work/stderr" && report && exit 1; }
patience=600 # for each of what follows: a browser that does not answer is stopped
engine() { keep node tests/program/web_cases.js "$build/web" "$@"; }
program_has() { # program_has CASE DIGEST [STEPS]
    call run "$1" ${3:+"$3"} --variant reference --no-output
    grep -qx "digest *$2" "$work/stdout"
}

# ---- random cases
count=24
engine "$work" $count
check "$count random cases: exit status 0" exits 0
cp "$work/stdout" "$work/cases"
check "... each of other lava" [ "$(cut -d ' ' -f 2 "$work/cases" | sort -u | wc -l)" = $count ]
for what in sea walls survey; do
    check "... $what in many of them" [ "$(grep -cw $what "$work/cases")" -ge 8 ]
done
equal=0
while read -r n digest has; do
    program_has "$work/$n/case.cfg" "$digest" && equal=$((equal + 1)) && continue
    echo "case $n ($has): $digest is not that of the program"
done <"$work/cases"
check "... with the digests of the program" [ $equal = $count ]
# without its walls the lava of one goes elsewhere: they were read
sed -i '/^barriers/d' "$work/2/case.cfg"
check "... walls count" fails program_has "$work/2/case.cfg" "$(sed -n 's/^2 \([0-9a-f]*\).*/\1/p' "$work/cases")"
check "... which is computed without them" exits 0

# ---- ensembles, by the workers of the page
mkdir "$work/plans"
keep node tests/program/web_plans.js "$build/web/worker.js" "$build/web/sciara-engine.wasm" "$work/plans"
check "8 ensembles: exit status 0" exits 0
cp "$work/stdout" "$work/ensembles"
check "... each of other members" [ "$(cut -d ' ' -f 2 "$work/ensembles" | sort -u | wc -l)" = 8 ]
equal=0
while read -r plan digest; do
    call ensemble "$work/plans/$plan/plan.cfg" --output "$work/plans/$plan/out" --layers members --map-size 300x300 --quiet
    [ "$(digest "$work/plans/$plan/out")" = "$digest" ] && equal=$((equal + 1)) && continue
    echo "ensemble $plan: $digest is not that of the program" && cat "$work/stderr"
done <"$work/ensembles"
check "... with the digests of the program" [ $equal = 8 ]
unlike=0
for file in "$work/plans"/*/out/members.csv "$work/plans/pairs/plan/out/members.csv"; do
    [ "$(grep -oE ',[0-9a-f]{16},' "$file" | sort -u | wc -l)" -ge 3 ] && unlike=$((unlike + 1))
done
check "... whose members have other lava each" [ $unlike = 8 ]

# ---- the same in a page
if node -e 'process.exit(require("./tests/chromium.js").findProgram() ? 0 : 1)'; then
    engine "$work" $count chromium
    check "in Chromium, of a page from the disk: exit status 0" exits 0
    check "... the same digests" cmp -s "$work/stdout" "$work/cases"
else
    skip "in Chromium: there is none"
fi

# ---- the page
page=$build/web/sciara.html
check "the page is one file of at most 5 MB" [ "$(stat -c %s "$page")" -le 5000000 ]
check "... with a strict policy" grep -q "default-src 'none';.* connect-src 'none'; worker-src blob:" "$page"
check "... whose script asks for nothing" fails grep -qE '<(script|link|img)[^>]*(src|href)="?http' "$page"
if node -e 'process.exit(require("./tests/chromium.js").findProgram() ? 0 : 1)' && gdalinfo --version >/dev/null 2>&1; then
    dropped=$work/dropped
    mkdir "$dropped"
    call terrain "$work/made" --size 48 --quiet
    cp "$work/made/terrain.tif" "$dropped"
    mkdir "$dropped/points" # the same heights, of the middle of each cell
    gdal_translate -q -mo AREA_OR_POINT=Point "$dropped/terrain.tif" "$dropped/points/terrain.tif"
    head -c 3000 "$dropped/terrain.tif" >"$dropped/short.tif"
    gdalwarp -q -t_srs EPSG:4326 -r bilinear -dstnodata -9999 "$dropped/terrain.tif" "$dropped/lonlat.tif"
    gdal_create -q -outsize 20 20 -bands 1 -ot Float32 -a_srs EPSG:4269 -a_ullr 15 38 15.002 37.998 "$dropped/degrees.tif"
    gdal_create -q -co SPARSE_OK=TRUE -co TILED=YES -co BLOCKXSIZE=4096 -co BLOCKYSIZE=4096 -outsize 60000 60000 -bands 1 -ot Byte -a_srs EPSG:32633 \
        -a_ullr 500000 4800000 1100000 4200000 "$dropped/huge.tif"
    printf '%s\n' 'ncols 5' 'nrows 5' 'xllcorner 0' 'yllcorner 0' 'cellsize 10' '1 2 3 4 5' '1 2 x 4 5' >"$dropped/bad.asc"
    "$sciara" serve "$dropped/bad.asc" --no-open 2>&1 | sed "s|$dropped/||; s/^sciara: //" >"$dropped/bad.words"
    [ -s "$build/web/geotiff.js" ] || rm "$dropped"/*.tif
    keep node tests/program/web_page.js "$page" "$dropped" "$work/plans/2" "$work/plans/4"
    cat "$work/stdout" "$work/stderr"
    check "a browser shows and computes all of it" exits 0
    read -r walled many plans terrain <"$dropped/shown" || walled='' many='' plans='' terrain=''
    check "plans that are dropped have the digests of the program" [ "$plans" = "$(sed -n 's/^[24] //p' "$work/ensembles" | paste -s -d ,)" ]
    for saved in what-if plan terrain lonlat; do
        [ ! -e "$dropped/$saved.zip" ] || unzip -q "$dropped/$saved.zip" -d "$work/saved-$saved"
    done
    call run "$work/saved-what-if/what-if/what-if.cfg" --variant reference --format geotiff --output "$work/walled" --quiet
    check "the case that it saved has the digest that it showed" [ "$(digest "$work/walled")" = "$walled" ]
    for layer in total_thickness_m arrival_h; do
        for file in "$dropped/$layer.tif" "$work/walled/$layer"_*.tif; do gdal_translate -q -of ENVI "$file" "$file.raw"; done
        check "its GeoTIFF has the bits of the program's, $layer" cmp -s "$dropped/$layer.tif.raw" "$(echo "$work/walled/$layer"_*.raw)"
        for file in "$dropped/$layer.tif" "$work/walled/$layer"_*.tif; do
            gdalinfo -json "$file" | jq -c '[.stac["proj:epsg"], .geoTransform, .bands[0].noDataValue, .metadata[""].STATE_DIGEST]' >"$file.place"
        done
        check "... and its place" cmp -s "$dropped/$layer.tif.place" "$(echo "$work/walled/$layer"_*.place)"
    done
    sed -i 's/^members .*/members 6/' "$work/saved-plan/what-if/what-if.cfg"
    call ensemble "$work/saved-plan/what-if/what-if.cfg" --output "$work/many" --quiet
    check "its ensemble, on all processors, stopped and resumed, has the digest of the program's" [ "$(digest "$work/many")" = "$many" ]
    check "its map and its report are whole" grep -q '</html>' "$dropped/report.html"
    check "... which runs no script" fails grep -q '<script' "$dropped/report.html"
    if [ -s "$build/web/geotiff.js" ]; then
        check "a GeoTIFF that was dropped has the digest of the program" program_has "$work/saved-terrain/terrain/terrain.cfg" "$terrain"
        sed -i "s|^dem .*|dem $dropped/terrain.tif|; /^crs/d" "$work/saved-terrain/terrain/terrain.cfg"
        check "... as of the GeoTIFF itself" program_has "$work/saved-terrain/terrain/terrain.cfg" "$terrain"
        xyz() { gdal_translate -q -of XYZ "$@" /vsistdout/; }
        read -r west south cell cols rows <<<"$(awk '{ v[$1] = $2 } NR == 6 { print v["xllcorner"], v["yllcorner"], v["cellsize"], v["ncols"], v["nrows"]; exit }' "$work/saved-lonlat/lonlat.asc")"
        gdalwarp -q -et 0 -wo XSCALE=1 -wo YSCALE=1 -r bilinear -dstnodata -32768 -t_srs EPSG:32633 -ts "$cols" "$rows" \
            -te "$west" "$south" "$(bc <<<"$west + $cols * $cell")" "$(bc <<<"$south + $rows * $cell")" "$dropped/lonlat.tif" "$work/warped.tif"
        check "one in degrees has the heights of gdalwarp's, within 1 cm" [ "$(paste -d ' ' <(xyz "$work/saved-lonlat/lonlat.asc") <(xyz "$work/warped.tif") |
            awk '$3 > -9000 && $6 > -9000 { n++; d = $3 - $6; bad += d > 0.01 || d < -0.01 } END { print (n > 1000), bad + 0 }')" = "1 0" ]
    else
        skip "no GeoTIFF is dropped: npm was not reachable when the page was built"
    fi
else
    skip "the page in a browser: there is no Chromium, or no GDAL"
fi

# ---- both in Firefox
if firefox-esr --version >/dev/null 2>&1; then
    mkdir "$work/posted"
    keep node tests/program/web_firefox.js "$build/web" "$work/posted" $count
    grep -v '^volcano ' "$work/stdout" >"$work/posted/cases"
    read -r _ digest < <(grep '^volcano ' "$work/stdout")
    check "in Firefox: the same digests" cmp -s "$work/posted/cases" "$work/cases"
    volcano=$work/saved-what-if/what-if/what-if.cfg
    if [ -e "$volcano" ]; then
        sed -i '/^barriers/d' "$volcano"
        check "... and of the volcano on the page" program_has "$volcano" "$digest"
    fi
else
    skip "in Firefox: firefox-esr is not installed"
fi

# ---- refusals
refuse() { # refuse WHAT KEY...: of case 1 with these lines more
    mkdir "$work/refused"
    cp "$work"/1/* "$work/refused"
    printf '%s\n' "${@:2}" >>"$work/refused/case.cfg"
    "$sciara" run "$work/refused/case.cfg" --no-output 2>&1 | sed "s|$work/refused/||g; s/^sciara: //; s/^error: //" >"$work/words"
    engine "$work/refused/case.cfg" 10
    check "$1: exit status 2" exits 2
    check "... the words of the program" cmp -s "$work/stderr" "$work/words"
    rm -r "$work/refused"
}
refuse "an unknown key" 'Pcol 3'
refuse "a number out of range" 'vent_radius_m -1'
refuse "a file that is not there" 'barriers none.csv'
printf 'II*\0' >"$work/1/later.tif"
printf 'terrain_update 1h later.tif with_lava\n' >>"$work/1/case.cfg"
engine "$work/1/case.cfg" 10
check "a GeoTIFF: exit status 2" exits 2
check "... says what is read" complains 'later\.tif: a GeoTIFF cannot be read here; convert it to an ESRI ASCII grid'

# ---- the package
mkdir -p "$work/lines/node_modules"
ln -s "$build/web" "$work/lines/node_modules/sciara"
cp "$work/4"/*.csv "$work/4/dem.asc" "$work/4/later.asc" "$work/lines"
grep -v '^terrain_update\|^barriers' "$work/4/case.cfg" >"$work/lines/volcano.cfg"
sed -n '/^```js$/,/^```$/{/^```/d;p}' web/README.md >"$work/lines/run.js"
check "the run of README has some ten lines" [ "$(grep -c . "$work/lines/run.js")" -le 12 ]
keep env -C "$work/lines" node run.js
read -r _ digest _ <"$work/stdout"
check "... has the digest of the program" program_has "$work/lines/volcano.cfg" "$digest"
if npm --version >/dev/null 2>&1; then
    keep env -C "$build/web" npm pack --dry-run --offline
    for file in sciara.js sciara.d.ts sciara-engine.js sciara-engine.wasm README.md LICENSE package.json; do
        check "npm pack takes $file" grep -q " $file\$" "$work/stderr" "$work/stdout"
    done
    check "... and no more" grep -q 'total files: *7$' "$work/stderr" "$work/stdout"
else
    skip "npm pack: there is no npm"
fi

# ---- Etna 2006
if [ -e "${ETNA2006_DIR:-}/2006_000000000000.cfg" ]; then
    engine "$ETNA2006_DIR/2006_000000000000.cfg" 1500
    read -r digest <"$work/stdout"
    check "Etna 2006: the digest of the program" program_has "$ETNA2006_DIR/2006_000000000000.cfg" "$digest" 1500
else
    skip "Etna 2006: ETNA2006_DIR names no folder with it"
fi
report
