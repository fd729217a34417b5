// serve_main.js: the page of `sciara serve`. It computes the drawing, and the lava grows on the map.

language = facts.language || Object.keys(LANGUAGES).find((l) => (navigator.language || "").startsWith(l)) || "en";

const EMPTY = {
    vents: [],
    rates: [],
    barriers: [],
    places: [],
    parameters: null,
    hours: 240
};

// ---- the link: drawing and view, deflated, after the #

async function packLink(state) {
    const stream = new Blob([JSON.stringify(state)]).stream().pipeThrough(new window.CompressionStream("deflate"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    return btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""))
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replace(/=+$/, "");
}
async function unpackLink(text) {
    try {
        return JSON.parse(new TextDecoder().decode(
            await inflate(bytesOf(text.replaceAll("-", "+").replaceAll("_", "/").padEnd(Math.ceil(text.length / 4) * 4, "=")))));
    } catch {
        return null;  // the link lacks a part
    }
}

function chooseLanguage(changed) {
    const choice = byId("language");
    choice.replaceChildren(...Object.entries(LANGUAGES).map(([code, words]) => element("option", {value: code}, words)));
    choice.value = language;
    choice.addEventListener("change", () => {
        language = choice.value;
        changed();
    });
}

function startPage(link) {
    const ui = {tool: "select", selected: null, unfinished: null, refusal: null, circle: null};
    const ground = makeTiledGround(facts.grid, engine.tile, () => map?.view.redraw());
    const empty = makeScene({layers: []}, null, null, ground);
    let map = null, compare = null, present = null, flight = null, shownOf = null, started = 0, pending = 0, charts = [],
        linking = 0, warnings = [], library = null;

    ui.groundAt = (p) => ground.at(Math.floor(toCells(p).row), Math.floor(toCells(p).col)) || 0;
    const drawing = makeDrawing({...EMPTY, ...(link?.drawing || facts.drawing)}, changed);
    // The first drawing is that of the served file. Until another drawing replaces it, a plan is computed unchanged
    const original = {...EMPTY, ...facts.original_drawing}, ofOriginal = JSON.stringify(original);
    let compared = null, same = false;
    function isOriginal() {
        if (compared !== drawing.get()) (compared = drawing.get()), (same = JSON.stringify(compared) === ofOriginal);
        return same;
    }
    const asPlanned = () => facts.kind === "plan" && isOriginal();
    const tools = makeTools(drawing, ui, () => map, refresh);
    const selectedVent = () => (ui.selected?.list === "vents" ? drawing.get().vents[ui.selected.number]?.id : null);
    const say = (words) => (byId("state").textContent = words);

    // ---- running

    function stop() {
        flight?.abort();
        flight = null;
        busy(null);
    }
    function busy(kind) {
        byId("run").textContent = t(kind === "run" ? "Stop" : "Run");
        byId("ensemble").textContent = t(kind === "ensemble" ? "Stop" : "Start");
        byId("progress").classList.toggle("on", !!kind);
        document.documentElement.dataset.busy = kind || "";
    }
    function refuse(error) {
        ui.refusal = error;
        say("");
        refresh();
    }
    // Whether the page refuses the drawing. A refused drawing is not sent
    function refused() {
        const fault = faultOf(drawing.get());
        if (fault) refuse(fault);
        return !!fault;
    }
    function accept() {
        if (ui.refusal) ui.refusal = null, refresh();
    }
    // Sends a request that is answered in frames. Another request, or a change of the drawing, ends the request
    async function compute(kind, path, body, named = kind) {
        if (body.drawing && refused()) return null;
        flight?.abort();
        const mine = (flight = new AbortController()), begun = (started = performance.now());
        accept();
        say("");
        busy(named);
        const result = makeResult(kind, ground);
        result.drawing = drawing.get();
        try {
            for await (const frame of frames(engine.compute(path, body, mine.signal))) {
                if (mine !== flight) return null;
                result.take(frame);
                if (frame.facts?.warnings) tellWarnings(frame.facts.warnings);
                if (!result.cells.count && !result.end) continue;
                if (present !== result) result.first = performance.now() - begun;
                present = result;
                showSoon();
                if (frame.kind === "stopped") break;
            }
            result.wall = performance.now() - begun;
        } catch (error) {
            if (mine !== flight || error.name === "AbortError") return null;
            refuse(error);
        }
        if (mine === flight) flight = null, busy(null), showSoon();
        return result;
    }
    const run = () =>
        (flight && document.documentElement.dataset.busy === "run" ? stop() : compute("run", "run", {drawing: drawing.get()}));
    async function ensemble(body) {
        byId("resume").hidden = true;
        const result = await compute(byId("pairs").checked ? "pairs" : "ensemble", "ensemble", body, "ensemble");
        byId("resume").hidden = !(present?.begin.members && !present.end && present.kind !== "run");
        return result;
    }

    // ---- showing what came

    function showSoon() {
        if (!pending)
            pending = requestAnimationFrame(() => {
                pending = 0;
                showPresent();
            });
    }
    function setScene({scene, time = null}) {
        facts.time = time;
        shownOf = scene;
        map.setScene(scene);
    }
    function showPresent() {
        if (!present) return;
        if (shownOf !== present.scene) {
            setScene(present);
            compare.show();
        } else {
            map.follow();
        }
        if (map.view.isFitted()) map.view[flight ? "fitGrowing" : "fit"]();  // unless another view was chosen
        showProgress();
        if (present.end && !present.told) tellEnd();
        map.view.draw();  // at once, so that map and texts change together
    }
    function showProgress() {
        const {kind, last, begin, end} = present, bar = byId("progress");
        if (kind === "run") {
            if (end || begin.steps) bar.value = end ? 1 : (last.step || 0) / begin.steps;
            else bar.removeAttribute("value");  // no end is known
            if (end || !flight) return;
            say(t("{}: {} km², {}", duration(last.hours ?? 0), brief((last.area_m2 || 0) / 1e6, 3),
                million(last.emitted_m3 || 0).join(" ")));
        } else if (kind !== "ask") {
            bar.value = end ? 1 : (last.members || 0) / (last.all || begin.members || 1);
            byId("ensemblestate").textContent = ensembleWords(present);
            if (!end && flight) say(memberWords(present));
        }
    }
    function tellEnd() {
        const {kind, end, begin, rows} = present;
        present.told = true;
        byId("chartsection").hidden = kind !== "run";
        byId("tables").replaceChildren();
        byId("figures").replaceChildren();
        present.wall ??= end.seconds ? 1000 * end.seconds : performance.now() - started;
        const done = t("Done in {} s. Digest {}", digits(present.wall / 1000, 2), end.digest);
        if (kind !== "ask") say([kind === "run" ? "" : memberWords(present), done].filter(Boolean).join(". "));
        ui.placeWords =
            kind === "run" ? null : new Map(end.places.map((p) => [p.name, placeWords(p.probability, end.effective)]));
        library?.answered(ui.placeWords);
        refresh();
        if (kind !== "run") return placesTable(end.places);
        document.documentElement.dataset.digest = end.digest;
        const figure = (name, [value, unit]) => addFigure(t(name), value, unit);
        figure("covered by lava", [brief(end.area_m2 / 1e6, 3), "km²"]);
        figure("emitted", million(end.ledger.emitted_m3));
        figure("run-out", [brief(end.runout_m / 1000, 3), "km"]);
        figure("greatest thickness", [brief(end.max_thickness_m, 3), "m"]);
        figure("simulated", [duration(end.hours), ""]);
        figure("digest of the result", [end.digest, ""]);
        const names = ["hours", "area_m2", "emitted_m3", "mobile_m3", "solidified_m3"];
        const table = {
            columns: names.map((n) => (n === "hours" ? "time_h" : n)),
            rows: [names.map(() => 0), ...rows.map((r) => names.map((n) => r[n] ?? null))]
        };
        charts = timelineCharts(table).map((c) => makeChart(c, (hours) => map.setStep((hours * 3600) / begin.step_s)));
        byId("charts").replaceChildren(...charts.map((c) => c.node));
        for (const c of charts) c.resize();
        map.charts.splice(0, map.charts.length, ...charts);
        placesTable(end.places);
        if (end.barriers?.length)
            byId("tables").append(makeTable(t("Barriers"), ["", t("length, m"), t("cells"), t("fill, m³"), t("excavation, m³")],
                end.barriers.map((b) => [foreign(b.name), Math.round(b.length_m), b.cells, b.raised_m3, b.lowered_m3])));
        showExports();
    }
    function tellWarnings(list = warnings) {
        warnings = list;
        for (const old of document.querySelectorAll("#alerts .told")) old.remove();
        byId("alerts").append(...resultWarnings(list).map((words) => element("p", {class: "told"}, foreign(words))));
        map?.keepAbove();
    }
    function placesTable(places) {
        if (!places?.length) return;
        const run = "max_thickness_m" in places[0], hours = (h) => (typeof h === "number" ? `${digits(h, 1)} h` : "–");
        const rows = places.map((p) => (run ?
                                        [
                                            foreign(p.name), p.bare ? t(BARE) : hours(p.arrival_h),
                                            typeof p.max_thickness_m === "number" ? `${digits(p.max_thickness_m, 1)} m` : "–"
                                        ] :
                                        [
                                            foreign(p.name), placeWords(p.probability, present.end.effective),
                                            arrivalRange(p.arrival_low_h, p.arrival_high_h, dateAt)
                                        ]));
        byId("tables").append(makeTable(t("Places of interest"),
            run ? ["", t("arrival"), t("greatest thickness")] :
                  ["", t("probability of lava"), t("arrival, 5 to 95 % of three members or more")],
            rows));
    }

    // ---- changes of the drawing

    function changed(passing) {
        const kind = document.documentElement.dataset.busy, live = byId("live").checked && drawing.get().vents.length;
        if (!map) return;
        if (live && passing && performance.now() - started < 150) return refresh();  // so that lava is visible during a drag
        if (kind && kind !== "ask") stop(), say(t("Cancelled: the drawing has changed."));
        else if (present?.end && present.kind !== "ask")
            say(present.drawing === drawing.get() ? "" : t("The map shows the result before this change."));
        const selected = drawing.get()[ui.selected?.list]?.[ui.selected.number];
        if (!selected) ui.selected = null;
        else if (!(ui.selected.point < selected.points.length)) delete ui.selected.point;
        if (!refused()) accept(), refresh();
        if (live) compute("run", "run", {drawing: drawing.get()});
        clearTimeout(linking);
        if (!passing)
            linking = setTimeout(() => {
                keepLink();
                engine.keep(drawing.get());
            }, 400);
    }
    async function keepLink() {
        const hash = await packLink({drawing: drawing.get(), view: map.view.place(), layer: map.state.layer?.name});
        history.replaceState(null, "", `${location.pathname}${location.search}#${hash}`);
        return location.href;
    }
    // An unchanged plan has its own number of members
    function showMembers() {
        const planned = asPlanned(), field = byId("members"), pairs = byId("pairs");
        if (planned || !field.value) field.value = planned ? facts.members || "" : 200;
        field.readOnly = planned;
        if (planned) pairs.checked = false;
        pairs.disabled = planned;
        byId("plannednote").hidden = !planned;
    }
    // Shows the eruption to which this set of parameters was fitted, and for what it should not be used
    function showParameters(name) {
        const set = facts.parameters.find((p) => p.name === name), note = byId("parametersnote");
        byId("parameters").value = name ?? "";
        note.hidden = !set;
        if (set) note.textContent = t("From {}. Not for {}.", t(set.eruption), t(set.not_for));
    }
    // Restores the drawing of the served file, without a result. Undo restores the present drawing
    function showOriginal() {
        stop();
        if (!isOriginal()) drawing.set(original);
        present = shownOf = null;
        facts.time = null;
        ui.placeWords = null;
        for (const id of ["figures", "tables", "state", "ensemblestate"]) byId(id).replaceChildren();
        byId("chartsection").hidden = byId("resume").hidden = true;
        byId("timebar").hidden = true;
        delete document.documentElement.dataset.digest;
        map.setScene(empty);
        compare.show();
        tellWarnings(facts.warnings);
        showExports();
        refresh();
    }
    function refresh() {
        for (const b of document.querySelectorAll("[data-tool]"))
            b.setAttribute("aria-pressed", String(b.dataset.tool === ui.tool));
        const can = drawing.can();
        byId("undo").disabled = !can.undo;
        byId("redo").disabled = !can.redo;
        fillObjects(drawing, ui, (p) => {
            ui.selected = {list: p.list, number: p.number};
            ui.tool = "select";
            refresh();
        });
        fillFields(drawing, ui, tools);
        rates.show();
        keys.show();
        const d = drawing.get(), line = byId("refused"),
              wrong = ui.refusal ? [nameOfRefused(ui.refusal, d), ui.refusal.message].filter(Boolean).join(": ") : "";
        line.hidden = !wrong;
        if (line.textContent !== wrong) line.replaceChildren(foreign(wrong));  // screen readers read an alert once
        showParameters(d.parameters);
        byId("original").hidden = isOriginal() && !present;
        byId("original").textContent =
            t({plan: "Back to the plan", library: "Back to the plan", dem: "Back to the terrain"}[facts.kind] ??
                "Back to the case");
        showMembers();
        if (document.activeElement !== byId("days")) byId("days").value = d.hours === null ? "" : +(d.hours / 24).toFixed(4);
        for (const [id, object] of [["parameters", "parameters"], ["days", "hours"]])
            byId(id).setAttribute("aria-invalid", String(ui.refusal?.object === object));
        map?.view.redraw();
    }

    // ---- the map

    const hooks = {
        // A drag that begins at the line between two results moves this line
        tool: {
            ...tools.tool,
            grab: (at) => (compare.nearLine(at.x / map.view.size()[0]) ?
                    {move: (to) => compare.setLine(to.x / map.view.size()[0]), end() {}} :
                    tools.tool.grab(at))
        },
        extent: (take) =>
            partsOf(drawing.get()).forEach((p) => p.o.points.map(toCells).forEach(({row, col}) => take(col, row, col, row))),
        over(pen) {
            drawParts(pen, drawing.get(), ui);
            if (ui.circle) drawCircle(pen, ui.circle);
            const both = compare?.beside();
            if (both) labelSides(pen, both);
        },
        outlinePath() {
            const {row0, col0, every, rows, cols, runs} = facts.outline, bits = new Uint8Array(Math.ceil((rows * cols) / 8)),
                                                  path = new Path2D();
            for (const [row, first, count] of runs)
                for (let i = row * cols + first; i < row * cols + first + count; i++) bits[i >> 3] |= 128 >> (i & 7);
            path.addPath(edgePath(bits, rows, cols), new DOMMatrix([every, 0, 0, every, col0, row0]));
            return path;
        },
        beside: () => compare?.beside() || null,
        members: () => present && memberWords(present),
        changed: (state) => state.layer && compare?.comparing() && compare.paint(state.layer, state.step),
        values(at, state) {
            const other = state.layer && compare?.comparing() && compare.paint(state.layer, state.step);
            return other ? [[
                `${t("Kept")}: ${inWords(other.same.label)}`,
                valueWords(other.scene, other.same, other.scene.cells.find(at.row, at.col), other.step), "kept"
            ]] :
                           [];
        },
    };
    function labelSides(pen, {at, name}) {
        const [width, height] = map.view.size(), x = at * width;
        pen.onScreen();
        for (const [words, align, far] of [[name, "right", -10], [t("present"), "left", 10]]) {
            pen.context.textAlign = align;
            pen.label(words, x + far, height - 18);
        }
        pen.context.textAlign = "start";
    }
    function drawCircle(pen, {x, y, radius_m}) {
        const {col, row} = toCells([x, y]), path = new Path2D();
        path.arc(col, row, radius_m / facts.grid.cell_m, 0, 7);
        pen.inCells();
        pen.halo(path, INK.place, 2, [7, 4]);
    }

    // ---- out

    function showExports() {
        const id = present?.kind === "run" && present.end ? present.begin.id : null, box = byId("exports");
        const links = id === null ?
            [] :
            engine.exports(id).map(
                ([words, file]) => (typeof file === "string" ?
                        element("a", {class: "button", download: "", href: file}, words) :
                        makeButton(words,
                            () => file().then(download, (error) => byId("saved").replaceChildren(foreign(error.message))))));
        const png = makeButton(t("Map as PNG"),
            () => drawPng(map).toBlob((blob) => download([blob, `${byId("name").value || "map"}.png`])), {id: "png"});
        async function copyLink() {
            const href = await keepLink();
            await navigator.clipboard?.writeText(href).catch(() => {});
            byId("saved").textContent = t("The link is in the clipboard and in the address of this page.");
        }
        box.replaceChildren(...links, png, makeButton(t("Copy a link"), copyLink, {id: "link"}));
    }
    async function save(replace = false) {
        const done = present?.kind === "run" && present.end && present.drawing === drawing.get(), box = byId("saved");
        if (refused()) return;
        try {
            const answer = await engine.save({
                ...(done ? {id: present.begin.id} : {}),
                drawing: drawing.get(),
                name: byId("name").value.trim(),
                kind: byId("savekind").value,
                replace
            });
            box.replaceChildren(t("Saved in {}.", answer.folder), element("br"), element("code", {}, answer.command));
            if (answer.digest) box.append(element("br"), t("It gives the digest {}.", answer.digest));
            document.documentElement.dataset.saved = answer.folder;
        } catch (error) {
            box.replaceChildren(foreign(error.message));
            if (error.status !== 409 || replace) return;
            box.append(" ", makeButton(t("Replace"), () => save(true), {id: "replace"}));
        }
    }

    // ---- controls and keys

    const on = (id, event, act) => byId(id).addEventListener(event, act);
    for (const b of document.querySelectorAll("[data-tool]")) b.addEventListener("click", () => tools.choose(b.dataset.tool));
    on("undo", "click", () => drawing.undo());
    on("redo", "click", () => drawing.redo());
    on("run", "click", run);
    on("live", "change", () => byId("live").checked && run());
    on("parameters", "change", () => drawing.edit((d) => {
        d.parameters = byId("parameters").value || null;
        for (const k of facts.keys)
            if (k.parameter && d.keys) delete d.keys[k.name];
    }));
    onChange(byId("days"),
        (value) => (value || facts.original_drawing.hours === null) &&
            drawing.edit((d) => (d.hours = value ? +(value * 24).toFixed(4) : null)));
    on("original", "click", showOriginal);
    on("ensemble", "click", () => (document.documentElement.dataset.busy === "ensemble" ? stop() : ensemble({
        drawing: drawing.get(),
        ...(!asPlanned() && {drawn: true}),
        members: +byId("members").value,
        barriers: byId("pairs").checked
    })));
    on("resume", "click", () => ensemble({continue: present.begin.id}));
    on("save", "click", () => save());
    document.addEventListener("keydown", (e) => {
        if (e.target.closest("input:not([type=range], [type=radio], [type=checkbox]), textarea, select")) return;
        const key = e.key.toLowerCase();
        if ((e.ctrlKey || e.metaKey) && (key === "z" || key === "y")) (key === "y" || e.shiftKey ? drawing.redo : drawing.undo)();
        else if (e.target === map.canvas && tools.key(e)) e.stopPropagation();
        else if (e.ctrlKey || e.metaKey || e.altKey) return;
        else if (key === "r") run();
        else if (document.querySelector(`[data-tool][aria-keyshortcuts="${key}"]`)) {
            document.querySelector(`[data-tool][aria-keyshortcuts="${key}"]`).click();
            map.canvas.focus();
        } else return;
        e.preventDefault();
    }, true);

    byId("title").append(foreign(facts.title || facts.name || "Sciara"));
    byId("about").textContent = [
        facts.grid.crs_name, `${facts.grid.rows} × ${facts.grid.cols} × ${brief(facts.grid.cell_m)} m`, facts.device
    ].filter(Boolean).join(" · ");
    if (facts.synthetic)
        byId("alerts").append(
            element("p", {}, t("SYNTHETIC TERRAIN: made up by a program, not surveyed. Nothing here is about a real place.")));
    tellWarnings(facts.warnings);
    byId("name").value = facts.name || "case";
    if (facts.outline_refused)
        byId("alerts").append(element(
            "p", {}, foreign(t("The observed outline could not be read, so it is not shown: {}", facts.outline_refused))));
    if (facts.parameters_given || !drawing.get().parameters)
        byId("parameters").append(element("option", {value: ""}, t("of the case")));
    for (const p of facts.parameters) byId("parameters").append(element("option", {value: p.name}, p.name));
    const others = engine.others();
    byId("listed").hidden = !others;
    if (others) [byId("listed").textContent, byId("listed").href] = others;
    byId("maphelp").textContent =
        "Keys: S, V, F, W, C and P choose a tool; arrows move a cursor over cells (with Shift, ten) and Enter draws there; Delete removes, Ctrl and arrows move what is selected, N chooses a point of it, Insert adds one; Ctrl+Z undoes, R runs, + and − zoom, 0 shows all, Space plays.";
    translate();

    let rates = makeRates(drawing, ui, selectedVent);
    const keys = makeKeys(drawing, ui);
    map = makeMap(empty, hooks);
    document.querySelector(".stage").append(byId("tools"));
    compare = makeCompare(() => present, ground, {
        changed: () => map.show(),
        showing(scene) {
            if (scene) setScene({scene});
            else if (present && shownOf !== present.scene) setScene(present);
        },
        restore: (result) => drawing.set(result.drawing),
    });
    async function question(body) {
        const r = await compute("ask", "ask", body), refused = !r?.end && ui.refusal?.object === "where";
        return [
            refused    ? ui.refusal.message :
                r?.end ? t("{} of {} {eruption|eruptions} count", brief(r.end.members), brief(r.begin.of)) :
                         "",
            refused
        ];
    }
    const newLibrary = () => makeLibrary(ui, {choose: tools.choose, redraw: () => map.view.redraw(), question});
    library = newLibrary();
    const typed = makeTyped({
        add: tools.add,
        show(point) {
            const at = toCells(point), {scale} = map.view.place();
            map.view.moveTo({...at, scale: Math.max(scale, Math.min(1, 4 * scale))});
            map.view.setCursor({row: Math.floor(at.row), col: Math.floor(at.col)});
        }
    });
    typed.fill();
    const forecast = engine.forecast && makeForecast({drawing: () => (refused() ? null : drawing.get()), begin: stop});
    if (!forecast)
        byId("forecastpart")
            .replaceChildren(byId("forecastpart").firstChild,
                element(
                    "p", {class: "quiet"}, "A forecast with its bulletin needs the program: sciara serve, or sciara forecast."));
    chooseLanguage(() => {
        rates = makeRates(drawing, ui, selectedVent);
        library = newLibrary();
        typed.fill();
        forecast?.busy();
        translate();
        busy(document.documentElement.dataset.busy);
        map.setScene(map.scene(), map.state.step);
        tellWarnings();
        if (present?.end) tellEnd();
        refresh();
        showExports();
    });
    engine.terrains();
    library?.change();
    if (link?.view) map.view.moveTo(link.view);
    busy(null);
    refresh();
    showExports();
    followTheme(() => map.view.redraw());
    return {drawing, ui, map, present: () => present, compare};
}

// Offers a file that the page has made, as a download
function download([blob, name]) {
    const href = URL.createObjectURL(blob);
    element("a", {href, download: name, hidden: ""}).click();
    setTimeout(() => URL.revokeObjectURL(href), 10000);
}

// A picture of the visible map, with title, time and legend below it.
function drawPng(map) {
    const {canvas, view, state} = map, picture = document.createElement("canvas"), dense = canvas.width / view.size()[0];
    view.drawOn(picture, (draw) => {
        printing = true;
        draw();
        printing = false;
    });
    const out = document.createElement("canvas"), strip = 62 * dense, c = out.getContext("2d"), scale = state.layer?.scale;
    [out.width, out.height] = [picture.width, picture.height + strip];
    c.fillStyle = "#ffffff";
    c.fillRect(0, 0, out.width, out.height);
    c.drawImage(picture, 0, 0);
    c.setTransform(dense, 0, 0, dense, 0, picture.height);
    const text = (words, x, y, weight = 400) => {
        c.font = `${weight} 13px system-ui, sans-serif`;
        c.fillStyle = "#15151a";
        c.fillText(words, x, y);
    };
    text([byId("title").textContent, facts.time ? byId("now").textContent : ""].filter(Boolean).join(" · "), 12, 20, 650);
    if (!state.layer) return out;
    const of = document.querySelector("#legend .of"),
          words = inWords(state.layer.label) + (state.layer.unit ? ` (${state.layer.unit})` : "") +
        (of ? ` (${of.textContent})` : "");
    text(words, 12, 46);
    const left = 30 + c.measureText(words).width, colours = scale.stops || scale.classes.map(([, colour]) => colour),
          wide = 240 / colours.length;
    colours.forEach((colour, i) => {
        c.fillStyle = colour;
        c.fillRect(left + i * wide, 34, wide + 1, 14);
    });
    const ends =
        scale.stops ? [brief(scale.low), brief(scale.high)] : [inWords(scale.classes[0][2]), inWords(scale.classes.at(-1)[2])];
    text(ends[0], left, 60);
    text(ends[1], left + 240 - c.measureText(ends[1]).width, 60);
    return out;
}

(async () => {
    const other = await engine.start();
    facts.vents = [];
    facts.assets = null;
    const link = location.hash.length > 1 ? await unpackLink(location.hash.slice(1)) : null;
    window.sciara = other || startPage(link);
    document.documentElement.dataset.ready = "yes";
})().catch((error) => {
    byId("alerts").append(
        element("p", {}, `This page could not be shown: ${error.message}. It needs a browser of 2023 or later.`));
    document.documentElement.dataset.ready = "failed";
});
