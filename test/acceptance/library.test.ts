import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { connect, open, openShell, run } from "../../src/index.ts";
import { hostUntil, PATIENT, plain, type Terminals } from "../support/library.ts";
import { errorOf } from "../support/sessions.ts";
import { temporaryDirectory } from "../support/watching.ts";

/** For tests that look at nothing but their own sessions. */
const shared = await hostUntil(afterAll);

describe.each<[where: string, terminals: () => Promise<Terminals>]>([
  ["in this process", async () => ({ open, run, openShell })],
  ["in a host", async () => shared],
])("%s", (_where, terminals) => {
  test("a reply has what the program printed after the typing, and says that it waits again", async () => {
    const { open: openHere } = await terminals();
    await using python = await openHere({ program: "python3", args: ["-q"] });

    const first = await python.send("x = 6 * 7\n", PATIENT);
    const second = await python.send("x\n", PATIENT);
    const last = await python.press("Ctrl+D");

    expect([first, second]).toMatchObject([
      { text: ">>> ", reason: "input", waitingFor: "key", exit: null },
      { text: "42\n>>> ", reason: "input", waitingFor: "key", exit: null },
    ]);
    expect(last).toMatchObject({ reason: "exited", exit: { kind: "code", code: 0 } });
    expect(await python.exited()).toEqual({ kind: "code", code: 0 });
  });

  test("a wait that names a pattern gives its groups, named and numbered", async () => {
    const { open: openHere } = await terminals();
    await using session = await openHere("echo 'listening on 127.0.0.1:8080'; sleep 1000", plain);

    const { reason, match } = await session.wait({ until: /on (?<host>\S+):(\d+)/, ...PATIENT });

    expect([reason, match]).toEqual([
      "matched",
      { text: "on 127.0.0.1:8080", groups: { host: "127.0.0.1" }, captures: ["127.0.0.1", "8080"] },
    ]);
  });

  test("a reply ends at the match, so that the next wait finds what came right behind it", async () => {
    const { open: openHere } = await terminals();
    await using session = await openHere("printf 'one two three\\n'; sleep 1000", plain);

    const first = await session.wait({ until: "one", ...PATIENT });
    const second = await session.wait({ until: "three", ...PATIENT });

    expect([first.text, second.text]).toEqual(["one", " two three"]);
  });

  test("a wait for a port ends when something listens", async () => {
    const { open: openHere } = await terminals();
    await using server = await openHere("python3 -m http.server 0 --bind 127.0.0.1", plain);

    const { reason, port } = await server.wait({ port: "any", ...PATIENT });

    expect([reason, typeof port]).toEqual(["listening", "number"]);
  });

  test("a password prompt is known, and the reply to it has no echo", async () => {
    const { open: openHere } = await terminals();
    await using login = await openHere('read -rsp "Password: " word; echo; echo "$word has ${#word} letters"', plain);

    const asked = await login.wait(PATIENT);
    const answered = await login.send("secret\n", PATIENT);

    expect(asked).toMatchObject({ text: "Password: ", reason: "input", waitingFor: "password" });
    expect(answered).toMatchObject({ text: "\nsecret has 6 letters\n", reason: "exited" });
  });

  test("lines come as they are printed, whole, until the last", async () => {
    const { open: openHere } = await terminals();
    await using session = await openHere("printf 'one\\ntwo\\n'; printf '\\033[31mred\\033[0m\\nlast'", plain);
    const lines: string[] = [];

    for await (const line of session.lines()) lines.push(line);

    expect(lines).toEqual(["one", "two", "red", "last"]);
  });

  test("keys and pastes reach a full-screen program, and its screen can be read", async () => {
    const { open: openHere } = await terminals();
    await using vim = await openHere("vim -N -u NONE -n -i NONE", { ...plain, size: { cols: 40, rows: 6 } });

    await vim.press("i");
    await vim.paste("milk\neggs");
    await vim.press("Esc");
    await vim.press(["g", "g", "V"]);
    const { text, reason, isAlternate } = await vim.screen({ until: "VISUAL LINE", ...PATIENT });

    expect([reason, isAlternate]).toEqual(["matched", true]);
    expect(text).toContain("eggs");
  });

  test("a search gives lines with their numbers", async () => {
    const { open: openHere } = await terminals();
    await using session = await openHere("seq 1 100", plain);
    await session.exited();

    const { totalMatches, lines } = await session.search("^7.$");

    expect([totalMatches, lines[0]]).toMatchObject([10, { line: 70, text: "70" }]);
  });

  test("a recording is made of a session", async () => {
    const { open: openHere } = await terminals();
    const file = join(temporaryDirectory(), "session.cast");
    await using session = await openHere("read x; echo recorded", plain);
    await session.record({ file });

    await session.send("\n", PATIENT);
    await session.exited();
    await session.stopRecording();

    expect(readFileSync(file, "utf8")).toContain("recorded");
  });

  test("a shell keeps directory and variables, and a question in it is answered through its session", async () => {
    const { openShell: openShellHere } = await terminals();
    await using shell = await openShellHere({ shell: "bash", cwd: "/" });

    await shell.run("cd /usr; token=kept");
    const kept = await shell.run("echo $token; pwd; false");
    const asked = await shell.run("read -p 'who? ' who; echo hello $who");
    const answered = await shell.session.send("Ada\n", PATIENT);

    expect(kept).toMatchObject({ exitCode: 1, output: "kept\n/usr\n", cwd: "/usr", isRunning: false });
    expect(asked).toMatchObject({ isRunning: true, waitingFor: "line", output: "who? " });
    expect(answered).toMatchObject({ reason: "finished", text: "hello Ada\n" });
  });

  test("a shell that has ended runs no more commands", async () => {
    const { openShell: openShellHere } = await terminals();
    await using shell = await openShellHere({ shell: "bash", cwd: "/" });

    const last = await shell.run("echo last; exit 3");
    const { code } = await errorOf(shell.run("echo more"));

    expect(last).toMatchObject({
      output: expect.stringMatching(/^last\n/),
      exitCode: 3,
      shellExit: { kind: "code", code: 3 },
    });
    expect(code).toBe("SESSION_ENDED");
  });

  test("closing ends what the session started, twice is fine, and reading it then is refused", async () => {
    const { open: openHere } = await terminals();
    // cat starts when the background process has become sleep: a report names processes as they are.
    const isSleep = 'read -r name < /proc/$!/comm; [ "$name" = sleep ]';
    const session = await openHere(`sleep 1000 & until ${isSleep}; do :; done; cat`, plain);
    await session.wait(PATIENT);

    const [report, again] = [await session.close({ force: true }), await session.close()];

    expect(report.ended.map(({ name }) => name)).toEqual(expect.arrayContaining(["sleep", "cat"]));
    expect(again).toBe(report);
    expect((await errorOf(session.text())).code).toBe("SESSION_NOT_FOUND");
  });
});

test("a session in a host is found again by its name, with what it printed", async () => {
  const host = await hostUntil(onTestFinished);
  await host.open("echo kept; exec cat", { ...plain, name: "door" });

  const again = await host.session("door");
  await again.wait({ until: "kept\n", ...PATIENT });

  expect(await again.text()).toBe("kept\n");
  expect(await host.list()).toMatchObject([{ name: "door", exit: null }]);
});

test("callers of one session do not move each other's place", async () => {
  const host = await hostUntil(onTestFinished);
  const one = await host.open("echo first; exec cat", { ...plain, name: "shared" });
  const other = await (await connect({ stateDirectory: (await host.status())?.stateDirectory ?? "" })).session(
    "shared",
  );

  const seen = await one.wait({ until: "first", ...PATIENT });
  const alsoSeen = await other.wait({ until: "first", ...PATIENT });

  expect([seen.text, alsoSeen.text]).toEqual(["first", "first"]);
});
