/* local.c — what was seen in the cell itself. A front changes the weights of whole members, of which many
 * have lava a few cells from where it was seen: in a cell that is known to be dry, those that had lava by then
 * no longer count. */
#include "nowcast.h"

#include "random/quantile.h"

#include <math.h>
#include <stdlib.h>

double nowcast_given(struct sight_here seen, double came, double reached, double all)
{
    const double likely = seen.odds == 0 ? came : real_exp(seen.odds) * came;
    return (likely + reached - came) / (likely + all - came);
}

/* Lava in any of its cells is lava; without, all have to be seen. */
static struct sight_here look_at_place(const struct nowcast *x, const struct asset *a,
                                       double until_s)
{
    const uint32_t cols = (uint32_t)x->ask.of.plan->base.problem.cols;
    struct sight_here most = {.odds = -INFINITY};
    for (uint32_t i = 0; i < a->cells; i++) {
        const struct sight_here here =
            sights_here(&x->sights, until_s, a->cell[i] / cols, a->cell[i] % cols);
        if (here.odds > most.odds) most = here;
    }
    return isinf(most.odds) ? (struct sight_here){.odds = 0} : most;
}

int nowcast_look_at_places(struct nowcast *x, struct error *e)
{
    const size_t places = (size_t)x->places;
    if (!(x->here = calloc(NOWCAST_SETS * places + 1, sizeof *x->here))) return error_memory(e);
    for (size_t set = NOWCAST_YESTERDAY; set < NOWCAST_SETS; set++)
        for (size_t i = 0; i < places; i++)
            x->here[set * places + i] =
                look_at_place(x, &x->ask.of.s.assets.asset[i], x->set[set].until_s);
    return 0;
}

int nowcast_look_at_front(struct nowcast *x, struct nowcast_front *f, struct error *e)
{
    const struct window box = x->sights.of[f->sight].domain.box;
    const size_t cells = window_cells(box);
    if (!(f->here = calloc(cells, sizeof *f->here))) return error_memory(e);
    for (size_t i = 0; i < cells; i++)
        f->here[i] = sights_here(&x->sights, x->set[f->set].until_s,
                                 (uint32_t)box.row0 + (uint32_t)(i / (size_t)box.cols),
                                 (uint32_t)box.col0 + (uint32_t)(i % (size_t)box.cols));
    return 0;
}
