/* export_kmz.c — a KMZ for globes: thickness over time, bands of arrival, vents, the outline. */
#include "export_parts.h"
#include "overlay.h"
#include "zip_pack.h"

#include "draw/colours.h"
#include "sim/vent.h"
#include "text/textfile.h"
#include "text/times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct kmz {
    const struct export_run *r;
    struct overlay overlay;
    struct zip_pack *zip;
    FILE *f; /* doc.kml */
    bool lost;
};

/* A slider over time needs dates. Without start_time the eruption begins on this day, and the
 * description says so. */
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

static void put_name(const struct kmz *k, const char *before, const char *name)
{
    fprintf(k->f, "<name>%s", before);
    export_xml(k->f, name);
    fputs("</name>\n", k->f);
}

static char *after_text(char out[80], const struct kmz *k, double time_s)
{
    char span[32], date[TIMES_TEXT];
    times_date(date, k->r->c->start_time, time_s, TIMES_SAID);
    isochrones_time_text(span, time_s / 3600);
    snprintf(out, 80, "%s%s%s%s", span, *date ? " (" : "", date, *date ? ")" : "");
    return out;
}

/* ---- colours -------------------------------------------------------------------------------- */

/* KML writes alpha, blue, green, red. */
static void put_colour(const struct kmz *k, struct rgb c, int alpha)
{
    fprintf(k->f, "<color>%02x%02x%02x%02x</color>", alpha, c.b, c.g, c.r);
}

static void put_styles(const struct kmz *k)
{
    for (int i = 0; i < k->r->isochrones->count; i++) {
        fprintf(k->f, "<Style id=\"band%d\"><LineStyle><color>ff202020</color><width>1</width>",
                i + 1);
        fputs("</LineStyle><PolyStyle>", k->f);
        put_colour(k, export_band_colour(k->r, i), 0xb0);
        fputs("</PolyStyle></Style>\n", k->f);
    }
    /* (without a picture of their own vents have the globe's pin: nothing comes from a network) */
    fputs("<Style id=\"outline\"><LineStyle><color>ffffd040</color><width>2</width></LineStyle>"
          "<PolyStyle><fill>0</fill></PolyStyle></Style>\n"
          "<Style id=\"vent\"><IconStyle><color>ff2020e0</color><scale>0.8</scale></IconStyle>"
          "</Style>\n",
          k->f);
}

static void put_legend(const struct kmz *k)
{
    enum { PARTS = 5 };
    const double low = k->r->scale_low_m;
    fputs("&lt;p&gt;Thickness of the lava in m:&lt;/p&gt;&lt;table&gt;", k->f);
    for (int i = PARTS; i >= 0; i--) {
        const struct rgb c = colours_at(k->r->lava, (double)i / PARTS);
        fprintf(k->f,
                "&lt;tr&gt;&lt;td bgcolor=\"#%02x%02x%02x\" width=\"40\"&gt;&#160;&lt;/td&gt;"
                "&lt;td&gt;%.3g&lt;/td&gt;&lt;/tr&gt;",
                c.r, c.g, c.b, low + (k->r->scale_high_m - low) * i / PARTS);
    }
    fputs("&lt;/table&gt;", k->f);
}

/* ---- thickness over time -------------------------------------------------------------------- */

static int add_picture(struct kmz *k, int64_t step, char name[64], struct error *e)
{
    const struct export_run *r = k->r;
    float *value;
    void *data = NULL;
    size_t size = 0;
    int status = export_layer(&value, r, "total_thickness_m", step, e);
    if (!status) status = overlay_png(&k->overlay, r, value, &data, &size, e);
    free(value);
    snprintf(name, 64, "files/thickness_%06lld.png", (long long)step);
    return status ? status : zip_pack_add(k->zip, name, data, size, false, e);
}

static int put_pictures(struct kmz *k, struct error *e)
{
    const struct export_run *r = k->r;
    int status = 0;
    fputs("<Folder><name>Thickness of the lava</name><visibility>1</visibility>\n", k->f);
    for (int i = 0; i < r->step_count && !status && k->overlay.width; i++) {
        const double from_s = export_time_s(r, r->step[i]);
        char name[64], after[80];
        status = add_picture(k, r->step[i], name, e);
        fputs("<GroundOverlay>", k->f);
        put_name(k, "Thickness after ", after_text(after, k, from_s));
        put_span(k, from_s, i + 1 < r->step_count ? export_time_s(r, r->step[i + 1]) : 0);
        fprintf(k->f,
                "<Icon><href>%s</href></Icon><LatLonBox><north>%.9f</north><south>%.9f</south>"
                "<east>%.9f</east><west>%.9f</west></LatLonBox></GroundOverlay>\n",
                name, k->overlay.north, k->overlay.south, k->overlay.east, k->overlay.west);
    }
    fputs("</Folder>\n", k->f);
    return status;
}

/* ---- polygons ------------------------------------------------------------------------------- */

static void put_position(struct kmz *k, const double xy[2], char after)
{
    double there[2] = {xy[0], xy[1]};
    if (!way_back(k->r->way, there)) k->lost = true;
    fprintf(k->f, "%.7f,%.7f,0%c", there[0], there[1], after);
}

static void put_area(struct kmz *k, const struct isochrone_area *a)
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

static void put_bands(struct kmz *k)
{
    fputs("<Folder><name>Time of arrival</name><visibility>0</visibility>\n", k->f);
    for (int i = 0; i < k->r->isochrones->count; i++) {
        const struct isochrone *at = &k->r->isochrones->at[i];
        const double time_s = at->time_h * 3600;
        char after[80];
        if (!at->band.count) continue;
        fputs("<Placemark>", k->f);
        put_name(k, "Lava by ", after_text(after, k, time_s));
        fputs("<visibility>0</visibility>\n", k->f);
        put_span(k, time_s, 0);
        fprintf(k->f, "<styleUrl>#band%d</styleUrl>\n", i + 1);
        put_area(k, &at->band);
        fputs("</Placemark>\n", k->f);
    }
    fputs("</Folder>\n", k->f);
}

static int put_outline(struct kmz *k, struct error *e)
{
    struct isochrones outline;
    int status = k->r->outline ? export_outline_area(&outline, k->r, e) : 0;
    if (status || !k->r->outline) return status;
    if (outline.count) {
        fputs("<Placemark><name>Observed outline</name><styleUrl>#outline</styleUrl>\n", k->f);
        put_area(k, &outline.at[0].reached);
        fputs("</Placemark>\n", k->f);
    }
    isochrones_free(&outline);
    return 0;
}

/* ---- vents ---------------------------------------------------------------------------------- */

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
        const double xy[2] = {geo->west_m + (vent->col + 0.5) * geo->cell_m,
                              geo->south_m + (p->rows - vent->row - 0.5) * geo->cell_m};
        fprintf(k->f, "<Placemark><name>Vent %d</name>", vent->id);
        if (cells > 1) fprintf(k->f, "<description>%d cells</description>", cells);
        fputs("<styleUrl>#vent</styleUrl><Point><coordinates>", k->f);
        put_position(k, xy, ' ');
        fputs("</coordinates></Point></Placemark>\n", k->f);
    }
    fputs("</Folder>\n", k->f);
}

/* ---- the document --------------------------------------------------------------------------- */

/* Obliquely from the south, from where all of the lava can be seen. */
static void put_view(struct kmz *k)
{
    const struct overlay *o = &k->overlay;
    const struct export_run *r = k->r;
    double middle[2] = {r->geo.west_m + r->cols * r->geo.cell_m / 2,
                        r->geo.south_m + r->rows * r->geo.cell_m / 2};
    double size_m = fmax(r->rows, r->cols) * r->geo.cell_m;
    if (!way_back(k->r->way, middle)) k->lost = true;
    if (o->width) {
        middle[0] = (o->west + o->east) / 2;
        middle[1] = (o->south + o->north) / 2;
        size_m = fmax((o->north - o->south) * 111320,
                      (o->east - o->west) * 111320 * cos(middle[1] * acos(-1.0) / 180));
    }
    fprintf(k->f,
            "<LookAt><longitude>%.7f</longitude><latitude>%.7f</latitude><altitude>0</altitude>"
            "<heading>0</heading><tilt>45</tilt><range>%.0f</range>"
            "<altitudeMode>relativeToGround</altitudeMode></LookAt>\n",
            middle[0], middle[1], 2 * size_m + 500);
}

static int put_document(struct kmz *k, struct error *e)
{
    const struct export_run *r = k->r;
    fprintf(k->f,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- %s %s -->\n"
            "<kml xmlns=\"http://www.opengis.net/kml/2.2\">\n<Document>\n",
            EXPORT_MARK, r->version);
    put_name(k, "", r->c->title);
    fprintf(k->f, "<open>1</open>\n<description>Computed by sciara %s; digest %016llx. ",
            r->version, (unsigned long long)r->digest);
    if (*r->c->terrain_source) {
        fputs("Terrain: ", k->f);
        export_html(k->f, r->c->terrain_source);
        putc('.', k->f);
    }
    if (!*r->c->start_time)
        fputs(" The eruption has no date: the clock begins on 2000-01-01 in its place.", k->f);
    put_legend(k);
    fputs("</description>\n", k->f);
    put_view(k);
    put_styles(k);
    fputs("<Folder><name>Lava</name><open>1</open>"
          "<Style><ListStyle><listItemType>radioFolder</listItemType></ListStyle></Style>\n",
          k->f);
    int status = put_pictures(k, e);
    put_bands(k);
    fputs("</Folder>\n", k->f);
    if (!status) status = put_outline(k, e);
    put_vents(k);
    fputs("</Document>\n</kml>\n", k->f);
    if (!status && k->lost)
        status = error_failed(e, "PROJ finds no longitude and latitude for a position");
    return status;
}

static int make(struct kmz *k, const char *path, struct error *e)
{
    char comment[128], *text = NULL;
    size_t size = 0;
    int status = overlay_create(&k->overlay, k->r, e);
    if (!status) status = zip_pack_open(&k->zip, e);
    if (status) return status;
    k->f = open_memstream(&text, &size);
    if (!k->f) return error_failed(e, "%s: out of memory", path);
    status = put_document(k, e);
    if (fclose(k->f) != 0 && !status) status = error_failed(e, "%s: out of memory", path);
    if (status) free(text);
    else status = zip_pack_add(k->zip, "doc.kml", text, size, true, e);
    snprintf(comment, sizeof comment, "%s %.80s", EXPORT_MARK, k->r->version);
    return status ? status : zip_pack_write(k->zip, path, comment, e);
}

int export_kmz(const struct export_run *r, const char *path, struct error *e)
{
    struct kmz k = {.r = r};
    const int status = make(&k, path, e);
    zip_pack_free(k.zip);
    overlay_free(&k.overlay);
    return status;
}
