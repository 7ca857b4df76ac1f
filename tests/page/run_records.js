/* Audits records with prove.js: node run_records.js cases.json, a list of {record: base64, notes, luck, log: {vkey, agrees}}. */

import { readFileSync } from "node:fs";
import { argv } from "node:process";

import { readLuck } from "./luck.js";
import { prove } from "./prove.js";
import { readNotes } from "./witness.js";
import { useWords } from "./words.js";

useWords(JSON.parse(readFileSync(new URL("./en.json", import.meta.url), "utf-8")));

async function audited({ record, notes, luck, log }) {
  const blob = new Blob([Buffer.from(record, "base64")]);
  const known = log && { vkey: log.vkey, agrees: async () => log.agrees };
  const report = await prove(blob, { notes: () => readNotes(notes ?? "").notes, drawings: readLuck(luck), log: known });
  return { verdict: report.verdict, firstBad: report.firstBad, checks: report.checks };
}

const reports = [];
for (const each of JSON.parse(readFileSync(argv[2], "utf-8"))) reports.push(await audited(each));
console.log(JSON.stringify(reports));
