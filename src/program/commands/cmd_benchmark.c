/* cmd_benchmark.c — `sciara benchmark CASE [STEPS]`: times each variant after checking its bits. */
#include "run.h"
#include "base/processors.h"

#include "bench/bench.h"
#include "library/inside.h"
#include "record/painters.h"
#include "run/output.h"
#include "reference/published.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LIST_MAX = 16, REPEAT_MAX = 1000 };

struct options {
    const char *case_path, *output;
    int64_t steps;
    int repeat, device;
    double limit_s;
    int threads[LIST_MAX], thread_counts;
    unsigned variants; /* a bit for each of variant_names; 0: all */
    int domain;        /* index in `domains` */
    bool oracle, quiet;
};

/* ---- the command line ------------------------------------------------------------------------ */

enum { DOMAIN_LAVA, DOMAIN_FULL, DOMAIN_BOTH };
static const char *const domains[] = {"lava", "full", "both", NULL};

/* Takes the next word from a list with commas, cut to 31 characters; false: no word is left. */
static bool next_word(const char **list, char word[32])
{
    if (!**list) return false;
    const size_t length = strcspn(*list, ",");
    snprintf(word, 32, "%.*s", length < 31 ? (int)length : 31, *list);
    *list += length + ((*list)[length] == ',');
    return true;
}

/* Sets threads and thread_counts of struct options. */
static int set_threads(const struct option *self, void *field, const char *const value[],
                       struct error *e)
{
    struct options *o = field;
    const char *list = value[0];
    char word[32];
    int64_t n;
    for (o->thread_counts = 0; next_word(&list, word);) {
        const bool good = scan_integer(word, &n) && n >= self->low && n <= self->high;
        if (!good || o->thread_counts == LIST_MAX)
            return error_input(
                e, "give up to %d whole numbers from %lld to %lld, separated by commas: 1,2,4",
                LIST_MAX, (long long)self->low, (long long)self->high);
        o->threads[o->thread_counts++] = (int)n;
    }
    return 0;
}

#define AT(member) offsetof(struct options, member)
static const struct option words[] = {
    RUN_OPERAND_CASE(case_path),
    RUN_OPERAND_STEPS(steps),
    OPTION("--repeat", "N", option_int, repeat,
           "runs of each variant; the first run is not counted", .low = 1, .high = REPEAT_MAX,
           .preset = "5"),
    OPTION("--variants", "LIST", option_bits, variants,
           "variants to time, separated by commas: names that `sciara variants` lists",
           .choices = variant_names, .list = true, .usual = "all"),
    {.name = "--threads",
     .value = "LIST",
     .set = set_threads,
     .low = 1,
     .high = RUN_THREADS_MAX,
     .usual = "1,2,4, ... up to all of this machine",
     .help = "numbers of threads for the reference variant, separated by commas",
     .needs = "--variants=reference"},
    OPTION("--domain", "WHICH", option_choice, domain,
           "cells to compute in every step: lava, only cells with lava; full, all cells; or both, "
           "one after the other",
           .choices = domains, .preset = "both"),
    OPTION_FLAG("--oracle", oracle,
                "also time the published program's arithmetic, once, on one thread"),
    OPTION("--limit", "S", option_span, limit_s, "do not repeat a variant that took S seconds",
           .plain = TIMES_SECONDS, .preset = "60"),
    RUN_OPTION_DEVICE(device, NULL),
    OPTION("--output", "DIR", option_text, output, "output folder", .completes = COMPLETE_FOLDER,
           .preset = "output/benchmark"),
    OPTION_FLAG("--quiet", quiet, "show no progress"),
    {0},
};

static const struct option_exit exits[] = {
    {0, "done, all bits equal"},
    {1, "a variant is WRONG or failed, or the disk is full"},
    {2, "invalid input or command line"},
    {3, "no CUDA device, and nothing else to time"},
    {130, "interrupted"},
    {0, NULL},
};

static int parse_options(struct options *o, int argc, char **argv, struct error *e)
{
    *o = (struct options){0};
    const int most = processors_granted();
    for (int n = 1; n < 2 * most && o->thread_counts < LIST_MAX; n *= 2)
        o->threads[o->thread_counts++] = n < most ? n : most;
    return options_parse(&command_benchmark, o, argc, argv, e);
}

/* ---- rows ------------------------------------------------------------------------------------ */

struct benchmark {
    const struct options *options;
    sciara_case *loaded;
    struct sim_case c; /* the case, without its stopping rule */
    struct bench_states states;
    struct bench_report report;
    const struct variant *chosen[LIST_MAX];
    int count;
    bool failed;
};

static void say_progress(const struct benchmark *b, const char *text, const struct bench_row *row)
{
    if (b->options->quiet || !isatty(STDERR_FILENO)) return;
    if (!row) fprintf(stderr, "\r%s\033[K", text);
    else
        fprintf(stderr, "\rmeasuring %s, %s domain, %d threads\033[K", row->variant,
                row->full_domain ? "full" : "lava", row->threads);
    fflush(stderr);
}

static int measure_variant(struct benchmark *b, const struct variant *v, const char *name,
                           const struct problem *p, int threads, struct error *e)
{
    const struct options *o = b->options;
    const struct variant_options machine = {.threads = threads, .device = o->device};
    const bool oracle = v == &variant_oracle; /* a run takes a minute: it is not repeated */
    const struct bench_plan plan = {.repeat = oracle ? 1 : o->repeat,
                                    .limit_s = o->limit_s,
                                    .states = oracle ? NULL : &b->states,
                                    .last = b->states.end.step};
    if (b->report.count == BENCH_ROWS_MAX) return 0;
    struct bench_row *row = &b->report.row[b->report.count++];
    *row = (struct bench_row){.variant = name, .threads = threads, .full_domain = p->full_domain};
    say_progress(b, "", row);
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
        status = measure_variant(b, variants[0], variants[0]->name, p, b->options->threads[i], e);
    return status;
}

/* Measures the oracle with the arithmetic of the published program: without rounding to the lattice, on the full domain. */
static int measure_oracle(struct benchmark *b, struct error *e)
{
    struct sciara_error why;
    sciara_case *c;
    int status = sciara_case_load(&c, b->options->case_path, "published", NULL, &why);
    if (status) return error_of_sciara(&why, e);
    struct problem p = case_inside(c)->problem;
    p.full_domain = true;
    p.stop_when_still = false;
    status = measure_variant(b, &variant_oracle, "published", &p, 1, e);
    sciara_case_free(c);
    return status;
}

/* Chooses the requested variants that were built and can run on this machine. Adds a note for each
 * other requested variant. */
static void choose_variants(struct benchmark *b)
{
    const struct variant_options machine = {.device = b->options->device};
    const unsigned asked = b->options->variants;
    char *const cpu = b->report.cpu, *const gpu = b->report.gpu;
    variants[0]->available(&machine, cpu, NULL);
    for (int i = 0; variant_names[i]; i++) {
        const char *name = variant_names[i];
        const struct variant *v = variant_find(name);
        struct error why = {0};
        if (asked && !(asked & 1u << i)) continue;
        if (!v) error_device(&why, "building it needs nvcc");
        else if (!v->available(&machine, v->cuda ? gpu : cpu, &why)) b->chosen[b->count++] = v;
        if (why.code) bench_note_missing(&b->report, name, why.text);
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
            if (o->domain == (full ? DOMAIN_LAVA : DOMAIN_FULL)) continue;
            status =
                v->cuda ? measure_variant(b, v, v->name, &p, 0, e) : measure_reference(b, &p, e);
        }
    if (!status && o->oracle) status = measure_oracle(b, e);
    return status;
}

static int64_t last_step(const struct benchmark *b)
{
    return b->options->steps ? b->options->steps : b->c.max_steps;
}

static int load_case(struct benchmark *b, struct error *e)
{
    const char *path = b->options->case_path;
    if (cli_load_case(&b->loaded, path, -1, NULL, NULL, e)) return (int)e->code;
    b->c = *case_inside(b->loaded);
    if (last_step(b) <= b->c.problem.first_step)
        return error_input(e, "%s: give a number of STEPS above %lld", path,
                           (long long)b->c.problem.first_step);
    if (b->c.change_count)
        return error_input(e, "%s: terrain_update: a benchmark keeps its terrain; remove the line",
                           path);
    /* all variants have to compute the same steps */
    b->c.problem.stop_when_still = false;
    return 0;
}

/* The command line for the report, malloc'ed. It omits --quiet and --output, which do not affect the times. */
static char *command_line(int argc, char **argv)
{
    char *line = text_format("sciara");
    for (int i = 0; i < argc && line; i++) {
        if (!strcmp(argv[i], "--quiet") || !strncmp(argv[i], "--output=", 9)) continue;
        if (!strcmp(argv[i], "--output") && ++i < argc) continue;
        FREED char *shorter = line;
        line = text_format("%s %s", shorter, argv[i]);
    }
    return line;
}

static int benchmark(struct benchmark *b, struct error *e)
{
    struct bench_report *r = &b->report;
    int status = load_case(b, e);
    if (status) return status;
    choose_variants(b);
    if (!b->count && !b->options->oracle)
        return error_device(e, "benchmark: %s; see sciara variants", r->note[0]);
    status = painters_have(SCIARA_PNG, e);
    if (!status) status = bench_spare(b->options->output, e);
    if (!status) status = output_prepare(b->options->output, e);
    if (status) return status;
    say_progress(b, "the reference run", NULL);
    status = bench_reference(&b->states, &b->c.problem, last_step(b), e);
    if (status) return status;
    r->c = &b->c;
    r->states = &b->states;
    bench_note_window(r);
    status = measure_all(b, e);
    say_progress(b, "", NULL);
    if (status) return status;
    bench_compare_processors(r);
    bench_print(stdout, r);
    printf("\nfiles: %s/benchmark.%s\n", b->options->output, painters_lack ? "csv" : "{csv,png}");
    interrupt_watch(NULL); /* a signal is only counted while the files are written */
    status = bench_write(b->options->output, r, e);
    return !status && interrupts_seen() ? error_cancelled(e) : status;
}

static int cmd_benchmark(int argc, char **argv)
{
    struct options o;
    struct error e = {0};
    int status = parse_options(&o, argc, argv, &e);
    if (status == OPTIONS_HELP) return 0;
    FREED char *line = command_line(argc, argv);
    struct benchmark b = {.options = &o, .report = {.command = line}};
    if (!status && !line) status = error_memory(&e);
    if (!status) status = benchmark(&b, &e);
    bench_states_free(&b.states);
    sciara_case_free(b.loaded);
    if (status == ERROR_CANCELLED) return EXIT_INTERRUPTED;
    if (status) return cli_fail("sciara", &e);
    return b.failed;
}

const struct command command_benchmark = {
    .name = "benchmark",
    .summary = "time each variant after checking its bits",
    .about = "Runs the reference variant, then times every variant that this machine can run. A "
             "variant that differs from the reference in a single bit is marked WRONG and gets no "
             "time. Writes benchmark.csv and .png.",
    .words = words,
    .missing = "name a case file",
    .exits = exits,
    .main = cmd_benchmark,
};
