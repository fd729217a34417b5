/* ask.h — a question to a library (members/library.h): some of its members, with other weights and
 * places of interest, as a study that computes nothing. What comes out has the bits of an ensemble of
 * these members with these weights; without any condition, those of the ensemble. */
#pragma once

#include "ensemble/ensemble_study.h"

struct ask_options {
    struct ensemble_options ensemble; /* its places; study_ensemble reads this */
    const char *library;
    const char *vents, *classes; /* files with other weights; NULL: as in the plan */
    const char *where;   /* an expression of SQL on the columns of members; NULL: all members */
    bool members;        /* name some to look at */
    const char *given;   /* an outline that was observed; NULL: none */
    double at_s;         /* when; 0: at the end */
    const char *compare; /* another question: a condition as `where`, or the folder of an answer */
    const char *exposed; /* what else is summed up over places or reached cells; NULL: nothing */
    bool again;          /* ask_again() will be called: nothing is forgotten */
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
    double low_m, high_m; /* of the scale that all maps have */
};

struct sqlite3;
struct ask;

/* What a study above adds to a question: it changes weights, after the options have; and sees what a
 * member did in cells, as these are counted. */
struct ask_more {
    int (*weigh)(struct ask *x, struct error *e);
    void (*see)(struct ask *x, int64_t member, const struct reached *reached, int count);
    /* Called by several threads, each with tiles of its own. NULL: weights are all that is asked
     * for */
};

/* given.c: an outline that was observed, and where lava of members was then. */
struct given {
    const char
        *path; /* the library, and it opened once more: for use while a condition is evaluated */
    struct sqlite3 *db;
    unsigned char *observed; /* rows * cols, 1 inside; NULL: nothing was observed */
    uint64_t cells;          /* inside */
    struct window box;       /* of these */
    int class;               /* of arrival, the last that counts */
    uint64_t *came, *inside; /* cells of each member by then; of these, inside */
};

/* compare.c: two questions, cell by cell. */
struct compared_sums { /* over members: weights a and b of those with lava there, and products */
    uint64_t a, b;
    wide aa, ab, bb;
};
struct compared_found { /* probabilities a and b, a less b, its standard error */
    double a, b, difference, error;
};
struct compared {
    char *question;    /* the other one, packed (text/words.h); NULL: none */
    int asked, places; /* 1, or 0: none; whether there are places of interest as well */
    uint64_t *weight;  /* of each member, in the other question */
    uint32_t *slot;    /* of each cell, from 1; 0: no lava of either */
    struct compared_sums *cell, *place, all;
    uint32_t slots;
    int64_t members, both;         /* how many members the other question has; how many both have */
    struct compared_found area_m2; /* means */
};

/* exposed.c: what lava of a member reaches, summed up over places or cells. */
struct exposed_sum {
    char name[64];
    const char *unit;
    double all, mean, error, p05, p50, p95, probability; /* of all there is; over members */
};
struct exposed {
    struct exposed_sum *row;
    int rows, asked;
};

struct ask {
    struct ensemble_study of; /* study_ensemble reads this */
    char *plan;               /* path */
    struct sqlite3 *db;
    uint64_t *weight, *reached; /* of each member of the plan: 0, it is not asked for; its cells */
    uint64_t *counts;      /* with what the cells of each member are counted, modulo 2^64; 0: not */
    uint64_t *left;        /* of its cells, those that have not been counted */
    int64_t kept;          /* members in the library */
    bool partial;          /* the members are no sample of the plan, as its ensemble has not
                            * ended */
    bool again;            /* as the options */
    uint64_t *came;        /* of each place: weights of all members, times its cells they reached */
    struct reached *place; /* member * places + place, cells that are covered in share_q; 0: none */
    struct study_job *job; /* shows its progress */
    int64_t cells, read;   /* of all members; so far */
    double shown_s;
    struct named_members named;
    const struct ask_more *more; /* NULL: nothing */
    struct given given;
    struct compared compared;
    struct exposed exposed;
};

/* What a member did at a place of interest; share_q 0: it did not reach it. */
static inline const struct reached *ask_at_place(const struct ask *x, int64_t member, int place)
{
    return &x->place[(size_t)member * (size_t)x->of.s.assets.count + (size_t)place];
}

/* Adds what has to be known of an answer; of whatever begins with a struct ask. */
void ask_warn(const struct study_job *j, struct warnings *w);

/* The study of a struct ask; its options are a struct ask_options. */
extern const struct study study_ask;

/* Answers a question again with another condition, which j->options has now; the question before was computed
 * with `again`. Members that both have are not counted anew. After an error it can be called once more where
 * `again` of the struct ask is still true. */
int ask_again(struct study_job *j, struct error *e);

/* Closes and opens a study of a struct ask, which was cancelled: it begins again. */
int ask_open_again(struct study_job *j, struct error *e);

/* Counts all members of the library at `path` into *of, an ensemble of its plan with no member done. */
int ask_all(struct ensemble_study *of, const char *path, struct study_job *j, struct error *e);

/* weights.c: the weights that members would have with these vents and classes; either may be NULL. */
int ask_weights(struct ask *x, const char *vents, const char *classes, struct error *e);

/* Whole numbers in proportion to w[count], which are not below 0, without a common divisor. */
void ask_round(uint64_t *weight, const double *w, int64_t count);

/* where.c: sets the weight of members to 0 for which `expression` is not true. It is SQL that can
 * read the columns of the member and call some functions, nothing else. *given: whether it asks how a
 * member agrees with what was observed. */
int ask_where(struct ask *x, const char *expression, bool *given, struct error *e);

/* given.c: reads the outline `o->given`, and where members were then. And of a member: the overlap J
 * with it; how far the outlines are apart, in metres, 95 % of either (NaN: no lava yet). */
int ask_given(struct ask *x, const struct ask_options *o, struct error *e);
double ask_overlap(const struct ask *x, int64_t member);
int ask_apart_m(double *apart_m, const struct ask *x, int64_t member, struct error *e);
void ask_given_free(struct given *g);
#define ASK_AGREES "overlap() >= 0.5" /* unless a condition asks for something else */

/* compare.c: the weights of an answer in a folder; then, before members are counted, all sums. */
bool ask_is_answer(const char *folder);
int ask_read_answer(uint64_t *weight, const struct ask *x, const char *folder, struct error *e);
int ask_compare(struct ask *x, const char *path, struct error *e);
bool ask_compared_reached(const void *self, size_t cell); /* of a struct ask */
void ask_compared_free(struct compared *c);

/* exposed.c: after members are weighed. */
int ask_exposed(struct ask *x, const struct ask_options *o, struct error *e);

/* named.c: after all members are counted; and in words, for maps and the terminal. */
int ask_named(struct ask *x, const char *path, struct error *e);
void ask_named_free(struct named_members *n);
enum { NAMED_WORDS = 128 }; /* packed */
void ask_named_words(const struct ask *x, const struct named_member *m, char words[NAMED_WORDS]);
/* The files of a struct ask that an ensemble does not have. */
extern const struct product_table ask_named_files, ask_exposed_files, ask_compared_files;
