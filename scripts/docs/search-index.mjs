/** Pure: what the search of the site knows of each section: its title, its beginning, and its words. */

const SNIPPET = 160;

/** `[address, title of the page, title of the section, beginning, words]` of each section. */
export function searchIndex(pages) {
  return pages.flatMap(({ name, title, sections }) =>
    sections.map((section) => [
      `${name}#${section.id}`,
      title,
      section.title,
      section.text.slice(0, SNIPPET),
      words(`${section.title} ${section.text}`).join(" "),
    ]),
  );
}

/** `time-out` is also found as `timeout`. */
function words(text) {
  const lower = text.toLowerCase();
  const joined = (lower.match(/\p{L}+(?:-\p{L}+)+/gu) ?? []).map((word) => word.replaceAll("-", ""));
  return [...new Set([...(lower.match(/[\p{L}\p{N}_]+/gu) ?? []), ...joined])];
}
