/* What was seen, and how members are weighted by it, against the formulas of docs/formats/observations.md written down once more: for
 * every cell, with all distances and all neighbours. */
/* tests: study/nowcast */
#include "nowcast/nowcast.h"
#include "nowcast/sights_inside.h"
#include "plan_files.h"
#include "random_case.h"
#include "text/words.h"
#include "unit.h"

#include <math.h>
#include <sys/stat.h>

enum { ROWS = 30, COLS = 26, CELLS = ROWS * COLS, EDGES = 40 };
static double file_cell_m = 10; /* of files that are written */
static const double CELL_M = 10, ODDS = 4.59511985013459, SLOPE = 1.813799364234218;

static double clamp(double x)
{
    return fmin(ODDS, fmax(-ODDS, x));
}

/* ---- files ----------------------------------------------------------------------------------- */

static void put_numbers(const char *name, const double value[CELLS])
{
    FILE *f = fopen(scratch_file(&dir, name), "w");
    assert_non_null(f);
    fprintf(f,
            "ncols %d\nnrows %d\nxllcorner 500000\nyllcorner 4000000\ncellsize %g\nNODATA_value "
            "-9999\n",
            COLS, ROWS, file_cell_m);
    for (int i = 0; i < CELLS; i++) fprintf(f, "%.9g%c", value[i], (i + 1) % COLS ? ' ' : '\n');
    assert_int_equal(fclose(f), 0);
}

/* A disc with a ragged edge. */
static void put_disc(const char *name, unsigned char mark[CELLS], double row, double col,
                     double radius)
{
    double value[CELLS];
    uint64_t random = (uint64_t)(row * 100 + col);
    for (int i = 0; i < CELLS; i++) {
        const double away = hypot(i / COLS - row, i % COLS - col);
        value[i] = mark[i] = away + random_unit(&random) < radius;
    }
    put_numbers(name, value);
}

/* ---- what was seen --------------------------------------------------------------------------- */

/* As the plan names it; lava: of a front; seen: in which cells. */
struct seen {
    const char *file;
    enum seen_kind kind;
    double time_h, error_m, reach; /* reach: half the correlation length, in cells */
    bool whole;
    unsigned char lava[CELLS], seen[CELLS];
    double thickness_m[CELLS];
};

/* The logarithm of the odds by a line with that error, from the nearest cell on the other side of it. */
static double odds_of_line(const struct seen *s, int i, double error_m)
{
    double nearest = INFINITY;
    for (int k = 0; k < CELLS; k++)
        if (s->lava[k] != s->lava[i])
            nearest = fmin(nearest, hypot(k / COLS - i / COLS, k % COLS - i % COLS));
    const double depth = s->lava[i] ? nearest - 0.5 : 0.5 - nearest;
    return clamp(SLOPE * depth * CELL_M / fmax(CELL_M / 2, error_m));
}

static double miss_of(const struct seen *s, int i, double thickness_m)
{
    const double z = (thickness_m - s->thickness_m[i]) / s->error_m;
    return fmin(z * z / 2, ODDS);
}

/* Cells of the square around i that any of these at that time sees. */
static double count_seen(const struct seen *s, int count, double time_h, int i, int reach)
{
    double cells = 0;
    bool whole = false;
    for (int n = 0; n < count; n++) whole = whole || (s[n].time_h == time_h && s[n].whole);
    if (whole) return (2 * reach + 1) * (2 * reach + 1);
    for (int row = i / COLS - reach; row <= i / COLS + reach; row++)
        for (int col = i % COLS - reach; col <= i % COLS + reach; col++) {
            bool any = false;
            if (row < 0 || col < 0 || row >= ROWS || col >= COLS) continue;
            for (int n = 0; n < count; n++)
                any = any || (s[n].time_h == time_h && s[n].seen[row * COLS + col]);
            cells += any;
        }
    return cells;
}

/* How many cells tell the same as cell i of s[k]; times fade by exp(-hours / fade_h). */
static double count_same(const struct seen *s, int count, int k, int i, double fade_h)
{
    const int reach = (int)s[k].reach;
    const double here = count_seen(s, count, s[k].time_h, i, reach);
    double all = 0, earlier = 0;
    for (int n = 0; n < count; n++) {
        bool first = true;
        for (int m = 0; m < n; m++) first = first && s[m].time_h != s[n].time_h;
        if (s[n].time_h == s[k].time_h) all += count_seen(&s[n], 1, s[n].time_h, i, reach);
        if (s[n].time_h < s[k].time_h && first)
            earlier += exp((s[n].time_h - s[k].time_h) / fade_h) *
                       count_seen(s, count, s[n].time_h, i, reach);
    }
    return all * (1 + earlier / here);
}

/* ---- a plan of it ---------------------------------------------------------------------------- */

struct world {
    struct plan *plan;
    struct ensemble_source source; /* when its members end is not known */
    struct ensemble s;
    struct sights sights;
};

#define PLAN_OF_SEEN                                                                               \
    "dem big.asc\nvents vents.csv\nrates rates.csv\n" CASE_PARAMETERS                              \
    "crs EPSG:32633\nstart_time 2006-07-14T06:00:00\nmax_steps 100\nmembers 3\n"                   \
    "vary_Pcool uniform 2 4\n"

static int try_world(struct world *w, const char *lines, struct error *e)
{
    double z[CELLS];
    char text[2000];
    for (int i = 0; i < CELLS; i++) z[i] = 2000 - 3 * (i / COLS) - 2 * (i % COLS);
    put_numbers("big.asc", z);
    snprintf(text, sizeof text, "%s%s", PLAN_OF_SEEN, lines);
    put_text(&dir, "seen.cfg", text);
    *w = (struct world){.s.source = &w->source};
    must(plan_load(&w->plan, scratch_file(&dir, "seen.cfg"), e), e);
    must(axis_create(&w->s.arrival_s, 120, 3600, EDGES, NULL, 0, e), e);
    return sights_create(&w->sights, w->plan, &w->s, NAN, e);
}

static void open_world(struct world *w, const char *lines)
{
    struct error e = {0};
    must(try_world(w, lines, &e), &e);
}

static void close_world(struct world *w)
{
    sights_free(&w->sights);
    axis_free(&w->s.arrival_s);
    plan_free(w->plan);
}

static const struct sight *sight_of(const struct world *w, const char *file, enum seen_kind kind)
{
    for (int k = 0; k < w->sights.count; k++)
        if (w->sights.of[k].kind == kind && strstr(w->sights.of[k].line->file, file))
            return &w->sights.of[k];
    fail_msg("nothing of %s", file);
    return NULL;
}

/* A member with lava in half of the cells. came[]: its class of arrival, EDGES + 1: never. */
static int draw_member(struct reached *out, int came[CELLS], double thickness_m[CELLS],
                       uint64_t *random)
{
    int count = 0;
    for (int i = 0; i < CELLS; i++) {
        came[i] = EDGES + 1;
        thickness_m[i] = 0;
        if (random_unit(random) < 0.5) continue;
        const uint32_t q = (uint32_t)(4096 * random_unit(random));
        came[i] = (int)((EDGES + 1) * random_unit(random));
        thickness_m[i] = q / 1024.0;
        out[count++] = (struct reached){
            .place = (uint32_t)i, .arrival_class = (uint16_t)came[i], .thickness_q = q};
    }
    return count;
}

/* Class k ends at k + 1 hours. */
static bool came_by(int class, double time_h)
{
    return class + 1 <= time_h;
}

static void expect_gains(const struct world *w, const struct seen *s, int count, double fade_h,
                         double model_m)
{
    static struct reached reached[CELLS];
    static double thickness_m[CELLS];
    static int came[CELLS];
    uint64_t random = 5;
    double farthest = 0;
    for (int round = 0; round < 3; round++) {
        struct sight_of_member *mine = calloc((size_t)w->sights.count, sizeof *mine);
        sights_look(&w->sights, mine, reached, draw_member(reached, came, thickness_m, &random));
        for (int k = 0; k < count; k++) {
            const struct sight *o = sight_of(w, s[k].file, s[k].kind);
            double gain = 0, both = 0, either = 0;
            for (int i = 0; i < CELLS; i++) {
                const bool lava = came_by(came[i], s[k].time_h);
                if (!s[k].seen[i]) continue;
                both += lava && s[k].lava[i], either += lava || s[k].lava[i];
                if (!lava) continue;
                const double odds = s[k].kind == SEEN_FRONT
                                        ? odds_of_line(&s[k], i, hypot(s[k].error_m, model_m))
                                    : s[k].kind == SEEN_DRY
                                        ? -ODDS
                                        : miss_of(&s[k], i, 0) - miss_of(&s[k], i, thickness_m[i]);
                gain += odds / count_same(s, count, k, i, fade_h);
            }
            const double got = (double)mine[o - w->sights.of].gain / SIGHTS_UNIT;
            assert_true(fabs(got - gain) < 1e-5);
            farthest = fmax(farthest, fabs(gain));
            if (s[k].kind == SEEN_FRONT)
                assert_true(fabs(sight_jaccard(o, &mine[o - w->sights.of]) - both / either) <
                            1e-12);
        }
        free(mine);
    }
    assert_true(farthest > 1);
}

/* Two fronts of one time, one of a part, one within polygons, a place that stayed dry, and a survey. */
static void fronts_places_and_surveys(void **state)
{
    static struct seen s[] = {
        {"a.asc", SEEN_FRONT, 5, 12, 2, true, {0}, {0}, {0}},
        {"b.asc", SEEN_FRONT, 5, 30, 1, true, {0}, {0}, {0}},
        {"c.asc", SEEN_FRONT, 17, 15, 2, false, {0}, {0}, {0}},
        {"d.asc", SEEN_FRONT, 29, 5, 1, false, {0}, {0}, {0}},
        {"dry.json", SEEN_DRY, 20, 0, 3, false, {0}, {0}, {0}},
        {"s.asc", SEEN_SURVEY, 29, 0.8, 2, false, {0}, {0}, {0}},
    };
    enum { SEEN = sizeof s / sizeof *s };
    uint64_t random = 9;
    int stays = 0, earlier = 0;
    struct world w;
    double thickness[CELLS];
    put_disc("a.asc", s[0].lava, 12, 10, 6);
    put_disc("b.asc", s[1].lava, 13, 10, 6);
    put_disc("c.asc", s[2].lava, 15, 12, 8);
    put_disc("d.asc", s[3].lava, 15, 14, 2);
    put_disc("w.asc", s[3].seen, 15, 14, 12);
    memset(s[0].seen, 1, CELLS);
    memset(s[1].seen, 1, CELLS);
    memcpy(s[2].seen, s[2].lava, CELLS);
    for (int i = 0; i < CELLS; i++) {
        s[5].seen[i] = random_unit(&random) < 0.3 && i % COLS > 4;
        s[5].thickness_m[i] = s[5].seen[i] ? floor(4096 * random_unit(&random)) / 1024 : 0;
        thickness[i] = s[5].seen[i] ? s[5].thickness_m[i] : -9999;
        s[4].seen[i] = i / COLS == 25 && i % COLS >= 3 && i % COLS <= 8; /* along a line */
    }
    put_numbers("s.asc", thickness);
    put_text(&dir, "dry.json",
             "{\"type\":\"LineString\",\"coordinates\":[[500035,4000045],[500085,4000045]]}");
    open_world(&w, "observed_front a.asc at 5h error_m 12 correlation_m 50\n"
                   "observed_front b.asc at 5h error_m 30 correlation_m 30\n"
                   "observed_front c.asc at 17h error_m 15 part correlation_m 50\n"
                   "observed_front d.asc at 29h error_m 5 within w.asc correlation_m 20\n"
                   "observed_dry dry.json until 20h correlation_m 60\n"
                   "observed_survey s.asc at 29h error_m 0.8 correlation_m 50\n"
                   "observed_correlation_h 10\ndiscrepancy_m 20\n");
    assert_int_equal(w.sights.count, SEEN);
    expect_gains(&w, s, SEEN, 10, 20);

    /* in the cell itself the last that sees it, by its own error */
    static const double until_h[] = {4, 5, 16, 17, 28, 30};
    for (size_t n = 0; n < sizeof until_h / sizeof *until_h; n++)
        for (int i = 0; i < CELLS; i++) {
            static const int order[] = {3, 4, 2, 1}; /* of one time the last in order */
            double odds = 0, time_h = 0;
            for (int k = 0; k < 4 && time_h == 0; k++) {
                const struct seen *o = &s[order[k]];
                if (o->time_h > until_h[n] || !o->seen[i]) continue;
                time_h = o->time_h;
                odds = o->kind == SEEN_DRY ? -ODDS : odds_of_line(o, i, o->error_m);
            }
            const double until_s = until_h[n] * 3600;
            const uint32_t row = (uint32_t)i / COLS, col = (uint32_t)i % COLS;
            const struct sight_here here = sights_odds(&w.sights, until_s, row, col);
            assert_true(fabs(here.odds - odds) < 1e-5);
            assert_int_equal(here.edge, (int)time_h - 1);

            /* but lava that any front shows has come, with the first of them, and stays */
            const struct sight_here told = sights_here(&w.sights, until_s, row, col);
            int first = -1;
            for (int k = 3; k >= 0; k--)
                if (s[k].time_h <= until_h[n] && s[k].lava[i] && (k != 3 || s[k].seen[i]))
                    first = k;
            stays += first >= 0 && odds < 0;

            /* and the last that sees it surely dry ends the arrivals that it excludes */
            int classes = 0;
            for (int k = 0; k < SEEN - 1; k++)
                if (s[k].time_h <= until_h[n] && s[k].seen[i] && s[k].time_h > classes &&
                    (k == 4 || odds_of_line(&s[k], i, s[k].error_m) <= -ODDS))
                    classes = (int)s[k].time_h;
            assert_int_equal(sights_dry_classes(&w.sights, until_s, row, col), classes);
            earlier += classes > 0 && classes < time_h;
            if (first < 0)
                assert_true(told.odds == here.odds && told.edge == here.edge &&
                            told.seen_s == here.seen_s);
            else assert_true(isinf(told.odds) && told.seen_s == s[first].time_h * 3600);
            if (first >= 0) assert_int_equal(told.edge, (int)s[first].time_h - 1);
        }
    assert_true(earlier > 0); /* (by the last one it may be wet) */
    assert_true(stays > 0);   /* (a later front, or a dry place, contradicts it) */
    close_world(&w);
}

/* Sharp lines in a corner: the box of a front ends before the grid. */
static void fronts_in_a_corner(void **state)
{
    static struct seen s[] = {{"a.asc", SEEN_FRONT, 3, 5, 1, true, {0}, {0}, {0}},
                              {"b.asc", SEEN_FRONT, 27, 5, 1, true, {0}, {0}, {0}}};
    struct world w;
    put_disc("a.asc", s[0].lava, 3, 3, 4);
    put_disc("b.asc", s[1].lava, 3, 5, 6);
    memset(s[0].seen, 1, CELLS);
    memset(s[1].seen, 1, CELLS);
    open_world(&w, "observed_front a.asc at 3h error_m 5 correlation_m 30\n"
                   "observed_front b.asc at 27h error_m 5 correlation_m 30\n");
    assert_true(w.sights.of[0].box.rows < ROWS - 5);
    expect_gains(&w, s, 2, 24, 0);
    close_world(&w);
}

static double length_of_line(const unsigned char lava[CELLS])
{
    int edges = 0;
    for (int i = 0; i < CELLS; i++) {
        if (i % COLS) edges += lava[i] != lava[i - 1];
        if (i >= COLS) edges += lava[i] != lava[i - COLS];
    }
    return edges * acos(-1) / 4 * CELL_M;
}

/* Two areas whose errors are normal and correlated: what a front and the growth since another tell beside the shares of both,
 * 1 / (1 + r), is their joint density. The same front twice counts once; a part shows no area. */
static void growth_of_fronts(void **state)
{
    static unsigned char lava[2][CELLS], more[CELLS];
    static struct reached reached[CELLS];
    static double thickness_m[CELLS];
    static int came[CELLS];
    static const double error_m = 10, hours = 12, fade_h = 20;
    const double r = exp(-hours / fade_h);
    struct world w;
    struct error e = {0};
    uint64_t random = 4;
    int floors = 0, ones = 0;
    put_disc("g.asc", lava[0], 14, 12, 6);
    put_disc("h.asc", lava[1], 14, 12, 8);
    put_disc("i.asc", more, 14, 12, 9);
    open_world(&w, "observed_front g.asc at 6h error_m 10 correlation_m 80\n"
                   "observed_front h.asc at 18h error_m 10 correlation_m 80\n"
                   "observed_front i.asc at 20h error_m 30 correlation_m 80 part\n"
                   "observed_correlation_h 20\n");
    const struct sight *o = &w.sights.of[1];
    const double area_m4 = error_m * error_m * 80 *
                           (length_of_line(lava[0]) + length_of_line(lava[1])) / 2,
                 cell_m2 = CELL_M * CELL_M;
    assert_true(w.sights.of[0].front.growth_variance == 0);
    assert_true(w.sights.of[2].front.growth_variance == 0);
    assert_int_equal(o->front.previous, 0);
    for (int n = -20; n <= 20; n++) { /* the joint density of two errors */
        const double z = 0.1 * n, y = 0.07 * n * n - 1,
                     joint = -(z * z - 2 * r * z * y + y * y) / (2 * (1 - r * r)),
                     each = -(z * z + y * y) / (2 * (1 + r)), d = (z - y) * sqrt(area_m4) / cell_m2,
                     growth = -d * d / (2 * o->front.growth_variance);
        assert_true(fabs(joint - each - growth) < 1e-9 * (1 + fabs(joint)));
    }
    double seen = 0;
    for (int i = 0; i < CELLS; i++) seen += lava[1][i] - lava[0][i];
    assert_true(seen > 20);
    for (int round = 0; round < 40; round++) {
        struct sight_of_member mine[3] = {{0}}, plain;
        int count = draw_member(reached, came, thickness_m, &random), grown = 0;
        if (count > 50 + 9 * round) count = 50 + 9 * round;
        for (int i = 0; i < count; i++)
            grown += reached[i].arrival_class > 5 && came_by(reached[i].arrival_class, 18);
        sights_look(&w.sights, mine, reached, count);
        plain = mine[1];
        must(sights_finish(&w.sights, mine, 0, &e), &e);
        const double likely = exp(-(grown - seen) * (grown - seen) / o->front.growth_variance / 2),
                     got = (double)(mine[1].gain - plain.gain) / SIGHTS_UNIT;
        assert_true(fabs(got - log(0.01 + 0.99 * likely)) < 1e-6);
        w.sights.of[1].front.growth_n = 2; /* as if another front had this time */
        mine[1] = plain;
        must(sights_finish(&w.sights, mine, 0, &e), &e);
        assert_true(fabs((double)(mine[1].gain - plain.gain) / SIGHTS_UNIT - got / 2) < 1e-6);
        w.sights.of[1].front.growth_n = 1;
        floors += likely<0.05, ones += likely> 0.95;
    }
    assert_true(floors > 3 && ones > 3);
    close_world(&w);
}

/* The variance of growth is that of both areas: of lines with both errors, or half a cell, correlated over a cell at
 * least. */
static void variance_of_growth(void **state)
{
    static unsigned char lava[2][CELLS];
    put_disc("v.asc", lava[0], 14, 12, 5);
    put_disc("w.asc", lava[1], 15, 11, 8);
    for (int n = 0; n < 8; n++) {
        const double error_m = n % 2 ? 2 : 15, correlation_m = n / 2 % 2 ? 1 : 60;
        char text[300];
        struct world w;
        double edges = 0;
        sprintf(
            text,
            "discrepancy_m %d\nobserved_correlation_h 30\nobserved_front v.asc at 5h error_m %g "
            "correlation_m %g\nobserved_front w.asc at 9h error_m %g correlation_m %g\n",
            n / 4 ? 25 : 0, error_m, correlation_m, error_m, correlation_m);
        open_world(&w, text);
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < CELLS; i++) {
                edges += i % COLS && lava[k][i] != lava[k][i - 1];
                edges += i >= COLS && lava[k][i] != lava[k][i - COLS];
            }
        const double sd = fmax(CELL_M / 2, hypot(error_m, n / 4 ? 25 : 0)) / CELL_M,
                     share = exp(-4 / 30.0),
                     variance =
                         sd * sd * fmax(1, correlation_m / CELL_M) * acos(-1) / 4 * edges / 2;
        assert_true(
            fabs(w.sights.of[1].front.growth_variance / (variance * (1 - share * share) / share) -
                 1) < 1e-9);
        close_world(&w);
    }
}

/* Where the line of a front is nowhere on the grid, all of it is as surely lava as can be. */
static void lava_everywhere(void **state)
{
    double one[CELLS];
    struct world w;
    for (int i = 0; i < CELLS; i++) one[i] = 1;
    put_numbers("all.asc", one);
    open_world(&w, "observed_front all.asc at 5h error_m 20\n");
    const struct sight *o = w.sights.of;
    assert_true(o->box.rows * o->box.cols == CELLS && o->front.lava == CELLS);
    for (int i = 0; i < CELLS; i++) assert_true(fabs((double)o->odds[i] - ODDS) < 1e-6);
    close_world(&w);
}

/* What each observation shows in each cell of the grid: a line of small error on a model of a large one, alone and within
 * an area, two dry places apart, and a survey without lava. */
static void cells_of_the_grid(void **state)
{
    enum { FRONT, DRY, SURVEY, WITHIN };
    static unsigned char lava[CELLS];
    const double sd = hypot(2, 12) / CELL_M, east_m = 500000 + CELL_M * COLS / 2;
    char text[400];
    struct world w;
    struct error e = {0};
    uint64_t within = 0, all = 0;
    put_disc("d.asc", lava, 14, COLS / 2, 5);
    for (int side = 0; side < 2; side++) { /* the western half, with lava, and the eastern edge */
        const double from_m = side ? 500000 + CELL_M * (COLS - 2) : 500000,
                     to_m = side ? 500000 + CELL_M * COLS : east_m,
                     high_m = 4000000 + CELL_M * ROWS;
        sprintf(text,
                "{\"type\":\"Polygon\",\"coordinates\":[[[%.0f,4000000],[%.0f,4000000],[%.0f,%.0f],"
                "[%.0f,%.0f],[%.0f,4000000]]]}",
                from_m, to_m, to_m, high_m, from_m, high_m, from_m);
        put_text(&dir, side ? "edge.json" : "half.json", text);
    }
    put_text(
        &dir, "two.json",
        "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{"
        "\"name\":"
        "\"hut\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[500035,4000045]}},{\"type\":"
        "\"Feature\",\"properties\":{\"name\":\"inn\"},\"geometry\":{\"type\":\"Point\","
        "\"coordinates\":[500155,4000145]}}]}");
    put_text(&dir, "thin.csv", "x,y,thickness_m\n500035,4000045,0\n500155,4000145,2\n");
    open_world(&w, "discrepancy_m 12\nobserved_front d.asc at 5h error_m 2 correlation_m 1\n"
                   "observed_dry two.json until 6h correlation_m 1\n"
                   "observed_survey thin.csv at 7h error_m 1 correlation_m 1\n"
                   "observed_front d.asc at 9h error_m 2 within half.json correlation_m 1\n");
    assert_int_equal(w.sights.count, 4);
    assert_string_equal(w.sights.of[DRY].name, "dry 6 h");
    for (int i = 0; i < CELLS; i++) {
        const int row = i / COLS, col = i % COLS;
        double nearest = INFINITY, odds[4];
        for (int k = 0; k < CELLS; k++)
            if (lava[k] != lava[i]) nearest = fmin(nearest, hypot(k / COLS - row, k % COLS - col));
        for (int k = 0; k < 4; k++)
            odds[k] = (double)sight_odds_at(&w.sights.of[k], (uint32_t)row, (uint32_t)col);
        const double line = clamp(SLOPE * (lava[i] ? nearest - 0.5 : 0.5 - nearest) / sd);
        assert_true(fabs(odds[FRONT] - line) < 1e-5);
        assert_true(col < COLS / 2 ? fabs(odds[WITHIN] - line) < 1e-5 : isnan(odds[WITHIN]));
        const bool hut = row == ROWS - 5 && col == 3, inn = row == ROWS - 15 && col == 15;
        assert_true(hut || inn ? fabs(odds[DRY] + ODDS) < 1e-5 : isnan(odds[DRY]));
        assert_true(hut   ? odds[SURVEY] == 0
                    : inn ? fabs(odds[SURVEY] - 2) < 1e-5
                          : isnan(odds[SURVEY]));
        within += lava[i] && col < COLS / 2, all += lava[i];
    }
    assert_true(within > 9 && within < all);
    assert_true(w.sights.of[FRONT].front.lava == all && w.sights.of[WITHIN].front.lava == within);
    assert_true(fabs(w.sights.of[FRONT].sharper - hypot(2, 12) / (CELL_M / 2)) < 1e-9);
    close_world(&w);
    open_world(&w, "observed_front d.asc at 5h error_m 2\n"); /* not nearer than half a cell */
    assert_true(w.sights.of->sharper == 1);
    for (int k = 0; k < CELLS; k++)
        if (lava[k] && !lava[k + 1])
            assert_true(fabs((double)sight_odds_at(w.sights.of, (uint32_t)(k / COLS),
                                                   (uint32_t)(k % COLS)) -
                             SLOPE) < 1e-5);
    close_world(&w);
    /* beyond the box only what sees all counts, and lava only where it was seen */
    open_world(&w, "observed_front d.asc at 1h error_m 20 correlation_m 60 within half.json\n"
                   "observed_front d.asc at 5h error_m 20 correlation_m 60\n"
                   "observed_front d.asc at 5h error_m 30 correlation_m 60 part\n");
    int whole = 0, seen = 0;
    for (int k = 0; k < 3; k++)
        if (!isnan(w.sights.of[k].beyond)) {
            assert_true(fabs((double)w.sights.of[k].beyond_gain / SIGHTS_UNIT + ODDS / 49) < 1e-6);
            whole++;
        }
    for (int i = 0; i < CELLS; i++) {
        const bool shown = lava[i] && i % COLS < COLS / 2;
        const struct sight_here here =
            sights_here(&w.sights, 2 * 3600, (uint32_t)(i / COLS), (uint32_t)(i % COLS));
        assert_int_equal(isinf(here.odds), shown);
        seen += shown;
    }
    assert_true(whole == 1 && seen > 9);
    close_world(&w);
    assert_int_equal(try_world(&w, "observed_front d.asc at 5h error_m 2 within edge.json\n", &e),
                     ERROR_INPUT);
    assert_non_null(strstr(e.text, "the outline has no lava in the area that was seen"));
    close_world(&w);
}

/* Where a front is moved to, the lava of a member is looked at as if it had moved the other way. */
static void fronts_that_move(void **state)
{
    static const double turn[] = {0, 45, 90, 135, 180, 225, 270, 315}; /* clockwise from north */
    static unsigned char lava[CELLS];
    static struct reached reached[CELLS], back[CELLS];
    static double thickness_m[CELLS];
    static int came[CELLS];
    enum { MEMBERS = 4 * MOVED_SAMPLE }; /* of which some sample is at equal distances */
    struct world w;
    struct moved m;
    struct error e = {0};
    uint64_t random = 8;
    int chosen = 0, of_four[4] = {0}, differ = 0;
    file_cell_m = 50;
    put_disc("m.asc", lava, 14, 12, 3);
    open_world(&w, "observed_front m.asc at 30h error_m 60 correlation_m 100\n");
    file_cell_m = CELL_M;
    const struct sight *o = &w.sights.of[0];
    assert_true(o->box.rows > 12 && o->box.cols > 12 && o->box.rows < ROWS);
    must(moved_open(&m, &w.sights, MEMBERS, &e), &e);
    assert_int_equal(m.sample, MOVED_SAMPLE);
    const int count = draw_member(reached, came, thickness_m, &random);
    for (int i = 0; i < MEMBERS; i++) {
        int64_t before = 0, after = 0;
        const int64_t part = (int64_t)i * m.sample / MEMBERS, *gain = m.gain + part * (MOVES + 1);
        for (int k = 0; k <= MOVES; k++) before += llabs(gain[k]);
        moved_look(&m, i, reached, count);
        for (int k = 0; k <= MOVES; k++) after += llabs(gain[k]);
        of_four[i % 4] += after != before;
        chosen += after != before;
        assert_true(before == 0 || after == before); /* one member of each part */
    }
    assert_int_equal(chosen, MOVED_SAMPLE);
    for (int k = 0; k < 4; k++) assert_true(of_four[k] > chosen / 6 && of_four[k] < chosen / 3);
    for (int k = 0; k <= MOVES; k++) {
        const double away = k < MOVES ? 100.0 * (1 + k / 8) / 50 : 0,
                     angle = turn[k % 8] * acos(-1) / 180, length = hypot(sin(angle), cos(angle));
        const int down = (int)lround(-away * cos(angle) / length),
                  right = (int)lround(away * sin(angle) / length);
        struct sight_of_member mine = {0};
        int64_t off = 0;
        int cells = 0;
        for (int i = 0; i < count; i++) {
            const int row = (int)reached[i].place / COLS - down,
                      col = (int)reached[i].place % COLS - right;
            const bool on = row >= 0 && row < ROWS && col >= 0 && col < COLS;
            if (!on && reached[i].arrival_class <= o->edge) off += o->beyond_gain;
            if (!on) continue;
            back[cells] = reached[i];
            back[cells++].place = (uint32_t)(row * COLS + col);
        }
        sights_look(&w.sights, &mine, back, cells);
        for (int64_t i = 0; i < m.sample; i++)
            assert_int_equal(m.gain[i * (MOVES + 1) + k], mine.gain + off);
        differ += m.gain[k] != m.gain[MOVES];
    }
    assert_true(differ > MOVES / 2);
    moved_free(&m);
    close_world(&w);
}

/* Two lines about the hut, one a day later, and one about another place. */
static void arrivals(void **state)
{
    static const double time_h[] = {9, 9, 33, 9}, error_h[] = {2, 3, 2, 2}, n[] = {2, 2, 1, 1};
    struct world w;
    struct error e = {0};
    put_text(&dir, "hut.json",
             "{\"type\":\"Feature\",\"properties\":{\"name\":\"huts éééééééééééé\"},\"geometry\":"
             "{\"type\":\"LineString\",\"coordinates\":[[500035,4000045],[500085,4000045]]}}");
    put_text(&dir, "inn.json", "{\"type\":\"Point\",\"coordinates\":[500155,4000145]}");
    open_world(
        &w,
        "observed_arrival hut.json at 9h error_h 2\nobserved_arrival hut.json at 9h error_h 3\n"
        "observed_arrival hut.json at 33h error_h 2\nobserved_arrival inn.json at 9h error_h 2\n");
    assert_int_equal(w.sights.count, 4);
    const uint32_t hut = 25 * COLS + 4, inn = 15 * COLS + 15;
    int near = 0;
    /* lava is at the inn for members that came there until twice the error after it was seen */
    const struct sight_here seen = sights_here(&w.sights, 33 * 3600, inn / COLS, inn % COLS);
    assert_true(isinf(seen.odds) && seen.seen_s == 9 * 3600);
    assert_true(came_by(seen.edge, 9 + 2 * 2) && !came_by(seen.edge + 1, 9 + 2 * 2));
    for (int class = 0; class <= EDGES; class += 3) {
        const struct reached reached[] = {
            {.place = inn, .arrival_class = (uint16_t)(EDGES - class)},
            {.place = hut,
             .arrival_class = (uint16_t)(class + class % 2)}, /* either may be first */
            {.place = hut + 1, .arrival_class = (uint16_t)(class + 1 - class % 2)}};
        struct sight_of_member mine[4] = {{0}};
        for (int k = 0; k < 4; k++) mine[k].first = UINT16_MAX;
        sights_look(&w.sights, mine, reached, 3);
        must(sights_finish(&w.sights, mine, 0, &e), &e);
        for (int k = 0; k < 4; k++) {
            const struct sight *o = &w.sights.of[k];
            const int of_hut = strstr(o->line->file, "hut") != NULL;
            char name[SIGHT_NAME]; /* cut after a letter */
            snprintf(name, sizeof name, "huts ééééééééé %g h", o->time_s / 3600);
            assert_true(!of_hut || !strcmp(o->name, name));
            int which = of_hut ? 0 : 3;
            while (time_h[which] * 3600 != o->time_s || error_h[which] * 3600 != o->line->error_s)
                which++;
            const double at = of_hut ? class : EDGES - class,
                         middle_h = at < EDGES ? at + 0.5 : at, /* nothing is known of the end */
                variance = error_h[which] * error_h[which] + (at < EDGES ? 1 / 12.0 : 0),
                         likely = exp(-pow(middle_h - time_h[which], 2) / 2 / variance),
                         fade = time_h[which] > 9 ? 1 + exp(-1) : 1;
            const double gain = log(0.01 + 0.99 * likely) / (n[which] * fade);
            assert_true(fabs((double)mine[k].gain / SIGHTS_UNIT - gain) < 1e-9);
            const bool close = fabs(middle_h - time_h[which]) <= 3 * sqrt(variance);
            assert_int_equal(sight_is_near(o, &mine[k]), close);
            near += close;
        }
    }
    assert_true(near > 8 && near < 4 * EDGES / 6);
    struct sight_of_member never = {.first = UINT16_MAX};
    for (int k = 0; k < 4; k++) {
        struct sight_of_member mine[4] = {never, never, never, never};
        must(sights_finish(&w.sights, mine, 0, &e), &e);
        assert_false(sight_is_near(&w.sights.of[k], &mine[k])); /* lava never came there */
        assert_true(
            fabs((double)mine[k].gain / SIGHTS_UNIT - log(0.01) / w.sights.of[k].arrival.n) < 1e-9);
    }
    char packed[PROBABILITY_TEXT], said[PROBABILITY_TEXT];
    words_fill(said, sizeof said, probability_reached_pack(packed, 12.345600000000001), NULL);
    assert_string_equal(said, "reached, seen at 12.3456 h");
    close_world(&w);
}

/* What is told of observations of which each excludes the other: the nook is a part of the hut, and lava.asc is on both. */
static void contradictions(void **state)
{
    static const char lava[] = "one has lava where the other has none at that time or later; in ",
                      apart[] = "their times differ by more than their errors allow; ";
    static const struct {
        const char *lines, *told; /* NULL: they agree */
    } cases[] = {
        {"observed_dry nook.json until 20h\nobserved_arrival nook.json at 8h error_h 1\n", lava},
        {"observed_dry hut.json until 20h\nobserved_arrival nook.json at 8h error_h 1\n", lava},
        {"observed_front other.asc at 24h error_m 12\nobserved_arrival nook.json at 8h error_h 1\n",
         lava},
        {"observed_front lava.asc at 12h error_m 12\nobserved_arrival nook.json at 20h error_h 1\n",
         lava},
        {"observed_arrival nook.json at 3h error_h 1\nobserved_arrival nook.json at 40h error_h "
         "1\n",
         apart},
        {"observed_arrival nook.json at 3h error_h 1\nobserved_arrival hut.json at 40h error_h 1\n",
         apart},
        /* three errors of both, of 3 and 4 h, are 15 h */
        {"observed_arrival nook.json at 3h error_h 3\nobserved_arrival nook.json at 19h error_h "
         "4\n",
         apart},
        {"observed_arrival nook.json at 3h error_h 3\nobserved_arrival nook.json at 18h error_h "
         "4\n",
         NULL},
        /* the errors allow it */
        {"observed_dry nook.json until 20h\nobserved_arrival nook.json at 8h error_h 5\n", NULL},
        {"observed_front lava.asc at 12h error_m 12\nobserved_arrival nook.json at 20h error_h 3\n",
         NULL},
        {"observed_arrival nook.json at 3h error_h 8\nobserved_arrival nook.json at 40h error_h "
         "10\n",
         NULL},
        /* time and place do */
        {"observed_dry nook.json until 8h\nobserved_arrival nook.json at 8h error_h 1\n", NULL},
        {"observed_dry nook.json until 20h\nobserved_arrival hut.json at 8h error_h 1\n", NULL},
        {"observed_front lava.asc at 24h error_m 12\nobserved_arrival nook.json at 8h error_h 1\n",
         NULL},
        {"observed_front other.asc at 12h error_m 12\nobserved_arrival nook.json at 20h error_h "
         "1\n",
         NULL},
        {"observed_arrival hut.json at 3h error_h 1\nobserved_arrival nook.json at 40h error_h 1\n",
         NULL},
    };
    static unsigned char mark[CELLS];
    put_text(&dir, "nook.json", "{\"type\":\"Point\",\"coordinates\":[500045,4000045]}");
    put_disc("lava.asc", mark, 25, 5, 5);
    put_disc("other.asc", mark, 8, 20, 4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world w;
        open_world(&w, cases[i].lines);
        const char *told = w.sights.told.warning;
        assert_int_equal(w.sights.count, 2);
        assert_int_equal(w.sights.told.count, cases[i].told != NULL);
        if (cases[i].told) {
            const struct seen_line *l = w.plan->keys.seen.line;
            assert_non_null(strstr(told, cases[i].told));
            for (int k = 0; k < 2; k++) { /* their files are named, with their lines */
                char source[100];
                snprintf(source, sizeof source, "%.80s (", l[k].file);
                assert_non_null(strstr(told, source));
                sprintf(source, "seen.cfg:%d)", l[k].line);
                assert_non_null(strstr(told, source));
            }
        }
        close_world(&w);
    }
}

/* Two ends, one of them by two who differ on its error: all three count as one. Lava comes for 9 h, and an end is near
 * up to three errors from that, whichever way and however many ends there are. */
static void ends(void **state)
{
    static const double time_h[] = {7, 7, 12.5}, error_h[] = {1, 0.5, 1.25};
    struct error e = {0};
    put_text(&dir, "rates.csv", "vent,from_h,to_h,rate_m3_s\n1,0,4,2\n1,6,9,3\n1,9,14,0\n");
    for (int count = 1; count <= 3; count++) {
        struct world w;
        char lines[200] = "";
        int near = 0;
        for (int k = 0; k < count; k++)
            sprintf(lines + strlen(lines), "observed_end %gh error_h %g\n", time_h[k], error_h[k]);
        open_world(&w, lines);
        assert_int_equal(w.sights.count, count);
        struct sight_of_member mine[3] = {{0}};
        must(sights_finish(&w.sights, mine, 0, &e), &e);
        for (int k = 0; k < count; k++) {
            const struct sight *o = &w.sights.of[k];
            const double z = (9 - o->time_s / 3600) / (o->line->error_s / 3600),
                         gain = log(0.01 + 0.99 * exp(-z * z / 2)) / count;
            assert_true(fabs((double)mine[k].gain / SIGHTS_UNIT - gain) < 1e-9);
            assert_int_equal(sight_is_near(o, &mine[k]), fabs(z) <= 3);
            near += fabs(z) <= 3;
        }
        assert_int_equal(near, count - (count > 1)); /* one is four errors away */
        close_world(&w);
    }
    put_text(&dir, "rates.csv", CASE_RATES);
}

/* Two intervals that touch, and one an hour later: the error of each, given that of the one before. */
static void rates_in_a_row(void **state)
{
    static const double from_h[] = {0, 2, 5}, to_h[] = {2, 4, 8}, seen[] = {3, 4, 1},
                        factor[] = {1.5, 2, 1.3}, emitted = 2;
    const double floor = 0.01 * (3 * 2 + 4 * 2 + 1 * 3) / 8;
    char rows[200] = "vent,from_h,to_h,rate_m3_s,factor\n";
    struct error e = {0};
    struct sight_of_member mine[3] = {{0}};
    struct world w;
    put_text(&dir, "rates.csv", "vent,from_h,to_h,rate_m3_s\n1,0,9,2\n");
    for (int k = 0; k < 3; k++)
        sprintf(rows + strlen(rows), "1,%g,%g,%g,%g\n", from_h[k], to_h[k], seen[k], factor[k]);
    put_text(&dir, "measured.csv", rows);
    open_world(&w, "weigh_rates measured.csv\n");
    assert_int_equal(w.sights.count, 3);
    must(sights_finish(&w.sights, mine, 0, &e), &e);
    double before = 0, middle_h = 0;
    for (int k = 0; k < 3; k++) {
        const double miss = log((seen[k] + floor) / (emitted + floor)) / log(factor[k]),
                     at_h = (from_h[k] + to_h[k]) / 2,
                     r = k ? pow(0.7, (at_h - middle_h) / 24) : 0, /* a day later: 0.7 */
            error = (miss - r * before) / sqrt(1 - r * r);
        assert_true(w.sights.of[k].time_s == to_h[k] * 3600);
        assert_true(fabs((double)mine[k].gain / SIGHTS_UNIT + fmin(12, error * error / 2)) < 0.02);
        assert_true(!k || fabs(error - miss) > 0.5); /* that of the one before tells something */
        before = miss, middle_h = at_h;
    }
    close_world(&w);
    put_text(&dir, "rates.csv", CASE_RATES);
}

/* Rows of two tables, of intervals that overlap: each interval once, with the sum of its rows, the error of its first row,
 * and the correlation with the last that ends before it. Rates link to those of their own table. */
static void rates_of_tables(void **state)
{
    static const struct {
        double from_h, to_h, rate, factor;
    } rows[2][7] = {{{0, 2, 3, 1.5},
                     {0, 4, 2, 2},
                     {0, 2, 1, 1.5},
                     {2, 4, 5, 1.2},
                     {1, 2, 4, 1.4},
                     {4, 9, 6, 1.1}},
                    {{0, 3, 7, 1.3}, {5, 8, 2, 1.25}}};
    struct world w;
    put_text(&dir, "rates.csv", "vent,from_h,to_h,rate_m3_s\n1,0,9,2\n");
    for (int zero = 0; zero < 2; zero++) {
        for (int n = 0; n < 2; n++) {
            char text[400] = "vent,from_h,to_h,rate_m3_s,factor\n";
            for (int k = 0; k < 7 && rows[n][k].to_h > 0; k++)
                sprintf(strchr(text, '\0'), "%d,%g,%g,%g,%g\n", k + 1, rows[n][k].from_h,
                        rows[n][k].to_h, zero ? 0 : rows[n][k].rate, rows[n][k].factor);
            put_text(&dir, n ? "second.csv" : "first.csv", text);
        }
        open_world(&w, "weigh_rates first.csv\nweigh_rates second.csv\n");
        assert_int_equal(w.sights.count, 5 + 2);
        for (int i = 0; i < w.sights.count; i++) {
            const struct sight *o = &w.sights.of[i];
            const int n = strstr(o->line->file, "second") != NULL;
            double mean = 0, factor = 0, middle_h = -1, volume_h = 0, end_h = 0;
            int previous = -1;
            for (int k = 0; k < 7 && rows[n][k].to_h > 0; k++) {
                const double from_s = 3600 * rows[n][k].from_h, to_s = 3600 * rows[n][k].to_h,
                             middle = (rows[n][k].from_h + rows[n][k].to_h) / 2;
                if (from_s == o->rate.from_s && to_s == o->time_s) {
                    mean += zero ? 0 : rows[n][k].rate;
                    if (!(factor > 0)) factor = rows[n][k].factor;
                }
                if (to_s <= o->rate.from_s) middle_h = fmax(middle_h, middle);
                volume_h += (zero ? 0 : rows[n][k].rate) * (to_s - from_s) / 3600;
                end_h = fmax(end_h, to_s / 3600);
            }
            for (int k = 0; k < i; k++)
                if (w.sights.of[k].line == o->line && w.sights.of[k].time_s <= o->rate.from_s)
                    previous = k;
            const double at_h = (o->rate.from_s + o->time_s) / 7200;
            assert_true(factor > 0 && fabs(o->rate.mean_m3_s - mean) < 1e-12);
            assert_true(fabs(o->rate.sd - log(factor)) < 1e-12);
            assert_true(fabs(o->rate.before -
                             (middle_h < 0 ? 0 : pow(0.7, (at_h - middle_h) / 24))) < 1e-12);
            assert_true(fabs(o->rate.floor_m3_s - 0.01 * (zero ? 2 : volume_h / end_h)) < 1e-9);
            assert_int_equal(o->rate.previous, previous);
        }
        close_world(&w);
    }
    struct error e = {0}; /* members draw from the table that would weigh them */
    put_text(&dir, "drawn.csv", "vent,from_h,to_h,rate_m3_s,factor\n1,0,2,3,1.5\n");
    char text[2000];
    snprintf(text, sizeof text, "%sobserved_rates drawn.csv\nweigh_rates ./drawn.csv\n",
             PLAN_OF_SEEN);
    const char *own = strstr(text, "rates rates.csv\n");
    memmove(text + (own - text), own + strlen("rates rates.csv\n"),
            strlen(own + strlen("rates rates.csv\n")) + 1);
    put_text(&dir, "drawn.cfg", text);
    w = (struct world){.s.source = &w.source};
    must(plan_load(&w.plan, scratch_file(&dir, "drawn.cfg"), &e), &e);
    must(axis_create(&w.s.arrival_s, 120, 3600, EDGES, NULL, 0, &e), &e);
    assert_int_equal(sights_create(&w.sights, w.plan, &w.s, NAN, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "so it would count twice; remove the line weigh_rates"));
    close_world(&w);
    put_text(&dir, "rates.csv", CASE_RATES);
}

/* ---- weights --------------------------------------------------------------------------------- */

enum { MEMBERS = 300, SIGHTS = 4 };

struct weighed {
    struct plan plan;
    struct ensemble_source source;
    struct sight sight[SIGHTS];
    struct sight_of_member mine[MEMBERS * SIGHTS];
    struct nowcast_set set[3];
    struct nowcast x;
    uint64_t before[MEMBERS];
};

/* Of the log-likelihoods until then, to a power: the weights, and the effective number of members. */
static double weights_of(double w[MEMBERS], const struct weighed *m, double until_s, double power)
{
    double log[MEMBERS], most = -INFINITY, sum = 0, squares = 0;
    for (int i = 0; i < MEMBERS; i++) {
        log[i] = 0;
        for (int k = 0; k < SIGHTS; k++)
            if (m->sight[k].time_s <= until_s)
                log[i] += (double)m->mine[i * SIGHTS + k].gain / SIGHTS_UNIT;
        if (m->before[i]) most = fmax(most, log[i]);
    }
    for (int i = 0; i < MEMBERS; i++) {
        w[i] = m->before[i] ? (double)m->before[i] * exp(power * (log[i] - most)) : 0;
        sum += w[i], squares += w[i] * w[i];
    }
    return sum * sum / squares;
}

static void weigh(struct weighed *m, double spread, uint64_t seed)
{
    struct error e = {0};
    m->source.count = MEMBERS;
    m->x = (struct nowcast){.mine = m->mine, .set = m->set, .sets = 3};
    m->x.ask.of.s.source = &m->source;
    m->x.sights = (struct sights){.count = SIGHTS, .of = m->sight, .plan = &m->plan};
    for (int k = 0; k < SIGHTS; k++) m->sight[k].time_s = 3600 * k;
    for (int i = 0; i < MEMBERS; i++) {
        m->before[i] = i % 7 ? 1 + (uint64_t)(9 * random_unit(&seed)) : 0;
        for (int k = 0; k < SIGHTS; k++)
            m->mine[i * SIGHTS + k].gain = (int64_t)(-spread * random_unit(&seed) * SIGHTS_UNIT);
        if (!m->before[i]) m->mine[i * SIGHTS].gain = (int64_t)(2000 * SIGHTS_UNIT); /* whatever */
    }
    static const double until_s[] = {-INFINITY, 3600, 3 * 3600};
    for (int n = 0; n < 3; n++) m->set[n] = (struct nowcast_set){.until_s = until_s[n]};
    must(nowcast_weigh(&m->x, m->before, &e), &e);
}

/* A likelihood that leaves enough members is taken whole, another to the greatest power that does. */
static void likelihoods_are_tempered(void **state)
{
    static struct weighed m;
    static struct plan_draws draws;
    int whole = 0, tempered = 0;
    m.plan.keys.seen.least_share = 0.2;
    for (int round = 0; round < 8; round++) {
        double w[MEMBERS], least;
        m.plan.draws = round % 2 ? &draws : NULL;
        weigh(&m, round / 2 * 3, (uint64_t)round + 1);
        const double none = weights_of(w, &m, INFINITY, 0);
        least = round % 2 ? 0.2 * (MEMBERS - MEMBERS / 7 - 1) : 0.2 * none;
        for (int n = 1; n < 3; n++) {
            const struct nowcast_set *s = &m.set[n];
            const double full = weights_of(w, &m, s->until_s, 1);
            double most = 0;
            uint64_t sum = 0;
            assert_true(fabs(s->full / full - 1) < 1e-9);
            assert_true(full >= least ? s->power == 1 : s->power > 0 && s->power < 1);
            if (s->power < 1) assert_true(weights_of(w, &m, s->until_s, s->power + 1e-9) < least);
            assert_true(weights_of(w, &m, s->until_s, s->power) >= least * (1 - 1e-9));
            for (int i = 0; i < MEMBERS; i++) most = fmax(most, w[i]);
            for (int i = 0; i < MEMBERS; i++) {
                const double share = (double)s->weight[i] / 16777216 * most;
                assert_true(w[i] > 0 ? s->weight[i] > 0 : s->weight[i] == 0);
                assert_true(round < 2 || fabs(share - w[i]) <= most / 16777216);
                sum += s->weight[i];
            }
            assert_true(s->sum == sum);
            whole += s->power == 1, tempered += s->power < 1;
        }
        assert_memory_equal(m.set[0].weight, m.before, sizeof m.before);
        for (int n = 0; n < 3; n++) free(m.set[n].weight);
    }
    assert_true(whole > 4 && tempered > 4);
}

/* Whole weights are divided by what they have in common, others become parts of 2^24. */
static void weights_are_whole_numbers(void **state)
{
    static const double wholes[] = {6, 0, 9, 15}, parts[] = {0.5, 1e-300, 0, 0.125};
    static const uint64_t of_wholes[] = {2, 0, 3, 5}, of_parts[] = {16777216, 1, 0, 4194304};
    uint64_t w[4];
    ask_round(w, wholes, 4);
    assert_memory_equal(w, of_wholes, sizeof w);
    ask_round(w, parts, 4);
    assert_memory_equal(w, of_parts, sizeof w);
    ask_round(w, (const double[]){33554432, 16777216, 0, 0}, 4); /* too large: halved, and so on */
    assert_memory_equal(w, ((const uint64_t[]){2, 1, 0, 0}), sizeof w);
}

/* Where most members had lava and it was seen dry, they count as (1 + later) / 2 at most; lava comes later as to members without
 * any and, with the weight of a tenth of all, as to margins. */
static void dry_where_members_had_lava(void **state)
{
    int capped = 0;
    for (double later = 0; later < 1.1; later += 0.25)
        for (double odds = -ODDS; odds < 1; odds += 0.3)
            for (int k = 0; k <= 20; k++) {
                const double all = 400, since = 20 * k, before = since / all,
                             most = (1 + later) / 2;
                const bool capping = odds < 0 && before > most;
                const double prior = capping ? most : before,
                             had = exp(odds) * prior / (exp(odds) * prior + 1 - prior),
                             tenth = capping ? 0.1 : 0,
                             dry = before + tenth < 1 || capping ? (1 - had) / (1 - before + tenth)
                                                                 : 0,
                             comes = had + dry * (tenth * later + (1 - before) / 2);
                const struct nowcast_share of = nowcast_share(odds, since, all, later);
                const struct sight_here here = {.odds = odds};
                assert_true(fabs(of.came * since - (before > 0 ? had + dry * tenth * later : 0)) <
                            1e-12);
                if (before < 1) assert_true(fabs(of.other * all - dry) < 1e-12);
                assert_true(of.came * since + of.other * (all - since) < 1 + 1e-12);
                capped += capping;
                if (before == 1 && !capping) continue;
                const double reached =
                    since + 0.5 * (all - since); /* in the end, and a third by an hour */
                assert_true(fabs(nowcast_given(here, since, since, reached, all, later) - comes) <
                            1e-12);
                assert_true(fabs(nowcast_given(here, since / 3, since, since / 3, all, later) -
                                 of.came * since / 3) < 1e-12);
            }
    assert_true(capped > 200);
}

/* ---- a place --------------------------------------------------------------------------------- */

/* Lava came to a place when it was first seen in any of its cells or in it as a whole, in whatever order lines say so, and as
 * far as it was seen by then. */
static void places_since_they_were_seen(void **state)
{
    enum { PLACES = 4 };
    static const double never = 99, seen_h[PLACES][2] = {
                                        {9, 9}, {99, 15}, {99, 20}, {11, 11}}; /* by 12 h; at all */
    static const uint32_t row = 25 * COLS, inn = 15 * COLS + 15, dot = 12 * COLS + 9;
    uint32_t line[] = {row + 3, row + 4, row + 5, row + 6, row + 7, row + 8}, two[] = {dot, inn},
             one[] = {inn}, twice[] = {dot + 1};
    struct asset places[PLACES] = {{.cells = 6, .cell = line},
                                   {.cells = 2, .cell = two},
                                   {.cells = 1, .cell = one},
                                   {.cells = 1, .cell = twice}};
    struct world w;
    struct nowcast_set set[NOWCAST_SETS] = {
        {.until_s = -INFINITY}, {.until_s = 12 * 3600}, {.until_s = INFINITY}};
    struct error e = {0};
    put_text(&dir, "line.json",
             "{\"type\":\"LineString\",\"coordinates\":[[500035,4000045],[500085,4000045]]}");
    put_text(&dir, "inn.json", "{\"type\":\"Point\",\"coordinates\":[500155,4000145]}");
    put_text(&dir, "dot.json", "{\"type\":\"Point\",\"coordinates\":[500095,4000175]}");
    put_text(&dir, "twice.json", "{\"type\":\"Point\",\"coordinates\":[500105,4000175]}");
    open_world(
        &w,
        "observed_arrival line.json at 33h error_h 2\nobserved_arrival line.json at 9h error_h 2\n"
        "observed_arrival inn.json at 20h error_h 2\nobserved_arrival dot.json at 15h error_h 2\n"
        "observed_arrival twice.json at 30h error_h 2\nobserved_arrival twice.json at 11h error_h "
        "2\n");
    struct nowcast x = {
        .ask.of = {.plan = w.plan, .s = w.s}, .sights = w.sights, .set = set, .places = PLACES};
    x.ask.of.s.assets.count = PLACES;
    x.ask.of.s.assets.asset = places;
    must(nowcast_look_at_places(&x, &e), &e);
    for (int i = 0; i < PLACES; i++)
        for (int k = 0; k < 2; k++) {
            const double reached_s = nowcast_reached_s(&x, k ? NOWCAST_NOW : NOWCAST_YESTERDAY, i);
            if (seen_h[i][k] < never) assert_true(reached_s == seen_h[i][k] * 3600);
            else assert_true(isnan(reached_s));
        }
    free(x.here);
    close_world(&w);
}

/* By the weights, times the odds of lava there for members that had it when the place was seen. */
static void places_as_they_were_seen(void **state)
{
    enum { PLACES = 3 };
    static struct weighed m;
    static struct reached at[MEMBERS * PLACES];
    struct asset places[PLACES] = {{.bare = false}};
    struct sight_here here[3 * PLACES] = {{0}};
    struct error e = {0};
    uint64_t random = 3;
    m.plan.keys.seen.least_share = 0.2;
    weigh(&m, 3, 5);
    struct ensemble *s = &m.x.ask.of.s;
    must(axis_create(&s->arrival_s, 120, 3600, EDGES, NULL, 0, &e), &e);
    s->assets.count = m.x.places = PLACES;
    s->assets.asset = places;
    m.x.ask.place = at;
    m.x.here = here;
    for (int i = 0; i < MEMBERS * PLACES; i++)
        at[i] = (struct reached){.share_q = random_unit(&random) < 0.6,
                                 .arrival_class = (uint16_t)((EDGES + 1) * random_unit(&random))};
    here[2 * PLACES] = (struct sight_here){-ODDS, 12, 0, 13}; /* dry at 13 h */
    here[2 * PLACES + 1] = (struct sight_here){2, 20, 0, 0};
    here[2 * PLACES + 2] = (struct sight_here){INFINITY, 14, 54000, 0}; /* lava at 15 h */
    /* nothing was seen */
    for (int k = 0; k < PLACES; k++) here[PLACES + k] = (struct sight_here){0, -1, 0, 0};
    for (int set = 1; set < 3; set++)
        for (int place = 0; place < PLACES; place++) {
            const struct sight_here h = here[set * PLACES + place];
            double last[EDGES + 2], all = 0;
            for (int class = 0; class <= EDGES + 1; class ++) last[class] = 0;
            for (int i = 0; i < MEMBERS; i++) {
                const struct reached *r = &at[i * PLACES + place];
                const bool was = r->share_q && r->arrival_class <= h.edge;
                const double w = (double)m.set[set].weight[i] * (isinf(h.odds) ? was
                                                                 : was         ? exp(h.odds)
                                                                               : 1);
                all += w;
                for (int class = r->share_q ? r->arrival_class : EDGES + 1; class <= EDGES;
                     class ++)
                    last[class] += w;
            }
            for (int hour = 0; hour <= EDGES; hour++) {
                const double p = hour ? last[hour - 1] / all : 0;
                assert_true(fabs(nowcast_at_place(&m.x, set, place, 3600.0 * hour) - p) < 1e-9);
            }
            assert_true(fabs(nowcast_at_place(&m.x, set, place, INFINITY) - last[EDGES] / all) <
                        1e-9);
            for (double p = 0.013; p < 1; p += 0.037) {
                int class = 0;
                while (class < EDGES && last[class] < p * all) class ++;
                const double earliest_s = nowcast_earliest_s(&m.x, set, place, p);
                if (last[EDGES] < p * all) assert_true(isnan(earliest_s));
                else assert_true(earliest_s == 3600.0 * (class < h.dry ? h.dry : class));
                assert_true(!isinf(h.odds) || earliest_s <= h.seen_s);
            }
        }
    for (int n = 0; n < 3; n++) free(m.set[n].weight);
    axis_free(&s->arrival_s);
}

/* As FIRMS lists them: degrees of the middle of a pixel, which GDAL has brought there, its size, when, and how sure: from 50 %
 * on, as less would be evidence of no lava, to 99 %. */
static void hot_spots_of_a_file(void **state)
{
    static const struct {
        double time_s, right_m, down_m, radius_m, percent;
    } spots[] = {{20820, 135, 155, 25, 90},  {65100, 35, 45, 32.5, 99}, {65100, 135, 155, 25, 70},
                 {107220, 135, 155, 25, 50}, {107220, 35, 45, 25, 50},  {107220, 135, 155, 25, 99}};
    enum { SPOTS = sizeof spots / sizeof *spots };
    struct world w;
    int found = 0;
    put_text(&dir, "hot.csv",
             "latitude,longitude,scan,track,acq_date,acq_time,confidence\n"
             "36.147017107887,15.000389061625,0.06,0.025,2006-07-15,5,h\n"
             "36.146025369551,15.001500647376,0.03,0.04,2006-07-14,1147,nominal\n"
             "36.146025369551,15.001500647376,0.04,0.03,2006-07-15,5,70\n"
             "36.146025369551,15.001500647376,0.03,0.04,2006-07-14,1147,n\n" /* is there */
             "36.146025369551,15.001500647376,0.03,0.04,2006-07-15,1147,30\n"
             "36.147017107887,15.000389061625,0.03,0.04,2006-07-15,1147,low\n"
             "36.146025369551,15.001500647376,0.03,0.04,2006-07-15,1147,100\n"
             "36.146025369551,15.001500647376,0.03,0.04,2006-07-14,0559,h\n" /* before it began */
             "36.146025369551,15.001500647376,0.03,0.04,2006-07-14,0600,h\n" /* as it began */
             "36.2,15.001500647376,0.03,0.04,2006-07-15,5,h\n");             /* elsewhere */
    open_world(&w, "observed_hot_spots hot.csv\n");
    assert_int_equal(w.sights.count, 3);
    for (int k = 0; k < 3; k++) {
        const struct sight *o = &w.sights.of[k];
        for (int n = 0; n < o->hot.count; n++, found++) {
            const struct hot_spot *s = &o->hot.spot[n];
            int same = 0;
            for (int i = 0; i < SPOTS; i++)
                same += o->time_s == spots[i].time_s &&
                        fabs(s->col * CELL_M - spots[i].right_m) < 1e-3 &&
                        fabs(s->row * CELL_M - spots[i].down_m) < 1e-3 &&
                        fabs(s->radius * CELL_M - spots[i].radius_m) < 1e-9 &&
                        fabs(s->odds - log(spots[i].percent / (100 - spots[i].percent))) < 1e-12;
            assert_int_equal(same, 1);
            for (int i = 0; i < CELLS; i++) { /* those with their middle in its circle */
                const int row = i / COLS - o->box.row0, col = i % COLS - o->box.col0;
                const bool in_box = row >= 0 && col >= 0 && row < o->box.rows && col < o->box.cols;
                const bool near =
                    hypot(i / COLS + 0.5 - s->row, i % COLS + 0.5 - s->col) <= s->radius;
                assert_int_equal(in_box && (o->hot.bits[row * o->box.cols + col] >> n & 1), near);
            }
        }
    }
    assert_int_equal(found, SPOTS);
    close_world(&w);
}

/* Of two with the same information each counts by its share of their power, if that is asked for; the third is alone. */
static void hot_spots_by_power(void **state)
{
    static const double n[2][3] = {{2, 2, 1}, {4, 4.0 / 3, 1}};
    put_text(&dir, "power.csv",
             "latitude,longitude,acq_date,acq_time,confidence,instrument,scan,track,frp\n"
             "36.146025369551,15.001500647376,2006-07-15,00:05,h,VIIRS,0.04,0.03,1.5\n"
             "36.146025369551,15.001600647376,2006-07-15,00:05:00,H,VIIRS,0.04,0.03,4.5\n"
             "36.147017107887,15.000389061625,2006-07-15,0005,High,VIIRS,0.04,0.03,2\n");
    for (int frp = 0; frp < 2; frp++) {
        struct world w;
        open_world(&w, frp ? "observed_hot_spots power.csv frp correlation_m 30\n"
                           : "observed_hot_spots power.csv correlation_m 30\n");
        assert_true(w.sights.count == 1 && w.sights.of->hot.count == 3);
        for (int i = 0; i < 3;
             i++) { /* the northern one is the third, the eastern one the second */
            const struct hot_spot *s = &w.sights.of->hot.spot[i];
            const int number = s->row < 10 ? 2 : s->col > 14 ? 1 : 0;
            assert_true(fabs(s->n - n[frp][number]) < 1e-12);
            assert_true(number == 2 || fabs(s->row - 15.5) < 1e-3);
        }
        /* lava of a member by then in one cell of the terrain counts for each spot around the cell */
        const struct sight *o = w.sights.of;
        int alone = 0, together = 0;
        for (int i = 0; i < 2 * CELLS; i++) {
            const struct reached one = {.place = (uint32_t)(i / 2),
                                        .arrival_class = (uint16_t)(o->edge + i % 2)};
            struct sight_of_member mine = {.first = UINT16_MAX};
            struct error e = {0};
            const int row = i / 2 / COLS - o->box.row0, col = i / 2 % COLS - o->box.col0;
            const bool in_box = row >= 0 && col >= 0 && row < o->box.rows && col < o->box.cols;
            double gain = 0;
            int spots = 0;
            for (int k = 0; k < 3 && in_box && i % 2 == 0; k++)
                if (o->hot.bits[row * o->box.cols + col] >> k & 1)
                    gain += o->hot.spot[k].odds / o->hot.spot[k].n, spots++;
            sights_look(&w.sights, &mine, &one, 1);
            must(sights_finish(&w.sights, &mine, 0, &e), &e);
            assert_true(fabs((double)mine.gain / SIGHTS_UNIT - gain) < 1e-9);
            alone += spots == 1, together += spots == 2;
        }
        assert_true(alone > 0 && together > 0);
        close_world(&w);
    }
}

/* What is seen when the last member ends counts; what is seen later does not, and that is told. */
static void later_than_every_member(void **state)
{
    static const double end_h[] = {30, 29, 28.999, 5};
    static const int counts[] = {3, 2, 1, 1};
    static unsigned char lava[CELLS];
    struct plan_outlook outlook = {.end_s = 0};
    struct error e = {0};
    struct world w;
    put_disc("b.asc", lava, 12, 18, 2);
    put_disc("a.asc", lava, 12, 10, 6);
    open_world(&w, "observed_front a.asc at 5h error_m 12\nobserved_front a.asc at 29h error_m 12\n"
                   "observed_front a.asc at 29.5h error_m 12\n");
    assert_int_equal(w.sights.count, 3); /* where no end is known */
    w.source.outlook = &outlook;
    for (int i = 0; i < 4; i++) {
        sights_free(&w.sights);
        outlook.end_s = end_h[i] * 3600;
        must(sights_create(&w.sights, w.plan, &w.s, NAN, &e), &e);
        assert_int_equal(w.sights.count, counts[i]);
        assert_int_equal(w.sights.told.count, counts[i] < 3);
    }
    close_world(&w);
    /* nor does it hide what contradicts */
    open_world(&w, "observed_front a.asc at 5h error_m 12\nobserved_front b.asc at 6h error_m 12\n"
                   "observed_front a.asc at 29h error_m 12\n");
    w.source.outlook = &outlook;
    sights_free(&w.sights);
    outlook.end_s = 10 * 3600;
    must(sights_create(&w.sights, w.plan, &w.s, NAN, &e), &e);
    assert_int_equal(w.sights.told.count, 2);
    close_world(&w);
}

/* What is said of observations and forecasts after the end of all members, by the keys of the plan that make them longer:
 * nothing is later than lava at rest. */
static void sentences_on_what_is_late(void **state)
{
    static const double seen_h[] = {5, 7, 9.01}, end_h[] = {9.01, 8, 7, 6, 4.001000001};
    static unsigned char lava[CELLS];
    struct plan_outlook outlook = {.end_s = 0};
    struct world w;
    int ends[4] = {0}; /* it is refused, all are late, some are, none is */
    put_disc("a.asc", lava, 12, 10, 6);
    open_world(&w,
               "observed_front a.asc at 7h error_m 12\nobserved_front a.asc at 9.01h error_m 12\n"
               "observed_front a.asc at 5h error_m 12\n");
    w.source.outlook = &outlook;
    for (int n = 0; n < 5 * 5 * 9; n++) {
        const int at_rest = n % 3, keys = n / 3 % 3, given = n / 9 % 5;
        const double end = end_h[n / 45], nows[] = {NAN, end, rint(end * 100) / 100 + 0.51, 7, 4.5},
                     now = nows[given];
        struct error e = {0};
        char longer[200], text[1000] = "", remedy[300] = "";
        int count = 0, late = 0;
        sights_free(&w.sights);
        outlook.end_s = 3600 * end;
        w.plan->keys.stop_at_rest = at_rest == 1;
        w.plan->base.problem.stop_when_still = at_rest == 2;
        w.plan->keys.run_s = keys == 1 ? 3600 : 0;
        w.plan->base.max_steps = keys == 2 ? 0 : 100;
        const double last = isnan(now) || now > 9.01 ? 9.01 : now >= 7 ? 7 : 5;
        for (int k = 0; k < 3; k++) {
            const bool by_now = isnan(now) || seen_h[k] <= now;
            count += by_now, late += by_now && seen_h[k] > end;
        }
        const bool beyond = now > end && !at_rest;
        const double until_h = beyond ? now : last;
        sprintf(longer,
                keys ? "give the plan 'run_h %g' or more" : "give the plan 'max_steps %g' or more",
                keys ? until_h : ceil(30 * until_h - 1e-9)); /* of 120 s each */
        strcat(longer, "; sciara nowcast PLAN then computes its members");
        char more[40] = "";
        if (late > 1) sprintf(more, " (and %d more)", late - 1);
        sprintf(text,
                at_rest ? "front %g h%s is later than the end of every simulated eruption, %g h, "
                          "when its lava was at rest"
                        : "front %g h%s does not count: it is later than the end of every "
                          "simulated eruption, %g h",
                last, more, end);
        sprintf(remedy, at_rest ? "check its time" : "correct its time, or %s", longer);
        const int status = sights_create(&w.sights, w.plan, &w.s, 3600 * now, &e);
        const int got = w.sights.count;
        if (beyond)
            sprintf(text,
                    "now: %g h is later than the end of every member, %g h; correct it, or %s", now,
                    end, longer);
        else if (count == 0) strcpy(text, "has no observation by then; add a line");
        else if (late == count && !at_rest) sprintf(strchr(text, '\0'), "; %s", remedy);
        if (beyond || !count || (late == count && !at_rest)) {
            ends[!beyond && count]++;
            assert_int_equal(status, ERROR_INPUT);
            if (!strstr(e.text, text)) fail_msg("%s, not %s", e.text, text);
            continue;
        }
        ends[late ? 2 : 3]++;
        must(status, &e);
        assert_int_equal(got, at_rest ? count : count - late);
        sprintf(strchr(text, '\0'), "; %s", remedy);
        if (strcmp(w.sights.told.warning, late ? text : ""))
            fail_msg("%s, not %s", w.sights.told.warning, text);
    }
    for (int k = 0; k < 4; k++) assert_true(ends[k] > 2);
    close_world(&w);
}

/* The member of the largest weight, and the largest of those that have 95 % of it, the heaviest first. */
static void members_that_pages_name(void **state)
{
    static struct weighed m;
    static struct member_result result[MEMBERS];
    uint64_t random = 8;
    m.plan.keys.seen.least_share = 0.1;
    weigh(&m, 6, 2);
    m.x.ask.of.s.result = result;
    for (int i = 0; i < MEMBERS; i++) result[i].cells = (uint64_t)(5000 * random_unit(&random));
    const uint64_t *w = m.set[2].weight;
    int likeliest = 0, worst = -1, passed = 0;
    for (int i = 0; i < MEMBERS; i++) likeliest = w[i] > w[likeliest] ? i : likeliest;
    for (int i = 0; i < MEMBERS; i++) {
        double before = 0; /* the weight of those that come first */
        for (int k = 0; k < MEMBERS; k++)
            before += w[k] > w[i] || (w[k] == w[i] && k < i) ? (double)w[k] : 0;
        const bool counts = before < 0.95 * (double)m.set[2].sum;
        passed += !counts && worst >= 0 && result[i].cells > result[worst].cells;
        if (counts && (worst < 0 || result[i].cells > result[worst].cells)) worst = i;
    }
    assert_true(passed > 0 && worst != likeliest);
    assert_int_equal(nowcast_likeliest(&m.x), likeliest);
    assert_int_equal(nowcast_worst(&m.x), worst);
    for (int n = 0; n < 3; n++) free(m.set[n].weight);
}

/* ---- other forms of files -------------------------------------------------------------------- */

/* Hot spots in the forms of the services: the size of a pixel by its columns or by what saw it, its time, how sure. */
static void hot_spots_in_all_forms(void **state)
{
    static const struct {
        const char *instrument, *satellite, *scan, *track, *date, *time, *confidence;
        double clock_s, size_km[2], percent; /* clock_s: of 15 July; < 0: refused */
    } rows[] = {
        {"MODIS", "Terra", "", "", "2006-07-15", "5", "77", 300, {1, 1}, 77},
        {"", "Terra", "", "", "2006-07-15", "0005", "h", 300, {1, 1}, 99},
        {"", "A", "", "2", "2006-07-15", "00:05", "12", 300, {1, 2}, 50},
        {"VIIRS", "N", "", "", "2006-07-15", "2359", "n", 86340, {0.375, 0.375}, 90},
        {"", "NOAA-21", "0.4", "", "2006-07-15", "23:59:59", "high", 86399, {0.4, 0.375}, 99},
        {"OLI", "L8", "12", "34", "2006-07-15", "1010", "M", 36600, {0.03, 0.03}, 90},
        {"", "L8", "12", "34", "2006-07-15", "1010", "L", 36600, {0.03, 0.03}, 50},
        {"", "Landsat 9", "0.1", "0.2", "2006-07-15", "1010", "low", 36600, {0.03, 0.03}, 50},
        {"", "", "", "", "2006-07-15", "0", "60", 0, {1, 1}, 60},
        {"", "", "", "", "2006-07-15", "0", "nominal", 0, {0.375, 0.375}, 90},
        {"", "", "0.4", "0.5", "2006-07-15", "0", "medium", 0, {0.4, 0.5}, 90},
        {"", "", "", "", "2006-07-15T07:00Z", "120", "100", 4800, {1, 1}, 99},
        {"", "", "", "", "", "2006-07-15T01:12:30Z", "99.5", 4350, {1, 1}, 99},
        {"", "T", "", "", "2006-07-15", "5", "h", 300, {1, 1}, 99},
        {"", "A", "", "", "2006-07-15", "5", "h", 300, {1, 1}, 99},
        {"", "Aqua", "", "", "2006-07-15", "5", "h", 300, {1, 1}, 99},
        {"", "N20", "", "", "2006-07-15", "5", "77", 300, {0.375, 0.375}, 77},
        {"", "N21", "", "", "2006-07-15", "5", "77", 300, {0.375, 0.375}, 77},
        {"", "1", "", "", "2006-07-15", "5", "77", 300, {0.375, 0.375}, 77},
        {"", "2", "", "", "2006-07-15", "5", "77", 300, {0.375, 0.375}, 77},
        {"", "NOAA-20", "", "", "2006-07-15", "5", "77", 300, {0.375, 0.375}, 77},
        {"", "Suomi NPP", "", "", "2006-07-15", "5", "77", 300, {0.375, 0.375}, 77},
        {"", "SNPP", "", "", "2006-07-15", "5", "77", 300, {0.375, 0.375}, 77},
        {"", "Landsat 8", "", "", "2006-07-15", "5", "77", 300, {0.03, 0.03}, 77},
        {"", "L9", "", "", "2006-07-15", "5", "77", 300, {0.03, 0.03}, 77},
        {"", "", "", "", "2006-07-15", "2400", "h", -1, {0, 0}, 0},
        {"", "", "", "", "2006-07-15", "0060", "h", -1, {0, 0}, 0},
        {"", "", "", "", "2006-07-15", "24:00", "h", -1, {0, 0}, 0},
        {"", "", "", "", "2006-07-15", "00:05:60", "h", -1, {0, 0}, 0},
        {"", "", "", "", "2006-07-15", "", "h", -1, {0, 0}, 0},
        {"", "", "", "", "2006-07-15", "5", "x", -1, {0, 0}, 0},
        {"", "", "", "", "2006-07-15", "5", "101", -1, {0, 0}, 0},
        {"", "", "0", "1", "2006-07-15", "5", "h", -1, {0, 0}, 0},
        {"", "", "1", "11", "2006-07-15", "5", "h", -1, {0, 0}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[500];
        struct world w;
        struct error e = {0};
        snprintf(text, sizeof text,
                 "instrument,satellite,scan,track,acq_date,acq_time,confidence,latitude,longitude\n"
                 "%s,%s,%s,%s,%s,%s,%s,36.146025369551,15.001500647376\n",
                 rows[i].instrument, rows[i].satellite, rows[i].scan, rows[i].track, rows[i].date,
                 rows[i].time, rows[i].confidence);
        put_text(&dir, "form.csv", text);
        const int status = try_world(&w, "observed_hot_spots form.csv\n", &e);
        assert_int_equal(status, rows[i].clock_s < 0 ? ERROR_INPUT : 0);
        if (status) assert_non_null(strstr(e.text, "form.csv:2: "));
        else {
            const struct hot_spot *s = w.sights.of[0].hot.spot;
            const double p = rows[i].percent;
            assert_true(w.sights.count == 1 && w.sights.of[0].hot.count == 1);
            assert_true(w.sights.of[0].time_s == 18 * 3600 + rows[i].clock_s);
            assert_true(fabs(s->radius * CELL_M -
                             500 * hypot(rows[i].size_km[0], rows[i].size_km[1])) < 1e-9);
            assert_true(fabs(s->odds - log(p / (100 - p))) < 1e-12);
        }
        close_world(&w);
    }
}

/* More hot spots of a time than an observation has; n of each by all of its time and of earlier ones (sights.h). Two
 * files have other correlation lengths; power that was not found is the least. */
static void many_hot_spots(void **state)
{
    static const char head[] = "latitude,longitude,scan,track,acq_date,acq_time,confidence,frp\n";
    static char text[2][20000];
    const char *names[] = {"many.csv", "more.csv"};
    struct world w;
    int rows = 0, spots = 0, large = 0, parts = 0;
    uint64_t random = 12;
    for (int file = 0; file < 2; file++) {
        strcpy(text[file], head);
        for (int i = 0; i < (file ? 20 : 135); i++, rows++)
            sprintf(text[file] + strlen(text[file]), "%.9f,%.9f,0.012,0.016,2006-07-15,%d,h,%g\n",
                    36.144817 + 0.0022 * random_unit(&random),
                    15.0003 + 0.0022 * random_unit(&random),
                    file      ? 600
                    : i < 130 ? 100
                              : 1200,
                    i % 5 ? 1 + 9 * random_unit(&random) : 0.0);
        put_text(&dir, names[file], text[file]);
    }
    open_world(&w, "observed_hot_spots many.csv frp correlation_m 20\n"
                   "observed_hot_spots more.csv frp correlation_m 60\nobserved_correlation_h 8\n");
    assert_int_equal(w.sights.count, 5);
    for (int k = 0; k < 5; k++) {
        static const int count[] = {64, 64, 2, 20, 5};
        static const double hour[] = {19, 19, 19, 24, 30};
        const struct sight *o = &w.sights.of[k];
        char name[SIGHT_NAME];
        sprintf(name, hour[k] == 19 && o->hot.count < 64 ? "hot spots (3) %g h" : "hot spots %g h",
                hour[k]);
        assert_true(o->time_s == hour[k] * 3600);
        parts += !strcmp(o->name, "hot spots 19 h") + 10 * !strcmp(o->name, "hot spots (2) 19 h") +
                 100 * !strcmp(o->name, "hot spots (3) 19 h");
        if (k > 2) assert_string_equal(o->name, name);
        assert_int_equal(o->hot.count, k < 3 ? strstr(o->name, "(3)") ? 2 : 64 : count[k]);
        spots += o->hot.count;
        for (int n = 0; n < o->hot.count; n++) {
            const struct hot_spot *s = &o->hot.spot[n];
            double of_time[3] = {0};
            assert_true(s->power >= 0.1 && s->power <= 10);
            for (int j = 0; j < 5; j++)
                for (int m = 0; m < w.sights.of[j].hot.count; m++) {
                    const struct hot_spot *t = &w.sights.of[j].hot.spot[m];
                    const double down = fabs(s->row - t->row), right = fabs(s->col - t->col);
                    const int at = hour[j] == 19 ? 0 : hour[j] == 24 ? 1 : 2;
                    if (hypot(down, right) < s->radius + t->radius ||
                        (down <= o->reach && right <= o->reach))
                        of_time[at] += t->power / s->power;
                }
            const int own = hour[k] == 19 ? 0 : hour[k] == 24 ? 1 : 2;
            double earlier = 0;
            for (int at = 0; at < own; at++)
                if (of_time[at] > 0) earlier += exp(-((own == 1 ? 24 : 30) - (at ? 24 : 19)) / 8.0);
            const double expected = of_time[own] * (1 + earlier);
            assert_true(fabs(s->n / expected - 1) < 1e-9);
            large += expected > 2;
            for (int i = 0; i < CELLS; i++) {
                const int row = i / COLS - o->box.row0, col = i % COLS - o->box.col0;
                const bool in_box = row >= 0 && col >= 0 && row < o->box.rows && col < o->box.cols;
                const bool near =
                    hypot(i / COLS + 0.5 - s->row, i % COLS + 0.5 - s->col) <= s->radius ||
                    (i / COLS == (int)s->row && i % COLS == (int)s->col);
                assert_int_equal(in_box && (o->hot.bits[row * o->box.cols + col] >> n & 1), near);
            }
        }
    }
    assert_true(parts == 111 && spots == rows && large > 50);
    close_world(&w);
}

/* A layer of areas with dates. */
struct area {
    const char *day;
    int row, col, rows, cols; /* in cells; rows 0: no geometry */
};

static void put_areas(const char *name, const struct area *a, int count)
{
    FILE *f = fopen(scratch_file(&dir, name), "w");
    assert_non_null(f);
    fprintf(f, "{\"type\":\"FeatureCollection\",\"features\":[");
    for (int i = 0; i < count; i++) {
        const int x = 500000 + 10 * a[i].col, y = 4000300 - 10 * a[i].row, u = x + 10 * a[i].cols,
                  v = y - 10 * a[i].rows;
        fprintf(f, "%s{\"type\":\"Feature\",\"properties\":{", i ? "," : "");
        if (a[i].day) fprintf(f, "\"day\":\"%s\"", a[i].day);
        if (a[i].rows)
            fprintf(
                f,
                "},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[%d,%d],[%d,%d],[%d,%d],"
                "[%d,%d],[%d,%d]]]}}",
                x, y, u, y, u, v, x, v, x, y);
        else fprintf(f, "},\"geometry\":null}");
    }
    fprintf(f, "]}");
    assert_int_equal(fclose(f), 0);
}

static void fronts_of_dates(void **state)
{
    /* in no order; two of one day; one without a date, one without a geometry, one beside the grid */
    static const struct area areas[] = {
        {"2006-07-16T06:00Z", 4, 4, 9, 9},  {"2006-07-15T06:00Z", 5, 5, 4, 4},
        {"2006-07-15T06:00Z", 10, 6, 2, 2}, {NULL, 0, 0, 20, 20},
        {"2006-07-15T12:00Z", 5, 5, 8, 4},  {"2006-07-15T13:00Z", 0, 0, 0, 0},
        {"2006-07-14T07:00Z", -90, 0, 9, 9}};
    static const double hour[] = {24, 30, 48};
    for (int increments = 0; increments < 2; increments++) {
        struct world w;
        unsigned char lava[CELLS] = {0};
        put_areas("days.geojson", areas, 7);
        open_world(&w, increments ? "observed_fronts days.geojson date day increments error_m 12\n"
                                  : "observed_fronts days.geojson date day error_m 12\n");
        assert_int_equal(w.sights.count, 3);
        for (int k = 0; k < 3; k++) {
            const struct sight *o = &w.sights.of[k];
            assert_true(o->time_s == hour[k] * 3600 && o->kind == SEEN_FRONT);
            if (!increments) memset(lava, 0, sizeof lava);
            for (int n = 0; n < 7; n++) {
                const struct area *a = &areas[n];
                int day, at;
                if (!a->day || sscanf(a->day, "2006-07-%dT%d", &day, &at) != 2) continue;
                for (int i = 0; i < CELLS; i++)
                    if (24 * (day - 14) + at - 6 == hour[k] && i / COLS >= a->row &&
                        i / COLS < a->row + a->rows && i % COLS >= a->col &&
                        i % COLS < a->col + a->cols)
                        lava[i] = 1;
            }
            assert_memory_equal(o->front.inside, lava, sizeof lava);
        }
        const char *told = w.plan->base.told.warning;
        assert_non_null(strstr(told, "days.geojson: 1 of 6 features have no day and are skipped"));
        assert_non_null(
            strstr(told, "days.geojson: 1 of 7 features has no geometry and is skipped"));
        close_world(&w);
    }
}

/* Areas that lack earlier ones: by too many cells, or by cells too far away; and those that are only parts. */
static void fronts_that_shrink(void **state)
{
    static const struct {
        int row, col, rows,
            cols; /* of the later one; the earlier one has 10 x 10 cells at (5, 5) */
        const char *more;
        int lacks; /* per cent; 0: it is taken */
    } cases[] = {{5, 7, 10, 8, "", 0},       {5, 10, 10, 5, "", 50},
                 {5, 7, 10, 6, "", 0},       {5, 14, 10, 1, "", 90},
                 {5, 14, 10, 1, " part", 0}, {5, 14, 10, 1, " increments", 0},
                 {5, 16, 10, 2, "", 100}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct area areas[] = {
            {"2006-07-15", 5, 5, 10, 10},
            {"2006-07-16", cases[i].row, cases[i].col, cases[i].rows, cases[i].cols}};
        char line[200];
        struct world w;
        struct error e = {0};
        put_areas("shrink.geojson", areas, 2);
        sprintf(line, "observed_fronts shrink.geojson date day error_m 30%s\n", cases[i].more);
        const int status = try_world(&w, line, &e);
        assert_int_equal(status, cases[i].lacks ? ERROR_INPUT : 0);
        sprintf(line, "its areas of 2006-07-16 00:00 UTC lack %d %% of the earlier areas",
                cases[i].lacks);
        if (status) assert_non_null(strstr(e.text, line));
        close_world(&w);
    }
    /* in a narrow flow all that is lacking is near */
    const struct area narrow[] = {{"2006-07-15", 5, 5, 10, 1}, {"2006-07-16", 5, 6, 10, 1}};
    struct world w;
    struct error e = {0};
    put_areas("narrow.geojson", narrow, 2);
    assert_int_equal(try_world(&w, "observed_fronts narrow.geojson date day error_m 30\n", &e),
                     ERROR_INPUT);
    assert_non_null(strstr(e.text, "lack 100 %"));
    close_world(&w);
}

/* Features without geometry are told of places and hot spots, too; and every file is one that is not overwritten. */
static void files_that_are_read(void **state)
{
    static const char *const files[] = {"half.json", "spots.json", "t.asc", "u.asc"};
    static unsigned char mark[CELLS];
    struct world w;
    put_disc("t.asc", mark, 12, 10, 6);
    put_disc("u.asc", mark, 12, 10, 9);
    put_text(
        &dir, "half.json",
        "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{},"
        "\"geometry\":null},{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":"
        "\"Point\",\"coordinates\":[500205,4000045]}}]}");
    put_text(&dir, "spots.json",
             "{\"type\":\"FeatureCollection\",\"features\":["
             "{\"type\":\"Feature\",\"properties\":{},\"geometry\":null},"
             "{\"type\":\"Feature\",\"properties\":{\"acq_date\":\"2006-07-15\",\"acq_time\":5,"
             "\"confidence\":\"h\",\"scan\":0.04,\"track\":0.03},\"geometry\":{\"type\":\"Point\","
             "\"coordinates\":[15.001500647376,36.146025369551]}},"
             "{\"type\":\"Feature\",\"properties\":{\"acq_date\":\"2006-07-15\",\"acq_time\":5,"
             "\"confidence\":\"h\",\"scan\":0.04,\"track\":0.03},\"geometry\":{\"type\":\"Point\","
             "\"coordinates\":[15.000389061625,36.147017107887]}}]}");
    open_world(&w, "observed_dry half.json until 9h\nobserved_hot_spots spots.json\n"
                   "observed_front t.asc at 20h error_m 12 within u.asc\n");
    const struct sim_case *c = &w.plan->base;
    assert_int_equal(w.sights.count, 3);
    assert_non_null(strstr(c->told.warning, "half.json: 1 of 2 features has no geometry"));
    assert_non_null(strstr(c->told.warning, "spots.json: 1 of 3 features has no geometry"));
    const struct sight *o = sight_of(&w, "spots.json", SEEN_HOT_SPOTS);
    assert_true(o->hot.count == 2 && fabs(o->hot.spot[0].row - 4.5) < 1e-3 &&
                fabs(o->hot.spot[1].row - 15.5) < 1e-3);
    for (int k = 0; k < 4; k++) {
        struct stat s;
        bool noted = false;
        assert_int_equal(stat(scratch_file(&dir, files[k]), &s), 0);
        for (int i = 0; i < c->input_count; i++)
            noted = noted || (c->input[i].inode == s.st_ino && c->input[i].device == s.st_dev);
        assert_true(noted);
    }
    close_world(&w);
}

/* Two vents of which the rates change within and between the intervals, and no lava at all: the floor is then a hundredth of the mean
 * rate of the case. */
static void rates_of_two_vents(void **state)
{
    static const double from_h[] = {0, 2, 5}, to_h[] = {2, 4, 8};
    static const double rate[][4] = {{1, 0, 3, 2}, {1, 3, 9, 5}, {2, 1, 6, 1}, {2, 7, 9, 0.5}};
    char text[500] = "vent,from_h,to_h,rate_m3_s\n";
    put_text(&dir, "vents.csv", "vent,row,col\n1,2,3\n2,20,12\n");
    for (int i = 0; i < 4; i++)
        sprintf(text + strlen(text), "%g,%g,%g,%g\n", rate[i][0], rate[i][1], rate[i][2],
                rate[i][3]);
    put_text(&dir, "rates.csv", text);
    for (int dry = 0; dry < 2; dry++) {
        struct error e = {0};
        struct sight_of_member mine[3] = {{0}};
        struct world w;
        double volume = 0, emitted[3] = {0}, before = 0;
        strcpy(text, "vent,from_h,to_h,rate_m3_s,factor\n");
        for (int v = 1; v < 3; v++)
            for (int k = 0; k < 3; k++)
                sprintf(text + strlen(text), "%d,%g,%g,%g,3\n", v, from_h[k], to_h[k],
                        dry ? 0.0 : v + k);
        put_text(&dir, "measured.csv", text);
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 4; i++)
                emitted[k] += rate[i][3] *
                              fmax(0, fmin(to_h[k], rate[i][2]) - fmax(from_h[k], rate[i][1])) /
                              (to_h[k] - from_h[k]);
        for (int i = 0; i < 4; i++) volume += rate[i][3] * (rate[i][2] - rate[i][1]);
        const double floor = 0.01 * (dry ? volume / 9 : (3 * 2 + 5 * 2 + 7 * 3) / 8.0);
        open_world(&w, "weigh_rates measured.csv\n");
        assert_int_equal(w.sights.count, 3);
        must(sights_finish(&w.sights, mine, 0, &e), &e);
        for (int k = 0; k < 3; k++) {
            const double seen = dry ? 0 : 3 + 2 * k,
                         miss = log((seen + floor) / (emitted[k] + floor)) / log(3),
                         r = k ? pow(0.7, (k == 1 ? 2 : 3.5) / 24) : 0,
                         error = (miss - r * before) / sqrt(1 - r * r);
            assert_true(fabs((double)mine[k].gain / SIGHTS_UNIT + fmin(12, error * error / 2)) <
                        0.02);
            before = miss;
        }
        close_world(&w);
    }
    put_text(&dir, "vents.csv", CASE_VENTS);
    put_text(&dir, "rates.csv", CASE_RATES);
}

/* A front is named with the best of its moves where the members, by their weights in the plan, are 20 times likelier to agree. */
static void fronts_that_are_named(void **state)
{
    static const int bearing[] = {0, 45, 90, 135, 180, 225, 270, 315};
    static unsigned char lava[CELLS];
    static struct reached reached[CELLS];
    static double thickness_m[CELLS];
    static int came[CELLS];
    static uint64_t weight[MEMBERS];
    struct world w;
    struct error e = {0};
    uint64_t random = 8;
    int named = 0, not_named = 0, most = 0;
    put_disc("m.asc", lava, 14, 12, 5);
    put_disc("n.asc", lava, 14, 12, 7);
    put_text(&dir, "nook.json", "{\"type\":\"Point\",\"coordinates\":[500045,4000045]}");
    open_world(&w, "observed_front m.asc at 10h error_m 30 correlation_m 50\n"
                   "observed_dry nook.json until 11h\n"
                   "observed_front n.asc at 30h error_m 30 correlation_m 50\n");
    const int count = draw_member(reached, came, thickness_m, &random);
    for (int round = 0; round < 6; round++) {
        struct moved m;
        struct sight_of_member mine[3] = {{0}};
        struct warnings told = {0};
        must(moved_open(&m, &w.sights, MEMBERS, &e), &e);
        assert_true(m.fronts == 2 && m.sample == MEMBERS);
        sights_look(&w.sights, mine, reached, count);
        moved_look(&m, 7, reached, count); /* where it stays it has the gain of the front */
        assert_true(m.gain[(7 * 2 + 0) * (MOVES + 1) + MOVES] == mine[0].gain);
        assert_true(m.gain[(7 * 2 + 1) * (MOVES + 1) + MOVES] == mine[2].gain);
        assert_true(mine[0].gain != mine[2].gain);
        for (int i = 0; i < MEMBERS; i++) {
            weight[i] = i % 3 ? 1 + (uint64_t)(1000 * pow(random_unit(&random), 8)) : 0;
            for (int n = 0; n < 2 * (MOVES + 1); n++)
                m.gain[i * 2 * (MOVES + 1) + n] =
                    (int64_t)((pow(random_unit(&random), 3) *
                                   (1 + round +
                                    (round > 1 ? 4 * round - 4 : 0) * (n == 5 || n == 40)) +
                               (weight[i] ? 0 : 900 * random_unit(&random)) - 500) *
                              SIGHTS_UNIT);
        }
        moved_warn(&m, weight, &told);
        int k = 0;
        for (int front = 0; front < 2; front++) {
            double log_of[MOVES + 1];
            int best = MOVES;
            for (int move = MOVES; move >= 0; move--) {
                double sum = 0;
                for (int i = 0; i < MEMBERS; i++)
                    if (weight[i])
                        sum +=
                            (double)weight[i] *
                            exp((double)m.gain[(i * 2 + front) * (MOVES + 1) + move] / SIGHTS_UNIT +
                                500);
                log_of[move] = log(sum);
                if (move == MOVES || log_of[move] >= log_of[best]) best = move;
            }
            const double likelier = exp(log_of[best] - log_of[MOVES]);
            char text[200], line[WARNING_TEXT];
            if (likelier < 20) {
                not_named++;
                continue;
            }
            sprintf(text, "the front %d h is %.0f times likelier moved by %d m (bearing %d°)",
                    front ? 30 : 10, fmin(1000, likelier), 100 * (1 + best / 8), bearing[best % 8]);
            named++, most += likelier > 1000;
            assert_true(k < told.count && strstr(warnings_line(&told, k++, line), text));
        }
        assert_int_equal(k, told.count);
        moved_free(&m);
    }
    assert_true(named > 2 && not_named > 2 && most > 0);
    close_world(&w);
}

/* A place has the earliest lava of its cells; otherwise the highest odds, and it is dry as long as all of its cells are. An arrival
 * shows lava at a place only if the place has all of its cells. A front has what was seen in each cell of its box. */
static void places_of_several_cells(void **state)
{
    enum { PLACES = 200 };
    static struct asset places[PLACES];
    static uint32_t cells[PLACES][4];
    static unsigned char lava[CELLS];
    struct world w;
    struct error e = {0};
    struct nowcast_set set[NOWCAST_SETS + 1] = {{.until_s = -INFINITY},
                                                {.until_s = 12 * 3600},
                                                {.until_s = INFINITY},
                                                {.until_s = 12 * 3600}};
    uint64_t random = 77;
    int dry = 0, wet = 0, higher = 0;
    file_cell_m = 50;
    put_disc("p.asc", lava, 22, 20, 2);
    put_disc("q.asc", lava, 22, 20, 3);
    put_text(&dir, "line.json",
             "{\"type\":\"LineString\",\"coordinates\":[[500175,4000225],[500425,4000225]]}");
    put_text(&dir, "pair.json",
             "{\"type\":\"LineString\",\"coordinates\":[[500875,4001025],[500925,4001025]]}");
    open_world(&w, "observed_front p.asc at 9h error_m 60\nobserved_dry line.json until 20h\n"
                   "observed_arrival pair.json at 11h error_h 1\n"
                   "observed_front q.asc at 40h error_m 90\n");
    file_cell_m = CELL_M;
    for (int i = 0; i < PLACES; i++) { /* near each other; the pair is cells (9, 17) and (9, 18) */
        const uint32_t row = i < 20 ? 9 : 15 + (uint32_t)(14 * random_unit(&random)),
                       col = i < 20 ? 10 + (uint32_t)i / 2 : (uint32_t)(20 * random_unit(&random));
        places[i] = (struct asset){.cells = 2 + (uint32_t)i % 3, .cell = cells[i]};
        for (uint32_t k = 0; k < places[i].cells; k++) cells[i][k] = row * COLS + col + k;
    }
    struct nowcast x = {
        .ask.of = {.plan = w.plan, .s = w.s}, .sights = w.sights, .set = set, .places = PLACES};
    x.ask.of.s.assets.count = PLACES;
    x.ask.of.s.assets.asset = places;
    must(nowcast_look_at_places(&x, &e), &e);
    for (int n = NOWCAST_YESTERDAY; n < NOWCAST_SETS; n++)
        for (int i = 0; i < PLACES; i++) {
            const struct sight_here *h = &x.here[n * PLACES + i];
            double odds = -INFINITY, least = INFINITY, first_s = INFINITY;
            int pair = 0;
            for (uint32_t k = 0; k < places[i].cells; k++) {
                const uint32_t row = cells[i][k] / COLS, col = cells[i][k] % COLS;
                const struct sight_here here = sights_here(&w.sights, set[n].until_s, row, col);
                odds = fmax(odds, here.odds), least = fmin(least, here.odds);
                if (isinf(here.odds)) first_s = fmin(first_s, here.seen_s);
                pair += row == 9 && (col == 17 || col == 18);
            }
            if (pair == 2) odds = INFINITY, first_s = fmin(first_s, 11 * 3600);
            assert_true(h->odds == odds);
            if (isinf(odds)) assert_true(h->seen_s == first_s && h->dry == 0);
            int classes = EDGES;
            for (uint32_t k = 0; k < places[i].cells; k++) {
                const int one = sights_dry_classes(&w.sights, set[n].until_s, cells[i][k] / COLS,
                                                   cells[i][k] % COLS);
                if (one < classes) classes = one;
            }
            if (!isinf(odds)) assert_int_equal(h->dry, classes);
            dry += !isinf(odds) && classes > 0, wet += isinf(odds);
            higher += odds > least && !isinf(odds);
        }
    assert_true(dry > 20 && wet > 10 && higher > 20);
    free(x.here);

    struct nowcast_front f = {.sight = w.sights.count - 1, .set = 3};
    const struct window box = w.sights.of[f.sight].front.domain.box;
    int differ = 0;
    assert_true(box.row0 > 3 && box.col0 > 3);
    must(nowcast_look_at_front(&x, &f, &e), &e);
    for (int i = 0; i < box.rows * box.cols; i++) {
        const struct sight_here here =
            sights_odds(&w.sights, 12 * 3600, (uint32_t)(box.row0 + i / box.cols),
                        (uint32_t)(box.col0 + i % box.cols));
        assert_true(f.here[i].odds == here.odds && f.here[i].edge == here.edge);
        differ += f.here[i].odds != f.here[0].odds;
    }
    assert_true(differ > 10);
    free(f.here);
    close_world(&w);
}

/* Of many contradictions one pair by cells and one by times is told; the cells are those with lava in one alone, both ways if they
 * have one time. Observations that differ in any word are not the same. */
static void contradictions_are_counted(void **state)
{
    static struct seen a = {"a.asc", SEEN_FRONT, 5, 12, 2, true, {0}, {0}, {0}},
                       b = {"b.asc", SEEN_FRONT, 5, 12, 2, true, {0}, {0}, {0}};
    static unsigned char mark[CELLS];
    put_disc("a.asc", a.lava, 12, 8, 6);
    put_disc("b.asc", b.lava, 14, 16, 5);
    put_disc("w.asc", mark, 13, 12, 14);
    for (int later = 0; later < 2; later++) {
        struct world w;
        char text[300];
        int cells = 0, other = 0;
        sprintf(
            text,
            "observed_front a.asc at 5h error_m 12\nobserved_front b.asc at %dh error_m 12\n"
            "observed_end 9h error_h 1\nobserved_end 90h error_h 1\nobserved_end 50h error_h 1\n"
            "observed_front a.asc at 20h error_m 12\n",
            later ? 6 : 5);
        open_world(&w, text);
        for (int i = 0; i < CELLS; i++) {
            const double of_a = odds_of_line(&a, i, 12), of_b = odds_of_line(&b, i, 12);
            cells += of_a > ODDS / 2 && of_b < -ODDS / 2;
            other += of_b > ODDS / 2 && of_a < -ODDS / 2;
        }
        assert_true(cells > 5 && other > 5);
        sprintf(text, "in %d cells: ", later ? cells : cells + other);
        assert_non_null(strstr(w.sights.told.warning, text));
        assert_int_equal(w.sights.told.count, 2);
        sprintf(text, "%s:23 and %s:25; correct one of them, its time or its error (error_h)",
                scratch_file(&dir, "seen.cfg"), scratch_file(&dir, "seen.cfg"));
        assert_non_null(strstr(w.sights.told.warning, text)); /* of the ends */
        sprintf(text, "a.asc (%s:21) and b.asc (%s:22); correct one of them, its time",
                scratch_file(&dir, "seen.cfg"), scratch_file(&dir, "seen.cfg"));
        const char *fronts = strstr(w.sights.told.warning, text);
        assert_true(fronts && strncmp(fronts + strlen(text), " or", 3) != 0);
        close_world(&w);
    }
    put_text(&dir, "in_a.json", "{\"type\":\"Point\",\"coordinates\":[500085,4000175]}");
    struct world
        one; /* an arrival where lava was a day before: its time has an error, the front's has none */
    open_world(
        &one,
        "observed_front a.asc at 5h error_m 12\nobserved_arrival in_a.json at 30h error_h 1\n");
    assert_int_equal(one.sights.told.count, 1);
    assert_non_null(
        strstr(one.sights.told.warning, "correct one of them, its time or its error (error_h)"));
    close_world(&one);
    static const char *const words[] = {"", " within w.asc", " part", " correlation_m 50"};
    struct world w;
    char lines[500] = "";
    for (int i = 0; i < 4; i++)
        for (int twice = 0; twice < 2; twice++)
            sprintf(lines + strlen(lines), "observed_front a.asc at 5h error_m 12%s\n", words[i]);
    open_world(&w, lines);
    assert_int_equal(w.sights.count, 4);
    for (int k = 0; k < 4; k++) { /* whole, cells within; a part has no forecast */
        const struct sight *o = &w.sights.of[k];
        uint64_t within = 0;
        for (int i = 0; i < CELLS; i++) within += *o->line->within ? mark[i] : 1;
        assert_true(o->front.domain.cells == (o->line->part ? 0 : within));
    }
    close_world(&w);
}

/* Each place of a file counts: dry ones in one observation, arrivals as one each, under its name. An arrival shows lava in a cell if
 * it is all of the place. Thickness is shifted; the time of the forecast is that which is given. */
static void observations_of_cells(void **state)
{
    struct world w;
    struct error e = {0};
    put_text(
        &dir, "two.json",
        "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{"
        "\"name\":\"inn\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[500155,4000145]}},"
        "{\"type\":\"Feature\",\"properties\":{\"name\":\"hut\"},\"geometry\":{\"type\":"
        "\"Point\",\"coordinates\":[500045,4000045]}}]}");
    put_text(&dir, "row.json",
             "{\"type\":\"LineString\",\"coordinates\":[[500035,4000095],[500085,4000095]]}");
    put_text(&dir, "thick.csv", "x,y,thickness_m\n500045,4000045,1.5\n");
    open_world(&w, "observed_dry two.json until 3h\nobserved_arrival two.json at 9h error_h 2\n"
                   "observed_arrival row.json at 9h error_h 2\n"
                   "observed_survey thick.csv at 12h error_m 1 shift_m 0.5\n");
    assert_int_equal(w.sights.count, 5);
    for (int place = 0; place < 2; place++) {
        const uint32_t row = place ? 25 : 15, col = place ? 4 : 15;
        const struct sight_here before = sights_odds(&w.sights, 5 * 3600, row, col),
                                after = sights_odds(&w.sights, 10 * 3600, row, col);
        int named = 0;
        assert_true(fabs(before.odds + ODDS) < 1e-6 && fabs(after.odds - ODDS) < 1e-6);
        assert_true(came_by(after.edge, 13) && !came_by(after.edge + 1, 13));
        assert_true(isinf(sights_here(&w.sights, 10 * 3600, row, col).odds));
        for (int k = 0; k < 5; k++)
            named += !strcmp(w.sights.of[k].name, place ? "hut 9 h" : "inn 9 h") &&
                     *w.sights.of[k].arrival.cell == row * COLS + col;
        assert_int_equal(named, 1);
    }
    for (uint32_t col = 3; col < 9; col++) { /* in some cell of the row, nobody knows which */
        assert_true(sights_odds(&w.sights, 10 * 3600, 20, col).odds == 0);
        assert_true(sights_here(&w.sights, 10 * 3600, 20, col).odds == 0);
    }
    const struct sight *o = sight_of(&w, "thick.csv", SEEN_SURVEY);
    assert_int_equal(*o->survey.thickness_q, 2 * 1024);
    assert_true(w.sights.now_s == 12 * 3600);
    sights_free(&w.sights);
    must(sights_create(&w.sights, w.plan, &w.s, 10.5 * 3600, &e), &e);
    assert_true(w.sights.count == 4 && w.sights.now_s == 10.5 * 3600);
    sights_free(&w.sights);
    assert_int_equal(sights_create(&w.sights, w.plan, &w.s, 3600, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "seen.cfg: has no observation by then; "));
    close_world(&w);
}

/* Growth is since the last front of an earlier time, not since a dry place; fronts of one time share it. Beyond the box of a front
 * places do not count. */
static void growth_since_a_front(void **state)
{
    static unsigned char lava[2][CELLS];
    struct world w;
    put_disc("g.asc", lava[0], 14, 12, 6);
    put_disc("h.asc", lava[1], 14, 12, 8);
    put_text(&dir, "nook.json", "{\"type\":\"Point\",\"coordinates\":[500045,4000045]}");
    open_world(&w, "observed_dry nook.json until 3h\nobserved_dry nook.json until 2h\n"
                   "observed_front g.asc at 6h error_m 10 correlation_m 80\n"
                   "observed_front h.asc at 18h error_m 10 correlation_m 80\n"
                   "observed_front h.asc at 18h error_m 10 part correlation_m 80\n"
                   "observed_front g.asc at 18h error_m 10 correlation_m 80\n"
                   "observed_correlation_h 20\n");
    const double r = exp(-12 / 20.0),
                 length[2] = {length_of_line(lava[0]), length_of_line(lava[1])};
    int whole = 0;
    assert_int_equal(w.sights.count, 6);
    for (int k = 0; k < 6; k++) {
        const struct sight *o = &w.sights.of[k];
        const bool grows = o->time_s == 18 * 3600 && o->kind == SEEN_FRONT && !o->line->part;
        assert_int_equal(o->front.growth_variance > 0, grows);
        whole += grows;
        if (!grows) continue;
        const double area_m4 =
            10 * 10 * 80 * (length[0] + length[strstr(o->line->file, "h.asc") != NULL]) / 2;
        assert_true(o->front.growth_n == 2 && o->front.previous == 2);
        assert_true(fabs(o->front.growth_variance * pow(CELL_M, 4) / (area_m4 * (1 - r * r) / r) -
                         1) < 1e-9);
    }
    assert_int_equal(whole, 2);
    const struct sight *o = &w.sights.of[2];
    assert_true(fabs((double)o->beyond_gain / SIGHTS_UNIT + ODDS / 81) < 1e-6);
    close_world(&w);
}

static int tear_down(void **state)
{
    scratch_remove(&dir);
    return 0;
}

int main(void)
{
    return UNIT_RUN_IN(
        NULL, NULL, plan_set_up, tear_down, fronts_places_and_surveys, fronts_in_a_corner,
        fronts_that_move, lava_everywhere, cells_of_the_grid, growth_of_fronts, variance_of_growth,
        arrivals, contradictions, ends, rates_in_a_row, rates_of_tables, dry_where_members_had_lava,
        likelihoods_are_tempered, weights_are_whole_numbers, places_since_they_were_seen,
        places_as_they_were_seen, hot_spots_by_power, hot_spots_of_a_file, later_than_every_member,
        sentences_on_what_is_late, members_that_pages_name, hot_spots_in_all_forms, many_hot_spots,
        fronts_of_dates, fronts_that_shrink, files_that_are_read, rates_of_two_vents,
        fronts_that_are_named, places_of_several_cells, contradictions_are_counted,
        observations_of_cells, growth_since_a_front);
}
