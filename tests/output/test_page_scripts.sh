#!/bin/bash
# test_page_scripts.sh — functions of the scripts of pages, in node without a browser: what they say of numbers, and what they
# make of tables, places and texts.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: show/page
. tests/check.sh
needs "no node to run scripts of pages" command -v node
check "a page says each probability and arrival with its range as the program does" node tests/output/probabilities_check.js "$build"
check "tables, places and texts of a page" node tests/output/page_scripts_check.js "$build"
report
