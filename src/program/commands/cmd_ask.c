/* cmd_ask.c — `sciara ask LIBRARY`: makes results of an ensemble from members that its library has. */
#include "study_command.h"

#include "ask/ask.h"

struct request {
    struct study_request of;
    struct ask_options ask;
};

#define AT(member) offsetof(struct request, member)
static const struct option words[] = {
    OPERAND("LIBRARY", option_text, ask.library,
            "library.gpkg in the folder of `sciara ensemble PLAN --keep`",
            .completes = COMPLETE_FILE),
    RUN_OPTION_OUTPUT(of.output, "output/NAME-OF-PLAN-ask"),
    OPTION("--plan", "PLAN", option_text, of.plan, "the plan", .completes = COMPLETE_CASE,
           .usual = "the plan that the library names"),
    OPTION(
        "--where", "EXPRESSION", option_text, ask.where,
        "use only members that fulfil this condition, such as \"rate_factor > 1.2 and "
        "arrival_h('road') < 24\": SQL on the columns of members.csv and on arrival_h(NAME), "
        "thickness_m(NAME) and share(NAME) of a place of interest (NULL if lava does not reach it)",
        .group = "which members", .usual = "all members"),
    OPTION("--vents", "FILE", option_text, ask.vents,
           "weights of vents that replace those in the plan: a list as for `vent_list`, in which a "
           "missing vent has weight 0; or a raster, in which the vents of a cell share its value",
           .completes = COMPLETE_FILE, .usual = "the weights of the plan"),
    OPTION("--classes", "FILE", option_text, ask.classes,
           "weights of classes of eruptions, matched by name, that replace those in the plan: a "
           "file as for `classes`",
           .completes = COMPLETE_FILE, .usual = "the weights of the plan"),
    OPTION("--given", "FILE", option_text, ask.given,
           "observed outline, a raster or polygons: use only members that agree with it. --where "
           "can state how: overlap() is J, from 0 to 1; apart_m() is the distance, in metres, "
           "within which 95 % of each outline lies from the other; usual: \"" ASK_AGREES "\"",
           .completes = COMPLETE_FILE),
    OPTION("--at", "TIME", option_span, ask.at_s,
           "time since the start at which that outline was observed: 36h, 2d",
           .usual = "at the end", .low = 1, .high = 1e12, .needs = "--given"),
    STUDY_OPTION_ASSETS(ask.ensemble.assets, "what is written of them"),
    OPTION("--compare", "WITH", option_text, ask.compare,
           "also write the difference from another question, with its error, as a layer, a map and "
           "a table: WITH is a condition in place of --where, or the folder of an answer"),
    OPTION("--exposed", "WHAT", option_text, ask.exposed,
           "also sum what lava reaches, in exposed.csv: WHAT is an attribute of places of "
           "interest, such as people, or a raster of amounts"),
    OPTION_FLAG("--members", ask.members,
                "also list typical members, with a map of each: the most representative one, and "
                "those at 5, 50 and 95 % of area, run-out and arrival at each place"),
    OPTION_FLAG("--bulletin", ask.ensemble.bulletin,
                "also write a bulletin for decision makers: bulletin.html, and a picture in each "
                "format of maps"),
    RUN_OPTION_LANGUAGE(of.language, "language of bulletin, maps and report.html"),
    STUDY_OPTIONS_OF_FILES(STUDY_OPTION_PAGE),
    {0},
};

static int ask_library(void *request, struct error *e)
{
    struct request *q = request;
    if (!q->of.formats) q->of.formats = OUTPUT_HTML & ~painters_lack;
    return study_command(&study_ask, &q->of, &q->ask, e);
}

const struct command command_ask = {
    .name = "ask",
    .summary = "answer what-if questions from a library of eruptions",
    .about =
        "Writes the files of an ensemble from the members that `sciara ensemble PLAN --keep` has "
        "left, without computing any of them. Without a condition these files equal the files of "
        "the ensemble, bit for bit. With a condition they are the files of an ensemble that has "
        "only the members for which the condition is true. For a hazard, --vents is another map of "
        "vent opening; `sciara hazard PLAN --library FILE` weighs members by another catalogue, or "
        "for other years.",
    .examples = "sciara ask output/plan/library.gpkg --where \"rate_factor > 1.2\"\n",
    .missing = "name a library",
    .defaults = &(const struct request){.of.variant = STUDY_REFERENCE},
    COMMAND_OF(struct request, ask_library),
};
