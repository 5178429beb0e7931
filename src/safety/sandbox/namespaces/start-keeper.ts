/**
 * Keeps namespaces open for the programs of one restricted thread. A restricted program can open only the namespaces of
 * processes with the same restriction, and the process that bwrap started has none. So one more restricted process
 * enters the namespaces, by descriptors that were opened outside, and programs enter the namespaces of that process.
 */
import { closeSync, readSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { LimpetError } from "../../../base/limpet-error.ts";
import { openPipes } from "../../../pty/open-pipes.ts";
import type { SpawnOptions, Stdio } from "../../../pty/spawn-program.ts";
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
  /** Resolves when the process is in the namespaces. */
  readonly ready: Promise<void>;
}

const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 1;
const REASON_BYTES = 1_000;

/** `spawn` starts a program in the restricted thread. */
export function startKeeper(entrance: Entrance, spawn: (options: SpawnOptions, stdio: Stdio) => number): Keeper {
  const { ours, theirs } = openPipes();
  try {
    const pid = spawn(keepingCommand(entrance), { kind: "pipes", ...theirs, more: entrance.descriptors });
    // It repeats what it reads as soon as it is in the namespaces.
    writeSync(ours.stdin, "\n");
    return { pid, lifeline: ours.stdin, ready: untilThere(ours) };
  } catch (error) {
    for (const fd of Object.values(ours)) closeSync(fd);
    throw error;
  } finally {
    for (const fd of Object.values(theirs)) closeSync(fd);
  }
}

/** Closes both descriptors. */
async function untilThere({ stdout, stderr }: { readonly stdout: number; readonly stderr: number }): Promise<void> {
  try {
    let answer: string | undefined;
    const deadlineMs = performance.now() + PATIENCE_MS;
    while (answer === undefined && performance.now() < deadlineMs) {
      await sleep(LOOK_EVERY_MS);
      answer = readNow(stdout);
    }
    if (answer === "\n") return;
    const reason = readNow(stderr)?.trim() || "it ended";
    throw new LimpetError(
      "SANDBOX_UNAVAILABLE",
      `The namespaces of bwrap could not be entered (${reason}). Run limpet doctor, or set "with" to "landlock".`,
    );
  } finally {
    closeSync(stdout);
    closeSync(stderr);
  }
}

/** Undefined if there is nothing yet; empty at the end. */
function readNow(fd: number): string | undefined {
  const buffer = Buffer.alloc(REASON_BYTES);
  try {
    return buffer.toString("utf8", 0, readSync(fd, buffer));
  } catch {
    return undefined;
  }
}
