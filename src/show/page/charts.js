// charts.js: charts as SVG. Each chart has a description in words, and tables have its numbers, too.

const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes = {}, text) {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    return node;
}

const LINES = ["line-a", "line-b", "line-c", "line-d", "line-e"];
const SIDE = {
    left: 52,
    right: 10,
    top: 10,
    bottom: 30
};
const LETTER = 8;  // the greatest width of a letter, in pixels

function ticks(low, high, most) {
    const step = niceStep((high - low || 1) / most), list = [];
    for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + step * 1e-9; v += step)
        list.push(Math.abs(v) < step * 1e-9 ? 0 : v);
    return list;
}

// Ticks at whole hours or days, depending on the length of the axis.
function timeTicks(high, most) {
    const step = [1, 2, 3, 6, 12, 24, 48, 72, 120, 240, 480, 960].find((s) => high / s <= most) || high / 5;
    const list = [];
    for (let h = 0; h <= high * 1.0001; h += step) list.push(h);
    return {list, text: (h) => (step % 24 === 0 ? t("{} d", h / 24) : `${brief(h)} h`)};
}

// chart: title, unit, x ({label, high, hours}), series ([{name, points: [[x, y]...], steps, dots}]), high and low of y. An
// editable chart also has extra(svg, {place, up, xAt, yAt}), which draws its handles. Returns {node, cursor(x), resize()}.
function makeChart(chart, onPick) {
    const figure = document.createElement("figure"), caption = document.createElement("figcaption");
    const name = document.createElement("span"), box = document.createElement("div");
    const now = chart.series.map(() => document.createElement("span"));  // values at the cursor
    figure.className = "chart";
    name.textContent = t(chart.title) + (chart.unit ? ` (${t(chart.unit)})` : "");
    for (const value of now) value.className = "now";
    caption.append(name);
    if (chart.series.length === 1) caption.append(now[0]);
    box.className = "plot";
    figure.append(caption, box);
    if (chart.series.length > 1) figure.append(keyOf(chart.series, now));
    const all = chart.series.flatMap((s) => s.points.map((p) => p[1])).filter((v) => v !== null && !Number.isNaN(v));
    const top = chart.high ?? Math.max(...all, 1e-9), bottom = chart.low ?? Math.min(0, ...all);
    let line = null, place = null, width = 0, at = null;

    function draw(wide) {
        width = wide || Math.max(240, box.clientWidth);
        const height = chart.height || 190, right = width - SIDE.right, base = height - SIDE.bottom;
        const root = svg("svg",
            {width, height, viewBox: `0 0 ${width} ${height}`, role: chart.extra ? "group" : "img", "aria-label": chart.words});
        const low = chart.x.low || 0;
        place = (x) => SIDE.left + ((x - low) / (chart.x.high - low || 1)) * (right - SIDE.left);
        const step = niceStep((top - bottom || 1) / 4), reach = Math.ceil(top / step - 1e-6) * step,
              yTicks = ticks(bottom, reach, 4);
        const up = (y) => base - ((y - bottom) / (reach - bottom || 1)) * (base - SIDE.top);
        for (const y of yTicks) {
            root.append(svg("line", {x1: SIDE.left, x2: right, y1: up(y), y2: up(y), class: "grid"}));
            root.append(svg("text", {x: SIDE.left - 7, y: up(y) + 4, "text-anchor": "end"}, brief(y)));
        }
        const most = Math.max(2, Math.floor(width / 80));
        const x = chart.x.hours ? timeTicks(chart.x.high, most) : {list: ticks(low, chart.x.high, most), text: (v) => brief(v)};
        // A label near the right end moves left, so that it stays in the picture
        for (const v of x.list) {
            const text = x.text(v), most = width - 1 - text.length * LETTER / 2;
            root.append(svg("text", {x: Math.min(place(v), most), y: base + 18, "text-anchor": "middle"}, text));
        }
        if (chart.diagonal)
            root.append(
                svg("line", {x1: place(low), y1: up(low), x2: place(chart.x.high), y2: up(chart.x.high), class: "diagonal"}));
        chart.series.forEach((s, i) => {
            for (const [px, , from, to] of s.points)
                if (typeof from === "number" && typeof to === "number")
                    root.append(svg("line", {x1: place(px), x2: place(px), y1: up(from), y2: up(to), class: LINES[i]}));
            if (s.dots)
                for (const [px, py] of s.points)
                    if (py !== null) root.append(svg("circle", {cx: place(px), cy: up(py), r: s.dots, class: `dot ${LINES[i]}`}));
            if (!s.dots || s.joined) root.append(svg("path", {d: pathOf(s, place, up), class: LINES[i]}));
        });
        line = svg("line", {y1: SIDE.top, y2: base, class: "cursor", visibility: "hidden"});
        root.append(line);
        chart.extra?.(root, {
            place,
            up,
            xAt: (px) => low + ((px - SIDE.left) / (right - SIDE.left)) * (chart.x.high - low),
            yAt: (py) => bottom + ((base - py) / (base - SIDE.top)) * (reach - bottom)
        });
        box.replaceChildren(root);
        if (at !== null) cursor(at);
    }
    function pathOf(s, px, py) {
        let text = "", last = null, whole = false;
        for (const [x, y] of s.points) {
            const known = y !== null && !Number.isNaN(y), at = known ? py(y).toFixed(1) : "";
            // A step begins at the x of the previous point, even if that point has no value
            if (known && s.steps && last !== null) text += whole ? `V${at}` : `M${px(last).toFixed(1)} ${at}`;
            if (known) text += `${text ? "L" : "M"}${px(x).toFixed(1)} ${at}`;
            if (known || s.steps) last = x;
            whole = known;
        }
        return text || "M0 0";
    }
    function valueAt(s, x) {
        let before = null, after = null;
        for (const p of s.points) {
            if (p[1] === null || Number.isNaN(p[1])) continue;
            if (p[0] <= x) before = p;
            else {
                after = p;
                break;
            }
        }
        if (s.steps) return (after || before || [0, NaN])[1];
        if (!before || !after) return (before || after || [0, NaN])[1];
        return before[1] + ((after[1] - before[1]) * (x - before[0])) / (after[0] - before[0]);
    }
    function cursor(x) {
        at = x;
        if (!line) return;
        const px = place(x).toFixed(1);
        line.setAttribute("x1", px);
        line.setAttribute("x2", px);
        line.setAttribute("visibility", "visible");
        chart.series.forEach((s, i) => (now[i].textContent = brief(Math.abs(valueAt(s, x)) < top / 1e4 ? 0 : valueAt(s, x), 3)));
    }
    if (onPick)
        box.addEventListener("click", (e) => {
            const x = e.clientX - box.getBoundingClientRect().left, low = chart.x.low || 0;
            onPick(low + Math.max(0, Math.min(1, (x - SIDE.left) / (width - SIDE.left - SIDE.right))) * (chart.x.high - low));
        });
    return {node: figure, cursor, resize: draw};
}

function keyOf(series, values) {
    const list = document.createElement("ul");
    list.className = "key";
    series.forEach((s, i) => {
        const item = document.createElement("li"), mark = document.createElement("span");
        mark.className = `mark ${LINES[i]}${s.dots && !s.joined ? " spot" : ""}`;
        item.append(mark, t(s.name), values[i]);
        list.append(item);
    });
    return list;
}

// ---- the charts

function columns(table) {
    return (name) => {
        const i = table.columns.indexOf(name);
        return i < 0 ? null : table.rows.map((r) => (typeof r[i] === "number" ? r[i] : null));
    };
}

function timelineCharts(table) {
    const of = columns(table), hours = of("time_h");
    if (!hours || hours.length < 2) return [];
    const x = {high: Math.max(...hours), hours: true};
    const points = (name, factor) => (of(name) || []).map((y, i) => [hours[i], y === null ? null : y * factor]);
    const some = (p) => p.filter(([, y]) => y !== null).length > 1;
    const end = (p) => p.reduce((last, [, y]) => (y === null ? last : y), NaN);
    const area = points("area_m2", 1e-6), runout = points("runout_m", 1e-3), rate = points("effusion_m3_s", 1);
    const emitted = points("emitted_m3", 1e-6), mobile = points("mobile_m3", 1e-6), solid = points("solidified_m3", 1e-6);
    const list = [
        {
            title: "Area that lava reached",
            unit: "km²",
            x,
            series: [{name: "area", points: area}],
            words: t("Area over time, up to {} square kilometres at the end.", brief(end(area)))
        },
        {
            title: "Distance that lava reached",
            unit: "km",
            x,
            series: [{name: "distance", points: runout}],
            words: t("Distance over time, up to {} kilometres at the end.", brief(end(runout)))
        },
    ];
    if (some(emitted)) {
        const series = [{name: "emitted", points: emitted}];
        if (some(solid)) series.push({name: "solidified", points: solid}, {name: "mobile", points: mobile});
        for (const [column, name] of [["left_m3", "left the terrain"], ["entered_sea_m3", "entered the sea"]]) {
            const lost = points(column, 1e-6);
            if (lost.some(([, y]) => y > 0)) series.push({name, points: lost});
        }
        list.push({
            title: "Volume",
            unit: "million m³",
            x,
            series,
            words: t("Volumes over time; {} million cubic metres were emitted by the end.", brief(end(emitted)))
        });
    }
    if (some(rate))
        list.push({
            title: "Effusion rate",
            unit: "m³/s",
            x,
            series: [{name: "rate", points: rate, steps: true}],
            words:
                t("Effusion rate over time, at most {} cubic metres a second.", brief(Math.max(...rate.map(([, y]) => y || 0))))
        });
    return list.filter((c) => some(c.series[0].points));
}

// Histograms of the members: the weight, in per cent, in each of about twenty intervals.
function memberCharts(table) {
    const of = columns(table), weight = of("weight"), list = [];
    const add = (name, title, unit, factor) => {
        const all =
            (of(name) || []).map((v, i) => [v === null ? NaN : v * factor, weight?.[i] ?? 1]).filter(([v]) => !Number.isNaN(v));
        const least = Math.min(...all.map(([v]) => v)), most = Math.max(...all.map(([v]) => v));
        if (!(most > least)) return;
        const step = niceStep((most - least) / 20), first = Math.floor(least / step),
              sums = new Array(Math.floor(most / step) - first + 1).fill(0);
        for (const [v, w] of all) sums[Math.floor(v / step) - first] += w;
        const total = sums.reduce((a, b) => a + b, 0), low = first * step, high = low + sums.length * step;
        const points = [[low, 0], ...sums.map((s, i) => [low + (i + 1) * step, (100 * s) / total]), [high, 0]];
        list.push({
            title: t("{}, share of the members", `${t(title)} (${unit})`),
            unit: "%",
            x: {low, high},
            series: [{name: title, points, steps: true}],
            words: t("{} of the members: from {} to {}.", t(title), brief(least), `${brief(most)} ${unit}`)
        });
    };
    add("area_m2", "Area reached", "km²", 1e-6);
    add("runout_m", "Run-out", "km", 1e-3);
    return list;
}

// A chart of two shares. On its diagonal both shares are equal.
const UNIT_SQUARE = {
    unit: "",
    x: {high: 1},
    high: 1,
    low: 0,
    diagonal: true
};

function reliabilityChart(table) {
    const of = columns(table), mean = of("mean_probability"), seen = of("observed_share"), cells = of("cells");
    if (!mean || !seen || !cells) return [];
    const low = of("low"), high = of("high");
    const points =
        mean.map((p, i) => [p, cells[i] ? seen[i] : null, low?.[i], high?.[i]]).filter(([p, y]) => p !== null && y !== null);
    return [{
        ...UNIT_SQUARE,
        title: "Reliability: observed share against probability, 95 % intervals",
        series: [{name: "observed", points, dots: 4, joined: true}],
        words: t(
            "Reliability diagram: of cells with some probability, the share that the observed flow covers. On the diagonal both agree.")
    }];
}

function rocChart(table) {
    const of = columns(table), hits = of("hit_rate"), alarms = of("false_alarm_rate");
    if (!hits || !alarms) return [];
    const points = [[0, 0], ...alarms.map((x, i) => [x, hits[i]]).filter(([x, y]) => x !== null && y !== null).reverse(), [1, 1]];
    return [{
        ...UNIT_SQUARE,
        title: "ROC: hit rate against false alarm rate",
        series: [{name: "hit rate", points}],
        words: t(
            "ROC curve: share of the observed flow against share of the dry cells, in the regions above each probability. On the diagonal a forecast has no information.")
    }];
}

function overlapChart(table) {
    const of = columns(table), x = of("probability_at_least"), y = of("jaccard");
    if (!x || !y) return [];
    const best = Math.max(...y.map((v) => v ?? 0));
    return [{
        title: "Overlap J with the observed flow, by least probability",
        unit: "",
        x: {high: Math.max(...x)},
        high: 1,
        low: 0,
        series: [{name: "J", points: x.map((p, i) => [p, y[i]])}],
        words: t("Overlap of the observed flow with the cells of at least some probability, at best {}.", brief(best, 3))
    }];
}

function searchCharts(table) {
    const of = columns(table), number = of("evaluation"), score = of("score");
    if (!number || !score) return [];
    let best = -Infinity;
    const rose = number.map((n, i) => [n, (best = Math.max(best, score[i] ?? -Infinity))]).filter(([, y]) => y > -Infinity);
    const shown = score.filter((v) => v !== null);
    const list = [{
        title: "How the score rose",
        unit: "",
        x: {high: Math.max(...number)},
        low: Math.min(...shown),
        series: [
            {name: "best so far", points: rose}, {name: "each evaluation", points: number.map((n, i) => [n, score[i]]), dots: 1.6}
        ],
        words: t("Score of {} {evaluation|evaluations}; the best is {}.", number.length, brief(best))
    }];
    const first = table.columns.indexOf("score_error") + 1;
    for (let k = first;
         k < table.columns.length && !table.columns[k].startsWith("score_") && !table.columns[k].startsWith("weight"); k++) {
        const values = columns(table)(table.columns[k]), low = Math.min(...values), high = Math.max(...values);
        if (!(high > low)) continue;
        list.push({
            title: t("Score against {}", quantityWords(table.columns[k])),
            unit: "",
            x: {low, high},
            low: Math.min(...shown),
            series: [{name: "score", points: values.map((v, i) => [v, score[i]]), dots: 1.6}],
            words: t("Scores against {}, from {} to {}.", quantityWords(table.columns[k]), brief(low), brief(high))
        });
    }
    return list;
}
