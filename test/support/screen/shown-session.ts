/** Sessions of a command line whose screen shows something. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import type { Cli } from "../cli.ts";
import { until } from "../sessions.ts";
import { LONG_MS } from "../watching.ts";

/** Why the wait for the text ended. */
export async function untilShown(cli: Cli, id: number, until: string): Promise<string | undefined | null> {
  const wait = { kind: "screen", until, deadlineMs: LONG_MS } as const;
  const on = { kind: "session", key: id } as const;
  return (await cli.sessions.turn({ caller: "test", on, wait, read: { kind: "screen" } })).screen?.reason;
}

/** A session whose screen shows what is asked for. */
export async function showing(cli: Cli, command: string, what: string, size = { cols: 40, rows: 8 }): Promise<number> {
  const { id } = await startSession(cli.sessions, { command, shell: "/bin/bash", login: false, size });
  expect(await untilShown(cli, id, what)).toBe("matched");
  return id;
}

/** Waits until a call waits for the session. */
export async function untilUsed(cli: Cli, id: number): Promise<void> {
  const idleMs = async () => (await cli.sessions.list({ ended: true })).find((each) => each.id === id)?.idleMs;
  // The first may be right after a call.
  const isUsed = async () => (await idleMs()) === 0 && (await sleep(5, true)) && (await idleMs()) === 0;
  await until(isUsed, `somebody uses session ${id}`);
}

export async function enter(cli: Cli, id: number): Promise<void> {
  const input = { strokes: [{ kind: "text", text: "\n" }] } as const;
  await cli.sessions.turn({ caller: "test", on: { kind: "session", key: id }, input });
}
