#include "record_fields.h"

#include "map_background.h"
#include "report_page.h"

#include "isochrones/isochrones.h"
#include "text/grow.h"
#include "text/words.h"

#include <cJSON.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ------------------------------------------------------------------------------------ */

static void *keep(struct record_io *io, void *data)
{
    if (data && APPEND(io->to->owned, io->to->count, data)) return data;
    free(data);
    if (!io->status) io->status = error_memory(io->e);
    return NULL;
}

static void *room_for(struct record_io *io, size_t count, size_t size)
{
    return io->status ? NULL : keep(io, calloc(count + 1, size));
}

static void refuse(struct record_io *io, const char *field)
{
    if (!io->status)
        io->status = error_input(
            io->e, "%s: %s in " RECORD_FILE " has an impossible value; make the results again",
            io->name, field);
}

/* Refuses a record with a value that painters cannot use. Any program may have made the record. */
static void demand(struct record_io *io, bool good, const char *field)
{
    if (io->reading && !good) refuse(io, field);
}

/* A member of the object io->o. NULL: the member is missing, and the field keeps its default. */
static const cJSON *find_field(struct record_io *io, const char *name)
{
    return io->status ? NULL : cJSON_GetObjectItemCaseSensitive(io->o, name);
}

/* A list of the object io->o. NULL: the member is missing, or it is not a list. */
static const cJSON *find_list(struct record_io *io, const char *name)
{
    const cJSON *list = find_field(io, name);
    demand(io, !list || cJSON_IsArray(list), name);
    return io->status ? NULL : list;
}

/* A number with all its digits. cJSON_CreateNumber() would omit some digits. */
static cJSON *number_of(double v)
{
    char text[32];
    if (!isfinite(v)) return cJSON_CreateNull();
    snprintf(text, sizeof text, "%.17g", v);
    return cJSON_CreateRaw(text);
}

/* The number of an item, also of an item that number_of() made; NaN: not a number. */
static double real_of(const cJSON *item)
{
    if (cJSON_IsNumber(item)) return item->valuedouble;
    return cJSON_IsRaw(item) ? strtod(item->valuestring, NULL) : (double)NAN;
}

static void io_real(struct record_io *io, const char *name, double *v)
{
    if (!io->reading) {
        if (*v != 0) cJSON_AddItemToObject(io->o, name, number_of(*v));
        return;
    }
    const cJSON *item = find_field(io, name);
    const double value = item ? real_of(item) : 0;
    if (!isfinite(value)) refuse(io, name);
    *v = isfinite(value) ? value : 0;
}

static void io_int(struct record_io *io, const char *name, int *v)
{
    double value = *v;
    io_real(io, name, &value);
    if (!io->reading) return;
    if (!(value >= -1e9 && value <= 1e9 && value == floor(value))) refuse(io, name), value = 0;
    *v = (int)value;
}

static void io_bool(struct record_io *io, const char *name, bool *v)
{
    int value = *v;
    io_int(io, name, &value);
    demand(io, value == 0 || value == 1, name);
    *v = value != 0;
}

static void io_text(struct record_io *io, const char *name, const char **text)
{
    if (!io->reading) {
        if (*text) cJSON_AddStringToObject(io->o, name, *text);
        return;
    }
    const cJSON *item = find_field(io, name);
    *text = NULL;
    if (item && !cJSON_IsString(item)) refuse(io, name);
    else if (item) *text = keep(io, strdup(item->valuestring));
}

struct field {
    const char *name;
    const char **text; /* only one of these pointers is set, and points to the value */
    double *real;
    int *whole;
    bool *flag;
};

static void io_field_list(struct record_io *io, const struct field *f)
{
    for (; f->name; f++) {
        if (f->text) io_text(io, f->name, f->text);
        if (f->real) io_real(io, f->name, f->real);
        if (f->whole) io_int(io, f->name, f->whole);
        if (f->flag) io_bool(io, f->name, f->flag);
    }
}

#define TEXT(name, value)  ((struct field){name, .text = &(value)})
#define REAL(name, value)  ((struct field){name, .real = &(value)})
#define WHOLE(name, value) ((struct field){name, .whole = &(value)})
#define FLAG(name, value)  ((struct field){name, .flag = &(value)})
/* Reads or writes members in the order of the arguments: io_fields(io, TEXT("title", a->title), REAL("low", a->low)). */
#define io_fields(io, ...) io_field_list(io, (const struct field[]){__VA_ARGS__, {.name = NULL}})

static void io_language(struct record_io *io, const char **language)
{
    io_text(io, "language", language);
    demand(io, !*language || words_is_language(*language), "language");
}

/* Reads or writes a list of numbers, in which NaN is null. */
static void io_reals(struct record_io *io, const char *name, const double **v, int *count)
{
    if (!io->reading) {
        cJSON *list = *v ? cJSON_AddArrayToObject(io->o, name) : NULL;
        for (int i = 0; list && i < *count; i++) cJSON_AddItemToArray(list, number_of((*v)[i]));
        return;
    }
    const cJSON *item, *list = find_list(io, name);
    *v = NULL;
    if (!list) return;
    *count = cJSON_GetArraySize(list);
    double *value = room_for(io, (size_t)*count, sizeof *value);
    *v = value;
    cJSON_ArrayForEach (item, list) {
        demand(io, cJSON_IsNull(item) || isfinite(real_of(item)), name);
        if (value) *value++ = real_of(item);
    }
}

/* Reads or writes a known count of numbers. */
static void io_reals_of(struct record_io *io, const char *name, const double **v, int count)
{
    int there = count;
    io_reals(io, name, v, &there);
    if (io->reading && *v && there != count) refuse(io, name), *v = NULL;
}

/* Reads or writes whole numbers, each >= 0 and below `end`. */
static void io_ints(struct record_io *io, const char *name, const int **v, int *count, int end)
{
    const bool writes = !io->reading && (*v || !*count);
    FREED double *out = writes ? calloc((size_t)*count + 1, sizeof *out) : NULL;
    const double *real = out;
    if (writes && !out) io->status = error_memory(io->e);
    for (int i = 0; out && i < *count; i++) out[i] = (*v)[i];
    io_reals(io, name, &real, count);
    if (!io->reading) return;
    int *room = real ? room_for(io, (size_t)*count, sizeof *room) : NULL;
    for (int i = 0; room && i < *count; i++) {
        const bool good = real[i] >= 0 && real[i] < end && real[i] == floor(real[i]);
        demand(io, good, name);
        room[i] = good ? (int)real[i] : 0;
    }
    *v = room;
}

/* The largest coordinate of a place that is accepted, in the unit of its CRS. */
static const double COORDINATE_MOST = 1e9;

typedef void io_item(struct record_io *io, void *item);

/* Reads or writes a list of structures. `items` is the address of the pointer to the first structure. */
static void io_list(struct record_io *io, const char *name, void *items, int *count, size_t size,
                    io_item *one)
{
    struct record_io inner = *io;
    char *first;
    memcpy(&first, items, sizeof first);
    if (!io->reading) {
        cJSON *list = *count ? cJSON_AddArrayToObject(io->o, name) : NULL;
        for (int i = 0; list && i < *count && !inner.status; i++) {
            inner.o = cJSON_CreateObject();
            cJSON_AddItemToArray(list, inner.o);
            one(&inner, first + (size_t)i * size);
        }
    } else {
        const cJSON *list = find_list(io, name);
        inner.status = io->status;
        *count = list ? cJSON_GetArraySize(list) : 0;
        first = *count ? room_for(&inner, (size_t)*count, size) : NULL;
        inner.o = list ? list->child : NULL;
        for (int i = 0; first && i < *count && !inner.status; i++, inner.o = inner.o->next) {
            demand(&inner, cJSON_IsObject(inner.o), name);
            one(&inner, first + (size_t)i * size);
        }
        memcpy(items, &first, sizeof first);
    }
    io->status = inner.status;
}

/* Reads or writes a structure that may be missing. `item` is the address of the pointer to the structure. */
static void io_one(struct record_io *io, const char *name, void *item, size_t size, io_item *one)
{
    void *there;
    memcpy(&there, item, sizeof there);
    int count = there != NULL;
    io_list(io, name, item, &count, size, one);
}

static void io_texts(struct record_io *io, const char *name, const char *const **text, int count)
{
    if (!io->reading) {
        cJSON *list = *text ? cJSON_AddArrayToObject(io->o, name) : NULL;
        for (int i = 0; list && i < count; i++)
            cJSON_AddItemToArray(list,
                                 (*text)[i] ? cJSON_CreateString((*text)[i]) : cJSON_CreateNull());
        return;
    }
    const cJSON *item, *list = find_list(io, name);
    *text = NULL;
    if (!list) return;
    const char **room = room_for(io, (size_t)count, sizeof *room);
    int i = 0;
    if (cJSON_GetArraySize(list) != count) refuse(io, name);
    cJSON_ArrayForEach (item, list) {
        demand(io, cJSON_IsString(item) || cJSON_IsNull(item), name);
        if (!io->status && i < count)
            room[i++] = cJSON_IsString(item) ? keep(io, strdup(item->valuestring)) : NULL;
    }
    *text = room;
}

/* ---- diagrams ---------------------------------------------------------------------------------- */

static void io_axis(struct record_io *io, void *item)
{
    struct plot_axis *a = item;
    io_fields(io, TEXT("title", a->title), REAL("low", a->low), REAL("high", a->high));
}

static void io_series(struct record_io *io, void *item)
{
    struct plot_series *s = item;
    int kind = (int)s->kind;
    io_text(io, "label", &s->label);
    io_reals(io, "x", &s->x, &s->count);
    io_reals_of(io, "y", &s->y, s->count);
    io_reals_of(io, "low", &s->low, s->count);
    io_reals_of(io, "high", &s->high, s->count);
    io_texts(io, "point", &s->point, s->count);
    io_int(io, "kind", &kind);
    s->kind = kind;
    demand(io, !s->count || (s->x && s->y), "series");
    demand(io, kind >= PLOT_LINE && kind <= PLOT_STEPS && !s->low == !s->high, "kind");
}

static void io_plot(struct record_io *io, void *item)
{
    struct plot *p = item;
    struct plot_axis axis[2] = {p->x, p->y}, *axes = axis;
    int count = 2;
    io_fields(io, TEXT("title", p->title), TEXT("subtitle", p->subtitle), TEXT("note", p->note),
              TEXT("by", p->by), TEXT("warning", p->warning));
    io_list(io, "axes", &axes, &count, sizeof *axes, io_axis);
    demand(io, count == 2, "axes");
    if (io->reading && count == 2 && axes) p->x = axes[0], p->y = axes[1];
    io_fields(io, FLAG("log_x", p->log_x), FLAG("log_y", p->log_y));
    demand(io, p->x.low < p->x.high && p->y.low < p->y.high, "axes");
    demand(io, (!p->log_x || p->x.low > 0) && (!p->log_y || p->y.low > 0), "axes");
    io_text(io, "diagonal", &p->diagonal);
    io_list(io, "series", &p->series, &p->count, sizeof *p->series, io_series);
    demand(io, p->count >= 1 && p->count <= COLOURS_DISTINCT, "series");
}

static void io_chart(struct record_io *io, void *item)
{
    struct chart *c = item;
    io_fields(io, TEXT("title", c->title), TEXT("subtitle", c->subtitle), TEXT("unit", c->unit),
              TEXT("note", c->note), TEXT("by", c->by), TEXT("warning", c->warning));
    io_reals(io, "value", &c->value, &c->count);
    io_reals_of(io, "low", &c->lo, c->count);
    io_reals_of(io, "high", &c->hi, c->count);
    io_texts(io, "label", &c->label, c->count);
    io_int(io, "groups", &c->group_count);
    io_texts(io, "group_label", &c->group_label, c->group_count);
    int grouped = c->count;
    io_ints(io, "group", &c->group, &grouped, COLOURS_DISTINCT);
    demand(io, grouped == c->count, "group");
    demand(io, c->count >= 1 && c->label && c->value && !c->lo == !c->hi, "value");
    demand(io,
           c->group_count >= 0 && c->group_count <= COLOURS_DISTINCT &&
               (!c->group_count || c->group_label),
           "groups");
}

static void io_corner_axis(struct record_io *io, void *item)
{
    struct corner_axis *a = item;
    const char *const *tick = (const char *const *)a->tick;
    const double *mark = a->mark;
    io_fields(io, TEXT("title", a->title), TEXT("head", a->head));
    io_texts(io, "tick", &tick, CORNER_TICKS);
    io_reals_of(io, "mark", &mark, 3);
    if (!io->reading || !tick || !mark) return;
    for (int i = 0; i < CORNER_TICKS; i++) a->tick[i] = tick[i];
    memcpy(a->mark, mark, sizeof a->mark);
}

static void io_corner(struct record_io *io, void *item)
{
    struct corner *q = item;
    io_fields(io, TEXT("title", q->title), TEXT("subtitle", q->subtitle), TEXT("note", q->note),
              TEXT("by", q->by), TEXT("warning", q->warning));
    io_list(io, "axes", &q->axis, &q->count, sizeof *q->axis, io_corner_axis);
    io_reals(io, "weight", &q->weight, &q->points);
    demand(io, q->count >= 1 && q->count <= CORNER_AXES_MAX && q->points < 1 << 24, "axes");
    if (io->status) return;
    io_reals_of(io, "at", &q->at, q->points * q->count);
    demand(io, q->at && q->weight, "at");
    /* These numbers are between 0 and 1, apart from rounding. */
    for (int i = 0; io->reading && !io->status && i < q->points * q->count; i++)
        demand(io, q->at[i] > -1 && q->at[i] < 2, "at");
    for (int i = 0; io->reading && !io->status && i < q->points; i++)
        demand(io, q->weight[i] >= 0 && q->weight[i] < 2, "weight");
}

/* ---- maps -------------------------------------------------------------------------------------- */

static void io_class(struct record_io *io, void *item)
{
    struct map_class *c = item;
    char text[8];
    const char *colour = colours_text(text, c->rgb);
    unsigned rgb = 0;
    io_fields(io, TEXT("colour", colour), TEXT("label", c->label), REAL("upper", c->upper));
    if (!io->reading) return;
    if (!colour || sscanf(colour, "#%6x", &rgb) != 1) refuse(io, "colour");
    c->rgb =
        (struct rgb){(unsigned char)(rgb >> 16), (unsigned char)(rgb >> 8), (unsigned char)rgb};
}

/* Reads or writes positions as x, y, x, y, ... */
static void io_positions(struct record_io *io, const double (**xy)[2], int count)
{
    const double *flat = *xy ? **xy : NULL;
    io_reals_of(io, "xy", &flat, 2 * count);
    if (io->reading) *xy = (const double(*)[2])flat;
    if (io->reading && count && !flat) refuse(io, "xy");
    for (int i = 0; io->reading && !io->status && i < 2 * count; i++)
        demand(io, fabs(flat[i]) < COORDINATE_MOST, "xy");
}

static void io_place(struct record_io *io, void *item)
{
    struct map_place *p = item;
    int kind = (int)p->kind, count = 0;
    io_fields(io, WHOLE("kind", kind), TEXT("label", p->label));
    io_ints(io, "parts", &p->part_size, &p->parts, 1000000);
    p->kind = kind;
    demand(io, kind >= MAP_POINT && kind <= MAP_AREA && p->label && p->part_size, "kind");
    for (int i = 0; p->part_size && i < p->parts && count < 1 << 28; i++) count += p->part_size[i];
    demand(io, count < 1 << 28, "parts");
    io_positions(io, &p->xy, count);
}

static void io_background_feature(struct record_io *io, void *item)
{
    struct background_feature *f = item;
    const char *name = background_looks[f->kind].name;
    int kind = 0;
    io_text(io, "look", &name);
    while (name && kind < BACKGROUND_KINDS && strcmp(background_looks[kind].name, name) != 0)
        kind++;
    demand(io, name && kind < BACKGROUND_KINDS, "look");
    if (!io->status) f->kind = (enum background_kind)kind;
    io_place(io, &f->shape);
}

static void io_background_features(struct record_io *io, struct map_background *b)
{
    io_list(io, "background", &b->feature, &b->count, sizeof *b->feature, io_background_feature);
}

void record_put_background(struct record_io *io, const struct map_background *b)
{
    struct map_background copy = *b;
    io_background_features(io, &copy);
}

/* The record has the background once. A picture only states whether it shows the background. */
static void io_background(struct record_io *io, const struct map_background **b)
{
    bool there = *b != NULL;
    io_bool(io, "background", &there);
    if (!io->reading) return;
    demand(io, !there || io->background, "background");
    struct map_background *room = there ? room_for(io, 1, sizeof *room) : NULL;
    struct record_io inner = *io;
    inner.o = io->background;
    if (room) io_background_features(&inner, room);
    io->status = inner.status;
    *b = room;
}

static void io_path(struct record_io *io, void *item)
{
    struct isochrone_path *p = item;
    const double(*xy)[2] = (const double(*)[2])p->xy;
    io_fields(io, WHOLE("count", p->count), FLAG("closed", p->closed));
    demand(io, p->count >= 0 && p->count < 1 << 28, "count");
    if (io->status) return;
    io_positions(io, &xy, p->count);
    if (io->reading) p->xy = (double(*)[2])(size_t)xy;
}

static void io_front(struct record_io *io, void *item)
{
    struct isochrone *f = item;
    io_real(io, "time_h", &f->time_h);
    io_list(io, "lines", &f->line, &f->line_count, sizeof *f->line, io_path);
}

static void io_fronts(struct record_io *io, void *item)
{
    struct isochrones *f = item;
    io_list(io, "at", &f->at, &f->count, sizeof *f->at, io_front);
    demand(io, f->count <= ISOCHRONES_LEVELS, "fronts");
}

static void io_window(struct record_io *io, const struct map *m, struct window *w)
{
    io_fields(io, WHOLE("crop_row0", w->row0), WHOLE("crop_col0", w->col0),
              WHOLE("crop_rows", w->rows), WHOLE("crop_cols", w->cols));
    demand(io,
           w->row0 >= 0 && w->col0 >= 0 && w->rows >= 0 && w->cols >= 0 &&
               w->row0 <= m->rows - w->rows && w->col0 <= m->cols - w->cols,
           "crop_rows");
}

/* Stores a grid, takes over its values, and writes the name of its file. */
static void put_grid(struct record_io *io, const char *kind, const struct record_grid *grid)
{
    struct record_grid taken = *grid;
    FREED char *name = NULL;
    if (io->status) free(taken.value);
    else io->status = io->put(io->record, &name, kind, &taken, io->e);
    if (!io->status) cJSON_AddStringToObject(io->o, kind, name);
}

/* The values of the grid of this kind; NULL: the picture has no such grid. */
static const float *get_grid(struct record_io *io, const char *kind, struct record_grid *grid)
{
    const cJSON *item = find_field(io, kind);
    bool owned = false;
    grid->value = NULL;
    if (!item) return NULL;
    if (!cJSON_IsString(item)) refuse(io, kind);
    if (!io->status) io->status = io->get(io->record, item->valuestring, grid, &owned, io->e);
    if (io->status) return NULL;
    return owned ? keep(io, grid->value) : grid->value;
}

/* Lists the sequences of equal nonzero numbers in a mask: first cell, length, number, first cell, length, number,
 * ... */
static double *runs_of(const unsigned char *mask, size_t cells, int *count)
{
    double *run = NULL;
    *count = 0;
    for (size_t i = 0, end; i < cells; i = end) {
        for (end = i + 1; end < cells && mask[end] == mask[i];) end++;
        if (!mask[i]) continue;
        const double three[] = {(double)i, (double)(end - i), mask[i]};
        for (int k = 0; k < 3; k++)
            if (!APPEND(run, *count, three[k])) {
                free(run);
                *count = 1; /* NULL with a count above 0: out of memory */
                return NULL;
            }
    }
    return run;
}

static void io_mask(struct record_io *io, const char *name, int rows, int cols,
                    const unsigned char **mask)
{
    const size_t cells = (size_t)rows * (size_t)cols;
    int count = 0;
    if (!io->reading) {
        FREED double *run = *mask && !io->status ? runs_of(*mask, cells, &count) : NULL;
        const double none[1] = {0}, *of = run ? run : none;
        if (*mask && count && !run) io->status = error_memory(io->e);
        if (*mask && !io->status) io_reals(io, name, &of, &count);
        return;
    }
    const double *run;
    io_reals(io, name, &run, &count);
    *mask = NULL;
    if (io->status || !find_field(io, name)) return;
    unsigned char *room = room_for(io, cells, 1);
    for (int i = 0; room && i + 3 <= count; i += 3) {
        const bool good = run[i] >= 0 && run[i + 1] >= 0 && run[i] + run[i + 1] <= (double)cells &&
                          run[i + 2] >= 1 && run[i + 2] <= 255;
        demand(io, good, name);
        if (good) memset(room + (size_t)run[i], (int)run[i + 2], (size_t)run[i + 1]);
    }
    *mask = room;
}

static bool is_size(int rows, int cols)
{
    return rows >= 1 && cols >= 1 && (int64_t)rows * cols <= INT32_MAX;
}

static float *floats_for(struct record_io *io, int rows, int cols)
{
    float *room = malloc((size_t)rows * (size_t)cols * sizeof *room);
    if (!room && !io->status) io->status = error_memory(io->e);
    return room;
}

/* Splits a row of the terrain: `before` gets the elevations before the run, `raised` the present elevations where they
 * differ. */
static void take_terrain(const struct map *m, const double *now, size_t first, float *before,
                         float *raised)
{
    for (size_t col = 0; col < (size_t)m->cols; col++) {
        const float is = (float)now[col], was = m->ground_m ? (float)m->ground_m[first + col] : is;
        const bool same = is == was || isnan(is); /* NaN is not shown, so `was` is not needed */
        before[first + col] = isnan(is) ? is : was;
        raised[first + col] = same ? (float)NAN : is;
    }
}

static void put_cells(struct record_io *io, const struct map *m)
{
    const size_t cols = (size_t)m->cols;
    struct record_grid terrain = {m->geo, m->rows, m->cols, floats_for(io, m->rows, m->cols)},
                       raised = terrain, value = terrain;
    raised.value = floats_for(io, m->rows, m->cols);
    value.value = floats_for(io, m->rows, m->cols);
    FREED double *room = malloc(2 * cols * sizeof *room);
    if (!room && !io->status) io->status = error_memory(io->e);
    for (int row = 0; row < m->rows && !io->status; row++) {
        const struct map_cells c = map_cells(m, row, room);
        const size_t first = (size_t)row * cols;
        take_terrain(m, c.elevation_m, first, terrain.value, raised.value);
        for (size_t col = 0; col < cols; col++) value.value[first + col] = (float)c.value[col];
    }
    put_grid(io, "terrain", &terrain);
    if (m->ground_m && !io->bare) put_grid(io, "raised", &raised);
    else free(raised.value);
    if (io->bare) free(value.value);
    else put_grid(io, "value", &value);
}

static double *reals_of(struct record_io *io, const float *value, size_t count)
{
    double *out = value ? room_for(io, count, sizeof *out) : NULL;
    for (size_t i = 0; out && i < count; i++) out[i] = value[i];
    return out;
}

/* The cells of a map, in the grids of a record. */
struct cells {
    size_t cols;
    const float *terrain, *raised, *value; /* raised NULL: no elevation has changed */
};

static void show_cells(const void *cells, int row, double *elevation_m, double *value)
{
    const struct cells *c = cells;
    const size_t first = (size_t)row * c->cols;
    for (size_t col = 0; col < c->cols; col++) {
        const bool changed = c->raised && !isnan(c->raised[first + col]);
        elevation_m[col] = (changed ? c->raised : c->terrain)[first + col];
        value[col] = c->value[first + col];
    }
}

static void get_cells(struct record_io *io, struct map *m)
{
    struct record_grid grid = {.rows = m->rows, .cols = m->cols};
    struct cells *c = room_for(io, 1, sizeof *c);
    if (!c) return;
    c->cols = (size_t)m->cols;
    c->raised = io->bare ? NULL : get_grid(io, "raised", &grid);
    c->value = io->bare ? NULL : get_grid(io, "value", &grid);
    c->terrain = get_grid(io, "terrain", &grid);
    if (!c->terrain || (!c->value && !io->bare)) refuse(io, "value");
    m->geo = grid.geo;
    if (io->bare) m->elevation_m = reals_of(io, c->terrain, (size_t)m->rows * (size_t)m->cols);
    if (io->bare) return;
    m->row = show_cells;
    m->row_of = c;
}

static void put_reals(struct record_io *io, const char *kind, const struct georef *geo, int rows,
                      int cols, const double *value)
{
    const struct record_grid grid = {*geo, rows, cols, floats_for(io, rows, cols)};
    for (size_t i = 0; grid.value && i < (size_t)rows * (size_t)cols; i++)
        grid.value[i] = (float)value[i];
    put_grid(io, kind, &grid);
}

static void io_around(struct record_io *io, void *item)
{
    struct map_around *a = item;
    io_fields(io, WHOLE("domain_rows", a->domain_rows), WHOLE("domain_cols", a->domain_cols),
              WHOLE("row0", a->row0), WHOLE("col0", a->col0), WHOLE("every", a->every),
              WHOLE("rows", a->rows), WHOLE("cols", a->cols));
    demand(io,
           is_size(a->rows, a->cols) && is_size(a->domain_rows, a->domain_cols) && a->every >= 1 &&
               a->row0 >= 0 && a->col0 >= 0,
           "around");
    if (io->status) return;
    if (!io->reading) {
        const struct georef geo = {.cell_m = a->every};
        put_reals(io, "terrain", &geo, a->rows, a->cols, a->elevation_m);
        put_reals(io, "value", &geo, a->rows, a->cols, a->value);
        io_mask(io, "sea", a->rows, a->cols, &a->sea);
        return;
    }
    struct record_grid grid = {.rows = a->rows, .cols = a->cols};
    const size_t cells = (size_t)a->rows * (size_t)a->cols;
    a->elevation_m = reals_of(io, get_grid(io, "terrain", &grid), cells);
    a->value = reals_of(io, get_grid(io, "value", &grid), cells);
    if (!a->elevation_m || !a->value) refuse(io, "around");
    io_mask(io, "sea", a->rows, a->cols, &a->sea);
}

static void io_map(struct record_io *io, void *item)
{
    struct map *m = item;
    int kind = (int)m->kind, colours = (int)m->colours;
    io_fields(io, WHOLE("rows", m->rows), WHOLE("cols", m->cols));
    demand(io, is_size(m->rows, m->cols), "rows");
    if (io->status) return;
    io_fields(io, WHOLE("kind", kind), WHOLE("colours", colours));
    io_list(io, "classes", &m->classes, &m->class_count, sizeof *m->classes, io_class);
    demand(io, m->class_count < 1000, "classes");
    io_fields(io, TEXT("title", m->title), TEXT("subtitle", m->subtitle),
              TEXT("quantity", m->quantity), TEXT("unit", m->unit), TEXT("note", m->note),
              TEXT("alert", m->alert), TEXT("of", m->of), TEXT("stamp", m->stamp),
              TEXT("room_subtitle", m->room_subtitle), TEXT("room_alert", m->room_alert),
              TEXT("warning", m->warning), TEXT("vent_name", m->mark_name));
    io_language(io, &m->language);
    io_bool(io, "vents_small", &m->mark_small);
    io_list(io, "places", &m->places, &m->place_count, sizeof *m->places, io_place);
    io_background(io, &m->background);
    io_list(io, "barriers", &m->barriers, &m->barrier_count, sizeof *m->barriers, io_place);
    io_one(io, "fronts", &m->fronts, sizeof *m->fronts, io_fronts);
    io_fields(io, REAL("scale_low", m->scale_low), REAL("scale_high", m->scale_high));
    io_window(io, m, &m->crop);
    io_fields(io, REAL("width_in", m->paper.width_in), REAL("height_in", m->paper.height_in),
              REAL("dpi", m->paper.dpi));
    demand(io, !map_paper_check(&m->paper, NULL), "dpi");
    demand(io, kind == MAP_CLASSES || kind == MAP_SEQUENTIAL, "kind");
    demand(io, colours >= COLOURS_LAVA && colours < COLOURS_SCALES, "colours");
    io_one(io, "around", &m->around, sizeof *m->around, io_around);
    if (io->reading) {
        m->kind = (enum map_kind)kind;
        m->colours = (enum colours)colours;
        get_cells(io, m);
    } else if (!io->status) {
        put_cells(io, m);
    }
    io_mask(io, "vents", m->rows, m->cols, &m->mark);
    io_mask(io, "outline", m->rows, m->cols, &m->outline);
    io_mask(io, "sea", m->rows, m->cols, &m->sea);
    io_mask(io, "reached", m->rows, m->cols, &m->reached);
}

/* ---- pages of text ----------------------------------------------------------------------------- */

static void io_line(struct record_io *io, void *item)
{
    struct text_page_line *l = item;
    int kind = (int)l->kind, where = (int)l->where;
    const char *const *cell = (const char *const *)l->cell;
    io_fields(io, WHOLE("kind", kind), WHOLE("where", where));
    io_texts(io, "cells", &cell, TEXT_PAGE_CELLS);
    if (!io->reading) return;
    demand(io, kind >= 0 && kind <= TEXT_PAGE_PICTURES && cell, "kind");
    demand(io, where >= 0 && where <= TEXT_PAGE_ON_SCREEN, "where");
    l->kind = (enum text_page_kind)kind;
    l->where = (enum text_page_where)where;
    for (int i = 0; i < TEXT_PAGE_CELLS && !io->status; i++) l->cell[i] = (char *)(size_t)cell[i];
}

static void io_page(struct record_io *io, void *item)
{
    struct text_page *p = item;
    io_text(io, "title", &p->title);
    io_language(io, &p->language);
    io_list(io, "lines", &p->line, &p->count, sizeof *p->line, io_line);
    io_real(io, "dpi", &p->dpi);
    demand(io, !map_paper_check(&(struct map_paper){0, 0, p->dpi}, NULL), "dpi");
    io_one(io, "map", &p->map, sizeof *p->map, io_map);
    if (io->reading) io->to->map = (struct map *)(size_t)p->map;
}

/* ---- animations -------------------------------------------------------------------------------- */

static void io_frame(struct record_io *io, void *item)
{
    struct frame *f = item;
    io_fields(io, TEXT("subtitle", f->subtitle), TEXT("alert", f->alert), TEXT("note", f->note));
}

static void io_frames(struct record_io *io, void *item)
{
    struct frames *f = item;
    io->bare = true;
    io_one(io, "map", &f->map, sizeof *f->map, io_map);
    io->bare = false;
    io_list(io, "frames", &f->frame, &f->count, sizeof *f->frame, io_frame);
    demand(io, f->map && f->count >= 1 && f->count <= 1000, "frames");
    if (!io->reading || io->status) return;
    io->to->map = (struct map *)(size_t)f->map;
    io->status = io->get_frames(io->to, io->record, f, io->e);
}

/* ---- report.html ------------------------------------------------------------------------------- */

static void io_fit(struct record_io *io, void *item)
{
    struct report_fit *f = item;
    io_fields(io, REAL("jaccard", f->jaccard), REAL("hits", f->hits), REAL("misses", f->misses),
              REAL("false_alarms", f->false_alarms));
}

static void io_report_terrain(struct record_io *io, struct report_page *p)
{
    struct record_grid grid = {.rows = p->rows, .cols = p->cols};
    if (io->reading) {
        const float *terrain = get_grid(io, "terrain", &grid);
        p->elevation_m = reals_of(io, terrain, (size_t)p->rows * (size_t)p->cols);
        p->geo = grid.geo;
    } else if (p->elevation_m && !io->status) {
        put_reals(io, "terrain", &p->geo, p->rows, p->cols, p->elevation_m);
    }
}

static void io_report(struct record_io *io, void *item)
{
    struct report_page *p = item;
    int numbers = 2 * p->vent_count;
    io_fields(io, WHOLE("rows", p->rows), WHOLE("cols", p->cols));
    demand(io, is_size(p->rows, p->cols), "rows");
    io_list(io, "places", &p->places, &p->place_count, sizeof *p->places, io_place);
    io_background(io, &p->background);
    io_reals(io, "vents", &p->vent, &numbers);
    if (io->reading) p->vent_count = p->vent ? numbers / 2 : 0;
    demand(io, numbers % 2 == 0 && p->vent_count <= REPORT_VENTS_MOST, "vents");
    io_fields(io, FLAG("vents_possible", p->possible), REAL("arrival_bin_h", p->arrival_bin_h),
              TEXT("start_time", p->start_time), TEXT("stamp", p->stamp),
              TEXT("caveat", p->caveat));
    io_language(io, &p->language);
    io_one(io, "fit", &p->fit, sizeof *p->fit, io_fit);
    if (io->status) return;
    io_report_terrain(io, p);
    io_mask(io, "outline", p->rows, p->cols, &p->outline);
}

/* ---- layers ------------------------------------------------------------------------------------- */

static bool is_file(const char *name)
{
    return name && *name && *name != '.' && !strchr(name, '/') && strlen(name) <= 200;
}

static void io_kind(struct record_io *io, void *item)
{
    struct layer_quantity *k = item;
    struct legend *l = &k->legend;
    int use = (int)k->use, colours = (int)l->colours;
    io_fields(io, TEXT("name", k->name), TEXT("about", k->about), WHOLE("use", use),
              TEXT("scale_of", k->scale_of));
    io_list(io, "classes", &l->classes, &l->count, sizeof *l->classes, io_class);
    io_fields(io, WHOLE("colours", colours), REAL("low", l->low), REAL("high", l->high),
              REAL("zero", l->zero), TEXT("unit", l->unit));
    demand(io, is_file(k->name) && k->about && l->unit, "name");
    demand(io, use >= LAYER_LAST && use <= LAYER_STYLED, "use");
    demand(io, colours >= COLOURS_LAVA && colours < COLOURS_SCALES, "colours");
    demand(io, l->count < COLOUR_STEPS - 1, "classes");
    k->use = (enum layer_use)use;
    l->colours = (enum colours)colours;
    for (int i = 0; i < l->count && io->reading && !io->status; i++) {
        if (!l->classes[i].label) refuse(io, "label");
        demand(io, l->classes[i].upper > (i ? l->classes[i - 1].upper : l->low), "classes");
    }
}

static void io_time(struct record_io *io, void *item)
{
    struct layer_time *t = item;
    const char *stamp = t->stamp;
    io_fields(io, TEXT("stamp", stamp), REAL("time_s", t->time_s));
    demand(io, stamp && strlen(stamp) < LAYER_STAMP && (!*stamp || is_file(stamp)), "stamp");
    if (io->reading && !io->status) memcpy(t->stamp, stamp, strlen(stamp) + 1);
}

static void io_vent(struct record_io *io, void *item)
{
    struct layer_vent *v = item;
    io_fields(io, REAL("x", v->x), REAL("y", v->y), WHOLE("id", v->id), WHOLE("cells", v->cells));
    demand(io, fabs(v->x) < COORDINATE_MOST && fabs(v->y) < COORDINATE_MOST, "vents");
}

static void io_layers(struct record_io *io, void *item)
{
    struct layer_set *s = item;
    io_fields(io, TEXT("title", s->title), TEXT("software", s->software), TEXT("of", s->of),
              TEXT("terrain_source", s->terrain), TEXT("start_time", s->start_time));
    io_language(io, &s->language);
    io_fields(io, REAL("least", s->least), REAL("step_h", s->step_h));
    io_list(io, "layers", &s->kind, &s->kinds, sizeof *s->kind, io_kind);
    io_list(io, "times", &s->time, &s->times, sizeof *s->time, io_time);
    io_text(io, "vent_name", &s->vent_name);
    io_list(io, "vents", &s->vent, &s->vents, sizeof *s->vent, io_vent);
    io_background(io, &s->background);
    io_fields(io, WHOLE("rows", s->rows), WHOLE("cols", s->cols));
    demand(io, s->title && s->software && s->of, "software");
    demand(io, s->kinds >= 1, "layers");
    demand(io, s->times >= 1, "times");
    demand(io, !s->vents || s->vent_name, "vent_name");
    demand(io, is_size(s->rows, s->cols), "rows");
    if (!io->status) io_mask(io, "outline", s->rows, s->cols, &s->outline);
}

/* ---- any scene --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    size_t size;
    io_item *item; /* NULL: the scene is a list of diagrams */
    bool language; /* the scene has the language; false: the structure has it */
} kinds[] = {[SCENE_MAP] = {"map", sizeof(struct map), io_map, false},
             [SCENE_PLOTS] = {"plots", sizeof(struct plot), NULL, true},
             [SCENE_CHART] = {"bars", sizeof(struct chart), io_chart, true},
             [SCENE_CORNER] = {"corner", sizeof(struct corner), io_corner, true},
             [SCENE_PAGE] = {"page", sizeof(struct text_page), io_page, false},
             [SCENE_FRAMES] = {"frames", sizeof(struct frames), io_frames, false},
             [SCENE_REPORT] = {"report", sizeof(struct report_page), io_report, false},
             [SCENE_LAYERS] = {"layers", sizeof(struct layer_set), io_layers, false}};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *record_kind_name(enum scene_kind kind)
{
    return kinds[kind].name;
}

static bool find_kind(struct record_io *io, struct scene *s)
{
    const char *name = kinds[s->kind].name;
    io_text(io, "kind_of_picture", &name);
    for (int i = 0; i < KINDS && name && !io->status; i++)
        if (!strcmp(kinds[i].name, name)) {
            s->kind = (enum scene_kind)i;
            return true;
        }
    refuse(io, "kind_of_picture");
    return false;
}

const struct map_background *record_background_of(const struct scene *s)
{
    const struct map *m = NULL;
    if (s->kind == SCENE_MAP) m = s->of;
    if (s->kind == SCENE_PAGE) m = ((const struct text_page *)s->of)->map;
    if (s->kind == SCENE_FRAMES) m = ((const struct frames *)s->of)->map;
    if (s->kind == SCENE_REPORT) return ((const struct report_page *)s->of)->background;
    if (s->kind == SCENE_LAYERS) return ((const struct layer_set *)s->of)->background;
    return m ? m->background : NULL;
}

void record_io_scene(struct record_io *io, struct scene *s)
{
    void *of = (void *)(size_t)s->of;
    if (!find_kind(io, s)) return;
    io_item *const item = kinds[s->kind].item;
    if (io->reading && item) of = room_for(io, 1, kinds[s->kind].size);
    if (io->status) return;
    if (kinds[s->kind].language) io_language(io, &s->language);
    if (item) {
        item(io, of);
        if (io->reading && s->kind == SCENE_MAP) io->to->map = of;
    } else {
        io_list(io, "plots", &of, &s->plots, kinds[s->kind].size, io_plot);
        demand(io, s->plots >= 1 && s->plots <= PLOTS_MOST, "plots");
    }
    s->of = of;
}
