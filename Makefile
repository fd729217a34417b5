# Sciara: see README.md.   make run | test | benchmark | profile | verify-gpu | bundle | install
VARIANTS_CUDA := global tiled tiled_halo cfame cfamo
PREFIX  ?= /usr/local
BUILD   ?= build
CC      := gcc
CXX     := g++
CLANG   ?= clang
NVCC    ?= $(firstword $(wildcard /usr/local/cuda/bin/nvcc) $(shell command -v nvcc 2>/dev/null))

PACKAGES := geotiff tiff png cjson
PKGFLAGS  = -I/usr/include/geotiff -I/usr/include/cjson
WARN     := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror
CFLAGS   ?= -O3 -g
ALL_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 $(WARN) $(CFLAGS) -fopenmp -ffp-contract=off -fno-fast-math -MMD -MP $(PKGFLAGS) $(SANITIZE)
LIBS      = -lgeotiff -ltiff -lproj -lpng -lz -lcjson -lm -lpthread

COMMON_C := $(wildcard src/common/*.c) $(filter-out src/reference/loop.c,$(wildcard src/reference/*.c))
CLI_C    := $(wildcard src/cli/*.c)
COMMON_O := $(COMMON_C:%.c=$(BUILD)/obj/%.o)
CLI_O    := $(CLI_C:%.c=$(BUILD)/obj/%.o)

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@

# The CPU loop, once per instruction set (the one chosen at run time is what the processor has).
LOOPS := generic
ifeq ($(shell uname -m),x86_64)
LOOPS += avx2 avx512
endif
LOOP_FLAGS_generic := -DSCIARA_LANES=2
LOOP_FLAGS_avx2    := -DSCIARA_LANES=4 -mavx2
LOOP_FLAGS_avx512  := -DSCIARA_LANES=8 -mavx512f -mavx512dq -mavx512vl
LOOP_O := $(LOOPS:%=$(BUILD)/obj/src/reference/loop_%.o)
$(BUILD)/obj/src/reference/loop_%.o: src/reference/loop.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LOOP_FLAGS_$*) -Wno-psabi -DLOOP=reference_steps_$* -c $< -o $@

$(BUILD)/libsciara.a: $(COMMON_O) $(LOOP_O)
	@rm -f $@
	ar rcs $@ $^

# ---- tests: tests/test_NAME.c is one cmocka program each -----------------------------------------
TEST_BIN := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))
$(BUILD)/tests/%: tests/%.c $(BUILD)/libsciara.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< $(BUILD)/libsciara.a -lcmocka $(LIBS) -o $@

# ---- fuzzers: tests/fuzz_NAME.c defines LLVMFuzzerTestOneInput, seeds in tests/corpus/NAME --------
FUZZ_BIN := $(patsubst tests/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz_*.c))
$(BUILD)/fuzz/%: tests/%.c $(COMMON_C)
	@mkdir -p $(@D)
	$(CLANG) -std=c11 -D_POSIX_C_SOURCE=200809L -O1 -g -fsanitize=fuzzer,address,undefined \
	    -fno-sanitize-recover=all -ffp-contract=off $(PKGFLAGS) $< $(COMMON_C) $(LIBS) -o $@

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
