#!/usr/bin/env python3
"""one_number.py KIND FOLDER [LIBRARY] — whether a place has one number wherever it stands in a folder of results: on the
terminal (FOLDER.txt), in CSV, the layers of its cell, the labels of maps (SVG), and what report.html and bulletin.html have.
Standard library alone; by the description of the files (docs/formats.md), and its own way to say a probability.

With a file alone, it takes these words from standard input (tests/parts.py), before them NAME=VALUE of the environment.

KIND: run, ensemble, pairs, nowcast, or bulletin: its page alone, in a language (en), with members.csv of a folder (of a nowcast $MEMBERS). LIBRARY: members by which the probabilities of an ensemble are counted anew, with the
weights of members.csv. Prints what differs; at its end what it has compared."""
import base64
import csv
import datetime
import functools
import html
import http.client
import io
import itertools
import json
import math
import os
import re
import shlex
import struct
import sys
import urllib.parse
import zipfile
import zlib
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal

from library_check import Library, read_places

COMPARED = {}


def agree(what, one, other, by=0.0):
    """Counts a comparison; NaN (nothing) agrees with NaN."""
    COMPARED[what] = COMPARED.get(what, 0) + 1
    equal = one == other if isinstance(one, str) else one == other or abs(one - other) <= by or (math.isnan(one) and math.isnan(other))
    if not equal:
        print(f"{what}: {one!r}, and {other!r}")
        COMPARED["wrong"] = COMPARED.get("wrong", 0) + 1


def brief(x):
    """A number for people, wherever it stands: of three digits (roundnum_brief, and brief(x, 3) of the page)."""
    return f"{x:,.0f}" if 100 <= abs(x) < 1e9 else f"{x:.3g}"


def digits(x, decimals):
    return x.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


def two_digits(x):
    decimals = max(0, 1 - x.adjusted())
    if digits(x, decimals).adjusted() > x.adjusted():
        decimals = max(0, decimals - 1)
    return digits(x, decimals), decimals


def short(x):
    text = format(x, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def said(p, members):
    """A probability with its range, by the effective number of members."""
    p, n = Decimal(p), Decimal(members)
    rest, high = min(p, 1 - p), p > Decimal("0.5")
    k = rest * n if rest > Decimal("1e-5") else 0
    bound = 100 * (1 - (Decimal("0.05").ln() * (1 + Decimal("0.5835") * k) / n).exp())
    digit = Decimal(1).scaleb(-two_digits(bound)[1])
    bound = (bound - digit / 1000000).quantize(digit, ROUND_CEILING)
    bound, way = (short(100 - bound), "above") if high else (short(bound), "below")
    if rest < Decimal("1e-5"):
        return f"{'all' if high else 'none'} of {digits(n, 0)} ({way} {bound} %)"
    few = rest * n < 1 - Decimal("1e-9")
    unknown = 1 - (Decimal("0.05").ln() / n).exp()
    if unknown > Decimal("0.33") and rest < unknown:
        return f"{way} {bound} %" if few else f"{digits(p * n, 0)} of {digits(n, 0)}"
    if few:
        least = two_digits(100 * rest)[0]
        return f"{short(100 - least if high else least)} % ({way} {bound} %)"
    error, decimals = two_digits(100 * (p * (1 - p) / n).sqrt())
    return f"{digits(100 * p, decimals)} % ± {error}"


def told(p, members, seen=math.nan):
    """The same of a place where lava was seen, at that hour."""
    return said(p, members) if math.isnan(seen) else f"reached, seen at {seen:g} h"


def hours(row, step=1):
    """When lava arrives, in 5 to 95 % of the members where it does, in classes of `arrival_bin_h`; "": in none of them, to
    the digits of a probability, or lava was seen there."""
    if not row["arrival_p05_h"] or float(row["probability"]) < 1e-5 or row.get("reached_h"):
        return ""
    ends = (Decimal(row["arrival_p05_h"]), ROUND_FLOOR), (Decimal(row["arrival_p95_h"]) + Decimal(repr(step)), ROUND_CEILING)
    return " to ".join(short(x.quantize(Decimal(1).scaleb(-(2 if x < 10 else 1 if x < 100 else 0)), way)) for x, way in ends) + " h"


class Layer:
    """A GeoTIFF of one band as the program writes it: 32-bit numbers in tiles, deflated after the predictor of such numbers."""

    def __init__(self, path, data=None):
        if data is None:
            with open(path, "rb") as f:
                data = f.read()
        self.data = data
        assert self.data[:4] == b"II*\0"
        at = struct.unpack_from("<I", self.data, 4)[0]
        self.tag = {}
        for i in range(struct.unpack_from("<H", self.data, at)[0]):
            tag, kind, count = struct.unpack_from("<HHI", self.data, at + 2 + 12 * i)
            where = at + 2 + 12 * i + 8
            if count * {3: 2, 4: 4}.get(kind, 8) > 4:
                where = struct.unpack_from("<I", self.data, where)[0]
            if kind in (3, 4):
                self.tag[tag] = struct.unpack_from(f"<{count}{'H' if kind == 3 else 'I'}", self.data, where)
        self.tiles = {}
        assert self.tag[258] == (32,) and self.tag[317] == (3,), "32 bits with predictor 3"

    @functools.cache
    def line(self, tile, row):
        """A row of a tile as four planes of bytes; None: the tile has nothing."""
        begin, size = self.tag[324][tile], self.tag[325][tile]
        if not size:
            return None
        if tile not in self.tiles:
            self.tiles[tile] = zlib.decompress(self.data[begin:begin + size])
        wide = 4 * self.tag[322][0]
        return bytes(total & 255 for total in itertools.accumulate(self.tiles[tile][row * wide:][:wide]))

    def at(self, row, col):
        wide, high = self.tag[322][0], self.tag[323][0]
        planes = self.line(row // high * -(-self.tag[256][0] // wide) + col // wide, row % high)
        value = struct.unpack(">f", planes[col % wide::wide])[0] if planes else -9999
        return math.nan if value == -9999 else value

    def rows(self):
        """Of all cells."""
        return [[self.at(row, col) for col in range(self.tag[256][0])] for row in range(self.tag[257][0])]


class Report:
    """What report.html has within it: tables, and layers of cells in 16-bit numbers."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            page = f.read()
        self.facts = json.loads(re.search(r'id="facts">(.*?)</script>', page, re.S)[1])
        self.bytes = zlib.decompress(base64.b64decode(re.search(r'id="numbers">(.*?)</script>', page, re.S)[1]))
        cells = self.facts["cells"]
        mask = self.facts["arrays"][cells["mask"]]
        bits = self.bytes[mask["at"]:mask["at"] + (mask["count"] + 7) // 8]
        inside = (i for i in range(mask["count"]) if bits[i >> 3] & 128 >> (i & 7))
        self.number = {(cells["row0"] + i // cells["cols"], cells["col0"] + i % cells["cols"]): n for n, i in enumerate(inside)}

    @functools.cache
    def array(self, number):
        a = self.facts["arrays"][number]
        low, high = (self.bytes[a["at"] + k * a["count"]:][:a["count"]] for k in (0, 1))
        before, last, last_before, out = self.array(a["before"])[0] if "before" in a else None, 0, 0, []
        for i, (x, y) in enumerate(zip(low, high)):
            folded = x | y << 8
            step = ~(folded >> 1) if folded & 1 else folded >> 1
            if before:
                step, last_before = step + before[i] - last_before, before[i]
            last = last + step & 65535
            out.append(last)
        return out, a

    def at(self, name, row, col):
        """The value of a layer, and half the step of its numbers."""
        layer = next(x for x in self.facts["layers"] if x["name"] == name)
        number = layer["array"] if "array" in layer else layer["states"][-1]["array"]
        quanta, a = self.array(number)
        n = self.number.get((row, col))
        if n is None or quanta[n] == 65535:
            return math.nan, 0
        return a["base"] + a["unit"] * quanta[n], 0.51 * a["unit"]

    def layers(self):
        return [x["name"] for x in self.facts["layers"]]

    def table(self, name):
        table = self.facts["tables"][name]
        return [dict(zip(table["columns"], row)) for row in table["rows"]]


class Folder:
    def __init__(self, path):
        self.path = path
        with open(f"{path}/summary.json", encoding="utf-8") as f:
            self.summary = json.load(f)
        with open(f"{path}.txt", encoding="utf-8") as f:
            self.terminal = f.read().splitlines()

    def has(self, name):
        return os.path.exists(f"{self.path}/{name}") or name in self.record().namelist()

    def record(self):
        return zipfile.ZipFile(f"{self.path}/record.zip")

    def table(self, name, folder=None):
        """Its file, or what the record has."""
        folder = folder or self.path
        path = f"{folder}/{name}"
        data = open(path, "rb").read() if os.path.exists(path) else zipfile.ZipFile(f"{folder}/record.zip").read(name)
        return list(csv.DictReader(io.StringIO(data.decode())))

    def lines(self, name):
        """What the terminal has after the name of a place."""
        return [line[2 + len(name):].strip() for line in self.terminal if line.startswith(f"  {name} ")]

    def labels(self, name):
        """Of a map, by place; what had no room is not there."""
        with open(f"{self.path}/{name}.svg", encoding="utf-8") as f:
            texts = [html.unescape(t) for t in re.findall(r"<text[^>]*>([^<]*)</text>", f.read())]
        agree("map, digest", [t[-16:] for t in texts if t.startswith("sciara ")], [self.summary["digest"]])
        if any("eruzioni simulate" in t for t in texts):
            for one, other in (("nessuna su", "none of"), ("tutte e", "all of"), ("sotto", "below"), ("sopra", "above"), ("raggiunto, visto a", "reached, seen at"),
                               ("punti", "points")):
                texts = [re.sub(r"(\d),(\d)", r"\1.\2", t).replace(one, other) for t in texts]
        return dict(t.split(": ", 1) for t in texts if ": " in t)


def number(text):
    return math.nan if text in ("", None) else float(text)


def check_layers(f, report, place, names):
    """names: {column: layer}, of a place that is one cell. In a layer 0 and nothing are alike."""
    for column, layer in names.items():
        p = number(place[column])
        value = Layer(f"{f.path}/{layer}.tif").at(*place["cell"])
        agree("layer", 0.0 if math.isnan(value) else value, 0.0 if math.isnan(p) else p, 1e-6)
        if report and layer in report.layers():
            value, by = report.at(layer, *place["cell"])
            agree("report, layer", 0.0 if math.isnan(value) else value, 0.0 if math.isnan(p) else p, by + 1e-9)


def check_rows(f, report, table):
    for mine, its in zip(f.table(table), report.table(table)):
        for column, text in mine.items():
            if column not in ("name", "kind", "place", "arrival_date"):
                agree("report, table", number(text), math.nan if its[column] is None else float(its[column]))


def check_area(f):
    """The expected area is the sum of the layer, on the terminal as in summary.json, of which the page shows it."""
    lava, cell_km = f.summary["lava"], f.summary["grid"]["cell_m"] / 1000
    cells = [p for row in Layer(f"{f.path}/probability.tif").rows() for p in row if p >= 1e-5]
    agree("expected area", lava["expected_area_km2"], sum(cells) * cell_km ** 2, 1e-7)
    agree("area by any", lava["area_km2"], len(cells) * cell_km ** 2, 1e-9)
    said_there = [line for line in f.terminal if line.startswith("expected area")]
    agree("terminal, area", said_there[-1], f"expected area {brief(lava['expected_area_km2'])} km2 that lava reaches; {brief(lava['area_km2'])} km2 that at least one member reaches")


def check_named(f):
    """Areas and run-outs of members to look at: on the terminal and above their maps; the maps have one scale."""
    scales = set()
    for row in f.table("named_members.csv"):
        if row["name"] not in ("area_m2", "runout_m"):
            continue
        area = row["name"] == "area_m2"
        words = f"{'area' if area else 'run-out'} {row['percentile']} %, {brief(float(row['value']) * (1e-6 if area else 1e-3))} {'km²' if area else 'km'}"
        agree("terminal, members", words, next((words for line in f.terminal if words in line), "nothing"))
        if f.has(f"map_member_{row['member']}.svg"):
            with open(f"{f.path}/map_member_{row['member']}.svg", encoding="utf-8") as file:
                texts = re.findall(r"<text[^>]*>([^<]*)</text>", file.read())
            agree("map, members", words, words if words in " ".join(texts).replace("  ", " ") else "nothing")
            at = next(k for k, t in enumerate(texts) if t.startswith("largest "))
            scales.add(tuple(t for t in texts[at + 1:at + 9] if re.fullmatch(r"[0-9.]+", t)))
    agree("map, members' scales", str(len(scales)), "1")


def check_ensemble(f, places, library, label="map_probability", terminal=-1, layers=("probability", "arrival")):
    """layers: what begins so is compared."""
    report, n = Report(f"{f.path}/report.html"), f.summary["members"]["effective"]
    rows = f.table("assets.csv")
    check_rows(f, report, "assets.csv")
    agree("report, members", report.facts["summary"]["members"]["effective"], n)
    check_area(f)
    labels, times = f.labels(label), f.labels("map_arrival") if f.has("map_arrival.svg") else {}
    if library:
        library = Library(library)
        cells = read_places(library, [":".join(map(str, (p["name"], *p["where"]))) for p in places])
        weight = {int(r["member"]): int(r["weight"]) for r in f.table("members.csv")}
    for k, (place, row) in enumerate(zip(places, rows)):
        assert place["name"] == row["name"] and cells[k][0] == place["name"] if library else place["name"] == row["name"]
        p = float(row["probability"])
        agree("CSV, error", number(row["probability_error"]), math.sqrt(p * (1 - p) / n), 1e-8 if 1e-5 < p < 1 - 1e-5 else 1e-6)  # (of nine digits)
        words = told(p, n, number(row.get("reached_h", "")))
        if "nowcast" not in f.summary:
            agree("CSV, range", row["arrival_p05_h"] != "", p * n > 2.999)
        agree("terminal", re.sub(r", \d{4}-[^,]* UTC$", "", f.lines(place["name"])[terminal]), ", ".join(filter(None, [words, hours(row)])))
        if place["name"] in times:
            agree("arrival, map", times[place["name"]], hours(row) or (words if row.get("reached_h") or p < 1e-5 else "–"))
        if place["name"] in labels:
            agree("map", labels[place["name"]], words)
        if library:
            agree("library", sum(w for m, w in weight.items() if library.at[m][k]) / sum(weight.values()), p, 1e-8)
        if place["cell"]:
            names = {c: c for c in row if c.startswith(layers) and f.has(f"{c}.tif") and (row[c] or "arrival_p" not in c or not p)}
            check_layers(f, report, {**row, **place}, names)
    if f.has("named_members.csv"):
        check_named(f)
    if f.has("bulletin.html") and "nowcast" not in f.summary:
        check_bulletin(f)
    return report, rows


def check_pairs(f, places):
    n, labels = f.summary["pairs"]["effective"], f.labels("map_difference")
    for place, row in zip(places, f.table("assets_difference.csv")):
        p, q, less = (float(row[c]) for c in ("probability_with", "probability_without", "difference"))
        agree("CSV, difference", less, p - q, 2e-6)
        for side in ("with", "without"):
            x = float(row[f"probability_{side}"])
            agree("CSV, error", float(row[f"probability_{side}_error"]), math.sqrt(x * (1 - x) / n), 1e-6)
        words = f.lines(place["name"])[0]
        agree("terminal", words.split(": ")[0], f"{said(p, n)} with, {said(q, n)} without")
        error = float(row["difference_error"])
        points = words.split(": ")[1].split(";")[0]
        agree("terminal", float(re.match(r"[-+]?[\d.]+", points.replace("−", "-"))[0]) / 100 if error else 0.0, less, 0.0051)
        if place["name"] in labels:
            agree("map", labels[place["name"]], points)
        if place["cell"]:
            check_layers(f, None, {**row, **place}, {c: c for c in ("probability_with", "probability_without")})
            value = Layer(f"{f.path}/probability_difference.tif").at(*place["cell"])
            agree("layer", 0.0 if math.isnan(value) else value, less, 2e-6)


# ---- a bulletin, line by line, from tables and the summary; each language by its own words
BULLETIN = {
    "en": {
        "head": "{}: lava forecast", "asked": "{}: if a condition holds (not the forecast)", "too few": "Warning: only {} {}: most probabilities are not known.", "edge": "Where lava leaves the terrain, areas and distances end at its edge: they may be larger.", "extended": "The probability of a line or an area is that lava reaches any part of it.", "as of": "As of {}. To be renewed by {}, or when something new is seen.", "after": "{} h after the start",
        "based": "Based on {} simulated eruptions; lava parameters: {}; terrain: {}; last observation: {}. Errors of the model are not included: the real uncertainty is larger.",
        "none": "none yet", "none asked": "none; the condition is assumed", "none used": "none of those in the plan is used", "user": "set by the user", "places": "Probability that lava arrives by {}",
        "condition": "Only simulated eruptions of this condition: {}.", "walls": "All simulated eruptions have the walls and channels that were given; what lava does without them is not simulated.",
        "uncoloured": "No colour on the map: {}, {}.", "bare": "in the sea or outside the terrain's data", "few": "The most probable of {} places; all: assets.csv", "further": "{} more {}: summary.json", "ends": ("observation", "observations"), "place": "Place", "words": "in words", "probability": "probability that lava arrives",
        "since": "change since {}", "points": ("point", "points"), "no change": "no change", "unlike": "Change –: not known.", "assumed": ("assumed", "by the condition"), "of": "{} of {}", "since nothing": "change by what was seen", "arrival": "arrival if lava comes, 90 % of cases (–: fewer than 3 cases)", "arrival in": "arrival ({}) if lava comes, 90 % of cases (–: fewer than 3 cases)",
        "reached": "reached", "not known": "not known", "seen": "seen at {}",
        "outline": "The observed outline on the map (a line) has no date: the numbers do not use it, and it does not show where lava is now.", "dated": "The observed outline on the map is of {}.", "arrival at": r"arrival at \1 (h)", "names": {"rate_factor": "effusion rate (times the one given)", "Pcool": "cooling"},
        "differ": "The simulated eruptions differ in (5 to 95 %): {}.", "columns": {"P": "properties of the lava", "vent_": "place of the vents", "duration_factor": "duration of the eruption {} times the one given", "rate_factor": "effusion rate {} times the one given", "eruption_end_h": "end of the eruption {} h", "vent": "vent one of {}", "of all": "vent one of {} of {}", "terrain_seed": "terrain error", "emitted_m3": "emitted lava {} million m³"}, "classes": "class of the eruption (volume, duration) one of {}", "rates err": "errors of the effusion rates",
        "any": "before now, if at all: not observed since", "until": "until {}", "to": "{} to {}",
        "simulated": ("simulated eruption counts", "simulated eruptions count"), "scale": ("virtually certain", "very likely", "likely", "about as likely as not", "unlikely", "very unlikely", "exceptionally unlikely"),
        "more": "With more or less lava", "emits": "Lava emitted in the simulation", "count": "As the simulated eruptions do not weigh the same, they count as {}.", "area": "covered area, km²: median (5 – 95 %)", "runout": "distance from vent, km: median (5 – 95 %)",
        "most": "{} million m³ or more ({} % of the simulated eruptions)", "least": "at most {} million m³ ({} %)", "all": "any amount",
        "not": "Not simulated: a new vent elsewhere, new walls, and rates outside those that were drawn.", "did": "How yesterday's forecast did", "did before": "How an earlier forecast did",
        "better": "it was better than these", "first": "it was better than without observations, not better than assuming that nothing changes",
        "second": "it was better than assuming that nothing changes, not better than without observations", "neither": "it was not better than either",
        "least seen": ("Sizes are at least as large as the lava that was seen: {} km², {} km from the vent.", "Sizes are at least as large as the lava that was seen: {} km²."), "few eruptions": "What more or less lava would do is not known: too few simulated eruptions count.", "alike": "What more or less lava would do is not known: too many simulated eruptions emit the same amount.", "no larger": "In these simulated eruptions more lava does not cover a larger area.", "another": "By vent", "from": "If lava comes from", "vent": "vent {} ({} % of the simulated eruptions)",
        "front": "The front of {}, forecast 24 h before: Brier score (mean squared error, 0 is perfect) {}; without observations {}, if nothing changed {}: {}.",
        "alone": ("it was better", "it was not better"), "error": "±: the standard error, from the number of simulated eruptions alone.", "bounds": "Below, above: bounds with 95 % confidence.",
        "kinds": ("outline of the lava", "no lava at observed places", "lava: {}", "thickness of the lava", "end of the eruption; lava may still flow", "effusion rate, then and before", "outline of a part of the lava"), "when": "When", "when in": "When ({})", "what": "What was seen",
        "digest": "Checksum (digest) of all members and weights; the same plan and observations give it again: {}",
    },
    "it": {
        "head": "{}: previsione della lava", "asked": "{}: ipotesi con una condizione (non la previsione)", "too few": "Avviso: {} {}: la maggior parte delle probabilità non è nota.", "edge": "Dove la lava lascia il terreno, aree e distanze finiscono al suo bordo: possono essere maggiori.", "extended": "La probabilità di una linea o di un'area è che la lava ne raggiunga una parte qualsiasi.", "as of": "Situazione: {}. Da rinnovare entro {}, o quando si osserva qualcosa di nuovo.", "after": "{} h dopo l'inizio",
        "based": "Basata su {} eruzioni simulate; parametri della lava: {}; terreno: {}; ultima osservazione: {}. Gli errori del modello non sono inclusi: l'incertezza reale è maggiore.",
        "none": "ancora nessuna", "none asked": "nessuna; la condizione è un'ipotesi", "none used": "nessuna di quelle del piano è usata", "user": "scelti dall'utente", "places": "Probabilità che la lava arrivi entro {}",
        "condition": "Solo le eruzioni simulate con questa condizione: {}.", "walls": "Gli argini e i canali dati ci sono in tutte; che cosa fa la lava senza di essi non è simulato.",
        "uncoloured": "Senza colore sulla carta: {}, {}.", "bare": "nel mare o fuori dai dati del terreno", "few": "I più probabili di {} luoghi; tutti: assets.csv", "further": "{} altr{}: summary.json", "ends": ("a osservazione", "e osservazioni"), "place": "Luogo", "words": "in parole", "probability": "probabilità che arrivi la lava",
        "since": "variazione dal {}", "points": ("punto", "punti"), "no change": "nessuna variazione", "unlike": "Variazione –: non nota.", "assumed": ("presupposto", "dalla condizione"), "of": "{} di {}", "since nothing": "variazione dovuta alle osservazioni", "arrival": "arrivo se la lava arriva, 90 % dei casi (–: meno di 3 casi)", "arrival in": "arrivo ({}) se la lava arriva, 90 % dei casi (–: meno di 3 casi)",
        "reached": "raggiunto", "not known": "non noto", "seen": "visto: {}",
        "outline": "Il contorno osservato sulla carta (una linea) è senza data: i numeri non lo usano, e non mostra dove la lava è ora.", "dated": "Il contorno osservato sulla carta è del {}.", "arrival at": r"arrivo a \1 (h)", "names": {"rate_factor": "portata (volte il valore dato)", "Pcool": "raffreddamento"},
        "differ": "Le eruzioni simulate differiscono per (dal 5 al 95 %): {}.", "columns": {"P": "proprietà della lava", "vent_": "posizione delle bocche", "duration_factor": "durata dell'eruzione {} volte il valore dato", "rate_factor": "portata {} volte il valore dato", "eruption_end_h": "fine dell'eruzione {} h", "vent": "bocca una di {}", "of all": "bocca una di {} su {}", "terrain_seed": "errore del terreno", "emitted_m3": "lava emessa {} milioni di m³"}, "classes": "classe dell'eruzione (volume, durata) una di {}", "rates err": "errori delle portate",
        "any": "prima di ora, se arriva: da allora non osservato", "until": "entro il {}", "to": "{} – {}",
        "simulated": ("sola eruzione simulata ha peso", "sole eruzioni simulate hanno peso"), "scale": ("praticamente certo", "molto probabile", "probabile", "probabile quanto improbabile", "improbabile", "molto improbabile", "estremamente improbabile"),
        "more": "Con più lava, o con meno lava", "emits": "Lava emessa nella simulazione", "count": "Poiché le eruzioni simulate non pesano allo stesso modo, contano come {}.", "area": "area coperta, km²: mediana (5 – 95 %)", "runout": "distanza dalla bocca, km: mediana (5 – 95 %)",
        "most": "{} milioni di m³ o più ({} % delle eruzioni simulate)", "least": "al massimo {} milioni di m³ ({} %)", "all": "qualsiasi quantità",
        "not": "Non simulati: una nuova bocca altrove, nuovi argini e portate fuori da quelle estratte.", "did": "Verifica della previsione di ieri", "did before": "Verifica di una previsione precedente",
        "front": "Il fronte del {}, previsto 24 h prima: punteggio di Brier (errore quadratico medio, 0 è perfetto) {}; senza osservazioni {}, se nulla cambiasse {}: {}.",
        "alone": ("è stata migliore", "non è stata migliore"), "error": "±: l'errore standard, dovuto al solo numero di eruzioni simulate.", "bounds": "Sotto, sopra: limiti con il 95 % di confidenza.",
        "better": "è stata migliore di queste", "first": "migliore che senza osservazioni, non migliore dell'ipotesi che nulla cambi",
        "second": "migliore dell'ipotesi che nulla cambi, non migliore che senza osservazioni", "neither": "non è stata migliore di nessuna delle due",
        "least seen": ("Le dimensioni sono almeno quelle della lava osservata: {} km², {} km dalla bocca.", "Le dimensioni sono almeno quelle della lava osservata: {} km²."), "few eruptions": "L'effetto di più lava, o di meno lava, non è noto: contano troppo poche eruzioni simulate.", "alike": "L'effetto di più lava, o di meno lava, non è noto: troppe eruzioni simulate ne emettono la stessa quantità.", "no larger": "In queste eruzioni simulate più lava non copre un'area più grande.", "another": "Secondo la bocca", "from": "Se la lava esce da", "vent": "bocca {} ({} % delle eruzioni simulate)",
        "kinds": ("contorno della lava", "nessuna lava nei luoghi osservati", "lava: {}", "spessore della lava", "fine dell'eruzione; la lava può ancora scorrere", "portata, allora e prima", "contorno di una parte della lava"), "when": "Quando", "when in": "Quando ({})", "what": "Che cosa è stato osservato",
        "digest": "Codice di controllo di tutti i membri e pesi; lo stesso piano e le stesse osservazioni lo danno di nuovo: {}",
        "said": (("none of", "nessuna su"), ("all of", "tutte e"), ("below", "sotto"), ("above", "sopra"), ("SYNTHETIC TERRAIN: volcano", "TERRENO SINTETICO: vulcano"), (" cells of", " celle di"),
                 ("seed", "seme")),
    },
}


def in_language(text, words):
    """What is said elsewhere in English."""
    for one, other in words.get("said", ()):
        text = text.replace(one, other)
    return re.sub(r"(\d)\.(\d)", r"\1,\2", re.sub(r"^(\d+) of (\d+)$", r"\1 di \2", text)) if "said" in words else text


def in_words(condition, words):
    """A condition with words in place of the names of columns."""
    condition = re.sub(r"arrival_h\('(\w+)'\)", words["arrival at"], condition)
    for name, said_there in words["names"].items():
        condition = re.sub(rf"\b{name}\b", said_there, condition)
    return in_language(condition, words)


def scale(p, members, words):
    """By the IPCC, of no less than the 95 % bound of none of so many members, and of no more than that of all."""
    p, n = Decimal(repr(p)), Decimal(members)
    least = 1 - (Decimal("0.05").ln() / n).exp()
    if least > Decimal("0.33") and min(p, 1 - p) < least:
        return words["not known"]
    p = min(p, 1 - least) if p > Decimal("0.5") else max(p, least)
    return words["scale"][sum(p <= Decimal(edge) for edge in ("0.99", "0.9", "0.66", "0.33", "0.1", "0.01"))]


class Planned:
    """What a plan has, as its lines and files say it."""

    def __init__(self, f):
        self.path = f.summary["plan"]["path"]
        with open(self.path, encoding="utf-8") as plan:
            self.lines = [line.split("#")[0].strip() for line in plan]
        self.start = self.value("start_time")

    def value(self, key):
        return next((line.split(None, 1)[1] for line in self.lines if line.split(None, 1)[:1] == [key]), None)

    def file(self, name):
        return os.path.join(os.path.dirname(self.path), name)

    def places(self, name):
        """Of a GeoJSON file of points: their names and coordinates."""
        with open(self.file(name), encoding="utf-8") as file:
            return [(p["properties"]["name"], *p["geometry"]["coordinates"]) for p in [g for g in [json.load(file)] for g in g.get("features", [g])]]

    def vents(self):
        """How many there are in a list of which members draw one; 0: there is no list."""
        if not self.value("vent_list"):
            return 0
        with open(self.file(self.value("vent_list")), encoding="utf-8") as file:
            return len({line.split(",")[0] for line in file.read().split("\n")[1:] if line})

    def extended(self):
        """Whether a place is no point."""
        with open(self.file(self.value("assets")), encoding="utf-8") as file:
            text = file.read()
        return any(kind in text for kind in ('"LineString"', '"Polygon"', '"MultiLineString"', '"MultiPolygon"'))

    def parameters(self, words):
        name = self.value("parameters")
        if not name:
            return words["user"]
        with open(f"{os.path.dirname(os.path.abspath(__file__))}/../../data/parameters/{name}.cfg", encoding="utf-8") as file:
            return re.split("[:,]", re.search(r"^eruption +(.*)", file.read(), re.M)[1])[0]

    def hours(self, text):
        """A time: 12h, 3d, or a date."""
        unit = {"h": 1, "d": 24}.get(text[-1])
        if unit and re.fullmatch(r"[\d.]+.", text):
            return float(text[:-1]) * unit
        return (moment_of(text) - moment_of(self.start)).total_seconds() / 3600

    def seen(self, now):
        """Of each observation until then: its time, its kind by KINDS, its file, the places that it names; NaN: as the line is not one of those."""
        out = []
        for line in self.lines:
            key, *w = shlex.split(line, posix=True) or [""]
            kind = KINDS.index(key) if key in KINDS else -1
            if kind < 0:
                continue
            if key == "weigh_rates":
                with open(self.file(w[0]), encoding="utf-8") as file:
                    rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
                hour, names = max(float(r["to"].rstrip("h")) for r in rows), [""]
            else:
                hour = self.hours(w[0] if key == "observed_end" else w[w.index("until" if key == "observed_dry" else "at") + 1])
                names = [p[0] for p in self.places(w[0])] if key == "observed_arrival" else [""]
            out += [(hour, kind, w[0], name, "part" in w) for name in names if hour <= now + 1e-9]
        return sorted(out)

    def outline(self, file):
        """Of a raster of cells of 10 m, those inside: numbers of 10 m to the east and north, and row and column."""
        with open(self.file(file), encoding="utf-8") as grid:
            text = grid.read().split("\n")
        head = {k.lower(): float(v) for k, v in (line.split() for line in text[:5])}
        first = next(k for k, line in enumerate(text) if re.match(r"[-\d]", line))
        cells = [(row, col) for row, line in enumerate(text[first:]) for col, x in enumerate(line.split()) if float(x) > 0]
        return {(head["xllcorner"] // 10 + col, head["yllcorner"] // 10 + head["nrows"] - 1 - row) for row, col in cells}, set(cells)

    def seen_lava(self, now):
        """Rows and columns of cells in which outlines show lava, of a random plan."""
        return set().union(*(self.outline(file)[1] for _, kind, file, *_ in self.seen(now) if KINDS[kind] == "observed_front" and re.fullmatch(r"\d+_\d+\.asc", file)))

    def least(self, now):
        """The area of the lava that was seen, in cells of 10 m, and its distance from the nearest vent, unless these are drawn."""
        cells = set()
        for _, kind, file, whom, _ in self.seen(now):
            if KINDS[kind] == "observed_front" and file.endswith(".asc"):
                cells |= self.outline(file)[0]
            elif KINDS[kind] == "observed_arrival":
                cells |= {(x // 10, y // 10) for name, x, y in self.places(file) if name == whom}
        if not cells or not self.value("vents"):
            return {"area_m2": 100.0 * len(cells)}
        with open(self.file(self.value("vents")), encoding="utf-8") as file:
            vents = [(float(v["x"]) // 10, float(v["y"]) // 10) for v in csv.DictReader(file)]
        return {"area_m2": 100.0 * len(cells), "runout_m": 10 * max(min(math.dist(cell, vent) for vent in vents) for cell in cells)}

    def reached(self, at, now):
        """When lava was first seen at a place in one cell of 10 m: inside an outline, or as an arrival there."""
        found = [math.nan]
        for hour, kind, file, whom, _ in self.seen(now):
            if KINDS[kind] == "observed_arrival":
                found += [hour] if any(name == whom and [x // 10, y // 10] == [at[0] // 10, at[1] // 10] for name, x, y in self.places(file)) else []
            elif KINDS[kind] == "observed_front" and file.endswith(".asc"):
                found += [hour] if tuple(x // 10 for x in at) in self.outline(file)[0] else []
        return min((x for x in found if not math.isnan(x)), default=math.nan)


KINDS = ("observed_front", "observed_dry", "observed_arrival", "observed_survey", "observed_end", "weigh_rates")


def moment_of(text):
    """A date; without a zone it is UTC."""
    at = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return at if at.tzinfo else at.replace(tzinfo=datetime.timezone.utc)


class Clock:
    """Dates of a bulletin: the local ones of the start, as the plan has it, and UTC."""

    def __init__(self, planned, words):
        self.start = moment_of(planned.start) if planned.start else None
        self.words = words
        ahead = self.start.strftime("%z") if self.start else ""
        self.zone = "UTC" + (f"{ahead[:3]}:{ahead[3:]}" if ahead.strip("+-0") else "")

    def at(self, hours):
        return self.start + datetime.timedelta(minutes=round(60 * hours))

    def date(self, hours):
        if not self.start:
            return self.words["after"].format(in_language(short(Decimal(f"{hours:.4f}")), self.words))
        return self.at(hours).strftime("%Y-%m-%d %H:%M")

    def moment(self, hours):
        if not self.start:
            return self.date(hours)
        utc = f"{self.at(hours).astimezone(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC"
        return utc if self.zone == "UTC" else f"{self.zoned(hours)} ({utc})"

    def zoned(self, hours):
        return f"{self.date(hours)} {self.zone}" if self.start else self.date(hours)


def spread(members, weight, column, unit, words, least):
    """The median of a column by weight, in words with 5 and 95 %, and as a number; no value is less than what was seen."""
    of = sorted((max(float(m[column]), least.get(column, 0)) / unit, weight[m["member"]]) for m in members if m[column])
    at = [next(v for k, (v, _) in enumerate(of) if sum(w for _, w in of[:k + 1]) >= share * sum(w for _, w in of)) for share in (0.5, 0.05, 0.95)]
    return in_language("{} ({} – {})".format(*map(brief, at)), words), at[0]


def part_row(name, members, weight, words, least):
    return ("tr", (name, spread(members, weight, "area_m2", 1e6, words, least)[0], spread(members, weight, "runout_m", 1e3, words, least)[0]))


def scenarios(members, weight, words, least):
    """Lines about the members with the most lava, a third by weight, and the least; and about those of the vents that most of them have drawn."""
    members = sorted((m for m in members if weight[m["member"]]), key=lambda m: (float(m["emitted_m3"]), int(m["member"])))
    total, before, low, high, lines = sum(weight[m["member"]] for m in members), 0, 0, len(members), []
    for k, m in enumerate(members):
        if before >= 2 * total / 3:
            high = min(high, k)
        before += weight[m["member"]]
        if before <= total / 3:
            low = k + 1
    several = lambda of: sum(weight[m["member"]] for m in of) ** 2 > 2.999 * sum(weight[m["member"]] ** 2 for m in of)
    if not several(members[:low]) or not several(members[high:]):
        lines = [("p", words["few eruptions"])]
    elif not float(members[low - 1]["emitted_m3"]) < float(members[high]["emitted_m3"]):
        lines = [("p", words["alike"])]
    else:
        ends = [float(members[k]["emitted_m3"]) for k in (high, low - 1)]
        parts = [m for m in members if float(m["emitted_m3"]) >= ends[0]], [m for m in members if float(m["emitted_m3"]) <= ends[1]]
        shares = [f"{100 * sum(weight[m['member']] for m in of) / total:.0f}" for of in parts]
        million = [in_language(brief(end / 1e6), words) for end in ends]
        lines = [("h2", words["more"]), ("tr", (words["emits"], words["area"], words["runout"]))]
        lines += [part_row(name, of, weight, words, least) for name, of in ((words["most"].format(million[0], shares[0]), parts[0]), (words["least"].format(million[1], shares[1]), parts[1]), (words["all"], members))]
        more, less = (spread(of, weight, "area_m2", 1e6, words, least)[1] for of in parts)
        lines += [("p", words["no larger"])] if more <= less and less > least.get("area_m2", 0) / 1e6 else []
    vents = {}
    for m in members:
        vents.setdefault(float(m.get("vent") or 0), []).append(m)
    shares = sorted((-sum(weight[m["member"]] for m in of) / total, vent) for vent, of in vents.items() if several(of))
    if len(shares) > 1:
        lines += [("h2", words["another"]), ("tr", (words["from"], words["area"], words["runout"]))]
        lines += [part_row(words["vent"].format(f"{vent:.0f}", in_language(brief(-100 * share), words)), vents[vent], weight, words, least) for share, vent in shares[:3]]
    ends = [in_language(brief(least[column] / unit), words) for column, unit in (("area_m2", 1e6), ("runout_m", 1e3)) if least.get(column)]
    said = [words["least seen"][len(ends) < 2].format(*ends)] if lines[1:] and ends else []
    said += [words["edge"]] if lines[1:] and any(float(m["volume_off_terrain_m3"]) > 0 for m in members) else []
    return [*lines, ("p", " ".join([*said, words["not"]]))]


def place_line(f, row, was, clock, words, places, changed):
    """was: its probability a day before; NaN: there is no such column. changed: whether the page has a column of changes."""
    now, step = f.summary.get("nowcast", {}).get("now_h", 0), f.summary["counted"]["arrival_resolution_h"]
    n, p, seen = f.summary["members"]["effective"], number(row["probability"]), number(row.get("reached_h", ""))
    change = ["–"] if "nowcast" in f.summary and changed else []
    if not math.isnan(seen):
        return (row["name"], words["reached"], words["seen"].format(clock.zoned(seen)))
    if math.isnan(p):
        return (row["name"], words["bare"])
    when, text = "–", hours(row, step)
    if text:
        low, high = float(row["arrival_p05_h"]), float(row["arrival_p95_h"]) + step
        when = in_language(text.replace(" to ", " – ") if "said" in words else text, words)
        if high <= now:
            when = words["any"]
        elif clock.start:
            when = words["until"].format(clock.date(high)) if low < now else words["to"].format(clock.date(low), clock.date(high))
    if change:
        points = 100 * (p - was)
        shown = next((r[3] for r in places if r[0] == row["name"]), "")
    if change and scale(p, n, words) != words["not known"]:
        found = 0 if shown == words["no change"] else float(shown[2:].split()[0])
        agree("bulletin, points", shown[1:], f" {found:.0f} {words['points'][found != 1]}" if found else words["no change"][1:])
        agree("bulletin, change", found, abs(points), 0.5001)
        agree("bulletin, arrow", shown[:1], words["no change"][0] if not found else "▲" if points > 0 else "▼")
        change = [shown if scale(p, n, words) != words["not known"] else "–"]
    return (row["name"], *(words["assumed"] if row.get("assumed") == "1" else (scale(p, n, words), in_language(said(p, n), words))), *change, when)


def varied(members, weight, words, planned):
    """What members differ in: the numbers of columns that were drawn, from 5 to 95 % of the members by weight; classes; errors of rates."""
    out, members = [], [m for m in members if weight[m["member"]]]
    classes, file = {m.get("class") for m in members}, (planned.value("observed_rates") or "").split()
    err = file and ",factor" in open(planned.file(file[0]), encoding="utf-8").read() or float((planned.value("rates_error") or "1").split()[0]) > 1
    last = [words["classes"].format(len(classes))] * (len(classes) > 1) + [words["rates err"]] * bool(err)
    for column in [*(c for c in members[0] if c != "emitted_m3"), *["emitted_m3"] * bool(last)]:
        if column == "emitted_m3":
            out, last = out + last, []
        of = "P" if column[0] == "P" else "vent_" if column.startswith("vent_") else column
        values = sorted((float(m[column]) / (1e6 if column == "emitted_m3" else 1), weight[m["member"]]) for m in members if of in words["columns"])
        if values and values[0][0] < values[-1][0]:
            sums = list(itertools.accumulate(w for _, w in values))
            ends = [brief(next(v for (v, _), before in zip(values, sums) if before >= share * sums[-1])) for share in (0.05, 0.95)]
            count = str(len({v for v, _ in values})) if column == "vent" else in_language((" – " if "said" in words else " to ").join(ends), words)
            listed = planned.vents() if column == "vent" else 0
            out.append(words["columns"]["of all"].format(count, listed) if listed > int(count if listed else 0) else words["columns"][of].format(count))
    return list(dict.fromkeys(out))


def read_bulletin(f):
    """Its lines: a tag with a text, or a row of cells."""
    with open(f"{f.path}/bulletin.html", encoding="utf-8") as page:
        body = page.read().split("</style>")[1]
    lines = []
    for tag, attributes, text in re.findall(r"<(h1|h2|p|tr)( [^>]*)?>(.*?)</\1>", body, re.S):
        cells = tuple(html.unescape(c) for c in re.findall(r"<t[dh]>(.*?)</t[dh]>", text)) if tag == "tr" else html.unescape(text)
        if "<img" not in text:
            lines.append((tag + attributes.strip(), cells))
    return lines


TABLE = []


def translate(text):
    """From English to Italian by the rows of words.tsv: the one that leaves the least open, and then what is in it."""
    if not TABLE:
        with open(f"{os.path.dirname(os.path.abspath(__file__))}/../../src/input/text/words.tsv", encoding="utf-8") as table:
            for line in table:
                one, other = [*line.rstrip("\n").split("\t"), ""][:2] if "\t" in line and not line.startswith("#") else ("", "")
                if re.sub(r"\{\}", "", one).strip() and re.search("[a-zA-Z{]", one):
                    fixed = re.split(r"\{[^{}]*\}", one)
                    pattern = "".join("(.*?)" if part == "{}" else "(?:" + "|".join(map(re.escape, part[1:-1].split("|"))) + ")" if part[:1] == "{" else re.escape(part) for part in re.split(r"(\{[^{}]*\})", one))
                    TABLE.append((re.compile(pattern, re.S), other, -len("".join(fixed))))
            TABLE.sort(key=lambda row: row[2])
    for pattern, other, _ in TABLE:
        match = pattern.fullmatch(text) or pattern.fullmatch(text[:1].lower() + text[1:])
        if match:
            values = iter(match.groups())
            count = lambda m, v=match: m[1].split("|")["1" not in v.groups()]
            return re.sub(r"\{\}", lambda _: translate(next(values)), re.sub(r"\{([^{}]+\|[^{}]+)\}", count, other))
    return re.sub(r"(\d)\.(\d)", r"\1,\2", re.sub(r"(\d),(\d)", r"\1.\2", text)) if re.fullmatch(r"[-+\d.,e]+", text) else text


def check_bulletin(f, language="en", members=None):
    """Each line, of the page on a screen as of that on paper (record.zip), and each cell of its map. members: the folder with members.csv."""
    words, now, nowcast = BULLETIN[language], f.summary.get("nowcast", {}).get("now_h", 0), f.summary.get("nowcast")
    planned = Planned(f)
    clock, lines = Clock(planned, words), read_bulletin(f)
    rows, yesterday = f.table("assets.csv") if f.has("assets.csv") else [], nowcast and nowcast["yesterday"]["until_h"]
    was = {r["place"]: number(r["yesterday"]) for r in f.table("nowcast_places.csv") if not r["within_h"]} if nowcast and rows else {}
    told_there = [w["text"][:1].upper() + w["text"][1:] for w in f.summary["warnings"] if w["kind"] == "result"]
    observed = planned.seen(now)[::-1] if nowcast else []
    last_seen = max((o[0] for o in observed), default=math.nan)
    table = f.table("members.csv", None if f.has("members.csv") else members) if members or f.has("members.csv") else None
    weights = {r["member"]: int(r["now"]) for r in f.table("weights.csv")} if nowcast else {m["member"]: int(m["weight"]) for m in table or ()}
    end = max((float(m["end_h"]) for m in table or () if weights[m["member"]]), default=math.inf)
    end = math.floor(end) if 24 <= end < math.inf else end
    done, asked = f.summary["members"]["done"], f.summary["members"].get("question") and not nowcast
    expected = [("h1", words["asked" if asked else "head"].format(f.summary["plan"]["title"]))]
    expected += [("p", words["condition"].format(in_words(f.summary["members"]["question"], words)))] if asked else []
    expected.append(("p", words["as of"].format(clock.moment(now), clock.moment(min(end, now + 24) if end > now else now + 24))) if table else lines[len(expected)])
    terrain = in_language((f.summary["plan"]["terrain"] or os.path.basename(planned.value("dem"))).replace(" x ", " × "), words)
    based = words["of"].format(done, f.summary["members"]["planned"]) if asked and done < f.summary["members"]["planned"] else done
    none = words["none asked" if asked else "none used" if planned.seen(math.inf) else "none"]
    expected.append(("p", words["based"].format(based, planned.parameters(words), terrain, clock.zoned(last_seen) if observed else none)))
    effective = digits(Decimal(f.summary["members"]["effective"]), 0)
    few = scale(0.0, f.summary["members"]["effective"], words) == words["not known"]
    expected += [("p", words["count"].format(effective))] if effective < f.summary["members"]["done"] and not few else []
    if table:
        expected.append(("p", words["differ"].format("; ".join(varied(table, weights, words, planned)))))
    elif lines[len(expected)][1].startswith(words["differ"].split("{")[0]):
        expected.append(lines[len(expected)])
    expected += [("p", words["walls"])] if planned.value("barriers") else []
    expected += [("pclass=\"alert\"", words["too few"].format(effective, words["simulated"][effective != 1]))] if few else []
    expected += [("pclass=\"alert\"", f"Warning: {t}." if language == "en" else "Avviso: " + re.sub("^.", lambda m: m[0].upper(), translate(t)) + ".") for t in told_there]
    expected.append(("h2", words["places"].format(clock.zoned(end)) if table else next(c for tag, c in lines if tag == "h2")))
    if rows:
        wide, n = [c for tag, c in lines if tag == "tr"], f.summary["members"]["effective"]
        no_change = [not math.isnan(number(row.get("reached_h", ""))) or not row["probability"] or scale(float(row["probability"]), n, words) == words["not known"] for row in rows]
        since = [] if not nowcast or all(no_change) else [words["since nothing"] if yesterday is None else words["since"].format(clock.zoned(yesterday))]
        expected.append(("tr", (words["place"], words["words"], words["probability"], *since, words["arrival in"].format(clock.zone) if clock.start else words["arrival"])))
        expected += [("tr", place_line(f, row, was.get(row["name"], math.nan), clock, words, wide, since)) for row in rows]
        told = [math.isnan(number(row.get("reached_h", ""))) and bool(row["probability"]) for row in rows]
        expected += [("p", words["unlike"])] if since and any(no and there for no, there in zip(no_change, told)) else []
    n = f.summary["members"]["effective"]
    outline = ""
    if planned.value("outline"):
        dates = [hour for hour, kind, file, *_ in planned.seen(math.inf) if not kind and file == planned.value("outline")]
        outline = " " + (words["dated"].format(clock.zoned(dates[-1])) if dates else words["outline"])
    expected.append(("p", words["uncoloured"].format(in_language(said(0, n), words), scale(0.0, n, words)) + outline))
    marks = [words["error"]] if any("±" in c for _, line in expected for c in line) else []
    expected.append(("p", " ".join([*marks, words["bounds"], *[words["extended"]] * bool(rows and planned.extended())])))
    if table:
        least = planned.least(now) if nowcast and re.fullmatch(r"\d+\.cfg", os.path.basename(planned.path)) else {}
        if nowcast and not least:  # (of a plan that is not random: as the page says)
            found = next((re.findall(r"(\d+[.,]?\d*) k", c) for tag, c in lines if tag == "p" and c.startswith(words["least seen"][1].split("{")[0])), [])
            least = {column: float(x.replace(",", ".")) * unit for x, column, unit in zip(found, ("area_m2", "runout_m"), (1e6, 1e3))}
        expected += scenarios(table, weights, words, least)
    else:  # (its members are in another folder)
        begin = next((k for k, line in enumerate(lines) if line in (("h2", words["more"]), ("p", words["few eruptions"]), ("p", words["alike"]))), None)
        del lines[begin:next(k for k, (tag, text) in enumerate(lines) if tag == "p" and text.endswith(words["not"])) + 1]
    if nowcast and f.has("forecasts.csv"):
        last = f.table("forecasts.csv")
        sd = {r["forecast"]: float(r["brier_error"]) for r in last if r["front_h"] == last[-1]["front_h"]}
        last = {r["forecast"]: float(r["brier"]) for r in last if r["front_h"] == last[-1]["front_h"]}
        # better by more than the error of the difference: of what is paired it lies between the difference and the sum of errors
        told_of = " ".join(c for _, c in lines if isinstance(c, str))
        said_so = [k for k in ("better", "first", "second", "neither") if words[k] in told_of]
        verdict = tuple(last["nowcast"] < last.get(other, math.inf) and (bool(said_so) and said_so[0] in claims if last.get(other, math.inf) -
                        last["nowcast"] < sd["nowcast"] + sd.get(other, 0) else True) for other, claims in (("before", ("better", "first")), ("persistence", ("better", "second"))))
        front = words["front"]
        if "persistence" not in last:  # no front was seen before
            clear = last["before"] - last["nowcast"] > sd["nowcast"] + sd["before"]
            verdict = words["alone"][not (clear or f": {words['alone'][0]}." in told_of and last["nowcast"] < last["before"])]
            front = re.sub(r", (if|se)[^{}]*{}", "", front)
        else:
            verdict = words[{(True, True): "better", (True, False): "first", (False, True): "second", (False, False): "neither"}[verdict]]
        shown = [in_language(f"{last[w]:.4f}", words) if w in last else "–" for w in ("nowcast", "before", "persistence")[:front.count("{}") - 2]]
        hour = float(f.table("forecasts.csv")[-1]["front_h"])
        learned = any(s["time_h"] <= hour - 24 for s in nowcast["seen"])  # else the two forecasts are one
        expected += [] if not learned else [("h2", words["did"] if now - hour < 24 else words["did before"]), ("p", front.format(clock.zoned(hour), *shown, verdict))]
    if nowcast:
        agree("bulletin, last observation", last_seen <= now + 1e-9, True)
        expected += [("h2", words["what"]), ("tr", (words["when in"].format(clock.zone) if clock.start else words["when"], words["what"]))]
        expected += [("tr", (clock.date(hour), words["kinds"][6 if part else kind].format(name[:24].strip()))) for hour, kind, _, name, part in observed]
    expected.append(("p", words["digest"].format(f.summary["digest"])))
    agree("bulletin, lines", str(len(lines)), str(len(expected)))
    for line, other in zip(lines, expected):
        agree(f"bulletin, {line[0]}", repr(line), repr(other))
    if planned.value("assets") and planned.value("assets").endswith("_places.json"):
        for row, (_, *at) in zip(rows, planned.places(planned.value("assets"))):
            agree("bulletin, reached", number(row.get("reached_h", "")), planned.reached(at, now) if nowcast else math.nan, 1e-4)
    check_paper(f, table and expected, rows, observed, words, planned.seen_lava(now) if nowcast else ())


def in_class(label, p):
    """Whether the numbers in the key of a map have the number of the cell; "not known" has none."""
    ends = [int(x) / 100 for x in re.findall(r"\d+", label)]
    return not ends or (ends[0] <= p <= ends[1] if len(ends) == 2 else p <= ends[0] if label.startswith("up") else p >= ends[0])


def check_paper(f, expected, rows, observed, words, inside):
    """The page on paper has the likeliest ten places and the last six observations; its map has the words of a place in each cell."""
    with zipfile.ZipFile(f"{f.path}/record.zip") as z:
        pictures = {p["name"]: p for p in json.loads(z.read("record.json"))["pictures"]}
        value = Layer(None, z.read(pictures["map_bulletin"]["value"]))
    page = [tuple(c for c in line["cells"] if c) for line in pictures["bulletin"]["lines"] if line.get("where") != 2 and line.get("kind") != 7]
    names = {row["name"] for row in rows}
    likely = sorted(rows, key=lambda r: (-(1 if number(r.get("reached_h", "")) >= 0 else number(r["probability"]) if r["probability"] else -1), r["name"].encode()))[:10]
    paper = [c if isinstance(c, tuple) else (c,) for _, c in expected] if expected else page
    if expected and rows:
        at = next(k for k, c in enumerate(paper) if c[0] in names)
        of = {c[0]: c for c in paper[at:at + len(rows)]}
        paper[at:at + len(rows)] = [of[r["name"]] for r in likely] + [(words["few"].format(len(rows)),)] * (len(rows) > 10)
    if expected and len(observed) > 6:
        paper[-1 - len(observed) + 6:-1] = [(words["further"].format(len(observed) - 6, words["ends"][len(observed) > 7]),)]
    agree("bulletin, paper", "\n".join(map(repr, page)), "\n".join(map(repr, paper)))
    n, labels = f.summary["members"]["effective"], [c["label"] for c in pictures["map_bulletin"]["classes"]]
    for row, cells in enumerate(Layer(f"{f.path}/probability.tif").rows()):
        for col, p in enumerate(cells):
            k = value.at(row, col)
            if (row, col) not in inside and p < 1e-5:
                agree("bulletin, map, none", math.isnan(k), True)
            elif (row, col) in inside:
                agree("bulletin, map, lava", labels[int(k) - 1].split(",")[0], "above 99 %: virtually certain" if scale(1.0, n, BULLETIN["en"]) == "virtually certain" else "lava was seen")
            elif not math.isnan(p) and min(abs(p - edge) for edge in (0, 0.01, 0.1, 0.33, 0.66, 0.9, 0.99, 1)) > 1e-6:
                agree("bulletin, map", labels[int(k) - 1].split(": ")[1 if "%" in labels[int(k) - 1] else 0], scale(p, n, BULLETIN["en"]))
                agree("bulletin, key", in_class(labels[int(k) - 1], p), True)
            elif math.isnan(p) and not math.isnan(k):
                agree("bulletin, map, few", scale(0.0, n, BULLETIN["en"]), labels[int(k) - 1].split(": ")[-1])


def seen_by(folder, place, fronts):
    """When lava was first seen in one of the cells of the place."""
    hours = []
    for front in fronts:
        kind, path, hour = front.split(",")
        if kind == "arrival":
            hours += [float(hour)] if path == place["name"] else []
            continue
        with open(path, encoding="utf-8") as f:
            grid = f.read().split("\n")[6:]
        row, col, *cols = place["where"]
        if any(float(x) > 0 for x in grid[row].split()[col:col + (cols or [1])[0]]):
            hours.append(float(hour))
    return min(hours, default=math.nan)


def check_nowcast(f, places, fronts, language="en"):
    """assets.csv has the forecast, of which nowcast_places.csv has all times."""
    report, rows = check_ensemble(f, places, None, "map_forecast", -2)  # (above it is what computing the members has printed)
    check_rows(f, report, "nowcast_places.csv")
    sets = f.summary["nowcast"]
    n = {s: sets[s]["effective"] for s in ("before", "yesterday", "now")}
    agree("members", n["now"], f.summary["members"]["effective"], 1e-5 * n["now"])
    forecast = f.table("nowcast_places.csv")
    check_bulletin(f, language, os.environ.get("MEMBERS") or None)
    changes, shown = f.labels("map_change"), []
    for k, (place, row) in enumerate(zip(places, rows)):
        times = forecast[4 * k:4 * k + 4]
        assert {t["place"] for t in times} == {place["name"]}
        p = {s: float(times[3][s]) for s in n}
        agree("CSV, CSV", float(row["probability"]), p["now"], 6e-7)
        for t in times:
            for s in n:
                x = float(t[s])
                agree("CSV, error", float(t["now_error" if s == "now" else f"{s}_error"]), math.sqrt(x * (1 - x) / n[s]),
                      5e-6 if 1e-5 < x < 1 - 1e-5 else math.sqrt(1e-6 / n[s]))  # (of six digits)
        seen = seen_by(f, place, fronts)
        agree("reached, CSV", number(times[3]["reached_h"]), seen)
        agree("reached, CSV", number(row["reached_h"]), seen)
        by = {s: seen if seen <= (sets[s].get("until_h") or -1) else math.nan for s in n}  # (as far as each knows)
        for s in n:
            if by[s] == seen:
                agree("reached, certain", p[s], 1.0)
        agree("terminal", f.lines(place["name"])[-1], ", ".join(
            told(p[s], n[s], by[s]) + f" {s}" * math.isnan(by[s]) for s in n if s != "yesterday" or math.isnan(by[s])))
        ends = [said(float(t["now"]), n["now"]) if math.isnan(seen) else "reached" for t in times]
        shown.append("|".join([place["name"], *ends, told(p["yesterday"], n["yesterday"], by["yesterday"]), told(p["before"], n["before"], by["before"])]))
        if place["name"] in changes:
            said_now, change = changes[place["name"]].rsplit(", ", 1)
            agree("map", said_now, told(p["now"], n["now"], seen))
            agree("map", float(change.split()[0].replace("−", "-")), 100 * (p["now"] - p["yesterday"]), 0.006 * max(1, abs(100 * (p["now"] - p["yesterday"]))))
        if place["cell"]:
            at = {f"{t['within_h']}": t["now"] for t in times}
            cell = {**place, **{f"in {h}": v for h, v in at.items()}, **{s: repr(v) for s, v in p.items()}, "change": repr(p["now"] - p["yesterday"])}
            check_layers(f, report, cell, {"now": "probability", "before": "probability_before", "yesterday": "probability_yesterday",
                                           "change": "change", "in 24": "probability_in_24h", "in 48": "probability_in_48h", "in 72": "probability_in_72h"})
    with open(f"{f.path}.rows", "w", encoding="utf-8") as file:  # as report.html has to show them: tests/report_browser.js
        file.write("\n".join(shown))


def check_run(f, places):
    report, ending = Report(f"{f.path}/report.html"), f"_{f.summary['run']['step']:06d}"
    check_rows(f, report, "assets.csv")
    for place, row in zip(places, f.table("assets.csv")):
        agree("CSV, lava", bool(int(row["cells_with_lava"])), row["arrival_h"] != "")
        if not place["cell"]:
            continue
        for column, layer in {"arrival_h": "arrival_h", "max_thickness_m": "max_thickness_m"}.items():
            value, x = Layer(f"{f.path}/{layer}{ending}.tif").at(*place["cell"]), number(row[column])
            agree("layer", 0.0 if math.isnan(value) else value, 0.0 if math.isnan(x) else x, 1e-5 * max(1, value))
            if layer in report.layers():
                value, by = report.at(layer, *place["cell"])
                agree("report, layer", 0.0 if math.isnan(value) else value, 0.0 if math.isnan(x) else x, by + 1e-5)


# ---- pictures of a KMZ: the cells of a layer in the colours of its legend
def png_of_palette(data):
    """Rows of (red, green, blue, alpha) of a PNG of 8-bit numbers of colours."""
    at, part, pixels = 8, {}, b""
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        pixels += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        part[kind] = data[at + 8:at + 8 + size]
        at += size + 12
    wide, high, depth, form = struct.unpack_from(">IIBB", part[b"IHDR"])
    assert (depth, form) == (8, 3), "8-bit numbers of colours"
    clear, colours = part.get(b"tRNS", b""), part[b"PLTE"]
    raw, before, rows = zlib.decompress(pixels), bytes(wide), []
    for row in range(high):
        line, how = bytearray(raw[row * (wide + 1) + 1:][:wide]), raw[row * (wide + 1)]
        for i in range(wide):
            left, up, corner = line[i - 1] if i else 0, before[i], before[i - 1] if i else 0
            near = min((left, up, corner), key=lambda x, to=left + up - corner: abs(to - x))
            line[i] = line[i] + (0, left, up, (left + up) // 2, near)[how] & 255
        rows.append([(*colours[3 * k:3 * k + 3], clear[k] if k < len(clear) else 255) for k in line])
        before = bytes(line)
    return rows


def degrees(east, north):
    """Of the terrain of this test, around 500000, 4170000 in EPSG:32633, where a metre is as long everywhere."""
    lat0, a, e2, k = math.radians(37 + 40 / 60 + 37.90 / 3600), 6378137.0, 0.00669437999014, 0.9996
    wide = math.sqrt(1 - e2 * math.sin(lat0) ** 2)
    return (15 + math.degrees((east - 500000) / (k * a / wide * math.cos(lat0))),
            math.degrees(lat0 + (north - 4170000) / (k * a * (1 - e2) / wide ** 3)))


def check_kmz(f, places):
    """A colour stands for values without a gap, and nothing is drawn where there is nothing: cell by cell, as the layer has it."""
    with zipfile.ZipFile(f"{f.path}/ensemble.kmz") as z:
        kml = z.read("doc.kml").decode()
        overlays = re.findall(r"<href>files/(\w+)\.png</href></Icon><LatLonBox><north>([-\d.]+)</north><south>([-\d.]+)</south>"
                              r"<east>([-\d.]+)</east><west>([-\d.]+)</west>", kml)
        assert "probability" in [o[0] for o in overlays]
        for name, *box in overlays:
            north, south, east, west = map(float, box)
            pixel, layer, drawn = png_of_palette(z.read(f"files/{name}.png")), Layer(f"{f.path}/{name}.tif"), []
            for row, col in [(p["cell"][0], c) for p in places if p["cell"] for c in range(60)]:
                value = layer.at(row, col)
                # (a pixel has the cell in which its middle lies: one near the middle of the cell)
                lon, lat = degrees(500000 + 10 * col + 6, 4170600 - 10 * row - 4)
                x, y = (lon - west) / (east - west) * len(pixel[0]), (north - lat) / (north - south) * len(pixel)
                inside = 0 <= x < len(pixel[0]) and 0 <= y < len(pixel)
                colour = pixel[int(y)][int(x)] if inside else (0, 0, 0, 0)
                nothing = math.isnan(value) or (name.startswith("probability") and value == 0)
                agree("KMZ, drawn", str(colour[3] > 0), str(not nothing))
                drawn += [] if nothing else [(value, colour)]
            drawn.sort()
            ranges = [c for k, (_, c) in enumerate(drawn) if not k or c != drawn[k - 1][1]]
            agree("KMZ, colours", str(len(ranges)), str(len({c for _, c in drawn})))
    return sum(v > 0 for v, _ in drawn)


# ---- what `sciara serve` sends to its page
def frames(kind, body):
    """Of the file that is served at $ADDRESS: {kind of frame: (what it says, {array: values})}."""
    address = urllib.parse.urlsplit(os.environ["ADDRESS"])
    connection = http.client.HTTPConnection(address.netloc, timeout=120)
    connection.request("POST", f"/api/{kind}", json.dumps(body), {"Sciara-Key": address.query.split("=")[1], "Content-Type": "application/json"})
    answer, found = connection.getresponse(), {}
    assert answer.status == 200, answer.read()
    while head := answer.read(4):
        header, arrays = json.loads(answer.read(struct.unpack("<I", head)[0])), {}
        for a in header["arrays"]:
            size = header["count"] * (4 if a["type"] == "u32" else 2)
            numbers = struct.unpack(f"<{header['count']}{'I' if a['type'] == 'u32' else 'H'}", answer.read(size + -size % 8)[:size])
            arrays[a["name"]] = numbers if a["type"] == "u32" else [math.nan if n == 65535 else a["base"] + a["unit"] * n for n in numbers]
            arrays[f"by {a['name']}"] = 0.51 * a.get("unit", 0)
        name = next(k for k in header if k not in ("count", "arrays"))
        found[name] = header[name], arrays
    connection.close()
    return found


def check_served(f, places, kind):
    """run, ensemble or ask: what is in the folder, computed by the page."""
    got, rows = frames(kind, {}), f.table("assets.csv")
    end, last = got["end"][0], got["end" if kind == "run" else "frame"][1]
    at = {cell: k for k, cell in enumerate(last["cell"])}
    agree("page, digest", end["digest"], f.summary["digest"])
    if kind != "run":
        agree("page, members", end["effective"], f.summary["members"]["effective"], 1e-6)
    names = {"arrival_h": "arrival_h", "max_thickness_m": "max_thickness_m"} if kind == "run" else {
        "probability": "probability", "probability_error": "error", "arrival_p05_h": "arrival_low_h", "arrival_p50_h": "arrival_h", "arrival_p95_h": "arrival_high_h"}
    for place, row, mine in zip(places, rows, end["places"]):
        assert place["name"] == row["name"] == mine["name"]
        for column, its in names.items():
            one, other = number(row[column]), mine.get(its)
            one += 1 if column == "arrival_p95_h" else 0  # (the end of its class, of an hour)
            other = math.nan if other is None else other
            if its in mine:
                agree("page, place", other, one, 1e-6 * max(1, abs(one)))
            if place["cell"] and its in last:
                k = at.get(place["cell"][0] * 60 + place["cell"][1])
                value = math.nan if k is None else last[its][k]
                agree("page, cell", 0.0 if math.isnan(value) else value, 0.0 if math.isnan(one) else one, last[f"by {its}"] + 1e-6)


def main(kind, path, *more):
    if "=" in kind:
        os.environ.__setitem__(*kind.split("=", 1))
        return main(path, *more)
    COMPARED.clear()
    # NAME:ROW:COL[:COLS] of each place, in $PLACES
    places = []
    for text in filter(None, os.environ.get("PLACES", "").split(";")):
        name, *where = text.split(":")
        where = [int(x) for x in where]
        places.append({"name": name, "where": where, "cell": tuple(where) if len(where) == 2 else None})
    f = Folder(path)
    if kind == "run":
        check_run(f, places)
    elif kind == "bulletin":
        check_bulletin(f, *more)
    elif kind == "pairs":
        check_pairs(f, places)
    elif kind == "served":
        check_served(f, places, *more)
    elif kind == "nowcast":
        check_nowcast(f, places, [t for t in more if "," in t], *(t for t in more if "," not in t))
    else:
        check_ensemble(f, places, *(more or [None]))
        assert not f.has("ensemble.kmz") or check_kmz(f, places), "the KMZ has something"
    wrong = COMPARED.pop("wrong", 0)
    print(f"{sum(COMPARED.values())} numbers: " + ", ".join(f"{n} {what}" for what, n in sorted(COMPARED.items())))
    sys.exit(wrong > 0)


if len(sys.argv) > 2:
    main(*sys.argv[1:])
else:
    sys.path.insert(0, os.path.dirname(sys.path[0]))
    import parts

    parts.answer(main, sys.argv[1])
