/* many.c — the members of an ensemble that a page is shown, in place of that file of src/program/serve: a worker computes one
 * after the other as JavaScript asks for them, and takes what other workers computed of the same drawing, as bytes. */
#include "page.h"

#include "ensemble/member_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For counters of cells. */
enum { COUNTER_BYTES = 1 << 30 };

/* ---- the study, without files ---------------------------------------------------------------- */

static int open_study(struct study_job *j, struct error *e)
{
    struct ensemble_study *x = j->self;
    int status = plan_load_from(&x->plan, j->plan, NULL, NULL, NULL, e);
    if (!status) status = plan_supply_create(&x->supply, x->plan, e);
    if (!status)
        status = ensemble_create(&x->s, &x->supply.source, (struct shard){1, 1}, COUNTER_BYTES, e);
    if (!status) j->c = &x->plan->base;
    return status;
}
static void close_study(void *self)
{
    struct ensemble_study *x = self;
    ensemble_free(&x->s);
    plan_supply_free(&x->supply);
    plan_free(x->plan);
}
const struct study study_ensemble = {.name = "ensemble",
                                     .size = sizeof(struct ensemble_study),
                                     .open = open_study,
                                     .close = close_study};

bool many_start(struct many *m)
{
    m->next = 0; /* (what other workers had not sent when it was stopped is computed again) */
    m->ended = m->cells.pairs == m->all;
    ((struct page *)m->s)->many = m;
    return true;
}
void many_halt(struct many *m)
{
    struct page *w = (struct page *)m->s;
    if (w->many == m) w->many = NULL;
}
bool many_wait(struct many *m)
{
    return false;
}

/* ---- members --------------------------------------------------------------------------------- */

static bool never(const void *of)
{
    return false;
}

static int add(struct many *m, int side, struct contribution *one, struct error *e)
{
    m->side = side;
    return ensemble_add_all(ensemble_of(m, side), one, 1, e);
}

/* A member that fails ends the ensemble, with its words in the stream. */
static void finish(struct many *m, int status, const struct error *e)
{
    if (status) m->error = *e;
    m->ended = status || m->cells.pairs == m->all;
}

/* The number of the next member to be computed; -1: none is left. */
double page_hand_out(struct page *w)
{
    struct many *m = w->many;
    while (m && m->next < m->all && ensemble_of(m, 0)->result[m->next].done) m->next++;
    return m && !m->ended && m->next < m->all ? (double)m->next++ : -1;
}

void page_compute(struct page *w, double number)
{
    struct many *m = w->many;
    struct error e = {0};
    int status = 0;
    for (int side = 0; side < m->sides && !status; side++) {
        struct contribution one = {0};
        status = member_run(ensemble_of(m, side), (int64_t)number, never, NULL, &one, &e);
        if (!status) status = add(m, side, &one, &e);
    }
    finish(m, status, &e);
}

/* ---- from worker to worker, of one module: structures as they are ------------------------------ */

static void put_text(FILE *out, const char *text)
{
    const size_t size = text ? strlen(text) + 1 : 0;
    fwrite(&size, sizeof size, 1, out);
    if (size) fwrite(text, 1, size, out);
}
static void put_contribution(FILE *out, const struct contribution *one)
{
    fwrite(one, sizeof *one, 1, out);
    if (one->cells) fwrite(one->cell, sizeof *one->cell, one->cells, out);
    if (one->places) fwrite(one->place, sizeof *one->place, one->places, out);
    put_text(out, one->result.drawn);
    put_text(out, one->result.notice);
}

/* A member computed for another worker, malloc'ed; NULL: it fails, and would there. */
char *page_member(struct page *w, double number)
{
    struct many *m = w->many;
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);
    int status = out ? 0 : ERROR_FAILED;
    if (out) fwrite(&size, sizeof size, 1, out);
    for (int side = 0; side < m->sides && !status; side++) {
        FREED_BY(contribution_free) struct contribution one = {0};
        status = member_run(ensemble_of(m, side), (int64_t)number, never, NULL, &one, &w->e);
        if (!status) put_contribution(out, &one);
    }
    if (!out || fclose(out) || status) return free(bytes), NULL;
    memcpy(bytes, &size, sizeof size);
    return bytes;
}

static const char *get(void *to, const char *from, size_t size)
{
    memcpy(to, from, size);
    return from + size;
}
static const char *get_list(void **list, const char *from, size_t size)
{
    *list = size ? malloc(size) : NULL;
    return *list ? get(*list, from, size) : from + size;
}
static const char *get_contribution(struct contribution *one, const char *from)
{
    size_t size;
    from = get(one, from, sizeof *one);
    from = get_list((void **)&one->cell, from, one->cells * sizeof *one->cell);
    from = get_list((void **)&one->place, from, one->places * sizeof *one->place);
    from = get(&size, from, sizeof size);
    from = get_list((void **)&one->result.drawn, from, size);
    from = get(&size, from, sizeof size);
    return get_list((void **)&one->result.notice, from, size);
}

/* The bytes of page_member(), which this call frees. */
void page_take(struct page *w, char *bytes)
{
    struct many *m = w->many;
    const char *from = bytes + sizeof(size_t);
    struct error e = {0};
    int status = 0;
    for (int side = 0; m && side < m->sides && !status; side++) {
        struct contribution one;
        from = get_contribution(&one, from);
        status = add(m, side, &one, &e);
        contribution_free(&one);
    }
    if (m) finish(m, status, &e);
    free(bytes);
}
