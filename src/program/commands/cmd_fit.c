/* cmd_fit.c — `sciara fit RUN [OUTLINE]`: compares a simulated flow, or the forecast of an ensemble, with the observed flow. */
#include "run.h"

#include "library/inside.h"
#include "record/roundnum.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the command line asks for. */
struct request {
    const char *run;
    struct sciara_fit_options with;
    bool no_map, json;
};

#define AT(member) offsetof(struct request, member)
static const struct option words[] = {
    OPERAND(
        "RUN", option_text, run,
        "the folder of a run, of an ensemble or another forecast, or a raster of lava thickness",
        .completes = COMPLETE_FILE),
    OPERAND("OUTLINE", option_text, with.outline,
            "the observed flow: a raster, inside where > 0, or polygons of a vector file (GeoJSON, "
            "Shapefile, GeoPackage, KML)",
            .optional = true, .completes = COMPLETE_FILE, .usual = "the outline of the case"),
    OPTION("--case", "FILE", option_text, with.case_path,
           "case with the terrain and the vents, if RUN is a raster", .completes = COMPLETE_CASE),
    OPTION("--dem", "FILE", option_text, with.dem, "terrain, if RUN is a raster or a forecast",
           .completes = COMPLETE_FILE),
    OPTION("--threshold", "M", option_real, with.threshold_m, "ignore lava thinner than M metres",
           .unit = "metres", .preset = "0"),
    OPTION("--within", "DISTANCE|FILE", option_text, with.within,
           "verify on the cells within a distance (500m, 2km) of the outline, or in polygons of a "
           "vector file",
           .completes = COMPLETE_FILE, .usual = "the outline's box and 500 m"),
    OPTION("--discrepancy", "M", option_real, with.discrepancy_m,
           "verify in each cell the mean probability of all cells within M metres",
           .unit = "metres", .preset = "0"),
    OPTION("--against", "FOLDER", option_text, with.against,
           "compare with the forecast in FOLDER, on the cells of both", .completes = COMPLETE_FILE),
    OPTION("--map", "FILE", option_text, with.map,
           "write a map of hits, misses and false alarms to FILE: .png, .svg or .pdf",
           .completes = COMPLETE_FILE, .usual = "fit.png in the folder of the run"),
    OPTION_FLAG("--no-map", no_map, "write no map", .not_with = "--map"),
    OPTION_FLAG("--json", json, "print JSON"),
    {0},
};

/* ---- what is printed ------------------------------------------------------------------------- */

static void print_estimate(const char *label, struct sciara_estimate x, const char *more)
{
    if (isnan(x.value)) printf("%-21s   unknown: lava was observed in all of these cells\n", label);
    else printf("%-21s %9.4f +- %.2g%s\n", label, x.value, x.error, more);
}

static void print_scores(const struct sciara_scores *s, const char *against)
{
    enum { SCORES = sizeof s->score / sizeof *s->score };
    static const char *const labels[SCORES] = {"Brier score", "Brier skill", "log score",
                                               "ROC area"};
    char more[SCORES][160] = {{0}}, on[32];
    snprintf(more[SCIARA_BRIER], 160, ": reliability %.4f, resolution %.4f, uncertainty %.4f",
             s->reliability, s->resolution, s->uncertainty);
    snprintf(more[SCIARA_BRIER_SKILL], 160, ", against the observed share in every cell");
    snprintf(more[SCIARA_LOG_SCORE], 160, "; the observed share in every cell has %.4f",
             s->log_reference);
    printf("verified within       %s: %" PRIu64 " cells, %" PRIu64 " observed\n", s->within,
           s->cells, s->observed);
    for (int k = 0; k < SCORES; k++) print_estimate(labels[k], s->score[k], more[k]);
    if (!against) return;
    printf("less %s, on %" PRIu64 " cells\n", against, s->cells_against);
    for (int k = 0; k < SCORES; k++) {
        snprintf(on, sizeof on, "  %s", labels[k]);
        print_estimate(on, s->difference[k], "");
    }
}

static void print_runout(const struct sciara_overlap *f)
{
    if (!f->runout_known) {
        printf("run-out               unknown: give --case or --dem\n");
        return;
    }
    printf("run-out               %s%*.0f m simulated, %s%.0f m observed, ",
           f->simulated_cut ? "at least " : "", f->simulated_cut ? 0 : 9, f->runout_simulated_m,
           f->observed_cut ? "at least " : "", f->runout_observed_m);
    if (isnan(f->runout_difference_m)) puts("difference unknown");
    else printf("%+.0f m\n", f->runout_difference_m);
}

static void print_overlap(const struct sciara_overlap *f, double cell_m)
{
    const struct {
        const char *label;
        size_t cells;
    } areas[] = {{"simulated S", f->simulated},
                 {"observed R", f->observed},
                 {"both |S and R|", f->both},
                 {"either |S or R|", f->either},
                 {"over (S without R)", f->only_simulated},
                 {"under (R without S)", f->only_observed}};
    const struct {
        const char *label;
        double value;
    } ratios[] = {{"overlap J (e1)", f->jaccard},
                  {"sqrt(J)", f->jaccard_root},
                  {"precision", f->precision},
                  {"recall", f->recall},
                  {"F1", f->f1}};
    char said[32];
    for (int i = 0; i < 6; i++) {
        const double m2 = (double)areas[i].cells * cell_m * cell_m;
        printf("%-21s %9zu cells  %9s km2\n", areas[i].label, areas[i].cells,
               roundnum_brief(said, m2 / 1e6));
    }
    for (int i = 0; i < 5; i++) printf("%-21s %9.3f\n", ratios[i].label, ratios[i].value);
    printf("volume simulated      %9s m3\n", roundnum_brief(said, f->volume_m3));
    print_runout(f);
}

static void print_fit(const struct sciara_fit *f, const char *against)
{
    if (f->overlap.simulated) print_overlap(&f->overlap, f->cell_m);
    else
        printf("effective members     %9.6g\n"
               "overlap J             %9.3f, where the probability is at least %g\n",
               f->members, f->scores.best_jaccard, f->scores.best_probability);
    print_scores(&f->scores, against);
    progress_report(fit_told(f), &(struct warnings){0});
    if (f->map) printf("map                   %s\n", f->map);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Delays the effect of a signal until the map is written. */
static int tell_phase(const struct sciara_progress *now, void *user)
{
    if (now->phase == SCIARA_WRITING) interrupt_watch(NULL);
    return 0;
}

/* Computes the fit. If only the map fails, computes the fit again without a map, so that its numbers are printed. */
static int find_fit(struct sciara_fit **found, struct request *q, struct error *e)
{
    struct sciara_error why, other;
    if (!sciara_fit(found, q->run, &q->with, &why)) return 0;
    const int status = error_of_sciara(&why, e);
    if (!q->with.map || status != ERROR_FAILED) return status;
    q->with.map = NULL;
    if (sciara_fit(found, q->run, &q->with, &other)) return status;
    return error_failed(e, "%.*s; give --no-map, or --map FILE in a folder that can be written",
                        (int)strcspn(why.text, ";"), why.text);
}

static int fit_results(void *request, struct error *e)
{
    struct request *q = request;
    struct sciara_fit *found;
    q->with.size = sizeof q->with;
    q->with.watcher.progress = tell_phase;
    if (q->no_map) q->with.map = NULL;
    else if (!q->with.map) q->with.map = "";
    const int status = find_fit(&found, q, e);
    if (!found) return status;
    const bool stopped = interrupts_seen();
    if (!stopped && q->json) fputs(found->json, stdout);
    else if (!stopped) print_fit(found, q->with.against);
    sciara_fit_free(found);
    return stopped ? error_cancelled(e) : status;
}

const struct command command_fit = {
    .name = "fit",
    .summary = "compare a run with the observed outline",
    .about = "Compares the lava of a run, mobile and solidified, with an observed outline: areas, "
             "overlap, precision, recall, run-out; and as a forecast of what was observed: Brier "
             "and log score, ROC area. For an ensemble, a calibration or a null model it gives the "
             "scores of the probabilities.",
    .missing = "name a run",
    COMMAND_OF(struct request, fit_results),
};
