#include "summary.h"

#include "made_by.h"

#include "case/barriers.h"
#include "case/changes.h"
#include "case/resolution.h"
#include "record/json_number.h"
#include "text/textfile.h"
#include "text/words.h"

#include <cJSON.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void output_list_parameters(cJSON *root, const char *name, const struct params *p)
{
    cJSON *o = cJSON_AddObjectToObject(root, name);
    for (int i = 0; i < PARAMETERS; i++)
        cJSON_AddNumberToObject(o, params_table[i].name, params_value(p, &params_table[i]));
}

void output_list_amount(cJSON *ledger, const char *name, quanta q, double area_m2)
{
    cJSON *o = cJSON_AddObjectToObject(ledger, name);
    json_add_quanta(o, "quanta", q);
    json_add_numbers(o, {"m", quanta_m(q)}, {"m3", quanta_m(q) * area_m2});
}

void output_list_resolution(cJSON *root, const struct sim_case *c)
{
    const double clock_s = resolution_clock_s(c);
    if (c->parameter_set) cJSON_AddStringToObject(root, "parameter_set", c->parameter_set);
    if (!(c->calibrated_cell_m > 0)) return;
    cJSON *o = cJSON_AddObjectToObject(root, "resolution");
    cJSON_AddNumberToObject(o, "calibrated_cell_m", c->calibrated_cell_m);
    if (c->calibrated_clock_s > 0)
        cJSON_AddNumberToObject(o, "calibrated_clock_s", c->calibrated_clock_s);
    cJSON_AddNumberToObject(o, "Pcool_scaled", c->problem.params.cooling);
    if (c->unscaled_clock_s > 0) cJSON_AddNumberToObject(o, "Pclock_unscaled", c->unscaled_clock_s);
    if (clock_s > 0) cJSON_AddNumberToObject(o, "Pclock_proposed", clock_s);
}

void output_list_plan(cJSON *root, const struct sim_case *base, const char *known,
                      const char *assets, uint64_t digest)
{
    cJSON *o = cJSON_AddObjectToObject(root, "plan");
    json_add_texts(o, {"name", base->name}, {"title", *base->title ? base->title : base->name},
                   {"path", base->path}, {"terrain", base->terrain_source});
    cJSON_AddBoolToObject(o, "synthetic_terrain", base->synthetic);
    json_add_given(o, {"notice", base->told.notice}, {"warning", base->told.warning},
                   {"known_exactly", known}, {"outline", base->outline_path}, {"assets", assets});
    json_add_hex(o, "digest", digest);
}

void output_list_warnings(cJSON *root, const struct warnings *w)
{
    cJSON *list = cJSON_AddArrayToObject(root, "warnings");
    char text[WARNING_TEXT], remedy[WARNING_TEXT];
    for (int i = 0; i < w->count; i++) {
        const struct warning *x = &w->of[i];
        cJSON *o = json_add_object(list);
        json_add_given(o, {"kind", warning_kinds[x->kind]},
                       {"text", warnings_part(w, i, x->text, text)},
                       {"remedy", warnings_part(w, i, x->remedy, remedy)});
        if (strpbrk(warnings_packed(w, i, text), WORDS_NEXT))
            cJSON_AddItemToObject(o, "said", json_words(warnings_packed(w, i, text)));
    }
}

static void list_extent(cJSON *root, const struct sim_case *c, const struct output_folder *f)
{
    const struct window w = f ? f->extent : (struct window){0};
    if (!w.rows || (w.rows == c->problem.rows && w.cols == c->problem.cols)) return;
    cJSON *o = cJSON_AddObjectToObject(root, "extent");
    json_add_numbers(o, {"row", w.row0}, {"col", w.col0}, {"rows", w.rows}, {"cols", w.cols});
}

void output_list_grid(cJSON *root, const struct sim_case *c, const struct output_folder *f)
{
    char code[24];
    cJSON *o = cJSON_AddObjectToObject(root, "grid");
    json_add_numbers(o, {"rows", c->problem.rows}, {"cols", c->problem.cols},
                     {"cell_m", c->geo.cell_m}, {"west_m", c->geo.west_m},
                     {"south_m", c->geo.south_m});
    snprintf(code, sizeof code, "EPSG:%d", c->geo.crs.epsg);
    if (c->geo.crs.epsg) cJSON_AddStringToObject(o, "crs", code);
    else cJSON_AddNullToObject(o, "crs");
    cJSON_AddStringToObject(o, "crs_name", c->geo.crs.name);
    list_extent(root, c, f);
    output_list_resolution(root, c);
}

void output_list_changes(cJSON *root, const struct sim_case *c, int64_t end_step)
{
    cJSON *list = c->change_count ? cJSON_AddArrayToObject(root, "terrain_updates") : NULL;
    for (int i = 0; i < c->change_count; i++) {
        const struct change *x = &c->change[i];
        const int64_t step = change_step(x, &c->problem.params);
        cJSON *o = json_add_object(list);
        json_add_numbers(o, {"time_s", x->time_s}, {"after_step", step});
        cJSON_AddStringToObject(o, "file", x->path);
        if (x->elevation_m) cJSON_AddBoolToObject(o, "with_lava", x->with_lava);
        else cJSON_AddNumberToObject(o, "barrier_cells", (double)x->rules);
        if (end_step >= 0) cJSON_AddBoolToObject(o, "made", step < end_step);
    }
}

static void list_barrier(cJSON *list, const struct sim_case *c, const struct barrier *x)
{
    const double area_m2 = c->geo.cell_m * c->geo.cell_m;
    cJSON *o = json_add_object(list);
    cJSON_AddStringToObject(o, "name", x->name);
    json_add_numbers(o, {barrier_forms[x->form], x->value_m}, {"width_m", x->width_m},
                     {"stands_from_s", x->time_s}, {"length_m", x->length_m}, {"cells", x->cells},
                     {"fill_m3", quanta_m(x->raised) * area_m2},
                     {"excavation_m3", quanta_m(x->lowered) * area_m2});
}

void output_list_barriers(cJSON *root, const struct sim_case *c)
{
    const struct barriers *b = c->barriers;
    if (!b) return;
    cJSON *o = cJSON_AddObjectToObject(root, "barriers");
    cJSON_AddStringToObject(o, "file", b->path);
    cJSON *list = cJSON_AddArrayToObject(o, "items");
    for (int i = 0; i < b->count; i++) list_barrier(list, c, &b->item[i]);
    cJSON *first = cJSON_AddObjectToObject(o, "at_the_beginning");
    cJSON_AddNumberToObject(first, "cells", b->cells);
    output_list_amount(first, "fill", b->built.raised, c->geo.cell_m * c->geo.cell_m);
    output_list_amount(first, "excavation", b->built.lowered, c->geo.cell_m * c->geo.cell_m);
}

void output_list_sea(cJSON *root, const struct sim_case *c)
{
    if (!c->sea) return;
    cJSON *o = cJSON_AddObjectToObject(root, "sea");
    cJSON_AddNumberToObject(o, "level_m", c->sea_level_m);
    if (!c->tiles) cJSON_AddNumberToObject(o, "cells", (double)c->sea_cells);
}

/* Ranks pictures: the picture to look at first has the highest number. The order is the hazard of 50 years, the hazard of
 * the largest number of years, the forecast, the probability, the thickness at the last step, any other map. */
static double rank_of(const char *name)
{
    static const char *const first[] = {"map_hazard_50y.", "map_hazard_", "map_forecast.",
                                        "map_probability."};
    enum { FIRST = sizeof first / sizeof *first };
    for (int i = 0; i < FIRST; i++)
        if (!strncmp(name, first[i], strlen(first[i])))
            return FIRST - i + 3 - 1 / (1 + atof(name + strlen(first[i])));
    if (strncmp(name, "map_", strlen("map_")) != 0) return 0;
    return isdigit((unsigned char)name[strlen("map_")]) ? 2 : 1;
}

/* Adds the name of the picture with the highest rank as the first entry, "map", because a folder has many pictures. */
static void name_map(cJSON *root, const struct output_folder *f)
{
    const char *map = NULL;
    double best = 0;
    for (int i = 0; i < f->count; i++) {
        const double rank = rank_of(f->file[i].name);
        if (!text_ends(f->file[i].name, ".png") || rank < best || (rank == best && rank != 2))
            continue;
        best = rank;
        map = f->file[i].name;
    }
    if (!map) return;
    cJSON_AddStringToObject(root, "map", map);
    cJSON_InsertItemInArray(root, 0, cJSON_DetachItemFromObject(root, "map"));
}

char *output_finish_summary(cJSON *root, const struct output_info *info)
{
    if (info->by) made_by_put(root, info->by);
    if (info->folder) name_map(root, info->folder);
    if (info->folder) output_list_files(root, info->folder);
    return json_printed(root);
}
