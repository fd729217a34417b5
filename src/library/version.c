/* version.c — the version of the linked library, with the commit from which it was built: "0.2.0+g5398557"
 * (tools/version). After a commit, only this file is compiled again. */
#include "library.h"

#ifndef SCIARA_BUILD
#define SCIARA_BUILD SCIARA_VERSION
#endif

const char *sciara_version(void)
{
    return SCIARA_BUILD;
}
