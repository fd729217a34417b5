/* absent.c — what the engine in a page is without: libraries for GeoTIFF, vector files, archives and projections. What a
 * file asks of them is refused as the program refuses it where a library lacks; GLib's characters are musl's, GSL's points a
 * table. */
#include "base/loops.h"
#include "members/library.h"
#include "random/sampling.h"
#include "raster/geotiff.h"
#include "raster/geotiff_crs.h"
#include "raster/geotiff_stack.h"
#include "raster/projection.h"
#include "raster/raster_formats.h"
#include "record/zip_pack.h"
#include "text/archive.h"
#include "text/textfile.h"
#include "vector/build.h"
#include "volcano/catalogue.h"
#include "volcano/opening.h"

#include <glib.h>
#include <gsl/gsl_qrng.h>
#include <math.h>
#include <proj_experimental.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>
#include <wctype.h>
#include <zlib.h>

/* ---- the system: a team of one ----------------------------------------------------------------- */

int omp_get_thread_num(void)
{
    return 0;
}
int omp_get_num_threads(void)
{
    return 1;
}
bool loops_start_thread(pthread_t *thread, const pthread_attr_t *attributes,
                        void *(*function)(void *), void *argument)
{
    return false;
}
void loops_limit(int most) {}
int loops_threads(void)
{
    return 1;
}
struct loops loops_begin(int most, size_t cells)
{
    return (struct loops){.threads = 1};
}
void loops_end(const struct loops *before) {}
void jobs_run(int count, void (*job)(void *of, int i), void *of)
{
    for (int i = 0; i < count; i++) job(of, i);
}
int sched_getcpu(void)
{
    return 0;
}
ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    return getentropy(bytes, size) ? -1 : (ssize_t)size;
}

/* ---- zlib ------------------------------------------------------------------------------------ */

uLong crc32(uLong crc, const Bytef *bytes, uInt size)
{
    crc = ~crc & 0xffffffff;
    for (uInt i = 0; bytes && i < size; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    return ~crc & 0xffffffff;
}

/* ---- GSL: Sobol's points, of the directions that it gave where this was built ------------------ */

#include "sobol.h"

struct points {
    unsigned dimensions;
    uint32_t n, now[SOBOL_DIMENSIONS];
};
const gsl_qrng_type *gsl_qrng_sobol = NULL;
gsl_qrng *gsl_qrng_alloc(const gsl_qrng_type *type, unsigned dimensions)
{
    struct points *p = calloc(1, sizeof *p);
    if (p) p->dimensions = dimensions;
    return (gsl_qrng *)p;
}
void gsl_qrng_free(gsl_qrng *points)
{
    free(points);
}
/* The next one differs from the last by the direction of the lowest bit that becomes 1 in its number. */
int gsl_qrng_get(const gsl_qrng *points, double x[])
{
    struct points *p = (struct points *)points;
    const int k = __builtin_ctz(++p->n) % SOBOL_DIRECTIONS;
    for (unsigned d = 0; d < p->dimensions; d++)
        x[d] = (p->now[d] ^= sobol_direction[k][d]) * 0x1p-30;
    return 0;
}

/* ---- GLib ------------------------------------------------------------------------------------ */

#define SKIPS_16(n) n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n
static const gchar skips[256] = {SKIPS_16(1),
                                 SKIPS_16(1),
                                 SKIPS_16(1),
                                 SKIPS_16(1),
                                 SKIPS_16(1),
                                 SKIPS_16(1),
                                 SKIPS_16(1),
                                 SKIPS_16(1),
                                 SKIPS_16(1),
                                 SKIPS_16(1),
                                 SKIPS_16(1),
                                 SKIPS_16(1),
                                 SKIPS_16(2),
                                 SKIPS_16(2),
                                 SKIPS_16(3),
                                 4,
                                 4,
                                 4,
                                 4,
                                 4,
                                 4,
                                 4,
                                 4,
                                 1,
                                 1,
                                 1,
                                 1,
                                 1,
                                 1,
                                 1,
                                 1};
const gchar *const g_utf8_skip = skips;

/* (gunichar)-1: malformed. Of a text that ends with a 0. */
gunichar g_utf8_get_char_validated(const gchar *text, gssize most)
{
    static const gunichar least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *s = (const unsigned char *)text;
    const int length = skips[*s];
    if (*s < 0x80) return *s;
    if (length == 1) return (gunichar)-1;
    gunichar c = *s & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) return (gunichar)-1;
        c = c << 6 | (s[i] & 0x3f);
    }
    return c < least[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? (gunichar)-1 : c;
}
gunichar g_utf8_get_char(const gchar *text)
{
    return g_utf8_get_char_validated(text, -1);
}
gboolean g_unichar_isgraph(gunichar c)
{
    return iswgraph((wint_t)c) != 0;
}

/* ---- formats --------------------------------------------------------------------------------- */

#define NOT_HERE "cannot be read here; convert it to "

int geotiff_open(struct raster_file *f, size_t max_cells, struct error *e)
{
    return error_input(e, "%s: a GeoTIFF " NOT_HERE "an ESRI ASCII grid (.asc)", f->path);
}
int geotiff_stack_open(struct geotiff_stack_head *h, const char *path, struct error *e)
{
    return error_input(e, "%s: a state " NOT_HERE "a case that begins without it", path);
}
void geotiff_stack_close(struct geotiff_stack_head *h) {}
int geotiff_stack_read(const struct geotiff_stack_head *h, int band, double *out, struct error *e)
{
    return ERROR_INPUT;
}
int gdal_raster_open(struct raster_file *f, const char *const *drivers, size_t max_cells,
                     struct error *e)
{
    return error_input(e, "%s: its format " NOT_HERE "an ESRI ASCII grid (.asc)", f->path);
}
void gdal_raster_close(struct gdal_raster *d) {}
bool gdal_raster_has_mask(const struct gdal_raster *d)
{
    return false;
}
static int refuse_vectors(const struct build *b)
{
    return error_input(b->e, "%s: a vector file " NOT_HERE "CSV", b->path);
}
int ogr_read(struct build *b)
{
    return refuse_vectors(b);
}
int where_open(struct where **w, const char *sql, struct build *b)
{
    *w = NULL;
    return refuse_vectors(b);
}
int where_column(struct build *b, const char *name)
{
    return 0;
}
int where_prepare(struct build *b)
{
    return 0;
}
int where_refuse_all(struct build *b)
{
    return refuse_vectors(b);
}
void where_close(struct where *w) {}
void where_value(struct where *w, const char *name, const char *text) {}
int where_holds(struct build *b, bool *holds)
{
    *holds = true;
    return 0;
}
bool archive_is(const char *path)
{
    return false;
}
char *archive_file_of(const char *path)
{
    return text_format("%s", path);
}
int archive_find(char **entry, const char *path, const char *const *endings, const char *wanted,
                 struct error *e)
{
    *entry = NULL;
    return error_input(e, "%s: an archive cannot be read here; unpack it", path);
}
int archive_text(char **text, const char *path, const char *entry, struct error *e)
{
    return archive_find(text, path, NULL, NULL, e);
}
int archive_count(const char *path, const char *const *endings, const char *wanted)
{
    return 0;
}

/* ---- libraries of members ----------------------------------------------------------------------- */

int library_add(struct library *l, const struct contribution *one, int count, struct error *e)
{
    return 0;
}
int library_open(struct sqlite3 **db, char **plan, const char *path, struct error *e)
{
    return error_input(e, "%s: a library " NOT_HERE "a plan", path);
}
void library_shut(struct sqlite3 **db) {}

/* ---- past vents and catalogues of eruptions ------------------------------------------------------- */

int catalogue_read(struct catalogue *c, const struct catalogue_request *w, const char (*zone)[40],
                   int zones, struct error *e)
{
    return error_input(e, "%s: a catalogue " NOT_HERE "lists of members", w->path);
}
void catalogue_free(struct catalogue *c) {}
int opening_read(struct opening *o, const struct opening_request *w,
                 const struct vent_ground *ground, struct error *e)
{
    return error_input(e, "%s: " NOT_HERE "lists of members", w->vents ? w->vents : w->raster);
}
void opening_free(struct opening *o) {}
void opening_middle(const struct opening *o, size_t cell, double *x, double *y) {}
void opening_shares(double *share, const struct opening *o, double x, double y) {}

void geotiff_prepare(void) {}
void zip_pack_prepare(void) {}

/* ---- projections: a CRS is taken as declared ------------------------------------------------- */

bool geotiff_crs_projected(const struct crs *crs)
{
    return false;
}
bool geotiff_crs_web_mercator(const struct crs *crs)
{
    return crs->epsg == 3857;
}
int projection_read(struct crs *crs, struct vertical *vertical, const char *wkt, const char *name,
                    const char *path, struct error *e)
{
    return error_input(e, "%s: %s " NOT_HERE "a line `crs` of the case, and leave it out", path,
                       name);
}
bool projection_known(int epsg, char name[128], int *unit)
{
    return false;
}
double projection_unit(int epsg, char unit[64])
{
    return 0;
}
bool projection_scale(struct ground_scale *s, const struct georef *geo, int rows, int cols)
{
    return false;
}
void projection_from_geographic(const struct crs *crs, double xy[2]) {}
int projection_blame(int status, const char *name, struct error *e)
{
    return status;
}

/* PROJ knows that a code is one, and of which file it is not another's; no transformation. */
static PJ *const any_crs = (PJ *)skips;
PJ_CONTEXT *projection_context(void)
{
    return (PJ_CONTEXT *)skips;
}
PJ_CONTEXT *proj_context_destroy(PJ_CONTEXT *context)
{
    return NULL;
}
PJ *projection_to_degrees(PJ_CONTEXT *context, const PJ *crs)
{
    return NULL;
}
double proj_torad(double degrees)
{
    return degrees * 0x1.1df46a2529d39p-6;
}
PJ *projection_create(PJ_CONTEXT *context, const struct crs *crs)
{
    return crs->epsg ? any_crs : NULL;
}
PJ *proj_create(PJ_CONTEXT *context, const char *definition)
{
    return any_crs;
}
PJ *proj_create_from_wkt(PJ_CONTEXT *context, const char *wkt, const char *const *options,
                         PROJ_STRING_LIST *warnings, PROJ_STRING_LIST *errors)
{
    return NULL;
}
PJ *proj_create_crs_to_crs_from_pj(PJ_CONTEXT *context, const PJ *from, const PJ *to, PJ_AREA *area,
                                   const char *const *options)
{
    return NULL;
}
PJ *proj_crs_demote_to_2D(PJ_CONTEXT *context, const char *name, const PJ *crs)
{
    return NULL;
}
PJ *proj_crs_get_sub_crs(PJ_CONTEXT *context, const PJ *crs, int index)
{
    return NULL;
}
PJ *proj_get_source_crs(PJ_CONTEXT *context, const PJ *crs)
{
    return NULL;
}
PJ *projection_east_first(PJ_CONTEXT *context, PJ *given)
{
    return NULL;
}
PJ *proj_destroy(PJ *p)
{
    return NULL;
}
PJ_TYPE proj_get_type(const PJ *crs)
{
    return PJ_TYPE_UNKNOWN;
}
int proj_is_equivalent_to(const PJ *a, const PJ *b, PJ_COMPARISON_CRITERION by)
{
    return 0;
}
PJ_COORD proj_coord(double x, double y, double z, double t)
{
    return (PJ_COORD){.v = {x, y, z, t}};
}
PJ_COORD proj_trans(PJ *p, PJ_DIRECTION direction, PJ_COORD at)
{
    return (PJ_COORD){.v = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL}};
}
