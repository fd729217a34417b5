/* The files of the published run: from the published state the original format gives their bytes.
 */
/* tests: output/run */
#include "run/output.h"
#include "text/textfile.h"

#include "scratch.h"

#include "published_run.h"
#include "unit.h"

/* Rates of one vent of the real case, as case_load() makes them. */
static void read_rates(struct vent *v, const char *folder, int id)
{
    struct textfile t;
    struct error e;
    char path[512], wanted[16];
    snprintf(path, sizeof path, "%s/2006_000000000000_EmissionRate.txt", folder);
    snprintf(wanted, sizeof wanted, "%d", id);
    assert_int_equal(textfile_open(&t, path, &e), 0);
    const char *line;
    while ((line = textfile_content(&t)) && strcmp(line, "[VENT_ID]") != 0) {
    }
    if (id == 2)
        while ((line = textfile_content(&t)) && strcmp(line, "[VENT_ID]") != 0) {
        }
    assert_string_equal(textfile_content(&t), wanted);
    assert_string_equal(textfile_content(&t), "[EMISSION_RATE]");
    *v = (struct vent){.row = 114, .col = id == 1 ? 71 : 77, .id = id};
    v->first_step = calloc(40, sizeof *v->first_step);
    v->amount_m = calloc(40, sizeof *v->amount_m);
    while ((line = textfile_content(&t)) && *line != '[') {
        const int i = v->interval_count++;
        v->first_step[i] = i ? 720 * i : 1;
        v->amount_m[i] = atof(line) / 100 * 120;
    }
    v->first_step[v->interval_count] = 720 * v->interval_count;
    v->interval_count++; /* the list has ended: nothing */
    textfile_close(&t);
}

static void expect_md5(struct scratch *s, const char *name, const char *md5)
{
    char got[33];
    md5_of(scratch_file(s, name), got);
    if (strcmp(got, md5) != 0) fail_msg("%s: md5 %s, not %s", name, got, md5);
}

static void test_published_files(void **state)
{
    const char *folder = etna_folder();
    double *golden = golden_read(folder, 16000);
    if (!golden) skip();
    struct scratch s;
    struct error e = {0};
    struct vent vents[2];
    int32_t *arrival = calloc(GOLDEN_CELLS, sizeof *arrival);
    scratch_create(&s);
    assert_non_null(arrival);
    for (int i = 0; i < GOLDEN_CELLS; i++)
        arrival[i] = ARRIVAL_NEVER; /* the digest is not asked for */
    for (int k = 0; k < 2; k++) read_rates(&vents[k], folder, k + 1);
    struct sim_case c = {.name = "2006",
                         .geo = {.west_m = 499547.5, .south_m = 4174982.5, .cell_m = 10}};
    c.problem = (struct problem){.rows = GOLDEN_ROWS,
                                 .cols = GOLDEN_COLS,
                                 .vent_count = 2,
                                 .vents = vents,
                                 .params = {.clock_s = 120, .cell_m = 10}};
    const struct output_info info = {.directory = s.path, .formats = OUTPUT_ORIGINAL};
    const struct fields f = {.window = {0, 0, GOLDEN_ROWS, GOLDEN_COLS},
                             .step = 16000,
                             .elevation_m = golden,
                             .thickness_m = golden + GOLDEN_CELLS,
                             .temp_K = golden + 2 * GOLDEN_CELLS,
                             .solid_m = golden + 3 * GOLDEN_CELLS,
                             .arrival = arrival};
    if (output_state(&info, &c, &f, &e)) fail_msg("%s", e.text);

    char path[512], md5[64], name[128];
    int checked = 0;
    snprintf(path, sizeof path, "%s/golden/published.md5", folder);
    FILE *list = fopen(path, "r");
    assert_non_null(list);
    while (fscanf(list, "%63s %127s", md5, name) == 2) {
        char ours[160];
        /* the published form of the .cfg file is not known; ours says the same */
        if (strstr(name, ".cfg")) continue;
        snprintf(ours, sizeof ours, "2006_%s", name);
        expect_md5(&s, ours, md5);
        checked++;
    }
    fclose(list);
    assert_int_equal(checked, 6);
    for (int k = 0; k < 2; k++) free(vents[k].first_step), free(vents[k].amount_m);
    free(arrival);
    free(golden);
    scratch_remove(&s);
}

int main(void)
{
    return UNIT_RUN(test_published_files);
}
