/**
 * Starts a process of limpet that outlives the one that starts it, such as a host: in its own kernel session, with a
 * log file instead of a terminal.
 *
 * A shell starts it in the background and ends, so that it is not a descendant of this process: some agents end every
 * process below their own when they end.
 */
import { spawn } from "node:child_process";
import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync, readFileSync, statSync } from "node:fs";
import type { Readable } from "node:stream";
import { HOST_LOG_BYTES } from "../../base/limits.ts";
import { inState } from "../state/state-directory.ts";

interface DetachedOptions {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The path of its log. */
  readonly log: string;
}

export interface DetachedProcess {
  /** It has ended, and not because another one was already running. */
  hasFailed(): boolean;
  /** The first line that it wrote since its start; empty if it wrote nothing. */
  firstLine(): string;
  forget(): void;
}

const MAX_QUOTED_BYTES = 2_000;
const IN_BACKGROUND = '"$@" &';

export function startDetached({ words, env, log: path }: DetachedOptions): DetachedProcess {
  const bytesBefore = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const log = inState(path, () => openLog(path));
  try {
    const shell = spawn("/bin/sh", ["-c", IN_BACKGROUND, "sh", ...words], {
      detached: true,
      stdio: ["ignore", log, log, "pipe"],
      cwd: "/",
      env: { ...env },
    });
    shell.unref();
    const follow = followStart(shell.stdio[3] as Readable, (onError) => shell.on("error", onError));
    return { ...follow, firstLine: () => firstLineAfter(path, bytesBefore) };
  } finally {
    closeSync(log);
  }
}

/** It keeps its end of the pipe open while it runs, and writes `second` to it if another one was already running. */
function followStart(pipe: Readable, onSpawnError: (listener: () => void) => void): Omit<DetachedProcess, "firstLine"> {
  let isOver = false;
  let isSecond = false;
  const end = () => {
    isOver = true;
  };
  pipe.on("data", (written: Buffer) => {
    if (written.includes("second")) isSecond = true;
  });
  pipe.on("close", end);
  pipe.on("error", end);
  onSpawnError(end);
  return { hasFailed: () => isOver && !isSecond, forget: () => pipe.destroy() };
}

/** Opens the log for appending, and empties it if it is too large. */
function openLog(path: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const log = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  fchmodSync(log, 0o600);
  if (fstatSync(log).size > HOST_LOG_BYTES) ftruncateSync(log);
  return log;
}

function firstLineAfter(log: string, start: number): string {
  const written = readFileSync(log)
    .subarray(start, start + MAX_QUOTED_BYTES)
    .toString("utf8");
  return written.trim().split("\n", 1)[0] ?? "";
}
