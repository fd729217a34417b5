/* page_texts.h — the text files of src/show/page for report.html and for the page of `sciara serve`, which tools/report-texts
 * compiles into the program. A page consists of top, the content of <title>, "</title>\n<style>", style, "</style>\n", bottom,
 * its facts as JSON in <script type="application/json" id="facts">, and script. */
#pragma once

extern const char page_style[], page_script[], page_top[], page_bottom[];
extern const char serve_style[], serve_script[], serve_top[], serve_bottom[];
