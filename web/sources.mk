# The sources of the engine of the page that needs no program: the rules of a case, the CPU loop and what `sciara serve`
# answers. make/web.mk includes this file. What they call of libraries is in absent.c.
web_part = $(addprefix $(1)/,$(addsuffix .c,$(2)))
WEB_SRC := \
    $(filter-out %/sobol.c,$(wildcard web/*.c)) \
    $(BUILD)/parameter_texts.c $(BUILD)/words_texts.c \
    $(filter-out %/loops.c %/own_library.c,$(wildcard $(foreach room,base model sim,src/common/$(room)/*.c))) \
    $(wildcard src/reference/*.c) \
    $(filter-out %/archive.c %/sql.c %/packed.c,$(wildcard src/input/text/*.c)) \
    $(wildcard src/input/case/*.c src/input/eruption/*.c src/input/drawing/*.c) \
    $(call web_part,src/input/raster,asciigrid datum heights marks raster tiff_band utm) \
    $(call web_part,src/input/vector,areas build csv_lines draw_cells geojson vectors) \
    $(call web_part,src/input/terrain,terrain) \
    $(call web_part,src/record,colours json_number legends map_background pack page_parts probability record roundnum) \
    $(call web_part,src/record,runfolder) \
    $(call web_part,src/output/compare,lava_extent outline) \
    $(call web_part,src/output/isochrones,isochrones) \
    $(call web_part,src/output/products,files made_by summary) \
    $(call web_part,src/output/restart,identity restart) \
    $(call web_part,src/output/run,output output_folder output_layers output_previous output_warnings) \
    $(filter-out %/dem_case.c,$(wildcard src/study/draft/*.c src/study/random/*.c src/study/plan/*.c)) \
    $(call web_part,src/study/ensemble,batch_missing member_run report) \
    $(call web_part,src/study/members,axis ensemble statistics) \
    $(call web_part,src/study/pairs,pairs) \
    $(call web_part,src/study/study,study) \
    $(call web_part,src/study/verify,domain) \
    $(call web_part,src/library,background case changing common simulation snapshot variants version) \
    $(call web_part,src/program/serve,answers drawn frames ground run_stream save session study_stream)
