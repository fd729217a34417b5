/* A simulation that holds a part of its domain against one that holds all: the same bits in every
 * field, the ledger and the reductions, in every variant (tests/emulator), whatever the size of the
 * window, for lava at the edge of the domain, at the sea, without data, that begins anywhere, and
 * resumed in another window. Terrain that is read where lava comes: the memory follows the lava. */
/* tests: common/sim */
/* run: plain, sanitized */
/* build: emulator */
#include "base/memory.h"
#include "effort.h"
#include "random_case.h"
#include "reference/reference.h"
#include "sim/ground.h"
#include "sim/held.h"
#include "unit.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

extern int emulator_processors;
extern long emulator_allocations, emulator_fails_at;
extern uint64_t emulator_seed;
#define DECLARE(name) extern const struct variant variant_##name;
SCIARA_VARIANTS(DECLARE) /* the Makefile's list: each(global) each(tiled) ... */

static const struct held_rule all_of_it = {.whole = SIZE_MAX, .least = 1, .most = 1};
static const struct held_rule rules[] = {{0, 1, 1, 2}, {0, 7, 7, 5}, {0, 2, 1000, 2}};
enum { RULES = sizeof rules / sizeof *rules, ROWS = 45, COLS = 61 };

/* ---- problems -------------------------------------------------------------------------------- */

/* Lava that comes to be everywhere, from two vents far apart. */
static void slope(struct random_case *c, uint64_t seed, double holes)
{
    random_case_create(c, ROWS, COLS, holes, seed);
    c->problem.thickness_m = c->problem.temp_K = NULL;
    c->problem.vent_count = 1 + (int)(seed % 2);
    c->problem.params.cooling = 20;
    c->problem.reduce_every = 7;
    c->problem.last_vent_step = 123;
    for (int v = 0; v < 2; v++) { /* the second in a corner */
        c->vents[v].row = v ? ROWS - 1 : 20 + (int)(seed % 20);
        c->vents[v].col = v ? COLS - 1 : 30 + (int)(seed % 20);
        c->elevation_m[c->vents[v].row * COLS + c->vents[v].col] = 1500;
    }
}

/* Some lava, and more that has solidified, in a small part of the domain. */
static void put_lava(struct random_case *c, double *solid_m)
{
    memset(c->thickness_m, 0, sizeof(double) * ROWS * COLS);
    for (int row = 26; row < 36; row++)
        for (int col = 10; col < 20; col++) {
            const int i = row * COLS + col;
            if (isnan(c->elevation_m[i])) continue;
            c->thickness_m[i] = row > 30 ? 3.0 : 0.0;
            c->temp_K[i] = 1300;
            solid_m[i] = 2.0;
        }
    c->problem.thickness_m = c->thickness_m;
    c->problem.temp_K = c->temp_K;
    c->problem.solid_m = solid_m;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static struct held *begin(const struct variant *v, const struct problem *p,
                          const struct held_rule *rule)
{
    const struct variant_options o = {.threads = 1};
    struct error e = {0};
    struct held *h;
    must(held_create(&h, v, p, &o, rule, &e), &e);
    return h;
}

static void state_of(struct held *h, struct fields *f)
{
    struct error e = {0};
    must(held_snapshot(h, f, &e), &e);
    must(held_wait(h, &e), &e);
}

static void expect_same(struct held *part, struct held *all, const struct variant_status *a,
                        const struct variant_status *b)
{
    struct fields f = {0}, g = {0};
    struct ledger x, y;
    struct error e = {0};
    const char *what = "";
    state_of(part, &f);
    state_of(all, &g);
    const size_t differ = fields_differ(&f, &g, &what);
    if (differ)
        print_message("step %lld: %zu cells differ in %s\n", (long long)g.step, differ, what);
    assert_int_equal(differ, 0);
    assert_true(fields_same_sums(&f, &g));
    must(fields_ledger(&x, &f, &part->problem, &e), &e);
    must(fields_ledger(&y, &g, &all->problem, &e), &e);
    assert_memory_equal(&x, &y, sizeof x);
    assert_true(a->step == b->step && a->stopped == b->stopped && a->mobile == b->mobile);
    fields_free(&f);
    fields_free(&g);
}

static const int pieces[] = {1, 2, 9, 30, 15, 18};
enum { PIECES = sizeof pieces / sizeof *pieces };

/* Returns how many times the window grew. *cells: of the last one. */
static int follow(const struct variant *v, const struct problem *p, const struct held_rule *rule,
                  size_t *cells)
{
    struct held *part = begin(v, p, rule), *all = begin(&variant_reference, p, &all_of_it);
    struct error e = {0};
    int grown = 0;
    assert_int_equal(window_cells(all->problem.window), ROWS * COLS);
    for (int i = 0; i < PIECES; i++) {
        struct variant_status a, b;
        const struct window before = part->problem.window;
        must(held_advance(part, pieces[i], &a, &e), &e);
        must(held_advance(all, pieces[i], &b, &e), &e);
        expect_same(part, all, &a, &b);
        assert_true(window_has(part->problem.window, before));
        grown += !window_equal(part->problem.window, before);
    }
    *cells = window_cells(part->problem.window);
    held_destroy(part);
    held_destroy(all);
    return grown;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void every_size(void **state)
{
    const struct variant *v = *state;
    int grown = 0;
    emulator_processors = 3;
    for (uint64_t seed = 0; seed < SANITIZED(2, (uint64_t)sample(2, 8)); seed++)
        for (int r = (int)seed % 2; r < RULES; r += sample(2, 1)) {
            struct random_case c;
            size_t cells;
            slope(&c, seed, seed % 2 ? 0.01 : 0.0);
            grown += follow(v, &c.problem, &rules[r], &cells);
            random_case_free(&c);
        }
    assert_true(grown > 2);
}

/* A shore, and lava that is there from the beginning or has solidified before. */
static void sea_and_lava(void **state)
{
    const struct variant *v = *state;
    uint8_t *sea = calloc(ROWS * COLS, 1);
    double *solid_m = calloc(ROWS * COLS, sizeof *solid_m);
    struct random_case c;
    size_t cells;
    emulator_processors = 3;
    slope(&c, 2, 0.0);
    put_lava(&c, solid_m);
    for (int row = 0; row < ROWS; row++)
        for (int col = 0; col < COLS; col++)
            if (row + col > 75) {
                c.elevation_m[row * COLS + col] = NAN;
                sea[row * COLS + col] = 1;
            } else c.elevation_m[row * COLS + col] = 2000.0 - 8.0 * (row + col);
    c.problem.sea = sea;
    for (int r = 0; r < RULES; r += SANITIZED(2, 1)) follow(v, &c.problem, &rules[r], &cells);
    struct held *h = begin(v, &c.problem, &rules[0]);
    struct error e = {0};
    struct fields f = {0};
    must(held_advance(h, 100, NULL, &e), &e);
    state_of(h, &f);
    assert_true(f.entered_sea > 0);
    fields_free(&f);
    held_destroy(h);
    free(sea);
    free(solid_m);
    random_case_free(&c);
}

/* A window stays small where lava does, and a small domain is held whole from the beginning. */
static void what_is_held(void **state)
{
    const struct variant *v = *state;
    struct random_case c;
    size_t cells;
    slope(&c, 0, 0.0);
    for (int i = 0; i < ROWS * COLS; i++) /* a pit */
        c.elevation_m[i] = 1000.0 + 20.0 * (abs(i / COLS - 30) + abs(i % COLS - 40));
    c.vents[0].row = 30;
    c.vents[0].col = 40;
    assert_true(follow(v, &c.problem, &rules[0], &cells) > 0);
    assert_true(cells < ROWS * COLS / 2);
    const struct held_rule exactly = {.whole = ROWS * COLS, .least = 1, .most = 1};
    const struct held_rule less = {.whole = ROWS * COLS - 1, .least = 1, .most = 1};
    struct held *h = begin(v, &c.problem, &exactly), *one = begin(v, &c.problem, &less);
    assert_true(window_equal(h->problem.window, (struct window){0, 0, ROWS, COLS}));
    assert_true(window_equal(one->problem.window, (struct window){29, 39, 3, 3}));
    held_destroy(h);
    held_destroy(one);
    c.problem.full_domain = true;
    h = begin(v, &c.problem, &less);
    assert_int_equal(window_cells(h->problem.window), ROWS * COLS);
    held_destroy(h);
    random_case_free(&c);
}

/* Written in one window, read in another, by another variant. */
static void resumed(void **state)
{
    const struct variant *v = *state;
    for (int r = sample(1, 0); r < RULES; r += sample(2, 1)) {
        struct random_case c;
        struct fields f = {0};
        struct variant_status a, b;
        struct error e = {0};
        slope(&c, 10 + (uint64_t)r, 0.01);
        struct held *first = begin(r % 2 ? v : &variant_reference, &c.problem, &rules[r]);
        struct held *all = begin(&variant_reference, &c.problem, &all_of_it);
        must(held_advance(first, 50, NULL, &e), &e);
        must(held_advance(all, 50, NULL, &e), &e);
        state_of(first, &f);
        held_destroy(first);
        struct problem next = c.problem;
        next.from = &f;
        struct held *then = begin(r % 2 ? &variant_reference : v, &next, &rules[(r + 1) % RULES]);
        fields_free(&f);
        must(held_advance(then, 60, &a, &e), &e);
        must(held_advance(all, 60, &b, &e), &e);
        expect_same(then, all, &a, &b);
        held_destroy(then);
        held_destroy(all);
        random_case_free(&c);
    }
}

/* The rule that stops a run, in a window that has just grown. */
static void stops(void **state)
{
    const struct variant *v = *state;
    struct random_case c;
    struct variant_status a, b;
    struct error e = {0};
    slope(&c, 4, 0.0);
    c.problem.params.cooling = 1000;
    c.problem.stop_when_still = true;
    c.problem.stop_mobile_m = 20;
    struct held *part = begin(v, &c.problem, &rules[0]),
                *all = begin(&variant_reference, &c.problem, &all_of_it);
    must(held_advance(part, 1000, &a, &e), &e);
    must(held_advance(all, 1000, &b, &e), &e);
    assert_true(b.stopped && b.step < 1000);
    expect_same(part, all, &a, &b);
    held_destroy(part);
    held_destroy(all);
    random_case_free(&c);
}

/* ---- barriers --------------------------------------------------------------------------------- */

/* Walls, crests and ditches within two cells of the edges of a window, on either side; returns how many. */
static size_t rules_at_edges(struct ground_rule *rule, const struct window *w, const double *z)
{
    size_t count = 0;
    for (int row = 0; row < ROWS; row++)
        for (int col = 0; col < COLS; col++) {
            const int down = row - w->row0, right = col - w->col0;
            const int in_row = int_least(down, w->rows - 1 - down),
                      in_col = int_least(right, w->cols - 1 - right);
            const int inside = int_least(in_row, in_col); /* negative: beyond the window */
            const uint32_t place = (uint32_t)(row * COLS + col);
            if (inside < -2 || inside > 1 || isnan(z[place])) continue;
            rule[count++] = (struct ground_rule){place, place % 3 == 0 ? 3.0 : 0,
                                                 place % 3 == 1 ? z[place] + 1.5 : -INFINITY,
                                                 place % 3 == 2 ? 2.25 : 0};
        }
    return count;
}

/* Built while lava flows; it comes to them later, in windows that grow over them. */
static void barriers(void **state)
{
    const struct variant *v = *state;
    int grown = 0;
    for (int r = sample(1, 0); r < RULES; r += sample(2, 1)) {
        struct random_case c;
        struct ground_rule *rule = malloc(sizeof *rule * ROWS * COLS);
        double *of_part = malloc(sizeof(double) * ROWS * COLS),
               *of_all = malloc(sizeof(double) * ROWS * COLS);
        struct fields f = {0}, g = {0};
        struct variant_status a, b;
        struct error e = {0};
        slope(&c, 20 + 2 * (uint64_t)r, 0.01);
        struct held *part = begin(v, &c.problem, &rules[r]),
                    *all = begin(&variant_reference, &c.problem, &all_of_it);
        must(held_advance(part, 12, NULL, &e), &e);
        must(held_advance(all, 12, NULL, &e), &e);
        state_of(part, &f);
        state_of(all, &g);
        const struct window before = part->problem.window;
        const size_t count = rules_at_edges(rule, &before, c.elevation_m);
        assert_true(count > 20 && window_cells(before) < ROWS * COLS);
        must(ground_reshape(&f, &part->problem, rule, count, of_part, &e), &e);
        must(ground_reshape(&g, &all->problem, rule, count, of_all, &e), &e);
        assert_memory_equal(of_part, of_all, sizeof(double) * ROWS * COLS);
        assert_memory_equal(&f.ground, &g.ground, sizeof f.ground);
        assert_true(f.ground.raised > 0 && f.ground.lowered > 0);
        must(held_restart(part, &f, of_part, &e), &e);
        must(held_restart(all, &g, of_all, &e), &e);
        for (int i = 0; i < 3; i++) {
            must(held_advance(part, 20, &a, &e), &e);
            must(held_advance(all, 20, &b, &e), &e);
            expect_same(part, all, &a, &b);
        }
        grown += !window_equal(part->problem.window, before);
        held_destroy(part);
        held_destroy(all);
        fields_free(&f);
        fields_free(&g);
        random_case_free(&c);
        free(of_part);
        free(of_all);
        free(rule);
    }
    assert_true(grown > 0);
}

/* ---- terrain that is read where lava comes --------------------------------------------------- */

struct read_terrain {
    double *elevation_m; /* of the problem; cells that were not read are far below all others */
    const double *all_m;
    int cols;
    struct window read;
    bool fails;
    pthread_mutex_t lock;
    pthread_t owner;
    int ahead; /* windows that another thread has read */
};

static int read_window(void *self, struct window w, struct error *e)
{
    struct read_terrain *t = self;
    if (t->fails) return error_input(e, "dem.tif: a tile is damaged");
    pthread_mutex_lock(&t->lock);
    t->ahead += !pthread_equal(pthread_self(), t->owner);
    for (int row = w.row0; row < w.row0 + w.rows; row++)
        for (int col = w.col0; col < w.col0 + w.cols; col++)
            t->elevation_m[row * t->cols + col] = t->all_m[row * t->cols + col];
    t->read = window_of_both(t->read, w);
    pthread_mutex_unlock(&t->lock);
    return 0;
}

static void reads_terrain(void **state)
{
    const struct variant *v = *state;
    struct random_case c;
    struct error e = {0};
    slope(&c, 6, 0.01);
    double *partly = malloc(sizeof(double) * ROWS * COLS);
    for (int i = 0; i < ROWS * COLS; i++) partly[i] = -4000;
    struct read_terrain t = {.elevation_m = partly,
                             .all_m = c.elevation_m,
                             .cols = COLS,
                             .lock = PTHREAD_MUTEX_INITIALIZER,
                             .owner = pthread_self()};
    const struct terrain_source source = {read_window, &t};
    struct problem p = c.problem;
    p.elevation_m = partly;
    p.terrain = &source;
    struct held *part = begin(v, &p, &rules[1]),
                *all = begin(&variant_reference, &c.problem, &all_of_it);
    assert_true(window_cells(t.read) < ROWS * COLS);
    struct variant_status a, b;
    must(held_advance(part, 60, &a, &e), &e);
    must(held_advance(all, 60, &b, &e), &e);
    expect_same(part, all, &a, &b);
    const struct window held = part->problem.window;
    held_destroy(part);
    assert_true(window_has(t.read, held));
    assert_true((v->widen != NULL) == (t.ahead > 0));

    for (int i = 0; i < ROWS * COLS; i++) partly[i] = -4000;
    part = begin(v, &p, &rules[1]);
    t.fails = true;
    assert_int_equal(held_advance(part, 60, &a, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "dem.tif: a tile is damaged"));
    held_destroy(part);
    held_destroy(all);
    free(partly);
    random_case_free(&c);
}

/* ---- blocks of the reference ----------------------------------------------------------------- */

enum { WIDE_ROWS = 260, WIDE_COLS = 1400 };

/* Lava that runs over several blocks to the east, and some that lies there; terrain that was not read is a pit. */
static void wide_slope(struct random_case *c, struct read_terrain *t, uint64_t seed)
{
    random_case_create(c, WIDE_ROWS, WIDE_COLS, 0.001, seed);
    memset(c->thickness_m, 0, sizeof(double) * WIDE_ROWS * WIDE_COLS);
    t->elevation_m = malloc(sizeof(double) * WIDE_ROWS * WIDE_COLS);
    for (int i = 0; i < WIDE_ROWS * WIDE_COLS; i++) {
        const int row = i / WIDE_COLS, col = i % WIDE_COLS;
        const double height = 5000 - 3 * col + 0.2 * abs(row - 130) + (i % 13 * 7919 % 13) / 13.0;
        if (!isnan(c->elevation_m[i])) c->elevation_m[i] = lattice_round(height);
        t->elevation_m[i] = -4000;
        if (row > 190 && row < 194 && col > 1000 && col < 1030 && !isnan(c->elevation_m[i]))
            c->thickness_m[i] = 2;
    }
    c->problem.vent_count = 2;
    c->problem.last_vent_step = 123;
    c->problem.reduce_every = 7;
    for (int v = 0; v < 2; v++) {
        c->vents[v].row = v ? 63 : 129 + (int)seed;
        c->vents[v].col = v ? 511 : 400 + 37 * (int)seed;
        c->elevation_m[c->vents[v].row * WIDE_COLS + c->vents[v].col] = 4500;
    }
    t->all_m = c->elevation_m;
    t->cols = WIDE_COLS;
}

static size_t blocks_with_lava(const struct held *h, size_t *all)
{
    const struct reference *m = h->self;
    size_t count = 0;
    *all = (size_t)((m->g.rows - 1) / FIELDS_BLOCK_ROWS + 1) * (size_t)m->words;
    assert_non_null(m->there);
    for (size_t i = 0; i < *all; i++) count += m->there[i];
    return count;
}

/* Against all of the domain, with all of its terrain; then from a state that lacks blocks. */
static void blocks(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < (uint64_t)sample(2, 6); seed++) {
        struct random_case c;
        struct read_terrain t = {.lock = PTHREAD_MUTEX_INITIALIZER};
        struct variant_status a, b;
        struct error e = {0};
        struct fields f = {0};
        size_t most, first = 0;
        wide_slope(&c, &t, seed);
        const struct terrain_source source = {read_window, &t};
        struct problem p = c.problem, next;
        p.elevation_m = t.elevation_m;
        p.terrain = &source;
        struct held *all = begin(&variant_reference, &c.problem, &all_of_it),
                    *part =
                        begin(&variant_reference, &p,
                              seed % 2 ? &all_of_it : &(struct held_rule){.least = 30, .most = 90});
        assert_true((first = blocks_with_lava(part, &most)) < most);
        for (int i = 0; i < SANITIZED(2, 4); i++) {
            must(held_advance(part, 77 + i, &a, &e), &e);
            must(held_advance(all, 77 + i, &b, &e), &e);
            expect_same(part, all, &a, &b);
        }
        if (seed % 2) assert_true(blocks_with_lava(part, &most) > first);
        assert_true(held_memory(part) < held_memory(all));
        state_of(part, &f);
        assert_non_null(f.there);
        assert_true(fields_digest(&f, WIDE_ROWS, WIDE_COLS) != 0);
        held_destroy(part);
        next = p;
        next.from = &f;
        part = begin(&variant_reference, &next, &(struct held_rule){.least = 11, .most = 500});
        fields_free(&f);
        must(held_advance(part, 50, &a, &e), &e);
        must(held_advance(all, 50, &b, &e), &e);
        expect_same(part, all, &a, &b);
        held_destroy(part);
        held_destroy(all);
        free(t.elevation_m);
        random_case_free(&c);
    }
}

/* Lava on the diagonal of a large domain, in a valley. */
enum { LARGE = 4000, TILE = 128, TILES = LARGE / TILE + 1 };

static double valley_m(int row, int col)
{
    return lattice_round(3000 + 0.5 * abs(row - col) - 0.1 * row);
}

static int read_valley(void *self, struct window w, struct error *e)
{
    double *elevation_m = self;
    (void)e;
    for (int row = w.row0; row < w.row0 + w.rows; row++)
        for (int col = w.col0; col < w.col0 + w.cols; col++)
            elevation_m[(size_t)row * LARGE + (size_t)col] = valley_m(row, col);
    return 0;
}

static double resident_bytes(void)
{
    long all, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld %ld", &all, &resident), 2);
    fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

/* Cells of tiles that have lava or are next to one that has. */
static double cells_near(const struct fields *f)
{
    static bool near[TILES + 2][TILES + 2];
    double tiles = 0;
    FIELDS_EACH (f, row, i) {
        if (f->arrival[i] == ARRIVAL_NEVER) continue;
        const int r = (f->window.row0 + row) / TILE,
                  c = (f->window.col0 + (int)(i % (size_t)f->window.cols)) / TILE;
        for (int k = 0; k < 9; k++) near[r + k / 3][c + k % 3] = true;
    }
    for (int r = 1; r <= TILES; r++)
        for (int c = 1; c <= TILES; c++) tiles += near[r][c];
    return tiles * TILE * TILE;
}

static void thin_diagonal(void **state)
{
    (void)state;
    const size_t bytes = sizeof(double) * LARGE * LARGE;
    const double cell_bytes = (double)variant_reference.bytes_per_cell + sizeof(double);
    double *elevation_m = memory_reserve(bytes), *thickness_m = memory_reserve(bytes),
           *temp_K = memory_reserve(bytes);
    const struct terrain_source source = {read_valley, elevation_m};
    struct problem p = {.rows = LARGE,
                        .cols = LARGE,
                        .params = etna_params(),
                        .terrain = &source,
                        .elevation_m = elevation_m,
                        .thickness_m = thickness_m,
                        .temp_K = temp_K,
                        .reduce_every = 10};
    struct error e = {0};
    struct fields f = {0};
    struct ledger ledger;
    for (int i = 0; i < LARGE; i++) {
        thickness_m[(size_t)i * LARGE + (size_t)i] = 10;
        temp_K[(size_t)i * LARGE + (size_t)i] = 1350;
    }
    const double before = resident_bytes();
    struct held *h = begin(&variant_reference, &p, held_usual(&variant_reference));
    must(held_advance(h, SANITIZED(12, 60), NULL, &e), &e);
    const double took = resident_bytes() - before;
    state_of(h, &f);
    const double near = cells_near(&f), with_state = resident_bytes() - before;
    print_message(
        "%.0f cells of tiles with lava and next to them; %.0f MiB, with a state %.0f MiB\n", near,
        took / 1048576, with_state / 1048576);
    assert_true((double)window_cells(f.window) >
                4 * near); /* or any memory would be little enough */
    if (SANITIZED(0, 1)) assert_true(took < 3 * near * cell_bytes);
    if (SANITIZED(0, 1)) assert_true(with_state - took < 3 * near * FIELDS_CELL_BYTES);
    must(fields_ledger(&ledger, &f, &h->problem, &e), &e);
    assert_true(ledger.initial == (quanta)LARGE * 10 << 36 && fields_mobile(&f, NULL) > 0);
    fields_free(&f);
    held_destroy(h);
    memory_release(elevation_m, bytes);
    memory_release(thickness_m, bytes);
    memory_release(temp_K, bytes);
}

/* ---- growing on a device --------------------------------------------------------------------- */

static struct {
    const struct variant *variant;
    bool fails;
    int created, widened, refused;
} growing;

static int count_create(void **self, const struct problem *p, const struct variant_options *o,
                        struct error *e)
{
    growing.created++;
    return growing.variant->create(self, p, o, e);
}

/* Each time another allocation fails, if there are so many. */
static int count_widen(void *self, struct window before, struct error *e)
{
    if (growing.fails)
        emulator_fails_at = emulator_allocations + 1 + (growing.widened + growing.refused) * 7 % 41;
    const int status = growing.variant->widen(self, before, e);
    emulator_fails_at = 0;
    growing.widened += status == 0;
    growing.refused += status != 0;
    return status;
}

/* Without beginning anew; and without memory for both windows, as it was before. */
static void widens(void **state)
{
    const struct variant *v = *state;
    struct variant counted = *v;
    counted.create = count_create;
    counted.widen = count_widen;
    emulator_processors = 3;
    for (int fails = 0; fails < 2; fails++) {
        struct random_case c;
        size_t cells;
        memset(&growing, 0, sizeof growing);
        growing.variant = v;
        growing.fails = fails;
        slope(&c, 30, 0.01);
        c.problem.vent_count = 1;
        for (int i = 0; i < ROWS * COLS; i++) c.temp_K[i] = 1000 + i % 7; /* of no lava */
        c.problem.temp_K = c.temp_K;
        assert_true(follow(&counted, &c.problem, &rules[0], &cells) > 2);
        assert_true(cells > 200);
        assert_int_equal(growing.created, 1 + growing.refused);
        assert_true(fails ? growing.refused > 5 : growing.widened > 5 && growing.refused == 0);
        random_case_free(&c);
    }
}

/* ---- no memory for a wider window ------------------------------------------------------------ */

static const struct variant *poor;
static size_t most_cells;

static int create_if_small(void **self, const struct problem *p, const struct variant_options *o,
                           struct error *e)
{
    if (window_cells(p->window) > most_cells) return error_input(e, "1 GiB is free");
    return poor->create(self, p, o, e);
}

static int never_widen(void *self, struct window before, struct error *e)
{
    (void)self;
    (void)before;
    return error_input(e, "1 GiB is free");
}

/* The error says so, and the state before it is there, to be saved. */
static void no_memory(void **state)
{
    const struct variant *v = *state;
    struct random_case c;
    struct error e = {0};
    struct fields f = {0};
    struct variant small = *v;
    slope(&c, 0, 0.0);
    poor = v;
    small.create = create_if_small;
    small.widen = v->widen ? never_widen : NULL;
    most_cells = 15 * 15;
    struct held *part = begin(&small, &c.problem, &rules[1]), *all;
    const struct window before = part->problem.window;
    assert_int_equal(held_advance(part, 100, NULL, &e), ERROR_INPUT);
    most_cells = SIZE_MAX;
    assert_non_null(strstr(
        e.text,
        ": lava needs a larger part of the domain, which cannot be computed: 1 GiB is free"));
    assert_true(part->now.step > 0 && part->now.step < 100);
    assert_true(window_equal(part->problem.window, before));
    state_of(part, &f);
    assert_int_equal(f.step, part->now.step);
    all = begin(&variant_reference, &c.problem, &all_of_it);
    struct variant_status a, b;
    must(held_advance(part, 20, &a, &e), &e); /* now there is memory */
    must(held_advance(all, f.step + 20, &b, &e), &e);
    expect_same(part, all, &a, &b);
    fields_free(&f);
    held_destroy(part);
    held_destroy(all);
    random_case_free(&c);
}

#define OF_VARIANT(name)                                                                           \
    {"every size: " #name, every_size, NULL, NULL, (void *)&variant_##name},                       \
        {"sea and lava: " #name, sea_and_lava, NULL, NULL, (void *)&variant_##name},               \
        {"what is held: " #name, what_is_held, NULL, NULL, (void *)&variant_##name},               \
        {"resumed: " #name, resumed, NULL, NULL, (void *)&variant_##name},                         \
        {"barriers: " #name, barriers, NULL, NULL, (void *)&variant_##name},                       \
        {"stops: " #name, stops, NULL, NULL, (void *)&variant_##name},                             \
        {"reads terrain: " #name, reads_terrain, NULL, NULL, (void *)&variant_##name},             \
        {"no memory: " #name, no_memory, NULL, NULL, (void *)&variant_##name},

#define ON_DEVICE(name) {"widens: " #name, widens, NULL, NULL, (void *)&variant_##name},

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks), cmocka_unit_test(thin_diagonal),
                                       OF_VARIANT(reference) SCIARA_VARIANTS(OF_VARIANT)
                                           SCIARA_VARIANTS(ON_DEVICE)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
