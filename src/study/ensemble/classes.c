#include "classes.h"

#include "text/csv.h"
#include "text/grow.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct columns {
    int name, weight, volume, duration, shape, peak, decay; /* -1: not there */
};

static int find_columns(struct columns *k, struct classes *classes, const struct csv *t,
                        struct error *e)
{
    *k = (struct columns){csv_column(t, "class"),     csv_column(t, "weight"),
                          csv_column(t, "volume_m3"), csv_column(t, "duration_h"),
                          csv_column(t, "shape"),     csv_column(t, "peak"),
                          csv_column(t, "decay")};
    const int probability = csv_column(t, "probability");
    if (k->weight >= 0 && probability >= 0)
        return csv_refuse(t, e, "has both weight and probability; keep one");
    classes->choice.kind = k->weight >= 0     ? CHOICE_WEIGHTS
                           : probability >= 0 ? CHOICE_PROBABILITIES
                                              : CHOICE_ALIKE;
    if (probability >= 0) k->weight = probability;
    if (k->name >= 0 && k->volume >= 0 && k->duration >= 0) return 0;
    return csv_refuse(t, e,
                      "the header has to be 'class,weight,volume_m3,duration_h,shape' (or "
                      "probability; without a shape the rate is constant)");
}

/* A name stands in tables and file names. */
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

/* An empty cell is as if the column were not there. */
static int optional(double *value, const struct csv *t, int column, struct error *e)
{
    *value = NAN;
    return column < 0 || !*t->cell[column] ? 0 : csv_real(t, column, value, e);
}

static int read_shape(struct eruption_class *to, const struct csv *t, const struct columns *k,
                      const char *at, struct error *e)
{
    const char *word = k->shape < 0 || !*t->cell[k->shape] ? "constant" : t->cell[k->shape];
    struct rate_series_shape how;
    int status = optional(&how.peak, t, k->peak, e);
    if (!status) status = optional(&how.decay, t, k->decay, e);
    if (status) return status;
    char *path = path_beside(t->file.path, word);
    if (!path) return error_memory(e);
    status = rate_series_shape(&to->series, word, path, &how, at, e);
    free(path);
    return status;
}

static int read_row(struct classes *classes, const struct csv *t, const struct columns *k,
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

/* A weight takes the place of a probability. */
static void doubt_column(struct classes *classes, const struct csv *t)
{
    static const char *const names[] = {"weight", "probability", "class", "volume_m3", "duration_h",
                                        "shape",  "peak",        "decay", NULL};
    csv_doubt(t, names + (classes->choice.kind == CHOICE_ALIKE ? 0 : 2), classes->doubt);
}

int classes_read(struct classes *classes, const char *path, struct error *e)
{
    struct csv t;
    struct columns k;
    bool more;
    *classes = (struct classes){0};
    int status = csv_open(&t, path, e);
    if (!status) status = find_columns(&k, classes, &t, e);
    if (!status) doubt_column(classes, &t);
    while (!status && !(status = csv_row(&t, &more, e)) && more)
        status = read_row(classes, &t, &k, e);
    if (!status && !classes->choice.count)
        status = error_input(e, "%s: has no class of a weight above 0; add a row for each", path);
    if (!status) status = choice_finish(&classes->choice, path, e);
    csv_close(&t);
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
    free(classes->item);
    choice_free(&classes->choice);
    *classes = (struct classes){0};
}
