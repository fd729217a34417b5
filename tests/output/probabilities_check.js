// probabilities_check.js: whether the page says each probability of the table as the program does (test_draw.c reads the same
// table), and with a comma where the language has one.
"use strict";
const fs = require("node:fs"), vm = require("node:vm");
const page = ["words", "data"].map((name) => fs.readFileSync(`src/output/page/${name}.js`, "utf8")).join("\n");
const { say, speak } = vm.runInThisContext(`${page}\n({ say: probabilityWords, speak: (code) => (language = code) })`);
const rows = fs.readFileSync("tests/output/probabilities.txt", "utf8").trim().split("\n").slice(1).map((row) => row.split("\t"));
const wrong = rows.filter(([p, members, text]) => say(+p, +members) !== text).map(([p, members, text]) => `${p} of ${members}: '${say(+p, +members)}', not '${text}'`);
if (rows.length < 20) wrong.push("the table is short");
speak("it");
if (say(0, 200) !== "nessuno su 200 (sotto 1,5 %)" || say(0.367, 26.3) !== "36,7 % ± 9,4") wrong.push(`in Italian: '${say(0, 200)}', '${say(0.367, 26.3)}'`);
console.log(wrong.join("\n"));
process.exit(wrong.length ? 1 : 0);
