/* kmz.c — writes a run, or layers of many runs, as KMZ for globes. */
#include "gis.h"
#include "template.h"

#include "map/map.h"
#include "record/json_number.h"
#include "record/map_background.h"
#include "record/zip_pack.h"
#include "text/textfile.h"
#include "text/times.h"
#include "vector/vectors.h"

#include <cJSON.h>
#include <math.h>
#include <png.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- a layer as a picture in longitude and latitude, as globes lay it on the ground ---------- */

enum { PIXELS_MOST = 2048, OPACITY = 217 };

/* A picture in longitude and latitude, rows from the north; each pixel shows the cell at the centre of the pixel. */
struct overlay {
    int width, height;   /* 0: there is nothing to show */
    struct gis_box edge; /* degrees */
    int32_t *cell;       /* for each pixel the index of a cell of the layer; -1: outside */
};

struct kmz {
    const struct layer_set *s;
    struct transform *transform; /* transform_back(): from the layers to longitude and latitude */
    struct overlay overlay;
    struct zip_pack *zip;
    struct cJSON *doc; /* the values for the template of doc.kml */
    bool lost;         /* some position had no longitude and latitude */
};

/* Transforms a box to degrees. Its edges become curves, so the new box encloses points along the edges, too. */
static bool to_degrees(struct gis_box *to, const struct gis_box *b,
                       const struct transform *transform)
{
    enum { PARTS = 16 };
    *to = gis_nowhere;
    for (int i = 0; i <= PARTS; i++) {
        const double x = b->x0 + (b->x1 - b->x0) * i / PARTS,
                     y = b->y0 + (b->y1 - b->y0) * i / PARTS;
        double edge[4][2] = {{x, b->y0}, {x, b->y1}, {b->x0, y}, {b->x1, y}};
        for (int k = 0; k < 4; k++) {
            if (!transform_back(transform, edge[k])) return false;
            gis_include(to, edge[k][0], edge[k][1]);
        }
    }
    return true;
}

/* ---- which cell is where ---------------------------------------------------------------------
 *
 * A projection is nearly linear over a few pixels, so PROJ transforms only the corners of squares of STRIDE pixels.
 * Positions between these corners are interpolated; they differ from PROJ's positions by centimetres. */

enum { STRIDE = 16 };

static bool ask_transform(double xy[2], const struct overlay *o, const struct transform *transform,
                          int col, int row)
{
    const char *why;
    xy[0] = o->edge.x0 + (o->edge.x1 - o->edge.x0) * (col + 0.5) / o->width;
    xy[1] = o->edge.y1 + (o->edge.y0 - o->edge.y1) * (row + 0.5) / o->height;
    return transform_apply(transform, xy, &why);
}

static int32_t cell_at(const struct layer_set *s, double x, double y)
{
    const double col = floor((x - s->geo.west_m) / s->geo.cell_m),
                 row = s->rows - 1 - floor((y - s->geo.south_m) / s->geo.cell_m);
    if (!(col >= 0 && row >= 0 && col < s->cols && row < s->rows)) return -1;
    return (int32_t)((int64_t)row * s->cols + (int64_t)col);
}

static bool fill_square(struct overlay *o, const struct kmz *k, int row0, int col0)
{
    double corner[4][2];
    for (int i = 0; i < 4; i++)
        if (!ask_transform(corner[i], o, k->transform, col0 + (i & 1) * STRIDE,
                           row0 + (i >> 1) * STRIDE))
            return false;
    for (int row = row0; row < o->height && row < row0 + STRIDE; row++)
        for (int col = col0; col < o->width && col < col0 + STRIDE; col++) {
            const double u = (double)(col - col0) / STRIDE, v = (double)(row - row0) / STRIDE;
            double xy[2];
            for (int i = 0; i < 2; i++)
                xy[i] = (1 - v) * ((1 - u) * corner[0][i] + u * corner[1][i]) +
                        v * ((1 - u) * corner[2][i] + u * corner[3][i]);
            o->cell[(size_t)row * (size_t)o->width + (size_t)col] = cell_at(k->s, xy[0], xy[1]);
        }
    return true;
}

/* Extends a box to all cells with a value, and a cell around them. */
static int around_values(struct gis_box *b, const struct layer_set *s,
                         const struct layer_quantity *of, struct error *e)
{
    FREED_BY(raster_free) struct raster r;
    const struct georef *g = &s->geo;
    const double north = g->south_m + s->rows * g->cell_m;
    const int status = layer_set_read(&r, s, of, s->times - 1, e);
    if (status) return status;
    for (int row = 0; row < r.rows; row++)
        for (int col = 0; col < r.cols; col++) {
            if (isnan(r.value[(size_t)row * (size_t)r.cols + (size_t)col])) continue;
            gis_include(b, g->west_m + (col - 1) * g->cell_m, north - (row + 2) * g->cell_m);
            gis_include(b, g->west_m + (col + 2) * g->cell_m, north - (row - 1) * g->cell_m);
        }
    return 0;
}

/* Plans two pixels for a cell, but at most 2,048 pixels on a side, which every globe can show. */
static int overlay_create(struct overlay *o, const struct kmz *k, const struct gis_box *lava,
                          struct error *e)
{
    if (!(lava->x0 < lava->x1)) return 0;
    bool known = to_degrees(&o->edge, lava, k->transform);
    const double width = 2 * (lava->x1 - lava->x0) / k->s->geo.cell_m,
                 height = 2 * (lava->y1 - lava->y0) / k->s->geo.cell_m,
                 shrink = fmin(1, PIXELS_MOST / fmax(width, height));
    o->width = (int)ceil(width * shrink);
    o->height = (int)ceil(height * shrink);
    o->cell = malloc((size_t)o->width * (size_t)o->height * sizeof *o->cell);
    if (!o->cell) return error_memory(e);
    for (int row = 0; row < o->height && known; row += STRIDE)
        for (int col = 0; col < o->width && known; col += STRIDE)
            known = fill_square(o, k, row, col);
    return known ? 0 : error_failed(e, "PROJ cannot transform the lava to longitude and latitude");
}

/* ---- the picture ----------------------------------------------------------------------------- */

/* The entry of a palette for a value; 0 is transparent. */
static unsigned char index_of(const struct legend *l, double value)
{
    int i = 0;
    if (isnan(value)) return 0;
    if (!l->count) {
        const double t = l->high > l->low ? (value - l->low) / (l->high - l->low) : 0;
        return (unsigned char)(t < 1 ? 1 + (t > 0 ? (int)(t * 254 + 0.5) : 0) : 255);
    }
    if (!(value > l->low)) return 0;
    while (i + 1 < l->count && value > l->classes[i].upper) i++;
    return (unsigned char)(i + 1);
}

static void fill_palette(unsigned char palette[256][4], const struct legend *l)
{
    struct colour_scale scale;
    colours_fill(&scale, l->colours);
    for (int i = 1; i < 256; i++) {
        const struct rgb c = !l->count       ? colours_at(&scale, (i - 1) / 254.0)
                             : i <= l->count ? l->classes[i - 1].rgb
                                             : (struct rgb){0, 0, 0};
        memcpy(palette[i], (const unsigned char[4]){c.r, c.g, c.b, OPACITY}, 4);
    }
}

/* Paints values of cells as a PNG, malloc'ed; NULL: out of memory. */
static char *paint_overlay(const struct overlay *o, const struct legend *l, const double *value,
                           size_t *size)
{
    const size_t count = (size_t)o->width * (size_t)o->height;
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)o->width,
                       .height = (png_uint_32)o->height,
                       .format = PNG_FORMAT_RGBA_COLORMAP,
                       .flags = PNG_IMAGE_FLAG_FAST,
                       .colormap_entries = 256};
    unsigned char palette[256][4] = {{0}};
    FREED unsigned char *pixel = malloc(count);
    char *bytes = NULL;
    FILE *stream = pixel ? open_memstream(&bytes, size) : NULL;
    if (!stream) return NULL;
    fill_palette(palette, l);
    for (size_t i = 0; i < count; i++)
        pixel[i] = o->cell[i] < 0 ? 0 : index_of(l, value[o->cell[i]]);
    const bool done = png_image_write_to_stdio(&image, stream, 0, pixel, 0, palette);
    if (fclose(stream) == 0 && done) return bytes;
    free(bytes);
    return NULL;
}

/* Adds an overlay. In a layer of LAYER_TIMES, lava that is too thin to be shown is transparent. */
static int add_overlay(struct kmz *k, const struct layer_quantity *of, int time, const char *file,
                       struct error *e)
{
    FREED_BY(raster_free) struct raster r;
    size_t size = 0;
    const int status = layer_set_read_shown(&r, k->s, of, time, e);
    if (status) return status;
    char *data = paint_overlay(&k->overlay, &of->legend, r.value, &size);
    return data ? zip_pack_add(k->zip, file, data, size, 0, e) : error_memory(e);
}

/* Adds a legend: a picture of the colours at the left edge of the screen. */
static int add_legend(struct kmz *k, cJSON *o, const char *file, const char *title,
                      const struct legend *of, struct error *e)
{
    char *data = NULL;
    size_t size = 0;
    const int status = map_legend(&data, &size, of, title, k->s->language, e);
    if (status) return status;
    json_add_texts(o, {"legend", file});
    return zip_pack_add(k->zip, file, data, size, 0, e);
}

/* ---- parts of the document ------------------------------------------------------------------- */

/* KML writes alpha, blue, green, red. */
static void set_colour(cJSON *o, const char *name, struct rgb c, int alpha)
{
    template_set(o, name, "%02x%02x%02x%02x", alpha, c.b, c.g, c.r);
}

/* A slider over time needs dates. For a run without start_time the slider begins on this day, and the description
 * mentions this. */
#define STAND_IN "2000-01-01T00:00:00Z"

static void set_moment(const struct kmz *k, cJSON *o, const char *name, double time_s)
{
    char date[TIMES_TEXT];
    times_date(date, k->s->start_time ? k->s->start_time : STAND_IN, time_s, TIMES_ISO);
    json_add_texts(o, {name, date});
}

static void put_position(struct kmz *k, FILE *f, const double xy[2])
{
    double there[2] = {xy[0], xy[1]};
    if (!transform_back(k->transform, there)) k->lost = true;
    fprintf(f, "%.7f,%.7f,0 ", there[0], there[1]);
}

static void set_line(struct kmz *k, cJSON *o, const char *name, const double (*xy)[2], int count,
                     bool closed)
{
    FREED char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (int i = 0; f && i < count + closed; i++) put_position(k, f, xy[i % count]);
    if (text_of_stream(f, &text)) json_add_texts(o, {name, text});
}

static void set_ring(struct kmz *k, cJSON *o, const char *name, const struct isochrone_path *p)
{
    set_line(k, o, name, (const double(*)[2])p->xy, p->count, true);
}

/* Adds a feature of the background. The first ring of an area is its edge, all other rings are holes. */
static void add_feature(struct kmz *k, cJSON *list, const struct background_feature *f)
{
    static const char *const lists[][2] = {[MAP_POINT] = {"points", "points"},
                                           [MAP_LINE] = {"lines", "lines"},
                                           [MAP_AREA] = {"outer", "holes"}};
    const struct map_place *t = &f->shape;
    const double(*xy)[2] = t->xy;
    cJSON *o = json_add_object(list);
    json_add_texts(o, {"name", t->label}, {"look", background_looks[f->kind].name});
    if (t->kind == MAP_AREA) o = cJSON_AddObjectToObject(o, "area");
    cJSON *first = cJSON_AddArrayToObject(o, lists[t->kind][0]),
          *more = t->kind == MAP_AREA ? cJSON_AddArrayToObject(o, lists[t->kind][1]) : first;
    for (int i = 0; i < t->parts; xy += t->part_size[i++])
        set_line(k, json_add_object(i ? more : first), "at", xy, t->part_size[i], false);
}

/* Adds the background as lines. Globes draw lines on top of pictures, so the background crosses the lava. Buildings are
 * omitted, because they would hide the lava. */
static void add_background(struct kmz *k)
{
    const struct map_background *b = k->s->background;
    if (!b) return;
    cJSON *looks = cJSON_AddArrayToObject(k->doc, "looks"),
          *list = cJSON_AddArrayToObject(cJSON_AddObjectToObject(k->doc, "background"), "features");
    for (int i = 0; i < BACKGROUND_KINDS; i++) {
        const struct background_look *look = &background_looks[i];
        cJSON *o = json_add_object(looks);
        json_add_texts(o, {"look", look->name}, {"fill", look->filled ? "1" : "0"});
        template_set(o, "width", "%.9g", look->casing > 0 ? look->width : fmax(1, look->width));
        set_colour(o, "colour", look->colour, 0xff);
    }
    for (int i = 0; i < b->count; i++)
        if (b->feature[i].shape.kind != MAP_POINT || *b->feature[i].shape.label)
            add_feature(k, list, &b->feature[i]);
}

static void add_area(struct kmz *k, cJSON *o, const struct isochrone_area *a)
{
    cJSON *list = cJSON_AddArrayToObject(o, "polygons");
    for (int i = 0; i < a->count; i++) {
        cJSON *polygon = json_add_object(list), *holes = cJSON_AddArrayToObject(polygon, "holes");
        set_ring(k, polygon, "outer", &a->polygon[i].ring[0]);
        for (int j = 1; j < a->polygon[i].count; j++)
            set_ring(k, json_add_object(holes), "inner", &a->polygon[i].ring[j]);
    }
}

static int add_outline(struct kmz *k, struct error *e)
{
    FREED_BY(isochrones_free) struct isochrones outline = {0};
    if (!k->s->outline) return 0;
    const int status = layer_set_outline(&outline, k->s, e);
    if (status) return status;
    if (outline.count)
        add_area(k, cJSON_AddObjectToObject(k->doc, "outline"), &outline.at[0].reached);
    return 0;
}

static void add_vents(struct kmz *k)
{
    const struct layer_set *s = k->s;
    const char *name = s->vents ? words_of(s->vent_name, s->language) : NULL;
    char text[WORDS_TEXT];
    cJSON *list =
        name ? cJSON_AddArrayToObject(cJSON_AddObjectToObject(k->doc, "vents"), "pins") : NULL;
    for (int i = 0; list && i < s->vents; i++) {
        const struct layer_vent *v = &s->vent[i];
        double there[2] = {v->x, v->y};
        cJSON *pin = json_add_object(list);
        template_set(pin, "name", v->id ? "%s %d" : "%s", name, v->id);
        if (v->cells > 1)
            json_add_texts(pin, {"cells", GIS_WORDS(s, words_pack(text, sizeof text,
                                                                  "%d {cell|cells}", v->cells))});
        if (!transform_back(k->transform, there)) k->lost = true;
        template_set(pin, "position", "%.7f,%.7f,0", there[0], there[1]);
    }
}

/* Sets the view: obliquely from the south, so far away that all of the lava is seen. */
static void set_view(struct kmz *k)
{
    const struct overlay *o = &k->overlay;
    const struct gis_box grid = gis_grid(k->s);
    double middle[2] = {(grid.x0 + grid.x1) / 2, (grid.y0 + grid.y1) / 2},
           size_m = fmax(grid.x1 - grid.x0, grid.y1 - grid.y0);
    if (!transform_back(k->transform, middle)) k->lost = true;
    if (o->width) {
        middle[0] = (o->edge.x0 + o->edge.x1) / 2;
        middle[1] = (o->edge.y0 + o->edge.y1) / 2;
        size_m = fmax((o->edge.y1 - o->edge.y0) * 111320,
                      (o->edge.x1 - o->edge.x0) * 111320 * cos(middle[1] * acos(-1.0) / 180));
    }
    template_set(k->doc, "longitude", "%.7f", middle[0]);
    template_set(k->doc, "latitude", "%.7f", middle[1]);
    template_set(k->doc, "range", "%.0f", 2 * size_m + 500);
    template_set(k->doc, "north", "%.9f", o->edge.y1); /* the box of all pictures */
    template_set(k->doc, "south", "%.9f", o->edge.y0);
    template_set(k->doc, "east", "%.9f", o->edge.x1);
    template_set(k->doc, "west", "%.9f", o->edge.x0);
}

static void set_about(struct kmz *k)
{
    const struct layer_set *s = k->s;
    char made[WORDS_TEXT], terrain[WORDS_TEXT] = "";
    words_pack(made, sizeof made, "Computed by %s; digest %s.", s->software, s->of);
    const bool packed = s->terrain && strpbrk(s->terrain, WORDS_NEXT);
    if (s->terrain)
        words_pack(terrain, sizeof terrain, "Terrain: %s",
                   packed ? GIS_WORDS(s, s->terrain) : s->terrain);
    template_set(k->doc, "about", "%s%s%s%s%s", GIS_WORDS(s, made), *terrain ? " " : "",
                 GIS_WORDS(s, terrain), *terrain ? ". " : " ",
                 s->start_time || !layer_set_is_run(s)
                     ? ""
                     : words_of("The eruption has no date; the clock begins on 2000-01-01 instead.",
                                s->language));
}

/* ---- layers and bands of arrival ------------------------------------------------------------- */

/* Adds the pictures of a layer, one for each of its times. A layer of LAYER_CHOICE has its own legend. */
static int add_layer(struct kmz *k, cJSON *o, const struct layer_quantity *of, struct error *e)
{
    const struct layer_set *s = k->s;
    const bool choice = of->use == LAYER_CHOICE;
    char title[WORDS_TEXT], name[WORDS_TEXT];
    cJSON *list = cJSON_AddArrayToObject(o, "pictures");
    int status = 0;
    words_fill(title, sizeof title, of->about, s->language);
    if (*title >= 'a' && *title <= 'z') *title = (char)(*title - 'a' + 'A');
    json_add_texts(o, {"layer", title});
    if (choice) template_flag(o, "alone");
    for (int i = 0; i < s->times && k->overlay.width && !status; i++) {
        FREED char *file = text_format("files/%s%s.png", of->name, s->time[i].stamp);
        status = file ? add_overlay(k, of, i, file, e) : error_memory(e);
        if (status) break;
        cJSON *picture = json_add_object(list);
        json_add_texts(picture, {"name", choice ? title : gis_name(name, s, of, i)},
                       {"picture", file});
        if (choice) continue;
        set_moment(k, picture, "from", s->time[i].time_s);
        if (i + 1 < s->times) set_moment(k, picture, "until", s->time[i + 1].time_s);
    }
    FREED char *file =
        choice ? text_format("legends/%s.png", of->name) : text_format("files/legend.png");
    if (!file) return error_memory(e);
    return status ? status : add_legend(k, o, file, title, &of->legend, e);
}

/* Adds the layers. A globe shows one of these layers at a time. */
static int add_layers(struct kmz *k, struct error *e)
{
    const struct layer_set *s = k->s;
    const bool run = layer_set_is_run(s);
    cJSON *list = cJSON_AddArrayToObject(k->doc, "layers");
    int status = 0;
    json_add_texts(k->doc, {"folder", run ? words_of("Lava", s->language)
                                          : words_of("Many eruptions", s->language)});
    for (int i = 0; i < s->kinds && !status; i++) {
        const enum layer_use use = s->kind[i].use;
        if (run ? use != LAYER_TIMES : use != LAYER_CHOICE || !k->overlay.width) continue;
        cJSON *o = json_add_object(list);
        template_set(o, "visible", "%d", list->child == o);
        status = add_layer(k, o, &s->kind[i], e);
    }
    return status;
}

static void add_bands(struct kmz *k)
{
    const struct layer_set *s = k->s;
    cJSON *list = cJSON_AddArrayToObject(k->doc, "bands");
    if (layer_set_is_run(s))
        json_add_texts(cJSON_AddObjectToObject(k->doc, "arrival"),
                       {"layer", GIS_WORDS(s, layer_set_find(s, LAYER_ARRIVAL)->about)});
    for (int i = 0; i < s->bands.lines.count; i++) {
        const struct isochrone *at = &s->bands.lines.at[i];
        cJSON *o = json_add_object(list);
        template_set(o, "band", "%d", i + 1);
        set_colour(o, "colour", s->bands.class[i].rgb, 0xb0);
        set_moment(k, o, "from", at->time_h * 3600);
        json_add_texts(o, {"name", GIS_WORDS(s, s->bands.label[i])});
        if (at->band.count) add_area(k, cJSON_AddObjectToObject(o, "there"), &at->band);
    }
}

/* ---- the archive ----------------------------------------------------------------------------- */

static int kmz_open(struct kmz *k, const char *path, struct error *e)
{
    const struct layer_set *s = k->s;
    const struct layer_quantity *first = layer_set_find(s, LAYER_CHOICE);
    int status =
        transform_degrees(&k->transform, &s->geo, s->rows, s->cols, path_name(path), "kmz", e);
    struct gis_box lava = layer_set_is_run(s) ? gis_lava(s) : gis_nowhere;
    if (!status && first) status = around_values(&lava, s, first, e);
    if (!status) status = overlay_create(&k->overlay, k, &lava, e);
    if (!status) status = zip_pack_open(&k->zip, e);
    k->doc = cJSON_CreateObject();
    return status || k->doc ? status : error_memory(e);
}

static void kmz_free(struct kmz *k)
{
    cJSON_Delete(k->doc);
    zip_pack_free(k->zip);
    free(k->overlay.cell);
    transform_close(k->transform);
}

int kmz_write(const char *path, const struct layer_set *s, struct error *e)
{
    const struct template t = {kml_text, kml_area_text, s->language};
    FREED_BY(kmz_free) struct kmz k = {.s = s};
    int status = kmz_open(&k, path, e);
    if (!status) status = add_outline(&k, e);
    if (!status) status = add_layers(&k, e);
    if (status) return status;
    set_colour(k.doc, "outline_colour", colours_outline, 0xff);
    set_about(&k);
    set_view(&k);
    add_background(&k);
    add_vents(&k);
    add_bands(&k);
    if (k.lost)
        return error_failed(e, "PROJ cannot transform a position to longitude and latitude");
    return gis_finish(k.zip, "doc.kml", &t, k.doc, path, s, e);
}
