/* calibration_plots.c — the score against each parameter, and how it rose. */
#include "calibration_report.h"

#include "draw/plot.h"
#include "draw/roundnum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Twentieths that hold all scores. */
static struct plot_axis score_axis(const struct calibration *c, const char *title)
{
    double low = 1, high = 0;
    for (int i = 0; i < c->count; i++) {
        if (isnan(c->evaluation[i].score)) continue;
        low = fmin(low, c->evaluation[i].score);
        high = fmax(high, c->evaluation[i].score);
    }
    low = floor(low * 20) / 20;
    high = ceil(high * 20) / 20;
    return (struct plot_axis){title, low, high > low ? high : low + 0.05};
}

static const char *score_title(const struct calibration *c, char out[64])
{
    const bool one = c->details.observed == 1;
    snprintf(out, 64, "mean score%s%s%s", one ? " (" : "",
             one ? score_names[c->eruption[0].observed.score] : "", one ? ")" : "");
    return out;
}

/* The score of each evaluation, with room for `more` numbers of each after it; NULL: out of memory. */
static double *scores_of(const struct calibration *c, int more)
{
    double *y = malloc((size_t)(1 + more) * (size_t)c->count * sizeof *y);
    for (int i = 0; y && i < c->count; i++) y[i] = c->evaluation[i].score;
    return y;
}

static double axis_value(const struct fit *f, double value)
{
    return f->log ? (value > 0 ? log10(value) : (double)NAN) : value;
}

/* What lies beyond the bounds (the case as it stands) has no place. */
static double within(const struct fit *f, double value)
{
    return value >= f->low && value <= f->high ? axis_value(f, value) : (double)NAN;
}

int calibration_draw_parameter(const struct product_at *at, struct error *e)
{
    const int k = at->i;
    const struct calibration *c = ((const struct calibration_view *)at->of)->c;
    const struct fit *f = &c->fit[k];
    const struct variable_row v = variable_row(f->variable);
    char fit[FIT_NAME], title[FIT_NAME + 48], subtitle[FIT_NAME + 128], y_title[64],
        evaluations[32];
    double *y = scores_of(c, 1);
    if (!y) return error_memory(e);
    double *x = y + c->count;
    fit_name(c, k, fit);
    for (int i = 0; i < c->count; i++) x[i] = within(f, c->evaluation[i].value[k]);
    snprintf(title, sizeof title, "%s%s%s%s%s", f->log ? "log10 of " : "", fit, *v.unit ? " (" : "",
             v.unit, *v.unit ? ")" : "");
    snprintf(subtitle, sizeof subtitle, "%s evaluations; the best at %s = %.4g",
             roundnum_brief(evaluations, c->count), fit, c->evaluation[c->best].value[k]);
    const char *const words[] = {NULL};
    const struct plot_series series[] = {
        {.label = "evaluations", .count = c->count, .x = x, .y = y, .kind = PLOT_DOTS},
        {.label = "case as it stands", .count = 1, .x = x, .y = y, .point = words},
        {.label = "best", .count = 1, .x = x + c->best, .y = y + c->best, .point = words}};
    const struct plot p = {.title = c->plan->base.title,
                           .subtitle = subtitle,
                           .x = {title, axis_value(f, f->low), axis_value(f, f->high)},
                           .y = score_axis(c, score_title(c, y_title)),
                           .count = 3,
                           .series = series};
    int status = product_draw(at, output_draw_plot, &p, e);
    free(y);
    return status;
}

int calibration_draw_trace(const struct product_at *at, struct error *e)
{
    const struct calibration *c = ((const struct calibration_view *)at->of)->c;
    char subtitle[160], y_title[64], evaluations[32];
    double *y = scores_of(c, 2);
    if (!y) return error_memory(e);
    double *x = y + c->count, *best = x + c->count;
    for (int i = 0; i < c->count; i++) {
        x[i] = i;
        best[i] = i ? fmax(best[i - 1], y[i]) : y[i];
    }
    snprintf(subtitle, sizeof subtitle, "%s evaluations of %d run%s; best %.4f",
             roundnum_brief(evaluations, c->count), (int)c->keys.noise_members,
             c->keys.noise_members == 1 ? "" : "s", c->evaluation[c->best].score);
    const struct plot_series series[] = {
        {.label = "evaluations", .count = c->count, .x = x, .y = y, .kind = PLOT_DOTS},
        {.label = "best so far", .count = c->count, .x = x, .y = best}};
    const struct plot p = {.title = c->plan->base.title,
                           .subtitle = subtitle,
                           .note = "The best of many scores is biased upwards: summary.json has "
                                   "its score with noise that the search has not used.",
                           .x = {"evaluation", 0, c->count > 1 ? c->count - 1 : 1},
                           .y = score_axis(c, score_title(c, y_title)),
                           .count = 2,
                           .series = series};
    int status = product_draw(at, output_draw_plot, &p, e);
    free(y);
    return status;
}
