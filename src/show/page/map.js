// map.js: the map with its layers, legend, values under the pointer, time, keys, light and dark.

const byId = (id) => document.getElementById(id);
const facts = JSON.parse(byId("facts").textContent);

// ---- time

// Turns hours since the start into a date to the minute, if the case has a date.
function makeDates() {
    const text = facts.summary?.case?.start_time || facts.start_time,
          start = text ? Date.parse(/Z|[+-]\d\d:?\d\d$/.test(text) ? text : text + "Z") : NaN;
    return datesFrom(start);
}
const dateAt = makeDates();
const hoursOf = (step) => (step * facts.time.step_s) / 3600;

// ---- light and dark

const asksDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => document.documentElement.dataset.theme === "dark" && !printing;
let printing = false;

// Light or dark as the browser requests, until the reader chooses. The button names the other choice
function followTheme(changed) {
    const button = byId("theme");
    function choose(dark) {
        document.documentElement.dataset.theme = dark ? "dark" : "light";
        button.textContent = dark ? "Light" : "Dark";
        translate(button);
        changed();
    }
    button.addEventListener("click", () => choose(!isDark()));
    asksDark.addEventListener("change", () => choose(asksDark.matches));
    choose(asksDark.matches);
}

// ---- legend, scale bar, values

function fillLegend(layer) {
    const legend = byId("legend"), scale = layer.scale, dates = layer.kind === "arrival" && dateAt(0);
    legend.replaceChildren(
        element("h3", {}, inWords(layer.label) + (layer.unit && layer.kind !== "arrival" ? ` (${layer.unit})` : "")));
    if (scale.classes) {
        const list = element("ul", {class: "classes"});
        for (const [, colour, words] of scale.classes) {
            const mark = element("span", {class: "mark"});
            mark.style.background = colour;
            list.append(element("li", {}, mark, inWords(words)));
        }
        legend.append(list);
        return;
    }
    const bar = element("div", {class: "ramp"}), marks = element("div", {class: "marks"});
    bar.style.background = `linear-gradient(to right, ${scale.stops.join(", ")})`;
    const all = [], year = dates && dateAt(scale.high).slice(0, 4), oneYear = dates && year === dateAt(scale.low).slice(0, 4);
    const time = (v) => (dates ? dateAt(v).slice(oneYear ? 5 : 0, 16) : v ? duration(v) : "0");
    if (dates) legend.firstChild.append(oneYear ? ` (${year}, UTC)` : " (UTC)");
    for (let k = Math.ceil(scale.low / scale.step - 1e-9); k * scale.step <= scale.high * 1.0001; k++)
        all.push(k ? k * scale.step : 0);
    for (const v of all) {
        const last = v === all[all.length - 1];
        const mark = element("span", {},
            layer.kind === "arrival" ? time(v) :
                                       (last && scale.beyond && scale.high - v < scale.step / 2 ? "≥ " : "") + brief(v));
        mark.style.left = `${(100 * (v - scale.low)) / (scale.high - scale.low)}%`;
        marks.append(mark);
    }
    legend.append(bar, marks);
    separate([...marks.children]);
    if (layer.name === "arrival_p50_h")
        legend.append(element(
            "p", {}, t("5 to 95 % of members: the layers {} and {}.", t("Arrival, early (5 %)"), t("Arrival, late (95 %)"))));
}

// Hides labels that would touch the previous label or the last label.
function separate(labels) {
    // Each call makes the browser lay out the page, so all boxes are taken first
    const boxes = labels.map((label) => label.getBoundingClientRect()), last = labels.length - 1;
    let end = -Infinity;
    labels.forEach((label, i) => {
        const {left, right} = boxes[i];
        if (left < end + 4 || (i !== last && right > boxes[last].left - 4)) label.hidden = i !== last;
        if (!label.hidden) end = right;
    });
}

function fillOverlayLegend(on, vents, {isochrones}) {
    for (const name of ["outline", "place"]) document.documentElement.style.setProperty(`--${name}`, facts.colours[name]);
    const list = byId("marks"),
          add = (name, words) => list.append(element("li", {}, element("span", {class: `sign ${name}`}), t(words)));
    list.replaceChildren();
    if (on.vents && vents.points.length) add("vent", facts.possible_vents ? "possible vent" : "vent");
    if (on.vents && vents.lines.length) add("fissure", "fissure");
    if (on.outline) add("outline", "observed outline");
    if (on.isochrones && isochrones) add("isochrone", "isochrones");
    if (on.assets) add("asset", "place of interest");
    if (!on.background) return;
    const {looks, features} = facts.background, words = new Map();
    for (const f of features) {
        const look = looks[f.look];
        if (look.legend) words.set(look.legend, look);
    }
    for (const [legend, {colour, width, casing, filled}] of words) {
        const grey = Math.abs(channel(colour, 0) - channel(colour, 2)) < 16;  // grey: in the colour of text
        add("line", legend);
        const {style} = list.lastChild.firstChild;
        if (casing) [style.height, style.borderBottom] = ["3px", "1px solid currentColor"];
        style.borderTop =
            casing ? style.borderBottom : `${filled ? 8 : Math.max(1, width * 0.55)}px solid ${grey ? "currentColor" : colour}`;
    }
}

function showScale({length, width}) {
    const bar = byId("scalebar"), words = metres(length);
    bar.style.width = `${width}px`;
    if (bar.textContent !== words) bar.textContent = words;
}

const FIRST =
    ["total_thickness_m", "max_thickness_m", "temperature_K", "arrival_h", "probability", "arrival_p50_h", "thickness_p95_m"];

// An arrival in words. exact: it is the arrival of a single run. The percentiles of an ensemble are known only to a class of
// arrival_bin_h hours
function arrivalWords(hours, exact) {
    const bin = exact ? 0 : facts.arrival_bin_h,
          words = bin ? t("{} to {}", brief(hours), `${brief(hours + bin)} h`) : `${digits(hours, exact ? 2 : 1)} h`;
    return words + (dateAt(hours) ? `, ${dateAt(hours)}` : "");
}
// The layers with the two ends of the range of arrivals, or null
function ends(scene) {
    const both = ["arrival_p05_h", "arrival_p95_h"].map((name) => scene.layers.find((l) => l.name === name));
    return both.every(Boolean) ? both : null;
}
// Whether enough members reach a cell to state a range of its arrivals, as in probability_tells_range() of record/probability.h.
// The limit is 2.95 members instead of 3, because probabilities on the page are rounded
function tellsRange(scene, i, step) {
    const layer = scene.layers.find((l) => l.name === "probability");
    return !layer || !(scene.valueAt(layer, i, step).value * membersOf(layer, scene.facts) < 2.95);
}
// The ends of a range of arrivals in hours, up to the end of the class of the later arrival
const arrivalEnds = (low, high) => [low, typeof high === "number" ? high + (facts.arrival_bin_h || 0) : high];
// The effective number of members behind a layer of probabilities; undefined: not known.
const membersOf = (layer, of) => layer?.members ?? of?.members ?? facts.summary?.members?.effective;
function valueWords(scene, layer, i, step) {
    const {value, between} = scene.valueAt(layer, i, step);
    if (Number.isNaN(value)) return "–";
    if (layer.kind === "change") return inWords(scene.prepare(layer).scale.classes.find(([end]) => value <= end)[2]);
    if (layer.low !== undefined && layer.high !== undefined)
        return rangeWords(value, scene.arrays.value(layer.low, i), scene.arrays.value(layer.high, i));
    if (layer.kind === "probability" || layer.kind === "difference") {
        const e = layer.error === undefined ? NaN : scene.arrays.value(layer.error, i), members = membersOf(layer, scene.facts);
        if (members === undefined) return percent(value) + (e > 0 ? ` ± ${digits(100 * e, 1)} %` : "");
        return layer.kind === "probability" ? probabilityWords(value, members) : differenceWords(value, e, members);
    }
    if (layer.name === "arrival_p50_h" && ends(scene))
        return t("{} (5 to 95 %: {})", arrivalWords(value),
            tellsRange(scene, i, step) ?
                arrivalRange(...arrivalEnds(...ends(scene).map((l) => scene.valueAt(l, i, step).value)), () => null) :
                "–");
    if (layer.ends)
        return t("{} (5 to 95 %: {})", `${digits(value, 1)} h`,
            arrivalRange(...layer.ends.map((name) => scene.arrays.value(name, i)), () => null));
    if (layer.kind === "arrival") return arrivalWords(value, layer.name === "arrival_h");
    return `${between ? "≈ " : ""}${digits(value, layer.kind === "temperature" ? 0 : 2)} ${layer.unit}`;
}

// The values at a cell, as [name, value, id]...
function valuesAt(scene, at, layer, step, degrees) {
    const g = facts.grid, i = scene.cells ? scene.cells.find(at.row, at.col) : -1, list = [];
    const {row, col} = i >= 0 ? scene.cells.place(i) : at;
    const east = g.west_m + (col + 0.5) * g.cell_m, north = g.south_m + (g.rows - row - 0.5) * g.cell_m,
          deg = degrees(col + 0.5, row + 0.5);
    list.push([t("East, north"), `${digits(east, 0)}, ${digits(north, 0)} m`, "place"]);
    if (deg)
        list.push([
            t("Lat, lon"),
            `${digits(Math.abs(deg.lat), 5)}° ${deg.lat < 0 ? "S" : "N"}, ${digits(Math.abs(deg.lon), 5)}° ${
                deg.lon < 0 ? "W" : "E"}`,
            "degrees"
        ]);
    const ground = scene.ground?.at(row, col);
    if (scene.ground)
        list.push([
            t(facts.kind === "run" ? "Ground before" : "Ground"),
            Number.isNaN(ground) ? "–" : `${i < 0 && facts.terrain.every > 1 ? "≈ " : ""}${digits(ground, 1)} m`, "ground"
        ]);
    const shown = FIRST.map((name) => scene.layers.find((l) => l.name === name)).filter(Boolean);
    if (layer && !shown.includes(layer)) shown.push(layer);
    for (const l of shown) list.push([inWords(l.label), valueWords(scene, l, i, step), l.name]);
    return list;
}

// ---- the whole map

// hooks: what a page with a drawing adds. Some are options of makeView() (view.js). tool: for followPointers(). values(place):
// returns more values for the list of valuesAt(). changed(): called when layer or time has changed. members(): returns the
// number of members behind the probabilities.
function makeMap(scene, hooks = {}) {
    const canvas = byId("map"), degrees = makeDegrees(facts);
    const state = {layer: null, step: facts.time ? facts.time.last_step : 0, place: null, fixed: null};
    const options = {
        contours: !!scene.ground?.drawContours,
        background: !!facts.background,
        outline: facts.outline !== undefined && facts.outline !== null,
        vents: !!(facts.vents ||= facts.summary.vents)?.length,
        assets: !!facts.assets?.length,
        isochrones: !!scene.facts.isochrones?.length
    };
    const on = {layer: true, ...options, isochrones: false};
    facts.vents ||= [];
    const charts = [], vents = sortVents(facts.vents);
    const view = makeView(canvas, scene, {
        ...hooks,
        vents,
        dark: isDark,
        overlays: () => on,
        onPaper: () => printing,
        hours: () => (facts.time ? hoursOf(state.step) : Infinity),
        drawn: showScale
    });

    function show() {
        if (state.layer) scene.paint(state.layer, state.step);
        hooks.changed?.(state);
        view.redraw();
    }
    function fillOwnLegend() {
        const of = state.layer.kind === "probability" || state.layer.kind === "difference" ? hooks.members?.() : "";
        fillLegend(state.layer);
        if (of) byId("legend").firstChild.after(element("p", {class: "of"}, of));
    }
    function setLayer(layer) {
        state.layer = scene.prepare(layer);
        fillOwnLegend();
        noteTime();
        showValues();
        showBubble();
        show();
    }

    // ---- values

    function showValues() {
        const place = state.place || state.fixed, g = facts.grid, box = byId("values");
        const inside = place && place.row >= 0 && place.col >= 0 && place.row < g.rows && place.col < g.cols;
        box.classList.toggle("empty", !inside);
        const at = inside ? place : {row: 0, col: 0},
              list = [...valuesAt(scene, at, state.layer, state.step, degrees), ...(hooks.values?.(at, state) || [])];
        if ([...box.children].map((d) => d.dataset.of).join() !== list.map(([, , id]) => id).join())
            box.replaceChildren(
                ...list.map(([name, , id]) => element("div", {"data-of": id}, element("dt", {}, name), element("dd"))));
        list.forEach(([name, value], i) => {
            box.children[i].firstChild.textContent = name;
            box.children[i].lastChild.textContent = inside ? value : "–";
        });
        return inside ? list : null;
    }
    function speak() {
        const list = showValues();
        byId("spoken").textContent = list ? list.map(([name, value]) => `${name} ${value}`).join("; ") : t("outside the map");
    }
    let speaking = 0;
    // `at`: the position of a finger. The values are next to the finger, which would hide values below it
    function showPlace(place, fixed, at) {
        state.place = place;
        state.at = at && place ? {...at, place} : null;
        if (fixed) {
            state.fixed = place;
            view.setCursor(place);
        }
        showValues();
        showBubble();
    }
    function showBubble() {
        const bubble = byId("bubble"), {at} = state;
        const list = at && state.layer ? valuesAt(scene, at.place, state.layer, state.step, degrees) : [];
        const [name, value] = list.find(([, , id]) => id === state.layer?.name) || [];
        bubble.hidden = !name;
        if (!name) return;
        bubble.replaceChildren(element("b", {}, value), ` ${name}`);
        const {width, height} = canvas.getBoundingClientRect(), box = bubble.getBoundingClientRect();
        bubble.style.left = `${Math.max(4, Math.min(width - box.width - 4, at.x - box.width / 2))}px`;
        bubble.style.top = `${at.y > box.height + 40 ? at.y - box.height - 28 : Math.min(height - box.height - 4, at.y + 28)}px`;
    }

    // ---- time

    function noteTime() {
        const states = state.layer?.states, words = byId("timenote");
        if (!facts.time) return;
        if (!states)
            words.textContent = state.layer.kind === "arrival" ?
                "" :
                t("{} of the whole run, in the cells that lava has reached by then.", inWords(state.layer.label));
        else if (states.length < 2)
            words.textContent = t(
                "Cells appear when lava reaches them, with their values of the end. Run with --every to have those in between.");
        else words.textContent = t("Values between the {} states of the run are interpolated (≈).", states.length);
    }
    function setStep(step) {
        const {first_step: first, last_step: last} = facts.time;
        state.step = Math.max(first, Math.min(last, step));
        const slider = byId("time"), hours = hoursOf(state.step),
              words = dateAt(hours) ? `${dateAt(hours)} · ${duration(hours)}` : duration(hours);
        if (+slider.value !== Math.round(state.step)) slider.value = Math.round(state.step);
        slider.setAttribute("aria-valuetext", words);
        byId("now").textContent = words;
        for (const c of charts) c.cursor(hours);
        if (state.place || state.fixed) showValues();
        if (state.at) showBubble();
        show();
    }
    const clock = makeClock(() => state.step, setStep);

    // ---- controls

    function makeLayers(name) {
        const group = byId("layers"), shown = scene.layers.filter((l) => l.kind !== "hidden");
        group.replaceChildren();
        const order = [...shown].sort((a, b) => FIRST.indexOf(a.name) - FIRST.indexOf(b.name));
        const start = order.find((l) => l.name === name) || order.find((l) => l.name === "total_thickness_m") ||
            order.find((l) => facts.summary?.map === `${l.name.replace("probability_", "map_hazard_")}.png`) ||
            order.find((l) => l.name === "probability") || order[0];
        const list = facts.kind === "run" ? order : shown;
        if (list.length > 6) makeLayerList(group, list, start);
        else
            for (const layer of list) {
                const input = element("input", {type: "radio", name: "layer", value: layer.name});
                input.checked = layer === start;
                input.addEventListener("change", () => setLayer(layer));
                group.append(element("label", {}, input, inWords(layer.label)));
            }
        byId("layerset").hidden = !list.length;
        // Tells how to get layers that are written only on request
        if (facts.summary && !facts.layers.some((l) => l.name === "temperature_K" || l.error !== undefined))
            group.append(element("p", {}, t("Other layers: option --layers")));
        return start;
    }
    // Makes one list with groups, if there are many layers
    function makeLayerList(group, list, start) {
        const select = element("select", {"aria-label": t("Layer")});
        for (const [kind, words] of [["probability", "Probability"], ["arrival", "Arrival"], ["thickness", "Thickness"]]) {
            const part = element("optgroup", {label: t(words)});
            for (const l of list)
                if (l.kind === kind) part.append(element("option", {value: l.name}, inWords(l.label)));
            if (part.children.length) select.append(part);
        }
        select.value = start.name;
        select.addEventListener("change", () => setLayer(list.find((l) => l.name === select.value)));
        group.append(select);
    }
    function makeOverlays() {
        byId("overlays").replaceChildren();
        const words = {
            contours: "Contours",
            background: "Roads, rivers and names",
            outline: "Observed outline",
            isochrones: "Isochrones",
            vents: facts.possible_vents ? "Possible vents" : "Vents",
            assets: "Places of interest"
        };
        for (const name of Object.keys(words)) {
            if (!options[name]) continue;
            const input = element("input", {type: "checkbox", value: name});
            input.checked = on[name];
            input.addEventListener("change", () => {
                on[name] = input.checked;
                fillOverlayLegend(on, vents, options);
                view.redraw();
            });
            byId("overlays").append(element("label", {}, input, t(words[name])));
        }
        byId("overlays").parentNode.hidden = !byId("overlays").children.length;
        fillOverlayLegend(on, vents, options);
    }
    // Adds to the label of a place the probability that lava reaches it, the time when lava reached it, or that it has no
    // terrain
    function nameProbabilities() {
        const many = facts.tables?.["hazard_places.csv"], years = facts.summary?.map?.match(/^map_hazard_(.+)y\./)?.[1];
        const of = (r, end) => r[many.columns.indexOf(`probability_${years}y${end}`)];
        for (const r of (years && many?.rows) || [])
            for (const a of facts.assets || [])
                if (a.name === r[many.columns.indexOf("place")])
                    a.label = `${a.name}: ${rangeWords(...["", "_p05", "_p95"].map((end) => of(r, end)))}, ${
                        t("within {} {year|years}", years)}`;
        if (years) return;
        const table = facts.tables?.["assets.csv"], col = (name) => table.columns.indexOf(name);
        const found = new Map((table?.rows || []).map((r) => [r[col("name")], (name) => r[col(name)]]));
        for (const a of facts.assets || []) {
            const at = found.get(a.name), p = at?.("probability"), seen = at?.("reached_h");
            if (typeof seen === "number") a.label = `${a.name}: ${reachedWords(seen)}`;
            else if (at?.("assumed")) a.label = `${a.name}: ${t(ASSUMED)}`;
            else if (typeof p === "number") a.label = `${a.name}: ${probabilityWords(p, membersOf())}`;
            else if (at?.("cells") === 0) a.label = `${a.name}: ${t(BARE)}`;
        }
    }
    // Keeps the clock below the map on the first screen, whatever the height of the part above
    function keepAbove() {
        const {top} = canvas.parentNode.getBoundingClientRect();
        canvas.parentNode.style.setProperty("--above", `${Math.round(top + scrollY)}px`);
    }
    function pressed(key, shift) {
        const far = shift ? 10 : 1;
        const moves = {ArrowUp: [-far, 0], ArrowDown: [far, 0], ArrowLeft: [0, -far], ArrowRight: [0, far]};
        if (moves[key]) {
            state.place = null;
            state.fixed = view.moveCursor(...moves[key]);
            showValues();
            clearTimeout(speaking);
            speaking = setTimeout(speak, 250);
            return true;
        }
        return false;
    }
    function pressedAnywhere(key) {
        if (key === "+" || key === "=") view.zoom(1.5);
        else if (key === "-") view.zoom(1 / 1.5);
        else if (key === "0") view.fit();
        else if (key === " " && facts.time) clock.toggle();
        else return false;
        return true;
    }
    canvas.addEventListener("keydown", (e) => {
        if (!e.ctrlKey && !e.metaKey && !e.altKey && pressed(e.key, e.shiftKey)) e.preventDefault();
    });
    document.addEventListener("keydown", (e) => {
        const used = e.target.closest("button, select, summary, a, input:not([type=range])"),
              typed = e.target.closest("input:not([type=range], [type=radio], [type=checkbox]), textarea");
        if (e.ctrlKey || e.metaKey || e.altKey || typed || (used && e.key === " ") || !pressedAnywhere(e.key)) return;
        e.preventDefault();
    });
    byId("closer").addEventListener("click", () => view.zoom(1.5));
    byId("farther").addEventListener("click", () => view.zoom(1 / 1.5));
    byId("whole").addEventListener("click", () => view.fit());
    followPointers(canvas, view, showPlace, hooks.tool);

    function showLayers(name) {
        const start = makeLayers(name);
        on.layer = !!start;
        if (start) return setLayer(start);
        state.layer = null;
        byId("legend").replaceChildren();
        showValues();
    }
    // Shows another result, with the present layer and time if the other result has them
    function setScene(next, step) {
        const name = state.layer?.name;
        scene = next;
        view.setScene(next);
        byId("timebar").hidden = !facts.time;
        options.isochrones = !!scene.facts.isochrones?.length;
        makeOverlays();
        showLayers(name);
        if (facts.time) clock.begin(step);
        view.redraw();
    }
    // Shows the new end of the same result after it has grown
    function follow() {
        if (state.layer && (scene.rescale(state.layer) || hooks.members?.())) fillOwnLegend();
        noteTime();
        if (facts.time) clock.begin();
        else show();
    }
    makeOverlays();
    nameProbabilities();
    keepAbove();
    view.resize();
    showLayers();
    if (facts.time) clock.begin();
    view.fit();
    view.draw();
    new ResizeObserver(() => view.resize()).observe(canvas);
    return {
        canvas,
        view,
        charts,
        setStep,
        setScene,
        follow,
        setLayer,
        showLayers,
        show,
        showValues,
        keepAbove,
        state,
        on,
        scene: () => scene
    };
}

// The slider, the button and the speed: at speed 1 a run lasts twenty seconds.
function makeClock(now, setStep) {
    const slider = byId("time"), button = byId("play"), seconds = 20;
    let playing = false, last = 0;
    function tick(at) {
        if (!playing) return;
        const {first_step, last_step} = facts.time, passed = last ? Math.min(0.1, (at - last) / 1000) : 0;
        last = at;
        setStep(now() + (passed * (last_step - first_step) * +byId("speed").value) / seconds);
        if (now() >= last_step) toggle();
        else requestAnimationFrame(tick);
    }
    function toggle(on = !playing) {
        playing = on;
        last = 0;
        button.textContent = t(playing ? "Pause" : "Play");
        if (!playing) return;
        if (now() >= facts.time.last_step) setStep(facts.time.first_step);
        requestAnimationFrame(tick);
    }
    slider.addEventListener("input", () => setStep(+slider.value));
    button.addEventListener("click", () => toggle());
    return {
        toggle: () => toggle(),
        begin(step = facts.time.last_step) {
            if (playing) toggle(false);
            slider.min = facts.time.first_step;
            slider.max = facts.time.last_step;
            byId("timebar").hidden = false;
            setStep(step);
        },
    };
}
