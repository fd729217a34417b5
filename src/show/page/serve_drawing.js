// serve_drawing.js: the drawing, in the form that the program reads, with undo; parts of the drawing; rates as CSV.

const LISTS = ["vents", "barriers", "places"];
const kindOf = (list, o) => (list === "vents" ? (o.points.length > 1 ? "fissure" : "vent") :
        list === "barriers"                   ? o.kind :
                                                "place");
const KIND_NAMES = {
    vent: "Vent",
    fissure: "Fissure",
    wall: "Wall",
    channel: "Channel",
    place: "Place"
};

// changed(passing) is called after each change. passing: the reader drags a part.
function makeDrawing(first, changed) {
    let now = first, before = null;
    const past = [], future = [];
    function settle() {
        if (before) past.push(before), future.splice(0);
        if (past.length > 200) past.shift();
        before = null;
    }
    function go(from, to) {
        settle();
        if (!from.length) return false;
        to.push(now);
        now = from.pop();
        changed(false);
        return true;
    }
    return {
        get: () => now,
        // change(draft) changes a copy. passing: more changes will follow, and all are one step of undo
        edit(change, passing = false) {
            before ||= now;
            now = structuredClone(now);
            change(now);
            if (!passing) settle();
            changed(passing);
        },
        settle() {
            const open = !!before;
            settle();
            if (open) changed(false);
        },
        undo: () => go(past, future),
        redo: () => go(future, past),
        can: () => ({undo: !!(past.length || before), redo: !!future.length}),
        set(next) {
            settle();
            past.push(now);
            now = next;
            changed(false);
        },
    };
}

// ---- positions: metres of the grid's CRS, and cells from the north-west corner

const rounded = (v) => Math.round(v * 10) / 10;
function toMetres({col, row}) {
    const g = facts.grid;
    return [rounded(g.west_m + col * g.cell_m), rounded(g.south_m + (g.rows - row) * g.cell_m)];
}
function toCells([x, y]) {
    const g = facts.grid;
    return {col: (x - g.west_m) / g.cell_m, row: g.rows - (y - g.south_m) / g.cell_m};
}
function pathOf(points, closed = false) {
    const path = new Path2D();
    points.map(toCells).forEach(({col, row}, i) => path[i ? "lineTo" : "moveTo"](col, row));
    if (closed) path.closePath();
    return path;
}
const lengthOf = (points) => points.slice(1).reduce((sum, [x, y], i) => sum + Math.hypot(x - points[i][0], y - points[i][1]), 0);

// Latitude and longitude, if PROJ knows them, from makeDegrees (data.js). ofDegrees() inverts this by Newton's method
let degrees = null;
const degreesOf = (col, row) => (degrees ||= makeDegrees(facts))(col, row);
function ofDegrees(lat, lon) {
    const {rows, cols} = facts.grid, far = Math.max(rows, cols) / 64, turn = (angle) => angle - 360 * Math.round(angle / 360);
    let at = {col: cols / 2, row: rows / 2};
    for (let k = 0; k < 20; k++) {
        const here = degreesOf(at.col, at.row), east = degreesOf(at.col + far, at.row), south = degreesOf(at.col, at.row + far);
        const [a, b, c, d] = [turn(east.lon - here.lon), turn(south.lon - here.lon), east.lat - here.lat, south.lat - here.lat];
        const u = turn(lon - here.lon), v = lat - here.lat, size = far / (a * d - b * c);
        at = {col: at.col + (u * d - v * b) * size, row: at.row + (v * a - u * c) * size};
    }
    return toMetres(at);
}

// The points as text, each on its own line: "east, north" or "lat, lon"
function pointLines(points, inDegrees) {
    if (!inDegrees) return points.map((p) => p.join(", "));
    return points.map(toCells).map(({col, row}) => degreesOf(col, row)).map(({lat,
        lon}) => `${lat.toFixed(6)}, ${lon.toFixed(6)}`);
}
// Reads a text of pointLines(), also with °, N, E, S and W. An unchanged line gives the same point of `points`. Throws an
// Error about a wrong line.
function readPoints(text, points, inDegrees) {
    const before = pointLines(points, inDegrees),
          value = (word) => Number(word.replace(/[NEWS]$/i, "") || NaN) * (inDegrees && /[WS]$/i.test(word) ? -1 : 1);
    const lines = text.split("\n").map((l) => l.trim()).filter(Boolean);
    return (lines.length ? lines : [""]).map((line) => {
        const known = before.indexOf(line),
              p = line.replaceAll("°", " ").replaceAll(/\s+(?=[NEWS]\b)/gi, "").trim().split(/[\s,;]+/).map(value);
        if (known >= 0) return points[known];
        if (p.length === 2 && p.every(Number.isFinite) && (!inDegrees || (Math.abs(p[0]) <= 90 && Math.abs(p[1]) <= 360)))
            return inDegrees ? ofDegrees(...p) : p;
        throw new Error(
            t(inDegrees ? "Each line needs latitude and longitude in degrees." : "Each line needs east and north in metres."));
    });
}

// ---- points of a line

// The sides of a line or area. A new point on a side gets its `number`. spare(): whether a point can be removed
const isArea = (o) => !!(o.area || o.kind === "area");
const sidesOf = (o) =>
    o.points.map((p, i) => ({number: i + 1, from: p, to: o.points[i + 1] ?? (isArea(o) && i > 1 ? o.points[0] : null)}))
        .filter((s) => s.to);
const spare = (list, o) => o.points.length > (isArea(o) ? 3 : list === "barriers" || o.kind === "line" ? 2 : 1);
const middleOf = ({from, to}) => [0, 1].map((k) => rounded((from[k] + to[k]) / 2));
// Adds a point in the middle of the side after the point `after`; null: of the longest side. Returns the number of the new point
function addPoint(o, after = null) {
    const sides = sidesOf(o), length = ({from, to}) => Math.hypot(to[0] - from[0], to[1] - from[1]);
    const side =
        after === null ? sides.reduce((a, b) => (length(b) > length(a) ? b : a)) : sides[Math.min(after, sides.length - 1)];
    o.points.splice(side.number, 0, middleOf(side));
    return side.number;
}

// ---- parts: {list, number}

const partsOf = (drawing) =>
    LISTS.flatMap((list) => (drawing[list] || []).map((o, number) => ({list, number, o, kind: kindOf(list, o)})));
const sameAs = (a, b) => !!a && !!b && a.list === b.list && a.number === b.number;

function nameOf({list, number, o, kind}) {
    return o.name || (list === "vents" ? `${t(KIND_NAMES[kind])} ${o.id}` : `${t(KIND_NAMES[kind])} ${number + 1}`);
}

const RATES = [[0, 20], [24, 10], [72, 4], [168, 0]];  // for a first vent: strong, then waning
function addPart(drawing, kind, points) {
    if (kind === "vent" || kind === "fissure") {
        const id = Math.max(0, ...drawing.vents.map((v) => v.id)) + 1, last = drawing.rates.at(-1);
        drawing.vents.push({id, points});
        if (last?.vent !== 0) drawing.rates.push({vent: id, points: structuredClone(last?.points || RATES)});
        return {list: "vents", number: drawing.vents.length - 1};
    }
    const width_m = 2 * facts.grid.cell_m;
    if (kind === "wall") drawing.barriers.push({kind, points, height_m: 15, width_m});
    if (kind === "channel") drawing.barriers.push({kind, points, depth_m: 10, width_m});
    if (kind === "place") drawing.places.push({name: `${t("Place")} ${drawing.places.length + 1}`, points});
    const list = kind === "place" ? "places" : "barriers";
    return {list, number: drawing[list].length - 1};
}
function removePart(drawing, {list, number}) {
    const [o] = drawing[list].splice(number, 1);
    if (list === "vents") drawing.rates = drawing.rates.filter((r) => r.vent !== o.id);
    if (!drawing.vents.length) drawing.rates = [];
}

// ---- values out of range

const FIELDS = {
    height_m: ["Height", "m"],
    crest_m: ["Crest", "m"],
    depth_m: ["Depth", "m"],
    width_m: ["Width", "m"],
    from_h: ["Built after", "h"],
    hours: ["Time, days", ""]
};
// The limits of a field, if it has any
const limitOf = (object, field) =>
    (object === "keys" ? facts.keys.filter((k) => k.name === field && "low" in k).map((k) => [k.low, k.high])[0] :
                         facts.limits[object][field]);
// The first number that the program would refuse, with its message: {object, number, field, message}; null: there is none
function faultOf(drawing) {
    const entries = [
        ...["vents", "rates", "barriers", "places"].flatMap(
            (list) => (drawing[list] || []).map((o, number) => [list, number, o])),
        ["keys", undefined, drawing.keys || {}], ["hours", undefined, {hours: drawing.hours ?? 1}]
    ];
    for (const [object, number, o] of entries)
        for (const [field, value] of Object.entries(o)) {
            const limit = limitOf(object, field),
                  out = limit && value !== null && [value].flat(2).some((v) => v < limit[0] || v > limit[1]);
            const name = () => (FIELDS[field] ? t(FIELDS[field][0]) :
                    object === "keys"         ? field :
                                                t(object === "rates" ? "Rates" : "Coordinates"));
            if (out)
                return {
                    object,
                    number,
                    field,
                    get message() {
                        return t("{}: give a value from {} to {}.", name(),
                            ...limit.map((v) => brief(object === "hours" ? v / 24 : v, 6)));
                    }
                };
        }
    return null;
}

// ---- rates: stairs [[hours, m3/s], ...]; the last point is the end

const volumeOf = (points) => points.slice(1).reduce((sum, [h], i) => sum + points[i][1] * (h - points[i][0]) * 3600, 0);

// Reads lines "hours,rate", or a rates.csv (vent,from_h,to_h,rate_m3_s; _s: seconds): a list of {vent, points}; vent null: the
// text names no vent.
function readRates(text) {
    const lines = text.split("\n").map((l, i) => ({number: i + 1, cells: l.trim().split(/\s*[,;\t]\s*|\s+/)})),
          rows = lines.filter(({cells}) => cells.join("") && !cells[0].startsWith("#")),
          names = rows.length && rows[0].cells.some((c) => Number.isNaN(Number(c))) ? rows.shift().cells : null;
    if (!rows.length) throw new Error(t("No rates: lines of hours and m³/s are needed."));
    const all = rows.map(({cells}) => cells.map((c) => (c === "*" ? 0 : c ? Number(c) : NaN)));
    const bad = all.findIndex((r) => r.length !== all[0].length || r.some((v) => Number.isNaN(v)));
    if (bad >= 0) throw new Error(t("Line {} is not numbers: {}", rows[bad].number, rows[bad].cells.join(",")));
    if (all[0].length === 2) return [{vent: null, points: all.map(([h, r]) => [h, r])}];
    const at = (name, otherwise) => (names ? names.findIndex((n) => n.startsWith(name)) : otherwise), list = new Map();
    const [vent, from, to, rate] = [at("vent", 0), at("from", 1), at("to", 2), at("rate", 3)];
    if ([vent, from, to, rate].some((k) => k < 0 || k >= all[0].length))
        throw new Error(t("The columns vent, from_h, to_h, rate_m3_s are needed."));
    const hours = (r, k) => (names?.[k].endsWith("_s") ? r[k] / 3600 : r[k]);
    for (const r of all) {
        const points = list.get(r[vent]) || [];
        if (points.length && points.at(-1)[0] === hours(r, from)) points.pop();
        points.push([hours(r, from), r[rate]], [hours(r, to), 0]);
        list.set(r[vent], points);
    }
    return [...list].map(([v, points]) => ({vent: v, points}));
}
