#include "report.h"

#include "base/loops.h"
#include "products/picture.h"
#include "rank_states.h"
#include "text/textfile.h"
#include "text/atomic_file.h"
#include "verify.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

const int report_percents[REPORT_PERCENTS] = {5, 50, 95};

static bool ends(const char *name, const char *with)
{
    const size_t length = strlen(name), tail = strlen(with);
    return length > tail && !strcmp(name + length - tail, with);
}

bool report_is_file(const char *name)
{
    static const char *const layers[] = {"probability", "arrival_first_h", "arrival_p",
                                         "thickness_mean_m", "thickness_p"};
    static const char *const pictures[] = {"map_probability", "map_arrival", "map_thickness",
                                           "reliability", "overlap"};
    static const char *const others[] = {"members.csv", "assets.csv", "reliability.csv",
                                         "overlap.csv", STATE_NAME};
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        if (output_picture_is(name, pictures[i])) return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(name, others[i])) return true;
    if (!strcmp(name, REPORT_KMZ)) return true;
    const bool layer = ends(name, ".tif") || ends(name, ".qml");
    for (size_t i = 0; layer && i < sizeof layers / sizeof *layers; i++)
        if (!strncmp(name, layers[i], strlen(layers[i]))) return true;
    return rank_state_is(name);
}

char *report_path(const struct report *r, const char *name, struct error *e)
{
    return output_file_path(r->info, r->s->source->base, name, e);
}

double report_arrival_h(const struct ensemble *s, int class)
{
    return class < 0 ? (double)NAN : axis_low(&s->arrival_s, class) / 3600;
}

double report_thickness_m(const struct ensemble *s, int class)
{
    return class < 0 ? (double)NAN : axis_high(&s->thickness_m, class);
}

struct drawing {
    const struct report *r;
    struct report_drawn drawn;
};

static void *draw(void *drawing)
{
    struct drawing *d = drawing;
    loops_limit(0);
    report_maps(d->r, &d->drawn);
    return NULL;
}

/* Maps are drawn beside what is written first. */
static int write_layers(const struct report *r, struct error *e)
{
    struct drawing d = {.r = r};
    pthread_t thread;
    const bool beside = loops_start_thread(&thread, NULL, draw, &d);
    int status = report_layers(r, e);
    if (!status) status = report_tables(r, e);
    if (beside) pthread_join(thread, NULL);
    else if (!status) report_maps(r, &d.drawn);
    return status ? status : report_maps_done(r, &d.drawn, e);
}

int report_write(const struct report *r, struct error *e)
{
    const bool whole = r->s->shard.count == 1; /* of a part alone, layers would mislead */
    output_go_on(r->info);
    int status = whole ? write_layers(r, e) : report_tables(r, e);
    if (!status && whole && r->s->outline) {
        struct verification v;
        verify(&v, r->s);
        status = report_verification(r, &v, e);
    }
    return status ? status : output_end(r->info, r->s->source->base, report_summary_text(r), e);
}
