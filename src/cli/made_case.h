/* made_case.h — what `sciara terrain` makes is a case that every command takes. */
#ifndef SCIARA_CLI_MADE_CASE_H
#define SCIARA_CLI_MADE_CASE_H

#include "terrain/terrain.h"

/* 0 if the case of that landscape will be read and computed; else ERROR_INPUT, with the reason that
 * `sciara run` would give and an option to change. Memory is that of the machine that computes it,
 * and is not looked at. `whole`: with vents and rates, and not the terrain alone. */
int made_case_check(const struct terrain *t, bool whole, struct error *e);

#endif
