/* Any bytes as a vents CSV: refused with one line, or vents with cells inside the data. */
#include "eruption/vents.h"
#include "fuzz.h"

#include <math.h>

enum { ROWS = 23, COLS = 31 };

static void check(const struct vent_sites *v, const double *z)
{
    if (v->count < 1) abort();
    for (int i = 0; i < v->count; i++) {
        const struct vent_site *s = &v->site[i];
        if (s->id < 1 || s->count < 1 || s->shares != s->count) abort();
        if (i && s->id <= v->site[i - 1].id) abort();
        for (int k = 0; k < s->count; k++) {
            struct vent_cell c = s->cell[k];
            if (c.row < 0 || c.col < 0 || c.row >= ROWS || c.col >= COLS) abort();
            if (isnan(z[c.row * COLS + c.col])) abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static double z[ROWS * COLS];
    const struct georef geo = {.west_m = 499547.5,
                               .south_m = 4174982.5,
                               .cell_m = 10,
                               .crs = {.epsg = 32633, .unit_m = 1}};
    const struct vent_ground ground = {ROWS, COLS, &geo, z, NULL, NULL};
    struct vent_sites v;
    struct error e = {0};
    char path[FUZZ_PATH];
    const int file = fuzz_file(path, data, size);
    z[10 * COLS + 15] = NAN;
    if (vents_read(&v, path, &ground, &e)) {
        if (e.code != ERROR_INPUT || strchr(e.text, '\n') || v.site) abort();
    } else {
        check(&v, z);
    }
    vents_free(&v);
    close(file);
    return 0;
}
