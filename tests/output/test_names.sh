#!/bin/bash
# test_names.sh — names of places, titles and files that shells, XML, JSON, CSV, SQL and printf() would each take amiss: every output
# says them as they were given (names_check.py reads them with parsers of its own), and the page of `sciara serve` does.
# tests: output/products
# shellcheck source=tests/check.sh
. tests/check.sh
needs_sciara
python=/usr/bin/python3
needs "there is no $python" command -v $python
each=yes
name="a & <b> 'c' \"d\" %s \$(id)"
"$sciara" terrain "$work/made" --size 60 --quiet || exit 1
cat >"$work/make.py" <<'END'
import json, sys
work, name = sys.argv[1:]
names = ['Hut "x"', "Tom & Jerry", "<b>bold</b>", "</script><script>alert(1)</script>", "a\tb", "line\nbreak", "שלום (עולם)", "x'y`z", "Pneumono" * 9,
         "comma, semi; #hash %s %n \\ back", "]]>&amp;<!--", "-->", "été Ñ 日本", "$HOME $(id)", "{} {0}", "=1+1", "a" * 59 + "éé", "'; DROP TABLE members; --",
         "  ", "\u200b", "007"]
given = {"names": names, "title": "Mt <X> &amp; 'Y' ]]> שלום %d {}", "name": name}
json.dump(given, open(f"{work}/given.json", "w"))
features = [{"type": "Feature", "properties": {"name": n}, "geometry": {"type": "Point", "coordinates": [500105 + 20 * i, 4170295 - 15 * (i % 3)]}}
            for i, n in enumerate(names)]
crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32633"}}
json.dump({"type": "FeatureCollection", "crs": crs, "features": features}, open(f"{work}/made/places.geojson", "w"))
open(f"{work}/title", "w").write(given["title"])
END
$python "$work/make.py" "$work" "$name"
printf '%s\n' "title $(cat "$work/title")" 'assets places.geojson' >"$work/more"
cat "$work/made/volcano.cfg" "$work/more" >"$work/made/$name.cfg"
call run "$work/made/$name.cfg" 300 --format geotiff,png,svg,kmz,qgis,gpkg,netcdf,html,geojson --quiet --output "$work/run"
check "a run" exits 0
{ "$sciara" plan "$work/made/volcano.cfg" 2>/dev/null | sed 's/^members .*/members 12/; /^title/d' && cat "$work/more"; } >"$work/made/plan.cfg"
call ensemble "$work/made/plan.cfg" --keep --format svg,kmz,qgis,html --output "$work/ensemble" --layers all --map-size 700x700
check "an ensemble" exits 0
cp "$work/stdout" "$work/ensemble.txt"
{ cat "$work/made/plan.cfg" && echo 'observed_dry places.geojson until 1h'; } >"$work/made/now.cfg"
call nowcast "$work/made/now.cfg" --library "$work/ensemble/library.gpkg" --format svg,html --output "$work/nowcast" --layers all --map-size 700x700
check "a nowcast" exits 0
cp "$work/stdout" "$work/nowcast.txt"
address=''
if "$sciara" help serve >/dev/null 2>&1 && ! "$sciara" serve /dev/null --no-open 2>&1 | grep -q libmicrohttpd; then
    rm -f "$work/out"
    "$sciara" serve "$work/made/plan.cfg" --no-open --output "$work/saved" >"$work/out" 2>"$work/err" &
    child=$!
    wait_until has_address "$work/out"
    address=$(grep -o 'http://[^ ]*' "$work/out")
fi
# shellcheck disable=SC2086 # none or one word
check "each output has the names and titles that were given" $python tests/output/names_check.py "$work" $address
[ -z "$address" ] || { kill -INT $child && wait $child; }
report
