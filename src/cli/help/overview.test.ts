import { expect, test } from "vitest";
import { commands } from "../commands.ts";
import { overview } from "./overview.ts";

const lines = overview().split("\n");

test("every command has one line of the help, and no other has", () => {
  const named = lines.flatMap((line) => /^ {2}(\w+)/.exec(line)?.[1] ?? []);

  expect(named.toSorted()).toEqual(Object.keys(commands).toSorted());
});

test("the help fits into a terminal of 80 columns", () => {
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
