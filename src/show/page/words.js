// words.js: translates the texts of pages by the table WORDS, which the build makes from src/input/text/words.tsv. A row has
// the English text of scripts or HTML, and the text in other languages. A text without a row stays English.

const [CODES, ...ROWS] = WORDS.trim().split("\n").map((line) => line.split("\t"));
const LANGUAGES = Object.fromEntries(CODES.map((code, i) => [code, ROWS[0][i]]));
const rowOf = new Map(ROWS.map((row) => [row[0], row]));
let language = "en";
// A text in the language of the page. The next value replaces {}, and the form for the previous value replaces {one|many}.
function t(text, ...values) {
    const words = rowOf.get(text)?.[CODES.indexOf(language)] ?? text;
    const chosen = (part, value) =>
        part.replace(/\{([^{}|]*)\|([^{}|]*)\}/g, (_, one, many) => (String(value) === "1" ? one : many));
    return words.split("{}").reduce((all, part, i) => all + (values[i - 1] ?? "{}") + chosen(part, values[i - 1]));
}
// A number with the decimal mark and commas of the language and a true minus sign, from its English form.
const marked = (number) => number.replace(/^-(?=\d)/, "−")
                               .replace(/[.,]/g,
                                   (mark) => (language === "en" ? mark :
                                           mark === "."         ? t("0.1").slice(1, -1) :
                                                                  t("1,000").slice(1, -3)));

// A text that the program has packed (text/words.h): a string, or [row, value...]. A value is a number, a name, or such a list.
const valueOf = (value) => (Array.isArray(value) ? inWords(value) : /^[-+−.,\d]+$/.test(value) ? marked(value) : value);
const inWords = (said) => (Array.isArray(said) ? t(said[0], ...said.slice(1).map(valueOf)) : t(said));
// The sentences of the warnings about a result.
function resultWarnings(list) {
    return (list || [])
        .filter((w) => w.kind === "result")
        .map((w) => inWords(w.said ?? w.text))
        .map((words) => `${words[0].toUpperCase()}${words.slice(1)}.`);
}

const SPOKEN = ["aria-label", "title", "placeholder", "alt"];
// Translates the texts of the HTML. `kept` has the English texts, for a later change of the language.
const kept = new WeakMap();
function translate(root = document.body) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.nodeType === 3) {
            if (node.parentNode.closest("script, style, bdi") || !node.data.trim()) continue;
            if (!kept.has(node)) kept.set(node, node.data.trim());
            node.data = node.data.replace(node.data.trim(), () => t(kept.get(node)));
            continue;
        }
        for (const name of SPOKEN) {
            if (!node.hasAttribute(name)) continue;
            const english = (node.english ||= {});
            node.setAttribute(name, t((english[name] ||= node.getAttribute(name))));
        }
    }
    document.documentElement.lang = language;
}
