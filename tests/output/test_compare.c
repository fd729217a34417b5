/* Comparing grids and runs: hand-made ones whose differences are known, and the three exit codes.
 */
/* tests: output/compare */
/* build: commands */
#include "commands/cli.h"
#include "compare/fit.h"
#include "record/runfolder.h"

#include <cJSON.h>
#include <math.h>

#include "folder.h"
#include "unit.h"

#define NODATA ((double)NAN)

static void test_values(void **state)
{
    const double a[] = {0, 1, 2, NODATA, NODATA, 4}, b[] = {0, 1, 2.5, NODATA, 3, NODATA};
    struct sciara_difference d;
    compare_values(&d, a, b, 6, true);
    assert_int_equal(d.cells, 6);
    assert_int_equal(d.differ, 3);
    assert_int_equal(d.missing_a, 1);
    assert_int_equal(d.missing_b, 1);
    assert_true(d.largest == 4 && d.largest_at == 5);
    assert_true(d.l1 == 0.5 + 3 + 4 && d.l1_relative == 7.5 / 7);
    assert_true(d.both == 2 && d.either == 4 && d.overlap == 0.5);
    assert_false(d.empty);

    compare_values(&d, a, b, 6, false);
    assert_int_equal(d.differ, 3);
    assert_true(d.largest == 0.5 && d.largest_at == 2 && d.l1 == 0.5 && d.l1_relative == 0.5 / 3);

    compare_values(&d, a, a, 6, true);
    assert_true(d.differ == 0 && d.l1 == 0 && d.overlap == 1 && !d.empty);
}

/* Of any numbers, some of them missing: everything about them, and where the first of the largest differences is. */
static void test_any_values(void **state)
{
    enum { COUNT = 40 };
    uint64_t random = 4;
    int apart = 0;
    for (int round = 0; round < 100; round++) {
        double a[COUNT], b[COUNT], largest = 0, sum = 0, sum_a = 0;
        size_t missing[2] = {0}, at = 0, differ = 0, both_lava = 0, lava = 0;
        bool empty = true;
        struct sciara_difference d;
        for (int i = 0; i < COUNT; i++) {
            double *const both[] = {&a[i], &b[i]};
            for (int k = 0; k < 2; k++) {
                random = random * 6364136223846793005u + 1442695040888963407u;
                const int dice = (int)(random >> 33) % 9;
                *both[k] = dice < 1 + 2 * k ? (double)NAN : dice - round % 5 * 2;
                if (round % 6 == k) *both[k] = round % 5 && isnan(*both[k]) ? NAN : 0;
            }
            missing[0] += isnan(a[i]) && !isnan(b[i]);
            missing[1] += isnan(b[i]) && !isnan(a[i]);
            differ += !(isnan(a[i]) && isnan(b[i])) && !(a[i] <= b[i] && a[i] >= b[i]);
            both_lava += a[i] > 0 && b[i] > 0;
            lava += a[i] > 0 || b[i] > 0;
            empty = empty && !(fabs(a[i]) > 0) && !(fabs(b[i]) > 0);
            const bool counts = round % 2 || (!isnan(a[i]) && !isnan(b[i]));
            const double x = isnan(a[i]) ? 0 : a[i], y = isnan(b[i]) ? 0 : b[i];
            if (counts && fabs(x - y) > largest) largest = fabs(x - y), at = (size_t)i;
            if (counts) sum += fabs(x - y), sum_a += fabs(x);
        }
        compare_values(&d, a, b, COUNT, round % 2);
        assert_true(d.missing_a == missing[0] && d.missing_b == missing[1]);
        assert_true(d.largest == largest && d.largest_at == at);
        assert_true(d.l1 == sum);
        assert_true(sum_a > 0 ? d.l1_relative == sum / sum_a : isnan(d.l1_relative));
        assert_true(d.cells == COUNT && d.differ == differ && d.empty == empty);
        assert_true(d.both == both_lava && d.either == lava);
        assert_true(lava ? d.overlap == (double)both_lava / (double)lava : isnan(d.overlap));
        apart += missing[0] != missing[1];
    }
    assert_true(apart > 50);
}

static void test_steps_of_names(void **state)
{
    static const struct {
        const char *name;
        int64_t step;
    } cases[] = {{"thickness_m_016000.tif", 16000},
                 {"2006_000000016000_Thickness.stt", 16000},
                 {"000010_000020_m_000030.tif", 30},
                 {"map_000010_of_2006.tif", 10},
                 {"exceed_m_12.tif", -1},
                 {"etna_12345.tif", -1},
                 {"arrival_h_000010x.tif", -1},
                 {"000010.tif", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(runfolder_step(cases[i].name), cases[i].step);
}

static void test_empty_and_zeros(void **state)
{
    const double a[] = {0, NODATA, -0.0}, b[] = {0, 0, 0};
    struct sciara_difference d;
    compare_values(&d, a, b, 3, true);
    assert_true(d.empty && isnan(d.overlap) && isnan(d.l1_relative) && d.l1 == 0);
    assert_int_equal(d.differ, 2); /* bits, so -0 is not 0, and no data is no number */
}

static void test_names(void **state)
{
    assert_true(compare_absent_is_zero("out/max_thickness_m_000010.tif"));
    assert_true(compare_absent_is_zero("solidified_m_000010.tif"));
    assert_true(compare_absent_is_zero("2006_000000016000_SolidifiedLavaThickness.stt"));
    assert_false(compare_absent_is_zero("out/thickness/temperature_K_000010.tif"));
    assert_false(compare_absent_is_zero("elevation_after_m_000010.tif"));
}

/* ---- command --------------------------------------------------------------------------------- */

enum { ROWS = 4, COLS = 5, CELLS = ROWS * COLS };

static int cmd_compare(int argc, char **argv)
{
    return cli_run(&command_compare, argc, argv);
}

static void expect(struct scratch *s, const char *a, const char *b, int wanted, const char *words)
{
    const char *argv[] = {"compare", a, b, NULL};
    int status;
    char *text = capture(s, cmd_compare, &status, 3, argv);
    if (status != wanted || !strstr(text, words))
        fail_msg("status %d (not %d), without \"%s\":\n%s", status, wanted, words, text);
    free(text);
}

static void test_rasters(void **state)
{
    double h[CELLS] = {0};
    h[7] = 1.5, h[8] = 2;
    const char *a = scratch_file(&dir, "a.asc"), *b = scratch_file(&dir, "b.asc");
    const char *empty = scratch_file(&dir, "empty.asc"), *wide = scratch_file(&dir, "wide.asc");
    write_grid(a, ROWS, COLS, h);
    write_grid(wide, COLS, ROWS, h);
    h[8] = nextafter(2, 3);
    write_grid(b, ROWS, COLS, h);
    memset(h, 0, sizeof h);
    write_grid(empty, ROWS, COLS, h);

    expect(&dir, a, a, 0, "\nequal\n");
    expect(&dir, a, b, 1, "(row 1, col 3)");
    expect(&dir, a, empty, 1, "different");
    expect(&dir, empty, empty, 2, "undecided: there is no lava");
    expect(&dir, a, wide, 2, "wide.asc");
    expect(&dir, a, "nowhere.asc", 2, "nowhere.asc: no such file or folder");
    expect(&dir, dir.path, "nowhere", 2, "nowhere: no such file or folder");
    expect(&dir, a, dir.path, 2, "is the folder of a run");
}

static void make_run(const char *folder, const char *file, double value, const char *summary)
{
    char path[512];
    double h[CELLS] = {0};
    h[3] = value;
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    write_grid(path, ROWS, COLS, h);
    snprintf(path, sizeof path, "%s/summary.json", folder);
    if (summary) write_text(path, summary);
}

static void test_runs(void **state)
{
    const char *a = scratch_file(&dir, "a"), *b = scratch_file(&dir, "b");
    const char *ten = "{\"run\":{\"step\":10},\"digest\":\"00ff\"}";
    make_run(a, "E_000000000010_Thickness.asc", 1, ten);
    make_run(b, "E_000000000010_Thickness.asc", 1, ten);
    expect(&dir, a, b, 0, "equal      00ff 00ff");
    make_run(a, "E_000000000005_Thickness.asc", 2, ten);
    expect(&dir, a, b, 0, "not compared: 1 rasters");

    /* numbers of the layers agree, but the states do not */
    make_run(b, "E_000000000010_Thickness.asc", 1, "{\"run\":{\"step\":10},\"digest\":\"0100\"}");
    expect(&dir, a, b, 1, "different  00ff 0100");
    make_run(b, "E_000000000010_Thickness.asc", 1, "{\"run\":{\"step\":11},\"digest\":\"0100\"}");
    expect(&dir, a, b, 2, "different steps, 10 and 11");
    make_run(b, "E_000000000010_Thickness.asc", 1.25, ten);
    expect(&dir, a, b, 1, "0.25");
    make_run(b, "E_000000000010_Thickness.asc", 0, "{broken");
    expect(&dir, a, b, 2, "summary.json");

    /* layers of an older run that went further are not this run's */
    make_run(b, "E_000000000010_Thickness.asc", 1, ten);
    make_run(a, "E_000000000020_Thickness.asc", 7, NULL);
    make_run(b, "E_000000000020_Thickness.asc", 8, NULL);
    expect(&dir, a, b, 0, "not compared: 1 raster in ");
    expect(&dir, a, b, 0, "which its run did not write: E_000000000020_Thickness.asc");
    make_run(b, "E_000000000010_Thickness.asc", 1, "{\"digest\":\"00ff\"}"); /* says no step */
    make_run(a, "E_000000000010_Thickness.asc", 1, "{\"digest\":\"00ff\"}");
    expect(&dir, a, b, 1, "E_000000000020_Thickness.asc");

    /* the same terrain and no lava: nothing has been shown */
    const char *c = scratch_file(&dir, "c"), *d = scratch_file(&dir, "d");
    make_run(c, "F_000000000010_Morphology.asc", 700, NULL);
    make_run(d, "F_000000000010_Morphology.asc", 700, NULL);
    expect(&dir, c, d, 2, "undecided: there is no lava");
    make_run(c, "F_000000000010_Thickness.asc", 0, NULL);
    make_run(d, "F_000000000010_Thickness.asc", 0, NULL);
    expect(&dir, c, d, 2, "EMPTY");
    expect(&dir, a, c, 2, "the two have no raster in common");
    mkdir(scratch_file(&dir, "nothing"), 0777);
    expect(&dir, a, scratch_file(&dir, "nothing"), 2, "neither layers nor summary");
}

static void test_json(void **state)
{
    int status;
    double h[CELLS] = {[1] = 3, [5] = -9999};
    const char *a = scratch_file(&dir, "thickness_a.asc"),
               *b = scratch_file(&dir, "thickness_b.asc");
    write_grid(a, ROWS, COLS, h);
    h[2] = 1;
    h[5] = 0;
    h[6] = h[7] = -9999;
    write_grid(b, ROWS, COLS, h);
    const char *argv[] = {"compare", "--json", a, b, NULL};
    char *text = capture(&dir, cmd_compare, &status, 4, argv);
    assert_int_equal(status, 1);
    cJSON *o = cJSON_Parse(text);
    const cJSON *layer = cJSON_GetArrayItem(cJSON_GetObjectItem(o, "layers"), 0);
    assert_string_equal(cJSON_GetObjectItem(o, "verdict")->valuestring, "different");
    assert_true(cJSON_GetObjectItem(layer, "differ")->valuedouble == 4);
    assert_true(cJSON_GetObjectItem(layer, "only_in_a")->valuedouble == 2);
    assert_true(cJSON_GetObjectItem(layer, "only_in_b")->valuedouble == 1);
    assert_true(cJSON_GetObjectItem(layer, "l1")->valuedouble == 1);
    assert_true(cJSON_GetObjectItem(layer, "overlap")->valuedouble == 0.5);
    cJSON_Delete(o);
    free(text);

    const char *usage_error[] = {"compare", a, NULL};
    free(capture(&dir, cmd_compare, &status, 2, usage_error));
    assert_int_equal(status, 2);
    const char *help[] = {"compare", "--help", NULL};
    text = capture(&dir, cmd_compare, &status, 2, help);
    assert_int_equal(status, 0);
    assert_non_null(strstr(text, "exit status"));
    free(text);
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, test_values, test_any_values,
                       test_steps_of_names, test_empty_and_zeros, test_names, test_rasters,
                       test_runs, test_json);
}
