/** A host that is reached over a command: the bootstrap, what it sends and keeps, and other hosts that it finds. */
import { spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test, vi } from "vitest";
import { connect } from "../../../src/library/connect.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { needs } from "../../support/needs.ts";
import { clientMaker, testPlace } from "../../support/places/place.ts";
import { errorOf } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

// Several programs each, on a machine that does much else.
vi.setConfig({ testTimeout: 180_000 });

const CALLER = "test";
/** The user `daemon`, who is there on every system. */
const OTHER_UID = 1;
const print = (text: string) => ["/bin/sh", "-c", `${text}; exec "$@"`, "sh"];

test("an empty home gets limpet, and a program has the environment there and nothing of this process", async () => {
  const place = testPlace({ around: ["env", "EDITOR=ed", "SSH_ORIGINAL_COMMAND=x"] });
  const client = place.client();

  const run = { command: "pwd; echo $HOME; echo $EDITOR ${VITEST-unset} ${SSH_ORIGINAL_COMMAND-unset}", shell: "main" };
  const { command } = await client.turn({ caller: CALLER, on: { kind: "run", run } });

  expect(command?.output).toBe(`${place.home}\n${place.home}\ned unset unset\n`);
  const bundles = join(place.home, ".local/share/limpet/bundles");
  expect(readdirSync(bundles)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  expect(statSync(bundles).mode & 0o777).toBe(0o700);
});

test("the words of kubectl reach a pod: everything after -- is the program there and its arguments", async () => {
  const place = testPlace();
  const kubectl = join(temporaryDirectory(), "kubectl");
  const { via } = place.setting as { readonly via: readonly string[] };
  const taken = `[ "$1 $2 $3 $4" = "exec -i pod --" ] || { echo "no pod: $1 $2 $3 $4" >&2; exit 1; }; shift 4`;
  writeFileSync(kubectl, `#!/bin/sh\n${taken}\nexec ${via.join(" ")} "$@"\n`, { mode: 0o755 });
  const [pod, other] = ["pod", "other"].map((name) => clientMaker({ via: [kubectl, "exec", "-i", name, "--"] })());

  const run = { command: "echo $HOME; (exit 3)", shell: "main" };
  const answer = await pod?.turn({ caller: CALLER, on: { kind: "run", run } });
  const error = await errorOf(other?.list({ ended: false }) ?? Promise.resolve());

  expect(answer?.command).toMatchObject({ output: `${place.home}\n`, exitCode: 3 });
  expect([error.code, error.message]).toEqual([
    "PLACE_UNREACHABLE",
    expect.stringContaining("no pod: exec -i other --"),
  ]);
});

test.skipIf(!needs("sudo", "root"))("a place can be another user of this machine, through sudo", async () => {
  const path = `PATH=${dirname(process.execPath)}:/usr/bin:/bin`;
  const sudo = ["sudo", "-n", "--preserve-env=HOME,SHELL", "-u", `#${OTHER_UID}`, "env", path];
  const place = testPlace({ around: sudo });
  chmodSync(dirname(place.home), 0o711);
  chownSync(place.home, OTHER_UID, OTHER_UID);

  const run = { command: "id -u; echo mine >file; stat -c %u file", shell: "main" };
  const { command } = await place.client().turn({ caller: CALLER, on: { kind: "run", run } });

  expect(command).toMatchObject({ output: `${OTHER_UID}\n${OTHER_UID}\n`, exitCode: 0 });
});

test("a second client finds limpet and the sessions of the first", async () => {
  const place = testPlace();
  const { id } = await startSession(place.client(), { command: "cat", name: "far", shell: "/bin/sh" });

  const found = await place.client().find("far");

  expect(found.id).toBe(id);
  expect(readdirSync(join(place.home, ".local/share/limpet/bundles"))).toHaveLength(1);
});

test("limpet is sent in less than a megabyte, also if its copy here is damaged", async () => {
  const place = testPlace();
  const stateDirectory = temporaryDirectory();
  const connectAnew = clientMaker(place.setting, { stateDirectory });
  await connectAnew().list({ ended: false });
  const cache = join(stateDirectory, "bundles");
  const [name = ""] = readdirSync(cache);
  const { size } = statSync(join(cache, name));
  writeFileSync(join(cache, name), "damaged");
  const empty = testPlace();

  const listed = await clientMaker(empty.setting, { stateDirectory })().list({ ended: false });

  expect(size).toBeLessThan(1024 * 1024);
  expect(listed).toEqual([]);
  expect(readdirSync(join(empty.home, ".local/share/limpet/bundles"))).toEqual([name]);
  expect(statSync(join(cache, name)).size).toBe(size);
});

test("a place keeps four versions of limpet, the latest ones and those in use", async () => {
  const place = testPlace();
  const bundles = join(place.home, ".local/share/limpet/bundles");
  const old = Array.from("abcdef", (letter) => letter.repeat(64));
  for (const [age, name] of old.entries()) {
    mkdirSync(join(bundles, name), { recursive: true, mode: 0o700 });
    utimesSync(join(bundles, name), 1_000_000 - age, 1_000_000 - age);
  }
  const [first = "", second = "", third = "", , , last = ""] = old;
  const running = spawn("sleep", ["1000"], { argv0: join(bundles, last), stdio: "ignore" });
  onTestFinished(() => void running.kill("SIGKILL"));

  await place.client().list({ ended: false });

  const kept = readdirSync(bundles);
  expect(kept).toHaveLength(5);
  expect(kept).toEqual(expect.arrayContaining([first, second, third, last]));
});

test("a status is asked without starting a host", async () => {
  const place = testPlace();

  expect(await place.client().hostStatus()).toBeUndefined();

  expect(existsSync(join(place.home, ".local/state/limpet/host.sock"))).toBe(false);
});

test("noise on stdout and stderr before the bootstrap is dropped", async () => {
  const noise = "echo Welcome; printf 'no line end'; echo warning >&2; head -c 300000 /dev/zero";
  const client = testPlace({ around: print(noise) }).client();

  const run = { command: "echo out", shell: "main" };
  const { command } = await client.turn({ caller: CALLER, on: { kind: "run", run } });

  expect(command?.output).toBe("out\n");
});

test("a host with another protocol keeps running, and another one runs beside it", async () => {
  const place = testPlace();
  const state = join(place.home, ".local/state/limpet");
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const other = await foreignHost(state);

  const client = place.client();
  await client.list({ ended: false });
  const [status, others] = [await client.hostStatus(), await client.otherHosts()];

  expect(status?.stateDirectory).toMatch(/limpet-protocol-\d+$/);
  expect(others).toMatchObject([{ version: "9.9.9", protocol: 99 }]);
  expect(other.asked).toContain("status");
  expect(other.asked).not.toContain("stop");
});

test("a host with another protocol is stopped on request, and ours goes on", async () => {
  const place = testPlace();
  const state = join(place.home, ".local/state/limpet");
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const other = await foreignHost(state);
  const client = place.client();
  await client.list({ ended: false });

  const wasRunning = await client.stopHost({ protocol: 99 });

  expect([wasRunning, other.asked.filter((method) => method === "stop")]).toEqual([true, ["stop"]]);
  expect(await client.hostStatus()).toMatchObject({ sessions: 0 });
  expect(await client.stopHost({ protocol: 98 })).toBe(false);
});

test("the library runs a command at a place, in a directory relative to the home there", async () => {
  const { home, setting } = testPlace();
  mkdirSync(join(home, "project"));
  await using host = await connect({ place: setting, stateDirectory: temporaryDirectory() });
  onTestFinished(async () => void (await host.stop()));

  const result = await host.run("pwd", { cwd: "project" });

  expect([result.exitCode, result.output]).toEqual([0, `${join(home, "project")}\n`]);
});

/** Answers every request as a host with another protocol does. */
async function foreignHost(state: string): Promise<{ readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    createInterface({ input: socket }).on("line", (line) => {
      const { id, method } = JSON.parse(line) as { readonly id: number; readonly method: string };
      asked.push(method);
      if (method === "stop") return void socket.end(`${JSON.stringify({ jsonrpc: "2.0", id, result: null })}\n`);
      socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: { pid: 1, version: "9.9.9", protocol: 99 } })}\n`);
    });
  });
  const path = join(state, "host.sock");
  await new Promise<void>((resolve) => server.listen(path, resolve));
  chmodSync(path, 0o600);
  onTestFinished(() => void server.close());
  return { asked };
}
