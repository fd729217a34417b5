/* cmd_null.c — `sciara null PLAN`: makes the simple forecast that a model has to surpass. */
#include "study_command.h"

#include "calibration/null_study.h"

#include <math.h>

struct null_request {
    struct study_request of;
    struct null_numbers at;
};

#define AT(member) offsetof(struct null_request, member)
static const struct option words[] = {
    STUDY_PLAN_AND_FOLDER("a case, or a plan of any kind", "output/NAME-OF-PLAN-null"),
    OPTION("--length", "L", option_real, at.length_m, "length at which the paths are cut",
           .unit = "metres", .usual = "fitted to the outline"),
    OPTION("--half-width", "W", option_real, at.half_width_m,
           "distance by which the paths are widened", .unit = "metres",
           .usual = "fitted to the outline"),
    STUDY_OPTIONS_OF_FILES(STUDY_OPTION_PICTURES),
    {0},
};

static int null_model(void *request, struct error *e)
{
    const struct null_request *q = request;
    if (isnan(q->at.length_m) != isnan(q->at.half_width_m))
        return error_input(e, "null: --length and --half-width: give both, or neither");
    return study_command(&study_null, &q->of, &q->at, e);
}

const struct command command_null = {
    .name = "null",
    .summary = "forecast by steepest paths, without physics, to compare a model with",
    .about = "Follows paths of steepest descent from the vents of a case, or of the members of a "
             "plan, over terrain with the error of the plan (2 m in each cell if there is none), "
             "cuts them at a length and widens them. The share of 1,000 paths that cover a cell is "
             "its probability. Length and half width are fitted to the outline by the log score of "
             "the forecast, in sample. With --length and --half-width of another eruption, or with "
             "a key null_from that names its results, the map is a true forecast. The errors of "
             "scores include the "
             "spread over five draws of the terrain error.\n\nA model with scores that are not "
             "better than these has no skill in where lava arrives.",
    .missing = "name a case or a plan",
    .defaults = &(const struct null_request){.of.variant = STUDY_REFERENCE, .at = {NAN, NAN}},
    COMMAND_OF(struct null_request, null_model),
};
