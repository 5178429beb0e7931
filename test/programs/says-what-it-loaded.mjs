// To be imported before a program. At its end says on stderr which files and which parts of Node it has loaded.
import { statSync, writeSync } from "node:fs";
import { createRequire } from "node:module";

const { cache } = createRequire(import.meta.url);
const before = new Set(process.moduleLoadList);

process.on("exit", () => {
  const files = Object.keys(cache);
  const bytes = files.reduce((sum, path) => sum + statSync(path).size, 0);
  const parts = process.moduleLoadList
    .filter((part) => !before.has(part) && /^NativeModule [^_/]+$/.test(part))
    .map((part) => part.slice("NativeModule ".length));
  writeSync(2, `${JSON.stringify({ files, bytes, parts })}\n`);
});
