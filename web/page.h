/* page.h — the engine of a page: one session of src/program/serve, in the memory of a worker. */
#pragma once

#include "serve/many.h"

struct page {
    struct session session; /* the first member */
    struct error e;         /* of the last call that failed */
    bool open;
    char *folder;      /* where cases are saved */
    struct many *many; /* that is being computed, or NULL */
};
