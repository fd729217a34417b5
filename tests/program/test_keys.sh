#!/bin/bash
# test_keys.sh — `sciara help keys`, and the tables of docs/formats that are printed from the same schemas.
# tests: program/options
. tests/check.sh

needs_sciara

call help keys
check "all sections are listed" [ "$(grep -c '^[a-z].*:$' "$work/stdout")" -ge 12 ]
check "... with the parameters of the model" says '^  Pclock +length of a step \[0.001 to 1e6 s; Etna 2006: 120\]$'
check "... with units, ranges and defaults" says '^  terrain_error_m +standard deviation'
check "... with choices" says 'random, latin or sobol; default: `random`\]$'
check "... with the form of a value" says '^  vary_NAME DISTRIBUTION$'
check "no line is longer than a terminal" [ -z "$(awk 'length > 81' "$work/stdout")" ]
drawn=$(sed -n '/^  vary_NAME/,/^  correlation/p' "$work/stdout")
for name in $(sed -n '/^| name | meaning | unit/,/^$/s/^| \(`[^|]*`\) | .*/\1/p' docs/formats/plans.md | tr -d '`,'); do
    check "... and what a plan can draw: $name" grep -q "\`$name\`" <<<"$drawn"
done
fitted=$(sed -n '/^  fit_NAME/,/^  outline_weight/p' "$work/stdout")
for name in rate_factor duration_factor vent_east_m vent_north_m terrain_error_m terrain_error_length_m log; do
    check "... and what a calibration can fit: $name" grep -q "\`$name\`" <<<"$fitted"
done

check "docs/formats has the tables of the program (tools/key-tables)" tools/key-tables --check "$sciara"
sed -n 's/^  \([A-Za-z_]*[a-z]\) .*/\1/p' "$work/stdout" | sort -u >"$work/keys"
check "there are keys" [ "$(wc -l <"$work/keys")" -gt 100 ]
for pages in docs/formats.md 'docs/formats/*.md'; do
    # shellcheck disable=SC2086 # a pattern
    sed -n 's/^| `\([A-Za-z_]*[a-z]\)\( [^`]*\)\?` |.*/\1/p' $pages | sort -u >"$work/named"
    check "$pages: all keys" [ -z "$(comm -23 "$work/keys" "$work/named")" ]
done

refused 2 "a list of formats" 'help: formats has no man page, completion or options' help formats --options
refused 2 "a man page of the keys" 'help: keys has no man page' help keys --man

report
