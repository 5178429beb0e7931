/** What somebody who wants to get out of a sandbox tries next, against the real kernel. Each attempt is one row. */
import { closeSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openPty } from "../../../src/pty/open-pty.ts";
import { redTeam } from "../../support/red-team.ts";

const { setUp, tearDown, outside, theirs, run, attempts, passing } = redTeam("red-team-key");

const socketPath = join(outside, "agent.sock");
const abstractName = `limpet-test-${process.pid}`;
let agents: readonly Server[] = [];

setUp(async () => {
  agents = [socketPath, `\0${abstractName}`].map((path) => createServer((socket) => socket.end("agent")).listen(path));
  await Promise.all(agents.map((agent) => new Promise((done) => agent.once("listening", done))));
});

tearDown(() => {
  for (const agent of agents) agent.close();
});

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
