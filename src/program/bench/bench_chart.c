/* bench_chart.c — the times of a benchmark as bars. */
#include "bench_report.h"
#include "draw/chart.h"

#include <math.h>

struct bars {
    int count;
    char label[BENCH_ROWS_MAX][80];
    const char *text[BENCH_ROWS_MAX];
    double value[BENCH_ROWS_MAX], lo[BENCH_ROWS_MAX], hi[BENCH_ROWS_MAX];
    int group[BENCH_ROWS_MAX];
};

/* CPU and GPU are orders of magnitude apart: side by side, the bars of a GPU would all look alike.
 */
static bool belongs(const struct bench_row *row, bool gpu)
{
    return row->verdict != BENCH_OTHER && gpu == (row->threads == 0);
}

static void add(struct bars *b, const struct bench_row *row)
{
    const int i = b->count++;
    const bool timed = bench_timed(row);
    char *label = b->label[i];
    if (row->threads)
        snprintf(label, sizeof b->label[i], "%.40s, %d thread%s", row->variant, row->threads,
                 row->threads == 1 ? "" : "s");
    else snprintf(label, sizeof b->label[i], "%.70s", row->variant);
    b->text[i] = label;
    b->value[i] = timed ? row->steps_ms.median : (double)NAN;
    b->lo[i] = timed ? row->steps_ms.min : (double)NAN;
    b->hi[i] = timed ? row->steps_ms.max : (double)NAN;
    b->group[i] = row->full_domain;
}

int bench_chart(const char *path, const struct bench_report *r, struct error *e)
{
    static const char *const groups[] = {"only cells with lava", "every cell in every step"};
    struct bars bars = {0};
    char title[256], subtitle[512];
    bool gpu = false;
    for (int i = 0; i < r->count; i++) gpu = gpu || (!r->row[i].threads && bench_timed(&r->row[i]));
    for (int i = 0; i < r->count; i++)
        if (belongs(&r->row[i], gpu)) add(&bars, &r->row[i]);
    snprintf(title, sizeof title, "%.120s: %lld steps", r->title, (long long)r->states->steps);
    snprintf(subtitle, sizeof subtitle, "%d x %d cells of %.10g m on %.120s%s%.120s",
             r->rows_of_grid, r->cols_of_grid, r->cell_m, gpu ? r->gpu : r->cpu,
             *r->terrain ? "; " : "", r->terrain);
    const struct chart chart = {
        .title = title,
        .subtitle = subtitle,
        .unit = "ms for all steps: median, least and largest of the repeats",
        .note = "Only runs equal to the reference bit by bit have a bar; variants that differ or "
                "could not run have none.",
        .count = bars.count,
        .label = bars.text,
        .value = bars.value,
        .lo = bars.lo,
        .hi = bars.hi,
        .group = bars.group,
        .group_count = 2,
        .group_label = groups,
    };
    return chart_bars(path, &chart, e);
}
