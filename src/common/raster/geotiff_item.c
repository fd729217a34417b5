#include "geotiff.h"

#include "gdal_metadata.h"
#include "tiff_io.h"

bool geotiff_item_read(const char *path, const char *name, char *out, size_t size)
{
    struct tiff_log log;
    char *text = NULL;
    TIFF *tif = tiff_open(path, TIFF_READ, &log);
    if (!tif) return false;
    const bool found = TIFFGetField(tif, TIFFTAG_GDAL_METADATA, &text) &&
                       gdal_metadata_find(text, name, NULL, out, size);
    TIFFClose(tif);
    return found;
}
