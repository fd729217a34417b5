/* cmd_compare.c — `sciara compare A B`: two runs or two rasters, field by field. */
#include "cli.h"
#include "options.h"

#include "compare_side.h"

#include "compare/compare.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum verdict { EQUAL = 0, DIFFERENT = 1, UNDECIDED = 2 };

struct request {
    const char *a, *b;
    bool json, quiet;
};

#define AT(member) offsetof(struct request, member)
static const struct option operands[] = {
    OPERAND("A", option_text, a,
            "the folder of a run, a state, or a raster (GeoTIFF or Arc/Info ASCII)",
            .completes = COMPLETE_FILE),
    OPERAND("B", option_text, b, "the same kind; a state stands for the layers of its step",
            .completes = COMPLETE_FILE),
    {0},
};
static const struct option options[] = {
    OPTION_FLAG("--json", json, "print JSON"),
    OPTION_FLAG("--quiet", quiet, "print nothing; only the exit status gives the result"),
    {0},
};
static const struct option_exit exits[] = {
    {EQUAL, "equal"},
    {DIFFERENT, "different"},
    {UNDECIDED, "undecided: nothing to compare, everything is empty, or an error"},
    {0, NULL},
};

const struct command command_compare = {
    .name = "compare",
    .summary = "compare two runs or two rasters, layer by layer",
    .about =
        "Compares two folders of runs, by rasters of the same name, or two rasters. A state "
        "stands for a folder with the layers of its step. For each raster: whether the bits are "
        "equal, the number of cells that differ, the largest difference, the sum of differences "
        "(L1), and the overlap of the footprints (cells > 0).",
    .operands = operands,
    .options = options,
    .missing = "name two runs or two rasters",
    .exits = exits,
    .run = cmd_compare,
};

/* Results so far; they go into a JSON tree, and as lines to the terminal. */
struct findings {
    const struct request *request;
    cJSON *root, *layers;
    int compared, different, meaningful; /* layers; meaningful: not empty and not mere terrain */
    char reason[256];                    /* why the result is undecided; "" if it is not */
    struct error error;
};

static void say(const struct findings *f, const char *text)
{
    char shown[512];
    snprintf(shown, sizeof shown, "%s", text);
    scan_make_printable(shown); /* names of files may hold anything */
    if (!f->request->json && !f->request->quiet) printf("%s\n", shown);
}

/* ---- one pair of rasters --------------------------------------------------------------------- */

static void print_difference(const struct findings *f, const char *name, const struct difference *d,
                             int cols)
{
    char place[48] = "", overlap[24] = "-", shown[256];
    if (f->request->json || f->request->quiet) return;
    snprintf(shown, sizeof shown, "%s", name);
    scan_make_printable(shown);
    if (d->either && d->either < d->cells) snprintf(overlap, sizeof overlap, "%.6f", d->overlap);
    if (d->largest > 0)
        snprintf(place, sizeof place, "  (row %zu, col %zu)", d->largest_at / (size_t)cols,
                 d->largest_at % (size_t)cols);
    printf("%-32s %-10s %10zu %13.6g %13.6g %9s%s%s\n", shown,
           d->differ ? "different" : "equal bits", d->differ, d->largest, d->l1, overlap, place,
           d->empty ? "  EMPTY: neither has a value other than 0" : "");
}

static void record_difference(const struct findings *f, const char *name,
                              const struct difference *d, int cols)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToArray(f->layers, o);
    cJSON_AddStringToObject(o, "name", name);
    cJSON_AddBoolToObject(o, "equal_bits", d->differ == 0);
    cJSON_AddBoolToObject(o, "empty", d->empty);
    cJSON_AddNumberToObject(o, "cells", (double)d->cells);
    cJSON_AddNumberToObject(o, "differ", (double)d->differ);
    cJSON_AddNumberToObject(o, "only_in_a", (double)d->missing_b);
    cJSON_AddNumberToObject(o, "only_in_b", (double)d->missing_a);
    cJSON_AddNumberToObject(o, "largest", d->largest);
    cJSON_AddNumberToObject(o, "largest_row", (double)(d->largest_at / (size_t)cols));
    cJSON_AddNumberToObject(o, "largest_col", (double)(d->largest_at % (size_t)cols));
    cJSON_AddNumberToObject(o, "l1", d->l1);
    cJSON_AddNumberToObject(o, "l1_relative", d->l1_relative); /* NaN becomes null */
    cJSON_AddNumberToObject(o, "footprint_both", (double)d->both);
    cJSON_AddNumberToObject(o, "footprint_either", (double)d->either);
    cJSON_AddNumberToObject(o, "overlap", d->overlap);
}

/* Terrain is the same in most runs: its equality shows nothing about the lava. */
static bool is_terrain(const char *name)
{
    return strstr(name, "elevation") || strstr(name, "Morphology") || strstr(name, "Vents");
}

/* name_b: its name on that side, which may bear a date. */
static int compare_pair(struct findings *f, const char *name, const char *name_b,
                        const struct compare_side *side_a, const struct compare_side *side_b,
                        bool runs)
{
    struct raster a = {0}, b = {0};
    struct difference d;
    char *path_a = side_path(side_a, name), *path_b = side_path(side_b, name_b);
    int status = path_a && path_b ? 0 : error_memory(&f->error);
    if (!status) status = side_raster(side_a, name, path_a, &a, &f->error);
    if (!status) status = side_raster(side_b, name_b, path_b, &b, &f->error);
    if (!status) status = raster_same_grid(&a, path_a, &b, path_b, &f->error);
    if (!status) status = raster_check_crs(&b, path_b, &a.geo, &f->error);
    if (!status) {
        compare_values(&d, a.value, b.value, (size_t)a.rows * (size_t)a.cols,
                       compare_absent_is_zero(runs ? name : path_a));
        print_difference(f, name, &d, a.cols);
        record_difference(f, name, &d, a.cols);
        f->compared++;
        f->different += d.differ != 0;
        f->meaningful += !d.empty && !(runs && is_terrain(name));
    }
    raster_free(&a);
    raster_free(&b);
    free(path_a);
    free(path_b);
    return status;
}

/* ---- two runs -------------------------------------------------------------------------------- */

static const cJSON *summary_item(const struct runfolder *r, const char *group, const char *key)
{
    const cJSON *o = group ? cJSON_GetObjectItemCaseSensitive(r->summary, group) : r->summary;
    return cJSON_GetObjectItemCaseSensitive(o, key);
}

/* Layers hold rounded numbers; the digests compare the exact states. */
static void compare_digests(struct findings *f, const struct runfolder *a,
                            const struct runfolder *b)
{
    const cJSON *step_a = summary_item(a, "run", "step"), *step_b = summary_item(b, "run", "step");
    const cJSON *digest_a = summary_item(a, NULL, "digest");
    const cJSON *digest_b = summary_item(b, NULL, "digest");
    if (!cJSON_IsNumber(step_a) || !cJSON_IsNumber(step_b)) return;
    if (!cJSON_IsString(digest_a) || !cJSON_IsString(digest_b)) return;
    char line[160];
    if (step_a->valuedouble != step_b->valuedouble) {
        snprintf(f->reason, sizeof f->reason, "the runs end at different steps, %.0f and %.0f",
                 step_a->valuedouble, step_b->valuedouble);
        return;
    }
    const bool equal = strcmp(digest_a->valuestring, digest_b->valuestring) == 0;
    snprintf(line, sizeof line, "%-32s %-10s %.20s %.20s", "exact state at the last step",
             equal ? "equal" : "different", digest_a->valuestring, digest_b->valuestring);
    say(f, line);
    cJSON *o = cJSON_AddObjectToObject(f->root, "digest");
    cJSON_AddStringToObject(o, "a", digest_a->valuestring);
    cJSON_AddStringToObject(o, "b", digest_b->valuestring);
    cJSON_AddBoolToObject(o, "equal", equal);
    f->different += !equal;
}

static void note_unmatched(struct findings *f, const char *key, const struct runfolder *a,
                           const struct runfolder *b)
{
    cJSON *list = cJSON_AddArrayToObject(f->root, key);
    char line[160];
    int count = 0;
    for (int i = 0; i < a->count; i++)
        if (!runfolder_same(b, a->name[i])) {
            cJSON_AddItemToArray(list, cJSON_CreateString(a->name[i]));
            count++;
        }
    if (!count) return;
    snprintf(line, sizeof line, "not compared: %d rasters that only %.100s has", count, a->path);
    say(f, line);
}

static void note_stale(struct findings *f, const char *key, const struct runfolder *r)
{
    char line[256];
    cJSON_AddNumberToObject(f->root, key, r->other_count);
    if (!r->other_count) return;
    snprintf(line, sizeof line,
             "not compared: %d raster%s in %.100s, which its run did not write: %.40s%s",
             r->other_count, r->other_count == 1 ? "" : "s", r->path, r->other[0],
             r->other_count == 1 ? "" : ", ...");
    say(f, line);
}

static int compare_runs(struct findings *f)
{
    struct compare_side side_a = {0}, side_b = {0};
    const struct runfolder *a = &side_a.folder, *b = &side_b.folder;
    int status = side_open(&side_a, f->request->a, &f->error);
    if (!status) status = side_open(&side_b, f->request->b, &f->error);
    for (int i = 0; i < a->count && !status; i++) {
        const char *other = runfolder_same(b, a->name[i]);
        if (other) status = compare_pair(f, a->name[i], other, &side_a, &side_b, true);
    }
    if (!status) {
        compare_digests(f, a, b);
        note_unmatched(f, "only_in_a", a, b);
        note_unmatched(f, "only_in_b", b, a);
        note_stale(f, "stale_in_a", a);
        note_stale(f, "stale_in_b", b);
    }
    side_close(&side_a);
    side_close(&side_b);
    return status;
}

/* ---- verdict --------------------------------------------------------------------------------- */

static int compare(struct findings *f)
{
    const char *names[] = {f->request->a, f->request->b};
    for (int i = 0; i < 2; i++)
        if (access(names[i], F_OK))
            return error_input(&f->error, "%s: no such file or folder; check the name", names[i]);
    const bool run_a = side_is_run(f->request->a), run_b = side_is_run(f->request->b);
    if (run_a != run_b)
        return error_input(&f->error,
                           "compare: %s is the folder of a run or a state, %s is not; name two "
                           "alike",
                           run_a ? f->request->a : f->request->b,
                           run_a ? f->request->b : f->request->a);
    say(f, "raster                           bits           cells       largest            L1   "
           "overlap");
    if (run_a) return compare_runs(f);
    const struct compare_side a = {.file = f->request->a}, b = {.file = f->request->b};
    return compare_pair(f, "raster", "raster", &a, &b, false);
}

static enum verdict judge(struct findings *f)
{
    if (f->different) return DIFFERENT;
    if (!f->compared) snprintf(f->reason, sizeof f->reason, "no raster is in both");
    else if (!f->meaningful)
        snprintf(f->reason, sizeof f->reason,
                 "what was compared is empty: there is no lava in either");
    return *f->reason ? UNDECIDED : EQUAL;
}

static int conclude(struct findings *f, enum verdict verdict)
{
    static const char *const words[] = {"equal", "different", "undecided"};
    char line[320];
    cJSON_AddStringToObject(f->root, "verdict", words[verdict]);
    cJSON_AddStringToObject(f->root, "reason", verdict == UNDECIDED ? f->reason : "");
    snprintf(line, sizeof line, "%s%s%s", words[verdict], verdict == UNDECIDED ? ": " : "",
             verdict == UNDECIDED ? f->reason : "");
    say(f, line);
    return f->request->json ? cli_print_json(f->root, &f->error) : 0;
}

int cmd_compare(int argc, char **argv)
{
    struct request r = {0};
    struct findings f = {.request = &r};
    enum verdict verdict = UNDECIDED; /* also on every error: 1 would say that they differ */
    int status = options_parse(&command_compare, &r, argc, argv, &f.error);
    if (status == OPTIONS_HELP) return 0;
    if (status) {
        cli_fail(&f.error);
        return UNDECIDED;
    }
    f.root = cJSON_CreateObject();
    cJSON_AddStringToObject(f.root, "a", r.a);
    cJSON_AddStringToObject(f.root, "b", r.b);
    f.layers = cJSON_AddArrayToObject(f.root, "layers");
    status = compare(&f);
    if (!status) {
        const enum verdict found = judge(&f);
        status = conclude(&f, found);
        if (!status) verdict = found;
    }
    if (status) cli_fail(&f.error);
    cJSON_Delete(f.root);
    return (int)verdict;
}
