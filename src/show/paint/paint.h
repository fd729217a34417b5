/* paint.h — what libsciara_show.so consists of; record/painters.h is what it offers. */
#pragma once

#include "record/painters.h"

int animate_frames(const struct frames *f, struct error *e);
int text_page_write(const char *path, const struct text_page *p, struct error *e);
