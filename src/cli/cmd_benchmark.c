/* cmd_benchmark.c — `sciara benchmark CASE [STEPS]`: how fast each variant is, once its bits are
 * right. */
#include "cli.h"
#include "run.h"

#include "bench/bench_report.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <ctype.h>
#include <math.h>
#include <omp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: sciara benchmark CASE [STEPS] [options]\n"
    "\n"
    "Runs the reference, then times every variant that this machine can run; one whose fields "
    "differ\n"
    "from the reference in a single bit is marked WRONG and gets no time. Leaves benchmark.csv, "
    ".json,\n"
    ".md and .png.\n"
    "\n"
    "  --repeat N         runs of each, the first of which is not counted (default 5)\n"
    "  --variants LIST    of the names in sciara variants (default: all)\n"
    "  --threads LIST     for the reference (default 1, 2, 4, ... up to all of this machine)\n"
    "  --domain D         lava, full or both (default both)\n"
    "  --oracle           time the published program's arithmetic too, once, on one thread\n"
    "  --limit S          no further run of a variant that took S seconds (default 60)\n"
    "  --device N         CUDA device (default 0)\n"
    "  --output DIR       folder for the files (default output/benchmark)\n"
    "  --quiet            do not say on the terminal what is being measured\n"
    "\n"
    "exit status: 0 done, all bits equal; 1 one is WRONG or failed; 2 the input cannot be used\n";

enum { LIST_MAX = 16, THREADS_MAX = 1024, REPEAT_MAX = 1000 };

struct options {
    const char *case_path, *output;
    int64_t steps, repeat, device;
    double limit_s;
    int threads[LIST_MAX], thread_counts;
    const char *variants; /* NULL: all */
    bool lava, full, oracle, quiet, help;
};

/* ---- the command line ------------------------------------------------------------------------ */

static int whole(const char *what, const char *text, int64_t most, int64_t *value, struct error *e)
{
    const int64_t least = !strcmp(what, "--device") ? 0 : 1;
    if (scan_integer(text, value) && *value >= least && *value <= most) return 0;
    return error_input(e, "benchmark: %s %s: give a whole number from %lld to %lld", what, text,
                       (long long)least, (long long)most);
}

/* The next word of a comma-separated list, at most 31 characters; false after the last. */
static bool next_word(const char **list, char word[32])
{
    if (!**list) return false;
    const size_t length = strcspn(*list, ",");
    snprintf(word, 32, "%.*s", length < 31 ? (int)length : 31, *list);
    *list += length + ((*list)[length] == ',');
    return true;
}

static bool listed(const char *list, const char *name)
{
    char word[32];
    while (next_word(&list, word))
        if (!strcmp(word, name)) return true;
    return false;
}

static int set_threads(struct options *o, const char *list, struct error *e)
{
    char word[32];
    int64_t n;
    for (o->thread_counts = 0; next_word(&list, word);) {
        if (o->thread_counts == LIST_MAX)
            return error_input(e, "benchmark: --threads: at most %d numbers", LIST_MAX);
        int status = whole("--threads", word, THREADS_MAX, &n, e);
        if (status) return status;
        o->threads[o->thread_counts++] = (int)n;
    }
    return o->thread_counts ? 0 : error_input(e, "benchmark: --threads: give numbers, like 1,2,4");
}

static int set_variants(struct options *o, const char *list, struct error *e)
{
    char word[32];
    const struct variant *v;
    o->variants = list;
    if (!*list) return error_input(e, "benchmark: --variants: name some; see sciara variants");
    while (next_word(&list, word))
        if (choice_named(&v, word, e) == ERROR_INPUT)
            return error_input(e, "benchmark: --variants %s: no such variant; see sciara variants",
                               word);
    return 0;
}

static int set_domain(struct options *o, const char *text, struct error *e)
{
    o->lava = !strcmp(text, "lava") || !strcmp(text, "both");
    o->full = !strcmp(text, "full") || !strcmp(text, "both");
    if (o->lava || o->full) return 0;
    return error_input(e, "benchmark: --domain %s: choose lava, full or both", text);
}

static int set_limit(struct options *o, const char *text, struct error *e)
{
    if (scan_real(text, &o->limit_s) && o->limit_s >= 0) return 0;
    return error_input(e, "benchmark: --limit %s: give seconds, a number from 0", text);
}

static int set_output(struct options *o, const char *text, struct error *e)
{
    o->output = text;
    return *text ? 0 : error_input(e, "benchmark: --output: name a folder");
}

static int set_repeat(struct options *o, const char *text, struct error *e)
{
    return whole("--repeat", text, REPEAT_MAX, &o->repeat, e);
}

static int set_device(struct options *o, const char *text, struct error *e)
{
    return whole("--device", text, 1023, &o->device, e);
}

static const struct option {
    const char *name;
    int (*set)(struct options *, const char *, struct error *);
    size_t flag;
} known[] = {
    {"--repeat", set_repeat, 0},
    {"--variants", set_variants, 0},
    {"--threads", set_threads, 0},
    {"--domain", set_domain, 0},
    {"--limit", set_limit, 0},
    {"--device", set_device, 0},
    {"--output", set_output, 0},
    {"--oracle", NULL, offsetof(struct options, oracle)},
    {"--quiet", NULL, offsetof(struct options, quiet)},
    {"--help", NULL, offsetof(struct options, help)},
    {"-h", NULL, offsetof(struct options, help)},
};
enum { KNOWN = sizeof known / sizeof *known };

static int take(struct options *o, char ***word, struct error *e)
{
    const char *w = **word, *value = strchr(w, '=');
    const size_t length = strcspn(w, "=");
    for (int i = 0; i < KNOWN; i++) {
        const struct option *k = &known[i];
        if (strlen(k->name) != length || strncmp(k->name, w, length)) continue;
        if (!k->set && value) return error_input(e, "benchmark: %s: takes no value", k->name);
        if (!k->set) return *(bool *)((char *)o + k->flag) = true, 0;
        value = value ? value + 1 : *++*word;
        if (!value)
            return error_input(
                e, "benchmark: %s: its value is missing; see sciara benchmark --help", k->name);
        return k->set(o, value, e);
    }
    return error_input(e, "benchmark: unknown option %s; see sciara benchmark --help", w);
}

static int parse(struct options *o, int argc, char **argv, struct error *e)
{
    *o = (struct options){
        .output = "output/benchmark", .repeat = 5, .limit_s = 60, .lava = true, .full = true};
    const int most = omp_get_max_threads();
    for (int n = 1; n < 2 * most && o->thread_counts < LIST_MAX; n *= 2)
        o->threads[o->thread_counts++] = n < most ? n : most;
    int status = 0;
    for (char **word = argv + 1; word < argv + argc && !status; word++) {
        const char *w = *word;
        if (w[0] == '-' && w[1] && !isdigit((unsigned char)w[1])) status = take(o, &word, e);
        else if (!o->case_path) o->case_path = w;
        else if (!o->steps) status = whole("STEPS", w, RUN_STEPS_MAX, &o->steps, e);
        else
            status = error_input(
                e, "benchmark: %s: one CASE and one number of STEPS is all it takes", w);
    }
    if (!status && !o->help && !o->case_path)
        status = error_input(e, "benchmark: name a case file; see sciara benchmark --help");
    return status;
}

/* ---- rows
 * ------------------------------------------------------------------------------------------------
 */

struct benchmark {
    const struct options *options;
    struct sim_case c;
    struct bench_states states;
    struct bench_report report;
    const struct variant *chosen[LIST_MAX];
    int count;
    bool failed;
};

static void say(const struct benchmark *b, const char *text, const struct bench_row *row)
{
    if (b->options->quiet || !isatty(STDERR_FILENO)) return;
    if (!row) fprintf(stderr, "\r%s\033[K", text);
    else
        fprintf(stderr, "\rmeasuring %s, %s domain, %d threads\033[K", row->variant,
                row->full_domain ? "full" : "lava", row->threads);
    fflush(stderr);
}

static int measure(struct benchmark *b, const struct variant *v, const char *name,
                   const struct problem *p, int threads, struct error *e)
{
    const struct options *o = b->options;
    const struct variant_options machine = {.threads = threads, .device = (int)o->device};
    const bool oracle = v == &variant_oracle; /* takes a minute, and needs no warming up: one run */
    const struct bench_plan plan = {.repeat = oracle ? 1 : (int)o->repeat,
                                    .limit_s = o->limit_s,
                                    .states = oracle ? NULL : &b->states,
                                    .last = b->states.end.step};
    if (b->report.count == BENCH_ROWS_MAX) return 0;
    struct bench_row *row = &b->report.row[b->report.count++];
    *row = (struct bench_row){.variant = name, .threads = threads, .full_domain = p->full_domain};
    say(b, "", row);
    int status = bench_measure(row, v, p, &machine, &plan, e);
    b->failed = b->failed || !bench_timed(row);
    if (row->verdict == BENCH_NONE)
        bench_note(&b->report, "%s, %s domain: not measured: %s", name,
                   p->full_domain ? "full" : "lava", row->why);
    return status;
}

static int measure_reference(struct benchmark *b, const struct problem *p, struct error *e)
{
    int status = 0;
    for (int i = 0; i < b->options->thread_counts && !status; i++)
        status = measure(b, variants[0], variants[0]->name, p, b->options->threads[i], e);
    return status;
}

/* Its own numbers: nothing is rounded to the lattice. The full domain is what the published program
 * computes. */
static int measure_oracle(struct benchmark *b, struct error *e)
{
    struct sim_case c = {0};
    int status = case_load_unrounded(&c, b->options->case_path, e);
    if (status) return status;
    c.problem.full_domain = true;
    c.problem.stop_when_still = false;
    status = measure(b, &variant_oracle, "published", &c.problem, 1, e);
    case_free(&c);
    return status;
}

/* Variants that are missing for the same reason share a note. */
static void note_missing(struct bench_report *r, const char *name, const char *reason)
{
    char begin[360];
    snprintf(begin, sizeof begin, "not measured (%.300s): ", reason);
    char *last = r->notes ? r->note[r->notes - 1] : NULL;
    if (!last || strncmp(last, begin, strlen(begin))) bench_note(r, "%s%s", begin, name);
    else snprintf(last + strlen(last), sizeof r->note[0] - strlen(last), ", %s", name);
}

/* Keeps the variants asked for that this machine can run; the others are notes and no rows. */
static void choose(struct benchmark *b)
{
    const struct variant_options machine = {.device = (int)b->options->device};
    const char *asked = b->options->variants;
    char *const cpu = b->report.cpu, *const gpu = b->report.gpu;
    variants[0]->available(&machine, cpu, NULL);
    for (int i = 0; variant_names[i]; i++) {
        const char *name = variant_names[i];
        const struct variant *v = variant_find(name);
        struct error why = {0};
        if (asked && !listed(asked, name)) continue;
        if (!v) error_device(&why, "building it needs nvcc");
        else if (!v->available(&machine, v->cuda ? gpu : cpu, &why)) b->chosen[b->count++] = v;
        if (why.code) note_missing(&b->report, name, why.text);
    }
}

static int measure_all(struct benchmark *b, struct error *e)
{
    const struct options *o = b->options;
    int status = 0;
    for (int i = 0; i < b->count; i++)
        for (int full = 0; full < 2 && !status; full++) {
            const struct variant *v = b->chosen[i];
            struct problem p = b->c.problem;
            p.full_domain = full;
            if (!(full ? o->full : o->lava)) continue;
            status = v->cuda ? measure(b, v, v->name, &p, 0, e) : measure_reference(b, &p, e);
        }
    if (!status && o->oracle) status = measure_oracle(b, e);
    return status;
}

/* How the CPU rows compare, and with what is aimed at. */
static void compare_cpu(struct bench_report *r)
{
    const struct bench_row *published = bench_find(r, "published", true, 1),
                           *one = bench_find(r, "reference", false, 1);
    if (one && published)
        bench_note(
            r,
            "The reference on one thread needs 1/%.1f of the time of the published arithmetic over "
            "the full domain (%.3f s against %.3f s); aimed at: 1/25.",
            published->steps_ms.median / one->steps_ms.median, one->steps_ms.median * 1e-3,
            published->steps_ms.median * 1e-3);
    for (int i = 0; one && i < r->count; i++) {
        const struct bench_row *row = &r->row[i];
        if (strcmp(row->variant, "reference") || row->full_domain || row->threads < 2 ||
            !bench_timed(row))
            continue;
        bench_note(r, "The reference on %d threads is %.2f times as fast as on one%s.",
                   row->threads, one->steps_ms.median / row->steps_ms.median,
                   row->threads == 2 ? "; aimed at: 1.7" : "");
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int64_t last_step(const struct benchmark *b)
{
    return b->options->steps ? b->options->steps : b->c.max_steps;
}

static int load(struct benchmark *b, struct error *e)
{
    const char *path = b->options->case_path;
    int status = case_load(&b->c, path, e);
    if (status) return status;
    if (last_step(b) <= b->c.problem.first_step)
        return error_input(e, "%s: give a number of STEPS above %lld", path,
                           (long long)b->c.problem.first_step);
    /* Everybody makes the same steps. */
    b->c.problem.stop_when_still = false;
    return 0;
}

/* Without the folder for the files, which is nobody else's business. */
static char *command_line(int argc, char **argv)
{
    char *line = text_format("sciara");
    for (int i = 0; i < argc && line; i++) {
        if (!strcmp(argv[i], "--quiet") || !strncmp(argv[i], "--output=", 9)) continue;
        if (!strcmp(argv[i], "--output") && ++i < argc) continue;
        char *longer = text_format("%s %s", line, argv[i]);
        free(line);
        line = longer;
    }
    return line;
}

static int benchmark(struct benchmark *b, struct error *e)
{
    struct bench_report *r = &b->report;
    int status = load(b, e);
    if (status) return status;
    choose(b);
    if (!b->count && !b->options->oracle)
        return error_device(e, "benchmark: %s; see sciara variants", r->note[0]);
    status = output_prepare(b->options->output, e);
    if (status) return status;
    say(b, "the reference run", NULL);
    status = bench_reference(&b->states, &b->c.problem, last_step(b), e);
    if (status) return status;
    r->case_name = b->c.name;
    r->title = b->c.title;
    r->terrain = b->c.terrain_source;
    r->rows_of_grid = b->c.problem.rows;
    r->cols_of_grid = b->c.problem.cols;
    r->cell_m = b->c.geo.cell_m;
    r->states = &b->states;
    status = measure_all(b, e);
    say(b, "", NULL);
    if (status) return status;
    compare_cpu(r);
    bench_print(stdout, r, false);
    printf("\nfiles: %s/benchmark.{csv,json,md,png}\n", b->options->output);
    return bench_write(b->options->output, r, e);
}

int cmd_benchmark(int argc, char **argv)
{
    struct options o;
    struct error e = {0};
    int status = parse(&o, argc, argv, &e);
    if (!status && o.help) return fputs(usage, stdout) < 0;
    char *line = command_line(argc, argv);
    struct benchmark b = {.options = &o, .report = {.command = line, .version = SCIARA_VERSION}};
    if (!status && !line) status = error_failed(&e, "out of memory");
    if (!status) status = benchmark(&b, &e);
    bench_states_free(&b.states);
    case_free(&b.c);
    free(line);
    if (status) return cli_fail(&e);
    return b.failed;
}
