/* run_options.c — the command line of `sciara run`. */
#include "cli.h"
#include "options.h"
#include "run.h"

#include "text/scan.h"
#include "text/times.h"

#include <string.h>
#include <unistd.h>

/* ---- values ---------------------------------------------------------------------------------- */

static int set_variant(const struct option *o, void *field, const char *const value[],
                       struct error *e)
{
    (void)o, (void)e;
    *(const char **)field = strcmp(value[0], "auto") ? value[0] : NULL;
    return 0;
}

static int set_domain(const struct option *o, void *field, const char *const value[],
                      struct error *e)
{
    (void)o, (void)e;
    *(bool *)field = !strcmp(value[0], "full");
    return 0;
}

/* "6h", "30min": simulated time; "5000": steps. */
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

static const char *const new_terrains[] = {"with_lava", "without_lava", NULL};

static int set_new_terrain(const struct option *o, void *field, const char *const value[],
                           struct error *e)
{
    (void)o, (void)e;
    *(int *)field = strcmp(value[0], new_terrains[0]) ? SCIARA_WITHOUT_LAVA : SCIARA_WITH_LAVA;
    return 0;
}

static const char *const format_names[] = {"geotiff", "png", "original", "geojson",
                                           "gpkg",    "kmz", "qgis",     "netcdf",
                                           "svg",     "pdf", "html",     NULL};
static const unsigned format_bits[] = {
    SCIARA_GEOTIFF, SCIARA_PNG,    SCIARA_ORIGINAL, SCIARA_GEOJSON, SCIARA_GEOPACKAGE, SCIARA_KMZ,
    SCIARA_QGIS,    SCIARA_NETCDF, SCIARA_SVG,      SCIARA_PDF,     RUN_HTML};

static const char *const map_names[] = {"thickness", "temperature", "arrival", "max_thickness",
                                        NULL};

/* ---- the table ------------------------------------------------------------------------------- */

static const char *const domains[] = {"lava", "full", NULL};

#define AT(member) offsetof(struct run_options, member)
static const struct option operands[] = {
    RUN_OPERAND_CASE(AT(case_path)),
    RUN_OPERAND_STEPS(AT(steps)),
    {0},
};
static const struct option options[] = {
    {.name = "--variant",
     .value = "NAME",
     .set = set_variant,
     .at = AT(variant),
     .choices = variant_names,
     .also = "auto",
     .preset = "auto",
     .help = "variant to use: a name that `sciara variants` lists, or auto, the fastest one that "
             "this machine can run; the result is the same bit for bit"},
    {.name = "--member",
     .value = "N",
     .set = option_whole,
     .at = AT(member),
     .high = INT64_MAX,
     .usual = "CASE is no plan",
     .help = "run member N of the plan CASE, with the same bits as in the ensemble; the first "
             "is 0"},
    RUN_OPTION_OUTPUT(AT(output), "output/NAME-OF-CASE"),
    {.name = "--until",
     .value = "TIME",
     .set = option_text,
     .at = AT(until),
     .usual = "the maximum of the case",
     .help = "the last step by its time: the first step that ends at that time since the start "
             "(6h, 2d) or that date (2006-07-24T00:00, of a case with start_time), or later; a "
             "whole number is the step itself, as STEPS"},
    {.name = "--every",
     .value = "SPAN",
     .set = set_span,
     .at = AT(every),
     .high = RUN_STEPS_MAX,
     .usual = "as in the case",
     .help = "also write files every so many steps, or every so much simulated time, to the "
             "nearest whole number of steps: 90s, 30min, 6h, 2d; 0: only at the end"},
    {.name = "--format",
     .value = "LIST",
     .set = option_bits,
     .at = AT(formats),
     .choices = format_names,
     .bits = format_bits,
     .list = true,
     .preset = "geotiff,png",
     .help =
         "file formats, separated by commas: geotiff, layers for a GIS; png, svg, pdf, maps; "
         "original, the text format of the published program; at the end of the run geojson or "
         "gpkg, isochrones; kmz, all of it for Google Earth; qgis, a project and styles; netcdf, "
         "all times in one file; html, report.html, a page for a browser, and the layers that it "
         "is made of"},
    {.name = "--maps",
     .value = "LIST",
     .set = option_bits,
     .at = AT(maps),
     .choices = map_names,
     .list = true,
     .preset = "thickness,arrival",
     .help = "maps to draw, separated by commas: thickness and temperature, also of each snapshot; "
             "arrival and max_thickness, at the end of the run"},
    RUN_OPTION_MAP_SIZE(AT(map.page)),
    RUN_OPTION_MAP_DPI(AT(map.dpi)),
    {.name = "--animate",
     .at = AT(animate),
     .help = "also write animation.webp, about sixty maps of thickness at equal times"},
    {.name = "--animate-mp4",
     .at = AT(film),
     .help = "the same, and as animation.mp4, by ffmpeg, which has to be there"},
    {.name = "--animate-every",
     .value = "SPAN",
     .set = set_span,
     .at = AT(frame_every),
     .low = 1,
     .high = RUN_STEPS_MAX,
     .usual = "only as --animate",
     .help = "the same with a map every so many steps, or every so much simulated time, as "
             "--every"},
    {.name = "--no-output", .at = AT(no_output), .help = "write no files"},
    {.name = "--state",
     .at = AT(state),
     .help = "also write the exact state, from which a run goes on to the same bits: at the end, "
             "and when a signal ends the run; the latest two are kept"},
    {.name = "--state-every",
     .value = "SPAN",
     .set = set_span,
     .at = AT(state_every),
     .low = 1,
     .high = RUN_STEPS_MAX,
     .usual = "only as --state",
     .help = "also every so many steps, or every so much simulated time, as --every"},
    {.name = "--state-minutes",
     .value = "M",
     .set = option_span,
     .at = AT(state_s),
     .plain = TIMES_MINUTES,
     .usual = "only as --state",
     .help = "also every M minutes of real time, or every 90s or 2h of it"},
    {.name = "--from",
     .value = "STATE",
     .set = option_text,
     .at = AT(from),
     .completes = COMPLETE_FILE,
     .usual = "the beginning",
     .help = "go on from a state, written by any variant; it has to be one of this case"},
    {.name = "--changed",
     .at = AT(changed),
     .help = "go on though vents, rates, parameters, later changes of the terrain or the stopping "
             "rule have changed since the state"},
    {.name = "--new-terrain",
     .value = "WHAT",
     .set = set_new_terrain,
     .at = AT(new_terrain),
     .choices = new_terrains,
     .usual = "that of the state",
     .help = "with --changed: the dem of the case is a later survey, which takes the place of the "
             "terrain of the state; what has solidified is in it (with_lava) or not "
             "(without_lava)"},
    {.name = "--resume",
     .at = AT(resume),
     .help = "go on from the latest good state in the output folder, or begin where there is none; "
             "what else is there stays; implies --state"},
    {.name = "--stop-below",
     .value = "M",
     .set = option_real,
     .at = AT(stop_below_m),
     .unit = "metres",
     .usual = "as in the case",
     .help = "stop when the eruption is over and the thicknesses of mobile lava in all cells add "
             "up to at most M metres"},
    {.name = "--domain",
     .value = "WHICH",
     .set = set_domain,
     .at = AT(full_domain),
     .choices = domains,
     .preset = "lava",
     .help = "cells to compute in every step: lava, only cells with lava, or full, all cells"},
    RUN_OPTION_THREADS(AT(threads), "threads of the CPU variant"),
    RUN_OPTION_DEVICE(AT(device)),
    {.name = "--published",
     .at = AT(published),
     .help = "use the arithmetic of the published program; only with the reference variant"},
    RUN_OPTION_QUIET(AT(quiet)),
    RUN_OPTION_JSON(AT(json)),
    {0},
};

static const struct option_exit exits[] = {
    {0, "done"},
    {1, "failed: full disk, out of memory or GPU error"},
    {2, "invalid input or command line"},
    {3, "no CUDA device, or the variant was not built"},
    {75, "ended by a signal; a state is written, from which --resume goes on"},
    {130, "interrupted; all results up to then are written, unless their writing was interrupted"},
    {0, NULL},
};

const struct command command_run = {
    .name = "run",
    .summary = "run a case and write layers, maps, a timeline and a summary",
    .synopsis = "sciara_VARIANT CASE [STEPS] [options]",
    .about =
        "Runs a case up to its maximum number of steps, or to step STEPS, and writes layers, maps, "
        "a timeline and summary.json.\n\n"
        "`sciara_VARIANT` is the same as `sciara run --variant VARIANT`, for each variant; for a "
        "variant that was not built it says what to use instead.",
    .operands = operands,
    .options = options,
    .missing = "name a case file",
    .exits = exits,
    .run = cmd_run,
};

/* ---- combinations ---------------------------------------------------------------------------- */

static int check(const struct run_options *o, struct error *e)
{
    if (o->published && o->variant && strcmp(o->variant, "reference"))
        return error_input(e, "run: --published works only with --variant reference, not %s",
                           o->variant);
    if (o->published && o->member >= 0)
        return error_input(e, "run: --published and --member %lld: members are computed exactly",
                           (long long)o->member);
    if (o->from && o->resume)
        return error_input(e,
                           "run: --from %s and --resume contradict each other: --resume finds "
                           "the state itself",
                           o->from);
    if (o->changed && !o->from && !o->resume)
        return error_input(e, "run: --changed: nothing goes on from a state; add --from STATE");
    if (o->until && o->steps)
        return error_input(e, "run: --until %s and step %lld: both say the end; leave one out",
                           o->until, (long long)o->steps);
    if (o->new_terrain && !o->changed)
        return error_input(e, "run: --new-terrain: the case is another than that of the state; say "
                              "--changed, too");
    if (o->no_output && (o->state || o->state_every.steps || o->state_every.time_s > 0 ||
                         o->state_s > 0 || o->resume))
        return error_input(e, "run: --no-output: a state needs the output folder; leave one out");
    if (o->no_output &&
        (o->animate || o->film || o->frame_every.steps || o->frame_every.time_s > 0))
        return error_input(e, "run: --no-output: an animation needs the output folder; leave one "
                              "out");
    if (o->no_output && o->output)
        return error_input(e, "run: --no-output and --output %s contradict each other", o->output);
    return 0;
}

/* sciara_NAME accepts its own name, and no other. */
static int fix_variant(struct run_options *o, const char *fixed, struct error *e)
{
    if (o->variant && strcmp(o->variant, fixed))
        return error_input(e,
                           "run: --variant %s: sciara_%s computes with %s alone; use sciara run "
                           "--variant %s",
                           o->variant, fixed, fixed, o->variant);
    o->variant = fixed;
    return 0;
}

int run_options_parse(struct run_options *o, const char *fixed, int argc, char **argv,
                      struct error *e)
{
    *o = (struct run_options){.every.steps = -1, .stop_below_m = -1, .member = -1};
    int64_t steps;
    int status = options_parse(&command_run, o, argc, argv, e);
    if (status == ERROR_INPUT && o->case_path && scan_integer(o->case_path, &steps) &&
        access(o->case_path, F_OK))
        return error_input(e, "run: %.900s: the case comes first: sciara run CASE STEPS",
                           o->case_path);
    o->html = o->formats & RUN_HTML;
    if (o->html) o->formats = (o->formats & ~(unsigned)RUN_HTML) | SCIARA_GEOTIFF;
    if (!status && fixed) status = fix_variant(o, fixed, e);
    return status ? status : check(o, e);
}
