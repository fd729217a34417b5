/* cmd_show.c — `sciara show FOLDER`: paints the pictures of a folder again, in other formats, sizes or languages. */
#include "run.h"

#include "library/inside.h"

#include "record/painters.h"

#include <stdio.h>
#include <string.h>

struct request {
    const char *folder, *output, *only, *language;
    unsigned formats;
    struct run_map map;
    double extent[4];
};

static const char *const formats[] = {PAINTED_LIST(FORMAT_WORD) NULL};
static const unsigned format_bits[] = {PAINTED_LIST(FORMAT_BIT)};

#define AT(member) offsetof(struct request, member)
/* The formats that have maps. */
#define WORD_AND(NAME, word, ...) word ","
static const char drawn[] =
    "--format=" PAINTED_PICTURE_LIST(WORD_AND) PAINTED_FRAMES_LIST(WORD_AND);
static const struct option words[] = {
    OPERAND("FOLDER", option_text, folder, "the folder of a run or a study",
            .completes = COMPLETE_FOLDER),
    OPTION(
        "--format", "LIST", option_bits, formats,
        "formats, separated by commas; " PAINTED_LIST(FORMAT_HELP) "each shows what the folder has",
        .choices = formats, .bits = format_bits, .list = true, .preset = "png"),
    OPTION("--output", "DIR", option_text, output, "the folder of the pictures",
           .completes = COMPLETE_FOLDER, .usual = "FOLDER"),
    OPTION("--only", "NAME", option_text, only, "one picture, by its name without ending",
           .usual = "all"),
    RUN_OPTION_LANGUAGE(language, "language of pictures and the report"),
    RUN_OPTION_MAP_SIZE(map.page, drawn),
    RUN_OPTION_MAP_DPI(map.dpi, drawn),
    OPTION("--extent", "W,S,E,N", option_edges, extent,
           "west, south, east, north of maps, in the CRS of the layers",
           .usual = "as painted before", .needs = drawn),
    {0},
};

static int print_picture(const struct sciara_show_progress *now, void *user)
{
    printf("picture       %s\n", now->path);
    if (*now->note) fprintf(stderr, "sciara: warning: %s: %s\n", now->path, now->note);
    return 0;
}

static int show_results(void *request, struct error *e)
{
    const struct request *q = request;
    struct sciara_error why = {0};
    struct sciara_show_options o;
    sciara_show_options_init(&o, sizeof o);
    o.formats = q->formats;
    o.output = q->output;
    o.only = q->only;
    o.language = q->language;
    o.map_dpi = q->map.dpi;
    o.progress = print_picture;
    memcpy(o.extent, q->extent, sizeof o.extent);
    run_map_inches(&q->map, &o.map_width_in, &o.map_height_in);
    return sciara_show(q->folder, &o, &why) ? error_of_sciara(&why, e) : 0;
}

const struct command command_show = {
    .name = "show",
    .summary = "paint the pictures of a folder again, in other formats, sizes and languages",
    .about =
        "Paints the maps and diagrams of a run, an ensemble, an answer, a calibration or a nowcast "
        "from record.zip in its folder. The formats kmz and qgis also need the layers, html the "
        "layers and "
        "tables. Nothing is computed, nothing else is read, and nothing is removed.",
    .missing = "name the folder of a run or a study",
    COMMAND_OF(struct request, show_results),
};
