/* output_work.c — files of earlier studies that are expensive to compute: libraries and states. Unless option 'replace' is
 * given, these files stay, whichever command writes to the folder. Files of another plan get other names. */
#include "output_search.h"

#include "text/packed.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The name that a file had before it was set aside, malloc'ed; NULL: it was not set aside. */
static char *name_before(const char *name)
{
    enum { DIGITS = 16 };
    for (const char *bar = strchr(name, '-'); bar; bar = strchr(bar + 1, '-'))
        if (strspn(bar + 1, "0123456789abcdef") == DIGITS && strchr("-.", bar[1 + DIGITS]))
            return text_format("%.*s%s", (int)(bar - name), name,
                               strchr(bar, '.') ? strchr(bar, '.') : "");
    return NULL;
}

/* Whether a file is the state of a study (study/state.h), or of one of its processes (NAME.state.N). The state of a null
 * model does not count, because it takes only a moment to compute. */
static bool is_state(const char *name, const char *path)
{
    const char *ending = strstr(name, ".state");
    FREED char *before = name_before(name);
    if (before || !ending || ending[6 + strspn(ending + 6, ".0123456789")]) return false;
    return textfile_begins(path, "sciara ") && strncmp(name, "null.", 5) != 0;
}

/* Whether a killed command was about to move a file to previous/, but has not moved it. */
static bool is_on_its_way(const struct output_search *l, const char *name)
{
    const cJSON *entry, *list = cJSON_GetObjectItemCaseSensitive(l->writing, "files");
    FREED char *moved = text_format("%s/" OUTPUT_PREVIOUS "/%s", l->path, name);
    cJSON_ArrayForEach (entry, list)
        if (!strcmp(summary_text(entry, NULL, "name"), name)) return moved && access(moved, F_OK);
    return false;
}

bool output_study_interrupted(const cJSON *summary)
{
    const cJSON *part;
    cJSON_ArrayForEach (part, summary)
        if (!strcmp(summary_text(part, NULL, "end"), "interrupted")) return true;
    return false;
}

/* Whether a state is from an unfinished study: the summary does not list the state, or is from an interrupted study. */
static bool is_unfinished(const struct output_search *l, const char *name, const char *path)
{
    const cJSON *listed = runfiles_find(&l->files, name);
    if (is_on_its_way(l, name)) return false;
    return output_study_interrupted(l->summary) || !listed || !runfiles_same(listed, path);
}

bool output_state_plan(uint64_t *digest, const char *path)
{
    struct packed_in i;
    char head[64];
    char *end = file_head(head, sizeof head, path) ? strchr(head, '\n') : NULL;
    if (!end || packed_open(&i, path, "a state", NULL)) return false;
    end[1] = '\0';
    const bool is = packed_is(&i, head);
    *digest = packed_get(&i, UINT64_MAX);
    const bool good = is && !i.bad;
    packed_close(&i);
    return good;
}

static bool is_same_file(const char *a, const char *b)
{
    struct filesum of_a, of_b;
    return filesum_of(&of_a, a) && filesum_of(&of_b, b) && of_a.bytes == of_b.bytes &&
           of_a.crc32 == of_b.crc32;
}

/* Gives a file the name library-DIGEST.gpkg or ensemble-DIGEST.state.1, with the digest of its plan before the first dot.
 * An existing file of this name is replaced if its content is the same; otherwise it stays, and the new name gets a
 * number. */
static int set_aside(struct output_search *l, const char *name, uint64_t plan, struct error *e)
{
    const char *dot = strchr(name, '.');
    FREED char *from = text_format("%s/%s", l->path, name);
    char *other = NULL;
    for (int more = 1; more; more++) {
        char number[16] = "";
        struct stat s;
        if (more > 1) snprintf(number, sizeof number, "-%d", more);
        free(other);
        other = text_format("%.*s-%016" PRIx64 "%s%s", (int)(dot - name), name, plan, number, dot);
        FREED char *path = other ? text_format("%s/%s", l->path, other) : NULL;
        if (!path || lstat(path, &s) || (from && is_same_file(path, from))) break;
    }
    int status = output_names_add(&l->f->aside, text_format("%s", name), e);
    if (!status) return output_names_add(&l->f->aside, other, e);
    free(other);
    return status;
}

/* Whether the folder has a library of this plan that the coming command can read. */
static bool has_library(const struct output_search *l, uint64_t plan)
{
    FREED_BY(made_by_free) struct made_by by = {0};
    const struct product *row = output_search_row(l, LIBRARY_NAME);
    FREED char *path = text_format("%s/" LIBRARY_NAME, l->path);
    uint64_t its;
    return row && row->work && path && row->work(path, &its, &by) && its == plan;
}

/* Sets aside the state of a finished study. If the coming command has the same kind of study, the state is not set
 * aside if the command has the same plan, or if the folder has a library of the state's plan. */
static int judge_finished(struct output_search *l, const char *name, const char *path, bool own,
                          bool *judged, struct error *e)
{
    uint64_t plan;
    if (l->info->replace || is_on_its_way(l, name) || !output_state_plan(&plan, path) ||
        (own && (plan == l->info->plan_digest || has_library(l, plan))))
        return 0;
    *judged = true;
    l->other_study = !own;
    if (!l->was.text) made_by_get(&l->was, l->writing ? l->writing : l->summary, NULL);
    return output_spare(l->c, path, e) ? ERROR_INPUT : set_aside(l, name, plan, e);
}

static int judge_state(struct output_search *l, const char *name, const char *path, bool *judged,
                       struct error *e)
{
    const struct output_info *info = l->info;
    const char *study = summary_text(l->writing, NULL, "study");
    const bool own = info->state && !strncmp(name, info->state, strlen(info->state)),
               left = info->restarts && !strcmp(study, info->study);
    uint64_t plan = info->plan_digest;
    /* a study that resumes reads its state itself */
    *judged = l->rejoined;
    if (l->rejoined) return 0;
    if (!is_unfinished(l, name, path)) return judge_finished(l, name, path, own, judged, e);
    *judged = true;
    if (info->replace)
        return output_spare(l->c, path, e) ? ERROR_INPUT : output_search_old(l, name, "", e);
    if (!own)
        return error_input(e,
                           "%s: is the state of an unfinished study; resume that study, choose "
                           "another folder, or remove this file",
                           path);
    if (!output_state_plan(&plan, path))
        return error_input(e,
                           "%s: is a damaged state of an unfinished study; remove it, or compute "
                           "anew with option 'replace'",
                           path);
    if (plan != info->plan_digest) {
        if (!l->was.text) made_by_get(&l->was, l->writing ? l->writing : l->summary, NULL);
        return set_aside(l, name, plan, e);
    }
    *judged = !left && !info->covers;
    if (!*judged) return 0;
    return error_input(e,
                       info->restarts
                           ? "%s: is the state of an unfinished study of this plan; resume that "
                             "study, choose another folder, or give option 'replace'"
                           : "%s: is the state of an unfinished study of this plan; resume it "
                             "with option 'resume', or compute it anew with option 'replace'",
                       path);
}

static bool is_library(const char *name, const char *path)
{
    return !fnmatch(LIBRARY_NAME "*", name, 0) && textfile_begins(path, LIBRARY_HEAD);
}

int output_judge_work(struct output_search *l, const char *name, const char *path, bool *judged,
                      struct error *e)
{
    FREED_BY(made_by_free) struct made_by by = {0};
    const struct product *row = output_search_row(l, name);
    uint64_t plan;
    *judged = false;
    FREED char *before = l->info->replace ? name_before(name) : NULL;
    const struct product *was = before ? output_search_row(l, before) : NULL;
    if (was && (was->work ? was->work(path, &plan, &by) : is_state(before, path))) {
        *judged = true;
        return output_search_old(l, name, "", e);
    }
    if (is_state(name, path)) return judge_state(l, name, path, judged, e);
    if (!row) {
        *judged = !l->info->replace && is_library(name, path);
        return 0;
    }
    if (!row->work || !row->work(path, &plan, &by)) return 0;
    *judged = plan == l->info->plan_digest || !l->info->replace;
    if (!*judged) return 0;
    if (output_spare(l->c, path, e)) return ERROR_INPUT;
    if (plan == l->info->plan_digest) return 0;
    made_by_free(&l->was);
    l->was = by;
    by = (struct made_by){0};
    return set_aside(l, name, plan, e);
}
