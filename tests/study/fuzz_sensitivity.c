/* Any bytes as the plan of a sensitivity analysis, or as the state of one, beside a terrain and
 * tables that are right: refused with one line, or points between the bounds. */
#include "sensitivity/sensitivity.h"

#include "fuzz_study.h"

static const char STATE[] = "sciara sensitivity 2\n";
/* Few groups: more of them are computed in the same way, and nobody has looked at more points. */
static const struct sensitivity_options few = {.samples = 4, .trajectories = 3, .seed = -1};

static void check_points(const struct sensitivity *x, const struct stage *s)
{
    for (int64_t i = 0; i < s->design.groups * s->design.points; i++) {
        double value[FITS_MAX];
        sensitivity_point(x, &s->design, i / s->design.points, (int)(i % s->design.points), value);
        for (int k = 0; k < x->fits; k++)
            if (!(value[k] >= x->fit[k].low && value[k] <= x->fit[k].high)) abort();
    }
}

static void read_plan(const char *path)
{
    struct sensitivity x;
    struct error e = {0};
    int status = sensitivity_open(&x, path, &few, &e);
    check_refusal(status, &e);
    for (int i = 0; i < STAGES && !status; i++)
        if (x.stage[i].wanted) check_points(&x, &x.stage[i]);
    if (!status && (x.fits < 1 || x.quantities < 4 || x.quantities > QUANTITIES_MAX)) abort();
    study_sensitivity.close(&x);
}

static void read_state(const char *path, const uint8_t *data, size_t size)
{
    struct sensitivity x;
    struct error e = {0};
    if (sensitivity_open(&x, scratch_file(&scratch, "good.cfg"), &few, &e)) abort();
    put_state(path, STATE, x.digest, data, size);
    check_refusal(state_read(&sensitivity_state, &x, path, &e), &e);
    study_sensitivity.close(&x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (fuzz_begin()) {
        write_plan(&scratch);
        put_grid(&scratch, "flow.asc", 1);
        put_text(&scratch, "good.cfg", CASE_TEXT "max_steps 100\nfit_Pcool 1 5 log\n");
    }
    const char *path = scratch_file(&scratch, "plan.cfg");
    const size_t magic = strlen(STATE);
    if (size > magic && !memcmp(data, STATE, magic)) {
        read_state(path, data + magic, size - magic);
    } else {
        put_bytes(path, data, size);
        read_plan(path);
    }
    return 0;
}
