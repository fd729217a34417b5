/* restart_folder.c — the states in the folder of a run. */
#include "restart_parts.h"

#include "raster/tiff_io.h"
#include "text/textfile.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "state_"

char *restart_path(const char *folder, int64_t step)
{
    return text_format("%s/" PREFIX "%06lld.tif", folder, (long long)step);
}

bool restart_is_name(const char *name, int64_t *step)
{
    if (strncmp(name, PREFIX, strlen(PREFIX)) != 0) return false;
    const char *digits = name + strlen(PREFIX);
    const size_t count = strspn(digits, "0123456789");
    if (count < 6 || count > 18 || strcmp(digits + count, ".tif") != 0) return false;
    if (step) *step = strtoll(digits, NULL, 10);
    return true;
}

/* Into its place among the latest. */
static int insert(int64_t *step, int count, int room, int64_t one)
{
    int at = count;
    while (at > 0 && step[at - 1] < one) at--;
    if (at == room) return count;
    if (count == room) count--;
    memmove(step + at + 1, step + at, (size_t)(count - at) * sizeof *step);
    step[at] = one;
    return count + 1;
}

int restart_list(const char *folder, int64_t *step, int room)
{
    DIR *d = opendir(folder);
    int count = 0;
    int64_t one;
    if (!d) return 0;
    for (struct dirent *entry; (entry = readdir(d));)
        if (restart_is_name(entry->d_name, &one)) count = insert(step, count, room, one);
    closedir(d);
    return count;
}

bool restart_is(const char *path)
{
    static const char begin[] = "{\"" RESTART_KEY "\":";
    struct tiff_log log;
    char *about = NULL;
    TIFF *tif = tiff_open(path, TIFF_READ, &log);
    if (!tif) return false;
    const bool found = TIFFGetField(tif, TIFFTAG_IMAGEDESCRIPTION, &about) &&
                       strncmp(about, begin, strlen(begin)) == 0;
    TIFFClose(tif);
    return found;
}
