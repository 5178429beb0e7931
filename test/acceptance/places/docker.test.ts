/** Containers of a real Docker engine as places: with Node, without Node, and with a Node that was brought. */
import { randomBytes } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { connect } from "../../../src/library/connect.ts";
import { runCommand } from "../../../src/library/run-command.ts";
import { getFile, putFile } from "../../../src/places/files/copy-file.ts";
import { startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { openCli } from "../../support/cli.ts";
import { libraries, uniqueSleep, useEngine } from "../../support/containers/engine.ts";
import { clientMaker } from "../../support/places/place.ts";
import { errorOf, isLong } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

// Engines start processes in several steps, each of which waits for a processor on a busy machine.
vi.setConfig({ testTimeout: 240_000 });
const CALLER = "test";
const engine = useEngine("docker");

const inside = (...words: readonly string[]): HostClient => clientMaker({ docker: engine.start(...words) })();
const start = (client: HostClient, command: string) => startSession(client, { command });
const waitsFor = async (client: HostClient, command: string) => {
  const { id } = await start(client, command);
  const { result } = await waitForSession(client, { keys: [id], deadlineMs: 90_000 });
  return result.reason === "input" ? result.waitingFor : result.reason;
};
const NODE = ["-v", `${process.execPath}:/usr/local/bin/node:ro`];
const PYTHON = ["-v", "/usr/bin/python3:/usr/bin/python3:ro"];

const run = async (client: HostClient, command: string) =>
  (await client.turn({ caller: CALLER, on: { kind: "run", run: { command, shell: "main" } } })).command;

test("the library connects to an address", async () => {
  const name = engine.start();
  await using host = await connect({ place: `docker:${name}`, stateDirectory: temporaryDirectory() });
  onTestFinished(async () => void (await host.stop()));

  expect(await host.run("cat /proc/1/comm")).toMatchObject({ exitCode: 0, output: "sleep\n" });
});

test("a container with Node has a host inside, whose programs have the environment of the container", async () => {
  const client = inside(...libraries(), ...NODE, "-e", "JAVA_HOME=/opt/java", "-e", "DB_PASSWORD=tulips9876");
  const command = "cat /proc/1/comm; echo $JAVA_HOME ${DB_PASSWORD-none}";

  expect(await run(client, command)).toMatchObject({ output: "sleep\n/opt/java none\n", exitCode: 0 });
  expect((await client.hostStatus())?.stateDirectory).toBe("/.local/state/limpet");
  expect(await waitsFor(client, "stty -echo; read x")).toBe("password");
});

describe("a container without Node", () => {
  test("runs a command, with its output, its exit code and nothing of this machine", async () => {
    const client = inside();

    const ran = await runCommand(client, {
      command: "echo out; echo err >&2; pwd; echo ${VITEST-unset}; echo $X; exit 3",
      options: { env: { X: "a b" } },
      caller: CALLER,
    });

    expect(ran).toMatchObject({ exitCode: 3, timedOut: false });
    expect(ran.output.split("\n").sort()).toEqual(["", "/", "a b", "err", "out", "unset"]);
  });

  test("a shell keeps its state between commands, and reports their exit codes", async () => {
    const client = inside();

    await run(client, "cd /tmp; x=7");
    const state = await run(client, "echo $PWD $x; (exit 3)");
    const streams = await run(client, "ls /tmp");

    expect(state).toMatchObject({ output: "/tmp 7\n", exitCode: 3 });
    expect(streams).toMatchObject({ output: expect.stringMatching(/^limpet-shell-\w+\n$/), exitCode: 0 });
  });

  test("what its programs wait for is known", async () => {
    const client = inside(...libraries(), ...PYTHON);

    const states = await Promise.all([
      waitsFor(client, "read x"),
      waitsFor(client, "stty -echo; read x"),
      waitsFor(client, "python3 -q"),
      waitsFor(client, "sleep 3"),
    ]);

    expect(states).toEqual(["line", "password", "key", "exited"]);
  });

  test("a program that sleeps does not wait for input, and Ctrl+C ends it", async () => {
    const client = inside();
    const { command } = uniqueSleep();
    const { id } = await start(client, `echo started; ${command}`);
    await waitForSession(client, { keys: [id], until: "started", deadlineMs: 90_000 });

    const { result } = await waitForSession(client, { keys: [id], deadlineMs: 1_500, quietMs: 10_000 });
    await client.write(id, "\x03");
    const ended = await waitForSession(client, { keys: [id], deadlineMs: 90_000 });

    expect(result).toMatchObject({ reason: "deadline" });
    expect(ended.result).toMatchObject({ reason: "exited", exit: { kind: "code", code: 130 } });
  });

  test("files are copied to it and from it, with their permissions, and replace others", async () => {
    const client = inside();
    const folder = temporaryDirectory();
    const bytes = randomBytes(1_500_001);
    writeFileSync(join(folder, "sent"), bytes, { mode: 0o640 });
    await run(client, "mkdir /tmp/in; echo old >/tmp/real; ln -s real /tmp/link");

    const into = await putFile(client.files, { from: join(folder, "sent"), to: "/tmp/in" });
    const over = await putFile(client.files, { from: join(folder, "sent"), to: "/tmp/link" });
    const listed = await run(client, "ls -A /tmp/in; stat -c %a /tmp/in/sent; ls -A /tmp | grep real");
    const got = await getFile(client.files, { from: "/tmp/real", to: join(folder, "got") });

    expect([into, over]).toEqual([
      { path: "/tmp/in/sent", bytes: bytes.length },
      { path: "/tmp/real", bytes: bytes.length },
    ]);
    expect(listed?.output).toBe("sent\n640\nreal\n");
    expect(got).toEqual({ path: join(folder, "got"), bytes: bytes.length });
    expect(readFileSync(join(folder, "got")).equals(bytes)).toBe(true);
    expect(statSync(join(folder, "got")).mode & 0o777).toBe(0o640);
  });

  test("files that cannot be copied are refused with a reason, and nothing is left of them", async () => {
    const client = inside();
    const folder = temporaryDirectory();
    writeFileSync(join(folder, "sent"), "x");
    const put = (to: string) => errorOf(putFile(client.files, { from: join(folder, "sent"), to }));
    const get = (from: string) => errorOf(getFile(client.files, { from, to: folder }));

    const errors = await Promise.all([put("/no/such/file"), put("/dev/null"), get("/no/such/file"), get("/tmp")]);
    const cut = client.files.send({ path: "/tmp/cut", name: "", mode: 0o600 }, failing(new Error("cut")));
    await expect(cut).rejects.toThrow("cut");
    const listed = await run(client, "ls -A /tmp | grep -v limpet-shell");

    expect(errors.map(({ code }) => code)).toEqual(Array(4).fill("FILE_FAILED"));
    expect(errors.map(({ message }) => /\((.*)\)/.exec(message)?.[1])).toEqual([
      "it does not exist",
      "it is not a regular file",
      "it does not exist",
      "it is a directory",
    ]);
    expect(listed?.output).toBe("");
  });

  test("a command in a directory that is not there is refused, and starts no shell", async () => {
    const client = inside();
    const runIn = (cwd: string) =>
      client.turn({ caller: CALLER, on: { kind: "run", run: { command: "pwd", shell: "main", cwd } } });

    const errors = await Promise.all([errorOf(runIn("/no/such/directory")), errorOf(runIn("/bin/sh"))]);
    const sessions = await client.list({ ended: true });
    const { command } = await runIn("/etc");

    expect(errors.map(({ code, message }) => [code, message])).toEqual([
      ["DIRECTORY_NOT_FOUND", expect.stringContaining('"/no/such/directory" does not exist.')],
      ["DIRECTORY_NOT_FOUND", expect.stringContaining('"/bin/sh" is a file, not a directory.')],
    ]);
    expect(sessions).toEqual([]);
    expect(command?.output).toBe("/etc\n");
  });

  test("what cannot be started there is refused with a reason", async () => {
    const client = inside();

    const [missing, directory, boxed] = await Promise.all([
      errorOf(startSession(client, { program: "no-such-program" })),
      errorOf(startSession(client, { command: "true", cwd: "/no/such/directory" })),
      errorOf(startSession(client, { command: "true", sandbox: { files: "workspace" } })),
    ]);

    expect([missing.code, directory.code, boxed.code]).toEqual([
      "PROGRAM_NOT_FOUND",
      "DIRECTORY_NOT_FOUND",
      "SANDBOX_UNAVAILABLE",
    ]);
  });
});

/** Some bytes, and then an error. */
async function* failing(error: Error): AsyncGenerator<Uint8Array> {
  yield randomBytes(100_000);
  throw error;
}

test("a container that does not run is reported in the words of the tool", async () => {
  const error = await errorOf(clientMaker({ docker: "no-such-container" })().list({ ended: false }));

  expect([error.code, error.message]).toEqual([
    "PLACE_UNREACHABLE",
    expect.stringContaining("No such container: no-such-container"),
  ]);
});

describe("bringNode", () => {
  // It sends 100 MB.
  test.runIf(isLong)("sends the Node of this machine once, named by its checksum", async () => {
    const name = engine.start(...libraries());
    const setting = { docker: name, bringNode: true };

    const command = await run(clientMaker(setting)(), "node -v || echo none; echo $((6 * 7))");
    const found = engine.tool("exec", name, "find", "/.local/share/limpet/node", "-type", "f");
    const sum = engine.tool("exec", name, "sha256sum", found.trim());
    const again = await clientMaker({ docker: name })().list({ ended: false });

    expect(command?.output).toContain("42\n");
    expect(found).toMatch(/^\/\.local\/share\/limpet\/node\/[0-9a-f]{64}\/node\n$/);
    expect(found).toContain(sum.slice(0, 64));
    expect(again).toHaveLength(1);
  });

  test("refuses a container in which it cannot run, and says why", async () => {
    const error = await errorOf(clientMaker({ docker: engine.start(), bringNode: true })().list({ ended: false }));

    expect([error.code, error.message]).toEqual(["PLACE_NO_NODE", expect.stringContaining("it has no loader for")]);
  });

  test("is asked for on the command line with a flag", async () => {
    await using cli = openCli();

    const { code, stderr } = await cli.limpet(["run", "--at", `docker:${engine.start()}`, "--bring-node", "true"]);

    expect([code, stderr]).toEqual([7, expect.stringContaining("it has no loader for")]);
  });
});
