/* plan_known.c — what a plan takes as known exactly, since no draw of a member changes it. */
#include "plan.h"

#include "case/case_notes.h"

#include <string.h>

static bool any_given(const struct plan *p, const int *variable, int count)
{
    for (int i = 0; i < count; i++)
        if (plan_given(p, variable[i])) return true;
    return false;
}

static bool lava_varies(const struct plan *p)
{
    for (int i = 0; i < PARAMETERS; i++)
        if (plan_given(p, i)) return true;
    return false;
}

static bool terrain_varies(const struct plan *p)
{
    return p->keys.terrain_error_m > 0;
}

void plan_known(const struct plan *p, char text[PLAN_KNOWN])
{
    static const int rate[] = {RATE_FACTOR, DURATION_FACTOR, ERUPTION_VOLUME, ERUPTION_H},
                     place[] = {VENT_EAST, VENT_NORTH, AZIMUTH, FISSURE_LENGTH};
    const struct member_table *t = &p->table;
    const struct {
        const char *name;
        bool varies;
    } all[] = {
        {"rate", any_given(p, rate, 4) || p->classes.choice.count > 1 || t->has_rates},
        {"vents",
         any_given(p, place, 4) || p->sources.choice.count > 1 || t->has_place || t->has_vent},
        {"lava", lava_varies(p)},
        {"terrain", terrain_varies(p)},
    };
    *text = '\0';
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].varies) continue;
        if (*text) strcat(text, ", ");
        strcat(text, all[i].name);
    }
}

void plan_warn_of_terrain(struct plan *p)
{
    if (terrain_varies(p) || p->base.synthetic || plan_line(p, "terrain_error_m")) return;
    case_warn(&p->base, "the plan takes its terrain as exact, and no DEM is: give 'terrain_error "
                        "from_dem KIND' (docs/formats.md), or terrain_error_m");
}
