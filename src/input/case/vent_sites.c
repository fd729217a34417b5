#include "vent_sites.h"

#include "text/grow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A fissure may cross a cell again and again; this bounds how often before it is refused. */
enum { CROSSINGS_MAX = 1 << 20 };

int id_position(const void *first, int count, size_t size, int id)
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

int vent_sites_get(struct vent_site **site, struct vent_sites *v, int id, int line, struct error *e)
{
    int at = id_position(v->site, v->count, sizeof *v->site, id);
    if (at == v->count || v->site[at].id != id) {
        if (v->count == VENTS_MAX)
            return error_input(e, "%s: more than %d vents; join neighbouring ones to fissures",
                               v->path, VENTS_MAX);
        struct vent_site *more = grow(v->site, v->count, sizeof *more);
        if (!more) return error_memory(e);
        v->site = more;
        memmove(&more[at + 1], &more[at], (size_t)(v->count++ - at) * sizeof *more);
        more[at] = (struct vent_site){.id = id, .line = line};
    }
    *site = &v->site[at];
    return 0;
}

int vent_site_add(struct vent_sites *v, struct vent_site *site, const struct vent_ground *ground,
                  struct vent_cell cell, int line, struct error *e)
{
    char at[16] = "";
    if (line) snprintf(at, sizeof at, ":%d", line);
    if (isnan(ground->elevation_m[(size_t)cell.row * (size_t)ground->cols + (size_t)cell.col]))
        return error_input(e,
                           "%s%s: vent %d has a cell at row %d, column %d, where the DEM has no "
                           "data; move the vent or fill the hole",
                           v->path, at, site->id, cell.row, cell.col);
    if (site->count == CROSSINGS_MAX)
        return error_input(e, "%s%s: vent %d has too many points; simplify its line", v->path, at,
                           site->id);
    struct vent_cell *cells = grow(site->cell, site->count, sizeof *cells);
    if (!cells) return error_memory(e);
    site->cell = cells;
    cells[site->count++] = cell;
    return 0;
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
            return error_input(e, "%s: more than %d cells with a vent; is this the file of vents?",
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
