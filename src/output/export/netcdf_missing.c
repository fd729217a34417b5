/* netcdf_missing.c — in place of netcdf_write.c in a build without libnetcdf. */
#include "netcdf_write.h"

#ifndef SCIARA_NETCDF

int netcdf_check(const char *name, struct error *e)
{
    return error_input(e,
                       "%s: NetCDF, which this program writes only if built with libnetcdf; take "
                       "geotiff",
                       name);
}

const char *netcdf_version(void)
{
    return NULL;
}

int netcdf_open(struct netcdf **n, const char *name, struct error *e)
{
    *n = NULL;
    return netcdf_check(name, e);
}

int netcdf_dimension(struct netcdf *n, const char *name, int size)
{
    (void)n, (void)name, (void)size;
    return 0;
}

int netcdf_variable(struct netcdf *n, const char *name, enum netcdf_type type, int dimensions,
                    const int *dimension)
{
    (void)n, (void)name, (void)type, (void)dimensions, (void)dimension;
    return 0;
}

int netcdf_packed(struct netcdf *n, const char *name, int dimensions, const int *dimension,
                  int rows, int cols, float fill)
{
    (void)n, (void)name, (void)dimensions, (void)dimension, (void)rows, (void)cols, (void)fill;
    return 0;
}

void netcdf_text(struct netcdf *n, int variable, const char *name, const char *text)
{
    (void)n, (void)variable, (void)name, (void)text;
}

void netcdf_number(struct netcdf *n, int variable, const char *name, double value)
{
    (void)n, (void)variable, (void)name, (void)value;
}

void netcdf_doubles(struct netcdf *n, int variable, const double *value)
{
    (void)n, (void)variable, (void)value;
}

void netcdf_put(struct netcdf *n, const struct netcdf_slice *s)
{
    (void)n, (void)s;
}

int netcdf_finish(struct netcdf *n, void **data, size_t *size, struct error *e)
{
    (void)n;
    *data = NULL;
    *size = 0;
    return netcdf_check("NetCDF", e);
}

void netcdf_free(struct netcdf *n)
{
    (void)n;
}

#endif
