/* study_devices.c — which devices compute a study: --variant and --devices. */
#include "study_command.h"

#include "base/loops.h"
#include "ensemble/batch.h"

#include <stdlib.h>
#include <string.h>

const char *const study_variants[] = {"auto", "reference", "batch", NULL};

static int add_device(struct study_devices *d, int number, struct error *e)
{
    char what[128];
    for (int i = 0; i < d->count; i++)
        if (d->number[i] == number)
            return error_input(e, "ensemble: --devices: %d is named twice", number);
    if (d->count == ENGINE_DEVICES_MAX)
        return error_input(e, "ensemble: --devices: more than %d", ENGINE_DEVICES_MAX);
    int status = batch_available(number, what, e);
    if (!status) d->number[d->count++] = number;
    return status;
}

/* "0,1,2" */
static int parse(struct study_devices *d, const char *text, struct error *e)
{
    int status = 0;
    for (const char *at = text; !status; at++) {
        const size_t digits = strspn(at, "0123456789");
        if (digits < 1 || digits > 4 || !strchr(",", at[digits]))
            return error_input(e, "ensemble: --devices %.40s: give numbers, as in 0,1", text);
        status = add_device(d, atoi(at), e);
        at += digits;
        if (!*at) break;
    }
    return status;
}

int study_devices(struct study_devices *d, const struct study_request *q, struct error *e)
{
    *d = (struct study_devices){0};
    if (q->variant == STUDY_REFERENCE && q->devices)
        return error_input(
            e, "ensemble: --devices: variant reference uses no GPU; remove one of the two");
    if (q->variant == STUDY_REFERENCE) return 0;
    if (q->devices) return parse(d, q->devices, e);
    int status = add_device(d, 0, e);
    return q->variant == STUDY_AUTO ? 0 : status;
}

static void *warm(void *warming)
{
    batch_warm(((const struct device_warming *)warming)->device);
    return NULL;
}

void devices_warm(struct devices_warming *w, const struct study_devices *d)
{
    w->count = 0;
    for (int i = 0; i < d->count; i++) {
        struct device_warming *one = &w->of[w->count];
        one->device = d->number[i];
        w->count += loops_start_thread(&one->thread, NULL, warm, one);
    }
}

void devices_ready(struct devices_warming *w)
{
    while (w->count) pthread_join(w->of[--w->count].thread, NULL);
}
