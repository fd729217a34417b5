# `make web`: the page that needs no program, with an engine in WebAssembly, by emscripten, and an npm package of it.
#
# Headers of libraries are the machine's, behind emscripten's own. SIMD of 128 bits, which rounds as everywhere; not the
# relaxed one, and nothing that emscripten would download. Files are compiled by emscripten's clang itself, with the
# flags of emcc, which takes longer to start than clang to compile.
EMCC       ?= NODE_PATH=/usr/share/nodejs emcc# a node that is not Debian's looks elsewhere
WEB        := $(BUILD)/web
WEB_LLVM    = $(call once,WEB_LLVM,em-config LLVM_ROOT)
# (an emscripten that has no such word answers with its own path)
WEB_VERSION = $(call once,WEB_VERSION,em-config CLANG_ADD_VERSION 2>/dev/null)
WEB_CFLAGS  = $(call once,WEB_CFLAGS,$(EMCC) --cflags)
WEB_CC      = $(CCACHE) $(WEB_LLVM)/clang$(addprefix -,$(filter-out %.py,$(WEB_VERSION))) $(WEB_CFLAGS)
WEB_ARCH    = $(call once,WEB_ARCH,$(CC) -print-multiarch)
-include web/sources.mk

WEB_O    := $(WEB_SRC:%.c=$(WEB)/obj/%.o)
# (\x28 is an opening bracket)
WEB_CALL  = s/^[a-z].*[ *]\(\(engine\|page\)_[a-z_]*\)\x28.*/_\1/p
WEB_CALLS = _malloc,_free,$(shell sed -n '/^static/d; $(WEB_CALL)' web/*.c | paste -s -d ,)
$(WEB)/obj/src/reference/loop.o: WEB_FLAGS = -O3 $(LOOP_FLAGS_generic) -DLOOP=reference_steps_generic
$(WEB)/obj/web/absent.o: $(WEB)/sobol.h
$(WEB)/sobol.h: web/sobol.c
	@mkdir -p $(@D)
	@$(CC) $(INCLUDES) $(DEFINES) $< -lgsl -lgslcblas -lm -o $(WEB)/sobol && $(WEB)/sobol >$@
$(WEB)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call SAY,EMCC)$(WEB_CC) -std=c11 $(DEFINES) -O2 -msimd128 $(WEB_FLAGS) -ffp-contract=off -fno-fast-math \
		-ffunction-sections -fdata-sections -Wall -Wno-unknown-pragmas $(CLANG_WARN) -MMD -MP \
		-I$(WEB) -Iinclude $(ROOMS) $(LIBRARY_CFLAGS) -idirafter /usr/include/$(WEB_ARCH) \
		-idirafter /usr/include -c $< -o $@
$(WEB)/sciara-engine.js: $(WEB_O)
	$(call SAY,EMCC)$(EMCC) -O2 -msimd128 --no-entry -sMODULARIZE -sEXPORT_NAME=createSciaraEngine \
		-sENVIRONMENT=node,web,worker -sFORCE_FILESYSTEM -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0 \
		-sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sEXPORTED_FUNCTIONS=$(WEB_CALLS) \
		-sEXPORTED_RUNTIME_METHODS=FS,ccall -Wl,--gc-sections $^ -o $@

# The page is that of `sciara serve` with the engine in workers, which also read GeoTIFF where npm has what does (MIT
# licence); without it the page says so.
WEB_WORKER = $(WEB)/sciara-engine.js $(WEB)/geotiff.js web/terrain.js web/worker.js
# with_licence ARCHIVE,LICENCE,SCRIPT: a script of an npm archive below its licence
with_licence = echo "/*" && tar -xzf $(1) -O package/$(2) && echo "*/" && tar -xzf $(1) -O package/$(3) && echo
$(WEB)/geotiff.js:
	@mkdir -p $(@D)
	@cd $(WEB) && timeout 60 npm pack geotiff@2.1.3 proj4@2.15.0 --loglevel=error >/dev/null 2>&1 && \
		{ $(call with_licence,geotiff-*.tgz,LICENSE,dist-browser/geotiff.js) && \
		$(call with_licence,proj4-*.tgz,LICENSE.md,dist/proj4.js); } >geotiff.js.new && \
		rm geotiff-*.tgz proj4-*.tgz || \
		{ echo "npm is not reachable: the page will read no GeoTIFF, only ESRI ASCII grids" && : >geotiff.js.new; }
	@mv $@.new $@
$(WEB)/sciara.html: $(SERVE_FRAME) src/show/page/map.html $(SHARED_SCRIPTS) $(WEB_SCRIPTS) $(WEB_WORKER) \
		tools/report-texts tools/text-as-c
	@grep -hv '^//# sourceMappingURL' $(WEB_WORKER) >$(WEB)/worker.js
	@tools/report-texts html $(SERVE_FRAME) $(SHARED_SCRIPTS) $(WEB_SCRIPTS) \
		wasm=$(WEB)/sciara-engine.wasm worker=$(WEB)/worker.js >$@.new && mv $@.new $@

.PHONY: web
web: $(WEB)/sciara-engine.js $(WEB)/sciara.html ## builds the page that needs no program, and its engine for node
	@cp web/sciara.js web/sciara.d.ts web/README.md LICENSE $(WEB)
	@sed 's/VERSION/$(VERSION)/' web/package.json >$(WEB)/package.json
