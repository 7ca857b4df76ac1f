// @ts-check
/** The rules of a title: clauses by section, rulings, the tests that show each, and the numbers of the box. */
import { h } from "./dom.js";
import { call } from "./net.js";
import { plainly, say, title } from "./words.js";

/** @param {import("./main.js").App} app @param {string} slug @returns {Promise<import("./main.js").Page>} */
export async function openRules(app, slug) {
  const rules = await call(`/v1/rulesets/${slug}`);
  let sought = "";
  /** The tests of a clause, once somebody wants to see them. @type {Map<string, string[]>} */
  const tests = new Map();
  const show = (/** @type {string} */ id) => async (/** @type {any} */ event) => {
    if (!event.target.open || tests.has(id)) return;
    tests.set(id, []);
    await call(`/v1/rulesets/${slug}/clauses/${id}`).then((clause) => tests.set(id, clause.tests), app.fail);
    app.redraw();
  };
  const has = (/** @type {any} */ clause) => `${clause.id} ${clause.section} ${clause.text}`.toLowerCase().includes(sought.toLowerCase());
  const goTo = () => document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView({ block: "center" });
  setTimeout(goTo, 50);
  const isCited = (/** @type {any} */ clause) => location.hash.slice(1) === clause.id;
  const found = () => Object.entries(Object.groupBy([...rules.clauses, ...rules.rulings].filter(has), ({ section }) => section));
  const drawClause = (/** @type {any} */ clause) =>
    h(
      "div",
      { key: clause.id, id: clause.id, class: isCited(clause) ? "cited" : "" },
      h("dt", null, h("a", { href: `#${clause.id}` }, clause.id)),
      h("dd", { lang: "en" }, clause.text.split("`").map((/** @type {string} */ part, /** @type {number} */ at) => (at % 2 ? h("code", null, part) : part)), h("details", { ontoggle: show(clause.id) }, h("summary", null, say("rules.tests")), h("ul", { class: "code" }, (tests.get(clause.id) ?? []).map((test) => h("li", { key: test }, plainly(test.split("::").pop()?.replace(/^test_/, "")))))))
    );
  return {
    name: () => rules.title,
    draw: () =>
      h(
        "article",
        { class: "rules" },
        h("h1", null, rules.title),
        h("p", { class: "lead" }, say("rules.about", { version: rules.version, min: rules.seats.min, max: rules.seats.max })),
        h("p", { class: "row" }, h("a", { class: "button", href: `/judge/${slug}` }, say("rules.try")), h("a", { class: "button quiet", href: `/guides/${slug}` }, say("rules.book"))),
        h("input", { type: "search", "aria-label": say("rules.search"), placeholder: say("rules.search"), oninput: (/** @type {any} */ event) => ((sought = event.target.value), app.redraw()) }),
        found().map(([section, clauses]) => h("section", { key: section }, h("h2", { lang: "en" }, section), h("dl", { class: "clauses" }, clauses?.map(drawClause)))),
        !found().length && h("p", { class: "empty", role: "status" }, say("rules.none")),
        h("section", { key: "box" }, h("h2", null, say("rules.box")), h("dl", { class: "clauses", lang: "en" }, Object.entries(rules.edition_data).map(([name, value]) => h("div", { key: name }, h("dt", null, title(name)), h("dd", null, number(value)))))),
      ),
  };
}

/** A number of the box, or several. @param {any} value @returns {import("./dom.js").Any} */
function number(value) {
  if (value === null || typeof value !== "object") return plainly(value);
  if (Array.isArray(value) && value.every((each) => each === null || typeof each !== "object")) return value.map(plainly).join(", ");
  return h("ul", { class: "numbers" }, Object.entries(value).map(([name, each]) => h("li", { key: name }, !Array.isArray(value) && h("b", null, plainly(name), " "), number(each))));
}
