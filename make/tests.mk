# Tests: `make test`, `make quick-test`, kernels on an emulator, sanitizers, fuzzers, mutants. What is special about a
# test stands in a line of it (tools/build-marks).

.PHONY: test sanitized
vpath %.c $(addprefix tests/,common input output study program)
TEST_C   := $(notdir $(basename $(wildcard tests/*/test_*.c)))
# With sanitizers alone, which see more, unless the test says `/* run: plain */` or `/* run: plain, sanitized */`.
# THOROUGH=1: all of both kinds, but for test_races, which compiles the kernels as without sanitizers, and its own
# detector.
run_as    = $(notdir $(basename $(call marked,run,$(1))))
PLAIN_TESTS := $(if $(THOROUGH),$(TEST_C),$(filter $(call run_as,plain),$(TEST_C)))
PLAIN_ALONE := $(if $(THOROUGH),test_races,$(filter-out $(call run_as,sanitized),$(call run_as,plain)))
SANITIZED_TESTS := $(filter-out $(PLAIN_ALONE),$(TEST_C))
TEST_BIN := $(PLAIN_TESTS:%=$(BUILD)/tests/%) $(BUILD)/tests/fork_server.so
$(BUILD)/tests/fork_server.so: tests/fork_server.c src/common/base/loaded.h
	@mkdir -p $(@D)
	$(call SAY,CC)$(CC) -std=c11 -O1 -Wall -Wextra $(WERROR) -fPIC -shared $< -ldl -o $@
CMOCKA    = $(call once,CMOCKA,$(find_libraries) --libs quick)
$(BUILD)/cuda_parts.a: $(CUDA_O)
	@rm -f $@
	$(call SAY,AR)ar rcs $@ $^
# The archive of CUDA objects is for tests that ask for a variant by its name.
TEST_CUDA := $(if $(NVCC),$(BUILD)/cuda_parts.a)
TEST_LIBS  = $(if $(NVCC),$(TEST_CUDA) $(BUILD)/parts.a $(CUDA_LIB) -lstdc++)
# (cmocka hands each test a state, which most do not use)
TEST_FLAGS = -Itests
# tests_built WORD: the programs of tests that say `/* build: WORD */`
tests_built = $(patsubst %,$(BUILD)/tests/%,$(notdir $(basename $(filter tests/%,$(call marked,build,$(1))))))
# Of what only asks compiling takes longer than running, but for some; and the linker that takes least is enough.
TEST_O     = -O0 -g1
TEST_LINK := $(if $(shell command -v ld.gold),-fuse-ld=gold)
$(call tests_built,optimized): TEST_O = -O1 -g1
$(BUILD)/tests/%: %.c $(BUILD)/parts.a $(TEST_CUDA) | $(VERSION_O)
	@mkdir -p $(@D)
	$(call SAY,CC)$(CCACHE) $(CC) $(ALL_CFLAGS) $(TEST_FLAGS) $(TEST_O) -MT $@ -c $< -o $@.o
	@$(CC) $(SANITIZE) -fopenmp $@.o $(TEST_OBJECTS) $(VERSION_O) $(BUILD)/parts.a \
		$(TEST_LINK) $(LDFLAGS) $(CMOCKA) $(TEST_LIBS) $(LIBS) -o $@

# Kernels on the CPU: the variants compiled as C++ with tests/emulator in place of CUDA, by GCC, also where clang
# compiles the rest: what clang 14 makes of them ends in a segmentation fault on the emulator's stacks.
EMULATED := $(patsubst %,$(BUILD)/emulated/%.o,$(VARIANTS) $(GPU_HOST) cuda_emulator)
EMULATED_BATCH := $(BATCH:%=$(BUILD)/emulated/%.o)
EMULATE_CXX = $(if $(findstring clang,$(CXX)),g++,$(CXX))
# (these two would take 10 s longer to compile with sanitizers and -O1, for tests that are not quicker)
EMULATE_O  = $(if $(SANITIZE),$(if $(filter resident batch,$(basename $(@F))),-Og,-O1),-O1)
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
ON_SHOW := $(call tests_built,show)
$(ON_SHOW): $(BUILD)/show.a
$(ON_SHOW): ALL_CFLAGS += $(SHOW_CFLAGS)
$(ON_SHOW): TEST_OBJECTS = $(BUILD)/show.a
$(ON_SHOW): TEST_LIBS += $(SHOW_LIBS)
ON_COMMANDS := $(call tests_built,commands)
$(ON_COMMANDS): $(CLI_O)
$(ON_COMMANDS): TEST_OBJECTS = $(CLI_O)
$(ON_COMMANDS): TEST_LIBS += $(if $(SANITIZE),$(SERVE_LIBS))
TECHNIQUES := $(BUILD)/emulated/techniques.o $(BUILD)/emulated/cuda_emulator.o
$(BUILD)/tests/test_techniques: $(TECHNIQUES)
$(BUILD)/tests/test_techniques: TEST_OBJECTS = $(TECHNIQUES)
$(BUILD)/tests/test_techniques: TEST_LIBS = -lstdc++
ON_EMULATOR := $(call tests_built,emulator)
ON_BATCH := $(call tests_built,batch)
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
.SECONDEXPANSION:
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

# Where nothing is compiled yet and nobody asked for generations: for one. (All lines of a recipe are expanded before
# the first is run.)
NOT_COMPILED  = $(if $(wildcard $(BUILD)/cuda),$(wildcard $(ONE_GENERATION)),none)
TEST_ARCH     = $(if $(and $(NVCC),$(EVERY_GENERATION),$(NOT_COMPILED)),$(or $(MY_GPU),90))
ARCH_OF_TESTS = $(if $(TEST_ARCH),CUDA_ARCH=$(TEST_ARCH))
test: get-test ## installs what is missing, builds and runs every test that needs no GPU
	@$(if $(TEST_ARCH),mkdir -p $(BUILD)/cuda && touch $(ONE_GENERATION))
	@$(MAKE) --no-print-directory $(JOBS) $(found) $(ARCH_OF_TESTS) $(BIN) $(LIBRARIES) $(TEST_BIN) $(BUILD)/studies/draw \
		$(if $(SHOW),$(BUILD)/plain/libsciara_core.so)
	@$(if $(NVCC),,echo "no nvcc found: built the CPU part, skipped $(VARIANTS)")
	@$(ARCH_OF_TESTS) BUILD="$(BUILD)" CLANG="$(CLANG)" tools/run-tests

# An answer in less than a minute: tests that say `/* run: quick */`, on what `make` has built; where it has built
# nothing, on the CPU part. ROOM=study/verify: those of a room of src
QUICK_MARKED = $(patsubst %.c,%,$(notdir $(call marked,run,quick)))
QUICK_TESTS := $(if $(ROOM),$(shell tools/run-tests --names $(ROOM)),$(QUICK_MARKED))
QUICK_BIN    = $(patsubst %,$(BUILD)/tests/%,$(filter-out %.sh,$(QUICK_TESTS)) fork_server.so)
QUICK_NVCC   = $(if $(wildcard $(CUDA_O)),$(NVCC))
make_quick   = --no-print-directory NVCC='$(QUICK_NVCC)' quick-programs
.PHONY: quick-test quick-programs
quick-test: need-quick ## tests of each room that take seconds; ROOM=study/verify: those of a room
	@$(if $(QUICK_TESTS),,exit 2)
	@files=$$($(MAKE) $(make_quick) -n 2>/dev/null | \
		sed -nE "s/.*printf .  %-5s %s.n. .(CC|CXX|NVCC). '([^']*)'.*/\2/p"); \
		[ -z "$$files" ] || { echo "compiles first:" && \
		echo "$$files" | sed 's|^$(BUILD)/||' | paste -s -d ' ' | fold -s -w 120 | sed 's/^/    /'; }
	@$(MAKE) $(make_quick) $(JOBS)
	@BUILD="$(BUILD)" tools/run-tests $(QUICK_TESTS)
quick-programs: $(PROGRAMS:%=$(BUILD)/bin/%) $(filter-out %.a,$(LIBRARIES)) $(QUICK_BIN)

# Whether tests see mistakes in kernels, statistics, emission and search: all of tests/mutants
.PHONY: mutants
mutants: need-test ## whether tests see mistakes in kernels and above them; hours
	@BUILD="$(BUILD)" tools/mutants

# The CPU part and the tests once more, with AddressSanitizer and UBSan: for tools/run-tests. Most takes longer to
# compile than to run, and is not optimized unless it says `/* build: optimized */`; programs that lie where they are
# linked to start in half the time, and so nothing in them is PIC. What `make` has compiled with warnings is compiled
# here without, in a tenth less.
OPTIMIZED_O := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter src/%,$(call marked,build,optimized)))
$(OPTIMIZED_O): override COLD =
ifneq ($(COLD),)
$(BUILD)/obj/src/%.o: WARN =
endif
# (tests ask for GCC's macro)
SANITIZERS = -fsanitize=address,undefined -fno-sanitize-recover=all \
             $(if $(findstring clang,$(CC)),-D__SANITIZE_ADDRESS__)
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
sanitized-programs: $(addprefix $(BUILD)/bin/,sciara sciara_reference) $(REPLAYS) \
		$(SANITIZED_TESTS:%=$(BUILD)/tests/%) $(BUILD)/tests/fork_server.so

# ---- fuzzers: seeds in tests/corpus/NAME --------------------------------------------------------------------------
# FUZZ_O=-O0 takes a third of the time to build: for the seconds of tools/run-tests
FUZZ     := $(BUILD)/fuzz
FUZZ_O   := -O1
FUZZ_BIN := $(FUZZERS:%=$(FUZZ)/%)
# Without OpenMP, which clang may lack: on one thread. The loop is not what is looked at, nor is what only writes.
FUZZ_C   := src/library/version.c $(filter-out src/program/bench/% src/input/terrain/% src/study/pairs/% \
            %_study.c %_tables.c,$(COMMON_C))
FUZZED   := $(FUZZ_C:%.c=$(FUZZ)/obj/%.o) $(TEXTS_O) $(LOOP_O)
# Clang does not define __SANITIZE_ADDRESS__ itself, as GCC does.
FUZZ_FLAGS = -std=c11 $(DEFINES) $(FUZZ_O) -g1 -D__SANITIZE_ADDRESS__ -fsanitize=address,undefined \
             -fno-sanitize-recover=all $(EXACT) -Itests/serial -Itests $(INCLUDES)
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

