/* study_by.h — computes a study and writes its state. If there is a state, the study continues from it. */
#pragma once

#include "study/study.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* `how`: threads, devices and tell; *stopped: by tell(), or NULL. */
static inline int study_by(const struct study *study, void *self, const struct study_job *how,
                           const char *state, bool *stopped, struct error *e)
{
    struct study alone = *study;
    struct study_job j = *how;
    j.study = &alone;
    j.self = self;
    j.state = state ? strdup(state) : NULL;
    alone.check = NULL;
    int status = state && !access(state, F_OK) ? state_read(study->state, self, state, e) : 0;
    if (!status) status = study_compute(&j, e);
    if (stopped) *stopped = j.stopped;
    free(j.state);
    return status;
}
