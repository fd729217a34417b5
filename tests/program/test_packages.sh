#!/bin/bash
# test_packages.sh — the wheel and what judges it, on small ones made here, and the rules of the Debian packages. What they
# are made of is tried as a whole by tools/fresh-machines. Run from the root of the repository.
# tests: none
. tests/check.sh
each=yes
python=/usr/bin/python3
version=$(sed -n 's/^#define SCIARA_VERSION "\(.*\)".*/\1/p' include/sciara.h)

# ---- debian/: what dpkg will ask
field() { sed -n "/^$1:/,/^[^ ]/{s/^$1: *//p; s/^ \{2,\}//p}" debian/control | tr ',\n' '  '; }
listed=$(for group in build serve gdal netcdf; do tools/install-dependencies --list $group; done | tr ' ' '\n' |
    grep -vx 'gcc\|g++\|make\|libc6-dev\|libomp-dev\|.*-bin') # (what every Debian builds with)
check "the table has packages" [ "$(wc -l <<<"$listed")" -gt 10 ]
unlisted() { comm -23 <(sort <<<"$listed") <(field Build-Depends | tr ' ' '\n' | sort) | grep .; }
check "debian/control builds with them" fails unlisted
packages=$(sed -n 's/^Package: //p' debian/control | tr '\n' ' ')
check "there are five packages" [ "$packages" = "sciara libsciara0 libsciara-dev python3-sciara sciara-doc " ]
soname=$(sed -n 's/^SONAME *:= *//p' Makefile)
check "the library is called by its soname" grep -qw "libsciara$(make -s NVCC= MPI= print-SONAME | sed 's/libsciara\.so\.//')" <<<"$packages${soname:+}"
for file in $(field XXX; sed -n 's/^Tests: //p' debian/tests/control); do
    check "its test $file can run" [ -x "debian/tests/$file" ]
done
# its variants, of a program that has one for a GPU
mkdir "$work/bin" && cat >"$work/bin/sciara" <<'SH'
#!/bin/sh
case "$*" in
variants) printf '  %s\n' 'cfamo  61  atomics' "    cannot run here: 2 GPUs 3" 'tiled  -  not built' && echo '* reference  69  CPU' ;;
*reference) echo "digest  1" ;;
*cfamo) eval "$CFAMO" ;;
esac
SH
chmod +x "$work/bin/sciara"
variants() { CFAMO=$1 PATH=$work/bin:$PATH keep debian/tests/variants && exits "$2"; }
check "a GPU has the digest of the CPU" variants 'echo digest 1' 0
check "... and is named" says '^cfamo: '
check "... or another" variants 'echo digest 2' 1
check "no GPU: the command for the CPU" variants 'echo "sciara: no CUDA device: x; use: sciara run x --variant reference" >&2; exit 3' 0
check "... or no word" variants 'exit 3' 1
sed -i '/cfamo  61/s/cfamo  61/cfamo  -/' "$work/bin/sciara"
check "none was built: skipped" variants : 77
# shellcheck disable=SC2016 # for make
check "programs look in the private folder alone" grep -q -- "-rpath,/usr/lib/triplet/sciara " \
    <(make -s NVCC= MPI= LIBRARY_CFLAGS= PREFIX=/usr LIBDIR=lib/triplet print-RPATH | sed 's/$/ /')
from_here() { make -n NVCC= MPI= SERVE= PREFIX=/usr LIBDIR=lib/triplet BUILD="$work/none" "$work/none/lib/libsciara.so.$version" "$work/none/lib/sciara/libsciara_show.so" 2>/dev/null | grep -o -- '-rpath[^ ]*'; }
check "... libraries nowhere" fails from_here

if ! "$python" -c 'import sys, pip; exit(sys.version_info < (3, 11))' 2>/dev/null; then
    skip "the wheel: $python is older than 3.11, or has no pip"
    report
    exit
fi

# ---- a bundle of nothing: a program, the library, and one that both need
bundle=$work/bundle
mkdir -p "$bundle/bin" "$bundle/lib" "$bundle/share/licenses" "$bundle/share/sciara"
compile() { # compile FILE OPTIONS...: of the C on the standard input
    gcc -x c - -x none -o "$@" -Wl,--disable-new-dtags
}
library() { # library FILE SONAME OPTIONS...
    compile "$bundle/$1" -shared -fPIC -Wl,-soname,"$2" "${@:3}"
}
echo 'int x(void) { return 7; }' | library lib/sc-gsl.so.1 sc-gsl.so.1
echo 'int x(void); int sciara(void) { return x(); }' | library lib/libsciara.so.0 libsciara.so.0 "$bundle/lib/sc-gsl.so.1" -Wl,-rpath,'$ORIGIN'
program() { # program OPTIONS...
    printf '#include <stdio.h>\nint x(void); int main(int n, char **a) { return printf("%%d %%s\\n", x(), a[n - 1]) < 0; }\n' |
        compile "$bundle/bin/sciara" "$bundle/lib/sc-gsl.so.1" "$@"
}
program -Wl,-rpath,'$ORIGIN/../lib'
echo "free to all" >"$bundle/share/licenses/x.txt"
makes() { keep tools/wheel "$bundle" "$work/wheels" "$version"; }
makes
check "a wheel is made" exits 0
check "... and said" says "^wheel: .*/sciara-$version-py3-none-manylinux_2_[0-9]*_$(uname -m)\.whl \([0-9.]* MB\)$"
wheel=$(echo "$work"/wheels/*.whl)
check "... and passes" tools/check-wheel "$wheel"
sum() { sha256sum <"$wheel"; }
first=$(sum)
makes
check "the same bundle gives the same wheel" [ "$(sum)" = "$first" ]

# ---- as pip installs it, and takes it away
lava="$work/a lava" # a blank, for the first line of a script takes none
"$python" -m venv --without-pip "$lava"
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
before=$(find "$lava" | sort)
pip() { "$python" -m pip -q --python "$lava/bin/python" "$@" >"$work/log" 2>&1 || { cat "$work/log" && false; }; }
check "pip installs it where nothing is" pip install --no-index "$wheel"
check "the command runs without numpy" [ "$("$lava/bin/sciara" a "b c")" = "7 b c" ]
keep "$lava/bin/python" -c 'import sciara'
check "... which import asks for" complains 'sciara: Python needs numpy: pip install numpy'
check "pip removes it" pip uninstall -y sciara
check "... whole" [ "$(find "$lava" | sort)" = "$before" ]

# ---- wheels that are not what they say
cp -R "$bundle" "$work/good"
again() { rm -r "$bundle" && cp -R "$work/good" "$bundle"; }
bad() { # bad WHAT PATTERN...: made of the bundle as it is now
    makes
    check "$1: exit status 1" exits 1
    check "... nothing is made" [ "$(sum)" = "$first" ]
    local pattern
    for pattern in "${@:2}"; do check "... for it $pattern" complains "$pattern"; done
    again
}
# shellcheck disable=SC2016 # for the loader
program -Wl,-rpath,'$ORIGIN/../lib:/opt/lib:$ORIGIN/../../../../lib' -Wl,--no-as-needed -lz
echo 'int y;' | library lib/libexpat.so.1 libexpat.so.1
echo 'int y;' | library lib/libm.so.6 libm.so.6
bad "what is of this machine" '/bin/sciara: needs libz\.so\.1, which is neither found in the wheel nor promised' \
    '/bin/sciara: looks for libraries in /opt/lib, outside' 'in \$ORIGIN/../../../../lib, outside' \
    '/libexpat\.so\.1: is called libexpat\.so\.1, as one of the machine may be' '/libm\.so\.6: belongs to the machine'
program
bad "a library that is not found" '/bin/sciara: needs sc-gsl\.so\.1, which is neither'
mkdir "$work/libm" && echo 'GLIBC_2.99 { global: *; };' >"$work/libm/map"
echo 'int of_tomorrow(void) { return 1; }' | compile "$work/libm/libm.so.6" -shared -fPIC -Wl,-soname,libm.so.6 -Wl,--version-script="$work/libm/map"
echo 'int of_tomorrow(void); int y(void) { return of_tomorrow(); }' | library lib/sc-y.so.1 sc-y.so.1 "$work/libm/libm.so.6"
bad "a C library that nobody has" 'needs a C library or C\+\+ runtime that is newer than all known ones'

cat >"$work/repack.py" <<'PY'
import sys, zipfile
good, bad, version = sys.argv[1:]
changes = {"licenses/x.txt": ("free", "bound"), "METADATA": (f"Version: {version}", "Version: 9", "License: GPL-3.0-or-later", "License: MIT",
           "License-File: x.txt", "License-File: y.txt"), "WHEEL": ("Root-Is-Purelib: false", "Root-Is-Purelib: true")}
with zipfile.ZipFile(good) as g, zipfile.ZipFile(bad, "w") as b:
    for entry in g.infolist():
        data = g.read(entry)
        for name in (n for n in changes if entry.filename.endswith(n)):
            for old, new in zip(changes[name][::2], changes[name][1::2]):
                assert old.encode() in data, name
                data = data.replace(old.encode(), new.encode())
        if entry.filename.endswith("bin/sciara"):
            entry.external_attr = 0o100644 << 16
        if not entry.filename.endswith("py.typed"):
            b.writestr(entry, data)
    b.writestr("lib/libz.so", "none")
PY
"$python" "$work/repack.py" "$wheel" "$work/${wheel##*/}" "$version" && keep tools/check-wheel "$work/${wheel##*/}"
check "a wheel that was changed: exit status 1" exits 1
for pattern in '/x\.txt: is not what RECORD says' 'py\.typed: is in RECORD, and not there' 'lib/libz\.so: is not in RECORD' \
    'lib/libz\.so: would be installed outside the package' '/bin/sciara: is not executable' \
    "its name says sciara $version, its METADATA sciara 9" 'names the licence y\.txt, which is not there' \
    'GSL is in it, which is under the GPL' 'Root-Is-Purelib is not false'; do
    check "... for it $pattern" says "$pattern"
done
renamed() { cp "$wheel" "$work/sciara-$version-py3-none-$1.whl" && keep tools/check-wheel "$work/sciara-$version-py3-none-$1.whl" && exits 1; }
check "another platform by its name is refused" renamed "manylinux_2_17_$(uname -m)"
check "... for what is inside" says "its name says py3-none-manylinux_2_17_.*, its WHEEL "
check "... and for what it needs" says "/bin/sciara: needs GLIBC_2\.[0-9]*, which manylinux_2_17_.* does not promise"
check "any platform is refused" renamed any
check "... as there are programs" says 'its platform is any, not manylinux_'
report
