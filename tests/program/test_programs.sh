#!/bin/bash
# test_programs.sh — each program has its own variants and no others, the core has none but the reference, and what one
# program needs of the core is all that it shows. Where kernels were built, those of a program are byte for byte those that were
# compiled from src/NAME/NAME.cu. Run from the root of the repository, with BUILD naming the build folder.
# tests: program/late, show/paint
. tests/check.sh
needs_sciara

bin=$(dirname "$sciara")
variants=$(make -s --no-print-directory print-VARIANTS)
built=$(sed 's/.*built: reference *//' "$build/variants")
check "there are variants" [ "$(wc -w <<<"$variants")" -ge 5 ]
check "... all of them built, or none" [ "$built" = "$variants" -o ! "$built" ]

defined() { nm --defined-only "$1" | awk '{ print $NF }'; }
tables() { defined "$1" | sed -n 's/^variant_\(reference\|'"${variants// /\\|}"'\)$/\1/p' | paste -s -d ' '; }
sorted() { tr ' ' '\n' <<<"$1" | sort | paste -s -d ' '; }
same_kernels() { # same_kernels PROGRAM OBJECT
    objcopy -O binary --only-section=.nv_fatbin "$1" "$work/here" && objcopy -O binary --only-section=.nv_fatbin "$2" "$work/there" &&
        [ -s "$work/there" ] && cmp "$work/here" "$work/there"
}
calls_core() { readelf -d "$1" | grep -q 'NEEDED.*libsciara_core\.so'; }

for name in reference $variants; do
    program=$bin/sciara_$name
    own=$name
    [[ " $built " = *" $name "* ]] || own=''
    check "sciara_$name is a program" [ -f "$program" -a ! -L "$program" ]
    check "... that needs the core" calls_core "$program"
    check "... and has its variant alone" [ "$(tables "$program")" = "$own" ]
    [ "${own:-reference}" = reference ] || check "... whose kernels are those of $name.cu" same_kernels "$program" "$build/cuda/$name.o"
done
check "sciara has all that were built" [ "$(sorted "$(tables "$sciara")")" = "$(sorted "$built")" ]
check "the core has the reference" [ "$(tables "$core")" = reference ]
if [ "$built" ]; then
    kernels() { strings -a "$1" | grep -E '^_Z[0-9]+[A-Za-z_]+[0-9]+(gpu|resident|batch)_view' | sort -u; }
    check "kernels have names" [ "$(kernels "$sciara" | wc -l)" -ge 8 ]
    check "... which a program calls: no step is in the core" [ -z "$(comm -12 <(kernels "$sciara") <(kernels "$core"))" ]
    check "... and kernels that all need are there" grep -q end_segment <(kernels "$core")
fi

shown() { nm -D --defined-only "$core" | awk '$2 != "A" { print $3 }' | sort -u; }
called() { nm -D --undefined-only "$bin"/sciara "$bin"/sciara_* $(ls "${core%/*}/libsciara_serve.so" 2>/dev/null) | awk 'NF == 2 { sub(/@.*/, "", $2); print $2 }' | sort -u; }
check "the core shows something" grep -qx program_main <(shown)
check "... and all of it is called by some program" [ -z "$(comm -13 <(called) <(shown))" ]
check "libsciara.so does not need it" fails calls_core "$build/lib/libsciara.so"

# Numbers of cells at once for which the loop on processors would have other bits are not compiled.
lanes() { printf "#include \"model/lanes.h\"\n" | ${CC:-cc} -std=c11 -Isrc/common -fsyntax-only -x c "$@" - 2>"$work/log"; }
check "two cells at once compile for any processor" lanes -DSCIARA_LANES=2
refused() { ! lanes -DSCIARA_LANES="$@" && grep -q 'SCIARA_LANES is 2' "$work/log"; }
for count in 3 4 8; do check "... $count do not" refused $count; done
if [ "$(uname -m)" = x86_64 ]; then
    check "... four with AVX2 and FMA" lanes -DSCIARA_LANES=4 -mavx2 -mfma
    for words in '4 -mavx' '4 -mavx2' '8 -mavx512f'; do
        # shellcheck disable=SC2086 # words
        check "... with all that they need: $words" refused $words
    done
fi

# What starts no thread starts in two thirds of the time
printf '#include <unistd.h>\nint pthread_create(void) { _exit(99); }\n' | ${CC:-cc} -w -fno-builtin -shared -fPIC -x c - -o "$work/no_threads.so"
without_threads() { env LD_PRELOAD="$work/no_threads.so" "$sciara" "$@" >"$work/log" 2>&1; }
for words in help --version 'help run' -h; do
    # shellcheck disable=SC2086 # words
    check "sciara $words starts no thread" without_threads $words
done
"$sciara" terrain "$work/case" --size 32 --quiet
without_threads run "$work/case/volcano.cfg" 3 --map-size 300x300 --map-dpi 72 --output "$work/out"
check "... as a run does" [ $? = 99 ]

# PROJ, libgeotiff, libzip and what these need are opened when a CRS, a TIFF or an archive asks for them; else more than half a
# start is theirs.
loads() { LD_DEBUG=files "$sciara" "$@" 2>&1 >/dev/null | grep -qE 'calling init:.*/(lib|sc-)(proj|geotiff|zip|crypto)\.'; }
printf 'ncols 32\nnrows 32\nxllcorner 500000\nyllcorner 4170000\ncellsize 10\n%s\n' "$(seq 1 1024)" >"$work/case/terrain.asc"
sed -n 's/\.tif$/.asc\ncrs EPSG:32633/; /calibrated\|written\|SYNTH/!p' "$work/case/volcano.cfg" >"$work/case/utm.cfg"
sed 's/EPSG:32633/EPSG:3035/' "$work/case/utm.cfg" >"$work/case/europe.cfg"
if [ "$core" != "$sciara" ]; then
    check "a program that is linked with 40 libraries at most" [ "$(ldd "$sciara" | wc -l)" -le 40 ]
    for words in help --version "info $work/case/utm.cfg" "run $work/case/utm.cfg 3 --no-output"; do
        # shellcheck disable=SC2086 # words
        check "sciara $words loads no PROJ, no libzip" fails loads $words
    done
    check "... another CRS does" loads info "$work/case/europe.cfg"
    for part in "proj coordinate systems" "zip archives"; do
        name=libsciara_${part%% *}.so
        copy_program "$work/without" && rm "$work/without/lib/sciara/$name"
        why="^sciara: ${part#* } need $name, which belongs to sciara: .*No such file.*; install sciara again, or give it more memory (\`ulimit -v\`)$"
        "$work/without/bin/sciara" run "$work/case/volcano.cfg" 3 --output "$work/never" >/dev/null 2>"$work/log"
        check "without $name a run that writes ends before it begins" [ "$? $(wc -l <"$work/log")" = "1 1" -a ! -e "$work/never" ]
        check "... and says why" grep -q "$why" "$work/log"
        check "... one that writes nothing does not need it" "$work/without/bin/sciara" run "$work/case/utm.cfg" 3 --no-output --quiet
        rm -r "$work/without"
    done
fi

digest() { env -u LD_LIBRARY_PATH "$@" "$work/case/volcano.cfg" 60 --no-output | sed -n 's/^digest *//p'; }
copy_program "$work/moved" && cp "$bin/sciara_reference" "$work/moved/bin" && ln -s "$work/moved/bin/sciara_reference" "$work/link"
here=$(digest "$sciara" run --variant reference)
check "a run has a digest" [ ${#here} = 16 ]
for program in "$bin/sciara_reference" "$work/moved/bin/sciara_reference" "$work/link" "$work/moved/bin/sciara run --variant reference"; do
    # shellcheck disable=SC2086 # words
    check "... the same by ${program#"$work"/}" [ "$(digest $program)" = "$here" ]
done
files=$(ldd "$sciara" | grep '=> /' | grep -vcE '^\s*lib(cudart|dl|pthread|rt)\.so')
check "the program is of no more than 55 shared objects but CUDA's runtime ($files)" [ "$files" -gt 10 -a "$files" -le 55 ]
report
