/* answers.c — answers with the page, with the facts that it needs, and with tiles. */
#include "serve.h"

#include "base/processors.h"
#include "case/case_background.h"
#include "case/parameter_sets.h"
#include "compare/outline.h"
#include "products/summary.h"
#include "record/json_number.h"
#include "record/page_parts.h"
#include "record/page_texts.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTLINE_CELLS = 1 << 22 };

/* ---- facts ----------------------------------------------------------------------------------- */

static void add_parameters(cJSON *facts)
{
    cJSON *list = cJSON_AddArrayToObject(facts, "parameters");
    for (int i = 0; i < parameter_set_count(); i++) {
        struct parameter_set set;
        if (parameter_set_find(&set, parameter_set_name(i), NULL)) continue;
        cJSON *o = json_add_object(list);
        output_list_parameters(o, "values", &set.params);
        json_add_texts(o, {"name", set.name}, {"eruption", set.eruption}, {"not_for", set.not_for});
        json_add_numbers(o, {"step_s", set.params.clock_s},
                         {"calibrated_cell_m", set.calibrated_cell_m});
    }
}

static void add_key(cJSON *list, const struct key *k, bool parameter)
{
    static const char *const types[] = {
        [KEY_REAL] = "real", [KEY_COUNT] = "count", [KEY_CHOICE] = "choice", [KEY_OWN] = "own"};
    const bool number = k->type == KEY_REAL || k->type == KEY_COUNT;
    cJSON *o = json_add_object(list);
    json_add_texts(o, {"name", k->name},
                   {"type", k->type <= KEY_OWN && types[k->type] ? types[k->type] : "text"},
                   {"unit", k->unit ? k->unit : ""}, {"usual", k->usual ? k->usual : ""},
                   {"meaning", k->meaning});
    if (number) json_add_numbers(o, {"low", k->low}, {"high", k->high});
    json_add_bools(o, {"parameter", parameter});
    cJSON *choices = k->choices ? cJSON_AddArrayToObject(o, "choices") : NULL;
    for (int i = 0; choices && k->choices[i]; i++)
        cJSON_AddItemToArray(choices, cJSON_CreateString(k->choices[i]));
}

/* Adds the keys that a drawing can change, as `sciara help keys` describes them. */
static void add_keys(cJSON *facts)
{
    cJSON *list = cJSON_AddArrayToObject(facts, "keys");
    struct key k;
    for (const struct key_section *at = case_schema.section; at->name; at++)
        for (int i = 0; schema_key(at, i, &k); i++)
            if (drawing_takes_key(&k)) add_key(list, &k, at->parameters && i < PARAMETERS);
}

static void add_drawings(cJSON *facts, struct session *s)
{
    LOCKED(&s->lock);
    cJSON *last = s->drawing ? cJSON_Parse(s->drawing) : NULL;
    cJSON_AddItemToObject(facts, "drawing", last ? last : cJSON_Duplicate(s->on.drawing, true));
    cJSON_AddItemToObject(facts, "original_drawing", cJSON_Duplicate(s->on.drawing, true));
}

/* Adds the runs of cells inside the outline, each as [row, first column, number of cells]. */
static void add_runs(cJSON *o, const unsigned char *inside, int rows, int cols)
{
    cJSON *list = cJSON_AddArrayToObject(o, "runs");
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols;) {
            const unsigned char *at = inside + (size_t)row * (size_t)cols;
            int end = col;
            while (end < cols && at[end]) end++;
            if (end > col) {
                const int run[] = {row, col, end - col};
                cJSON_AddItemToArray(list, cJSON_CreateIntArray(run, 3));
            }
            col = end + 1;
        }
}

/* Reads the outline in a window around it, not on the whole terrain. In a large window each cell stands for `every` x
 * `every` cells of the terrain. */
static int read_outline(cJSON *facts, const struct session *s, struct error *e)
{
    const struct problem *p = &s->c.problem;
    struct georef geo = s->c.geo;
    FREED unsigned char *inside = NULL;
    struct window w;
    int status = outline_window(&w, s->c.outline_path, p->rows, p->cols, &geo, e), every = 1;
    if (status) return status;
    while ((double)w.rows * w.cols / every / every > OUTLINE_CELLS) every *= 2;
    const int rows = (w.rows - 1) / every + 1, cols = (w.cols - 1) / every + 1;
    geo.west_m += w.col0 * geo.cell_m;
    geo.south_m += (p->rows - w.row0 - (double)rows * every) * geo.cell_m;
    geo.cell_m *= every;
    status = outline_read(&inside, s->c.outline_path, rows, cols, &geo, e);
    if (status) return status;
    cJSON *o = cJSON_AddObjectToObject(facts, "outline");
    json_add_numbers(o, {"row0", w.row0}, {"col0", w.col0}, {"every", every}, {"rows", rows},
                     {"cols", cols});
    add_runs(o, inside, rows, cols);
    return 0;
}

static void add_outline(cJSON *facts, const struct session *s)
{
    struct error e = {0};
    if (s->c.outline_path && read_outline(facts, s, &e)) {
        scan_make_printable(e.text);
        cJSON_AddStringToObject(facts, "outline_refused", e.text);
    }
}

static int make_facts(cJSON *facts, struct session *s, struct error *e)
{
    const struct problem *p = &s->c.problem;
    const bool known = atomic_load(&s->ground.ready);
    json_add_numbers(facts, {"format", 1}, {"step_s", p->params.clock_s},
                     {"threads", s->o.threads ? s->o.threads : processors_granted()});
    json_add_texts(facts, {"version", sciara_version()}, {"language", s->o.language},
                   {"kind", serve_kinds[s->kind]}, {"name", s->c.name}, {"title", s->c.title},
                   {"terrain_source", s->c.terrain_source}, {"start_time", s->c.start_time},
                   {"folder", s->o.folder});
    json_add_bools(facts, {"listed", s->listed}, {"synthetic", s->c.synthetic},
                   {"parameters_given", !s->settings.parameter_set},
                   {"sea", settings_line(&s->settings, "sea_level") > 0});
    output_list_warnings(facts, &s->c.told);
    cJSON *terrain = cJSON_AddObjectToObject(facts, "terrain");
    json_add_numbers(terrain, {"least_m", known ? s->ground.least_m : (double)NAN},
                     {"most_m", known ? s->ground.most_m : (double)NAN}, {"tile", TILE_SIDE});
    if (s->members) json_add_numbers(facts, {"members", (double)s->members});
    if (settings_line(&s->settings, "sea_level"))
        cJSON_AddNumberToObject(facts, "sea_level_m", s->settings.sea_level_m);
    add_parameters(facts);
    add_keys(facts);
    cJSON_AddItemToObject(facts, "limits", drawing_limits());
    add_drawings(facts, s);
    add_outline(facts, s);
    page_style_facts(facts);
    page_background(facts, &s->c.geo, p->rows, case_background_of(&s->c));
    int status = page_grid_facts(facts, p->rows, p->cols, &s->c.geo, e);
    if (!status) status = ask_facts(facts, s, e);
    json_clean(facts);
    return status;
}

/* ---- the page -------------------------------------------------------------------------------- */

int reply_facts(struct request *q, cJSON *facts)
{
    if (strcmp(q->route->path, "/")) return reply_json(q, HTTP_OK, facts);
    FREED char *text = facts ? cJSON_PrintUnformatted(facts) : NULL;
    char *page = NULL;
    size_t size = 0;
    FILE *out = text ? open_memstream(&page, &size) : NULL;
    cJSON_Delete(facts);
    if (out) {
        fprintf(out, "%sSciara</title>\n<style>%s</style>\n%s", serve_top, serve_style,
                serve_bottom);
        fputs("<script type=\"application/json\" id=\"facts\">", out);
        page_write_json(out, text);
        fprintf(out, "</script>\n<script>%s</script>\n</body>\n</html>\n", serve_script);
        if (fclose(out)) free(page), page = NULL;
    }
    return page ? reply_bytes(q, "text/html; charset=utf-8", page, size) : HTTP_NO_REPLY;
}

int answer_facts(struct request *q)
{
    cJSON *facts = cJSON_CreateObject();
    struct error e = {0};
    if (!make_facts(facts, q->of, &e)) return reply_facts(q, facts);
    cJSON_Delete(facts);
    return reply_error(q, NULL, &e);
}

/* ---- terrain --------------------------------------------------------------------------------- */

int answer_terrain(struct request *q)
{
    const int64_t every = request_number(q, "every", 0), row0 = request_number(q, "row0", -1),
                  col0 = request_number(q, "col0", -1);
    struct ground *g = &((struct session *)q->of)->ground;
    struct error e = {0};
    if (!ground_has_tile(g, every, row0, col0))
        return reply_refusal(q, HTTP_NOT_FOUND, "there is no such tile");
    unsigned char *bytes = malloc(TILE_BYTES);
    if (!bytes) return HTTP_NO_REPLY;
    if (!ground_tile(g, (int)every, (int)row0, (int)col0, bytes, &e))
        return reply_bytes(q, "application/octet-stream", bytes, TILE_BYTES);
    free(bytes);
    if (e.code == ERROR_CANCELLED)
        return reply_refusal(q, HTTP_BUSY, "the terrain is being read; ask again");
    return reply_error(q, NULL, &e);
}

/* ---- drawings -------------------------------------------------------------------------------- */

int answer_drawing(struct request *q)
{
    session_keep_drawing(q->of, request_sent(q)); /* not checked: a drawing may be unfinished */
    return reply_json(q, HTTP_OK, cJSON_CreateObject());
}
