/* params.h — the parameters of the model as a case file gives them (docs/model.md, section 1).
 * nvcc reads this header too. */
#ifndef SCIARA_PARAMS_H
#define SCIARA_PARAMS_H

struct params {
    double clock_s;         /* Pclock: length of a step, > 0 */
    double temp_sol_K;      /* PTsol: below it lava solidifies, > 0 */
    double temp_vent_K;     /* PTvent: > PTsol */
    double rate_sol;        /* Pr(Tsol): relaxation rate at PTsol, in (0, 1] */
    double rate_vent;       /* Pr(Tvent): at PTvent, in (0, 1] */
    double critical_sol_m;  /* Phc(Tsol): critical thickness at PTsol, > 0 */
    double critical_vent_m; /* Phc(Tvent): at PTvent, > 0 */
    double cooling;         /* Pcool: >= 0; 0 is no cooling */
    double density_kg_m3;   /* Prho: > 0 */
    double emissivity;      /* Pepsilon: in [0, 1] */
    double stefan_W_m2K4;   /* Psigma: >= 0 */
    double heat_J_kgK;      /* Pcv: > 0 */
    double cell_m;          /* Pc: side of a cell, > 0 */
};

#endif
