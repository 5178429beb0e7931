import { mkdir, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ownGroupPath } from "../../linux/cgroup.ts";
import { type Finding, reasonOf } from "./finding.ts";

const check = "cgroup";
const WITHOUT = "Closing a session searches /proc for its processes instead, and may miss well-hidden ones.";

/** Creates a cgroup below that of this process and removes it. */
export async function checkCgroup(own: string | undefined = ownGroupPath()): Promise<Finding> {
  if (own === undefined) {
    const what = "cgroup v2 is not mounted";
    return { check, verdict: "warn", what, meaning: `${WITHOUT} To fix this, mount cgroup2 at /sys/fs/cgroup.` };
  }
  const group = join(own, `limpet-doctor-${process.pid}`);
  try {
    await mkdir(group);
  } catch (error) {
    const what = `cannot create a cgroup in ${own} (${reasonOf(error)})`;
    const meaning = `${WITHOUT} To fix this, run limpet under systemd with Delegate=yes, or make the directory writable for this user.`;
    return { check, verdict: "warn", what, meaning };
  }
  try {
    const canKill = await stat(join(group, "cgroup.kill")).then(
      () => true,
      () => false,
    );
    const what = `created and removed a cgroup in ${own}`;
    return canKill
      ? {
          check,
          verdict: "ok",
          what,
          meaning: "Closing a session reliably ends everything it started.",
        }
      : {
          check,
          verdict: "warn",
          what,
          meaning: `This kernel cannot kill a whole cgroup at once. ${WITHOUT} To fix this, use Linux 5.14 or later.`,
        };
  } finally {
    await rmdir(group);
  }
}
