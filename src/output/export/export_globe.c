/* export_globe.c — a KMZ of layers of many runs, of which one is shown at a time, and the observed
 * outline. */
#include "kml.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

struct globe {
    struct export_run r;
    struct kmz k;
    int count; /* of layers so far */
    struct globe_vents vents;
};

/* ---- colours --------------------------------------------------------------------------------- */

static unsigned char index_of(const void *of, double value)
{
    const struct export_colours *c = of;
    int i = 0;
    if (isnan(value)) return 0;
    if (!c->count) {
        const double t = c->high > 0 ? value / c->high : 0;
        return (unsigned char)(t < 1 ? 1 + (t > 0 ? (int)(t * 254 + 0.5) : 0) : 255);
    }
    if (!(value > 0)) return 0;
    while (i + 1 < c->count && value > c->class[i].upper) i++;
    return (unsigned char)(i + 1);
}

static void take_colours(struct overlay_colours *to, const struct export_colours *c)
{
    *to = (struct overlay_colours){.index = index_of, .of = c};
    for (int i = 1; i < 256; i++)
        to->colour[i] = !c->count       ? colours_at(c->scale, (i - 1) / 254.0)
                        : i <= c->count ? c->class[i - 1].colour
                                        : (struct rgb){0, 0, 0};
}

/* ---- the document ---------------------------------------------------------------------------- */

static bool find_lava(struct overlay_cells *x, const struct export_run *r, const float *value)
{
    *x = (struct overlay_cells){r->rows, r->cols, -1, -1};
    for (int row = 0; row < r->rows; row++)
        for (int col = 0; col < r->cols; col++) {
            if (isnan(value[(size_t)row * (size_t)r->cols + (size_t)col])) continue;
            if (row < x->row0) x->row0 = row;
            if (col < x->col0) x->col0 = col;
            if (row > x->row1) x->row1 = row;
            if (col > x->col1) x->col1 = col;
        }
    return x->row1 >= 0;
}

static void put_vents(struct globe *g)
{
    const struct globe_vents *v = &g->vents;
    if (!v->count) return;
    fputs("<Folder><name>Vents</name>\n", g->k.f);
    for (int i = 0; i < v->count; i++) {
        const int row = (int)(v->cell[i] / (uint32_t)g->r.cols),
                  col = (int)(v->cell[i] % (uint32_t)g->r.cols);
        fprintf(g->k.f, "<Placemark><name>%s</name><styleUrl>#vent</styleUrl><Point><coordinates>",
                v->name);
        kml_cell(&g->k, &g->r.geo, g->r.rows, row, col);
        fputs("</coordinates></Point></Placemark>\n", g->k.f);
    }
    fputs("</Folder>\n", g->k.f);
}

static int begin(struct globe *g, const float *value, struct error *e)
{
    struct overlay_cells cells;
    const bool lava = find_lava(&cells, &g->r, value);
    int status = kmz_open(&g->k, &g->r, lava ? &cells : NULL, e);
    if (status) return status;
    kml_begin(&g->k);
    fputs("</description>\n", g->k.f);
    kml_view(&g->k);
    kml_styles(&g->k);
    status = kml_outline(&g->k, e);
    put_vents(g);
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

int globe_add(struct globe *g, const char *name, const char *about, const struct export_colours *c,
              const float *value, struct error *e)
{
    struct overlay_colours colours;
    void *data = NULL;
    size_t size = 0;
    char file[160], words[160];
    int status = g->count ? 0 : begin(g, value, e);
    if (status || !g->k.overlay.width) return status;
    take_colours(&colours, c);
    snprintf(file, sizeof file, "files/%.120s.png", name);
    status = overlay_png(&g->k.overlay, &colours, value, &data, &size, e);
    if (!status) status = zip_pack_add(g->k.zip, file, data, size, false, e);
    if (status) return status;
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
    status = kml_legend(&g->k, file, words, c, 0, e);
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
