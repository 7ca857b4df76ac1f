/* Computes every value of docs/vectors.json with fairness.js: node run_vectors.js vectors.json */

import { readFileSync } from "node:fs";
import { argv } from "node:process";

import { drawingsOf, rowOfBot } from "./drawings.js";
import * as fairness from "./fairness.js";

const vectors = JSON.parse(readFileSync(argv[2], "utf-8"));

const canonical = async ({ value }) => ({ value, canonical: fairness.canonical(value), sha256: await fairness.digest(value) });

async function secret({ salt, seed, keys, salts }) {
  const blind = await fairness.blinds(seed);
  return {
    salt,
    seed,
    commitment: await fairness.commitment(salt, seed),
    keys: await all(keys, async ({ nonces }) => ({ nonces, key: await fairness.luckKey(seed, nonces) })),
    salts: await all(salts, async ({ version }) => ({ version, salt: await blind(version) })),
  };
}

async function below({ key, label, bound, words, integers }) {
  const start = async () => new fairness.Row(await fairness.hmacKey(fairness.fromHex(key)), label);
  const [one, other] = [await start(), await start()];
  return {
    key,
    label,
    words: await inOrder(words, async () => (await one.word()).toString(16).padStart(16, "0")),
    bound,
    integers: await inOrder(integers, async () => String(await other.below(BigInt(bound)))),
  };
}

async function drawings({ key, before, drawings }) {
  const made = await inOrder(drawings, async (drawing, index) => {
    const row = await drawingsOf(key, before + index, drawing.point);
    return { ...drawing, outcome: await outcome(row, drawing) };
  });
  return { key, before, drawings: made };
}

function outcome(row, drawing) {
  if (drawing.shuffle) return row.shuffle(drawing.shuffle);
  if (drawing.pick) return row.pick(drawing.pick, drawing.count);
  if (drawing.number) return row.number(...drawing.number);
  return row.dice(drawing.dice, drawing.sides);
}

async function bot({ key, luck, bounds }) {
  const row = await rowOfBot(key, luck);
  return { key, luck, bounds, integers: await inOrder(bounds, async (bound) => Number(await row.below(BigInt(bound)))) };
}

async function game({ header, commits, secret, holders, texts }) {
  const key = await fairness.luckKey(secret.seed, header.nonces);
  const blind = await fairness.blinds(secret.seed);
  const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
  return {
    header,
    canonical: fairness.canonical(header),
    header_hash: await fairness.digest(header),
    commits: await all(commits, async ({ commit }) => ({
      commit: { ...commit, salt: await blind(commit.version) },
      canonical: fairness.canonical(commit),
      hash: await fairness.digest(commit),
    })),
    secret,
    holders,
    texts,
    luck: {
      deck: await (await drawingsOf(key, 0, "shuffle_deck")).shuffle(numbers),
      first: await (await drawingsOf(key, 1, "first_seat")).number(0, 2),
      dice: await (await drawingsOf(key, 2, "roll_dice")).dice(2, 6),
    },
  };
}

const nonce = async ({ text }) => ({ text, nonce: await fairness.nonceOf(text) });
const seal = async ({ game, link }) => ({ game, link, seal: await fairness.sealOf(game, link) });
async function links({ game, last, length }) {
  const links = [last];
  while (links.length < length) links.unshift(await fairness.sealOf(game, links[0]));
  return { game, last, length, links, seal: await fairness.sealOf(game, links[0]) };
}

async function pools({ key, pools }) {
  let pool = key;
  const made = await inOrder(pools, async ({ seat, link }) => {
    pool = await fairness.poolWith(pool, seat, link);
    return { seat, link, pool };
  });
  return { key, pools: made, dice: await (await drawingsOf(pool, 7, "roll_dice")).dice(2, 6) };
}

const holder = async ({ player, salt }) => ({ player, salt, hash: await fairness.digest({ player, salt }) });
const text = async ({ salt, text }) => ({ salt, text, hash: await fairness.digest({ salt, text }) });

const all = (items, make) => Promise.all(items.map(make));

async function inOrder(items, make) {
  const made = [];
  for (const [index, item] of items.entries()) made.push(await make(item, index));
  return made;
}

console.log(
  JSON.stringify({
    format: vectors.format,
    canonical: await all(vectors.canonical, canonical),
    secrets: await all(vectors.secrets, secret),
    below: await all(vectors.below, below),
    drawings: await all(vectors.drawings, drawings),
    nonces: await all(vectors.nonces, nonce),
    seals: await all(vectors.seals, seal),
    links: await all(vectors.links, links),
    pools: await all(vectors.pools, pools),
    holders: await all(vectors.holders, holder),
    texts: await all(vectors.texts, text),
    bots: await all(vectors.bots, bot),
    game: await game(vectors.game),
  }),
);
