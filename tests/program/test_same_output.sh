#!/bin/bash
# test_same_output.sh — tools/same-output finds no difference between a program and itself, and one cell that differs.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: none
. tests/check.sh
needs_sciara
needs "python3 is not installed" command -v python3
unset ETNA2006_DIR

# one: a script that calls the program (the commit in its version stays). other: the same, but the thickness that a run leaves has another byte, and a run prints another text
cat >"$work/other" <<END
#!/bin/sh
"$sciara" "\$@"
status=\$?
if [ "\$1" = run ] && [ -e run/total_thickness_m_000120.tif ]; then
    printf x | dd of=run/total_thickness_m_000120.tif bs=1 seek=900 conv=notrunc status=none
    echo more
fi
exit \$status
END
sed '/^if/,/^fi/d' "$work/other" >"$work/one"
chmod +x "$work/one" "$work/other"

keep tools/same-output "$sciara" "$sciara" '^(compare|list)$'
check "a program and itself" exits 0
check "... are equal, with what these commands need" says '^equal: 5 commands, [1-9][0-9]+ files'
keep tools/same-output "$work/one" "$work/other" '^run$'
check "another program" exits 1
check "... the file that differs is named" says '^run/total_thickness_m_000120\.tif: byte 900 '
check "... and no other" says '^different: 1 places; 2 commands'
keep tools/same-output "$work/one" "$work/other" '^run$' --texts
check "--texts compares what is printed" says '^printed/run\.out: line '
# moved and drawn: other cells; another picture
sed 's/printf x .*/cp run\/total_thickness_m_000240.tif run\/total_thickness_m_000120.tif/' "$work/other" >"$work/moved"
sed 's/printf x .*/echo >>run\/map_000120.png/' "$work/other" >"$work/drawn"
chmod +x "$work/moved" "$work/drawn"
keep tools/same-output "$work/one" "$work/moved" '^run$' --values
check "--values finds cells that differ" says '^run/total_thickness_m_000120\.tif: byte '
keep tools/same-output "$work/one" "$work/drawn" '^run$' --values
check "... and passes over pictures" exits 0
keep tools/same-output "$sciara" "$work/nowhere"
check "a program that is not there" complains 'nowhere: not a program; build it first'
report
