/* schema.h — the keys of case files and plans, as tables: name, type, range, default, meaning.
 *
 * A case has a schema, and each study that adds keys to a case has another. One reader serves all schemas; `sciara
 * help keys` and the tables of docs/formats are printed from schemas. A new key is a row of a table and a member of
 * the struct that receives the values. docs/architecture.md, "Adding a key", describes what else a key of a case needs
 * to reach a run and the digest of the case. */
#pragma once

#include "base/error.h"
#include "text/keyvalue.h"

#include <stdbool.h>
#include <stddef.h>

enum key_type {               /* the value in the struct */
                KEY_REAL,     /* double */
                KEY_COUNT,    /* int64_t */
                KEY_TEXT,     /* const char *, a text of at most `high` bytes */
                KEY_FILE,     /* const char *, the name of a file */
                KEY_CHOICE,   /* int: `low` + the position in `choices` */
                KEY_DURATION, /* double, s; low and high in hours */
                KEY_MOMENT,   /* double, s; the file has hours or a date; low and high in hours */
                KEY_OWN       /* what `read` writes into the struct */
};

/* How a key counts in the digest of a plan. */
enum key_counts {
    COUNTS_UNSAID,
    COUNTS_LINE,    /* its line counts, as written */
    COUNTS_NUMBERS, /* the numbers in its file count */
    COUNTS_BYTES,   /* the bytes of its file count (plan_digest.c) */
    COUNTS_NOT      /* no bit of an ensemble's member depends on it, or other keys count instead */
};

/* The part of the identity of a run (restart/identity.h) that a key of a case decides. */
enum case_part {
    PART_UNSAID,
    PART_NOTHING, /* no bit depends on the key, such as a key for the end of a run or for maps */
    PART_GRID,
    PART_TERRAIN,
    PART_LAVA,
    PART_SEA,
    PART_CHANGES,
    PART_VENTS,
    PART_RATES,
    PART_FIRST_STEP,
    PART_REDUCE,
    PART_STOP,
    PART_PARAMETERS
};

struct key {
    const char *name; /* with '_' at its end: a prefix, such as vary_ of vary_Pcool */
    enum key_type type;
    enum key_counts counts;
    size_t at; /* offset in the struct that receives the values */
    double low, high;
    /* Texts for people; NULL: there is none. `usual`: the value if the key is not given. */
    const char *unit, *usual;
    const char *meaning;
    const char *form;           /* form of the value: "FILE at TIME"; NULL: the type tells it */
    const char *remedy;         /* remedy for a refused value; NULL: the type tells it */
    const char *const *choices; /* end with NULL */
    int (*read)(const struct entry *at, struct error *e); /* writes the value into at->target */
    const char *original; /* name in original cases; NULL: the same */
    bool repeats;         /* any number of lines may have the key */
    enum case_part part;  /* has a meaning only for a key of a case */
};

/* Keys under one heading. */
struct key_section {
    const char *name; /* name of the table in docs/formats.md */
    const struct key *key;
    int keys;         /* number of keys; KEYS_OF() sets `key` and `keys` */
    bool parameters;  /* the parameters of the model come before `key` */
    size_t params_at; /* offset of the struct params that receives these parameters */
};

#define KEYS_OF(rows) .key = (rows), .keys = sizeof(rows) / sizeof *(rows)

struct schema {
    /* why a case cannot have these keys, for messages; NULL: they are the keys of a case */
    const char *refusal;
    const struct key_section *section; /* the last section has no name */
};

/* All schemas of the program; the last is NULL (library/schemas.c). */
extern const struct schema *const schemas[];

/* Finds key i of a section; false: there are fewer keys. */
bool schema_key(const struct key_section *s, int i, struct key *found);

/* Finds a key by its name or its original name; false: there is none. */
bool schema_find(const struct schema *s, const char *name, struct key *found);

/* Writes the values that a key may have: "1 to 5", "flow or domain"; "": any value. Returns out. */
char *schema_range(char out[128], const struct key *k);

/* A struct that receives the values of a schema. */
struct schema_values {
    const struct schema *schema;
    void *values;
};

/* Reads every line into the struct of its key; the last of `into` has no schema. If two schemas have the same key, the
 * later schema counts. ERROR_INPUT: an unknown key, with the key that was probably meant; a key that was given
 * already; a value out of range. `start_time`: start_time of the case; "": none. */
int schema_read(const struct keyvalues *lines, const char *start_time,
                const struct schema_values *into, struct error *e);

/* Checks a number against the range of a key; `name`: the name of the number in the message. */
int schema_check_number(const struct schema *s, const char *key, const char *name, double value,
                        struct error *e);
