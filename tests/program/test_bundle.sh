#!/bin/bash
# test_bundle.sh — tools/bundle: a folder that runs at any place, without the libraries of this machine.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: program/late
. tests/check.sh
needs_sciara
each=yes

proc=
cleanup() {
    if [ -n "$proc" ]; then umount "$proc"; fi
    rm -rf --one-file-system "$work"
}
trap cleanup EXIT

check "the bundle is made" env GZIP_LEVEL=1 tools/bundle test "$work/out" "$sciara" >"$work/said"
cat "$work/said"
if ldd --version 2>&1 | grep -q GLIBC; then # not more than what is here
    here=$(ldd --version | sed -n '1s/.* //p')
    wanted=$(sed -n 's/.*runs with glibc \([0-9.]*\) or newer.*/\1/p' "$work/said")
    check "it says what C library it wants" [ -n "$wanted" ]
    check "... which is not newer than this one" [ "$(printf '%s\n' "$wanted" "$here" | sort -V | tail -n 1)" = "$here" ]
fi
check "a program that cannot be moved is refused" fails tools/bundle test "$work/no" /bin/true
check "... and leaves nothing" [ ! -e "$work/no" ]
mkdir "$work/moved"
check "the tarball is whole" tar -C "$work/moved" -xzf "$work"/out/sciara-test-*.tar.gz
rm -rf "$work/out"
folder=$(echo "$work"/moved/sciara-test-*)
readme=$folder/README.md
check "its README is its own" grep -qx "# sciara $("$sciara" --version | sed 's/^sciara //; q'), a bundle" "$readme"
check "... and names the C library" grep -q "with glibc ${wanted:-of this machine}\( or newer\)\?" "$readme"
newest() { find "$folder" -type f -exec objdump -T {} + 2>/dev/null | grep -o 'GLIBC_[0-9.]*' | tr _ ' ' | sort -t ' ' -k 2V | tail -n 1; }
[ -z "${wanted:-}" ] || check "... of which every function is old enough" [ "$(newest)" = "GLIBC $wanted" ]
check "... with nothing left to fill in" fails grep -q '@[A-Z]*@' "$readme"
for path in $(sed -n 's/^| `\([a-z/-]*\)`.*/\1/p' "$readme"); do
    check "... and $path, which it names, is there" [ -e "$folder/$path" -o "$path" = include/ ] # (no library here)
done
check "the manual comes along" [ -s "$folder/share/man/man1/sciara-run.1" -a -s "$folder/share/man/man5/sciara-case.5" ]

# Libraries that nothing here calls do nothing, and the libgdal of the machine gets its own
for name in curl crypto X11; do
    check "... lib$name stays out" [ -z "$(find "$folder/lib" -name "lib$name*" -o -name "sc-$name*")" ]
done
check "the libraries of the machine are found" cmp <("$sciara" help formats) <("$folder/bin/sciara" help formats)
missing() { ldd -r "$@" | grep 'undefined symbol'; }
check "every function that is called is there" fails missing "$folder/bin/sciara" "$folder/lib/sciara/libsciara_show.so"
check "... but for what the core takes from a program" fails grep -Ev ': (variants|batch_[a-z_]+)[[:space:]]' <(missing "$folder/lib/sciara/libsciara_serve.so")
megabytes=$(du -sm "$folder" | cut -f1)
check "... all of it has 45 MB at most ($megabytes)" [ "$megabytes" -le 45 ]

# Every library but the C library comes from the moved folder
foreign() {
    ldd "$folder/bin/sciara" "$folder"/lib/sciara/libsciara_{show,proj,serve}.so | grep ' => /' | grep -v "$work" |
        grep -Ev '/lib(c|m|dl|rt|pthread|resolv|mvec)\.so'
}
ours() { ldd "$folder/lib/sciara/libsciara_proj.so" | grep -q "$work.*sc-geotiff"; }
machines_own() { # what a library of the machine may need under the same name, but for the runtime of C++
    find "$folder/lib" -type f -name 'lib*' ! -name 'libsciara*' ! -name 'libstdc++*' ! -name 'libgcc_s*' | grep .
}
check "libgeotiff comes from the bundle" ours
check "... under a name of its own, as all others" fails machines_own
check "no library but the C library comes from elsewhere" fails foreign
check "licences come along" [ -s "$folder/share/licenses/libgeotiff5.txt" -o ! -e /etc/debian_version ]
check "... with the GPL, which they refer to" [ -s "$folder/share/licenses/GPL-3" -o ! -e /etc/debian_version ]
check "... and where the sources are" grep -q '^    libgsl[0-9]* .*: the Debian source package gsl ' "$folder/share/licenses/README.md"

# A machine that has nothing but a C library: no other libraries, no PROJ data, no shell
bare() {
    local root=$work/bare file
    mkdir -p "$root/proc" "$root/tmp" "$root/dev/shm" || return 1 # (LLVM's OpenMP writes to the last)
    for file in $(env -i LD_TRACE_LOADED_OBJECTS=1 "$folder/bin/sciara" | grep -v "$work" |
        grep -o '/[^ ]*'); do
        mkdir -p "$root${file%/*}" && cp -L "$file" "$root$file"
    done
    cp -R "$folder" "$root/sciara"
    mount -t proc proc "$root/proc" 2>/dev/null || return 1
    proc=$root/proc
}
run_bare() { env -i "$chroot" "$work/bare" /sciara/bin/sciara "$@" >"$work/log" 2>&1; }
chroot=$(PATH=$PATH:/usr/sbin:/sbin command -v chroot)
if [ "$(id -u)" = 0 ] && [ -n "$chroot" ] && bare; then
    check "it runs where there is only a C library" run_bare --version
    run_bare run --help
    check "... refers to its manual" grep -q '^file formats: man sciara-case, man sciara-output (.*/share/man)$' "$work/log"
    check "... writes a case there" run_bare terrain /tmp/case --size 40 --name hill
    dem=$work/bare/tmp/case/terrain.tif
    if command -v gdalinfo >/dev/null; then
        check "... with its coordinate system" grep -q 'ID\["EPSG",32633\]' <(gdalinfo "$dem")
    fi
    check "... reads and runs it, for all formats of its own" \
        run_bare run /tmp/case/hill.cfg 10 --format geotiff,png,svg,pdf,kmz,qgis,html,geojson --output /tmp/run
    check "... with letters of its own on its maps" fails grep -qi 'font\|pango\|cairo' "$work/log"
    cp "$work/bare/tmp/run/map_000010.png" "$work/lettered.png"
    mv "$work/bare/sciara/share/sciara/fonts" "$work/fonts"
    check "... without which it runs, too" run_bare run /tmp/case/hill.cfg 10 --output /tmp/run
    check "... and says so" grep -q '^sciara: warning: no font was found: pictures have no text' "$work/log"
    check "... for they have none" [ "$(stat -c %s "$work/lettered.png")" -gt "$(($(stat -c %s "$work/bare/tmp/run/map_000010.png") + 2000))" ]
    mv "$work/fonts" "$work/bare/sciara/share/sciara/fonts"
    printf 'vent,lon,lat\n1,15.0022677,37.6790074\n2,15.0011338,37.6781061\n' >"$work/bare/tmp/case/vents.csv"
    check "... knows where longitudes and latitudes are" run_bare run /tmp/case/hill.cfg 10 --output /tmp/run
    printf '<?xml version="1.0"?><kml></kml>' >"$work/bare/tmp/flow.kml"
    check "... refuses what needs GDAL" fails run_bare info /tmp/flow.kml
    check "... and says what to do" grep -Eq '^sciara: /tmp/flow.kml: KML, .*: ogr2ogr -f GeoJSON /tmp/flow.geojson' "$work/log"
else
    skip "a bare root, which only root can make"
fi

report
