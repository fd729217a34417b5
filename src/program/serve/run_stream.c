/* run_stream.c — streams a run while it computes: changed cells in each frame, and all reached cells at the end. */
#include "serve.h"

#include "base/clock.h"
#include "case/assets.h"
#include "case/barriers.h"
#include "library/inside.h"
#include "model/lattice.h"
#include "record/json_number.h"
#include "record/pack.h"
#include "record/page_parts.h"
#include "run/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define THICKNESS_UNIT_M   0.01
#define TEMPERATURE_UNIT_K 1

enum { CELL, THICKNESS, TEMPERATURE, MOST, ARRIVAL, ARRAYS };
static const struct frame_array frame_arrays[ARRAYS + 1] = {
    [CELL] = {"cell", .wide = true},
    [THICKNESS] = {"thickness_m", .unit = THICKNESS_UNIT_M},
    [TEMPERATURE] = {"temperature_K", .unit = TEMPERATURE_UNIT_K},
    [MOST] = {"max_thickness_m", .unit = THICKNESS_UNIT_M},
    [ARRIVAL] = {"arrival_step", .wide = true},
};

/* What the page shows since the last frame. `window` is the window of the simulation at the last frame. */
struct shown {
    struct window window;
    uint16_t *thickness, *temperature; /* numbers as sent; thickness 0: no lava */
};

struct run_stream {
    struct stream of;
    struct session *s;
    int64_t number, id; /* number in the slot; number of the run */
    cJSON *drawing;
    struct drawn drawn;
    const struct sim_case *c; /* the case of the simulation */
    sciara_simulation *simulation;
    const struct fields *last; /* the state for which isochrones are made */
    struct shown shown;
    double frame_s, began_s;
    int64_t steps; /* number of steps until the next frame */
    bool begun;
};

/* ---- what has changed ------------------------------------------------------------------------ */

static void shown_free(struct shown *x)
{
    RELEASE(x, x->thickness, x->temperature);
}

/* Copies what was shown into the new window, since the window grows with the lava. False: out of memory. */
static bool shown_move(struct shown *x, struct window w)
{
    const size_t cells = window_cells(w);
    if (x->thickness && window_equal(x->window, w)) return true;
    struct shown new = {w, calloc(cells, 2), calloc(cells, 2)};
    if (!new.thickness || !new.temperature) return shown_free(&new), false;
    for (int row = 0; row < x->window.rows; row++)
        for (int col = 0; col < x->window.cols; col++) {
            const int to_row = row + x->window.row0 - w.row0,
                      to_col = col + x->window.col0 - w.col0;
            const size_t from = (size_t)row * (size_t)x->window.cols + (size_t)col,
                         to = (size_t)to_row * (size_t)w.cols + (size_t)to_col;
            if (to_row < 0 || to_row >= w.rows || to_col < 0 || to_col >= w.cols) continue;
            new.thickness[to] = x->thickness[from];
            new.temperature[to] = x->temperature[from];
        }
    shown_free(x);
    *x = new;
    return true;
}

/* A thickness in units, at least one for any lava. */
static uint16_t quantum_of_thickness(double thickness_m)
{
    const uint16_t q = pack_quantum((struct pack_scale){0, THICKNESS_UNIT_M}, thickness_m);
    return thickness_m > 0 && !q ? 1 : q;
}

/* The temperature of mobile lava in units; 0: there is none. */
static uint16_t quantum_of_temperature(const struct fields *f, size_t i)
{
    const struct pack_scale scale = {0, TEMPERATURE_UNIT_K};
    return f->thickness_m[i] > 0 ? pack_quantum(scale, f->temp_K[i]) : 0;
}

static void add_cell(struct frame_array *a, uint32_t cell, uint16_t thickness, uint16_t temperature)
{
    frame_put(&a[CELL], cell);
    frame_put(&a[THICKNESS], thickness);
    frame_put(&a[TEMPERATURE], temperature ? temperature : PACK_NONE);
}

static uint32_t cell_of(const struct run_stream *r, const struct fields *f, int row, size_t i)
{
    const size_t cols = (size_t)r->c->problem.cols,
                 col = i - (size_t)row * (size_t)f->window.cols + (size_t)f->window.col0;
    return (uint32_t)((size_t)(row + f->window.row0) * cols + col);
}

/* Lists the cells that changed since the last frame. Returns the number of all cells with lava. */
static size_t find_changed(struct run_stream *r, const struct fields *f, struct frame_array *a)
{
    struct shown *x = &r->shown;
    size_t lava = 0;
    FIELDS_EACH (f, row, i) {
        const double m = f->thickness_m[i] + f->solid_m[i];
        if (!(m > 0) && !x->thickness[i]) continue; /* true for most cells */
        const uint16_t thickness = quantum_of_thickness(m),
                       temperature = quantum_of_temperature(f, i);
        lava += m > 0;
        if (thickness == x->thickness[i] && temperature == x->temperature[i]) continue;
        x->thickness[i] = thickness;
        x->temperature[i] = temperature;
        add_cell(a, cell_of(r, f, row, i), thickness, temperature);
    }
    return lava;
}

static void find_reached(const struct run_stream *r, const struct fields *f, struct frame_array *a)
{
    FIELDS_EACH (f, row, i) {
        if (f->arrival[i] == ARRIVAL_NEVER) continue;
        add_cell(a, cell_of(r, f, row, i), quantum_of_thickness(f->thickness_m[i] + f->solid_m[i]),
                 quantum_of_temperature(f, i));
        frame_put(&a[MOST], quantum_of_thickness(f->max_thickness_m[i]));
        frame_put(&a[ARRIVAL], (uint32_t)f->arrival[i]);
    }
}

/* ---- what is reported ------------------------------------------------------------------------ */

static double step_s(const struct run_stream *r)
{
    return r->c->problem.params.clock_s;
}

static void add_times(const struct run_stream *r, cJSON *o, int64_t step)
{
    json_add_numbers(o, {"step", (double)step}, {"hours", (double)step * step_s(r) / 3600});
}

static void add_ledger(cJSON *o, const struct sciara_ledger *l, bool all)
{
    const double unit = l->unit_m3;
    if (all) json_add_numbers(o, {"initial_m3", sciara_sum_value(l->initial) * unit});
    json_add_numbers(o, {"emitted_m3", sciara_sum_value(l->emitted) * unit},
                     {"mobile_m3", sciara_sum_value(l->mobile) * unit},
                     {"solidified_m3", sciara_sum_value(l->solidified) * unit},
                     {"left_m3", sciara_sum_value(l->left_domain) * unit},
                     {"entered_sea_m3", sciara_sum_value(l->entered_sea) * unit});
}

static void add_barriers(const struct run_stream *r, cJSON *o)
{
    const struct barriers *b = r->c->barriers;
    const double side = r->c->geo.cell_m, unit = side * side / LATTICE_PER_M;
    cJSON *list = cJSON_AddArrayToObject(o, "barriers");
    for (int i = 0; b && i < b->count; i++) {
        const struct barrier *x = &b->item[i];
        cJSON *entry = json_add_object(list);
        json_add_texts(entry, {"name", x->name});
        json_add_numbers(entry, {"length_m", x->length_m}, {"cells", x->cells},
                         {"raised_m3", (double)x->raised * unit},
                         {"lowered_m3", (double)x->lowered * unit});
    }
}

/* Adds arrival and greatest thickness at each place. The arrival is null if lava never came. */
static void add_places(const struct run_stream *r, cJSON *o, const struct fields *f)
{
    const struct assets *a = r->c->assets;
    const uint32_t cols = (uint32_t)r->c->problem.cols;
    cJSON *list = cJSON_AddArrayToObject(o, "places");
    for (int k = 0; a && k < a->count; k++) {
        const struct asset *x = &a->asset[k];
        double step = (double)INFINITY, most_m = (double)NAN;
        for (uint32_t n = 0; n < x->cells; n++) {
            size_t i;
            if (!fields_find(f, (int)(x->cell[n] / cols), (int)(x->cell[n] % cols), &i)) continue;
            if (f->arrival[i] == ARRIVAL_NEVER) continue;
            step = fmin(step, f->arrival[i]);
            most_m = fmax(most_m, f->max_thickness_m[i]);
        }
        cJSON *entry = json_add_object(list);
        json_add_texts(entry, {"name", x->name});
        json_add_bools(entry, {"bare", x->bare});
        json_add_numbers(entry, {"arrival_h", step * step_s(r) / 3600},
                         {"max_thickness_m", most_m});
    }
}

/* The arrival in hours, rounded as in a layer. */
static float arrival_of(const void *stream, int row, int col)
{
    const struct run_stream *r = stream;
    size_t i;
    if (!fields_find(r->last, row, col, &i) || r->last->arrival[i] == ARRIVAL_NEVER)
        return (float)NAN;
    return (float)(r->last->arrival[i] * (step_s(r) / 3600.0));
}

static void add_isochrones(struct run_stream *r, cJSON *o, const struct fields *f)
{
    const struct sim_case *c = r->c;
    struct error e = {0};
    cJSON *list = NULL;
    r->last = f;
    if (!page_isochrones(&list, c->problem.rows, c->problem.cols, &c->geo, f->window, arrival_of, r,
                         &e))
        cJSON_AddItemToObject(o, "isochrones", list);
}

static quanta quanta_of(struct sciara_sum sum)
{
    return (quanta)(((unsigned __int128)(uint64_t)sum.high << 64) | sum.low);
}

/* Adds the warnings that the summary of the run would have; *f: the last state. */
static void add_warnings(const struct run_stream *r, cJSON *o, const struct fields *f,
                         const struct sciara_ledger *l, bool still)
{
    struct output_summary s = {.extent = extent_of(f, &r->c->problem),
                               .ledger = {.initial = quanta_of(l->initial),
                                          .emitted = quanta_of(l->emitted),
                                          .mobile = quanta_of(l->mobile)},
                               .step = f->step,
                               .stopped = still};
    output_warnings(&s, r->c, f);
    output_list_warnings(o, &s.told);
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void add_begin(struct run_stream *r)
{
    struct sciara_case_info info;
    cJSON *o = cJSON_CreateObject();
    sciara_case_info(r->drawn.c, &info);
    json_add_numbers(o, {"id", (double)r->id}, {"steps", (double)info.max_steps},
                     {"step_s", step_s(r)}, {"volume_m3", info.asked_m3});
    output_list_warnings(o, &case_inside(r->drawn.c)->told);
    frame_add(&r->of.out, "begin", o, NULL);
    r->begun = true;
}

static void add_frame(struct run_stream *r, sciara_snapshot *x, const struct sciara_ledger *l)
{
    const struct fields *f = snapshot_inside(x);
    const double side = r->c->geo.cell_m;
    struct frame_array a[ARRAYS + 1];
    memcpy(a, frame_arrays, sizeof a);
    a[MOST].name = NULL;
    cJSON *o = cJSON_CreateObject();
    const double lava = (double)find_changed(r, f, a);
    add_times(r, o, f->step);
    add_ledger(o, l, false);
    json_add_numbers(o, {"area_m2", lava * side * side});
    frame_add(&r->of.out, "frame", o, a);
}

static void add_end(struct run_stream *r, sciara_snapshot *x, const struct sciara_ledger *l)
{
    const struct fields *f = snapshot_inside(x);
    struct sciara_extent extent;
    struct sciara_state state;
    struct frame_array a[ARRAYS + 1];
    memcpy(a, frame_arrays, sizeof a);
    cJSON *o = cJSON_CreateObject();
    const uint64_t digest = sciara_snapshot_digest(x);
    sciara_state(r->simulation, &state);
    sciara_snapshot_extent(x, &extent, NULL);
    cJSON_AddNumberToObject(o, "id", (double)r->id);
    add_times(r, o, f->step);
    json_add_hex(o, "digest", digest);
    json_add_texts(o, {"ended", state.stopped ? "still" : "steps"}, {"variant", state.variant},
                   {"device", state.device});
    json_add_numbers(o, {"threads", state.threads}, {"seconds", clock_now_s() - r->began_s},
                     {"area_m2", extent.area_m2}, {"runout_m", extent.runout_m},
                     {"max_thickness_m", extent.max_thickness_m}, {"cells", (double)extent.cells});
    add_ledger(cJSON_AddObjectToObject(o, "ledger"), l, true);
    add_barriers(r, o);
    add_places(r, o, f);
    add_isochrones(r, o, f);
    add_warnings(r, o, f, l, state.stopped);
    find_reached(r, f, a);
    frame_add(&r->of.out, "end", o, a);
    session_keep_run(r->s, r->id, r->drawing, digest);
    r->of.ended = true;
}

/* ---- the stream ------------------------------------------------------------------------------ */

static int advance_run(struct run_stream *r, struct sciara_error *e)
{
    const double began_s = clock_now_s();
    sciara_snapshot *x = NULL;
    struct sciara_ledger l;
    struct sciara_state state;
    int status = sciara_advance(r->simulation, r->steps, e);
    const double made_s = clock_now_s();
    if (!status) status = sciara_snapshot_take(&x, r->simulation, e);
    if (!status) status = sciara_snapshot_ledger(x, &l, e);
    if (!status && shown_move(&r->shown, snapshot_inside(x)->window)) {
        sciara_state(r->simulation, &state);
        add_frame(r, x, &l);
        if (state.ended) add_end(r, x, &l);
    }
    if (!status && !r->shown.thickness) r->of.out.failed = true;
    sciara_snapshot_free(x);
    /* The next frame comes after as many steps as fit into the time aim_s. This time grows in a long run, and it is at least
     * eight times the time that a frame takes. */
    const double steps_s = made_s - began_s;
    const double frame_s = clock_now_s() - made_s;
    const double age_s = clock_now_s() - r->began_s,
                 aim_s = fmax(fmax(r->frame_s, age_s / 60), 8 * frame_s),
                 next = (double)r->steps * aim_s / (steps_s + 1e-6);
    r->steps = (int64_t)fmax(1, fmin(next, 4.0 * (double)r->steps));
    return status;
}

static void run_next(struct stream *of)
{
    struct run_stream *r = (struct run_stream *)of;
    struct sciara_error e = {0};
    if (slot_lost(&r->s->run, r->number)) {
        frame_add(&of->out, "stopped", cJSON_CreateObject(), NULL);
        of->ended = true;
    } else if (!r->begun) {
        add_begin(r);
    } else if (advance_run(r, &e)) {
        frame_failed(of, e.text);
    } else if (of->ended) { /* the run is kept before the page learns of its end */
        session_keep_ended(r->s, (struct ended){r->id, r->drawn, r->simulation});
        r->drawn = (struct drawn){0};
        r->simulation = NULL;
    }
}

static void run_close(struct stream *of)
{
    FREED struct run_stream *r = (struct run_stream *)of;
    sciara_free(r->simulation);
    drawing_unload(&r->drawn);
    cJSON_Delete(r->drawing);
    shown_free(&r->shown);
    if (r->number) slot_leave(r->s, &r->s->run);
}

static int start_run(struct request *q, struct run_stream *r)
{
    struct drawing_fault fault = {.number = -1};
    struct error e = {0};
    if (!(r->number = slot_take(r->s, &r->s->run, request_socket(q)))) {
        run_close(&r->of);
        return reply_refusal(q, HTTP_BUSY, "another run has begun");
    }
    int status = drawing_load(r->s, r->drawing, &r->drawn, &fault, &e);
    if (!status) status = drawing_simulate(r->s, &r->drawn, &r->simulation, &e);
    if (!status) {
        r->c = case_inside(r->drawn.c);
        return reply_stream(q, &r->of);
    }
    run_close(&r->of);
    return reply_error(q, &fault, &e);
}

int answer_run(struct request *q)
{
    int result = HTTP_NO_REPLY;
    const double began_s = clock_now_s();
    const cJSON *drawing = request_drawing(q, &result), *ms = request_member(q, "frame_ms");
    struct run_stream *r = drawing ? calloc(1, sizeof *r) : NULL;
    if (!r) return result;
    *r = (struct run_stream){.of = {.next = run_next, .close = run_close},
                             .s = q->of,
                             .id = session_new_run(q->of),
                             .drawing = cJSON_Duplicate(drawing, true),
                             .frame_s = 0.04,
                             .began_s = began_s,
                             .steps = 1};
    if (cJSON_IsNumber(ms)) r->frame_s = fmin(1, fmax(0.01, ms->valuedouble / 1000));
    session_keep_drawing(q->of, drawing);
    return start_run(q, r);
}
