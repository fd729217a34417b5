"""words_check.py: whether src/input/text/words.tsv is whole: each text in each language, with the values of the English one;
each text that a script, a page or the program hands to be translated is a row; and each row is used."""

import glob
import html.parser
import re
import subprocess
import sys

wrong = []


def source(path: str) -> str:
    with open(path, encoding="utf-8") as f:
        return f.read()


lines = [line.split("\t") for line in source("src/input/text/words.tsv").splitlines() if line and not line.startswith("#")]
rows, refused = {}, source("src/input/text/words.tsv").split("# What `sciara serve` refuses")[1].splitlines()[1:]
refusals = {line.split("\t")[0] for line in refused}
for english, *others in lines:
    if english in rows:
        wrong.append(f"twice: {english}")
    rows[english] = others
    if len(others) != len(lines[0]) - 1 or not all(others):
        wrong.append(f"not in all languages: {english}")
    for text in others:
        # (of a refusal a language may leave out what the program names)
        if text.count("{}") != english.count("{}") and not (english in refusals and not text.count("{}")):
            wrong.append(f"other values than in English: {text}")
    counted = re.search(r"\{\} (?:\w+ )?(eruptions|members|rows|runs|evaluations|pairs|observations|lines)\b", english)
    if counted:
        wrong.append(f"of one there is no form, {{{counted[1][:-1]}|{counted[1]}}}: {english}")
    for text in (english, *others):
        if re.sub(r"\{[^{}|]+\|[^{}|]+\}|\{\}", "", text).strip("{}|") != re.sub(r"\{[^{}|]+\|[^{}|]+\}|\{\}", "", text):
            wrong.append(f"braces that are no value: {text}")


def literals(code: str) -> list[str]:
    """The texts of an expression."""
    return [m[1] for m in re.finditer(r'"((?:[^"\\]|\\.)*)"', code)]


def arguments(code: str, at: int) -> list[str]:
    """Those of the call whose bracket is at `at`."""
    depth, begin, out, quote = 0, at + 1, [], ""
    for i in range(at, len(code)):
        c = code[i]
        if quote:
            if c == quote and code[i - 1] != "\\":
                quote = ""
        elif c in "\"`'" and not (c == "'" and code[i - 1].isalnum()):
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth == 0:
                return [*out, code[begin:i]]
        elif c == "," and depth == 1:
            out.append(code[begin:i])
            begin = i + 1
    return out


def calls(code: str, name: str) -> list[list[str]]:
    if f"{name}(" not in code:  # (which is found much sooner)
        return []
    return [arguments(code, m.end() - 1) for m in re.finditer(rf"(?<![\w.>]){name}\(", code)]


by_name = dict.fromkeys(("t", "warnings_add", "warnings_say", "refuse", "put_part"), 0)


def handed_by(name: str, texts: list[str]) -> list[str]:
    """The texts, counted for the function that they are handed to: one that is renamed must not pass unseen."""
    by_name[name] = by_name.get(name, 0) + len(texts)
    return texts


def expect(path: str, text: str) -> None:
    if re.search(r"[A-Za-z]{2}", text.replace("{}", "")) and text not in rows:
        wrong.append(f"{path}: no row: {text}")


# ---- parameter sets
sets = "".join(source(p) for p in glob.glob("data/parameters/*"))
of_sets = re.findall(r"^(?:eruption|not_for) +(.*)$", sets, re.M)
for text in of_sets or ["(none in data/parameters)"]:
    expect("data/parameters", text)

# ---- scripts and pages
scripts = {path: re.sub(r"^\s*//.*$", "", source(path), flags=re.M) for path in glob.glob("src/show/page/*.js")}
handed = 0
for path, code in scripts.items():
    for first, *_ in calls(code, "t"):
        texts = handed_by("t", [t for t in literals(re.sub(r'[=!]==? "[^"]*"|\["\w+"\]|\{[^{}]*\}\[', "", first)) if "`" not in first])
        handed += len(texts)
        for text in texts:
            expect(path, text)


class Page(html.parser.HTMLParser):
    within = 0

    def handle_starttag(self, tag, attrs):
        self.within += tag in ("script", "style", "bdi", "title")
        for name, value in attrs:
            if name in ("aria-label", "title", "placeholder", "alt"):
                expect(self.path, value)

    def handle_endtag(self, tag):
        self.within -= tag in ("script", "style", "bdi", "title")

    def handle_data(self, data):
        if not self.within:
            expect(self.path, data.strip())


for path in glob.glob("src/show/page/*.html"):
    page = Page()
    page.path = path
    page.feed(source(path).replace("<noscript>", "").replace("@MAP@", "").replace("@@@", ""))

# ---- the program
program = {}
for path in glob.glob("src/**/*.[ch]", recursive=True):
    code = re.sub(r"/\*.*?\*/", "", source(path), flags=re.S)
    code = re.sub(r'"\s*PRODUCTS_OUTSIDE', '; flow outside the terrain is not simulated"', code).replace("\\\n", "\n")
    code = re.sub(r'"\s*PRI\w\d+\s*"', "d", code)
    code = re.sub(r'"\s*PRI\w\d+', 'd"', code)
    program[path] = re.sub(r'"\s*\n\s*"', "", code)


def pattern(text: str) -> str:
    return re.sub(r"%[-+0-9.]*l*[duxsefg]|(%%)", lambda m: "%" if m[1] else "{}", text).replace('\\"', '"').replace("\\xC3\\x97", "×").replace("\\xC2\\xB2", "²").replace("\\xC2\\xB3", "³").replace("\\u00a0", "\u00a0")


PLACES = {"words_of": 0, "words_pack": 2, "bulletin_say": 2, "word_text": 1, "symbol_text": 3, "line_symbol": 6, "json_words": 0, "SAID": 1}
for path, code in program.items():
    if "text/words." in path:
        continue
    for name, at in PLACES.items():
        if name in ("word_text", "symbol_text", "line_symbol") and "/map" not in path:
            continue
        for values in calls(code, name):
            for text in handed_by(name, literals(values[at]) if len(values) > at else []):
                handed += 1
                expect(path, pattern(text))
    for name in ("warnings_add", "warnings_say"):
        for values in calls(code, name):
            if len(values) > 2 and "WARNING_RESULT" in values[1] and "library/fit" not in path:
                for text in handed_by(name, literals(values[2])):
                    handed += 1
                    expect(path, pattern(text))
# What the page of `sciara serve` can be refused for; the rest only another program can send
FOREIGN = ("is not a", "there is no member", "give true or false", "pairs of numbers", "a drawing has no", "the drawing is not")
for values in calls(program["src/input/drawing/drawing_check.c"], "refuse"):
    for text in handed_by("refuse", literals(values[3]) if len(values) > 3 else []):
        if not any(part in text for part in FOREIGN):
            handed += 1
            expect("drawing_check.c", pattern(text))
for path, code in program.items():
    if "library/fit" in path:
        continue
    for text in re.findall(r'\{\{\d+, \d+, \d+\}, "([^"]*)"(?:, [0-9.]+)?\}', code):
        expect(f"{path}: classes of a map", text)
    for text in re.findall(r'PRODUCT_MAP, "[^}]*?(?:\.about = "|", (?:"[^"]*"|NULL), ")([^"]*)"', code):
        handed += 1
        expect(f"{path}: quantity of a map", pattern(text).replace("*", "{}"))
# A table in which a language lacks a text is refused: the texts behind it would move
for row in ("one\tuno", "one\t\tuno"):
    made = subprocess.run(["tools/words-table", "c", "/dev/stdin"], input=f"en\tit\tes\n{row}\n", capture_output=True, text=True, check=False)
    if made.returncode == 0 or "not in all languages: one" not in made.stderr:
        wrong.append(f"tools/words-table takes {row!r}")
shown = program["src/output/run/output_export.c"] + program["src/study/ensemble/report.c"] + program["src/show/gis/qgis.c"]
templates = "".join(source(path) for path in glob.glob("src/show/gis/*.xml"))
for pattern_of, code in ((r'\{OUTPUT_\w+, "([^"]*)", LAYER_', shown), (r'PRODUCT_LAYER, "[^"]*", "[^"]*",\s*"([^"]*)"', shown), (r'\[LAYER_\w+\] = \{"([^"]*)"', shown),
                         (r'vent_name = [^,}]*?"(\w[^"]*)"', shown), (r'"(Possible vent)"', shown), (r'\{\{"([^"]*)"\}\}', templates)):
    found = re.findall(pattern_of, code)
    handed += len(found)
    for text in found or [f"(none of {pattern_of})"]:
        if not text.startswith("standard error"):  # (of those a GIS shows the style alone)
            expect("layers", text.replace("*", "{}"))
for words, unit in re.findall(r'\{"[^"]+", "([^"]+)", "([^"]*)", ', program["src/input/text/quantities.c"]):
    expect("quantities.c", words)
for text in re.findall(r'", "\w*", "([A-Z][^"]*)"\}', program["src/show/page/page_many.c"]):
    expect("page_many.c", text)
for path in ("src/study/ensemble/bulletin.c", "src/study/nowcast/bulletin.c"):
    for block in re.findall(r"\[TEXT\] = \{([^;]*?)\}[;,]", program[path], re.S):
        for text in literals(block):
            if not text.endswith(".png"):
                expect(path, text)
    for text in re.findall(r'"([^"]+)" WORDS_NEXT', program[path]) + [t for v in calls(program[path], "put_part") for t in handed_by("put_part", literals(v[1]))]:
        if text != "%s":
            expect(path, text)
for text in literals(re.search(r"\*probability_word\(.*?\n}", program["src/record/probability.c"], re.S)[0]):
    expect("probability_word", text)
# What a page without a program refuses of a GeoTIFF, behind the name of its file
terrain = source("web/terrain.js")
too_many = re.search(r"TOO_MANY = `(.*)`;", terrain)[1]
of_terrain = [re.sub(r"\$\{.*?\}", "{}", "{}: " + text.replace("${TOO_MANY}", too_many)) for _, text in re.findall(r'refuse\(\s*(["`])(.*?)\1\)', terrain)]
handed += len(of_terrain)
for text in of_terrain or ["(none in terrain.js)"]:
    expect("terrain.js", text)
# Diagrams, but for titles and labels of bars, which are names; those of benchmarks are painted in English alone
diagrams = 0
FIELDS = r'\.(?:label|subtitle|note|diagonal|unit) = ((?:[^,;"]|"[^"]*")*)|\.[xy] = \{((?:[^,;"]|"[^"]*")*),|diagram_words\[\w+\] = \{([^}]*)\}'
for path, code in program.items():
    if not re.search(r"\bstruct (plot|chart|corner)\b", code) or "bench" in path or "src/show" in path or "src/record" in path:
        continue
    found = [t for m in re.finditer(FIELDS, code) for t in literals("".join(filter(None, m.groups())))]
    handed += len(found)
    for text in found:
        expect(f"{path}: a diagram", pattern(text))
    diagrams += len(found)
for path, table in (("sensitivity/sensitivity_report.c", r"texts_of\[STAGES\] = \{(.*?)\};"), ("sensitivity/sensitivity.c", r"of_runs\[\] = \{(.*?)\};")):
    for text in literals(re.search(table, program[f"src/study/{path}"], re.S)[1]):
        if re.search(r"[ s]$|[ (]", text):  # (others are columns)
            expect(path, pattern(text))
kinds = re.findall(r'\[TERRAIN_\w+\] =\s*\{"([^"]*)"', program["src/input/terrain/terrain.c"]) + re.findall(
    r'\.kind = (?:[^",]*\? )?"(\w+)"(?: : "(\w+)")?', "".join(program.values()))
studies = re.findall(r'CALIBRATION\("(\w+)"', "".join(program.values()))
for text in {t for found in [*kinds, *studies] for t in ([found] if isinstance(found, str) else found) if t} - {"etna2006"}:
    expect("small print of pictures", text)
for name in {*PLACES, *by_name}:
    if not by_name.get(name):
        wrong.append(f"no call of {name}() hands a text: take its name from this table, or mend it")
if handed < 400 or diagrams < 30:
    wrong.append(f"only {handed} texts were found, {diagrams} of them in diagrams")

# ---- what nothing uses
texts = "".join([templates, sets, *of_terrain, *scripts.values(), *(source(p) for p in glob.glob("src/show/page/*.html"))])
said = "\n".join(pattern(code) for code in program.values())
said += said.replace("member *", "member {}") + re.sub(r'(PRODUCT_LAYER, "[^"]*", "[^"]*",\s*"[^"]*)\*', r"\1{}", said)  # (of the name of a product)
unquoted = said.replace('\\"', '"')
for english in list(rows)[2:]:
    parts = [p.strip(" :'()") for p in re.split(r"\{\}|[;,] ", english)] if english in refusals else [english]
    whole = english.replace('"', '\\"')
    if not all(part in texts or part in said or part in unquoted for part in parts) and whole not in texts:
        if f'"{english.removesuffix(" {} h")}"' in said:  # of what was seen
            continue
        wrong.append(f"nothing says: {english}")
print("\n".join(wrong[:40]))
sys.exit(bool(wrong))
