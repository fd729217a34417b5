#include "kml.h"

#include "draw/font.h"
#include "draw/png_file.h"
#include "draw/roundnum.h"

#include <math.h>
#include <stdlib.h>

void kml_name(const struct kmz *k, const char *before, const char *name)
{
    fprintf(k->f, "<name>%s", before);
    export_xml(k->f, name);
    fputs("</name>\n", k->f);
}

/* KML writes alpha, blue, green, red. */
void kml_colour(const struct kmz *k, struct rgb c, int alpha)
{
    fprintf(k->f, "<color>%02x%02x%02x%02x</color>", alpha, c.b, c.g, c.r);
}

/* ---- the legend ------------------------------------------------------------------------------ */

enum { LEGEND_WIDE = 340, LEGEND_ROW = 34, LEGEND_PARTS = 5, LEGEND_MARGIN = 18 };
static const struct font legend_title = {17, FONT_BOLD, 0, 0},
                         legend_text = {16, FONT_REGULAR, 0, 0};

/* Rows from the top: the last class, or the high end of the scale, first. Returns the y below. */
static double draw_legend(struct canvas *c, const char *title, const struct export_colours *of,
                          double low)
{
    static const struct rgb black = {25, 25, 28};
    const int rows = of->count ? of->count : LEGEND_PARTS + 1;
    const double x0 = LEGEND_MARGIN, x1 = x0 + 48;
    double y = LEGEND_MARGIN + 26 * font_paragraph(c, &legend_title, x0, LEGEND_MARGIN + 17,
                                                   LEGEND_WIDE - 2 * x0, 26, 3, black, title);
    char number[32], label[64];
    for (int i = rows - 1; i >= 0; i--, y += LEGEND_ROW) {
        const double share = (double)i / LEGEND_PARTS;
        const double v = low + (of->high - low) * share;
        if (of->count) snprintf(label, sizeof label, "%.60s", of->class[i].label);
        else snprintf(label, sizeof label, "%s %.20s", roundnum_brief(number, v), of->unit);
        canvas_rectangle(c, x0, y, x1, y + LEGEND_ROW - (of->count ? 8 : 0));
        canvas_ink(c, of->count ? of->class[i].colour : colours_at(of->scale, share), 1);
        font_write(c, &legend_text, x1 + 14, y + LEGEND_ROW / 2.0 + 8, black, label);
    }
    return y + LEGEND_MARGIN - 8;
}

int kml_legend(struct kmz *k, const char *picture, const char *title,
               const struct export_colours *of, double low, struct error *e)
{
    struct canvas c;
    size_t size = 0;
    int status = canvas_create(&c, picture, 0, 1, e);
    if (status) return status;
    status = canvas_page(&c, LEGEND_WIDE, draw_legend(&c, title, of, low), e);
    if (!status) draw_legend(&c, title, of, low);
    void *data = status ? NULL : png_file_bytes(cairo_get_target(c.cr), 96, &size);
    canvas_free(&c);
    if (!status) status = data ? 0 : error_memory(e);
    if (!status) status = zip_pack_add(k->zip, picture, data, size, false, e);
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

void kml_styles(const struct kmz *k)
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

void kml_begin(const struct kmz *k)
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

void kml_end_overlay(const struct kmz *k, const char *picture)
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

void kml_cell(struct kmz *k, const struct georef *geo, int rows, int row, int col)
{
    const double xy[2] = {geo->west_m + (col + 0.5) * geo->cell_m,
                          geo->south_m + (rows - row - 0.5) * geo->cell_m};
    put_position(k, xy, ' ');
}

void kml_area(struct kmz *k, const struct isochrone_area *a)
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

int kml_outline(struct kmz *k, struct error *e)
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
void kml_view(struct kmz *k)
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

int kmz_open(struct kmz *k, const struct export_run *r, const struct overlay_cells *cells,
             struct error *e)
{
    *k = (struct kmz){.r = r};
    int status = overlay_create(&k->overlay, r, cells, e);
    if (!status) status = zip_pack_open(&k->zip, e);
    if (status) return status;
    k->f = open_memstream(&k->text, &k->size);
    return k->f ? 0 : error_memory(e);
}

int kmz_finish(struct kmz *k, const char *path, struct error *e)
{
    char comment[128];
    fputs("</Document>\n</kml>\n", k->f);
    const bool whole = fclose(k->f) == 0;
    k->f = NULL;
    if (!whole) return error_memory(e);
    if (k->lost)
        return error_failed(e, "PROJ cannot transform a position to longitude and latitude");
    int status = zip_pack_add(k->zip, "doc.kml", k->text, k->size, true, e);
    k->text = NULL; /* the archive's */
    snprintf(comment, sizeof comment, "%s %.80s", EXPORT_MARK, k->r->version);
    return status ? status : zip_pack_write(k->zip, path, comment, e);
}

void kmz_free(struct kmz *k)
{
    if (k->f) fclose(k->f);
    free(k->text);
    zip_pack_free(k->zip);
    overlay_free(&k->overlay);
}
