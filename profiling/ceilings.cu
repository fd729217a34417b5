/* ceilings.cu — what this device can do at most, measured: the lines of the roofline, and the
 * prices of launches, barriers and atomics. Rows are named in README.md of this folder.
 *
 * Bytes counted per element of 16 bytes: read 16, write 16, copy 32. */
#include "bench.cuh"

#include <cooperative_groups.h>

#include <type_traits>

using namespace bench;
namespace cg = cooperative_groups;

struct bench_run {
    options o;
    machine m;
    report table;
};

/* ---- DRAM: a buffer of many times the L2 ----------------------------------------------------- */

constexpr int memory_threads = 256;
constexpr int in_flight = 4; /* independent 16-byte accesses of a thread */

__host__ __device__ inline u64 word(size_t i, u64 tag)
{
    return mix(i) + tag;
}

__global__ void fill_words(ulonglong2 *out, size_t count, u64 tag)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        out[i] = make_ulonglong2(word(2 * i, tag), word(2 * i + 1, tag));
}

/* count is a multiple of in_flight times the threads of the grid, here and below. */
__global__ void dram_read(const ulonglong2 *__restrict__ in, size_t count, u64 *__restrict__ sums)
{
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t step = (size_t)gridDim.x * blockDim.x;
    u64 sum = 0;
    for (size_t i = thread; i < count; i += in_flight * step) {
        ulonglong2 v[in_flight];
#pragma unroll
        for (int k = 0; k < in_flight; ++k) v[k] = in[i + k * step];
#pragma unroll
        for (int k = 0; k < in_flight; ++k) sum += v[k].x ^ v[k].y;
    }
    sums[thread] = sum;
}

/* The number written is cheap to make (mix() would cost more than the store). */
__global__ void dram_write(ulonglong2 *__restrict__ out, size_t count, u64 tag)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += in_flight * step)
#pragma unroll
        for (int k = 0; k < in_flight; ++k) {
            const u64 v = (i + k * step) ^ tag;
            out[i + k * step] = make_ulonglong2(v, ~v);
        }
}

__global__ void dram_copy(const ulonglong2 *__restrict__ in, ulonglong2 *__restrict__ out,
                          size_t count)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += in_flight * step) {
        ulonglong2 v[in_flight];
#pragma unroll
        for (int k = 0; k < in_flight; ++k) v[k] = in[i + k * step];
#pragma unroll
        for (int k = 0; k < in_flight; ++k) out[i + k * step] = v[k];
    }
}

static u64 total(const std::vector<u64> &v)
{
    u64 sum = 0;
    for (const u64 x : v) sum += x;
    return sum;
}

static u64 expected_sum(size_t first, size_t count, u64 tag)
{
    u64 sum = 0;
    for (size_t i = first; i < first + count; ++i) sum += word(2 * i, tag) ^ word(2 * i + 1, tag);
    return sum;
}

static bool holds_words(const device_array<ulonglong2> &a, u64 tag)
{
    const std::vector<ulonglong2> v = a.download();
    for (size_t i = 0; i < v.size(); ++i)
        if (v[i].x != word(2 * i, tag) || v[i].y != word(2 * i + 1, tag)) return false;
    return true;
}

static bool holds_ramp(const device_array<ulonglong2> &a, u64 tag)
{
    const std::vector<ulonglong2> v = a.download();
    for (size_t i = 0; i < v.size(); ++i)
        if (v[i].x != (i ^ tag) || v[i].y != ~(i ^ tag)) return false;
    return true;
}

static void dram(bench_run *b)
{
    const machine &m = b->m;
    const int blocks =
        std::min({full_grid(m, dram_read, memory_threads), full_grid(m, dram_write, memory_threads),
                  full_grid(m, dram_copy, memory_threads)});
    const size_t granule = (size_t)blocks * memory_threads * in_flight;
    const size_t wanted = (b->o.quick ? (size_t)1 << 28 : (size_t)1 << 31) / sizeof(ulonglong2);
    const size_t count = std::max(wanted / granule, (size_t)1) * granule;
    const double bytes = (double)count * sizeof(ulonglong2);
    const std::string size = std::to_string((size_t)bytes >> 20) + " MiB";
    const u64 tag = 0x5EED;
    device_array<ulonglong2> in(m, count), out(m, count);
    device_array<u64> sums(m, granule / in_flight);
    timing t;

    LAUNCH(fill_words<<<blocks, memory_threads, 0, m.stream>>>(in.get(), count, tag));
    const auto read = [&] {
        LAUNCH(dram_read<<<blocks, memory_threads, 0, m.stream>>>(in.get(), count, sums.get()));
    };
    t = time_device(b->o, m, read);
    sums.fill(0xFF);
    read();
    b->table.add({"dram_read", size}, bytes / t.median_s * 1e-9, "GB/s", t,
                 total(sums.download()) == expected_sum(0, count, tag));

    const auto write = [&] {
        LAUNCH(dram_write<<<blocks, memory_threads, 0, m.stream>>>(out.get(), count, tag));
    };
    t = time_device(b->o, m, write);
    out.fill(0xFF);
    write();
    b->table.add({"dram_write", size}, bytes / t.median_s * 1e-9, "GB/s", t, holds_ramp(out, tag));

    const auto copy = [&] {
        LAUNCH(dram_copy<<<blocks, memory_threads, 0, m.stream>>>(in.get(), out.get(), count));
    };
    t = time_device(b->o, m, copy);
    out.fill(0xFF);
    copy();
    b->table.add({"dram_copy", size + " to " + size}, 2 * bytes / t.median_s * 1e-9, "GB/s", t,
                 holds_words(out, tag));

    const auto memcpy_ = [&] {
        CUDA(cudaMemcpyAsync(out.get(), in.get(), in.bytes(), cudaMemcpyDeviceToDevice, m.stream));
    };
    t = time_device(b->o, m, memcpy_);
    out.fill(0xFF);
    memcpy_();
    b->table.add({"dram_memcpy", "cudaMemcpyAsync"}, 2 * bytes / t.median_s * 1e-9, "GB/s", t,
                 holds_words(out, tag));
}

/* ---- L2: a buffer that fits, swept again and again past the L1 (ld.cg, st.cg) ---------------- */

constexpr int chunk = memory_threads * in_flight; /* elements that a block takes at a time */

/* Chunk after chunk, the grid together, `sweeps` of them a block; the buffer has `chunks`. */
__global__ void l2_read(const ulonglong2 *in, unsigned chunks, unsigned sweeps, u64 *sums)
{
    u64 sum = 0;
    unsigned c = blockIdx.x % chunks;
    for (unsigned s = 0; s < sweeps; ++s, c = (c + gridDim.x) % chunks) {
        const ulonglong2 *p = in + (size_t)c * chunk + threadIdx.x;
        ulonglong2 v[in_flight];
#pragma unroll
        for (int k = 0; k < in_flight; ++k) v[k] = __ldcg(p + k * memory_threads);
#pragma unroll
        for (int k = 0; k < in_flight; ++k) sum += v[k].x ^ v[k].y;
    }
    sums[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* A block that runs ahead may write a chunk that another is still writing: both write the same. */
__global__ void l2_copy(const ulonglong2 *in, ulonglong2 *out, unsigned chunks, unsigned sweeps)
{
    unsigned c = blockIdx.x % chunks;
    for (unsigned s = 0; s < sweeps; ++s, c = (c + gridDim.x) % chunks) {
        const size_t at = (size_t)c * chunk + threadIdx.x;
        ulonglong2 v[in_flight];
#pragma unroll
        for (int k = 0; k < in_flight; ++k) v[k] = __ldcg(in + at + k * memory_threads);
#pragma unroll
        for (int k = 0; k < in_flight; ++k) __stcg(out + at + k * memory_threads, v[k]);
    }
}

/* The sum that l2_read must find: every chunk counted as often as the grid passes over it. */
static u64 expected_sweeps(unsigned chunks, u64 visits, u64 tag)
{
    u64 sum = 0;
    for (unsigned c = 0; c < chunks; ++c)
        sum +=
            (visits / chunks + (c < visits % chunks)) * expected_sum((size_t)c * chunk, chunk, tag);
    return sum;
}

static void l2(bench_run *b)
{
    const machine &m = b->m;
    const int blocks =
        std::min(full_grid(m, l2_read, memory_threads), full_grid(m, l2_copy, memory_threads));
    const unsigned sweeps = b->o.quick ? 16 : 256;
    const u64 visits = (u64)blocks * sweeps, tag = 0xCAFE;
    const double bytes = (double)visits * chunk * sizeof(ulonglong2);
    const size_t l2_bytes = std::max(m.properties.l2CacheSize, 1 << 20);
    const unsigned chunks = std::max((unsigned)(l2_bytes / 3 / (chunk * sizeof(ulonglong2))), 1u);
    const std::string size = std::to_string(chunks * chunk * sizeof(ulonglong2) >> 10) + " KiB";
    device_array<ulonglong2> in(m, (size_t)chunks * chunk);
    device_array<u64> sums(m, (size_t)blocks * memory_threads);
    timing t;

    LAUNCH(fill_words<<<blocks, memory_threads, 0, m.stream>>>(in.get(), in.size(), tag));
    const auto read = [&] {
        LAUNCH(
            l2_read<<<blocks, memory_threads, 0, m.stream>>>(in.get(), chunks, sweeps, sums.get()));
    };
    t = time_device(b->o, m, read);
    sums.fill(0xFF);
    read();
    b->table.add({"l2_read", size}, bytes / t.median_s * 1e-9, "GB/s", t,
                 total(sums.download()) == expected_sweeps(chunks, visits, tag));

    /* Half the size each, so that both buffers together take a third of the L2. */
    const unsigned half = std::max(chunks / 2, 1u);
    device_array<ulonglong2> out(m, (size_t)half * chunk);
    const auto copy = [&] {
        LAUNCH(l2_copy<<<blocks, memory_threads, 0, m.stream>>>(in.get(), out.get(), half, sweeps));
    };
    t = time_device(b->o, m, copy);
    out.fill(0xFF);
    copy();
    b->table.add(
        {"l2_copy", std::to_string(half * chunk * sizeof(ulonglong2) >> 10) + " KiB twice"},
        2 * bytes / t.median_s * 1e-9, "GB/s", t, holds_words(out, tag));
}

/* ---- shared memory and L1: 16 KiB a block, read without bank conflicts ----------------------- */

constexpr int near_bytes = 16384;

__device__ inline u64 fold(u64 v)
{
    return v;
}
__device__ inline u64 fold(ulonglong2 v)
{
    return v.x + v.y;
}

/* Every round, the block reads the whole array; the warps take turns at its parts, so that no load
 * is like the one before. */
template <class T> __device__ u64 sweep_near(const T *array, int rounds)
{
    constexpr int loads = near_bytes / sizeof(T) / memory_threads;
    u64 sum = 0;
#pragma unroll 2
    for (int r = 0; r < rounds; ++r) {
        const int at = (threadIdx.x + 32 * r) % memory_threads;
        T v[loads];
#pragma unroll
        for (int k = 0; k < loads; ++k) v[k] = array[at + k * memory_threads];
#pragma unroll
        for (int k = 0; k < loads; ++k) sum += fold(v[k]);
    }
    return sum;
}

template <class T> __global__ void shared_read(const T *__restrict__ in, int rounds, u64 *sums)
{
    __shared__ T array[near_bytes / sizeof(T)];
    for (int i = threadIdx.x; i < near_bytes / (int)sizeof(T); i += blockDim.x) array[i] = in[i];
    __syncthreads();
    sums[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = sweep_near(array, rounds);
}

template <class T> __global__ void l1_read(const T *__restrict__ in, int rounds, u64 *sums)
{
    sums[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = sweep_near(in, rounds);
}

template <class T>
static void near_memory(bench_run *b, const char *name, void (*kernel)(const T *, int, u64 *))
{
    const machine &m = b->m;
    const int blocks = full_grid(m, kernel, memory_threads), rounds = b->o.quick ? 64 : 2048;
    device_array<u64> in(m, near_bytes / sizeof(u64));
    device_array<u64> sums(m, (size_t)blocks * memory_threads);
    std::vector<u64> words(in.size());
    for (size_t i = 0; i < words.size(); ++i) words[i] = word(i, 0);
    in.upload(words);

    const auto read = [&] {
        LAUNCH(kernel<<<blocks, memory_threads, 0, m.stream>>>((const T *)in.get(), rounds,
                                                               sums.get()));
    };
    const timing t = time_device(b->o, m, read);
    sums.fill(0xFF);
    read();
    b->table.add({name, std::to_string(sizeof(T)) + " bytes a thread"},
                 (double)near_bytes * rounds * blocks / t.median_s * 1e-9, "GB/s", t,
                 total(sums.download()) == total(words) * rounds * blocks);
}

/* ---- arithmetic: independent chains that the host can follow to the bit ---------------------- */

/* A chain starts from a seed below 64 and makes one step after the other. Roundings are spelt out,
 * so that no compiler can contract or split them. */
template <class T> struct fused {
    T x;
    __host__ __device__ void start(int seed) { x = (T)1 + (T)seed / 64; }
    __host__ __device__ void step()
    {
        const T a = (T)0.9990234375, c = (T)0.5; /* towards 512, and there slowly */
#ifdef __CUDA_ARCH__
        if constexpr (std::is_same<T, double>::value) x = __fma_rn(x, a, c);
        else x = __fmaf_rn(x, a, c);
#else
        x = std::fma(x, a, c);
#endif
    }
};

template <class T> struct separate {
    T x;
    __host__ __device__ void start(int seed) { x = (T)1 + (T)seed / 64; }
    __host__ __device__ void step()
    {
        const T a = (T)0.9990234375, c = (T)0.5;
#ifdef __CUDA_ARCH__
        if constexpr (std::is_same<T, double>::value) x = __dadd_rn(__dmul_rn(x, a), c);
        else x = __fadd_rn(__fmul_rn(x, a), c);
#else
        volatile T product = x * a; /* rounded before the sum */
        x = product + c;
#endif
    }
};

struct division {
    double x;
    __host__ __device__ void start(int seed) { x = 1.0 + seed / 64.0; }
    __host__ __device__ void step()
    {
#ifdef __CUDA_ARCH__
        x = __ddiv_rn(3.0, x);
#else
        x = 3.0 / x;
#endif
    }
};

/* Two additions a step, each needing the other's result: nothing to fold. */
struct addition {
    u64 x, y;
    __host__ __device__ void start(int seed) { x = mix(seed), y = mix(seed + 64); }
    __host__ __device__ void step() { x += y, y += x; }
};

/* Two additions and two signed comparisons, counted. */
struct comparison {
    u64 x, y;
    unsigned less;
    __host__ __device__ void start(int seed) { x = mix(seed), y = mix(seed + 64), less = 0; }
    __host__ __device__ void step()
    {
        x += y, less += (long long)x < (long long)y;
        y += x, less += (long long)y < (long long)x;
    }
};

__host__ __device__ inline u64 bits(float x)
{
    unsigned u;
    memcpy(&u, &x, sizeof u);
    return u;
}
__host__ __device__ inline u64 bits(double x)
{
    u64 u;
    memcpy(&u, &x, sizeof u);
    return u;
}
__host__ __device__ inline u64 bits(u64 x)
{
    return x;
}
template <class Chain> __host__ __device__ u64 bits_of(const Chain &c)
{
    return bits(c.x);
}
__host__ __device__ inline u64 bits_of(const comparison &c)
{
    return c.x ^ c.less;
}

constexpr int chains = 8, seeds = 64;

template <class Chain> __host__ __device__ u64 run_chains(int seed, int steps)
{
    Chain chain[chains];
    u64 all = 0;
    UNROLL(chains)
    for (int c = 0; c < chains; ++c) chain[c].start((seed + 7 * c) % seeds);
    UNROLL(8)
    for (int s = 0; s < steps; ++s) {
        UNROLL(chains)
        for (int c = 0; c < chains; ++c) chain[c].step();
    }
    UNROLL(chains)
    for (int c = 0; c < chains; ++c) all = 31 * all + bits_of(chain[c]);
    return all;
}

template <class Chain> __global__ void arithmetic(u64 *out, int steps)
{
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    out[thread] = run_chains<Chain>((int)(thread % seeds), steps);
}

/* `operations` per step of a chain. */
template <class Chain>
static void arithmetic_rate(bench_run *b, const char *name, const char *detail, int operations,
                            const char *unit)
{
    const machine &m = b->m;
    const int threads = 256, steps = b->o.quick ? 512 : 4096;
    const int blocks = full_grid(m, arithmetic<Chain>, threads);
    device_array<u64> out(m, (size_t)blocks * threads);
    const auto run = [&] {
        LAUNCH(arithmetic<Chain><<<blocks, threads, 0, m.stream>>>(out.get(), steps));
    };
    const timing t = time_device(b->o, m, run);
    out.fill(0xFF);
    run();

    u64 expected[seeds];
    for (int s = 0; s < seeds; ++s) expected[s] = run_chains<Chain>(s, steps);
    const std::vector<u64> got = out.download();
    bool right = expected[0] != expected[1];
    for (size_t i = 0; i < got.size(); ++i) right = right && got[i] == expected[i % seeds];
    b->table.add({name, detail},
                 (double)out.size() * chains * steps * operations / t.median_s * 1e-9, unit, t,
                 right);
}

/* ---- launches -------------------------------------------------------------------------------- */

__global__ void count_up(u64 *counter)
{
    ++*counter;
}

static u64 value_of(const device_array<u64> &counter)
{
    return counter.download()[0];
}

static cudaGraphExec_t chain_of_launches(const machine &m, u64 *counter, int launches)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CUDA(cudaStreamBeginCapture(m.stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < launches; ++i) LAUNCH(count_up<<<1, 1, 0, m.stream>>>(counter));
    CUDA(cudaStreamEndCapture(m.stream, &graph));
    CUDA(cudaGraphInstantiate(&executable, graph, 0));
    CUDA(cudaGraphDestroy(graph));
    return executable;
}

/* One row: `launches` kernels per call of run(), whose time on device or host they share. */
template <class Run>
static void launch_row(bench_run *b, const char *name, const char *detail, bool host,
                       const device_array<u64> &counter, int launches, Run run)
{
    u64 calls = 0;
    const u64 before = value_of(counter);
    const auto counted = [&] { run(), ++calls; };
    timing t = host ? time_host(b->o, b->m, counted) : time_device(b->o, b->m, counted);
    t.median_s /= launches;
    b->table.add({name, detail}, t.median_s * 1e6, "us", t,
                 value_of(counter) - before == calls * launches);
}

static void launches(bench_run *b)
{
    const machine &m = b->m;
    const int nodes = 1000;
    device_array<u64> counter(m, 1);
    counter.fill(0);
    cudaGraphExec_t many = chain_of_launches(m, counter.get(), nodes);
    cudaGraphExec_t one = chain_of_launches(m, counter.get(), 1);
    const auto kernel = [&] { LAUNCH(count_up<<<1, 1, 0, m.stream>>>(counter.get())); };

    launch_row(b, "launch_stream", "back to back; each", false, counter, 1, kernel);
    launch_row(b, "launch_graph", "chain of 1000 nodes; each", false, counter, nodes,
               [&] { CUDA(cudaGraphLaunch(many, m.stream)); });
    launch_row(b, "launch_stream_wait", "launch and wait; host", true, counter, 1, kernel);
    launch_row(b, "launch_graph_wait", "graph of one; host", true, counter, 1,
               [&] { CUDA(cudaGraphLaunch(one, m.stream)); });
    CUDA(cudaGraphExecDestroy(many));
    CUDA(cudaGraphExecDestroy(one));
}

/* ---- barriers -------------------------------------------------------------------------------- */

struct in_block {
    static __device__ void sync() { __syncthreads(); }
};
struct in_cluster {
    static __device__ void sync()
    {
#if __CUDA_ARCH__ >= 900
        cg::this_cluster().sync();
#endif
    }
};
struct in_grid {
    static __device__ void sync() { cg::this_grid().sync(); }
};

/* The launch is one block, one cluster or one grid: its threads are those that wait for each other.
 * With a token, the threads take turns at it, one per round; its value depends on the order, so it
 * comes out right only if every barrier held. Timed without. */
template <class Scope, bool with_token>
__global__ void barrier_rounds(unsigned rounds, volatile u64 *token, unsigned *out)
{
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned done = 0;
#pragma unroll 8
    for (unsigned r = 0; r < rounds; ++r) {
        if constexpr (with_token) {
            if (r * 97 % (gridDim.x * blockDim.x) == thread) *token = 3 * *token + r;
        }
        Scope::sync();
        ++done;
    }
    out[thread] = done;
}

/* How a launch of cooperating blocks is asked for: cluster 0 means the whole grid. */
struct cooperation {
    int blocks, threads, cluster;
};

static cudaLaunchConfig_t configuration(const machine &m, cooperation c, cudaLaunchAttribute *a)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)c.blocks);
    config.blockDim = dim3((unsigned)c.threads);
    config.stream = m.stream;
    config.attrs = a;
    config.numAttrs = 1;
    if (c.cluster) {
        a->id = cudaLaunchAttributeClusterDimension;
        a->val.clusterDim.x = (unsigned)c.cluster;
        a->val.clusterDim.y = a->val.clusterDim.z = 1;
    } else {
        a->id = cudaLaunchAttributeCooperative;
        a->val.cooperative = 1;
    }
    return config;
}

template <class Scope>
static void barrier(bench_run *b, const char *name, cooperation c, unsigned rounds)
{
    const machine &m = b->m;
    const std::vector<std::string> fields = {name, std::to_string(c.blocks) + " x " +
                                                       std::to_string(c.threads) + " threads"};
    cudaLaunchAttribute attribute = {};
    const cudaLaunchConfig_t config = configuration(m, c, &attribute);
    void (*timed)(unsigned, volatile u64 *, unsigned *) = barrier_rounds<Scope, false>;
    void (*checked)(unsigned, volatile u64 *, unsigned *) = barrier_rounds<Scope, true>;
    if (c.cluster > 8) {
        CUDA(cudaFuncSetAttribute(timed, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
        CUDA(cudaFuncSetAttribute(checked, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    }
    if (c.cluster > 1) {
        int fit = 0;
        if (cudaOccupancyMaxActiveClusters(&fit, timed, &config) != cudaSuccess || fit < 1) {
            (void)cudaGetLastError(); /* asked and answered */
            return b->table.skip(fields, "no cluster of this size fits on the device");
        }
    }
    device_array<unsigned> out(m, (size_t)c.blocks * c.threads);
    device_array<u64> token(m, 1);
    const timing t = time_device(b->o, m, [&] {
        CUDA(cudaLaunchKernelEx(&config, timed, rounds, (volatile u64 *)token.get(), out.get()));
    });

    const unsigned turns = 1000;
    u64 expected = 0;
    for (unsigned r = 0; r < turns; ++r) expected = 3 * expected + r;
    bool right = true;
    for (const unsigned done : out.download()) right = right && done == rounds;
    token.fill(0);
    CUDA(cudaLaunchKernelEx(&config, checked, turns, (volatile u64 *)token.get(), out.get()));
    right = value_of(token) == expected && right;
    for (const unsigned done : out.download()) right = right && done == turns;
    b->table.add(fields, t.median_s / rounds * 1e9, "ns", t, right);
}

static void barriers(bench_run *b)
{
    const int processors = b->m.processors;
    const unsigned rounds = b->o.quick ? 4096 : 65536;
    int cooperative = 0;
    CUDA(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));

    for (const int threads : {256, 1024}) {
        const std::string end = "_" + std::to_string(threads);
        barrier<in_block>(b, ("barrier_block" + end).c_str(), {1, threads, 0}, rounds);
        for (const int size : {8, 16}) {
            const std::string name = "barrier_cluster" + std::to_string(size) + end;
            if (b->m.properties.major >= 9)
                barrier<in_cluster>(b, name.c_str(), {size, threads, size}, rounds);
            else b->table.skip({name, ""}, "clusters begin with compute capability 9.0");
        }
        const std::string grid = "barrier_grid" + end;
        if (cooperative) barrier<in_grid>(b, grid.c_str(), {processors, threads, 0}, rounds / 16);
        else b->table.skip({grid, ""}, "this device has no cooperative launch");
    }
}

/* ---- atomics --------------------------------------------------------------------------------- */

constexpr int atomic_threads = 256;

/* What thread t adds: small whole numbers, so that also a sum of doubles has no order. */
__host__ __device__ inline int share_of(unsigned t)
{
    return 1 + (int)(t & 3);
}

/* In round r, thread t adds to counter (t >> shift) + 4096 r, modulo a power of two: shift 0
 * spreads the threads of a warp over neighbouring counters, shift 5 gives a warp one counter of its
 * own, and mask 0 sends everybody to the same. */
__host__ __device__ inline unsigned counter_of(unsigned t, unsigned r, unsigned shift,
                                               unsigned mask)
{
    return ((t >> shift) + 4096 * r) & mask;
}

template <class T>
__global__ void atomics_global(T *counters, unsigned shift, unsigned mask, unsigned rounds)
{
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned r = 0; r < rounds; ++r)
        atomicAdd(&counters[counter_of(t, r, shift, mask)], (T)share_of(t));
}

template <class T>
__global__ void atomics_shared(T *out, unsigned shift, unsigned mask, unsigned rounds)
{
    __shared__ T counters[atomic_threads];
    const unsigned t = threadIdx.x;
    counters[t] = 0;
    __syncthreads();
    for (unsigned r = 0; r < rounds; ++r)
        atomicAdd(&counters[counter_of(t, r, shift, mask)], (T)share_of(t));
    __syncthreads();
    out[(size_t)blockIdx.x * blockDim.x + t] = counters[t];
}

/* Where the adds go. */
struct crowd {
    const char *name, *detail;
    unsigned shift, mask, rounds;
};

/* Adds that counters[0 .. size) must have received from threads 0 .. threads-1. */
static std::vector<long long> expected_counters(crowd c, unsigned threads, size_t size)
{
    std::vector<long long> counters(size, 0);
    for (unsigned t = 0; t < threads; ++t)
        for (unsigned r = 0; r < c.rounds; ++r)
            counters[counter_of(t, r, c.shift, c.mask)] += share_of(t);
    return counters;
}

template <class T> static void atomic_row(bench_run *b, const char *type, bool shared, crowd c)
{
    const machine &m = b->m;
    const int blocks = shared ? full_grid(m, atomics_shared<T>, atomic_threads)
                              : full_grid(m, atomics_global<T>, atomic_threads);
    const size_t threads = (size_t)blocks * atomic_threads;
    device_array<T> counters(m, shared ? threads : (size_t)c.mask + 1);
    const auto run = [&] {
        if (shared)
            LAUNCH(atomics_shared<T><<<blocks, atomic_threads, 0, m.stream>>>(
                counters.get(), c.shift, c.mask, c.rounds));
        else
            LAUNCH(atomics_global<T><<<blocks, atomic_threads, 0, m.stream>>>(
                counters.get(), c.shift, c.mask, c.rounds));
    };
    counters.fill(0);
    const timing t = time_device(b->o, m, run);
    counters.fill(0);
    run();
    const std::vector<T> got = counters.download();
    const std::vector<long long> expected =
        expected_counters(c, shared ? atomic_threads : (unsigned)threads,
                          shared ? atomic_threads : (size_t)c.mask + 1);
    bool right = true;
    for (size_t i = 0; i < got.size(); ++i)
        right = right && got[i] == (T)expected[i % expected.size()];
    const std::string name = std::string("atomic_") + (shared ? "shared_" : "global_") + type + "_";
    b->table.add({name + c.name, c.detail}, (double)threads * c.rounds / t.median_s * 1e-9, "Gop/s",
                 t, right);
}

static void atomics(bench_run *b)
{
    const unsigned n = b->o.quick ? 1 : 4;
    const crowd global[] = {{"spread", "neighbours; 8 MiB", 0, (1u << 20) - 1, 16 * n},
                            {"warp", "one counter a warp", 5, (1u << 20) - 1, 4 * n},
                            {"contended", "one counter", 0, 0, 2 * n}};
    const crowd shared[] = {{"spread", "one counter a thread", 0, atomic_threads - 1, 64 * n},
                            {"warp", "one counter a warp", 5, atomic_threads - 1, 16 * n},
                            {"contended", "one counter a block", 0, 0, 4 * n}};
    for (const crowd &c : global) {
        atomic_row<u64>(b, "int64", false, c);
        atomic_row<double>(b, "double", false, c);
    }
    for (const crowd &c : shared) {
        atomic_row<u64>(b, "int64", true, c);
        atomic_row<double>(b, "double", true, c);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void near_memories(bench_run *b)
{
    near_memory<u64>(b, "shared_read_8", shared_read<u64>);
    near_memory<ulonglong2>(b, "shared_read_16", shared_read<ulonglong2>);
    near_memory<u64>(b, "l1_read_8", l1_read<u64>);
    near_memory<ulonglong2>(b, "l1_read_16", l1_read<ulonglong2>);
}

static void arithmetics(bench_run *b)
{
    arithmetic_rate<fused<double>>(b, "fp64_fma", "fused multiply-add; 2 each", 2, "GFLOP/s");
    arithmetic_rate<separate<double>>(b, "fp64_mul_add", "multiply then add", 2, "GFLOP/s");
    arithmetic_rate<division>(b, "fp64_division", "a / b; correctly rounded", 1, "Gop/s");
    arithmetic_rate<fused<float>>(b, "fp32_fma", "fused multiply-add; 2 each", 2, "GFLOP/s");
    arithmetic_rate<separate<float>>(b, "fp32_mul_add", "multiply then add", 2, "GFLOP/s");
    arithmetic_rate<addition>(b, "int64_add", "a + b", 2, "Gop/s");
    arithmetic_rate<comparison>(b, "int64_add_compare", "a + b; a < b; count", 2, "Gop/s");
}

int main(int argc, char **argv)
{
    const options o = parse(argc, argv, "dram l2 near arithmetic launches barriers atomics");
    machine m = open_machine();
    warm_up(o, m);
    bench_run b = {o, m, report(o, m, {{"name", 30}, {"detail", 27}})};
    if (wants(o, "dram")) dram(&b);
    if (wants(o, "l2")) l2(&b);
    if (wants(o, "near")) near_memories(&b);
    if (wants(o, "arithmetic")) arithmetics(&b);
    if (wants(o, "launches")) launches(&b);
    if (wants(o, "barriers")) barriers(&b);
    if (wants(o, "atomics")) atomics(&b);
    const int status = b.table.finish();
    close_machine(&m);
    return status;
}
