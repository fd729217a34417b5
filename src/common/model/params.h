/* params.h — the parameters of the model as a case file gives them (docs/model.md, section 1).
 * nvcc reads this header too. */
#ifndef SCIARA_PARAMS_H
#define SCIARA_PARAMS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct params {
    double clock_s;         /* Pclock: length of a step, > 0 */
    double temp_sol_K;      /* PTsol: lava at or below it solidifies, > 0 */
    double temp_vent_K;     /* PTvent: > PTsol */
    double rate_sol;        /* Pr(Tsol): relaxation rate at PTsol, in (0, 1] */
    double rate_vent;       /* Pr(Tvent): relaxation rate at PTvent, in (0, 1] */
    double critical_sol_m;  /* Phc(Tsol): critical thickness at PTsol, > 0 */
    double critical_vent_m; /* Phc(Tvent): critical thickness at PTvent, > 0 */
    double cooling;         /* Pcool: >= 0; 0 is no cooling */
    double density_kg_m3;   /* Prho: > 0 */
    double emissivity;      /* Pepsilon: in [0, 1] */
    double stefan_W_m2K4;   /* Psigma: >= 0 */
    double heat_J_kgK;      /* Pcv: > 0 */
    double cell_m;          /* Pc: side of a cell, > 0 */
};

/* One of the twelve parameters that a case file gives. cell_m is not one of them: the DEM gives
 * it. */
struct parameter {
    const char *name;    /* in a case file */
    const char *unit;    /* "": none */
    const char *meaning; /* short description */
    size_t at;           /* offset of the double in struct params */
    double low, high;    /* range, ends included; PTvent also has to be above PTsol */
    const char *usual;   /* value for Etna 2006, as text */
};
enum { PARAMETERS = 12 };
extern const struct parameter params_table[PARAMETERS];
double params_value(const struct params *p, const struct parameter *which);

#ifdef __cplusplus
}
#endif

#endif
