// @ts-check
/** Checks files that are dropped or fetched, and shows what was found. It needs no network. */

import { h } from "./dom.js";
import { canHash } from "./fairness.js";
import { readLuck } from "./luck.js";
import { prove } from "./prove.js";
import { lineText } from "./record.js";
import { readNotes } from "./witness.js";
import { say } from "./words.js";

/** @typedef {import("./dom.js").Any} Any */
/** @typedef {import("./prove.js").Check} Check */
/** @typedef {import("./witness.js").Note} Note */
/** @typedef {{ name: string, passed: boolean | null, detail: string }} Claim  A check of the referee. */

const LINE_SHOWN_MAX = 20_000;
const NOTES_BYTES_MAX = 1 << 23;
const LUCK_BYTES_MAX = 1 << 24;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** One record under inspection, and what is known of its game. */
export class Inspection {
  /**
   * @param {() => void} redraw
   * @param {(game: string) => Note[]} notesOn  what this browser noted
   * @param {() => import("./logged.js").KnownLog | undefined} log  and what of the transparency log
   */
  constructor(redraw, notesOn = () => [], log = () => undefined) {
    this.redraw = redraw;
    this.log = log;
    this.notesOn = notesOn;
    /** @type {Blob | null} */
    this.blob = null;
    /** @type {string | undefined} */
    this.expected = undefined;
    this.name = "";
    /** @type {string | null} */
    this.message = null;
    /** @type {import("./prove.js").Report | null} */
    this.report = null;
    /** @type {string | null} */
    this.line = null;
    /** @type {Note[]} */
    this.notes = [];
    /** @type {string[]} */
    this.remarks = [];
    /** @type {import("./luck.js").Drawing[] | null} */
    this.drawings = null;
    this.count = 0;
  }

  /**
   * Takes files that somebody chose or dropped: a record, notes, a list of luck.
   * @param {Iterable<File>} files
   */
  async take(files) {
    this.remarks = [];
    let record = this.blob;
    this.expected = undefined;
    for (const file of files) {
      try {
        const kind = await kindOf(file);
        if (kind === "notes") this.addNotes(await file.slice(0, NOTES_BYTES_MAX).text());
        else if (kind === "luck") this.addLuck(await file.slice(0, LUCK_BYTES_MAX).text());
        else [record, this.name] = [file, file.name];
      } catch (error) {
        this.remarks.push(say("audit.failed_to_read", { why: String(error) }));
      }
    }
    if (record) await this.inspect(record, this.name);
    else this.redraw();
  }

  /** @param {string} text */
  addNotes(text) {
    const { notes, strange } = readNotes(text);
    this.notes = notes;
    if (strange.length > 0) this.remarks.push(say("audit.strange_lines", { lines: strange.slice(0, 10).join(", ") }));
  }

  /** @param {string} text */
  addLuck(text) {
    try {
      this.drawings = readLuck(JSON.parse(text));
    } catch {
      this.drawings = null;
    }
    if (this.drawings === null) this.remarks.push(say("audit.no_luck"));
  }

  /**
   * Checks a record; the one before it is left alone from then on.
   * @param {Blob} blob
   * @param {string} name
   */
  async inspect(blob, name) {
    const count = (this.count += 1);
    [this.blob, this.name, this.report, this.line, this.message] = [blob, name, null, null, null];
    if (!canHash()) return this.say(say("audit.no_crypto"));
    const progress = (/** @type {number} */ commits, /** @type {number} */ bytes) => {
      if (count !== this.count) throw new DOMException("Another record was chosen.", "AbortError");
      this.say(say("audit.reading", { percent: Math.round((100 * bytes) / blob.size), commits }));
    };
    this.say(say("audit.reading", { percent: 0, commits: 0 }));
    try {
      const notes = (/** @type {string} */ game) => [...this.notes, ...this.notesOn(game)];
      const report = await prove(blob, { game: this.expected, drawings: this.drawings, notes, progress, log: this.log() });
      const line = report.firstBad === null ? null : await lineText(blob, report.record, report.firstBad, LINE_SHOWN_MAX);
      if (count === this.count) [this.report, this.line, this.message] = [report, line, null];
    } catch (error) {
      if (count === this.count) this.message = say("audit.failed_to_read", { why: String(error) });
    }
    this.redraw();
  }

  /** @param {string | null} message */
  say(message) {
    this.message = message;
    this.redraw();
  }

  /** The place where files are chosen or dropped. */
  drawChoice() {
    const choose = (/** @type {Event} */ event) => {
      const input = /** @type {HTMLInputElement} */ (event.target);
      this.take([...(input.files ?? [])]);
    };
    return h(
      "label",
      { class: "audit-drop", key: "drop" },
      h("strong", null, say("audit.choose")),
      h("span", null, say("audit.which")),
      h("input", { type: "file", multiple: true, onchange: choose }),
    );
  }

  /** What this browser found; never anything that a referee says. */
  drawHere() {
    const { report } = this;
    const headline = this.message ?? (say(`audit.here.${report?.verdict ?? "waiting"}`));
    const header = report?.record.header;
    return h(
      "section",
      { class: "audit-column", key: "here", "data-verdict": report?.verdict ?? "none", "aria-label": say("audit.here.title") },
      h("h2", null, say("audit.here.title")),
      this.name !== "" && h("p", { class: "audit-name" }, h("bdi", null, visible(this.name))),
      header && h("p", null, visible(say("audit.whose", { game: header.game, rules: `${header.ruleset} ${header.version}` }))),
      h("p", { class: "audit-verdict", role: "status" }, headline),
      this.remarks.map((remark) => h("p", null, visible(remark))),
      report && drawChecks(report.checks),
      report && h("p", { class: "audit-note" }, say("audit.not_here")),
    );
  }

  /** The first commit that does not follow, opened. */
  drawBad() {
    const { report } = this;
    if (!report || report.firstBad === null) return null;
    const check = report.checks.find((each) => each.version === report.firstBad);
    const title = report.verdict === "unreadable" ? say("audit.no_header") : firstBadTitle(report.firstBad);
    return h(
      "section",
      { class: "audit-bad", key: "bad", "aria-label": title },
      h("h2", null, title),
      check && [h("p", null, visible(check.detail)), drawDifference(check)],
      h("pre", { tabindex: 0 }, this.line === null ? say("audit.no_such_line") : visible(this.line.trimEnd())),
    );
  }
}

/**
 * What a file seems to be, from how it begins. What is nothing else is taken for a record, which then says why it is none.
 * @param {Blob} file
 */
async function kindOf(file) {
  const start = await file.slice(0, 100).text();
  if (/^(#|(commitment|hash|nonce|seal) )/.test(start)) return "notes";
  return /^\s*\{\s*"drawings"/.test(start) ? "luck" : "record";
}

/**
 * What the first bad commit is called; 0 is the header.
 * @param {number} version
 */
export function firstBadTitle(version) {
  return version === 0 ? say("audit.bad_header") : say("audit.first_bad", { version });
}

/**
 * A list of checks, of one column.
 * @param {(Check | Claim)[]} checks
 */
export function drawChecks(checks) {
  return h("ul", { class: "audit-checks" }, checks.map((check) => drawCheck(check)));
}

/** @param {Check | Claim} check */
function drawCheck(check) {
  const mark = check.passed === null ? "open" : check.passed ? "passed" : "failed";
  return h(
    "li",
    { "data-check": check.name, "data-mark": mark },
    h("span", { class: "audit-mark" }, say(`audit.marks.${mark}`)),
    h("strong", null, "difference" in check ? say(`audit.checks.${check.name}`) : visible(check.name)),
    h("span", null, visible(check.detail)),
    "difference" in check && ["notes", "log"].includes(check.name) && drawDifference(check),
  );
}

/**
 * Two texts one above the other, with the part marked from which they differ.
 * @param {Check} check
 */
function drawDifference({ name, difference }) {
  if (!difference) return null;
  const [found, wanted] = [difference.found, difference.wanted];
  let same = 0;
  while (same < found.length && found[same] === wanted[same]) same += 1;
  const row = (/** @type {string} */ label, /** @type {string} */ text) => [
    h("dt", null, label),
    h("dd", null, h("code", null, visible(text.slice(0, same)), h("mark", null, visible(text.slice(same))))),
  ];
  return h("dl", { class: "audit-difference" }, row(say("audit.found"), found), row(say(name === "notes" ? "audit.noted" : name === "log" ? "audit.log.has" : "audit.wanted"), wanted));
}

/**
 * A text of strangers as it is: what cannot be seen, or turns the direction of others, is spelled out.
 * @param {string} text
 */
export function visible(text) {
  return text.replace(INVISIBLE, (each) => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`);
}

/**
 * Lets files be dropped anywhere on the page, until the signal ends it.
 * @param {Inspection} inspection
 * @param {AbortSignal} [signal]
 */
export function takeDrops(inspection, signal) {
  addEventListener("dragover", (event) => event.preventDefault(), { signal });
  addEventListener(
    "drop",
    (event) => {
      event.preventDefault();
      inspection.take([...(event.dataTransfer?.files ?? [])]);
    },
    { signal },
  );
}
