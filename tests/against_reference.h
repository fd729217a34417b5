/* against_reference.h — compares a CUDA variant, whose kernels the emulator runs, with the reference. Both compute a
 * problem in batches of unequal length. After each batch all fields, the ledger and the reductions have equal bits. */
#pragma once

#include "sim/fields.h"
#include "sim/variant.h"
#include "unit.h"

extern uint64_t emulator_seed;
extern long emulator_launches;
extern const struct variant variant_reference;

/* What became of a run, after each of its pieces. */
enum { MOST_PIECES = 40 };
struct course {
    int pieces;
    struct variant_status at[MOST_PIECES];
    size_t wet[MOST_PIECES], set[MOST_PIECES]; /* cells */
    quanta left;                               /* the domain, in all */
    struct heat_sums heat;                     /* in all */
};

static inline void note_cells(struct course *c, const struct fields *f)
{
    size_t cells = (size_t)f->window.rows * (size_t)f->window.cols, set = 0;
    fields_mobile(f, &c->wet[c->pieces]);
    for (size_t i = 0; i < cells; i++) set += f->solid_m[i] > 0.0;
    c->set[c->pieces] = set;
    c->left = f->left_domain;
    c->heat = f->heat;
}

/* Of all mobile lava and all vents. */
static inline struct window reach_of(const struct fields *f, const struct problem *p)
{
    struct window w = {0};
    for (int r = 0; r < f->window.rows; r++)
        for (int c = 0; c < f->window.cols; c++)
            if (f->thickness_m[r * f->window.cols + c] > 0.0)
                w = window_of_both(w,
                                   (struct window){f->window.row0 + r, f->window.col0 + c, 1, 1});
    for (int v = 0; v < p->vent_count; v++)
        w = window_of_both(w, (struct window){p->vents[v].row, p->vents[v].col, 1, 1});
    return w;
}

/* In `count` pieces of these lengths; look(), if any, is shown the simulation after each. */
static inline struct course follow_and_look(const struct variant *variant, const struct problem *p,
                                            const int *length, int count,
                                            void (*look)(void *self, int piece, void *context),
                                            void *context)
{
    struct error e = {0};
    struct variant_options o = {.threads = 1};
    void *self = NULL, *reference = NULL;
    struct fields a = {0}, b = {0};
    struct variant_status expected = {0};
    struct course c = {0};
    long launches = emulator_launches;
    must(variant->create(&self, p, &o, &e), &e);
    must(variant_reference.create(&reference, p, &o, &e), &e);
    must(fields_create(&a, p->window, &e), &e);
    must(fields_create(&b, p->window, &e), &e);
    assert_true(count <= MOST_PIECES);
    for (; c.pieces < count; c.pieces++) {
        const char *what = "";
        struct ledger ledger;
        struct window reach;
        struct variant_status *got = &c.at[c.pieces];
        must(variant->advance(self, length[c.pieces], got, &e), &e);
        must(variant->snapshot(self, &a, &e), &e);
        must(variant->snapshot_wait(self, &e), &e);
        must(variant_reference.advance(reference, length[c.pieces], &expected, &e), &e);
        must(variant_reference.snapshot(reference, &b, &e), &e);
        size_t differ = fields_differ(&a, &b, &what);
        if (differ)
            print_message("%s, step %lld: %zu cells differ in %s\n", variant->name,
                          (long long)b.step, differ, what);
        assert_int_equal(differ, 0);
        assert_int_equal(a.step, b.step);
        assert_true(fields_same_sums(&a, &b));
        assert_true(got->mobile == expected.mobile && got->stopped == expected.stopped);
        assert_true(got->step == expected.step);
        must(fields_ledger(&ledger, &a, p, &e), &e);
        must(variant->reach(self, &reach, &e), &e);
        assert_true(window_equal(reach, reach_of(&a, p)));
        note_cells(&c, &a);
        if (look) look(self, c.pieces, context);
    }
    assert_true(emulator_launches >= launches + count); /* some kernel made each piece */
    variant->destroy(self);
    variant_reference.destroy(reference);
    fields_free(&a);
    fields_free(&b);
    return c;
}

static inline struct course follow(const struct variant *variant, const struct problem *p,
                                   const int *length, int count)
{
    return follow_and_look(variant, p, length, count, NULL, NULL);
}

/* The usual pieces, in which lava is there and some sets. */
static inline struct course against_reference(const struct variant *variant,
                                              const struct problem *p)
{
    static const int pieces[] = {1, 2, 7, 15, 25, 3, 30, 50};
    enum { PIECES = sizeof pieces / sizeof *pieces };
    struct course c = follow(variant, p, pieces, PIECES);
    assert_true(c.wet[2] > 4 && c.set[2] > 0);
    assert_true(c.wet[PIECES - 1] > 4 && c.set[PIECES - 1] > 20);
    assert_true(c.heat.emitted > 0 && c.heat.solidified > 0 && c.heat.cooled > 0);
    return c;
}
