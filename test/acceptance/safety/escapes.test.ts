/** What a hostile program tries in a sandbox, against the real kernel: each attempt is refused. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { openSession } from "../../../src/entries/session.ts";
import { sandboxTransport } from "../../../src/entries/transport.ts";
import { needs, skipWithout } from "../../support/needs.ts";
import { suiteSandbox } from "../../support/suite-sandbox.ts";

const { setUp } = skipWithout("landlock", ...(suiteSandbox() === "bwrap" ? (["bwrap"] as const) : []), "python3");

const outside = mkdtempSync(join(tmpdir(), "limpet-test-"));
afterAll(() => rmSync(outside, { recursive: true }));
const project = join(outside, "project");
const theirs = join(outside, "theirs");

setUp(() => {
  mkdirSync(project);
  writeFileSync(theirs, "untouched", { mode: 0o644 });
});

async function run(command: string): Promise<{ readonly code: unknown; readonly text: string }> {
  const transport = sandboxTransport({ files: "workspace", project, with: suiteSandbox() });
  const session = await openSession({ command, shell: "/bin/bash", cwd: project, transport });
  const exit = await session.exited;
  const { text } = await session.text();
  await session.close({ force: true });
  return { code: exit.kind === "code" ? exit.code : exit, text: text.trim() };
}

const PRELUDE = `import ctypes, errno, fcntl, os, signal, socket, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
host, theirs = ${process.pid}, ${JSON.stringify(theirs)}
def call(name, *args):
  if getattr(libc, name)(*args) < 0: raise OSError(ctypes.get_errno(), name)
def attempt(act):
  try: act(); print("done", end=" ")
  except OSError as error: print("ENOTSUP" if error.errno == errno.EOPNOTSUPP else errno.errorcode[error.errno], end=" ")
`;

let scripts = 0;

/** What became of each attempt: the name of an error, or "done". */
async function attempts(code: string): Promise<readonly string[]> {
  scripts += 1;
  writeFileSync(join(project, `attempt-${scripts}.py`), `${PRELUDE}${code}`);
  return (await run(`python3 attempt-${scripts}.py`)).text.split(/\s+/);
}

describe("the process that starts the programs", () => {
  test("cannot be signalled through any of its threads", async () => {
    const results = await attempts(`
for thread in map(int, os.listdir(f"/proc/{host}/task")):
  attempt(lambda: os.kill(thread, 0))
  attempt(lambda: call("tgkill", host, thread, 0))
  attempt(lambda: call("sigqueue", thread, 0, None))
  attempt(lambda: fcntl.fcntl(0, 15, struct.pack("ii", 0, thread)))
  attempt(lambda: signal.pidfd_send_signal(os.open(f"/proc/{thread}", os.O_RDONLY), 0))
`);

    expect(new Set(results)).toEqual(new Set(["EPERM", "ENOSYS"]));
  });

  test("cannot be traced or read through any of its threads", async () => {
    const results = await attempts(`
for thread in os.listdir(f"/proc/{host}/task"):
  for name in ("mem", "environ", "maps", "fd/0", "auxv"):
    attempt(lambda: open(f"/proc/{host}/task/{thread}/{name}", "rb").read(1))
  attempt(lambda: os.readlink(f"/proc/{host}/task/{thread}/cwd"))
  attempt(lambda: call("ptrace", 0x4206, int(thread), None, None))
`);

    expect(new Set(results)).toEqual(new Set(["EACCES", "EPERM"]));
  });
});

describe("files outside", () => {
  test("do not become programs with the rights of their owner", async () => {
    const results = await attempts(`
attempt(lambda: os.chmod(theirs, 0o4755))
attempt(lambda: os.fchmod(os.open(theirs, os.O_RDONLY), 0o2755))
attempt(lambda: os.chmod(os.path.basename(theirs), 0o6755, dir_fd=os.open(os.path.dirname(theirs), os.O_PATH)))
`);

    expect(results).toEqual(["EPERM", "EPERM", "EPERM"]);
    expect(statSync(theirs).mode & 0o7777).toBe(0o644);
  });

  test("keep their attributes and flags", async () => {
    const results = await attempts(`
attempt(lambda: os.setxattr(theirs, "user.note", b"x"))
attempt(lambda: os.setxattr(os.open(theirs, os.O_RDONLY), "user.note", b"x"))
attempt(lambda: os.removexattr(theirs, "user.note"))
for request in (0x40086602, 0x401c5820, 0x40806685, 0x50009417):
  attempt(lambda: fcntl.ioctl(os.open(theirs, os.O_RDONLY), request, bytes(128)))
`);

    expect(results).toEqual(["ENOTSUP", "ENOTSUP", "ENOTSUP", "EPERM", "EPERM", "EPERM", "EPERM"]);
  });

  test("are not replaced, linked or created by other names", async () => {
    const results = await attempts(`
open("mine", "w").write("mine")
attempt(lambda: call("renameat2", -100, theirs.encode(), -100, b"mine", 2))
attempt(lambda: os.link("mine", theirs + "-linked"))
attempt(lambda: os.open(os.path.dirname(theirs), os.O_TMPFILE | os.O_RDWR))
attempt(lambda: os.link(f"/proc/self/fd/{os.open('.', os.O_TMPFILE | os.O_RDWR)}", theirs + "-new", follow_symlinks=True))
attempt(lambda: os.open("/dev/shm/limpet-test", os.O_CREAT | os.O_RDWR))
attempt(lambda: os.open("/proc/self/oom_score_adj", os.O_WRONLY))
`);

    expect(results.every((result) => ["EACCES", "EROFS", "EXDEV"].includes(result))).toBe(true);
    expect(results).toHaveLength(6);
    expect(readFileSync(theirs, "utf8")).toBe("untouched");
  });
});

test("what must stay hidden stays so if it is created while the program runs", async () => {
  // The home directory of tests is in the temporary directory, where only what exists is hidden.
  vi.stubEnv("TMPDIR", project);
  // Its own home: what is hidden in it must not affect the sandboxes of other test files.
  vi.stubEnv("HOME", outside);
  onTestFinished(() => void vi.unstubAllEnvs());
  const late = join(homedir(), ".config", "hub");
  const transport = sandboxTransport({ files: "read-only", with: suiteSandbox() });
  const command = `echo ready; read line; cat ${late}/token`;
  const session = await openSession({ command, shell: "/bin/bash", cwd: project, transport });
  await session.wait({ until: "ready", deadlineMs: 20_000 });

  mkdirSync(late, { recursive: true });
  writeFileSync(join(late, "token"), "the token");
  await session.write("\n");
  await session.exited;

  expect((await session.text()).text).toMatch(/Permission denied/);
  await session.close({ force: true });
  rmSync(join(outside, ".config"), { recursive: true });
});

describe("other processes of the user", () => {
  test("share no memory, semaphores or queues with it", async () => {
    const results = await attempts(`
attempt(lambda: call("shmget", 0, 4096, 0o1600))
attempt(lambda: call("semget", 0, 1, 0o1600))
attempt(lambda: call("msgget", 0, 0o1600))
attempt(lambda: call("msgctl", 0, 0, None))
libc.shmat.restype = ctypes.c_ssize_t
attempt(lambda: call("shmat", 0, None, 0))
ctypes.CDLL("librt.so.1")
attempt(lambda: call("mq_open", b"/limpet-test", os.O_CREAT | os.O_RDWR, 0o600, None))
attempt(lambda: call("mq_unlink", b"/limpet-test"))
`);

    expect(results).toEqual(Array.from({ length: 7 }, () => "ENOSYS"));
  });

  test("keep their limits and priorities", async () => {
    const results = await attempts(`
import resource
attempt(lambda: resource.prlimit(host, resource.RLIMIT_CPU, (1, 1)))
attempt(lambda: os.setpriority(os.PRIO_PROCESS, host, 19))
attempt(lambda: os.setpriority(os.PRIO_USER, 0, 19))
attempt(lambda: os.sched_setscheduler(host, os.SCHED_IDLE, os.sched_param(0)))
attempt(lambda: os.setpriority(os.PRIO_PROCESS, 0, 19))
attempt(lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
`);

    expect(results).toEqual(["EPERM", "EPERM", "EPERM", "EPERM", "done", "done"]);
  });

  test("get no datagrams from a pair of sockets, and pairs of streams work", async () => {
    const results = await attempts(`
for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
  attempt(lambda: socket.socketpair(socket.AF_UNIX, kind))
`);

    expect(results).toEqual(["EACCES", "EACCES", "done", "done"]);
  });

  test("pass it no descriptors but the first three", async () => {
    expect((await run("exec ls /proc/self/fd")).text.split(/\s+/)).toEqual(["0", "1", "2", "3"]);
  });
});

test("a user namespace brings no way out", async () => {
  const results = await attempts(`
attempt(lambda: call("unshare", 0x10020000))
attempt(lambda: call("mount", b"none", b"/tmp", b"tmpfs", 0, None))
attempt(lambda: open(theirs, "a"))
attempt(lambda: os.chroot(os.path.dirname(theirs)))
attempt(lambda: open("/theirs", "a"))
`);

  expect([results[1], results[2], results[4]]).toEqual([
    "EPERM",
    expect.stringMatching(/EACCES|EROFS/),
    expect.stringMatching(/EACCES|EROFS|ENOENT/),
  ]);
  expect(readFileSync(theirs, "utf8")).toBe("untouched");
});

describe("the tools of a developer", () => {
  test("git, node and python do their work in a workspace", async () => {
    const git = "git -c user.name=a -c user.email=a@b.c -C repo";
    const { code, text } = await run(
      `git init -q repo && echo x > repo/x && chmod +x repo/x && ${git} add x && ${git} commit -qm first &&
      ${git} clone -q . copy && node -e 'console.log(require("child_process").execSync("echo node").toString().trim())' &&
      python3 -c 'import subprocess; print(subprocess.check_output(["echo", "python"]).decode().strip())' &&
      nice cp -a repo kept && ${git} log --format=%s`,
    );

    expect({ code, text }).toEqual({ code: 0, text: "node\npython\nfirst" });
  });

  test.skipIf(!needs("gcc"))("a compiler's program runs", async () => {
    const { code, text } = await run(
      `printf 'int puts(const char*);int main(){puts("built");}' > a.c && gcc -o a a.c && ./a`,
    );

    expect({ code, text }).toEqual({ code: 0, text: "built" });
  });
});
