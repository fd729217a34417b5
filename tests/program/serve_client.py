# serve_client.py — a client of `sciara serve` for test_serve.sh: serve_client.py ADDRESS PART [ARGUMENTS]. Each part
# ends with status 0, or says what is wrong. With a file alone, it takes parts from standard input (tests/parts.py).
import copy
import glob
import http.client
import json
import os
import random
import re
import shutil
import socket
import sqlite3
import struct
import subprocess
import sys
import time
from urllib.parse import urlsplit


def say(text):
    sys.exit(f"{sys.argv[2]}: {text}")


def expect(true, text):
    if not true:
        say(text)


def ask(path, body=None, **headers):
    """The answer, open."""
    connection = http.client.HTTPConnection(host, timeout=120)
    headers = {"Sciara-Key": key} | {name.replace("_", "-"): value for name, value in headers.items()}
    if body is None:
        connection.request("GET", prefix + path, headers=headers)
    else:
        connection.request("POST", prefix + path, json.dumps(body), {"Content-Type": "application/json"} | headers)
    answer = connection.getresponse()
    answer.connection = connection
    return answer


def read(path, body=None):
    answer = ask(path, body)
    text = answer.read()
    return answer.status, json.loads(text)


def frames(answer):
    """Each frame of a stream: its kind, what it says, its arrays."""
    expect(answer.status == 200, f"status {answer.status}: {answer.read() if answer.status != 200 else ''}")
    while head := answer.read(4):
        header = json.loads(answer.read(struct.unpack("<I", head)[0]))
        arrays = {}
        for a in header["arrays"]:
            letter, each = ("I", 4) if a["type"] == "u32" else ("H", 2)
            size = header["count"] * each
            data = answer.read(size + -size % 8)
            arrays[a["name"]] = struct.unpack(f"<{header['count']}{letter}", data[:size])
        kind = next(name for name in header if name not in ("count", "arrays"))
        yield kind, header[kind], arrays


def patiently(path, body=None):
    """The answer, open, as the page asks: again while an older request is ending (503), which takes its time on a busy machine."""
    for _ in range(40):
        if (answer := ask(path, body)).status != 503:
            break
        time.sleep(0.25)
    return answer


def run(drawing, **more):
    return list(frames(patiently("/api/run", {"drawing": drawing} | more)))


def facts():
    answer = patiently("/api/facts")
    text = answer.read()
    expect(answer.status == 200, f"facts: {answer.status} {text}")
    return json.loads(text)


def point(row, col):
    g = facts()["grid"]
    return [g["west_m"] + (col + 0.5) * g["cell_m"], g["south_m"] + (g["rows"] - row - 0.5) * g["cell_m"]]


def life(digest):
    f = facts()
    drawing = f["drawing"]
    expect(drawing == f["original_drawing"] and drawing["vents"] and drawing["rates"], "no vents and rates in the facts")
    got = run(drawing)
    kinds = [kind for kind, _, _ in got]
    expect(kinds[0] == "begin" and kinds[-1] == "end" and set(kinds[1:-1]) == {"frame"}, f"frames are {kinds}")
    shown = {}
    for kind, about, arrays in got[1:-1]:
        expect(list(arrays["cell"]) == sorted(set(arrays["cell"])), "cells are not increasing")
        for cell, thickness, temperature in zip(arrays["cell"], arrays["thickness_m"], arrays["temperature_K"]):
            expect(shown.get(cell) != (thickness, temperature), "a cell was sent that has not changed")
            shown[cell] = thickness, temperature
    end, arrays = got[-1][1:]
    reached = dict(zip(arrays["cell"], zip(arrays["thickness_m"], arrays["temperature_K"])))
    expect(len(reached) > 50 and any(v[0] for v in reached.values()), "no lava")
    lava = {cell: value for cell, value in shown.items() if value[0]}
    expect(lava == {cell: value for cell, value in reached.items() if value[0]}, "the frames do not add up to the end")
    expect(end["digest"] == digest, f"digest {end['digest']}, not {digest}")
    ledger = end["ledger"]
    expect(abs(ledger["emitted_m3"] - ledger["mobile_m3"] - ledger["solidified_m3"] - ledger["left_m3"]
               - ledger["entered_sea_m3"]) < 1e-3 * ledger["emitted_m3"], "the ledger does not close")
    expect(run({**drawing, "hours": drawing["hours"] / 2})[-1][1]["digest"] != digest, "half the time is the same run")
    status, page = (a := ask(f"/?key={key}")).status, a.read().decode()
    expect(status == 200 and '"original_drawing"' in page and a.getheader("X-Frame-Options") == "DENY", "no page")


def terrain(rows):
    """Tiles of an ASCII grid without nodata. Its case lasts three days."""
    expect(facts()["drawing"]["hours"] == 72, "the hours of a terrain alone")
    tile = ask("/api/terrain?every=1&row0=0&col0=0").read()
    base, unit = struct.unpack("<dd", tile[:16])
    quanta = struct.unpack("<66564H", tile[16:])
    true = [[float(x) for x in line.split()] for line in list(open(rows))[5:261]]
    expect(len(true) > 2 and len(set(true[0])) > 1, "the terrain is flat")
    for i, line in enumerate(true):
        for k, z in enumerate(line[:256]):
            expect(abs(base + unit * quanta[(i + 1) * 258 + k + 1] - z) <= unit, f"row {i}, column {k}")
    expect(set(quanta[:258]) == {65535} and quanta[258] == 65535, "there is ground outside the terrain")
    coarse = ask("/api/terrain?every=2&row0=0&col0=0").read()
    base, unit = struct.unpack("<dd", coarse[:16])
    mean = sum(true[i][k] for i in (0, 1) for k in (0, 1)) / 4
    expect(abs(base + unit * struct.unpack("<66564H", coarse[16:])[259] - mean) <= unit, "no mean of four cells")
    for wrong in ("every=3&row0=0&col0=0", "every=1&row0=1&col0=0", "every=1&row0=-256&col0=0",
                  "every=1&row0=99999744&col0=0", "every=99999999999999999999&row0=0&col0=0", "row0=0&col0=0", ""):
        expect(ask(f"/api/terrain?{wrong}").status == 404, wrong)


def seams():
    """Tiles that are read and tiles of means: beyond its edge each has the first blocks of the next one, and four blocks make one."""
    tiles = {}

    def height(every, row, col):
        """Of the block that begins at that cell, as each tile has it that shows it"""
        step, found = 256 * every, []
        for row0 in {row // step, (row + every) // step, (row - every) // step}:
            for col0 in {col // step, (col + every) // step, (col - every) // step}:
                at = every, row0 * step, col0 * step
                while at not in tiles:
                    answer = ask("/api/terrain?every={}&row0={}&col0={}".format(*at))
                    if answer.status == 200:
                        tiles[at] = answer.read()
                    else:  # the means are being made
                        expect(answer.status == 503, f"status {answer.status} of the tile {at}")
                        time.sleep(0.05)
                base, unit = struct.unpack("<dd", tiles[at][:16])
                i, k = (row - at[1]) // every + 1, (col - at[2]) // every + 1
                quantum, = struct.unpack_from("<H", tiles[at], 16 + 2 * (258 * i + k))
                expect(quantum < 65535, f"no ground in row {row}, column {col} of the tile {at}")
                found.append(base + unit * quantum)
        expect(max(found) - min(found) <= 2 * unit, f"{found} in row {row}, column {col} by {every}")
        return found[0], unit

    for every in (1, 2, 4):
        for row in range(2048 - 4 * every, 2048 + 4 * every, every):
            for col in range(2048 - 4 * every, 2048 + 4 * every, every):
                height(every, row, col)
    for every in (2, 4):
        fine = [height(every // 2, 2048 + i * every // 2, 2048 + k * every // 2)[0] for i in (0, 1) for k in (0, 1)]
        mean, unit = height(every, 2048, 2048)
        expect(max(fine) - min(fine) > 2 * unit and abs(sum(fine) / 4 - mean) <= 2 * unit, f"{mean} is no mean of {fine}")


def refusals():
    f = facts()
    good = {**f["original_drawing"], "rates": [{"vent": 0, "points": [[0, 1], [5, 0]]}]}
    outside = [point(0, 0)[0] - 1e5, point(0, 0)[1]]
    a, b, rates = point(20, 20), point(25, 30), [[0, 1], [5, 0]]
    cases = [
        ({"vents": []}, "vents", None, None),
        ({"vents": [{"id": 1, "points": [outside]}]}, "vents", 0, None),
        ({"vents": [{"id": 1, "points": [a]}, {"id": 2, "points": [outside]}],
          "rates": [{"vent": 0, "points": rates}]}, "vents", 1, None),
        ({"vents": [{"id": 1, "points": []}]}, "vents", 0, "points"),
        ({"vents": [{"id": 0, "points": [a]}]}, "vents", 0, "id"),
        ({"vents": [{"id": 1.5, "points": [a]}]}, "vents", 0, "id"),
        ({"vents": [{"id": 1, "points": [[1e300, 0]]}]}, "vents", 0, "points"),
        ({"vents": [{"id": 1, "points": [a], "colour": 1}]}, "vents", 0, None),
        ({"vents": [{"id": 1, "points": [a]}, {"id": 7, "points": [b]}],
          "rates": [{"vent": 1, "points": rates}]}, "vents", 1, None),
        ({"vents": [{"id": 1, "points": [a]}], "rates": [{"vent": 1, "points": rates}, {"vent": 3, "points": rates}]},
         "rates", 1, "vent"),
        ({"rates": [{"vent": 0, "points": [[0, 1], [5, 2], [3, 0]]}]}, "rates", 0, None),
        ({"rates": [{"vent": 0, "points": [[0, -1], [5, 0]]}]}, "rates", 0, None),
        ({"rates": [{"vent": 0, "points": [[0, 1e8], [5, 0]]}]}, "rates", None, None),
        ({"barriers": [{"kind": "wall", "points": [a, b]}]}, "barriers", 0, "height_m"),
        ({"barriers": [{"kind": "wall", "points": [a, b], "height_m": 5},
                       {"kind": "channel", "points": [a, b], "height_m": 5}]}, "barriers", 1, "depth_m"),
        ({"barriers": [{"kind": "wall", "points": [a, b], "height_m": 5},
                       {"kind": "wall", "points": [a, b], "height_m": 5000}]}, "barriers", 1, "height_m"),
        ({"barriers": [{"kind": "wall", "points": [a], "height_m": 5}]}, "barriers", 0, "points"),
        ({"barriers": [{"kind": "wall", "points": [a, b], "height_m": 0}]}, "barriers", 0, None),
        ({"places": [{"name": "a\nb", "points": [a]}]}, "places", 0, "name"),
        ({"places": [{"name": "far", "points": [outside]}]}, "places", None, None),
        ({"parameters": "etna-1906"}, "parameters", None, None),
        ({"hours": -1}, "hours", None, None),
        ({"hours": None, "title": 5}, "title", None, None),
        ({"wind": 5}, None, None, None),
        ({"keys": 5}, "keys", None, None),
        ({"keys": {"wind": "5"}}, "keys", None, None),
        ({"keys": {"dem": "/etc/passwd"}}, "keys", None, None),
        ({"keys": {"terrain_update": "5h x.tif with_lava"}}, "keys", None, None),
        ({"keys": {"parameters": "etna-2006"}}, "keys", None, None),
        ({"keys": {"Pcool": 5}}, "keys", None, "Pcool"),
        ({"keys": {"Pcool": "-5"}}, "keys", None, "Pcool"),
        ({"keys": {"Pcool": "5\ndem /etc/passwd"}}, "keys", None, "Pcool"),
        ({"keys": {"map_note": '"'}}, "keys", None, "map_note"),
        ({"keys": {"emission": "fast"}}, "keys", None, "emission"),
        ({"keys": {"stop_when_mobile_below_m": "1e13"}}, "keys", None, "stop_when_mobile_below_m"),
        ({"keys": {"PTvent": "1000"}}, "keys", None, "PTvent"),
    ]
    for change, name, number, field in cases:
        status, text = read("/api/run", {"drawing": {**good, **change}})
        found = text.get("object"), text.get("number"), text.get("field")
        if name == "title" and found[0] == "hours":
            continue  # a case without an end needs hours
        expect(status == 422, f"{change}: status {status}")
        expect(found[0] == name and (number is None or found[1] == number) and (field is None or found[2] == field),
               f"{change}: {text}")
        expect("/" not in text["error"] or "m³/s" in text["error"] or "m3/s" in text["error"],
               f"{change}: the message has a path: {text['error']}")
    status, text = read("/api/run", {"drawing": {**good, "keys": {"PTvent": "1100", "PTsol": "1200"}}})
    expect(status == 422 and "1100" in text["error"] and "line" not in text["error"], f"a line that no one wrote: {text}")
    limits, entry = f["limits"], {"vents": {"id": 1}, "rates": {"vent": 0}, "barriers": {"kind": "wall", "points": [a, b]}, "places": {"name": "x"}}
    expect(len(limits) == 5 and len(limits["barriers"]) == 6, f"limits: {limits}")
    for name, field, value in ((name, field, value) for name in limits for field, (low, high) in limits[name].items()
                               for value in (low - 1, high * 2)):
        change = value if name == "hours" else [{**entry[name], field: [[5, 5], [value, 5]] if field == "points" else value}]
        status, text = read("/api/run", {"drawing": {**good, name: change}})
        expect(status == 422 and (text["object"], text["field"]) == (name, field), f"{name}: {change}: {status} {text}")
    expect(read("/api/run", [1])[0] == 400, "a list is a drawing")
    expect(run(good)[-1][0] == "end", "after refusals nothing runs")


def cancel():
    drawing = facts()["original_drawing"]
    long = ask("/api/run", {"drawing": {**drawing, "hours": 100000}})
    got = frames(long)
    expect(next(got)[0] == "begin" and next(got)[0] == "frame", "no first frame")
    began = time.time()
    new = run({**drawing, "hours": 5})
    expect(new[-1][0] == "end", "the second run does not end")
    kinds = [kind for kind, _, _ in got]
    expect(kinds[-1] == "stopped", f"the first run ends with {kinds[-1]}")
    half = ask("/api/run", {"drawing": {**drawing, "hours": 100000}})
    half.read(100)
    half.connection.sock.shutdown(socket.SHUT_RDWR)  # the browser is closed
    half.connection.close()
    expect(run({**drawing, "hours": 5})[-1][1]["digest"] == new[-1][1]["digest"], "another digest")
    expect(time.time() - began < 60, "too slow")
    read("/api/drawing", {"drawing": {"half": "drawn"}})
    expect(facts()["drawing"] == {"half": "drawn"}, "the last drawing is not kept")


def draw():
    """A drawing with all that there is."""
    return {"vents": [{"id": 1, "points": [point(20, 25)]}, {"id": 4, "points": [point(30, 30), point(33, 36)]}],
            "rates": [{"vent": 1, "points": [[0, 8], [3.7, 2.1], [10, 0]]}, {"vent": 4, "points": [[1.1, 3], [6, 0]]}],
            "barriers": [{"kind": "wall", "name": "dam, \"upper\"", "height_m": 12, "width_m": 20,
                          "points": [point(17, 22), point(17, 28), point(23, 28), point(23, 22), point(17, 22)]},
                         {"kind": "channel", "points": [point(44, 20), point(50, 40)], "depth_m": 3, "from_h": 2},
                         {"kind": "wall", "area": True, "points": [point(10, 10), point(14, 10), point(12, 15)],
                          "height_m": 2}],
            "places": [{"name": "hut", "points": [point(20, 25)]},
                       {"name": "road, old", "points": [point(15, 5), point(35, 45)]},
                       {"name": "village", "kind": "area",
                        "points": [point(50, 5), point(55, 5), point(55, 12)]}],
            "parameters": "etna-2006-published" if "etna-2006-published" in [p["name"] for p in facts()["parameters"]]
            else facts()["parameters"][0]["name"],
            "hours": 12, "title": "Drawn # by hand"}


def digest_of(program, case):
    out = subprocess.run([program, "run", case, "--no-output", "--json"], capture_output=True, text=True)
    expect(out.returncode == 0, out.stderr)
    return json.loads(out.stdout)["digest"]


def save(program, folder):
    drawing = draw()
    got = run(drawing)
    end = got[-1][1]
    expect(got[-1][0] == "end" and end["cells"] > 20, f"no run: {end}")
    expect(len(end["barriers"]) == 3 and end["barriers"][0]["raised_m3"] > 0 and end["barriers"][1]["lowered_m3"] > 0,
           f"barriers: {end['barriers']}")
    expect([p["name"] for p in end["places"]] == ["hut", "road, old", "village"], f"places: {end['places']}")
    expect(end["places"][0]["arrival_h"] is not None and end["places"][2]["arrival_h"] is None, "arrival")
    expect(run({**drawing, "barriers": []})[-1][1]["digest"] != end["digest"], "barriers change nothing")
    status, saved = read("/api/save", {"id": end["id"], "name": "drawn-1"})
    expect(status == 200 and saved["digest"] == end["digest"], f"{status} {saved}")
    expect(digest_of(program, saved["file"]) == end["digest"], "the saved case has another digest")
    expect(read("/api/save", {"id": end["id"], "name": "drawn-1"})[0] == 409, "it is replaced without a question")
    expect(read("/api/save", {"id": end["id"], "name": "drawn-1", "replace": True})[0] == 200, "it is not replaced")
    os.makedirs(os.path.join(folder, "other"))
    for name in ("notes.txt", "vents.csv"):  # (of a name that a killed program may have left, but with another content)
        with open(os.path.join(folder, "other", name), "w") as f:
            f.write("mine")
        expect(read("/api/save", {"drawing": drawing, "name": "other", "replace": True})[0] in (409, 422), f"a foreign folder with {name}")
        expect(os.listdir(os.path.join(folder, "other")) == [name] and open(f.name).read() == "mine", f"{name} is another file")
        os.remove(f.name)
    for name in ("", "..", "../x", "a/b", ".hidden", "x" * 64, 'a"b', "-x", "a\\b", "a\nb", 5, None):
        expect(read("/api/save", {"drawing": drawing, "name": name})[0] == 422, f"the name {name!r}")
    expect("too long" in read("/api/save", {"drawing": drawing, "name": "x" * 300})[1]["error"], "a long name")
    status, o = read("/api/save", {"drawing": drawing, "name": "my wall è"})  # as people call things
    expect(status == 200 and digest_of(program, o["file"]) == end["digest"], f"a name with a blank: {o}")
    expect(o["command"] == f"sciara run '{o['file']}'", f"{o}")
    shutil.rmtree(o["folder"])
    for name in ("\x00", "a\x00b", "a\\\x00"):  # where a text of C would end
        status, text = read("/api/save", {"drawing": drawing, "name": name})
        expect(status == 400 and "NUL" in text["error"], f"the name {name!r}: {status} {text}")
    title = {**drawing, "title": "C:\\u0000"}  # a backslash, and no NUL
    expect(run(title)[-1][1]["digest"] == end["digest"], "the title has a backslash")
    for kind in ("../../x", "Plan", "", "case/", 5, None, ["case"]):
        status, text = read("/api/save", {"drawing": drawing, "name": "kind", "kind": kind})
        expect(status == 422 and text["error"] == "kind: give case or plan", f"the kind {kind!r}: {status} {text}")
    for members in ("300", 1, 2.5, 10**9, None, [200]):
        status, text = read("/api/ensemble", {"drawing": drawing, "members": members})
        expect(status == 422 and "members: give" in text["error"], f"{members!r} members: {status} {text}")
    expect(sorted(os.listdir(folder)) == ["drawn-1", "other"], f"{os.listdir(folder)}")
    steady = [b for b in drawing["barriers"] if "from_h" not in b]
    status, plan = read("/api/save", {"drawing": {**drawing, "barriers": steady}, "name": "plan", "kind": "plan"})
    expect(status == 200, f"{plan}")
    out = subprocess.run([program, "info", plan["file"]], capture_output=True, text=True)
    expect(out.returncode == 0 and "members" in out.stdout, out.stderr)
    expect(read("/api/save", {"id": 10**9, "name": "x"})[0] == 404, "a run that is not kept")


def forecasts():
    """Two of saved cases, one after the other: each has files of its own, and those of the first are not the second's."""
    drawing = {**facts()["original_drawing"], "hours": 2}
    page = lambda number, file: ((a := ask(f"/api/forecast/file?key={key}&id={number}&file={file}")).status, a.read())
    before = None
    for members in (4, 6):
        name = f"forecast-{members}"
        status, saved = read("/api/save", {"drawing": drawing, "name": name})
        expect(status == 200, f"{saved}")
        got = list(frames(ask("/api/forecast", {"name": name, "members": members})))
        kinds = [kind for kind, _, _ in got]
        expect(kinds[0] == "begin" and kinds[-1] == "end" and set(kinds[1:-1]) == {"frame"}, f"frames are {kinds}: {got[-1][1]}")
        number, end = got[0][1]["id"], got[-1][1]
        expect((end["members"], end["all"]) == (members, members) and end["files"][:2] == ["bulletin.html", "report.html"], f"{end}")
        status, text = page(number, "bulletin.html")
        expect(status == 200 and f"Based on {members} simulated eruptions".encode() in text, f"{members}: {status} {text[:500]}")
        picture = next(file for file in end["files"] if file.endswith(".png"))
        with open(os.path.join(saved["folder"], end["result"], picture), "rb") as file:
            expect(page(number, picture) == (200, file.read()), "its map is another")
        for wrong, file in ((before, "bulletin.html"), (before, picture), (number + 1, "report.html"), (number, "no.html"),
                            (number, f"../{name}.cfg")):
            expect(wrong is None or page(wrong, file)[0] == 404, f"forecast {wrong} of {before}, {number}: {file}")
        before = number
    expect(ask("/api/forecast", {"name": "no-such"}).status == 404, "a case that was not saved")


def replace(which):
    """Saves one of two drawings, of which the second has no barriers; status 1 if the server ends meanwhile."""
    drawing = {**draw(), "places": []}
    drawing["rates"][0]["points"][0][1] = 8 if which == "A" else 5
    drawing["vents"][0]["points"][0] = point(20, 25 if which == "A" else 28)
    if which == "B":
        drawing["barriers"] = []
    try:
        status, saved = read("/api/save", {"drawing": drawing, "name": "one", "replace": True})
    except (OSError, http.client.HTTPException):
        sys.exit(1)
    expect(status == 200, f"{status} {saved}")


def named(folder, line):
    """A terrain that is not small is not copied, what else the case names is, its roads too, and the case is not that of its own files."""
    f = facts()
    status, o = read("/api/save", {"drawing": f["original_drawing"], "name": os.path.basename(folder)})
    text = open(o["file"]).read()
    expect(status == 200 and re.search(line, text, re.M), f"{o}: {text}")
    copies = re.findall(r"^(?:vents|rates|background) +(\S+)$", text, re.M)
    expect(len(copies) == 3 and all(os.path.exists(os.path.join(folder, c)) for c in copies), f"{text}: {os.listdir(folder)}")
    again = read("/api/save", {"drawing": f["original_drawing"], "name": os.path.basename(folder), "replace": True})
    expect(again[0] == 200 and sorted(os.listdir(folder)) == sorted([*copies, os.path.basename(o["file"])]), f"{os.listdir(folder)}")


def keys(program):
    """Keys of the case: each changes the run, and a saved case has them."""
    f = facts()
    table, drawing = {k["name"]: k for k in f["keys"]}, f["original_drawing"]
    expect(table["Pcool"]["parameter"] and table["emission"]["choices"] == ["integral", "published"]
           and "dem" not in table and "parameters" not in table, f"{list(table)}")
    as_it_is, digests = run(drawing)[-1][1], set()
    digests.add(as_it_is["digest"])
    expect(drawing["parameters"] is None and drawing["keys"]["PTvent"] == "1360", f"{drawing['keys']}")
    clock = float(drawing["keys"]["Pclock"])
    for name, value in (("emission", "published"), ("PTvent", "1300"), ("Pclock", f"{clock / 2:g}")):
        end = run({**drawing, "keys": {**drawing["keys"], name: value}})[-1][1]
        expect(end["hours"] == as_it_is["hours"], f"{name}: {end['hours']} hours, not {as_it_is['hours']}")
        digests.add(end["digest"])
    expect(len(digests) == 4, "a key changes nothing")
    same = {"keys": {"Pclock": f"{clock:.1f}", "map_note": "Exercise #1"}}
    expect(run({**drawing, **same})[-1][1]["digest"] == as_it_is["digest"], "the same values give another digest")
    refused = read("/api/run", {"drawing": {**drawing, "keys": {"PTvent": None}}})
    expect(refused[0] == 422 and refused[1]["field"] == "PTvent", f"a parameter is missing: {refused}")
    name = f["parameters"][0]["name"]
    digests = {run({**drawing, "parameters": name, "hours": 20, **more})[-1][1]["digest"]
               for more in ({}, {"keys": {"PTvent": None}}, {"keys": {"PTvent": "1300"}})}
    expect(len(digests) == 2, "a key next to a set of parameters does not count")
    own = {**drawing, "keys": {**drawing["keys"], "emission": "published", "PTvent": "1300", "map_note": "Exercise #1"}}
    end = run(own)[-1][1]
    status, saved = read("/api/save", {"id": end["id"], "name": "keys"})
    expect(status == 200 and saved["digest"] == end["digest"], f"{status} {saved}")
    out = subprocess.run([program, "run", saved["file"], "--no-output", "--json"], capture_output=True, text=True)
    expect(out.returncode == 0 and json.loads(out.stdout)["digest"] == end["digest"], f"the saved case has another digest {out.stderr}")
    text = open(saved["file"]).read()
    expect(all(word in text for word in ("published", "1300", '"Exercise #1"')), text)


def export(folder):
    drawing = draw()
    end = run(drawing)[-1][1]
    identity, lines = end["id"], end["isochrones"]
    begins = {"report": b"<!doctype html", "geotiff": b"II", "arrival": b"II", "png": b"\x89PNG",
              "arrival_png": b"\x89PNG", "summary": b"{"}
    for name, first in begins.items():
        answer = ask(f"/api/export?id={identity}&format={name}")
        data = answer.read()
        expect(answer.status == 200 and data.startswith(first), f"{name}: {answer.status} {data[:60]!r}")
        expect("attachment" in answer.getheader("Content-Disposition"), name)
        if name == "report":
            reported = json.loads(re.search(rb'id="facts">(.*?)</script>', data)[1])["isochrones"]
            expect(len(lines) > 2 and all(len(one["lines"][0]) > 4 for one in lines), f"no lines of arrival: {lines}")
            expect(reported == lines, "the report has other lines of arrival")

    def made():  # when the files of the run were made
        return [os.stat(path).st_mtime_ns for path in glob.glob(f"{folder}/sciara-*/export/summary.json")]

    last = made()
    expect(len(last) == 1, f"{last} in {folder}")
    for name in ("report", "png", "report", "geotiff", "png"):
        ask(f"/api/export?id={identity}&format={name}").read()
    expect(made() == last, "files that are there were made again")
    files = lambda: {name: re.sub(rb'"[a-z_]+_s":[-0-9.e]+|/drawing[0-9]+/|CRC-32 [0-9a-f]{8}', b"", ask(f"/api/export?id={identity}&format={name}").read())
                     for name in ("png", "report", "geotiff", "arrival")}
    drawn = lambda: sorted(glob.glob(f"{folder}/sciara-*/drawing*"))
    kept, where = files(), drawn()
    expect(len(where) == 1, f"the run that has ended is not kept: {where}")
    later = run({**drawing, "hours": 6})[-1][1]["id"]
    expect(len(drawn()) == 1 and drawn() != where, f"one run is kept, the last: {drawn()}")
    where = drawn()
    for name in begins:
        expect(ask(f"/api/export?id={later}&format={name}").status == 200, name)
    expect(drawn() == where, "a run that has ended was computed again for its files")
    again = files()
    expect(drawn() != where, "a run that is not the last one was not computed again")
    for name, data in kept.items():
        expect(again[name] == data, f"{name}: other files than those of the run that was kept")
    for wrong in (f"id={identity}&format=exe", "id=0&format=png", "format=png", f"id={identity}",
                  f"id={identity}&format=../../etc/passwd"):
        expect(ask(f"/api/export?{wrong}").status == 404, wrong)


def hostile_syntax(status, request):
    """What only looks like HTTP or JSON: each has one answer, and then an honest request has its own."""
    form = "Content-Type: application/json\r\n"
    post = "POST /api/run HTTP/1.1"
    drawing = facts()["original_drawing"]

    def send(text):
        return request(post, more=form + f"Content-Length: {len(text)}\r\n") + text.encode()

    cases = [(request(more="Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://evil.example\r\n"), {403}),
             (request(more="".join(f"X-{n}: {'y' * 100}\r\n" for n in range(5000))), {413, 431}),
             (request(more=f"X: {'y' * 10**6}\r\n"), {413, 431}),
             (request(f"GET /{'a' * 10**6} HTTP/1.1"), {414}),
             (request("GET /api/facts HTTP/1.1", key=key + "\r\nSciara-Key: wrong"), {200}),
             (request(post, more=form), {411}),
             (request(post, more=form + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n") + b"{}", {400, 411}),
             (request(post, more=form + "Content-Length: 2x\r\n") + b"{}", {400}),
             (request(more="Content-Length: 5\r\n") + b"hello", {413})]
    cases += [(request(f"{method} {path} HTTP/1.1"), {405})
              for method in ("HEAD", "PUT", "DELETE", "PATCH", "OPTIONS") for path in ("/", "/api/facts", "/api/run")]
    cases += [(request(f"GET {path} HTTP/1.1"), {404})
              for path in ("/api/facts%00", "/api/facts%00/../run", "/%61%70%69/../facts", "/api%2ffacts/", "/api/%66acts%2f",
                           "/%", "/%zz", "/api/%c0%ae%c0%ae/facts", "/..%5c..%5cetc", "/api/facts;x", "/f/0/../../api/files/")]
    for number in ("NaN", "Infinity", "-Infinity", "1e999", "-1e999", "0x10", "+5", "--1", "1" * 400):
        for member in (f'"hours": {number}', f'"vents": [{{"id": 1, "points": [[{number}, 0]]}}]',
                       f'"rates": [{{"vent": 0, "points": [[0, {number}], [5, 0]]}}]'):
            wanted = {422} if "e" in number else {400, 422} if len(number) == 400 else {400}  # (some cJSON read 63 digits)
            cases.append((send(f'{{"drawing": {{{member}}}}}'), wanted))
    cases += [(send(deep), {400}) for deep in ("[" * 10**5, '{"a":' * 10**5)]
    cases += [(send(f'{{"drawing": {deep}}}'), {422})
              for deep in ("[" * 900 + "]" * 900, '{"keys": ' + '{"a":' * 900 + "1" + "}" * 900 + "}")]
    for data, wanted in cases:
        got = status(data)
        expect(got in wanted, f"{data[:90]!r}: {got}, not {wanted}")
    two = request() + request(key="0" * 32)  # one behind the other: each by its own key
    s = socket.create_connection((address.hostname, address.port), timeout=30)
    s.sendall(two)
    text = b""
    while text.count(b"HTTP/1.1 ") < 2 and (more := s.recv(65536)):
        text += more
    s.close()
    expect(re.findall(rb"HTTP/1.1 (\d+)", text) == [b"200", b"403"], f"pipelined: {text[-300:]!r}")
    expect(run({**drawing, "hours": 5})[-1][0] == "end", "after that nothing runs")


def hostile():
    """200 requests that nothing answers, and sockets that stay open."""
    kept, count = [], 0

    def raw(data, end=False):
        nonlocal count
        count += 1
        s = socket.create_connection((address.hostname, address.port), timeout=30)
        try:
            s.sendall(data)
            if end:
                s.shutdown(socket.SHUT_WR)
            return s
        except OSError:
            return s

    def status(data):
        s = raw(data)
        try:
            text = s.recv(4000)
        except OSError:
            text = b""
        s.close()
        return int(text.split()[1]) if text.startswith(b"HTTP/1.1 ") else 0

    def request(line="GET /api/facts HTTP/1.1", host=host, key=key, more=""):
        return f"{line}\r\nHost: {host}\r\nSciara-Key: {key}\r\n{more}\r\n".encode()

    for n in range(10):
        wrong = "0" * n if n else key[:-1] + ("0" if key[-1] != "0" else "1")
        expect(status(request(key=wrong)) == 403, f"key {wrong}")
        expect(status(f"GET /api/facts?key={wrong} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()) == 403, "key in the query")
        expect(status(f"GET /api/facts HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()) == 403, "no key")
    for name in ("evil.example", f"evil.example:{address.port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.1.:{address.port}",
                 f"10.0.0.1:{address.port}", "", f"localhost:{address.port}.evil.example", "x" * 3000, "[::1"):
        expect(status(request(host=name)) == 403, f"host {name[:50]}")
    expect(status(f"GET / HTTP/1.1\r\nSciara-Key: {key}\r\n\r\n".encode()) in (400, 403), "no host")
    for origin in ("http://evil.example", "https://" + host, "null", "http://localhost", "file://", "http://" + host + "/"):
        expect(status(request(more=f"Origin: {origin}\r\n")) == 403, f"origin {origin}")
        expect(status(request("POST /api/run HTTP/1.1", more=f"Origin: {origin}\r\nContent-Length: 2\r\n") + b"{}") == 403,
               f"origin {origin} with POST")
    opened = "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: "  # a tab: the key alone lets it in
    for site in ("cross-site", "same-site"):
        expect(status(request(more=f"Sec-Fetch-Site: {site}\r\n")) == 403, site)
        for dest, wanted in (("document", 200), ("iframe", 403), ("image", 403)):
            expect(status(request(more=f"Sec-Fetch-Site: {site}\r\n{opened}{dest}\r\n")) == wanted, f"{site}, {dest}")
        expect(status(request(key="0" * 32, more=f"Sec-Fetch-Site: {site}\r\n{opened}document\r\n")) == 403, f"{site} without the key")
    for path in ("/etc/passwd", "/../../etc/passwd", "/api/../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
                 "/api/facts/", "/api", "/api/facts%20", "/index.html", "/.git/config", "/api/run/1", "http://evil.example/"):
        expect(status(request(f"GET {path} HTTP/1.1")) == 404, f"path {path}")
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "HEAD", "BREW"):
        expect(status(request(f"{method} /api/facts HTTP/1.1")) == 405, f"method {method}")
    expect(status(request("GET /api/run HTTP/1.1")) == 405, "GET of a run")
    expect(status(request("POST /api/facts HTTP/1.1", more="Content-Length: 2\r\n") + b"{}") == 405, "POST of facts")
    for size in (4 * 2**20 + 1, 10**12, 10**25, -5):
        more = f"Content-Type: application/json\r\nContent-Length: {size}\r\n"
        wanted = (413,) if 0 <= size < 2**63 else (400, 413)  # others are no numbers for the library
        expect(status(request("POST /api/run HTTP/1.1", more=more)) in wanted, f"{size} bytes")
    chunks = request("POST /api/run HTTP/1.1", more="Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n")
    for body in (b"2\r\n{}\r\n0\r\n\r\n", b"ffffffffffffffff\r\n", b"-1\r\n", b"zz\r\n", b"0\r\n" + b"X: y\r\n" * 9 + b"\r\n"):
        got = status(chunks + body)
        expect(got == 411, f"chunks {body[:20]}: {got}")
    hostile_syntax(status, request)
    expect(status(request("POST /api/run HTTP/1.1", more="Content-Type: text/plain\r\nContent-Length: 2\r\n") + b"{}") == 415,
           "a form")
    bodies = [b"", b"{", b"[" * 5000, b'{"drawing": ' * 2000, b"\x00" * 50, b'{"drawing": null}', b"\xff\xfe",
              b'{"drawing": {"vents": 1e999}}', b'{"drawing": {"vents": [[]]}}', b'"' + b"x" * 100000]
    for body in bodies:
        more = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        for path in ("run", "save", "ensemble", "ask"):
            got = status(request(f"POST /api/{path} HTTP/1.1", more=more) + body)
            wanted = 400 if not body.endswith(b"}") else 404 if path == "ask" else 422
            expect(got == wanted, f"{path} {body[:40]!r}: {got}")
    seed = random.Random(1)
    for n in range(20):
        kept.append(raw(bytes(seed.randrange(256) for _ in range(seed.randrange(1, 3000)))))
    for n in range(20):
        kept.append(raw(request()[: seed.randrange(1, len(request()) - 4)], n % 2))  # half a request
    for n in range(20):
        kept.append(raw(request("POST /api/run HTTP/1.1", more="Content-Type: application/json\r\nContent-Length: 900\r\n")[:-30]))
    slow = raw(b"GET /api/facts HTTP/1.1\r\n")
    for n in range(150):
        kept.append(raw(b""))  # left open
        if n % 10 == 0:
            try:
                slow.sendall(b"X")
            except OSError:
                pass
    began = time.time()
    expect(read("/api/facts")[0] == 200, "sockets that are left open keep others away")
    expect(time.time() - began < 5, "sockets that are left open make others wait")
    print(f"{count} hostile requests")
    expect(count >= 200, f"only {count} requests")
    for s in kept:
        s.close()
    expect(run(facts()["original_drawing"])[-1][0] == "end", "after all this nothing runs")


def cells_of(outline):
    """The cells of the terrain inside an outline of the facts."""
    each = range(outline["every"])
    return {(outline["row0"] + outline["every"] * row + i, outline["col0"] + outline["every"] * col + k)
            for row, first, count in outline["runs"] for col in range(first, first + count) for i in each for k in each}


def outline(path):
    """Writes the cells inside the observed outline, by their centres in metres, and how large the cells are."""
    f = facts()
    g, o = f["grid"], f["outline"]
    cells = cells_of(o)
    expect(len(cells) > 50 and "outline_refused" not in f, f"{len(cells)} cells")
    with open(path, "w") as out:
        json.dump([o["every"], sorted((g["west_m"] + (col + 0.5) * g["cell_m"], g["south_m"] + (g["rows"] - row - 0.5) * g["cell_m"])
                                      for row, col in cells)], out)


def same_outline(small, large):
    """A large terrain has the same cells inside as a small one there."""
    few, many = (json.load(open(path)) for path in (small, large))
    expect(few == many and few[0] == 1, f"{few[0]} {len(few[1])} cells, {many[0]} {len(many[1])}")


def thinned(west, south, side):
    o, g = facts()["outline"], facts()["grid"]
    west, south, side = float(west), float(south), float(side)
    expect(o["every"] > 1, f"cells of {o['every']}")
    runs = sum(count for _, _, count in o["runs"]) * (o["every"] * g["cell_m"]) ** 2
    expect(abs(runs / side**2 - 1) < 0.01, f"{runs} m2 of {side**2}")
    row, first, count = o["runs"][0]
    x = g["west_m"] + (o["col0"] + o["every"] * first) * g["cell_m"]
    y = g["south_m"] + (g["rows"] - o["row0"] - o["every"] * row) * g["cell_m"]
    expect(abs(x - west) <= o["every"] * g["cell_m"] and abs(y - south - side) <= o["every"] * g["cell_m"], f"{x} {y}")


def refused_outline():
    expect("cut.geojson" in facts()["outline_refused"], f"{facts().get('outline_refused')}")


def coast():
    f = facts()
    drawing = f["original_drawing"]
    expect(f["sea"] and f["sea_level_m"] == 80 and drawing["title"] == "Coast #1", f"{f['title']}")
    expect([b["kind"] for b in drawing["barriers"]] == ["wall", "channel"] and drawing["barriers"][1]["from_h"] == 5,
           f"{drawing['barriers']}")
    as_it_is = run(drawing)[-1][1]
    expect(as_it_is["ledger"]["entered_sea_m3"] > 0, "no lava enters the sea")
    same = copy.deepcopy(drawing)
    same["barriers"][0]["name"] = "another name, the same wall"
    expect(run(same)[-1][1]["digest"] == as_it_is["digest"], "the same barriers as a drawing have another digest")
    same["rates"] = [dict(r, points=r["points"] + [[r["points"][-1][0] + 1, 0]]) for r in same["rates"]]
    same["vents"] = [dict(v, name="mine") for v in same["vents"]]
    expect(run(same)[-1][1]["digest"] == as_it_is["digest"], "the same vents and rates as a drawing have another digest")
    same["barriers"][0]["height_m"] = 0.5
    expect(run(same)[-1][1]["digest"] != as_it_is["digest"], "a wall of half a metre changes nothing")


def largest(arrays, name):
    return max(arrays[name], default=0)


def ensemble(program, folder):
    """Grows, stops, goes on, and ends with the digest of `sciara ensemble`."""
    drawing = {**draw(), "barriers": []}
    got = list(frames(ask("/api/ensemble", {"drawing": drawing, "members": 12})))
    expect([k for k, _, _ in got][:: len(got) - 1] == ["begin", "end"], f"{[k for k, _, _ in got]}")
    counts = [about["members"] for kind, about, _ in got if kind == "frame"]
    expect(counts[-1] == 12 and counts == sorted(counts), f"members {counts}")
    last = got[-2][2]
    of_12 = [p * 12 / 65534 for p in last["probability"]]
    expect(all(abs(n - round(n)) < 1e-3 for n in of_12) and max(of_12) > 6 and 0 < largest(last, "error") < 65534 / 2,
           f"probabilities up to {max(of_12)} of 12, errors up to {largest(last, 'error')}")
    expect(any(0 < p < 65534 for p in last["probability"]), "all members agree")
    expect({p["name"] for p in got[-1][1]["places"]} == {"hut", "road, old", "village"}, "places")
    expect(got[-1][1]["places"][0]["probability"] > 0.1, f"the hut at the vent is not reached: {got[-1][1]}")
    plan = next(os.path.join(folder, d, "plan0", f) for d in os.listdir(folder) for f in os.listdir(f"{folder}/{d}/plan0")
                if f.endswith(".cfg"))
    out = subprocess.run([program, "ensemble", plan, "--quiet", "--json", "--output", os.path.join(folder, "ensemble")],
                         capture_output=True, text=True)
    expect(out.returncode == 0 and json.loads(out.stdout)["digest"] == got[-1][1]["digest"], out.stderr + out.stdout[-300:])

    answer = ask("/api/ensemble", {"drawing": drawing, "members": 12})
    got_2 = frames(answer)
    identity = next(got_2)[1]["id"]
    while next(got_2)[1].get("members", 0) < 1:
        pass
    answer.connection.sock.shutdown(socket.SHUT_RDWR)
    answer.connection.close()
    for _ in range(100):  # until the server has seen it
        again = ask("/api/ensemble", {"continue": identity})
        if again.status == 200:
            break
        again.read()
        time.sleep(0.1)
    rest = list(frames(again))
    expect(rest[-1][0] == "end" and rest[-1][1]["digest"] == got[-1][1]["digest"], "after a stop the digest is another")
    cells = lambda frame: dict(zip(frame[2]["cell"], frame[2]["probability"]))
    expect(cells(rest[-2]) == cells(got[-2]), "after a stop probabilities are others")
    expect(ask("/api/ensemble", {"continue": 10**9}).status == 404, "an ensemble that is not kept")
    expect(read("/api/ensemble", {"drawing": drawing, "members": 0})[0] == 422, "no members")


def planned(program, path):
    """A plan with observed rates and without an end: they are what is drawn at first, and the ensemble is the plan's."""
    drawing = facts()["drawing"]
    expect(facts()["kind"] == "plan" and drawing["hours"] is None and len(drawing["rates"][0]["points"]) > 2, f"{drawing}")
    end = run(drawing)[-1][1]
    expect(end["ended"] == "still" and end["cells"] > 20, f"{end}")
    rates = copy.deepcopy(drawing["rates"])
    expect(run({**drawing, "rates": rates + []})[-1][1]["digest"] == end["digest"], "the same rates, another digest")
    rates[0]["points"][0][1] *= 2
    expect(run({**drawing, "rates": rates})[-1][1]["digest"] != end["digest"], "other rates change nothing")
    status, text = read("/api/ensemble", {"drawing": drawing, "members": 5})
    expect(facts()["members"] == 12 and status == 422 and "members: the plan has 12" in text["error"], f"another number: {status} {text}")
    got = list(frames(ask("/api/ensemble", {"drawing": drawing, "members": 12})))[-1]
    expect(got[1]["digest"] == list(frames(ask("/api/ensemble", {})))[-1][1]["digest"], "its own number is another plan")
    out = subprocess.run([program, "ensemble", path, "--quiet", "--json", "--output", path + "-out"], capture_output=True, text=True)
    expect(got[0] == "end" and json.loads(out.stdout)["digest"] == got[1]["digest"], f"{got} {out.stderr}")


def power(saved):
    """A plan whose rates are radiant power: they are drawn as rates, and saved as such."""
    drawing = facts()["drawing"]
    expect(drawing["rates"] == [{"vent": 0, "points": [[0, 2], [6, 3], [12, 0]]}], f"{drawing['rates']}")
    digests = [run({**drawing, "hours": 13, **more})[-1][1]["digest"] for more in ({}, {"rates": None}, {"rates": drawing["rates"]})]
    expect(len(set(digests)) == 1, f"{digests}")
    status, o = read("/api/save", {"drawing": drawing, "name": "power"})
    expect(status == 200 and open(f"{saved}/power/rates.csv").read() == "vent,from_h,to_h,rate_m3_s\n*,0,6,2\n*,6,12,3\n", f"{o}")


def pairs():
    drawing = draw()
    drawing["barriers"] = [b for b in drawing["barriers"] if "from_h" not in b]
    cells = [(row, col) for row in range(12, 45, 4) for col in range(15, 36, 4)]
    drawing["places"] = [{"name": f"{row}, {col}", "points": [point(row, col)]} for row, col in cells]
    got = list(frames(ask("/api/ensemble", {"drawing": drawing, "members": 12, "barriers": True})))
    expect(got[0][1]["kind"] == "pairs" and got[-1][0] == "end", f"{got[-1][:2]}")
    a = got[-2][2]
    difference = [q / 32767 - 1 for q in a["difference"]]
    for p, q, d in zip(a["probability_with"], a["probability_without"], difference):
        expect(abs((p - q) / 65534 - d) < 1e-4, "the difference is none of both")
    expect(min(difference) < -0.2, "barriers keep no lava away")
    of_cell = dict(zip(a["cell"], zip(a["probability_with"], difference)))
    there = [of_cell.get(row * facts()["grid"]["cols"] + col, (0, 0)) for row, col in cells]
    expect(any(d < -0.1 for _, d in there), "barriers keep lava away from no place")
    for (p, _), place in zip(there, got[-1][1]["places"], strict=True):
        expect(abs(p / 65534 - place["probability"]) < 1e-4, f"a place of one cell is not as its cell: {place}, {p / 65534}")
    unequal = [e for e, d in zip(a["error"], difference) if abs(d) > 0.01 and abs(d) < 0.99]
    expect(unequal and max(unequal) > 0, "no errors")
    alone = list(frames(ask("/api/ensemble", {"drawing": drawing, "members": 12})))
    cells = dict(zip(alone[-2][2]["cell"], alone[-2][2]["probability"]))
    expect({c: p for c, p in zip(a["cell"], a["probability_with"]) if p} == cells, "with barriers: another ensemble")
    expect(alone[-1][1]["digest"] == got[-1][1]["digest"], "with barriers: another digest")
    later = {**drawing, "barriers": [{**drawing["barriers"][0], "from_h": 3}]}
    got = list(frames(ask("/api/ensemble", {"drawing": later, "members": 12})))
    expect(got[-1][0] == "end" and got[-1][1]["digest"] != alone[-1][1]["digest"], "a barrier that is built later")


def library(digest, path):
    f = facts()
    expect(f["kind"] == "library" and any(c["name"] == "rate_factor" for c in f["library"]["columns"]), f"{f['library']}")
    column = next(c for c in f["library"]["columns"] if c["name"] == "rate_factor")
    expect(column["low"] < column["high"], f"{column}")

    def question(body):
        return list(frames(ask("/api/ask", body)))

    whole = question({})
    expect([kind for kind, _, _ in whole] == ["begin", "frame", "end"], f"{[k for k, _, _ in whole]}")
    expect(whole[-1][1]["digest"] == digest and whole[-1][1]["members"] == 12, f"{whole[-1][1]}, not {digest}")
    half = (column["low"] + column["high"]) / 2
    some = question({"where": f"\"rate_factor\" BETWEEN {half!r} AND {column['high']!r}"})
    other = question({"where": f"rate_factor >= {half!r}"})
    expect(0 < some[-1][1]["members"] < 12 and some[-1][1]["digest"] == other[-1][1]["digest"], "a range is no condition")
    cells = whole[1][2]
    of_cells = list(zip(cells["arrival_low_h"], cells["arrival_h"], cells["arrival_high_h"], cells["probability"]))
    few = [x for x in of_cells if round(12 * x[3] / 65535) < 3]  # of twelve members
    expect(0 < len(few) < len(of_cells) and all(a == c == 65535 for a, _, c, _ in few), "a range of fewer than three members")
    expect(all(a <= b < c for a, b, c, _ in set(of_cells) - set(few)), "a range without its median")
    known = cells["cell"][max(range(len(of_cells)), key=lambda i: (of_cells[i] not in few) and of_cells[i][2])]  # with a range
    places = question({"places": [{"name": "here", "points": [point(*divmod(known, facts()["grid"]["cols"]))]}]})
    expect([p["name"] for p in places[-1][1]["places"]] == ["here"], f"{places[-1][1]}")
    here = places[-1][1]["places"][0]
    expect(0 <= here["arrival_low_h"] <= here["arrival_h"] < here["arrival_high_h"], f"no range of arrivals: {here}")
    anew = question({"where": f"rate_factor >= {half!r}"})  # (with the places of before: the library is opened again)
    expect(anew == other, "the difference to the last question is not the question")
    status, text = read("/api/ask", {"where": f"rate_factor > {column['high']!r}"})
    expect(status == 422 and "has no member that fulfils" in text["error"], f"{status} {text}")
    expect(question({"where": f"rate_factor < {half!r}"})[-1][1]["members"] == 12 - other[-1][1]["members"], "after a question to none")
    expect(question({"where": f"rate_factor >= {half!r}"}) == other, "there and back again")
    for wrong in ({"where": "drop table members"}, {"where": "no_column > 1"}, {"where": 5}, {"where": None},
                  {"where": "1; DELETE FROM members"}, {"where": "load_extension('x')"},
                  {"places": [{"points": []}]}):
        status, text = read("/api/ask", wrong)
        expect(status == 422, f"{wrong}: {status} {text}")
    expect(question({})[-1][1]["digest"] == digest, "after refusals the library answers otherwise")
    with sqlite3.connect(path) as db:  # another program changes the library, between two questions
        db.execute("DELETE FROM members WHERE member = 5")
        db.execute("DELETE FROM cells WHERE tile_member & 0xffffff = 5")
    expect(question({})[-1][1]["members"] == 11, "a library that has changed answers as before")


def send(path, data, **headers):
    """A file as the body of a request: its status, and what is said."""
    connection = http.client.HTTPConnection(host, timeout=60)
    connection.request("POST", path, data, {"Sciara-Key": key, "Content-Type": "application/octet-stream"} | headers)
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def send_files(*files):
    """Announced, then sent; the number that they have together."""
    status, o = read("/api/terrains", {"files": [{"name": name, "bytes": len(data)} for name, data in files]})
    expect(status == 200, f"announced: {o}")
    for k, (_, data) in enumerate(files):
        got = send(f"/api/terrains/file?id={o['id']}&file={k}", data)
        expect(got == (200, {}), f"{files[k][0]}: {got}")
    return o["id"]


def prepare(what, options):
    answer = ask("/api/terrains/prepare", what | {"options": options})
    return [(kind, told) for kind, told, _ in frames(answer)] if answer.status == 200 else [("refused", json.loads(answer.read()))]


def grid(west, south, cell, rows, cols, height=lambda i, k: 500 + i + (i * k) % 7 / 10):
    lines = [" ".join(f"{height(i, k):.2f}" for k in range(cols)) for i in range(rows)]
    return f"ncols {cols}\nnrows {rows}\nxllcorner {west}\nyllcorner {south}\ncellsize {cell}\n".encode() + "\n".join(lines).encode()


DEGREES = b'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]'


def files_below(folder):
    return {path: open(path, "rb").read() for path in glob.glob(f"{folder}/**", recursive=True) if os.path.isfile(path)}


def terrains(program, saved):
    """Terrains that are sent: opened as they are, or prepared by a command that does the same outside; what is there stays."""
    before = files_below(saved)
    metres = send_files(("lava.asc", grid(500000, 4170000, 10, 40, 50)))
    status, opened = read("/api/terrains/open", {"id": metres})
    expect(status == 200, f"a terrain in metres: {opened}")
    status, about = read(f"/f/{opened['number']}/api/facts")
    expect(status == 200 and about["grid"]["rows"] == 40 and about["grid"]["cols"] == 50, f"{about}")

    sent = ("lava.asc", grid(15, 37.7, 0.0001, 60, 70)), ("lava.prj", DEGREES)
    for k in range(2):  # under one name twice: none replaces the other
        identity = send_files(*sent)
        status, refused = read("/api/terrains/open", {"id": identity})
        expect(status == 422 and "degrees" in refused["error"] and refused["prepare"]["options"].startswith("--crs EPSG:"), f"{refused}")
        whole = "sciara dem {sources} {options} --output {output}".format(**refused["prepare"])
        expect(whole in refused["error"], f"two answers: {refused}")
        got = prepare({"id": identity}, refused["prepare"]["options"])
        expect(got[0][0] == "begin" and got[-1][0] == "end", f"{got}")
        output = got[0][1]["output"]
        expect(output == refused["prepare"]["output"] and os.path.exists(output), f"{got[0]} of {refused}")
        by_hand = f"{saved}/by-hand{k}.tif"
        command = f"{refused['prepare']['sources']} {refused['prepare']['options']} --output {by_hand} --quiet"
        subprocess.run([program, "dem", *command.split()], check=True)
        expect(open(by_hand, "rb").read() == open(output, "rb").read(), "the command makes another terrain")
        about = read(f"/f/{got[-1][1]['number']}/api/facts")[1]
        expect("UTM" in about["grid"]["crs_name"] and about["grid"]["rows"] > 40, f"{about['grid']}")
        os.remove(by_hand)
    both = send_files(("a.asc", sent[0][1]), ("a.prj", DEGREES), ("b.asc", grid(15.007, 37.7, 0.0001, 60, 70)), ("b.prj", DEGREES))
    status, refused = read("/api/terrains/open", {"id": both})
    expect(status == 422 and "2 rasters" in refused["error"] and refused["prepare"]["sources"].count(".asc") == 2, f"{refused}")
    got = prepare({"id": both}, "")
    expect(got[-1][0] == "end", f"{got}")
    expect(read(f"/f/{got[-1][1]['number']}/api/facts")[1]["grid"]["cols"] > 80, "two tiles are not one terrain")
    # what dem asks for is proposed; what it refuses besides leaves the options as they were
    marked = send_files(("marked.asc", grid(15, 37.7, 0.0001, 60, 70, lambda i, k: -32768 if i == k == 9 else 700)), ("marked.prj", DEGREES))
    proposed = read("/api/terrains/open", {"id": marked})[1]["prepare"]["options"]
    last = prepare({"id": marked}, proposed)[-1]
    expect(last[0] == "failed" and "--nodata -32768" in last[1]["prepare"]["options"] and proposed in last[1]["prepare"]["options"], f"{last}")
    again = prepare({"id": marked}, last[1]["prepare"]["options"])[-1]
    expect(again[0] == "end", f"the options that are proposed are refused: {again}")
    last = prepare({"id": marked}, proposed + " --heights UNIT")[-1]
    expect(last[0] == "failed" and last[1]["prepare"]["options"] == proposed + " --heights UNIT", f"{last}")
    after = files_below(saved)
    expect(before == {path: after.get(path) for path in before}, "files that were there are others")


def refused_bodies():
    for body in ([], 5, "text"):
        status, text = read("/api/run", body)
        expect(status == 400 and "not an object" in text["error"], f"{body!r}: {status} {text}")
    long = read("/api/terrains", {"files": [{"name": "x" * 300 + ".tif", "bytes": 5}]})
    expect(long[0] == 422 and "too long" in long[1]["error"], f"{long}")


def hostile_terrains(saved, secret):
    refused_bodies()
    """Names that lead out of the folder, sizes, archives, files that name others, options that would write or read elsewhere."""
    before, outside = files_below(saved), files_below(os.path.dirname(secret))
    for names in (["../up.tif"], ["/etc/x.tif"], ["a/b.tif"], ["..\\up.tif"], [".."], [""], [".hidden.tif"], ["-o.tif"], ["a\nb.tif"], ["x" * 300],
                  ["a.tif", "a.tif"], [7], [None]):
        status, o = read("/api/terrains", {"files": [{"name": name, "bytes": 10} for name in names]})
        expect(status == 422, f"{names}: {o}")
    for size in (0, -1, 1.5, 9 << 30, 1e300, "10", None):
        expect(read("/api/terrains", {"files": [{"name": "a.tif", "bytes": size}]})[0] == 422, f"{size} bytes")
    for files in (None, [], {}, [{"name": "a.tif", "bytes": 1}] * 501, [{"name": f"{k}.tif", "bytes": 7 << 30} for k in range(3)]):
        expect(read("/api/terrains", {"files": files})[0] == 422, f"{str(files)[:60]}")
    expect(before == files_below(saved), "something was written")
    identity = read("/api/terrains", {"files": [{"name": "half.tif", "bytes": 10}]})[1]["id"]
    for path, data, status in ((f"id={identity}&file=0", b"x" * 11, 400), (f"id={identity}&file=1", b"x" * 10, 404), ("id=99&file=0", b"x" * 10, 404),
                               (f"id={identity}&file=-1", b"x" * 10, 404), ("", b"x" * 10, 404)):
        expect(send(f"/api/terrains/file?{path}", data)[0] == status, path)
    expect(send(f"/api/terrains/file?id={identity}&file=0", b"x" * 10, **{"Content-Type": "application/json"})[0] == 415, "JSON as a file")
    expect("not arrived completely" in read("/api/terrains/open", {"id": identity})[1]["error"], "a file that has not come is opened")
    half = socket.create_connection((address.hostname, address.port))  # half a file, and the connection ends
    half.sendall(f"POST /api/terrains/file?id={identity}&file=0 HTTP/1.1\r\nHost: {host}\r\nSciara-Key: {key}\r\n"
                 "Content-Type: application/octet-stream\r\nContent-Length: 10\r\n\r\nhalf".encode())
    time.sleep(0.2)
    half.close()
    end = time.monotonic() + 20
    while glob.glob(f"{saved}/terrains/half/*") and time.monotonic() < end:
        time.sleep(0.05)
    expect(not glob.glob(f"{saved}/terrains/half/*"), "half a file stays")
    expect(send(f"/api/terrains/file?id={identity}&file=0", b"x" * 10)[0] == 409, "a file that has begun begins again")

    vrt = f'<VRTDataset rasterXSize="9" rasterYSize="9"><VRTRasterBand dataType="Float32" band="1"><SimpleSource><SourceFilename>{secret}' \
          '</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>'
    bad = {"other.tif": vrt.encode(), "other.vrt": b"\xef\xbb\xbf  " + vrt.encode(), "case.cfg": f"dem {secret}".encode(), "lib.gpkg": b"SQLite format 3\0" + bytes(99),
           "cut.tif": b"II*\0\x08\0\0\0\x20", "noise.tif": random.Random(1).randbytes(5000), "empty.zip": b"PK\5\6" + bytes(18),
           "noise.zip": b"PK\3\4" + random.Random(2).randbytes(5000), "one.prj": DEGREES}
    for name, data in bad.items():
        identity = send_files((name, data))
        status, o = read("/api/terrains/open", {"id": identity})
        expect(status == 422 and secret not in o["error"], f"{name}: {status} {o}")
        last = prepare({"id": identity}, "")[-1]
        expect(last[0] in ("refused", "failed") and secret not in last[1]["error"], f"{name}: {last}")
    identity = send_files(("lava.asc", grid(15, 37.7, 0.0001, 60, 70)), ("lava.prj", DEGREES))
    for options in (f"--output {secret}", f"--output={secret}", "--replace --cell 10", "--network --from http://127.0.0.1:9/x.tif", "--copernicus --cell 10", secret,
                    f"-- {secret}", f"--like {secret}", f"--against {secret}", "--case --cell 10", "--cell", "--outpu x", "--cell 10 extra", "--help x"):
        last = prepare({"id": identity}, options)[-1]
        expect(last[0] == "refused" and "prepare" in last[1], f"{options}: {last}")
    for what in ({"id": 10**9}, {"id": "1"}, {}, {"number": -1}, {"number": 10**9}, {"number": 1.5e300}):
        expect(prepare(what, "")[-1][0] == "refused" and read("/api/terrains/open", what)[0] == 422, f"{what}")
    expect(outside == files_below(os.path.dirname(secret)), "a file elsewhere has changed")
    expect(before == {path: data for path, data in files_below(saved).items() if path in before}, "a file that was there has changed")


def house(folder):
    """Files of a folder: what is listed, what can be opened, and that nothing outside can."""
    listed = facts_of_house()
    kinds = {f["path"]: f["kind"] for f in listed["files"]}
    expect(kinds == {"again.cfg": "case", "made/bad.cfg": "case", "made/coast.cfg": "case", "made/dem.asc": "dem",
                     "made/plan.cfg": "plan", "made/terrain.tif": "dem", "made/volcano.cfg": "case",
                     "made/mask.asc": "front", "made/lines.gpkg": "front",
                     "kept/library.gpkg": "library"} and listed["folder"] == os.path.realpath(folder), f"{listed}")
    number = {f["path"]: f["number"] for f in listed["files"]}
    expect(facts_of_house()["files"] == listed["files"], "listed again they are others")

    def opened(path):
        return read(f"/f/{number[path]}/api/facts")

    def opens(path):
        """Once the server has seen that connections are closed."""
        return any(opened(path)[0] == 200 or time.sleep(0.1) for _ in range(600))

    expect(opened("made/volcano.cfg")[1]["listed"] and opened("kept/library.gpkg")[1]["kind"] == "library", "not opened")
    status, text = opened("made/bad.cfg")
    expect(status == 422 and "bad.cfg:1" in text["error"], f"a case that is wrong: {status} {text}")
    page = ask(f"/f/{number['made/volcano.cfg']}/?key={key}")
    expect(page.status == 200 and b'"original_drawing"' in page.read(), "no page of a file")
    expect(b'"files"' in ask(f"/?key={key}").read(), "no page of the list")
    for wrong in ("/f/", "/f//", "/f/0", "/f/99/", "/f/-1/", "/f/+0/", "/f/0x0/", "/f/4294967296/", "/f/made/volcano.cfg", "/api/facts",
                  "/f/0/f/0/", f"/f/{number['made/coast.cfg']}/../../../etc/passwd", "/f/0/%2e%2e/", "/f/%30%00/"):
        expect(ask(wrong).status == 404, wrong)
    for path in ("again.cfg", "made/coast.cfg", "made/dem.asc", "made/plan.cfg", "made/terrain.tif"):  # more than are open at once
        expect(opened(path)[0] == 200, path)
    expect(opened("made/volcano.cfg")[0] == 200, "a file that was closed is not opened again")
    drawing = opened("made/volcano.cfg")[1]["drawing"]
    busy = [ask(f"/f/{number[path]}/api/run", {"drawing": {**drawing, "hours": 100000}})
            for path in ("made/volcano.cfg", "made/coast.cfg", "again.cfg", "made/terrain.tif")]
    expect(all(b.status == 200 and b.read(1) for b in busy), "four files at once")
    status, text = opened("made/plan.cfg")
    expect(status == 503, f"a fifth one: {status} {text}")
    expect(opened("again.cfg")[0] == 200, "one of the four")
    for b in busy:
        b.connection.sock.shutdown(socket.SHUT_RDWR)
        b.connection.close()
    os.remove(os.path.join(folder, "again.cfg"))
    os.symlink("/etc/hostname", os.path.join(folder, "again.cfg"))

    def refused():
        """Once four others have taken the places of those that were open; one that is seen as busy for a while keeps its own."""
        for path in ("made/coast.cfg", "made/dem.asc", "made/plan.cfg", "made/terrain.tif"):
            expect(opens(path), f"{path} is not opened again")
        return opened("again.cfg")[0] == 422

    expect(any(refused() or time.sleep(0.1) for _ in range(600)), "a file that became a link")
    expect("again.cfg" not in [f["path"] for f in facts_of_house()["files"]], "a link is listed")
    expect({f["path"]: f["number"] for f in facts_of_house()["files"]}.items() <= number.items(), "files have other numbers")


def closings(count):
    """Streams of ensembles in three files, which closed tabs end while the others are opened: each takes the place of one that
    nobody uses. Members are long, so that an ensemble has not stopped when its connection has ended."""
    number = {f["path"]: f["number"] for f in facts_of_house()["files"]}
    streaming, others = ("made/volcano.cfg", "made/coast.cfg", "made/plan.cfg"), ("made/dem.asc", "made/terrain.tif", "kept/library.gpkg")
    drawing = read(f"/f/{number[streaming[0]]}/api/facts")[1]["drawing"] | {"hours": 10**4}
    closed, opened, busy = 0, 0, 0
    while closed < int(count):
        streams = [ask(f"/f/{number[path]}/api/ensemble", {"drawing": drawing, "drawn": True, "members": 50}) for path in streaming]
        for stream in streams:
            said = stream.read(1) if stream.status == 200 else stream.read()
            expect(stream.status in (200, 503), f"{stream.status} {said}")
            closed += stream.status == 200 and len(said)
            stream.connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            stream.close()
            stream.connection.close()
        until, rounds = time.time() + 0.5, 0  # the server sees it when it sends the next frame
        while time.time() < until or rounds < 3:
            rounds += 1
            status = [read(f"/f/{number[path]}/api/facts")[0] for path in others]
            opened, busy = opened + status.count(200), busy + status.count(503)
    expect(opened > closed, f"{opened} files opened, {busy} refused")
    print(f"{closed} closings, {opened} files opened meanwhile")


def reached():
    """The page answers at an address that was printed."""
    expect(facts()["kind"] == "case", "no facts")


def opened(path, mode):
    """A file that only its owner can read leads to the page."""
    text = open(path).read()
    expect(os.stat(path).st_mode & 0o777 == int(mode, 8) and os.stat(os.path.dirname(path)).st_mode & 0o077 == 0, oct(os.stat(path).st_mode))
    expect(f'http-equiv="refresh" content="0; url={sys.argv[1]}"' in text, text)


def facts_of_house():
    return read("/api/files")[1]


def folder():
    print(facts_of_house()["folder"])


def number(path):
    print(next(f["number"] for f in facts_of_house()["files"] if f["path"] == path))


def memory(pid):
    with open(f"/proc/{pid}/status") as f:
        return next(int(line.split()[1]) for line in f if line.startswith("VmRSS"))


def many(pid, count):
    """Runs in a row keep memory flat. Threads come and go with their heaps, so the least of many moments counts: in the last
    third it is less than 4 MiB above that of the first third, of which the first tenth of all runs does not count. Until every
    thread has had its heap, a hundred runs, it grows: fewer than 400 say nothing of memory."""
    drawing, count = {**facts()["original_drawing"], "hours": 1}, int(count)
    runs, seen = {}, []
    for n in range(count):
        kind, end, _ = run({**drawing, "title": f"run {n}"})[-1]
        expect(kind == "end", f"run {n}: {kind} {end}")
        runs.setdefault(end["digest"], []).append((n, {name: end[name] for name in ("step", "ended", "variant", "threads", "ledger")}))
        seen.append(memory(pid))
    expect(len(runs) == 1, f"{len(runs)} digests; of each the number of runs, and the first: " +
           str({digest: (len(of), of[0]) for digest, of in runs.items()}))
    if count < 400:
        return
    first, last = min(seen[max(100, count // 10):count // 3]), min(seen[-(count // 3):])
    print(f"{count} runs: {first} KiB, then {last}, at most {max(seen)}")
    expect(first and last - first < 4096, f"{last - first} KiB more after {count} runs")


def do(*words):
    global address, key, host, prefix
    sys.argv[1:] = words
    address = urlsplit(words[0])
    key = address.query.split("=")[1]
    host, prefix = address.netloc, address.path.rstrip("/")
    globals()[words[1]](*words[2:])


if len(sys.argv) > 2:
    do(*sys.argv[1:])
else:
    sys.path.insert(0, "tests")
    import parts

    parts.answer(do, sys.argv[1])
