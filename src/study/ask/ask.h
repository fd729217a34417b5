/* ask.h — a question to a library (ensemble/library.h): some of its members, with other weights and
 * places of interest, as a study that computes nothing. What comes out has the bits of an ensemble of
 * these members with these weights; without any condition, those of the ensemble. */
#ifndef SCIARA_ASK_H
#define SCIARA_ASK_H

#include "ensemble/ensemble_study.h"

struct ask_options {
    struct ensemble_options ensemble; /* its places; study_ensemble reads this */
    const char *library;
    const char *vents, *classes; /* files with other weights; NULL: as in the plan */
    const char *where; /* an expression of SQL on the columns of members; NULL: all members */
    bool members;      /* name some to look at */
};

/* Members to look at. percent: 5, 50 or 95; 0: of the representative one. Names: "representative"
 * (value: the overlap J that is expected with a member drawn at random), "area_m2", "runout_m",
 * "arrival_h" of a place (else -1). */
struct named_member {
    const char *name;
    int place, percent;
    int64_t member;
    double value;
};
struct named_map { /* of a member: its cells, by place */
    int64_t member;
    struct reached *cell;
    size_t cells;
};
struct named_members {
    int asked, rows, maps;
    struct named_member *row;
    struct named_map *map;
};

struct sqlite3;
struct ask;

/* What a study above adds to a question: it changes weights, after the options have; and sees what a
 * member did in cells, as these are counted. */
struct ask_more {
    int (*weigh)(struct ask *x, struct error *e);
    void (*see)(struct ask *x, int64_t member, const struct reached *reached, int count);
};

struct ask {
    struct ensemble_study of; /* study_ensemble reads this */
    char *plan;               /* path */
    struct sqlite3 *db;
    uint64_t *weight, *reached; /* of each member of the plan: 0, it is not asked for; its cells */
    struct reached *place; /* member * places + place, cells that are covered in share_q; 0: none */
    struct study_job *job; /* shows its progress */
    int64_t cells, read;   /* of all members; so far */
    double shown_s;
    struct named_members named;
    const struct ask_more *more; /* NULL: nothing */
};

/* Of a struct ask, with struct ask_options. */
extern const struct study study_ask;

/* Counts all members of the library at `path` into *of, an ensemble of its plan with no member done. */
int ask_all(struct ensemble_study *of, const char *path, struct study_job *j, struct error *e);

/* weights.c: the weights that members would have with these vents and classes; either may be NULL. */
int ask_weights(struct ask *x, const char *vents, const char *classes, struct error *e);

/* Whole numbers in proportion to w[count], which are not below 0, without a common divisor. */
void ask_round(uint64_t *weight, const double *w, int64_t count);

/* where.c: sets the weight of members to 0 for which `expression` is not true. It is SQL that can
 * read the columns of the member and call some functions, nothing else. */
int ask_where(struct ask *x, const char *expression, struct error *e);

/* named.c: after all members are counted; and in words, for maps and the terminal. */
int ask_named(struct ask *x, const char *path, struct error *e);
void ask_named_free(struct named_members *n);
enum { NAMED_WORDS = 128 };
void ask_named_words(const struct ask *x, const struct named_member *m, char words[NAMED_WORDS]);
extern const struct product_table ask_named_files; /* of a struct ask */

#endif
