/* show.c — paints the pictures of a folder again, from its record. */
#include "inside.h"
#include "library.h"

#include "products/picture.h"
#include "record/json_number.h"
#include "record/painters.h"
#include "record/record.h"
#include "record/report_page.h"
#include "record/runfolder.h"
#include "record/shown.h"
#include "text/plain_locale.h"
#include "text/textfile.h"
#include "text/words.h"

#include <cJSON.h>
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
    const char *report;     /* path of report.html; NULL: in the output folder */
    const char *to;         /* the output folder */
    struct map_paper paper; /* size and resolution of maps; 0: not given */
    struct record *record;
    struct shown shown; /* the list of files painted in the output folder */
    unsigned found;     /* formats with something to paint */
    /* The caller's number of threads and its signal mask, which end_file() restores. */
    struct loops loops;
};

/* ---- options --------------------------------------------------------------------------------- */

static int check_language(const char *language, struct error *e)
{
    char known[64] = "";
    size_t n = 0;
    if (!language || words_is_language(language)) return 0;
    for (int i = 0; words_languages[i] && n < sizeof known; i++)
        n += (size_t)snprintf(known + n, sizeof known - n, " %s", words_languages[i]);
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
    if (!o->formats || o->formats & ~(unsigned)PAINTED)
        return error_input(e, "show: formats %#x: give " PAINTED_LIST(FORMAT_NAME) "or'ed",
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
    return runfolder_is(s->folder)
               ? 0
               : error_input(e, "%s: is not a folder; name the folder of a run or a study",
                             s->folder);
}

/* ---- painting -------------------------------------------------------------------------------- */

static int check_file(void *showing, const char *path, struct error *e)
{
    struct showing *s = showing;
    s->found |= s->report ? OUTPUT_HTML : painted_as(path);
    return shown_spare(path, s->report ? REPORT_MARK : "", e);
}

/* Writes the list of painted files. If the folder has no list, a report alone does not create one. */
static int keep_list(const struct showing *s, struct error *e)
{
    if (s->report && !s->shown.there) return 0;
    return shown_write(&s->shown, s->record ? record_digest(s->record) : "", e);
}

/* Begins a picture: blocks signals, and removes the picture from the list. end_file() adds a finished picture again. */
static int begin_file(void *showing, const char *path, struct error *e)
{
    struct showing *s = showing;
    s->loops = loops_begin(0, SIZE_MAX);
    return shown_forget(&s->shown, path) ? keep_list(s, e) : 0;
}

static int end_file(void *showing, const struct painted *now, struct error *e)
{
    struct showing *s = showing;
    const struct sciara_show_progress told = {now->path, now->note, now->done, now->all};
    int status = now->status;
    if (status && e) *e = *now->why;
    if (!status) status = shown_add(&s->shown, now->path, NULL, e);
    if (!status) status = keep_list(s, e);
    loops_end(&s->loops);
    if (status) return status;
    return s->o.progress && s->o.progress(&told, s->o.user) ? error_cancelled(e) : 0;
}

/* Refuses formats with nothing to paint. The message advises what to name or to run instead. */
static int refuse_missing(const struct showing *s, struct error *e)
{
    static const struct {
        unsigned formats;
        const char *what, *keeper;
    } parts[] = {{PAINTED_PICTURES, "picture", "run the case again with format geotiff or png"},
                 {PAINTED_PAGES, "page", "name the folder of a run"},
                 {PAINTED_LAYERS, "layers",
                  "name the folder of an ensemble, or of a run with format geotiff"},
                 {PAINTED_FRAMES, "animation", "name the folder of a run with an animation"}};
    const unsigned missing = s->o.formats & ~s->found;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!(missing & parts[i].formats)) continue;
        if (s->o.only)
            return error_input(e,
                               "%s: has no %s named %s; show makes no layers and tables: name them "
                               "in option 'layers' of the command that computes them",
                               s->folder, parts[i].what, s->o.only);
        return error_input(e, "%s: its record has no %s; %s", s->folder, parts[i].what,
                           parts[i].keeper);
    }
    return 0;
}

/* Checks all files, and then paints them. */
static int paint_all(struct showing *s, struct error *e)
{
    const char *output = s->o.output;
    struct painting p = {.record = s->record,
                         .folder = s->folder,
                         .version = sciara_version(),
                         .report = s->report,
                         .output = s->to,
                         .only = s->o.only,
                         .formats = s->o.formats,
                         .language = s->o.language,
                         .paper = s->paper,
                         .extent = {s->o.extent[0], s->o.extent[1], s->o.extent[2], s->o.extent[3]},
                         .before = check_file,
                         .after = end_file,
                         .user = s};
    int status = painters_check(&p, e);
    if (!status) status = refuse_missing(s, e);
    const bool made = !status && output && access(output, F_OK) != 0;
    if (!status && output) status = output_prepare(output, e);
    p.before = begin_file;
    if (!status) status = painters_paint(&p, e);
    if (status && made) rmdir(output); /* an empty folder, made by this call */
    return status;
}

static int open_record(struct showing *s, struct error *e)
{
    FREED char *path = text_format("%s/" RECORD_FILE, s->folder);
    if (!path) return error_memory(e);
    /* A report needs only the layers. */
    if (access(path, F_OK) != 0 && s->o.formats == OUTPUT_HTML) return 0;
    if (access(path, R_OK) != 0)
        return error_input(e,
                           "%s: %s; compute the folder again with this version: a study always "
                           "writes this file, a run only with format geotiff or png",
                           path, strerror(errno));
    return record_open(&s->record, path, e);
}

/* Refuses an output folder with files of another result, which does not have this digest. */
static int check_output(const struct showing *s, const char *digest, struct error *e)
{
    FREED_BY(json_free_at) cJSON *summary = NULL;
    if (s->report && access(s->report, F_OK) != 0) return 0;
    const int status = runfolder_summary(&summary, s->to, e);
    const char *there = summary ? summary_text(summary, NULL, "digest") : shown_digest(&s->shown);
    if (status || !*digest || !*there || !strcmp(there, digest)) return status;
    return error_input(e, "%s: has files of another result; choose another output", s->to);
}

/* Compares the files that will be read with the list in summary.json, if there is a summary.json. */
static int check_result(const struct showing *s, struct error *e)
{
    static const struct {
        enum painted_needs what; /* which formats need the file; 0: all */
        const char *ending;
    } read[] = {
        {0, ".zip"}, {NEEDS_LAYERS, ".tif"}, {NEEDS_TABLES, ".csv"}, {NEEDS_VECTORS, ".geojson"}};
    FREED_BY(json_free_at) cJSON *summary = NULL;
    int status = runfolder_summary(&summary, s->folder, e);
    for (size_t i = 0; i < sizeof read / sizeof *read && !status; i++)
        if (!read[i].what || painted_needing(s->o.formats, read[i].what))
            status = runfolder_check(summary, s->folder, read[i].ending, e);
    const char *digest =
        s->record ? record_digest(s->record) : summary_text(summary, NULL, "digest");
    return status ? status : check_output(s, digest, e);
}

static int show_folder(struct showing *s, struct error *e)
{
    struct output_folder f = {0};
    FREED char *beside = s->report ? path_beside(s->report, ".") : NULL;
    if (s->report && !beside) return error_memory(e);
    s->to = s->report ? beside : s->o.output ? s->o.output : s->folder;
    int status = painters_have(s->o.formats, e);
    if (!status) status = output_folder_hold(&f, s->o.output ? s->o.output : s->folder, e);
    if (!status) status = runfolder_check_written(s->folder, e);
    if (!status) status = open_record(s, e);
    if (!status) status = shown_read(&s->shown, s->to, e);
    if (!status) status = check_result(s, e);
    if (!status) status = paint_all(s, e);
    shown_free(&s->shown);
    record_close(s->record);
    output_folder_free(&f);
    return status;
}

static int show_all(struct showing *s, struct error *e)
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
    return show_all(&s, e);
}

int sciara_show(const char *folder, const struct sciara_show_options *given, struct sciara_error *e)
{
    struct showing s = {.folder = folder, .o = DEFAULTS};
    struct error mine = {0};
    int status = structure_read(&s.o, sizeof s.o, sizeof s.o, given, "show_options", &mine);
    if (!status) status = show_all(&s, &mine);
    return status ? return_error(e, &mine) : 0;
}
