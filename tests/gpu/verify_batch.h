/* verify_batch.h — members of a batch (ensemble/batch.h) on a GPU: one to each step of a list, each
 * with the given terrain and with two errors of it, against the reference: equal digests. */
#pragma once

#include "ensemble/batch.h"
#include "sim/variant.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { VERIFY_ERRORS = 3, VERIFY_JOBS = 16 * VERIFY_ERRORS };

/* The reference's digest of a member. */
static int verify_member(const struct batch_job *job, uint64_t *digest, struct error *e)
{
    struct problem p = *job->problem;
    struct fields f = {0};
    void *self = NULL;
    double *z = malloc((size_t)p.rows * (size_t)p.cols * sizeof *z);
    if (!z || !terrain_error_add(&job->error, p.rows, p.cols, p.elevation_m, z)) {
        free(z);
        return error_memory(e);
    }
    p.elevation_m = z;
    int code = variants[0]->create(&self, &p, NULL, e);
    if (!code) code = variants[0]->advance(self, job->steps - p.first_step, NULL, e);
    if (!code) code = fields_create(&f, p.window, e);
    if (!code) code = variants[0]->snapshot(self, &f, e);
    if (!code) *digest = fields_digest(&f, p.rows, p.cols);
    variants[0]->destroy(self);
    fields_free(&f);
    free(z);
    return code;
}

/* How many differ. */
static int verify_outcomes(const char *what, const struct batch_job *job, int count,
                           struct batch_outcome *out)
{
    struct error e = {0};
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        uint64_t digest = 0;
        if (verify_member(&job[i], &digest, &e)) {
            fprintf(stderr, "verify: %s: %s\n", what, e.text);
            wrong++;
        }
        const bool same = out[i].fate == BATCH_COMPUTED && out[i].digest == digest;
        printf("%-14s %-11s %-5s step %6" PRId64 "  cells %6" PRIu64 "  %016" PRIx64 "  %s\n", what,
               "batch", job[i].error.sd_m > 0 ? "error" : "given", job[i].steps, out[i].cells,
               out[i].digest, same ? "equal bits" : "DIFFERS");
        wrong += !same;
        free(out[i].cell);
    }
    return wrong;
}

static int verify_batch(const char *what, const struct problem *p, const int64_t *step, int steps)
{
    static const struct terrain_error errors[VERIFY_ERRORS] = {
        {0}, {1, 2, 0.5, 0.23714}, {1, 3, 0.25, 0}};
    struct batch_job job[VERIFY_JOBS];
    struct batch_outcome out[VERIFY_JOBS];
    struct axis axis = {0};
    struct batch *b = NULL;
    struct error e = {0};
    int count = 0, code = axis_create(&axis, 0, 100, 40, NULL, 0, &e);
    for (int i = 0; i < steps; i++)
        for (int k = 0; k < VERIFY_ERRORS; k++)
            job[count++] = (struct batch_job){p, errors[k], step[i]};
    const struct batch_setup setup = {
        .base = p, .thickness_m = &axis, .arrival_s = &axis, .members = count};
    if (!code) code = batch_create(&b, &setup, &e);
    if (!code) code = batch_begin(b, 0, job, count, 0, &e);
    if (!code) code = batch_end(b, 0, out, &e);
    if (code) fprintf(stderr, "verify: batch: %s\n", e.text);
    const int wrong = code ? 1 : verify_outcomes(what, job, count, out);
    batch_destroy(b);
    axis_free(&axis);
    return wrong;
}
