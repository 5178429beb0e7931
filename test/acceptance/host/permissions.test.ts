/** Only its owner may look into the directory of a host: what is not so is refused, with the reason and the remedy. */

import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openStateDirectory } from "../../../src/host/state/state-directory.ts";
import { startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { endProcess } from "../../support/host/end-hosts.ts";
import { hostAt, hostDirectory } from "../../support/host/host.ts";
import { needs } from "../../support/needs.ts";
import { startScript } from "../../support/processes.ts";
import { errorOf, until } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

const isRoot = process.getuid?.() === 0;
const STRANGER = 12_345;

test("a directory that cannot be created is refused, also inside one that does not allow it", () => {
  for (const path of ["/proc/x", "/proc/x/y"]) {
    expect(() => openStateDirectory(path)).toThrow(
      `${path} cannot be created (ENOENT). Set LIMPET_HOME to a directory that you can write to.`,
    );
  }
});

test("under umask 000 the directory is 0700 and every file in it 0600", async () => {
  const directory = hostDirectory();
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  const client = hostAt(directory);
  const { id } = await startSession(client, { command: "umask; echo done", login: false, shell: "/bin/sh" });
  await waitForSession(client, { keys: [id] });
  process.umask(before);

  const modes = () =>
    readdirSync(directory, { recursive: true, encoding: "utf8" })
      .sort()
      .map((name) => {
        // A record that is just being written gets its name meanwhile.
        const stats = statSync(join(directory, name), { throwIfNoEntry: false });
        return [name.replace(/\d+-[0-9a-f]{8}/, "ID"), stats?.isDirectory(), ((stats?.mode ?? 0) & 0o777).toString(8)];
      });
  await until(() => modes().some(([name]) => String(name).endsWith(".journal")), "the journal is on disk");

  expect((statSync(directory).mode & 0o777).toString(8)).toBe("700");
  await expect.poll(modes).toEqual([
    ["audit.lock", false, "600"],
    ["audit.log", false, "600"],
    ["host.lock", false, "600"],
    ["host.log", false, "600"],
    ["host.sock", false, "600"],
    ["last-approval", false, "600"],
    ["last-id", false, "600"],
    ["losses", false, "600"],
    ["opening", false, "600"],
    ["sessions", true, "700"],
    ["sessions/ID", true, "700"],
    ["sessions/ID/00000001.journal", false, "600"],
    ["sessions/ID/session.json", false, "600"],
  ]);
});

const cases: readonly {
  readonly what: string;
  readonly make: (path: string) => void;
  readonly says: string;
  readonly needsRoot?: boolean;
}[] = [
  { what: "a directory that others can read", make: (path) => mkdirSync(path, { mode: 0o755 }), says: "chmod go-rwx" },
  {
    what: "a directory that others can write to",
    make: (path) => {
      mkdirSync(path);
      chmodSync(path, 0o777);
    },
    says: "is open to others (mode 0777)",
  },
  {
    what: "a directory that the group can enter",
    make: (path) => {
      mkdirSync(path);
      chmodSync(path, 0o710);
    },
    says: "is open to others (mode 0710)",
  },
  {
    what: "a symbolic link to a directory of our own",
    make: (path) => {
      mkdirSync(`${path}-real`, { mode: 0o700 });
      symlinkSync(`${path}-real`, path);
    },
    says: "is a symbolic link. Set LIMPET_HOME to the directory itself",
  },
  { what: "a symbolic link to nothing", make: (path) => symlinkSync("/nowhere", path), says: "is a symbolic link" },
  { what: "a file", make: (path) => writeFileSync(path, ""), says: "is not a directory" },
  {
    what: "a directory of somebody else",
    make: (path) => {
      mkdirSync(path, { mode: 0o700 });
      chownSync(path, STRANGER, STRANGER);
    },
    says: `belongs to user ${STRANGER}`,
    needsRoot: true,
  },
  {
    what: "a file in the place of the socket",
    make: (path) => {
      mkdirSync(path, { mode: 0o700 });
      writeFileSync(join(path, "host.sock"), "");
    },
    says: "is not the socket of a host. Remove it",
  },
  {
    what: "a symbolic link in the place of the socket",
    make: (path) => {
      mkdirSync(path, { mode: 0o700 });
      symlinkSync("/run/other.sock", join(path, "host.sock"));
    },
    says: "is not the socket of a host",
  },
];

test.for(cases)("$what is refused", async (each, { skip }) => {
  skip(each.needsRoot === true && !needs("root"));
  const path = join(temporaryDirectory(), "state");
  each.make(path);

  const error = await errorOf(hostAt(path).list({ ended: false }));

  expect(error.code).toBe("DIRECTORY_UNSAFE");
  expect(error.message).toContain(path);
  expect(error.message).toContain(each.says);
});

test.runIf(needs("root"))("a socket of somebody else is refused", async () => {
  const path = join(temporaryDirectory(), "state");
  mkdirSync(path, { mode: 0o700 });
  const server = createServer().listen(join(path, "host.sock"));
  onTestFinished(() => void server.close());
  await until(() => server.listening, "it listens");
  chownSync(join(path, "host.sock"), STRANGER, STRANGER);

  expect((await errorOf(hostAt(path).list({ ended: false }))).message).toContain(`belongs to user ${STRANGER}`);
});

test("a directory that cannot be created is refused", async () => {
  const file = join(temporaryDirectory(), "file");
  writeFileSync(file, "");

  expect(() => openStateDirectory(join(file, "state"))).toThrow("cannot be created (ENOTDIR)");
});

test("a directory that cannot be written to is told with what to do", async () => {
  const path = hostDirectory();
  mkdirSync(join(path, "host.log"), { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);

  const { code, message } = await errorOf(hostAt(path).list({ ended: false }));

  expect([code, message]).toEqual([
    "DIRECTORY_UNSAFE",
    `${join(path, "host.log")} cannot be written to (EISDIR). Remove it.`,
  ]);
});

/** Root may write to every directory, but not to a disk that is read-only. */
function readOnlyDirectory(): string {
  const path = hostDirectory();
  mkdirSync(path, { mode: 0o500 });
  if (isRoot) {
    execFileSync("mount", ["-t", "tmpfs", "-o", "ro,mode=700", "none", path]);
    onTestFinished(() => void execFileSync("umount", ["-l", path]));
  }
  return path;
}

test("a directory that is read-only is told with what to do", async () => {
  const path = readOnlyDirectory();

  const { code, message } = await errorOf(hostAt(path).list({ ended: false }));

  expect([code, message]).toEqual([
    "DIRECTORY_UNSAFE",
    `${join(path, "host.log")} cannot be written to (${isRoot ? "EROFS" : "EACCES"}). Set LIMPET_HOME to a directory that you can write to.`,
  ]);
});

test.runIf(needs("root"))("another user is not served, even if the directory was opened to all since", async () => {
  const directory = hostDirectory();
  const client = hostAt(directory);
  await client.list({ ended: false });
  chmodSync(directory, 0o777);
  chmodSync(join(directory, ".."), 0o777);
  chmodSync(join(directory, "host.sock"), 0o777);

  const script = startScript("asks-a-host.mjs", [directory], `exec setpriv --reuid ${STRANGER} --clear-groups "$@"`);
  onTestFinished(() => endProcess(script.child.pid ?? 0));
  chmodSync(directory, 0o777);
  const answer = await script.next();
  chmodSync(directory, 0o700);

  expect(answer).toEqual({ said: "", isClosed: true });
});
