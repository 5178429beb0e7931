/**
 * What a session leaves behind when it would rather not be found.
 *
 * @own-process It counts the signal listeners of its process.
 */

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSession } from "../../../src/entries/session.ts";
import { Cgroup, groupsBelow } from "../../../src/linux/cgroup.ts";
import { needs } from "../../support/needs.ts";

const LONG_MS = 20_000;

function ownGroup(): string {
  const mount = /^\S+ \S+ \S+ \S+ (\S+) .* - cgroup2 /m.exec(readFileSync("/proc/self/mountinfo", "utf8"))?.[1] ?? "";
  return join(mount, /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1] ?? "");
}

/** The control groups of this process, with the processes in them. */
function heldGroups(): string[] {
  const own = ownGroup();
  const names = existsSync(own) ? readdirSync(own).filter((name) => name.split("-")[2] === String(process.pid)) : [];
  return names.flatMap((name) => groupsBelow(join(own, name))).map((path) => `${path}: ${new Cgroup(path).pids()}`);
}

test.skipIf(!needs("root"))("a program that leaves its control group is ended all the same", async () => {
  const command = `echo $$ > ${ownGroup()}/cgroup.procs; (setsid sleep 1000 &); echo ready; exec sleep 1000`;
  const session = await openSession({ command, shell: "/bin/sh" });
  await session.wait({ until: "ready", deadlineMs: LONG_MS });

  const { ended, left } = await session.close({ force: true });

  expect(ended).toHaveLength(2);
  expect(left).toEqual([]);
  expect(session.phase).toBe("ended");
});

test("a session whose daemon has ended is released", async () => {
  const session = await openSession({ command: "setsid sleep 0.5 & exit 0", shell: "/bin/sh" });
  await session.ended;

  await expect
    .poll(() => ({ listeners: process.listenerCount("SIGTERM"), held: heldGroups() }))
    .toEqual({
      listeners: 0,
      held: [],
    });
});

test.skipIf(!needs("root"))(
  "as process 1, which inherits every orphan, a daemon of the session is still its own",
  () => {
    const output = execFileSync(
      "unshare",
      ["-pf", "--mount-proc", process.execPath, "test/programs/leaves-a-daemon.mjs"],
      { encoding: "utf8" },
    );

    expect(JSON.parse(output)).toMatchObject({ left: [], survivors: 0 });
  },
);

test.skipIf(!needs("root", "python3"))("a server in a separate network namespace is found", async () => {
  const server =
    "import http.server as h; h.HTTPServer(('0.0.0.0', 38201), h.SimpleHTTPRequestHandler).serve_forever()";
  const session = await openSession({ program: "sh", args: ["-c", `unshare -n python3 -c "${server}" & wait`] });

  const yielded = await session.wait({ port: 38201, deadlineMs: LONG_MS });

  expect(yielded).toMatchObject({ reason: "listening", port: 38201, address: "0.0.0.0" });
  await session.close({ force: true });
});
