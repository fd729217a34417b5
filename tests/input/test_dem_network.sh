#!/bin/bash
# test_dem_network.sh — `sciara dem --from`: tiles of a server of the loopback, by the blocks needed, become the terrain of the
# same files; one that is not there is sea, and whatever else goes wrong is refused by the name of the tile. Nothing is
# asked of a server without --network.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: input/dem, study/draft
. tests/check.sh
needs_sciara
needs "there is no Python package of GDAL" /usr/bin/python3 -c 'from osgeo import gdal; import numpy; gdal.GetDriverByName("COG").ShortName'
export OMP_NUM_THREADS=1 LC_ALL=C no_proxy=127.0.0.1
tiles=$root/tests/input/tiles.py
/usr/bin/python3 "$tiles" make "$work" || exit 1
cd "$work" || exit 1
/usr/bin/python3 "$tiles" serve . 2>/dev/null &
server=$! child=$!
wait_until [ -e port ]
touch log
host=http://127.0.0.1:$(cat port)
tile='Copernicus_DSM_COG_10_{lat}_00_{lon}_00_DEM.tif'
part=(--around 38,15 --km 8 --cell 100 --quiet)
unasked() { [ ! -s log ]; }
# from WAY [MORE...]: of the server, as tiles.py answers
from() { call dem --from "$host/$1/$tile" "${part[@]}" --output no.tif "${@:2}"; }
# is_refused WHAT STATUS PATTERN: it was, and there is no terrain
is_refused() {
    refusal "$2" "$1" "$3"
    check "$1: no file" fails test -e no.tif
}

# ---- nothing is asked
call dem Copernicus*.tif "${part[@]}" --output files.tif
check "of files" exits 0
from ok
is_refused "without --network" 2 "give --network"
call dem Copernicus*.tif --network "${part[@]}" --output no.tif
is_refused "files with --network" 2 "--network: has no effect without --copernicus or --from; add"
call dem Copernicus*.tif --copernicus --network "${part[@]}" --output no.tif
is_refused "files and tiles" 2 "--copernicus and SOURCE contradict each other; omit one"
for url in "$host/ok/{lat}.tif" "$host/ok/a.vrt" "/vsis3/a.tif" "ftp://a/a.tif" "$host/a b.tif"; do
    call dem --from "$url" --network "${part[@]}" --output no.tif
    is_refused "the address $url" 2 "give an address"
done
call dem --from "$host/ok/$tile" --network --output no.tif
is_refused "no part" 2 "not known which tiles to read; give --around LAT,LON"
call dem --from "$host/ok/$tile" --network --around 38,15 --km 1500 --output no.tif
is_refused "a large part" 2 "the part that is asked for lies on [0-9]+ tiles, and at most 400 are read; give a smaller part"
check "nothing has been asked" unasked

# ---- a server that says nothing: while others are tried
env "$sciara" dem --from "$host/silent/$tile" --network "${part[@]}" --output silent.tif >/dev/null 2>silent.err &
silent=$!

# ---- the same as files
call dem --from "$host/ok/$tile" --network --around 38,15 --km 8 --cell 100 --output tiles.tif
check "of tiles" exits 0
check "sea is named" says '^sea  .*N38_00_E015_00_DEM.tif: there is no such tile'
check "the notice is printed" says '^notice  .*produced using Copernicus WorldDEM-30'
"$sciara" dem Copernicus*.tif sea.tif "${part[@]}" --output files.tif --replace
check "tiles are as files, of the blocks needed" /usr/bin/python3 "$tiles" check . tiles.tif files.tif
call dem --from "$host/ok/${tile//\{*\}_00_DEM/N37_00_E014_00_DEM}" --network "${part[@]}" --output one.tif
"$sciara" dem Copernicus*N37_00_E014*.tif "${part[@]}" --output one-file.tif
same() { /usr/bin/python3 -c "from osgeo import gdal; a, b = (gdal.Open(n).ReadRaster() for n in ('$1', '$2')); assert a == b"; }
check "one address, as a file" same one.tif one-file.tif

# ---- what goes wrong
call dem --from "$host/ok/$tile" --network --around 45,30 --km 8 --output no.tif
is_refused "no tile at all" 2 "N45_00_E030_00_DEM.tif: the server has neither this tile nor any other"
for http in 403 500; do
    from $http --network
    is_refused "status $http" 2 "$http/.*N38_00_E014_00_DEM.tif: .*HTTP response code: $http"
    from late-$http --network
    is_refused "status $http of blocks" 1 "late-$http/.*_DEM.tif, band 1: "
done
from late-short --network
is_refused "half of what was announced" 1 "short/.*_DEM.tif, band 1: "
from page --network
is_refused "a page in place of a tile" 2 "page/.*N37_00_E014_00_DEM.tif.* not recognized"
call dem --from "http://127.0.0.1:1/$tile" --network "${part[@]}" --output no.tif
is_refused "nobody listens" 2 "N37_00_E014_00_DEM.tif: .*onnect"
cp Copernicus*N37_00_E014*.tif Copernicus_DSM_COG_10_N38_00_E015_00_DEM.tif
from ok --network
is_refused "a tile of another degree" 2 "N38_00_E015_00_DEM.tif: its south-western corner is not at latitude 38, longitude 15"
rm Copernicus_DSM_COG_10_N38_00_E015_00_DEM.tif
# (a proxy shows where it goes)
https_proxy=$host call dem --copernicus --network "${part[@]}" --output no.tif
is_refused "no way to Copernicus" 2 "https://copernicus-dem-30m.s3.amazonaws.com/Copernicus_DSM_COG_10_N37_00_E014_00_DEM/Copernicus_DSM_COG_10_N37_00_E014_00_DEM.tif: "
check "... through the proxy of the environment" grep -q '^CONNECT copernicus-dem-30m.s3.amazonaws.com:443 403' log

# on both sides of the antimeridian the two tiles beside it are asked for
for edges in -179.999,-17.503,-179.99,-17.497 179.99,-17.503,179.999,-17.497; do
    : >log
    call dem --from "$host/ok/$tile" --network --extent=$edges --output no.tif
    is_refused "beside the antimeridian" 2 "S18_00_E179_00_DEM.tif: the server has neither"
    check "... of both sides" [ "$(grep -o 'S18_00_...._00' log | sort -u | paste -s)" = $'S18_00_E179_00\tS18_00_W180_00' ]
done

# ---- signals and time
for way in silent late-silent; do
    rm -f waits
    "$sciara" dem --from "$host/$way/$tile" --network "${part[@]}" --output no.tif 2>/dev/null &
    child=$!
    wait_until [ -e waits ]
    begun=$SECONDS
    kill -INT $child
    wait $child
    code=$?
    check "a signal ends a command that waits ($way)" [ $code = 130 ]
    check "... at once" [ $((SECONDS - begun)) -lt 5 ]
done
check "... no file" fails test -e no.tif
wait $silent
check "a server that says nothing is given up" [ $? = 2 ]
check "... by the name of the tile" grep -Eq 'silent/.*N38_00_E014_00_DEM.tif: .*(timed out|too slow)' silent.err
check "no other file is left" [ "$(find . -name '.sciara-*' | wc -l)" = 0 ]
kill $server
report
