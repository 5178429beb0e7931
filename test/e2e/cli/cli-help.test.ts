/** Help, and suggestions for what a person may have meant. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Cli, openCli } from "../../support/cli.ts";

// Some tests start a dozen processes, one after the other.
vi.setConfig({ testTimeout: 180_000 });

let cli: Cli;
beforeAll(() => {
  cli = openCli();
});
afterAll(() => cli[Symbol.asyncDispose]());

test("limpet help COMMAND is the same as --help", async () => {
  const help = await cli.limpet(["help", "wait"]);

  expect(help).toEqual(await cli.limpet(["wait", "--help"]));
  expect([help.code, help.stdout]).toEqual([0, expect.stringContaining("USAGE limpet wait [OPTIONS] [ID…]\n")]);
});

test("a flag that only limpet gives itself is not offered to a person", async () => {
  expect((await cli.limpet(["help", "host"])).stdout).not.toContain("detached");
  expect((await cli.limpet(["completion", "bash"])).stdout).not.toContain("detached");
});

test("a --help after a program is the program's", async () => {
  expect((await cli.limpet(["run", "echo", "--help"])).stdout).toBe("--help\n");
});

test.each([
  { word: "atach", meant: "attach" },
  { word: "lgos", meant: "logs" },
  { word: "strat", meant: "start" },
])("limpet $word suggests $meant", async ({ word, meant }) => {
  expect(await cli.limpet([word])).toEqual({
    code: 2,
    stdout: "",
    stderr: `Unknown command "${word}". Did you mean: limpet ${meant}?\n`,
  });
});
