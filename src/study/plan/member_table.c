#include "member_table.h"

#include "text/csv.h"
#include "text/grow.h"
#include "text/number.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- classes --------------------------------------------------------------------------------- */

struct class_columns {
    int name, weight, volume, duration, shape, peak, decay; /* indices of columns; -1: not there */
};

static int find_class_columns(struct class_columns *k, struct classes *classes, const struct csv *t,
                              struct error *e)
{
    *k = (struct class_columns){csv_column(t, "class"),     csv_column(t, "weight"),
                                csv_column(t, "volume_m3"), csv_column(t, "duration_h"),
                                csv_column(t, "shape"),     csv_column(t, "peak"),
                                csv_column(t, "decay")};
    const int probability = csv_column(t, "probability");
    if (k->weight >= 0 && probability >= 0)
        return csv_refuse(t, e, "has two columns of weights, 'weight' and 'probability'; keep one");
    classes->choice.kind = k->weight >= 0     ? CHOICE_WEIGHTS
                           : probability >= 0 ? CHOICE_PROBABILITIES
                                              : CHOICE_ALIKE;
    if (probability >= 0) k->weight = probability;
    if (k->name >= 0 && k->volume >= 0 && k->duration >= 0) return 0;
    return csv_refuse(t, e,
                      "the header has to be 'class,weight,volume_m3,duration_h,shape' (or "
                      "probability; without a shape the rate is constant)");
}

/* Reads the name of a class. The name has to be valid in tables and in names of files. */
static int read_name(struct eruption_class *to, const struct classes *classes, const char *name,
                     const char *at, struct error *e)
{
    char excerpt[48];
    if (!*name || strlen(name) >= CLASS_NAME || !scan_printable(name) || strpbrk(name, ",\""))
        return error_input(
            e, "%s: class '%s'; give a name of 1 to %d characters without commas and quotes", at,
            scan_excerpt(excerpt, name), CLASS_NAME - 1);
    if (classes_find(classes, name) >= 0)
        return error_input(e, "%s: there is a class %s already; give each its own name", at, name);
    snprintf(to->name, sizeof to->name, "%s", name);
    return 0;
}

/* Reads a number. *value is NaN if the column is missing or the cell is empty. */
static int optional(double *value, const struct csv *t, int column, struct error *e)
{
    *value = NAN;
    return column < 0 || !*t->cell[column] ? 0 : csv_real(t, column, value, e);
}

static int read_shape(struct eruption_class *to, const struct csv *t, const struct class_columns *k,
                      const char *at, struct error *e)
{
    const char *word = k->shape < 0 || !*t->cell[k->shape] ? "constant" : t->cell[k->shape];
    struct rate_series_shape how;
    int status = optional(&how.peak, t, k->peak, e);
    if (!status) status = optional(&how.decay, t, k->decay, e);
    if (status) return status;
    FREED char *path = path_beside(t->file.path, word);
    if (!path) return error_memory(e);
    return rate_series_shape(&to->series, word, path, &how, at, e);
}

static int read_class(struct classes *classes, const struct csv *t, const struct class_columns *k,
                      struct error *e)
{
    char at[512];
    double weight = 1;
    struct eruption_class one = {.volume_m3 = 0};
    snprintf(at, sizeof at, "%.480s:%d", t->file.path, t->file.line);
    int status = read_name(&one, classes, t->cell[k->name], at, e);
    if (!status && k->weight >= 0) status = csv_real(t, k->weight, &weight, e);
    if (!status) status = csv_real(t, k->volume, &one.volume_m3, e);
    if (!status) status = csv_time(t, k->duration, TIMES_HOURS, NULL, &one.duration_s, e);
    if (status) return status;
    if (!(one.volume_m3 > 0 && one.volume_m3 <= 1e13))
        return error_input(e, "%s: volume_m3 is %g; give a volume above 0, at most 1e13", at,
                           one.volume_m3);
    if (!(one.duration_s > 0 && one.duration_s <= 3600 * 1e6))
        return error_input(e, "%s: duration_h is %g; give hours above 0, at most 1e6", at,
                           one.duration_s / 3600);
    const int i = classes->choice.count;
    if (!GROW(classes->item, i)) return error_memory(e);
    if ((status = read_shape(&one, t, k, at, e))) return status;
    if (weight != 0) status = choice_add(&classes->choice, weight, at, e);
    if (status || weight == 0) rate_series_free(&one.series);
    else classes->item[i] = one;
    return status;
}

/* Notes a column whose name is probably a misspelling of one of `names`. If the table has weights or probabilities, the
 * first two names, `weight` and `probability`, are not compared. */
static void doubt_column(struct classes *classes, const struct csv *t)
{
    static const char *const names[] = {"weight", "probability", "class", "volume_m3", "duration_h",
                                        "shape",  "peak",        "decay", NULL};
    csv_doubt(t, names + (classes->choice.kind == CHOICE_ALIKE ? 0 : 2), classes->doubt);
}

int classes_read(struct classes *classes, const char *path, struct error *e)
{
    FREED_BY(csv_close) struct csv t;
    struct class_columns k;
    *classes = (struct classes){0};
    int status = csv_open(&t, path, e);
    if (!status) status = find_class_columns(&k, classes, &t, e);
    if (!status) doubt_column(classes, &t);
    CSV_EACH (&t, status, e) status = read_class(classes, &t, &k, e);
    if (!status && !classes->choice.count)
        status = error_input(e, "%s: has no class with a weight above 0; add a row for each class",
                             path);
    if (!status) status = choice_finish(&classes->choice, path, e);
    if (status) classes_free(classes);
    return status;
}

int classes_find(const struct classes *classes, const char *name)
{
    for (int i = 0; i < classes->choice.count; i++)
        if (!strcmp(classes->item[i].name, name)) return i;
    return -1;
}

void classes_free(struct classes *classes)
{
    for (int i = 0; i < classes->choice.count; i++) rate_series_free(&classes->item[i].series);
    choice_free(&classes->choice);
    RELEASE(classes, classes->item);
}

/* ---- the table ------------------------------------------------------------------------------- */

#define WEIGHT_MAX 4294967295

struct columns {
    /* Indices of columns; -1: not there. */
    int weight, vent, x, y, class, rates, terrain_seed, max_steps, stop;
    int variable[VARIABLES];
};

static int read_column(struct member_table *t, struct columns *k, const struct csv *csv, int i,
                       struct error *e)
{
    const struct {
        const char *name;
        int *column;
        bool *has;
    } others[] = {{"weight", &k->weight, NULL},
                  {"vent", &k->vent, &t->has_vent},
                  {"x", &k->x, &t->has_place},
                  {"y", &k->y, &t->has_place},
                  {"class", &k->class, &t->has_class},
                  {"rates", &k->rates, &t->has_rates},
                  {"terrain_seed", &k->terrain_seed, &t->has_terrain_seed},
                  {"max_steps", &k->max_steps, &t->has_max_steps},
                  {"stop_when_mobile_below_m", &k->stop, NULL}};
    char excerpt[48];
    const char *name = csv->name[i], *nearest, *other = NULL;
    int *column = NULL;
    for (size_t n = 0; n < sizeof others / sizeof *others; n++) {
        if (!strcasecmp(name, others[n].name)) {
            column = others[n].column;
            if (others[n].has) *others[n].has = true;
        }
        if (scan_misspelt(name, others[n].name)) other = others[n].name;
    }
    const int variable = column ? -1 : variable_of_column(name, &nearest);
    if (variable >= 0) {
        column = &k->variable[variable];
        t->has[variable] = true;
    }
    if (!column && other) nearest = other;
    if (!column)
        return csv_refuse(
            csv, e,
            "unknown column '%s'%s%s%s; give a variable of vary_NAME (`sciara help keys`), weight, "
            "vent, x, y, class, rates, terrain_seed, max_steps or stop_when_mobile_below_m",
            scan_excerpt(excerpt, name), nearest ? "; did you mean " : "", nearest ? nearest : "",
            nearest ? "?" : "");
    *column = i;
    return 0;
}

static int read_header(struct member_table *t, struct columns *k, const struct csv *csv,
                       struct error *e)
{
    *k = (struct columns){-1, -1, -1, -1, -1, -1, -1, -1, -1, {0}};
    for (int i = 0; i < VARIABLES; i++) k->variable[i] = -1;
    int status = 0;
    for (int i = 0; i < csv->columns && !status; i++) status = read_column(t, k, csv, i, e);
    if (status) return status;
    const char *why = NULL;
    if ((k->x < 0) != (k->y < 0)) why = "x and y go together; give both";
    else if (t->has_vent && t->has_place) why = "has both vent and x, y; keep one";
    else if (t->has_class && t->has_rates) why = "has both class and rates; keep one";
    return why ? csv_refuse(csv, e, "%s", why) : 0;
}

static int read_variables(struct table_row *r, const struct columns *k, const struct csv *csv,
                          struct error *e)
{
    int status = 0;
    for (int i = 0; i < VARIABLES && !status; i++) {
        const struct variable_row v = variable_row(i);
        char low[32], high[32];
        r->value[i] = NAN;
        if (k->variable[i] < 0) continue;
        status = csv_real(csv, k->variable[i], &r->value[i], e);
        if (!status && !(r->value[i] >= v.low && r->value[i] <= v.high))
            status = csv_refuse(csv, e, "%s is %g; give a value from %s to %s%s%s", v.name,
                                r->value[i], number_text(v.low, low), number_text(v.high, high),
                                *v.unit ? " " : "", v.unit);
    }
    return status;
}

/* Reads the rates of a row. A file that several rows name is read only once. */
static int read_rates(struct member_table *t, struct table_row *r, const struct csv *csv,
                      const char *name, const char *start_time, struct error *e)
{
    for (r->rates = 0; r->rates < t->rates_count; r->rates++)
        if (!strcmp(t->rates_name[r->rates], name)) return 0;
    if (!*name) return csv_refuse(csv, e, "the cell of rates is empty; name a file");
    FREED char *path = path_beside(csv->file.path, name), *copy = text_format("%s", name);
    if (!path || !copy || !GROW(t->rates_name, t->rates_count) || !GROW(t->rates, t->rates_count))
        return error_memory(e);
    const int status =
        rate_series_read(&t->rates[t->rates_count], RATE_COLUMN, path, start_time, e);
    if (status) return status;
    t->rates_name[t->rates_count++] = copy;
    copy = NULL;
    return 0;
}

static int read_others(struct member_table *t, struct table_row *r, const struct columns *k,
                       const struct csv *csv, const struct classes *classes, const char *start_time,
                       struct error *e)
{
    int64_t weight = 1, vent = 0;
    char excerpt[48];
    int status = 0;
    if (k->weight >= 0) status = csv_integer(csv, k->weight, 1, WEIGHT_MAX, &weight, e);
    if (!status && k->vent >= 0) status = csv_integer(csv, k->vent, 1, 1000000000, &vent, e);
    if (!status && k->x >= 0) status = csv_real(csv, k->x, &r->x, e);
    if (!status && k->y >= 0) status = csv_real(csv, k->y, &r->y, e);
    if (!status && k->terrain_seed >= 0)
        status = csv_integer(csv, k->terrain_seed, 0, ((int64_t)1 << 56) - 1, &r->terrain_seed, e);
    if (!status && k->max_steps >= 0)
        status = csv_integer(csv, k->max_steps, 0, 2147483646, &r->max_steps, e);
    if (!status && k->stop >= 0) {
        status = csv_real(csv, k->stop, &r->stop_mobile_m, e);
        if (!status && !(r->stop_mobile_m >= 0 && r->stop_mobile_m <= 1e12))
            status = csv_refuse(csv, e, "stop_when_mobile_below_m is %g; give 0 to 1e12",
                                r->stop_mobile_m);
    }
    if (!status && k->class >= 0 && (r->class = classes_find(classes, csv->cell[k->class])) < 0)
        status = csv_refuse(csv, e, "there is no class '%s'; name one of the plan's classes",
                            scan_excerpt(excerpt, csv->cell[k->class]));
    if (!status && k->rates >= 0)
        status = read_rates(t, r, csv, csv->cell[k->rates], start_time, e);
    r->weight = (uint64_t)weight;
    r->vent = (int)vent;
    return status;
}

static int read_row(struct member_table *t, const struct columns *k, const struct csv *csv,
                    const struct classes *classes, const char *start_time, struct error *e)
{
    struct table_row r = {.line = csv->file.line,
                          .x = NAN,
                          .y = NAN,
                          .class = -1,
                          .rates = -1,
                          .terrain_seed = -1,
                          .max_steps = -1,
                          .stop_mobile_m = NAN};
    int status = read_variables(&r, k, csv, e);
    if (!status) status = read_others(t, &r, k, csv, classes, start_time, e);
    if (status) return status;
    if (!APPEND(t->row, t->count, r)) return error_memory(e);
    t->weight_sum += r.weight;
    return 0;
}

int member_table_read(struct member_table *t, const char *path, const struct classes *classes,
                      const char *start_time, struct error *e)
{
    FREED_BY(csv_close) struct csv csv = {.columns = 0};
    struct columns k;
    *t = (struct member_table){.path = text_format("%s", path)};
    if (!t->path) return error_memory(e);
    int status = csv_open(&csv, path, e);
    if (!status) status = read_header(t, &k, &csv, e);
    CSV_EACH (&csv, status, e) status = read_row(t, &k, &csv, classes, start_time, e);
    if (!status && !t->count)
        status = error_input(e, "%s: has no member; add a row for each member", path);
    if (status) member_table_free(t);
    return status;
}

void member_table_free(struct member_table *t)
{
    for (int i = 0; i < t->rates_count; i++) {
        rate_series_free(&t->rates[i]);
        free(t->rates_name[i]);
    }
    RELEASE(t, t->rates_name, t->rates, t->row, t->path);
}
