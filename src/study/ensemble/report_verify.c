/* report_verify.c — the forecast against the outline: two tables and two diagrams. */
#include "report.h"

#include "draw/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double observed_share(const struct verification *v, int bin)
{
    return v->bin_cells[bin] ? (double)v->bin_observed[bin] / (double)v->bin_cells[bin]
                             : (double)NAN;
}

int report_reliability(FILE *f, const struct product_at *at, struct error *e)
{
    (void)e;
    const struct verification *v = &((const struct report_view *)at->of)->v;
    fputs("above,up_to,cells,observed_cells,mean_probability,observed_share\n", f);
    for (int k = 0; k < VERIFY_BINS; k++) {
        fprintf(f, "%g,%g,%" PRIu64 ",%" PRIu64, k ? (k - 1) / 10.0 : 0.0, k / 10.0,
                v->bin_cells[k], v->bin_observed[k]);
        if (v->bin_cells[k]) fprintf(f, ",%.9g,%.9g\n", v->bin_forecast[k], observed_share(v, k));
        else fputs(",,\n", f);
    }
    return 0;
}

int report_overlap(FILE *f, const struct product_at *at, struct error *e)
{
    (void)e;
    const struct verification *v = &((const struct report_view *)at->of)->v;
    fputs("probability_at_least,both_cells,either_cells,jaccard\n", f);
    for (int k = 0; k < VERIFY_LEVELS; k++)
        fprintf(f, "%g,%" PRIu64 ",%" PRIu64 ",%.9g\n", k / 100.0, v->both[k], v->either[k],
                verify_jaccard(v, k));
    return 0;
}

int report_draw_reliability(const struct product_at *at, struct error *e)
{
    const struct report *r = ((const struct report_view *)at->of)->r;
    const struct verification *v = &((const struct report_view *)at->of)->v;
    double y[VERIFY_BINS];
    char text[VERIFY_BINS][32], subtitle[160], note[500];
    const char *words[VERIFY_BINS];
    for (int k = 0; k < VERIFY_BINS; k++) {
        y[k] = observed_share(v, k);
        snprintf(text[k], sizeof text[k], "%" PRIu64, v->bin_cells[k]);
        words[k] = text[k];
    }
    snprintf(subtitle, sizeof subtitle,
             "%" PRId64 " members. Brier score %.4f, skill %.3f against the observed share alone",
             r->s->done, v->brier, v->skill);
    snprintf(
        note, sizeof note,
        "Cells: %" PRIu64 " that any member reached or where lava was observed (%" PRIu64
        ", %" PRIu64
        " of them reached by no member: not drawn). Labels: number of cells. Below the diagonal "
        "lava reached fewer of them than forecast. One eruption: cells are not independent.",
        v->cells, v->observed, v->bin_cells[0]);
    /* Bin 0 counts only cells with observed lava: its share has no meaning. */
    const struct plot_series series = {
        "observed share", VERIFY_BINS - 1, v->bin_forecast + 1, y + 1, words + 1, PLOT_LINE};
    const struct plot p = {
        .title = r->s->source->base->title,
        .subtitle = subtitle,
        .note = note,
        .x = {"forecast probability that lava arrives", 0, 1},
        .y = {"share of the cells where it was observed", 0, 1},
        .diagonal = "perfectly reliable",
        .count = 1,
        .series = &series,
    };
    return product_draw(at, output_draw_plot, &p, e);
}

int report_draw_overlap(const struct product_at *at, struct error *e)
{
    const struct report *r = ((const struct report_view *)at->of)->r;
    const struct verification *v = &((const struct report_view *)at->of)->v;
    double x[VERIFY_LEVELS], y[VERIFY_LEVELS];
    char subtitle[160];
    for (int k = 0; k < VERIFY_LEVELS; k++) {
        x[k] = k;
        y[k] = verify_jaccard(v, k);
    }
    snprintf(subtitle, sizeof subtitle,
             "Largest overlap J = %.3f: the region with a probability of at least %d %%",
             y[v->best], v->best);
    const struct plot_series series = {
        "region above the probability, with the outline", VERIFY_LEVELS, x, y, NULL, PLOT_LINE};
    const struct plot p = {
        .title = r->s->source->base->title,
        .subtitle = subtitle,
        .x = {"probability that lava arrives, at least (%)", 0, 100},
        .y = {"overlap J = both / either", 0, 1},
        .count = 1,
        .series = &series,
    };
    return product_draw(at, output_draw_plot, &p, e);
}
