// @ts-check
/** For an admin: is the service ready, what it does, and what an admin may do to games and players. The key is in memory only. */
import { copyable } from "./copy.js";
import { h } from "./dom.js";
import { call, download, sleep } from "./net.js";
import { say } from "./words.js";

/** @typedef {import("./fold.js").Api} Api */

const EVERY_MS = 2000;
const POINTS = 60;
const STATUSES = ["running", "paused", "waiting", "revealing"];
const LABELS = /\{(?:.*?)status="(\d+)"/;

/** What the metrics count. @param {string} text */
export function readMetrics(text) {
  const sums = { calls: 0, errors: 0, seconds: 0, timed: 0, streams: 0 };
  for (const line of text.split("\n")) {
    const value = Number(line.slice(line.lastIndexOf(" ") + 1)) || 0;
    if (line.startsWith("referee_requests_total{")) (sums.calls += value), (sums.errors += (LABELS.exec(line)?.[1] ?? "") >= "500" ? value : 0);
    else if (line.startsWith("referee_request_seconds_sum{")) sums.seconds += value;
    else if (line.startsWith("referee_request_seconds_count{")) sums.timed += value;
    else if (line.startsWith("referee_streams ")) sums.streams = value;
  }
  return sums;
}

/** @param {import("./main.js").App} app @returns {import("./main.js").Page} */
export function openOperate(app) {
  const ending = new AbortController();
  /** @type {{key: string, isReady: string, games: {[status: string]: Api["GameSummary"][]}, player: Api["NewPlayerAnswer"] | null}} */
  const now = { key: "", isReady: "", games: {}, player: null };
  /** @type {{[name: string]: number[]}} */
  const rows = { calls: [], errors: [], time: [], streams: [] };
  const as = () => ({ headers: { Authorization: `Bearer ${now.key}` }, signal: ending.signal });
  let before = readMetrics("");
  const measure = async () => {
    now.isReady = await call("/readyz").then(() => "ready", () => "not_ready");
    const next = readMetrics(await download("/metrics", ending.signal).then((blob) => blob.text()));
    const seconds = EVERY_MS / 1000, timed = next.timed - before.timed;
    const point = { calls: (next.calls - before.calls) / seconds, errors: (next.errors - before.errors) / seconds, time: timed ? ((next.seconds - before.seconds) * 1000) / timed : 0, streams: next.streams };
    if (before.calls) for (const [name, value] of Object.entries(point)) rows[name] = [...rows[name], value].slice(-POINTS);
    before = next;
    app.redraw();
  };
  // A worker moves games between the lists, a moment after the call that changed them; meanwhile a game can be on two.
  const list = async () => {
    const found = await Promise.all(STATUSES.map((status) => call("/v1/games", { query: { status, limit: 20 }, ...as() })));
    STATUSES.forEach((status, at) => (now.games[status] = found[at].games.filter((/** @type {any} */ game) => game.status === status)));
    app.redraw();
  };
  const watch = async () => {
    for (; !ending.signal.aborted && now.key; await sleep(EVERY_MS, ending.signal)) if (!document.hidden) await measure().then(list).catch(() => {});
  };
  const submit = (/** @type {(form: FormData) => Promise<any>} */ then) => (/** @type {any} */ event) => (event.preventDefault(), void then(new FormData(event.target)).then(app.redraw).catch(app.fail));
  const enter = async (/** @type {FormData} */ form) => {
    now.key = String(form.get("key")).trim();
    const scopes = await call("/v1/me", as()).then(({ key }) => key.scopes, (error) => ((now.key = ""), Promise.reject(error)));
    if (!scopes.includes("admin")) return void ((now.key = ""), (now.isReady = "no_scope"));
    await list();
    void watch();
  };
  const administer = (/** @type {string} */ id) => submit(async (form) => void (await call(`/v1/games/${id}/administration`, { body: { action: form.get("action"), reason: form.get("reason") }, ...as() }), await list()));
  const player = submit(async (form) => void (now.player = await call(form.get("id") ? `/v1/players/${encodeURIComponent(String(form.get("id")))}/recovery` : "/v1/players", { method: "POST", body: form.get("id") ? undefined : { name: form.get("name") }, ...as() })));
  return {
    name: () => say("operate.title"),
    close: () => ending.abort(),
    draw: () =>
      h(
        "article",
        { class: "lobby" },
        h("h1", null, say("operate.title")),
        !now.key && h("section", { key: "enter" }, h("p", { class: "lead", role: "status" }, say(now.isReady === "no_scope" ? "operate.no_scope" : "operate.enter_text")), h("form", { class: "row", onsubmit: submit(enter) }, h("input", { name: "key", type: "password", class: "code wide", autocomplete: "off", required: true, "aria-label": say("operate.key"), placeholder: "rk_…" }), h("button", { class: "primary" }, say("operate.enter")))),
        now.key && h("section", { key: "now" }, h("h2", { role: "status" }, say(`operate.${now.isReady || "asking"}`)), h("ul", { class: "titles" }, Object.entries(rows).map(([name, values]) => h("li", { key: name, class: "title-card" }, h("span", { class: "label" }, say(`operate.${name}`)), h("b", { class: "figure" }, (values.at(-1) ?? 0).toFixed(name === "streams" ? 0 : 1)), spark(values))))),
        now.key && STATUSES.map((status) => h("section", { key: status }, h("h2", null, say(`status.${status}`), " ", h("small", null, now.games[status]?.length ?? 0)), h("ul", { class: "games" }, (now.games[status] ?? []).map((game) => h("li", { key: game.id, class: "game key" }, h("a", { href: `/games/${game.id}` }, game.ruleset, " ", game.version), h("form", { class: "row", onsubmit: administer(game.id) }, h("select", { name: "action", "aria-label": say("operate.action") }, ["pause", "resume", "annul"].map((action) => h("option", { key: action, value: action }, say(`operate.${action}`)))), h("input", { name: "reason", required: true, maxlength: 500, "aria-label": say("operate.reason"), placeholder: say("operate.reason") }), h("button", { class: "grave" }, say("operate.do")))))))),
        now.key && h("section", { key: "players" }, h("h2", null, say("operate.players")), h("p", { class: "lead" }, say("operate.players_text")), h("form", { class: "row", onsubmit: player }, h("input", { name: "name", maxlength: 40, "aria-label": say("operate.name"), placeholder: say("operate.name") }), h("input", { name: "id", class: "code", "aria-label": say("operate.id"), placeholder: "p_…" }), h("button", null, say("operate.do"))), now.player && h("p", { class: "notice" }, h("bdi", null, now.player.player.name), copyable(now.player.key, say("operate.player_key")))),
      ),
  };
}

/** @param {number[]} values */
function spark(values) {
  const most = Math.max(1, ...values);
  return h("svg", { class: "spark", viewBox: `0 0 ${POINTS} 20`, preserveAspectRatio: "none", "aria-hidden": "true" }, h("polyline", { points: values.map((value, at) => `${at},${(20 - (19 * value) / most).toFixed(1)}`).join(" ") }));
}
