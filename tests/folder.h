/* folder.h — a new folder for each test: UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, ...) */
#pragma once

#include "scratch.h"

static struct scratch dir;

static inline int folder_create(void **state)
{
    scratch_create(&dir);
    return 0;
}

static inline int folder_remove(void **state)
{
    scratch_remove(&dir);
    return 0;
}
