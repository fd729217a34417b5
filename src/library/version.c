/* version.c — the version of the linked library, with the commit that it was built from: "0.2.0+g5398557" (tools/version).
 * No other file is recompiled after a commit. */
#include "library.h"

#ifndef SCIARA_BUILD
#define SCIARA_BUILD SCIARA_VERSION
#endif

const char *sciara_version(void)
{
    return SCIARA_BUILD;
}
