# Sciara. `make help` lists what can be made, from the comments behind ## here and in make/*.mk.
#
# This file builds and installs programs and libraries; make/*.mk are for tests and what fewer people make. Everything
# made goes below $(BUILD) and output/. Sources are found by themselves, as are test_NAME.c (cmocka), test_NAME.sh and
# fuzz_NAME.c in tests/WING. A variant is a folder src/NAME with a NAME.cu and one word in VARIANTS, which is the only
# list of them. A library is a row of tools/dependencies. What is special about building or running a file stands in a
# line of that file (tools/build-marks).

VERSION  := $(shell sed -n 's/.*SCIARA_VERSION "\(.*\)".*/\1/p' include/sciara.h)
VARIANTS := global tiled tiled_halo cfame cfamo resident
PREFIX   ?= /usr/local
# Another LIBDIR, such as lib/x86_64-linux-gnu, is for packages: programs find what they share in PREFIX/LIBDIR/sciara,
# and libraries have no place of their own to look in.
LIBDIR   := lib
BUILD    ?= build
# (make has defaults of its own for these two; what the environment or the command line says counts)
CC       := $(if $(filter default,$(origin CC)),gcc,$(CC))
CXX      := $(if $(filter default,$(origin CXX)),g++,$(CXX))
CLANG    ?= clang
PKG_CONFIG ?= pkg-config
NVCC     ?= $(firstword $(wildcard /usr/local/cuda/bin/nvcc) $(shell command -v nvcc 2>/dev/null))
NVCC     := $(NVCC)# looked for once

# What has been compiled before, in this folder or another, comes from a cache where there is one: CCACHE= for none.
CCACHE   ?= $(shell command -v ccache 2>/dev/null)
CCACHE   := $(CCACHE)# looked for once
export CCACHE_BASEDIR ?= $(CURDIR)
export CCACHE_NOHASHDIR ?= yes

MAKEFLAGS += --no-builtin-rules
comma := ,

# NAME = $(call once,NAME,COMMAND): what COMMAND prints. It is run when NAME is first needed, and not again, since NAME
# is that text from then on.
once = $(eval $(1) := $$(shell $(2)))$($(1))

# $(call marked,build,batch): the files in which a line says `/* build: batch */`; tools/build-marks explains the words
MARKS  := $(shell tools/build-marks)
marked  = $(patsubst $(1):$(2)=%,%,$(filter $(1):$(2)=%,$(MARKS)))

# ---- libraries: what of tools/dependencies this machine has -------------------------------------------------------
find_libraries  = CC='$(CC)' CPPFLAGS='$(CPPFLAGS)' PKG_CONFIG='$(PKG_CONFIG)' tools/find-libraries
LIBRARY_CFLAGS  = $(call once,LIBRARY_CFLAGS,$(find_libraries) --cflags quick)
LIBRARY_LIBS    = $(call once,LIBRARY_LIBS,$(find_libraries) --libs)
# GDAL= and NETCDF= for none: libraries that are loaded when a file needs them, and of which building needs the headers
GDAL           ?= $(call once,GDAL,$(find_libraries) --found gdal)
GDAL_CFLAGS     = $(call once,GDAL_CFLAGS,$(find_libraries) --cflags gdal)
NETCDF         ?= $(call once,NETCDF,$(find_libraries) --found netcdf)
NETCDF_CFLAGS   = $(call once,NETCDF_CFLAGS,$(find_libraries) --cflags netcdf)
# `sciara serve`, which needs libmicrohttpd: a library of its own, too. SERVE= for none
SERVE          ?= $(call once,SERVE,$(find_libraries) --found serve)
SERVE_CFLAGS    = $(call once,SERVE_CFLAGS,$(find_libraries) --cflags serve)
SERVE_LIBS      = $(if $(SERVE),$(call once,SERVE_LIBS_FOUND,$(find_libraries) --libs serve))
# Painting: a library of its own, which is loaded when something is painted; with sanitizers it is in the programs.
# SHOW= for none: src/show/plain is in place of what loads it.
SHOW           ?= yes
SHOW_CFLAGS     = $(call once,SHOW_CFLAGS,$(find_libraries) --cflags show)
SHOW_LIBS       = $(call once,SHOW_LIBS,$(find_libraries) --libs show)
# MPI= for none. The runtime of C alone: nothing of MPI's C++, Fortran or CUDA.
MPI            ?= $(call once,MPI,$(find_libraries) --found mpi)
MPI_CFLAGS      = $(call once,MPI_CFLAGS,$(find_libraries) --cflags mpi)
MPI_LIBS        = $(call once,MPI_LIBS,$(find_libraries) --libs mpi)

# ---- flags --------------------------------------------------------------------------------------------------------
# No contraction and no fast-math anywhere: all variants give the same bits.
EXACT     = -ffp-contract=off -fno-fast-math $(NO_MMX)
# GCC 12 and 13 move a word through a register of MMX, without emms: after it a long double of whoever called, for
# example of PROJ, is NaN, as it lies in the same registers.
NO_MMX   := $(if $(filter x86_64 i%86,$(shell uname -m)),-mno-mmx)
# (a library that gets newer may call a function of its own deprecated; a function of a table takes what all are given)
WARN      = -Wall -Wextra -Wno-unused-parameter -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
            $(WERROR) -Wno-error=deprecated-declarations $(if $(findstring clang,$(CC)),$(CLANG_WARN))
# (masks of one lane are bools there, and so combined by & too)
CLANG_WARN = -Wno-unknown-warning-option -Wno-bitwise-instead-of-logical
# Warnings are errors with the compilers that have been tried; a newer one may warn of more, which is no reason to stop.
TRIED     = 11 12 13 14
WERROR   := $(if $(filter $(TRIED),$(firstword $(subst ., ,$(shell $(CC) -dumpversion 2>/dev/null)))),-Werror)
# Includes name the room: "case/case.h"; a file's own room needs no name.
ROOMS     = -Isrc/common -Isrc/input -Isrc/output -Isrc/show -Isrc/study -Isrc/program -Isrc
LOADED_CFLAGS = $(if $(GDAL),-DSCIARA_WITH_GDAL $(GDAL_CFLAGS)) $(if $(NETCDF),-DSCIARA_WITH_NETCDF $(NETCDF_CFLAGS))
INCLUDES  = -Iinclude $(ROOMS) $(LIBRARY_CFLAGS) $(LOADED_CFLAGS) $(if $(NVCC),-isystem $(dir $(NVCC))../include)
DEFINES   = -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64
# Everything can go into a library, which shows what its list of names has and nothing else, and so calls its own.
SHARED    = -fPIC -fno-semantic-interposition
CFLAGS   ?= -O3 -g1# lines for backtraces and profilers; -g takes a fifth longer
# (COLD: what `make sanitized` says instead of the optimization of CFLAGS, but for what is marked as optimized)
ALL_CFLAGS = -std=c11 $(CPPFLAGS) $(DEFINES) $(WARN) $(CFLAGS) $(COLD) $(EXACT) $(SHARED) -fopenmp -MMD -MP \
             $(INCLUDES) $(SANITIZE)
# (of clang's atomics of 16 bytes, which GCC has inside)
LIBS      = $(if $(SANITIZE),$(if $(SHOW),$(SHOW_LIBS))) $(LIBRARY_LIBS) -lm -lpthread -ldl \
            $(if $(findstring clang,$(CC)),-latomic)
MOVABLE  := $(filter lib,$(LIBDIR))
# looks_in FOLDERS: where a library looks for others, as seen from its own folder
looks_in  = $(if $(MOVABLE),-Wl$(comma)-rpath$(comma)'$(1)')
RPATH     = -Wl,--disable-new-dtags $(or $(call looks_in,$$ORIGIN/../lib:$$ORIGIN/../lib/sciara),\
            -Wl$(comma)-rpath$(comma)$(PREFIX)/$(LIBDIR)/sciara)
LINK      = $(CXX) $(SANITIZE) -fopenmp $(RPATH) $(LDFLAGS)

# CUDA_ARCH: 90, "80 90", native, or all-major (the default: every generation that this nvcc knows, and the
# newest as PTX for those to come). The GPU of this machine, if any, comes first.
CUDA_ARCH ?= all-major
MY_GPU    := $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d .)
# For all generations kernels are compressed as small as nvcc can, without lines for profilers and compute-sanitizer:
# a seventh of the size.
ifeq ($(CUDA_ARCH),all-major)
COMPRESSED = $(call once,COMPRESSED,$(NVCC) --version | grep -q "release 1[3-9]" && echo --compress-mode=size)
GENCODE    = -arch=all-major $(COMPRESSED)
else ifeq ($(CUDA_ARCH),native)
GENCODE    = -arch=native -lineinfo
else
GENCODE    = $(foreach a,$(CUDA_ARCH),-gencode arch=compute_$(a),code=sm_$(a)) -lineinfo
endif
# Without a word in CUDA_ARCH `make test` compiles for one generation where nothing is compiled yet, and `make`
# all again for every one.
EVERY_GENERATION := $(filter file,$(origin CUDA_ARCH))
ONE_GENERATION    = $(BUILD)/cuda/one-generation
NVCC_HOST  = -Wall,-Wextra,-ffp-contract=off,-fopenmp,-fPIC,-fno-semantic-interposition,-fno-gnu-unique
NVCC_FLAGS = -std=c++17 $(ROOMS) -O3 -fmad=false $(GENCODE) --threads 0 -ccbin $(CXX) -MMD -MP \
             -Xcompiler $(NVCC_HOST) $(NO_MMX:%=-Xcompiler %) $(DEFINES)

# ---- what there is ------------------------------------------------------------------------------------------------
# (version.c and loop.c are compiled in their own ways, below)
COMMON_C := $(wildcard $(foreach w,common input output study,src/$w/*/*.c) src/record/*.c src/program/bench/*.c) \
            $(filter-out src/library/version.c,$(wildcard src/library/*.c)) \
            $(filter-out src/reference/loop.c,$(wildcard src/reference/*.c))
SERVE_O   = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/program/serve/*.c)) $(BUILD)/obj/serve_texts.o
SERVE_SO  = $(if $(SANITIZE),,$(if $(SERVE),$(BUILD)/lib/sciara/libsciara_serve.so))
SHOW_C   := $(filter-out %/plain_png.c,$(wildcard src/show/*/*.c))
SHOW_O    = $(SHOW_C:%.c=$(BUILD)/obj/%.o) $(BUILD)/obj/show_texts.o
SHOW_SO   = $(if $(SANITIZE),,$(if $(SHOW),$(BUILD)/lib/sciara/libsciara_show.so))
PLAIN_O  := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/show/plain/*.c))
LOAD_O    = $(BUILD)/obj/src/record/painters_load.o
CLI_C     = $(wildcard src/program/commands/*.c src/program/options/*.c)
BUILT    := reference $(if $(NVCC),$(VARIANTS))
# A variant that is not built has its command, too, which says what to use instead.
PROGRAMS := sciara sciara_reference $(VARIANTS:%=sciara_%)
MPI_BIN   = $(if $(MPI),$(BUILD)/bin/sciara_mpi)
BIN       = $(PROGRAMS:%=$(BUILD)/bin/%) $(MPI_BIN) $(if $(NVCC),$(BUILD)/bin/sciara_verify)
GPU_HOST := $(patsubst src/common/gpu/%.cu,%,$(wildcard src/common/gpu/*.cu))
BATCH    := $(patsubst src/study/batch/%.cu,%,$(wildcard src/study/batch/*.cu))# many members at once: no variant
ifneq ($(NVCC),)
CUDA_O   := $(patsubst %,$(BUILD)/cuda/%.o,$(VARIANTS) $(GPU_HOST) $(BATCH))
CUDA_DIRS := $(addprefix $(dir $(NVCC))../,lib64 targets/x86_64-linux/lib)
CUDA_LIB := $(CUDA_DIRS:%=-L%) -lcudart_static -ldl -lrt
endif
# Blocks of other shapes (src/common/gpu/block.h), written COLSxROWS, of the variants that have them: their
# kernels are listed by BLOCK_KERNEL or BLOCK_VARIANT
SHAPED      := $(basename $(notdir $(shell grep -lE 'BLOCK_(KERNEL|VARIANT)' \
                 $(foreach v,$(VARIANTS),src/$v/$v.cu) /dev/null)))
shape_flags  = -DSCIARA_BLOCK_COLS=$(word 1,$(subst x, ,$1)) -DSCIARA_BLOCK_ROWS=$(word 2,$(subst x, ,$1))

# Compile lines are shown short; V=1 shows them whole. As many jobs as processors unless -j says otherwise.
SAY  = $(if $(V),,@printf '  %-5s %s\n' '$(1)' '$@';)
JOBS = $(if $(V),,-s) $(if $(findstring -j,$(MAKEFLAGS))$(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))

# Only `run`, `test` and `deps` install anything; the others say what is missing.
dependencies = SHOW='$(SHOW)' CC='$(CC)' CXX='$(CXX)' CPPFLAGS='$(CPPFLAGS)' PKG_CONFIG='$(PKG_CONFIG)' \
               tools/install-dependencies

# These make by a make of their own, which cannot know what this one makes at the same time for another goal.
BY_ANOTHER_MAKE := all run test quick-test install sanitized
ifneq ($(and $(filter $(BY_ANOTHER_MAKE),$(MAKECMDGOALS)),$(word 2,$(MAKECMDGOALS))),)
.NOTPARALLEL:
endif
# (which is told what has been found already)
found = MPI='$(MPI)' SERVE='$(SERVE)' GDAL='$(GDAL)' NETCDF='$(NETCDF)'
.PHONY: all run deps help install uninstall clean format
all: need-build ## (or nothing) builds what this machine can build
	@$(if $(EVERY_GENERATION),[ ! -e $(ONE_GENERATION) ] || rm -rf $(BUILD)/cuda)
	@$(MAKE) --no-print-directory $(JOBS) $(found) $(BIN) $(LIBRARIES)
	@$(if $(NVCC),,echo "no nvcc found: built the CPU part, skipped $(VARIANTS)")
	@$(if $(MPI),,echo "no mpi.h found: skipped sciara_mpi; tools/install-dependencies mpi")
	@$(if $(SERVE),,echo "no microhttpd.h found: built without \`sciara serve\`; tools/install-dependencies serve")
	@$(if $(SHOW),,echo "built without painters: maps are PNG without words")
	@$(if $(GDAL),,echo "no gdal.h found: built without GDAL; tools/install-dependencies gdal")
	@$(if $(NETCDF),,echo "no netcdf.h found: built without NetCDF; tools/install-dependencies netcdf")

run: get-run ## installs what is missing, builds, fetches Etna 2006 and simulates it
	@$(MAKE) --no-print-directory all
	tools/fetch-etna2006
	$(BUILD)/bin/sciara run data/etna2006.cfg --variant auto --every 4000
	@[ -e data/made/terrain.tif ] || $(BUILD)/bin/sciara terrain data/made --size 300 --quiet # data/volcano-ensemble.cfg

deps: get-test ## installs what building, running and testing needs (Debian, Ubuntu)
need-%:
	@$(dependencies) --check $*
get-%:
	@$(dependencies) $*

help: ## lists the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' Makefile make/*.mk | expand -t 24
	@echo "Variables: BUILD=folder CUDA_ARCH=90 NVCC= (no GPU) MPI= (no sciara_mpi) GDAL= NETCDF= SHOW= (without)" \
		"CC CXX CFLAGS CPPFLAGS LDFLAGS PREFIX DESTDIR V=1"

# make -s print-VARIANTS, for scripts
print-%:
	@echo "$($*)"

# ---- objects ------------------------------------------------------------------------------------------------------
$(BUILD)/obj/%.o: %.c $(BUILD)/shared
	@mkdir -p $(@D)
	$(call SAY,CC)$(CCACHE) $(CC) $(ALL_CFLAGS) -c $< -o $@

# Variants as lists for the preprocessor: SCIARA_VARIANTS(each) is each(global) each(tiled) ...
known_flags = '-DSCIARA_VARIANTS(each)=$(patsubst %,each(%),$(VARIANTS))'
built_flags = '-DSCIARA_BUILT(each)=$(patsubst %,each(%),$(filter-out reference,$(1)))'
VARIANT_TABLE := $(BUILD)/obj/src/common/sim/variant_table.o
$(BUILD)/obj/src/common/sim/variants.o: ALL_CFLAGS += $(known_flags)
$(VARIANT_TABLE): ALL_CFLAGS += $(call built_flags,$(BUILT))
$(BUILD)/obj/src/common/sim/variants.o $(VARIANT_TABLE): $(BUILD)/variants
# (files that hold what others are compiled from, which are compiled again when it changes)
$(BUILD)/variants: HELD = $(VARIANTS); built: $(BUILT)
$(BUILD)/shared: HELD = $(SHARED)
$(BUILD)/loaded: HELD = GDAL: $(GDAL); NetCDF: $(NETCDF); painters: $(SHOW); serve: $(SERVE)
LOADED_C := $(shell grep -lw 'SCIARA_WITH_GDAL\|SCIARA_WITH_NETCDF\|gdal_library' src/*/*/*.c)
LOADED_O := $(LOADED_C:%.c=$(BUILD)/obj/%.o)
$(LOADED_O): $(BUILD)/loaded
# (by `make -n` too, which otherwise says that all is; programs were links once)
$(BUILD)/variants $(BUILD)/shared $(BUILD)/loaded: FORCE
	+@mkdir -p $(@D)
	+@echo "$(HELD)" | cmp -s - $@ || { find $(BUILD)/bin -type l -delete 2>/dev/null; echo "$(HELD)" > $@; }
FORCE:
# The commit is in one object, which is in no archive: what is linked with it as an order-only prerequisite, as
# tests are, is not made again at each commit. (Where git cannot say, as for another user, the last answer holds.)
VERSION_O := $(BUILD)/obj/src/library/version.o
$(VERSION_O): ALL_CFLAGS += -DSCIARA_BUILD='"$(shell cat $(BUILD)/version)"'
$(VERSION_O): $(BUILD)/version
$(BUILD)/version: FORCE
	+@mkdir -p $(@D)
	+@now=$$(tools/version 2>/dev/null || cat $@ 2>/dev/null || echo $(VERSION)); \
		echo "$$now" | cmp -s - $@ || echo "$$now" >$@

# The CPU loop once per instruction set; the processor's is chosen at run time. Sums of heat are modulo 2^64
# (docs/model.md, section 4.3).
LOOPS := generic $(if $(filter x86_64,$(shell uname -m)),avx2 avx512)
LOOP_FLAGS_generic := -fwrapv -DSCIARA_LANES=2
LOOP_FLAGS_avx2    := -fwrapv -DSCIARA_LANES=4 -mavx2 -mfma
LOOP_FLAGS_avx512  := -fwrapv -DSCIARA_LANES=8 -mavx512f -mavx512dq -mavx512vl
# With sanitizers GCC takes 5 to 8 s for vectors with -O2, and longer with -O1: that is for the loop that this processor
# runs.
MY_LOOP = $(lastword generic $(sort $(shell grep -m 1 -ow 'avx2\|avx512dq' /proc/cpuinfo | sed s/dq//)))
LOOP_FLAGS = $(LOOP_FLAGS_$*) $(if $(SANITIZE),$(if $(filter $*,$(MY_LOOP)),-O2,-O0))
LOOP_O := $(LOOPS:%=$(BUILD)/obj/src/reference/loop_%.o)
$(LOOP_O): $(BUILD)/obj/src/reference/loop_%.o: src/reference/loop.c $(BUILD)/shared
	@mkdir -p $(@D)
	$(call SAY,CC)$(CCACHE) $(CC) $(ALL_CFLAGS) $(LOOP_FLAGS) -Wno-psabi -DLOOP=reference_steps_$* -c $< -o $@

# No two of these files have the same name.
vpath %.cu $(addprefix src/,$(VARIANTS)) src/common/gpu src/study/batch
$(BUILD)/cuda/%.o: %.cu $(BUILD)/shared
	@mkdir -p $(@D)
	$(call SAY,NVCC)$(CCACHE) $(NVCC) $(NVCC_FLAGS) -c $< -o $@

# ---- texts that programs contain, as C ----------------------------------------------------------------------------
# data/parameters, which a program finds wherever it is; a file more is enough. Sorted by name, where a name comes
# before the longer one that begins with it
PARAMETER_SETS := $(addsuffix .cfg,$(sort $(basename $(wildcard data/parameters/*.cfg))))
$(BUILD)/parameter_list: FORCE
	+@mkdir -p $(@D)
	+@echo "$(PARAMETER_SETS)" | cmp -s - $@ || echo "$(PARAMETER_SETS)" > $@
$(BUILD)/parameter_texts.c: $(PARAMETER_SETS) tools/parameter-texts $(BUILD)/parameter_list
	@tools/parameter-texts $(PARAMETER_SETS) >$@

# What a report.html and the page of `sciara serve` consist of
include src/show/page/parts.mk
REPORT_PARTS := $(REPORT_FRAME) $(SHARED_SCRIPTS) $(REPORT_SCRIPTS)
SERVE_PARTS  := $(SERVE_FRAME) $(SHARED_SCRIPTS) $(SERVE_SCRIPTS)
$(BUILD)/page_texts.c: $(REPORT_PARTS) src/show/page/map.html
	@mkdir -p $(@D)
	@tools/report-texts page $(REPORT_PARTS) >$@.new && mv $@.new $@
$(BUILD)/serve_texts.c: $(SERVE_PARTS) src/show/page/map.html
	@mkdir -p $(@D)
	@tools/report-texts serve $(SERVE_PARTS) >$@.new && mv $@.new $@
$(BUILD)/page_texts.c $(BUILD)/serve_texts.c: tools/report-texts tools/text-as-c
# The texts in all languages, as C and for the pages
WORDS := src/input/text/words.tsv
$(BUILD)/words_texts.c: $(WORDS) tools/words-table
	@mkdir -p $(@D)
	@tools/words-table c $(WORDS) >$@.new && mv $@.new $@
$(BUILD)/words_table.js: $(WORDS) tools/words-table
	@mkdir -p $(@D)
	@tools/words-table js $(WORDS) >$@.new && mv $@.new $@
# The templates of what is painted for globes and GIS, and the style of pages of text
SHOW_TEXTS := $(wildcard src/show/gis/*.xml) src/show/page/text_page_style.css
$(BUILD)/show_texts.c: $(SHOW_TEXTS) tools/text-as-c
	@mkdir -p $(@D)
	@{ printf '#include "%s"\n' gis/gis.h page/page.h && for text in $(SHOW_TEXTS); do \
		name=$$(basename $$text) && tools/text-as-c $${name%.*}_text <$$text; done; } >$@.new && mv $@.new $@
# What shells read before, between and behind what comes from the tables of options
COMPLETE := $(wildcard src/program/options/complete.*sh)
$(BUILD)/complete_texts.c: $(COMPLETE) tools/text-as-c
	@mkdir -p $(@D)
	@{ echo '#include "options/complete_texts.h"' && \
		for text in $(COMPLETE); do tools/text-as-c complete_$${text##*.}_text <$$text; done; } | \
		sed 's/@@@/" "\\0" "/g' >$@.new && mv $@.new $@
TEXTS_O := $(patsubst %,$(BUILD)/obj/%_texts.o,parameter page words complete)
$(TEXTS_O) $(BUILD)/obj/serve_texts.o $(BUILD)/obj/show_texts.o: $(BUILD)/obj/%.o: $(BUILD)/%.c $(BUILD)/shared
	@mkdir -p $(@D)
	$(call SAY,CC)$(CCACHE) $(CC) $(ALL_CFLAGS) -c $< -o $@

# ---- what all programs consist of, and what paints for them -------------------------------------------------------
# Without nvcc there is a file in place of src/study/batch.
BATCH_MISSING := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/study/*/batch_missing.c))
PARTS_O = $(filter-out $(BATCH_MISSING) $(if $(SHOW),,$(LOAD_O)),$(COMMON_C:%.c=$(BUILD)/obj/%.o)) \
          $(TEXTS_O) $(LOOP_O) $(if $(SHOW),$(if $(SANITIZE),$(SHOW_O)),$(PLAIN_O))
$(BUILD)/parts.a: $(PARTS_O) $(if $(NVCC),,$(BATCH_MISSING)) $(BUILD)/loaded
	@rm -f $@
	$(call SAY,AR)ar rcs $@ $(filter %.o,$^)

# shared_library SONAME,NAMES: shows the names that the file NAMES lists
shared_library = $(CXX) $(SANITIZE) -shared -fopenmp $(LDFLAGS) -Wl,-soname,$(1) -Wl,--version-script=$(2) \
                 -Wl,--disable-new-dtags,--as-needed
$(SHOW_O): ALL_CFLAGS += $(SHOW_CFLAGS)
$(LOAD_O): ALL_CFLAGS += $(if $(SANITIZE),-DSCIARA_PAINTERS_LINKED)
$(BUILD)/show.a: $(SHOW_O)
	@rm -f $@
	$(call SAY,AR)ar rcs $@ $^
# It has its own copy of what it shares with the programs, so that it belongs to a program that is linked with
# libsciara.a, too.
$(BUILD)/lib/sciara/libsciara_show.so: $(SHOW_O) $(BUILD)/parts.a src/show/show.map
	@mkdir -p $(@D)
	$(call SAY,LINK)$(call shared_library,libsciara_show.so,src/show/show.map) \
		-Wl,--no-undefined $(call looks_in,$$ORIGIN/..) \
		$(filter-out %.map,$^) $(SHOW_LIBS) $(LIBS) -o $@

# ---- the library: include/sciara.h --------------------------------------------------------------------------------
# All other names are local, in the archive too: it is one object, in which they have been resolved.
SONAME    := libsciara.so.$(firstword $(subst ., ,$(VERSION)))
LIBRARIES := $(BUILD)/lib/libsciara.so.$(VERSION) $(BUILD)/lib/libsciara.a $(SHOW_SO) $(SERVE_SO)
LIBRARY_O := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/library/*.c)) $(CUDA_O)
$(BUILD)/lib/libsciara.so.$(VERSION): $(LIBRARY_O) $(BUILD)/parts.a src/library/sciara.map
	@mkdir -p $(@D)
	$(call SAY,LINK)$(call shared_library,$(SONAME),src/library/sciara.map) \
		$(if $(SANITIZE),,-Wl$(comma)--no-undefined) $(call looks_in,$$ORIGIN) \
		$(LIBRARY_O) $(BUILD)/parts.a $(CUDA_LIB) $(LIBS) -o $@
	@ln -sf $(@F) $(@D)/$(SONAME) && ln -sf $(SONAME) $(@D)/libsciara.so
$(BUILD)/lib/libsciara.a: $(LIBRARY_O) $(BUILD)/parts.a
	@mkdir -p $(@D)
	@rm -f $@
	$(call SAY,AR)ld -r -d --force-group-allocation $^ -o $(@D)/sciara.o
	@objcopy -w --keep-global-symbol='sciara_*' $(@D)/sciara.o
	@ar rcs $@ $(@D)/sciara.o && rm $(@D)/sciara.o

# ---- programs -----------------------------------------------------------------------------------------------------
# A program is a main, the table of its variants and their kernels: sciara has all, sciara_NAME those of NAME. All else
# is in the core, a library without an ABI that they share: common/gpu, and no kernel of a step.
CLI_O = $(filter-out %/main.o,$(CLI_C:%.c=$(BUILD)/obj/%.o)) $(if $(SANITIZE),$(if $(SERVE),$(SERVE_O)))
$(SERVE_O): ALL_CFLAGS += $(SERVE_CFLAGS)
$(BUILD)/obj/src/program/commands/cmd_serve.o: ALL_CFLAGS += $(if $(SERVE),-DSCIARA_SERVE$(if $(SANITIZE),_LINKED))
$(BUILD)/obj/src/program/commands/cmd_serve.o: $(BUILD)/loaded
# PROJ, libgeotiff and libzip are opened when they are called, but in programs with sanitizers.
LATE_SO = $(if $(SANITIZE),,$(patsubst %,$(BUILD)/lib/sciara/libsciara_%.so,proj zip))
LATE_O  = $(if $(SANITIZE),,$(patsubst %,$(BUILD)/obj/src/program/late/%.o,late proj_calls zip_calls))
$(LATE_SO): $(BUILD)/lib/sciara/libsciara_%.so: $(BUILD)/obj/src/program/late/%_library.o
	@mkdir -p $(@D)
	$(call SAY,LINK)$(CC) -shared $(LDFLAGS) -Wl,-soname,$(@F) -Wl,--disable-new-dtags,--as-needed \
		$(call looks_in,$$ORIGIN/..) $< $(LIBRARY_LIBS) -o $@
CORE_O = $(filter-out $(VARIANT_TABLE),$(PARTS_O)) $(CLI_O) $(LATE_O) $(VERSION_O) \
         $(if $(NVCC),$(GPU_HOST:%=$(BUILD)/cuda/%.o))
CORE_LIBS = $(if $(SANITIZE),$(SERVE_LIBS)) $(LIBS)

NAMED  = $(1:%=$(BUILD)/obj/named/%/main.o) $(1:%=$(BUILD)/obj/named/%/variant_table.o)
MAIN_O = $(BUILD)/obj/src/program/commands/main.o $(VARIANT_TABLE)
KERNELS_O = $(if $(NVCC),$(VARIANTS:%=$(BUILD)/cuda/%.o))
BATCH_O   = $(if $(NVCC),$(BATCH:%=$(BUILD)/cuda/%.o),$(BATCH_MISSING))
$(BUILD)/obj/named/%/main.o: src/program/commands/main.c $(BUILD)/shared
	@mkdir -p $(@D)
	$(call SAY,CC)$(CCACHE) $(CC) $(ALL_CFLAGS) '-DSCIARA_PROGRAM="$*"' -c $< -o $@
$(BUILD)/obj/named/%/variant_table.o: src/common/sim/variant_table.c $(BUILD)/variants $(BUILD)/shared
	@mkdir -p $(@D)
	$(call SAY,CC)$(CCACHE) $(CC) $(ALL_CFLAGS) $(call built_flags,$(filter $*,$(BUILT))) -c $< -o $@

# Several processes for one ensemble; the only program that needs MPI
MPI_O := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/program/mpi/*.c))
$(MPI_O): ALL_CFLAGS += $(MPI_CFLAGS) $(if $(NVCC),-DSCIARA_BATCH)
$(BUILD)/obj/src/program/mpi/device_id.o: $(BUILD)/variants

# The core shows what programs call of it. It is linked again when that changes, not when a program does.
OWN_O = $(MAIN_O) $(call NAMED,reference $(VARIANTS)) $(KERNELS_O) $(sort $(BATCH_O) $(BATCH_MISSING)) \
        $(if $(MPI),$(MPI_O)) $(if $(SERVE_SO),$(SERVE_O))
$(BUILD)/core.map: $(CORE_O) $(OWN_O)
	@{ echo '{ global:' && { nm -u $(OWN_O) && nm -g --defined-only $(CORE_O); } | \
		awk '$$1 == "U" { called[$$2] } NF == 3 && $$3 in called { print $$3 ";" }' && echo 'local: *; };'; } >$@.new
	@cmp -s $@.new $@ || cp $@.new $@
# The runtime of CUDA, in which the core's kernels and those of a program have to be known
CUDART := $(if $(NVCC),$(BUILD)/lib/sciara/libcudart.so)
CUDART_FOUND := $(if $(NVCC),$(firstword $(wildcard $(CUDA_DIRS:%=%/libcudart.so)) \
                $(shell $(CXX) -print-file-name=libcudart.so)))
$(BUILD)/lib/sciara/libcudart.so: $(CUDART_FOUND)
	@mkdir -p $(@D)
	@name=$$(readelf -d $< | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p') && cp -L $< $(@D)/$$name && ln -sf $$name $@
link_core = $(call SAY,LINK)$(call shared_library,$(@F),$(BUILD)/core.map) \
            -Wl,-Bsymbolic $(1) $(CUDART) $(CORE_LIBS) -o $@
$(BUILD)/lib/sciara/libsciara_core.so: $(CORE_O) $(BUILD)/core.map $(CUDART) $(BUILD)/loaded | $(LATE_SO)
	@mkdir -p $(@D)
	$(call link_core,$(CORE_O))
# That of a program without painters (SHOW=), for tests/program/test_show.sh
$(BUILD)/plain/libsciara_core.so: $(CORE_O) $(PLAIN_O) $(BUILD)/core.map $(CUDART)
	@mkdir -p $(@D)
	$(call link_core,$(filter-out $(LOAD_O),$(CORE_O)) $(PLAIN_O))
SERVE_MAP := src/program/serve/serve.map
$(BUILD)/lib/sciara/libsciara_serve.so: $(SERVE_O) $(SERVE_MAP) | $(BUILD)/lib/sciara/libsciara_core.so
	@mkdir -p $(@D)
	$(call SAY,LINK)$(call shared_library,$(@F),$(SERVE_MAP)) $(call looks_in,$$ORIGIN:$$ORIGIN/..) \
		$(SERVE_O) $| $(SERVE_LIBS) $(LIBS) -o $@
# With sanitizers, which are for code that lies where it is linked to, programs have it in them.
CORE = $(if $(SANITIZE),$(CORE_O),$(BUILD)/lib/sciara/libsciara_core.so $(CUDART))
LINK_PROGRAM = $(call SAY,LINK)$(LINK) -Wl,--as-needed $(filter %.o,$^) $(filter %.so,$^) \
               $(if $(SANITIZE),$(CUDA_LIB) $(CORE_LIBS)) $(1) -o $@

$(BUILD)/bin/sciara: $(MAIN_O) $(KERNELS_O) $(BATCH_O) $(CORE)
	@mkdir -p $(@D)
	$(call LINK_PROGRAM)
$(VARIANTS:%=$(BUILD)/bin/sciara_%): $(BUILD)/bin/sciara_%: $(if $(NVCC),$(BUILD)/cuda/%.o)
NAMED_BIN := $(patsubst %,$(BUILD)/bin/sciara_%,reference $(VARIANTS))
$(NAMED_BIN): $(BUILD)/bin/sciara_%: $(call NAMED,%) $(BATCH_MISSING) $(CORE)
	@mkdir -p $(@D)
	$(call LINK_PROGRAM)
$(BUILD)/bin/sciara_mpi: $(MPI_O) $(BUILD)/obj/named/reference/variant_table.o $(BATCH_O) $(CORE)
	@mkdir -p $(@D)
	$(call LINK_PROGRAM,$(MPI_LIBS))

# ---- installation -------------------------------------------------------------------------------------------------
install: all ## to PREFIX (/usr/local): programs, library, manual, completion, example
	@stage=$$(mktemp -d) && trap 'rm -rf "$$stage"' EXIT && \
		$(MAKE) --no-print-directory -s stage STAGE="$$stage" && \
		tools/install-tree install "$$stage" "$(DESTDIR)$(PREFIX)"
uninstall: ## removes from PREFIX what `make install` put there
	@tools/install-tree uninstall "$(DESTDIR)$(PREFIX)"

# What is installed, in the folder STAGE
DOCUMENTS := CHANGELOG.md CITATION.cff LICENSE $(addprefix docs/,formats.md model.md library.md cluster.md example.c)
OWN_LIBRARIES = $(filter-out %/libcudart.so %/libsciara_show.so,$(wildcard $(BUILD)/lib/sciara/lib*))
.PHONY: stage stage-library
stage: stage-library
	install -d $(STAGE)/bin $(STAGE)/share/doc/sciara $(STAGE)/share/sciara/data $(STAGE)/share/sciara/tools
	install -m 755 $(PROGRAMS:%=$(BUILD)/bin/%) $(MPI_BIN) $(STAGE)/bin
	$(if $(SANITIZE),,install -m 755 $(OWN_LIBRARIES) $(STAGE)/$(LIBDIR)/sciara)
	install -m 644 $(wildcard data/*.cfg data/*.csv) $(STAGE)/share/sciara/data
	install -d $(STAGE)/share/sciara/data/bank $(STAGE)/share/sciara/data/parameters
	install -m 644 $(wildcard data/bank/*.cfg) $(STAGE)/share/sciara/data/bank
	install -m 644 $(PARAMETER_SETS) $(STAGE)/share/sciara/data/parameters
	install -m 755 tools/fetch-etna2006 $(STAGE)/share/sciara/tools
	install -d $(STAGE)/share/doc/sciara/slurm
	install -m 644 $(DOCUMENTS) $(STAGE)/share/doc/sciara
	install -d $(STAGE)/share/doc/sciara/formats
	install -m 644 $(wildcard docs/formats/*.md) $(STAGE)/share/doc/sciara/formats
	install -m 644 $(wildcard docs/slurm/*.sbatch) $(STAGE)/share/doc/sciara/slurm
	LD_LIBRARY_PATH=$(BUILD)/lib/sciara tools/write-manual $(BUILD)/bin/sciara $(STAGE)/share

stage-library:
	install -d $(STAGE)/include $(STAGE)/$(LIBDIR)/pkgconfig $(STAGE)/$(LIBDIR)/sciara
	$(if $(SHOW_SO),install -m 755 $(SHOW_SO) $(STAGE)/$(LIBDIR)/sciara)
	install -m 644 include/sciara.h $(STAGE)/include
	install -m 644 $(BUILD)/lib/libsciara.a $(STAGE)/$(LIBDIR)
	install -m 755 $(BUILD)/lib/libsciara.so.$(VERSION) $(STAGE)/$(LIBDIR)
	ln -sf libsciara.so.$(VERSION) $(STAGE)/$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(STAGE)/$(LIBDIR)/libsciara.so
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' src/library/sciara.pc.in | \
		sed 's|@LIBS@|$(CUDA_LIB) $(LIBS) -lgomp -lstdc++|'  >$(STAGE)/$(LIBDIR)/pkgconfig/sciara.pc
	chmod 644 $(STAGE)/$(LIBDIR)/pkgconfig/sciara.pc

clean: ## removes the build folder
	rm -rf $(BUILD)

format: ## lays out C, CUDA and JavaScript files by clang-format, Python's by autopep8
	tools/check-format --write
	tools/check-python --write

include $(sort $(wildcard make/*.mk))

# What each object was compiled from. Goals that are made by another make, or only say something, need none of it.
ifneq ($(filter-out $(BY_ANOTHER_MAKE) print-% need-% get-% help,$(or $(MAKECMDGOALS),all)),)
-include $(shell find $(BUILD) -path $(BUILD)/roots -prune -o -type f -name '*.d' -print 2>/dev/null)
endif
