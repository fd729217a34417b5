# Sciara. `make help` lists what can be made, from the comments behind ## here.
#
# Everything made goes below $(BUILD) and output/. A variant is a folder src/NAME with a NAME.cu and one word
# in VARIANTS, which is the only list of them; test_NAME.c (cmocka), test_NAME.sh and fuzz_NAME.c in tests/WING
# are found by themselves.

VERSION  := $(shell sed -n 's/.*SCIARA_VERSION "\(.*\)".*/\1/p' include/sciara.h)
VARIANTS := global tiled tiled_halo cfame cfamo resident
PREFIX   ?= /usr/local
# Another LIBDIR, such as lib/x86_64-linux-gnu, is for packages: programs find what they share in PREFIX/LIBDIR/sciara, and
# libraries have no place of their own to look in.
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

# ---- flags ---------------------------------------------------------------------------------------------
# No contraction and no fast-math anywhere: all variants give the same bits.
EXACT     = -ffp-contract=off -fno-fast-math $(NO_MMX)
# GCC 12 and 13 move a word through a register of MMX, without emms: after it a long double of whoever called, for example of
# PROJ, is NaN, as it lies in the same registers.
NO_MMX   := $(if $(filter x86_64 i%86,$(shell uname -m)),-mno-mmx)
# (a library that gets newer may call a function of its own deprecated; a function of a table takes what all of them are given)
WARN      = -Wall -Wextra -Wno-unused-parameter -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla $(WERROR) -Wno-error=deprecated-declarations $(if $(findstring clang,$(CC)),$(CLANG_WARN))
# (masks of one lane are bools there, and so combined by & too)
CLANG_WARN = -Wno-unknown-warning-option -Wno-bitwise-instead-of-logical
# Warnings are errors with the compilers that have been tried; a newer one may warn of more, which is no reason to stop.
TRIED     = 11 12 13 14
WERROR   := $(if $(filter $(TRIED),$(firstword $(subst ., ,$(shell $(CC) -dumpversion 2>/dev/null)))),-Werror)
# Includes name the room: "case/case.h"; a file's own room needs no name.
ROOMS     = -Isrc/common -Isrc/input -Isrc/output -Isrc/show -Isrc/study -Isrc/program -Isrc
INCLUDES  = -Iinclude $(ROOMS) $(LIBRARY_CFLAGS) $(LOADED_CFLAGS) $(if $(NVCC),-isystem $(dir $(NVCC))../include)
DEFINES   = -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64
# Everything can go into a library, which shows what its list of names has and nothing else, and so calls its own.
SHARED    = -fPIC -fno-semantic-interposition
CFLAGS   ?= -O3 -g1# lines for backtraces and profilers; -g takes a fifth longer
ALL_CFLAGS = -std=c11 $(CPPFLAGS) $(DEFINES) $(WARN) $(CFLAGS) $(COLD) $(EXACT) $(SHARED) -fopenmp -MMD -MP $(INCLUDES) $(SANITIZE)
# pkg-config is asked once, when the first of these is needed; so it is for MPI, below.
find_libraries  = CC='$(CC)' CPPFLAGS='$(CPPFLAGS)' PKG_CONFIG='$(PKG_CONFIG)' tools/find-libraries
LIBRARY_CFLAGS  = $(eval LIBRARY_CFLAGS := $$(shell $(find_libraries) --cflags quick))$(LIBRARY_CFLAGS)
# GDAL= and NETCDF= for none: libraries that are loaded when a file needs them, and of which building needs the headers
GDAL     ?= $(eval GDAL := $$(if $$(filter gdal.h,$$(shell $(find_libraries) --missing gdal)),,yes))$(GDAL)
NETCDF   ?= $(eval NETCDF := $$(if $$(filter netcdf.h,$$(shell $(find_libraries) --missing netcdf)),,yes))$(NETCDF)
LOADED_CFLAGS = $(eval LOADED_CFLAGS := $(if $(GDAL),-DSCIARA_WITH_GDAL $$(shell $(find_libraries) --cflags gdal)) $(if $(NETCDF),-DSCIARA_WITH_NETCDF $$(shell $(find_libraries) --cflags netcdf)))$(LOADED_CFLAGS)
LIBRARY_LIBS    = $(eval LIBRARY_LIBS := $$(shell $(find_libraries) --libs))$(LIBRARY_LIBS)
# (of clang's atomics of 16 bytes, which GCC has inside)
LIBS      = $(if $(SANITIZE),$(if $(SHOW),$(SHOW_LIBS))) $(LIBRARY_LIBS) -lm -lpthread -ldl $(if $(findstring clang,$(CC)),-latomic)
MOVABLE  := $(filter lib,$(LIBDIR))
RPATH     = -Wl,--disable-new-dtags,-rpath,$(if $(MOVABLE),'$$ORIGIN/../lib:$$ORIGIN/../lib/sciara',$(PREFIX)/$(LIBDIR)/sciara)
LINK      = $(CXX) $(SANITIZE) -fopenmp $(RPATH) $(LDFLAGS)

# CUDA_ARCH: 90, "80 90", native, or all-major (the default: every generation that this nvcc knows, and the
# newest as PTX for those to come). The GPU of this machine, if any, comes first.
CUDA_ARCH ?= all-major
MY_GPU    := $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d .)
# For all generations kernels are compressed as small as nvcc can, without lines for profilers and compute-sanitizer:
# a seventh of the size.
ifeq ($(CUDA_ARCH),all-major)
GENCODE    = $(eval GENCODE := -arch=all-major $$(shell $(NVCC) --version | grep -q "release 1[3-9]" && echo --compress-mode=size))$(GENCODE)
else ifeq ($(CUDA_ARCH),native)
GENCODE    = -arch=native -lineinfo
else
GENCODE    = $(foreach a,$(CUDA_ARCH),-gencode arch=compute_$(a),code=sm_$(a)) -lineinfo
endif
# Without a word in CUDA_ARCH `make test` compiles for one generation where nothing is compiled yet, and `make`
# all again for every one.
EVERY_GENERATION := $(filter file,$(origin CUDA_ARCH))
ONE_GENERATION    = $(BUILD)/cuda/one-generation
TEST_ARCH = $(if $(and $(NVCC),$(EVERY_GENERATION),$(if $(wildcard $(BUILD)/cuda),$(wildcard $(ONE_GENERATION)),none)),$(or $(MY_GPU),90))
NVCC_FLAGS = -std=c++17 $(ROOMS) -O3 -fmad=false $(GENCODE) --threads 0 -ccbin $(CXX) -MMD -MP \
             -Xcompiler -Wall,-Wextra,-ffp-contract=off,-fopenmp,-fPIC,-fno-semantic-interposition,-fno-gnu-unique $(NO_MMX:%=-Xcompiler %) \
             $(DEFINES)

# ---- what there is -----------------------------------------------------------------------------------
COMMON_C := $(wildcard $(foreach w,common input output study,src/$w/*/*.c) src/record/*.c src/program/bench/*.c) $(filter-out src/library/version.c,$(wildcard src/library/*.c)) \
            $(filter-out src/reference/loop.c,$(wildcard src/reference/*.c))
# `sciara serve`, which needs libmicrohttpd: a library of its own, too. SERVE= for none
SERVE    ?= $(eval SERVE := $$(if $$(filter microhttpd.h,$$(shell $(find_libraries) --missing serve)),,yes))$(SERVE)
SERVE_O   = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/program/serve/*.c)) $(BUILD)/obj/serve_texts.o
SERVE_SO  = $(if $(SANITIZE),,$(if $(SERVE),$(BUILD)/lib/sciara/libsciara_serve.so))
# Painting: a library of its own, which is loaded when something is painted; with sanitizers it is in the programs.
# SHOW= for none: src/show/plain is in place of what loads it.
SHOW     ?= yes
SHOW_C   := $(filter-out %/plain_png.c,$(wildcard src/show/*/*.c))
SHOW_O    = $(SHOW_C:%.c=$(BUILD)/obj/%.o) $(BUILD)/obj/gis_texts.o
SHOW_CFLAGS = $(eval SHOW_CFLAGS := $$(shell $(find_libraries) --cflags show))$(SHOW_CFLAGS)
SHOW_LIBS   = $(eval SHOW_LIBS := $$(shell $(find_libraries) --libs show))$(SHOW_LIBS)
SHOW_SO   = $(if $(SANITIZE),,$(if $(SHOW),$(BUILD)/lib/sciara/libsciara_show.so))
PLAIN_O  := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/show/plain/*.c))
LOAD_O    = $(BUILD)/obj/src/record/painters_load.o
CLI_C     = $(wildcard src/program/commands/*.c src/program/options/*.c)
SERVE_LIBS = $(if $(SERVE),$(shell $(find_libraries) --libs serve))
BUILT    := reference $(if $(NVCC),$(VARIANTS))
# A variant that is not built has its command, too, which says what to use instead.
PROGRAMS := sciara sciara_reference $(VARIANTS:%=sciara_%)
# MPI= for none. The runtime of C alone: nothing of MPI's C++, Fortran or CUDA.
MPI      ?= $(eval MPI := $$(if $$(filter mpi.h,$$(shell $(find_libraries) --missing mpi)),,yes))$(MPI)
MPI_BIN   = $(if $(MPI),$(BUILD)/bin/sciara_mpi)
BIN       = $(PROGRAMS:%=$(BUILD)/bin/%) $(MPI_BIN) $(if $(NVCC),$(BUILD)/bin/sciara_verify)
GPU_HOST := $(patsubst src/common/gpu/%.cu,%,$(wildcard src/common/gpu/*.cu))
BATCH    := $(patsubst src/study/batch/%.cu,%,$(wildcard src/study/batch/*.cu))# many members at once: no variant
ifneq ($(NVCC),)
CUDA_O   := $(patsubst %,$(BUILD)/cuda/%.o,$(VARIANTS) $(GPU_HOST) $(BATCH))
CUDA_DIRS := $(addprefix $(dir $(NVCC))../,lib64 targets/x86_64-linux/lib)
CUDA_LIB := $(CUDA_DIRS:%=-L%) -lcudart_static -ldl -lrt
endif

# Compile lines are shown short; V=1 shows them whole. As many jobs as processors unless -j says otherwise.
SAY  = $(if $(V),,@printf '  %-5s %s\n' '$(1)' '$@';)
JOBS = $(if $(V),,-s) $(if $(findstring -j,$(MAKEFLAGS))$(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))

# Only `run`, `test` and `deps` install anything; the others say what is missing.
dependencies = SHOW='$(SHOW)' CC='$(CC)' CXX='$(CXX)' CPPFLAGS='$(CPPFLAGS)' PKG_CONFIG='$(PKG_CONFIG)' tools/install-dependencies

# These make by a make of their own, which cannot know what this one makes at the same time for another goal.
ifneq ($(and $(filter all run test quick-test install sanitized,$(MAKECMDGOALS)),$(word 2,$(MAKECMDGOALS))),)
.NOTPARALLEL:
endif
.PHONY: all run test deps help bundle wheel deb install uninstall clean format sanitized
all: need-build ## (or nothing) builds what this machine can build
	@$(if $(EVERY_GENERATION),[ ! -e $(ONE_GENERATION) ] || rm -rf $(BUILD)/cuda)
	@$(MAKE) --no-print-directory $(JOBS) $(BIN) $(LIBRARIES)
	@$(if $(NVCC),,echo "no nvcc found: built the CPU part, skipped $(VARIANTS)")
	@$(if $(MPI),,echo "no mpi.h found: skipped sciara_mpi; tools/install-dependencies mpi")
	@$(if $(SERVE),,echo "no microhttpd.h found: built without \`sciara serve\`; tools/install-dependencies serve")
	@$(if $(SHOW),,echo "built without painters: maps are PNG without words")
	@$(if $(GDAL),,echo "no gdal.h found: built without GDAL; tools/install-dependencies gdal")
	@$(if $(NETCDF),,echo "no netcdf.h found: built without NetCDF; tools/install-dependencies netcdf")

deps: get-test ## installs what building, running and testing needs (Debian, Ubuntu)
need-%:
	@$(dependencies) --check $*
get-%:
	@$(dependencies) $*

help: ## lists the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 24
	@echo "Variables: BUILD=folder CUDA_ARCH=90 NVCC= (no GPU) MPI= (no sciara_mpi) GDAL= NETCDF= SHOW= (without) CC CXX CFLAGS CPPFLAGS LDFLAGS PREFIX DESTDIR V=1"

# ---- objects ------------------------------------------------------------------------------------------
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
# (what is compiled again when this changes: files that hold it)
$(BUILD)/variants: HELD = $(VARIANTS); built: $(BUILT)
$(BUILD)/shared: HELD = $(SHARED)
$(BUILD)/loaded: HELD = GDAL: $(GDAL); NetCDF: $(NETCDF); painters: $(SHOW); serve: $(SERVE)
LOADED_O := $(patsubst %.c,$(BUILD)/obj/%.o,$(shell grep -lw 'SCIARA_WITH_GDAL\|SCIARA_WITH_NETCDF\|gdal_library' src/*/*/*.c))
$(LOADED_O): $(BUILD)/loaded
# (by `make -n` too, which otherwise says that all is)
$(BUILD)/variants $(BUILD)/shared $(BUILD)/loaded: FORCE
	+@mkdir -p $(@D)
	+@echo "$(HELD)" | cmp -s - $@ || { find $(BUILD)/bin -type l -delete 2>/dev/null; echo "$(HELD)" > $@; } # (programs were links once)
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
# make -s print-VARIANTS, for scripts
print-%:
	@echo "$($*)"

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
$(LOOP_O): override COLD =
LOOP_O := $(LOOPS:%=$(BUILD)/obj/src/reference/loop_%.o)
$(LOOP_O): $(BUILD)/obj/src/reference/loop_%.o: src/reference/loop.c $(BUILD)/shared
	@mkdir -p $(@D)
	$(call SAY,CC)$(CCACHE) $(CC) $(ALL_CFLAGS) $(LOOP_FLAGS) -Wno-psabi -DLOOP=reference_steps_$* -c $< -o $@

# The engine of a page: the rules of a case, the CPU loop and what `sciara serve` answers in WebAssembly, by emscripten, and an
# npm package of it. Headers of libraries are the machine's, behind emscripten's own; what is called of them is in web/absent.c.
# SIMD of 128 bits, which rounds as everywhere; not the relaxed one, and nothing that emscripten would download. Files are
# compiled by emscripten's clang itself, with the flags of emcc, which takes longer to start than clang to compile.
EMCC     ?= NODE_PATH=/usr/share/nodejs emcc# a node that is not Debian's looks elsewhere
WEB      := $(BUILD)/web
WEB_CC    = $(eval WEB_CC := $$(CCACHE) $$(shell em-config LLVM_ROOT)/clang$$(addprefix -,$$(filter-out %.py,$$(shell em-config CLANG_ADD_VERSION 2>/dev/null))) $$(shell $$(EMCC) --cflags))$(WEB_CC)
web_part  = $(addprefix $(1)/,$(addsuffix .c,$(2)))
WEB_SRC  := $(filter-out %/sobol.c,$(wildcard web/*.c)) $(filter-out %/loops.c %/own_library.c,$(wildcard src/common/base/*.c src/common/model/*.c src/common/sim/*.c)) \
            $(wildcard src/reference/*.c src/input/case/*.c src/input/eruption/*.c src/input/drawing/*.c src/study/draft/*.c src/study/random/*.c src/study/plan/*.c) \
            $(addprefix src/input/,raster/asciigrid.c raster/heights.c raster/marks.c raster/raster.c raster/tiff_band.c raster/utm.c \
            vector/areas.c vector/build.c vector/csv_lines.c vector/draw_cells.c vector/geojson.c vector/vectors.c terrain/terrain.c) \
            $(filter-out %/archive.c %/sql.c %/packed.c,$(wildcard src/input/text/*.c)) $(BUILD)/parameter_texts.c $(BUILD)/words_texts.c \
            $(call web_part,src/program/serve,answers drawn frames ground run_stream save session study_stream) \
            $(call web_part,src/library,background case changing common simulation snapshot variants version) \
            $(call web_part,src/output,compare/lava_extent compare/outline isochrones/isochrones products/files products/made_by products/summary \
            restart/identity restart/restart run/output run/output_folder run/output_layers run/output_previous run/output_warnings) \
            $(call web_part,src/record,colours json_number pack page_parts probability record roundnum runfolder) \
            $(call web_part,src/study,ensemble/batch_missing ensemble/member_run ensemble/report members/axis members/ensemble members/statistics \
            pairs/pairs study/study verify/domain)
WEB_O    := $(WEB_SRC:%.c=$(WEB)/obj/%.o)
WEB_CALLS = _malloc,_free,$(shell sed -n '/^static/d; s/^[a-z].*[ *]\(\(engine\|page\)_[a-z_]*\)\x28.*/_\1/p' web/*.c | paste -s -d ,)
$(WEB)/obj/src/reference/loop.o: WEB_FLAGS = -O3 $(LOOP_FLAGS_generic) -DLOOP=reference_steps_generic
$(WEB)/obj/web/absent.o: $(WEB)/sobol.h
$(WEB)/sobol.h: web/sobol.c
	@mkdir -p $(@D)
	@$(CC) $(INCLUDES) $(DEFINES) $< -lgsl -lgslcblas -lm -o $(WEB)/sobol && $(WEB)/sobol >$@
$(WEB)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call SAY,EMCC)$(WEB_CC) -std=c11 $(DEFINES) -O2 -msimd128 $(WEB_FLAGS) -ffp-contract=off -fno-fast-math -ffunction-sections -fdata-sections -Wall -Wno-unknown-pragmas \
		$(CLANG_WARN) -MMD -MP -I$(WEB) -Iinclude $(ROOMS) $(LIBRARY_CFLAGS) -idirafter /usr/include/$(shell $(CC) -print-multiarch) -idirafter /usr/include -c $< -o $@
$(WEB)/sciara-engine.js: $(WEB_O)
	$(call SAY,EMCC)$(EMCC) -O2 -msimd128 --no-entry -sMODULARIZE -sEXPORT_NAME=createSciaraEngine -sENVIRONMENT=node,web,worker -sFORCE_FILESYSTEM -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0 \
		-sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sEXPORTED_FUNCTIONS=$(WEB_CALLS) -sEXPORTED_RUNTIME_METHODS=FS,ccall -Wl,--gc-sections $^ -o $@
web: $(WEB)/sciara-engine.js $(WEB)/sciara.html ## builds the page that needs no program, and its engine for node, in $(BUILD)/web, by emscripten
	@cp web/sciara.js web/sciara.d.ts web/README.md LICENSE $(WEB)
	@sed 's/VERSION/$(VERSION)/' web/package.json >$(WEB)/package.json
.PHONY: web
-include $(WEB_O:.o=.d)

# data/parameters as text in the program, which finds them wherever it is; a file more is enough. Sorted by name, where
# a name comes before the longer one that begins with it
PARAMETER_SETS := $(addsuffix .cfg,$(sort $(basename $(wildcard data/parameters/*.cfg))))
$(BUILD)/parameter_list: FORCE
	+@mkdir -p $(@D)
	+@echo "$(PARAMETER_SETS)" | cmp -s - $@ || echo "$(PARAMETER_SETS)" > $@
$(BUILD)/parameter_texts.c: $(PARAMETER_SETS) tools/parameter-texts $(BUILD)/parameter_list
	@tools/parameter-texts $(PARAMETER_SETS) >$@

# What a report.html and the page of `sciara serve` consist of, as text in the program; of the scripts later ones use earlier ones
PAGE_PART = $(addprefix src/show/page/,$(1))
SHARED_SCRIPTS := $(BUILD)/words_table.js $(call PAGE_PART,words.js data.js colours.js scene.js view.js charts.js tables.js map.js)
REPORT_SCRIPTS := $(call PAGE_PART,main.js)
DRAWN_SCRIPTS := $(call PAGE_PART,serve_terrain.js serve_stream.js serve_drawing.js serve_refusals.js serve_tools.js serve_rates.js \
    serve_many.js serve_compare.js serve_main.js)
SERVE_SCRIPTS := $(call PAGE_PART,serve_engine.js serve_send.js serve_files.js) $(DRAWN_SCRIPTS)
WEB_SCRIPTS   := $(call PAGE_PART,web_engine.js web_export.js) $(DRAWN_SCRIPTS)
REPORT_PARTS := $(call PAGE_PART,report.html report.css) $(SHARED_SCRIPTS) $(REPORT_SCRIPTS)
SERVE_PARTS := $(call PAGE_PART,serve.html report.css serve.css) $(SHARED_SCRIPTS) $(SERVE_SCRIPTS)
$(BUILD)/page_texts.c: $(REPORT_PARTS) src/show/page/map.html
	@mkdir -p $(@D)
	@tools/report-texts page $(REPORT_PARTS) >$@.new && mv $@.new $@
$(BUILD)/serve_texts.c: $(SERVE_PARTS) src/show/page/map.html
	@mkdir -p $(@D)
	@tools/report-texts serve $(SERVE_PARTS) >$@.new && mv $@.new $@
$(BUILD)/page_texts.c $(BUILD)/serve_texts.c $(WEB)/sciara.html: tools/report-texts tools/text-as-c
# The page that needs no program: that of `sciara serve` with the engine of above in workers, which also read GeoTIFF where npm has
# what does (MIT licence); without it the page says so
WEB_WORKER = $(WEB)/sciara-engine.js $(WEB)/geotiff.js web/terrain.js web/worker.js
# with their licences
with_licence = echo "/*" && tar -xzf $(1) -O package/$(2) && echo "*/" && tar -xzf $(1) -O package/$(3) && echo
$(WEB)/geotiff.js:
	@mkdir -p $(@D)
	@cd $(WEB) && timeout 60 npm pack geotiff@2.1.3 proj4@2.15.0 --loglevel=error >/dev/null 2>&1 && \
		{ $(call with_licence,geotiff-*.tgz,LICENSE,dist-browser/geotiff.js) && $(call with_licence,proj4-*.tgz,LICENSE.md,dist/proj4.js); } >geotiff.js.new && rm geotiff-*.tgz proj4-*.tgz || \
		{ echo "npm is not reachable: the page will read no GeoTIFF, only ESRI ASCII grids" && : >geotiff.js.new; }
	@mv $@.new $@
$(WEB)/sciara.html: $(call PAGE_PART,serve.html report.css serve.css map.html) $(SHARED_SCRIPTS) $(WEB_SCRIPTS) $(WEB_WORKER)
	@grep -hv '^//# sourceMappingURL' $(WEB_WORKER) >$(WEB)/worker.js
	@tools/report-texts html $(call PAGE_PART,serve.html report.css serve.css) $(SHARED_SCRIPTS) $(WEB_SCRIPTS) wasm=$(WEB)/sciara-engine.wasm worker=$(WEB)/worker.js >$@.new && mv $@.new $@
# The texts in all languages, as C and for the pages
WORDS := src/input/text/words.tsv
$(BUILD)/words_texts.c: $(WORDS) tools/words-table
	@mkdir -p $(@D)
	@tools/words-table c $(WORDS) >$@.new && mv $@.new $@
$(BUILD)/words_table.js: $(WORDS) tools/words-table
	@mkdir -p $(@D)
	@tools/words-table js $(WORDS) >$@.new && mv $@.new $@
# The templates of what is painted for globes and GIS
GIS_TEXTS := $(wildcard src/show/gis/*.xml)
$(BUILD)/gis_texts.c: $(GIS_TEXTS) tools/text-as-c
	@mkdir -p $(@D)
	@{ echo '#include "gis/gis.h"' && for text in $(GIS_TEXTS); do tools/text-as-c $$(basename $$text .xml)_text <$$text; done; } >$@.new && mv $@.new $@
# What shells read before, between and behind what comes from the tables of options
COMPLETE := $(wildcard src/program/options/complete.*sh)
$(BUILD)/complete_texts.c: $(COMPLETE) tools/text-as-c
	@mkdir -p $(@D)
	@{ echo '#include "options/complete_texts.h"' && for text in $(COMPLETE); do tools/text-as-c complete_$${text##*.}_text <$$text; done; } | \
	    sed 's/@@@/" "\\0" "/g' >$@.new && mv $@.new $@
TEXTS_O := $(patsubst %,$(BUILD)/obj/%_texts.o,parameter page words complete)
$(TEXTS_O) $(BUILD)/obj/serve_texts.o $(BUILD)/obj/gis_texts.o: $(BUILD)/obj/%.o: $(BUILD)/%.c $(BUILD)/shared
	@mkdir -p $(@D)
	$(call SAY,CC)$(CCACHE) $(CC) $(ALL_CFLAGS) -c $< -o $@

# Without nvcc there is a file in place of src/study/batch.
BATCH_MISSING := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/study/*/batch_missing.c))
PARTS_O = $(filter-out $(BATCH_MISSING) $(if $(SHOW),,$(LOAD_O)),$(COMMON_C:%.c=$(BUILD)/obj/%.o)) $(TEXTS_O) $(LOOP_O) $(if $(SHOW),$(if $(SANITIZE),$(SHOW_O)),$(PLAIN_O))
$(BUILD)/parts.a: $(PARTS_O) $(if $(NVCC),,$(BATCH_MISSING)) $(BUILD)/loaded
	@rm -f $@
	$(call SAY,AR)ar rcs $@ $(filter %.o,$^)

$(SHOW_O): ALL_CFLAGS += $(SHOW_CFLAGS)
$(LOAD_O): ALL_CFLAGS += $(if $(SANITIZE),-DSCIARA_PAINTERS_LINKED)
$(BUILD)/show.a: $(SHOW_O)
	@rm -f $@
	$(call SAY,AR)ar rcs $@ $^
# It has its own copy of what it shares with the programs, so that it belongs to a program that is linked with libsciara.a, too.
$(BUILD)/lib/sciara/libsciara_show.so: $(SHOW_O) $(BUILD)/parts.a src/show/show.map
	@mkdir -p $(@D)
	$(call SAY,LINK)$(call shared_library,libsciara_show.so,src/show/show.map) -Wl,--no-undefined$(if $(MOVABLE),$(comma)-rpath$(comma)'$$ORIGIN/..') \
		$(filter-out %.map,$^) $(SHOW_LIBS) $(LIBS) -o $@

# No two of these files have the same name.
vpath %.cu $(addprefix src/,$(VARIANTS)) src/common/gpu src/study/batch
$(BUILD)/cuda/%.o: %.cu $(BUILD)/shared
	@mkdir -p $(@D)
	$(call SAY,NVCC)$(CCACHE) $(NVCC) $(NVCC_FLAGS) -c $< -o $@

# ---- the library: include/sciara.h ------------------------------------------------------------------------
# shared_library SONAME,NAMES: shows the names that the file NAMES lists
shared_library = $(CXX) $(SANITIZE) -shared -fopenmp $(LDFLAGS) -Wl,-soname,$(1) -Wl,--version-script=$(2) -Wl,--disable-new-dtags,--as-needed
# All other names are local, in the archive too: it is one object, in which they have been resolved.
SONAME    := libsciara.so.$(firstword $(subst ., ,$(VERSION)))
LIBRARIES := $(BUILD)/lib/libsciara.so.$(VERSION) $(BUILD)/lib/libsciara.a $(SHOW_SO) $(SERVE_SO)
LIBRARY_O := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/library/*.c)) $(CUDA_O)
$(BUILD)/lib/libsciara.so.$(VERSION): $(LIBRARY_O) $(BUILD)/parts.a src/library/sciara.map
	@mkdir -p $(@D)
	$(call SAY,LINK)$(call shared_library,$(SONAME),src/library/sciara.map) \
		$(if $(SANITIZE),,-Wl$(comma)--no-undefined) $(if $(MOVABLE),-Wl$(comma)-rpath$(comma)'$$ORIGIN') \
		$(LIBRARY_O) $(BUILD)/parts.a $(CUDA_LIB) $(LIBS) -o $@
	@ln -sf $(@F) $(@D)/$(SONAME) && ln -sf $(SONAME) $(@D)/libsciara.so
$(BUILD)/lib/libsciara.a: $(LIBRARY_O) $(BUILD)/parts.a
	@mkdir -p $(@D)
	@rm -f $@
	$(call SAY,AR)ld -r -d --force-group-allocation $^ -o $(@D)/sciara.o
	@objcopy -w --keep-global-symbol='sciara_*' $(@D)/sciara.o
	@ar rcs $@ $(@D)/sciara.o && rm $(@D)/sciara.o
comma := ,

# ---- programs -----------------------------------------------------------------------------------------
# A program is a main, the table of its variants and their kernels: sciara has all, sciara_NAME those of NAME. All else is in the
# core, a library without an ABI that they share: common/gpu, and no kernel of a step.
CLI_O = $(filter-out %/main.o,$(CLI_C:%.c=$(BUILD)/obj/%.o)) $(if $(SANITIZE),$(if $(SERVE),$(SERVE_O)))
$(SERVE_O): ALL_CFLAGS += $(shell $(find_libraries) --cflags serve)
$(BUILD)/obj/src/program/commands/cmd_serve.o: ALL_CFLAGS += $(if $(SERVE),-DSCIARA_SERVE$(if $(SANITIZE),_LINKED))
$(BUILD)/obj/src/program/commands/cmd_serve.o: $(BUILD)/loaded
CORE_O = $(filter-out $(VARIANT_TABLE),$(PARTS_O)) $(CLI_O) $(VERSION_O) $(if $(NVCC),$(GPU_HOST:%=$(BUILD)/cuda/%.o))
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
$(MPI_O): ALL_CFLAGS += $(shell $(find_libraries) --cflags mpi) $(if $(NVCC),-DSCIARA_BATCH)
$(BUILD)/obj/src/program/mpi/device_id.o: $(BUILD)/variants

# The core shows what programs call of it. It is linked again when that changes, not when a program does.
OWN_O = $(MAIN_O) $(call NAMED,reference $(VARIANTS)) $(KERNELS_O) $(sort $(BATCH_O) $(BATCH_MISSING)) $(if $(MPI),$(MPI_O)) $(if $(SERVE_SO),$(SERVE_O))
$(BUILD)/core.map: $(CORE_O) $(OWN_O)
	@{ echo '{ global:' && { nm -u $(OWN_O) && nm -g --defined-only $(CORE_O); } | \
		awk '$$1 == "U" { called[$$2] } NF == 3 && $$3 in called { print $$3 ";" }' && echo 'local: *; };'; } >$@.new
	@cmp -s $@.new $@ || cp $@.new $@
# The runtime of CUDA, in which the core's kernels and those of a program have to be known
CUDART := $(if $(NVCC),$(BUILD)/lib/sciara/libcudart.so)
$(BUILD)/lib/sciara/libcudart.so: $(firstword $(wildcard $(CUDA_DIRS:%=%/libcudart.so)) $(if $(NVCC),$(shell $(CXX) -print-file-name=libcudart.so)))
	@mkdir -p $(@D)
	@name=$$(readelf -d $< | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p') && cp -L $< $(@D)/$$name && ln -sf $$name $@
link_core = $(call SAY,LINK)$(call shared_library,$(@F),$(BUILD)/core.map) -Wl,-Bsymbolic $(1) $(CUDART) $(CORE_LIBS) -o $@
$(BUILD)/lib/sciara/libsciara_core.so: $(CORE_O) $(BUILD)/core.map $(CUDART) $(BUILD)/loaded
	@mkdir -p $(@D)
	$(call link_core,$(CORE_O))
# That of a program without painters (SHOW=), for tests/program/test_show.sh
$(BUILD)/plain/libsciara_core.so: $(CORE_O) $(PLAIN_O) $(BUILD)/core.map $(CUDART)
	@mkdir -p $(@D)
	$(call link_core,$(filter-out $(LOAD_O),$(CORE_O)) $(PLAIN_O))
$(BUILD)/lib/sciara/libsciara_serve.so: $(SERVE_O) src/program/serve/serve.map | $(BUILD)/lib/sciara/libsciara_core.so
	@mkdir -p $(@D)
	$(call SAY,LINK)$(call shared_library,$(@F),src/program/serve/serve.map)$(if $(MOVABLE),$(comma)-rpath$(comma)'$$ORIGIN:$$ORIGIN/..') \
		$(SERVE_O) $| $(SERVE_LIBS) $(LIBS) -o $@
# With sanitizers, which are for code that lies where it is linked to, programs have it in them.
CORE = $(if $(SANITIZE),$(CORE_O),$(BUILD)/lib/sciara/libsciara_core.so $(CUDART))
LINK_PROGRAM = $(call SAY,LINK)$(LINK) -Wl,--as-needed $(filter %.o,$^) $(filter %.so,$^) $(if $(SANITIZE),$(CUDA_LIB) $(CORE_LIBS)) $(1) -o $@

$(BUILD)/bin/sciara: $(MAIN_O) $(KERNELS_O) $(BATCH_O) $(CORE)
	@mkdir -p $(@D)
	$(call LINK_PROGRAM)
$(VARIANTS:%=$(BUILD)/bin/sciara_%): $(BUILD)/bin/sciara_%: $(if $(NVCC),$(BUILD)/cuda/%.o)
$(patsubst %,$(BUILD)/bin/sciara_%,reference $(VARIANTS)): $(BUILD)/bin/sciara_%: $(call NAMED,%) $(BATCH_MISSING) $(CORE)
	@mkdir -p $(@D)
	$(call LINK_PROGRAM)
$(BUILD)/bin/sciara_mpi: $(MPI_O) $(BUILD)/obj/named/reference/variant_table.o $(BATCH_O) $(CORE)
	@mkdir -p $(@D)
	$(call LINK_PROGRAM,$(shell $(find_libraries) --libs mpi))

# Blocks of other shapes (src/common/gpu/block.h), written COLSxROWS, of the variants that have them: their
# lists of kernels say BLOCK_KERNEL
SHAPED      := $(basename $(notdir $(shell grep -lw BLOCK_KERNEL $(foreach v,$(VARIANTS),src/$v/$v.cu) /dev/null)))
shape_flags  = -DSCIARA_BLOCK_COLS=$(word 1,$(subst x, ,$1)) -DSCIARA_BLOCK_ROWS=$(word 2,$(subst x, ,$1))

# ---- the main job -------------------------------------------------------------------------------------
run: get-run ## installs what is missing, builds, fetches Etna 2006 and simulates it
	@$(MAKE) --no-print-directory all
	tools/fetch-etna2006
	$(BUILD)/bin/sciara run data/etna2006.cfg --variant auto --every 4000
	@[ -e data/made/terrain.tif ] || $(BUILD)/bin/sciara terrain data/made --size 300 --quiet # data/volcano-ensemble.cfg

# ---- measuring: CASE, STEPS, REPEAT; further options of `sciara benchmark` in OPTIONS ---------------------
CASE   ?= data/etna2006.cfg
REPEAT ?= 5
.PHONY: benchmark profile measuring-programs
benchmark: all ## how fast each variant is: CASE, STEPS, REPEAT, OPTIONS
	@[ "$(CASE)" != data/etna2006.cfg ] || tools/fetch-etna2006
	$(BUILD)/bin/sciara benchmark $(CASE) $(STEPS) --repeat $(REPEAT) $(OPTIONS)

MEASURING := $(patsubst profiling/%.cu,$(BUILD)/profiling/%,$(wildcard profiling/*.cu))
$(BUILD)/profiling/%: profiling/%.cu profiling/bench.cuh
	@mkdir -p $(@D)
	$(call SAY,NVCC)$(NVCC) -std=c++17 $(ROOMS) -O3 $(GENCODE) --threads 0 -ccbin $(CXX) $< -o $@
# These drive the simulator itself: linked with it, and their kernels compiled as exactly.
DRIVERS := techniques resident_parts
$(DRIVERS:%=$(BUILD)/profiling/%.o): $(BUILD)/profiling/%.o: profiling/%.cu
	@mkdir -p $(@D)
	$(call SAY,NVCC)$(CCACHE) $(NVCC) $(NVCC_FLAGS) -c $< -o $@
$(DRIVERS:%=$(BUILD)/profiling/%): %: %.o $(BUILD)/parts.a $(CUDA_O) | $(VERSION_O)
	$(call SAY,LINK)$(LINK) $^ $(VERSION_O) $(BUILD)/parts.a $(CUDA_LIB) $(LIBS) -o $@
measuring-programs: $(if $(NVCC),$(MEASURING))

# Diagrams of the pages of studies and of performance
$(BUILD)/studies/draw: studies/draw.c $(BUILD)/parts.a $(CUDA_O) | $(SHOW_SO)
	@mkdir -p $(@D)
	$(call SAY,CC)$(CCACHE) $(CC) $(ALL_CFLAGS) -c $< -o $(BUILD)/obj/draw.o
	$(call SAY,LINK)$(LINK) $(BUILD)/obj/draw.o $(BUILD)/parts.a $(CUDA_O) $(BUILD)/parts.a $(CUDA_LIB) $(LIBS) -o $@

$(BUILD)/studies/lubrication: studies/lubrication.c
	@mkdir -p $(@D)
	$(call SAY,CC)$(CC) $(WARN) -std=c11 -O3 $< -lm -o $@

# The simulator once for each shape of a block, for profiling/block_sweep; libraries beside it or in $(BUILD)/lib
SWEEP_SHAPES := 8x8 16x8 16x16 32x4 32x8 32x16 32x32
SWEEP_O      := $(foreach s,$(SWEEP_SHAPES),$(SHAPED:%=$(BUILD)/block_sweep/$s/%.o))
.SECONDEXPANSION:
$(SWEEP_O): $$(basename $$(@F)).cu
	@mkdir -p $(@D)
	$(call SAY,NVCC)$(CCACHE) $(NVCC) $(NVCC_FLAGS) $(call shape_flags,$(notdir $(@D))) -c $< -o $@
$(BUILD)/block_sweep/%/bin/sciara: $(foreach v,$(SHAPED),$(BUILD)/block_sweep/%/$v.o) $(MAIN_O) \
		$(filter-out $(SHAPED:%=$(BUILD)/cuda/%.o),$(KERNELS_O)) $(BATCH_O) $(CORE)
	@mkdir -p $(@D)
	$(call LINK_PROGRAM,-s -Wl$(comma)-rpath$(comma)'$$ORIGIN/../../../lib:$$ORIGIN/../../../lib/sciara')
.PHONY: block-sweep-programs
block-sweep-programs: $(if $(NVCC),$(SWEEP_SHAPES:%=$(BUILD)/block_sweep/%/bin/sciara))
	@$(if $(NVCC),echo "$(SHAPED)" > $(BUILD)/block_sweep/variants,echo "no nvcc found: no programs for profiling/block_sweep")

profile: all measuring-programs block-sweep-programs $(BUILD)/studies/draw ## measures a GPU, and the variants on it
	@[ "$(CASE)" != data/etna2006.cfg ] || tools/fetch-etna2006
	tools/measure-gpu $(BUILD)/profiling-results $(BUILD) ceilings patterns coalescing profile roofline techniques parts blocks

# ---- the notebook, computed again ------------------------------------------------------------------------
.PHONY: notebook
notebook: all ## computes docs/python.ipynb again
	tools/fetch-etna2006
	BUILD="$(BUILD)" tools/notebook

# ---- tests ----------------------------------------------------------------------------------------------
vpath %.c $(addprefix tests/,common input output study program)
TEST_C   := $(notdir $(basename $(wildcard tests/*/test_*.c)))
# With sanitizers alone, which see more, unless a line of the test says otherwise: `/* run: plain */` in sums that index
# nothing and in what has detectors of its own, `/* run: plain, sanitized */` where the sanitized program does less (SANITIZED()
# in tests/effort.h), or is not what is run. THOROUGH=1: all of both kinds.
run_as    = $(notdir $(basename $(shell grep -lx '/\* run: $(1) \*/' tests/*/test_*.c)))
PLAIN_TESTS := $(if $(THOROUGH),$(TEST_C),$(call run_as,plain.*))
# (test_races compiles the kernels as without sanitizers, and its own detector; test_block_shapes all of them once more)
SANITIZED_TESTS := $(filter-out $(if $(THOROUGH),test_races,$(call run_as,plain)),$(TEST_C))
TEST_BIN := $(PLAIN_TESTS:%=$(BUILD)/tests/%) $(BUILD)/tests/fork_server.so
$(BUILD)/tests/fork_server.so: tests/fork_server.c
	@mkdir -p $(@D)
	$(call SAY,CC)$(CC) -std=c11 -O1 -Wall -Wextra $(WERROR) -fPIC -shared $< -ldl -o $@
CMOCKA    = $(eval CMOCKA := $$(shell $(find_libraries) --libs quick))$(CMOCKA)
$(BUILD)/cuda_parts.a: $(CUDA_O)
	@rm -f $@
	$(call SAY,AR)ar rcs $@ $^
# The archive of CUDA objects is for tests that ask for a variant by its name.
TEST_CUDA := $(if $(NVCC),$(BUILD)/cuda_parts.a)
TEST_LIBS  = $(if $(NVCC),$(TEST_CUDA) $(BUILD)/parts.a $(CUDA_LIB) -lstdc++)
# (cmocka hands each test a state, which most do not use)
TEST_FLAGS = -Itests
# Of what only asks compiling takes longer than running, but for some; and the linker that takes least is enough.
TEST_O     = -O0 -g1
TEST_LINK := $(if $(shell command -v ld.gold),-fuse-ld=gold)
$(patsubst %,$(BUILD)/tests/test_%,distribution orders physics physics_float quantile realmath verify): TEST_O = -O1 -g1
$(BUILD)/tests/%: %.c $(BUILD)/parts.a $(TEST_CUDA) | $(VERSION_O)
	@mkdir -p $(@D)
	$(call SAY,CC)$(CCACHE) $(CC) $(ALL_CFLAGS) $(TEST_FLAGS) $(TEST_O) -MT $@ -c $< -o $@.o
	@$(CC) $(SANITIZE) -fopenmp $@.o $(TEST_OBJECTS) $(VERSION_O) $(BUILD)/parts.a $(TEST_LINK) $(LDFLAGS) $(CMOCKA) $(TEST_LIBS) $(LIBS) -o $@

# Kernels on the CPU: the variants compiled as C++ with tests/emulator in place of CUDA, by GCC, also where clang compiles the
# rest: what clang 14 makes of them ends in a segmentation fault on the emulator's stacks.
EMULATED := $(patsubst %,$(BUILD)/emulated/%.o,$(VARIANTS) $(GPU_HOST) cuda_emulator)
EMULATED_BATCH := $(BATCH:%=$(BUILD)/emulated/%.o)
EMULATE_CXX = $(if $(findstring clang,$(CXX)),g++,$(CXX))
EMULATE_O  = $(if $(SANITIZE),-Og,-O1)
EMULATE   = $(EMULATE_CXX) -std=c++17 $(ROOMS) -Itests $(EMULATE_O) -g1 -Wall -Wextra $(WERROR) -Wno-unknown-pragmas \
            $(EXACT) -fopenmp -MMD -MP -DSCIARA_EMULATOR $(SANITIZE) -x c++
vpath %.cpp tests/emulator
$(BUILD)/emulated/%.o: %.cu
	@mkdir -p $(@D)
	$(call SAY,CXX)$(CCACHE) $(EMULATE) -c $< -o $@
$(BUILD)/emulated/%.o: %.cpp
	@mkdir -p $(@D)
	$(call SAY,CXX)$(CCACHE) $(EMULATE) -c $< -o $@
$(BUILD)/raced/cuda_emulator.o: EMULATE_O = -O2
# The kernels are what sanitizers look at: not at the switches between threads. Copies that it makes for kernels are
# calls of memcpy, which sanitizers see.
$(BUILD)/emulated/cuda_emulator.o: EMULATE_O = -O2 -fno-builtin-memcpy
$(BUILD)/emulated/cuda_emulator.o: override SANITIZE =
# What is painted, without a file between
ON_SHOW := $(patsubst %,$(BUILD)/tests/test_%,draw map map_labels)
$(ON_SHOW): $(BUILD)/show.a
$(ON_SHOW): ALL_CFLAGS += $(SHOW_CFLAGS)
$(ON_SHOW): TEST_OBJECTS = $(BUILD)/show.a
$(ON_SHOW): TEST_LIBS += $(SHOW_LIBS)
ON_COMMANDS := $(patsubst %,$(BUILD)/tests/test_%,compare dem fit info options)
$(ON_COMMANDS): $(CLI_O)
$(ON_COMMANDS): TEST_OBJECTS = $(CLI_O)
$(ON_COMMANDS): TEST_LIBS += $(if $(SANITIZE),$(SERVE_LIBS))
TECHNIQUES := $(BUILD)/emulated/techniques.o $(BUILD)/emulated/cuda_emulator.o
$(BUILD)/tests/test_techniques: $(TECHNIQUES)
$(BUILD)/tests/test_techniques: TEST_OBJECTS = $(TECHNIQUES)
$(BUILD)/tests/test_techniques: TEST_LIBS = -lstdc++
ON_EMULATOR := $(patsubst %,$(BUILD)/tests/test_%,variants outgrow front held messages sea changing state)
ON_BATCH := $(patsubst %,$(BUILD)/tests/test_%,batch batch_engine pairs sensitivity_run)
$(ON_BATCH): $(EMULATED) $(EMULATED_BATCH)
$(ON_BATCH): TEST_OBJECTS = $(EMULATED) $(EMULATED_BATCH)
$(ON_BATCH): TEST_LIBS = -lstdc++
$(ON_EMULATOR): $(EMULATED)
$(ON_EMULATOR): TEST_OBJECTS = $(EMULATED)
$(ON_EMULATOR): TEST_LIBS = -lstdc++
$(ON_EMULATOR): ALL_CFLAGS += $(known_flags)
$(ON_EMULATOR): $(BUILD)/variants

# Likewise under the race detector (tests/emulator/race_detector.h), which is called at every access, by GCC's code:
# clang leaves some accesses out.
RACED := $(EMULATED:$(BUILD)/emulated/%=$(BUILD)/raced/%) $(EMULATED_BATCH:$(BUILD)/emulated/%=$(BUILD)/raced/%) \
         $(BUILD)/raced/racy_kernels.o
RACE_DETECTOR := $(BUILD)/raced/race_detector.o $(BUILD)/raced/race_memory.o
$(RACED): WATCH = -fsanitize=thread --param tsan-instrument-func-entry-exit=0
$(BUILD)/raced/cuda_emulator.o: WATCH =
$(RACED) $(RACE_DETECTOR): override SANITIZE =
$(BUILD)/raced/%.o: %.cu
	@mkdir -p $(@D)
	$(call SAY,CXX)$(CCACHE) $(EMULATE) -DEMULATOR_RACES $(WATCH) -c $< -o $@
$(BUILD)/raced/%.o: %.cpp
	@mkdir -p $(@D)
	$(call SAY,CXX)$(CCACHE) $(EMULATE) -DEMULATOR_RACES $(WATCH) -c $< -o $@
$(BUILD)/tests/test_races: $(RACED) $(RACE_DETECTOR) $(BUILD)/variants
$(BUILD)/tests/test_races: TEST_OBJECTS = $(RACED) $(RACE_DETECTOR)
$(BUILD)/tests/test_races: TEST_LIBS = -lstdc++
$(BUILD)/tests/test_races: ALL_CFLAGS += $(known_flags)

# Likewise with blocks of other shapes.
# (the smallest and the largest among them; with sanitizers only if THOROUGH is set)
TEST_SHAPES := 4x8 32x4 32x32 $(if $(THOROUGH),8x8)
EMULATED_SHAPES := $(foreach s,$(TEST_SHAPES),$(SHAPED:%=$(BUILD)/emulated/$s/%.o))
$(EMULATED_SHAPES): NAME  = $(basename $(@F))
$(EMULATED_SHAPES): SHAPE = $(notdir $(@D))
$(EMULATED_SHAPES): $$(basename $$(@F)).cu
	@mkdir -p $(@D)
	$(call SAY,CXX)$(CCACHE) $(EMULATE) $(call shape_flags,$(SHAPE)) -Dvariant_$(NAME)=variant_$(NAME)_$(SHAPE) -c $< -o $@
$(BUILD)/tests/test_block_shapes: $(EMULATED) $(EMULATED_SHAPES)
$(BUILD)/tests/test_block_shapes: TEST_OBJECTS = $(EMULATED) $(EMULATED_SHAPES)
$(BUILD)/tests/test_block_shapes: TEST_LIBS = -lstdc++
$(BUILD)/tests/test_block_shapes: ALL_CFLAGS += \
	'-DSHAPED_VARIANTS(each)=$(foreach s,$(TEST_SHAPES),$(foreach v,$(SHAPED),each($v,$s)))'
$(BUILD)/tests/test_block_shapes: $(BUILD)/variants

test: get-test ## installs what is missing, builds and runs every test that needs no GPU
	$(eval for_tests := $(if $(TEST_ARCH),CUDA_ARCH=$(TEST_ARCH)))
	@$(if $(for_tests),mkdir -p $(BUILD)/cuda && touch $(ONE_GENERATION))
	@$(MAKE) --no-print-directory $(JOBS) $(for_tests) $(BIN) $(LIBRARIES) $(TEST_BIN) $(BUILD)/studies/draw $(if $(SHOW),$(BUILD)/plain/libsciara_core.so)
	@$(if $(NVCC),,echo "no nvcc found: built the CPU part, skipped $(VARIANTS)")
	@$(for_tests) BUILD="$(BUILD)" CLANG="$(CLANG)" tools/run-tests

# An answer in less than a minute: tests of each room that take seconds, on what `make` has built; where it has built nothing,
# on the CPU part.
# ROOM=study/verify: those of a room of src (tests/rooms)
QUICK_TESTS := $(if $(ROOM),$(shell tools/run-tests --names $(ROOM)),test_physics test_fields test_reference test_case test_rates test_vents test_raster test_cmaes test_observed test_sensitivity \
               test_geotiff test_output test_map test_fit test_library test_cli.sh)
QUICK_NVCC   = $(if $(wildcard $(CUDA_O)),$(NVCC))
make_quick   = $(MAKE) --no-print-directory NVCC='$(QUICK_NVCC)' quick-programs
.PHONY: quick-test quick-programs
quick-test: need-quick ## tests of each room that take seconds; ROOM=study/verify: those of a room
	@$(if $(QUICK_TESTS),,exit 2)
	@files=$$($(make_quick) -n 2>/dev/null | sed -nE "s/.*printf .  %-5s %s.n. .(CC|CXX|NVCC). '([^']*)'.*/\2/p"); \
		if [ -n "$$files" ]; then echo "compiles first:" && echo "$$files" | sed 's|^$(BUILD)/||' | paste -s -d ' ' | fold -s -w 120 | sed 's/^/    /'; fi
	@$(make_quick) $(JOBS)
	@BUILD="$(BUILD)" tools/run-tests $(QUICK_TESTS)
quick-programs: $(PROGRAMS:%=$(BUILD)/bin/%) $(filter-out %.a,$(LIBRARIES)) $(BUILD)/tests/fork_server.so $(patsubst %,$(BUILD)/tests/%,$(filter-out %.sh,$(QUICK_TESTS)))

# Whether tests see mistakes in kernels, statistics, emission and search: all of tests/mutants
.PHONY: mutants
mutants: need-test ## whether tests see mistakes in kernels and mathematics; about an hour
	@BUILD="$(BUILD)" tools/mutants

# The CPU part and the tests once more, with AddressSanitizer and UBSan: for tools/run-tests. What takes longer to
# compile than to run is not optimized; programs that lie where they are linked to start in half the time, and so
# nothing in them is PIC. What `make` has compiled with warnings is compiled here without, in a tenth less.
HOT := $(filter $(addprefix src/,show/plain/%.c show/map/%.c study/plan/distribution.c study/random/terrain_error.c input/raster/geotiff.c \
       study/verify/%.c common/sim/fields.c common/sim/grid.c input/terrain/terrain.c reference/published.c),$(COMMON_C) $(SHOW_C))
$(HOT:%.c=$(BUILD)/obj/%.o): override COLD =
ifneq ($(COLD),)
$(BUILD)/obj/src/%.o: WARN =
endif
# (tests ask for GCC's macro)
SANITIZERS = -fsanitize=address,undefined -fno-sanitize-recover=all $(if $(findstring clang,$(CC)),-D__SANITIZE_ADDRESS__)
sanitized:
	@$(MAKE) --no-print-directory $(JOBS) BUILD=$(BUILD)/sanitized NVCC= CFLAGS="-O1 -g1" COLD=-O0 SHARED=-fno-pic \
		LDFLAGS="$(TEST_LINK) -no-pie" SANITIZE="$(SANITIZERS)" sanitized-programs
# Fuzzers that give what they are given, without libFuzzer and objects of their own
FUZZERS := $(notdir $(basename $(wildcard tests/*/fuzz_*.c)))
REPLAYS := $(FUZZERS:%=$(BUILD)/replay/%)
$(BUILD)/replay/%: %.c $(BUILD)/obj/tests/replay.o $(BUILD)/parts.a | $(VERSION_O)
	@mkdir -p $(@D)
	$(call SAY,CC)$(CCACHE) $(CC) $(ALL_CFLAGS) $(TEST_FLAGS) $(TEST_O) -MT $@ -c $< -o $@.o
	@$(CC) $(SANITIZE) -fopenmp $@.o $(BUILD)/obj/tests/replay.o $(VERSION_O) $(BUILD)/parts.a $(LDFLAGS) $(LIBS) -o $@
.PHONY: sanitized-programs
sanitized-programs: $(addprefix $(BUILD)/bin/,sciara sciara_reference) $(BUILD)/tests/fork_server.so $(SANITIZED_TESTS:%=$(BUILD)/tests/%) $(REPLAYS)

# ---- fuzzers: seeds in tests/corpus/NAME -----------------------------------------------------------------
# FUZZ_O=-O0 takes a third of the time to build: for the seconds of tools/run-tests
FUZZ     := $(BUILD)/fuzz
FUZZ_O   := -O1
FUZZ_BIN := $(FUZZERS:%=$(FUZZ)/%)
# Without OpenMP, which clang may lack: on one thread. The loop is not what is looked at, nor is what only writes.
FUZZ_C   := src/library/version.c $(filter-out src/program/bench/% src/input/terrain/% src/study/pairs/% \
            %_study.c %_tables.c,$(COMMON_C))
FUZZED   := $(FUZZ_C:%.c=$(FUZZ)/obj/%.o) $(TEXTS_O) $(LOOP_O)
FUZZ_FLAGS = -std=c11 $(DEFINES) $(FUZZ_O) -g1 -fsanitize=address,undefined -fno-sanitize-recover=all $(EXACT) \
             -Itests/serial -Itests $(INCLUDES)
$(FUZZ)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call SAY,CLANG)$(CCACHE) $(CLANG) $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link -Wno-psabi -MMD -MP -c $< -o $@
$(FUZZ)/parts.a: $(FUZZED)
	@rm -f $@
	$(call SAY,AR)ar rcs $@ $^
$(FUZZ)/%: %.c $(FUZZ)/parts.a
	@mkdir -p $(@D)
	$(call SAY,CLANG)$(CLANG) $(FUZZ_FLAGS) -fsanitize=fuzzer $< $(FUZZ)/parts.a $(TEST_LINK) $(LIBS) -o $@
.PHONY: fuzzers
fuzzers: $(FUZZ_BIN) ## a libFuzzer program for each parser

# ---- on a GPU -----------------------------------------------------------------------------------------
# On a machine without the libraries: unpack a bundle and say VERIFY=.../bin/sciara_verify.
RECORD ?= tests/gpu/verified/$(shell nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1 | tr ' ' _).txt
VERIFY ?= $(BUILD)/bin/sciara_verify
$(BUILD)/bin/sciara_verify: tests/gpu/verify.c $(VERSION_O) $(BUILD)/parts.a $(CUDA_O)
	@mkdir -p $(@D)
	$(call SAY,CC)$(CCACHE) $(CC) $(ALL_CFLAGS) $(TEST_FLAGS) -c $< -o $(BUILD)/obj/verify.o
	$(call SAY,LINK)$(LINK) $(BUILD)/obj/verify.o $(VERSION_O) $(BUILD)/parts.a $(CUDA_O) $(BUILD)/parts.a $(CUDA_LIB) $(LIBS) -o $@

# tests/study/test_batch.c on a GPU
$(BUILD)/bin/sciara_verify_batch: tests/study/test_batch.c $(BUILD)/parts.a $(CUDA_O)
	@mkdir -p $(@D)
	$(call SAY,CC)$(CCACHE) $(CC) $(ALL_CFLAGS) $(TEST_FLAGS) -DON_GPU -c $< -o $(BUILD)/obj/verify_batch.o
	$(call SAY,LINK)$(LINK) $(BUILD)/obj/verify_batch.o $(BUILD)/parts.a $(CUDA_O) $(BUILD)/parts.a -lcmocka $(CUDA_LIB) $(LIBS) -o $@

.PHONY: verify-gpu check-verified
verify-gpu: $(VERIFY) ## compares every variant on a GPU with the reference, and writes the record
	tools/verify-gpu $(VERIFY) data/etna2006.cfg $(RECORD)

.PHONY: validation benchmark-physics
validation: all $(BUILD)/studies/draw ## docs/validation.md, computed: needs ETNA2001_DIR
	@tools/fetch-etna2006
	studies/validation
benchmark-physics: all $(BUILD)/studies/draw $(BUILD)/studies/lubrication ## docs/benchmarks.md, computed: dam break, sources, obstacles, cooling
	studies/benchmarks

check-verified: ## checks that the record matches the current sources
	@tools/check-verified

# ---- packaging --------------------------------------------------------------------------------------------
# BUNDLE_ROOT=debian11: built in a Debian 11 of its own (root and debootstrap), for machines with an older glibc
# BUNDLE_VERIFY=yes: with sciara_verify, for `make verify-gpu` on a machine that cannot build
BUNDLE_ROOT ?=
BUNDLE_VERIFY ?=
BUNDLE = $(BUILD)/bundle/sciara-$(VERSION)-$(shell uname -m)
CUDA_LICENSE = $(if $(NVCC),$(firstword $(wildcard $(addprefix $(dir $(NVCC))../,EULA.txt dist-info/nvidia_cuda_runtime-*/licenses/License.txt))))
bundle: $(if $(BUNDLE_ROOT),,all) ## a folder and tarball that run on other machines; BUNDLE_ROOT=debian11 for older ones
	$(if $(BUNDLE_ROOT),tools/build-in $(BUNDLE_ROOT) $(BUILD) bundle 'NVCC=$(NVCC)' 'CUDA_ARCH=$(CUDA_ARCH)' 'BUNDLE_VERIFY=$(BUNDLE_VERIFY)',\
		LIBRARY=$(BUILD)/lib/libsciara.so CUDA_LICENSE='$(CUDA_LICENSE)' tools/bundle $(VERSION) $(BUILD)/bundle $(if $(BUNDLE_VERIFY),$(BIN),$(filter-out %/sciara_verify,$(BIN))))

# Of a bundle that was built in the oldest Debian that is still to be had, unless BUNDLE_ROOT says otherwise (BUNDLE_ROOT= here)
wheel: ## a wheel for pip, with the command, the library and all that they need (root and debootstrap)
	@$(MAKE) --no-print-directory 'BUNDLE_ROOT=$(if $(filter file,$(origin BUNDLE_ROOT)),debian11,$(BUNDLE_ROOT))' bundle
	tools/wheel $(BUNDLE) $(BUILD)/wheel $(shell tools/version)

qgis: ## the ZIP of the plug-in for QGIS in $(BUILD)/qgis: docs/qgis.md
	@tools/qgis-plugin $(BUILD)/qgis
.PHONY: qgis

DEB_ROOT ?= debian12 debian13
deb: ## packages for Debian, each built in that Debian (root and debootstrap)
	@for root in $(DEB_ROOT); do tools/build-in $$root $(BUILD) deb || exit 1; done

.PHONY: release
release: ## all that goes with a version, built, packed and tried: DATE=2026-12-31, today if there is none
	NVCC='$(NVCC)' BUILD='$(BUILD)' tools/release $(DATE)

install: all ## to PREFIX (/usr/local): programs, library, manual, completion, example
	@stage=$$(mktemp -d) && trap 'rm -rf "$$stage"' EXIT && \
		$(MAKE) --no-print-directory -s stage STAGE="$$stage" && \
		tools/install-tree install "$$stage" "$(DESTDIR)$(PREFIX)"
uninstall: ## removes from PREFIX what `make install` put there
	@tools/install-tree uninstall "$(DESTDIR)$(PREFIX)"

# What is installed, in the folder STAGE
DOCUMENTS := CHANGELOG.md CITATION.cff LICENSE $(addprefix docs/,formats.md model.md library.md cluster.md example.c)
.PHONY: stage stage-library
stage: stage-library
	install -d $(STAGE)/bin $(STAGE)/share/doc/sciara $(STAGE)/share/sciara/data $(STAGE)/share/sciara/tools
	install -m 755 $(PROGRAMS:%=$(BUILD)/bin/%) $(MPI_BIN) $(STAGE)/bin
	$(if $(SANITIZE),,install -m 755 $(filter-out %/libcudart.so %/libsciara_show.so,$(wildcard $(BUILD)/lib/sciara/lib*)) $(STAGE)/$(LIBDIR)/sciara)
	install -m 644 $(wildcard data/*.cfg data/*.csv) $(STAGE)/share/sciara/data
	install -d $(STAGE)/share/sciara/data/bank $(STAGE)/share/sciara/data/parameters
	install -m 644 $(wildcard data/bank/*.cfg) $(STAGE)/share/sciara/data/bank
	install -m 644 $(PARAMETER_SETS) $(STAGE)/share/sciara/data/parameters
	install -m 755 tools/fetch-etna2006 $(STAGE)/share/sciara/tools
	install -d $(STAGE)/share/doc/sciara/slurm
	install -m 644 $(DOCUMENTS) $(STAGE)/share/doc/sciara
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
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|; s|@LIBS@|$(CUDA_LIB) $(LIBS) -lgomp -lstdc++|' \
		src/library/sciara.pc.in >$(STAGE)/$(LIBDIR)/pkgconfig/sciara.pc
	chmod 644 $(STAGE)/$(LIBDIR)/pkgconfig/sciara.pc

clean: ## removes the build folder
	rm -rf $(BUILD)

format: ## lays out C, CUDA and JavaScript files by clang-format
	tools/check-format --write

# (what only says something needs none)
ifneq ($(filter-out print-% need-% get-% help,$(or $(MAKECMDGOALS),all)),)
-include $(shell find $(BUILD) -path $(BUILD)/roots -prune -o -type f -name '*.d' -print 2>/dev/null)
endif
