/* The files of a run: exact text in the original format, layers that read back as they went in, a
 * summary that parses, a writer that keeps order and passes on errors, and no temporary file left.
 */
/* tests: output/run, output/products, record */
/* run: quick */
#define _GNU_SOURCE /* memmem */
#include "isochrones/isochrones.h"
#include "products/summary.h"
#include "run/output_map.h"
#include "record/shown.h"
#include "text/words.h"
#include "raster/raster.h"
#include "text/textfile.h"
#include "base/file_progress.h"

#include "scratch.h"
#include "unit.h"

#include <cJSON.h>
#include <ctype.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ROWS = 5, COLS = 7, CELLS = ROWS * COLS };

/* A case with one vent, a state of it, both made by hand, and a folder for its files. */
struct world {
    struct scratch s;
    struct sim_case c;
    struct fields f;
    double z0[CELLS];
    int64_t first_step[3];
    double amount_m[3];
    struct vent vent;
    struct output_info info;
};

static void fill_state(struct world *w, int64_t step)
{
    struct fields *f = &w->f;
    struct error e;
    assert_int_equal(fields_create(f, w->c.problem.window, &e), 0);
    f->step = step;
    for (int i = 0; i < CELLS; i++) f->elevation_m[i] = w->z0[i];
    f->thickness_m[10] = 1.25, f->temp_K[10] = 1360, f->arrival[10] = 1;
    f->thickness_m[11] = 0.5, f->temp_K[11] = 1200.75, f->arrival[11] = 30;
    f->solid_m[11] = 0.25, f->elevation_m[11] += 0.25;
    f->temp_K[12] = 1250, f->arrival[12] = 45; /* lava was here and has gone */
    for (int i = 10; i < 13; i++) {
        f->max_thickness_m[i] = 2 + i;
        f->max_temp_K[i] = 1360 - i;
    }
    f->emitted = (quanta)2 << 36;
}

static int create_world(void **state)
{
    struct world *w = malloc(sizeof *w);
    if (!w) return -1;
    *w = (struct world){.first_step = {1, 720, 1440}, .amount_m = {1.5, 0.75, 0}};
    scratch_create(&w->s);
    w->vent = (struct vent){.row = 1,
                            .col = 3,
                            .id = 4,
                            .interval_count = 3,
                            .first_step = w->first_step,
                            .amount_m = w->amount_m};
    for (int i = 0; i < CELLS; i++) w->z0[i] = i == 34 ? (double)NAN : 100.5 + i;
    w->c = (struct sim_case){
        .name = "hand",
        .path = (char *)"hand.cfg",
        .terrain_source = "made by hand",
        .geo = {.west_m = 1000, .south_m = 2000, .cell_m = 10, .crs = {.epsg = 32633}},
        .start_time = "2006-07-14T22:00:00Z",
        .max_steps = 1000,
        .elevation_m = w->z0};
    w->c.problem = (struct problem){
        .rows = ROWS,
        .cols = COLS,
        .window = {0, 0, ROWS, COLS},
        .elevation_m = w->z0,
        .params = {120, 1143, 1360, 0.5, 0.95, 40, 1.5, 2.8, 2600, 0.9, 5.68e-8, 1150, 10},
        .vent_count = 1,
        .vents = &w->vent,
        .last_vent_step = 1439,
        .reduce_every = 1};
    w->info = (struct output_info){.directory = w->s.path,
                                   .formats = OUTPUT_GEOTIFF,
                                   .layers = "all",
                                   .variant = "reference",
                                   .device = "a processor",
                                   .version = "0.1.0"};
    fill_state(w, 60);
    *state = w;
    return 0;
}

static int remove_world(void **state)
{
    struct world *w = *state;
    fields_free(&w->f);
    scratch_remove(&w->s);
    free(w);
    return 0;
}

static void test_prepare(void **state)
{
    struct scratch s;
    struct error e = {0};
    scratch_create(&s);
    const char *deep = scratch_file(&s, "a//b/c/");
    assert_int_equal(output_prepare(deep, &e), 0);
    assert_int_equal(output_prepare(deep, &e), 0);
    assert_int_equal(count_files(deep), 0);
    write_text(scratch_file(&s, "file"), "no folder");
    assert_int_equal(output_prepare(scratch_file(&s, "file"), &e), ERROR_INPUT);
    assert_int_equal(output_prepare(scratch_file(&s, "file/x"), &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "file/x"));
    assert_int_equal(output_prepare("/proc/sciara/x", &e), ERROR_INPUT);
    scratch_remove(&s);
}

/* ---- original format ------------------------------------------------------------------------- */

static void expect_text(const char *path, const char *wanted)
{
    char *text = read_text(path);
    if (!text) fail_msg("%s is missing", path);
    assert_string_equal(text, wanted);
    free(text);
}

static void test_original(void **state)
{
    struct world *w = *state;
    struct error e = {0};
    w->info.formats = OUTPUT_ORIGINAL;
    if (output_state(&w->info, &w->c, &w->f, &e)) fail_msg("%s", e.text);
    assert_int_equal(count_files(w->s.path), 7);
    char *cfg = read_text(scratch_file(&w->s, "hand_000000000060.cfg"));
    assert_non_null(cfg);
    assert_non_null(strstr(cfg, "\nPsigma\t5.68e-08\n"));
    assert_non_null(strstr(cfg, "\nPr(Tvent)\t0.95\n"));
    free(cfg);
    expect_text(scratch_file(&w->s, "hand_000000000060_EmissionRate.txt"),
                "[TIME]\n86400\n\n[VENT_ID]\n4\n\n[EMISSION_RATE]\n1.250000\n0.625000\n\n\n[END]");
    char *vents = read_text(scratch_file(&w->s, "hand_000000000060_Vents.stt"));
    assert_non_null(vents);
    assert_non_null(strstr(vents, "\n0  0  0  4  0  0  0  \n"));
    free(vents);
    char *z = read_text(scratch_file(&w->s, "hand_000000000060_Morphology.stt"));
    assert_non_null(z);
    assert_true(strncmp(z,
                        "ncols\t\t7\nnrows\t\t5\nxllcorner\t1000.000000\nyllcorner\t2000.000000\n"
                        "cellsize\t10.000000\nNODATA_value\t-9999.000000\n100.500000  101.500000  ",
                        strlen("ncols\t\t7\nnrows\t\t5\nxllcorner\t1000.000000\nyllcorner\t"
                               "2000.000000\ncellsize\t10.000000\nNODATA_value\t-9999.000000\n"
                               "100.500000  101.500000  ")) == 0);
    assert_non_null(strstr(z, "133.500000  -9999.000000  \n"));
    free(z);
}

/* The project's own %f against that of the C library: values of all sizes, ties, and their
 * neighbours. */
static void test_original_numbers(void **state)
{
    struct world *w = *state;
    struct error e = {0};
    static const double corners[] = {0.0,
                                     -0.0,
                                     0.5e-6,
                                     1.5e-6,
                                     2.5e-6,
                                     0.9999995,
                                     0.99999949999999994,
                                     999999.9999995,
                                     1.0 / 128,
                                     3.0 / 128,
                                     0x1p-7 + 0x1p-20,
                                     5e-324,
                                     1e15,
                                     4503599627370495.5,
                                     1e300,
                                     -0.125,
                                     -1e-9,
                                     1360,
                                     1.0000005,
                                     123.4567895,
                                     0.00048828125,
                                     8191.00048828125,
                                     4e-7,
                                     1e22};
    uint64_t seed = 11;
    w->info.formats = OUTPUT_ORIGINAL;
    int different = 0;
    for (int round = 0; round < 120; round++) {
        double *h = w->f.thickness_m;
        for (int i = 0; i < CELLS; i++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const double unit = (double)(seed >> 11) * 0x1p-53;
            if (round == 0 && i < (int)(sizeof corners / sizeof *corners)) h[i] = corners[i];
            else if (i % 3 == 0) h[i] = ldexp(unit, (int)(seed & 63) - 30);
            else if (i % 3 == 1) h[i] = ((double)(seed >> 40) * 2 + 1) / 0x1p7; /* ties, and near */
            else h[i] = nextafter(((double)(seed >> 44) + 0.5) / 1e6, seed & 8 ? 0 : 1e9);
        }
        assert_int_equal(output_state(&w->info, &w->c, &w->f, &e), 0);
        char *text = read_text(scratch_file(&w->s, "hand_000000000060_Thickness.stt")), *at = text;
        for (int line = 0; line < 6; line++) at = strchr(at, '\n') + 1;
        for (int i = 0; i < CELLS; i++) {
            char wanted[400];
            const int length = snprintf(wanted, sizeof wanted, "%f  %s", i == 34 ? -9999.0 : h[i],
                                        (i + 1) % COLS ? "" : "\n");
            if (strncmp(at, wanted, (size_t)length) != 0)
                fail_msg("%.17g: %.30s is not %s", h[i], at, wanted);
            at += length;
            different += h[i] != 0;
        }
        assert_true(*at == 0);
        free(text);
    }
    assert_true(different > 4000);
}

/* Whatever the steps at which a rate changes, line i of a vent has what its steps from i * [TIME] on emit, by a search
 * from the first interval on. */
static void test_original_rates(void **state)
{
    struct world *w = *state;
    struct error e = {0};
    static const int64_t changes[][3] = {{1, 2, 3}, {1, 2, 5},  {1, 3, 4}, {1, 12, 30},
                                         {2, 3, 7}, {6, 9, 21}, {1, 7, 70}};
    int lines = 0;
    w->info.formats = OUTPUT_ORIGINAL;
    for (size_t n = 0; n < sizeof changes / sizeof *changes; n++) {
        memcpy(w->first_step, changes[n], sizeof changes[n]);
        assert_int_equal(output_state(&w->info, &w->c, &w->f, &e), 0);
        char *text = read_text(scratch_file(&w->s, "hand_000000000060_EmissionRate.txt")), *at;
        const double steps = strtod(text + strlen("[TIME]\n"), &at) / 120;
        double rate[100];
        int count = 0;
        at = strstr(at, "[EMISSION_RATE]\n") + strlen("[EMISSION_RATE]\n");
        while (*at != '\n') rate[count++] = strtod(at, &at), at++;
        for (int64_t step = 1; step <= changes[n][2]; step++) {
            double amount_m = 0;
            for (int i = 0; i < 3; i++)
                if (changes[n][i] <= step) amount_m = w->amount_m[i];
            const int line = (int)((double)step / steps);
            assert_true((line < count ? rate[line] : 0) == amount_m * 100 / 120);
        }
        lines += count;
        free(text);
    }
    assert_true(lines > 40);
}

/* ---- layers ---------------------------------------------------------------------------------- */

static void expect_layer(struct scratch *s, const char *name, const double *value, int cells)
{
    struct raster r;
    struct error e = {0};
    if (raster_read(&r, scratch_file(s, name), 0, &e)) fail_msg("%s", e.text);
    assert_int_equal(r.rows, ROWS);
    assert_int_equal(r.cols, COLS);
    assert_int_equal(r.geo.crs.epsg, 32633);
    assert_true(r.geo.west_m == 1000 && r.geo.south_m == 2000 && r.geo.cell_m == 10);
    assert_true(r.nodata == -9999);
    assert_string_equal(r.terrain_source, "made by hand");
    int found = 0;
    for (int i = 0; i < CELLS; i++) {
        const bool none = isnan(value[i]);
        if (none != (isnan(r.value[i]) != 0) || (!none && (float)value[i] != (float)r.value[i]))
            fail_msg("%s, cell %d: %g, not %g", name, i, r.value[i], value[i]);
        found += !none;
    }
    assert_int_equal(found, cells);
    raster_free(&r);
}

/* Every layer says which state of which run it is of. */
static void expect_items(struct scratch *s, const char *name, uint64_t digest, const char *about,
                         const char *unit)
{
    char wanted[2000], tiff[20000];
    FILE *f = fopen(scratch_file(s, name), "rb");
    const size_t size = fread(tiff, 1, sizeof tiff, f);
    fclose(f);
    snprintf(wanted, sizeof wanted,
             "CASE=hand,STEP=60,TIME_S=7200,START_TIME=2006-07-14T22:00:00Z,"
             "DATE=2006-07-15T00:00:00Z,VARIANT=reference,DEVICE=a processor,SCIARA_VERSION=0.1.0,"
             "STATE_DIGEST=%016llx,TERRAIN=made by hand,SOFTWARE=sciara 0.1.0",
             (unsigned long long)digest);
    for (char *at = strtok(wanted, ","), item[300]; at; at = strtok(NULL, ",")) {
        const int name_length = (int)strcspn(at, "=");
        const int length = snprintf(item, sizeof item, "<Item name=\"%.*s\">%s</Item>", name_length,
                                    at, at + name_length + 1);
        if (!memmem(tiff, size, item, (size_t)length)) fail_msg("%s: no %s", name, item);
    }
    assert_true(memmem(tiff, size, about, strlen(about)) && memmem(tiff, size, unit, strlen(unit)));
}

static void test_layers(void **state)
{
    struct world *w = *state;
    struct error e = {0};
    struct file_progress progress = {0};
    w->info.formats = OUTPUT_GEOTIFF | OUTPUT_PNG;
    w->info.progress = &progress;
    if (output_state(&w->info, &w->c, &w->f, &e)) fail_msg("%s", e.text);
    assert_int_equal(count_files(w->s.path), 11);
    assert_int_equal(atomic_load(&progress.file), 11);
    assert_int_equal(access(scratch_file(&w->s, "map_000060_20060715T0000Z.png"), R_OK), 0);

    double v[8][CELLS];
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < CELLS; i++) v[k][i] = NAN;
    v[0][10] = 1.25, v[0][11] = 0.5;
    v[1][10] = 1360, v[1][11] = 1200.75;
    v[2][11] = 0.25;
    v[3][10] = 1.25, v[3][11] = 0.75;
    for (int i = 0; i < CELLS; i++) v[4][i] = w->f.elevation_m[i];
    v[5][10] = 120.0 / 3600, v[5][11] = 1, v[5][12] = 1.5;
    for (int i = 10; i < 13; i++) v[6][i] = 2 + i, v[7][i] = 1360 - i;
    expect_layer(&w->s, "thickness_m_000060_20060715T0000Z.tif", v[0], 2);
    expect_layer(&w->s, "temperature_K_000060_20060715T0000Z.tif", v[1], 2);
    expect_layer(&w->s, "solidified_m_000060_20060715T0000Z.tif", v[2], 1);
    expect_layer(&w->s, "total_thickness_m_000060_20060715T0000Z.tif", v[3], 2);
    expect_layer(&w->s, "elevation_after_m_000060_20060715T0000Z.tif", v[4], CELLS - 1);
    expect_layer(&w->s, "arrival_h_000060_20060715T0000Z.tif", v[5], 3);
    expect_layer(&w->s, "max_thickness_m_000060_20060715T0000Z.tif", v[6], 3);
    expect_layer(&w->s, "max_temperature_K_000060_20060715T0000Z.tif", v[7], 3);
    const uint64_t digest = fields_digest(&w->f, ROWS, COLS);
    expect_items(&w->s, "arrival_h_000060_20060715T0000Z.tif", digest,
                 "time of first arrival of lava since start", ">h</Item>");
    expect_items(&w->s, "solidified_m_000060_20060715T0000Z.tif", digest,
                 "solidified lava thickness", ">m</Item>");
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of the nine cells around each with lava, from a grid with a dry margin that is sorted whole */
static void test_medians(void **state)
{
    struct world *w = *state;
    double wide[(ROWS + 2) * (COLS + 2)] = {0}, nine[9];
    float got[CELLS];
    int wet = 0, kept = 0;
    for (int i = 0; i < CELLS; i++) {
        w->f.thickness_m[i] = i * 37 % 5 ? i * 29 % 17 / 8.0 : 0;
        w->f.solid_m[i] = i * 37 % 5 ? i * 23 % 11 / 16.0 : 0;
        wide[(i / COLS + 1) * (COLS + 2) + i % COLS + 1] = w->f.thickness_m[i] + w->f.solid_m[i];
    }
    const struct output_cut all = {.window = w->f.window, .f = &w->f};
    output_layer_values(OUTPUT_MEDIAN, &all, 1, got);
    for (int i = 0; i < CELLS; i++) {
        const double *corner = wide + i / COLS * (COLS + 2) + i % COLS;
        for (int k = 0; k < 9; k++) nine[k] = corner[k / 3 * (COLS + 2) + k % 3];
        const bool lava = nine[4] > 0 && i != 34; /* (there is no terrain) */
        qsort(nine, 9, sizeof *nine, ascending);
        if (lava && nine[4] > 0) assert_true(got[i] == (float)nine[4]);
        else assert_true(isnan(got[i]));
        wet += lava;
        kept += lava && nine[4] > 0;
    }
    assert_true(wet > kept && kept > CELLS / 3);
}

/* ---- writer ---------------------------------------------------------------------------------- */

static void test_writer(void **state)
{
    struct world *w = *state;
    struct error e = {0};
    struct output_writer *writer;
    w->info.formats = OUTPUT_ORIGINAL;
    assert_int_equal(output_writer_create(&writer, &w->info, &w->c, &e), 0);
    assert_int_equal(output_writer_start(writer, &e), 0);
    for (int step = 1; step <= 20; step++) {
        fields_free(&w->f);
        fill_state(w, step);
        assert_int_equal(output_writer_put(writer, &w->f, OUTPUT_FILES, &e), 0);
        assert_null(w->f.thickness_m);
    }
    assert_int_equal(output_writer_finish(writer, &e), 0);
    assert_int_equal(count_files(w->s.path), 7 * 20);
    assert_int_equal(output_writer_finish(NULL, &e), 0);
}

/* The folder vanishes: whoever asks next, or at the end, hears of it. */
static void test_writer_error(void **state)
{
    struct world *w = *state;
    struct error e = {0};
    struct output_writer *writer;
    w->info.directory = "build/tmp/nowhere/at/all";
    w->info.formats = OUTPUT_ORIGINAL;
    assert_int_equal(output_writer_create(&writer, &w->info, &w->c, &e), 0);
    assert_int_equal(output_writer_start(writer, &e), 0);
    assert_int_equal(output_writer_put(writer, &w->f, OUTPUT_FILES, &e), 0);
    fill_state(w, 61);
    assert_int_equal(output_writer_put(writer, &w->f, OUTPUT_FILES, &e), ERROR_FAILED);
    assert_null(w->f.thickness_m);
    assert_non_null(strstr(e.text, "nowhere/at/all/hand_000000000060_Morphology.stt"));
    assert_int_equal(output_writer_finish(writer, &e), ERROR_FAILED);

    w->info.formats = OUTPUT_PNG; /* an outline that is not there is refused before anything runs */
    w->c.outline_path = (char *)"build/tmp/no-outline.json";
    assert_int_equal(output_writer_create(&writer, &w->info, &w->c, &e), ERROR_INPUT);
    assert_null(writer);
}

/* ---- summary --------------------------------------------------------------------------------- */

static const cJSON *at(const cJSON *o, const char *group, const char *key)
{
    if (group) o = cJSON_GetObjectItemCaseSensitive(o, group);
    o = cJSON_GetObjectItemCaseSensitive(o, key);
    if (!o) fail_msg("summary.json: no %s", key);
    return o;
}

static void test_summary(void **state)
{
    struct world *w = *state;
    struct error e = {0};
    const quanta m = (quanta)1 << 36;
    const struct output_summary summary = {.ledger = {.emitted = 3 * m + 1,
                                                      .mobile = m,
                                                      .solidified = m + 1,
                                                      .left_domain = m,
                                                      .heat = {.initial = 16 * m, /* 1 K m */
                                                               .emitted = 80 * m,
                                                               .mobile = 100 * m,
                                                               .cooled = -4 * m}},
                                           .digest = 0xabc,
                                           .step = 60,
                                           .interrupted = true,
                                           .threads = 2,
                                           .device_bytes = 4096,
                                           .load_s = 0.25,
                                           .steps_s = 0.003,
                                           .total_s = 0.5,
                                           .device_ms = 2.5};
    assert_int_equal(
        output_end(&w->info, &w->c, output_summary_text(&w->info, &w->c, &summary), &e), 0);
    assert_int_equal(count_files(w->s.path), 1);
    char *text = read_text(scratch_file(&w->s, "summary.json"));
    cJSON *o = cJSON_Parse(text);
    assert_non_null(o);
    assert_string_equal(at(o, NULL, "digest")->valuestring, "0000000000000abc");
    assert_string_equal(at(at(o, "ledger", "emitted"), NULL, "quanta")->valuestring,
                        "206158430209");
    assert_true(at(at(o, "ledger", "left_domain"), NULL, "m3")->valuedouble == 100);
    assert_true(cJSON_IsTrue(at(o, "ledger", "closed")));
    assert_string_equal(at(at(o, "heat_ledger", "cooled"), NULL, "quanta")->valuestring,
                        "-274877906944");
    assert_true(at(at(o, "heat_ledger", "initial"), NULL, "K_m")->valuedouble == 1);
    assert_true(at(at(o, "heat_ledger", "emitted"), NULL, "J")->valuedouble ==
                5.0 * 100 * 2600 * 1150);
    assert_true(cJSON_IsTrue(at(o, "heat_ledger", "closed")));
    assert_true(cJSON_IsTrue(at(o, "run", "interrupted")));
    assert_true(at(o, "run", "time_s")->valuedouble == 7200);
    assert_true(at(o, "parameters", "Psigma")->valuedouble == 5.68e-8);
    assert_string_equal(at(o, "grid", "crs")->valuestring, "EPSG:32633");
    assert_true(at(cJSON_GetArrayItem(at(o, NULL, "vents"), 0), NULL, "col")->valuedouble == 3);
    assert_true(at(o, "timing", "us_per_step")->valuedouble == 0.003 * 1e6 / 60);
    cJSON_Delete(o);
    free(text);
    for (int resumed = 0; resumed < 2; resumed++) { /* the steps of this run alone took that time */
        struct output_summary later = summary;
        w->c.problem.first_step = 10;
        later.from_step = resumed ? 35 : -1;
        o = cJSON_Parse(text = output_summary_text(&w->info, &w->c, &later));
        assert_true(at(o, "timing", "us_per_step")->valuedouble == 3000.0 / (resumed ? 25 : 50));
        cJSON_Delete(o);
        free(text);
    }
    w->info.directory = "build/tmp/nowhere/at/all";
    assert_int_equal(
        output_end(&w->info, &w->c, output_summary_text(&w->info, &w->c, &summary), &e),
        ERROR_FAILED);
}

/* The list of pictures knows each as it was painted last, also after it is read again. */
static void test_shown(void **state)
{
    struct world *w = *state;
    struct shown s;
    struct error e;
    const char *names[] = {"map_b.png", "map_a.png", "map_b.png"};
    must(shown_read(&s, w->s.path, &e), &e);
    for (int i = 0; i < 3; i++) {
        const char *path = scratch_file(&w->s, names[i]);
        write_text(path, i < 2 ? "painted" : "painted again");
        must(shown_add(&s, path, NULL, &e), &e);
        assert_false(shown_is_changed(&s, path));
    }
    must(shown_write(&s, "0123", &e), &e);
    shown_free(&s);
    must(shown_read(&s, w->s.path, &e), &e);
    for (int i = 0; i < 2; i++) {
        const char *path = scratch_file(&w->s, names[i]);
        assert_false(shown_is_changed(&s, path));
        write_text(path, "edited");
        assert_true(shown_is_changed(&s, path));
    }
    assert_true(shown_forget(&s, names[0]) && !shown_forget(&s, names[0]));
    assert_string_equal(shown_digest(&s), "0123");
    shown_free(&s);
}

/* The picture to look at first, in whatever order files are written; of maps at steps that of the last. */
static void test_first_map(void **state)
{
    static char *const folders[][5] = {
        /* the right one, and others */
        {"map_hazard_50y.png", "map_hazard_10y.png", "map_hazard_100y.png", "map_probability.png"},
        {"map_hazard_100y.png", "map_hazard_10y.png", "map_hazard_20y.png", "map_hazard.png"},
        {"map_forecast.png", "map_probability.png", "map_000400.png", "map_arrival_000400.png"},
        {"map_probability.png", "map_000400.png", "map_probability_10y.svg", "probability.tif"},
        {"map_000400.png", "map_arrival_000400.png", "map_000800.svg", "plot_000400.png"},
        {"map_arrival_000400.png", "overlap.png"},
    };
    struct world *w = *state;
    struct output_folder folder = {0};
    w->info.folder = &folder;
    for (size_t i = 0; i < 2 * (sizeof folders / sizeof *folders); i++) {
        char *const *name = folders[i / 2];
        struct output_file file[5] = {0};
        folder.file = file;
        for (folder.count = 0; name[folder.count];) folder.count++;
        for (int k = 0; k < folder.count; k++)
            file[i % 2 ? folder.count - 1 - k : k].name = name[k];
        FREED char *text = output_finish_summary(cJSON_CreateObject(), &w->info);
        cJSON *o = cJSON_Parse(text);
        assert_string_equal(at(o, NULL, "map")->valuestring, *name);
        cJSON_Delete(o);
    }
    struct output_file steps[] = {{.name = "map_000200.png"}, {.name = "map_000400.png"}};
    folder.file = steps;
    folder.count = 2;
    FREED char *text = output_finish_summary(cJSON_CreateObject(), &w->info);
    assert_non_null(strstr(text, "\"map\":\t\"map_000400.png\""));
}

/* Shares are those of all lava, also of lava that was there before; who still emits or has come to rest is not warned. */
static void test_warnings(void **state)
{
    static const char mobile[] =
        "90 % of the lava is still mobile in the end: it may advance further";
    static const quanta tenth = (quanta)1 << 36;
    static const struct {
        quanta initial, emitted, mobile;
        int64_t step;
        bool stopped;
        size_t way, at_limit;
        const char *text;
    } at[] = {
        {3 * tenth, 7 * tenth, 9 * tenth, 1439, false, 40, 0, mobile},
        {3 * tenth, 7 * tenth, 9 * tenth - 1, 1439, false, 40, 0, NULL},
        {3 * tenth, 7 * tenth, 9 * tenth, 1438, false, 40, 0, NULL},
        {3 * tenth, 7 * tenth, 9 * tenth, 1439, true, 40, 0, NULL},
        {tenth, 0, 0, 60, false, 0, 0, NULL},
        {0, 0, 0, 1439, false, 0, 0, NULL}, /* a rate of 0 */
        {0, 0, 0, 1438, false, 0, 0,
         "no lava: the run ends at step 1438, before the first lava; the last vent emits until "
         "step 1439: check the times of the rates, or run more steps"},
        {0, tenth, 0, 60, false, 40, 30,
         "the real front may be faster and arrive earlier: on 75 % of its way the front moved at "
         "the speed limit of the model"},
    };
    struct world *w = *state;
    char text[WARNING_TEXT];
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        struct output_summary s = {
            .ledger = {.initial = at[i].initial, .emitted = at[i].emitted, .mobile = at[i].mobile},
            .extent.front = {at[i].way, at[i].at_limit},
            .step = at[i].step,
            .stopped = at[i].stopped};
        output_warnings(&s, &w->c, &w->f);
        assert_int_equal(s.told.count, at[i].text != NULL);
        if (at[i].text)
            assert_string_equal(warnings_part(&s.told, 0, s.told.of[0].text, text), at[i].text);
        if (at[i].at_limit)
            assert_string_equal(warnings_part(&s.told, 0, s.told.of[0].remedy, text),
                                "it crossed 30 of 40 cells at the limit of one cell a step, 0.0833 "
                                "m/s; use a Pclock below 120 s");
    }
    struct output_summary s = {.ledger.emitted = tenth,
                               .step = 60,
                               .passed_over = "a damaged state",
                               .extent.left = {4321, 0.125}};
    output_warnings(&s, &w->c, &w->f);
    assert_int_equal(s.told.count, 2);
    assert_string_equal(warnings_part(&s.told, 0, s.told.of[0].text, text), "a damaged state");
    assert_int_equal(s.told.of[0].kind, WARNING_INPUT);
    warnings_part(&s.told, 1, s.told.of[1].text, text);
    assert_int_equal(strncmp(text, "12.5 % of the lava has left the terrain: ", 40), 0);
    warnings_part(&s.told, 1, s.told.of[1].remedy, text);
    assert_int_equal(strncmp(text, "4321 m3 are missing; ", 21), 0);
}

/* In a folder of before: what cannot be replaced goes, or it would tell of less than the rest. */
static void test_not_replaced(void **state)
{
    struct world *w = *state;
    struct output_folder folder = {0};
    struct error e = {0};
    const char *path = scratch_file(&w->s, "members.csv");
    w->info.folder = &folder;
    for (int goes_on = 0; goes_on < 2; goes_on++) {
        write_text(scratch_file(&w->s, "members.csv"), "member\n1\n");
        if (goes_on) output_note_failures(&w->info);
        error_input(&e, "an input");
        const int other = output_done(&w->info, path, ERROR_INPUT, &e);
        assert_int_equal(other, goes_on ? 0 : ERROR_INPUT);
        assert_int_equal(access(path, F_OK), 0); /* may be anybody's */
        error_failed(&e, "%s: the disk is full", path);
        const int status = output_done(&w->info, path, ERROR_FAILED, &e);
        assert_int_equal(status, goes_on ? 0 : ERROR_FAILED);
        assert_int_not_equal(access(path, F_OK), 0);
    }
    write_text(scratch_file(&w->s, "summary.json"), "{}");
    struct rlimit before, none;
    if (getrlimit(RLIMIT_FSIZE, &before)) abort();
    none = (struct rlimit){0, before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &none)) abort();
    const int status = output_end(&w->info, &w->c, text_format("{\"done\":2}"), &e);
    if (setrlimit(RLIMIT_FSIZE, &before)) abort();
    signal(SIGXFSZ, handler);
    assert_int_equal(status, ERROR_FAILED);
    assert_int_not_equal(access(scratch_file(&w->s, "summary.json"), F_OK), 0);
    output_folder_free(&folder);
}

struct seen {
    double terrain[CELLS], value[CELLS], upper[ISOCHRONES_LEVELS];
    int classes;
};

static int see(const struct map *m, void *to, struct error *e)
{
    struct seen *seen = to;
    seen->classes = m->class_count;
    for (int i = 0; i < m->class_count; i++) seen->upper[i] = m->classes[i].upper;
    for (int row = 0; row < ROWS; row++) {
        double room[2 * COLS];
        const struct map_cells c = map_cells(m, row, room);
        memcpy(seen->terrain + row * COLS, c.elevation_m, COLS * sizeof *c.elevation_m);
        memcpy(seen->value + row * COLS, c.value, COLS * sizeof *c.value);
    }
    return 0;
}

static struct seen show(const struct world *w, const struct output_sheet *s,
                        const struct output_cut *x, enum output_map kind)
{
    const struct output_view view = {0};
    const struct output_scene scene = {&w->info, x, &view};
    struct error e = {0};
    struct seen seen;
    assert_int_equal(output_sheet_with_map(s, kind, &scene, see, &seen, &e), 0);
    return seen;
}

/* Lava that comes and goes. */
static double rise_m(int64_t step)
{
    return 1e-3 * (double)(step < 5000 ? step : 10010 - step);
}

/* Where frames get too many every second one goes; they stay at equal times, and as they were. */
static void test_frames(void **state)
{
    struct world *w = *state;
    struct error e = {0};
    static struct output_frames all;
    w->info.pictures.frame_every = 10;
    for (int64_t step = 10; step <= 10000; step += 10) {
        if (all.every && step % all.every) continue;
        w->f.step = step;
        w->f.thickness_m[20] = rise_m(step);
        assert_int_equal(output_frames_add(&all, &w->info, &w->c, &w->f, &e), 0);
    }
    assert_true(all.count > FRAMES_MOST / 2 - 2 && all.count < FRAMES_MOST && all.every == 80);
    struct output_cut x = {.window = {0, 0, ROWS, COLS}, .problem = &w->c.problem};
    assert_int_equal(case_cut(&x.part, &w->c, x.window, &e), 0);
    for (int i = 0; i < all.count; i++) {
        const struct output_sheet *k = &all.kept[i];
        assert_int_equal(k->step, 80 * (i + 1));
        const struct seen heat = show(w, k, &x, OUTPUT_MAP_TEMPERATURE),
                          lava = show(w, k, &x, OUTPUT_MAP_THICKNESS);
        assert_true(lava.value[20] == (float)rise_m(k->step));
        assert_true(lava.value[11] == 0.75 && isnan(lava.value[0]));
        assert_true(lava.terrain[11] == w->z0[11] + 0.25 && lava.terrain[1] == w->z0[1]);
        assert_true(fabs(heat.value[11] - (1200.75 - 273.15)) < 1e-3);
    }
    assert_true(all.view.scale_high_m >= 5); /* of the thickest of all, */
    assert_true(show(w, &all.kept[all.count - 1], &x, OUTPUT_MAP_THICKNESS).value[20] <
                1); /* not of the last */
    struct output_view one = {0};
    x.f = &w->f;
    assert_int_equal(output_view_of(&one, 0, false, &x, &e), 0);
    assert_true(one.scale_high_m > 1 && one.scale_high_m < 5);
    output_view_free(&one);
    assert_int_equal(output_view_of(&one, all.view.scale_high_m, false, &x, &e), 0);
    assert_true(one.scale_high_m == all.view.scale_high_m);
    output_view_free(&one);
    case_cut_free(&x.part);
    output_frames_free(&all);
}

/* A cell is in the class of hours that it is not later than, exactly at its end, too. */
static void test_classes(void **state)
{
    struct world *w = *state;
    struct error e = {0};
    for (int i = 0; i < CELLS; i++) {
        w->f.arrival[i] = i % 5 ? 30 * (1 + i / 9) : ARRIVAL_NEVER; /* 1 h to 4 h */
        w->f.thickness_m[i] = i % 5 ? 1 : 0;
    }
    struct output_cut x = {.window = {0, 0, ROWS, COLS}, .f = &w->f, .problem = &w->c.problem};
    assert_int_equal(case_cut(&x.part, &w->c, x.window, &e), 0);
    const struct output_sheet s = output_sheet_of(&w->c, &w->f, 0, NULL);
    const struct seen seen = show(w, &s, &x, OUTPUT_MAP_ARRIVAL);
    assert_int_equal(seen.classes, 4);
    for (int i = 0; i < CELLS; i++) {
        if (i % 5) assert_true(seen.upper[(int)seen.value[i] - 1] == 1 + i / 9);
        else assert_true(isnan(seen.value[i]));
    }
    case_cut_free(&x.part);
}

/* What the words above and below a map say, anew: areas cell by cell, amounts from rates and from what the sea has. */
static void test_words(void **state)
{
    struct world *w = *state;
    struct error e = {0};
    struct effusion rates[] = {{0, 86400, 2}, {86400, 172800, 0.5}};
    unsigned char sea[CELLS] = {0};
    int covered = 0;
    char all[WORDS_TEXT];
    w->f.solid_m[20] = 0.5, w->f.arrival[20] = 40; /* solid alone */
    for (int i = 0; i < CELLS; i++) covered += w->f.thickness_m[i] > 0 || w->f.solid_m[i] > 0;
    assert_int_equal(covered, 3);
    sea[34] = 1, w->f.arrival[33] = 50; /* a shore, after 100 min */
    w->f.entered_sea = (quanta)1 << 35;
    w->c.problem.sea = sea;
    w->c.effusion = rates;
    w->c.effusion_count = 2;
    w->c.problem.first_step = 715;
    w->c.problem.last_vent_step = 1440;
    w->f.step = 730; /* 5 steps of the first rate, 10 of the second */
    struct output_cut x = {.window = {0, 0, ROWS, COLS}, .f = &w->f, .problem = &w->c.problem};
    assert_int_equal(case_cut(&x.part, &w->c, x.window, &e), 0);
    const struct output_sheet s = output_sheet_of(&w->c, &w->f, 0, NULL);
    const struct output_scene scene = {&w->info, &x, &(struct output_view){0}};
    words_fill(all, sizeof all, s.subtitle, NULL);
    assert_non_null(strstr(all, ", step 730: 300 m\xC2\xB2 covered, 200 m\xC2\xB3 erupted"));
    assert_non_null(strstr(all,
                           "; 25 % of the lava (50 m\xC2\xB3) has entered the sea, the first after "
                           "1 h 40 min"));
    char *note = output_sheet_note(&s, OUTPUT_MAP_THICKNESS, &scene);
    words_fill(all, sizeof all, note, NULL);
    if (!strstr(all, "Effusion rates: 1,800 m\xC2\xB3 in 30 min 0 s from 2006-07-15 21:50 UTC"))
        fail_msg("%s", all); /* 5 * 120 * 2 + 10 * 120 * 0.5 */
    free(note);
    x.part.c.problem.last_vent_step = 725; /* so the span ends there */
    w->c.effusion[1].to_s = 725 * 120;
    x.part.c.start_time[0] = '\0';
    note = output_sheet_note(&s, OUTPUT_MAP_THICKNESS, &scene);
    words_fill(all, sizeof all, note, NULL);
    if (!strstr(all, "Effusion rates: 1,500 m\xC2\xB3 in 20 min 0 s; ")) fail_msg("%s", all);
    free(note);
    case_cut_free(&x.part);
}

/* The amount after `after` in a text, which is in the large unit from `from` on; *at becomes what follows. */
static double said_after(const char **at, const char *after, const char *unit, const char *large,
                         double from)
{
    const char *begin = strstr(*at, after);
    char digits[32];
    int count = 0;
    assert_non_null(begin);
    for (begin += strlen(after); *begin && !isspace((unsigned char)*begin); begin++)
        if (*begin != ',') digits[count++] = *begin;
    digits[count] = '\0';
    *at = begin;
    const bool is_large = !strncmp(begin + 1, large, strlen(large));
    const double amount = strtod(digits, NULL) * (is_large ? 1e6 : 1);
    assert_true(is_large || !strncmp(begin + 1, unit, strlen(unit)));
    assert_true(is_large ? amount > 0.99 * from : amount < 1.01 * from);
    return amount;
}

/* Amounts of all sizes and spans of all lengths are said in units that fit, with three digits or more. */
static void test_sizes(void **state)
{
    struct world *w = *state;
    char all[WORDS_TEXT], since[64];
    for (double cell_m = 1; cell_m <= 3000; cell_m *= 1.7)
        for (int k = 0; k < 8; k++) {
            w->c.geo.cell_m = w->c.problem.params.cell_m = cell_m;
            w->f.emitted = (quanta)7 << (32 + k);
            w->f.step = 60 + 997 * k;
            const struct output_sheet s = output_sheet_of(&w->c, &w->f, 0, NULL);
            const double cell_m2 = cell_m * cell_m, m3 = quanta_m(w->f.emitted) * cell_m2;
            const char *at = words_fill(all, sizeof all, s.subtitle, NULL);
            snprintf(since, sizeof since, "step %d:", 60 + 997 * k);
            at = strstr(at, since);
            assert_non_null(at);
            const double area = said_after(&at, ": ", "m\xC2\xB2", "km\xC2\xB2", 1e4),
                         volume = said_after(&at, "covered, ", "m\xC2\xB3", "million m", 1e6);
            assert_true(fabs(area - 2 * cell_m2) <= 0.006 * area + 0.5);
            assert_true(fabs(volume - m3) <= 0.006 * volume + 0.5);
        }
    for (double seconds = 0; seconds < 4e6; seconds = seconds * 1.25 + 20) {
        char packed[64];
        double sum = 0;
        const char *at =
            words_fill(all, sizeof all, output_duration_pack(packed, 64, seconds), NULL);
        for (char *end; *at; at = end + strcspn(end, " ") + (end[strcspn(end, " ")] == ' ')) {
            const double n = strtod(at, &end);
            const char unit = *++end;
            const bool minutes = unit == 'm';
            assert_true(strchr("dhms", unit) && (unit != 'h' || n < 24) && (!minutes || n < 60));
            sum += n * (unit == 'd' ? 86400 : unit == 'h' ? 3600 : minutes ? 60 : 1);
        }
        assert_true(sum <= seconds * (1 + 1e-5) && sum > seconds - 60);
    }
}

/* A map says what is known of the run in the end and, before the end, what is known of the case and of its own state. */
static void test_alerts(void **state)
{
    struct world *w = *state;
    struct warnings end = {0};
    char all[WORDS_TEXT];
    warnings_add(&w->c.told, WARNING_RESULT, "of the case", NULL);
    warnings_add(&w->c.told, WARNING_NOTE, "a note", NULL);
    warnings_add(&end, WARNING_RESULT, "of the end", NULL);
    w->f.left_domain = w->f.emitted / 4;
    for (int ended = 0; ended < 2; ended++) {
        const struct output_sheet s = output_sheet_of(&w->c, &w->f, 0, ended ? &end : NULL);
        words_fill(all, sizeof all, s.alert, NULL);
        assert_int_equal(strstr(all, "Of the case") != NULL, !ended);
        assert_int_equal(strstr(all, "Of the end") != NULL, ended);
        assert_int_equal(strstr(all, "25 % of the lava has left the terrain") != NULL, !ended);
        assert_null(strstr(all, "note"));
    }
}

/* A map is painted from what the record has of it: terrain before lava, what lava changed, and nothing where the map
 * shows nothing, such as the deep holes of published arithmetic. */
static void test_described(void **state)
{
    static const double ground[] = {10, 20, -9e4, 40}, now[] = {10, 22.5, (double)NAN, 40},
                        lava[] = {(double)NAN, 2.5, (double)NAN, 0.25};
    const struct map m = {.rows = 2,
                          .cols = 2,
                          .geo = {.cell_m = 10},
                          .elevation_m = now,
                          .ground_m = ground,
                          .value = lava};
    const struct scene scene = scene_of_map(&m);
    struct record *r;
    struct record_scene s;
    struct error e = {0};
    assert_int_equal(record_describe(&r, NULL, "map", &scene, &e), 0);
    assert_int_equal(record_scene(&s, r, 0, &e), 0);
    for (int row = 0; row < 2; row++) {
        double room[4];
        const struct map_cells c = map_cells(s.map, row, room);
        for (int col = 0; col < 2; col++) {
            const double z = now[2 * row + col], v = lava[2 * row + col];
            assert_true(isnan(z) ? isnan(c.elevation_m[col]) : c.elevation_m[col] == z);
            assert_true(isnan(v) ? isnan(c.value[col]) : c.value[col] == v);
        }
    }
    record_release(&s);
    record_close(r);
}

int main(void)
{
    return UNIT_RUN_IN(create_world, remove_world, NULL, NULL, test_prepare, test_original,
                       test_original_numbers, test_original_rates, test_layers, test_medians,
                       test_writer, test_writer_error, test_frames, test_classes, test_words,
                       test_sizes, test_alerts, test_described, test_summary, test_shown,
                       test_first_map, test_warnings, test_not_replaced);
}
