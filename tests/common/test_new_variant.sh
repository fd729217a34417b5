#!/bin/bash
# test_new_variant.sh — a folder and one word in the Makefile are all that a new CUDA variant takes: in a copy of the
# tree, the text of tiled becomes `tiled32`. No GPU is needed, and nvcc only for the program of its own. Run from the
# root of the repository, with BUILD naming the build folder, whose objects spare the copy most of the compiling.
# tests: none
. tests/check.sh

call() { "$@" >"$work/log" 2>&1; code=$?; }
exits() { [ "$code" = "$1" ] || { echo "exit status $code:" && tail -n 20 "$work/log" && false; }; }
has() { grep -Eq -- "$1" "$work/log" || { tail -n 20 "$work/log" && false; }; }
lists=(EMULATED_SHAPES TEST_SHAPES SWEEP_O SWEEP_SHAPES PROGRAMS VARIANTS)
# names LIST PATTERN: how many words of a list of the Makefile's, which write_lists has written
write_lists() { paste <(printf '%s\n' "${lists[@]}") <(make -s NVCC=nvcc "${lists[@]/#/print-}") >"$work/lists"; }
names() { sed -n "s/^$1\t//p" "$work/lists" | tr ' ' '\n' | grep -c "$2"; }

call grep -rnw tiled_halo Makefile make tools profiling/profile profiling/block_sweep src/common src/program tests/*.sh tests/*/*.sh tests/gpu/verify.c
check "a variant is named in one list" [ "$(grep -cv "^tests/common/test_new_variant.sh:" "$work/log")" = 1 ]
check "... which is in the Makefile" has '^Makefile:[0-9]+:VARIANTS := .* tiled_halo '

cp -Rp Makefile make include src tests tools "$work"
mkdir "$work/build"
for part in obj emulated cuda gdal netcdf shared variants built-variants parameter_list parameter_texts.c page_texts.c serve_texts.c words_texts.c complete_texts.c words_table.js; do
    if [ -e "$build/$part" ]; then cp -Rp "$build/$part" "$work/build"; fi
done
cd "$work" || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL BUILD
nvcc=$(make -s print-NVCC)

# ---- a folder and a word
mkdir src/tiled32
{
    printf '#ifndef SCIARA_BLOCK_COLS\n#define SCIARA_BLOCK_COLS 32\n#define SCIARA_BLOCK_ROWS 8\n#endif\n'
    sed 's/\.steps_per_ms = [0-9]*,//; s/BLOCK_VARIANT(tiled, "16 x 16/BLOCK_VARIANT(tiled32, "32 x 8/' src/tiled/tiled.cu
} >src/tiled32/tiled32.cu
sed -i 's/^VARIANTS := .*/& tiled32/' Makefile
write_lists
check "the Makefile has its lists" [ "$(grep -c . "$work/lists")" = ${#lists[@]} ]
call make NVCC= build/tests/test_variants
check "tests of the kernels are built with it" exits 0
TEST_FILTER="tiled32: *" call build/tests/test_variants
check "... and pass" exits 0
for what in "same bits" "stops alike" "side by side"; do
    check "... it among them: $what" has "OK \] tiled32: $what"
done
check "it is compiled for other shapes of a block, for tests" [ "$(names EMULATED_SHAPES '/tiled32.o')" = "$(names TEST_SHAPES x)" ]
check "... and for measurements" [ "$(names SWEEP_O '/tiled32.o')" = "$(names SWEEP_SHAPES x)" ]
check "... as resident is not" [ "$(names SWEEP_O '/resident.o')" = 0 ]
check "tests of variants are those of its folder" [ "$(tools/run-tests --names tiled32)" = "$(tools/run-tests --names tiled)" ]
check "the digest of sources has it" [ "$(tools/source-digest)" != "$(cd "$OLDPWD" && tools/source-digest)" ]

call make NVCC= build/bin/sciara build/bin/sciara_tiled32 build/lib/sciara/libsciara_show.so
check "the simulator is built without nvcc" exits 0
call build/bin/sciara variants
check "... and names it" has '^  tiled32 +-  not built'
call build/bin/sciara variants --json
check "... in JSON, too" has '"name":.*"tiled32"'
build/bin/sciara terrain case --size 30 --quiet
call build/bin/sciara run case/volcano.cfg 3 --no-output --variant tiled32
check "... and says what it needs" has 'tiled32: was not built into this program \(building it needs nvcc\)'
call build/bin/sciara_tiled32 case/volcano.cfg 3 --no-output
check "... as its own program does" has 'tiled32: was not built into this program \(building it needs nvcc\)'
call build/bin/sciara benchmark case/volcano.cfg 3 --repeat 1 --threads 1 --domain lava --output out
check "... and looks for it in a benchmark" has 'not measured.*[ ,]tiled32'

# ---- its own program
check "a program of its own is made" [ "$(names PROGRAMS '^sciara_tiled32$')" = 1 ]
if [ -n "$nvcc" ]; then
    call make CUDA_ARCH=80 build/bin/sciara build/bin/sciara_tiled32 # what is there already is of other generations
    check "... with nvcc" exits 0
    check "... and known by the scripts" [ "$(tools/built-variants | paste -s -d ' ')" = tiled32 ]
    call build/bin/sciara_tiled32 case/volcano.cfg --variant tiled32
    check "... and is that variant" has "\-\-variant"
    call build/bin/sciara variants
    check "the simulator has it then" has '^. tiled32 +117  32 x 8 tiles'
    check "... after all that have been measured" [ "$(grep '^. [a-z]' "$work/log" | tail -n 1 | cut -d ' ' -f 2,3)" = ' tiled32' ]
else
    skip "a command of its own: there is no nvcc"
fi

# ---- what is wrong is noticed
sed -i 's/gpu_gather_flow(&v, at, T,/gpu_gather_flow(\&v, at, 0.5 * T,/' src/tiled32/tiled32.cu
check "a factor is wrong" grep -q "0.5 \* T" src/tiled32/tiled32.cu
call make NVCC= build/tests/test_variants
check "... and compiles" exits 0
TEST_FILTER="*: same bits" call build/tests/test_variants
check "... and tests fail" [ "$code" != 0 ]
check "... with its name" has "FAILED  \] tiled32: same bits"
check "... and nobody else's" [ "$(grep -o 'FAILED  \] .*: same bits' "$work/log" | sort -u | wc -l)" = 1 ]
check "... beside all the others" [ "$(grep -c 'OK \] .*: same bits' "$work/log")" = $(($(names VARIANTS .) - 1)) ]

report
