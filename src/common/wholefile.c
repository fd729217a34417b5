#include "wholefile.h"

#include "textfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void forget(struct wholefile *w)
{
    free(w->path);
    free(w->temp);
    *w = (struct wholefile){0};
}

int wholefile_open(struct wholefile *w, const char *path, struct error *e)
{
    w->path = text_format("%s", path);
    w->temp = text_format("%s.part%ld", path, (long)getpid());
    w->stream = w->path && w->temp ? fopen(w->temp, "wb") : NULL;
    if (w->stream) return 0;
    int status = error_failed(e, "%s: cannot be written: %s", path, strerror(errno));
    forget(w);
    return status;
}

void wholefile_abandon(struct wholefile *w)
{
    if (!w->stream) return;
    fclose(w->stream);
    remove(w->temp);
    forget(w);
}

int wholefile_finish(struct wholefile *w, struct error *e)
{
    int status = 0, broken = ferror(w->stream);
    errno = broken ? EIO : 0;
    if (fclose(w->stream) || broken || rename(w->temp, w->path)) {
        status = error_failed(e, "%s: cannot be written: %s; is the disk full?", w->path,
                              strerror(errno));
        remove(w->temp);
    }
    forget(w);
    return status;
}

int wholefile_text(const char *path, const char *text, struct error *e)
{
    struct wholefile w;
    int status = wholefile_open(&w, path, e);
    if (status) return status;
    fputs(text, w.stream);
    return wholefile_finish(&w, e);
}
