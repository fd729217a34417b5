/* Tiles of a domain: each is filled once, whatever windows threads ask for, and is there when they go on. */
/* tests: common/sim */
#include "sim/tile_map.h"

#include "unit.h"

enum { ROWS = 61, COLS = 47, SIDE = 8 };

/* How often each cell was filled. */
struct filled {
    int count[ROWS][COLS];
    int calls, fails_from; /* calls from that one on fail; 0: none */
};

static int fill(void *self, struct window w, struct error *e)
{
    struct filled *f = self;
    if (f->fails_from && ++f->calls >= f->fails_from) return error_input(e, "cannot be read");
    for (int row = w.row0; row < w.row0 + w.rows; row++)
        for (int col = w.col0; col < w.col0 + w.cols; col++) f->count[row][col]++;
    return 0;
}

static struct window any_window(unsigned *seed)
{
    struct window w = {.row0 = rand_r(seed) % ROWS, .col0 = rand_r(seed) % COLS};
    w.rows = 1 + rand_r(seed) % (ROWS - w.row0);
    w.cols = 1 + rand_r(seed) % (COLS - w.col0);
    return w;
}

static bool all_filled(struct filled *f, struct window w, int times)
{
    for (int row = w.row0; row < w.row0 + w.rows; row++)
        for (int col = w.col0; col < w.col0 + w.cols; col++)
            if (f->count[row][col] != times) return false;
    return true;
}

static void each_once_by_many_threads(void **state)
{
    struct filled f = {0}, there = {0};
    struct tile_map m;
    int wrong = 0, cells = 0;
    assert_true(tile_map_create(&m, ROWS, COLS, SIDE));
#pragma omp parallel for num_threads(4) schedule(dynamic) reduction(+ : wrong)
    for (int i = 0; i < 40; i++) {
        unsigned seed = (unsigned)i;
        struct window w = any_window(&seed);
        if (i < 20) w.rows = w.rows % 5 + 1, w.cols = w.cols % 5 + 1;
        if (w.rows > ROWS - w.row0) w.rows = ROWS - w.row0;
        if (w.cols > COLS - w.col0) w.cols = COLS - w.col0;
        wrong += tile_map_need(&m, w, fill, &f, NULL) != 0 || !all_filled(&f, w, 1);
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(tile_map_each(&m, fill, &there, NULL), 0);
    assert_memory_equal(&there, &f, sizeof f);
    for (int i = 0; i < ROWS * COLS; i++) cells += f.count[i / COLS][i % COLS];
    assert_true(cells > ROWS * COLS / 2);
    tile_map_free(&m);
}

static void only_what_is_needed(void **state)
{
    struct filled f = {0};
    struct tile_map m;
    assert_true(tile_map_create(&m, ROWS, COLS, SIDE));
    assert_int_equal(tile_map_need(&m, (struct window){9, 17, 2, 1}, fill, &f, NULL), 0);
    assert_true(all_filled(&f, (struct window){8, 16, 8, 8}, 1));
    for (int row = 0; row < ROWS; row++)
        for (int col = 0; col < COLS; col++)
            assert_int_equal(f.count[row][col], row / SIDE == 1 && col / SIDE == 2);
    tile_map_free(&m);
}

/* What could not be filled is asked for again. */
static void an_error_leaves_it_missing(void **state)
{
    const struct window all = {0, 0, ROWS, COLS};
    struct filled f = {.fails_from = 3};
    struct tile_map m;
    struct error e = {0};
    int cells = 0;
    assert_true(tile_map_create(&m, ROWS, COLS, SIDE));
    assert_int_equal(tile_map_need(&m, (struct window){20, 20, 1, 1}, fill, &f, &e), 0);
    assert_int_equal(tile_map_need(&m, all, fill, &f, &e), ERROR_INPUT);
    for (int i = 0; i < ROWS * COLS; i++) cells += f.count[i / COLS][i % COLS];
    assert_true(cells > SIDE * SIDE && cells < ROWS * COLS);
    f.fails_from = 0;
    assert_int_equal(tile_map_need(&m, all, fill, &f, &e), 0);
    assert_true(all_filled(&f, all, 1));
    tile_map_free(&m);
}

int main(void)
{
    return UNIT_RUN(each_once_by_many_threads, only_what_is_needed, an_error_leaves_it_missing);
}
