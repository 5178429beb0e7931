/** `limpet record -o -`: writes a recording to stdout as it grows. The host records to a file that only we read. */
import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RecordOptions } from "../../record/record-source.ts";
import type { SessionService } from "../../service/session-service.ts";
import { writeBytes } from "../print/print.ts";

const LOOK_EVERY_MS = 50;
const CHUNK_BYTES = 64 * 1024;

/** Resolves when the session has ended, somebody has stopped the recording, or the reader of stdout is gone. */
export async function streamRecording(
  sessions: SessionService,
  id: number,
  options: Omit<RecordOptions, "file">,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "limpet-record-"));
  const file = join(folder, "stdout.cast");
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, onSignal);
  try {
    await sessions.record(id, { ...options, file });
    const source = await open(file);
    try {
      const buffer = Buffer.alloc(CHUNK_BYTES);
      const copy = async (): Promise<boolean> => {
        for (;;) {
          const { bytesRead } = await source.read(buffer, 0, CHUNK_BYTES);
          if (bytesRead === 0) return true;
          if (!(await writeBytes(Uint8Array.from(buffer.subarray(0, bytesRead))))) return false;
        }
      };
      let isRead = true;
      while (isRead && !stop.signal.aborted && (await isRecording(sessions, id, file))) {
        isRead = await copy();
        await sleep(LOOK_EVERY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
      }
      await sessions.stopRecording(id, { file }).catch(() => []);
      if (isRead) await copy();
    } finally {
      await source.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function isRecording(sessions: SessionService, id: number, file: string): Promise<boolean> {
  const all = await sessions.list({ ended: true, all: true });
  const recordings = all.find((session) => session.id === id)?.recordings ?? [];
  return recordings.some((state) => state.file === file && state.kind === "recording");
}
