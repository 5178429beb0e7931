/** The audit of a host as a stream, for clients on other machines. */
import { auditFiles } from "../safety/audit/audit-files.ts";
import { type RawLine, readAudit } from "../safety/audit/read-audit.ts";

/** The most audit lines in one message. */
const MAX_LINES = 200;

export interface AuditPart {
  readonly lines: readonly RawLine[];
  /** How many files the audit has. */
  readonly files: number;
}

interface AuditOptions {
  /** Also sends lines that are written later. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/** At least one part, which may be empty. */
export async function* auditParts(
  directory: string,
  { follow, signal }: AuditOptions,
): AsyncGenerator<AuditPart, void, undefined> {
  const part = (lines: readonly RawLine[]) => ({ lines, files: auditFiles(directory).length });
  let lines: RawLine[] = [];
  for await (const line of readAudit(directory, { follow, signal })) {
    lines.push(line);
    if (!follow && lines.length < MAX_LINES) continue;
    yield part(lines);
    lines = [];
  }
  yield part(lines);
}
