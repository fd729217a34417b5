/* techniques.cu — what each technique is worth: the simulator, or a piece of it, with and without,
 * in turn.
 *
 * The simulator computes a case (data/etna2006.cfg) by its own variants. The piece is
 * computeOutflows, or the sum of reduceAdd, over the whole domain in the state in which most cells
 * hold lava (techniques_kernels.cuh). Both forms have to give the reference's bits; one that does
 * not has no gain, and the program fails. Rows are named in README.md of this folder. */
/* build: simulator */
#include "bench.cuh"
#include "techniques_kernels.cuh"

#include "sim/variant.h"

extern "C" {
#include "bench/bench.h"
#include "case/case.h"
}

#include <functional>

using namespace bench;

/* ---- rows ------------------------------------------------------------------------------------ */

struct comparison {
    timing with, without;
};

/* One row per technique. The gain is the time without it over the time with it. No detail may
 * contain a comma. */
class comparisons
{
  public:
    comparisons(const options &o, const machine &m) : path(o.csv), text(preamble(o, m)), wrong(0)
    {
        std::fputs(text.c_str(), stdout);
        std::printf("%-27s %-72s %11s %11s %8s %8s %7s  %s\n", "name", "detail", "with_us",
                    "without_us", "gain", "spread_%", "samples", "check");
        text += "name,detail,with_us,without_us,gain,spread_percent,samples,check\n";
    }

    /* A time is of `units` steps or calls. */
    void add(const char *name, const std::string &detail, comparison c, double units, bool right)
    {
        char times[96] = ",,,,", shown[96] = "          -           -        -        -       -";
        if (right) {
            const double with = c.with.median_s * 1e6 / units;
            const double without = c.without.median_s * 1e6 / units;
            const double spread = 100 * (c.with.spread + c.without.spread);
            std::snprintf(times, sizeof times, "%.5g,%.5g,%.2f ×,%.2f,%d", with, without,
                          without / with, spread, c.with.samples);
            std::snprintf(shown, sizeof shown, "%11.3f %11.3f %6.2f × %8.2f %7d", with, without,
                          without / with, spread, c.with.samples);
        }
        wrong += !right;
        std::printf("%-27s %-72s %s  %s\n", name, detail.c_str(), shown, right ? "ok" : "WRONG");
        std::fflush(stdout);
        text += std::string(name) + "," + detail + "," + times + (right ? ",ok\n" : ",wrong\n");
    }

    void skip(const char *name, const std::string &detail, const char *why)
    {
        std::printf("%-27s %-72s not measured: %s\n", name, detail.c_str(), why);
        text += std::string(name) + "," + detail + ",,,,,,skipped\n";
    }

    /* Writes the file; returns the exit status of the program. */
    int finish()
    {
        if (wrong) std::fprintf(stderr, "%d results are WRONG (marked above)\n", wrong);
        return (path.empty() || write_file(path, text)) && !wrong ? 0 : 1;
    }

  private:
    std::string path, text;
    int wrong;
};

/* Each makes n calls and returns the seconds that they took together. */
typedef std::function<double(int)> seconds_of;

/* In turn, so that whatever disturbs the machine meets both. */
static comparison compare(const options &o, const seconds_of &with, const seconds_of &without)
{
    const int calls = calls_in_group(o, with), calls_without = calls_in_group(o, without);
    std::vector<double> a, b;
    comparison c = {{0, 1, 0}, {0, 1, 0}};
    for (const double begin = now_s();
         a.size() < 7 ||
         (std::max(c.with.spread, c.without.spread) > 0.002 && now_s() - begin < o.limit_s);) {
        a.push_back(with(calls) / calls);
        b.push_back(without(calls_without) / calls_without);
        c = {summarise(a), summarise(b)};
    }
    return c;
}

/* ---- the case -------------------------------------------------------------------------------- */

struct lab {
    options o;
    machine m;
    comparisons *table;
    sim_case sim;
    bench_states reference; /* where most cells hold lava, and at the end */
};

static void must(int code, const error &e)
{
    if (!code) return;
    std::fprintf(stderr, "techniques: %s\n", e.text);
    std::exit(code);
}

static void load(lab *l)
{
    error e = {};
    const char *path = l->o.operand.empty() ? "data/etna2006.cfg" : l->o.operand.c_str();
    const int64_t few = 400, many = 16000;
    must(case_load(&l->sim, path, &e), e);
    problem *p = &l->sim.problem;
    int64_t steps = l->sim.max_steps ? l->sim.max_steps - p->first_step : many;
    if (l->o.quick && steps > few) steps = few;
    must(bench_reference(&l->reference, p, p->first_step + steps, &e), e);
    std::printf("# %s: %lld steps; most cells with lava, %zu, after step %lld\n", l->sim.name,
                (long long)l->reference.steps, l->reference.peak_wet,
                (long long)l->reference.peak.step);
}

/* ---- the simulator --------------------------------------------------------------------------- */

enum snapshots { NO_SNAPSHOTS, WAITED_FOR, BESIDE_THE_STEPS };

/* How the simulator is driven. */
struct drive {
    const variant *v;
    bool full_domain;
    unsigned disabled;   /* variant.h */
    int64_t advance;     /* steps that the host asks for at a time; 0: all */
    enum snapshots kept; /* after each of these advances */
};

class simulation
{
  public:
    simulation(const lab *l, const drive &d) : l(l), d(d), p(l->sim.problem), kept(), self(NULL)
    {
        variant_options options = {};
        options.disabled = d.disabled;
        p.full_domain = d.full_domain;
        must(fields_create(&kept, p.window, &e), e);
        must(d.v->create(&self, &p, &options, &e), e);
        status.step = p.first_step;
    }
    ~simulation()
    {
        d.v->destroy(self);
        fields_free(&kept);
    }
    simulation(const simulation &) = delete;
    simulation &operator=(const simulation &) = delete;

    /* Up to a step. Snapshots are whole when this returns. */
    void advance(int64_t last)
    {
        while (status.step < last && !status.stopped) {
            const int64_t left = last - status.step;
            const int64_t n = d.advance && d.advance < left ? d.advance : left;
            must(d.v->advance(self, n, &status, &e), e);
            if (d.kept == NO_SNAPSHOTS) continue;
            must(d.v->snapshot_wait(self, &e), e); /* for that of the advance before */
            must(d.v->snapshot(self, &kept, &e), e);
            if (d.kept == WAITED_FOR) must(d.v->snapshot_wait(self, &e), e);
        }
        must(d.v->snapshot_wait(self, &e), e);
    }

    bool equals(const fields &reference)
    {
        const char *what = "";
        must(d.v->snapshot(self, &kept, &e), e);
        must(d.v->snapshot_wait(self, &e), e);
        return !fields_differ(&kept, &reference, &what) && kept.step == reference.step &&
               fields_same_sums(&kept, &reference);
    }

  private:
    const lab *l;
    drive d;
    problem p;
    fields kept;
    error e = {};
    void *self;
    variant_status status = {};
};

/* Seconds of all steps, as the host sees them; *right stays true if the last state is right. */
static double run_s(const lab *l, const drive &d, bool *right)
{
    simulation s(l, d);
    const double begin = now_s();
    s.advance(l->reference.end.step);
    const double seconds = now_s() - begin;
    *right = s.equals(l->reference.end) && *right;
    return seconds;
}

static bool right_at_peak(const lab *l, const drive &d)
{
    simulation s(l, d);
    s.advance(l->reference.peak.step);
    return s.equals(l->reference.peak);
}

static void compare_runs(lab *l, const char *name, const std::string &detail, const drive &with,
                         const drive &without)
{
    bool right = right_at_peak(l, with) && right_at_peak(l, without);
    const auto runs = [&](const drive &d) {
        return [l, d, &right](int n) {
            double seconds = 0;
            for (int i = 0; i < n; ++i) seconds += run_s(l, d, &right);
            return seconds;
        };
    };
    const comparison c = compare(l->o, runs(with), runs(without));
    l->table->add(name, std::string(with.v->name) + "; " + detail, c, (double)l->reference.steps,
                  right);
}

/* Those that were built. The rows of the first are those that documents name. */
static std::vector<const variant *> built(std::initializer_list<const char *> names)
{
    std::vector<const variant *> all;
    for (const char *name : names)
        if (const variant *v = variant_find(name)) all.push_back(v);
    return all;
}

static std::vector<const variant *> measured()
{
    return built({"cfamo", "global", "resident"});
}

/* resident has one launch for thousands of steps. */
static std::vector<const variant *> measured_with_launches()
{
    return built({"cfamo", "global"});
}

static void round_trips(lab *l)
{
    for (const variant *v : measured()) {
        const drive all = {v, false, 0, 0, NO_SNAPSHOTS};
        drive trips = all;
        trips.advance = 1;
        compare_runs(l, "no_round_trip_per_step", "against waiting for every step", all, trips);
    }
    for (const variant *v : measured()) {
        const drive all = {v, false, 0, 0, NO_SNAPSHOTS};
        drive trips = all;
        trips.advance = l->sim.problem.reduce_every;
        compare_runs(l, "no_round_trip_per_reduction",
                     "against one every " + std::to_string(trips.advance) + " steps", all, trips);
    }
}

static void launches(lab *l)
{
    for (const variant *v : measured_with_launches()) {
        const drive all = {v, false, 0, 0, NO_SNAPSHOTS};
        drive singly = all;
        singly.disabled = VARIANT_DISABLE_GRAPH;
        compare_runs(l, "graph", "against launching every kernel", all, singly);
    }
    for (const variant *v : measured_with_launches()) {
        const drive all = {v, false, 0, 0, NO_SNAPSHOTS};
        drive after = all;
        after.disabled = VARIANT_DISABLE_PROGRAMMATIC_LAUNCH;
        if (l->m.properties.major >= 9)
            compare_runs(l, "programmatic_launch", "dependent launch in a graph", all, after);
        else l->table->skip("programmatic_launch", v->name, "begins with compute capability 9.0");
    }
}

static void lava_only(lab *l)
{
    for (const variant *v : measured()) {
        const drive lava = {v, false, 0, 0, NO_SNAPSHOTS};
        drive full = lava;
        full.full_domain = true;
        compare_runs(l, "lava_only", "against the whole domain", lava, full);
    }
}

static void asynchronous_snapshots(lab *l)
{
    const int64_t every = std::max((int64_t)1, l->reference.steps / 32);
    for (const variant *v : measured()) {
        const drive beside = {v, false, 0, every, BESIDE_THE_STEPS};
        drive waited = beside;
        waited.kept = WAITED_FOR;
        compare_runs(l, "asynchronous_snapshots",
                     "every " + std::to_string(every) + " steps; against waiting for each", beside,
                     waited);
    }
}

/* ---- the piece ------------------------------------------------------------------------------- */

/* The state with most lava, as padded arrays on the host, and what has to come out of it. */
struct state {
    grid g;
    piece p; /* of arrays on the device, where there are any */
    std::vector<double> z, h, T, flow;
    quanta mobile;
    size_t flowing; /* cells that give lava away */
};

static void expect(state *s)
{
    s->flow.assign(8 * (size_t)s->g.size, 0.0);
    for (int row = 0; row < s->g.rows; ++row)
        for (int col = 0; col < s->g.cols; ++col) {
            const int at = grid_at(s->g.stride, row, col);
            double zk[8], hk[8], out[8];
            for (int k = 0; k < 8; ++k) {
                const int next = at + PHYSICS_ROW(k) * s->g.stride + PHYSICS_COL(k);
                zk[k] = s->z[next];
                hk[k] = s->h[next];
            }
            if (!(s->h[at] > 0.0) ||
                !physics_outflows(&s->p.physics, s->z[at], s->h[at], s->T[at], zk, hk, out))
                continue;
            ++s->flowing;
            for (int k = 0; k < 8; ++k) s->flow[k * (size_t)s->g.size + at] = out[k];
        }
}

static state most_lava(const lab *l)
{
    const fields &f = l->reference.peak;
    problem p = l->sim.problem;
    state s = {};
    p.elevation_m = f.elevation_m;
    s.g = grid_create(p.window.rows, p.window.cols, PIECE_TILE, PIECE_TILE);
    s.p.physics = physics_create(&p.params);
    s.p.stride = s.g.stride;
    s.p.size = s.g.size;
    s.p.tiles_across = s.g.tiles_across;
    s.p.tile_count = s.g.tiles_down * s.g.tiles_across;
    for (std::vector<double> *a : {&s.z, &s.h, &s.T}) a->resize((size_t)s.g.size);
    grid_fill_elevation(&s.g, &p, grid_all(&s.g), s.z.data());
    grid_fill_value(&s.g, &p, f.thickness_m, s.h.data());
    grid_fill_value(&s.g, &p, f.temp_K, s.T.data());
    s.mobile = fields_mobile(&f, NULL);
    expect(&s);
    return s;
}

/* `calls` launches, one after the other, as one graph: the host takes longer to launch than they to
 * run. */
class chain
{
  public:
    template <class Launch> chain(const machine &m, int calls, Launch launch) : m(m)
    {
        cudaGraph_t graph;
        CUDA(cudaStreamBeginCapture(m.stream, cudaStreamCaptureModeThreadLocal));
        for (int i = 0; i < calls; ++i) LAUNCH(launch());
        CUDA(cudaStreamEndCapture(m.stream, &graph));
        CUDA(cudaGraphInstantiate(&executable, graph, 0));
        CUDA(cudaGraphDestroy(graph));
        CUDA(cudaEventCreate(&begin));
        CUDA(cudaEventCreate(&end));
    }
    ~chain()
    {
        CUDA(cudaGraphExecDestroy(executable));
        CUDA(cudaEventDestroy(begin));
        CUDA(cudaEventDestroy(end));
    }
    chain(const chain &) = delete;
    chain &operator=(const chain &) = delete;

    double seconds(int times) const
    {
        float ms = 0;
        CUDA(cudaEventRecord(begin, m.stream));
        for (int i = 0; i < times; ++i) CUDA(cudaGraphLaunch(executable, m.stream));
        CUDA(cudaEventRecord(end, m.stream));
        CUDA(cudaEventSynchronize(end));
        CUDA(cudaEventElapsedTime(&ms, begin, end));
        return ms * 1e-3;
    }

  private:
    const machine &m;
    cudaGraphExec_t executable;
    cudaEvent_t begin, end;
};

enum { CHAIN = 100 };

/* Two forms of a kernel; the checks say whether one launch of each gave what it has to. */
template <class With, class Without>
static void compare_kernels(lab *l, const char *name, const std::string &detail, With with,
                            Without without, const std::function<bool()> &right)
{
    const chain a(l->m, CHAIN, with), b(l->m, CHAIN, without);
    const comparison c = compare(
        l->o, [&](int n) { return a.seconds(n); }, [&](int n) { return b.seconds(n); });
    l->table->add(name, detail, c, CHAIN, right());
}

/* The flows of the window's cells, in all eight layers. */
static bool flows_equal(const state &s, const std::vector<double> &got)
{
    for (size_t k = 0; k < 8; ++k)
        for (int row = 0; row < s.g.rows; ++row) {
            const size_t at = k * (size_t)s.g.size + (size_t)grid_at(s.g.stride, row, 0);
            if (std::memcmp(&got[at], &s.flow[at], (size_t)s.g.cols * sizeof(double))) return false;
        }
    return s.flowing > 0;
}

/* One launch into poisoned memory, looked at. */
static bool launch_is_right(const lab *l, const state &s, const outflows_form &form, const piece &p,
                            device_array<double> *flow)
{
    flow->fill(0xFF);
    LAUNCH(form.launch(p, l->m.stream));
    return flows_equal(s, flow->download());
}

/* The state on the device. */
struct device_state {
    device_array<double> z, h, T, flow;
    piece p;

    device_state(const machine &m, const state &s)
        : z(m, s.z.size()), h(m, s.h.size()), T(m, s.T.size()), flow(m, s.flow.size()), p(s.p)
    {
        z.upload(s.z), h.upload(s.h), T.upload(s.T);
        p.z = z.get(), p.h = h.get(), p.T = T.get(), p.flow = flow.get();
    }
};

static void outflow_forms(lab *l, const char *name, int form, const char *against, const state &s,
                          device_state *d)
{
    const outflows_form with = outflows_forms[form], without = outflows_forms[OUTFLOWS_PLAIN];
    compare_kernels(
        l, name, std::string("computeOutflows; ") + with.name + "; against " + against,
        [&] { with.launch(d->p, l->m.stream); }, [&] { without.launch(d->p, l->m.stream); },
        [&] {
            return launch_is_right(l, s, with, d->p, &d->flow) &&
                   launch_is_right(l, s, without, d->p, &d->flow);
        });
}

static void loads_and_cells(lab *l)
{
    const state s = most_lava(l);
    device_state d(l->m, s);
    if (wants(l->o, "loads")) {
        outflow_forms(l, "read_only_loads", OUTFLOWS_LDG, "plain loads", s, &d);
        outflow_forms(l, "read_only_loads", OUTFLOWS_RESTRICT, "plain loads", s, &d);
    }
    if (wants(l->o, "cells")) {
        outflow_forms(l, "cells_per_thread_2", OUTFLOWS_2, "one", s, &d);
        outflow_forms(l, "cells_per_thread_4", OUTFLOWS_4, "one", s, &d);
    }
}

/* ---- sums ------------------------------------------------------------------------------------ */

static bool sum_is_right(const lab *l, const state &s, const sum_form &form, const device_state &d,
                         device_array<gpu_sum> *sum)
{
    sum->fill(0);
    launch_sum(form, d.p.h, d.p.size, 4 * l->m.processors, sum->get(), l->m.stream);
    CUDA(cudaGetLastError());
    const gpu_sum got = sum->download()[0];
    return s.mobile > 0 &&
           (quanta)got.word[0] + (quanta)got.word[1] * ((quanta)1 << 32) == s.mobile;
}

static void reductions(lab *l)
{
    struct row {
        const char *name;
        int with, without;
    };
    const row rows[] = {{"reduction_by_shuffles", SUM_SHUFFLES, SUM_SHARED},
                        {"reduction_in_shared_memory", SUM_SHARED, SUM_ATOMICS},
                        {"reduction_by_atomics", SUM_ATOMICS, SUM_SHUFFLES}};
    const state s = most_lava(l);
    const device_state d(l->m, s);
    device_array<gpu_sum> sum(l->m, 1);
    const auto launcher = [&](const sum_form &form) {
        return
            [&] { launch_sum(form, d.p.h, d.p.size, 4 * l->m.processors, sum.get(), l->m.stream); };
    };
    for (const row &r : rows) {
        const sum_form &with = sum_forms[r.with], &without = sum_forms[r.without];
        compare_kernels(l, r.name, std::string(with.name) + "; against " + without.name,
                        launcher(with), launcher(without), [&] {
                            return sum_is_right(l, s, with, d, &sum) &&
                                   sum_is_right(l, s, without, d, &sum);
                        });
    }
}

/* ---- device memory --------------------------------------------------------------------------- */

/* z, h and T in memory that both sides can use; some MiB. */
class managed_state
{
  public:
    piece p;
    double *h;

    managed_state(const state &s, double *flow) : p(s.p)
    {
        p.z = made(s.z);
        p.h = h = made(s.h);
        p.T = made(s.T);
        p.flow = flow;
    }
    ~managed_state()
    {
        for (double *a : arrays) CUDA(cudaFree(a));
    }
    managed_state(const managed_state &) = delete;
    managed_state &operator=(const managed_state &) = delete;

  private:
    double *made(const std::vector<double> &from)
    {
        double *a = NULL;
        CUDA(cudaMallocManaged(&a, from.size() * sizeof(double)));
        arrays.push_back(a);
        std::memcpy(a, from.data(), from.size() * sizeof(double));
        return a;
    }
    std::vector<double *> arrays;
};

static void prefetch(const machine &m, const void *from, size_t bytes)
{
#if CUDART_VERSION >= 13000
    const cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    CUDA(cudaMemPrefetchAsync(from, bytes, here, 0, m.stream));
#else
    CUDA(cudaMemPrefetchAsync(from, bytes, 0, m.stream));
#endif
}

/* Seconds of n calls, each waited for. */
template <class Call> static seconds_of waiting(const machine &m, Call call)
{
    return [&m, call](int n) {
        const double begin = now_s();
        for (int i = 0; i < n; ++i) {
            call();
            CUDA(cudaStreamSynchronize(m.stream));
        }
        return now_s() - begin;
    };
}

/* Why there is nothing to compare with; NULL: there is. */
static const char *no_managed_memory(const problem &p)
{
    const double most_bytes = 32 << 20; /* a trial: the simulator has no managed memory */
    int concurrent = 0;
    void *trial = NULL;
    CUDA(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
    if (!concurrent) return "host and device cannot use managed memory at the same time here";
    if (3.0 * sizeof(double) * p.window.rows * p.window.cols > most_bytes)
        return "only tried where it takes a few MiB";
    const cudaError_t status = cudaMallocManaged(&trial, 1 << 20);
    (void)cudaGetLastError(); /* asked and answered */
    if (status != cudaSuccess) return cudaGetErrorString(status);
    CUDA(cudaFree(trial));
    return NULL;
}

static void device_memory(lab *l)
{
    const char *const name = "device_memory";
    const std::string kernels = "computeOutflows again and again; against managed memory";
    const std::string written = "h from the host; computeOutflows; against managed memory";
    const machine &m = l->m;
    if (const char *why = no_managed_memory(l->sim.problem))
        return l->table->skip(name, kernels, why);

    const state s = most_lava(l);
    device_state d(m, s);
    const managed_state managed(s, d.p.flow);
    const outflows_form form = outflows_forms[OUTFLOWS_PLAIN];
    const size_t bytes = s.h.size() * sizeof(double);
    const std::function<bool()> right = [&] {
        return launch_is_right(l, s, form, d.p, &d.flow) &&
               launch_is_right(l, s, form, managed.p, &d.flow);
    };
    compare_kernels(
        l, name, kernels, [&] { form.launch(d.p, m.stream); },
        [&] { form.launch(managed.p, m.stream); }, right);

    const seconds_of copied = waiting(m, [&] {
        CUDA(cudaMemcpyAsync(d.h.get(), s.h.data(), bytes, cudaMemcpyHostToDevice, m.stream));
        LAUNCH(form.launch(d.p, m.stream));
    });
    const seconds_of on_demand = waiting(m, [&] {
        std::memcpy(managed.h, s.h.data(), bytes);
        LAUNCH(form.launch(managed.p, m.stream));
    });
    const seconds_of prefetched = waiting(m, [&] {
        std::memcpy(managed.h, s.h.data(), bytes);
        prefetch(m, managed.h, bytes);
        LAUNCH(form.launch(managed.p, m.stream));
    });
    comparison c = compare(l->o, copied, on_demand);
    l->table->add(name, written + "; pages on demand", c, 1, right());
    c = compare(l->o, copied, prefetched);
    l->table->add(name, written + "; pages prefetched", c, 1, right());
}

/* ---- all of it ------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    const options o = parse(
        argc, argv, "round_trips launches reductions loads cells lava snapshots memory", "CASE");
    lab l = {o, open_machine(), NULL, {}, {}};
    warm_up(o, l.m);
    comparisons table(o, l.m);
    l.table = &table;
    load(&l);
    if (wants(o, "round_trips")) round_trips(&l);
    if (wants(o, "launches")) launches(&l);
    if (wants(o, "reductions")) reductions(&l);
    if (wants(o, "loads") || wants(o, "cells")) loads_and_cells(&l);
    if (wants(o, "lava")) lava_only(&l);
    if (wants(o, "snapshots")) asynchronous_snapshots(&l);
    if (wants(o, "memory")) device_memory(&l);
    const int status = table.finish();
    bench_states_free(&l.reference);
    case_free(&l.sim);
    close_machine(&l.m);
    return status;
}
