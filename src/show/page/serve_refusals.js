// serve_refusals.js: the program's refusals in the language of the page.

// words.tsv has a row for each refusal that can occur on the page. The row lacks the name of the refused object, and has {} in
// place of other names and numbers. All other refusals stay English.
const escaped = (text) => text.replaceAll(/[^\w ]/g, "\\$&");
function told(text) {
    if (rowOf.has(text)) return t(text);
    for (const english of rowOf.keys()) {
        if (!english.includes("{}") || !/[a-z]{3}/.test(english)) continue;
        const found = text.match(new RegExp(`^${english.split("{}").map(escaped).join("(.+?)")}$`));
        if (found) return t(english, ...found.slice(1));
    }
    return text;
}

class Refusal extends Error {
    said;
    constructor(status, {error = `status ${status}`, object = null, number = null, field = null, prepare = null}) {
        super();
        const said =
            error.replace(/^barrier .+: |^(vents|rates|barriers|places|keys|parameters|hours|title)( \d+)?: (\w+: )?/, "");
        Object.assign(this, {status, said, object, number, field, prepare});
    }
    get message() { return told(this.said); }
}

// The name of the refused part; "": the whole drawing
function nameOfRefused({object, number, field, said}, drawing) {
    const part = partsOf(drawing).find((p) => p.list === object && p.number === number);
    if (!said || part) return part && said ? nameOf(part) : "";
    return object === "keys" ?
        field :
        t({vents: "Vent", rates: "Rates", barriers: "Barriers", places: "Places of interest"}[object] || "");
}
