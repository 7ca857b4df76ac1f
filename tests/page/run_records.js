/* Audits records with prove.js: node run_records.js cases.json, a list of {record: base64, notes, luck}. */

import { readFileSync } from "node:fs";
import { argv } from "node:process";

import { readLuck } from "./luck.js";
import { prove } from "./prove.js";
import { readNotes } from "./witness.js";

async function audited({ record, notes, luck }) {
  const blob = new Blob([Buffer.from(record, "base64")]);
  const report = await prove(blob, { notes: () => readNotes(notes ?? "").notes, drawings: readLuck(luck) });
  return { verdict: report.verdict, firstBad: report.firstBad, checks: report.checks };
}

const reports = [];
for (const each of JSON.parse(readFileSync(argv[2], "utf-8"))) reports.push(await audited(each));
console.log(JSON.stringify(reports));
