/** Checks an audit on disk, and whether it ends where its writer says. */
import type { ChainEnd } from "./audit-chain.ts";
import { auditFiles, MAX_OLD_FILES } from "./audit-files.ts";
import { readAudit } from "./read-audit.ts";
import { type AuditCheck, ChainVerifier } from "./verify-chain.ts";

/** `written`: the last line that a running host has written; undefined if none runs. */
export async function verifyAudit(directory: string, written?: ChainEnd): Promise<AuditCheck> {
  const verifier = new ChainVerifier(written);
  for await (const { text, place } of readAudit(directory)) verifier.take(text, place);
  return verifier.result({ isOldestKept: auditFiles(directory).length <= MAX_OLD_FILES });
}
