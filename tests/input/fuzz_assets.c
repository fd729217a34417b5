/* Any text as places of interest: refused with one line, or cells of the grid in order. */
#include "case/assets.h"
#include "fuzz.h"

#include <stdio.h>
#include <unistd.h>

enum { ROWS = 9, COLS = 11 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct georef geo = {
        .west_m = 1000, .south_m = 2000, .cell_m = 10, .crs = {.epsg = 32633}};
    struct error e = {0};
    struct assets a;
    char path[64];
    snprintf(path, sizeof path, "/tmp/fuzz-assets-%ld", (long)getpid());
    put_bytes(path, data, size);
    if (assets_read(&a, path, ROWS, COLS, &geo, &e)) {
        if (e.code != ERROR_INPUT || strchr(e.text, '\n') || a.asset) abort();
    } else {
        if (!a.count) abort();
        for (int i = 0; i < a.count; i++) {
            const struct asset *x = &a.asset[i];
            if (!x->cells || !x->parts || strchr(x->name, '\n')) abort();
            for (uint32_t k = 0; k < x->cells; k++)
                if (x->cell[k] >= ROWS * COLS || (k && x->cell[k] <= x->cell[k - 1])) abort();
        }
        assets_free(&a);
    }
    remove(path);
    return 0;
}
