#include "moved.h"

#include "random/quantile.h"
#include "text/words.h"

#include <math.h>
#include <stdlib.h>

enum { WAYS = 8, STAYS = MOVES, PLACES };

/* The move of a front to the south and to the east, in cells. Both numbers are 0 if the front stays, or if cells are
 * larger than the move. */
static void move_of(const struct sights *x, int move, int *down, int *right)
{
    static const int unit[WAYS][2] = {{-1, 0}, {-1, 1}, {0, 1},  {1, 1},
                                      {1, 0},  {1, -1}, {0, -1}, {-1, -1}};
    const int *way = unit[move % WAYS];
    const double away = (move == STAYS ? 0 : 100.0 * (1 + move / WAYS)) / x->plan->base.geo.cell_m;
    const double cells = away / hypot(way[0], way[1]);
    *down = (int)rint(way[0] * cells);
    *right = (int)rint(way[1] * cells);
}

/* The members are divided into m->sample parts of nearly equal size. Returns the first member of a part. */
static int64_t first_of(const struct moved *m, int64_t part)
{
    return (part * m->members + m->sample - 1) / m->sample;
}

/* Chooses a member of a part. Members of successive parts are at uneven distances, because members at equal distances
 * may be alike: every fourth point of a Sobol sequence is in the same half of a dimension. */
static int64_t member_of(const struct moved *m, int64_t part)
{
    const double turns = 0.6180339887498949 * (double)part;
    const int64_t first = first_of(m, part), count = first_of(m, part + 1) - first;
    return first + (int64_t)((turns - floor(turns)) * (double)count);
}

int moved_open(struct moved *m, const struct sights *sights, int64_t members, struct error *e)
{
    *m = (struct moved){.sights = sights, .members = members};
    m->sample = members < MOVED_SAMPLE ? members : MOVED_SAMPLE;
    for (int k = 0; k < sights->count; k++) m->fronts += sights->of[k].kind == SEEN_FRONT;
    const size_t count = (size_t)m->sample * (size_t)m->fronts * PLACES;
    m->gain = calloc(count + 1, sizeof *m->gain);
    return m->gain ? 0 : error_memory(e);
}

void moved_free(struct moved *m)
{
    RELEASE(m, m->gain);
}

/* A front and its moves. Every move of a cell in `inner` ends in the front's box. */
struct moves {
    const struct sight *front;
    struct window inner;
    int down[PLACES], right[PLACES];
    ptrdiff_t back[PLACES]; /* index of a cell in the box, minus its index after the move */
};

static void set_moves(struct moves *v, const struct sights *x, const struct sight *o)
{
    int most = 0;
    v->front = o;
    for (int i = 0; i < PLACES; i++) {
        move_of(x, i, &v->down[i], &v->right[i]);
        v->back[i] = -(ptrdiff_t)v->down[i] * o->box.cols - v->right[i];
        /* The longest move is equal in all directions, so only moves to the south are compared. */
        if (v->down[i] > most) most = v->down[i];
    }
    v->inner = (struct window){0};
    if (o->box.rows > 2 * most && o->box.cols > 2 * most)
        v->inner = (struct window){o->box.row0 + most, o->box.col0 + most, o->box.rows - 2 * most,
                                   o->box.cols - 2 * most};
}

static void add_cell(int64_t gain[PLACES], const struct moves *v, struct sight_cell at)
{
    const struct sight *o = v->front;
    if (window_place(v->inner, at.row, at.col) != SIZE_MAX) {
        const int64_t *here = o->gain + window_place(o->box, at.row, at.col);
        for (int i = 0; i < PLACES; i++) gain[i] += here[v->back[i]];
        return;
    }
    for (int i = 0; i < PLACES; i++) {
        const size_t k =
            window_place(o->box, (int64_t)at.row - v->down[i], (int64_t)at.col - v->right[i]);
        gain[i] += k == SIZE_MAX ? o->beyond_gain : o->gain[k];
    }
}

void moved_look(struct moved *m, int64_t member, const struct reached *reached, int count)
{
    const struct sights *x = m->sights;
    const int64_t part = member * m->sample / m->members;
    struct sight_cell at[BLOCK_CELLS];
    if (member_of(m, part) != member) return;
    int64_t *gain = m->gain + part * m->fronts * PLACES;
    sights_places(at, reached, count, (uint32_t)x->plan->base.problem.cols);
    for (int k = 0; k < x->count; k++) {
        struct moves v;
        if (x->of[k].kind != SEEN_FRONT) continue;
        set_moves(&v, x, &x->of[k]);
        for (int i = 0; i < count; i++)
            if (reached[i].arrival_class <= x->of[k].edge) add_cell(gain, &v, at[i]);
        gain += PLACES;
    }
}

/* The logarithm of the mean likelihood of the members in the sample, weighted by `before`. gain[i * stride] is
 * the log-likelihood of member i of the sample, in 1 / SIGHTS_UNIT. */
static double evidence(const struct moved *m, const int64_t *gain, const uint64_t *before)
{
    const size_t stride = (size_t)m->fronts * PLACES;
    double most = -INFINITY, sum = 0, all = 0;
    for (int64_t i = 0; i < m->sample; i++)
        if (before[member_of(m, i)]) most = fmax(most, (double)gain[(size_t)i * stride]);
    for (int64_t i = 0; i < m->sample; i++) {
        const double weight = (double)before[member_of(m, i)];
        if (!(weight > 0)) continue;
        sum += weight * real_exp(((double)gain[(size_t)i * stride] - most) / SIGHTS_UNIT);
        all += weight;
    }
    return all > 0 ? most / SIGHTS_UNIT + real_log(sum / all) : 0;
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

void moved_warn(const struct moved *m, const uint64_t *before, struct warnings *told)
{
    static const double LEAST = 20;
    const struct sights *x = m->sights;
    const int64_t *gain = m->gain;
    for (int k = 0; k < x->count; k++) {
        if (x->of[k].kind != SEEN_FRONT) continue;
        const double here = evidence(m, gain + STAYS, before);
        double best = here;
        int move = STAYS;
        for (int i = 0; i < MOVES; i++) {
            const double there = evidence(m, gain + i, before);
            if (there > best) best = there, move = i;
        }
        const double likelier = real_exp(best - here);
        if (likelier >= LEAST) warn_of(x, &x->of[k], move, likelier, told);
        gain += PLACES;
    }
}
