/* Outlines. Their cells, their area beyond the grid and the window around them, against loops over cells. The distance of
 * two outlines: the transform against all pairs of cells, squares whose distance is known, and what is no outline. */
/* tests: output/compare */
#include "compare/outline.h"
#include "folder.h"
#include "unit.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <time.h>

enum { SIDE = 40, CELLS = SIDE * SIDE };

static uint32_t next_random(uint32_t *x)
{
    *x = *x * 1664525u + 1013904223u;
    return *x >> 16;
}

static int64_t nearest(const unsigned char *mark, int rows, int cols, int row, int col)
{
    int64_t least = DISTANCE_NONE;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            const int64_t d = (int64_t)(r - row) * (r - row) + (int64_t)(c - col) * (c - col);
            if (mark[r * cols + c] && d < least) least = d;
        }
    return least;
}

/* Grids of all shapes, from no mark to many. */
static void the_transform_is_that_of_all_pairs(void **state)
{
    uint32_t random = 3;
    struct error e;
    int none = 0, far = 0;
    for (int round = 0; round < 300; round++) {
        unsigned char mark[CELLS];
        int64_t squared[CELLS];
        const int rows = 1 + (int)(next_random(&random) % SIDE),
                  cols = 1 + (int)(next_random(&random) % SIDE);
        const uint32_t rare = 1u << (next_random(&random) % 12);
        for (int i = 0; i < rows * cols; i++) mark[i] = next_random(&random) % rare == 0;
        assert_int_equal(distance_transform(squared, mark, rows, cols, &e), 0);
        for (int i = 0; i < rows * cols; i++) {
            assert_true(squared[i] == nearest(mark, rows, cols, i / cols, i % cols));
            none += squared[i] == DISTANCE_NONE;
            far += squared[i] != DISTANCE_NONE && squared[i] > 100;
        }
    }
    assert_true(none > 100 && far > 1000);
}

/* Whether a neighbour on one of the four sides is outside; what is not known, and what lies beyond the grid, is not. */
static bool is_on_outline(const unsigned char *cell, int rows, int cols, int i, int of)
{
    bool on = false;
    for (int k = 0; k < 4; k++) {
        const int row = i / cols + (k == 0) - (k == 1), col = i % cols + (k == 2) - (k == 3);
        if (row < 0 || col < 0 || row >= rows || col >= cols) continue;
        on = on || !(cell[row * cols + col] & (of | DISTANCE_UNKNOWN));
    }
    return on && cell[i] & of;
}

/* Outlines of any cells: the mean of all distances, and the least that at least 95 of 100 cells of either keep. */
static void outlines_of_any_cells(void **state)
{
    static const int side[] = {DISTANCE_A, DISTANCE_B};
    uint32_t random = 5;
    struct error e;
    int larger[2] = {0};
    for (int round = 0; round < 200; round++) {
        unsigned char cell[CELLS], on[2][CELLS];
        const int rows = 1 + (int)(next_random(&random) % 12),
                  cols = 1 + (int)(next_random(&random) % 12);
        double sum = 0, kept[2] = {0};
        int count[2] = {0};
        struct outline_distance d;
        for (int i = 0; i < rows * cols; i++) {
            const uint32_t dice = next_random(&random) % 32;
            const int often = side[round % 2], rare = side[1 - round % 2];
            cell[i] = (unsigned char)(dice < 3    ? DISTANCE_UNKNOWN
                                      : dice < 12 ? often
                                      : dice < 16 ? 3
                                                  : 0);
            if (i / cols > rows / 2 && dice >= 28) cell[i] = (unsigned char)rare;
        }
        for (int i = 0; i < rows * cols; i++)
            for (int k = 0; k < 2; k++)
                count[k] += on[k][i] = is_on_outline(cell, rows, cols, i, side[k]);
        assert_int_equal(outline_distance(&d, cell, rows, cols, 10, &e), 0);
        if (!count[0] || !count[1]) {
            assert_true(count[0] || count[1] ? isinf(d.mean_m) && isinf(d.p95_m) : d.mean_m == 0);
            continue;
        }
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < rows * cols; i++) {
                int nearer = 0;
                const int64_t here = nearest(on[!k], rows, cols, i / cols, i % cols);
                if (!on[k][i]) continue;
                sum += 10 * sqrt((double)here);
                for (int j = 0; j < rows * cols; j++)
                    nearer += on[k][j] && nearest(on[!k], rows, cols, j / cols, j % cols) < here;
                if (100 * nearer < 95 * count[k]) kept[k] = fmax(kept[k], 10 * sqrt((double)here));
            }
        assert_true(fabs(d.mean_m - sum / (count[0] + count[1])) < 1e-9);
        assert_true(d.p95_m == fmax(kept[0], kept[1]));
        for (int k = 0; k < 2; k++) larger[k] += kept[k] > kept[!k];
    }
    assert_true(larger[0] > 20 && larger[1] > 20);
}

static void put_square(unsigned char *cell, int row, int col, int rows, int cols, int of)
{
    for (int r = row; r < row + rows; r++)
        for (int c = col; c < col + cols; c++) cell[r * SIDE + c] |= (unsigned char)of;
}

static struct outline_distance distance_of(const unsigned char *cell)
{
    struct outline_distance d;
    struct error e;
    assert_int_equal(outline_distance(&d, cell, SIDE, SIDE, 10, &e), 0);
    return d;
}

/* A square of 8 cells that is shifted by 1 to 4: the two sides across are that far off, and of the
 * two along what sticks out, cell by cell. */
static void a_shifted_square_is_as_far_as_it_was_shifted(void **state)
{
    for (int by = 0; by <= 4; by++) {
        unsigned char cell[CELLS] = {0};
        put_square(cell, 10, 10, 8, 8, DISTANCE_A);
        put_square(cell, 10, 10 + by, 8, 8, DISTANCE_B);
        const struct outline_distance d = distance_of(cell);
        assert_true(d.p95_m == 10 * by);
        double sum = 0; /* of the 28 cells of one outline: that of the other is its mirror image */
        for (int row = 0; row < 8; row++)
            for (int col = 0; col < 8; col++) {
                if (row > 0 && row < 7 && col > 0 && col < 7) continue;
                double least = INFINITY;
                for (int r = 0; r < 8; r++)
                    for (int c = 0; c < 8; c++)
                        if (r == 0 || r == 7 || c == 0 || c == 7)
                            least = fmin(least, hypot(r - row, c + by - col));
                sum += least;
            }
        assert_true(fabs(d.mean_m - 10 * sum / 28) < 1e-12);
        assert_true(by ? d.mean_m > 0 && d.mean_m < d.p95_m : d.mean_m == 0);
    }
}

/* Far apart, the mean is nearly the shift too. */
static void a_far_line(void **state)
{
    unsigned char cell[CELLS] = {0};
    put_square(cell, 5, 4, 30, 1, DISTANCE_A);
    put_square(cell, 5, 34, 30, 1, DISTANCE_B);
    const struct outline_distance d = distance_of(cell);
    assert_true(d.mean_m == 300 && d.p95_m == 300);
}

/* One cell in a hundred that is far off counts for the mean alone. */
static void a_stray_cell_is_no_outline(void **state)
{
    unsigned char cell[CELLS] = {0};
    put_square(cell, 2, 2, 30, 30, DISTANCE_A | DISTANCE_B);
    assert_true(distance_of(cell).mean_m == 0);
    cell[38 * SIDE + 38] |= DISTANCE_A;
    const struct outline_distance d = distance_of(cell);
    assert_true(d.p95_m == 0 && d.mean_m > 0);
    /* 117 cells on one outline, 116 on the other, and a corner 7 cells off along both axes */
    assert_true(fabs(d.mean_m - 10 * hypot(7, 7) / 233) < 1e-12);
}

static void what_is_not_there_is_nowhere(void **state)
{
    unsigned char cell[CELLS] = {0};
    assert_true(distance_of(cell).mean_m == 0 && distance_of(cell).p95_m == 0);
    put_square(cell, 3, 3, 5, 5, DISTANCE_A);
    assert_true(isinf(distance_of(cell).mean_m) && isinf(distance_of(cell).p95_m));
    memset(cell, DISTANCE_A | DISTANCE_B, sizeof cell); /* beyond the grid nobody has looked */
    assert_true(distance_of(cell).mean_m == 0);
    cell[7] = DISTANCE_A;
    assert_true(isinf(distance_of(cell).mean_m));
}

/* What is not known makes no outline, and does not hide one. */
static void what_is_not_known_is_no_neighbour(void **state)
{
    unsigned char cell[CELLS] = {0};
    put_square(cell, 5, 5, 10, 10, DISTANCE_A);
    put_square(cell, 5, 5, 10, 12, DISTANCE_B);
    const struct outline_distance all = distance_of(cell);
    assert_true(all.p95_m == 20);
    for (int row = 0; row < SIDE; row++)
        for (int col = 15; col < SIDE; col++) cell[row * SIDE + col] = DISTANCE_UNKNOWN;
    assert_true(distance_of(cell).mean_m == 0);
    cell[5 * SIDE + 5] = DISTANCE_A;
    assert_true(distance_of(cell).mean_m > 0);
}

/* ---- rasters and polygons -------------------------------------------------------------------- */

/* A grid, and one with AROUND more cells on each side. Each number of these tests is exact. */
enum { ROWS = 9, COLS = 12, AROUND = 40, DOWN = ROWS + 2 * AROUND, ACROSS = COLS + 2 * AROUND };
static const struct georef GEO = {.west_m = 1000, .south_m = 2000, .cell_m = 10};

/* A rectangle of an outline. */
struct part {
    double west, south, east, north;
};

/* The smallest window with all cells of the grid that overlap a part, and one more cell around; one cell of the grid, if
 * that is outside. */
static struct window slow_window(const struct part *part, int parts)
{
    int row0 = DOWN, col0 = ACROSS, row1 = -DOWN, col1 = -ACROSS;
    for (int i = 0; i < DOWN * ACROSS; i++) {
        const int row = i / ACROSS - AROUND, col = i % ACROSS - AROUND;
        const double north = GEO.south_m + (ROWS - row) * 10.0, west = GEO.west_m + col * 10.0;
        for (int k = 0; k < parts; k++) {
            if (part[k].west >= west + 10 || part[k].east <= west) continue;
            if (part[k].south >= north || part[k].north <= north - 10) continue;
            row0 = row < row0 ? row : row0, row1 = row > row1 ? row : row1;
            col0 = col < col0 ? col : col0, col1 = col > col1 ? col : col1;
        }
    }
    row0 = row0 < 1 ? 0 : row0 > ROWS ? ROWS - 1 : row0 - 1;
    col0 = col0 < 1 ? 0 : col0 > COLS ? COLS - 1 : col0 - 1;
    row1 = row1 + 1 < row0 ? row0 : row1 + 1 > ROWS - 1 ? ROWS - 1 : row1 + 1;
    col1 = col1 + 1 < col0 ? col0 : col1 + 1 > COLS - 1 ? COLS - 1 : col1 + 1;
    return (struct window){row0, col0, row1 - row0 + 1, col1 - col0 + 1};
}

static void expect_window(const char *path, const struct part *part, int parts)
{
    struct error e;
    struct window w;
    const struct window expected = slow_window(part, parts);
    must(outline_window(&w, path, ROWS, COLS, &GEO, &e), &e);
    assert_memory_equal(&w, &expected, sizeof w);
}

/* A raster of some cells above 0 among others that are 0, below 0, or without data. */
static struct georef write_raster(const char *path, const struct georef *geo, int rows, int cols,
                                  const double *value)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fprintf(f, "ncols %d\nnrows %d\nxllcorner %.17g\nyllcorner %.17g\ncellsize %.17g\n", cols, rows,
            geo->west_m, geo->south_m, geo->cell_m);
    fprintf(f, "NODATA_value -9999\n");
    for (int i = 0; i < rows * cols; i++) fprintf(f, "%.17g\n", value[i]);
    assert_int_equal(fclose(f), 0);
    return *geo;
}

/* Rasters of other cells than those of the grid, beside and over its edges. */
static void rasters_on_any_grid(void **state)
{
    static const double values[] = {0, 0, 0, 0, 0, -9999, -2, 0.75, 1, 1};
    const char *path = scratch_file(&dir, "lava.asc");
    uint32_t random = 8;
    int within = 0, without = 0, over = 0;
    for (int round = 0; round < 300; round++) {
        enum { MOST = 12 };
        const int rows = 1 + (int)(next_random(&random) % MOST),
                  cols = 1 + (int)(next_random(&random) % MOST);
        const bool aligned = round % 4 == 0;
        const double cell = aligned ? 10 : 2.5 * (2 + (int)(next_random(&random) % 7));
        const struct georef geo = {
            .west_m = 900 + (int)(next_random(&random) % 22) * 10.0 + (aligned ? 0 : 1.25),
            .south_m = 1900 + (int)(next_random(&random) % 19) * 10.0 + (aligned ? 0 : 3.75),
            .cell_m = cell};
        struct part part[MOST * MOST];
        int parts = 0, count = 0;
        double value[MOST * MOST], beyond = 0, found = NAN;
        unsigned char expected[ROWS * COLS] = {0}, *inside;
        struct error e;
        for (int i = 0; i < rows * cols; i++) value[i] = values[next_random(&random) % 10];
        value[0] = 0; /* or it would be a terrain */
        value[next_random(&random) % (unsigned)(rows * cols)] = 1;
        for (int i = 0; i < rows * cols; i++) {
            const double west = geo.west_m + i % cols * cell,
                         south = geo.south_m + (rows - 1 - i / cols) * cell;
            const double x = west + cell / 2 - GEO.west_m, y = south + cell / 2 - GEO.south_m;
            if (!(value[i] > 0)) continue;
            part[parts++] = (struct part){west, south, west + cell, south + cell};
            if (x < 0 || y < 0 || x >= COLS * 10 || y >= ROWS * 10) beyond += cell * cell;
            for (int at = 0; at < ROWS * COLS; at++) {
                const double centre_x = GEO.west_m + (at % COLS + 0.5) * 10,
                             centre_y = GEO.south_m + (ROWS - at / COLS - 0.5) * 10;
                expected[at] |= centre_x > west && centre_x < west + cell && centre_y > south &&
                                centre_y < south + cell;
            }
        }
        for (int at = 0; at < ROWS * COLS; at++) count += expected[at];
        write_raster(path, &geo, rows, cols, value);
        const int status = outline_read_beyond(&inside, &found, path, ROWS, COLS, &GEO, &e);
        expect_window(path, part, parts);
        if (!count) {
            assert_int_equal(status, ERROR_INPUT);
            assert_non_null(strstr(e.text, "lava.asc: no cell of the grid has its centre"));
            assert_null(inside);
            without++;
            continue;
        }
        must(status, &e);
        assert_memory_equal(inside, expected, sizeof expected);
        assert_true(found == beyond);
        within++;
        over += beyond > 0;
        free(inside);
    }
    assert_true(within > 100 && without > 20 && over > 50);
}

/* Polygons, of which some reach over the edges: those of the grid are those of a larger grid, and the others beyond. */
static void polygons_on_a_larger_grid(void **state)
{
    const struct georef large = {
        .west_m = GEO.west_m - 10 * AROUND, .south_m = GEO.south_m - 10 * AROUND, .cell_m = 10};
    const char *path = scratch_file(&dir, "lava.json");
    uint32_t random = 9;
    int over = 0, within = 0;
    for (int round = 0; round < 150; round++) {
        struct part box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
        char text[900] = "{\"type\":\"FeatureCollection\",\"features\":[";
        unsigned char *inside, *all;
        struct error e;
        double beyond = 0, found = NAN;
        for (int k = 0; k <= round % 3; k++) {
            double x[4], y[4]; /* one corner is on the grid; a rectangle, or any other */
            for (int n = 0; n < 4; n++) {
                const int far = n ? 30 : 0;
                x[n] = 990 - 10 * far + (int)(next_random(&random) % (56 + 8 * far)) * 2.5;
                y[n] = 2010 - 10 * far + (int)(next_random(&random) % (28 + 8 * far)) * 2.5;
                if (round % 2) x[n] = 10 * floor(x[n] / 10), y[n] = 10 * ceil(y[n] / 10);
            }
            if (round % 4 < 2) x[1] = x[0], y[2] = y[1], x[3] = x[2], y[3] = y[0];
            for (int n = 0; n < 4; n++)
                box = (struct part){fmin(box.west, x[n]), fmin(box.south, y[n]),
                                    fmax(box.east, x[n]), fmax(box.north, y[n])};
            snprintf(text + strlen(text), sizeof text - strlen(text),
                     "%s{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":"
                     "\"Polygon\",\"coordinates\":[[[%g,%g],[%g,%g],[%g,%g],[%g,%g],[%g,%g]]]}}",
                     k ? "," : "", x[0], y[0], x[1], y[1], x[2], y[2], x[3], y[3], x[0], y[0]);
        }
        strcat(text, "]}");
        write_text(path, text);
        if (box.west < box.east && box.south < box.north) expect_window(path, &box, 1);
        if (outline_read_beyond(&inside, &found, path, ROWS, COLS, &GEO, &e)) continue;
        must(outline_read(&all, path, DOWN, ACROSS, &large, &e), &e);
        for (int i = 0; i < DOWN * ACROSS; i++) {
            const int row = i / ACROSS - AROUND, col = i % ACROSS - AROUND;
            if (row >= 0 && col >= 0 && row < ROWS && col < COLS)
                assert_int_equal(inside[row * COLS + col], all[i]);
            else beyond += all[i] * 100.0;
        }
        assert_true(found == beyond);
        within++;
        over += beyond > 0;
        free(inside);
        free(all);
    }
    assert_true(within > 80 && over > 50);
    struct window w;
    struct error e;
    write_text(path, "{\"type\":\"Point\",\"coordinates\":[1020,2020]}");
    assert_int_equal(outline_window(&w, path, ROWS, COLS, &GEO, &e), ERROR_INPUT);
    assert_int_equal(outline_window(&w, dir.path, ROWS, COLS, &GEO, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "is not a regular file; give a raster or a vector file"));
}

/* Marks of no data among marks of lava and thicknesses. */
static void marks_of_no_data(void **state)
{
    static const int usual[] = {127, 255, 9999, 32767, 65535};
    const char *path = scratch_file(&dir, "mask.asc");
    for (int n = 0; n < 5; n++)
        for (int off = -1; off < 2; off++)
            for (int kind = 0; kind < 5; kind++)
                for (int marks = 1; marks < 4; marks += 2) {
                    double value[ROWS * COLS] = {0};
                    const double mark = usual[n] + off, next = kind == 0   ? 1
                                                               : kind == 1 ? 1.5
                                                               : kind == 2 ? ceil(mark / 2) - 1
                                                               : kind == 3 ? ceil(mark / 2)
                                                                           : 0;
                    const bool thin = mark <= 255 && next > floor(next),
                               refused = off == 0 && kind < 3 && !thin;
                    unsigned char *inside;
                    char says[200], other[64];
                    struct error e;
                    for (int i = 0; i < marks; i++) value[COLS + i] = mark;
                    value[3] = next;
                    value[4] = fmin(next, 1);
                    write_raster(path, &GEO, ROWS, COLS, value);
                    const int status = outline_read(&inside, path, ROWS, COLS, &GEO, &e);
                    assert_int_equal(status, refused ? ERROR_INPUT : 0);
                    if (!status) assert_true(inside[COLS] && inside[3] == (next > 0) && !inside[5]);
                    free(inside);
                    if (!refused) continue;
                    snprintf(says, sizeof says, "%s: %d cell%s %g and all others are %g or less",
                             path, marks, marks > 1 ? "s are" : " is", mark, next);
                    snprintf(other, sizeof other, " %g ", mark);
                    assert_ptr_equal(strstr(e.text, says), e.text);
                    assert_non_null(strstr(strstr(e.text, "declare it: "), other));
                }
}

/* What is above 0 everywhere is a terrain, if it varies, and all of it is data. */
static void terrain_is_no_outline(void **state)
{
    const char *path = scratch_file(&dir, "dem.asc");
    for (int kind = 0; kind < 5; kind++) {
        double value[ROWS * COLS];
        unsigned char *inside;
        struct error e;
        for (int i = 0; i < ROWS * COLS; i++) value[i] = 700;
        if (kind) value[kind == 1 ? 0 : ROWS * COLS - 1] = kind < 3 ? 701 : kind == 3 ? -9999 : 0;
        if (kind > 2) value[5] = 702;
        write_raster(path, &GEO, ROWS, COLS, value);
        const int status = outline_read(&inside, path, ROWS, COLS, &GEO, &e);
        assert_int_equal(status, kind == 1 || kind == 2 ? ERROR_INPUT : 0);
        if (status) assert_non_null(strstr(e.text, "dem.asc: is above 0 in every cell"));
        free(inside);
    }
    double huge[ROWS * COLS] = {0, 1, 1e31};
    unsigned char *inside;
    struct error e;
    write_raster(path, &GEO, ROWS, COLS, huge);
    assert_int_equal(outline_read(&inside, path, ROWS, COLS, &GEO, &e), ERROR_INPUT);
    assert_null(inside);
}

/* The same file is kept, unless anything about it is another, or it was written just now. */
static void a_raster_is_kept_until_it_changes(void **state)
{
    static const struct georef one = {.west_m = 1000, .south_m = 2080, .cell_m = 10};
    const time_t now = time(NULL), then = 1000000000;
    const struct {
        const char *name, *from;
        struct timespec written;
        bool longer, kept;
    } steps[] = {
        {"a.asc", NULL, {then, 5}, false, false},    {"a.asc", NULL, {then, 5}, false, true},
        {"a.asc", NULL, {then, 6}, false, false},    {"a.asc", NULL, {then, 6}, true, false},
        {"a.asc", "b.asc", {then, 6}, true, false},  {"b.asc", NULL, {then, 6}, true, false},
        {"b.asc", NULL, {now, 0}, true, false},      {"b.asc", NULL, {now, 0}, true, false},
        {"b.asc", NULL, {now - 60, 0}, true, false}, {"b.asc", NULL, {now - 60, 0}, true, true},
        {"b.asc", NULL, {now - 61, 0}, true, false}};
    const char *broken = scratch_file(&dir, "broken.asc");
    int known = 0;
    write_text(broken, "ncols 2\n");
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        double value[10] = {0};
        const char *path = scratch_file(&dir, steps[k].name),
                   *first = steps[k].from ? scratch_file(&dir, steps[k].from) : path;
        unsigned char *inside;
        struct error e;
        value[k % 10] = 1;
        write_raster(first, &one, 1, steps[k].longer ? 10 : 9, value);
        utimensat(AT_FDCWD, first, (struct timespec[]){steps[k].written, steps[k].written}, 0);
        if (first != path) assert_int_equal(rename(first, path), 0);
        if (!steps[k].kept) known = (int)k % 10;
        must(outline_read(&inside, path, ROWS, COLS, &GEO, &e), &e);
        for (int i = 0; i < ROWS * COLS; i++) assert_int_equal(inside[i], i == known);
        free(inside);
        for (int n = 0; n < 2 && k == 9; n++) { /* one that cannot be read is not kept */
            assert_int_equal(outline_read(&inside, broken, ROWS, COLS, &GEO, &e), ERROR_INPUT);
            assert_null(inside);
        }
    }
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, rasters_on_any_grid,
                       polygons_on_a_larger_grid, marks_of_no_data, terrain_is_no_outline,
                       a_raster_is_kept_until_it_changes, the_transform_is_that_of_all_pairs,
                       outlines_of_any_cells, a_shifted_square_is_as_far_as_it_was_shifted,
                       a_far_line, a_stray_cell_is_no_outline, what_is_not_there_is_nowhere,
                       what_is_not_known_is_no_neighbour);
}
