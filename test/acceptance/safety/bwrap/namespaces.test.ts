/**
 * What namespaces add to a sandbox for programs and for the network, against the real kernel.
 *
 * @own-process It counts the children of its process.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { openSession } from "../../../../src/entries/session.ts";
import { sandboxTransport } from "../../../../src/entries/transport.ts";
import { makeLockedProject } from "../../../support/locked-project.ts";
import { skipWithout } from "../../../support/needs.ts";
import { openerIn, runnerIn } from "../../../support/sandboxed-run.ts";
import { until } from "../../../support/sessions.ts";

const { setUp, tearDown } = skipWithout("landlock", "bwrap", "git", "python3");

const LONG_MS = 40_000;
const outside = mkdtempSync(join(tmpdir(), "limpet-test-"));
afterAll(() => rmSync(outside, { recursive: true }));
const project = join(outside, "project");
const home = join(outside, "home");
vi.stubEnv("HOME", home);
let server: Server;
let port = 0;
const open = openerIn(project, "bwrap");
const runIn = runnerIn(project, "bwrap");

setUp(async () => {
  makeLockedProject(outside);
  server = createServer((socket) => socket.end("reached"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as { readonly port: number }).port;
});

tearDown(() => server?.close());

describe("network", () => {
  const connect = (to: number) => `exec 3<>/dev/tcp/127.0.0.1/${to} && cat <&3`;
  const serve =
    'import socket; s = socket.create_server(("127.0.0.1", 4711)); print("ready", flush=True); s.accept()[0].send(b"own")';

  test("loopback reaches other programs of the sandbox, and nothing else", async () => {
    const loopback = { network: "loopback" } as const;
    const session = await open(loopback, `python3 -c '${serve}'`);
    await session.wait({ until: "ready", deadlineMs: LONG_MS });

    // More than one box has room for.
    const others = await Promise.all(Array.from({ length: 9 }, () => runIn(loopback, connect(port))));
    const own = await runIn(loopback, connect(4711));

    expect(new Set(others.map(({ text }) => text.includes("Connection refused")))).toEqual(new Set([true]));
    expect(own).toEqual({ code: 0, text: "own" });
    await session.close({ force: true });
  });

  test("off is not even that", async () => {
    expect((await runIn({ network: "off" }, connect(port))).text).toMatch(/Permission denied/);
  });

  test("on is that of this machine", async () => {
    expect(await runIn({ network: "on" }, connect(port))).toEqual({ code: 0, text: "reached" });
  });

  test("loopback with Landlock alone is refused", async () => {
    await expect(runIn({ network: "loopback", with: "landlock" }, "true")).rejects.toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      message: expect.stringContaining('Set "with" to "bwrap"'),
    });
  });
});

describe("a program", () => {
  test("is the one that was started: it leads its session, and its end is known", async () => {
    const session = await open({}, 'ps -o pid=,sid=,tpgid= -p $$ | tr -s " "; kill -SEGV $$');
    const exit = await session.exited;

    const { text } = await session.text();
    expect(exit).toMatchObject({ kind: "signal", signal: "SIGSEGV" });
    expect(text.trim()).toBe([session.pid, session.pid, session.pid].join(" "));
    await session.close({ force: true });
  });

  test("inherits no descriptor, and has no capability", async () => {
    const { text } = await runIn({}, "ls /proc/self/fd; grep -h Cap[PEB] /proc/self/status | sort -u");

    expect(text.replaceAll(/\s+/g, " ")).toMatch(/^0 1 2 3 CapBnd: [0-9a-f]{16} CapEff: 0{16} CapPrm: 0{16}$/);
  });

  test("loads code of the session's variables only inside", async () => {
    const mark = join(project, "entered");
    writeFileSync(join(project, "preload.c"), PRELOAD);
    execFileSync("gcc", ["-shared", "-fPIC", "-o", join(project, "preload.so"), join(project, "preload.c")]);
    const transport = sandboxTransport({ files: "workspace", project, with: "bwrap" });
    const env = { LD_PRELOAD: join(project, "preload.so"), MARK: mark };

    const session = await openSession({ program: "/bin/true", cwd: project, env, transport });
    await session.exited;
    await session.close({ force: true });

    const seen = new Set(readFileSync(mark, "utf8").trim().split("\n"));
    expect(seen.size).toBe(1);
    expect(seen).not.toContain(statSync("/proc/self/ns/mnt").ino.toString());
  });

  test("that cannot be seen in the sandbox is not started", async () => {
    const transport = sandboxTransport({ files: "workspace", project, with: "bwrap" });
    const hidden = join(home, ".ssh", "run");
    writeFileSync(hidden, "#!/bin/sh\n", { mode: 0o755 });
    const broken = join(project, "broken");
    writeFileSync(broken, "#!/no/such/interpreter\n", { mode: 0o755 });

    for (const program of [hidden, broken])
      await expect(openSession({ program, transport, cwd: project })).rejects.toMatchObject({
        code: "PROGRAM_NOT_EXECUTABLE",
      });
    await expect(openSession({ program: "true", cwd: join(home, ".ssh"), transport })).rejects.toMatchObject({
      code: "DIRECTORY_NOT_FOUND",
    });
  });

  test("that ends everything it can leaves a sandbox that works", async () => {
    expect((await runIn({}, "sleep 1000 & kill -KILL -1; wait; echo over")).text).toMatch(/over$/);

    await expect.poll(async () => (await runIn({}, "echo works")).text, { timeout: LONG_MS }).toBe("works");
  });
});

const PRELOAD = `#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
__attribute__((constructor)) static void enter(void) {
  struct stat s;
  FILE *file = fopen(getenv("MARK") ? getenv("MARK") : "/dev/null", "a");
  if (file && stat("/proc/self/ns/mnt", &s) == 0) fprintf(file, "%lu\\n", (unsigned long)s.st_ino);
  if (file) fclose(file);
}
`;

describe("without what it takes", () => {
  test.each([
    ["bwrap", "bubblewrap"],
    ["nsenter", "util-linux"],
  ])("a machine without %s refuses, and says what to install", async (missing, packageName) => {
    const bin = mkdtempSync(join(tmpdir(), "limpet-test-bin-"));
    onTestFinished(() => rmSync(bin, { recursive: true }));
    for (const name of ["bwrap", "nsenter", "setpriv", "env", "cat"].filter((each) => each !== missing))
      execFileSync("ln", ["-s", execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim(), bin]);
    vi.stubEnv("PATH", bin);
    onTestFinished(() => void vi.stubEnv("PATH", path));
    mkdirSync(join(outside, `without-${missing}`));

    await expect(runIn({ project: join(outside, `without-${missing}`) }, "true")).rejects.toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      message: `A sandbox with bwrap is not available: ${missing} is not installed. Install the package ${packageName}, or set "with" to "landlock".`,
    });
  });

  test("a bwrap that is not let is quoted, and nothing runs", async () => {
    const bin = mkdtempSync(join(tmpdir(), "limpet-test-bin-"));
    onTestFinished(() => rmSync(bin, { recursive: true }));
    writeFileSync(join(bin, "bwrap"), "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1\n", {
      mode: 0o755,
    });
    vi.stubEnv("PATH", `${bin}:${path}`);
    onTestFinished(() => void vi.stubEnv("PATH", path));
    const elsewhere = join(outside, "refused");
    mkdirSync(elsewhere);

    await expect(runIn({ project: elsewhere }, "touch made")).rejects.toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      message:
        'bwrap could not make the namespaces of a sandbox (No permissions to create new namespace). Allow user namespaces (see limpet doctor), or set "with" to "landlock".',
    });
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

const path = process.env["PATH"] ?? "";

test("nothing is left when the last program has gone", async () => {
  const { endBoxes } = await import("../../../../src/safety/sandbox/enter-box.ts");
  await runIn({}, "true");

  endBoxes();

  const children = () => readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean);
  const own = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`limpet-sandbox-${process.pid}-`));
  await until(() => children().length === 0 && own().length === 0, "processes and directories are gone");
});
