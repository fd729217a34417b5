// serve_send.js: opens a terrain that is dropped on the page, chosen, or listed. If the terrain is refused and `sciara dem`
// can correct it, prepares it first.

const LISTED_AT = /\/f\/\d+\/$/.test(location.pathname) ? "../../" : "";  // from the page of a file to the list

function makeTerrains() {
    const root = LISTED_AT && `../${LISTED_AT}api/`, dialog = document.querySelector("dialog"), go = byId("preparego"),
          bar = byId("preparebar"), options = byId("prepareoptions");
    let flight = null, what = null, command = null, place = byId("sent");

    function show(words, refused = false) {
        place.replaceChildren(foreign(words));
        place.classList.toggle("refused", refused);
    }
    const enter = (number) => location.assign(`${LISTED_AT}f/${number}/?key=${encodeURIComponent(KEY)}`);
    const request = (path, body, signal) => askPatiently(`${root}terrains${path}`, body, signal);

    // Shows the command for a shell. The reader has to replace words in capitals
    function showCommand() {
        const {sources, output} = command;
        byId("preparecommand").textContent =
            ["sciara dem", sources, options.value.trim(), "--output", output].filter(Boolean).join(" ");
        byId("preparewords").hidden = !/(^|[ =,:])(?!EPSG|NAME)[A-Z]{2,}($|[ ,])/.test(options.value);
    }
    function busy(now) {
        bar.hidden = !now;
        bar.removeAttribute("value");
        go.disabled = options.disabled = now;
    }
    function offer(refused) {
        command = refused.prepare;
        // The message without its command, because the command is shown below
        const why = refused.message.replace(/sciara dem .*$/s, "").replace(/(; prepare it)?[:(] *\(?$/, "");
        byId("preparewhy").replaceChildren(foreign(why));
        options.value = command.options;
        busy(false);
        showCommand();
        if (!dialog.open) dialog.showModal();
    }
    function refuse(error) {
        if (error.prepare) return offer(error);
        if (dialog.open) dialog.close();
        show(error.message, true);
    }
    async function prepare() {
        const mine = (flight = new AbortController());
        busy(true);
        try {
            for await (const {kind, facts: told} of frames(
                piecesOf(await request("/prepare", {...what, options: options.value.trim()}, mine.signal)))) {
                if (kind === "failed") throw new Refusal(422, told);
                if (told.output) command.output = told.output, showCommand();
                if (told.all) bar.value = told.done / told.all;
                if (kind === "end") enter(told.number);
            }
        } catch (error) {
            if (mine === flight && error.name !== "AbortError") refuse(error);
        }
    }
    // Opens a listed terrain ({number}) or a sent terrain ({id}). Shows a refusal in `at`
    async function open(which, at = place) {
        [what, place] = [which, at];
        try {
            enter((await (await request("/open", which, new AbortController().signal)).json()).number);
        } catch (error) {
            refuse(error);
        }
    }
    async function send(files) {
        const list = [...files];
        if (!list.length) return;
        place = byId("sent");
        try {
            const told = {files: list.map((f) => ({name: f.name, bytes: f.size}))};
            const {id} = await (await ask(`${root}terrains`, told)).json();
            for (const [k, file] of list.entries()) {
                show(t("Sending {} …", file.name));
                await ask(`${root}terrains/file?id=${id}&file=${k}`, file);
            }
            show(t("Opening …"));
            await open({id});
        } catch (error) {
            refuse(error);
        }
    }

    const chosen = element("input", {type: "file", multiple: "", hidden: ""});
    chosen.addEventListener("change", () => send(chosen.files));
    byId("give").addEventListener("click", () => chosen.click());
    const holds = (e) => e.dataTransfer?.types.includes("Files");
    document.addEventListener("dragover", (e) => holds(e) && e.preventDefault());
    document.addEventListener("drop", (e) => {
        if (!holds(e)) return;
        e.preventDefault();
        send(e.dataTransfer.files);
    });
    options.addEventListener("input", showCommand);
    byId("prepareform").addEventListener("submit", (e) => {
        e.preventDefault();
        prepare();
    });
    byId("preparenot").addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
        flight?.abort();
        flight = null;
        show("");
    });
    return {open, send};
}
