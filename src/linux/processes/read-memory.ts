/** Reads memory of another process, if the kernel allows it. */
import { closeSync, openSync, readSync } from "node:fs";
import { withSpareDescriptor } from "../spare-descriptor.ts";

/** `process`: its directory in /proc, or that of one of its threads. Empty if the memory cannot be read. */
export function readMemory(process: string, at: bigint, bytes: number): Buffer {
  if (at === 0n || bytes === 0) return Buffer.alloc(0);
  const memory = Buffer.alloc(bytes);
  try {
    const file = withSpareDescriptor(() => openSync(`${process}/mem`, "r"));
    try {
      return memory.subarray(0, readSync(file, memory, 0, bytes, at));
    } finally {
      closeSync(file);
    }
  } catch {
    return Buffer.alloc(0);
  }
}
