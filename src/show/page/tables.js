// tables.js: words and tables. Texts of other files become text nodes in their own element (bdi). So they cannot become
// markup, and cannot reverse the direction of the text next to them.

function element(name, attributes = {}, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
}
function makeButton(words, act, attributes = {}) {
    const node = element("button", {type: "button", ...attributes}, words);
    node.addEventListener("click", act);
    return node;
}
const foreign = (text) => element("bdi", {}, String(text));
function addFigure(name, value, unit) {
    byId("figures").append(
        element("div", {}, element("dt", {}, name), element("dd", {}, element("b", {}, value), unit ? ` ${unit}` : "")));
}

// rows: [[head, value...]...]; values are texts, numbers or nodes.
function makeTable(caption, heads, rows, options = {}) {
    const stacked = heads && heads.length > 3 && options.class !== "wide";  // on a phone
    const table = element("table", {class: [options.class, stacked && "stacked"].filter(Boolean).join(" ")}),
          body = element("tbody"), words = (x) => (typeof x === "string" ? t(x) : x);
    table.append(element("caption", {}, words(caption)));
    const numbers = (k) => rows.length > 0 && typeof rows[0][k] === "number";
    if (heads)
        table.append(element("thead", {},
            element("tr", {},
                ...heads.map(
                    (h, k) => (h === "" ? element("td") :
                                          element("th", {scope: "col", class: numbers(k) ? "number" : ""}, words(h)))))));
    for (const [head, ...values] of rows) {
        const row = element("tr", {}, element("th", {scope: "row"}, words(head)));
        for (const [k, v] of values.entries())
            row.append(
                element("td", {class: typeof v === "number" ? "number" : "", "data-head": (stacked && words(heads[k + 1])) || ""},
                    typeof v === "number" ? brief(v, 6) : words(v ?? "–")));
        body.append(row);
    }
    table.append(body);
    return element("div", {class: "scrolls", tabindex: "0", role: "region", "aria-label": words(caption)}, table);
}

function hidden(title, node) { return element("details", {}, element("summary", {}, title), node); }

function wholeTable(caption, table) {
    const cell = (v) => (v === null ? "–" : typeof v === "number" ? v : foreign(v));
    return makeTable(caption, table.columns.map((c) => foreign(c.replaceAll("_", " "))),
        table.rows.map(([head, ...rest]) => [cell(head === null               ? null :
                                                     typeof head === "number" ? brief(head, 9) :
                                                                                head),
                           ...rest.map(cell)]),
        {class: "wide"});
}

// ---- key figures

const million = (m3) => (m3 >= 1e5 ? [brief(m3 / 1e6, 3), t("million m³")] : [brief(m3, 3), "m³"]);

function keyFigures(facts) {
    const s = facts.summary, list = [];
    const add = (name, value, unit) => list.push({name: t(name), value, unit: t(unit)});
    const lava = s.lava || {}, ledger = s.ledger || s.totals;
    if (facts.kind === "run") {
        if (lava.covered_km2 !== undefined) add("covered by lava", brief(lava.covered_km2, 3), "km²");
        if (ledger?.emitted) add("emitted", ...million(ledger.emitted.m3));
        if (typeof lava.runout_m === "number") add("run-out", brief(lava.runout_m / 1000, 3), "km");
        if (facts.fit) add("overlap J with the outline", brief(facts.fit.jaccard, 3), "");
        if (lava.max_thickness_m !== undefined) add("greatest thickness", brief(lava.max_thickness_m, 3), "m");
        const hours = (s.run?.time_s || 0) / 3600;
        if (hours) add("simulated", brief(hours < 48 ? hours : hours / 24, 3), hours < 48 ? "hours" : "days");
    } else {
        const members = s.members || {};
        if (members.done !== undefined && !s.search) add("eruptions computed", brief(members.done, 7), "");
        if (lava.area_km2 !== undefined) add("reached by any of them", brief(lava.area_km2, 3), "km²");
        if (lava.expected_area_km2 !== undefined) add("expected area", brief(lava.expected_area_km2, 3), "km²");
        if (lava.largest_error > 0) add("largest standard error", percent(lava.largest_error).replace(" %", ""), "%");
        if (s.search?.evaluations !== undefined) add("evaluations", brief(s.search.evaluations, 7), "");
        for (const [key, words] of [["as_it_stands", "score as it stands"], ["best", "score of the best"]]) {
            const score = scoreOf(s, key, "in_sample") || scoreOf(s, key, "held_out");
            if (score) add(words, brief(score.mean, 3), "");
        }
        for (const [of, words] of [["verification", "Brier skill"], ["null", "Brier skill of the null model"]])
            if (typeof s[of]?.brier_skill === "number") add(words, brief(s[of].brier_skill, 3), "");
        if (typeof s.posterior?.members === "number") add("sets of parameters", brief(s.posterior.members, 7), "");
    }
    return list;
}

// ---- tables

// Words and unit of a column of members, from facts.quantities, {name: [words, unit, factor, more]} (text/quantities.h)
const quantityWords = (column) => t(facts.quantities[column]?.[0] ?? column);
function quantityHead(column) {
    const [words, unit] = facts.quantities[column] ?? [];
    return words ? t(unit ? "{} ({})" : "{}", t(words), t(unit)) : foreign(column.replaceAll("_", " "));
}
const inUnit = (column, value) => value * (facts.quantities[column]?.[2] ?? 1) + (facts.quantities[column]?.[3] ?? 0);

// The parameters as they were used. The table marks parameters that were scaled from other cells.
function parameterTable(s) {
    if (!s.parameters) return [];
    const scaled = s.resolution || {}, cell = scaled.calibrated_cell_m;
    const used = {...s.parameters, Pcool: scaled.Pcool_scaled ?? s.parameters.Pcool};
    const before = {Pcool: s.parameters.Pcool, Pclock: scaled.Pclock_unscaled};
    const rows = Object.entries(used).map(([key, value]) => {
        const [words, unit] = facts.quantities[key] ?? ["", ""], same = before[key] === undefined || before[key] === value;
        const meaning = same ? words : t("{}; {} for cells of {} m", t(words), brief(before[key], 6), brief(cell, 6));
        return [foreign(key), meaning, typeof value === "number" ? inUnit(key, value) : foreign(value), unit];
    });
    return [makeTable("Parameters of the model", ["name", "meaning", "value", "unit"], rows, {class: "parameters"})];
}

const SHARES = {
    initial: "at the beginning",
    emitted: "emitted",
    mobile: "mobile",
    solidified: "solidified",
    left_domain: "left the terrain",
    entered_sea: "entered the sea",
    cooled: "lost by cooling"
};

function ledgerTable(ledger, caption, unit, key) {
    if (!ledger) return [];
    const rows = Object.entries(SHARES).filter(([name]) => ledger[name]).map(([name, words]) => [words, ledger[name][key]]);
    if (ledger.closed !== undefined) rows.push(["closes exactly", ledger.closed ? "yes" : "NO"]);
    return [makeTable(caption, ["", unit], rows, {class: "ledger"})];
}

function provenanceTable(facts) {
    const s = facts.summary, about = s.case || s.plan || {}, rows = [];
    const add = (name, value) => value !== undefined && value !== null && value !== "" && rows.push([name, foreign(value)]);
    add(s.plan ? "plan" : "case", about.name);
    add("file", about.path);
    add("terrain", about.terrain);
    const grid = s.grid ?? facts.grid;
    add("grid", grid ? t("{} × {} cells of {} m", grid.rows, grid.cols, brief(grid.cell_m, 6)) : undefined);
    add("coordinates",
        facts.grid ? [facts.grid.crs_name, facts.grid.crs].filter(Boolean).join(", ") || t("not named") : undefined);
    const off = facts.degrees?.error_m;
    add("latitude, longitude",
        off === undefined ? undefined :
                            t("of the same datum, interpolated to {}",
                                off < 0.01 ? t("less than a centimetre") : `${digits(Math.ceil(100 * off) / 100, 2)} m`));
    if (facts.terrain?.every > 1)
        add("relief on this page", t("means of {} × {} cells", facts.terrain.every, facts.terrain.every));
    if (facts.cells?.every > 1) add("lava on this page", t("one of {} × {} cells", facts.cells.every, facts.cells.every));
    add("computed by", s.run ? t("variant {} on {}", s.run.variant, s.run.device) : undefined);
    add("last step", s.run?.step);
    add("parameters from", s.parameter_set);
    add("digest of the result", s.digest);
    add("digest of the plan", s.plan?.digest);
    add("program", `sciara ${s.version || ""}`);
    if (facts.made_by && facts.made_by !== s.version) add("this page by", `sciara ${facts.made_by}`);
    return [makeTable("Provenance", null, rows)];
}

function fittedTable(s) {
    if (!Array.isArray(s.fitted)) return [];
    const rows = s.fitted.map(({name, as_it_stands: was, best, low, high, scale}) => {
        const of = (value) => (typeof value === "number" ? inUnit(name, value) : null);
        return [quantityHead(name), of(was), of(best), t("{} to {}", brief(of(low), 3), brief(of(high), 3)), scale || ""];
    });
    return [makeTable("Fitted parameters", ["", "as it stands", "best", "between", "scale"], rows)];
}

function scoreOf(s, key, part) {
    const x = s[key]?.unseen_noise?.[part] ?? s[key]?.[part];
    return typeof x?.mean === "number" ? x : null;
}
function scoreTable(s) {
    const rows = [];
    for (const [key, words] of [["as_it_stands", "as it stands"], ["best", "best"]])
        for (const [part, which] of [["in_sample", "in sample"], ["held_out", "held out"]]) {
            const x = scoreOf(s, key, part);
            if (x) rows.push([`${t(words)}, ${t(which)}`, x.mean, typeof x.error === "number" ? x.error : "–"]);
        }
    return rows.length ? [makeTable(t("Score ({}) with noise that the search has not seen", s.score || ""),
                             ["", "mean", "standard error"], rows)] :
                         [];
}

function posteriorTable(s) {
    const list = s.posterior?.parameters;
    if (!Array.isArray(list)) return [];
    return [makeTable("Posterior of the parameters", ["", "mean", "2.5 %", "50 %", "97.5 %"],
        list.map((x) => [quantityHead(x.name), ...[x.mean, x.p025, x.p50, x.p975].map((v) => inUnit(x.name, v))]))];
}

// The scores of a forecast, and the scores of the forecasts that it has to surpass.
function verificationTable(s) {
    const of = {
        "the forecast": s.verification,
        "with discrepancy": s.discrepancy,
        "the null model": s.null,
        "the null model of another eruption": s.null?.carried,
        persistence: s.persistence
    };
    const cell = (x, key) => (
        typeof x[key] === "number" ? brief(x[key], 3) + (x[`${key}_error`] > 0 ? ` ± ${brief(x[`${key}_error`], 2)}` : "") : "–");
    const rows = Object.entries(of).filter(([, x]) => typeof x?.log_score === "number").map(([name,
        x]) => [name, ...["brier_skill", "log_score", "roc_area"].map((key) => cell(x, key))]);
    return rows.length ? [makeTable("Against the observed outline", ["", "Brier skill", "log score", "ROC area"], rows)] : [];
}

// How well a run agrees with the observed outline.
function fitTable({fit, grid}) {
    if (!fit) return [];
    const row = (words, cells) => [words, cells, `${brief((cells * grid.cell_m ** 2) / 1e6, 3)} km²`];
    const rows = [
        row("hits: simulated and observed", fit.hits), row("misses: observed only", fit.misses),
        row("false alarms: simulated only", fit.false_alarms),
        ["overlap J: hits of all these", Math.round(1000 * fit.jaccard) / 1000, ""]
    ];
    return [makeTable("Agreement with the observed outline", ["", "cells", "area"], rows)];
}

// What the plan varied: weighted quantiles of the columns between weight and results.
function variedTable(table, known) {
    if (!table) return [];
    const end = ["x", "y", "terrain_seed", "steps"].map((n) => table.columns.indexOf(n)).filter((i) => i >= 0), rows = [];
    const weight = table.columns.indexOf("weight");
    for (let k = weight + 1; k < Math.min(...end); k++) {
        const column = table.columns[k], members = table.rows.filter((r) => typeof r[k] === "number" && r[weight] > 0);
        const sorted = members.sort((a, b) => a[k] - b[k]).map((r) => r[k]), sums = [];
        for (const r of members) sums.push((sums.at(-1) ?? 0) + r[weight]);
        const at = (share) => sorted[sums.findIndex((sum) => sum >= share * sums.at(-1))];
        if (!sorted.length || sorted[0] === sorted.at(-1)) continue;
        if (column === "vent") rows.push(["vent", t("one of {}", new Set(sorted).size), "", ""]);
        else rows.push([quantityHead(column), ...[0.05, 0.5, 0.95].map((share) => brief(inUnit(column, at(share))))]);
    }
    if (new Set(table.rows.map((r) => r[table.columns.indexOf("terrain_seed")])).size > 1)
        rows.push(["terrain error", "each member has its own", "", ""]);
    if (known) rows.push(["known exactly", known.split(", ").map((of) => t(of)).join(", "), "", ""]);
    return rows.length ? [makeTable("What was varied", ["", "5 %", "median", "95 %"], rows)] : [];
}

function assetTable(table) {
    const col = (name) => table.columns.indexOf(name), at = (r, name) => (col(name) < 0 ? null : r[col(name)]);
    const number = (v, unit, n = 1) => (typeof v === "number" ? `${digits(v, n)} ${unit}` : "–");
    if (col("cells_with_lava") >= 0) {
        const rows = table.rows.map(
            (r) => [foreign(at(r, "name")), at(r, "cells") ? t("{} of {}", at(r, "cells_with_lava"), at(r, "cells")) : t(BARE),
                (typeof at(r, "arrival_h") === "number" && dateAt(at(r, "arrival_h"))) || number(at(r, "arrival_h"), "h"),
                number(at(r, "max_thickness_m"), "m"), number(at(r, "end_thickness_m"), "m")]);
        return makeTable(
            "Places of interest", ["", "cells that lava reached", "arrival", "greatest thickness", "thickness at the end"], rows);
    }
    const rows = table.rows.map((r) => {
        const p = at(r, "probability"), seen = at(r, "reached_h"), name = foreign(at(r, "name"));
        if (typeof seen === "number") return [name, reachedWords(seen), "–", number(at(r, "thickness_p95_m"), "m")];
        if (at(r, "assumed") && !(p > 0)) return [name, t(ASSUMED), "–", "–"];
        if (typeof p !== "number" || p < PROBABILITY_NONE) return [name, placeWords(p, membersOf()), "–", "–"];
        return [
            name, at(r, "assumed") ? t(ASSUMED) : probabilityWords(p, membersOf()),
            arrivalRange(...arrivalEnds(at(r, "arrival_p05_h"), at(r, "arrival_p95_h")), dateAt),
            number(at(r, "thickness_p95_m"), "m")
        ];
    });
    return makeTable("Places of interest",
        ["", "probability of lava", "arrival, 5 to 95 % of three members or more", "thickness, 95 %"], rows);
}

// Places in a nowcast, with a row for each horizon; the end is the last row.
function forecastTable(table, s) {
    if (!table || !s.nowcast) return [];
    const col = (name) => table.columns.indexOf(name);
    const isReached = (r, set) => r[col("reached_h")] !== null && r[col("reached_h")] <= (s.nowcast[set].until_h ?? -1);
    const said = (r, set) =>
        isReached(r, set) ? reachedWords(r[col("reached_h")]) : placeWords(r[col(set)], s.nowcast[set].effective);
    const heads = [], rows = [];
    let row = [];
    for (const r of table.rows) {
        if (!row.length) row.push(foreign(r[col("place")]));
        if (!rows.length) heads.push(r[col("within_h")] === null ? t("in the end") : t("within {} h", r[col("within_h")]));
        row.push(isReached(r, "now") ? t("reached") : said(r, "now"));
        if (r[col("within_h")] !== null) continue;
        rows.push([...row, said(r, "yesterday"), said(r, "before")]);
        row = [];
    }
    return [makeTable("Forecast at places of interest", ["", ...heads, t("yesterday"), t("before")], rows, {class: "across"})];
}

// Places in a hazard study: the probability within each number of years, and the input that widens their ranges most.
function hazardTable(table) {
    if (!table) return [];
    const col = (name) => table.columns.indexOf(name),
          years = table.columns.flatMap((c) => c.match(/^probability_([\d.]+)y$/)?.[1] ?? []);
    const rows = table.rows.map(
        (r) => [foreign(r[col("place")]),
            ...years.map((y) => rangeWords(...["", "_p05", "_p95"].map((end) => r[col(`probability_${y}y${end}`)]))),
            r[col("driver")] || "–"]);
    return [makeTable("Probability of lava at places of interest, 5 to 95 %",
        ["", ...years.map((y) => t("within {} {year|years}", y)), "its range is due to"], rows)];
}

// Named members, each once: [{member, about: [node...], command}...], from the tables of a question.
function namedMembers({rows}, plan) {
    const words = {
        representative: ["the most representative, expected overlap J", 1, ""],
        area_m2: ["area", 1e6, "km²"],
        runout_m: ["run-out", 1e3, "km"],
        arrival_h: ["arrival at", 1, "h"]
    };
    const found = new Map(), path = /^[\w./+-]+$/.test(plan) ? plan : `'${plan.replaceAll("'", "'\\''")}'`;
    for (const [name, place, percent, member, value] of rows) {
        const [text, scale, unit] = words[name], line = element("span", {}, t(text));
        if (place !== null) line.append(" ", foreign(place));
        line.append(percent === null ? " " : `, ${percent} %: `, element("b", {}, `${brief(value / scale, 3)} ${unit}`));
        if (!found.has(member)) found.set(member, {member, about: [], command: `sciara run ${path} --member ${member}`});
        found.get(member).about.push(line);
    }
    return [...found.values()];
}

// ---- the meaning and limits of the results

function limits(facts) {
    const list = [];
    list.push(t(
        "A model is not a forecast. It computes where lava would flow with these rates, vents and parameters on this terrain; another rate, or a vent a hundred metres away, gives another flow."));
    if (facts.kind === "run") list.push(t("One run is one possible flow. Only an ensemble shows how certain it is."));
    if (facts.arrival_caveat) list.push(t(facts.arrival_caveat));
    else
        list.push(t(
            "Probabilities cover the rates, vents, terrain errors and parameters that the plan varies, and nothing else. A standard error describes the number of members, not the quality of the model."));
    if (facts.kind === "calibration" || facts.kind === "posterior")
        list.push(t(
            "Parameters that agree best with one eruption need not suit the next. The score on held-out observations describes this better than the score that the search used."));
    else
        list.push(t(
            "The parameters come from other eruptions. They may not hold for other lava, other terrain or cells of another size."));
    list.push(t(
        "The terrain is as old as its survey, and as fine as its cells. Walls, roads and gullies narrower than a cell are not in it."));
    return list;
}

function citations(facts) {
    const s = facts.summary, about = s.case || s.plan || {}, list = [];
    list.push(
        "W. Spataro, M. V. Avolio, V. Lupiano, G. A. Trunfio, R. Rongo, D. D'Ambrosio: The latest release of the lava flows simulation model SCIARA: first application to Mt Etna (Italy) and solution of the anisotropic flow direction problem on an ideal surface. Procedia Computer Science 1 (2010) 17–26. doi:10.1016/j.procs.2010.04.004");
    list.push(`Sciara ${s.version || ""}${s.digest ? `, ${t("result {}", s.digest)}` : ""}. ${
        t("The same case always gives the same digest.")}`);
    if (about.terrain) list.push(t("Terrain: {}", about.terrain));
    return list;
}
