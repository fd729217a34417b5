#include "netcdf_write.h"

#include "base/loaded.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libnetcdf.so.13 is NetCDF 4.6.2, the first with files in memory */
enum { OLDEST = 13, NEWEST = 40 };

/* Values and types of its binary interface */
enum { NC_INT = 4, NC_FLOAT = 5, NC_DOUBLE = 6, NC_CHUNKED = 0, NC_NETCDF4 = 0x1000 };
struct netcdf_memory {
    size_t size;
    void *memory;
    int flags;
};

/* clang-format off */
#define CALLS(each)                                                                                \
    each(int, nc_create_mem, (const char *name, int mode, size_t size, int *id))                   \
    each(int, nc_close_memio, (int id, struct netcdf_memory *memory))                              \
    each(int, nc_abort, (int id))                                                                  \
    each(const char *, nc_strerror, (int error))                                                   \
    each(int, nc_def_dim, (int id, const char *name, size_t size, int *dimension))                 \
    each(int, nc_def_var, (int id, const char *name, int type, int n, const int *dimensions,       \
                           int *variable))                                                         \
    each(int, nc_def_var_chunking, (int id, int variable, int storage, const size_t *chunk))       \
    each(int, nc_def_var_deflate, (int id, int variable, int shuffle, int deflate, int level))     \
    each(int, nc_def_var_fill, (int id, int variable, int none, const void *value))                \
    each(int, nc_put_att_text, (int id, int variable, const char *name, size_t n, const char *text))\
    each(int, nc_put_att_double, (int id, int variable, const char *name, int type, size_t n,      \
                                  const double *value))                                            \
    each(int, nc_put_var_double, (int id, int variable, const double *value))                      \
    each(int, nc_put_vara_float, (int id, int variable, const size_t *start, const size_t *count,  \
                                  const float *value))
/* clang-format on */

#define POINTER(type, name, parameters) type(*name) parameters;
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

static bool load(struct netcdf *n, char name[32])
{
    n->library = loaded_newest("libnetcdf", NEWEST, OLDEST, name);
    bool all = n->library != NULL;
#define FIND(type, call, parameters) all = all && loaded_find(n->library, #call, &n->call);
    CALLS(FIND)
#undef FIND
    return all;
}

bool netcdf_version(char out[32])
{
    struct netcdf n;
    return load(&n, out);
}

int netcdf_check(const char *name, struct error *e)
{
    char version[32];
    if (netcdf_version(version)) return 0;
    return error_input(
        e,
        "%s: NetCDF is written through libnetcdf, which is not installed; install it "
        "(Debian, Ubuntu: netcdf-bin) or choose geotiff",
        name);
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
    char version[32];
    *out = NULL;
    if (!n) return error_memory(e);
    snprintf(n->name, sizeof n->name, "%s", name);
    if (!load(n, version)) {
        free(n);
        return netcdf_check(name, e);
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
    const int of = type == NETCDF_INT ? NC_INT : NC_DOUBLE;
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
    const int at = variable < 0 ? NETCDF_GLOBAL : variable;
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
    struct netcdf_memory memory = {0};
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
    free(n);
}
