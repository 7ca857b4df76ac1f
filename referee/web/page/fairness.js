// @ts-check
/** How luck is made and how a record is sealed: docs/fairness.md, written a second time. */

/** @typedef {null | boolean | number | string | Json[] | { [name: string]: Json }} Json */

const WORDS_OF_64_BITS = 2n ** 64n;
const encoder = new TextEncoder();

/** Whether this browser offers WebCrypto here: it does on https, on localhost and for files, not on plain http. */
export function canHash() {
  return typeof crypto === "object" && typeof crypto.subtle === "object";
}

/**
 * The one spelling of a value: RFC 8785, for the part of it that records use.
 * @param {Json} value
 * @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(",")}}`;
}

/** @param {ArrayBuffer} bytes */
function toHex(bytes) {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} digits */
export function fromHex(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/**
 * SHA-256 in hexadecimal.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export async function sha256(bytes) {
  return toHex(await crypto.subtle.digest("SHA-256", bytes));
}

/**
 * The hash of a value: of its canonical JSON.
 * @param {Json} value
 */
export function digest(value) {
  return sha256(encoder.encode(canonical(value)));
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<CryptoKey>}
 */
export function hmacKey(bytes) {
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/**
 * @param {CryptoKey} key
 * @param {string} message
 */
export function hmac(key, message) {
  return crypto.subtle.sign("HMAC", key, encoder.encode(message));
}

/**
 * What the referee publishes when it creates a game.
 * @param {string} salt
 * @param {string} seed
 */
export function commitment(salt, seed) {
  return digest({ salt, seed });
}

/**
 * The key of all luck, in hexadecimal: the seed together with the nonces of the seats.
 * @param {string} seed
 * @param {string[]} nonces
 */
export function luckKey(seed, nonces) {
  return digest({ nonces, seed });
}

/**
 * The nonce that a player's text stands for: 64 hexadecimal digits stay as they are, other text is hashed.
 * @param {string} text
 */
export async function nonceOf(text) {
  return text === "" || /^[0-9a-f]{64}$/.test(text) ? text : digest(text);
}

/**
 * The seal of a nonce, which can be published before the nonce is.
 * @param {string} game
 * @param {string} link
 */
export function sealOf(game, link) {
  return digest({ game, link });
}

/**
 * The key of the drawings from a link on, in hexadecimal, where luck is fresh.
 * @param {string} pool  the key before
 * @param {number} seat
 * @param {string} link
 */
export async function poolWith(pool, seat, link) {
  return toHex(await hmac(await hmacKey(fromHex(pool)), `link:${seat}:${link}`));
}

/**
 * The salts of a game: a function from a version to the salt of its commit.
 * @param {string} seed
 */
export async function blinds(seed) {
  const key = await hmacKey(fromHex(seed));
  return async (/** @type {number} */ version) => toHex(await hmac(key, `blind:${version}`));
}

/**
 * The row of words of one drawing of a game.
 * @param {string} key  of all luck
 * @param {number} number  drawings that the game made before
 * @param {string} point
 */
export async function rowOfDrawing(key, number, point) {
  return new Row(await hmacKey(fromHex(key)), `${number}:${point}`);
}

/** An endless row of 64-bit words. */
export class Row {
  /**
   * @param {CryptoKey} key
   * @param {string} label
   */
  constructor(key, label) {
    this.key = key;
    this.label = label;
    this.block = 0;
    /** @type {bigint[]} */
    this.words = [];
  }

  /** The next word. */
  async word() {
    if (this.words.length === 0) {
      const view = new DataView(await hmac(this.key, `${this.label}:${this.block}`));
      this.block += 1;
      this.words = [24, 16, 8, 0].map((at) => view.getBigUint64(at));
    }
    return /** @type {bigint} */ (this.words.pop());
  }

  /**
   * A number from 0 to bound - 1, each equally likely.
   * @param {bigint} bound
   */
  async below(bound) {
    const limit = (WORDS_OF_64_BITS / bound) * bound;
    let word = await this.word();
    while (word >= limit) word = await this.word();
    return word % bound;
  }
}
