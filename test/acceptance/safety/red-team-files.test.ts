/** How somebody in a sandbox tries to reach files outside, against the real kernel. Each attempt is one row. */
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { needs } from "../../support/needs.ts";
import { redTeam } from "../../support/red-team.ts";

const { outside, project, theirs, secret, run, attempts, passing } = redTeam("red-team-files-key");

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
