/* export_kmz.c — a KMZ for globes: thickness over time, bands of arrival, vents, the outline. */
#include "kml.h"

#include "draw/colours.h"
#include "sim/vent.h"
#include "text/times.h"

#include <math.h>
#include <stdlib.h>

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

static int add_picture(struct kmz *k, int64_t step, char name[64], struct error *e)
{
    const struct export_run *r = k->r;
    struct overlay_colours colours;
    float *value;
    void *data = NULL;
    size_t size = 0;
    overlay_lava(&colours, r);
    int status = export_layer(&value, r, "total_thickness_m", step, e);
    if (!status) status = overlay_png(&k->overlay, &colours, value, &data, &size, e);
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
        fputs("<styleUrl>#vent</styleUrl><Point><coordinates>", k->f);
        kml_cell(k, geo, p->rows, vent->row, vent->col);
        fputs("</coordinates></Point></Placemark>\n", k->f);
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
    const struct export_colours lava = {
        .scale = &r->scale[COLOURS_LAVA], .high = r->scale_high_m, .unit = "m"};
    int status = put_pictures(k, e);
    put_bands(k);
    fputs("</Folder>\n", k->f);
    if (!status) status = kml_outline(k, e);
    put_vents(k);
    if (!status)
        status =
            kml_legend(k, "files/legend.png", "Thickness of the lava", &lava, r->scale_low_m, e);
    return status;
}

int export_kmz(const struct export_run *r, enum features unused, const char *path, struct error *e)
{
    struct kmz k;
    (void)unused;
    int status = kmz_open(&k, r, NULL, e);
    if (!status) status = put_document(&k, e);
    if (!status) status = kmz_finish(&k, path, e);
    kmz_free(&k);
    return status;
}
