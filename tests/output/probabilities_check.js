// probabilities_check.js: whether the page says each probability and each range of arrivals of the tables as the program does
// (test_draw.c reads the same tables), and with a comma where the language has one: node probabilities_check.js BUILD
"use strict";
const fs = require("node:fs"), vm = require("node:vm");
const page = [`${process.argv[2]}/words_table.js`, "src/show/page/words.js", "src/show/page/data.js"]
                 .map((name) => fs.readFileSync(name, "utf8"))
                 .join("\n");
const {say, spread, range, dates, speak} = vm.runInThisContext(`${
    page}\n({ say: probabilityWords, spread: rangeWords, range: arrivalRange, dates: datesFrom, speak: (code) => (language = code) })`);
const table = (name) =>
    fs.readFileSync(`tests/output/${name}.txt`, "utf8").trim().split("\n").slice(1).map((row) => row.split("\t"));
const rows = table("probabilities"), arrivals = table("arrivals"),
      said = ([low, high, start]) => range(+low, +high, dates(Date.parse(start)));
const wrong = rows.filter(([p, members, text]) => say(+p, +members) !== text).map(([p, members,
    text]) => `${p} of ${members}: '${say(+p, +members)}', not '${text}'`);
wrong.push(...arrivals.filter((row) => said(row) !== row[3]).map((row) => `${row.join(", ")}: '${said(row)}'`));
for (let n = 1; n <= 2000; n++) {
    const bound = -100 * Math.expm1(Math.log(0.05) / n), digit = 10 ** (Math.floor(Math.log10(bound)) - 1);
    const said = [say(0, n), say(1, n)], [below, above] = said.map((text) => +text.match(/(?:below|above) ([\d.]+) %/)[1]);
    if (!(below > bound - 1e-9 && below < bound + digit && above < 100 - bound + 1e-9 && above > 100 - bound - digit))
        wrong.push(`${n}: ${said.join(", ")}, but ${bound} %`);
}
if (spread(0.3, 0.060694, 0.66001) !== "30 % (6.06 to 66.1)" || spread(1, 0.99499, 1) !== "above 99.4 %")
    wrong.push(`of a hazard: ${spread(0.3, 0.060694, 0.66001)}, ${spread(1, 0.99499, 1)}`);
if (rows.length < 20 || arrivals.length < 15) wrong.push("a table is short");
speak("is");
if (range(0.5, 62, () => null) !== "0,5 – 62 klst.") wrong.push(`in Icelandic: '${range(0.5, 62, () => null)}'`);
speak("it");
if (say(0, 200) !== "nessuna su 200 (sotto 1,5 %)" || say(0.367, 26.3) !== "36,7 % ± 9,4")
    wrong.push(`in Italian: '${say(0, 200)}', '${say(0.367, 26.3)}'`);
console.log(wrong.join("\n"));
process.exit(wrong.length ? 1 : 0);
