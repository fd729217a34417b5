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

int wholefile_failed(const char *path, int why, const char *words, struct error *e)
{
    const char *remedy =
        why == ENOSPC || why == EDQUOT ? "make room on the disk, or choose another folder"
        : why == EFBIG ? "files may not be that large here (ulimit -f, or the file system)"
        : why == EMFILE || why == ENFILE ? "too many files are open (ulimit -n)"
                                         : "choose another folder";
    return error_failed(e, "%s: cannot be written: %s; %s", path, why ? strerror(why) : words,
                        remedy);
}

int wholefile_open(struct wholefile *w, const char *path, struct error *e)
{
    w->path = text_format("%s", path);
    w->temp = text_format("%s.part%ld", path, (long)getpid());
    w->stream = w->path && w->temp ? fopen(w->temp, "wb") : NULL;
    if (w->stream) return 0;
    int status = wholefile_failed(path, errno, "no reason is given", e);
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
    errno = 0;
    if (broken) fflush(w->stream); /* fails again, and for the same reason */
    const int why = broken && errno == 0 ? EIO : errno;
    if (fclose(w->stream) || broken || rename(w->temp, w->path)) {
        status = wholefile_failed(w->path, why ? why : errno, "no reason is given", e);
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
