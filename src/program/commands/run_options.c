/* run_options.c — the command line of `sciara run`. */
#include "run.h"

#include "products/formats.h"
#include "record/painters.h"
#include "text/scan.h"
#include "text/times.h"

#include <unistd.h>

static int set_variant(const struct option *o, void *field, const char *const value[],
                       struct error *e)
{
    *(const char **)field = strcmp(value[0], "auto") ? value[0] : NULL;
    return 0;
}

/* Reads "6h" or "30min" as simulated time, "5000" as steps. */
static int set_span(const struct option *o, void *field, const char *const value[], struct error *e)
{
    struct run_span *span = field;
    *span = (struct run_span){0};
    if (scan_integer(value[0], &span->steps) && span->steps >= o->low && span->steps <= o->high)
        return 0;
    span->steps = 0;
    if (!times_span(&span->time_s, value[0], TIMES_NONE, NULL) && span->time_s > 0) return 0;
    return error_input(e,
                       "give steps, a whole number from %lld to %lld, or a simulated time above 0 "
                       "with its unit (90s, 30min, 6h, 2d)",
                       (long long)o->low, (long long)o->high);
}

static const char *const format_names[] = {OUTPUT_FORMAT_LIST(FORMAT_WORD) NULL};
static const unsigned format_bits[] = {OUTPUT_FORMAT_LIST(FORMAT_BIT)};

static const char *const map_names[] = {"thickness", "temperature", "arrival", "max_thickness",
                                        NULL};

const char *const run_extents[] = {"flow", "full", NULL};
static const char *const domains[] = {"lava", "full", NULL};
static const char *const new_terrains[] = {"with_lava", "without_lava", NULL}; /* bits 1 and 2 */

#define AT(member) offsetof(struct run_options, member)
static const struct option words[] = {
    RUN_OPERAND_CASE(case_path),
    RUN_OPERAND_STEPS(with.max_steps),
    OPTION(
        "--until", "TIME", option_text, until,
        "last step as a time since the start (6h, 2d), a date (2006-07-24T00:00, if the case has "
        "start_time) or a number of steps; a time between two steps counts as the later step",
        .group = "what to compute", .usual = "the maximum of the case", .not_with = "STEPS"),
    OPTION("--stop-below", "M", option_real, with.stop_below_m,
           "stop when the eruption is over and the thicknesses of mobile lava in all cells add up "
           "to at most M metres",
           .unit = "metres", .usual = "as in the case"),
    OPTION(
        "--member", "N", option_whole, member,
        "run member N of the plan CASE, with the bits that it has in the ensemble; the first is 0",
        .high = INT64_MAX, .usual = "none; only for a plan"),
    OPTION("--domain", "WHICH", option_choice, with.full_domain,
           "cells to compute in every step: lava, only cells with lava; full, all cells",
           .choices = domains, .preset = "lava"),
    OPTION_FLAG("--published", published,
                "use the arithmetic of the published program; only with the reference variant",
                .not_with = "--member"),
    OPTION("--every", "SPAN", set_span, every,
           "also write files every N steps, or every 90s, 30min, 6h, 2d of the eruption, rounded "
           "to whole steps; 0: only at the end",
           .group = "output files", .high = RUN_STEPS_MAX, .usual = "as in the case"),
    OPTION("--format", "LIST", option_bits, run.formats,
           "file formats, separated by commas; " OUTPUT_FORMAT_LIST(
               FORMAT_HELP) "each format also writes the layers that it needs",
           .choices = format_names, .bits = format_bits, .list = true, .usual = "geotiff,png,html"),
    RUN_OPTION_LAYERS(run.layers, "temperature_K"),
    RUN_OPTION_EXTENT(run.extent),
    RUN_OPTION_OUTPUT(output, "output/NAME-OF-CASE"),
    OPTION_FLAG("--no-output", no_output, "write no files",
                .not_with =
                    "--output --every --format --layers --extent --maps --map-size --map-dpi "
                    "--animate --animate-every --state --state-every --state-minutes --resume"),
    OPTION("--maps", "LIST", option_bits, run.maps,
           "maps to draw, separated by commas: thickness and temperature, also of each snapshot; "
           "arrival and max_thickness, at the end",
           .group = "maps", .choices = map_names, .list = true, .usual = "thickness"),
    RUN_OPTION_MAP_SIZE(map.page, NULL),
    RUN_OPTION_MAP_DPI(map.dpi, NULL),
    OPTION_FLAG("--animate", animate,
                "also write animation.webp: about sixty maps of thickness at equal intervals"),
    OPTION("--animate-every", "SPAN", set_span, frame_every,
           "also write animation.webp, with a map every SPAN, as in --every", .low = 1,
           .high = RUN_STEPS_MAX, .usual = "about sixty maps"),
    OPTION_FLAG("--state", state,
                "also write the exact state, from which a run can resume: at the end, and when a "
                "signal ends the run; the latest two are kept",
                .group = "states"),
    OPTION("--state-every", "SPAN", set_span, state_every,
           "also write a state every SPAN, as in --every", .low = 1, .high = RUN_STEPS_MAX,
           .usual = "no further states"),
    OPTION("--state-minutes", "M", option_span, state_s,
           "also write a state every M minutes of real time, or every 90s or 2h",
           .plain = TIMES_MINUTES, .usual = "no further states"),
    OPTION_FLAG("--resume", resume,
                "resume from the latest valid state in the output folder, or start if it has none; "
                "keep its files; implies --state"),
    OPTION("--from", "STATE", option_text, with.from_state,
           "resume from this state of the same case, written by any variant",
           .completes = COMPLETE_FILE, .usual = "start at the beginning", .not_with = "--resume"),
    OPTION_FLAG("--changed", changed,
                "resume although vents, rates, parameters, later terrain changes or the stopping "
                "rule differ from the state",
                .needs = "--from --resume"),
    OPTION("--new-terrain", "WHAT", option_bits, with.new_terrain,
           "with --changed: replace the terrain of the state by the dem of the case, a later "
           "survey that includes solidified lava (with_lava) or not (without_lava)",
           .choices = new_terrains, .usual = "keep the terrain of the state", .needs = "--changed"),
    OPTION("--variant", "NAME", set_variant, with.variant,
           "a name that `sciara variants` lists, or auto, the fastest one that this machine can "
           "run; all give the same bits",
           .group = "computer and terminal", .choices = variant_names, .also = "auto",
           .preset = "auto"),
    RUN_OPTION_THREADS(with.threads, "threads of the reference variant",
                       .needs = "--variant=auto,reference"),
    RUN_OPTION_DEVICE(with.device, "--variant=reference --published"),
    RUN_OPTION_QUIET(quiet),
    RUN_OPTION_JSON(json),
    {0},
};

static const struct option_exit exits[] = {
    {0, "done"},
    {1, "failed: full disk, out of memory or GPU error"},
    {2, "invalid input or command line"},
    {3, "no CUDA device, or the variant was not built"},
    {75, "ended by a signal; the state is written, --resume continues"},
    {130,
     "interrupted; all results until then are written, unless the interrupt came while writing"},
    {0, NULL},
};

const struct command command_run = {
    .name = "run",
    .summary = "run a case and write layers, maps, a timeline and a summary",
    .synopsis = "sciara_VARIANT CASE [STEPS] [options]",
    .about = "Runs a case up to its maximum number of steps, or to step STEPS, and writes layers, "
             "maps, a timeline and summary.json.\n\n"
             "`sciara_VARIANT` is the same as `sciara run --variant VARIANT`. If that variant was "
             "not built, the error names the command to use instead.",
    .examples = "sciara run volcano.cfg --every 6h --format geotiff,png,qgis\n"
                "sciara run volcano.cfg --until 10d --state-minutes 10 --resume\n",
    .words = words,
    .missing = "name a case file",
    .exits = exits,
    .main = cmd_run,
};

/* ---- the variant ----------------------------------------------------------------------------- */

/* Sets the variant of a program sciara_NAME. The program accepts --variant NAME and refuses other variants. */
static int fix_variant(struct run_options *o, const char *fixed, struct error *e)
{
    if (o->with.variant && strcmp(o->with.variant, fixed))
        return error_input(
            e, "run: --variant %s: sciara_%s computes with %s alone; use sciara run --variant %s",
            o->with.variant, fixed, fixed, o->with.variant);
    o->with.variant = fixed;
    return 0;
}

int run_options_parse(struct run_options *o, const char *fixed, int argc, char **argv,
                      struct error *e)
{
    *o = (struct run_options){.every.steps = -1, .member = -1};
    sciara_options_init(&o->with, sizeof o->with);
    sciara_run_options_init(&o->run, sizeof o->run);
    o->run.formats = (SCIARA_GEOTIFF | SCIARA_PNG | SCIARA_HTML) & ~painters_lack;
    int64_t steps;
    int status = options_parse(&command_run, o, argc, argv, e);
    if (status == ERROR_INPUT && o->case_path && scan_integer(o->case_path, &steps) &&
        access(o->case_path, F_OK))
        return error_input(e, "run: %.900s: the case comes first: sciara run CASE STEPS",
                           o->case_path);
    if (!status && fixed) status = fix_variant(o, fixed, e);
    if (!status && o->published && o->with.variant && strcmp(o->with.variant, "reference"))
        return error_input(e, "run: --published works only with --variant reference, not %s",
                           o->with.variant);
    return status;
}

int option_page(const struct option *o, void *field, const char *const value[], struct error *e)
{
    static const struct {
        const char *name;
        double long_in, short_in;
    } sheets[] = {{"A3", 420 / 25.4, 297 / 25.4},
                  {"A4", 297 / 25.4, 210 / 25.4},
                  {"A5", 210 / 25.4, 148 / 25.4}};
    struct run_page *page = field;
    const size_t length = strcspn(value[0], "-");
    char wide[16] = "";
    int64_t width, height;
    for (int i = 0; i < 3; i++) {
        if (length != 2 || strncmp(value[0], sheets[i].name, length)) continue;
        *page = (struct run_page){sheets[i].long_in, sheets[i].short_in, false};
        if (!value[0][length]) return 0;
        *page = (struct run_page){sheets[i].short_in, sheets[i].long_in, false};
        if (!strcmp(value[0] + length, "-portrait")) return 0;
    }
    const char *by = strchr(value[0], 'x');
    if (by && by - value[0] < (long)sizeof wide) memcpy(wide, value[0], (size_t)(by - value[0]));
    if (by && scan_integer(wide, &width) && scan_integer(by + 1, &height) && width >= 300 &&
        height >= 300 && width <= 20000 && height <= 20000) {
        *page = (struct run_page){(double)width, (double)height, true};
        return 0;
    }
    return error_input(e, "give A3, A4 or A5, also A4-portrait, or pixels, 300x300 to 20000x20000");
}

void run_map_inches(const struct run_map *m, double *width_in, double *height_in)
{
    const double per_inch = !m->page.pixels ? 1 : m->dpi > 0 ? m->dpi : 300;
    *width_in = m->page.width / per_inch;
    *height_in = m->page.height / per_inch;
}
