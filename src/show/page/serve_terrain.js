// serve_terrain.js: the ground with contours, in tiles of 256 x 256 blocks of 1, 2, 4, ... cells. A tile is fetched when it
// becomes visible.

const GROUND_TILES = 160;  // kept at the same time

// fetchTile(every, row0, col0) promises the bytes of a tile; arrived() draws again.
function makeTiledGround(grid, fetchTile, arrived) {
    const tiles = new Map(), coarsest = 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(grid.rows, grid.cols) / 256)));
    let asked = 0, level = 1, version = 0;

    function take(t, bytes) {
        const view = new DataView(bytes);
        Object.assign(
            t, {base: view.getFloat64(0, true), unit: view.getFloat64(8, true), q: new Uint16Array(bytes, 16), state: "here"});
        version++;
        arrived();
    }
    function get(every, i, j) {
        const key = `${every} ${i} ${j}`, size = 256 * every;
        let t = tiles.get(key);
        if (t) tiles.delete(key);  // moves the tile to the end, as the last used
        else {
            t = {every, row0: i * size, col0: j * size, state: "asked", lines: new Map()};
            const ask = () => fetchTile(every, t.row0,
                t.col0).then((bytes) => take(t, bytes), (e) => (e.status === 503 ? setTimeout(ask, 1000) : (t.state = "failed")));
            ask();
            asked++;
        }
        tiles.set(key, t);
        if (tiles.size > GROUND_TILES) tiles.delete(tiles.keys().next().value);
        return t;
    }
    const within = (seen) => ({
        top: Math.max(0, seen.top),
        left: Math.max(0, seen.left),
        bottom: Math.min(grid.rows, seen.bottom),
        right: Math.min(grid.cols, seen.right)
    });
    function* seenTiles(every, seen) {
        const s = within(seen), size = 256 * every;
        for (let i = Math.floor(s.top / size); i * size < s.bottom; i++)
            for (let j = Math.floor(s.left / size); j * size < s.right; j++) yield get(every, i, j);
    }
    function picture(t, dark) {
        if (t.picture && t.dark === dark) return t.picture;
        t.dark = dark;
        return (
            t.picture = shadeTerrain({q: t.q, rows: 258, cols: 258, unit: t.unit, size: grid.cell_m * t.every, edge: 1}, dark));
    }
    function draw(context, dark, seen, scale) {
        level = Math.min(coarsest, 2 ** Math.max(0, Math.floor(Math.log2(1.2 / (scale * (window.devicePixelRatio || 1))))));
        // Coarser tiles are drawn first; they stay visible until finer tiles have come
        for (const every of coarsest > level ? [coarsest, level] : [level])
            for (const t of seenTiles(every, seen)) {
                if (t.state !== "here") continue;
                const most = (all, from) => Math.min(256, Math.ceil((all - from) / t.every));
                const high = most(grid.rows, t.row0), wide = most(grid.cols, t.col0);
                context.drawImage(picture(t, dark), 0, 0, wide, high, t.col0, t.row0, wide * t.every, high * t.every);
            }
    }
    // The height from the finest tile that has come; NaN: no tile has come.
    function at(row, col) {
        if (row < 0 || col < 0 || row >= grid.rows || col >= grid.cols) return NaN;
        for (let every = 1; every <= coarsest; every *= 2) {
            const size = 256 * every, t = tiles.get(`${every} ${Math.floor(row / size)} ${Math.floor(col / size)}`);
            if (t?.state !== "here") continue;
            const q = t.q[(Math.floor((row - t.row0) / every) + 1) * 258 + Math.floor((col - t.col0) / every) + 1];
            return q === NONE ? NaN : t.base + t.unit * q;
        }
        return NaN;
    }

    // ---- contours: marching squares between the middles of blocks

    function linesOf(t, step) {
        if (t.lines.has(step)) return t.lines.get(step);
        const path = new Path2D(), bold = new Path2D(), heights = [], {q, every} = t, z = (k) => t.base + t.unit * q[k];
        const x = (j) => t.col0 + (j - 0.5) * every, y = (i) => t.row0 + (i - 0.5) * every;
        for (let i = 0; i < 256; i++)
            for (let j = 0; j < 256; j++) {
                const k = i * 258 + j, corner = [k, k + 1, k + 259, k + 258];
                if (corner.some((c) => q[c] === NONE)) continue;
                const v = corner.map(z), least = Math.min(...v), most = Math.max(...v);
                for (let n = Math.floor(least / step) + 1; n * step <= most; n++) {
                    const side = crossings(n % 5 ? path : bold, v, n * step, x(j), y(i), every);
                    if (side && n % 5 === 0) heights.push([n * step, ...side]);
                }
            }
        t.lines.set(step, [path, bold, heights]);
        return t.lines.get(step);
    }
    function crossings(path, [nw, ne, se, sw], h, x, y, size) {
        const points = [], edge = (a, b, x0, y0, x1, y1) => {
            if (a < h === b < h) return;
            const f = (h - a) / (b - a);
            points.push([x + (x0 + (x1 - x0) * f) * size, y + (y0 + (y1 - y0) * f) * size]);
        };
        edge(nw, ne, 0, 0, 1, 0);
        edge(ne, se, 1, 0, 1, 1);
        edge(se, sw, 1, 1, 0, 1);
        edge(sw, nw, 0, 1, 0, 0);
        for (let p = 0; p + 1 < points.length; p += 2) path.moveTo(...points[p]), path.lineTo(...points[p + 1]);
        return points.length > 1 ? points : null;
    }
    // Writes the heights of bold contours. A height is omitted if another height is near
    function drawHeights(pen, heights, seen) {
        const {view, context} = pen, there = [], apart = 150 * pen.big();
        for (const [height, [x0, y0], [x1, y1]] of heights) {
            if (x0 < seen.left || x0 > seen.right || y0 < seen.top || y0 > seen.bottom) continue;
            const x = view.left + x0 * view.scale, y = view.top + y0 * view.scale;
            if (there.some(([a, b]) => Math.abs(a - x) < apart && Math.abs(b - y) < apart)) continue;
            there.push([x, y]);
            const turn = Math.atan2(y1 - y0, x1 - x0), upright = Math.abs(turn) > Math.PI / 2 ? turn + Math.PI : turn;
            context.save();
            context.translate(x, y);
            context.rotate(upright);
            context.font = `500 ${10.5 * pen.big()}px system-ui, sans-serif`;
            context.textAlign = "center";
            context.textBaseline = "middle";
            context.lineWidth = 3 * pen.big();
            context.lineJoin = "round";
            context.strokeStyle = pen.dark() ? "rgba(30,28,25,.75)" : "rgba(250,248,242,.8)";
            context.fillStyle = pen.dark() ? "#e6d5b4" : "#50391f";
            context.strokeText(String(+height.toFixed(2)), 0, 0);
            context.fillText(String(+height.toFixed(2)), 0, 0);
            context.restore();
        }
    }
    // Draws contours that are about 25 pixels apart on a slope of 0.3. Every fifth contour is bold and has its height.
    function drawContours(pen) {
        const {view} = pen, step = niceStep((0.3 * 25 * grid.cell_m) / view.scale), seen = pen.visible();
        const all = [];
        for (const t of seenTiles(level, seen)) {
            if (t.state !== "here") continue;
            const [path, bold, heights] = linesOf(t, step);
            for (const one of heights) all.push(one);
            pen.stroke(path, pen.dark() ? "rgba(235,215,180,.22)" : "rgba(80,60,35,.28)", 0.7);
            pen.stroke(bold, pen.dark() ? "rgba(235,215,180,.4)" : "rgba(80,60,35,.5)", 1.1);
        }
        pen.onScreen();
        drawHeights(pen, all, seen);
        pen.inCells();
    }
    return {draw, at, drawContours, asked: () => asked, version: () => version};
}
