#!/bin/bash
# test_install.sh — what installs packages and what does not, what is said where something is missing, where
# libraries are looked for, and that `make uninstall` takes away what `make install` put there.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: none
. tests/check.sh
each=yes
unset MAKEFLAGS MFLAGS MAKELEVEL CC CXX PKG_CONFIG CONDA_PREFIX

# ---- a machine without pkg-config, whose package managers only write down that they were called
mkdir "$work/machine" "$work/fake"
for folder in /bin /usr/bin /usr/local/bin; do
    if [ ! -L "$folder" ]; then cp -rs "$folder/." "$work/machine" 2>/dev/null; fi
done
rm -f "$work"/machine/{pkg-config,pkgconf,*-pkg-config,apt-get,sudo,dnf,conda}
for manager in apt-get sudo dnf conda; do
    printf '#!/bin/sh\necho "%s $*" >>"%s/called"\n' $manager "$work" >"$work/fake/$manager"
done
chmod +x "$work"/fake/*
lacking() { keep env PATH="$work/fake:$work/machine" make NVCC= BUILD="$work/build" "$@"; }
nothing_called() { [ ! -e "$work/called" ] || { cat "$work/called" && false; }; }
called() { grep -Eq "$1" "$work/called"; }

for target in all install bundle quick-test; do
    lacking $target PREFIX="$work/prefix"
    check "make $target calls no package manager" nothing_called
    check "... and fails" exits 2
    check "... for want of pkg-config" complains '^sciara: missing: pkg-config\. '
    check "... whose package it names for Debian and Ubuntu" complains 'apt-get install --no-install-recommends pkg-config$'
    check "... for Fedora" complains 'dnf install pkgconf-pkg-config$'
    check "... and for those who are not root" complains 'conda create -n sciara -c conda-forge .*geotiff.*cjson'
done
check "nothing is built" [ ! -e "$work/build/parts.a" ]
for target in deps test run; do
    rm -f "$work/called"
    lacking $target
    check "make $target installs what is missing" called '^(sudo|apt-get) .*install .*pkg-config'
    check "... and says so where that did not help" complains 'missing: pkg-config'
    check "... without building anything" [ ! -e "$work/build/parts.a" ]
done

# ---- a compiler that is newer than all that have been tried may warn of more, and builds sciara all the same
with_version() { # with_version N: the line that compiles a file with a compiler of that version
    printf '#!/bin/sh\necho %s.1.0\n' "$1" >"$work/fake/newer-cc"
    chmod +x "$work/fake/newer-cc"
    make -s -n -B V=1 NVCC= MPI= LIBRARY_CFLAGS= CC="$work/fake/newer-cc" BUILD="$work/build" "$work/build/obj/src/common/base/error.o"
}
strict() { with_version "$1" | grep -q -e '-Wall .*-Werror '; }
check "a warning of the oldest compiler is an error" strict 11
check "... of GCC 14 too" strict 14
check "... not of one that has not been tried" fails strict 99
check "... which warns as well" grep -q -e '-Wall ' <(with_version 99)

# ---- somebody who can install nothing, and another system
rm -f "$work/called" "$work/fake/sudo"
printf '#!/bin/sh\necho 1000\n' >"$work/fake/id" && chmod +x "$work/fake/id"
lacking deps
check "without root and sudo" complains 'neither root nor have sudo'
check "... nothing is tried" nothing_called
check "... and the way without root is named" complains 'without root.*conda create'
rm "$work/fake/apt-get"
lacking deps
check "on another system that is said" complains 'not Debian or Ubuntu'
check "... with its names" complains 'dnf install pkgconf-pkg-config$'

# ---- the table of fresh systems: a row that is not made again stays
cp -R tools "$work/tools" && mkdir "$work/docs" && cp docs/machines.md "$work/docs"
check "the table has four systems" [ "$(sed '/<!-- end of rows/q' docs/machines.md | grep -c '^| [DU]')" = 4 ]
check "... and what was installed there" [ "$(sed '1,/<!-- installed/d' docs/machines.md | grep -c '^| [DU]')" -ge 4 ]
check "the table of fresh systems" env BUILD="$work/rows" "$work/tools/fresh-machines" --table
check "... is the same without new rows" cmp docs/machines.md "$work/docs/machines.md"
echo '| Ubuntu 22.04.9 LTS | 11 |' >"$work/rows/machines/ubuntu22.04.row"
BUILD=$work/rows "$work/tools/fresh-machines" --table
check "... and differs in a new row alone" [ "$(diff docs/machines.md "$work/docs/machines.md" | grep '^[<>]' | cut -c -17 | tr '\n' ' ')" = '< | Ubuntu 22.04  > | Ubuntu 22.04. ' ]

# ---- a library that is nowhere; no package has such a header
echo 'build library nowhere.h nowhere -lnowhere libnowhere-dev nowhere-devel nowhere' >>"$work/tools/dependencies"
keep "$work/tools/install-dependencies" --check build
check "a library that is missing" exits 1
check "... is named, by header and package" complains 'missing: nowhere\.h\.'
check "... of Debian" complains 'install .*libnowhere-dev$'
check "... of Fedora" complains 'dnf install .*nowhere-devel$'
check "... in one message" [ "$(grep -c missing: "$work/stderr")" = 1 ]

# ---- each library that the program calls has a row, as a .pc file may keep to itself what its library needs (libwebpmux's)
soname() { readelf -d "$(${CC:-gcc} -print-file-name="lib$1.so")" 2>/dev/null | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p'; }
if [ -x "$sciara" ] && command -v readelf >/dev/null; then # (CUDA is no package's)
    rows=$(sed 's/#.*//' "$root/tools/dependencies" | awk '$2 == "library" { print $5 }' | tr , '\n' | sed 's/^-l//')
    readelf -d "$core" "$build"/lib/sciara/libsciara_{show,serve}.so | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -Ev '^(lib(c|m|gomp|omp|gcc_s|stdc\+\+|atomic|dl|pthread|cudart|sciara_core)|ld-linux.*)\.so' | sort -u >"$work/needed"
    for library in $rows; do soname "$library"; done | sort -u >"$work/named"
    check "the program and its parts need libraries" [ "$(wc -l <"$work/needed")" -ge 15 ]
    check "each has a row in tools/dependencies" [ -z "$(comm -23 "$work/needed" "$work/named" | tee -a /dev/stderr)" ]
else skip "libraries of the program: it is not built, or there is no readelf"; fi

# ---- pkg-config decides
mkdir -p "$work/pc" "$work/elsewhere/include" "$work/elsewhere/lib"
printf '/* nothing */\n' | tee "$work/elsewhere/include/nowhere.h" >"$work/elsewhere/include/tiffio.h"
for module in nowhere libtiff-4; do
    printf 'Name: %s\nDescription: none\nVersion: 1\nCflags: -I%s -DTHEIRS\nLibs: -L%s -l%s\n' $module \
        "$work/elsewhere/include" "$work/elsewhere/lib" $module >"$work/pc/$module.pc"
done
find_them() { # find_them VARIABLE=VALUE...: what found --cflags|--libs PATTERN looks at
    for what in cflags libs; do env "$@" "$work/tools/find-libraries" --$what >"$work/$what"; done
}
found() { grep -Eq -- "$2" "$work/${1#--}"; }
if command -v pkg-config >/dev/null; then
    check "what pkg-config knows is found" env PKG_CONFIG_PATH="$work/pc" "$work/tools/install-dependencies" --check build
    find_them PKG_CONFIG_PATH="$work/pc"
    check "... with its folder" found --cflags "-isystem $work/elsewhere/include"
    check "... and its flags" found --cflags '-DTHEIRS'
    check "... its libraries" found --libs "-L$work/elsewhere/lib .*-lnowhere"
    check "... which the loader finds, too" found --libs "-Wl,-rpath,$work/elsewhere/lib"
    PKG_CONFIG_PATH=$work/pc make -s NVCC= print-INCLUDES print-LIBS >"$work/flags"
    includes() { grep -Fq -- "$1" "$work/flags"; }
    check "make compiles by it" includes "-isystem $work/elsewhere/include"
    check "... and links" includes "-llibtiff-4"
else
    skip "pkg-config is not installed"
fi
find_them PKG_CONFIG=false CONDA_PREFIX="$work/elsewhere"
check "without a .pc file the header is looked for" found --cflags "-isystem $work/elsewhere/include( |\$)"
check "... and the library beside it" found --libs "-L$work/elsewhere/lib .*-lnowhere"
check "the compiler of the environment counts" [ "$(CC=clang make -s NVCC= print-CC)" = clang ]
check "... and gcc where there is none" [ "$(make -s NVCC= print-CC)" = gcc ]

# ---- every library whose functions the program calls is asked for by name: what a .pc file requires besides may be private
# in its next version. Here a pkg-config that knows of no module but the named ones
cat >"$work/shallow" <<'END'
#!/bin/bash
[ "$1" = --libs ] || exec pkg-config "$@"
for module in "${@:2}"; do
    libs=$(sed -n 's/^Libs://p' "$(pkg-config --variable=pcfiledir "$module")/$module.pc")
    tr ' ' '\n' <<<"$libs" | grep '^-l'
done
END
chmod +x "$work/shallow"
defines() { # defines LIBRARY...: the functions of libraries, by the names that gcc -l knows
    local library
    for library; do gcc -print-file-name="lib$library.so"; done | xargs nm -D --defined-only | names
}
names() { awk 'NF > 1 { sub(/@.*/, "", $NF); print $NF }' | sort -u; } # (of several files nm also names each)
# (the loader defines __tls_get_addr, which the runtime of CUDA calls)
defined_by_system() {
    local soname
    # shellcheck disable=SC2046 # words
    for soname in c.so.6 m.so.6 gcc_s.so.1 stdc++.so.6 pthread.so.0 dl.so.2 rt.so.1; do
        gcc -print-file-name="lib$soname"
    done | xargs nm -D --defined-only "$sciara" "$core" $(ldd "$sciara" | awk '/ld-linux/ { print $1 } /lib(gomp|omp|atomic|cudart)[.0-9]*so/ { print $3 }') 2>/dev/null
}
called_functions() { nm -D --undefined-only "$core" "$build"/lib/sciara/libsciara_{show,serve}.so | grep '^ *U ' | names; }
if command -v pkg-config >/dev/null && [ -x "$sciara" ]; then
    for group in build show serve; do PKG_CONFIG=$work/shallow tools/find-libraries --libs $group; done |
        tr ' ' '\n' | sed -n 's/^-l//p' | sort -u >"$work/named"
    # shellcheck disable=SC2046 # words
    { defines $(grep -vx m "$work/named") && defined_by_system | names; } | sort -u >"$work/defined"
    called_functions >"$work/functions"
    check "painting calls WebPPictureAlloc" grep -qx WebPPictureAlloc "$work/functions"
    check "... of a library that is named" grep -qx WebPPictureAlloc "$work/defined"
    unnamed() { comm -23 "$work/functions" "$work/defined"; }
    check "every function is in a library that tools/dependencies names" [ -z "$(unnamed | tee -a /dev/stderr)" ]
    # shellcheck disable=SC2046 # words
    defines $(grep -vx -e m -e webp "$work/named") >"$work/fewer"
    check "... which shows where one is missing" fails grep -qx WebPPictureAlloc "$work/fewer"
else
    skip "the libraries that are called: pkg-config is not installed, or $sciara not built"
fi

# ---- help
keep make help
for target in all deps run test quick-test bundle install uninstall; do
    check "make help knows $target" says "^  make $target +[^ ]"
done

# ---- installed, and gone again
if [ ! -x "$sciara" ]; then
    skip "installing: $sciara is not built"
    report
    exit
fi
without_nvcc=(NVCC=) # (where it has made nothing)
if compgen -G "$build/cuda/*.o" >/dev/null; then without_nvcc=(); fi
compiles() { make -n --no-print-directory "${without_nvcc[@]}" BUILD="${BUILD:-build}" quick-programs | grep -Eo "'[^']*/obj/src/[^']*[.]o'"; }
check "make quick-test compiles nothing that make has" [ -z "$(compiles)" ]
prefix=$work/prefix
# make_installs and make_uninstalls DESTDIR: `make install`, `make uninstall`; installs and uninstalls DESTDIR: what make
# calls for that, on a copy of what it has installed before, and make itself if THOROUGH is set
stage=$work/stage
make_installs() { (umask 077 && make -s -o all BUILD="$build" PREFIX="$prefix" DESTDIR="$1" install) >"$work/log" 2>&1 || { cat "$work/log" && false; }; }
installs() {
    if [ "${THOROUGH:-}" ]; then
        make_installs "$1"
        return
    fi
    (umask 077 && tools/install-tree install "$stage" "$1$prefix") >"$work/log" 2>&1 || { cat "$work/log" && false; }
}
make_uninstalls() { make -s BUILD="$build" PREFIX="$prefix" DESTDIR="$1" uninstall >"$work/log" 2>&1; }
uninstalls() {
    if [ "${THOROUGH:-}" ]; then
        make_uninstalls "$1"
        return
    fi
    tools/install-tree uninstall "$1$prefix" >"$work/log" 2>&1
}
empty() { [ -z "$(ls -A "$1")" ] || { find "$1" && false; }; }
mkdir "$prefix"
check "it is installed in an empty folder" make_installs ""
cp -a "$prefix" "$stage" && rm "$stage/share/sciara/installed"
check "... programs" [ -x "$prefix/bin/sciara" ]
mv "$prefix" "$work/moved"
for name in $(make -s print-PROGRAMS); do
    check "... $name, which runs where it is moved" grep -q ^sciara <(env -u LD_LIBRARY_PATH "$work/moved/bin/$name" --version)
done
mv "$work/moved" "$prefix"
check "... the page of case files" [ -s "$prefix/share/man/man5/sciara-case.5" ]
check "... folders for everybody" [ -z "$(find "$prefix" -mindepth 1 -type d -not -perm -555)" ]
check "uninstalled" make_uninstalls ""
check "... nothing is left" empty "$prefix"
check "what is not installed cannot be uninstalled" fails uninstalls ""

mkdir -p "$prefix/lib" "$prefix/share/man/man1" && echo theirs | tee "$prefix/lib/theirs" >"$prefix/share/man/man1/theirs.1"
mkdir "$prefix/include"
check "installed where others have files" installs ""
echo "f lib/libsciara.so.0.0.1" >>"$prefix/share/sciara/installed" && touch "$prefix/lib/libsciara.so.0.0.1"
check "... and again, over an older version" installs ""
check "... of which nothing stays" [ ! -e "$prefix/lib/libsciara.so.0.0.1" ]
check "uninstalled" uninstalls ""
left() { (cd "$prefix" && find . -mindepth 1 | sort | tr '\n' ' '); }
check "... their files and folders stay, no other" \
    [ "$(left)" = "./include ./lib ./lib/theirs ./share ./share/man ./share/man/man1 ./share/man/man1/theirs.1 " ]
rm -rf "$prefix"
check "installed for a package" make_installs "$work/package"
check "... there alone" [ ! -e "$prefix" -a -x "$work/package$prefix/bin/sciara" ]
check "uninstalled" make_uninstalls "$work/package"
check "... nothing is left" empty "$work/package$prefix"

# ---- the manual of what is installed
installs "" || exit 1
keep "$prefix/bin/sciara" run --help
check "--help of what is installed points at the man page" says "^file formats: man sciara-case, man sciara-output \\($prefix/share/man\\)"
call run --help
check "... of what is not, at the document" says '^file formats: docs/formats\.md'
# (parameter sets say where in the repository they come from)
named() { tr '\0' '\n' <"$prefix/lib/sciara/libsciara_core.so" | grep -a 'docs/[a-z0-9-]*\.md' | grep -aEv '^$|^(# |source |in_sample |held_out )'; }
check "... and no message or help names a document that is not installed" [ "$(named)" = 'file formats: docs/formats.md' ]
page=$prefix/share/man/man5/sciara-case.5
pages=$(find "$prefix/share/man" -type f)
check "there are pages" [ "$(wc -l <<<"$pages")" -gt 10 ]
clean() {
    groff -mandoc -Tutf8 -ww "$1" >"$work/page" 2>"$work/log"
    if [ -s "$work/page" ] && [ ! -s "$work/log" ]; then return; fi
    cat "$work/log"
    return 1
}
lint() { # the date is missing on purpose: the same sources write the same page
    mandoc -Tlint -W warning "$1" | grep -v 'missing date' >"$work/log"
    [ ! -s "$work/log" ] || { cat "$work/log" && false; }
}
[ "${THOROUGH:-}" ] || pages=$(find "$prefix/share/man/man5" -type f) # (test_options.sh looks at those of the commands)
for file in $pages; do
    name=$(basename "$file")
    if command -v groff >/dev/null; then check "$name: groff" clean "$file"; else skip "$name: groff is not installed"; fi
    if command -v mandoc >/dev/null; then check "$name: mandoc" lint "$file"; else skip "$name: mandoc is not installed"; fi
done
# shellcheck disable=SC2016 # quotes of Markdown
keys() { sed -n '/^<!-- keys -->/,$s/^| `\([A-Za-z_()]*\)`.*/\1/p' docs/formats.md | sort; }
terms() { sed -n 's/^\\fB\([A-Za-z_()]*\)[ \\].*/\1/p' "$page" | sort; }
pages() { sed -n "/^## $1/,/^## /p" docs/formats.md | grep -c "^| \["; }
check "docs/formats.md has keys" [ "$(keys | wc -l)" -gt 120 ]
check "... and sciara-case has them all" [ -z "$(comm -23 <(keys) <(terms))" ]
check "... and its pages, but for NAME, DESCRIPTION and SEE ALSO" [ "$(grep -c '^\.SH' "$page")" = $(($(pages Input) + 2)) ]
check "... as sciara-output has" [ "$(grep -c '^\.SH' "${page/case/output}")" = $(($(pages Output) + 2)) ]
check "plain ASCII, for any roff" fails grep -qP '[^\x00-\x7f]' "$page"
check "commands refer to it" grep -q 'sciara\\-case (5)' "$prefix/share/man/man1/sciara-run.1"

# ---- the example, whose terrain has to be fetched
keep "$prefix/bin/sciara" run "$prefix/share/sciara/data/etna2006.cfg" 10 --no-output
check "the installed example has no terrain" exits 2
check "... and says what fetches it" complains 'there is no file .*; fetch it with [^ ]*/tools/fetch-etna2006$'
fetcher=$(sed -n 's/.*fetch it with //p' "$work/stderr")
offline() { env -u ETNA2006_DIR ETNA2006_URL=file:///nowhere "$@" >"$work/log" 2>&1; }
check "... which does" offline "$fetcher"
check "... and it runs" "$prefix/bin/sciara" run "$prefix/share/sciara/data/etna2006.cfg" 10 --no-output --quiet
check "uninstalled with the terrain in it" uninstalls ""
check "... what was fetched stays" [ "$(find "$prefix" -type f | grep -cv /data/etna2006/)" = 0 ]
check "... and that is said" grep -q 'kept.*share/sciara/data' "$work/log"

rm -rf "$prefix" && installs "" || exit 1
chmod 755 "$work" && chmod -R a-w "$prefix"
as_nobody=
if [ "$(id -u)" = 0 ]; then as_nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"; fi
# shellcheck disable=SC2086 # words
if $as_nobody test -x "$prefix/share/sciara/tools/fetch-etna2006" 2>/dev/null; then
    check "where one may not write, it is not fetched" fails offline $as_nobody "$prefix/share/sciara/tools/fetch-etna2006"
    check "... but a copy of the example is proposed" grep -q "^    cp -R $prefix/share/sciara etna && etna/tools/fetch-etna2006 && sciara run" "$work/log"
else
    skip "fetching as somebody else"
fi
chmod -R u+w "$prefix"
report
