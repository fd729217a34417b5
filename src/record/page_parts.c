#include "page_parts.h"

#include "colours.h"
#include "json_number.h"
#include "legends.h"
#include "map_background.h"

#include "isochrones/isochrones.h"
#include "raster/projection.h"
#include "text/quantities.h"

#include <cJSON.h>
#include <math.h>
#include <stdlib.h>

void page_write_json(FILE *out, const char *json)
{
    for (const unsigned char *s = (const unsigned char *)json; *s; s++) {
        if (*s == '<') fputs("\\u003c", out);
        else if (*s == '>') fputs("\\u003e", out);
        else if (*s == '&') fputs("\\u0026", out);
        else if (s[0] == 0xe2 && s[1] == 0x80 && (s[2] == 0xa8 || s[2] == 0xa9)) {
            fputs(s[2] == 0xa8 ? "\\u2028" : "\\u2029", out);
            s += 2;
        } else {
            putc(*s, out);
        }
    }
}

/* ---- colours and quantities ------------------------------------------------------------------ */

static void add_colour(cJSON *list, const char *name, struct rgb colour)
{
    char text[8];
    cJSON *item = cJSON_CreateString(colours_text(text, colour));
    if (name) cJSON_AddItemToObject(list, name, item);
    else cJSON_AddItemToArray(list, item);
}

static void add_colours(cJSON *facts)
{
    static const char *const kind[COLOURS_SCALES] = {
        [COLOURS_LAVA] = "thickness", [COLOURS_HEAT] = "temperature", [COLOURS_TIME] = "arrival"};
    enum { STOPS = 24 };
    cJSON *o = cJSON_AddObjectToObject(facts, "colours");
    for (int k = 0; k < COLOURS_SCALES; k++) {
        struct colour_scale scale;
        cJSON *list = cJSON_AddArrayToObject(o, kind[k]);
        colours_fill(&scale, (enum colours)k);
        for (int i = 0; i <= STOPS; i++)
            add_colour(list, NULL, colours_at(&scale, (double)i / STOPS));
    }
    add_colour(o, "outline", colours_outline);
    add_colour(o, "place", colours_place);
}

/* A list of classes, each with its end, colour and label. */
static void add_classes(cJSON *o, const char *name, const struct map_class *class, int count)
{
    cJSON *list = cJSON_AddArrayToObject(o, name);
    for (int k = 0; k < count; k++) {
        cJSON *row = cJSON_CreateArray();
        cJSON_AddItemToArray(row, cJSON_CreateNumber(class[k].upper));
        add_colour(row, NULL, class[k].rgb);
        cJSON_AddItemToArray(row, cJSON_CreateString(class[k].label));
        cJSON_AddItemToArray(list, row);
    }
}

static void add_legends(cJSON *facts)
{
    cJSON *o = cJSON_AddObjectToObject(facts, "classes");
    add_classes(o, "probability", legend_probability, LEGEND_PROBABILITY);
    add_classes(o, "hazard", legend_hazard, LEGEND_HAZARD);
    add_classes(o, "change", legend_change, LEGEND_CHANGE);
}

static void add_quantities(cJSON *facts)
{
    cJSON *o = cJSON_AddObjectToObject(facts, "quantities");
    for (const struct quantity *q = quantities; q->name; q++) {
        cJSON *list = cJSON_AddArrayToObject(o, q->name);
        cJSON_AddItemToArray(list, cJSON_CreateString(q->words));
        cJSON_AddItemToArray(list, cJSON_CreateString(q->unit));
        cJSON_AddItemToArray(list, cJSON_CreateNumber(q->factor));
        cJSON_AddItemToArray(list, cJSON_CreateNumber(q->more));
    }
}

void page_style_facts(cJSON *facts)
{
    add_colours(facts);
    add_legends(facts);
    add_quantities(facts);
}

/* ---- the grid, and degrees on it ------------------------------------------------------------- */

static void add_grid(cJSON *facts, int rows, int cols, const struct georef *geo)
{
    char code[24] = "";
    cJSON *o = cJSON_AddObjectToObject(facts, "grid");
    json_add_numbers(o, {"rows", rows}, {"cols", cols}, {"cell_m", geo->cell_m},
                     {"west_m", geo->west_m}, {"south_m", geo->south_m});
    if (geo->crs.epsg) snprintf(code, sizeof code, "EPSG:%d", geo->crs.epsg);
    json_add_texts(o, {"crs", code}, {"crs_name", geo->crs.name});
}

/* A page cannot compute projections. It interpolates longitude and latitude bilinearly between the nodes of a
 * lattice over the grid. The error is measured in the middle of each mesh, where the error is largest. */
enum { MESHES = 16, NODES = MESHES + 1 };

struct degrees {
    PJ_CONTEXT *context;
    PJ *transform;
    double west, north, width, height;
};

static bool degrees_open(struct degrees *d, int rows, int cols, const struct georef *geo)
{
    *d = (struct degrees){.context = projection_context()};
    d->width = cols * geo->cell_m;
    d->height = rows * geo->cell_m;
    d->west = geo->west_m;
    d->north = geo->south_m + d->height;
    PJ *crs = d->context ? projection_create(d->context, &geo->crs) : NULL;
    d->transform = projection_to_degrees(d->context, crs);
    proj_destroy(crs);
    return d->transform != NULL;
}

/* Computes the longitude and latitude of a point. x and y are 0 in the north-west corner and 1 in the opposite
 * corner. */
static bool degrees_at(const struct degrees *d, double x, double y, double out[2])
{
    const PJ_LP deg = proj_trans(d->transform, PJ_FWD,
                                 proj_coord(d->west + x * d->width, d->north - y * d->height, 0, 0))
                          .lp;
    out[0] = deg.lam, out[1] = deg.phi;
    return fabs(deg.lam) <= 360 && fabs(deg.phi) <= 90;
}

static double distance_m(const double a[2], const double b[2])
{
    const double degree_m = 111320;
    return degree_m * hypot((a[0] - b[0]) * cos(proj_torad(a[1])), a[1] - b[1]);
}

/* Adds a multiple of 360 degrees to `lon` to bring it near `near`. So the mean of the two longitudes is right across the
 * antimeridian, too. */
static double near_lon(double lon, double near)
{
    return lon - 360 * round((lon - near) / 360);
}

static bool fill_lattice(const struct degrees *d, double (*at)[2], double *error_m)
{
    for (int i = 0; i < NODES * NODES; i++) {
        if (!degrees_at(d, (double)(i % NODES) / MESHES, (double)(i / NODES) / MESHES, at[i]))
            return false;
        at[i][0] = near_lon(at[i][0], at[0][0]);
    }
    *error_m = 0;
    for (int i = 0; i < MESHES * MESHES; i++) {
        const int row = i / MESHES, col = i % MESHES, k = row * NODES + col;
        double exact[2], mean[2];
        if (!degrees_at(d, (col + 0.5) / MESHES, (row + 0.5) / MESHES, exact)) return false;
        exact[0] = near_lon(exact[0], at[0][0]);
        for (int j = 0; j < 2; j++)
            mean[j] = (at[k][j] + at[k + 1][j] + at[k + NODES][j] + at[k + NODES + 1][j]) / 4;
        *error_m = fmax(*error_m, distance_m(exact, mean));
    }
    return true;
}

static int add_degrees(cJSON *facts, int rows, int cols, const struct georef *geo, struct error *e)
{
    struct degrees d;
    double error_m = 0;
    FREED double(*at)[2] = calloc(NODES * NODES, sizeof *at);
    if (!at) return error_memory(e);
    /* Around a pole the error is large, because means of longitudes are wrong. Then the page gets no degrees. */
    const bool known = degrees_open(&d, rows, cols, geo) && fill_lattice(&d, at, &error_m) &&
                       error_m < geo->cell_m;
    proj_destroy(d.transform);
    proj_context_destroy(d.context);
    cJSON *o = known ? cJSON_AddObjectToObject(facts, "degrees") : NULL;
    if (o) {
        json_add_numbers(o, {"nodes", NODES}, {"error_m", error_m});
        cJSON *lon = cJSON_AddArrayToObject(o, "lon"), *lat = cJSON_AddArrayToObject(o, "lat");
        for (int i = 0; i < NODES * NODES; i++) {
            cJSON_AddItemToArray(lon, cJSON_CreateNumber(round(at[i][0] * 1e9) / 1e9));
            cJSON_AddItemToArray(lat, cJSON_CreateNumber(round(at[i][1] * 1e9) / 1e9));
        }
    }
    return 0;
}

int page_grid_facts(cJSON *facts, int rows, int cols, const struct georef *geo, struct error *e)
{
    add_grid(facts, rows, cols, geo);
    return add_degrees(facts, rows, cols, geo, e);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Writes positions in cells from the north-west corner, to a hundredth of a cell. */
cJSON *page_line(const struct georef *geo, int rows, const double (*xy)[2], int count)
{
    const double cell = geo->cell_m, north = geo->south_m + rows * cell;
    cJSON *line = cJSON_CreateArray();
    for (int i = 0; i < count; i++) {
        cJSON_AddItemToArray(
            line, cJSON_CreateNumber(round((xy[i][0] - geo->west_m) / cell * 100) / 100));
        cJSON_AddItemToArray(line,
                             cJSON_CreateNumber(round((north - xy[i][1]) / cell * 100) / 100));
    }
    return line;
}

cJSON *page_shape(cJSON *list, const struct georef *geo, int rows, const struct map_place *t)
{
    static const char *const kinds[] = {
        [MAP_POINT] = "point", [MAP_LINE] = "line", [MAP_AREA] = "area"};
    const double(*xy)[2] = t->xy;
    cJSON *o = json_add_object(list);
    if (*t->label) json_add_texts(o, {"name", t->label});
    json_add_texts(o, {"kind", kinds[t->kind]});
    cJSON *parts = cJSON_AddArrayToObject(o, "parts");
    for (int i = 0; i < t->parts; xy += t->part_size[i++])
        cJSON_AddItemToArray(parts, page_line(geo, rows, xy, t->part_size[i]));
    return o;
}

void page_background(cJSON *facts, const struct georef *geo, int rows,
                     const struct map_background *b)
{
    if (!b) return;
    cJSON *o = cJSON_AddObjectToObject(facts, "background"),
          *looks = cJSON_AddObjectToObject(o, "looks"),
          *features = cJSON_AddArrayToObject(o, "features");
    for (int i = 0; i < BACKGROUND_KINDS; i++) {
        const struct background_look *look = &background_looks[i];
        cJSON *of = cJSON_AddObjectToObject(looks, look->name);
        add_colour(of, "colour", look->colour);
        add_colour(of, "ink", look->ink);
        json_add_bools(of, {"filled", look->filled});
        json_add_numbers(of, {"width", look->width}, {"casing", look->casing});
        json_add_given(of, {"legend", look->legend});
    }
    for (int i = 0; i < b->count; i++)
        json_add_texts(page_shape(features, geo, rows, &b->feature[i].shape),
                       {"look", background_looks[b->feature[i].kind].name});
}

/* Omits the last isochrone, the outline of the whole flow, which the page shows anyway. */
static cJSON *list_isochrones(const struct georef *geo, int rows, const struct isochrones *i)
{
    cJSON *list = cJSON_CreateArray();
    for (int k = 0; k < i->count - 1; k++) {
        cJSON *o = json_add_object(list);
        cJSON_AddNumberToObject(o, "hours", i->at[k].time_h);
        cJSON *lines = cJSON_AddArrayToObject(o, "lines");
        for (int n = 0; n < i->at[k].line_count; n++) {
            const struct isochrone_path *line = &i->at[k].line[n];
            cJSON *xy = page_line(geo, rows, (const double(*)[2])line->xy, line->count);
            if (line->closed) { /* a closed line ends with its first point */
                cJSON_AddItemToArray(xy, cJSON_Duplicate(cJSON_GetArrayItem(xy, 0), false));
                cJSON_AddItemToArray(xy, cJSON_Duplicate(cJSON_GetArrayItem(xy, 1), false));
            }
            cJSON_AddItemToArray(lines, xy);
        }
    }
    return list;
}

/* Widens the window by one cell on each side, but not beyond the grid. So no isochrone ends inside the grid. */
int page_isochrones(cJSON **list, int rows, int cols, const struct georef *geo, struct window w,
                    page_arrival *arrival, const void *of, struct error *e)
{
    const struct window part =
        window_common((struct window){w.row0 - 1, w.col0 - 1, w.rows + 2, w.cols + 2},
                      (struct window){0, 0, rows, cols});
    struct isochrones_input in = {.rows = part.rows, .cols = part.cols, .geo = *geo};
    struct isochrones made;
    in.geo.west_m += part.col0 * geo->cell_m;
    in.geo.south_m += (rows - part.row0 - part.rows) * geo->cell_m;
    FREED float *hours = malloc((window_cells(part) + 1) * sizeof *hours);
    float *to = hours;
    if (!hours) return error_memory(e);
    for (int row = part.row0; row < part.row0 + part.rows; row++)
        for (int col = part.col0; col < part.col0 + part.cols; col++)
            *to++ =
                window_has(w, (struct window){row, col, 1, 1}) ? arrival(of, row, col) : (float)NAN;
    in.arrival_h = hours;
    const int status = isochrones_create(&made, &in, e);
    if (!status) *list = list_isochrones(geo, rows, &made);
    if (!status) isochrones_free(&made);
    return status;
}
