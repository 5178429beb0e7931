/**
 * Which file a process is blocked opening. A named pipe that nobody has opened for writing blocks its reader in `open`.
 * The kernel reports that call, so another process cannot fake it.
 */
import { readShortProcFile } from "../proc-file.ts";
import { readMemory } from "../processes/read-memory.ts";

/** The numbers of `open` and `openat`, and which argument is the path. */
const CALLS: Readonly<Record<string, Readonly<Record<number, 1 | 2>>>> = {
  x64: { 2: 1, 257: 2 },
  arm64: { 56: 2 },
};
/** limpet uses no longer path. */
const MOST_BYTES = 256;
const BLOCKED = /^(\d+) (0x[0-9a-f]+) (0x[0-9a-f]+)/;

/** Pure: the address of the path that a process opens, from `/proc/PID/syscall`; undefined in any other call. */
export function openedPathAt(syscall: string, arch: string): bigint | undefined {
  const found = BLOCKED.exec(syscall);
  const argument = found ? CALLS[arch]?.[Number(found[1])] : undefined;
  return argument === undefined ? undefined : BigInt(found?.[argument + 1] ?? 0);
}

/** The path as the process gave it; undefined also if the kernel does not show it. Costs about 20 µs. */
export function openingFile(pid: number): string | undefined {
  const at = openedPathAt(readShortProcFile(`/proc/${pid}/syscall`) ?? "", process.arch);
  if (at === undefined) return undefined;
  const memory = readMemory(`/proc/${pid}`, at, MOST_BYTES);
  const end = memory.indexOf(0);
  return end < 0 ? undefined : memory.toString("utf8", 0, end);
}
