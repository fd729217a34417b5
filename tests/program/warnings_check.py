"""warnings_check.py FOLDER [KIND TEXT]...: whether what summary.json lists in "warnings" is told to those whom its kind is for.

Of a result a sentence stands once on every map (SVG) and page of the folder; of the input and of numerics on none. A command,
FOLDER/said, says each once, and notes never. Sentences of results are in all languages of the page. The list has each KIND
and TEXT that is named, and nothing else."""

import html
import json
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
expected = list(zip(sys.argv[2::2], sys.argv[3::2]))
told = json.loads((folder / "summary.json").read_text())["warnings"]
wrong = []


def read(path: pathlib.Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".svg":
        text = " ".join(re.findall(r"<text[^>]*>(.*?)</text>", text, re.S))
    elif facts := re.search(r'<script type="application/json" id="facts">(.*?)</script>', text, re.S):
        text = json.dumps(json.loads(facts[1]), ensure_ascii=False)
    return " ".join(html.unescape(text).split()).lower()


def expect(where: object, text: str, sentence: str, times: int) -> None:
    found = text.count(sentence.lower())
    if found != times:
        wrong.append(f"{where}: {found} times, not {times}: {sentence}")


for kind, part in expected:
    if not any(w["kind"] == kind and part in w["text"] for w in told):
        wrong.append(f"no warning of kind {kind}: {part}")
if len(told) != len(expected):
    wrong.append(f"{len(told)} warnings, not {len(expected)}: {[w['text'] for w in told]}")
table = (pathlib.Path(__file__).parents[2] / "src/input/text/words.tsv").read_text(encoding="utf-8")
rows = {line.split("\t")[0] for line in table.splitlines()}


def fill(said: object) -> str:
    """A text that is packed: a row, or a list of it and its values."""
    if isinstance(said, str):
        return said
    text, *values = said
    for value in values:
        text = text.replace("{}", fill(value), 1)
    return text


shown = [p for p in sorted(folder.iterdir()) if p.suffix == ".html" or (p.suffix == ".svg" and p.name.startswith("map"))]
if not shown:
    wrong.append("neither a map nor a page")
said = " ".join((folder / "said").read_text().split()).lower()
for w in told:
    packed = w.get("said", w["text"])
    if w["kind"] == "result" and (packed if isinstance(packed, str) else packed[0]) not in rows:
        wrong.append(f"not in words.tsv: {packed}")
    if fill(packed) != w["text"]:
        wrong.append(f"is said otherwise: {packed}, {w['text']}")
    expect("command", said, w["text"], w["kind"] != "numerics")
    for path in shown:
        text = read(path)
        expect(path.name, text, w["text"], w["kind"] == "result")
        if "remedy" in w and w["remedy"].lower() in text:
            wrong.append(f"{path.name}: {w['remedy']}")
        for word in ("Pclock", "calibrated_cell_m", " row ", "Warning: ") if w["kind"] == "result" else ():
            if word in w["text"]:
                wrong.append(f"not in words of a duty officer: {w['text']}")
for line in wrong:
    print(line)
sys.exit(bool(wrong))
