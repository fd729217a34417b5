#!/usr/bin/env python3
"""random_plans.py FOLDER NUMBER — writes a plan that no one has seen: NUMBER.cfg with its files, on a slope of 40 to 60 rows, with
vents, rates, places, zones, fronts, surveys, arrivals, ends and walls as NUMBER decides. Prints what is to be called with it: "ask" with
a condition, or "nowcast"."""
import datetime
import json
import os
import random
import sys

CELL, WEST, SOUTH = 10, 500000, 4170000
ZONES = ("Z", "+01:00", "-03:30", "+05:45", "+00:00", "")
NAMES = ("Hut", "Ponte «Vecchio»", "Farm & Sons <1>", 'The "Inn"', "Þingvellir", "Road 7", "Casa di Rosa", "Chapel", "Mill", "Station", "Borgo", "School", "Well", "Barn", "Pier", "Tor")


class Plan:
    def __init__(self, folder, number):
        self.at, self.number, self.random = folder, number, random.Random(number)
        self.rows, self.cols = self.random.randint(40, 60), self.random.randint(40, 60)
        self.hours, self.lines, self.vents = self.random.choice((20, 36, 60)), [], []
        self.start = self.random.choice((None, *(f"2026-{self.random.choice(('03-01', '12-30'))}T{self.random.randint(0, 23):02d}:{self.random.choice((0, 20, 59)):02d}{z}" for z in ZONES)))

    def write(self, ending, text):
        name = f"{self.number}{ending}"
        with open(f"{self.at}/{name}", "w", encoding="utf-8") as f:
            f.write(text)
        return name

    def raster(self, ending, value):
        head = f"ncols {self.cols}\nnrows {self.rows}\nxllcorner {WEST}\nyllcorner {SOUTH}\ncellsize {CELL}\nNODATA_value -9999\n"
        return self.write(ending, head + "\n".join(" ".join(f"{value(r, c):g}" for c in range(self.cols)) for r in range(self.rows)) + "\n")

    def point(self, row, col):
        return [WEST + CELL * col + 5, SOUTH + CELL * (self.rows - row) - 5]

    def features(self, ending, cells):
        return self.write(ending, json.dumps({"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": {"name": n}, "geometry": {"type": "Point", "coordinates": self.point(*rc)}} for n, rc in cells]}))

    def ground(self):
        r = self.random
        hole = (r.randrange(self.rows), r.randrange(self.cols)) if r.random() < 0.3 else None
        self.lines += ["dem " + self.raster(".asc", lambda i, j: -9999 if hole and max(abs(i - hole[0]), abs(j - hole[1])) < 3 else 400 - 2 * i + (i * 7 + j * 3) % 5 / 4)]
        self.vents = [(r.randint(8, 14), r.randint(12, self.cols - 12)) for _ in range(r.randint(1, 4))]
        self.vents = [v for v in self.vents if not hole or max(abs(v[0] - hole[0]), abs(v[1] - hole[1])) > 4] or [(20 if hole and hole[0] < 15 else 10, 20)]

    def lava(self):
        r, drawn = self.random, self.random.random() < 0.4
        rows = "".join(f"{k + 1},{self.point(*v)[0]},{self.point(*v)[1]}{f',{r.randint(1, 5)}' if drawn else ''}\n" for k, v in enumerate(self.vents))
        table = self.write("_vents.csv", f"vent,x,y{',weight' if drawn else ''}\n" + rows)
        days = [(k * self.hours / 2, (k + 1) * self.hours / 2, r.choice((0.05, 0.3, 1))) for k in range(2)]
        rates = self.write("_rates.csv", "vent,from,to,rate_m3_s\n" + "".join(f"*,{a:g}h,{b:g}h,{x / (1 if drawn else len(self.vents))}\n" for a, b, x in days))
        self.lines += [("vent_list " if drawn else "vents ") + table, "rates " + rates, f"max_steps {self.hours * 30}"]
        self.lines += ["parameters etna-2006"] if r.random() < 0.5 else [
            "Pclock 120", "PTsol 1143", "PTvent 1360", "Pr(Tsol) 0.5", "Pr(Tvent) 0.95", "Phc(Tsol) 40", "Phc(Tvent) 1.5", "Pcool 2.8", "Prho 2600", "Pepsilon 0.9", "Psigma 5.68e-8", "Pcv 1150"]
        self.lines += [f"vary_Pcool lognormal {r.choice((2.8, 30))} 1.4", "vary_rate_factor lognormal 1 1.8"]
        self.lines += [f"vary_eruption_end_h uniform {self.hours / 3:g} {self.hours:g}"] if r.random() < 0.5 else []
        self.lines += [f"members {r.choice((5, 8, 16, 24))}", f"seed {r.randint(1, 99)}", f"arrival_bin_h {r.choice((0.5, 1, 2))}"]
        if r.random() < 0.3:
            self.lines += ["barriers " + self.write("_walls.csv", f"barrier,x,y,height_m\n1,{WEST + 150},{SOUTH + 250},8\n1,{WEST + 250},{SOUTH + 250},8\n")]

    def places(self):
        r = self.random
        cells = [(n, (r.randrange(self.rows), r.randrange(self.cols)) if r.random() < 0.4 else (r.randint(12, self.rows - 1), self.vents[0][1] + r.randint(-3, 3)))
                 for n in r.sample(NAMES, r.choice((0, 1, 4, 6, 14)))]
        self.lines += ["assets " + self.features("_places.json", cells)] if cells else []
        return cells

    def moment(self, hour):
        """In one of the ways to write it."""
        if not self.start or self.random.random() < 0.5:
            return f"{hour}h"
        zoned = self.start if self.start[-1] == "Z" or self.start[-6:-5] in "+-" else self.start + "Z"
        at = datetime.datetime.fromisoformat(zoned.replace("Z", "+00:00")) + datetime.timedelta(hours=hour)
        return at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%MZ")

    def seen(self, cells):
        r, hour = self.random, 0
        for k in range(r.randint(1, 8)):
            hour += r.randint(1, max(1, self.hours // 6))
            if hour > self.hours - 2:
                break
            end, side, kind = self.vents[0][0] + 4 + hour // 2, r.randint(1, 4), r.choice(("front", "front", "front", "dry", "arrival", "survey", "end", "rates"))
            inside = lambda i, j, end=end, side=side: self.vents[0][0] - 1 <= i <= end and abs(j - self.vents[0][1]) <= side
            if kind == "front":
                self.lines += [f"observed_front {self.raster(f'_{k}.asc', inside)} at {self.moment(hour)} error_m {r.choice((10, 30))}{r.choice(('', '', ' part'))}"]
            elif kind in ("dry", "arrival") and cells:
                few = r.sample(cells, min(len(cells), r.randint(1, 2)))
                self.lines += [f"observed_{kind} {self.features(f'_{k}.json', few)} {'until' if kind == 'dry' else 'at'} {self.moment(hour)}{' error_h 3' if kind == 'arrival' else ''}"]
            elif kind == "survey":
                self.lines += ["observed_survey " + self.write(f"_{k}.csv", "x,y,thickness_m\n" + "".join(f"{x},{y},{r.choice((0.5, 2))}\n" for x, y in (self.point(self.vents[0][0] + n, self.vents[0][1]) for n in range(4)))) + f" at {self.moment(hour)} error_m 2"]
            elif kind == "end" and not any(line.startswith("observed_end") for line in self.lines):
                self.lines += [f"observed_end {self.moment(hour)} error_h 9"]
            elif kind == "rates" and not any(line.startswith("weigh_rates") for line in self.lines):
                self.lines += ["weigh_rates " + self.write(f"_{k}.csv", f"vent,from,to,rate_m3_s,factor\n*,0,{hour / 2:g}h,0.5,2\n*,{hour / 2:g}h,{hour}h,0.4,2\n")]
        return any(line.split()[0].startswith(("observed", "weigh")) for line in self.lines)


def main():
    plan = Plan(sys.argv[1], int(sys.argv[2]))
    os.makedirs(plan.at, exist_ok=True)
    plan.ground()
    plan.lava()
    cells = plan.places()
    seen = plan.random.random() < 0.6 and plan.seen(cells)
    if plan.number % 2 == 0:  # of the case: one without a date, or that of a front
        fronts = [line.split()[1] for line in plan.lines if line.startswith("observed_front")]
        inside = lambda i, j: 10 <= i <= 30 and abs(j - plan.vents[0][1]) < 4
        plan.lines += ["outline " + (plan.random.choice(fronts) if fronts and plan.random.random() < 0.5 else plan.raster("_outline.asc", inside))]
    plan.lines += [f"title {plan.random.choice(('Monte Prova', 'Krafla & <co>', 'Etna'))}"] + ([f"start_time {plan.start}"] if plan.start else [])
    plan.write(".cfg", "\n".join(plan.lines) + "\n")
    print("nowcast" if seen else "ask" + plan.random.choice(("", " --where rate_factor>1", " --where Pcool<30")))


main()
