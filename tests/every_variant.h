/* every_variant.h — the list of all variants, and the states of a run in one of them. The reference is the first;
 * the emulator runs the kernels of the others. */
#pragma once

#include "sim/fields.h"
#include "sim/variant.h"
#include "unit.h"

extern const struct variant variant_reference;
extern uint64_t emulator_seed;

/* The Makefile's list: each(global) each(tiled) ... */
#define DECLARE(name) extern const struct variant variant_##name;
#define ADDRESS(name) &variant_##name,
SCIARA_VARIANTS(DECLARE)
static const struct variant *const all[] = {&variant_reference, SCIARA_VARIANTS(ADDRESS)};
enum { ALL = sizeof all / sizeof *all };

static inline struct fields snapshot_of(const struct variant *v, void *self,
                                        const struct problem *p)
{
    struct error e = {0};
    struct fields f;
    must(fields_create(&f, p->window, &e), &e);
    must(v->snapshot(self, &f, &e), &e);
    must(v->snapshot_wait(self, &e), &e);
    return f;
}

/* Up to that step, from a state or, where it is NULL, from the beginning; with its ledger. */
static inline struct fields run_until(const struct variant *v, struct problem p,
                                      const struct fields *from, int64_t step,
                                      struct ledger *ledger)
{
    struct variant_options o = {.threads = 2};
    struct error e = {0};
    void *self;
    p.from = from;
    must(v->create(&self, &p, &o, &e), &e);
    must(v->advance(self, step - fields_begin(&p), NULL, &e), &e);
    struct fields f = snapshot_of(v, self, &p);
    v->destroy(self);
    if (from) f.ground = from->ground;
    must(fields_ledger(ledger, &f, &p, &e), &e);
    return f;
}

/* To the last bit, with their sums. */
static inline void same(const struct fields *a, const struct fields *b)
{
    const char *what = "";
    const size_t cells = fields_differ(a, b, &what);
    if (cells)
        print_message("step %lld: %zu cells differ in %s\n", (long long)a->step, cells, what);
    assert_int_equal(cells, 0);
    assert_true(a->step == b->step && fields_same_sums(a, b));
    assert_true(fields_digest(a, a->window.rows, a->window.cols) ==
                fields_digest(b, b->window.rows, b->window.cols));
    assert_true(a->ground.raised == b->ground.raised && a->ground.lowered == b->ground.lowered);
}
