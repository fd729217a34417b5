/* remedy.h — the commands of other programs that messages propose: all of them stand here.
 *
 * A command is made for its reader's file: REMEDY_IN becomes its name, REMEDY_OUT and an ending the
 * name of a new file beside it, both as words for a shell. Words in capitals are for the reader to replace.
 * Each command is whole (a message has no part of one), keeps values, unit, place and CRS, and never
 * changes more than it says. tests/input/test_remedies.sh finds the macros here, executes each on a
 * file that provokes its message, compares what comes out with what went in, and fails for one without a
 * case, and for a command that stands elsewhere. */
#pragma once

#include "base/error.h"

#include <stddef.h>

#define REMEDY_IN  "\1"
#define REMEDY_OUT "\2"
#define REMEDY_NEW REMEDY_OUT "_new.tif" /* gdal_translate would replace a file of the user's */

/* Formats a text, and puts the names in: of `file`, and of files beside it. */
#ifdef __GNUC__
__attribute__((format(printf, 4, 5)))
#endif
void remedy_text(char *out, size_t size, const char *file, const char *fmt, ...);

/* error_input() with such a text. */
ERROR_FORMAT(3, 4)
int remedy_refuse(struct error *e, const char *file, const char *fmt, ...);

/* ERROR_INPUT for a file in UTF-16; 0: it is none. `ending`: of the file that the command makes. */
int remedy_check_utf16(const char *file, const char *ending, struct error *e);

/* ---- a terrain as a run needs it -------------------------------------------------------------- */

/* Its own command, with further words; and for what is right but for its heights, on the same grid. Both read the
 * file as it is, and write metres. */
#define REMEDY_DEM      "sciara dem " REMEDY_IN "%s --output " REMEDY_NEW
#define REMEDY_DEM_LIKE "sciara dem " REMEDY_IN " --like " REMEDY_IN "%s --output " REMEDY_NEW

/* Its words: the CRS of the file, by its code or as the reader knows it; CRS and cell of the terrain; the unit. */
#define DEM_FROM      " --source-crs EPSG:%d"
#define DEM_FROM_CODE " --source-crs EPSG:CODE"
#define DEM_TO        " --crs EPSG:%d --cell %.9g"
#define DEM_HEIGHTS   " --heights "

/* ---- resampling ------------------------------------------------------------------------------ */

/* Without a value for no data gdalwarp fills corners that its source does not cover with 0: land at sea level.
 * Without Float32 whole metres become terraces. With a vertical CRS it converts heights to metres, or to
 * another datum, and leaves their unit as it was: -novshift (GDAL 3.4). A file that exists it would keep the
 * grid of: -overwrite. */
#define REMEDY_WARP "gdalwarp -ot Float32 -dstnodata -9999 -novshift -overwrite"

/* To another CRS: " -s_srs EPSG:n " or " " (the file names its own), the CRS, the cell twice, and how. */
#define REMEDY_TO_CRS REMEDY_WARP "%s-t_srs %s -tr %.9g %.9g -r %s " REMEDY_IN " " REMEDY_NEW

/* In place of a code: the CRS of a file. */
#define REMEDY_CRS_OF "\"$(gdalsrsinfo -o wkt " REMEDY_IN " | tr -d '\\n')\""

/* In its own CRS: to square cells, north up, coarser. */
#define REMEDY_RESAMPLE        REMEDY_WARP "%s-tr %.9g %.9g -r %s " REMEDY_IN " " REMEDY_NEW
#define REMEDY_COARSEN         REMEDY_WARP " -tr CELL CELL -r average " REMEDY_IN " " REMEDY_NEW
#define REMEDY_CROP            "gdal_translate -projwin WEST NORTH EAST SOUTH " REMEDY_IN " " REMEDY_NEW
#define REMEDY_CROP_OR_COARSEN "crop it (" REMEDY_CROP ") or coarsen it (" REMEDY_COARSEN ")"

/* To a given grid: the CRSs as above (or " "), its corners, its columns and rows. */
#define REMEDY_TO_GRID                                                                             \
    REMEDY_WARP "%s-te %.12g %.12g %.12g %.12g -ts %d %d -r %s " REMEDY_IN " " REMEDY_NEW

/* ---- what a raster declares ------------------------------------------------------------------ */

/* Made anew, since a text grid has no place for it, and NAME.prj would go before. */
#define REMEDY_CRS "gdal_translate -a_srs EPSG:CODE " REMEDY_IN " " REMEDY_NEW

#define REMEDY_CRS_AND_UNIT REMEDY_CRS " && gdal_edit.py -units UNIT " REMEDY_NEW
#define REMEDY_CONVERTED    "gdal_edit.py -scale SCALE -offset OFFSET -units %s " REMEDY_IN
#define REMEDY_SCALE        "gdal_edit.py -scale SCALE -offset OFFSET " REMEDY_IN
#define REMEDY_PLACE        "gdal_edit.py -a_ullr WEST NORTH EAST SOUTH -a_srs EPSG:CODE " REMEDY_IN

/* gdal_fillnodata.py writes numbers without their scale and unit. */
#define REMEDY_FILL "gdal_fillnodata.py " REMEDY_IN " " REMEDY_NEW
#define REMEDY_FILL_SCALED                                                                         \
    REMEDY_FILL " && gdal_edit.py -scale %.17g -offset %.17g -units %s " REMEDY_NEW

/* A value that marks no data: the first, in place of a tag that is none, or besides another one. */
#define REMEDY_NODATA     "gdal_translate -a_nodata %s " REMEDY_IN " " REMEDY_NEW
#define REMEDY_NODATA_TAG "gdal_edit.py -a_nodata VALUE " REMEDY_IN
#define REMEDY_NODATA_ALSO                                                                         \
    "gdalbuildvrt -overwrite -srcnodata %s -vrtnodata %s " REMEDY_OUT ".vrt " REMEDY_IN            \
    " && gdal_translate " REMEDY_OUT ".vrt " REMEDY_NEW
#define REMEDY_NODATA_ALSO_IN_UNIT REMEDY_NODATA_ALSO " && gdal_edit.py -units %s " REMEDY_NEW

/* ---- the same raster in another form --------------------------------------------------------- */

#define REMEDY_CONVERT "gdal_translate -co COMPRESS=DEFLATE " REMEDY_IN " " REMEDY_NEW
#define REMEDY_FLOAT   "gdal_translate -ot Float32 " REMEDY_IN " " REMEDY_NEW
#define REMEDY_TILED   "gdal_translate -co TILED=YES " REMEDY_IN " " REMEDY_NEW
#define REMEDY_LIST    "gdalinfo " REMEDY_IN
#define REMEDY_EXTRACT "gdal_translate 'NAME' " REMEDY_NEW
/* Its array is the word "name=NAME,transpose=[1,0]". */
#define REMEDY_TRANSPOSE "gdalmdimtranslate -array %s " REMEDY_IN " " REMEDY_OUT "_new.nc"
#define REMEDY_GREY                                                                                \
    "gdal_translate -b 1 -colorinterp gray -co PHOTOMETRIC=MINISBLACK " REMEDY_IN " " REMEDY_NEW

/* ---- vector files ---------------------------------------------------------------------------- */

#define REMEDY_GEOJSON  REMEDY_OUT ".geojson"
#define REMEDY_LAYERS   "ogrinfo " REMEDY_IN
#define REMEDY_FEATURES "ogr2ogr -f GeoJSON %s" REMEDY_GEOJSON " " REMEDY_IN "%s"
#define REMEDY_TABLE                                                                               \
    "ogr2ogr -f GeoJSON -a_srs EPSG:CODE -oo X_POSSIBLE_NAMES=X -oo "                              \
    "Y_POSSIBLE_NAMES=Y " REMEDY_GEOJSON " " REMEDY_IN
#define REMEDY_OF_CRS                                                                              \
    "ogr2ogr -f GeoJSON -a_srs EPSG:CODE " REMEDY_OUT "_new.geojson " REMEDY_IN "%s"
#define REMEDY_CLIP                                                                                \
    "ogr2ogr -f GeoJSON -clipsrc WEST SOUTH EAST NORTH " REMEDY_OUT "_new.geojson " REMEDY_IN "%s"
#define REMEDY_DATE_LINE                                                                           \
    "ogr2ogr -f GeoJSON -wrapdateline -t_srs EPSG:4326 " REMEDY_OUT "_new.geojson " REMEDY_IN "%s"
#define REMEDY_LAYER "ogr2ogr -f GPKG " REMEDY_OUT "_new.gpkg " REMEDY_IN " LAYER"
#define REMEDY_UTF8  "iconv -f UTF-16 -t UTF-8 " REMEDY_IN " >" REMEDY_OUT "_new%s"
