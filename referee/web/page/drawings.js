// @ts-check
/** What is drawn from a row of words, and the luck of built-in bots: docs/fairness.md. The audit of the page makes numbers only, and does without. */

import { fromHex, hmac, hmacKey, Row } from "./fairness.js";

/**
 * The row of words from which a built-in bot draws for one decision.
 * @param {string} key  of all luck
 * @param {string} luck  its name, as in `bot:2:17`
 */
export async function rowOfBot(key, luck) {
  const own = await hmac(await hmacKey(fromHex(key)), luck);
  return new Drawings(await hmacKey(new Uint8Array(await crypto.subtle.digest("SHA-256", own))), "seeded");
}

/**
 * The row of words of one drawing of a game.
 * @param {string} key  of all luck
 * @param {number} number  drawings that the game made before
 * @param {string} point
 */
export async function drawingsOf(key, number, point) {
  return new Drawings(await hmacKey(fromHex(key)), `${number}:${point}`);
}

/** A row of words, with the drawings that are made of it. */
export class Drawings extends Row {
  /**
   * @param {number} low
   * @param {number} high
   */
  async number(low, high) {
    return low + Number(await this.below(BigInt(high - low + 1)));
  }

  /**
   * @param {number} count
   * @param {number} sides
   */
  async dice(count, sides) {
    const faces = [];
    while (faces.length < count) faces.push(await this.number(1, sides));
    return faces;
  }

  /**
   * The items picked, in the order in which they are drawn.
   * @template T
   * @param {T[]} items
   * @param {number} count
   */
  async pick(items, count) {
    const rest = [...items];
    for (let at = 0; at < Math.min(count, rest.length - 1); at += 1) {
      const other = await this.number(at, rest.length - 1);
      [rest[at], rest[other]] = [rest[other], rest[at]];
    }
    return rest.slice(0, count);
  }

  /**
   * All items in the order drawn.
   * @template T
   * @param {T[]} items
   */
  shuffle(items) {
    return this.pick(items, items.length);
  }
}
