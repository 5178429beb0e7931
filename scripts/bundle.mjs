/**
 * The command line as few files: loading some hundred modules one by one takes longer than all that they do at the start.
 * They are CommonJS, which Node loads at once where it goes through several queues for each ES module. The packages of
 * native code stay outside, for they differ from machine to machine; so do those that are large and seldom needed: what
 * draws screens and pictures.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "./run.mjs";
import { slimSdk } from "./slim-sdk.mjs";

const out = join(root, "dist/bin");

const bundle = await rolldown({
  input: join(root, "dist/cli/main.js"),
  platform: "node",
  external: [/^@koromix\//, /^@xterm\//, /^@resvg\//],
  plugins: [slimSdk()],
  // Else the other files would load main.js for what they share with it: run a second time wherever its path differs.
  preserveEntrySignatures: "strict",
});
const { output } = await bundle.write({ dir: out, format: "cjs", minify: true });
await bundle.close();
writeFileSync(join(out, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
writeFileSync(join(out, "LICENSES.txt"), licenses(output.flatMap(({ moduleIds = [] }) => moduleIds)));

copyFonts();

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
