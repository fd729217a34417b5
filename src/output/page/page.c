/* page.c — report.html from a folder: which kind it is of, what it holds as JSON, and the file. */
#include "page_facts.h"

#include "base/loops.h"
#include "draw/colours.h"
#include "export/export.h"
#include "run/output.h"
#include "restart/json_number.h"
#include "text/plain_locale.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "text/atomic_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int page_note(struct page *p, const char *text, struct error *e)
{
    cJSON *note = cJSON_CreateString(text);
    if (!note) return error_memory(e);
    cJSON_AddItemToArray(p->notes, note);
    return 0;
}

/* ---- text that stands in a page -------------------------------------------------------------- */

void page_write_json(FILE *out, const char *json)
{
    for (const unsigned char *s = (const unsigned char *)json; *s; s++) {
        if (*s == '<') fputs("\\u003c", out);
        else if (*s == '>') fputs("\\u003e", out);
        else if (*s == '&') fputs("\\u0026", out);
        else if (s[0] == 0xe2 && s[1] == 0x80 && (s[2] == 0xa8 || s[2] == 0xa9)) {
            fputs(s[2] == 0xa8 ? "\\u2028" : "\\u2029", out);
            s += 2;
        } else {
            putc(*s, out);
        }
    }
}

static void write_parts(FILE *out, const struct page *p, const char *facts)
{
    const cJSON *s = p->run.summary;
    fputs(page_top, out); /* up to the content of <title> */
    export_xml(out, summary_text(s, summary_item(s, NULL, "case") ? "case" : "plan", "title"));
    fputs(" · Sciara</title>\n<style>", out);
    fputs(page_style, out);
    fputs("</style>\n", out);
    fputs(page_bottom, out); /* the body's own text */
    fputs("<script type=\"application/json\" id=\"facts\">", out);
    page_write_json(out, facts);
    fputs("</script>\n<script type=\"text/plain\" id=\"numbers\">", out);
    fputs(p->numbers, out);
    fputs("</script>\n<script>", out);
    fputs(page_script, out);
    fputs("</script>\n</body>\n</html>\n", out);
}

/* ---- the file -------------------------------------------------------------------------------- */

bool page_is_ours(const char *path)
{
    return textfile_begins(path, OUTPUT_REPORT_MARK);
}

static int spare(const char *path, struct error *e)
{
    if (access(path, F_OK) || page_is_ours(path)) return 0;
    return error_input(
        e, "%s: exists and was not written by sciara; move it, or choose another name", path);
}

int page_check(const char *folder, struct error *e)
{
    char *path = text_format("%s/" OUTPUT_REPORT, folder);
    int status = path ? spare(path, e) : error_memory(e);
    free(path);
    return status;
}

static int write_file(const struct page *p, const char *path, const char *facts, struct error *e)
{
    struct atomic_file w;
    if (spare(path, e)) return ERROR_INPUT;
    int status = atomic_file_open(&w, path, e);
    if (status) return status;
    write_parts(w.stream, p, facts);
    return atomic_file_finish(&w, e);
}

static int write_page(struct page *p, struct error *e)
{
    char *path =
        p->o.output ? text_format("%s", p->o.output) : text_format("%s/" OUTPUT_REPORT, p->folder);
    cJSON *summary = p->run.summary;
    /* The same run gives the same page, however long it took. */
    cJSON_DeleteItemFromObjectCaseSensitive(summary, "files");
    cJSON_DeleteItemFromObjectCaseSensitive(summary, "timing");
    cJSON_AddItemReferenceToObject(p->facts, "summary", summary);
    json_clean(p->facts);
    char *facts = cJSON_PrintUnformatted(p->facts);
    int status = path && facts ? write_file(p, path, facts, e) : error_memory(e);
    free(path);
    free(facts);
    return status;
}

const char *const page_languages[] = {"en", "it", "es", "fr", "is", NULL};

/* ---- facts ----------------------------------------------------------------------------------- */

static const char *const kinds[] = {
    [PAGE_RUN] = "run",
    [PAGE_ENSEMBLE] = "ensemble",
    [PAGE_CALIBRATION] = "calibration",
    [PAGE_POSTERIOR] = "posterior",
};

static int find_kind(struct page *p, struct error *e)
{
    const cJSON *summary = p->run.summary;
    const char *kind = summary_text(summary, NULL, "kind");
    const bool run =
        !summary_item(summary, NULL, "kind") && cJSON_IsObject(summary_item(summary, NULL, "run"));
    p->kind = PAGE_RUN;
    if (run) return 0;
    while (++p->kind <= PAGE_POSTERIOR)
        if (!strcmp(kind, kinds[p->kind])) return 0;
    return error_input(
        e, "%s: is not the folder of a run, an ensemble or a calibration that has ended; name one",
        p->folder);
}

static void add_grid(struct page *p)
{
    char code[24] = "";
    cJSON *o = cJSON_AddObjectToObject(p->facts, "grid");
    json_add_numbers(o, {"rows", p->rows}, {"cols", p->cols}, {"cell_m", p->geo.cell_m},
                     {"west_m", p->geo.west_m}, {"south_m", p->geo.south_m});
    if (p->geo.crs.epsg) snprintf(code, sizeof code, "EPSG:%d", p->geo.crs.epsg);
    json_add_texts(o, {"crs", code}, {"crs_name", p->geo.crs.name});
}

static void add_colour(cJSON *list, const char *name, struct rgb colour)
{
    char text[8];
    cJSON *item = cJSON_CreateString(colours_text(text, colour));
    if (name) cJSON_AddItemToObject(list, name, item);
    else cJSON_AddItemToArray(list, item);
}

static void add_colours(struct page *p)
{
    static const char *const kind[COLOURS_SCALES] = {
        [COLOURS_LAVA] = "thickness", [COLOURS_HEAT] = "temperature", [COLOURS_TIME] = "arrival"};
    enum { STOPS = 24 };
    cJSON *o = cJSON_AddObjectToObject(p->facts, "colours");
    for (int k = 0; k < COLOURS_SCALES; k++) {
        struct colour_scale scale;
        cJSON *list = cJSON_AddArrayToObject(o, kind[k]);
        colours_fill(&scale, (enum colours)k);
        for (int i = 0; i <= STOPS; i++)
            add_colour(list, NULL, colours_at(&scale, (double)i / STOPS));
    }
    add_colour(o, "outline", colours_outline);
    add_colour(o, "place", colours_place);
}

int page_grid_facts(struct cJSON *facts, int rows, int cols, const struct georef *geo,
                    struct error *e)
{
    struct page p = {.rows = rows, .cols = cols, .geo = *geo, .facts = facts};
    add_colours(&p);
    add_grid(&p);
    return page_add_degrees(&p, e);
}

static int fill(struct page *p, struct error *e)
{
    p->facts = cJSON_CreateObject();
    cJSON_AddNumberToObject(p->facts, "format", 1);
    json_add_texts(p->facts, {"kind", kinds[p->kind]},
                   {"made_by", p->o.version ? p->o.version : ""});
    if (p->o.language) json_add_texts(p->facts, {"language", p->o.language});
    p->notes = cJSON_AddArrayToObject(p->facts, "notes");
    p->arrays = cJSON_AddArrayToObject(p->facts, "arrays");
    p->layers = cJSON_AddArrayToObject(p->facts, "layers");
    if (!p->layers) return error_memory(e);
    add_colours(p);
    int status = p->kind == PAGE_RUN ? page_run(p, e) : page_many(p, e);
    if (status || !p->rows) return status;
    add_grid(p);
    return page_add_degrees(p, e);
}

static int open_folder(struct page *p, const char *summary, struct error *e)
{
    const bool sums = !p->o.trusted;
    if (!runfolder_is(p->folder))
        return error_input(
            e, "%s: is not a folder; name the folder of a run, an ensemble or a calibration",
            p->folder);
    if (!summary) return runfolder_open(&p->run, p->folder, sums, e);
    p->early = true;
    cJSON *json = cJSON_Parse(summary);
    return json ? runfolder_open_as(&p->run, p->folder, json, sums, e) : error_memory(e);
}

int page_open(struct page **out, const char *folder, const struct page_options *o,
              const char *summary, struct error *e)
{
    struct page *p = *out = calloc(1, sizeof *p);
    if (!p) return error_memory(e);
    *p = (struct page){.o = *o, .folder = folder};
    const struct plain_locale locale = plain_locale_enter();
    int status = open_folder(p, summary, e);
    const struct raster domain = runfolder_domain(p->run.summary);
    /* of small layers a thread reads a tile or two, and would wait longer than it works */
    const bool large = (double)domain.rows * domain.cols > 4e6;
    const struct loops before = loops_begin(large ? 0 : 1, 1 << 22);
    if (!status) status = find_kind(p, e);
    if (!status) status = fill(p, e);
    loops_end(&before);
    if (!status && !(p->numbers = pack_text(&p->bytes))) status = error_memory(e);
    plain_locale_leave(locale);
    if (!status) return 0;
    page_free(p);
    *out = NULL;
    return status;
}

int page_finish(struct page *p, struct error *e)
{
    const struct plain_locale locale = plain_locale_enter();
    cJSON *summary = NULL;
    int status = p->early ? runfolder_summary(&summary, p->folder, e) : 0;
    if (summary) {
        cJSON_Delete(p->run.summary);
        p->run.summary = summary;
    }
    if (!status && p->kind == PAGE_RUN) status = page_add_table(p, "assets.csv", false, e);
    if (!status) status = write_page(p, e);
    page_free(p);
    plain_locale_leave(locale);
    return status;
}

void page_free(struct page *p)
{
    if (!p) return;
    cJSON_Delete(p->facts);
    runfolder_close(&p->run);
    pack_free(&p->bytes);
    free(p->numbers);
    free(p->cells.at);
    free(p->ground_m);
    free(p);
}

int page_write(const char *folder, const struct page_options *o, struct error *e)
{
    struct page *p;
    const int status = page_open(&p, folder, o, NULL, e);
    return status ? status : page_finish(p, e);
}
