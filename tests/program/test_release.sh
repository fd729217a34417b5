#!/bin/bash
# test_release.sh — the version: the same wherever it stands, with the commit in what is built, and what a tag, a
# change or an archive make of it. Run from the root of the repository, with BUILD naming the build folder.
# tests: none
. tests/check.sh
each=yes
unset MAKEFLAGS MFLAGS MAKELEVEL SCIARA_BUILD
export OMP_NUM_THREADS=1

# ---- one version
version=$(sed -n 's/^#define SCIARA_VERSION "\(.*\)".*/\1/p' include/sciara.h)
check "there is a version" grep -Eqx '[0-9]+\.[0-9]+\.[0-9]+' <<<"$version"
check "the newest of CHANGELOG.md" [ "$(sed -n 's/^## \([0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)" = "$version" ]
check "that of the Python package" grep -q "^version = \"$version\"" python/pyproject.toml
check "that of debian/changelog" grep -q "^sciara ($version) " <(head -n 1 debian/changelog)
check "that of CITATION.cff" grep -qx "version: \"$version\"" CITATION.cff
check "what users notice fits on two pages" [ "$(awk -v head="## $version" '/^## / { on = index($0, head) == 1 } on' CHANGELOG.md | wc -c)" -le 8192 ]
if /usr/bin/python3 -c 'import yaml' 2>/dev/null; then
    cat >"$work/cff.py" <<'PY'
import json
import re
import yaml

cff = yaml.safe_load(open("CITATION.cff", encoding="utf-8"))
known = {"abstract", "authors", "cff-version", "date-released", "keywords", "license", "message", "references",
         "repository-code", "title", "type", "version"}
assert set(cff) <= known and {"authors", "cff-version", "message", "title"} <= set(cff), set(cff)
assert cff["cff-version"] == "1.2.0" and cff["type"] == "software" and cff["license"] == "MIT"
assert cff["authors"] == [{"name": "The sciara contributors"}]
article, data = cff["references"]
assert data["type"] == "data" and {"title", "authors", "license", "url", "commit"} < set(data)
assert article["type"] == "article" and article["title"] and article["year"] == 2010
assert all(set(a) == {"family-names", "given-names"} for a in article["authors"]) and len(article["authors"]) == 6
assert re.fullmatch(r"10\.\d{4,9}/\S+", article["doi"]) and article["doi"] in open("README.md", encoding="utf-8").read()
PY
    cat >>"$work/cff.py" <<'PY'

# codemeta.json says the same
meta = json.load(open("codemeta.json", encoding="utf-8"))
assert meta["@context"] == "https://w3id.org/codemeta/3.0" and meta["type"] == "SoftwareSourceCode"
assert meta["version"] == cff["version"] and meta["description"] == cff["abstract"] and meta["keywords"] == cff["keywords"]
assert meta["license"].endswith("/" + cff["license"]) and [a["name"] for a in meta["author"]] == [a["name"] for a in cff["authors"]]
assert meta["referencePublication"]["identifier"].endswith(article["doi"]) and meta["referencePublication"]["name"] == article["title"]
assert meta["datePublished"] == str(cff.get("date-released", ""))
PY
    check "CITATION.cff and codemeta.json are what their formats ask for" /usr/bin/python3 "$work/cff.py"
else
    skip "CITATION.cff: no yaml module of Python"
fi

# ---- tools/version, in a repository of its own
mkdir -p "$work/tree/tools" "$work/tree/include"
cp include/sciara.h "$work/tree/include"
cp tools/version tools/archived-commit "$work/tree/tools"
cp .gitattributes "$work/tree"
# shellcheck disable=SC2016 # for git
check "git archive is asked for the commit" [ "$(cat tools/archived-commit)" = '$Format:%H %D$' ]
says() { [ "$("$work/tree/tools/version")" = "$1" ] || { "$work/tree/tools/version" && false; }; }
check "sources without git have the plain version" says "$version"
if command -v git >/dev/null; then
    export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_{AUTHOR,COMMITTER}_{NAME,EMAIL}=test
    git() { command git -C "$work/tree" "$@"; }
    archived() { # what the sources in an archive of HEAD say
        rm -rf "$work/archive" && mkdir "$work/archive" && git archive HEAD | tar -C "$work/archive" -xf - &&
            [ "$("$work/archive/tools/version")" = "$1" ]
    }
    git init -q && git add . && git commit -qm "a commit"
    commit=$(git rev-parse HEAD | cut -c1-7)
    check "a commit is named" says "$version+g$commit"
    check "... in an archive, too" archived "$version+g$commit"
    echo >>"$work/tree/include/sciara.h"
    check "a change is told" says "$version+g$commit.dirty"
    git tag "v$version"
    check "... in a release, too" says "$version+g$commit.dirty"
    git checkout -q .
    : >"$work/tree/another"
    check "a file that is not in the repository is no change" says "$version"
    check "a release has the plain version" says "$version"
    check "... in an archive, too" archived "$version"
    check "what is built elsewhere can be told" [ "$(SCIARA_BUILD=1+g2 "$work/tree/tools/version")" = 1+g2 ]
    unset -f git
else
    skip "commits: git is not installed"
fi

# ---- what is built
if [ ! -x "$sciara" ]; then
    skip "what is built: $sciara is not"
    report
    exit
fi
said=$("$sciara" --version | head -n 1)
check "--version has the version" grep -Eqx "sciara ${version//./\\.}(\+g[0-9a-f]{7}(\.dirty)?)?" <<<"$said"
if [ -e .git ] && [ -z "$(git tag --points-at HEAD)" ]; then
    check "... and the commit" grep -q '+g[0-9a-f]\{7\}' <<<"$said"
fi
"$sciara" terrain "$work/case" --size 32 --quiet
"$sciara" run "$work/case/volcano.cfg" 20 --quiet --output "$work/run" --map-size 300x300 --map-dpi 72 || exit 1
check "so has summary.json" grep -q "\"version\":.*\"${said#sciara }\"" "$work/run/summary.json"
check "... and a layer" grep -aq "SCIARA_VERSION\">${said#sciara }<" "$work/run/total_thickness_m_000020.tif"

# Another commit: one object is compiled, and the core and programs are linked; no test is made again. Objects come from the build.
mkdir "$work/build" && cp -Rp "$build/obj" "$build/parts.a" "$build/shared" "$work/build"
made() { # made COMMIT: what make says it does
    SCIARA_BUILD=$1 make NVCC= BUILD="$work/build" "$work/build/bin/sciara" "$work/build/tests/test_vents" |
        sed -n "s|^  \([A-Z]*\) *$work/build/|\1 |p" | sort | tr '\n' ' '
}
made 1+g1 >"$work/first"
check "at first a test is made" grep -q 'CC tests/test_vents' "$work/first"
check "then nothing" [ -z "$(made 1+g1)" ]
check "at another commit one object is, and the program" \
    [ "$(made 1+g2)" = "CC obj/src/library/version.o LINK bin/sciara LINK lib/sciara/libsciara_core.so " ]
check "... which names it" [ "$("$work/build/bin/sciara" --version | head -n 1)" = "sciara 1+g2" ]
report
