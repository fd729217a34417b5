/* cmd_run.c — `sciara run CASE [STEPS]`. All checks come before the first file is written. */
#include "cli.h"
#include "options.h"
#include "run.h"

#include "case/rates.h"
#include "library/inside.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "text/times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct sciara_watcher watcher_of(struct run *r)
{
    return (struct sciara_watcher){progress_tell, &r->progress};
}

static int give_back(struct sciara_error *to, const struct error *from)
{
    to->status = (int)from->code;
    memcpy(to->text, from->text, sizeof to->text);
    return to->status;
}

static int load(struct run *r, double *load_s, struct sciara_error *e)
{
    const struct run_options *o = r->options;
    const struct sciara_watcher watcher = watcher_of(r);
    r->progress = (struct progress){.on = !o->quiet && isatty(STDERR_FILENO)};
    r->progress.name[SCIARA_READING] = o->case_path;
    int status =
        o->member >= 0
            ? sciara_case_load_member(&r->c, o->case_path, o->member, &watcher, e)
            : cli_load_case(&r->c, o->case_path, o->published ? "published" : NULL, &watcher, e);
    progress_clear(&r->progress);
    if (status) return status;
    *load_s = clock_now_s() - r->began_s;
    sciara_case_info(r->c, &r->info);
    r->folder = o->output ? text_format("%s", o->output) : text_format("output/%s", r->info.name);
    r->progress.name[SCIARA_SETTING_UP] = r->info.name;
    r->progress.name[SCIARA_WRITING] = r->folder;
    if (*r->info.warning && !o->quiet) r->progress.warning = r->info.warning;
    r->progress.clock_s = r->info.parameters.Pclock;
    r->progress.area_m2 = r->info.cell_m * r->info.cell_m;
    return 0;
}

/* Of STEPS or --until. */
static int find_last_step(struct run *r, struct sciara_error *e)
{
    const char *until = r->options->until;
    const double clock_s = r->info.parameters.Pclock;
    char excerpt[48];
    struct error why = {0};
    double time_s = 0;
    r->last_step = r->options->steps;
    if (!until ||
        (scan_integer(until, &r->last_step) && r->last_step >= 1 && r->last_step <= RUN_STEPS_MAX))
        return 0;
    int status = times_moment(&time_s, until, TIMES_NONE, r->info.start_time, &why);
    if (!status && !(time_s > 0))
        status = error_input(&why, "is the start itself; give a later time");
    if (!status && time_s / clock_s > RUN_STEPS_MAX)
        status = error_input(&why, "that is after more than %d steps; give an earlier time",
                             RUN_STEPS_MAX);
    if (!status) {
        r->last_step = rates_first_step(time_s, 1, clock_s);
        return 0;
    }
    struct error all;
    error_input(&all, "run: --until %s: %.900s", scan_excerpt(excerpt, until), why.text);
    return give_back(e, &all);
}

static void add_remedy(const struct run_options *o, struct sciara_error *e)
{
    char steps[64] = "", reason[sizeof e->text];
    char *path = text_shell_word(o->case_path);
    if (o->steps) snprintf(steps, sizeof steps, " %lld", (long long)o->steps);
    if (o->until) snprintf(steps, sizeof steps, " --until '%.40s'", o->until);
    memcpy(reason, e->text, sizeof reason);
    snprintf(e->text, sizeof e->text, "%.480s; use: sciara run %.400s%s --variant reference",
             reason, path ? path : "CASE", steps);
    free(path);
}

/* The command line takes precedence over the case. */
static int create(struct run *r, struct sciara_error *e)
{
    const struct run_options *o = r->options;
    struct sciara_options with;
    sciara_options_init(&with, sizeof with);
    with.variant = o->variant;
    with.device = o->device;
    with.threads = o->threads;
    with.full_domain = o->full_domain;
    with.max_steps = r->last_step;
    with.stop_below_m = o->stop_below_m;
    with.watcher = watcher_of(r);
    with.from_state = o->from;
    with.resume = o->resume ? r->folder : NULL;
    with.changed = o->changed;
    with.new_terrain = (int)o->new_terrain;
    struct error why;
    if (case_check_end(r->c, &with, &why)) return give_back(e, &why);
    int status = sciara_create(&r->simulation, r->c, &with, e);
    progress_clear(&r->progress);
    if (status == SCIARA_DEVICE) add_remedy(o, e);
    if (!status) simulation_leave_device(r->simulation);
    if (!status && !o->quiet) progress_warn(sciara_passed_over(r->simulation));
    return status;
}

/* The nearest whole number of steps, and at least one. */
static int64_t steps_of(const struct run_span *span, double clock_s)
{
    if (!(span->time_s > 0)) return span->steps;
    const double steps = floor(span->time_s / clock_s + 0.5);
    return steps < 1 ? 1 : steps > RUN_STEPS_MAX ? RUN_STEPS_MAX : (int64_t)steps;
}

static int compute(struct run *r, double load_s, struct sciara_error *e)
{
    const struct run_options *o = r->options;
    struct sciara_run_options with;
    sciara_run_options_init(&with, sizeof with);
    with.folder = o->no_output ? NULL : r->folder;
    with.formats = o->formats;
    with.extent = (int)o->extent;
    with.maps = o->maps;
    with.map_dpi = o->map.dpi;
    run_map_inches(&o->map, &with.map_width_in, &with.map_height_in);
    const int64_t frame_every = steps_of(&o->frame_every, r->info.parameters.Pclock);
    with.frame_every = frame_every ? frame_every : o->animate || o->film ? -1 : 0;
    with.film = o->film;
    with.every = steps_of(&o->every, r->info.parameters.Pclock);
    with.load_s = load_s;
    with.states = o->state || o->resume;
    with.state_every = steps_of(&o->state_every, r->info.parameters.Pclock);
    with.state_minutes = o->state_s / 60;
    int status = sciara_run(r->simulation, &with, &r->last, e);
    progress_clear(&r->progress);
    r->interrupted = status == SCIARA_CANCELLED;
    r->missing = status == SCIARA_FAILED && r->last;
    return r->interrupted && r->last ? 0 : status;
}

static int print(const struct run *r, struct sciara_error *e)
{
    if (!r->options->json) return r->options->quiet ? 0 : run_report(r, e);
    char *text = sciara_summary(r->simulation);
    if (text) fputs(text, stdout);
    else *e = (struct sciara_error){SCIARA_FAILED, "out of memory"};
    sciara_text_free(text);
    return text ? 0 : SCIARA_FAILED;
}

static int end(struct run *r, struct sciara_error *e)
{
    const bool drawn = r->options->formats & (SCIARA_PNG | SCIARA_SVG | SCIARA_PDF);
    if (drawn && !r->options->no_output && !r->options->quiet)
        progress_warn_letters(*r->info.title ? r->info.title : r->info.name);
    return print(r, e);
}

static int run(struct run *r, struct sciara_error *e)
{
    double load_s = 0;
    struct device_waking waking;
    r->began_s = clock_now_s();
    interrupt_watch(NULL);
    device_wake(&waking, r->options->variant, r->options->device);
    int status = load(r, &load_s, e);
    if (!status) status = find_last_step(r, e);
    device_wait(&waking);
    if (!status) status = create(r, e);
    if (!status) status = compute(r, load_s, e);
    if (status && !r->missing) return status;
    struct sciara_error other; /* that of the first file is told */
    const int rest = end(r, status ? &other : e);
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
    struct sciara_error why = {0};
    int status = run_options_parse(&o, variant, argc, argv, &e);
    if (status == OPTIONS_HELP) return 0;
    if (status) return cli_fail("sciara", &e);

    struct run r = {.options = &o};
    status = run(&r, &why);
    const bool ended = r.interrupted || status == SCIARA_CANCELLED;
    const bool saved = ended && r.simulation && saved_last(r.simulation);
    const bool unfinished = r.simulation && !o.no_output; /* before it, nothing is written */
    sciara_snapshot_free(r.last);
    sciara_free(r.simulation);
    sciara_case_free(r.c);
    free(r.folder);
    if (status && !ended) return cli_fail("sciara", cli_error(&e, &why));
    if (status && unfinished && !o.quiet)
        progress_warn("interrupted while files were written: summary.json and others are missing; "
                      "run it again");
    return !ended ? 0 : saved ? EXIT_GOES_ON : EXIT_INTERRUPTED;
}

int cmd_run(int argc, char **argv)
{
    return cmd_run_variant(NULL, argc, argv);
}
