/* ogr_missing.c — in place of ogr.c in a build without GDAL. */
#include "ogr.h"

#ifndef SCIARA_GDAL

const char *ogr_version(void)
{
    return NULL;
}

int ogr_read(struct build *b, enum vector_format format, const char *file, const char *layer)
{
    return ogr_refuse(b, format, file, layer, "which this program reads only if built with GDAL");
}

#endif
