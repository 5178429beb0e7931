/** The rows as plain text, for a terminal. */
export function printRows({ rows, notFirst }) {
  for (const { title, cells } of rows) {
    console.log(`\n${title}`);
    for (const { title: name, text, spread, why } of cells) {
      console.log(`  ${name.padEnd(26)} ${text}${spread ? ` (${spread})` : ""}${why ? `: ${why}` : ""}`);
    }
  }
  for (const { title, ours, best, by } of notFirst) console.log(`\nnot first: ${title}: ${ours}; ${by}: ${best}`);
}
