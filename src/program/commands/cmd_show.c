/* cmd_show.c — `sciara show FOLDER`: its pictures once more, in other formats, sizes and languages. */
#include "cli.h"
#include "run.h"

#include "products/picture.h"
#include "record/painters.h"
#include "record/picture_mark.h"
#include "record/record.h"
#include "run/output.h"
#include "text/textfile.h"
#include "text/words.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct request {
    const char *folder, *output, *only;
    unsigned formats;
    int language;
    struct run_map map;
};

static const char *const formats[] = {"png", "svg", "pdf", NULL};

#define AT(member) offsetof(struct request, member)
static const struct option operands[] = {
    OPERAND("FOLDER", option_text, folder, "the folder of a run or a study",
            .completes = COMPLETE_FOLDER),
    {0},
};
static const struct option options[] = {
    OPTION("--format", "LIST", option_bits, formats, "formats of the pictures", .choices = formats,
           .list = true, .preset = "png"),
    OPTION("--output", "DIR", option_text, output, "the folder of the pictures",
           .completes = COMPLETE_FOLDER, .usual = "FOLDER"),
    OPTION("--only", "NAME", option_text, only, "one picture, by its name without ending",
           .usual = "all"),
    OPTION("--language", "NAME", option_choice, language, "language of maps",
           .choices = words_languages, .usual = "en"),
    RUN_OPTION_MAP_SIZE(map.page),
    RUN_OPTION_MAP_DPI(map.dpi),
    {0},
};

/* What the words change of a map. */
static int change_map(const struct request *q, struct map *m, struct error *e)
{
    struct output_pictures pages = {0};
    if (q->language) m->language = words_languages[q->language];
    double width_in, height_in;
    run_map_inches(&q->map, &width_in, &height_in);
    if (!(width_in > 0) && !(q->map.dpi > 0)) return 0;
    const int status = output_picture_page(&pages, width_in, height_in, q->map.dpi, e);
    m->paper = (struct map_paper){pages.width_in, pages.height_in, pages.dpi};
    return status;
}

static char *path_of(const struct request *q, const char *name, const char *ending, struct error *e)
{
    char *path = text_format("%s/%s.%s", q->output ? q->output : q->folder, name, ending);
    if (!path) error_memory(e);
    return path;
}

static bool is_asked(const struct request *q, const struct record *r, int i)
{
    return !q->only || !strcmp(q->only, record_name(r, i));
}

typedef int each_file(const struct request *q, const char *path, const struct scene *s,
                      struct error *e);

/* Of one picture, in each format. */
static int each_format(const struct request *q, const char *name, const struct scene *s,
                       each_file *each, struct error *e)
{
    int status = 0;
    for (int k = 0; formats[k] && !status; k++) {
        if (!(q->formats >> k & 1)) continue;
        FREED char *path = path_of(q, name, formats[k], e);
        status = path ? each(q, path, s, e) : ERROR_FAILED;
    }
    return status;
}

static int check_file(const struct request *q, const char *path, const struct scene *s,
                      struct error *e)
{
    if (access(path, F_OK) != 0 || picture_is_ours(path)) return 0;
    return error_input(
        e, "%s: would be overwritten, but is not by sciara; move it, or choose another --output",
        path);
}

static int paint_file(const struct request *q, const char *path, const struct scene *s,
                      struct error *e)
{
    const int status = scene_paint(path, s, e);
    if (!status) printf("picture       %s\n", path);
    return status;
}

/* Before the first one is painted. */
static int check_all(const struct request *q, const struct record *r, struct error *e)
{
    int status = 0, asked = 0;
    for (int i = 0; i < record_count(r) && !status; i++)
        if (is_asked(q, r, i)) {
            status = each_format(q, record_name(r, i), NULL, check_file, e);
            asked++;
        }
    if (status || asked) return status;
    return q->only ? error_input(e, "%s: has no picture of the name %s", q->folder, q->only)
                   : error_input(e, "%s: its record has no pictures", q->folder);
}

static int paint_picture(const struct request *q, const struct record *r, int i, struct error *e)
{
    FREED_BY(record_release) struct record_scene s = {0};
    int status = record_scene(&s, r, i, e);
    if (!status && s.map) status = change_map(q, s.map, e);
    if (!status && q->language && s.scene.kind == SCENE_PAGE)
        fprintf(stderr, "sciara: warning: %s: its text stays in the language that it was made in\n",
                record_name(r, i));
    return status ? status : each_format(q, record_name(r, i), &s.scene, paint_file, e);
}

static int paint_all(const struct request *q, const struct record *r, struct error *e)
{
    int status = check_all(q, r, e);
    const bool made = !status && q->output && access(q->output, F_OK) != 0;
    if (!status && q->output) status = output_prepare(q->output, e);
    for (int i = 0; i < record_count(r) && !status; i++)
        if (is_asked(q, r, i)) status = paint_picture(q, r, i, e);
    if (status && made) rmdir(q->output); /* if nothing is in it */
    return status;
}

static int open_record(struct record **r, const struct request *q, struct error *e)
{
    FREED char *path = text_format("%s/" RECORD_NAME, q->folder);
    if (!path) return error_memory(e);
    if (access(path, R_OK) != 0)
        return error_input(e,
                           "%s: %s; it is there after a run or a study with --format png, svg or "
                           "pdf of this version",
                           path, strerror(errno));
    return painters_load(e) ? record_open(r, path, e) : ERROR_FAILED;
}

static int show(void *request, struct error *e)
{
    const struct request *q = request;
    struct record *r = NULL;
    struct output_folder f = {0};
    int status = q->output ? 0 : output_folder_hold(&f, q->folder, e);
    if (!status) status = open_record(&r, q, e);
    if (!status) status = paint_all(q, r, e);
    record_close(r);
    output_folder_free(&f);
    return status;
}

const struct command command_show = {
    .name = "show",
    .summary = "paint the pictures of a folder again, in other formats, sizes and languages",
    .about = "Paints the maps and diagrams of a run, an ensemble, an answer, a calibration or a "
             "nowcast from record.zip in its "
             "folder. Nothing is computed, no other file is read, and nothing is removed.",
    .missing = "name the folder of a run or a study",
    .exits = command_exits,
    COMMAND_OF(struct request, show),
};
