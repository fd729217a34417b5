/* trace.h — names for ranges of time. Nsight Systems draws each range above its kernels and copies
 * (profiling/README.md). A range of a thread may contain other ranges of this thread. Without a profiler a range costs almost no
 * time; without CUDA's header the macros do nothing. */
#pragma once

#if defined(__has_include) && !defined(SCIARA_EMULATOR)
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define SCIARA_TRACE
#endif
#endif

#if defined(SCIARA_TRACE)
#include <stdarg.h>
#include <stdio.h>

/* Begins a range. Its name is a format and values as for printf, cut to 79 characters. */
__attribute__((format(printf, 1, 2))) static inline void trace_begin(const char *format, ...)
{
    char text[80];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    nvtxRangePushA(text);
}
static inline void trace_end(void)
{
    nvtxRangePop();
}
#else
#define trace_begin(...) ((void)0)
#define trace_end()      ((void)0)
#endif
