/* Terrain that is read in tiles: every window of every array is what the case has that was read whole; errors of a
 * tile come when it is read. */
/* tests: input/case */
#include "case/barriers.h"
#include "case/case_tiles.h"
#include "case/changes.h"
#include "raster/geotiff.h"
#include "restart/restart.h"

#include "case_checks.h"
#include "folder.h"
#include "raster_checks.h"

enum { ROWS = 45, COLS = 61, NONE = -9999 };

static double hill(int row, int col)
{
    return row % 9 == 4 && col % 13 == 5 ? NONE : 3300 - 40 * row - 30 * col + (row * col) % 7;
}
static double thin(int row, int col)
{
    return row >= 8 && row < 20 && col > 30 && (row + col) % 3 && hill(row, col) > 800 ? 1.5 + row
                                                                                       : 0;
}
static double hot(int row, int col)
{
    return 1200 + (row + col) % 90;
}
static double old(int row, int col)
{
    return row == 22 && hill(row, col) > 800 ? 0.25 * (col % 4) : 0;
}
static double surveyed(int row, int col)
{
    return (row + col) % 5 ? hill(row, col) : hill(row, col) < -1000 ? 500 : NONE;
}

struct made {
    double (*value)(int row, int col);
    double times;
};

static void fill_row(const void *context, int row, float *out)
{
    const struct made *m = context;
    for (int col = 0; col < COLS; col++) {
        const double v = m->value(row, col);
        out[col] = (float)(v == NONE ? NONE : v * m->times);
    }
}

static void put_layer(const char *name, double (*value)(int, int), double times, const char *unit)
{
    const struct made m = {value, times};
    struct error e = {0};
    struct geotiff_layer l = {.rows = ROWS,
                              .cols = COLS,
                              .geo = {500000, 4000000, 10, {0}},
                              .nodata = NONE,
                              .description = "made",
                              .unit = unit,
                              .row = fill_row,
                              .context = &m};
    if (geotiff_write(scratch_file(&dir, name), &l, &e)) fail_msg("%s", e.text);
}

static const char *put_case(const char *more)
{
    char text[2000];
    put_layer("dem.tif", hill, 3.25, "ft");
    put_layer("h.tif", thin, 1, "m");
    put_layer("t.tif", hot, 1, "K");
    put_layer("s.tif", old, 1, "m");
    put_layer("first.tif", surveyed, 1.01, "m");
    put_layer("later.tif", surveyed, 1.02, "m");
    put_text(&dir, "vents.csv", "vent,row,col\n1,2,3\n2,30,21\n");
    put_text(&dir, "rates.csv", CASE_RATES "2,0,1200,1\n");
    put_text(&dir, "b.csv",
             "barrier,x,y,height_m,depth_m,from\n1,500105,4000205,2.5,,\n1,500225,4000385,2.5,,\n"
             "2,500305,4000305,,3,0.5\n2,500305,4000325,,3,0.5\n3,500225,4000385,7,,\n"
             "3,500105,4000385,7,,\n");
    snprintf(text, sizeof text, "dem dem.tif\nvents vents.csv\nrates rates.csv\n%s%s",
             CASE_PARAMETERS, more);
    put_text(&dir, "case.cfg", text);
    return scratch_file(&dir, "case.cfg");
}

static void same(const double *a, const double *b, struct window w, const char *what)
{
    assert_int_equal(!a, !b);
    for (int row = w.row0; a && row < w.row0 + w.rows; row++)
        for (int col = w.col0; col < w.col0 + w.cols; col++)
            if (!same_bits(a[row * COLS + col], b[row * COLS + col]))
                fail_msg("%s at %d, %d: %.17g, not %.17g", what, row, col, a[row * COLS + col],
                         b[row * COLS + col]);
}

static void same_case(const struct sim_case *a, const struct sim_case *b, struct window w)
{
    same(a->elevation_m, b->elevation_m, w, "elevation");
    same(a->thickness_m, b->thickness_m, w, "thickness");
    same(a->temp_K, b->temp_K, w, "temperature");
    same(a->solid_m, b->solid_m, w, "solidified");
    assert_int_equal(!a->sea, !b->sea);
    for (int row = w.row0; a->sea && row < w.row0 + w.rows; row++)
        assert_memory_equal(a->sea + row * COLS + w.col0, b->sea + row * COLS + w.col0,
                            (size_t)w.cols);
    assert_int_equal(a->change_count, b->change_count);
    for (int i = 0; i < a->change_count; i++) {
        const struct change *x = &a->change[i], *y = &b->change[i];
        same(x->elevation_m, y->elevation_m, w, "survey");
        assert_int_equal(x->rules, y->rules);
        for (size_t k = 0; k < x->rules; k++)
            assert_true(x->rule[k].place == y->rule[k].place &&
                        x->rule[k].height_m == y->rule[k].height_m &&
                        x->rule[k].depth_m == y->rule[k].depth_m);
    }
    if (a->barriers) same(a->barriers->bare_m, b->barriers->bare_m, w, "bare");
}

static const char everything[] =
    "sea_level 700\nthickness h.tif\ntemperature t.tif\nsolidified s.tif\nbarriers b.csv\n"
    "terrain_update 0 first.tif without_lava\nterrain_update 1 later.tif with_lava\n";

static void test_windows(void **state)
{
    static const char *const more[] = {"", "sea_level 700\nthickness h.tif\n", everything};
    uint64_t seed = 5;
    for (int k = 0; k < 3; k++) {
        const char *path = put_case(more[k]);
        struct sim_case whole;
        load(&whole, path);
        assert_null(whole.problem.terrain);
        if (k == 2) /* all of it is there, and in use */
            assert_true(whole.sea_cells > 50 && whole.change_count == 2 &&
                        whole.barriers->built.raised > 0 && whole.thickness_m[8 * COLS + 32] > 0);
        for (int side = 1; side < 70; side += 11) {
            struct sim_case c;
            struct error e = {0};
            if (case_load_tiled(&c, path, 0, side, &e)) fail_msg("%s", e.text);
            assert_non_null(c.problem.terrain);
            for (int i = 0; i < 5; i++) {
                struct window w = {.row0 = (int)(next(&seed) % ROWS),
                                   .col0 = (int)(next(&seed) % COLS)};
                w.rows = 1 + (int)(next(&seed) % (uint64_t)(ROWS - w.row0));
                w.cols = 1 + (int)(next(&seed) % (uint64_t)(COLS - w.col0));
                if (problem_read_terrain(&c.problem, w, &e)) fail_msg("%s", e.text);
                same_case(&whole, &c, w);
            }
            assert_memory_equal(&whole.problem.vent_count, &c.problem.vent_count, sizeof(int));
            case_free(&c);
        }
        case_free(&whole);
    }
}

/* A strip of 3 x 600 cells with one elevation that no ground has. */
static void put_strip(int bad)
{
    FILE *f = fopen(scratch_file(&dir, "dem.asc"), "wb");
    if (!f) abort();
    fputs("ncols 600\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\n", f);
    for (int i = 0; i < 3 * 600; i++) fputs(i == bad ? "20000 " : "7 ", f);
    fclose(f);
}

/* What is read is checked when it is read: around vents before anything is computed. */
static void test_errors_come_with_their_tile(void **state)
{
    static const char said[] = "dem.asc: the elevation is 20000 m at row 1, column ";
    const char *path = write_case(&dir);
    struct sim_case c;
    struct error e = {0};
    put_text(&dir, "vents.csv", "vent,row,col\n1,2,3\n");
    put_strip(600 + 100);
    assert_int_equal(case_load_tiled(&c, path, 0, 16, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, said));
    put_strip(600 + 550);
    e = (struct error){0};
    if (case_load_tiled(&c, path, 0, 16, &e)) fail_msg("%s", e.text);
    for (int twice = 0; twice < 2; twice++) { /* it stays unread */
        const struct window near = {0, 0, 3, 500}, far = {0, 500, 3, 100};
        assert_int_equal(problem_read_terrain(&c.problem, near, &e), 0);
        assert_true(c.elevation_m[600 + 499] == 7);
        assert_int_equal(problem_read_terrain(&c.problem, far, &e), ERROR_INPUT);
        assert_non_null(strstr(e.text, said));
    }
    case_free(&c);
}

/* (Around vents all is read at once.) */
static const char without_vents[] =
    "dem dem.tif\n" CASE_PARAMETERS "thickness h.tif\ntemperature t.tif\nsolidified s.tif\n"
    "terrain_update 0 first.tif without_lava\nterrain_update 1 later.tif with_lava\n";

/* What a state knows of its case does not depend on what had been read when it was written. */
static void test_identity_of_what_was_read(void **state)
{
    const char *path = put_case("");
    const struct window w = {8, 30, 16, 31};
    struct sim_case whole;
    struct identity of_whole, now;
    struct error e = {0};
    char text[IDENTITY_TEXT];
    put_text(&dir, "case.cfg", without_vents);
    load(&whole, path);
    assert_int_equal(identity_of(&of_whole, &whole, w, &e), 0);
    assert_true(of_whole.changes && of_whole.lava);
    for (int side = 4; side < 40; side += 9)
        for (int i = 0; i < 4; i++) {
            struct sim_case c;
            if (case_load_tiled(&c, path, 0, side, &e)) fail_msg("%s", e.text);
            for (int k = 0; k < i; k++)
                assert_int_equal(
                    problem_read_terrain(&c.problem, (struct window){30 + 4 * k, 9 * k, 5, 9}, &e),
                    0);
            assert_int_equal(identity_of(&now, &c, w, &e), 0);
            identity_differ(&of_whole, &now, text);
            assert_string_equal(text, "");
            case_free(&c);
        }
    case_free(&whole);
}

/* A file that is another one by then gives no tile: it is replaced, written anew, or gone. */
static void test_files_that_change(void **state)
{
    static const char *const files[] = {"dem.tif", "h.tif",     "t.tif",
                                        "s.tif",   "first.tif", "later.tif"};
    const struct window far = {0, 0, ROWS, COLS};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (int how = 0; how < 3; how++) {
            const char *path = put_case("");
            char file[512], said[600];
            struct sim_case c;
            struct error e = {0};
            put_text(&dir, "case.cfg", without_vents);
            snprintf(file, sizeof file, "%s", scratch_file(&dir, files[i]));
            if (case_load_tiled(&c, path, 0, 4, &e)) fail_msg("%s", e.text);
            if (how == 0) {
                put_layer("other.tif", hill, 3, "ft");
                assert_int_equal(rename(scratch_file(&dir, "other.tif"), file), 0);
            } else if (how == 1) put_layer(files[i], hill, 3, "ft");
            else assert_int_equal(remove(file), 0);
            snprintf(said, sizeof said, "/%s: %s", files[i],
                     how == 2 ? "is gone since the run began: "
                              : "has changed since the run began");
            if (!strcmp(files[i], "h.tif")) { /* is read by now, all of it */
                if (problem_read_terrain(&c.problem, far, &e)) fail_msg("%s", e.text);
            } else {
                const int status = problem_read_terrain(&c.problem, far, &e);
                if (status != ERROR_FAILED || !strstr(e.text, said))
                    fail_msg("%s, %d: %d '%s'", files[i], how, status, e.text);
            }
            case_free(&c);
        }
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, test_windows,
                       test_errors_come_with_their_tile, test_identity_of_what_was_read,
                       test_files_that_change);
}
