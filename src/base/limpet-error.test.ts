import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ERROR_CODES } from "./limpet-error.ts";

const page = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
const sections = page
  .split(/^## /m)
  .slice(1)
  .map((section) => ({ code: section.split("\n", 1)[0], section }));

test("docs/errors.md has each code once, and no other", () => {
  const documented = sections.map(({ code }) => code);

  expect(documented.sort()).toEqual([...ERROR_CODES].sort());
});

test.each(sections)("docs/errors.md gives cause and remedy of $code", ({ section }) => {
  const parts = [...section.matchAll(/^\*\*(\w+)\.\*\* \S/gm)].map(([, part]) => part);

  expect(parts).toEqual(["Cause", "Remedy"]);
});
