#!/bin/bash
# test_fetch.sh — tools/fetch-etna2006: whole data or none, nothing unchecked, the stand-in marked.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: none
. tests/check.sh
each=yes
real=${ETNA2006_DIR:-}
nowhere=http://127.0.0.1:9/nothing # the discard port: nobody answers
base=2006_000000000000

fetch() { tools/fetch-etna2006 "$@" >"$work/log" 2>&1; }
offline() { ETNA2006_DIR='' ETNA2006_URL=$nowhere SCIARA=$sciara fetch "$@"; }
says() { grep -q "$1" "$work/log"; }
nothing_left() { [ -z "$(find "$work" -name '.etna2006.*')" ]; }
whole() { [ "$(find "$1" -type f -size +0 | wc -l)" = 7 ]; }

# ---- nothing can be reached, and no program to make a stand-in
PATH=/usr/bin:/bin
export PATH
copy=$work/tree/tools/fetch-etna2006 # away from any build folder
mkdir -p "$work/tree/tools" && cp tools/fetch-etna2006 "$copy"
alone() { ETNA2006_DIR=$1 ETNA2006_URL=$2 SCIARA='' "$copy" "$work/none" >"$work/log" 2>&1; }
check "without program and data it fails" fails alone '' "$nowhere"
check "... says why" says 'build it first'
check "... and leaves nothing" [ ! -e "$work/none" ]
check "... not even temporary files" nothing_left
alone_deep() { ETNA2006_DIR='' ETNA2006_URL=$nowhere SCIARA='' "$copy" "$work/a/b/none" >"$work/log" 2>&1; }
check "nor the folders around it" fails alone_deep
check "... which are gone" [ ! -e "$work/a" ]

# ---- an option is no folder
check "its manual" fetch --help
check "... has the lines at its top" says '^  1\. the folder named in ETNA2006_DIR'
check "another option is refused" fails fetch --what
check "... by name" says '^fetch-etna2006: --what: is no option'
check "... and makes no folder" [ ! -e ./--what -a ! -e ./--help ]

# ---- files of other contents under the right names
mkdir "$work/fake"
for name in .cfg _EmissionRate.txt _Morphology.stt _RealEvent.stt _Vents.stt; do
    echo "not the published file" >"$work/fake/$base$name"
done
check "wrong files in a folder are refused" fails alone "$work/fake" "$nowhere"
check "... by their SHA-256" says "refused $base.cfg: its SHA-256"
check "... and leave nothing" [ ! -e "$work/none" ]
if command -v curl >/dev/null; then
    check "wrong files from the network are refused" fails alone '' "file://$work/fake"
    check "... by their SHA-256" says "refused $base.cfg: its SHA-256"
    check "... and leave nothing" [ ! -e "$work/none" ]
else
    skip "wrong files from the network: no curl, whose file:// addresses this uses"
fi

# ---- the stand-in
if [ -x "$sciara" ]; then
    check "without data a stand-in is made" offline "$work/etna"
    check "... which says so" says 'SYNTHETIC TERRAIN'
    check "... in SOURCE" grep -q '^SYNTHETIC TERRAIN: stand-in' "$work/etna/SOURCE"
    check "... in the terrain itself" grep -aq 'SYNTHETIC TERRAIN: stand-in' \
        "$work/etna/${base}_Morphology.asc"
    before=$(cat "$work"/etna/* | sha256sum)
    check "a second run succeeds" offline "$work/etna"
    check "... and changes nothing" [ "$before" = "$(cat "$work"/etna/* | sha256sum)" ]
    rm "$work/etna/${base}_Morphology.asc"
    check "half a stand-in is repaired" offline "$work/etna"
    check "... to the same bytes" [ "$before" = "$(cat "$work"/etna/* | sha256sum)" ]
    printf x >>"$work/etna/${base}_Morphology.asc"
    check "so is a damaged one" offline "$work/etna"
    check "... to the same bytes" [ "$before" = "$(cat "$work"/etna/* | sha256sum)" ]
    check "... without temporary files" nothing_left
else
    skip "the stand-in: $sciara is not built"
fi

# ---- the real data
if [ -n "$real" ] && [ -d "$real" ]; then
    ETNA2006_DIR=$real ETNA2006_URL=$nowhere
    export ETNA2006_DIR ETNA2006_URL
    check "the folder's data takes the place of what is there" fetch "$work/etna"
    check "... whole" whole "$work/etna"
    check "... with its origin" grep -q 'renekayr/GPU-sciara-fv2' "$work/etna/SOURCE"
    check "... and no stand-in" fails grep -rq SYNTHETIC "$work/etna"
    check "... as it was" cmp "$real/${base}_Morphology.asc" "$work/etna/${base}_Morphology.asc"
    before=$(cat "$work"/etna/* | sha256sum)
    check "real data is kept when nothing can be reached" offline "$work/etna"
    check "... to the byte" [ "$before" = "$(cat "$work"/etna/* | sha256sum)" ]
    check "... silently" [ ! -s "$work/log" ]
    rm "$work/etna/${base}_RealEvent.asc"
    check "real terrain without its outline is not replaced by a stand-in" fails offline "$work/etna"
    check "... which it says" says 'has the real terrain, but not all of its files'
    check "... and the terrain stays" cmp "$real/${base}_Morphology.asc" "$work/etna/${base}_Morphology.asc"
    check "half of the data is repaired" fetch "$work/etna"
    check "... to the same bytes" [ "$before" = "$(cat "$work"/etna/* | sha256sum)" ]

    # What else is in the folder
    echo mine >"$work/etna/notes.txt" && mkdir "$work/etna/maps" && echo mine >"$work/etna/maps/one.qgz"
    rm "$work/etna/${base}_Vents.asc"
    check "other files in the folder" fetch "$work/etna"
    check "... are kept" [ "$(cat "$work/etna/notes.txt" "$work/etna/maps/one.qgz")" = "mine
mine" ]
    check "... and the data is whole again" cmp "$real/${base}_Vents.asc" "$work/etna/${base}_Vents.asc"
    rm -r "$work/etna/notes.txt" "$work/etna/maps"
    printf '9' | dd of="$work/etna/${base}_Vents.asc" bs=1 seek=500 conv=notrunc status=none
    check "installed data that has changed is refused" fails fetch "$work/etna"
    check "... which names the file" says "${base}_Vents.asc has other contents than the published file"
    check "... and stays" fails cmp -s "$real/${base}_Vents.asc" "$work/etna/${base}_Vents.asc"
    cp "$real/${base}_Vents.asc" "$work/etna/"
    mkdir "$work/mine" && echo "my own" >"$work/mine/SOURCE"
    check "a folder with a SOURCE of its own is refused" fails fetch "$work/mine"
    check "... and stays" [ "$(cat "$work/mine"/*)" = "my own" ]
    echo "a file" >"$work/file"
    check "a file in place of the folder is refused" fails fetch "$work/file"
    check "... and stays" [ "$(cat "$work/file")" = "a file" ]
    check "a folder in a new folder" fetch "$work/new/er/etna"
    check "... is whole" whole "$work/new/er/etna"

    # As published: CRLF, .stt; but for the last line of one file, which has no end
    mkdir "$work/published"
    for name in .cfg _Morphology _RealEvent _Vents; do
        from=$real/$base$name to=$work/published/$base$name
        [ "$name" = .cfg ] || from=$from.asc to=$to.stt
        sed 's/$/\r/' "$from" >"$to"
    done
    cp "$real/${base}_EmissionRate.txt" "$work/published/"
    if command -v curl >/dev/null; then
        ETNA2006_DIR='' ETNA2006_URL=file://$work/published
        check "published files are fetched" fetch "$work/fetched"
        check "... to the same contents" cmp "$work/etna/${base}_Vents.asc" \
            "$work/fetched/${base}_Vents.asc"
        rm "$work/published/${base}_Vents.stt" && rm -r "$work/fetched"
        check "a fetch that breaks off is no data" fails alone '' "$ETNA2006_URL"
        check "... and leaves nothing" [ ! -e "$work/none" ]
    else
        skip "fetching: no curl, whose file:// addresses this uses"
    fi
    check "no temporary files" nothing_left
else
    skip "the real data: ETNA2006_DIR is unset or no folder"
fi

report
