/** Setup where files are there already, in a project, and with instructions. */
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { giveEachTestAHome, home, put, setup } from "../../../test/support/setup-home.ts";
import { INSTRUCTIONS } from "./instructions.ts";

giveEachTestAHome();

const other = { command: "/opt/limpet", args: ["mcp"] };

test("an entry for codex that cannot be edited is left alone, and the table to paste is in the error", async () => {
  const text = 'mcp_servers.limpet = { command = "x" }\n';
  const file = await put(".codex/config.toml", text);

  const failed = setup({ client: "codex", action: "write" });

  await expect(failed).rejects.toMatchObject({ code: "BAD_CONFIG" });
  await expect(failed).rejects.toThrow(
    `${file}: The file defines mcp_servers.limpet in a way that limpet does not edit.`,
  );
  await expect(failed).rejects.toThrow('[mcp_servers.limpet]\ncommand = "limpet"');
  expect(await readFile(file, "utf8")).toBe(text);
  expect(await readdir(dirname(file))).toHaveLength(1);
});

test("the previous file is kept under a new name, and permissions stay", async () => {
  const before = '{ "projects": { "/x": { "history": [1, 2] } } }';
  const file = await put(".claude.json", before);
  await writeFile(`${file}.bak`, "somebody else's");
  await chmod(file, 0o640);

  const { config, lines } = await setup({ client: "claude", action: "write" });

  expect(config.backup).toBe(`${file}.bak1`);
  expect(lines).toContain(`Saved the previous file as ${file}.bak1.`);
  expect(await readFile(`${file}.bak1`, "utf8")).toBe(before);
  expect(await readFile(`${file}.bak`, "utf8")).toBe("somebody else's");
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject(JSON.parse(before));
  expect((await stat(file)).mode & 0o777).toBe(0o640);
});

test("a broken file is named with its line, and is left as it is", async () => {
  const file = await put(".gemini/settings.json", '{\n  "a": 1,\n  b\n}');

  const failed = setup({ client: "gemini", action: "write" });

  await expect(failed).rejects.toThrow(`${file}: Line 3 is not valid JSON (invalid symbol).`);
  await expect(failed).rejects.toMatchObject({ code: "BAD_CONFIG" });
  expect(await readdir(dirname(file))).toEqual(["settings.json"]);
});

test("opencode's other file name and its second form are found", async () => {
  const file = await put(".config/opencode/opencode.jsonc", '{\n  // mine\n  "mcp": { "servers": {} },\n}\n');

  const report = await setup({ client: "opencode", action: "write" });

  expect(report.config.file).toBe(file);
  const text = await readFile(file, "utf8");
  expect(text).toContain("// mine");
  expect(text.replace(/\/\/.*/, "").replace(/,\s*}\s*$/, "}")).toMatch(/"servers":\s*{\s*"limpet"/);
});

test("opencode's entry is removed from both of its forms", async () => {
  const file = await put(".config/opencode/opencode.json", '{ "mcp": { "limpet": {}, "servers": { "limpet": {} } } }');

  await setup({ client: "opencode", action: "remove" });

  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ mcp: { servers: {} } });
});

test("a project has its own files", async () => {
  const { config, instructions } = await setup({
    client: "claude",
    scope: "project",
    action: "write",
    instructions: true,
  });

  expect(config).toMatchObject({ file: join(home, "project/.mcp.json"), isChanged: true });
  expect(instructions).toMatchObject({ file: join(home, "project/CLAUDE.md"), isChanged: true });
  expect(await readFile(join(home, "project/CLAUDE.md"), "utf8")).toBe(`${INSTRUCTIONS}\n`);
});

test("what others of a project must know is said", async () => {
  const { lines } = await setup({ client: "claude", scope: "project", action: "write", server: other });

  expect(lines).toContain("- Claude Code asks you once in each project before it starts this server.");
  expect(lines.join("\n")).toContain("- The command names a file on this machine.");
});

test("instructions are added, kept, and removed again", async () => {
  const guide = await put(".claude/CLAUDE.md", "# Mine\n\nBe brief.\n");
  const request = { client: "claude", instructions: true } as const;

  const printed = await setup(request);
  const added = await setup({ ...request, action: "write" });
  const again = await setup({ ...request, action: "write" });
  const text = await readFile(guide, "utf8");
  const removed = await setup({ ...request, action: "remove" });

  expect(printed.lines.join("\n")).toContain(`Add this to ${guide}:\n\n${INSTRUCTIONS}`);
  expect(added.lines).toContain(`Added instructions to ${guide}.`);
  expect(text).toBe(`# Mine\n\nBe brief.\n\n${INSTRUCTIONS}\n`);
  expect(again.lines).toContain(`${guide} already has instructions. Nothing changed.`);
  expect(removed.lines).toContain(`Removed instructions from ${guide}.`);
  expect(await readFile(guide, "utf8")).toBe("# Mine\n\nBe brief.\n");
});

test("a removal without instructions says where they still are", async () => {
  await setup({ client: "claude", instructions: true, action: "write" });

  const removed = await setup({ client: "claude", action: "remove" });
  const others = await setup({ client: "cursor", action: "remove" });

  const guide = join(home, ".claude/CLAUDE.md");
  expect(removed.lines.at(-1)).toBe(`${guide} still has instructions about limpet. Remove them with --instructions.`);
  expect(others.lines.join("\n")).not.toContain("instructions");
});
