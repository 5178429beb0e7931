/* The search of the site. The index is loaded with the first key, also from a file on disk. */
const field = document.querySelector("#search");
const found = document.querySelector("#found");
const MOST = 12;

let loading;
function loadIndex() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = "search-index.js";
    script.onload = () => resolve(window.searchIndex);
    script.onerror = reject;
    document.head.append(script);
  });
  return loading;
}

field.addEventListener("input", async () => {
  const index = await loadIndex();
  show(search(index, field.value));
  if (found.hidden && field.value.trim() !== "") sayNothingFound();
});

document.addEventListener("click", ({ target }) => {
  if (target !== field && !found.contains(target)) show([]);
});

for (const block of document.querySelectorAll("pre")) {
  if (!navigator.clipboard) break;
  const button = document.createElement("button");
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2_000);
  });
  block.after(button);
}

field.addEventListener("keydown", (event) => {
  if (event.key === "Escape") show([]);
  if (event.key === "Enter") found.querySelector("a")?.click();
  if (event.key === "ArrowDown") found.querySelector("a")?.focus();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target === field) return;
  event.preventDefault();
  field.focus();
});

/** Sections that have a word that begins like each word of the query; words of titles count more. */
function search(index, query) {
  const asked = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (asked.length === 0) return [];
  const scored = [];
  for (const [address, page, title, beginning, words] of index) {
    const heads = `${page} ${title}`.toLowerCase();
    let score = 0;
    for (const word of asked) {
      if (!` ${words} ${heads}`.includes(` ${word}`)) {
        score = 0;
        break;
      }
      score += 1 + (title.toLowerCase().includes(word) ? 6 : 0) + (heads.includes(word) ? 2 : 0);
      if (` ${words} `.includes(` ${word} `)) score += 2;
    }
    // References are long and repeat what the other pages explain.
    const isReference = /^(?:api|results|programs|seeds|changelog)\b/.test(address);
    if (score > 0) scored.push({ address, page, title, beginning, score: score - (isReference ? 5 : 0) });
  }
  return scored.sort((a, b) => b.score - a.score).slice(0, MOST);
}

function sayNothingFound() {
  const item = document.createElement("li");
  item.textContent = "Nothing found. Try fewer or shorter words.";
  found.replaceChildren(item);
  found.hidden = false;
}

function show(results) {
  found.hidden = results.length === 0;
  found.replaceChildren(
    ...results.map(({ address, page, title, beginning }) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = address;
      link.textContent = page === title ? page : `${page} › ${title}`;
      const text = document.createElement("small");
      text.textContent = beginning;
      link.append(text);
      link.addEventListener("click", () => show([]));
      item.append(link);
      return item;
    }),
  );
}
