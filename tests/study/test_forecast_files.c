/* A forecast (nowcast/): its cells, and all its files, against plain loops over what each member did when it was
 * computed. */
/* tests: study/nowcast */
#include "nowcast/nowcast.h"
#include "nowcast/rounds.h"
#include "computed_members.h"
#include "record/painters.h"
#include "record/probability.h"
#include "record/roundnum.h"
#include "text/times.h"
#include "text/words.h"
#include "unit.h"

#include <cJSON.h>
#include <math.h>
#include <stdarg.h>

/* ---- a forecast ------------------------------------------------------------------------------ */

/* By the weights of a set, times the odds of lava in the cell for members that had it there when it was seen: the
 * share of those with lava by a class. told: where lava was seen it has come, whatever members do. */
static double given_cell(const struct nowcast *x, int set, uint32_t place, int by_class, bool told)
{
    const struct nowcast_set *s = &x->set[set];
    const struct sight_here here =
        (told ? sights_here : sights_odds)(&x->sights, s->until_s, place / COLS, place % COLS);
    if (isinf(here.odds)) return 1;
    double all = 0, came = 0;
    for (int64_t i = 0; i < made.count; i++) {
        const struct reached *r = find_cell(&made, i, place);
        const double w =
            (double)s->weight[i] * (r && r->arrival_class <= here.edge ? exp(here.odds) : 1);
        all += w, came += r && r->arrival_class <= by_class ? w : 0;
    }
    return came / all;
}

static void cells_of_a_forecast(void **state)
{
    enum { BY_HALF = 9, LATEST = 10000 }; /* the class that ends at half an hour */
    struct error e = {0};
    struct nowcast x = {.ask = {.db = NULL}};
    struct nowcast_options o = {.ask.ensemble.until_error = -1, .now_s = NAN};
    int differ = 0;
    write_plan(&dir);
    put_text(&dir, "asked.cfg", ASKED "run_h 25\n");
    put_text(&dir, "places.json", PLACES);
    compute(&made, "asked.cfg", "asked.gpkg");
    put_front("early.asc", 5, BY_HALF);
    put_front("late.asc", 9, LATEST);
    put_text(&dir, "asked.cfg",
             ASKED "run_h 25\nobserved_front early.asc at 0.5h error_m 8 correlation_m 30\n"
                   "observed_front late.asc at 24.6h error_m 8 correlation_m 30\n");
    o.ask.library = scratch_file(&dir, "asked.gpkg");
    struct study_job j = {.study = &study_nowcast, .self = &x, .options = &o, .threads = 1};
    must(study_nowcast.open(&j, &e), &e);
    must(study_nowcast.round(&j, &e), &e);
    for (uint32_t place = 0; place < CELLS; place++) {
        const double now = given_cell(&x, NOWCAST_NOW, place, LATEST, true),
                     yesterday = given_cell(&x, NOWCAST_YESTERDAY, place, LATEST, true);
        uint64_t came = 0, all = 0;
        for (int64_t i = 0; i < made.count; i++) {
            came += find_cell(&made, i, place) ? made.weight[i] : 0;
            all += made.weight[i];
        }
        assert_true(fabs(nowcast_at_cell(&x, NOWCAST_NOW, place) - now) < 1e-6);
        assert_true(fabs(nowcast_at_cell(&x, NOWCAST_YESTERDAY, place) - yesterday) < 1e-6);
        assert_true(fabs(nowcast_at_cell(&x, NOWCAST_BEFORE, place) - (double)came / (double)all) <
                    1e-6);
        differ += fabs(now - yesterday) > 0.01 && fabs(now - (double)came / (double)all) > 0.01;
    }
    assert_true(differ > 3);

    /* of each front: by what was seen a day before, by nothing, and as the front before was */
    assert_true(x.fronts == 2 && x.set[x.front[0].set].until_s < 0 &&
                x.set[x.front[1].set].until_s > 0);
    for (int front = 0; front < 2; front++)
        for (int which = 0; which < FORECASTS; which++) {
            struct forecast f;
            struct nowcast_counted room;
            if (front == 0 && which == FORECAST_PERSISTENCE) continue; /* there was none */
            assert_true(nowcast_forecast(&f, &x, front, which, &room));
            for (uint32_t place = 0; place < CELLS; place++) {
                const struct reached *r = find_cell(&made, 5, place);
                const int set = which == FORECAST_NOW ? x.front[front].set : NOWCAST_BEFORE,
                          edge = x.sights.of[x.front[front].sight].edge;
                const double p = which == FORECAST_PERSISTENCE
                                     ? r && r->arrival_class <= BY_HALF
                                     : given_cell(&x, set, place, edge, false);
                assert_true(fabs((double)f.count(f.of, place) / (double)f.weight - p) < 1e-6);
            }
        }
    study_nowcast.close(&x);
}

/* ---- the files of a forecast ----------------------------------------------------------------- */

enum { NEVER = 1 << 20 };

/* Members in a cell or at a place: when lava came, and how thick it became. */
struct lava_of {
    int came[MEMBERS_MOST], thick[MEMBERS_MOST];
};

static void lava_in(struct lava_of *l, const uint32_t *cell, uint32_t cells)
{
    for (int64_t i = 0; i < made.count; i++) {
        l->came[i] = NEVER, l->thick[i] = -1;
        for (uint32_t k = 0; k < cells; k++) {
            const struct reached *r = find_cell(&made, i, cell[k]);
            if (r && r->arrival_class < l->came[i]) l->came[i] = r->arrival_class;
            if (r && r->thickness_class > l->thick[i]) l->thick[i] = r->thickness_class;
        }
    }
}

static bool happens(const struct lava_of *l, int64_t i, enum ensemble_event event, int edge)
{
    return event == EVENT_LAVA     ? l->came[i] < NEVER
           : event == EVENT_SOONER ? l->came[i] <= edge
                                   : l->thick[i] > edge;
}

/* The probability of an event by weights and by what was seen (docs/formats/observations.md). Where it was seen dry and
 * most members had lava, these count as (1 + later) / 2. NaN: all members have lava later than it was seen. */
static double told(const uint64_t *weight, const struct lava_of *l, enum ensemble_event event,
                   int edge, struct sight_here here, double later, bool *capped)
{
    double all = 0, since = 0, of_since = 0, of_other = 0;
    for (int64_t i = 0; i < made.count; i++) {
        const double w = (double)weight[i];
        const bool had = l->came[i] <= here.edge;
        all += w, since += had ? w : 0;
        if (happens(l, i, event, edge)) *(had ? &of_since : &of_other) += w;
    }
    if (isinf(here.odds)) {
        if (event == EVENT_LAVA || (event == EVENT_SOONER && edge >= here.edge)) return 1;
        return since > 0 ? of_since / since : (double)NAN;
    }
    const double most = (1 + later) / 2, then = since / all;
    const bool many = here.odds < 0 && then > most;
    const double prior = many ? most : then,
                 had = exp(here.odds) * prior / (exp(here.odds) * prior + 1 - prior),
                 tenth = many ? 0.1 : 0,
                 dry = many || then < 1 ? (1 - had) / (1 - then + tenth) : 0;
    *capped = *capped || many;
    return (since > 0 ? of_since / since * (had + dry * tenth * later) : 0) + of_other / all * dry;
}

/* Of the members without lava at the margin, the share with lava there later. */
static double later_of(const struct sights *x, const uint64_t *weight, double until_s,
                       struct window box, bool front)
{
    double later = 0, dry = 0;
    for (int row = box.row0; row < box.row0 + box.rows; row++)
        for (int col = box.col0; col < box.col0 + box.cols; col++) {
            const uint32_t cell = (uint32_t)(row * COLS + col);
            const struct sight_here here =
                (front ? sights_odds : sights_here)(x, until_s, (uint32_t)row, (uint32_t)col);
            struct lava_of l;
            double all = 0, came = 0, reached = 0;
            if (here.odds >= 0) continue;
            lava_in(&l, &cell, 1);
            for (int64_t i = 0; i < made.count; i++) {
                all += (double)weight[i];
                came += l.came[i] <= here.edge ? (double)weight[i] : 0;
                reached += l.came[i] < NEVER ? (double)weight[i] : 0;
            }
            later += came / all * (reached - came) / all, dry += came / all * (all - came) / all;
        }
    return dry > 0 ? later / dry : 0;
}

#define expect_number(got, expected, by) expect_near(__LINE__, got, expected, by)
static void expect_near(int line, double got, double expected, double by)
{
    if (got == expected || (isnan(got) && isnan(expected))) return;
    if (fabs(got - expected) <= by * (1 + fabs(expected))) return;
    print_error("%g, not %g\n", got, expected);
    _fail(__FILE__, line);
}

/* ---- files ---- */

static struct product_at file_of(const struct nowcast *x, const char *name)
{
    for (int i = 0; i < nowcast_files.count; i++)
        if (!strcmp(nowcast_files.row[i].name, name))
            return (struct product_at){.of = x, .row = &nowcast_files.row[i]};
    fail_msg("no file %s", name);
    return (struct product_at){0};
}

static char *text_of(const struct nowcast *x, const char *name)
{
    const struct product_at at = file_of(x, name);
    struct error e = {0};
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    struct table t = table_to(f);
    if (at.row->rows) at.row->rows(&t, &at);
    else must(at.row->put(f, &at, &e), &e);
    assert_int_equal(fclose(f), 0);
    return text;
}

/* A cell of a table, from its row and the name of its column. */
static const char *cell_of(const char *text, int row, const char *column)
{
    const size_t length = strlen(column);
    const char *at = text;
    int number = 0;
    while (strncmp(at, column, length) != 0 || !strchr(",\n", at[length])) {
        at += strcspn(at, ",\n");
        if (*at++ != ',') fail_msg("no column %s in %s", column, text);
        number++;
    }
    for (at = text; row >= 0; row--) at = strchr(at, '\n') + 1;
    for (; number; number--) at = strchr(at, ',') + 1;
    return at;
}

#define expect_cell(text, row, column, expected)                                                   \
    expect_near(__LINE__, number_of(text, row, column), expected, 2e-5)
static double number_of(const char *text, int row, const char *column)
{
    const char *at = cell_of(text, row, column);
    return strchr(",\n", *at) ? (double)NAN : strtod(at, NULL);
}

static void expect_word(const char *text, int row, const char *column, const char *expected)
{
    const char *at = cell_of(text, row, column);
    assert_true(strcspn(at, ",\n") == strlen(expected) && !strncmp(at, expected, strlen(expected)));
}

static int rows_of(const char *text)
{
    int rows = -1;
    for (; *text; text++) rows += *text == '\n';
    return rows;
}

static double effective_of(const uint64_t *weight)
{
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < made.count; i++)
        sum += (double)weight[i], squares += (double)weight[i] * (double)weight[i];
    return sum * sum / squares;
}

/* ---- what is expected ---- */

struct expected {
    double later[NOWCAST_SETS];
    int capped[NOWCAST_SETS], certain, changes[9];
    int at_places, near; /* capped at places, and in cells near a line */
};

static double at_cell(const struct nowcast *x, struct expected *f, int set, uint32_t cell,
                      enum ensemble_event event, int edge)
{
    const struct nowcast_set *s = &x->set[set];
    const struct sight_here none = {0, -1, 0, 0},
                            here = isinf(s->until_s) ? none
                                                     : sights_here(&x->sights, s->until_s,
                                                                   cell / COLS, cell % COLS);
    struct lava_of l;
    bool capped = false;
    lava_in(&l, &cell, 1);
    const double p = told(s->weight, &l, event, edge, here, f->later[set], &capped);
    f->capped[set] += capped, f->certain += isinf(here.odds);
    return p;
}

static double at_place(const struct nowcast *x, struct expected *f, int set, int place,
                       enum ensemble_event event, int edge)
{
    const struct asset *a = &x->ask.of.s.assets.asset[place];
    struct lava_of l;
    bool capped = false;
    lava_in(&l, a->cell, a->cells);
    const double p = told(x->set[set].weight, &l, event, edge, x->here[set * x->places + place],
                          f->later[set], &capped);
    f->at_places += capped && set == NOWCAST_NOW && f->later[set] > 0;
    return p;
}

static bool any_lava(uint32_t cell)
{
    struct lava_of l;
    int any = 0;
    lava_in(&l, &cell, 1);
    for (int64_t i = 0; i < made.count; i++) any += l.came[i] < NEVER && made.weight[i];
    return any > 0;
}

/* Probabilities of all events in a cell now, and the percentiles of its arrivals: of the members that come after the
 * cell was last seen dry. */
static void expect_events(const struct nowcast *x, struct expected *f, uint32_t cell)
{
    const struct ensemble *s = &x->ask.of.s;
    const struct statistics_request *w = &s->source->request;
    const struct sight_here here =
        sights_here(&x->sights, x->sights.now_s, cell / COLS, cell % COLS);
    const int last = s->arrival_s.edges,
              dry = isinf(here.odds)
                        ? 0
                        : sights_dry_classes(&x->sights, x->sights.now_s, cell / COLS, cell % COLS);
    static double by[8200];
    const bool any = any_lava(cell);
    for (int k = -1; k <= last; k++) {
        const int capped = f->capped[NOWCAST_NOW];
        const double p = at_cell(x, f, NOWCAST_NOW, cell, EVENT_SOONER, k);
        if (f->capped[NOWCAST_NOW] > capped && dry <= here.edge && f->later[NOWCAST_NOW] > 0)
            f->near++;
        const bool sure = isinf(here.odds) && k >= here.edge;
        if (k < 40 || k % 37 == 0 || k > last - 3)
            expect_number(ensemble_probability(s, cell, EVENT_SOONER, k),
                          any || sure ? p : (double)NAN, 1e-6);
        by[k + 1] = p;
    }
    for (int k = 0; k < w->threshold_count && !x->ask.of.brief; k++) {
        const int edge = axis_edge(&s->thickness_m, w->threshold_m[k]);
        expect_number(ensemble_probability(s, cell, EVENT_THICKER, edge),
                      any ? at_cell(x, f, NOWCAST_NOW, cell, EVENT_THICKER, edge) : (double)NAN,
                      1e-6);
    }
    const double all = by[last + 1] - by[dry];
    for (int percent = 0; percent < 100 && any; percent += 10) {
        int class = dry;
        while (class < last && !(by[class + 1] - by[dry] >= all * percent / 100 * (1 - 1e-9) &&
                                 by[class + 1] > by[dry]))
            class ++;
        assert_int_equal(x->seen.arrival(x, cell, percent), all > 1e-12 ? class : -1);
    }
}

static int class_of_change(double points)
{
    static const double limit[] = {1, 5, 15, 40};
    int size = 0;
    for (int i = 0; i < 4; i++) size += fabs(points) >= limit[i];
    return points < 0 ? 5 - size : 5 + size;
}

/* Layers and maps: the probability of each set, changes, and horizons. */
static void expect_layers(const struct nowcast *x, struct expected *f)
{
    static const struct {
        const char *layer, *map, *since;
        int set;
    } change[] = {
        {"change", "map_change", "24 h earlier", NOWCAST_YESTERDAY},
        {"change_in_all", "map_change_in_all", "before anything was seen", NOWCAST_BEFORE}};
    const struct ensemble *s = &x->ask.of.s;
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        double p[NOWCAST_SETS];
        for (int set = 0; set < NOWCAST_SETS; set++) {
            p[set] = at_cell(x, f, set, cell, EVENT_LAVA, 0);
            if (!any_lava(cell) && p[set] < 1) p[set] = 0;
            expect_number(nowcast_at_cell(x, set, cell), p[set], 1e-6);
        }
        assert_true(x->ask.of.also_reached(x, cell) == (p[NOWCAST_NOW] == 1));
        struct product_at at = file_of(x, "probability_before");
        expect_number(at.row->value(&at, cell), p[0] > 0 ? p[0] : (double)NAN, 1e-6);
        at = file_of(x, "probability_yesterday");
        expect_number(at.row->value(&at, cell), p[1] > 0 ? p[1] : (double)NAN, 1e-6);
        at = file_of(x, "map_forecast");
        expect_number(at.row->value(&at, cell),
                      report_class(p[2] > 0 ? nowcast_at_cell(x, 2, cell) : (double)NAN), 0);
        for (int k = 0; k < 2; k++) {
            const double more = p[NOWCAST_NOW] - p[change[k].set];
            const bool any = p[NOWCAST_NOW] > 0 || p[change[k].set] > 0;
            at = file_of(x, change[k].layer);
            expect_number(at.row->value(&at, cell), any ? more : (double)NAN, 1e-6);
            at = file_of(x, change[k].map);
            const double class = at.row->value(&at, cell);
            assert_true(any ? class == class_of_change(100 * more + 1e-5) ||
                                  class == class_of_change(100 * more - 1e-5)
                            : isnan(class));
            if (any) f->changes[(int)class - 1]++;
        }
        at = file_of(x, "probability_in_*h");
        assert_int_equal(x->horizons, 3);
        for (at.i = 0; at.i < x->horizons; at.i++) {
            const double until_s = x->sights.now_s + 86400.0 * (at.i + 1),
                         soon = at_cell(x, f, NOWCAST_NOW, cell, EVENT_SOONER,
                                        sights_class(&s->arrival_s, until_s));
            const bool any = any_lava(cell) || soon == 1;
            expect_number(at.row->value(&at, cell), any && soon > 0 ? soon : (double)NAN, 1e-6);
            char name[PRODUCT_WORD], about[PRODUCT_WORD], days[8];
            sprintf(days, "%d", 24 * (at.i + 1));
            assert_true(at.row->word(x, at.i, name, about));
            assert_true(!strcmp(name, days) && !strcmp(about, days));
        }
        expect_events(x, f, cell);
    }
    char hours[32], number[32], text[300], said[PROBABILITY_TEXT], place[PRODUCT_PLACE];
    static struct product_map map;
    sprintf(hours, "%g", x->sights.now_s / 3600);
    roundnum_brief(number, effective_of(x->set[NOWCAST_NOW].weight));
    struct product_at at = file_of(x, "map_forecast");
    at.row->map(&at, &map);
    sprintf(text,
            "Probability that lava arrives, by what was seen until %s h: %d simulated eruptions, "
            "effective number %s",
            hours, (int)s->done, number);
    assert_string_equal(WORDS_ENGLISH(map.subtitle), text);
    for (int k = 0; k < 2; k++) {
        at = file_of(x, change[k].map);
        at.row->map(&at, &map);
        sprintf(
            text,
            "Probability that lava arrives, at %s h minus %s: %d simulated eruptions, effective "
            "number %s",
            hours, change[k].since, (int)s->done, number);
        assert_string_equal(WORDS_ENGLISH(map.subtitle), text);
        for (int i = 0; i < x->places; i++) {
            const double more = nowcast_at_place(x, NOWCAST_NOW, i, INFINITY) -
                                nowcast_at_place(x, change[k].set, i, INFINITY);
            at.row->place(&at, i, place, sizeof place);
            const char *points = strrchr(words_fill(text, sizeof text, place, NULL), ',');
            nowcast_said(said, x, NOWCAST_NOW, i, INFINITY);
            assert_true(points && !strncmp(text, said, strlen(said)) &&
                        points == text + strlen(said));
            const bool less = strncmp(points + 2, "−", 3) == 0;
            expect_number((less ? -1 : 1) * fabs(strtod(points + (less ? 5 : 2), NULL)), 100 * more,
                          0.006);
        }
    }
}

/* The beginning of the first class with lava at a place that has a probability, or any. No class in which it was seen dry
 * counts; where lava was seen, it came then or before. */
static double earliest_s(const struct nowcast *x, int place, double p, double later)
{
    const struct asset *a = &x->ask.of.s.assets.asset[place];
    const struct axis *axis = &x->ask.of.s.arrival_s;
    const struct sight_here here = x->here[NOWCAST_NOW * x->places + place];
    bool capped = false;
    struct lava_of l;
    lava_in(&l, a->cell, a->cells);
    for (int class = 0; class <= axis->edges; class ++) {
        const double now =
            told(x->set[NOWCAST_NOW].weight, &l, EVENT_SOONER, class, here, later, &capped);
        if (!(p > 0 ? now >= p : now > 0)) continue;
        const double low_s = axis_low(axis, class < here.dry ? here.dry : class);
        return isinf(here.odds) && here.seen_s < low_s ? here.seen_s : low_s;
    }
    return NAN;
}

/* Each column of nowcast_places.csv, and what all files of an ensemble have of a place. */
static void expect_places_of(const struct nowcast *x, struct expected *f)
{
    static const char *const names[] = {"before", "yesterday", "now"};
    const struct ensemble *s = &x->ask.of.s;
    const struct statistics_request *w = &s->source->request;
    char *text = text_of(x, "nowcast_places.csv");
    assert_int_equal(rows_of(text), 4 * x->places);
    for (int i = 0, row = 0; i < x->places; i++) {
        double low[3], p_low = 0.05;
        const double error = sqrt(p_low * (1 - p_low) / effective_of(x->set[NOWCAST_NOW].weight));
        for (int k = 0; k < 3; k++)
            low[k] = earliest_s(x, i, p_low + (k - 1) * error, f->later[NOWCAST_NOW]) / 3600;
        for (int k = 0; k < 4; k++, row++) {
            const double hour = x->sights.now_s / 3600 + 24 * (k + 1);
            expect_word(text, row, "place", s->assets.asset[i].name);
            expect_cell(text, row, "within_h", k < 3 ? 24 * (k + 1) : (double)NAN);
            for (int set = 0; set < NOWCAST_SETS; set++) {
                const int class = sights_class(&s->arrival_s, hour * 3600);
                const double p = at_place(x, f, set, i, k < 3 ? EVENT_SOONER : EVENT_LAVA, class),
                             n = effective_of(x->set[set].weight);
                char column[32];
                expect_cell(text, row, names[set], p);
                sprintf(column, "%s_error", names[set]);
                expect_cell(text, row, column, sqrt(fmax(0, p * (1 - p) / n)));
            }
            expect_cell(text, row, "earliest_low_h", low[0]);
            expect_cell(text, row, "earliest_h", low[1]);
            expect_cell(text, row, "earliest_high_h", low[2]);
            expect_cell(text, row, "reached_h", nowcast_reached_s(x, NOWCAST_NOW, i) / 3600);
        }
        for (int k = -1; k < s->arrival_s.edges; k += k < 40 ? 1 : 97)
            expect_number(ensemble_at_place(s, i, EVENT_SOONER, k),
                          at_place(x, f, NOWCAST_NOW, i, EVENT_SOONER, k), 1e-6);
        for (int k = 0; k < w->threshold_count; k++) {
            const int edge = axis_edge(&s->thickness_m, w->threshold_m[k]);
            expect_number(ensemble_at_place(s, i, EVENT_THICKER, edge),
                          at_place(x, f, NOWCAST_NOW, i, EVENT_THICKER, edge), 1e-6);
        }
        expect_number(ensemble_reached_s(s, i), nowcast_reached_s(x, NOWCAST_NOW, i), 0);
        assert_int_equal(ensemble_dry_classes(s, i), x->here[NOWCAST_NOW * x->places + i].dry);
    }
    free(text);
}

/* What happens within a day, two and three, if it happens then: of a forecast that was made so long before. */
static void expect_horizons(struct nowcast *x, struct expected *f)
{
    const double now_s = x->sights.now_s, day_s = 86400;
    const struct ensemble *s = &x->ask.of.s;
    struct product_at at = file_of(x, "probability_in_*h");
    int differ = 0;
    for (int days = 1; days <= 3; days++) {
        x->sights.now_s = 1100 - days * day_s;
        expect_places_of(x, f);
        for (uint32_t cell = 0; cell < CELLS; cell++)
            for (at.i = 0; at.i < x->horizons; at.i++) {
                const double end_s = x->sights.now_s + (at.i + 1) * day_s;
                const struct sight_here none = {0, -1, 0, 0};
                bool capped = false;
                struct lava_of l;
                lava_in(&l, &cell, 1);
                const double p = told(x->set[NOWCAST_NOW].weight, &l, EVENT_SOONER,
                                      sights_class(&s->arrival_s, end_s), none, 0, &capped);
                expect_number(at.row->value(&at, cell), p > 0 ? p : (double)NAN, 1e-6);
                differ += at.i + 1 == days && p > 0.01 && p < 0.99;
            }
    }
    assert_true(differ > 9);
    x->sights.now_s = now_s;
}

/* Labels of maps say what is said of the end, now, and the change. */
static void expect_labels(const struct nowcast *x, int set, int i, const char *said)
{
    static const char *const maps[] = {"map_forecast", "map_change", "map_change_in_all"};
    char packed[PRODUCT_PLACE], text[WORDS_TEXT];
    for (int k = 0; k < 3 && set == NOWCAST_NOW && i % 2 == 0; k++) {
        const struct product_at at = file_of(x, maps[k]);
        at.row->place(&at, i / 2, packed, sizeof packed);
        words_fill(text, sizeof text, packed, NULL);
        assert_true(!strncmp(text, said, strlen(said)));
        const double change = nowcast_at_place(x, NOWCAST_NOW, i / 2, INFINITY) -
                              nowcast_at_place(x, at.row->number, i / 2, INFINITY);
        assert_int_equal(strlen(text) > strlen(said), k && !isnan(change));
    }
}

/* What is said of a place, also if it had no terrain. */
static void expect_said(const struct nowcast *x)
{
    for (int set = 0; set < NOWCAST_SETS; set++)
        for (int i = 0; i < 2 * x->places; i++) {
            struct asset *a = &x->ask.of.s.assets.asset[i / 2];
            const double until_s = i % 2 ? x->sights.now_s : INFINITY,
                         reached_s = nowcast_reached_s(x, set, i / 2),
                         p = nowcast_at_place(x, set, i / 2, until_s);
            char packed[PROBABILITY_TEXT], said[PROBABILITY_TEXT], text[PROBABILITY_TEXT];
            probability_pack(packed, p, effective_of(x->set[set].weight));
            words_fill(text, sizeof text, packed, NULL);
            if (!isnan(reached_s)) sprintf(text, "reached, seen at %g h", reached_s / 3600);
            assert_string_equal(nowcast_said(said, x, set, i / 2, until_s), text);
            expect_labels(x, set, i, text);
            a->bare = true;
            if (isnan(reached_s)) sprintf(text, "in the sea or outside the terrain's data");
            assert_string_equal(nowcast_said(said, x, set, i / 2, until_s), text);
            expect_labels(x, set, i, text);
            assert_true(isnan(reached_s) ? isnan(nowcast_at_place(x, set, i / 2, until_s))
                                         : nowcast_at_place(x, set, i / 2, until_s) == p);
            a->bare = false;
        }
}

static void expect_weights_of(const struct nowcast *x)
{
    const struct sights *s = &x->sights;
    char *text = text_of(x, "weights.csv"), column[100];
    assert_int_equal(rows_of(text), made.count);
    for (int i = 0; i < made.count; i++) {
        expect_cell(text, i, "member", i);
        expect_cell(text, i, "before", (double)made.weight[i]);
        expect_cell(text, i, "yesterday", (double)x->set[NOWCAST_YESTERDAY].weight[i]);
        expect_cell(text, i, "now", (double)x->set[NOWCAST_NOW].weight[i]);
        struct sight_of_member own[8] = {{.gain = 0}}; /* of the cells as they were computed */
        struct error e = {0};
        assert_true(s->count <= 8);
        for (int k = 0; k < s->count; k++) own[k].first = UINT16_MAX;
        sights_look(s, own, made.cell[i], (int)made.cells[i]);
        if (made.weight[i]) must(sights_finish(s, own, i, &e), &e);
        for (int k = 0; k < s->count; k++) {
            const struct sight_of_member *mine = &x->mine[i * s->count + k];
            assert_true(mine->gain == own[k].gain && mine->both == own[k].both &&
                        mine->cells == own[k].cells);
            sprintf(column, "log_likelihood %s", s->of[k].name);
            expect_cell(text, i, column, (double)mine->gain / SIGHTS_UNIT);
            sprintf(column, "jaccard %s", s->of[k].name);
            if (s->of[k].kind == SEEN_FRONT)
                expect_cell(text, i, column, sight_jaccard(&s->of[k], mine));
            if (s->of[k].kind != SEEN_ARRIVAL) continue;
            struct lava_of l; /* whenever lava comes there, it is known */
            lava_in(&l, s->of[k].arrival.cell, s->of[k].arrival.cells);
            assert_int_equal(mine->first, l.came[i] < NEVER ? l.came[i] : UINT16_MAX);
        }
    }
    free(text);
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The least value that a share of the weight does not exceed. */
static double percentile(const double value[][2], double share)
{
    double all = 0, sum = 0;
    for (int i = 0; i < made.count; i++) all += value[i][1];
    for (int i = 0; i < made.count; i++)
        if ((sum += value[i][1]) >= share * all) return value[i][0];
    return NAN;
}

/* Each row of posterior.csv: what members drew, and their results. */
static void expect_posterior(const struct nowcast *x)
{
    static const char *const results[] = {"area_m2", "runout_m", "emitted_m3"};
    const struct ensemble *s = &x->ask.of.s;
    char *text = text_of(x, "posterior.csv"), column[16];
    int row = 0, drawn = 0;
    const char *name;
    while (report_column(s, drawn, &name)) drawn++;
    for (int k = 0; k < drawn + 3; k++) {
        double value[MEMBERS_MOST][2];
        bool known = true;
        for (int i = 0; i < made.count; i++) {
            const struct member_result *r = &s->result[i];
            value[i][0] = k < drawn        ? report_drawn(r, k)
                          : k == drawn     ? made.area_m2[i]
                          : k == drawn + 1 ? r->runout_m
                                           : r->emitted_m3;
            if (!made.weight[i]) value[i][0] = 0; /* the member does not count */
            known = known && !isnan(value[i][0]);
        }
        if (!known) continue;
        const size_t length = report_column(s, k, &name);
        if (k < drawn)
            assert_true(!strncmp(cell_of(text, row, "quantity"), name, length) &&
                        cell_of(text, row, "quantity")[length] == ',');
        else expect_word(text, row, "quantity", results[k - drawn]);
        for (int now = 0; now < 2; now++) {
            for (int i = 0; i < made.count; i++)
                value[i][1] = (double)x->set[now ? NOWCAST_NOW : NOWCAST_BEFORE].weight[i];
            double sorted[MEMBERS_MOST][2];
            memcpy(sorted, value, sizeof value);
            qsort(sorted, (size_t)made.count, sizeof *sorted, by_value);
            for (int p = 0; p < 3; p++) {
                sprintf(column, "%s_p%02d", now ? "now" : "before", (int[]){5, 50, 95}[p]);
                expect_cell(text, row, column, percentile(sorted, (double[]){0.05, 0.5, 0.95}[p]));
            }
        }
        row++;
    }
    assert_true(row > 3 && row == rows_of(text));
    free(text);
}

/* Each forecast of a front against the front: its Brier score by the cells of its domain, the others by verify(). */
static int expect_scores(const struct nowcast *x)
{
    static const char *const names[] = {"nowcast", "before", "persistence"};
    static struct verification v;
    char *text = text_of(x, "forecasts.csv");
    int row = 0, capped = 0;
    for (int n = 0; n < x->fronts; n++)
        for (int which = 0; which < FORECASTS; which++) {
            const struct sight *o = &x->sights.of[x->front[n].sight];
            const struct domain *d = &o->front.domain;
            struct nowcast_counted room;
            struct forecast forecast;
            struct error e = {0};
            double brier = 0, front_h = o->time_s / 3600;
            int persists = -1;
            bool any = false;
            for (int k = 0; k < x->sights.count; k++) { /* the last whole front a day before */
                const struct sight *was = &x->sights.of[k];
                if (was->kind == SEEN_FRONT && !was->line->part && !*was->line->within &&
                    was->time_s <= o->time_s - 86400)
                    persists = k;
                any = any || was->time_s <= o->time_s - 86400;
            }
            const struct nowcast_set *s = &x->set[which ? NOWCAST_BEFORE : x->front[n].set];
            if (!which) expect_number(s->until_s, any ? o->time_s - 86400 : -INFINITY, 0);
            if (which == FORECAST_PERSISTENCE && persists < 0) continue;
            const double later =
                which ? 0 : later_of(&x->sights, s->weight, s->until_s, d->box, true);
            for (int i = 0; i < d->box.rows * d->box.cols; i++) {
                const uint32_t r = (uint32_t)(d->box.row0 + i / d->box.cols),
                               c = (uint32_t)(d->box.col0 + i % d->box.cols), cell = r * COLS + c;
                const bool observed = d->cell[i] & DOMAIN_OBSERVED;
                struct sight_here here = {0, -1, 0, 0};
                struct lava_of l;
                bool many = false;
                if (!(d->cell[i] & DOMAIN_IN)) continue;
                if (!which) here = sights_odds(&x->sights, s->until_s, r, c);
                lava_in(&l, &cell, 1);
                const double p =
                    which == FORECAST_PERSISTENCE
                        ? x->sights.of[persists].front.inside[cell]
                        : told(s->weight, &l, EVENT_SOONER, o->edge, here, later, &many);
                capped += many && later > 0;
                brier += (p - observed) * (p - observed) / (double)d->cells;
            }
            assert_true(nowcast_forecast(&forecast, x, n, which, &room));
            must(verify(&v, &forecast, &e), &e);
            expect_cell(text, row, "front_h", front_h);
            expect_word(text, row, "forecast", names[which]);
            expect_cell(text, row, "issued_h", front_h - 24);
            expect_cell(text, row, "cells", (double)d->cells);
            expect_cell(text, row, "observed", (double)d->observed);
            expect_cell(text, row, "effective",
                        which == FORECAST_PERSISTENCE ? 1 : effective_of(s->weight));
            expect_cell(text, row, "brier", brier);
            for (int k = 0; k < VERIFY_SCORES; k++) {
                char column[40];
                expect_cell(text, row, verify_score_names[k], v.score[k].value);
                sprintf(column, "%s_error", verify_score_names[k]);
                expect_number(strtod(cell_of(text, row, column), NULL), v.score[k].error, 0.006);
            }
            expect_cell(text, row, "reliability", v.reliability);
            row++;
        }
    assert_int_equal(rows_of(text), row);
    free(text);
    return capped;
}

static double json_number(const cJSON *o, const char *name)
{
    const cJSON *x = cJSON_GetObjectItem(o, name);
    assert_non_null(x);
    return cJSON_IsNull(x) ? (double)NAN : x->valuedouble;
}

/* Files of places and of scores are there if there are places, or fronts. */
static void expect_counts(void)
{
    static const struct {
        const char *name;
        size_t count;
    } of[] = {{"nowcast_places.csv", offsetof(struct nowcast, places)},
              {"forecasts.csv", offsetof(struct nowcast, fronts)},
              {"probability_in_*h", offsetof(struct nowcast, horizons)}};
    for (int i = 0; i < 3; i++) assert_int_equal(file_of(NULL, of[i].name).row->count, of[i].count);
    assert_ptr_equal(nowcast_files.next, &report_files);
}

static void expect_summary(const struct nowcast *x)
{
    static const char *const names[] = {"before", "yesterday", "now"};
    const struct product_at at = file_of(x, "nowcast");
    const struct sights *s = &x->sights;
    cJSON *o = cJSON_CreateObject();
    at.row->entry(o, &at);
    expect_number(json_number(o, "now_h"), s->now_s / 3600, 1e-12);
    expect_number(json_number(o, "observations"), s->count, 0);
    expect_number(json_number(o, "rounds"), 0, 0);
    /* the likeliest, and the largest of the likeliest that have 95 % of the weight: of equals the first */
    const struct nowcast_set *now = &x->set[NOWCAST_NOW];
    bool used[MEMBERS_MOST] = {false};
    int likeliest = -1, worst = -1;
    for (double sum = 0; sum < 0.95 * (double)now->sum;) {
        int next = -1;
        for (int i = 0; i < made.count; i++)
            if (!used[i] && (next < 0 || now->weight[i] > now->weight[next])) next = i;
        used[next] = true, sum += (double)now->weight[next];
        if (likeliest < 0) likeliest = worst = next;
        if (made.area_m2[next] > made.area_m2[worst]) worst = next;
    }
    expect_number(json_number(o, "likeliest_member"), likeliest, 0);
    expect_number(json_number(o, "worst_member"), worst, 0);
    assert_string_equal(cJSON_GetObjectItem(o, "warning")->valuestring, x->told.warning);
    for (int k = 0; k < 3; k++) {
        const cJSON *set = cJSON_GetObjectItem(o, names[k]);
        const double until_s = x->set[k].until_s;
        expect_number(json_number(set, "until_h"), isinf(until_s) ? (double)NAN : until_s / 3600,
                      1e-12);
        expect_number(json_number(set, "effective"), effective_of(x->set[k].weight), 1e-6);
        expect_number(json_number(set, "power"), x->set[k].power, 1e-12);
        expect_number(json_number(set, "effective_untempered"), x->set[k].full, 1e-12);
    }
    for (int k = 0; k < s->count; k++) {
        const cJSON *one = cJSON_GetArrayItem(cJSON_GetObjectItem(o, "seen"), k);
        double most = -1;
        int nearest = -1;
        assert_string_equal(cJSON_GetObjectItem(one, "name")->valuestring, s->of[k].name);
        expect_number(json_number(one, "time_h"), s->of[k].time_s / 3600, 1e-12);
        assert_int_equal(cJSON_HasObjectItem(one, "nearest_member"), s->of[k].kind == SEEN_FRONT);
        if (s->of[k].kind != SEEN_FRONT) continue;
        for (int i = 0; i < made.count; i++) {
            const double j = sight_jaccard(&s->of[k], &x->mine[i * s->count + k]);
            if (j > most && made.weight[i]) most = j, nearest = i;
        }
        expect_number(json_number(one, "nearest_member"), nearest, 0);
        expect_number(json_number(one, "nearest_jaccard"), most, 1e-12);
    }
    cJSON_Delete(o);
}

/* What is said of the observations, and where nothing is said. */
static void expect_warnings(const struct nowcast *x, int said[8])
{
    const struct sights *s = &x->sights;
    const struct nowcast_set *now = &x->set[NOWCAST_NOW];
    const double few = fmin(5, fmax(1.1, 0.01 * effective_of(made.weight)));
    char text[200];
    double jaccard = 1;
    int whole = -1;
    sprintf(text, "their effective number is %.2g; check", now->full);
    assert_int_equal(strstr(x->told.warning, text) != NULL, now->full < few);
    assert_int_equal(strstr(x->told.warning, "effective number is") != NULL, now->full < few);
    sprintf(text, "tempered to the power %.2g, as no more than %.3g members would count",
            now->power, now->full);
    assert_int_equal(strstr(x->told.warning, text) != NULL, now->power < 0.1);
    assert_int_equal(strstr(x->told.warning, "error of the model") != NULL, now->power < 0.1);
    said[0] += now->full < few, said[1] += now->power < 0.1;
    for (int k = 0; k < s->count; k++) {
        const struct sight *o = &s->of[k];
        double all = 0, far = 0;
        if (o->kind == SEEN_FRONT && !o->line->part) whole = k;
        if (o->kind != SEEN_END && o->kind != SEEN_ARRIVAL) continue;
        for (int64_t i = 0; i < made.count; i++) {
            all += (double)now->weight[i];
            if (!sight_is_near(o, &x->mine[i * s->count + k])) far += (double)now->weight[i];
        }
        const bool end = o->kind == SEEN_END;
        sprintf(text, end ? "no simulated eruption ends near %s" : "near that time: %s", o->name);
        assert_int_equal(strstr(x->told.warning, text) != NULL, far == all);
        sprintf(text, "%.0f %% of the simulated eruptions, by their weights now, end more",
                100 * far / all);
        const bool some = end && far < all && far > 0.1 * all;
        assert_int_equal(strstr(x->told.warning, text) != NULL, some);
        said[2] += far == all, said[3] += some, said[5] += some && far < 0.3 * all;
        said[7] += end && far <= 0.1 * all;
    }
    if (whole >= 0) nowcast_nearest(x, whole, &jaccard);
    sprintf(text, "no simulated eruption resembles the %s: the nearest overlaps it by J = %.2f",
            whole < 0 ? "" : s->of[whole].name, jaccard);
    assert_int_equal(strstr(x->told.warning, text) != NULL, jaccard < 0.5);
    assert_int_equal(strstr(x->told.warning, "resembles") != NULL, jaccard < 0.5);
    if (jaccard < 0.5) said[4]++;
    if (jaccard < 0.5 && jaccard > 0.25) said[6]++;
    assert_non_null(strstr(x->told.warning, s->told.warning));
}

/* Times and changes that the bulletin takes. */
static void expect_bulletin(const struct nowcast *x)
{
    const struct bulletin_more *b = &nowcast_bulletin;
    double last_s = 0, lava_s = -INFINITY;
    for (int k = 0; k < x->sights.count; k++) {
        const struct sight *o = &x->sights.of[k];
        last_s = fmax(last_s, o->time_s);
        if (o->kind == SEEN_FRONT || o->kind == SEEN_ARRIVAL) lava_s = fmax(lava_s, o->time_s);
    }
    assert_true(b->now_s(x) == x->sights.now_s && b->last_s(x) == last_s && b->lava_s(x) == lava_s);
    assert_true(b->before_s(x) == x->set[NOWCAST_YESTERDAY].until_s);
    for (int i = 0; i < x->places; i++)
        expect_number(b->before(x, i), nowcast_at_place(x, NOWCAST_YESTERDAY, i, INFINITY), 0);
}

/* A forecast is better only beyond the error of the difference. Counts those that are, and those within it. */
static void expect_better(const struct nowcast *x, int better[2])
{
    struct error e = {0};
    for (int than = FORECAST_BEFORE; x->fronts && than <= FORECAST_PERSISTENCE; than++) {
        static struct verification v[2];
        struct nowcast_counted room[2];
        struct forecast f[2];
        struct verify_difference d;
        bool both = true;
        for (int k = 0; k < 2; k++) {
            both = both &&
                   nowcast_forecast(&f[k], x, x->fronts - 1, k ? than : FORECAST_NOW, &room[k]);
            if (both) must(verify(&v[k], &f[k], &e), &e);
        }
        if (!both) {
            assert_false(nowcast_is_better(x, than));
            continue;
        }
        const double less = v[1].score[VERIFY_BRIER].value - v[0].score[VERIFY_BRIER].value;
        must(verify_compare(&d, &f[0], &f[1], &e), &e);
        const bool clear = less > d.difference[VERIFY_BRIER].error;
        assert_int_equal(nowcast_is_better(x, than), clear);
        if (less > 1e-6) better[clear]++;
    }
}

/* ---- a bulletin that keeps its lines ---- */

struct bulletin {
    FILE *f;
    int where;
    const char *zone;
};

const char *bulletin_fill(const struct bulletin *b, const char *packed, char out[BULLETIN_TEXT])
{
    return words_fill(out, BULLETIN_TEXT, packed, NULL);
}

void bulletin_say(struct bulletin *b, int kind, const char *format, ...)
{
    char packed[WORDS_TEXT];
    va_list list;
    va_start(list, format);
    words_pack_list(packed, sizeof packed, format, list);
    va_end(list);
    fprintf(b->f, "%d %d %s\n", b->where, kind, WORDS_ENGLISH(packed));
}

void bulletin_row(struct bulletin *b, int kind, const char cell[BULLETIN_CELLS][BULLETIN_TEXT])
{
    fprintf(b->f, "%d %d ", b->where, kind);
    for (int i = 0; i < BULLETIN_CELLS; i++)
        fprintf(b->f, "|%s",
                i || kind == TEXT_PAGE_TABLE ? WORDS_ENGLISH(*cell[i] ? cell[i] : "") : cell[i]);
    fputs("\n", b->f);
}

void bulletin_where(struct bulletin *b, int where)
{
    b->where = where;
}

char *bulletin_date(const struct bulletin *b, double time_s, char out[64])
{
    return words_pack(out, 64, "%s h after the start", times_hours_said((char[32]){0}, time_s));
}

char *bulletin_moment(const struct bulletin *b, double time_s, char out[64])
{
    sprintf(out, "day %g", time_s / 86400);
    return out;
}

const char *bulletin_zone(const struct bulletin *b, char out[16])
{
    return strcpy(out, b->zone);
}

/* (of what the program's bulletins consist, too) */
int bulletin_paint(const struct product_at *at, struct error *e)
{
    return 0;
}

double bulletin_class(const struct report *r, size_t cell, double p)
{
    return 0;
}

bool bulletin_map(const struct product_at *at, struct product_map *m)
{
    return false;
}

void bulletin_place(const struct product_at *at, int place, char *text, size_t size) {}

/* The sentence on the forecasts of the last front. */
static void tell_scores(FILE *f, const struct nowcast *x, int told[6])
{
    const struct nowcast_front *front = &x->front[x->fronts - 1];
    const double front_s = x->sights.of[front->sight].time_s;
    bool any = false;
    char score[FORECASTS][16] = {"", "", ""};
    for (int k = 0; k < x->sights.count; k++) any |= x->sights.of[k].time_s <= front_s - 86400;
    if (!any) return;
    for (int which = 0; which < FORECASTS; which++) {
        static struct verification v;
        struct nowcast_counted room;
        struct forecast forecast;
        struct error e = {0};
        if (!nowcast_forecast(&forecast, x, x->fronts - 1, which, &room)) continue;
        must(verify(&v, &forecast, &e), &e);
        sprintf(score[which], "%.4f", v.score[VERIFY_BRIER].value);
    }
    const bool fresh = x->sights.now_s - front_s < 86400, alone = !*score[FORECAST_PERSISTENCE],
               before = nowcast_is_better(x, FORECAST_BEFORE),
               still = !alone && nowcast_is_better(x, FORECAST_PERSISTENCE);
    static const char *const verdict[] = {
        "it was not better than either",
        "it was better than without observations, not better than assuming that nothing changes",
        "it was better than assuming that nothing changes, not better than without observations",
        "it was better than these",
        "it was not better",
        "it was better"};
    const int which = alone ? 4 + before : before + 2 * still;
    fprintf(f,
            "0 %d %s\n0 %d The front of day %g, forecast 24 h before: Brier score (mean squared "
            "error, 0 is perfect) %s; without observations %s%s%s: %s.\n",
            TEXT_PAGE_SECTION,
            fresh ? "How yesterday's forecast did" : "How an earlier forecast did", TEXT_PAGE_PLAIN,
            front_s / 86400, score[FORECAST_NOW], score[FORECAST_BEFORE],
            alone ? "" : ", if nothing changed ", score[FORECAST_PERSISTENCE], verdict[which]);
    told[which]++;
}

/* The lines on forecasts and observations: the last observation first, and of rates the last one. Paper has six. */
static void expect_sections(const struct nowcast *x, const char *zone, int told[6])
{
    static const char *const kinds[SEEN_KINDS] = {[SEEN_FRONT] = "outline of the lava",
                                                  [SEEN_DRY] = "no lava at observed places",
                                                  [SEEN_SURVEY] = "thickness of the lava",
                                                  [SEEN_HOT_SPOTS] = "hot spots seen by satellite",
                                                  [SEEN_END] =
                                                      "end of the eruption; lava may still flow",
                                                  [SEEN_RATES] = "effusion rate, then and before"};
    char *lines[2];
    size_t size[2];
    FILE *f = open_memstream(&lines[0], &size[0]);
    struct bulletin b = {.f = open_memstream(&lines[1], &size[1]), .zone = zone};
    int rows = 0;
    bool rates = false;
    assert_true(f && b.f);
    if (x->fronts) tell_scores(f, x, told);
    fprintf(f, "0 %d What was seen\n0 %d |When%s%s%s||What was seen|||\n", TEXT_PAGE_SECTION,
            TEXT_PAGE_TABLE, *zone ? " (" : "", zone, *zone ? ")" : "");
    for (int k = x->sights.count - 1; k >= 0; k--) {
        const struct sight *o = &x->sights.of[k];
        char name[100];
        if (o->kind == SEEN_RATES && rates) continue;
        rates |= o->kind == SEEN_RATES;
        snprintf(name, sizeof name, "lava: %s", o->name);
        for (int n = 0; n < 2; n++) *strrchr(name, ' ') = '\0'; /* without "24 h" */
        fprintf(f, "%d %d |%g h after the start||%s|||\n",
                rows++ < 6 ? TEXT_PAGE_EVERYWHERE : TEXT_PAGE_ON_SCREEN, TEXT_PAGE_ROW,
                o->time_s / 3600,
                o->kind == SEEN_ARRIVAL ? name
                : o->line->part         ? "outline of a part of the lava"
                                        : kinds[o->kind]);
    }
    if (rows > 6)
        fprintf(f, "%d %d %d more %s: summary.json\n", TEXT_PAGE_ON_PAPER, TEXT_PAGE_PLAIN,
                rows - 6, rows == 7 ? "observation" : "observations");
    nowcast_bulletin.sections(&b, x);
    assert_int_equal(fclose(f) | fclose(b.f), 0);
    assert_string_equal(lines[1], lines[0]);
    assert_int_equal(b.where, TEXT_PAGE_EVERYWHERE);
    free(lines[0]), free(lines[1]);
}

/* Observations of all kinds, up to more than paper has. */
static void observations_of_a_bulletin(void **state)
{
    static const struct seen_line whole, part = {.part = true};
    static const int kinds[] = {SEEN_RATES,     SEEN_FRONT, SEEN_RATES, SEEN_SURVEY,
                                SEEN_HOT_SPOTS, SEEN_DRY,   SEEN_RATES, SEEN_END,
                                SEEN_ARRIVAL,   SEEN_FRONT, SEEN_DRY};
    struct sight of[11] = {{.kind = SEEN_FRONT}};
    for (int i = 0; i < 11; i++) {
        of[i] = (struct sight){.kind = (enum seen_kind)kinds[i],
                               .time_s = 3600 * (12.25 * i + 1),
                               .line = i == 9 ? &part : &whole};
        sprintf(of[i].name, "%s %g h", kinds[i] == SEEN_ARRIVAL ? "Casa 12 h" : "front",
                of[i].time_s / 3600);
    }
    for (int first = 0; first < 3; first++)
        for (int count = 1; first + count <= 11; count++) {
            const struct nowcast x = {.sights = {.of = of + first, .count = count}};
            expect_sections(&x, count % 2 ? "" : "UTC+05:30", NULL);
        }
}

/* All files of a forecast, and the numbers that an ensemble takes from it, of other observations each time: against
 * loops over what each member did. */
static void files_of_a_forecast(void **state)
{
    static const struct {
        const char *lines;
        double now_h; /* 0: of the last observation */
        int sets;     /* with observations: yesterday, and a day before each front */
    } cases[] = {
        {"observed_dry road.json until 0.8h\neffective_share 0.999\n", 0, 0},
        {"observed_front early.asc at 0.5h error_m 8 correlation_m 30\n"
         "observed_front late.asc at 24.45h error_m 8 correlation_m 30\n"
         "observed_front early.asc at 0.45h error_m 12 part\n",
         0, 2},
        {"observed_dry dry.json until 1.2h correlation_m 30\n"
         "observed_front late.asc at 28h error_m 8 correlation_m 30\n"
         "observed_arrival vent.json at 2006-07-14T06:06Z error_h 0.1\n",
         28.5, 2},
        {"observed_dry dry.json until 1.2h correlation_m 30\nobserved_front late.asc at 28h "
         "error_m 8\n"
         "observed_arrival vent.json at 0.1h error_h 0.1\n",
         2.5, 0},
        {"observed_front early.asc at 0.5h error_m 8\nobserved_survey thick.csv at 0.5h error_m "
         "0.5\nobserved_end 3h error_h 0.7\nobserved_arrival road.json at 0.35h error_h "
         "0.1\neffective_share 0.975\n",
         24.3, 0},
        {"observed_front late.asc at 28h error_m 1 correlation_m 1\n"
         "observed_front then.asc at 1h error_m 1 correlation_m 1\n"
         "observed_front early.asc at 3h error_m 12 part\nobserved_end 3h error_h 0.01\n"
         "observed_arrival vent.json at 0.1h error_h 0.01\neffective_share 0.999\n",
         0, 2},
        {"observed_front half.asc at 3h error_m 9\nobserved_end 20h error_h 1\n"
         "observed_arrival dry.json at 29h error_h 0.5\n",
         0, 1},
        {"observed_front third.asc at 26h error_m 9\nobserved_front other.asc at 27h error_m 9 "
         "part\n",
         0, 0},
        {"observed_front other.asc at 2h error_m 90\nobserved_front late.asc at 26h error_m 90\n"
         "observed_front other.asc at 27h error_m 90 part\nobserved_end 2h error_h 0.4\n"
         "effective_share 0.95\n",
         0, 2},
        {"observed_front most.asc at 0.05h error_m 8\nobserved_arrival road.json at 0.1h error_h "
         "0.01\n",
         0, 0},
        {"observed_front then.asc at 1h error_m 9000 part\nobserved_front late.asc at 28h error_m "
         "8\n",
         0, 2},
        {"observed_front late.asc at 2h error_m 8 correlation_m 10\n"
         "observed_front late.asc at 27h error_m 8\n",
         0, 2},
        {"observed_front first.asc at 0.1h error_m 9000\nobserved_front most.asc at 27h error_m "
         "9\n",
         0, 2},
        {"observed_front early.asc at 0.5h error_m 8\nobserved_end 3h error_h 0.1\n"
         "observed_arrival vent.json at 0.2h error_h 0.1\n",
         0, 0},
    };
    int capped[4] = {0}, certain = 0, at_places = 0, near = 0, changes[9] = {0}, said[8] = {0},
        better[2] = {0}, told_of[6] = {0};
    struct error e = {0};
    char text[1000];
    expect_counts();
    write_plan(&dir);
    put_text(&dir, "asked.cfg", ASKED "run_h 30\nexceed_m 0.5 1 2\n");
    put_text(&dir, "list.csv",
             "vent,row,col,probability\n1,1,1,0.8\n2,2,4,0.1\n3,3,2,0.1\n3,3,5,0.1\n");
    put_text(&dir, "places.json", PLACES);
    put_text(&dir, "road.json",
             "{\"type\":\"LineString\",\"coordinates\":[[500015,4000005],[500065,4000005]]}");
    compute(&made, "asked.cfg", "asked.gpkg");
    put_text(&dir, "vent.json", "{\"type\":\"Point\",\"coordinates\":[500015,4000045]}");
    put_front("early.asc", 5, 9);
    put_front("late.asc", 9, 10000);
    put_front("then.asc", 5, 3);
    put_front("vent.asc", 5, 0);
    put_front("first.asc", 3, 0);
    put_front("most.asc", 3, 10000);
    /* where most members have lava by then, and a few get it later */
    put_text(&dir, "dry.json",
             "{\"type\":\"LineString\",\"coordinates\":[[500015,4000025],[500015,4000005]]}");
    FILE *other = fopen(scratch_file(&dir, "other.asc"), "w");
    assert_non_null(other);
    fprintf(other, "ncols %d\nnrows %d\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\n", COLS,
            ROWS);
    for (int cell = 0; cell < CELLS; cell++)
        fprintf(other, "%d ", cell % COLS > 5 && cell < 4 * COLS);
    assert_int_equal(fclose(other), 0);
    FILE *half = fopen(scratch_file(&dir, "half.asc"), "w");
    assert_non_null(half);
    fprintf(half, "ncols %d\nnrows %d\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\n", COLS,
            ROWS);
    for (uint32_t cell = 0; cell < CELLS; cell++)
        fprintf(half, "%d ", find_cell(&made, 9, cell) && cell * 7 % 11 < 6);
    assert_int_equal(fclose(half), 0);
    FILE *third = fopen(scratch_file(&dir, "third.asc"), "w");
    assert_non_null(third);
    fprintf(third, "ncols %d\nnrows %d\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\n", COLS,
            ROWS);
    for (uint32_t cell = 0; cell < CELLS; cell++)
        fprintf(third, "%d ", cell % 2 == 1 && find_cell(&made, 9, cell));
    assert_int_equal(fclose(third), 0);
    put_text(&dir, "thick.csv", "x,y,thickness_m\n500015,4000025,1.5\n");
    char folder[1000];
    assert_non_null(getcwd(folder, sizeof folder - sizeof dir.path));
    strcat(strcat(folder, "/"), dir.path);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        /* of the last, only some members count */
        const char *some =
            n + 1 == sizeof cases / sizeof *cases ? "member <> 5 AND class <> 'own'" : NULL;
        struct nowcast x = {.ask = {.db = NULL}};
        struct nowcast_options o = {.ask.ensemble.until_error = -1,
                                    .ask.library = scratch_file(&dir, "asked.gpkg"),
                                    .brief = n % 5 == 4,
                                    .now_s = cases[n].now_h > 0 ? 3600 * cases[n].now_h : NAN};
        struct study_job j = {.study = &study_nowcast,
                              .self = &x,
                              .plan = scratch_file(&dir, "asked.cfg"),
                              .options = &o,
                              .threads = 1};
        struct expected f = {.certain = 0};
        int sets = 0;
        const bool watched = n % 4 == 2; /* then the lines are in a folder, and times are dates */
        struct watch_state files = {.count = 0};
        char dated[TIMES_TEXT], expected[TIMES_TEXT];
        sprintf(text, "%s%s%s", ASKED, "run_h 30\nexceed_m 0.5 1 2\n",
                watched ? "start_time 2006-07-14T06:00Z\n" : cases[n].lines);
        put_text(&dir, "asked.cfg", text);
        put_text(&dir, "lines.obs", cases[n].lines);
        if (watched) {
            must(watch_look(&files, dir.path, &e), &e);
            o.folder = folder, o.files = &files;
        }
        must(nowcast_check(j.plan, &o, false, &e), &e);
        struct nowcast_options early = o;
        early.now_s = 60;
        assert_int_equal(nowcast_check(j.plan, &early, false, &e), ERROR_INPUT);
        assert_non_null(strstr(e.text, "has no observation by then"));
        must(study_nowcast.open(&j, &e), &e);
        o.ask.where = some; /* as no forecast asks: its question is what was seen */
        must(study_nowcast.round(&j, &e), &e);
        watch_free(&files);
        const double hour = x.sights.now_s / 3600;
        sprintf(text, "weights by what was seen until %g h", hour);
        assert_string_equal(WORDS_ENGLISH(x.ask.of.question), text);
        if (watched)
            sprintf(expected, "200607%02dT%02d%02dZ", 14 + (int)(hour + 6) / 24,
                    (int)(hour + 6) % 24, (int)(60 * hour) % 60);
        else sprintf(expected, "%gh", hour);
        study_nowcast.dated(&x, dated);
        assert_string_equal(dated, expected);
        assert_true(x.ask.of.brief == o.brief);
        const struct computed all = made;
        int left = 0;
        for (int i = 0; i < made.count; i++) {
            const uint64_t w = made.weight[i];
            made.weight[i] = x.set[NOWCAST_BEFORE].weight[i];
            assert_true(made.weight[i] == w || (some && !made.weight[i]));
            left += made.weight[i] > 0;
        }
        assert_true(left == (some ? 17 : 24) && left == x.ask.of.s.done);
        for (int k = 1; k < NOWCAST_SETS; k++) {
            const struct nowcast_set *s = &x.set[k];
            f.later[k] = isinf(s->until_s) ? 0
                                           : later_of(&x.sights, s->weight, s->until_s,
                                                      (struct window){0, 0, ROWS, COLS}, false);
        }
        for (int k = 1; k < x.sets; k++) sets += k != NOWCAST_NOW && !isinf(x.set[k].until_s);
        assert_int_equal(sets, cases[n].sets);
        expect_layers(&x, &f);
        expect_places_of(&x, &f);
        expect_said(&x);
        if (n == 2) expect_horizons(&x, &f);
        expect_weights_of(&x);
        expect_posterior(&x);
        capped[3] += expect_scores(&x);
        expect_summary(&x);
        expect_warnings(&x, said);
        expect_bulletin(&x);
        expect_better(&x, better);
        const double now_s = x.sights.now_s;
        for (int k = 0; k < 3; k++) { /* now, and nearly a day and a day after the last front */
            if (k && x.fronts)
                x.sights.now_s = x.sights.of[x.front[x.fronts - 1].sight].time_s + 86398 + k;
            expect_sections(&x, k % 2 ? "UTC" : "", told_of);
        }
        x.sights.now_s = now_s;
        for (int k = 1; k < NOWCAST_SETS; k++) capped[k] += f.later[k] > 0 ? f.capped[k] : 0;
        for (int k = 0; k < 9; k++) changes[k] += f.changes[k];
        certain += f.certain, at_places += f.at_places, near += f.near;
        made = all;
        study_nowcast.close(&x);
    }
    for (int k = 1; k < 4; k++) assert_true(capped[k] > 0); /* now, yesterday, before a front */
    for (int k = 0; k < 9; k++) assert_true(changes[k] > 0);
    for (int k = 0; k < 8; k++) assert_true(said[k] > 0);
    for (int k = 0; k < 6; k++) assert_true(told_of[k] > 0);
    assert_true(certain > 0 && at_places > 0 && near > 0 && better[false] > 0 && better[true] > 0);
}

/* ---- members that are drawn anew ------------------------------------------------------------- */

/* Two rounds, of plans whose errors of rates are seen until now, partly, or not at all: around the numbers of the members
 * before, with their weights by what was seen. */
static void rounds_of_a_plan(void **state)
{
    enum { COUNT = 12 };
    static const struct {
        const char *rates, *at;
        int seen; /* errors of rates until then */
    } cases[] = {
        {"rates rates.csv\nvary_rate_factor lognormal 1 2\n", "0.6h", 0},
        {"observed_rates seen.csv\nrates_error 1.4 correlation 0.5\n", "0.6h", 2},
        {"observed_rates power.csv\nradiant_density 2e8 factor 1.3\nrates_error 1.2\n", "0.6h", 3},
        {"observed_rates power.csv\nradiant_density 2e8 factor 1.3\nrates_error 1.2\n", "0.1h", 0}};
    write_case(&dir);
    put_text(&dir, "seen.csv", "vent,from_h,to_h,rate_m3_s\n1,0,0.4,2\n1,0.4,0.8,3\n1,0.8,1.2,1\n");
    put_text(&dir, "power.csv", "time_h,radiant_power_W\n0,1e8\n0.4,4e8\n0.8,6e8\n1.2,1e8\n");
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct plan_draws draws[2] = {{.count = 0}};
        uint64_t alone = 0;
        char text[1000];
        snprintf(text, sizeof text,
                 PLAN_HEAD
                 "vents vents.csv\n%smembers %d\nseed 6\nvary_Pcool uniform 2 4\n"
                 "vary_PTvent normal 1360 5\narrival_bin_h 0.05\n"
                 "observed_front drawn.asc at %s error_m 5 correlation_m 10\neffective_share 0.9\n",
                 cases[n].rates, COUNT, cases[n].at);
        put_text(&dir, "drawn.cfg", text);
        for (int round = 0; round < 2; round++) {
            struct error e = {0};
            struct nowcast x = {.ask = {.db = NULL}};
            struct nowcast_options o = {.ask.ensemble.until_error = -1,
                                        .ask.library = scratch_file(&dir, "drawn.gpkg"),
                                        .now_s = NAN};
            struct study_job j = {.study = &study_nowcast,
                                  .self = &x,
                                  .plan = scratch_file(&dir, "drawn.cfg"),
                                  .options = &o,
                                  .threads = 1};
            as_computed.draws = o.ask.ensemble.draws = round ? &draws[0] : NULL;
            compute(&made, "drawn.cfg", "drawn.gpkg");
            if (!round) put_front("drawn.asc", 4, 10000);
            must(study_nowcast.open(&j, &e), &e);
            must(nowcast_only_weigh(&j, &e), &e);
            const struct plan *p = x.ask.of.plan;
            const int varied = n ? 2 : 3, all = varied + cases[n].seen;
            double z[2][COUNT * 8], w[COUNT], log[COUNT], most = -INFINITY, sum = 0, squares = 0;
            uint64_t weight[COUNT];
            if (!round) alone = p->digest;
            const struct product_at at = file_of(&x, "nowcast");
            cJSON *entry = cJSON_CreateObject();
            at.row->entry(entry, &at);
            expect_number(json_number(entry, "rounds"), round, 0);
            cJSON_Delete(entry);
            for (int i = 0; i < COUNT; i++) {
                draws_read(z[0] + i * all, p, i, cases[n].seen);
                log[i] = (double)x.mine[i].gain / SIGHTS_UNIT;
                most = fmax(most, log[i]);
            }
            for (int i = 0; i < COUNT; i++) {
                const double one = (double)made.weight[i] * exp(log[i] - most);
                sum += one, squares += one * one;
            }
            const struct rounds_from from = {COUNT, all,      z[0], x.set[NOWCAST_NOW].weight,
                                             6,     round + 1};
            must(rounds_draw(z[1], w, &from, &e), &e);
            ask_round(weight, w, COUNT);
            double effective;
            struct plan_draws *next = &draws[round], again;
            must(rounds_next(next, &effective, j.plan, &o, 1, &e), &e);
            expect_number(effective, sum * sum / squares, 1e-9);
            assert_true(effective <
                        (round ? 1 : 0.99) * x.set[NOWCAST_NOW].effective); /* tempered */
            assert_true(next->count == COUNT && next->dimensions == varied &&
                        next->rates == cases[n].seen && next->round == round + 1 &&
                        next->alone == alone);
            assert_memory_equal(next->z, z[1], sizeof *z[1] * (size_t)(COUNT * all));
            assert_memory_equal(next->weight, weight, sizeof weight);
            again = *next;
            again.digest = 0;
            draws_finish(&again);
            assert_true(next->digest == again.digest);
            study_nowcast.close(&x);
        }
        as_computed.draws = NULL;
        draws_free(&draws[0]);
        draws_free(&draws[1]);
    }
}

static int tear_down(void **state)
{
    scratch_remove(&dir);
    return 0;
}

int main(void)
{
    return UNIT_RUN_IN(plan_set_up, NULL, NULL, tear_down, cells_of_a_forecast, files_of_a_forecast,
                       observations_of_a_bulletin, rounds_of_a_plan);
}
