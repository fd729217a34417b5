/* ask.h — a study that answers a question about members of a library (members/library.h) without a
 * run. A question may have other weights of members and other places of interest than the plan. An
 * ensemble of these members with these weights gives the same answer, bit for bit. */
#pragma once

#include "ensemble/ensemble_study.h"

struct ask_options {
    struct ensemble_options ensemble; /* first field, for study_ensemble; names the places */
    const char *library;
    const char *vents, *classes; /* files with other weights; NULL: weights of the plan */
    const char *where;   /* an expression of SQL on the columns of members; NULL: all members */
    bool members;        /* whether to name members to look at */
    const char *given;   /* path of an observed outline; NULL: none */
    double at_s;         /* when the outline was observed; 0: at the end */
    const char *compare; /* question to compare with: a condition, or the folder of an answer */
    const char *exposed; /* amount to sum up where lava comes: attribute or raster; NULL: none */
    bool again;          /* ask_again() will be called: keep all data that it needs */
};

/* A member to look at. name: the quantity by which it was chosen, "area_m2", "runout_m" or "arrival_h"; or "representative",
 * for which `value` is the expected overlap J with a member drawn at random. place: the place of an arrival; else -1.
 * percent: the percentile of `value`, 5, 50 or 95; 0 for "representative". */
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

/* Functions of a study that is based on a question. weigh() changes the weights that the options give. see() gets the cells of
 * each member while they are counted, in several threads, each with other tiles; NULL: the study needs only weights. */
struct ask_more {
    int (*weigh)(struct ask *x, struct error *e);
    void (*see)(struct ask *x, int64_t member, const struct reached *reached, int count);
};

/* given.c: an observed outline, and the lava of members at the time of the observation. */
struct given {
    const char *path;        /* path of the library */
    struct sqlite3 *db;      /* second connection to the library, for functions of a condition */
    unsigned char *observed; /* rows * cols, 1 inside; NULL: nothing was observed */
    uint64_t cells;          /* number of cells inside the outline */
    struct window box;       /* smallest window with these cells */
    int class;               /* class of arrival that contains the time of observation */
    /* For each member: number of cells with lava at the time of observation; number of these cells inside the
     * outline. */
    uint64_t *came, *inside;
};

/* compare.c: the comparison of two questions, cell by cell. */
/* Sums over members: of their weights a and b, and of the products a a, a b and b b. The sums of a cell or place are over
 * the members with lava there. */
struct compared_sums {
    uint64_t a, b;
    wide aa, ab, bb;
};
struct compared_found { /* probabilities a and b, a - b, and the standard error of a - b */
    double a, b, difference, error;
};
struct compared {
    char *question;    /* the other question, packed (text/words.h); NULL: none */
    int asked, places; /* 1 or 0: whether to compare; whether there are places of interest */
    uint64_t *weight;  /* weight of each member in the other question */
    uint32_t *slot;    /* for each cell: 1 + index in cell[]; 0: no lava in either question */
    struct compared_sums *cell, *place, all;
    uint32_t slots;
    int64_t members, both; /* numbers of members: in the other question, in both questions */
    struct compared_found area_m2; /* mean areas */
};

/* exposed.c: what lava of a member reaches, summed up over places or cells. */
struct exposed_sum {
    char name[64];
    const char *unit;
    /* all: the amount if lava reaches everything. The others are over members: mean and its standard error,
     * percentiles, and the probability that the amount is above 0. */
    double all, mean, error, p05, p50, p95, probability;
};
struct exposed {
    struct exposed_sum *row;
    int rows, asked;
};

struct ask {
    struct ensemble_study of; /* first field, for study_ensemble */
    char *plan;               /* path of the plan, as the library names it */
    struct sqlite3 *db;
    /* For each member: its weight in the question; the number of cells that its lava reached. */
    uint64_t *weight, *reached;
    /* For each member: its weight minus the weight that the sums already contain. The difference may be negative, so it is
     * modulo 2^64. 0: the member's cells need not be counted. */
    uint64_t *counts;
    uint64_t *left; /* number of cells of each member that have not been counted yet */
    int64_t kept;   /* members in the library */
    bool partial;   /* the library's members are not a sample of the plan */
    bool again;     /* whether ask_again() may be called */
    /* came[place]: the sum over members of the weight times the number of the place's cells with lava. */
    uint64_t *came;
    struct reached *place; /* index member * places + place; share_q 0: lava did not come there */
    struct study_job *job; /* job whose progress is shown */
    int64_t cells, read;   /* cells of all members; cells read so far */
    double shown_s;
    struct named_members named;
    const struct ask_more *more; /* functions of a study based on this one; NULL: none */
    struct given given;
    struct compared compared;
    struct exposed exposed;
};

/* The results of a member at a place of interest; share_q is 0 if its lava did not reach the place. */
static inline const struct reached *ask_at_place(const struct ask *x, int64_t member, int place)
{
    return &x->place[(size_t)member * (size_t)x->of.s.assets.count + (size_t)place];
}

/* Warns of the limits of an answer. Every study can use this function if its struct begins with a struct ask. */
void ask_warn(const struct study_job *j, struct warnings *w);

/* The study of a struct ask; its options are a struct ask_options. */
extern const struct study study_ask;

/* Answers the next question: j->options has another condition. The first question had the option `again`. Members of both
 * questions are not counted a second time. After an error, the caller may call ask_again() as long as ask.again is true. */
int ask_again(struct study_job *j, struct error *e);

/* Prepares a cancelled question to be computed again: closes and opens its study. */
int ask_open_again(struct study_job *j, struct error *e);

/* Counts all members of the library at `path` into *of. *of has to be an ensemble of the library's
 * plan, with no member done. */
int ask_all(struct ensemble_study *of, const char *path, struct study_job *j, struct error *e);

/* weights.c: weighs members by files with weights of vents and classes; NULL: the weights of the plan. */
int ask_weights(struct ask *x, const char *vents, const char *classes, struct error *e);

/* Sets weight[count] to whole numbers without a common divisor, in proportion to w[count] >= 0. */
void ask_round(uint64_t *weight, const double *w, int64_t count);

/* where.c: sets to 0 the weight of each member for which `expression` is not true. The expression is SQL; it can only
 * read the member's columns and call some functions. *given: whether it calls a function that compares with the observed
 * outline. */
int ask_where(struct ask *x, const char *expression, bool *given, struct error *e);

/* given.c: ask_given() reads the outline `o->given`, and counts the cells of members at the time of the outline.
 * ask_overlap() returns the overlap J of a member with the outline. ask_apart_m() measures the distance of the member's
 * outline and the observed outline: 95 % of each lies within *apart_m of the other. NaN: the member has no lava yet. */
int ask_given(struct ask *x, const struct ask_options *o, struct error *e);
double ask_overlap(const struct ask *x, int64_t member);
int ask_apart_m(double *apart_m, const struct ask *x, int64_t member, struct error *e);
void ask_given_free(struct given *g);
/* The condition of a question with `given`, unless its `where` uses the outline. */
#define ASK_AGREES "overlap() >= 0.5"

/* compare.c: ask_read_answer() reads the weights of an answer in a folder. ask_compare() makes all sums of the comparison; it
 * is called before members are counted. */
bool ask_is_answer(const char *folder);
int ask_read_answer(uint64_t *weight, const struct ask *x, const char *folder, struct error *e);
int ask_compare(struct ask *x, const char *path, struct error *e);
bool ask_compared_reached(const void *self, size_t cell); /* self: a struct ask */
void ask_compared_free(struct compared *c);

/* exposed.c: sums up what lava of each member reaches; called after members are weighed. */
int ask_exposed(struct ask *x, const struct ask_options *o, struct error *e);

/* named.c: ask_named() chooses members to look at; called after all members are counted. ask_named_words() describes
 * such a member for maps and the terminal. */
int ask_named(struct ask *x, const char *path, struct error *e);
void ask_named_free(struct named_members *n);
enum { NAMED_WORDS = 128 }; /* bytes, packed */
void ask_named_words(const struct ask *x, const struct named_member *m, char words[NAMED_WORDS]);
/* Files that an answer has in addition to the files of an ensemble. */
extern const struct product_table ask_named_files, ask_exposed_files, ask_compared_files;
