# shellcheck shell=bash
# axe.sh — for tests of pages: AXE is axe-core, which finds what not everybody can use, or empty where npm cannot fetch it. It
# stays in the build folder, as what is compiled does. Source it after check.sh.
# shellcheck disable=SC2154 # of check.sh
export AXE=$build/axe/axe.min.js
if [ ! -s "$AXE" ]; then
    mkdir -p "$build/axe" "$work/npm"
    fetched=$work/npm/node_modules/axe-core/axe.min.js
    (cd "$work/npm" && command -v npm && timeout 60 npm install --no-audit --no-fund --ignore-scripts --loglevel=error axe-core) >"$work/npm.log" 2>&1 &&
        cp "$fetched" "$AXE.$$" && mv "$AXE.$$" "$AXE" || AXE=
fi
