/* sensitivity_report.c — the files of a sensitivity analysis: a summary, and for each stage tables of
 * indices and points, bars, layers and a map of the parameter that matters most. */
#include "sensitivity.h"

#include "calibration/calibration_report.h"
#include "record/json_number.h"
#include "record/roundnum.h"
#include "text/table.h"
#include "text/words.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Texts and numbers by which the results of a stage are shown. */
static const struct stage_texts {
    const char *group, *groups, *title;
    const char *const *columns;
    int bar[2], conf[2];  /* columns that the two bars show; columns of their intervals, -1: none */
    const char *label[2]; /* labels of the bars */
    const char *decides;  /* name of the index that decides which parameter matters most */
    const char *unit;     /* unit of the bars; NULL: the unit of the quantity */
    const char *note;
} texts_of[STAGES] = {
    [STAGE_MORRIS] = {"trajectory",
                      "trajectories",
                      "Morris screening",
                      morris_columns,
                      {MORRIS_MU_STAR, MORRIS_SIGMA},
                      {MORRIS_MU_STAR_CONF, -1},
                      {"mu_star: mean amount of its effects", "sigma: how much they differ"},
                      "mu_star",
                      NULL,
                      "An effect is the change of the quantity for a change of the parameter over "
                      "its whole range. A sigma as large as mu_star indicates interactions, or a "
                      "response that is not linear."},
    [STAGE_SOBOL] = {"sample",
                     "samples",
                     "Sobol indices",
                     sobol_columns,
                     {SOBOL_ST, SOBOL_S1},
                     {SOBOL_ST_CONF, SOBOL_S1_CONF},
                     {"total index ST: alone and with others", "first-order index S1: alone"},
                     "total Sobol index",
                     "share of the variance",
                     "Shares of the variance of the quantity between the bounds of the plan. Total "
                     "less first order: interactions."}};

void sensitivity_effort(const struct sensitivity *x, int stage, char text[96])
{
    const struct stage *s = &x->stage[stage];
    char groups[40];
    snprintf(groups, sizeof groups, "%s" WORDS_NEXT, texts_of[stage].groups);
    words_pack(text, 96, "%lld %s, %lld {run|runs}", (long long)s->done, groups,
               (long long)stage_runs(x, s, s->done));
}

/* Sorts the numbers 0 to count - 1: first the number with the largest by[]. */
static void rank(const double *by, int count, int order[FITS_MAX])
{
    for (int i = 0; i < count; i++) {
        int k = i;
        for (; k > 0 && by[i] > by[order[k - 1]]; k--) order[k] = order[k - 1];
        order[k] = i;
    }
}

void sensitivity_rank(const struct sensitivity *x, int stage, int quantity, int order[FITS_MAX])
{
    const struct indices *of = &x->stage[stage].index[quantity];
    rank(of->of[texts_of[stage].bar[0]], x->fits, order);
}

/* ---- indices --------------------------------------------------------------------------------- */

int sensitivity_indices(struct indices *out, const struct sensitivity *x, const struct stage *s,
                        int quantity, struct error *e)
{
    const struct resampling r = {x->keys.resamples, x->keys.confidence};
    struct design d = s->design;
    const int64_t count = s->done * d.points;
    FREED double *y = malloc((size_t)count * sizeof *y);
    if (!y) return error_memory(e);
    for (int64_t i = 0; i < count; i++) y[i] = s->value[i * x->quantities + quantity];
    d.groups = s->done;
    return indices_compute(out, &d, y, &r, e);
}

/* The share of the terrain errors in the variance of a quantity: the mean squared standard error divided by the
 * variance. NaN: there is one member, or the variance is 0. */
static double noise_share(const struct sensitivity *x, const struct stage *s, int quantity,
                          const struct indices *of)
{
    const double points = (double)s->done * s->design.points;
    return x->keys.noise_members > 1 && of->varies ? s->noise[quantity] / points / of->variance
                                                   : (double)NAN;
}

/* Computes the indices of each stage from its finished groups. */
static int find_indices(struct sensitivity *x, struct error *e)
{
    int status = 0;
    for (int i = 0; i < STAGES && !status; i++) {
        struct stage *s = &x->stage[i];
        free(s->index);
        s->index = NULL;
        if (!s->wanted || s->done < 2) continue;
        if (!(s->index = malloc((size_t)x->quantities * sizeof *s->index))) return error_memory(e);
        for (int q = 0; q < x->quantities && !status; q++)
            status = sensitivity_indices(&s->index[q], x, s, q, e);
    }
    x->indexed = status ? 0 : sensitivity_runs(x);
    return status;
}

static void add_parameters(cJSON *list, const struct product_at *at)
{
    const struct sensitivity *x = at->of;
    for (int i = 0; i < x->fits; i++) calibration_add_fit(list, &x->fit[i]);
}

static void add_sampling(cJSON *o, const struct product_at *at)
{
    const struct sensitivity *x = at->of;
    cJSON_AddStringToObject(o, "end", study_end(x->job));
    json_add_numbers(o, {"seed", x->seed}, {"runs", sensitivity_runs(x)},
                     {"noise_members", x->keys.noise_members},
                     {"terrain_error_m", x->plan->keys.terrain_error_m},
                     {"terrain_error_length_m", x->plan->keys.terrain_error_length_m},
                     {"resamples", x->keys.resamples}, {"confidence", x->keys.confidence});
}

/* Adds a square table of pairs in the format of SALib: only numbers above the diagonal have a meaning. */
static void add_pairs(cJSON *o, const char *name, int n,
                      const double of[DESIGN_DIMENSIONS_MAX][DESIGN_DIMENSIONS_MAX])
{
    cJSON *rows = cJSON_AddArrayToObject(o, name);
    for (int i = 0; i < n; i++) cJSON_AddItemToArray(rows, cJSON_CreateDoubleArray(of[i], n));
}

static void add_quantity(cJSON *to, const struct sensitivity *x, int stage, int quantity)
{
    const struct stage *s = &x->stage[stage];
    const struct indices *of = &s->index[quantity];
    cJSON *o = cJSON_AddObjectToObject(to, x->quantity[quantity].name);
    json_add_numbers(o, {"mean", of->mean}, {"variance", of->variance},
                     {"noise_share", noise_share(x, s, quantity, of)});
    for (int k = 0; k < INDEX_COLUMNS; k++)
        cJSON_AddItemToObject(o, texts_of[stage].columns[k],
                              cJSON_CreateDoubleArray(of->of[k], x->fits));
    if (stage != STAGE_SOBOL || !x->keys.second_order) return;
    add_pairs(o, "S2", x->fits, of->S2);
    add_pairs(o, "S2_conf", x->fits, of->S2_conf);
}

static void add_stage(cJSON *o, const struct product_at *at)
{
    const struct sensitivity *x = at->of;
    const int stage = at->row->number;
    const struct stage *s = &x->stage[stage];
    char asked_for[32];
    snprintf(asked_for, sizeof asked_for, "%s_asked_for", texts_of[stage].groups);
    json_add_numbers(o, {texts_of[stage].groups, s->done}, {asked_for, s->design.groups});
    if (stage == STAGE_SOBOL) cJSON_AddBoolToObject(o, "second_order", s->design.second_order);
    else cJSON_AddNumberToObject(o, "levels", s->design.levels);
    json_add_numbers(o, {"runs", (double)stage_runs(x, s, s->done)}, {"runs_off_terrain", s->left});
    if (!s->index) return;
    cJSON *names = cJSON_AddArrayToObject(o, "names");
    for (int i = 0; i < x->fits; i++)
        cJSON_AddItemToArray(names, cJSON_CreateString(x->fit[i].name));
    cJSON *of = cJSON_AddObjectToObject(o, "quantities");
    for (int q = 0; q < x->quantities; q++) add_quantity(of, x, stage, q);
    const struct cell_view v = stage_cells(x, s);
    double cells[FITS_MAX] = {0};
    for (size_t i = 0; i < s->cells.places; i++) {
        const int64_t *sum = cells_at(&s->cells, i);
        const int best = sum ? cell_dominating(&v, sum) : -1;
        if (best >= 0) cells[best]++;
    }
    cJSON_AddItemToObject(o, "cells_dominated", cJSON_CreateDoubleArray(cells, x->fits));
}

static const struct product entries[] = {
    {PRODUCT_LIST, "parameters", .entry = add_parameters},
    {PRODUCT_ENTRY, "sampling", .entry = add_sampling},
    {PRODUCT_ENTRY, "morris", PRODUCT_COUNT(struct sensitivity, stage[STAGE_MORRIS].wanted),
     .entry = add_stage, .number = STAGE_MORRIS},
    {PRODUCT_ENTRY, "sobol", PRODUCT_COUNT(struct sensitivity, stage[STAGE_SOBOL].wanted),
     .entry = add_stage, .number = STAGE_SOBOL},
};

char *sensitivity_summary(const struct study_job *j)
{
    static const struct product_table table = {PRODUCT_TABLE_OF(entries)};
    const struct sensitivity *x = j->self;
    const struct products p = {.of = x, .table = &table};
    cJSON *root = study_summary(j, x->digest);
    products_entries(root, &p);
    json_add_hex(root, "digest", sensitivity_digest(x));
    return study_summary_text(j, root, "compute_s");
}

/* What the products of a stage show. */
struct stage_report {
    const struct sensitivity *x;
    const struct stage *s;
    int stage;
    struct cell_view cells;
    /* Numbers of diagrams, of layers of each index, and of tables of S2. */
    int quantities, parameters, has_second_order;
    char effort[96], names[PRODUCT_ABOUT]; /* names: "1 Pcool, 2 Ptsol" */
};

/* ---- tables, in the order of SALib ----------------------------------------------------------- */

static void put_indices(struct table *t, const struct product_at *at)
{
    const struct stage_report *part = at->of;
    const struct sensitivity *x = part->x;
    TABLE_ROWS (*t, row, (int64_t)x->quantities * x->fits) {
        const int q = (int)row / x->fits, i = (int)row % x->fits;
        TABLE_TEXT(t, "quantity", x->quantity[q].name);
        TABLE_TEXT(t, "parameter", x->fit[i].name);
        for (int k = 0; k < INDEX_COLUMNS; k++)
            TABLE_REAL(t, texts_of[part->stage].columns[k], "", 0, part->s->index[q].of[k][i]);
    }
}

static void put_second_order(struct table *t, const struct product_at *at)
{
    const struct stage_report *part = at->of;
    const struct sensitivity *x = part->x;
    TABLE_ROWS (*t, row, (int64_t)x->quantities * x->fits * x->fits) {
        const int q = (int)row / x->fits / x->fits, i = (int)row / x->fits % x->fits,
                  j = (int)row % x->fits;
        if (!t->head && j <= i) continue;
        TABLE_TEXT(t, "quantity", x->quantity[q].name);
        TABLE_TEXT(t, "parameter_1", x->fit[i].name);
        TABLE_TEXT(t, "parameter_2", x->fit[j].name);
        TABLE_REAL(t, "S2", "", 0, part->s->index[q].S2[i][j]);
        TABLE_REAL(t, "S2_conf", "", 0, part->s->index[q].S2_conf[i][j]);
    }
}

static void put_points(struct table *t, const struct product_at *at)
{
    const struct stage_report *part = at->of;
    const struct sensitivity *x = part->x;
    const struct stage *s = part->s;
    TABLE_ROWS (*t, i, s->done * s->design.points) {
        double value[FITS_MAX];
        const int64_t group = i / s->design.points;
        sensitivity_point(x, &s->design, group, (int)(i % s->design.points), value);
        TABLE_COUNT(t, texts_of[part->stage].group, group);
        for (int k = 0; k < x->fits; k++) TABLE_REAL(t, x->fit[k].name, "", 0, value[k]);
        for (int q = 0; q < x->quantities; q++)
            TABLE_REAL(t, x->quantity[q].name, "", 0, s->value[i * x->quantities + q]);
    }
}

/* ---- bars ------------------------------------------------------------------------------------ */

/* Draws two bars for each parameter. Bars may be negative, because estimates of shares may be below 0. */
static int draw_bars(const struct product_at *at, struct error *e)
{
    enum { BARS = 2 * FITS_MAX };
    const struct stage_report *part = at->of;
    const struct stage_texts *w = &texts_of[part->stage];
    const struct sensitivity *x = part->x;
    const struct indices *of = &part->s->index[at->i];
    const char *label[BARS], *quantity = x->quantity[at->i].words;
    double value[BARS], low[BARS], high[BARS];
    int order[FITS_MAX], group[BARS];
    char subtitle[400], intervals[40], by[PRODUCT_BY];
    sensitivity_rank(x, part->stage, at->i, order);
    for (int b = 0; b < 2 * x->fits; b++) {
        const int i = order[b / 2], conf = w->conf[b % 2];
        const double half = conf < 0 ? (double)NAN : of->of[conf][i];
        label[b] = b % 2 ? "" : x->fit[i].name;
        group[b] = b % 2;
        value[b] = of->of[w->bar[b % 2]][i];
        low[b] = value[b] - half;
        high[b] = value[b] + half;
    }
    words_pack(intervals, sizeof intervals, "intervals of %g %%", 100 * x->keys.confidence);
    snprintf(subtitle, sizeof subtitle,
             "%s" WORDS_NEXT WORDS_PART ": " WORDS_PART "%s" WORDS_PART "; " WORDS_PART
             "%s" WORDS_PART "; " WORDS_PART "%s",
             w->title, quantity, part->effort, intervals);
    const struct chart c = {.title = x->plan->base.title,
                            .subtitle = subtitle,
                            .unit = w->unit ? w->unit : quantity,
                            .note = w->note,
                            .by = product_by(by, at),
                            .warning = product_warning(at->all->c),
                            .count = 2 * x->fits,
                            .label = label,
                            .value = value,
                            .lo = low,
                            .hi = high,
                            .group = group,
                            .group_count = 2,
                            .group_label = w->label};
    const struct scene scene = scene_of_chart(&c);
    return product_paint(at, &scene, e);
}

/* Names a quantity. False: the quantity is equal at all points, so it has no bars. */
static bool name_quantity(const void *of, int i, char *name, char *about)
{
    const struct stage_report *part = of;
    snprintf(name, PRODUCT_WORD, "%s", part->x->quantity[i].name);
    return part->s->index[i].varies;
}

/* ---- layers ---------------------------------------------------------------------------------- */

/* What a layer or a map shows in each cell (row->number). FIRST_ORDER, TOTAL and MU_STAR are of parameter at->i. */
enum { PROBABILITY, FIRST_ORDER, TOTAL, MU_STAR, DOMINATING };

static double index_at(const struct product_at *at, size_t cell)
{
    const struct cell_view *v = &((const struct stage_report *)at->of)->cells;
    const int64_t *sum = cells_at(v->cells, cell);
    if (!sum) return NAN;
    switch (at->row->number) {
    case PROBABILITY:
        return cell_probability(v, sum);
    case FIRST_ORDER:
        return cell_first_order(v, sum, at->i);
    case TOTAL:
        return cell_total(v, sum, at->i);
    case MU_STAR:
        return cell_mu_star(v, sum, at->i);
    default: {
        const int best = cell_dominating(v, sum);
        return best < 0 ? (double)NAN : best + 1; /* numbers begin with 1 */
    }
    }
}

static bool name_parameter(const void *of, int i, char *name, char *about)
{
    const char *parameter = ((const struct stage_report *)of)->x->fit[i].name;
    calibration_file_word(parameter, name);
    snprintf(about, PRODUCT_WORD, "%s", parameter);
    return true;
}

static bool name_parameters(const void *of, int i, char *name, char *about)
{
    snprintf(about, PRODUCT_ABOUT, "%s", ((const struct stage_report *)of)->names);
    return true;
}

/* ---- the map --------------------------------------------------------------------------------- */

enum { COLOURS = COLOURS_DISTINCT - 1 }; /* all further parameters share grey */

/* Makes a class for each of the COLOURS parameters that dominate in most cells, and one class for all others.
 * class_of[]: the class of each parameter. Returns the number of classes. */
static int classify(struct product_map *m, int class_of[FITS_MAX], const struct sensitivity *x)
{
    const size_t places = (size_t)m->map.rows * (size_t)m->map.cols;
    double cells[FITS_MAX] = {0};
    int order[FITS_MAX], shown = 0;
    for (size_t i = 0; i < places; i++)
        if (!isnan(m->value[i])) cells[(int)m->value[i] - 1]++;
    rank(cells, x->fits, order);
    for (; shown < x->fits && shown < COLOURS && cells[order[shown]] > 0; shown++) {
        m->classes[shown] =
            (struct map_class){colours_distinct(shown), x->fit[order[shown]].name, 0};
        class_of[order[shown]] = shown + 1;
    }
    if (shown < COLOURS || shown == x->fits || !(cells[order[COLOURS]] > 0)) return shown;
    m->classes[COLOURS] = (struct map_class){colours_distinct(COLOURS), "others", 0};
    for (int k = COLOURS; k < x->fits; k++) class_of[order[k]] = COLOURS + 1;
    return COLOURS + 1;
}

static bool map_dominating(const struct product_at *at, struct product_map *m)
{
    const struct stage_report *part = at->of;
    int class_of[FITS_MAX] = {0};
    const struct stage *s = &part->x->stage[part->stage];
    char decides[40], groups[40];
    snprintf(decides, sizeof decides, "%s" WORDS_NEXT, texts_of[part->stage].decides);
    snprintf(groups, sizeof groups, "%s" WORDS_NEXT, texts_of[part->stage].groups);
    map_set_classes(&m->map, m->classes, classify(m, class_of, part->x));
    for (size_t i = 0; i < part->s->cells.places; i++)
        if (!isnan(m->value[i])) m->value[i] = class_of[(int)m->value[i] - 1];
    words_pack(m->subtitle, sizeof m->subtitle,
               "The parameter that decides most whether lava arrives: the largest %s (%lld %s, "
               "%lld {run|runs})",
               decides, (long long)s->done, groups, (long long)stage_runs(part->x, s, s->done));
    return m->map.class_count > 0;
}

#define COUNT(member) PRODUCT_COUNT(struct stage_report, member)
#define INDEX(name, of, which)                                                                     \
    {                                                                                              \
        PRODUCT_LAYER, name "_*", "", of " of * on whether lava arrives", COUNT(parameters),       \
            .word = name_parameter, .value = index_at, .number = which, .further = true            \
    }
/* The products of both stages. */
#define OF_STAGE(name)                                                                             \
    {PRODUCT_TABLE, name "_points.csv", .rows = put_points, .further = true},                      \
        {PRODUCT_DIAGRAM,       name "_*",         COUNT(quantities),                              \
         .word = name_quantity, .draw = draw_bars, .further = true},                               \
        {PRODUCT_LAYER,                                                                            \
         name "_probability",                                                                      \
         "",                                                                                       \
         "probability that lava arrives, between the bounds",                                      \
         .value = index_at,                                                                        \
         .number = PROBABILITY,                                                                    \
         .further = true},                                                                         \
    {                                                                                              \
        PRODUCT_CODES, name "_dominating", "",                                                     \
            "parameter that decides most whether lava arrives: *",                                 \
            .word = name_parameters, .value = index_at, .number = DOMINATING                       \
    }
#define MAP_OF(name)                                                                               \
    {                                                                                              \
        PRODUCT_MAP, "map_" name, .about = "deciding parameter", .value = index_at,                \
                                  .number = DOMINATING, .map = map_dominating                      \
    }

static const struct product morris_rows[] = {
    {PRODUCT_TABLE, "morris.csv", .rows = put_indices},
    OF_STAGE("morris"),
    INDEX("morris_mu_star", "mu_star", MU_STAR),
    MAP_OF("morris"),
};

static const struct product sobol_rows[] = {
    {PRODUCT_TABLE, "sobol.csv", .rows = put_indices},
    {PRODUCT_TABLE, "sobol_second_order.csv", COUNT(has_second_order), .rows = put_second_order,
     .further = true},
    OF_STAGE("sobol"),
    INDEX("sobol_S1", "first-order Sobol index", FIRST_ORDER),
    INDEX("sobol_ST", "total Sobol index", TOTAL),
    MAP_OF("sobol"),
};

static const struct product state_rows[] = {{.kind = PRODUCT_FILE, .name = SENSITIVITY_STATE}};
static const struct product_table state = {PRODUCT_TABLE_OF(state_rows)},
                                  sobol = {PRODUCT_TABLE_OF(sobol_rows), .next = &state};
const struct product_table sensitivity_files = {PRODUCT_TABLE_OF(morris_rows), .next = &sobol};

static bool was_reached(const void *of, size_t cell)
{
    return cells_at(((const struct stage_report *)of)->cells.cells, cell) != NULL;
}

static void describe_stage(struct stage_report *part, const struct sensitivity *x, int stage)
{
    size_t n = 0;
    *part = (struct stage_report){.x = x, .s = &x->stage[stage], .stage = stage};
    part->cells = stage_cells(x, part->s);
    part->quantities = x->quantities;
    part->parameters = x->fits;
    part->has_second_order = x->keys.second_order;
    sensitivity_effort(x, stage, part->effort);
    for (int i = 0; i < x->fits; i++)
        n += (size_t)snprintf(part->names + n, sizeof part->names - n, "%s%d %s", i ? ", " : "",
                              i + 1, x->fit[i].name);
}

static int stage_products(const struct sensitivity *x, int stage, struct error *e)
{
    struct stage_report part;
    struct products p = {.info = &x->job->info,
                         .c = &x->plan->base,
                         .of = &part,
                         .table = stage == STAGE_MORRIS ? &sensitivity_files : &sobol,
                         .kind = "sensitivity",
                         .told = study_told(x->job),
                         .digest = sensitivity_digest(x),
                         .vent = x->vent,
                         .vents = x->vents,
                         .outline = observations_outline(&x->observed),
                         .reached = was_reached};
    describe_stage(&part, x, stage);
    product_item(&p.items, "SOFTWARE", "sciara %s", x->job->info.version);
    product_item(&p.items, "CASE", "%s", p.c->name);
    product_item(&p.items, "TERRAIN", "%s", p.c->terrain_source);
    product_item(&p.items, "RUNS", "%s", WORDS_ENGLISH(part.effort));
    product_item(&p.items, "PARAMETERS", "%s", part.names);
    product_item(&p.items, "SENSITIVITY_DIGEST", "%016" PRIx64, p.digest);
    return products_write(&p, e);
}

void sensitivity_warn(const struct study_job *j, struct warnings *w)
{
    const struct sensitivity *x = j->self;
    int64_t left = 0, runs = 0;
    char text[160], share[32];
    for (int i = 0; i < STAGES; i++) {
        left += x->stage[i].left;
        runs += stage_runs(x, &x->stage[i], x->stage[i].done);
    }
    assets_warn(&x->places, x->plan->assets, w);
    if (!left) return;
    words_pack(text, sizeof text, "lava leaves the terrain in %s %% of the runs" PRODUCTS_OUTSIDE,
               roundnum_brief(share, 100.0 * (double)left / (double)runs));
    warnings_add(w, WARNING_RESULT, text, "use a larger DEM");
}

/* Writes the files. The indices remain, for sensitivity_summary() and for commands that print them. */
int sensitivity_write(const struct study_job *j, struct error *e)
{
    struct sensitivity *x = j->self;
    int status = j->info.reader && x->indexed == sensitivity_runs(x) ? 0 : find_indices(x, e);
    for (int i = 0; i < STAGES && !status; i++)
        if (x->stage[i].index) status = stage_products(x, i, e);
    return status;
}
