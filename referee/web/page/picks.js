// @ts-check
/** Picking: how clicks narrow the legal moves down to one. A part is a piece of a move; a thing stands for some parts. */

/** @typedef {{[field: string]: any}} Part */
/** What was picked: a thing, and what it may mean; `exact` are values that were chosen as they are. @typedef {{key: string, label: string, parts: Part[], exact?: Part}} Pick */

/** @param {any} value */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** Whether a whole has all that a part says: lists have at least these items, as often. @param {any} whole @param {any} part @returns {boolean} */
export function holds(whole, part) {
  if (Array.isArray(part)) {
    if (!Array.isArray(whole)) return false;
    const rest = [...whole];
    return part.every((item) => {
      const at = rest.findIndex((other) => holds(other, item));
      return at >= 0 && rest.splice(at, 1).length === 1;
    });
  }
  if (!isObject(part)) return whole === part;
  return isObject(whole) && Object.keys(part).every((name) => name in whole && holds(whole[name], part[name]));
}

/** Two parts as one, or undefined if they contradict each other. @param {any} one @param {any} other @returns {any} */
export function joined(one, other) {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  if (!isObject(one) || !isObject(other)) return one === other ? one : undefined;
  const all = { ...one };
  for (const [name, value] of Object.entries(other)) {
    all[name] = name in one ? joined(one[name], value) : value;
    if (all[name] === undefined) return undefined;
  }
  return all;
}

/** What the picks may mean together, as far as some move agrees. @param {Part[]} moves @param {Pick[]} picks @returns {Part[]} */
export function readings(moves, picks) {
  const isAgreed = (/** @type {Part | undefined} */ part) => part !== undefined && moves.some((move) => holds(move, part));
  /** @type {Part[]} */
  let found = [{}];
  for (const { parts } of picks) found = found.flatMap((said) => parts.map((part) => joined(said, part)).filter(isAgreed));
  return found;
}

/** The values that were chosen as they are. @param {Pick[]} picks @returns {Part} */
const chosen = (picks) => Object.assign({}, ...picks.map(({ exact }) => exact));

/** The moves that the picks may still become. @param {Part[]} moves @param {Pick[]} picks */
export function left(moves, picks) {
  const exact = Object.entries(chosen(picks)), parts = readings(moves, picks);
  return moves.filter((move) => exact.every(([name, value]) => JSON.stringify(move[name] ?? null) === JSON.stringify(value)) && parts.some((part) => holds(move, part)));
}

/** The picks after one more: it tells which meaning of the last one is meant, or is one more, or starts anew. @param {Part[]} moves @param {Pick[]} picks @param {Pick} thing @returns {Pick[] | null} null: it leads nowhere */
export function pick(moves, picks, thing) {
  const last = picks.at(-1);
  const meant = last ? last.parts.filter((part) => thing.parts.some((hint) => holds(part, hint))) : [];
  const options = [[...picks, thing], [thing]];
  if (last && meant.length && meant.length < last.parts.length) options.unshift([...picks.slice(0, -1), { ...last, parts: meant }]);
  return options.find((option) => left(moves, option).length) ?? null;
}

/** Whether a part says all that a move says, in the same order; what is empty need not be said. @param {any} part @param {any} move @returns {boolean} */
function says(part, move) {
  const isEmpty = move === null || move === false || (Array.isArray(move) && !move.length);
  if (isEmpty && part === undefined) return true;
  if (!isObject(move)) return JSON.stringify(part) === JSON.stringify(move);
  return Object.keys(move).every((name) => name === "type" || name.includes(".") || says(part?.[name], move[name]));
}

/** The only move left, or those that say nothing beyond what is picked. @param {Part[]} moves @param {Pick[]} picks */
export function ready(moves, picks) {
  const rest = left(moves, picks);
  if (rest.length <= 1) return rest;
  const parts = readings(moves, picks);
  return rest.filter((move) => parts.some((part) => "type" in part && says({ ...part, ...chosen(picks) }, move)));
}

/** What is still to be said: field by field, the values that differ, fewest first. @param {Part[]} moves @returns {[string, any[]][]} */
export function choices(moves) {
  /** @type {Map<string, Map<string, any>>} */
  const found = new Map();
  const fields = new Set(moves.flatMap((move) => Object.keys(move)).filter((field) => !field.includes(".")));
  for (const field of fields) {
    const values = new Map(moves.map((move) => [JSON.stringify(move[field] ?? null), move[field] ?? null]));
    if (values.size > 1) found.set(field, values);
  }
  return [...found].map(([field, values]) => /** @type {[string, any[]]} */ ([field, [...values.values()]])).sort(([, a], [, b]) => a.length - b.length);
}

/** What is sent, by what is picked among. @type {WeakMap<Part, Part>} */
const originals = new WeakMap();

/** The moves as they are picked among: those of one type have the same fields, and two more that are never sent: the last item of a list, and a bag as a list. @param {Part[]} moves @returns {Part[]} */
export function pickable(moves) {
  /** @type {Map<string, Set<string>>} */
  const fields = new Map();
  for (const move of moves) fields.set(move.type, new Set([...(fields.get(move.type) ?? []), ...Object.keys(move)]));
  return moves.map((move) => {
    const more = Object.fromEntries([...(fields.get(move.type) ?? [])].map((name) => [name, move[name] ?? null]));
    for (const [name, value] of Object.entries(move)) {
      if (Array.isArray(value) && value.length) more[`${name}.-1`] = value.at(-1);
      if (isObject(value) && Object.values(value).every(Number.isInteger)) more[`${name}.*`] = Object.entries(value).flatMap(([kind, count]) => Array(count).fill(kind));
    }
    originals.set(more, move);
    return more;
  });
}

/** The move that is sent. @param {Part} move @returns {Part} */
export const sendable = (move) => originals.get(move) ?? move;

/** Every part of the moves that ends in one value or names a list, by that value or name as JSON. @param {Part[]} moves @returns {Map<string, Part[]>} */
export function facts(moves) {
  /** @type {Map<string, Map<string, Part>>} */
  const found = new Map();
  const add = (/** @type {any} */ value, /** @type {Part} */ part) => {
    const at = JSON.stringify(value);
    if (!found.has(at)) found.set(at, new Map());
    found.get(at)?.set(JSON.stringify(part), part);
  };
  const note = (/** @type {any} */ value, /** @type {(inner: any) => Part} */ wrap) => {
    if (Array.isArray(value)) return value.forEach((item) => note(item, (inner) => wrap([inner])));
    if (!isObject(value)) return add(value, wrap(value));
    for (const [name, inner] of Object.entries(value)) {
      if (Array.isArray(inner)) add(name, wrap({ [name]: [] }));
      note(inner, (each) => wrap({ [name]: each }));
    }
  };
  for (const move of moves) for (const [name, value] of Object.entries(move)) if (name !== "type") note(value, (inner) => ({ [name]: inner }));
  return new Map([...found].map(([value, parts]) => [value, [...parts.values()]]));
}

/** The name of the field that a part ends in. @param {any} part @returns {string} */
export function lastField(part) {
  const [name, inner] = Object.entries(part)[0] ?? ["", null];
  const within = Array.isArray(inner) ? inner[0] : inner;
  return isObject(within) ? lastField(within) : name;
}
