/* case_file.c — turns a case file into a problem that a variant can compute. */
#include "case.h"

#include "assets.h"
#include "case_background.h"
#include "barriers.h"
#include "case_notes.h"
#include "case_terrain.h"
#include "case_tiles.h"
#include "changes.h"
#include "original_case.h"
#include "eruption/rates.h"
#include "resolution.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "eruption/vents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void case_files_free(struct case_files *f)
{
    RELEASE(f, f->dem, f->thickness, f->temperature, f->solidified, f->vents, f->rates, f->outline);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Checks the name of a case, which becomes the name of files and a title. */
static int set_name(struct sim_case *c, const char *name, int length, struct error *e)
{
    if (length < 1 || length >= (int)sizeof c->name)
        return error_input(e, "%s: the name of a case has 1 to %zu characters; rename the file",
                           c->path, sizeof c->name - 1);
    snprintf(c->name, sizeof c->name, "%.*s", length, name);
    if (!strcmp(c->name, ".") || !strcmp(c->name, ".."))
        return error_input(e,
                           "%s: '%s' is not a valid name of a case, because output/%s is an "
                           "existing folder; rename the file",
                           c->path, c->name, c->name);
    if (!scan_printable(c->name))
        return error_input(
            e, "%s: the name of a case has to be UTF-8 without control characters; rename the file",
            c->path);
    return 0;
}

static int name_from_file(struct sim_case *c, struct error *e)
{
    const char *name = path_name(c->path);
    size_t n = strlen(name);
    if (text_ends(name, ".cfg")) n -= 4;
    return set_name(c, name, n > 1000 ? 1000 : (int)n, e);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Refuses keys that only a case with a DEM may have: an original case finds its files by their names. */
static int refuse_new_keys(const struct settings *s, const char *path, struct error *e)
{
    static const char *const keys[] = {"vents",      "rates",    "thickness",    "temperature",
                                       "solidified", "emission", "vent_radius_m"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (settings_line(s, keys[i]))
            return error_line(
                e, path, settings_line(s, keys[i]),
                "%s: an original case has no such key: it reads files NAME_*.asc, and applies "
                "rates at the end of each step; remove the line, or add a line 'dem FILE'",
                keys[i]);
    if (settings_line(s, "first_step"))
        return error_input(e,
                           "%s: first_step: an original case gives this number by the 12 digits of "
                           "its name; remove the line",
                           path);
    return 0;
}

static int check_emission(const struct settings *s, const char *path, struct error *e)
{
    if (s->vents && !s->rates)
        return error_line(e, path, settings_line(s, "vents"),
                          "vents without rates; add a line such as 'rates rates.csv'");
    if (s->rates && !s->vents)
        return error_line(e, path, settings_line(s, "rates"),
                          "rates without vents; add a line such as 'vents vents.csv'");
    if (!s->vents && !s->thickness)
        return error_input(e,
                           "%s: no lava: keys vents and rates are missing; add lines such as "
                           "'vents vents.csv' and 'rates rates.csv'",
                           path);
    return 0;
}

/* Checks that no file is missing. A plan may have vents and rates of its own. */
static int check_files(const struct settings *s, bool plan, const char *path, struct error *e)
{
    if (!s->dem)
        return error_input(e, "%s: key dem is missing; add a line such as 'dem terrain.tif'", path);
    if (s->temperature && !s->thickness)
        return error_line(e, path, settings_line(s, "temperature"),
                          "temperature of initial lava without its thickness; add a line such as "
                          "'thickness thickness.tif'");
    return plan ? 0 : check_emission(s, path, e);
}

/* Returns the script that fetches the files of an example, malloc'ed; NULL: there is none. The script for
 * data/NAME.cfg is tools/fetch-NAME, next to the folder data, in the repository and in an installed sciara. */
static char *find_fetcher(const struct sim_case *c)
{
    FREED char *name = text_format("../tools/fetch-%s", c->name);
    char *beside = name ? path_beside(c->path, name) : NULL;
    if (beside && access(beside, X_OK)) {
        free(beside);
        beside = NULL;
    }
    return beside;
}

/* Finds the file that a key names, which has to exist. If `value` is NULL, *out stays NULL. */
static int find_file(char **out, const struct sim_case *c, const struct settings *s,
                     const char *key, const char *value, struct error *e)
{
    if (!value) return 0;
    if (!(*out = path_beside(c->path, value))) return error_memory(e);
    FREED char *file = vectors_file_of(*out);
    if (!file) return error_memory(e);
    if (access(file, F_OK) == 0) return 0;
    FREED char *fetcher = find_fetcher(c);
    error_line(e, c->path, settings_line(s, key), "there is no file %s; %s%s", *out,
               fetcher ? "fetch it with " : "correct the name (relative to this file), or fetch it",
               fetcher ? fetcher : "");
    return e->code;
}

static int find_files(struct case_files *f, const struct settings *s, const struct sim_case *c,
                      bool plan, struct error *e)
{
    if (s->outline && !(f->outline = path_beside(c->path, s->outline))) return error_memory(e);
    if (c->original) {
        int status = refuse_new_keys(s, c->path, e);
        return status ? status : original_case_files(f, c->path, e);
    }
    const struct {
        const char *key, *value;
        char **path;
    } files[] = {{"dem", s->dem, &f->dem},
                 {"vents", s->vents, &f->vents},
                 {"rates", s->rates, &f->rates},
                 {"thickness", s->thickness, &f->thickness},
                 {"temperature", s->temperature, &f->temperature},
                 {"solidified", s->solidified, &f->solidified}};
    int status = check_files(s, plan, c->path, e);
    for (size_t i = 0; i < sizeof files / sizeof *files && !status; i++)
        status = find_file(files[i].path, c, s, files[i].key, files[i].value, e);
    return status;
}

/* Keeps the path of the outline. Checks the file now, since it is used only after the last step. If a synthetic terrain
 * replaces a real one, a missing outline only gives a warning. */
static int keep_outline(struct sim_case *c, struct case_files *f, int line, struct error *e)
{
    if (!f->outline) return 0;
    FREED char *file = vectors_file_of(f->outline);
    const bool there = file && access(file, R_OK) == 0;
    if (!file) return error_memory(e);
    int status = there ? textfile_check_regular(file, "a raster or a vector file", e) : 0;
    if (status) return status;
    if (there) {
        c->outline_path = f->outline;
        f->outline = NULL;
        return case_check_outline(c, c->outline_path, &c->outline_about, e);
    }
    if (c->synthetic) {
        warnings_say(&c->told, WARNING_INPUT,
                     "no outline: %.400s cannot be read; check the name, or remove the line",
                     f->outline);
        return 0;
    }
    return error_line(e, c->path, line,
                      "the outline %s cannot be read; check the name, or remove the line",
                      f->outline);
}

/* ---- vents ----------------------------------------------------------------------------------- */

static int read_vents(struct sim_case *c, struct case_files *f, struct file_progress *progress,
                      struct error *e)
{
    struct file_stamp was = {0};
    FREED char *file = vectors_file_of(f->vents);
    if (!file) return error_memory(e);
    file_stamp_of(&was, file);
    const struct vent_ground ground = {c->problem.rows, c->problem.cols,    &c->geo,
                                       c->elevation_m,  c->problem.terrain, c->sea};
    FREED_BY(vents_free) struct vent_sites sites = {0};
    FREED_BY(rates_free) struct rate_lists rates = {0};
    double clock_s = c->problem.params.clock_s;
    int status = c->original ? vents_read_raster(&sites, f->vents, f->dem, &ground, c->unrounded,
                                                 progress, e)
                             : vents_read(&sites, f->vents, &ground, e);
    if (!status)
        status = c->original ? rates_read_original(&rates, f->rates, clock_s, e)
                             : rates_read(&rates, f->rates, clock_s, c->start_time, e);
    if (!status) status = case_emission(c, &sites, &rates, e);
    if (!status) case_note_vectors(c, &sites.about, f->vents);
    c->vents_about = sites.about;
    c->vents_about.stamp = was;
    c->vents_path = f->vents;
    f->vents = NULL;
    return status;
}

/* ---- the whole case -------------------------------------------------------------------------- */

static void copy_settings(struct sim_case *c, const struct settings *s)
{
    struct problem *p = &c->problem;
    p->params = s->params;
    c->calibrated_cell_m = s->calibrated_cell_m;
    c->calibrated_clock_s = s->calibrated_clock_s;
    c->parameter_set = s->parameter_set;
    p->reduce_every = s->reduce_every;
    p->stop_mobile_m = s->stop_mobile_m;
    p->stop_when_still = s->stop_mobile_m > 0;
    if (!c->original) p->first_step = s->first_step;
    c->emission = c->unrounded                           ? EMISSION_UNROUNDED
                  : c->original || s->emission_published ? EMISSION_PUBLISHED
                                                         : EMISSION_INTEGRAL;
    c->vent_radius_m = s->vent_radius_m;
    c->max_steps = s->max_steps;
    c->snapshot_every = s->snapshot_every;
    c->words.max_steps = s->max_steps;
    c->words.snapshot_every = s->snapshot_every;
    c->words.stop_mobile_m = s->stop_mobile_m;
    c->display = s->display;
    snprintf(c->display.note, sizeof c->display.note, "%s", s->map_note ? s->map_note : "");
    snprintf(c->start_time, sizeof c->start_time, "%s", s->start_time);
    snprintf(c->title, sizeof c->title, "%s", s->title ? s->title : c->name);
}

/* A case with the name of an original case is an original case, unless it names a DEM. */
static int set_kind(struct sim_case *c, const struct settings *s, struct error *e)
{
    const char *name;
    int length;
    int64_t step;
    c->original = !s->dem && original_case(c->path, &step, &name, &length);
    if (!c->original) return name_from_file(c, e);
    c->problem.first_step = step;
    return set_name(c, name, length, e);
}

static int read_assets(struct sim_case *c, const char *name, struct error *e)
{
    const struct problem *p = &c->problem;
    const char *path = c->assets_path = path_beside(c->path, name);
    c->assets = calloc(1, sizeof *c->assets);
    if (!path || !c->assets) return error_memory(e);
    case_note_input(c, path);
    int status = assets_read(c->assets, path, p->rows, p->cols, &c->geo, e);
    if (!status) case_note_vectors(c, &c->assets->about, path);
    return status;
}

/* Loads a case without its vents and rates. `more`: keys of a plan, else NULL. */
static int load_ground(struct sim_case *c, struct settings *s, struct case_files *f,
                       const char *path, const struct schema_values *more,
                       struct file_progress *progress, struct error *e)
{
    if (!(c->path = text_format("%s", path))) return error_memory(e);
    int status = settings_read(s, path, more, e);
    if (!status) status = set_kind(c, s, e);
    if (!status && more && c->original)
        status = error_input(
            e, "%s: an original case cannot be a plan; name a dem, vents and rates", path);
    if (!status) status = find_files(f, s, c, more != NULL, e);
    if (status) return status;
    const char *const paths[] = {c->path,       f->dem,   f->thickness, f->temperature,
                                 f->solidified, f->vents, f->rates,     f->outline};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (paths[i]) case_note_input(c, paths[i]);
    copy_settings(c, s);
    status = case_terrain_read(c, f, s, !c->unrounded, progress, e);
    if (status) return status;
    resolution_scale_clock(c, s->parameter_set && !settings_line(s, "Pclock"));
    if (s->run_s > 0)
        c->max_steps = c->words.max_steps =
            rates_first_step(s->run_s, 1, c->problem.params.clock_s);
    status = changes_read(c, s, f->dem, progress, e);
    if (!status) status = barriers_read(c, s, e);
    if (!status) status = changes_sort(c, e);
    if (!status && s->assets) status = read_assets(c, s->assets, e);
    if (!status) status = case_background_read(c, s, e);
    if (status) return status;
    resolution_scale(c);
    resolution_warn(c);
    case_warn_celsius(c);
    return keep_outline(c, f, settings_line(s, "outline"), e);
}

int case_load_base(struct sim_case *c, struct settings *s, struct case_files *f, const char *path,
                   const struct schema_values *more, struct file_progress *progress,
                   struct error *e)
{
    *c = (struct sim_case){.whole_cells = CASE_WHOLE_CELLS, .tile_side = TILE_MAP_SIDE};
    *s = (struct settings){0};
    *f = (struct case_files){0};
    struct file_stamp was = {0};
    file_stamp_of(&was, path);
    int status = load_ground(c, s, f, path, more, progress, e);
    if (!status) {
        case_point(c);
        status = case_tiles_finish(c, e);
    }
    status = file_stamp_check_head(&was, path, status, e);
    if (!status) return 0;
    settings_free(s);
    case_files_free(f);
    case_free(c);
    return status;
}

static int load_case(struct sim_case *c, const char *path, struct file_progress *progress,
                     struct error *e)
{
    FREED_BY(settings_free) struct settings s = {0};
    FREED_BY(case_files_free) struct case_files f = {0};
    struct file_stamp was = {0};
    file_stamp_of(&was, path);
    int status = load_ground(c, &s, &f, path, NULL, progress, e);
    if (!status && f.vents) status = read_vents(c, &f, progress, e);
    if (!status) status = case_check_depth(c, e);
    if (!status) case_point(c);
    if (!status && c->assets) assets_find_bare(c->assets, &c->problem);
    if (!status) status = case_tiles_finish(c, e);
    status = file_stamp_check_head(&was, path, status, e);
    if (status) case_free(c);
    return status;
}

int case_load_watched(struct sim_case *c, const char *path, bool rounded,
                      struct file_progress *progress, struct error *e)
{
    *c = (struct sim_case){
        .unrounded = !rounded, .whole_cells = CASE_WHOLE_CELLS, .tile_side = TILE_MAP_SIDE};
    return load_case(c, path, progress, e);
}

int case_load_tiled(struct sim_case *c, const char *path, size_t whole, int side, struct error *e)
{
    *c = (struct sim_case){.whole_cells = whole, .tile_side = side};
    return load_case(c, path, NULL, e);
}

int case_load(struct sim_case *c, const char *path, struct error *e)
{
    return case_load_watched(c, path, true, NULL, e);
}
