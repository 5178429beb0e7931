/** Passes stdin on to the program of `limpet run`. */
import { fstatSync, statSync } from "node:fs";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { SessionService } from "../../service/session-service.ts";
import { waitForSession } from "../../service/turn/simple-turns.ts";
import { PERSON } from "../with-host.ts";

/** `nothing`: /dev/null, or closed; Node opens /dev/null for a closed stdin. */
export type StdinKind = "terminal" | "nothing" | "stream";

const STDIN = 0;
const CTRL_D = "\x04";
/** Gives up on a program that still reads after this many ends of input. */
const MAX_ENDS = 16;

export function kindOfStdin(): StdinKind {
  if (process.stdin.isTTY) return "terminal";
  return fstatSync(STDIN).rdev === statSync("/dev/null").rdev ? "nothing" : "stream";
}

/** Runs until stdin or the program ends, no faster than the program reads. Never rejects. */
export async function passStdin(sessions: SessionService, key: SessionKey, kind: StdinKind): Promise<void> {
  try {
    if (kind === "stream") await passStream(sessions, key);
    if (kind === "nothing") await passEnd(sessions, key);
  } catch {
    // The program or the host has ended: waiting for the program's end reports it.
  }
}

/** For a program without a terminal, whose input can end. */
async function passStream(sessions: SessionService, key: SessionKey): Promise<void> {
  try {
    for await (const part of process.stdin) await sessions.write(key, part as Buffer, { by: "person" });
  } finally {
    await sessions.write(key, null, { by: "person" });
  }
}

/** For a program in a terminal: presses Ctrl+D each time it waits for a line. */
async function passEnd(sessions: SessionService, key: SessionKey): Promise<void> {
  for (let ends = 0; ends < MAX_ENDS; ends += 1) {
    const { result } = await waitForSession(sessions, { keys: [key], onInput: true, caller: PERSON });
    if (result.reason !== "input") return;
    // A program that reads single keys takes Ctrl+D for a key.
    if (result.waitingFor !== "line" && result.waitingFor !== "password") return;
    await sessions.write(key, CTRL_D, { by: "person" });
  }
}
