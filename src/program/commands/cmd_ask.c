/* cmd_ask.c — `sciara ask LIBRARY`: what an ensemble leaves, for some of the members that it kept. */
#include "study_command.h"

#include "ask/ask.h"

struct request {
    struct study_request of;
    struct ask_options ask;
};

#define AT(member) offsetof(struct request, member)
static const struct option operands[] = {
    OPERAND("LIBRARY", option_text, ask.library,
            "library.gpkg in the folder of `sciara ensemble PLAN --keep`",
            .completes = COMPLETE_FILE),
    {0},
};
static const struct option options[] = {
    RUN_OPTION_OUTPUT(of.output, "output/NAME-OF-PLAN-ask"),
    OPTION("--plan", "PLAN", option_text, of.plan, "the plan", .completes = COMPLETE_CASE,
           .usual = "the plan that the library names"),
    OPTION(
        "--where", "EXPRESSION", option_text, ask.where,
        "members for which this is true: SQL on the columns of members.csv, and arrival_h(NAME), "
        "thickness_m(NAME) and share(NAME) of a place of interest, which are NULL where no lava "
        "came, such as \"rate_factor > 1.2 and arrival_h('road') < 24\"",
        .usual = "all members"),
    OPTION("--vents", "FILE", option_text, ask.vents,
           "other weights of the vents among which members choose: a list as `vent_list`; vents "
           "of other cells have none. Or a raster: the vents in a cell share its value",
           .completes = COMPLETE_FILE, .usual = "the weights of the plan"),
    OPTION("--classes", "FILE", option_text, ask.classes,
           "other weights of classes of eruptions, by their names: a file as `classes`",
           .completes = COMPLETE_FILE, .usual = "the weights of the plan"),
    OPTION("--assets", "FILE", option_text, ask.ensemble.assets,
           "places of interest, a vector file", .completes = COMPLETE_FILE,
           .usual = "the places of the plan"),
    OPTION("--given", "FILE", option_text, ask.given,
           "an outline that was observed, a raster or polygons: members that agree with it, which "
           "--where can ask for: overlap(), from 0 to 1, and apart_m(), how far 95 % of either "
           "outline are from the other, in metres; usual: \"" ASK_AGREES "\"",
           .completes = COMPLETE_FILE),
    OPTION("--at", "TIME", option_span, ask.at_s, "when it was observed, since the start: 36h, 2d",
           .usual = "at the end", .low = 1, .high = 1e12),
    OPTION("--compare", "WITH", option_text, ask.compare,
           "also the difference to another question, with its error, in a layer, a map and a "
           "table: another condition in place of --where, or the folder of an answer"),
    OPTION("--exposed", "WHAT", option_text, ask.exposed,
           "also sum up in exposed.csv, over places of interest that lava reaches, this attribute, "
           "such as people; or over cells a raster of amounts"),
    OPTION_FLAG("--members", ask.members,
                "also name members to look at, with a map of each: the most representative, and "
                "those at 5, 50 and 95 % of area, run-out and arrival at each place"),
    STUDY_OPTIONS_OF_FILES(STUDY_OPTION_FORMAT),
    {0},
};

static int ask(void *request, struct error *e)
{
    const struct request *q = request;
    return study_command(&study_ask, &q->of, &q->ask, e);
}

const struct command command_ask = {
    .name = "ask",
    .summary = "ask a library of eruptions: what if the rate is high, another place matters",
    .about =
        "Writes the files of an ensemble from the members that `sciara ensemble PLAN --keep` has "
        "left, without computing any of them. Without a condition they are the same files as "
        "the ensemble's, bit for bit; with one, the files of an ensemble that has only the "
        "members for which it is true.",
    .examples = "sciara ask output/plan/library.gpkg --where \"rate_factor > 1.2\"\n",
    .missing = "name a library",
    .exits = study_exits,
    .defaults = &(const struct request){.of.variant = STUDY_REFERENCE},
    COMMAND_OF(struct request, ask),
};
