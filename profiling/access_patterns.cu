/* access_patterns.cu — what the order of accesses costs.
 *
 * strides      items of 4, 8 or 16 bytes a thread, read and written at strides 1 to 32 and at
 * random, aligned and moved by 4 bytes structures   an array of structures against a structure of
 * arrays coalescing   one warp, and addresses by two parameters (start offset, move offset): a
 * kernel per case, named after it, for a profiler to count the sectors of each request
 *
 * The column `sectors` is counted here, on the host, from the addresses of a warp: how many sectors
 * of 32 bytes one load or store of the warp touches. The hardware's own count is
 * profiling/coalescing's. */
#include "bench.cuh"

#include <set>

using namespace bench;

struct bench_run {
    options o;
    machine m;
    report table;
};

constexpr int block_threads = 256;

static std::string decimal(double x)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", x);
    return text;
}

/* ---- strides --------------------------------------------------------------------------------- */

/* The word of index w holds word_at(w) + tag. Cheap, for the kernels that write it, and not linear,
 * for the sums that check it. */
__host__ __device__ inline uint32_t word_at(uint32_t w)
{
    const uint32_t x = w * 0x9E3779B1u;
    return x ^ (x >> 15);
}

/* Which items a launch touches: item i of `count` is first + i * stride, or a random one if the
 * stride is 0, modulo the items of the buffer (2^bits). The items of a launch differ from one
 * another. */
struct pattern {
    uint32_t count, first, stride, bits;
};

/* A bijection of the numbers of `bits` bits. */
__host__ __device__ inline uint32_t scramble(uint32_t x, uint32_t bits)
{
    const uint32_t mask = (uint32_t)((1ull << bits) - 1);
    x = (x * 0x85EBCA6Bu) & mask;
    x ^= x >> (bits / 2);
    x = (x * 0xC2B2AE35u) & mask;
    x ^= x >> (bits / 2 + 1);
    x = (x * 0x9E3779B1u) & mask;
    return x ^ (x >> (bits / 2));
}

__host__ __device__ inline uint32_t item_of(pattern p, uint32_t i)
{
    const uint32_t mask = (uint32_t)((1ull << p.bits) - 1);
    return p.stride ? (p.first + i * p.stride) & mask : scramble((p.first + i) & mask, p.bits);
}

/* An aligned item of 4, 8 or 16 bytes is one access; a moved one cannot be, since the hardware
 * wants an access aligned to its width, and goes word by word. */
template <int words, bool aligned>
__device__ void load_item(const uint32_t *p, uint32_t (&v)[words])
{
    if constexpr (aligned && words == 4) {
        const uint4 q = *(const uint4 *)p;
        v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
    } else if constexpr (aligned && words == 2) {
        const uint2 q = *(const uint2 *)p;
        v[0] = q.x, v[1] = q.y;
    } else {
#pragma unroll
        for (int k = 0; k < words; ++k) v[k] = p[k];
    }
}

template <int words, bool aligned>
__device__ void store_item(uint32_t *p, const uint32_t (&v)[words])
{
    if constexpr (aligned && words == 4) *(uint4 *)p = make_uint4(v[0], v[1], v[2], v[3]);
    else if constexpr (aligned && words == 2) *(uint2 *)p = make_uint2(v[0], v[1]);
    else {
#pragma unroll
        for (int k = 0; k < words; ++k) p[k] = v[k];
    }
}

constexpr int items_in_flight = 4;

__global__ void fill_words(uint32_t *buffer, size_t count, uint32_t tag)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t w = (size_t)blockIdx.x * blockDim.x + threadIdx.x; w < count; w += step)
        buffer[w] = word_at((uint32_t)w) + tag;
}

/* count is a multiple of items_in_flight times the threads of the grid. */
template <int words, bool aligned>
__global__ void read_items(const uint32_t *__restrict__ buffer, pattern p, uint32_t *sums)
{
    const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t step = gridDim.x * blockDim.x;
    uint32_t sum = 0;
    for (uint32_t i = thread; i < p.count; i += items_in_flight * step) {
        uint32_t v[items_in_flight][words];
#pragma unroll
        for (int k = 0; k < items_in_flight; ++k)
            load_item<words, aligned>(buffer + (size_t)item_of(p, i + k * step) * words + !aligned,
                                      v[k]);
#pragma unroll
        for (int k = 0; k < items_in_flight; ++k)
#pragma unroll
            for (int j = 0; j < words; ++j) sum += v[k][j];
    }
    sums[thread] = sum;
}

template <int words, bool aligned>
__global__ void write_items(uint32_t *__restrict__ buffer, pattern p, uint32_t tag)
{
    const uint32_t step = gridDim.x * blockDim.x;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < p.count;
         i += items_in_flight * step)
#pragma unroll
        for (int k = 0; k < items_in_flight; ++k) {
            const uint32_t w = item_of(p, i + k * step) * words + !aligned;
            uint32_t v[words];
#pragma unroll
            for (int j = 0; j < words; ++j) v[j] = word_at(w + j) + tag;
            store_item<words, aligned>(buffer + w, v);
        }
}

/* Sectors of 32 bytes per request, averaged over the first warps: the item's only access, or each
 * of its words. */
static double sectors_of(pattern p, uint32_t words, bool aligned)
{
    const uint32_t warps = 256, requests = aligned ? 1 : words;
    const uint32_t width = aligned ? words : 1;
    uint64_t sectors = 0;
    for (uint32_t warp = 0; warp < warps; ++warp)
        for (uint32_t r = 0; r < requests; ++r) {
            std::set<uint64_t> touched;
            for (uint32_t lane = 0; lane < 32; ++lane) {
                const uint64_t w = (uint64_t)item_of(p, 32 * warp + lane) * words + !aligned + r;
                for (uint32_t j = 0; j < width; ++j) touched.insert((w + j) / 8);
            }
            sectors += touched.size();
        }
    return (double)sectors / (warps * requests);
}

/* The sum that read_items must find where every word has this tag. */
static uint32_t sum_of(pattern p, uint32_t words, bool aligned, uint32_t tag)
{
    uint32_t sum = p.count * words * tag;
    for (uint32_t i = 0; i < p.count; ++i) {
        const uint32_t w = item_of(p, i) * words + !aligned;
        for (uint32_t j = 0; j < words; ++j) sum += word_at(w + j);
    }
    return sum;
}

static uint32_t total(const std::vector<uint32_t> &v)
{
    uint32_t sum = 0;
    for (const uint32_t x : v) sum += x;
    return sum;
}

/* Two rows. Launch after launch takes another part of the buffer, so that no small pattern is read
 * out of the L2. What was written is read back by the kernel whose sum the host has checked. */
template <int words, bool aligned>
static void stride_rows(bench_run *b, const device_array<uint32_t> &buffer, int log_words,
                        uint32_t stride)
{
    const machine &m = b->m;
    const int blocks = std::min(full_grid(m, read_items<words, aligned>, block_threads),
                                full_grid(m, write_items<words, aligned>, block_threads));
    /* An eighth of the buffer, or as much as the stride leaves of it. */
    const size_t bytes = ((size_t)4 << log_words) / (stride ? std::max(stride, 8u) : 32u);
    const uint32_t granule = (uint32_t)blocks * block_threads * items_in_flight;
    pattern p = {(uint32_t)(bytes / (words * 4)) / granule * granule, 0, stride,
                 (uint32_t)(log_words - (words == 4 ? 2 : words - 1))};
    if (p.count == 0) p.count = granule;
    const uint32_t advance = p.count * (stride ? stride : 1), tag = 0x7A6;
    const double useful = (double)p.count * words * 4;
    device_array<uint32_t> sums(m, (size_t)blocks * block_threads);
    const auto read = [&] {
        LAUNCH(read_items<words, aligned>
               <<<blocks, block_threads, 0, m.stream>>>(buffer.get(), p, sums.get()));
        p.first += advance;
    };
    const auto write = [&] {
        LAUNCH(write_items<words, aligned>
               <<<blocks, block_threads, 0, m.stream>>>(buffer.get(), p, tag));
        p.first += advance;
    };
    const auto read_at_start = [&] {
        p.first = 0;
        sums.fill(0xFF);
        read();
        return total(sums.download());
    };
    std::vector<std::string> fields = {"strides",
                                       stride ? "stride " + std::to_string(stride) : "random",
                                       "read",
                                       std::to_string(words * 4),
                                       aligned ? "aligned" : "moved by 4",
                                       decimal(sectors_of(p, words, aligned))};
    const uint32_t untagged = sum_of(p, words, aligned, 0);

    LAUNCH(fill_words<<<8 * m.processors, block_threads, 0, m.stream>>>(buffer.get(), buffer.size(),
                                                                        0));
    timing t = time_device(b->o, m, read);
    b->table.add(fields, useful / t.median_s * 1e-9, "GB/s", t, read_at_start() == untagged);

    fields[2] = "write";
    t = time_device(b->o, m, write);
    LAUNCH(fill_words<<<8 * m.processors, block_threads, 0, m.stream>>>(buffer.get(), buffer.size(),
                                                                        0));
    p.first = 0;
    write();
    b->table.add(fields, useful / t.median_s * 1e-9, "GB/s", t,
                 read_at_start() == untagged + p.count * words * tag);
}

template <int words>
static void stride_group(bench_run *b, const device_array<uint32_t> &buffer, int log_words)
{
    for (const uint32_t stride : {1, 2, 4, 8, 16, 32, 0}) {
        stride_rows<words, true>(b, buffer, log_words, stride);
        stride_rows<words, false>(b, buffer, log_words, stride);
    }
}

static void strides(bench_run *b)
{
    /* At stride 32 a launch spans the whole buffer. The words after its end are for moved items. */
    const int log_words = b->o.quick ? 28 : 30;
    device_array<uint32_t> buffer(b->m, ((size_t)1 << log_words) + 4);
    stride_group<1>(b, buffer, log_words);
    stride_group<2>(b, buffer, log_words);
    stride_group<4>(b, buffer, log_words);
}

/* ---- structures ------------------------------------------------------------------------------ */

/* A cell as the simulator has it: four numbers of 64 bits. The layouts differ in where field f of
 * cell i lies, and in how a thread takes all four. */
struct cell {
    u64 field[4];
};

struct array_of_structures {
    cell *cells;
    __device__ u64 *at(size_t i, int f) const { return &cells[i].field[f]; }
    __device__ cell all(size_t i) const { return {*at(i, 0), *at(i, 1), *at(i, 2), *at(i, 3)}; }
};

struct array_of_structures_16 {
    cell *cells;
    __device__ u64 *at(size_t i, int f) const { return &cells[i].field[f]; }
    __device__ cell all(size_t i) const
    {
        const ulonglong2 *p = (const ulonglong2 *)(cells + i);
        const ulonglong2 low = p[0], high = p[1];
        return {low.x, low.y, high.x, high.y};
    }
};

struct structure_of_arrays {
    u64 *fields;
    size_t cells;
    __device__ u64 *at(size_t i, int f) const { return fields + f * cells + i; }
    __device__ cell all(size_t i) const { return {*at(i, 0), *at(i, 1), *at(i, 2), *at(i, 3)}; }
};

constexpr int cells_in_flight = 4;

template <class Layout> __global__ void fill_cells(Layout a, size_t cells)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += step)
        for (int f = 0; f < 4; ++f) *a.at(i, f) = mix(4 * i + f);
}

/* What a cell adds to the sum, so that no two fields can be taken for each other. */
__host__ __device__ inline u64 digest(cell c)
{
    return c.field[0] + (c.field[1] << 1) + (c.field[2] << 2) + (c.field[3] << 3);
}

/* cells is a multiple of cells_in_flight times the threads of the grid, here and below. */
template <class Layout> __global__ void read_one(Layout a, size_t cells, u64 *sums)
{
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t step = (size_t)gridDim.x * blockDim.x;
    u64 sum = 0;
    for (size_t i = thread; i < cells; i += cells_in_flight * step) {
        u64 v[cells_in_flight];
#pragma unroll
        for (int k = 0; k < cells_in_flight; ++k) v[k] = *a.at(i + k * step, 1);
#pragma unroll
        for (int k = 0; k < cells_in_flight; ++k) sum += v[k];
    }
    sums[thread] = sum;
}

template <class Layout> __global__ void read_all(Layout a, size_t cells, u64 *sums)
{
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t step = (size_t)gridDim.x * blockDim.x;
    u64 sum = 0;
    for (size_t i = thread; i < cells; i += cells_in_flight * step) {
        cell v[cells_in_flight];
#pragma unroll
        for (int k = 0; k < cells_in_flight; ++k) v[k] = a.all(i + k * step);
#pragma unroll
        for (int k = 0; k < cells_in_flight; ++k) sum += digest(v[k]);
    }
    sums[thread] = sum;
}

template <class Layout> __global__ void update_one(Layout a, size_t cells)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < cells;
         i += cells_in_flight * step) {
        u64 h[cells_in_flight], T[cells_in_flight];
#pragma unroll
        for (int k = 0; k < cells_in_flight; ++k) {
            h[k] = *a.at(i + k * step, 1);
            T[k] = *a.at(i + k * step, 2);
        }
#pragma unroll
        for (int k = 0; k < cells_in_flight; ++k) *a.at(i + k * step, 1) = h[k] + T[k];
    }
}

/* Sums over all cells, from the host: one field, all of them, and all after one update. */
struct expectation {
    u64 one, all, updated;
};

static expectation expect_cells(size_t cells)
{
    expectation e = {0, 0, 0};
    for (size_t i = 0; i < cells; ++i) {
        cell c = {{mix(4 * i), mix(4 * i + 1), mix(4 * i + 2), mix(4 * i + 3)}};
        e.one += c.field[1];
        e.all += digest(c);
        c.field[1] += c.field[2];
        e.updated += digest(c);
    }
    return e;
}

static u64 total(const device_array<u64> &sums)
{
    u64 sum = 0;
    for (const u64 x : sums.download()) sum += x;
    return sum;
}

/* stride: bytes from a thread's field to its neighbour's, hence 32 of them over sectors of 32
 * bytes. */
template <class Layout>
static void structure_rows(bench_run *b, const char *name, Layout a, int stride, int blocks,
                           size_t cells, const expectation &expected)
{
    const machine &m = b->m;
    device_array<u64> sums(m, (size_t)blocks * block_threads);
    const auto add = [&](const char *access, int bytes, timing t, bool right) {
        b->table.add({"structures", name, access, std::to_string(bytes), "aligned",
                      std::to_string(32 * stride / 32)},
                     (double)cells * bytes / t.median_s * 1e-9, "GB/s", t, right);
    };
    const auto fill = [&] { LAUNCH(fill_cells<<<blocks, block_threads, 0, m.stream>>>(a, cells)); };
    const auto one = [&] {
        LAUNCH(read_one<<<blocks, block_threads, 0, m.stream>>>(a, cells, sums.get()));
    };
    const auto all = [&] {
        LAUNCH(read_all<<<blocks, block_threads, 0, m.stream>>>(a, cells, sums.get()));
    };
    const auto update = [&] {
        LAUNCH(update_one<<<blocks, block_threads, 0, m.stream>>>(a, cells));
    };
    fill();
    timing t = time_device(b->o, m, one);
    sums.fill(0xFF);
    one();
    add("read 1 of 4 fields", 8, t, total(sums) == expected.one);

    t = time_device(b->o, m, all);
    sums.fill(0xFF);
    all();
    add("read 4 of 4 fields", 32, t, total(sums) == expected.all);

    t = time_device(b->o, m, update);
    fill();
    update();
    sums.fill(0xFF);
    all();
    add("read 2 and write 1", 24, t, total(sums) == expected.updated);
}

/* The grid that every kernel of a layout fits into at once. */
template <class Layout> static int structure_grid(const machine &m)
{
    return std::min({full_grid(m, read_one<Layout>, block_threads),
                     full_grid(m, read_all<Layout>, block_threads),
                     full_grid(m, update_one<Layout>, block_threads)});
}

static void structures(bench_run *b)
{
    const machine &m = b->m;
    const int blocks =
        std::min({structure_grid<array_of_structures>(m), structure_grid<array_of_structures_16>(m),
                  structure_grid<structure_of_arrays>(m)});
    const size_t granule = (size_t)blocks * block_threads * cells_in_flight;
    const size_t wanted = (size_t)1 << (b->o.quick ? 21 : 26);
    const size_t cells = std::max(wanted / granule, (size_t)1) * granule;
    const expectation expected = expect_cells(cells);
    device_array<u64> memory(m, 4 * cells);
    cell *const records = (cell *)memory.get();
    structure_rows(b, "array of structures", array_of_structures{records}, 32, blocks, cells,
                   expected);
    structure_rows(b, "same; 16-byte loads", array_of_structures_16{records}, 32, blocks, cells,
                   expected);
    structure_rows(b, "structure of arrays", structure_of_arrays{memory.get(), cells}, 8, blocks,
                   cells, expected);
}

/* ---- coalescing ------------------------------------------------------------------------------ */

constexpr int moves = 32;
constexpr int coalescing_words = 32 * moves + 1;

/* Thread t adds 1 to word t * start + shift, then goes on by `move` words, 32 times. The parameters
 * come at run time, so that no compiler can turn the words of a thread into one wide access. */
__device__ inline void walk(int *memory, int thread, int start, int move)
{
    int at = thread * start;
#pragma unroll 1
    for (int k = 0; k < moves; ++k, at += move) memory[at] += 1;
}

__global__ void coalescing_consecutive(int *memory, int start, int move)
{
    walk(memory, (int)threadIdx.x, start, move);
}

__global__ void coalescing_strided(int *memory, int start, int move)
{
    walk(memory, (int)threadIdx.x, start, move);
}

__global__ void coalescing_shifted(int *memory, int start, int move)
{
    walk(memory + 1, (int)threadIdx.x, start, move);
}

__global__ void coalescing_reversed(int *memory, int start, int move)
{
    walk(memory, 31 - (int)threadIdx.x, start, move);
}

struct experiment {
    const char *name;
    void (*kernel)(int *, int, int);
    int start, move, shift;
};

static int word_of(const experiment &e, int lane, int k)
{
    return lane * e.start + k * e.move + e.shift;
}

static double sectors_of(const experiment &e)
{
    size_t sectors = 0;
    for (int k = 0; k < moves; ++k) {
        std::set<int> touched;
        for (int lane = 0; lane < 32; ++lane) touched.insert(word_of(e, lane, k) / 8);
        sectors += touched.size();
    }
    return (double)sectors / moves;
}

static bool walked_once(const experiment &e, const std::vector<int> &before,
                        const std::vector<int> &after)
{
    std::vector<int> expected = before;
    for (int k = 0; k < moves; ++k)
        for (int lane = 0; lane < 32; ++lane) ++expected[word_of(e, lane, k)];
    return after == expected && after != before;
}

/* Alone (--only coalescing) every kernel is launched once, for a profiler; else it is timed as
 * well. */
static void coalescing(bench_run *b)
{
    const machine &m = b->m;
    const experiment experiments[] = {
        {"consecutive", coalescing_consecutive, 1, 32, 0},
        {"strided", coalescing_strided, 32, 1, 0},
        {"shifted", coalescing_shifted, 1, 32, 1},
        {"reversed", coalescing_reversed, 1, 32, 0},
    };
    std::vector<int> before(coalescing_words);
    for (int i = 0; i < coalescing_words; ++i) before[i] = (int)(mix(i) & 0xFFFF);
    device_array<int> memory(m, coalescing_words);
    for (const experiment &e : experiments) {
        timing t = {NAN, NAN, 0};
        const auto run = [&] {
            LAUNCH(e.kernel<<<1, 32, 0, m.stream>>>(memory.get(), e.start, e.move));
        };
        memory.upload(before);
        if (b->o.only.empty()) {
            t = time_device(b->o, m, run);
            memory.upload(before);
        }
        run();
        b->table.add({"coalescing", e.name, "read and write", "4",
                      std::to_string(e.start) + " " + std::to_string(e.move) + " +" +
                          std::to_string(e.shift),
                      decimal(sectors_of(e))},
                     t.median_s * 1e6 / moves, "us/access", t,
                     walked_once(e, before, memory.download()));
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    const options o = parse(argc, argv, "strides structures coalescing");
    machine m = open_machine();
    if (o.only != "coalescing") warm_up(o, m);
    bench_run b = {o, m,
                   report(o, m,
                          {{"group", 10},
                           {"pattern", 19},
                           {"access", 18},
                           {"bytes", 5},
                           {"placed", 10},
                           {"sectors", 7}})};
    if (wants(o, "strides")) strides(&b);
    if (wants(o, "structures")) structures(&b);
    if (wants(o, "coalescing")) coalescing(&b);
    const int status = b.table.finish();
    close_machine(&m);
    return status;
}
