/** A host in the foreground, as a person would start it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { MAIN } from "../mcp.ts";
import { endProcess } from "./end-hosts.ts";

export interface RunningHost {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** All that it has printed on stderr. */
  said(): string;
}

/** Ends with the test. */
export function runHost(stateDirectory: string): RunningHost {
  const child = spawn(process.execPath, [MAIN, "host", "run", "--state", stateDirectory], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  onTestFinished(() => endProcess(child.pid ?? 0));
  return { child, ended, said: () => said };
}
