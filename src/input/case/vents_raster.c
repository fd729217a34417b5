/* vents_raster.c — the vents of an original case: a grid of ids. */
#include "vents.h"

#include "original_case.h"
#include "raster/raster.h"

#include <math.h>

static int add_cell(struct vent_sites *v, double value, struct vent_cell cell,
                    const struct vent_ground *g, struct error *e)
{
    struct vent_site *site;
    if (value != floor(value) || value > 1e9)
        return error_input(e,
                           "%s: the vent at row %d, column %d has the id %g; give a whole number",
                           v->path, cell.row, cell.col, value);
    int status = vent_sites_get(&site, v, (int)value, 0, e);
    return status ? status : vent_site_add(v, site, g, cell, 0, e);
}

int vents_read_raster(struct vent_sites *v, const char *path, const char *dem_path,
                      const struct vent_ground *g, bool as_published,
                      struct file_progress *progress, struct error *e)
{
    struct raster r, dem = {.rows = g->rows, .cols = g->cols, .geo = *g->geo};
    *v = (struct vent_sites){.path = path};
    int status = raster_read_watched(&r, path, 0, progress, e), left = VENT_CELLS_MAX;
    if (status) return status;
    original_values(&r, as_published);
    original_place(&r, &dem);
    status = raster_same_grid(&dem, dem_path, &r, path, e);
    for (int row = 0; row < r.rows && !status; row++)
        for (int col = 0; col < r.cols && !status; col++) {
            double value = r.value[(size_t)row * (size_t)r.cols + (size_t)col];
            if (as_published) value = trunc(value);
            if (!(value > 0)) continue; /* also NaN: cells without data have no vent */
            if (left-- == 0)
                status = error_input(
                    e, "%s: more than %d cells with a vent; check that this is the grid of vents",
                    path, VENT_CELLS_MAX);
            else status = add_cell(v, value, (struct vent_cell){row, col}, g, e);
        }
    if (!status) status = vent_sites_finish(v, e);
    for (int i = 0; i < v->count; i++) v->site[i].shares = 1;
    raster_free(&r);
    if (status) vents_free(v);
    return status;
}
