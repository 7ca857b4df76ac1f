// Plays a whole game of Hund & Katz with the types of openapi-typescript and the calls of openapi-fetch.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.ts";

declare const process: { argv: string[] };

type Move = components["schemas"]["HundUndKatzMove"];

function found<T>(answer: { data?: T; error?: components["schemas"]["Problem"] }): T {
  if (answer.error !== undefined) throw new Error(`${answer.error.code}: ${answer.error.detail}`);
  if (answer.data === undefined) throw new Error("The answer has no body.");
  return answer.data;
}

const client = createClient<paths>({ baseUrl: process.argv[2] });
const { key } = found(await client.POST("/v1/players", { body: { name: "ada" } }));
client.use({ onRequest: ({ request }) => request.headers.set("Authorization", `Bearer ${key}`) });

const created = found(
  await client.POST("/v1/games", { body: { ruleset: "hund-und-katz", seats: ["me", { bot: "random" }] } }),
);
const path = { game_id: created.id };

let version = 0;
for (;;) {
  const game = found(await client.GET("/v1/games/{game_id}", { params: { path } }));
  if (game.ruleset !== "hund-und-katz") throw new Error(game.ruleset);
  version = game.version;
  if (game.status === "finished") {
    const ranks = game.ranking?.map((place) => `seat ${place.seat} rank ${place.rank} score ${place.score}`);
    console.log(`${game.status} at ${version}: ${ranks?.join(", ")}`);
    break;
  }
  if (!game.awaited.some((decision) => decision.seat === 0)) {
    // The bot has the turn: wait for its commit.
    const query = { after: version, wait: 10, limit: 1 };
    found(await client.GET("/v1/games/{game_id}/events", { params: { path, query } }));
    continue;
  }
  const legal = found(await client.GET("/v1/games/{game_id}/legal-moves", { params: { path } }));
  const move = legal.moves[version % legal.moves.length] as Move;
  found(await client.POST("/v1/games/{game_id}/moves", { params: { path }, body: move }));
}
