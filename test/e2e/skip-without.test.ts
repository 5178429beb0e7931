/** Test files on a machine that lacks a program. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory, testProgram } from "../support/watching.ts";

const ROOT = join(import.meta.dirname, "../..");

interface Report {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** Runs one file with Vitest, without the configuration of this project. */
function runFile(path: string): Report {
  const config = join(temporaryDirectory(), "vitest.config.mjs");
  writeFileSync(config, "export default {};");
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const words = ["run", "--root", ROOT, "--config", config, "--reporter=json", path];
  // If CI is true, nothing may be skipped.
  const env = { ...process.env, CI: "", LIMPET_LACKS: undefined };
  const { stdout, stderr } = spawnSync(process.execPath, [vitest, ...words], { encoding: "utf8", env });
  if (!stdout.startsWith("{")) throw new Error(`Vitest printed: ${stdout}${stderr}`);
  return JSON.parse(stdout) as Report;
}

test("where a program is missing, tests that need it are skipped, and so is their set-up", () => {
  const { success, testResults } = runFile(testProgram("lacks-zsh.test.mjs"));

  const states = testResults.flatMap(({ assertionResults }) => assertionResults);
  expect({ success, states: states.map(({ title, status }) => [title, status]) }).toEqual({
    success: true,
    states: [
      ["runs zsh", "skipped"],
      ["runs bash", "passed"],
    ],
  });
});

test("a file that is skipped without a program has no set-up of its own", () => {
  const files = ["src", "test"]
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((each) => join(folder, each)),
    )
    .filter((path) => path.endsWith(".test.ts"));

  const wrong = files.filter((path) => {
    const text = readFileSync(join(ROOT, path), "utf8");
    return /^(const .* = )?skipWithout\(/m.test(text) && /^ *beforeAll\(/m.test(text);
  });

  expect(wrong).toEqual([]);
});
