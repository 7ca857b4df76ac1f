// What a form holds after each of several clicks: a schema, a draft to start with, and the parts of what is clicked.
import { readFileSync } from "node:fs";
import { factsOf, filled, isFilled } from "./filling.js";

const { schema, start, clicks } = JSON.parse(readFileSync(process.argv[2], "utf8"));
let draft = start;
const drafts = clicks.map((parts) => (draft = filled(schema, draft, parts) ?? draft));
console.log(JSON.stringify({ drafts, marked: clicks.map((parts) => isFilled(draft, parts)), facts: [...factsOf(schema).keys()] }));
