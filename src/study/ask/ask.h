/* ask.h — a study that runs nothing: it answers a question about members of a library (members/library.h), perhaps with
 * other weights and places of interest. The answer has the bits of an ensemble of these members with these weights;
 * without conditions, those of the library's ensemble. */
#pragma once

#include "ensemble/ensemble_study.h"

struct ask_options {
    struct ensemble_options ensemble; /* comes first: study_ensemble reads it; has the places */
    const char *library;
    const char *vents, *classes; /* files with other weights; NULL: those of the plan */
    const char *where;   /* an expression of SQL on the columns of members; NULL: all members */
    bool members;        /* whether to name members to look at */
    const char *given;   /* an outline that was observed; NULL: none */
    double at_s;         /* when it was observed; 0: at the end */
    const char *compare; /* question to compare with: a condition, or the folder of an answer */
    const char *exposed; /* attribute or raster to sum up where lava comes; NULL: none */
    bool again;          /* whether ask_again() will be called, so that nothing is forgotten */
};

/* A member to look at. `name` says by what it was chosen: "representative" (value: the overlap J that is expected with a
 * member drawn at random), "area_m2", "runout_m", or "arrival_h", at a place; else place is -1. percent: 5, 50 or 95; 0
 * for the representative one. */
struct named_member {
    const char *name;
    int place, percent;
    int64_t member;
    double value;
};
struct named_map { /* the cells of a member, in the order of places */
    int64_t member;
    struct reached *cell;
    size_t cells;
};
struct named_members {
    int asked, rows, maps;
    struct named_member *row;
    struct named_map *map;
    double low_m, high_m; /* ends of the scale that all maps share */
};

struct sqlite3;
struct ask;

/* What a study above a question adds to it. weigh() changes the weights of the options. see() gets what members
 * did in cells when these are counted, in several threads, each with its own tiles; NULL: only weights are needed. */
struct ask_more {
    int (*weigh)(struct ask *x, struct error *e);
    void (*see)(struct ask *x, int64_t member, const struct reached *reached, int count);
};

/* given.c: an outline that was observed, and where lava of members was then. */
struct given {
    const char *path; /* of the library; db: a second connection, for use inside a condition */
    struct sqlite3 *db;
    unsigned char *observed; /* rows * cols, 1 inside; NULL: nothing was observed */
    uint64_t cells;          /* inside the outline */
    struct window box;       /* around these cells */
    int class;               /* the last class of arrival that counts */
    uint64_t *came, *inside; /* of each member: its cells by then; those of them inside */
};

/* compare.c: the comparison of two questions, cell by cell. */
struct compared_sums { /* weights a and b, and their products, over members with lava there */
    uint64_t a, b;
    wide aa, ab, bb;
};
struct compared_found { /* probabilities a and b, a - b and its standard error */
    double a, b, difference, error;
};
struct compared {
    char *question;    /* the other question, packed (text/words.h); NULL: none */
    int asked, places; /* 1 or 0: whether it is asked for; whether it has places */
    uint64_t *weight;  /* of each member in the other question */
    uint32_t *slot;    /* index in cell[] of each cell, from 1; 0: no lava in either */
    struct compared_sums *cell, *place, all;
    uint32_t slots;
    int64_t members, both;         /* how many members the other question has; how many both have */
    struct compared_found area_m2; /* mean areas */
};

/* exposed.c: what lava of a member reaches, summed up over places or cells. */
struct exposed_sum {
    char name[64];
    const char *unit;
    double all, mean, error, p05, p50, p95, probability; /* all: in total; else: over members */
};
struct exposed {
    struct exposed_sum *row;
    int rows, asked;
};

struct ask {
    struct ensemble_study of; /* comes first: study_ensemble reads it */
    char *plan;               /* its path, as the library has it */
    struct sqlite3 *db;
    uint64_t *weight, *reached; /* of each member: weight in the question; number of cells */
    uint64_t *counts;      /* weights with which members' cells count, modulo 2^64; 0: not at all */
    uint64_t *left;        /* how many cells of each member have not been counted yet */
    int64_t kept;          /* members in the library */
    bool partial;          /* the library's members are no sample of the plan */
    bool again;            /* whether ask_again() may be called */
    uint64_t *came;        /* for each place: weights of members times their cells there */
    struct reached *place; /* at member * places + place; share_q 0: lava did not come there */
    struct study_job *job; /* whose progress is shown */
    int64_t cells, read;   /* of all members; read so far */
    double shown_s;
    struct named_members named;
    const struct ask_more *more; /* what a study above adds; NULL: nothing */
    struct given given;
    struct compared compared;
    struct exposed exposed;
};

/* What a member did at a place of interest; share_q is 0 if it did not reach it. */
static inline const struct reached *ask_at_place(const struct ask *x, int64_t member, int place)
{
    return &x->place[(size_t)member * (size_t)x->of.s.assets.count + (size_t)place];
}

/* Warns of what limits an answer; the study may be any that begins with a struct ask. */
void ask_warn(const struct study_job *j, struct warnings *w);

/* The study of a struct ask; its options are a struct ask_options. */
extern const struct study study_ask;

/* Answers a question with another condition, which j->options has now; the question before was computed with `again`.
 * Members of both questions are not counted anew. After an error it can be called again if `again` of the struct ask is
 * still true. */
int ask_again(struct study_job *j, struct error *e);

/* Begins a question again that was cancelled: closes its study and opens it anew. */
int ask_open_again(struct study_job *j, struct error *e);

/* Counts all members of the library at `path` into *of, an ensemble of its plan with no member done. */
int ask_all(struct ensemble_study *of, const char *path, struct study_job *j, struct error *e);

/* weights.c: gives members the weights that they would have with these vents and classes; NULL: the plan's. */
int ask_weights(struct ask *x, const char *vents, const char *classes, struct error *e);

/* Makes whole numbers without a common divisor, in proportion to w[count], which are 0 or more. */
void ask_round(uint64_t *weight, const double *w, int64_t count);

/* where.c: sets to 0 the weight of each member for which `expression` is not true. The expression is SQL; it can read the
 * member's columns and call some functions, nothing else. *given: whether it calls a function that compares with what was
 * observed. */
int ask_where(struct ask *x, const char *expression, bool *given, struct error *e);

/* given.c: ask_given() reads the outline `o->given`, and where the lava of members was then. ask_overlap() returns the
 * overlap J of a member with the outline; ask_apart_m() sets how far the two outlines are apart: 95 % of each lies
 * within that distance of the other (NaN: no lava yet). */
int ask_given(struct ask *x, const struct ask_options *o, struct error *e);
double ask_overlap(const struct ask *x, int64_t member);
int ask_apart_m(double *apart_m, const struct ask *x, int64_t member, struct error *e);
void ask_given_free(struct given *g);
#define ASK_AGREES "overlap() >= 0.5" /* unless `where` compares with the outline itself */

/* compare.c: ask_read_answer() reads the weights of an answer in a folder; ask_compare() makes all sums, before
 * members are counted. */
bool ask_is_answer(const char *folder);
int ask_read_answer(uint64_t *weight, const struct ask *x, const char *folder, struct error *e);
int ask_compare(struct ask *x, const char *path, struct error *e);
bool ask_compared_reached(const void *self, size_t cell); /* self: a struct ask */
void ask_compared_free(struct compared *c);

/* exposed.c: sums up what lava of each member reaches, after members are weighed. */
int ask_exposed(struct ask *x, const struct ask_options *o, struct error *e);

/* named.c: names members after all are counted; ask_named_words() describes one, for maps and the terminal. */
int ask_named(struct ask *x, const char *path, struct error *e);
void ask_named_free(struct named_members *n);
enum { NAMED_WORDS = 128 }; /* bytes, packed */
void ask_named_words(const struct ask *x, const struct named_member *m, char words[NAMED_WORDS]);
/* The files that an answer has and an ensemble does not. */
extern const struct product_table ask_named_files, ask_exposed_files, ask_compared_files;
