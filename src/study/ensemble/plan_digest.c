/* plan_digest.c — one number for everything that decides members and statistics. Keys count as they
 * are written; vents, outlines and places as the bytes of their files; other tables and grids as
 * numbers. Names and places of files do not count. */
#include "plan.h"

#include "terrain/noise.h"
#include "text/textfile.h"
#include "text/times.h"

#include <stdlib.h>
#include <string.h>

static uint64_t of_bytes(uint64_t hash, const void *data, size_t size)
{
    const char *byte = data;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, byte + i, size - i < 8 ? size - i : 8);
        hash = noise_hash(hash, (int64_t)word, 0, 0);
    }
    return noise_hash(hash, (int64_t)size, 1, 0);
}

static uint64_t of_text(uint64_t hash, const char *text)
{
    return of_bytes(hash, text, strlen(text));
}

/* Keys without an effect on members, and names of files, which count by their content. */
static bool is_apart(const char *key)
{
    struct key k;
    for (int i = 0; schemas[i]; i++)
        if (schema_find(schemas[i], key, &k)) return k.apart;
    return false;
}

/* In whatever order they stand. */
static uint64_t of_keys(const struct plan *p)
{
    const struct keyvalues *k = &p->settings.lines;
    uint64_t sum = 0;
    bool any_date = false;
    for (int i = 0; i < k->count; i++) {
        if (is_apart(k->item[i].key)) continue;
        sum += of_text(of_text(2, k->item[i].key), k->item[i].value);
        any_date = any_date || times_has_date(k->item[i].value);
    }
    if (any_date) sum += of_text(of_text(2, "start_time"), p->base.start_time);
    if (p->settings.parameter_set) /* of numbers that another version may change */
        sum += of_bytes(8, &p->settings.params, PARAMETERS * sizeof(double));
    if (p->keys.dem_length_m > 0) /* likewise */
        sum += of_bytes(9, &p->keys.terrain_error_m, sizeof(double)) +
               of_bytes(10, &p->keys.terrain_error_length_m, sizeof(double));
    return sum;
}

static uint64_t of_grid(uint64_t hash, const struct plan *p, const double *value)
{
    const struct problem *q = &p->base.problem;
    const size_t cells = (size_t)q->rows * (size_t)q->cols;
    return value ? of_bytes(hash, value, cells * sizeof *value) : noise_hash(hash, 0, 2, 0);
}

static uint64_t of_series(uint64_t hash, const struct rate_series *c)
{
    for (int i = 0; i < c->count; i++) {
        const struct rate_series_interval *k = &c->interval[i];
        hash = noise_hash(hash, k->id, 3, 0);
        const double number[] = {k->from_s, k->to_s, k->rate_m3_s};
        hash = of_bytes(hash, number, sizeof number);
    }
    return noise_hash(hash, c->count, 4, 0);
}

struct of_file {
    uint64_t hash;
    int status;
    struct error *e;
};

static void add_file(void *self, const char *path)
{
    struct of_file *f = self;
    char *data;
    size_t size;
    if (!f->status) f->status = textfile_load(&data, &size, path, f->e);
    if (f->status) return;
    f->hash = of_bytes(f->hash, data, size);
    free(data);
}

/* All that are read with it, and the layer. */
static int of_file(uint64_t *hash, const char *path, struct error *e)
{
    struct of_file f = {*hash, 0, e};
    if (!path) {
        *hash = noise_hash(*hash, 0, 5, 0);
        return 0;
    }
    char *file = vectors_file_of(path);
    if (!file || !vectors_each_file(path, add_file, &f)) f.status = error_memory(e);
    else if (!f.status) f.status = textfile_check_regular(file, "a file", e);
    if (file && strcmp(file, path)) f.hash = of_text(f.hash, path + strlen(file));
    free(file);
    *hash = f.hash;
    return f.status;
}

/* Own shapes and rates are files that tables name. */
static uint64_t of_eruptions(uint64_t hash, const struct plan *p)
{
    hash = of_series(of_series(hash, &p->rates), &p->shape);
    for (int i = 0; i < p->classes.choice.count; i++)
        hash = of_series(hash, &p->classes.item[i].series);
    for (int i = 0; i < p->table.rates_count; i++) hash = of_series(hash, &p->table.rates[i]);
    for (int i = 0; i < p->sources.point_count; i++) {
        const struct vent_point *v = &p->sources.point[i];
        const double number[] = {v->at.right, v->at.up, v->weight};
        hash = of_bytes(noise_hash(hash, v->id, 6, 0), number, sizeof number);
    }
    return hash;
}

static uint64_t of_rows(uint64_t hash, const struct member_table *t)
{
    if (!t->count) return noise_hash(hash, 0, 5, 0);
    for (int i = 0; i < t->count; i++) {
        const struct table_row *r = &t->row[i];
        const double place[] = {r->x, r->y, r->stop_mobile_m};
        hash = noise_hash(hash, (int64_t)r->weight, r->vent, 9);
        hash = noise_hash(hash, r->class, r->rates, 10);
        hash = noise_hash(hash, r->terrain_seed, r->max_steps, 11);
        hash = of_bytes(of_bytes(hash, place, sizeof place), r->value, sizeof r->value);
    }
    return noise_hash(hash, t->count, 12, 0);
}

/* What places in another CRS were brought to: with another `crs` they lie elsewhere. */
static uint64_t of_way(uint64_t hash, const struct vectors_about *a)
{
    return *a->projected_to ? of_text(hash, a->projected_to) : hash;
}

int plan_compute_digest(struct plan *p, struct error *e)
{
    const struct georef *g = &p->base.geo;
    const double place[] = {g->west_m, g->south_m, g->cell_m, p->base.problem.rows,
                            p->base.problem.cols};
    uint64_t hash = of_bytes(of_keys(p), place, sizeof place);
    hash = of_grid(hash, p, p->base.elevation_m);
    hash = of_grid(hash, p, p->base.thickness_m);
    hash = of_grid(hash, p, p->base.temp_K);
    hash = of_grid(hash, p, p->base.solid_m);
    if (p->base.sea) hash = of_bytes(hash, &p->base.sea_level_m, sizeof p->base.sea_level_m);
    hash = of_eruptions(hash, p);
    for (int i = 0; i < p->classes.choice.count; i++) {
        const struct eruption_class *c = &p->classes.item[i];
        const double number[] = {c->volume_m3, c->duration_s, p->classes.choice.share[i]};
        hash = of_bytes(of_text(hash, c->name), number, sizeof number);
    }
    for (int i = 0; i < p->correlation.count; i++)
        hash = of_bytes(noise_hash(hash, p->correlation.variable[i], 7, 0), p->correlation.root[i],
                        sizeof p->correlation.root[i]);
    int status = of_file(&hash, p->settings.vents ? p->files.vents : NULL, e);
    hash = of_rows(hash, &p->table);
    hash = of_way(of_way(hash, &p->vents.about), &p->base.outline_about);
    hash = of_way(hash, &p->assets_about);
    if (!status) status = of_file(&hash, p->base.outline_path, e);
    if (!status) status = of_file(&hash, p->assets, e);
    p->digest = hash;
    return status;
}
