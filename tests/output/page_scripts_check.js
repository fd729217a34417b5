// page_scripts_check.js: functions of the scripts of pages, held to properties and to independent readers:
// node page_scripts_check.js BUILD
"use strict";
const assert = require("node:assert"), fs = require("node:fs"), vm = require("node:vm"),
      {execFileSync} = require("node:child_process");

// What the scripts need of a browser to make a table, and to read the facts
class Element {
    constructor(name) {
        this.name = name;
        this.children = [];
    }
    setAttribute(key, value) { this[key] = value; }
    getContext() { return {createImageData: (width, height) => ({data: new Uint8ClampedArray(4 * width * height)})}; }
    append(...nodes) { this.children.push(...nodes); }
    get textContent() { return this.children.map((c) => c.textContent ?? String(c)).join(""); }
}
const GRID = {
    rows: 300,
    cols: 400,
    west_m: 500000,
    south_m: 4170000,
    cell_m: 10
};
const quantities = {
    Ptsol: ["solidus", "°C", 1, -273.15],
    rate_factor: ["rate", "%", 100]
},
      classes = {
          change: [[1, "#808080", "any"]]
      };
const getElementById = () => ({textContent: JSON.stringify({quantities, classes, grid: GRID})});
Object.assign(globalThis, {document: {createElement: (name) => new Element(name), getElementById}, matchMedia: () => ({})});
const scripts = [
    "words", "data", "colours", "scene", "charts", "tables", "view", "map", "serve_compare", "serve_drawing", "serve_many",
    "serve_stream"
].map((name) => `src/show/page/${name}.js`);
const page = vm.runInThisContext(
    [`${process.argv[2]}/words_table.js`, ...scripts].map((name) => fs.readFileSync(name, "utf8")).join("\n") +
    "\n({differenceOf, duration, fittedTable, forecastTable, frames, makeDegrees, makeResult, memberCharts, namedMembers, posteriorTable," +
    " probabilityWords, quoted, readRates, sortVents, valuesAt, variedTable, volumeOf})");
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

// The place of a cell, read again, is its middle, in each quarter of the earth
const noScene = {
    layers: []
};
for (const [south, west] of [[1, 1], [1, -1], [-1, 1], [-1, -1]]) {
    const list = page.valuesAt(noScene, {row: 7, col: 30}, null, 0, (col, row) => ({lat: south * row, lon: west * col}));
    const said = (id) => list.find(([, , its]) => its === id)[1];
    const [, lat, ns, lon, ew] = /^([\d.]+)° ([NS]), ([\d.]+)° ([EW])$/.exec(said("degrees"));
    assert.deepStrictEqual([ns === "S" ? -lat : +lat, ew === "W" ? -lon : +lon], [south * 7.5, west * 30.5]);
    assert.strictEqual(said("place"), "500,305, 4,172,925 m");
}

// ---- an ensemble that comes in frames: a probability has the error of the effective number of members

const result = page.makeResult("ensemble", null), UNIT = 1 / 65534;
const array = (list, unit) => ({q: list, unit});
const frame = (kind, facts, arrays = {}) => ({kind, facts, count: arrays.cell?.q.length ?? 0, arrays});
result.take(frame("begin", {members: 200}));
for (const [p, effective] of [[0.25, 90.4], [0.5, 31.6]]) {
    const q = Uint16Array.of(0, Math.round(p / UNIT)), cell = array(Uint32Array.of(2500, 2501));
    result.take(
        frame("frame", {members: 100, effective}, {cell, probability: array(q, UNIT), error: array(Uint16Array.of(0, 9), UNIT)}));
    const {scene} = result, layer = scene.layers.find((l) => l.name === "probability");
    const at = {row: 2501 / GRID.cols | 0, col: 2501 % GRID.cols};
    const [, said] = page.valuesAt(scene, at, layer, 0, () => null).at(-1);
    assert.strictEqual(said, page.probabilityWords(Math.round(p / UNIT) * UNIT, effective));
    assert.match(said, new RegExp(` ± ${(100 * Math.sqrt(p * (1 - p) / effective)).toFixed(1)}$`));
}

// ---- a run that comes in frames: between two states a cell rises in a straight line, from when lava comes there

const STEP_S = 60, MM = 1e-3;
const thickness = (list) => array(Uint16Array.from(list, (m) => Math.round(m / MM)), MM);
const cellsAt = (...list) => ({cell: array(Uint32Array.from(list))});
function runOf(states, arrivals, steps = 1000) {  // states: [step, {cell: thickness}]...; arrivals: {cell: step}
    const run = page.makeResult("run", null), all = Object.keys(arrivals).map(Number), last = states.at(-1);
    run.take(frame("begin", {steps, step_s: STEP_S}));
    for (const [step, cells] of states)
        run.take(frame("frame", {step}, {...cellsAt(...Object.keys(cells)), thickness_m: thickness(Object.values(cells))}));
    run.take(frame("end", {step: last[0], ledger: {}}, {
        ...cellsAt(...all),
        thickness_m: thickness(all.map((c) => last[1][c])),
        arrival_step: {q: Uint32Array.from(all, (c) => arrivals[c])}
    }));
    return run;
}
// (of a run of 200,000 steps an arrival is known to four of them)
for (const steps of [1000, 200000]) {
    const run = runOf([[40, {2500: 1}], [120, {2500: 3, 2501: 4}]], {2500: 12, 2501: 100}, steps), [total] = run.scene.layers;
    for (const [step, first, second] of [[8, NaN, NaN], [12, 0, NaN], [26, 0.5, NaN], [40, 1, NaN], [60, 1.5, NaN],
             [96, 2.4, NaN], [100, 2.5, 0], [110, 2.75, 2], [120, 3, 4], [500, 3, 4]])
        for (const [col, expected] of [[100, first], [101, second]]) {
            const {value} = run.scene.valueAt(total, run.cells.find(6, col), step);
            assert(
                Number.isNaN(expected) ? Number.isNaN(value) : Math.abs(value - expected) < 1.5 * MM, `${col} ${step}: ${value}`);
        }
}

// ---- the difference of two results: of arrivals by an hour or more, and of probabilities with the errors of both

const of = (...pairs) => Object.fromEntries(pairs);
const kept = of([2500, 10], [2501, 100], [2502, 300], [2503, 900], [2504, 200]),
      present = of([2500, 10], [2501, 161], [2502, 200], [2504, 259], [2505, 7]);
const asRun = (arrivals) => runOf([[1000, Object.fromEntries(Object.keys(arrivals).map((c) => [c, 1]))]], arrivals);
assert.deepStrictEqual(
    page.differenceOf(asRun(kept), asRun(present), null).counts, [2, 1, 1, 1, 1]);  // the same, earlier, later, spared, struck

function ensembleOf(shares, effective) {
    const made = page.makeResult("ensemble", null), q = Uint16Array.from(Object.values(shares), (p) => Math.round(p / UNIT));
    made.take(frame("begin", {}));
    made.take(frame("frame", {members: 99, effective}, {...cellsAt(...Object.keys(shares)), probability: array(q, UNIT)}));
    return made;
}
const before = of([2500, 0.25], [2501, 1]), now = of([2501, 0.5], [2502, 0.75]),
      changed = page.differenceOf(ensembleOf(before, 40), ensembleOf(now, 10), null).scene;
for (let col = 100; col < 103; col++) {
    const p = before[2400 + col] ?? 0, q = now[2400 + col] ?? 0, i = changed.cells.find(6, col), [layer] = changed.layers;
    assert(Math.abs(changed.valueAt(layer, i, 0).value - (q - p)) < 1e-4);
    assert(Math.abs(changed.arrays.value(layer.error, i) - Math.sqrt(p * (1 - p) / 40 + q * (1 - q) / 10)) < 1e-4);
    assert.strictEqual(layer.members, 10);
}

// ---- tables

const namesOf = (tables) => tables.flatMap(cellsOf);
// A quantity has its own unit, wherever it stands
const [fitted] = page.fittedTable({fitted: [{name: "Ptsol", as_it_stands: 1143.15, best: 1173.15, low: 1073.15, high: 1273.15}]}),
      [posterior] =
          page.posteriorTable({posterior: {parameters: [{name: "rate_factor", mean: 1.5, p025: 0.5, p50: 1.25, p975: 3}]}});
assert.deepStrictEqual(cellsOf(fitted).slice(-5), ["solidus (°C)", "870", "900", "800 to 1,000", ""]);
assert.deepStrictEqual(cellsOf(posterior).slice(-5), ["rate (%)", "150", "50", "125", "300"]);
// A place was reached by the hour of a forecast, or had a probability then
const forecast = tableOf([]);
forecast.columns = ["place", "within_h", "now", "yesterday", "before", "reached_h"];
for (const [place, reached] of [["Hut", 24], ["Road", null]])
    for (const within of [6, null]) forecast.rows.push([place, within, 0.5, 0.25, 0.75, reached]);
const sets = {
    now: {until_h: 48, effective: 50},
    yesterday: {until_h: 24, effective: 40},
    before: {effective: 30}
};
const words = (p, set) => page.probabilityWords(p, sets[set].effective);
assert.deepStrictEqual(namesOf(page.forecastTable(forecast, {nowcast: sets})).slice(-10), [
    "Hut", "reached", "reached", "reached, seen at 24 h", words(0.75, "before"), "Road", words(0.5, "now"), words(0.5, "now"),
    words(0.25, "yesterday"), words(0.75, "before")
]);
// A command, read by a shell, names the plan and the member
for (const plan of ["plan.cfg", "a plan.cfg", "L'Etna '06/$HOME plan.cfg"]) {
    const [{command}] = page.namedMembers({rows: [["area_m2", null, 50, 7, 2e6]]}, plan);
    const read = execFileSync("sh", ["-c", `sciara() { printf '%s\\n' "$@"; }; ${command}`], {encoding: "utf8"});
    assert.deepStrictEqual(read.split("\n"), ["run", plan, "--member", "7", ""]);
}

// ---- vents: touching cells of a vent are one line, however it is turned; other cells are points

function joined(cells) {  // the numbers of lines, of points, and of figures that the lines make
    const vents = cells.map(([row, col, id = 1, more = {}]) => ({row, col, id, ...more})),
          {lines, points} = page.sortVents(vents);
    const name = ({row, col}) => `${row} ${col}`, parts = [];
    for (const [a, b] of lines) {
        const mine = parts.filter((p) => p.has(name(a)) || p.has(name(b)));
        for (const p of mine) parts.splice(parts.indexOf(p), 1);
        parts.push(new Set([name(a), name(b), ...mine.flatMap((p) => [...p])]));
    }
    return [lines.length, points.length, parts.length];
}
for (const [cells, expected] of [[[[0, 0], [0, 1], [0, 2]], [2, 0, 1]], [[[0, 0], [1, 1], [2, 2]], [2, 0, 1]],
         [[[0, 0], [0, 1], [1, 1], [1, 2]], [3, 0, 1]], [[[0, 0], [0, 1, 2]], [0, 2, 0]],
         [[[0, 0], [0, 1], [0, 2, 1, {spread: true}], [5, 5]], [1, 1, 1]], [[[0, 0], [2, 0], [3, 1]], [1, 1, 1]]])
    for (let turns = 0; turns < 4; turns++) {
        assert.deepStrictEqual(joined(cells), expected, JSON.stringify(cells));
        for (const c of cells) [c[0], c[1]] = [c[1], -c[0]];
    }

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

// ---- frames: the same, however the bytes come in pieces

function bytesOfFrame(header, arrays) {
    const text = JSON.stringify(
        {...header, arrays: arrays.map(([name, list]) => ({name, type: list instanceof Uint32Array ? "u32" : "u16"}))});
    const head = Buffer.from(text.padEnd(Math.ceil((text.length + 4) / 8) * 8 - 4)), size = Buffer.alloc(4);
    size.writeUInt32LE(head.length);
    return Buffer.concat(
        [size, head, ...arrays.map(([, list]) => Buffer.concat([Buffer.from(list.buffer), Buffer.alloc(-list.byteLength & 7)]))]);
}
const sent = Buffer.concat([
    bytesOfFrame({begin: {id: 3}, count: 0}, []),
    bytesOfFrame({frame: {step: 5}, count: 3}, [["cell", Uint32Array.of(1, 70000, 2)], ["q", Uint16Array.of(9, 8, 65535)]]),
    bytesOfFrame({end: {step: 9}, count: 1}, [["cell", Uint32Array.of(4)]])
]);
async function readIn(pieces) {
    const list = [];
    for await (const {kind, facts: told, count, arrays} of page.frames(pieces))
        list.push([kind, told, count, Object.entries(arrays).map(([name, {q}]) => [name, [...q]])]);
    return list;
}
async function checkFrames() {
    const expected = [
        ["begin", {id: 3}, 0, []], ["frame", {step: 5}, 3, [["cell", [1, 70000, 2]], ["q", [9, 8, 65535]]]],
        ["end", {step: 9}, 1, [["cell", [4]]]]
    ];
    for (let size = 1; size <= sent.length; size++) {
        const pieces = [];
        for (let at = 0; at < sent.length; at += size) pieces.push(Uint8Array.from(sent.subarray(at, at + size)));
        assert.deepStrictEqual(await readIn(pieces), expected, `pieces of ${size} bytes`);
    }
}
checkFrames();
