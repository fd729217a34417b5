/* page_cells.c — the numbers of a page: the terrain, and values in the reached cells. */
#include "page.h"

#include "raster/raster.h"
#include "record/json_number.h"
#include "record/page_parts.h"
#include "text/textfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rasters --------------------------------------------------------------------------------- */

struct page_ahead {
    char *name;
    struct raster r; /* without values if it could not be read, or was taken */
};

static void read_ahead(const struct page *p, struct page_ahead *a)
{
    FREED char *path = a->name ? text_format("%s/%s", p->of->folder, a->name) : NULL;
    if (path) raster_read(&a->r, path, 0, NULL); /* page_raster() reads again, and reports errors */
}

void page_read_ahead(struct page *p, const char *const *name, int count, int threads)
{
    p->ahead = calloc((size_t)count, sizeof *p->ahead);
    if (!p->ahead) return;
    p->ahead_count = count;
    for (int i = 0; i < count; i++) p->ahead[i].name = text_format("%s", name[i]);
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int i = 0; i < count; i++) read_ahead(p, &p->ahead[i]);
}

void page_drop_ahead(struct page *p)
{
    for (int i = 0; i < p->ahead_count; i++) {
        raster_free(&p->ahead[i].r);
        free(p->ahead[i].name);
    }
    free(p->ahead);
    p->ahead = NULL;
    p->ahead_count = 0;
}

/* Reads a layer, or takes the layer that was read ahead. */
static int take_layer(struct page *p, const char *name, const char *path, struct raster *r,
                      struct error *e)
{
    for (int i = 0; i < p->ahead_count; i++) {
        struct page_ahead *a = &p->ahead[i];
        if (!a->name || !a->r.value || strcmp(a->name, name)) continue;
        *r = a->r;
        a->r = (struct raster){0};
        return 0;
    }
    return raster_read(r, path, 0, e);
}

int page_raster(struct page *p, const char *name, struct raster *r, struct error *e)
{
    *r = (struct raster){0};
    FREED char *path = text_format("%s/%s", p->of->folder, name);
    if (!path) return error_memory(e);
    int status = take_layer(p, name, path, r, e);
    if (!status && !p->rows) {
        p->rows = r->rows;
        p->cols = r->cols;
        p->geo = r->geo;
    } else if (!status) {
        const struct raster others = {.rows = p->rows, .cols = p->cols, .geo = p->geo};
        status = raster_move(r, path, &others, "the grid of this folder", e);
    }
    if (status) raster_free(r);
    return status;
}

/* Finds the least and the largest value; NaN: there are no values. */
static void find_ends(const double *value, size_t count, double *least, double *most)
{
    *least = *most = NAN;
    for (size_t i = 0; i < count; i++) {
        *least = fmin(*least, value[i]); /* fmin() and fmax() ignore NaN */
        *most = fmax(*most, value[i]);
    }
}

double page_most(const struct raster *r)
{
    double least, most;
    find_ends(r->value, (size_t)r->rows * (size_t)r->cols, &least, &most);
    return most;
}

/* ---- entries of facts.arrays ----------------------------------------------------------------- */

/* Adds an entry for the array that begins at the present end of the bytes. */
static cJSON *add_array(struct page *p, const char *form, double count, int *number)
{
    cJSON *o = cJSON_CreateObject();
    if (number) *number = cJSON_GetArraySize(p->arrays);
    cJSON_AddItemToArray(p->arrays, o);
    cJSON_AddStringToObject(o, "form", form);
    json_add_numbers(o, {"at", p->bytes.size}, {"count", count});
    return o;
}

static void add_scale(cJSON *o, struct pack_scale s)
{
    json_add_numbers(o, {"base", s.base}, {"unit", s.unit});
}

/* ---- cells ----------------------------------------------------------------------------------- */

static size_t count_cells(const struct raster *r, int every)
{
    size_t count = 0;
    for (int row = every / 2; row < r->rows; row += every)
        for (int col = every / 2; col < r->cols; col += every)
            count += !isnan(r->value[(size_t)row * (size_t)r->cols + (size_t)col]);
    return count;
}

static int list_cells(struct page_cells *c, const struct raster *r, struct error *e)
{
    c->every = 1;
    while ((c->count = count_cells(r, c->every)) > PAGE_CELLS_MOST) c->every++;
    if (!(c->at = malloc((c->count + 1) * sizeof *c->at))) return error_memory(e);
    c->count = 0;
    for (int row = c->every / 2; row < r->rows; row += c->every)
        for (int col = c->every / 2; col < r->cols; col += c->every) {
            const size_t i = (size_t)row * (size_t)r->cols + (size_t)col;
            if (isnan(r->value[i])) continue;
            c->at[c->count++] = (uint32_t)i;
            window_add(&c->box, row / c->every, col / c->every);
        }
    return 0;
}

int page_take_cells(struct page *p, const struct raster *r, struct error *e)
{
    struct page_cells *c = &p->cells;
    int status = list_cells(c, r, e);
    if (status) return status;
    const size_t count = window_cells(c->box);
    FREED unsigned char *set = calloc(count + 1, 1);
    if (!set) return error_memory(e);
    for (size_t i = 0; i < c->count; i++) {
        const int row = (int)(c->at[i] / (uint32_t)r->cols) / c->every - c->box.row0;
        const int col = (int)(c->at[i] % (uint32_t)r->cols) / c->every - c->box.col0;
        set[(size_t)row * (size_t)c->box.cols + (size_t)col] = 1;
    }
    int number;
    add_array(p, "bits", (double)count, &number);
    status = pack_bits(&p->bytes, set, count, e);
    cJSON *o = cJSON_AddObjectToObject(p->facts, "cells");
    json_add_numbers(o, {"every", c->every}, {"row0", c->box.row0}, {"col0", c->box.col0},
                     {"rows", c->box.rows}, {"cols", c->box.cols}, {"count", c->count},
                     {"mask", number});
    return status;
}

int page_add_cells(struct page *p, const double *value, struct pack_scale scale,
                   struct page_state *last, int *array, struct error *e)
{
    const struct page_cells *c = &p->cells;
    const uint16_t *before = last ? last->quanta : NULL;
    uint16_t *packed = malloc((c->count + 1) * sizeof *packed);
    if (!packed) return error_memory(e);
    for (size_t i = 0; i < c->count; i++) packed[i] = pack_quantum(scale, value[c->at[i]]);
    cJSON *o = add_array(p, "list", (double)c->count, array);
    add_scale(o, scale);
    if (before) cJSON_AddNumberToObject(o, "before", last->array);
    const int status = pack_list(&p->bytes, packed, before, c->count, e);
    free(last ? last->quanta : packed);
    if (last) *last = (struct page_state){*array, packed};
    return status;
}

cJSON *page_add_layer(struct page *p, const char *name, const char *kind, const char *unit,
                      const char *label, int array)
{
    cJSON *o = json_add_object(p->layers);
    json_add_texts(o, {"name", name}, {"kind", kind}, {"unit", unit});
    cJSON_AddItemToObject(o, "label", json_words(label));
    cJSON_AddNumberToObject(o, "array", array);
    return o;
}

/* ---- terrain --------------------------------------------------------------------------------- */

/* The mean of the cells of a block that have a value. */
static double block_mean(const struct page *p, const double *ground_m, int every, int row, int col)
{
    double sum = 0;
    int count = 0;
    for (int y = row * every; y < (row + 1) * every && y < p->rows; y++)
        for (int x = col * every; x < (col + 1) * every && x < p->cols; x++) {
            const double z = ground_m[(size_t)y * (size_t)p->cols + (size_t)x];
            if (isnan(z)) continue;
            sum += z;
            count++;
        }
    return count ? sum / count : (double)NAN;
}

static int add_terrain(struct page *p, const double *ground_m, int every, struct pack_scale scale,
                       struct error *e)
{
    const int rows = (p->rows + every - 1) / every, cols = (p->cols + every - 1) / every;
    FREED uint16_t *packed = malloc((size_t)rows * (size_t)cols * sizeof *packed);
    if (!packed) return error_memory(e);
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++)
            packed[(size_t)row * (size_t)cols + (size_t)col] =
                pack_quantum(scale, block_mean(p, ground_m, every, row, col));
    int number;
    cJSON *a = add_array(p, "grid", (double)rows * cols, &number);
    cJSON_AddNumberToObject(a, "cols", cols);
    add_scale(a, scale);
    int status = pack_grid(&p->bytes, packed, rows, cols, e);
    cJSON *o = cJSON_AddObjectToObject(p->facts, "terrain");
    json_add_numbers(o, {"every", every}, {"rows", rows}, {"cols", cols}, {"array", number});
    return status;
}

int page_add_ground(struct page *p, const double *ground_m, struct error *e)
{
    int every = 1;
    while ((int64_t)((p->rows + every - 1) / every) * ((p->cols + every - 1) / every) >
           PAGE_GROUND_MOST)
        every++;
    double least, most;
    find_ends(ground_m, (size_t)p->rows * (size_t)p->cols, &least, &most);
    /* the finest difference of heights: a power of ten, at most 0.1 m, and at most a hundredth of a cell's size.
     * Shading does not show smaller differences */
    const double finest_m = pow(10, fmin(-1, floor(log10(p->geo.cell_m / 100) + 1e-9)));
    const struct pack_scale scale = pack_scale(least, most, finest_m);
    int status = add_terrain(p, ground_m, every, scale, e);
    if (status || every == 1) return status;
    int array = 0;
    status = page_add_cells(p, ground_m, scale, NULL, &array, e);
    cJSON_AddNumberToObject(cJSON_GetObjectItem(p->facts, "cells"), "ground", array);
    return status;
}

/* ---- the record ------------------------------------------------------------------------------ */

int page_check_site(const struct page *p, struct error *e)
{
    const struct report_page *s = p->site;
    const struct raster there = {.rows = s->rows, .cols = s->cols, .geo = s->geo},
                        here = {.rows = p->rows, .cols = p->cols, .geo = p->geo};
    int row0 = 0, col0 = 0;
    const bool known = !s->elevation_m || raster_offset(&there, &here, &row0, &col0);
    if (known && !row0 && !col0 && s->rows == p->rows && s->cols == p->cols) return 0;
    return error_input(
        e, "%s: " RECORD_FILE " has another grid than the layers; make the results again",
        p->of->folder);
}

int page_add_outline(struct page *p, struct error *e)
{
    const struct report_fit *f = p->site->fit;
    const size_t count = (size_t)p->rows * (size_t)p->cols;
    int number;
    if (!p->site->outline) return 0;
    cJSON *fit = f ? cJSON_AddObjectToObject(p->facts, "fit") : NULL;
    if (fit)
        json_add_numbers(fit, {"jaccard", f->jaccard}, {"hits", f->hits}, {"misses", f->misses},
                         {"false_alarms", f->false_alarms});
    add_array(p, "bits", (double)count, &number);
    cJSON_AddNumberToObject(p->facts, "outline", number);
    return pack_bits(&p->bytes, p->site->outline, count, e);
}

void page_add_places(struct page *p)
{
    page_background(p->facts, &p->geo, p->rows, p->site->background);
    if (!p->site->place_count) return;
    cJSON *list = cJSON_AddArrayToObject(p->facts, "assets");
    for (int i = 0; i < p->site->place_count && i < PAGE_ROWS_MOST; i++)
        page_shape(list, &p->geo, p->rows, &p->site->places[i]);
}
