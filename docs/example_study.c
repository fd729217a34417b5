/* example_study.c — computes the ensemble of a plan, and prints the area that lava reaches with a
 * probability of one half and more: cc example_study.c $(pkg-config --cflags --libs sciara)
 * -o example_study && ./example_study plan.cfg; or the same of the members of a library for which
 * an expression is true: ./example_study library.gpkg "area_m2 > 2e5" */
#include <inttypes.h>
#include <sciara.h>
#include <stdio.h>
#include <stdlib.h>

static int show(const struct sciara_study_progress *now, void *user)
{
    (void)user;
    fprintf(stderr, "\r%s %" PRId64 " of %" PRId64, now->stage, now->done, now->all);
    return 0; /* another number cancels */
}

int main(int argc, char **argv)
{
    struct sciara_error e;
    struct sciara_case_info info;
    struct sciara_study_options o;
    sciara_study *study = NULL;
    sciara_study_options_init(&o, sizeof o);
    o.progress = show;
    o.where = argc > 2 ? argv[2] : NULL;
    int status = sciara_study_open(&study, o.where ? SCIARA_ASK : SCIARA_ENSEMBLE,
                                   argc > 1 ? argv[1] : "plan.cfg", &o, &e);
    if (!status) status = sciara_study_run(study, &e);
    if (!status) {
        double area_m2 = 0;
        sciara_study_info(study, &info);
        const size_t cells = (size_t)info.rows * (size_t)info.cols;
        float *probability = malloc(cells * sizeof *probability);
        if (!probability) return 1;
        status = sciara_study_layer(study, "probability.tif", probability, cells, &e);
        for (size_t i = 0; i < cells && !status; i++)
            if (probability[i] >= 0.5f) area_m2 += info.cell_m * info.cell_m;
        free(probability);
        printf("%.4f km2, digest %016" PRIx64 "\n", area_m2 * 1e-6, sciara_study_digest(study));
    }
    if (status) fprintf(stderr, "%s\n", e.text);
    sciara_study_close(study);
    return status;
}
