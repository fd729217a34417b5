/* sensitivity_state.c — a sensitivity analysis in a file: the values of all points and the sums of
 * all cells (study/state.h). It depends on the groups that are done alone, not on who did them. */
#include "sensitivity.h"

#include <inttypes.h>
#include <stdlib.h>

/* How far each place is from the one before, and its sums; in the end farther than any place. */
static void put_cells(struct packed_out *o, const struct cells *cells)
{
    size_t gap = 0;
    for (size_t i = 0; i < cells->places; i++, gap++) {
        const int64_t *sum = cells_at(cells, i);
        if (!sum) continue;
        packed_put(o, gap);
        for (size_t k = 0; k < cells_stride(cells); k++) packed_put_signed(o, sum[k]);
        gap = SIZE_MAX; /* 0 after the step to the next */
    }
    packed_put(o, cells->places);
}

static void put_stage(struct packed_out *o, const struct sensitivity *x, const struct stage *s)
{
    const int64_t values = s->done * s->design.points * x->quantities;
    packed_put(o, (uint64_t)s->done);
    packed_put(o, s->runs_digest);
    packed_put(o, (uint64_t)s->left);
    for (int64_t i = 0; i < values; i++) packed_put_real(o, s->value[i]);
    for (int q = 0; q < x->quantities; q++) packed_put_real(o, s->noise[q]);
    put_cells(o, &s->cells);
}

static uint64_t digest(const void *of)
{
    return ((const struct sensitivity *)of)->digest;
}

static void put(const void *of, struct packed_out *o)
{
    const struct sensitivity *x = of;
    packed_put(o, (uint64_t)x->quantities);
    for (int i = 0; i < STAGES; i++) put_stage(o, x, &x->stage[i]);
}

static bool get_cells(struct packed_in *i, struct cells *cells, struct error *e, int *status)
{
    for (size_t place = 0; !i->bad; place++) {
        const uint64_t gap = packed_get(i, cells->places);
        if (gap == cells->places) return !i->bad;
        if (gap >= cells->places - place) return false;
        place += (size_t)gap;
        const int64_t slot = cells_open(cells, (uint32_t)place);
        if (slot < 0) return *status = error_memory(e), false;
        int64_t *sum = cells->sum + (size_t)slot * cells_stride(cells);
        for (size_t k = 0; k < cells_stride(cells); k++) sum[k] = packed_get_signed(i);
        if (sum[CELL_ALL] <= 0) return false;
        if (place + 1 == cells->places)
            return packed_get(i, cells->places) == cells->places && !i->bad;
    }
    return false;
}

/* Values as they come: a file that claims too many ends before there is memory for them. */
static bool get_values(struct packed_in *i, struct stage *s, int64_t count, struct error *e,
                       int *status)
{
    enum { AT_ONCE = 1 << 16 };
    int64_t room = 0;
    for (int64_t k = 0; k < count && !i->bad; k++) {
        if (k == room) {
            room = count - room < AT_ONCE ? count : room + AT_ONCE;
            double *more = realloc(s->value, (size_t)room * sizeof *more);
            if (!more) return *status = error_memory(e), false;
            s->value = more;
        }
        s->value[k] = packed_get_real(i);
    }
    return !i->bad;
}

static bool get_stage(struct packed_in *i, const struct sensitivity *x, struct stage *s,
                      struct error *e, int *status)
{
    const int64_t done = (int64_t)packed_get(i, SENSITIVITY_SAMPLES_MAX);
    s->runs_digest = packed_get(i, UINT64_MAX);
    s->left = (int64_t)packed_get(i, PLAN_MEMBERS_MAX);
    if (!get_values(i, s, done * s->design.points * x->quantities, e, status)) return false;
    for (int q = 0; q < x->quantities; q++) s->noise[q] = packed_get_real(i);
    s->done = done;
    return get_cells(i, &s->cells, e, status);
}

static int check_groups(const struct sensitivity *x, const char *path, struct error *e)
{
    for (int k = 0; k < STAGES; k++) {
        const struct stage *s = &x->stage[k];
        if (s->wanted && s->done > s->design.groups)
            return error_input(e,
                               "%s: has %" PRId64 " %s, more than the %" PRId64
                               " requested; request at least as many, or choose another folder",
                               path, s->done, k == STAGE_MORRIS ? "trajectories" : "samples",
                               s->design.groups);
    }
    return 0;
}

static int get(void *of, struct packed_in *i, struct error *e)
{
    struct sensitivity *x = of;
    int status = 0;
    if (packed_get(i, QUANTITIES_MAX) != (uint64_t)x->quantities) return STATE_DAMAGED;
    for (int k = 0; k < STAGES; k++)
        if (!get_stage(i, x, &x->stage[k], e, &status)) return status ? status : STATE_DAMAGED;
    return packed_get_sum(i) ? check_groups(x, i->path, e) : STATE_DAMAGED;
}

const struct state_kind sensitivity_state = {.magic = "sciara sensitivity 2\n",
                                             .what = "a sensitivity analysis",
                                             .digest = digest,
                                             .put = put,
                                             .get = get};
