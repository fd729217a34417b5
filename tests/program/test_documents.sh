#!/bin/bash
# test_documents.sh — the pages: README.md is short, docs/README.md and docs/formats.md list every page, links lead to files and headings, and
# what pages name is in the sources.
# Run from the root of the repository.
# tests: none
. tests/check.sh
needs "python3 is not installed" command -v python3
needs "this is not a git repository" git rev-parse --git-dir

check "README.md has at most 1,000 words" [ "$(wc -w <README.md)" -le 1000 ]
for page in docs/*.md; do
    [ "$page" = docs/README.md ] || check "docs/README.md lists $page" grep -qF "](${page#docs/})" docs/README.md
done
for page in docs/formats/*.md; do
    check "docs/formats.md lists $page" grep -qF "](${page#docs/})" docs/formats.md
    check "... which has at most 4,000 words" [ "$(wc -w <"$page")" -le 4000 ]
done
cat >"$work/links.py" <<'END'
import pathlib, re, subprocess, sys
pages = [p for p in subprocess.check_output(["git", "ls-files", "*.md"], text=True).split() if pathlib.Path(p).exists()]
def anchor(heading):  # as GitHub makes it
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip()).replace("`", "").lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
text = {str(pathlib.Path(p).resolve()): pathlib.Path(p).read_text(encoding="utf-8") for p in pages}
anchors = {p: {anchor(h) for h in re.findall(r"^#+ (.*)", t, re.M)} for p, t in text.items()}
bad = links = 0
for page, t in text.items():
    for target in re.findall(r"\]\(([^)\s]+)\)", t):
        if re.match(r"[a-z]+:", target): continue
        path, _, name = target.partition("#")
        there = str((pathlib.Path(page).parent / path).resolve()) if path else page
        links += 1
        if not pathlib.Path(there).exists() or (name and there in anchors and name not in anchors[there]):
            print(f"{page}: {target} leads nowhere")
            bad += 1
sys.exit(bad > 0 or links < 100)
END
check "links lead to files and headings" /usr/bin/python3 "$work/links.py"
cat >"$work/sources.py" <<'END'
import pathlib, re, subprocess, sys
files = [f for f in subprocess.check_output(["git", "ls-files"], text=True).split() if pathlib.Path(f).exists()]
text = "".join(pathlib.Path(f).read_text(encoding="utf-8") for f in files if re.fullmatch(r"(src|include|tests)/.*\.(c|h|cu|sh)", f))
names, bad, found = set(re.findall(r"\w+", text)), 0, 0
for page in [f for f in files if f.endswith(".md") and f != "CHANGELOG.md"]:
    t = pathlib.Path(page).read_text(encoding="utf-8")
    sources = [s for s in re.findall(r"`([\w/.-]+\.(?:c|h|cu|sh|js))`", t) if not re.search(r"[A-Z]{4}|^mpi\.h$", s)]
    gone = [s for s in sources if not any(f == s or f.endswith("/" + s) for f in files)]
    gone += [f + "()" for f in re.findall(r"`(\w+)\(\)`", t) if f not in names]
    gone += [f"{name} in {s}" for name, s in re.findall(r"`(\w+)` in `(\w[\w/]*\.[ch])`", t)
             if not any(("/" + f).endswith("/" + s) and re.search(rf"\b{name}\b", pathlib.Path(f).read_text(encoding="utf-8")) for f in files)]
    for s in gone:
        print(f"{page}: {s} is not in the sources")
    bad, found = bad + len(gone), found + len(sources)
sys.exit(bad > 0 or found < 100)
END
check "files and functions that pages name are in the sources" /usr/bin/python3 "$work/sources.py"

# ---- the manual has each page that one of its pages links to
cat >"$work/linked.py" <<'END'
import pathlib, re, sys
patterns = re.findall(r'"([^"]+)"', re.search(r"include_patterns = \[(.*?)\]", pathlib.Path("docs/manual/conf.py").read_text(encoding="utf-8"))[1])
pages = {p.resolve() for pattern in patterns for p in pathlib.Path(".").glob(pattern.replace("**.md", "**/*.md"))}
linked = [(p, (p.parent / name).resolve()) for p in pages for name in re.findall(r"\]\(([^)#\s:]+\.md)[)#]", p.read_text(encoding="utf-8"))]
gone = [f"{page}: {to} is not in the manual" for page, to in linked if to not in pages]
print("\n".join(gone))
sys.exit(bool(gone) or len(linked) < 100)
END
check "pages that the manual links to are in it" /usr/bin/python3 "$work/linked.py"

# ---- the manual in HTML, of a few pages: the real ones take ten times as long
if command -v sphinx-build >/dev/null && /usr/bin/python3 -c 'import myst_parser, furo' 2>/dev/null; then
    mkdir -p "$work/tree/tools" "$work/tree/docs/manual" "$work/tree/docs/formats" "$work/tree/build/bin"
    cp tools/manual "$work/tree/tools" && cp docs/manual/* "$work/tree/docs/manual"
    for page in studies tests tests/mutants tools; do mkdir -p "$work/tree/$page" && echo "# $page" >"$work/tree/$page/README.md"; done
    cd "$work/tree" || exit 1
    echo '# Start' >README.md
    printf '# Pages\n\n[formats.md](formats.md), [jobs](formats/)\n\nEtna 2006: [guide](guide.md)\n' >docs/README.md
    printf '# Files\n\n[vents](formats/vents.md#times-of-vents)\n' >docs/formats.md
    printf '# Vents\n\n## Times of vents\n\nsnowmobile\n' >docs/formats/vents.md
    echo '# Guide' >docs/guide.md
    printf '#!/bin/sh\n[ "$*" = "help --options" ] && echo run || echo "usage: $1"\n' >build/bin/sciara && chmod +x build/bin/sciara
    check "the manual is built of pages as they are" tools/manual build
    check "... a link leads to a heading of a page in a folder" grep -q 'href="formats/vents.html#times-of-vents"' build/manual/html/docs/formats.html
    check "... which is at the side, below its page" grep -q 'toctree-l2.*href="formats/vents.html"' build/manual/html/docs/README.html
    check "... below what the list of pages says" grep -q 'caption-text">Etna 2006<' build/manual/html/docs/README.html
    check "... with the help of a command" grep -q 'usage: run' build/manual/html/commands/run.html
    check "... and its search knows the words" grep -q 'snowmobil[":]' build/manual/html/searchindex.js
    check "... and the script of its theme needs no server" node -e 'new vm.Script(fs.readFileSync("build/manual/html/_static/scripts/furo.js", "utf8"))'
    style=build/manual/html/_static/styles/furo.css
    check "... nor does its style, which is dark where the system is" [ "$(grep -c '@import' $style) $(grep -c 'prefers-color-scheme: dark' $style)" = '0 1' ]
    check "... and has the changelog last" node -e 'eval(fs.readFileSync("build/manual/html/_static/language_data.js", "utf8") + `
        const at = (page) => Scorer.score([page, "", "", "", Scorer.term, ""]);
        process.exit(at("docs/formats/case") > at("docs/model") && at("docs/model") > at("CHANGELOG") ? 0 : 1)`)'
    echo '[nowhere](formats/vent.md), [gone](guide.md#no-heading)' >>docs/guide.md
    keep tools/manual build
    check "a link that leads nowhere is refused" [ "$code" != 0 ]
    check "... and named" [ "$(grep -c 'guide.md:.*not found' "$work/stderr")" = 2 ]
    cd "$OLDPWD" || exit 1
else
    skip "the manual: sphinx, myst-parser or furo is not installed (tools/install-dependencies manual)"
fi
report
