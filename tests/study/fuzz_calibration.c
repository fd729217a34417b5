/* Any bytes as the plan of a calibration, or as the state of one, beside a terrain and tables that
 * are right: refused with one line, or a search whose candidates are between its bounds. */
#include "calibration/calibration.h"

#include "fuzz_study.h"

static const char STATE[] = "sciara calibration 3\n";

static void check_search(struct calibration *c)
{
    int count;
    int observed = 0;
    if (c->fits < 1 || c->fits > FITS_MAX || c->eruptions < 1) abort();
    for (int k = 0; k < c->eruptions; k++) {
        const struct eruption *x = &c->eruption[k];
        if (x->first != observed || !x->observed.count || x->observed.count > OBSERVATIONS_MAX)
            abort();
        observed += x->observed.count;
    }
    if (c->observations != observed) abort();
    if (c->keys.population > 1000 || c->keys.posterior_members > 1000) return;
    const double *unit = c->posterior ? smc_ask(c->posterior) : search_ask(&c->search, &count);
    if (c->posterior) count = smc_population(c->posterior);
    for (int i = 0; i < count * c->fits; i++) {
        const struct fit *f = &c->fit[i % c->fits];
        const double value = fit_value(f, unit[i]);
        if (!(value >= f->low && value <= f->high)) abort();
    }
}

static void read_plan(const char *path, bool hold_out, bool posterior)
{
    const struct calibration_options w = {.hold_out = hold_out, .posterior = posterior, .seed = -1};
    struct calibration c;
    struct error e = {0};
    int status = calibration_open(&c, path, &w, &e);
    check_refusal(status, &e);
    if (!status) check_search(&c);
    calibration_close(&c);
}

static void read_state(const char *path, const uint8_t *data, size_t size)
{
    const struct calibration_options w = {.seed = -1};
    struct calibration c;
    struct error e = {0};
    if (calibration_open(&c, scratch_file(&scratch, "good.cfg"), &w, &e)) abort();
    put_state(path, STATE, c.digest, data, size);
    check_refusal(state_read(&calibration_state, &c, path, &e), &e);
    calibration_close(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (fuzz_begin()) {
        write_plan(&scratch);
        put_grid(&scratch, "flow.asc", 1);
        put_text(&scratch, "good.cfg",
                 CASE_TEXT "max_steps 100\noutline flow.asc\nfit_Pcool 1 5 log\n");
        put_text(&scratch, "other.cfg",
                 CASE_TEXT "run_h 4\noutline flow.asc\nfit_rate_factor 0.5 2\n"
                           "hold_out after 1.5\nobserved_outline flow.asc at 1\n");
        put_text(&scratch, "front.csv", "x,y,time\n500045,4000045,1\n500055,4000045,90min\n");
    }
    const char *path = scratch_file(&scratch, "plan.cfg");
    put_bytes(path, data, size);
    if (size > strlen(STATE) && !memcmp(data, STATE, strlen(STATE))) {
        read_state(path, data + strlen(STATE), size - strlen(STATE));
    } else {
        read_plan(path, false, false);
        read_plan(path, true, true);
    }
    return 0;
}
