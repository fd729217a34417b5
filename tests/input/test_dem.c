/* `sciara dem`: sources in the forms that people have become a terrain with the heights of a slope that is known at each
 * place, to a tenth of a cell (dem.py, by GDAL's Python); those that do not say enough, or would lead elsewhere, are
 * refused. All in one process, which loads GDAL once. */
/* tests: input/dem */
/* build: commands */
#include "folder.h"
#include "unit.h"

#include "commands/cli.h"
#include "dem/dem_parts.h"
#include "raster/projection.h"
#include "raster/raster.h"
#include "text/textfile.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS_MOST = 24, LINE = 4096 };

static bool has_python(void)
{
    return !system("/usr/bin/python3 -c 'from osgeo import gdal; import numpy' 2>/dev/null");
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Runs words with blanks (or tabs) between them, in which @ is the folder; the status. */
static int run(struct error *e, const char *line)
{
    char text[LINE], shown[LINE + 8], *word[WORDS_MOST + 1] = {"dem"}, *rest = NULL;
    int count = 1;
    size_t size = 0;
    for (; *line && size < sizeof text - 256; line++)
        if (*line == '@') size += (size_t)snprintf(text + size, 256, "%s", dir.path);
        else text[size++] = *line;
    text[size] = '\0';
    snprintf(shown, sizeof shown, "dem %s", text);
    for (char *w = strtok_r(text, " \t\n", &rest); w && count < WORDS_MOST;
         w = strtok_r(NULL, " \t\n", &rest))
        word[count++] = w;
    word[count] = NULL;
    FREED void *request = calloc(1, command_dem.size);
    assert_non_null(request);
    memcpy(request, command_dem.defaults, command_dem.size);
    FREED char *again = text_format("sciara %s", shown);
    memcpy((char *)request + command_dem.again, &again, sizeof again);
    *e = (struct error){0};
    const int status = options_parse(&command_dem, request, count, word, e);
    const int done = status ? status : command_dem.run(request, e);
    cli_name_options(&command_dem, e);
    return done;
}

static void make(const char *line)
{
    struct error e;
    if (run(&e, line)) fail_msg("%s: %s", line, e.text);
}

/* Refused with a line that has `why`, and nothing is written. */
static void refused(const char *why, const char *words)
{
    char line[LINE], path[512];
    struct error e;
    snprintf(line, sizeof line, "%s --quiet --output @/no.tif", words);
    snprintf(path, sizeof path, "%s/no.tif", dir.path);
    assert_int_equal(run(&e, line), ERROR_INPUT);
    if (!strstr(e.text, why)) fail_msg("%s: '%s' is not in: %s", words, why, e.text);
    assert_true(access(path, F_OK));
}

/* ---- the sources ----------------------------------------------------------------------------- */

static void python(const char *what)
{
    char command[600];
    snprintf(command, sizeof command, "/usr/bin/python3 tests/input/dem.py %s %s", what, dir.path);
    if (system(command)) fail_msg("%s", command);
}

static void test_sources(void **state)
{
    char path[512], line[LINE], command[LINE];
    python("make");
    snprintf(path, sizeof path, "%s/commands", dir.path);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char *words = strchr(line, '\t');
        assert_non_null(words);
        *words++ = '\0';
        snprintf(command, sizeof command, "%.3500s --quiet --output @/%.100s.tif", words, line);
        make(command);
    }
    fclose(f);
    python("check");
}

/* It is a terrain as any, to what reads a case. */
static void check_own(const char *name, int rows, int cols, double cell_m, int epsg)
{
    char path[512], said[RASTER_UNIT_SAID];
    struct raster_unit unit;
    struct raster r;
    struct error e;
    snprintf(path, sizeof path, "%s/%s", dir.path, name);
    if (raster_read(&r, path, 0, &e)) fail_msg("%s", e.text);
    assert_true(r.rows == rows && r.cols == cols && r.geo.cell_m == cell_m &&
                r.geo.crs.epsg == epsg && r.missing == 0);
    assert_int_equal(raster_find_unit(&unit, &r, said, path, &e), 0);
    assert_string_equal(said, "metre");
    raster_free(&r);
}

/* It has some, and no height that is not on the slope. */
static void check_holes(const char *name)
{
    char path[512];
    struct raster r;
    struct error e;
    snprintf(path, sizeof path, "%s/%s", dir.path, name);
    if (raster_read(&r, path, 0, &e)) fail_msg("%s", e.text);
    assert_true(r.missing > 0 && r.missing < (size_t)(r.rows * r.cols / 2));
    for (int i = 0; i < r.rows * r.cols; i++)
        if (!isnan(r.value[i])) assert_true(r.value[i] > 200 && r.value[i] < 2600);
    raster_free(&r);
}

/* ---- holes that are filled ------------------------------------------------------------------------ */

enum { FILL_ROWS = 20, FILL_COLS = 30, FILL_ABOVE = 3, FILL_BELOW = 2, FILL_MOST = 5 };

static float plane_m(int row, int col)
{
    return (float)(1000 + 3 * row - 7 * col);
}

/* Of four neighbours, the nearer the heavier, a plane is filled as it was, whatever the form of its holes. */
static void test_fill(void **state)
{
    static const struct window holes[] = {
        {5, 5, 5, 5},                   /* as wide as may be */
        {5, 14, 5, 6},  {12, 5, 6, 5},  /* wider */
        {12, 14, 2, 5}, {14, 14, 3, 1}, /* with a corner in it */
        {3, 22, 1, 1},  {2, 25, 2, 2},  /* the second reaches into the rows above */
        {9, 0, 2, 2},   {9, 28, 1, 2},  /* at the edge */
    };
    static const bool kept[] = {[1] = true, [2] = true, [7] = true, [8] = true};
    float cell[FILL_ROWS][FILL_COLS];
    bool hole[FILL_ROWS][FILL_COLS] = {{false}}, stays[FILL_ROWS][FILL_COLS] = {{false}};
    size_t count = 7, wanted = 7;
    struct error e;
    for (int row = 0; row < FILL_ROWS; row++)
        for (int col = 0; col < FILL_COLS; col++) {
            for (size_t i = 0; i < sizeof holes / sizeof *holes; i++)
                if (window_place(holes[i], row, col) != SIZE_MAX) {
                    hole[row][col] = true;
                    stays[row][col] = row < FILL_ABOVE || (i < sizeof kept && kept[i]);
                }
            wanted += hole[row][col] && !stays[row][col];
            cell[row][col] = hole[row][col] ? DEM_NO_DATA : plane_m(row, col);
        }
    assert_true(wanted > 7 + 40);
    must(dem_fill(&count, cell[FILL_ABOVE], FILL_COLS, FILL_ABOVE,
                  FILL_ROWS - FILL_ABOVE - FILL_BELOW, FILL_BELOW, FILL_MOST, &e),
         &e);
    assert_int_equal(count, wanted);
    for (int row = 0; row < FILL_ROWS; row++)
        for (int col = 0; col < FILL_COLS; col++)
            if (stays[row][col]) assert_true(cell[row][col] == DEM_NO_DATA);
            else assert_true(fabsf(cell[row][col] - plane_m(row, col)) < 1e-3f);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void test_refusals(void **state)
{
    static const char *const wrong[][2] = {
        {"the unit of its map is 0.30480", "@/ft_us_said-source.tif"},
        {"give --heights m, ft or us-ft", "@/ft_us_said-source.tif"},
        {"declares its heights in US survey foot, not in metre; omit --heights",
         "@/ft_us_by_band-source.tif --heights m"},
        {"names no CRS; give --source-crs", "@/no_crs-source.tif"},
        {"names no vertical CRS; give --source-vertical", "@/degrees-source.tif --vertical 5773"},
        {"EPSG:32633 has no heights", "@/geoid-source.tif --vertical 32633"},
        {"has another vertical CRS than",
         "@/geoid-source.tif @/ellipsoid-source.tif --vertical 4979"},
        {"tude can be 4", "@/utm-source.tif --source-crs 4326"},
        {"a height of -327", "@/hole_said-source.tif --nodata none"},
        {"marks no data, give --nodata", "@/hole_said-source.tif --nodata none"},
        {"give the number that marks no data in the sources, or none",
         "@/hole_said-source.tif --nodata abc"},
        {"if both this number and -1 mark no data, replace one of them",
         "@/hole_said-source.tif --nodata -1"},
        {"no cell of the terrain has a height",
         "@/scaled-source.tif --around=37.75,14.99 --km 0.05"},
        {"no cell of the terrain has a height", "@/utm-source.tif --cell 100000"},
        {"has no height where the terrain has any",
         "@/utm-source.tif --against @/datum-source.tif"},
        {"mark no data are averaged into heights", "@/blend-source.tif --cell 300"},
        {"no source covers", "@/utm-source.tif --around=38.75,14.99"},
        {"UTM has no zone at latitude 85.5; give --crs EPSG:", "@/pole-source.tif"},
        {"is not in degrees, and coordinates in metres need a CRS; give LAT,LON",
         "@/utm-source.tif --around=137.75,15"},
        {"--km 0: give kilometres, a number above 0",
         "@/utm-source.tif --around=37.75,14.99 --km 0"},
        {"--cell 0: give metres, a number above 0", "@/utm-source.tif --cell 0"},
        {"--km: has no effect without --around; add", "@/utm-source.tif --km 3"},
        {"--vent: has no effect without --case", "@/utm-source.tif --vent 37.75,14.99"},
        {"--hours: has no effect without --case", "@/utm-source.tif --hours 3"},
        {"--source-vertical: has no effect without --vertical",
         "@/utm-source.tif --source-vertical 5773"},
        {"coordinates in metres need a CRS", "@/utm-source.tif --around=500000,4180000"},
        {"EPSG:4326 is not a projected CRS in metres", "@/utm-source.tif --crs 4326"},
        {"metres of EPSG:3857 differ from metres on the ground by 26.9 % here; give --crs "
         "EPSG:32633",
         "@/utm-source.tif --crs 3857"},
        {"by 5.6 % here; give --crs EPSG:32633", "@/degrees-source.tif --crs 32637"},
        {"EPSG:32601 is not for latitude 37.75, longitude 14.99, where the part that is asked for "
         "lies; give --crs "
         "EPSG:32633",
         "@/degrees-source.tif --crs 32601"}, /* beyond the pole */
        {"differ from metres on the ground by 3.03 % here; give --crs EPSG:5041",
         "@/over_pole.tif --crs 3413"},
        {"the part that is asked for has no coordinates in EPSG:3031; give another CRS by --crs",
         "@/over_pole.tif --crs 3031"},
        {"its coordinates look like degrees, from 14.9792 to 15.0008 and 37.7392 to 37.7608, but "
         "EPSG:32633 is projected; omit --source-crs",
         "@/degrees-source.tif --source-crs 32633"},
        {"but one covers the place with the two exchanged; give --around 37.75,14.99",
         "@/degrees-source.tif --around 14.99,37.75"},
        {"with latitude and longitude exchanged; give --extent WEST,",
         "@/degrees-source.tif --extent 37.74,14.98,37.76,15"},
        {"give WEST,SOUTH,EAST,NORTH", "@/degrees-source.tif --extent 14.98,37.74,14.98,37.76"},
        {"has several rasters z1, z2; name one of them, as ", "@/variables.nc"},
        {"has other rasters z1, z2; name one", "@/variables.nc:z3"},
        {"has one raster; name it without :z", "@/conventions.nc:z"},
        {"has one raster; name it without :z", "@/utm-source.tif:z"},
        {"EPSG:2242 is not a projected CRS in metres", "@/utm-source.tif --crs epsg:2242"},
        {"larger cells", "@/utm-source.tif --around=37.75,14.99 --km 4000 --cell 1"},
        {"--cell and --like contradict", "@/utm-source.tif --like @/like-grid.tif --cell 5"},
        {"--crs and --like contradict", "@/utm-source.tif --like @/like-grid.tif --crs utm"},
        {"--around and --like contradict",
         "@/utm-source.tif --like @/like-grid.tif --around=37.75,14.99"},
        {"--around and --extent contradict",
         "@/utm-source.tif --around=37.75,14.99 --extent 1,2,3,4"},
        {"not in metres of", "@/utm-source.tif --like @/degrees-source.tif"},
        {"not recognized", "@/commands"},
        {"No such file", "@/none.tif"},
        {"give 37.75,14.99 or X,Y", "@/utm-source.tif --around 37.75"},
        {"give 37.75,14.99 or X,Y", "@/utm-source.tif --around 37.75,x"},
        {"give WEST,SOUTH,EAST,NORTH", "@/utm-source.tif --extent 1,2,3"},
        {"give WEST,SOUTH,EAST,NORTH", "@/utm-source.tif --extent 1,5,2,3"},
        {"give EPSG:CODE, or utm", "@/utm-source.tif --crs 12"},
        {"give m, ft, us-ft", "@/utm-source.tif --heights furlong"},
        {"--km", "@/utm-source.tif --around=37.75,14.99 --km -1"},
    };
    struct error e;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) refused(wrong[i][0], wrong[i][1]);
    char path[512];
    snprintf(path, sizeof path, "%s/polar.asc", dir.path);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("ncols 360\nnrows 4\nxllcorner -180\nyllcorner 86\ncellsize 1\n", f);
    for (int i = 0; i < 4 * 360; i++) fprintf(f, "%d\n", 100 + i % 7);
    fclose(f);
    refused("in degrees, and the part that is asked for comes nearer to a pole than latitude 85",
            "@/polar.asc --source-crs 4326 --crs 5041 --heights m --cell 9000");
    assert_int_equal(run(&e, "@/utm-source.tif"), ERROR_INPUT);
    assert_non_null(strstr(e.text, "--output"));
    static const char *const names[][2] = {
        {"no.png", "a terrain is a GeoTIFF; give a name that ends in .tif"},
        {"", "is a folder; name a file in it"}};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "@/utm-source.tif --output @/%s", names[i][0]);
        assert_int_equal(run(&e, path), ERROR_INPUT);
        assert_non_null(strstr(e.text, names[i][1]));
    }
    check_own("tiles.tif", 68, 68, 30, 32633);
}

/* No data that is not declared is refused where it is as the source has it, and the command that is proposed makes holes
 * of it; with --nodata none it is a height. */
static void test_marks(void **state)
{
    static const struct {
        const char *mark, *of, *words;
    } cases[] = {
        {"-9999", "@/mark_1-source.tif", ""},
        {"-9999", "@/mark_1-source.tif", "--cell 200"},
        {"-9999", "@/mark_1-source.tif", "--heights ft --fill 2"}, /* -3048 m */
        {"-32768", "@/mark_2-source.tif", "--heights ft"},         /* -9987 m */
        {"-32767", "@/mark_3-source.tif", ""},
        {"-99999", "@/mark_4-source.tif", "--cell 200"},
        {"65535", "@/mark_5-source.tif", ""}, /* 6,553 m */
        {"0", "@/mark_6-source.tif", ""},
        {"-4321", "@/mark_7-source.tif", ""},
    };
    char line[LINE], why[128];
    struct error e;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(line, sizeof line, "%s --around=37.75,14.99 --km 0.8 %s", cases[i].of,
                 cases[i].words);
        snprintf(why, sizeof why, ": 100 cells are %s, and no other is as %s; ", cases[i].mark,
                 *cases[i].mark == '6' ? "high" : "low");
        refused(why, line);
        strcat(line, " --quiet --replace --output @/mark.tif");
        assert_int_equal(run(&e, line), ERROR_INPUT);
        const char *command = strstr(e.text, ": sciara dem ");
        assert_non_null(command);
        make(command + strlen(": sciara dem "));
        check_holes("mark.tif");
    }
    make("@/greenwich-source.tif --extent 359.995,-17.503,360.005,-17.497 --cell 30 --quiet "
         "--output @/end_of_turn.tif");
    /* across the antimeridian, with the greater part in the last zone or in the first */
    make(
        "@/both_sides_0.tif @/both_sides_1.tif --extent 179.995,-17.503,-179.998,-17.497 --cell 30 "
        "--quiet --output @/zone_60.tif");
    check_own("zone_60.tif", 24, 26, 30, 32760);
    make(
        "@/both_sides_0.tif @/both_sides_1.tif --extent 179.998,-17.503,-179.995,-17.497 --cell 30 "
        "--quiet --output @/zone_1.tif");
    check_own("zone_1.tif", 24, 26, 30, 32701);
    make("@/mark_1-source.tif --quiet --nodata none --replace --cell 30 --output @/mark.tif");
    refused(": 72 cells are -9999, and no other", "@/mark_9-source.tif"); /* the last row */
    make("@/mark_8-source.tif --quiet --output @/sea.tif"); /* a coast: 0 is the sea */
}

/* Of many sources twenty are named, and how many more there are; then comes what is said of all. */
static void test_many_sources(void **state)
{
    struct dem_source_said said[22] = {{.name = "a.tif", .crs = "EPSG:4979", .unit = "metre"}};
    for (int i = 1; i < 22; i++) said[i] = said[0];
    struct dem_result r = {.source = said};
    struct dem_request q = {.resample = "bilinear", .vertical = 5773, .from = "here"};
    const struct dem d = {.q = &q, .r = &r};
    for (q.source_count = 20; q.source_count <= 22; q.source_count += 2) {
        FREED char *text = dem_about(&d);
        assert_non_null(text);
        const char *end = text;
        for (const char *at; (at = strstr(end + 1, "metre)"));) end = at;
        assert_string_equal(end, q.source_count == 20
                                     ? "metre), heights above EPSG:5773, from here"
                                     : "metre) and 2 more, heights above EPSG:5773, from here");
    }
}

/* What test_sources made of it, where PROJ has its database alone. */
static void test_missing_grid(void **state)
{
    static const char *const name[] = {"PROJ_DATA", "PROJ_USER_WRITABLE_DIRECTORY"};
    char path[512], *was[2];
    check_own("to_ellipsoid.tif", 48, 48, 30, 32633);
    PJ_CONTEXT *context = projection_context();
    assert_non_null(context);
    snprintf(path, sizeof path, "%s/proj", dir.path);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/proj/proj.db", dir.path);
    assert_int_equal(symlink(proj_context_get_database_path(context), path), 0);
    proj_context_destroy(context);
    *strrchr(path, '/') = '\0';
    for (int i = 0; i < 2; i++) {
        was[i] = getenv(name[i]) ? strdup(getenv(name[i])) : NULL;
        setenv(name[i], path, 1);
    }
    refused("needs the grid us_nga_egm96_15.tif, which", "@/geoid-source.tif --vertical 4979");
    for (int i = 0; i < 2; i++) {
        if (was[i]) setenv(name[i], was[i], 1);
        else unsetenv(name[i]);
        free(was[i]);
    }
}

static void test_files_there(void **state)
{
    struct error e;
    char link_path[512], name[512];
    assert_int_equal(run(&e, "@/degrees-source.tif --quiet --output @/utm.tif"), ERROR_INPUT);
    assert_non_null(strstr(e.text, "utm.tif: exists; give another name, or --replace"));
    check_own("utm.tif", 48, 48, 30, 32633);
    make("@/degrees-source.tif --around=37.75,14.99 --km 0.3 --cell 10 --quiet --replace --output "
         "@/utm.tif");
    check_own("utm.tif", 60, 60, 10, 32633);
    snprintf(link_path, sizeof link_path, "%s/link.tif", dir.path);
    assert_int_equal(symlink("degrees-source.tif", link_path), 0);
    static const char *const same[][2] = {{"degrees-source.tif", "degrees-source.tif"},
                                          {"degrees-source.tif", "link.tif"},
                                          {"vrt-source.vrt", "tile_01.tif"},
                                          {"zip-source.zip", "zip-source.zip"},
                                          {"zip-source.zip:folder/tile.tif", "zip-source.zip"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        snprintf(name, sizeof name, "@/%s --quiet --replace --output @/%s", same[i][0], same[i][1]);
        assert_int_equal(run(&e, name), ERROR_INPUT);
        assert_non_null(strstr(e.text, strstr(same[i][1], ".zip") ? "a name that ends in .tif"
                                                                  : "is a source"));
    }
}

/* ---- what it checks itself ------------------------------------------------------------------- */

static void test_checks(void **state)
{
    static const char part[] = "--around=37.75,14.99 --km 0.6 --cell 30";
    static const char *const wrong[][3] = {
        {"the terrain are 40 m below the heights of", "@/degrees-source.tif",
         "--against @/raised.tif"},
        {"the terrain are 40 m above the heights of", "@/raised.tif", "--against @/geoid.tif"},
        {"the terrain are 0.3048 times the heights of", "@/degrees-source.tif",
         "--against @/feet.tif"},
        {"the terrain are 3.281 times the heights of", "@/feet.tif", "--against @/scaled.tif"},
        {"another vertical datum", "@/degrees-source.tif @/raised.tif", ""},
        {"a source are 3.281 times the heights of another one", "@/feet.tif @/degrees-source.tif",
         ""},
    };
    char line[LINE];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(line, sizeof line, "%s %s %s", wrong[i][1], wrong[i][2], part);
        refused(wrong[i][0], line);
    }
    refused("the terrain are 40 m above", "@/raised.tif --like @/utm.tif");
    make("@/degrees-source.tif @/utm-source.tif --like @/like-grid.tif --against @/geoid.tif "
         "--quiet --output @/good.tif");
}

/* ---- a case of it ---------------------------------------------------------------------------- */

static void check_text(const char *name, const char *right)
{
    char path[512];
    FREED char *text = NULL;
    size_t size;
    struct error e;
    snprintf(path, sizeof path, "%s/%s", dir.path, name);
    if (textfile_load(&text, &size, path, &e)) fail_msg("%s", e.text);
    assert_string_equal(text, right);
}

/* Of a case that a run refuses nothing is left, and nothing is replaced; the names are those that the files would have. */
static void check_whole_case(void)
{
    static const char part[] = "@/degrees-source.tif --around=37.75,14.99 --km 0.6 --quiet --case";
    static const char *const wrong[][2] = {
        {"--vent 37.5,14", "-vents.csv:2: the vent at 411"},
        {"--hours 1e9", ".cfg:5: run_h is 1.5e+09"},
        {"--cell 600", ".tif: has 2 x 2 cells"},
    };
    struct error e;
    char line[LINE];
    FREED char *before = NULL, *after = NULL;
    size_t size, more;
    const int files = count_files(dir.path);
    char hidden[600];
    snprintf(hidden, sizeof hidden, "! ls -A %s | grep -q '^[.]sciara'", dir.path);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(line, sizeof line, "%s %s --output @/never.tif", part, wrong[i][0]);
        assert_int_equal(run(&e, line), ERROR_INPUT);
        if (!strstr(e.text, "never") || !strstr(e.text, wrong[i][1])) fail_msg("%s", e.text);
        assert_null(strstr(e.text, ".sciara-"));
        assert_int_equal(count_files(dir.path), files);
        assert_int_equal(system(hidden), 0);
    }
    snprintf(line, sizeof line, "%s --output @/#kept\"it.tif", part);
    make(line);
    assert_int_equal(count_files(dir.path), files + 4);
    check_text("#kept\"it.cfg",
               "title \"#kept\"it\"\ndem \"#kept\"it.tif\"\nvents \"#kept\"it-vents.csv\"\n"
               "rates \"#kept\"it-rates.csv\"\nrun_h 36\n"
               "# `sciara parameters` lists the sets; its cells: calibrated_cell_m\n"
               "parameters etna-2006\n");
    char path[512];
    snprintf(path, sizeof path, "%s/#kept\"it.tif", dir.path);
    if (textfile_load(&before, &size, path, &e)) fail_msg("%s", e.text);
    snprintf(line, sizeof line, "%s --replace --cell 25 --vent 37.5,14 --output @/#kept\"it.tif",
             part);
    assert_int_equal(run(&e, line), ERROR_INPUT);
    if (textfile_load(&after, &more, path, &e)) fail_msg("%s", e.text);
    assert_true(size == more && !memcmp(before, after, size));
    snprintf(line, sizeof line, "%s --output @/a\vb.tif", part);
    assert_int_equal(run(&e, line), ERROR_INPUT);
    assert_non_null(strstr(e.text, "cannot be named in a case"));
    assert_int_equal(count_files(dir.path), files + 4);
    make("@/over_pole.tif --crs 5041 --cell 100 --quiet --case --output @/pole_case.tif");
}

static void test_case(void **state)
{
    struct error e;
    char path[512];
    make("@/degrees-source.tif --around=37.75,14.99 --km 0.6 --cell 10 --quiet --case --output "
         "@/a.tif");
    check_text("a-vents.csv", "vent,lat,lon\n1,37.75,14.99\n");
    check_text("a-rates.csv", "vent,from_h,to_h,rate_m3_s\n1,0,24,10\n");
    make("@/degrees-source.tif --around=37.75,14.99 --km 0.6 --cell 10 --quiet --case --replace "
         "--vent 499123.5,4178201 --rate 2.5 --hours 6 --parameters etna-2006 --output @/a.tif");
    check_text("a-vents.csv", "vent,x,y\n1,499123.5,4178201\n");
    check_text("a-rates.csv", "vent,from_h,to_h,rate_m3_s\n1,0,6,2.5\n");
    check_text("a.cfg", "title a\ndem a.tif\nvents a-vents.csv\nrates a-rates.csv\nrun_h 9\n"
                        "# `sciara parameters` lists the sets; its cells: calibrated_cell_m\n"
                        "parameters etna-2006\n");
    snprintf(path, sizeof path, "%s/a.tif", dir.path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(run(&e, "@/degrees-source.tif --quiet --case --output @/a.tif"), ERROR_INPUT);
    assert_non_null(strstr(e.text, "a.cfg: exists"));
    assert_int_equal(run(&e, "@/degrees-source.tif --quiet --case --parameters x --output @/b.tif"),
                     ERROR_INPUT);
    snprintf(path, sizeof path, "%s/b.tif", dir.path);
    assert_true(access(path, F_OK)); /* nothing is written before all of it is checked */
    check_whole_case();
}

/* ---- files that lead elsewhere --------------------------------------------------------------- */

/* An archive that says of two files that they unpack to 3.7 GiB each. */
static const char bomb[] = "import sys, zipfile, struct\n"
                           "path = sys.argv[1] + '/bomb.zip'\n"
                           "with zipfile.ZipFile(path, 'w') as z:\n"
                           "    z.writestr('a.tif', 'x' * 99)\n    z.writestr('b.tif', 'x' * 99)\n"
                           "text = bytearray(open(path, 'rb').read())\n"
                           "at = text.find(b'PK\\1\\2')\n"
                           "while at >= 0:\n"
                           "    text[at + 24:at + 28] = struct.pack('<I', 0xf0000000)\n"
                           "    at = text.find(b'PK\\1\\2', at + 4)\n"
                           "open(path, 'wb').write(text)\n";

static void write_vrt(const char *name, int side, const char *source)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", dir.path, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f,
            "<VRTDataset rasterXSize=\"%d\" rasterYSize=\"%d\"><SRS>EPSG:32633</SRS><GeoTransform>"
            "500000,30,0,4180000,0,-30</GeoTransform><VRTRasterBand dataType=\"Float32\" "
            "band=\"1\"><SimpleSource><SourceFilename relativeToVRT=\"1\">%s</SourceFilename>"
            "</SimpleSource></VRTRasterBand></VRTDataset>",
            side, side, source);
    fclose(f);
}

static void test_hostile(void **state)
{
    char command[2048], path[512];
    write_vrt("net.vrt", 9, "/vsicurl/http://127.0.0.1:9/x.tif");
    refused("names /vsicurl/http://127.0.0.1:9/x.tif, which is not followed", "@/net.vrt");
    write_vrt("huge.vrt", 2000000000, "utm-source.tif"); /* (would take days) */
    refused("the part that is asked for lies on 2320009 x 151009 cells of it",
            "@/huge.vrt --cell 1000000");
    snprintf(path, sizeof path, "%s/device.tif", dir.path);
    assert_int_equal(symlink("/dev/zero", path), 0);
    refused("device.tif: ", "@/device.tif");
    snprintf(command, sizeof command, "/usr/bin/python3 -c \"%s\" %s", bomb, dir.path);
    assert_int_equal(system(command), 0);
    refused("unpacks to 7.5 GiB", "@/bomb.zip");
}

int main(void)
{
    if (!has_python()) {
        puts("skipped: there is no Python package of GDAL");
        return 0;
    }
    return UNIT_RUN_IN(NULL, NULL, folder_create, folder_remove, test_sources, test_fill,
                       test_refusals, test_many_sources, test_missing_grid, test_marks,
                       test_files_there, test_checks, test_case, test_hostile);
}
