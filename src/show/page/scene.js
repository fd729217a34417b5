// scene.js: the pictures of the map: the shaded terrain, and tiles with the reached cells.

// Light from the north-west, and half as much light from west and north each, so that valleys along the first light have
// relief, too.
const LIGHTS = [[-0.5, 0.5, 0.707, 0.5], [-0.643, 0, 0.766, 0.25], [0, 0.643, 0.766, 0.25]];
const PAPER = {
    light: [[122, 119, 112], [253, 252, 248]],
    dark: [[12, 12, 13], [132, 129, 123]]
};

// Shades a grid of quanta of `unit` metres, in cells of `size` metres; `edge`: the number of rows and columns on each side
// that are not drawn.
function shadeTerrain({q, rows, cols, unit, size, edge = 0}, dark) {
    const canvas = document.createElement("canvas");
    canvas.width = cols - 2 * edge;
    canvas.height = rows - 2 * edge;
    const context = canvas.getContext("2d"), image = context.createImageData(cols, rows);
    const out = new Uint32Array(image.data.buffer), slope = unit / (8 * size);
    const [deep, high] = PAPER[dark ? "dark" : "light"];
    const table = Uint32Array.from({length: 256}, (_, i) => {
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
            const dy = (nw + 2 * at(up + col) + ne - sw - 2 * at(down + col) - se) * slope;  // to the north
            const length = 1 / Math.sqrt(1 + dx * dx + dy * dy);
            let light = 0;
            for (const [east, north, above, share] of LIGHTS)
                light += share * Math.max(0, (above - east * dx - north * dy) * length);
            out[here + col] = table[Math.max(0, Math.min(255, Math.round((light - 0.707) * 360 + 205)))];
        }
    }
    context.putImageData(image, -edge, -edge);
    return canvas;
}

// The ground of a report: one grid of blocks of cells.
function makeGround(facts, arrays, cells) {
    const {terrain} = facts;
    let picture = null, ofDark = null;
    return {
        draw(context, dark) {
            const size = facts.grid.cell_m * terrain.every;
            if (!picture || ofDark !== dark)
                picture = shadeTerrain(
                    {...terrain, q: arrays.get(terrain.array), unit: arrays.unit(terrain.array), size}, (ofDark = dark));
            context.drawImage(picture, 0, 0, picture.width * terrain.every, picture.height * terrain.every);
        },
        at(row, col) {
            const i = cells ? cells.find(row, col) : -1;
            if (cells && cells.ground !== undefined && i >= 0) return arrays.value(cells.ground, i);
            return arrays.value(terrain.array, Math.floor(row / terrain.every) * terrain.cols + Math.floor(col / terrain.every));
        },
    };
}

// ---- lava, in tiles of 256 x 256 cells, so that only tiles with a change are painted anew

const TILE = 256;

// arrival(): the arrivals of all cells as quanta; null: there are none. take(from, to) adds the cells with the numbers from
// `from` to `to` - 1.
function makeTiles(cells, arrival) {
    const across = Math.ceil(cells.cols / TILE), tiles = new Map();
    function make(k) {
        const x0 = (k % across) * TILE, y0 = Math.floor(k / across) * TILE, canvas = document.createElement("canvas");
        canvas.width = Math.min(TILE, cells.cols - x0);
        canvas.height = Math.min(TILE, cells.rows - y0);
        const context = canvas.getContext("2d"), image = context.createImageData(canvas.width, canvas.height);
        const t = {
            x0,
            y0,
            canvas,
            context,
            image,
            pixels: new Uint32Array(image.data.buffer),
            at: [],
            first: Infinity,
            last: -1,
            key: ""
        };
        tiles.set(k, t);
        return t;
    }
    function take(from, to) {
        const of = arrival?.();
        for (let i = from; i < to; i++) {
            const k = (cells.y[i] >> 8) * across + (cells.x[i] >> 8), t = tiles.get(k) || make(k);
            t.at.push(i);
            t.key = "";
            if (!of) continue;
            t.first = Math.min(t.first, of[i]);
            t.last = Math.max(t.last, of[i]);
        }
    }
    return {take, all: () => tiles.values()};
}

// The lava of one or many runs. `arrays` and `cells` are those of a report (data.js), or grow during a run (serve_stream.js).
function makeScene(facts, arrays, cells, ground) {
    const time = facts.time, arrivalLayer = time && facts.layers.find((l) => l.name === "arrival_h");
    const arrivals = arrivalLayer ? () => arrays.get(arrivalLayer.array) : null;
    const stepsOfArrival = arrivalLayer ? (arrays.unit(arrivalLayer.array) * 3600) / (time.step_s || 1) : 1;
    const tiles = cells ? makeTiles(cells, arrivals) : null;
    tiles?.take(0, cells.count);
    const layers = facts.layers.map((l, number) => ({...l, number}));

    // Thickness and greatest thickness share a scale, so that they can be compared
    const shared = layers.find((l) => l.name === "total_thickness_m");
    // Layers of members share a scale, too
    const alike = (layer) =>
        (layer.kind === "thickness" &&
            (shared || (/^thickness_member_/.test(layer.name) && layers.find((l) => l.name === "thickness_p95_m")))) ||
        layer;
    // `scale`: the scale of another scene, with which this scene is compared.
    function prepare(layer, scale = null) {
        if (layer.table && (!scale || scale === layer.scale)) return layer;
        layer.scale = scale || scaleOf(alike(layer), arrays);
        for (const t of tiles ? tiles.all() : []) t.key = "";
        layer.table = tableOf(layer.scale, arrays.base(layer.array), arrays.unit(layer.array));
        return layer;
    }

    // The states between which a step lies. A result without earlier states has only its end.
    function bracket(layer, step) {
        const states = layer.states;
        if (!states || states.length < 2) return null;
        const next = states.findIndex((s) => s.step >= step);
        if (next < 0) return {to: states[states.length - 1], from: null, exact: true};
        if (states[next].step === step) return {to: states[next], from: null, exact: true};
        return {to: states[next], from: next ? states[next - 1] : null, exact: false};
    }

    // The quantum of a cell at a step, once lava has arrived: from a state, or interpolated between two states.
    function makeQuantum(layer, b, step) {
        const end = arrays.get(b ? b.to.array : layer.array), arrival = arrivals?.();
        if (!b || b.exact) return (i) => end[i];
        const before = b.from ? arrays.get(b.from.array) : null, from = b.from ? b.from.step : time.first_step;
        const to = b.to.step, thick = layer.kind === "thickness";
        return (i) => {
            const begin = Math.max(from, arrival[i] * stepsOfArrival),
                  f = step >= to ? 1 :
                step <= begin    ? 0 :
                                   (step - begin) / (to - begin);
            let p = before?.[i] ?? NONE, q = end[i];
            if (p === NONE) p = thick ? 0 : q;
            if (q === NONE) q = thick ? 0 : p;
            return Math.round(p + (q - p) * f);
        };
    }

    function paintTile(t, layer, quantum, reached) {
        const {pixels, at} = t, {x, y} = cells, table = layer.table, width = t.canvas.width, arrival = arrivals?.();
        for (let n = 0; n < at.length; n++) {
            const i = at[n];
            pixels[(y[i] - t.y0) * width + x[i] - t.x0] = arrival && arrival[i] > reached ? 0 : table[quantum(i)];
        }
        t.context.putImageData(t.image, 0, 0);
    }

    return {
        facts,
        arrays,
        cells,
        ground,
        layers,
        tiles,
        prepare,
        // Whether values are now above the layer's scale. If so, the scale is replaced
        rescale(layer) {
            const old = layer.scale;
            if (!old?.stops || scaleOf(alike(layer), arrays).high <= old.high) return false;
            for (const l of layers) l.table = null;
            prepare(layer);
            return true;
        },
        // Adds the cells from the number `from` on. Earlier cells may have new values
        grow(from) {
            tiles.take(from, cells.count);
            for (const t of tiles.all()) t.key = "";
        },
        // Paints the tiles that differ between the last painted step and this step. Returns their number.
        paint(layer, step, scale = null) {
            prepare(layer, scale);
            const b = arrivals ? bracket(layer, step) : null, reached = Math.floor(step / stepsOfArrival + 1e-6);
            const quantum = makeQuantum(layer, b, step);
            let painted = 0;
            for (const t of tiles ? tiles.all() : []) {
                const when = !arrivals || reached >= t.last ? "all" : reached < t.first ? "none" : reached;
                const state = when === "none" || !b ? "" : b.exact ? b.to.step : `between ${step}`;
                const key = `${layer.number} ${when} ${state}`;
                if (t.key === key) continue;
                t.key = key;
                paintTile(t, layer, quantum, reached);
                painted++;
            }
            return painted;
        },
        // The value of a cell, by its number in the lists, and whether the step is between two states. NaN: no value, or not
        // yet.
        valueAt(layer, i, step) {
            if (i < 0 || (arrivals && layer.kind !== "arrival" && arrivals()[i] > step / stepsOfArrival + 1e-6))
                return {value: NaN};
            const b = arrivals ? bracket(layer, step) : null, q = makeQuantum(layer, b, step)(i);
            return {value: q === NONE ? NaN : arrays.base(layer.array) + arrays.unit(layer.array) * q, between: !!b && !b.exact};
        },
    };
}

// ---- lines

// The edge of a mask of the whole grid, as a path in cells.
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
