// view.js: the map on its canvas. The view gives the position of a cell on the screen: x = left + scale * column, in CSS
// pixels.

const SCALE_MOST = 48;

// Touching cells of a vent are a fissure, drawn as lines. A diagonal line is drawn only if no neighbour connects the two
// cells. All other cells are points.
function sortVents(vents) {
    const key = (id, row, col) => `${id} ${row} ${col}`, lines = [], points = [];
    const there = new Set(vents.filter((v) => v.id !== undefined && !v.spread).map((v) => key(v.id, v.row, v.col)));
    for (const v of vents) {
        if (v.spread) continue;  // vent_radius_m added it to another vent
        const has = (down, right) => there.has(key(v.id, v.row + down, v.col + right));
        const near =
            [[0, 1], [1, 0], [1, 1], [1, -1], [0, -1], [-1, 0], [-1, -1], [-1, 1]].filter(([down, right]) => has(down, right));
        if (!near.length) points.push(v);
        for (const [down, right] of near) {
            const ahead = down > 0 || (down === 0 && right > 0);  // each line once
            if (ahead && !(down && right && (has(down, 0) || has(0, right))))
                lines.push([v, {row: v.row + down, col: v.col + right}]);
        }
    }
    return {lines, points};
}

// options: dark(); onPaper(); overlays(): the shown overlays; hours(): the shown time; vents: from sortVents(); drawn(bar):
// called with the scale bar after each drawing on a screen. A page with a drawing also has extent(take), over(pen),
// outlinePath() and beside(). beside() returns {scene, at}: another scene is shown on the left, up to the share `at` of the
// width.
function makeView(canvas, scene, options) {
    const {rows, cols, cell_m: cellMetres} = facts.grid;
    const view = {scale: 1, left: 0, top: 0, cursor: null};
    let context = canvas.getContext("2d");
    let width = 1, height = 1, density = 1, big = 1, paths = {}, back = null, backKey = "", fitted = true, pending = 0;

    function visible() {
        return {
            left: -view.left / view.scale,
            top: -view.top / view.scale,
            right: (width - view.left) / view.scale,
            bottom: (height - view.top) / view.scale
        };
    }
    function scaleLeast() { return Math.min(width / cols, height / rows) * 0.6; }
    // Limits the view, so that a part of the grid stays in the middle.
    function keepIn() {
        const {scale} = view;
        view.left = Math.min(width / 2, Math.max(width / 2 - cols * scale, view.left));
        view.top = Math.min(height / 2, Math.max(height / 2 - rows * scale, view.top));
    }

    // The box of the lava with a margin. The margin is smaller if the grid would otherwise fill the view. Without lava the box is
    // the whole grid
    function lavaBox(share) {
        const c = scene.cells, box = {left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity};
        const take = (left, top, right, bottom) => {
            box.left = Math.min(box.left, left);
            box.top = Math.min(box.top, top);
            box.right = Math.max(box.right, right);
            box.bottom = Math.max(box.bottom, bottom);
        };
        if (c?.count) {
            if (c.box) take(c.box.left, c.box.top, c.box.right, c.box.bottom);
            else take(c.col0 * c.every, c.row0 * c.every, (c.col0 + c.cols) * c.every, (c.row0 + c.rows) * c.every);
            for (const v of facts.vents) take(v.col, v.row, v.col + 1, v.row + 1);
        }
        options.extent?.(take);
        if (!(box.right > box.left)) return {left: 0, top: 0, right: cols, bottom: rows};
        const margin = Math.max(4, share * Math.max(box.right - box.left, box.bottom - box.top));
        return {
            left: Math.max(0, box.left - margin),
            top: Math.max(0, box.top - margin),
            right: Math.min(cols, box.right + margin),
            bottom: Math.min(rows, box.bottom + margin),
        };
    }
    const scaleFor = (box) => Math.min(width / (box.right - box.left), height / (box.bottom - box.top));
    function fit(share = 0.12) {
        const box = lavaBox(share), fills = Math.max(width / cols, height / rows);
        view.scale = Math.min(SCALE_MOST, Math.max(scaleFor(box), Math.min(fills, scaleFor(lavaBox(share / 2)))));
        view.left = width / 2 - (view.scale * (box.left + box.right)) / 2;
        view.top = height / 2 - (view.scale * (box.top + box.bottom)) / 2;
        // A view inside a larger grid shows no empty strip; around a smaller grid the strips are equal
        const within = (at, size, all) => (all >= size ? Math.max(size - all, Math.min(0, at)) : (size - all) / 2);
        view.left = within(view.left, width, cols * view.scale);
        view.top = within(view.top, height, rows * view.scale);
        fitted = true;
        redraw();
    }
    // Fits the view to growing lava, with room for more lava. Each new view paints the terrain anew, which takes longer than
    // painting the lava
    function fitGrowing() {
        const box = lavaBox(0.03), seen = visible(),
              within = box.left >= seen.left && box.top >= seen.top && box.right <= seen.right && box.bottom <= seen.bottom;
        if (!within || Math.min(SCALE_MOST, scaleFor(lavaBox(0.3))) > 2 * view.scale) fit(0.3);
    }
    function zoom(factor, x = width / 2, y = height / 2) {
        const scale = Math.max(scaleLeast(), Math.min(SCALE_MOST, view.scale * factor)), f = scale / view.scale;
        view.left = x - (x - view.left) * f;
        view.top = y - (y - view.top) * f;
        view.scale = scale;
        fitted = false;
        keepIn();
        redraw();
    }
    function pan(dx, dy) {
        view.left += dx;
        view.top += dy;
        fitted = false;
        keepIn();
        redraw();
    }

    // ---- drawing

    function drawLava({cells, tiles}) {
        const seen = visible();
        context.imageSmoothingEnabled = view.scale * cells.every < 1;
        for (const t of tiles.all()) {
            const x = (t.x0 + cells.col0) * cells.every, y = (t.y0 + cells.row0) * cells.every;
            const w = t.canvas.width * cells.every, h = t.canvas.height * cells.every;
            if (x < seen.right && x + w > seen.left && y < seen.bottom && y + h > seen.top)
                context.drawImage(t.canvas, x, y, w, h);
        }
    }
    // Two results next to each other are cut at a line
    function drawSides(drawOne) {
        const beside = options.beside?.(), seen = visible(),
              at = beside ? (beside.at * width - view.left) / view.scale : seen.left;
        for (const [s, from, to] of [[beside?.scene, seen.left, at], [scene, at, seen.right]]) {
            if (!s?.cells) continue;
            context.save();
            context.beginPath();
            context.rect(from, seen.top, to - from, seen.bottom - seen.top);
            context.clip();
            drawOne(s);
            context.restore();
        }
        return beside;
    }
    function drawScenes() {
        const beside = drawSides(drawLava);
        if (!beside) return;
        onScreen();
        for (const [colour, line] of [["#ffffff", 5], ["#15151a", 1.6]]) {
            context.fillStyle = colour;
            context.fillRect(beside.at * width - line / 2, 0, line, height);
        }
        inCells();
    }
    function stroke(path, colour, pixels, dash = []) {
        context.strokeStyle = colour;
        context.lineWidth = (pixels * big) / view.scale;
        context.setLineDash(dash.map((d) => d / view.scale));
        context.stroke(path);
        context.setLineDash([]);
    }
    function halo(path, colour, pixels, dash) {
        stroke(path, "#ffffff", pixels + 2.4);
        stroke(path, colour, pixels, dash);
    }
    // The isochrones that lava has reached by the shown time
    const reached = (s = scene) => (s.facts.isochrones || []).filter((i) => i.hours <= options.hours() + 1e-6);
    function linePath(line, lines) {
        if (line.path) return line.path;
        line.path = new Path2D();
        for (const part of lines)
            for (let k = 0; k < part.length; k += 2) line.path[k ? "lineTo" : "moveTo"](part[k], part[k + 1]);
        return line.path;
    }
    function fissurePath() {
        const path = new Path2D();
        for (const [a, b] of options.vents.lines) {
            path.moveTo(a.col + 0.5, a.row + 0.5);
            path.lineTo(b.col + 0.5, b.row + 0.5);
        }
        return path;
    }
    const ventSize = () => (options.vents.points.length > 30 ? 3.5 : 6.5) * big;
    function takeVents() {
        const {lines, points} = options.vents;
        for (const [v, half] of [...points.map((p) => [p, ventSize() + 1]), ...lines.flat().map((p) => [p, 3 * big])])
            take(view.left + (v.col + 0.5) * view.scale, view.top + (v.row + 0.5) * view.scale, half);
    }
    function drawVents() {
        const lines = (paths.fissures ||= fissurePath()), {points} = options.vents, size = ventSize();
        context.lineJoin = context.lineCap = "round";
        inCells();
        stroke(lines, "#ffffff", 5);
        stroke(lines, "#15151a", 2.4);
        onScreen();
        for (const v of points)
            triangle(view.left + (v.col + 0.5) * view.scale, view.top + (v.row + 0.5) * view.scale, size,
                points.length > 30 ? 1 : 1.6);
    }
    function triangle(x, y, size, line, colour = "#15151a") {
        context.beginPath();
        context.moveTo(x, y - size);
        context.lineTo(x + size * 0.9, y + size * 0.7);
        context.lineTo(x - size * 0.9, y + size * 0.7);
        context.closePath();
        context.fillStyle = "#ffffff";
        context.strokeStyle = colour;
        context.lineWidth = line;
        context.fill();
        context.stroke();
    }
    function dot(x, y, radius, colour) {
        context.beginPath();
        context.arc(x, y, radius, 0, 7);
        context.fillStyle = colour;
        context.fill();
        context.strokeStyle = "#ffffff";
        context.lineWidth = 1.5;
        context.stroke();
    }
    // Boxes on the screen that no label may hide; labels have boxes, too
    let taken = [];
    const take = (x, y, half) => taken.push({left: x - half, top: y - half, right: x + half, bottom: y + half});
    const isTaken = ({left, top, right, bottom}) =>
        taken.some((b) => left < b.right && b.left < right && top < b.bottom && b.top < bottom);
    // Boxes of buttons, scale bar and arrow
    const isAbove = (e) => e !== canvas && e.offsetWidth > 0 && e.id !== "bubble" && getComputedStyle(e).position === "absolute";
    const boxOf = ({offsetLeft: left, offsetTop: top, offsetWidth: wide, offsetHeight: high}) =>
        ({left, top, right: left + wide, bottom: top + high});
    const onMap = (x, y) => x >= 0 && y >= 0 && x <= width && y <= height;
    function write(text, x, y) {
        context.lineWidth = 3 * big;
        context.lineJoin = "round";
        context.strokeStyle = "rgba(255,255,255,.9)";
        context.fillStyle = "#15151a";
        context.strokeText(text, x, y);
        context.fillText(text, x, y);
    }
    let weight = 600;
    // The width of a text. Its letters are smaller if the map is too narrow
    function widthOf(text) {
        const use = (pixels) => (context.font = `${weight} ${pixels}px system-ui, sans-serif`, context.measureText(text).width);
        const wide = use(12 * big), most = width - 10;
        return wide > most ? use(12 * big * most / wide) : wide;
    }
    // Writes a label. If it begins on the map, it is moved so that it is complete
    function label(text, x, y) {
        const most = width - widthOf(text) - 4;
        write(text, context.textAlign === "start" && x <= width ? Math.min(x, most) : x, y);
    }
    // Writes a label at the first free spot, moved inside the map if needed. line(box): whether the line to the label is free
    function labelApart(text, spots, line = (box) => box.left >= 0) {
        const wide = widthOf(text);
        for (const [wanted, y] of spots(wide)) {
            const left = Math.max(3, Math.min(wanted, width - wide - 3));
            const box = {left: left - 2, top: y - 11 * big, right: left + wide + 2, bottom: y + 4 * big};
            if (box.left < 0 || box.top < 0 || box.right > width || box.bottom > height || isTaken(box) || !line(box)) continue;
            taken.push(box);
            write(text, left, y);
            return true;
        }
        return false;
    }
    // Writes a name next to, above or below its place, or farther away with a line to the place. `others`: the dots of other
    // places, from which the name keeps its distance, so that it is not read as the name of one of them
    function nameAt(text, x, y, others) {
        const down = 4 * big, row = 18 * big, far = 8 * big;
        const clamp = (v, low, high) => Math.max(low, Math.min(v, high));
        const isAlone = (box) => others.every(
            ([ox, oy]) => Math.hypot(ox - clamp(ox, box.left, box.right), oy - clamp(oy, box.top, box.bottom)) > 2 * far);
        const near = (wide) => [[far, 0], [-wide - far, 0], [-wide / 2, -row], [-wide / 2, row], [4, -row], [4, row],
            [-wide - 4, -row], [-wide - 4, row]]
                                   .map(([dx, dy]) => [x + dx, y + down + dy]);
        if (labelApart(text, near, isAlone)) return;
        const ring = (wide) => Array.from({length: 16 * 12}, (_, i) => {
            const turn = (i % 16) * Math.PI / 8, r = (2 + Math.floor(i / 16)) * row;
            return [x + (r + wide / 2) * Math.cos(turn) - wide / 2, y + down + r * Math.sin(turn)];
        });
        const lead = (box, over) => {
            const to = [clamp(x, box.left, box.right), clamp(y, box.top, box.bottom)];
            const long = Math.hypot(to[0] - x, to[1] - y),
                  at = (way) => [x + (to[0] - x) * way / long, y + (to[1] - y) * way / long];
            for (let way = 10 * big; way < long - 2; way += 3) {
                const [px, py] = at(way);
                if (!over && isTaken({left: px, top: py, right: px, bottom: py})) return false;
            }
            for (let way = 10 * big; way < long - 2; way += 3) take(...at(way), 1);
            for (const [colour, line] of [["#ffffff", 3], ["#15151a", 1]]) {
                context.strokeStyle = colour;
                context.lineWidth = line * big;
                context.beginPath();
                context.moveTo(...at(4 * big));
                context.lineTo(...to);
                context.stroke();
            }
            return true;
        };
        if (labelApart(text, ring, (box) => isAlone(box) && lead(box, false)) || labelApart(text, near)) return;
        if (!labelApart(text, ring, (box) => lead(box, false))) labelApart(text, ring, (box) => lead(box, true));
    }
    // The first position of a place that the map shows
    function seenAt(a) {
        for (const part of a.parts)
            for (let k = 0; k < part.length; k += 2) {
                const x = view.left + part[k] * view.scale, y = view.top + part[k + 1] * view.scale;
                if (onMap(x, y)) return [x, y];
            }
        return null;
    }
    function drawAssets() {
        for (const a of facts.assets) {
            if (a.kind !== "point") halo(linePath(a, a.parts), facts.colours.place, 1.6, a.kind === "area" ? [] : [6, 3]);
        }
        onScreen();
        const seen = facts.assets.map((a) => [a, seenAt(a)]).filter(([, at]) => at);
        for (const [a, [x, y]] of seen) {
            if (a.kind !== "point") continue;
            dot(x, y, 3.5, facts.colours.place);
            take(x, y, 5);
        }
        const dots = seen.filter(([a]) => a.kind === "point");
        for (const [a, at] of facts.assets.length <= 60 ? seen : [])
            nameAt(a.label || a.name, ...at, dots.filter(([b]) => b !== a).map(([, xy]) => xy));
    }
    function drawIsochroneLabels() {
        const line = (lines) => lines.reduce((a, b) => (b.length > a.length ? b : a), []),
              from = (options.beside?.()?.at ?? -Infinity) * width;
        for (const {hours, lines} of reached().reverse()) {
            const words = hours % 24 ? duration(hours) : t("{} d", hours / 24), l = line(lines);
            const spots = [0.5, 0.3, 0.7, 0.1, 0.9, 0.4, 0.6]
                              .map((share) => 2 * Math.floor(share * l.length / 2))
                              .map((k) => [view.left + l[k] * view.scale + 4, view.top + l[k + 1] * view.scale]);
            if (l.length) labelApart(words, () => spots.filter(([x]) => x >= from));
        }
    }
    function drawCursor() {
        const {row, col} = view.cursor, x = view.left + col * view.scale, y = view.top + row * view.scale,
                    size = Math.max(7, view.scale);
        const middleX = x + view.scale / 2, middleY = y + view.scale / 2;
        for (const [colour, line] of [["#ffffff", 4], ["#15151a", 1.6]]) {
            context.strokeStyle = colour;
            context.lineWidth = line;
            context.strokeRect(middleX - size / 2, middleY - size / 2, size, size);
        }
    }
    // A round length, and its width of at most 130 pixels
    function scaleBar() {
        const perPixel = cellMetres / view.scale, room = 130 * big * perPixel, power = 10 ** Math.floor(Math.log10(room));
        const length = [5, 2, 1].map((k) => k * power).find((m) => m <= room) || power;
        return {length, width: length / perPixel};
    }
    // Draws the scale bar on paper, where the map may be of another size.
    function drawScale({length, width: pixels}) {
        const x = 16, y = height - 16;
        context.fillStyle = "rgba(255,255,255,.8)";
        context.fillRect(x, y - 22, pixels, 22);
        context.strokeStyle = "#15151a";
        context.lineWidth = 2;
        context.strokeRect(x, y, pixels, 0);
        context.textAlign = "center";
        label(metres(length), x + pixels / 2, y - 6);
        context.textAlign = "start";
    }
    const inCells = () =>
        context.setTransform(density * view.scale, 0, 0, density * view.scale, density * view.left, density * view.top);
    const onScreen = () => context.setTransform(density, 0, 0, density, 0, 0);

    // Functions that other scripts draw with: paths in cells, then labels and marks on the screen.
    const pen = {
        get context() { return context; },
        view,
        inCells,
        onScreen,
        stroke,
        halo,
        label,
        nameAt,
        take,
        triangle,
        dot,
        visible,
        dark: options.dark,
        big: () => big
    };

    // Makes light colours darker, and dark colours lighter
    function onDark(colour) {
        const parts = [0, 1, 2].map((k) => channel(colour, k)), light = parts[1] > 160;
        return `rgb(${parts.map((v) => Math.round(light ? 0.4 * v : 255 - 0.4 * (255 - v)))})`;
    }
    // Draws roads, rivers, buildings and the coast as on paper, but light on dark ground. Widths are in 1/200 inch.
    function drawBackground() {
        const {looks, features} = facts.background, dark = options.dark(), px = 0.55;
        const colourOf = (colour) => (dark ? onDark(colour) : colour);
        context.lineJoin = context.lineCap = "round";
        for (const f of features)
            if (looks[f.look].casing) stroke(linePath(f, f.parts), colourOf(looks[f.look].ink), looks[f.look].casing * px);
        for (const f of features) {
            const look = looks[f.look], radius = look.width * px * big / view.scale;
            context.fillStyle = colourOf(look.colour);
            if (f.kind === "point")
                for (const [x, y] of f.parts) {
                    context.beginPath();
                    context.arc(x, y, radius, 0, 7);
                    context.fill();
                }
            else if (f.kind === "area" && look.filled) context.fill(linePath(f, f.parts), "evenodd");
            else stroke(linePath(f, f.parts), colourOf(look.colour), look.width * px);
        }
    }
    // Draws names of the background, which avoid all other labels. Larger places come first.
    function drawBackgroundNames() {
        const kinds = Object.keys(facts.background.looks), order = (f) => kinds.indexOf(f.look);
        let left = 60;
        weight = 400;
        for (const f of [...facts.background.features].sort((a, b) => order(b) - order(a))) {
            const at = f.name && left && seenAt(f);
            if (!at) continue;
            const [x, y] = at, far = 6 * big, row = 16 * big;
            const spots = (wide) => [[far, 4], [-wide - far, 4], [-wide / 2, -row / 2], [-wide / 2, row]].map(
                ([dx, dy]) => [x + dx, y + dy]);
            if (labelApart(f.name, spots)) left--;
        }
        weight = 600;
    }

    // Draws terrain and contours into a separate picture, which stays while lava flows
    function drawBack(on) {
        const key = [
            view.scale, view.left, view.top, width, height, density, options.dark(), on.contours, on.background,
            scene.ground?.version?.()
        ].join();
        if (key !== backKey) {
            const front = context;
            backKey = key;
            back ||= document.createElement("canvas");
            [back.width, back.height] = [canvas.width, canvas.height];
            context = back.getContext("2d");
            inCells();
            if (scene.ground) {
                context.imageSmoothingEnabled = true;
                context.imageSmoothingQuality = "high";
                scene.ground.draw(context, options.dark(), visible(), view.scale);
                inCells();
                if (on.background) drawBackground();
                if (on.contours) scene.ground.drawContours(pen);
            } else {
                context.fillStyle = options.dark() ? "#2b2b2a" : "#e9e8e3";
                context.fillRect(0, 0, cols, rows);
                if (on.background) drawBackground();
            }
            context = front;
        }
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.clearRect(0, 0, canvas.width, canvas.height);
        context.drawImage(back, 0, 0);
    }

    function draw() {
        cancelAnimationFrame(pending);  // this drawing replaces a pending one
        pending = 0;
        const on = options.overlays();
        taken = options.onPaper() ? [] : [...canvas.parentElement.children].filter(isAbove).map(boxOf);
        if (on.vents) takeVents();
        drawBack(on);
        inCells();
        if (on.layer) drawScenes();
        if (on.isochrones) drawSides((s) => reached(s).forEach((i) => halo(linePath(i, i.lines), "#14142a", 1.1)));
        if (on.outline) {
            paths.outline ||= options.outlinePath?.() || edgePath(scene.arrays.get(facts.outline), rows, cols);
            halo(paths.outline, facts.colours.outline, 2);
        }
        if (on.assets) drawAssets();
        inCells();
        options.over?.(pen);
        onScreen();
        if (on.isochrones) drawIsochroneLabels();
        if (on.vents) drawVents();
        if (on.background) drawBackgroundNames();
        if (view.cursor) drawCursor();
        const bar = scaleBar();
        if (options.onPaper()) drawScale(bar);
        else options.drawn(bar);
    }
    function redraw() {
        if (!pending) pending = requestAnimationFrame(draw);
    }
    // Adapts the view to a size. A view of all lava still shows all lava afterwards.
    function resize(w = canvas.clientWidth, h = canvas.clientHeight, d = Math.min(2, window.devicePixelRatio || 1)) {
        if (!(w > 0 && h > 0) || (w === width && h === height && d === density)) return;
        const middle = place();
        big = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;  // the size of letters on this screen
        [width, height, density] = [Math.max(1, w), Math.max(1, h), d];
        canvas.width = Math.round(width * density);
        canvas.height = Math.round(height * density);
        if (fitted) return fit();
        moveTo(middle);
    }

    // ---- positions

    const positionAt = (x, y) => ({col: (x - view.left) / view.scale, row: (y - view.top) / view.scale});
    function cellAt(x, y) {
        const {col, row} = positionAt(x, y);
        return {col: Math.floor(col), row: Math.floor(row)};
    }
    function moveCursor(dRow, dCol) {
        const start = view.cursor || cellAt(width / 2, height / 2);
        const row = Math.max(0, Math.min(rows - 1, start.row + (view.cursor ? dRow : 0)));
        const col = Math.max(0, Math.min(cols - 1, start.col + (view.cursor ? dCol : 0)));
        view.cursor = {row, col};
        const x = view.left + (col + 0.5) * view.scale, y = view.top + (row + 0.5) * view.scale, edge = 24;
        if (x < edge || x > width - edge || y < edge || y > height - edge) pan(width / 2 - x, height / 2 - y);
        redraw();
        return view.cursor;
    }
    function setCursor(place) {
        view.cursor = place;
        redraw();
    }
    function setScene(next) {
        scene = next;
        redraw();
    }
    // Draws the map into another picture, as for paper, with its scale bar.
    function drawOn(other, paper) {
        const mine = context;
        context = other.getContext("2d");
        other.width = canvas.width;
        other.height = canvas.height;
        paper(draw);
        context = mine;
    }
    const place = () => ({scale: view.scale, ...positionAt(width / 2, height / 2)});
    function moveTo({scale, col, row}) {
        Object.assign(view, {scale, left: width / 2 - col * scale, top: height / 2 - row * scale});
        fitted = false;
        redraw();
    }
    return {
        fit,
        fitGrowing,
        zoom,
        pan,
        resize,
        redraw,
        draw,
        drawOn,
        setScene,
        cellAt,
        positionAt,
        place,
        moveTo,
        moveCursor,
        setCursor,
        cursor: () => view.cursor,
        isFitted: () => fitted,
        size: () => [width, height]
    };
}

// Mouse, pen and fingers: one finger drags, two fingers pinch; the wheel and a double click zoom. `tool` comes first: grab(at)
// returns {move(at), end(moved)} to follow a drag that begins at `at`, or null. click(at) and twice(at) return whether they
// used the click.
function followPointers(canvas, view, show, tool = {}) {
    const down = new Map();
    let moved = false, held = null;
    function letGo() {
        held?.end(moved);
        held = null;
    }
    const at = (e) => {
        const box = canvas.getBoundingClientRect();
        return {x: e.clientX - box.left, y: e.clientY - box.top};
    };
    const spread = () => {
        const [a, b] = [...down.values()];
        return {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, far: Math.hypot(a.x - b.x, a.y - b.y)};
    };
    canvas.addEventListener("pointerdown", (e) => {
        if (e.button) return;
        canvas.setPointerCapture(e.pointerId);
        letGo();  // a second finger ends the drag of the first
        down.set(e.pointerId, at(e));
        moved = false;
        if (down.size === 1) held = tool.grab?.(at(e), e) || null;
    });
    canvas.addEventListener("pointermove", (e) => {
        const now = at(e), last = down.get(e.pointerId);
        if (!last) {
            if (e.pointerType !== "touch") show(view.cellAt(now.x, now.y), false);
            tool.hover?.(now);
            return;
        }
        const before = down.size === 2 ? spread() : null;
        down.set(e.pointerId, now);
        if (before) {
            const after = spread();
            view.pan(after.x - before.x, after.y - before.y);
            if (before.far > 0) view.zoom(after.far / before.far, after.x, after.y);
        } else if (held) {
            held.move(now);
        } else if (down.size === 1) {
            view.pan(now.x - last.x, now.y - last.y);
        }
        if (Math.hypot(now.x - last.x, now.y - last.y) > 0) moved = true;
    });
    const up = (e) => {
        if (!down.delete(e.pointerId)) return;
        letGo();
        if (moved || e.type === "pointercancel") return;
        const now = at(e);
        if (tool.click?.(now)) return;
        show(view.cellAt(now.x, now.y), true, e.pointerType === "touch" ? now : null);
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointerleave", (e) => e.pointerType === "touch" || show(null, false));
    canvas.addEventListener("wheel", (e) => {
        if (!e.ctrlKey && document.activeElement !== canvas) return;  // the page scrolls
        e.preventDefault();
        const now = at(e), lines = e.deltaMode === 1 ? 16 : 1;
        view.zoom(Math.exp((-e.deltaY * lines) / 400), now.x, now.y);
    }, {passive: false});
    canvas.addEventListener("dblclick", (e) => tool.twice?.(at(e)) || view.zoom(2, at(e).x, at(e).y));
}
