#!/bin/bash
# test_vectors.sh — vector files in cases and plans: what info understands, what runs make of them, and a machine without
# GDAL, and a build without its headers.
# tests: input/vector
. tests/check.sh
. tests/parts.sh
needs_sciara
cd "$work" || exit 1
"$sciara" terrain case --size 60 --quiet || exit 1
cd case || exit 1

utm='"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::32633"}}'
feature() { echo "{\"type\":\"Feature\",\"properties\":{$1},\"geometry\":{\"type\":\"$2\",\"coordinates\":$3}}"; }
collection() { local IFS=,; echo "{\"type\":\"FeatureCollection\",$utm,\"features\":[$*]}"; }
collection "$(feature '"vent":1' LineString '[[500203,4170304],[500247,4170338]]')" \
    "$(feature '"vent":2' LineString '[[500352,4170203],[500358,4170207]]')" >vents.json
collection "$(feature '"name":"flow"' Polygon '[[[500101,4170101],[500701,4170101],[500701,4170401],[500101,4170401],[500101,4170101]]]')" >flow.json
collection "$(feature '"name":"road"' LineString '[[500103,4170104],[500903,4170404]]')" \
    "$(feature '"name":"far"' LineString '[[600103,4170104],[600903,4170404]]')" >roads.json

# case VENTS OUTLINE: the case with them
case_of() { sed "s|^vents .*|vents $1|" volcano.cfg && echo "outline $2" && echo 'max_steps 40'; }
sed -i '/^max_steps/d' volcano.cfg
case_of vents.json flow.json >json.cfg
start_parts "$root/tests/parts.py"
json() { part "$work/stdout" "$1"; }
understood() { # understood WHAT EXPRESSION VALUE
    check "$1" [ "$(json "$2")" = "$3" ]
}

same() { "$sciara" compare out-json "$1" >"$work/compared" || { cat "$work/compared" && false; }; }

call info json.cfg --json
check "info of a case" exits 0
understood "... what its outline is" "[o['outline_file'][k] for k in ('features', 'polygons', 'crs', 'area_m2')]" "[1, 1, 'EPSG:32633', 180000]"
understood "... how much of it is lost" "round(o['outline_file']['outside_share'], 9) == round(101 / 600, 9)" True
understood "... what its vents are" "[o['vents_file'][k] for k in ('features', 'lines', 'outside_share')]" "[2, 2, 0]"
understood "... and warns" "'flow.json: 16.8 % of its area is outside the terrain and skipped' in o['warning']" True
(cat json.cfg && echo 'assets roads.json') >places.cfg
call info places.cfg --json
understood "places of a case: what they are" "[o['assets_file'][k] for k in ('features', 'lines', 'features_outside')]" "[2, 2, 1]"
understood "... how many lava could come to" "o['assets_on_terrain']" 1
understood "... and that one lies outside" "'of its length is outside the terrain and skipped (all of 1 of 2 features)' in o['warning']" True
call info flow.json
check "info of a file" says '^kind +vectors$'
check "... has its CRS" says '^crs +EPSG:32633$'
call info json.cfg
check "... and of a case for people" says '^  length_m +62\.8168'

"$sciara" run json.cfg --format geotiff --output out-json >warned 2>&1 || exit 1
check "a run warns" grep -q '16.8 % of its area' warned
keep "$sciara" fit out-json flow.json --json --no-map
check "there is lava" [ "$(json "o['simulated_cells'] > 9")" = True ]

# ---- a CRS by its address, features without a geometry
/usr/bin/python3 - <<'END'
import json
o = json.load(open("flow.json"))
assert "EPSG" in o["crs"]["properties"]["name"]
o["crs"]["properties"]["name"] = "http://www.opengis.net/def/crs/EPSG/0/32633"
for kind in "Polygon", "MultiPolygon", "LineString", "Point":
    o["features"].append({"type": "Feature", "properties": {}, "geometry": {"type": kind, "coordinates": []}})
json.dump(o, open("address.json", "w"))
END
case_of vents.json address.json >address.cfg
call info address.cfg --json
understood "an address of a CRS, and empty geometries" "[o['outline_file'][k] for k in ('crs', 'polygons', 'area_m2')]" "['EPSG:32633', 1, 180000]"
understood "... of which there is a warning" "'4 of 5 features have no geometry' in o['warning']" True

# ---- through GDAL
called=$("$sciara" help formats | sed -n 1p)
check "the program is not linked with GDAL" fails grep -q libgdal <(ldd "$sciara")
if [[ $called == *through*libgdal* ]] && command -v ogr2ogr >/dev/null; then
    ogr2ogr -f GPKG -t_srs EPSG:4326 -nln vents all.gpkg vents.json
    ogr2ogr -f GPKG -t_srs EPSG:4326 -nln flow -update all.gpkg flow.json
    ogr2ogr -f GPKG -t_srs EPSG:4326 -nln roads -update all.gpkg roads.json
    ogr2ogr -f GPKG -nln 'my flow: x' colon.gpkg flow.json
    ogr2ogr -f GPKG -update -nln other colon.gpkg vents.json
    ogr2ogr -t_srs EPSG:3004 vents.shp vents.json
    ogr2ogr -f LIBKML -t_srs EPSG:4326 -nln flow flow.kml flow.json
    case_of all.gpkg:vents all.gpkg:flow >gpkg.cfg
    case_of vents.shp flow.kml >shp.cfg
    for kind in gpkg shp; do
        keep "$sciara" run $kind.cfg --quiet --format geotiff --output out-$kind
        check "$kind: a run" exits 0
        check "$kind: GDAL does not speak" silent stderr
        check "$kind: the same bits" same out-$kind
    done
    collection "$(feature '"height_m":6.5,"width_m":15,"name":"dam"' LineString '[[500151,4170263],[500403,4170254]]')" >dams.json
    ogr2ogr -f "ESRI Shapefile" -t_srs EPSG:4326 dams.shp dams.json
    for kind in json shp; do
        (cat json.cfg && echo "barriers dams.$kind") >dams.cfg
        "$sciara" run dams.cfg --quiet --format geotiff --output dams-$kind || exit 1
    done
    check "a dam of a Shapefile: the same bits" "$sciara" compare --json dams-json dams-shp >"$work/compared"
    check "... and not those without it" fails "$sciara" compare --json dams-json out-json >"$work/compared"
    ls -l --time-style=full-iso all.gpkg* vents.* >before
    keep env CPL_DEBUG=ON GDAL_SKIP=GPKG OGR_SKIP=GPKG OGR_ORGANIZE_POLYGONS=SKIP PROJ_NETWORK=ON \
        GDAL_DRIVER_PATH=/nowhere OGR_SQLITE_PRAGMA=journal_mode=delete "$sciara" run gpkg.cfg --quiet --format geotiff --output out-env
    check "whatever the environment says: nobody speaks" silent stderr
    check "... the same bits" same out-env
    check "no file is touched" [ "$(ls -l --time-style=full-iso all.gpkg* vents.*)" = "$(cat before)" ]
    keep "$sciara" fit out-json all.gpkg:flow --json --no-map
    check "fit takes a layer" [ "$(json "o['outline_outside_share'] > 0.16")" = True ]
    refused 2 "several layers" 'all\.gpkg: has several layers; name one of its layers as all\.gpkg:LAYER: vents, flow, roads' \
        info all.gpkg

    sed -e '/^vents/d; /^rates/d; /^max_steps/d; /^outline/d' json.cfg >plan
    printf '%s\n' 'vent_list all.gpkg:vents' 'classes classes.csv' 'repeats 2' 'run_h 2' 'vary_Pcool uniform 2 3' >>plan
    printf 'class,probability,volume_m3,duration_h\na,1,20000,2\n' >classes.csv
    (cat plan && echo 'assets all.gpkg:roads') >gdal-plan.cfg
    (sed 's/all.gpkg:vents/vents.json/' plan && echo 'assets roads.json') >json-plan.cfg
    keep "$sciara" ensemble gdal-plan.cfg --map-size 300x300 --map-dpi 72 --output ensemble-gdal
    check "an ensemble of layers" exits 0
    check "... warns of places far away" complains 'roads: 68\.9 % of its length .*all of 1 of 2 features'
    "$sciara" ensemble json-plan.cfg --map-size 300x300 --map-dpi 72 --output ensemble-json --layers members >/dev/null 2>&1
    check "... has the same tables" cmp ensemble-gdal/assets.csv ensemble-json/assets.csv
    check "... of members that erupted" [ "$(wc -l <ensemble-json/members.csv)" = 5 ]
    call info gdal-plan.cfg --json
    understood "info of a plan" "[o[k]['features'] for k in ('vents_file', 'assets_file')]" "[2, 2]"

    { sed '/^outline/d; /^max_steps/d' gpkg.cfg && printf '%s\n' 'observed_outline all.gpkg:flow at 1' 'fit_Pcool 1 5' 'evaluations 5' \
        'population 4' 'max_steps 40' 'terrain_error_m 0.5' 'noise_members 2' 'finalist_members 2' 'outline all.gpkg:flow'; } >fit.cfg
    keep "$sciara" calibrate fit.cfg --map-size 300x300 --map-dpi 72 --output fitted
    check "a calibration with layers" exits 0
    check "... warns of its outline" complains 'flow: 16\.8 % '
    check "... once" one_line
    check "... names them in its best case" grep -Eq '^outline +\.\./all\.gpkg:flow$' fitted/best.cfg
    check "... which runs" "$sciara" run fitted/best.cfg --quiet --format geotiff --output out-best
    # in archives, where they lie
    pack() { /usr/bin/python3 -m zipfile -c "$@"; }
    mkdir packed && cp flow.json packed/flow.json && ogr2ogr -t_srs EPSG:3004 packed/area.shp flow.json && (cd packed && pack ../flow.zip area.* &&
        pack ../both.zip area.* flow.json && pack ../json.zip flow.json && cp ../flow.kml doc.kml && pack ../flow.kmz doc.kml)
    for file in flow.zip both.zip:area both.zip:flow json.zip flow.kmz; do
        case_of vents.json "$file" >packed.cfg
        call info packed.cfg --json
        understood "an outline in an archive: $file" "[o['outline_file']['polygons'], round(o['outline_file']['area_m2'])]" "[1, 180000]"
    done
    keep "$sciara" run packed.cfg --quiet --format geotiff --output out-packed
    check "... the same bits" same out-packed
    refused 2 "several files in an archive" 'both\.zip: is an archive of several files: .*area\.shp.*; name one behind a colon' info both.zip
    refused 2 "... and one that it lacks" 'both\.zip: this archive has no file called none that can be read here' info both.zip:none
    mkdir deep && cp packed/area.* flow.json deep && cp flow.kml deep/area.kml && pack deep.zip deep
    refused 2 "... of which one is in two formats: it has both names" 'deep\.zip: .* files: area\.kml, area\.shp, flow\.json; name one' info deep.zip
    for name in area.kml area.shp deep/area.kml; do
        call info "deep.zip:$name" --json
        understood "... each by its name: $name" "o['crs'] == 'EPSG:3004'" "$([ "${name##*.}" = shp ] && echo True || echo False)"
    done
    echo '<VRTDataset>' >packed/area.vrt && (cd packed && pack ../vrt.zip area.vrt area.shp)
    refused 2 "a VRT in an archive" 'vrt\.zip: has area\.vrt, which cannot be read in an archive; unpack' info vrt.zip
    # one that says that it unpacks to twice 3 GiB
    /usr/bin/python3 -c 'import struct, zipfile
with zipfile.ZipFile("bomb.zip", "w") as z: z.writestr("flow.geojson", "{"), z.writestr("notes.txt", "")
data, at = bytearray(open("bomb.zip", "rb").read()), 0
while (at := data.find(b"PK\1\2", at + 1)) > 0: data[at + 24:at + 28] = struct.pack("<I", 3 << 30)
open("bomb.zip", "wb").write(data)
with zipfile.ZipFile("many.zip", "w") as z:
    for i in range(10001): z.writestr(str(i), "")'
    refused 2 "an archive of 10,001 files" 'many\.zip: has more than 10000 files' info many.zip
    refused 2 "... is not unpacked" 'bomb\.zip: unpacks to 6\.0 GiB, more than 4; unpack it' info bomb.zip
    head -c 300 flow.zip >half.zip
    refused 2 "half an archive" 'half\.zip: is a damaged archive' info half.zip
    ogr2ogr -f LIBKML two.kml flow.json -nln Flows -t_srs EPSG:4326 && ogr2ogr -f LIBKML -update two.kml roads.json -nln Roads -t_srs EPSG:4326 &&
        cp two.kml doc.kml && pack two.kmz doc.kml
    refused 2 "two layers of a KMZ" 'two\.kmz: has several layers; name one of its layers as two\.kmz:LAYER: Flows, Roads' info two.kmz
    for layer in two.kmz:Roads 'two.kmz layer Roads'; do
        call info "$layer" --json
        understood "... and what that says: $layer" "o['lines']" 2
    done
    refused 2 "... and a layer that it lacks" 'two\.kmz:None: has no layer of that name' info two.kmz:None
    (cp packed/flow.json packed/area.json && cd packed && pack ../forms.zip area.json area.shp area.shx area.dbf area.prj)
    call info forms.zip --json
    understood "one layer in two formats: the Shapefile" "[o['polygons'], o['crs']]" "[1, 'EPSG:3004']"
    case_of vents.json 'colon.gpkg:my flow: x' >colon.cfg
    call info colon.cfg --json
    understood "a layer with a colon in its name" "o['outline_file']['area_m2']" 180000
    refused 2 "... and one that there is not" 'colon.gpkg:my: has no layer of that name .* as colon.gpkg:LAYER: my flow: x, other$' info colon.gpkg:my
    # those features of which a condition is true, in every format
    collection "$(feature '"name":"flow","kind":2,"day":"2006-07-14"' Polygon '[[[500101,4170101],[500701,4170101],[500701,4170401],[500101,4170401],[500101,4170101]]]')" \
        "$(feature '"name":"other flow","kind":"10","day":"2006-07-15"' Polygon '[[[500101,4170101],[500201,4170101],[500201,4170201],[500101,4170101]]]')" >kinds.json
    ogr2ogr kinds.shp kinds.json && ogr2ogr -f GPKG kinds.gpkg kinds.json && ogr2ogr -f LIBKML -t_srs EPSG:4326 kinds.kml kinds.json
    for file in kinds.json kinds.shp kinds.gpkg kinds.kml; do
        while read -r condition; do
            [[ $file$condition = *kml*day* ]] && continue # LIBKML drops dates
            call info "$file where $condition" --json
            understood "$file where $condition" "[o['polygons'], o['east'] == 500701 or 15.007 < o['east'] < 16]" "[1, True]"
        done <<'CONDITIONS'
kind < 10
'KIND = 2 and name like ''fl%'''
"""name"" = 'flow'"
day < '2006-07-15' and kind is not null
CONDITIONS
    done
    sed '/^outline/d' json.cfg >one.cfg && printf '%s\n' "outline kinds.gpkg layer kinds where 'kind = 2'" "assets roads.json where name = 'road'" >>one.cfg
    call info one.cfg --json
    understood "a condition in the keys of a case" "[o['outline_file']['area_m2'], o['assets_file']['features']]" "[180000, 1]"
    sed -i '/^assets/d' one.cfg
    keep "$sciara" run one.cfg --quiet --format geotiff --output out-one
    check "... the same bits" same out-one
    sed "s|^observed_outline .*|observed_outline kinds.shp where 'kind = 2' at 1|" fit.cfg >where.cfg
    keep "$sciara" calibrate where.cfg --map-size 300x300 --map-dpi 72 --output fitted-where
    check "a condition in an observation: the same best case" cmp fitted/best.cfg fitted-where/best.cfg
else
    skip "vector files through GDAL: $called"
fi
refused 2 "a condition that nothing fulfils" "flow\.json where name = 'lava': none of its features .* fulfils the condition; correct it \(name is 'flow', for instance\)" info "flow.json where name = 'lava'"
while IFS='|' read -r condition why; do
    refused 2 "a condition that is none: $condition" "flow\.json: where .*: .*$why.*; give a condition in SQL .*, which are: name" info "flow.json where $condition"
done <<'CONDITIONS'
colour = 'red'|names none of its attributes
name = colour|no such column: colour
name = (select max(name) from feature)|not authorized
name; drop table feature|not one closed expression
name) or (1|not one closed expression
name = ?|it has a parameter
load_extension(name)|not authorized
length(hex(zeroblob(name)))|not authorized
CONDITIONS

# ---- without
# (a loader that finds a file of that name that is not a library looks no further)
mkdir "$work/empty"
for number in {26..60}; do : >"$work/empty/libgdal.so.$number"; done
export LD_LIBRARY_PATH=$work/empty
check "it prints what it reads" [ "$("$sciara" help formats | sed -n 1p)" = "vector files: GeoJSON alone: no libgdal is installed" ]
keep "$sciara" run json.cfg --quiet --format geotiff --output out-without
check "it reads GeoJSON" same out-without
echo '<VRTDataset>' >dem.vrt
sed 's/^dem .*/dem dem.vrt/' json.cfg >vrt.cfg
refused 2 "a VRT" 'dem\.vrt: needs GDAL, but no libgdal is installed; install it .*gdal-bin' run vrt.cfg
if [ -e all.gpkg ]; then
    mkdir 'a b' && cp vents.shp vents.dbf vents.shx vents.prj 'a b'
    case_of '"a b/vents.shp"' flow.json | sed 's/vents "\(.*\)"/vents \1/' >without.cfg
    refused 2 "a Shapefile" "a b/vents\.shp: a Shapefile, .* no libgdal is installed; install it .*: ogr2ogr -f GeoJSON -t_srs EPSG:32633 'a b/vents\.geojson' 'a b/vents\.shp'$" \
        info without.cfg
    check "its command makes what can be read" eval "LD_LIBRARY_PATH= $(sed 's/.* the result: //' "$work/stderr")"
    sed -i 's/vents\.shp/vents.geojson/' without.cfg
    keep "$sciara" run without.cfg --quiet --format geotiff --output out-made
    check "... to the same bits" same out-made
    case_of all.gpkg:vents flow.json >without.cfg
    refused 2 "a GeoPackage" 'all\.gpkg:vents: a GeoPackage, .* -t_srs EPSG:32633 all\.geojson all\.gpkg vents$' run without.cfg
    check "its command makes what can be read" eval "LD_LIBRARY_PATH= $(sed 's/.* the result: //' "$work/stderr")"
    case_of all.geojson flow.json >without.cfg
    keep "$sciara" run without.cfg --quiet --format geotiff --output out-again
    check "... to the same bits" same out-again
    case_of vents.json flow.kml >without.cfg
    refused 2 "KML" 'flow\.kml: KML, .* flow\.geojson flow\.kml$' run without.cfg
fi

# ---- a build without the headers of GDAL and NetCDF: the objects that call them, in a program of its own
unset LD_LIBRARY_PATH
cpu=$([ -e "$build/lib/sciara/libcudart.so" ] || echo NVCC=)
printed() { make -s -C "$root" BUILD="$build" ${cpu:+"$cpu"} print-"$1"; }
bare() { # links with the objects of a build without them
    local own=() file calling
    calling=$(printed LOADED_O)
    for file in $calling; do own+=("$work/bare${file#"$build"}"); done
    make -s -C "$root" NVCC= GDAL= NETCDF= BUILD="$work/bare" CFLAGS=-O0 "${own[@]}" >/dev/null || return 1
    # shellcheck disable=SC2046 # words
    $(printed CXX) -fopenmp $(printed MAIN_O) $(printed KERNELS_O) $(printed BATCH_O) "${own[@]}" \
        $(printed CORE_O | tr ' ' '\n' | grep -vxF "$(tr ' ' '\n' <<<"$calling")") $(printed CUDART) $(printed CORE_LIBS) \
        -Wl,-rpath,"$build/lib/sciara" -o "$work/bare/sciara"
}
if [ "$core" != "$sciara" ]; then
    check "without the headers it compiles and links" bare
    check "... no object saw one" fails grep -rqE '(gdal|netcdf)\.h' "$work/bare/obj" --include='*.d'
    sciara=$work/bare/sciara
    call --version
    check "... its version says so" says '^with headers of GDAL: none, of NetCDF: none$'
    call help formats
    check "... and its formats" says '^vector files: GeoJSON alone: this sciara was built without GDAL$'
    keep "$sciara" run json.cfg --quiet --format geotiff --output out-bare
    check "... it reads GeoJSON" same out-bare
    refused 2 "... no VRT" 'dem\.vrt: needs GDAL, but this sciara was built without GDAL; install its headers .*libgdal-dev.* and build again$' run vrt.cfg
    refused 2 "... no GeoPackage" 'sciara was built without GDAL; install its headers' run json.cfg --output none --format gpkg
    refused 2 "... no NetCDF" 'libnetcdf, but this sciara was built without it; install its headers .*libnetcdf-dev' run json.cfg --output none --format netcdf
    if [ -e flow.kml ]; then refused 2 "... no KML" 'flow\.kml: KML, which needs GDAL, but this sciara was built' info flow.kml; fi
else
    skip "a build without headers: this one has everything in each program"
fi
end_parts
report
