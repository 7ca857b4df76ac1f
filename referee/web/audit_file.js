// @ts-check
/** Starts audit.html: the audit alone, from a disk and without a network. */

import { Inspection, takeDrops } from "./page/audit_view.js";
import { h, render } from "./page/dom.js";
import { say, useWords } from "./page/words.js";

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
const inspection = new Inspection(draw);

function draw() {
  render(
    h(
      "main",
      { class: "audit" },
      h("h1", null, say("audit.title")),
      h("p", null, say("audit.intro"), " ", say("audit.alone")),
      inspection.drawChoice(),
      h("div", { class: "audit-columns" }, inspection.drawHere(), drawWord()),
      inspection.drawBad(),
    ),
    root,
  );
}

function drawWord() {
  return h(
    "section",
    { class: "audit-column", key: "word", "data-verdict": "none", "aria-label": say("audit.word.title") },
    h("h2", null, say("audit.word.title")),
    h("p", { class: "audit-verdict" }, say("audit.word.unasked")),
  );
}

useWords(JSON.parse(document.getElementById("words")?.textContent ?? "{}"));
takeDrops(inspection);
draw();
