/** The files of an audit: `audit.log` is the current one, `audit.1.log` the one before it, and so on. */
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/** How many older files are kept. */
export const MAX_OLD_FILES = 9;
const OLD = /^audit\.(\d+)\.log$/;

export function auditFile(directory: string): string {
  return join(directory, "audit.log");
}

export function auditLock(directory: string): string {
  return join(directory, "audit.lock");
}

/** All that exist, oldest first. */
export function auditFiles(directory: string): readonly string[] {
  const old = existsSync(directory) ? readdirSync(directory).flatMap((name) => OLD.exec(name)?.[1] ?? []) : [];
  const current = auditFile(directory);
  return [
    ...old
      .map(Number)
      .sort((one, other) => other - one)
      .map((number) => oldFile(directory, number)),
    ...(existsSync(current) ? [current] : []),
  ];
}

/** Makes room for a new `audit.log`. The oldest file is removed. */
export function rotateFiles(directory: string): void {
  rmSync(oldFile(directory, MAX_OLD_FILES), { force: true });
  for (let number = MAX_OLD_FILES - 1; number > 0; number -= 1) {
    if (existsSync(oldFile(directory, number))) renameSync(oldFile(directory, number), oldFile(directory, number + 1));
  }
  renameSync(auditFile(directory), oldFile(directory, 1));
}

function oldFile(directory: string, number: number): string {
  return join(directory, `audit.${number}.log`);
}
