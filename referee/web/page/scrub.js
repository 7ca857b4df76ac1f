// @ts-check
/** Looking back: a slider over all versions, steps by commit and by turn, and whose eyes look. */
import { h } from "./dom.js";
import { newest } from "./fold.js";
import { seatName } from "./kit.js";
import { sleep } from "./net.js";
import { say } from "./words.js";

/** @typedef {{at: number, newest: number, isLive: boolean, isEndHidden: boolean, commits: any[], fresh: number, look: (at: number | null) => void, isPlaying?: boolean, speed?: number, play?: () => void, faster?: () => void}} Scrubber */

const ICONS = { first: "M6 5v14M19 5l-9 7 9 7z", back: "M16 5l-9 7 9 7z", on: "M8 5l9 7-9 7z", last: "M18 5v14M5 5l9 7-9 7z", play: "M7 4l13 8-13 8z", pause: "M7 5v14M17 5v14" };

/** @param {keyof typeof ICONS} icon @param {string} label @param {boolean} isOff @param {() => void} act */
const button = (icon, label, isOff, act) =>
  h("button", { class: "icon", "aria-label": label, title: label, disabled: isOff, onclick: act }, h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: ICONS[icon] })));

/** Play the game as it was, with its pauses, but none longer than two seconds. @param {import("./table.js").Seatside} table */
export async function replay(table) {
  if (table.isPlaying) return void (table.isPlaying = false);
  table.isPlaying = true;
  if (table.state.at === null || table.state.at >= newest(table.state)) table.look(0);
  while (table.isPlaying && !table.signal.aborted && table.state.at !== null && table.state.at < newest(table.state)) {
    const [now, next] = [table.state.commits[table.state.at - 1], table.state.commits[table.state.at]];
    const pause = now && next ? Math.min(2000, Math.max(250, Date.parse(next.at) - Date.parse(now.at))) : 600;
    await sleep(pause / table.speed, table.signal);
    if (table.isPlaying && table.state.at !== null) table.look(table.state.at + 1);
  }
  table.isPlaying = false;
  table.app.redraw();
}

/** The version where the turn before or after this one begins: where another seat acts. @param {any[]} commits @param {number} at @param {1 | -1} way */
export function turnFrom(commits, at, way) {
  const actor = (/** @type {number} */ version) => commits[version - 1]?.actor;
  let version = at + way;
  while (version > 0 && version < commits.length && (actor(version) === actor(version + (way > 0 ? 0 : 1)) || typeof actor(version) !== "number")) version += way;
  return Math.max(0, Math.min(commits.length, version));
}

/** The next version that concerns a seat: it acted, or an event names it. @param {any[]} commits @param {number} at @param {1 | -1} way @param {number | null} seat */
export function concerning(commits, at, way, seat) {
  const isOurs = (/** @type {any} */ commit) => commit.actor === seat || commit.events.some((/** @type {any} */ event) => event.seat === seat || event.target === seat);
  for (let version = at + way; version > 0 && version <= commits.length; version += way) if (isOurs(commits[version - 1])) return version;
  return way > 0 ? commits.length : 0;
}

/** @param {Scrubber} scrubber */
export function drawScrub(scrubber) {
  const { at, newest, isLive, isEndHidden, look } = scrubber;
  return h(
    "div",
    { class: "scrub", role: "group", "aria-label": say("replay.label") },
    button("first", say("replay.first"), at === 0, () => look(0)),
    button("back", say("replay.back"), at === 0, () => look(at - 1)),
    button("on", say("replay.on"), isLive || (at >= newest && !isEndHidden), () => look(at + 1)),
    button("last", say("replay.last"), isLive || isEndHidden, () => look(null)),
    scrubber.play && button(scrubber.isPlaying ? "pause" : "play", say(scrubber.isPlaying ? "replay.stop" : "replay.play"), isLive && newest === 0, scrubber.play),
    scrubber.play && h("button", { class: "quiet speed", "aria-label": `${say("replay.speed")} ${scrubber.speed}×`, onclick: scrubber.faster }, `${scrubber.speed}×`),
    !isEndHidden && h("div", { class: "track" }, ticks(scrubber), h("input", { type: "range", min: 0, max: newest, value: String(at), "aria-label": say("replay.version"), oninput: (/** @type {any} */ event) => look(Number(event.target.value)) })),
    h("output", { class: "count" }, isEndHidden ? String(at) : `${at}/${newest}`),
    scrubber.fresh > 0 && h("button", { class: "badge", onclick: () => look(null) }, say("replay.fresh", { count: scrubber.fresh })),
  );
}

/** A tick where the actor changes. @param {Scrubber} scrubber */
function ticks({ commits, newest }) {
  const marks = commits.filter((commit, index) => typeof commit.actor === "number" && commit.actor !== commits[index - 1]?.actor);
  return h("svg", { class: "ticks", viewBox: `0 0 ${Math.max(newest, 1)} 10`, preserveAspectRatio: "none", "aria-hidden": "true" }, marks.map((commit) => h("line", { key: commit.version, class: `seat${commit.actor % 6}`, x1: commit.version, x2: commit.version, y1: commit.actor % 2 ? 0 : 3, y2: 10 })));
}

/** Whose eyes look, where that can be chosen. @param {{seats: import("./kit.js").SeatName[], eyes: string, choose: (eyes: string) => void, options: string[]}} chooser */
export function drawEyes({ seats, eyes, choose, options }) {
  if (options.length < 2) return null;
  return h(
    "fieldset",
    { class: "eyes" },
    h("legend", null, say("replay.eyes")),
    options.map((option) => h("button", { key: option, class: "quiet", "aria-pressed": String(option === eyes), onclick: () => choose(option) }, /^\d+$/.test(option) ? seatName(Number(option), seats) : say(`replay.eyes_${option || "none"}`))),
  );
}
