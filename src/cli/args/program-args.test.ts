import { expect, test } from "vitest";
import { parseEnvFile, programOf } from "./program-args.ts";

test("--env sets variables, the last one wins", () => {
  expect(programOf({ command: ["true"], env: ["A=1", "B=x=y", "A=2", "C="] }).env).toEqual({ A: "2", B: "x=y", C: "" });
});

test.each(["A", "=1", " =1", "A B=1"])("--env %j is refused", (word) => {
  expect(() => programOf({ command: ["true"], env: [word] })).toThrow("is not NAME=VALUE");
});

test("a file of variables may have comments, export and quotes", () => {
  const text = "# mine\nA=1\r\nexport B='two words'\n\nC=\"x # y\"\nD=\n";

  expect(Object.fromEntries(parseEnvFile(text, ".env"))).toEqual({ A: "1", B: "two words", C: "x # y", D: "" });
});

test("a mistake in a file is reported with its line", () => {
  expect(() => parseEnvFile("A=1\nnonsense\n", ".env")).toThrow('.env, line 2: "nonsense" is not NAME=VALUE.');
});

test("a missing file is reported by name", () => {
  expect(() => programOf({ command: ["true"], "env-file": ["/no/such/file"] })).toThrow("/no/such/file cannot be read");
});
