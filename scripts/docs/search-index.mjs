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

function words(text) {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])];
}
