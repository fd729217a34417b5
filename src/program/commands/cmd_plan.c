/* cmd_plan.c — `sciara plan CASE`: a plan made of a case, to be edited: the case as it is, and what is
 * uncertain about its inputs. */
#include "run.h"

#include "draft/draft.h"
#include "plan/plan.h"
#include "text/textfile.h"

#include <stdio.h>
#include <stdlib.h>

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
    const struct request *q = request;
    FREED_BY(plan_free_at) struct plan *p = NULL;
    FREED char *text = NULL;
    if (plan_is(q->path)) return error_input(e, "%s: is a plan already; name a case", q->path);
    int status = plan_read(&p, q->path, &(struct plan_more){.members = 1}, NULL, e);
    if (!status) status = textfile_load(&text, &(size_t){0}, q->path, e);
    if (status) return status;
    printf("# A plan of an ensemble: the case %s, and below what is uncertain about it\n",
           p->base.name);
    draft_case(stdout, p, text);
    draft_plan(stdout, p, 200);
    return 0;
}

const struct command command_plan = {
    .name = "plan",
    .summary = "make a plan of an ensemble from a case, to be edited",
    .about =
        "Prints the case CASE with what is uncertain about its inputs: rates, duration, vents, "
        "lava and terrain, each line with its meaning. The widths are cautious ones for an "
        "eruption of "
        "which little is known: replace them by what is known better. Keep the plan in the "
        "folder of the case, as it names the same files.",
    .examples = "sciara plan volcano.cfg >volcano-plan.cfg\n"
                "sciara info volcano-plan.cfg\n"
                "sciara ensemble volcano-plan.cfg\n",
    .missing = "name a case file",
    COMMAND_OF(struct request, draft),
};
