// @ts-check
/** One's part of the luck: a chain of links, sealed when one sits down, and shown link by link. See docs/fairness.md. */
import { canHash, digest, sealOf } from "./fairness.js";
import * as keep from "./keep.js";
import { call, Problem, unique } from "./net.js";
import { say } from "./words.js";

/** A chain as it is kept: its last link, and the highest link that was sent; -1: none. @typedef {{last: string, sent: number}} Kept */

/** The links of a chain: a table with fresh luck that draws more often for one seat needs a new seal. */
const LINKS = 1024;

/** Whether a game has not started. @param {any} game */
export const isBefore = (game) => game?.status === "waiting" || game?.status === "revealing";

/** @param {string} game */
const nameOf = (game, seal = "") => `link ${game} ${seal}`;

/** Seal, link 0, link 1 and so on, by the last link. @type {Map<string, string[]>} */
const made = new Map();

/** @param {string} game @param {string} last */
async function chainOf(game, last) {
  const chain = made.get(last) ?? [last];
  while (chain.length <= LINKS) chain.unshift(await sealOf(game, chain[0]));
  made.set(last, chain);
  return chain;
}

/** The seal of a new chain, which nobody can guess and which is kept before anybody sees its seal. @param {string} game @param {string} text the player's own */
async function newSeal(game, text) {
  const last = await digest([text, unique(), unique()]), [seal] = await chainOf(game, last);
  keep.write(nameOf(game, seal), { last, sent: -1 });
  return seal;
}

/** What to send when one sits down: a seal, or where this browser computes no hashes the text itself. @param {string} game @param {string} text @returns {Promise<{ seal: string } | { nonce: string }>} */
export const partOfLuck = async (game, text) => (canHash() ? { seal: await newSeal(game, text) } : { nonce: text });

/** The link with this number, of the chain in which it hashes to `before`; null: this browser has no such chain. @param {string} game @param {number} index @param {string} before */
async function linkOf(game, index, before) {
  for (const name of keep.names(nameOf(game))) {
    const /** @type {Kept} */ kept = keep.read(name), chain = await chainOf(game, kept.last);
    if (chain[index] === before && chain[index + 1]) return { name, kept, index, link: chain[index + 1] };
  }
  return null;
}

/** A link that is shown. Anybody who sees it can compute all earlier ones, so a link is shown only after the one before it. @param {NonNullable<Awaited<ReturnType<typeof linkOf>>>} found */
function shown({ name, kept, index, link }) {
  if (index > kept.sent + 1) throw new Problem(0, { code: "link-withheld", detail: say("luck.withheld", { index }) });
  if (index > kept.sent) keep.write(name, { ...kept, sent: index });
  return link;
}

/** What the browser does for a player's luck when it has read a game: it reveals, seals a lost chain again, forgets what is over. Gives whether the game has changed by it. @param {any} game @param {number[]} mine @returns {Promise<boolean>} */
export async function tendLuck(game, mine) {
  const path = `/v1/games/${game.id}/seats/`;
  if (["finished", "annulled"].includes(game.status)) keep.names(nameOf(game.id)).forEach(keep.forget);
  let hasChanged = false;
  for (const seat of game.status === "revealing" ? game.unrevealed : []) {
    const found = mine.includes(seat) && (await linkOf(game.id, 0, game.seats[seat].seal));
    if (found) hasChanged = await call(`${path}${seat}/reveal`, { body: { link: shown(found) } });
  }
  if (isLost(game) && !(await linkOf(game.id, game.chain.index, game.chain.before))) {
    // Refused, for example when it is one's turn: the next commit is another opportunity.
    hasChanged = await call(`${path}${game.seat}/seal`, { body: { seal: await newSeal(game.id, "") } }).catch(() => false);
  }
  return Boolean(hasChanged);
}

/** Whether a chain can be sealed again, should it be lost. @param {any} game */
const isLost = (game) => canHash() && game.chain && (game.status === "paused" || (game.status === "running" && (game.seats[game.seat].bot !== null || !game.awaited.some((/** @type {any} */ each) => each.seat === game.seat))));

/** A move as it is sent: with the next link where luck is fresh. @param {any} game @param {any} move @returns {Promise<any>} */
export async function withLink({ id, chain }, move) {
  if (!chain?.counts) return move;
  const found = await linkOf(id, chain.index, chain.before);
  if (!found) throw new Problem(0, { code: "link-lost", detail: say("luck.lost") });
  return { link: shown(found), move };
}
