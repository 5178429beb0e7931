/** The command line at places: one reached over a command, and one behind ssh. */
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { packageVersion } from "../../../src/base/package-version.ts";
import { MAIN } from "../../support/mcp.ts";
import { needs } from "../../support/needs.ts";
import { type At, openAt } from "../../support/places/cli-at-place.ts";
import { testPlace } from "../../support/places/place.ts";
import { sshPlace } from "../../support/places/ssh-place.ts";

// Each test starts two hosts and many commands.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

/** What most tests share: one place, and one host here. */
const shared = openAt(testPlace({ onEnd: afterAll }), { onEnd: afterAll });

async function drive({ place, limpet, start }: At): Promise<void> {
  expect(await limpet("run", "--at", "build", "pwd")).toBe(`${place.home}\n`);
  const key = await start("--at", "build", "--name", "dev", "echo started; exec cat");
  expect(key).toMatch(/^build\/\d+$/);
  await limpet("wait", key, "--until", "started", "--timeout", "30");
  await limpet("send", "build/dev", "hello", "--enter");
  await limpet("wait", "build/dev", "--until", "hello\\r?\\nhello", "--timeout", "30");
  expect(await limpet("logs", key)).toBe("started\nhello\nhello\n");
  expect(await limpet("logs", "dev", "--at", "build")).toBe("started\nhello\nhello\n");
  expect(await limpet("screen", key)).toContain("hello");
  expect(await limpet("hold", key)).toContain(`Held: ${key} (dev).`);
  expect(await limpet("release", key)).toContain(`Released: ${key} (dev)`);
  const listed = JSON.parse(await limpet("ls", "--at", "build", "--json"));
  expect(listed).toMatchObject([{ id: Number(key.slice(6)), name: "dev", place: "build" }]);
  expect(await limpet("approvals", "--at", "build")).toBe("Nothing waits for approval.\n");
  await limpet("record", key, "-o", "made.cast");
  expect(existsSync(join(place.home, "made.cast"))).toBe(true);
  rmSync(join(place.home, "made.cast"));
  expect(await limpet("kill", key)).toContain("Ended: cat");
}

test("limpet places shows which places answer, their version and sessions, and how long a request takes", async () => {
  const { cli, start } = shared;
  const before = await cli.limpet(["places", "build", "--json"]);
  await start("--at", "build", "exec sleep 1000");

  const { code, stdout } = await cli.limpet(["places", "--json"]);
  const shown = await cli.limpet(["places"]);

  expect(JSON.parse(before.stdout)).toMatchObject([{ place: "build", state: "idle", sessions: null }]);
  expect(JSON.parse(stdout)).toEqual([
    {
      place: "build",
      state: "running",
      version: packageVersion(),
      sessions: 1,
      latencyMs: expect.any(Number),
      problem: null,
    },
    expect.objectContaining({ place: "dead", state: "unreachable", problem: expect.stringContaining("exited with 1") }),
  ]);
  expect([before.code, code]).toEqual([0, 1]);
  expect(shown.stdout).toMatch(/^PLACE +STATE +VERSION +SESSIONS +LATENCY +PROBLEM\nbuild +running +\S+ +1 +\S+ ms/);
});

test("commands work at a place, by --at and by the key of a session", async () => {
  await drive(shared);
});

test("the audit of a place is shown and checked, also while it is written", async () => {
  const { cli, limpet } = shared;
  await limpet("run", "--at", "build", "echo first");
  const following = spawn(process.execPath, [MAIN, "audit", "--at", "build", "--follow"], {
    env: { ...process.env, ...cli.env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  cli.closeFirst(following);
  let followed = "";
  following.stdout.on("data", (chunk: Buffer) => {
    followed += chunk.toString();
  });

  const acts = (await limpet("audit", "--at", "build", "--json")).trim().split("\n");
  const verified = await limpet("audit", "verify", "--at", "build");
  const none = await cli.limpet(["audit", "--at", "build", "--session", "999"]);
  await limpet("run", "--at", "build", "echo second");

  expect(acts.map((line) => JSON.parse(line).command).filter(Boolean)).toContain("echo first");
  expect(verified).toMatch(/^\d+ lines in 1 file, all unchanged\.\nThe last line is the one that the host wrote last/);
  expect(none).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringContaining("Nothing in the audit of build matches."),
  });
  await expect.poll(() => followed, { timeout: 60_000 }).toContain("echo second");
});

test("a list over all places has the sessions of each, and names one that does not answer", async () => {
  const { cli, start } = shared;
  const near = await start("exec sleep 1000");
  const far = await start("--at", "build", "exec sleep 1000");

  const { stdout, stderr, code } = await cli.limpet(["ls", "--all-places", "--json"]);

  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([
    { id: Number(near), place: null },
    { id: Number(far.slice(6)), place: "build" },
  ]);
  expect(stderr).toContain("No answer from dead: ");
});

test("one command can be about sessions here and there", async () => {
  const { cli, limpet, start } = shared;
  const near = await start("exec sleep 1000");
  const far = await start("--at", "build", "read x; exit 3");
  const waiting = cli.limpet(["wait", near, far, "--exit", "--timeout", "60", "--json"]);
  await limpet("send", far, "--enter");

  expect(JSON.parse((await waiting).stdout)).toMatchObject({ place: "build", reason: "exited", exit: { code: 3 } });
  expect(await limpet("kill", near, far)).toContain(`${near}: Ended: sleep`);
});

test("a key of a place and --at of another are refused, and an unknown place is named", async () => {
  const { cli } = shared;

  const other = await cli.limpet(["logs", "build/7", "--at", "dead"]);
  const unknown = await cli.limpet(["logs", "nowhere/7"]);

  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('"build/7" is not at dead') });
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('"nowhere" is not a place') });
});

test("directory and env of a place hold for its programs", async () => {
  const place = testPlace();
  mkdirSync(join(place.home, "src/app"), { recursive: true });
  const { limpet } = openAt(place, { more: { directory: "~/src", env: { COLOUR: "green", LEVEL: "1" } } });

  expect(await limpet("run", "--at", "build", "pwd; echo $COLOUR")).toBe(`${place.home}/src\ngreen\n`);
  expect(await limpet("run", "--at", "build", "--cwd", "app", "--env", "LEVEL=2", "pwd; echo $LEVEL")).toBe(
    `${place.home}/src/app\n2\n`,
  );
});

test.each([
  [{ sandbox: "none" }, "places.build.sandbox"],
  [{ env: { A: 1 } }, "places.build.env"],
  [{ directory: 7 }, "places.build.directory"],
])("the setting %j is refused with its field", async (more, field) => {
  const { cli } = openAt(testPlace(), { more });

  const { code, stderr } = await cli.limpet(["ls", "--at", "build"]);

  expect(code).not.toBe(0);
  expect(stderr).toContain("BAD_CONFIG");
  expect(stderr).toContain(field);
});

test("doctor and setup know places", async () => {
  const { cli, limpet, start } = shared;
  await start("--at", "build", "exec sleep 1000");

  const { stdout } = await cli.limpet(["doctor", "--json"]);
  const places = JSON.parse(stdout).findings.filter(({ check }: { check: string }) => check.startsWith("place "));

  expect(places).toMatchObject([
    { check: "place build", verdict: "ok", what: expect.stringContaining(`on Node ${process.version}, 1 session`) },
    { check: "place dead", verdict: "warn" },
  ]);
  expect(await limpet("setup", "claude")).toContain("start programs at build, dead");
});

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function copy({ cli, place, limpet }: At): Promise<void> {
  const bytes = randomBytes(3_000_001);
  writeFileSync(join(cli.folder, "sent.bin"), bytes);
  chmodSync(join(cli.folder, "sent.bin"), 0o751);

  expect(await limpet("put", "sent.bin", "build:")).toContain(`build:${place.home}/sent.bin`);
  await limpet("get", "build:sent.bin", "back.bin");

  expect(sha256(readFileSync(join(place.home, "sent.bin")))).toBe(sha256(bytes));
  expect(sha256(readFileSync(join(cli.folder, "back.bin")))).toBe(sha256(bytes));
  expect(statSync(join(place.home, "sent.bin")).mode & 0o777).toBe(0o751);
  expect(statSync(join(cli.folder, "back.bin")).mode & 0o777).toBe(0o751);
  expect(readdirSync(place.home).filter((name) => name.startsWith(".sent"))).toEqual([]);
  rmSync(join(place.home, "sent.bin"));
}

test("a file goes to a place and back, with its content and its mode", async () => {
  await copy(shared);
});

test.skipIf(!needs("sshd", "ssh-keygen"))("commands work and files go behind ssh in the same way", async () => {
  const at = openAt(await sshPlace());

  await drive(at);
  await copy(at);
});

test("stdin and stdout are files, a file that is there is replaced, and an empty one stays empty", async () => {
  const { cli, place, limpet } = shared;

  await cli.limpet(["put", "-", "build:a.txt"], "first");
  await cli.limpet(["put", "-", "build:a.txt"], "second");
  await cli.limpet(["put", "-", "build:empty"], "");

  expect(await limpet("get", "build:a.txt", "-")).toBe("second");
  expect(await limpet("get", "build:empty", "-")).toBe("");
  expect(readFileSync(join(place.home, "a.txt"), "utf8")).toBe("second");
  for (const name of ["a.txt", "empty"]) rmSync(join(place.home, name));
});

test("what cannot be copied is refused with the reason, and leaves nothing behind", async () => {
  const { cli, place } = shared;
  mkdirSync(join(cli.folder, "folder"));
  writeFileSync(join(cli.folder, "file"), "x");
  const before = readdirSync(cli.folder).filter((name) => name !== "state");
  const refusals = [
    [["put", "folder", "build:x"], "is a directory. Copy one file"],
    [["put", "missing", "build:x"], "ENOENT"],
    [["put", "file", "x"], "does not name a place"],
    [["put", "file", "build:no/such/x"], "limpet creates no directories"],
    [["put", "-", "build:"], "is a directory. Add the name of the file"],
    [["get", "build:missing"], "ENOENT"],
    [["get", "build:."], "is a directory. Copy one file"],
  ] as const;

  const outcomes = await Promise.all(refusals.map(([words]) => cli.limpet(words)));

  expect(outcomes).toMatchObject(
    refusals.map(([words, why]) => ({ code: words[2] === "x" ? 2 : 1, stderr: expect.stringContaining(why) })),
  );
  expect(readdirSync(cli.folder).filter((name) => name !== "state")).toEqual(before);
  // limpet itself, and its compiled code.
  const own = [".local", ".cache"];
  expect(readdirSync(place.home).filter((name) => !own.includes(name))).toEqual([]);
});
