/**
 * The library in dist: one small ES module per entry of package.json, which takes its exports from the bundle in
 * dist/bin that the command line also runs. So the code is in the package once, and an error that one entry throws is
 * an instance of the class that another one exports.
 *
 * The modules find the bundle with `require`, which bundlers do not follow: limpet also looks for its command line,
 * worker threads and fonts there. If a bundler has included an entry in a program, the error says what to do.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

/** The entry that needs a package of the user's, which may exist only as ES modules. It is bundled by itself. */
export const WITH_PEER = "adapters/ai-sdk";

/**
 * The entries by their file in dist/bin. Each file loads as a whole, so programs that only open terminals do not load
 * the tools.
 */
export function libraryParts(entries) {
  const part = (name) => (name === "adapters/mcp/index" ? "mcp" : name.startsWith("adapters/") ? "tools" : "library");
  const own = entries.filter((name) => name !== WITH_PEER).map((name) => ({ name, part: part(name) }));
  return [...own, { name: "adapters/toolkit", part: "tools", isInner: true }];
}

/** A plugin with one module per part, which has all its entries as objects. */
export function partModules(parts, sources) {
  return {
    name: "library-parts",
    resolveId: (id) => (id.startsWith("part:") ? id : null),
    load(id) {
      if (!id.startsWith("part:")) return null;
      const inside = parts.filter(({ part }) => `part:${part}` === id);
      return inside
        .map(({ name }) => `export * as ${nameOf(name)} from ${JSON.stringify(join(sources, `${name}.ts`))};`)
        .join("\n");
    },
  };
}

/** A plugin for the entry with a peer: it takes the code that it shares with other entries from their bundle. */
export function sharedToolkit(parts, dist) {
  const toolkit = parts.find(({ isInner }) => isInner);
  return {
    name: "shared-toolkit",
    resolveId: (id) => (id === "./toolkit.ts" ? "shared:toolkit" : null),
    load: (id) => (id === "shared:toolkit" ? entryCode(toolkit, dist, WITH_PEER) : null),
  };
}

export function writeEntries(parts, dist) {
  writeFileSync(join(dist, "load.js"), LOAD);
  for (const part of parts.filter(({ isInner }) => !isInner)) {
    const file = join(dist, `${part.name}.js`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, entryCode(part, dist, part.name));
  }
}

/** `at`: the entry that the code is for. */
function entryCode({ name, part }, dist, at) {
  const names = Object.keys(createRequire(import.meta.url)(join(dist, "bin", `${part}.js`))[nameOf(name)]);
  const load = relative(dirname(at), "load.js");
  return [
    `import { load } from ${JSON.stringify(load.startsWith(".") ? load : `./${load}`)};`,
    `export const { ${names.sort().join(", ")} } = load("${part}").${nameOf(name)};`,
    "",
  ].join("\n");
}

function nameOf(entry) {
  return entry.replace(/\W+(\w)/g, (_, letter) => letter.toUpperCase());
}

/** Without `new URL`, which bundlers take for a file to copy, and in a form of `createRequire` that they do not follow. */
const LOAD = `import { existsSync } from "node:fs";
import nodeModule from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export function load(part) {
  const folder = dirname(fileURLToPath(import.meta.url));
  const file = join(folder, "bin", part + ".js");
  if (existsSync(file)) return nodeModule.createRequire(import.meta.url)(file);
  throw new Error("The files of limpet are not in " + folder + ". If a bundler built this program, mark limpet as external.");
}
`;
