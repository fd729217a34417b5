/* Any bytes as a CSV of barriers: refused with one line, or barriers with cells that have data,
 * within the range of elevations, and rules that are in order. */
#include "case/barriers.h"
#include "case/case_terrain.h"
#include "case/changes.h"
#include "fuzz.h"

#include <math.h>

enum { ROWS = 23, COLS = 31 };

static void check(const struct sim_case *c)
{
    const struct barriers *b = c->barriers;
    if (b->count < 1) abort();
    for (int i = 0; i < b->count; i++)
        if (b->item[i].cells < 1 || b->item[i].raised < 0 || b->item[i].lowered < 0) abort();
    for (int i = 0; i < ROWS * COLS; i++) {
        const double z = c->elevation_m[i];
        if (i == 10 * COLS + 15) {
            if (!isnan(z)) abort();
        } else if (!(z >= ELEVATION_MIN_M && z <= ELEVATION_MAX_M)) {
            abort();
        }
    }
    for (int i = 0; i < c->change_count; i++)
        for (size_t k = 1; k < c->change[i].rules; k++)
            if (c->change[i].rule[k].place <= c->change[i].rule[k - 1].place) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sim_case c = {.problem = {.rows = ROWS, .cols = COLS},
                         .geo = {.west_m = 499547.5, .south_m = 4174982.5, .cell_m = 10}};
    struct settings s = {0};
    struct error e = {0};
    char path[FUZZ_PATH];
    const int file = fuzz_file(path, data, size);
    s.barriers = path;
    c.path = strdup("case.cfg");
    c.problem.params.clock_s = 120;
    c.elevation_m = calloc((size_t)(ROWS * COLS), sizeof *c.elevation_m);
    c.elevation_m[10 * COLS + 15] = NAN;
    int status = barriers_read(&c, &s, &e);
    if (!status) status = changes_sort(&c, &e);
    if (!status) check(&c);
    else if (e.code != ERROR_INPUT || strchr(e.text, '\n')) abort();
    case_free(&c);
    close(file);
    return 0;
}
