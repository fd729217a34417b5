// colours.js: colours of layers. facts.colours has the colours of scales and lines, from record/colours.c. facts.classes has
// the classes of probability, of hazard and of change as lists of [upper end, colour, words], from record/legends.c.

const channel = (colour, k) => parseInt(colour.slice(1 + 2 * k, 3 + 2 * k), 16);
const pixel = (r, g, b) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;  // the format of ImageData

function mix(stops, t) {
    const u = Math.max(0, Math.min(1, t)) * (stops.length - 1), i = Math.min(stops.length - 2, Math.floor(u)), f = u - i;
    const at = (k) => Math.round(channel(stops[i], k) * (1 - f) + channel(stops[i + 1], k) * f);
    return pixel(at(0), at(1), at(2));
}

const niceSteps = [1, 2, 2.5, 5, 10];
function niceStep(rough, steps = niceSteps) {
    const power = 10 ** Math.floor(Math.log10(rough));
    return power * steps.find((s) => s * power >= rough * 0.999);
}

// The value that the share `share` of all values does not exceed.
function quantile(values, share, base, unit) {
    const count = new Uint32Array(NONE + 1);
    let all = 0;
    for (const q of values)
        if (q !== NONE) {
            count[q]++;
            all++;
        }
    for (let q = 0, sum = 0; q < NONE; q++) {
        sum += count[q];
        if (sum >= share * all && sum) return base + unit * q;
    }
    return base;
}

// The ends of a scale: the least and the greatest value that have their own colours. All states of a layer share the scale.
function scaleOf(layer, arrays) {
    if (layer.classes || layer.kind === "probability")
        return {classes: layer.classes || (layer.low === undefined ? facts.classes.probability : facts.classes.hazard)};
    const base = arrays.base(layer.array), unit = arrays.unit(layer.array), values = arrays.get(layer.array);
    let low = 0, high = quantile(values, layer.kind === "arrival" ? 1 : 0.99, base, unit);
    const of = layer.kind === "temperature" && facts.summary?.parameters;  // earlier states are hotter than the end
    if (of) [low, high] = [of.PTsol - 273.15, of.PTvent - 273.15];
    else if (layer.kind === "temperature") low = quantile(values, 0.01, base, unit);
    if (!(high > low)) high = low + 1;
    const days = layer.kind === "arrival" && high > 96, rough = (high - low) / (of || days ? 5 : 4);
    const step = days ? 24 * niceStep(rough / 24, [1, 2, 5, 10]) : niceStep(rough);
    if (layer.kind !== "arrival" && !of) {
        low = Math.floor(low / step) * step;
        high = Math.ceil(high / step - 1e-9) * step;
    }
    const beyond = quantile(values, 1, base, unit) > high * 1.0001;
    return {stops: facts.colours[layer.kind] || facts.colours.thickness, low, high, step, beyond};
}

// The pixel for each quantum. The pixel for no value is 0, which is transparent.
function tableOf(scale, base, unit) {
    const table = new Uint32Array(NONE + 1);
    if (scale.classes) {
        const colour = scale.classes.map(([, c]) => pixel(channel(c, 0), channel(c, 1), channel(c, 2)));
        for (let q = 0; q < NONE; q++) {
            const k = scale.classes.findIndex(([end]) => base + unit * q <= end + 1e-12);
            table[q] = colour.at(k);  // the last, if k is -1 because rounding has brought a value above all ends
        }
        return table;
    }
    const fine = Array.from({length: 512}, (_, i) => mix(scale.stops, i / 511));
    const factor = 511 / (scale.high - scale.low);
    for (let q = 0; q < NONE; q++)
        table[q] = fine[Math.max(0, Math.min(511, Math.round((base + unit * q - scale.low) * factor)))];
    return table;
}
