/* Any bytes as a drawing on a small case: refused with one line that names an entry that is there, or files
 * of a case. Of these each is loaded, or refused in the same way. */
#include "drawing/drawing.h"

#include "case_files.h"
#include "fuzz.h"

#include <limits.h>
#include <sys/stat.h>

static struct sim_case base;
static struct settings settings;
static struct case_files files;
static struct drawing_ground ground;

static void end(void)
{
    cJSON_Delete(ground.drawing);
    case_free(&base);
    settings_free(&settings);
    case_files_free(&files);
}

static void begin(void)
{
    static char folder[PATH_MAX];
    const struct schema_values more = {0};
    struct error e = {0};
    write_case(&scratch);
    char *at = getcwd(folder, sizeof folder - sizeof scratch.path - 1);
    if (!at || case_load_base(&base, &settings, &files, scratch_file(&scratch, "case.cfg"), &more,
                              NULL, &e))
        abort();
    strcat(strcat(folder, "/"), scratch.path);
    ground = (struct drawing_ground){
        .c = &base, .settings = &settings, .files = &files, .folder = folder};
    if (drawing_of_case(&ground, &e)) abort();
    if (mkdir(scratch_file(&scratch, "drawn"), 0777)) abort();
    atexit(end);
}

static void check_fault(const cJSON *drawing, const struct drawing_fault *f, const struct error *e)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(drawing, f->object);
    if (e->code != ERROR_INPUT || !*e->text || strchr(e->text, '\n')) abort();
    if (f->number < -1 || (f->number >= 0 && f->number >= cJSON_GetArraySize(list))) abort();
}

/* What is as in the case keeps its line, so that its files are read; others are written to a folder of their own. */
static void load(const cJSON *drawing)
{
    struct drawing_fault f = {.number = -1};
    struct error e = {0};
    struct sim_case c;
    const char *folder = scratch_file(&scratch, "drawn");
    const char *path = scratch_file(&scratch, "drawn/drawn.cfg");
    if (drawing_write(drawing, &ground, folder, "drawn", NULL, &e)) abort();
    if (case_load(&c, path, &e)) {
        drawing_blame(&f, drawing, folder, &e);
        check_fault(drawing, &f, &e);
        return;
    }
    if (c.problem.rows != base.problem.rows || c.problem.cols != base.problem.cols) abort();
    case_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct drawing_fault f;
    struct error e = {0};
    if (fuzz_begin()) begin();
    cJSON *drawing = cJSON_ParseWithLength((const char *)data, size);
    if (drawing_check(drawing, &ground, &f, &e)) check_fault(drawing, &f, &e);
    else load(drawing);
    cJSON_Delete(drawing);
    return 0;
}
