/** Pure: a table in Markdown, with columns of equal width. */
export function grid(heads, rows) {
  const widths = heads.map((head, column) =>
    Math.max(3, ...[head, ...rows.map((row) => row[column])].map((cell) => cell.length)),
  );
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  return [line(heads), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
}
