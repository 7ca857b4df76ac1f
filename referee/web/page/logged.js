// @ts-check
/** Compares a record with the transparency log: is this the game that the log shows? */

import { digest } from "./fairness.js";
import { readCheckpoint, rootOf, tagOf } from "./tlog.js";
import { say } from "./words.js";

/** @typedef {import("./record.js").GameRecord} GameRecord */
/** @typedef {import("./record.js").Header} Header */
/** What is known of the log: its key, and whether a checkpoint is of the log that was seen. @typedef {{ vkey?: string, agrees: (checkpoint: import("./tlog.js").Checkpoint) => Promise<boolean | null> }} KnownLog */
/** @typedef {{ passed: boolean | null, detail: string, difference: import("./record.js").Difference | null }} Finding */

/** @param {string} why @param {{[field: string]: any}} [values] @param {Finding["difference"]} [difference] @returns {Finding} */
const refused = (why, values, difference = null) => ({ passed: false, detail: say(`audit.log.${why}`, values), difference });

/**
 * Whether every leaf in a record fits it, and leads to a checkpoint of the log. The faults are of no one commit.
 * @param {GameRecord} record
 * @param {Header} header
 * @param {KnownLog} [log]
 * @returns {Promise<Finding>}
 */
export async function compareWithLog(record, header, log) {
  const kinds = new Set(), game = await tagOf(header.game);
  /** @type {Map<string, import("./tlog.js").Checkpoint | null>} */
  const seen = new Map();
  for (const { checkpoint: note, entry, index, proof } of record.logged) {
    const isNew = !seen.has(note);
    if (isNew) seen.set(note, await readCheckpoint(note, log?.vkey));
    const now = seen.get(note);
    if (!now) return refused("no_checkpoint", { index });
    if (now.isSigned === false) return refused("not_signed", { name: now.origin });
    if (isNew && (await log?.agrees(now)) === false) return refused("another");
    if ((await rootOf(entry, index, now.size, proof)) !== now.root) return refused("no_proof", { index });
    const leaf = leafOf(entry), wanted = await hashAt(record, header, leaf);
    if (wanted === undefined) continue;
    if (leaf.game !== game || leaf.hash !== wanted) return refused("swapped", { index, version: leaf.version }, { found: wanted ?? say("audit.none"), wanted: String(leaf.hash) });
    kinds.add(leaf.kind);
  }
  const isWhole = kinds.has("created") && (kinds.has("finished") || kinds.has("annulled")) && (kinds.has("sealed") || !header.seals.some(Boolean));
  if (!isWhole) return { passed: null, detail: say("audit.log.missing"), difference: null };
  return signed(record.logged.length, [...seen.values()].filter((each) => each !== null));
}

/** @param {number} count @param {import("./tlog.js").Checkpoint[]} checkpoints @returns {Finding} */
function signed(count, checkpoints) {
  const isSigned = checkpoints.every((each) => each.isSigned), [{ origin, signers }] = checkpoints;
  const names = signers.filter((name) => name !== origin && checkpoints.every((each) => each.signers.includes(name))).join(", ");
  const detail = [say("audit.log.fits", { count }), say(isSigned ? "audit.log.signed" : "audit.log.unsigned"), say(names ? "audit.log.cosigned" : "audit.log.alone", { names })].join(" ");
  return { passed: isSigned || null, detail, difference: null };
}

/** @param {string} entry @returns {any} */
function leafOf(entry) {
  try {
    return JSON.parse(entry) ?? {};
  } catch {
    return {};
  }
}

/** The hash that a leaf must have; null: none would fit; undefined: nobody knows what it says. @param {GameRecord} record @param {Header} header @param {any} leaf @returns {Promise<string | null | undefined>} */
async function hashAt({ commits }, header, { kind, version }) {
  const isEnd = kind === "finished" || kind === "annulled";
  if (kind === "created") return version === 0 ? header.commitment : null;
  if (kind === "sealed") return version === 0 ? digest(sealedIn(header)) : null;
  if (kind !== "head" && !isEnd) return undefined;
  return isEnd && version !== commits.length ? null : (commits[version - 1]?.hash ?? null);
}

/** What the leaf `sealed` covers: everything that luck follows from, as it was before the first nonce was revealed. @param {Header} header */
function sealedIn({ format, holders, position, ...rest }) {
  return { ...rest, nonces: rest.nonces.map((nonce, seat) => (rest.seals[seat] ? "" : nonce)) };
}
