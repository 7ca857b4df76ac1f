// @ts-check
/** Reads the record of a game, line by line, in the one spelling that the referee writes. */

import { canonical, digest, sha256 } from "./fairness.js";
import { misfit } from "./shape.js";
import { say } from "./words.js";

/** @typedef {import("./fairness.js").Json} Json */
/** @typedef {{ [name: string]: Json }} Members */
/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/**
 * @typedef {object} Commit  What a commit says, as far as an audit without rules needs it.
 * @property {number} version
 * @property {string} prev
 * @property {string} salt
 * @property {string} at
 * @property {number} draws
 * @property {number} events  the number of its events
 * @property {number | null} ends  the first of its events that ends the game, counted from 1
 * @property {string | null} ending  the type of its last event, if that ends the game
 * @property {[seat: number, link: string] | null} link  what a seat added to the luck
 * @property {string | null} reason  the hash of the reason that an admin gave
 * @property {string} hash  as the record has it
 * @property {string} computed  the hash of its bytes
 */

/**
 * @typedef {object} Difference  Two texts that should be the same.
 * @property {string} found
 * @property {string} wanted
 */

/**
 * @typedef {object} GameRecord
 * @property {Header | null} header
 * @property {string} headerHash
 * @property {Commit[]} commits
 * @property {{ salt: string, seed: string } | null} secret
 * @property {{ seat: number, hash: string }[]} holders  what lies beside the log, by its hash: who held a seat
 * @property {{ text: string, hash: string }[]} texts  and the reasons that admins gave
 * @property {{ checkpoint: string, entry: string, index: number, proof: string[] }[]} logged  leaves of the transparency log
 * @property {{ line: number, fault: string, difference: Difference | null } | null} unreadable  the first such line
 * @property {number[]} starts  where each line begins, and the end of what was read
 */

/**
 * @typedef {Members & { commitment: string, game: string, holders: (string | null)[], nonces: string[], ruleset: string,
 *   seals: (string | null)[], terms: { bots: Json[], unrevealed: string }, version: string }} Header
 */
/** @typedef {(commits: number, bytes: number) => void} Progress */

export const LINE_BYTES_MAX = 1 << 20;
const NESTING_MAX = 64;
const EXCERPT_CHARACTERS = 24;
const SLICE_MS = 12;
const NEWLINE = 10;
const BEFORE_COMMIT = '{"commit":'.length;
const AFTER_COMMIT = `,"hash":"${"0".repeat(64)}"}\n`.length;
const ENDINGS = ["game_finished", "game_resigned", "game_adjudicated", "game_annulled"];

/** What is wrong with a line. @param {string} name @param {{[field: string]: any}} [values] */
const fault = (name, values) => say(`audit.line.${name}`, values);

/** A line that is no line of a record. */
class Unreadable extends Error {
  /** @param {string} fault @param {Difference | null} difference */
  constructor(fault, difference = null) {
    super(fault);
    this.difference = difference;
  }
}

/**
 * Reads a record up to its end, or up to the first line that cannot be read; then no secret counts, as in the command.
 * It stops now and then for the page.
 * @param {Blob} blob
 * @param {Progress} progress
 * @returns {Promise<GameRecord>}
 */
export async function readRecord(blob, progress = () => {}) {
  /** @type {GameRecord} */
  const record = { header: null, headerHash: "", commits: [], secret: null, holders: [], texts: [], logged: [], unreadable: null, starts: [0] };
  let sliceBegan = performance.now();
  for await (const line of linesOf(blob.stream())) {
    try {
      await addLine(record, line);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      record.unreadable = { line: record.starts.length, fault: error.message, difference: error.difference };
      [record.secret, record.holders, record.texts, record.logged] = [null, [], [], []];
    }
    record.starts.push(record.starts[record.starts.length - 1] + line.length);
    if (record.unreadable) break;
    if (performance.now() - sliceBegan > SLICE_MS) {
      progress(record.commits.length, record.starts[record.starts.length - 1]);
      await aMoment();
      sliceBegan = performance.now();
    }
  }
  if (record.starts.length === 1) record.unreadable = { line: 1, fault: fault("empty_record"), difference: null };
  return record;
}

/**
 * The text of a line of a record, for a reader; line 0 is the header.
 * @param {Blob} blob
 * @param {GameRecord} record
 * @param {number} line
 * @param {number} longest
 */
export async function lineText(blob, record, line, longest) {
  if (line + 1 >= record.starts.length) return null;
  const start = record.starts[line];
  return blob.slice(start, Math.min(record.starts[line + 1], start + longest)).text();
}

/** Lets the page draw and answer. A message is not slowed down in a hidden tab, as a timer would be. */
function aMoment() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(null);
  });
}

/**
 * The lines of a stream, each with its line end. A line that is too long is cut, and nothing is read after it.
 * @param {ReadableStream<Bytes>} stream
 * @returns {AsyncGenerator<Bytes>}
 */
async function* linesOf(stream) {
  const reader = stream.getReader();
  /** @type {Bytes} */
  let rest = new Uint8Array(0);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      let bytes = joined(rest, value);
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE)) {
        yield bytes.subarray(0, end + 1);
        bytes = bytes.subarray(end + 1);
      }
      rest = bytes;
      if (rest.length > LINE_BYTES_MAX) break;
    }
    if (rest.length > 0) yield rest;
  } finally {
    await reader.cancel();
  }
}

/**
 * @param {Bytes} one
 * @param {Bytes} other
 * @returns {Bytes}
 */
function joined(one, other) {
  if (one.length === 0) return other;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/**
 * @param {GameRecord} record
 * @param {Bytes} line
 */
async function addLine(record, line) {
  const part = readLine(line);
  if (!record.header && !part.header) throw new Unreadable(fault("no_header"));
  if (record.header && part.header) throw new Unreadable(fault("two_headers"));
  if (Boolean(record.secret) !== Boolean(part.holder ?? part.text ?? part.logged) || (part.text && record.logged[0])) throw new Unreadable(fault("order"));
  if (part.header) {
    record.header = /** @type {Header} */ (part.header);
    record.headerHash = await sha256(line.slice('{"header":'.length, -2));
  } else if (part.secret) {
    record.secret = /** @type {{ salt: string, seed: string }} */ (part.secret);
  } else if (part.holder) {
    await addHolder(record, /** @type {Members & { seat: number }} */ (part.holder));
  } else if (part.text) {
    record.texts.push({ text: String(/** @type {Members} */ (part.text).text), hash: await digest(part.text) });
  } else if (part.logged) {
    const leaf = /** @type {any} */ (part.logged);
    if (!(leaf.index > (record.logged.at(-1)?.index ?? -1))) throw new Unreadable(fault("order"));
    record.logged.push(leaf);
  } else {
    const computed = await sha256(line.slice(BEFORE_COMMIT, -AFTER_COMMIT));
    record.commits.push(commitOf(/** @type {Members} */ (part.commit), /** @type {string} */ (part.hash), computed));
  }
}

/**
 * @param {GameRecord} record
 * @param {Members & { seat: number }} holder
 */
async function addHolder(record, { seat, player, salt }) {
  if (record.texts[0] || record.logged[0] || record.holders.some((other) => other.seat >= seat)) {
    throw new Unreadable(fault("order"));
  }
  record.holders.push({ seat, hash: await digest({ player, salt }) });
}

/**
 * @param {Members} members
 * @param {string} hash
 * @param {string} computed
 * @returns {Commit}
 */
function commitOf(members, hash, computed) {
  const { version, prev, salt, at, draws, events, actor, link, move } = /** @type {any} */ (members);
  const reason = actor === "admin" && typeof move.reason === "string" ? move.reason : null;
  const types = /** @type {Members[]} */ (events).map((event) => ENDINGS.find((ending) => ending === event.type) ?? null);
  const ends = types.findIndex((type) => type !== null) + 1 || null;
  const ending = types[types.length - 1] ?? null;
  return { version, prev, salt, at, draws, events: types.length, ends, ending, link: link ? [actor, link] : null, reason, hash, computed };
}

/**
 * What a line says; throws Unreadable.
 * @param {Bytes} line
 * @returns {Members}
 */
function readLine(line) {
  if (line.length > LINE_BYTES_MAX) throw new Unreadable(fault("too_long", { bytes: LINE_BYTES_MAX }));
  if (line[line.length - 1] !== NEWLINE) throw new Unreadable(fault("cut_off"));
  const text = decoded(line).slice(0, -1);
  if (text.trim() === "") throw new Unreadable(fault("empty_line"));
  const kind = /^\{"(header|commit|secret|holder|text|logged)":/.exec(text)?.[1];
  if (kind === undefined) {
    const beginnings = '{"header":, {"commit":, {"secret":, {"holder":, {"text": or {"logged":';
    throw new Unreadable(fault("other_kind"), { found: excerpt(text), wanted: beginnings });
  }
  const value = parsed(text);
  requirePlain(value, NESTING_MAX);
  const strange = misfit(kind, value);
  if (strange) throw new Unreadable(strange);
  requireSpelling(text, canonical(value));
  return /** @type {Members} */ (value);
}

/** @param {Bytes} line */
function decoded(line) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
  } catch {
    throw new Unreadable(fault("no_utf8"));
  }
}

/**
 * @param {string} text
 * @returns {Json}
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Unreadable(fault("no_json", { why: error instanceof Error ? error.message : error }));
  }
}

/**
 * Throws unless the value has whole numbers and text only, and is not nested too deeply.
 * @param {Json} value
 * @param {number} levels
 */
function requirePlain(value, levels) {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new Unreadable(fault("no_whole", { value }));
  }
  if (typeof value === "string" && /\p{Cs}/u.test(value)) throw new Unreadable(fault("half_text"));
  if (value === null || typeof value !== "object") return;
  if (levels === 0) throw new Unreadable(fault("too_deep"));
  for (const [name, each] of Object.entries(value)) {
    if (/\p{Cs}/u.test(name)) throw new Unreadable(fault("half_name"));
    requirePlain(each, levels - 1);
  }
}

/** @param {string} found @param {string} wanted */
function requireSpelling(found, wanted) {
  if (found === wanted) return;
  let same = 0;
  while (found[same] === wanted[same]) same += 1;
  const difference = { found: excerpt(found.slice(same)), wanted: excerpt(wanted.slice(same)) };
  throw new Unreadable(fault("spelling", { at: same + 1 }), difference);
}

/** @param {string} text */
function excerpt(text) {
  return text.length > EXCERPT_CHARACTERS ? `${text.slice(0, EXCERPT_CHARACTERS)}…` : text || "nothing";
}
