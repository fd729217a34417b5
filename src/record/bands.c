#include "bands.h"

#include "text/times.h"
#include "text/words.h"

#include <string.h>

/* A label is "3 h to 6 h". If the case has a start_time, the date of the later time follows. */
static void take_classes(struct bands *b, const char *start_time)
{
    char time[1 + ISOCHRONES_TEXT] = WORDS_TOGETHER, from[sizeof time] = "";
    char date[1 + TIMES_TEXT] = WORDS_TOGETHER;
    struct colour_scale scale;
    const int count = b->lines.count;
    colours_fill(&scale, COLOURS_TIME);
    for (int i = 0; i < count; i++) {
        const double hours = b->lines.at[i].time_h;
        char *label = b->label[i];
        isochrones_time_pack(time + 1, hours);
        times_date(date + 1, start_time, 3600 * hours, TIMES_SAID);
        if (*from) words_pack(label, sizeof b->label[i], "%s to %s", from, time);
        else words_pack(label, sizeof b->label[i], "up to %s", time);
        if (date[1])
            words_pack(label + strlen(label), sizeof b->label[i] - strlen(label), WORDS_PART ": %s",
                       date);
        memcpy(from, time, sizeof from);
        b->class[i] = (struct map_class){
            colours_at(&scale, count > 1 ? (double)i / (count - 1) : 0), b->label[i], hours};
    }
}

int bands_create(struct bands *b, const struct isochrones_input *in, const char *start_time,
                 struct error *e)
{
    *b = (struct bands){0};
    const int status = isochrones_create(&b->lines, in, e);
    if (!status) take_classes(b, start_time);
    return status;
}

void bands_free(struct bands *b)
{
    isochrones_free(&b->lines);
}
