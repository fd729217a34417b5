#include "ranks.h"

#include "affinity.h"

#include "base/processors.h"
#include "ensemble/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void ranks_create(struct ranks *r)
{
    *r = (struct ranks){0};
    MPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r->size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, r->rank, MPI_INFO_NULL, &r->node);
    MPI_Comm_rank(r->node, &r->node_rank);
    MPI_Comm_size(r->node, &r->node_size);
    if (gethostname(r->host, sizeof r->host - 1)) strcpy(r->host, "?");
}

void ranks_free(struct ranks *r)
{
    MPI_Comm_free(&r->node);
}

int ranks_agree(const struct ranks *r, int status, struct error *e)
{
    int mine = status ? r->rank : r->size, first;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == r->size) return 0;
    struct error shared = *e;
    if (r->rank)
        snprintf(shared.text, sizeof shared.text, "rank %d on %s: %.900s", r->rank, r->host,
                 e->text);
    shared.code = (enum error_code)status;
    MPI_Bcast(&shared, (int)sizeof shared, MPI_BYTE, first, MPI_COMM_WORLD);
    *e = shared;
    return (int)shared.code;
}

/* ---- processors ------------------------------------------------------------------------------ */

static int count_threads(const struct ranks *r, const struct ensemble_request *q)
{
    const int share = affinity_share(r->node); /* all ranks of the machine call this */
    if (q->of.threads) return q->of.threads;
    return getenv("OMP_NUM_THREADS") ? processors_granted() : share;
}

/* Looks at the devices that --devices names or, without that option, at all devices of the machine. */
static int look_at_devices(struct placement_view *v, const struct ensemble_request *q,
                           struct error *e)
{
    struct study_devices named;
    char what[128];
    *v = (struct placement_view){0};
    int status = study_devices(&named, &q->of, e);
    if (status) return status;
    for (int i = 0; q->of.devices && i < named.count; i++) v->number[v->count++] = named.number[i];
    for (int i = 0; !q->of.devices && named.count && i < ENGINE_DEVICES_MAX; i++)
        if (!batch_available(i, what, NULL)) v->number[v->count++] = i;
    for (int i = 0; i < v->count; i++)
        if (!device_id(v->number[i], v->id[i]))
            return error_device(e, "GPU %d does not report its UUID", v->number[i]);
    return 0;
}

/* Called by all ranks of a machine together. Chooses a device for this rank. *at: index of the device in *mine; -1: none. */
static int choose_device(const struct ranks *r, const struct placement_view *mine, bool share,
                         int *at, struct error *e)
{
    FREED struct placement_view *view = calloc((size_t)r->node_size, sizeof *view);
    FREED int *place = calloc((size_t)r->node_size, sizeof *place);
    int without = -1;
    if (!view || !place) MPI_Abort(MPI_COMM_WORLD, ERROR_FAILED);
    MPI_Allgather(mine, (int)sizeof *mine, MPI_BYTE, view, (int)sizeof *mine, MPI_BYTE, r->node);
    const bool fits = placement_choose(place, view, r->node_size, share, &without);
    *at = place[r->node_rank];
    if (fits || without != r->node_rank) return 0;
    return error_input(e,
                       "%s: more ranks than GPUs (%d); use one rank for each GPU, --share-devices, "
                       "or --variant reference",
                       r->host, mine->count);
}

int ranks_place(const struct ranks *r, const struct ensemble_request *q, struct study_devices *d,
                int *threads, char line[RANKS_LINE], struct error *e)
{
    struct placement_view view;
    char what[128] = "";
    int at = -1;
    *d = (struct study_devices){0};
    int status = ranks_agree(r, look_at_devices(&view, q, e), e);
    if (!status) status = ranks_agree(r, choose_device(r, &view, q->share_devices, &at, e), e);
    if (status) return status;
    *threads = count_threads(r, q);
    if (at < 0) {
        snprintf(line, RANKS_LINE, "%d thread%s", *threads, *threads == 1 ? "" : "s");
        return 0;
    }
    d->number[d->count++] = view.number[at];
    status = batch_available(view.number[at], what, e);
    snprintf(line, RANKS_LINE, "GPU %d (%s), %.8s", view.number[at], what, view.id[at]);
    return status;
}

void ranks_print(const struct ranks *r, const char line[RANKS_LINE])
{
    struct {
        char host[RANKS_HOST], line[RANKS_LINE];
    } mine, *all = calloc((size_t)r->size, sizeof *all);
    memcpy(mine.host, r->host, sizeof mine.host);
    memcpy(mine.line, line, sizeof mine.line);
    if (!all) MPI_Abort(MPI_COMM_WORLD, ERROR_FAILED);
    MPI_Gather(&mine, (int)sizeof mine, MPI_BYTE, all, (int)sizeof mine, MPI_BYTE, 0,
               MPI_COMM_WORLD);
    for (int i = 0; !r->rank && i < r->size; i++)
        printf("rank %d on %s: %s\n", i, all[i].host, all[i].line);
    fflush(stdout);
    free(all);
}

void ranks_wait(void)
{
    MPI_Request request;
    const struct timespec pause = {0, 10000000};
    int there = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &there, MPI_STATUS_IGNORE); !there;
         MPI_Test(&request, &there, MPI_STATUS_IGNORE))
        nanosleep(&pause, NULL);
}
