/**
 * The command line as few files: loading some hundred modules one by one takes longer than all that they do at the start.
 * The packages of native code stay outside, for they differ from machine to machine; so do those that are large and seldom
 * needed: what draws screens and pictures.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "./run.mjs";

const out = join(root, "dist/bin");
/** What the MCP SDK takes from the platform. Its checker of forms, which we never show, is a fifth of the whole. */
const shims = {
  name: "@modelcontextprotocol/server/_shims",
  code: [
    'export { default as process } from "node:process";',
    "export class DefaultJsonSchemaValidator {",
    '  getValidator() { throw new Error("This server asks its users nothing."); }',
    "}",
  ].join("\n"),
};

const bundle = await rolldown({
  input: join(root, "dist/cli/main.js"),
  platform: "node",
  external: [/^@koromix\//, /^@xterm\//, /^@resvg\//],
  plugins: [
    {
      name: "sdk-shims",
      resolveId: (id) => (id === shims.name ? shims.name : null),
      load: (id) => (id === shims.name ? shims.code : null),
    },
  ],
});
const { output } = await bundle.write({ dir: out, format: "esm", minify: true });
await bundle.close();
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
