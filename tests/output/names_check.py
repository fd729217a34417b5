# names_check.py — names of places and titles in every output, read back by parsers of Python alone: names_check.py FOLDER [ADDRESS]. The folder has
# given.json (what was given) and the folders run, ensemble and nowcast. A map leaves out a name that has no room.
import csv
import glob
import html
import html.parser
import io
import json
import re
import sqlite3
import struct
import sys
import unicodedata
import urllib.request
import xml.etree.ElementTree as xml
import zipfile

work = sys.argv[1]
given = json.load(open(f"{work}/given.json"))


def as_read(name):
    """A control character counts as a blank, and 60 bytes of whole characters of a name do (docs/formats/vectors.md)."""
    return "".join(" " if ord(c) < 32 else c for c in name.encode()[:60].decode(errors="ignore"))


# (a name that shows nothing is the number of its feature)
NAMES, TITLE = [as_read(n) if n.strip(" \u200b") else str(k + 1) for k, n in enumerate(given["names"])], given["title"]
failed = 0


def expect(true, text):
    global failed
    if not true:
        failed += 1
        print(f"FAILED: {text}")


class Texts(html.parser.HTMLParser):
    """The texts of a page by their element, without scripts and styles; and of each script by its id."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.texts, self.scripts = "", [], {}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.open = tag if tag not in ("script", "style") else f"script {dict(attributes).get('id')}"
        self.texts.append([tag, ""])

    def handle_endtag(self, tag):
        self.open = ""

    def handle_data(self, data):
        if self.open.startswith("script"):
            self.scripts[self.open[7:]] = self.scripts.get(self.open[7:], "") + data
        elif self.texts:
            self.texts[-1][1] += data


def texts_of(tree):
    return [e.text.replace("\u2068", "").replace("\u2069", "") for e in tree.iter() if e.text and e.text.strip()]


def tiff_tags(path):
    """Tags of the first image that are texts."""
    data = open(path, "rb").read()
    at, found = struct.unpack_from("<I", data, 4)[0], {}
    for i in range(struct.unpack_from("<H", data, at)[0]):
        tag, kind, count, value = struct.unpack_from("<HHII", data, at + 2 + 12 * i)
        if kind == 2 and count > 4:
            found[tag] = data[value:value + count - 1].decode()
    return found


def archive(path, ending):
    with zipfile.ZipFile(path) as z:
        return {n: xml.fromstring(z.read(n)) for n in z.namelist() if n.endswith(ending)}


def csv_names(path, column="name"):
    rows = list(csv.reader(io.StringIO(open(path, newline="").read())))
    return [row[rows[0].index(column)] for row in rows[1:]]


# ---- all names, in their order

for folder in ("run", "ensemble"):
    expect(csv_names(f"{work}/{folder}/assets.csv") == NAMES, f"{folder}/assets.csv: {csv_names(f'{work}/{folder}/assets.csv')}")
once = list(dict.fromkeys(csv_names(f"{work}/nowcast/nowcast_places.csv", "place")))
expect(once == NAMES, f"nowcast_places.csv: {once}")
for folder in ("run", "ensemble", "nowcast"):
    page = Texts(open(f"{work}/{folder}/report.html").read())
    facts = json.loads(page.scripts["facts"])
    names = [a["name"] for a in facts["assets"]]
    expect(names == NAMES, f"{folder}/report.html: {names}")
    for table, column in (("assets.csv", "name"), ("nowcast_places.csv", "place")):
        table = facts["tables"].get(table)
        names = list(dict.fromkeys(r[table["columns"].index(column)] for r in table["rows"])) if table else NAMES
        expect(names == NAMES, f"{folder}/report.html, table: {names}")
    title = next(text for tag, text in page.texts if tag == "title").strip()
    expect(title.startswith(TITLE), f"{folder}/report.html: the title {title!r}")
    kind = facts["summary"].get("case") or facts["summary"]["plan"]
    summary = json.load(open(f"{work}/{folder}/summary.json"))
    said = (summary.get("case") or summary["plan"])["title"]
    expect(kind["title"] == said == TITLE, f"{folder}: summary.json has the title {said!r}, the page {kind['title']!r}")
bulletin = Texts(open(f"{work}/nowcast/bulletin.html").read())
cells = [text for tag, text in bulletin.texts if tag == "td"]
in_cells = list(dict.fromkeys(c for c in cells if c in NAMES))
expect(len(in_cells) > 11 and in_cells == NAMES[:len(in_cells)], f"bulletin.html: {in_cells}")
rest = "".join(text for _, text in bulletin.texts)
for text in [TITLE, *NAMES]:
    rest = rest.replace(text, "")
expect(not re.search("&(amp|lt|gt|quot);", rest), f"bulletin.html: a name is escaped twice: {rest}")
expect(any(text.startswith(TITLE) for _, text in bulletin.texts), "bulletin.html has no title")

# ---- what is a program's

leftward = 0

for path in glob.glob(f"{work}/*/*.svg"):
    said = texts_of(xml.parse(path))
    labels = [s for s in said if "\u2026" not in s and any(len(n) > 3 and s.startswith(n[:12]) for n in NAMES)]
    wrong = [s for s in labels if not any(s in n or s.startswith(n + ":") for n in NAMES)]  # (a long one has several lines)
    expect(not wrong, f"{path}: {wrong}")
for path in glob.glob(f"{work}/*/map_*.svg"):
    for e in xml.parse(path).iter():
        # a name from right to left stands by itself, in its direction, or is kept from what follows it
        if e.text and unicodedata.bidirectional(e.text[0]) == "R":
            expect(e.get("direction") == "rtl" and ": " not in e.text, f"{path}: {e.attrib} {e.text!r}")
        leftward += bool(e.text) and any(unicodedata.bidirectional(c) == "R" for c in e.text)
expect(leftward > 2, f"{leftward} labels from right to left")
maps = [s for path in glob.glob(f"{work}/*/map_*.svg") for s in texts_of(xml.parse(path))]
on_maps = [n for n in NAMES if any(s == n or s.startswith(n + ":") for s in maps)]
expect(len(on_maps) > 3 and TITLE in maps, f"maps: {on_maps}, the title {TITLE in maps}")
for path in glob.glob(f"{work}/*/*.qml"):
    xml.parse(path)
for path, folder in ((f"{work}/run/run.kmz", "run"), (f"{work}/ensemble/ensemble.kmz", "ensemble")):
    document = archive(path, ".kml")["doc.kml"][0]
    name = next(e.text for e in document if e.tag.endswith("name"))
    expect(name == TITLE, f"{path}: {name!r}")
    for e in document.iter():
        if e.tag.endswith("description") and e.text:
            Texts(e.text)
            expect(not re.search("<(b|x)>", e.text.lower()), f"{path}: a description has elements of a name: {e.text[:200]}")
project = next(iter(archive(f"{work}/run/run.qgz", ".qgs").values()))
expect(project.get("projectname") == TITLE or TITLE in texts_of(project), f"run.qgz: {project.get('projectname')!r}")
named = 0
for path in glob.glob(f"{work}/*/*.tif"):
    for tag, text in tiff_tags(path).items():
        if tag == 42112:
            items = {e.get("name"): html.unescape(e.text or "") for e in xml.fromstring(text)}  # (GDAL escapes a value, and then the element)
            named += "/run/" in path and items.get("CASE") == given["name"]
            expect("/run/" not in path or items.get("CASE", given["name"]) == given["name"], f"{path}: the case {items.get('CASE')!r}")
expect(named > 3, f"{named} layers name their case")
for path in glob.glob(f"{work}/*/*.geojson"):
    json.load(open(path))
for path in glob.glob(f"{work}/*/*.gpkg"):
    with sqlite3.connect(path) as db:
        expect(db.execute("SELECT count(*) FROM gpkg_contents").fetchone()[0] > 0, path)
        for table, in db.execute("SELECT table_name FROM gpkg_contents").fetchall():
            db.execute(f'SELECT * FROM "{table}" LIMIT 1').fetchall()
try:
    import netCDF4
    with netCDF4.Dataset(f"{work}/run/run.nc") as file:
        expect(file.title == TITLE, f"run.nc: {file.title!r}")
except ImportError:
    print("skipped: run.nc: python3 has no netCDF4")

# ---- the terminal: a name, or as much of it as has room, and no control character

for name, most, shown in (("ensemble", 60, NAMES[:12]), ("nowcast", 40, NAMES)):
    lines = open(f"{work}/{name}.txt").read()
    expect(not re.search(r"[\x00-\x09\x0b-\x1f]", lines), f"{name}: control characters on the terminal")
    missing = [n for n in shown if not any(line.strip().startswith(n[:most]) for line in lines.splitlines())]
    expect(not missing, f"{name}: not on the terminal: {missing}")

# ---- the page of `sciara serve`, of which the key is given

if len(sys.argv) > 2:
    with urllib.request.urlopen(sys.argv[2]) as answer:
        facts = json.loads(Texts(answer.read().decode()).scripts["facts"])
    names = [p["name"] for p in facts["drawing"]["places"]]
    expect(names == NAMES and facts["title"] == TITLE, f"the page: {facts['title']!r} {names}")

print(f"{len(NAMES)} names, {len(on_maps)} of them on maps")
sys.exit(failed > 0)
