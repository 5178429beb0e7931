/** A service of this process whose acts are written to an audit of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { AuditAct } from "../../src/safety/audit/audit.ts";
import { type AuditLine, parseLine } from "../../src/safety/audit/audit-chain.ts";
import { AuditLog, type AuditOptions } from "../../src/safety/audit/audit-log.ts";
import { readAudit } from "../../src/safety/audit/read-audit.ts";
import { LocalService } from "../../src/service/local-service.ts";
import { SessionRegistry } from "../../src/session/registry/session-registry.ts";
import { profiles } from "../../src/tools/profiles.ts";

export async function linesOf(directory: string): Promise<AuditLine[]> {
  const lines: AuditLine[] = [];
  for await (const { text } of readAudit(directory)) {
    const line = parseLine(text);
    if (line) lines.push(line);
  }
  return lines;
}

interface AuditedOptions extends Omit<AuditOptions, "directory"> {
  /** The folder of the audit, below `directory`. Default: `directory` itself. */
  readonly folder?: string;
}

/** The sessions and the audit end with the test. */
export function audited({ folder = "", ...options }: AuditedOptions = {}) {
  const directory = mkdtempSync(join(tmpdir(), "limpet-audited-"));
  const audit = new AuditLog({ directory: join(directory, folder), ...options });
  const registry = new SessionRegistry();
  onTestFinished(async () => {
    await registry.closeAll({ force: true });
    await audit.close();
    rmSync(directory, { recursive: true });
  });
  const sessions = new LocalService(registry, { audit });
  const call = async (name: string, args: unknown) => {
    const tool = profiles.all.tools.find((each) => each.name === name);
    const result = await tool?.call(args, { sessions, caller: "tester" });
    if (!result || result.isError) throw new Error(result?.text);
    return result;
  };
  const acts = async (): Promise<AuditAct[]> => {
    await audit.close();
    return (await linesOf(directory)) as unknown as AuditAct[];
  };
  return { directory, sessions, audit, registry, call, acts };
}
