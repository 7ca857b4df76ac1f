// @ts-check
/** Forms from JSON Schema: of a title's options, and of moves that are too many to be listed. */
import { h } from "./dom.js";
import { capital, plainly, say, title } from "./words.js";

/** @typedef {{[name: string]: any}} Schema */
/** @typedef {(value: any) => void} Change */
/** @typedef {import("./dom.js").Any} Any */

const FEW = 5, CHIPS_MAX = 12;

/** A schema with its references followed and its alternatives as one. @param {Schema} schema @param {Schema} root @returns {Schema} */
export function resolved(schema, root) {
  if (schema.$ref) return resolved({ ...schema.$ref.split("/").slice(1).reduce((/** @type {any} */ at, /** @type {string} */ step) => at[step], root), ...omit(schema, "$ref") }, root);
  if ("const" in schema) return { ...schema, enum: [schema.const] };
  if (!schema.anyOf) return schema;
  const others = schema.anyOf.map((/** @type {Schema} */ each) => resolved(each, root)).filter((/** @type {Schema} */ each) => each.type !== "null");
  const isNullable = others.length < schema.anyOf.length;
  return { ...omit(schema, "anyOf"), ...union(others, root), isNullable };
}

/** @param {Schema} schema @param {string} name */
const omit = (schema, name) => Object.fromEntries(Object.entries(schema).filter(([each]) => each !== name));

/** Any of several schemas: the values of all, the fields of all. @param {Schema[]} schemas @param {Schema} root @returns {Schema} */
function union(schemas, root) {
  if (schemas.length < 2) return schemas[0] ?? {};
  if (schemas.every((each) => each.enum)) return { enum: [...new Map(schemas.flatMap((each) => each.enum).map((value) => [JSON.stringify(value), value])).values()] };
  if (schemas.every((each) => each.items)) return { ...schemas[0], items: union(schemas.map((each) => resolved(each.items, root)), root) };
  if (!schemas.every((each) => each.properties)) return schemas[0];
  const names = new Set(schemas.flatMap((each) => Object.keys(each.properties)));
  const fields = [...names].map((name) => [name, union(schemas.flatMap((each) => (each.properties[name] ? [resolved(each.properties[name], root)] : [])), root)]);
  const required = (schemas[0].required ?? []).filter((/** @type {string} */ name) => schemas.every((each) => each.required?.includes(name)));
  return { type: "object", properties: Object.fromEntries(fields), required };
}

/** What a form starts with. @param {Schema} given @param {Schema} root @returns {any} */
export function initial(given, root) {
  const schema = resolved(given, root);
  if ("default" in schema) return schema.default;
  if (schema.enum?.length === 1) return schema.enum[0];
  if (schema.isNullable) return null;
  if (schema.properties) {
    const needed = Object.entries(schema.properties).filter(([name, each]) => schema.required?.includes(name) || "default" in /** @type {Schema} */ (each));
    return Object.fromEntries(needed.map(([name, each]) => [name, initial(/** @type {Schema} */ (each), root)]));
  }
  if (schema.enum) return schema.enum[0];
  if (schema.type === "array") return [];
  if (schema.type === "object") return {};
  if (schema.type === "integer") return schema.minimum ?? 0;
  return schema.type === "boolean" ? false : "";
}

/** @param {any} value */
const shown = (value) => (value !== null && typeof value === "object" ? Object.entries(value).map(([name, each]) => (Array.isArray(value) ? plainly(each) : `${plainly(name)} ${plainly(each)}`)).join(", ") : plainly(value));

/** The fields of an object; `tell` puts a value of a field into words. @param {Schema} given @param {any} value @param {Change} change @param {Schema} root @param {(value: any, field: string) => string} [tell] @returns {Any} */
export function drawForm(given, value, change, root, tell = shown) {
  const schema = resolved(given, root);
  const fields = Object.entries(schema.properties ?? {}).filter(([, each]) => resolved(/** @type {Schema} */ (each), root).enum?.length !== 1);
  return h(
    "div",
    { class: "form" },
    fields.map(([name, each]) => {
      const inner = resolved(/** @type {Schema} */ (each), root);
      const put = (/** @type {any} */ next) => change(next === undefined ? omit(value, name) : { ...value, [name]: next });
      return h("div", { class: "field", key: name }, h("span", { class: "label", id: `label-${name}` }, title(name)), control(inner, value?.[name], put, root, name, tell), inner.description && h("small", { lang: "en" }, inner.description.replace(/\bnull\b/, say("form.any"))));
    }),
  );
}

/** @param {Schema} schema @param {any} value @param {Change} change @param {Schema} root @param {string} name @param {(value: any, field: string) => string} tell @returns {Any} */
function control(schema, value, change, root, name, tell) {
  const label = { "aria-labelledby": `label-${name}` };
  if (schema.enum) return choice(schema, value, change, label);
  if (schema.type === "boolean") return h("label", { class: "switch" }, h("input", { type: "checkbox", checked: Boolean(value), ...label, onchange: (/** @type {any} */ event) => change(event.target.checked) }), say(value ? "yes" : "no"));
  if (schema.type === "integer") return stepper(schema, value, change, label);
  if (schema.type === "array") return items(schema, value ?? [], change, root, label, (each) => tell(each, name));
  if (schema.properties && Object.values(schema.properties).every((each) => resolved(/** @type {Schema} */ (each), root).type === "integer")) return bag(schema, value ?? {}, change, root);
  if (schema.properties) return h("fieldset", label, drawForm(schema, value ?? {}, change, root, tell));
  if (schema.type === "object") return h("input", { ...label, placeholder: "brick 1, grain 2", value: shown(value ?? {}), onchange: (/** @type {any} */ event) => change(bagOf(event.target.value)) });
  return h("input", { ...label, value: value ?? "", onchange: (/** @type {any} */ event) => change(event.target.value || (schema.isNullable ? null : "")) });
}

/** @param {string} text */
const bagOf = (text) => Object.fromEntries([...text.matchAll(/([a-z_]+)\s+(\d+)/g)].map(([, kind, count]) => [kind, Number(count)]));

/** @param {Schema} schema @param {any} value @param {Change} change @param {any} label */
function choice(schema, value, change, label) {
  const options = schema.isNullable ? [null, ...schema.enum] : schema.enum;
  const text = (/** @type {any} */ each) => capital(each === null ? say("form.any") : shown(each));
  const is = (/** @type {any} */ each) => JSON.stringify(each) === JSON.stringify(value ?? null);
  if (options.length > FEW) return h("select", { ...label, onchange: (/** @type {any} */ event) => change(options[event.target.selectedIndex]) }, options.map((/** @type {any} */ each, /** @type {number} */ at) => h("option", { key: at, selected: is(each) }, text(each))));
  return h("span", { class: "segments", role: "group", ...label }, options.map((/** @type {any} */ each, /** @type {number} */ at) => h("button", { key: at, type: "button", "aria-pressed": String(is(each)), onclick: () => change(each) }, text(each))));
}

/** @param {Schema} schema @param {any} value @param {Change} change @param {any} label */
function stepper(schema, value, change, label) {
  const to = (/** @type {number} */ next) => change(Math.max(schema.minimum ?? -1e9, Math.min(schema.maximum ?? 1e9, next)));
  const typed = (/** @type {any} */ event) => change(event.target.value === "" && schema.isNullable ? null : Number.isInteger(Number(event.target.value)) ? Number(event.target.value) : value);
  return h(
    "span",
    { class: "stepper" },
    h("button", { type: "button", "aria-label": say("form.less"), disabled: (value ?? 0) <= (schema.minimum ?? (schema.isNullable ? 0 : -1e9)), onclick: () => to((value ?? 0) - 1) }, "−"),
    h("input", { inputmode: "numeric", size: 4, ...label, placeholder: schema.isNullable ? say("form.any") : "", value: value === null || value === undefined ? "" : String(value), onchange: typed }),
    h("button", { type: "button", "aria-label": say("form.more"), disabled: value !== null && value >= (schema.maximum ?? 1e9), onclick: () => to(value === null || value === undefined ? (schema.minimum ?? 0) : value + 1) }, "+"),
  );
}

/** Numbers by kind; what is zero is left out. @param {Schema} schema @param {any} value @param {Change} change @param {Schema} root */
function bag(schema, value, change, root) {
  return h(
    "span",
    { class: "bag" },
    Object.entries(schema.properties).map(([kind, each]) => {
      const inner = { ...resolved(/** @type {Schema} */ (each), root), minimum: 0 };
      const put = (/** @type {number} */ next) => change(next ? { ...value, [kind]: next } : omit(value, kind));
      return h("span", { key: kind, class: "kind" }, h("span", { class: "label", id: `label-${kind}` }, plainly(kind)), stepper(inner, value[kind] ?? 0, put, { "aria-labelledby": `label-${kind}` }));
    }),
  );
}

/** A list: what is chosen, in its order, and what may be added. @param {Schema} schema @param {any[]} value @param {Change} change @param {Schema} root @param {any} label @param {(value: any) => string} tell */
function items(schema, value, change, root, label, tell) {
  const inner = resolved(schema.items ?? {}, root);
  if (!inner.enum) return h("input", { ...label, placeholder: say("form.list"), value: value.join(", "), onchange: (/** @type {any} */ event) => change(event.target.value.trim() ? event.target.value.split(",").map((/** @type {string} */ each) => each.trim()) : schema.isNullable ? null : []) });
  const isFull = value.length >= (schema.maxItems ?? 100);
  const free = inner.enum.filter((/** @type {any} */ each) => !schema.uniqueItems || !value.some((other) => JSON.stringify(other) === JSON.stringify(each)));
  return h(
    "span",
    { class: "items", role: "group", ...label },
    h("span", { class: "chosen" }, value.length ? value.map((each, at) => h("button", { key: at, type: "button", class: "chip picked", "aria-label": say("form.remove", { what: tell(each) }), onclick: () => change(value.filter((_, other) => other !== at)) }, tell(each))) : say("table.nothing")),
    !isFull && free.length > CHIPS_MAX && h("select", { ...label, onchange: (/** @type {any} */ event) => event.target.selectedIndex > 0 && change([...value, free[event.target.selectedIndex - 1]]) }, h("option", { selected: true }, say("table.choose")), free.map((/** @type {any} */ each) => h("option", { key: JSON.stringify(each) }, tell(each)))),
    !isFull && free.length > 0 && free.length <= CHIPS_MAX && h("span", { class: "offered" }, free.map((/** @type {any} */ each) => h("button", { key: JSON.stringify(each), type: "button", class: "chip", "aria-label": say("form.add", { what: tell(each) }), onclick: () => change([...value, each]) }, `+ ${tell(each)}`))),
  );
}
