/* bench_report.c — the results of a benchmark, as a table and as files. */
#include "bench.h"

#include "record/painters.h"
#include "record/shown.h"
#include "products/products.h"
#include "text/atomic_file.h"
#include "text/table.h"
#include "text/textfile.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what follows from the rows -------------------------------------------------------------- */

void bench_note(struct bench_report *r, const char *format, ...)
{
    if (r->notes == BENCH_NOTES_MAX) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->note[r->notes++], sizeof r->note[0], format, arguments);
    va_end(arguments);
}

bool bench_timed(const struct bench_row *row)
{
    return row->verdict == BENCH_EQUAL || row->verdict == BENCH_OTHER;
}

static const struct bench_row *find_row(const struct bench_report *r, const char *variant,
                                        bool full_domain, int threads)
{
    for (int i = 0; i < r->count; i++) {
        const struct bench_row *row = &r->row[i];
        if (bench_timed(row) && row->full_domain == full_domain && !strcmp(row->variant, variant) &&
            (threads < 0 || row->threads == threads))
            return row;
    }
    return NULL;
}

double bench_us_per_step(const struct bench_report *r, const struct bench_row *row)
{
    return row->steps_ms.median * 1e3 / (double)r->states->steps;
}

double bench_updates_per_s(const struct bench_report *r, const struct bench_row *row)
{
    return r->states->updates / (row->steps_ms.median * 1e-3);
}

double bench_versus_global(const struct bench_report *r, const struct bench_row *row)
{
    const struct bench_row *global = find_row(r, "global", row->full_domain, -1);
    return global && bench_timed(row) ? global->steps_ms.median / row->steps_ms.median
                                      : (double)NAN;
}

/* ---- for people ------------------------------------------------------------------------------ */

enum { CELL = 40 };

static const char *const verdicts[] = {"equal", "WRONG", "other arithmetic", "not run"};

enum { VARIANT, DOMAIN_OF, THREADS, BITS, STEPS_MS, STEPS_RANGE, ALL_MS, ALL_RANGE, REST };
static const char *const names[] = {"variant",  "domain",   "threads", "bits",
                                    "steps ms", "min-max",  "all ms",  "min-max",
                                    "us/step",  "Mcells/s", "MiB",     "x global"};
enum { COLUMNS = sizeof names / sizeof *names };

static bool is_left(int column)
{
    return column == VARIANT || column == DOMAIN_OF || column == BITS;
}

/* Writes greater numbers with fewer decimals: 0.123, 12.34, 1234. */
static void write_number(char text[CELL], double v)
{
    if (isnan(v)) *text = 0;
    else snprintf(text, CELL, "%.*f", v >= 1000 ? 0 : v >= 100 ? 1 : v >= 10 ? 2 : 3, v);
}

static void range(char text[CELL], const struct bench_span *s)
{
    char low[CELL], high[CELL];
    write_number(low, s->min);
    write_number(high, s->max);
    snprintf(text, CELL, "%.18s-%.18s", low, high);
}

static const char *domain_of(const struct bench_row *row)
{
    return row->full_domain ? "full" : "lava";
}

static void fill_timed(char text[CELL], const struct bench_report *r, const struct bench_row *row,
                       int column)
{
    const struct bench_span *span = column < ALL_MS ? &row->steps_ms : &row->total_ms;
    const double rest[] = {bench_us_per_step(r, row), bench_updates_per_s(r, row) * 1e-6,
                           row->memory_bytes ? (double)row->memory_bytes / 1048576.0 : (double)NAN,
                           bench_versus_global(r, row)};
    if (column >= REST) write_number(text, rest[column - REST]);
    else if (column == STEPS_MS || column == ALL_MS) write_number(text, span->median);
    else range(text, span);
}

/* Writes a cell of row i, or of the head if i is -1. A cell without a value becomes "-". */
static void fill_cell(char text[CELL], const struct bench_report *r, int i, int column)
{
    const struct bench_row *row = &r->row[i < 0 ? 0 : i];
    *text = 0;
    if (i < 0) snprintf(text, CELL, "%s", names[column]);
    else if (column == VARIANT) snprintf(text, CELL, "%s", row->variant);
    else if (column == DOMAIN_OF) snprintf(text, CELL, "%s", domain_of(row));
    else if (column == BITS) snprintf(text, CELL, "%s", verdicts[row->verdict]);
    else if (column == THREADS && row->threads) snprintf(text, CELL, "%d", row->threads);
    else if (column == THREADS) snprintf(text, CELL, "GPU");
    else if (bench_timed(row)) fill_timed(text, r, row, column);
    if (!*text) snprintf(text, CELL, "-");
}

static void print_table(FILE *f, const struct bench_report *r)
{
    char text[CELL];
    int width[COLUMNS] = {0};
    for (int k = 0; k < COLUMNS; k++)
        for (int i = -1; i < r->count; i++) {
            fill_cell(text, r, i, k);
            if ((int)strlen(text) > width[k]) width[k] = (int)strlen(text);
        }
    for (int i = -1; i < r->count; i++) {
        for (int k = 0; k < COLUMNS; k++) {
            fill_cell(text, r, i, k);
            fprintf(f, "%s%*s", k ? "  " : "", is_left(k) ? -width[k] : width[k], text);
        }
        putc('\n', f);
    }
}

/* Writes lines about the command, the case, the machine and the comparison. Returns their number. */
static int head(const struct bench_report *r, char line[8][400])
{
    const struct bench_states *s = r->states;
    int n = 0;
    snprintf(line[n++], 400, "command: %s", r->command);
    snprintf(line[n++], 400, "case: %s; %s; %d x %d cells of %.10g m; %lld steps", r->c->name,
             r->c->terrain_source, r->c->problem.rows, r->c->problem.cols, r->c->geo.cell_m,
             (long long)s->steps);
    if (*r->gpu) snprintf(line[n++], 400, "GPU: %s", r->gpu);
    snprintf(line[n++], 400, "CPU: %s", r->cpu);
    int at = snprintf(line[n], 400,
                      "compared with the reference on %d thread%s: all fields, bit by bit, after "
                      "step %lld (%zu cells with mobile lava)",
                      s->threads, s->threads == 1 ? "" : "s", (long long)s->peak.step, s->peak_wet);
    if (s->end.step != s->peak.step && at < 400)
        snprintf(line[n] + at, 400 - (size_t)at, " and step %lld (%zu cells)",
                 (long long)s->end.step, s->end_wet);
    n++;
    if (s->sampled > 1)
        snprintf(line[n++], 400,
                 "cell updates: %.0f (cells with mobile lava, counted every %lld steps)",
                 s->updates, (long long)s->sampled);
    else
        snprintf(line[n++], 400,
                 "cell updates: %.0f (cells with mobile lava, counted in every step)", s->updates);
    return n;
}

void bench_print(FILE *f, const struct bench_report *r)
{
    char line[8][400];
    const int n = head(r, line);
    for (int i = 0; i < n; i++) fprintf(f, "%s\n", line[i]);
    putc('\n', f);
    print_table(f, r);
    putc('\n', f);
    fputs("steps: time of the steps themselves; all: also creating the simulation and copying its "
          "last "
          "state to\nthe host; Mcells/s: million cells with mobile lava per second.\n",
          f);
    for (int i = 0; i < r->count; i++)
        if (*r->row[i].why && r->row[i].verdict == BENCH_WRONG)
            fprintf(f, "%s, %s domain: %s\n", r->row[i].variant, domain_of(&r->row[i]),
                    r->row[i].why);
    for (int i = 0; i < r->notes; i++) fprintf(f, "%s\n", r->note[i]);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void csv(FILE *f, const struct bench_report *r)
{
    char line[8][400];
    struct table t = table_to(f);
    const int n = head(r, line);
    for (int i = 0; i < n; i++) fprintf(f, "# %s\n", line[i]);
    for (int i = 0; i < r->notes; i++) fprintf(f, "# note: %s\n", r->note[i]);
    TABLE_ROWS (t, i, r->count) {
        const struct bench_row *row = &r->row[i];
        TABLE_TEXT(&t, "variant", row->variant);
        TABLE_TEXT(&t, "domain", domain_of(row));
        TABLE_COUNT(&t, "threads", row->threads);
        TABLE_TEXT(&t, "bits", verdicts[row->verdict]);
        TABLE_COUNT(&t, "runs", row->runs);
        TABLE_COUNT(&t, "steps", r->states->steps);
        TABLE_COUNT(&t, "updates", r->states->updates);
#define TIMED(name, unit, digits, x)                                                               \
    TABLE_REAL(&t, name, unit, digits, bench_timed(row) ? x : (double)NAN)
        TIMED("steps", "ms", 6, row->steps_ms.median);
        TIMED("steps_min", "ms", 6, row->steps_ms.min);
        TIMED("steps_max", "ms", 6, row->steps_ms.max);
        TIMED("all", "ms", 6, row->total_ms.median);
        TIMED("all_min", "ms", 6, row->total_ms.min);
        TIMED("all_max", "ms", 6, row->total_ms.max);
        TIMED("us_per_step", "", 6, bench_us_per_step(r, row));
        TIMED("updates_per_s", "", 6, bench_updates_per_s(r, row));
        TIMED("memory_bytes", "", 17, row->memory_bytes ? (double)row->memory_bytes : (double)NAN);
        TIMED("times_global", "", 4, bench_versus_global(r, row));
    }
}

static int write_csv(const char *folder, const struct bench_report *r, struct error *e)
{
    struct atomic_file w = {0};
    FREED char *path = text_format("%s/benchmark.csv", folder);
    int status = path ? atomic_file_open(&w, path, e) : error_memory(e);
    if (status) return status;
    csv(w.stream, r);
    return atomic_file_finish(&w, e);
}

struct bars {
    int count;
    char label[BENCH_ROWS_MAX][80];
    const char *text[BENCH_ROWS_MAX];
    double value[BENCH_ROWS_MAX], lo[BENCH_ROWS_MAX], hi[BENCH_ROWS_MAX];
    int group[BENCH_ROWS_MAX];
};

/* Whether a row is in the diagram, which shows either a GPU or a CPU. Times of the two differ by orders of magnitude: next
 * to bars of a CPU all bars of a GPU would look equal. */
static bool belongs(const struct bench_row *row, bool gpu)
{
    return row->verdict != BENCH_OTHER && gpu == (row->threads == 0);
}

static void add_row(struct bars *b, const struct bench_row *row)
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

/* Draws bars for the rows on a GPU or, if there are none, for the rows on a CPU. */
static int chart(const char *path, const struct bench_report *r, struct error *e)
{
    static const char *const groups[] = {"only cells with lava", "every cell in every step"};
    struct bars bars = {0};
    char title[256], subtitle[512];
    bool gpu = false;
    for (int i = 0; i < r->count; i++) gpu = gpu || (!r->row[i].threads && bench_timed(&r->row[i]));
    for (int i = 0; i < r->count; i++)
        if (belongs(&r->row[i], gpu)) add_row(&bars, &r->row[i]);
    snprintf(title, sizeof title, "%.120s: %lld steps", r->c->title, (long long)r->states->steps);
    snprintf(subtitle, sizeof subtitle, "%d x %d cells of %.10g m on %.120s%s%.120s",
             r->c->problem.rows, r->c->problem.cols, r->c->geo.cell_m, gpu ? r->gpu : r->cpu,
             *r->c->terrain_source ? "; " : "", r->c->terrain_source);
    const struct chart c = {
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
    const struct scene scene = scene_of_chart(&c);
    return scene_paint(path, &scene, e);
}

/* ---- notes ------------------------------------------------------------------------------------ */

void bench_note_missing(struct bench_report *r, const char *name, const char *reason)
{
    char begin[360];
    snprintf(begin, sizeof begin, "not measured (%.300s): ", reason);
    char *last = r->notes ? r->note[r->notes - 1] : NULL;
    if (!last || strncmp(last, begin, strlen(begin))) bench_note(r, "%s%s", begin, name);
    else snprintf(last + strlen(last), sizeof r->note[0] - strlen(last), ", %s", name);
}

void bench_note_window(struct bench_report *r)
{
    const struct window *w = &r->states->end.window;
    const struct problem *p = &r->c->problem;
    if (window_equal(*w, problem_domain(p))) return;
    bench_note(r, "of the domain of %d x %d cells, %d x %d are computed at the end", p->rows,
               p->cols, w->rows, w->cols);
}

void bench_compare_processors(struct bench_report *r)
{
    const struct bench_row *published = find_row(r, "published", true, 1),
                           *one = find_row(r, "reference", false, 1);
    if (one && published)
        bench_note(r,
                   "The reference on one thread needs 1/%.1f of the time of the published "
                   "arithmetic over the full domain (%.3f s against %.3f s).",
                   published->steps_ms.median / one->steps_ms.median, one->steps_ms.median * 1e-3,
                   published->steps_ms.median * 1e-3);
    for (int i = 0; one && i < r->count; i++) {
        const struct bench_row *row = &r->row[i];
        if (strcmp(row->variant, "reference") || row->full_domain || row->threads < 2 ||
            !bench_timed(row))
            continue;
        bench_note(r, "The reference on %d threads is %.2f times as fast as on one thread.",
                   row->threads, one->steps_ms.median / row->steps_ms.median);
    }
}

/* ---- files ------------------------------------------------------------------------------------ */

int bench_spare(const char *folder, struct error *e)
{
    FREED char *table = text_format("%s/benchmark.csv", folder),
               *diagram = text_format("%s/benchmark.png", folder);
    if (!table || !diagram) return error_memory(e);
    if (!access(table, F_OK) && !textfile_begins(table, "# command: "))
        return error_input(e, "%s: was not written by sciara; choose another output", table);
    return shown_spare(diagram, "", e);
}

int bench_write(const char *folder, const struct bench_report *r, struct error *e)
{
    const int status = write_csv(folder, r, e);
    FREED char *path = text_format("%s/benchmark.png", folder);
    if (status || painters_lack) return status; /* no painters, no diagram */
    return path ? chart(path, r, e) : error_memory(e);
}
