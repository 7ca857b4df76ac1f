// @ts-check
/** Filling in the form of a move by clicks on the board: what a thing stands for goes into the fields that may hold it. */
import { resolved } from "./form.js";

/** @typedef {import("./form.js").Schema} Schema */
/** @typedef {import("./picks.js").Part} Part */

/** The field of a form that a part of a move is about. @param {string} name */
const fieldOf = (name) => name.replace(/\.(-1|\*)$/, "");
/** @param {any} value */
const one = (value) => (Array.isArray(value) ? value[0] : value);

/** A draft with what a thing adds to it; undefined: the form has no room for it. @param {Schema} schema @param {any} draft @param {Part[]} parts @returns {any} */
export function filled(schema, draft, parts) {
  for (const part of parts) {
    let next = draft;
    for (const [name, value] of Object.entries(part)) {
      const field = fieldOf(name), inner = schema.properties?.[field];
      const put = inner && next && putInto(resolved(inner, schema), next[field], one(value), schema);
      next = put === undefined ? undefined : { ...next, [field]: put };
    }
    if (next && next !== draft) return next;
  }
}

/** @param {Schema} schema @param {any} now @param {any} value @param {Schema} root @returns {any} */
function putInto(schema, now, value, root) {
  if (schema.enum) return schema.enum.includes(value) ? value : undefined;
  if (schema.items) return inList(schema, now ?? [], value, root);
  const bound = schema.properties?.[value], many = (now?.[value] ?? 0) + 1;
  return bound && many <= (bound.maximum ?? many) ? { ...now, [value]: many } : undefined;
}

/** Where the order counts, the last one again takes it out, and an earlier one takes out what follows it; elsewhere any one again takes it out. @param {Schema} schema @param {any[]} now @param {any} value @param {Schema} root */
function inList(schema, now, value, root) {
  if (!resolved(schema.items, root).enum?.includes(value)) return undefined;
  const at = now.lastIndexOf(value), isLast = at === now.length - 1;
  if (at >= 0) return schema.uniqueItems ? now.filter((each) => each !== value) : now.slice(0, isLast ? at : at + 1);
  return now.length < (schema.maxItems ?? Infinity) ? [...now, value] : undefined;
}

/** Whether a draft already has what a thing stands for. @param {any} draft @param {Part[]} parts */
export const isFilled = (draft, parts) => parts.some((part) => Object.entries(part).every(([name, value]) => isIn(draft?.[fieldOf(name)], one(value))));

/** @param {any} now @param {any} value */
const isIn = (now, value) => (Array.isArray(now) ? now.includes(value) : now !== null && typeof now === "object" ? value in now : now !== undefined && now === value);

/** What a board may be asked about while a form is open, as if moves said it. @param {Schema} schema @returns {Map<string, Part[]>} */
export function factsOf(schema) {
  const found = new Map();
  for (const [name, each] of Object.entries(schema.properties ?? {})) {
    const inner = resolved(/** @type {Schema} */ (each), schema), values = inner.enum ?? (inner.items && resolved(inner.items, schema).enum) ?? [];
    for (const value of values) found.set(JSON.stringify(value), [{ [name]: value }]);
  }
  return found;
}
