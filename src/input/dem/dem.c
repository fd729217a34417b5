/* dem.c — makes a terrain from any rasters of heights: opens the sources, and calls the other parts. */
#include "dem_parts.h"

#include "raster/raster_formats.h"
#include "sciara.h"
#include "text/archive.h"
#include "text/grow.h"
#include "text/textfile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Refuses an output that is a file of a source: the source itself, its archive, or a file that a VRT names. */
static int check_apart(const struct dem_source *s, const struct dem_request *q, struct error *e)
{
    struct file_stamp of;
    if (!file_stamp_of(&of, q->output)) return 0;
    for (int i = 0; i < s->file->source_count; i++) {
        const struct raster_source *one = &s->file->source[i];
        if (one->stamp.device != of.device || one->stamp.inode != of.inode) continue;
        return error_input(e, "%s: is a source%s%s; give the terrain another name", q->output,
                           i ? ", of " : "", i ? s->path : "");
    }
    return 0;
}

static int check_output(const struct dem_request *q, struct error *e)
{
    const char *name = path_name(q->output), *dot = strrchr(name, '.');
    struct stat there;
    if (dot && dot > name && !text_has_extension(name, ".tif") &&
        !text_has_extension(name, ".tiff"))
        return error_input(e, "%s: a terrain is a GeoTIFF; give a name that ends in .tif",
                           q->output);
    if (!*name || (!stat(q->output, &there) && S_ISDIR(there.st_mode)))
        return error_input(e, "%s: is a folder; name a file in it", q->output);
    if (access(q->output, F_OK)) return 0;
    if (q->replace) return textfile_check_regular(q->output, "a file", e);
    return error_input(e, "%s: exists; give another name, or option 'replace'", q->output);
}

/* The text names at most 20 sources, since a large terrain may have hundreds of tiles. */
char *dem_about(const struct dem *d)
{
    enum { NAMED = 20 };
    const struct dem_request *q = d->q;
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f) return NULL;
    fprintf(f, "sciara %s dem, %s, heights in metres of %d source%s:", SCIARA_VERSION, q->resample,
            q->source_count, q->source_count == 1 ? "" : "s");
    for (int i = 0; i < q->source_count && i < NAMED; i++) {
        const struct dem_source_said *s = &d->r->source[i];
        fprintf(f, "%s %s (%s; %s%s%s%s)", i ? "," : "", s->name, s->crs, s->unit,
                *s->vertical ? "; " : "", s->vertical, s->sea ? "; not there: sea" : "");
    }
    if (q->source_count > NAMED) fprintf(f, " and %d more", q->source_count - NAMED);
    if (q->vertical) fprintf(f, ", heights above EPSG:%d", q->vertical);
    if (q->from) fprintf(f, ", from %s", q->from);
    return text_of_stream(f, &text);
}

/* Lists the given paths. The rasters of an archive replace the path of the archive. */
static int list_sources(struct dem *d, struct dem_request *whole, struct error *e)
{
    for (int i = 0; i < whole->source_count; i++) {
        const char *path = whole->source[i];
        const int before = d->name_count;
        const int status =
            archive_is(path) ? archive_list(&d->name, &d->name_count, path, raster_entries, e) : 0;
        if (status) return status;
        char *own = d->name_count == before ? text_format("%s", path) : NULL;
        if (d->name_count == before && !(own && APPEND(d->name, d->name_count, own)))
            return error_memory(e);
    }
    whole->source = d->name;
    whole->source_count = d->name_count;
    return 0;
}

/* Returns the raster that only gives the grid; NULL: no raster is given, or it is also a source. */
static const char *like_of(const struct dem_request *q)
{
    for (int i = 0; q->like && i < q->source_count; i++)
        if (!strcmp(q->like, q->source[i])) return NULL;
    return q->like;
}

static int make_dem(struct dem *d, struct dem_request *whole, struct error *e)
{
    int status = check_output(d->q, e);
    if (!status) status = whole->from ? dem_tiles_open(d, whole, e) : list_sources(d, whole, e);
    if (status) return status;
    const int count = d->r->sources = whole->source_count;
    d->source = calloc((size_t)count, sizeof *d->source);
    d->r->source = calloc((size_t)count, sizeof *d->r->source);
    if (!d->source || !d->r->source) return error_memory(e);
    for (int i = 0; i < d->tile_count; i++) {
        d->source[i].file = d->tile[i].file;
        d->r->source[i].sea = d->tile[i].sea;
        d->tile[i].file = NULL;
    }
    for (int i = 0; i < count && !status; i++) {
        status = dem_source_open(&d->source[i], d->q->source[i], d->q, &d->r->source[i], e);
        if (!status) status = check_apart(&d->source[i], d->q, e);
    }
    const char *against = d->q->against ? d->q->against : like_of(d->q);
    const struct dem_request as_it_is = {.nodata = (double)NAN};
    if (!status && against) status = dem_source_open(&d->against, against, &as_it_is, NULL, e);
    if (!status) status = dem_settle(d, e);
    return status ? status : dem_write(d, e);
}

int dem_make(struct dem_result *r, const struct dem_request *q, struct error *e)
{
    struct dem_request whole = *q;
    struct dem d = {.q = &whole, .r = r, .context = projection_context()};
    *r = (struct dem_result){.shift_least_m = INFINITY, .shift_greatest_m = -INFINITY};
    int status = d.context ? make_dem(&d, &whole, e) : error_memory(e);
    for (int i = 0; d.source && i < r->sources; i++) dem_source_close(&d.source[i]);
    dem_source_close(&d.against);
    dem_tiles_close(&d);
    for (int i = 0; i < d.name_count; i++) free(d.name[i]);
    dem_check_free(&d.check);
    proj_destroy(d.vertical.way);
    proj_context_destroy(d.context);
    FREE_ALL(d.source, d.name, d.crs);
    if (status) dem_result_free(r);
    return status;
}

void dem_result_free(struct dem_result *r)
{
    RELEASE(r, r->source);
}
