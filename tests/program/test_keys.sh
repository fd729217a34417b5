#!/bin/bash
# test_keys.sh — `sciara help keys`, and the tables of docs/formats.md that are printed from the same schemas.
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
for name in $(sed -n '/^| name | meaning | unit/,/^$/s/^|\( `.*`\) | .*/\1/p' docs/formats.md | tr -d '`,'); do
    check "... and what a plan can draw: $name" grep -q "\`$name\`" <<<"$drawn"
done

tools/key-tables "$sciara" >"$work/formats.md"
check "docs/formats.md has the tables of the program (tools/key-tables)" cmp "$work/formats.md" docs/formats.md
for key in $(sed -n 's/^  \([A-Za-z_]*[a-z]\) .*/\1/p' "$work/stdout"); do
    check "docs/formats.md has $key" grep -q "^| \`$key\( [^\`]*\)\?\` |" docs/formats.md
done

refused 2 "a list of formats" 'help: formats has no man page, completion or options' help formats --options
refused 2 "a man page of the keys" 'help: keys has no man page' help keys --man

report
