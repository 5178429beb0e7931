/**
 * The installed package in bundlers and in other runtimes, as steps of `npm run test:package`: marked as external it
 * works, bundled it says `external`, and in Bun and Deno it says that it needs Node.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const TOOLS = [
  "esbuild@0.28.2",
  "webpack@5.112.2",
  "vite@8.3.8",
  "@oven/bun-linux-x64@1.4.4",
  "@deno/linux-x64-glibc@2.9.6",
];

/** Uses a terminal in this process, and with an argument a host. */
const APP = `
import { connect, run } from "limpet";
async function main() {
  if (process.argv[2] === "host") {
    const host = await connect({ stateDirectory: process.argv[3] });
    await host.open("true");
  }
  const { output } = await run("echo bundled");
  console.log("output: " + output);
}
main().then(() => process.exit(0), (error) => { console.log(error.message); process.exit(1); });
`;

/** From app.mjs into the folder that is passed, with limpet bundled or left out. */
const BUILD = `
import { build as esbuild } from "esbuild";
import { build as vite } from "vite";
import webpack from "webpack";
const [tool, kind, out] = process.argv.slice(2);
const isExternal = kind === "external";
const builds = {
  esbuild: () => esbuild({
    entryPoints: ["app.mjs"], bundle: true, platform: "node", format: "esm", outfile: out + "/app.mjs",
    external: isExternal ? ["limpet"] : [], logLevel: "error",
  }),
  vite: () => vite({
    configFile: false, logLevel: "error", ssr: isExternal ? { external: ["limpet"] } : { noExternal: true },
    build: { ssr: "app.mjs", outDir: out, emptyOutDir: false, rollupOptions: { output: { entryFileNames: "app.mjs" } } },
  }),
  webpack: () => new Promise((resolve, reject) => webpack({
    mode: "development", devtool: false, target: "node20", entry: "./app.mjs", stats: "errors-only",
    externals: isExternal ? { limpet: "module limpet" } : {},
    experiments: { outputModule: true }, output: { path: out, filename: "app.mjs", module: true, chunkFormat: "module" },
  }, (error, stats) => error || stats.hasErrors() ? reject(error ?? stats.toString("errors-only")) : resolve())),
};
await builds[tool]();
`;

/** As on another machine: webpack writes the path of each source into its bundle. */
const AWAY = `mv node_modules/limpet node_modules/limpet-away
"$@" 2>&1; code=$?
mv node_modules/limpet-away node_modules/limpet
test $code -ne 0`;

/** `step(name, command, says)` runs a command and requires a text in its output. */
export async function checkBuilds(folder, step) {
  writeFileSync(join(folder, "app.mjs"), APP);
  writeFileSync(join(folder, "build.mjs"), BUILD);
  const install = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", ...TOOLS];
  if (!(await step("has bundlers and runtimes beside it", install))) return;
  for (const tool of ["esbuild", "vite", "webpack"]) {
    const inside = join(folder, "out", tool);
    // Where no node_modules is in reach.
    const away = join(`${folder}-away`, tool);
    for (const place of [inside, away]) mkdirSync(place, { recursive: true });
    const build = (kind, out) => [process.execPath, "build.mjs", tool, kind, out];
    await step(`is left out by ${tool}`, build("external", inside));
    await step(`works as external of ${tool}`, [process.execPath, join(inside, "app.mjs")], "output: bundled");
    await step(`can be bundled by ${tool}`, build("bundled", away));
    const bundled = ["sh", "-c", AWAY, "sh", process.execPath, join(away, "app.mjs"), "host", join(folder, "state")];
    await step(`says external when ${tool} has bundled it`, bundled, "mark limpet as external");
  }
  const runtimes = {
    Bun: [join(folder, "node_modules/@oven/bun-linux-x64/bin/bun"), "app.mjs"],
    Deno: [join(folder, "node_modules/@deno/linux-x64-glibc/deno"), "run", "-A", "app.mjs"],
  };
  for (const [name, command] of Object.entries(runtimes)) {
    const refused = ["sh", "-c", '! "$@" 2>&1', "sh", ...command];
    await step(`says that it needs Node in ${name}`, refused, `limpet does not work in ${name}`);
  }
}
