// main.js: builds the page.

const NAMES = {
    run: "Lava flow simulation",
    ensemble: "Ensemble of lava flow simulations",
    calibration: "Calibration",
    posterior: "Calibration: posterior"
};

// ---- heads and words

function fillHead() {
    const s = facts.summary, about = s.case || s.plan || {};
    byId("kind").textContent = t(s.nowcast ? "Forecast" : NAMES[facts.kind] || "");
    byId("title").append(foreign(about.title || about.name || ""));
    const parts = [];
    if (facts.kind === "run" && facts.time) {
        const from = dateAt(0), to = dateAt(hoursOf(facts.time.last_step));
        parts.push(
            from ? t("{} to {}", from, to) : t("{} from the start of the eruption", duration(hoursOf(facts.time.last_step))));
    }
    if (s.run?.interrupted) parts.push(t("interrupted before its end"));
    if (s.members?.end === "interrupted") parts.push(t("interrupted before its end"));
    if (s.nowcast)
        parts.push([`${t("forecast at")} ${duration(s.nowcast.now_h)}`, dateAt(s.nowcast.now_h)].filter(Boolean).join(", "));
    if (s.members?.question)
        parts.push(t("{} of {} {eruption|eruptions}: {}", s.members.done, s.members.planned,
            inWords(s.members.question_said ?? s.members.question)));
    if (s.compared?.with) parts.push(t("compared with {}", inWords(s.compared.with_said ?? s.compared.with)));
    byId("about").textContent = parts.join(" · ");
    const stamp = about.note || facts.stamp;
    byId("stamp").hidden = !stamp;
    if (stamp) byId("stamp").append(foreign(stamp));
    const alerts = byId("alerts"), alert = (text) => alerts.append(element("p", {}, foreign(text)));
    if (about.synthetic_terrain)
        alert(t("SYNTHETIC TERRAIN: made up by a program, not surveyed. Nothing here is about a real place."));
    for (const words of resultWarnings(s.warnings)) alert(words);
    for (const note of facts.notes || []) alert(inWords(note));
}

function fillFigures() {
    for (const {name, value, unit} of keyFigures(facts)) addFigure(name, value, unit);
}

function fillTables() {
    const s = facts.summary, tables = facts.tables || {}, into = byId("tables"), more = byId("more");
    const of = (name) => tables[name];
    into.append(...forecastTable(of("nowcast_places.csv"), s), ...hazardTable(of("hazard_places.csv")));
    if (of("assets.csv")) into.append(assetTable(of("assets.csv")));
    into.append(...fitTable(facts), ...verificationTable(s), ...variedTable(of("members.csv"), s.plan?.known_exactly),
        ...fittedTable(s), ...scoreTable(s), ...posteriorTable(s));
    into.append(...parameterTable(s), ...ledgerTable(s.ledger || s.totals, "Ledger of lava", "m³", "m3"),
        ...ledgerTable(s.heat_ledger, "Ledger of heat", "J", "J"), ...provenanceTable(facts));
    const titles = {
        "timeline.csv": "Timeline",
        "assets.csv": "Places of interest, all numbers",
        "exposed.csv": "What lava reaches, summed up",
        "assets_difference.csv": "Difference to the other question at places",
        "reliability.csv": "Reliability",
        "roc.csv": "ROC curve",
        "overlap.csv": "Overlap",
        "evaluations.csv": "Evaluations",
        "hazard_flows.csv": "Past flows against the map"
    };
    for (const [name, title] of Object.entries(titles)) {
        if (!of(name)) continue;
        const all = of(name),
              words = all.of > all.rows.length ? t("{} ({} of {} {row|rows})", t(title), all.rows.length, all.of) :
                                                 t("{} ({} {row|rows})", t(title), all.rows.length);
        const details = hidden(words, element("div"));
        details.addEventListener(
            "toggle", () => details.lastChild.firstChild || details.lastChild.append(wholeTable(title, all)));
        more.append(details);
    }
    for (const text of limits(facts)) byId("limits").append(element("li", {}, text));
    for (const text of citations(facts)) byId("cite").append(element("li", {}, foreign(text)));
}

function fillCharts(onPick) {
    const tables = facts.tables || {}, list = [];
    const makers = {
        timeline: timelineCharts,
        members: memberCharts,
        reliability: reliabilityChart,
        roc: rocChart,
        overlap: overlapChart,
        evaluations: searchCharts
    };
    for (const [name, charts] of Object.entries(makers))
        if (tables[`${name}.csv`]) list.push(...charts(tables[`${name}.csv`]));
    const charts = list.map((c) => makeChart(c, onPick));
    byId("charts").append(...charts.map((c) => c.node));
    byId("chartsection").hidden = !charts.length;
    return charts;
}

// Fills a list of buttons: one for the probability, and one for each named member. A button shows its layer on the map. Returns a
// function that draws the small maps on the buttons.
function fillMembers(map) {
    const table = facts.tables?.["named_members.csv"], layer = (name) => map?.scene().layers.find((l) => l.name === name),
          drawn = [];
    function add(of, words, command) {
        const canvas = element("canvas"), lines = words.map((w) => element("span", {class: "line"}, w));
        const pick = () => (map.showLayers(of.name), byId("mapsection").scrollIntoView({behavior: "smooth"}));
        const button = of ? makeButton("", pick, {class: "pick"}) : element("div");
        button.append(...(of ? [canvas] : []), ...lines);
        byId("named").append(element("figure", {}, button, ...(command ? [element("code", {}, foreign(command))] : [])));
        if (of) drawn.push([of, canvas]);
    }
    byId("namedsection").hidden = !table;
    if (!table) return () => {};
    if (layer("probability")) add(layer("probability"), [t("Probability of lava")]);
    for (const m of namedMembers(table, facts.summary.plan?.path || "PLAN"))
        add(layer(`thickness_member_${m.member}_m`), [t("Member {}", m.member), ...m.about], m.command);
    if (!drawn.length) return () => {};
    return () => {
        const {view, state, on} = map, was = view.isFitted() ? null : view.place(), {assets} = on;
        on.assets = false;  // names would cover lava
        view.resize(340, 220, 2);
        view.fit();
        for (const [of, canvas] of drawn) {
            map.scene().paint(of, state.step);
            view.drawOn(canvas, (draw) => draw());
        }
        on.assets = assets;
        view.resize();
        if (was) view.moveTo(was);
        map.show();
    };
}

function followPrint(map, charts, drawMembers) {
    function draw(chartWidth, ...size) {
        drawMembers();
        map?.view.resize(...size);
        map?.view.draw();
        for (const c of charts) c.resize(chartWidth);
    }
    // The layout for print does not exist yet, so a picture of a fixed size is made. The style places the picture
    addEventListener("beforeprint", () => {
        printing = true;
        draw(340, 1080, 700, 2);
    });
    addEventListener("afterprint", () => {
        printing = false;
        draw();
    });
}

function sceneOf(bytes) {
    const arrays = makeArrays(facts.arrays, bytes), cells = facts.cells ? makeCells(facts.cells, arrays) : null;
    return makeScene(facts, arrays, cells, facts.terrain ? makeGround(facts, arrays, cells) : null);
}

async function begin() {
    if (facts.language in LANGUAGES) language = facts.language;
    translate();
    fillHead();
    fillFigures();
    fillTables();
    const drawn = facts.grid ? await inflate(bytesOf(byId("numbers").textContent.trim())) : null;
    const map = drawn ? makeMap(sceneOf(drawn)) : null;
    byId("mapsection").hidden = !map;
    performance.mark("drawn");
    const charts = fillCharts(facts.time && map ? (hours) => map.setStep((hours * 3600) / facts.time.step_s) : null);
    const draw = () => charts.forEach((c) => c.resize());
    draw();
    new ResizeObserver(draw).observe(byId("charts"));
    if (map && facts.time) {
        map.charts.push(...charts);
        map.setStep(facts.time.last_step);
    }
    const drawMembers = fillMembers(map);
    followTheme(() => (map?.view.redraw(), drawMembers()));
    followPrint(map, charts, drawMembers);
    document.documentElement.dataset.ready = "yes";
}

begin().catch((error) => {
    byId("alerts").append(
        element("p", {}, t("This page could not be shown: {}. It needs a browser of 2023 or later.", error.message)));
    document.documentElement.dataset.ready = "failed";
});
