/* summary.json of a run: each number is the one that its key names. All numbers of a made-up run differ. */
/* tests: output/run, output/products */
/* run: quick */
#include "case/barriers.h"
#include "case/changes.h"
#include "products/made_by.h"
#include "run/output.h"

#include "folder.h"
#include "unit.h"

#include <cJSON.h>
#include <math.h>

static const quanta M = (quanta)1 << 36; /* a metre, 400 m3 on cells of 20 m */

static double terrain[48];
static unsigned char sea[48];
static struct vent vents[] = {{.row = 2, .col = 5, .id = 4}, {.row = 3, .col = 1, .id = 9}};
static bool spread[] = {false, true};
static struct effusion rates[] = {{0, 600, 2}, {600, 9000, 0.5}};
static struct change changes[] = {
    {.time_s = 1140, .path = (char *)"first.tif", .elevation_m = terrain, .with_lava = true},
    {.time_s = 1200, .path = (char *)"walls.json", .rules = 17},
    {.time_s = 5000, .path = (char *)"late.tif", .elevation_m = terrain}};
static struct barrier walls[] = {{"Dam", BARRIER_CREST, 812, 6, 300, 90, 21, 0, 0, 0},
                                 {"Ditch", BARRIER_DEPTH, 3, 4, -5, 70, 22, 0, 0, 1}};
static struct barriers barriers = {
    .path = (char *)"walls.json", .count = 2, .item = walls, .cells = 23};
static struct restart_link links[] = {{.step = 5, .digest = 0x12}};
static const struct restart states = {.link_count = 1, .link = links};

static const struct sim_case whole = {
    .name = "hand",
    .title = "By hand",
    .path = (char *)"hand.cfg",
    .terrain_source = "a survey",
    .geo = {.west_m = 1000, .south_m = 2000, .cell_m = 20, .crs = {.epsg = 32633, .name = "UTM"}},
    .start_time = "2006-07-14T22:00:00Z",
    .display.note = "an exercise",
    .assets_path = (char *)"places.json",
    .parameter_set = "etna2006",
    .calibrated_cell_m = 10,
    .calibrated_clock_s = 50,
    .unscaled_clock_s = 55,
    .given = {60, 1101, 1301, 0.51, 0.91, 41, 1.6, 2.9, 2601, 0.8, 5.6e-8, 1151, 20},
    .sea = sea,
    .sea_level_m = 0.75,
    .sea_cells = 11,
    .vent_spread = spread,
    .vents = vents,
    .elevation_m = terrain,
    .effusion = rates,
    .effusion_count = 2,
    .barriers = &barriers,
    .change_count = 3,
    .change = changes,
    .problem = {.rows = 6,
                .cols = 8,
                .window = {0, 0, 6, 8},
                .params = {60, 1101, 1301, 0.51, 0.91, 41, 1.6, 2.95, 2601, 0.8, 5.6e-8, 1151, 20},
                .vent_count = 2,
                .first_step = 4}};

/* The item at "group.key.0.name" */
static const cJSON *item_at(const cJSON *o, const char *path)
{
    char word[64];
    const char *at = path;
    while (o && *at) {
        const size_t length = strcspn(at, ".");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        o = cJSON_IsArray(o) ? cJSON_GetArrayItem(o, atoi(word))
                             : cJSON_GetObjectItemCaseSensitive(o, word);
        at += length + (at[length] == '.');
    }
    if (!o) fail_msg("summary.json: no %s", path);
    return o;
}

struct number {
    const char *path;
    double value;
};

static void check_numbers(const cJSON *o, const struct number *n)
{
    for (; n->path; n++) {
        const cJSON *item = item_at(o, n->path);
        const double is = cJSON_IsBool(item) ? cJSON_IsTrue(item) : item->valuedouble;
        if (!(fabs(is - n->value) <= 1e-12 * fabs(n->value)))
            fail_msg("%s: %.15g, not %.15g", n->path, is, n->value);
    }
}

static void check_texts(const cJSON *o, const char *const (*text)[2])
{
    for (; **text; text++) assert_string_equal(item_at(o, (*text)[0])->valuestring, (*text)[1]);
}

static void every_number_has_its_name(void **state)
{
    struct sim_case c = whole;
    const double J =
        20 * 20 * 2601.0 * 1151 / 16; /* of a metre of quanta of heat, which is K m / 16 */
    struct output_folder folder = {.extent = {1, 2, 3, 4}, .scale_denominator = 2499.7};
    const struct output_info info = {
        .variant = "cfamo", .device = "a processor", .version = "0.9", .folder = &folder};
    struct output_summary s = {
        .ledger = {.initial = 2 * M,
                   .emitted = 30 * M,
                   .mobile = 7 * M,
                   .solidified = 11 * M,
                   .left_domain = 13 * M,
                   .entered_sea = M,
                   .heat = {16 * M, 320 * M, 48 * M, 80 * M, 112 * M, 96 * M},
                   .ground = {5 * M, 9 * M}},
        .extent = {.cells = 15,
                   .runout_m = 123.5,
                   .thickest_m = 4.5,
                   .max_thickness_m = 6.5,
                   .left = {5200, 0.40625},
                   .sea = {400, 0.03125, 12, 4, 3},
                   .front = {31, 19}},
        .digest = 0xabcdef,
        .step = 20,
        .from_step = 8,
        .passed_over = "state_000010.tif: is damaged",
        .states = &states,
        .stopped = true,
        .threads = 3,
        .device_bytes = 4096,
        .load_s = 0.25,
        .steps_s = 0.003,
        .total_s = 0.5,
        .device_ms = 2.5};
    case_point(&c);
    warnings_add(&s.told, WARNING_INPUT, "the input is odd", NULL);
    warnings_add(&s.told, WARNING_RESULT, "the result is odd", "mend it");
    walls[0].raised = 3 * M, walls[0].lowered = M / 4;
    walls[1].raised = M / 2, walls[1].lowered = 8 * M;
    barriers.built = (struct ground_sums){6 * M, 10 * M};
    FREED char *text = output_summary_text(&info, &c, &s);
    cJSON *o = cJSON_Parse(text);
    check_numbers(o, (const struct number[]){
                         {"grid.rows", 6},
                         {"grid.cols", 8},
                         {"grid.cell_m", 20},
                         {"grid.west_m", 1000},
                         {"grid.south_m", 2000},
                         {"extent.row", 1},
                         {"extent.col", 2},
                         {"extent.rows", 3},
                         {"extent.cols", 4},
                         {"resolution.calibrated_cell_m", 10},
                         {"resolution.calibrated_clock_s", 50},
                         {"resolution.Pcool_scaled", 2.95},
                         {"resolution.Pclock_unscaled", 55},
                         {"resolution.Pclock_proposed", 100},
                         {"parameters.Pclock", 60},
                         {"parameters.Pcool", 2.9},
                         {"vents.0.id", 4},
                         {"vents.0.row", 2},
                         {"vents.0.col", 5},
                         {"vents.1.spread", 1},
                         {"run.threads", 3},
                         {"run.device_bytes", 4096},
                         {"run.first_step", 4},
                         {"run.from_step", 8},
                         {"run.step", 20},
                         {"run.time_s", 1200},
                         {"run.stopped", 1},
                         {"run.interrupted", 0},
                         {"ledger.initial.m3", 800},
                         {"ledger.emitted.m", 30},
                         {"ledger.emitted.m3", 12000},
                         {"ledger.mobile.m3", 2800},
                         {"ledger.solidified.m3", 4400},
                         {"ledger.left_domain.m3", 5200},
                         {"ledger.entered_sea.m3", 400},
                         {"ledger.closed", 1},
                         {"ledger.ground_raised.m3", 2000},
                         {"ledger.ground_lowered.m3", 3600},
                         {"heat_ledger.initial.K_m", 1},
                         {"heat_ledger.emitted.K_m", 20},
                         {"heat_ledger.mobile.J", 48 * J},
                         {"heat_ledger.solidified.J", 80 * J},
                         {"heat_ledger.left_domain.J", 112 * J},
                         {"heat_ledger.cooled.J", 96 * J},
                         {"heat_ledger.closed", 1},
                         {"emission.asked_m3", 360 * 2 + 600 * 0.5}, /* from 240 s to 1,200 s */
                         {"emission.emitted_m3", 12000},
                         {"lava.covered_cells", 15},
                         {"lava.covered_km2", 0.006},
                         {"lava.runout_m", 123.5},
                         {"lava.thickest_m", 4.5},
                         {"lava.max_thickness_m", 6.5},
                         {"lava.left_domain_m3", 5200},
                         {"lava.left_domain_share", 0.40625},
                         {"lava.front_cells", 31},
                         {"lava.front_cells_at_limit", 19},
                         {"sea.level_m", 0.75},
                         {"sea.cells", 11},
                         {"sea.entered_m3", 400},
                         {"sea.entered_share", 0.03125},
                         {"sea.first.step", 12},
                         {"sea.first.time_s", 720},
                         {"sea.first.row", 4},
                         {"sea.first.col", 3},
                         {"sea.first.x_m", 1070},
                         {"sea.first.y_m", 2030},
                         {"barriers.items.0.crest_m", 812},
                         {"barriers.items.0.width_m", 6},
                         {"barriers.items.0.stands_from_s", 300},
                         {"barriers.items.0.length_m", 90},
                         {"barriers.items.0.cells", 21},
                         {"barriers.items.0.fill_m3", 1200},
                         {"barriers.items.0.excavation_m3", 100},
                         {"barriers.items.1.depth_m", 3},
                         {"barriers.items.1.fill_m3", 200},
                         {"barriers.items.1.excavation_m3", 3200},
                         {"barriers.at_the_beginning.cells", 23},
                         {"barriers.at_the_beginning.fill.m3", 2400},
                         {"barriers.at_the_beginning.excavation.m3", 4000},
                         {"terrain_updates.0.time_s", 1140},
                         {"terrain_updates.0.after_step", 19},
                         {"terrain_updates.0.with_lava", 1},
                         {"terrain_updates.0.made", 1},
                         {"terrain_updates.1.after_step", 20},
                         {"terrain_updates.1.barrier_cells", 17},
                         {"terrain_updates.1.made", 0}, /* it is made after the last step */
                         {"terrain_updates.2.with_lava", 0},
                         {"maps.scale_denominator", 2500},
                         {"states.0.step", 5},
                         {"timing.load_s", 0.25},
                         {"timing.steps_s", 0.003},
                         {"timing.total_s", 0.5},
                         {"timing.device_ms", 2.5},
                         {"timing.us_per_step", 250},
                         {NULL, 0}});
    check_texts(o, (const char *const[][2]){{"version", "0.9"},
                                            {"warnings.0.kind", "input"},
                                            {"warnings.0.text", "the input is odd"},
                                            {"warnings.1.kind", "result"},
                                            {"warnings.1.text", "the result is odd"},
                                            {"warnings.1.remedy", "mend it"},
                                            {"case.name", "hand"},
                                            {"case.title", "By hand"},
                                            {"case.path", "hand.cfg"},
                                            {"case.terrain", "a survey"},
                                            {"case.note", "an exercise"},
                                            {"case.start_time", "2006-07-14T22:00:00Z"},
                                            {"case.assets", "places.json"},
                                            {"grid.crs", "EPSG:32633"},
                                            {"grid.crs_name", "UTM"},
                                            {"parameter_set", "etna2006"},
                                            {"run.variant", "cfamo"},
                                            {"run.device", "a processor"},
                                            {"run.domain", "active"},
                                            {"run.passed_over", "state_000010.tif: is damaged"},
                                            {"run.date", "2006-07-14T22:20:00Z"},
                                            {"sea.first.date", "2006-07-14T22:12:00Z"},
                                            {"emission.rule", "integral"},
                                            {"heat_ledger.left_domain.quanta", "7696581394432"},
                                            {"terrain_updates.1.file", "walls.json"},
                                            {"barriers.items.1.name", "Ditch"},
                                            {"digest", "0000000000abcdef"},
                                            {"digest_of", "cells with lava"},
                                            {NULL, NULL}});
    cJSON_Delete(o);
}

/* ---- pages of the results before ---------------------------------------------------------------- */

static bool has(const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", dir.path, name);
    return !access(path, F_OK);
}

/* Pages of the results before stay if digest and plan are the same, with the keys that only pages show. Nothing else
 * stays, and what stays is listed. */
static void pages_stay_if_nothing_has_changed(void **state)
{
#define LINES(before, cooling, rates, hour)                                                        \
    before "Pcool \"" cooling "\"\nrates \"" rates "\"\nobserved_front \"a.tif at " hour           \
           " error_m 30\"\n"
#define FILE_OF(bytes, rates) "rates \"00c0ffee " bytes " " rates "\"\n"
#define TITLE                 "title \"Etna\"\n"
    static const char *const digest = "0123456789abcdef",
                             *const plan = LINES(TITLE, "2.8", "r.csv", "5h"),
                             *const read = FILE_OF("12", "r.csv");
    enum { CHANGED, SAME, PARTIAL, FAILED };
    static const struct {
        const char *text, *files, *digest;
        int is;
    } now[] = {
        {LINES(TITLE, "2.8", "r.csv", "5h"), FILE_OF("12", "r.csv"), digest, SAME},
        {LINES(TITLE, "2.8", "s.csv", "5h"), FILE_OF("12", "s.csv"), digest, SAME},
        {plan, read, digest, PARTIAL},
        {plan, read, digest, FAILED},
        {plan, read, "0123456789abcdee", CHANGED},
        {plan, read, "", CHANGED},
        {plan, FILE_OF("13", "r.csv"), digest, CHANGED},
        {LINES(TITLE, "2.9", "r.csv", "5h"), read, digest, CHANGED},
        {LINES(TITLE, "2.8", "r.csv", "6h"), read, digest, CHANGED},
        {LINES("", "2.8", "r.csv", "5h"), read, digest, CHANGED},
        {LINES("title \"Etna 2026\"\n", "2.8", "r.csv", "5h"), read, digest, CHANGED},
        {LINES(TITLE "map_note \"drill\"\n", "2.8", "r.csv", "5h"), read, digest, CHANGED},
        {LINES(TITLE "start_time \"2026-11-30\"\n", "2.8", "r.csv", "5h"), read, digest, CHANGED}};
    static char *files[] = {"arrival.tif",     "bulletin.html",    "bulletin.png",
                            "map_arrival.png", "map_bulletin.png", "map_bulletin.svg",
                            "members.csv",     "report.html",      "summary.json"};
    enum { FILES = sizeof files / sizeof *files };
    char path[200];
    cJSON *before = cJSON_CreateObject();
    cJSON_AddStringToObject(before, "digest", digest);
    made_by_put(before, &(struct made_by){.text = (char *)plan, .files = (char *)read});
    char *summary = cJSON_Print(before);
    snprintf(path, sizeof path, "%s/previous", dir.path);
    assert_int_equal(mkdir(path, 0777), 0);
    for (int k = 0; k < FILES; k++) {
        snprintf(path, sizeof path, "%s/previous/%s", dir.path, files[k]);
        const char *text = strcmp(files[k], "summary.json") ? files[k] : summary;
        put_bytes(path, text, strlen(text));
    }
    for (size_t n = 0; n < sizeof now / sizeof *now; n++) {
        const struct made_by by = {.text = (char *)now[n].text, .files = (char *)now[n].files};
        struct output_folder f = {.path = dir.path,
                                  .previous = {.name = files, .count = FILES},
                                  .by = &by,
                                  .partial = now[n].is == PARTIAL,
                                  .failures = now[n].is == FAILED};
        const struct output_info info = {.folder = &f};
        struct error e = {0};
        int listed = 0;
        snprintf(f.digest, sizeof f.digest, "%s", now[n].digest);
        must(output_keep_same(&info, &e), &e);
        for (int k = 0; k < FILES; k++) {
            const bool report = !strcmp(files[k], "report.html"),
                       page = report || strstr(files[k], "bulletin");
            if (has(files[k]) != (page && now[n].is == SAME)) fail_msg("%zu: %s", n, files[k]);
            snprintf(path, sizeof path, "%s/%s", dir.path, files[k]);
            if (page && now[n].is == SAME) assert_int_equal(unlink(path), 0);
            for (int i = 0; i < f.count; i++)
                listed += !strcmp(f.file[i].name, files[k]) && !report;
        }
        assert_true(listed == f.count && listed == (now[n].is == SAME ? 4 : 0));
        for (int i = 0; i < f.count; i++) free(f.file[i].name);
        free(f.file);
    }
    cJSON_free(summary);
    cJSON_Delete(before);
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, every_number_has_its_name,
                       pages_stay_if_nothing_has_changed);
}
