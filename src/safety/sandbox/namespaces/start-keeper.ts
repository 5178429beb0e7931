/**
 * Keeps namespaces open for the programs of one restricted thread. A program can look at the namespaces of processes
 * in its own restriction alone, and the process that bwrap started is in none. So one more process enters them, by
 * descriptors that were opened outside, and programs follow it.
 */
import { closeSync, readSync, writeSync } from "node:fs";
import { LimpetError } from "../../../base/limpet-error.ts";
import { openPipes } from "../../../pty/open-pipes.ts";
import { spawnProgram } from "../../../pty/spawn-program.ts";
import { type Entry, keepingCommand } from "./entering-command.ts";

/** What a restricted thread needs to start programs in namespaces. */
export interface Entrance extends Entry {
  /** Of the namespaces, in the order of `kinds`. */
  readonly descriptors: readonly number[];
}

export interface Keeper {
  readonly pid: number;
  /** The process ends when this descriptor is closed, at the latest with this process. */
  readonly lifeline: number;
}

const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 1;
const REASON_BYTES = 1_000;

/** Returns when the process is in the namespaces. */
export function startKeeper(entrance: Entrance): Keeper {
  const { ours, theirs } = openPipes();
  try {
    const pid = spawnProgram(keepingCommand(entrance), { kind: "pipes", ...theirs, more: entrance.descriptors });
    for (const fd of Object.values(theirs)) closeSync(fd);
    // It repeats what it reads, but not before it is there.
    writeSync(ours.stdin, "\n");
    const answer = readSoon(ours.stdout);
    if (answer === "\n") return { pid, lifeline: ours.stdin };
    const reason = readNow(ours.stderr)?.trim() ?? "no answer";
    throw new LimpetError(
      "SANDBOX_UNAVAILABLE",
      `The namespaces of bwrap could not be entered (${reason}). Run limpet doctor, or set "with" to "landlock".`,
    );
  } catch (error) {
    closeSync(ours.stdin);
    throw error;
  } finally {
    closeSync(ours.stdout);
    closeSync(ours.stderr);
  }
}

/** The first that arrives, or an empty text at the end. */
function readSoon(fd: number): string | undefined {
  const still = new Int32Array(new SharedArrayBuffer(4));
  for (const deadlineMs = performance.now() + PATIENCE_MS; performance.now() < deadlineMs; ) {
    const text = readNow(fd);
    if (text !== undefined) return text;
    Atomics.wait(still, 0, 0, LOOK_EVERY_MS);
  }
  return undefined;
}

/** Undefined if there is nothing yet. */
function readNow(fd: number): string | undefined {
  const buffer = Buffer.alloc(REASON_BYTES);
  try {
    return buffer.toString("utf8", 0, readSync(fd, buffer));
  } catch {
    return undefined;
  }
}
