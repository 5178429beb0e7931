import { expect, test } from "vitest";
import { type OpenOptions, openSession } from "../../entries/session.ts";

test.each([
  ["env.A", { command: "true", env: { A: 1 } }],
  ["env.A", { command: "true", env: { A: undefined } }],
  ["env", { command: "true", env: 5 }],
  ["env", { command: "true", env: ["A=1"] }],
  ["env.A", { command: "true", env: { A: null } }],
  ["args[1]", { program: "true", args: ["a", 2] }],
])("%s that is not a string is refused by name", async (name, options) => {
  await expect(openSession(options as unknown as OpenOptions)).rejects.toMatchObject({
    code: "BAD_OPTION",
    message: expect.stringContaining(`${name} must be `),
  });
});

test("a sandbox that no transport enforces is refused", async () => {
  await expect(openSession({ command: "true", sandbox: { files: "read-only" } })).rejects.toMatchObject({
    code: "BAD_OPTION",
    message: expect.stringContaining("nothing enforces it"),
  });
});
