// @ts-check
/** What this browser keeps: the device's key, what was noted, what was seen last, settings. Without storage it keeps them in memory. */

const PREFIX = "referee.";
/** @type {Map<string, string>} */
const memory = new Map();

/** What is kept under a name, or null. @param {string} name @returns {any} */
export function read(name) {
  try {
    return JSON.parse(memory.get(name) ?? localStorage.getItem(PREFIX + name) ?? "null");
  } catch {
    return null;
  }
}

/** Keep a value; gives whether it outlives this page. @param {string} name @param {any} value @param {boolean} [lasting] */
export function write(name, value, lasting = true) {
  const text = JSON.stringify(value);
  if (lasting) {
    try {
      localStorage.setItem(PREFIX + name, text);
      memory.delete(name);
      return true;
    } catch {
      // Private windows and full storage lose comfort only.
    }
  }
  memory.set(name, text);
  return false;
}

/** Forget what is kept under a name. @param {string} name */
export function forget(name) {
  memory.delete(name);
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // There was nothing to forget.
  }
}

/** The names under which something lasting is kept and that begin so. @param {string} start @returns {string[]} */
export function names(start) {
  const found = new Set([...memory.keys()].filter((name) => name.startsWith(start)));
  try {
    for (let at = 0; at < localStorage.length; at++) {
      const name = localStorage.key(at)?.slice(PREFIX.length) ?? "";
      if (name.startsWith(start)) found.add(name);
    }
  } catch {
    // Nothing lasts here.
  }
  return [...found];
}

/** Call when another window of this browser changes what is kept under a name. @param {string} name @param {() => void} then */
export function onChange(name, then) {
  addEventListener("storage", (event) => event.key === PREFIX + name && then());
}
