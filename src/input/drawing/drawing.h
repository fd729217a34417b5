/* drawing.h — a drawing: what a user draws on a map for a run, as a tree of JSON. It has vents and fissures, rates,
 * walls and channels, places of interest, a set of parameters, and the length of the run. docs/serve.md lists its
 * members. A drawing replaces parts of a case, and the other lines of the case stay. */
#pragma once

#include "case/case.h"
#include "case/case_terrain.h"
#include "case/settings.h"

#include <cJSON.h>

/* The case that a drawing changes. The caller owns all members. */
struct drawing_ground {
    const struct sim_case *c;
    const struct settings *settings;
    const struct case_files *files;
    const char *assets; /* path of the file of places; NULL: none */
    const char *rates;  /* path of a plan's observed rates; NULL: rates of the case */
    /* density that converts the radiant power in the file `rates` to rates; 0: the file has rates */
    double radiant_density_J_m3;
    const char *folder; /* absolute path; paths in lines of the case are relative to it */
    cJSON *drawing;     /* the case as a drawing, by drawing_of_case(); the caller deletes it */
    /* True: the written case gets copies of small files, and relative paths to other files, except those that share
     * only the root folder with the written case. So a user can move the written case. */
    bool relative;
};

/* The place of a mistake in a drawing. object: a member of the drawing, or "" for the whole drawing. number: the
 * index of the entry, from 0, if the member is a list; else -1. field: the member of the entry, or "". */
struct drawing_fault {
    char object[16], field[32];
    int number;
};

/* Whether `keys` in a drawing may have this key of a case. `keys` may not have first_step, crs, algorithm, keys that
 * name a file, and keys for which the drawing has a member of its own. */
bool drawing_takes_key(const struct key *k);

/* Sets g->drawing to the case as a drawing. */
int drawing_of_case(struct drawing_ground *g, struct error *e);

/* Checks a drawing. ERROR_INPUT: *fault has the place of the mistake. */
int drawing_check(const cJSON *drawing, const struct drawing_ground *g, struct drawing_fault *fault,
                  struct error *e);

/* Checks the list of places, and no other part of a drawing. */
int drawing_check_places(const cJSON *drawing, struct drawing_fault *fault, struct error *e);
#define DRAWING_PLACES "places.geojson"

/* Returns the range of each number in a drawing: {OBJECT: {FIELD: [least, most]}}, with OBJECT and FIELD as `object`
 * and `field` in struct drawing_fault. The caller deletes the result. */
cJSON *drawing_limits(void);

/* Writes a case, folder/NAME.cfg, and the files that the case names, into an existing folder. Call drawing_check()
 * before. `more`: lines for the end of the case, or NULL. */
int drawing_write(const cJSON *drawing, const struct drawing_ground *g, const char *folder,
                  const char *name, const char *more, struct error *e);

/* Finds the member of a drawing that caused an error in loading the written files. Removes the path of the files from
 * the error's text. */
void drawing_blame(struct drawing_fault *fault, const cJSON *drawing, const char *folder,
                   struct error *e);
