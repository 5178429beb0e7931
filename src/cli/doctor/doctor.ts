/** `limpet doctor`: checks whether limpet works on this machine, and says what to fix. */
import { packageVersion } from "../../base/package-version.ts";
import type { PolicyFiles } from "../../config/policy-files.ts";
import type { ClientPlaces } from "../setup/client-files.ts";
import { checkAudit } from "./check-audit.ts";
import { checkBinding } from "./check-binding.ts";
import { checkBwrap } from "./check-bwrap.ts";
import { checkCgroup } from "./check-cgroup.ts";
import { checkClients } from "./check-clients.ts";
import { checkOpenFiles, checkStateDirectory } from "./check-files.ts";
import { checkNode } from "./check-node.ts";
import { checkPlaces, type PlaceToCheck } from "./check-places.ts";
import { checkPolicy } from "./check-policy.ts";
import { checkProc } from "./check-proc.ts";
import { checkSandbox } from "./check-sandbox.ts";
import { checkShells } from "./check-shells.ts";
import { checkTerminal, checkTerminalLimit } from "./check-terminals.ts";
import { checkWeb } from "./check-web.ts";
import { type Finding, reasonOf } from "./finding.ts";

export interface DoctorRequest {
  readonly stateDirectory: string;
  /** Where to look for programs, in the form of PATH. */
  readonly path: string;
  /** Where clients keep their files. */
  readonly clients: ClientPlaces;
  /** Default: none. */
  readonly places?: readonly PlaceToCheck[];
  /** What is wrong with the user's config.json; undefined: nothing. */
  readonly configProblem?: string | undefined;
  /** The rules for agents. Default: none. */
  readonly policies?: Partial<PolicyFiles>;
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

export async function doctor(request: DoctorRequest): Promise<DoctorReport> {
  const { stateDirectory, path, clients, places = [], configProblem, policies = {}, proc = "/proc" } = request;
  const checks: Readonly<Record<string, () => Promise<Finding> | Finding>> = {
    node: () => checkNode(process.version, process.platform),
    binding: () => checkBinding(),
    terminals: () => checkTerminal(),
    "kernel.pty.max": () => checkTerminalLimit(proc),
    cgroup: () => checkCgroup(),
    "/proc": () => checkProc(proc),
    // Loaded here: without the binding, the other checks still have to run.
    sandbox: async () => {
      const { landlockVersion } = await import("../../linux/restrict/landlock.ts");
      const { connectObstacle, traceFacts } = await import("../../safety/sandbox/network/require-connects.ts");
      return checkSandbox({ version: landlockVersion(), obstacle: connectObstacle(traceFacts()) });
    },
    bwrap: () => checkBwrap(path),
    shells: () => checkShells(path),
    "ulimit -n": () => checkOpenFiles(proc),
    "state directory": () => checkStateDirectory(stateDirectory),
    audit: () => checkAudit(stateDirectory),
    "config.json": () => checkConfig(configProblem),
    "policy.json": () => checkPolicy(policies),
    web: () => checkWeb(stateDirectory, packageVersion()),
  };
  const machine = await Promise.all(Object.entries(checks).map(([check, run]) => guarded(check, run)));
  const others = await Promise.all([checkClients({ ...clients, path }), checkPlaces(places)]);
  const findings = [...machine, ...others.flat()];
  const isUsable = findings.every(({ verdict }) => verdict !== "fail");
  return { findings, lines: [...describeFindings(findings), summary(findings)], isUsable };
}

/** A check that breaks is a finding, too: whatever is wrong here, the other checks are shown. */
async function guarded(check: string, run: () => Promise<Finding> | Finding): Promise<Finding> {
  try {
    return await run();
  } catch (error) {
    const meaning = "This check could not run, so limpet may not work.";
    return { check, verdict: "fail", what: reasonOf(error), meaning };
  }
}

function checkConfig(problem: string | undefined): Finding {
  const check = "config.json";
  if (problem === undefined) return { check, verdict: "ok", what: "no mistake found", meaning: "Your defaults apply." };
  return { check, verdict: "fail", what: problem, meaning: "Commands refuse to run until it is fixed." };
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
