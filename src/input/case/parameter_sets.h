/* parameter_sets.h — sets of parameters by name. Each set is a file in data/parameters, which the Makefile compiles
 * into the program as a text (tools/parameter-texts). docs/formats/case.md describes the files. */
#pragma once

#include "sciara.h"

#include "base/error.h"
#include "model/params.h"

/* The texts of the files; the last name is NULL. */
struct parameter_text {
    const char *name, *text;
};
extern const struct parameter_text parameter_texts[];

struct parameter_set {
    const char *name;     /* stays valid */
    struct params params; /* all parameters except cell_m */
    double calibrated_cell_m;
    char eruption[128], source[512], not_for[512];
    struct sciara_parameter_score in_sample, held_out;
};

int parameter_set_count(void);
/* Returns the name of set i in alphabetical order; NULL: there are fewer sets. */
const char *parameter_set_name(int i);

/* ERROR_INPUT: no set has that name; the message suggests another name. */
int parameter_set_find(struct parameter_set *s, const char *name, struct error *e);

/* Reads a set from its text. Every key except not_for is required. `name` is for messages, and has to outlive *s. */
int parameter_set_parse(struct parameter_set *s, const char *name, const char *text,
                        struct error *e);
