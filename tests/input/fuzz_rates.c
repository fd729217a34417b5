/* Any bytes as effusion rates, as CSV (first byte even) or in the original format, by either rule
 * (second bit): refused with one line, or tables of steps that increase and end. */
#include "eruption/emission.h"
#include "sim/vent.h"
#include "fuzz.h"

static void check(const struct vent *v)
{
    for (int i = 0; i < v->interval_count; i++) {
        if (v->first_step[i] < 1 || !(v->amount_m[i] >= 0 && v->amount_m[i] <= 100)) abort();
        if (i && v->first_step[i] <= v->first_step[i - 1]) abort();
        if (v->amount_m[i] == (i ? v->amount_m[i - 1] : 0) &&
            v->fraction[i] == (i ? v->fraction[i - 1] : 0))
            abort();
    }
    const int n = v->interval_count;
    if (n && (v->amount_m[n - 1] != 0 || v->fraction[n - 1])) abort();
    const int64_t last = vent_last_step(v);
    if (last < 0 || (last && vent_amount_m(v, last) == 0) || (n && last >= v->first_step[n - 1]))
        abort();
}

static int read_all(struct vent **vents, int *count, const char *path, int original,
                    enum emission_rule rule, struct rate_lists *rates, struct error *e)
{
    struct vent_cell cell[] = {{1, 1, false}, {1, 2, false}, {1, 3, false}};
    struct vent_site site[] = {{.id = 1, .count = 1, .cell = cell, .shares = 1},
                               {.id = 2, .count = 2, .cell = cell + 1, .shares = 2}};
    const struct vent_sites sites = {.path = "vents.csv", .count = 2, .site = site};
    const struct params params = {.clock_s = 120, .cell_m = 10};
    int status = original ? rates_read_original(rates, path, params.clock_s, e)
                          : rates_read(rates, path, params.clock_s, "2006-07-12T06:00:00Z", e);
    if (status) return status;
    const struct emission_input in = {&sites, rates, &params, rule, original != 0};
    return emission_create(vents, count, &in, e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rate_lists rates;
    struct vent *vents = NULL;
    struct error e = {0};
    char path[FUZZ_PATH];
    int count = 0;
    if (size == 0) data = (const uint8_t *)"", size = 1;
    const int file = fuzz_file(path, data + 1, size - 1);
    const enum emission_rule rule = data[0] & 2 ? EMISSION_PUBLISHED : EMISSION_INTEGRAL;
    if (read_all(&vents, &count, path, data[0] & 1, rule, &rates, &e)) {
        if (e.code != ERROR_INPUT || strchr(e.text, '\n') || vents) abort();
    } else {
        for (int i = 0; i < count; i++) check(&vents[i]);
    }
    emission_free(vents, count);
    rates_free(&rates);
    close(file);
    return 0;
}
