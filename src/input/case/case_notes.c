/* case_notes.c — warnings of a case, and the list of its input files. */
#include "case_notes.h"

#include "barriers.h"
#include "case_background.h"

#include <sys/stat.h>

static void note_file(void *self, const char *path)
{
    struct sim_case *c = self;
    struct stat s;
    if (c->input_count < CASE_INPUTS_MAX && stat(path, &s) == 0)
        c->input[c->input_count++] = (struct case_input){s.st_dev, s.st_ino};
}

void case_note_input(struct sim_case *c, const char *path)
{
    vectors_each_file(path, note_file, c);
}

void case_warn_celsius(struct sim_case *c)
{
    const double sol_K = c->problem.params.temp_sol_K, zero_K = 273.15;
    const double least_K = 900; /* granite with water melts from about 920 K on */
    if (sol_K >= least_K) return;
    warnings_say(&c->told, WARNING_INPUT,
                 "PTsol %.6g is in kelvin and means %.0f \xC2\xB0"
                 "C, at which silicate lava is solid; if "
                 "PTsol and PTvent are in degrees Celsius, add 273.15: PTsol %.6g and PTvent %.6g",
                 sol_K, sol_K - zero_K, sol_K + zero_K, c->problem.params.temp_vent_K + zero_K);
}

void case_doubt(struct sim_case *c, const char *path, const char *doubt)
{
    if (*doubt) warnings_say(&c->told, WARNING_INPUT, "%.300s: %s", path, doubt);
}

void case_note_vectors(struct sim_case *c, const struct vectors_about *a, const char *path)
{
    char sentence[512];
    case_doubt(c, path, a->doubt);
    if (!a->features) return;
    if (a->empty)
        warnings_say(&c->told, WARNING_INPUT,
                     "%.300s: %d of %d features %s no geometry and %s skipped", path, a->empty,
                     a->empty + a->features, a->empty == 1 ? "has" : "have",
                     a->empty == 1 ? "is" : "are");
    vectors_lost(a, path, sentence, sizeof sentence);
    if (*sentence) warnings_add(&c->told, WARNING_INPUT, sentence, NULL);
    if (*a->assumed) warnings_say(&c->told, WARNING_NOTE, "%.200s %s", path, a->assumed);
}

int case_same_vectors(const struct vectors_about *a, const char *path, struct error *e)
{
    if (!path || !a->stamp.inode) return 0; /* the file was never read */
    FREED char *file = vectors_file_of(path);
    return file ? file_stamp_check(&a->stamp, file, e) : error_memory(e);
}

void case_warn_changed(const struct vectors_about *a, const char *path, struct warnings *w)
{
    struct error e;
    if (case_same_vectors(a, path, &e))
        warnings_say(w, WARNING_INPUT, "%.400s; results are from its earlier content", e.text);
}

void case_warn_all_changed(const struct sim_case *c, struct warnings *w)
{
    case_warn_changed(&c->outline_about, c->outline_path, w);
    case_warn_changed(&c->vents_about, c->vents_path, w);
    if (c->barriers) case_warn_changed(&c->barriers->from.about, c->barriers->path, w);
    for (int i = 0; c->background && i < c->background->files; i++)
        case_warn_changed(&c->background->file[i].about, c->background->file[i].path, w);
}

int case_check_vectors(struct sim_case *c, const char *path, int take, const char *const *wanted,
                       struct vectors_about *about, struct error *e)
{
    const struct vector_grid grid = {c->problem.rows, c->problem.cols, &c->geo};
    *about = (struct vectors_about){0};
    if (!path) return 0;
    FREED_BY(vectors_free) struct vectors v;
    int status = vectors_read(&v, path, &grid, take, wanted, e);
    if (!status) case_note_vectors(c, &v.about, path);
    *about = v.about;
    return status;
}

int case_check_outline(struct sim_case *c, const char *path, struct vectors_about *about,
                       struct error *e)
{
    if (path && vectors_are_in(path))
        return case_check_vectors(c, path, VECTORS_TAKE_AREAS, NULL, about, e);
    *about = (struct vectors_about){0};
    if (path) file_stamp_of(&about->stamp, path);
    return 0;
}
