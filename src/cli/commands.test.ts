import { expect, test } from "vitest";
import { commands } from "./commands.ts";

/** They are about this machine, name their place themselves, or span places. */
const WITHOUT_PLACE = "completion demo doctor fleet get places policy put replay secret setup token web".split(" ");

test("every command that talks to a host takes a place", async () => {
  const all = await Promise.all(Object.values(commands).map((load) => load()));

  const without = all.filter(({ args = {} }) => !Object.hasOwn(args, "at")).map(({ name }) => name);

  expect(without.sort()).toEqual(WITHOUT_PLACE);
});
