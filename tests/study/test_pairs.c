/* Members with barriers and without them: sums of pairs against those of every pair by itself, one
 * digest from processors and devices (which the emulator stands for), whole or stopped and resumed,
 * and a state that is damaged or of another plan. */
/* tests: study/pairs */
/* build: batch */
#include "pairs/pairs.h"
#include "plan_files.h"
#include "random_case.h"
#include "study_by.h"
#include "unit.h"

#include <math.h>
#include <unistd.h>

extern uint64_t emulator_seed;
extern int emulator_processors, emulator_devices;
extern long emulator_launches;

/* ---- sums ------------------------------------------------------------------------------------ */

enum { PLACES = 7, PAIRS = 400 };

/* What each pair did at each place: a class of arrival, -1: nothing. */
struct naive {
    uint64_t weight;
    int with[PLACES], without[PLACES];
};

static size_t list(struct reached *out, const int class[PLACES])
{
    size_t count = 0;
    for (uint32_t i = 0; i < PLACES; i++)
        if (class[i] >= 0)
            out[count++] = (struct reached){.place = i, .arrival_class = (uint16_t) class[i]};
    return count;
}

static void sums_are_right(void **state)
{
    static struct naive pair[PAIRS];
    struct pair_sums s, backwards;
    struct error e = {0};
    uint64_t rng = 9;
    must(pair_sums_create(&s, PLACES, &e), &e);
    must(pair_sums_create(&backwards, PLACES, &e), &e);
    for (int n = 0; n < PAIRS; n++) {
        pair[n].weight = 1 + (uint64_t)(5 * random_unit(&rng));
        for (int i = 0; i < PLACES; i++) { /* nobody comes to the last, all to the first */
            const bool no = random_unit(&rng) < i / (PLACES - 1.0);
            pair[n].with[i] = no ? -1 : (int)(9 * random_unit(&rng));
            pair[n].without[i] = i && random_unit(&rng) < 0.3 ? -1 : pair[n].with[i] / 2;
        }
    }
    for (int n = 0; n < PAIRS; n++) {
        struct reached a[PLACES], b[PLACES];
        for (int way = 0; way < 2; way++) {
            const struct naive *p = &pair[way ? PAIRS - 1 - n : n];
            must(pair_sums_add(way ? &backwards : &s, p->weight,
                               (struct pair_reached){a, list(a, p->with)},
                               (struct pair_reached){b, list(b, p->without)}, &e),
                 &e);
        }
    }
    assert_true(pair_sums_digest(&s) == pair_sums_digest(&backwards));
    struct pair_count *const one = pair_sums_open(&backwards, 1),
                             kept = *one; /* each counter is in the digest */
    for (int k = 0; k < 6; k++) {
        one->with += k == 0, one->without += k == 1, one->both += k == 2, one->both2 += k == 3;
        one->later += k == 4, one->later2 += k == 5;
        assert_true(pair_sums_digest(&s) != pair_sums_digest(&backwards));
        *one = kept;
    }
    for (int i = 0; i < PLACES; i++) {
        double w = 0, w2 = 0, with = 0, without = 0, d = 0, d2 = 0, both = 0, both2 = 0, l = 0,
               l2 = 0;
        for (int n = 0; n < PAIRS; n++) {
            const double x = (double)pair[n].weight;
            const int a = pair[n].with[i], b = pair[n].without[i], c = (a >= 0) - (b >= 0);
            w += x, w2 += x * x, d += x * c, d2 += x * c * c;
            with += x * (a >= 0), without += x * (b >= 0);
            if (a < 0 || b < 0) continue;
            both += x, both2 += x * x, l += x * (a - b), l2 += x * (a - b) * (a - b);
        }
        const struct pair_estimates estimate =
            pair_sums_estimate(&s, pair_sums_at(&s, (size_t)i), 0.5);
        assert_float_equal(estimate.with, with / w, 1e-12);
        assert_float_equal(estimate.without, without / w, 1e-12);
        assert_float_equal(estimate.difference, d / w, 1e-12);
        assert_float_equal(estimate.error, sqrt((d2 / w - d / w * (d / w)) * w2) / w, 1e-12);
        assert_float_equal(estimate.only_with - estimate.only_without, estimate.difference, 1e-12);
        if (both == 0) assert_true(isnan(estimate.later_h) && i == PLACES - 1);
        else {
            const double mean = l / both, n = both * both / both2;
            assert_float_equal(estimate.later_h, 0.5 * mean, 1e-12);
            assert_float_equal(estimate.later_error_h,
                               0.5 * sqrt((l2 / both - mean * mean) / (n - 1)), 1e-9);
        }
    }
    pair_sums_free(&s);
    pair_sums_free(&backwards);
}

/* The mean over all pairs, and its error by as many pairs as they count. */
static void expect_mean(double mean, double error, const double *value, const uint64_t *weight)
{
    double w = 0, w2 = 0, sum = 0, squares = 0;
    for (int n = 0; n < PAIRS; n++) {
        w += (double)weight[n], w2 += (double)(weight[n] * weight[n]);
        sum += (double)weight[n] * value[n];
    }
    for (int n = 0; n < PAIRS; n++)
        squares += (double)weight[n] * (value[n] - sum / w) * (value[n] - sum / w);
    assert_float_equal(mean, sum / w, 1e-9);
    assert_float_equal(error, sqrt(squares / w / (w * w / w2 - 1)), 1e-9);
}

/* Pairs of different weights: lava comes to places 0, 1 and 3 only without the wall, to the last of them seldom, and to
 * place 2 only with the wall. */
static void areas_are_those_of_pairs(void **state)
{
    static struct plan plan = {.base.geo.cell_m = 3};
    static struct pair_result result[PAIRS];
    struct pairs x = {.plan = &plan, .result = result, .done = PAIRS, .count = PAIRS};
    double area[PAIR_SIDES][PAIRS], less[PAIRS];
    uint64_t weight[PAIRS], rng = 4;
    struct error e = {0};
    must(pair_sums_create(&x.cells, PLACES, &e), &e);
    for (int n = 0; n < PAIRS; n++) {
        const struct reached with[] = {{.place = 2}},
                             without[] = {{.place = 0}, {.place = 1}, {.place = 3}};
        const struct pair_reached few = {with, n % 2},
                                  many = {without, n % 100 ? 2 * (n % 3 > 0) : 3};
        weight[n] = result[n].weight = 1 + (uint64_t)(9 * random_unit(&rng));
        for (int k = 0; k < PAIR_SIDES; k++)
            area[k][n] = 9.0 * (double)(result[n].of[k].cells =
                                            (uint64_t)((k ? 70 : 50) * random_unit(&rng)));
        less[n] = area[PAIR_WITH][n] - area[PAIR_WITHOUT][n];
        must(pair_sums_add(&x.cells, weight[n], few, many, &e), &e);
    }
    const struct pairs_found f = pairs_find(&x);
    for (int k = 0; k < PAIR_SIDES; k++)
        expect_mean(f.area_m2[k], f.area_error_m2[k], area[k], weight);
    expect_mean(f.area_difference_m2, f.area_difference_error_m2, less, weight);
    double most = 0;
    for (size_t i = 0; i < 4; i++) {
        const struct pair_estimates at = pair_sums_estimate(&x.cells, pair_sums_at(&x.cells, i), 1);
        assert_true((fabs(at.difference) > 2 * at.error) == (i != 3));
        most = fmax(most, at.error);
    }
    assert_true(f.largest_error == most && f.less_likely_m2 == 18 && f.more_likely_m2 == 9);
    pair_sums_free(&x.cells);
}

/* A difference within twice its error is pale; one at the end of a class is in it, in both directions. */
static void classes_are_symmetric(void **state)
{
    enum { PALE = 1 + PAIRS_CLASSES / 2 };
    for (int k = 1; k < PALE; k++) {
        const double upper = pairs_classes[PALE - 1 + k].upper;
        assert_true(k == PALE - 1 || upper > 0);
        for (int sign = -1; sign <= 1; sign += 2) {
            const double last = k == PALE - 1 ? 1 : upper, beyond = fmin(1, last + 1e-6);
            assert_int_equal(pairs_class(sign * last, 0), PALE + sign * k);
            assert_int_equal(pairs_class(sign * beyond, 0), PALE + sign * (k + (k < PALE - 1)));
            assert_int_equal(pairs_class(sign * last, last / 2), PALE);
        }
    }
    assert_int_equal(pairs_class(0, 0), PALE);
}

/* ---- a plan ---------------------------------------------------------------------------------- */

#define PLAN                                                                                       \
    CASE_TEXT "max_steps 60\nassets places.json\nbarriers wall.csv\nmembers 11\nseed 5\n"          \
              "vary_rate_factor uniform 0.5 8\nterrain_error_m 0.7\nterrain_error_length_m 20\n"
#define PLACE "{\"type\":\"Point\",\"coordinates\":[500035,4000015]}"
#define WALL  "barrier,x,y,height_m\n1,500015,4000025,25\n1,500055,4000025,\n"

static void write_files(struct scratch *s, const char *wall)
{
    scratch_create(s);
    write_case(s);
    put_text(s, "places.json", PLACE);
    put_text(s, "wall.csv", wall);
    put_text(s, "plan.cfg", PLAN);
}

struct stopper {
    int64_t at; /* members done */
};

static bool stop(const struct study_progress *now, void *user)
{
    return now->done >= ((struct stopper *)user)->at;
}

static void open_pairs(struct pairs *x, struct scratch *s)
{
    struct study_job job = {.self = x, .plan = scratch_file(s, "plan.cfg")};
    struct error e = {0};
    *x = (struct pairs){0};
    must(study_pairs.open(&job, &e), &e);
}

static uint64_t digest_by(struct scratch *s, struct study_job how, const char *state)
{
    struct pairs x;
    struct error e = {0};
    bool stopped;
    open_pairs(&x, s);
    must(study_by(&study_pairs, &x, &how, state, &stopped, &e), &e);
    assert_true(!stopped && x.done == 11);
    const struct pair_estimates estimate =
        pair_sums_estimate(&x.places, pair_sums_at(&x.places, 0), x.class_h);
    assert_true(estimate.without > estimate.with &&
                estimate.only_without > 0); /* the wall is of use */
    for (int64_t i = 0; i < x.done; i++)
        assert_true(x.result[i].of[PAIR_WITH].digest != x.result[i].of[PAIR_WITHOUT].digest);
    const uint64_t digest = pairs_digest(&x);
    study_pairs.close(&x);
    return digest;
}

static void processors_and_devices_agree(void **state)
{
    static const int both[] = {0, 1};
    struct scratch s;
    emulator_processors = 3;
    emulator_devices = 2;
    write_files(&s, WALL);
    const uint64_t one = digest_by(&s, (struct study_job){.threads = 1}, NULL);
    assert_true(digest_by(&s, (struct study_job){.threads = 3}, NULL) == one);
    const long launches = emulator_launches;
    for (int devices = 1; devices <= 2; devices++)
        assert_true(
            digest_by(&s, (struct study_job){.threads = 1, .device = both, .device_count = devices},
                      NULL) == one);
    assert_true(emulator_launches > launches);
    scratch_remove(&s);
}

static void goes_on(void **state)
{
    struct scratch s;
    struct pairs x;
    struct error e = {0};
    struct stopper stopper = {3};
    bool stopped;
    write_files(&s, WALL);
    const char *file = scratch_file(&s, PAIRS_STATE);
    const uint64_t whole = digest_by(&s, (struct study_job){.threads = 1}, NULL);
    open_pairs(&x, &s);
    const struct study_job how = {.threads = 1, .tell = stop, .user = &stopper};
    must(study_by(&study_pairs, &x, &how, file, &stopped, &e), &e);
    const int64_t done = x.done;
    study_pairs.close(&x);
    assert_true(stopped && done < 11);
    if (!done) write_text(file, ""), remove(file);
    assert_true(digest_by(&s, (struct study_job){.threads = 2}, file) == whole);
    assert_true(digest_by(&s, (struct study_job){.threads = 1}, file) == whole); /* all done */

    /* what is wrong with a state */
    struct stat status;
    assert_int_equal(stat(file, &status), 0);
    assert_int_equal(truncate(file, status.st_size - 3), 0);
    open_pairs(&x, &s);
    assert_int_equal(state_read(&pairs_state, &x, file, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "damaged"));
    study_pairs.close(&x);
    remove(file);
    digest_by(&s, (struct study_job){.threads = 1}, file);
    put_text(&s, "wall.csv", "barrier,x,y,height_m\n1,500015,4000025,24\n1,500055,4000025,\n");
    open_pairs(&x, &s);
    assert_int_equal(state_read(&pairs_state, &x, file, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "was written with another plan"));
    study_pairs.close(&x);
    scratch_remove(&s);
}

/* A state keeps the result of each pair, also what is not in the digest: where lava went. */
static void a_state_keeps_results(void **state)
{
    struct scratch s;
    struct pairs x, y;
    struct error e = {0};
    bool stopped;
    write_files(&s, WALL);
    open_pairs(&x, &s);
    open_pairs(&y, &s);
    must(study_by(&study_pairs, &x, &(struct study_job){.threads = 1}, NULL, &stopped, &e), &e);
    for (int64_t i = 0; i < x.done; i++)
        for (int k = 0; k < PAIR_SIDES; k++) {
            x.result[i].of[k].off_terrain = i & 1;
            x.result[i].of[k].into_sea = i >> k & 2;
        }
    must(state_write(&pairs_state, &x, scratch_file(&s, PAIRS_STATE), &e), &e);
    must(state_read(&pairs_state, &y, scratch_file(&s, PAIRS_STATE), &e), &e);
    assert_int_equal(y.done, x.done);
    for (int64_t i = 0; i < x.done; i++) {
        const struct pair_result *a = &x.result[i], *b = &y.result[i];
        assert_int_equal(a->weight, b->weight);
        assert_string_equal(a->drawn, b->drawn);
        for (int k = 0; k < PAIR_SIDES; k++) {
            assert_int_equal(a->of[k].digest, b->of[k].digest);
            assert_int_equal(a->of[k].cells, b->of[k].cells);
            assert_true(a->of[k].runout_m == b->of[k].runout_m);
            assert_true(a->of[k].max_thickness_m == b->of[k].max_thickness_m);
            assert_true(a->of[k].off_terrain == b->of[k].off_terrain);
            assert_true(a->of[k].into_sea == b->of[k].into_sea);
        }
    }
    study_pairs.close(&x);
    study_pairs.close(&y);
    scratch_remove(&s);
}

int main(void)
{
    return UNIT_RUN(sums_are_right, areas_are_those_of_pairs, classes_are_symmetric,
                    processors_and_devices_agree, goes_on, a_state_keeps_results);
}
