#!/bin/bash
# test_serve_page.sh — the page of `sciara serve` in a browser, headless, as people use it (serve_browser.js), and the case that
# it saved, which `sciara run` computes to the digest that the page showed.
# Run from the root of the repository, with BUILD naming the build folder.
. tests/check.sh
needs_sciara
needs "sciara serve is not built" "$sciara" help serve
needs "no node to drive a browser" command -v node
needs "no Chromium to show pages" node -e 'process.exit(require("./tests/chromium.js").findProgram() ? 0 : 1)'
export OMP_NUM_THREADS=2

# serve NAME OPERAND: starts a server, its address in $address
serve() {
    "$sciara" serve "$2" --no-open --output "$work/saved" >"$work/$1.out" 2>"$work/$1.err" &
    for ((k = 0; k < 600; k++)); do
        address=$(grep -o -m1 'http://127\.0\.0\.1:[0-9]*/?key=[^ ]*' "$work/$1.out" 2>/dev/null)
        [ -n "$address" ] && return
        sleep 0.1
    done
    echo "FAILED: no address of $1: $(cat "$work/$1.err")" && exit 1
}

"$sciara" terrain "$work/made" --size 300 --quiet || exit 1
cp data/volcano-* "$work"
sed -i 's/^repeats .*/repeats 1/; s/^vent_grid_m .*/vent_grid_m 200/' "$work/volcano-ensemble.cfg" # 64 members
serve terrain "$work/made/terrain.tif"
pages=(draw "$address")
mkdir "$work/folder" && cp -r "$work/made" "$work/folder" && echo dem >"$work/folder/wrong.cfg"
serve folder "$work/folder"
pages+=(files "$address")
call ensemble "$work/volcano-ensemble.cfg" --keep --output "$work/many" --quiet
if [ "$code" = 0 ] && [ -s "$work/many/library.gpkg" ]; then
    serve library "$work/many/library.gpkg"
    pages+=(ask "$address")
else
    skip "no library to ask: $(head -1 "$work/stderr")"
fi

AXE=
if command -v npm >/dev/null && (mkdir "$work/npm" && cd "$work/npm" && timeout 60 npm install --no-audit --no-fund --ignore-scripts --loglevel=error axe-core) >"$work/npm.log" 2>&1; then
    AXE=$work/npm/node_modules/axe-core/axe.min.js
fi
export AXE
timeout 900 node tests/serve_browser.js "$work" "${pages[@]}"
check "a browser shows and computes all of it" [ $? = 0 ]
# shellcheck disable=SC2046 # words
kill $(jobs -rp) && wait 2>/dev/null

read -r shown folder <"$work/shown" || shown='' folder=''
check "the page showed a digest" [ ${#shown} = 16 ]
call run "$folder"/*.cfg --variant reference --format geotiff --output "$work/again" --quiet
check "sciara run takes the saved case" exits 0
check "... and has the digest that the page showed" [ "$(digest "$work/again")" = "$shown" ]
report
