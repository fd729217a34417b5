/* `sciara info` of rasters and folders of runs: what is there is what it says. */
/* tests: output/compare, program/commands */
/* build: commands */
#include "commands/cli.h"

#include <cJSON.h>
#include <math.h>

#include "plan_files.h"
#include "folder.h"
#include "unit.h"

static int cmd_info(int argc, char **argv)
{
    return cli_run(&command_info, argc, argv);
}

static const cJSON *at(const cJSON *o, const char *key)
{
    o = cJSON_GetObjectItemCaseSensitive(o, key);
    if (!o) fail_msg("no %s", key);
    return o;
}

static void test_raster(void **state)
{
    int status;
    const double value[6] = {1, -9999, 3.5, 0, -2, 7};
    write_grid(scratch_file(&dir, "a.asc"), 2, 3, value);
    const char *argv[] = {"info", scratch_file(&dir, "a.asc"), "--json", NULL};
    char *text = capture(&dir, cmd_info, &status, 3, argv);
    assert_int_equal(status, 0);
    cJSON *o = cJSON_Parse(text);
    assert_non_null(o);
    assert_string_equal(at(o, "kind")->valuestring, "raster");
    assert_true(at(o, "rows")->valuedouble == 2 && at(o, "east_m")->valuedouble == 1030);
    assert_true(at(o, "north_m")->valuedouble == 2020 && cJSON_IsNull(at(o, "crs")));
    const cJSON *range = at(o, "values");
    assert_true(at(range, "cells_without_data")->valuedouble == 1);
    assert_true(at(range, "least")->valuedouble == -2 && at(range, "greatest")->valuedouble == 7);
    assert_true(at(range, "mean")->valuedouble == 9.5 / 5);
    cJSON_Delete(o);
    free(text);
    const char *plain[] = {"info", scratch_file(&dir, "a.asc"), scratch_file(&dir, "a.asc"), NULL};
    text = capture(&dir, cmd_info, &status, 3, plain);
    assert_int_equal(status, 0);
    assert_non_null(strstr(text, "\n  greatest             7\n"));
    assert_non_null(strstr(text, "\n\npath "));
    free(text);
}

/* More rows than are read at a time: each counts once. */
static void test_many_rows(void **state)
{
    enum { ROWS = 600 };
    int status;
    double value[2 * ROWS], sum = 0;
    for (int i = 0; i < 2 * ROWS; i++) sum += value[i] = i;
    write_grid(scratch_file(&dir, "long.asc"), ROWS, 2, value);
    const char *argv[] = {"info", scratch_file(&dir, "long.asc"), "--json", NULL};
    char *text = capture(&dir, cmd_info, &status, 3, argv);
    assert_int_equal(status, 0);
    cJSON *o = cJSON_Parse(text);
    const cJSON *range = at(o, "values");
    assert_true(at(range, "least")->valuedouble == 0);
    assert_true(at(range, "greatest")->valuedouble == 2 * ROWS - 1);
    assert_true(at(range, "sum")->valuedouble == sum);
    cJSON_Delete(o);
    free(text);
}

static void test_run(void **state)
{
    int status;
    mkdir(scratch_file(&dir, "run"), 0777);
    write_text(scratch_file(&dir, "run/summary.json"),
               "{\"digest\":\"ab\",\"run\":{\"stopped\":true,\"step\":12},\"vents\":[{\"row\":1,"
               "\"col\":2}]}");
    write_text(scratch_file(&dir, "run/b_000012.tif"), "");
    const char *argv[] = {"info", scratch_file(&dir, "run"), NULL};
    char *text = capture(&dir, cmd_info, &status, 2, argv);
    assert_int_equal(status, 0);
    assert_non_null(strstr(text, "stopped            yes"));
    assert_non_null(strstr(text, "row 1, col 2\n"));
    assert_non_null(strstr(text, "b_000012.tif\n"));
    free(text);
}

static void test_refused(void **state)
{
    static const char *const wrong[] = {NULL, "nowhere.tif", "nowhere.cfg", "--frob", "Makefile"};
    for (int i = 0; i < 5; i++) {
        const char *argv[] = {"info", wrong[i], NULL};
        int status;
        char *text = capture(&dir, cmd_info, &status, wrong[i] ? 2 : 1, argv);
        assert_int_equal(status, ERROR_INPUT);
        assert_true(strchr(text, '\n') == text + strlen(text) - 1);
        free(text);
    }
}

/* The real case, if it is there: its vents and what they emit in all. */
static void test_case(void **state)
{
    const char *folder = etna_folder();
    if (!folder) {
        print_message("skipped: needs the real case in ETNA2006_DIR\n");
        skip();
    }
    int status;
    char path[512];
    snprintf(path, sizeof path, "%s/2006_000000000000.cfg", folder);
    const char *argv[] = {"info", path, "--json", NULL};
    char *text = capture(&dir, cmd_info, &status, 3, argv);
    if (status) fail_msg("%s", text);
    cJSON *o = cJSON_Parse(text);
    assert_true(at(o, "rows")->valuedouble == 378 && at(o, "cols")->valuedouble == 517);
    assert_int_equal(cJSON_GetArraySize(at(o, "vents")), 2);
    assert_true(at(cJSON_GetArrayItem(at(o, "vents"), 1), "col")->valuedouble == 77);
    assert_true(fabs(at(o, "volume_m3")->valuedouble - 4699780.5865) < 0.01);
    cJSON_Delete(o);
    free(text);
}

static void test_plan(void **state)
{
    int status;
    const char *path = write_plan(&dir);
    put_text(&dir, "plan.cfg", PLAN_TEXT "correlation correlation.csv\nstop_at_rest yes\n");
    const char *argv[] = {"info", path, "--json", NULL};
    char *text = capture(&dir, cmd_info, &status, 3, argv);
    cJSON *o = cJSON_Parse(text);
    assert_int_equal(status, 0);
    assert_non_null(o);
    assert_string_equal(at(o, "kind")->valuestring, "plan");
    assert_true(at(o, "members")->valuedouble == 3 * 4 * 3);
    assert_true(at(o, "repeats")->valuedouble == 3);
    assert_string_equal(at(o, "sampling")->valuestring, "latin");
    assert_true(at(o, "seed")->valuedouble == 42);
    assert_string_equal(at(o, "vents_from")->valuestring, "list.csv");
    assert_true(at(o, "vents")->valuedouble == 3);
    assert_int_equal(cJSON_GetArraySize(at(o, "classes")), 4);
    const cJSON *class = cJSON_GetArrayItem(at(o, "classes"), 0);
    assert_string_equal(at(class, "class")->valuestring, "short");
    assert_true(fabs(at(class, "probability")->valuedouble - 3 / 7.0) < 1e-12);
    assert_true(at(class, "volume_m3")->valuedouble == 600 &&
                at(class, "duration_h")->valuedouble == 1);
    assert_string_equal(at(at(o, "drawn"), "Pcool")->valuestring, "normal 2.8 0.3 from 1 to 5");
    assert_true(at(at(o, "drawn"), "terrain_error_m")->valuedouble == 0.5);
    assert_int_equal(cJSON_GetArraySize(at(o, "drawn")), 4 + 2);
    assert_int_equal(cJSON_GetArraySize(at(o, "correlated")), 2);
    assert_true(cJSON_IsTrue(at(o, "stop_at_rest")));
    assert_true(fabs(at(o, "run_h")->valuedouble - 100 / 30.0) < 1e-12);
    assert_int_equal(cJSON_GetArraySize(at(at(o, "counted"), "exceed_m")), 3);
    assert_true(cJSON_GetArrayItem(at(at(o, "counted"), "arrive_within_h"), 1)->valuedouble == 6);
    const double n = at(o, "effective_members")->valuedouble;
    assert_true(n > 20 && n < 36);
    assert_true(fabs(at(o, "standard_error_at_most")->valuedouble - 0.5 / sqrt(n)) < 1e-12);
    assert_true(at(at(o, "on_this_machine"), "threads")->valuedouble >= 1);
    cJSON_Delete(o);
    free(text);
    put_text(&dir, "plan.cfg", PLAN_TEXT "vary_Prho uniform 2 1\n");
    const char *wrong[] = {"info", path, NULL};
    text = capture(&dir, cmd_info, &status, 2, wrong);
    assert_int_equal(status, ERROR_INPUT);
    free(text);
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, test_raster, test_many_rows,
                       test_run, test_refused, test_case, test_plan);
}
