/**
 * Opens pipes for a program without a terminal. They are real pipes, not the socket pairs of `child_process`, so that
 * `/dev/stdin` can be opened.
 */
import { closeSync } from "node:fs";
import { LimpetError } from "../base/limpet-error.ts";
import { errno, errnoName, libc } from "../linux/libc.ts";

export interface Pipes {
  readonly ours: { readonly stdin: number; readonly stdout: number; readonly stderr: number };
  readonly theirs: { readonly stdin: number; readonly stdout: number; readonly stderr: number };
}

const O_CLOEXEC = 0o2000000;
const O_NONBLOCK = 0o4000;
const F_SETFL = 4;

export function openPipes(): Pipes {
  const opened: number[] = [];
  try {
    const [stdinRead, stdinWrite] = openPipe(opened);
    const [stdoutRead, stdoutWrite] = openPipe(opened);
    const [stderrRead, stderrWrite] = openPipe(opened);
    // Only our ends: programs expect a blocking stdin.
    for (const fd of [stdinWrite, stdoutRead, stderrRead]) libc.fcntl(fd, F_SETFL, O_NONBLOCK);
    return {
      ours: { stdin: stdinWrite, stdout: stdoutRead, stderr: stderrRead },
      theirs: { stdin: stdinRead, stdout: stdoutWrite, stderr: stderrWrite },
    };
  } catch (error) {
    for (const fd of opened) closeSync(fd);
    throw error;
  }
}

/** Returns the read end and the write end. Both are added to `opened`. */
export function openPipe(opened: number[] = []): [number, number] {
  const fds = Buffer.alloc(8);
  if (libc.pipe2(fds, O_CLOEXEC) !== 0) {
    throw new LimpetError(
      "RESOURCE_EXHAUSTED",
      `A pipe could not be opened (${errnoName(errno())}). Close sessions, or raise the limit of open files (ulimit -n).`,
    );
  }
  const pair: [number, number] = [fds.readInt32LE(0), fds.readInt32LE(4)];
  opened.push(...pair);
  return pair;
}
