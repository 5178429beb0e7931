/**
 * What the package takes when it is downloaded and installed. The sizes of its parts are in bench/results/package.json,
 * from which `npm run numbers` writes the table in CONTRIBUTING.md; `npm run test:package -- --write` writes both.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { writeFigures } from "../bench/write-figures.mjs";
import { writeNumbers } from "./docs/numbers.mjs";
import { root } from "./run.mjs";

const FILE = join(root, "bench/results/package.json");
const isDeclaration = (name) => name.endsWith(".d.ts");
/** Each: folders of node_modules, and which of their files count. */
const PARTS = {
  bin: { folders: ["limpet/dist/bin"] },
  fonts: { folders: ["limpet/dist/fonts"] },
  web: { folders: ["limpet/dist/web"] },
  declarations: { folders: ["limpet/dist"], counts: isDeclaration },
  docs: { folders: ["limpet/docs"] },
  xterm: { folders: ["@xterm/headless"] },
  koffi: { folders: ["@koromix"] },
  resvg: { folders: ["@resvg"] },
  installed: { folders: ["."] },
};
/** What limpet sends to a place that does not have it, compressed as src/places/boot/far-bundle.ts does it. */
const SENT = {
  folder: "limpet/dist/bin",
  files: [
    "@xterm/headless/lib-headless/xterm-headless.js",
    `@koromix/koffi-linux-${process.arch}/linux_${process.arch}/koffi.node`,
  ],
  level: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
};
/** A size may differ this much from the table: a change of some kilobytes does not matter. */
const NEAR_MB = 0.1;

export function bytesIn(path, counts = () => true) {
  const names = existsSync(path) ? readdirSync(path, { recursive: true }).filter(counts) : [];
  return names
    .map((name) => statSync(join(path, name)))
    .reduce((sum, each) => sum + (each.isFile() ? each.size : 0), 0);
}

/** In megabytes, by part. `modules`: the folder node_modules that npm has filled. */
export function measureParts(modules) {
  const sizeOf = ({ folders, counts }) => folders.reduce((sum, name) => sum + bytesIn(join(modules, name), counts), 0);
  const parts = Object.entries(PARTS).map(([name, part]) => [name, sizeOf(part) / 1e6]);
  return { ...Object.fromEntries(parts), sent: sentBytes(modules) / 1e6 };
}

function sentBytes(modules) {
  const bin = readdirSync(join(modules, SENT.folder)).map((name) => join(SENT.folder, name));
  const files = [...bin, ...SENT.files].map((path) => readFileSync(join(modules, path)));
  return brotliCompressSync(Buffer.concat(files), SENT.level).length;
}

/** Pure: one line for each part whose size is not the one that the table has. */
export function staleParts(measured, figures) {
  return Object.entries(measured)
    .filter(([name, mb]) => !(Math.abs(mb - Number.parseFloat(figures[name] ?? "")) <= NEAR_MB))
    .map(([name, mb]) => `${name} has ${mb.toFixed(2)} MB, not ${figures[name]}`);
}

export function readFigures() {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")).figures : {};
}

export function writeParts(measured) {
  writeFigures(
    "package",
    Object.fromEntries(Object.entries(measured).map(([name, mb]) => [name, `${mb.toFixed(1)} MB`])),
  );
  writeNumbers();
}
