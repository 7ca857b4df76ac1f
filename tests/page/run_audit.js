/* Opens the page of the audit without the rest of the page. */

import { open } from "./audit.js";
import { render } from "./dom.js";
import { useWords } from "./words.js";

useWords(await (await fetch("/page/en.json")).json());
const [, , game] = location.pathname.split("/");
const root = document.getElementById("page");
const page = open({ redraw: () => queueMicrotask(() => render(page.draw(), root)) }, game);
render(page.draw(), root);
