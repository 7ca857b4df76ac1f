/* Checks proofs with tlog.js: node run_tlog.js cases.json, lists of [function, ...arguments]; prints what each returns. */

import { readFileSync } from "node:fs";
import { argv } from "node:process";

import * as tlog from "./tlog.js";

const found = [];
for (const [name, ...given] of JSON.parse(readFileSync(argv[2], "utf-8"))) found.push(await tlog[name](...given));
console.log(JSON.stringify(found));
