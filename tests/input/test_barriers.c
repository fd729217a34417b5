/* Cells of walls and channels: each shares an edge with the next, a mirrored line has the mirrored
 * cells, and those within half of its width are in it; rules for the ground; and what is wrong with
 * a file is said in one line. */
/* tests: input/case */
#include "case/barriers.h"
#include "case/case.h"
#include "case/changes.h"
#include "case_files.h"
#include "random_case.h"
#include "text/number.h"
#include "vector/draw_cells.h"
#include "unit.h"

enum { ROWS = 40, COLS = 56, CELLS = ROWS * COLS, CELL = 10 };
static const struct georef geo = {.west_m = 500000, .south_m = 4170000, .cell_m = CELL};

/* A line of two positions, in cells from the south-west corner. */
struct line {
    double xy[2][2];
};

static struct line random_line(uint64_t *rng, int kind)
{
    struct line l;
    for (int k = 0; k < 2; k++) {
        l.xy[k][0] = random_unit(rng) * (COLS + 8) - 4;
        l.xy[k][1] = random_unit(rng) * (ROWS + 8) - 4;
        if (kind == 1) l.xy[k][0] = floor(l.xy[k][0]), l.xy[k][1] = floor(l.xy[k][1]);
    }
    if (kind == 2) l.xy[1][0] = l.xy[0][0] + l.xy[1][1] - l.xy[0][1]; /* through the corners */
    if (kind == 2) l.xy[0][1] += floor(l.xy[0][0]) - l.xy[0][0], l.xy[0][0] = floor(l.xy[0][0]);
    return l;
}

static struct line mirrored(struct line l)
{
    for (int k = 0; k < 2; k++) l.xy[k][0] = COLS - l.xy[k][0];
    return l;
}

static struct line upside_down(struct line l)
{
    for (int k = 0; k < 2; k++) l.xy[k][1] = ROWS - l.xy[k][1];
    return l;
}

static size_t draw(unsigned char cell[CELLS], struct line l, double width_m)
{
    struct vector_part part = {0, 2, 0};
    struct vector_feature f = {.kind = VECTOR_LINE, .count = 1};
    double xy[2][2];
    for (int k = 0; k < 2; k++) {
        xy[k][0] = geo.west_m + CELL * l.xy[k][0];
        xy[k][1] = geo.south_m + CELL * l.xy[k][1];
    }
    const struct vectors v = {.parts = 1, .part = &part, .positions = 2, .xy = xy};
    const struct vector_grid grid = {ROWS, COLS, &geo};
    memset(cell, 0, CELLS);
    struct cell_mask m = cell_mask_on(cell, &grid);
    cell_mask_band(&m, &v, &f, width_m);
    size_t count = 0;
    for (int i = 0; i < CELLS; i++) count += cell[i];
    return count;
}

/* Cells that can be reached from the first over common edges. */
static size_t spread(const unsigned char cell[CELLS])
{
    static int queue[CELLS];
    unsigned char seen[CELLS] = {0};
    int first = 0;
    size_t count = 0, next = 0;
    while (first < CELLS && !cell[first]) first++;
    if (first == CELLS) return 0;
    queue[count++] = first;
    seen[first] = 1;
    for (; next < count; next++) {
        const int i = queue[next], row = i / COLS, col = i % COLS;
        const int to[4][2] = {{row - 1, col}, {row + 1, col}, {row, col - 1}, {row, col + 1}};
        for (int k = 0; k < 4; k++) {
            const int j = to[k][0] * COLS + to[k][1];
            if (to[k][0] < 0 || to[k][1] < 0 || to[k][0] >= ROWS || to[k][1] >= COLS || seen[j] ||
                !cell[j])
                continue;
            seen[j] = 1;
            queue[count++] = j;
        }
    }
    return count;
}

static void tight_and_symmetric(void **state)
{
    unsigned char a[CELLS], b[CELLS], d[CELLS];
    uint64_t rng = 13;
    size_t drawn = 0;
    for (int i = 0; i < 3000; i++) {
        const struct line l = random_line(&rng, i % 3);
        const double width_m = i % 4 ? 0 : 80 * random_unit(&rng);
        const struct line back = {{{l.xy[1][0], l.xy[1][1]}, {l.xy[0][0], l.xy[0][1]}}};
        const size_t count = draw(a, l, width_m);
        assert_int_equal(spread(a), count);
        assert_int_equal(draw(b, mirrored(l), width_m), count);
        assert_int_equal(draw(d, upside_down(l), width_m), count);
        for (int k = 0; k < CELLS; k++) {
            assert_int_equal(a[k], b[k / COLS * COLS + COLS - 1 - k % COLS]);
            assert_int_equal(a[k], d[(ROWS - 1 - k / COLS) * COLS + k % COLS]);
        }
        draw(b, back, width_m);
        assert_memory_equal(a, b, CELLS);
        drawn += count;
    }
    assert_true(drawn > 60000);
}

/* By the distance itself, where that is no matter of rounding. */
static void as_wide_as_it_is(void **state)
{
    unsigned char a[CELLS];
    uint64_t rng = 5;
    size_t inside = 0;
    for (int i = 0; i < 300; i++) {
        const struct line l = random_line(&rng, 0);
        const double width_m = 20 + 80 * random_unit(&rng);
        draw(a, l, width_m);
        for (int k = 0; k < CELLS; k++) {
            const double x = k % COLS + 0.5, y = ROWS - k / COLS - 0.5;
            const double dx = l.xy[1][0] - l.xy[0][0], dy = l.xy[1][1] - l.xy[0][1];
            const double at = ((x - l.xy[0][0]) * dx + (y - l.xy[0][1]) * dy) / (dx * dx + dy * dy);
            const double t = fmax(0, fmin(1, at));
            const double away = CELL * hypot(x - l.xy[0][0] - t * dx, y - l.xy[0][1] - t * dy);
            if (fabs(away - width_m / 2) < 0.02) continue;
            assert_int_equal(a[k], away < width_m / 2);
            inside += a[k];
        }
    }
    assert_true(inside > 20000);
}

static void rules(void **state)
{
    const struct ground_rule wall = {0, 4, -INFINITY, 0}, crest = {0, 0, 105, 0},
                             both = {0, 4, 105, 3}, channel = {0, 0, -INFINITY, 3};
    assert_true(ground_by_rule(&wall, 100) == 104);
    assert_true(ground_by_rule(&crest, 100) == 105 && ground_by_rule(&crest, 110) == 110);
    assert_true(ground_by_rule(&both, 100) == 105 && ground_by_rule(&both, 103) == 107);
    assert_true(ground_by_rule(&channel, 100) == 97 && isnan(ground_by_rule(&both, NAN)));
}

/* ---- files ----------------------------------------------------------------------------------- */

static const char *write_barrier_case(struct scratch *s, const char *csv)
{
    write_case(s);
    put_text(s, "b.csv", csv);
    put_text(s, "case.cfg", CASE_TEXT "barriers b.csv\n");
    return scratch_file(s, "case.cfg");
}

static void in_a_case(void **state)
{
    struct scratch s;
    struct sim_case c, bare;
    struct error e = {0};
    scratch_create(&s);
    const char *path = write_barrier_case(
        &s, "barrier,x,y,height_m,depth_m,crest_m,name,kind\n1,500005,4000025,2.5,,,dam,\n"
            "1,500045,4000025,,,,,\n2,500051,4000001,,1,,,area\n2,500079,4000001,,,,,\n"
            "2,500079,4000019,,,,,\n2,500051,4000019,,,,,\n3,500025,4000005,,,1000,,\n"
            "3,500025,4000055,,,,,\n");
    if (case_load(&c, path, &e)) print_message("%s\n", e.text);
    assert_int_equal(e.code, 0);
    put_text(&s, "case.cfg", CASE_TEXT);
    assert_int_equal(case_load(&bare, path, &e), 0);
    const struct barriers *b = c.barriers;
    quanta raised = 0, lowered = 0;
    assert_int_equal(b->count, 3);
    assert_string_equal(b->item[0].name, "dam");
    assert_string_equal(b->item[1].name, "2");
    assert_true(b->item[0].cells == 5 && b->item[0].length_m == 40);
    assert_true(b->item[0].raised == (quanta)5 * (quanta)(2.5 * LATTICE_PER_M));
    assert_true(b->item[1].cells == 5 && b->item[1].raised == 0); /* one of six has no data */
    assert_true(b->item[1].lowered == (quanta)5 * (quanta)LATTICE_PER_M);
    for (int i = 0; i < 48; i++) {
        if (isnan(c.elevation_m[i])) continue;
        assert_true(b->bare_m[i] == bare.elevation_m[i]);
        const double rise_m = c.elevation_m[i] - bare.elevation_m[i];
        if (rise_m > 0) raised += (quanta)(rise_m * LATTICE_PER_M);
        if (rise_m < 0) lowered -= (quanta)(rise_m * LATTICE_PER_M);
        const int row = i / 8, col = i % 8;
        const double crest = col == 2 ? fmax(1000, bare.elevation_m[i]) : 0;
        const double wall = row == 3 && col < 5 ? bare.elevation_m[i] + 2.5 : 0;
        const double top = fmax(crest, wall);
        if (top > 0) assert_true(c.elevation_m[i] == top);
        else if (row >= 4 && col >= 5) assert_true(c.elevation_m[i] == bare.elevation_m[i] - 1);
        else assert_true(c.elevation_m[i] == bare.elevation_m[i]);
    }
    assert_true(raised > 0 && lowered > 0);
    assert_true(b->built.raised == raised && b->built.lowered == lowered);
    case_free(&c);
    case_free(&bare);
    scratch_remove(&s);
}

/* Where barriers cross, the highest counts, or the deepest, and not their sum. */
static void where_they_cross(void **state)
{
    static const char *const forms[] = {"height_m", "depth_m", "crest_m"},
                             *const rows[] = {"1,500005,4000025,%g\n1,500045,4000025,\n",
                                              "2,500025,4000005,%g\n2,500025,4000055,\n"};
    for (int form = 0; form < 3; form++) {
        double z[4][48]; /* with each alone, with both, with both the other way round */
        for (int k = 0; k < 4; k++) {
            struct scratch s;
            struct sim_case c;
            struct error e = {0};
            char csv[256];
            const int first = k == 3 ? 1 : k % 2;
            int n = snprintf(csv, sizeof csv, "barrier,x,y,%s\n", forms[form]);
            for (int i = 0; i < (k < 2 ? 1 : 2); i++) {
                const int which = i ? !first : first;
                n += snprintf(csv + n, sizeof csv - (size_t)n, rows[which],
                              (form == 2 ? 1000 : 0) + (which ? 3.0 : 2.0));
            }
            scratch_create(&s);
            if (case_load(&c, write_barrier_case(&s, csv), &e)) fail_msg("%s", e.text);
            memcpy(z[k], c.elevation_m, sizeof z[k]);
            case_free(&c);
            scratch_remove(&s);
        }
        for (int i = 0; i < 47; i++) {
            assert_true(z[2][i] == (form == 1 ? fmin : fmax)(z[0][i], z[1][i]));
            assert_true(z[3][i] == z[2][i]);
        }
    }
}

/* Of what comes in the same step the survey is first, so that a barrier stands on it. */
static void on_a_survey(void **state)
{
    struct scratch s;
    struct sim_case c;
    struct error e = {0};
    scratch_create(&s);
    const char *path = write_barrier_case(
        &s, "barrier,x,y,height_m,from\n1,500005,4000025,2.5,3590s\n1,500045,4000025,,\n"
            "2,500025,4000005,2,3480s\n2,500025,4000055,,\n");
    put_grid(&s, "later.asc", 950);
    put_text(&s, "case.cfg",
             CASE_TEXT "barriers b.csv\nterrain_update 1h later.asc without_lava shift_m 0\n");
    if (case_load(&c, path, &e)) fail_msg("%s", e.text);
    assert_int_equal(c.change_count, 3);
    assert_true(c.change[0].rules && c.change[0].time_s == 3480);
    assert_true(c.change[1].elevation_m && c.change[1].time_s == 3600);
    assert_true(c.change[2].rules && c.change[2].time_s == 3590);
    case_free(&c);
    scratch_remove(&s);
}

/* A crest at the height of the ground, as text has it, is no wall; of ground in single precision it is at
 * most as high as that differs. */
static void a_crest_at_the_ground(void **state)
{
    enum { TENTHS = 400 };
    int below = 0;
    for (int tenths = 1; tenths < TENTHS; tenths += 3)
        for (int single = 0; single < 2; single++) {
            const double ground_m = tenths / 10.0;
            struct scratch s;
            struct sim_case c, bare;
            struct error e = {0};
            char csv[128];
            scratch_create(&s);
            snprintf(csv, sizeof csv,
                     "barrier,x,y,crest_m\n1,500005,4000025,%.1f\n1,500045,4000025,\n", ground_m);
            const char *path = write_barrier_case(&s, csv);
            put_grid(&s, "dem.asc", single ? (double)(float)ground_m : ground_m);
            assert_int_equal(case_load(&c, path, &e), 0);
            put_text(&s, "case.cfg", CASE_TEXT);
            assert_int_equal(case_load(&bare, path, &e), 0);
            assert_int_equal(c.barriers->item[0].cells, 5);
            for (int i = 0; i < 47; i++) {
                const double rise_m = c.elevation_m[i] - bare.elevation_m[i];
                assert_true(rise_m >= 0 && rise_m <= (single ? number_tolerance(ground_m) : 0));
                below += rise_m > 0;
            }
            case_free(&c);
            case_free(&bare);
            scratch_remove(&s);
        }
    assert_true(below > 100);
}

/* ---- all that is known of barriers, anew --------------------------------------------------------- */

enum { WALLS = 7, WALL_ROWS = 6, WALL_COLS = 8, WALL_CELLS = WALL_ROWS * WALL_COLS };

/* A line of one or two parts, or a triangle. */
struct written {
    bool area;
    int parts, size, form, later; /* later: index of `times` */
    double xy[2][4][2], value_m, width_m;
};

/* As barriers write the time, and in seconds; the first two are no later than the beginning, an hour. */
static const struct {
    const char *text;
    double time_s;
} times[] = {{"", 0}, {"\"from\":\"1\",", 0}, {"\"from\":\"90min\",", 5400}, {"\"from\":2,", 7200}};

static struct written random_barrier(uint64_t *rng)
{
    struct written w = {.area = random_unit(rng) < 0.4, .later = (int)(random_unit(rng) * 4)};
    w.parts = w.area ? 1 : 1 + (random_unit(rng) < 0.4);
    w.size = w.area ? 4 : 2 + (random_unit(rng) < 0.5);
    w.form = (int)(random_unit(rng) * BARRIER_FORMS);
    w.value_m = (w.form == BARRIER_CREST ? 955 : 0) + 0.25 + floor(random_unit(rng) * 200) / 4;
    if (random_unit(rng) < 0.4) w.width_m = floor(random_unit(rng) * 40);
    for (int part = 0; part < w.parts; part++)
        for (int i = 0; i < w.size; i++) {
            w.xy[part][i][0] = 500000 + random_unit(rng) * 10 * WALL_COLS;
            w.xy[part][i][1] = 4000000 + random_unit(rng) * 10 * WALL_ROWS;
        }
    if (w.area) memcpy(w.xy[0][3], w.xy[0][0], sizeof w.xy[0][0]);
    return w;
}

static int put_barrier(char *out, size_t size, const struct written *w, int number)
{
    int n = snprintf(out, size, "{\"type\":\"Feature\",\"properties\":{%s", times[w->later].text);
    if (number % 3) n += snprintf(out + n, size - (size_t)n, "\"name\":\"wall %d\",", number);
    if (w->width_m > 0) n += snprintf(out + n, size - (size_t)n, "\"width_m\":%g,", w->width_m);
    n += snprintf(out + n, size - (size_t)n,
                  "\"%s\":%.17g},\"geometry\":{\"type\":\"%s\",\"coordinates\":[",
                  barrier_forms[w->form], w->value_m, w->area ? "Polygon" : "MultiLineString");
    for (int part = 0; part < w->parts; part++) {
        n += snprintf(out + n, size - (size_t)n, "%s[", part ? "," : "");
        for (int i = 0; i < w->size; i++)
            n += snprintf(out + n, size - (size_t)n, "%s[%.17g,%.17g]", i ? "," : "",
                          w->xy[part][i][0], w->xy[part][i][1]);
        n += snprintf(out + n, size - (size_t)n, "]");
    }
    return n + snprintf(out + n, size - (size_t)n, "]}}");
}

static double length_of(const struct written *w)
{
    double length_m = 0;
    for (int part = 0; part < w->parts; part++)
        for (int i = 1; i < w->size; i++)
            length_m += hypot(w->xy[part][i][0] - w->xy[part][i - 1][0],
                              w->xy[part][i][1] - w->xy[part][i - 1][1]);
    return length_m;
}

/* An area has the cells with their centre in it, and a band along its edge if it has a width or no such cell. */
static void draw_written(unsigned char cell[WALL_CELLS], struct written *w, const struct georef *g)
{
    struct vector_part part[2] = {{0, w->size, 0}, {4, w->size, 0}};
    const struct vector_feature f = {.kind = w->area ? VECTOR_AREA : VECTOR_LINE,
                                     .count = w->parts};
    const struct vectors v = {.parts = w->parts, .part = part, .positions = 8, .xy = w->xy[0]};
    const struct vector_grid grid = {WALL_ROWS, WALL_COLS, g};
    memset(cell, 0, WALL_CELLS);
    struct cell_mask m = cell_mask_on(cell, &grid);
    if (w->area) cell_mask_fill(&m, &v, &f);
    const bool filled = m.row_min <= m.row_max;
    if (filled) cell_mask_tighten(&m);
    if (!filled || w->width_m > 0) cell_mask_band(&m, &v, &f, w->width_m);
}

/* The ground after all barriers of a time: the highest wall or crest or, without one, the deepest channel. */
static double built_on(double z, int cell, const struct written w[WALLS],
                       unsigned char (*cells)[WALL_CELLS], double time_s, bool *any)
{
    double height_m = 0, crest_m = -INFINITY, depth_m = 0;
    *any = false;
    for (int i = 0; i < WALLS; i++) {
        if (times[w[i].later].time_s != time_s || !cells[i][cell]) continue;
        *any = true;
        if (w[i].form == BARRIER_HEIGHT) height_m = fmax(height_m, w[i].value_m);
        if (w[i].form == BARRIER_CREST) crest_m = fmax(crest_m, w[i].value_m);
        if (w[i].form == BARRIER_DEPTH) depth_m = fmax(depth_m, w[i].value_m);
    }
    if (height_m > 0 || crest_m > 0) return fmax(z, fmax(z + height_m, crest_m));
    return z - depth_m;
}

static void expect_barrier(const struct barrier *x, const struct written *w, int number,
                           const unsigned char cell[WALL_CELLS], const double *z)
{
    char name[16];
    uint32_t cells = 0;
    quanta raised = 0, lowered = 0;
    snprintf(name, sizeof name, number % 3 ? "wall %d" : "%d", number % 3 ? number : number + 1);
    assert_string_equal(x->name, name);
    assert_true((int)x->form == w->form && x->value_m == w->value_m && x->width_m == w->width_m);
    assert_true(x->time_s == times[w->later].time_s);
    assert_true(fabs(x->length_m - length_of(w)) < 1e-6);
    for (int k = 0; k < WALL_CELLS; k++) {
        if (!cell[k] || isnan(z[k])) continue;
        cells++;
        const double rise_m = w->form == BARRIER_HEIGHT  ? w->value_m
                              : w->form == BARRIER_DEPTH ? -w->value_m
                                                         : fmax(0, w->value_m - z[k]);
        if (rise_m > 0) raised += (quanta)(rise_m * LATTICE_PER_M);
        else lowered += (quanta)(-rise_m * LATTICE_PER_M);
    }
    assert_int_equal(x->cells, cells);
    assert_true(x->raised == raised && x->lowered == lowered);
}

/* What is built at a later time is a change of the terrain then, of the cells with data, in their order. */
static void expect_change(const struct change *x, double time_s, const struct written w[WALLS],
                          unsigned char (*cells)[WALL_CELLS], const double *z)
{
    size_t k = 0;
    assert_true(x->time_s == time_s && !x->elevation_m);
    for (int i = 0; i < WALL_CELLS; i++) {
        bool any;
        const double after_m = built_on(z[i], i, w, cells, time_s, &any);
        if (!any || isnan(z[i])) continue;
        assert_true(k < x->rules && x->rule[k].place == (uint32_t)i);
        assert_true(ground_by_rule(&x->rule[k++], z[i]) == after_m);
    }
    assert_true(k > 0 && k == x->rules);
}

static void barriers_anew(void **state)
{
    uint64_t rng = 7;
    int changes = 0, crossings = 0;
    struct scratch s;
    struct sim_case bare;
    struct error e = {0};
    scratch_create(&s);
    must(case_load(&bare, write_case(&s), &e), &e);
    put_text(&s, "case.cfg", CASE_TEXT "barriers b.json\nfirst_step 30\n");
    for (int round = 0; round < 25; round++) {
        struct written w[WALLS];
        struct sim_case c;
        unsigned char cells[WALLS][WALL_CELLS];
        static char text[WALLS * 1024];
        int n = snprintf(text, sizeof text, "{\"type\":\"FeatureCollection\",\"features\":["),
            at = 0;
        for (int i = 0; i < WALLS; i++) {
            w[i] = random_barrier(&rng);
            draw_written(cells[i], &w[i], &bare.geo);
            if (i) text[n++] = ',';
            n += put_barrier(text + n, sizeof text - (size_t)n, &w[i], i);
        }
        snprintf(text + n, sizeof text - (size_t)n, "]}");
        put_text(&s, "b.json", text);
        must(case_load(&c, scratch_file(&s, "case.cfg"), &e), &e);
        const struct barriers *b = c.barriers;
        uint32_t of_start = 0;
        struct ground_sums built = {0};
        assert_int_equal(b->count, WALLS);
        for (int i = 0; i < WALLS; i++)
            expect_barrier(&b->item[i], &w[i], i, cells[i], bare.elevation_m);
        for (int i = 0; i < WALL_CELLS; i++) {
            const double z = bare.elevation_m[i];
            bool any;
            const double after_m = built_on(z, i, w, cells, 0, &any);
            if (isnan(z)) continue;
            assert_true(c.elevation_m[i] == after_m);
            assert_true(!b->bare_m || b->bare_m[i] == z);
            of_start += any;
            if (after_m > z) built.raised += (quanta)((after_m - z) * LATTICE_PER_M);
            if (after_m < z) built.lowered += (quanta)((z - after_m) * LATTICE_PER_M);
            crossings += any && w[0].later < 2 && cells[0][i] && cells[1][i];
        }
        assert_true((b->bare_m != NULL) == (of_start > 0) && b->cells == of_start);
        assert_true(b->built.raised == built.raised && b->built.lowered == built.lowered);
        for (int k = 2; k < 4; k++) {
            bool any = false;
            for (int i = 0; i < WALLS; i++) any = any || w[i].later == k;
            if (any) expect_change(&c.change[at++], times[k].time_s, w, cells, c.elevation_m);
        }
        assert_int_equal(c.change_count, at);
        changes += at;
        case_free(&c);
    }
    assert_true(changes > 25 && crossings > 8);
    case_free(&bare);
    scratch_remove(&s);
}

/* ---- later surveys, anew --------------------------------------------------------------------------- */

enum { SURVEYS = 5 };
static const struct {
    const char *text;
    double time_s;
} moments[] = {
    {"0", 0},      {"30min", 1800}, {"1", 3600}, {"61min", 3660}, {"2006-07-15T00:30", 9000},
    {"3h", 10800}, {"5.25", 18900}};
enum { MOMENTS = sizeof moments / sizeof *moments };

/* Heights of survey k without its shift; NaN in some cells. */
static double surveyed(int k, int cell)
{
    return (cell * 7 + k * 5) % 11 == 3 ? (double)NAN : 900 + 8 * k + cell * (1 + k % 2) / 4.0;
}

static void put_survey(struct scratch *s, int k)
{
    char text[2048], name[16];
    int n = snprintf(text, sizeof text,
                     "ncols 8\nnrows 6\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\n"
                     "NODATA_value -9999\n");
    for (int i = 0; i < WALL_CELLS; i++) {
        const double z = surveyed(k, i);
        n += snprintf(text + n, sizeof text - (size_t)n, "%g ", isnan(z) ? -9999 : z);
    }
    snprintf(name, sizeof name, "s%d.asc", k);
    put_text(s, name, text);
}

/* The digest counts all that a change does, and when. */
static void expect_all_in_digest(struct sim_case *c)
{
    const uint64_t digest = changes_digest(c);
    for (int i = 0; i < c->change_count; i++) {
        struct change *x = &c->change[i];
        struct ground_rule none, *r = x->rules ? &x->rule[x->rules - 1] : &none;
        none = (struct ground_rule){0};
        double spare = 0, *numbers[] = {&r->height_m, &r->depth_m, &r->crest_m,
                                        x->elevation_m ? &x->elevation_m[9] : &spare};
        for (int k = x->rules ? 0 : 3; k < (x->rules ? 3 : 4); k++) {
            const double was = *numbers[k];
            *numbers[k] = 1.5;
            assert_true(changes_digest(c) != digest);
            *numbers[k] = was;
        }
        x->with_lava = !x->with_lava;
        assert_true(changes_digest(c) != digest);
        x->with_lava = !x->with_lava;
        x->time_s += 1200;
        assert_true(changes_digest(c) != digest);
        x->time_s -= 1200;
    }
    assert_true(changes_digest(c) == digest);
}

/* Surveys in any order of lines: those up to the first step are the terrain, the later ones change it in their order. */
static void surveys_anew(void **state)
{
    uint64_t rng = 21;
    int first = 0, later = 0;
    struct scratch s;
    struct sim_case bare;
    struct error e = {0};
    scratch_create(&s);
    must(case_load(&bare, write_case(&s), &e), &e);
    for (int k = 0; k < SURVEYS; k++) put_survey(&s, k);
    put_text(
        &s, "b.csv",
        "barrier,x,y,height_m,crest_m,from\n1,500005,4000025,2.5,,14430s\n1,500045,4000025,,,\n"
        "2,500005,4000025,,1000,14410s\n2,500045,4000025,,,\n");
    for (int round = 0; round < 15; round++) {
        struct sim_case c;
        const int begins = round % 3 * 30; /* steps of 120 s */
        double shift_m[SURVEYS], z[WALL_CELLS];
        bool with_lava[SURVEYS];
        int of[MOMENTS], at = 0;
        char text[2048];
        for (int m = 0; m < MOMENTS; m++) of[m] = -1;
        int n = snprintf(text, sizeof text,
                         CASE_TEXT "barriers b.csv\nfirst_step %d\nstart_time "
                                   "2006-07-14T22:00\n",
                         begins);
        for (int k = 0; k < SURVEYS; k++) {
            int m = (int)(random_unit(&rng) * MOMENTS);
            while (of[m] >= 0 || (m == 3 && of[2] >= 0) || (m == 2 && of[3] >= 0))
                m = (m + 1) % MOMENTS;
            of[m] = k;
            with_lava[k] = random_unit(&rng) < 0.5;
            shift_m[k] = floor(random_unit(&rng) * 9) / 2 - 2;
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "terrain_update %s s%d.asc %s shift_m %g\n", moments[m].text, k,
                          with_lava[k] ? "with_lava" : "without_lava", shift_m[k]);
        }
        put_text(&s, "case.cfg", text);
        must(case_load(&c, scratch_file(&s, "case.cfg"), &e), &e);
        memcpy(z, bare.elevation_m, sizeof z);
        for (int m = 0; m < MOMENTS; m++) {
            const int k = of[m];
            if (k < 0) continue;
            if (moments[m].time_s <= begins * 120) {
                for (int i = 0; i < WALL_CELLS; i++)
                    if (!isnan(z[i]) && !isnan(surveyed(k, i))) z[i] = surveyed(k, i) + shift_m[k];
                first++;
                continue;
            }
            while (at < c.change_count && c.change[at].rules) at++; /* of the barriers */
            const struct change *x = &c.change[at++];
            assert_true(at <= c.change_count && x->time_s == moments[m].time_s);
            assert_true(x->with_lava == with_lava[k] && x->shift_m == shift_m[k] && x->shifted);
            for (int i = 0; i < WALL_CELLS; i++) {
                const double is = x->elevation_m[i], was = surveyed(k, i) + shift_m[k];
                assert_true(is == was || (isnan(is) && isnan(was)));
            }
            assert_int_equal(atoi(strrchr(x->path, '/') + 2), k);
            later++;
        }
        while (at < c.change_count && c.change[at].rules) at++;
        assert_int_equal(at, c.change_count);
        for (int i = 1; i < at; i++) assert_true(c.change[i].time_s > c.change[i - 1].time_s);
        for (int i = 0; i < WALL_CELLS; i++)
            assert_true(c.elevation_m[i] == z[i] || (isnan(c.elevation_m[i]) && isnan(z[i])));
        expect_all_in_digest(&c);
        case_free(&c);
    }
    assert_true(first > 15 && later > 15);
    case_free(&bare);
    scratch_remove(&s);
}

static void refused(const char *csv, const char *why)
{
    struct scratch s;
    struct sim_case c;
    struct error e = {0};
    scratch_create(&s);
    assert_int_equal(case_load(&c, write_barrier_case(&s, csv), &e), ERROR_INPUT);
    if (!strstr(e.text, why)) print_message("%s\n", e.text);
    assert_non_null(strstr(e.text, why));
    assert_null(strchr(e.text, '\n'));
    scratch_remove(&s);
}

static void what_is_wrong(void **state)
{
    refused("barrier,x\n1,2\n", "b.csv:1: the header has to have 'barrier,x,y'");
    refused("barrier,x,y\n", "b.csv:1: has no row");
    refused("barrier,x,y\n1,500005,4000025\n", "barrier 1: has no height; give one of height_m");
    refused("barrier,x,y,height_m,depth_m\n1,500005,4000025,1,1\n",
            "has more than one height; give one of height_m");
    refused("barrier,x,y,height_m\n1,500005,4000025,0\n", "is 0 m high or deep");
    refused("barrier,x,y,height_m\n1,500005,4000025,-3\n", "height_m is -3; give 0 to 1000 m");
    refused("barrier,x,y,height_m\n1,500005,4000025,high\n", "height_m is 'high'");
    refused("barrier,x,y,height_m\n1,500005,4000025,1\n1,500015,4000025,2\n",
            "b.csv:3: height_m is '2', but an earlier row of the feature has '1'");
    refused("barrier,x,y,crest_m\n1,600005,4000025,990\n", "no cell of the terrain");
    refused("barrier,x,y,height_m,kind\n1,500005,4000025,1,ring\n",
            "kind is neither line nor area");
    refused("barrier,x,y,height_m,kind\n1,500005,4000025,1,area\n", "less than four positions");
    refused("barrier,x,y,height_m,from\n1,500005,4000025,1,soon\n",
            "barrier 1: from is 'soon'; give hours");
    refused("barrier,x,y,height_m,from,name\n1,500005,4000025,1,12h,\n2,500005,4000035,2,tomorrow,"
            "dam\n",
            "b.csv: barrier dam: from is 'tomorrow'; give hours");
    refused("barrier,x,y,height_m\n1,500005,4000025,1001\n", "height_m is 1001; give 0 to 1000 m");
    refused("barrier,x,y,depth_m\n1,500005,4000025,1001\n", "depth_m is 1001; give 0 to 1000 m");
    refused("barrier,x,y,height_m,width_m\n1,500005,4000025,1,10001\n",
            "width_m is 10001; give 0 to 10000 m");
    refused("barrier,x,y,crest_m\n1,500005,4000025,20000\n",
            "crest_m is 20000; give -4000 to 10000");
    refused(
        "barrier,x,y,height_m\nup,500005,4000025,1\nlow,500005,4000035,1\nup,500045,4000025,1\n",
        "b.csv:4: the rows of barrier 'up' are not consecutive; write them one below the other");
#define LONG "a name that is longer than sixty-three bytes and of which all count also the last "
    refused("barrier,x,y,height_m\n" LONG "1,500005,4000025,1\n" LONG "1,500015,4000025,2\n",
            "b.csv:3: height_m is '2', but an earlier row of the feature has '1'");
}

int main(void)
{
    return UNIT_RUN(tight_and_symmetric, as_wide_as_it_is, rules, in_a_case, where_they_cross,
                    on_a_survey, a_crest_at_the_ground, barriers_anew, surveys_anew, what_is_wrong);
}
