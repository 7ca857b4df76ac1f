// @ts-check
/** The referee's word: what the service reports of its own audit. Nothing of it is checked here. */

import { drawChecks, firstBadTitle, visible } from "./audit_view.js";
import { h } from "./dom.js";
import { Problem, call, sleep } from "./net.js";
import { say } from "./words.js";

/** @typedef {{ verdict: string, checks: import("./audit_view.js").Claim[], first_bad_version: number | null, reason?: string }} Audit */

const TRIES_MAX = 60;
const WAIT_MS = 1000;

/** What the referee reports of one game. */
export class RefereesWord {
  /**
   * @param {() => void} redraw
   * @param {AbortSignal} signal
   */
  constructor(redraw, signal) {
    this.redraw = redraw;
    this.signal = signal;
    this.game = "";
    this.message = say("audit.word.unasked");
    /** @type {Audit | null} */
    this.audit = null;
    this.isLate = false;
  }

  /**
   * Asks for the audit of a game, and again while the referee makes it.
   * @param {string} game
   */
  async ask(game) {
    [this.game, this.audit, this.isLate] = [game, null, false];
    this.say(say("audit.word.asking"));
    try {
      for (let tries = 0; tries < TRIES_MAX && !this.signal.aborted && this.game === game; tries += 1) {
        const answer = await call(`/v1/games/${game}/audit`, { signal: this.signal });
        if (answer?.verdict !== "pending") return this.take(answer);
        this.say(say("audit.word.pending"));
        await sleep(WAIT_MS, this.signal);
      }
      this.isLate = true;
      this.say(say("audit.word.late"));
    } catch (error) {
      if (this.signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      this.isLate = true;
      this.say(say("audit.word.refused", { why: error.message }));
    }
  }

  /** @param {unknown} answer */
  take(answer) {
    if (!isAudit(answer)) return this.say(say("audit.word.nonsense"));
    this.audit = answer;
    const { verdict } = answer;
    if (verdict === "proved" || verdict === "failed" || verdict === "running") return this.say(say(`audit.word.${verdict}`));
    this.say(say("audit.word.unavailable", { reason: answer.reason ?? "" }));
  }

  /** @param {string} message */
  say(message) {
    this.message = message;
    this.redraw();
  }

  /** The column of the referee; never anything that was checked here. */
  draw() {
    const first = this.audit?.first_bad_version ?? null;
    return h(
      "section",
      { class: "audit-column", key: "word", "data-verdict": this.audit?.verdict ?? "none", "aria-label": say("audit.word.title") },
      h("h2", null, say("audit.word.title")),
      h("p", { class: "audit-verdict", role: "status" }, visible(this.message)),
      this.isLate && h("button", { onclick: () => this.ask(this.game) }, say("audit.word.again")),
      first !== null && h("p", null, firstBadTitle(first)),
      this.audit && drawChecks(this.audit.checks),
    );
  }
}

/**
 * @param {any} answer
 * @returns {answer is Audit}
 */
function isAudit(answer) {
  if (answer === null || typeof answer !== "object" || !Array.isArray(answer.checks)) return false;
  const first = answer.first_bad_version;
  const isReason = answer.reason === undefined || typeof answer.reason === "string";
  return typeof answer.verdict === "string" && isReason && (first === null || Number.isSafeInteger(first)) && answer.checks.every(isClaim);
}

/** @param {any} check */
function isClaim(check) {
  const isText = check !== null && typeof check === "object" && typeof check.name === "string" && typeof check.detail === "string";
  return isText && (check.passed === null || typeof check.passed === "boolean");
}
