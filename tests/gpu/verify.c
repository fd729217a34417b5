/* verify.c — on a machine with a GPU: every CUDA variant, lava only and full domain, against the
 * reference, all fields, equal bits. `sciara_verify CASE` for the listed steps of a case and for
 * random cases and a flood that outgrows the chip, for windows that grow with their lava, and for runs
 * that are stopped and go on;
 * `sciara_verify --small [NAME]` runs one small case of one or all variants only, or of the batch
 * engine (NAME batch), for compute-sanitizer. Prints a line per comparison and exits 1 if any
 * differs. */
#include "../random_case.h"
#include "verify_batch.h"
#include "verify_restart.h"

#include "case/case.h"
#include "resident/resident.h"
#include "sim/fields.h"
#include "sim/held.h"
#include "sim/variant.h"

#include <inttypes.h>
#include <stdio.h>

enum { MOST_STOPS = 16 };

struct stops {
    int count;
    int64_t step[MOST_STOPS];
};

struct states {
    struct fields at[MOST_STOPS];
    struct resident_epochs epochs; /* of the run that made them, if it was of `resident` */
};

static int fail(const char *what, const struct error *e)
{
    fprintf(stderr, "verify: %s: %s\n", what, e->text);
    return 1;
}

/* Runs a variant and keeps the state at every stop. */
static int record(const struct variant *v, const struct problem *p, const struct stops *stops,
                  struct states *out, double *ms)
{
    struct error e = {0};
    struct variant_status status = {0};
    void *self = NULL;
    int code = v->create(&self, p, NULL, &e);
    for (int i = 0; !code && i < stops->count; i++) {
        code = v->advance(self, stops->step[i] - status.step, &status, &e);
        if (!code) code = fields_create(&out->at[i], p->window, &e);
        if (!code) code = v->snapshot(self, &out->at[i], &e);
        if (!code) code = v->snapshot_wait(self, &e);
    }
    *ms = status.device_ms;
    if (!code && v == &variant_resident) code = resident_count_epochs(self, &out->epochs, &e);
    v->destroy(self);
    return code ? fail(v->name, &e) : 0;
}

static void drop(struct states *s)
{
    for (int i = 0; i < MOST_STOPS; i++) fields_free(&s->at[i]);
    memset(s, 0, sizeof *s);
}

/* *how: "lava", "full" or "part" of the domain. */
static int compare(const char *what, const struct variant *v, const char *how,
                   const struct stops *stops, const struct states *reference,
                   const struct states *got, double ms)
{
    int wrong = 0;
    for (int i = 0; i < stops->count; i++) {
        const struct fields *a = &reference->at[i], *b = &got->at[i];
        const char *field = "";
        size_t wet, differ = fields_differ(a, b, &field);
        fields_mobile(a, &wet);
        bool same = !differ && fields_same_sums(a, b);
        printf("%-14s %-11s %-5s step %6" PRId64 "  wet %6zu  %016" PRIx64 "  %s%s\n", what,
               v->name, how, a->step, wet, fields_digest(b, a->window.rows, a->window.cols),
               same ? "equal bits" : "DIFFERS in ", same ? "" : field);
        wrong += !same;
    }
    printf("%-14s %-11s %-5s %.3f ms\n", what, v->name, how, ms);
    fflush(stdout);
    return wrong;
}

/* *epochs: those of `resident` with lava only; may be NULL. */
static int verify(const char *what, struct problem *p, const struct stops *stops, const char *only,
                  struct resident_epochs *epochs)
{
    static struct states reference, got;
    double ms;
    int wrong = record(variants[0], p, stops, &reference, &ms);
    for (int i = 1; !wrong && variants[i]; i++) {
        if (only && strcmp(only, variants[i]->name) != 0) continue;
        for (int full = 0; full < 2; full++) {
            p->full_domain = full;
            if (record(variants[i], p, stops, &got, &ms)) wrong++;
            else
                wrong +=
                    compare(what, variants[i], full ? "full" : "lava", stops, &reference, &got, ms);
            if (epochs && !full && variants[i] == &variant_resident) *epochs = got.epochs;
            drop(&got);
        }
        p->full_domain = false;
    }
    drop(&reference);
    return wrong;
}

/* ---- windows that grow with their lava -------------------------------------------------------- */

static const struct variant *growing;
static int growths;

static int count_growths(void *self, struct window before, struct error *e)
{
    const int code = growing->widen(self, before, e);
    growths += code == 0;
    return code;
}

/* The same as record(), in a window with at most `margin` cells around the lava; `least`: how often
 * it has to grow, on the device. */
static int record_part(const struct variant *v, const struct problem *p, int margin, int least,
                       const struct stops *stops, struct states *out, double *ms)
{
    const struct held_rule rule = {.whole = 0, .least = margin, .most = margin};
    struct variant counted = *v;
    struct variant_status status = {.step = p->first_step};
    struct error e = {0};
    struct held *h = NULL;
    counted.widen = count_growths;
    growing = v;
    growths = 0;
    int code = held_create(&h, &counted, p, NULL, &rule, &e);
    for (int i = 0; !code && i < stops->count; i++) {
        code = held_advance(h, stops->step[i] - status.step, &status, &e);
        if (!code) code = held_snapshot(h, &out->at[i], &e);
        if (!code) code = held_wait(h, &e);
    }
    *ms = status.device_ms;
    held_destroy(h);
    if (code) return fail(v->name, &e);
    if (growths >= least) return 0;
    error_failed(&e, "the window grew %d times on the device, not %d", growths, least);
    return fail(v->name, &e);
}

static int verify_growing(const char *what, const struct problem *p, int margin, int least,
                          const struct stops *stops, const char *only)
{
    static struct states reference, got;
    double ms;
    int wrong = record(variants[0], p, stops, &reference, &ms);
    for (int i = 1; !wrong && variants[i]; i++) {
        if (only && strcmp(only, variants[i]->name) != 0) continue;
        if (record_part(variants[i], p, margin, least, stops, &got, &ms)) wrong++;
        else wrong += compare(what, variants[i], "part", stops, &reference, &got, ms);
        drop(&got);
    }
    drop(&reference);
    return wrong;
}

/* Lava from one vent of a random case. */
static int verify_random_growing(int rows, int cols, uint64_t seed, const struct stops *stops,
                                 const char *only)
{
    struct random_case c;
    char what[32];
    random_case_create(&c, rows, cols, 0.01, seed);
    c.problem.thickness_m = c.problem.temp_K = NULL;
    c.problem.vent_count = 1;
    snprintf(what, sizeof what, "growing %d", (int)seed);
    const int wrong = verify_growing(what, &c.problem, 4, 2, stops, only);
    random_case_free(&c);
    return wrong;
}

static int verify_random(int rows, int cols, uint64_t seed, const struct stops *stops,
                         const char *only)
{
    struct random_case c;
    char what[32];
    random_case_create(&c, rows, cols, seed % 2 ? 0.02 : 0.0, seed);
    snprintf(what, sizeof what, "random %d", (int)seed);
    int wrong =
        only && strcmp(only, "batch") == 0 ? 0 : verify(what, &c.problem, stops, only, NULL);
    if (!only || strcmp(only, "batch") == 0)
        wrong += verify_batch(what, &c.problem, stops->step, stops->count);
    random_case_free(&c);
    return wrong;
}

/* Runs that are stopped and go on, in all variants. */
static int verify_random_restarts(int rows, int cols, uint64_t seed, int64_t last)
{
    struct random_case r;
    char what[32];
    random_case_create(&r, rows, cols, seed % 2 ? 0.02 : 0.0, seed);
    struct sim_case c = {.name = "random",
                         .geo = {.west_m = 500000, .south_m = 4170000, .cell_m = 10},
                         .problem = r.problem};
    snprintf(what, sizeof what, "random %d", (int)seed);
    const int wrong = verify_restarts(what, &c, last, seed);
    random_case_free(&r);
    return wrong;
}

/* ---- lava that outgrows the chip ------------------------------------------------------------- */

/* A terrain with little slope and four strong vents far from each other, in corners of tiles. */
static void flood_create(struct random_case *c, int side, double amount_m)
{
    static const int at[4][2] = {{1, 1}, {1, 3}, {3, 1}, {3, 3}}; /* quarters of the side */
    random_case_create(c, side, side, 0.0, 300);
    for (int i = 0; i < side * side; i++)
        c->elevation_m[i] =
            lattice_round(1000.0 + 0.1 * (c->elevation_m[i] - 1000.0) + 0.05 * (i / side));
    c->problem.thickness_m = c->problem.temp_K = NULL;
    c->problem.params.cooling = 2.8;
    c->problem.params.critical_vent_m = 0.3; /* lava that spreads fast */
    c->problem.params.critical_sol_m = 5.0;
    c->problem.last_vent_step = 1000;
    for (int v = 0; v < 4; v++) {
        c->vents[v].row = side / 32 * 8 * at[v][0];
        c->vents[v].col = side / 32 * 8 * at[v][1];
        c->vents[v].interval_count = 1;
        c->amount_m[v][0] = lattice_round(amount_m);
    }
}

/* `resident` has to make its first epochs on the chip and its last ones through memory. */
static int verify_flood(int side, double amount_m, const struct stops *stops, const char *only)
{
    struct random_case c;
    struct resident_epochs epochs = {0, 0};
    flood_create(&c, side, amount_m);
    int wrong = verify("flood", &c.problem, stops, only, &epochs);
    printf("%-14s %-11s %-5s %d epochs on the chip, %d through memory\n", "flood",
           variant_resident.name, "lava", epochs.on_chip, epochs.through_memory);
    wrong += epochs.on_chip == 0 || epochs.through_memory == 0;
    random_case_free(&c);
    return wrong;
}

/* One vent of the flood: the window grows over tiles on the chip, through memory, and to the edge of
 * the domain. */
static int verify_growing_flood(int side, double amount_m, const struct stops *stops)
{
    struct random_case c;
    flood_create(&c, side, amount_m);
    c.problem.vent_count = 1;
    const int wrong = verify_growing("growing flood", &c.problem, 16, 5, stops, NULL);
    random_case_free(&c);
    return wrong;
}

static int verify_small(const struct stops *stops, const char *only)
{
    const int wrong = verify_random(45, 50, 3, stops, only);
    return wrong + verify_random_growing(45, 50, 4, stops, only);
}

int main(int argc, char **argv)
{
    const struct stops small = {3, {1, 26, 60}}, medium = {5, {1, 24, 100, 200, 333}},
                       spread = {8, {8, 40, 56, 57, 64, 80, 200, 333}},
                       etna = {8, {1, 10, 100, 1000, 4000, 8000, 12000, 16000}};
    if (argc >= 2 && strcmp(argv[1], "--small") == 0)
        return verify_small(&small, argc > 2 ? argv[2] : NULL) != 0;
    int wrong = 0;
    static const int size[][2] = {{45, 50}, {16, 16}, {100, 260}, {333, 129}, {64, 64}, {500, 700}};
    for (int i = 0; i < 6; i++)
        wrong += verify_random(size[i][0], size[i][1], 200 + (uint64_t)i, &medium, NULL);
    for (int i = 0; i < 3; i++)
        wrong += verify_random_restarts(size[i][0], size[i][1], 400 + (uint64_t)i, 333);
    wrong += verify_flood(600, 500.0, &spread, NULL);
    for (int i = 2; i < 4; i++)
        wrong += verify_random_growing(size[i][0], size[i][1], 500 + (uint64_t)i, &medium, NULL);
    wrong += verify_growing_flood(600, 500.0, &spread);
    if (argc >= 2) {
        struct sim_case c;
        struct error e = {0};
        if (case_load(&c, argv[1], &e)) return fail(argv[1], &e);
        wrong += verify(c.name, &c.problem, &etna, NULL, NULL);
        wrong += verify_growing(c.name, &c.problem, 20, 5, &etna, NULL);
        wrong += verify_batch(c.name, &c.problem, etna.step, etna.count);
        wrong += verify_restarts(c.name, &c, etna.step[etna.count - 1], 50);
        case_free(&c);
    }
    printf("%s\n", wrong ? "NOT VERIFIED" : "verified: equal bits everywhere");
    return wrong != 0;
}
