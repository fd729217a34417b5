/* study_stream.c — streams an ensemble while its members are computed. On request computes pairs: each member with
 * barriers and without them.
 *
 * Members are computed in the order of their numbers, not the longest first, so that the finished members are always a
 * sample of all. This file counts the cells that each finished member reached, in addition to the sums of the ensemble.
 * Pairs are two ensembles with the same draws. A few members of one ensemble are computed, then the same members of the
 * other ensemble. A pair counts when its two members are done. */
#include "many.h"

#include "base/clock.h"
#include "base/processors.h"
#include "ensemble/batch.h"
#include "ensemble/report.h"
#include "record/json_number.h"
#include "text/textfile.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PROBABILITY_UNIT = 1.0 / 65534, FRAME_S = 0.3, ALIVE_S = 1;

struct many_stream {
    struct stream of;
    struct session *s;
    int64_t number, shown;
    double shown_s;
    bool begun;
    struct many *many;
};

/* ---- counting, while the lock of an engine is held ------------------------------------------- */

static int keep_half(struct half *h, const struct contribution *one, struct error *e)
{
    if (!(h->cell = malloc((one->cells + 1) * sizeof *h->cell))) return error_memory(e);
    for (; h->count < one->cells; h->count++) h->cell[h->count] = one->cell[h->count];
    return 0;
}

/* Counts a pair: *h has the member with barriers, *one is the member without them. */
static int count_pair(struct many *m, struct half *h, const struct contribution *one,
                      struct error *e)
{
    FREED struct reached *cell = h->cell;
    const struct pair_reached with = {cell, h->count};
    *h = (struct half){0};
    return pair_sums_add(&m->cells, one->result.weight, with,
                         (struct pair_reached){one->cell, one->cells}, e);
}

static int take_result(void *of, struct contribution *one, struct error *e)
{
    struct many *m = of;
    struct half *h = m->sides == 2 ? &m->half[one->number] : NULL;
    LOCKED(&m->lock);
    pthread_cond_broadcast(&m->changed); /* waiters continue when the lock is released */
    if (!h)
        return pair_sums_add(&m->cells, one->result.weight,
                             (struct pair_reached){one->cell, one->cells}, (struct pair_reached){0},
                             e);
    return m->side == PAIR_WITH ? keep_half(h, one, e) : count_pair(m, h, one, e);
}

static void many_free(struct many *m)
{
    if (!m) return;
    many_halt(m);
    for (int i = 0; i < m->sides; i++) study_close(&m->job[i]);
    for (int i = 0; i < m->sides; i++) free(m->plan[i]);
    pair_sums_free(&m->cells);
    for (int64_t i = 0; m->half && i < m->all; i++) free(m->half[i].cell);
    free(m->half);
    pthread_cond_destroy(&m->changed);
    pthread_mutex_destroy(&m->lock);
    free(m);
}

/* ---- opening --------------------------------------------------------------------------------- */

static int open_side(struct many *m, int side, const char *plan, struct error *e)
{
    static const struct ensemble_options options = {.until_error = 0};
    static const int first = 0;
    char name[128];
    struct study_job *j = &m->job[side];
    *j = (struct study_job){.study = &study_ensemble, .plan = plan, .options = &options};
    j->threads = m->s->o.threads ? m->s->o.threads : processors_granted();
    j->device = &first;
    j->device_count = !batch_available(0, name, NULL);
    int status = study_open(j, e);
    if (status) return status;
    ensemble_of(m, side)->on_result = take_result;
    ensemble_of(m, side)->on_result_of = m;
    return 0;
}

/* Writes the drawing as a plan and, for pairs, also as a plan without barriers. The files stay until the next ensemble. */
static int write_plans(struct many *m, const cJSON *drawing, double members, struct error *e)
{
    struct session *s = m->s;
    int status = 0;
    for (int i = 0; i < m->sides && !status; i++) {
        FREED char *folder = text_format("%s/plan%d", s->work, i);
        FREED_BY(json_free_at) cJSON *side = cJSON_Duplicate(drawing, true);
        if (i == PAIR_WITHOUT) {
            cJSON_DeleteItemFromObjectCaseSensitive(side, "barriers");
            cJSON_AddArrayToObject(side, "barriers");
        }
        m->plan[i] = text_format("%s/plan%d/%s.cfg", s->work, i, s->c.name);
        status = folder && m->plan[i] && side ? folder_anew(folder, e) : error_memory(e);
        if (!status) status = drawing_plan(s, side, folder, s->c.name, (int64_t)members, e);
    }
    return status;
}

static int blame(const struct many *m, const cJSON *drawing, struct drawing_fault *fault,
                 struct error *e)
{
    for (int i = 0; i < m->sides && drawing; i++) {
        FREED char *folder = text_format("%s/plan%d", m->s->work, i);
        if (folder && !strncmp(e->text, folder, strlen(folder)))
            drawing_blame(fault, drawing, folder, e);
    }
    return (int)e->code;
}

/* Opens the plans of a drawing. drawing NULL: opens the plan that is served. */
static int many_open(struct many *m, const cJSON *drawing, double members,
                     struct drawing_fault *fault, struct error *e)
{
    int status = 0;
    if (drawing) status = write_plans(m, drawing, members, e);
    else if (!(m->plan[0] = text_format("%s", m->s->base))) status = error_memory(e);
    for (int i = 0; i < m->sides && !status; i++) status = open_side(m, i, m->plan[i], e);
    if (status) return blame(m, drawing, fault, e);
    const struct problem *p = &m->job[0].c->problem;
    m->all = ensemble_of(m, 0)->source->count;
    status = pair_sums_create(&m->cells, (size_t)p->rows * (size_t)p->cols, e);
    if (status || m->sides == 1) return status;
    m->half = calloc((size_t)m->all, sizeof *m->half);
    return m->half ? 0 : error_memory(e);
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Adds a cell; returns the standard error of the difference or, without pairs, of the probability. */
static double add_cell(const struct many *m, size_t cell, struct frame_array *a)
{
    const struct pair_count *c = pair_sums_at(&m->cells, cell);
    if (!c) return 0;
    const struct pair_estimates p = pair_sums_estimate(&m->cells, c, 0);
    frame_put(&a[0], (uint32_t)cell);
    frame_put_value(&a[1], p.with);
    frame_put_value(&a[2], p.error);
    if (m->sides == 2) {
        frame_put_value(&a[3], p.without);
        frame_put_value(&a[4], p.difference);
    }
    return p.error;
}

/* The caller holds the lock of r->many. */
static void add_frame(struct many_stream *r)
{
    const struct many *m = r->many;
    const bool pairs = m->sides == 2;
    double largest = 0;
    struct frame_array a[] = {
        {"cell", .wide = true},
        {pairs ? "probability_with" : "probability", .unit = PROBABILITY_UNIT},
        {"error", .unit = PROBABILITY_UNIT},
        {pairs ? "probability_without" : NULL, .unit = PROBABILITY_UNIT},
        {"difference", .base = -1, .unit = 2 * PROBABILITY_UNIT},
        {0}};
    for (size_t i = 0; m->cells.weight && i < m->cells.places; i++)
        largest = fmax(largest, add_cell(m, i, a));
    cJSON *o = cJSON_CreateObject();
    json_add_numbers(o, {"members", (double)m->cells.pairs}, {"all", (double)m->all},
                     {"effective", pair_sums_effective(&m->cells)}, {"largest_error", largest});
    frame_add(&r->of.out, "frame", o, a);
    r->shown = m->cells.pairs;
    r->shown_s = clock_now_s();
}

void study_places(cJSON *o, const struct ensemble *s)
{
    cJSON *list = cJSON_AddArrayToObject(o, "places");
    for (int i = 0; i < s->assets.count; i++) {
        const uint64_t *c = statistics_at(&s->places, (size_t)i);
        const double p = ensemble_at_place(s, i, EVENT_LAVA, 0);
        const int class = statistics_arrival_class(&s->places, c, 50);
        const struct report_range range = report_arrival_range(s, i);
        cJSON *entry = json_add_object(list);
        json_add_texts(entry, {"name", s->assets.asset[i].name});
        json_add_numbers(entry, {"probability", p},
                         {"error", statistics_error_of(p, statistics_effective(&s->places))},
                         {"arrival_h", report_arrival_h(s, class)}, {"arrival_low_h", range.low_h},
                         {"arrival_high_h", range.high_h});
    }
}

static void add_end(struct many_stream *r)
{
    struct many *m = r->many;
    cJSON *o = cJSON_CreateObject();
    json_add_numbers(o, {"members", (double)m->cells.pairs},
                     {"effective", pair_sums_effective(&m->cells)});
    json_add_hex(o, "digest", ensemble_digest(ensemble_of(m, 0)));
    study_places(o, ensemble_of(m, PAIR_WITH));
    struct warnings told = m->job[0].c->told;
    for (int k = 0; k < m->sides; k++) report_warn(ensemble_of(m, k), &told);
    output_list_warnings(o, &told);
    frame_add(&r->of.out, "end", o, NULL);
    r->of.ended = true;
}

static void add_begin(struct many_stream *r)
{
    const struct many *m = r->many;
    cJSON *o = cJSON_CreateObject();
    json_add_numbers(o, {"id", (double)m->id}, {"members", (double)m->all});
    json_add_texts(o, {"kind", m->sides == 2 ? "pairs" : "ensemble"});
    output_list_warnings(o, &m->job[0].c->told);
    frame_add(&r->of.out, "begin", o, NULL);
    r->begun = true;
}

static void many_next(struct stream *of)
{
    struct many_stream *r = (struct many_stream *)of;
    struct many *m = r->many;
    if (!r->begun) {
        add_begin(r);
        return;
    }
    LOCKED(&m->lock);
    while (!slot_lost(&r->s->study, r->number) && !m->ended &&
           clock_now_s() - r->shown_s < (m->cells.pairs > r->shown ? FRAME_S : ALIVE_S))
        if (!many_wait(m)) return;
    if (slot_lost(&r->s->study, r->number)) {
        frame_add(&of->out, "stopped", cJSON_CreateObject(), NULL);
        of->ended = true;
    } else {
        add_frame(r);
        if (m->error.code) frame_failed(of, m->error.text);
        else if (m->ended) add_end(r);
    }
}

/* Stops the ensemble and keeps it as s->paused, so that a request can continue it. */
static void many_close(struct stream *of)
{
    FREED struct many_stream *r = (struct many_stream *)of;
    if (r->many) {
        many_halt(r->many);
        pthread_mutex_lock(&r->s->lock);
        struct many *old = r->s->paused;
        r->s->paused = r->many;
        r->s->paused_free = many_free;
        pthread_mutex_unlock(&r->s->lock);
        many_free(old);
    }
    if (r->number) slot_leave(r->s, &r->s->study);
}

/* ---- requests -------------------------------------------------------------------------------- */

/* Starts an ensemble and sets r->many, or refuses the request. `drawing` NULL: the plan that is served. */
static int begin_study(struct request *q, struct many_stream *r, const cJSON *drawing)
{
    const cJSON *members = request_member(q, "members");
    struct drawing_fault fault = {.number = -1};
    struct error e = {0};
    const int64_t planned = drawing ? 0 : ((struct session *)q->of)->members;
    const double count = !members ? (planned ? (double)planned : 200)
                                  : (cJSON_IsNumber(members) ? members->valuedouble : 0);
    struct many *m = calloc(1, sizeof *m);
    if (!m) return HTTP_NO_REPLY;
    *m = (struct many){.s = q->of, .id = session_new_run(q->of), .sides = 1};
    pthread_mutex_init(&m->lock, NULL);
    condition_init(&m->changed);
    if (drawing && cJSON_IsTrue(request_member(q, "barriers"))) m->sides = 2;
    int status = 0;
    if (planned && (double)planned != count) /* many_open() refuses an invalid plan */
        status = error_input(&e,
                             "members: the plan has %" PRId64
                             "; change the number in its file, or change the drawing",
                             planned);
    else if (drawing && (count < 2 || count > 100000 || count != floor(count)))
        status = error_input(&e, "members: give 2 to 100000");
    if (!status) status = many_open(m, drawing, count, &fault, &e);
    if (!status && !many_start(m)) status = error_failed(&e, "no thread can be started");
    if (!status) {
        r->many = m;
        return 1;
    }
    many_free(m);
    return reply_error(q, &fault, &e);
}

static int continue_paused(struct request *q, struct many_stream *r, double id)
{
    struct session *s = q->of;
    struct many *m = NULL;
    pthread_mutex_lock(&s->lock);
    if (s->paused && (double)s->paused->id == id) {
        m = s->paused;
        s->paused = NULL;
    }
    pthread_mutex_unlock(&s->lock);
    if (!m) return reply_refusal(q, HTTP_NOT_FOUND, "that ensemble is no longer kept");
    r->many = m;
    if (!many_start(m)) m->error.code = ERROR_FAILED, m->ended = true;
    return 1;
}

int answer_ensemble(struct request *q)
{
    struct session *s = q->of;
    const cJSON *again = request_member(q, "continue"), *drawing = NULL;
    const bool planned = s->kind == SERVE_PLAN && !cJSON_IsTrue(request_member(q, "drawn"));
    int result = HTTP_NO_REPLY;
    if (!planned && !cJSON_IsNumber(again) && !(drawing = request_drawing(q, &result)))
        return result;
    struct many_stream *r = calloc(1, sizeof *r);
    if (!r) return HTTP_NO_REPLY;
    *r = (struct many_stream){.of = {.next = many_next, .close = many_close}, .s = s};
    r->number = slot_take(s, &s->study, request_socket(q));
    if (!r->number) result = reply_refusal(q, HTTP_BUSY, "another ensemble has begun");
    else if (cJSON_IsNumber(again)) result = continue_paused(q, r, again->valuedouble);
    else result = begin_study(q, r, drawing);
    if (r->many) return reply_stream(q, &r->of);
    many_close(&r->of);
    return result;
}
