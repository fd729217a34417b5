/* Any bytes as a plan, beside a terrain and tables that are right: refused with one line, or a plan
 * whose members are within the ranges of the model. */
#include "case/resolution.h"
#include "plan/member.h"
#include "plan/plan.h"

#include <math.h>

#include "fuzz_study.h"

enum { LOOKED_AT = 40 };

static void check_vents(const struct problem *q)
{
    for (int i = 0; i < q->vent_count; i++) {
        const struct vent *v = &q->vents[i];
        if (v->row < 0 || v->row >= 6 || v->col < 0 || v->col >= 8) abort();
        for (int k = 0; k < v->interval_count; k++)
            if (!(v->amount_m[k] >= 0 && v->amount_m[k] <= 500)) abort();
    }
}

static void check_member(const struct member *m)
{
    const struct problem *q = &m->c.problem;
    char text[64];
    if (m->weight < 1 || q->rows != 6 || q->cols != 8 || m->c.max_steps < 0) abort();
    for (int i = 0; i < PARAMETERS; i++) {
        const double value = params_value(resolution_given(&m->c), &params_table[i]);
        if (!(value >= params_table[i].low && value <= params_table[i].high)) abort();
    }
    if (!(q->params.temp_vent_K > q->params.temp_sol_K)) abort();
    for (int i = 0; i < 48; i++)
        if (!isnan(q->elevation_m[i]) &&
            !(q->elevation_m[i] >= ELEVATION_MIN_M && q->elevation_m[i] <= ELEVATION_MAX_M))
            abort();
    check_vents(q);
    for (int i = 0; i < m->plan->column_count; i++) {
        member_value(m, i, text);
        if (strlen(text) >= sizeof text || !plan_column(m->plan, i)) abort();
    }
}

static void check(const struct plan *p)
{
    uint64_t sum = 0;
    if (p->count < 1 || p->count > PLAN_MEMBERS_MAX) abort();
    for (int64_t i = 0; i < LOOKED_AT && i < p->count; i++) {
        struct member m;
        struct error e = {0};
        if (member_create(&m, p, p->count - 1 - i, &e)) {
            if (e.code != ERROR_INPUT || strchr(e.text, '\n') || m.c.path) abort();
            continue;
        }
        check_member(&m);
        sum += m.weight;
        member_free(&m);
    }
    if (sum >= (uint64_t)1 << 53) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plan *p = NULL;
    struct error e = {0};
    if (fuzz_begin()) {
        write_plan(&scratch);
        put_grid(&scratch, "thick.asc", 2);
        put_text(&scratch, "chance.asc",
                 "ncols 4\nnrows 3\nxllcorner 500000\nyllcorner 4000000\ncellsize 20\n"
                 "NODATA_value -9999\n0 1 0 0\n0 0 3 0\n-9999 0 0 0\n");
        put_text(&scratch, "shares.csv", "vent,from_h,to_h,share\n1,0,2,3\n2,1,3,5\n");
        put_text(&scratch, "total.csv", "vent,from_h,to_h,rate_m3_s\n*,0,2,1\n*,2,3,0.5\n");
    }
    const char *path = scratch_file(&scratch, "plan.cfg");
    put_bytes(path, data, size);
    if (plan_read(&p, path, NULL, NULL, &e)) {
        if (e.code != ERROR_INPUT || strchr(e.text, '\n') || p) abort();
    } else {
        check(p);
    }
    plan_free(p);
    return 0;
}
