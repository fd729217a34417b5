/* inside.h — what is inside a case, for those who need what sciara.h does not offer: `sciara
 * benchmark` times variants by themselves (bench/), without the stopping rule of the case; `sciara
 * info` reads the outline. */
#ifndef SCIARA_INSIDE_H
#define SCIARA_INSIDE_H

#include "sciara.h"

#include "case/case.h"

const struct sim_case *case_inside(const sciara_case *c);

#endif
