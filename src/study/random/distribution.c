/* build: optimized */
#include "distribution.h"

#include "quantile.h"
#include "text/csv.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Tolerance for sums of probabilities that were typed with six digits, such as 0.333333 three times. */
#define SUM_TOLERANCE 1e-5

/* The syntax of each kind. Each text begins with the name of its kind. */
static const char *const forms[] = {
    [DISTRIBUTION_UNIFORM] = "uniform LOW HIGH",
    [DISTRIBUTION_NORMAL] = "normal MEAN SD [from LOW to HIGH]",
    [DISTRIBUTION_LOGNORMAL] = "lognormal MEDIAN FACTOR [from LOW to HIGH]",
    [DISTRIBUTION_TRIANGULAR] = "triangular LOW MODE HIGH",
    [DISTRIBUTION_DISCRETE] = "discrete VALUE... or discrete VALUE:PROBABILITY...",
};
enum { KINDS = sizeof forms / sizeof *forms, WORDS_MAX = DISTRIBUTION_VALUES_MAX + 2 };

struct words {
    const char *at; /* file, line and key, for messages */
    char *word[WORDS_MAX];
    int count;
};

/* Splits the text into words. The function writes into the text. */
static int split_words(struct words *w, char *text, struct error *e)
{
    for (char *p = text; *(p += strspn(p, " \t"));) {
        if (w->count == WORDS_MAX)
            return error_input(e, "%s: more than %d values; give fewer", w->at,
                               DISTRIBUTION_VALUES_MAX);
        w->word[w->count++] = p;
        p += strcspn(p, " \t");
        if (*p) *p++ = '\0';
    }
    return w->count ? 0
                    : error_input(e, "%s: is empty; give '%s'", w->at, forms[DISTRIBUTION_UNIFORM]);
}

static int refuse_form(const struct words *w, enum distribution_kind kind, struct error *e)
{
    return error_input(e, "%s: cannot be read; give '%s'", w->at, forms[kind]);
}

static int read_number(double *value, const struct words *w, int i, struct error *e)
{
    char excerpt[48];
    if (scan_real(w->word[i], value)) return 0;
    return error_input(e, "%s: '%s' is not a number (example: 2.8); blanks separate values", w->at,
                       scan_excerpt(excerpt, w->word[i]));
}

/* Reads the two numbers after the name; three if the text has exactly four words. */
static int read_numbers(struct distribution *d, const struct words *w, struct error *e)
{
    int status = read_number(&d->a, w, 1, e);
    if (!status) status = read_number(&d->b, w, 2, e);
    return status || w->count != 4 ? status : read_number(&d->c, w, 3, e);
}

static int parse_uniform(struct distribution *d, const struct words *w, struct error *e)
{
    if (w->count != 3) return refuse_form(w, d->kind, e);
    int status = read_numbers(d, w, e);
    if (!status && d->a >= d->b)
        status = error_input(e, "%s: %g is not below %g; give LOW, then HIGH", w->at, d->a, d->b);
    d->low = d->a;
    d->high = d->b;
    return status;
}

static int parse_triangular(struct distribution *d, const struct words *w, struct error *e)
{
    if (w->count != 4) return refuse_form(w, d->kind, e);
    int status = read_numbers(d, w, e);
    if (!status && !(d->a <= d->b && d->b <= d->c && d->a < d->c))
        status = error_input(e, "%s: %g, %g, %g do not increase; give LOW, MODE and HIGH", w->at,
                             d->a, d->b, d->c);
    d->low = d->a;
    d->high = d->c;
    return status;
}

/* The probability that a value of the distribution, before LOW and HIGH cut it, is below `limit`. */
static double part_below(const struct distribution *d, double limit)
{
    if (d->kind == DISTRIBUTION_NORMAL) return normal_probability((limit - d->a) / d->b);
    if (limit <= 0) return QUANTILE_FEWEST;
    return normal_probability((real_log(limit) - real_log(d->a)) / d->b);
}

static int cut_tails(struct distribution *d, const struct words *w, struct error *e)
{
    int status = read_number(&d->low, w, 4, e);
    if (!status) status = read_number(&d->high, w, 6, e);
    if (status) return status;
    if (d->low >= d->high)
        return error_input(
            e, "%s: the limit after 'from', %g, is not below the limit after 'to', %g; swap them",
            w->at, d->low, d->high);
    d->low_u = part_below(d, d->low);
    d->span = part_below(d, d->high) - d->low_u;
    if (d->span >= 1e-6) return 0;
    return error_input(e,
                       "%s: less than a millionth of all values lies between %g and %g; widen "
                       "these limits, or correct the distribution",
                       w->at, d->low, d->high);
}

static int parse_normal(struct distribution *d, const struct words *w, struct error *e)
{
    const bool log = d->kind == DISTRIBUTION_LOGNORMAL;
    if (w->count != 3 &&
        !(w->count == 7 && !strcmp(w->word[3], "from") && !strcmp(w->word[5], "to")))
        return refuse_form(w, d->kind, e);
    const int status = read_numbers(d, w, e);
    if (status) return status;
    if (!log && !(d->b > 0))
        return error_input(e, "%s: the standard deviation is %g; give a number above 0", w->at,
                           d->b);
    if (log && !(d->a > 0 && d->b > 1 && d->b <= 1e6 && d->a <= 1e100 && d->a >= 1e-100))
        return error_input(e,
                           "%s: median %g, factor %g; give a median above 0 and a factor above 1 "
                           "(2: two thirds of the values lie between half and twice the median)",
                           w->at, d->a, d->b);
    d->low = -(double)INFINITY;
    d->high = INFINITY;
    if (log) d->b = real_log(d->b);
    return w->count == 7 ? cut_tails(d, w, e) : 0;
}

static int discrete_value(struct distribution *d, const struct words *w, int i, bool *weighted,
                          struct error *e)
{
    double part = 1.0 / (w->count - 1);
    char *colon = strchr(w->word[i + 1], ':');
    if (i && *weighted != (colon != NULL)) return refuse_form(w, d->kind, e);
    *weighted = colon != NULL;
    if (colon) {
        *colon = '\0';
        if (!scan_real(colon + 1, &part) || !(part >= 0 && part <= 1))
            return error_input(e, "%s: the probability of %s is not a number; give one from 0 to 1",
                               w->at, w->word[i + 1]);
    }
    double value;
    int at = i, status = read_number(&value, w, i + 1, e);
    if (status) return status;
    for (; at > 0 && d->value[at - 1] > value; at--) {
        d->value[at] = d->value[at - 1];
        d->up_to[at] = d->up_to[at - 1];
    }
    d->value[at] = value;
    d->up_to[at] = part;
    return 0;
}

static int parse_discrete(struct distribution *d, const struct words *w, struct error *e)
{
    double sum = 0;
    bool weighted = false;
    d->count = w->count - 1;
    if (d->count < 1) return refuse_form(w, d->kind, e);
    if (d->count > DISTRIBUTION_VALUES_MAX)
        return error_input(e, "%s: more than %d values; give fewer", w->at,
                           DISTRIBUTION_VALUES_MAX);
    for (int i = 0; i < d->count; i++) {
        int status = discrete_value(d, w, i, &weighted, e);
        if (status) return status;
    }
    for (int i = 0; i < d->count; i++) d->up_to[i] = sum += d->up_to[i];
    if (fabs(sum - 1) > SUM_TOLERANCE)
        return error_input(e, "%s: the probabilities sum up to %.7g, not to 1; correct them", w->at,
                           sum);
    for (int i = 0; i < d->count; i++) d->up_to[i] /= sum;
    d->low = d->value[0];
    d->high = d->value[d->count - 1];
    return 0;
}

static bool is_named(const char *form, const char *name)
{
    const size_t length = strlen(name);
    return !strncmp(form, name, length) && form[length] == ' ';
}

int distribution_parse(struct distribution *d, const char *text, const char *at, struct error *e)
{
    typedef int parse(struct distribution *, const struct words *, struct error *);
    static parse *const of[KINDS] = {
        [DISTRIBUTION_UNIFORM] = parse_uniform,   [DISTRIBUTION_NORMAL] = parse_normal,
        [DISTRIBUTION_LOGNORMAL] = parse_normal,  [DISTRIBUTION_TRIANGULAR] = parse_triangular,
        [DISTRIBUTION_DISCRETE] = parse_discrete,
    };
    struct words w = {.at = at};
    char excerpt[48];
    FREED char *copy = text_format("%s", text);
    const int status = copy ? split_words(&w, copy, e) : error_memory(e);
    *d = (struct distribution){.span = 1};
    if (status) return status;
    int kind = 0;
    while (kind < KINDS && !is_named(forms[kind], w.word[0])) kind++;
    d->kind = (enum distribution_kind)kind;
    if (kind < KINDS) return of[kind](d, &w, e);
    return error_input(
        e, "%s: unknown distribution '%s'; give uniform, normal, lognormal, triangular or discrete",
        at, scan_excerpt(excerpt, w.word[0]));
}

static double clamp_value(const struct distribution *d, double x)
{
    return x < d->low ? d->low : x > d->high ? d->high : x;
}

static double of_deviations(const struct distribution *d, double z)
{
    return clamp_value(d, d->kind == DISTRIBUTION_NORMAL ? d->a + z * d->b
                                                         : d->a * real_exp(z * d->b));
}

/* The quantile of a triangular density, which rises from a to b and falls to c. */
static double triangular(const struct distribution *d, double u)
{
    const double rising = (d->b - d->a) / (d->c - d->a);
    if (u < rising) return d->a + sqrt(u * (d->c - d->a) * (d->b - d->a));
    return d->c - sqrt((1 - u) * (d->c - d->a) * (d->c - d->b));
}

double distribution_quantile(const struct distribution *d, double u)
{
    int i = 0;
    switch (d->kind) {
    case DISTRIBUTION_UNIFORM:
        return clamp_value(d, d->a + u * (d->b - d->a));
    case DISTRIBUTION_TRIANGULAR:
        return clamp_value(d, triangular(d, u));
    case DISTRIBUTION_DISCRETE:
        while (i < d->count - 1 && u >= d->up_to[i]) i++;
        return d->value[i];
    default:
        u = d->low_u + u * d->span;
        return of_deviations(d, normal_quantile(u < 1 - 0x1p-53 ? u : 1 - 0x1p-53));
    }
}

double distribution_of_normal(const struct distribution *d, double z)
{
    const bool whole = d->low_u == 0 && d->span == 1;
    if (whole && (d->kind == DISTRIBUTION_NORMAL || d->kind == DISTRIBUTION_LOGNORMAL))
        return of_deviations(d, z);
    return distribution_quantile(d, normal_probability(z));
}

/* ---- correlated variables -------------------------------------------------------------------- */

struct table {
    const struct csv *csv;
    int name;              /* index of the column `name` */
    int column[VARIABLES]; /* column of each variable */
    int line[VARIABLES];   /* line of each variable's row; 0: not seen */
    double value[VARIABLES][VARIABLES];
};

static int find_variable(const struct table *t, const char *name, int *variable, struct error *e)
{
    char excerpt[48];
    const char *nearest;
    *variable = variable_of_column(name, &nearest);
    if (*variable >= 0) return 0;
    return csv_refuse(t->csv, e, "unknown variable '%s'%s%s%s; `sciara help keys` lists them",
                      scan_excerpt(excerpt, name), nearest ? "; did you mean " : "",
                      nearest ? nearest : "", nearest ? "?" : "");
}

static int read_header(struct correlation *corr, struct table *t, struct error *e)
{
    t->name = csv_column(t->csv, "name");
    if (t->name < 0)
        return csv_refuse(t->csv, e, "the header has to be 'name' and the names of the variables");
    for (int i = 0; i < t->csv->columns; i++) {
        if (i == t->name) continue;
        int variable, status = find_variable(t, t->csv->name[i], &variable, e);
        if (status) return status;
        t->column[corr->count] = i;
        corr->variable[corr->count++] = variable;
    }
    return 0;
}

static int read_row(const struct correlation *corr, struct table *t, struct error *e)
{
    int variable, row = 0, status = find_variable(t, t->csv->cell[t->name], &variable, e);
    if (status) return status;
    while (row < corr->count && corr->variable[row] != variable) row++;
    if (row == corr->count || t->line[row])
        return csv_refuse(t->csv, e, "%s has %s", t->csv->cell[t->name],
                          row == corr->count ? "a row but no column; give both"
                                             : "two rows; remove one");
    t->line[row] = t->csv->file.line;
    for (int i = 0; i < corr->count && !status; i++)
        status = csv_real(t->csv, t->column[i], &t->value[row][i], e);
    return status;
}

static int check_correlation(const struct correlation *corr, const struct table *t, struct error *e)
{
    const char *path = t->csv->file.path;
    for (int i = 0; i < corr->count; i++) {
        const char *name = variable_row(corr->variable[i]).name;
        if (!t->line[i]) return error_input(e, "%s: %s has no row; add one", path, name);
        if (t->value[i][i] != 1)
            return error_line(e, path, t->line[i],
                              "the correlation of %s with itself is %g; give 1", name,
                              t->value[i][i]);
        for (int k = 0; k < i; k++)
            if (t->value[i][k] != t->value[k][i])
                return error_line(e, path, t->line[i],
                                  "the correlation of %s with %s is %g here and %g in line %d; "
                                  "make the two equal",
                                  name, variable_row(corr->variable[k]).name, t->value[i][k],
                                  t->value[k][i], t->line[k]);
    }
    return 0;
}

/* Factorises the table by Cholesky. */
static int factorise(struct correlation *corr, const struct table *t, struct error *e)
{
    for (int i = 0; i < corr->count; i++)
        for (int k = 0; k <= i; k++) {
            double rest = t->value[i][k];
            for (int j = 0; j < k; j++) rest -= corr->root[i][j] * corr->root[k][j];
            if (i != k) {
                corr->root[i][k] = rest / corr->root[k][k];
                continue;
            }
            if (!(rest > 1e-12))
                return error_line(
                    e, t->csv->file.path, t->line[i],
                    "the correlations of %s with the variables before it contradict each other "
                    "(the table is not positive definite); give smaller ones",
                    variable_row(corr->variable[i]).name);
            corr->root[i][i] = sqrt(rest);
        }
    return 0;
}

int correlation_read(struct correlation *corr, const char *path, struct error *e)
{
    FREED_BY(csv_close) struct csv csv;
    struct table t = {.csv = &csv};
    *corr = (struct correlation){0};
    int status = csv_open(&csv, path, e);
    if (!status) status = read_header(corr, &t, e);
    CSV_EACH (&csv, status, e) status = read_row(corr, &t, e);
    if (!status && corr->count < 2)
        status = error_input(e, "%s: has %d variables; give two or more", path, corr->count);
    if (!status) status = check_correlation(corr, &t, e);
    if (!status) status = factorise(corr, &t, e);
    if (status) *corr = (struct correlation){0};
    return status;
}

/* Each number needs the earlier numbers unchanged, so the loop begins with the last. */
void correlation_apply(const struct correlation *corr, double z[])
{
    for (int i = corr->count - 1; i >= 0; i--) {
        double sum = 0;
        for (int k = 0; k <= i; k++) sum += corr->root[i][k] * z[k];
        z[i] = sum;
    }
}
