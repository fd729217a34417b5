/* netcdf_write.h — a file of NetCDF-4 in memory, through libnetcdf, the library of the
 * machine, which is loaded when it is asked for: sciara is built without it.
 *
 * From netcdf_open() to netcdf_free() other threads wait. The first error is kept and ends all that
 * follows; netcdf_finish() reports it. */
#ifndef SCIARA_EXPORT_NETCDF_WRITE_H
#define SCIARA_EXPORT_NETCDF_WRITE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct netcdf;

/* ERROR_INPUT where the library is not there. */
int netcdf_check(const char *name, struct error *e);
/* "libnetcdf.so.19": what is loaded; false: none. */
bool netcdf_version(char out[32]);

int netcdf_open(struct netcdf **n, const char *name, struct error *e);
int netcdf_dimension(struct netcdf *n, const char *name, int size);

enum netcdf_type { NETCDF_INT, NETCDF_DOUBLE };
int netcdf_variable(struct netcdf *n, const char *name, enum netcdf_type type, int dimensions,
                    const int *dimension);
/* Of floats, deflated in chunks; the last two dimensions are rows and cols. */
int netcdf_packed(struct netcdf *n, const char *name, int dimensions, const int *dimension,
                  int rows, int cols, float fill);

enum { NETCDF_GLOBAL = -1 };
void netcdf_text(struct netcdf *n, int variable, const char *name, const char *text); /* not "" */
void netcdf_number(struct netcdf *n, int variable, const char *name, double value);
void netcdf_doubles(struct netcdf *n, int variable, const double *value); /* all of it */

/* Rows and columns of a packed variable at an index of its first dimension; at < 0: it has none. */
struct netcdf_slice {
    int variable, at, rows, cols;
    float fill;
    const float *value;
};
void netcdf_put(struct netcdf *n, const struct netcdf_slice *s);

/* All bytes, malloc'ed. */
int netcdf_finish(struct netcdf *n, void **data, size_t *size, struct error *e);
void netcdf_free(struct netcdf *n); /* NULL is fine */

#endif
