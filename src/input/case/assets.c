#include "assets.h"

#include "case_notes.h"

#include "base/memory.h"
#include "sim/problem.h"
#include "text/grow.h"
#include "vector/draw_cells.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const asset_kinds[] = {"point", "line", "area"};

enum { NAME, ID };
const char *const assets_wanted[] = {"name", "id", NULL};

/* ---- cells ----------------------------------------------------------------------------------- */

/* Moves the cells of the mask to a->cell, and empties the mask. */
static bool keep_cells(struct asset *a, const struct cell_mask *m)
{
    for (int row = m->row_min; row <= m->row_max; row++)
        for (int col = 0; col < m->grid.cols; col++) {
            const size_t i = (size_t)row * (size_t)m->grid.cols + (size_t)col;
            if (!m->cell[i]) continue;
            m->cell[i] = 0;
            if (!APPEND(a->cell, a->cells, (uint32_t)i)) return false;
        }
    return true;
}

/* Finds the cells of a feature. A point or line has the cells that it touches. An area has the cells with their centre
 * inside. An area that contains no centre of a cell has the cells of its edge. */
static bool draw_asset(struct asset *a, unsigned char *cells, const struct vectors *v,
                       const struct vector_feature *f, const struct vector_grid *grid)
{
    struct cell_mask mask = cell_mask_on(cells, grid);
    if (f->kind == VECTOR_AREA) cell_mask_fill(&mask, v, f);
    if (mask.row_min > mask.row_max) cell_mask_trace(&mask, v, f);
    return keep_cells(a, &mask);
}

/* ---- features -------------------------------------------------------------------------------- */

/* Keeps the shape of an asset for drawing. */
static bool keep_shape(struct asset *a, const struct vectors *v, const struct vector_feature *f)
{
    const struct vector_part *p = v->part + f->first;
    size_t positions = 0;
    for (int i = 0; i < f->count; i++) positions += (size_t)p[i].count;
    a->part_size = malloc((size_t)f->count * sizeof *a->part_size);
    a->xy = malloc(positions * sizeof *a->xy);
    if (!a->part_size || !a->xy) return false;
    a->parts = f->count;
    for (int i = 0; i < f->count; i++) a->part_size[i] = p[i].count;
    /* the parts of a feature follow each other in v->xy */
    memcpy(a->xy, v->xy + p->first, positions * sizeof *a->xy);
    return true;
}

static double length_on(const struct asset *a, const struct vector_grid *grid)
{
    const struct georef *g = grid->geo;
    const double end[2] = {grid->cols * g->cell_m, grid->rows * g->cell_m};
    double sum = 0, (*xy)[2] = a->xy;
    for (int part = 0; part < a->parts; xy += a->part_size[part++])
        for (int i = 1; i < a->part_size[part]; i++) {
            const double from[2] = {xy[i - 1][0] - g->west_m, xy[i - 1][1] - g->south_m},
                         to[2] = {xy[i][0] - g->west_m, xy[i][1] - g->south_m};
            double t[2];
            if (measure_cut(from, to, end, t))
                sum += hypot(to[0] - from[0], to[1] - from[1]) * (t[1] - t[0]);
        }
    return sum;
}

static double size_of(const struct asset *a, const struct vector_grid *grid)
{
    if (a->kind == ASSET_POINT) return 1;
    if (a->kind == ASSET_LINE) return length_on(a, grid);
    return a->cells * grid->geo->cell_m * grid->geo->cell_m;
}

/* Adds a name to a list, or "..." if there is no room for the name. */
static void list_name(char out[ASSETS_NAMES], const char *name)
{
    static const char more[] = "...";
    const size_t used = strlen(out);
    const bool whole = used + strlen(name) + sizeof ", , ..." <= ASSETS_NAMES;
    const bool ends = used >= strlen(more) && !strcmp(out + used - strlen(more), more);
    if (!ends)
        snprintf(out + used, ASSETS_NAMES - used, "%s%s", used ? ", " : "", whole ? name : more);
}

static bool add_features(struct assets *all, const struct vectors *v, unsigned char *cells,
                         const struct vector_grid *grid)
{
    static const enum asset_kind kinds[VECTOR_KINDS] = {
        [VECTOR_POINT] = ASSET_POINT, [VECTOR_LINE] = ASSET_LINE, [VECTOR_AREA] = ASSET_AREA};
    for (int i = 0; i < v->features; i++) {
        struct asset *a = &all->asset[all->count++];
        vectors_name(a->name, sizeof a->name, v, i, NAME, ID);
        a->kind = kinds[v->feature[i].kind];
        a->feature = i;
        if (!draw_asset(a, cells, v, &v->feature[i], grid)) return false;
        if (!a->cells) {
            list_name(all->outside, a->name);
            all->count--;
        } else if (!keep_shape(a, v, &v->feature[i])) return false;
        else a->size = size_of(a, grid);
    }
    return true;
}

static int keep_places(struct assets *a, const struct vectors *v, const char *path,
                       const struct vector_grid *grid, struct error *e)
{
    if (v->features > ASSETS_MAX)
        return error_input(e, "%s: has more than %d places; split it", path, ASSETS_MAX);
    const size_t n = (size_t)grid->rows * (size_t)grid->cols;
    unsigned char *cells = memory_reserve(n);
    a->asset = calloc((size_t)v->features, sizeof *a->asset);
    const bool whole = cells && a->asset && add_features(a, v, cells, grid);
    memory_release(cells, n);
    if (!whole) return error_memory(e);
    if (a->count) return 0;
    return error_input(e,
                       "%s: \"%s\" touches no cell of the terrain, and neither does any other "
                       "place; correct the coordinates, or remove the file",
                       path, a->asset[0].name);
}

int assets_read(struct assets *a, const char *path, int rows, int cols, const struct georef *geo,
                struct error *e)
{
    const struct vector_grid grid = {rows, cols, geo};
    FREED_BY(vectors_free) struct vectors v;
    *a = (struct assets){0};
    int status = vectors_read(&v, path, &grid, VECTORS_TAKE_ALL, assets_wanted, e);
    if (!status) status = keep_places(a, &v, path, &grid, e);
    a->about = v.about;
    if (status) assets_free(a);
    return status;
}

static void find_bare(struct asset *a, const struct problem *p)
{
    struct error why;
    a->bare = a->sea = true;
    for (uint32_t i = 0; a->bare && i < a->cells; i++) {
        const struct window cell = {(int)(a->cell[i] / (uint32_t)p->cols),
                                    (int)(a->cell[i] % (uint32_t)p->cols), 1, 1};
        a->bare = !problem_read_terrain(p, cell, &why) && isnan(p->elevation_m[a->cell[i]]);
        a->sea = a->sea && a->bare && p->sea && p->sea[a->cell[i]];
    }
}

void assets_find_bare(struct assets *a, const struct problem *p)
{
    for (int i = 0; i < a->count; i++) find_bare(&a->asset[i], p);
}

int assets_on(struct assets *a, const char *path, const struct problem *p, const struct georef *geo,
              struct error *e)
{
    *a = (struct assets){0};
    const int status = path ? assets_read(a, path, p->rows, p->cols, geo, e) : 0;
    if (!status) assets_find_bare(a, p);
    return status;
}

int assets_amounts(double *amount, const struct assets *a, const char *path, const char *attribute,
                   const struct vector_grid *grid, struct error *e)
{
    const char *const wanted[] = {attribute, NULL};
    FREED_BY(vectors_free) struct vectors v;
    int status = vectors_read(&v, path, grid, VECTORS_TAKE_ALL, wanted, e);
    if (status) return status;
    if (!vectors_any_has(&v, 0))
        status = error_input(
            e, "%s: no place has an attribute %.64s; name an attribute of the places, or a raster",
            path, attribute);
    for (int i = 0; i < a->count && !status; i++) {
        amount[i] = 0;
        status = vectors_real(&v, a->asset[i].feature, 0, path, attribute, &amount[i], e);
        if (!status && !(amount[i] >= 0 && amount[i] <= ASSETS_AMOUNT_MAX))
            status = error_input(e, "%s: %.64s of \"%s\" is %g; give 0 to %g", path, attribute,
                                 a->asset[i].name, amount[i], ASSETS_AMOUNT_MAX);
    }
    return status;
}

void assets_warn(const struct assets *a, const char *path, struct warnings *w)
{
    case_warn_changed(&a->about, path, w);
    if (a->count < a->about.features)
        warnings_say(w, WARNING_RESULT,
                     "places of interest outside the terrain, where nothing is computed: %d of "
                     "%d: %s",
                     a->about.features - a->count, a->about.features, a->outside);
    int bare = 0, sea = 0;
    char in_sea[ASSETS_NAMES] = "", on_bare[ASSETS_NAMES] = "";
    for (int i = 0; i < a->count; i++) {
        const struct asset *one = &a->asset[i];
        if (one->bare) list_name(one->sea ? in_sea : on_bare, one->name);
        sea += one->sea;
        bare += one->bare && !one->sea;
    }
    if (sea)
        warnings_say(w, WARNING_RESULT,
                     "places of interest in the sea, where nothing is computed: %d of %d: %s", sea,
                     a->about.features, in_sea);
    if (bare)
        warnings_say(w, WARNING_RESULT,
                     "places of interest outside the terrain's data, where nothing is computed: %d "
                     "of %d: %s",
                     bare, a->about.features, on_bare);
}

void assets_put(struct table *t, const struct asset *a)
{
    TABLE_TEXT(t, "name", a->name);
    TABLE_TEXT(t, "kind", asset_kinds[a->kind]);
    TABLE_COUNT(t, "cells", a->bare ? 0 : a->cells);
}

void assets_free(struct assets *a)
{
    for (int i = 0; i < a->count; i++) {
        FREE_ALL(a->asset[i].cell, a->asset[i].part_size, a->asset[i].xy);
    }
    RELEASE(a, a->asset);
}
