import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runCommand, startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { type Cli, openCli } from "../../support/cli.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { readBack } from "../../support/screen/recordings.ts";
import { until } from "../../support/sessions.ts";

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

test("logs shows lines that match, the last lines, bytes as they came, and what is yet to come", async () => {
  const id = await start("printf '\\e[1mone\\e[0m\\ntwo\\n'; read line; echo three; exit");

  await cli.limpet(["wait", id, "--input"]);
  expect((await cli.limpet(["logs", id])).stdout).toBe("one\ntwo\n");
  expect((await cli.limpet(["logs", id, "--grep", "^t"])).stdout).toBe("two\n");
  expect(await cli.limpet(["logs", id, "--grep", "nothing"])).toEqual({ code: 1, stdout: "", stderr: "" });
  expect((await cli.limpet(["logs", id, "--tail", "1"])).stdout).toBe("two\n");
  expect((await cli.limpet(["logs", id, "--raw"])).stdout).toBe("\x1b[1mone\x1b[0m\r\ntwo\r\n");
  expect((await cli.limpet(["logs", id, "--json"])).stdout).toBe('{"line":"one"}\n{"line":"two"}\n');
  const following = cli.limpet(["logs", "-f", id]);
  await cli.limpet(["send", id, "go", "-e"]);
  expect((await following).stdout).toBe("one\ntwo\ngo\nthree\n");
});

test("logs into a pipe that nobody reads to its end is no failure", async () => {
  const id = await start("seq 100000");
  await cli.limpet(["wait", id, "--exit"]);

  const words = `${cli.command} logs ${id} | head -1; echo \${PIPESTATUS[0]}`;
  const shown = execFileSync("bash", ["-c", words], { encoding: "utf8", env: { ...process.env, ...cli.env } });

  expect(shown).toBe("1\n0\n");
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

test("a full-screen program has no last line, and its log says where to look", async () => {
  skipTestWithout("vim");
  const id = await start("--name", "editor", "vim -u NONE -n");
  await cli.limpet(["wait", id, "--input"]);

  expect((await cli.limpet(["ls"])).stdout).toMatch(/ editor .* \[full screen\]$/m);
  expect((await cli.limpet(["logs", id])).stdout).toContain("use limpet screen]\n");
  await cli.end(Number(id));
});

test("a recording goes on without the command that asked for it, and can be played, read and stopped", async () => {
  const id = await start("echo one; cat");
  const file = join(cli.folder, "x.cast");
  await cli.printed(Number(id), /one/);

  expect((await cli.limpet(["record", id, "-o", "x.cast"])).stdout).toContain(`Recording ${id} to ${file}`);
  expect((await cli.limpet(["record", id, "-o", "x.cast"])).code).toBe(1);
  await cli.limpet(["send", id, "two", "-e"]);
  await cli.printed(Number(id), /two\ntwo\n/);
  const [stopped] = (await cli.json("record", id, "--stop")) as [Record<string, unknown>];

  expect(stopped).toMatchObject({ file, kind: "done", why: "stopped" });
  expect((await readBack(file)).output).toBe("one\r\ntwo\r\ntwo\r\n");
  expect((await cli.limpet(["replay", file, "--speed", "max"])).stdout).toBe("one\r\ntwo\r\ntwo\r\n");
  expect((await cli.limpet(["replay", file, "--text"])).stdout.trimEnd()).toBe("one\ntwo\ntwo");
  expect((await cli.limpet(["replay", file, "--json"])).stdout).toContain('"kind":"output"');
  expect((await cli.limpet(["record", id, "--stop"])).stdout).toBe(`${id} was not recorded.\n`);
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

test("the commands of an agent are listed with their results, and each with its output", async () => {
  const run = (command: string) => runCommand(cli.sessions, { caller: "agent", shell: "told", command });
  const { id } = await run("cd /tmp && echo first");
  await run("echo second; (exit 3)");
  const running = run("echo third; sleep 1000");
  await cli.printed(id, /third/);

  const ran = (await cli.json("history", String(id))) as readonly object[];
  const shown = await cli.limpet(["history", String(id), "2"]);
  const list = await cli.limpet(["ls"]);

  expect(ran).toMatchObject([
    { id, number: 1, command: "cd /tmp && echo first", exitCode: 0, caller: "agent" },
    { id, number: 2, command: "echo second; (exit 3)", exitCode: 3, cwd: "/tmp" },
    { id, number: 3, command: "echo third; sleep 1000", exitCode: null, durationMs: null, to: null },
  ]);
  expect(shown.stdout).toMatch(/^❯ echo second; \(exit 3\)\nsecond\n\[\d+: exit code 3 after [\d.]+m?s\]\n$/);
  expect(list.stdout).toContain("❯ echo third; sleep 1000");
  const file = join(cli.folder, "told.cast");
  await cli.limpet(["record", String(id), "-o", file]);
  await cli.limpet(["record", String(id), "--stop"]);
  const { events } = await readBack(file);
  const marks = events.flatMap((event) => (event.kind === "marker" ? [event.label] : []));
  expect(marks.map((mark) => mark.replace(/ after .*$/, ""))).toEqual([
    "❯ cd /tmp && echo first",
    "❯ cd /tmp && echo first: exit code 0",
    "❯ echo second; (exit 3)",
    "❯ echo second; (exit 3): exit code 3",
    "❯ echo third; sleep 1000",
  ]);
  const places = events
    .map((event) => (event.kind === "marker" ? event.label : "text" in event ? event.text : ""))
    .join("");
  expect(places).toMatch(/❯ cd .*first\r?\n.*❯ echo second; \(exit 3\).*second\r?\n.*❯ echo third/s);
  expect((await cli.limpet(["history", String(id), "9"])).stderr).toContain("Use one from 1 to 3.");
  await cli.end(id);
  await running.catch(() => undefined);
  expect((await cli.limpet(["history"])).code).toBe(0);
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

test("a recording of asciicast version 1 plays, also from a pipe", async () => {
  const content = JSON.stringify({ version: 1, width: 20, height: 5, stdout: [[0, "old\r\n"]] }, null, 1);
  const file = join(cli.folder, "old.cast");
  writeFileSync(file, content);

  expect((await cli.limpet(["replay", file])).stdout).toBe("old\r\n");
  expect(execFileSync("sh", ["-c", `cat ${file} | ${cli.command} replay /dev/stdin`], { encoding: "utf8" })).toBe(
    "old\r\n",
  );
});

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
