#include "search.h"

#include "random/philox.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_START = 68 };
static const double STEP = 0.3;

double search_fold(double x)
{
    const double y = fabs(x) - 2 * floor(fabs(x) / 2); /* from 0 to 2 */
    return y <= 1 ? y : 2 - y;
}

static int begin_descent(struct search *s, int population, struct error *e)
{
    const struct cmaes_options o = {.dimensions = s->options.dimensions,
                                    .population = population,
                                    .start = s->start,
                                    .step = STEP,
                                    .tol_x = s->options.tol_x / STEP,
                                    .tol_cost = s->options.tol_score,
                                    .seed = s->options.seed,
                                    .first = s->asked};
    int status = cmaes_create(&s->now, &o, e);
    if (status) return status;
    const size_t count = (size_t)cmaes_population(s->now);
    FREE_ALL(s->point, s->cost);
    s->point = malloc(count * (size_t)o.dimensions * sizeof *s->point);
    s->cost = malloc(count * sizeof *s->cost);
    return s->point && s->cost ? 0 : error_memory(e);
}

int search_create(struct search *s, const struct search_options *o, struct error *e)
{
    *s = (struct search){.options = *o};
    memcpy(s->start, o->start, (size_t)o->dimensions * sizeof *o->start);
    int status = begin_descent(s, o->population, e);
    if (status) search_free(s);
    return status;
}

void search_free(struct search *s)
{
    cmaes_destroy(s->now);
    RELEASE(s, s->point, s->cost);
}

const double *search_ask(struct search *s, int *count)
{
    *count = cmaes_population(s->now);
    const double *x = cmaes_ask(s->now);
    for (int i = 0; i < *count * s->options.dimensions; i++) s->point[i] = search_fold(x[i]);
    return s->point;
}

static int restart(struct search *s, struct error *e)
{
    const int population = cmaes_population(s->now);
    s->restart++;
    for (int i = 0; i < s->options.dimensions; i++)
        s->start[i] = philox_unit(
            philox_bits(s->options.seed, STREAM_START, (uint64_t)s->restart, (uint32_t)i));
    cmaes_destroy(s->now);
    s->now = NULL;
    return begin_descent(s, population <= CMAES_POPULATION_MAX / 2 ? 2 * population : population,
                         e);
}

int search_tell(struct search *s, const double *score, struct error *e)
{
    const int count = cmaes_population(s->now);
    for (int i = 0; i < count; i++) s->cost[i] = -score[i];
    int status = cmaes_tell(s->now, s->cost, e);
    if (status) return status;
    s->asked += count;
    s->generation++;
    return cmaes_stop(s->now) == CMAES_CONTINUES ? 0 : restart(s, e);
}
