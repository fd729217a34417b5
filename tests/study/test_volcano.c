/* Past vents and eruptions against closed forms: what a kernel holds, what two vents make of a bandwidth, where nothing may
 * open; rates of a catalogue that is complete, in part, by size and with dates that are not sure; ranges of draws. */
/* tests: study/volcano */
/* run: plain */
#include "hazard/hazard.h"
#include "text/words.h"
#include "random/quantile.h"
#include "volcano/catalogue.h"
#include "volcano/opening.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>

#include "case_files.h"
#include "unit.h"

enum { SIDE = 100 };
static const double PI = 3.14159265358979323846;

/* Within so much of each other. */
#define assert_near(a, b, most) assert_true(fabs((a) - (b)) <= (most))

static const struct georef GEO = {
    .west_m = 500000, .south_m = 4000000, .cell_m = 10, .crs = {.epsg = 32633, .unit_m = 1}};
static double flat[SIDE * SIDE];
static const struct vent_ground GROUND = {SIDE, SIDE, &GEO, flat, NULL, NULL};
static struct scratch dir;

#define FILE_HEAD                                                                                  \
    "{\"type\":\"FeatureCollection\",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":"         \
    "\"EPSG:32633\"}},\"features\":["
#define FILE_OF(features) FILE_HEAD features "]}"
#define FEATURE(properties, type, coordinates)                                                     \
    "{\"type\":\"Feature\",\"properties\":{" properties "},\"geometry\":{\"type\":\"" type         \
    "\",\"coordinates\":" coordinates "}}"
#define POINT(x, y) FEATURE("", "Point", "[" #x "," #y "]")

static const char *file(const char *name, const char *text)
{
    if (!*dir.path) scratch_create(&dir);
    put_text(&dir, name, text);
    return scratch_file(&dir, name);
}

static double opening_share(const struct opening *o, int zone, double x, double y)
{
    double share[OPENING_ZONES_MAX];
    opening_shares(share, o, x, y);
    return share[zone];
}

static double sum_of(const struct opening *o, int zone)
{
    double sum = 0, x, y;
    for (size_t i = 0; i < (size_t)o->rows * (size_t)o->cols; i++) {
        opening_middle(o, i, &x, &y);
        if (o->allowed[i]) sum += opening_share(o, zone, x, y);
    }
    return sum;
}

/* ---- vents ------------------------------------------------------------------------------------- */

static void test_kernels(void **state)
{
    const char *path = file("one.json", FILE_OF(POINT(500500, 4000500)));
    for (int kernel = KERNEL_EPANECHNIKOV; kernel <= KERNEL_GAUSSIAN; kernel++) {
        struct opening o;
        struct error e = {0};
        must(opening_read(&o,
                          &(struct opening_request){.kernel = (enum opening_kernel)kernel,
                                                    .vents = path,
                                                    .bandwidth_m = 100},
                          &GROUND, &e),
             &e);
        assert_near(o.geo.cell_m, 20, 0); /* four in a bandwidth, whole cells */
        assert_near(o.mass[0] * o.geo.cell_m * o.geo.cell_m, 1, 1e-2); /* all of it */
        assert_near(sum_of(&o, 0), 1, 1e-12);
        const double middle = opening_kernel(&o, 0, 500500, 4000500),
                     away = opening_kernel(&o, 0, 500560, 4000580); /* a bandwidth */
        assert_near(middle * 1e4, kernel ? 1 / (2 * PI * (1 - exp(-8))) : 2 / PI, 1e-12);
        assert_near(away / middle, kernel ? exp(-0.5) : 0, 1e-12);
        opening_free(&o);
    }
}

/* Vents of all forms and of different weights, some near an edge, on terrain wider than high: the share of each cell, from
 * the points that the forms stand for. */
static void test_forms(void **state)
{
    static const struct vent_ground low = {60, SIDE, &GEO, flat, NULL, NULL};
    static const struct {
        double x, y, weight;
    } point[] = {{500265, 4000135, 3},       {500500, 4000400, 1},       {500560, 4000420, 1},
                 {500805, 4000520, 2.0 / 3}, {500815, 4000520, 2.0 / 3}, {500825, 4000520, 2.0 / 3},
                 {500990, 4000310, 0.5},     {500020, 4000590, 4}};
    const char *path = file(
        "forms.json",
        FILE_OF(FEATURE("\"weight\":3", "Polygon", "[[[500255,4000125],[500285,4000125],[500255,4000155],[500255,4000125]]]") "," FEATURE(
            "\"weight\":2", "MultiPoint",
            "[[500500,4000400],[500560,4000420]]") "," FEATURE("\"weight\":2", "LineString",
                                                               "[[500800,4000520],[500830,"
                                                               "4000520]]") "," FEATURE("\"weig"
                                                                                        "ht\":"
                                                                                        "0.5",
                                                                                        "Point",
                                                                                        "[50099"
                                                                                        "0,"
                                                                                        "400031"
                                                                                        "0]") "," FEATURE("\"weight\":4",
                                                                                                          "Point",
                                                                                                          "[500020,4000590]")));
    struct opening o;
    struct error e = {0};
    double density[30][50], sum = 0;
    must(opening_read(&o, &(struct opening_request){.vents = path, .bandwidth_m = 100}, &low, &e),
         &e);
    assert_true(o.rows == 30 && o.cols == 50 && o.vents == 5);
    for (int up = 0; up < 30; up++)
        for (int col = 0; col < 50; col++) {
            density[up][col] = 0;
            for (size_t k = 0; k < sizeof point / sizeof *point; k++) {
                const double away =
                    hypot(500010 + 20 * col - point[k].x, 4000010 + 20 * up - point[k].y);
                density[up][col] += point[k].weight * fmax(0, 1 - away * away / 1e4);
            }
            sum += density[up][col];
        }
    for (int up = 0; up < 30; up++)
        for (int col = 0; col < 50; col++)
            assert_near(opening_share(&o, 0, 500010 + 20 * col, 4000010 + 20 * up),
                        density[up][col] / sum, 1e-14);
    opening_free(&o);
}

/* Of two vents at a distance d the density of each by the other is highest with h^2 = 2 d^2; d = 80: h = 113 m. */
static void test_bandwidth(void **state)
{
    const char *path = file("two.json", FILE_OF(POINT(500460, 4000500) "," POINT(500540, 4000500)));
    struct opening o;
    struct error e = {0};
    must(opening_read(&o, &(struct opening_request){.vents = path}, &GROUND, &e), &e);
    const struct opening_shape *s = &o.shape[0];
    assert_near(s->ratio, 4, 0); /* they lie on a line, */
    assert_near(s->east, 1, 0);  /* to the east */
    struct opening_shape round = {.h_m = 160, .ratio = 1, .east = 1};
    assert_near(opening_score(&o, 0, &round), log(2 / (PI * 160 * 160) * 0.75), 1e-12);
    const struct opening_shape less = {113.13708498984761 / 1.1892, 1, 1, 0, 0},
                               best = {113.13708498984761, 1, 1, 0, 0},
                               more = {113.13708498984761 * 1.1892, 1, 1, 0, 0};
    assert_true(opening_score(&o, 0, &best) > opening_score(&o, 0, &less));
    assert_true(opening_score(&o, 0, &best) > opening_score(&o, 0, &more));
    opening_free(&o);
    path = file("one.json", FILE_OF(POINT(500500, 4000500)));
    assert_int_equal(opening_read(&o, &(struct opening_request){.vents = path}, &GROUND, &e),
                     ERROR_INPUT);
    assert_non_null(strstr(e.text, "needs two vents or more"));
}

/* Of two vents 60 m apart and a kernel of 100 m: each has 1 of itself and 0.64 of the other. */
static void test_sharpened(void **state)
{
    const char *path =
        file("pair.json", FILE_OF(POINT(500470, 4000500) "," POINT(500530, 4000500)));
    struct opening o, to;
    struct error e = {0};
    (void)state;
    must(
        opening_read(&o, &(struct opening_request){.vents = path, .bandwidth_m = 100}, &GROUND, &e),
        &e);
    assert_true(opening_sharpen(&to, &o));
    const double moved = 60 * 0.64 / 1.64 / 2;
    assert_near(to.xy[0][0] - o.xy[0][0], moved, 1e-9);
    assert_near(to.xy[1][0] - o.xy[1][0], -moved, 1e-9);
    assert_near(to.xy[0][1] - o.xy[0][1], 0, 1e-9);
    assert_near(sum_of(&to, 0), 1, 1e-12);
    opening_free_draw(&to);
    opening_free(&o);
}

/* Vents of several ages, weights and zones, each with its position so many times. */
static const char *file_of_parts(const char *name, int times)
{
    static char text[16384];
    size_t used = 0;
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < times; k++) {
            if (!k)
                used += (size_t)snprintf(
                    text + used, sizeof text - used,
                    "%s{\"type\":\"Feature\",\"properties\":{\"weight\":%d,\"age\":%d,\"zone\":"
                    "\"%s\"},\"geometry\":{\"type\":\"MultiPoint\",\"coordinates\":[",
                    i ? "," : FILE_HEAD, 1 + i % 3, 100 * i, i % 4 ? "rift" : "summit");
            used += (size_t)snprintf(text + used, sizeof text - used, "%s[%d,%d]%s", k ? "," : "",
                                     500150 + i * i * 37 % 700, 4000150 + i * 113 % 700,
                                     k + 1 < times ? "" : "]}}");
        }
    snprintf(text + used, sizeof text - used, "]}");
    return file(name, text);
}

static void expect_same(const struct opening *a, const struct opening *b)
{
    for (int z = 0; z < 2; z++) {
        const struct opening_shape *s = &a->shape[z], *k = &b->shape[z];
        assert_near(s->h_m, k->h_m, 1e-9);
        assert_near(s->ratio, k->ratio, 1e-9);
        assert_near(s->east, k->east, 1e-9);
        for (int i = 0; i < 100; i++) {
            const double x = 500005 + 10 * i, y = 4000005 + 10 * (i * 37 % 100);
            assert_near(opening_share(a, z, x, y), opening_share(b, z, x, y), 1e-12);
        }
    }
    for (int v = 0; v < a->vents; v++) {
        const double *p = a->xy[a->vent[v].first], *q = b->xy[b->vent[v].first];
        assert_near(a->mass[v], b->mass[v], 1e-9 * a->mass[v]);
        assert_near(hypot(p[0] - q[0], p[1] - q[1]), 0, 1e-6);
    }
}

/* A vent with its position three times is the same vent: for the bandwidth, the density, and vents that are moved. */
static void test_parts(void **state)
{
    const char *path[] = {file_of_parts("once.json", 1), file_of_parts("thrice.json", 3)};
    double u[3 * 12];
    for (int i = 0; i < 36; i++) u[i] = (i * 23 % 36 + 0.5) / 36;
    for (int kernel = KERNEL_EPANECHNIKOV; kernel <= KERNEL_GAUSSIAN; kernel++) {
        struct opening o[2], before[2], sharp[2], drawn[2];
        struct error e = {0};
        for (int i = 0; i < 2; i++) {
            const struct opening_request w = {.kernel = (enum opening_kernel)kernel,
                                              .vents = path[i],
                                              .age_scale_y = 800,
                                              .cell_m = 50};
            must(opening_read(&o[i], &w, &GROUND, &e), &e);
            assert_true(opening_before(&before[i], &o[i], 500));
            assert_true(opening_sharpen(&sharp[i], &o[i]));
            assert_true(opening_draw(&drawn[i], &o[i], u));
        }
        assert_int_equal(o[1].points, 3 * o[0].points);
        const struct opening *pair[][2] = {{&o[0], &o[1]},
                                           {&before[0], &before[1]},
                                           {&sharp[0], &sharp[1]},
                                           {&drawn[0], &drawn[1]}};
        for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) expect_same(pair[i][0], pair[i][1]);
        assert_true(hypot(sharp->xy[0][0] - o->xy[0][0], sharp->xy[0][1] - o->xy[0][1]) > 5);
        for (int i = 0; i < 2; i++) {
            opening_free_draw(&before[i]);
            opening_free_draw(&sharp[i]);
            opening_free_draw(&drawn[i]);
            opening_free(&o[i]);
        }
    }
}

/* Half of the area of one vent, of two of which one weighs three times the other; then nothing. */
static void test_area(void **state)
{
    double share[2];
    const char *path =
                   file("w.json",
                        FILE_OF(FEATURE("\"weight\":3", "Point", "[500205,4000505]") "," FEATURE(
                            "\"weight\":1", "Point", "[500805,4000505]"))),
               *never = file("half.json",
                             FILE_OF(FEATURE("", "Polygon",
                                             "[[[500000,4000510],[501000,4000510],[501000,4001000],"
                                             "[500000,4001000],[500000,4000510]]]")));
    struct opening o, all;
    struct error e = {0};
    struct opening_request w = {.vents = path, .bandwidth_m = 200, .cell_m = 10};
    must(opening_read(&all, &w, &GROUND, &e), &e);
    w.never = never;
    must(opening_read(&o, &w, &GROUND, &e), &e);
    assert_true(o.mass[0] < 0.6 * all.mass[0] && o.mass[0] > 0.5 * all.mass[0]);
    assert_near(sum_of(&o, 0), 1, 1e-12);
    const double at = opening_share(&o, 0, 500205, 4000505);
    assert_near(at / opening_share(&o, 0, 500805, 4000505), 3, 1e-12);
    o.vent[0].weight = 0;
    opening_shares(share, &o, 500805, 4000505);
    assert_near(share[0], at * 4 / 3, 1e-15); /* all by the other one */
    opening_free(&o);
    opening_free(&all);
}

/* ---- eruptions --------------------------------------------------------------------------------- */

static const char no_zone[1][40] = {""}, two_zones[2][40] = {"a", "b"};

static struct catalogue read_eruptions(const char *text, struct catalogue_request w,
                                       const char (*zone)[40], int zones)
{
    struct catalogue c;
    struct error e = {0};
    w.path = file("c.csv", text);
    w.now = 2000;
    w.classes = 2;
    must(catalogue_read(&c, &w, zone, zones, &e), &e);
    return c;
}

#define HEAD "date,error_y,volume_m3,duration_h,zone\n"

static void test_rates(void **state)
{
    const struct catalogue_request since = {.bands = 1, .band = {{0, 1900}}};
    /* the first is too early, the second at the edge: a half, which is not sure */
    struct catalogue c = read_eruptions(
        HEAD "1850,,1000,1,\n1900,10,1000,1,\n1950,,1000,1,\n1990,,4000,1,\n", since, no_zone, 1);
    const struct eruption_kind *k = &c.kind[0];
    assert_near(k->count, 2.5, 1e-12);
    assert_near(kind_rate(k), 3.0 / 100, 1e-12);
    assert_near(k->shape, 3.0 * 3 / 3.25, 1e-12); /* (n + 1/2)^2 / (n + 1/2 + 1/4) */
    assert_int_equal(c.gaps[3], 1);
    assert_near(c.class[0].volume_m3, 1000, 1e-9);
    /* one of the two of 1,000 m3 is in each class */
    assert_near(k->share[0], (0.75 + 0.3) / 3.5, 1e-12);
    catalogue_free(&c);
    assert_near(catalogue_quantile(1, 50, 0.95), -log(0.05) / 50, 1e-12);
    for (double shape = 900; shape < 1e6; shape *= 1.3) /* also where GSL does not converge */
        assert_near(catalogue_quantile(shape, shape, 0.95), 1 + 1.6448536 / sqrt(shape), 1 / shape);
    assert_near(catalogue_probability(0.02, 50), 1 - exp(-1), 1e-12);
}

/* One of unknown zone counts as the others are shared, 2 to 1. */
static void test_zones(void **state)
{
    const struct catalogue_request since = {.bands = 1, .band = {{0, 1900}}};
    struct catalogue c =
        read_eruptions(HEAD "1910,,1000,1,a\n1920,,1000,1,a\n1930,,3000,1,b\n1940,,1000,1,\n",
                       since, two_zones, 2);
    assert_near(c.kind[0].count, 2 + 2.0 / 3, 1e-12);
    assert_near(c.kind[1].count, 1 + 1.0 / 3, 1e-12);
    assert_near(c.kind[1].spread, 2.0 / 9, 1e-12);
    assert_near(c.rate, 4.5 / 100, 1e-12);
    catalogue_free(&c);
}

/* What is not known is counted over the eruptions that may lie in the period: not over the first. */
static void test_gaps(void **state)
{
    const struct catalogue_request since = {.bands = 1, .band = {{0, 1900}}};
    struct catalogue c =
        read_eruptions(HEAD "1850,,,,\n1910,,,1,a\n1920,,1000,,a\n1930,,1000,,b\n1940,60,1000,1,\n"
                            "1950,60,1000,1,\n1960,60,1000,1,\n1970,60,1000,1,b\n",
                       since, two_zones, 2);
    for (int k = 0; k < 4; k++) assert_int_equal(c.gaps[k], k + 1);
    catalogue_free(&c);
}

/* Two groups of three: one of the two eruptions of 3,000 m3 is in each, so both count half in each. That of 2,900 m3 counts in the
 * lower one, though its volume is nearer to that of the upper class. */
static void test_groups(void **state)
{
    const struct catalogue_request since = {.bands = 1, .band = {{0, 1900}}};
    struct catalogue c = read_eruptions(
        HEAD "1910,,100,1,a\n1920,,3000,1,a\n1930,,3000,1,b\n1940,,7000,1,b\n1950,,6667,1,b\n"
             "1960,,2900,1,a\n",
        since, two_zones, 2);
    assert_true(c.class[0].volume_m3 <
                2900 * 2900 / c.class[1].volume_m3); /* nearer to the other */
    assert_near(c.kind[0].share[0], (2.5 + 0.5) / 4, 1e-12);
    assert_near(c.kind[1].share[0], (0.5 + 0.5) / 4, 1e-12);
    assert_near(c.kind[1].share[1], (2.5 + 0.5) / 4, 1e-12);
    catalogue_free(&c);
}

/* Small ones are known since 1980, large ones since 1800, in which the first erupted. The second is as small as a large one can
 * be. And a rate that is given. */
static void test_sizes(void **state)
{
    struct catalogue_request w = {.bands = 2, .band = {{0, 1980}, {2000, 1800}}};
    const char *text = HEAD "1800,,5000,1,\n1860,,2000,1,\n1850,,1000,1,\n1985,,1000,1,\n1990,,"
                            "1000,1,\n1995,,3000,1,\n";
    struct catalogue c = read_eruptions(text, w, no_zone, 1);
    assert_near(kind_rate(&c.kind[0]), 2.25 / 20, 1e-12);
    assert_near(kind_rate(&c.kind[1]), 3.25 / 200, 1e-12);
    assert_int_equal(c.classes, 4);
    assert_near(c.kind[1].share[0] + c.kind[1].share[1], 0, 0); /* the small ones */
    catalogue_free(&c);
    w.rate = 0.4, w.rate_low = 0.2, w.rate_high = 0.65;
    c = read_eruptions(text, w, no_zone, 1);
    assert_near(c.rate, 0.4, 1e-12);
    const double shape = c.kind[0].shape + c.kind[1].shape;
    assert_near(catalogue_quantile(shape, 1, 0.95) / catalogue_quantile(shape, 1, 0.05), 0.65 / 0.2,
                1e-9);
    catalogue_free(&c);
    w = (struct catalogue_request){.bands = 1, .band = {{0, 1800}}, .lognormal = true};
    c = read_eruptions(text, w, no_zone, 1);
    assert_near(c.kind[0].share[0] + c.kind[0].share[1], 1, 1e-12);
    assert_near(c.kind[0].share[0], 0.5, 1e-9); /* the middle of two quantiles is the median */
    catalogue_free(&c);
}

/* ---- ranges ------------------------------------------------------------------------------------ */

enum { DRAWS = 99 };

/* Rates that are the middles of equal parts from 0 to 2 have 5 % of them below 0.1; of
 * rates 1/4 by vents / drawn, k / 50 in some order, another lies below the fifth of 99 in five of 100 cases. */
static void test_ranges(void **state)
{
    static double normal[DRAWS];
    const struct hazard x = {.draws = DRAWS,
                             .sets = 2 * DRAWS + 1,
                             .zones = 1,
                             .all = 2,
                             .normal = normal,
                             .together = {.low = {2, 2, 2, 2}, .high = {2, 2, 2, 2}}};
    const struct hazard_sums sum = {.part = {1}};
    for (int spread = 0; spread < 2; spread++) { /* of rates alone; of vents alone */
        float drawn[2 * DRAWS + 1];
        for (int i = 0; i < DRAWS; i++) {
            drawn[(29 * i) % DRAWS] = spread ? 1 : 2 * (i + 0.5F) / DRAWS;
            drawn[DRAWS + (37 * i) % DRAWS] = spread ? 50 / 4.F / (i + 1.F) : 1;
        }
        drawn[2 * DRAWS] = spread ? 0.5F : 1;
        const struct hazard_rate r = hazard_rate_of(&x, &sum, drawn);
        assert_near(r.low[BY_FREQUENCY], spread ? 1 : 0.1, 1e-6);
        assert_near(r.high[BY_FREQUENCY], spread ? 1 : 1.9, 1e-6);
        assert_near(r.low[BY_VENTS], spread ? 0.1 : 1, 1e-6);
        assert_near(r.high[BY_VENTS], spread ? 1.9 : 1, 1e-6);
        if (spread) assert_near(r.low[BY_ALL], r.low[BY_VENTS], 1e-6);
        else assert_true(r.low[BY_ALL] < r.low[BY_FREQUENCY]);
        assert_near(r.high[BY_RUNS] - r.low[BY_RUNS], 0, 1e-6);
    }
    /* of the number of runs alone: in all ranges as a gamma of as many as tell that much */
    for (int i = 0; i < DRAWS; i++) normal[(29 * i) % DRAWS] = normal_quantile((i + 0.5) / DRAWS);
    float drawn[2 * DRAWS + 1];
    for (int i = 0; i < 2 * DRAWS + 1; i++) drawn[i] = 1;
    const struct hazard few = {.draws = DRAWS,
                               .sets = 2 * DRAWS + 1,
                               .zones = 1,
                               .all = 2,
                               .squares = 0.5,
                               .together = x.together,
                               .normal = normal};
    const struct hazard_sums some = {.part = {1}, .squares = 0.3};
    const struct hazard_rate r = hazard_rate_of(&few, &some, drawn);
    const double n = 1 / (0.25 * 0.3 + 0.25 * (0.5 - 0.3));
    assert_near(r.low[BY_RUNS], gsl_cdf_gamma_Pinv(0.05, n, 1 / n), 2e-3);
    assert_near(r.high[BY_RUNS], gsl_cdf_gamma_Pinv(0.95, n, 1 / n), 2e-3);
    assert_near(r.low[BY_ALL], gsl_cdf_gamma_Pinv(4.5 / DRAWS, n, 1 / n), 2e-3);
    assert_near(r.high[BY_ALL], gsl_cdf_gamma_Pinv(1 - 4.5 / DRAWS, n, 1 / n), 2e-3);
    assert_near(r.low[BY_FREQUENCY], 1, 0);
    assert_near(r.high[BY_VENTS], 1, 0);
}

/* The map of each number of years has the probabilities of that number at its places. */
static void test_labels(void **state)
{
    static struct plan plan;
    static const double years[] = {10, 50};
    struct hazard_rate rate[] = {{.rate = 0.01}, {.rate = 0.002}};
    const struct hazard x = {.from = &plan, .place = rate};
    const struct product *row = hazard_files.row;
    plan.keys.hazard.years.count = 2;
    memcpy(plan.keys.hazard.years.value, years, sizeof years);
    while (strcmp(row->name, "map_hazard_*y") != 0) row++;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            char text[PROBABILITY_TEXT];
            double p, low, high;
            rate[k].low[BY_ALL] = (float)(rate[k].rate / 2);
            rate[k].high[BY_ALL] = (float)(rate[k].rate * 3);
            row->place(&(struct product_at){.of = &x, .i = i, .row = row}, k, text, sizeof text);
            assert_int_equal(sscanf(WORDS_ENGLISH(text), "%lf %% (%lf to %lf)", &p, &low, &high),
                             3);
            const double mean = rate[k].rate * years[i];
            assert_near(p, 100 * (1 - exp(-mean)), 0.01 * p);
            assert_near(low, 100 * (1 - exp(-mean / 2)), 0.06 * low);
            assert_near(high, 100 * (1 - exp(-mean * 3)), 0.06 * high);
        }
}

int main(void)
{
    return UNIT_RUN(test_kernels, test_forms, test_bandwidth, test_sharpened, test_parts, test_area,
                    test_rates, test_zones, test_gaps, test_groups, test_sizes, test_ranges,
                    test_labels);
}
