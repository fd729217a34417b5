/* ensemble_run.h — runs an ensemble of test members from the first to the last. */
#pragma once

#include "ensemble/engine.h"
#include "ensemble_source.h"
#include "scratch.h"
#include "unit.h"

static const struct shard unsharded = {1, 1};

static inline void ok(int status, const struct error *e)
{
    if (status) print_error("%s\n", e->text);
    assert_int_equal(status, 0);
}

static inline uint64_t run(const struct ensemble_source *source, struct shard shard,
                           double until_error, struct engine_options o, struct ensemble *keep)
{
    struct ensemble s;
    struct error e = {0};
    enum engine_end end;
    ok(ensemble_create(&s, source, shard, SIZE_MAX, &e), &e);
    s.until_error = until_error;
    ok(engine_run(&s, &o, &end, &e), &e);
    assert_int_equal(end,
                     until_error > 0 && s.done < source->count ? ENGINE_SURE : ENGINE_COMPLETE);
    const uint64_t digest = ensemble_digest(&s);
    if (keep) *keep = s;
    else ensemble_free(&s);
    return digest;
}

/* What a test of an ensemble needs, all of it made and freed together. */
struct trial {
    struct test_plan plan;
    struct ensemble_source source;
    struct ensemble s; /* the test's own */
    struct error e;
    struct scratch scratch;
};

static inline void trial_create(struct trial *t, int64_t members)
{
    t->e = (struct error){0};
    scratch_create(&t->scratch);
    test_plan_create(&t->plan, &t->source, members);
}

static inline void trial_free(struct trial *t)
{
    test_plan_free(&t->plan);
    scratch_remove(&t->scratch);
}
