/* made_case.h — checks that every command accepts the cases of `sciara terrain`. */
#ifndef SCIARA_CLI_MADE_CASE_H
#define SCIARA_CLI_MADE_CASE_H

#include "terrain/terrain.h"

/* 0 if the case of that landscape will be read and computed; else ERROR_INPUT, with the reason that
 * `sciara run` would give and an option to change. Memory depends on the machine that computes it,
 * and is not checked. `whole`: with vents and rates, not only the terrain. */
int made_case_check(const struct terrain *t, bool whole, struct error *e);

#endif
