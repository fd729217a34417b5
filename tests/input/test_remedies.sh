#!/bin/bash
# test_remedies.sh — the commands that messages, README and docs propose: each is executed on files that
# provoke it, and what comes out is compared with what went in (remedies.py). THOROUGH=1: more kinds of each.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: input/raster
. tests/check.sh
needs_sciara
for program in gdalwarp gdal_translate gdal_edit.py ogr2ogr iconv; do needs "there is no $program" command -v $program; done
needs "there is no Python package of GDAL" /usr/bin/python3 -c 'from importlib.util import find_spec as found; assert found("numpy") and found("osgeo")'
cd "$work" || exit 1
# (GDAL's own notes on the files that are made here)
check "every command that can be read is right" /usr/bin/python3 "$root/tests/input/remedies.py" "$sciara" "$root" 2>/dev/null
report
