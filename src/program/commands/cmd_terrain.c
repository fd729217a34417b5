/* cmd_terrain.c — `sciara terrain`: writes a case with synthetic terrain. */
#include "run.h"

#include "base/file_progress.h"
#include "case/case.h"
#include "case/case_terrain.h"
#include "case/resolution.h"
#include "run/output.h"
#include "terrain/terrain.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The values of the command line; their defaults depend on the kind of terrain. */
struct request {
    const char *folder, *name;
    int kind;             /* index in `kinds`, or PLANE */
    int size, rows, cols; /* 0: not given */
    int epsg;             /* 0: not given */
    int64_t seed;         /* -1: not given */
    double cell_m;        /* NaN: not given */
    double corner_m[2];   /* x, y; NaN: not given */
    bool stand_in, describe, quiet;
    struct terrain terrain; /* everything about the terrain */
};

/* ---- the command line ------------------------------------------------------------------------ */

/* The names of enum terrain_kind. "plane", with the index PLANE, is another name of "sheet". */
static const char *const kinds[] = {"volcano", "sheet", "channel", "pyramid", "valley", NULL};
enum { PLANE = sizeof kinds / sizeof *kinds - 1 };

static int set_name(const struct option *o, void *field, const char *const value[], struct error *e)
{
    *(const char **)field = value[0];
    if (strlen(value[0]) <= 60 && !strpbrk(value[0], "/\n\r")) return 0;
    return error_input(e, "give a file name of 1 to 60 characters");
}

#define AT(member) offsetof(struct request, member)
#define CELLS(NAME, ...)                                                                           \
    OPTION("--" #NAME, "N", option_int, NAME, __VA_ARGS__, .low = TERRAIN_CELLS_MIN,               \
           .high = TERRAIN_CELLS_MAX)
static const struct option words[] = {
    OPERAND("FOLDER", option_text, folder, "output folder; created if it is missing",
            .completes = COMPLETE_FOLDER, .optional = true),
    OPTION(
        "--kind", "KIND", option_choice, kind,
        "kind of landscape: volcano, a stratovolcano with a collapse valley and two vents; sheet "
        "or plane, a rough plane under a sheet of lava, nearly all cells wet; channel, one vent in "
        "a narrow valley, which is the same for every size; pyramid, an octagonal pyramid with "
        "faces of 5 degrees and a vent on its top; valley, a straight valley along the diagonal",
        .choices = kinds, .also = "plane", .preset = "volcano"),
    CELLS(size, "rows and columns", .usual = "depends on the kind"),
    CELLS(rows, "rows", .usual = "--size"),
    CELLS(cols, "columns", .usual = "--size"),
    OPTION("--cell", "M", option_real, cell_m, "side of a cell in metres", .low = INT64_MIN,
           .unit = "metres", .usual = "depends on the kind"),
    OPTION("--corner", "X Y", option_real, corner_m,
           "map coordinates of the lower-left corner, in metres", .low = INT64_MIN,
           .unit = "metres", .usual = "depends on the kind"),
    OPTION("--epsg", "CODE", option_int, epsg, "coordinate reference system, projected, in metres",
           .low = 1024, .high = 32766, .usual = "depends on the kind"),
    OPTION("--seed", "N", option_whole, seed,
           "seed; another number gives another landscape of the same kind", .high = INT64_MAX,
           .usual = "depends on the kind"),
    OPTION("--name", "NAME", set_name, name, "name of the case", .usual = "KIND"),
    OPTION_FLAG("--like-etna2006", stand_in,
                "write only a terrain, as a substitute for the terrain of data/etna2006.cfg",
                .not_with = "--name"),
    OPTION_FLAG("--describe", describe, "describe the terrain, and write nothing",
                .not_with = "FOLDER --name --quiet"),
    OPTION_FLAG("--quiet", quiet, "print nothing"),
    {0},
};
#undef CELLS

/* ---- checks, by the code that will read the case ---------------------------------------------- */

/* Memory is not checked, because another machine may compute the case. */

enum { RATES_MAX = 16 };

/* Refuses a terrain for the reason of a check. Replaces the check's remedy, which is meant for a DEM of the user. */
static int refuse_terrain(const char *reason, const char *remedy, struct error *e)
{
    const int length = (int)strcspn(reason, ";");
    return error_input(e, "terrain: %.*s; %s", length, reason, remedy);
}

/* Checks size, place and CRS of the whole grid without computing heights. */
static int check_grid(const struct terrain *t, struct error *e)
{
    struct error why = {0};
    struct sim_case c = {.problem = {.rows = t->rows, .cols = t->cols},
                         .geo = {t->west_m, t->south_m, t->cell_m, {0}}};
    char at[32];
    snprintf(at, sizeof at, "--epsg %d", t->epsg);
    if (case_terrain_check_count(t->rows, t->cols, "the grid", &why))
        return refuse_terrain(why.text, "choose fewer rows or columns", e);
    if (case_terrain_check_place(&c.geo, t->rows, t->cols, "the grid", &why))
        return refuse_terrain(why.text, "choose another --corner", e);
    if (crs_declare(&c, t->epsg, "the grid", at, &why))
        return refuse_terrain(
            why.text, "choose a projected CRS in metres, such as a UTM zone, or a --corner in it",
            e);
    return 0;
}

static void take_eruption(const struct terrain *t, struct sciara_case_input *in,
                          struct sciara_rate rate[RATES_MAX])
{
    const struct terrain_eruption lava = terrain_eruption(t);
    sciara_parameters_etna2006(&in->parameters);
    in->parameters.Pcool = lava.cooling;
    in->parameters.Phc_Tvent = lava.critical_m;
    in->parameters.Pclock = lava.clock_s;
    in->calibrated_cell_m = PUBLISHED_CELL_M;
    in->calibrated_clock_s = PUBLISHED_CLOCK_S;
    in->max_steps = lava.max_steps;
    in->rates = rate;
    for (int i = 0; i < in->vent_count; i++)
        for (int k = 0; lava.rate[k] > 0 && in->rate_count < RATES_MAX; k++)
            rate[in->rate_count++] = (struct sciara_rate){
                in->vents[i].id, 3600 * lava.hours * k, 3600 * lava.hours * (k + 1), lava.rate[k]};
}

/* Checks vents and rates on a small flat terrain with the elevation of the first vent. Vents that share a cell of the
 * whole terrain share a cell of the small terrain. */
static int check_emission(const struct terrain *t, struct error *e)
{
    enum { ROWS = 3, COLS = 2 + TERRAIN_MAX_VENTS };
    struct terrain_vent vents[TERRAIN_MAX_VENTS];
    struct sciara_vent cell[TERRAIN_MAX_VENTS];
    struct sciara_rate rate[RATES_MAX];
    struct sciara_case_input in;
    struct sciara_error why;
    sciara_case *c;
    double elevation_m[ROWS * COLS];
    sciara_case_input_init(&in, sizeof in);
    in.vent_count = terrain_vents(t, vents);
    if (!in.vent_count) return 0;
    for (int i = 0; i < ROWS * COLS; i++)
        elevation_m[i] = terrain_elevation(t, vents[0].row, vents[0].col);
    for (int i = 0; i < in.vent_count; i++) {
        const bool first = vents[i].row == vents[0].row && vents[i].col == vents[0].col;
        cell[i] = (struct sciara_vent){vents[i].id, 1, first ? 1 : 1 + i};
    }
    in.rows = ROWS;
    in.cols = COLS;
    in.cell_m = t->cell_m;
    in.elevation_m = elevation_m;
    in.vents = cell;
    take_eruption(t, &in, rate);
    if (sciara_case_create(&c, &in, &why)) /* the reason follows "rates[0]:" */
        return refuse_terrain(strchr(why.text, ' ') + 1, "choose larger cells (--cell)", e);
    sciara_case_free(c);
    return 0;
}

static void settle(struct request *r)
{
    struct terrain *t = &r->terrain;
    enum terrain_kind kind = r->kind == PLANE ? TERRAIN_SHEET : (enum terrain_kind)r->kind;
    if (r->stand_in && kind == TERRAIN_VOLCANO) kind = TERRAIN_ETNA2006;
    *t = terrain_default(kind);
    if (r->size) t->rows = t->cols = r->size;
    if (r->rows) t->rows = r->rows;
    if (r->cols) t->cols = r->cols;
    if (!isnan(r->cell_m)) t->cell_m = r->cell_m;
    if (!isnan(r->corner_m[0])) t->west_m = r->corner_m[0], t->south_m = r->corner_m[1];
    if (r->epsg) t->epsg = r->epsg;
    if (r->seed >= 0) t->seed = (uint64_t)r->seed;
    if (!r->name) r->name = terrain_kind_name(kind);
}

static int check_request(struct request *r, struct error *e)
{
    if (!r->folder && !r->describe)
        return error_input(e, "terrain: %s; see sciara terrain --help", command_terrain.missing);
    settle(r);
    char wanted[256], usual[256];
    struct terrain etna = terrain_default(TERRAIN_ETNA2006);
    if (r->stand_in &&
        (strcmp(terrain_describe(&r->terrain, wanted), terrain_describe(&etna, usual)) ||
         r->terrain.west_m != etna.west_m || r->terrain.south_m != etna.south_m ||
         r->terrain.epsg != etna.epsg))
        return error_input(
            e, "terrain: --like-etna2006 has one grid and seed; omit the other options");
    int status = terrain_valid(&r->terrain, e);
    if (!status) status = check_grid(&r->terrain, e);
    return status || r->stand_in ? status : check_emission(&r->terrain, e);
}

/* Writes the terrain of data/etna2006.cfg, under the name in that case. The name ends with .asc, but the file is a GeoTIFF,
 * because only a GeoTIFF can declare that it is synthetic. The reader recognises the format by the content. */
static int write_stand_in(const struct request *r, struct file_progress *progress, struct error *e)
{
    FREED char *path = text_format("%s/2006_000000000000_Morphology.asc", r->folder);
    int status = path ? output_prepare(r->folder, e) : error_memory(e);
    return status ? status : terrain_write_elevation(&r->terrain, path, progress, e);
}

static int terrain(void *request, struct error *e)
{
    struct request *r = request;
    char text[256];
    int status = check_request(r, e);
    if (!status && !r->describe) {
        struct file_progress progress = {0};
        interrupt_watch(&progress);
        status = r->stand_in ? write_stand_in(r, &progress, e)
                             : terrain_write_case(&r->terrain, r->folder, r->name, &progress, e);
        interrupt_watch(NULL);
    }
    if (status) return status;
    if (r->describe || !r->quiet) puts(terrain_describe(&r->terrain, text));
    if (!r->describe && !r->quiet && !r->stand_in) {
        FREED char *path = text_format("%s/%s.cfg", r->folder, r->name);
        FREED char *word = path ? text_shell_word(path) : NULL;
        if (word) scan_make_printable(word);
        if (word) printf("run it: sciara run %s\n", word);
    }
    return 0;
}

const struct command command_terrain = {
    .name = "terrain",
    .summary = "make a case with synthetic terrain",
    .synopsis = "sciara terrain FOLDER --like-etna2006",
    .about = "Makes a synthetic landscape and writes it as a case for `sciara run "
             "FOLDER/NAME.cfg`. The same options give the same terrain on every machine.",
    .missing = "name the folder to write to",
    .defaults = &(const struct request){.seed = -1, .cell_m = NAN, .corner_m = {NAN, NAN}},
    COMMAND_OF(struct request, terrain),
};
