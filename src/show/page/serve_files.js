// serve_files.js: the list of files in a folder; the reader opens one of them.

const FILE_KINDS = {
    case: "Cases",
    plan: "Plans",
    library: "Libraries",
    dem: "Terrains",
    front: "Fronts, outlines and other layers"
};

function startFiles() {
    const {files} = facts, alerts = byId("alerts"), terrains = makeTerrains(),
          open = (number) => `f/${number}/?key=${encodeURIComponent(KEY)}`;
    // If a file cannot be opened, the reason is next to its name. With Ctrl, Shift or another mouse button the browser opens the
    // file itself
    function entry({number, path, kind}) {
        if (kind === "front") return element("li", {}, foreign(path));
        const link = element("a", {href: open(number)}, foreign(path)), wrong = element("p", {class: "refused", role: "alert"});
        link.addEventListener("click", async (e) => {
            if (e.ctrlKey || e.metaKey || e.shiftKey) return;
            e.preventDefault();
            wrong.textContent = t("Opening …");
            if (kind === "dem") return terrains.open({number}, wrong);
            try {
                await ask(`../f/${number}/api/facts`);
                location.assign(link.href);
            } catch (error) {
                wrong.replaceChildren(foreign(error.message));
            }
        });
        return element("li", {}, link, wrong);
    }
    function group([kind, words]) {
        const found = files.filter((f) => f.kind === kind),
              about = kind === "front" ?
            [element("p", {class: "quiet"}, t("A case or a forecast names these; none is a terrain."))] :
            [];
        return found.length ? [element("section", {}, element("h2", {}, t(words)), ...about,
                                  element("ul", {class: "files"}, ...found.map(entry)))] :
                              [];
    }
    function show() {
        byId("about").textContent = t("{} files that can be opened", files.filter((f) => f.kind !== "front").length);
        const words = files.length ?
            "" :
            t("No case, plan, library or terrain is in this folder. Start the program in another one, or name a file.");
        byId("main").replaceChildren(alerts, ...Object.entries(FILE_KINDS).flatMap(group),
            ...[words, facts.more ? t("There are more: start the program in a folder further down.") : ""].filter(Boolean).map(
                (text) => element("p", {}, text)));
        translate();
    }
    byId("title").append(foreign(facts.folder || "/"));
    chooseLanguage(show);
    show();
    followTheme(() => {});
}
