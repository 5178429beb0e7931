/**
 * Removes the declarations from dist that no entry of the package needs. The compiler writes one for each file of src/,
 * and three of four describe what nobody can import.
 */
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

const IMPORTED = /(?:\bfrom|\bimport\()\s*"(\.[^"]+)\.[jt]sx?"/g;

/** `entries`: paths in `dist`. */
export function pruneDeclarations(dist, entries) {
  const kept = new Set(entries);
  // Iterating over a set also visits values that are added meanwhile.
  for (const path of kept) for (const found of importedBy(dist, path)) kept.add(found);
  const all = readdirSync(dist, { recursive: true }).filter((path) => path.endsWith(".d.ts"));
  for (const path of all) if (!kept.has(path)) rmSync(join(dist, path));
  removeEmpty(dist);
}

function importedBy(dist, path) {
  const text = readFileSync(join(dist, path), "utf8");
  return [...text.matchAll(IMPORTED)].map(([, target]) => {
    const file = `${join(dirname(path), target)}.d.ts`;
    if (!existsSync(join(dist, file))) throw new Error(`${path} imports ${file}, which the compiler has not written.`);
    return file;
  });
}

function removeEmpty(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name));
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
