/* settings_missing.h — whether a case has all that it needs. */
#ifndef SCIARA_SETTINGS_MISSING_H
#define SCIARA_SETTINGS_MISSING_H

#include "settings.h"

/* ERROR_INPUT names all keys that are missing, so that a case is complete after one correction.
 * seen: of each parameter of the model, in their order, the line that it stands in, 0: none. */
int settings_check_required(const struct settings *s, const int seen[], bool plan, struct error *e);

#endif
