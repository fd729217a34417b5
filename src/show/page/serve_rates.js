// serve_rates.js: the rates of a vent as a curve. The reader drags its points, moves them by keys, or pastes CSV.

// chosenVent(): the number of the selected vent, or null.
function makeRates(drawing, ui, chosenVent) {
    const box = byId("rates"), which = element("select", {name: "vent", "aria-label": t("Rates of")}), plot = element("div"),
          words = element("p", {class: "quiet"});
    const text = element(
        "textarea", {rows: 5, spellcheck: "false", "aria-label": t("Rates as CSV"), placeholder: "0,20\n24,10\n72,4\n168,0"});
    const use = makeButton(t("Use these rates"), useText), wrong = element("p", {class: "refused", role: "alert"});
    const tools = element("div", {class: "row"}), paste = hidden(t("As CSV: hours, m³/s"), element("div", {}, text, use));
    let vent = null, point = 0, scale = null, dragging = false;

    const entryOf = (d) => d.rates.find((r) => r.vent === vent) || d.rates[0];
    const edit = (change, passing) => drawing.edit((d) => change(entryOf(d).points), passing);
    // A point stays between its neighbours, at 0 m3/s or more
    function move(k, hours, rate, passing) {
        edit((points) => {
            const low = k ? points[k - 1][0] + 0.1 : 0, high = k + 1 < points.length ? points[k + 1][0] - 0.1 : Infinity;
            points[k] = [
                k ? Math.min(high, Math.max(low, Math.round(hours * 10) / 10)) : points[0][0],
                k + 1 < points.length ? Math.max(0, +rate.toPrecision(3)) : 0
            ];
        }, passing);
    }
    function addPoint() {
        edit((points) => {
            const k = Math.min(point, points.length - 2), [from, rate] = points[k];
            points.splice(k + 1, 0, [(from + points[k + 1][0]) / 2, rate]);
            point = k + 1;
        });
    }
    function removePoint() {
        if (entryOf(drawing.get()).points.length > 2) edit((points) => points.splice(Math.min(point, points.length - 1), 1));
        point = Math.max(0, point - 1);
    }

    // ---- the curve

    function drawHandles(points, root, frame) {
        points.forEach(([h, r], k) => {
            const said = t("Point {}: from {} h, {} m³/s", k + 1, brief(h), brief(r));
            const dot = svg("circle", {
                cx: frame.place(h),
                cy: frame.up(r),
                r: 7,
                class: `handle${k === point ? " chosen" : ""}`,
                tabindex: 0,
                role: "slider",
                "aria-label": said,
                "aria-valuenow": r,
                "aria-valuemin": 0,
                "aria-valuetext": said,
                "data-point": k
            });
            dot.addEventListener("keydown", (e) => keyed(e, k));
            dot.addEventListener("focus", () => (point = k));
            root.append(dot);
        });
        // The window gets the moves of the pointer, because the root is replaced while a point is dragged
        root.addEventListener("pointerdown", (e) => {
            const k = e.target.dataset.point;
            if (k === undefined || e.button) return;
            e.preventDefault();
            drag(+k, frame, e.pointerId);
        });
        root.addEventListener("dblclick", (e) => {
            const hours = frame.xAt(e.clientX - plot.querySelector("svg").getBoundingClientRect().left),
                  k = points.findLastIndex(([h]) => h < hours);
            if (k < 0 || e.target.dataset.point !== undefined) return;
            point = k + 1;
            edit((p) => p.splice(k + 1, 0, [Math.round(hours * 10) / 10, k + 1 < points.length ? p[k][1] : 0]));
        });
    }
    function drag(k, frame, pointer) {
        point = k;
        dragging = true;
        const follow = (e) => {
            const at = plot.querySelector("svg").getBoundingClientRect();
            if (e.pointerId === pointer) move(k, frame.xAt(e.clientX - at.left), frame.yAt(e.clientY - at.top), true);
        };
        const end = (e) => {
            if (e.pointerId !== pointer) return;
            for (const name of ["pointermove", "pointerup", "pointercancel"])
                removeEventListener(name, name === "pointermove" ? follow : end);
            dragging = false;
            drawing.settle();
        };
        addEventListener("pointermove", follow);
        addEventListener("pointerup", end);
        addEventListener("pointercancel", end);
    }
    function keyed(e, k) {
        const [h, r] = entryOf(drawing.get()).points[k], far = e.shiftKey ? 10 : 1,
                  step = Math.max(0.1, niceStep(Math.max(r, 1) / 50)) * far;
        const to = {ArrowUp: [h, r + step], ArrowDown: [h, r - step], ArrowLeft: [h - far, r], ArrowRight: [h + far, r]}[e.key];
        point = k;
        if (to) move(k, ...to);
        else if (e.key === "Delete" || e.key === "Backspace") removePoint();
        else if (e.key === "Insert") addPoint();
        else return;
        e.preventDefault();
        e.stopPropagation();
        plot.querySelector(`[data-point="${point}"]`)?.focus();
    }

    function show() {
        const d = drawing.get(), entry = d.rates.find((r) => r.vent === (chosenVent() ?? vent)) || d.rates[0];
        for (const node of [which, plot, tools]) node.hidden = !entry;
        if (!entry) return (words.textContent = t("Rates are those of a vent: there is none yet."));
        vent = entry.vent;
        which.replaceChildren(...d.rates.map(
            (r) => element("option", {value: r.vent}, r.vent ? `${t("Vent")} ${r.vent}` : t("All vents together"))));
        which.value = vent;
        const {points} = entry, most = Math.max(...points.map(([, r]) => r), 1), end = Math.max(points.at(-1)[0], 1);
        // While a point is dragged, the scale changes only if it is too small
        if (!dragging || !scale || most > scale.high || end > scale.end) scale = {high: most * 1.2, end: end * 1.08};
        const focused = plot.contains(document.activeElement);
        const chart = makeChart({
            title: t("Effusion rate"),
            unit: "m³/s",
            height: 170,
            low: 0,
            high: scale.high,
            x: {high: scale.end, hours: true},
            series: [{
                name: "",
                points: [[points[0][0], 0], ...points.map(([h], i) => [h, i ? points[i - 1][1] : 0]), [end, 0]],
                steps: true
            }],
            words: t("Effusion rate over time, with points to move"),
            extra: (root, frame) => drawHandles(points, root, frame)
        });
        plot.replaceChildren(chart.node);
        chart.resize();
        if (focused) plot.querySelector(`[data-point="${point}"]`)?.focus();
        const all = d.rates.reduce((sum, r) => sum + volumeOf(r.points), 0);
        chart.node.querySelector(".now").textContent = million(volumeOf(points)).join(" ");
        words.textContent = d.rates.length > 1 ? t("Volume of all vents: {}", million(all).join(" ")) : "";
        if (document.activeElement !== text) text.value = points.map((p) => p.join(",")).join("\n");
        wrong.textContent = ui.refusal?.object === "rates" ? ui.refusal.message : "";
    }
    function useText() {
        try {
            const read = readRates(text.value), ids = drawing.get().vents.map((v) => v.id),
                  unknown = read.find((r) => r.vent && !ids.includes(r.vent));
            if (unknown) throw new Error(t("There is no vent {}.", unknown.vent));
            drawing.edit((d) => {
                if (read[0].vent === 0) d.rates = [read[0]];
                else
                    for (const r of read)
                        (d.rates.find((e) => e.vent === (r.vent ?? vent)) || d.rates[d.rates.push({vent: r.vent ?? vent}) - 1])
                            .points = r.points;
            });
            wrong.textContent = "";
        } catch (error) {
            wrong.textContent = error.message;
        }
    }
    which.addEventListener("change", () => {
        vent = +which.value;
        ui.selected = null;
        show();
    });
    tools.append(which, makeButton(t("Add a point"), addPoint, {title: t("Add a point after the chosen one (Insert)")}),
        makeButton(t("Remove"), removePoint, {title: t("Remove the chosen point (Del)")}));
    box.replaceChildren(tools, plot, words, paste, wrong);
    let wide = 0;
    new ResizeObserver(([{contentRect}]) => contentRect.width !== wide && ((wide = contentRect.width), show())).observe(box);
    return {show};
}
