/* load_case.c — the case that a command names. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cli.h"

#include "text/textfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Folders of cases that come with the program, relative to its own folder: installed, and built in
 * the source tree. */
static const char *const known[] = {"../share/sciara/data", "../../data"};

/* The shortest path of a case of that name in those folders; NULL: there is none. malloc'ed.
 */
static char *find_known(const char *name)
{
    char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) return NULL;
    program[length] = '\0';
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char *relative = text_format("%s/%s", known[i], name);
        char *path = relative ? path_beside(program, relative) : NULL;
        char *found = path && access(path, R_OK) == 0 ? realpath(path, NULL) : NULL;
        free(relative);
        free(path);
        if (found) return found;
    }
    return NULL;
}

/* If a file is missing, but one of that name and .cfg is there, or one of that name is known, the
 * remedy is its path. */
static void add_place(const char *path, struct sciara_error *e)
{
    const char *slash = strrchr(path, '/');
    if (access(path, F_OK) == 0) return;
    char *found = text_format("%s.cfg", path);
    if (found && access(found, R_OK)) {
        free(found);
        found = find_known(slash ? slash + 1 : path);
    }
    if (found)
        snprintf(e->text, sizeof e->text, "%.400s: there is no such file; did you mean %.500s?",
                 path, found);
    free(found);
}

int cli_load_case(sciara_case **c, const char *path, const char *arithmetic,
                  const struct sciara_watcher *watcher, struct sciara_error *e)
{
    int status = sciara_case_load(c, path, arithmetic, watcher, e);
    if (status == SCIARA_INPUT) add_place(path, e);
    return status;
}
