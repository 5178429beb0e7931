import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { giveEachTestAHome, home, setup } from "../../../test/support/setup-home.ts";
import { CLIENTS } from "./clients.ts";

giveEachTestAHome();

const plain = { command: "limpet", args: ["mcp"] };

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
  const printed = await setup({ client });
  expect(printed).toMatchObject({ client, config: { file: join(home, path), isChanged: false, backup: null } });
  expect(printed.lines).toEqual([`Add this to ${join(home, path)}:`, "", ...printed.config.text.split("\n")]);
  expect(JSON.parse(printed.config.text)).toEqual(expected);
  expect(await readdir(home)).toEqual([]);

  const written = await setup({ client, action: "write" });
  expect(written).toMatchObject({ config: { isChanged: true, backup: null }, instructions: null });
  expect(JSON.parse(await readFile(join(home, path), "utf8"))).toEqual(expected);
});

test("codex gets a table with its limits, variables and permissions, and the reasons", async () => {
  const { config, lines } = await setup({ client: "codex" });
  const written = await setup({ client: "codex", action: "write" });

  expect(config.text.split("\n")).toEqual([
    "[mcp_servers.limpet]",
    'command = "limpet"',
    'args = ["mcp", "--max-wait", "3540"]',
    "tool_timeout_sec = 3600",
    expect.stringMatching(/^env_vars = \["LIMPET_HOME", .*"VIRTUAL_ENV"/),
    'default_tools_approval_mode = "approve"',
  ]);
  const reasons = ["tool_timeout_sec", "--max-wait", "env_vars", "default_tools_approval_mode"];
  for (const key of reasons) expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^- ${key} `)));
  expect(written.lines).toEqual([
    `Added limpet to ${config.file}.`,
    ...lines.filter((line) => line.startsWith("- ")),
    "Restart codex to use it.",
  ]);
  expect(await readFile(join(home, ".codex/config.toml"), "utf8")).toBe(`${config.text}\n`);
});

const address = { url: "http://127.0.0.1:8717/mcp", variable: "LIMPET_TOKEN" };

test.each([
  ["claude", { type: "http", url: address.url, headers: { Authorization: "Bearer ${LIMPET_TOKEN}" } }],
  ["gemini", { httpUrl: address.url, headers: { Authorization: "Bearer ${LIMPET_TOKEN}" } }],
  ["cursor", { url: address.url, headers: { Authorization: "Bearer ${env:LIMPET_TOKEN}" } }],
  ["vscode", { type: "http", url: address.url, headers: { Authorization: "Bearer ${env:LIMPET_TOKEN}" } }],
  ["windsurf", { serverUrl: address.url, headers: { Authorization: "Bearer ${env:LIMPET_TOKEN}" } }],
  [
    "opencode",
    {
      type: "remote",
      url: address.url,
      headers: { Authorization: "Bearer {env:LIMPET_TOKEN}" },
      oauth: false,
      enabled: true,
    },
  ],
])("%s gets an address and the name of the variable with its token", async (client, entry) => {
  const { config, lines } = await setup({ client, server: address });

  const [servers] = Object.values(JSON.parse(config.text));
  expect(servers).toEqual({ limpet: entry });
  expect(lines).toContainEqual(
    `- The file has no token. Start ${client} with it: export LIMPET_TOKEN=$(limpet token create ${client})`,
  );
});

test.each(CLIENTS)(
  "an entry for %s becomes an address, and a command again, with nothing left of the other",
  async (client) => {
    const { config } = await setup({ client, action: "write" });
    const command = await readFile(config.file, "utf8");

    const second = await setup({ client, action: "write", server: address });
    const http = await readFile(config.file, "utf8");
    await setup({ client, action: "write" });

    expect(second.lines[0]).toBe(`Updated limpet in ${config.file}.`);
    expect(http.trim()).toBe(second.config.text);
    expect(http).not.toMatch(/command|args/);
    expect(await readFile(config.file, "utf8")).toBe(command);
  },
);

test("codex gets an address and the name of the variable with its token", async () => {
  expect((await setup({ client: "codex", server: address })).config.text.split("\n")).toEqual([
    "[mcp_servers.limpet]",
    'url = "http://127.0.0.1:8717/mcp"',
    'bearer_token_env_var = "LIMPET_TOKEN"',
    'default_tools_approval_mode = "approve"',
  ]);
});

test.each(CLIENTS)("a second write for %s changes nothing and makes no backup", async (client) => {
  const first = await setup({ client, action: "write" });
  const { file } = first.config;
  const text = await readFile(file, "utf8");

  const second = await setup({ client, action: "write" });

  expect(second.config).toMatchObject({ isChanged: false, backup: null });
  expect(second.lines).toEqual([`${file} already has limpet. Nothing changed.`]);
  expect(await readFile(file, "utf8")).toBe(text);
  expect(await readdir(dirname(file))).toHaveLength(1);
});

const other = { command: "/opt/limpet", args: ["mcp"] };

test.each(CLIENTS)("an entry for %s is added once, then updated, then removed", async (client) => {
  const first = await setup({ client, action: "write" });
  expect(first.lines[0]).toBe(`Added limpet to ${first.config.file}.`);

  const second = await setup({ client, action: "write", server: other });
  expect(second.lines[0]).toBe(`Updated limpet in ${first.config.file}.`);
  expect(await readFile(first.config.file, "utf8")).toContain("/opt/limpet");

  const third = await setup({ client, action: "remove" });
  expect(third.lines).toEqual([
    `Removed limpet from ${first.config.file}.`,
    `Saved the previous file as ${third.config.backup}.`,
    `Restart ${client} to stop using it.`,
  ]);
  expect(await readFile(first.config.file, "utf8")).not.toContain("limpet");

  const fourth = await setup({ client, action: "remove" });
  expect(fourth.lines).toEqual([`${first.config.file} does not have limpet. Nothing changed.`]);
});

test.each(CLIENTS)("nothing is written for %s if there is nothing to remove", async (client) => {
  await setup({ client, action: "remove" });

  expect(await readdir(home)).toEqual([]);
});

test.each([
  [{ client: "windsurf", scope: "project" }, "windsurf has no list of servers for one project. Use --scope user."],
  [{ client: "cursor", instructions: true }, "cursor has no file with instructions for all projects."],
  [{ client: "claude", scope: "local" }, '--scope is "local". Use one of: user, project.'],
])("%j is refused, and nothing is written", async (request, message) => {
  await expect(setup({ ...request, action: "write" })).rejects.toThrow(message);

  expect(await readdir(home)).toEqual([]);
});

test("another command than limpet mcp can be given", async () => {
  const server = { command: "npx", args: ["-y", "limpet", "mcp", "--tools", "codex"] };

  const { config } = await setup({ client: "cursor", server });

  expect(JSON.parse(config.text)).toEqual({ mcpServers: { limpet: server } });
});

test("an unknown client is refused with the list", async () => {
  await expect(setup({ client: "emacs" })).rejects.toThrow(
    'Unknown client "emacs". Use one of: claude, codex, gemini, cursor, vscode, windsurf, opencode.',
  );
});
