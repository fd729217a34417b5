/* Vents and background as GeoJSON: each position, transformed back, is the one that it was; rings turn as RFC 7946 wants. */
/* tests: output/export */
/* run: quick */
#include "case/case_background.h"
#include "export/export.h"
#include "record/map_background.h"
#include "sim/vent.h"

#include "folder.h"
#include "unit.h"

#include <cJSON.h>
#include <math.h>

enum { ROWS = 40, COLS = 30, VENTS = 5 };

static int64_t first_step[] = {1, 11};
static double amount_m[] = {0.5, 0.25};
static struct vent vents[VENTS];
static double shapes[][2] = {
    /* an area that turns to the right, with a hole that turns to the left */
    {500010, 4170010}, {500010, 4170090}, {500090, 4170090}, {500090, 4170010},
    {500010, 4170010}, {500030, 4170030}, {500060, 4170030}, {500060, 4170060},
    {500030, 4170030}, {500100, 4170100}, {500110, 4170150}, {500120, 4170100},
    {500130, 4170160}, {500140, 4170160}, {500200, 4170200}, {500210, 4170220}};
static int sizes[][2] = {{5, 4}, {2, 3}, {1, 1}};
static const struct background_feature features[] = {
    {BACKGROUND_WATER, {MAP_AREA, "Lake", 2, sizes[0], shapes}},
    {BACKGROUND_ROAD, {MAP_LINE, "", 2, sizes[1], shapes + 9}},
    {BACKGROUND_PLACE, {MAP_POINT, "Two \"huts\"", 2, sizes[2], shapes + 14}}};
static struct case_background background = {.shown = {3, features}};
static struct sim_case hand = {
    .name = "hand",
    .title = "By hand",
    .path = (char *)"hand.cfg",
    .geo = {.west_m = 500000,
            .south_m = 4170000,
            .cell_m = 10,
            .crs = {.epsg = 32633, .unit_m = 1}},
    .background = &background,
    .vents = vents,
    .problem = {.rows = ROWS, .cols = COLS, .vent_count = VENTS, .first_step = 4}};

static struct transform *back; /* from degrees to the terrain */

static int begin(void **state)
{
    struct error e = {0};
    must(transform_open(&back, CRS_DEGREES, &hand.geo.crs, "any", &e), &e);
    return folder_create(state);
}

static int end(void **state)
{
    transform_close(back);
    return folder_remove(state);
}

static cJSON *features_of(enum features what, double cell_m)
{
    static const int64_t steps[] = {10, 30};
    static const int place[VENTS][3] = {{3, 5, 7}, {4, 6, 7}, {20, 8, 2}, {5, 7, 7}, {21, 8, 2}};
    struct transform *to_degrees;
    struct error e = {0};
    cJSON *root, *all;
    for (int v = 0; v < VENTS; v++)
        vents[v] = (struct vent){.row = place[v][0],
                                 .col = place[v][1],
                                 .id = place[v][2],
                                 .interval_count = 1 + v % 2,
                                 .first_step = first_step,
                                 .amount_m = amount_m};
    hand.geo.cell_m = hand.problem.params.cell_m = cell_m;
    case_point(&hand);
    must(export_degrees(&to_degrees, &hand, "geojson", &e), &e);
    const struct export_run r = {.c = &hand,
                                 .version = "0",
                                 .rows = ROWS,
                                 .cols = COLS,
                                 .geo = hand.geo,
                                 .step_count = 2,
                                 .step = steps,
                                 .transform = to_degrees};
    assert_true(features_there(&r, what) && !features_there(&r, FEATURES_OUTLINE));
    must(export_geojson(&r, what, scratch_file(&dir, "any.geojson"), &e), &e);
    transform_close(to_degrees);
    FREED char *text = read_text(scratch_file(&dir, "any.geojson"));
    assert_non_null(root = cJSON_Parse(text));
    assert_string_equal(cJSON_GetObjectItem(root, "case")->valuestring, "By hand");
    all = cJSON_DetachItemFromObject(root, "features");
    cJSON_Delete(root);
    return all;
}

/* Whether a position is this one, to as many digits as the file has. */
static bool is_at(const cJSON *position, double x, double y, double error_m)
{
    double xy[2] = {position->child->valuedouble, position->child->next->valuedouble};
    const char *why;
    assert_true(xy[0] > 14 && xy[0] < 16 && xy[1] > 37 && xy[1] < 38);
    assert_true(transform_apply(back, xy, &why));
    return hypot(xy[0] - x, xy[1] - y) < error_m;
}

static const cJSON *property(const cJSON *feature, const char *name)
{
    return cJSON_GetObjectItem(cJSON_GetObjectItem(feature, "properties"), name);
}

static const cJSON *coordinates(const cJSON *feature, const char *type)
{
    const cJSON *g = cJSON_GetObjectItem(feature, "geometry");
    assert_string_equal(cJSON_GetObjectItem(g, "type")->valuestring, type);
    return cJSON_GetObjectItem(g, "coordinates");
}

static void vents_are_where_they_are(void **state)
{
    static const double sizes_m[] = {10, 0.5};
    for (int n = 0; n < 2; n++) {
        const double cell_m = sizes_m[n];
        cJSON *all = features_of(FEATURES_VENTS, cell_m);
        assert_int_equal(cJSON_GetArraySize(all), 2);
        for (int k = 0; k < 2; k++) {
            const cJSON *f = cJSON_GetArrayItem(all, k), *at = coordinates(f, "MultiPoint")->child;
            const int id = k ? 2 : 7;
            double m3 = 0;
            int cells = 0;
            assert_int_equal(property(f, "vent")->valueint, id);
            for (int v = 0; v < VENTS; v++) {
                if (vents[v].id != id) continue;
                for (int64_t step = 5; step <= 30; step++)
                    m3 += amount_m[step >= 11 && vents[v].interval_count > 1] * cell_m * cell_m;
                assert_true(is_at(at, 500000 + (vents[v].col + 0.5) * cell_m,
                                  4170000 + (ROWS - 0.5 - vents[v].row) * cell_m, cell_m / 500));
                at = at->next;
                cells++;
            }
            assert_null(at);
            assert_int_equal(property(f, "cells")->valueint, cells);
            assert_true(fabs(property(f, "emitted_m3")->valuedouble - m3) < 1e-6 * m3);
        }
        cJSON_Delete(all);
    }
}

/* Twice the area, positive if the ring turns to the left. */
static double turn_of(const cJSON *ring)
{
    const cJSON *a;
    const double x0 = ring->child->child->valuedouble, y0 = ring->child->child->next->valuedouble;
    double sum = 0;
    for (a = ring->child; a->next; a = a->next)
        sum += (a->child->valuedouble - x0) * (a->next->child->next->valuedouble - y0) -
               (a->next->child->valuedouble - x0) * (a->child->next->valuedouble - y0);
    return sum;
}

/* Each position of a part is in the shape, and each of the shape is there. */
static void check_path(const cJSON *path, const double (*xy)[2], int count, bool any_order)
{
    const cJSON *at;
    int found = 0;
    assert_int_equal(cJSON_GetArraySize(path), count);
    cJSON_ArrayForEach (at, path) {
        bool is = false;
        for (int i = 0; i < count && !is; i++)
            is = (any_order || i == found) && is_at(at, xy[i][0], xy[i][1], 0.05);
        assert_true(is);
        found++;
    }
}

static void background_keeps_its_shapes(void **state)
{
    cJSON *all = features_of(FEATURES_BACKGROUND, 10);
    const cJSON *lake = all->child, *road = lake->next, *huts = road->next;
    const cJSON *rings = coordinates(lake, "MultiPolygon")->child;
    assert_int_equal(cJSON_GetArraySize(rings), 2);
    check_path(rings->child, shapes, 5, true);
    check_path(rings->child->next, shapes + 5, 4, true);
    assert_true(turn_of(rings->child) > 0 && turn_of(rings->child->next) < 0);
    const cJSON *lines = coordinates(road, "MultiLineString")->child;
    check_path(lines, shapes + 9, 2, false);
    check_path(lines->next, shapes + 11, 3, false);
    check_path(coordinates(huts, "MultiPoint"), shapes + 14, 2, false);
    assert_null(huts->next);
    assert_string_equal(property(lake, "kind")->valuestring, "water");
    assert_string_equal(property(lake, "name")->valuestring, "Lake");
    assert_string_equal(property(road, "kind")->valuestring, "road");
    assert_null(property(road, "name"));
    assert_string_equal(property(huts, "name")->valuestring, "Two \"huts\"");
    cJSON_Delete(all);
}

int main(void)
{
    return UNIT_RUN_IN(begin, end, NULL, NULL, vents_are_where_they_are,
                       background_keeps_its_shapes);
}
