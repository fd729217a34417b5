// page_scripts_check.js: functions of the scripts of pages, held to properties and to independent readers:
// node page_scripts_check.js BUILD
"use strict";
const assert = require("node:assert"), fs = require("node:fs"), vm = require("node:vm");

// What the scripts need of a browser to make a table
class Element {
    constructor(name) {
        this.name = name;
        this.children = [];
    }
    setAttribute(key, value) { this[key] = value; }
    append(...nodes) { this.children.push(...nodes); }
    get textContent() { return this.children.map((c) => c.textContent ?? String(c)).join(""); }
}
Object.assign(globalThis, {document: {createElement: (name) => new Element(name)}, facts: {quantities: {}}});
const scripts =
    ["words", "data", "colours", "charts", "tables", "serve_drawing", "serve_many"].map((name) => `src/show/page/${name}.js`);
const page = vm.runInThisContext(
    [`${process.argv[2]}/words_table.js`, ...scripts].map((name) => fs.readFileSync(name, "utf8")).join("\n") +
    "\n({duration, makeDegrees, memberCharts, quoted, readRates, variedTable, volumeOf})");
const cellsOf = (node) =>
    (node.children ? (/^t[dh]$/.test(node.name) ? [node.textContent] : node.children.flatMap(cellsOf)) : []);

// ---- members: a weight of 3 is three members of weight 1

const tableOf = (rows) => ({columns: ["member", "weight", "Pcool", "x", "area_m2", "runout_m"], rows});
const rows =
    [[1, 3, 7, 0, 4e6, 900], [2, 1, 5, 0, 1e6, 100], [3, 0, 1, 0, 2e6, 500], [4, 16, 9, 0, 3e6, 700], [5, 1, 2, 0, 9e6, 800]];
const repeats = rows.flatMap((r) => Array(r[1]).fill([r[0], 1, ...r.slice(2)]));
const weighted = tableOf(rows), repeated = tableOf(repeats);
assert.deepStrictEqual(page.variedTable(weighted).flatMap(cellsOf), page.variedTable(repeated).flatMap(cellsOf));
assert.deepStrictEqual(page.variedTable(weighted).flatMap(cellsOf).slice(-4), ["Pcool", "5", "9", "9"]);
const shares = (table) => page.memberCharts(table).map((c) => c.series[0].points.filter(([, y]) => y > 0));
assert.deepStrictEqual(shares(weighted), shares(repeated));
assert.deepStrictEqual(shares(weighted)[0].map(([, y]) => Math.round(y * 21 / 100)), [1, 16, 3, 1]);

// ---- degrees: those of the nodes, from -180 to 180, also where the facts go on beyond 180

const lon = [179.8, 180, 180.2, 179.9, 180.1, 180.3, 179.8, 180, 180.2], lat = [-17, -17, -17, -18, -18.5, -18, -19, -19, -19];
const degrees = page.makeDegrees({degrees: {nodes: 3, lon, lat}, grid: {rows: 40, cols: 20}});
for (let k = 0; k < 9; k++) {
    const at = degrees(k % 3 * 10, Math.floor(k / 3) * 20);
    assert(at.lon >= -180 && at.lon <= 180 && Math.abs((lon[k] - at.lon + 180) % 360 - 180) < 1e-9 && at.lat === lat[k]);
}
assert(Math.abs(degrees(5, 10).lat + (17 + 17 + 18 + 18.5) / 4) < 1e-9);

// ---- texts

assert.strictEqual(page.quoted("L'Aquila, l'ora"), "'L''Aquila, l''ora'");
// A duration, read again, is off by half of its last unit
const HOURS = {
    min: 1 / 60,
    h: 1,
    d: 24
};
for (let hours = 0.1; hours < 200; hours += 0.1) {
    const said = page.duration(hours), parts = said.split(" "), unit = parts.at(-1);
    let sum = 0;
    for (let i = 0; i < parts.length; i += 2) sum += parts[i] * HOURS[parts[i + 1]];
    assert(Math.abs(sum - hours) <= (unit === "min" ? 0.5 / 60 : hours < 48 ? 0.05 : 0.5) + 1e-9, `${hours}: ${said}`);
    assert(!(/ d (24|0) h/.test(said)), `${hours}: ${said}`);
}

// ---- rates: in hours or seconds, in any order of columns

const volume = 3600 * (20 * 24 + 10 * 48 + 4 * 96);
const same = [
    "0,20\n24,10\n72,4\n168,0", "# rates\nvent,from_h,to_h,rate_m3_s\n2,0,24,20\n2,24,72,10\n2,72,168,4\n",
    "rate_m3_s,vent,to_s,from_s\n20,2,86400,0\n10,2,259200,86400\n4,2,604800,259200"
];
for (const text of same) {
    const [{points}] = page.readRates(text);
    assert.deepStrictEqual(points, [[0, 20], [24, 10], [72, 4], [168, 0]], text);
    assert.strictEqual(page.volumeOf(points), volume);
}
// Blanks beside a separator are none; a bad line has its number in the text, and an empty cell is no 0
assert.deepStrictEqual(page.readRates("0, 20\n24 ; 10\n72\t4"), page.readRates("# hours, rate\n\n0 20\n24 10\n72 4"));
for (const [text, line] of [["# rates\n\n0,20\n24,x", 4], ["hours,rate\n0,20\n\n24,", 4], ["0,20\n# later\n24,,3", 3]])
    assert.throws(() => page.readRates(text), new RegExp(`^Error: Line ${line} is not numbers`), text);
