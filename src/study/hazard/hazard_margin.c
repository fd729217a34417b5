/* hazard_margin.c — eruptions with lava that leaves the terrain: their number per year, and the margin in which the map
 * is not valid. Lava beyond the border is not simulated, so lava that would come back elsewhere is missing from the
 * map. The margin has all cells within a radius of the border cells that lava reaches. The radius is the 95th
 * percentile of the breadth (area divided by run-out) of the flows that leave the terrain. */
#include "hazard.h"

#include "plan/plan.h"
#include "products/products.h"
#include "record/roundnum.h"
#include "text/words.h"
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REACHED = 1, MARGIN = 2 };

static double member_rate(const struct hazard *x, int64_t member)
{
    double rate = 0;
    for (int z = 0; z < x->zones; z++) rate += x->member[member].part[z];
    return rate;
}

/* Sets the width of the margin: the 95th percentile of the breadth of flows that leave the terrain, in whole cells. */
static int set_width(struct hazard *x, struct error *e)
{
    const struct ensemble *s = &x->ask.of.s;
    const double cell_m = s->source->base->geo.cell_m;
    FREED struct weighted *of = malloc(((size_t)s->source->count + 1) * sizeof *of);
    int64_t count = 0;
    if (!of) return error_memory(e);
    for (int64_t i = 0; i < s->source->count; i++) {
        const struct member_result *r = &s->result[i];
        if (!x->ask.weight[i] || !member_off_terrain(r)) continue;
        const double area_m2 = (double)r->cells * cell_m * cell_m,
                     long_m = r->runout_m > 0 ? r->runout_m : sqrt(area_m2);
        of[count++] = (struct weighted){area_m2 / long_m, x->ask.weight[i]};
        x->left += member_rate(x, i);
    }
    if (count) x->margin_m = fmax(1, ceil(percentiles_of(of, count).p95 / cell_m)) * cell_m;
    return 0;
}

/* Sets *is to whether the cell is on the border of the grid, or has a neighbour that is neither terrain nor sea. */
static int is_border(bool *is, const struct plan *p, int row, int col, struct error *e)
{
    const struct vent_ground g = plan_ground(p);
    *is = row == 0 || col == 0 || row == g.rows - 1 || col == g.cols - 1;
    for (int r = row - 1; r <= row + 1 && !*is; r++)
        for (int c = col - 1; c <= col + 1 && !*is; c++) {
            bool has;
            const int status = vent_has_ground(&g, (struct vent_cell){r, c, false}, &has, e);
            if (status) return status;
            *is = !has && !(g.sea && g.sea[(size_t)r * (size_t)g.cols + (size_t)c]);
        }
    return 0;
}

static void mark_around(struct hazard *x, int row, int col)
{
    const struct problem *q = &x->ask.of.plan->base.problem;
    const double far = x->margin_m / x->ask.of.plan->base.geo.cell_m;
    for (int r = (int)fmax(0, row - far); r < q->rows && r <= row + far; r++) {
        const double half = sqrt(far * far - (r - row) * (r - row));
        for (int c = (int)fmax(0, ceil(col - half)); c < q->cols && c <= col + half; c++)
            x->margin[(size_t)r * (size_t)q->cols + (size_t)c] |= MARGIN;
    }
}

void hazard_see_left(struct hazard *x, const struct reached *reached, int count)
{
    for (int i = 0; i < count; i++) x->margin[reached[i].place] = REACHED;
}

int hazard_set_margin(struct hazard *x, struct error *e)
{
    const struct problem *q = &x->ask.of.plan->base.problem;
    int status = set_width(x, e);
    for (int row = 0; row < q->rows && !status && x->margin_m > 0; row++)
        for (int col = 0; col < q->cols && !status; col++) {
            bool is = false;
            if (!(x->margin[(size_t)row * (size_t)q->cols + (size_t)col] & REACHED)) continue;
            status = is_border(&is, x->ask.of.plan, row, col, e);
            if (is) mark_around(x, row, col);
        }
    return status;
}

bool hazard_in_margin(const struct hazard *x, size_t cell)
{
    return x->margin[cell] & MARGIN;
}

bool hazard_place_in_margin(const struct hazard *x, int place)
{
    const struct asset *a = &x->ask.of.s.assets.asset[place];
    for (uint32_t i = 0; i < a->cells; i++)
        if (hazard_in_margin(x, a->cell[i])) return true;
    return false;
}

void hazard_warn(const struct study_job *j, struct warnings *w)
{
    const struct hazard *x = j->self;
    const struct ensemble *s = &x->ask.of.s;
    char text[WARNING_TEXT], part[32], rate[32], width[32];
    if (x->ask.partial) products_warn_incomplete(w, x->ask.kept, s->source->count);
    assets_warn(&s->assets, s->source->assets, w);
    report_warn_of_cut(s, w);
    if (!(x->left > 0)) return;
    roundnum_brief(part, 100 * x->left / x->all);
    roundnum_brief(rate, x->left);
    roundnum_brief(width, x->margin_m);
    words_pack(text, sizeof text,
               "lava of %s %% of the eruptions, %s a year, leaves the terrain; maps of years are "
               "not valid within %s m of this border",
               part, rate, width);
    warnings_add(w, WARNING_RESULT, text, "use a larger DEM");
}
