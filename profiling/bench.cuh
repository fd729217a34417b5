/* bench.cuh — what the measuring programs of this folder share: checked CUDA calls, timing that
 * repeats until it is sure of its median, a table on stdout that is also a CSV file, device arrays,
 * and a pattern of numbers that host and device can both generate.
 *
 * A program of this folder exits with 0 when all its results were right, 1 after a wrong result or
 * a CUDA error, 2 for unknown arguments, 3 without a CUDA device. */
#ifndef SCIARA_BENCH_CUH
#define SCIARA_BENCH_CUH

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define CUDA(call) bench::require((call), #call, __FILE__, __LINE__)
/* Where host and device share a loop: the host compiler knows no such pragma. */
#ifdef __CUDA_ARCH__
#define BENCH_PRAGMA(text) _Pragma(#text)
#define UNROLL(n)          BENCH_PRAGMA(unroll n)
#else
#define UNROLL(n)
#endif

#define LAUNCH(...)                                                                                \
    do {                                                                                           \
        __VA_ARGS__;                                                                               \
        CUDA(cudaGetLastError());                                                                  \
    } while (0)

namespace bench
{

typedef unsigned long long u64; /* the type that CUDA's 64-bit atomics take */

inline void require(cudaError_t status, const char *call, const char *file, int line)
{
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(1);
}

/* A bijection of the 64-bit integers that looks random (the finaliser of splitmix64): element i of
 * every test buffer, so that neither caches nor memory see zeros or a ramp. */
__host__ __device__ inline u64 mix(u64 x)
{
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

/* ---- command line ---------------------------------------------------------------------------- */

struct options {
    bool quick;       /* small buffers and short times: does it work, not how fast */
    std::string csv;  /* file to write, or empty */
    std::string only; /* one group of measurements, or empty for all */
    std::string operand;
    double limit_s; /* time that one measurement may take */
    std::string command;
};

/* groups: the names that --only takes, separated by blanks. operand: what the program can be given
 * besides options, if anything. */
inline options parse(int argc, char **argv, const char *groups, const char *operand = NULL)
{
    options o = {false, "", "", "", 0.3, ""};
    for (int i = 0; i < argc; ++i) o.command += std::string(i ? " " : "") + argv[i];
    for (int i = 1; i < argc; ++i) {
        const std::string arg = argv[i];
        const bool value = i + 1 < argc;
        if (arg == "--quick") o.quick = true;
        else if (arg == "--csv" && value) o.csv = argv[++i];
        else if (arg == "--only" && value) o.only = argv[++i];
        else if (operand && arg[0] != '-' && o.operand.empty()) o.operand = arg;
        else {
            const bool help = arg == "--help";
            std::fprintf(help ? stdout : stderr,
                         "usage: %s [--quick] [--csv FILE] [--only GROUP]%s%s%s\ngroups: %s\n",
                         argv[0], operand ? " [" : "", operand ? operand : "", operand ? "]" : "",
                         groups);
            std::exit(help ? 0 : 2);
        }
    }
    if (!o.only.empty() &&
        (" " + std::string(groups) + " ").find(" " + o.only + " ") == std::string::npos) {
        std::fprintf(stderr, "%s: no group '%s'; there are: %s\n", argv[0], o.only.c_str(), groups);
        std::exit(2);
    }
    if (o.quick) o.limit_s = 0.03;
    return o;
}

inline bool wants(const options &o, const char *group)
{
    return o.only.empty() || o.only == group;
}

/* ---- device ---------------------------------------------------------------------------------- */

struct machine {
    cudaDeviceProp properties;
    cudaStream_t stream; /* every launch and copy of a program goes here */
    int processors;      /* multiprocessors */
};

inline machine open_machine()
{
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0) {
        std::fprintf(stderr, "no CUDA device: %s; these measurements need an NVIDIA GPU\n",
                     status == cudaSuccess ? "none found" : cudaGetErrorString(status));
        std::exit(3);
    }
    machine m = {};
    CUDA(cudaSetDevice(0));
    CUDA(cudaGetDeviceProperties(&m.properties, 0));
    CUDA(cudaStreamCreateWithFlags(&m.stream, cudaStreamNonBlocking));
    m.processors = m.properties.multiProcessorCount;
    return m;
}

inline void close_machine(machine *m)
{
    CUDA(cudaStreamSynchronize(m->stream));
    CUDA(cudaStreamDestroy(m->stream));
}

inline std::string describe(const machine &m)
{
    char text[512];
    int driver = 0, runtime = 0;
    CUDA(cudaDriverGetVersion(&driver));
    CUDA(cudaRuntimeGetVersion(&runtime));
    std::snprintf(text, sizeof text,
                  "%s; compute capability %d.%d; %d multiprocessors; L2 %.1f MiB; memory %.1f GiB; "
                  "CUDA driver %d.%d; runtime %d.%d",
                  m.properties.name, m.properties.major, m.properties.minor, m.processors,
                  m.properties.l2CacheSize / 1048576.0, m.properties.totalGlobalMem / 1073741824.0,
                  driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    return text;
}

/* As many blocks as the device holds at a time: no second wave, hence no tail. */
template <class Kernel> int full_grid(const machine &m, Kernel kernel, int threads)
{
    int blocks = 0;
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0));
    return std::max(blocks, 1) * m.processors;
}

/* Device memory that is given back with its scope. */
template <class T> class device_array
{
  public:
    device_array(const machine &m, size_t count) : stream(m.stream), data(NULL), count(count)
    {
        CUDA(cudaMalloc(&data, count * sizeof(T)));
    }
    ~device_array() { CUDA(cudaFree(data)); }
    device_array(const device_array &) = delete;
    device_array &operator=(const device_array &) = delete;

    T *get() const { return data; }
    size_t size() const { return count; }
    size_t bytes() const { return count * sizeof(T); }
    void fill(int byte) { CUDA(cudaMemsetAsync(data, byte, bytes(), stream)); }
    void upload(const std::vector<T> &from)
    {
        CUDA(cudaMemcpyAsync(data, from.data(), bytes(), cudaMemcpyHostToDevice, stream));
        CUDA(cudaStreamSynchronize(stream));
    }
    std::vector<T> download() const
    {
        std::vector<T> to(count);
        CUDA(cudaMemcpyAsync(to.data(), data, bytes(), cudaMemcpyDeviceToHost, stream));
        CUDA(cudaStreamSynchronize(stream));
        return to;
    }

  private:
    cudaStream_t stream;
    T *data;
    size_t count;
};

/* ---- timing ---------------------------------------------------------------------------------- */

struct timing {
    double median_s; /* of one call */
    double spread;   /* width of the 95 % confidence interval of the median, relative to it */
    int samples;
};

/* The interval follows from order statistics alone, whatever the distribution: the median lies
 * between the samples of ranks n/2 -+ 0.98 sqrt(n) with a probability of 95 %. */
inline timing summarise(std::vector<double> s)
{
    std::sort(s.begin(), s.end());
    const int n = (int)s.size();
    const double half = 0.98 * std::sqrt((double)n);
    const int low = std::max(0, (int)std::floor(n / 2.0 - half));
    const int high = std::min(n - 1, (int)std::ceil(n / 2.0 + half));
    const double median = n % 2 ? s[n / 2] : (s[n / 2 - 1] + s[n / 2]) / 2;
    return {median, (s[high] - s[low]) / median, n};
}

inline double now_s()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/* How many calls last much longer than a clock tick; seconds_of(n) makes n and returns the seconds
 * they took together. */
template <class Seconds> int calls_in_group(const options &o, Seconds seconds_of)
{
    const double group_s = o.quick ? 3e-4 : 3e-3;
    int calls = 1;
    seconds_of(1);
    while (seconds_of(calls) < group_s && calls < 65536) calls *= 2;
    return calls;
}

/* Calls are grouped, the first groups warm up, and then groups are measured until the spread is
 * below 0.2 % or the time is over. */
template <class Seconds> timing repeat(const options &o, Seconds seconds_of)
{
    const int calls = calls_in_group(o, seconds_of);
    for (const double begin = now_s(); now_s() - begin < o.limit_s / 10;) seconds_of(calls);

    std::vector<double> samples;
    timing t = {0, 1, 0};
    const double begin = now_s();
    while (samples.size() < 7 || (t.spread > 0.002 && now_s() - begin < o.limit_s)) {
        samples.push_back(seconds_of(calls) / calls);
        t = summarise(samples);
    }
    return t;
}

/* Time on the device, by events around the group: launch() enqueues one call on m.stream. */
template <class Launch> timing time_device(const options &o, const machine &m, Launch launch)
{
    cudaEvent_t begin, end;
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventCreate(&end));
    const timing t = repeat(o, [&](int calls) {
        float ms = 0;
        CUDA(cudaEventRecord(begin, m.stream));
        for (int i = 0; i < calls; ++i) launch();
        CUDA(cudaEventRecord(end, m.stream));
        CUDA(cudaEventSynchronize(end));
        CUDA(cudaEventElapsedTime(&ms, begin, end));
        return ms * 1e-3;
    });
    CUDA(cudaEventDestroy(begin));
    CUDA(cudaEventDestroy(end));
    return t;
}

/* Time as the host sees it, each call waited for. */
template <class Launch> timing time_host(const options &o, const machine &m, Launch launch)
{
    return repeat(o, [&](int calls) {
        const double begin = now_s();
        for (int i = 0; i < calls; ++i) {
            launch();
            CUDA(cudaStreamSynchronize(m.stream));
        }
        return now_s() - begin;
    });
}

/* An idle processor runs at a fraction of its clock: half a second of work before any number. */
static __global__ void spin(u64 *out, int rounds)
{
    u64 x = threadIdx.x;
    for (int i = 0; i < rounds; ++i) x = mix(x);
    out[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = x;
}

inline void warm_up(const options &o, const machine &m)
{
    const int blocks = 8 * m.processors, threads = 256;
    device_array<u64> out(m, (size_t)blocks * threads);
    for (const double begin = now_s(); now_s() - begin < (o.quick ? 0.05 : 0.5);) {
        LAUNCH(spin<<<blocks, threads, 0, m.stream>>>(out.get(), 4096));
        CUDA(cudaStreamSynchronize(m.stream));
    }
}

/* ---- report ---------------------------------------------------------------------------------- */

/* Under a temporary name, renamed when whole; says what went wrong. */
inline bool write_file(const std::string &path, const std::string &text)
{
    const std::string temporary = path + ".part";
    FILE *f = std::fopen(temporary.c_str(), "w");
    const bool written = f && std::fputs(text.c_str(), f) >= 0;
    if ((f && std::fclose(f)) || !written || std::rename(temporary.c_str(), path.c_str())) {
        std::perror(path.c_str());
        return false;
    }
    return true;
}

/* What a file of results begins with. */
inline std::string preamble(const options &o, const machine &m)
{
    return "# command: " + o.command + "\n# device: " + describe(m) + "\n" +
           (o.quick ? "# --quick: a trial of the program and not a measurement\n" : "");
}

/* One row per measurement, printed as it comes and kept for the CSV file. No field may contain a
 * comma or a quote. */
class report
{
  public:
    struct column {
        const char *name;
        int width;
    };

    report(const options &o, const machine &m, std::vector<column> columns)
        : path(o.csv), columns(columns), wrong(0)
    {
        text = preamble(o, m);
        std::fputs(text.c_str(), stdout);
        std::string header;
        for (const column &c : columns) {
            std::printf("%-*s ", c.width, c.name);
            header += std::string(c.name) + ",";
        }
        std::printf("%12s %-9s %12s %8s %8s  %s\n", "value", "unit", "time_us", "spread_%",
                    "samples", "check");
        text += header + "value,unit,time_us,spread_percent,samples,check\n";
    }

    /* A wrong result gets no value: a speed of something else says nothing. NaN: there is none. */
    void add(const std::vector<std::string> &fields, double value, const char *unit, timing t,
             bool right)
    {
        char number[32] = "", time[64] = ",,0", shown[64] = "           -        -        0";
        if (right && !std::isnan(value)) std::snprintf(number, sizeof number, "%.6g", value);
        if (t.samples) {
            const double us = t.median_s * 1e6, percent = t.spread * 100;
            std::snprintf(time, sizeof time, "%.6g,%.3f,%d", us, percent, t.samples);
            std::snprintf(shown, sizeof shown, "%12.4f %8.2f %8d", us, percent, t.samples);
        }
        wrong += !right;
        put(fields);
        std::printf("%12s %-9s %s  %s\n", *number ? number : "-", unit, shown,
                    right ? "ok" : "WRONG");
        text += std::string(number) + "," + unit + "," + time + "," + (right ? "ok\n" : "wrong\n");
        std::fflush(stdout);
    }

    /* What this device cannot do, and why. */
    void skip(const std::vector<std::string> &fields, const char *why)
    {
        put(fields);
        std::printf("not measured: %s\n", why);
        text += ",,,,,skipped\n";
    }

    /* Writes the file; returns the exit status of the program. */
    int finish()
    {
        if (wrong) std::fprintf(stderr, "%d results are WRONG (marked above)\n", wrong);
        return (path.empty() || write_file(path, text)) && !wrong ? 0 : 1;
    }

  private:
    void put(const std::vector<std::string> &fields)
    {
        for (size_t i = 0; i < columns.size(); ++i) {
            std::printf("%-*s ", columns[i].width, fields[i].c_str());
            text += fields[i] + ",";
        }
    }

    std::string path, text;
    std::vector<column> columns;
    int wrong;
};

} /* namespace bench */
#endif
