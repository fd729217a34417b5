/* simulation.c — a simulation from its options to its last step. simulation_advance() calls held_advance()
 * (common/sim/held.c). */
#include "inside.h"
#include "library.h"
#include "base/lock.h"
#include "base/processors.h"

#include "reference/published.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The duration of a batch of steps. The clock and the watcher are checked after each batch. On a device a batch has
 * at most DEVICE_BATCH steps. */
static const double BATCH_S = 0.2;
enum { DEVICE_BATCH = 4096, GROWTH = 8, THREADS_MAX = 1024, DEVICE_MAX = 1023 };

/* ---- options --------------------------------------------------------------------------------- */

static const struct sciara_options defaults = {.size = sizeof defaults, .stop_below_m = -1};

void sciara_options_init(struct sciara_options *o, size_t size)
{
    structure_write(o, size, &defaults, sizeof defaults);
}

static int check_options(const struct sciara_options *o, struct error *e)
{
    if (o->device < 0 || o->device > DEVICE_MAX)
        return error_input(e, "device: is %d; give 0 to %d", o->device, DEVICE_MAX);
    if (o->threads < 0 || o->threads > THREADS_MAX)
        return error_input(e, "threads: is %d; give 1 to %d, or 0 for all", o->threads,
                           THREADS_MAX);
    if (o->new_terrain < SCIARA_SAME_TERRAIN || o->new_terrain > SCIARA_WITHOUT_LAVA)
        return error_input(e, "new_terrain: is %d; give one of enum sciara_new_terrain",
                           o->new_terrain);
    if (o->new_terrain && !o->changed)
        return error_input(e, "new_terrain: has no effect without 'changed'; set 'changed', too");
    if (o->max_steps < 0 || o->max_steps > STEPS_MAX)
        return error_input(e, "max_steps: is %lld; give at most %d", (long long)o->max_steps,
                           STEPS_MAX);
    if (isnan(o->stop_below_m)) return error_input(e, "stop_below_m: is not a number");
    return 0;
}

void simulation_set_options(struct sim_case *c, const struct sciara_options *o)
{
    struct problem *p = &c->problem;
    if (o->max_steps) c->max_steps = o->max_steps;
    if (o->stop_below_m >= 0) {
        p->stop_when_still = true;
        p->stop_mobile_m = o->stop_below_m;
    }
    p->full_domain = o->full_domain != 0;
}

static int set_case(sciara_simulation *s, sciara_case *c, const struct sciara_options *o,
                    struct error *e)
{
    const struct problem *p = &s->c.problem;
    s->c = c->c;
    s->published = c->published;
    s->watcher = o->watcher;
    s->batch = 1;
    s->now = (struct variant_status){.step = p->first_step};
    simulation_set_options(&s->c, o);
    if (p->first_step < STEPS_MAX) return 0;
    return error_input(e, "%s: starts at step %lld; give a first_step below %d", s->c.name,
                       (long long)p->first_step, STEPS_MAX);
}

/* ---- the variant ----------------------------------------------------------------------------- */

struct starting {
    sciara_simulation *s;
    const struct sciara_options *given;
    const char *asked; /* name of the requested variant; NULL: the fastest */
    struct file_progress progress;
};

static int start_with(struct starting *g, const struct variant *v, struct error *e)
{
    sciara_simulation *s = g->s;
    s->variant = v;
    int status = v->available(&s->machine, s->device, e);
    return status ? status : held_create(&s->held, v, &s->c.problem, &s->machine, held_usual(v), e);
}

/* Starts the fastest variant that works. A faster variant may lack a device, or memory for this grid. */
static int start_fastest(struct starting *g, struct error *e)
{
    int status = ERROR_FAILED;
    const struct variant *v;
    for (int i = 0; (v = variant_fastest(i)); i++) {
        status = start_with(g, v, e);
        if (status != ERROR_INPUT && status != ERROR_DEVICE) break;
    }
    return status;
}

static int start_simulation(struct starting *g, struct error *e)
{
    const struct variant *v = NULL;
    if (g->s->published) {
        if (!g->asked || !strcmp(g->asked, "reference")) return start_with(g, &variant_oracle, e);
        return error_input(e, "published arithmetic is only for variant reference, not %.100s",
                           g->asked);
    }
    if (!g->asked) return start_fastest(g, e);
    int status = variant_named(&v, g->asked, e);
    return status ? status : start_with(g, v, e);
}

/* Reads the state to resume from, and starts the variant. It runs in background_run(), because reading may take
 * long. */
static int resume_and_start(void *what, struct error *e)
{
    struct starting *g = what;
    const int status = simulation_resume(g->s, g->given, e);
    return status ? status : start_simulation(g, e);
}

static int thread_count(const sciara_simulation *s, const struct sciara_options *o)
{
    if (s->variant->cuda) return 0;
    if (s->published) return 1;
    return o->threads ? o->threads : processors_granted();
}

static int set_up(sciara_simulation *s, const struct sciara_options *o, struct error *e)
{
    const double began_s = clock_now_s();
    const bool automatic = !o->variant || !strcmp(o->variant, "auto");
    struct starting g = {.s = s, .given = o, .asked = automatic ? NULL : o->variant};
    struct background w = {&s->watcher, SCIARA_SETTING_UP, &g.progress, true, resume_and_start,
                           &g,          o->threads,        false};
    s->machine = (struct variant_options){.threads = o->threads, .device = o->device};
    int status = background_run(&w, e);
    if (status) return status;
    s->threads = thread_count(s, o);
    s->memory_bytes = held_memory(s->held);
    s->create_s = clock_now_s() - began_s;
    return 0;
}

int sciara_create(sciara_simulation **out, const sciara_case *c, const struct sciara_options *given,
                  struct sciara_error *e)
{
    sciara_case *kept = (sciara_case *)(size_t)c; /* only the number of users changes */
    struct sciara_options o = defaults;
    struct error mine = {0};
    *out = NULL;
    const size_t least = offsetof(struct sciara_options, from_state);
    if (structure_read(&o, sizeof o, least, given, "options", &mine)) return return_error(e, &mine);
    if (check_options(&o, &mine)) return return_error(e, &mine);
    sciara_simulation *s = calloc(1, sizeof *s);
    if (!s) {
        error_memory(&mine);
        return return_error(e, &mine);
    }
    atomic_store(&s->users, 1);
    s->process = getpid();
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    case_keep(kept);
    s->given = kept;
    int status = set_case(s, kept, &o, &mine);
    if (!status) status = set_up(s, &o, &mine);
    simulation_forget_state(s);
    if (status) {
        sciara_free(s);
        return return_error(e, &mine);
    }
    *out = s;
    return 0;
}

void simulation_drop(sciara_simulation *s)
{
    if (atomic_fetch_sub(&s->users, 1) > 1) return;
    sciara_case_free(s->given);
    output_folder_free(&s->files);
    restart_free(&s->about);
    for (int i = 0; i < s->ground_count; i++) free(s->ground[i]);
    free(s->ground);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

void simulation_leave_device(sciara_simulation *s)
{
    s->leaves = true;
}

static void *leave_simulation(void *leaving)
{
    sciara_simulation *s = leaving;
    held_destroy(s->leaving);
    if (s->variant->leave) s->variant->leave(&s->machine);
    return NULL;
}

void simulation_leave(sciara_simulation *s)
{
    if (!s->leaves || !s->held) return;
    turn_begin(s);
    simulation_collect(s);
    s->leaving = s->held;
    s->held = NULL;
    if (!loops_start_thread(&s->leaver, NULL, leave_simulation, s)) {
        s->held = s->leaving;
        s->leaving = NULL;
    }
    turn_end(s);
}

/* Frees all that snapshots do not need. Snapshots need the case and the variant's table of functions. */
void sciara_free(sciara_simulation *s)
{
    if (!s) return;
    turn_begin(s);
    simulation_collect(s);
    if (s->leaving) pthread_join(s->leaver, NULL);
    held_destroy(s->held);
    s->held = s->leaving = NULL;
    turn_end(s);
    simulation_drop(s);
}

/* ---- turns ----------------------------------------------------------------------------------- */

struct loops simulation_loops(const sciara_simulation *s)
{
    const struct window *w = &s->c.problem.window;
    return loops_begin(s->process == getpid() ? s->threads : 1, (size_t)w->rows * (size_t)w->cols);
}

void turn_begin(sciara_simulation *s)
{
    LOCKED(&s->lock);
    while (s->busy) pthread_cond_wait(&s->changed, &s->lock);
    s->busy = true;
}

void turn_end(sciara_simulation *s)
{
    LOCKED(&s->lock);
    s->busy = false;
    pthread_cond_broadcast(&s->changed);
}

void simulation_collect(sciara_simulation *s)
{
    sciara_snapshot *x = s->copying;
    if (!x) return;
    struct error e = {0};
    const int status = held_wait(s->held, &e);
    LOCKED(&s->lock);
    x->error = e;
    x->copy_status = status;
    x->copied = true;
    s->copying = NULL;
    pthread_cond_broadcast(&s->changed);
}

/* ---- steps ----------------------------------------------------------------------------------- */

int64_t simulation_last_step(const sciara_simulation *s)
{
    const int64_t max = s->c.max_steps;
    return max && max < STEPS_MAX ? max : STEPS_MAX;
}

bool simulation_ended(const sciara_simulation *s)
{
    return s->now.stopped || s->now.step >= simulation_last_step(s);
}

/* The number of steps in the next batch. A batch ends at the next change of the terrain. */
static int64_t steps_at_once(const sciara_simulation *s, int64_t end)
{
    const int64_t change = simulation_next_change(s);
    const int64_t left = (change < end ? change : end) - s->now.step;
    return left < s->batch ? left : s->batch;
}

int simulation_lives(const sciara_simulation *s, struct error *e)
{
    if (s->held && s->held->self) return 0;
    return error_failed(e, "the simulation has ended with an error");
}

int simulation_advance(sciara_simulation *s, int64_t end, struct error *e)
{
    if (simulation_lives(s, e)) return ERROR_FAILED;
    turn_begin(s);
    const double began_s = clock_now_s();
    int status = 0;
    while (!status && simulation_next_change(s) == s->now.step) status = simulation_change(s, e);
    const int64_t steps = status ? 0 : steps_at_once(s, end);
    if (!status) status = held_advance(s->held, steps, &s->now, e);
    s->memory_bytes = held_memory(s->held);
    const double took_s = clock_now_s() - began_s;
    simulation_collect(s);
    turn_end(s);
    s->steps_s += took_s;
    /* The system may grant fewer threads. */
    if (!s->variant->cuda && !status) s->threads = s->now.threads;

    double next = (double)steps * BATCH_S / (took_s + 1e-9);
    if (next > (double)s->batch * GROWTH) next = (double)s->batch * GROWTH;
    if (s->variant->cuda && next > DEVICE_BATCH) next = DEVICE_BATCH;
    s->batch = next < 1 ? 1 : (int64_t)next;
    return status;
}

bool simulation_report(sciara_simulation *s, int64_t first_step, int64_t last_step, double began_s)
{
    const double time_s = clock_now_s();
    const bool known = last_step < STEPS_MAX;
    if (!s->watcher.progress) return false;
    if (time_s - s->reported_s < 0.1 && !simulation_ended(s)) return false;
    s->reported_s = time_s;
    const struct sciara_progress now = {
        .phase = SCIARA_COMPUTING,
        .step = s->now.step,
        .first_step = first_step,
        .last_step = known ? last_step : 0,
        .elapsed_s = time_s - began_s,
        .mobile_m = quanta_m(s->now.mobile),
    };
    return s->watcher.progress(&now, s->watcher.user) != 0;
}

static int advance_until(sciara_simulation *s, int64_t end, struct error *e)
{
    const int64_t first = s->now.step, last = simulation_last_step(s);
    const double began_s = clock_now_s();
    int status = 0;
    if (end > last) end = last;
    while (!status && s->now.step < end && !simulation_ended(s)) {
        status = simulation_advance(s, end, e);
        if (!status && simulation_report(s, first, end, began_s)) status = error_cancelled(e);
    }
    return status;
}

int sciara_advance(sciara_simulation *s, int64_t steps, struct sciara_error *e)
{
    struct error mine = {0};
    int status = 0;
    if (steps < 0) status = error_input(&mine, "steps: is %lld; give 0 or more", (long long)steps);
    else if (steps > STEPS_MAX) status = advance_until(s, STEPS_MAX, &mine);
    else status = advance_until(s, s->now.step + steps, &mine);
    return status ? return_error(e, &mine) : 0;
}

int sciara_advance_to(sciara_simulation *s, double time_s, struct sciara_error *e)
{
    const double step_s = s->c.problem.params.clock_s;
    struct error mine = {0};
    if (isnan(time_s)) {
        error_input(&mine, "time_s: is not a number");
        return return_error(e, &mine);
    }
    int64_t end = STEPS_MAX;
    if (time_s / step_s < STEPS_MAX) {
        /* Rounding may make the quotient one too low or too high. */
        end = time_s > 0 ? (int64_t)(time_s / step_s) : 0;
        while ((double)(end + 1) * step_s <= time_s) end++;
        while (end > 0 && (double)end * step_s > time_s) end--;
    }
    return advance_until(s, end, &mine) ? return_error(e, &mine) : 0;
}

void sciara_state(const sciara_simulation *s, struct sciara_state *state)
{
    *state = (struct sciara_state){
        .step = s->now.step,
        .time_s = (double)s->now.step * s->c.problem.params.clock_s,
        .ended = simulation_ended(s),
        .stopped = s->now.stopped,
        .mobile_m = quanta_m(s->now.mobile),
        .steps_s = s->steps_s,
        .device_ms = s->now.device_ms,
        .memory_bytes = s->memory_bytes,
        .variant = s->published ? "published" : s->variant->name,
        .device = s->device,
        .threads = s->threads,
        .full_domain = s->c.problem.full_domain,
    };
}
