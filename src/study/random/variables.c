#include "variables.h"

#include "text/scan.h"

#include <string.h>
#include <strings.h>

static const struct variable_row rows[VARIABLES - PARAMETERS] = {
    {"rate_factor", "", 0, 1e6},
    {"duration_factor", "", 1e-6, 1e6},
    {"vent_east_m", "m", -1e7, 1e7},
    {"vent_north_m", "m", -1e7, 1e7},
    {"azimuth_deg", "degrees", -360, 360},
    {"fissure_length_m", "m", 0, 1e6},
    {"volume_m3", "m3", 0, 1e13},
    {"duration_h", "h", 1e-3, 1e6},
    {"run_h", "h", 1e-3, 1e7},
    {"eruption_end_h", "h", 1e-3, 1e7},
    {"terrain_error_m", "m", 0, 100},
    {"terrain_error_length_m", "m", 0, 1e7},
};

struct variable_row variable_row(int variable)
{
    if (variable >= PARAMETERS) return rows[variable - PARAMETERS];
    const struct parameter *p = &params_table[variable];
    return (struct variable_row){p->name, p->unit, p->low, p->high};
}

static int find_name(const char *name, int (*differ)(const char *, const char *),
                     const char **nearest)
{
    struct scan_nearest near = {.given = name};
    for (int i = 0; i < VARIABLES; i++) {
        if (!differ(name, variable_row(i).name)) return i;
        scan_nearest(&near, variable_row(i).name);
    }
    *nearest = near.name;
    return -1;
}

int variable_find(const char *name, const char **nearest)
{
    return find_name(name, strcmp, nearest);
}

int variable_of_column(const char *name, const char **nearest)
{
    return find_name(name, strcasecmp, nearest);
}
