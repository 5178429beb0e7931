/** Checks an audit on disk, and that its last line is the one that its writer reports. */
import type { ChainEnd } from "./audit-chain.ts";
import { auditFiles, MAX_OLD_FILES } from "./audit-files.ts";
import { type AuditCheck, ChainVerifier } from "./chain-verifier.ts";
import { type RawLine, readAudit } from "./read-audit.ts";

interface Verified {
  /** All of its lines, oldest first. */
  readonly lines: AsyncIterable<RawLine>;
  /** How many files it has, once its lines were read. */
  readonly files: () => number;
  /** The last line that a running host has written; undefined if none runs. */
  readonly written?: ChainEnd | undefined;
}

/** Of a directory. `written`: the last line that a running host has written; undefined if none runs. */
export async function verifyAudit(directory: string, written?: ChainEnd): Promise<AuditCheck> {
  return await verifyLines({ lines: readAudit(directory), files: () => auditFiles(directory).length, written });
}

export async function verifyLines({ lines, files, written }: Verified): Promise<AuditCheck> {
  const verifier = new ChainVerifier(written);
  for await (const { text, place } of lines) verifier.take(text, place);
  return verifier.result({ isOldestKept: files() <= MAX_OLD_FILES });
}
