// @ts-check
/** Elements as data, and the patching of a tree: what stays keeps its focus, its selection and its place. */

/** @typedef {{[name: string]: any}} Props */
/** @typedef {{tag: string, props: Props, children: Child[]}} Element */
/** @typedef {Element | string} Child */
/** @typedef {Child | number | boolean | null | undefined | Any[]} Any */

const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";
/** What is set as a property: the attribute is only where it starts. */
const LIVE = new Set(["value", "checked", "selected", "open", "indeterminate"]);

/** What a node was made of. @type {WeakMap<Node, Child>} */
const made = new WeakMap();

/** An element as data. @param {string} tag @param {Props | null} [props] @param {Any[]} children @returns {Element} */
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, children: flat(children) };
}

/** @param {Any[]} children @returns {Child[]} */
function flat(children) {
  /** @type {Child[]} */
  const found = [];
  for (const child of children) {
    if (Array.isArray(child)) found.push(...flat(child));
    else if (typeof child === "number") found.push(String(child));
    else if (child !== null && child !== undefined && typeof child !== "boolean" && child !== "") found.push(child);
  }
  return found;
}

/** Make the children of a node what is given. @param {Any | Any[]} children @param {globalThis.Element} root */
export function render(children, root) {
  patchChildren(root, flat([children]), root.namespaceURI ?? HTML);
}

/** @param {Child} child @param {string} space */
function create(child, space) {
  if (typeof child === "string") return remember(document.createTextNode(child), child);
  const own = child.tag === "svg" ? SVG : space;
  const node = document.createElementNS(own, child.tag);
  const inside = child.tag === "foreignObject" ? HTML : own;
  patchChildren(node, child.children, inside);
  patchProps(node, {}, child.props);
  child.props.ref?.(node);
  return remember(node, child);
}

/** @template {Node} T @param {T} node @param {Child} child */
function remember(node, child) {
  made.set(node, child);
  return node;
}

/** @param {globalThis.Element} parent @param {Child[]} children @param {string} space */
function patchChildren(parent, children, space) {
  const old = [...parent.childNodes];
  const matched = match(old, children);
  const kept = new Set(matched);
  for (const node of old) if (!kept.has(node)) node.remove();
  /** @type {ChildNode | null} */
  let next = parent.firstChild;
  children.forEach((child, at) => {
    const node = matched[at];
    if (node === undefined) parent.insertBefore(create(child, space), next);
    else {
      patch(node, child, space);
      if (node === next) next = node.nextSibling;
      else parent.insertBefore(node, next);
    }
  });
}

/** For each child the node that it can go on with: by key, else the next one of its kind. @param {ChildNode[]} old @param {Child[]} children */
function match(old, children) {
  /** @type {Map<any, ChildNode>} */
  const keyed = new Map();
  /** @type {ChildNode[]} */
  const rest = [];
  for (const node of old) {
    const key = keyOf(made.get(node));
    if (key === undefined) rest.push(node);
    else keyed.set(key, node);
  }
  let from = 0;
  return children.map((child) => {
    const key = keyOf(child);
    if (key !== undefined) {
      const node = keyed.get(key);
      keyed.delete(key);
      return node && isSame(node, child) ? node : undefined;
    }
    const at = rest.findIndex((node, index) => index >= from && isSame(node, child));
    if (at < 0) return undefined;
    from = at + 1;
    return rest[at];
  });
}

/** @param {Child | undefined} child */
const keyOf = (child) => (child === undefined || typeof child === "string" ? undefined : child.props.key);

/** @param {Node} node @param {Child} child */
function isSame(node, child) {
  const was = made.get(node);
  if (was === undefined) return false;
  return typeof child === "string" ? typeof was === "string" : typeof was !== "string" && was.tag === child.tag;
}

/** @param {ChildNode} node @param {Child} child @param {string} space */
function patch(node, child, space) {
  const was = made.get(node);
  if (was === child) return;
  if (typeof child === "string") {
    if (was !== child) /** @type {Text} */ (node).data = child;
  } else {
    const element = /** @type {globalThis.Element} */ (node);
    patchChildren(element, child.children, child.tag === "svg" ? SVG : child.tag === "foreignObject" ? HTML : space);
    patchProps(element, /** @type {Element} */ (was).props, child.props);
  }
  made.set(node, child);
}

/** @param {any} node @param {Props} was @param {Props} now */
function patchProps(node, was, now) {
  for (const name in was) if (!(name in now)) set(node, name, undefined, was[name]);
  for (const name in now) if (was[name] !== now[name] || LIVE.has(name)) set(node, name, now[name], was[name]);
}

/** @param {any} node @param {string} name @param {any} value @param {any} was */
function set(node, name, value, was) {
  if (name === "key" || name === "ref") return;
  if (name.startsWith("on")) node[name] = value ?? null;
  else if (name === "style") style(node, was ?? {}, value ?? {});
  else if (LIVE.has(name)) {
    if (value !== was && node[name] !== value) node[name] = value ?? "";
  } else if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : String(value));
}

/** Properties one by one: the policy forbids the attribute. @param {any} node @param {Props} was @param {Props} now */
function style(node, was, now) {
  for (const name in was) if (!(name in now)) node.style.removeProperty(name);
  for (const name in now) if (was[name] !== now[name]) node.style.setProperty(name, now[name]);
}
