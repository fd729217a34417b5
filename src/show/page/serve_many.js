// serve_many.js: ensembles, and questions to a library.

const quoted = (name) => `'${name.replaceAll("'", "''")}'`;  // a name in SQL

// The columns of results, which have their own list of sliders. PLAIN has words for columns that are not quantities
const OUTCOMES = ["area_m2", "runout_m", "emitted_m3", "jaccard"], PLAIN = {
    jaccard: "overlap with the observed outline"
};

// question(body) asks the library a moment after the last change. It promises [words for the panel, whether they are a
// refusal]
function makeLibrary(ui, {choose, redraw, question}) {
    const {library} = facts, box = byId("library"), ranges = new Map(), places = new Map();
    if (!library) return null;
    const where = element("input", {type: "text", spellcheck: "false", name: "where", placeholder: "arrival_h('Hut') <= 6"}),
          about = element("p", {id: "answer", role: "status", "aria-live": "polite"});
    let waiting = 0;
    function change() {
        redraw();
        clearTimeout(waiting);
        waiting = setTimeout(() => question(body()).then(say), 120);
    }
    function say([words, refused]) {
        about.textContent = words;
        about.classList.toggle("refused", refused);
        where.setAttribute("aria-invalid", String(refused));
    }
    function body() {
        const {x, y, radius_m} = ui.circle || {}, square = (name, from) => `(${name} - ${from}) * (${name} - ${from})`;
        const given =
            [...places].filter(([, v]) => v).map(([name, v]) => `arrival_h(${quoted(name)}) IS ${v === "yes" ? "NOT " : ""}NULL`);
        if (where.value.trim()) given.push(`(${where.value.trim()})`);
        for (const [c, [low, high]] of ranges)
            if (low > c.low || high < c.high) given.push(`"${c.name.replaceAll('"', '""')}" BETWEEN ${low} AND ${high}`);
        if (ui.circle) given.push(`${square("x", x)} + ${square("y", y)} <= ${radius_m ** 2}`);
        return given.length ? {where: given.join(" AND ")} : {};
    }
    // Two sliders, one for each end
    function rangeOf(column) {
        const {low, high} = column, out = element("output"), step = niceStep((high - low || 1) / 200),
                    head = PLAIN[column.name] ? t(PLAIN[column.name]) : quantityHead(column.name),
                    words = head.textContent ?? head;
        const make = (value, end) => element("input", {
            type: "range",
            min: low,
            max: high,
            step: "any",
            value,
            "aria-label": `${words}: ${end}`,
            "data-column": column.name
        });
        const least = make(low, t("from")), most = make(high, t("to"));
        const show = () => (out.textContent = [least, most].map((end) => brief(inUnit(column.name, +end.value), 3)).join(" – "));
        for (const input of [least, most])
            input.addEventListener("input", () => {
                if (+least.value > +most.value) input === least ? (most.value = least.value) : (least.value = most.value);
                const at = (v, end) => (Math.abs(v - end) < step ? end : v);
                ranges.set(column, [at(+least.value, low), at(+most.value, high)]);
                show();
                change();
            });
        show();
        return element("div", {class: "range"}, element("span", {}, head), out, least, most);
    }
    function placeOf(name) {
        const choice = element("select", {name: "place"}, element("option", {value: ""}, t("any")),
            element("option", {value: "yes"}, t("lava arrives")), element("option", {value: "no"}, t("lava does not arrive")));
        choice.addEventListener("change", () => (places.set(name, choice.value), change()));
        const out = element("output", {"data-place": name});
        return element("label", {class: "answer"}, foreign(name), out, choice);
    }
    // Sliders for these columns, in a part that a click on its first line opens
    function rangesOf(words, columns) {
        return columns.length ? [element("details", {}, element("summary", {}, t(words)), ...columns.map(rangeOf))] : [];
    }
    const circle = makeButton(t("Vents in a circle: click its centre"), () => choose("circle"), {id: "circle"}),
          none = makeButton(t("Without the circle"), () => ((ui.circle = null), change()), {id: "nocircle"});
    const radius = element("input", {
        type: "range",
        id: "radius",
        min: 2 * facts.grid.cell_m,
        max: Math.min(facts.grid.rows, facts.grid.cols) * facts.grid.cell_m * 0.5,
        step: facts.grid.cell_m,
        value: ui.circle?.radius_m ?? 20 * facts.grid.cell_m,
        "aria-label": t("Radius of the circle")
    });
    radius.addEventListener("input", () => ui.circle && ((ui.circle.radius_m = +radius.value), change()));
    ui.setCircle = ([x, y]) => {
        ui.circle = {x, y, radius_m: +radius.value};
        change();
    };
    where.addEventListener("change", change);
    // Columns that say nothing about an eruption, or that the circle chooses
    const numbers = ["member", "weight", "terrain_seed", ...(library.vents ? ["x", "y"] : [])];
    const columns = library.columns.filter((c) => c.high > c.low && !numbers.includes(c.name)),
          isOutcome = (c) => OUTCOMES.includes(c.name);
    box.replaceChildren(
        element("p", {class: "quiet"},
            t("{} {computed eruption answers|computed eruptions answer}. What is known of this one?", brief(library.members))),
        about, ...(library.places || []).map(placeOf));
    if (library.vents) box.append(element("div", {class: "row"}, circle, none), field(t("Radius"), radius));
    box.append(...rangesOf("How far the lava came", columns.filter(isOutcome)),
        ...rangesOf("Rates, vents, lava and terrain", columns.filter((c) => !isOutcome(c))), field(t("Given that"), where),
        makeButton(t("Ask"), change, {id: "ask"}));
    byId("go").after(byId("librarypart"));  // questions come first
    byId("librarypart").hidden = false;
    byId("librarypart").open = true;
    return {
        change,
        // Shows the answer for each place
        answered(words) {
            for (const out of box.querySelectorAll("[data-place]")) out.textContent = words?.get(out.dataset.place) ?? "";
        }
    };
}

// ---- the words in the panel about an ensemble

// The number of members behind the probabilities: "12 of 40 members"; "": there are none
function memberWords({kind, last, end, begin}) {
    const done = end?.members ?? last.members, all = last.all ?? (kind === "ask" ? begin.of : begin.members);
    return kind === "run" || done === undefined ? "" : t("{} of {} {member|members}", brief(done, 7), brief(all ?? done, 7));
}
function ensembleWords(result) {
    const error = result.last.largest_error;
    if (typeof error === "number") result.error = error;
    return [memberWords(result), result.error > 0 ? t("largest standard error {}", percent(result.error)) : ""]
        .filter(Boolean)
        .join(", ");
}
