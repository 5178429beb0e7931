import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { MAIN } from "../../support/mcp.ts";

const runFile = promisify(execFile);

async function limpet(...words: string[]) {
  try {
    const { stdout, stderr } = await runFile(process.execPath, [MAIN, ...words]);
    return { code: 0, stdout, stderr };
  } catch (error) {
    return error as { readonly code: number; readonly stdout: string; readonly stderr: string };
  }
}

test("limpet --version is the version of the package", async () => {
  expect(await limpet("--version")).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

test("limpet --help names the commands, without colours where nobody sees them", async () => {
  const { code, stdout } = await limpet("--help");

  expect(code).toBe(0);
  expect(stdout).toContain("Serve the tools to an MCP client");
  expect(stdout).not.toContain("\u001b");
});

test.each([
  { words: [], code: 2, says: "Usage: limpet COMMAND" },
  { words: ["fly"], code: 2, says: 'Unknown command "fly"' },
  { words: ["__proto__"], code: 2, says: "Unknown command" },
  { words: ["mcp", "--tool", "codex"], code: 2, says: "has no flag --tool" },
  { words: ["mcp", "--tools", "none"], code: 2, says: 'Unknown tool profile "none"' },
])("limpet $words says on stderr what is wrong", async ({ words, code, says }) => {
  const ended = await limpet(...words);

  expect(ended).toMatchObject({ code, stdout: "" });
  expect(ended.stderr).toContain(says);
});
