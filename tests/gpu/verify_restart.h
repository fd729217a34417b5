/* verify_restart.h — a run that is stopped at random steps and goes on, each time from the file of
 * its state and in the next of all variants: equal bits at every stop and in the end. */
#pragma once

#include "case/case.h"
#include "restart/restart.h"
#include "sim/fields.h"
#include "sim/variant.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { RESTARTS = 50 };

/* RESTARTS different steps before `last`, in order, with `last` behind them. */
static void restart_steps(int64_t step[RESTARTS + 1], int64_t last, uint64_t rng)
{
    for (int i = 0; i < RESTARTS;) {
        const int64_t drawn = 1 + (int64_t)((double)(last - 1) * random_unit(&rng));
        int at = i;
        while (at > 0 && step[at - 1] > drawn) at--;
        if (at > 0 && step[at - 1] == drawn) continue;
        memmove(step + at + 1, step + at, (size_t)(i - at) * sizeof *step);
        step[at] = drawn;
        i++;
    }
    step[RESTARTS] = last;
}

/* Makes `steps` steps, from *f where it has arrays, else from the beginning; *f gets the state. */
static int restart_advance(const struct variant *v, const struct problem *problem, int64_t steps,
                           struct fields *f, struct error *e)
{
    struct problem p = *problem;
    struct fields next = {0};
    void *self = NULL;
    p.from = f->thickness_m ? f : NULL;
    int code = v->create(&self, &p, NULL, e);
    if (!code) code = v->advance(self, steps, NULL, e);
    if (!code) code = fields_create(&next, p.window, e);
    if (!code) code = v->snapshot(self, &next, e);
    if (!code) code = v->snapshot_wait(self, e);
    v->destroy(self);
    fields_free(f);
    *f = next;
    return code;
}

/* *f becomes what a file of it says. */
static int restart_through(const char *path, const struct sim_case *c, struct fields *f,
                           struct error *e)
{
    struct restart out = {.variant = "verify", .version = "0"}, in = {0};
    struct identity now;
    int code = restart_write(path, &out, c, f, e);
    fields_free(f);
    *f = (struct fields){0};
    if (!code) code = restart_read(&in, f, path, e);
    if (!code) code = identity_of(&now, c, f->window, e);
    if (!code) code = restart_fits(&in, &now, false, path, e);
    restart_free(&in);
    return code;
}

/* How many states differ from those of a run by the reference that is not stopped. */
static int verify_restarts(const char *what, const struct sim_case *c, int64_t last, uint64_t seed)
{
    char path[] = "state-XXXXXX";
    struct fields f = {0}, expected = {0};
    struct error e = {0};
    int64_t step[RESTARTS + 1], before = c->problem.first_step;
    int variant = 0, wrong = 0;
    void *whole = NULL;
    const int file = mkstemp(path);
    if (file < 0) return perror("verify"), 1;
    close(file);
    restart_steps(step, last, seed);
    int code = variants[0]->create(&whole, &c->problem, NULL, &e);
    if (!code) code = fields_create(&expected, c->problem.window, &e);
    for (int i = 0; !code && i <= RESTARTS; i++) {
        const struct variant *v = variants[variant];
        const char *field = "";
        code = restart_advance(v, &c->problem, step[i] - before, &f, &e);
        if (!code && i < RESTARTS) code = restart_through(path, c, &f, &e);
        if (!code) code = variants[0]->advance(whole, step[i] - before, NULL, &e);
        if (!code) code = variants[0]->snapshot(whole, &expected, &e);
        if (code) break;
        const bool same = !fields_differ(&expected, &f, &field) && fields_same_sums(&expected, &f);
        printf("%-14s %-11s stop  step %6" PRId64 "  %016" PRIx64 "  %s%s\n", what, v->name, f.step,
               fields_digest(&f, c->problem.rows, c->problem.cols),
               same ? "equal bits" : "DIFFERS in ", same ? "" : field);
        wrong += !same;
        before = step[i];
        variant = variants[variant + 1] ? variant + 1 : 0;
    }
    if (code) fprintf(stderr, "verify: %s: %s\n", what, e.text);
    variants[0]->destroy(whole);
    fields_free(&f);
    fields_free(&expected);
    unlink(path);
    return wrong + (code != 0);
}
