/* test_terrain_case.c — a made-up landscape as files: what is written is what is read. */
/* tests: input/terrain */
#include "case/case.h"
#include "raster/raster.h"
#include "terrain/terrain.h"
#include "text/file_group.h"
#include "scratch.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

/* Loads the case and compares it, cell by cell, with the landscape. */
static void compare(const struct terrain *t, const char *file)
{
    struct sim_case c;
    struct terrain_vent vents[TERRAIN_MAX_VENTS];
    struct error e = {0};
    char text[256];

    if (case_load(&c, file, &e)) fail_msg("%s", e.text);
    assert_string_equal(c.terrain_source, terrain_describe(t, text));
    assert_true(c.synthetic);
    assert_true(c.problem.rows == t->rows && c.problem.cols == t->cols);
    assert_true(c.geo.west_m == t->west_m && c.geo.south_m == t->south_m);
    assert_true(c.geo.cell_m == t->cell_m && c.geo.crs.epsg == t->epsg);
    for (int i = 0; i < t->rows * t->cols; i++) {
        int row = i / t->cols, col = i % t->cols;
        assert_true(c.elevation_m[i] == (float)terrain_elevation(t, row, col));
        if (!c.thickness_m) continue;
        assert_true(c.thickness_m[i] == (float)terrain_thickness(t, row, col));
        assert_true(c.temp_K[i] == (float)terrain_temperature(t, row, col));
    }
    assert_true((c.thickness_m != NULL) == (t->kind == TERRAIN_SHEET));
    assert_int_equal(c.problem.vent_count, terrain_vents(t, vents));
    for (int i = 0; i < c.problem.vent_count; i++) {
        assert_true(c.vents[i].row == vents[i].row && c.vents[i].col == vents[i].col);
        assert_true(c.vents[i].interval_count > 1 && c.vents[i].amount_m[0] > 0);
    }
    case_free(&c);
}

static void test_every_kind(void **state)
{
    char file[600];
    struct error e = {0};
    for (enum terrain_kind kind = TERRAIN_VOLCANO; kind <= TERRAIN_PYRAMID; kind++) {
        struct scratch s;
        struct terrain t = terrain_default(kind);
        if (kind == TERRAIN_SHEET) t.rows = 150, t.cols = 130;
        if (kind == TERRAIN_CHANNEL) t.rows = t.cols = 512;
        t.cell_m = 5;
        t.west_m = 123456.5;
        t.epsg = 25833;
        scratch_create(&s);
        if (terrain_write_case(&t, s.path, "made up", NULL, &e)) fail_msg("%s", e.text);
        snprintf(file, sizeof file, "%s/made up.cfg", s.path);
        compare(&t, file);
        scratch_remove(&s);
    }
}

/* Writing a case again removes the roads of an earlier volcano, and no file of a person. */
static void test_written_again(void **state)
{
    struct scratch s;
    struct error e = {0};
    struct terrain of[] = {terrain_default(TERRAIN_VOLCANO), terrain_default(TERRAIN_PYRAMID)};
    scratch_create(&s);
    const char *roads = scratch_file(&s, "roads.geojson");
    for (int i = 0; i < 4; i++) {
        struct terrain *t = &of[i > 0];
        t->rows = t->cols = 24;
        if (i == 2) put_bytes(roads, "mine", 4);
        if (terrain_write_case(t, s.path, "case", NULL, &e)) fail_msg("%d: %s", i, e.text);
        assert_int_equal(access(roads, F_OK), i == 1 ? -1 : 0);
    }
    assert_int_equal(terrain_write_case(&of[0], s.path, "case", NULL, &e), ERROR_INPUT);
    scratch_remove(&s);
}

/* The stand-in carries its mark in spite of the name that it is given. */
static void test_stand_in(void **state)
{
    struct scratch s;
    struct terrain t = terrain_default(TERRAIN_ETNA2006);
    struct raster r;
    struct error e = {0};
    char file[600];

    scratch_create(&s);
    snprintf(file, sizeof file, "%s/2006_000000000000_Morphology.asc", s.path);
    if (terrain_write_elevation(&t, file, NULL, &e)) fail_msg("%s", e.text);
    if (raster_read(&r, file, 0, &e)) fail_msg("%s", e.text);
    assert_true(r.rows == 378 && r.cols == 517 && r.missing == 0);
    assert_true(r.geo.west_m == 499547.5 && r.geo.south_m == 4174982.5);
    assert_int_equal(strncmp(r.terrain_source, "SYNTHETIC TERRAIN: stand-in", 27), 0);
    raster_free(&r);
    scratch_remove(&s);
}

static void test_folder_that_cannot_be_written(void **state)
{
    struct terrain t = terrain_default(TERRAIN_PYRAMID);
    struct error e = {0};
    assert_true(terrain_write_case(&t, "/proc/none", "x", NULL, &e) != 0);
    assert_true(strstr(e.text, "/proc/none") && !strchr(e.text, '\n'));
}

static int put_part(FILE *out, const struct file_group *g, void *of, struct error *e)
{
    fputs(of ? of : "half of a", out);
    return of ? 0 : error_memory(e);
}

/* A head that cannot be put whole does not replace the one that is there. */
static void test_group_of_no_head(void **state)
{
    struct scratch s;
    scratch_create(&s);
    const char *head = scratch_file(&s, "head");
    for (int i = 0; i < 2; i++) {
        struct error e = {0};
        struct file_group g = {0};
        const char *at;
        char *whole = "whole head";
        assert_int_equal(file_group_open(&g, head, &e), 0);
        assert_int_equal(file_group_add(&g, i ? "other" : "part", &at, &e), 0);
        put_bytes(at, "part", 4);
        assert_int_equal(file_group_write(&g, put_part, i ? NULL : whole, &e),
                         i ? ERROR_FAILED : 0);
        file_group_free(&g);
        char text[32] = "";
        FILE *f = fopen(head, "r");
        assert_true(f && fgets(text, sizeof text, f));
        fclose(f);
        assert_string_equal(text, whole);
    }
    scratch_remove(&s);
}

int main(void)
{
    return UNIT_RUN(test_every_kind, test_written_again, test_group_of_no_head, test_stand_in,
                    test_folder_that_cannot_be_written);
}
