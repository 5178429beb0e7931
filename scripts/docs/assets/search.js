/* The search of the site, without its page. */
const MOST = 12;

/**
 * Sections with words that begin like the words of the query, the best matches first. Words that few sections have
 * count more, and so do titles.
 */
globalThis.findSections = (index, query) => {
  const asked = (query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])
    .filter((word, _, all) => isTelling(word, all))
    .map(stem);
  const sections = index.map(([address, page, title, beginning, words]) => {
    const heads = ` ${page} ${title}`.toLowerCase();
    return { address, page, title, beginning, heads, text: ` ${words} ${heads} ` };
  });
  const rarity = new Map(asked.map((word) => [word, rarityOf(word, sections)]));
  const scored = [];
  for (const { heads, text, ...section } of sections) {
    const found = asked.filter((word) => text.includes(` ${word}`));
    if (found.length === 0 || found.length < asked.length / 2) continue;
    const title = ` ${section.title.toLowerCase()}`;
    let score = 0;
    for (const word of asked) {
      const points = 3 + (title.includes(` ${word}`) ? 6 : 0) + (heads.includes(` ${word}`) ? 2 : 0);
      score += rarity.get(word) * (found.includes(word) ? points : -6);
    }
    // References are long and repeat what the other pages explain.
    const isReference = /^(?:api|results|programs|seeds|changelog)\b/.test(section.address);
    scored.push({ ...section, score: isReference ? score / 2 - 5 : score });
  }
  return scored.sort((a, b) => b.score - a.score).slice(0, MOST);
};

/** From 1 for a word that every section has to about 4 for one that only one has. */
function rarityOf(word, sections) {
  const having = sections.filter(({ text }) => text.includes(` ${word}`)).length;
  return 1 + Math.log10(sections.length / Math.max(1, having));
}

/** Removes endings, so that the plural finds the singular. */
function stem(word) {
  return word.length > 4 ? word.replace(/s$/, "") : word;
}

const COMMON =
  "a an and are can did do does for from how i in is it my of on should that the to was what when where which who why with";

/** Words that every section has are ignored, unless there are no others. */
function isTelling(word, all) {
  const isCommon = (each) => COMMON.split(" ").includes(each);
  return !isCommon(word) || all.every(isCommon);
}
