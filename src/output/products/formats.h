/* formats.h — the table of file formats. enum output_format, --format and its help, sciara_format_name() and the list of
 * the Python package are made from this table. To add a format, add its bit in enum sciara_format (sciara.h), a row here,
 * and its files in EXPORT_FILES (export/export.h). A painted format has a row in record/painters.h instead. */
#pragma once

#include "record/painters.h"

#include "sciara.h"

/* X(NAME, word, needs, about, check): SCIARA_NAME is the bit; `word` is the name for --format; `needs` is an enum
 * painted_needs; `about` is the help; `check` refuses cases that the format cannot show, NULL: it can show all cases. */
#define OUTPUT_WRITTEN_LIST(X)                                                                     \
    X(GEOTIFF, "geotiff", 0, "layers for a GIS", NULL)                                             \
    X(ORIGINAL, "original", 0, "the text format of the published program", output_original_check)  \
    X(GEOJSON, "geojson", NEEDS_DEGREES, "isochrones, at the end", NULL)                           \
    X(GEOPACKAGE, "gpkg", 0, "isochrones, at the end", export_check_geopackage)                    \
    X(NETCDF, "netcdf", NEEDS_LAYERS, "all times in one file, at the end", export_check_netcdf)
#define OUTPUT_FORMAT_LIST(X) OUTPUT_WRITTEN_LIST(X) PAINTED_STUDY_LIST(X)

#define OUTPUT_FORMAT_ENTRY(NAME, ...) OUTPUT_##NAME = SCIARA_##NAME,
enum output_format {
    OUTPUT_FORMAT_LIST(OUTPUT_FORMAT_ENTRY) OUTPUT_FORMATS = 0 OUTPUT_FORMAT_LIST(FORMAT_MASK),
    /* with any of these formats a record is written, from which maps can be painted */
    OUTPUT_RECORDED = PAINTED_PICTURES | OUTPUT_GEOTIFF,
    OUTPUT_SNAPSHOTS =
        OUTPUT_GEOTIFF | OUTPUT_ORIGINAL | PAINTED_PICTURES, /* written for each snapshot */
    OUTPUT_EXPORTS =
        OUTPUT_FORMATS & ~OUTPUT_SNAPSHOTS & ~PAINTED_PAGES /* written at the end of a run */
};
