// @ts-check
/** The lobby: begin with a name, my games, open tables, a new table, a table by its link. */
import { account, begin, comeBack } from "./account.js";
import { h } from "./dom.js";
import * as keep from "./keep.js";
import { seatMark } from "./kit.js";
import { call, follow, unique } from "./net.js";
import { asWished, drawNewTable, freshTable, makeTable, playNow } from "./newtable.js";
import { partOfLuck } from "./sealing.js";
import { capital, LANGUAGES, plainly, say, useTitle } from "./words.js";

/** @typedef {import("./main.js").App} App */
/** @typedef {{titles: any[], bots: any[], mine: any[], awaiting: Set<string>, invited: any[], open: any[], wish: any, isBusy: boolean}} Hall */

const DAY_S = 86_400;
const LINK = /(g_[0-9a-f]{24})(?:#join=(\S+))?/;

/** @param {Hall} hall */
async function readLists(hall) {
  const list = (/** @type {any} */ query) => call("/v1/games", { query: { limit: 30, ...query } }).then(({ games }) => games);
  const nobody = () => Promise.resolve([]);
  const own = (/** @type {any} */ query) => (account.me ? list(query) : nobody());
  const [open, mine, awaiting, invited] = await Promise.all([list({ status: "waiting" }), own({ mine: true }), own({ awaiting: true }), own({ invited: true })]);
  const isAtTable = new Set(mine.map((/** @type {any} */ game) => game.id));
  Object.assign(hall, { mine, invited, awaiting: new Set(awaiting.map((/** @type {any} */ game) => game.id)), open: open.filter((/** @type {any} */ game) => !isAtTable.has(game.id) && game.seats.some((/** @type {any} */ seat) => !seat.player && !seat.bot)) });
}

/** @param {App} app @returns {Promise<import("./main.js").Page>} */
export async function openLobby(app) {
  /** @type {Hall} */
  const hall = { titles: [], bots: [], mine: [], awaiting: new Set(), invited: [], open: [], wish: null, isBusy: false };
  const ending = new AbortController();
  const look = () => readLists(hall).then(app.redraw, () => {});
  void readLists(hall).then(app.redraw, app.fail);
  const [{ rulesets }, { bots }] = await Promise.all([call("/v1/rulesets"), call("/v1/bots")]);
  Object.assign(hall, { titles: rulesets, bots });
  const query = new URLSearchParams(location.search), asked = query.get("new");
  if (asked) hall.wish = await freshTable(hall, asked).then((wish) => asWished(hall, wish, query.get("with")), () => null);
  if (account.me) void follow("/v1/me/events", { last: () => null, message: () => void look(), connected: () => {}, poll: look, refused: () => {} }, ending.signal);
  const timer = setInterval(() => document.hidden || void look(), 20_000);
  ending.signal.addEventListener("abort", () => clearInterval(timer));
  return { name: () => say("nav.lobby"), close: () => ending.abort(), draw: () => drawLobby(app, hall) };
}

/** @param {App} app @param {Hall} hall */
function drawLobby(app, hall) {
  const running = hall.mine.filter((game) => ["waiting", "revealing", "running", "paused"].includes(game.status)).sort((a, b) => Number(hall.awaiting.has(b.id)) - Number(hall.awaiting.has(a.id)));
  const over = hall.mine.filter((game) => ["finished", "annulled"].includes(game.status));
  const rows = (/** @type {string} */ name, /** @type {any[]} */ games) => games.length > 0 && h("section", { class: "list", key: name }, h("h2", null, say(`lobby.${name}`)), h("ul", { class: "games" }, games.map((game) => row(hall, game))));
  return h(
    "div",
    { class: "lobby" },
    account.me ? h("h1", { class: "unseen" }, say("nav.lobby")) : welcome(app),
    hall.invited.length > 0 && h("section", { class: "list", key: "invited" }, h("h2", null, say("lobby.invited")), h("ul", { class: "games" }, hall.invited.map((game) => row(hall, game, invitation(app, game))))),
    rows("mine", running),
    hall.wish ? drawNewTable(app, hall) : h("section", { key: "titles" }, h("h2", null, say("lobby.titles")), h("ul", { class: "titles" }, hall.titles.map((title) => titleCard(app, hall, title)))),
    h("section", { class: "list", key: "open" }, h("h2", null, say("lobby.open")), hall.open.length ? h("ul", { class: "games" }, hall.open.map((game) => row(hall, game))) : h("p", { class: "empty" }, say("lobby.none_open"))),
    rows("over", over),
    h("section", { key: "link" }, h("h2", null, say("lobby.by_link")), h("form", { class: "row", onsubmit: (/** @type {any} */ event) => byLink(app, event) }, h("input", { name: "link", class: "code wide", "aria-label": say("lobby.link"), placeholder: say("lobby.link") }), h("input", { name: "code", class: "code", "aria-label": say("room.code"), placeholder: say("room.code") }), h("button", null, say("lobby.go")))),
    h("label", { class: "row", key: "language" }, say("language"), h("select", { onchange: speakOther }, Object.entries(LANGUAGES).map(([each, name]) => h("option", { key: each, value: each, lang: each, selected: each === document.documentElement.lang }, name)))),
  );
}

/** Everything is said in another language, so the page begins anew. @param {any} event */
function speakOther(event) {
  keep.write("language", event.target.value);
  location.reload();
}

/** @param {App} app */
function welcome(app) {
  return h(
    "section",
    { class: "welcome", key: "welcome" },
    h("h1", null, say("lobby.welcome")),
    h("p", { class: "lead" }, say("lobby.welcome_text")),
    h(
      "form",
      { class: "row begin", onsubmit: (/** @type {any} */ event) => void enter(app, event, begin, "name") },
      h("input", { name: "name", required: true, maxlength: 40, autocomplete: "nickname", "aria-label": say("lobby.your_name"), placeholder: say("lobby.your_name") }),
      h("button", { class: "primary" }, say("lobby.begin")),
      h("label", { class: "switch" }, h("input", { type: "checkbox", name: "stay", checked: true }), say("lobby.stay")),
    ),
    h("details", null, h("summary", null, say("lobby.have_key")), h("form", { class: "row", onsubmit: (/** @type {any} */ event) => void enter(app, event, comeBack, "key") }, h("input", { name: "key", class: "code wide", autocomplete: "off", "aria-label": say("account.key"), placeholder: "rk_…" }), h("button", null, say("account.come_back")))),
  );
}

/** @param {App} app @param {SubmitEvent} event @param {typeof begin} how @param {string} field */
async function enter(app, event, how, field) {
  event.preventDefault();
  const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
  try {
    await how(String(form.get(field)).trim(), form.get("stay") !== null || field === "key");
    const next = new URLSearchParams(location.search).get("next");
    app.go(next && /^\/games\/g_\w+(#join=\S+)?$/.test(next) ? next : "/", true);
  } catch (error) {
    app.fail(error);
  }
}

/** @param {App} app @param {SubmitEvent} event */
function byLink(app, event) {
  event.preventDefault();
  const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
  const found = LINK.exec(String(form.get("link"))), code = String(form.get("code")) || (found?.[2] ?? "");
  if (found) app.go(`/games/${found[1]}${code ? `#join=${code}` : ""}`);
}

/** @param {App} app @param {Hall} hall @param {any} title */
function titleCard(app, hall, title) {
  const act = (/** @type {(hall: Hall, slug: string) => Promise<any>} */ how) => async () => {
    hall.isBusy = true;
    app.redraw();
    try {
      await how(hall, title.slug);
    } catch (error) {
      app.fail(error);
    }
    hall.isBusy = false;
    app.redraw();
  };
  const make = async (/** @type {Hall} */ _, /** @type {string} */ slug) => void (hall.wish = await freshTable(hall, slug));
  const play = async (/** @type {Hall} */ _, /** @type {string} */ slug) => makeTable(app, await playNow(hall, slug));
  return h(
    "li",
    { class: `title-card tone${hall.titles.indexOf(title) % 7}`, key: title.slug },
    h("div", { class: "head" }, h("h3", null, title.title), h("a", { href: `/rules/${title.slug}` }, say("menu.rules"))),
    h("p", null, say("lobby.seats", { min: title.seats.min, max: title.seats.max })),
    h(
      "p",
      { class: "row" },
      account.me && h("button", { class: "primary", disabled: hall.isBusy, onclick: act(play) }, say("lobby.play_now")),
      account.me && h("button", { disabled: hall.isBusy, onclick: act(make) }, say("lobby.new_table")),
    ),
  );
}

/** What can be answered to an invitation. @param {App} app @param {any} game */
function invitation(app, game) {
  const { seat } = game.seats.find((/** @type {any} */ each) => each.player?.id === account.me?.id && each.accepted === false) ?? {};
  const answer = (/** @type {() => Promise<any>} */ how, /** @type {string} */ then) => () => void how().then(() => app.go(then), app.fail);
  const path = `/v1/games/${game.id}/seats`;
  return h("p", { class: "row" }, h("button", { class: "primary", onclick: answer(async () => call(path, { body: { seat, ...(await partOfLuck(game.id, unique())) } }), `/games/${game.id}`) }, say("room.accept")), h("button", { onclick: answer(() => call(`${path}/${seat}`, { method: "DELETE" }), "/") }, say("room.decline")));
}

/** What those who sit down at a table agree to: its clock and its options. @param {any} game */
function agreed({ terms: { clock, luck }, options }) {
  const time = clock && (clock.decision_s >= DAY_S ? say("new.clock_of_days", { days: clock.decision_s / DAY_S }) : say(clock.bank_s ? "new.clock_bank" : "new.clock_is", { decision: clock.decision_s, bank: clock.bank_s }));
  const told = Object.entries(options).filter(([, value]) => value !== null && value !== false).map(([name, value]) => (value === true ? plainly(name) : `${plainly(name)}: ${[value].flat().map(plainly).join(", ")}`));
  return [time, luck === "fresh" && say("new.luck_fresh"), ...told].filter(Boolean).join(" · ");
}

/** @param {Hall} hall @param {any} game @param {import("./dom.js").Any} [more] */
function row(hall, game, more) {
  useTitle(game.ruleset);
  const title = hall.titles.find(({ slug }) => slug === game.ruleset)?.title ?? game.ruleset;
  const isAwaited = hall.awaiting.has(game.id), unseen = game.version - (keep.read(`seen ${game.id}`) ?? game.version);
  const names = game.seats.map((/** @type {any} */ each) => each.player?.name ?? capital(each.bot ?? ""));
  return h(
    "li",
    { key: game.id, class: isAwaited ? "awaited" : "" },
    h(
      "a",
      { href: `/games/${game.id}`, class: "game" },
      h("b", null, title, game.edition !== "box" && h("small", null, ` ${plainly(game.edition ?? "?")}`)),
      h("span", { class: "marks" }, names.map((/** @type {string} */ name, /** @type {number} */ seat) => (name ? seatMark(seat, name) : h("span", { class: "open-mark", key: seat })))),
      h("bdi", { class: "names" }, names.filter(Boolean).join(", "), game.status === "waiting" && h("small", { class: "agreed" }, " · ", agreed(game))),
      h("span", { class: `state ${game.status}` }, isAwaited ? say("lobby.your_move") : say(`status.${game.status}`)),
      unseen > 0 && h("span", { class: "badge" }, say("replay.fresh", { count: unseen })),
    ),
    more,
  );
}
