/* formats.h — the formats of files as a table, the source of enum output_format, --format and its
 * help, sciara_format_name() and the list of the Python package. To add one: its bit in enum
 * sciara_format (sciara.h), a row here, and its files in EXPORT_FILES (export/export.h). */
#pragma once

#include "sciara.h"

/* X(NAME, word, needs, check, about): NAME of SCIARA_NAME; what --format calls it; the formats that
 * it needs; a function of run/output_export.c that refuses cases which it cannot show, or
 * NULL; help. */
#define OUTPUT_FORMAT_LIST(X)                                                                      \
    X(GEOTIFF, "geotiff", 0, NULL, "layers for a GIS")                                             \
    X(PNG, "png", 0, NULL, "maps")                                                                 \
    X(ORIGINAL, "original", 0, output_original_check, "the text format of the published program")  \
    X(GEOJSON, "geojson", 0, export_check_degrees, "isochrones, at the end")                       \
    X(GEOPACKAGE, "gpkg", 0, export_check_geopackage, "isochrones, at the end")                    \
    X(KMZ, "kmz", SCIARA_GEOTIFF, export_check_degrees, "for Google Earth, at the end")            \
    X(QGIS, "qgis", SCIARA_GEOTIFF, NULL, "a project and styles, at the end")                      \
    X(NETCDF, "netcdf", SCIARA_GEOTIFF, export_check_netcdf, "all times in one file, at the end")  \
    X(SVG, "svg", 0, NULL, "maps with text as text")                                               \
    X(PDF, "pdf", 0, NULL, "maps with text as text")                                               \
    X(HTML, "html", SCIARA_GEOTIFF, NULL, "report.html for a browser, at the end")

#define OUTPUT_FORMAT_ENTRY(NAME, word, needs, check, about) OUTPUT_##NAME = SCIARA_##NAME,
#define OUTPUT_FORMAT_BIT(NAME, word, needs, check, about)   | SCIARA_##NAME
enum output_format {
    OUTPUT_FORMAT_LIST(OUTPUT_FORMAT_ENTRY) OUTPUT_FORMATS =
        0 OUTPUT_FORMAT_LIST(OUTPUT_FORMAT_BIT),
    OUTPUT_PICTURES = OUTPUT_PNG | OUTPUT_SVG | OUTPUT_PDF,
    OUTPUT_RECORDED =
        OUTPUT_PICTURES | OUTPUT_GEOTIFF, /* a record has what maps show, painted or not */
    OUTPUT_SNAPSHOTS = OUTPUT_GEOTIFF | OUTPUT_ORIGINAL | OUTPUT_PICTURES, /* of each snapshot */
    OUTPUT_EXPORTS =
        OUTPUT_FORMATS & ~OUTPUT_SNAPSHOTS & ~OUTPUT_HTML /* of a whole run, at the end */
};
