/* inside.h — access to the inside of a case, which sciara.h does not offer: `sciara benchmark`
 * times variants itself (bench/), without the stopping rule of the case; `sciara info` reads the
 * outline. */
#ifndef SCIARA_INSIDE_H
#define SCIARA_INSIDE_H

#include "sciara.h"

#include "case/case.h"

const struct sim_case *case_inside(const sciara_case *c);

/* Whether a run of that case with these options has an end. sciara_run() checks this too, but only
 * after the simulation has allocated its memory. 0 or ERROR_INPUT. */
int case_check_end(const sciara_case *c, const struct sciara_options *o, struct error *e);

#endif
