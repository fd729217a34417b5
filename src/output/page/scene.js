// scene.js: the pictures that the map is made of: the shaded terrain, and tiles with the cells that lava came to.

// Light from the north-west, and half as much from west and north, so that valleys along the light have relief, too.
const LIGHTS = [[-0.5, 0.5, 0.707, 0.5], [-0.643, 0, 0.766, 0.25], [0, 0.643, 0.766, 0.25]];
const PAPER = { light: [[122, 119, 112], [253, 252, 248]], dark: [[12, 12, 13], [132, 129, 123]] };

function shadeTerrain(terrain, arrays, cell, dark) {
    const { rows, cols } = terrain, q = arrays.get(terrain.array), size = cell * terrain.every;
    const canvas = document.createElement("canvas");
    canvas.width = cols;
    canvas.height = rows;
    const context = canvas.getContext("2d"), image = context.createImageData(cols, rows);
    const out = new Uint32Array(image.data.buffer), slope = arrays.unit(terrain.array) / (8 * size);
    const [deep, high] = PAPER[dark ? "dark" : "light"];
    const table = Uint32Array.from({ length: 256 }, (_, i) => {
        const at = (k) => Math.round(deep[k] + ((high[k] - deep[k]) * i) / 255);
        return pixel(at(0), at(1), at(2));
    });
    for (let row = 0; row < rows; row++) {
        const here = row * cols, up = row ? here - cols : here, down = row < rows - 1 ? here + cols : here;
        for (let col = 0; col < cols; col++) {
            const middle = q[here + col], w = col ? col - 1 : col, e = col < cols - 1 ? col + 1 : col;
            if (middle === NONE) continue;
            const at = (i) => (q[i] === NONE ? middle : q[i]);
            const nw = at(up + w), ne = at(up + e), sw = at(down + w), se = at(down + e);
            const dx = (ne + 2 * at(here + e) + se - nw - 2 * at(here + w) - sw) * slope;
            const dy = (nw + 2 * at(up + col) + ne - sw - 2 * at(down + col) - se) * slope; // to the north
            const length = 1 / Math.sqrt(1 + dx * dx + dy * dy);
            let light = 0;
            for (const [east, north, above, share] of LIGHTS) light += share * Math.max(0, (above - east * dx - north * dy) * length);
            out[here + col] = table[Math.max(0, Math.min(255, Math.round((light - 0.707) * 360 + 205)))];
        }
    }
    context.putImageData(image, 0, 0);
    return canvas;
}

// ---- lava: tiles of 256 x 256 cells, so that only those are painted anew in which something changes

const TILE = 256;

function makeTiles(cells, arrival) {
    const across = Math.ceil(cells.cols / TILE), number = (i) => (cells.y[i] >> 8) * across + (cells.x[i] >> 8);
    const tiles = new Map(), size = new Map();
    for (let i = 0; i < cells.count; i++) size.set(number(i), (size.get(number(i)) || 0) + 1);
    for (const [k, count] of size) {
        const x0 = (k % across) * TILE, y0 = Math.floor(k / across) * TILE, canvas = document.createElement("canvas");
        canvas.width = Math.min(TILE, cells.cols - x0);
        canvas.height = Math.min(TILE, cells.rows - y0);
        const context = canvas.getContext("2d"), image = context.createImageData(canvas.width, canvas.height);
        tiles.set(k, { x0, y0, canvas, context, image, pixels: new Uint32Array(image.data.buffer), at: new Uint32Array(count), count: 0, first: Infinity, last: -1, key: "" });
    }
    for (let i = 0; i < cells.count; i++) {
        const t = tiles.get(number(i));
        t.at[t.count++] = i;
        if (!arrival) continue;
        t.first = Math.min(t.first, arrival[i]);
        t.last = Math.max(t.last, arrival[i]);
    }
    return [...tiles.values()];
}

function makeScene(facts, bytes) {
    const arrays = makeArrays(facts.arrays, bytes), cells = facts.cells ? makeCells(facts.cells, arrays) : null;
    const time = facts.time, arrivalLayer = time && facts.layers.find((l) => l.name === "arrival_h");
    const arrival = arrivalLayer ? arrays.get(arrivalLayer.array) : null;
    const stepsOfArrival = arrivalLayer ? (arrays.unit(arrivalLayer.array) * 3600) / (time.step_s || 1) : 1;
    const tiles = cells ? makeTiles(cells, arrival) : [];
    const layers = facts.layers.map((l, number) => ({ ...l, number }));

    // One scale for thickness and greatest thickness, so that they are compared
    const shared = layers.find((l) => l.name === "total_thickness_m");
    function prepare(layer) {
        if (layer.table) return layer;
        const like = shared && layer.kind === "thickness" ? shared : layer;
        layer.scale = scaleOf(like, arrays);
        layer.table = tableOf(layer.scale, arrays.base(layer.array), arrays.unit(layer.array));
        return layer;
    }

    // The states between which a step lies. Without states before the end, the end is all that is known.
    function bracket(layer, step) {
        const states = layer.states;
        if (!states || states.length < 2) return null;
        const next = states.findIndex((s) => s.step >= step);
        if (next < 0) return { to: states[states.length - 1], from: null, exact: true };
        if (states[next].step === step) return { to: states[next], from: null, exact: true };
        return { to: states[next], from: next ? states[next - 1] : null, exact: false };
    }

    // The quantum of a cell at a step: of a state, or between two as if it had changed evenly, from when lava came.
    function makeQuantum(layer, b, step) {
        const end = arrays.get(b ? b.to.array : layer.array);
        if (!b || b.exact) return (i) => end[i];
        const before = b.from ? arrays.get(b.from.array) : null, from = b.from ? b.from.step : time.first_step;
        const to = b.to.step, thick = layer.kind === "thickness";
        return (i) => {
            const begin = Math.max(from, arrival[i] * stepsOfArrival), f = step >= to ? 1 : step <= begin ? 0 : (step - begin) / (to - begin);
            let p = before ? before[i] : NONE, q = end[i];
            if (p === NONE) p = thick ? 0 : q;
            if (q === NONE) q = thick ? 0 : p;
            return Math.round(p + (q - p) * f);
        };
    }

    function paintTile(t, layer, quantum, reached) {
        const { pixels, at } = t, { x, y } = cells, table = layer.table, width = t.canvas.width;
        for (let n = 0; n < at.length; n++) {
            const i = at[n];
            pixels[(y[i] - t.y0) * width + x[i] - t.x0] = arrival && arrival[i] > reached ? 0 : table[quantum(i)];
        }
        t.context.putImageData(t.image, 0, 0);
    }

    return {
        facts, arrays, cells, layers, tiles, prepare,
        // Paints the tiles that differ from that step; returns their number.
        paint(layer, step) {
            prepare(layer);
            const b = arrival ? bracket(layer, step) : null, reached = Math.floor(step / stepsOfArrival + 1e-6);
            const quantum = makeQuantum(layer, b, step);
            let painted = 0;
            for (const t of tiles) {
                const when = !arrival || reached >= t.last ? "all" : reached < t.first ? "none" : reached;
                const state = when === "none" || !b ? "" : b.exact ? b.to.step : `between ${step}`;
                const key = `${layer.number} ${when} ${state}`;
                if (t.key === key) continue;
                t.key = key;
                paintTile(t, layer, quantum, reached);
                painted++;
            }
            return painted;
        },
        // Of a cell by its number in the lists: NaN where there is none (yet); whether it lies between two states.
        valueAt(layer, i, step) {
            if (i < 0 || (arrival && layer.kind !== "arrival" && arrival[i] > step / stepsOfArrival + 1e-6)) return { value: NaN };
            const b = arrival ? bracket(layer, step) : null, q = makeQuantum(layer, b, step)(i);
            return { value: q === NONE ? NaN : arrays.base(layer.array) + arrays.unit(layer.array) * q, between: !!b && !b.exact };
        },
        groundAt(row, col) {
            const terrain = facts.terrain, i = cells ? cells.find(row, col) : -1;
            if (!terrain) return NaN;
            if (cells && cells.ground !== undefined && i >= 0) return arrays.value(cells.ground, i);
            return arrays.value(terrain.array, Math.floor(row / terrain.every) * terrain.cols + Math.floor(col / terrain.every));
        },
    };
}

// ---- lines

// The edge of a mask over the whole grid, in cells.
function edgePath(bits, rows, cols) {
    const path = new Path2D(), inside = (row, col) => {
        if (row < 0 || col < 0 || row >= rows || col >= cols) return false;
        const i = row * cols + col;
        return (bits[i >> 3] & (128 >> (i & 7))) !== 0;
    };
    for (let byte = 0; byte < bits.length; byte++) {
        if (!bits[byte]) continue;
        for (let i = 8 * byte; i < Math.min(8 * byte + 8, rows * cols); i++) {
            const row = Math.floor(i / cols), col = i % cols;
            if (!inside(row, col)) continue;
            if (!inside(row - 1, col)) path.moveTo(col, row), path.lineTo(col + 1, row);
            if (!inside(row + 1, col)) path.moveTo(col, row + 1), path.lineTo(col + 1, row + 1);
            if (!inside(row, col - 1)) path.moveTo(col, row), path.lineTo(col, row + 1);
            if (!inside(row, col + 1)) path.moveTo(col + 1, row), path.lineTo(col + 1, row + 1);
        }
    }
    return path;
}
