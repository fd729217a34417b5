/* example.c — computes a case to its 60th step or another one: cc example.c $(pkg-config --cflags
 * --libs sciara) -o example && ./example volcano.cfg 60 */
#include <inttypes.h>
#include <sciara.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct sciara_error e;
    struct sciara_case_info info;
    sciara_case *volcano = NULL;
    sciara_simulation *run = NULL;
    sciara_snapshot *state = NULL;
    int status = sciara_case_load(&volcano, argc > 1 ? argv[1] : "volcano.cfg", NULL, NULL, &e);
    if (!status) status = sciara_create(&run, volcano, NULL, &e);
    if (!status) status = sciara_advance(run, argc > 2 ? atoi(argv[2]) : 60, &e);
    if (!status) status = sciara_snapshot_take(&state, run, &e);
    if (!status) status = sciara_snapshot_wait(state, &e);
    if (!status) {
        double thickest_m = 0;
        const double *thickness_m = sciara_snapshot_field(state, SCIARA_THICKNESS);
        sciara_case_info(volcano, &info);
        for (size_t i = 0; i < (size_t)info.rows * (size_t)info.cols; i++)
            if (thickness_m[i] > thickest_m) thickest_m = thickness_m[i];
        printf("step %" PRId64 ": %.2f m, digest %016" PRIx64 "\n", sciara_snapshot_step(state),
               thickest_m, sciara_snapshot_digest(state));
    } else fprintf(stderr, "%s\n", e.text);
    sciara_snapshot_free(state);
    sciara_free(run);
    sciara_case_free(volcano);
    return status;
}
