// @ts-check
/** Notes what is public about a game while one plays or watches it, and compares the notes with its record. */

import { nonceOf } from "./fairness.js";
import { say } from "./words.js";

/** @typedef {import("./record.js").GameRecord} GameRecord */
/** @typedef {{ kind: "commitment" | "hash" | "nonce" | "seal", number: number, text: string }} Note  One public fact. */
/** @typedef {{ note: Note, text: string, difference: import("./record.js").Difference }} Disagreement */

/**
 * @typedef {object} Store  Where the notes are kept between visits: the module keep.js.
 * @property {(name: string) => unknown} read
 * @property {(name: string, text: string) => unknown} write
 * @property {(name: string) => void} forget
 */

/** @typedef {{ version: number, hash: string }} Sealed */
/** @typedef {{ commitment: string, status: string, seats: { seat: number, nonce?: string, seal?: string | null }[] }} Table */

export const GAMES_MAX = 30;
const OVER = ["finished", "annulled"];
const LIST = "witness";
const PREFIX = "witness.";
const LINE_CHARACTERS_MAX = 4096;
const HASH = /^[0-9a-f]{64}$/;
const NUMBER = /^(0|[1-9][0-9]{0,8})$/;

/** What this browser has seen of each game. A fact that changes is noted again: both stand against the record. */
export class Witness {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
  }

  /**
   * The notes on a game, in the order in which they were taken.
   * @param {string} game
   */
  notes(game) {
    return readNotes(this.text(PREFIX + game)).notes;
  }

  /**
   * Notes what the page of a table knows, until the game is over: what is read afterwards shows nothing.
   * @param {string} game
   * @param {{ game: Table | null, commits: Sealed[] }} known
   */
  see(game, known) {
    if (!known.game || OVER.includes(known.game.status)) return;
    this.seeTable(game, known.game);
    this.seeCommits(game, known.commits);
  }

  /**
   * Notes the commitment and, once every seat is taken, seals and nonces.
   * @param {string} game
   * @param {Table} table
   */
  seeTable(game, table) {
    /** @type {Note[]} */
    const notes = [{ kind: "commitment", number: 0, text: table.commitment }];
    for (const { seat, nonce, seal } of table.status === "waiting" ? [] : table.seats) {
      if (seal) notes.push({ kind: "seal", number: seat, text: seal });
      if (table.status !== "revealing") notes.push({ kind: "nonce", number: seat, text: nonce ?? "" });
    }
    this.add(game, notes);
  }

  /**
   * Notes the hashes of commits.
   * @param {string} game
   * @param {Sealed[]} commits
   */
  seeCommits(game, commits) {
    this.add(game, commits.map(({ version, hash }) => ({ kind: "hash", number: version, text: hash })));
  }

  /**
   * @param {string} game
   * @param {Note[]} notes
   */
  add(game, notes) {
    const known = new Set(this.text(PREFIX + game).split("\n"));
    const before = known.size;
    for (const note of notes) {
      if (isNote(note)) known.add(lineOf(note));
    }
    if (known.size === before) return;
    this.makeRoom(game);
    this.store.write(PREFIX + game, [...known].join("\n"));
  }

  /** @param {string} name */
  text(name) {
    const kept = this.store.read(name);
    return typeof kept === "string" ? kept : "";
  }

  /**
   * Drops the notes on the game that was begun longest ago, if there are too many.
   * @param {string} game
   */
  makeRoom(game) {
    const games = this.text(LIST).split(" ").filter((each) => each !== "");
    if (games.includes(game)) return;
    games.push(game);
    for (const oldest of games.splice(0, games.length - GAMES_MAX)) this.store.forget(PREFIX + oldest);
    this.store.write(LIST, games.join(" "));
  }
}

/** @param {Note} note */
function isNote(note) {
  return note.kind === "nonce" ? !/[\r\n]/.test(note.text) : HASH.test(note.text);
}

/** @param {Note} note */
function lineOf({ kind, number, text }) {
  return kind === "commitment" ? `commitment ${text}` : `${kind} ${number}:${text}`;
}

/**
 * Notes as a file that the audit command reads, too: one per line.
 * @param {Note[]} notes
 */
export function writeNotes(notes) {
  return notes.map((note) => `${lineOf(note)}\n`).join("");
}

/**
 * The notes in a text, and the lines that are none. Empty lines and those that begin with # are skipped.
 * @param {string} text
 */
export function readNotes(text) {
  /** @type {Note[]} */
  const notes = [];
  /** @type {number[]} */
  const strange = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === "" || line.startsWith("#")) continue;
    const note = readNote(line);
    if (note) notes.push(note);
    else strange.push(index + 1);
  }
  return { notes, strange };
}

/**
 * @param {string} line
 * @returns {Note | null}
 */
function readNote(line) {
  if (line.length > LINE_CHARACTERS_MAX) return null;
  const [, kind, given] = /^(commitment|hash|nonce|seal) (.*)$/s.exec(line) ?? [];
  if (kind === "commitment") return HASH.test(given) ? { kind, number: 0, text: given } : null;
  if (kind !== "hash" && kind !== "nonce" && kind !== "seal") return null;
  const colon = given.indexOf(":");
  const [number, text] = [given.slice(0, Math.max(colon, 0)), given.slice(colon + 1)];
  if (!NUMBER.test(number) || (kind === "hash" && number === "0")) return null;
  if (kind !== "nonce" && !HASH.test(text)) return null;
  return { kind, number: Number(number), text };
}

/**
 * The notes that do not agree with a record, and what the record has instead.
 * @param {GameRecord} record
 * @param {Note[]} notes
 * @returns {Promise<Disagreement[]>}
 */
export async function disagreements(record, notes) {
  /** @type {Disagreement[]} */
  const found = [];
  for (const note of notes) {
    const recorded = recordedAt(record, note);
    if (recorded === (note.kind === "nonce" ? await nonceOf(note.text) : note.text)) continue;
    const wanted = recorded ?? say("audit.none");
    const text = say(`audit.noted_${note.kind}`, { number: note.number, noted: note.text || "\u2205", found: wanted || "\u2205" });
    found.push({ note, text, difference: { found: wanted, wanted: note.text } });
  }
  return found;
}

/**
 * @param {GameRecord} record
 * @param {Note} note
 */
function recordedAt(record, note) {
  if (note.kind === "commitment") return record.header?.commitment ?? null;
  if (note.kind === "nonce") return record.header?.nonces[note.number] ?? null;
  if (note.kind === "seal") return record.header?.seals[note.number] ?? null;
  return record.commits[note.number - 1]?.hash ?? null;
}
