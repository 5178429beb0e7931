import { mkdir, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ownGroupPath } from "../../linux/cgroup.ts";
import { type Finding, reasonOf } from "./finding.ts";

const check = "cgroup";
const WITHOUT = "Closing a session looks for its processes in /proc instead, which finds all but the most hidden ones.";

/** Makes a control group below the one of this process and removes it again. */
export async function checkCgroup(own: string | undefined = ownGroupPath()): Promise<Finding> {
  if (own === undefined) {
    const what = "no cgroup version 2 is mounted";
    return { check, verdict: "warn", what, meaning: `${WITHOUT} Mount cgroup2 at /sys/fs/cgroup to have it exact.` };
  }
  const group = join(own, `limpet-doctor-${process.pid}`);
  try {
    await mkdir(group);
  } catch (error) {
    const what = `no group can be made in ${own} (${reasonOf(error)})`;
    const meaning = `${WITHOUT} Run under systemd with Delegate=yes, or give this user the directory, to have it exact.`;
    return { check, verdict: "warn", what, meaning };
  }
  try {
    const canKill = await stat(join(group, "cgroup.kill")).then(
      () => true,
      () => false,
    );
    const what = `made and removed a group in ${own}`;
    return canKill
      ? {
          check,
          verdict: "ok",
          what,
          meaning: "Closing a session ends all that it started, and the kernel vouches for it.",
        }
      : {
          check,
          verdict: "warn",
          what,
          meaning: `This kernel cannot end a whole group at once. ${WITHOUT} Linux 5.14 can.`,
        };
  } finally {
    await rmdir(group);
  }
}
