/* sensitivity_charts.c — bars of each quantity: the parameters, those that matter most first. */
#include "sensitivity_report.h"

#include "draw/chart.h"
#include "products/picture.h"

#include <math.h>
#include <stdio.h>

enum { BARS = 2 * FITS_MAX };

struct bars {
    int count, group[BARS];
    const char *label[BARS];
    double value[BARS], low[BARS], high[BARS];
};

/* An estimate may be below 0, a bar is not; its interval shows it. */
static void add(struct bars *b, const char *label, int group, double value, double conf)
{
    const int i = b->count++;
    b->label[i] = label;
    b->group[i] = group;
    b->value[i] = isnan(value) ? value : fmax(0, value);
    b->low[i] = isnan(conf) ? conf : fmax(0, value - conf);
    b->high[i] = isnan(conf) ? conf : fmax(0, value + conf);
}

static int draw_to(const char *path, const void *of, struct error *e)
{
    return chart_bars(path, of, e);
}

static int draw(const struct sensitivity_report *r, int stage, int quantity, struct error *e)
{
    static const char *const sobol_labels[] = {"total index ST: alone and with others",
                                               "first-order index S1: alone"},
                             *const morris_labels[] = {"mu_star: mean amount of its effects",
                                                       "sigma: how much they differ"};
    static const char *const notes[] = {
        [STAGE_MORRIS] =
            "An effect is the change of the quantity for a change of the parameter over "
            "its whole range. A sigma as large as mu_star tells of interactions, or "
            "of a response that is not linear.",
        [STAGE_SOBOL] = "Shares of the variance of the quantity between the bounds of the plan. "
                        "Total less first order: interactions."};
    const struct sensitivity *x = r->x;
    const struct indices *of = &r->of[stage][quantity];
    const bool sobol = stage == STAGE_SOBOL;
    const double none = NAN;
    struct bars b = {0};
    int order[FITS_MAX];
    char name[128], effort[96], subtitle[320];
    sensitivity_rank(r, stage, quantity, order);
    for (int k = 0; k < x->fits; k++) {
        const int i = order[k];
        add(&b, sensitivity_name(x, i), 0, of->of[sobol ? SOBOL_ST : MORRIS_MU_STAR][i],
            of->of[sobol ? SOBOL_ST_CONF : MORRIS_MU_STAR_CONF][i]);
        add(&b, "", 1, of->of[sobol ? SOBOL_S1 : MORRIS_SIGMA][i],
            sobol ? of->of[SOBOL_S1_CONF][i] : none);
    }
    sensitivity_effort(x, stage, effort);
    snprintf(subtitle, sizeof subtitle, "%s: %s; %s; intervals of %g %%",
             sobol ? "Sobol indices" : "Morris screening", x->quantity[quantity].words, effort,
             100 * x->keys.confidence);
    const struct chart c = {.title = x->plan->base.title,
                            .subtitle = subtitle,
                            .unit = sobol ? "share of the variance" : x->quantity[quantity].words,
                            .note = notes[stage],
                            .count = b.count,
                            .label = b.label,
                            .value = b.value,
                            .lo = b.low,
                            .hi = b.high,
                            .group = b.group,
                            .group_count = 2,
                            .group_label = sobol ? sobol_labels : morris_labels};
    snprintf(name, sizeof name, "%s_%s", stage_names[stage], x->quantity[quantity].name);
    return output_picture(r->info, &x->plan->base, name, draw_to, &c, e);
}

/* What is the same everywhere has no bars. */
int sensitivity_charts(const struct sensitivity_report *r, int stage, struct error *e)
{
    int status = 0;
    for (int q = 0; q < r->x->quantities && !status; q++)
        if (r->of[stage][q].varies) status = draw(r, stage, q, e);
    return status;
}
