/* run_options.c — the words after `sciara run`. */
#include "run.h"

#include "text/scan.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

const char run_usage[] =
    "usage: sciara run CASE [STEPS] [options]\n"
    "       sciara_VARIANT CASE [STEPS] [options]     the same with --variant VARIANT\n"
    "\n"
    "Computes a case file (docs/formats.md), or an original NAME_000000000000.cfg, up to its\n"
    "maximum of steps, or to step STEPS, and leaves layers, maps and summary.json.\n"
    "\n"
    "  --variant NAME     how to compute: see sciara variants (default auto: the fastest one that\n"
    "                     this machine can run); the result is the same, bit for bit\n"
    "  --output DIR       folder for the files (default output/NAME-OF-CASE)\n"
    "  --every N          files every N steps too, not only at the end\n"
    "  --format LIST      of geotiff, png, original (default geotiff,png)\n"
    "  --no-output        write no files\n"
    "  --stop-below M     stop once the eruption is over and the mobile lava of all cells sums\n"
    "                     up to at most M metres of thickness\n"
    "  --domain full      compute every cell in every step, not only where lava is (lava)\n"
    "  --threads N        of the CPU variant (default: all)\n"
    "  --device N         CUDA device (default 0)\n"
    "  --published        arithmetic of the published program; with the reference only\n"
    "  --quiet            no progress line, no report\n"
    "  --json             print the summary as JSON and nothing else\n"
    "\n"
    "exit status: 0 done, 1 the machine failed, 2 the input cannot be used, 3 no CUDA device,\n"
    "130 interrupted (what was computed until then is written)\n";

enum { THREADS_MAX = 1024, DEVICE_MAX = 1023 };

/* ---- values --------------------------------------------------------------------------------- */

static int whole(const char *what, const char *text, int64_t low, int64_t high, int64_t *value,
                 struct error *e)
{
    if (scan_integer(text, value) && *value >= low && *value <= high) return 0;
    return error_input(e, "run: %s %s: give a whole number from %lld to %lld", what, text,
                       (long long)low, (long long)high);
}

static int set_variant(struct run_options *o, const char *text, struct error *e)
{
    (void)e;
    o->variant = strcmp(text, "auto") ? text : NULL;
    return 0;
}

static int set_output(struct run_options *o, const char *text, struct error *e)
{
    if (!*text) return error_input(e, "run: --output: name a folder");
    o->output = text;
    return 0;
}

static int set_every(struct run_options *o, const char *text, struct error *e)
{
    return whole("--every", text, 0, RUN_STEPS_MAX, &o->every, e);
}

static int set_threads(struct run_options *o, const char *text, struct error *e)
{
    int64_t n = 0;
    int status = whole("--threads", text, 1, THREADS_MAX, &n, e);
    o->machine.threads = (int)n;
    return status;
}

static int set_device(struct run_options *o, const char *text, struct error *e)
{
    int64_t n = 0;
    int status = whole("--device", text, 0, DEVICE_MAX, &n, e);
    o->machine.device = (int)n;
    return status;
}

static int set_domain(struct run_options *o, const char *text, struct error *e)
{
    o->full_domain = !strcmp(text, "full");
    if (o->full_domain || !strcmp(text, "lava")) return 0;
    return error_input(e, "run: --domain %s: choose lava or full", text);
}

static int set_stop(struct run_options *o, const char *text, struct error *e)
{
    if (scan_real(text, &o->stop_below_m) && o->stop_below_m >= 0) return 0;
    return error_input(e, "run: --stop-below %s: give metres, a number from 0", text);
}

static int set_format(struct run_options *o, const char *text, struct error *e)
{
    static const struct {
        const char *name;
        enum output_format format;
    } known[] = {{"geotiff", OUTPUT_GEOTIFF}, {"png", OUTPUT_PNG}, {"original", OUTPUT_ORIGINAL}};
    o->formats = 0;
    for (const char *word = text;; word += strcspn(word, ",") + 1) {
        const size_t length = strcspn(word, ",");
        unsigned format = 0;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (strlen(known[i].name) == length && !strncmp(word, known[i].name, length))
                format = known[i].format;
        if (!format)
            return error_input(e, "run: --format %s: a list of geotiff, png and original", text);
        o->formats |= format;
        if (!word[length]) return 0;
    }
}

/* ---- words ---------------------------------------------------------------------------------- */

/* Either a value is set, or the flag at that offset of struct run_options. */
static const struct option {
    const char *name;
    int (*set)(struct run_options *, const char *, struct error *);
    size_t flag;
} options[] = {
    {"--variant", set_variant, 0},
    {"--output", set_output, 0},
    {"--every", set_every, 0},
    {"--format", set_format, 0},
    {"--stop-below", set_stop, 0},
    {"--domain", set_domain, 0},
    {"--threads", set_threads, 0},
    {"--device", set_device, 0},
    {"--published", NULL, offsetof(struct run_options, published)},
    {"--no-output", NULL, offsetof(struct run_options, no_output)},
    {"--quiet", NULL, offsetof(struct run_options, quiet)},
    {"--json", NULL, offsetof(struct run_options, json)},
    {"--help", NULL, offsetof(struct run_options, help)},
    {"-h", NULL, offsetof(struct run_options, help)},
};
enum { OPTIONS = sizeof options / sizeof *options };

/* --name=value is the same as --name value. */
static int find(const char *word)
{
    const size_t length = strcspn(word, "=");
    for (int i = 0; i < OPTIONS; i++)
        if (strlen(options[i].name) == length && !strncmp(options[i].name, word, length)) return i;
    return -1;
}

/* Takes the option *word, and the word after it where that is its value. */
static int take(struct run_options *o, bool *given, char ***word, struct error *e)
{
    const int i = find(**word);
    if (i < 0) return error_input(e, "run: unknown option %s; see sciara run --help", **word);
    const char *name = options[i].name, *value = strchr(**word, '=');
    if (given[i] && options[i].set) return error_input(e, "run: %s: is given twice", name);
    given[i] = true;
    if (!options[i].set) {
        if (value) return error_input(e, "run: %s: takes no value", name);
        *(bool *)((char *)o + options[i].flag) = true;
        return 0;
    }
    if (value) value++;
    else value = *++*word;
    if (!value) return error_input(e, "run: %s: its value is missing; see sciara run --help", name);
    return options[i].set(o, value, e);
}

static int place(struct run_options *o, const char *word, struct error *e)
{
    if (!o->case_path) {
        o->case_path = word;
        return 0;
    }
    if (o->steps)
        return error_input(e, "run: %s: one CASE and one number of STEPS is all it takes", word);
    return whole("STEPS", word, 1, RUN_STEPS_MAX, &o->steps, e);
}

static int check(const struct run_options *o, struct error *e)
{
    if (!o->case_path || !*o->case_path)
        return error_input(e, "run: name a case file; see sciara run --help");
    if (o->published && o->variant && strcmp(o->variant, "reference"))
        return error_input(e, "run: --published is only for --variant reference, not %s",
                           o->variant);
    if (o->no_output && o->output)
        return error_input(e, "run: --no-output and --output %s contradict each other", o->output);
    return 0;
}

int run_options_parse(struct run_options *o, int argc, char **argv, struct error *e)
{
    bool given[OPTIONS] = {false};
    *o = (struct run_options){
        .every = -1, .stop_below_m = -1, .formats = OUTPUT_GEOTIFF | OUTPUT_PNG};
    int status = 0;
    for (char **word = argv + 1; word < argv + argc && !status; word++) {
        const char *w = *word; /* -5 is a bad number of steps, not an option */
        if (w[0] == '-' && w[1] && !isdigit((unsigned char)w[1])) status = take(o, given, &word, e);
        else status = place(o, w, e);
    }
    return status || o->help ? status : check(o, e);
}
