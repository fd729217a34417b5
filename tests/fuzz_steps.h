/* fuzz_steps.h — for fuzzers: computes a few steps of an accepted case, and checks that the ledger closes. */
#pragma once

#include "sciara.h"

#include <stdlib.h>

/* The status of sciara_create(), or of the ledger; whatever else fails is a mistake. */
struct fuzz_steps {
    int created, ledger;
};

static inline struct fuzz_steps fuzz_steps(const sciara_case *c, int steps)
{
    struct sciara_options o;
    struct sciara_error e = {0};
    struct sciara_ledger l;
    struct fuzz_steps end = {0, 0};
    sciara_simulation *s;
    sciara_snapshot *x;
    sciara_options_init(&o, sizeof o);
    o.threads = 1;
    if ((end.created = sciara_create(&s, c, &o, &e)) != 0) return end;
    if (sciara_advance(s, steps, &e) || sciara_snapshot_take(&x, s, &e)) abort();
    sciara_free(s);
    end.ledger = sciara_snapshot_ledger(x, &l, &e);
    sciara_snapshot_free(x);
    return end;
}
