/* ogr_refuse.c — what to do where a file cannot be read with GDAL here. */
#include "ogr.h"

#include "text/textfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* flow.geojson beside flow.shp. */
static char *beside(const char *file)
{
    const char *slash = strrchr(file, '/'), *dot = strrchr(file, '.');
    const size_t stem =
        dot && dot > (slash ? slash + 1 : file) ? (size_t)(dot - file) : strlen(file);
    return text_format("%.*s.geojson", (int)stem, file);
}

int ogr_refuse(const struct build *b, enum vector_format format, const char *file,
               const char *layer, const char *why)
{
    static const char *const names[] = {[VECTOR_FORMAT_SHAPEFILE] = "a Shapefile",
                                        [VECTOR_FORMAT_GEOPACKAGE] = "a GeoPackage",
                                        [VECTOR_FORMAT_KML] = "KML"};
    char *made = beside(file), *to = made ? text_shell_word(made) : NULL,
         *from = text_shell_word(file), *which = text_shell_word(layer);
    int status = to && from && which
                     ? error_input(b->e,
                                   "%s: %s, %s name the GeoJSON that is made by: ogr2ogr -f "
                                   "GeoJSON%s%s %s %s%s%s",
                                   b->path, names[format], why, *b->target ? " -t_srs " : "",
                                   b->target, to, from, *layer ? " " : "", *layer ? which : "")
                     : error_memory(b->e);
    free(made);
    free(to);
    free(from);
    free(which);
    return status;
}
