/** What a program in a sandbox can do to other processes and over the network, against the real kernel. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { openSession } from "../../../src/entries/session.ts";
import { sandboxTransport } from "../../../src/entries/transport.ts";
import { needs, skipWithout } from "../../support/needs.ts";
import { runnerIn } from "../../support/sandboxed-run.ts";
import { suiteSandbox } from "../../support/suite-sandbox.ts";

const { setUp, tearDown } = skipWithout("landlock", ...(suiteSandbox() === "bwrap" ? (["bwrap"] as const) : []));

const LONG_MS = 20_000;
const outside = mkdtempSync(join(tmpdir(), "limpet-test-"));
afterAll(() => rmSync(outside, { recursive: true }));
const project = join(outside, "project");
// A home of its own: what is hidden in it must not affect the sandboxes of other test files.
const home = join(outside, "home");
vi.stubEnv("HOME", home);
let server: Server;
let port = 0;
const runIn = runnerIn(project, suiteSandbox());

setUp(async () => {
  mkdirSync(project);
  mkdirSync(join(homedir(), ".ssh"), { recursive: true });
  server = createServer((socket) => socket.end("reached"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as { readonly port: number }).port;
});

tearDown(() => {
  server.close();
});

const python = (code: string) => `python3 -c '${code}'`;

describe("other processes", () => {
  test("cannot be signalled, but its own can", async () => {
    const { code, text } = await runIn({}, `kill -0 ${process.pid}; kill -TERM $PPID; sleep 100 & kill $! && echo own`);

    expect({ code, text: text.replaceAll(/.*kill: /g, "") }).toEqual({
      code: 0,
      text: `(${process.pid}) - Operation not permitted\n(${process.pid}) - Operation not permitted\nown`,
    });
  });

  test("their environment and memory cannot be read", async () => {
    const files = ["environ", "mem", "maps", "fd/0"].map((name) => `/proc/${process.pid}/${name}`);
    const { text } = await runIn({}, `for file in ${files.join(" ")}; do head -c1 $file; done`);

    expect(text.split("\n")).toHaveLength(files.length);
    expect(text.split("\n").every((line) => line.endsWith("Permission denied"))).toBe(true);
  });

  test("other terminals cannot be opened, and its own can", async () => {
    const session = await openSession({ command: "tty; read line", shell: "/bin/sh" });
    const { text: theirs } = await session
      .wait({ until: "/dev/pts/\\d+", deadlineMs: LONG_MS })
      .then(() => session.text());
    const { text } = await runIn(
      {},
      `echo hi > ${theirs.trim()}; echo own > /dev/tty; echo own > "$(tty)"; echo own > /dev/stderr`,
    );

    expect(text.replace(/^.*denied\n/, "refused\n")).toBe("refused\nown\nown\nown");
    expect((await session.text()).text).not.toContain("hi");
    await session.close({ force: true });
  });

  test.skipIf(!needs("python3"))("nothing can be typed into a terminal", async () => {
    const inject = python('import fcntl; fcntl.ioctl(0, 0x5412, b"x")');

    expect((await runIn({}, inject)).text).toMatch(/Operation not permitted/);
  });

  test.skipIf(!needs("python3"))("there are no sockets to agents of the user, by path or abstract", async () => {
    const { text } = await runIn({}, python("import socket; socket.socket(socket.AF_UNIX)"));

    expect(text).toContain("PermissionError");
    // Programs talk to their children through these.
    expect(
      await runIn({}, python('import socket; a, b = socket.socketpair(); a.send(b"x"); print(b.recv(1))')),
    ).toEqual({
      code: 0,
      text: "b'x'",
    });
  });

  test.skipIf(!needs("root"))(
    "as root, it has no capability, and gets none from a program that gives some",
    async () => {
      const { text } = await runIn(
        {},
        "grep -E '^(Cap(Prm|Eff|Amb)|NoNewPrivs)' /proc/self/status; mount -t tmpfs x . 2>&1",
      );

      expect(text.replaceAll(/\s+/g, " ")).toMatch(
        /^CapPrm: 0{16} CapEff: 0{16} CapAmb: 0{16} NoNewPrivs: 1 mount: .*(denied|not permitted)/,
      );
    },
  );
});

describe("network", () => {
  const connect = () => `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;

  test("is there by default, and gone if it is off", async () => {
    expect(await runIn({}, connect())).toEqual({ code: 0, text: "reached" });
    expect((await runIn({ network: "off" }, connect())).text).toMatch(/Permission denied/);
  });

  test.skipIf(!needs("python3"))("off covers every kind of socket", async () => {
    const kinds = ["AF_INET, socket.SOCK_DGRAM", "AF_INET6", "AF_INET, socket.SOCK_RAW", "AF_PACKET, socket.SOCK_RAW"];
    const { text } = await runIn(
      { network: "off" },
      python(`import socket
for args in (${kinds.map((kind) => `(socket.${kind},)`).join(", ")}):
  try: socket.socket(*args); print("open")
  except OSError as error: print(error.errno)`),
    );

    expect(text.split("\n")).toEqual(kinds.map(() => "13"));
  });
});

describe("a session in a sandbox", () => {
  test("has a terminal with job control, and a password prompt is recognised", async () => {
    const transport = sandboxTransport({ files: "workspace", project, with: suiteSandbox() });
    const options = { program: "bash", args: ["--norc", "-i"], cwd: project, env: { PS1: "% " } };
    const session = await openSession({ ...options, transport });
    const waitFor = (until: string) => session.wait({ until, onInput: false, deadlineMs: LONG_MS });
    await waitFor("% $");

    await session.write("sh -c 'echo go''ing; exec sleep 100'\n");
    await waitFor("going");
    await session.write("\u001a");
    await waitFor("Stopped");
    await session.write("kill %1; read -s -p 'secret? ' it\n");
    await waitFor("secret\\? $");

    await expect.poll(() => session.waitingFor()).toBe("password");
    await session.close({ force: true });
  });

  test("runs without a terminal, too, and reports what could not be started", async () => {
    expect(await runIn({}, "[ -t 0 ] || echo piped", { tty: false })).toEqual({ code: 0, text: "piped" });
    const transport = sandboxTransport({ files: "read-only", with: suiteSandbox() });
    await expect(openSession({ program: "no-such-program", transport })).rejects.toMatchObject({
      code: "PROGRAM_NOT_FOUND",
    });
    await expect(openSession({ program: "true", cwd: "/nowhere", transport })).rejects.toMatchObject({
      code: "DIRECTORY_NOT_FOUND",
    });
  });

  test("knows that it is one, and many of them leave nothing behind", async () => {
    const texts = await Promise.all(
      Array.from({ length: 20 }, () =>
        runIn({ files: "read-only" }, 'echo $LIMPET_SANDBOX; [ -d "$TMPDIR" ] && echo there'),
      ),
    );

    expect(new Set(texts.map(({ text }) => text))).toEqual(new Set(["read-only\nthere"]));
  });
});
