import { expect, test } from "vitest";
import { ambiguous } from "./registry-errors.ts";

test("a name that many projects use is explained with some of them and a count", () => {
  const sessions = Array.from({ length: 30 }, (_, id) => ({
    id,
    name: "dev",
    owner: { caller: "agent", project: `/p${id}` },
    exit: undefined,
  }));

  const { message } = ambiguous("dev", sessions);

  expect(message).toMatch(/^Several projects have a session named "dev": 0 in "\/p0", /);
  expect(message).toContain('19 in "/p19" and 10 more. Pass the id of one of them.');
});
