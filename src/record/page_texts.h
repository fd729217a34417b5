/* page_texts.h — text files of src/show/page, compiled into the program by tools/report-texts: of report.html, and of the page of
 * `sciara serve`. A page is top, the content of <title>, "</title>\n<style>", style, "</style>\n", bottom, its facts as JSON in
 * <script type="application/json" id="facts">, and script. */
#pragma once

extern const char page_style[], page_script[], page_top[], page_bottom[];
extern const char serve_style[], serve_script[], serve_top[], serve_bottom[];
