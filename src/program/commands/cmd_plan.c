/* cmd_plan.c — `sciara plan CASE`: prints a plan to be edited: the lines of the case, and ranges for its uncertain inputs. */
#include "run.h"

#include "draft/draft.h"

#include <stdio.h>

struct request {
    const char *path;
};

#define AT(member) offsetof(struct request, member)
static const struct option words[] = {
    RUN_OPERAND_CASE(path),
    {0},
};

static int draft(void *request, struct error *e)
{
    return draft_of_case(stdout, ((const struct request *)request)->path, DRAFT_MEMBERS, e);
}

const struct command command_plan = {
    .name = "plan",
    .summary = "make a plan of an ensemble from a case, to be edited",
    .about = "Prints the case CASE with what is uncertain about its inputs: rates, duration, "
             "vents, lava and terrain, each line with its meaning. The widths are cautious ones "
             "for an eruption of which little is known: replace them by what is known better. Keep "
             "the plan in the folder of the case, as it names the same files.",
    .examples = "sciara plan volcano.cfg >volcano-plan.cfg\n"
                "sciara info volcano-plan.cfg\n"
                "sciara ensemble volcano-plan.cfg\n",
    .missing = "name a case file",
    COMMAND_OF(struct request, draft),
};
