/* cmd_ensemble.c — `sciara ensemble PLAN`: many eruptions of one plan. It uses the inner rooms:
 * what an ensemble is has no place in sciara.h yet. */
#include "cli.h"
#include "options.h"

#include "ensemble/member.h"
#include "ensemble/plan.h"

#include <stdbool.h>
#include <stdio.h>

struct request {
    const char *plan;
    bool list;
};

#define AT(member) offsetof(struct request, member)
static const struct option operands[] = {
    {.name = "PLAN",
     .set = option_text,
     .at = AT(plan),
     .completes = COMPLETE_FILE,
     .help = "a plan: a case file with more keys (docs/formats.md)"},
    {0},
};
static const struct option options[] = {
    {.name = "--list",
     .at = AT(list),
     .help = "print the members with what each of them draws, as CSV, and compute nothing"},
    {0},
};

const struct command command_ensemble = {
    .name = "ensemble",
    .summary = "the members of a plan of many runs",
    .about = "Reads a plan and looks at every member: whatever one of them would be refused for is "
             "refused.\n\n"
             "`sciara run PLAN --member N` computes one of them.",
    .operands = operands,
    .options = options,
    .missing = "name a plan",
    .exits = command_exits,
    .run = cmd_ensemble,
};

/* ---- the table of members -------------------------------------------------------------------- */

static void print_header(const struct plan *p)
{
    fputs("member,weight", stdout);
    for (int i = 0; i < plan_columns(p); i++) printf(",%s", plan_column(p, i));
    putchar('\n');
}

/* A cell with a comma or a quote stands in quotes. */
static void print_cell(const char *text)
{
    const bool quoted = strpbrk(text, ",\"") != NULL;
    putchar(',');
    if (quoted) putchar('"');
    for (; *text; text++) {
        if (*text == '"') putchar('"');
        putchar(*text);
    }
    if (quoted) putchar('"');
}

static int print_member(const struct plan *p, int64_t number, struct error *e)
{
    struct member m;
    char text[64];
    int status = member_create_flat(&m, p, number, e);
    if (status) return status;
    printf("%lld,%llu", (long long)number, (unsigned long long)m.weight);
    for (int i = 0; i < plan_columns(p); i++) {
        member_value(&m, i, text);
        print_cell(text);
    }
    putchar('\n');
    member_free(&m);
    return 0;
}

static int print_list(const struct plan *p, struct error *e)
{
    int status = 0;
    print_header(p);
    for (int64_t n = 0; n < plan_count(p) && !status && !ferror(stdout); n++)
        status = print_member(p, n, e);
    return status;
}

int cmd_ensemble(int argc, char **argv)
{
    struct request q = {0};
    struct error e = {0};
    struct plan *p = NULL;
    int status = options_parse(&command_ensemble, &q, argc, argv, &e);
    if (status == OPTIONS_HELP) return 0;
    if (!status && !q.list)
        status = error_input(&e,
                             "ensemble: only --list is known; sciara run %s --member N computes "
                             "a member",
                             q.plan);
    if (!status) status = plan_load(&p, q.plan, &e);
    if (!status) status = print_list(p, &e);
    plan_free(p);
    return status ? cli_fail(&e) : 0;
}
