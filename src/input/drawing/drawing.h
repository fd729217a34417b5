/* drawing.h — what a person draws on a map for a run, as a tree of JSON: vents and fissures, rates, walls
 * and channels, places of interest, a set of parameters, the length of the run. docs/serve.md lists its
 * members. A drawing lies on a case, of which it replaces parts; what it leaves as the case has it stays
 * the case's own line, so that a drawing in which nothing is changed has the bits of the case. */
#pragma once

#include "case/case.h"
#include "case/case_terrain.h"
#include "case/settings.h"

#include <cJSON.h>

/* What lies beneath. The caller's, but for what drawing_of_case() makes. */
struct drawing_ground {
    const struct sim_case *c;
    const struct settings *settings;
    const struct case_files *files;
    const char *assets; /* path; NULL: none */
    const char *rates;  /* path of those that a plan has as observed; NULL: the case's own */
    double radiant_density_J_m3; /* of these, if they are radiant power; 0: they are rates */
    const char *folder; /* to which the paths in the lines of the case are relative, absolute */
    cJSON *drawing;     /* what the case itself has; the caller deletes it */
    /* Whether what is written can be sent elsewhere: small files of the case are copied, others named from there, if they are near. */
    bool relative;
};

/* What in a drawing is wrong: a list of it or another member, "" where it is the whole; the entry of that list,
 * -1: none; and a member of the entry, "": none. */
struct drawing_fault {
    char object[16], field[32];
    int number;
};

/* Whether a drawing may have this key of a case among its `keys`: not files, what is drawn, or what counts steps. */
bool drawing_takes_key(const struct key *k);

/* Sets g->drawing. */
int drawing_of_case(struct drawing_ground *g, struct error *e);

/* ERROR_INPUT: not a drawing; *fault names what is wrong. */
int drawing_check(const cJSON *drawing, const struct drawing_ground *g, struct drawing_fault *fault,
                  struct error *e);

/* Checks the places of a drawing alone; their file is checked once drawing_write() has written
 * it. */
int drawing_check_places(const cJSON *drawing, struct drawing_fault *fault, struct error *e);
#define DRAWING_PLACES "places.geojson"

/* The least and the most of each number of a drawing, {OBJECT: {FIELD: [least, most]}} as in a fault. */
cJSON *drawing_limits(void);

/* Writes folder/NAME.cfg, which `sciara run` takes, and the files that it names into that folder, which is
 * there. The drawing has been checked. `more`: lines at the end, or NULL. */
int drawing_write(const cJSON *drawing, const struct drawing_ground *g, const char *folder,
                  const char *name, const char *more, struct error *e);

/* Finds what is meant by an error in loading these files, and takes their path out of its text. */
void drawing_blame(struct drawing_fault *fault, const cJSON *drawing, const char *folder,
                   struct error *e);
