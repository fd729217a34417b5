/* report_verify.c — the forecast against the outline: two tables and two diagrams. */
#include "report.h"

#include "draw/plot.h"
#include "products/picture.h"
#include "text/atomic_file.h"
#include "verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double observed_share(const struct verification *v, int bin)
{
    return v->bin_cells[bin] ? (double)v->bin_observed[bin] / (double)v->bin_cells[bin]
                             : (double)NAN;
}

static int finish_table(const struct report *r, struct atomic_file *w, const char *path,
                        struct error *e)
{
    return output_done(r->info, path, atomic_file_finish(w, e), e);
}

static int write_reliability(const struct report *r, const struct verification *v, struct error *e)
{
    struct atomic_file w;
    char *path = report_path(r, "reliability.csv", e);
    if (!path) return ERROR_FAILED;
    int status = atomic_file_open(&w, path, e);
    if (!status) {
        fputs("above,up_to,cells,observed_cells,mean_probability,observed_share\n", w.stream);
        for (int k = 0; k < VERIFY_BINS; k++) {
            fprintf(w.stream, "%g,%g,%" PRIu64 ",%" PRIu64, k ? (k - 1) / 10.0 : 0.0, k / 10.0,
                    v->bin_cells[k], v->bin_observed[k]);
            if (v->bin_cells[k])
                fprintf(w.stream, ",%.9g,%.9g\n", v->bin_forecast[k], observed_share(v, k));
            else fputs(",,\n", w.stream);
        }
        status = finish_table(r, &w, path, e);
    }
    free(path);
    return status;
}

static int write_overlap(const struct report *r, const struct verification *v, struct error *e)
{
    struct atomic_file w;
    char *path = report_path(r, "overlap.csv", e);
    if (!path) return ERROR_FAILED;
    int status = atomic_file_open(&w, path, e);
    if (!status) {
        fputs("probability_at_least,both_cells,either_cells,jaccard\n", w.stream);
        for (int k = 0; k < VERIFY_LEVELS; k++)
            fprintf(w.stream, "%g,%" PRIu64 ",%" PRIu64 ",%.9g\n", k / 100.0, v->both[k],
                    v->either[k], verify_jaccard(v, k));
        status = finish_table(r, &w, path, e);
    }
    free(path);
    return status;
}

static int draw(const struct report *r, const char *name, const struct plot *p, struct error *e)
{
    return output_picture(r->info, r->s->source->base, name, output_draw_plot, p, e);
}

static int draw_reliability(const struct report *r, const struct verification *v, struct error *e)
{
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
    snprintf(note, sizeof note,
             "Of the %" PRIu64 " cells to which any member's lava came or where lava was observed "
             "(%" PRIu64 ", %" PRIu64 " of them reached by no member: not drawn). Beside the "
             "points: number of cells. Below the diagonal lava came to fewer of them than "
             "forecast. One eruption: cells are not independent.",
             v->cells, v->observed, v->bin_cells[0]);
    /* Bin 0 counts only where lava was observed: its share says nothing. */
    const struct plot_series series = {
        "observed share", VERIFY_BINS - 1, v->bin_forecast + 1, y + 1, words + 1, PLOT_LINE};
    const struct plot p = {
        .title = r->s->source->base->title,
        .subtitle = subtitle,
        .note = note,
        .x = {"forecast probability that lava comes", 0, 1},
        .y = {"share of the cells where it was observed", 0, 1},
        .diagonal = "perfectly reliable",
        .count = 1,
        .series = &series,
    };
    return draw(r, "reliability", &p, e);
}

static int draw_overlap(const struct report *r, const struct verification *v, struct error *e)
{
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
        .x = {"probability that lava comes, at least (%)", 0, 100},
        .y = {"overlap J = both / either", 0, 1},
        .count = 1,
        .series = &series,
    };
    return draw(r, "overlap", &p, e);
}

int report_verification(const struct report *r, const struct verification *v, struct error *e)
{
    int status = write_reliability(r, v, e);
    if (!status) status = write_overlap(r, v, e);
    if (!status) status = draw_reliability(r, v, e);
    return status ? status : draw_overlap(r, v, e);
}
