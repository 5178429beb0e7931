/** What somebody who wants to get out of a sandbox tries next, against the real kernel. Each attempt is one row. */
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openSession } from "../../../src/entries/session.ts";
import { sandboxTransport } from "../../../src/entries/transport.ts";
import { openPty } from "../../../src/pty/open-pty.ts";
import { needs, skipWithout } from "../../support/needs.ts";

const { setUp, tearDown } = skipWithout("landlock", "python3");

const outside = mkdtempSync(join(tmpdir(), "limpet-test-"));
afterAll(() => rmSync(outside, { recursive: true }));
const project = join(outside, "project");
const theirs = join(outside, "theirs");
const secret = join(homedir(), ".ssh", "red-team-key");
const socketPath = join(outside, "agent.sock");
const abstractName = `limpet-test-${process.pid}`;
let agents: readonly Server[] = [];

setUp(async () => {
  mkdirSync(project);
  mkdirSync(join(outside, "folder"));
  writeFileSync(theirs, "untouched", { mode: 0o644 });
  mkdirSync(join(homedir(), ".ssh"), { recursive: true, mode: 0o700 });
  writeFileSync(secret, "the key", { mode: 0o600 });
  agents = [socketPath, `\0${abstractName}`].map((path) => createServer((socket) => socket.end("agent")).listen(path));
  await Promise.all(agents.map((agent) => new Promise((done) => agent.once("listening", done))));
});

tearDown(() => {
  for (const agent of agents) agent.close();
  rmSync(secret);
});

async function run(command: string) {
  const transport = sandboxTransport({ files: "workspace", project });
  const session = await openSession({ command, shell: "/bin/bash", cwd: project, transport });
  const exit = await session.exited;
  const { text } = await session.text();
  await session.close({ force: true });
  return { code: exit.kind === "code" ? exit.code : exit, text: text.trim() };
}

const PRELUDE = `import ctypes, errno, fcntl, mmap, os, socket, struct, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
host, outside, theirs, secret = ${process.pid}, ${JSON.stringify(outside)}, ${JSON.stringify(theirs)}, ${JSON.stringify(secret)}
libc.syscall.restype = ctypes.c_long
def call(number, *args):
  if libc.syscall(ctypes.c_long(number), *args) < 0: raise OSError(ctypes.get_errno(), str(number))
def write(path, text="x"):
  with open(path, "w") as file: file.write(text)
def attempt(act):
  try: act(); print("done", end=" ")
  except OSError as error: print(errno.errorcode.get(error.errno, error.errno), end=" ")
`;

let scripts = 0;

/** What became of each attempt, by its name: the name of an error, or "done". */
async function attempts(rows: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
  scripts += 1;
  const code = Object.values(rows).map((row) => `attempt(lambda: ${row})\n`);
  writeFileSync(join(project, `attempt-${scripts}.py`), PRELUDE + code.join(""));
  const { text } = await run(`python3 attempt-${scripts}.py`);
  const results = text.split(/\s+/);
  expect(results, text).toHaveLength(Object.keys(rows).length);
  return Object.fromEntries(Object.keys(rows).map((name, at) => [name, results[at] ?? ""]));
}

/** Those that did not end with one of the errors. */
async function passing(rows: Readonly<Record<string, string>>, errors: readonly string[]) {
  const results = Object.entries(await attempts(rows));
  return Object.fromEntries(results.filter(([, result]) => !errors.includes(result)));
}

describe("system calls that reach other processes or the kernel", () => {
  // Numbers of x64; on other processors the same calls are in escapes.test.ts by their names.
  test.skipIf(process.arch !== "x64")("are refused", async () => {
    const rows = {
      process_vm_readv: "call(310, host, None, 0, None, 0, 0)",
      process_vm_writev: "call(311, host, None, 0, None, 0, 0)",
      "ptrace attach": "call(101, 16, host, None, None)",
      "ptrace of process 1": "call(101, 16, 1, None, None)",
      pidfd_getfd: "call(438, os.pidfd_open(host), 0, 0)",
      process_madvise: "call(440, os.pidfd_open(host), (ctypes.c_long * 2)(0, 4096), 1, 20, 0)",
      move_pages: "call(279, host, 0, None, None, None, 2)",
      kcmp: "call(312, host, os.getpid(), 0, 0, 0)",
      io_uring_setup: "call(425, 8, (ctypes.c_char * 120)())",
      bpf: "call(321, 0, (ctypes.c_char * 120)(), 120)",
      perf_event_open: "call(298, (ctypes.c_char * 120)(), host, -1, -1, 0)",
      userfaultfd: "call(323, 0)",
      add_key: 'call(248, b"user", b"x", b"y", 1, -4)',
      keyctl: "call(250, 0, -4, 0, 0, 0)",
      open_by_handle_at: "call(304, -100, (ctypes.c_char * 120)(), 0)",
      "mount of a new file system": 'call(165, b"x", b"/tmp", b"tmpfs", 0, None)',
      "mount by binding": 'call(165, b"/", outside.encode(), None, 4096, None)',
      open_tree: 'call(428, -100, b"/", 1)',
      move_mount: 'call(429, -100, b"/", -100, b"/tmp", 0)',
      fsopen: 'call(430, b"tmpfs", 0)',
      mount_setattr: 'call(442, -100, b"/", 0, (ctypes.c_char * 32)(), 32)',
      pivot_root: 'call(155, b".", b".")',
      setns: "call(308, os.pidfd_open(host), 0x20000)",
      init_module: "call(175, None, 0, b'')",
      kexec_load: "call(246, 0, 0, None, 0)",
      quotactl: "call(179, 0, None, 0, None)",
      fanotify_init: "call(300, 0, 0)",
      "calls by the convention of x32": "call(0x40000000 + 39)",
    };

    expect(await passing(rows, ["EPERM", "EACCES", "ENOSYS"])).toEqual({});
  });

  test("a namespace of users brings none of them back, nor files outside", async () => {
    const rows = {
      unshare: "call(272, 0x10000000 | 0x20000) if os.uname().machine == 'x86_64' else None",
      mount:
        'libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) and (_ for _ in ()).throw(OSError(ctypes.get_errno(), ""))',
      "a file outside": 'open(theirs, "a")',
      "a key": "open(secret)",
      "a device": 'os.mknod("dev", 0o60600, os.makedev(8, 0))',
      "/proc/1/root": 'os.listdir("/proc/1/root")',
      "the map of users": 'write("/proc/self/uid_map", "0 0 1")',
    };
    const { unshare: _unshare, ...results } = await attempts(rows);

    expect(Object.values(results).filter((result) => result === "done")).toEqual([]);
    expect(readFileSync(theirs, "utf8")).toBe("untouched");
  });
});

describe("files outside", () => {
  test("cannot be changed by any path that leads to them", async () => {
    symlinkSync(theirs, join(project, "link"));
    symlinkSync(outside, join(project, "way"));
    const rows = {
      "a link": 'write("link")',
      "a link to the folder": 'write("way/theirs")',
      "/proc/self/root": 'write(f"/proc/self/root{theirs}")',
      "/proc/self/cwd": 'write("/proc/self/cwd/../theirs")',
      "/proc/self/fd": 'write(f"/proc/self/fd/{os.open(outside, os.O_PATH)}/theirs")',
      "a descriptor that is opened again": 'write(f"/proc/self/fd/{os.open(theirs, os.O_RDONLY)}")',
      "/proc/HOST/root": 'write(f"/proc/{host}/root{theirs}")',
      "/proc/HOST/cwd": 'os.listdir(f"/proc/{host}/cwd/")',
      "/proc/HOST/fd": '[os.readlink(f"/proc/{host}/fd/{fd}") for fd in os.listdir(f"/proc/{host}/fd")]',
      truncate: "os.truncate(theirs, 0)",
      "a new file": 'write(f"{outside}/new")',
      "a new folder": 'os.mkdir(f"{outside}/new")',
      "removing a folder": 'os.rmdir(f"{outside}/folder")',
      "a new link": 'os.symlink("x", f"{outside}/new")',
      "a new pipe": 'os.mkfifo(f"{outside}/new")',
      "the project by another name": 'os.rename(os.getcwd(), f"{outside}/moved")',
      "a folder into the project": 'os.rename(f"{outside}/folder", "folder")',
      "a file out of the project": 'os.rename("attempt-1.py", f"{outside}/attempt.py")',
      "an exchange":
        'call(316, -100, theirs.encode(), -100, b"attempt-1.py", 2) if os.uname().machine == "x86_64" else open(theirs, "w")',
      "a second name in the project": 'os.link(theirs, "mine")',
      "a second name for a key": 'os.link(secret, "mine")',
      "a second name by its descriptor":
        'os.link(f"/proc/self/fd/{os.open(theirs, os.O_RDONLY)}", "mine", follow_symlinks=True)',
      "a file without a name": "os.open(outside, os.O_TMPFILE | os.O_RDWR)",
      "memory that is shared with it": "mmap.mmap(os.open(theirs, os.O_RDWR), 1)",
    };

    expect(await passing(rows, ["EACCES", "EPERM", "EXDEV", "EBUSY", "EROFS", "ENOENT"])).toEqual({});
    expect(readFileSync(theirs, "utf8")).toBe("untouched");
    expect(existsSync(join(outside, "new"))).toBe(false);
  });

  test("cannot be changed in a race between a folder and a link", async () => {
    const { text } = await run(`cat > race.py <<'end'
import os, sys, threading, time
os.makedirs("swap/a", exist_ok=True)
os.symlink(${JSON.stringify(outside)}, "swap/b")
isOver = False
def swap():
  while not isOver:
    for one, other in (("a", "x"), ("b", "a"), ("x", "b")): os.rename(f"swap/{one}", f"swap/{other}")
thread = threading.Thread(target=swap); thread.start()
wrote = refused = 0
end = time.monotonic() + 1.5
while time.monotonic() < end or wrote == 0 or refused == 0:
  try:
    with open("swap/a/theirs", "w") as file: file.write("raced")
    wrote += 1
  except OSError: refused += 1
isOver = True
thread.join()
print(wrote > 0, refused > 0)
end
python3 race.py`);

    expect(text).toBe("True True");
    expect(readFileSync(theirs, "utf8")).toBe("untouched");
  });

  test("are not reached by a program without a file, which stays in the sandbox", async () => {
    const { text } = await run(`python3 - <<'end'
import os
fd = os.memfd_create("x")
os.write(fd, open("/bin/sh", "rb").read())
if os.fork() == 0: os.execve(fd, ["sh", "-c", "echo x > ${theirs}; cat ${secret}; echo ran"], os.environ)
os.wait()
end`);

    expect(text.replaceAll(/^.*(?:denied|nonexistent).*$/gm, "refused")).toBe("refused\nrefused\nran");
    expect(readFileSync(theirs, "utf8")).toBe("untouched");
  });

  test.skipIf(!needs("root"))("of the kernel and of the system cannot be written by root", async () => {
    const rows = Object.fromEntries(
      [
        "/proc/sys/kernel/core_pattern",
        "/proc/sys/kernel/modprobe",
        "/proc/sysrq-trigger",
        "/proc/self/oom_score_adj",
        `/proc/${process.pid}/oom_score_adj`,
        `/proc/${process.pid}/timerslack_ns`,
        "/sys/fs/cgroup/cgroup.procs",
        "/sys/kernel/mm/transparent_hugepage/enabled",
        "/etc/crontab",
        "/etc/cron.d/limpet-test",
        "/var/spool/cron/crontabs/root",
        "/var/spool/cron/atjobs/x",
        "/etc/profile.d/limpet-test.sh",
        "/etc/ld.so.preload",
        "/run/limpet-test",
        "/dev/shm/limpet-test",
        "/dev/kmsg",
        "/dev/mem",
        "/dev/ptmx",
        "/dev/tty0",
        "/dev/vsock",
        "/dev/fuse",
        "/dev/net/tun",
        "/dev/kvm",
        "/dev/loop-control",
      ].map((path) => [path, `write(${JSON.stringify(path)})`]),
    );

    expect(await passing(rows, ["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR"])).toEqual({});
  });
});

describe("the user's agents, and limpet itself", () => {
  test("cannot be reached by any socket", async () => {
    const rows: Record<string, string> = {
      "by its path": `socket.socket(socket.AF_UNIX).connect(${JSON.stringify(socketPath)})`,
      "by an abstract name": `socket.socket(socket.AF_UNIX).connect("\\0${abstractName}")`,
      "by packets": `socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET).connect(${JSON.stringify(socketPath)})`,
      "by datagrams": `socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"x", ${JSON.stringify(socketPath)})`,
      "by a pair of datagrams": `socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b"x", ${JSON.stringify(socketPath)})`,
      "by a pair of streams, connected again": `socket.socketpair()[0].connect(${JSON.stringify(socketPath)})`,
      "as a file": `open(${JSON.stringify(socketPath)}, "w")`,
      AF_VSOCK: "socket.socket(40, socket.SOCK_STREAM)",
      AF_ALG: "socket.socket(38, socket.SOCK_SEQPACKET)",
      AF_PACKET: "socket.socket(17, socket.SOCK_RAW)",
      AF_XDP: "socket.socket(44, socket.SOCK_RAW)",
      AF_BLUETOOTH: "socket.socket(31, socket.SOCK_RAW)",
      AF_KEY: "socket.socket(15, socket.SOCK_RAW)",
      AF_TIPC: "socket.socket(30, socket.SOCK_STREAM)",
      "netlink about processes": "socket.socket(16, socket.SOCK_RAW, 11)",
      "netlink about audits": "socket.socket(16, socket.SOCK_RAW, 9)",
      "raw packets": "socket.socket(2, socket.SOCK_RAW, 1)",
    };

    expect(await passing(rows, ["EACCES", "EPERM", "EISCONN", "ENXIO"])).toEqual({});
  });

  test.each([
    ["ssh-agent", "ssh-add -l", "SSH_AUTH_SOCK"],
    [
      "D-Bus",
      "dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames",
      "DBUS_SESSION_BUS_ADDRESS",
    ],
    ["systemd", "systemd-run --user true", "XDG_RUNTIME_DIR"],
    ["docker", "docker -H unix:///var/run/docker.sock version --format '{{.Server.Version}}'", "DOCKER_HOST"],
    ["tmux", "tmux new-session -d", "TMUX"],
    ["cron", "crontab -l | crontab -", "HOME"],
    ["at", "echo true | at now", "HOME"],
    ["sudo", "sudo -n true", "HOME"],
  ])("a client of %s does not get through", async (_, command, variable) => {
    const { code } = await run(`export ${variable}=\${${variable}:-${socketPath}}; ${command}`);

    expect(code).not.toBe(0);
  });
});

test("terminals of others can neither be opened nor typed into, nor can its own", async () => {
  const pty = openPty({ cols: 80, rows: 24 });
  const rows = {
    "another terminal": `write(${JSON.stringify(pty.path)})`,
    "another terminal, to read": `open(${JSON.stringify(pty.path)})`,
    "a new terminal": "os.openpty()",
    TIOCSTI: 'fcntl.ioctl(0, 0x5412, b"x")',
    "TIOCSTI with high bits":
      'libc.ioctl(0, ctypes.c_ulong(0xf00005412), b"x") and (_ for _ in ()).throw(OSError(ctypes.get_errno(), ""))',
    TIOCLINUX: 'fcntl.ioctl(0, 0x541c, b"\\2")',
    TIOCSETD: "fcntl.ioctl(0, 0x5423, struct.pack('i', 1))",
    TIOCCONS: "fcntl.ioctl(0, 0x541d)",
    TIOCSPGRP: "os.tcsetpgrp(0, host)",
  };

  const passed = await passing(rows, ["EACCES", "EPERM", "EIO", "ENOENT", "ENOTTY", "ESRCH"]);
  closeSync(pty.master);
  closeSync(pty.slave);

  expect(passed).toEqual({});
});

test("a cache of the sandbox is not the user's", async () => {
  const cache = join(homedir(), ".cache");
  mkdirSync(join(cache, "limpet"), { recursive: true });
  writeFileSync(join(cache, "limpet", "red-team"), "variables");
  const rows = {
    "a start file of a shell": `write(${JSON.stringify(join(cache, "p10k-instant-prompt-me.zsh"))})`,
    "limpet's own": `write(${JSON.stringify(join(cache, "limpet", "login-env.json"))})`,
    "limpet's own, to read": `open(${JSON.stringify(join(cache, "limpet", "red-team"))})`,
    "the cache of npm": `write(${JSON.stringify(join(homedir(), ".npm", "_cacache", "x"))})`,
    "its own cache": 'write(os.path.join(os.environ["XDG_CACHE_HOME"], "x"))',
    "its own cache of npm": 'os.makedirs(os.environ["npm_config_cache"], exist_ok=True)',
  };

  const results = await attempts(rows);
  rmSync(join(cache, "limpet", "red-team"));

  expect(Object.values(results).slice(0, 4)).not.toContain("done");
  expect(Object.values(results).slice(4)).toEqual(["done", "done"]);
});

test("a key with a second name is found only there, as the documentation says", async () => {
  linkSync(secret, join(outside, "second-name"));

  const { text } = await run(`cat ${secret}; cat ${join(outside, "second-name")}`);

  rmSync(join(outside, "second-name"));
  expect(text).toMatch(/denied\nthe key$/);
});
