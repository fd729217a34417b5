/* output_search.h — before a run starts, searches its folder for files of earlier runs. output_search.c decides which of
 * them the run replaces. output_work.c decides this for files that are expensive to compute. */
#pragma once

#include "record/runfolder.h"
#include "record/shown.h"
#include "output_inside.h"
#include "products/made_by.h"

struct output_search {
    const char *path;
    const struct output_info *info;
    const struct sim_case *c;
    bool rejoined;
    struct cJSON *summary, *writing; /* files of an earlier run; NULL: none */
    struct runfiles files;           /* the files that the summary lists */
    struct shown shown;              /* the list of painted files */
    struct output_names kept;        /* names of files that stay */
    struct output_folder *f;         /* receives the names of the files that are found */
    struct made_by was;              /* the plan of the results that are set aside */
    bool other_study;                /* another kind of study made these results */
};

/* The row of a file that the coming computation writes; NULL: the computation writes no such file. */
const struct product *output_search_row(const struct output_search *l, const char *name);

/* Adds the file `name` + `ending` to the files that will be replaced. */
int output_search_old(struct output_search *l, const char *name, const char *ending,
                      struct error *e);

/* Decides what happens to a file that is expensive to compute: a state or a library. A file of another plan or study is
 * set aside, a file of this plan stays. A library stays, too, if the command writes none. *judged: false: the file is
 * treated as all other files are. ERROR_INPUT: the study that wrote this state has to be resumed first. */
int output_judge_work(struct output_search *l, const char *name, const char *path, bool *judged,
                      struct error *e);

/* Whether the summary is from an interrupted study; NULL is fine. */
bool output_study_interrupted(const struct cJSON *summary);
