/* terrain_background.c — roads, houses, a stream, a pond and names on the volcano, for a first map; they are synthetic
 * like the ground. Lava reaches the main road and, on a small volcano, the village below. */
#include "terrain.h"

#include <stdio.h>

enum { POSITIONS_MOST = 9, HOUSE_M = 24 };

static const struct shape {
    const char *type, *open, *close;
} point = {"Point", "", ""}, line = {"LineString", "[", "]"}, area = {"Polygon", "[[", "]]"};

/* Positions in the coordinates of terrain_place(). */
static const struct feature {
    const char *attributes;
    const struct shape *shape;
    int count;
    short at[POSITIONS_MOST][2];
} features[] = {
    {"\"highway\": \"primary\", \"name\": \"Strada del Vallone\"",
     &line,
     9,
     {{3300, -5400},
      {3900, -3300},
      {3700, -1700},
      {4250, -500},
      {4150, 900},
      {4500, 2300},
      {4300, 3300},
      {4900, 4700},
      {5300, 6600}}},
    {"\"highway\": \"residential\"",
     &line,
     6,
     {{4300, 3300}, {5100, 2700}, {5900, 1900}, {6500, 1700}, {6950, 1250}, {7800, 1150}}},
    {"\"highway\": \"track\"",
     &line,
     6,
     {{3700, -1700}, {2900, -1350}, {2300, -1000}, {1500, -900}, {900, -300}, {350, -350}}},
    {"\"waterway\": \"stream\", \"name\": \"Torrente Secco\"",
     &line,
     6,
     {{2300, 2900}, {3300, 2550}, {4500, 2700}, {5600, 2350}, {6600, 2500}, {7800, 2300}}},
    {"\"natural\": \"water\"",
     &area,
     6,
     {{5900, -2500}, {6150, -2700}, {6450, -2600}, {6500, -2300}, {6200, -2150}, {5900, -2500}}},
    {"\"place\": \"village\", \"name\": \"Borgo Basso\"", &point, 1, {{6800, 1500}}},
    {"\"place\": \"hamlet\", \"name\": \"Case Vecchie\"", &point, 1, {{4800, 3400}}},
    {"\"place\": \"hamlet\", \"name\": \"Rifugio\"", &point, 1, {{1500, -1200}}},
};
/* Centres of the houses, in the coordinates of terrain_place(). */
static const short houses[][2] = {{1500, -1050}, {6350, 1500}, {6500, 1950},
                                  {6650, 1250},  {6750, 1750}, {6950, 1000},
                                  {7050, 1500},  {4700, 3150}, {4650, 3600}};

static void write_position(const struct terrain *t, FILE *f, double east_m, double south_m,
                           int aside_m, int up_m)
{
    double xy[2];
    terrain_place(t, east_m, south_m, xy);
    fprintf(f, "[%.2f, %.2f]", xy[0] + aside_m, xy[1] + up_m);
}

/* Writes a line with bends in place of corners: each bend leads from the middle of a segment to the middle of the
 * next. */
static void write_bends(const struct terrain *t, FILE *f, const struct feature *o)
{
    enum { PIECES = 5 };
    for (int k = 1; k + 1 < o->count; k++)
        for (int i = 0; i <= PIECES; i++) {
            const double u = (double)i / PIECES, before = (1 - u) * (1 - u) / 2, after = u * u / 2;
            double at[2];
            for (int j = 0; j < 2; j++)
                at[j] = before * o->at[k - 1][j] + (1 - before - after) * o->at[k][j] +
                        after * o->at[k + 1][j];
            fputs(", ", f);
            write_position(t, f, at[0], at[1], 0, 0);
        }
    fputs(", ", f);
}

static void write_start(FILE *f, const char *attributes, const char *type)
{
    fprintf(f,
            "{\"type\": \"Feature\", \"properties\": {%s}, \"geometry\": {\"type\": \"%s\", "
            "\"coordinates\": ",
            attributes, type);
}

static void write_houses(const struct terrain *t, FILE *f)
{
    static const int corner[][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    const int count = sizeof houses / sizeof *houses, corners = sizeof corner / sizeof *corner;
    write_start(f, "\"building\": \"yes\"", "MultiPolygon");
    for (int i = 0; i < count; i++)
        for (int k = 0; k < corners; k++) {
            fputs(k ? ", " : i ? ", [[" : "[[[", f);
            write_position(t, f, houses[i][0], houses[i][1], HOUSE_M / 2 * corner[k][0],
                           HOUSE_M / 2 * corner[k][1]);
            if (k == corners - 1) fputs("]]", f);
        }
    fputs("]}}\n", f);
}

void terrain_write_background(const struct terrain *t, FILE *f)
{
    fprintf(f,
            "{\"type\": \"FeatureCollection\", \"crs\": {\"type\": \"name\", \"properties\": "
            "{\"name\": \"urn:ogc:def:crs:EPSG::%d\"}},\n\"features\": [\n",
            t->epsg);
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        const struct feature *o = &features[i];
        write_start(f, o->attributes, o->shape->type);
        const int last = o->count - 1;
        fputs(o->shape->open, f);
        write_position(t, f, o->at[0][0], o->at[0][1], 0, 0);
        if (last > 0) {
            write_bends(t, f, o);
            write_position(t, f, o->at[last][0], o->at[last][1], 0, 0);
        }
        fprintf(f, "%s}},\n", o->shape->close);
    }
    write_houses(t, f);
    fputs("]}\n", f);
}
