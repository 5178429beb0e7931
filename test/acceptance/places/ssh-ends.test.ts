/** How programs behind ssh end: by a signal, by close, and when they ignore both. */
import { expect, test, vi } from "vitest";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { startSession, untilExited, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { uniqueSleep } from "../../support/containers/engine.ts";
import { needs } from "../../support/needs.ts";
import { sshPlace } from "../../support/places/ssh-place.ts";

// Several programs each, on a machine that does much else.
vi.setConfig({ testTimeout: 180_000 });
const PATIENCE = { timeout: 60_000 };
const SHELL = { shell: "/bin/sh" };
/** Each process of it ignores what close sends first. */
const stubborn = (command: string) => `trap '' HUP TERM INT; ${command}; true`;

test.skipIf(!needs("sshd", "ssh-keygen", "setsid"))(
  "close ends a program on pipes, one that ignores the hang-up, and its orphan, and says so",
  async () => {
    const client = (await sshPlace()).client();
    const [piped, kept, orphan] = [uniqueSleep(), uniqueSleep(), uniqueSleep()];
    const onPipes = await startSession(client, { command: `${piped.command}; true`, tty: false, ...SHELL });
    const ignoring = `trap '' HUP; setsid ${orphan.command} & ${kept.command}; true`;
    const inTerminal = await startSession(client, { command: ignoring, ...SHELL });
    await expect.poll(() => [piped, kept, orphan].map(({ pids }) => pids().length), PATIENCE).toEqual([1, 1, 1]);

    const closed = [
      await client.close(onPipes.id, { force: false }),
      await client.close(inTerminal.id, { force: false }),
    ];

    expect(closed.map(({ report }) => report.left)).toEqual([[], []]);
    expect(closed.map(({ report }) => report.ended.filter(({ name }) => name === "sleep").length)).toEqual([1, 2]);
    expect([piped, kept, orphan].map(({ pids }) => pids())).toEqual([[], [], []]);
  },
);

const OTHER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

test.skipIf(!needs("sshd", "ssh-keygen", "root"))(
  "a program of the user who logged in, and of another one, gets SIGTERM, and close ends it even if it ignores that",
  async () => {
    const client = (await sshPlace()).client();

    const ends = await Promise.all([endsOf(client, ["/bin/sh", "-c"]), endsOf(client, [...OTHER, "/bin/sh", "-c"])]);

    const expected = { obeys: { kind: "signal", signal: "SIGTERM" }, ignores: 1, after: 0, left: [], isKilled: true };
    expect(ends).toEqual([expected, expected]);
  },
);

async function endsOf(client: HostClient, [program = "", ...args]: readonly string[]) {
  const { command, pids } = uniqueSleep();
  const obeying = await startSession(client, { program, args: [...args, "echo started; sleep 100000"] });
  const ignoring = await startSession(client, { program, args: [...args, `echo started; ${stubborn(command)}`] });
  for (const { id } of [obeying, ignoring])
    await waitForSession(client, { keys: [id], until: "started", onInput: false, deadlineMs: 60_000 });
  await expect.poll(() => pids().length, PATIENCE).toBe(1);
  for (const { id } of [obeying, ignoring]) await client.signal(id, { signal: "SIGTERM", to: "tree" });
  const obeys = await untilExited(client, obeying.id, AbortSignal.timeout(60_000));
  const ignores = pids().length;
  const { report } = await client.close(ignoring.id, { force: false });
  const isKilled = report.ended.some(({ signal }) => signal === "SIGKILL");
  return { obeys, ignores, after: pids().length, left: report.left, isKilled };
}
