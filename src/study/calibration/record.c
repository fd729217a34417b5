/* record.c — a search in a file (study/state.h): what every evaluation has found. The search is led
 * to where it was by being given the same scores again. */
#include "calibration.h"

#include <stdlib.h>

static uint64_t digest(const void *of)
{
    return ((const struct calibration *)of)->digest;
}

static void put(const void *of, struct packed_out *o)
{
    const struct calibration *cal = of;
    packed_put(o, (uint64_t)cal->count);
    for (int i = 0; i < cal->count; i++) {
        const struct evaluation *x = &cal->evaluation[i];
        packed_put(o, (uint64_t)x->generation);
        packed_put(o, (uint64_t)x->restart << 1 | (uint64_t)x->possible);
        packed_put_real(o, x->score);
        packed_put_real(o, x->error);
        for (int k = 0; k < cal->fits; k++) packed_put_real(o, x->value[k]);
        for (int k = 0; k < details_count(&cal->details); k++)
            packed_put_real(o, evaluation_detail(cal, i)[k]);
    }
}

static void get_evaluation(struct packed_in *i, const struct calibration *cal, struct evaluation *x,
                           double *detail)
{
    x->generation = (int64_t)packed_get(i, INT64_MAX);
    const uint64_t flags = packed_get(i, INT32_MAX);
    x->restart = (int)(flags >> 1);
    x->possible = flags & 1;
    x->score = packed_get_real(i);
    x->error = packed_get_real(i);
    for (int k = 0; k < cal->fits; k++) x->value[k] = packed_get_real(i);
    for (int k = 0; k < details_count(&cal->details); k++) detail[k] = packed_get_real(i);
}

/* Evaluations one by one: a file that claims too many ends before there is memory for them. */
static int get_list(struct packed_in *i, struct calibration *list, int count, struct error *e)
{
    double detail[2 * (OBSERVED_ALL_MAX + ERUPTIONS_MAX)];
    int status = 0;
    while (list->count < count && !i->bad && !status) {
        struct evaluation x;
        get_evaluation(i, list, &x, detail);
        status = evaluation_keep(list, &x, detail, e);
    }
    return status || packed_get_sum(i) ? status : STATE_DAMAGED;
}

static int get(void *of, struct packed_in *i, struct error *e)
{
    struct calibration *cal = of;
    struct calibration list = {.fits = cal->fits, .details = cal->details, .best = -1};
    const int count = (int)packed_get(i, INT32_MAX);
    int status = get_list(i, &list, count, e);
    if (!status) status = calibration_replay(cal, &list, i->path, e);
    free(list.evaluation);
    free(list.detail);
    return status;
}

const struct state_kind calibration_state = {.magic = "sciara calibration 3\n",
                                             .what = "a calibration",
                                             .digest = digest,
                                             .put = put,
                                             .get = get};
