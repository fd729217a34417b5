#include "quantities.h"

#include <stddef.h>
#include <string.h>

const struct quantity quantities[] = {
    {"area_m2", "covered area", "km²", 1e-6, 0, true},
    {"runout_m", "run-out", "km", 1e-3, 0, true},
    {"emitted_m3", "emitted lava", "million m³", 1e-6, 0, true},
    {"x", "vent, easting", "m", 1, 0, false},
    {"y", "vent, northing", "m", 1, 0, false},
    {"rate_factor", "factor of the rates", "", 1, 0, false},
    {"duration_factor", "factor of the duration", "", 1, 0, false},
    {"vent_east_m", "shift of the vents to the east", "m", 1, 0, false},
    {"vent_north_m", "shift of the vents to the north", "m", 1, 0, false},
    {"azimuth_deg", "direction of the fissures", "°", 1, 0, false},
    {"fissure_length_m", "length of the fissures", "m", 1, 0, false},
    {"volume_m3", "volume of the eruption", "million m³", 1e-6, 0, false},
    {"duration_h", "duration of the eruption", "h", 1, 0, false},
    {"run_h", "simulated time", "h", 1, 0, false},
    {"eruption_end_h", "end of the eruption", "h", 1, 0, false},
    {"terrain_error_m", "error of the terrain", "m", 1, 0, false},
    {"terrain_error_length_m", "correlation length of the terrain's error", "m", 1, 0, false},
    {"steps", "steps of the run", "", 1, 0, false},
    {"Pclock", "length of a step", "s", 1, 0, false},
    {"PTsol", "temperature of solidification", "°C", 1, -273.15, false},
    {"PTvent", "temperature at the vent", "°C", 1, -273.15, false},
    {"Pr(Tsol)", "relaxation rate at solidification", "", 1, 0, false},
    {"Pr(Tvent)", "relaxation rate at the vent", "", 1, 0, false},
    {"Phc(Tsol)", "critical thickness at solidification", "m", 1, 0, false},
    {"Phc(Tvent)", "critical thickness at the vent", "m", 1, 0, false},
    {"Pcool", "cooling", "", 1, 0, false},
    {"Prho", "density", "kg/m³", 1, 0, false},
    {"Pepsilon", "emissivity", "", 1, 0, false},
    {"Psigma", "Stefan-Boltzmann constant", "W/(m² K⁴)", 1, 0, false},
    {"Pcv", "specific heat", "J/(kg K)", 1, 0, false},
    {NULL, NULL, NULL, 0, 0, false},
};

const struct quantity *quantity_of(const char *name)
{
    for (const struct quantity *q = quantities; q->name; q++)
        if (!strcmp(q->name, name)) return q;
    return NULL;
}
