/** What namespaces add to a sandbox, against the real kernel. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { openSession } from "../../../../src/entries/session.ts";
import { type Sandbox, sandboxTransport } from "../../../../src/entries/transport.ts";
import { skipWithout } from "../../../support/needs.ts";
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

setUp(async () => {
  for (const folder of [".ssh", ".config/gh"]) mkdirSync(join(homedir(), folder), { recursive: true });
  writeFileSync(join(homedir(), ".ssh", "id_test"), "the key");
  writeFileSync(join(homedir(), ".npmrc"), "//registry.example/:_authToken=secret");
  writeFileSync(join(outside, "theirs"), "untouched", { mode: 0o644 });
  mkdirSync(join(project, ".vscode"), { recursive: true });
  execFileSync("git", ["init", "--quiet", project]);
  writeFileSync(join(project, ".vscode", "tasks.json"), "{}");
  writeFileSync(join(project, ".envrc"), "export A=1\n");
  server = createServer((socket) => socket.end("reached"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as { readonly port: number }).port;
});

tearDown(() => server?.close());

const open = (sandbox: Partial<Sandbox>, command: string) =>
  openSession({
    command,
    shell: "/bin/bash",
    cwd: project,
    transport: sandboxTransport({ files: "workspace", project, with: "bwrap", ...sandbox }),
  });

/** Runs a command in a sandbox: its exit code and all it printed. */
async function runIn(sandbox: Partial<Sandbox>, command: string) {
  const session = await open(sandbox, command);
  const exit = await session.exited;
  const { text } = await session.text();
  await session.close({ force: true });
  return { code: exit.kind === "code" ? exit.code : exit, text: text.trim() };
}

describe("what is hidden", () => {
  test("shows as empty instead of being refused", async () => {
    const { code, text } = await runIn({}, "ls -A ~/.ssh ~/.config/gh && cat ~/.npmrc && stat -c %s ~/.npmrc");

    expect({ code, text }).toEqual({ code: 0, text: `${home}/.config/gh:\n\n${home}/.ssh:\n0` });
  });

  test("cannot be uncovered, replaced or written to", async () => {
    const { text } = await runIn(
      {},
      "umount ~/.ssh; rmdir ~/.ssh; mv ~/.ssh ~/x; echo x > ~/.npmrc; echo x > ~/.ssh/y; unshare -Urm sh -c 'umount ~/.ssh; cat ~/.ssh/id_test'",
    );

    expect(text).not.toContain("the key");
    expect(readFileSync(join(home, ".ssh", "id_test"), "utf8")).toBe("the key");
    expect(readFileSync(join(home, ".npmrc"), "utf8")).toContain("secret");
  });
});

describe("files that run code later", () => {
  test.each([
    ["a hook is written", "echo x > .git/hooks/pre-commit"],
    ["a setting of git is changed", "git config core.fsmonitor ./x"],
    ["git's configuration is replaced", "cp .git/config c && mv -f c .git/config"],
    ["the hooks are moved away", "mv .git/hooks .git/old"],
    ["the repository is moved away", "mv .git old && mkdir -p .git/hooks && echo x > .git/hooks/pre-commit"],
    ["a task is changed", "echo x >> .vscode/tasks.json"],
    ["a task is removed", "rm -r .vscode"],
    ["a file of direnv is replaced", "rm .envrc && echo x > .envrc"],
    ["its mode is changed", "chmod 777 .envrc"],
  ])("cannot be changed: %s", async (_, command) => {
    const before = ["config", "hooks", "HEAD"].map((name) => statSync(join(project, ".git", name)).ino);

    const { code, text } = await runIn({}, command);

    expect(code).not.toBe(0);
    expect(text).toMatch(/Read-only file system|Device or resource busy/);
    expect(["config", "hooks", "HEAD"].map((name) => statSync(join(project, ".git", name)).ino)).toEqual(before);
    expect(existsSync(join(project, ".git", "hooks", "pre-commit"))).toBe(false);
    expect(readFileSync(join(project, ".vscode", "tasks.json"), "utf8")).toBe("{}");
    expect(readFileSync(join(project, ".envrc"), "utf8")).toBe("export A=1\n");
  });

  test("leave the rest of the project and of the repository as it is", async () => {
    const author = "-c user.name=A -c user.email=a@b.example";
    const { code, text } = await runIn(
      {},
      `echo x > file && git add file && git ${author} commit --quiet -m one && git log --format=%s && git rm --quiet file`,
    );

    expect({ code, text }).toEqual({ code: 0, text: "one" });
  });

  test("can be changed where a person allows it", async () => {
    expect(await runIn({ allowChanges: [".envrc"] }, "echo x > .envrc")).toEqual({ code: 0, text: "" });
    writeFileSync(join(project, ".envrc"), "export A=1\n");
  });

  test("are locked again in the next session after a person has replaced one", async () => {
    const session = await open({}, "read line");
    const file = join(project, ".envrc");
    writeFileSync(join(project, "next"), "export A=1\n");
    renameSync(join(project, "next"), file);

    const { text } = await runIn({}, "echo x > .envrc");

    expect(text).toContain("Read-only file system");
    expect(readFileSync(file, "utf8")).toBe("export A=1\n");
    await session.close({ force: true });
  });
});

describe("files outside", () => {
  test("keep their permissions and times", async () => {
    chmodSync(join(outside, "theirs"), 0o644);
    const before = statSync(join(outside, "theirs"));

    const { text } = await runIn({}, "chmod 600 ../theirs; touch -d 2001-01-01 ../theirs");

    expect(text.match(/Read-only file system/g)).toHaveLength(2);
    const { mode, mtimeMs } = statSync(join(outside, "theirs"));
    expect({ mode, mtimeMs }).toEqual({ mode: before.mode, mtimeMs: before.mtimeMs });
  });
});

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
