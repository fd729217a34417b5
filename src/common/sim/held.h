/* held.h — a simulation that computes only a window of its domain. The first window surrounds the vents and the initial
 * lava. The window grows when lava approaches one of its edges. So time and memory depend on the lava, not on the
 * domain. The bits are the same as in the whole domain, because lava flows at most one cell far in a step.
 *
 * A window grows between two steps, by widen() of the variant (variant.h). If the variant has no widen(), or widen()
 * fails, the state is copied to the host, and the variant begins anew with this state. */
#pragma once

#include "variant.h"

struct held_rule {
    size_t whole;    /* domains of at most this number of cells are computed whole */
    int least, most; /* limits of the margin, in cells, between lava and the edges of a new window;
                        least >= 1. Within these limits the margin is half the length of the lava
                        in the same direction */
    int part; /* the window grows when less than 1/part of its margin is left; 0: part is 2 */
};
/* The usual rule. Domains of up to 2^20 cells are computed whole. Margins are 256 to 1024 cells, or 160 for a variant
 * with widen(). The window of such a variant grows at little cost, so it grows late: when a fifth of the margin is
 * left. */
const struct held_rule *held_usual(const struct variant *v);

/* Code outside held.c reads only problem and self. */
struct held {
    const struct variant *variant;
    struct variant_options machine;
    struct held_rule rule;
    struct problem problem; /* the problem in the present window */
    void *self;             /* the variant's simulation; NULL: it ended with an error */
    int64_t room;           /* steps for which all lava surely stays in the window */
    bool moved, anew; /* moved: steps were made. anew: no reduction since the variant began anew */
    struct held_ahead *ahead; /* terrain that a thread is reading; NULL: none */
    /* Called before the window grows to w, so that the owner can store the terrain that lava may reach. After an error
     * the simulation is as before. NULL: no call. */
    int (*keep)(void *of, struct window w, struct error *e);
    void *keep_of;
    struct variant_status now;
    double ms_before; /* device_ms of earlier windows */
};

/* Begins the simulation of *p in the window that the rule gives; p->window has no meaning. With
 * p->full_domain, or with a variant without reach(), the window is the whole domain. Missing
 * terrain of the window is read. The caller keeps alive what *p points to, except p->from, which is
 * not used after the call. p->from may have any window. On an error *out is NULL. */
int held_create(struct held **out, const struct variant *v, const struct problem *p,
                const struct variant_options *o, const struct held_rule *rule, struct error *e);

/* Calls the variant's advance(). Returns an error if there is no memory for a wider window. The simulation then stays
 * in the state after step h->now.step, and this state can be saved. */
int held_advance(struct held *h, int64_t steps, struct variant_status *status, struct error *e);

/* Allocates *f for a snapshot of the present window. */
int held_room(const struct held *h, struct fields *f, struct error *e);

/* Calls the variant's snapshot(). *f may be all zero; it is allocated anew if it has another
 * window. *f is complete after held_wait(). If the window grows before held_wait(), held_advance()
 * waits for the snapshot. */
int held_snapshot(struct held *h, struct fields *f, struct error *e);
int held_wait(struct held *h, struct error *e);

/* Continues on changed terrain. *f is the state of the present step; elevation_m is the new terrain of the whole
 * domain. */
int held_restart(struct held *h, const struct fields *f, const double *elevation_m,
                 struct error *e);

size_t held_memory(const struct held *h); /* memory() of the variant */
void held_destroy(struct held *h);        /* NULL is fine */
