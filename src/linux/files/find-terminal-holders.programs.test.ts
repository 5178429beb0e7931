import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readlinkSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { needs } from "../../../test/support/needs.ts";
import { openSession } from "../../session/open/open-session.ts";
import { findTerminalHolders } from "./find-terminal-holders.ts";

const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
});

/** Says so once it holds /dev/pts/N, and sleeps. */
const HOLDER = `
import os, sys, time
path = sys.argv[1]
while not os.path.exists(path): os.openpty()
held = os.open(path, os.O_RDWR | os.O_NOCTTY)
print("holds", flush=True)
time.sleep(60)
`;

async function hold(path: string, before: readonly string[] = []): Promise<number> {
  const [program = "", ...args] = [...before, "python3", "-c", HOLDER, path];
  // Its own session: it has no controlling terminal.
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"], detached: true });
  children.push(child);
  await once(child.stdout as NonNullable<ChildProcess["stdout"]>, "data");
  return child.pid as number;
}

async function openTerminal() {
  const session = await openSession({ program: "sleep", args: ["60"] });
  return { session, path: readlinkSync(`/proc/${session.pid}/fd/0`) };
}

test.skipIf(!needs("python3"))(
  "a process that has a terminal open without being controlled by it is found",
  async () => {
    const { session, path } = await openTerminal();

    const pid = await hold(path);

    expect(await findTerminalHolders(path)).toEqual([pid]);
    await session.close();
  },
);

test.skipIf(!needs("python3") || !needs("bwrap"))(
  "a terminal of a container with the same path is another one",
  async () => {
    const { session, path } = await openTerminal();

    await hold(path, ["bwrap", "--dev-bind", "/", "/", "--dev", "/dev", "--die-with-parent"]);

    expect(await findTerminalHolders(path)).toEqual([]);
    await session.close();
  },
);
