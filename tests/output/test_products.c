/* The files of a study that is made up: each kind of row, once and many times, asked for or not, of the whole domain and
 * of a part. Everything is read back and compared with what the rows say of cells of the domain. */
/* tests: output/products */
/* run: plain, quick */
#define _GNU_SOURCE /* memmem */
#include "case/assets.h"
#include "products/products.h"
#include "raster/raster.h"
#include "record/record.h"
#include "run/output.h"
#include "text/words.h"

#include "scratch.h"
#include "unit.h"

#include <cJSON.h>
#include <math.h>

enum {
    ROWS = 210,
    COLS = 600,
    CELLS = ROWS * COLS,
    KINDS = 3,
    VENTS = 2,
    MANY = PRODUCT_VENTS_LARGE + 1,
    PLACES = 2,
    /* the part, in blocks of 64 cells: a vent decides its top, lava its left and lower sides, the outline its right */
    ROW0 = 64,
    COL0 = 128,
    PART_ROWS = ROWS - ROW0,
    PART_COLS = 128
};

struct world {
    struct scratch s;
    struct sim_case c;
    double z[CELLS];
    unsigned char sea[CELLS], outline[CELLS];
    uint32_t vent[MANY];
    int vents;
    struct asset asset[PLACES];
    struct assets assets;
    int kinds, none;
    struct output_folder folder;
    struct output_info info;
    bool refuses;      /* a file is an input of the study */
    char kept[40][80]; /* names and descriptions that a reader was told of */
    int told;
};

static const char *const word[KINDS] = {"05h", "10h", "20h"};

/* ---- the study ----------------------------------------------------------------------------------- */

static double number_of(int number, int i, size_t cell)
{
    return cell % 7 == 0 ? (double)NAN : number + 0.25 * i + (double)(cell % 1000) / 2048;
}

static double value_at(const struct product_at *at, size_t cell)
{
    return number_of(at->row->number, at->i, cell);
}

/* What maps show: a band of rows alone. */
static double shown_of(int i, size_t cell)
{
    const size_t row = cell / COLS;
    return row < 150 || row > 160 ? (double)NAN : number_of(7, i, cell);
}

static double shown_at(const struct product_at *at, size_t cell)
{
    return shown_of(at->i, cell);
}

static bool word_of(const void *of, int i, char *name, char *about)
{
    assert_true(i < ((const struct world *)of)->kinds);
    strcpy(name, word[i]);
    snprintf(about, PRODUCT_ABOUT, "%d hours", 5 << i);
    return true;
}

static bool word_but_one(const void *of, int i, char *name, char *about)
{
    return word_of(of, i, name, about) && i != 1;
}

static void put_rows(struct table *t, const struct product_at *at)
{
    TABLE_ROWS (*t, i, 3) {
        TABLE_COUNT(t, "row", i);
        TABLE_COUNT(t, "number", at->row->number);
        TABLE_COUNT(t, "of", at->i);
    }
}

static int put_text_of(FILE *f, const struct product_at *at, struct error *e)
{
    fprintf(f, "text %s\n", at->name);
    return 0;
}

static int write_file(const struct product_at *at, const char *path, struct error *e)
{
    write_text(path, at->name);
    return 0;
}

static int draw(const struct product_at *at, struct error *e)
{
    static const double x[] = {1, 2}, y[] = {3, 5};
    const struct plot_series line = {.count = 2, .x = x, .y = y};
    struct plot p = {.x = {"time", 1, 2}, .y = {"area", 3, 5}};
    return product_paint_plot(at, &p, &line, 1, e);
}

static bool show(const struct product_at *at, struct product_map *m)
{
    m->map.scale_low = at->row->number;
    m->map.scale_high = at->row->number + 1;
    snprintf(m->subtitle, sizeof m->subtitle, "map %d", at->i);
    if (at->i) strcpy(m->alert, "own words.");
    m->value[25 * m->map.cols + 30] = 77; /* a row may change its values */
    return at->i != 2;
}

static void place_said(const struct product_at *at, int asset, char *text, size_t size)
{
    snprintf(text, size, "%d %%", 10 * asset + at->i);
}

static void add_entry(cJSON *o, const struct product_at *at)
{
    if (cJSON_IsArray(o)) cJSON_AddItemToArray(o, cJSON_CreateNumber(at->row->number));
    else cJSON_AddNumberToObject(o, at->name, at->row->number);
}

static void shown(const struct product_at *at, struct layer_quantity *k)
{
    k->use = LAYER_CHOICE;
    k->legend.high = at->row->number + at->i;
}

#define KINDS_OF .count = offsetof(struct world, kinds), .word = word_of
static const struct product rows[] = {
    {PRODUCT_LAYER, "depth_m", "m", "depth of all", .number = 1, .value = value_at},
    {PRODUCT_LAYER, "within_*", "1", "probability within * in all", .number = 2, .value = value_at,
     KINDS_OF},
    {PRODUCT_CODES, "class_*", NULL, "class within *", .number = 3, .value = value_at, KINDS_OF,
     .further = true, .by = OUTPUT_NETCDF},
    {PRODUCT_TABLE, "with_*.csv", KINDS_OF, .number = 4, .rows = put_rows},
    {PRODUCT_TABLE, "once.csv", .count = offsetof(struct world, kinds), .number = 11,
     .rows = put_rows},
    {PRODUCT_LAYER, "usual_*", "1", "usual *", .number = 5, .value = value_at, KINDS_OF,
     .further = true, .usual = "usual_1*"},
    {PRODUCT_TABLE, "all.csv", .number = 6, .rows = put_rows},
    {PRODUCT_TABLE, "further.csv", .put = put_text_of, .further = true},
    {PRODUCT_DIAGRAM, "diagram", .draw = draw},
    {PRODUCT_FILE, "file.txt", .write = write_file},
    {.kind = PRODUCT_FILE, .name = "state"},
    {PRODUCT_MAP, "map_*", "1", "probability within * in all",
     .count = offsetof(struct world, kinds), .word = word_of, .number = 7, .value = shown_at,
     .map = show, .place = place_said},
    {PRODUCT_LAYER, "none_m", "m", "nothing", .count = offsetof(struct world, none),
     .value = value_at},
    {PRODUCT_TABLE, "some_*.csv", .count = offsetof(struct world, kinds), .word = word_but_one,
     .number = 8, .rows = put_rows},
    {PRODUCT_ENTRY, "entry", .number = 9, .entry = add_entry},
    {PRODUCT_LIST, "list", .number = 10, .entry = add_entry},
    {PRODUCT_ENTRY, "nothing", .count = offsetof(struct world, none), .entry = add_entry},
};
static const struct product other_rows[] = {
    {PRODUCT_TABLE, "other.csv", .further = true, .rows = put_rows}};
static const struct product_table other_files = {PRODUCT_TABLE_OF(other_rows)};
static const struct product_table table = {PRODUCT_TABLE_OF(rows), .styled = true, .shown = shown,
                                           .layers = "study", .next = &other_files};

static bool was_reached(const void *of, size_t cell)
{
    const int row = (int)(cell / COLS), col = (int)(cell % COLS);
    return row >= 150 && row < 181 && col >= 150 && col < 209 && (row + col) % 3 == 0;
}

static size_t next_reached(const void *of, size_t cell)
{
    while (cell < CELLS && !was_reached(of, cell)) cell++;
    return cell;
}

static int spare(const void *of, const char *path, struct error *e)
{
    if (!((const struct world *)of)->refuses || !strstr(path, "within_10h.tif")) return 0;
    return error_input(e, "%s: is an input", path);
}

static int create(void **state)
{
    struct world *w = *state = calloc(1, sizeof *w);
    static double xy[1][2] = {{2805, 2565}};
    static int size[] = {1};
    if (!w) return -1;
    scratch_create(&w->s);
    for (int i = 0; i < CELLS; i++) {
        const int row = i / COLS, col = i % COLS;
        w->sea[i] = col > 245 && row > 130;
        w->z[i] = w->sea[i] ? (double)NAN : 500 + 0.5 * row + 0.25 * col;
        w->outline[i] = row >= 152 && row < 156 && col >= 223 && col < 239;
    }
    w->vent[0] = 140 * COLS + 190, w->vent[1] = 158 * COLS + 191;
    for (int v = VENTS; v < MANY; v++) w->vent[v] = w->vent[1];
    w->vents = VENTS;
    for (int k = 0; k < PLACES; k++) {
        w->asset[k] = (struct asset){.kind = ASSET_POINT, .parts = 1, .part_size = size, .xy = xy};
        strcpy(w->asset[k].name, k ? "Hut" : "Inn");
    }
    w->assets = (struct assets){.count = PLACES, .asset = w->asset};
    w->kinds = KINDS;
    w->c = (struct sim_case){.name = "hand",
                             .title = "By hand",
                             .path = (char *)"hand.cfg",
                             .terrain_source = "SYNTHETIC TERRAIN: by hand",
                             .synthetic = true,
                             .geo = {.west_m = 1000, .south_m = 2000, .cell_m = 10},
                             .start_time = "2006-07-14T22:00:00Z",
                             .display = {.note = "an exercise"},
                             .sea = w->sea,
                             .elevation_m = w->z};
    w->c.problem = (struct problem){.rows = ROWS, .cols = COLS, .params.cell_m = 10};
    case_point(&w->c);
    w->info = (struct output_info){.directory = scratch_file(&w->s, "out"),
                                   .formats = OUTPUT_GEOTIFF,
                                   .version = "7.8",
                                   .files = &table,
                                   .study = "trial",
                                   .pictures = {.width_in = 8, .height_in = 6, .dpi = 150},
                                   .folder = &w->folder};
    return 0;
}

static void forget(struct world *w)
{
    output_folder_free(&w->folder);
    w->folder = (struct output_folder){0};
    remove_at(AT_FDCWD, w->info.directory);
}

static int destroy(void **state)
{
    struct world *w = *state;
    output_folder_free(&w->folder);
    scratch_remove(&w->s);
    free(w);
    return 0;
}

/* (the texts of items are in *p) */
static void describe(struct products *p, const struct world *w)
{
    *p = (struct products){.info = &w->info,
                           .c = &w->c,
                           .known = "rate, lava, vents",
                           .varied = "cooling 1.8 to 3.9",
                           .of = w,
                           .table = &table,
                           .kind = "ensemble",
                           .digest = 0xabcdef0123456789,
                           .assets = &w->assets,
                           .vent = w->vent,
                           .vents = w->vents,
                           .outline = w->outline,
                           .reached = was_reached,
                           .next = next_reached,
                           .spare = spare,
                           .vent_name = "A vent"};
    warnings_add(&p->told, WARNING_RESULT, "a result to read with care", NULL);
    warnings_add(&p->told, WARNING_NOTE, "numerics", NULL);
    product_item(&p->items, "SOFTWARE", "sciara %s", "7.8");
    product_item(&p->items, "EMPTY", "%s", "");
    product_item(&p->items, "RUNS", "%d", 12);
}

/* Writes all files; *r has the record. */
static void write_all(struct world *w, struct record **r)
{
    struct error e = {0};
    struct products p;
    describe(&p, w);
    struct product_cut cut;
    must(output_folder_take(&w->folder, &w->info, &w->c, false, &e), &e);
    must(output_make_way(&w->folder, &e), &e);
    must(products_cut(&p, &cut, &e), &e);
    must(products_files(&p, &e), &e);
    must(products_page(&p, w->vent, VENTS, true, 2.5, &e), &e);
    must(products_record(&p, &e), &e);
    product_cut_free(&cut);
    must(record_open(r, scratch_file(&w->s, "out/record.zip"), &e), &e);
}

/* ---- which files there are ----------------------------------------------------------------------- */

static void expect_listed(const struct output_folder *f, const char *wanted)
{
    char all[1000] = "";
    for (int i = 0; i < f->count; i++)
        if (strcmp(f->file[i].name, RECORD_FILE) != 0) strcat(strcat(all, f->file[i].name), " ");
    assert_string_equal(all, wanted);
}

static void scene_named(struct record_scene *s, const struct record *r, const char *name)
{
    struct error e = {0};
    for (int i = 0; i < record_count(r); i++)
        if (!strcmp(record_name(r, i), name)) {
            must(record_scene(s, r, i, &e), &e);
            return;
        }
    fail_msg("no %s", name);
}

/* Files of rows with one count are written number by number; asked ones appear among them. */
static void files_are_those_asked_for(void **state)
{
    static const struct {
        const char *layers, *classes[KINDS], *usual[KINDS], *further;
    } asked[] = {
        {NULL, {"", "", ""}, {"", "usual_10h.tif ", ""}, ""},
        {"all",
         {"class_05h.tif ", "class_10h.tif ", "class_20h.tif "},
         {"usual_05h.tif ", "usual_10h.tif ", "usual_20h.tif "},
         "further.csv "},
        {"class_?0h,furth*",
         {"", "class_10h.tif ", "class_20h.tif "},
         {"", "usual_10h.tif ", ""},
         "further.csv "},
        {"usual_20h,class_05h",
         {"class_05h.tif ", "", ""},
         {"", "usual_10h.tif ", "usual_20h.tif "},
         ""},
    };
    struct world *w = *state;
    for (size_t n = 0; n < sizeof asked / sizeof *asked; n++) {
        char wanted[1000] = "depth_m.tif ";
        struct record *r;
        struct record_scene s;
        struct error e = {0};
        w->info.layers = asked[n].layers;
        must(products_check_asked(&w->info, &table, &e), &e);
        assert_int_equal(products_asked(asked[n].layers, &table), n > 0);
        w->vents = n == 1 ? MANY : n == 2 ? MANY - 1 : VENTS;
        write_all(w, &r);
        scene_named(&s, r, "study"); /* a globe shows no pins where they would hide the lava */
        assert_int_equal(((const struct layer_set *)s.scene.of)->vents, n == 1 ? 0 : w->vents);
        record_release(&s);
        for (int i = 0; i < KINDS; i++)
            snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted),
                     "within_%s.tif %swith_%s.csv %s%s", word[i], asked[n].classes[i], word[i],
                     i ? "" : "once.csv ", asked[n].usual[i]);
        snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted),
                 "all.csv %sfile.txt some_05h.csv some_20h.csv ", asked[n].further);
        expect_listed(&w->folder, wanted);
        /* a table that is not asked for is in the record */
        FREED char *path = record_table_path(w->info.directory, "further.csv");
        assert_int_equal(!strstr(path, RECORD_FILE), *asked[n].further != '\0');
        static const char *const pictures[] = {"diagram", "map_05h", "map_10h", "study", "report"};
        assert_int_equal(record_count(r), sizeof pictures / sizeof *pictures);
        for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
            bool found = false;
            for (int k = 0; k < record_count(r); k++)
                found = found || !strcmp(record_name(r, k), pictures[i]);
            assert_true(found);
        }
        assert_string_equal(record_digest(r), "abcdef0123456789");
        record_close(r);
        forget(w);
    }
    struct error e = {0};
    assert_true(products_asked("other", &table) && products_asked("all", &table));
    assert_false(products_asked("depth_m,within_05h,with_05h", &table));
    w->info.layers = NULL;
    w->info.formats |= OUTPUT_NETCDF;
    assert_true(product_asked(&w->info, products_find(&table, NULL, "class_05h.tif"), "class_05h"));
    w->info.layers = "depth_m,classes";
    assert_int_equal(products_check_asked(&w->info, &table, &e), ERROR_INPUT);
    assert_string_equal(e.text, "option 'layers': no file is called classes; choose from all, "
                                "class_*, usual_*, further, other");
}

/* What belongs to a row of the table, and what only looks like it. */
static void names_have_their_rows(void **state)
{
    static const struct {
        const char *name, *row;
        unsigned formats; /* that need the file */
    } names[] = {{"within_10h.tif", "within_*", 0},
                 {"within_10h.qml", "within_*", OUTPUT_QGIS},
                 {"depth_m.tif", "depth_m", 0},
                 {"depth_m_05h.tif", NULL, 0},
                 {"depth_m", NULL, 0},
                 {"map_20h.svg", "map_*", OUTPUT_SVG},
                 {"map_20h.tif", NULL, 0},
                 {"map_20h.qml", NULL, 0},
                 {"diagram.pdf", "diagram", OUTPUT_PDF},
                 {"with_05h.csv", "with_*.csv", 0},
                 {"with_05h.txt", NULL, 0},
                 {"entry", NULL, 0},
                 {"entry.tif", NULL, 0},
                 {"entry.png", NULL, 0},
                 {"list.png", NULL, 0},
                 {"file.txt", "file.txt", 0},
                 {"other.csv", "other.csv", 0}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct product *row = products_find(&table, NULL, names[i].name);
        if (!names[i].row) assert_null(row);
        else assert_string_equal(row->name, names[i].row);
        if (row) assert_int_equal(product_formats(row, names[i].name), names[i].formats);
    }
}

/* ---- layers and tables --------------------------------------------------------------------------- */

static void expect_layer(struct world *w, const char *name, int number, int i, const char *about,
                         const char *unit, struct window part)
{
    struct raster r;
    struct error e = {0};
    static char tiff[1 << 20];
    char file[100];
    int found = 0;
    snprintf(file, sizeof file, "out/%s", name);
    must(raster_read(&r, scratch_file(&w->s, file), 0, &e), &e);
    assert_true(r.rows == part.rows && r.cols == part.cols && r.nodata == -9999);
    assert_true(r.geo.west_m == 1000 + 10 * part.col0 && r.geo.cell_m == 10 &&
                r.geo.south_m == 2000 + 10 * (ROWS - part.row0 - part.rows));
    for (int row = 0; row < r.rows; row++)
        for (int col = 0; col < r.cols; col++) {
            const size_t cell = (size_t)(part.row0 + row) * COLS + (size_t)(part.col0 + col);
            const double is = r.value[row * r.cols + col], v = number_of(number, i, cell);
            assert_true(isnan(v) ? isnan(is) : is == (float)v);
            found += !isnan(v);
        }
    assert_true(found > r.rows * r.cols / 2);
    raster_free(&r);
    FILE *f = fopen(scratch_file(&w->s, file), "rb");
    const size_t size = fread(tiff, 1, sizeof tiff, f);
    fclose(f);
    assert_non_null(memmem(tiff, size, about, strlen(about)));
    snprintf(file, sizeof file, ">%s</Item>", unit ? unit : "");
    assert_true(!unit || memmem(tiff, size, file, strlen(file)));
    assert_non_null(memmem(tiff, size, "\"RUNS\">12</Item>", strlen("\"RUNS\">12</Item>")));
    assert_null(memmem(tiff, size, "EMPTY", 5));
    uint32_t head; /* a cloud reads what a layer has before its data; codes have no overviews */
    memcpy(&head, tiff + 4, sizeof head);
    assert_int_equal(head < 100, number != 3);
}

static void expect_text(struct world *w, const char *name, const char *wanted)
{
    char file[100];
    snprintf(file, sizeof file, "out/%s", name);
    FREED char *text = read_text(scratch_file(&w->s, file));
    assert_string_equal(text, wanted);
}

static void expect_layers(struct world *w, struct window part)
{
    expect_layer(w, "depth_m.tif", 1, 0, "depth of all", "m", part);
    for (int i = 0; i < KINDS; i++) {
        char name[64], about[64], text[100];
        snprintf(name, sizeof name, "within_%s.tif", word[i]);
        snprintf(about, sizeof about, "probability within %d hours in all", 5 << i);
        expect_layer(w, name, 2, i, about, "1", part);
        snprintf(name, sizeof name, "class_%s.tif", word[i]);
        snprintf(about, sizeof about, "class within %d hours", 5 << i);
        expect_layer(w, name, 3, i, about, NULL, part);
        snprintf(name, sizeof name, "with_%s.csv", word[i]);
        snprintf(text, sizeof text, "row,number,of\n0,4,%d\n1,4,%d\n2,4,%d\n", i, i, i);
        expect_text(w, name, text);
    }
    expect_text(w, "all.csv", "row,number,of\n0,6,0\n1,6,0\n2,6,0\n");
    expect_text(w, "further.csv", "text further.csv\n");
    expect_text(w, "file.txt", "file.txt");
}

/* ---- pictures ------------------------------------------------------------------------------------ */

static size_t in_domain(struct window part, int row, int col)
{
    return (size_t)(part.row0 + row) * COLS + (size_t)(part.col0 + col);
}

/* Cells, marks and masks are those of the domain; the map shows at least what it is about. */
static void expect_cells(const struct world *w, const struct map *m, int i, struct window part)
{
    struct window all = {0};
    for (int row = 0; row < part.rows; row++) {
        double room[2 * COLS];
        const struct map_cells c = map_cells(m, row, room);
        for (int col = 0; col < part.cols; col++) {
            const size_t cell = in_domain(part, row, col), at = (size_t)(row * part.cols + col);
            const bool changed = row == 25 && col == 30,
                       vent = cell == w->vent[0] || cell == w->vent[1];
            const double v = changed ? 77 : shown_of(i, cell), z = w->z[cell];
            assert_true(isnan(v) ? isnan(c.value[col]) : c.value[col] == (float)v);
            assert_true(isnan(z) ? isnan(c.elevation_m[col]) : c.elevation_m[col] == (float)z);
            assert_int_equal(!m->mark[at], !vent);
            assert_int_equal(!m->outline[at], !w->outline[cell]);
            assert_int_equal(!m->sea[at], !w->sea[cell]);
            if (!isnan(v) || vent || w->outline[cell]) window_add(&all, row, col);
        }
    }
    map_crop_finish(&all, part.rows, part.cols);
    if (w->c.display.domain) all = (struct window){0};
    if (!window_equal(m->crop, all))
        fail_msg("%d %d %d %d, %d %d %d %d", m->crop.row0, m->crop.col0, m->crop.rows, m->crop.cols,
                 all.row0, all.col0, all.rows, all.cols);
}

/* The whole domain in a smaller grid; lava anywhere in its cells. */
static void expect_around(const struct world *w, const struct map_around *a)
{
    int lava = 0;
    assert_true(a->every == 2 && a->rows == ROWS / 2 && a->cols == COLS / 2);
    assert_true(a->domain_rows == ROWS && a->domain_cols == COLS && a->row0 == ROW0 &&
                a->col0 == COL0);
    for (int row = 0; row < a->rows; row++)
        for (int col = 0; col < a->cols; col++) {
            const int at = row * a->cols + col;
            const size_t cell = (size_t)(2 * row * COLS + 2 * col);
            const bool reached = was_reached(w, cell) || was_reached(w, cell + 1) ||
                                 was_reached(w, cell + COLS) || was_reached(w, cell + COLS + 1);
            assert_int_equal(!isnan(a->value[at]), reached);
            assert_true(isnan(w->z[cell]) ? isnan(a->elevation_m[at])
                                          : a->elevation_m[at] == (float)w->z[cell]);
            assert_int_equal(!a->sea[at], !w->sea[cell]);
            lava += reached;
        }
    assert_true(lava > 100 && lava < 1000);
}

static void expect_map(const struct world *w, const struct record *r, int i, struct window part)
{
    struct record_scene s;
    char name[32], text[WORDS_TEXT];
    snprintf(name, sizeof name, "map_%s", word[i]);
    scene_named(&s, r, name);
    const struct map *m = s.map;
    assert_true(m->rows == part.rows && m->cols == part.cols && m->geo.cell_m == 10);
    assert_true(m->scale_low == 7 && m->scale_high == 8);
    expect_cells(w, m, i, part);
    assert_string_equal(m->title, "By hand");
    assert_string_equal(m->warning, "SYNTHETIC TERRAIN");
    assert_string_equal(m->stamp, "an exercise");
    assert_string_equal(m->unit, "1");
    assert_true(m->paper.width_in == 8 && m->paper.height_in == 6 && m->paper.dpi == 150);
    snprintf(name, sizeof name, "map %d", i);
    assert_string_equal(m->subtitle, name);
    assert_non_null(strpbrk(m->quantity, WORDS_NEXT)); /* so it can be said in any language */
    words_fill(text, sizeof text, m->quantity, NULL);
    snprintf(name, sizeof name, "within %d hours in all", 5 << i);
    assert_non_null(strstr(text, name));
    words_fill(text, sizeof text, m->alert, NULL);
    assert_string_equal(text, i ? "own words. A result to read with care."
                                : "A result to read with care.");
    words_fill(text, sizeof text, m->note, NULL);
    const char *at = strstr(text, "Varied (5 to 95 %): cooling 1.8 to 3.9. ");
    at = at ? strstr(at, "Taken as known exactly: rate, lava, vents.\n") : NULL;
    at = at ? strstr(at, "by hand\n") : NULL;
    if (!at || !strstr(at, "sciara 7.8, ensemble abcdef0123456789")) fail_msg("%s", text);
    assert_int_equal(m->place_count, PLACES);
    words_fill(text, sizeof text, m->places[1].label, NULL);
    snprintf(name, sizeof name, "Hut: %d %%", 10 + i);
    assert_string_equal(text, name);
    assert_true(m->places[0].kind == MAP_POINT && m->places[0].xy[0][1] == 2565);
    if (part.rows < ROWS) expect_around(w, m->around);
    else assert_null(m->around);
    record_release(&s);
}

static void expect_layer_set(const struct world *w, const struct record *r, struct window part)
{
    struct record_scene s;
    scene_named(&s, r, "study");
    const struct layer_set *all = s.scene.of;
    assert_string_equal(all->title, "By hand");
    assert_string_equal(all->software, "sciara 7.8");
    assert_string_equal(all->of, "abcdef0123456789");
    assert_string_equal(all->terrain, "SYNTHETIC TERRAIN: by hand");
    assert_string_equal(all->vent_name, "A vent");
    assert_true(all->times == 1 && !*all->time->stamp && all->rows == part.rows &&
                all->cols == part.cols);
    assert_int_equal(all->kinds, 1 + 2 * KINDS); /* (codes have no means) */
    for (int i = 0; i < all->kinds; i++) {
        const struct layer_quantity *k = &all->kind[i];
        char wanted[64], text[WORDS_TEXT];
        const int n = (i - 1) / 2;
        snprintf(wanted, sizeof wanted, i % 2 ? "within_%s" : i ? "usual_%s" : "depth_m", word[n]);
        assert_string_equal(k->name, wanted);
        snprintf(wanted, sizeof wanted,
                 i % 2 ? "probability within %d hours in all"
                 : i   ? "usual %d hours"
                       : "depth of all",
                 5 << n);
        assert_string_equal(words_fill(text, sizeof text, k->about, NULL), wanted);
        assert_string_equal(k->legend.unit, i ? "1" : "m");
        assert_true(k->use == LAYER_CHOICE && k->legend.high == (i % 2 ? 2 + n : i ? 5 + n : 1));
    }
    assert_int_equal(all->vents, VENTS);
    for (int v = 0; v < VENTS; v++)
        assert_true(all->vent[v].x == 1000 + 10 * (w->vent[v] % COLS + 0.5) &&
                    all->vent[v].y == 2000 + 10 * (ROWS - w->vent[v] / COLS - 0.5) &&
                    all->vent[v].cells == 1 && !all->vent[v].id);
    for (int i = 0; i < part.rows * part.cols; i++)
        assert_int_equal(!all->outline[i],
                         !w->outline[in_domain(part, i / part.cols, i % part.cols)]);
    record_release(&s);
}

static void expect_report(const struct world *w, const struct record *r, struct window part)
{
    struct record_scene s;
    scene_named(&s, r, "report");
    const struct report_page *p = s.scene.of;
    assert_true(p->rows == part.rows && p->cols == part.cols && p->possible &&
                p->arrival_bin_h == 2.5);
    assert_string_equal(p->start_time, "2006-07-14T22:00:00Z");
    assert_string_equal(p->stamp, "an exercise");
    assert_string_equal(p->places[1].label, "Hut");
    assert_int_equal(p->vent_count, VENTS);
    for (int v = 0; v < VENTS; v++)
        assert_true(p->vent[2 * v] + part.row0 == w->vent[v] / COLS &&
                    p->vent[2 * v + 1] + part.col0 == w->vent[v] % COLS);
    for (int i = 0; i < part.rows * part.cols; i++) {
        const size_t cell = in_domain(part, i / part.cols, i % part.cols);
        assert_true(isnan(w->z[cell]) ? isnan(p->elevation_m[i])
                                      : p->elevation_m[i] == (float)w->z[cell]);
        assert_int_equal(!p->outline[i], !w->outline[cell]);
    }
    record_release(&s);
    scene_named(&s, r, "diagram");
    const struct plot *plot = s.scene.of;
    char text[WORDS_TEXT];
    assert_true(plot->count == 1 && plot->series->y[1] == 5);
    assert_string_equal(plot->title, "By hand");
    assert_string_equal(plot->warning, "SYNTHETIC TERRAIN");
    assert_string_equal(words_fill(text, sizeof text, plot->by, NULL),
                        "sciara 7.8, ensemble abcdef0123456789");
    record_release(&s);
}

static void files_show_the_part(void **state)
{
    struct world *w = *state;
    w->info.layers = "all";
    for (int whole = 0; whole < 2; whole++) {
        const struct window part = whole ? (struct window){0, 0, ROWS, COLS}
                                         : (struct window){ROW0, COL0, PART_ROWS, PART_COLS};
        struct record *r;
        w->info.extent = whole ? OUTPUT_EXTENT_FULL : OUTPUT_EXTENT_FLOW;
        w->c.display.domain = whole;
        write_all(w, &r);
        if (!whole) assert_true(window_equal(w->folder.extent, part));
        expect_layers(w, part);
        for (int i = 0; i < 2; i++) expect_map(w, r, i, part);
        expect_layer_set(w, r, part);
        expect_report(w, r, part);
        record_close(r);
        forget(w);
    }
}

/* ---- without files, and with refusals ------------------------------------------------------------ */

static int take_name(void *of, const char *name, const struct product *row, const char *about,
                     struct error *e)
{
    struct world *w = of;
    snprintf(w->kept[w->told++], sizeof *w->kept, "%s %d %s", name, row->number, about);
    return 0;
}

/* A reader gets the same without a file, and of the whole domain. */
static void readers_get_the_domain(void **state)
{
    static const char *const wanted[] = {"depth_m.tif 1 depth of all",
                                         "within_05h.tif 2 probability within 5 hours in all",
                                         "class_05h.tif 3 class within 5 hours",
                                         "with_05h.csv 4 ",
                                         "once.csv 11 ",
                                         "usual_05h.tif 5 usual 5 hours"};
    struct world *w = *state;
    struct error e = {0};
    struct product_cut cut;
    struct product_reader reader = {.list = take_name, .of = w};
    FREED float *values = malloc(CELLS * sizeof *values);
    w->info.reader = &reader;
    w->info.extent = OUTPUT_EXTENT_FLOW;
    struct products p;
    describe(&p, w);
    must(products_cut(&p, &cut, &e), &e);
    must(products_files(&p, &e), &e);
    assert_int_equal(w->told, 1 + 4 * KINDS + 1 + 2 + 2); /* once.csv once; further.csv too */
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_string_equal(w->kept[i], wanted[i]);
    reader = (struct product_reader){.name = "within_20h.tif", .values = values};
    must(products_files(&p, &e), &e);
    assert_true(reader.found && !reader.text);
    for (size_t i = 0; i < CELLS; i++) {
        const double v = number_of(2, 2, i);
        assert_true(isnan(v) ? isnan(values[i]) : values[i] == (float)v);
    }
    reader = (struct product_reader){.name = "with_10h.csv"};
    must(products_files(&p, &e), &e);
    assert_string_equal(reader.text, "row,number,of\n0,4,1\n1,4,1\n2,4,1\n");
    free(reader.text);
    reader = (struct product_reader){.name = "with_10h.csv", .values = values};
    must(products_files(&p, &e), &e);
    assert_true(!reader.found && !reader.text);
    must(products_record(&p, &e), &e);
    assert_int_equal(count_files(w->s.path), 0);
    product_cut_free(&cut);
    w->info.reader = NULL;
}

static void inputs_are_spared(void **state)
{
    struct world *w = *state;
    struct error e = {0};
    struct products p;
    describe(&p, w);
    w->refuses = true;
    must(output_folder_take(&w->folder, &w->info, &w->c, false, &e), &e);
    must(output_make_way(&w->folder, &e), &e);
    assert_int_not_equal(products_write(&p, &e), 0);
    assert_non_null(strstr(e.text, "within_10h.tif: is an input"));
    assert_int_not_equal(access(scratch_file(&w->s, "out/within_10h.tif"), F_OK), 0);
    assert_int_equal(access(scratch_file(&w->s, "out/within_05h.tif"), F_OK), 0);
    forget(w);
    w->refuses = false;
    describe(&p, w);
    must(output_folder_take(&w->folder, &w->info, &w->c, false, &e), &e);
    must(output_make_way(&w->folder, &e), &e);
    must(products_write(&p, &e), &e);
    assert_int_equal(access(scratch_file(&w->s, "out/record.zip"), F_OK), 0);
}

static void summaries_have_entries(void **state)
{
    struct world *w = *state;
    struct products p;
    describe(&p, w);
    cJSON *root = products_summary(&p);
    products_entries(root, &p);
    FREED char *text = cJSON_PrintUnformatted(root);
    cJSON_Delete(root);
    assert_string_equal(text, "{\"software\":\"sciara\",\"version\":\"7.8\",\"kind\":\"ensemble\","
                              "\"entry\":{\"entry\":9},\"list\":[10]}");
    struct warnings told = {0};
    char said[WARNING_TEXT];
    products_warn_incomplete(&told, 3, 20);
    assert_int_equal(told.of[0].kind, WARNING_RESULT);
    assert_true(!strncmp(warnings_part(&told, 0, told.of[0].text, said),
                         "incomplete: 3 of 20 simulated eruptions,", 40));
}

int main(void)
{
    return UNIT_RUN_IN(create, destroy, NULL, NULL, files_are_those_asked_for,
                       names_have_their_rows, files_show_the_part, readers_get_the_domain,
                       inputs_are_spared, summaries_have_entries);
}
