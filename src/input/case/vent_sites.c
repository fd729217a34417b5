/* vent_sites.c — the cells of each vent, and lists by id. */
#include "vents.h"

#include "text/grow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A fissure may cross a cell again and again; this bounds how often before it is refused. */
enum { CROSSINGS_MAX = 1 << 20 };

bool vent_place(const struct vent_ground *g, double x, double y, struct place *p)
{
    p->right = (x - g->geo->west_m) / g->geo->cell_m;
    p->up = (y - g->geo->south_m) / g->geo->cell_m;
    return p->right >= 0 && p->up >= 0 && p->right < g->cols && p->up < g->rows;
}

int vent_refuse_outside(const char *path, const char *before, int line, double x, double y,
                        const struct vent_ground *g, const char *remedy, struct error *e)
{
    const struct georef *geo = g->geo;
    return error_input(e,
                       "%s%s%d: the vent at %.10g, %.10g is outside the DEM, which reaches from "
                       "%.10g, %.10g to %.10g, %.10g; %s",
                       path, before, line, x, y, geo->west_m, geo->south_m,
                       geo->west_m + g->cols * geo->cell_m, geo->south_m + g->rows * geo->cell_m,
                       remedy);
}

int vent_points_add(struct vent_points *v, struct vent_point p, struct error *e)
{
    p.order = v->count;
    return APPEND(v->point, v->count, p) ? 0 : error_memory(e);
}

/* ---- lists by id ----------------------------------------------------------------------------- */

/* The lower bound of an id. */
static int position_of(const void *first, int count, size_t size, int id)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2, there;
        memcpy(&there, (const char *)first + (size_t)middle * size, sizeof there);
        if (there < id) low = middle + 1;
        else high = middle;
    }
    return low;
}

const void *id_find(const void *list, int count, size_t size, int id)
{
    const int at = position_of(list, count, size, id);
    const char *there = count ? (const char *)list + (size_t)at * size : NULL;
    return at < count && memcmp(there, &id, sizeof id) == 0 ? there : NULL;
}

int id_list_get(void **list, int *count, size_t size, int id, int *at, const char *path,
                struct error *e)
{
    *at = position_of(*list, *count, size, id);
    char *there = *count ? (char *)*list + (size_t)*at * size : NULL;
    if (*at < *count && memcmp(there, &id, sizeof id) == 0) return 0;
    if (*count == VENTS_MAX)
        return error_input(e, "%s: more than %d vents; join neighbouring vents to fissures", path,
                           VENTS_MAX);
    if (!grow(list, (size_t)*count, size)) return error_memory(e);
    there = (char *)*list + (size_t)*at * size;
    memmove(there + size, there, (size_t)((*count)++ - *at) * size);
    memset(there, 0, size);
    memcpy(there, &id, sizeof id);
    return 0;
}

int vent_sites_get(struct vent_site **site, struct vent_sites *v, int id, int line, struct error *e)
{
    void *list = v->site;
    int at, before = v->count;
    int status = id_list_get(&list, &v->count, sizeof **site, id, &at, v->path, e);
    if (status) return status;
    v->site = list;
    *site = &v->site[at];
    if (v->count > before) (*site)->line = line;
    return 0;
}

/* Terrain that is read where it is needed is read around a vent at once: lava comes there. */
enum { AROUND = 256 };

static struct window around(const struct vent_ground *g, struct vent_cell cell)
{
    const int row0 = cell.row > AROUND ? cell.row - AROUND : 0,
              col0 = cell.col > AROUND ? cell.col - AROUND : 0;
    return (struct window){
        row0, col0, (g->rows - 1 - cell.row > AROUND ? cell.row + AROUND : g->rows - 1) - row0 + 1,
        (g->cols - 1 - cell.col > AROUND ? cell.col + AROUND : g->cols - 1) - col0 + 1};
}

int vent_has_ground(const struct vent_ground *g, struct vent_cell cell, bool *has, struct error *e)
{
    const struct terrain_source *s = g->source;
    int status = s ? s->read(s->self, around(g, cell), e) : 0;
    *has = !status && !isnan(g->elevation_m[(size_t)cell.row * (size_t)g->cols + (size_t)cell.col]);
    return status;
}

int vent_site_add(struct vent_sites *v, struct vent_site *site, const struct vent_ground *ground,
                  struct vent_cell cell, int line, struct error *e)
{
    char at[16] = "";
    bool has;
    int status = vent_has_ground(ground, cell, &has, e);
    if (status) return status;
    if (line) snprintf(at, sizeof at, ":%d", line);
    if (!has)
        return error_input(e,
                           "%s%s: vent %d has a cell at row %d, column %d, where the DEM has no "
                           "data; move the vent or fill the hole",
                           v->path, at, site->id, cell.row, cell.col);
    if (site->count == CROSSINGS_MAX)
        return error_input(e, "%s%s: vent %d has too many points; simplify its line", v->path, at,
                           site->id);
    return APPEND(site->cell, site->count, cell) ? 0 : error_memory(e);
}

/* The cells that the straight line from a to b crosses, without the cell of a: from cell to cell over
 * the edge that the line meets first, over the corner where it meets two at once. `across` is +1 or
 * -1, or 0 where the cell of b is reached in that direction; so every step comes nearer to it. */
static int add_line(struct vent_sites *v, struct vent_site *site, const struct vent_ground *g,
                    struct place a, struct place b, int line, struct error *e)
{
    int i = (int)a.right, j = (int)a.up, last_i = (int)b.right, last_j = (int)b.up, status = 0;
    while (!status && (i != last_i || j != last_j)) {
        int across = (last_i > i) - (last_i < i), along = (last_j > j) - (last_j < j);
        double edge_i = across ? (i + (across > 0) - a.right) / (b.right - a.right) : INFINITY;
        double edge_j = along ? (j + (along > 0) - a.up) / (b.up - a.up) : INFINITY;
        if (edge_i <= edge_j) i += across;
        if (edge_j <= edge_i) j += along;
        status = vent_site_add(v, site, g, (struct vent_cell){g->rows - 1 - j, i}, line, e);
    }
    return status;
}

int vent_sites_add_point(struct vent_sites *v, int id, struct place p, int part,
                         const struct vent_ground *g, int line, struct error *e)
{
    const struct vent_cell cell = {g->rows - 1 - (int)p.up, (int)p.right};
    struct vent_site *site;
    int status = vent_sites_get(&site, v, id, line, e);
    if (status) return status;
    if (site->count == 0 || site->part != part) status = vent_site_add(v, site, g, cell, line, e);
    else status = add_line(v, site, g, site->last, p, line, e);
    site->last = p;
    site->part = part;
    return status;
}

static int by_place(const void *a, const void *b)
{
    const struct vent_cell *c = a, *d = b;
    return c->row != d->row ? (c->row > d->row) - (c->row < d->row)
                            : (c->col > d->col) - (c->col < d->col);
}

int vent_sites_finish(struct vent_sites *v, struct error *e)
{
    int total = 0;
    for (int i = 0; i < v->count; i++) {
        struct vent_site *s = &v->site[i];
        int distinct = 0;
        qsort(s->cell, (size_t)s->count, sizeof *s->cell, by_place);
        for (int k = 0; k < s->count; k++)
            if (!distinct || by_place(&s->cell[distinct - 1], &s->cell[k]) != 0)
                s->cell[distinct++] = s->cell[k];
        s->count = s->shares = distinct;
        total += distinct;
        if (total > VENT_CELLS_MAX)
            return error_input(
                e, "%s: more than %d cells with a vent; check that this is the file of vents",
                v->path, VENT_CELLS_MAX);
    }
    return 0;
}

void vents_free(struct vent_sites *v)
{
    for (int i = 0; i < v->count; i++) free(v->site[i].cell);
    free(v->site);
    *v = (struct vent_sites){0};
}
