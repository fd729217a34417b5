#!/usr/bin/python3
"""What docs/formats says of files against what commands have written: each file of these folders is described there, and
of each row of its tables of files there is one."""
import fnmatch
import os
import re
import sys

INDEX, FOLDERS = sys.argv[1], sys.argv[2:]
PICTURES = ("png", "svg", "pdf")
ENDINGS = rf"\.(tif|{'|'.join(PICTURES)}|csv|json|geojson|gpkg|kmz|html|state|cfg|qml|qgz|webp|nc|stt|asc|txt|zip)$"


def patterns(text):
    """Names in quotes; what is in capitals, a step or left out may be anything: `probability_above_Xm.tif`, `_48h`, `...`."""
    text = re.sub(r"`(\w+)\.csv`\**\s+and\s+`\.png`", r"`\1.csv` `\1.png`", text)
    for name in re.findall(r"`([^`\s/|()=]+)`", text):
        if re.search(ENDINGS, name) or re.fullmatch(r"\w+_\*|_\d+h", name):
            yield re.sub(r"\*+", "*", re.sub(r"NAME|QUANTITY|DIGEST|X(?=[mh])|\.\.\.|…|\d{6,}|^(?=_)", "*", name))


def match(name, pattern):
    """A layer has a style, and a picture its other forms."""
    stem, ending = os.path.splitext(name)
    if not re.search(ENDINGS, pattern):
        return fnmatch.fnmatch(stem, pattern)
    same = [ending] if ending[1:] not in PICTURES else ["." + p for p in PICTURES]
    same += [".tif", ".geojson"] if ending == ".qml" else []
    return any(fnmatch.fnmatch(stem + s, pattern) for s in same)


with open(INDEX, encoding="utf-8") as f:
    chapters = f.read().split("\n## Output\n")
pages = []
for chapter in chapters:
    pages.append("")
    for name in re.findall(r"^\| \[[^]]*\]\(([^)]*)\)", chapter.split("\n## Keys\n")[0], re.M):
        with open(os.path.join(os.path.dirname(INDEX), name), encoding="utf-8") as f:
            pages[-1] += f.read()
described = set(patterns("\n".join(pages)))
rows = {p for line in pages[1].split("\n") if line.startswith("| `") for p in patterns(line.split("|")[1])}
names = {f for top in FOLDERS for _, _, files in os.walk(top) for f in files}
unknown = sorted(n for n in names if not any(match(n, p) for p in described))
broken = sorted(p for p in rows if not any(match(n, p) for n in names))
print(f"{len(names)} files, {len(described)} names on the pages, {len(rows)} in their tables")
for what, found in (("no page describes", unknown), ("promised, and nobody writes", broken)):
    for name in found:
        print(f"FAILED: {what}: {name}")
sys.exit(1 if unknown or broken else 0)
