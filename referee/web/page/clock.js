// @ts-check
/** Clocks that run out before the referee's, never after. */
import { h } from "./dom.js";
import { halfTrip, serverNow } from "./net.js";
import { say } from "./words.js";

const EARLY_MS = 250;
const HURRY_MS = 10_000;
/** @type {Set<string>} */
const warned = new Set();

/** What is left until a time of the referee, as it is shown. @param {number} until */
export const remaining = (until) => Math.max(0, until - serverNow() - halfTrip() - EARLY_MS);

/** Time as text: days, hours, minutes, below ten seconds tenths. @param {number} ms */
export function timeText(ms) {
  const seconds = Math.floor(ms / 1000);
  if (ms < HURRY_MS) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1).replace(".", say("clock.point"))}`;
  if (seconds >= 172_800) return say("clock.days", { count: Math.floor(seconds / 86_400) });
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** A clock that runs. @param {string} at @param {boolean} isMine */
export function countdown(at, isMine) {
  const until = Date.parse(at), ms = remaining(until);
  return h("span", { class: ms < HURRY_MS ? "clock hurry" : "clock", role: "timer", "data-until": until, "data-mine": isMine }, timeText(ms));
}

/** Keep all clocks of the page running. @param {(text: string) => void} speak @param {AbortSignal} signal */
export function runClocks(speak, signal) {
  const timer = setInterval(() => {
    for (const clock of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-until]"))) {
      const ms = remaining(Number(clock.dataset.until)), text = timeText(ms);
      if (clock.firstChild instanceof Text && clock.firstChild.data !== text) clock.firstChild.data = text;
      clock.classList.toggle("hurry", ms < HURRY_MS);
      if (ms < HURRY_MS && clock.dataset.mine !== undefined && clock.dataset.until && !warned.has(clock.dataset.until)) {
        warned.add(clock.dataset.until);
        speak(say("clock.hurry"));
      }
    }
  }, 100);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}
