/* page.c — report.html: finds the kind of its folder, collects tables and contents as JSON, and writes the file. */
#include "page.h"

#include "base/loops.h"
#include "raster/raster.h"
#include "record/json_number.h"
#include "record/page_parts.h"
#include "record/page_texts.h"
#include "record/picture_mark.h"
#include "text/atomic_file.h"
#include "text/csv.h"
#include "text/plain_locale.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "text/warnings.h"
#include "text/words.h"

#include "sciara.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the tables of a folder as JSON: columns, and rows of numbers, texts and nulls ----------- */

/* A cell of a table as JSON; a name is a text, even if it is 007. */
static cJSON *cell_of(const char *column, const char *text, bool numbers)
{
    double number;
    const bool name = !strcmp(column, "name") || !strcmp(column, "place");
    if (!*text) return cJSON_CreateNull();
    if (!name && scan_real(text, &number)) return cJSON_CreateNumber(number);
    return numbers ? cJSON_CreateNull() : cJSON_CreateString(text);
}

static void add_row(const struct csv *t, bool numbers, cJSON *rows)
{
    cJSON *row = cJSON_CreateArray();
    for (int i = 0; i < t->columns; i++)
        cJSON_AddItemToArray(row, cell_of(t->name[i], t->cell[i], numbers));
    cJSON_AddItemToArray(rows, row);
}

static int count_rows(const char *path, int64_t *count, struct error *e)
{
    FREED_BY(csv_close) struct csv t;
    int status = csv_open(&t, path, e);
    *count = 0;
    CSV_EACH (&t, status, e) ++*count;
    return status;
}

static int add_rows(struct csv *t, int64_t count, bool numbers, cJSON *rows, struct error *e)
{
    const int64_t every = (count + PAGE_ROWS_MOST - 1) / PAGE_ROWS_MOST;
    int64_t i = 0;
    int status = 0;
    CSV_EACH (t, status, e) {
        if (i % every == 0 || i == count - 1) add_row(t, numbers, rows);
        i++;
    }
    return status;
}

int page_add_table(struct page *p, const char *name, bool numbers, struct error *e)
{
    FREED_BY(csv_close) struct csv t = {0};
    int64_t count = 0;
    FREED char *path = record_table_path(p->of->folder, name);
    if (!path) return 0;
    int status = count_rows(path, &count, e);
    if (!status) status = csv_open(&t, path, e);
    if (!status) {
        cJSON *all = cJSON_GetObjectItemCaseSensitive(p->facts, "tables");
        if (!all) all = cJSON_AddObjectToObject(p->facts, "tables");
        cJSON *table = cJSON_AddObjectToObject(all, name);
        json_add_words(table, "columns", t.name, t.columns);
        cJSON_AddNumberToObject(table, "of", (double)count);
        status = add_rows(&t, count, numbers, cJSON_AddArrayToObject(table, "rows"), e);
    }
    return status;
}

/* ---- the page -------------------------------------------------------------------------------- */

/* Writes the text of the body. Scripts translate it, except the text for readers without scripts, which is translated
 * here. */
static void write_body(FILE *out, const char *language)
{
    static const char without[] = "A script in this file draws the map and the charts. Please "
                                  "allow scripts for this file; it uses no network.";
    const char *at = strstr(page_bottom, without);
    fprintf(out, "%.*s%s%s", (int)(at - page_bottom), page_bottom, words_of(without, language),
            at + sizeof without - 1);
}

static void write_parts(FILE *out, const struct page *p, const char *facts, const char *numbers)
{
    const cJSON *s = p->run.summary;
    fputs(page_top, out); /* up to the content of <title> */
    scan_put_xml(out, summary_text(s, summary_item(s, NULL, "case") ? "case" : "plan", "title"),
                 "&");
    fputs(" · Sciara</title>\n<style>", out);
    fputs(page_style, out);
    fputs("</style>\n", out);
    write_body(out, p->language);
    fputs("<script type=\"application/json\" id=\"facts\">", out);
    page_write_json(out, facts);
    fputs("</script>\n<script type=\"text/plain\" id=\"numbers\">", out);
    fputs(numbers, out);
    fputs("</script>\n<script>", out);
    fputs(page_script, out);
    fputs("</script>\n</body>\n</html>\n", out);
}

/* Keeps only the warnings about the result, because warnings about the input do not concern the reader. */
static void keep_result(cJSON *summary)
{
    static const char *const parts[] = {"case", "plan", "nowcast"};
    cJSON *list = cJSON_GetObjectItemCaseSensitive(summary, "warnings");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        cJSON *part = cJSON_GetObjectItemCaseSensitive(summary, parts[i]);
        cJSON_DeleteItemFromObjectCaseSensitive(part, "notice");
        cJSON_DeleteItemFromObjectCaseSensitive(part, "warning");
    }
    for (int i = cJSON_GetArraySize(list) - 1; i >= 0; i--) {
        cJSON *one = cJSON_GetArrayItem(list, i);
        cJSON_DeleteItemFromObjectCaseSensitive(one, "remedy");
        if (strcmp(summary_text(one, NULL, "kind"), warning_kinds[WARNING_RESULT]))
            cJSON_DeleteItemFromArray(list, i);
    }
}

static int write_page(struct page *p, const char *path, struct error *e)
{
    struct atomic_file w;
    cJSON *summary = p->run.summary;
    /* files and times are omitted, so that equal runs give equal pages */
    cJSON_DeleteItemFromObjectCaseSensitive(summary, "files");
    cJSON_DeleteItemFromObjectCaseSensitive(summary, "timing");
    keep_result(summary);
    cJSON_AddItemReferenceToObject(p->facts, "summary", summary);
    json_clean(p->facts);
    FREED char *facts = cJSON_PrintUnformatted(p->facts);
    FREED char *numbers = pack_text(&p->bytes);
    if (!facts || !numbers) return error_memory(e);
    const int status = atomic_file_open(&w, path, e);
    if (status) return status;
    write_parts(w.stream, p, facts, numbers);
    picture_seal_text(&w, "<!-- Software: ", PICTURE_SEAL_XML);
    return atomic_file_finish(&w, e);
}

/* ---- facts ----------------------------------------------------------------------------------- */

static const char *const kinds[] = {
    [PAGE_RUN] = "run",
    [PAGE_ENSEMBLE] = "ensemble",
    [PAGE_CALIBRATION] = "calibration",
    [PAGE_POSTERIOR] = "posterior",
};

static int find_kind(enum page_kind *found, const cJSON *summary, const char *folder,
                     struct error *e)
{
    const char *kind = summary_text(summary, NULL, "kind");
    const bool run =
        !summary_item(summary, NULL, "kind") && cJSON_IsObject(summary_item(summary, NULL, "run"));
    *found = PAGE_RUN;
    if (run) return 0;
    while (++*found <= PAGE_POSTERIOR)
        if (!strcmp(kind, kinds[*found])) return 0;
    if (*kind)
        return error_input(e,
                           "%s: a study of this kind (%s) has no report; name the folder of a run, "
                           "an ensemble, a calibration or a posterior",
                           folder, kind);
    return error_input(e, "%s: is not the folder of a finished run or study; name one", folder);
}

/* Finds the scene of the report in the record. */
static int find_site(struct page *p, struct error *e)
{
    const struct record *r = p->of->record;
    for (int i = 0; r && i < record_count(r); i++) {
        if (strcmp(record_name(r, i), REPORT_NAME)) continue;
        const int status = record_scene(&p->scene, r, i, e);
        if (status) return status;
        if (p->scene.scene.kind == SCENE_REPORT) p->site = p->scene.scene.of;
    }
    p->language = p->of->language ? p->of->language : p->site ? p->site->language : NULL;
    return 0;
}

/* Notes what the page lacks because the folder has no record. */
static void note_missing(struct page *p)
{
    const cJSON *s = p->run.summary;
    const bool plain = p->kind == PAGE_RUN && !*summary_text(s, "case", "outline") &&
                       !*summary_text(s, "case", "assets");
    if (!p->site && !plain)
        cJSON_AddItemToArray(p->notes,
                             json_words("This folder has no record of terrain, outline, vents and "
                                        "places, so some or all of these are not shown."));
}

static int fill_page(struct page *p, struct error *e)
{
    const struct painting *of = p->of;
    p->facts = cJSON_CreateObject();
    cJSON_AddNumberToObject(p->facts, "format", 1);
    json_add_texts(p->facts, {"kind", kinds[p->kind]}, {"made_by", of->version ? of->version : ""});
    if (p->language && strcmp(p->language, *words_languages))
        json_add_texts(p->facts, {"language", p->language});
    p->notes = cJSON_AddArrayToObject(p->facts, "notes");
    p->arrays = cJSON_AddArrayToObject(p->facts, "arrays");
    p->layers = cJSON_AddArrayToObject(p->facts, "layers");
    if (!p->layers) return error_memory(e);
    page_style_facts(p->facts);
    note_missing(p);
    int status = p->kind == PAGE_RUN ? page_run(p, e) : page_many(p, e);
    if (!status && p->kind == PAGE_RUN) status = page_add_table(p, "assets.csv", false, e);
    return status || !p->rows ? status : page_grid_facts(p->facts, p->rows, p->cols, &p->geo, e);
}

static int open_folder(struct page *p, struct error *e)
{
    const char *folder = p->of->folder;
    if (!runfolder_is(folder))
        return error_input(
            e, "%s: is not a folder; name the folder of a run, an ensemble or a calibration",
            folder);
    int status = runfolder_open(&p->run, folder, false, e);
    if (!status) status = find_kind(&p->kind, p->run.summary, folder, e);
    return status ? status : (p->kind == PAGE_RUN ? page_run_check : page_many_check)(p, e);
}

static void page_free(struct page *p)
{
    cJSON_Delete(p->facts);
    page_drop_ahead(p);
    runfolder_close(&p->run);
    record_release(&p->scene);
    pack_free(&p->bytes);
    free(p->cells.at);
}

/* ---- the painter ----------------------------------------------------------------------------- */

static int paint_page(void *painting, const char *path, double *unused, struct error *e)
{
    FREED_BY(page_free) struct page p = {.of = painting};
    IN_PLAIN_LOCALE;
    int status = open_folder(&p, e);
    if (!status) status = find_site(&p, e);
    const struct raster domain = runfolder_domain(p.run.summary);
    /* with small layers threads would wait longer than they read */
    const bool large = (double)domain.rows * domain.cols > 4e6;
    const int before = loops_threads(); /* the limit of the caller, restored below */
    loops_limit(large ? 0 : 1);
    if (!status && !large && p.kind == PAGE_RUN) page_run_ahead(&p, before);
    if (!status) status = fill_page(&p, e);
    loops_limit(before);
    return status ? status : write_page(&p, path, e);
}

static int write_text(void *page, const char *path, double *unused, struct error *e)
{
    return page_text(path, page, e);
}

/* Paints or counts the pages of text in the record. Does nothing if the caller gave a path for the report: then only
 * the report is wanted. */
static int each_text(struct paint_run *r, bool paints, struct error *e)
{
    int status = 0;
    for (int i = 0; r->of->record && !r->of->report && i < record_count(r->of->record); i++) {
        FREED_BY(record_release) struct record_scene s = {0};
        if (!record_is(r->of->record, i, SCENE_PAGE) || !paint_asks(r, i)) continue;
        FREED char *path = paint_path(r, i, ".html", e);
        status = path ? 0 : ERROR_FAILED;
        if (!status && (paints || r->of->before)) status = record_scene(&s, r->of->record, i, e);
        if (!status)
            status = paints ? paint_file(r, path, paint_text_note(r->of, s.scene.of), write_text,
                                         (void *)(size_t)s.scene.of, e)
                            : paint_count(r, path, e);
        if (status) return status;
    }
    return 0;
}

/* Checks the folder before anything is painted, and counts the page. */
static int count_page(struct paint_run *r, const char *path, struct error *e)
{
    FREED_BY(page_free) struct page p = {.of = r->of};
    int status = open_folder(&p, e);
    if (!status && r->of->before) status = find_site(&p, e);
    return status ? status : paint_count(r, path, e);
}

/* Paints or counts the page at the requested path, or as report.html. */
static int show_page(struct paint_run *r, bool paints, struct error *e)
{
    const struct painting *p = r->of;
    if (!p->folder || (p->only && strcmp(p->only, REPORT_NAME))) return 0;
    FREED char *path =
        p->report ? text_format("%s", p->report) : text_format("%s/" REPORT_FILE, p->output);
    if (!path) return error_memory(e);
    return paints ? paint_file(r, path, "", paint_page, (void *)(size_t)p, e)
                  : count_page(r, path, e);
}

int paint_report(struct paint_run *r, unsigned formats, bool paints, struct error *e)
{
    const int status = show_page(r, paints, e);
    return status ? status : each_text(r, paints, e);
}
