/* show.c — the pictures of a folder painted again, from its record. */
#include "inside.h"
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

enum { SHOWN_FORMATS = OUTPUT_PICTURES | OUTPUT_HTML | OUTPUT_KMZ | OUTPUT_QGIS | SCIARA_WEBP };

static const struct sciara_show_options DEFAULTS = {.size = sizeof DEFAULTS, .formats = SCIARA_PNG};

void sciara_show_options_init(struct sciara_show_options *o, size_t size)
{
    structure_write(o, size, &DEFAULTS, sizeof DEFAULTS);
}

struct showing {
    const char *folder;
    struct sciara_show_options o;
    const char *report;     /* the path of report.html; NULL: in the folder of the output */
    struct map_paper paper; /* of maps, where the options name one */
    struct record *record;
    int all;            /* files */
    struct loops loops; /* before the file that is painted */
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
    if (!o->formats || o->formats & ~(unsigned)SHOWN_FORMATS)
        return error_input(
            e,
            "show: formats %#x: give SCIARA_PNG, SCIARA_SVG, SCIARA_PDF, SCIARA_HTML, SCIARA_KMZ, "
            "SCIARA_QGIS or SCIARA_WEBP, or'ed",
            o->formats);
    if (check_language(o->language, e) ||
        output_picture_page(&page, o->map_width_in, o->map_height_in, o->map_dpi, e))
        return ERROR_INPUT;
    const double *x = o->extent;
    if ((x[0] != 0 || x[1] != 0 || x[2] != 0 || x[3] != 0) && !(x[0] < x[2] && x[1] < x[3]))
        return error_input(e, "show: extent %.9g, %.9g, %.9g, %.9g: give west, south, east, north",
                           x[0], x[1], x[2], x[3]);
    if (o->map_width_in > 0 || o->map_dpi > 0)
        s->paper = (struct map_paper){page.width_in, page.height_in, page.dpi};
    return 0;
}

/* ---- painting -------------------------------------------------------------------------------- */

static int check_file(void *showing, const char *path, struct error *e)
{
    ((struct showing *)showing)->all++;
    if (access(path, F_OK) != 0 || picture_is_ours(path) || picture_is_marked(path)) return 0;
    return error_input(
        e, "%s: would be overwritten, but is not by sciara; move it, or choose another output",
        path);
}

/* A signal waits for the picture's end, so that it is whole. */
static int begin_file(void *showing, const char *path, struct error *e)
{
    ((struct showing *)showing)->loops = loops_begin(0, SIZE_MAX);
    return 0;
}

static int end_file(void *showing, const struct painted *now, struct error *e)
{
    struct showing *s = showing;
    const struct sciara_show_progress told = {now->path, now->note, now->done, now->all};
    loops_end(&s->loops);
    if (now->status && e) *e = *now->why;
    if (now->status) return now->status;
    return s->o.progress && s->o.progress(&told, s->o.user) ? error_cancelled(e) : 0;
}

/* Says what would have kept it. */
static int refuse_nothing(const struct showing *s, struct error *e)
{
    const unsigned formats = s->o.formats;
    if (s->o.only) return error_input(e, "%s: has no picture of the name %s", s->folder, s->o.only);
    return error_input(e, "%s: its record has no %s", s->folder,
                       formats & OUTPUT_PICTURES ? "pictures"
                       : formats & (OUTPUT_KMZ | OUTPUT_QGIS)
                           ? "layers"
                           : "animation; a run that makes one keeps it there");
}

/* All files are checked before the first one is painted. */
static int paint_all(struct showing *s, struct error *e)
{
    const char *output = s->o.output;
    struct painting p = {.record = s->record,
                         .folder = s->folder,
                         .version = sciara_version(),
                         .report = s->report,
                         .output = output ? output : s->folder,
                         .only = s->o.only,
                         .formats = s->o.formats,
                         .language = s->o.language,
                         .paper = s->paper,
                         .extent = {s->o.extent[0], s->o.extent[1], s->o.extent[2], s->o.extent[3]},
                         .before = check_file,
                         .after = end_file,
                         .user = s};
    int status = painters_check(&p, e);
    if (!status && !s->all) status = refuse_nothing(s, e);
    const bool made = !status && output && access(output, F_OK) != 0;
    if (!status && output) status = output_prepare(output, e);
    p.before = begin_file;
    if (!status) status = painters_paint(&p, e);
    if (status && made) rmdir(output); /* if nothing is in it */
    return status;
}

static int open_record(struct showing *s, struct error *e)
{
    FREED char *path = text_format("%s/" RECORD_FILE, s->folder);
    if (!path) return error_memory(e);
    if (access(path, F_OK) != 0 && s->o.formats == OUTPUT_HTML) return 0; /* layers alone */
    if (access(path, R_OK) != 0)
        return error_input(e,
                           "%s: %s; it is there after a run or a study of this version that has "
                           "written layers or pictures",
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

static int show(struct showing *s, struct error *e)
{
    IN_PLAIN_LOCALE;
    const int status = check_show(s, e);
    return status ? status : show_folder(s, e);
}

int show_report(const char *folder, const char *path, const char *language, struct error *e)
{
    struct showing s = {.folder = folder, .report = path, .o = DEFAULTS};
    s.o.formats = SCIARA_HTML;
    s.o.only = REPORT_NAME;
    s.o.language = language;
    return show(&s, e);
}

int sciara_show(const char *folder, const struct sciara_show_options *given, struct sciara_error *e)
{
    struct showing s = {.folder = folder, .o = DEFAULTS};
    struct error mine = {0};
    int status = structure_read(&s.o, sizeof s.o, sizeof s.o, given, "show_options", &mine);
    if (!status) status = show(&s, &mine);
    return status ? return_error(e, &mine) : 0;
}
