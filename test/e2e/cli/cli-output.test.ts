/** What sessions have printed: logs, recordings, the history of commands. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runCommand } from "../../../src/service/turn/simple-turns.ts";
import { type Cli, openCli } from "../../support/cli.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { readBack } from "../../support/screen/recordings.ts";

// Some tests start a dozen processes, one after the other.
vi.setConfig({ testTimeout: 180_000 });

let cli: Cli;
beforeAll(() => {
  cli = openCli();
});
afterAll(() => cli[Symbol.asyncDispose]());

const start = async (...words: string[]) => (await cli.limpet(["start", ...words])).stdout.trim();

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

test("a recording of asciicast version 1 plays, also from a pipe", async () => {
  const content = JSON.stringify({ version: 1, width: 20, height: 5, stdout: [[0, "old\r\n"]] }, null, 1);
  const file = join(cli.folder, "old.cast");
  writeFileSync(file, content);

  expect((await cli.limpet(["replay", file])).stdout).toBe("old\r\n");
  expect(execFileSync("sh", ["-c", `cat ${file} | ${cli.command} replay /dev/stdin`], { encoding: "utf8" })).toBe(
    "old\r\n",
  );
});
