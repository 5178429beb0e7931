/**
 * Runs a script as a user of its own who may use podman without root. The user exists only in namespaces of its own,
 * where other files lie over those of the system: nothing of the machine is changed, and everything that the user
 * started ends with the script. Needs root.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
// @ts-expect-error A script without types.
import { busyboxTar } from "./busybox-tar.mjs";
// @ts-expect-error A script without types.
import { CONTAINERS_CONF } from "./containers-conf.mjs";

const ID = 54_321;
const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));
const PATIENCE_MS = 120_000;

/** Everything that the user reaches is below /mnt: folders on the way may be closed to others. */
const ENTER = `set -e
mount -t tmpfs tmpfs /mnt
mkdir -p /mnt/repo /mnt/run /mnt/home/.config/containers
: > /mnt/node
mount --bind "$1" /mnt/repo
mount --bind "$2" /mnt/node
cp "$3/containers.conf" "$3/storage.conf" "$3/policy.json" /mnt/home/.config/containers
cp "$3/root.tar" /mnt/home/box.tar
chown -R ${ID}:${ID} /mnt/home /mnt/run
chmod 700 /mnt/home /mnt/run
cp -a /etc /mnt/etc
cp "$3/passwd" /mnt/etc/passwd
cp "$3/subuid" /mnt/etc/subuid
cp "$3/subuid" /mnt/etc/subgid
mount --bind /mnt/etc /etc
cd /mnt/home
exec setpriv --reuid=${ID} --regid=${ID} --clear-groups env -i HOME=/mnt/home USER=limpet-test TMPDIR=/mnt/home \\
  XDG_RUNTIME_DIR=/mnt/run LIMPET_HOME=/mnt/home/state SHELL=/bin/sh PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \\
  /mnt/node "/mnt/repo/$4" /mnt/home/box.tar
`;

/** Resolves with what the script printed. `script`: its path in the repository; its argument is an image's tar file. */
export async function asRootlessUser(script: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "limpet-rootless-"));
  try {
    const put = (name: string, ...lines: string[]) => writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
    put("enter", ENTER);
    put("containers.conf", ...CONTAINERS_CONF);
    put("storage.conf", "[storage]", 'driver = "vfs"');
    put("policy.json", '{"default":[{"type":"insecureAcceptAnything"}]}');
    put("passwd", readFileSync("/etc/passwd", "utf8").trimEnd(), `limpet-test:x:${ID}:${ID}::/mnt/home:/bin/sh`);
    put("subuid", "limpet-test:100000:65536");
    busyboxTar(folder);
    // A process namespace: what the first process has started ends with it.
    const words = ["-m", "-p", "-f", "--mount-proc", "--kill-child", "sh", join(folder, "enter")];
    const { stdout } = await promisify(execFile)("unshare", [...words, REPOSITORY, process.execPath, folder, script], {
      timeout: PATIENCE_MS,
      killSignal: "SIGKILL",
    });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
