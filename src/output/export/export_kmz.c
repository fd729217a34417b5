/* export_kmz.c — a run, and layers of many runs, as KMZ for globes. */
#include "export.h"

#include "record/colours.h"
#include "record/painters.h"
#include "record/zip_pack.h"
#include "text/times.h"

#include <ctype.h>
#include <math.h>
#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a layer as a picture in longitude and latitude, as globes lay it on the ground ---------- */

/* The pixels of a rectangle, rows from the north; each shows the cell in which its centre lies. */
struct overlay {
    int width, height;
    double west, south, east, north; /* degrees, of its edges */
    int32_t *cell;                   /* width * height indices of a layer; -1: outside */
};

/* What the documents of one run and of many share. */
struct kmz {
    const struct export_run *r;
    struct overlay overlay;
    struct zip_pack *zip;
    FILE *f; /* doc.kml */
    char *text;
    size_t size;
    bool lost; /* a position has no longitude and latitude */
};

/* ---- a layer as a coloured picture in degrees, for KMZ --------------------------------------- */

enum { PIXELS_MOST = 2048, OPACITY = 217 };

static void include(struct overlay_box *b, double x, double y)
{
    b->x0 = fmin(b->x0, x);
    b->y0 = fmin(b->y0, y);
    b->x1 = fmax(b->x1, x);
    b->y1 = fmax(b->y1, y);
}

static const struct overlay_box nothing = {INFINITY, INFINITY, -INFINITY, -INFINITY};

struct overlay_box overlay_around_lava(const struct export_run *r)
{
    struct overlay_box b = nothing;
    const int last = r->isochrones ? r->isochrones->count - 1 : -1;
    if (last < 0) return b;
    const struct isochrone_area *a = &r->isochrones->at[last].reached;
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < a->polygon[i].ring[0].count; k++)
            include(&b, a->polygon[i].ring[0].xy[k][0], a->polygon[i].ring[0].xy[k][1]);
    const double cell = r->geo.cell_m;
    return (struct overlay_box){b.x0 - cell, b.y0 - cell, b.x1 + cell, b.y1 + cell};
}

/* Its edges are curved in degrees. */
static bool to_degrees(struct overlay_box *to, const struct overlay_box *b,
                       const struct transform *transform)
{
    enum { PARTS = 16 };
    *to = nothing;
    for (int i = 0; i <= PARTS; i++) {
        const double x = b->x0 + (b->x1 - b->x0) * i / PARTS,
                     y = b->y0 + (b->y1 - b->y0) * i / PARTS;
        double edge[4][2] = {{x, b->y0}, {x, b->y1}, {b->x0, y}, {b->x1, y}};
        for (int k = 0; k < 4; k++) {
            if (!transform_back(transform, edge[k])) return false;
            include(to, edge[k][0], edge[k][1]);
        }
    }
    return true;
}

/* ---- which cell is where ---------------------------------------------------------------------
 *
 * A projection is nearly linear over a few pixels, so PROJ is asked at the corners of squares of
 * STRIDE pixels alone; in between, the two are within centimetres. */

enum { STRIDE = 16 };

static bool ask(double xy[2], const struct overlay *o, const struct transform *transform, int col,
                int row)
{
    const char *why;
    xy[0] = o->west + (o->east - o->west) * (col + 0.5) / o->width;
    xy[1] = o->north + (o->south - o->north) * (row + 0.5) / o->height;
    return transform_apply(transform, xy, &why);
}

static int32_t cell_at(const struct export_run *r, double x, double y)
{
    const double col = floor((x - r->geo.west_m) / r->geo.cell_m),
                 row = r->rows - 1 - floor((y - r->geo.south_m) / r->geo.cell_m);
    if (!(col >= 0 && row >= 0 && col < r->cols && row < r->rows)) return -1;
    return (int32_t)((int64_t)row * r->cols + (int64_t)col);
}

static bool fill_square(struct overlay *o, const struct export_run *r, int row0, int col0)
{
    double corner[4][2];
    for (int k = 0; k < 4; k++)
        if (!ask(corner[k], o, r->transform, col0 + (k & 1) * STRIDE, row0 + (k >> 1) * STRIDE))
            return false;
    for (int row = row0; row < o->height && row < row0 + STRIDE; row++)
        for (int col = col0; col < o->width && col < col0 + STRIDE; col++) {
            const double u = (double)(col - col0) / STRIDE, v = (double)(row - row0) / STRIDE;
            double xy[2];
            for (int k = 0; k < 2; k++)
                xy[k] = (1 - v) * ((1 - u) * corner[0][k] + u * corner[1][k]) +
                        v * ((1 - u) * corner[2][k] + u * corner[3][k]);
            o->cell[(size_t)row * (size_t)o->width + (size_t)col] = cell_at(r, xy[0], xy[1]);
        }
    return true;
}

/* Of those cells and a cell around them. */
static struct overlay_box around_cells(const struct export_run *r, struct window k)
{
    const struct georef *g = &r->geo;
    const double north = g->south_m + r->rows * g->cell_m;
    return (struct overlay_box){
        g->west_m + (k.col0 - 1) * g->cell_m, north - (k.row0 + k.rows + 1) * g->cell_m,
        g->west_m + (k.col0 + k.cols + 1) * g->cell_m, north - (k.row0 - 1) * g->cell_m};
}

/* all-zero is fine */
static void overlay_free(struct overlay *o)
{
    free(o->cell);
    *o = (struct overlay){0};
}

/* Around these cells; rows 0: around the lava of the isochrones, and *o has no pixels where there is
 * none. Two pixels for a cell, as far as 2,048 pixels go, which every globe can show. */
static int overlay_create(struct overlay *o, const struct export_run *r, struct window cells,
                          struct error *e)
{
    const struct overlay_box lava = cells.rows ? around_cells(r, cells) : overlay_around_lava(r);
    struct overlay_box degrees;
    *o = (struct overlay){0};
    if (!(lava.x0 < lava.x1)) return 0;
    bool known = to_degrees(&degrees, &lava, r->transform);
    const double width = 2 * (lava.x1 - lava.x0) / r->geo.cell_m,
                 height = 2 * (lava.y1 - lava.y0) / r->geo.cell_m,
                 shrink = fmin(1, PIXELS_MOST / fmax(width, height));
    *o = (struct overlay){.width = (int)ceil(width * shrink),
                          .height = (int)ceil(height * shrink),
                          .west = degrees.x0,
                          .south = degrees.y0,
                          .east = degrees.x1,
                          .north = degrees.y1};
    o->cell = malloc((size_t)o->width * (size_t)o->height * sizeof *o->cell);
    if (!o->cell) return error_memory(e);
    for (int row = 0; row < o->height && known; row += STRIDE)
        for (int col = 0; col < o->width && known; col += STRIDE)
            known = fill_square(o, r, row, col);
    if (known) return 0;
    overlay_free(o);
    return error_failed(e, "PROJ cannot transform the lava to longitude and latitude");
}

/* ---- the picture ----------------------------------------------------------------------------- */

/* The entry of a palette for a value; 0 is clear. */
static unsigned char index_of(const struct legend *c, double value)
{
    int i = 0;
    if (isnan(value)) return 0;
    if (!c->count) {
        const double t = c->high > c->low ? (value - c->low) / (c->high - c->low) : 0;
        return (unsigned char)(t < 1 ? 1 + (t > 0 ? (int)(t * 254 + 0.5) : 0) : 255);
    }
    if (!(value > 0)) return 0;
    while (i + 1 < c->count && value > c->class[i].upper) i++;
    return (unsigned char)(i + 1);
}

static struct rgb colour_of(const struct legend *c, int index)
{
    if (!c->count) return colours_at(c->scale, (index - 1) / 254.0);
    return index <= c->count ? c->class[index - 1].colour : (struct rgb){0, 0, 0};
}

/* A PNG of the values of cells, malloc'ed. */
static int overlay_png(const struct overlay *o, const struct legend *c, const float *value,
                       void **data, size_t *size, struct error *e)
{
    const size_t count = (size_t)o->width * (size_t)o->height;
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)o->width,
                       .height = (png_uint_32)o->height,
                       .format = PNG_FORMAT_RGBA_COLORMAP,
                       .flags = PNG_IMAGE_FLAG_FAST,
                       .colormap_entries = 256};
    unsigned char palette[256][4] = {{0}}, *pixel = malloc(count);
    char *bytes = NULL;
    FILE *stream = pixel ? open_memstream(&bytes, size) : NULL;
    bool done = stream != NULL;
    *data = NULL;
    if (done) {
        for (int i = 1; i < 256; i++) {
            const struct rgb p = colour_of(c, i);
            memcpy(palette[i], (const unsigned char[4]){p.r, p.g, p.b, OPACITY}, 4);
        }
        for (size_t i = 0; i < count; i++)
            pixel[i] = o->cell[i] < 0 ? 0 : index_of(c, (double)value[o->cell[i]]);
        done = png_image_write_to_stdio(&image, stream, 0, pixel, 0, palette);
        if (fclose(stream) != 0) done = false;
    }
    free(pixel);
    if (done) *data = bytes;
    else free(bytes);
    return done ? 0 : error_memory(e);
}

/* ---- the document ---------------------------------------------------------------------------- */

static void kml_name(const struct kmz *k, const char *before, const char *name)
{
    fprintf(k->f, "<name>%s", before);
    export_xml(k->f, name);
    fputs("</name>\n", k->f);
}

/* KML writes alpha, blue, green, red. */
static void kml_colour(const struct kmz *k, struct rgb c, int alpha)
{
    fprintf(k->f, "<color>%02x%02x%02x%02x</color>", alpha, c.b, c.g, c.r);
}

/* ---- the legend ------------------------------------------------------------------------------ */

/* A picture of the colours at the left edge of the screen. */
static int kml_legend(struct kmz *k, const char *picture, const char *title,
                      const struct legend *of, struct error *e)
{
    const struct legend_page page = {title, of};
    const struct scene scene = scene_of_legend(&page);
    const struct painters *painters = painters_load(e);
    char *data = NULL;
    size_t size = 0;
    int status = painters ? 0 : ERROR_FAILED;
    if (!status) status = painters->bytes(&data, &size, &scene, 96, e);
    if (!status) status = zip_pack_add(k->zip, picture, data, size, 0, e);
    if (status) return status;
    fprintf(k->f,
            "<ScreenOverlay><name>Legend</name><Icon><href>%s</href></Icon><overlayXY x=\"0\" "
            "y=\"0.5\" xunits=\"fraction\" yunits=\"fraction\"/><screenXY x=\"0.01\" y=\"0.5\" "
            "xunits=\"fraction\" yunits=\"fraction\"/><size x=\"0\" y=\"0\" xunits=\"pixels\" "
            "yunits=\"pixels\"/></ScreenOverlay>\n",
            picture);
    return 0;
}

/* ---- parts of the document ------------------------------------------------------------------- */

static void kml_styles(const struct kmz *k)
{
    /* (without a picture of their own vents have the globe's pin: nothing comes from a network) */
    fputs("<Style id=\"outline\"><LineStyle>", k->f);
    kml_colour(k, colours_outline, 0xff);
    fputs("<width>5</width><gx:outerColor>ffffffff</gx:outerColor><gx:outerWidth>0.5</"
          "gx:outerWidth></LineStyle><PolyStyle><fill>0</fill></PolyStyle></Style>\n"
          "<Style "
          "id=\"vent\"><IconStyle><color>ff2020e0</color><scale>0.8</scale></IconStyle></Style>\n",
          k->f);
}

/* The head of the document as far as into its description. */
static void kml_begin(const struct kmz *k)
{
    const struct export_run *r = k->r;
    fprintf(k->f,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- %s %s -->\n"
            "<kml xmlns=\"http://www.opengis.net/kml/2.2\" "
            "xmlns:gx=\"http://www.google.com/kml/ext/2.2\">\n<Document>\n",
            EXPORT_MARK, r->version);
    kml_name(k, "", r->c->title);
    fprintf(k->f, "<open>1</open>\n<description>Computed by sciara %s; digest %016llx. ",
            r->version, (unsigned long long)r->digest);
    if (*r->c->terrain_source) {
        fputs("Terrain: ", k->f);
        export_html(k->f, r->c->terrain_source);
        putc('.', k->f);
    }
}

/* a file of the archive */
static void kml_end_overlay(const struct kmz *k, const char *picture)
{
    fprintf(k->f,
            "<Icon><href>%s</href></Icon><LatLonBox><north>%.9f</north><south>%.9f</"
            "south><east>%.9f</east><west>%.9f</west></LatLonBox></GroundOverlay>\n",
            picture, k->overlay.north, k->overlay.south, k->overlay.east, k->overlay.west);
}

static void put_position(struct kmz *k, const double xy[2], char after)
{
    double there[2] = {xy[0], xy[1]};
    if (!transform_back(k->r->transform, there)) k->lost = true;
    fprintf(k->f, "%.7f,%.7f,0%c", there[0], there[1], after);
}

/* The rest of the place of a vent, in the middle of its cell. */
static void kml_vent(struct kmz *k, const struct georef *geo, int rows, int row, int col)
{
    const double xy[2] = {geo->west_m + (col + 0.5) * geo->cell_m,
                          geo->south_m + (rows - row - 0.5) * geo->cell_m};
    fputs("<styleUrl>#vent</styleUrl><Point><coordinates>", k->f);
    put_position(k, xy, ' ');
    fputs("</coordinates></Point></Placemark>\n", k->f);
}

static void kml_area(struct kmz *k, const struct isochrone_area *a)
{
    fputs("<MultiGeometry>", k->f);
    for (int i = 0; i < a->count; i++) {
        const struct isochrone_polygon *p = &a->polygon[i];
        fputs("<Polygon><tessellate>1</tessellate>", k->f);
        for (int j = 0; j < p->count; j++) {
            const char *which = j ? "inner" : "outer";
            fprintf(k->f, "<%sBoundaryIs><LinearRing><coordinates>", which);
            for (int n = 0; n <= p->ring[j].count; n++)
                put_position(k, p->ring[j].xy[n % p->ring[j].count], ' ');
            fprintf(k->f, "</coordinates></LinearRing></%sBoundaryIs>", which);
        }
        fputs("</Polygon>\n", k->f);
    }
    fputs("</MultiGeometry>", k->f);
}

static int kml_outline(struct kmz *k, struct error *e)
{
    struct isochrones outline;
    int status = k->r->outline ? export_outline_area(&outline, k->r, e) : 0;
    if (status || !k->r->outline) return status;
    if (outline.count) {
        fputs("<Placemark><name>Observed outline</name><styleUrl>#outline</styleUrl>\n", k->f);
        kml_area(k, &outline.at[0].reached);
        fputs("</Placemark>\n", k->f);
    }
    isochrones_free(&outline);
    return 0;
}

/* Obliquely from the south, from where all of the lava can be seen. */
static void kml_view(struct kmz *k)
{
    const struct overlay *o = &k->overlay;
    const struct export_run *r = k->r;
    double middle[2] = {r->geo.west_m + r->cols * r->geo.cell_m / 2,
                        r->geo.south_m + r->rows * r->geo.cell_m / 2};
    double size_m = fmax(r->rows, r->cols) * r->geo.cell_m;
    if (!transform_back(k->r->transform, middle)) k->lost = true;
    if (o->width) {
        middle[0] = (o->west + o->east) / 2;
        middle[1] = (o->south + o->north) / 2;
        size_m = fmax((o->north - o->south) * 111320,
                      (o->east - o->west) * 111320 * cos(middle[1] * acos(-1.0) / 180));
    }
    fprintf(k->f,
            "<LookAt><longitude>%.7f</longitude><latitude>%.7f</latitude><altitude>0</"
            "altitude><heading>0</heading><tilt>45</tilt><range>%.0f</"
            "range><altitudeMode>relativeToGround</altitudeMode></LookAt>\n",
            middle[0], middle[1], 2 * size_m + 500);
}

/* ---- the archive ----------------------------------------------------------------------------- */

/* cells: of overlays. kmz_free() also after an error. */
static int kmz_open(struct kmz *k, const struct export_run *r, struct window cells, struct error *e)
{
    *k = (struct kmz){.r = r};
    int status = overlay_create(&k->overlay, r, cells, e);
    if (!status) status = zip_pack_open(&k->zip, e);
    if (status) return status;
    k->f = open_memstream(&k->text, &k->size);
    return k->f ? 0 : error_memory(e);
}

static int kmz_finish(struct kmz *k, const char *path, struct error *e)
{
    char comment[128];
    fputs("</Document>\n</kml>\n", k->f);
    const bool whole = fclose(k->f) == 0;
    k->f = NULL;
    if (!whole) return error_memory(e);
    if (k->lost)
        return error_failed(e, "PROJ cannot transform a position to longitude and latitude");
    int status = zip_pack_add(k->zip, "doc.kml", k->text, k->size, 9, e);
    k->text = NULL; /* the archive's */
    snprintf(comment, sizeof comment, "%s %.80s", EXPORT_MARK, k->r->version);
    return status ? status : zip_pack_write(k->zip, path, comment, e);
}

/* The document ends, and the archive is written. */
static void kmz_free(struct kmz *k)
{
    if (k->f) fclose(k->f);
    free(k->text);
    zip_pack_free(k->zip);
    overlay_free(&k->overlay);
}

static int kmz_add_overlay(struct kmz *k, const char *file, const struct legend *colours,
                           const float *value, struct error *e)
{
    void *data = NULL;
    size_t size = 0;
    int status = overlay_png(&k->overlay, colours, value, &data, &size, e);
    return status ? status : zip_pack_add(k->zip, file, data, size, 0, e);
}

/* ---- a KMZ for globes: thickness over time, bands of arrival, vents, the outline ------------- */

/* A slider over time needs dates. Without start_time the eruption begins on this day, and the
 * description has a sentence about it. */
#define STAND_IN "2000-01-01T00:00:00Z"

static void put_moment(const struct kmz *k, const char *tag, double time_s)
{
    const char *start = *k->r->c->start_time ? k->r->c->start_time : STAND_IN;
    char date[TIMES_TEXT];
    fprintf(k->f, "<%s>%s</%s>", tag, times_date(date, start, time_s, TIMES_ISO), tag);
}

/* To the end of time where `until_s` is not above. */
static void put_span(const struct kmz *k, double from_s, double until_s)
{
    fputs("<TimeSpan>", k->f);
    put_moment(k, "begin", from_s);
    if (until_s > from_s) put_moment(k, "end", until_s);
    fputs("</TimeSpan>\n", k->f);
}

static char *after_text(char out[80], const struct kmz *k, double time_s)
{
    char span[32], date[TIMES_TEXT];
    times_date(date, k->r->c->start_time, time_s, TIMES_SAID);
    isochrones_time_text(span, time_s / 3600);
    snprintf(out, 80, "%s%s%s%s", span, *date ? " (" : "", date, *date ? ")" : "");
    return out;
}

/* ---- colours --------------------------------------------------------------------------------- */

static void put_styles(const struct kmz *k)
{
    for (int i = 0; i < k->r->isochrones->count; i++) {
        fprintf(k->f, "<Style id=\"band%d\"><LineStyle><color>ff202020</color><width>1</width>",
                i + 1);
        fputs("</LineStyle><PolyStyle>", k->f);
        kml_colour(k, export_band_colour(k->r, i), 0xb0);
        fputs("</PolyStyle></Style>\n", k->f);
    }
    kml_styles(k);
}

/* ---- thickness over time --------------------------------------------------------------------- */

/* With the colours of the map, clear where lava is below the visual threshold of the case. */
static int add_picture(struct kmz *k, const struct legend *lava, int64_t step, char name[64],
                       struct error *e)
{
    const struct export_run *r = k->r;
    FREED float *value = NULL;
    snprintf(name, 64, "files/thickness_%06lld.png", (long long)step);
    const int status = export_layer(&value, r, "total_thickness_m", step, e);
    for (size_t i = 0; !status && i < (size_t)r->rows * (size_t)r->cols; i++)
        if (!case_shows(r->c, (double)value[i])) value[i] = NAN;
    return status ? status : kmz_add_overlay(k, name, lava, value, e);
}

static int put_pictures(struct kmz *k, const struct legend *lava, struct error *e)
{
    const struct export_run *r = k->r;
    int status = 0;
    fputs("<Folder><name>Thickness of the lava</name><visibility>1</visibility>\n", k->f);
    for (int i = 0; i < r->step_count && !status && k->overlay.width; i++) {
        const double from_s = export_time_s(r, r->step[i]);
        char name[64], after[80];
        status = add_picture(k, lava, r->step[i], name, e);
        fputs("<GroundOverlay>", k->f);
        kml_name(k, "Thickness after ", after_text(after, k, from_s));
        put_span(k, from_s, i + 1 < r->step_count ? export_time_s(r, r->step[i + 1]) : 0);
        kml_end_overlay(k, name);
    }
    fputs("</Folder>\n", k->f);
    return status;
}

/* ---- polygons -------------------------------------------------------------------------------- */

static void put_bands(struct kmz *k)
{
    fputs("<Folder><name>Time of arrival</name><visibility>0</visibility>\n", k->f);
    for (int i = 0; i < k->r->isochrones->count; i++) {
        const struct isochrone *at = &k->r->isochrones->at[i];
        const double time_s = at->time_h * 3600;
        char after[80];
        if (!at->band.count) continue;
        fputs("<Placemark>", k->f);
        kml_name(k, "Lava by ", after_text(after, k, time_s));
        fputs("<visibility>0</visibility>\n", k->f);
        put_span(k, time_s, 0);
        fprintf(k->f, "<styleUrl>#band%d</styleUrl>\n", i + 1);
        kml_area(k, &at->band);
        fputs("</Placemark>\n", k->f);
    }
    fputs("</Folder>\n", k->f);
}

/* ---- vents ----------------------------------------------------------------------------------- */

/* The cell of a vent nearest to the middle of all of it. */
static int middle_cell(const struct problem *p, int id, int *cells)
{
    double row = 0, col = 0, nearest = INFINITY;
    int best = 0;
    *cells = 0;
    for (int v = 0; v < p->vent_count; v++) {
        if (p->vents[v].id != id) continue;
        row += p->vents[v].row;
        col += p->vents[v].col;
        ++*cells;
    }
    for (int v = 0; v < p->vent_count; v++) {
        const double d = hypot(p->vents[v].row - row / *cells, p->vents[v].col - col / *cells);
        if (p->vents[v].id != id || d >= nearest) continue;
        nearest = d;
        best = v;
    }
    return best;
}

static void put_vents(struct kmz *k)
{
    const struct problem *p = &k->r->c->problem;
    const struct georef *geo = &k->r->c->geo;
    fputs("<Folder><name>Vents</name>\n", k->f);
    for (int v = 0; v < p->vent_count; v++) {
        if (!export_vent_is_first(p, v)) continue;
        int cells;
        const struct vent *vent = &p->vents[middle_cell(p, p->vents[v].id, &cells)];
        fprintf(k->f, "<Placemark><name>Vent %d</name>", vent->id);
        if (cells > 1) fprintf(k->f, "<description>%d cells</description>", cells);
        kml_vent(k, geo, p->rows, vent->row, vent->col);
    }
    fputs("</Folder>\n", k->f);
}

/* ---- the document ---------------------------------------------------------------------------- */

static int put_document(struct kmz *k, struct error *e)
{
    const struct export_run *r = k->r;
    kml_begin(k);
    if (!*r->c->start_time)
        fputs(" The eruption has no date; the clock begins on 2000-01-01 instead.", k->f);
    fputs("</description>\n", k->f);
    kml_view(k);
    put_styles(k);
    fputs("<Folder><name>Lava</name><open>1</open><Style><ListStyle><listItemType>radioFolder</"
          "listItemType></ListStyle></Style>\n",
          k->f);
    const struct legend lava = {.scale = &r->scale[COLOURS_LAVA],
                                .low = r->scale_low_m,
                                .high = r->scale_high_m,
                                .unit = "m"};
    int status = put_pictures(k, &lava, e);
    put_bands(k);
    fputs("</Folder>\n", k->f);
    if (!status) status = kml_outline(k, e);
    put_vents(k);
    if (!status) status = kml_legend(k, "files/legend.png", "Thickness of the lava", &lava, e);
    return status;
}

int export_kmz(const struct export_run *r, enum features unused, const char *path, struct error *e)
{
    FREED_BY(kmz_free) struct kmz k;
    int status = kmz_open(&k, r, (struct window){0}, e);
    if (!status) status = put_document(&k, e);
    return status ? status : kmz_finish(&k, path, e);
}

/* ---- layers of many runs, of which one is shown at a time, and the observed outline ---------- */

struct globe {
    struct export_run r;
    struct kmz k;
    int count; /* of layers so far */
    struct globe_vents vents;
};

static struct window find_lava(const struct export_run *r, const float *value)
{
    struct window w = {0};
    for (int row = 0; row < r->rows; row++)
        for (int col = 0; col < r->cols; col++)
            if (!isnan(value[(size_t)row * (size_t)r->cols + (size_t)col]))
                window_add(&w, row, col);
    return w;
}

static void put_globe_vents(struct globe *g)
{
    const struct globe_vents *v = &g->vents;
    if (!v->count) return;
    fputs("<Folder><name>Vents</name>\n", g->k.f);
    for (int i = 0; i < v->count; i++) {
        const int row = (int)(v->cell[i] / (uint32_t)g->r.cols),
                  col = (int)(v->cell[i] % (uint32_t)g->r.cols);
        fprintf(g->k.f, "<Placemark><name>%s</name>", v->name);
        kml_vent(&g->k, &g->r.geo, g->r.rows, row, col);
    }
    fputs("</Folder>\n", g->k.f);
}

static int begin(struct globe *g, const float *value, struct error *e)
{
    int status = kmz_open(&g->k, &g->r, find_lava(&g->r, value), e);
    if (status) return status;
    kml_begin(&g->k);
    fputs("</description>\n", g->k.f);
    kml_view(&g->k);
    kml_styles(&g->k);
    status = kml_outline(&g->k, e);
    put_globe_vents(g);
    fputs("<Folder><name>Many "
          "eruptions</name><open>1</open><Style><ListStyle><listItemType>radioFolder</"
          "listItemType></ListStyle></Style>\n",
          g->k.f);
    return status;
}

int globe_open(struct globe **out, const struct export_run *r, const struct globe_vents *vents,
               struct error *e)
{
    struct globe *g = *out = calloc(1, sizeof *g);
    if (!g) return error_memory(e);
    g->r = *r;
    g->vents = *vents;
    return 0;
}

int globe_add(struct globe *g, const char *name, const char *about, const struct legend *c,
              const float *value, struct error *e)
{
    char file[160], words[160];
    int status = g->count ? 0 : begin(g, value, e);
    if (status || !g->k.overlay.width) return status;
    snprintf(file, sizeof file, "files/%.120s.png", name);
    if ((status = kmz_add_overlay(&g->k, file, c, value, e))) return status;
    snprintf(words, sizeof words, "%s", about);
    *words = (char)toupper((unsigned char)*words);
    fputs("<Folder>", g->k.f);
    kml_name(&g->k, "", words);
    fprintf(g->k.f,
            "<visibility>%d</visibility>\n<Style><ListStyle><listItemType>checkHideChildren</"
            "listItemType></ListStyle></Style>\n<GroundOverlay><visibility>%d</visibility>\n",
            g->count == 0, g->count == 0);
    g->count++;
    kml_end_overlay(&g->k, file);
    snprintf(file, sizeof file, "legends/%.120s.png", name);
    status = kml_legend(&g->k, file, words, c, e);
    fputs("</Folder>\n", g->k.f);
    return status;
}

int globe_finish(struct globe *g, const char *path, struct error *e)
{
    if (!g->k.f) return error_failed(e, "%s: no layer is in it", path);
    fputs("</Folder>\n", g->k.f);
    return kmz_finish(&g->k, path, e);
}

void globe_free(struct globe *g)
{
    if (!g) return;
    kmz_free(&g->k);
    free(g);
}
