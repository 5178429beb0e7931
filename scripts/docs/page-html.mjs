/** Pure: the frame of a page: the list of pages, the search, and the text. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../run.mjs";
import { escaped } from "./render-page.mjs";

const LEAST_HEADINGS = 3;

export function pageHtml({ name, title, html, sections }, groups) {
  const heading = title === "limpet" ? "limpet: real terminals for AI agents" : `${title} · limpet`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(heading)}</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="site.css">
<link rel="stylesheet" href="search.css">
</head>
<body>
<header>
<a class="home" href="index.html">limpet</a>
<a class="to-pages" href="#pages">Pages</a>
<input id="search" type="search" placeholder="Search (press /)" aria-label="Search" autocomplete="off">
</header>
<ul id="found" hidden></ul>
<nav id="pages" aria-label="Pages">
${groups.map((group) => navGroup(group, name)).join("\n")}
</nav>
<main>
${html}</main>
${contents(sections)}
<script src="search.js" defer></script>
<script src="site.js" defer></script>
</body>
</html>
`;
}

/** The contents beside the text on wide screens, if the page has enough headings. */
function contents(sections) {
  const heads = sections.filter(({ level }) => level === 2);
  if (heads.length < LEAST_HEADINGS) return "";
  const items = heads.map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`);
  return `<aside aria-label="On this page"><p>On this page</p><ul>${items.join("")}</ul></aside>`;
}

function navGroup({ title, pages }, current) {
  const items = pages.map(({ name, source }) => {
    const mark = name === current ? ' aria-current="page"' : "";
    return `<li><a href="${name}"${mark}>${escaped(titleOf(source))}</a></li>`;
  });
  return `<details open><summary>${title}</summary><ul>${items.join("")}</ul></details>`;
}

function titleOf(source) {
  const title = /^#\s+(.*)$/m.exec(readFileSync(join(root, source), "utf8"))?.[1] ?? source;
  return source === "README.md" ? "Overview" : title.replaceAll("`", "");
}
