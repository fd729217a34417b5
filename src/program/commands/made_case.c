/* made_case.c — a synthetic case is checked before it is written, by the same code that will read
 * it. */
#include "made_case.h"

#include "sciara.h"

#include "case/case.h"
#include "case/case_terrain.h"
#include "case/resolution.h"

#include <stdio.h>
#include <string.h>

enum { RATES_MAX = 16 };

/* The reason without its remedy, which is meant for a user's own DEM. */
static int refuse(const char *reason, const char *remedy, struct error *e)
{
    const int length = (int)strcspn(reason, ";");
    return error_input(e, "terrain: %.*s; %s", length, reason, remedy);
}

/* Checks size, place and CRS of the whole grid, without its heights. */
static int check_grid(const struct terrain *t, struct error *e)
{
    struct error why = {0};
    struct sim_case c = {.problem = {.rows = t->rows, .cols = t->cols},
                         .geo = {t->west_m, t->south_m, t->cell_m, {0}}};
    char at[32];
    snprintf(at, sizeof at, "--epsg %d", t->epsg);
    if (case_terrain_check_count(t->rows, t->cols, "the grid", &why))
        return refuse(why.text, "choose fewer rows or columns", e);
    if (case_terrain_check_place(&c.geo, t->rows, t->cols, "the grid", &why))
        return refuse(why.text, "choose another --corner", e);
    if (crs_declare(&c, t->epsg, "the grid", at, &why))
        return refuse(why.text,
                      "choose a projected CRS in metres, such as a UTM zone, or a --corner in it",
                      e);
    return 0;
}

static void take_eruption(const struct terrain *t, struct sciara_case_input *in,
                          struct sciara_rate rate[RATES_MAX])
{
    const struct terrain_eruption lava = terrain_eruption(t);
    sciara_parameters_etna2006(&in->parameters);
    in->parameters.Pcool = lava.cooling;
    in->parameters.Phc_Tvent = lava.critical_m;
    in->parameters.Pclock = lava.clock_s;
    in->calibrated_cell_m = PUBLISHED_CELL_M;
    in->calibrated_clock_s = PUBLISHED_CLOCK_S;
    in->max_steps = lava.max_steps;
    in->rates = rate;
    for (int i = 0; i < in->vent_count; i++)
        for (int k = 0; lava.rate[k] > 0 && in->rate_count < RATES_MAX; k++)
            rate[in->rate_count++] = (struct sciara_rate){
                in->vents[i].id, 3600 * lava.hours * k, 3600 * lava.hours * (k + 1), lava.rate[k]};
}

/* Checks vents and rates on a small piece of ground of the height at the vents; vents share a cell
 * as in the landscape. */
static int check_emission(const struct terrain *t, struct error *e)
{
    enum { ROWS = 3, COLS = 2 + TERRAIN_MAX_VENTS };
    struct terrain_vent vents[TERRAIN_MAX_VENTS];
    struct sciara_vent cell[TERRAIN_MAX_VENTS];
    struct sciara_rate rate[RATES_MAX];
    struct sciara_case_input in;
    struct sciara_error why;
    sciara_case *c;
    double elevation_m[ROWS * COLS];
    sciara_case_input_init(&in, sizeof in);
    in.vent_count = terrain_vents(t, vents);
    if (!in.vent_count) return 0;
    for (int i = 0; i < ROWS * COLS; i++)
        elevation_m[i] = terrain_elevation(t, vents[0].row, vents[0].col);
    for (int i = 0; i < in.vent_count; i++) {
        const bool first = vents[i].row == vents[0].row && vents[i].col == vents[0].col;
        cell[i] = (struct sciara_vent){vents[i].id, 1, first ? 1 : 1 + i};
    }
    in.rows = ROWS;
    in.cols = COLS;
    in.cell_m = t->cell_m;
    in.elevation_m = elevation_m;
    in.vents = cell;
    take_eruption(t, &in, rate);
    if (sciara_case_create(&c, &in, &why)) /* "rates[0]: a rate of ..." */
        return refuse(strchr(why.text, ' ') + 1, "choose larger cells (--cell)", e);
    sciara_case_free(c);
    return 0;
}

int made_case_check(const struct terrain *t, bool whole, struct error *e)
{
    int status = check_grid(t, e);
    return status || !whole ? status : check_emission(t, e);
}
