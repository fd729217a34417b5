#include "products.h"

#include "base/file_progress.h"
#include "base/loops.h"
#include "case/assets.h"
#include "case/case_background.h"
#include "case/case_terrain.h"
#include "record/json_number.h"
#include "record/record.h"
#include "record/runfolder.h"
#include "text/atomic_file.h"
#include "text/grow.h"
#include "text/scan.h"
#include "text/words.h"

#include <cJSON.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const double NODATA = -9999;

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_of(const struct product *row, const struct sim_case *c, const char *name,
                  bool styled)
{
    const char *dot = strrchr(name, '.');
    char stem[256];
    if (row->is) return row->is(c, name);
    if (row->kind >= PRODUCT_ENTRY || !dot) return false;
    if (row->kind == PRODUCT_TABLE || row->kind == PRODUCT_FILE)
        return !fnmatch(row->name, name, 0);
    const bool layer = row->kind == PRODUCT_LAYER || row->kind == PRODUCT_CODES;
    const bool ending = layer
                            ? !strcmp(dot, ".tif") || (styled && painted_as(name) & PAINTED_LAYERS)
                            : (painted_as(name) & PAINTED_PICTURES) != 0;
    if (!ending || row->of_steps) return ending && runfolder_layer_step(name, row->name, dot) >= 0;
    snprintf(stem, sizeof stem, "%.*s", (int)(dot - name), name);
    return !fnmatch(row->name, stem, 0);
}

const struct product *products_find(const struct product_table *t, const struct sim_case *c,
                                    const char *name)
{
    for (; t; t = t->next)
        for (int i = 0; i < t->count; i++)
            if (is_of(&t->row[i], c, name, t->styled)) return &t->row[i];
    return NULL;
}

/* ---- what is requested ----------------------------------------------------------------------- */

enum { WORD = 128 };

/* Takes the next word of a list; false: there is none. */
static bool next_word(char word[WORD], const char **list)
{
    const size_t length = strcspn(*list, ",");
    if (!**list) return false;
    snprintf(word, WORD, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return true;
}

/* The name by which users request a file. A table or another file is requested without its ending. */
static const char *asked_as(char out[WORD], const struct product *row, const char *name)
{
    const bool ended = row->kind == PRODUCT_TABLE || row->kind == PRODUCT_FILE;
    const char *dot = ended ? strrchr(name, '.') : NULL;
    snprintf(out, WORD, "%.*s", dot ? (int)(dot - name) : WORD - 1, name);
    return out;
}

bool product_asked(const struct output_info *info, const struct product *row, const char *name)
{
    char word[WORD], own[WORD];
    asked_as(own, row, row->of_steps ? row->name : name);
    for (const char *list = info->layers; row->further && list && next_word(word, &list);)
        if (!strcmp(word, "all") || !fnmatch(word, own, 0)) return true;
    return !row->further || row->by & info->formats || (row->usual && !fnmatch(row->usual, own, 0));
}

/* Whether a word fits a file of the table. further: only files that are written on request count. */
static bool is_known(const char *word, const struct product_table *t, bool further)
{
    char own[WORD];
    for (; t; t = t->next)
        for (int i = 0; i < t->count; i++) {
            const struct product *row = &t->row[i];
            asked_as(own, row, row->name);
            if (row->kind < PRODUCT_ENTRY && (row->further || !further) &&
                (!fnmatch(word, own, 0) || !fnmatch(own, word, 0)))
                return true;
        }
    return !strcmp(word, "all");
}

bool products_asked(const char *layers, const struct product_table *t)
{
    char word[WORD];
    while (layers && next_word(word, &layers))
        if (is_known(word, t, true)) return true;
    return false;
}

int products_check_asked(const struct output_info *info, const struct product_table *t,
                         struct error *e)
{
    char word[WORD], own[WORD], known[800] = "";
    size_t used = 0;
    for (const char *list = info->layers; list && next_word(word, &list);) {
        if (is_known(word, t, false)) continue;
        for (; t; t = t->next)
            for (int i = 0; i < t->count && used < sizeof known; i++)
                if (t->row[i].further)
                    used += (size_t)snprintf(known + used, sizeof known - used, ", %s",
                                             asked_as(own, &t->row[i], t->row[i].name));
        return error_input(e, "option 'layers': no file is called %.60s; choose from all%s", word,
                           known);
    }
    return 0;
}

unsigned product_formats(const struct product *row, const char *name)
{
    const unsigned painted = painted_as(name);
    if (row->kind == PRODUCT_MAP || row->kind == PRODUCT_DIAGRAM) return painted & PAINTED_PICTURES;
    return row->kind == PRODUCT_LAYER && painted ? painted : row->formats;
}

/* Replaces the '*' of a pattern by a word; malloc'ed, NULL: out of memory. */
static char *with_word(const char *pattern, const char *word)
{
    const char *star = pattern ? strchr(pattern, '*') : NULL;
    return star ? text_format("%.*s%s%s", (int)(star - pattern), pattern, word, star + 1)
                : text_format("%s", pattern ? pattern : "");
}

char *product_path(const struct products *p, const char *name, struct error *e)
{
    char *path = output_file_path(p->info, p->c, name, e);
    if (!path || !p->spare || !p->spare(p->of, path, e)) return path;
    free(path);
    return NULL;
}

/* ---- the extent ------------------------------------------------------------------------------ */

/* Converts the index of a cell in the part to its index in the whole domain. */
static size_t place_of(const struct products *p, size_t cell)
{
    const struct case_cut *k = p->cut ? &p->cut->part : NULL;
    return k && !k->whole ? window_in_domain(k->window, cell, k->from->problem.cols) : cell;
}

/* The smallest window of the domain with all lava, vents and the outline. */
static struct window reach_of(const struct products *p)
{
    const struct problem *q = &p->c->problem;
    const size_t cols = (size_t)q->cols, cells = (size_t)q->rows * cols;
    struct window reach = {0};
    window_add_mask(&reach, p->outline, q->rows, q->cols);
    for (size_t i = 0; i < cells; i++) {
        if (p->next && (i = p->next(p->of, i)) >= cells) break;
        if (p->reached(p->of, i)) window_add(&reach, (int)(i / cols), (int)(i % cols));
    }
    for (int v = 0; v < p->vents; v++)
        window_add(&reach, (int)(p->vent[v] / (uint32_t)cols), (int)(p->vent[v] % (uint32_t)cols));
    return reach;
}

/* Cuts masks and vents to the part. */
static int cut_masks(struct product_cut *k, struct products *p, struct error *e)
{
    const struct window *w = &k->part.window;
    const uint32_t cols = (uint32_t)p->c->problem.cols;
    const size_t cells = (size_t)w->rows * (size_t)w->cols;
    int vents = 0;
    k->reached = malloc(cells);
    k->outline = p->outline ? malloc(cells) : NULL;
    k->vent = malloc(((size_t)p->vents + 1) * sizeof *k->vent);
    if (!k->reached || !k->vent || (p->outline && !k->outline)) return error_memory(e);
    for (size_t i = 0; i < cells; i++) {
        const size_t from = place_of(p, i);
        k->reached[i] = p->reached(p->of, from);
        if (k->outline) k->outline[i] = p->outline[from];
    }
    for (int v = 0; v < p->vents; v++)
        k->vent[vents++] = (p->vent[v] / cols - (uint32_t)w->row0) * (uint32_t)w->cols +
                           p->vent[v] % cols - (uint32_t)w->col0;
    return output_around(&k->around, &k->part, k->reached, e);
}

int products_cut(struct products *p, struct product_cut *k, struct error *e)
{
    const struct problem *q = &p->c->problem;
    *k = (struct product_cut){0};
    if (p->info->reader) return 0;
    if (!p->reached || extent_is_full(p->info->extent, q))
        return problem_read_terrain(q, problem_domain(q), e); /* maps may show the whole terrain */
    int status = case_cut(&k->part, p->c, extent_around(reach_of(p), p->info->extent, q), e);
    p->cut = k;
    if (!status) status = cut_masks(k, p, e);
    if (!status) {
        if (p->info->folder) p->info->folder->extent = k->part.window;
        p->c = &k->part.c;
        p->outline = k->outline;
        p->vent = k->vent;
        return 0;
    }
    p->cut = NULL;
    product_cut_free(k);
    return status;
}

void product_cut_free(struct product_cut *k)
{
    output_around_free(&k->around);
    case_cut_free(&k->part);
    RELEASE(k, k->outline, k->reached, k->vent);
}

/* ---- files ----------------------------------------------------------------------------------- */

struct file {
    struct product_at at;
    char *name, *about;
    /* Only for a map, which another thread draws. nothing: the map shows nothing; status, error: the result of
     * drawing. */
    bool nothing;
    int status;
    struct error error;
};

struct list {
    const struct products *all;
    int count;
    struct file *file;
    int written; /* number of files written so far */
    int status;  /* result of writing the files before the first map */
    struct error error;
};

void product_item(struct product_items *m, const char *name, const char *format, ...)
{
    char *text = m->text + m->used;
    const size_t room = sizeof m->text - m->used;
    va_list values;
    va_start(values, format);
    const int length = vsnprintf(text, room, format, values);
    va_end(values);
    if (length <= 0 || (size_t)length >= room) return;
    m->item[m->count++] = (struct geotiff_item){name, text};
    m->used += (size_t)length + 1;
}

static double value_of(const struct product_at *at, size_t cell)
{
    return at->row->value(at, place_of(at->all, cell));
}

static void fill_row(const void *context, int row, float *out)
{
    const struct product_at *at = context;
    const size_t cols = (size_t)at->all->c->problem.cols, first = (size_t)row * cols;
    for (size_t col = 0; col < cols; col++) {
        const double value = value_of(at, first + col);
        out[col] = (float)(isnan(value) ? NODATA : value);
    }
}

static int write_layer(const struct file *f, struct error *e)
{
    const struct products *p = f->at.all;
    const struct geotiff_layer layer = {.rows = p->c->problem.rows,
                                        .cols = p->c->problem.cols,
                                        .geo = p->c->geo,
                                        .nodata = NODATA,
                                        .description = f->about,
                                        .unit = f->at.row->unit,
                                        .item_count = p->items.count,
                                        .items = p->items.item,
                                        .row = fill_row,
                                        .context = &f->at,
                                        .progress = p->info->progress};
    FREED char *name = text_format("%s.tif", f->name);
    FREED char *path = name ? product_path(p, name, e) : NULL;
    if (!path) return ERROR_FAILED;
    int status = f->at.row->kind == PRODUCT_CODES ? geotiff_write(path, &layer, e)
                                                  : geotiff_write_cloud(path, &layer, e);
    return output_done(p->info, path, status, e);
}

static bool is_table(const struct product *row)
{
    return row->rows || row->put;
}

static int put_table(FILE *f, const struct product_at *at, struct error *e)
{
    struct table t = table_to(f);
    if (at->row->put) return at->row->put(f, at, e);
    at->row->rows(&t, at);
    return 0;
}

static int write_table(const struct product_at *at, const char *path, struct error *e)
{
    FREED_BY(atomic_file_abandon) struct atomic_file w;
    int status = atomic_file_open(&w, path, e);
    if (!status) status = put_table(w.stream, at, e);
    return status ? status : atomic_file_finish(&w, e);
}

static int read_table(const struct file *f, char **text, struct error *e)
{
    size_t size;
    FILE *stream = open_memstream(text, &size);
    if (!stream) return error_memory(e);
    int status = put_table(stream, &f->at, e);
    if (fclose(stream) && !status) status = error_memory(e);
    if (!status) return 0;
    free(*text);
    *text = NULL;
    return status;
}

/* Writes a table only into the record, because its file was not requested. */
static int record_table(const struct file *f, struct error *e)
{
    const struct output_folder *folder = f->at.all->info->folder;
    FREED char *text = NULL;
    if (!folder || !folder->record) return 0;
    const int status = read_table(f, &text, e);
    return status ? status : record_add_table(folder->record, f->name, text, e);
}

static int write_path(const struct file *f, struct error *e)
{
    const struct product *row = f->at.row;
    if (is_table(row) && !product_asked(f->at.all->info, row, f->name)) return record_table(f, e);
    FREED char *path = product_path(f->at.all, f->name, e);
    if (!path) return ERROR_FAILED;
    int status = is_table(row) ? write_table(&f->at, path, e) : row->write(&f->at, path, e);
    return output_done(f->at.all->info, path, status, e);
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* The painting for the picture of a row or, if `at` is NULL, for the picture of all layers. */
static struct output_painting painting_of(const struct products *p, const struct product_at *at)
{
    return (struct output_painting){p->info, p->c, p->spare, p->of,
                                    at && !product_asked(p->info, at->row, at->name)};
}

int product_paint(const struct product_at *at, const struct scene *s, struct error *e)
{
    const struct output_painting to = painting_of(at->all, at);
    const int status = output_picture(&to, at->name, s, e);
    return output_picture_done(at->all->info, at->name, status, e);
}

char *product_by(char out[PRODUCT_BY], const struct product_at *at)
{
    const struct products *p = at->all;
    char software[64], kind[32];
    snprintf(software, sizeof software, "sciara %s", p->info->version);
    snprintf(kind, sizeof kind, "%s" WORDS_NEXT, p->kind);
    return words_pack(out, PRODUCT_BY, "%s, %s %016" PRIx64, software, kind, p->digest);
}

int product_paint_plot(const struct product_at *at, struct plot *p,
                       const struct plot_series *series, int count, struct error *e)
{
    char by[PRODUCT_BY];
    p->title = at->all->c->title;
    p->by = product_by(by, at);
    p->warning = product_warning(at->all->c);
    p->count = count;
    p->series = series;
    const struct scene scene = scene_of_plots(p, 1);
    return product_paint(at, &scene, e);
}

char *product_by_run(char out[PRODUCT_BY], const struct output_info *info, uint64_t state)
{
    char software[64];
    snprintf(software, sizeof software, "sciara %s", info->version);
    return words_pack(out, PRODUCT_BY, "%s, %s, state %016" PRIx64, software, info->variant, state);
}

char *product_note(char *out, size_t size, const struct sim_case *c, const char *by)
{
    char source[TERRAIN_SOURCE];
    snprintf(out, size, "%s" WORDS_PART "\n" WORDS_PART "%s", case_terrain_pack_source(source, c),
             by);
    return out;
}

const char *product_warning(const struct sim_case *c)
{
    return c->synthetic ? "SYNTHETIC TERRAIN" : NULL;
}

struct map product_map_of(const struct sim_case *c, const struct output_info *info)
{
    return (struct map){
        .rows = c->problem.rows,
        .cols = c->problem.cols,
        .geo = c->geo,
        .elevation_m = c->problem.elevation_m,
        .title = *c->title ? c->title : c->name,
        .warning = product_warning(c),
        .stamp = c->display.note,
        .language = info->pictures.language,
        .sea = c->sea,
        .background = case_background_of(c),
        .paper = {info->pictures.width_in, info->pictures.height_in, info->pictures.dpi}};
}

void products_warn_incomplete(struct warnings *w, int64_t done, int64_t all)
{
    char text[160];
    words_pack(text, sizeof text,
               "incomplete: %lld of %lld {simulated eruption|simulated eruptions}, not a random "
               "sample of the plan, so probabilities are biased",
               (long long)done, (long long)all);
    warnings_add(w, WARNING_RESULT, text, NULL);
}

/* Data of a map that are not in its row: values, marks, labels and places of interest. */
struct sheet {
    double *value;
    unsigned char *mark;
    struct map_place *place;
    char (*label)[PRODUCT_PLACE];
};

static int sheet_create(struct sheet *t, const struct product_at *at, struct error *e)
{
    const struct products *p = at->all;
    const size_t cells = (size_t)p->c->problem.rows * (size_t)p->c->problem.cols;
    const int places = p->assets ? p->assets->count : 0;
    char text[PRODUCT_PLACE - 4], name[80];
    t->value = malloc(cells * sizeof *t->value);
    t->mark = calloc(cells, 1);
    t->place = calloc((size_t)places + 1, sizeof *t->place);
    t->label = calloc((size_t)places + 1, sizeof *t->label);
    if (!t->value || !t->mark || !t->place || !t->label) return error_memory(e);
    for (size_t i = 0; i < cells; i++) t->value[i] = value_of(at, i);
    for (int v = 0; v < p->vents; v++) t->mark[p->vent[v]] = 1;
    for (int i = 0; i < places; i++) {
        at->row->place(at, i, text, sizeof text);
        snprintf(t->label[i], sizeof t->label[i], "%s: " WORDS_PART "%s",
                 scan_isolated(name, sizeof name, p->assets->asset[i].name), text);
        t->place[i] = map_place_of(&p->assets->asset[i], t->label[i]);
    }
    return 0;
}

/* The description of a file, packed (text/words.h) if its row has many files. */
static const char *pack_about(char out[PRODUCT_ABOUT], const char *row, const char *about)
{
    const size_t star = strcspn(row, "*");
    if (!row[star]) return about;
    snprintf(out, PRODUCT_ABOUT, "%.*s{}%s" WORDS_NEXT "%.*s", (int)star, row, row + star + 1,
             (int)(strlen(about) + 1 - strlen(row)), about + star);
    return out;
}

/* Writes the line "Taken as known exactly: rate, vents.", packed word by word; returns its length. */
static size_t put_known(char *out, size_t size, const char *known)
{
    int used = snprintf(out, size, "Taken as known exactly:" WORDS_NEXT WORDS_PART " ");
    for (size_t length; *known; known += length) {
        const bool comma = *known == ',';
        length = comma ? strspn(known, ", ") : strcspn(known, ",");
        used += snprintf(out + used, size - (size_t)used, WORDS_PART "%.*s%s", (int)length, known,
                         comma ? "" : WORDS_NEXT);
    }
    used += snprintf(out + used, size - (size_t)used, WORDS_PART ".\n" WORDS_PART);
    return (size_t)used;
}

/* Writes "Varied (5 to 95 %): cooling 1.8 to 3.9. " and the inputs known exactly; returns the length. */
static size_t put_assumed(char *out, size_t size, const struct products *p)
{
    size_t used = 0;
    if (p->varied && *p->varied)
        used = (size_t)snprintf(out, size,
                                "Varied (5 to 95 %%):" WORDS_NEXT WORDS_PART " %s" WORDS_PART
                                ". " WORDS_PART,
                                p->varied);
    return used + (p->known ? put_known(out + used, size - used, p->known) : 0);
}

/* Calls `use` with the map of a row, unless the map shows nothing. */
static int with_map(const struct product_at *at, const char *about, bool *nothing, map_use *use,
                    void *to, struct error *e)
{
    const struct products *p = at->all;
    if (file_progress_cancelled(p->info->progress)) return error_cancelled(e);
    struct sheet t = {0};
    struct product_map m = {.map = product_map_of(p->c, p->info)};
    char note[PRODUCT_NOTE], alert[1200], by[PRODUCT_BY], quantity[PRODUCT_ABOUT];
    int status = sheet_create(&t, at, e);
    if (!status) {
        const size_t assumed = put_assumed(note, sizeof note, p);
        product_note(note + assumed, sizeof note - assumed, p->c, product_by(by, at));
        m.map.value = m.value = t.value;
        m.map.mark = t.mark;
        m.map.places = t.place;
        m.map.place_count = p->assets ? p->assets->count : 0;
        m.map.outline = p->outline;
        if (p->cut && p->cut->around.rows) m.map.around = &p->cut->around;
        m.map.note = note;
        m.map.subtitle = m.subtitle;
        m.map.alert = alert;
        m.map.quantity = pack_about(quantity, at->row->about, about);
        m.map.unit = at->row->unit;
        *nothing = !at->row->map(at, &m);
        const int own = snprintf(alert, sizeof alert, "%s%s", m.alert,
                                 *m.alert ? WORDS_PART " " WORDS_PART : "");
        warnings_of_result(&p->told, alert + own, sizeof alert - (size_t)own);
    }
    if (!status && !*nothing) {
        status = output_barriers(&m.map, p->c, e);
        if (!status && !p->c->display.domain) map_crop_content(&m.map);
        if (!status) status = use(&m.map, to, e);
        output_barriers_free(&m.map);
    }
    FREE_ALL(t.value, t.mark, t.place, t.label);
    return status;
}

int product_with_map(const struct product_at *at, const char *row, map_use *use, void *to,
                     struct error *e)
{
    const struct product *map = products_find(at->all->table, NULL, row);
    const struct product_at other = {at->of, 0, map, at->all, row};
    bool nothing = false;
    return map ? with_map(&other, map->about, &nothing, use, to, e) : 0;
}

int product_describe(const struct map *m, void *described, struct error *e)
{
    struct product_described *d = described;
    const struct scene scene = scene_of_map(m);
    return output_picture_describe(&d->record, d->info, d->name, &scene, e);
}

/* Paints a map from the record, so that its cells are in memory only once. */
static int paint_map(const struct product_at *at, const char *about, bool *nothing, struct error *e)
{
    const struct output_painting to = painting_of(at->all, at);
    struct product_described d = {at->all->info, at->name, NULL};
    const int status = with_map(at, about, nothing, product_describe, &d, e);
    return status || !d.record ? status : output_picture_paint(&to, d.record, NULL, e);
}

int products_page(const struct products *p, const uint32_t *vent, int vents, bool possible,
                  double bin_h, struct error *e)
{
    const struct case_cut *cut = p->cut ? &p->cut->part : NULL;
    const uint32_t cols = (uint32_t)(cut ? cut->from : p->c)->problem.cols;
    const int row0 = cut ? cut->window.row0 : 0, col0 = cut ? cut->window.col0 : 0;
    const int count = vents < REPORT_VENTS_MOST ? vents : REPORT_VENTS_MOST;
    FREED double *at = malloc((2 * (size_t)count + 1) * sizeof *at);
    if (!at) return error_memory(e);
    for (int i = 0; i < count; i++) {
        at[2 * i] = (double)(vent[i] / cols) - row0;
        at[2 * i + 1] = (double)(vent[i] % cols) - col0;
    }
    const struct report_page page = {.elevation_m = p->c->problem.elevation_m,
                                     .outline = p->outline,
                                     .vent = at,
                                     .vent_count = count,
                                     .possible = possible,
                                     .arrival_bin_h = bin_h,
                                     .start_time = p->c->start_time,
                                     .stamp = p->c->display.note,
                                     .language = p->info->pictures.language};
    return output_record_page(p->info, p->c, p->assets, &page, e);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int count_of(const struct product *row, const void *of)
{
    return row->count ? *(const int *)((const char *)of + row->count) : 1;
}

static int add_file(struct list *l, const struct product *row, int i, struct error *e)
{
    const struct products *p = l->all;
    char name[PRODUCT_WORD] = "", about[PRODUCT_ABOUT] = "";
    if (!GROW(l->file, l->count)) return error_memory(e);
    if (row->word && !row->word(p->of, i, name, about)) return 0;
    const bool layer = row->kind == PRODUCT_LAYER || row->kind == PRODUCT_CODES;
    FREED char *own = with_word(row->name, name);
    if (own && layer && !p->info->reader && !product_asked(p->info, row, own)) return 0;
    struct file *f = &l->file[l->count++];
    *f = (struct file){
        .at = {p->of, i, row, p, NULL}, .name = own, .about = with_word(row->about, about)};
    own = NULL;
    return f->name && f->about ? 0 : error_memory(e);
}

static int list_files(struct list *l, struct error *e)
{
    const struct product *row = l->all->table->row;
    const int rows = l->all->table->count;
    int status = 0;
    for (int first = 0, end; first < rows && !status; first = end) {
        const int count = count_of(&row[first], l->all->of);
        for (end = first + 1; end < rows && row[first].count && row[end].count == row[first].count;)
            end++;
        for (int i = 0; i < count; i++)
            for (int k = first; k < end && !status; k++)
                if (row[k].kind < PRODUCT_ENTRY && (!i || strchr(row[k].name, '*')))
                    status = add_file(l, &row[k], i, e);
    }
    for (int i = 0; i < l->count; i++) l->file[i].at.name = l->file[i].name;
    return status;
}

static int write_file(struct file *f, struct error *e)
{
    if (file_progress_cancelled(f->at.all->info->progress)) return error_cancelled(e);
    switch (f->at.row->kind) {
    case PRODUCT_LAYER:
    case PRODUCT_CODES:
        return write_layer(f, e);
    case PRODUCT_DIAGRAM:
        return f->at.row->draw(&f->at, e);
    case PRODUCT_TABLE:
    case PRODUCT_FILE:
        return is_table(f->at.row) || f->at.row->write ? write_path(f, e) : 0;
    default:
        break;
    }
    if (f->nothing) return 0;
    const int status = output_picture_done(f->at.all->info, f->name, f->status, &f->error);
    if (status && e) *e = f->error;
    return status;
}

/* Writes the files before the first map. */
static int write_first(struct list *l, struct error *e)
{
    int status = 0;
    for (; l->written < l->count && l->file[l->written].at.row->kind != PRODUCT_MAP && !status;)
        status = write_file(&l->file[l->written++], e);
    return status;
}

static struct file *map_of(const struct list *l, int i)
{
    struct file *f = l->file;
    while (f->at.row->kind != PRODUCT_MAP || i-- > 0) f++;
    return f;
}

static void do_job(void *list, int i)
{
    struct list *l = list;
    struct file *f = i ? map_of(l, i - 1) : NULL;
    if (f) f->status = paint_map(&f->at, f->about, &f->nothing, &f->error);
    else l->status = write_first(l, &l->error);
}

/* Draws maps, several at once, while the files before them are written. */
static int write_all(struct list *l, struct error *e)
{
    int maps = 0;
    for (int i = 0; i < l->count; i++) maps += l->file[i].at.row->kind == PRODUCT_MAP;
    jobs_run(1 + maps, do_job, l);
    if (l->status && e) *e = l->error;
    int status = l->status;
    while (l->written < l->count && !status) status = write_file(&l->file[l->written++], e);
    return status;
}

/* ---- layers for globes and GIS --------------------------------------------------------------- */

/* Lists the layers in *s; `about` has room for their descriptions. */
static void take_kinds(struct layer_set *s, char (*about)[PRODUCT_ABOUT], const struct list *l)
{
    for (int i = 0; i < l->count; i++) {
        const struct file *f = &l->file[i];
        if (f->at.row->kind != PRODUCT_LAYER) continue;
        struct layer_quantity *k = &s->kind[s->kinds];
        *k = (struct layer_quantity){.name = f->name, .legend.unit = f->at.row->unit};
        snprintf(about[s->kinds], PRODUCT_ABOUT, "%s",
                 pack_about((char[PRODUCT_ABOUT]){0}, f->at.row->about, f->about));
        k->about = about[s->kinds++];
        l->all->table->shown(&f->at, k);
    }
}

static void take_vents(struct layer_vent *vent, const struct products *p)
{
    const struct georef *geo = &p->c->geo;
    const int cols = p->c->problem.cols;
    for (int i = 0; i < p->vents; i++) {
        const int row = (int)p->vent[i] / cols, col = (int)p->vent[i] % cols;
        vent[i] = (struct layer_vent){geo->west_m + (col + 0.5) * geo->cell_m,
                                      geo->south_m + (p->c->problem.rows - row - 0.5) * geo->cell_m,
                                      0, 1};
    }
}

static int paint_layers(const struct list *l, struct error *e)
{
    static const struct layer_time whole = {"", 0};
    const struct products *p = l->all;
    const struct output_painting to = painting_of(p, NULL);
    FREED struct layer_quantity *kind = calloc((size_t)l->count + 1, sizeof *kind);
    FREED char(*about)[PRODUCT_ABOUT] = calloc((size_t)l->count + 1, sizeof *about);
    FREED struct layer_vent *vent = calloc((size_t)p->vents + 1, sizeof *vent);
    struct layer_set s = {.times = 1,
                          .vents = p->vents <= PRODUCT_VENTS_LARGE ? p->vents : 0,
                          .kind = kind,
                          .time = &whole,
                          .vent = vent,
                          .vent_name = p->vent_name,
                          .outline = p->outline};
    if (!kind || !about || !vent) return error_memory(e);
    take_kinds(&s, about, l);
    take_vents(vent, p);
    const int status = s.kinds ? output_layers_paint(&to, p->table->layers, &s, p->digest, e) : 0;
    return output_missed(p->info, "files for other programs", status, e);
}

/* ---- in memory ------------------------------------------------------------------------------- */

static int read_file(const struct file *f, struct product_reader *r, struct error *e)
{
    const struct problem *p = &f->at.all->c->problem;
    const size_t cells = (size_t)p->rows * (size_t)p->cols;
    const enum product_kind kind = f->at.row->kind;
    const bool layer = kind == PRODUCT_LAYER || kind == PRODUCT_CODES;
    if (!layer && !is_table(f->at.row)) return 0;
    FREED char *name = text_format(layer ? "%s.tif" : "%s", f->name);
    int status = name ? 0 : error_memory(e);
    if (name && !r->name) status = r->list(r->of, name, f->at.row, f->about, e);
    else if (name && !strcmp(name, r->name) && layer == (r->values != NULL)) {
        r->found = true;
        for (size_t i = 0; layer && i < cells; i++) r->values[i] = (float)value_of(&f->at, i);
        if (!layer) status = read_table(f, &r->text, e);
    }
    return status;
}

int products_files(const struct products *p, struct error *e)
{
    struct list l = {.all = p};
    int status = list_files(&l, e);
    if (!status && !p->info->reader) status = write_all(&l, e);
    if (!status && !p->info->reader && p->table->shown) status = paint_layers(&l, e);
    for (int i = 0; i < l.count && p->info->reader && !status; i++)
        status = read_file(&l.file[i], p->info->reader, e);
    for (int i = 0; i < l.count; i++) {
        free(l.file[i].name);
        free(l.file[i].about);
    }
    free(l.file);
    return status;
}

int products_record(const struct products *p, struct error *e)
{
    return p->info->reader ? 0 : output_picture_record(p->info, p->c, p->digest, e);
}

int products_write(struct products *p, struct error *e)
{
    FREED_BY(product_cut_free) struct product_cut cut;
    int status = products_cut(p, &cut, e);
    if (!status) status = products_files(p, e);
    return status ? status : products_record(p, e);
}

void products_entries(cJSON *root, const struct products *p)
{
    for (int i = 0; i < p->table->count; i++) {
        const struct product *row = &p->table->row[i];
        const struct product_at at = {p->of, 0, row, p, row->name};
        if (row->kind < PRODUCT_ENTRY || !count_of(row, p->of)) continue;
        row->entry(row->kind == PRODUCT_LIST ? cJSON_AddArrayToObject(root, row->name)
                                             : cJSON_AddObjectToObject(root, row->name),
                   &at);
    }
}

cJSON *products_summary(const struct products *p)
{
    cJSON *root = cJSON_CreateObject();
    json_add_texts(root, {"software", "sciara"}, {"version", p->info->version}, {"kind", p->kind});
    return root;
}
