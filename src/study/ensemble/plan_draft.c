/* plan_draft.c — what is uncertain about a case, in the lines of a plan, with cautious widths. */
#include "plan.h"

#include "case/resolution.h"
#include "text/number.h"

#include <string.h>

/* A comment, in lines of at most 100 characters. */
static void put_comment(FILE *out, const char *text)
{
    enum { WIDTH = 98 };
    while (*text) {
        size_t length = strlen(text);
        if (length > WIDTH) {
            length = WIDTH;
            while (length && text[length] != ' ') length--;
            if (!length) length = strcspn(text, " ");
        }
        fprintf(out, "# %.*s\n", (int)length, text);
        text += length + strspn(text + length, " ");
    }
}

static void put_line(FILE *out, const char *key, const char *value)
{
    fprintf(out, "%-24s%s%s\n", key, strlen(key) < 24 ? "" : " ", value);
}

/* With the meaning of the key as the plan's schema has it. */
static void put_key(FILE *out, const char *key, const char *value)
{
    struct key k;
    if (schema_find(&plan_schema, key, &k)) put_comment(out, k.meaning);
    put_line(out, key, value);
}

/* Two thirds of all within this factor of the value. */
static void put_factor(FILE *out, const struct params *p, const char *name, const char *factor)
{
    char key[64], value[64], number[32];
    for (int i = 0; i < PARAMETERS; i++) {
        const double x = params_value(p, &params_table[i]);
        if (strcmp(params_table[i].name, name) || !(x > 0)) continue;
        snprintf(key, sizeof key, "vary_%s", name);
        snprintf(value, sizeof value, "lognormal %s %s", number_text(x, number), factor);
        put_line(out, key, value);
    }
}

/* ---- what is uncertain ----------------------------------------------------------------------- */

static void put_eruption(FILE *out, const struct plan *p)
{
    char width[64], cell[32];
    if (p->vents.count) {
        put_comment(out,
                    "Rates: two thirds within a factor of 1.5. Rates measured on the ground may be "
                    "known better.");
        put_line(out, "vary_rate_factor", "lognormal 1 1.5");
        put_comment(out, "Vents: where they are, to a cell");
        snprintf(width, sizeof width, "normal 0 %s", number_text(p->base.geo.cell_m, cell));
        put_line(out, "vary_vent_east_m", width);
        put_line(out, "vary_vent_north_m", width);
    }
    put_comment(out,
                "Lava: parameters that are fitted, not measured. A posterior of several eruptions "
                "(member_table) is better.");
    put_factor(out, resolution_given(&p->base), "Pcool", "1.5");
    put_factor(out, resolution_given(&p->base), "Phc(Tsol)", "1.5");
    put_factor(out, resolution_given(&p->base), "Phc(Tvent)", "1.5");
}

static void put_terrain(FILE *out, const struct sim_case *c)
{
    if (c->synthetic) {
        put_comment(out, "Terrain: made up, so it is exact");
        put_line(out, "terrain_error_m", "0");
        return;
    }
    put_comment(out,
                "Terrain: by the size of the cells. Name the DEM that it is, or give the error "
                "that was measured (`sciara help keys`).");
    put_key(out, "terrain_error",
            c->geo.cell_m < 5    ? "from_dem lidar"
            : c->geo.cell_m < 20 ? "from_dem tinitaly"
                                 : "from_dem copernicus30");
}

void plan_draft(FILE *out, const struct plan *p, int64_t members)
{
    char number[32];
    put_key(out, "members", number_text((double)members, number));
    put_key(out, "sampling", "sobol");
    put_key(out, "seed", "1");
    putc('\n', out);
    put_eruption(out, p);
    putc('\n', out);
    put_terrain(out, &p->base);
    putc('\n', out);
    put_key(out, "exceed_m", "0.5 2 5");
    put_key(out, "thickness_of", "medians");
}
