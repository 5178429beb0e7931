/** What the person beside the agent sees of the agent's commands, and what the agent learns of the person. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOutput, runCommand, startSession } from "../../../src/service/turn/simple-turns.ts";
import { openCli } from "../../support/cli.ts";
import { readBack } from "../../support/screen/recordings.ts";
import { startTmux } from "../../support/screen/tmux.ts";
import { until } from "../../support/sessions.ts";

const LINES =
  /^❯ echo one; \(exit 3\) {2}\[\d\d:\d\d:\d\d\]\none\n└ exit code 3 after [\d.]+m?s\n❯ printf two {2}\[[\d:]+\]\ntwo\n└ exit code 0 after [\d.]+m?s$/m;

test("logs, screen, pictures and recordings show an agent's commands, also after a restart of the host", async () => {
  await using cli = openCli();
  const run = (command: string) => runCommand(cli.sessions, { caller: "agent", shell: "work", command });
  const { id } = await run("echo one; (exit 3)");
  const [cast, picture] = [join(cli.folder, "work.cast"), join(cli.folder, "work.svg")];
  await cli.sessions.record(id, { file: cast });
  await run("printf two");

  const [logs, screen] = [await cli.limpet(["logs", String(id)]), await cli.limpet(["screen", String(id)])];
  await cli.limpet(["screenshot", String(id), "-o", picture]);
  const [recorded] = await cli.sessions.stopRecording(id, {});
  const { text } = await readOutput(cli.sessions, id, { kind: "text" });
  const raw = await cli.limpet(["logs", String(id), "--raw"]);
  const json = await cli.limpet(["logs", String(id), "--json"]);
  await cli.sessions.rename(id, "renamed");
  await cli.sessions.stopHost();
  const later = await cli.limpet(["logs", "renamed"]);
  const history = (await cli.json("history", "renamed")) as readonly object[];

  expect(logs.stdout).toMatch(LINES);
  expect(screen.stdout).toMatch(LINES);
  expect(readFileSync(picture, "utf8").replaceAll(/<[^>]*>/g, " ")).toMatch(
    /echo one; \(exit 3\)\s+\[[\s\S]*exit code 3 after/,
  );
  expect(recorded).toMatchObject({ kind: "done" });
  const { events } = await readBack(cast);
  expect(events.flatMap((event) => (event.kind === "marker" ? [event.label.replace(/ after .*$/, "")] : []))).toEqual([
    "❯ echo one; (exit 3)",
    "❯ echo one; (exit 3): exit code 3",
    "❯ printf two",
    "❯ printf two: exit code 0",
  ]);
  expect((await cli.limpet(["replay", cast, "--text"])).stdout).toMatch(LINES);
  expect(text).toBe("one\ntwo");
  expect(raw.stdout).toBe("one\r\ntwo");
  expect(
    json.stdout
      .split("\n")
      .slice(0, 3)
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { started: { number: 1, command: "echo one; (exit 3)" } },
    { line: "one" },
    { finished: { number: 1, exitCode: 3 } },
  ]);
  expect(later.stdout).toMatch(LINES);
  expect(history).toMatchObject([
    { number: 1, command: "echo one; (exit 3)", exitCode: 3, caller: "agent" },
    { number: 2, command: "printf two", exitCode: 0 },
  ]);
  expect((await cli.limpet(["history", String(id), "1"])).stdout).toMatch(/^❯ echo one; \(exit 3\)\none\n/);
});

test("logs -f shows a command before it prints anything", async () => {
  await using cli = openCli();
  using tmux = startTmux(cli.env);
  const pane = await tmux.open();
  const work = { caller: "agent", shell: "work" };
  const { id } = await runCommand(cli.sessions, { ...work, command: "true" });

  pane.run(`clear; ${cli.command} logs -f ${id}`);
  await pane.shows(/^❯ true/m);
  await runCommand(cli.sessions, { ...work, command: "sleep 1000", waitMs: 10 });

  await pane.shows(/^❯ sleep 1000 {2}\[[\d:]+\]$/m);
});

test("an attached person is told where this is, scrolls, searches, and sends the detach key", async () => {
  await using cli = openCli();
  using tmux = startTmux(cli.env);
  const pane = await tmux.open({ cols: 60, rows: 12 });
  const command = "seq -f 'line %g' 1 300; exec cat -v";
  const size = { cols: 60, rows: 12 };
  const { id } = await startSession(cli.sessions, { command, shell: "/bin/sh", name: "dev", size });

  pane.run(`clear; ${cli.command} attach dev --detach-key Ctrl+A`);
  await pane.shows(`${id} (dev) · Ctrl+A d detaches, Ctrl+A for more`);
  pane.press("C-]", "Enter");
  await pane.shows(/\^\]$/m);
  expect(pane.screen()).not.toContain("detaches");
  pane.press("C-a");
  await pane.shows("d detach  [ scroll  / search  s send Ctrl+A  h hold");
  pane.press("s", "Enter");
  await pane.shows(/\^A$/m);
  pane.press("C-a", "[");
  await pane.shows(/29[0-9]-30[0-9] of 30[0-9]/);
  pane.press("g");
  await pane.shows(/^line 1\nline 2\n[\s\S]*1-11 of 30/);
  pane.type("/line 17");
  pane.press("Enter");
  await pane.shows(/^line 179\n[\s\S]*11 of 11 lines with "line 17"/);
  await cli.sessions.write(id, "meanwhile\n", { by: "person" });
  pane.press("n");
  await pane.shows(/^line 178\n/);
  pane.press("q");
  await pane.shows(/meanwhile\nmeanwhile$/);
  pane.press("C-a", "d");

  await pane.shows(`[detached from ${id} (dev), still running]`);
});

test("a person who types keeps agents off for some seconds, and both are told", async () => {
  await using cli = openCli();
  using tmux = startTmux(cli.env);
  const pane = await tmux.open();
  const { id } = await startSession(cli.sessions, { command: "exec cat", shell: "/bin/sh" });
  const agent = { caller: "agent", on: { kind: "session", key: id } } as const;
  pane.run(`clear; ${cli.command} attach ${id}`);
  await pane.shows("detaches");

  // On a busy machine, those seconds may be over before the agent types: then the person types once more.
  const typedBeside = async (mine: string) => {
    await cli.sessions.turn(agent);
    pane.run(mine);
    await cli.printed(id, new RegExp(`${mine}\n${mine}`));
    return await Promise.all([
      cli.sessions.write(id, "theirs\n", { caller: "agent" }).catch((error: Error) => error.message),
      cli.sessions.turn(agent),
    ]);
  };
  let [written, during] = await typedBeside("mine1");
  for (let n = 2; written === undefined && n < 10; n += 1) [written, during] = await typedBeside(`mine${n}`);
  await until(async () => (await cli.sessions.turn(agent)).session.held === null, "the agent may type again");
  await cli.sessions.write(id, "later\n", { caller: "agent" });

  await pane.shows(/later\nlater/);
  expect(written).toBe(
    `A person is typing into session ${id}, so nothing was typed. Wait some seconds, read its output, then type again.`,
  );
  expect(during.session.held).toEqual({ reason: null, isTyping: true });
  expect(during.around.typedByOthers).toBe("mine1\r".length);
  pane.press("C-]", "h");
  await pane.shows("Held: agents cannot type until you release it.");
  await expect(cli.sessions.write(id, "no\n", { caller: "agent" })).rejects.toThrow("A person holds session");
  pane.press("C-]", "h");
  await pane.shows("Released: agents can type again.");
});

test("rec records a program in the person's terminal, and a replay pauses, seeks and changes its speed", async () => {
  await using cli = openCli();
  using tmux = startTmux(cli.env);
  const pane = await tmux.open();
  const cast = join(cli.folder, "demo.cast");

  pane.run(`clear; ${cli.command} rec -o ${cast} 'read -p name: name; echo hello $name; exit 3'; echo code=$?`);
  await pane.shows(/^name:/m);
  pane.run("you");
  await pane.shows(/hello you[\s\S]*recorded to [\s\S]*demo\.cast\]\ncode=3/);
  const { events } = await readBack(cast);
  const slow = join(cli.folder, "slow.cast");
  const late = [{ version: 3, term: { cols: 80, rows: 24 } }, [0.1, "o", "name:you\r\n"], [60, "o", "hello you\r\n"]];
  writeFileSync(slow, [...late, [0.1, "x", "3"]].map((line) => `${JSON.stringify(line)}\n`).join(""));
  pane.run(`clear; ${cli.command} replay ${slow}; echo code=$?`);
  await pane.shows(/^name:you[\s\S]*\/ 1:0\d {2}1x {2}space pause/m);
  pane.type(" ");
  await pane.shows(/\d:\d\d \/ 1:0\d {2}paused/);
  for (let press = 0; press < 13; press += 1) pane.press("Right");
  await pane.shows(/^hello you[\s\S]*1:0\d \/ 1:0\d {2}paused/m);
  pane.press("Left");
  await pane.shows(/0:5\d \/ 1:0\d {2}paused/);
  await until(() => !pane.screen().includes("hello"), "the place before it");
  pane.type("+++ ");
  await pane.shows(/^hello you\n\[end of recording \(exit code 3\)\]\ncode=0$/m);

  expect(events.at(-1)).toMatchObject({ kind: "exit", code: 3 });
});

test("pictures and recordings go to stdout", async () => {
  await using cli = openCli();
  const { id } = await startSession(cli.sessions, { command: "echo shown; read line; echo $line", shell: "/bin/sh" });
  await cli.limpet(["wait", String(id), "--until", "shown"]);

  const svg = await cli.limpet(["screenshot", String(id), "-o", "-", "--format", "svg"]);
  const png = await cli.limpet(["screenshot", String(id), "-o", "-"]);
  const both = await cli.limpet(["screenshot", String(id), "-o", "-", "--json"]);
  const recording = cli.limpet(["record", String(id), "-o", "-"]);
  await until(async () => {
    const [session] = await cli.sessions.list({ ended: false });
    return session?.recordings.length === 1;
  }, "it is recorded");
  await cli.limpet(["send", String(id), "typed", "--enter"]);
  const { stdout, code } = await recording;
  const cast = join(cli.folder, "stdout.cast");
  writeFileSync(cast, stdout);
  const animated = await cli.limpet(["replay", cast, "-o", "-"]);

  expect(svg.stdout).toMatch(/^<svg [\s\S]*shown/);
  expect(png.stdout).toContain("PNG");
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("-o - and --json both use stdout.") });
  expect(code).toBe(0);
  expect((await readBack(cast)).events.map((event) => ("text" in event ? event.text : event.kind)).join("")).toBe(
    "shown\r\ntyped\r\ntyped\r\nexit",
  );
  expect(animated.stdout).toMatch(/^<svg [\s\S]*typed/);
});
