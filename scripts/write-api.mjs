/**
 * `npm run api`: writes docs/api.md from the declarations of every entry in package.json. An export without a doc
 * comment is an error. `npm run test:docs` compares the page with `describeApi()`.
 *
 * The compiler emits the declarations, without anything marked @internal; the bundler's parser reads them. TypeScript 7
 * has no API for the usual generators.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { apiPage, undocumented } from "./api/api-page.mjs";
import { readEntries } from "./api/read-entries.mjs";
import { bin, isMain, root, run } from "./run.mjs";

const PAGE = join(root, "docs/api.md");

/**
 * `{ page, missing }`: the page, and the exports without a doc comment. `folder` contains the declarations, like dist/.
 */
export function describeApi(folder) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entries = readEntries(manifest, {
    readDeclarations: (file) => readFileSync(join(folder, relative("dist", file)), "utf8"),
    readSource: (file) => readFileSync(join(root, file), "utf8"),
  });
  return { page: apiPage(entries), missing: undocumented(entries) };
}

/** What is wrong with docs/api.md and what to do; undefined if it is current. */
export function apiProblem(folder) {
  const { page, missing } = describeApi(folder);
  if (missing.length > 0) return `these exports have no doc comment. Write one above each:\n  ${missing.join("\n  ")}`;
  return existsSync(PAGE) && readFileSync(PAGE, "utf8") === page ? undefined : "is not current. Run npm run api.";
}

/** Compiles to a temporary folder, because files in dist/ may be in use. */
async function writeApi() {
  const folder = mkdtempSync(join(tmpdir(), "limpet-api-"));
  try {
    const tsc = [process.execPath, bin("typescript", "bin/tsc"), "-p", "tsconfig.build.json", "--outDir", folder];
    const compiled = await run("declarations", tsc);
    if (!compiled.ok) return compiled.how;
    writeFileSync(PAGE, describeApi(folder).page);
    return apiProblem(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (isMain(import.meta.url)) {
  const problem = await writeApi();
  if (problem !== undefined) {
    console.error(`docs/api.md: ${problem}`);
    process.exitCode = 1;
  }
}
