/** What `limpet wait` and `limpet run` tell a script, and what is typed. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runCommand } from "../../../src/service/turn/simple-turns.ts";
import { type Cli, openCli } from "../../support/cli.ts";
import { until } from "../../support/sessions.ts";

// Some tests start a dozen processes, one after the other.
vi.setConfig({ testTimeout: 180_000 });

let cli: Cli;
beforeAll(() => {
  cli = openCli();
});
afterAll(() => cli[Symbol.asyncDispose]());

const start = async (...words: string[]) => (await cli.limpet(["start", ...words])).stdout.trim();

test("run --json tells all that is known of a program that has ended", async () => {
  const { code, stdout } = await cli.limpet(["run", "--json", "printf '\\e[31mred\\e[0m\\n'; exit 3"]);

  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toEqual({
    id: expect.any(Number),
    name: null,
    place: null,
    exitCode: 3,
    signal: null,
    outOfMemory: false,
    limit: null,
    timedOut: false,
    durationMs: expect.any(Number),
    output: "red\n",
    truncated: false,
    droppedBytes: 0,
  });
});

test("a wait that took too long names all that it waited for", async () => {
  const [one, other] = [await start("--name", "slow", "cat"), await start("cat")];

  const { code, stdout } = await cli.limpet(["wait", other, "slow", "--until", "never", "--timeout", "0.1"]);

  expect([code, stdout]).toEqual([4, `${other}, ${one} (slow): timed out, still running\n`]);
  await cli.end(Number(one), Number(other));
});

test("wait says by its exit code whether what was waited for has come", async () => {
  const id = await start("read line; echo got $line; exit 5");

  expect(await cli.json("wait", id)).toMatchObject({ id: Number(id), reason: "input", waitingFor: "line" });
  expect((await cli.limpet(["wait", id, "--until", "got", "--timeout", "0.2"])).code).toBe(4);
  expect((await cli.limpet(["wait", id, "--quiet", "50"])).code).toBe(0);
  await cli.limpet(["send", id, "x", "--key", "Enter"]);
  expect((await cli.limpet(["wait", id, "--exit"])).stdout).toBe(`${id}: exited with code 5\n`);
  expect((await cli.limpet(["wait", id, "--until", "got x"])).code).toBe(0);
  expect((await cli.limpet(["wait", id, "--until", "never"])).code).toBe(5);
  expect((await cli.limpet(["wait", id, "--new", "--until", "got x"])).code).toBe(5);
  expect((await cli.limpet(["send", id, "x"])).code).toBe(5);
});

test("wait --any is told by the first of all sessions", async () => {
  const silent = await start("sleep 1000");
  const id = await start("--name", "first", "read line; exit 9");

  const waiting = cli.limpet(["wait", "--any", "--exit"]);
  const isWaitedFor = async () => (await cli.sessions.list({ ended: false })).every(({ idleMs }) => idleMs === 0);
  await until(isWaitedFor, "somebody waits");
  await cli.limpet(["send", "first", "-e"]);
  const told = await waiting;
  await cli.end(Number(silent));

  expect(told.stdout).toBe(`${id} (first): exited with code 9\n`);
});

test("text, keys, a paste and stdin are typed in this order and form", async () => {
  const id = await start(
    "stty -icanon -echo; printf ready; head -c 22 | od -An -c | tr -d ' \\n'; echo; cat >/dev/null",
  );
  await cli.printed(Number(id), /ready/);

  await cli.limpet(["send", id, "a\tb", "--key", "Up", "--key", "Ctrl+D", "--enter"]);
  await cli.limpet(["send", id, "-", "--key", "F1"], "from stdin");
  await cli.limpet(["send", id, "--paste", "p\nq"]);
  await cli.printed(Number(id), /OPp\n/);

  expect((await cli.limpet(["logs", id])).stdout).toBe("readya\\tb033[A004\\nfromstdin033OPp\n");
  expect((await cli.limpet(["send", id, "x", "--key", "Entr"])).stderr).toContain("Enter");
  expect((await cli.limpet(["send", id])).code).toBe(2);
  await cli.limpet(["kill", "--force", id]);
});

test("an agent cannot type into a session that is held, a person can", async () => {
  const id = await start("cat");

  expect((await cli.limpet(["hold", id, "--reason", "one moment"])).stdout).toContain(`Held: ${id}`);
  await expect(cli.sessions.write(Number(id), "agent\n")).rejects.toThrow('("one moment")');
  expect((await cli.limpet(["send", id, "person", "-e"])).code).toBe(0);
  expect((await cli.limpet(["ls"])).stdout).toMatch(new RegExp(`^ *${id} +held`, "m"));
  expect(await cli.json("release", id)).toEqual({ id: Number(id), held: false, wasHeld: true });
  expect((await cli.limpet(["release", id])).stdout).toBe(`${id} was not held.\n`);
  await cli.end(Number(id));
});

test("one that has ended cannot be held", async () => {
  const id = await start("true");
  await cli.limpet(["wait", id, "--exit"]);

  const { code, stderr } = await cli.limpet(["hold", id]);

  expect([code, stderr]).toEqual([5, expect.stringContaining(`SESSION_ENDED: Session ${id} has ended`)]);
  await cli.end(Number(id));
});

test("wait --json tells why it ended, and of which session", async () => {
  const id = await start("--name", "waited", "cat");

  const { code, stdout } = await cli.limpet(["wait", "waited", "--until", "never", "--timeout", "0.1", "--json"]);

  expect(code).toBe(4);
  expect(JSON.parse(stdout)).toEqual({ id: Number(id), name: "waited", place: null, reason: "deadline", cursor: 0 });
  await cli.end(Number(id));
});

test.each([
  { flags: ["--exit"], code: 4 },
  { flags: ["--until", "never printed"], code: 4 },
  { flags: ["--quiet", "60000"], code: 4 },
  { flags: ["--command"], code: 0 },
  { flags: [], code: 0 },
])("the end of a shell's command is no success of wait $flags: $code", async ({ flags, code }) => {
  const shell = `waited-${flags.join("-")}`.slice(0, 30).replaceAll(" ", "-");
  const { id } = await runCommand(cli.sessions, { caller: "agent", shell, command: "true" });

  let isOver = false;
  const waiting = cli.limpet(["wait", String(id), ...flags, "--timeout", code === 0 ? "60" : "1"]).finally(() => {
    isOver = true;
  });
  while (!isOver) await runCommand(cli.sessions, { caller: "agent", shell, command: "sleep 0.1" });

  expect(await waiting).toMatchObject({ code });
  await cli.end(id);
});
