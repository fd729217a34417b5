/* held.h — a simulation that holds the part of its domain that lava has come near: at first a window
 * around vents and initial lava, then wider ones when lava approaches an edge. So time and memory
 * follow the lava, not the domain. The bits are the same as in the whole domain: lava goes no farther
 * than a cell in a step.
 *
 * A window grows between two steps, by widen() of the variant (variant.h). Where that is missing or has
 * no memory, the state is copied to the host, and the variant begins anew with it. */
#pragma once

#include "variant.h"

struct held_rule {
    size_t whole;    /* domains of at most that number of cells are held whole */
    int least, most; /* cells between lava and the edges of a new window: half the length of the
                        lava in that direction, within these limits; least >= 1 */
    int part;        /* the window grows when less than 1/part of these cells is left; 0: 1/2 */
};
/* The usual rule: 2^20 cells are held whole, margins are 256 to 1024 cells, or 160 for a variant with widen(). Such
 * a variant grows at little cost, so that it waits until a fifth of the margin is left. */
const struct held_rule *held_usual(const struct variant *v);

/* Other code reads only problem and self. */
struct held {
    const struct variant *variant;
    struct variant_options machine;
    struct held_rule rule;
    struct problem problem; /* its window is the one that is held */
    void *self;             /* the variant's state; NULL: it could not begin again after an error */
    int64_t room;           /* steps in which all lava stays inside */
    bool moved, anew; /* moved: steps were made; anew: no reduction since the variant began anew */
    struct held_ahead *ahead; /* terrain that a thread reads meanwhile; NULL: none */
    /* Called before the window becomes wider, so that the owner can keep the terrain that lava may come to. After an
     * error the simulation is as before. NULL: nothing is kept. */
    int (*keep)(void *of, struct window w, struct error *e);
    void *keep_of;
    struct variant_status now;
    double ms_before; /* device_ms of earlier windows */
};

/* Begins the simulation of *p in the window that the rule gives; p->window has no meaning. The
 * domain is held whole, too, for p->full_domain and for a variant without reach(). Terrain is read
 * where it is not there yet. What *p points to is kept alive by the caller; p->from may have any
 * window, and is needed no longer afterwards. On an error *out is NULL. */
int held_create(struct held **out, const struct variant *v, const struct problem *p,
                const struct variant_options *o, const struct held_rule *rule, struct error *e);

/* Calls the variant's advance(). If there is no memory for a wider window, the error says so, and
 * the simulation is as after h->now.step, so that its state can be saved. */
int held_advance(struct held *h, int64_t steps, struct variant_status *status, struct error *e);

/* Allocates *f for a snapshot of the present window. */
int held_room(const struct held *h, struct fields *f, struct error *e);

/* Calls the variant's snapshot(); *f, which may be all zero, is made anew if it has another window.
 * *f is complete after held_wait(); if the window grows before that, held_advance() waits, too. */
int held_snapshot(struct held *h, struct fields *f, struct error *e);
int held_wait(struct held *h, struct error *e);

/* Continues with *f, a state of the present step, on another terrain of the same domain. */
int held_restart(struct held *h, const struct fields *f, const double *elevation_m,
                 struct error *e);

size_t held_memory(const struct held *h); /* memory() of the variant */
void held_destroy(struct held *h);        /* NULL is fine */
