#define _XOPEN_SOURCE 700 /* realpath() */
#include "kept_plan.h"

#include "draft.h"

#include "case/settings.h"
#include "products/made_by.h"
#include "record/runfolder.h"
#include "run/output.h"
#include "text/atomic_file.h"
#include "text/textfile.h"
#include "vector/vectors.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void kept_plan_free(struct kept_plan *k)
{
    RELEASE(k, k->path, k->was, k->text, k->differs);
}

/* Locks the folder of the plan. Without a lock two commands at once would each overwrite the lines of the other. If
 * another command holds the lock, tries again for five seconds. */
static int hold_folder(struct output_folder *f, const struct kept_plan *k, struct error *e)
{
    enum { TRIES = 250 };
    const struct timespec pause = {.tv_nsec = 20000000};
    FREED char *folder = path_beside(k->path, ".");
    if (!folder) return error_memory(e);
    for (int i = 0; i < TRIES; i++) {
        if (i) nanosleep(&pause, NULL);
        if (!output_folder_hold(f, folder, NULL)) return 0;
        output_folder_leave(f);
    }
    return error_input(
        e, "%s: another command is writing to the folder of this plan; wait for its end", k->path);
}

static int count_lines(const char *text)
{
    int lines = 0;
    for (; text && *text; text++) lines += *text == '\n';
    return lines;
}

/* Replaces the number of a line in a message by the words of the line, if kept_plan_undo() removes the line. */
static void name_undone(const struct kept_plan *k, struct error *e)
{
    const size_t length = strlen(k->path);
    FREED char *text = NULL;
    char *rest;
    size_t size;
    if (strncmp(e->text, k->path, length) != 0 || e->text[length] != ':') return;
    const long line = strtol(e->text + length + 1, &rest, 10);
    if (*rest != ':' || line <= count_lines(k->was) || textfile_load(&text, &size, k->path, NULL))
        return;
    const char *words = text;
    for (long i = 1; i < line && words; i++)
        words = (words = strchr(words, '\n')) ? words + 1 : NULL;
    if (!words) return;
    FREED char *said = text_format("'%.*s'%s", (int)strcspn(words, "\n"), words, rest);
    if (said) snprintf(e->text, sizeof e->text, "%s", said);
}

/* Removes from `now` the lines that kept_plan_open() added. `now` is the text of the plan, which another program has
 * changed. */
static void remove_added(const struct kept_plan *k, const char *now)
{
    const char *at = *k->added ? strstr(now, k->added) : NULL;
    if (!at || (at > now && at[-1] != '\n')) return;
    FREED char *rest = text_format("%.*s%s", (int)(at - now), now, at + strlen(k->added));
    if (rest) atomic_file_text(k->path, rest, NULL);
}

void kept_plan_undo(struct kept_plan *k, struct error *e)
{
    struct output_folder held;
    FREED char *now = NULL;
    size_t size;
    if (!k->changed) return;
    if (hold_folder(&held, k, NULL)) return; /* the line stays, and the message keeps its number */
    name_undone(k, e);
    const bool there = !textfile_load(&now, &size, k->path, NULL);
    if (there && strcmp(now, k->text) != 0) remove_added(k, now);
    else if (there && k->was) atomic_file_text(k->path, k->was, NULL);
    else if (there) unlink(k->path);
    output_folder_leave(&held);
}

/* ---- where the plan is ------------------------------------------------------------------------- */

/* The path of a case's plan, next to the case; malloc'ed. */
static char *plan_of_case(const char *path)
{
    const int stem = (int)strlen(path) - (text_ends(path, ".cfg") ? (int)strlen(".cfg") : 0);
    return text_format("%.*s" KEPT_PLAN_END, stem, path);
}

/* Whether `name` in a folder is the plan of a case in the same folder. */
static bool is_kept(const char *folder, const char *name)
{
    if (!text_ends(name, KEPT_PLAN_END)) return false;
    FREED char *of =
        text_format("%s/%.*s.cfg", folder, (int)(strlen(name) - strlen(KEPT_PLAN_END)), name);
    return of && access(of, F_OK) == 0;
}

/* Finds the only case of a folder or, if there is no case, the only plan. *path is malloc'ed. */
static int find_in_folder(char **path, const char *folder, struct error *e)
{
    char *found[2] = {NULL, NULL}, *other[2] = {NULL, NULL};
    DIR *d = opendir(folder);
    int status = d ? 0 : error_input(e, "%s: %s", folder, strerror(errno));
    for (const struct dirent *f; !status && (f = readdir(d));) {
        if (*f->d_name == '.' || !text_ends(f->d_name, ".cfg") || is_kept(folder, f->d_name))
            continue;
        FREED char *file = text_format("%s/%s", folder, f->d_name);
        const int plan = file && plan_has_draws(file);
        char **to = found[plan] ? &other[plan] : &found[plan];
        if (!file || (!*to && !(*to = text_format("%s", file)))) status = error_memory(e);
    }
    if (d) closedir(d);
    const int which = found[0] ? 0 : 1;
    if (!status && !found[which])
        status = error_input(e, "%s: has no case; write one, NAME.cfg", folder);
    else if (!status && other[which])
        status = error_input(e, "%s: has several cases, such as %s and %s; name one of them",
                             folder, path_name(found[which]), path_name(other[which]));
    if (!status && !(*path = text_format("%s", found[which]))) status = error_memory(e);
    FREE_ALL(found[0], found[1], other[0], other[1]);
    return status;
}

/* ---- observations ------------------------------------------------------------------------------ */

/* Sets *path to the absolute path of a file, with symbolic links resolved; malloc'ed. */
static int absolute(char **path, const char *name, struct error *e)
{
    *path = realpath(name, NULL);
    return *path ? 0 : error_input(e, "%s: %s", name, strerror(errno));
}

/* Whether the i-th word and words after it together name a file. Such a name needs quotes. */
static bool has_blanks(const struct entry_words *w, int i)
{
    char name[PATH_MAX];
    int length = snprintf(name, sizeof name, "%s", w->word[i]);
    for (int k = i + 1; k < w->count && length < PATH_MAX; k++) {
        length += snprintf(name + length, sizeof name - (size_t)length, " %s", w->word[k]);
        if (access(name, F_OK) == 0) return true;
    }
    return false;
}

/* Writes the i-th word, the name of a file, relative to the folder of the plan. */
static int put_file(FILE *f, const char *plan, const struct entry_words *w, int i, struct error *e)
{
    const char *name = w->word[i];
    FREED char *plain = vectors_file_of(name);
    FREED char *folder = path_beside(plan, ".");
    FREED char *to = NULL;
    FREED char *from = NULL;
    int status = plain && folder ? absolute(&to, plain, e) : error_memory(e);
    if (status && plain && access(plain, F_OK) != 0 && has_blanks(w, i))
        status = error_input(
            e,
            "%s: has blanks in its name; write it in quotes: 'observed_front \"my front.tif\" ...'",
            name);
    if (!status) status = absolute(&from, folder, e);
    FREED char *way = status ? NULL : path_from(from, to);
    if (!way) return status ? status : error_memory(e);
    const char *quote = !strpbrk(way, " \t") ? "" : strchr(way, '"') ? "'" : "\"";
    fprintf(f, "%s%s%s%s", quote, way, quote, name + strlen(plain));
    return 0;
}

static bool begins_with_file(const char *key)
{
    int kind = 0;
    while (kind < SEEN_KINDS && strcmp(seen_names[kind], key) != 0) kind++;
    return kind < SEEN_KINDS && kind != SEEN_END;
}

/* Turns a line of the command into a line of the plan, with names of files relative to the plan; *line is malloc'ed. */
static int moved_line(char **line, const char *plan, const char *text, struct error *e)
{
    FREED_BY(keyvalues_free) struct keyvalues k = {.count = 0};
    struct entry_words w;
    size_t size;
    int status = keyvalues_of_text(&k, "observation", text, e);
    const struct entry at = {.path = "observation", .line = k.item};
    if (!status && (k.count != 1 || !entry_words(&w, &at)))
        status = error_input(e,
                             "'%.200s': give one line of a plan, such as 'observed_front "
                             "front.geojson at 24h error_m 30'",
                             text);
    else if (!status && !plan_observes(k.item->key))
        status =
            error_input(e, "'%.100s': does not name an observation; `sciara help keys` lists them",
                        k.item->key);
    FILE *f = status ? NULL : open_memstream(line, &size);
    if (!status && !f) status = error_memory(e);
    for (int i = 0; !status && i < w.count; i++) {
        const bool file = i ? !strcmp(w.word[i - 1], "within") : begins_with_file(k.item->key);
        if (i) putc(' ', f);
        else fprintf(f, "%s ", k.item->key);
        if (file) status = put_file(f, plan, &w, i, e);
        else fputs(w.word[i], f);
    }
    if (!text_of_stream(f, line) && !status) status = error_memory(e);
    return status;
}

static bool has_line(const struct keyvalues *k, const char *key, const char *value)
{
    for (int i = 0; i < k->count; i++)
        if (!strcmp(k->item[i].key, key) && !strcmp(k->item[i].value, value)) return true;
    return false;
}

/* Writes the observations among the lines of `text`, except those that the plan has. `there`: the text of the plan. */
static int add_lines(struct kept_plan *k, FILE *out, const char *there, const char *text,
                     struct error *e)
{
    FREED_BY(keyvalues_free) struct keyvalues has = {.count = 0}, given = {.count = 0};
    int status = keyvalues_of_text(&has, k->path, there, e);
    if (!status) status = keyvalues_of_text(&given, "observation", text, e);
    for (int i = 0; !status && i < given.count; i++) {
        const struct keyvalue *line = &given.item[i];
        if (!plan_observes(line->key) || has_line(&has, line->key, line->value)) continue;
        const char *quote = strchr(line->value, '#') ? "\"" : "";
        fprintf(out, "%-23s %s%s%s\n", line->key, quote, line->value, quote);
        k->changed = true;
    }
    return status;
}

/* ---- the plan ---------------------------------------------------------------------------------- */

static int check_members(const char *plan, const char *text, int64_t members, struct error *e)
{
    FREED_BY(keyvalues_free) struct keyvalues k = {.count = 0};
    int status = keyvalues_of_text(&k, plan, text, e);
    const int line = status ? 0 : keyvalues_line(&k, "members");
    for (int i = 0; i < k.count && line; i++)
        if (k.item[i].line == line && strtoll(k.item[i].value, NULL, 10) != members)
            return error_line(e, plan, line, "the plan has %s members; change the number there",
                              k.item[i].value);
    return status;
}

/* Makes the text of the plan before observations are added: the text of its file, or a draft. *text is malloc'ed. */
static int begin_plan(struct kept_plan *k, char **text, const char *place, int64_t members,
                      struct error *e)
{
    size_t size;
    if (access(k->path, F_OK) == 0) {
        int status = textfile_load(&k->was, &size, k->path, e);
        if (!status && members) status = check_members(k->path, k->was, members, e);
        const char *end = !status && *k->was && !text_ends(k->was, "\n") ? "\n" : "";
        if (!status && !(*text = text_format("%s%s", k->was, end))) status = error_memory(e);
        return status;
    }
    FILE *f = open_memstream(text, &size);
    if (!f) return error_memory(e);
    const int status = draft_of_case(f, place, members ? members : DRAFT_MEMBERS, e);
    k->drafted = k->changed = !status;
    return text_of_stream(f, text) || status ? status : error_memory(e);
}

/* Adds the observations of the case and of the command. */
static int add_all(struct kept_plan *k, FILE *out, const char *there, const char *place,
                   char *const *seen, int count, struct error *e)
{
    FREED char *of_case = NULL;
    int status = 0;
    fputs(there, out);
    if (strcmp(place, k->path) != 0 && !k->drafted) {
        status = textfile_load(&of_case, &(size_t){0}, place, e);
        if (!status) status = add_lines(k, out, there, of_case, e);
    }
    for (int i = 0; !status && i < count; i++) {
        FREED char *line = NULL;
        status = moved_line(&line, k->path, seen[i], e);
        if (!status) status = add_lines(k, out, there, line, e);
    }
    return status;
}

/* If the folder of a plan cannot be written to, the error asks for another folder. */
static void refuse_folder(const struct kept_plan *k, struct error *e)
{
    FREED char *folder = path_beside(k->path, ".");
    if (folder && access(folder, W_OK) != 0)
        error_failed(e,
                     "%s: cannot be written: %s; the plan is kept next to its case: copy the case "
                     "to a folder that can be written",
                     k->path, strerror(errno));
}

/* ---- a case that was edited -------------------------------------------------------------------- */

/* Those lines of a text that have a key of a case, malloc'ed. */
static char *lines_of_case(const char *text)
{
    FREED_BY(keyvalues_free) struct keyvalues k = {.count = 0};
    char *lines = NULL;
    size_t size;
    struct key of;
    FILE *f = open_memstream(&lines, &size);
    if (f && text && !keyvalues_of_text(&k, "", text, NULL))
        for (int i = 0; i < k.count; i++)
            if (schema_find(&case_schema, k.item[i].key, &of))
                fprintf(f, strchr(k.item[i].value, '"') ? "%s '%s'\n" : "%s \"%s\"\n",
                        k.item[i].key, k.item[i].value);
    return text_of_stream(f, &lines);
}

/* Compares the plan with a new draft of the case, but only in the lines that have a key of a case. Sets k->differs. */
static int compare_case(struct kept_plan *k, const char *place, struct error *e)
{
    FREED_BY(made_by_free) struct made_by plan = {0}, now = {0};
    FREED char *draft = NULL;
    size_t size;
    FILE *f = open_memstream(&draft, &size);
    if (!f) return error_memory(e);
    const bool bad = draft_of_case(f, place, DRAFT_MEMBERS, NULL) != 0;
    if (text_of_stream(f, &draft) == NULL) return error_memory(e);
    if (bad || made_by_read(&plan, k->path, NULL) || made_by_read(&now, place, NULL)) return 0;
    const struct made_by was = {lines_of_case(k->text), lines_of_case(plan.files), true},
                         is = {lines_of_case(draft), lines_of_case(now.files), true};
    if (made_by_differs(&was, &is)) k->differs = made_by_difference(&was, &is);
    FREE_ALL(was.text, was.files, is.text, is.files);
    return 0;
}

/* Whether the case was written after its plan. If the plan was edited later, its differences are intended. */
static bool is_case_newer(const struct kept_plan *k, const char *place)
{
    struct file_stamp a, b;
    if (!file_stamp_of(&a, place) || !file_stamp_of(&b, k->path)) return false;
    return a.modified_s != b.modified_s ? a.modified_s > b.modified_s
                                        : a.modified_ns > b.modified_ns;
}

/* Reads the plan, adds lines and writes it. */
static int add_to_plan(struct kept_plan *k, const char *place, int64_t members, char *const *seen,
                       int count, struct error *e)
{
    FREED char *there = NULL;
    size_t size;
    const bool newer = is_case_newer(k, place);
    int status = begin_plan(k, &there, place, members, e);
    FILE *out = status ? NULL : open_memstream(&k->text, &size);
    if (!status && !out) status = error_memory(e);
    if (!status) status = add_all(k, out, there, place, seen, count, e);
    if (!text_of_stream(out, &k->text) && !status) status = error_memory(e);
    if (!status) k->added = k->text + strlen(there);
    if (!status && k->changed) status = atomic_file_text(k->path, k->text, e);
    if (status && k->changed) refuse_folder(k, e);
    if (status) k->changed = false;
    return status || k->drafted || !newer ? status : compare_case(k, place, e);
}

int kept_plan_open(struct kept_plan *k, const char *place, int64_t members, char *const *seen,
                   int count, struct error *e)
{
    struct output_folder held;
    FREED char *found = NULL;
    *k = (struct kept_plan){0};
    int status = runfolder_is(place) ? find_in_folder(&found, place, e) : 0;
    if (status) return status;
    if (found) place = found;
    k->path = plan_has_draws(place) ? text_format("%s", place) : plan_of_case(place);
    status = k->path ? hold_folder(&held, k, e) : error_memory(e);
    if (status) return status;
    status = add_to_plan(k, place, members, seen, count, e);
    output_folder_leave(&held);
    return status;
}
