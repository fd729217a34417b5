// serve_compare.js: keeps results, shows a kept result next to the present one, and shows their difference.

// Classes of the change of arrivals
const CHANGE = [
    [0.5, "#a9a294", "same"], [1.5, "#f0902b", "earlier"], [2.5, "#63a5d6", "later"], [3.5, "#2166ac", "spared"],
    [Infinity, "#a50026", "struck"]
];

// The standard error of a probability in a result
const errorOf = ({scene}, p) => Math.sqrt((p * (1 - p)) / scene.facts.members);

// The difference of two results in each cell that lava reached in one of them. Runs are compared by arrivals, ensembles by
// probabilities.
function differenceOf(kept, present, ground) {
    const runs = kept.kind === "run", name = runs ? "arrival" : kept.kind === "pairs" ? "probability_with" : "probability";
    const cells = makeGrowingCells(facts.grid), arrays = makeGrowingArrays(), counts = new Array(5).fill(0);
    // Arrivals that differ by fewer hours than this count as equal
    const soon = Math.max(1, 0.02 * (runs ? present.time.last_step * present.time.step_s / 3600 : 0));
    for (const {cells: c} of [kept, present])
        for (let i = 0; i < c.count; i++) cells.add(c.y[i], c.x[i]);
    const q = arrays.room("change", cells.count), error = arrays.room("error", cells.count),
          valueOf = (r, row, col) => r.arrays.value(name, r.cells.find(row, col));
    for (let i = 0; i < cells.count; i++) {
        const before = valueOf(kept, cells.y[i], cells.x[i]), now = valueOf(present, cells.y[i], cells.x[i]);
        if (runs)
            counts[(q[i] = Number.isNaN(now) ? 3 :
                    Number.isNaN(before)     ? 4 :
                    now < before - soon      ? 1 :
                    now > before + soon      ? 2 :
                                               0)]++;
        else {
            q[i] = Math.round(10000 * (1 + (now || 0) - (before || 0)));
            error[i] = Math.round(10000 * Math.hypot(errorOf(kept, before || 0), errorOf(present, now || 0)));
        }
    }
    arrays.set("error", {unit: 1e-4});
    arrays.set("change", runs ? {base: 0, unit: 1} : {base: -1, unit: 1e-4});
    const layer = runs ? {name: "change", kind: "change", label: "Difference", unit: "", classes: CHANGE, array: "change"} : {
        name: "change",
        kind: "difference",
        label: "Difference of probability",
        unit: "",
        // The upper end of a class of increases belongs to the next class, as on maps
        classes: facts.classes.change.map(([end, ...rest]) => [end > 0 ? end - 1e-9 : end, ...rest]),
        array: "change",
        error: "error",
        members: Math.min(kept.scene.facts.members, present.scene.facts.members)
    };
    const km2 = (n) => `${brief((n * facts.grid.cell_m ** 2) / 1e6, 3)} km²`;
    const words = runs ? t("Spared {}, struck {}; earlier {}, later {}.", ...[3, 4, 1, 2].map((k) => km2(counts[k]))) : "";
    return {scene: makeScene({layers: [layer]}, arrays, cells, ground), words, counts};
}

// present(): the result on the map; changed() draws again; showing(scene) shows a difference, showing(null) the present result;
// restore(result) makes the drawing of a result the present drawing.
function makeCompare(present, ground, {changed, showing, restore}) {
    const kept = [], list = byId("kept"), swipe = byId("swipe"), box = byId("difference");
    let chosen = null, number = 0, difference = null;

    function keep() {
        const result = present();
        if (!result?.cells.count) return;
        const name = `${String.fromCharCode(65 + (number++ % 26))} · ${keptWords(result)}`;
        kept.push({name, result});
        if (kept.length > 6) kept.shift();
        choose(kept.at(-1));
    }
    function choose(k) {
        chosen = k;
        list.replaceChildren(...kept.map((one) => {
            const again = t("Draw this again"),
                  name = makeButton(
                      foreign(one.name), () => choose(one === chosen ? null : one), {"aria-pressed": String(one === chosen)});
            return element(
                "li", {class: "row"}, name, makeButton("↺", () => restore(one.result), {title: again, "aria-label": again}));
        }));
        show();
    }
    const comparable = () =>
        chosen && present() && chosen.result !== present() && chosen.result.kind === present().kind && present().cells.count > 0;
    function show() {
        const both = comparable();
        byId("swiping").hidden = !both;
        difference = both && box.checked && (present().end || present().kind !== "run") ?
            differenceOf(chosen.result, present(), ground) :
            null;
        byId("differences").textContent = difference?.words || "";
        showing(difference?.scene || null);
        changed();
    }
    byId("keep").addEventListener("click", keep);
    swipe.addEventListener("input", changed);
    box.addEventListener("change", show);
    return {
        show,
        kept,
        // What the view shows on the left: the kept result at the same time
        beside: () => (comparable() && !difference ? {scene: chosen.result.scene, at: +swipe.value, name: chosen.name} : null),
        paint(layer, step) {
            const {scene, time} = chosen?.result || {}, same = scene?.layers.find((l) => l.name === layer.name);
            if (same)
                scene.paint(same, time ? Math.min(time.last_step, (step * present().time.step_s) / time.step_s) : 0, layer.scale);
            return same ? {same, step: time ? Math.min(time.last_step, step) : 0, scene} : null;
        },
        comparing: () => comparable() && !difference,
        nearLine: (at) => comparable() && !difference && Math.abs(at - swipe.value) < 0.015,
        setLine(at) {
            swipe.value = at;
            changed();
        },
        counts: () => difference?.counts,
    };
}
function keptWords({kind, end, last}) {
    if (kind === "run")
        return `${brief((end?.area_m2 ?? last.area_m2) / 1e6, 3)} km², ${
            million(end?.ledger.emitted_m3 ?? last.emitted_m3).join(" ")}`;
    return t("{} {member|members}", brief(end?.members ?? last.members ?? 0));
}
