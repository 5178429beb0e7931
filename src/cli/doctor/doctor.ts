/** `limpet doctor`: checks whether limpet works on this machine, and says what to fix. */
import { checkCgroup } from "./check-cgroup.ts";
import { checkOpenFiles, checkStateDirectory } from "./check-files.ts";
import { checkNode } from "./check-node.ts";
import { checkProc } from "./check-proc.ts";
import { checkShells } from "./check-shells.ts";
import { checkTerminal, checkTerminalLimit } from "./check-terminals.ts";
import type { Finding } from "./finding.ts";

export interface DoctorRequest {
  readonly stateDirectory: string;
  /** Where to look for programs, in the form of PATH. */
  readonly path: string;
  /** Default: /proc. */
  readonly proc?: string;
}

export interface DoctorReport {
  readonly findings: readonly Finding[];
  /** The lines to print. */
  readonly lines: readonly string[];
  /** Nothing failed. */
  readonly isUsable: boolean;
}

export async function doctor({ stateDirectory, path, proc = "/proc" }: DoctorRequest): Promise<DoctorReport> {
  const findings = await Promise.all([
    checkNode(process.version, process.platform),
    checkTerminal(),
    checkTerminalLimit(proc),
    checkCgroup(),
    checkProc(proc),
    checkShells(path),
    checkOpenFiles(proc),
    checkStateDirectory(stateDirectory),
  ]);
  const isUsable = findings.every(({ verdict }) => verdict !== "fail");
  return { findings, lines: [...describeFindings(findings), summary(findings)], isUsable };
}

/** Pure. One line per finding, and its meaning below. */
export function describeFindings(findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings.flatMap(({ check, verdict, what, meaning }) => [
    `${verdict.padEnd(4)}  ${check.padEnd(width)}  ${what}`,
    `${" ".repeat(width + 8)}${meaning}`,
  ]);
}

function summary(findings: readonly Finding[]): string {
  const count = (verdict: Finding["verdict"]) => findings.filter((finding) => finding.verdict === verdict).length;
  const [failed, warned] = [count("fail"), count("warn")];
  if (failed > 0) return `limpet does not work on this machine: ${failed} of ${findings.length} checks failed.`;
  return warned > 0
    ? `limpet works on this machine, with ${warned} of ${findings.length} checks limited.`
    : "All checks passed.";
}
