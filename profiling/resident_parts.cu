/* resident_parts.cu — the time of one step of `resident`, taken apart: src/resident/resident.cu
 * once more, with its marks switched on (src/resident/parts.h), over a case, the results checked
 * against the reference.
 *
 * The first thread of every block, which stands for a cell of the tile's own, adds up clock cycles
 * between the marks; the program shows their mean over all steps of all tiles, as a part of the
 * time of a step. */
/* build: simulator */
#define RESIDENT_PARTS
#define variant_resident      variant_resident_in_parts
#define resident_count_epochs resident_count_epochs_in_parts
#include "resident/resident.cu"

extern "C" {
#include "bench/bench.h"
#include "case/case.h"
}
#include "bench.cuh"

static const struct {
    const char *name, *what;
} parts[PARTS] = {
    {"load", "the tile and its margin from memory; a part of an epoch"},
    {"wait", "for the neighbours' messages; z and h into shared memory; a barrier of the block"},
    {"outflows", "computeOutflows of the tile and ring 1; a barrier of the block"},
    {"settle", "gathering; massBalance; solidification; records; sending"},
    {"store", "the tile to memory and the next list; a part of an epoch"},
    {"meet", "the barrier of the grid; a part of an epoch"},
};

static void must(int code, const struct error &e)
{
    if (!code) return;
    std::fprintf(stderr, "resident_parts: %s\n", e.text);
    std::exit(code);
}

/* Advances to a step and compares with the reference there. */
static bool reaches(struct gpu *g, const struct fields *reference, struct variant_status *status)
{
    struct error e = {};
    struct fields kept = {};
    const char *what = "";
    must(gpu_advance(g, reference->step - g->step, status, &e), e);
    must(fields_create(&kept, reference->window, &e), e);
    must(gpu_snapshot(g, &kept, &e), e);
    must(gpu_snapshot_wait(g, &e), e);
    bool equal = !fields_differ(&kept, reference, &what) && kept.step == reference->step;
    fields_free(&kept);
    return equal;
}

static std::string table(const struct resident_control *c, double us_per_step)
{
    double all = 0, steps = (double)c->parts.steps;
    std::string text = "part,cycles_per_step,us_per_step,percent,what\n";
    for (int i = 0; i < PARTS; i++) all += (double)c->parts.cycles[i];
    for (int i = 0; i < PARTS; i++) {
        char line[256];
        double share = (double)c->parts.cycles[i] / all;
        std::snprintf(line, sizeof line, "%s,%.0f,%.3f,%.1f,%s\n", parts[i].name,
                      (double)c->parts.cycles[i] / steps, share * us_per_step, share * 100,
                      parts[i].what);
        text += line;
    }
    char line[128];
    std::snprintf(line, sizeof line,
                  "all,%.0f,%.3f,100.0,epochs on the chip: %d; through memory: %d\n", all / steps,
                  us_per_step, c->on_chip, c->through_memory);
    return text + line;
}

int main(int argc, char **argv)
{
    const bench::options o = bench::parse(argc, argv, "parts", "CASE");
    bench::machine m = bench::open_machine();
    struct sim_case sim = {};
    struct bench_states reference = {};
    struct variant_status status = {};
    struct error e = {};
    void *self = NULL;
    bench::warm_up(o, m);
    must(case_load(&sim, o.operand.empty() ? "data/etna2006.cfg" : o.operand.c_str(), &e), e);
    int64_t steps = sim.max_steps ? sim.max_steps - sim.problem.first_step : 16000;
    if (o.quick && steps > 400) steps = 400;
    must(bench_reference(&reference, &sim.problem, sim.problem.first_step + steps, &e), e);
    must(variant_resident.create(&self, &sim.problem, NULL, &e), e);
    struct gpu *g = (struct gpu *)self;
    bool right = reaches(g, &reference.peak, &status) && reaches(g, &reference.end, &status);
    struct resident_control control = {};
    must(read_control(g, &control, &e), e);
    std::string text = bench::preamble(o, m) + table(&control, g->ms * 1e3 / (double)steps);
    std::fputs(text.c_str(), stdout);
    if (!right) std::fprintf(stderr, "the results are WRONG\n");
    bool written = !right || o.csv.empty() || bench::write_file(o.csv, text);
    gpu_destroy(g);
    bench_states_free(&reference);
    case_free(&sim);
    bench::close_machine(&m);
    return right && written ? 0 : 1;
}
