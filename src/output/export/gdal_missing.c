/* gdal_missing.c — in place of gdal_write.c in a build without GDAL. */
#include "gdal_write.h"

#ifndef SCIARA_GDAL

int gdal_check(const char *name, struct error *e)
{
    return error_input(e,
                       "%s: a GeoPackage, which this program writes only if built with GDAL; "
                       "take geojson",
                       name);
}

int gdal_package_open(struct gdal_package **p, const char *name, const char *crs, const char *date,
                      struct error *e)
{
    (void)crs, (void)date;
    *p = NULL;
    return gdal_check(name, e);
}

int gdal_package_layer(struct gdal_package *p, const char *layer, const char *description, int kind,
                       struct error *e)
{
    (void)p, (void)description, (void)kind;
    return gdal_check(layer, e);
}

int gdal_package_column(struct gdal_package *p, const char *column, bool text, struct error *e)
{
    (void)p, (void)text;
    return gdal_check(column, e);
}

void gdal_package_real(struct gdal_package *p, int column, double value)
{
    (void)p, (void)column, (void)value;
}

void gdal_package_text(struct gdal_package *p, int column, const char *value)
{
    (void)p, (void)column, (void)value;
}

int gdal_package_feature(struct gdal_package *p, const unsigned char *wkb, size_t size,
                         struct error *e)
{
    (void)p, (void)wkb, (void)size;
    return gdal_check("GeoPackage", e);
}

int gdal_package_finish(struct gdal_package *p, unsigned char **data, size_t *size, struct error *e)
{
    (void)p;
    *data = NULL;
    *size = 0;
    return gdal_check("GeoPackage", e);
}

void gdal_package_free(struct gdal_package *p)
{
    (void)p;
}

#endif
