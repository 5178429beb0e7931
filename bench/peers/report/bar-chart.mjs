/** Pure: one row of a table as bars, in SVG. Readable on white and on black. */
const WIDTH = 640;
const LABEL = 190;
const BAR = 18;
const GAP = 8;
const TOP = 34;
const VALUE = 120;

export function barChart({ title, cells, better }) {
  const shown = cells.filter(({ median }) => median !== undefined);
  const most = Math.max(...shown.map(({ median }) => median), Number.MIN_VALUE);
  const height = TOP + shown.length * (BAR + GAP) + GAP;
  const bars = shown.map((cell, index) => {
    const y = TOP + index * (BAR + GAP);
    const width = Math.max(1.5, (cell.median / most) * (WIDTH - LABEL - VALUE));
    const color = cell.isFloor ? "#8c959f" : cell.isOurs ? "#1f883d" : "#6e9bd1";
    return [
      `<text x="${LABEL - 8}" y="${y + 13}" text-anchor="end">${escaped(cell.title)}</text>`,
      `<rect x="${LABEL}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" rx="3" fill="${color}"/>`,
      `<text x="${(LABEL + width + 6).toFixed(1)}" y="${y + 13}">${escaped(cell.text)}</text>`,
    ].join("\n");
  });
  const heading = `${title.replaceAll("`", "")} (${better === "less" ? "less" : "more"} is better)`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${escaped(heading)}</title>`,
    "<style>text{font:13px system-ui,sans-serif;fill:#57606a}.h{font-weight:600}" +
      "@media(prefers-color-scheme:dark){text{fill:#c9d1d9}}</style>",
    `<text class="h" x="8" y="20">${escaped(heading)}</text>`,
    ...bars,
    "</svg>",
    "",
  ].join("\n");
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
