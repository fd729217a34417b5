/* cmd_run.c — `sciara run CASE [STEPS]`. All checks come before the first file is written. cmd_run_variant() at the end of
 * this file calls run_case(), which calls the parts in their order; compute_run() calls sciara_run() of library/run.c. */
#include "run.h"

#include "base/own_library.h"
#include "case/barriers.h"
#include "case/changes.h"
#include "eruption/rates.h"
#include "case/resolution.h"
#include "compare/lava_extent.h"
#include "record/painters.h"
#include "record/roundnum.h"
#include "record/runfolder.h"
#include "library/inside.h"
#include "products/files.h"
#include "run/output.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "text/times.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct run {
    const struct run_options *options;
    struct progress progress;
    double began_s;
    sciara_case *c;
    struct sciara_case_info info;
    int64_t last_step; /* 0: the case decides */
    sciara_simulation *simulation;
    sciara_snapshot *last;
    char *folder;
    char *letters;             /* final warning that pictures cannot show the title; NULL: none */
    bool interrupted, missing; /* missing: a final file could not be written */
};

/* ---- the report at the end ------------------------------------------------------------------- */

static void report_case(const struct run *r, const struct sciara_state *state)
{
    const struct sciara_case_info *c = &r->info;
    char code[32] = "no CRS", resolution[256];
    if (c->epsg) snprintf(code, sizeof code, "EPSG:%d", c->epsg);
    else if (c->has_crs) snprintf(code, sizeof code, "user-defined CRS");
    if (c->synthetic) printf("%s\n", c->terrain_source);
    printf("case          %s\n", c->name);
    if (c->parameter_set) printf("parameters    %s\n", c->parameter_set);
    if (*resolution_text(case_inside(r->c), resolution)) printf("resolution    %s\n", resolution);
    printf("grid          %d x %d cells of %.10g m, %s%s%s\n", c->rows, c->cols, c->cell_m, code,
           *c->crs_name ? ", " : "", c->crs_name);
    printf("variant       %s%s on %s",
           c->published ? "reference, published arithmetic" : state->variant,
           state->full_domain ? ", full domain" : "", state->device);
    if (state->threads) printf(", %d thread%s", state->threads, state->threads == 1 ? "" : "s");
    putchar('\n');
}

static void report_time(const struct run *r, const struct sciara_state *state)
{
    const int64_t from = sciara_from_step(r->simulation);
    const int64_t first = from >= 0 ? from : r->info.first_step, steps = state->step - first;
    const double hours = state->time_s / 3600, days = floor(hours / 24);
    char date[TIMES_TEXT];
    times_date(date, r->info.start_time, state->time_s, TIMES_SAID);
    char asked[64] = "";
    if (r->info.max_steps && state->step > r->info.max_steps)
        snprintf(asked, sizeof asked, " (the case has %lld)", (long long)r->info.max_steps);
    printf("steps         %lld to %lld%s, %.0f day%s %.2f h since the start%s%s%s%s\n",
           (long long)first, (long long)state->step, asked, days, days < 1 || days > 1 ? "s" : "",
           hours - 24 * days, *date ? ", " : "", date,
           state->stopped ? "; stopped: the lava is still" : "",
           r->interrupted ? "; interrupted" : "");
    printf("time          %.3f s for the steps, %.2f us per step; %.3f s in all\n", state->steps_s,
           steps ? state->steps_s * 1e6 / (double)steps : 0.0, clock_now_s() - r->began_s);
}

static void report_amount(const struct sciara_ledger *l, const char *name, struct sciara_sum sum)
{
    printf("  %-11s %18.3f m3\n", name, sciara_sum_value(sum) * l->unit_m3);
}

static void report_heat(const struct sciara_heat_ledger *l)
{
    const double all = sciara_sum_value(l->initial) + sciara_sum_value(l->emitted);
    printf("heat ledger   closes, to the last 2^-40 K m");
    if (all > 0)
        printf("; %.2f %% of the heat was lost by cooling",
               100 * sciara_sum_value(l->cooled) / all);
    putchar('\n');
}

static void report_emission(const struct run *r, const struct sciara_state *state,
                            const struct sciara_ledger *l)
{
    double asked_m3;
    if (!r->info.vent_count) return;
    sciara_case_volume(r->c, r->info.first_step, state->step, &asked_m3, NULL);
    printf("emission      %.3f m3 emitted of %.3f m3 that the rates ask for%s\n",
           sciara_sum_value(l->emitted) * l->unit_m3, asked_m3,
           r->info.emission == SCIARA_EMISSION_PUBLISHED ? ", by the published rule" : "");
}

static void report_ledger(const struct run *r, const struct sciara_ledger *l)
{
    if (r->info.published) puts("totals        in published arithmetic, which need not close");
    else puts("ledger        closes, to the last 2^-36 m");
    if (l->initial.low || l->initial.high) report_amount(l, "initial", l->initial);
    report_amount(l, "emitted", l->emitted);
    report_amount(l, "mobile", l->mobile);
    report_amount(l, "solidified", l->solidified);
    report_amount(l, "left domain", l->left_domain);
    if (case_inside(r->c)->sea) report_amount(l, "entered sea", l->entered_sea);
    if (!r->info.published) report_heat(&l->heat);
    if (sciara_sum_value(l->ground_raised) > 0 || sciara_sum_value(l->ground_lowered) > 0)
        printf("ground        changed: %.3f m3 raised, %.3f m3 lowered\n",
               sciara_sum_value(l->ground_raised) * l->unit_m3,
               sciara_sum_value(l->ground_lowered) * l->unit_m3);
}

static void report_lava(const struct run *r, const struct sciara_extent *x)
{
    char area[32];
    printf("covered area  %s km2, %zu cells\n", roundnum_brief(area, x->area_m2 * 1e-6), x->cells);
    if (isfinite(x->runout_m)) printf("run-out       %.0f m from the nearest vent\n", x->runout_m);
    printf("thickest      %.2f m at the end, %.2f m at any time\n", x->thickest_m,
           x->max_thickness_m);
    printf("arrivals      %s\n", PRODUCT_ARRIVAL_CAVEAT);
    printf("digest        %016" PRIx64 "\n", sciara_snapshot_digest(r->last));
}

/* Adds a warning to the report. */
static void report_more(struct run *r, const char *sentence)
{
    struct warnings w = {0};
    warnings_add(&w, WARNING_INPUT, sentence, NULL);
    progress_report(&w, &r->progress.said);
}

/* Reports how well the run covers the observed outline. */
static void report_fit(struct run *r)
{
    const struct output_info info = {.extent = OUTPUT_EXTENT_BY_SIZE};
    const struct sim_case *c = case_inside(r->c);
    FREED_BY(output_outline_free) struct output_outline outline = {0};
    FREED_BY(output_cut_free) struct output_cut x = {0};
    struct error e;
    struct sciara_overlap f;
    if (!c->outline_path) return;
    int status = output_outline_read(&outline, &info, c, &e);
    if (!status) status = output_cut(&x, &info, c, snapshot_inside(r->last), &outline, &e);
    if (!status) status = output_overlap(&f, &x, &e);
    FREED char *sentence = status ? text_format("no overlap with the outline: %s", e.text) : NULL;
    if (sentence) report_more(r, sentence);
    if (!status)
        printf("overlap J     %.3f with the observed outline: %.0f %% of it reached; %.0f %% of "
               "the lava lies outside\n",
               f.jaccard, 100 * f.recall, f.simulated ? 100 * (1 - f.precision) : 0.0);
}

/* Reports where lava reached the shore first. */
static void report_sea(const struct run *r, const struct sciara_extent *x)
{
    const struct sciara_case_info *c = &r->info;
    if (!case_inside(r->c)->sea) return;
    if (x->sea_step < 0) {
        puts("sea           no lava has reached it");
        return;
    }
    const double x_m = c->west_m + (x->sea_col + 0.5) * c->cell_m;
    const double y_m = c->south_m + (c->rows - x->sea_row - 0.5) * c->cell_m;
    const double time_s = (double)x->sea_step * c->parameters.Pclock;
    char date[TIMES_TEXT];
    times_date(date, c->start_time, time_s, TIMES_SAID);
    printf("sea           %.3g %% of the lava has entered it; the first in step %lld, after %.2f "
           "h%s%s, at x %.10g, y %.10g\n",
           100 * x->sea_share, (long long)x->sea_step, time_s / 3600, *date ? ", " : "", date, x_m,
           y_m);
}

/* Reports each barrier, and the total volumes of the barriers that stand from the start. */
static void report_barriers(const struct run *r)
{
    static const char *const forms[] = {
        [BARRIER_HEIGHT] = "wall of", [BARRIER_CREST] = "crest at", [BARRIER_DEPTH] = "channel of"};
    const struct sim_case *c = case_inside(r->c);
    const struct barriers *b = c->barriers;
    const double area_m2 = c->geo.cell_m * c->geo.cell_m;
    for (int i = 0; b && i < b->count; i++) {
        const struct barrier *x = &b->item[i];
        printf("barrier       %s: %s %.6g m, %.0f m long, %u cells, %.6g m3 of fill, %.6g m3 dug\n",
               x->name, forms[x->form], x->value_m, x->length_m, (unsigned)x->cells,
               quanta_m(x->raised) * area_m2, quanta_m(x->lowered) * area_m2);
    }
    if (b && b->cells)
        printf("barriers      %u cells of the terrain: %.6g m3 of fill, %.6g m3 dug\n",
               (unsigned)b->cells, quanta_m(b->built.raised) * area_m2,
               quanta_m(b->built.lowered) * area_m2);
}

static void report_changes(const struct run *r, const struct sciara_state *state)
{
    const struct sim_case *c = case_inside(r->c);
    for (int i = 0; i < c->change_count; i++) {
        const struct change *x = &c->change[i];
        const int64_t step = change_step(x, &c->problem.params);
        const bool made = step < state->step;
        if (x->elevation_m)
            printf("terrain       %s by %s after step %lld, %s lava\n",
                   made ? "replaced" : "would be replaced", x->path, (long long)step,
                   x->with_lava ? "with" : "without");
        else
            printf("barriers      %s: %zu cells %s after step %lld\n", x->path, x->rules,
                   made ? "built" : "would be built", (long long)step);
    }
}

/* Reports rasters in the folder that are not of this run: a reader could mistake them for its results. */
static void report_others(struct run *r)
{
    FREED_BY(runfolder_close) struct runfolder f = {0};
    if (r->options->no_output || runfolder_open(&f, r->folder, false, NULL) || !f.other_count)
        return;
    const bool one = f.other_count == 1;
    FREED char *sentence =
        text_format("%d raster%s in the folder %s not of this run: %s%s%s%s%s%s", f.other_count,
                    one ? "" : "s", one ? "is" : "are", f.other[0], one ? "" : ", ",
                    one ? "" : f.other[1], f.other_count > 2 ? ", " : "",
                    f.other_count > 2 ? f.other[2] : "", f.other_count > 3 ? ", ..." : "");
    if (sentence) report_more(r, sentence);
}

static int run_report(struct run *r, struct error *e)
{
    struct sciara_ledger ledger;
    struct sciara_extent extent;
    struct sciara_state state;
    struct sciara_error why;
    if (sciara_snapshot_ledger(r->last, &ledger, &why) ||
        sciara_snapshot_extent(r->last, &extent, &why))
        return error_of_sciara(&why, e);
    sciara_state(r->simulation, &state);
    if (!r->options->no_output) cli_print_map(r->folder);
    report_case(r, &state);
    report_time(r, &state);
    report_emission(r, &state, &ledger);
    report_ledger(r, &ledger);
    report_lava(r, &extent);
    report_barriers(r);
    report_changes(r, &state);
    report_sea(r, &extent);
    report_fit(r);
    progress_report(simulation_told(r->simulation), &r->progress.said);
    report_others(r);
    if (r->folder) scan_make_printable(r->folder); /* no file is opened after this */
    printf("files         %s\n", r->options->no_output ? "none" : r->folder);
    if (r->options->run.formats & SCIARA_HTML && !r->options->no_output)
        printf("open          %s/%s\n", r->folder, REPORT_FILE);
    return 0;
}

/* ---- the run --------------------------------------------------------------------------------- */

static struct sciara_watcher watcher_of(struct run *r)
{
    return (struct sciara_watcher){progress_tell, &r->progress};
}

static int load_case(struct run *r, double *load_s, struct error *e)
{
    const struct run_options *o = r->options;
    const struct sciara_watcher watcher = watcher_of(r);
    r->progress = (struct progress){.on = progress_wanted(o->quiet)};
    r->progress.name[SCIARA_READING] = o->case_path;
    const int status = cli_load_case(&r->c, o->case_path, o->member,
                                     o->published ? "published" : NULL, &watcher, e);
    progress_clear(&r->progress);
    if (status) return status;
    *load_s = clock_now_s() - r->began_s;
    sciara_case_info(r->c, &r->info);
    r->folder = o->output ? text_format("%s", o->output) : text_format("output/%s", r->info.name);
    r->progress.name[SCIARA_SETTING_UP] = r->info.name;
    r->progress.name[SCIARA_WRITING] = r->folder;
    if (!o->quiet) r->progress.told = &case_inside(r->c)->told;
    r->progress.clock_s = r->info.parameters.Pclock;
    r->progress.area_m2 = r->info.cell_m * r->info.cell_m;
    return 0;
}

/* Sets the last step by STEPS or --until; without these options the case decides. */
static int find_last_step(struct run *r, struct error *e)
{
    const char *until = r->options->until;
    const double clock_s = r->info.parameters.Pclock;
    char excerpt[48];
    struct error why = {0};
    double time_s = 0;
    r->last_step = r->options->with.max_steps;
    if (!until ||
        (scan_integer(until, &r->last_step) && r->last_step >= 1 && r->last_step <= RUN_STEPS_MAX))
        return 0;
    int status = times_moment(&time_s, until, TIMES_NONE, r->info.start_time, &why);
    if (!status && !(time_s > 0))
        status = error_input(&why, "is the start itself; give a later time");
    if (!status && time_s / clock_s > RUN_STEPS_MAX)
        status =
            error_input(&why, "is after more than %d steps; give an earlier time", RUN_STEPS_MAX);
    if (!status) {
        r->last_step = rates_first_step(time_s, 1, clock_s);
        return 0;
    }
    return error_input(e, "run: --until %s: %.900s", scan_excerpt(excerpt, until), why.text);
}

static void add_remedy(const struct run_options *o, struct error *e)
{
    char steps[64] = "", reason[sizeof e->text];
    FREED char *path = text_shell_word(o->case_path);
    if (o->with.max_steps) snprintf(steps, sizeof steps, " %lld", (long long)o->with.max_steps);
    if (o->until) snprintf(steps, sizeof steps, " --until '%.40s'", o->until);
    memcpy(reason, e->text, sizeof reason);
    snprintf(e->text, sizeof e->text, "%.480s; use: sciara run %.400s%s --variant reference",
             reason, path ? path : "CASE", steps);
}

static void warn_of_passed_over(struct run *r)
{
    struct warnings w = {0};
    const char *over = sciara_passed_over(r->simulation);
    if (*over) warnings_add(&w, WARNING_INPUT, over, NULL);
    progress_tell_all(&w, &r->progress.said);
}

/* Creates the simulation; options take precedence over the case. */
static int create_simulation(struct run *r, struct error *e)
{
    const struct run_options *o = r->options;
    struct sciara_options with = o->with;
    struct sciara_error why;
    with.max_steps = r->last_step;
    with.watcher = watcher_of(r);
    with.resume = o->resume ? r->folder : NULL;
    with.changed = o->changed;
    if (case_check_end(r->c, &with, e)) return (int)e->code;
    const int status = sciara_create(&r->simulation, r->c, &with, &why);
    progress_clear(&r->progress);
    if (status) error_of_sciara(&why, e);
    if (status == SCIARA_DEVICE) add_remedy(o, e);
    if (!status) simulation_leave_device(r->simulation);
    if (!status && !o->quiet) warn_of_passed_over(r);
    return status;
}

/* Converts a simulated time to a number of steps, rounded, at least 1. A number of steps stays as it is. */
static int64_t steps_of(const struct run_span *span, double clock_s)
{
    if (!(span->time_s > 0)) return span->steps;
    const double steps = floor(span->time_s / clock_s + 0.5);
    return steps < 1 ? 1 : steps > RUN_STEPS_MAX ? RUN_STEPS_MAX : (int64_t)steps;
}

static int compute_run(struct run *r, double load_s, struct error *e)
{
    const struct run_options *o = r->options;
    struct sciara_run_options with = o->run;
    struct sciara_error why;
    with.folder = o->no_output ? NULL : r->folder;
    with.map_dpi = o->map.dpi;
    run_map_inches(&o->map, &with.map_width_in, &with.map_height_in);
    const int64_t frame_every = steps_of(&o->frame_every, r->info.parameters.Pclock);
    with.frame_every = frame_every ? frame_every : o->animate ? -1 : 0;
    with.every = steps_of(&o->every, r->info.parameters.Pclock);
    with.load_s = load_s;
    with.states = o->state || o->resume;
    with.state_every = steps_of(&o->state_every, r->info.parameters.Pclock);
    with.state_minutes = o->state_s / 60;
    const int status = sciara_run(r->simulation, &with, &r->last, &why);
    progress_clear(&r->progress);
    if (status) error_of_sciara(&why, e);
    r->interrupted = status == SCIARA_CANCELLED;
    r->missing = status == SCIARA_FAILED && r->last;
    return r->interrupted && r->last ? 0 : status;
}

static int end_run(struct run *r, struct error *e)
{
    if (r->letters) progress_warn(r->letters);
    if (!r->options->json) return r->options->quiet ? 0 : run_report(r, e);
    FREED char *text = sciara_summary(r->simulation);
    if (!text) return error_memory(e);
    fputs(text, stdout);
    return 0;
}

/* Opens the libraries and fonts that writing needs, while the device starts on another thread. Writing opens them again,
 * and reports errors. */
static void prepare_writing(struct run *r)
{
    const struct run_options *o = r->options;
    if (o->no_output) return;
    own_library_open("libsciara_proj.so");
    own_library_open("libsciara_zip.so");
    if (o->run.formats & PAINTED) painters_load(NULL);
    if (o->run.formats & PAINTED_PICTURES && !o->quiet)
        r->letters = progress_letters(*r->info.title ? r->info.title : r->info.name);
}

static int run_case(struct run *r, struct error *e)
{
    double load_s = 0;
    struct device_waking waking;
    r->began_s = clock_now_s();
    interrupt_watch(NULL);
    device_wake(&waking, r->options->with.variant, r->options->with.device);
    int status = load_case(r, &load_s, e);
    if (!status) status = find_last_step(r, e);
    if (!status) prepare_writing(r);
    device_wait(&waking);
    if (!status) status = create_simulation(r, e);
    if (!status) status = compute_run(r, load_s, e);
    if (status && !r->missing) return status;
    struct error other; /* only the first error is printed */
    const int rest = end_run(r, status ? &other : e);
    return status ? status : rest;
}

static bool saved_last(const sciara_simulation *s)
{
    struct sciara_state state;
    sciara_state(s, &state);
    return sciara_saved_step(s) == state.step;
}

int cmd_run_variant(const char *variant, int argc, char **argv)
{
    struct run_options o;
    struct error e = {0};
    int status = run_options_parse(&o, variant, argc, argv, &e);
    if (status == OPTIONS_HELP) return 0;
    if (status) return cli_fail("sciara", &e);

    struct run r = {.options = &o};
    status = run_case(&r, &e);
    const bool ended = r.interrupted || status == SCIARA_CANCELLED;
    const bool saved = ended && r.simulation && saved_last(r.simulation);
    const bool unfinished = r.simulation && !o.no_output; /* files may be missing */
    sciara_snapshot_free(r.last);
    sciara_free(r.simulation);
    sciara_case_free(r.c);
    free(r.folder);
    free(r.letters);
    cli_name_options(&command_run, &e);
    if (status && !ended) return cli_fail("sciara", &e);
    if (status && unfinished && !o.quiet)
        progress_warn("interrupted while files were written: summary.json and others are missing; "
                      "run it again");
    return !ended ? 0 : saved ? EXIT_GOES_ON : EXIT_INTERRUPTED;
}

int cmd_run(int argc, char **argv)
{
    return cmd_run_variant(NULL, argc, argv);
}
