/* against_reference.h — a CUDA variant whose kernels the emulator runs, against the reference: a
 * problem in pieces of uneven length, and the same bits in every field, the ledger and the
 * reductions after each. */
#ifndef SCIARA_TEST_AGAINST_REFERENCE_H
#define SCIARA_TEST_AGAINST_REFERENCE_H

#include "../src/common/fields.h"
#include "../src/common/variant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

extern uint64_t emulator_seed;
extern long emulator_launches;
extern const struct variant variant_reference;

static const int pieces[] = {1, 2, 7, 15, 25, 3, 30, 50};
enum { PIECES = sizeof pieces / sizeof *pieces };

static inline void must(int code, const struct error *e)
{
    if (code) print_message("%s\n", e->text);
    assert_int_equal(code, 0);
}

static inline void assert_meaningful(const struct fields *f, size_t least_set)
{
    size_t wet, cells = (size_t)f->window.rows * (size_t)f->window.cols, set = 0;
    assert_true(fields_mobile(f, &wet) > 0);
    for (size_t i = 0; i < cells; i++) set += f->solid_m[i] > 0.0;
    assert_true(wet > 4);
    assert_true(set > least_set);
}

static inline void against_reference(const struct variant *variant, const struct problem *p)
{
    struct error e = {0};
    struct variant_options o = {.threads = 1};
    void *self = NULL, *reference = NULL;
    struct fields a = {0}, b = {0};
    struct variant_status sa, sb;
    long launches = emulator_launches;
    must(variant->create(&self, p, &o, &e), &e);
    must(variant_reference.create(&reference, p, &o, &e), &e);
    must(fields_create(&a, p->window, &e), &e);
    must(fields_create(&b, p->window, &e), &e);
    for (int i = 0; i < PIECES; i++) {
        const char *what = "";
        struct ledger ledger;
        must(variant->advance(self, pieces[i], &sa, &e), &e);
        must(variant->snapshot(self, &a, &e), &e);
        must(variant->snapshot_wait(self, &e), &e);
        must(variant_reference.advance(reference, pieces[i], &sb, &e), &e);
        must(variant_reference.snapshot(reference, &b, &e), &e);
        size_t differ = fields_differ(&a, &b, &what);
        if (differ)
            print_message("%s, step %d: %zu cells differ in %s\n", variant->name, (int)b.step,
                          differ, what);
        assert_int_equal(differ, 0);
        assert_int_equal(a.step, b.step);
        assert_true(a.emitted == b.emitted && a.left_domain == b.left_domain);
        assert_true(sa.mobile == sb.mobile && sa.stopped == sb.stopped && sa.step == sb.step);
        must(fields_ledger(&ledger, &a, p, &e), &e);
        if (i == 2 || i == PIECES - 1) assert_meaningful(&a, i == 2 ? 0 : 20);
    }
    assert_true(emulator_launches >= launches + PIECES); /* some kernel made each piece */
    variant->destroy(self);
    variant_reference.destroy(reference);
    fields_free(&a);
    fields_free(&b);
}

#endif
