#include "build.h"

#include "text/grow.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const double COORDINATE_MAX = 1e9; /* a limit that keeps the arithmetic on cells finite */

char *build_layer_word(const struct build *b)
{
    FREED char *word = *b->layer ? text_shell_word(b->layer) : NULL;
    if (*b->layer && !word) return NULL;
    return text_format("%s%s", word ? " " : "", word ? word : "");
}

int build_refuse(struct build *b, const char *what)
{
    return error_input(b->e, "%s: feature %d %s", b->path, b->number, what);
}

static struct vector_feature *last_feature(struct build *b)
{
    return &b->v->feature[b->v->features - 1];
}

static struct vector_part *last_part(struct build *b)
{
    return &b->v->part[b->v->parts - 1];
}

/* ---- features -------------------------------------------------------------------------------- */

int build_begin(struct build *b)
{
    struct vectors *v = b->v;
    b->number++;
    if (v->features == VECTOR_FEATURES_MAX)
        return error_input(b->e, "%s: has more than %d features; split it", b->path,
                           VECTOR_FEATURES_MAX);
    if (!GROW(v->feature, v->features)) return error_memory(b->e);
    for (int i = 0; i < v->wanted; i++) {
        if (!GROW(v->value, v->features * v->wanted + i)) return error_memory(b->e);
        v->value[v->features * v->wanted + i] = NULL;
    }
    v->feature[v->features++] = (struct vector_feature){.number = b->number, .first = v->parts};
    return 0;
}

static void take_away(struct build *b)
{
    struct vectors *v = b->v;
    v->features--;
    for (int i = 0; i < v->wanted; i++) {
        char **value = &v->value[v->features * v->wanted + i];
        free(*value);
        *value = NULL;
    }
}

int build_end(struct build *b)
{
    if (last_feature(b)->count || b->take == VECTORS_TAKE_ROWS) return 0;
    take_away(b);
    b->v->about.empty++;
    return 0;
}

int build_holds(struct build *b, bool *holds)
{
    const int status = where_holds(b, holds);
    if (!*holds) take_away(b);
    return status;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static int refuse_kind(struct build *b, enum vector_kind kind)
{
    static const char *const names[VECTOR_KINDS] = {"points", "lines", "polygons"};
    char give[64] = "", what[128];
    for (int k = 0; k < VECTOR_KINDS; k++)
        if (b->take & 1 << k)
            snprintf(give + strlen(give), sizeof give - strlen(give), "%s%s", *give ? " or " : "",
                     names[k]);
    snprintf(what, sizeof what, "has %s; give %s", names[kind], give);
    return build_refuse(b, what);
}

int build_part(struct build *b, enum vector_kind kind)
{
    struct vectors *v = b->v;
    struct vector_feature *f = last_feature(b);
    if (!(b->take & 1 << kind)) return refuse_kind(b, kind);
    if (f->count && f->kind != kind)
        return build_refuse(b, "mixes points, lines and polygons; make a feature of each");
    if (!APPEND(v->part, v->parts, (struct vector_part){v->positions, 0, b->polygons}))
        return error_memory(b->e);
    f->kind = kind;
    f->count++;
    return 0;
}

int build_position(struct build *b, double x, double y)
{
    struct vectors *v = b->v;
    if (!(fabs(x) <= COORDINATE_MAX && fabs(y) <= COORDINATE_MAX)) /* NaN too */
        return build_refuse(
            b, "has a position that is not a pair of numbers below 1e9; correct its coordinates");
    if (v->positions == VECTOR_POSITIONS_MAX)
        return error_input(b->e, "%s: has more than %d positions; simplify its lines", b->path,
                           VECTOR_POSITIONS_MAX);
    if (!grow_position(&v->xy, &v->positions, x, y)) return error_memory(b->e);
    last_part(b)->count++;
    return 0;
}

int build_part_end(struct build *b)
{
    const struct vector_part *p = last_part(b);
    const enum vector_kind kind = last_feature(b)->kind;
    if (kind == VECTOR_AREA && p->count < 4)
        return build_refuse(b, "has a ring of less than four positions; close it where it began");
    if (!p->count) return build_refuse(b, "has a part without a position; export it again");
    if (kind != VECTOR_AREA) return 0;
    double(*xy)[2] = b->v->xy + p->first;
    if (xy[0][0] != xy[p->count - 1][0] || xy[0][1] != xy[p->count - 1][1])
        return build_refuse(b, "has a ring that does not end where it began; close it");
    return 0;
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* Returns the index of a name among the wanted attributes; -1: it is not wanted. */
static int find_wanted(const struct build *b, const char *name)
{
    enum { SHORT = 10 };
    for (int i = 0; i < b->v->wanted; i++) {
        if (!strcasecmp(b->wanted[i], name)) return i;
        if (b->format == VECTOR_FORMAT_SHAPEFILE && strlen(name) == SHORT &&
            !strncasecmp(b->wanted[i], name, SHORT))
            return i; /* a Shapefile cuts names of attributes to 10 bytes */
    }
    return -1;
}

bool build_wants(struct build *b, const char *name)
{
    const bool wants = find_wanted(b, name) >= 0;
    if (!wants) {
        /* Only the first features are searched: later features rarely have other names. */
        enum { FEATURES = 1000 };
        for (int i = 0; i < b->v->wanted && i < VECTOR_WANTED_MAX && b->number <= FEATURES; i++)
            if (!*b->doubt[i] && scan_misspelt(name, b->wanted[i])) scan_excerpt(b->doubt[i], name);
    }
    return wants;
}

void build_doubt(struct build *b)
{
    char *to = b->v->about.doubt;
    for (int i = 0; i < b->v->wanted && i < VECTOR_WANTED_MAX && !*to; i++)
        if (*b->doubt[i] && !vectors_any_has(b->v, i))
            snprintf(to, sizeof b->v->about.doubt, "attribute '%s' is ignored; did you mean %.40s?",
                     b->doubt[i], b->wanted[i]);
}

int build_value(struct build *b, const char *name, const char *text)
{
    struct vectors *v = b->v;
    where_value(b->where, name, text);
    const int i = build_wants(b, name) ? find_wanted(b, name) : -1;
    if (i < 0 || v->value[(v->features - 1) * v->wanted + i]) return 0;
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (!copy) return error_memory(b->e);
    memcpy(copy, text, size);
    scan_make_printable(copy);
    v->value[(v->features - 1) * v->wanted + i] = copy;
    return 0;
}
