/* drawing.h — what a person draws on a map for a run, as a tree of JSON: vents and fissures, rates, walls
 * and channels, places of interest, a set of parameters, the length of the run. docs/serve.md lists its
 * members. A drawing replaces parts of a case; the other lines of the case stay, so that a drawing in
 * which nothing is changed has the bits of the case. */
#pragma once

#include "case/case.h"
#include "case/case_terrain.h"
#include "case/settings.h"

#include <cJSON.h>

/* The case that a drawing changes. All is the caller's, except what drawing_of_case() makes. */
struct drawing_ground {
    const struct sim_case *c;
    const struct settings *settings;
    const struct case_files *files;
    const char *assets;          /* path; NULL: none */
    const char *rates;           /* path of a plan's observed rates; NULL: rates of the case */
    double radiant_density_J_m3; /* radiant density if `rates` has radiant power; 0: it has rates */
    const char *folder;          /* absolute path; paths in lines of the case are relative to it */
    cJSON *drawing;              /* what the case itself has; the caller deletes it */
    /* Whether a written case can be moved elsewhere: small files of the case are copied, and near ones named by
     * relative paths. */
    bool relative;
};

/* Where a drawing is wrong. object: a list or another member, "" for the whole drawing; number: the entry of the
 * list, or -1; field: the member of the entry, or "". */
struct drawing_fault {
    char object[16], field[32];
    int number;
};

/* Whether a drawing may have this key of a case among its `keys`: no files, drawn members or numbers of steps. */
bool drawing_takes_key(const struct key *k);

/* Sets g->drawing. */
int drawing_of_case(struct drawing_ground *g, struct error *e);

/* ERROR_INPUT: not a drawing; *fault names what is wrong. */
int drawing_check(const cJSON *drawing, const struct drawing_ground *g, struct drawing_fault *fault,
                  struct error *e);

/* Checks the places of a drawing alone; their file is checked once drawing_write() has written it. */
int drawing_check_places(const cJSON *drawing, struct drawing_fault *fault, struct error *e);
#define DRAWING_PLACES "places.geojson"

/* The range of each number in a drawing: {OBJECT: {FIELD: [least, most]}}, named as in a fault. */
cJSON *drawing_limits(void);

/* Writes folder/NAME.cfg, for `sciara run`, and the files that it names into that existing folder. The
 * drawing has been checked. `more`: lines at the end, or NULL. */
int drawing_write(const cJSON *drawing, const struct drawing_ground *g, const char *folder,
                  const char *name, const char *more, struct error *e);

/* Finds the member that caused an error in loading the written files, and removes their path from its text. */
void drawing_blame(struct drawing_fault *fault, const cJSON *drawing, const char *folder,
                   struct error *e);
