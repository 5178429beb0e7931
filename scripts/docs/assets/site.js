/* The search of the site. The index is loaded with the first key, also from a file on disk. */
const field = document.querySelector("#search");
const found = document.querySelector("#found");

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
  show(globalThis.findSections(index, field.value));
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
