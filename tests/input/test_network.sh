#!/bin/bash
# test_network.sh — no input file leads to the network, runs code or reads files that hold no raster: each that tries is
# refused by name, and a server that listens here sees no connection. And a signal ends a command that waits for a file.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: input/raster
. tests/check.sh
needs_sciara
needs "python3 is not installed" command -v python3
export OMP_NUM_THREADS=1 LC_ALL=C
cd "$work" || exit 1

# ---- a server that accepts connections, and says nothing
/usr/bin/python3 - <<'END' &
import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen(50)
open("port.part", "w").write(str(s.getsockname()[1]))
import os
os.rename("port.part", "port")
open("seen", "w").close()
kept = []
while True:
    kept.append(s.accept())
    with open("seen", "a") as f:
        f.write("a connection\n")
END
child=$!
wait_until [ -e seen ]
port=$(cat port)
url=http://127.0.0.1:$port
unseen() { [ ! -s seen ]; }
(exec 3<>"/dev/tcp/127.0.0.1/$port") && wait_until [ -s seen ]
check "the server sees who comes" fails unseen
: >seen

# ---- what the environment and files beside it may not turn on
export GDAL_VRT_ENABLE_PYTHON=YES GDAL_VRT_ENABLE_RAWRASTERBAND=YES CPL_VSIL_CURL_ALLOWED_EXTENSIONS='{noext}' no_proxy='*' \
    GDAL_HTTP_PROXY='' CPL_VSIL_CURL_ALLOWED_FILENAME="/vsicurl/$url/x.tif" LIBKML_EXTERNAL_STYLE=YES LIBKML_RESOLVE_STYLE=YES \
    PROJ_NETWORK=ON GDAL_SKIP='' OGR_SQLITE_ALLOW_EXTERNAL_ACCESS=YES GDAL_HTTP_TIMEOUT=600 GDAL_CONFIG_FILE=gdalrc
printf '[configoptions]\nGDAL_VRT_ENABLE_PYTHON=YES\nGDAL_HTTP_PROXY=\n' >gdalrc

# ---- rasters
mkdir made && "$sciara" terrain made --size 48 --quiet
call info made/volcano.cfg
check "the case is right" exits 0
echo '<VRTDataset' >none.vrt
{ grep -v '^dem' made/volcano.cfg && echo 'dem ../none.vrt'; } >made/none.cfg
if ! "$sciara" info made/none.cfg 2>&1 | grep -q 'no libgdal'; then
    cp made/terrain.tif inner.tif
    size=48
    # vrt NAME BAND [MORE]: a VRT of 48 x 48 cells with that content of its band
    vrt() {
        cat >"$1.vrt" <<END
<VRTDataset rasterXSize="$size" rasterYSize="$size" ${4:-}><SRS>EPSG:32633</SRS><GeoTransform>500000,10,0,4170480,0,-10</GeoTransform>
<VRTRasterBand dataType="Float32" band="1" ${3:-}>$2</VRTRasterBand></VRTDataset>
END
        { grep -v '^dem' made/volcano.cfg && echo "dem ../$1.vrt"; } >"made/$1.cfg"
    }
    # source NAME [KIND [WORDS]]: of a band
    source_of() { echo "<${2:-SimpleSource}><SourceFilename ${3-relativeToVRT=\"1\"}>$1</SourceFilename><SourceBand>1</SourceBand></${2:-SimpleSource}>"; }
    # is_refused WHAT NAME PATTERN: of the VRT with that name
    is_refused() {
        patience=20 call info "made/$2.cfg"
        refusal 2 "$1" "$3"
        check "$1: no connection" unseen
    }
    vrt plain "$(source_of inner.tif)"
    call info made/plain.cfg
    check "a VRT of a GeoTIFF" exits 0
    wms="<GDAL_WMS><Service name='TMS'><ServerUrl>$url/\${z}/\${x}/\${y}.png</ServerUrl></Service><DataWindow><TileLevel>2</TileLevel></DataWindow><BandsCount>1</BandsCount></GDAL_WMS>"
    echo "$wms" >wms.xml
    escaped=$(sed 's/</\&lt;/g; s/>/\&gt;/g' wms.xml)
    n=0
    for name in "/vsicurl/$url/x.tif" "$url/x.tif" "/vsicurl_streaming/$url/x.tif" "/vsis3/bucket/x.tif" "$escaped" wms.xml \
        "WCS:$url/wcs" "WMS:$url/wms" "/vsizip//vsicurl/$url/x.zip/x.tif" "/vsitar/x.tar" 'vrt://inner.tif' "NETCDF:inner.tif:z" \
        "PG:host=127.0.0.1 port=$port" /etc/passwd plain.cfg none.tif . '' "  /vsicurl/$url/x.tif" "<![CDATA[/vsicurl/$url/x.tif]]>" \
        "/vsicurl/$url/<!-- -->x.tif" "inner.tif<x/>" "/vsicurl/$url/x.tif<SourceFilename relativeToVRT=\"1\">inner.tif</SourceFilename>"; do
        n=$((n + 1))
        [ $((n % 2)) = 0 ] && words='' || words='relativeToVRT="1"'
        vrt "name$n" "$(source_of "$name" ComplexSource "$words")"
        is_refused "a VRT that names $name" "name$n" "name$n.vrt: (names|has an unusual) "
    done
    vrt attribute "<SimpleSource SourceFilename='/vsicurl/$url/x.tif'><SourceBand>1</SourceBand></SimpleSource>"
    is_refused "... by an attribute" attribute 'attribute.vrt: has an unusual SourceFilename'
    vrt lower "<SimpleSource><sourcefilename>/vsicurl/$url/x.tif</sourcefilename></SimpleSource>"
    is_refused "... by an element in small letters" lower 'lower.vrt: names /vsicurl/'
    vrt nested "$(source_of name1.vrt)"
    is_refused "... in a VRT in a VRT" nested "name1.vrt: names /vsicurl/"
    vrt itself "$(source_of itself.vrt)"
    patience=20 call info made/itself.cfg
    refusal 2 "a VRT that names itself" 'itself.vrt: '
    vrt mask "$(source_of inner.tif)" '' && cp wms.xml inner.tif.msk
    is_refused "... as the mask of a source" mask 'mask.vrt: names ./?inner.tif.msk|mask.vrt: names .*inner.tif.msk'
    mv inner.tif.msk inner.tif.ovr
    is_refused "... as the overview of a source" mask 'mask.vrt: names .*inner.tif.ovr'
    rm inner.tif.ovr
    vrt raw '<SourceFilename relativeToVRT="0">/etc/passwd</SourceFilename><ByteOrder>LSB</ByteOrder>' 'subClass="VRTRawRasterBand"'
    is_refused "a raw band" raw 'raw.vrt: has VRTRawRasterBand'
    vrt python "<PixelFunctionType>f</PixelFunctionType><PixelFunctionLanguage>Python</PixelFunctionLanguage><PixelFunctionCode><![CDATA[
def f(*a, **k): open('ran', 'w')
]]></PixelFunctionCode>$(source_of inner.tif)" 'subClass="VRTDerivedRasterBand"'
    is_refused "code" python 'python.vrt: has PixelFunction'
    check "... does not run" [ ! -e ran ]
    vrt options "<SimpleSource><SourceFilename relativeToVRT=\"1\">inner.tif</SourceFilename><OpenOptions><OOI key=\"OPEN_REMOTE_GML\">YES</OOI></OpenOptions></SimpleSource>"
    is_refused "options of a driver" options 'options.vrt: has OpenOptions'
    vrt entity '<SimpleSource><SourceFilename>&a;</SourceFilename></SimpleSource>'
    sed -i '1i <!DOCTYPE a [<!ENTITY a "inner.tif">]>' entity.vrt
    patience=20 call info made/entity.cfg
    refusal 2 "an entity" 'entity.vrt: '
    if command -v gdalwarp >/dev/null && command -v gdal_translate >/dev/null; then
        gdalwarp -q -of VRT -t_srs EPSG:32633 -tr 10 10 inner.tif warped.vrt && { grep -v '^dem' made/volcano.cfg && echo 'dem ../warped.vrt'; } >made/warped.cfg
        call info made/warped.cfg
        check "a warped VRT" exits 0
        sed "s|<SourceDataset[^/]*/SourceDataset>|<SourceDataset>/vsicurl/$url/x.tif</SourceDataset>|" warped.vrt >far.vrt
        { grep -v '^dem' made/volcano.cfg && echo 'dem ../far.vrt'; } >made/far.cfg
        is_refused "... of an address" far 'far.vrt: names /vsicurl/'
        gdal_translate -q -of AAIGrid inner.tif grid.asc && vrt grid "$(source_of grid.asc)"
        call info made/grid.cfg
        check "a VRT of an ASCII grid" exits 0
    else
        skip "warped VRTs: no gdalwarp"
    fi
    cp wms.xml dem.xml && { grep -v '^dem' made/volcano.cfg && echo 'dem ../dem.xml'; } >made/service.cfg
    is_refused "a description of a service" service 'dem.xml: neither a GeoTIFF nor'
    # ---- vectors
    cat >link.kml <<END
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><NetworkLink><Link><href>$url/x.kml</href></Link></NetworkLink><Placemark>
<styleUrl>$url/x.kml#a</styleUrl><Polygon><outerBoundaryIs><LinearRing><coordinates>15.01,37.67 15.02,37.67 15.02,37.68 15.01,37.67</coordinates>
</LinearRing></outerBoundaryIs></Polygon></Placemark></Document></kml>
END
    { cat made/volcano.cfg && echo 'outline ../link.kml'; } >made/link.cfg
    patience=20 call info made/link.cfg
    check "a network link in KML: ends" [ "$code" -lt 124 ]
    check "... no connection" unseen
else
    skip "files through GDAL: there is none"
fi
kill $child
wait $child 2>/dev/null
report
