# The manual: pages of docs and the help of each command in HTML, with a search, and man pages.
.PHONY: manual
manual: need-manual $(BUILD)/bin/sciara ## the manual in $(BUILD)/manual: html/index.html, with a search, and man pages
	tools/manual $(BUILD)
	LD_LIBRARY_PATH=$(BUILD)/lib/sciara tools/write-manual $(BUILD)/bin/sciara $(BUILD)/manual/share
