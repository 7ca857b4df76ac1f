// @ts-check
/** The members that each line of a record has, and their types. */

/** @typedef {import("./fairness.js").Json} Json */
/** @typedef {(value: Json, where: string) => string | null} Shape  Why a value does not fit; null if it does. */

/** @type {Shape} */
const text = (value, where) => (typeof value === "string" ? null : `${where} is no text`);

/** @type {Shape} */
const whole = (value, where) => (typeof value === "number" ? null : `${where} is no number`);

/** @type {Shape} */
const hash = (value, where) =>
  typeof value === "string" && /^[0-9a-f]{64}$/.test(value) ? null : `${where} is not 64 digits, 0-9 and a-f`;

/** @type {Shape} */
const members = (value, where) =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? null : `${where} is no object`;

/**
 * @param {...string} words
 * @returns {Shape}
 */
const oneOf = (...words) => (value, where) =>
  typeof value === "string" && words.includes(value) ? null : `${where} is none of ${words.join(", ")}`;

/**
 * @param {Shape} one
 * @param {Shape} other
 * @returns {Shape}
 */
const either = (one, other) => (value, where) => (one(value, where) === null ? null : other(value, where));

/**
 * @param {Shape} shape
 * @returns {Shape}
 */
const orNull = (shape) => (value, where) => (value === null ? null : shape(value, where));

/**
 * @param {Shape} shape
 * @returns {Shape}
 */
const listOf = (shape) => (value, where) => {
  if (!Array.isArray(value)) return `${where} is no list`;
  return firstFault(value, (each, place) => shape(each, `${where}[${place}]`));
};

/**
 * An object with these members and no others; those in the second list may be missing.
 * @param {{ [name: string]: Shape }} shapes
 * @param {string[]} optional
 * @returns {Shape}
 */
const exactly = (shapes, optional = []) => (value, where) => {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return `${where} is no object`;
  const missing = Object.keys(shapes).find((name) => !Object.hasOwn(value, name) && !optional.includes(name));
  if (missing !== undefined) return `${where} has no ${missing}`;
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(shapes, name));
  if (unknown !== undefined) return `${where} has a member that no record has there: ${unknown.slice(0, 24)}`;
  return firstFault(Object.keys(value), (name) => shapes[name](value[name], name));
};

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T, place: number) => string | null} faultOf
 */
function firstFault(items, faultOf) {
  for (const [place, item] of items.entries()) {
    const fault = faultOf(item, place);
    if (fault !== null) return fault;
  }
  return null;
}

const nonce = either(hash, oneOf(""));

const clock = exactly({
  bank_s: whole,
  decision_s: whole,
  increment_s: whole,
  missed_deadlines_max: whole,
  on_abandonment: oneOf("adjudicate", "annul", "bots"),
  on_absence: oneOf("bot", "end"),
});

const terms = exactly({
  assigned: listOf(whole),
  bots: listOf(orNull(text)),
  clock: orNull(clock),
  luck: oneOf("fixed"),
  on_resignation: oneOf("bot", "end"),
  reveal_s: whole,
  table: whole,
  takeover_bot: text,
  undo: oneOf("never", "free"),
  unrevealed: oneOf("annul", "without"),
});

const header = exactly({
  commitment: text,
  edition: text,
  format: oneOf("referee/1"),
  game: text,
  holders: listOf(orNull(hash)),
  nonces: listOf(nonce),
  options: members,
  position: orNull(members),
  ruleset: text,
  seals: listOf(orNull(hash)),
  terms,
  version: text,
});

const commit = exactly(
  {
    actor: either(text, whole),
    at: text,
    cause: orNull(members),
    deadlines: listOf(exactly({ at: text, seat: whole })),
    draws: whole,
    events: listOf(members),
    link: hash,
    move: members,
    prev: text,
    salt: text,
    version: whole,
  },
  ["deadlines", "link"],
);

/** @type {{ [kind: string]: Shape }} */
const LINES = {
  header: exactly({ header }),
  commit: exactly({ commit, hash }),
  secret: exactly({ secret: exactly({ salt: hash, seed: hash }) }),
  holder: exactly({ holder: exactly({ player: text, salt: hash, seat: whole }) }),
  text: exactly({ text: exactly({ salt: hash, text }) }),
  logged: exactly({ logged: exactly({ checkpoint: text, entry: text, index: whole, proof: listOf(text) }) }),
};

/**
 * Why a line of this kind does not have the members of such a line; null if it does.
 * @param {string} kind
 * @param {Json} value
 */
export function misfit(kind, value) {
  return LINES[kind](value, "the line");
}
