/* plan_keys.c — the lines of a plan that are no lines of a case. */
#include "plan_parts.h"

#include "text/entry.h"
#include "text/scan.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum type { REAL, COUNT, TEXT, SAMPLING, YES_NO, BOX, METRES, TIMES, SPAN, MOMENT };

struct key {
    const char *name;
    enum type type;
    size_t offset, line; /* of the value, and of an int that gets the line (0: none) */
    double min, max;     /* of REAL and COUNT, of each number of a list, and of times in hours */
};

#define AT(field) offsetof(struct plan_keys, field)
static const struct key keys[] = {
    {"members", COUNT, AT(members), AT(members_line), 1, PLAN_MEMBERS_MAX},
    {"repeats", COUNT, AT(repeats), AT(repeats_line), 1, PLAN_MEMBERS_MAX},
    {"seed", COUNT, AT(seed), 0, 0, 9007199254740992.0},
    {"sampling", SAMPLING, AT(sampling), AT(sampling_line), 0, 0},
    {"member_table", TEXT, AT(member_table), AT(member_table_line), 0, 4095},
    {"correlation", TEXT, AT(correlation), AT(correlation_line), 0, 4095},
    {"vent_list", TEXT, AT(vent_list), AT(vent_list_line), 0, 4095},
    {"vent_grid_m", REAL, AT(vent_grid_m), AT(vent_grid_line), 1e-3, 1e6},
    {"vent_grid_box", BOX, AT(vent_grid_box), AT(vent_grid_box_line), 0, 0},
    {"vent_raster", TEXT, AT(vent_raster), AT(vent_raster_line), 0, 4095},
    {"classes", TEXT, AT(classes), AT(classes_line), 0, 4095},
    {"shape", TEXT, AT(shape), AT(shape_line), 0, 4095},
    {"run_h", MOMENT, AT(run_s), AT(run_line), 1e-3, 1e7},
    {"stop_at_rest", YES_NO, AT(stop_at_rest), AT(rest_line), 0, 0},
    {"terrain_error_m", REAL, AT(terrain_error_m), AT(error_line), 0, 100},
    {"terrain_error_length_m", REAL, AT(terrain_error_length_m), AT(error_length_line), 0, 1e7},
    {"exceed_m", METRES, AT(statistics.threshold_m), 0, 1e-6, 4000},
    {"arrive_within_h", TIMES, AT(statistics.time_s), 0, 1e-3, 1e7},
    {"thickness_bin_m", REAL, AT(statistics.bin_m), 0, 1e-3, 100},
    {"arrival_bin_h", SPAN, AT(statistics.bin_s), 0, 1e-3, 1e5},
    {"until_error", REAL, AT(statistics.until_error), 0, 1e-6, 1},
    {"assets", TEXT, AT(assets), AT(assets_line), 0, 4095},
};
enum { KEYS = sizeof keys / sizeof *keys };

struct plan_keys plan_keys_default(void)
{
    struct plan_keys k = {.repeats = 1, .statistics = {.bin_m = 0.1, .bin_s = 3600}};
    for (int i = 0; i < 4; i++) k.vent_grid_box[i] = NAN;
    return k;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Words with blanks between them; how many, or -1. */
static int split(const char *text, char word[][64], int room)
{
    int count = 0;
    for (const char *p = text + strspn(text, " \t"); *p; p += strspn(p, " \t")) {
        const size_t length = strcspn(p, " \t");
        if (count == room || length >= sizeof *word) return -1;
        memcpy(word[count], p, length);
        word[count++][length] = '\0';
        p += length;
    }
    return count;
}

/* Numbers; how many, or -1. */
static int scan_list(const char *text, double *value, int room)
{
    char word[PLAN_LIST_MAX][64];
    const int count = split(text, word, room);
    for (int i = 0; i < count; i++)
        if (!scan_real(word[i], &value[i])) return -1;
    return count;
}

/* As they stand in the line; in the unit of the key. */
static int check_list(const struct entry *at, const double *value, int count, double unit,
                      struct error *e)
{
    for (int i = 0; i < count; i++) {
        if (!(value[i] >= at->min * unit && value[i] <= at->max * unit))
            return entry_refuse_range(at, e);
        if (i && value[i] <= value[i - 1]) return entry_refuse(at, "give numbers that increase", e);
    }
    return 0;
}

static int take_list(const struct entry *at, int *count, struct error *e)
{
    *count = scan_list(at->line->value, at->target, PLAN_LIST_MAX);
    if (*count < 1) return entry_refuse(at, "give up to 16 numbers with blanks between them", e);
    return check_list(at, at->target, *count, 1, e);
}

static int take_times(const struct entry *at, int *count, const char *start_time, struct error *e)
{
    char word[PLAN_LIST_MAX][64];
    double *time_s = at->target;
    struct error why;
    *count = split(at->line->value, word, PLAN_LIST_MAX);
    if (*count < 1) return entry_refuse(at, "give up to 16 times with blanks between them", e);
    for (int i = 0; i < *count; i++)
        if (times_moment(&time_s[i], word[i], TIMES_HOURS, start_time, &why))
            return entry_refuse(at, why.text, e);
    return check_list(at, time_s, *count, times_unit_s(TIMES_HOURS), e);
}

static int take_box(const struct entry *at, struct error *e)
{
    double box[4];
    if (scan_list(at->line->value, box, 4) != 4 || !(box[0] < box[2] && box[1] < box[3]))
        return entry_refuse(at, "give west, south, east and north, in map coordinates", e);
    memcpy(at->target, box, sizeof box);
    return 0;
}

static int take_sampling(const struct entry *at, struct error *e)
{
    static const char *const words[] = {
        [SAMPLING_RANDOM] = "random", [SAMPLING_LATIN] = "latin", [SAMPLING_SOBOL] = "sobol"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(at->line->value, words[i])) {
            *(int *)at->target = i;
            return 0;
        }
    return entry_refuse(at, "give random, latin (hypercube) or sobol", e);
}

static int take_yes_no(const struct entry *at, struct error *e)
{
    const bool yes = !strcmp(at->line->value, "yes");
    if (!yes && strcmp(at->line->value, "no")) return entry_refuse(at, "give yes or no", e);
    *(bool *)at->target = yes;
    return 0;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int take_vary(struct plan_keys *k, const char *path, const struct keyvalue *line,
                     struct error *e)
{
    const char *name = line->key + strlen("vary_"), *nearest;
    char excerpt[48];
    const int variable = variable_find(name, &nearest);
    if (variable < 0)
        return error_input(e, "%s:%d: unknown variable '%s'%s%s%s; docs/formats.md lists them",
                           path, line->line, scan_excerpt(excerpt, name),
                           nearest ? "; did you mean vary_" : "", nearest ? nearest : "",
                           nearest ? "?" : "");
    k->vary[variable] = line->value;
    k->vary_line[variable] = line->line;
    return 0;
}

int plan_keys_take(void *self, const char *path, const char *start_time,
                   const struct keyvalue *line, struct error *e)
{
    struct plan_keys *k = self;
    int i = 0;
    if (!strncmp(line->key, "vary_", strlen("vary_"))) return take_vary(k, path, line, e);
    while (i < KEYS - 1 && strcmp(keys[i].name, line->key)) i++;
    const struct entry at = {path, line, keys[i].min, keys[i].max, "", (char *)k + keys[i].offset};
    if (keys[i].line) *(int *)((char *)k + keys[i].line) = line->line;
    switch (keys[i].type) {
    case REAL:
        return entry_real(&at, e);
    case COUNT:
        return entry_count(&at, e);
    case TEXT:
        return entry_text(&at, e);
    case SAMPLING:
        return take_sampling(&at, e);
    case YES_NO:
        return take_yes_no(&at, e);
    case BOX:
        return take_box(&at, e);
    case METRES:
        return take_list(&at, &k->statistics.threshold_count, e);
    case TIMES:
        return take_times(&at, &k->statistics.time_count, start_time, e);
    case SPAN:
        return entry_span(&at, TIMES_HOURS, e);
    case MOMENT:
        return entry_moment(&at, TIMES_HOURS, start_time, e);
    }
    return 0;
}
