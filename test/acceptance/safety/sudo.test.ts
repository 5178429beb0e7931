/** sudo in a host that is not root: the kernel does not show what its process waits for. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { textOf } from "../../support/mcp.ts";
import { skipWithout } from "../../support/needs.ts";
import { type OtherUser, openOtherUser } from "../../support/other-user.ts";
import { filesBelow, formsIn } from "../../support/secrets.ts";

const { setUp, tearDown } = skipWithout("root", "sudo");

const PASSWORD = "correct horse battery";
const LONG = { timeout: 240_000 };
const PLAIN = { login: false, shell: "/bin/bash", yield_time_ms: 60_000 };
let user: OtherUser;
let client: Client;
const answers: string[] = [];

setUp(async () => {
  user = openOtherUser(PASSWORD);
  expect(await user.limpet(["secret", "set", "sudo"], `${PASSWORD}\n`)).toMatchObject({ code: 0 });
  expect(await user.limpet(["secret", "set", "wrong"], "not the password\n")).toMatchObject({ code: 0 });
  client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
  const [command, ...args] = user.command("mcp", "--structured");
  await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));
}, 120_000);
tearDown(async () => {
  await client?.close();
  await user?.close();
}, 60_000);

async function call(name: string, args: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: args });
  const text = textOf(result);
  answers.push(text, JSON.stringify(result.structuredContent ?? {}));
  return { text, structured: (result.structuredContent ?? {}) as Record<string, unknown> };
}

/** A session at the prompt of sudo. */
async function asked(command: string): Promise<number> {
  const { structured } = await call("exec_command", { ...PLAIN, cmd: `sudo -p 'Password: ' ${command}` });
  expect(structured).toMatchObject({ waiting_for: "password" });
  return structured["session_id"] as number;
}

test("its prompt is recognised, and a secret is typed by its name", LONG, async () => {
  const session_id = await asked("sh -c 'id -u; echo done'");

  const { text } = await call("write_stdin", { session_id, secret: "sudo", until: "done", yield_time_ms: 60_000 });

  expect(text).toMatch(/^0\s+done$/m);
});

test("a person answers it with limpet answer", LONG, async () => {
  const session_id = await asked("sh -c 'id -u; echo done; read line'");

  expect(await user.limpet(["answer", String(session_id)], `${PASSWORD}\n`)).toMatchObject({ code: 0 });
  const { text } = await call("wait_for", { session_ids: [session_id], until: "done", deadline_ms: 60_000 });

  expect(text).toMatch(/^0\s+done$/m);
});

test("a wrong secret is typed once, and the answer shows that it was wrong", LONG, async () => {
  const session_id = await asked("true");

  const { text } = await call("write_stdin", { session_id, secret: "wrong", yield_time_ms: 60_000 });

  expect(text).toMatch(/incorrect password|Sorry/);
});

test("nothing is typed into the program that sudo then runs", LONG, async () => {
  const session_id = await asked("sh -c 'echo ready; read line; echo \"got <$line>\"'");
  await call("write_stdin", { session_id, secret: "sudo", until: "ready", yield_time_ms: 60_000 });

  const refused = await call("write_stdin", { session_id, secret: "sudo" });
  const byPerson = await user.limpet(["answer", String(session_id)], `${PASSWORD}\n`);
  const { text } = await call("write_stdin", { session_id, chars: "plain\n", yield_time_ms: 60_000 });

  expect(refused.text).toMatch(/^PROMPT_CHANGED: .* is not waiting for a password, so nothing was typed/);
  expect(byPerson).toMatchObject({ code: 1, stderr: expect.stringContaining("is not waiting for a password") });
  expect(text).toContain("got <plain>");
});

test("what was typed is masked where a program of root prints it", LONG, async () => {
  const session_id = await asked(`sh -c 'stty -echo; read -r p; stty echo; echo "got <$p>"; cat'`);
  await call("write_stdin", { session_id, secret: "sudo" });

  const { text } = await call("write_stdin", {
    session_id,
    chars: `${PASSWORD}\n`,
    until: "got",
    yield_time_ms: 60_000,
  });

  expect(text).toContain(`got <${"*".repeat(PASSWORD.length)}>`);
});

test("neither an answer nor a file of the host has the password", LONG, () => {
  const files = filesBelow(user.home).filter(({ path }) => !path.includes("/.config/limpet/"));

  expect(files.length).toBeGreaterThan(3);
  expect(files.filter(({ text }) => formsIn(text, PASSWORD).length > 0).map(({ path }) => path)).toEqual([]);
  expect(answers.flatMap((text) => formsIn(text, PASSWORD))).toEqual([]);
});
