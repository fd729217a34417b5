// data.js: reads the facts that page.c wrote into the page. record/pack.h describes how numbers are packed.

const NONE = 65535;

function bytesOf(base64) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    const text = atob(base64), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
}

async function inflate(bytes, format = "deflate") {
    const stream = new Blob([bytes]).stream().pipeThrough(new window.DecompressionStream(format));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

const unfold = (folded) => (folded & 1 ? ~(folded >> 1) : folded >> 1);

function unpackList(low, high, before) {
    const value = new Uint16Array(low.length);
    let last = 0, lastBefore = 0;
    for (let i = 0; i < value.length; i++) {
        let q = last + unfold(low[i] | (high[i] << 8));
        if (before) {
            q += before[i] - lastBefore;
            lastBefore = before[i];
        }
        last = value[i] = q & NONE;
    }
    return value;
}

function unpackGrid(low, high, cols) {
    const value = new Uint16Array(low.length);
    for (let i = 0, col = 0; i < value.length; i++) {
        const west = col ? value[i - 1] : 0, north = i >= cols ? value[i - cols] : 0;
        const corner = col && i >= cols ? value[i - cols - 1] : 0;
        const least = Math.min(west, north), most = Math.max(west, north);
        const near = corner >= most ? least : corner <= least ? most : west + north - corner;
        value[i] = (near + unfold(low[i] | (high[i] << 8))) & NONE;
        if (++col === cols) col = 0;
    }
    return value;
}

// Arrays by number. An array is unpacked at its first use.
function makeArrays(entries, bytes) {
    const made = [];
    function get(number) {
        const a = entries[number];
        if (made[number]) return made[number];
        if (a.form === "bits") return (made[number] = bytes.subarray(a.at, a.at + Math.ceil(a.count / 8)));
        const low = bytes.subarray(a.at, a.at + a.count), high = bytes.subarray(a.at + a.count, a.at + 2 * a.count);
        made[number] = a.form === "grid" ? unpackGrid(low, high, a.cols) :
                                           unpackList(low, high, a.before === undefined ? null : get(a.before));
        return made[number];
    }
    return {
        get,
        value: (number, i) => {
            const q = get(number)[i];
            return q === NONE ? NaN : entries[number].base + entries[number].unit * q;
        },
        base: (number) => entries[number].base,
        unit: (number) => entries[number].unit,
    };
}

// The reached cells, in the order of the arrays of values: x and y are column and row in the box, rowStart has the index at which
// each row begins.
function makeCells(c, arrays) {
    const x = new Uint16Array(c.count), y = new Uint16Array(c.count), rowStart = new Uint32Array(c.rows + 1);
    const bits = arrays.get(c.mask);
    let n = 0;
    for (let row = 0; row < c.rows; row++) {
        rowStart[row] = n;
        for (let col = 0, i = row * c.cols; col < c.cols; col++, i++)
            if (bits[i >> 3] & (128 >> (i & 7))) {
                x[n] = col;
                y[n++] = row;
            }
    }
    rowStart[c.rows] = n;
    // The index i of the cell (row, col) of the whole grid; -1: no lava came there.
    function find(row, col) {
        const r = Math.floor(row / c.every) - c.row0, k = Math.floor(col / c.every) - c.col0;
        if (r < 0 || r >= c.rows || k < 0 || k >= c.cols) return -1;
        let low = rowStart[r], high = rowStart[r + 1];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (x[middle] < k) low = middle + 1;
            else high = middle;
        }
        return low < rowStart[r + 1] && x[low] === k ? low : -1;
    }
    // Row and column of cell i in the whole grid. On a coarser grid it is the middle of the cell's block
    const half = Math.floor(c.every / 2);
    const place = (i) => ({row: (c.row0 + y[i]) * c.every + half, col: (c.col0 + x[i]) * c.every + half});
    return {...c, x, y, find, place};
}

// ---- places

// Longitude and latitude of a position, given in cells from the north-west corner; null: not known.
function makeDegrees(facts) {
    const d = facts.degrees, grid = facts.grid;
    if (!d) return () => null;
    const n = d.nodes;
    return (col, row) => {
        const u = (col / grid.cols) * (n - 1), v = (row / grid.rows) * (n - 1);
        const i = Math.max(0, Math.min(n - 2, Math.floor(u))), j = Math.max(0, Math.min(n - 2, Math.floor(v)));
        const a = u - i, b = v - j, k = j * n + i;
        const mix = (t) => (t[k] * (1 - a) + t[k + 1] * a) * (1 - b) + (t[k + n] * (1 - a) + t[k + n + 1] * a) * b;
        const lon = mix(d.lon);
        return {lon: lon - 360 * Math.round(lon / 360), lat: mix(d.lat)};  // facts may have longitudes above 180
    };
}

// ---- words

// Formats are kept, because toLocaleString() would make a format each time
const formats = new Map();
function inLanguage(x, options) {
    const key = JSON.stringify(options);
    if (!formats.has(key)) formats.set(key, new Intl.NumberFormat("en", options));
    return marked(formats.get(key).format(x));
}
const digits = (x, n) => inLanguage(x, {maximumFractionDigits: n, minimumFractionDigits: n});
function brief(x, significant = 4) {
    if (x === null || x === undefined || Number.isNaN(x)) return "–";
    if (x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e9)) {
        const [digit, power] = (+x.toPrecision(significant)).toExponential().split("e");
        return `${marked(digit)} × 10${[...power.replace("+", "")].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])).join("")}`;
    }
    // Three digits, but whole numbers from 100 on, the same as roundnum_brief() of record/roundnum.h
    if (significant === 3 && Math.abs(x) >= 100) return digits(x, 0);
    return inLanguage(x, {maximumSignificantDigits: significant});
}
function percent(p) {
    if (Number.isNaN(p)) return "–";
    return (p > 0 && p < 0.01 ? digits(100 * p, 2) : p > 0.999 && p < 1 ? `> ${digits(99.9, 1)}` : digits(100 * p, 1)) + " %";
}

// probabilityWords() and its parts: a probability among an effective number of members, with its range, in the words of
// probability_text() of record/probability.c
const wholeOf = (x, n) => Math.floor(x * 10 ** n + 0.5);
const fixed = (x, n, least = n) => inLanguage(x, {maximumFractionDigits: n, minimumFractionDigits: least, useGrouping: false});
function decimalsOf(x, beyond = 100) {
    let n = 0;
    while (n < 6 && wholeOf(x, n + 1) < beyond) n++;  // 9.94 is 9.9, and 9.95 is 10
    return n;
}
// Rounds down or up, so that the shown range or bound includes the computed range or bound
const outwardOf = (x, n, up) => (up ? Math.ceil(x * 10 ** n - 1e-6) : Math.floor(x * 10 ** n + 1e-6)) / 10 ** n;
function twoDigits(x, from) {
    const n = decimalsOf(x), rounded = wholeOf(x, n) / 10 ** n;
    return fixed(from ? from - rounded : rounded, n, 0);
}
const PROBABILITY_NONE = 1e-5;
const ASSUMED = "assumed by the condition";
const reachedWords = (hours) => t("reached, seen at {} h", brief(hours, 9));
const boundOf = (k, members) => 100 * (1 - Math.exp((-2.995732273553991 * (1 + 0.5835 * k)) / members));
function boundWords(k, members, from = 0) {
    const bound = boundOf(k, members), n = decimalsOf(bound), up = outwardOf(bound, n, true);
    return fixed(from ? from - up : up, n, 0);
}
function endWords(x, up) {
    const n = decimalsOf(x, 1000);
    return fixed(outwardOf(x, n, up), n, 0);
}
function probabilityWords(p, members) {
    const rest = Math.min(p, 1 - p), k = rest * members, from = p > 0.5 ? 100 : 0;
    if (Number.isNaN(p) || !(members > 0)) return "–";
    const bound = boundWords(rest < PROBABILITY_NONE ? 0 : k, members, from), all = fixed(members, 0);
    if (rest < PROBABILITY_NONE) return from ? t("all of {} (above {} %)", all, bound) : t("none of {} (below {} %)", all, bound);
    const least = boundOf(0, members) / 100, few = k < 1 - 1e-9;
    if (least > 0.33 && rest < least) {
        if (few) return from ? t("above {} %", bound) : t("below {} %", bound);
        return t("{} of {}", fixed(wholeOf(p * members, 0), 0), fixed(wholeOf(members, 0), 0));
    }
    if (few) {
        const said = twoDigits(100 * rest, from);
        return from ? t("{} % (above {} %)", said, bound) : t("{} % (below {} %)", said, bound);
    }
    const error = 100 * Math.sqrt((p * (1 - p)) / members), n = decimalsOf(error);
    return `${fixed(wholeOf(100 * p, n) / 10 ** n, n)} % ± ${fixed(wholeOf(error, n) / 10 ** n, n)}`;
}
// A probability with its 5 and 95 % quantiles, in the words of probability_range_pack() of record/probability.c
function rangeWords(p, low, high) {
    const none = PROBABILITY_NONE, all = 0.999, middle = brief(100 * p, 3);
    const from = endWords(100 * Math.min(low, all)), to = endWords(100 * Math.max(high, none), true);
    if (low < none && high > all) return t("not known");
    if (p < none) return t("below {} %", to);
    if (p > all) return t("above {} %", from);
    if (low < none) return t("{} % (below {} %)", middle, to);
    return high > all ? t("{} % (above {} %)", middle, from) : t("{} % ({} to {})", middle, from, to);
}
// The probability at a place in words. A place without terrain has no probability
const BARE = "in the sea or outside the terrain's data";
const placeWords = (p, members) => (typeof p === "number" ? probabilityWords(p, members) : t(BARE));
// The difference of two probabilities with its standard error, in percentage points
function differenceWords(difference, error, members) {
    if (Number.isNaN(difference) || !(members > 0)) return "–";
    const n = decimalsOf(100 * error), sign = difference >= 0 ? "+" : "", points = 100 * difference;
    if (error > 0) return t("{} ± {} points", sign + fixed(points, n), fixed(100 * error, n));
    if (difference === 0) return t("no difference in {} (below {} points)", fixed(members, 0), boundWords(0, members));
    return t("{} points in all of {}", sign + fixed(points, 0), fixed(members, 0));
}
// arrivalRange(): the 5 and 95 % quantiles of arrivals among the members in which lava reaches a place, in the words of
// arrival_range_text() of record/probability.c. dates: a function of hours since the start, or null.
const datesFrom = (start) => (hours) =>
    (Number.isNaN(start) ? null :
                           new Date(start + 60e3 * Math.round(60 * hours)).toISOString().slice(0, 16).replace("T", " ") + " UTC");
function arrivalRange(low, high, dates) {
    if (typeof low !== "number" || typeof high !== "number" || Number.isNaN(low + high)) return "–";
    function hours(x, up) {
        const n = x < 10 ? 2 : x < 100 ? 1 : 0;
        return fixed(outwardOf(x, n, up), n, 0);
    }
    const words = t("{} to {} h", hours(low), hours(high, true)), from = dates(low);
    return from ? `${words}, ${t("{} to {}", from.replace(" UTC", ""), dates(high))}` : words;
}
const metres = (m) => (m >= 1000 ? `${brief(m / 1000)} km` : `${brief(m)} m`);
function duration(hours) {
    if (hours > 0 && hours < 1) return digits(60 * hours, 0) + " min";
    if (hours < 48) return digits(hours, hours % 1 ? 1 : 0) + " h";
    const whole = Math.round(hours), rest = whole % 24, days = t("{} d", (whole - rest) / 24);
    return rest ? `${days} ${rest} h` : days;
}
