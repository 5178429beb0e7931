/**
 * The documents as static HTML: one page per Markdown file, a list of all pages beside it, and a search that needs no
 * server. Every link and anchor of the result is checked.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { root } from "../run.mjs";
import { pageHtml } from "./page-html.mjs";
import { renderPage } from "./render-page.mjs";
import { searchIndex } from "./search-index.mjs";
import { groups } from "./site-pages.mjs";

const ASSETS = new URL("assets/", import.meta.url);
const SITE_FILES = ["site.css", "search.css", "search.js", "site.js"];
/** Written for people who read the source: the site links to its text. */
const AS_TEXT = new Set(["AGENTS.md", "LICENSE"]);

/** Returns the number of pages and a line for each dead link. */
export function buildSite(directory) {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const sources = groups().flatMap(({ pages }) => pages);
  const bySource = new Map(sources.map((page) => [page.source, page]));
  const dead = [];
  const rendered = sources.map((page) => {
    const text = readFileSync(join(root, page.source), "utf8");
    const linkTo = (target) => resolveLink(page, target, { bySource, directory, dead });
    return { ...page, ...renderPage(text, linkTo) };
  });
  for (const page of rendered) {
    writeFileSync(join(directory, page.name), pageHtml(page, groups()));
    dead.push(...deadAnchors(page, rendered));
  }
  writeFileSync(join(directory, "search-index.js"), `window.searchIndex=${JSON.stringify(searchIndex(rendered))}`);
  for (const name of SITE_FILES) copyFileSync(new URL(name, ASSETS), join(directory, name));
  copyFileSync(join(root, "src/web/page/icon.svg"), join(directory, "icon.svg"));
  return { pages: rendered.length, dead };
}

/** The address of a link in the site: a page, or a copy of a file. */
function resolveLink(page, target, { bySource, directory, dead }) {
  if (/^([a-z][a-z+.-]*:|\/\/|#)/i.test(target)) return target;
  const [path, anchor] = target.split("#");
  const source = posix.normalize(posix.join(posix.dirname(page.source), path));
  const known = bySource.get(source);
  if (known) return anchor === undefined ? known.name : `${known.name}#${anchor}`;
  const file = join(root, source);
  const isFile = !source.startsWith("..") && existsSync(file) && statSync(file).isFile();
  if (!isFile || (source.endsWith(".md") && !AS_TEXT.has(source))) {
    dead.push(`${page.source}: ${target}`);
    return target;
  }
  const copy = join("files", AS_TEXT.has(source) ? `${source}.txt` : source);
  mkdirSync(dirname(join(directory, copy)), { recursive: true });
  copyFileSync(file, join(directory, copy));
  return copy;
}

function deadAnchors({ source, name, links }, rendered) {
  return links.flatMap((link) => {
    const [path, anchor] = link.split("#");
    if (!anchor || /^[a-z]+:/i.test(link)) return [];
    const page = rendered.find((each) => each.name === (path || name));
    return page === undefined || page.ids.includes(decodeURIComponent(anchor)) ? [] : [`${source}: ${link}`];
  });
}
