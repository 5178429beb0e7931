/** Type-checks the code blocks of the documents, and writes each as a script beside them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bin, run } from "../run.mjs";

/** The compiler errors by block, and a failure that belongs to none of them. */
export async function compileBlocks(blocks, folder) {
  const faults = new Map();
  if (blocks.length === 0) return { faults };
  for (const { file, padded } of blocks) writeFileSync(join(folder, `${file}.mts`), padded);
  const compilerOptions = {
    noEmit: false,
    noEmitOnError: false,
    allowImportingTsExtensions: false,
    noUnusedLocals: false,
    sourceMap: true,
    rootDir: ".",
    outDir: "out",
    // Node 20 cannot parse `await using`, so the compiler rewrites it.
    target: "es2022",
  };
  const settings = { extends: "../../tsconfig.json", compilerOptions, include: ["*.mts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const tsc = [process.execPath, bin("typescript", "bin/tsc"), "-p", ".", "--pretty", "false"];
  const result = await run("type-check", tsc, { cwd: folder, capture: true });
  for (const match of result.output.matchAll(/^([\w-]+)\.mts\((\d+),\d+\): (.*(?:\n\s+.*)*)/gm)) {
    const [, file, line, message] = match;
    faults.set(file, `${faults.has(file) ? `${faults.get(file)}\n  ` : ""}line ${line}: ${message}`);
  }
  const isOutside = !result.ok && faults.size === 0;
  return { faults, failure: isOutside ? `${result.how}\n${result.output}` : undefined };
}
