/* output_search.h — the search of the folder of a run that is about to start for what earlier runs wrote: output_search.c
 * judges its files, output_work.c those that cost computing. */
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
    struct cJSON *summary, *writing; /* of an earlier run; NULL: none */
    struct runfiles files;           /* the files that the summary lists */
    struct shown shown;              /* what was painted */
    struct output_names kept;        /* names of files of the run that stay */
    struct output_folder *f;         /* receives the names that are found */
    struct made_by was;              /* what made the results that are set aside */
    bool other_study;                /* another kind of study made them */
};

/* The row of a file that the coming computation writes; NULL: it is not one of its files. */
const struct product *output_search_row(const struct output_search *l, const char *name);

/* Makes NAME and its ending one of the files to be replaced. */
int output_search_old(struct output_search *l, const char *name, const char *ending,
                      struct error *e);

/* Whether the file at that path cost computing, and what becomes of it is decided (*judged): a state or a library of
 * another plan or study is set aside, one of this plan stays, and so does a library if the command writes none. ERROR_INPUT if a study that left its state is to be resumed first. */
int output_judge_work(struct output_search *l, const char *name, const char *path, bool *judged,
                      struct error *e);

/* Whether the summary is that of an interrupted study; NULL is fine. */
bool output_study_interrupted(const struct cJSON *summary);
