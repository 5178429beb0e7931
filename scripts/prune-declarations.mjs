/**
 * Removes the type declarations that no entry of the package leads to: those of the command line, the host and the page.
 * They would be a third of its files.
 */
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

const IMPORT = /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** `entries`: their paths below `directory`, without an extension. */
export function pruneDeclarations(directory, entries) {
  const kept = new Set();
  const waiting = entries.map((name) => join(directory, `${name}.d.ts`));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (kept.has(file) || !existsSync(file)) continue;
    kept.add(file);
    for (const [, path] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      waiting.push(join(dirname(file), path.replace(/\.[jt]sx?$/, ".d.ts")));
    }
  }
  const names = readdirSync(directory, { recursive: true }).filter((name) => name.endsWith(".d.ts"));
  for (const name of names) if (!kept.has(join(directory, name))) rmSync(join(directory, name));
  removeEmpty(directory);
}

function removeEmpty(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(join(directory, entry.name));
  }
  if (readdirSync(directory).length === 0) rmdirSync(directory);
}
