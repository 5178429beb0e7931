/** Pure: the frame of a page: the list of pages, the search, and the text. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../run.mjs";
import { escaped } from "./render-page.mjs";

export function pageHtml({ name, title, html }, groups) {
  const heading = title === "limpet" ? "limpet: real terminals for AI agents" : `${title} · limpet`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(heading)}</title>
<link rel="stylesheet" href="site.css">
</head>
<body>
<header>
<a class="home" href="index.html">limpet</a>
<label>Search <input id="search" type="search" placeholder="press /" autocomplete="off"></label>
</header>
<ul id="found" hidden></ul>
<nav aria-label="Pages">
${groups.map((group) => navGroup(group, name)).join("\n")}
</nav>
<main>
${html}</main>
<script src="site.js" defer></script>
</body>
</html>
`;
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
