// serve_forecast.js: a forecast of the drawing. The program saves the drawing as a case, and computes the forecast in the
// folder of the case.

const FORECAST_FILES = {
    "bulletin.html": "Bulletin",
    "report.html": "Report",
    "bulletin.png": "Bulletin as a picture",
    "map_forecast.png": "Map",
    "map_probability.png": "Map of the probability"
};

// drawing(): the drawing, null if it is refused; begin(): ends all other computations
function makeForecast({drawing, begin}) {
    const state = byId("forecaststate"), button = byId("forecast"), picture = byId("forecastmap"), seen = byId("seen"),
          chosen = byId("seenfile"), name = byId("forecastname"), saved = new Map();
    let flight = null, shown = 0, asked = 0, pending = [];
    seen.placeholder = "observed_front front.geojson at 24h error_m 30";  // as in a plan
    name.value = facts.name || "forecast";

    function say(words, refused = false) {
        state.replaceChildren(foreign(words));
        state.classList.toggle("refused", refused);
    }
    function busy(now) { button.textContent = t(now ? "Stop" : "Start"); }
    // Shows the map that was requested last. A map is missing for a moment while the next map replaces it.
    async function showMap(id) {
        const turn = ++asked, answer = await fetch(engine.forecastFile(id, "map_probability.png")),
              blob = answer.ok ? await answer.blob() : null;
        if (!blob || turn !== asked) return;
        URL.revokeObjectURL(picture.src);
        picture.src = URL.createObjectURL(blob);
        picture.hidden = false;
    }
    function showFiles(id, {files}) {
        byId("forecastfiles")
            .replaceChildren(...files.map(
                (file) => element("a", {class: "button", target: "_blank", rel: "noopener", href: engine.forecastFile(id, file)},
                    t(FORECAST_FILES[file]))));
    }
    // Saves the case before observations are stored next to it. Another case with this name is not replaced: then the error
    // has `taken`
    async function save(what) {
        if (saved.get(what.name) === what.drawing) return;
        await engine.save({drawing: what.drawing, name: what.name, kind: "case"}).catch((error) => {
            throw Object.assign(error, {taken: error.status === 409});
        });
        saved.set(what.name, what.drawing);
    }
    async function compute(what, signal) {
        let id = 0;
        for (const file of pending) await engine.sendSeen(what.name, file);
        pending = [];
        for await (const {kind, facts: told} of frames(
            engine.forecast({name: what.name, seen: what.seen, members: what.members, language}, signal))) {
            if (kind === "begin") ({id} = told, say(t("The first map comes after a few members.")));
            if (kind === "failed") throw new Refusal(422, told);
            if (told.members && told.members !== shown) {
                shown = told.members;
                showMap(id).catch(() => {});
            }
            if (kind === "end") showMap(id).catch(() => {});
            if (told.members) say(t("{} of {} {member|members}", brief(told.members, 7), brief(told.all, 7)));
            if (kind === "end") showFiles(id, told), (document.documentElement.dataset.forecast = "yes");
        }
    }
    function offerToGoOn(error, what) {
        say(error.message, true);
        state.append(" ",
            makeButton(t("Continue with the saved case"), () => (saved.set(what.name, what.drawing), start()), {id: "goon"}));
    }
    async function start() {
        if (flight) return flight.abort();
        const what = {
            drawing: drawing(),
            name: name.value.trim(),
            members: +byId("forecastmembers").value || undefined,
            seen: seen.value.split("\n").map((line) => line.trim()).filter(Boolean)
        };
        if (!what.drawing) return null;
        begin();
        const {signal} = (flight = new AbortController());
        shown = 0;
        say("");
        busy(true);
        byId("forecastfiles").replaceChildren();
        delete document.documentElement.dataset.forecast;
        try {
            await save(what);
            await compute(what, signal);
        } catch (error) {
            if (error.name === "AbortError") say(t("Interrupted: started again, it continues."));
            else if (error.taken) offerToGoOn(error, what);
            else say(error.message, true);
        }
        flight = null;
        return busy(false);
    }
    chosen.addEventListener("change", () => {
        const [file] = chosen.files;
        if (!file) return;
        pending.push(file);
        seen.value = [seen.value.trim(), `observed_front "${file.name}" at 24h error_m 30`].filter(Boolean).join("\n");
    });
    button.addEventListener("click", start);
    return {busy: () => busy(!!flight)};
}
