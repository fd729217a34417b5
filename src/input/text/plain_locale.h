/* plain_locale.h — makes printf() and strtod() use a decimal point. Both functions follow the locale of the thread,
 * which may have a decimal comma in a program that uses this library. IN_PLAIN_LOCALE sets the C locale for this
 * thread. If memory is missing, the locale stays as it is. */
#pragma once

#include "base/error.h"

#include <locale.h>

struct plain_locale {
    locale_t plain, before;
};

static inline struct plain_locale plain_locale_enter(void)
{
    struct plain_locale l = {newlocale(LC_ALL_MASK, "C", (locale_t)0), (locale_t)0};
    if (l.plain) l.before = uselocale(l.plain);
    return l;
}

static inline void plain_locale_leave(const struct plain_locale *l)
{
    if (!l->plain) return;
    uselocale(l->before);
    freelocale(l->plain);
}

/* Keeps the plain locale to the end of the block. */
#define IN_PLAIN_LOCALE                                                                            \
    FREED_BY(plain_locale_leave) const struct plain_locale plain_locale = plain_locale_enter()
