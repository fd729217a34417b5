#include "netcdf_write.h"

#ifdef SCIARA_NETCDF /* the name of the library: "libnetcdf.so.19" */

#include "base/loaded.h"

#include <netcdf.h>
#include <netcdf_mem.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS(each)                                                                                \
    each(nc_create_mem) each(nc_close_memio) each(nc_abort) each(nc_strerror) each(nc_def_dim)     \
        each(nc_def_var) each(nc_def_var_chunking) each(nc_def_var_deflate) each(nc_def_var_fill)  \
            each(nc_put_att_text) each(nc_put_att_double) each(nc_put_var_double)                  \
                each(nc_put_vara_float)

#define POINTER(name) __typeof__(name) *name;
struct netcdf {
    void *library;
    CALLS(POINTER)
    char name[256];
    int id;
    bool open;
    int bad; /* the first error of the library; 0: none */
};
#undef POINTER

enum { CHUNK = 128, LEVEL = 1 };

/* libnetcdf and HDF5 are for one thread at a time, and several runs may live in a process. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

const char *netcdf_version(void)
{
    return SCIARA_NETCDF;
}

static bool load(struct netcdf *n)
{
    n->library = loaded_open(SCIARA_NETCDF);
    bool all = n->library != NULL;
#define FIND(call) all = all && loaded_find(n->library, #call, &n->call);
    CALLS(FIND)
#undef FIND
    return all;
}

int netcdf_check(const char *name, struct error *e)
{
    void *library = loaded_open(SCIARA_NETCDF);
    if (!library)
        return error_input(e, "%s: NetCDF needs %s, which is not here; take geotiff", name,
                           SCIARA_NETCDF);
    dlclose(library);
    return 0;
}

static int failed(const struct netcdf *n, struct error *e)
{
    return error_failed(e, "%s: libnetcdf does not write it: %s", n->name, n->nc_strerror(n->bad));
}

/* Whether all has gone well so far; what is not in the file yet is not tried then. */
static bool good(const struct netcdf *n)
{
    return n->open && !n->bad;
}

static void note(struct netcdf *n, int result)
{
    if (!n->bad) n->bad = result;
}

int netcdf_open(struct netcdf **out, const char *name, struct error *e)
{
    struct netcdf *n = calloc(1, sizeof *n);
    *out = NULL;
    if (!n) return error_memory(e);
    snprintf(n->name, sizeof n->name, "%s", name);
    if (!load(n)) {
        free(n);
        return netcdf_check(name, e) ? ERROR_INPUT
                                     : error_input(e, "%s: this libnetcdf lacks a function", name);
    }
    pthread_mutex_lock(&one_at_a_time);
    /* (that name is no file: nothing is written there) */
    n->bad = n->nc_create_mem("sciara.nc", NC_NETCDF4, 1 << 20, &n->id);
    n->open = !n->bad;
    const int status = n->bad ? failed(n, e) : 0;
    if (status) netcdf_free(n);
    else *out = n;
    return status;
}

int netcdf_dimension(struct netcdf *n, const char *name, int size)
{
    int id = 0;
    if (good(n)) note(n, n->nc_def_dim(n->id, name, (size_t)size, &id));
    return id;
}

int netcdf_variable(struct netcdf *n, const char *name, enum netcdf_type type, int dimensions,
                    const int *dimension)
{
    int id = 0;
    const nc_type of = type == NETCDF_INT ? NC_INT : NC_DOUBLE;
    if (good(n)) note(n, n->nc_def_var(n->id, name, of, dimensions, dimension, &id));
    return id;
}

static size_t chunk_of(int size)
{
    return (size_t)(size < CHUNK ? size : CHUNK);
}

int netcdf_packed(struct netcdf *n, const char *name, int dimensions, const int *dimension,
                  int rows, int cols, float fill)
{
    const size_t chunk[3] = {1, chunk_of(rows), chunk_of(cols)};
    int id = 0;
    if (good(n)) note(n, n->nc_def_var(n->id, name, NC_FLOAT, dimensions, dimension, &id));
    if (good(n)) note(n, n->nc_def_var_chunking(n->id, id, NC_CHUNKED, chunk + 3 - dimensions));
    if (good(n)) note(n, n->nc_def_var_deflate(n->id, id, 1, 1, LEVEL));
    if (good(n)) note(n, n->nc_def_var_fill(n->id, id, 0, &fill));
    return id;
}

void netcdf_text(struct netcdf *n, int variable, const char *name, const char *text)
{
    const int at = variable < 0 ? NC_GLOBAL : variable;
    if (good(n) && *text) note(n, n->nc_put_att_text(n->id, at, name, strlen(text), text));
}

void netcdf_number(struct netcdf *n, int variable, const char *name, double value)
{
    if (good(n)) note(n, n->nc_put_att_double(n->id, variable, name, NC_DOUBLE, 1, &value));
}

void netcdf_doubles(struct netcdf *n, int variable, const double *value)
{
    if (good(n)) note(n, n->nc_put_var_double(n->id, variable, value));
}

/* One chunk, if it has any value: others are not stored. */
static void put_chunk(struct netcdf *n, const struct netcdf_slice *s, int row0, int col0)
{
    const int rows = s->rows - row0 < CHUNK ? s->rows - row0 : CHUNK,
              cols = s->cols - col0 < CHUNK ? s->cols - col0 : CHUNK;
    const size_t start[3] = {s->at < 0 ? 0 : (size_t)s->at, (size_t)row0, (size_t)col0},
                 count[3] = {1, (size_t)rows, (size_t)cols};
    const int first = s->at < 0;
    float chunk[CHUNK * CHUNK];
    bool any = false;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            const float x = s->value[(size_t)(row0 + row) * (size_t)s->cols + (size_t)(col0 + col)];
            chunk[row * cols + col] = x;
            any = any || x != s->fill;
        }
    if (any && good(n))
        note(n, n->nc_put_vara_float(n->id, s->variable, start + first, count + first, chunk));
}

void netcdf_put(struct netcdf *n, const struct netcdf_slice *s)
{
    for (int row = 0; row < s->rows; row += CHUNK)
        for (int col = 0; col < s->cols; col += CHUNK) put_chunk(n, s, row, col);
}

int netcdf_finish(struct netcdf *n, void **data, size_t *size, struct error *e)
{
    NC_memio memory = {0};
    if (!good(n)) return failed(n, e);
    n->bad = n->nc_close_memio(n->id, &memory);
    n->open = false;
    if (n->bad) return failed(n, e);
    *data = memory.memory;
    *size = memory.size;
    return 0;
}

void netcdf_free(struct netcdf *n)
{
    if (!n) return;
    if (n->open) n->nc_abort(n->id);
    pthread_mutex_unlock(&one_at_a_time);
    dlclose(n->library);
    free(n);
}

#endif
