#include "features.h"

#include "sim/vent.h"

#include <stdlib.h>

/* clang-format off */
#define ISOCHRONE                                                                                  \
    {"label", FEATURE_TEXT}, {"time_h", FEATURE_REAL}, {"date", FEATURE_TEXT},                     \
    {"from_h", FEATURE_REAL}, {"from_date", FEATURE_TEXT}, {"band_m2", FEATURE_REAL},              \
    {"reached_m2", FEATURE_REAL}
/* clang-format on */

const struct features_about features_about[FEATURES] = {
    [FEATURES_BANDS] = {"bands", "bands of arrival of lava", FEATURE_AREAS, 7, {ISOCHRONE}},
    [FEATURES_REACHED] =
        {"reached", "all cells that lava had reached by a time", FEATURE_AREAS, 7, {ISOCHRONE}},
    [FEATURES_LINES] =
        {"lines", "fronts of the lava", FEATURE_LINES, 8, {ISOCHRONE, {"outline", FEATURE_YES}}},
    [FEATURES_VENTS] = {"vents",
                        "cells of vents",
                        FEATURE_POINTS,
                        3,
                        {{"vent", FEATURE_WHOLE},
                         {"cells", FEATURE_WHOLE},
                         {"emitted_m3", FEATURE_REAL}}},
    [FEATURES_OUTLINE] =
        {"outline", "observed outline", FEATURE_AREAS, 1, {{"area_m2", FEATURE_REAL}}},
};

bool features_there(const struct export_run *r, enum features what)
{
    if (what == FEATURES_VENTS) return r->c->problem.vent_count > 0;
    return what != FEATURES_OUTLINE || r->outline;
}

static int visit_isochrones(const struct export_run *r, enum features what, feature_visit *visit,
                            void *to, struct error *e)
{
    const double cell_m2 = r->geo.cell_m * r->geo.cell_m;
    int status = 0;
    for (int i = 0; i < r->isochrones->count && !status; i++) {
        const struct isochrone *at = &r->isochrones->at[i];
        struct feature f = {.about = &features_about[what]};
        if (what == FEATURES_LINES) f.path = at->line, f.paths = at->line_count;
        else f.area = what == FEATURES_BANDS ? &at->band : &at->reached;
        if (f.area ? what == FEATURES_BANDS && !f.area->count : !f.paths) continue;
        isochrones_time_text(f.value[0].text, at->time_h);
        f.value[1].number = at->time_h;
        export_date(f.value[2].text, r, at->time_h * 3600);
        f.value[3].number = at->from_h;
        export_date(f.value[4].text, r, at->from_h * 3600);
        f.value[5].number = (double)at->band.cells * cell_m2;
        f.value[6].number = (double)at->raster_cells * cell_m2;
        f.value[7].number = i == r->isochrones->count - 1;
        status = visit(to, &f, e);
    }
    return status;
}

/* The cells of a fissure are one vent. */
static int visit_vent(const struct export_run *r, int id, double (*xy)[2], feature_visit *visit,
                      void *to, struct error *e)
{
    const struct problem *p = &r->c->problem;
    const struct georef *geo = &r->c->geo;
    const int64_t last = r->step[r->step_count - 1];
    struct isochrone_path points = {.xy = xy};
    double volume_m = 0;
    for (int v = 0; v < p->vent_count; v++) {
        if (p->vents[v].id != id) continue;
        volume_m += vent_sum_m(&p->vents[v], p->first_step + 1, last);
        xy[points.count][0] = geo->west_m + (p->vents[v].col + 0.5) * geo->cell_m;
        xy[points.count++][1] = geo->south_m + (p->rows - p->vents[v].row - 0.5) * geo->cell_m;
    }
    const struct feature f = {.about = &features_about[FEATURES_VENTS],
                              .value = {{.number = id},
                                        {.number = points.count},
                                        {.number = volume_m * geo->cell_m * geo->cell_m}},
                              .paths = 1,
                              .path = &points};
    return visit(to, &f, e);
}

static int visit_vents(const struct export_run *r, feature_visit *visit, void *to, struct error *e)
{
    const struct problem *p = &r->c->problem;
    double(*xy)[2] = malloc((size_t)(p->vent_count + 1) * sizeof *xy);
    int status = xy ? 0 : error_memory(e);
    for (int v = 0; v < p->vent_count && !status; v++)
        if (export_vent_is_first(p, v)) status = visit_vent(r, p->vents[v].id, xy, visit, to, e);
    free(xy);
    return status;
}

static int visit_outline(const struct export_run *r, feature_visit *visit, void *to,
                         struct error *e)
{
    const double cell_m2 = r->c->geo.cell_m * r->c->geo.cell_m;
    struct isochrones outline;
    int status = export_outline_area(&outline, r, e);
    if (status) return status;
    if (outline.count) {
        const struct feature f = {
            .about = &features_about[FEATURES_OUTLINE],
            .value = {{.number = (double)outline.at[0].raster_cells * cell_m2}},
            .area = &outline.at[0].reached};
        status = visit(to, &f, e);
    }
    isochrones_free(&outline);
    return status;
}

int features_visit(const struct export_run *r, enum features what, feature_visit *visit, void *to,
                   struct error *e)
{
    if (what == FEATURES_VENTS) return visit_vents(r, visit, to, e);
    if (what == FEATURES_OUTLINE) return visit_outline(r, visit, to, e);
    return visit_isochrones(r, what, visit, to, e);
}
