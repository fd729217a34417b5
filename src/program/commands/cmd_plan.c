/* cmd_plan.c — `sciara plan CASE`: a plan made of a case, to be edited: the case as it is, and what is
 * uncertain about its inputs. */
#include "cli.h"
#include "options.h"
#include "run.h"

#include "case/resolution.h"
#include "ensemble/plan.h"
#include "text/number.h"
#include "text/textfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    const char *path;
};

#define AT(member) offsetof(struct request, member)
static const struct option operands[] = {
    RUN_OPERAND_CASE(path),
    {0},
};
static const struct option options[] = {{0}};

/* A comment, in lines of at most 100 characters. */
static void put_comment(const char *text)
{
    enum { WIDTH = 98 };
    while (*text) {
        size_t length = strlen(text);
        if (length > WIDTH) {
            length = WIDTH;
            while (length && text[length] != ' ') length--;
            if (!length) length = strcspn(text, " ");
        }
        printf("# %.*s\n", (int)length, text);
        text += length + strspn(text + length, " ");
    }
}

static void put_line(const char *key, const char *value)
{
    printf("%-24s%s%s\n", key, strlen(key) < 24 ? "" : " ", value);
}

/* With the meaning of the key as the plan's schema has it. */
static void put_key(const char *key, const char *value)
{
    struct key k;
    if (schema_find(&plan_schema, key, &k)) put_comment(k.meaning);
    put_line(key, value);
}

/* Two thirds of all within this factor of the value. */
static void put_factor(const struct params *p, const char *name, const char *factor)
{
    char key[64], value[64], number[32];
    for (int i = 0; i < PARAMETERS; i++) {
        const double x = params_value(p, &params_table[i]);
        if (strcmp(params_table[i].name, name) || !(x > 0)) continue;
        snprintf(key, sizeof key, "vary_%s", name);
        snprintf(value, sizeof value, "lognormal %s %s", number_text(x, number), factor);
        put_line(key, value);
    }
}

/* ---- what is uncertain ----------------------------------------------------------------------- */

static void put_eruption(const struct plan *p)
{
    char width[64], cell[32];
    if (p->vents.count) {
        put_comment("Rates: two thirds within a factor of 1.5. Rates measured on the ground may be "
                    "known better.");
        put_line("vary_rate_factor", "lognormal 1 1.5");
        put_comment("Vents: where they are, to a cell");
        snprintf(width, sizeof width, "normal 0 %s", number_text(p->base.geo.cell_m, cell));
        put_line("vary_vent_east_m", width);
        put_line("vary_vent_north_m", width);
    }
    put_comment("Lava: parameters that are fitted, not measured. A posterior of several eruptions "
                "(member_table) is better.");
    put_factor(resolution_given(&p->base), "Pcool", "1.5");
    put_factor(resolution_given(&p->base), "Phc(Tsol)", "1.5");
    put_factor(resolution_given(&p->base), "Phc(Tvent)", "1.5");
}

static void put_terrain(const struct sim_case *c)
{
    if (c->synthetic) {
        put_comment("Terrain: made up, so it is exact");
        put_line("terrain_error_m", "0");
        return;
    }
    put_comment("Terrain: by the size of the cells. Name the DEM that it is, or give the error "
                "that was measured (docs/formats.md).");
    put_key("terrain_error", c->geo.cell_m < 5    ? "from_dem lidar"
                             : c->geo.cell_m < 20 ? "from_dem tinitaly"
                                                  : "from_dem copernicus30");
}

static void put_plan(const struct plan *p, const char *text)
{
    const size_t length = strlen(text);
    printf("# A plan of an ensemble: the case %s, and below what is uncertain about it\n%s%s\n",
           p->base.name, text, length && text[length - 1] != '\n' ? "\n" : "");
    put_key("members", "200");
    put_key("sampling", "sobol");
    put_key("seed", "1");
    putchar('\n');
    put_eruption(p);
    putchar('\n');
    put_terrain(&p->base);
    putchar('\n');
    put_key("exceed_m", "0.5 2 5");
    put_key("thickness_of", "medians");
}

static int cmd_plan(int argc, char **argv)
{
    struct request q = {0};
    struct error e = {0};
    struct plan *p = NULL;
    char *text = NULL;
    int status = options_parse(&command_plan, &q, argc, argv, &e);
    if (status == OPTIONS_HELP) return 0;
    if (!status && plan_is(q.path))
        status = error_input(&e, "%s: is a plan already; name a case", q.path);
    if (!status) status = plan_read(&p, q.path, &(struct plan_more){.members = 1}, NULL, &e);
    if (!status) status = textfile_load(&text, &(size_t){0}, q.path, &e);
    if (!status) put_plan(p, text);
    free(text);
    plan_free(p);
    return status ? cli_fail(&e) : 0;
}

const struct command command_plan = {
    .name = "plan",
    .summary = "make a plan of an ensemble from a case, to be edited",
    .about = "Prints the case CASE with what is uncertain about its inputs: rates, vents, lava and "
             "terrain, each line with its meaning. The widths are cautious ones for an eruption of "
             "which little is known: replace them by what is known better. Keep the plan in the "
             "folder of the case, as it names the same files.",
    .examples = "sciara plan volcano.cfg >volcano-plan.cfg\n"
                "sciara info volcano-plan.cfg\n"
                "sciara ensemble volcano-plan.cfg\n",
    .operands = operands,
    .options = options,
    .missing = "name a case file",
    .exits = command_exits,
    .run = cmd_plan,
};
