/**
 * `limpet` as a user of its own who may use sudo with a password. The user exists only in a mount namespace, where other
 * files lie over those of the system: nothing of the machine is changed. Needs root.
 */
import { type ChildProcess, execFile, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const USER = "limpet-test";
const ID = 54_321;
const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** Everything that the user reaches is below /mnt: folders on the way may be closed to others. */
const ENTER = `set -e
mount -t tmpfs tmpfs /mnt
mkdir /mnt/repo /mnt/home
: > /mnt/node
mount --bind "$1" /mnt/repo
mount --bind "$2" /mnt/node
mount --bind "$3/home" /mnt/home
mount --bind "$3/passwd" /etc/passwd
mount --bind "$3/shadow" /etc/shadow
mount --bind "$3/sudoers" /etc/sudoers
shift 3
cd /mnt/home
exec setpriv --reuid=${ID} --regid=${ID} --clear-groups env -i HOME=/mnt/home USER=${USER} TMPDIR=/mnt/home/tmp \
  LIMPET_HOME=/mnt/home/state SHELL=/bin/bash PATH=/mnt/home/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin LANG=C.UTF-8 \
  /mnt/node /mnt/repo/dist/bin/main.js "$@"
`;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface OtherUser {
  /** What is in it belongs to the user. Programs in `bin` come before those of the system. */
  readonly home: string;
  /** The words of a command that runs `limpet` with these words. */
  command(...words: string[]): readonly [string, ...string[]];
  limpet(words: readonly string[], input?: string): Promise<Ended>;
  /** Ends the host, and removes all files. */
  close(): Promise<void>;
}

export function openOtherUser(password: string): OtherUser {
  const folder = mkdtempSync(join(tmpdir(), "limpet-user-"));
  const home = join(folder, "home");
  for (const path of [home, join(home, "tmp")]) {
    mkdirSync(path);
    chownSync(path, ID, ID);
  }
  const hash = spawnSync("perl", ["-e", 'print crypt($ARGV[0], "\\$6\\$limpettest\\$")', password]).stdout.toString();
  const put = (name: string, text: string, mode: number) => {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), mode);
  };
  put("passwd", `${readFileSync("/etc/passwd", "utf8")}${USER}:x:${ID}:${ID}::/mnt/home:/bin/bash\n`, 0o644);
  put("shadow", `${readFileSync("/etc/shadow", "utf8")}${USER}:${hash}:19000:0:99999:7:::\n`, 0o640);
  const defaults = `timestamp_timeout=0, timestampdir=${join(folder, "ts")}, lecture=never, passwd_tries=1`;
  put("sudoers", `Defaults ${defaults}\n${USER} ALL=(ALL) ALL\n`, 0o440);
  put("enter", ENTER, 0o644);
  const command: OtherUser["command"] = (...words) => [
    "unshare",
    ...["-m", "sh", join(folder, "enter"), REPOSITORY, process.execPath, folder, ...words],
  ];
  const running = new Set<ChildProcess>();
  const limpet: OtherUser["limpet"] = (words, input = "") =>
    new Promise((resolve) => {
      const [program, ...args] = command(...words);
      const child = execFile(program, args, (error, stdout, stderr) => {
        running.delete(child);
        resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr });
      });
      running.add(child);
      // A command that reads no input may end first.
      child.stdin?.on("error", () => undefined).end(input);
    });
  return {
    home,
    command,
    limpet,
    async close() {
      await limpet(["host", "stop"]);
      for (const child of running) child.kill("SIGKILL");
      rmSync(folder, { recursive: true });
    },
  };
}
