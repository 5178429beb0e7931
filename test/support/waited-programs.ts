/** Programs that tests of waiting start, and end behind the caller's back. */
import { behind } from "./behind-tools.ts";
import type { Toolbox } from "./tools.ts";

export const plain = { login: false, shell: "/bin/sh" };
export const SLEEPER = "exec sleep 1000";
export const ASKER = "printf 'Sure? '; read x; echo \"got $x\"; printf 'Really? '; read y";

export async function start(tools: Toolbox, cmd: string, more: object = {}): Promise<number> {
  const { structured } = await tools.call("exec_command", { cmd, yield_time_ms: 0, ...plain, ...more });
  return structured["session_id"];
}

/** Ends its program, behind the caller's back. */
export async function end(tools: Toolbox, id: number): Promise<void> {
  await behind(tools, id).end();
}
