#include "rank_states.h"

#include "text/textfile.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char STEM[] = STATE_NAME ".";

char *rank_state_path(const char *folder, int rank)
{
    return rank ? text_format("%s/%s%d", folder, STEM, rank)
                : text_format("%s/" STATE_NAME, folder);
}

bool rank_state_is(const char *name)
{
    const char *digits = name + strlen(STEM);
    return !strncmp(name, STEM, strlen(STEM)) && *digits &&
           strspn(digits, "0123456789") == strlen(digits);
}

typedef int visitor(void *of, const char *path, struct error *e);

/* Calls `with` for the state of each process but the first; NULL: counts them. */
static int visit(const char *folder, visitor *with, void *of, int *found, struct error *e)
{
    DIR *d = opendir(folder);
    int status = 0;
    *found = 0;
    for (struct dirent *entry; d && !status && (entry = readdir(d));) {
        if (!rank_state_is(entry->d_name)) continue;
        char *path = text_format("%s/%s", folder, entry->d_name);
        status = !path ? error_memory(e) : with ? with(of, path, e) : 0;
        free(path);
        ++*found;
    }
    if (d) closedir(d);
    return status;
}

bool rank_states_there(const char *folder)
{
    char *first = rank_state_path(folder, 0);
    int found = 0;
    const bool there = first && access(first, F_OK) == 0;
    free(first);
    if (!there) visit(folder, NULL, NULL, &found, NULL);
    return there || found;
}

static bool has_all_of(const struct ensemble *s, const struct ensemble *part)
{
    for (int64_t i = 0; i < s->source->count; i++)
        if (part->result[i].done && !s->result[i].done) return false;
    return true;
}

static int add(void *ensemble, const char *path, struct error *e)
{
    struct ensemble *s = ensemble, part = {0};
    const struct shard whole = {1, 1};
    int status = ensemble_create(&part, s->source, whole, SIZE_MAX, e);
    if (!status) status = state_read(&ensemble_state, &part, path, e);
    if (!status && !has_all_of(s, &part)) status = ensemble_merge(s, &part, path, e);
    ensemble_free(&part);
    return status;
}

int rank_states_add(struct ensemble *s, const char *folder, int *found, struct error *e)
{
    return visit(folder, add, s, found, e);
}

static int remove_one(void *of, const char *path, struct error *e)
{
    (void)of;
    if (unlink(path) == 0 || errno == ENOENT) return 0;
    return error_failed(e, "%s: cannot be removed: %s", path, strerror(errno));
}

int rank_states_remove(const char *folder, struct error *e)
{
    int found;
    return visit(folder, remove_one, NULL, &found, e);
}
