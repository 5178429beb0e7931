import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runCommand, startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { type Cli, openCli } from "../../support/cli.ts";

// Some tests start a dozen processes, one after the other.
vi.setConfig({ testTimeout: 180_000 });

let cli: Cli;
beforeAll(() => {
  cli = openCli();
});
afterAll(() => cli[Symbol.asyncDispose]());

const start = async (...words: string[]) => (await cli.limpet(["start", ...words])).stdout.trim();

/** The same for a program that waits for input. Before that, its process may still be the shell that starts it. */
async function startAsking(...words: string[]): Promise<string> {
  const id = await start(...words);
  await waitForSession(cli.sessions, { keys: [Number(id)] });
  return id;
}

test("start prints an id, and each of the others takes it or the name", async () => {
  const id = await start("--name", "talk", "cat");

  expect(id).toMatch(/^\d+$/);
  expect(await cli.limpet(["send", "talk", "hello", "--enter"])).toEqual({ code: 0, stdout: "", stderr: "" });
  expect((await cli.limpet(["wait", id, "--until", "hello\\nhello"])).stdout).toBe(
    `${id} (talk): printed "hello\\nhello"\n`,
  );
  expect((await cli.limpet(["logs", "talk"])).stdout).toBe("hello\nhello\n");
  expect((await cli.limpet(["ls"])).stdout).toMatch(
    new RegExp(`^ *${id} +talk +running +line +\\d+s +\\d+B +person +\\S+ +cat +hello$`, "m"),
  );
  expect((await cli.limpet(["kill", "talk"])).stdout).toMatch(/^Ended: .*cat \(\d+\)/);
  expect((await cli.limpet(["logs", "talk"])).code).toBe(3);
});

test("kill ends all that it is given, and says of each what became of it", async () => {
  const [one, other] = [await startAsking("--name", "killed", "cat"), await startAsking("cat")];
  const ended = expect.arrayContaining([expect.objectContaining({ name: "cat" })]);

  const unknown = await cli.limpet(["kill", "killed", "no-such", other, one]);

  expect(unknown.code).toBe(3);
  expect(unknown.stdout).toMatch(
    new RegExp(`^${one} \\(killed\\): Ended: .*cat \\(\\d+\\)\n${other}: Ended: .*cat \\(\\d+\\)\n$`),
  );
  expect(unknown.stderr).toMatch(/^SESSION_NOT_FOUND: No session "no-such" .*\n$/);
  const [next, last] = [await startAsking("cat"), await startAsking("cat")];
  expect(await cli.json("kill", next, last)).toEqual([
    { id: Number(next), name: null, place: null, ended, by: expect.any(String), left: [] },
    { id: Number(last), name: null, place: null, ended, by: expect.any(String), left: [] },
  ]);
  expect(JSON.parse((await cli.limpet(["kill", next, "--json"])).stdout)).toEqual([
    { key: next, error: { code: "SESSION_NOT_FOUND", message: expect.stringContaining(next) } },
  ]);
});

test("what a program asks its terminal is answered where that is wanted, and only there", async () => {
  const asking = "stty raw -echo; printf '\\033[6n'; echo asked; exec cat -v";
  const [answered, silent] = [await start("--answer-queries", asking), await start(asking)];

  expect((await cli.limpet(["wait", answered, "--until", "\\^\\[\\[1;1R"])).code).toBe(0);
  await cli.printed(Number(silent), /asked/);
  await cli.limpet(["send", silent, "typed"]);
  await cli.printed(Number(silent), /typed/);
  expect((await cli.limpet(["logs", silent])).stdout).not.toContain("^[");
  await cli.end(Number(answered), Number(silent));
});

test("several words are a program and its arguments, whatever they hold", async () => {
  const { stdout, code } = await cli.limpet(["run", "printf", "%s|", "a b", "it's", "$HOME", "-n", "--json"]);

  expect([stdout, code]).toEqual(["a b|it's|$HOME|-n|--json|\n", 0]);
});

test("one word is a line for the shell", async () => {
  expect((await cli.limpet(["run", "echo $((6 * 7)) && false"])).stdout).toBe("42\n");
});

test("a program runs where the person is", async () => {
  expect((await cli.limpet(["run", "pwd"])).stdout).toBe(`${cli.folder}\n`);
  expect((await cli.limpet(["run", "-C", "/", "pwd"])).stdout).toBe("/\n");
});

test.each([
  { words: ["run", "exit 7"], code: 7 },
  { words: ["run", "kill -9 $$"], code: 137 },
  { words: ["run", "--timeout", "0.2", "sleep 1000"], code: 124 },
  { words: ["run", "--json", "--timeout", "0.2", "sleep 1000"], code: 124 },
  { words: ["run", "--timeout", "3000000", "exit 7"], code: 2 },
  { words: ["run", "--timeout", "2147483", "exit 7"], code: 7 },
  { words: ["run"], code: 2 },
  { words: ["attach", "no-such"], code: 3 },
  { words: ["wait", "no-such"], code: 3 },
  { words: ["wait"], code: 2 },
  { words: ["wait", "1", "--any"], code: 2 },
  { words: ["send", "no-such", "x"], code: 3 },
  { words: ["logs"], code: 2 },
  { words: ["logs", "no-such", "--tail", "many"], code: 2 },
  { words: ["replay", "no-such-file"], code: 1 },
  { words: ["completion", "csh"], code: 2 },
  { words: ["start", "--rows", "0", "cat"], code: 2 },
  { words: ["ls", "no-such"], code: 2 },
  { words: ["kill", "no-such", "another"], code: 3 },
  { words: ["kill"], code: 2 },
  { words: ["send", "no-such", "two", "words"], code: 2 },
  { words: ["wait", "no-such", "--timeout", "soon"], code: 2 },
  { words: ["hold", "no-such"], code: 3 },
  { words: ["release", "no-such"], code: 3 },
])("limpet $words exits with $code", async ({ words, code }) => {
  expect((await cli.limpet(words)).code).toBe(code);
});

test("a session is renamed, signalled, and restarted with its arguments, directory, size and environment", async () => {
  const command = "trap 'echo got-usr1' USR1; echo $VALUE in $PWD; stty size; while :; do sleep 0.05; done";
  const start = { command, shell: "/bin/bash", cwd: "/tmp", env: { VALUE: "kept" }, size: { cols: 90, rows: 20 } };
  const { id } = await startSession(cli.sessions, { ...start, name: "before" });
  await cli.printed(id, /20 90/);

  const renamed = await cli.limpet(["rename", String(id), "after"]);
  const taken = await cli.limpet(["rename", "after", "123"]);
  const signalled = await cli.limpet(["signal", "after", "usr1", "--all"]);
  await cli.printed("after", /got-usr1/);
  const unknown = await cli.limpet(["signal", "after", "NOPE"]);
  const restarted = (await cli.json("restart", "after")) as { readonly id: number };
  await cli.printed("after", /20 90/);

  expect(renamed.stdout).toBe(`Renamed: ${id} (after)\n`);
  expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining("not only digits") });
  expect(signalled.stdout).toBe(`Sent SIGUSR1 to ${id} (after).\n`);
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Unknown signal "NOPE".') });
  expect(restarted).toEqual({
    id: restarted.id,
    name: "after",
    place: null,
    former: { id, name: "after", place: null },
  });
  expect((await cli.limpet(["logs", "after"])).stdout).toBe("kept in /tmp\n20 90\n");
  expect((await cli.limpet(["logs", String(id)])).stdout).toContain("got-usr1");
  expect((await cli.limpet(["rename", String(id), "other"])).code).toBe(5);
  await cli.sessions.close(restarted.id, { force: true });
  const again = (await cli.json("restart", String(id))) as { readonly id: number };
  await cli.printed(again.id, /20 90/);
  expect((await cli.limpet(["logs", String(again.id)])).stdout).toBe("in /tmp\n20 90\n");
  await cli.sessions.close(again.id, { force: true });
});

test("an agent's shell is not restarted, because its next command starts a new one", async () => {
  const { id } = await runCommand(cli.sessions, { caller: "agent", shell: "unrestarted", command: "true" });

  expect(await cli.limpet(["restart", String(id)])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("is a shell of the tool run. Close it instead"),
  });
});

test("a session is resized, found by its port, and pruned once it has ended", async () => {
  const server =
    "import http.server as h; s = h.HTTPServer(('127.0.0.1', 0), h.BaseHTTPRequestHandler); print('port', s.server_port, flush=True); s.handle_request()";
  const { stdout } = await cli.limpet(["start", "python3", "-c", server]);
  const id = stdout.trim();
  await cli.printed(Number(id), /port \d+/);
  const [, listening = ""] = /port (\d+)/.exec((await cli.limpet(["logs", id])).stdout) ?? [];

  expect((await cli.limpet(["resize", id, "90x30"])).stdout).toBe(`${id} has 90 columns and 30 rows.\n`);
  expect((await cli.limpet(["resize", id, "9000x30"])).code).toBe(2);
  expect((await cli.sessions.find(Number(id))).size).toEqual({ cols: 90, rows: 30 });
  expect((await cli.limpet(["port", listening])).stdout).toMatch(
    new RegExp(`^${listening} on 127.0.0.1: python3 \\(pid \\d+, running for \\d+s\\) in ${id}, `),
  );
  expect((await cli.limpet(["port", "1"])).code).toBe(1);
  await cli.end(Number(id));
  expect((await cli.limpet(["run", "--name", "pruned", "true"])).code).toBe(0);
  expect((await cli.limpet(["prune"])).stdout).toMatch(/^Deleted \d+ ended sessions?\.\n$/);
  expect((await cli.limpet(["logs", "pruned"])).code).toBe(3);
  expect((await cli.limpet(["kill", id, "--all"])).code).toBe(2);
  expect((await cli.limpet(["version"])).stdout).toBe((await cli.limpet(["--version"])).stdout);
});

test("host status and stop tell a script what a person is told", async () => {
  await using own = openCli();
  await own.limpet(["start", "cat"]);

  expect((await own.limpet(["host", "status"])).stdout).toMatch(/^1 running session, 0 other clients$/m);
  expect(await own.json("host", "status")).toMatchObject({ sessions: 1, stateDirectory: own.env["LIMPET_HOME"] });
  expect(await own.json("host", "stop")).toEqual({ wasRunning: true });
  expect(await own.json("host", "stop")).toEqual({ wasRunning: false });
});

test("the demo runs by itself and leaves no session behind", async () => {
  const before = await cli.sessions.running();

  const { code, stdout } = await cli.limpet(["demo", "--fast"]);

  expect(code).toBe(0);
  expect(stdout).toContain("it waits for input: password");
  expect(stdout).toContain("hello you");
  expect(stdout).toContain("it exited with code 3");
  expect(await cli.sessions.running()).toEqual(before);
});
