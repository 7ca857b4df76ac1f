// @ts-check
/** What a record proves without the rules, and the first commit that does not follow. */

import { blinds, commitment, sealOf } from "./fairness.js";
import { compareWithLog } from "./logged.js";
import { drawAgain } from "./luck.js";
import { readRecord } from "./record.js";
import { disagreements } from "./witness.js";
import { say } from "./words.js";

/** @typedef {import("./record.js").GameRecord} GameRecord */
/** @typedef {import("./record.js").Commit} Commit */
/** @typedef {import("./record.js").Difference} Difference */
/** @typedef {import("./witness.js").Note} Note */
/** @typedef {import("./luck.js").Drawing} Drawing */

/**
 * @typedef {object} Check  One thing that was checked here. `passed` is null where it cannot be known, or not yet.
 * @property {string} name
 * @property {boolean | null} passed
 * @property {string} detail
 * @property {number | null} version  the first commit that fails it; 0 is the header
 * @property {Difference | null} difference
 */

/**
 * @typedef {object} Report
 * @property {"follows" | "failed" | "running" | "unreadable"} verdict
 * @property {Check[]} checks
 * @property {number | null} firstBad  the first commit that does not follow; 0 is the header
 * @property {GameRecord} record
 */

/**
 * @typedef {object} Given  What else is known of the game.
 * @property {string} [game]  the game that the record should be of
 * @property {(game: string) => Note[]} [notes]  what was noted on this game
 * @property {Drawing[] | null} [drawings]
 * @property {import("./logged.js").KnownLog} [log]
 * @property {import("./record.js").Progress} [progress]
 */

/** A sentence about what was checked. @param {string} name @param {{[field: string]: any}} [values] */
const tell = (name, values) => say(`audit.proof.${name}`, values);
const TIME = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Something that does not follow, at a commit. */
class Fault extends Error {
  /**
   * @param {number} version
   * @param {string} detail
   * @param {Difference | null} difference
   */
  constructor(version, detail, difference = null) {
    super(detail);
    this.version = version;
    this.difference = difference;
  }
}

/**
 * Reads a record and checks everything that needs no rules.
 * @param {Blob} blob
 * @param {Given} given
 * @returns {Promise<Report>}
 */
export async function prove(blob, given = {}) {
  const record = await readRecord(blob, given.progress);
  const checks = [await find("spelling", () => checkSpelling(record))];
  const header = record.header;
  if (!header) return { verdict: "unreadable", checks, firstBad: 0, record };
  const { drawings, game } = given;
  if (game !== undefined) checks.push(await find("game", () => checkGame(header.game, game)));
  checks.push(
    await find("chain", () => checkChain(record)),
    await find("seals", () => checkSeals(record, header)),
    await find("time", () => checkTime(record.commits)),
    await find("commitment", () => checkCommitment(record, header.commitment)),
    await find("blinding", () => checkBlinding(record)),
    await find("end", () => checkEnd(record)),
  );
  const notes = given.notes?.(header.game) ?? [];
  checks.push(
    { name: "log", version: null, ...(await compareWithLog(record, header, given.log)) },
    drawings ? await find("luck", () => checkLuck(record, header.nonces, drawings)) : unknown("luck", tell("no_luck")),
    notes.length > 0 ? await checkNotes(record, notes) : unknown("notes", tell("no_notes")),
  );
  return { verdict: verdictOf(checks, record), checks, firstBad: firstBad(checks), record };
}

/**
 * @param {Check[]} checks
 * @param {GameRecord} record
 */
function verdictOf(checks, record) {
  if (checks.some((check) => check.passed === false)) return "failed";
  return record.secret ? "follows" : "running";
}

/** @param {Check[]} checks */
function firstBad(checks) {
  const versions = checks.flatMap((check) => (check.version === null ? [] : [check.version]));
  return versions.length > 0 ? Math.min(...versions) : null;
}

/**
 * The result of one check. It returns what it proved, or null if it has to wait for the secret, or throws a Fault.
 * @param {string} name
 * @param {() => string | null | Promise<string | null>} check
 * @returns {Promise<Check>}
 */
async function find(name, check) {
  try {
    const detail = await check();
    const passed = detail === null ? null : true;
    return { name, passed, detail: detail ?? tell("waits"), version: null, difference: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { version, message, difference } = error;
    return { name, passed: false, detail: version > 0 ? tell("at", { version, what: message }) : message, version, difference };
  }
}

/**
 * A check that lacks what it compares with.
 * @param {string} name
 * @param {string} detail
 * @returns {Check}
 */
function unknown(name, detail) {
  return { name, passed: null, detail, version: null, difference: null };
}

/** @param {GameRecord} record */
function checkSpelling(record) {
  const bad = record.unreadable;
  if (bad) throw new Fault(bad.line - 1, tell("unreadable", bad), bad.difference);
  return tell("spelling", { count: record.starts.length - 1 });
}

/**
 * @param {string} found
 * @param {string} wanted
 */
function checkGame(found, wanted) {
  requireSame(0, found, wanted, tell("other_game"));
  return tell("game", { game: wanted });
}

/** @param {GameRecord} record */
function checkChain(record) {
  let prev = record.headerHash;
  for (const [index, commit] of record.commits.entries()) {
    const place = index + 1;
    requireSame(place, String(commit.version), String(place), tell("missing_version", { place }));
    requireSame(place, commit.prev, prev, tell(index ? "not_after_commit" : "not_after_header"));
    requireSame(place, commit.hash, commit.computed, tell("wrong_hash"));
    prev = commit.hash;
  }
  const reasons = record.commits.map((commit) => commit.reason);
  for (const { hash, text } of record.texts) {
    const place = reasons.indexOf(hash);
    if (place < 0) throw new Fault(0, tell("strange_text", { text: text.slice(0, 40) }));
    reasons.splice(0, place + 1);
  }
  return tell("chain", { count: record.commits.length, last: prev });
}

/**
 * Each nonce opens its seal, and each named holder is the one in the header.
 * @param {GameRecord} record
 * @param {import("./record.js").Header} header
 */
async function checkSeals(record, { game, holders, nonces, seals, terms }) {
  if (new Set([holders.length, nonces.length, seals.length, terms.bots.length]).size !== 1) {
    throw new Fault(0, tell("wrong_seats"));
  }
  for (const { seat, hash } of record.holders) {
    requireSame(0, hash, holders[seat] ?? "none", tell("wrong_holder", { seat }));
  }
  const missing = [];
  for (const [seat, seal] of seals.entries()) {
    if (seal !== null && nonces[seat] === "") missing.push(seat);
    else if (seal !== null) requireSame(0, await sealOf(game, nonces[seat]), seal, tell("wrong_seal", { seat }));
  }
  if (missing.length > 0 && terms.unrevealed !== "without") {
    throw new Fault(0, tell("unrevealed", { seat: missing[0] }));
  }
  const sealed = seals.filter((seal) => seal !== null).length;
  const opened = tell("seals", { opened: sealed - missing.length, sealed });
  return missing.length > 0 ? `${opened} ${tell("said", { seats: missing.join(", ") })}` : opened;
}

/**
 * @param {number} place
 * @param {string} found
 * @param {string} wanted
 * @param {string} detail
 */
function requireSame(place, found, wanted, detail) {
  if (found !== wanted) throw new Fault(place, detail, { found, wanted });
}

/** @param {Commit[]} commits */
function checkTime(commits) {
  let last = "";
  for (const [index, { at }] of commits.entries()) {
    if (!isTime(at)) throw new Fault(index + 1, tell("no_time"), { found: at, wanted: last });
    if (at < last) throw new Fault(index + 1, tell("back_in_time"), { found: at, wanted: last });
    last = at;
  }
  return tell("time");
}

/** @param {string} text */
function isTime(text) {
  const time = TIME.test(text) ? new Date(text) : null;
  return time !== null && !Number.isNaN(time.getTime()) && time.toISOString() === text;
}

/**
 * @param {GameRecord} record
 * @param {string} published
 */
async function checkCommitment(record, published) {
  if (!record.secret) {
    if (record.commits.some((commit) => commit.ending)) throw new Fault(0, tell("no_secret"));
    return null;
  }
  const computed = await commitment(record.secret.salt, record.secret.seed);
  requireSame(0, published, computed, tell("other_secret"));
  return tell("commitment", { hash: published });
}

/** @param {GameRecord} record */
async function checkBlinding(record) {
  if (!record.secret) return null;
  const blind = await blinds(record.secret.seed);
  for (const [index, commit] of record.commits.entries()) {
    requireSame(index + 1, commit.salt, await blind(index + 1), tell("wrong_salt"));
  }
  return tell("salts", { count: record.commits.length });
}

/** @param {GameRecord} record */
function checkEnd({ commits, secret }) {
  if (!secret && !commits.some((commit) => commit.ending)) return null;
  for (const [index, { ends, events }] of commits.entries()) {
    const place = index + 1;
    if (ends && ends < events) throw new Fault(place, tell("after_end", { event: ends }));
    if (ends && place < commits.length) throw new Fault(place + 1, tell("was_over", { place }));
  }
  const ending = commits[commits.length - 1]?.ending;
  if (!ending) throw new Fault(commits.length + 1, tell("no_end", { count: commits.length }));
  return tell("end", { ending, count: commits.length });
}

/**
 * @param {GameRecord} record
 * @param {string[]} nonces
 * @param {Drawing[]} drawings
 */
async function checkLuck(record, nonces, drawings) {
  if (!record.secret) return null;
  const { numbers, fault } = await drawAgain(record, record.secret.seed, nonces, drawings);
  if (fault) throw new Fault(fault.version, fault.detail, fault);
  return tell("luck", { numbers, drawings: drawings.length });
}

/**
 * @param {GameRecord} record
 * @param {Note[]} notes
 * @returns {Promise<Check>}
 */
async function checkNotes(record, notes) {
  const wrong = await disagreements(record, notes);
  const hashes = notes.filter((note) => note.kind === "hash").length;
  const missing = wrong.filter((each) => each.note.kind === "hash").length;
  const seen = hashes > 0 ? tell("seen", { found: hashes - missing, count: hashes }) : "";
  const texts = [seen, ...wrong.map((each) => each.text)].filter((text) => text !== "");
  const difference = wrong[0]?.difference ?? null;
  const detail = texts.join(" ") || tell("notes", { count: notes.length });
  return { name: "notes", passed: wrong.length === 0, detail, version: null, difference };
}
