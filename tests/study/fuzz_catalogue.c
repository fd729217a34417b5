/* Any bytes as a catalogue of eruptions: refused with one line, or rates and shares of every zone, band and class. */
#include "volcano/catalogue.h"
#include "fuzz.h"

#include <math.h>

static void check(const struct catalogue *c)
{
    double rate = 0;
    if (c->kinds != 4 || c->classes < 2 || c->count < 1.5) abort();
    for (int k = 0; k < c->kinds; k++) {
        const struct eruption_kind *kind = &c->kind[k];
        double sum = 0;
        if (!(kind->shape > 0 && kind->years > 0 && kind->spread >= 0)) abort();
        for (int i = 0; i < c->classes; i++) {
            if (!(kind->share[i] >= 0) || !(c->class[i].volume_m3 > 0)) abort();
            if (!(c->class[i].duration_s > 0)) abort();
            sum += kind->share[i];
        }
        if (fabs(sum - 1) > 1e-9) abort();
        rate += kind_rate(kind);
    }
    if (!(fabs(c->rate - rate) <= 1e-9 * rate)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char zones[2][40] = {"north", "south"};
    char path[FUZZ_PATH];
    struct error e = {0};
    struct catalogue c;
    const int file = fuzz_file(path, data, size);
    const struct catalogue_request w = {.path = path,
                                        .now = 2020,
                                        .bands = 2,
                                        .band = {{0, 1900}, {5000, 1800}},
                                        .classes = 3,
                                        .lognormal = size % 2};
    if (catalogue_read(&c, &w, zones, 2, &e)) {
        if (e.code != ERROR_INPUT || strchr(e.text, '\n') || c.eruption) abort();
    } else {
        check(&c);
        catalogue_free(&c);
    }
    close(file);
    return 0;
}
