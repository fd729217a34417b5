/* geotiff_mark.c — whether a GeoTIFF says who wrote it. */
#include "geotiff.h"

#include "gdal_info.h"
#include "tiff_io.h"

#include <string.h>

static bool is_marked(const char *xml, const char *path)
{
    struct gdal_info g;
    if (gdal_info_of_tag(&g, xml, path, NULL)) return false;
    const bool found = strncmp(g.software, "sciara ", strlen("sciara ")) == 0;
    gdal_info_free(&g);
    return found;
}

bool geotiff_is_ours(const char *path)
{
    struct tiff_log log;
    char *text = NULL;
    TIFF *tif = tiff_open(path, TIFF_READ, &log);
    if (!tif) return false;
    const bool found = TIFFGetField(tif, TIFFTAG_GDAL_METADATA, &text) && is_marked(text, path);
    TIFFClose(tif);
    return found;
}
