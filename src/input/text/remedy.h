/* remedy.h — all commands that messages propose.
 *
 * A command is for the user's file: REMEDY_IN becomes the name of that file. REMEDY_OUT with an ending becomes the name
 * of a new file next to it. Both names are words for a shell. The user replaces words in capitals. No message has only
 * a part of a command. A command keeps values, unit, place and CRS, except those that the command is meant to change.
 * tests/input/test_remedies.sh finds the macros here, executes each on a file that provokes its message, and compares
 * the result with the file. The test fails for a macro without a test case, and for a command in another
 * source file. */
#pragma once

#include "base/error.h"

#include <stddef.h>

#define REMEDY_IN  "\1"
#define REMEDY_OUT "\2"
#define REMEDY_NEW REMEDY_OUT "_new.tif"

/* Formats a text, and inserts the names of `file` and of files next to it. */
ERROR_FORMAT(4, 5)
void remedy_text(char *out, size_t size, const char *file, const char *fmt, ...);

/* Calls error_input() with the text that remedy_text() would write. */
ERROR_FORMAT(3, 4)
int remedy_refuse(struct error *e, const char *file, const char *fmt, ...);

/* Returns ERROR_INPUT for a file in UTF-16, else 0. `ending`: the ending of the file that the proposed command
 * writes. */
int remedy_check_utf16(const char *file, const char *ending, struct error *e);

/* ---- a terrain as a run needs it -------------------------------------------------------------- */

/* `sciara dem` with further options. REMEDY_DEM_LIKE keeps the grid of the file. Both commands read the file as it is,
 * and write metres. */
#define REMEDY_DEM      "sciara dem " REMEDY_IN "%s --output " REMEDY_NEW
#define REMEDY_DEM_LIKE "sciara dem " REMEDY_IN " --like " REMEDY_IN "%s --output " REMEDY_NEW

/* Options of `sciara dem`. DEM_FROM and DEM_FROM_CODE name the CRS of the file, DEM_TO the CRS and cell size of the
 * terrain, DEM_HEIGHTS the unit. DEM_NODATA and DEM_MARK name the value of cells without data; DEM_FILL closes holes.
 * DEM_PLACE, DEM_SCALE, DEM_LIKE and DEM_UNIT replace what the file declares wrongly, or not at all. */
#define DEM_FROM      " --source-crs EPSG:%d"
#define DEM_FROM_CODE " --source-crs EPSG:CODE"
#define DEM_TO        " --crs EPSG:%d --cell %.9g"
#define DEM_HEIGHTS   " --heights "
#define DEM_NODATA    " --nodata=%s"
#define DEM_MARK      " --nodata=VALUE"
#define DEM_FILL      " --fill 100"
#define DEM_SMOOTH    " --resample cubicspline"
#define DEM_PLACE     DEM_FROM_CODE " --source-extent WEST,SOUTH,EAST,NORTH"
#define DEM_SCALE     " --scale SCALE,OFFSET"
#define DEM_LIKE      " --like %s"
#define DEM_UNIT      DEM_FROM_CODE DEM_HEIGHTS "UNIT"

#define REMEDY_CROP_OR_COARSEN                                                                     \
    "crop it (sciara dem " REMEDY_IN " --around LAT,LON --km KM --output " REMEDY_NEW              \
    ") or coarsen it (sciara dem " REMEDY_IN " --cell CELL --output " REMEDY_NEW ")"

/* ---- other rasters, on the grid of the DEM ----------------------------------------------------- */

/* Without -dstnodata gdalwarp would write 0 into corners that the source does not cover. With a vertical CRS it would
 * convert heights to metres or another datum, but keep the declared unit; -novshift (GDAL 3.4) prevents this. gdalwarp
 * would keep the grid of an existing file; -overwrite prevents this. */
#define REMEDY_WARP "gdalwarp -ot Float32 -dstnodata -9999 -novshift -overwrite"

/* Converts to another CRS. Values: " -s_srs EPSG:n ", or " " if the file names its CRS; the new CRS; the cell size
 * twice; the resampling. */
#define REMEDY_TO_CRS REMEDY_WARP "%s-t_srs %s -tr %.9g %.9g -r %s " REMEDY_IN " " REMEDY_NEW

/* Reads the CRS from a file, in place of a code. */
#define REMEDY_CRS_OF "\"$(gdalsrsinfo -o wkt " REMEDY_IN " | tr -d '\\n')\""

/* Converts to a given grid. Values: the options for both CRSs, or " "; west, south, east and north; columns and rows;
 * the resampling. */
#define REMEDY_TO_GRID                                                                             \
    REMEDY_WARP "%s-te %.12g %.12g %.12g %.12g -ts %d %d -r %s " REMEDY_IN " " REMEDY_NEW

#define REMEDY_CONVERTED "gdal_edit.py -scale SCALE -offset OFFSET -units %s " REMEDY_IN

/* Declares a value as no data, in place of the declared value. gdalbuildvrt does not copy the unit, so gdal_edit.py
 * sets the unit. */
#define REMEDY_NODATA                                                                              \
    "gdalbuildvrt -overwrite -srcnodata %s -vrtnodata %s " REMEDY_OUT ".vrt " REMEDY_IN            \
    " && gdal_translate " REMEDY_OUT ".vrt " REMEDY_NEW " && gdal_edit.py -units %s " REMEDY_NEW

/* ---- the same raster in another form --------------------------------------------------------- */

#define REMEDY_LIST "gdalinfo " REMEDY_IN
/* The array for this command is the word "name=NAME,transpose=[1,0]". */
#define REMEDY_TRANSPOSE "gdalmdimtranslate -array %s " REMEDY_IN " " REMEDY_OUT "_new.nc"

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
