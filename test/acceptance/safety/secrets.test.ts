import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAIN } from "../../support/mcp.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { filesBelow, formsIn, openSecretHost, type SecretHost } from "../../support/secrets.ts";

/** With characters that URLs, JSON and shells escape. */
const SECRET = "Tr0ub4dor&3 'ho\"rse";
const GIVEN = { secret_env: ["TOKEN=main"], login: false, shell: "/bin/bash", yield_time_ms: 60_000 };

let host: SecretHost;
beforeAll(async () => {
  host = await openSecretHost({ main: SECRET });
});
afterAll(() => host[Symbol.asyncDispose]());

const PRINTS: Readonly<Record<string, string>> = {
  echo: 'echo "$TOKEN"',
  "its environment": "env",
  "the environment of its process": "cat /proc/$$/environ",
  "a trace": 'set -x; true "$TOKEN"; [ "$TOKEN" = x ]',
  "the variables of a shell": "export -p; declare -p TOKEN",
  "a file": 'printf %s "$TOKEN" > "$TMPDIR/f$$"; cat "$TMPDIR/f$$"; rm "$TMPDIR/f$$"',
  base64: 'for pad in "" x xx; do printf %s "$pad$TOKEN" | base64 -w0; echo; done; echo "$TOKEN" | base64',
  colours: String.raw`printf '%s\033[31m%s\033[0m%s\n' "${"$"}{TOKEN:0:3}" "${"$"}{TOKEN:3:8}" "${"$"}{TOKEN:11}"`,
  "a title": String.raw`printf '\033]0;%s\007done\n' "$TOKEN"`,
  "one letter at a time": 'for ((i=0; i<${#TOKEN}; i++)); do printf %s "${TOKEN:i:1}"; sleep 0.005; done; echo',
  overstrike: 'python3 -c \'import os; print("".join(c + "\\b" + c for c in os.environ["TOKEN"]))\'',
  "JSON and a URL":
    "python3 -c 'import json, os, urllib.parse as u; t = os.environ[\"TOKEN\"]; print(json.dumps(t), u.quote(t), u.quote_plus(t), repr(t))'",
  "a line that is redrawn": String.raw`printf 'wait\r%s\n' "$TOKEN"`,
};

describe.each(Object.entries(PRINTS))("a program that prints it: %s", (_what, cmd) => {
  test.each([true, false])("is masked (tty: %s)", async (tty) => {
    if (cmd.includes("python3")) skipTestWithout("python3");
    const { text, structured } = await host.call("exec_command", {
      ...GIVEN,
      cmd,
      tty,
      env: { TMPDIR: host.cli.folder },
    });

    expect(structured["exit_code"]).not.toBe(null);
    expect(formsIn(text, SECRET)).toEqual([]);
    expect(text).toMatch(/\*{8}|done/);
  });
});

test.each([7, 10, 19, 20, 33])("on a screen of %i columns it is masked", async (cols) => {
  const cmd = 'printf "%s" "pad $TOKEN"; read -r line';
  const { structured } = await host.call("exec_command", { ...GIVEN, cmd, cols, rows: 8 });

  const { text } = await host.call("read_screen", { session_id: structured["session_id"] });
  const picture = await host.cli.sessions.turn({
    caller: "agent",
    on: { kind: "session", key: structured["session_id"] as number },
    read: { kind: "screen", cells: true },
  });

  expect(formsIn(text, SECRET)).toEqual([]);
  const cells = picture.screen?.snapshot.cells?.flat().map((cell) => cell.text || " ") ?? [];
  expect(formsIn(cells.join(""), SECRET)).toEqual([]);
});

test("a program that paints it letter by letter shows masks on the screen", async () => {
  skipTestWithout("python3");
  const program =
    "import os,sys; t=os.environ['TOKEN']; [sys.stdout.write(f'\\x1b[2;{i+1}H{t[i]}') for i in reversed(range(len(t)))]; sys.stdout.flush(); input()";
  const { structured } = await host.call("exec_command", {
    ...GIVEN,
    cmd: `python3 -c "${program}"`,
    cols: 40,
    rows: 6,
  });

  const { text } = await host.call("read_screen", { session_id: structured["session_id"] });

  expect(formsIn(text, SECRET)).toEqual([]);
  expect(text).toContain("*".repeat(SECRET.length));
});

describe("a shell of run", () => {
  test("gets it when it starts, for all its commands, and masks it", async () => {
    const first = await host.call("run", {
      command: 'echo "has ${#TOKEN}: $TOKEN"',
      shell: "s",
      secret_env: ["TOKEN=main"],
    });
    const second = await host.call("run", { command: 'echo "$TOKEN" | base64 -w0', shell: "s" });

    expect(first.text).toContain(`has ${SECRET.length}: ${"*".repeat(SECRET.length)}`);
    for (const { text } of [first, second]) expect(formsIn(text, SECRET)).toEqual([]);
    expect((await host.cli.limpet(["audit", "--json"])).stdout).toMatch(/"event":"secret".*"tool":"run"/);
  });

  test("that runs takes the same variable again, and refuses another one", async () => {
    await host.call("run", { command: "true", shell: "t", secret_env: ["TOKEN=main"] });
    await host.call("run", { command: "true", shell: "t", secret_env: ["TOKEN=main"] });

    expect(await host.refusal("run", { command: "true", shell: "t", secret_env: ["OTHER=main"] })).toMatch(
      /^BAD_OPTION: Shell \d+ was started without the secret variable OTHER\. Start another shell with a new name/,
    );
    expect(await host.refusal("run", { command: "true", shell: "u", secret_env: ["nothing"] })).toMatch(
      /^SECRET_NOT_FOUND/,
    );
  });
});

test("what an agent itself names is masked in lists, errors and history", async () => {
  await host.call("run", { command: `: '${SECRET.replaceAll("'", "'\\''")}'` });
  await host.call("exec_command", { cmd: `sleep 600; : "${SECRET.slice(0, 12)}"`, name: "plain", yield_time_ms: 0 });
  const refused = await host.refusal("exec_command", { cmd: "true", workdir: `/no/${SECRET}` });
  const listed = await host.call("list_sessions", { ended: true });
  const history = await host.cli.limpet(["history"]);

  for (const text of [refused, listed.text, history.stdout]) expect(formsIn(text, SECRET)).toEqual([]);
});

test("an MCP client gets masks in resources, lists and messages", async () => {
  const { env, folder } = host.cli;
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
  const settings = { ...process.env, ...env } as Record<string, string>;
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, "mcp", "--structured"],
      env: settings,
      cwd: folder,
    }),
  );
  host.cli.closeFirst(client);
  const messages: unknown[] = [];
  client.setNotificationHandler("notifications/message", ({ params }) => void messages.push(params.data));
  await client.setLoggingLevel("info");
  const cmd = String.raw`printf '\033]0;%s\007%s\n' "$TOKEN" "$TOKEN"; read -rp "$TOKEN? " line; until [ -e "$GO" ]; do sleep 0.05; done; exit 3`;
  // What an answer reports is not a message, so it ends after the answer.
  const go = join(folder, "go");
  const { structuredContent } = await client.callTool({
    name: "exec_command",
    arguments: { ...GIVEN, cmd, name: "shown", env: { GO: go } },
  });
  const { session_id } = structuredContent as { readonly session_id: number };

  const uris = ["output", "screen"].map((view) => `limpet://sessions/${session_id}/${view}`);
  const read = await Promise.all(uris.map((uri) => client.readResource({ uri })));
  const listed = [await client.listResources(), await client.callTool({ name: "list_sessions", arguments: {} })];
  await client.callTool({ name: "write_stdin", arguments: { session_id, chars: "\n", yield_time_ms: 0 } });
  writeFileSync(go, "");
  await expect.poll(() => messages.join(), { timeout: 20_000 }).toContain("exited with code 3");

  for (const { contents } of read) expect(JSON.stringify(contents)).toContain("*".repeat(SECRET.length));
  for (const given of [structuredContent, ...read, ...listed, messages])
    expect(formsIn(JSON.stringify(given), SECRET)).toEqual([]);
});

test("a recording of it, from its start, has masks only", async () => {
  const file = join(host.cli.folder, "secret.cast");
  const { structured } = await host.call("exec_command", {
    ...GIVEN,
    cmd: 'echo "$TOKEN"; read -r line; echo "again $TOKEN"',
  });
  const id = structured["session_id"] as number;
  await host.cli.sessions.record(id, { file, input: true });
  await host.call("write_stdin", { session_id: id, chars: `${SECRET}\n` });
  await host.cli.sessions.stopRecording(id, {});

  const [recorded] = filesBelow(host.cli.folder).filter(({ path }) => path === file);
  expect(formsIn(recorded?.text ?? SECRET, SECRET)).toEqual([]);
  expect(recorded?.text).toContain("again ***");
});

test("a session that is started again has it again", async () => {
  const { structured } = await host.call("exec_command", { ...GIVEN, cmd: 'echo "has ${#TOKEN}"; read -r line' });
  const { id } = await host.cli.sessions.restart(structured["session_id"] as number);

  const { text } = await host.call("wait_for", { session_ids: [id], until: "has \\d+" });

  expect(text).toContain(`has ${SECRET.length}`);
});

async function rawOutput(id: number): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const { bytes } of host.cli.sessions.output(id, {})) parts.push(bytes);
  return Buffer.concat(parts).toString("latin1");
}

test("neither the state of the host nor any answer has it", async () => {
  const listed = await host.cli.sessions.list({ ended: true, all: true });
  const logs = await Promise.all(listed.filter(({ exit }) => exit !== null).map(({ id }) => rawOutput(id)));
  expect(logs.length).toBeGreaterThan(10);
  const files = filesBelow(host.cli.env["LIMPET_HOME"] ?? "");
  expect(files.filter(({ path }) => path.endsWith(".journal")).length).toBeGreaterThan(10);

  expect(logs.flatMap((text) => formsIn(text, SECRET))).toEqual([]);
  expect(host.answers.flatMap((text) => formsIn(text, SECRET))).toEqual([]);
  expect(files.filter(({ text }) => formsIn(text, SECRET).length > 0).map(({ path }) => path)).toEqual([]);
});
