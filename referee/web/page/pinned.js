// @ts-check
/** The transparency log as this browser saw it: its key from the first visit, the last checkpoint, and what contradicts them. */
import { asFile } from "./copy.js";
import { h } from "./dom.js";
import { canHash } from "./fairness.js";
import * as keep from "./keep.js";
import { call, download, Problem } from "./net.js";
import { continues, readCheckpoint } from "./tlog.js";
import { say } from "./words.js";

/** @typedef {{vkey: string, note: string, at: number}} Pinned */

const LOOK_MS = 60_000;
const text = async (/** @type {string} */ path) => (await download(path)).text();

/** What this browser noted of the log, if it has seen one. @returns {Pinned | null} */
export const pinned = () => keep.read("log");

/** Whether a checkpoint is of the log that this browser saw; null: it cannot be found out now. @param {import("./tlog.js").Checkpoint} now @returns {Promise<boolean | null>} */
export async function agrees(now) {
  const known = await readCheckpoint(pinned()?.note ?? "");
  if (!known) return null;
  const [old, more] = [known, now].sort((one, other) => one.size - other.size);
  try {
    const proof = old.size < more.size ? await text(`/log/proof?old=${old.size}&size=${more.size}`) : "";
    return known.origin === now.origin && (await continues(old, more, proof.split("\n").filter(Boolean)));
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return false;
    return null;
  }
}

/** Look at the log now and then: note its key and its newest checkpoint, or what contradicts the last one. @param {() => void} changed */
export async function lookAtLog(changed) {
  const known = pinned();
  if (!canHash() || keep.read("log fork") || Date.now() - (known?.at ?? 0) < LOOK_MS) return;
  try {
    const note = await text("/log/checkpoint");
    let vkey = known?.vkey ?? (await call("/log/keys")).log, now = await readCheckpoint(note, vkey);
    // The log of a service may change its key, but goes on from what was signed by the old one.
    if (known && now?.isSigned === false) now = await readCheckpoint(note, (vkey = (await call("/log/keys")).log));
    const isGood = now && now.isSigned !== false && (known ? await agrees(now) : true);
    if (isGood) keep.write("log", { vkey, note, at: Date.now() });
    else if (isGood !== null || !now) keep.write("log fork", `${known?.note ?? ""}\n${note}`), changed();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

/** What contradicts the log that this browser saw. @param {() => void} changed */
export function drawFork(changed) {
  const fork = keep.read("log fork");
  if (!fork) return null;
  const startOver = () => (["log", "log fork"].forEach(keep.forget), void lookAtLog(changed), changed());
  return h("div", { class: "bar bad", role: "alert", key: "fork" }, h("span", null, say("audit.log.fork")), asFile(fork, "checkpoints.fork", say("audit.log.keep")), h("button", { onclick: startOver }, say("audit.log.start_over")));
}
