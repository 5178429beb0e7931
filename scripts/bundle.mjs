/**
 * Bundles src/ into few files, which the library and the command line share. Loading several hundred modules one by one takes
 * longer than all their work at start, and opens more files at once than some machines allow.
 */
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { knownSchemas } from "./known-schemas.mjs";
import { libraryParts, partModules, sharedToolkit, WITH_PEER, writeEntries } from "./library-entries.mjs";
import { pruneDeclarations } from "./prune-declarations.mjs";
import { root } from "./run.mjs";
import { slimFont } from "./slim-font.mjs";
import { slimSdk } from "./slim-sdk.mjs";
import { strictXterm } from "./strict-xterm.mjs";

/** The entries in package.json, by the path of their types. */
const ENTRIES = Object.values(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).exports)
  .filter((entry) => typeof entry === "object")
  .map((entry) => entry.default.replace(/^\.\/dist\/|\.js$/g, ""));
const PARTS = libraryParts(ENTRIES);
const WITH_NAMES = {
  compress: { keepNames: { function: true, class: true } },
  mangle: { keepNames: true },
  codegen: { removeWhitespace: true },
};

await bundleProgram();
await bundleEntries();
await bundleBoot();
await bundleSandboxWorker();
await bundleConnectWorker();
await bundleDiskWorker();
await bundleFarBoot();
await bundlePlayer();
await bundlePage();
copyFonts();
pruneDeclarations(
  join(root, "dist"),
  ENTRIES.map((name) => `${name}.d.ts`),
);

/**
 * The command line and the library, from the same files. CommonJS, because Node loads it synchronously, whereas each ES
 * module passes through several queues. Packages with native code are not bundled, because they differ between
 * machines. Neither are the large and rarely used ones that draw screens and pictures.
 *
 * All code that looks for files next to itself is in dist/bin. The names of functions and classes stay, so that a stack
 * trace says where an error comes from.
 */
async function bundleProgram() {
  const dir = join(root, "dist/bin");
  const { output } = await bundle(
    {
      input: {
        limpet: join(root, "src/cli/main.ts"),
        ...Object.fromEntries(PARTS.map(({ part }) => [part, `part:${part}`])),
      },
      external: [/^@koromix\//, /^@xterm\//, /^@resvg\//],
      plugins: [slimSdk(), await knownSchemas(), partModules(PARTS, join(root, "src"))],
      // The "main" of jsonc-parser is UMD, whose inner files bundlers cannot find.
      resolve: { mainFields: ["module", "main"] },
      // Otherwise the other files would load limpet.js for shared code and run it a second time if its path differs.
      preserveEntrySignatures: "strict",
    },
    // Code that was compiled earlier cannot import modules, only require them.
    { dir, format: "cjs", minify: WITH_NAMES, dynamicImportInCjs: false },
  );
  const importing = output.filter(({ code = "" }) => /(?<![\w$.])import\(/.test(code));
  if (importing.length > 0) throw new Error(`${importing.map(({ fileName }) => fileName)} cannot import modules.`);
  writeFileSync(join(dir, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
  writeFileSync(join(dir, "LICENSES.txt"), licenses(output.flatMap(({ moduleIds = [] }) => moduleIds)));
}

async function bundleEntries() {
  const dist = join(root, "dist");
  writeEntries(PARTS, dist);
  await bundle(
    {
      input: join(root, `src/${WITH_PEER}.ts`),
      external: ["ai", "../load.js"],
      plugins: [sharedToolkit(PARTS, dist)],
    },
    { file: join(dist, `${WITH_PEER}.js`), format: "esm" },
  );
}

/** The file that loads the command line. It is small, because its own code is compiled at each start. */
async function bundleBoot() {
  await bundle(
    { input: join(root, "src/cli/boot/boot.ts") },
    { file: join(root, "dist/bin/main.js"), format: "cjs", minify: true },
  );
}

/** The thread of a sandbox, in one small file: it starts in milliseconds, and cannot load anything once restricted. */
async function bundleSandboxWorker() {
  await bundle(
    { input: join(root, "src/safety/sandbox/sandbox-worker.ts"), external: [/^@koromix\//] },
    { file: join(root, "dist/bin/sandbox-worker.js"), format: "cjs", minify: true },
  );
}

/** The thread that connects programs in sandboxes to their proxy. */
async function bundleConnectWorker() {
  await bundle(
    { input: join(root, "src/safety/sandbox/network/connect-worker.ts"), external: [/^@koromix\//] },
    { file: join(root, "dist/bin/connect-worker.js"), format: "cjs", minify: true },
  );
}

/** The thread that writes the files of sessions. */
async function bundleDiskWorker() {
  await bundle(
    { input: join(root, "src/journal/disk/disk-worker.ts") },
    { file: join(root, "dist/bin/disk-worker.js"), format: "cjs", minify: true },
  );
}

/** What runs first at a place, without anything else of ours there. */
async function bundleFarBoot() {
  await bundle(
    { input: join(root, "src/places/boot/far-boot.ts") },
    { file: join(root, "dist/bin/far-boot.js"), format: "cjs", minify: true },
  );
}

/** The program of a page that plays a recording. It is written into the page. */
async function bundlePlayer() {
  await bundle(
    { input: join(root, "src/web/page/player.ts"), platform: "browser" },
    { file: join(root, "dist/web/player.js"), format: "iife", minify: true },
  );
}

/**
 * The page of `limpet web`, in dist/web/page. Names contain a hash of the content, so that no browser mixes two versions.
 * The terminal and the player are chunks of their own, which most first views do not need.
 */
async function bundlePage() {
  const [from, dir] = [join(root, "src/web/page"), join(root, "dist/web/page")];
  // Every file there is served.
  rmSync(dir, { recursive: true, force: true });
  const { output } = await bundle(
    {
      input: { page: join(from, "main.tsx") },
      platform: "browser",
      plugins: [strictXterm()],
      transform: { jsx: { runtime: "automatic", importSource: "preact" } },
    },
    { dir, format: "esm", minify: true, entryFileNames: "[name]-[hash].js", chunkFileNames: "[name]-[hash].js" },
  );
  const own = new Set(output.map(({ fileName }) => fileName));
  const foreign = output.flatMap(({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports]);
  const missing = foreign.filter((name) => !own.has(name));
  if (missing.length > 0) throw new Error(`A browser cannot load ${missing}. Import only what runs in a page.`);
  const styles = readdirSync(join(from, "style"))
    .sort()
    .map((name) => join(from, "style", name));
  const css = [join(root, "node_modules/@xterm/xterm/css/xterm.css"), ...styles].map((path) =>
    readFileSync(path, "utf8"),
  );
  const icon = readFileSync(join(from, "icon.svg"), "utf8");
  const names = {
    "page.js": output.find(({ isEntry }) => isEntry).fileName,
    "page.css": writeHashed(dir, "page.css", squeezeCss(css.join("\n"))),
    "icon.svg": writeHashed(dir, "icon.svg", icon),
  };
  const html = readFileSync(join(from, "template.html"), "utf8");
  writeFileSync(
    join(dir, "index.html"),
    html.replace(/(?<=\/assets\/)[\w.]+/g, (name) => names[name]),
  );
  writeFileSync(join(dir, "LICENSES.txt"), licenses(output.flatMap(({ moduleIds = [] }) => moduleIds)));
}

/** Returns the name of the file. */
function writeHashed(dir, name, content) {
  const hash = createHash("sha256").update(content).digest("base64url").slice(0, 8);
  const hashed = name.replace(".", `-${hash}.`);
  writeFileSync(join(dir, hashed), content);
  return hashed;
}

/** Without comments and indentation. */
function squeezeCss(css) {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s*\n\s*/g, "\n")
    .trim();
}

async function bundle(input, output) {
  const bundling = await rolldown({ platform: "node", ...input });
  try {
    return await bundling.write(output);
  } finally {
    await bundling.close();
  }
}

/** The fonts for pictures, without their hints, and their licence. */
function copyFonts() {
  const [from, to] = [join(root, "node_modules/dejavu-fonts-ttf"), join(root, "dist/fonts")];
  mkdirSync(to, { recursive: true });
  for (const name of ["DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"])
    writeFileSync(join(to, name), slimFont(readFileSync(join(from, "ttf", name))));
  copyFileSync(join(from, "LICENSE"), join(to, "LICENSE.txt"));
}

/** The licences of all bundled packages. */
function licenses(modules) {
  const names = modules.map((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]).filter(Boolean);
  return [...new Set(names)]
    .sort()
    .map((name) => {
      const file = ["LICENSE", "LICENSE.md", "LICENSE.txt"]
        .map((base) => join(root, "node_modules", name, base))
        .find((path) => existsSync(path));
      if (file === undefined)
        throw new Error(`${name} has no licence file. Add its name to the list above, or do not bundle the package.`);
      return `${name}\n\n${readFileSync(file, "utf8").trim()}\n`;
    })
    .join("\n----\n\n");
}
