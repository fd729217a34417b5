/* cmd_run.c — `sciara run CASE [STEPS]`. Whatever can be refused is refused before the first file
 * is written. */
#include "cli.h"
#include "options.h"
#include "run.h"

#include "text/textfile.h"
#include "base/trace.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the case ------------------------------------------------------------------------------- */

static int check_end(const struct sim_case *c, struct error *e)
{
    const struct problem *p = &c->problem;
    if (c->max_steps && c->max_steps <= p->first_step)
        return error_input(e, "%s: ends at step %lld but starts at step %lld; ask for more STEPS",
                           c->path, (long long)c->max_steps, (long long)p->first_step);
    if (!c->max_steps && !p->stop_when_still)
        return error_input(e,
                           "%s: has neither a maximum of steps nor a stopping rule; give a number "
                           "of STEPS, or --stop-below M",
                           c->path);
    if (!c->max_steps && p->last_vent_step >= RUN_STEPS_MAX)
        return error_input(e,
                           "%s: the eruption has no end and there is no maximum of steps; give a "
                           "number of STEPS",
                           c->path);
    return 0;
}

/* What the command line says goes before what the case says. */
static int load(struct run *r, struct error *e)
{
    const struct run_options *o = r->options;
    const double began_s = clock_now_s();
    struct waiting waiting;
    trace_begin("read the case");
    waiting_begin(&waiting, run_shows_progress(r), "reading", o->case_path, &r->watch);
    int status = case_load_watched(&r->c, o->case_path, !o->published, &r->watch, e);
    waiting_end(&waiting);
    trace_end();
    if (status) return status;
    r->summary.load_s = clock_now_s() - began_s;
    if (o->steps) r->c.max_steps = o->steps;
    if (o->every >= 0) r->c.snapshot_every = o->every;
    if (o->stop_below_m >= 0) {
        r->c.problem.stop_when_still = true;
        r->c.problem.stop_mobile_m = o->stop_below_m;
    }
    r->c.problem.full_domain = o->full_domain;
    return check_end(&r->c, e);
}

/* ---- the variant ---------------------------------------------------------------------------- */

static int start_with(struct run *r, const struct variant *v, struct error *e)
{
    const struct variant_options *o = &r->options->machine;
    r->variant = v;
    int status = v->available(o, r->device, e);
    return status ? status : v->create(&r->simulation, &r->c.problem, o, e);
}

/* The fastest that can: one may lack a device, or the memory for this grid. */
static int start_fastest(struct run *r, struct error *e)
{
    int status = ERROR_FAILED;
    const struct variant *v;
    for (int i = 0; (v = choice_fastest(i)) && v->steps_per_ms; i++) {
        status = start_with(r, v, e);
        if (status != ERROR_INPUT && status != ERROR_DEVICE) break;
    }
    return status;
}

static void add_remedy(const struct run_options *o, struct error *e)
{
    char steps[32] = "", reason[sizeof e->text];
    if (o->steps) snprintf(steps, sizeof steps, " %lld", (long long)o->steps);
    memcpy(reason, e->text, sizeof reason);
    error_device(e, "%.480s; use: sciara run %.400s%s --variant reference", reason, o->case_path,
                 steps);
}

static int start(struct run *r, struct error *e)
{
    const struct run_options *o = r->options;
    const struct variant *v = NULL;
    int status = 0;
    if (o->published) status = start_with(r, &variant_oracle, e);
    else if (!o->variant) status = start_fastest(r, e);
    else {
        status = choice_named(&v, o->variant, e);
        if (!status) status = start_with(r, v, e);
    }
    if (status == ERROR_DEVICE) add_remedy(o, e);
    return status;
}

static int thread_count(const struct run *r)
{
    if (r->variant->cuda) return 0;
    if (r->options->published) return 1;
    const int asked = r->options->machine.threads;
    return asked ? asked : omp_get_max_threads();
}

/* ---- the files ------------------------------------------------------------------------------ */

/* The folder is made last of all: a run that is refused leaves nothing behind. */
static int open_output(struct run *r, struct error *e)
{
    const struct run_options *o = r->options;
    r->directory = o->output ? text_format("%s", o->output) : text_format("output/%s", r->c.name);
    if (!r->directory) return error_failed(e, "out of memory");
    r->info = (struct output_info){.directory = r->directory,
                                   .formats = o->formats,
                                   .variant = r->variant->name,
                                   .device = r->device,
                                   .version = SCIARA_VERSION,
                                   .full_domain = o->full_domain,
                                   .watch = &r->watch};
    if (o->no_output) return 0;
    int status = output_writer_create(&r->writer, &r->info, &r->c, e);
    return status ? status : output_prepare(r->directory, e);
}

static int close_output(struct run *r, double began_s, struct error *e)
{
    struct waiting waiting;
    waiting_begin(&waiting, run_shows_progress(r) && r->writer, "writing", r->directory, &r->watch);
    int status = output_writer_finish(r->writer, e);
    waiting_end(&waiting);
    r->writer = NULL;
    r->summary.total_s = clock_now_s() - began_s;
    if (status || r->options->no_output) return status;
    return output_summary(&r->info, &r->c, &r->summary, e);
}

static int print(const struct run *r, struct error *e)
{
    if (r->options->json) {
        char *text = output_summary_text(&r->info, &r->c, &r->summary);
        if (!text) return error_failed(e, "out of memory");
        fputs(text, stdout);
        free(text);
    } else if (!r->options->quiet) run_report(r);
    return 0;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Everything that takes memory, and the folder. */
static int prepare(struct run *r, struct error *e)
{
    struct waiting waiting;
    watch_begin(&r->watch);
    waiting_begin(&waiting, run_shows_progress(r), "setting up", r->c.name, &r->watch);
    int status = start(r, e);
    if (!status) status = fields_create(&r->state, r->c.problem.window, e);
    if (!status) status = open_output(r, e);
    waiting_end(&waiting);
    if (status) return status;
    r->summary.published = r->options->published;
    r->summary.threads = thread_count(r);
    r->summary.device_bytes = r->variant->memory ? r->variant->memory(r->simulation) : 0;
    return 0;
}

static int run(struct run *r, struct error *e)
{
    const double began_s = clock_now_s();
    int status = load(r, e);
    if (!status) status = prepare(r, e);
    if (!status) {
        interrupt_watch();
        status = run_loop(r, e);
    }
    if (!status) status = close_output(r, began_s, e);
    return status ? status : print(r, e);
}

/* Copying ends before the state that it writes to, writing before the case that it reads from. */
static void release(struct run *r)
{
    output_writer_finish(r->writer, NULL);
    if (r->copying) r->variant->snapshot_wait(r->simulation, NULL);
    if (r->simulation) r->variant->destroy(r->simulation);
    fields_free(&r->state);
    free(r->directory);
    case_free(&r->c);
}

static int run_command(const char *variant, int argc, char **argv)
{
    struct run_options o;
    struct error e = {0};
    int status = run_options_parse(&o, variant, argc, argv, &e);
    if (status == OPTIONS_HELP) return 0;

    struct run r = {.options = &o};
    if (!status) status = run(&r, &e);
    release(&r);
    if (status) return cli_fail(&e);
    return r.summary.interrupted ? 130 : 0;
}

int cmd_run(int argc, char **argv)
{
    return run_command(NULL, argc, argv);
}

int cmd_run_variant(const char *variant, int argc, char **argv)
{
    return run_command(variant, argc, argv);
}
