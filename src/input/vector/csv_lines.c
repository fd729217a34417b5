/* csv_lines.c — reads lines and areas from a CSV. Rows with the same name are the positions of one line or area, in
 * order. */
#include "build.h"
#include "draw_cells.h"

#include "text/csv.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct columns {
    int id, x, y, kind;
    int wanted[CSV_MAX_COLUMNS];
};

static int find_columns(struct columns *c, const struct csv *t, const char *id, struct build *b)
{
    const bool points = b->take & VECTORS_TAKE_POINTS;
    c->id = csv_column(t, id);
    c->x = csv_column(t, "x");
    c->y = csv_column(t, "y");
    c->kind = csv_column(t, "kind");
    for (int i = 0; b->wanted[i]; i++) c->wanted[i] = csv_column(t, b->wanted[i]);
    if (points && (c->x < 0 || c->y < 0)) {
        c->x = csv_column(t, "lon");
        c->y = csv_column(t, "lat");
        snprintf(b->crs.name, sizeof b->crs.name, "longitude and latitude");
        if (!(b->crs.definition = text_format("%s", CRS_DEGREES))) return error_memory(b->e);
    }
    if ((points || c->id >= 0) && c->x >= 0 && c->y >= 0) return 0;
    return points ? csv_refuse(t, b->e,
                               "the header has to have 'x,y' (map coordinates, m) or 'lon,lat'")
                  : csv_refuse(t, b->e, "the header has to have '%s,x,y' (map coordinates, m)", id);
}

/* Warns of a column with a name that is probably a misspelt `kind` or wanted attribute. */
static void look_near(struct vectors *v, const struct csv *t, const char *const *wanted)
{
    const char *names[VECTOR_WANTED_MAX + 2] = {"kind"};
    for (int i = 0; wanted[i] && i < VECTOR_WANTED_MAX; i++) names[i + 1] = wanted[i];
    csv_doubt(t, names, v->about.doubt);
}

/* Ends the last feature, if there is one. Closes an area that the file leaves open. */
static int end_feature(struct build *b)
{
    struct vectors *v = b->v;
    if (!v->features) return 0;
    const struct vector_part *p = &v->part[v->parts - 1];
    const double first[2] = {v->xy[p->first][0], v->xy[p->first][1]},
                 *last = v->xy[p->first + p->count - 1];
    if (p->count == 1 && b->take & VECTORS_TAKE_POINTS)
        v->feature[v->features - 1].kind = VECTOR_POINT;
    const bool open = v->feature[v->features - 1].kind == VECTOR_AREA &&
                      (first[0] != last[0] || first[1] != last[1]);
    int status = open ? build_position(b, first[0], first[1]) : 0;
    if (!status) status = build_part_end(b);
    return status ? status : build_end(b);
}

static int begin_feature(struct build *b, const struct columns *c, const struct csv *t)
{
    const char *kind = c->kind >= 0 ? t->cell[c->kind] : "line";
    const bool area = !strcmp(kind, "area");
    if (!area && *kind && strcmp(kind, "line") != 0)
        return csv_refuse(t, b->e, "kind is neither line nor area; write one of them");
    int status = build_begin(b);
    b->polygons += area;
    return status ? status : build_part(b, area ? VECTOR_AREA : VECTOR_LINE);
}

/* Takes the attributes of a row. A value may stand in one row of its feature, or in several rows if they agree. */
static int take_values(struct build *b, const struct columns *c, const struct csv *t)
{
    const struct vectors *v = b->v;
    int status = 0;
    for (int i = 0; i < v->wanted && !status; i++) {
        const char *text = c->wanted[i] < 0 ? "" : t->cell[c->wanted[i]];
        const char *before = vectors_value(v, v->features - 1, i);
        if (!*text) continue;
        if (before && strcmp(before, text) != 0)
            return csv_refuse(
                t, b->e,
                "%s is '%.40s', but an earlier row of the feature has '%.40s'; make them equal",
                b->wanted[i], text, before);
        status = build_value(b, b->wanted[i], text);
    }
    return status;
}

/* The names of all features so far, as a tree of tsearch(), and the name of the present feature. */
struct names {
    void *tree;
    const char *last;
};

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void names_free(struct names *n)
{
    while (n->tree) {
        FREED char *name = *(char **)n->tree;
        tdelete(name, &n->tree, compare_names);
    }
}

/* Adds the name of a new feature, and refuses a name that an earlier feature has. So rows with the same name have to be
 * consecutive. */
static int add_name(struct names *n, struct build *b, const struct columns *c, const struct csv *t)
{
    char excerpt[48], *name = text_format("%s", t->cell[c->id]);
    char **found = name ? tsearch(name, &n->tree, compare_names) : NULL;
    if (found) n->last = *found;
    if (n->last == name && name) return 0;
    free(name);
    if (!found) return error_memory(b->e);
    return csv_refuse(t, b->e,
                      "the rows of %s '%s' are not consecutive; write them one below the other",
                      t->name[c->id], scan_excerpt(excerpt, t->cell[c->id]));
}

static int take_row(struct build *b, const struct columns *c, const struct csv *t, struct names *n)
{
    double x, y;
    int status = 0;
    const bool named = c->id >= 0 && *t->cell[c->id];
    if (!named || !n->last || strcmp(n->last, t->cell[c->id]) != 0) {
        status = end_feature(b);
        if (!status && named) status = add_name(n, b, c, t);
        if (!status) status = begin_feature(b, c, t);
    }
    if (!status) status = csv_real(t, c->x, &x, b->e);
    if (!status) status = csv_real(t, c->y, &y, b->e);
    if (!status) status = build_position(b, x, y);
    return status ? status : take_values(b, c, t);
}

int vectors_read_csv(struct vectors *v, const char *path, const char *id,
                     const struct vector_grid *grid, int take, const char *const *wanted,
                     struct error *e)
{
    struct build b = {
        .v = v, .path = path, .file = path, .layer = "", .wanted = wanted, .take = take, .e = e};
    struct columns c;
    FREED_BY(csv_close) struct csv t;
    FREED_BY(names_free) struct names names = {0};
    *v = (struct vectors){0};
    while (wanted[v->wanted]) v->wanted++;
    int status = csv_open(&t, path, e);
    if (status) return status;
    file_stamp_of(&v->about.stamp, path);
    status = find_columns(&c, &t, id, &b);
    CSV_EACH (&t, status, e) status = take_row(&b, &c, &t, &names);
    if (!status) status = end_feature(&b);
    if (!status && !v->features) status = csv_refuse(&t, e, "has no rows; add some");
    if (!status) look_near(v, &t, wanted);
    if (!status && take & VECTORS_TAKE_POINTS) status = build_place(&b, grid);
    else if (!status) {
        snprintf(v->about.crs, sizeof v->about.crs, "not named");
        status = measure(v, grid, e);
    }
    free(b.crs.definition);
    if (status) vectors_free(v);
    return status;
}
