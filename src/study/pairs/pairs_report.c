#include "pairs_report.h"

#include "run/output_picture.h"
#include "restart/json_number.h"
#include "text/wholefile.h"

#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool pairs_is_file(const char *name)
{
    static const char *const names[] = {"probability_with.tif",
                                        "probability_without.tif",
                                        "probability_difference.tif",
                                        "probability_difference_error.tif",
                                        "arrival_difference_h.tif",
                                        "arrival_difference_error_h.tif",
                                        "pairs.csv",
                                        "assets_difference.csv",
                                        PAIRS_STATE};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) return true;
    return output_picture_is(name, "map_difference");
}

/* ---- together -------------------------------------------------------------------------------- */

/* Mean and standard error of something about every pair, weighted. */
struct mean {
    double sum, squares, weight, weight2;
};

static void add(struct mean *m, double weight, double x)
{
    m->sum += weight * x;
    m->squares += weight * x * x;
    m->weight += weight;
    m->weight2 += weight * weight;
}

static double mean_of(const struct mean *m, double *error)
{
    const double mean = m->sum / m->weight, n = m->weight * m->weight / m->weight2;
    const double spread = fmax(0, m->squares / m->weight - mean * mean);
    *error = n > 1.5 ? sqrt(spread / (n - 1)) : (double)NAN;
    return mean;
}

struct pairs_found pairs_find(const struct pairs *x)
{
    const double area_m2 = plan_case(x->plan)->geo.cell_m * plan_case(x->plan)->geo.cell_m;
    struct pairs_found f = {0};
    struct mean side[PAIR_SIDES] = {{0}}, less = {0};
    for (int64_t i = 0; i < x->done; i++) {
        const struct pair_result *p = &x->result[i];
        const double w = (double)p->weight;
        double m2[PAIR_SIDES];
        for (int k = 0; k < PAIR_SIDES; k++)
            add(&side[k], w, m2[k] = (double)p->of[k].cells * area_m2);
        add(&less, w, m2[PAIR_WITH] - m2[PAIR_WITHOUT]);
    }
    for (int k = 0; k < PAIR_SIDES; k++) f.area_m2[k] = mean_of(&side[k], &f.area_error_m2[k]);
    f.area_difference_m2 = mean_of(&less, &f.area_difference_error_m2);
    for (size_t i = 0; i < x->cells.places; i++) {
        const struct pair_count *c = pair_sums_at(&x->cells, i);
        if (!c) continue;
        const struct pair_said s = pair_sums_say(&x->cells, c, x->class_h);
        f.largest_error = fmax(f.largest_error, s.error);
        if (!(fabs(s.difference) > 2 * s.error)) continue;
        if (s.difference < 0) f.spared_m2 += area_m2;
        else f.struck_m2 += area_m2;
    }
    return f;
}

/* ---- the summary ----------------------------------------------------------------------------- */

static void add_pairs(cJSON *root, const struct pairs_report *r)
{
    const struct pairs *x = r->x;
    int64_t off[PAIR_SIDES] = {0}, sea[PAIR_SIDES] = {0};
    cJSON *o = cJSON_AddObjectToObject(root, "pairs");
    cJSON_AddStringToObject(o, "what", "barriers");
    cJSON_AddNumberToObject(o, "planned", (double)x->count);
    cJSON_AddNumberToObject(o, "done", (double)x->done);
    cJSON_AddStringToObject(o, "end", r->end);
    cJSON_AddNumberToObject(o, "effective", pair_sums_effective(&x->cells));
    cJSON_AddNumberToObject(o, "arrival_resolution_h", x->class_h);
    for (int64_t i = 0; i < x->done; i++)
        for (int k = 0; k < PAIR_SIDES; k++) {
            off[k] += x->result[i].of[k].off_terrain;
            sea[k] += x->result[i].of[k].into_sea;
        }
    for (int k = 0; k < PAIR_SIDES; k++) {
        cJSON *side = cJSON_AddObjectToObject(o, pair_sides[k]);
        cJSON_AddNumberToObject(side, "off_terrain", (double)off[k]);
        if (plan_case(x->plan)->sea) cJSON_AddNumberToObject(side, "into_sea", (double)sea[k]);
    }
}

static void add_found(cJSON *root, const struct pairs *x)
{
    const struct pairs_found f = pairs_find(x);
    cJSON *o = cJSON_AddObjectToObject(root, "lava");
    for (int k = 0; k < PAIR_SIDES; k++) {
        cJSON *side = cJSON_AddObjectToObject(o, pair_sides[k]);
        cJSON_AddNumberToObject(side, "area_m2", f.area_m2[k]);
        cJSON_AddNumberToObject(side, "area_error_m2", f.area_error_m2[k]);
    }
    cJSON_AddNumberToObject(o, "area_difference_m2", f.area_difference_m2);
    cJSON_AddNumberToObject(o, "area_difference_error_m2", f.area_difference_error_m2);
    cJSON_AddNumberToObject(o, "largest_probability_error", f.largest_error);
    cJSON_AddNumberToObject(o, "less_probable_m2", f.spared_m2);
    cJSON_AddNumberToObject(o, "more_probable_m2", f.struck_m2);
}

char *pairs_summary_text(const struct pairs_report *r)
{
    const struct pairs *x = r->x;
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "software", "sciara");
    cJSON_AddStringToObject(root, "version", r->info->version);
    cJSON_AddStringToObject(root, "kind", "pairs");
    output_list_plan(root, plan_case(x->plan), x->digest);
    output_list_grid(root, plan_case(x->plan));
    output_list_sea(root, plan_case(x->plan));
    output_list_barriers(root, plan_case(x->plan));
    add_pairs(root, r);
    add_found(root, x);
    json_add_hex(root, "digest", pairs_digest(x));
    cJSON *o = cJSON_AddObjectToObject(root, "timing");
    if (r->devices) cJSON_AddNumberToObject(o, "devices", r->devices);
    else cJSON_AddNumberToObject(o, "threads", r->threads);
    cJSON_AddNumberToObject(o, "compute_s", r->compute_s);
    cJSON_AddNumberToObject(o, "total_s", r->total_s);
    return output_finish_summary(root, r->info);
}

int pairs_report_write(const struct pairs_report *r, struct error *e)
{
    output_go_on(r->info);
    int status = pairs_layers(r, e);
    if (!status) status = pairs_tables(r, e);
    if (!status) status = pairs_map(r, e);
    return status ? status : output_end(r->info, plan_case(r->x->plan), pairs_summary_text(r), e);
}
