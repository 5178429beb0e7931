/* The search of the site, without its page. */
const MOST = 12;

/** Sections with words that begin like those of the query, those with most of them first; titles count more. */
globalThis.findSections = (index, query) => {
  const asked = (query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word, _, all) => isTelling(word, all));
  const scored = [];
  for (const [address, page, title, beginning, words] of index) {
    const heads = ` ${page} ${title}`.toLowerCase();
    const text = ` ${words} ${heads} `;
    const found = asked.filter((word) => text.includes(` ${word}`));
    if (found.length === 0 || found.length < asked.length / 2) continue;
    let score = (found.length - asked.length) * 8;
    for (const word of found) {
      score += 1 + (title.toLowerCase().includes(word) ? 6 : 0) + (heads.includes(word) ? 2 : 0);
      if (text.includes(` ${word} `)) score += 2;
    }
    // References are long and repeat what the other pages explain.
    const isReference = /^(?:api|results|programs|seeds|changelog)\b/.test(address);
    scored.push({ address, page, title, beginning, score: isReference ? score / 2 - 5 : score });
  }
  return scored.sort((a, b) => b.score - a.score).slice(0, MOST);
};

/** Words that every section has say nothing, unless there are no others. */
function isTelling(word, all) {
  const isCommon = (each) => /^(?:a|an|and|can|do|does|for|how|i|in|is|it|my|of|on|the|to|what|with)$/.test(each);
  return !isCommon(word) || all.every(isCommon);
}
