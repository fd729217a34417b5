/* posterior_plots.c — each parameter and each pair of them; how near the runs came. */
#include "calibration_report.h"

#include "draw/corner.h"
#include "draw/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORD = 32 };

/* Texts of an axis. */
struct label {
    char title[FIT_NAME + 16], head[80], tick[CORNER_TICKS][WORD];
};

static void label_axis(struct corner_axis *a, struct label *l, const struct calibration *c, int fit,
                       const struct marginal *m)
{
    char name[FIT_NAME];
    const struct fit *f = &c->fit[fit];
    const struct variable_row v = variable_row(f->variable);
    const double mark[] = {m->p025, m->p50, m->p975};
    snprintf(l->title, sizeof l->title, "%s%s%s%s", fit_name(c, fit, name), *v.unit ? " (" : "",
             v.unit, *v.unit ? ")" : "");
    snprintf(l->head, sizeof l->head, "%.3g (%.3g to %.3g)", m->p50, m->p025, m->p975);
    *a = (struct corner_axis){.title = l->title, .head = l->head};
    for (int i = 0; i < CORNER_TICKS; i++) {
        snprintf(l->tick[i], WORD, "%.3g", fit_value(f, i / (CORNER_TICKS - 1.0)));
        a->tick[i] = l->tick[i];
    }
    for (int i = 0; i < 3; i++) a->mark[i] = fit_unit(f, mark[i]);
}

static int draw_to(const char *path, const void *of, struct error *e)
{
    return corner_write(path, of, e);
}

int posterior_draw_corner(const struct product_at *to, struct error *e)
{
    const struct calibration *c = ((const struct calibration_view *)to->of)->c;
    const struct posterior_sample *s = &((const struct calibration_view *)to->of)->sample;
    struct corner_axis axis[FITS_MAX];
    struct label label[FITS_MAX];
    char subtitle[200];
    int generations;
    const struct smc_generation *g = smc_generations(c->posterior, &generations);
    double *weight = malloc((size_t)s->count * (size_t)(1 + c->fits) * sizeof *weight);
    if (!weight) return error_memory(e);
    double *at = weight + s->count;
    for (int k = 0; k < c->fits; k++) label_axis(&axis[k], &label[k], c, k, &s->of[k]);
    for (int i = 0; i < s->count; i++) {
        const double *value = c->evaluation[s->member[i].evaluation].value;
        weight[i] = (double)s->member[i].weight / POSTERIOR_UNITS;
        for (int k = 0; k < c->fits; k++)
            at[(size_t)i * (size_t)c->fits + (size_t)k] = fit_unit(&c->fit[k], value[k]);
    }
    snprintf(subtitle, sizeof subtitle,
             "%d sets of parameters (effective number %.0f) with a mean score of at least %.4f; %d "
             "evaluations",
             s->count, g[generations - 1].effective, 1 - g[generations - 1].tolerance, c->count);
    const struct corner q = {
        .title = c->plan->base.title,
        .subtitle = subtitle,
        .note = "Titles and orange lines: median (2.5 to 97.5 %). Grey line: the prior, uniform "
                "between the bounds. Axes are linear or logarithmic as in the plan; the "
                "number in the middle is the value there. The area of a dot is its weight. The "
                "widths depend on the requested score.",
        .count = c->fits,
        .axis = axis,
        .points = s->count,
        .at = at,
        .weight = weight};
    int status = product_draw(to, draw_to, &q, e);
    free(weight);
    return status;
}

int posterior_draw_trace(const struct product_at *at, struct error *e)
{
    const struct calibration *c = ((const struct calibration_view *)at->of)->c;
    int count, done = 1;
    const struct smc_generation *g = smc_generations(c->posterior, &count);
    double *x = malloc(4 * (size_t)count * sizeof *x);
    if (!x) return error_memory(e);
    double *tolerance = x + count, *least = tolerance + count, *accepted = least + count, most = 0;
    for (int i = 0; i < count; i++) {
        x[i] = done += g[i].asked;
        tolerance[i] = g[i].tolerance;
        least[i] = g[i].least;
        accepted[i] = i ? (double)g[i].accepted / g[i].asked : (double)NAN;
        most = fmax(most, g[i].tolerance);
        if (i) most = fmax(most, accepted[i]);
    }
    const struct plot_series series[] = {
        {.label = "tolerance: 1 - score of the worst remaining set",
         .count = count,
         .x = x,
         .y = tolerance},
        {.label = "1 - score of the best", .count = count, .x = x, .y = least},
        {.label = "share of a generation within the previous tolerance",
         .count = count,
         .x = x,
         .y = accepted}};
    const struct plot p = {.title = c->plan->base.title,
                           .x = {"evaluations", 0, done},
                           .y = {"1 - mean score; share", 0, ceil(most * 20) / 20 + 0.05},
                           .count = 3,
                           .series = series};
    int status = product_draw(at, output_draw_plot, &p, e);
    free(x);
    return status;
}
