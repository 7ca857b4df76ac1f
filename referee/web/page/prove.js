// @ts-check
/** What a record proves without the rules, and the first commit that does not follow. */

import { blinds, commitment, sealOf } from "./fairness.js";
import { drawAgain } from "./luck.js";
import { readRecord } from "./record.js";
import { disagreements } from "./witness.js";

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
 * @property {import("./record.js").Progress} [progress]
 */

const WAITS = "This can be checked when the game is over and its secret is published.";
const NO_LUCK = "The list of luck is missing, so no number was drawn again.";
const NO_NOTES = "Nothing was noted while the game ran. A record alone cannot show that it is of the game that you saw.";
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
    drawings ? await find("luck", () => checkLuck(record, header.nonces, drawings)) : unknown("luck", NO_LUCK),
    notes.length > 0 ? await checkNotes(record, notes) : unknown("notes", NO_NOTES),
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
    return { name, passed, detail: detail ?? WAITS, version: null, difference: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { version, message, difference } = error;
    return { name, passed: false, detail: version > 0 ? `Commit ${version}: ${message}` : message, version, difference };
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
  if (bad) throw new Fault(bad.line - 1, `Line ${bad.line} cannot be read: ${bad.fault}.`, bad.difference);
  return `${record.starts.length - 1} lines, each in the one spelling that records have.`;
}

/**
 * @param {string} found
 * @param {string} wanted
 */
function checkGame(found, wanted) {
  requireSame(0, found, wanted, "The record is of another game.");
  return `The record is of game ${wanted}.`;
}

/** @param {GameRecord} record */
function checkChain(record) {
  let prev = record.headerHash;
  for (const [index, commit] of record.commits.entries()) {
    const place = index + 1;
    const before = place > 1 ? "the commit before it" : "the header";
    requireSame(place, String(commit.version), String(place), `Version ${place} is missing here.`);
    requireSame(place, commit.prev, prev, `The commit does not follow ${before}.`);
    requireSame(place, commit.hash, commit.computed, "The commit does not have the hash that is written beside it.");
    prev = commit.hash;
  }
  const reasons = record.commits.map((commit) => commit.reason);
  for (const { hash, text } of record.texts) {
    const place = reasons.indexOf(hash);
    if (place < 0) throw new Fault(0, `The text ${text.slice(0, 40)} is not the reason of a commit, or out of order.`);
    reasons.splice(0, place + 1);
  }
  const last = record.commits.length > 0 ? ` The last hash is ${prev}.` : "";
  return `${record.commits.length} commits, each with its hash and after the one before it.${last}`;
}

/**
 * Each nonce opens its seal, and each named holder is the one in the header.
 * @param {GameRecord} record
 * @param {import("./record.js").Header} header
 */
async function checkSeals(record, { game, holders, nonces, seals, terms }) {
  if (new Set([holders.length, nonces.length, seals.length, terms.bots.length]).size !== 1) {
    throw new Fault(0, "The lists of holders, nonces, seals and bots do not have one entry per seat.");
  }
  for (const { seat, hash } of record.holders) {
    requireSame(0, hash, holders[seat] ?? "none", `The holder named for seat ${seat} is not the one in the header.`);
  }
  const missing = [];
  for (const [seat, seal] of seals.entries()) {
    if (seal !== null && nonces[seat] === "") missing.push(seat);
    else if (seal !== null) requireSame(0, await sealOf(game, nonces[seat]), seal, `The nonce of seat ${seat} does not open its seal.`);
  }
  if (missing.length > 0 && terms.unrevealed !== "without") {
    throw new Fault(0, `Seat ${missing[0]} did not reveal its nonce, and the terms do not let the game start without it.`);
  }
  const sealed = seals.filter((seal) => seal !== null).length;
  const said = missing.length > 0 ? ` The service says that no nonce came from: ${missing.join(", ")}.` : "";
  return `${sealed - missing.length} of ${sealed} sealed nonces were revealed and open their seals.${said}`;
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
    if (!isTime(at)) throw new Fault(index + 1, "The time is not in UTC to the millisecond.", { found: at, wanted: last });
    if (at < last) throw new Fault(index + 1, "The commit is older than the one before it.", { found: at, wanted: last });
    last = at;
  }
  return "Times never go back.";
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
    if (record.commits.some((commit) => commit.ending)) throw new Fault(0, "The game is over, but the secret is missing.");
    return null;
  }
  const computed = await commitment(record.secret.salt, record.secret.seed);
  requireSame(0, published, computed, "The secret is not the one that the header commits to.");
  return `The secret fits the commitment ${published}.`;
}

/** @param {GameRecord} record */
async function checkBlinding(record) {
  if (!record.secret) return null;
  const blind = await blinds(record.secret.seed);
  for (const [index, commit] of record.commits.entries()) {
    requireSame(index + 1, commit.salt, await blind(index + 1), "The salt does not follow from the secret.");
  }
  return `${record.commits.length} salts follow from the secret.`;
}

/** @param {GameRecord} record */
function checkEnd({ commits, secret }) {
  if (!secret && !commits.some((commit) => commit.ending)) return null;
  for (const [index, { ends, events }] of commits.entries()) {
    const place = index + 1;
    if (ends && ends < events) throw new Fault(place, `Event ${ends} ends the game, but others follow it.`);
    if (ends && place < commits.length) throw new Fault(place + 1, `The game was over after commit ${place}.`);
  }
  const ending = commits[commits.length - 1]?.ending;
  if (!ending) throw new Fault(commits.length + 1, `The game is not over after its last commit, ${commits.length}.`);
  return `The record ends with ${ending} in commit ${commits.length}.`;
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
  return `${numbers} numbers of ${drawings.length} drawings follow from the seed and the nonces.`;
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
  const seen = hashes > 0 ? `${hashes - missing} of ${hashes} hashes that were noted are in this record.` : "";
  const texts = [seen, ...wrong.map((each) => each.text)].filter((text) => text !== "");
  const difference = wrong[0]?.difference ?? null;
  const detail = texts.join(" ") || `${notes.length} notes agree with the record.`;
  return { name: "notes", passed: wrong.length === 0, detail, version: null, difference };
}
