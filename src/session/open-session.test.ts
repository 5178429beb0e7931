import { expect, test } from "vitest";
import { type OpenOptions, openSession } from "../index.ts";

test.each([
  ["extraEnv.A", { command: "true", extraEnv: { A: 1 } }],
  ["extraEnv.A", { command: "true", extraEnv: { A: undefined } }],
  ["env.A", { command: "true", env: { A: null } }],
  ["args[1]", { program: "true", args: ["a", 2] }],
])("%s that is no text is refused by its name", async (name, options) => {
  await expect(openSession(options as unknown as OpenOptions)).rejects.toMatchObject({
    code: "BAD_OPTION",
    message: expect.stringContaining(`${name} is `),
  });
});
