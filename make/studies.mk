# What pages of docs are computed by.

# Diagrams of the pages of studies and of performance
$(BUILD)/studies/draw: studies/draw.c $(BUILD)/parts.a $(CUDA_O) | $(SHOW_SO)
	@mkdir -p $(@D)
	$(call SAY,CC)$(CCACHE) $(CC) $(ALL_CFLAGS) -c $< -o $(BUILD)/obj/draw.o
	$(call SAY,LINK)$(LINK) $(BUILD)/obj/draw.o $(BUILD)/parts.a $(CUDA_O) $(BUILD)/parts.a $(CUDA_LIB) $(LIBS) -o $@

$(BUILD)/studies/lubrication: studies/lubrication.c
	@mkdir -p $(@D)
	$(call SAY,CC)$(CC) $(WARN) -std=c11 -O3 $< -lm -o $@

.PHONY: validation benchmark-physics notebook
validation: all $(BUILD)/studies/draw ## docs/validation.md, computed: needs ETNA2001_DIR
	@tools/fetch-etna2006
	studies/validation
PHYSICS := $(addprefix $(BUILD)/studies/,draw lubrication)
benchmark-physics: all $(PHYSICS) ## docs/benchmarks.md, computed: dam break, sources, obstacles, cooling
	studies/benchmarks
notebook: all ## computes docs/python.ipynb again
	tools/fetch-etna2006
	BUILD="$(BUILD)" tools/notebook
