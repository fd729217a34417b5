/* best_case.c — writes the best candidate as a case: the lines of the plan that have keys of a case, with the fitted
 * values. If vents or rates were fitted, also writes their tables. Names of files are relative to the folder of the
 * results. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "calibration_report.h"

#include "case/changes.h"
#include "plan/member.h"
#include "text/number.h"
#include "text/scan.h"
#include "text/table.h"
#include "text/textfile.h"
#include "vector/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines of a plan in a file of the results, with files named from their folder ------------- */

void case_line_put(FILE *f, const char *key, const char *value)
{
    const bool quoted = strchr(value, '#') != NULL;
    fprintf(f, "%-24s%s%s%s%s\n", key, strlen(key) < 24 ? "" : " ", quoted ? "\"" : "", value,
            quoted ? "\"" : "");
}

/* Whether the value of a line is the name of a file. */
static bool names_file(const struct keyvalue *line)
{
    struct key k;
    double number;
    bool good;
    if (!strcmp(line->key, "verify_within") && domain_is_distance(line->value, &number, &good))
        return false;
    return (schema_find(&case_schema, line->key, &k) || schema_find(&plan_schema, line->key, &k)) &&
           k.type == KEY_FILE && !scan_real(line->value, &number);
}

/* The path from `folder` to a file of the plan, malloc'ed; NULL: out of memory. */
static char *moved_path(const char *folder, const struct plan *p, const char *file)
{
    FREED char *path = path_beside(p->base.path, file);
    FREED char *plain = path ? vectors_file_of(path) : NULL; /* without the name of a layer */
    FREED char *from = realpath(folder, NULL);
    FREED char *to = plain ? realpath(plain, NULL) : NULL;
    FREED char *there = from && to ? path_from(from, to) : NULL;
    if (!path) return NULL;
    return there ? text_format("%s%s", there, path + strlen(plain)) : text_format("%s", path);
}

/* The value of a line `terrain_update TIME FILE LAVA`, with the path of the file from `folder`; malloc'ed. */
static char *moved_survey(const char *folder, const struct plan *p, const char *value)
{
    FREED char *text = text_format("%s", value);
    char *time, *file, *lava;
    FREED char *way =
        text && change_words(text, &time, &file, &lava) ? moved_path(folder, p, file) : NULL;
    return way ? text_format("%s %s %s", time, way, lava) : NULL;
}

int case_line_copy(FILE *f, const char *folder, const struct plan *p, const struct keyvalue *line,
                   struct error *e)
{
    const bool survey = !strcmp(line->key, "terrain_update");
    if (!survey && !names_file(line)) {
        case_line_put(f, line->key, line->value);
        return 0;
    }
    FREED char *way = (survey ? moved_survey : moved_path)(folder, p, line->value);
    if (!way) return error_memory(e);
    case_line_put(f, line->key, way);
    return 0;
}

/* ---- the best -------------------------------------------------------------------------------- */

/* A best case to write: its eruption and the names of its tables. */
struct best {
    const struct calibration *c;
    const struct plan *plan;
    int eruption;
    char vents[160], rates[160];
};

bool best_name(const void *of, int i, char *name, char *about)
{
    snprintf(name, PRODUCT_WORD, "%s%s", i ? "_" : "", i ? eruption_name(of, i) : "");
    return true;
}

static struct best best_of_eruption(const void *of, int eruption)
{
    const struct calibration *c = of;
    struct best b = {.c = c, .plan = c->eruption[eruption].plan, .eruption = eruption};
    char name[PRODUCT_WORD];
    best_name(of, eruption, name, NULL);
    snprintf(b.vents, sizeof b.vents, "best_vents%s.csv", name);
    snprintf(b.rates, sizeof b.rates, "best_rates%s.csv", name);
    return b;
}

/* The fitted value of a variable; NaN: the variable was not fitted. */
static double best_of(const struct best *b, int variable)
{
    const struct calibration *c = b->c;
    for (int i = 0; i < c->fits; i++)
        if (c->fit[i].variable == variable && fit_is_of(&c->fit[i], b->eruption))
            return c->evaluation[c->best].value[i];
    return NAN;
}

static double or_else(double x, double otherwise)
{
    return isnan(x) ? otherwise : x;
}

static bool moves_vents(const struct best *b)
{
    return !isnan(best_of(b, VENT_EAST)) || !isnan(best_of(b, VENT_NORTH));
}

static bool scales_rates(const struct best *b)
{
    return !isnan(best_of(b, RATE_FACTOR)) || !isnan(best_of(b, DURATION_FACTOR));
}

bool best_has_vents(const void *of, int i, char *name, char *about)
{
    const struct best b = best_of_eruption(of, i);
    return best_name(of, i, name, about) && moves_vents(&b);
}

bool best_has_rates(const void *of, int i, char *name, char *about)
{
    const struct best b = best_of_eruption(of, i);
    return best_name(of, i, name, about) && scales_rates(&b);
}

void best_put_vents(struct table *t, const struct product_at *at)
{
    const struct best best = best_of_eruption(at->of, at->i), *b = &best;
    const struct vent_points *v = &b->plan->vents;
    const struct georef *g = &b->plan->base.geo;
    const double east = or_else(best_of(b, VENT_EAST), 0),
                 north = or_else(best_of(b, VENT_NORTH), 0);
    TABLE_ROWS (*t, i, v->count) {
        const struct vent_point *p = &v->point[i];
        TABLE_COUNT(t, "vent", p->id);
        TABLE_COUNT(t, "part", p->part);
        TABLE_REAL(t, "x", "", 0, g->west_m + p->at.right * g->cell_m + east);
        TABLE_REAL(t, "y", "", 0, g->south_m + p->at.up * g->cell_m + north);
    }
}

static const char *vent_text(char text[16], int id)
{
    snprintf(text, 16, "%d", id);
    return id == RATES_OF_ALL ? "*" : text;
}

int best_put_rates(FILE *f, const struct product_at *at, struct error *e)
{
    const struct best best = best_of_eruption(at->of, at->i), *b = &best;
    const struct rate_series *k = &b->plan->rates;
    struct rate_series shared = {0};
    const double stretch = or_else(best_of(b, DURATION_FACTOR), 1),
                 factor = or_else(best_of(b, RATE_FACTOR), 1);
    if (b->plan->shares.times) {
        const int status = rate_shares_divide(&shared, &b->plan->shares, k, NULL, e);
        if (status) return status;
        k = &shared;
    }
    struct table t = table_to(f);
    TABLE_ROWS (t, i, k->count) {
        const struct rate_series_interval *x = &k->interval[i];
        char vent[16];
        TABLE_TEXT(&t, "vent", vent_text(vent, x->id));
        TABLE_REAL(&t, "from", "h", 0, x->from_s * stretch / 3600);
        TABLE_REAL(&t, "to", "h", 0, x->to_s * stretch / 3600);
        TABLE_REAL(&t, "rate", "m3_s", 0, x->rate_m3_s * factor);
    }
    rate_series_free(&shared);
    return 0;
}

/* Writes the line `parameters NAME`, then a line for each fitted parameter that has no line in the plan. */
static void put_set(FILE *f, const struct best *b, const char *name)
{
    const struct keyvalues *lines = &b->plan->settings.lines;
    char text[32];
    case_line_put(f, "parameters", name);
    for (int v = 0; v < PARAMETERS; v++) {
        bool own = isnan(best_of(b, v));
        for (int i = 0; i < lines->count && !own; i++)
            own = !strcmp(lines->item[i].key, params_table[v].name);
        if (!own) case_line_put(f, params_table[v].name, number_text(best_of(b, v), text));
    }
}

static int put_case_line(FILE *f, const struct best *b, const struct keyvalue *line,
                         struct error *e)
{
    const char *nearest;
    char text[32];
    const int variable = variable_find(line->key, &nearest);
    const double value = variable < 0 ? (double)NAN : best_of(b, variable);
    struct key key;
    if (!schema_find(&case_schema, line->key, &key) || !strcmp(key.name, "max_steps") ||
        !strcmp(key.name, "run_h"))
        return 0;
    if (!isnan(value)) {
        case_line_put(f, line->key, number_text(value, text));
    } else if (!strcmp(line->key, "parameters")) {
        put_set(f, b, line->value);
    } else if (!strcmp(line->key, "vents") && moves_vents(b)) {
        case_line_put(f, line->key, b->vents);
    } else if (!strcmp(line->key, "rates") && scales_rates(b)) {
        case_line_put(f, line->key, b->rates);
    } else {
        return case_line_copy(f, b->c->job->info.directory, b->plan, line, e);
    }
    return 0;
}

static void put_head(FILE *f, const struct calibration *c, const char *version)
{
    const struct evaluation *x = &c->evaluation[c->best];
    fprintf(f, "# Found by sciara %s calibrate: the best of %d evaluations, %d parameters fitted",
            version, c->count, c->fits);
    if (c->eruptions > 1) fprintf(f, " to %d eruptions", c->eruptions);
    fprintf(f, "%s.\n# Mean score %.4f with the noise of the search",
            c->hold_out ? "; a part was held out" : "", x->score);
    if (c->finalist.members > 1)
        fprintf(f, ", %.4f +- %.4f with the noise of %d others", c->finalist.all[PART_SEEN].mean,
                c->finalist.all[PART_SEEN].error, (int)c->finalist.members);
    fputs(".\n", f);
}

int best_put_case(FILE *f, const struct product_at *at, struct error *e)
{
    const struct best b = best_of_eruption(at->of, at->i);
    const struct keyvalues *lines = &b.plan->settings.lines;
    int status = 0;
    put_head(f, b.c, b.c->job->info.version);
    for (int i = 0; i < lines->count && !status; i++)
        status = put_case_line(f, &b, &lines->item[i], e);
    if (status) return status;
    /* The end of the run, in steps of this case. */
    struct member m;
    const struct plan *p = b.plan;
    struct table_row *row = &p->table.row[0];
    for (int i = 0; i < VARIABLES; i++) row->value[i] = best_of(&b, i);
    status = member_create_flat(&m, p, 0, e);
    if (status) return status;
    if (m.c.max_steps) fprintf(f, "%-24s%lld\n", "max_steps", (long long)m.c.max_steps);
    member_free(&m);
    return 0;
}
