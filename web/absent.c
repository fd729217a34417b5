/* absent.c — what the engine in a page is without: libraries for GeoTIFF, vector files, archives and projections, and
 * threads. What a file asks of them is refused as the program refuses it where a library lacks; GLib's characters are
 * musl's. */
#include "base/loops.h"
#include "raster/geotiff_crs.h"
#include "raster/projection.h"
#include "raster/raster_formats.h"
#include "text/archive.h"
#include "text/textfile.h"
#include "vector/build.h"

#include <glib.h>
#include <math.h>
#include <proj_experimental.h>
#include <stdio.h>
#include <string.h>
#include <wctype.h>

/* ---- threads: a team of one ------------------------------------------------------------------ */

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
int sched_getcpu(void)
{
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

#define NOT_HERE "is not read here; convert it to "

int geotiff_open(struct raster_file *f, size_t max_cells, struct error *e)
{
    return error_input(e, "%s: a GeoTIFF " NOT_HERE "an ESRI ASCII grid (.asc)", f->path);
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
int geojson_read(struct build *b, const char *text)
{
    return refuse_vectors(b);
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
    return error_input(e, "%s: an archive is not read here; unpack it", path);
}
int archive_text(char **text, const char *path, const char *entry, struct error *e)
{
    return archive_find(text, path, NULL, NULL, e);
}
int archive_count(const char *path, const char *const *endings, const char *wanted)
{
    return 0;
}

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

/* PROJ knows no CRS. */
PJ_CONTEXT *projection_context(void)
{
    return (PJ_CONTEXT *)skips;
}
PJ_CONTEXT *proj_context_destroy(PJ_CONTEXT *context)
{
    return NULL;
}
PJ *projection_create(PJ_CONTEXT *context, const struct crs *crs)
{
    return NULL;
}
PJ *proj_create(PJ_CONTEXT *context, const char *definition)
{
    return NULL;
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
PJ *proj_normalize_for_visualization(PJ_CONTEXT *context, const PJ *transformation)
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
