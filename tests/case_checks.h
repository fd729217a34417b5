/* case_checks.h — checks that a case is read, or is refused for the right reason. */
#pragma once

#include "case/case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_files.h"
#include "unit.h"

static inline void load(struct sim_case *c, const char *path)
{
    struct error e = {0};
    int status = case_load(c, path, &e);
    if (status) print_error("%s\n", e.text);
    assert_int_equal(status, 0);
}

/* A file of the case is replaced by `text` (or written anew); the message has to name `where`. */
struct bad {
    const char *file, *text, *where, *what;
};

#define HEAD8 "ncols 8\nnrows 6\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\n"

static inline void expect_refusal(const struct bad *b, const char *path)
{
    struct sim_case c;
    struct error e = {0};
    memset(&c, 0xab, sizeof c);
    int status = case_load(&c, path, &e);
    bool zero = true;
    for (size_t i = 0; i < sizeof c; i++) zero &= ((const char *)&c)[i] == 0;
    if (status != ERROR_INPUT || !zero || !strstr(e.text, b->where) || !strstr(e.text, b->what) ||
        strchr(e.text, '\n'))
        fail_msg("file %s with\n%s\ngave %d: '%s', not '%s' and '%s'", b->file, b->text, status,
                 e.text, b->where, b->what);
}
