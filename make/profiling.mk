# Measuring and verifying on a GPU.

# ---- measuring: CASE, STEPS, REPEAT; further options of `sciara benchmark` in OPTIONS -----------------------------
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
DRIVERS := $(basename $(call marked,build,simulator))
$(DRIVERS:%=$(BUILD)/%.o): $(BUILD)/%.o: %.cu
	@mkdir -p $(@D)
	$(call SAY,NVCC)$(CCACHE) $(NVCC) $(NVCC_FLAGS) -c $< -o $@
$(DRIVERS:%=$(BUILD)/%): %: %.o $(BUILD)/parts.a $(CUDA_O) | $(VERSION_O)
	$(call SAY,LINK)$(LINK) $^ $(VERSION_O) $(BUILD)/parts.a $(CUDA_LIB) $(LIBS) -o $@
measuring-programs: $(if $(NVCC),$(MEASURING))

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
	@$(if $(NVCC),echo "$(SHAPED)" > $(BUILD)/block_sweep/variants)
	@$(if $(NVCC),,echo "no nvcc found: no programs for profiling/block_sweep")

MEASURED := ceilings patterns coalescing profile roofline techniques parts blocks
profile: all measuring-programs block-sweep-programs $(BUILD)/studies/draw ## measures a GPU, and the variants on it
	@[ "$(CASE)" != data/etna2006.cfg ] || tools/fetch-etna2006
	tools/measure-gpu $(BUILD)/profiling-results $(BUILD) $(MEASURED)

# ---- the bits on a GPU --------------------------------------------------------------------------------------------
# On a machine without the libraries: unpack a bundle and say VERIFY=.../bin/sciara_verify.
GPU_NAME = $(shell nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1 | tr ' ' _)
RECORD ?= tests/gpu/verified/$(GPU_NAME).txt
VERIFY ?= $(BUILD)/bin/sciara_verify
$(BUILD)/bin/sciara_verify: tests/gpu/verify.c $(VERSION_O) $(BUILD)/parts.a $(CUDA_O)
	@mkdir -p $(@D)
	$(call SAY,CC)$(CCACHE) $(CC) $(ALL_CFLAGS) $(TEST_FLAGS) -c $< -o $(BUILD)/obj/verify.o
	$(call SAY,LINK)$(LINK) $(BUILD)/obj/verify.o $(VERSION_O) $(BUILD)/parts.a $(CUDA_O) $(BUILD)/parts.a \
		$(CUDA_LIB) $(LIBS) -o $@

# tests/study/test_batch.c on a GPU
$(BUILD)/bin/sciara_verify_batch: tests/study/test_batch.c $(BUILD)/parts.a $(CUDA_O)
	@mkdir -p $(@D)
	$(call SAY,CC)$(CCACHE) $(CC) $(ALL_CFLAGS) $(TEST_FLAGS) -DON_GPU -c $< -o $(BUILD)/obj/verify_batch.o
	$(call SAY,LINK)$(LINK) $(BUILD)/obj/verify_batch.o $(BUILD)/parts.a $(CUDA_O) $(BUILD)/parts.a \
		-lcmocka $(CUDA_LIB) $(LIBS) -o $@

.PHONY: verify-gpu check-verified
verify-gpu: $(VERIFY) ## compares every variant on a GPU with the reference, and writes the record
	tools/verify-gpu $(VERIFY) data/etna2006.cfg $(RECORD)
check-verified: ## checks that the record matches the current sources
	@tools/check-verified
