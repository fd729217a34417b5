/* Any bytes as a case file, beside a terrain, vents, rates and a thickness that are right: refused
 * with one line, or a problem within its ranges. */
#include "case/case.h"

#include <math.h>

#include "case_files.h"
#include "fuzz.h"

static void check(const struct sim_case *c)
{
    const struct problem *p = &c->problem;
    if (p->rows != 6 || p->cols != 8 || !p->elevation_m || p->reduce_every < 1) abort();
    if (!(p->params.clock_s > 0 && p->params.temp_vent_K > p->params.temp_sol_K)) abort();
    if (!(p->params.rate_sol > 0 && p->params.rate_sol <= 1)) abort();
    for (int i = 0; i < p->rows * p->cols; i++) {
        if (!isnan(p->elevation_m[i]) && fabs(p->elevation_m[i]) > 10000) abort();
        if (p->thickness_m && p->thickness_m[i] > 0 &&
            !(p->temp_K[i] >= p->params.temp_sol_K && p->temp_K[i] <= p->params.temp_vent_K))
            abort();
    }
    if (!*c->name || c->max_steps < 0 || c->snapshot_every < 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sim_case c;
    struct error e = {0};
    if (fuzz_begin()) {
        write_case(&scratch);
        put_grid(&scratch, "thick.asc", 2);
        put_grid(&scratch, "temp.asc", 1200);
    }
    const char *path = scratch_file(&scratch, "case.cfg");
    put_bytes(path, data, size);
    if (case_load(&c, path, &e)) {
        if (e.code != ERROR_INPUT || strchr(e.text, '\n') || c.path) abort();
    } else {
        check(&c);
    }
    case_free(&c);
    return 0;
}
