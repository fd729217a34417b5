// serve_tools.js: drawing on the map with mouse, fingers and keys; the list of parts, and the fields of the selected part.

const INK = {
    vent: "#15151a",
    fissure: "#15151a",
    wall: "#5b2a0c",
    channel: "#0b5394",
    place: "#6a1b9a"
};
const REFUSED = "#d00000", NEAR = 11;  // pixels

// ---- on the map

// Draws the parts of the drawing. ui: {tool, selected, unfinished: {kind, points, hover}, refusal}
function drawParts(pen, drawing, ui) {
    const {context, view} = pen, screen = (p) => {
        const {col, row} = toCells(p);
        return [view.left + col * view.scale, view.top + row * view.scale];
    };
    const refused = (p) => ui.refusal && ui.refusal.object === p.list && ui.refusal.number === p.number;
    const parts = partsOf(drawing), chosen = parts.find((p) => sameAs(p, ui.selected));
    pen.inCells();
    context.lineJoin = context.lineCap = "round";
    for (const p of parts) {
        const {points} = p.o;
        if (points.length < 2) continue;
        const path = pathOf(points, isArea(p.o)), colour = refused(p) ? REFUSED : INK[p.kind];
        if (p.o.width_m) {
            context.globalAlpha = 0.35;
            pen.stroke(path, colour, Math.max(5, (p.o.width_m / facts.grid.cell_m) * view.scale));
            context.globalAlpha = 1;
        }
        pen.stroke(path, "#ffffff", p === chosen ? 7 : 5);
        pen.stroke(path, colour, p === chosen ? 4 : 2.6, p.kind === "channel" ? [9, 5] : []);
    }
    const open = ui.unfinished;
    if (open) {
        const points = open.hover ? [...open.points, open.hover] : open.points;
        pen.halo(pathOf(points), INK[open.kind], 2.4, [5, 5]);
    }
    pen.onScreen();
    for (const p of parts) {
        const [x, y] = screen(p.o.points[0]), colour = refused(p) ? REFUSED : INK[p.kind], big = pen.big();
        if (p.kind === "vent") pen.triangle(x, y, (p === chosen ? 10 : 8) * big, 2 * big, colour);
        if (p.kind === "place" && p.o.points.length === 1) pen.dot(x, y, 5 * big, colour);
        if (p.kind === "vent" || p.kind === "place") pen.take(x, y, (p.kind === "vent" ? 9 : 6) * big);
        if (refused(p)) ring(context, x, y, 15 * big);
        if (p !== chosen || ui.tool !== "select") continue;
        for (const side of sidesOf(p.o)) pen.dot(...screen(middleOf(side)), 3.5 * big, colour);
        p.o.points.forEach((point, i) => handle(context, ...screen(point), big, i === ui.selected.point));
    }
    // The name of a place has its probability, if a result has one
    const words = (p) => [nameOf(p), ui.placeWords?.get(p.o.name)].filter(Boolean).join(": ");
    const places = parts.filter((p) => p.kind === "place").map((p) => ({p, at: screen(p.o.points[0])}));
    const dots = places.filter(({p}) => p.o.points.length === 1);
    for (const {p, at} of places)
        if (p !== chosen) pen.nameAt(words(p), ...at, dots.filter((q) => q.p !== p).map((q) => q.at));
    if (chosen) pen.label(words(chosen), ...screen(chosen.o.points[0]).map((v, i) => v + [8, 20][i] * pen.big()));
    for (const point of open?.points || []) handle(context, ...screen(point), pen.big());
}
function handle(context, x, y, big, chosen = false) {
    context.fillStyle = chosen ? "#15151a" : "#ffffff";
    context.strokeStyle = chosen ? "#ffffff" : "#15151a";
    context.lineWidth = 1.6;
    context.fillRect(x - 4 * big, y - 4 * big, 8 * big, 8 * big);
    context.strokeRect(x - 4 * big, y - 4 * big, 8 * big, 8 * big);
}
function ring(context, x, y, radius) {
    context.beginPath();
    context.arc(x, y, radius, 0, 7);
    context.strokeStyle = REFUSED;
    context.lineWidth = 3;
    context.stroke();
}

// The part at a place on the screen, with the point there, or the side that has its middle there. The selected part comes
// first.
function hitPart(at, drawing, ui, screenOf) {
    const parts = partsOf(drawing).sort((a, b) => sameAs(b, ui.selected) - sameAs(a, ui.selected));
    for (const {list, number, o} of parts) {
        const xy = o.points.map(screenOf), point = xy.findIndex((p) => Math.hypot(p.x - at.x, p.y - at.y) < NEAR);
        if (point >= 0) return {list, number, point};
        const near = sameAs(ui.selected, {list, number}) &&
            sidesOf(o).find((s) => Math.hypot(screenOf(middleOf(s)).x - at.x, screenOf(middleOf(s)).y - at.y) < NEAR);
        if (near) return {list, number, middle: near.number};
    }
    for (const {list, number, o} of parts) {
        const xy = o.points.map(screenOf), side = xy.findIndex((p, i) => i && distance(at, xy[i - 1], p) < NEAR * 0.7);
        if (side > 0) return {list, number, side};
    }
    return null;
}
function distance(p, a, b) {
    const dx = b.x - a.x, dy = b.y - a.y,
          f = Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy || 1)));
    return Math.hypot(p.x - a.x - f * dx, p.y - a.y - f * dy);
}

const LINE = (tool) => ["fissure", "wall", "channel"].includes(tool);

// The tools, which followPointers (view.js) and the keys call.
function makeTools(drawing, ui, getMap, refresh) {
    const view = () => getMap().view;
    const positionAt = (at) => toMetres(view().positionAt(at.x, at.y));
    const screenOf = (p) => {
        const {scale, col, row} = view().place(), c = toCells(p), [width, height] = view().size();
        return {x: width / 2 + (c.col - col) * scale, y: height / 2 + (c.row - row) * scale};
    };
    let finishedAt = 0;

    function choose(tool) {
        ui.tool = tool;
        ui.unfinished = null;
        if (tool !== "select") ui.selected = null;
        refresh();
    }
    function add(kind, points) {
        drawing.edit((d) => (ui.selected = addPart(d, kind, points)));
        ui.tool = "select";
        ui.unfinished = null;
        refresh();
    }
    function finish() {
        const open = ui.unfinished;
        if (!open) return false;
        if (open.points.length > 1) add(open.kind, open.points);
        else ui.unfinished = null;
        finishedAt = performance.now();
        refresh();
        return true;
    }
    // Uses a click, or Enter at the cursor. Returns whether a tool used it
    function use(point, at) {
        if (ui.tool === "select") {
            const found = hitPart(at, drawing.get(), ui, screenOf), again = found && sameAs(found, ui.selected);
            ui.selected = found && {list: found.list, number: found.number};
            if (again && found.middle) insert(found.middle - 1);
            else if (again) choosePoint(found.point);
            refresh();
            return false;
        }
        if (ui.tool === "circle") return ui.setCircle(point), choose("select"), true;
        if (!LINE(ui.tool)) return add(ui.tool, [point]), true;
        const open = (ui.unfinished ||= {kind: ui.tool, points: []}), last = open.points.at(-1);
        if (last && Math.hypot(screenOf(last).x - at.x, screenOf(last).y - at.y) < 5) return finish();
        open.points.push(point);
        refresh();
        return true;
    }
    const selectedPart = () => drawing.get()[ui.selected.list][ui.selected.number];
    // Selects a point of a line, or (undefined) the whole line
    function choosePoint(number) {
        if (selectedPart().points.length > 1) ui.selected.point = number;
        refresh();
    }
    function insert(after = ui.selected.point) {
        if (selectedPart().points.length < 2) return;
        drawing.edit((d) => (ui.selected.point = addPoint(d[ui.selected.list][ui.selected.number], after)));
        refresh();
    }
    function nextPoint() {
        const {points} = selectedPart(), next = (ui.selected.point ?? -1) + 1;
        choosePoint(next < points.length ? next : undefined);
    }
    function grab(at) {
        if (ui.tool !== "select") return null;
        const found = hitPart(at, drawing.get(), ui, screenOf);
        if (!found || !sameAs(found, ui.selected)) return null;  // the first click selects
        const start = positionAt(at), points = drawing.get()[found.list][found.number].points;
        return {
            move(to) {
                const [x, y] = positionAt(to);
                drawing.edit((d) => {
                    const o = d[found.list][found.number];
                    if (found.middle) found.point = addPoint(o, found.middle - 1), found.middle = 0;
                    if (found.point !== undefined) o.points[found.point] = [x, y];
                    else o.points = points.map(([px, py]) => [rounded(px + x - start[0]), rounded(py + y - start[1])]);
                }, true);
            },
            end: () => drawing.settle(),
        };
    }
    const tool = {
        grab,
        click: (at) => use(positionAt(at), at),
        twice: () => ui.tool !== "select" || performance.now() - finishedAt < 600,
        hover(at) {
            getMap().canvas.style.cursor =
                ui.tool === "select" ? (hitPart(at, drawing.get(), ui, screenOf) ? "move" : "") : "copy";
            if (!ui.unfinished) return;
            ui.unfinished.hover = positionAt(at);
            view().redraw();
        },
    };
    function remove() {
        if (ui.unfinished) {
            if (ui.unfinished.points.length > 1) ui.unfinished.points.pop();
            else ui.unfinished = null;
        } else if (ui.selected) {
            const {list, number, point} = ui.selected;
            if (point === undefined) ui.selected = (drawing.edit((d) => removePart(d, {list, number})), null);
            else if (spare(list, selectedPart()))
                drawing.edit((d) => d[list][number].points.splice(point, 1)), delete ui.selected.point;
        }
        refresh();
    }
    // Handles a key on the map; returns whether it was used
    function key(e) {
        const cursor = view().cursor(), moves = {ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0]};
        if (e.key === "Enter") {
            if (!cursor) return finish();
            const point = toMetres({col: cursor.col + 0.5, row: cursor.row + 0.5});
            use(point, screenOf(point));
        } else if (e.key === "Delete" || e.key === "Backspace") remove();
        else if (e.key === "Insert" && ui.selected) insert();
        else if (e.key.toLowerCase() === "n" && !e.ctrlKey && ui.selected) nextPoint();
        else if (e.key === "Escape") ui.unfinished ? ((ui.unfinished = null), refresh()) : choose("select");
        else if (e.ctrlKey && moves[e.key] && ui.selected) {
            const [dx, dy] = moves[e.key].map((k) => k * facts.grid.cell_m * (e.shiftKey ? 10 : 1));
            drawing.edit((d) => {
                const o = d[ui.selected.list][ui.selected.number];
                o.points =
                    o.points.map(([x, y], i) => ((ui.selected.point ?? i) === i ? [rounded(x + dx), rounded(y + dy)] : [x, y]));
            });
        } else return false;
        return true;
    }
    return {tool, choose, add, key, remove, finish, insert, nextPoint};
}

// ---- the list of parts, and the fields of the selected part

function fillObjects(drawing, ui, pick) {
    const parts = partsOf(drawing.get()), {refusal} = ui;
    byId("objects").replaceChildren(...parts.map((p) => {
        const button = element("button", {type: "button", "aria-pressed": String(sameAs(p, ui.selected))},
            element("span", {class: `sign ${p.kind}`}), foreign(nameOf(p)), element("span", {class: "quiet"}, aboutPart(p)));
        button.addEventListener("click", () => pick(p));
        const item = element("li", {}, button);
        if (refusal && refusal.object === p.list && refusal.number === p.number)
            item.append(element("p", {class: "refused"}, foreign(refusal.message)));
        return item;
    }));
    if (!parts.length)
        byId("objects").append(
            element("li", {class: "quiet"}, t("Nothing is drawn yet: choose Vent, then click where the lava emerges.")));
}
function aboutPart({o, kind}) {
    if (kind === "wall" || kind === "channel")
        return `${brief(lengthOf(o.points), 3)} m × ${o.depth_m ?? o.height_m ?? o.crest_m} m`;
    return kind === "fissure" ? `${brief(lengthOf(o.points), 3)} m` : "";
}

// Fields for the keys of a case. An empty field shows its default. show() updates the fields from the drawing.
function makeKeys(drawing, ui) {
    const original = facts.original_drawing.keys, setOf = (name) => facts.parameters.find((p) => p.name === name)?.values || {};
    function inputOf(key) {
        const number = key.type === "real" || key.type === "count";
        if (number) return numberInput("keys", key.name);
        if (!key.choices) return element("input", {type: "text", name: key.name, spellcheck: "false"});
        return element("select", {name: key.name}, element("option", {value: ""}, foreign(key.usual.replaceAll("`", ""))),
            ...key.choices.map((c) => element("option", {value: c}, foreign(c))));
    }
    const rows = facts.keys.map((key) => {
        const input = inputOf(key), wrong = element("p", {class: "refused", role: "alert"}),
              label = field(foreign(key.name), input, key.unit);
        label.title = facts.quantities[key.name]?.[0] ?? key.meaning;
        onChange(input, (value) => drawing.edit((d) => {
            d.keys = {...d.keys, [key.name]: value || null};
            if (!value && !(key.name in original)) delete d.keys[key.name];
        }));
        return {key, input, wrong, node: element("div", {}, label, wrong)};
    });
    byId("keys").replaceChildren(...rows.map((r) => r.node));
    translate(byId("keys"));
    return {
        show() {
            const {keys, parameters} = drawing.get(), set = setOf(parameters);
            for (const {key, input, wrong} of rows) {
                const value = keys && key.name in keys                                 ? keys[key.name] :
                    parameters === facts.original_drawing.parameters || !key.parameter ? original[key.name] :
                                                                                         null;
                const refused = ui.refusal?.object === "keys" && ui.refusal.field === key.name;
                if (document.activeElement !== input) input.value = value ?? "";
                input.placeholder = set[key.name] ?? (key.parameter ? "" : t(key.usual.replaceAll("`", "")));
                input.setAttribute("aria-invalid", String(refused));
                wrong.replaceChildren(...(refused ? [foreign(ui.refusal.message)] : []));
                if (refused) byId("keyspart").open = true;
            }
        },
    };
}

function field(words, input, unit = "") { return element("label", {}, words, element("span", {class: "unit"}, input, unit)); }
function numberInput(object, name, value = "") {
    const [min, max] = limitOf(object, name);
    return element("input", {type: "number", step: "any", value, name, min, max});
}
// Ignores text that the browser does not accept as a number
function onChange(input, apply) {
    input.addEventListener("change", () => (input.validity.badInput ? input.reportValidity() : apply(input.value.trim())));
}
function fillFields(drawing, ui, tools) {
    const box = byId("fields"), p = ui.selected && partsOf(drawing.get()).find((q) => sameAs(q, ui.selected));
    box.hidden = !p;
    if (!p) return box.replaceChildren();
    const edit = (change) => drawing.edit((d) => change(d[p.list][p.number])), {refusal} = ui,
          refused = refusal?.object === p.list && refusal.number === p.number;
    const name = element("input", {type: "text", value: p.o.name || "", placeholder: nameOf(p), name: "name"});
    name.addEventListener(
        "change", () => edit((o) => (name.value.trim() ? (o.name = name.value.trim()) : p.list === "places" || delete o.name)));
    const list = [field(t("Name"), name)];
    const by = p.kind === "channel" ? "depth_m" : "crest_m" in p.o ? "crest_m" : "height_m";
    if (p.kind === "wall") {
        const choice = element("select", {name: "by"}, element("option", {value: "height_m"}, t("Height above ground")),
            element("option", {value: "crest_m"}, t("Elevation of the crest")));
        choice.value = by;
        choice.addEventListener("change", () => edit((o) => {
            delete o[by];
            o[choice.value] = choice.value === "crest_m" ? Math.round(ui.groundAt(o.points[0]) + 10) : 15;
        }));
        list.push(field(t("Given by"), choice)), list.at(-1).classList.add("wide");
    }
    for (const of of p.list === "barriers" ? [by, "width_m", "from_h"] : []) {
        const input = numberInput("barriers", of, p.o[of] ?? 0), [words, unit] = FIELDS[of];
        onChange(input, (value) => value && edit((o) => (o[of] = +value)));
        input.setAttribute("aria-invalid", String(refused && refusal.field === of));
        list.push(field(t(words), input, unit));
    }
    const inDegrees = !!facts.degrees && ui.degrees, shown = pointLines(p.o.points, inDegrees);
    const points = element("textarea", {
        rows: Math.min(6, shown.length),
        spellcheck: "false",
        name: "points",
        "aria-label": t(inDegrees ? "Lat, lon" : "East, north")
    },
        shown.join("\n"));
    points.addEventListener("change", () => {
        try {
            const read = readPoints(points.value, p.o.points, inDegrees);
            points.setCustomValidity("");
            edit((o) => (o.points = read));
        } catch (error) {
            points.setCustomValidity(error.message);
            points.reportValidity();
        }
    });
    const unit = element("select", {name: "unit"}, element("option", {value: ""}, `${t("East, north")} (m)`));
    if (facts.degrees) unit.append(element("option", {value: "degrees"}, `${t("Lat, lon")} (°)`));
    unit.value = inDegrees ? "degrees" : "";
    unit.addEventListener("change", () => ((ui.degrees = !!unit.value), fillFields(drawing, ui, tools)));
    const button = (words, title, act) => makeButton(t(words), act, {title: t(title), name: words});
    const {point} = ui.selected, buttons = element("div", {class: "row"});
    if (shown.length > 1) {
        const next = button("Point", "Choose the next point (N)", tools.nextPoint);
        next.textContent = point === undefined ? t("All points") : t("Point {} of {}", point + 1, shown.length);
        buttons.append(next, button("Add a point", "Add a point after the chosen one (Insert)", () => tools.insert()));
    }
    buttons.append(point === undefined ? button("Delete", "Delete (Del)", tools.remove) :
                                         button("Remove", "Remove the chosen point (Del)", tools.remove));
    buttons.lastChild.disabled = point !== undefined && !spare(p.list, p.o);
    // When the fields are made anew, focus stays in the field with the same name
    const focused = box.contains(document.activeElement) && document.activeElement.name;
    box.replaceChildren(element("div", {class: "pair"}, ...list), field(t("Coordinates"), unit), points, buttons);
    if (focused) box.querySelector(`[name="${focused}"]`)?.focus();
}
