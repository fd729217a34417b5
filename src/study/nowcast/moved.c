#include "moved.h"

#include "random/quantile.h"
#include "text/words.h"

#include <math.h>
#include <stdlib.h>

enum { WAYS = 8 };

/* By how many cells a front is moved, to the south and east; 0 and 0 where cells are as large as that. */
static void move_of(const struct sights *x, int move, int *down, int *right)
{
    static const int unit[WAYS][2] = {{-1, 0}, {-1, 1}, {0, 1},  {1, 1},
                                      {1, 0},  {1, -1}, {0, -1}, {-1, -1}};
    const int *way = unit[move % WAYS];
    const double away = 100.0 * (1 + move / WAYS) / x->plan->base.geo.cell_m;
    const double cells = away / hypot(way[0], way[1]);
    *down = (int)rint(way[0] * cells);
    *right = (int)rint(way[1] * cells);
}

int moved_open(struct moved *m, const struct sights *sights, int64_t members, struct error *e)
{
    *m = (struct moved){.sights = sights};
    for (int k = 0; k < sights->count; k++) m->fronts += sights->of[k].kind == SEEN_FRONT;
    const size_t count = (size_t)members * (size_t)m->fronts * MOVES;
    m->gain = calloc(count + 1, sizeof *m->gain);
    return m->gain ? 0 : error_memory(e);
}

void moved_free(struct moved *m)
{
    RELEASE(m, m->gain);
}

static int64_t gain_of(const struct sight *o, const struct reached *reached,
                       const struct sight_cell *at, int count, int down, int right)
{
    int64_t gain = 0;
    for (int i = 0; i < count; i++) {
        if (reached[i].arrival_class > o->edge) continue;
        const size_t k =
            window_place(o->box, (int64_t)at[i].row - down, (int64_t)at[i].col - right);
        gain += k == SIZE_MAX ? o->beyond_gain : o->gain[k];
    }
    return gain;
}

void moved_look(struct moved *m, int64_t member, const struct reached *reached, int count)
{
    const struct sights *x = m->sights;
    struct sight_cell at[BLOCK_CELLS];
    int64_t *gain = m->gain + member * m->fronts * MOVES;
    sights_places(at, reached, count, (uint32_t)x->plan->base.problem.cols);
    for (int k = 0; k < x->count; k++) {
        if (x->of[k].kind != SEEN_FRONT) continue;
        for (int move = 0; move < MOVES; move++) {
            int down, right;
            move_of(x, move, &down, &right);
            *gain++ += gain_of(&x->of[k], reached, at, count, down, right);
        }
    }
}

/* The logarithm of the mean likelihood of all members, of which gain[i * stride] are the logarithms. */
static double evidence(const int64_t *gain, size_t stride, const uint64_t *before, int64_t members)
{
    double most = -INFINITY, sum = 0, all = 0;
    for (int64_t i = 0; i < members; i++)
        if (before[i]) most = fmax(most, (double)gain[(size_t)i * stride]);
    for (int64_t i = 0; i < members; i++) {
        if (!before[i]) continue;
        const double less = ((double)gain[(size_t)i * stride] - most) / SIGHTS_UNIT;
        sum += (double)before[i] * real_exp(less);
        all += (double)before[i];
    }
    return most / SIGHTS_UNIT + real_log(sum / all);
}

static void warn_of(const struct sights *x, const struct sight *o, int move, double likelier,
                    struct warnings *told)
{
    char text[512];
    int down, right;
    move_of(x, move, &down, &right);
    if (!down && !right) return;
    words_pack(text, sizeof text, "the %s is %.0f times likelier moved by %d m (bearing %d°)",
               o->said, fmin(1000, likelier), 100 * (1 + move / WAYS), 360 / WAYS * (move % WAYS));
    warnings_add(told, WARNING_RESULT, text,
                 "check its CRS and its time, and whether it is of this eruption");
}

void moved_warn(const struct moved *m, const struct sight_of_member *mine, const uint64_t *before,
                int64_t members, struct warnings *told)
{
    static const double LEAST = 20;
    const struct sights *x = m->sights;
    const size_t own = sizeof *mine / sizeof mine->gain * (size_t)x->count;
    for (int k = 0, front = 0; k < x->count; k++) {
        if (x->of[k].kind != SEEN_FRONT) continue;
        const int64_t *gain = m->gain + (front++ * MOVES);
        const double here = evidence(&mine[k].gain, own, before, members);
        double best = here;
        int move = 0;
        for (int i = 0; i < MOVES; i++) {
            const double there = evidence(gain + i, (size_t)m->fronts * MOVES, before, members);
            if (there > best) best = there, move = i;
        }
        const double likelier = real_exp(best - here);
        if (likelier >= LEAST) warn_of(x, &x->of[k], move, likelier, told);
    }
}
