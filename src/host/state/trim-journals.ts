/** Limits the disk space of ended sessions: deletes the oldest journals. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SessionRegistry } from "../../session/registry/session-registry.ts";

export interface TrimOptions {
  readonly sessionsDirectory: string;
  readonly maxBytes: number;
}

/** Resolves with the ids of the deleted sessions. */
export async function trimJournals(
  registry: SessionRegistry,
  { sessionsDirectory, maxBytes }: TrimOptions,
): Promise<readonly number[]> {
  const ended = registry.list({ ended: true }).filter((session) => session.phase === "ended");
  const bytes = await bytesById(sessionsDirectory);
  let total = ended.reduce((sum, { id }) => sum + (bytes.get(id) ?? 0), 0);
  const deleted: number[] = [];
  for (const { id } of ended) {
    if (total <= maxBytes) break;
    total -= bytes.get(id) ?? 0;
    deleted.push(id);
    await registry.close(id, { force: true }).catch(() => undefined);
  }
  return deleted;
}

async function bytesById(sessionsDirectory: string): Promise<Map<number, number>> {
  const names = await readdir(sessionsDirectory).catch(() => []);
  const sizes = names.map(
    async (name) => [Number.parseInt(name, 10), await bytesIn(join(sessionsDirectory, name))] as const,
  );
  return new Map(await Promise.all(sizes));
}

async function bytesIn(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => []);
  const sizes = names.map(async (name) => (await stat(join(directory, name)).catch(() => undefined))?.size ?? 0);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
