/* unit.h — cmocka, the headers that it wants before it, and the check of a call that can fail. */
#ifndef SCIARA_UNIT_H
#define SCIARA_UNIT_H

#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Fails with the message of a call that returned other than 0. */
static inline void must(int status, const struct error *e)
{
    if (status) print_error("%s\n", e->text);
    assert_int_equal(status, 0);
}

#endif
