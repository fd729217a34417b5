/* cmd_hazard.c — `sciara hazard VOLCANO`: maps the probability of lava within one year and within many years, from
 * past vents and eruptions. Members that the library lacks are computed first. */
#include "study_command.h"

#include "ensemble/report.h"
#include "hazard/hazard.h"
#include "members/library.h"
#include "plan/plan.h"
#include "text/textfile.h"

struct request {
    struct study_request of;
    struct hazard_options hazard;
};

#define AT(member) offsetof(struct request, member)
static const struct option words[] = {
    STUDY_PLAN_AND_FOLDER("plan that names past vents and a catalogue of eruptions",
                          "output/NAME-OF-PLAN-hazard/maps"),
    STUDY_OPTION_LIBRARY(hazard.ask.library,
                         "library of members: nothing is computed, and PLAN may have other vents, "
                         "eruptions and years than the plan of the library"),
    STUDY_OPTION_ASSETS(hazard.ask.ensemble.assets, NULL),
    STUDY_OPTION_REPLACE(of.replace),
    STUDY_OPTIONS_OF_DEVICES("member"),
    STUDY_OPTIONS_OF_FILES(STUDY_OPTION_FORMAT),
    RUN_OPTION_LANGUAGE(of.language, "language of maps and report.html"),
    {0},
};

static int hazard(void *request, struct error *e)
{
    struct request *q = request;
    FREED_BY(plan_free_at) struct plan *p = NULL;
    struct warnings said = {0};
    FREED char *usual = NULL, *maps = NULL;
    struct past_flows flows = {0};
    int status = plan_read(&p, q->of.plan, NULL, NULL, e);
    if (!status && !p->hazard)
        status = error_input(e,
                             "%s: has no catalogue of eruptions; add lines such as 'past_vents "
                             "vents.geojson' and 'catalogue eruptions.csv'",
                             q->of.plan);
    if (!status)
        status = hazard_flows_open(&flows, p, e); /* invalid flows are refused before computing */
    hazard_flows_free(&flows);
    if (status) return status;
    q->of.said = &said;
    q->hazard.brief = !products_asked(q->of.layers, &report_files);
    if (q->hazard.ask.library) {
        q->hazard.volcano = q->of.plan;
        q->of.plan = NULL;
        /* these maps get their own folder, so that the maps next to the library stay */
        if (!(maps = text_format("output/%s-hazard/maps", p->base.name))) return error_memory(e);
        if (!q->of.output) q->of.output = maps;
    } else {
        if (!(usual = text_format("output/%s/" LIBRARY_NAME, p->base.name))) return error_memory(e);
        q->hazard.ask.library = usual;
        q->of.keeps_brief = true; /* the study of the hazard itself maps all members */
        if (library_count(usual, p->digest) < p->count || study_library_left(usual))
            status = study_keep_members(&q->of, usual, NULL, e);
    }
    return status ? status : study_command(&study_hazard, &q->of, &q->hazard, e);
}

const struct command command_hazard = {
    .name = "hazard",
    .summary = "map how likely lava is in a year and in 50, by past vents and eruptions",
    .about = "Draws vents by the density of past ones and sizes of eruptions by a catalogue, "
             "computes their lava, and writes how often lava comes to each cell and place: the "
             "rate a year, the return period, the probability in `years`, each with a range of 5 "
             "to 95 % from the frequency of eruptions, the vents and the number of runs, singly "
             "and together. Members that the library lacks are computed first; `sciara ensemble`, "
             "its shards and `sciara merge` compute the same.",
    .examples = "sciara hazard volcano.cfg\n"
                "sciara hazard after-2026.cfg --library output/volcano/library.gpkg\n",
    .missing = "name a plan",
    .defaults = &(const struct request){.hazard.ask.ensemble.until_error = -1},
    .again = AT(of.again),
    COMMAND_OF(struct request, hazard),
};
