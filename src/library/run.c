/* run.c — a whole run: its steps, snapshots and summary. compute_steps() is the loop over batches of steps. A batch is
 * computed by simulation_advance() (simulation.c), which calls held_advance() (common/sim/held.c) and advance() of the
 * variant.
 *
 * A snapshot is begun after its step and completed after the next batch of steps, so copying overlaps with computing.
 * The writer's thread writes the files of the snapshot. */
#include "inside.h"
#include "library.h"

#include "case/assets.h"
#include "products/picture.h"
#include "record/painters.h"
#include "text/plain_locale.h"
#include "text/times.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct run {
    sciara_simulation *s;
    struct sim_case c; /* the case with the requested snapshot_every */
    int64_t first_step;
    double began_s;
    struct file_progress progress;
    struct output_info info;
    struct output_folder folder;
    struct output_writer *writer; /* NULL: no files are written */
    sciara_snapshot *next;        /* allocated early, because memory may be short later */
    sciara_snapshot *pending;     /* begun, but not written yet */
    int parts;                    /* enum output_part, or'ed: parts of `pending` to write */
    struct output_saving saving;
    struct samples samples;
    int64_t state_every;
    /* seconds between two states, and clock_now_s() when the last state was begun */
    double state_s, saved_s;
    bool due; /* a state is due, and waits for the writer */
    bool interrupted;
    struct output_timeline timeline;
    bool with_page;
    bool ended; /* the summary exists */
};

/* ---- options --------------------------------------------------------------------------------- */

static const struct sciara_run_options defaults = {
    .size = sizeof defaults, .formats = SCIARA_GEOTIFF | SCIARA_PNG, .every = -1};

void sciara_run_options_init(struct sciara_run_options *o, size_t size)
{
    structure_write(o, size, &defaults, sizeof defaults);
}

/* Refuses a run with dates after the year 9999, because names of later files would lack the date. If a stopping rule
 * ends the run, only the end of the eruption needs a date. */
static int check_dates(const struct sim_case *c, const char *name, struct error *e)
{
    const int64_t last = c->max_steps ? c->max_steps : c->problem.last_vent_step;
    char date[TIMES_TEXT];
    const double end_s = (double)last * c->problem.params.clock_s;
    if (!*c->start_time || *times_date(date, c->start_time, end_s, TIMES_ISO)) return 0;
    return error_input(e,
                       "%s: step %lld is after the year 9999, the last that dates have (start_time "
                       "%s); give fewer steps, or another start_time",
                       name, (long long)last, c->start_time);
}

static int check_end(const struct sim_case *c, struct error *e)
{
    const struct problem *p = &c->problem;
    const char *name = *c->path ? c->path : c->name;
    if (c->max_steps && c->max_steps <= p->first_step)
        return error_input(e, "%s: ends at step %lld but starts at step %lld; ask for more steps",
                           name, (long long)c->max_steps, (long long)p->first_step);
    if (!c->max_steps && !p->stop_when_still)
        return error_input(
            e,
            "%s: has neither a maximum of steps nor a stopping rule; give its end (run_h, or "
            "max_steps), or the mobile lava below which to stop (stop_when_mobile_below_m)",
            name);
    if (!c->max_steps && p->last_vent_step >= STEPS_MAX)
        return error_input(e,
                           "%s: the eruption has no end and there is no maximum of steps; give the "
                           "end of the run (run_h, or max_steps)",
                           name);
    return check_dates(c, name, e);
}

int case_check_end(const sciara_case *c, const struct sciara_options *o, struct error *e)
{
    struct sim_case with = c->c; /* arrays are borrowed */
    simulation_set_options(&with, o);
    return check_end(&with, e);
}

/* ---- states ---------------------------------------------------------------------------------- */

static int set_states(struct run *r, const struct sciara_run_options *o, struct error *e)
{
    sciara_simulation *s = r->s;
    if (!(o->state_every >= 0))
        return error_input(e, "state_every: is %lld; give 0 or more", (long long)o->state_every);
    if (!(o->state_minutes >= 0)) return error_input(e, "state_minutes: give 0 or more");
    if (!o->states && !o->state_every && !(o->state_minutes > 0)) return 0;
    if (!o->folder) return error_input(e, "states: need a folder");
    if (s->published)
        return error_input(e, "published arithmetic writes no states: a resumed run would give "
                              "other numbers; omit states");
    r->state_every = o->state_every;
    r->state_s = 60 * o->state_minutes;
    r->saved_s = clock_now_s();
    r->saving = (struct output_saving){
        .about = simulation_about(s), .latest = s->resumed ? s->from_step : -1, .before = -1};
    r->info.saving = &r->saving;
    return 0;
}

static bool state_is_due(struct run *r)
{
    const int64_t every = r->state_every;
    if (every && r->s->now.step % every == 0) r->due = true;
    if (r->state_s > 0 && clock_now_s() - r->saved_s >= r->state_s) r->due = true;
    return r->due;
}

/* ---- files ----------------------------------------------------------------------------------- */

enum {
    MAPS = SCIARA_MAP_THICKNESS | SCIARA_MAP_TEMPERATURE | SCIARA_MAP_ARRIVAL |
           SCIARA_MAP_MAX_THICKNESS
};

const char *sciara_format_name(unsigned format)
{
    switch (format) {
#define NAME_OF(NAME, word, ...)                                                                   \
    case SCIARA_##NAME:                                                                            \
        return word;
        OUTPUT_FORMAT_LIST(NAME_OF)
        PAINTED_FRAMES_LIST(NAME_OF)
    default:
        return NULL;
    }
}

/* Returns the number of steps between frames. If the options do not set this number, a run has
 * sixty frames or, if its end is not known, the eruption has sixty frames. */
static int64_t frame_every(const struct run *r, const struct sciara_run_options *o)
{
    enum { FRAMES = 60 };
    const struct problem *p = &r->c.problem;
    if (o->frame_every >= 0) return o->frame_every;
    const int64_t end = r->c.max_steps ? r->c.max_steps : p->last_vent_step;
    const int64_t every = (end - p->first_step) / FRAMES;
    return every > 0 ? every : 1;
}

static int set_pictures(struct run *r, const struct sciara_run_options *o, struct error *e)
{
    if (o->maps & ~(unsigned)MAPS)
        return error_input(e, "maps %#x: unknown bits; combine enum sciara_map", o->maps);
    const bool paints = o->folder && (o->formats & PAINTED_PICTURES || o->frame_every);
    const unsigned moving = o->frame_every ? SCIARA_WEBP : 0;
    const struct painting asked = {.formats = o->formats};
    int status = o->folder ? painters_have(o->formats | moving, e) : 0;
    if (!status && paints) status = painters_check(&asked, e);
    if (status) return status;
    r->info.pictures = (struct output_pictures){.maps = o->maps, .frame_every = frame_every(r, o)};
    return output_picture_page(&r->info.pictures, o->map_width_in, o->map_height_in, o->map_dpi, e);
}

/* Reads the terrain of a window before lava can reach it. If the terrain were read only when files are written, a
 * failure to read it would lose the lava since the last state. */
static int keep_terrain(void *run, struct window w, struct error *e)
{
    return output_writer_keep(((struct run *)run)->writer, w, e);
}

static int begin_writer(void *run, struct error *e)
{
    struct run *r = run;
    struct held *h = r->s->held;
    IN_PLAIN_LOCALE; /* for reading an outline */
    int status = output_writer_create(&r->writer, &r->info, &r->c, e);
    if (status || !r->c.problem.terrain) return status;
    h->keep = keep_terrain;
    h->keep_of = r;
    return keep_terrain(r, h->problem.window, e);
}

/* Checks the outline, although a run without files does not use it. So an invalid outline is found before files are
 * requested. */
static int check_outline(const struct run *r, struct error *e)
{
    FREED_BY(output_outline_free) struct output_outline outline = {0};
    IN_PLAIN_LOCALE;
    return output_outline_read(&outline, &r->info, &r->c, e);
}

/* Checks all options and makes the folder last, so that a refused run leaves no folder. */
static int open_output(struct run *r, const struct sciara_run_options *o, struct error *e)
{
    r->info = snapshot_info(r->s, o->folder, o->formats, &r->progress);
    r->info.samples = &r->samples;
    r->info.resumed = r->s->resumed;
    r->info.from_step = r->s->from_step;
    r->info.extent = (enum output_extent)o->extent;
    int status = set_states(r, o, e);
    if (!status && (o->extent < 0 || o->extent >= OUTPUT_EXTENTS))
        status =
            error_input(e, "extent: is %d; give a value of enum sciara_layer_extent", o->extent);
    if (!status) status = set_pictures(r, o, e);
    if (!status) status = samples_copy(&r->samples, &r->s->about.samples, e);
    if (status) return status;
    if (!o->folder) return check_outline(r, e);
    if (!*o->folder) return error_input(e, "folder: name an output folder");
    if (o->formats & ~(unsigned)OUTPUT_FORMATS)
        return error_input(e, "formats %#x: unknown bits; combine enum sciara_format", o->formats);
    r->info.folder = &r->folder;
    r->s->summary.told = (struct warnings){0};
    r->info.told = &r->s->summary.told;
    r->info.layers = o->layers;
    const bool named =
        /* A layer that the user names is written as GeoTIFF, whatever the formats are. */
        o->layers && strcmp(o->layers, "all") != 0;
    r->info.formats = output_formats_whole(o->formats | (named ? OUTPUT_GEOTIFF : 0), &r->c);
    IN_PLAIN_LOCALE;
    status = products_check_asked(&r->info, &output_files, e);
    if (!status) status = output_export_check(r->info.formats, &r->c, e);
    r->with_page = o->formats & SCIARA_HTML;
    if (!status && r->with_page) status = output_report_check(o->folder, e);
    struct background first = {
        &r->s->watcher, SCIARA_SETTING_UP, &r->progress, true, begin_writer, r, r->s->threads,
        false};
    if (!status) status = background_run(&first, e);
    if (!status) status = output_writer_start(r->writer, e);
    return status ? status : output_folder_take(&r->folder, &r->info, &r->c, false, e);
}

/* Removes earlier files from the folder before the first file is written. A frame alone stays in memory and needs no
 * file. */
static int make_way(struct run *r, struct error *e)
{
    return r->parts & ~OUTPUT_FRAME ? output_make_way(r->info.folder, e) : 0;
}

static int write_pending(void *what, struct error *e)
{
    struct run *r = what;
    const int status = make_way(r, e);
    return status ? status : output_writer_put(r->writer, &r->pending->f, r->parts, e);
}

/* ---- steps and snapshots --------------------------------------------------------------------- */

static bool run_ended(const struct run *r)
{
    return r->interrupted || simulation_ended(r->s);
}

/* Whether the present step is a multiple of `every`, the number of steps between snapshots or between frames. */
static bool is_at(const struct run *r, int64_t every)
{
    return r->writer && every && r->s->now.step % every == 0;
}

/* The next multiple of `every`, but at most `end`. */
static int64_t next_of(int64_t every, int64_t step, int64_t end)
{
    const int64_t next = every ? (step / every + 1) * every : end;
    return next < end ? next : end;
}

/* The last step of the next batch: the earliest step of a snapshot, a frame or a state, or the last step of the run. */
static int64_t batch_end(const struct run *r)
{
    const int64_t last = simulation_last_step(r->s), step = r->s->now.step;
    if (!r->writer) return last;
    const int64_t frame = next_of(r->info.pictures.frame_every, step, last);
    return next_of(r->state_every, step, next_of(r->c.snapshot_every, step, frame));
}

static int begin_snapshot(struct run *r, int parts, struct error *e)
{
    r->parts = parts;
    if (parts & OUTPUT_SAVE) {
        r->due = false;
        r->saved_s = clock_now_s();
    }
    int status = r->next ? 0 : snapshot_create(&r->next, r->s, e);
    if (!status) status = snapshot_begin(r->next, e);
    if (status) return status;
    r->pending = r->next;
    r->next = NULL;
    return 0;
}

/* Writes the pending snapshot after the writer has written the previous one. Cancelling while waiting ends the run,
 * but not the writing. */
static int write_snapshot(struct run *r, struct error *e)
{
    struct background w = {&r->s->watcher, SCIARA_WRITING, &r->progress, false, write_pending, r, 0,
                           false};
    int status = snapshot_ready(r->pending, e);
    if (!status && output_writer_busy(r->writer)) {
        status = background_run(&w, e);
        r->interrupted = r->interrupted || w.cancelled;
        if (status == ERROR_CANCELLED && w.cancelled) status = 0;
    } else if (!status) {
        status = write_pending(r, e);
    }
    sciara_snapshot_free(r->pending);
    r->pending = NULL;
    return status;
}

enum { SNAPSHOT = OUTPUT_FILES | OUTPUT_MAPS };

/* Returns the parts to write after the present step, usually none. If the writer is busy, a state
 * is written later; steps wait for the writer only if other files are due. */
static int parts_now(struct run *r)
{
    const int save = r->info.saving ? OUTPUT_SAVE : 0;
    if (run_ended(r)) return OUTPUT_FILES | save;
    const bool due = save && state_is_due(r);
    const int frame = is_at(r, r->info.pictures.frame_every) ? OUTPUT_FRAME : 0;
    if (is_at(r, r->c.snapshot_every)) return SNAPSHOT | frame | (due ? OUTPUT_SAVE : 0);
    return frame | (due && (frame || !output_writer_busy(r->writer)) ? OUTPUT_SAVE : 0);
}

/* The parts to write before the first step. A run that resumes from a state in its folder writes the snapshot of this
 * step again: the earlier run may have written the state, but not the snapshot. */
static int parts_at_first(const struct run *r)
{
    const bool begun = r->s->resumed && r->first_step > r->c.problem.first_step;
    if (run_ended(r)) return OUTPUT_FILES | (r->info.saving ? OUTPUT_SAVE : 0);
    return begun && is_at(r, r->c.snapshot_every) ? SNAPSHOT : 0;
}

/* After an error that left the simulation intact, such as too little memory for more lava, writes the last layers and a
 * state for resuming. The message then names these files. */
static void keep_last(struct run *r, struct error *e)
{
    const struct error why = *e;
    const bool layers = r->info.formats & OUTPUT_GEOTIFF, state = r->info.saving != NULL;
    struct error ignored;
    if (!r->writer || (!layers && !state) || simulation_lives(r->s, &ignored)) return;
    if (r->pending && write_snapshot(r, &ignored)) return;
    if (begin_snapshot(r, OUTPUT_FILES | (state ? OUTPUT_SAVE : 0), &ignored)) return;
    if (write_snapshot(r, &ignored) || output_writer_wait(r->writer, &ignored)) return;
    error_failed(e, "%.800s; the %s of step %lld %s in %.150s", why.text,
                 !state   ? "layers"
                 : layers ? "layers and the state"
                          : "state",
                 (long long)r->s->now.step, layers ? "are" : "is", r->info.directory);
    e->code = why.code;
}

static int compute_steps(struct run *r, struct error *e)
{
    int parts = parts_at_first(r), status = parts ? begin_snapshot(r, parts, e) : 0;
    while (!status && !run_ended(r)) {
        status = simulation_advance(r->s, batch_end(r), e);
        if (status) keep_last(r, e);
        if (!status && r->pending) status = write_snapshot(r, e);
        if (!status &&
            simulation_report(r->s, r->first_step, simulation_last_step(r->s), r->began_s))
            r->interrupted = true;
        if (!status && (parts = parts_now(r))) status = begin_snapshot(r, parts, e);
    }
    return status;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Returns the step since which the vents of this case have emitted. It is the last step at which
 * the run resumed with another case or, without such a step, the first step. */
static int64_t emission_from(const sciara_simulation *s)
{
    int64_t step = s->c.problem.first_step;
    for (int i = 0; i < s->about.link_count; i++)
        if (s->about.link[i].changed) step = s->about.link[i].step;
    return step;
}

static void fill_summary(struct run *r)
{
    sciara_simulation *s = r->s;
    struct output_summary *sum = &s->summary;
    sum->published = s->published;
    sum->from_step = s->from_step;
    sum->passed_over = *s->over.text ? s->over.text : NULL;
    sum->states = &s->about;
    sum->stopped = s->now.stopped;
    sum->threads = s->threads;
    sum->device_bytes = s->memory_bytes;
    sum->steps_s = s->steps_s;
    sum->device_ms = s->now.device_ms;
}

/* Writes the files at the end. The timeline is made while maps are drawn. */
static int write_end(void *what, struct error *e)
{
    struct run *r = what;
    const struct fields *f = &r->pending->f;
    int status = output_writer_wait(r->writer, e); /* the timeline lists the files */
    if (!status) status = output_writer_lend(r->writer, f, OUTPUT_END, e);
    if (!status)
        output_timeline(&r->timeline, &r->info, &r->c, f, r->s->summary.digest,
                        emission_from(r->s));
    const int rest = output_writer_finish(r->writer, status ? NULL : e);
    r->writer = NULL;
    return status ? status : rest;
}

/* Ends a run. The last state belongs to the caller, so the writer only borrows it. */
static int end_run(struct run *r, struct error *e)
{
    struct background w = {&r->s->watcher, SCIARA_WRITING, &r->progress, true, write_end, r,
                           r->s->threads,  false};
    struct output_summary *sum = &r->s->summary;
    const struct fields *f = &r->pending->f;
    int status = snapshot_ready(r->pending, e);
    if (status) return status;
    simulation_leave(r->s);
    sum->ledger = r->pending->ledger;
    sum->step = f->step;
    sum->digest = sciara_snapshot_digest(r->pending);
    sum->extent = extent_of(f, &r->c.problem);
    fill_summary(r);
    /* the writer may still be adding samples */
    if (r->writer) status = output_writer_wait(r->writer, e);
    if (status) return status;
    output_warnings(sum, &r->c, f);
    if (!r->writer) return 0;
    status = output_sample(&r->info, &r->c, f, e);
    if (status) return status;
    status = make_way(r, e);
    if (status) return status;
    output_note_failures(&r->info);
    status = output_writer_lend(r->writer, f, r->parts, e);
    return status ? status : background_run(&w, e);
}

static int summarise(struct run *r, const struct sciara_run_options *o, struct error *e)
{
    sciara_simulation *s = r->s;
    struct output_summary *sum = &s->summary;
    sum->interrupted = r->interrupted;
    sum->load_s = o->load_s;
    sum->total_s = o->load_s + s->create_s + clock_now_s() - r->began_s;
    s->snapshot_every = r->c.snapshot_every;
    s->has_summary = r->ended = true;
    if (!o->folder) return 0;
    IN_PLAIN_LOCALE;
    int status = output_timeline_done(&r->info, &r->timeline, e);
    if (!status) status = output_picture_record(&r->info, &r->c, sum->digest, e);
    if (status) return status;
    r->folder.partial = r->interrupted;
    status = output_end(&r->info, &r->c, output_summary_text(&r->info, &r->c, sum), e);
    output_settle(&r->folder);
    return status;
}

static int write_page(struct run *r, struct error *e)
{
    if (!r->with_page || file_progress_cancelled(&r->progress)) return 0;
    return output_report(r->info.directory, sciara_version(), e);
}

/* Moves the list of files to the simulation, for sciara_summary(). */
static void keep_files(struct run *r)
{
    sciara_simulation *s = r->s;
    output_folder_free(&s->files);
    s->files = r->folder;
    s->has_files = r->info.folder != NULL;
    r->folder = (struct output_folder){0};
}

static int run_simulation(struct run *r, const struct sciara_run_options *o, struct error *e)
{
    int status = check_end(&r->s->c, e);
    if (!status) status = snapshot_create(&r->next, r->s, e);
    if (!status) status = open_output(r, o, e);
    if (!status) status = compute_steps(r, e);
    if (!status) status = end_run(r, e);
    if (!status) status = summarise(r, o, e);
    return status;
}

/* The writer borrows the last snapshot. So output_writer_finish() is called before the snapshot is freed. */
int sciara_run(sciara_simulation *s, const struct sciara_run_options *given, sciara_snapshot **last,
               struct sciara_error *e)
{
    struct sciara_run_options o = defaults;
    struct error mine = {0};
    if (last) *last = NULL;
    const size_t least = offsetof(struct sciara_run_options, states);
    if (structure_read(&o, sizeof o, least, given, "run_options", &mine))
        return return_error(e, &mine);
    struct run r = {.s = s, .c = s->c, .first_step = s->now.step, .began_s = clock_now_s()};
    if (o.every >= 0) r.c.snapshot_every = o.every;
    int status = run_simulation(&r, &o, &mine);
    if (s->held) s->held->keep = NULL;
    output_writer_finish(r.writer, NULL);
    if (r.saving.written) s->saved_step = r.saving.latest;
    if (status) output_folder_unmake(&r.folder);
    output_folder_leave(&r.folder);
    if (r.ended) {
        struct error other;
        const int rest = write_page(&r, status ? &other : &mine);
        status = status ? status : rest;
        keep_files(&r);
    }
    output_folder_free(&r.folder);
    samples_free(&r.samples);
    sciara_snapshot_free(r.next);
    if (r.ended && last) *last = r.pending;
    else sciara_snapshot_free(r.pending);
    if (!status && r.interrupted) status = error_cancelled(&mine);
    return status ? return_error(e, &mine) : 0;
}

const struct warnings *simulation_told(const sciara_simulation *s)
{
    return &s->summary.told;
}

char *sciara_summary(const sciara_simulation *s)
{
    struct output_info info = snapshot_info(s, "", 0, NULL);
    if (!s->has_summary) return NULL;
    struct output_folder files = s->files; /* read-only copy */
    if (s->has_files) info.folder = &files;
    IN_PLAIN_LOCALE;
    return output_summary_text(&info, &s->c, &s->summary);
}

void sciara_text_free(char *text)
{
    free(text);
}
