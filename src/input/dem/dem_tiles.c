/* dem_tiles.c — opens tiles of 1 degree on a server, such as Cloud Optimized GeoTIFFs in a public bucket. GDAL reads
 * their headers, and later the blocks that the terrain needs. A tile that the server does not have (404) is sea. Any
 * other failure ends the command, so that a faulty server does not turn land into sea. */
#include "dem_parts.h"

#include "base/file_progress.h"
#include "raster/raster_formats.h"
#include "text/grow.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifdef SCIARA_WITH_GDAL
#include "raster/gdal_raster.h"

/* Tiles within this distance of the terrain, in degrees, are opened, since resampling needs cells around the
 * terrain. */
#define MARGIN 0.01

enum { TILES_MOST = 400 };

/* ---- addresses ------------------------------------------------------------------------------- */

static const char word_lat[] = "{lat}", word_lon[] = "{lon}";

static bool is_address(const char *from)
{
    const bool web = !strncasecmp(from, "http://", 7) || !strncasecmp(from, "https://", 8);
    for (const char *c = from; *c; c++)
        if (!isgraph((unsigned char)*c)) return false;
    return web && (text_has_extension(from, ".tif") || text_has_extension(from, ".tiff"));
}

static int check_request(const struct dem_request *q, struct error *e)
{
    if (!q->network)
        return error_input(e, "dem: tiles are read over the network; give option 'network', too");
    if (!is_address(q->from) || !strstr(q->from, word_lat) != !strstr(q->from, word_lon))
        return error_input(e, "dem: option 'from': give an address, http(s)://HOST/PATH.tif; for "
                              "tiles of one degree it has both {lat} and {lon} in it");
    if (strstr(q->from, word_lat) && !q->around && !q->extent && !q->like)
        return error_input(
            e, "dem: it is not known which tiles to read; give option 'around' LAT,LON");
    return 0;
}

/* Returns the address of the tile with this south-western corner; malloc'ed. */
static char *url_of(const char *from, int lat, int lon)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f) return NULL;
    while (*from)
        if (!strncmp(from, word_lat, strlen(word_lat))) {
            fprintf(f, "%c%02d", lat < 0 ? 'S' : 'N', abs(lat));
            from += strlen(word_lat);
        } else if (!strncmp(from, word_lon, strlen(word_lon))) {
            fprintf(f, "%c%03d", lon < 0 ? 'W' : 'E', abs(lon));
            from += strlen(word_lon);
        } else fputc(*from++, f);
    return text_of_stream(f, &text);
}

static int add_tile(struct dem *d, int lat, int lon, struct error *e)
{
    struct dem_tile new = {.url = url_of(d->q->from, lat, lon), .lat = lat, .lon = lon};
    if (new.url && APPEND(d->tile, d->tile_count, new)) return 0;
    free(new.url);
    return error_memory(e);
}

/* Lists tiles that the requested part may need. */
static int list_tiles(struct dem *d, struct error *e)
{
    if (!strstr(d->q->from, word_lat)) return add_tile(d, 0, 0, e);
    int status = dem_part_area(d, e);
    if (status) return status;
    const double *a = d->area, over = a[2] < a[0] ? 360 : 0;
    const int south = (int)fmax(-90, floor(a[1] - MARGIN)),
              north = (int)fmin(89, floor(a[3] + MARGIN)), west = (int)floor(a[0] - MARGIN),
              most = west + 359, last = (int)floor(a[2] + over + MARGIN),
              east = last < most ? last : most;
    if ((north - south + 1) * (east - west + 1) > TILES_MOST)
        return error_input(
            e,
            "dem: the part that is asked for lies on %d tiles, and at most %d are read; give a "
            "smaller part (option 'km')",
            (north - south + 1) * (east - west + 1), (int)TILES_MOST);
    for (int lat = south; lat <= north && !status; lat++)
        for (int lon = west; lon <= east && !status; lon++)
            status = add_tile(d, lat, (lon + 540) % 360 - 180, e);
    return status;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Refuses a tile that is not where its name says. The terrain would have a hole, or sea, there. */
static int check_place(const struct dem_tile *t, const struct dem *d, struct error *e)
{
    const double *g = t->file->gdal->transform, cell = fmax(fabs(g[1]), fabs(g[5]));
    const struct raster *head = raster_head(t->file);
    if (!strstr(d->q->from, word_lat)) return 0;
    const double off[4] = {g[0] - t->lon, g[3] - t->lat - 1, g[0] + head->cols * g[1] - t->lon - 1,
                           g[3] + head->rows * g[5] - t->lat};
    for (int k = 0; k < 4; k++)
        if (!(fabs(off[k]) <= 2 * cell))
            return error_input(e,
                               "%s: its south-western corner is not at latitude %d, longitude %d; "
                               "correct option 'from'",
                               t->url, t->lat, t->lon);
    return 0;
}

static int open_tile(struct dem_tile *t, const struct dem *d, struct error *e)
{
    FREED char *named = text_format("/vsicurl/%s", t->url);
    if (!named) return error_memory(e);
    if (file_progress_cancelled(d->q->progress)) return error_cancelled(e);
    const struct raster_name name = {t->url, named, true};
    const int status = raster_open_named(&t->file, &name, &t->sea, e);
    if (t->sea && strstr(d->q->from, word_lat)) return 0;
    return status ? status : check_place(t, d, e);
}

/* Returns the text of a VRT without sources: a tile with heights of 0, and with the size and CRS of `like`. */
static char *sea_text(const struct dem_tile *t, const struct dem_tile *like)
{
    const struct gdal_raster *of = like->file->gdal;
    const struct raster *head = raster_head(like->file);
    const double *g = of->transform;
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f) return NULL;
    fprintf(f, "<VRTDataset rasterXSize=\"%d\" rasterYSize=\"%d\"><SRS>", head->cols, head->rows);
    scan_put_xml(f, of->g.GDALGetProjectionRef(of->data), "&");
    fprintf(f, "</SRS><GeoTransform>%.17g,%.17g,0,%.17g,0,%.17g</GeoTransform>",
            g[0] + t->lon - like->lon, g[1], g[3] + t->lat - like->lat, g[5]);
    fputs("<VRTRasterBand dataType=\"Float32\" band=\"1\"/></VRTDataset>", f);
    return text_of_stream(f, &text);
}

static int open_sea(struct dem_tile *t, const struct dem_tile *like, struct error *e)
{
    bool absent;
    FREED char *text = sea_text(t, like);
    if (!text) return error_memory(e);
    const struct raster_name name = {t->url, text, false};
    const int status = raster_open_named(&t->file, &name, &absent, e);
    if (!status) t->file->gdal->g.network = true; /* so that it is read like the other tiles */
    return status;
}

static int sea_first(const void *a, const void *b)
{
    const struct dem_tile *s = a, *t = b;
    if (s->sea != t->sea) return t->sea - s->sea;
    return s->lat != t->lat ? s->lat - t->lat : s->lon - t->lon;
}

/* Finds an existing tile, at the same latitude if possible: near a pole tiles have fewer columns. */
static const struct dem_tile *find_like(const struct dem *d, const struct dem_tile *sea)
{
    const struct dem_tile *last = &d->tile[d->tile_count - 1], *t = last;
    while (t > d->tile && !t->sea && t->lat != sea->lat) t--;
    return t->sea || t->lat != sea->lat ? last : t;
}

static int open_all(struct dem *d, struct error *e)
{
    int status = 0;
    for (int i = 0; i < d->tile_count && !status; i++) status = open_tile(&d->tile[i], d, e);
    if (status) return status;
    qsort(d->tile, (size_t)d->tile_count, sizeof *d->tile, sea_first);
    const struct dem_tile *there = &d->tile[d->tile_count - 1];
    if (there->sea)
        return error_input(e,
                           "%s: the server has neither this tile nor any other of the part; if the "
                           "part is not sea, correct option 'from'",
                           there->url);
    for (int i = 0; d->tile[i].sea && !status; i++) {
        const struct dem_tile *like = find_like(d, &d->tile[i]);
        status = open_sea(&d->tile[i], like, e);
    }
    return status;
}

/* Returns the notice that the licence of Copernicus GLO-30 demands; NULL: the address is that of other data. */
static const char *notice_of(const char *from)
{
    return strstr(from, "Copernicus_DSM_COG_10_")
               ? "produced using Copernicus WorldDEM-30 © DLR e.V. 2010-2014 and © Airbus Defence "
                 "and Space GmbH 2014-2018 provided under COPERNICUS by the European Union and "
                 "ESA; all rights reserved"
               : NULL;
}

int dem_tiles_open(struct dem *d, struct dem_request *whole, struct error *e)
{
    int status = check_request(whole, e);
    if (!status) status = list_tiles(d, e);
    if (!status) status = open_all(d, e);
    if (status) return status;
    d->url = calloc((size_t)d->tile_count, sizeof *d->url);
    if (!d->url) return error_memory(e);
    for (int i = 0; i < d->tile_count; i++) d->url[i] = d->tile[i].url;
    whole->source = d->url;
    whole->source_count = d->tile_count;
    d->r->notice = notice_of(whole->from);
    return 0;
}
#else
int dem_tiles_open(struct dem *d, struct dem_request *whole, struct error *e)
{
    const struct raster_name name = {whole->from, whole->from, true};
    struct raster_file *none;
    bool absent;
    return raster_open_named(&none, &name, &absent, e);
}
#endif

void dem_tiles_close(struct dem *d)
{
    for (int i = 0; i < d->tile_count; i++) {
        raster_close(d->tile[i].file);
        free(d->tile[i].url);
    }
    FREE_ALL(d->tile, d->url);
}
