// @ts-check
/** Seals one's part of the luck when one sits down, and reveals it when all seals are there. */
import { canHash, digest, sealOf } from "./fairness.js";
import * as keep from "./keep.js";
import { call, unique } from "./net.js";

/** Whether a game has not started. @param {any} game */
export const isBefore = (game) => game?.status === "waiting" || game?.status === "revealing";

/** @param {string} game @param {string} seal */
const nameOf = (game, seal) => `link ${game} ${seal}`;

/**
 * What to send when one sits down: a seal, or where this browser computes no hashes the text itself.
 * The link is made of the player's text and of chance, so that nobody can guess it, and is kept until it is revealed.
 * @param {string} game
 * @param {string} text
 * @returns {Promise<{ seal: string } | { nonce: string }>}
 */
export async function partOfLuck(game, text) {
  if (!canHash()) return { nonce: text };
  const link = await digest([text, unique(), unique()]), seal = await sealOf(game, link);
  keep.write(nameOf(game, seal), link);
  return { seal };
}

/**
 * Reveal what one's own seats have sealed, once every seat is taken. Gives whether something was revealed.
 * @param {any} game
 * @param {number[]} mine
 */
export async function revealOwn(game, mine) {
  if (game.status !== "revealing") return false;
  const links = game.unrevealed
    .filter((/** @type {number} */ seat) => mine.includes(seat))
    .map((/** @type {number} */ seat) => ({ seat, link: keep.read(nameOf(game.id, game.seats[seat].seal)) }))
    .filter((/** @type {{ link: unknown }} */ { link }) => typeof link === "string");
  for (const { seat, link } of links) await call(`/v1/games/${game.id}/seats/${seat}/reveal`, { body: { link } });
  return links.length > 0;
}
