// @ts-check
/** The router, the frame around each page, and what all pages share. */
import { account, comeBack, firstKeyNotice, forgetMe, recall } from "./account.js";
import { open as openAudit } from "./audit.js";
import { h, render } from "./dom.js";
import { openJudge } from "./judge.js";
import * as keep from "./keep.js";
import { openKeys } from "./keys.js";
import { openLobby } from "./lobby.js";
import { call, Problem } from "./net.js";
import { openOperate } from "./operate.js";
import { drawFork, lookAtLog } from "./pinned.js";
import { openRules } from "./rules.js";
import { openTable } from "./tablepage.js";
import { LANGUAGES, say, useTitle, useWords } from "./words.js";

/** @typedef {{draw: () => import("./dom.js").Any, close?: () => void, key?: (event: KeyboardEvent) => void, name: () => string, wide?: boolean}} Page */
/** @typedef {{redraw: () => void, go: (address: string, replace?: boolean) => void, fail: (error: unknown) => void, reload: () => void}} App */

/** The log can wait until the page is there. */
const LOOK_AFTER_MS = 500;
const AT = document.documentElement.dataset.at ?? "";
const root = /** @type {HTMLElement} */ (document.getElementById("page"));

/** @type {Page | null} */
let page = null;
/** @type {import("./dom.js").Any} */
let failure = null;
let isScheduled = false;
let isMenuOpen = false;
let awaiting = 0;

/** @type {App} */
const app = { redraw, go, fail, reload: route };

/** What stands at an address. @type {[RegExp, (parts: string[]) => Page | Promise<Page>][]} */
const ROUTES = [
  [/^\/$/, () => openLobby(app)],
  [/^\/games\/(g_\w+)$/, ([id]) => openTable(app, id)],
  [/^\/games\/(g_\w+)\/log$/, ([id]) => openTable(app, id, "log")],
  [/^\/games\/(g_\w+)\/audit$/, ([id]) => openAudit(app, id)],
  [/^\/audit$/, () => openAudit(app)],
  [/^\/rules\/([\w-]+)$/, ([slug]) => openRules(app, slug)],
  [/^\/keys$/, () => openKeys(app)],
  [/^\/operate$/, () => openOperate(app)],
  [/^\/judge\/([\w-]+)$/, ([slug]) => openJudge(app, slug)],
];

/** Draw everything again, soon. */
function redraw() {
  if (isScheduled) return;
  isScheduled = true;
  queueMicrotask(() => {
    isScheduled = false;
    try {
      draw();
    } catch (error) {
      page = { name: () => say("name"), draw: () => null };
      fail(error);
    }
  });
}

function draw() {
  useTitle();
  document.title = `${awaiting ? `(${awaiting}) ` : ""}${page ? `${page.name()} · ` : ""}${say("name")}`;
  document.body.className = page?.wide ? "wide-page" : "";
  render([top(), failure !== null && failureBar(), firstKeyNotice(redraw), account.ended && endedBar(), drawFork(redraw), h("main", { key: "main", id: "main" }, page?.draw() ?? null)], root);
}

function top() {
  return h(
    "header",
    { class: "top", key: "top" },
    h("a", { class: "skip", href: "#main" }, say("skip")),
    h("a", { class: "brand", href: "/" }, flag(), say("name")),
    h("nav", { "aria-label": say("nav.label") }, h("a", { href: "/" }, say("nav.lobby")), ["audit", "guides", "docs"].map((name) => h("a", { key: name, href: `/${name}` }, say(`nav.${name}`)))),
    account.me && meMenu(account.me.name || say("keys.title")),
  );
}

const flag = () =>
  h("svg", { viewBox: "0 0 32 32", class: "flag", "aria-hidden": "true" }, h("path", { d: "M10 6v20M10 7h14l-4 5 4 5H10", fill: "none", stroke: "currentColor", "stroke-width": 3, "stroke-linejoin": "round", "stroke-linecap": "round" }));

/** @param {string} name */
function meMenu(name) {
  return h(
    "div",
    { class: "me" },
    h("button", { class: "quiet", "aria-expanded": String(isMenuOpen), onclick: () => ((isMenuOpen = !isMenuOpen), redraw()) }, h("bdi", null, name)),
    isMenuOpen && h("div", { class: "menu" }, h("p", null, say("account.here")), h("a", { class: "button", href: "/keys" }, say("keys.title")), h("button", { onclick: leave }, say("account.forget"))),
  );
}

async function leave() {
  isMenuOpen = false;
  try {
    await forgetMe();
  } catch (error) {
    fail(error);
  }
  go("/");
}

const failureBar = () => h("div", { class: "bar bad", role: "alert", key: "failure" }, h("span", null, failure), h("button", { class: "quiet", onclick: () => ((failure = null), redraw()) }, say("close")));

const endedBar = () =>
  h(
    "div",
    { class: "bar bad", role: "alert", key: "ended" },
    h("span", null, say("account.ended")),
    h("form", { class: "row", onsubmit: again }, h("input", { name: "key", class: "code", autocomplete: "off", "aria-label": say("account.key"), placeholder: "rk_…" }), h("button", null, say("account.come_back"))),
  );

/** @param {SubmitEvent} event */
async function again(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  try {
    await comeBack(String(new FormData(form).get("key")).trim(), true);
    route();
  } catch (error) {
    fail(error);
  }
}

/** Show what went wrong. @param {unknown} error */
function fail(error) {
  if (error instanceof DOMException && error.name === "AbortError") return;
  if (!(error instanceof Problem)) console.error(error);
  else if (error.status === 401 && account.ended) return;
  failure = !(error instanceof Problem) ? say("problem.strange") : error.code === "offline" ? say("problem.offline") : error.code === "nonsense" ? say("problem.nonsense", { status: error.status }) : h("span", { lang: "en" }, error.message);
  redraw();
}

/** Go to an address of this page. @param {string} address @param {boolean} [replace] */
function go(address, replace = false) {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  route();
}

async function route() {
  if (location.hash.startsWith("#rk_")) {
    history.replaceState(null, "", location.pathname + location.search);
    failure = say("problem.key_in_address");
  }
  page?.close?.();
  page = null;
  isMenuOpen = false;
  for (const [pattern, open] of ROUTES) {
    const found = pattern.exec(location.pathname);
    if (found) {
      try {
        page = await open(found.slice(1));
      } catch (error) {
        fail(error);
      }
      return redraw();
    }
  }
  page = { name: () => say("problem.nothing_here"), draw: () => h("p", { class: "empty" }, say("problem.nothing_here")) };
  redraw();
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof globalThis.Element ? event.target.closest("a") : null;
  const plain = !event.defaultPrevented && event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (!link || !plain || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname === location.pathname && link.hash && link.search === location.search) return;
  if (!ROUTES.some(([pattern]) => pattern.test(link.pathname))) return;
  event.preventDefault();
  failure = null;
  go(link.pathname + link.search + link.hash);
  scrollTo(0, 0);
});
/** Count the games that await this player, for the title of the tab. */
async function countAwaiting() {
  if (document.hidden || !account.me) return;
  const { games } = await call("/v1/games", { query: { awaiting: true, limit: 30 } }).catch(() => ({ games: [] }));
  if (games.length !== awaiting) (awaiting = games.length), redraw();
}
addEventListener("focus", countAwaiting);
setInterval(countAwaiting, 60_000);
addEventListener("popstate", () => route());
addEventListener("keydown", (event) => page?.key?.(event));
keep.onChange("key", () => location.reload());

async function start() {
  account.whenEnded = () => void route();
  const chosen = keep.read("language"), { documentElement: html } = document;
  if (Object.hasOwn(LANGUAGES, chosen)) html.lang = chosen;
  useWords(await (await fetch(`${AT}/words/${html.lang}.json`)).json(), html.lang);
  try {
    const known = recall(redraw);
    account.known = known.catch(() => {});
    await Promise.all([known.then(countAwaiting), route()]);
  } catch (error) {
    fail(error);
  }
  redraw();
  setTimeout(() => void lookAtLog(redraw), LOOK_AFTER_MS);
}
start();
