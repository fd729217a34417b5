/* cmd_terrain.c — `sciara terrain`: made-up terrain as a case that can be run. */
#include "cli.h"

#include "output/output.h"
#include "text/scan.h"
#include "terrain/terrain.h"
#include "text/textfile.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: sciara terrain FOLDER [--kind KIND] [options]\n"
    "       sciara terrain FOLDER --like-etna2006\n"
    "\n"
    "Makes up a landscape and writes it as a case that `sciara run FOLDER/NAME.cfg` computes. The "
    "same\n"
    "options give the same terrain on every machine.\n"
    "\n"
    "  --kind volcano    a stratovolcano with a collapse valley and two vents (default)\n"
    "         sheet      a rough plane under a sheet of lava, nearly all cells wet (also: plane)\n"
    "         channel    one vent in a narrow valley, the same around it for every size\n"
    "         pyramid    an octagonal pyramid with faces of 5 degrees and a vent on its top\n"
    "  --size N          rows and columns; --rows N and --cols N set one of them\n"
    "  --cell METRES     side of a cell\n"
    "  --corner X Y      map coordinates of the lower-left corner\n"
    "  --epsg CODE       coordinate reference system, projected, in metres\n"
    "  --seed N          another landscape of the same kind\n"
    "  --name NAME       of the case (default: the kind)\n"
    "  --like-etna2006   only a terrain that stands in for that of data/etna2006.cfg\n"
    "  --describe        say what the terrain would be, and write nothing\n"
    "  --quiet           say nothing\n";

struct request {
    struct terrain terrain;
    const char *folder, *name;
    bool stand_in, describe, quiet, help;
};

/* A whole number from `low` to `high` after an option */
static int whole(const char *option, const char *text, int64_t low, int64_t high, int64_t *value,
                 struct error *e)
{
    if (text && scan_integer(text, value) && *value >= low && *value <= high) return 0;
    return error_input(e, "terrain: %s %s: give a whole number from %lld to %lld", option,
                       text ? text : "", (long long)low, (long long)high);
}

static int real(const char *option, const char *text, double *value, struct error *e)
{
    if (text && scan_real(text, value)) return 0;
    return error_input(e, "terrain: %s %s: give a number", option, text ? text : "");
}

/* Takes the option argv[0] with its values; *used says how many words that were. */
static int option(struct request *r, char **argv, int *used, struct error *e)
{
    struct terrain *t = &r->terrain;
    const char *word = argv[0];
    int64_t n = 0;
    int status = 0;

    *used = 2;
    if (!strcmp(word, "--size") || !strcmp(word, "--rows") || !strcmp(word, "--cols")) {
        status = whole(word, argv[1], TERRAIN_CELLS_MIN, TERRAIN_CELLS_MAX, &n, e);
        if (word[2] != 'c') t->rows = (int)n;
        if (word[2] != 'r') t->cols = (int)n;
    } else if (!strcmp(word, "--cell")) {
        status = real(word, argv[1], &t->cell_m, e);
    } else if (!strcmp(word, "--corner")) {
        *used = 3;
        status = real(word, argv[1], &t->west_m, e);
        if (!status) status = real(word, argv[2], &t->south_m, e);
    } else if (!strcmp(word, "--epsg")) {
        status = whole(word, argv[1], 1024, 32766, &n, e);
        t->epsg = (int)n;
    } else if (!strcmp(word, "--seed")) {
        status = whole(word, argv[1], 0, INT64_MAX, &n, e);
        t->seed = (uint64_t)n;
    } else if (!strcmp(word, "--name")) {
        r->name = argv[1];
        if (!argv[1] || !*argv[1] || strlen(argv[1]) > 60 || strpbrk(argv[1], "/\n\r"))
            status = error_input(e, "terrain: --name: give a file name of 1 to 60 characters");
    } else if (!strcmp(word, "--kind")) {
        return argv[1] ? 0 : error_input(e, "terrain: --kind: name a kind");
    } else {
        *used = 1;
        if (!strcmp(word, "--quiet")) r->quiet = true;
        else if (!strcmp(word, "--describe")) r->describe = true;
        else if (!strcmp(word, "--like-etna2006")) r->stand_in = true;
        else if (!strcmp(word, "--help") || !strcmp(word, "-h")) r->help = true;
        else if (word[0] == '-')
            status = error_input(e, "terrain: unknown option %s; see sciara terrain --help", word);
        else if (r->folder) status = error_input(e, "terrain: %s: one folder is enough", word);
        else r->folder = word;
    }
    return status;
}

/* The kind comes first, for it decides on the defaults of all the rest. */
static int kind(struct request *r, int argc, char **argv, struct error *e)
{
    enum terrain_kind k = TERRAIN_VOLCANO;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--like-etna2006")) k = TERRAIN_ETNA2006;
        else if (!strcmp(argv[i], "--kind") && i + 1 < argc)
            if (!terrain_kind_find(argv[i + 1], &k) || k == TERRAIN_ETNA2006)
                return error_input(e,
                                   "terrain: --kind %s: choose volcano, sheet, channel or pyramid",
                                   argv[i + 1]);
    }
    r->terrain = terrain_default(k);
    r->name = terrain_kind_name(k);
    return 0;
}

static int parse(struct request *r, int argc, char **argv, struct error *e)
{
    int status = kind(r, argc, argv, e);
    for (int i = 1, used; i < argc && !status; i += used) status = option(r, argv + i, &used, e);
    if (status || r->help) return status;
    if (!r->folder && !r->describe)
        return error_input(e, "terrain: name the folder to write to; see sciara terrain --help");
    char wanted[256], usual[256];
    struct terrain etna = terrain_default(TERRAIN_ETNA2006);
    if (r->stand_in &&
        (strcmp(terrain_describe(&r->terrain, wanted), terrain_describe(&etna, usual)) ||
         r->terrain.west_m != etna.west_m || r->terrain.south_m != etna.south_m ||
         r->terrain.epsg != etna.epsg))
        return error_input(e,
                           "terrain: --like-etna2006 has one grid and seed; leave the others out");
    return terrain_valid(&r->terrain, e);
}

/* The one file that data/etna2006.cfg needs, under the name that it has there. A GeoTIFF in spite
 * of that name: the format is told from the content, and only a GeoTIFF can say that it is made up.
 */
static int write_stand_in(const struct request *r, struct error *e)
{
    char *path = text_format("%s/2006_000000000000_Morphology.asc", r->folder);
    int status = path ? output_prepare(r->folder, e) : error_failed(e, "out of memory");
    if (!status) status = terrain_write_elevation(&r->terrain, path, e);
    free(path);
    return status;
}

int cmd_terrain(int argc, char **argv)
{
    struct request r = {0};
    struct error e = {0};
    char text[256];
    int status = parse(&r, argc, argv, &e);

    if (!status && r.help) return fputs(usage, stdout) < 0;
    if (!status && r.describe) return puts(terrain_describe(&r.terrain, text)) < 0;
    if (!status)
        status = r.stand_in ? write_stand_in(&r, &e)
                            : terrain_write_case(&r.terrain, r.folder, r.name, &e);
    if (status) return cli_fail(&e);
    if (!r.quiet && !r.stand_in)
        printf("%s\nrun it: sciara run %s/%s.cfg\n", terrain_describe(&r.terrain, text), r.folder,
               r.name);
    else if (!r.quiet) puts(terrain_describe(&r.terrain, text));
    return 0;
}
