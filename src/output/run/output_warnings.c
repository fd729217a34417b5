/* output_warnings.c — the warnings about a run when its last state is known. */
#include "output.h"

#include "case/assets.h"
#include "case/case_notes.h"
#include "record/roundnum.h"
#include "raster/raster.h"
#include "text/remedy.h"
#include "text/words.h"

#include <stdio.h>

void output_warn_of_left(struct warnings *w, const struct lava_left *left, const char *remedy)
{
    char text[160], share[32];
    if (!(left->volume_m3 > 0)) return;
    words_pack(text, sizeof text,
               "%s %% of the lava has left the terrain: covered area and run-out are too small",
               roundnum_brief(share, 100 * left->share));
    warnings_add(w, WARNING_RESULT, text, remedy);
}

/* Warns of lava that left the terrain, because all layers lack this lava. */
static void warn_of_left(struct output_summary *s, const struct sim_case *c, const struct fields *f)
{
    const struct lava_left *left = &s->extent.left;
    struct lava_exit exit = {.edge = true};
    char remedy[320 + RASTER_COMMAND], command[RASTER_COMMAND];
    struct error e;
    if (!(left->volume_m3 > 0)) return;
    lava_exit(&exit, f, &c->problem, &e);
    size_t used = (size_t)snprintf(remedy, sizeof remedy, "%.6g m3 are missing; ", left->volume_m3);
    if (exit.hole) {
        raster_dem_command(command, NULL, DEM_FILL, c->dem);
        used += (size_t)snprintf(remedy + used, sizeof remedy - used,
                                 "cells without data inside the terrain swallow lava, for example "
                                 "next to row %d, column %d: fill them%s%s%s%s",
                                 exit.row, exit.col, *command ? " (" : "", command,
                                 *command ? ")" : "", exit.edge ? ", and " : "");
    }
    if (exit.edge || !exit.hole) snprintf(remedy + used, sizeof remedy - used, "use a larger DEM");
    output_warn_of_left(&s->told, left, remedy);
}

/* Warns if nothing was emitted: rates may begin in another year, or be in hours instead of seconds. Rates of 0 have a
 * warning of their own. */
static void warn_of_nothing(struct output_summary *s, const struct problem *p)
{
    char text[256];
    if (s->ledger.emitted > 0 || s->ledger.initial > 0 || p->last_vent_step <= s->step) return;
    snprintf(text, sizeof text,
             "no lava: the run ends at step %lld, before the first lava; the last vent emits until "
             "step %lld: check the times of the rates, or run more steps",
             (long long)s->step, (long long)p->last_vent_step);
    warnings_add(&s->told, WARNING_INPUT, text, NULL);
}

/* Warns of lava that still moves. In a flow that has ended all lava is solidified, unless a vent keeps it hot. */
static void warn_of_mobile(struct output_summary *s, const struct problem *p)
{
    const quanta all = s->ledger.initial + s->ledger.emitted;
    const double share = all > 0 ? (double)s->ledger.mobile / (double)all : 0;
    char text[160];
    if (share < 0.9 || s->step < p->last_vent_step || s->stopped) return;
    words_pack(text, sizeof text,
               "%.0f %% of the lava is still mobile in the end: it may advance further",
               100 * share);
    warnings_add(&s->told, WARNING_RESULT, text, "run more steps to see where it comes to rest");
}

/* Warns of a front that moved at the speed limit of the model. */
static void warn_of_limit(struct output_summary *s, const struct params *p)
{
    const struct front_speed *front = &s->extent.front;
    char text[160], remedy[160];
    if (!front->at_limit) return;
    words_pack(text, sizeof text,
               "the real front may be faster and arrive earlier: on %.0f %% of its way the front "
               "moved at the speed limit of the model",
               100 * (double)front->at_limit / (double)front->way);
    snprintf(remedy, sizeof remedy,
             "it crossed %zu of %zu cells at the limit of one cell a step, %.3g m/s; use a Pclock "
             "below %.6g s",
             front->at_limit, front->way, p->cell_m / p->clock_s, p->clock_s);
    warnings_add(&s->told, WARNING_RESULT, text, remedy);
}

void output_warnings(struct output_summary *s, const struct sim_case *c, const struct fields *f)
{
    s->told = c->told;
    if (s->passed_over) warnings_add(&s->told, WARNING_INPUT, s->passed_over, NULL);
    case_warn_all_changed(c, &s->told);
    if (c->assets) assets_warn(c->assets, c->assets_path, &s->told);
    warn_of_nothing(s, &c->problem);
    warn_of_mobile(s, &c->problem);
    warn_of_left(s, c, f);
    warn_of_limit(s, &c->problem.params);
}
