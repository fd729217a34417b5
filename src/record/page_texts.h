/* page_texts.h — the files of src/show/page that make report.html and the page of `sciara serve`. tools/report-texts
 * compiles them into the program. A page consists of top, the content of <title>, "</title>\n<style>", style,
 * "</style>\n", bottom, its facts as JSON in <script type="application/json" id="facts">, and script. */
#pragma once

extern const char page_style[], page_script[], page_top[], page_bottom[];
extern const char serve_style[], serve_script[], serve_top[], serve_bottom[];
