import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CLIENTS } from "./clients.ts";
import { setup } from "./setup.ts";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "limpet-setup-"));
});

afterEach(async () => {
  await rm(home, { recursive: true });
});

const plain = { command: "limpet", args: ["mcp"] };

async function put(path: string, text: string): Promise<string> {
  const file = join(home, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

test.each([
  ["claude", ".claude.json", { mcpServers: { limpet: { type: "stdio", ...plain } } }],
  ["gemini", ".gemini/settings.json", { mcpServers: { limpet: plain } }],
  ["cursor", ".cursor/mcp.json", { mcpServers: { limpet: plain } }],
  ["vscode", ".config/Code/User/mcp.json", { servers: { limpet: { type: "stdio", ...plain } } }],
  ["windsurf", ".codeium/windsurf/mcp_config.json", { mcpServers: { limpet: plain } }],
  [
    "opencode",
    ".config/opencode/opencode.json",
    { mcp: { limpet: { type: "local", command: ["limpet", "mcp"], enabled: true } } },
  ],
])("%s gets its configuration in %s, printed or written", async (client, path, expected) => {
  const printed = await setup({ client, home });
  expect(printed).toMatchObject({ client, file: join(home, path), isChanged: false, backup: null });
  expect(printed.lines[0]).toBe(`Add this to ${join(home, path)}:`);
  expect(JSON.parse(printed.config)).toEqual(expected);
  expect(await readdir(home)).toEqual([]);

  const written = await setup({ client, home, write: true });
  expect(written).toMatchObject({ isChanged: true, backup: null });
  expect(JSON.parse(await readFile(join(home, path), "utf8"))).toEqual(expected);
});

test("codex gets a table in its config.toml", async () => {
  const { config } = await setup({ client: "codex", home });
  await setup({ client: "codex", home, write: true });

  expect(config).toBe('[mcp_servers.limpet]\ncommand = "limpet"\nargs = ["mcp"]');
  expect(await readFile(join(home, ".codex/config.toml"), "utf8")).toBe(`${config}\n`);
});

test.each(CLIENTS)("a second write for %s changes nothing and makes no backup", async (client) => {
  const first = await setup({ client, home, write: true });
  const text = await readFile(first.file, "utf8");

  const second = await setup({ client, home, write: true });

  expect(second).toMatchObject({ isChanged: false, backup: null });
  expect(second.lines).toEqual([`${first.file} already has limpet. Nothing changed.`]);
  expect(await readFile(first.file, "utf8")).toBe(text);
  expect(await readdir(dirname(first.file))).toHaveLength(1);
});

const other = { command: "/opt/limpet", args: ["mcp"] };

test.each(CLIENTS.filter((client) => client !== "codex"))(
  "an entry for %s is added once, then updated",
  async (client) => {
    const first = await setup({ client, home, write: true });
    expect(first.lines[0]).toBe(`Added limpet to ${first.file}.`);

    const second = await setup({ client, home, write: true, server: other });
    expect(second.lines[0]).toBe(`Updated limpet in ${first.file}.`);
  },
);

test("another entry for codex is left alone, and the table to paste is in the error", async () => {
  const { file } = await setup({ client: "codex", home, write: true });
  const text = await readFile(file, "utf8");

  const failed = setup({ client: "codex", home, write: true, server: other });

  await expect(failed).rejects.toMatchObject({ code: "BAD_CONFIG" });
  await expect(failed).rejects.toThrow('[mcp_servers.limpet]\ncommand = "/opt/limpet"\nargs = ["mcp"]');
  expect(await readFile(file, "utf8")).toBe(text);
  expect(await readdir(dirname(file))).toHaveLength(1);
});

test("the previous file is kept under a new name, and permissions stay", async () => {
  const before = '{ "projects": { "/x": { "history": [1, 2] } } }';
  const file = await put(".claude.json", before);
  await writeFile(`${file}.bak`, "somebody else's");
  await chmod(file, 0o640);

  const { backup, lines } = await setup({ client: "claude", home, write: true });

  expect(backup).toBe(`${file}.bak1`);
  expect(lines).toContain(`Saved the previous file as ${file}.bak1.`);
  expect(await readFile(`${file}.bak1`, "utf8")).toBe(before);
  expect(await readFile(`${file}.bak`, "utf8")).toBe("somebody else's");
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject(JSON.parse(before));
  expect((await stat(file)).mode & 0o777).toBe(0o640);
});

test("a file that is a link stays one", async () => {
  const real = await put("dotfiles/mcp.json", "{}\n");
  await mkdir(join(home, ".cursor"));
  await symlink(real, join(home, ".cursor/mcp.json"));

  await setup({ client: "cursor", home, write: true });

  expect((await lstat(join(home, ".cursor/mcp.json"))).isSymbolicLink()).toBe(true);
  expect(JSON.parse(await readFile(real, "utf8"))).toEqual({ mcpServers: { limpet: plain } });
});

test("a broken file is named with its line, and is left as it is", async () => {
  const file = await put(".gemini/settings.json", '{\n  "a": 1,\n  b\n}');

  const failed = setup({ client: "gemini", home, write: true });

  await expect(failed).rejects.toThrow(`${file}: Line 3 is not valid JSON (invalid symbol).`);
  await expect(failed).rejects.toMatchObject({ code: "BAD_CONFIG" });
  expect(await readdir(dirname(file))).toEqual(["settings.json"]);
});

test("a file that is not text is refused", async () => {
  const file = await put(".cursor/mcp.json", "");
  await writeFile(file, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));

  await expect(setup({ client: "cursor", home, write: true })).rejects.toThrow(`${file} is not UTF-8 text.`);
});

test("a directory in the place of the file is an error with its reason", async () => {
  await mkdir(join(home, ".cursor/mcp.json"), { recursive: true });

  await expect(setup({ client: "cursor", home, write: true })).rejects.toMatchObject({ code: "BAD_CONFIG" });
});

test("opencode's other file name and its second form are found", async () => {
  const file = await put(".config/opencode/opencode.jsonc", '{\n  // mine\n  "mcp": { "servers": {} },\n}\n');

  const report = await setup({ client: "opencode", home, write: true });

  expect(report.file).toBe(file);
  const text = await readFile(file, "utf8");
  expect(text).toContain("// mine");
  expect(text.replace(/\/\/.*/, "").replace(/,\s*}\s*$/, "}")).toMatch(/"servers":\s*{\s*"limpet"/);
});

test("the directories that the environment names are used", async () => {
  const codex = await setup({ client: "codex", home, codexHome: join(home, "elsewhere") });
  const vscode = await setup({ client: "vscode", home, configHome: join(home, "conf") });

  expect(codex.file).toBe(join(home, "elsewhere/config.toml"));
  expect(vscode.file).toBe(join(home, "conf/Code/User/mcp.json"));
});

test("another command than limpet mcp can be given", async () => {
  const server = { command: "npx", args: ["-y", "limpet", "mcp", "--tools", "codex"] };

  const { config } = await setup({ client: "cursor", home, server });

  expect(JSON.parse(config)).toEqual({ mcpServers: { limpet: server } });
});

test("an unknown client is refused with the list", async () => {
  await expect(setup({ client: "emacs", home })).rejects.toThrow(
    'There is no client "emacs". Use one of: claude, codex, gemini, cursor, vscode, windsurf, opencode.',
  );
});
