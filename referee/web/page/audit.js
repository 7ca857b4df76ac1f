// @ts-check
/** The page of the audit: of a game here, or of a record that is dropped onto it. */

import { Inspection, takeDrops } from "./audit_view.js";
import { RefereesWord } from "./audit_word.js";
import { asFile } from "./copy.js";
import { h } from "./dom.js";
import * as keep from "./keep.js";
import { readLuck } from "./luck.js";
import { Problem, call, download } from "./net.js";
import { agrees, pinned } from "./pinned.js";
import { Witness, writeNotes } from "./witness.js";
import { say } from "./words.js";

/** @typedef {{ redraw: () => void }} App */

const CONFLICT = 409;
const GAME = /^g_\w{1,64}$/;

/**
 * The page at /audit or, with a game, at /games/{id}/audit.
 * @param {App} app
 * @param {string} [game]
 */
export function open(app, game) {
  const end = new AbortController();
  const witness = new Witness(keep);
  const inspection = new Inspection(app.redraw, (id) => witness.notes(id), () => ({ vkey: pinned()?.vkey, agrees }));
  const word = new RefereesWord(app.redraw, end.signal);
  takeDrops(inspection, end.signal);
  if (game) {
    inspection.expected = game;
    fetchRecord(inspection, game, end.signal);
    word.ask(game);
  }
  return { name: () => say("audit.title"), draw: () => draw(inspection, word, witness, game), close: () => end.abort() };
}

/**
 * @param {Inspection} inspection
 * @param {string} game
 * @param {AbortSignal} signal
 */
async function fetchRecord(inspection, game, signal) {
  try {
    const record = await download(`/v1/games/${game}/record`, signal);
    inspection.drawings = await fetchLuck(game, signal);
    await inspection.inspect(record, `${game}.jsonl`);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Problem)) throw error;
    inspection.say(error.status === CONFLICT ? say("audit.not_over") : say("audit.failed_to_read", { why: error.message }));
  }
}

/**
 * The drawings of a game; null where the service lists none. The audit then leaves out their numbers.
 * @param {string} game
 * @param {AbortSignal} signal
 */
async function fetchLuck(game, signal) {
  try {
    return readLuck(await call(`/v1/games/${game}/luck`, { signal }));
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/**
 * @param {Inspection} inspection
 * @param {RefereesWord} word
 * @param {Witness} witness
 * @param {string} [game]
 */
function draw(inspection, word, witness, game) {
  return h(
    "article",
    { class: "audit", key: "audit" },
    h("h1", null, say("audit.title")),
    h("p", null, say("audit.intro")),
    game && h("p", null, h("a", { href: `/games/${game}` }, say("audit.back"))),
    h("div", { class: "audit-columns" }, inspection.drawHere(), word.draw()),
    inspection.drawBad(),
    !game && drawAsking(inspection, word),
    game && drawNotes(witness.notes(game)),
    inspection.drawChoice(),
    h("p", null, h("a", { href: "/audit.html", download: "audit.html" }, say("audit.take_away"))),
  );
}

/**
 * The page sends a dropped record nowhere, and asks the referee about its game only when the user wants that.
 * @param {Inspection} inspection
 * @param {RefereesWord} word
 */
function drawAsking(inspection, word) {
  const game = inspection.report?.record.header?.game ?? "";
  if (!GAME.test(game) || word.game === game) return null;
  return h("button", { key: "ask", onclick: () => word.ask(game) }, say("audit.word.about", { game }));
}

/** @param {import("./witness.js").Note[]} notes */
function drawNotes(notes) {
  if (notes.length === 0) return null;
  const log = pinned(), seen = log ? [`key ${log.vkey}`, ...log.note.split("\n")].map((line) => `# ${line}\n`).join("") : "";
  return h(
    "details",
    { key: "notes" },
    h("summary", null, `${say("audit.notes_taken")}: ${notes.length}`),
    h("p", null, say("audit.notes_hint")),
    log && h("p", null, say("audit.log.pinned", { key: log.vkey, at: new Date(log.at).toLocaleString() })),
    h("p", null, asFile(writeNotes(notes) + seen, "notes.txt", say("audit.log.keep"))),
    h("textarea", { readonly: true, rows: 8, "aria-label": say("audit.notes_taken"), value: writeNotes(notes) }),
  );
}
