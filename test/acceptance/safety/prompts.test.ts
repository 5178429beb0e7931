import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { skipTestWithout } from "../../support/needs.ts";
import { filesBelow, formsIn, openSecretHost, type SecretHost } from "../../support/secrets.ts";

const SECRET = "correct horse battery";
const PLAIN = { login: false, shell: "/bin/bash", yield_time_ms: 60_000 };
const SILENT_READ = 'read -rsp "Password: " p; echo; [ "$p" = "$EXPECTED" ] && echo "right: $p" || echo wrong';

let host: SecretHost;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "limpet-prompts-"));
  const waits = `while [ ! -e ${join(folder, "go")} ]; do sleep 0.02; done; echo slow-secret`;
  const config = { secrets: { slow: { command: ["sh", "-c", waits] } } };
  host = await openSecretHost({ sudo: SECRET, lines: "first line\nsecond line" }, config);
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function start(cmd: string, env: Record<string, string> = {}): Promise<number> {
  const { structured } = await host.call("exec_command", {
    ...PLAIN,
    cmd,
    env: { EXPECTED: "set by the test", ...env },
  });
  expect(structured["waiting_for"]).toBe("password");
  return structured["session_id"] as number;
}

const PROMPTS: Readonly<Record<string, string>> = {
  "read -s": SILENT_READ,
  "stty -echo": 'stty -echo; printf "Password: "; read -r p; stty echo; echo; echo "right: $p"',
  getpass: "python3 -c 'import getpass; print(\"right:\", getpass.getpass())'",
  "a prompt on /dev/tty":
    'exec < /dev/null; p=$(python3 -c "import getpass; print(getpass.getpass())"); echo "right: $p"',
};

test.each(Object.entries(PROMPTS))(
  "a secret is typed at the prompt of %s, and masked where it is printed",
  async (_what, cmd) => {
    if (cmd.includes("python3")) skipTestWithout("python3");
    const file = join(host.cli.folder, "expected");
    writeFileSync(file, SECRET);
    const id = await start(`EXPECTED=$(cat ${file}); ${cmd}`);

    const { text, structured } = await host.call("write_stdin", { session_id: id, secret: "sudo" });

    expect(text).toContain(`right: ${"*".repeat(SECRET.length)}`);
    expect(structured["exit_code"]).toBe(0);
  },
);

test("an agent is told how a prompt can be answered, by names", async () => {
  const { text } = await host.call("exec_command", { ...PLAIN, cmd: SILENT_READ });

  expect(text).toMatch(
    /^To answer without seeing it: write_stdin\(session_id=\d+, secret=NAME\), one of: lines, slow, sudo; or a person runs: limpet answer \d+$/m,
  );
});

test("a command of run is answered in its shell", async () => {
  const asked = await host.call("run", { command: 'read -rsp "Password: " p; echo; echo "got ${#p}"' });
  expect(asked.text).toContain("To answer without seeing it: ");

  const { text } = await host.call("write_stdin", { session_id: asked.structured["session_id"], secret: "sudo" });

  expect(text).toContain(`got ${SECRET.length}`);
});

test("nothing is typed into a program that does not ask for a password", async () => {
  const { structured } = await host.call("exec_command", { ...PLAIN, cmd: 'read -rp "Name: " n; echo "got <$n>"' });
  const session_id = structured["session_id"];

  const refused = await host.refusal("write_stdin", { session_id, secret: "sudo" });
  const { text } = await host.call("write_stdin", { session_id, chars: "Ada\n" });

  expect(refused).toBe(
    `PROMPT_CHANGED: Session ${session_id} is not waiting for a password, so nothing was typed. Read its output, then decide again.`,
  );
  expect(text).toContain("got <Ada>");
});

test("a shell that edits its line, which has no echo either, gets nothing", async () => {
  const { structured } = await host.call("exec_command", { cmd: "exec bash --norc --noprofile -i", ...PLAIN });

  const refused = await host.refusal("write_stdin", { session_id: structured["session_id"], secret: "sudo" });

  expect(refused).toMatch(/^PROMPT_CHANGED: .* is not waiting for a password/);
});

test("at another prompt than the one reported, nothing is typed", async () => {
  skipTestWithout("python3");
  const program = join(folder, "two-prompts.py");
  writeFileSync(
    program,
    `import getpass, signal
class Next(Exception): pass
def go_on(*_): raise Next
signal.signal(signal.SIGUSR1, go_on)
try: print("first got", getpass.getpass("First: "))
except Next: pass
print("second got", getpass.getpass("Second: "))
`,
  );
  const id = await start(`exec python3 ${program}`);
  await host.cli.sessions.signal(id, { signal: "SIGUSR1" });
  await expect.poll(async () => (await host.cli.limpet(["logs", String(id)])).stdout).toContain("Second: ");
  await expect.poll(async () => (await host.cli.sessions.passwordPrompt(id)) !== null).toBe(true);

  expect(await host.refusal("write_stdin", { session_id: id, secret: "sudo" })).toMatch(
    /^PROMPT_CHANGED: .* waits at another prompt than the one reported, so nothing was typed/,
  );
  await host.call("write_stdin", { session_id: id });
  const { text } = await host.call("write_stdin", { session_id: id, secret: "sudo" });
  expect(text).toContain(`second got ${"*".repeat(SECRET.length)}`);
});

test("a prompt that ends while the secret is looked up gets nothing", async () => {
  const done = join(folder, "done");
  const id = await start(`read -rsp "Password: " p; echo "<$p>" > ${done}; read -r line; echo "then <$line>"`);

  const typing = host.refusal("write_stdin", { session_id: id, secret: "slow" });
  await host.cli.sessions.write(id, "by hand\r", { by: "person" });
  // The shell makes the file before it writes.
  await expect.poll(() => existsSync(done) && readFileSync(done, "utf8")).toBe("<by hand>\n");
  writeFileSync(join(folder, "go"), "");

  expect(await typing).toMatch(/^PROMPT_CHANGED/);
  const { text } = await host.call("write_stdin", { session_id: id, chars: "x\n" });
  expect(text).toContain("then <x>");
});

test("an agent cannot type a secret while a person holds the session", async () => {
  const id = await start(SILENT_READ);
  await host.cli.sessions.hold(id, { reason: null });

  expect(await host.refusal("write_stdin", { session_id: id, secret: "sudo" })).toMatch(/^SESSION_HELD/);
});

test.each([
  [{ secret: "nope" }, /^SECRET_NOT_FOUND: Unknown secret nope \(known: lines, slow, sudo\)/],
  [{ secret: "lines" }, /^BAD_SECRET: The secret has several lines/],
  [{ secret: "sudo", chars: "x" }, /^BAD_OPTION: secret is typed alone/],
])("%j is refused, and the prompt stays", async (args, message) => {
  const id = await start(SILENT_READ);

  expect(await host.refusal("write_stdin", { session_id: id, ...args })).toMatch(message);

  const { text } = await host.call("write_stdin", { session_id: id, chars: "a guess\n" });
  expect(text).toContain("wrong");
});

test("a secret with several lines can be a variable", async () => {
  const { text } = await host.call("exec_command", {
    ...PLAIN,
    cmd: 'echo "$lines" | wc -l; echo "$lines"',
    secret_env: ["lines"],
  });

  expect(text).toMatch(/\n2\n\*{10}\n\*{11}\n/);
});

test.each([
  [["nope"], /^SECRET_NOT_FOUND/],
  [["A-B=sudo"], /^BAD_OPTION: "A-B" cannot be a variable/],
])("secret_env %j is refused, and nothing is started", async (secret_env, message) => {
  const file = join(host.cli.folder, "started");

  expect(await host.refusal("exec_command", { ...PLAIN, cmd: `touch ${file}`, secret_env })).toMatch(message);
  expect(existsSync(file)).toBe(false);
});

test("no file of the host and no answer has the secret", () => {
  const files = filesBelow(host.cli.env["LIMPET_HOME"] ?? "");

  expect(files.length).toBeGreaterThan(5);
  expect(files.filter(({ text }) => formsIn(text, SECRET).length > 0)).toEqual([]);
  expect(host.answers.flatMap((text) => formsIn(text, SECRET))).toEqual([]);
});
