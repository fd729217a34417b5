/* case_tiles.c — reads tiles of the terrain, of initial lava and of surveys into the arrays of a case. */
#include "case_tiles.h"

#include "barriers.h"
#include "case_terrain.h"
#include "changes.h"

#include "base/memory.h"
#include "text/grow.h"
#include "text/remedy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct case_tiles {
    struct terrain_source source;
    struct tile_map map;
    /* The case whose arrays are filled: during loading the case itself, later its copy `loaded`. */
    const struct sim_case *c;
    struct sim_case loaded;
    struct sim_case *doubting; /* gets warnings about the first tiles, then becomes NULL */
    struct case_layer dem;
    struct case_lava lava;
    double temp_K; /* temperature of initial lava if there is no layer of temperatures */
    /* for each tile of the map: whether it has initial lava; NULL: no tile has */
    unsigned char *with_lava;
    int survey_count;
    struct change *survey; /* surveys that apply from the first step on, in order of time */
};

/* ---- filling --------------------------------------------------------------------------------- */

static int fill_ground(struct case_tiles *t, struct window w, struct error *e)
{
    const struct sim_case *c = t->c;
    size_t land;
    int status = case_layer_elevation(&t->dem, c, w, c->elevation_m, e);
    if (status) return status;
    if (t->doubting)
        case_doubt_terrain(t->doubting, w, raster_head(t->dem.file)->bytes, t->dem.path);
    t->doubting = NULL;
    if (c->sea) case_sea_in(c, w, &land);
    for (int i = 0; i < t->survey_count && !status; i++) {
        const struct change *x = &t->survey[i];
        status = case_layer_elevation(&x->layer, c, w, x->elevation_m, e);
        if (!status) change_begin_in(c, x, w);
    }
    return status;
}

/* Fills the initial lava of a window, except its thickness, which read_thickness() has read. */
static int fill_lava(const struct case_tiles *t, struct window w, struct error *e)
{
    const struct sim_case *c = t->c;
    const struct case_lava *l = &t->lava;
    int status = c->solid_m ? case_layer_read(&l->solidified, c, w, c->solid_m, e) : 0;
    if (!status && l->temperature.file)
        status = case_layer_read(&l->temperature, c, w, c->temp_K, e);
    const struct case_lava_names names = {l->thickness.path, l->solidified.path,
                                          l->temperature.path};
    if (!status) status = case_lava_accept(c, &names, w, true, t->temp_K, e);
    return status ? status : case_check_depth_in(c, w, e);
}

static int fill_tiles(void *self, struct window w, struct error *e)
{
    struct case_tiles *t = self;
    const struct sim_case *c = t->c;
    int status = fill_ground(t, w, e);
    if (!status && c->barriers && c->barriers->bare_m) case_keep_bare(c, w);
    if (!status) status = fill_lava(t, w, e);
    for (int i = 0; i < c->change_count && !status; i++)
        if (c->change[i].layer.file)
            status = case_layer_elevation(&c->change[i].layer, c, w, c->change[i].elevation_m, e);
    return status;
}

static int read_window(void *self, struct window w, struct error *e)
{
    struct case_tiles *t = self;
    return tile_map_need(&t->map, w, fill_tiles, t, e);
}

/* ---- loading --------------------------------------------------------------------------------- */

int case_tiles_create(struct sim_case *c, struct case_layer *dem, struct error *e)
{
    struct case_tiles *t = c->tiles = calloc(1, sizeof *t);
    if (!t || !tile_map_create(&t->map, c->problem.rows, c->problem.cols, c->tile_side))
        return error_memory(e);
    t->source = (struct terrain_source){read_window, t};
    t->c = t->doubting = c;
    t->dem = *dem;
    *dem = (struct case_layer){0};
    c->problem.terrain = &t->source;
    c->elevation_m = case_array(c, sizeof *c->elevation_m);
    return c->elevation_m ? 0 : error_memory(e);
}

void case_tiles_free(struct case_tiles *t)
{
    if (!t) return;
    for (int i = 0; i < t->survey_count; i++) change_free(t->c, &t->survey[i]);
    free(t->survey);
    tile_map_free(&t->map);
    case_layer_close(&t->dem);
    case_lava_close(&t->lava);
    FREE_ALL(t->with_lava, t);
}

/* Reads the thickness on a row of tiles, and copies numbers other than 0 into the array of the case. */
static int read_row(struct case_tiles *t, int row, double *room, struct error *e)
{
    const struct sim_case *c = t->c;
    const struct tile_map *m = &t->map;
    const int row0 = row * m->side, rows = m->rows - row0 < m->side ? m->rows - row0 : m->side;
    const size_t cols = (size_t)m->cols, cells = (size_t)rows * cols;
    const struct raster_cells to = {{row0, 0, rows, m->cols}, room, cols};
    int status = raster_read_window(t->lava.thickness.file, &to, NULL, e);
    if (status) return status;
    raster_convert(&t->lava.thickness.unit, &to);
    for (size_t i = 0; i < cells; i++) {
        if (!(room[i] != 0) || isnan(room[i])) continue;
        c->thickness_m[(size_t)row0 * cols + i] = room[i];
        t->with_lava[(size_t)row * (size_t)m->across + i % cols / (size_t)m->side] = 1;
    }
    return 0;
}

static int read_thickness(struct case_tiles *t, struct error *e)
{
    const struct tile_map *m = &t->map;
    FREED double *room = malloc((size_t)m->side * (size_t)m->cols * sizeof *room);
    t->with_lava = calloc((size_t)m->down, (size_t)m->across);
    int status = room && t->with_lava ? 0 : error_memory(e);
    for (int row = 0; row < m->down && !status; row++) status = read_row(t, row, room, e);
    if (status) return status;
    /* Every tile with initial lava is computed, so all these tiles have to fit the memory. */
    const double gib = 1073741824.0, most = memory_available() / gib;
    double tiles = 0;
    for (int i = 0; i < t->map.down * t->map.across; i++) tiles += t->with_lava[i];
    const double need = tiles * t->map.side * t->map.side * RASTER_RUN_BYTES / gib;
    if (need <= most) return 0;
    return remedy_refuse(e, t->lava.thickness.path,
                         "%s: its lava needs about %.1f GiB of memory, but at most %.1f can be "
                         "used here; " REMEDY_CROP_OR_COARSEN,
                         t->lava.thickness.path, need, most);
}

int case_tiles_take_lava(struct sim_case *c, struct case_lava *l, double temp_K, struct error *e)
{
    struct case_tiles *t = c->tiles;
    t->lava = *l;
    t->temp_K = temp_K;
    *l = (struct case_lava){0};
    return c->thickness_m ? read_thickness(t, e) : 0;
}

int case_tiles_take_survey(struct sim_case *c, struct change *x, struct error *e)
{
    struct case_tiles *t = c->tiles;
    if (!APPEND(t->survey, t->survey_count, *x)) return error_memory(e);
    *x = (struct change){0};
    return 0;
}

void case_keep_bare(const struct sim_case *c, struct window w)
{
    for (int row = w.row0; row < w.row0 + w.rows; row++) {
        const size_t i = (size_t)row * (size_t)c->problem.cols + (size_t)w.col0;
        memcpy(c->barriers->bare_m + i, c->elevation_m + i, (size_t)w.cols * sizeof(double));
    }
}

static int keep_bare(void *self, struct window w, struct error *e)
{
    case_keep_bare(self, w);
    return 0;
}

void case_tiles_keep_bare(struct sim_case *c)
{
    tile_map_each(&c->tiles->map, keep_bare, c, NULL);
}

int case_tiles_finish(struct sim_case *c, struct error *e)
{
    struct case_tiles *t = c->tiles;
    if (!t) return 0;
    const struct tile_map *m = &t->map;
    int status = 0;
    for (int row = 0; row < m->down && t->with_lava; row++)
        for (int col = 0; col < m->across && !status; col++)
            if (t->with_lava[(size_t)row * (size_t)m->across + (size_t)col])
                status = tile_map_need(&t->map, (struct window){row * m->side, col * m->side, 1, 1},
                                       fill_tiles, t, e);
    /* Tiles are also read later, when the progress of loading has ended. */
    raster_forget_progress(t->dem.file);
    raster_forget_progress(t->lava.thickness.file);
    raster_forget_progress(t->lava.solidified.file);
    raster_forget_progress(t->lava.temperature.file);
    for (int i = 0; i < t->survey_count; i++) raster_forget_progress(t->survey[i].layer.file);
    for (int i = 0; i < c->change_count; i++) raster_forget_progress(c->change[i].layer.file);
    t->loaded = *c;
    t->c = &t->loaded;
    t->doubting = NULL;
    return status;
}
