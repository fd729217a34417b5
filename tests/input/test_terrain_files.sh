#!/bin/bash
# test_terrain_files.sh — what a terrain file, or a file beside it, says apart from its numbers: unit and
# direction of heights, masks, colours, scale, projection. It is counted with, or the terrain is refused.
# Run from the root of the repository, with BUILD naming the build folder. The files are GDAL's.
# tests: input/raster
. tests/check.sh
sciara=$(readlink -f "${SCIARA:-$sciara}")
needs_sciara
for program in gdal_translate gdalwarp; do needs "there is no $program" command -v $program; done
export FORK_SERVER_GDAL=yes
cd "$work" || exit 1

# A tool's own words are nobody's concern here
made() { "$@" >/dev/null 2>&1 || echo "FAILED to make a file: $*"; }

# What each terrain holds: 3937 US survey feet are 1200 m
cat >plain.asc <<'END'
ncols 4
nrows 3
xllcorner 500000
yllcorner 4170000
cellsize 10
NODATA_value -9999
3937 4000 5000 6000
4000 5000 6000 7000
5000 6000 7000 -9999
END
printf 'vent,row,col\n1,1,1\n' >vents.csv
printf 'vent,from_h,to_h,rate_m3_s\n1,0,24,0.001\n' >rates.csv
case_with() { # case_with DEM [KEY VALUE]...
    {
        printf 'dem %s\nvents vents.csv\nrates rates.csv\nmax_steps 10\n' "$1"
        sed -n '/^Pclock/,/^Pcv/p' "$root/data/etna2006.cfg"
        shift
        printf '%s %s\n' "$@"
    } >case.cfg
}
look() { # look DEM [KEY VALUE]...: what a case with it is
    case_with "$@"
    patience=60 call info case.cfg
}
heights() { # heights WHAT UNIT LEAST GREATEST DEM: the unit as it is said, the range in metres
    look "$5"
    check "$1: is read" exits 0
    check "$1: its unit is said" says "^height_unit +$2\$"
    sed -i '1,/^elevation_m/d' stdout
    check "$1: least" says "^ +least +$3\$"
    check "$1: greatest" says "^ +greatest +$4\$"
}
refused() { # refused WHAT WORDS DEM [KEY VALUE]...
    local what=$1 words=$2
    shift 2
    look "$@"
    refusal 2 "$what" "^sciara: .*$words"
}

# ---- units of height
translate() { rm -f dem.tif dem.tif.*; made gdal_translate -q "$@" plain.asc dem.tif; }
beside() { # beside FILE ELEMENTS...: a NAME.aux.xml as GDAL writes it
    local file=$1
    shift
    echo "<PAMDataset><PAMRasterBand band=\"1\">$*</PAMRasterBand></PAMDataset>" >"$file.aux.xml"
}
heights 'nothing is declared' 'metre \(not declared\)' 3937 7000 plain.asc
translate -a_srs EPSG:32633+5773
heights 'a vertical CRS in metres' metre 3937 7000 dem.tif
translate -a_srs EPSG:32633+6360
heights 'a vertical CRS in US survey feet' 'US survey foot, converted to metre' 1200 2133.60426721 dem.tif
translate -a_srs EPSG:32633+8228
heights 'a vertical CRS in feet' 'foot, converted to metre' 1199.9976 2133.6 dem.tif
translate -a_srs EPSG:32633+5715
refused 'depths' 'depths .*EPSG:5715.*change the sign: sciara dem dem.tif --like dem.tif --output dem_new.tif$' dem.tif
translate -a_srs '+proj=utm +zone=33 +ellps=intl +units=m +vunits=ft'
if grep -q 'AXIS\["[^"]*",up' <(gdalinfo dem.tif); then
    heights 'a third axis in feet' 'foot, converted to metre' 1199.9976 2133.6 dem.tif
else skip "a third axis in feet: this GDAL writes none"; fi
for unit in ft feet FEET foot; do
    translate -a_srs EPSG:32633
    beside dem.tif "<UnitType>$unit</UnitType>"
    heights "a band in $unit" 'foot, converted to metre' 1199.9976 2133.6 dem.tif
done
for unit in 'US survey foot' US_survey_foot us-ft ftUS 'U.S. survey feet'; do
    translate -a_srs EPSG:32633
    beside dem.tif "<UnitType>$unit</UnitType>"
    heights "a band in $unit" 'US survey foot, converted to metre' 1200 2133.60426721 dem.tif
done
for unit in m metre Meters metres METER; do
    beside plain.asc "<UnitType>$unit</UnitType>"
    heights "a text grid in $unit" metre 3937 7000 plain.asc
done
beside plain.asc '<UnitType>cm</UnitType>'
heights 'a text grid in cm' 'centimetre, converted to metre' 39.37 70 plain.asc
beside plain.asc '<UnitType>mm</UnitType>'
heights 'a text grid in mm' 'millimetre, converted to metre' 3.93700000001 7 plain.asc
beside plain.asc '<UnitType>km</UnitType><Scale>0.001</Scale>'
heights 'a text grid in km, scaled' 'kilometre, converted to metre' 3937 7000 plain.asc
beside plain.asc '<Scale>0.5</Scale><Offset>-1000</Offset>'
heights 'scale and offset beside a text grid' 'metre \(not declared\)' 968.5 2500 plain.asc
beside plain.asc '<UnitType>furlong</UnitType>'
refused 'an unknown unit' "'furlong'.*sciara dem plain.asc .*--heights UNIT --output plain_new.tif$" plain.asc
beside plain.asc '<Scale>0</Scale>'
refused 'a scale of 0' 'scale is 0' plain.asc
rm plain.asc.aux.xml
translate -a_srs EPSG:32633 -a_nodata none
beside dem.tif '<UnitType>ft</UnitType>' # -9999 ft are -3048 m, which there could be
refused 'no data in feet that is not declared' \
    'dem.tif: 1 cell is -9999, far from all others; declare it as no data: sciara dem dem.tif --like dem.tif --nodata=-9999 --output dem_new.tif$' dem.tif
translate -a_srs EPSG:32633 -a_scale 0
refused 'a scale of 0 inside' 'scale is 0' dem.tif
translate -a_srs EPSG:32633+6360
beside dem.tif '<UnitType>m</UnitType>'
refused 'two units' "'m' \(metre\).*NAVD88 height \(ftUS\).*US survey foot" dem.tif
translate -a_srs EPSG:32633
cp dem.tif thick.tif
beside thick.tif '<UnitType>ft</UnitType><Scale>0.001</Scale>'
look dem.tif thickness thick.tif
check 'a thickness in feet' says '^ +greatest +2.1336$'
cp dem.tif hot.tif
beside hot.tif '<UnitType>degC</UnitType><Scale>0</Scale><Offset>1200</Offset>'
refused 'temperatures of a scale of 0' 'scale is 0' dem.tif thickness thick.tif temperature hot.tif
beside hot.tif '<UnitType>degC</UnitType><Scale>1e-9</Scale><Offset>1200</Offset>'
refused 'temperatures in degrees Celsius' "'degC', not in kelvins" dem.tif thickness thick.tif temperature hot.tif
rm -f thick.tif* hot.tif*

# ---- false ground: masks, nodata, pictures
sed '/NODATA/d; s/-9999/4500/' plain.asc >whole.asc
made gdal_translate -q -a_srs EPSG:32633 -a_nodata 4500 whole.asc whole.tif
beside whole.tif '<NoDataValue>6000</NoDataValue>'
look whole.tif
check "nodata beside whole.tif counts, as in GDAL" says 'cells_without_data +3$'
check "... alone" says 'least +3937$'
printf 'vent,row,col\n1,0,3\n' >vents.csv
refused "a vent there" 'vent 1 .*no data' whole.tif
printf 'vent,row,col\n1,1,1\n' >vents.csv
beside whole.asc '<NoDataValue>6000</NoDataValue>'
refused "nodata beside a text grid, which GDAL passes over" 'its .aux.xml has a value for no data, .*sciara dem whole.asc .*--nodata=VALUE --output whole_new.tif$' whole.asc
sed -i '1iNODATA_value 6000' whole.asc
look whole.asc
check "... is read from its header" says 'cells_without_data +3$'
rm whole.asc.aux.xml
beside whole.tif '<NoDataValue le_hex_equiv="000000000070B740">5999.9999</NoDataValue>'
look whole.tif
check 'nodata by its bytes' says 'cells_without_data +3$'
rm -f dem.tif*
made gdal_translate -q -a_srs EPSG:32633 -a_nodata none --config GDAL_TIFF_INTERNAL_MASK YES -mask 1 plain.asc dem.tif
check "GDAL knows the mask" grep -q 'Mask Flags: PER_DATASET' <(gdalinfo dem.tif)
masked() { # masked WHAT FILE: the cell without data of plain.asc is one, and the others have their heights
    look "$2"
    check "$1 marks cells without data" says 'cells_without_data +1$'
    check "... and no others" says 'cells_with_data +11$'
    check "... which are as they were" says 'least +3937$'
}
masked 'a mask inside' dem.tif
made gdal_translate -q --config GDAL_TIFF_INTERNAL_MASK YES -outsize 5000 3 -a_ullr 500000 4170030 550000 4170000 dem.tif broad.tif
call info broad.tif
check "... of 5,000 columns" says 'cells_without_data +1250$'
rm -f dem.tif*
made gdal_translate -q -a_srs EPSG:32633 -a_nodata none --config GDAL_TIFF_INTERNAL_MASK NO -mask 1 plain.asc dem.tif
check 'there is a mask beside it' test -s dem.tif.msk
masked 'a mask beside it' dem.tif
sed '/NODATA/d; s/-9999/4500/' plain.asc >other.asc && cp dem.tif.msk other.asc.msk
masked 'a mask beside a text grid' other.asc
pack() { /usr/bin/python3 -m zipfile -c "$@"; }
pack packed.zip whole.tif whole.tif.aux.xml && pack text.zip plain.asc && pack two.zip whole.tif plain.asc
look whole.tif
sed -n '/^elevation_m/,/sum/p' stdout >unpacked
look packed.zip
check 'a terrain in an archive is the one outside' cmp unpacked <(sed -n '/^elevation_m/,/sum/p' stdout)
heights 'a text grid in an archive' 'metre \(not declared\)' 3937 7000 text.zip
refused 'several rasters in an archive' 'two.zip: is an archive of several files: ' two.zip
without_gdal() { LD_LIBRARY_PATH=$work/no_gdal refused "$@"; }
mkdir "$work/no_gdal" && for number in {26..60}; do : >"$work/no_gdal/libgdal.so.$number"; done
without_gdal '... without GDAL' 'other.asc: needs GDAL for its mask \(.msk\), but no libgdal is installed; install it' other.asc
without_gdal 'a mask, without GDAL' 'dem.tif: needs GDAL for its mask \(.msk\), but no libgdal is installed; install it' dem.tif
rm -f dem.tif*
made gdalwarp -q -dstalpha -s_srs EPSG:32633 -t_srs EPSG:32632 plain.asc alpha.tif
look alpha.tif
check 'an alpha band marks cells without data' says 'least +3937$'
without_gdal 'an alpha band, without GDAL' 'alpha.tif: needs GDAL for its alpha band, but' alpha.tif
picture() { made gdal_create -q -of GTiff -outsize 4 3 -ot Byte -burn 10 -a_srs EPSG:32633 -a_ullr 500000 4170030 500040 4170000 "$@" dem.tif; }
rm -f dem.tif*
picture -bands 3 -co PHOTOMETRIC=RGB
refused 'a picture in colours' 'a picture \(red, green and blue\).*give the raster that it was drawn from' dem.tif
rm -f dem.tif*
picture -bands 3 -co PHOTOMETRIC=MINISBLACK
call info dem.tif
check 'bands of numbers: it is said how many there are' says '^bands +3$'
cat >palette.vrt <<'END'
<VRTDataset rasterXSize="4" rasterYSize="3"><SRS>EPSG:32633</SRS>
<GeoTransform>500000,10,0,4170030,0,-10</GeoTransform><VRTRasterBand dataType="Byte" band="1">
<ColorInterp>Palette</ColorInterp><ColorTable><Entry c1="9" c2="0" c3="0" c4="255"/></ColorTable>
</VRTRasterBand></VRTDataset>
END
rm -f dem.tif*
made gdal_translate -q palette.vrt dem.tif
refused 'a picture with a palette' 'a picture \(colours of a palette\)' dem.tif
made gdal_translate -q -b 1 -colorinterp gray -co PHOTOMETRIC=MINISBLACK dem.tif grey.tif
look grey.tif
check 'its numbers alone are read' exits 0
check '... with a warning: 8 bits are a picture' says 'grey.tif: has only 8 bits for each value'

# ---- the CRS beside a text grid
wkt() { gdalsrsinfo -o wkt_esri "$1" | tr -d '\n' >plain.prj; }
wkt EPSG:32633
look plain.asc
check 'a .prj is read' says '^crs +EPSG:32633$'
wkt EPSG:4326
refused 'a .prj in degrees' 'in degrees, but its centre is at 500020, 4170015' plain.asc
wkt EPSG:2229
refused 'a .prj in feet' 'unit of length is 0\.3048006' plain.asc
wkt EPSG:32633+6360
heights 'a .prj with heights in feet' 'US survey foot, converted to metre' 1200 2133.60426721 plain.asc
wkt ESRI:54009
refused 'a .prj of Mollweide' 'World_Mollweide has metres' plain.asc
wkt EPSG:3395
refused 'a .prj of World Mercator' 'EPSG:3395 has metres .*1\.22 times' plain.asc
# (of ArcInfo, in key words, as GDAL reads them; with a byte order mark)
key_words() { # key_words DATUM YSHIFT ZONE CODE
    printf 'Projection    UTM\r\nZone          %s\r\nDatum         %s\r\nZunits        NO\r\nUnits         METERS\r\nXshift        0.0\r\nYshift        %s\r\nParameters    \r\n' "$3" "$1" "$2" >plain.prj
    look plain.asc
    check "a .prj of key words: $1 $3" says "^crs +EPSG:$4\$"
    check "... as GDAL reads it" [ "$(gdalsrsinfo -o epsg plain.asc | grep -o 'EPSG:.*')" = "EPSG:$4" ]
}
key_words WGS84 0.0 33 32633
key_words WGS84 10000000.0 33 32733
key_words NAD83 0.0 11 26911
wkt EPSG:32633
sed -i '1s/^/\xef\xbb\xbf/' plain.prj
look plain.asc
check 'a .prj with a byte order mark' says '^crs +EPSG:32633$'
printf 'nonsense' >plain.prj
refused 'a .prj that is none' 'plain.prj: PROJ does not understand its CRS' plain.asc
rm plain.prj
echo "<PAMDataset><SRS>$(gdalsrsinfo -o wkt1 EPSG:32633 | tr -d '\n')</SRS></PAMDataset>" >plain.asc.aux.xml
look plain.asc
refused 'a CRS in .aux.xml of a text grid, which GDAL passes over' 'its .aux.xml has a CRS, .*sciara dem plain.asc --source-crs EPSG:CODE --output plain_new.tif$' plain.asc
echo "<PAMDataset><SRS>$(gdalsrsinfo -o wkt1 EPSG:32632 | tr -d '\n')</SRS></PAMDataset>" >plain.asc.aux.xml
wkt EPSG:32633
look plain.asc
check 'of both, the .prj counts, as in GDAL' says '^crs +EPSG:32633$'
rm plain.prj plain.asc.aux.xml
translate -a_srs EPSG:32633
echo "<PAMDataset><SRS>$(gdalsrsinfo -o wkt1 EPSG:32632 | tr -d '\n')</SRS><GeoTransform>600000,20,0,4170060,0,-20</GeoTransform></PAMDataset>" >dem.tif.aux.xml
look dem.tif
check 'CRS and place beside a GeoTIFF count, as in GDAL' says '^crs +EPSG:32632$'
check '... so does its place' says '^west_m +600000$'

rm dem.tif.aux.xml

# ---- a place in a world file, and with the noise of a computed transform
made gdal_translate -q plain.asc dem.tif
made gdal_edit.py -unsetgt dem.tif
rm -f dem.tif.aux.xml
refused 'no place' 'nor in a world file; add one: sciara dem dem.tif --source-crs EPSG:CODE --source-extent WEST,SOUTH,EAST,NORTH --output dem_new.tif' dem.tif
without_gdal 'no place in it, without GDAL' 'needs GDAL for its place, which its tags lack, but' dem.tif
printf '%s\n' 10 0 0 -10 500005 4170025 >dem.tfw
look dem.tif
check 'a world file beside a GeoTIFF' says '^west_m +500000$'
check '... its rows' says '^south_m +4170000$'
check '... as GDAL reads it' [ "$(gdalinfo dem.tif | grep -c 'Origin = (500000.0*,4170030.0*)')" = 1 ]
printf '%s\n' 10 1e-12 1e-12 -10 500005 4170025 >dem.tfw
look dem.tif
check 'noise of a rotation' exits 0
printf '%s\n' 10 0.01 0.01 -10 500005 4170025 >dem.tfw
refused 'a rotation' 'rotated or sheared; turn it north up' dem.tif
printf '%s\n' 10 0 0 -10 500005 >dem.tfw
refused 'half a world file' 'nor in a world file; add one: sciara dem dem.tif --source-crs EPSG:CODE --source-extent WEST,SOUTH,EAST,NORTH --output dem_new.tif' dem.tif
mkdir v1.0
cp dem.tif v1.0/dem
printf '%s\n' 10 0 0 -10 500005 4170025 >v1.0/dem.wld
look v1.0/dem
check 'a world file beside a GeoTIFF without an ending, in a folder whose name has a dot' says '^west_m +500000$'
rm -r dem.tfw v1.0
made gdal_translate -q -a_srs EPSG:32633+5773 -a_scale 0.5 -a_offset 100 plain.asc dem.tif
look dem.tif
check 'the scale that GDAL keeps with a vertical CRS' says '^ +least +2068\.5$'
translate -a_srs EPSG:4326 -a_ullr 14.9 37.8 14.98 37.74
call info dem.tif
check 'degrees have their code' says '^crs +EPSG:4326$'

made gdal_translate -q -of GPKG -ot Float32 -co TILE_FORMAT=TIFF plain.asc raster.gpkg
call info raster.gpkg
check 'a GeoPackage with a raster is shown as one' says '^kind +raster$'

# ---- metres that differ from metres on the ground, without a code
for crs in '+proj=merc' '+proj=eqc' '+proj=laea +lat_0=52' ESRI:54009 '+proj=moll +towgs84=1,2,3' EPSG:3395; do
    translate -a_srs "$crs"
    refused "$crs" 'has metres that differ from metres on the ground \([0-9.]+ times' dem.tif
done
for crs in '+proj=laea +lat_0=37 +lon_0=15 +x_0=500000 +y_0=4170000' '+proj=eqc +lat_ts=37.5' \
    '+proj=tmerc +lon_0=15 +x_0=500000 +ellps=intl +towgs84=1,2,3' EPSG:3003 'LOCAL_CS["lab",UNIT["metre",1]]'; do
    translate -a_srs "$crs"
    look dem.tif
    check "$crs is true there" exits 0
    check "... and nothing is said on standard error" silent stderr
done
# A database that cannot be read: no database, and no word of it
mkdir none && : >none/proj.db
export PROJ_DATA=$work/none PROJ_LIB=$work/none
translate_without() { (unset PROJ_DATA PROJ_LIB && translate "$@"); }
translate_without -a_srs EPSG:3395
refused 'a code that nobody knows' 'PROJ does not know its CRS \(EPSG:3395\)' dem.tif
translate_without -a_srs EPSG:32633
look dem.tif
check 'UTM needs no database' exits 0
check '... and PROJ says nothing' silent stderr
translate_without -a_srs '+proj=merc'
refused 'a projection without a database' 'has metres .*1\.22 times' dem.tif
unset PROJ_DATA PROJ_LIB
# With too little memory for its database it is the memory that is wrong, never the CRS
translate -a_srs EPSG:3003
case_with dem.tif
limit_kib=40000 ends= code=1
while [ $limit_kib -lt 1000000 ]; do
    limit_kib=$((code ? limit_kib * 21 / 20 : limit_kib * 3 / 2)) # (where it is enough, in large steps)
    { (ulimit -v $limit_kib && exec "$sciara" --version); } >/dev/null 2>&1 || continue
    (ulimit -v $limit_kib && exec "$sciara" info case.cfg) >stdout 2>stderr
    code=$? ends+=" $code"
    [ $code != 0 ] || continue
    check "$limit_kib KiB: the database of projections, in one line" eval 'one_line && complains "memory" && fails complains "damaged|no file"'
done
case $ends in
'') skip "limits of memory: this program does not run under any" ;;
*) check "with memory enough the CRS is known:$ends" [ "${ends##* }" = 0 ] ;;
esac

# ---- small cells
small() { # small CELL LOWER_LEFT VALUES...
    printf 'ncols 3\nnrows 3\nxllcorner %s\nyllcorner %s\ncellsize %s\n' "$2" "$3" "$1" >small.asc
    shift 3
    echo "$@" >>small.asc
}
printf 'vent,from_h,to_h,rate_m3_s\n1,0,24,1e-9\n' >rates.csv
small 0.003 0 0 0.10 0.11 0.12 0.13 0.14 0.15 0.16 0.17 0.18
look small.asc
check 'a laboratory with cells of 3 mm is no grid of degrees' exits 0
call run case.cfg --no-output
check '... and runs' exits 0
check '... with a ledger that closes' says '^ledger +closes'
small 0.003 14.9 37.7 100 110 120 130 140 150 160 170 180
refused 'degrees without a CRS' 'are degrees' small.asc

# ---- what is no file
printf 'vent,from_h,to_h,rate_m3_s\n1,0,24,0.001\n' >rates.csv
mkfifo pipe
mkdir folder
sed '7,$s/000//g; s/3937/3/' plain.asc >thickness.asc
for thing in pipe folder /dev/zero; do
    for key in dem vents rates thickness outline; do
        case_with plain.asc
        sed -i "/^$key /d" case.cfg
        echo "$key $thing" >>case.cfg
        patience=20 call run case.cfg --no-output
        refusal 2 "$thing as $key" 'not a regular file; give'
    done
    patience=20 call fit thickness.asc "$thing"
    refusal 2 "$thing as an outline" 'not a regular file; give'
done
mkfifo plain.asc.aux.xml
refused 'a pipe beside a grid' 'aux.xml: is not a regular file' plain.asc
rm plain.asc.aux.xml

# ---- what a terminal would obey
translate -a_srs EPSG:32633
printf '<PAMDataset><Metadata><MDI key="TERRAIN">a\033[31mb\377c&#x9b;d\te</MDI></Metadata></PAMDataset>' >dem.tif.aux.xml
look dem.tif
check 'control characters become question marks' says '^terrain +a\?\[31mb\?c\?d e$'

report
