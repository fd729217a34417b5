/* page.c — report.html from a folder: which kind it is of, what it holds as JSON, and the file. */
#include "page_facts.h"

#include "base/loops.h"
#include "case/case_cut.h"
#include "record/colours.h"
#include "plan/plan.h"
#include "plan/plan_supply.h"
#include "ensemble/report.h"
#include "record/json_number.h"
#include "text/quantities.h"
#include "text/words.h"
#include "text/atomic_file.h"
#include "text/csv.h"
#include "text/plain_locale.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <ctype.h>
#include <glib.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* ---- numbers of the page as bytes, packed by zlib -------------------------------------------- */

struct pack_scale pack_scale(double least, double most, double finest)
{
    static const double steps[] = {1, 2, 5};
    struct pack_scale s = {0, finest};
    if (!(most >= least)) return s;
    s.base = finest * floor(least / finest + 0.5);
    for (int i = 0; (most - s.base) / s.unit >= PACK_MOST; i++) {
        s.unit = finest * steps[(i + 1) % 3] * pow(10, (i + 1) / 3);
        s.base = s.unit * floor(least / s.unit);
    }
    return s;
}

uint16_t pack_quantum(struct pack_scale s, double value)
{
    if (isnan(value)) return PACK_NONE;
    const double q = floor((value - s.base) / s.unit + 0.5);
    return q <= 0 ? 0 : q >= PACK_MOST ? PACK_MOST : (uint16_t)q;
}

void pack_free(struct pack_bytes *b)
{
    free(b->data);
    *b = (struct pack_bytes){0};
}

/* Room for `size` bytes more, which count as there; NULL: out of memory. */
static unsigned char *extend(struct pack_bytes *b, size_t size, struct error *e)
{
    if (b->room - b->size < size) {
        const size_t room = 2 * b->room > b->size + size ? 2 * b->room : b->size + size;
        unsigned char *more = realloc(b->data, room);
        if (!more) {
            error_memory(e);
            return NULL;
        }
        b->data = more;
        b->room = room;
    }
    b->size += size;
    return b->data + b->size - size;
}

/* Number i of `count`: 0, -1, 1, -2, ... as 0, 1, 2, 3, ... */
static void put(unsigned char *low, size_t count, size_t i, int difference)
{
    const uint16_t d = (uint16_t)difference;
    const uint16_t folded = (uint16_t)(d & 0x8000 ? (uint16_t)~d << 1 | 1 : d << 1);
    low[i] = (unsigned char)(folded & 255);
    low[count + i] = (unsigned char)(folded >> 8);
}

int pack_list(struct pack_bytes *b, const uint16_t *value, const uint16_t *before, size_t count,
              struct error *e)
{
    unsigned char *low = count ? extend(b, 2 * count, e) : NULL;
    uint16_t last = 0, last_before = 0;
    if (count && !low) return ERROR_FAILED;
    for (size_t i = 0; i < count; i++) {
        const uint16_t change = before ? (uint16_t)(before[i] - last_before) : 0;
        put(low, count, i, value[i] - last - change);
        last = value[i];
        if (before) last_before = before[i];
    }
    return 0;
}

static uint16_t predict(uint16_t west, uint16_t north, uint16_t corner)
{
    const uint16_t low = west < north ? west : north, high = west < north ? north : west;
    return corner >= high ? low : corner <= low ? high : (uint16_t)(west + north - corner);
}

int pack_grid(struct pack_bytes *b, const uint16_t *value, int rows, int cols, struct error *e)
{
    const size_t width = (size_t)cols, count = (size_t)rows * width;
    unsigned char *low = count ? extend(b, 2 * count, e) : NULL;
    if (count && !low) return ERROR_FAILED;
    for (size_t i = 0; i < count; i++) {
        const size_t col = i % width;
        const uint16_t west = col ? value[i - 1] : 0, north = i >= width ? value[i - width] : 0;
        const uint16_t corner = col && i >= width ? value[i - width - 1] : 0;
        put(low, count, i, value[i] - predict(west, north, corner));
    }
    return 0;
}

int pack_bits(struct pack_bytes *b, const unsigned char *set, size_t count, struct error *e)
{
    const size_t size = (count + 7) / 8;
    unsigned char *at = size ? extend(b, size, e) : NULL;
    if (size && !at) return ERROR_FAILED;
    if (size) memset(at, 0, size);
    for (size_t i = 0; i < count; i++)
        if (set[i]) at[i / 8] |= (unsigned char)(128 >> i % 8);
    return 0;
}

/* Level 5: a third of the time of 9, to 2 % more bytes on the terrain and lava of Etna 2006. */
char *pack_text(const struct pack_bytes *b)
{
    static const unsigned char nothing[1];
    uLongf size = compressBound((uLong)b->size);
    FREED unsigned char *deflated = malloc(size);
    if (!deflated ||
        compress2(deflated, &size, b->size ? b->data : nothing, (uLong)b->size, 5) != Z_OK)
        return NULL;
    char *text = malloc((size / 3 + 2) * 4);
    gint state = 0, rest = 0;
    if (!text) return NULL;
    char *end = text + g_base64_encode_step(deflated, size, FALSE, text, &state, &rest);
    end[g_base64_encode_close(FALSE, end, &state, &rest)] = '\0';
    return text;
}

/* ---- the tables of a folder as JSON: columns, and rows of numbers, texts and nulls ----------- */

/* A name is a text, even 007. */
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
    bool more = true;
    int status = csv_open(&t, path, e);
    for (*count = 0; !status && more;) {
        status = csv_row(&t, &more, e);
        *count += more;
    }
    return status;
}

static int add_rows(struct csv *t, int64_t count, bool numbers, cJSON *rows, struct error *e)
{
    const int64_t every = (count + PAGE_ROWS_MOST - 1) / PAGE_ROWS_MOST;
    bool more = true;
    int status = 0;
    for (int64_t i = 0; !status && i < count; i++) {
        status = csv_row(t, &more, e);
        if (!status && (i % every == 0 || i == count - 1)) add_row(t, numbers, rows);
    }
    return status;
}

int page_add_table(struct page *p, const char *name, bool numbers, struct error *e)
{
    FREED_BY(csv_close) struct csv t = {0};
    int64_t count = 0;
    FREED char *path = text_format("%s/%s", p->folder, name);
    if (!path) return error_memory(e);
    if (access(path, F_OK)) return 0;
    int status = count_rows(path, &count, e);
    if (!status) status = csv_open(&t, path, e);
    if (!status) {
        cJSON *all = cJSON_GetObjectItemCaseSensitive(p->facts, "tables");
        if (!all) all = cJSON_AddObjectToObject(p->facts, "tables");
        cJSON *table = cJSON_AddObjectToObject(all, name);
        cJSON *columns = cJSON_AddArrayToObject(table, "columns");
        for (int i = 0; i < t.columns; i++)
            cJSON_AddItemToArray(columns, cJSON_CreateString(t.name[i]));
        cJSON_AddNumberToObject(table, "of", (double)count);
        status = add_rows(&t, count, numbers, cJSON_AddArrayToObject(table, "rows"), e);
    }
    return status;
}

/* what a page shows of many runs: the layers of an ensemble, and the search of a
 * calibration. Terrain, vents and places come from the plan. */

/* ---- layers ---------------------------------------------------------------------------------- */

/* Kinds of colours, and the smallest differences that the page keeps. */
static const struct layer_kind {
    const char *unit, *kind;
    double finest;
} layer_kinds[] = {{"", "probability", 1e-4}, {"h", "arrival", 0.1}, {"m", "thickness", 0.01}};

/* Of any other unit: as thicknesses. */
static const struct layer_kind *layer_kind_of(const char *unit)
{
    const struct layer_kind *q = layer_kinds;
    while (strcmp(q->unit, unit) != 0 && strcmp(q->unit, "m") != 0) q++;
    return q;
}

static const struct family {
    const char *begin, *end; /* of the name; between them stands a number */
    const char *unit, *label;
} families[] = {
    {"probability", ".tif", "", "Probability of lava"},
    {"probability_in_", "h.tif", "", "Probability within {} h from now"}, /* of a nowcast */
    {"probability_yesterday", ".tif", "", "Probability of lava, yesterday's forecast"},
    {"probability_before", ".tif", "", "Probability of lava, before any observation"},
    {"probability_discrepancy", ".tif", "", "Probability with discrepancy"},
    {"probability_above_", "m.tif", "", "Probability of more than {} m"},
    {"probability_within_", "h.tif", "", "Probability within {} h"},
    {"arrival_p50_h", ".tif", "h", "Arrival, median"},
    {"arrival_p05_h", ".tif", "h", "Arrival, early (5 %)"},
    {"arrival_p95_h", ".tif", "h", "Arrival, late (95 %)"},
    {"arrival_first_h", ".tif", "h", "Arrival, earliest of all"},
    {"thickness_p95_m", ".tif", "m", "Thickness, 95 %"},
    {"thickness_p50_m", ".tif", "m", "Thickness, median"},
    {"thickness_p05_m", ".tif", "m", "Thickness, 5 %"},
    {"thickness_mean_m", ".tif", "m", "Thickness, mean"},
    {"thickness_member_", "_m.tif", "m", "Thickness, member {}"},
};
enum { FAMILIES = sizeof families / sizeof *families, NUMBER_ROOM = 24 };

/* Whether a file is of the family, and its number: 0.5 of "probability_above_0.5m.tif". */
static bool is_of(const struct family *f, const char *name, char number[NUMBER_ROOM])
{
    const size_t begin = strlen(f->begin), end = strlen(f->end), all = strlen(name);
    if (all < begin + end || strncmp(name, f->begin, begin) || strcmp(name + all - end, f->end))
        return false;
    const size_t digits = all - begin - end;
    if (digits >= NUMBER_ROOM || (digits > 0) != (strstr(f->label, "{}") != NULL)) return false;
    memcpy(number, name + begin, digits);
    number[digits] = '\0';
    return strspn(number, "0123456789.") == digits;
}

static int add_numbers(struct page *p, const char *name, double finest, int *array, struct error *e)
{
    FREED_BY(raster_free) struct raster r;
    int status = page_raster(p, name, &r, e);
    if (!status && !p->cells.at) status = page_take_cells(p, &r, e);
    return status
               ? status
               : page_add_cells(p, r.value, pack_scale(0, page_most(&r), finest), NULL, array, e);
}

/* The effective number of members of a layer of a nowcast; 0: that of the summary's members. */
static double members_of(const struct page *p, const char *name)
{
    static const char probability[] = "probability_";
    const cJSON *nowcast = summary_item(p->run.summary, NULL, "nowcast");
    if (!nowcast || strncmp(name, probability, sizeof probability - 1)) return 0;
    const cJSON *set = cJSON_GetObjectItemCaseSensitive(nowcast, name + sizeof probability - 1);
    const cJSON *effective = set ? cJSON_GetObjectItemCaseSensitive(set, "effective") : NULL;
    return cJSON_IsNumber(effective) ? effective->valuedouble : 0;
}

static int add_layer(struct page *p, const struct family *f, const char *name, const char *number,
                     struct error *e)
{
    char label[64], error_name[64];
    const struct layer_kind *q = layer_kind_of(f->unit);
    int array, status = add_numbers(p, name, q->finest, &array, e);
    if (status) return status;
    snprintf(label, sizeof label, *number ? "%s" WORDS_NEXT "%s" : "%s", f->label, number);
    const int length = (int)(strlen(name) - strlen(".tif"));
    snprintf(error_name, sizeof error_name, "%.*s_error.tif", length, name);
    char plain[64];
    snprintf(plain, sizeof plain, "%.*s", length, name);
    cJSON *o = page_add_layer(p, plain, q->kind, f->unit, label, array);
    const double members = members_of(p, plain);
    if (members > 0) cJSON_AddNumberToObject(o, "members", members);
    if (!runfolder_same(&p->run, error_name)) return 0;
    status = add_numbers(p, error_name, q->finest, &array, e);
    if (!status) cJSON_AddNumberToObject(o, "error", array);
    return status;
}

/* A family with numbers is as its thresholds are: in the order of these. */
static int add_family(struct page *p, const struct family *f, struct error *e)
{
    double last = -1;
    for (;;) {
        char number[NUMBER_ROOM], chosen[NUMBER_ROOM] = "";
        const char *next = NULL;
        for (int i = 0; i < p->run.count; i++) {
            if (!is_of(f, p->run.name[i], number) || !(atof(number) > last)) continue;
            if (next && atof(number) >= atof(chosen)) continue;
            next = p->run.name[i];
            memcpy(chosen, number, sizeof chosen);
        }
        if (!next) return 0;
        int status = add_layer(p, f, next, chosen, e);
        if (status) return status;
        last = atof(chosen);
    }
}

/* Further layers of an ensemble, with the words of their rows. */
static int add_others(struct page *p, struct error *e)
{
    int status = 0;
    for (int i = 0; i < p->run.count && !status; i++) {
        const char *name = p->run.name[i];
        char number[NUMBER_ROOM], label[PRODUCT_WORD];
        const struct product *row = products_find(&report_files, NULL, name);
        bool shown = !row || row->kind != PRODUCT_LAYER || text_ends(name, "_error.tif");
        for (int k = 0; k < FAMILIES && !shown; k++) shown = is_of(&families[k], name, number);
        if (shown) continue;
        snprintf(label, sizeof label, "%s", strchr(row->about, '*') ? name : row->about);
        label[0] = (char)toupper((unsigned char)label[0]);
        status = add_layer(p, &(struct family){name, "", row->unit, label}, name, "", e);
    }
    return status;
}

/* ---- the plan -------------------------------------------------------------------------------- */

/* What the page shows of the domain, in which it has to lie. */
static bool find_window(struct window *w, const struct page *p, const struct sim_case *c)
{
    const struct problem *q = &c->problem;
    const struct raster domain = {.rows = q->rows, .cols = q->cols, .geo = c->geo},
                        grid = {.rows = p->rows, .cols = p->cols, .geo = p->geo};
    *w = (struct window){0, 0, p->rows, p->cols};
    return raster_offset(&domain, &grid, &w->row0, &w->col0) && w->row0 >= 0 && w->col0 >= 0 &&
           w->row0 + w->rows <= q->rows && w->col0 + w->cols <= q->cols;
}

static int take_case(struct page *p, const struct sim_case *c, struct error *e)
{
    struct case_cut k;
    struct window w;
    if (!p->rows) {
        p->rows = c->problem.rows;
        p->cols = c->problem.cols;
        p->geo = c->geo;
    }
    if (!find_window(&w, p, c))
        return page_note(p, "The grid of the plan has changed, so the page has no relief.", e);
    if (*c->start_time) cJSON_AddStringToObject(p->facts, "start_time", c->start_time);
    if (*c->display.note) cJSON_AddStringToObject(p->facts, "stamp", c->display.note);
    const size_t count = (size_t)p->rows * (size_t)p->cols;
    if (!(p->ground_m = malloc(count * sizeof *p->ground_m))) return error_memory(e);
    int status = case_cut(&k, c, w, e);
    if (!status) memcpy(p->ground_m, k.c.problem.elevation_m, count * sizeof *p->ground_m);
    case_cut_free(&k);
    if (!status) status = page_add_ground(p, e);
    return !status && c->outline_path ? page_add_outline(p, c->outline_path, NULL, e) : status;
}

enum { VENTS_SHOWN = 1000 };

/* By its place in the domain *c. */
static void add_vent(const struct page *p, cJSON *list, const struct sim_case *c, int row, int col)
{
    struct window w;
    find_window(&w, p, c);
    row -= w.row0;
    col -= w.col0;
    cJSON *o = json_add_object(list);
    json_add_numbers(o, {"row", row}, {"col", col});
}

static int add_plan_vents(struct page *p, const struct plan *plan, const char *path,
                          struct error *e)
{
    const uint32_t cols = (uint32_t)plan->base.problem.cols;
    FREED_BY(plan_supply_free) struct plan_supply supply = {0};
    int status = plan_supply_create(&supply, plan, path, e);
    cJSON *list = status ? NULL : cJSON_AddArrayToObject(p->facts, "vents");
    for (int i = 0; list && i < supply.source.vents && i < VENTS_SHOWN; i++)
        add_vent(p, list, &plan->base, (int)(supply.source.vent[i] / cols),
                 (int)(supply.source.vent[i] % cols));
    if (!status) cJSON_AddBoolToObject(p->facts, "possible_vents", supply.source.chosen);
    return status;
}

/* Of a question they may be others than the plan has. */
static const char *assets_of(const struct page *p, const struct plan *plan)
{
    const char *asked =
        p->kind == PAGE_ENSEMBLE ? summary_text(p->run.summary, "plan", "assets") : "";
    return *asked && access(asked, F_OK) == 0 ? asked : plan->assets;
}

static int take_plan(struct page *p, const struct plan *plan, const char *path, struct error *e)
{
    int status = take_case(p, &plan->base, e);
    cJSON_AddNumberToObject(p->facts, "arrival_bin_h", plan->keys.statistics.bin_s / 3600);
    if (!status && p->ground_m) status = add_plan_vents(p, plan, path, e);
    const char *assets = assets_of(p, plan);
    return !status && p->ground_m && assets ? page_add_assets(p, assets, e) : status;
}

/* Whether it is what the ensemble was computed from. */
static bool is_same_plan(const struct page *p, const struct plan *plan)
{
    char digest[20];
    snprintf(digest, sizeof digest, "%016" PRIx64, plan->digest);
    return p->kind != PAGE_ENSEMBLE ||
           !strcmp(digest, summary_text(p->run.summary, "plan", "digest"));
}

static int use_plan(struct page *p, const char *path, struct error *e)
{
    struct plan *plan = NULL;
    struct error why = {0};
    int status;
    if (plan_read(&plan, path, NULL, NULL, &why)) {
        if (p->o.plan) return error_input(e, "%s", why.text);
        return page_note(p,
                         "The plan could not be read, so the page has no relief, vents or places; "
                         "make it again and name the plan.",
                         e);
    }
    if (is_same_plan(p, plan)) status = take_plan(p, plan, path, e);
    else if (p->o.plan) status = error_input(e, "%s: is not the plan of %s", path, p->folder);
    else
        status = page_note(
            p, "The plan has changed since, so the page has no relief, vents or places.", e);
    plan_free(plan);
    return status;
}

/* The best is a case. */
static int use_case(struct page *p, const char *path, struct error *e)
{
    struct sim_case c;
    struct error why = {0};
    if (case_load(&c, path, &why))
        return page_note(
            p, "The best case could not be read, so the page has no relief and no vents.", e);
    int status = take_case(p, &c, e);
    cJSON *list = !status && p->ground_m ? cJSON_AddArrayToObject(p->facts, "vents") : NULL;
    for (int i = 0; list && i < c.problem.vent_count && i < VENTS_SHOWN; i++)
        add_vent(p, list, &c, c.problem.vents[i].row, c.problem.vents[i].col);
    case_free(&c);
    return status;
}

static int use_beside(struct page *p, const char *name,
                      int (*use)(struct page *, const char *, struct error *), struct error *e)
{
    FREED char *path = text_format("%s/%s", p->folder, name);
    return path ? use(p, path, e) : error_memory(e);
}

static int page_many(struct page *p, struct error *e)
{
    static const char *const tables[] = {
        "assets.csv",        "exposed.csv",     "assets_difference.csv",
        "named_members.csv", "reliability.csv", "roc.csv",
        "overlap.csv",       "evaluations.csv", "nowcast_places.csv"};
    int status = 0;
    for (int i = 0; i < FAMILIES && !status; i++) status = add_family(p, &families[i], e);
    if (!status) status = add_others(p, e);
    if (!status && p->kind == PAGE_ENSEMBLE && !p->cells.at)
        status = error_input(e, "%s: has no probability.tif; combine shards with sciara merge",
                             p->folder);
    if (!status && p->kind == PAGE_ENSEMBLE)
        status =
            use_plan(p, p->o.plan ? p->o.plan : summary_text(p->run.summary, "plan", "path"), e);
    if (!status && p->kind == PAGE_CALIBRATION) status = use_beside(p, "best.cfg", use_case, e);
    if (!status && p->kind == PAGE_POSTERIOR) status = use_beside(p, "forecast.cfg", use_plan, e);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !status; i++)
        status = page_add_table(p, tables[i], false, e);
    if (!status && p->kind == PAGE_ENSEMBLE) status = page_add_table(p, "members.csv", true, e);
    return status;
}

/* ---- the page -------------------------------------------------------------------------------- */

int page_note(struct page *p, const char *packed, struct error *e)
{
    cJSON *note = json_words(packed);
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

/* The body's own text: scripts translate it, but for what one reads without them. */
static void write_body(FILE *out, const char *language)
{
    static const char without[] = "A script in this file draws the map and the charts. Please "
                                  "allow scripts for this file; it "
                                  "uses no network.";
    const char *at = strstr(page_bottom, without);
    fprintf(out, "%.*s%s%s", (int)(at - page_bottom), page_bottom, words_of(without, language),
            at + sizeof without - 1);
}

static void write_parts(FILE *out, const struct page *p, const char *facts)
{
    const cJSON *s = p->run.summary;
    fputs(page_top, out); /* up to the content of <title> */
    scan_put_xml(out, summary_text(s, summary_item(s, NULL, "case") ? "case" : "plan", "title"),
                 "&");
    fputs(" · Sciara</title>\n<style>", out);
    fputs(page_style, out);
    fputs("</style>\n", out);
    write_body(out, p->o.language);
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
    FREED char *path = text_format("%s/" OUTPUT_REPORT, folder);
    return path ? spare(path, e) : error_memory(e);
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

/* Of what has to be told, the page has what concerns the result: its reader has not made the input. */
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

static int write_page(struct page *p, struct error *e)
{
    FREED char *path =
        p->o.output ? text_format("%s", p->o.output) : text_format("%s/" OUTPUT_REPORT, p->folder);
    cJSON *summary = p->run.summary;
    /* The same run gives the same page, however long it took. */
    cJSON_DeleteItemFromObjectCaseSensitive(summary, "files");
    cJSON_DeleteItemFromObjectCaseSensitive(summary, "timing");
    keep_result(summary);
    cJSON_AddItemReferenceToObject(p->facts, "summary", summary);
    json_clean(p->facts);
    FREED char *facts = cJSON_PrintUnformatted(p->facts);
    return path && facts ? write_file(p, path, facts, e) : error_memory(e);
}

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
    return error_input(e, "%s: is not the folder of a finished run or study; name one", p->folder);
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

static void add_quantities(struct page *p)
{
    cJSON *o = cJSON_AddObjectToObject(p->facts, "quantities");
    for (const struct quantity *q = quantities; q->name; q++) {
        cJSON *list = cJSON_AddArrayToObject(o, q->name);
        cJSON_AddItemToArray(list, cJSON_CreateString(q->words));
        cJSON_AddItemToArray(list, cJSON_CreateString(q->unit));
        cJSON_AddItemToArray(list, cJSON_CreateNumber(q->factor));
        cJSON_AddItemToArray(list, cJSON_CreateNumber(q->more));
    }
}

int page_grid_facts(struct cJSON *facts, int rows, int cols, const struct georef *geo,
                    struct error *e)
{
    struct page p = {.rows = rows, .cols = cols, .geo = *geo, .facts = facts};
    add_colours(&p);
    add_quantities(&p);
    add_grid(&p);
    return page_add_degrees(&p, e);
}

static int fill(struct page *p, struct error *e)
{
    p->facts = cJSON_CreateObject();
    cJSON_AddNumberToObject(p->facts, "format", 1);
    json_add_texts(p->facts, {"kind", kinds[p->kind]},
                   {"made_by", p->o.version ? p->o.version : ""});
    if (p->o.language && strcmp(p->o.language, *words_languages))
        json_add_texts(p->facts, {"language", p->o.language});
    p->notes = cJSON_AddArrayToObject(p->facts, "notes");
    p->arrays = cJSON_AddArrayToObject(p->facts, "arrays");
    p->layers = cJSON_AddArrayToObject(p->facts, "layers");
    if (!p->layers) return error_memory(e);
    add_colours(p);
    add_quantities(p);
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
    IN_PLAIN_LOCALE;
    int status = open_folder(p, summary, e);
    const struct raster domain = runfolder_domain(p->run.summary);
    /* of small layers a thread reads a tile or two, and would wait longer than it works */
    const bool large = (double)domain.rows * domain.cols > 4e6;
    const int before = loops_threads(); /* (of `sciara report`, which a signal may end) */
    loops_limit(large ? 0 : 1);
    if (!status) status = find_kind(p, e);
    if (!status) status = fill(p, e);
    loops_limit(before);
    if (!status && !(p->numbers = pack_text(&p->bytes))) status = error_memory(e);
    if (!status) return 0;
    page_free(p);
    *out = NULL;
    return status;
}

int page_finish(struct page *p, struct error *e)
{
    IN_PLAIN_LOCALE;
    cJSON *summary = NULL;
    int status = p->early ? runfolder_summary(&summary, p->folder, e) : 0;
    if (summary) {
        cJSON_Delete(p->run.summary);
        p->run.summary = summary;
    }
    if (!status && p->kind == PAGE_RUN) status = page_add_table(p, "assets.csv", false, e);
    if (!status) status = write_page(p, e);
    page_free(p);
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
