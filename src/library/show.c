/* show.c — the pictures of a folder painted again, from its record. */
#include "library.h"

#include "products/picture.h"
#include "record/painters.h"
#include "record/picture_mark.h"
#include "record/record.h"
#include "text/plain_locale.h"
#include "text/textfile.h"
#include "text/words.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const struct sciara_show_options DEFAULTS = {.size = sizeof DEFAULTS, .formats = SCIARA_PNG};

void sciara_show_options_init(struct sciara_show_options *o, size_t size)
{
    structure_write(o, size, &DEFAULTS, sizeof DEFAULTS);
}

struct showing {
    const char *folder;
    struct sciara_show_options o;
    struct map_paper paper; /* of maps, where the options name one */
    struct record *record;
    int all, done;    /* files */
    const char *note; /* of the picture that is painted */
};

/* ---- options --------------------------------------------------------------------------------- */

static int check_language(const char *language, struct error *e)
{
    char known[64] = "";
    size_t n = 0;
    if (!language) return 0;
    for (int i = 0; words_languages[i] && n < sizeof known; i++) {
        if (!strcmp(language, words_languages[i])) return 0;
        n += (size_t)snprintf(known + n, sizeof known - n, " %s", words_languages[i]);
    }
    return error_input(e, "show: language %.40s: give one of%s", language, known);
}

static int check_show(struct showing *s, struct error *e)
{
    const struct sciara_show_options *o = &s->o;
    struct output_pictures page = {0};
    if (!s->folder || !*s->folder)
        return error_input(e, "show: folder: name the folder of a run or a study");
    if (o->output && !*o->output)
        return error_input(e, "show: output: name a folder for the pictures");
    if (!o->formats || o->formats & ~(unsigned)OUTPUT_PICTURES)
        return error_input(e, "show: formats %#x: give SCIARA_PNG, SCIARA_SVG or SCIARA_PDF, or'ed",
                           o->formats);
    if (check_language(o->language, e) ||
        output_picture_page(&page, o->map_width_in, o->map_height_in, o->map_dpi, e))
        return ERROR_INPUT;
    if (o->map_width_in > 0 || o->map_dpi > 0)
        s->paper = (struct map_paper){page.width_in, page.height_in, page.dpi};
    return 0;
}

/* ---- one picture ----------------------------------------------------------------------------- */

typedef int each_file(struct showing *s, const char *path, const struct scene *of, struct error *e);

/* In each format. */
static int each_format(struct showing *s, int i, const struct scene *of, each_file *each,
                       struct error *e)
{
    const struct sciara_show_options *o = &s->o;
    int status = 0;
    for (unsigned bit = 1; bit <= o->formats && !status; bit *= 2) {
        if (!(o->formats & bit)) continue;
        FREED char *path = text_format("%s/%s.%s", o->output ? o->output : s->folder,
                                       record_name(s->record, i), sciara_format_name(bit));
        status = path ? each(s, path, of, e) : error_memory(e);
    }
    return status;
}

static int check_file(struct showing *s, const char *path, const struct scene *of, struct error *e)
{
    s->all++;
    if (access(path, F_OK) != 0 || picture_is_ours(path)) return 0;
    return error_input(
        e, "%s: would be overwritten, but is not by sciara; move it, or choose another output",
        path);
}

/* A signal waits for the picture's end, so that it is whole. */
static int paint_whole(const char *path, const struct scene *of, struct error *e)
{
    FREED_BY(loops_end) const struct loops before = loops_begin(0, SIZE_MAX);
    return scene_paint(path, of, e);
}

static int paint_file(struct showing *s, const char *path, const struct scene *of, struct error *e)
{
    if (paint_whole(path, of, e)) return (int)e->code;
    const struct sciara_show_progress now = {path, s->note, ++s->done, s->all};
    return s->o.progress && s->o.progress(&now, s->o.user) ? error_cancelled(e) : 0;
}

static int paint_picture(struct showing *s, int i, struct error *e)
{
    FREED_BY(record_release) struct record_scene r = {0};
    if (record_scene(&r, s->record, i, e)) return (int)e->code;
    if (r.map && s->o.language) r.map->language = s->o.language;
    if (r.map && s->paper.dpi > 0) r.map->paper = s->paper;
    s->note = s->o.language && r.scene.kind == SCENE_PAGE
                  ? "its text stays in the language that it was made in"
                  : "";
    return each_format(s, i, &r.scene, paint_file, e);
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool is_asked(const struct showing *s, int i)
{
    return !s->o.only || !strcmp(s->o.only, record_name(s->record, i));
}

/* Before the first one is painted. */
static int check_all(struct showing *s, struct error *e)
{
    int status = 0;
    for (int i = 0; i < record_count(s->record) && !status; i++)
        if (is_asked(s, i)) status = each_format(s, i, NULL, check_file, e);
    if (status || s->all) return status;
    return s->o.only ? error_input(e, "%s: has no picture of the name %s", s->folder, s->o.only)
                     : error_input(e, "%s: its record has no pictures", s->folder);
}

static int paint_all(struct showing *s, struct error *e)
{
    const char *output = s->o.output;
    int status = check_all(s, e);
    const bool made = !status && output && access(output, F_OK) != 0;
    if (!status && output) status = output_prepare(output, e);
    for (int i = 0; i < record_count(s->record) && !status; i++)
        if (is_asked(s, i)) status = paint_picture(s, i, e);
    if (status && made) rmdir(output); /* if nothing is in it */
    return status;
}

static int open_record(struct showing *s, struct error *e)
{
    FREED char *path = text_format("%s/" RECORD_FILE, s->folder);
    if (!path) return error_memory(e);
    if (access(path, R_OK) != 0)
        return error_input(e,
                           "%s: %s; it is there after a run or a study of this version that has "
                           "written PNG, SVG or PDF",
                           path, strerror(errno));
    return painters_load(e) ? record_open(&s->record, path, e) : ERROR_FAILED;
}

static int show_folder(struct showing *s, struct error *e)
{
    struct output_folder f = {0};
    int status = output_folder_hold(&f, s->o.output ? s->o.output : s->folder, e);
    if (!status) status = open_record(s, e);
    if (!status) status = paint_all(s, e);
    record_close(s->record);
    output_folder_free(&f);
    return status;
}

int sciara_show(const char *folder, const struct sciara_show_options *given, struct sciara_error *e)
{
    IN_PLAIN_LOCALE;
    struct showing s = {.folder = folder, .o = DEFAULTS};
    struct error mine = {0};
    int status =
        given ? structure_read(&s.o, sizeof s.o, sizeof s.o, given, "show_options", &mine) : 0;
    if (!status) status = check_show(&s, &mine);
    if (!status) status = show_folder(&s, &mine);
    return status ? return_error(e, &mine) : 0;
}
