// @ts-check
/** Makes every number of every drawing again. Which drawings the rules asked for is the referee's word. */

import { luckKey, poolWith, rowOfDrawing } from "./fairness.js";
import { say } from "./words.js";

/** @typedef {import("./record.js").GameRecord} GameRecord */
/** @typedef {{ number: number, version: number, point: string, bounds: number[], numbers: number[] }} Drawing */

/** @typedef {{ version: number, detail: string, found: string, wanted: string }} LuckFault */

/**
 * The drawings in an answer of GET /v1/games/{id}/luck; null if it is none.
 * @param {unknown} answer
 * @returns {Drawing[] | null}
 */
export function readLuck(answer) {
  const drawings = answer !== null && typeof answer === "object" && "drawings" in answer ? answer.drawings : null;
  return Array.isArray(drawings) && drawings.every(isDrawing) ? drawings : null;
}

/** @param {any} drawing */
function isDrawing(drawing) {
  if (drawing === null || typeof drawing !== "object" || typeof drawing.point !== "string") return false;
  const { number, version, bounds, numbers } = drawing;
  const isWhole = [number, version].every(Number.isSafeInteger) && Array.isArray(bounds) && Array.isArray(numbers);
  return isWhole && bounds.every((bound) => Number.isSafeInteger(bound) && bound > 0) && numbers.every(Number.isSafeInteger);
}

/**
 * The first drawing that does not follow from the record, or how many numbers do.
 * @param {GameRecord} record
 * @param {string} seed
 * @param {string[]} nonces
 * @param {Drawing[]} drawings
 * @returns {Promise<{ numbers: number, fault: LuckFault | null }>}
 */
export async function drawAgain(record, seed, nonces, drawings) {
  let key = await luckKey(seed, nonces);
  const keys = [];
  for (const { link } of record.commits) keys.push((key = link ? await poolWith(key, ...link) : key));
  const ends = lastDrawings(record);
  let [numbers, version] = [0, 1];
  for (const [number, drawing] of drawings.entries()) {
    while (version <= ends.length && ends[version - 1] <= number) version += 1;
    const place = { found: `${drawing.number} in commit ${drawing.version}`, wanted: `${number} in commit ${version}` };
    if (place.found !== place.wanted) return { numbers, fault: { version, detail: say("audit.proof.not_counted"), ...place } };
    const made = await numbersOf(keys[version - 1] ?? key, drawing);
    const [found, wanted] = [drawing.numbers.join(" "), made.join(" ")];
    const detail = say("audit.proof.wrong_numbers", { label: `${number}:${drawing.point}` });
    if (found !== wanted) return { numbers, fault: { version, detail, found, wanted } };
    numbers += made.length;
  }
  const missing = ends.findIndex((end) => end > drawings.length) + 1;
  if (missing === 0) return { numbers, fault: null };
  const detail = say("audit.proof.not_listed");
  return { numbers, fault: { version: missing, detail, found: String(drawings.length), wanted: String(ends[ends.length - 1]) } };
}

/**
 * By commit: the number of drawings that the game had made after it.
 * @param {GameRecord} record
 */
function lastDrawings(record) {
  let drawn = 0;
  return record.commits.map((commit) => (drawn += Math.max(0, commit.draws)));
}

/**
 * @param {string} key
 * @param {Drawing} drawing
 */
async function numbersOf(key, drawing) {
  const row = await rowOfDrawing(key, drawing.number, drawing.point);
  const made = [];
  for (const bound of drawing.bounds) made.push(Number(await row.below(BigInt(bound))));
  return made;
}
