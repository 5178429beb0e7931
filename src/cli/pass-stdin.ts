/** Our own stdin, passed on to the program that `limpet run` runs. */
import { fstatSync, statSync } from "node:fs";
import type { SessionService } from "../service/session-service.ts";
import { waitForSession } from "../service/simple-turns.ts";

/** `nothing`: /dev/null, or closed, which Node makes the same. */
export type InputKind = "terminal" | "nothing" | "stream";

const STDIN = 0;
const CTRL_D = "\x04";
/** A program that asks again after so many ends of its input does not want to end. */
const MAX_ENDS = 16;

export function kindOfInput(): InputKind {
  if (process.stdin.isTTY) return "terminal";
  return fstatSync(STDIN).rdev === statSync("/dev/null").rdev ? "nothing" : "stream";
}

/** Until its end or the program's, no faster than the program reads. Never rejects. */
export async function passInput(sessions: SessionService, id: number, kind: InputKind): Promise<void> {
  try {
    if (kind === "stream") await passStream(sessions, id);
    if (kind === "nothing") await passEnd(sessions, id);
  } catch {
    // It has ended, or the host has: whoever waits for its end is told.
  }
}

/** To a program without a terminal, where bytes are bytes and have an end. */
async function passStream(sessions: SessionService, id: number): Promise<void> {
  try {
    for await (const part of process.stdin) await sessions.write(id, part as Buffer, { by: "person" });
  } finally {
    await sessions.write(id, null, { by: "person" });
  }
}

/** To a program in a terminal, whose input has no end: each time that it waits for a line, there is none. */
async function passEnd(sessions: SessionService, id: number): Promise<void> {
  for (let ends = 0; ends < MAX_ENDS; ends += 1) {
    const { result } = await waitForSession(sessions, { keys: [id], onInput: true });
    if (result.reason !== "input") return;
    // Where single keys are read, Ctrl+D is one of them.
    if (result.waitingFor !== "line" && result.waitingFor !== "password") return;
    await sessions.write(id, CTRL_D, { by: "person" });
  }
}
