/* params.c — the table of the parameters: all code that reads, checks or writes them uses it. */
#include "params.h"

#define AT(member) offsetof(struct params, member)

/* A lower end such as 1e-6 stands for "more than 0". It is far below the value for any lava, but
 * large enough to avoid overflow and 0/0 in every formula of the model. No temperature exceeds
 * 2,000 K, so that the heat of 4,000 m of lava fits into 63 bits (lattice.h). */
const struct parameter params_table[PARAMETERS] = {
    {"Pclock", "s", "length of a step", AT(clock_s), 1e-3, 1e6, "120"},
    {"PTsol", "K", "temperature of solidification", AT(temp_sol_K), 1, 2000, "1143"},
    {"PTvent", "K", "temperature at the vent", AT(temp_vent_K), 1, 2000, "1360"},
    {"Pr(Tsol)", "", "relaxation rate at PTsol", AT(rate_sol), 1e-6, 1, "0.5"},
    {"Pr(Tvent)", "", "relaxation rate at PTvent", AT(rate_vent), 1e-6, 1, "0.95"},
    {"Phc(Tsol)", "m", "critical thickness at PTsol", AT(critical_sol_m), 1e-6, 1e4, "40"},
    {"Phc(Tvent)", "m", "critical thickness at PTvent", AT(critical_vent_m), 1e-6, 1e4, "1.5"},
    {"Pcool", "", "cooling factor, 0: no cooling", AT(cooling), 0, 1e6, "2.8"},
    {"Prho", "kg/m3", "density", AT(density_kg_m3), 1, 1e5, "2600"},
    {"Pepsilon", "", "emissivity", AT(emissivity), 0, 1, "0.9"},
    {"Psigma", "W/(m2 K4)", "Stefan-Boltzmann constant", AT(stefan_W_m2K4), 0, 1, "5.68e-8"},
    {"Pcv", "J/(kg K)", "specific heat", AT(heat_J_kgK), 1, 1e6, "1150"},
};

double params_value(const struct params *p, const struct parameter *which)
{
    return *(const double *)((const char *)p + which->at);
}
