/* Names of columns and attributes with a mistake in them, and features without a geometry: what
 * they were meant for is missing, and nobody would know. */
/* tests: input/text */
#include "case/barriers.h"
#include "eruption/vents.h"
#include "plan/member.h"
#include "plan/plan.h"
#include "text/scan.h"

#include <string.h>

#include "plan_files.h"
#include "unit.h"

static void a_mistake_or_two(void **state)
{
    static const struct {
        const char *given, *meant;
        bool is;
    } pairs[] = {
        {"wieght", "weight", true},     {"weights", "weight", true},
        {"WIEGHT", "weight", true},     {"waight", "weight", true},
        {"vnet", "vent", true},         {"probabilty", "probability", true},
        {"nome", "name", true},         {"weight", "weight", false},
        {"Weight", "weight", false},    {"height", "weight", false},
        {"event", "vent", false},       {"comment", "vent", false},
        {"prob", "probability", true},  {"weight (%)", "weight", true},
        {"vent_id", "vent", true},      {"from_h", "from", true},
        {"width", "width_m", true},     {"vent_name", "vent", false},
        {"ventilation", "vent", false}, {"pro", "probability", false},
        {"fid", "id", false},           {"start", "part", false},
        {"date", "part", false},        {"width", "weight", false},
        {"rate", "part", false},        {"id", "kind", false},
        {"heights", "weight", false},   {"hight", "weight", false},
        {"Height_2", "weight", false},  {"heigth_m", "height_m", true},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (scan_misspelt(pairs[i].given, pairs[i].meant) != pairs[i].is)
            fail_msg("%s for %s", pairs[i].given, pairs[i].meant);
    assert_int_equal(scan_distance("wieght", "weight"), 1);
    assert_int_equal(scan_distance("", "abc"), 3);
    assert_int_equal(scan_distance("kitten", "SITTING"), 3);
}

/* The warning of the plan with that text in one file, "": none. */
static const char *warned(const char *file, const char *text, const char *plan)
{
    static char warning[sizeof((struct sim_case *)0)->told.warning];
    struct plan *p;
    struct error e = {0};
    write_plan(&dir);
    put_text(&dir, file, text);
    put_text(&dir, "plan.cfg", plan);
    if (plan_load(&p, scratch_file(&dir, "plan.cfg"), &e)) fail_msg("%s", e.text);
    snprintf(warning, sizeof warning, "%s", p->base.told.warning);
    plan_free(p);
    return warning;
}

static void expect_warning(const char *file, const char *text, const char *plan, const char *says)
{
    const char *warning = warned(file, text, plan);
    char whole[256];
    snprintf(whole, sizeof whole, "%s: %s", scratch_file(&dir, file), says);
    if (!strstr(warning, whole) != !*says) fail_msg("\"%s\": %s", warning, says);
}

#define MISSED(kind, name, meant) kind " '" name "' is ignored; did you mean " meant "?"

static void columns(void **state)
{
    static const char with_shape[] = PLAN_HEAD "vents vents.csv\nclasses classes.csv\nrepeats 2\n";
    expect_warning("list.csv", "vent,row,col,wieght,comment,id\n1,1,1,5,a,1\n2,2,4,3,b,2\n",
                   PLAN_TEXT, MISSED("column", "wieght", "weight"));
    expect_warning("list.csv", "vent,row,col,Probabilty\n1,1,1,1\n", PLAN_TEXT,
                   MISSED("column", "Probabilty", "probability"));
    expect_warning("list.csv", "vent,row,col,pratt\n1,1,1,1\n", PLAN_TEXT, "");
    expect_warning("list.csv", "vent,row,col,parts\n1,1,1,1\n", PLAN_TEXT,
                   MISSED("column", "parts", "part"));
    expect_warning("list.csv", "vent,row,col,weight,height,name\n1,1,1,1,2,a\n", PLAN_TEXT, "");
    expect_warning("vents.csv", "vent,row,col,wieght\n1,2,3,7\n", with_shape, "");
    expect_warning("classes.csv", "class,volume_m3,duration_h,wieght\na,600,1,1\nb,700,1,2\n",
                   with_shape, MISSED("column", "wieght", "weight"));
    expect_warning("classes.csv", "class,volume_m3,duration_h,shpae,origin\na,600,1,waxwane,x\n",
                   with_shape, MISSED("column", "shpae", "shape"));
    expect_warning("classes.csv", "class,weight,volume_m3,duration_h,source\na,1,600,1,x\n",
                   with_shape, "");
    /* of these a table has one alone */
    expect_warning("list.csv", "vent,row,col,weight,prob\n1,1,1,1,50\n", PLAN_TEXT, "");
    expect_warning("classes.csv", "class,probability,volume_m3,duration_h,weights\na,1,600,1,2\n",
                   with_shape, "");
}

#define POINT(properties, x)                                                                       \
    "{\"type\":\"Feature\",\"properties\":{" properties                                            \
    "},\"geometry\":{\"type\":\"Point\",\"coordinates\":[" x ",4000035]}}"
#define POINTS(a, b) "{\"type\":\"FeatureCollection\",\"features\":[" a "," b "]}"
#define OF_POINTS    PLAN_HEAD "vent_list list.json\nclasses classes.csv\nrepeats 2\n"

static void attributes(void **state)
{
    expect_warning("list.json",
                   POINTS(POINT("\"comment\":\"a\",\"Wieght\":2", "500015"),
                          POINT("\"Wieght\":5,\"event\":2001", "500045")),
                   OF_POINTS, MISSED("attribute", "Wieght", "weight"));
    expect_warning("list.json",
                   POINTS(POINT("\"vnet\":7,\"weight\":1", "500015"),
                          POINT("\"vnet\":7,\"weight\":1", "500045")),
                   OF_POINTS, MISSED("attribute", "vnet", "vent"));
    /* where the right one is there, too, another name has another meaning */
    expect_warning("list.json",
                   POINTS(POINT("\"weights\":7,\"weight\":1", "500015"),
                          POINT("\"weights\":7,\"weight\":1", "500045")),
                   OF_POINTS, "");
    expect_warning("list.json",
                   POINTS(POINT("\"name\":\"a\",\"id\":1,\"fid\":3", "500015"),
                          POINT("\"height\":1400,\"date\":null", "500045")),
                   OF_POINTS, "");
    expect_warning("places.json",
                   POINTS(POINT("\"nome\":\"Nicolosi\"", "500015"),
                          POINT("\"nome\":\"Zafferana\",\"use\":1", "500045")),
                   PLAN_TEXT "assets places.json\n", MISSED("attribute", "nome", "name"));
    expect_warning("places.json",
                   POINTS(POINT("\"id\":7", "500015"), POINT("\"use\":\"school\"", "500045")),
                   PLAN_TEXT "assets places.json\n", "");
}

/* A row of a table that somebody forgot to draw. */
static void without_a_geometry(void **state)
{
#define UNDRAWN "{\"type\":\"Feature\",\"properties\":{\"weight\":3},\"geometry\":null}"
    expect_warning("list.json", POINTS(POINT("\"weight\":5", "500015"), UNDRAWN), OF_POINTS,
                   "1 of 2 features has no geometry and is skipped");
    expect_warning("list.json",
                   POINTS(UNDRAWN "," UNDRAWN, POINT("\"weight\":5", "500015") "," UNDRAWN),
                   OF_POINTS, "3 of 4 features have no geometry and are skipped");
}

static void barriers(void **state)
{
    static const char *const says[] = {MISSED("column", "widht_m", "width_m"),
                                       MISSED("column", "from_h", "from"), ""};
    static const char *const text[] = {
        "barrier,x,y,height_m,widht_m\n1,500015,4000035,2,15\n1,500055,4000035,,\n",
        "barrier,x,y,height_m,from_h\n1,500015,4000035,2,6\n1,500055,4000035,,\n",
        "barrier,x,y,height_m,owner\n1,500015,4000035,2,town\n1,500055,4000035,,\n"};
    for (int i = 0; i < 3; i++)
        expect_warning("walls.csv", text[i], PLAN_OF_CASE "barriers walls.csv\n", says[i]);
}

int main(void)
{
    int status = UNIT_RUN_IN(plan_set_up, NULL, NULL, NULL, a_mistake_or_two, columns, attributes,
                             without_a_geometry, barriers);
    scratch_remove(&dir);
    return status;
}
