/* cmd_sensitivity.c — `sciara sensitivity PLAN`: finds which parameters matter, for which results, and where. */
#include "study_command.h"

#include "sensitivity/sensitivity.h"

/* The names of enum sensitivity_method from 1 on. */
static const char *const methods[] = {"morris", "sobol", "both", NULL};

struct sensitivity_request {
    struct study_request of;
    struct sensitivity_options options;
    int method; /* enum sensitivity_method - 1; -1: the plan decides */
};

#define AT(member) offsetof(struct sensitivity_request, member)
static const struct option words[] = {
    STUDY_PLAN_AND_FOLDER("case file that also gives parameters and their bounds",
                          "output/NAME-OF-PLAN-sensitivity"),
    STUDY_OPTION_RESUME(of.resume, "analysis, also with more samples"),
    STUDY_OPTION_REPLACE(of.replace),
    OPTION("--method", "NAME", option_choice, method, "morris (screening), sobol (indices) or both",
           .choices = methods, .usual = "as in the plan"),
    OPTION("--samples", "N", option_whole, options.samples,
           "number of Sobol samples; each has two points more than there are parameters", .low = 2,
           .high = SENSITIVITY_SAMPLES_MAX, .usual = "as in the plan",
           .needs = "--method=sobol,both"),
    OPTION("--trajectories", "N", option_whole, options.trajectories,
           "number of Morris trajectories; each has one point more than there are parameters",
           .low = 2, .high = SENSITIVITY_SAMPLES_MAX, .usual = "as in the plan",
           .needs = "--method=morris,both"),
    OPTION("--seed", "N", option_whole, options.seed,
           "seed of points and terrain errors; another seed draws other numbers",
           .high = INT64_C(9007199254740992), .usual = "as in the plan"),
    STUDY_OPTIONS_OF_DEVICES("run"),
    STUDY_OPTIONS_OF_FILES(STUDY_OPTION_PICTURES),
    {0},
};

static int sensitivity(void *request, struct error *e)
{
    struct sensitivity_request *q = request;
    q->options.method = q->method + 1;
    return study_command(&study_sensitivity, &q->of, &q->options, e);
}

const struct command command_sensitivity = {
    .name = "sensitivity",
    .summary = "compute which parameters matter, for which results, and where",
    .about = "Runs the case of a plan at points between the bounds of its parameters, and computes "
             "the effect of each parameter on area, run-out, fit to the observations, arrival at "
             "places, and whether lava reaches each cell: effects by Morris, Sobol indices of "
             "first order and total, with intervals. Each point is run with several terrain "
             "errors, the same for all; its result is their mean.\n\nThe results have the same "
             "bits for any number of threads or GPUs, and after --resume.",
    .missing = "name a plan",
    .defaults = &(const struct sensitivity_request){.method = -1, .options.seed = -1},
    STUDY_COMMAND_OF(struct sensitivity_request, sensitivity, study_exits),
};
