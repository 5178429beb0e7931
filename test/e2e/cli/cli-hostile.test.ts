/** What programs, files and names can do to the terminal of the person who looks at them: draw, and nothing else. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { type Cli, openCli } from "../../support/cli.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { type Pane, startTmux, type Tmux } from "../../support/screen/tmux.ts";
import { until } from "../../support/sessions.ts";

interface Desk extends AsyncDisposable {
  readonly cli: Cli;
  readonly tmux: Tmux;
}

/** In this tmux, a program that sets the clipboard leaves a buffer, and questions are answered by typing. */
async function openDesk(): Promise<Desk & { readonly pane: Pane }> {
  // Before anything is there that would have to be removed.
  skipTestWithout("tmux");
  const cli = openCli();
  const tmux = startTmux(cli.env);
  const pane = await tmux.open();
  tmux.command("set-option", "-s", "set-clipboard", "on");
  return {
    cli,
    tmux,
    pane,
    async [Symbol.asyncDispose]() {
      tmux[Symbol.dispose]();
      await cli[Symbol.asyncDispose]();
    },
  };
}

/** Sets the clipboard, asks for the caret, the attributes and the version, and pushes a title. */
const HOSTILE = "\x1b]52;c;aGVsbG8=\x07\x1b[6n\x1b[c\x1b[>c\x1b[>q\x1b]2;rm -rf ~\x07\x1b[21t\x1b[?1003h\x05";
/** Says whether anything was typed within so many seconds after the command before it: 1, or 0 if nothing was. */
const listenFor = (seconds: number) => `IFS= read -rsn1 -t ${seconds} key; echo "typed:\${#key}:"`;
const LISTEN = listenFor(1);
/** Longer than a busy terminal takes to answer. */
const LISTEN_LONG = listenFor(60);

test("without limpet, the hostile file types into the shell and fills the clipboard", async () => {
  await using desk = await openDesk();
  writeFileSync(join(desk.cli.folder, "hostile.txt"), HOSTILE);

  desk.pane.run(`cat ${join(desk.cli.folder, "hostile.txt")}; ${LISTEN_LONG}`);

  await desk.pane.shows("typed:1:");
  await until(
    () => desk.tmux.command("list-buffers").includes("hello"),
    () => desk.tmux.command("list-buffers"),
  );
});

test.each(["replay", "replay --text", "replay --json"])(
  "%s of a foreign recording types nothing and leaves the clipboard alone",
  async (command) => {
    await using desk = await openDesk();
    const file = join(desk.cli.folder, "foreign.cast");
    const events = [HOSTILE, "\x1b[31mshown\x1b[0m\r\n", HOSTILE].map((text) => JSON.stringify([0, "o", text]));
    writeFileSync(file, `{"version":3,"term":{"cols":80,"rows":24}}\n${events.join("\n")}\n`);

    desk.pane.run(`clear; printf '\\033]2;own\\007'; ${desk.cli.command} ${command} ${file}; ${LISTEN}`);

    await desk.pane.shows(/shown.*typed:0:/s);
    expect(desk.tmux.command("list-buffers")).toBe("");
    expect(desk.pane.ask("#{pane_title} #{mouse_any_flag}")).toBe("own 0");
  },
);

test("raw output in a terminal draws, and a pipe gets every byte", async () => {
  await using desk = await openDesk();
  const { id } = await startSession(desk.cli.sessions, { command: `printf '%b' '${escaped(`${HOSTILE}shown`)}'` });
  await desk.cli.limpet(["wait", String(id), "--exit"]);

  const { stdout } = await desk.cli.limpet(["logs", String(id), "--raw"]);
  desk.pane.run(`clear; ${desk.cli.command} logs --raw ${id}; ${LISTEN}`);

  await desk.pane.shows(/shown.*typed:0:/s);
  expect(stdout).toBe(`${HOSTILE}shown`);
  expect(desk.tmux.command("list-buffers")).toBe("");
});

test("a program that asks all the time types nothing into the shell of a person who attaches and detaches", async () => {
  await using desk = await openDesk();
  const command = `while :; do printf '%b' '${escaped(`${HOSTILE}ask\r\n`)}'; sleep 0.01; done`;
  const { id } = await startSession(desk.cli.sessions, { command, shell: "/bin/bash" });

  for (const round of ["first", "second", "third"]) {
    desk.pane.run(`clear; ${desk.cli.command} attach ${id}; ${LISTEN}; echo ${round}-"over"`);
    await desk.pane.shows("ask");
    desk.pane.press("C-]", "d");
    await desk.pane.shows(`${round}-over`);
    expect(desk.pane.screen()).toContain(`[detached from ${id}, still running]\ntyped:0:`);
  }

  expect(desk.tmux.command("list-buffers")).toBe("");
  expect(desk.pane.ask("#{pane_title}")).not.toContain("rm -rf");
});

test("a program that limpet runs in the person's terminal still gets answers, from limpet", async () => {
  await using desk = await openDesk();
  const ask = "stty -echo -icanon; printf '\\033[6n'; IFS= read -rsd R at; stty sane; echo \"caret${at#?}\"";

  desk.pane.run(`${desk.cli.command} run ${JSON.stringify(ask).replaceAll("$", "\\$")}`);

  await desk.pane.shows(/^caret\[\d+;\d+$/m);
});

test("names and errors are shown and not carried out", async () => {
  await using cli = openCli();
  const name = "named";
  const { id } = await startSession(cli.sessions, {
    command: "printf '\\033]52;c;aGVsbG8=\\007' > /proc/$$/comm; echo 'said x\u202ey'; exec cat",
    shell: "/bin/bash",
    name,
  });
  await cli.limpet(["wait", String(id), "--until", "said"]);
  const results = [
    await cli.limpet(["ls"]),
    await cli.limpet(["ls", "--json"]),
    await cli.limpet(["hold", name]),
    await cli.limpet(["release", name]),
    await cli.limpet(["attach", "no\x1b[6n\u202esuch"]),
    await cli.limpet(["replay", "no\x1b[6n\u202esuch"]),
    await cli.limpet(["no\x1b[6n\u202esuch"]),
    await cli.limpet(["ls", "--no\x1b[6n\u202esuch"]),
    await cli.limpet(["kill", name, "no\x1b[6n\u202esuch"]),
  ];

  const printed = results.map(({ stdout, stderr }) => stdout + stderr);

  expect(printed.filter((text) => /[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/.test(text))).toEqual([]);
  expect(printed[0]).toMatch(/said x(⟨U\+202E⟩|\\u202e)y/);
  expect(JSON.parse(results[1]?.stdout ?? "")).toMatchObject([{ name }]);
  expect(printed[4]).toMatch(/no\\u001b\[6n(⟨U\+202E⟩|\\u202e)such/);
});

test("kill shows the names that processes gave themselves", async () => {
  await using cli = openCli();
  const { id } = await startSession(cli.sessions, {
    command:
      "printf '\\033[31mevil\\007' > /proc/self/comm 2>/dev/null; printf '\\033[31mevil' > /proc/$$/comm; echo named; read x",
    shell: "/bin/bash",
  });
  await cli.limpet(["wait", String(id), "--until", "named"]);

  const { stdout } = await cli.limpet(["kill", String(id)]);

  expect(stdout).toMatch(/^Ended: ⟨U\+001B⟩\[31mevil \(\d+\)\n$/);
});

test("a character that turns text round is shown by its number on the screen", async () => {
  await using desk = await openDesk();
  const { id } = await startSession(desk.cli.sessions, { command: "printf 'txt.\\xe2\\x80\\xaeexe'; read x" });
  await desk.cli.limpet(["wait", String(id), "--until", "exe"]);

  const { stdout } = await desk.cli.limpet(["screen", String(id)]);
  desk.pane.run(`clear; ${desk.cli.command} screen ${id}`);
  await desk.pane.shows("txt.⟨U+202E⟩exe");
  desk.pane.run(`clear; ${desk.cli.command} screen --watch ${id}`);
  await until(() => desk.pane.ask("#{alternate_on}") === "1", "it watches");
  await desk.pane.shows("txt.⟨U+202E⟩exe");
  desk.pane.press("q");

  expect(stdout).toBe("txt.⟨U+202E⟩exe\n");
});

/** For printf %b inside single quotes. */
function escaped(output: string): string {
  return Array.from(Buffer.from(output), (byte) => `\\0${byte.toString(8).padStart(3, "0")}`).join("");
}
