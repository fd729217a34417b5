# What a report.html, the page of `sciara serve` and the page of `make web` consist of, in this order: of the scripts
# later ones use earlier ones. The Makefile includes this file; tools/check-scripts reads its lists.
page_file = $(addprefix src/show/page/,$(1))

REPORT_FRAME   := $(call page_file,report.html report.css)
SERVE_FRAME    := $(call page_file,serve.html report.css serve.css)

SHARED_SCRIPTS := $(BUILD)/words_table.js \
                  $(call page_file,words.js data.js colours.js scene.js view.js charts.js tables.js map.js)
REPORT_SCRIPTS := $(call page_file,main.js)
# (what the page of `sciara serve` and that of `make web` have in common)
DRAWN_SCRIPTS  := $(call page_file,serve_terrain.js serve_stream.js serve_drawing.js serve_refusals.js serve_tools.js \
                  serve_typed.js serve_rates.js serve_many.js serve_forecast.js serve_compare.js serve_main.js)
SERVE_SCRIPTS  := $(call page_file,serve_engine.js serve_send.js serve_files.js) $(DRAWN_SCRIPTS)
WEB_SCRIPTS    := $(call page_file,web_engine.js web_export.js) $(DRAWN_SCRIPTS)
