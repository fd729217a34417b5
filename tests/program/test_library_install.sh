#!/bin/bash
# test_library_install.sh — what `make install` leaves of the library: that it shows no other names than those of
# sciara.h, and that a program made with nothing else gives the same state as `sciara run`.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: library
. tests/check.sh
needs_sciara
shared=$(echo "$build"/lib/libsciara.so.*.*.*)
needs "$shared is not built" [ -f "$shared" ]
needs "pkg-config is not installed" command -v pkg-config
each=yes
export OMP_NUM_THREADS=1

prefix=$work/prefix
lib=$prefix/lib
# By somebody whose files are private, and with a library of an older version left in the build folder
touch "$build/lib/libsciara.so.0.0.1"
install() { (umask 077 && make -s -o all BUILD="${BUILD:-build}" PREFIX="$prefix" DESTDIR="$1" install) >/dev/null; }
check "it is installed" install ""
check "... and elsewhere for a package" install "$work/package"
rm "$build/lib/libsciara.so.0.0.1"
check "... which is the same" diff -r "$prefix" "$work/package$prefix"
check "... for everybody to read" [ -z "$(find "$prefix" -type f -not -perm -444)" ]
check "... and no other version" [ "$(find "$lib" -type f -name 'libsciara.so*' | wc -l)" = 1 ]

# ---- names: as many as the header has functions, and no others
declared=$(grep -c '^SCIARA_API' include/sciara.h)
check "the header declares functions" [ "$declared" -gt 20 ]
exported() { nm -D --defined-only "$lib/libsciara.so" | awk '$2 != "A" { print $3 }'; }
check "libsciara.so exports those" [ "$(exported | grep -c '^sciara_.*@@SCIARA_0$')" = "$declared" ]
check "... and no others" [ "$(exported | wc -l)" = "$declared" ]
check "... under its soname" [ "$(readelf -d "$lib/libsciara.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')" = libsciara.so.0 ]
global() { nm -g --defined-only "$lib/libsciara.a" | awk 'NF == 3 { print $3 }'; }
check "libsciara.a has those" [ "$(global | grep -c '^sciara_')" = "$declared" ]
check "... and no other global names" [ "$(global | wc -l)" = "$declared" ]

# ---- registers: what MMX leaves in them makes long doubles of the caller NaN
if [ "$(uname -m)" = x86_64 ]; then
    check "no instruction uses registers of MMX" [ "$(objdump -d --no-show-raw-insn "$build/parts.a" |
        awk '/>:$/ { functions++ } /%mm[0-7]/ { bad++ } END { print (functions > 1000) + 0, bad + 0 }')" = "1 0" ]
fi

# ---- kernels: the sections that hold those of all variants are there as a whole
bytes_of() { # bytes_of SECTION FILE...
    local n=0 size
    for size in $(readelf -SW "${@:2}" | sed -E 's/^ *\[ *[0-9]+\] *//' | awk -v name="$1" '$1 == name { print $5 }'); do
        n=$((n + 16#$size))
    done
    echo $n
}
kernels=0 # other objects may lie there from earlier builds
# shellcheck disable=SC2046
grep -q 'built: reference .' "$build/variants" &&
    kernels=$(bytes_of .nv_fatbin $(make -s BUILD="${BUILD:-build}" print-CUDA_O))
if [ "${kernels:-0}" -gt 0 ]; then
    for file in "$lib/libsciara.so" "$lib/libsciara.a"; do
        check "$(basename "$file") has all kernels" [ "$(bytes_of .nv_fatbin "$file")" -ge "$kernels" ]
        check "... and registers them" \
            [ "$(bytes_of .nvFatBinSegment "$file")" -ge "$(bytes_of .nvFatBinSegment "$build"/cuda/*.o)" ]
    done
else
    skip "no kernels were built"
fi

# ---- a program that knows only what was installed
export PKG_CONFIG_PATH=$lib/pkgconfig
flags() { pkg-config "$@" sciara; }
# shellcheck disable=SC2046 # words
compile() { cc -std=c11 -Wall -Wextra -Werror docs/example.c $(flags --cflags) "$@"; }
check "pkg-config knows the version" [ "sciara $(pkg-config --modversion sciara)" = "$("$sciara" --version | sed 's/+.*//; q')" ]
# shellcheck disable=SC2046
check "the example, linked with libsciara.so" compile $(flags --libs) -Wl,-rpath,"$lib" -o "$work/shared"
# shellcheck disable=SC2046
check "... and with libsciara.a" compile $(flags --static --libs | sed 's/-lsciara/-l:libsciara.a/') -o "$work/static"
# shellcheck disable=SC2046
check "... and as C++" c++ -x c++ -std=c++17 -Wall -Wextra -Werror docs/example.c $(flags --cflags --libs) \
    -Wl,-rpath,"$lib" -o "$work/cxx"
stand_in() { env -u ETNA2006_DIR ETNA2006_URL=file:///nowhere "$prefix/share/sciara/tools/fetch-etna2006" >/dev/null; }
check "the case that is installed can be had" stand_in
check "... and runs" "$prefix/bin/sciara" run "$prefix/share/sciara/data/etna2006.cfg" 10 --no-output --quiet
linked() { readelf -d "$1" | grep -q 'NEEDED.*libsciara'; }
check "the one needs libsciara.so" linked "$work/shared"
check "the other does not" fails linked "$work/static"

"$sciara" terrain "$work/case" --size 64 --quiet || exit 1
case=$work/case/volcano.cfg
digest=$("$sciara" run "$case" 200 --no-output | sed -n 's/^digest *//p')
check "sciara run gives a digest" [ ${#digest} = 16 ]
for program in shared static cxx; do
    "$work/$program" "$case" 200 >"$work/said"
    check "the example ($program) gives the same" grep -Eq "^step 200: [1-9][0-9]*\.[0-9]+ m, digest $digest\$" "$work/said"
done

# ---- an ensemble
{ cat "$case" && printf '%s\n' 'members 20' 'vary_Pcool uniform 2 4' 'seed 3'; } >"$work/case/plan.cfg"
sed -i 's/^max_steps.*/max_steps 60/' "$work/case/plan.cfg"
printed() { "$sciara" "$@" --map-size 300x300 --map-dpi 72 --output "$work/$1" | sed -n 's/^digest *//p'; }
digest=$(printed ensemble "$work/case/plan.cfg" --variant reference --keep)
# shellcheck disable=SC2046 # words
check "the example of a study" cc -std=c11 -Wall -Wextra -Werror docs/example_study.c $(flags --cflags --libs) \
    -Wl,-rpath,"$lib" -o "$work/study"
"$work/study" "$work/case/plan.cfg" >"$work/said" 2>/dev/null
check "... gives the program's digest" grep -Eq "^0\.[0-9]*[1-9][0-9]* km2, digest $digest\$" "$work/said"
asked=$(printed ask "$work/ensemble/library.gpkg" --where 'Pcool > 3')
"$work/study" "$work/ensemble/library.gpkg" 'Pcool > 3' >"$work/said" 2>/dev/null
check "... and of a question" grep -Eq "^0\.[0-9]*[1-9][0-9]* km2, digest $asked\$" "$work/said"
"$work/study" "$work/none.cfg" 2>"$work/stderr"
check "... and the status of a failure" [ $? = 2 ]

# ---- the examples of docs/library.md, in their order
"$sciara" run "$case" 30 --format geotiff --quiet --output "$work/truth"
{ cat "$work/case/plan.cfg" && echo "observed_front $work/truth/total_thickness_m_000030.tif at 1h error_m 10"; } >"$work/case/now.cfg"
mkdir -p "$work/case/output" && cp -r "$work/ensemble" "$work/case/output/plan"
for name in first second; do cp -r "$work/truth" "$work/case/output/$name"; done
cp "$work"/truth/total_thickness_m_*.tif "$work/case/flow.tif"
{
    cat <<'C'
#include <inttypes.h>
#include <sciara.h>
#include <stdio.h>

int main(void)
{
    enum { rows = 64, cols = 64 };
    static float probability[rows * cols];
    struct sciara_error e = {0};
    struct sciara_study_options o;
    sciara_case *volcano;
    sciara_simulation *run;
    sciara_snapshot *state;
    sciara_study *study, *answer, *now;
    const double *thickness_m;
    char *text, *json;
    struct sciara_fit_options with;
    struct sciara_fit *fit;
    struct sciara_comparison *both;
    double brier;
    int same;
C
    awk '/^```c$/ { inside = 1; print "sciara_study_options_init(&o, sizeof o);"; next } /^```/ { inside = 0 } inside' docs/library.md
    cat <<'C'
    double most_m = 0;
    for (int i = 0; i < rows * cols; i++)
        if (thickness_m[i] > most_m) most_m = thickness_m[i];
    printf("%.4f %d %d\n", brier, same, *json == '{');
    sciara_fit_free(fit);
    sciara_comparison_free(both);
    sciara_text_free(json);
    printf("%d %d %016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %016" PRIx64 "\n", most_m > 1, *text != 0,
           sciara_snapshot_digest(state), sciara_study_digest(study), sciara_study_digest(answer),
           sciara_study_digest(now));
    sciara_text_free(text);
    sciara_study_close(now);
    sciara_study_close(answer);
    sciara_study_close(study);
    sciara_snapshot_free(state);
    sciara_free(run);
    sciara_case_free(volcano);
    return e.text[0] != 0;
}
C
} >"$work/examples.c"
# shellcheck disable=SC2046 # words
check "the examples of docs/library.md" cc -std=c11 -Wall -Wextra -Werror "$work/examples.c" $(flags --cflags --libs) \
    -Wl,-rpath,"$lib" -o "$work/examples"
wanted="1 1 $("$sciara" run "$case" 1000 --no-output | sed -n 's/^digest *//p') $digest $asked"
wanted="$wanted $(printed nowcast "$work/case/now.cfg" --library "$work/ensemble/library.gpkg")"
check "... have four digests of the program" [ "$(echo "$wanted" | tr ' ' '\n' | grep -c '^[0-9a-f]\{16\}$')" = 4 ]
(cd "$work/case" && "$work/examples") >"$work/said" 2>"$work/stderr"
check "... and give them" [ "$(tail -n 1 "$work/said")" = "$wanted" ]
brier=$("$sciara" fit "$work/case/output/plan" "$work/case/flow.tif" | sed -n 's/^Brier score *\([0-9.]*\) .*/\1/p')
check "... and the score of sciara fit" [ "$(head -n 1 "$work/said")" = "${brier:-none} 1 1" ]

"$work/shared" "$work/none.cfg" 2>"$work/stderr"
check "what fails has a status" [ $? = 2 ]
check "... and a line" grep -q 'none\.cfg: ' "$work/stderr"

# ---- in a program whose numbers have commas
cat >"$work/comma.c" <<'C'
#include <locale.h>
#include <sciara.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct sciara_run_options o;
    struct sciara_error e;
    sciara_case *c = NULL;
    sciara_simulation *s = NULL;
    if (argc < 3 || !setlocale(LC_ALL, "")) return 9;
    printf("%.1f\n", 0.5);
    sciara_run_options_init(&o, sizeof o);
    o.folder = argv[2];
    o.formats = SCIARA_GEOTIFF | SCIARA_PNG | SCIARA_ORIGINAL;
    int status = sciara_case_load(&c, argv[1], NULL, NULL, &e);
    if (!status) status = sciara_create(&s, c, NULL, &e);
    if (!status) status = sciara_run(s, &o, NULL, &e);
    if (status) fprintf(stderr, "%s\n", e.text);
    sciara_free(s);
    sciara_case_free(c);
    return status;
}
C
# (not UTF-8, whose characters take five times as long)
if localedef -i de_DE -f ISO-8859-1 "$work/de_DE" 2>/dev/null; then
    sed -i 's/^max_steps.*/max_steps 30/' "$case"
    "$sciara" run "$case" --quiet --output "$work/points" --format geotiff,png,original
    # shellcheck disable=SC2046
    check "a program in German" cc -std=c11 -Wall "$work/comma.c" $(flags --cflags --libs) -Wl,-rpath,"$lib" -o "$work/comma"
    check "... runs" env LOCPATH="$work" LC_ALL=de_DE "$work/comma" "$case" "$work/commas" >"$work/said"
    check "... writes commas itself" grep -qx 0,5 "$work/said"
    check "... but the same files" diff -r -x summary.json "$work/points" "$work/commas"
    same() { diff <(grep -Ev '_s"|us_per|_ms"' "$1/summary.json") <(grep -Ev '_s"|us_per|_ms"' "$2/summary.json"); }
    check "... and the same summary" same "$work/points" "$work/commas"
else
    skip "the locale de_DE cannot be made here"
fi
report
