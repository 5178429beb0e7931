/**
 * From src/ to what runs: the library and the command line, each as few files. To load some hundred modules one by one takes
 * longer than all that they do at the start, and opens more files at once than some machines allow.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { rolldown } from "rolldown";
import { root } from "./run.mjs";
import { slimSdk } from "./slim-sdk.mjs";

/** What package.json exports, by the file that its types come from. */
const ENTRIES = Object.values(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).exports)
  .filter((entry) => typeof entry === "object")
  .map((entry) => entry.default.replace(/^\.\/dist\/|\.js$/g, ""));

await bundleLibrary();
await bundleCommandLine();
copyFonts();

/**
 * What the entries share lies in dist/chunks, once: an error that one of them throws is an instance of the class that another
 * one exports. All that looks for a file beside itself lies there too, as deep as dist/bin. Packages stay outside.
 */
async function bundleLibrary() {
  const { output } = await bundle(
    {
      input: Object.fromEntries(ENTRIES.map((name) => [name, join(root, `src/${name}.ts`)])),
      // jsonc-parser is small and a development dependency: it is part of the bundle.
      external: (id) => /^[^./]/.test(id) && id !== "jsonc-parser",
      resolve: { mainFields: ["module", "main"] },
    },
    {
      dir: join(root, "dist"),
      format: "esm",
      chunkFileNames: "chunks/[name].js",
      codeSplitting: {
        // The tools apart, with zod: whoever opens sessions need not load them.
        groups: [
          { name: "limpet", test: (id) => /^src\/(?!adapters\/|tools\/)[^/]+\//.test(relative(root, id)), priority: 1 },
          { name: "tools", test: (id) => /^src\/(?:tools\/|adapters\/toolkit\.ts)/.test(relative(root, id)) },
        ],
      },
    },
  );
  const astray = output.filter(({ isEntry, code = "" }) => isEntry && code.includes("import.meta"));
  if (astray.length > 0) throw new Error(`${astray.map(({ fileName }) => fileName)} would look for files elsewhere.`);
}

/**
 * CommonJS, which Node loads at once where it goes through several queues for each ES module. The packages of native code
 * stay outside, for they differ from machine to machine; so do those that are large and seldom needed: what draws screens and
 * pictures.
 */
async function bundleCommandLine() {
  const dir = join(root, "dist/bin");
  const { output } = await bundle(
    {
      input: join(root, "src/cli/main.ts"),
      external: [/^@koromix\//, /^@xterm\//, /^@resvg\//],
      plugins: [slimSdk()],
      // jsonc-parser's "main" is UMD, whose inner files no bundler finds.
      resolve: { mainFields: ["module", "main"] },
      // Else the other files would load main.js for what they share with it: run a second time wherever its path differs.
      preserveEntrySignatures: "strict",
    },
    { dir, format: "cjs", minify: true },
  );
  writeFileSync(join(dir, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
  writeFileSync(join(dir, "LICENSES.txt"), licenses(output.flatMap(({ moduleIds = [] }) => moduleIds)));
}

async function bundle(input, output) {
  const bundling = await rolldown({ platform: "node", ...input });
  try {
    return await bundling.write(output);
  } finally {
    await bundling.close();
  }
}

/** The fonts of pictures, with the terms on which they may be passed on. */
function copyFonts() {
  const [from, to] = [join(root, "node_modules/dejavu-fonts-ttf"), join(root, "dist/fonts")];
  mkdirSync(to, { recursive: true });
  for (const name of ["DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"])
    copyFileSync(join(from, "ttf", name), join(to, name));
  copyFileSync(join(from, "LICENSE"), join(to, "LICENSE.txt"));
}

/** Whose code is in the files, and on which terms. */
function licenses(modules) {
  const names = modules.map((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]).filter(Boolean);
  return [...new Set(names)]
    .sort()
    .map((name) => {
      const file = ["LICENSE", "LICENSE.md", "LICENSE.txt"]
        .map((base) => join(root, "node_modules", name, base))
        .find((path) => existsSync(path));
      if (file === undefined) throw new Error(`${name} has no licence to go with it.`);
      return `${name}\n\n${readFileSync(file, "utf8").trim()}\n`;
    })
    .join("\n----\n\n");
}
