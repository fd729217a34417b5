"""The manual in HTML (`make manual`), by Sphinx: the pages of docs as they are, in the order of docs/README.md."""
import pathlib
import re

project = html_title = "Sciara"
extensions = ["myst_parser"]
myst_heading_anchors = 5  # as GitHub names headings
root_doc = "docs/README"
include_patterns = ["*.md", "*/README.md", "docs/**.md", "tests/mutants/README.md", "commands/*.md"]
html_theme = "furo"
html_show_sourcelink = html_show_copyright = html_show_sphinx = html_use_index = False
smartquotes = False
highlight_language = "none"
html_search_scorer = str(pathlib.Path(__file__).with_name("scorer.js"))
SIDE = {"../web/README": "sciara in pages and node"}  # what the side calls pages whose heading would be unclear there


def pages_named(text):
    """The pages that docs/README.md names, in its order: [caption, pages], by what stands before the colon of a paragraph."""
    groups = [["", ["../README"]]]
    for line in text.splitlines():
        if re.match(r"[A-Z][^|:\[\]]*:", line):
            groups.append([line[: line.index(":")], []])
        for page in re.findall(r"\]\(([^)#\s]+)\.md\)", line):
            groups[-1][1].append(f"{SIDE[page]} <{page}>" if page in SIDE else page)
    return groups


def pages_beside(app, page, text):
    """What stands at the side below a page: all of docs below docs/README, what PAGE names of a folder docs/PAGE, in its order, below PAGE."""
    if page == root_doc:
        groups = pages_named(text)
        groups[-1][1] += ["../studies/README", "../tests/README", "../tests/mutants/README", "../tools/README"]
        return [*groups, ["Commands", ["../commands/*"]]]
    named = re.findall(rf"\]\(({page.rpartition('/')[2]}/[\w-]+)\.md[)#]", text)
    return [["", list(dict.fromkeys(named))]] if named else []


def complete(app, page, source):
    """A page with lists for the side; links to folders, of which there is no page, become text."""
    here = pathlib.Path(app.srcdir, page).parent
    text = re.sub(r"\[([^\]]+)\]\(([^)\s#:]+)\)", lambda m: m[1] if (here / m[2]).is_dir() else m[0], source[0])
    for caption, pages in pages_beside(app, page, source[0]):
        options = ":hidden:\n:glob:\n" + (f":caption: {caption}\n" if caption else "")
        text += "\n\n```{toctree}\n" + options + "\n" + "\n".join(pages) + "\n```\n"
    source[0] = text


def make_plain(app, error):
    """Debian's theme imports a script and a style, which a page from a disk may not do: both come into the files that import
    them. Its dark colours are also for systems that ask for dark pages."""
    if error:
        return
    static = pathlib.Path(app.outdir, "_static")
    script, style = static / "scripts/furo.js", static / "styles/furo.css"
    text = script.read_text(encoding="utf-8")
    if imported := re.match(r'import \w+ from "\./(.*)";\n', text):
        script.write_text(script.with_name(imported[1]).read_text(encoding="utf-8") + text[imported.end() :], encoding="utf-8")
    text = style.read_text(encoding="utf-8")
    if imported := re.match(r"@import url\((/javascript/.*?)\);", text):
        text = pathlib.Path("/usr/share" + imported[1]).read_text(encoding="utf-8") + text[imported.end() :]
    dark = re.search(r'@media not print (\{\s+body\[data-theme="dark"\].*?\} \})', text, re.S)
    if dark and "prefers-color-scheme" not in text:
        text += "@media screen and (prefers-color-scheme: dark) " + dark[1].replace('"dark"', '"auto"')
    style.write_text(text, encoding="utf-8")


def setup(app):
    app.connect("source-read", complete)
    app.connect("build-finished", make_plain)
