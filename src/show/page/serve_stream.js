// serve_stream.js: reads answers of the engine, which come in frames. The lists of cells grow with the frames.

// ---- frames

const WIDTH = {
    u16: 2,
    u32: 4
},
      padded = (n) => Math.ceil(n / 8) * 8;

// Reads the frame at the beginning of some bytes: its header, the position of its arrays, and its size; null: not known yet.
function readHeader(bytes) {
    if (bytes.length < 4) return null;
    const n = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    if (bytes.length < 4 + n) return null;
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + n)));
    const size = (header.arrays || []).reduce((sum, a) => sum + padded(WIDTH[a.type] * header.count), 4 + n);
    return {header, from: 4 + n, size};
}
function readFrame({header, from}, bytes) {
    const copy = bytes.slice(from).buffer, arrays = {};
    let at = 0;
    for (const a of header.arrays || []) {
        arrays[a.name] = {...a, q: new (a.type === "u32" ? Uint32Array : Uint16Array)(copy, at, header.count)};
        at += padded(WIDTH[a.type] * header.count);
    }
    const kind = ["begin", "frame", "end", "stopped", "failed"].find((k) => header[k]) || "frame";
    return {kind, facts: header[kind] || {}, count: header.count || 0, arrays};
}
async function* frames(pieces) {
    let parts = [], size = 0, known = null;
    for await (const value of pieces) {
        parts.push(value);
        size += value.length;
        while (size >= (known?.size ?? 4)) {
            const all = parts.length > 1 ? joined(parts, size) : parts[0];
            parts = [all];
            known ||= readHeader(all);
            if (!known || size < known.size) break;
            yield readFrame(known, all.subarray(0, known.size));
            parts = [all.subarray(known.size)];
            size -= known.size;
            known = null;
        }
    }
}
function joined(parts, size) {
    const all = new Uint8Array(size);
    let at = 0;
    for (const p of parts) {
        all.set(p, at);
        at += p.length;
    }
    return all;
}

// ---- lists that grow

function grown(list, count) {
    if (list.length >= count) return list;
    const more = new list.constructor(Math.max(1024, 2 * list.length, count));
    if (list instanceof Uint16Array) more.fill(NONE);
    more.set(list);
    return more;
}

// The reached cells, in the order of the frames. find() is the same as for the cells of a report.
function makeGrowingCells(grid) {
    const blocks = new Map(), across = Math.ceil(grid.cols / TILE);
    const c = {
        every: 1,
        rows: grid.rows,
        cols: grid.cols,
        count: 0,
        x: new Uint32Array(0),
        y: new Uint32Array(0),
        box: {top: Infinity, left: Infinity, bottom: 0, right: 0}
    };
    const blockOf = (row, col) => (row >> 8) * across + (col >> 8), within = (row, col) => ((row & 255) << 8) | (col & 255);
    c.col0 = c.row0 = 0;
    c.find = (row, col) => (
        row < 0 || col < 0 || row >= c.rows || col >= c.cols ? -1 : (blocks.get(blockOf(row, col))?.[within(row, col)] ?? 0) - 1);
    c.place = (i) => ({row: c.y[i], col: c.x[i]});
    // The number of a cell. A new cell is added at the end of the lists.
    c.add = (row, col) => {
        const k = blockOf(row, col), block = blocks.get(k) || new Uint32Array(65536), at = within(row, col);
        blocks.set(k, block);
        if (block[at]) return block[at] - 1;
        c.x = grown(c.x, c.count + 1);
        c.y = grown(c.y, c.count + 1);
        c.x[c.count] = col;
        c.y[c.count] = row;
        const b = c.box;
        [b.top, b.left, b.bottom, b.right] =
            [Math.min(b.top, row), Math.min(b.left, col), Math.max(b.bottom, row + 1), Math.max(b.right, col + 1)];
        return (block[at] = ++c.count) - 1;
    };
    return c;
}

// Arrays by name; the arrays of makeArrays() have numbers. A state is a copy of an array.
function makeGrowingArrays() {
    const list = {};
    const of = (name) => (list[name] ||= {base: 0, unit: 1, q: new Uint16Array(0)});
    return {
        set: (name, scale) => Object.assign(of(name), scale),
        room: (name, count) => (of(name).q = grown(of(name).q, count)),
        get: (name) => of(name).q,
        base: (name) => of(name).base,
        unit: (name) => of(name).unit,
        value: (name, i) => ((of(name).q[i] ?? NONE) === NONE ? NaN : of(name).base + of(name).unit * of(name).q[i]),
        keep: (name, step, count) => {
            list[`${name} ${step}`] = {...of(name), q: of(name).q.slice(0, count)};
            return {step, array: `${name} ${step}`};
        },
    };
}

// ---- results: what came in frames, as a scene

const CELSIUS = 273.15;
const makeLayer = (name, kind, unit, label, array, more = {}) => ({name, kind, unit, label, array, ...more});
const probabilityLayer = () => makeLayer("probability", "probability", "", "Probability", "probability", {error: "error"});
const layersOf = {
    run: () => [makeLayer("total_thickness_m", "thickness", "m", "Thickness", "thickness_m", {states: []}),
        makeLayer("max_thickness_m", "thickness", "m", "Greatest thickness", "max_thickness_m"),
        makeLayer("temperature_K", "temperature", "°C", "Temperature", "temperature_K", {states: []}),
        makeLayer("arrival_h", "arrival", "h", "Arrival", "arrival")],
    ensemble: () => [probabilityLayer()],
    pairs: () => [makeLayer("probability", "probability", "", "Probability with barriers", "probability_with"),
        makeLayer("probability_without", "probability", "", "Probability without barriers", "probability_without"),
        makeLayer("difference", "difference", "", "Difference by the barriers", "difference", {error: "error"})],
    ask: () => [probabilityLayer(),
        makeLayer("arrival_h", "early", "h", "Arrival, median", "arrival_h", {ends: ["arrival_low_h", "arrival_high_h"]})]
};

// A result. kind: the kind of its layers. take(frame) adds a frame; `scene` shows all frames so far.
function makeResult(kind, ground) {
    const cells = makeGrowingCells(facts.grid), arrays = makeGrowingArrays(), layers = layersOf[kind]();
    const own = {grid: facts.grid, layers, vents: []},
          result = {kind, cells, arrays, scene: null, begin: {}, last: {}, end: null, time: null, rows: []};

    function start(begin) {
        result.begin = begin;
        if (kind === "run") {
            const every = Math.ceil(((begin.steps || 2 ** 19) + 1) / (NONE - 1));  // steps 0: no end is known
            result.time = own.time = {first_step: 0, last_step: 0, step_s: begin.step_s, every};
            arrays.set("arrival", {unit: (every * begin.step_s) / 3600});
        }
        result.scene = makeScene(own, arrays, cells, ground);
    }
    // Adds the frame's arrays to the lists. Returns the number of cells before the frame
    function add({arrays: {cell, ...rest}, count}) {
        const before = cells.count, number = cell.q.map((c) => cells.add(Math.floor(c / facts.grid.cols), c % facts.grid.cols));
        for (const [name, {q, base = 0, unit = 1}] of Object.entries(rest)) {
            const exact = name === "arrival_step", to = arrays.room(exact ? "arrival" : name, cells.count),
                  by = exact ? result.time.every : 1;
            if (!exact) arrays.set(name, {base: base - (name === "temperature_K" ? CELSIUS : 0), unit});
            for (let n = 0; n < count; n++) to[number[n]] = q[n] / by;
        }
        return before;
    }
    function addState(step, before) {
        const arrival = arrays.room("arrival", cells.count);
        for (let i = before; i < cells.count; i++) arrival[i] = step / result.time.every;
        for (const l of layers) l.states?.push(arrays.keep(l.array, step, cells.count));
        result.time.last_step = step;
        result.rows.push(result.last);
    }
    result.take = (frame) => {
        result.last = frame.facts;
        own.members = frame.facts.effective ?? own.members;  // the number behind all probabilities
        if (frame.kind === "failed") throw new Refusal(500, frame.facts);
        if (frame.kind === "begin") start(frame.facts);
        const before = frame.count ? add(frame) : cells.count;
        if (frame.kind === "frame" && kind === "run") addState(frame.facts.step, before);
        if (frame.kind === "frame") result.scene.grow(before);
        if (frame.kind !== "end") return;
        // Arrivals had the precision of a frame, and now have the precision of a step, so tiles are made anew. The last state
        // becomes the end
        result.end = frame.facts;
        own.isochrones = frame.facts.isochrones;
        if (result.time) result.time.last_step = frame.facts.step;
        for (const l of layers)
            if (l.states?.length) l.states.splice(-1, 1, arrays.keep(l.array, frame.facts.step ?? 0, cells.count));
        result.scene = makeScene(own, arrays, cells, ground);
    };
    return result;
}
