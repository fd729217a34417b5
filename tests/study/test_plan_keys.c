/* What a plan says arrives where members and statistics read it: each key in its own field and in its unit, the words of
 * observations, each column of the tables of classes and members, and the rates of shapes. */
/* tests: study/plan */
#include "plan/plan.h"
#include "plan_files.h"
#include "random_case.h"
#include "unit.h"

#include <math.h>

static struct plan_keys keys_of(struct keyvalues *lines, const char *text)
{
    struct plan_keys k = plan_keys_default();
    const struct schema_values into[] = {{&plan_schema, &k}, {0}};
    struct error e = {0};
    must(keyvalues_of_text(lines, "plan.cfg", text, &e), &e);
    must(schema_read(lines, "2024-03-01T00:00:00Z", into, &e), &e);
    return k;
}

/* ---- keys ------------------------------------------------------------------------------------------- */

/* A number of struct plan_keys: a line, and what it becomes. */
struct number {
    const char *line;
    size_t at;
    double value;
};

#define REAL(line, field, value)                                                                   \
    {                                                                                              \
        line, offsetof(struct plan_keys, field), value                                             \
    }
static const struct number reals[] = {
    REAL("terrain_error_m 0.5", terrain_error_m, 0.5),
    REAL("terrain_error_length_m 30", terrain_error_length_m, 30),
    REAL("terrain_error_hurst 0.75", terrain_error_hurst, 0.75),
    REAL("vent_grid_m 250", vent_grid_m, 250),
    REAL("vent_grid_box 1 2 30 40", vent_grid_box[0], 1),
    REAL("vent_grid_box 1 2 30 40", vent_grid_box[1], 2),
    REAL("vent_grid_box 1 2 30 40", vent_grid_box[2], 30),
    REAL("vent_grid_box 1 2 30 40", vent_grid_box[3], 40),
    REAL("opening_bandwidth_m 700", hazard.opening.bandwidth_m, 700),
    REAL("opening_cell_m 120", hazard.opening.cell_m, 120),
    REAL("opening_age_scale_y 5000", hazard.opening.age_scale_y, 5000),
    REAL("catalogue_until 2021.5", hazard.catalogue.now, 2021.5),
    REAL("complete 1e5:1950 1e7:1800", hazard.catalogue.band[0].volume_m3, 1e5),
    REAL("complete 1e5:1950 1e7:1800", hazard.catalogue.band[0].since, 1950),
    REAL("complete 1e5:1950 1e7:1800", hazard.catalogue.band[1].volume_m3, 1e7),
    REAL("complete 1e5:1950 1e7:1800", hazard.catalogue.band[1].since, 1800),
    REAL("complete 1900", hazard.catalogue.band[0].since, 1900),
    REAL("complete 1900", hazard.catalogue.band[0].volume_m3, 0),
    REAL("eruptions_per_year 0.5 0.25 0.75", hazard.catalogue.rate, 0.5),
    REAL("eruptions_per_year 0.5 0.25 0.75", hazard.catalogue.rate_low, 0.25),
    REAL("eruptions_per_year 0.5 0.25 0.75", hazard.catalogue.rate_high, 0.75),
    REAL("years 5 25", hazard.years.value[0], 5),
    REAL("years 5 25", hazard.years.value[1], 25),
    REAL("rates_error 1.5", history.factor, 1.5),
    REAL("rates_error 1.5", history.correlation, 0.7),
    REAL("rates_error 1.5 correlation 0.25", history.correlation, 0.25),
    REAL("rates_error 1.5 correlation 0.25", history.after_correlation, 0.7),
    REAL("radiant_density 2e8 factor 1.25", history.radiant_density_J_m3, 2e8),
    REAL("radiant_density 2e8 factor 1.25", history.radiant_factor, 1.25),
    REAL("rates_after ar1 level 3 factor 2 correlation 0.5", history.level_m3_s, 3),
    REAL("rates_after ar1 level 3 factor 2 correlation 0.5", history.after_factor, 2),
    REAL("rates_after ar1 correlation 0.5 factor 2", history.after_correlation, 0.5),
    REAL("rates_after ar1 level 3 factor 2 correlation 0.5", history.correlation, 0.7),
    REAL("rates_after ar1 level 3 factor 2 correlation 0.5", history.factor, 1),
    REAL("rates_after ar1", history.level_m3_s, 0),
    REAL("rates_after ar1", history.after_factor, 1),
    REAL("rates_after decline 5d factor 3", history.decline_s, 5 * 86400),
    REAL("rates_after decline 36 factor 3", history.decline_s, 36 * 3600),
    REAL("rates_after decline 36 factor 3", history.after_factor, 3),
    REAL("rates_after curve risefall peak 0.125 decay 4", history.peak[0], 0.125),
    REAL("rates_after curve risefall peak 0.125 decay 4", history.peak[1], 0.125),
    REAL("rates_after curve risefall peak 0.125 decay 4", history.decay[0], 4),
    REAL("rates_after curve risefall peak 0.125 0.5 decay 4 6", history.peak[1], 0.5),
    REAL("rates_after curve risefall decay 4 6 peak 0.125 0.5", history.decay[1], 6),
    REAL("rates_after curve waxwane factor 2", history.peak[0], RATE_PEAK),
    REAL("rates_after curve exponential factor 2", history.decay[1], RATE_DECAY),
    REAL("vent_shares_error 4", vent_shares_error, 4),
    REAL("run_h 36", run_s, 36 * 3600),
    REAL("run_h 90min", run_s, 5400),
    REAL("run_h 2024-03-02", run_s, 86400),
    REAL("exceed_m 0.5 2", statistics.exceed_m.value[0], 0.5),
    REAL("exceed_m 0.5 2", statistics.exceed_m.value[1], 2),
    REAL("arrive_within_h 30min 6", statistics.arrive_s.value[0], 1800),
    REAL("arrive_within_h 30min 6", statistics.arrive_s.value[1], 6 * 3600),
    REAL("arrive_within_h 30min 2024-03-03", statistics.arrive_s.value[1], 2 * 86400),
    REAL("thickness_bin_m 0.25", statistics.bin_m, 0.25),
    REAL("arrival_bin_h 0.5", statistics.bin_s, 1800),
    REAL("until_error 0.02", statistics.until_error, 0.02),
    REAL("discrepancy_m 150", discrepancy_m, 150),
    REAL("observed_correlation_h 12", seen.correlation_s, 12 * 3600),
    REAL("effective_share 0.25", seen.least_share, 0.25),
    REAL("terrain_error from_dem lidar", terrain_error_m, 0.10),
    REAL("terrain_error from_dem lidar", dem_length_m, 4),
    REAL("terrain_error from_dem tinitaly", terrain_error_m, 3.5),
    REAL("terrain_error from_dem tinitaly", dem_length_m, 40),
    REAL("terrain_error from_dem copernicus30", terrain_error_m, 4 / 1.645),
    REAL("terrain_error from_dem copernicus30", dem_length_m, 120),
    REAL("terrain_error from_dem aw3d30", terrain_error_m, 5),
    REAL("terrain_error from_dem aw3d30", dem_length_m, 120),
    REAL("terrain_error from_dem srtm", terrain_error_m, 8 / 1.645),
    REAL("terrain_error from_dem srtm", dem_length_m, 120),
    REAL("terrain_error from_dem aster", terrain_error_m, 8.52),
    REAL("terrain_error from_dem aster", dem_length_m, 120),
    REAL("terrain_error from_dem aster", terrain_error_length_m, 0),
    /* what a plan has that does not say it */
    REAL("seed 0", terrain_error_hurst, INFINITY),
    REAL("seed 0", hazard.years.value[0], 1),
    REAL("seed 0", hazard.years.value[1], 10),
    REAL("seed 0", hazard.years.value[2], 50),
    REAL("seed 0", history.factor, 1),
    REAL("seed 0", vent_shares_error, 1),
    REAL("seed 0", statistics.bin_m, 0.1),
    REAL("seed 0", statistics.bin_s, 3600),
    REAL("seed 0", seen.correlation_s, 86400),
    REAL("seed 0", seen.least_share, 0.1),
};

static void every_number_in_its_field(void **state)
{
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        struct keyvalues lines;
        const struct plan_keys k = keys_of(&lines, reals[i].line);
        double is;
        memcpy(&is, (const char *)&k + reals[i].at, sizeof is);
        if (is != reals[i].value)
            fail_msg("%s: %g, not %g (number %zu)", reals[i].line, is, reals[i].value, i);
        keyvalues_free(&lines);
    }
}

/* Counts, choices and files, each with the field that has it. */
static void every_other_key_in_its_field(void **state)
{
    struct keyvalues lines;
    struct plan_keys k = keys_of(
        &lines,
        "members 7\nrepeats 3\nseed 11\nsampling sobol\nmember_table a\ncorrelation b\n"
        "vent_list c\nvent_raster d\nclasses e\nshape f\nassets g\nverify_within h\n"
        "null_from i\nobserved_rates j\nvent_shares k\nfrom_state l\npast_vents m\n"
        "vent_opening n\nopening_within o\nopening_never p\ncatalogue q\npast_flows r\n"
        "opening_kernel gaussian\nsizes lognormal\nsize_classes 4\nhazard_draws 200\n"
        "stop_at_rest yes\nkeep yes\nthickness_of medians\ncomplete 1:1950 2:1900 3:1800\n"
        "years 5 25\nexceed_m 1 2 3 4\narrive_within_h 1 2 3 4 5\nrates_after curve risefall\n"
        "vary_Pcool uniform 2 4\nvary_terrain_error_length_m uniform 20 40\n");
    const char *const files[] = {k.member_table,
                                 k.correlation,
                                 k.vent_list,
                                 k.vent_raster,
                                 k.classes,
                                 k.shape,
                                 k.assets,
                                 k.verify_within,
                                 k.null_from,
                                 k.observed_rates,
                                 k.vent_shares,
                                 k.from_state,
                                 k.hazard.opening.vents,
                                 k.hazard.opening.raster,
                                 k.hazard.opening.within,
                                 k.hazard.opening.never,
                                 k.hazard.catalogue.path,
                                 k.hazard.past_flows};
    for (int i = 0; i < 18; i++) assert_true(files[i][0] == 'a' + i && !files[i][1]);
    assert_true(k.members == 7 && k.repeats == 3 && k.seed == 11 && k.sampling == SAMPLING_SOBOL);
    assert_int_equal(k.hazard.opening.kernel, KERNEL_GAUSSIAN);
    assert_true(k.hazard.lognormal && k.hazard.size_classes == 4 && k.hazard.draws == 200);
    assert_true(k.stop_at_rest && k.keep && k.statistics.medians);
    assert_true(k.hazard.catalogue.bands == 3 && k.hazard.years.count == 2);
    assert_true(k.statistics.exceed_m.count == 4 && k.statistics.arrive_s.count == 5);
    assert_int_equal(k.history.after, AFTER_CURVE);
    assert_string_equal(k.history.curve->name, "risefall");
    for (int i = 0; i < VARIABLES; i++) {
        const bool given = i == 7 || i == TERRAIN_LENGTH;
        assert_true((k.vary[i] != NULL) == given);
        assert_int_equal(k.vary_line[i], !given ? 0 : i == 7 ? 35 : 36);
    }
    assert_string_equal(k.vary[7], "uniform 2 4");
    keyvalues_free(&lines);
    k = keys_of(&lines, "sampling latin\nrates_after decline 4h\n");
    assert_true(k.sampling == SAMPLING_LATIN && k.history.after == AFTER_DECLINE);
    assert_true(k.repeats == 1 && !k.members && !k.stop_at_rest && !k.keep && !k.hazard.lognormal);
    assert_true(k.hazard.size_classes == 5 && k.hazard.draws == 100 && k.hazard.years.count == 3);
    assert_true(!k.statistics.medians && k.hazard.opening.kernel == KERNEL_EPANECHNIKOV);
    keyvalues_free(&lines);
    k = keys_of(&lines, "sampling random\nrates_after ar1\n");
    assert_true(k.sampling == SAMPLING_RANDOM && k.history.after == AFTER_AR1);
    keyvalues_free(&lines);
}

/* A kind of DEM by the words of a description; none where it names two. */
static void kinds_of_dem_by_their_words(void **state)
{
    static const char *const said[][2] = {{"Airborne LiDAR of 2015", "lidar"},
                                          {"laser scan", "lidar"},
                                          {"TINITALY/01", "tinitaly"},
                                          {"Copernicus DEM", "copernicus30"},
                                          {"ESA GLO-30", "copernicus30"},
                                          {"glo30", "copernicus30"},
                                          {"JAXA AW3D30", "aw3d30"},
                                          {"ALOS World 3D", "aw3d30"},
                                          {"SRTM 1 arc second", "srtm"},
                                          {"ASTER", "aster"},
                                          {"GDEM version 3", "aster"},
                                          {"ASTER GDEM", "aster"},
                                          {"SRTM, holes filled from ASTER", NULL},
                                          {"map of 1930", NULL}};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        const char *is = plan_dem_called(said[i][0]);
        if (!is != !said[i][1] || (is && strcmp(is, said[i][1]) != 0))
            fail_msg("%s is %s", said[i][0], is);
    }
}

/* ---- observations ------------------------------------------------------------------------------------- */

/* Each kind with all of its words, in any order; what is not said has no value or the usual one. */
static void every_word_of_an_observation(void **state)
{
    static const struct seen_line lines[] = {
        {.kind = SEEN_FRONT,
         .file = "f.shp",
         .time_s = 7200,
         .error_m = 30,
         .error_s = NAN,
         .part = true,
         .correlation_m = 250},
        {.kind = SEEN_FRONT,
         .file = "f.shp",
         .within = "w.json",
         .time_s = 7200,
         .error_m = 30,
         .error_s = NAN,
         .correlation_m = SEEN_CORRELATION_M},
        {.kind = SEEN_FRONT,
         .file = "EMSR1.zip",
         .time_s = NAN,
         .error_m = 30,
         .error_s = NAN,
         .correlation_m = SEEN_CORRELATION_M},
        {.kind = SEEN_FRONTS,
         .file = "f.shp",
         .date = "when",
         .increments = true,
         .time_s = NAN,
         .error_m = 20,
         .error_s = NAN,
         .within = "w.json",
         .correlation_m = 100},
        {.kind = SEEN_FRONTS,
         .file = "f.shp",
         .date = "when",
         .part = true,
         .time_s = NAN,
         .error_m = 20,
         .error_s = NAN,
         .correlation_m = SEEN_CORRELATION_M},
        {.kind = SEEN_DRY,
         .file = "d.json",
         .time_s = 5400,
         .error_m = NAN,
         .error_s = NAN,
         .correlation_m = 90},
        {.kind = SEEN_ARRIVAL,
         .file = "a.json",
         .time_s = 86400,
         .error_m = NAN,
         .error_s = 1800,
         .correlation_m = SEEN_CORRELATION_M},
        {.kind = SEEN_SURVEY,
         .file = "s.tif",
         .time_s = 7200,
         .error_m = 0.5,
         .error_s = NAN,
         .shifted = true,
         .shift_m = -2.5,
         .correlation_m = 60},
        {.kind = SEEN_HOT_SPOTS,
         .file = "h.csv",
         .frp = true,
         .time_s = NAN,
         .error_m = NAN,
         .error_s = NAN,
         .correlation_m = 375},
        {.kind = SEEN_END,
         .time_s = 108000,
         .error_m = NAN,
         .error_s = 7200,
         .correlation_m = SEEN_CORRELATION_M},
        {.kind = SEEN_END,
         .time_s = 108000,
         .error_m = NAN,
         .error_s = 6 * 3600,
         .correlation_m = SEEN_CORRELATION_M},
        {.kind = SEEN_RATES,
         .file = "r.csv",
         .time_s = NAN,
         .error_m = NAN,
         .error_s = NAN,
         .correlation_m = SEEN_CORRELATION_M},
    };
    static const char *const texts[] = {
        "observed_front f.shp at 2h error_m 30 part correlation_m 250",
        "observed_front f.shp error_m 30 within w.json at 2",
        "observed_front EMSR1.zip error_m 30",
        "observed_fronts f.shp date when increments error_m 20 within w.json correlation_m 100",
        "observed_fronts f.shp error_m 20 date when part",
        "observed_dry d.json until 90min correlation_m 90",
        "observed_arrival d/../a.json at 2024-03-02 error_h 0.5",
        "observed_survey s.tif at 2h error_m 0.5 shift_m -2.5 correlation_m 60",
        "observed_hot_spots h.csv frp correlation_m 375",
        "observed_end 30 error_h 2h",
        "observed_end 30h",
        "weigh_rates r.csv",
    };
    enum { LINES = sizeof lines / sizeof *lines };
    char text[2048] = "# observations\n";
    struct keyvalues kept;
    for (int i = 0; i < LINES; i++) strcat(strcat(text, texts[i]), "\n");
    struct plan_keys k = keys_of(&kept, text);
    assert_int_equal(k.seen.count, LINES);
    for (int i = 0; i < LINES; i++) {
        const struct seen_line *is = &k.seen.line[i], *said = &lines[i];
        const double numbers[][2] = {{is->time_s, said->time_s},
                                     {is->error_m, said->error_m},
                                     {is->error_s, said->error_s},
                                     {is->shift_m, said->shift_m},
                                     {is->correlation_m, said->correlation_m}};
        for (int n = 0; n < 5; n++)
            if (!(numbers[n][0] == numbers[n][1] || (isnan(numbers[n][0]) && isnan(numbers[n][1]))))
                fail_msg("%s: number %d is %g", texts[i], n, numbers[n][0]);
        assert_int_equal(is->kind, said->kind);
        assert_int_equal(is->line, i + 2);
        assert_string_equal(is->path, "plan.cfg");
        assert_string_equal(is->file, i == 6 ? "d/../a.json" : said->file);
        assert_string_equal(is->within, said->within);
        assert_string_equal(is->date, said->date);
        assert_true(is->part == said->part && is->frp == said->frp && is->shifted == said->shifted);
        assert_true(is->increments == said->increments);
        assert_true(!strncmp(texts[i], seen_names[is->kind], strlen(seen_names[is->kind])));
    }
    seen_free(&k.seen);
    keyvalues_free(&kept);
}

/* ---- tables -------------------------------------------------------------------------------------------- */

/* The rate of a form at a time, up to a factor (rate_series.h). */
static double rate_of(const char *form, double t, double peak, double decay)
{
    if (!strcmp(form, "constant")) return 1;
    if (!strcmp(form, "exponential")) return exp(-decay * t);
    if (t < peak) return t / peak;
    return !strcmp(form, "waxwane") ? (1 - t) / (1 - peak) : exp(-decay * (t - peak));
}

static double sum_of(const char *form, double from, double to, double peak, double decay)
{
    enum { FINE = 64 };
    double sum = 0;
    for (int i = 0; i < FINE; i++)
        sum += rate_of(form, from + (to - from) * (i + 0.5) / FINE, peak, decay);
    return sum * (to - from) / FINE;
}

static const char *const forms[] = {"constant", "waxwane", "exponential", "risefall"};

/* Each piece of a shape has its part of the volume, by the rate itself; a peak and a decay count, or the usual ones. */
static void expect_shape(const struct rate_series *s, const char *form, double peak, double decay)
{
    double all = 0;
    if (isnan(peak)) peak = 0.25;
    if (isnan(decay)) decay = 3;
    assert_true(s->shape && s->volume_m3 == 1 && s->end_s == 1);
    assert_int_equal(s->count, strcmp(form, "constant") ? 48 : 1);
    for (int i = 0; i < 200; i++) all += sum_of(form, i / 200., (i + 1) / 200., peak, decay);
    for (int i = 0; i < s->count; i++) {
        const struct rate_series_interval *k = &s->interval[i];
        assert_true(k->id == RATES_OF_ALL && fabs(k->from_s - i / (double)s->count) < 1e-12 &&
                    fabs(k->to_s - (i + 1) / (double)s->count) < 1e-12);
        const double is = k->rate_m3_s * (k->to_s - k->from_s),
                     expected = sum_of(form, k->from_s, k->to_s, peak, decay) / all;
        if (fabs(is - expected) > 1e-4 / s->count)
            fail_msg("%s, piece %d: %g, not %g", form, i, is, expected);
    }
}

static void classes_anew(void **state)
{
    enum { CLASSES = 9 };
    uint64_t rng = 31;
    for (int round = 0; round < 6; round++) {
        static const char *const heads[] = {"", ",weight", ",probability"};
        const int weighted = round % 3;
        char text[2048];
        struct {
            double volume_m3, hours, weight, peak, decay;
            const char *form;
        } w[CLASSES];
        struct classes c;
        struct error e = {0};
        int n = snprintf(text, sizeof text, "decay,class,duration_h,peak%s,shape,volume_m3\n",
                         heads[weighted]),
            k = 0;
        for (int i = 0; i < CLASSES; i++) {
            char peak[16] = "", decay[16] = "", weight[16] = "", hours[16];
            w[i].form = forms[(int)(random_unit(&rng) * 4)];
            w[i].volume_m3 = floor(1e6 * random_unit(&rng)) + 1;
            w[i].hours = floor(100 * random_unit(&rng)) / 4 + 0.25;
            w[i].weight = weighted == 1 ? (i + round) % 4 : weighted ? i == 0 ? 0.5 : 0.0625 : 1;
            w[i].peak = w[i].decay = NAN;
            if (strchr("wr", w[i].form[0]) && random_unit(&rng) < 0.6)
                w[i].peak = floor(99 * random_unit(&rng) + 1) / 128;
            if (strchr("er", w[i].form[0]) && random_unit(&rng) < 0.6)
                w[i].decay = floor(50 * random_unit(&rng) + 1) / 8;
            if (!isnan(w[i].peak)) snprintf(peak, sizeof peak, "%.9g", w[i].peak);
            if (!isnan(w[i].decay)) snprintf(decay, sizeof decay, "%.9g", w[i].decay);
            if (weighted) snprintf(weight, sizeof weight, ",%g", w[i].weight);
            snprintf(hours, sizeof hours, i % 2 ? "%g" : "%gmin", w[i].hours * (i % 2 ? 1 : 60));
            n += snprintf(text + n, sizeof text - (size_t)n, "%s,c%d,%s,%s%s,%s,%.9g\n", decay, i,
                          hours, peak, weight, w[i].form, w[i].volume_m3);
        }
        put_text(&dir, "made.csv", text);
        must(classes_read(&c, scratch_file(&dir, "made.csv"), &e), &e);
        assert_string_equal(c.doubt, "");
        for (int i = 0; i < CLASSES; i++) {
            char name[8];
            snprintf(name, sizeof name, "c%d", i);
            if (!w[i].weight) {
                assert_int_equal(classes_find(&c, name), -1);
                continue;
            }
            assert_int_equal(classes_find(&c, name), k);
            assert_true(k < c.choice.count && c.choice.share[k] == w[i].weight);
            const struct eruption_class *x = &c.item[k++];
            assert_string_equal(x->name, name);
            assert_true(x->volume_m3 == w[i].volume_m3 && x->duration_s == w[i].hours * 3600);
            expect_shape(&x->series, w[i].form, w[i].peak, w[i].decay);
        }
        assert_int_equal(k, c.choice.count);
        classes_free(&c);
    }
}

/* Rows with all columns that may stand together, in any order. */
static void member_tables_anew(void **state)
{
    enum { ROWS = 6, OTHERS = 8 };
    static const char *const others[][OTHERS] = {
        {"weight", "vent", "", "class", "", "terrain_seed", "max_steps",
         "stop_when_mobile_below_m"},
        {"weight", "x", "y", "rates", "", "terrain_seed", "max_steps", "stop_when_mobile_below_m"}};
    static const char *const files[] = {"rates.csv", "more.csv"};
    struct classes classes;
    struct error e = {0};
    uint64_t rng = 37;
    write_plan(&dir);
    put_text(&dir, "more.csv", "vent,from_s,to_s,rate_m3_s\n*,0,600,4\n");
    must(classes_read(&classes, scratch_file(&dir, "classes.csv"), &e), &e);
    for (int round = 0; round < 20; round++) {
        const char *const *of = others[round % 2];
        int column[VARIABLES + OTHERS], columns = 0;
        char text[8192] = "";
        double value[ROWS][VARIABLES + OTHERS];
        struct member_table t;
        uint64_t sum = 0;
        for (int i = 0; i < VARIABLES + OTHERS; i++)
            if ((i < VARIABLES || *of[i - VARIABLES]) &&
                (random_unit(&rng) < 0.7 || i == VARIABLES + 1 || i == VARIABLES + 2)) {
                const int at = (int)(random_unit(&rng) * (columns + 1));
                column[columns++] = column[at];
                column[at] = i;
            }
        for (int i = 0; i < columns; i++)
            strcat(strcat(text, i ? "," : ""), column[i] < VARIABLES ? variable_row(column[i]).name
                                                                     : of[column[i] - VARIABLES]);
        for (int r = 0; r < ROWS; r++)
            for (int i = 0; i < columns; i++) {
                const int what = column[i];
                char cell[64];
                double x = 1 + floor(1000 * random_unit(&rng));
                if (what < VARIABLES) {
                    const struct variable_row v = variable_row(what);
                    const double low = v.low, high = fmin(v.high, low + 1000);
                    x = low + (high - low) * floor(1 + 14 * random_unit(&rng)) / 16;
                }
                if (what == VARIABLES + 3) x = floor(random_unit(&rng) * (round % 2 ? 2 : 4));
                snprintf(cell, sizeof cell, "%.17g", x);
                if (what == VARIABLES + 3)
                    snprintf(cell, sizeof cell, "%s",
                             round % 2 ? files[(int)x] : classes.item[(int)x].name);
                value[r][what] = x;
                strcat(strcat(text, i ? "," : "\n"), cell);
            }
        put_text(&dir, "made.csv", text);
        must(member_table_read(&t, scratch_file(&dir, "made.csv"), &classes, "", &e), &e);
        bool has[VARIABLES + OTHERS] = {false};
        for (int i = 0; i < columns; i++) has[column[i]] = true;
        assert_int_equal(t.count, ROWS);
        for (int i = 0; i < VARIABLES; i++) assert_true(t.has[i] == has[i]);
        const bool *more = has + VARIABLES, second = round % 2;
        assert_true(t.has_vent == !second && t.has_place == second);
        assert_true(t.has_class == (!second && more[3]) && t.has_rates == (second && more[3]));
        assert_true(t.has_terrain_seed == more[5] && t.has_max_steps == more[6]);
        for (int r = 0; r < ROWS; r++) {
            const struct table_row *x = &t.row[r];
            const double *is = value[r] + VARIABLES;
            assert_int_equal(x->line, r + 2);
            for (int i = 0; i < VARIABLES; i++)
                assert_true(has[i] ? x->value[i] == value[r][i] : isnan(x->value[i]));
            assert_true(x->weight == (more[0] ? (uint64_t)is[0] : 1));
            assert_true(x->vent == (second ? 0 : (int)is[1]));
            assert_true(second ? x->x == is[1] && x->y == is[2] : isnan(x->x) && isnan(x->y));
            assert_int_equal(x->class, !second && more[3] ? (int)is[3] : -1);
            assert_int_equal(x->terrain_seed, more[5] ? (int64_t)is[5] : -1);
            assert_int_equal(x->max_steps, more[6] ? (int64_t)is[6] : -1);
            assert_true(more[7] ? x->stop_mobile_m == is[7] : isnan(x->stop_mobile_m));
            if (second && more[3]) {
                assert_string_equal(t.rates_name[x->rates], files[(int)is[3]]);
                assert_true(t.rates[x->rates].volume_m3 == (is[3] > 0 ? 2400 : 3000));
            } else assert_int_equal(x->rates, -1);
            sum += x->weight;
        }
        assert_true(t.weight_sum == sum && t.rates_count <= 2);
        member_table_free(&t);
    }
    classes_free(&classes);
}

int main(void)
{
    const int failed = UNIT_RUN_IN(plan_set_up, NULL, NULL, NULL, every_number_in_its_field,
                                   every_other_key_in_its_field, kinds_of_dem_by_their_words,
                                   every_word_of_an_observation, classes_anew, member_tables_anew);
    scratch_remove(&dir);
    return failed;
}
