/** Pure: a Markdown page as HTML, with its headings, the links in it, and its text for the search. */
import { Marked } from "marked";
import { anchors } from "../markdown.mjs";

/** `{ title, html, ids, links, sections }`; `linkTo` turns the target of a link into its address in the site. */
export function renderPage(text, linkTo) {
  const ids = anchors(text);
  const links = [];
  const sections = [];
  let index = 0;
  const address = (target) => {
    const link = linkTo(target);
    links.push(link);
    return link;
  };
  const renderer = {
    heading(inner, level, raw) {
      const id = ids[index];
      index += 1;
      sections.push({ id, title: plain(raw), level });
      return `<h${level} id="${id}"><a class="anchor" href="#${id}">#</a>${inner}</h${level}>\n`;
    },
    link: (href, title, inner) => `<a href="${escaped(address(href))}"${attribute(title)}>${inner}</a>`,
    image: (href, title, alt) => `<img src="${escaped(linkTo(href))}" alt="${escaped(alt)}"${attribute(title)}>`,
    table: (head, body) => `<div class="wide"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`,
    code(code, info = "") {
      const [language] = info.split(" ");
      return `<div class="block"><pre data-language="${escaped(language)}"><code>${escaped(code)}</code></pre></div>\n`;
    },
  };
  const html = new Marked({ renderer }).parse(text);
  return { title: sections[0]?.title ?? "limpet", html, ids, links, sections: withText(sections, text) };
}

/** The text of each section, without marks, for the search. */
function withText(sections, text) {
  const parts = [];
  let isCode = false;
  for (const line of text.split("\n")) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    if (!isCode && /^#{1,6}\s/.test(line)) parts.push("");
    else if (parts.length > 0) parts[parts.length - 1] += `${plain(line)} `;
  }
  return sections.map((section, at) => ({ ...section, text: (parts[at] ?? "").replace(/\s+/g, " ").trim() }));
}

function plain(text) {
  return text
    .replace(/<!--.*?-->|<\/?[a-z]+[^>]*>/g, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/&[a-z]+;|[`*|#>\\]|-{3,}/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function attribute(title) {
  return title ? ` title="${escaped(title)}"` : "";
}

export function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
