// probabilities_check.js: whether the page says each probability and each range of arrivals of the tables as the program does
// (test_draw.c reads the same tables), and with a comma where the language has one: node probabilities_check.js BUILD
"use strict";
const fs = require("node:fs"), vm = require("node:vm");
const page = [`${process.argv[2]}/words_table.js`, "src/show/page/words.js", "src/show/page/data.js"]
                 .map((name) => fs.readFileSync(name, "utf8"))
                 .join("\n");
const {say, range, dates, speak} = vm.runInThisContext(
    `${page}\n({ say: probabilityWords, range: arrivalRange, dates: datesFrom, speak: (code) => (language = code) })`);
const table = (name) =>
    fs.readFileSync(`tests/output/${name}.txt`, "utf8").trim().split("\n").slice(1).map((row) => row.split("\t"));
const rows = table("probabilities"), arrivals = table("arrivals"),
      said = ([low, high, start]) => range(+low, +high, dates(Date.parse(start)));
const wrong = rows.filter(([p, members, text]) => say(+p, +members) !== text).map(([p, members,
    text]) => `${p} of ${members}: '${say(+p, +members)}', not '${text}'`);
wrong.push(...arrivals.filter((row) => said(row) !== row[3]).map((row) => `${row.join(", ")}: '${said(row)}'`));
if (rows.length < 20 || arrivals.length < 15) wrong.push("a table is short");
speak("is");
if (range(0.5, 62, () => null) !== "0,5 – 62 klst.") wrong.push(`in Icelandic: '${range(0.5, 62, () => null)}'`);
speak("it");
if (say(0, 200) !== "nessuno su 200 (sotto 1,5 %)" || say(0.367, 26.3) !== "36,7 % ± 9,4")
    wrong.push(`in Italian: '${say(0, 200)}', '${say(0.367, 26.3)}'`);
console.log(wrong.join("\n"));
process.exit(wrong.length ? 1 : 0);
