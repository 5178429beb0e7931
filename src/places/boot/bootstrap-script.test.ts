import { expect, test } from "vitest";
import { bootstrapScript, prefaceOf, quotedForAnyShell } from "./bootstrap-script.ts";

const NONCE = "0123456789abcdef";

test("the script has nothing that a shell treats specially inside of single quotes", () => {
  expect(bootstrapScript(NONCE)).not.toMatch(/['\\!\n\r]/);
  expect(quotedForAnyShell(bootstrapScript(NONCE)).split("'")).toHaveLength(3);
});

test("the script does not contain what its answers begin with", () => {
  expect(bootstrapScript(NONCE)).not.toContain(prefaceOf(NONCE).trim());
});
